// pliant.h - soft bodies that live in a world and move in time: solids, materials, bodies, worlds, snapshots.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
//
// Units are metres, kilograms, seconds. Every def comes from its pnDefault function; what you hand over is copied.
// A call that can fail returns a pnResult; unless it is pn_success nothing has changed, and the log names the item.
// Between steps, functions that take a const pnWorld* may be called from many threads at once; nothing else may.
#pragma once

#include "base.h"
#include "vec.h"

#include <stdbool.h>

typedef struct pnWorld pnWorld; // owns the bodies in it; two worlds share nothing but solids
typedef struct pnSolid pnSolid; // a rest shape: points, clusters, skins. Never changes once made; counted

// An id is a value and zero is null. One that outlived its body is told by its generation.
typedef struct pnBodyId { int32_t index1; uint32_t generation; } pnBodyId;
typedef struct pnShapeId { int32_t index1; uint32_t generation; } pnShapeId;
typedef struct pnGrabId { int32_t index1; uint32_t generation; } pnGrabId;

// ---- material: how a solid answers. One struct to read, change and set at any time ----

typedef enum pnMode
{
	pn_rigidMode, // goals only turn
	pn_linearMode, // and stretch and shear
	pn_quadraticMode, // and bend and twist
} pnMode;

typedef enum pnCap
{
	pn_noCap,
	pn_rowCap, // along each axis of the body by itself
	pn_blendCap, // over all axes together, blended towards the turn
	pn_scaleCap, // as blend, gentler: the cap's weight falls with the square of the stretch
} pnCap;

#define PN_CURVE_SIZE 8
// A response, piecewise linear through its points, x rising; constant before the first, and slope kept after the last.
// count 0: the built-in response.
typedef struct pnCurve { int count; struct { float x, y; } points[PN_CURVE_SIZE]; } pnCurve;

typedef struct pnMaterial
{
	pnMode mode;
	float hertz; // how fast a point returns to its goal, cycles per second, the same for any step; shape swings at hertz * sqrt( 1 - stretch )
	float dampingRatio; // 0 swings for ever, 1 returns without swinging
	float stretch; // [0,1] the paper's beta: how far goals follow the fitted shape
	float alpha; // (0,1] the paper's raw pull per step, instead of hertz and dampingRatio; 0: not used
	float volume; // strength of keeping volume, in units of the pull; 0 off, 1 usual, 10 nearly incompressible
	pnCurve volumeCurve; // volume wanted (y) at a volume found (x), in units of rest; default keeps 1
	pnCap cap;
	float capStart; // stretch at which the cap sets in, 1 is rest
	float capEnd; // stretch the goals never pass (rows and blend); equal to capStart: a hard stop
	pnCurve capCurve; // stretch allowed (y) at a stretch found (x); overrides capStart and capEnd
	float yield; // strain beyond which the rest shape itself gives way; 0 never
	float creep; // how fast it gives way, 1/s
	float maxPlastic; // largest plastic strain
	float hardening; // the yield grows to yield * ( 1 + hardening * plastic strain passed through )
	float recovery; // how fast plastic strain heals, 1/s; 0 never
	float tear; // stretch past which a tear may begin, plastic stretch included, 1 is rest; 0 never. Torn faces have material number 1
	float toughness; // J/m^2: a tear begins and runs on only while the strain that it relieves pays this for its surface. 0: brittle, one tear may follow another at once
	float density; // kg/m^3; a body of a solid without given masses weighs by this
	float friction; // of its surface: what slides on what is stopped by sqrt( friction * friction ) times the pressure
	float restitution; // [0,1] how much of its speed a hard hit gives back to the body as a whole; soft hits bounce by hertz and dampingRatio
	bool bare; // the paper's equations 9 and 10 and nothing else: no damping, volume, caps, flow, energy account or momentum repair
} pnMaterial;

