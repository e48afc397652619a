// row.h - one contact of a substep: made ready once, solved on velocities, then places follow. The one response of all detectors and shapes.
// Knows colliders.
//
// A push J on a place reaches the particles that carry it with a part, and the body as a whole with the rest (pnCollider.local): a stiff body passes
// on within a substep what a soft one passes on by its deformation. What the whole gains is kept beside the particles until all is pushed.
#pragma once

#include "contact.h"
#include "near.h"

// The two that a row is between.
typedef struct pnSides
{
	pnCollider *of, *at; // who has the point, who the surface; at NULL: a shape
	float perMassOf, perMassAt; // 1/kg; 0: it does not give way
	float friction;
	bool hardens; // places that are pressed in pass on what presses them
} pnSides;

static inline pnSides pnSidesOf( const pnContacts* c, const pnPair* pair, int side ) // 0: points of b at a; 1: of a at b
{
	pnCollider *a = c->colliders.at + pair->a, *b = c->colliders.at + pair->b;
	return side == 0 ? (pnSides){ b, a, pair->perMassB, pair->perMassA, pair->friction, true } : (pnSides){ a, b, pair->perMassA, pair->perMassB, pair->friction, true };
}

// What a detector says of a contact.
typedef struct pnFinding
{
	pnF4 place; // of the point
	pnF4 foot; // on the surface; bodies only
	pnF4 normal; // unit, the way the point is pushed
	pnF4 ground; // velocity of the shape there, m/s; shapes only
	float gap; // metres
} pnFinding;

static const float pn_recovery = 10.0f; // 1/s: how fast depth that was there before goes. More makes heaps tremble
static const float pn_fastestRecovery = 0.3f; // body sizes per second
static const float pn_fastestParting = 2.0f; // body sizes per second, along a pair's way out: bodies move as wholes, and are not strained by it
static const float pn_leastWhole = 0.5f; // part of that by which bodies move as wholes, so that it does not strain them

PN_INLINE_CONTACT pnF4 pnTimes4( const float columns[3][4], pnF4 a ) // fourths of the columns are 0
{
	return pnLoad4( columns[0] ) * pnSplat4( a[0] ) + pnLoad4( columns[1] ) * pnSplat4( a[1] ) + pnLoad4( columns[2] ) * pnSplat4( a[2] );
}

PN_INLINE_CONTACT void pnAddRowTo( float row[4], pnF4 add )
{
	pnF4 sum = pnRow4( row, 0 ) + add;
	memcpy( row, &sum, 16 );
}

PN_INLINE_CONTACT pnF4 pnThree( pnF4 a ) { return (pnF4)( (pnI4)a & (pnI4){ -1, -1, -1, 0 } ); }

// How some particles answer to a push, 1/kg: as they are; and if none of them was pinned.
typedef struct pnAnswer { float give, free; } pnAnswer;

// Velocity of some particles by weight, without what the whole has gained.
PN_INLINE_CONTACT pnF4 pnAskParticles( const pnCollider* c, const int32_t* at, const float* weights, int count, float perMass, pnAnswer* answer )
{
	pnF4 speed = pnSplat4( 0.0f );
	float sum = 0.0f, pinned = 0.0f;
	for ( int i = 0; i < count; ++i )
	{
		pnF4 row = pnLoad4( c->v + 4 * (size_t)at[i] );
		sum += weights[i] * weights[i] * row[3];
		pinned += c->held && !( row[3] > 0.0f ) ? weights[i] * weights[i] / c->x[4 * (size_t)at[i] + 3] : 0.0f;
		speed += pnThree( row ) * pnSplat4( weights[i] );
	}
	answer->give = sum * perMass;
	answer->free = ( sum + pinned ) * perMass;
	return speed;
}

// Where pins meet pins, the little that is free beside them must not do it all: it would be flung.
static const float pn_leastGive = 0.5f; // of what a side would give without its pins; one of the two must

