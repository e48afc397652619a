// cells.h - overlapping cubes over a cloud of points, as a draft of clusters. Knows no clusters of other kinds.
#pragma once

#include "pliant/pliant.h"
#include "../base/cloud.h"

// Clusters in the making: a point is in none, one or many, and weighs what the user said.
typedef struct pnDraft
{
	int clusterCount, memberCount;
	int32_t* starts;
	int32_t* members; // rising within a cluster
	double* weights;
} pnDraft;

static inline bool pnTakeDraft( pnDraft* draft, int clusterCount, int memberCount, pnScratch* scratch )
{
	draft->clusterCount = clusterCount;
	draft->memberCount = memberCount;
	draft->starts = pnTakeArray( scratch, int32_t, clusterCount + 1 );
	draft->members = pnTakeArray( scratch, int32_t, memberCount );
	draft->weights = pnTakeArray( scratch, double, memberCount );
	return !scratch->failed;
}

// Cells as they were chosen: edges along each axis, metres, and how far they reach over, in edges. Zeros: there were none.
typedef struct pnCellSize { float edges[3], overlap; } pnCellSize;

// For the kinds auto, count and cell of the def. `size` (or NULL): the cells to take instead, as near as whole ones allow; `chosen`: those taken.
// The overlap is the def's. dropped[c] = 1: cell c has too few points or is all within another one, and is to
// be left out; points may then be in none. What is written lives in the scratch.
pnResult pnMakeCells( const pnClusterDef* def, const pnCellSize* size, const pnAABB* frame, const pnVec3* points, int pointCount, pnScratch* scratch, pnDraft* draft,
					  uint8_t** dropped, pnCellSize* chosen );
