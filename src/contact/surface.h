// surface.h - the surface of a solid as contact needs it: triangles on particles, who is whose neighbour, and a field at rest that names
// the nearest triangle of a place (nodes.h). Built once; only what was asked of the field is added. Knows rest positions; no bodies, no time.
#pragma once

#include "pliant/pliant.h"
#include "../base/core.h"

#include <stdatomic.h>

// A place on a sharp edge that is watched like a vertex: w * a + (1 - w) * b.
typedef struct pnSample { int32_t a, b; float w; } pnSample;

// A sharp edge that stands out at rest: its ends, counterclockwise in the first of the two triangles beside it, and their third corners.
typedef struct pnEdge { int32_t ends[2], tips[2]; } pnEdge;

// A particle at a slit and three of the other lip that it faces, counterclockwise as it sees them: `gap` metres from their plane at rest, where the lips touch. area2: of
// their triangle, doubled and squared.
typedef struct pnLip { int32_t particle, corners[3]; float gap, area2; } pnLip;

// Four boxes of a tree side by side.
typedef struct pnBoxes { float lower[3][4], upper[3][4]; } pnBoxes;

enum { PN_TREE_LEVELS = 16 }; // 4^16 triangles are more than can be counted
enum { PN_RUN = 256 }; // nodes

#define PN_SURFACE_ARRAYS( X )                                                                                           \
	X( int32_t, triangles, 3 * triangleCount ) /* particles, counterclockwise from outside */                            \
	X( int32_t, neighbors, 3 * triangleCount ) /* across the edge opposite corner k; itself where there is none */       \
	X( int32_t, skinTriangle, triangleCount ) /* the triangle of skin 0 it is, or -1 */                                  \
	X( uint16_t, ridges, triangleCount ) /* bit k: the edge opposite corner k is sharp and stands out at rest; 3 + k: corner k does; 6 + k: the edge is sharp and a notch */ \
	X( uint8_t, vertexMask, quadCount ) /* for each four particles: bit k set if particle k is at the outside */         \
	X( int32_t, vertexRank, quadCount ) /* how many particles at the outside come before these four */                   \
	X( pnBoxes, tree, treeCount ) /* over the triangles at rest, level by level, the root last */                        \
	X( int32_t, treeTriangles, triangleCount ) /* in the order in which the lowest level has them, four to a node */     \
	X( int32_t, tetrahedra, 4 * tetrahedronCount ) /* particles; for the tet detector */                                 \
	X( pnVec3, rest, restCount ) /* of particles, with one more to load past the end */

#define PN_NAME_SURFACE_COUNTS( surface )                                                                                \
	int triangleCount = ( surface )->triangleCount, quadCount = ( surface )->quadCount, treeCount = ( surface )->treeCount; \
	int tetrahedronCount = ( surface )->tetrahedronCount, restCount = ( surface )->restCount

typedef struct pnSurface
{
	int vertexCount, quadCount, triangleCount, sampleCount, nodeCount, runCount, treeCount, tetrahedronCount, restCount;
	int levelCount, levelStarts[PN_TREE_LEVELS]; // of the tree: where each level begins, the lowest first
	int grid[3]; // nodes along each axis; node of x y z: ( z * grid[1] + y ) * grid[0] + x
	float lower[4]; // place of the first node, relative to the solid's centre
	float cells[4], perCell[4]; // metres between nodes along each axis, and 1 / that
	float cell; // metres: how far a place may be from its node
	float size; // metres: largest extent of the rest shape
	float thinnest; // metres: smallest extent
	float thickness; // metres kept free around it
	int closed; // has an inside; if not, both sides of its triangles are outside
#define PN_DECLARE( T, name, count ) T* name;
	PN_SURFACE_ARRAYS( PN_DECLARE )
#undef PN_DECLARE
	pnSample* samples;
	pnLip* lips; // lips.h
	int lipCount;
	pnEdge* edges; // edges.h; NULL if there are none
	int32_t* edgeStarts; // where those of each group of triangles of the tree (tree.h) begin, and the end
	int edgeCount, edgeGroupCount;
	_Atomic uint8_t* runs; // field: whether a run of PN_RUN nodes was cleared, see nodes.h
	_Atomic uint64_t* nodes; // field: runCount * PN_RUN; what is known of them. Building touches none
} pnSurface;

typedef struct pnSurfaceSource
{
	const pnVec3* rest; // particles, relative to the solid's centre
	int particleCount;
	const int32_t* triangles; // particles; looking outward if closed. None: a surface is made over the points
	int triangleCount;
	const int32_t* tetrahedra; // particles, or NULL
	int tetrahedronCount;
	float thickness; // metres; negative: from the size
	const int32_t *linkStart, *links; // of a slit body: what each particle hangs together with. Or NULL
	bool piece; // cut from something: its rims may lie on those of other pieces
} pnSurfaceSource;

// False: no memory, and *surface is as before.
bool pnBuildSurface( const pnSurfaceSource* source, pnSurface* surface );
void pnFreeSurface( pnSurface* surface );
size_t pnGetSurfaceBytes( const pnSurface* surface );
