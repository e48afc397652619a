// frame.h - how each cluster of one body lies now: the maps that skins, pictures and queries need. Knows no time.
#pragma once

#include "solid.h"

// here = center + map e(q) + rotation across, with e the monomials of pnMember's order (constants folded into center).
typedef struct pnFrame
{
	float center[3];
	float map[3][PN_MONOMIALS];
	float rotation[3][3];
} pnFrame;