PN_INLINE_CONTACT bool pnCanGive( pnAnswer of, pnAnswer at ) { return of.give > pn_leastGive * of.free || at.give > pn_leastGive * at.free; }

// How the whole answers to a push on `arm`: along n; and across it, at most.
PN_INLINE_CONTACT float pnAskWhole( const pnCollider* c, float perMass, pnF4 arm, pnF4 n, float* across )
{
	pnF4 lever = pnCross4( arm, n );
	float turning = c->perInertia[0][0] + c->perInertia[1][1] + c->perInertia[2][2];
	*across = perMass * ( c->perMass + turning * pnDot4( arm, arm ) );
	return perMass * ( c->perMass + pnDot4( lever, pnTimes4( c->perInertia, lever ) ) );
}

// How far some particles are pressed in, by weight: squared, in parts of a soft dent.
PN_INLINE_CONTACT float pnAskDent( const pnCollider* c, const int32_t* at, const float* weights, int count )
{
	const pnSurface* s = c->surface;
	float dent2 = 0.0f;
	for ( int i = 0; i < count; ++i )
	{
		unsigned mask = s->vertexMask[at[i] / 4], bit = 1u << at[i] % 4; // what is inside has no dent
		dent2 += ( mask & bit ) != 0 ? weights[i] * (float)c->dents[s->vertexRank[at[i] / 4] + __builtin_popcount( mask & ( bit - 1 ) )] : 0.0f;
	}
	return dent2 * ( 1.0f / PN_DENT_PARTS );
}

// The part of a push that its particles get: d from its goal, a place is 1 + ( d / soft )^2 times as hard as at rest, a spring of the potential
// w^2 ( d^2 / 2 + d^4 / ( 4 soft^2 ) ); the rest acts on the whole.
PN_INLINE_CONTACT float pnFindShare( const pnCollider* c, const int32_t* at, const float* weights, int count, bool hardens )
{
	float share = hardens ? c->local / ( 1.0f + pnAskDent( c, at, weights, count ) ) : c->local;
	return share > c->leastLocal ? share : c->leastLocal;
}

#define PN_UNWEIGHED -1.0f // kg: of a row that pushes nothing yet, found when it does

// Nearly all rows are of one particle at three, or at a shape: loops over these are unrolled.
#define PN_BY_KIND( row, call )                                                                                               \
	do                                                                                                                        \
	{                                                                                                                         \
		if ( ( row )->pointCount == 1 && ( row )->partCount == 3 )                                                            \
		{                                                                                                                     \
			const int points = 1, parts = 3;                                                                                  \
			call;                                                                                                             \
		}                                                                                                                     \
		else if ( ( row )->pointCount == 1 && ( row )->partCount == 0 )                                                       \
		{                                                                                                                     \
			const int points = 1, parts = 0;                                                                                  \
			call;                                                                                                             \
		}                                                                                                                     \
		else                                                                                                                  \
		{                                                                                                                     \
			const int points = ( row )->pointCount, parts = ( row )->partCount;                                               \
			call;                                                                                                             \
		}                                                                                                                     \
	}                                                                                                                         \
	while ( 0 )

