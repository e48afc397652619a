// piece.h - a blade through a body: the pieces that it falls into, as bodies ready to live. Knows one body; no world.
#pragma once

#include "../cut/blade.h"
#include "body.h"

typedef struct pnCutRules
{
	int32_t inside; // material number of triangles that close an opening
	double smallest; // part of the body below which a piece does not live on
	bool atRest; // the blade lies in the rest shape, relative to the solid's centre: so that a tear goes on in one plane
	float tear[4]; // of a tear: its plane at rest, see pnSolid
} pnCutRules;

// What a cut has made of a body; see pnPiece.
typedef struct pnCutPiece
{
	pnBody* body; // NULL: too small
	double mass; // kg
	pnVec3 center;
	int32_t* pointSources;
	pnVertexSource* vertexSources;
	int pointCount, vertexCount;
} pnCutPiece;

typedef struct pnCutBody
{
	bool touched;
	int pieceCount; // 1: opened, but in one piece
	pnCutPiece* pieces;
	int particleCount; // of the body before
	int32_t *pieceOf, *particleOf; // for each of them: its piece (-1: none that lives) and the particle it is there
} pnCutBody;

// The body stays as it is; what it becomes is in *cut, to be freed whatever is returned. Pieces have the body's material, filter, pins and
// so on, but no id, and no grips.
pnResult pnCutApart( const pnBody* body, const pnBlade* blade, const pnCutRules* rules, pnCutBody* cut );
void pnFreeCutBody( pnCutBody* cut ); // bodies that somebody took must be NULL by now
void pnAgePiece( pnBody* body, float timeStep ); // after a step: others have seen it, and its skins come to lie as they are carried
