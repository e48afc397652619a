// solid.h - the rest shape as the step reads it: particles, cluster memberships, cluster bases, skins. Knows no time.
#pragma once

#include "pliant/pliant.h"
#include "../contact/surface.h"
#include "cells.h"

#include <stdatomic.h>

// A particle's place in a cluster's rest shape. The coordinates are whitened: with weights w that add up to 1 over the
// cluster, sum w q = 0 and sum w q q^T = 1 (0 along directions the cluster has no extent in). Rows are padded to a
// multiple of 4 per cluster with zeros, so that they can be read four at a time.
typedef struct pnMember
{
	float q[3];
	float w; // share of the cluster's weight
} pnMember;

// Monomials of whitened coordinates, in this order everywhere: x y z xx yy zz xy yz zx.
enum { PN_MONOMIALS = 9, PN_QUADRATIC_COEFFICIENTS = 39 };

// What the step must know of a cluster besides its members. The goal basis phi is orthonormal under w:
// phi[k] = q[k] for k < 3, phi[3+t] = sum over j <= 3+t of quadratic[row t][j] * (e[j] - mean[j]), or 0 where the points cannot tell.
// All floats and a multiple of 16 bytes, because lanes load it row by row (shape_wide.h).
typedef struct pnClusterRest
{
	float basis[9]; // K, row major, metres: rest offset from the centre = K q (+ what lies across missing directions); columns are
					// along the principal axes, those of missing directions as long as the cluster is wide
	float restDet; // det K, 0 if the cluster is flat
	float restNorm2; // sum of squares of K: mean squared distance from the centre
	float share; // the cluster's weight as a part of the body's mass
	float missing[3]; // 1 for each column of the basis along which the cluster has no extent: there q = 0
	float pinned; // 1 in a held solid, if members are held: its volume is that of its plain weights
	float unused[2];
	float fullRank; // 1 if the cluster has volume
	float hasQuadratic; // 1 if any quadratic basis function is there
	float quadratic[PN_QUADRATIC_COEFFICIENTS]; // rows of 4, 5, .. 9
	float mean[6]; // of the quadratic monomials
	float pad[3];
} pnClusterRest;
_Static_assert( sizeof( pnClusterRest ) % 16 == 0, "lanes load rows of four floats" );

// A skin vertex's hold on one cluster.
typedef struct pnSkinBond
{
	int32_t cluster;
	float weight; // of a vertex's bonds add up to 1
	float q[3]; // whitened coordinates in the cluster
	float across[3]; // rest offset along directions the cluster has no extent in, metres
} pnSkinBond;

typedef struct pnSkin
{
	int vertexCount, triangleCount;
	int firstVertex, firstTriangle; // into the solid's skin arrays
	int onParticles; // vertices are particles: positions are theirs, normals come from the triangles; else carried by bonds
} pnSkin;

// All arrays of a solid, in one list, so that freeing, counting, hashing and saving cannot forget one.
#define PN_SOLID_ARRAYS( X )                                                                                                  \
	X( pnVec3, rest, particleCount ) /* rest positions relative to `center` */                                                \
	X( float, mass, particleCount ) /* parts of the solid's mass, add up to 1 */                                              \
	X( int32_t, particleOf, pointCount ) /* user's index -> particle */                                                       \
	X( int32_t, clusterStart, clusterCount + 1 ) /* into members and memberPoint, multiples of 4 */                           \
	X( int32_t, clusterSize, clusterCount ) /* members without the padding */                                                 \
	X( pnMember, members, memberCount )                                                                                       \
	X( uint32_t, memberPoint, memberCount ) /* particle of each member as a byte offset (16 * particle); padding: the cluster's first */ \
	X( pnClusterRest, clusters, clusterCount )                                                                                \
	X( float, clusterCenter, 3 * clusterCount ) /* rest centre relative to `center`, metres */                                \
	X( int32_t, groupColor, groupCount ) /* groups of 16 clusters; those of one colour share no particle; colours rise */      \
	X( pnSkin, skins, skinCount )                                                                                             \
	X( int32_t, skinTriangles, 3 * skinTriangleCount ) /* indices within their skin */                                        \
	X( int32_t, skinParticle, skinVertexCount ) /* particle, or -1 */                                                         \
	X( int32_t, skinWeld, skinVertexCount ) /* vertices of one skin with equal values share one smooth normal (skins on particles) */ \
	X( pnVec3, skinNormal, skinVertexCount ) /* rest normals, unit */                                                         \
	X( int32_t, skinBondStart, skinVertexCount + 1 )                                                                          \
	X( pnSkinBond, skinBonds, skinBondCount )                                                                                 \
	X( int32_t, tetrahedra, 4 * tetrahedronCount ) /* particles */                                                            \
	X( float, skinAttributes, attributeTotal ) /* one skin's after another's, vertex by vertex */                             \
	X( int32_t, skinAttributed, attributedCount ) /* how many for each vertex of each skin; none if no skin has any */        \
	X( int32_t, skinMaterials, materialCount ) /* of each triangle; none if all are 0 */                                      \
	X( int32_t, skinNode, nodedCount ) /* of pieces: the first vertex of its skin that it hangs together with, in its place; none: by place */ \
	X( int32_t, linkStart, linkStartCount ) /* into links, of each particle; none where nothing is slit: then all hangs together */ \
	X( int32_t, links, linkCount ) /* particles that a particle still hangs together with, rising */