// What the two sides come to where they meet: mass along the normal and across it.
PN_INLINE_CONTACT void pnWeighKind( pnRow* row, const int points, const int parts, const pnSides* s )
{
	const pnCollider *of = s->of, *at = s->at;
	pnF4 n = pnRow4( row->normal, 0 );
	float across, along, mass, massAcross;
	pnAnswer answer = { 0 }, other = { 0 };
	pnAskParticles( of, row->at, row->weights, points, s->perMassOf, &answer );
	row->localOf = pnFindShare( of, row->at, row->weights, points, s->hardens );
	mass = massAcross = row->localOf * answer.give;
	if ( row->localOf < 1.0f )
	{
		along = pnAskWhole( of, s->perMassOf, pnRow4( row->armOf, 0 ), n, &across );
		mass += ( 1.0f - row->localOf ) * along;
		massAcross += ( 1.0f - row->localOf ) * across;
	}
	if ( at != NULL )
	{
		pnAskParticles( at, row->at + 2, row->weights + 2, parts, s->perMassAt, &other );
		row->localAt = pnFindShare( at, row->at + 2, row->weights + 2, parts, s->hardens );
		mass += row->localAt * other.give;
		massAcross += row->localAt * other.give;
		if ( row->localAt < 1.0f )
		{
			along = pnAskWhole( at, s->perMassAt, pnRow4( row->armAt, 0 ), n, &across );
			mass += ( 1.0f - row->localAt ) * along;
			massAcross += ( 1.0f - row->localAt ) * across;
		}
	}
	bool gives = pnCanGive( answer, other );
	row->armOf[3] = gives && mass > 1e-30f ? 1.0f / mass : 0.0f;
	row->armAt[3] = gives && massAcross > 1e-30f ? 1.0f / massAcross : 0.0f;
}

static inline void pnWeighRow( pnRow* row, const pnSides* s ) { PN_BY_KIND( row, pnWeighKind( row, points, parts, s ) ); }

// Velocities of four places by the particles that carry them, without what the whole has gained.
PN_INLINE_CONTACT pnFour3 pnAskSpeeds( const float* const v[4], pnRow* const rows[4], int first, int count )
{
	pnF4 zero = pnSplat4( 0.0f );
	pnFour3 speed = { zero, zero, zero };
	for ( int i = first; i < first + count; ++i )
	{
		const float* const at[4] = { v[0] + 4 * (size_t)rows[0]->at[i], v[1] + 4 * (size_t)rows[1]->at[i], v[2] + 4 * (size_t)rows[2]->at[i], v[3] + 4 * (size_t)rows[3]->at[i] };
		pnF4 weights = { rows[0]->weights[i], rows[1]->weights[i], rows[2]->weights[i], rows[3]->weights[i] };
		speed = pnAdd43( speed, pnMul43( pnLoad43( at ), weights ) );
	}
	return speed;
}

// Where four places were before their bodies' drift, from the pivots.
PN_INLINE_CONTACT pnFour3 pnFindArms( const pnCollider* const bodies[4], pnFour3 place, pnFour3 speed )
{
	pnF4 drift = { bodies[0]->drift, bodies[1]->drift, bodies[2]->drift, bodies[3]->drift };
	return pnSub43( pnSub43( place, pnMul43( speed, drift ) ), pnLoad43( ( const float* const[4] ){ bodies[0]->pivot, bodies[1]->pivot, bodies[2]->pivot, bodies[3]->pivot } ) );
}

// Where a push acts on two wholes. Each at its own place, as particles are pushed, would make spin from nothing wherever these lie apart: by friction over the gap, and by any push
// where the one has slid along the other in the drift. It is taken out again after the sweeps (solve.c), which is right for a hit; but a body that is held between others by many times its
// weight would be set spinning by it, and with each substep more. So wholes are pushed half way over the gap; and the one with the surface where it faced the other before the
// drift, as far as what has slid is little.
static const float pn_shortWay = 0.05f; // of the thinnest side: so far it may slide in a substep

PN_INLINE_CONTACT float pnShortWay2( const pnRow* row, const pnSides* s )
{
	float thinnest = s->of->surface->thinnest < s->at->surface->thinnest ? s->of->surface->thinnest : s->at->surface->thinnest;
	return row->outward ? 1e30f : pn_shortWay * pn_shortWay * thinnest * thinnest; // on the pair's way out a point has no face of its own, and may lie anywhere beside the way
}

