// facets.h - the surface as flat convex polygons: from a closed mesh, or cells found for a cloud. Knows no conditions and no sources.
// Lengths are scaled: the solid lies within 1 of the origin.
#pragma once

#include "vec3d.h"

typedef struct pnFacets
{
	pnVec3d* corners; // counterclockwise seen from outside
	int32_t* starts; // facet f has the corners [starts[f], starts[f + 1])
	pnVec3d* normals; // unit, outward
	pnVec3d* centroids;
	double* areas;
	int32_t* groups; // the user's label
	int count;
	int cornerCount, capacity, cornerCapacity; // capacity of facets (starts has one more)
} pnFacets;

void pnDestroyFacets( pnFacets* facets ); // zeros are fine
// Adds a polygon: its normal, centroid and area come from its corners. False: no memory, nothing added.
bool pnAddFacet( pnFacets* facets, const pnVec3d* corners, int cornerCount, int group );

// Checks that the mesh is closed and looks outward (cavities: into the hollow), and leaves out triangles without area.
// Logs what is wrong and where. Nothing is kept if it fails.
pnResult pnMakeMeshFacets( const pnVec3d* points, int pointCount, const int32_t* triangles, int triangleCount, const int32_t* groups, pnFacets* facets );

// Relaxes the points along the surface and gives each the cell of the surface that is nearest to it, as a flat polygon around it;
// at creases cells end where the neighbours' tangent planes cut theirs. normals: unit. gap: |sum of area times normal| over the
// sum of areas, 0 for a closed surface.
pnResult pnMakeCloudFacets( const pnVec3d* points, const pnVec3d* normals, const int32_t* groups, int count, pnFacets* facets, double* gap );