PN_API pnMaterial pnDefaultMaterial( void );
// By name: jelly, rubber, flesh, foam, clay, wood, steel, rigid. pn_notFound leaves the material alone.
PN_API pnResult pnFindMaterial( const char* name, pnMaterial* material );
PN_API const char* const* pnGetMaterialNames( int* count );

// ---- solid: what a body is, before there is any time ----

// Clusters that the library makes hold on to each other: a solid is one thing, also where its points lie far apart. (Two things are two bodies.)
// Your own clusters and tetrahedra are taken as they are: those that share a line of points are hinged there, those that share one point swivel
// about it, and those that share none go their own ways; islandCount of pnSolidInfo tells.
typedef enum pnClusterKind
{
	pn_autoClusters, // cells of a size that suits the number of points
	pn_countClusters, // about `count` cells
	pn_cellClusters, // cells of `cellSize`
	pn_tetClusters, // one for each tetrahedron
	pn_givenClusters, // your lists, such as vertex groups
} pnClusterKind;

typedef struct pnClusterDef
{
	pnClusterKind kind;
	int count;
	float cellSize; // metres
	float overlap; // how far a cell reaches over its neighbours on each side, in cell edges; farther where they would not hold on to each other
	const int32_t* starts; // given: count + 1 offsets into members
	const int32_t* members; // given: point indices
	const float* weights; // given: one for each member, > 0, or NULL for equal
} pnClusterDef;

// A surface carried along. Its vertices need not be points of the solid.
typedef struct pnSkinDef
{
	const pnVec3* vertices;
	const pnVec3* normals; // or NULL: from the triangles, smooth where vertices coincide
	const int32_t* triangles; // three vertex indices each, or NULL
	int vertexCount, triangleCount;
	const float* attributes; // what you want carried along with the vertices: UV, colours. attributeCount for each vertex, or NULL
	int attributeCount; // up to 16
	const int32_t* materials; // your number for each triangle, or NULL: 0. Triangles that close a cut get the cut's
} pnSkinDef;

typedef struct pnSolidDef
{
	const pnVec3* points; // rest positions
	const float* masses; // kg, > 0; or NULL: from the density and the volume
	int pointCount;
	const int32_t* triangles; // a surface over the points, closed or not; it becomes skin 0. Or NULL
	int triangleCount;
	const float* attributes; // of the points as vertices of skin 0, and
	int attributeCount; // as in pnSkinDef
	const int32_t* materials;
	const int32_t* tetrahedra; // four point indices each; their boundary becomes skin 0 if there are no triangles. Or NULL
	int tetrahedronCount;
	float weldDistance; // points this close become one; negative: a millionth of the size for surfaces, none else
	float fillSpacing; // > 0: fill a closed surface with points this far apart. They come after yours
	float density; // kg/m^3, where no masses are given; a body's material may say otherwise
	float thickness; // metres that its surface stays away from what it touches; negative: a hundredth of its size
	pnClusterDef clusters;
	const pnSkinDef* skins; // further skins
	int skinCount;
	int cookie; // set by pnDefaultSolidDef
} pnSolidDef;

PN_API pnSolidDef pnDefaultSolidDef( void );
PN_API pnResult pnCreateSolid( const pnSolidDef* def, pnSolid** solid );
PN_API void pnDestroySolid( pnSolid* solid ); // gives your reference back; bodies keep theirs. NULL is fine

typedef struct pnSolidInfo
{
	int pointCount; // indices you may use: yours, then those of the filling
	int particleCount; // points that really move, after welding
	int clusterCount, membershipCount, skinCount;
	int islandCount; // sets of clusters that share no point, so that nothing holds them together: 1 unless your own clusters or tetrahedra make more
	float mass; // kg
	pnVec3 center; // of mass, rest position
	pnAABB bounds; // of the rest points
	size_t byteCount;
} pnSolidInfo;
PN_API pnSolidInfo pnSolid_GetInfo( const pnSolid* solid );
// Which particle each of your points became; two welded points share one. Returns the count; writes up to capacity.
PN_API int pnSolid_WritePointMap( const pnSolid* solid, int32_t* particles, int capacity );
// The arrays live as long as the solid.
typedef struct pnSkinInfo
{
	int vertexCount, triangleCount;
	const int32_t* triangles;
	const float* attributes; // attributeCount for each vertex
	int attributeCount;
	const int32_t* materials; // of each triangle
} pnSkinInfo;
PN_API pnSkinInfo pnSolid_GetSkin( const pnSolid* solid, int skin );