// From the place at which the one is pushed to that of the other, before the drift. local: the parts of the push that particles get.
PN_INLINE_CONTACT pnF4 pnExchangedOver( const pnRow* row, const pnSides* s, float localOf, float localAt )
{
	pnF4 gap = pnRow4( row->normal, 0 ) * pnSplat4( row->apart[3] - row->place[3] ), slid = pnRow4( row->apart, 0 ) - gap;
	float short2 = pnShortWay2( row, s ), faces = short2 / ( short2 + pnDot4( slid, slid ) );
	return gap * pnSplat4( 0.5f * ( localOf + localAt ) ) + slid * pnSplat4( 1.0f - faces + localAt * faces );
}

// Four rows side by side, of whichever sides; one may stand in several lanes. row->at, weights and counts are there, the same partCount for all, and at[1] with its
// weight also where a point is one particle. Either all are at bodies or all at shapes. They are not weighed yet.
static inline void pnReadyRows( pnRow* const rows[4], const pnSides* const sides[4], const pnFinding* const found[4], float h )
{
	const pnCollider *of[4], *at[4];
	const float *ofV[4], *atV[4];
	int points = 1;
	bool bodies = sides[0]->at != NULL;
	for ( int lane = 0; lane < 4; ++lane )
	{
		of[lane] = sides[lane]->of, at[lane] = bodies ? sides[lane]->at : of[lane];
		ofV[lane] = of[lane]->v, atV[lane] = at[lane]->v;
		points = rows[lane]->pointCount > points ? rows[lane]->pointCount : points;
	}
	pnF4 zero = pnSplat4( 0.0f ), gap = { found[0]->gap, found[1]->gap, found[2]->gap, found[3]->gap }, step = pnSplat4( h ), unweighed = pnSplat4( PN_UNWEIGHED ), out[6][4];
	pnFour3 n = pnLanes43( found[0]->normal, found[1]->normal, found[2]->normal, found[3]->normal ), place = pnLanes43( found[0]->place, found[1]->place, found[2]->place, found[3]->place );
	pnFour3 speedOf = pnAskSpeeds( ofV, rows, 0, points ), ground = { zero, zero, zero }, speedAt, armOf = pnFindArms( of, place, speedOf ), armAt = ground, off = place, apart = place;
	if ( bodies )
	{
		pnFour3 foot = pnLanes43( found[0]->foot, found[1]->foot, found[2]->foot, found[3]->foot );
		off = pnSub43( place, foot );
		speedAt = pnAskSpeeds( atV, rows, 2, rows[0]->partCount );
		apart = pnSub43( off, pnMul43( pnSub43( speedOf, speedAt ), step ) );
		pnFour3 half = pnMul43( n, pnDot43( n, off ) * pnSplat4( 0.5f ) ), slid = pnSub43( apart, pnAdd43( half, half ) );
		pnF4 square = pnDot43( slid, slid ), short2 = { pnShortWay2( rows[0], sides[0] ), pnShortWay2( rows[1], sides[1] ), pnShortWay2( rows[2], sides[2] ), pnShortWay2( rows[3], sides[3] ) };
		armOf = pnSub43( armOf, half );
		armAt = pnAdd43( pnFindArms( at, foot, speedAt ), pnAdd43( half, pnMul43( slid, short2 / ( short2 + square ) ) ) );
	}
	else
	{
		speedAt = ground = pnLanes43( found[0]->ground, found[1]->ground, found[2]->ground, found[3]->ground );
	}
	pnF4 closing = pnDot43( n, pnSub43( speedOf, speedAt ) );
	pnRows43( n, gap - step * closing, out[0] );
	pnRows43( armOf, unweighed, out[1] );
	pnRows43( armAt, unweighed, out[2] );
	pnRows43( apart, pnDot43( n, off ) - gap, out[3] );
	pnRows43( ground, -closing, out[4] );
	pnRows43( place, -gap, out[5] );
	for ( int lane = 0; lane < 4; ++lane )
	{
		pnRow* row = rows[lane];
		memcpy( row->normal, &out[0][lane], 16 );
		memcpy( row->armOf, &out[1][lane], 16 );
		memcpy( row->armAt, &out[2][lane], 16 );
		memcpy( row->apart, &out[3][lane], 16 );
		memcpy( row->ground, &out[4][lane], 16 );
		memcpy( row->place, &out[5][lane], 16 );
	}
}

