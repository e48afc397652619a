// match_w4.c - the step's inner loops, 4 clusters at a time. Knows no bodies.
#define PN_WIDTH 4
#include "match_wide.h"
#include "points_wide.h"
#include "bend_wide.h"

#if defined( __wasm__ )
static const char pn_name[] = "simd128";
#elif defined( __aarch64__ )
static const char pn_name[] = "neon";
#else
static const char pn_name[] = "sse2";
#endif

const pnKernel pn_kernelW4 = {
	.name = pn_name,
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
