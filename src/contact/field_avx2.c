// field_avx2.c - field.c, tree.c and split.c once more, for machines that have AVX2: the same lanes and the same bits in fewer instructions. Knows what they know.
#define pnCountLaidNodes pnCountLaidNodesAvx2
#define pnReadTree pnReadTreeAvx2
#define pnLayTree pnLayTreeAvx2
#define pnFindNearestTriangle pnFindNearestTriangleAvx2
#define pnFindNodes pnFindNodesAvx2
#define pnCoverNodes pnCoverNodesAvx2
#define pnFindNearestIn pnFindNearestInAvx2
#define pnCountAround pnCountAroundAvx2
#define pnFindSplit pnFindSplitAvx2
#define pnDetectPoints pnDetectPointsAvx2
#define pnProbePoints pnProbePointsAvx2
#define pnGetSelfRoom pnGetSelfRoomAvx2
#define pnDetectSelf pnDetectSelfAvx2
#define pnDetectLips pnDetectLipsAvx2
#define pn_finders pn_findersAvx2
#include "tree.c"
#include "split.c"
#include "field.c"