// What pushes from the start is weighed at once, what is near when it does.
PN_INLINE_CONTACT void pnWeighSoon( pnRow* row, const pnSides* s )
{
	if ( row->push[3] > 0.0f || row->place[3] > 0.0f )
	{
		pnWeighRow( row, s );
	}
}

static inline void pnReadyRow( pnRow* row, const pnSides* s, const pnFinding* found, float h )
{
	pnReadyRows( ( pnRow* const[4] ){ row, row, row, row }, ( const pnSides* const[4] ){ s, s, s, s }, ( const pnFinding* const[4] ){ found, found, found, found }, h );
	pnWeighSoon( row, s );
}

// A row whose own surface does not know the way out takes another one; what it was pushed with before is void.
static inline void pnTurnRow( pnRow* row, const pnSides* s, pnF4 out, float h )
{
	pnFinding found = { .place = pnRow4( row->place, 0 ), .foot = pnSplat4( 0.0f ), .normal = out, .ground = pnSplat4( 0.0f ), .gap = -row->place[3] };
	float begin = row->normal[3];
	for ( int k = 2; k < 2 + row->partCount; ++k )
	{
		found.foot += pnRow4( s->at->x, row->at[k] ) * pnSplat4( row->weights[k] );
	}
	row->outward = 1;
	pnReadyRow( row, s, &found, h );
	row->normal[3] = begin < 0.0f ? begin : 0.0f; // depth is told by its own surface
	row->apart[3] = pnDot4( out, found.place - found.foot ) + row->place[3];
	memset( row->push, 0, sizeof row->push );
}

// rows: velocities or places; v: velocities, with 1/m.
PN_INLINE_CONTACT void pnPushParticles( float* rows, const float* v, const int32_t* at, const float* weights, const int count, float part, pnF4 push )
{
	for ( int i = 0; i < count; ++i )
	{
		pnF4 own = pnLoad4( v + 4 * (size_t)at[i] ), mass = __builtin_shufflevector( own, own, 3, 3, 3, 3 ); // per mass
		pnAddRow4( rows, at[i], push * ( pnSplat4( part * weights[i] ) * mass ) );
	}
}

// One body of a pair while its rows are solved: what each row reads and writes of it, in registers.
typedef struct pnSolved
{
	float* v;
	float perMass, free; // 1/kg, 0 if it does not give way; 1, 0 if pins hold the whole
	pnF4 velocity, turn; // what the whole has gained so far
	pnF4 perInertia[3]; // columns
} pnSolved;

PN_INLINE_CONTACT pnSolved pnBeginSolved( const pnCollider* c, float perMass )
{
	return (pnSolved){ c->v, perMass, c->perMass, pnRow4( c->velocity, 0 ), pnRow4( c->turn, 0 ),
					   { pnLoad4( c->perInertia[0] ), pnLoad4( c->perInertia[1] ), pnLoad4( c->perInertia[2] ) } };
}

PN_INLINE_CONTACT void pnEndSolved( const pnSolved* b, pnCollider* c )
{
	memcpy( c->velocity, &b->velocity, sizeof b->velocity );
	memcpy( c->turn, &b->turn, sizeof b->turn );
}

// Velocities answer to a push, N s, whose fourth is 0. local: the part of it that particles get.
PN_INLINE_CONTACT void pnGiveTo( pnSolved* b, const int32_t* at, const float* weights, const int count, float local, pnF4 arm, pnF4 push )
{
	pnPushParticles( b->v, b->v, at, weights, count, local * b->perMass, push );
	if ( local < 1.0f )
	{
		float whole = ( 1.0f - local ) * b->perMass;
		pnF4 lever = pnCross4( arm, push );
		b->velocity += push * pnSplat4( whole * b->free );
		b->turn += ( b->perInertia[0] * pnSplat4( lever[0] ) + b->perInertia[1] * pnSplat4( lever[1] ) + b->perInertia[2] * pnSplat4( lever[2] ) ) * pnSplat4( whole );
	}
}

