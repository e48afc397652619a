// crowd_avx2.c - crowd.c once more, for machines that have AVX2: the same lanes and the same bits in fewer instructions. Knows what crowd.c knows.
#define pn_crowd pn_crowdAvx2
#include "crowd.c"