// ---- world ----

typedef struct pnWorldDef
{
	pnVec3 gravity; // m/s^2
	pnTaskSystem tasks;
	bool enableSleep; // bodies without pins and grabs that have been at rest for half a second, carried or not pulled, are left alone until touched
	int cookie;
} pnWorldDef;

PN_API pnWorldDef pnDefaultWorldDef( void );
PN_API pnResult pnCreateWorld( const pnWorldDef* def, pnWorld** world );
PN_API void pnDestroyWorld( pnWorld* world ); // NULL is fine
// Usually 1/60 s and 1 to 4 substeps, best the same every time: a step that varies is as stable, but costs some motion.
// Forces last for the whole step, then they are forgotten.
PN_API pnResult pnWorld_Step( pnWorld* world, float timeStep, int subStepCount );
PN_API pnResult pnWorld_SetGravity( pnWorld* world, pnVec3 gravity );
PN_API pnVec3 pnWorld_GetGravity( const pnWorld* world );

// Where the last step's time went, and what it did.
typedef struct pnProfile
{
	float step, match, points, other; // milliseconds: the whole; fitting clusters; moving points; the rest. Worker time, added up
	float broad, narrow, solve; // milliseconds: who may touch; where; pushing apart. As the clock on the wall
	int bodyCount, awakeCount, pointCount, clusterCount, membershipCount;
	int pairCount; // pairs that are near
	int candidateCount; // points near another surface
	int contactCount; // pairs that touched
	int droppedCount; // candidates given up because there was no memory
	float maxPenetration; // metres below a surface, thickness not counted
	int rareCount; // clusters that took the slow exact path: far from rest, capped by rows, or flowing
	int64_t byteCount; // held by this world and the solids in it
} pnProfile;
PN_API pnProfile pnWorld_GetProfile( const pnWorld* world );
PN_API const char* pnWorld_GetSimdName( const pnWorld* world ); // scalar, sse2, avx2, avx512, neon, simd128; PLIANT_SIMD in the environment forces one
PN_API int pnWorld_GetBodies( const pnWorld* world, pnBodyId* bodies, int capacity ); // in order of birth; returns the count

// ---- contact: what touches what. Bodies and shapes touch unless their filters say otherwise ----

// a and b touch if a.layers & b.mask and b.layers & a.mask. Mask 0: touches nothing, and queries do not see it.
typedef struct pnFilter { uint32_t layers, mask; } pnFilter;

typedef enum pnDetector
{
	pn_fieldDetector, // a field at rest names the triangle, the triangle as it lies now tells distance and direction
	pn_tetDetector, // points in tetrahedra, depth spread from the border inwards (Heidelberger et al. 2004). For solids of tetrahedra
	pn_surfaceDetector, // edges through triangles, depth by rays (Henriques and Wuensche 2011). For closed surfaces
} pnDetector;

typedef enum pnShapeKind
{
	pn_planeShape, // all that lies below y = 0 of its frame
	pn_sphereShape, // radius
	pn_capsuleShape, // radius, and halfExtents.y: half the length between the centres of its ends, along y
	pn_boxShape, // halfExtents
	pn_hullShape, // the convex hull of `points`
	pn_meshShape, // `points` and `triangles`, closed or not; outside is where the triangles turn counterclockwise
	pn_heightShape, // all that lies below `heights` over a grid in x and z, from the frame's origin on
	pn_distanceShape, // where `distance` is negative
} pnShapeKind;