// at NULL: a shape, which does not give way. A body against itself is both.
PN_INLINE_CONTACT void pnGive( const pnRow* row, const int points, const int parts, pnSolved* of, pnSolved* at, pnF4 push )
{
	pnGiveTo( of, row->at, row->weights, points, row->localOf, pnLoad4( row->armOf ), push );
	if ( at != NULL )
	{
		pnGiveTo( at, row->at + 2, row->weights + 2, parts, row->localAt, pnLoad4( row->armAt ), -push );
	}
}

PN_INLINE_CONTACT pnF4 pnSpeedIn( const pnSolved* b, const int32_t* at, const float* weights, const int count, pnF4 arm )
{
	pnF4 speed = b->velocity + pnCross4( b->turn, arm );
	for ( int i = 0; i < count; ++i )
	{
		speed += pnLoad4( b->v + 4 * (size_t)at[i] ) * pnSplat4( weights[i] );
	}
	return speed; // its fourth means nothing
}

// What it was pushed with before, as far as it points the same way.
PN_INLINE_CONTACT void pnWarmRow( pnRow* row, const int points, const int parts, pnSolved* of, pnSolved* at )
{
	if ( !( row->push[3] > 0.0f && row->armOf[3] > 0.0f ) )
	{
		memset( row->push, 0, sizeof row->push );
		return;
	}
	pnF4 n = pnLoad4( row->normal ), across = pnLoad4( row->push ), push;
	float along = across[3];
	across -= n * pnSplat4( pnDot4( n, across ) );
	push = pnThree( across + n * pnSplat4( along ) );
	across[3] = along;
	memcpy( row->push, &across, sizeof across );
	pnGive( row, points, parts, of, at, push );
}

// The push that stops them where they meet, and what slides as far as friction goes; all pushes of the substep so far count together.
PN_INLINE_CONTACT void pnSweepRow( pnRow* row, const int points, const int parts, const pnSides* s, pnSolved* of, pnSolved* at, float perH )
{
	pnF4 n = pnLoad4( row->normal );
	float gap = n[3] > 0.0f ? n[3] : 0.0f;
	pnF4 u = pnSpeedIn( of, row->at, row->weights, points, pnLoad4( row->armOf ) );
	u -= at != NULL ? pnSpeedIn( at, row->at + 2, row->weights + 2, parts, pnLoad4( row->armAt ) ) : pnLoad4( row->ground );
	float closing = pnDot4( n, u ), old = row->push[3], lacks = closing + gap * perH;
	if ( old == 0.0f && !( lacks < 0.0f ) )
	{
		return; // near, and not pushed: most rows
	}
	if ( row->armOf[3] == PN_UNWEIGHED )
	{
		pnWeighRow( row, s );
	}
	float along = old - row->armOf[3] * lacks;
	along = along > 0.0f ? along : 0.0f;
	pnF4 before = pnLoad4( row->push ), across = before - ( u - n * pnSplat4( closing ) ) * pnSplat4( row->armAt[3] );
	float most = s->friction * along, length2 = pnDot4( across, across );
	if ( length2 > most * most )
	{
		across *= pnSplat4( most / __builtin_sqrtf( length2 ) );
	}
	pnF4 change = pnThree( n * pnSplat4( along - old ) + ( across - before ) ), push = across;
	push[3] = along;
	memcpy( row->push, &push, 16 );
	pnGive( row, points, parts, of, at, change );
}

