// mesh.h - surfaces and tetrahedra as arrays: closed or not, volume, filling, boundary, normals. Knows no solids.
// Triangles and tetrahedra are point indices; a triangle with two equal corners is degenerate and counts for nothing.
#pragma once

#include "cloud.h"

// The vector at length 1; the other one if it has no direction or is not finite. Any scale that float can hold.
static inline pnVec3 pnUnitOr( pnVec3 a, pnVec3 otherwise )
{
	pnVec3 size = pnMax3( a, pnScale( -1.0f, a ) );
	float largest = size.x > size.y ? size.x : size.y;
	largest = largest > size.z ? largest : size.z;
	// Divided, not multiplied by an inverse: that of a denormal would be infinite.
	a = pnMakeVec3( a.x / largest, a.y / largest, a.z / largest );
	float length2 = pnDot( a, a );
	return length2 >= 0.5f && length2 <= 4.0f ? pnScale( 1.0f / __builtin_sqrtf( length2 ), a ) : otherwise;
}

// m^3, negative if the fourth point looks at the first three clockwise.
double pnGetTetrahedronVolume( const pnVec3* a, const pnVec3* b, const pnVec3* c, const pnVec3* d );

typedef struct pnSurfaceInfo
{
	bool closed; // every edge is shared by an even number of triangles, and the sides agree
	double volume; // m^3 once turned; 0 if open
} pnSurfaceInfo;

// turned[i] = 1: triangle i must be turned over for the surface to look outward. Nothing is turned in open surfaces. False: no memory.
// Points that coincide must have one index.
bool pnExamineSurface( const pnVec3* points, const int32_t* triangles, int triangleCount, uint8_t* turned, pnSurfaceInfo* info );

// Points of a regular grid that lie inside, no nearer than about half the spacing to a point of the tree, and a sixth to the surface.
// Surfaces with holes, cracks and crossings will do: a place is inside if most ways out of it cross the surface outward.
// filled lives in the scratch. pn_invalidInput: too many grid points for the size.
pnResult pnFillSurface( const pnVec3* points, const int32_t* triangles, int triangleCount, double spacing, const pnPointTree* tree,
						pnScratch* scratch, pnVec3** filled, int* filledCount );

// Faces that belong to one tetrahedron only, looking outward, corners as in `tetrahedra`. `same` gives points that coincide one
// index. Room for four triangles per tetrahedron. Returns how many there are, -1 without memory.
int pnFindBoundary( const pnVec3* points, const int32_t* same, const int32_t* tetrahedra, int tetrahedronCount, int32_t* triangles );

// Unit normals, weighted by area, shared by vertices with equal `weld` (the lowest vertex of each group); away from the origin
// where the triangles do not tell. vertices: positions.
void pnComputeNormals( const pnVec3* vertices, const int32_t* weld, int vertexCount, const int32_t* triangles, int triangleCount, pnVec3* normals );