// Distance to the surface of your own shape, metres, negative inside; it must not grow faster than the way (|gradient| <= 1).
// In the shape's frame. Called from several threads at once. Writes the unit direction outward. Same place, same answer.
typedef float pnDistanceFcn( pnVec3 place, pnVec3* outward, void* context );

// Something that does not bend: it pushes and carries, and is moved by nobody but you. Only what its kind needs is read.
typedef struct pnShapeDef
{
	pnShapeKind kind;
	pnTransform transform; // of its frame
	float radius; // metres
	pnVec3 halfExtents; // metres
	const pnVec3* points;
	int pointCount;
	const int32_t* triangles;
	int triangleCount;
	const float* heights; // metres, heights[z * heightCountX + x]
	int heightCountX, heightCountZ;
	float heightSpacing; // metres between neighbours
	pnDistanceFcn* distance;
	void* context;
	pnAABB bounds; // of the distance shape, in its frame
	float friction, restitution; // as in the material; of two restitutions the larger one counts
	pnFilter filter;
	uint32_t owner; // whose hand it is, see pnWorld_LetGo; 0: nobody's
	uint64_t userData;
	int cookie;
} pnShapeDef;

PN_API pnShapeDef pnDefaultShapeDef( void ); // a plane, the floor y = 0
PN_API pnResult pnCreateShape( pnWorld* world, const pnShapeDef* def, pnShapeId* shape );
PN_API pnResult pnDestroyShape( pnWorld* world, pnShapeId shape );
PN_API bool pnShape_IsValid( const pnWorld* world, pnShapeId shape );
// There at the end of the next step, evenly on the way, pushing and carrying what it meets; then it rests.
PN_API pnResult pnShape_MoveTo( pnWorld* world, pnShapeId shape, pnTransform target );
PN_API pnResult pnShape_SetTransform( pnWorld* world, pnShapeId shape, pnTransform transform ); // there at once, touching nothing on the way
typedef struct pnShapeState
{
	pnTransform transform;
	pnVec3 impulse; // N s that bodies gave to it in the last step
	pnVec3 angularImpulse; // N m s, about the origin of its frame
	uint64_t userData;
} pnShapeState;
PN_API pnResult pnShape_GetState( const pnWorld* world, pnShapeId shape, pnShapeState* state );
// What it was made of, where it lies now. Arrays in it live as long as the shape.
PN_API pnResult pnShape_GetDef( const pnWorld* world, pnShapeId shape, pnShapeDef* def );
PN_API int pnWorld_GetShapes( const pnWorld* world, pnShapeId* shapes, int capacity ); // in order of birth; returns the count

// Two that touch: body a, and body b or a shape (the other id is null). b = a: a body touches itself.
typedef struct pnTouch { pnBodyId a, b; pnShapeId shape; } pnTouch;
// What a pair did in the last step.
typedef struct pnContact
{
	pnTouch touch;
	pnVec3 position; // middle of the places that touch
	pnVec3 normal; // unit, from b or the shape towards a; zero if the pushes cancel out
	pnVec3 impulse; // N s on a
	float speed; // m/s at which they met, 0 if they were together before
	float depth; // metres, the deepest point when the step began to push: thickness counts as outside
} pnContact;
// Arrays in a fixed order; good until the world is next stepped or changed.
typedef struct pnContactEvents
{
	const pnTouch *begun, *ended; // since the step before
	const pnContact* contacts; // all that touch now
	int begunCount, endedCount, contactCount;
} pnContactEvents;
PN_API pnContactEvents pnWorld_GetContactEvents( const pnWorld* world );

// ---- queries: between steps, from as many threads as you like. Bodies and shapes whose layers are in the mask ----