// What the rows of one side of a pair come to.
typedef struct pnPushSums
{
	pnF4 momentum, shifted, spin, torque, places, normals; // N s; kg m; N m s; about the shape's origin; weighted with depth, fourth of places: the weight
	float deepest, fastest; // metres before this substep; m/s
} pnPushSums;

// Places follow velocities.
PN_INLINE_CONTACT void pnCloseRow( const pnRow* row, const int points, const int parts, const pnSides* s, float h, pnPushSums* sums )
{
	pnF4 n = pnRow4( row->normal, 0 ), push = pnRow4( row->push, 0 ) + n * pnSplat4( row->push[3] ), place = pnRow4( row->place, 0 );
	float depth = row->place[3], old = -row->normal[3];
	if ( depth > 0.0f )
	{
		pnF4 heavy = place * pnSplat4( depth );
		heavy[3] = depth;
		sums->places += heavy;
		sums->normals += n * pnSplat4( depth );
		old = old < depth ? old : depth;
		sums->deepest = old > sums->deepest ? old : sums->deepest;
		sums->fastest = row->ground[3] > sums->fastest ? row->ground[3] : sums->fastest;
	}
	if ( !( row->push[3] > 0.0f ) )
	{
		return;
	}
	pnF4 way = push * pnSplat4( h );
	pnPushParticles( s->of->x, s->of->v, row->at, row->weights, points, row->localOf * s->perMassOf, way );
	sums->momentum += push;
	if ( s->at != NULL )
	{
		pnPushParticles( s->at->x, s->at->v, row->at + 2, row->weights + 2, parts, row->localAt * s->perMassAt, -way );
		sums->spin += pnCross4( pnExchangedOver( row, s, row->localOf, row->localAt ), push );
	}
	else
	{
		sums->torque += pnCross4( place, push );
	}
}

PN_INLINE_CONTACT pnF4 pnSpeedOf( const pnCollider* c, const int32_t* at, const float* weights, int count, pnF4 arm )
{
	pnF4 speed = pnRow4( c->velocity, 0 ) + pnCross4( pnRow4( c->turn, 0 ), arm );
	for ( int i = 0; i < count; ++i )
	{
		speed += pnRow4( c->v, at[i] ) * pnSplat4( weights[i] );
	}
	return speed;
}

// Where some particles are by weight, with the way of the whole that they have not gone along yet.
PN_INLINE_CONTACT pnF4 pnPlaceOf( const pnCollider* c, const int32_t* at, const float* weights, int count, pnF4 arm )
{
	pnF4 h = pnSplat4( c->drift ), move = pnRow4( c->move, 0 ) + pnRow4( c->velocity, 0 ) * h, twist = pnRow4( c->twist, 0 ) + pnRow4( c->turn, 0 ) * h;
	pnF4 place = move + pnCross4( twist, arm );
	for ( int i = 0; i < count; ++i )
	{
		place += pnRow4( c->x, at[i] ) * pnSplat4( weights[i] );
	}
	return pnThree( place );
}

// How far a shove moves it along n, per kg m: particles by `part`, the whole by the rest.
PN_INLINE_CONTACT float pnAskShove( const pnCollider* c, const int32_t* at, const float* weights, int count, pnF4 arm, pnF4 n, float perMass, float part, pnAnswer* answer )
{
	float across, whole = pnAskWhole( c, perMass, arm, n, &across );
	pnAskParticles( c, at, weights, count, perMass, answer );
	return part * answer->give + ( 1.0f - part ) * whole;
}

PN_INLINE_CONTACT void pnShove( pnCollider* c, const int32_t* at, const float* weights, int count, pnF4 arm, float perMass, float part, pnF4 push )
{
	float whole = ( 1.0f - part ) * perMass;
	pnPushParticles( c->x, c->v, at, weights, count, part * perMass, push );
	pnAddRowTo( c->move, push * pnSplat4( whole * c->perMass ) );
	pnAddRowTo( c->twist, pnTimes4( c->perInertia, pnCross4( arm, push ) ) * pnSplat4( whole ) );
}