// The names that the counts in PN_SOLID_ARRAYS use.
#define PN_NAME_COUNTS( solid )                                                                                          \
	int pointCount = ( solid )->pointCount, particleCount = ( solid )->particleCount;                                    \
	int clusterCount = ( solid )->clusterCount, memberCount = ( solid )->memberCount, groupCount = ( solid )->groupCount; \
	int skinCount = ( solid )->skinCount, skinTriangleCount = ( solid )->skinTriangleCount;                              \
	int skinVertexCount = ( solid )->skinVertexCount, skinBondCount = ( solid )->skinBondCount;                          \
	int tetrahedronCount = ( solid )->tetrahedronCount, attributeTotal = ( solid )->attributeTotal;                      \
	int attributedCount = ( solid )->attributedCount, materialCount = ( solid )->materialCount;                          \
	int linkStartCount = ( solid )->linkStartCount, linkCount = ( solid )->linkCount, nodedCount = ( solid )->nodedCount

struct pnSolid
{
	atomic_int refCount;
	int pointCount; // user's, with the filling
	int particleCount, clusterCount, memberCount; // memberCount with padding
	int membershipCount; // without
	int skinCount, skinTriangleCount, skinVertexCount, skinBondCount;
	int tetrahedronCount;
	int attributeTotal, attributedCount, materialCount, linkStartCount, linkCount, nodedCount;
	int groupCount; // of 16 clusters each, the last perhaps fewer: what is matched together
	int maxClusterSize; // with padding
	int overlapping; // some particle is in more than one cluster
	float totalMass; // kg
	float density; // that totalMass was made with, kg/m^3; 0 if the user gave masses
	float thickness; // as the user gave it, metres
	int islandCount; // sets of clusters that share no particle with others
	pnCellSize cells; // that its clusters were made of, zeros if they were not; pieces keep them
	float spacing, whole, breadth2; // of a piece: metres between particles, kg, and the square of the clusters' breadth (body.h), m^2, of what was cut first; 0: its own
	int inherited; // it is a piece: its cells do not follow from what it was made of
	float tear[4]; // the plane in which it is torn, at rest: normal and its product with places, user's coordinates; zeros: it is not
	double center[3]; // of mass, user's coordinates
	uint64_t hash; // of all the above and the arrays
#define PN_DECLARE( T, name, count ) T* name;
	PN_SOLID_ARRAYS( PN_DECLARE )
#undef PN_DECLARE
	atomic_int surfaceState; // 0 none, 1 being made, 2 there
	pnSurface surface; // follows from the above; made when the first body that can touch is
};

pnSolid* pnTakeSolid( void ); // an empty one with one reference, or NULL
void pnRetainSolid( const pnSolid* solid );
size_t pnGetSolidBytes( const pnSolid* solid );
// Takes all arrays for the counts set in *solid; false if there is no memory, then none is taken.
bool pnAllocSolidArrays( pnSolid* solid );
void pnFreeSolidArrays( pnSolid* solid );
void pnFinishSolid( pnSolid* solid ); // sizes, flags, hash: what follows from the arrays
// Makes the surface for contact unless it is there; false if there is no memory. Any thread may ask: the first one makes it.
bool pnSurfaceSolid( const pnSolid* solid );
// The same solid with some particles held: a held particle outweighs its cluster tenfold, so that the fit turns about it.
// Shares nothing with the original. NULL if there is no memory.
pnSolid* pnCreateHeldSolid( const pnSolid* solid, const uint8_t* held );