typedef struct pnRayHit
{
	bool hit;
	pnBodyId body; // or
	pnShapeId shape;
	int triangle; // of skin 0; -1 on shapes and where the body has no skin 0
	int point; // the body's point nearest to the hit, your index; -1 on shapes
	pnVec3 position, normal; // unit
	float fraction; // of the translation
} pnRayHit;
PN_API pnRayHit pnWorld_CastRay( const pnWorld* world, pnVec3 origin, pnVec3 translation, uint32_t mask );
// Bodies of which some part is in the sphere, in order of birth; returns the count, writes up to capacity.
PN_API int pnWorld_OverlapSphere( const pnWorld* world, pnVec3 center, float radius, uint32_t mask, pnBodyId* bodies, int capacity );
PN_API int pnWorld_OverlapBox( const pnWorld* world, pnAABB box, uint32_t mask, pnBodyId* bodies, int capacity );
typedef struct pnClosest
{
	bool found;
	pnBodyId body; // or
	pnShapeId shape;
	int triangle, point; // as in pnRayHit
	pnVec3 position, normal; // on the surface, unit outward
	float distance; // metres, negative inside
} pnClosest;
PN_API pnClosest pnWorld_FindClosest( const pnWorld* world, pnVec3 place, float maxDistance, uint32_t mask );

// ---- body ----

typedef struct pnBodyDef
{
	const pnSolid* solid; // counted: your own reference may be given back as soon as the body exists
	pnMaterial material;
	pnTransform transform; // of the rest positions
	pnVec3 velocity, angularVelocity; // m/s, rad/s about the centre of mass
	float gravityScale;
	pnFilter filter;
	pnDetector detector; // how others find that they are inside this body
	bool selfContact; // parts of it that lie apart at rest do not go through each other
	uint64_t userData;
	int cookie;
} pnBodyDef;

PN_API pnBodyDef pnDefaultBodyDef( void );
PN_API pnResult pnCreateBody( pnWorld* world, const pnBodyDef* def, pnBodyId* body );
PN_API pnResult pnDestroyBody( pnWorld* world, pnBodyId body );
PN_API bool pnBody_IsValid( const pnWorld* world, pnBodyId body );
PN_API const pnSolid* pnBody_GetSolid( const pnWorld* world, pnBodyId body ); // NULL if there is no such body
PN_API pnResult pnBody_GetMaterial( const pnWorld* world, pnBodyId body, pnMaterial* material );
PN_API pnResult pnBody_SetMaterial( pnWorld* world, pnBodyId body, const pnMaterial* material );
PN_API uint64_t pnBody_GetUserData( const pnWorld* world, pnBodyId body );
PN_API pnResult pnBody_SetUserData( pnWorld* world, pnBodyId body, uint64_t userData );
PN_API pnResult pnBody_SetGravityScale( pnWorld* world, pnBodyId body, float scale );

// The points in your own order: positions and velocities, either may be NULL. Write returns the count.
PN_API int pnBody_WritePoints( const pnWorld* world, pnBodyId body, pnVec3* positions, pnVec3* velocities, int capacity );
PN_API pnResult pnBody_SetPoints( pnWorld* world, pnBodyId body, const pnVec3* positions, const pnVec3* velocities, int count );
// The skin where the points are now. Either output may be NULL; returns the vertex count.
PN_API int pnBody_WriteSkin( const pnWorld* world, pnBodyId body, int skin, pnVec3* positions, pnVec3* normals, int capacity );

// Forces act during the next step; impulses at once. At a point: indices are yours.
PN_API pnResult pnBody_ApplyForce( pnWorld* world, pnBodyId body, pnVec3 force ); // N, spread by mass
PN_API pnResult pnBody_ApplyForceAt( pnWorld* world, pnBodyId body, int point, pnVec3 force );
PN_API pnResult pnBody_ApplyImpulse( pnWorld* world, pnBodyId body, pnVec3 impulse ); // N s, spread by mass
PN_API pnResult pnBody_ApplyImpulseAt( pnWorld* world, pnBodyId body, int point, pnVec3 impulse );

