// reskin.h - the skins of a body under a blade: as nodes to be sliced, and as skins of the pieces. Knows solids and places; no bodies' motion.
#pragma once

#include "../cut/slice.h"
#include "assemble.h"

static const double pn_snap = 0.15; // of the spacing: a blade that runs so near to an older slit goes on in it

enum { PN_PLACE_VALUES = 3, PN_MOTION_VALUES = 6 }; // what nodes carry first: rest place; and velocity if they are particles

// One skin, cut or not. Its arrays live in its scratch.
typedef struct pnSkinCut
{
	pnScratch scratch;
	int skin;
	bool onParticles; // nodes are particles
	bool sliced;
	bool closed; // all of it is
	int nodeCount, allCount; // before; with those that the cut added
	int32_t* nodeOf; // of the skin's vertices
	pnVec3* places; // of all nodes, as they lie; of a cut at rest, before pnTurnSkin: at rest
	float* values; // of all nodes, valueCount each: rest place relative to the solid's centre (before pnTurnSkin: as they lie), velocity if particles, attributes
	int valueCount, firstAttribute;
	const int8_t* lips; // of nodes before: as in pnSliceSource, or NULL
	pnSlice slice; // `added` is for nodes from nodeCount on; triangles are all of them, cut or not
	int32_t* vertexOf; // of nodes before: the first vertex there, -1
	int32_t* pieceOf; // of all nodes; -1: in none
} pnSkinCut;

typedef struct pnSkinWhere
{
	const float* x; // particles, four floats each
	const float* v;
	const pnVec3* positions; // of the skin's vertices, where it is carried
	double spacing; // metres between particles
	bool atRest; // the blade cuts the rest shape: `places` of nodes are then at rest, and their first values are where they lie
} pnSkinWhere;

// Slices skin `index`. False: no memory.
bool pnCutSkin( const pnSolid* solid, int index, const pnSkinWhere* where, const pnBlade* blade, double kerf, pnSkinCut* cut );

void pnTurnSkin( pnSkinCut* cut ); // places at rest become the first values, and the other way round

// The skin of one piece. particleOf: of all nodes (skins on particles), in the piece. The arrays live in the scratch; places are in the
// user's coordinates. sources, vertexNodes: where each vertex comes from, and its node; in the scratch too. False: no memory.
bool pnMakePieceSkin( const pnSolid* solid, const pnSkinCut* cut, int piece, const int32_t* particleOf, int32_t inside, pnScratch* scratch,
					  pnSkinPart* part, pnVertexSource** sources, int32_t** vertexNodes );
