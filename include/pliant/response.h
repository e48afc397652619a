// response.h - a solid that answers at once: how every vertex moves and what each handle feels, computed beforehand.
// Linear and static. Knows no solver, no world; needs base.h and vec.h only, so that it runs where the solver does not.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

#include "pliant/base.h"
#include "pliant/vec.h"

typedef struct pnResponse pnResponse; // immutable but for the set of held handles; used by one thread at a time

// A handle is a patch of the surface that is moved or pushed as a whole. Its degrees of freedom are the mean displacement of
// the patch along x, y, z; degree 3 h + a is axis a of handle h.
typedef struct pnResponseDef
{
	int handleCount; // 1 to 10,000
	int vertexCount; // 1 or more
	int triangleCount; // may be 0; for whoever shows it
	const pnVec3* handles; // where each handle is at rest, m
	const pnVec3* vertices; // at rest, m
	const int32_t* triangles; // three vertices each
	const pnVec3* preload; // displacement of each vertex with no force on any handle, m; NULL: none
	const pnVec3* handlePreload; // the same of each handle; NULL: none
	const double* compliance; // (3 handleCount)^2, symmetric, positive definite: m of displacement per N. Its symmetric part is used
	const float* motion; // m per N: vertex v, axis b moves by motion[( 3 h + a ) * 3 vertexCount + 3 v + b] under 1 N at degree 3 h + a
	int cookie;
} pnResponseDef;
PN_API pnResponseDef pnDefaultResponseDef( void );

// Copies all it is given. pn_invalidInput: a number that is not finite, a compliance that is not symmetric to single precision, or not
// positive definite: with all others held still, every degree must keep more than 1e-12 of its compliance.
PN_API pnResult pnCreateResponse( const pnResponseDef* def, pnResponse** response );
PN_API void pnDestroyResponse( pnResponse* response );

// The response as bytes (little endian, the same on every machine), and back, with none held. Returns the size; writes nothing if capacity
// is smaller.
PN_API size_t pnResponse_Bake( const pnResponse* response, void* buffer, size_t capacity );
PN_API pnResult pnLoadResponse( const void* bytes, size_t size, pnResponse** response ); // pn_badImage: not ours, cut short, altered

PN_API int pnResponse_GetHandleCount( const pnResponse* response );
PN_API int pnResponse_GetVertexCount( const pnResponse* response );
PN_API int pnResponse_GetTriangleCount( const pnResponse* response );
PN_API const pnVec3* pnResponse_GetHandles( const pnResponse* response ); // at rest; lives as long as the response
PN_API const pnVec3* pnResponse_GetVertices( const pnResponse* response );
PN_API const int32_t* pnResponse_GetTriangles( const pnResponse* response );

// Which handles are held from now on; the others are free (or pushed). held[h] nonzero: held; NULL: none, as at first. Costs an inversion
// (some 0.02 ms for 16 held handles, 4 ms for 100); allocates nothing.
PN_API void pnResponse_Hold( pnResponse* response, const uint8_t* held );

// Held handles stand at `displacements` (m from where they are at rest, one per handle, those of free ones are not read; NULL: all 0), free
// ones carry the force `pushes` (N, one per handle, those of held ones are not read; NULL: none). forces (N, one per handle, may be
// `pushes`): what must be applied to each handle for that. Haptic rate; allocates nothing. A number that is not finite counts as 0.
PN_API void pnResponse_Solve( const pnResponse* response, const pnVec3* displacements, const pnVec3* pushes, pnVec3* forces );
// Where the vertices are under these forces (N, one per handle; NULL: none), m: rest + preload + motion. Handles with no force cost nothing.
PN_API void pnResponse_Move( const pnResponse* response, const pnVec3* forces, pnVec3* vertices );
