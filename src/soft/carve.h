// carve.h - what the stages of cutting a body hand on to one another. Knows one body; private to carve.c, grow.c, links.c and piece.c.
//
// Skins are sliced where they lie now. What hangs together afterwards is a piece: by the triangles of the skin that leads (the first that is
// closed, or skin 0), by what is inside of what, and by neighbours at rest where there is no surface to tell. Each piece is then assembled
// like any solid, from the particles it keeps and those that the cut has added, and goes on as it moved; a rigid motion given to all
// pieces alike makes up for what moving masses to new points has done to the momenta.
#pragma once

#include "../base/mat3.h"
#include "../cut/walls.h"
#include "frame.h"
#include "piece.h"
#include "reskin.h"

static const double pn_inset = 0.05; // of the spacing: how far into the material one must go not to be on a wall of a slit
static const double pn_borrow = 0.6; // of the spacing along the surface: from so far a vertex may borrow its eye; particles, which see their neighbours, half of that
static const double pn_kerf = 1e-6; // of the body's size: how far lips are drawn apart where the blade ends inside

typedef struct pnCarving
{
	const pnBody* body;
	const pnSolid* solid;
	const pnBlade* blade;
	const pnCutRules* rules;
	pnScratch scratch;
	pnSkinCut* skins;
	int lead; // the skin that pieces are found by; -1: none, by neighbours
	bool leadClosed;
	int particleCount; // before
	int32_t* partOf; // of particles before: a set, then a piece
	pnVec3* places; // of particles before, where the blade cuts: as they lie, or at rest
	uint8_t* above; // of particles before: 1 if it counts as above the blade
	int pieceCount;
	double *volumes, *masses; // of pieces: at rest, m^3, 0 unless closed; kg
	double* centers; // of pieces: where their mass is at rest, three each. NULL: nobody knows
	pnMat3d* spreads; // of pieces: mean products of ways from there, m^2. NULL: nobody knows
	uint8_t* lives;
	int32_t* severed; // pairs of particles that the blade has parted, where there is no closed surface to tell
	int severedCount;
	bool walled; // the lead is closed, and slit: its walls tell what is parted
	pnWalls walls; // at rest
	pnVec3 across; // the blade's normal at rest
	float rotation[4]; // of the whole, for what lies across the blade at rest
	double size, spacing; // metres at rest: of all of it, between particles
	const pnFrame* frames; // of the body's clusters, if it carries a skin. Or NULL
} pnCarving;

// A piece in the making. Particles: those kept, those that slicing the lead has added, samples of a cut face, a filling.
typedef struct pnGrowth
{
	pnScratch scratch;
	int number;
	int count, capacity;
	pnVec3* rest; // relative to the old solid's centre
	pnVec3 *places, *velocities;
	double* masses; // kg
	int32_t* from; // particle before, or -1
	int32_t* sides; // 1, -1 on a lip, 0 else; 2 where the blade ended
	int32_t* nodes; // of the lead's nodes: particle, -1
	pnVec3* probes; // of a slit piece: rest places drawn a little into the material, to see from. Or NULL
	int keptCount;
	pnScratch* skinScratch;
	pnSkinPart* skins;
	pnVertexSource** sources;
	int32_t** skinNodes; // of each skin's vertices
	int32_t* placeOf; // in the solid
	pnSolid* solid;
} pnGrowth;

static inline pnVec3 pnGetVec( const float* row )
{
	return pnMakeVec3( row[0], row[1], row[2] );
}

// Which side of the blade a node of a slit is on that the blade has made, or gone on in: 1, -1; 0 where it ended, or is none.
static inline int pnGetSide( const pnSkinCut* cut, int node )
{
	int lip = node >= cut->nodeCount ? cut->slice.added[node - cut->nodeCount].side : cut->lips != NULL ? cut->lips[node] : 0;
	return lip == 1 || lip == -1 ? lip : 0;
}

// The eye of such a node: on the node's side of it, at least a third of the inset, whatever slivers around it tell. across: the blade's
// normal at rest.
static inline pnVec3 pnKeepSide( pnVec3 eye, pnVec3 place, pnVec3 across, int side, double inset )
{
	pnVec3 way = pnSub( eye, place );
	float beside = (float)side * pnDot( way, across );
	return side != 0 && beside < 0.33f * (float)inset ? pnMulAdd( eye, (float)side * ( 0.66f * (float)inset - beside ), across ) : eye;
}

// carve.c: what hangs together after the cut. All of them: false, no memory.
bool pnCutSkins( pnCarving* c );
bool pnChooseLead( pnCarving* c );
bool pnFindPieces( pnCarving* c );
bool pnAssignSkins( pnCarving* c );
bool pnWeighPieces( pnCarving* c );
bool pnRaiseWalls( pnCarving* c );
bool pnIsTouched( const pnCarving* c ); // did the blade do more than shave off nothing?
double pnMeanSpacing( const pnSolid* solid ); // metres between particles at rest

// grow.c: the particles of the pieces
bool pnGatherParticles( const pnCarving* c, pnGrowth* g );
void pnRestoreMomenta( const pnCarving* c, pnGrowth* growths );

// links.c: what still hangs together in a piece
bool pnLinkPiece( const pnCarving* c, pnGrowth* g, int32_t** links, int* linkCount );
// For each vertex of a carried skin of a slit piece a particle of the piece that is on its side. False: no memory.
bool pnAnchorSkin( const pnCarving* c, const pnGrowth* g, const pnSkinCut* cut, const pnVertexSource* sources, const int32_t* nodes, int vertexCount, const int32_t* links,
				   int linkCount, int32_t* anchors );
