// solve_avx2.c - solve.c once more, for machines that have AVX2: the same lanes and the same bits in fewer instructions. Knows what solve.c knows.
#define pnPushApart pnPushApartAvx2
#include "solve.c"
