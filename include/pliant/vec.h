// vec.h - vectors, quaternions, 3x3 matrices, transforms: small structs by value. Knows no physics.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

typedef struct pnVec3 { float x, y, z; } pnVec3;
typedef struct pnQuat { float x, y, z, w; } pnQuat; // w is the scalar part; a rotation has length 1
typedef struct pnMat3 { pnVec3 cx, cy, cz; } pnMat3; // columns
typedef struct pnTransform { pnVec3 p; pnQuat q; } pnTransform; // turns by q, then moves by p
typedef struct pnAABB { pnVec3 lower, upper; } pnAABB;

#ifdef __cplusplus
#define PN_LITERAL( T ) T
#else
#define PN_LITERAL( T ) (T)
#endif

static inline pnVec3 pnMakeVec3( float x, float y, float z ) { return PN_LITERAL( pnVec3 ){ x, y, z }; }
static inline pnVec3 pnAdd( pnVec3 a, pnVec3 b ) { return PN_LITERAL( pnVec3 ){ a.x + b.x, a.y + b.y, a.z + b.z }; }
static inline pnVec3 pnSub( pnVec3 a, pnVec3 b ) { return PN_LITERAL( pnVec3 ){ a.x - b.x, a.y - b.y, a.z - b.z }; }
static inline pnVec3 pnScale( float s, pnVec3 a ) { return PN_LITERAL( pnVec3 ){ s * a.x, s * a.y, s * a.z }; }
static inline pnVec3 pnMulAdd( pnVec3 a, float s, pnVec3 b ) { return PN_LITERAL( pnVec3 ){ a.x + s * b.x, a.y + s * b.y, a.z + s * b.z }; } // a + s b
static inline float pnDot( pnVec3 a, pnVec3 b ) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline pnVec3 pnCross( pnVec3 a, pnVec3 b )
{
	return PN_LITERAL( pnVec3 ){ a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x };
}
static inline pnVec3 pnMin3( pnVec3 a, pnVec3 b ) { return PN_LITERAL( pnVec3 ){ a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y, a.z < b.z ? a.z : b.z }; }
static inline pnVec3 pnMax3( pnVec3 a, pnVec3 b ) { return PN_LITERAL( pnVec3 ){ a.x > b.x ? a.x : b.x, a.y > b.y ? a.y : b.y, a.z > b.z ? a.z : b.z }; }

static inline pnQuat pnIdentityQuat( void ) { return PN_LITERAL( pnQuat ){ 0.0f, 0.0f, 0.0f, 1.0f }; }
static inline pnQuat pnMulQuat( pnQuat a, pnQuat b ) // first b, then a
{
	return PN_LITERAL( pnQuat ){
		a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
		a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
		a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
		a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
	};
}
static inline pnQuat pnConjugate( pnQuat q ) { return PN_LITERAL( pnQuat ){ -q.x, -q.y, -q.z, q.w }; }
static inline pnVec3 pnRotate( pnQuat q, pnVec3 a )
{
	pnVec3 u = { q.x, q.y, q.z };
	pnVec3 t = pnScale( 2.0f, pnCross( u, a ) );
	return pnAdd( pnMulAdd( a, q.w, t ), pnCross( u, t ) );
}
static inline pnVec3 pnMulMV( pnMat3 m, pnVec3 a )
{
	return PN_LITERAL( pnVec3 ){
		m.cx.x * a.x + m.cy.x * a.y + m.cz.x * a.z,
		m.cx.y * a.x + m.cy.y * a.y + m.cz.y * a.z,
		m.cx.z * a.x + m.cy.z * a.y + m.cz.z * a.z,
	};
}

static inline pnTransform pnIdentityTransform( void ) { return PN_LITERAL( pnTransform ){ { 0.0f, 0.0f, 0.0f }, { 0.0f, 0.0f, 0.0f, 1.0f } }; }
static inline pnVec3 pnTransformPoint( pnTransform t, pnVec3 a ) { return pnAdd( t.p, pnRotate( t.q, a ) ); }