// A pinned point goes where it is told, without lag, in a straight line over the next step. It does not drag the fit away
// from what it holds. Targets NULL: pinned where they are. Pinning a pinned point moves its target.
PN_API pnResult pnBody_Pin( pnWorld* world, pnBodyId body, const int32_t* points, const pnVec3* targets, int count );
PN_API pnResult pnBody_Unpin( pnWorld* world, pnBodyId body, const int32_t* points, int count ); // points NULL: all

PN_API pnResult pnBody_SetVelocity( pnWorld* world, pnBodyId body, pnVec3 linear, pnVec3 angular ); // a rigid motion about the centre of mass
PN_API pnResult pnBody_SetTransform( pnWorld* world, pnBodyId body, pnTransform transform ); // moves it as it is, deformed
PN_API pnResult pnBody_SetAwake( pnWorld* world, pnBodyId body, bool awake );

// What a body is doing, as a whole. Energies are the synchronised ones of the last substep: kinetic + elastic never
// rises by itself. Before the first step they are zero, and they are not kept for bare materials. In a pinned body the pull on its
// pins, which outweigh all else in the fit, counts as elastic too, and so does what contact has taken of a body while it is pressed, and may give back.
typedef struct pnBodyState
{
	float mass; // kg
	pnVec3 center; // of mass
	pnVec3 velocity; // of the centre of mass
	pnTransform transform; // best rigid fit: rest position -> here
	pnVec3 momentum, angularMomentum; // kg m/s; kg m^2/s about the centre of mass
	double kinetic, elastic; // J
	float minStretch, maxStretch; // singular values of the clusters' fitted maps, smallest and largest
	float plasticStrain; // largest of the clusters'
	float volume; // mean of the clusters' det, 1 at rest
	pnAABB bounds;
	bool awake;
} pnBodyState;
PN_API pnResult pnBody_GetState( const pnWorld* world, pnBodyId body, pnBodyState* state );

// One cluster as it lies now. map is the linear part of the fit: rest -> here, about the centre.
typedef struct pnClusterState { pnVec3 center; pnQuat rotation; pnMat3 map; float stretch; float plasticStrain; int memberCount; } pnClusterState;
PN_API int pnBody_WriteClusters( const pnWorld* world, pnBodyId body, pnClusterState* clusters, int capacity ); // returns the count
// For each of your points the cluster that holds most of it. For pictures.
PN_API int pnSolid_WriteMainClusters( const pnSolid* solid, int32_t* clusters, int capacity );

// ---- hands: take hold, push, cut. Between steps. Each is somebody's, so that one person's hands can be released together ----

// To push, make a sphere shape with an owner and move it with pnShape_MoveTo.

typedef struct pnGrabDef
{
	pnBodyId body;
	pnVec3 place; // in the world, on or in the body: what is held. The position of a pnRayHit will do
	float radius; // metres at rest: what lies around the place is held with it, less and less towards the rim; negative: a tenth of the body's size
	float hertz; // how fast the place goes to its target, if all of the body hung on it; any value is stable
	float dampingRatio;
	float maxForce; // N; 0: as much as it takes. No hand draws a body beyond three times its size: it drags it along
	uint32_t owner;
	uint64_t userData;
	int cookie;
} pnGrabDef;