// Velocity of the centre, all pushes so far included.
PN_INLINE_CONTACT pnF4 pnMeanOf( const pnCollider* c )
{
	return (pnF4){ c->mean[0] + (float)c->gain[0], c->mean[1] + (float)c->gain[1], c->mean[2] + (float)c->gain[2], 0.0f };
}

PN_INLINE_CONTACT float pnShovePart( const pnCollider* c, const pnRow* row )
{
	float most = row->outward ? 0.0f : c->perMass > 0.0f ? 1.0f - pn_leastWhole : 1.0f;
	return c->local < most ? c->local : most;
}

// Depth that was there before the substep goes little by little, without velocity. slop: what may stay; part: of the rest, in this
// substep; sizeWay: h body sizes.
PN_INLINE_CONTACT void pnShoveRow( const pnRow* row, const pnSides* s, float slop, float part, float sizeWay, pnPushSums* sums )
{
	float most = ( row->outward ? pn_fastestParting : pn_fastestRecovery ) * sizeWay, old = -row->normal[3] - slop;
	if ( !( old > 0.0f ) && s->at != NULL )
	{
		return;
	}
	pnF4 n = pnRow4( row->normal, 0 ), armOf = pnRow4( row->armOf, 0 ), armAt = pnRow4( row->armAt, 0 );
	pnF4 place = pnPlaceOf( s->of, row->at, row->weights, row->pointCount, armOf );
	place -= s->at != NULL ? pnPlaceOf( s->at, row->at + 2, row->weights + 2, row->partCount, armAt ) : pnSplat4( 0.0f );
	float depth = row->apart[3] - pnDot4( n, place ) - slop, kept = old * part;
	kept = kept < most ? kept : most;
	// Shapes come last: what other bodies have shoved into one in this substep comes out again.
	float undone = s->at == NULL ? depth - ( old > 0.0f ? old : 0.0f ) : 0.0f;
	undone = undone < pn_fastestParting * sizeWay ? undone : pn_fastestParting * sizeWay;
	kept = kept > undone ? kept : undone;
	kept = kept < depth ? kept : depth;
	float partOf = pnShovePart( s->of, row ), partAt = s->at != NULL ? pnShovePart( s->at, row ) : 0.0f;
	pnAnswer answer = { 0 }, other = { 0 };
	float give = pnAskShove( s->of, row->at, row->weights, row->pointCount, armOf, n, s->perMassOf, partOf, &answer );
	give += s->at != NULL ? pnAskShove( s->at, row->at + 2, row->weights + 2, row->partCount, armAt, n, s->perMassAt, partAt, &other ) : 0.0f;
	if ( !( kept > 0.0f ) || !( give > 1e-30f ) || !pnCanGive( answer, other ) )
	{
		return;
	}
	pnF4 push = n * pnSplat4( kept / give );
	sums->shifted += push;
	s->of->shoved = true;
	pnShove( s->of, row->at, row->weights, row->pointCount, armOf, s->perMassOf, partOf, push );
	if ( s->at != NULL )
	{
		s->at->shoved = true;
		pnShove( s->at, row->at + 2, row->weights + 2, row->partCount, armAt, s->perMassAt, partAt, -push );
		// Moving without velocity turns nothing, but it moves what moves. What it does to a body's own spin as a whole is found when it is given to it.
		pnF4 meanOf = pnMeanOf( s->of ), meanAt = pnMeanOf( s->at );
		pnF4 ownOf = pnSpeedOf( s->of, row->at, row->weights, row->pointCount, armOf ) - meanOf;
		pnF4 ownAt = pnSpeedOf( s->at, row->at + 2, row->weights + 2, row->partCount, armAt ) - meanAt;
		sums->spin += pnCross4( push, pnThree( ( meanOf - meanAt ) + ( ownOf * pnSplat4( partOf ) - ownAt * pnSplat4( partAt ) ) ) );
	}
}
