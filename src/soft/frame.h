// frame.h - how each cluster of one body lies now: the maps that skins, pictures and queries need. Knows no time.
#pragma once

#include "match.h"

// here = center + map e(q) + rotation across, with e the monomials of pnMember's order (constants folded into center).
typedef struct pnFrame
{
	float center[3];
	float map[3][PN_MONOMIALS];
	float rotation[3][3];
} pnFrame;

// The frame of one cluster where its particles are now, as its mode follows them: rigid by the turn, linear and quadratic by the fit.
pnFrame pnComputeFrame( const pnMatchBody* body, int cluster, pnMode mode );
// The linear part of the fit: rest offset -> offset now, metres per metre; along directions without extent the turn's.
void pnLinearMap( const pnMatchBody* body, int cluster, const pnFrame* frame, double map[9], double center[3] );