PN_API pnGrabDef pnDefaultGrabDef( void );
PN_API pnResult pnCreateGrab( pnWorld* world, const pnGrabDef* def, pnGrabId* grab ); // its target is where the place is
PN_API pnResult pnDestroyGrab( pnWorld* world, pnGrabId grab ); // the body goes on as it moves
PN_API bool pnGrab_IsValid( const pnWorld* world, pnGrabId grab ); // no more if its body is gone
PN_API pnResult pnGrab_MoveTo( pnWorld* world, pnGrabId grab, pnVec3 target ); // the target is there at the end of the next step, evenly on the way
PN_API pnResult pnGrab_Lock( pnWorld* world, pnGrabId grab, bool locked ); // a locked one stays when its owner lets go
typedef struct pnGrabState
{
	pnBodyId body; // of a body that was cut: the piece that has most of what is held
	pnVec3 place, target; // where it is, where it should be
	pnVec3 force; // N on the body, mean of the last step. Feedback feels the opposite
	uint32_t owner;
	bool locked;
	bool yields; // it pulls less than it would, because the body is drawn as far as a hand draws it
	uint64_t userData;
} pnGrabState;
PN_API pnResult pnGrab_GetState( const pnWorld* world, pnGrabId grab, pnGrabState* state );
PN_API int pnWorld_GetGrabs( const pnWorld* world, pnGrabId* grabs, int capacity ); // in order of birth; returns the count
PN_API void pnWorld_LetGo( pnWorld* world, uint32_t owner ); // destroys the owner's grabs, but for locked ones, and the owner's shapes

typedef enum pnBladeKind
{
	pn_planeBlade, // through everything
	pn_quadBlade, // as far as the quad reaches
} pnBladeKind;

typedef struct pnCutDef
{
	pnBladeKind kind;
	pnVec3 point, normal; // of the plane; the normal need not be unit
	pnVec3 quad[4]; // what a blade sweeps whose edge goes from 0-1 to 3-2; taken as flat
	pnBodyId body; // only this one; null: all whose layers are in the mask
	uint32_t mask;
	int32_t inside; // material number of the triangles that close the openings
	float smallest; // a piece with less than this part of the body, as it was before its first cut, is removed
	int cookie;
} pnCutDef;

typedef struct pnCutResult
{
	int cutCount; // bodies that were opened or came apart
	int pieceCount; // that live on
	int removedCount; // too small to
	float removedMass; // kg
} pnCutResult;

PN_API pnCutDef pnDefaultCutDef( void );
// Bodies come apart into pieces that keep mass, motion, material, plastic strain, pins, grabs and skins; closed skins stay closed.
// A body that is opened but stays in one piece keeps its id. result may be NULL. Points near the blade, but not on it, count as on it
// if they are within a fiftieth of a triangle's edge: slivers do nobody good.
PN_API pnResult pnWorld_Cut( pnWorld* world, const pnCutDef* def, pnCutResult* result );

// Where a vertex of a piece was: weighted mean of vertices of the same skin before the cut, weights adding up to 1; vertices[0] = -1:
// nowhere, it is new on the inside.
typedef struct pnVertexSource { int32_t vertices[3]; float weights[3]; } pnVertexSource;
// What became of a body that was cut or torn. A body that came apart has several.
typedef struct pnPiece
{
	uint64_t serial; // rises from piece to piece
	pnBodyId from; // gone, unless it is `body`: opened, but in one piece
	pnBodyId body; // null: removed
	float mass; // kg
	pnVec3 center;
	const int32_t* pointSources; // for each point of the piece the point it was; -1: new
	const pnVertexSource* vertexSources; // for each vertex of each skin
	int pointCount, vertexCount;
} pnPiece;
typedef struct pnPieces { const pnPiece* pieces; int count; } pnPieces;
// Those since the step before the last one began: whether you look after cutting or after stepping, you see each; its serial tells if again.
PN_API pnPieces pnWorld_GetPieces( const pnWorld* world );

// ---- state ----

// The whole world as bytes, solids included: little endian, the same on every machine. NULL asks for the size; returns 0 if there is no memory.
PN_API size_t pnWorld_Snapshot( const pnWorld* world, void* image, size_t capacity );
// Checks every byte before it touches the world. Ids of bodies, shapes and grabs are those at the time of the snapshot. A distance shape takes
// its function from the shape of the same id in this world; without one the image is refused.
PN_API pnResult pnWorld_Restore( pnWorld* world, const void* image, size_t size );
PN_API uint64_t pnWorld_GetHash( const pnWorld* world ); // equal worlds, equal hash, for any worker count and machine
