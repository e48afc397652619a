// match_w16.c - the step's inner loops, 16 clusters at a time. Knows no bodies.
#define PN_WIDTH 16
#include "match_wide.h"
#include "points_wide.h"
#include "bend_wide.h"

const pnKernel pn_kernelW16 = {
	.name = "avx512",
	.match = pnMatchWide,
	.measure = pnMeasurePoints,
	.brace = pnBracePoints,
	.weigh = pnWeighPoints,
	.advance = pnAdvancePoints,
	.advanceBare = pnAdvanceBarePoints,
	.spread = pnSpreadWhole,
	.bend = pnBendPoints,
	.pushApart = pnPushApartAvx2,
	.finders = &pn_findersAvx2,
	.crowd = &pn_crowdAvx2,
};
