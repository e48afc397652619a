// match_w1.c - the step's inner loops, one cluster at a time. Knows no bodies.
#define PN_WIDTH 1
#include "match_wide.h"
#include "points_wide.h"
#include "bend_wide.h"

const pnKernel pn_kernelW1 = {
	.name = "scalar",
	.match = pnMatchWide,
	.measure = pnMeasurePoints,
	.brace = pnBracePoints,
	.weigh = pnWeighPoints,
	.advance = pnAdvancePoints,
	.advanceBare = pnAdvanceBarePoints,
	.spread = pnSpreadWhole,
	.bend = pnBendPoints,
	.pushApart = pnPushApart,
	.finders = &pn_finders,
	.crowd = &pn_crowd,
};
