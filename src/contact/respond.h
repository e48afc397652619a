// respond.h - one contact, pushed apart: position and velocity together, so that x' - x = h v stays true; depth that was there before is
// made up for by moving only, a part each substep. The one response of all detectors and shapes. Knows colliders.
#pragma once

#include "contact.h"
#include "near.h"

// A contact as the response sees it, whoever found it.
typedef struct pnPush
{
	int32_t points[2], pointCount; // particles of the body that is outside, and their weights
	float pointWeights[2];
	int32_t parts[4]; // particles of the other one's surface
	float partWeights[4];
	pnF4 place; // of the point
	pnF4 normal; // unit, the way the point is pushed
	pnF4 arm; // from the place on the surface to the point; bodies only
	float gap; // metres, < 0: how far it is to be pushed
	pnF4 carried; // metres the ground under it has moved in this substep; shapes only
} pnPush;

// What the contacts of one pair have in common, and what they come to.
typedef struct pnPushing
{
	float h, perH;
	float friction;
	float perMassOf, perMassAt; // 1/kg; 0: it does not give way
	float slop; // metres of depth that may stay: what rests is left in peace
	pnF4 momentum; // N s given to the points
	pnF4 shifted; // kg m, moved without velocity
	pnF4 spin; // N m s that comes of pushing where things are now instead of where they were
	pnF4 torque; // N m s about `origin`; shapes only
	pnF4 origin;
	pnF4 places, normals; // weighted with depth; fourth of places: the weight
	float deepest, fastest; // metres before this substep; metres by which they met in it
} pnPushing;

static const float pn_recovery = 0.3f; // of old depth, each substep: more makes piles tremble (measured on piles of ellipsoids)

PN_INLINE_CONTACT void pnAddTo( float sum[3], pnF4 add )
{
	sum[0] += add[0], sum[1] += add[1], sum[2] += add[2];
}

// Velocity of a particle times `weight`; give: how far it moves by a push of 1 kg m on the point, times its weight.
PN_INLINE_CONTACT pnF4 pnAsk( const pnCollider* c, int particle, float perMass, float weight, float* give )
{
	pnF4 row;
	memcpy( &row, c->v + 4 * (size_t)particle, 16 );
	*give = ( row[3] * perMass ) * ( weight * c->local );
	return (pnF4)( (pnI4)row & (pnI4){ -1, -1, -1, 0 } ) * pnSplat4( weight );
}

PN_INLINE_CONTACT pnF4 pnTimes4( const float rows[3][4], pnF4 a )
{
	return (pnF4){ pnDot4( pnRow4( rows[0], 0 ), a ), pnDot4( pnRow4( rows[1], 0 ), a ), pnDot4( pnRow4( rows[2], 0 ), a ), 0.0f };
}

// Arm of a place that moves with `speed`, before the drift.
PN_INLINE_CONTACT pnF4 pnArmOf( const pnCollider* c, pnF4 place, pnF4 speed )
{
	pnF4 arm = place - speed * pnSplat4( c->drift ) - pnRow4( c->pivot, 0 );
	arm[3] = 0.0f;
	return arm;
}

// How the whole gives way to a push along n, and across it: at most. 1/kg.
PN_INLINE_CONTACT float pnAskWhole( const pnCollider* c, float perMass, pnF4 arm, pnF4 n, float* across )
{
	pnF4 lever = pnCross4( arm, n );
	float part = ( 1.0f - c->local ) * perMass, turning = c->perInertia[0][0] + c->perInertia[1][1] + c->perInertia[2][2];
	*across = part * ( c->perMass + turning * pnDot4( arm, arm ) );
	return part * ( c->perMass + pnDot4( lever, pnTimes4( c->perInertia, lever ) ) );
}

PN_INLINE_CONTACT void pnAddRowTo( float row[4], pnF4 add )
{
	pnF4 sum = pnRow4( row, 0 ) + add;
	memcpy( row, &sum, 16 );
}

PN_INLINE_CONTACT void pnPushOnWhole( pnCollider* c, float perMass, pnF4 arm, pnF4 momentum, pnF4 shifted )
{
	float part = ( 1.0f - c->local ) * perMass;
	pnF4 share = pnSplat4( part ), whole = pnSplat4( part * c->perMass );
	pnAddRowTo( c->velocity, momentum * whole );
	pnAddRowTo( c->turn, pnTimes4( c->perInertia, pnCross4( arm, momentum ) ) * share );
	pnAddRowTo( c->move, shifted * whole );
	pnAddRowTo( c->twist, pnTimes4( c->perInertia, pnCross4( arm, shifted ) ) * share );
}

// partCount: 0 against a shape, 3 or 4 else.
PN_INLINE_CONTACT void pnRespond( pnPushing* with, pnCollider* of, pnCollider* at, const pnPush* push, const int pointCount, const int partCount )
{
	pnF4 speedOf = pnSplat4( 0.0f ), speedAt = speedOf, armOf = speedOf, armAt = speedOf, n = push->normal, moved0 = speedOf;
	float give[6], sum = 0.0f, across = 0.0f, depth = -push->gap;
	bool wholeOf = of->local < 1.0f, wholeAt = partCount > 0 && at->local < 1.0f;
	for ( int i = 0; i < pointCount; ++i )
	{
		speedOf += pnAsk( of, push->points[i], with->perMassOf, push->pointWeights[i], give + i );
		sum += give[i] * push->pointWeights[i];
	}
	for ( int i = 0; i < partCount; ++i )
	{
		speedAt += pnAsk( at, push->parts[i], with->perMassAt, push->partWeights[i], give + 2 + i );
		sum += give[2 + i] * push->partWeights[i];
	}
	across = sum;
	if ( wholeOf ) // what the whole has gained is not in the particles yet
	{
		float wide;
		armOf = pnArmOf( of, push->place, speedOf );
		sum += pnAskWhole( of, with->perMassOf, armOf, n, &wide );
		across += wide;
		pnF4 gained = pnRow4( of->velocity, 0 ) + pnCross4( pnRow4( of->turn, 0 ), armOf );
		speedOf += gained;
		moved0 += gained * pnSplat4( with->h ) + pnRow4( of->move, 0 ) + pnCross4( pnRow4( of->twist, 0 ), armOf );
	}
	if ( wholeAt )
	{
		float wide;
		armAt = pnArmOf( at, push->place - push->arm, speedAt );
		sum += pnAskWhole( at, with->perMassAt, armAt, n, &wide );
		across += wide;
		pnF4 gained = pnRow4( at->velocity, 0 ) + pnCross4( pnRow4( at->turn, 0 ), armAt );
		speedAt += gained;
		moved0 -= gained * pnSplat4( with->h ) + pnRow4( at->move, 0 ) + pnCross4( pnRow4( at->twist, 0 ), armAt );
	}
	depth -= pnDot4( n, moved0 );
	if ( !( depth > 0.0f ) )
	{
		return;
	}
	pnF4 relative = ( speedOf - speedAt ) * pnSplat4( with->h ) - ( partCount == 0 ? push->carried : pnSplat4( 0.0f ) );
	float along = pnDot4( n, relative ), before = depth + along; // depth it had when the substep began
	pnF4 heavy = push->place * pnSplat4( depth );
	heavy[3] = depth;
	with->places += heavy;
	with->normals += n * pnSplat4( depth );
	float old = before > 0.0f ? ( before < depth ? before : depth ) : 0.0f, fresh = depth - old;
	with->deepest = old > with->deepest ? old : with->deepest;
	with->fastest = -along > with->fastest ? -along : with->fastest; // metres in this substep, for now
	if ( !( sum > 1e-30f ) )
	{
		return;
	}
	float kept = old > with->slop ? ( old - with->slop ) * pn_recovery : 0.0f;
	if ( fresh + kept <= 0.0f )
	{
		return; // at rest or parting
	}
	pnF4 slide = relative - n * pnSplat4( along );
	float slid2 = pnDot4( slide, slide ), most = with->friction * fresh;
	if ( slid2 > most * most )
	{
		slide *= pnSplat4( most / __builtin_sqrtf( slid2 ) );
	}
	float perSum = 1.0f / sum;
	pnF4 turned = n * pnSplat4( fresh ) - slide, moved = n * pnSplat4( fresh * perSum ) - slide * pnSplat4( 1.0f / across ); // kg m, with velocity
	pnF4 momentum = moved * pnSplat4( with->perH ), way = moved, shifted = pnSplat4( 0.0f );
	with->momentum += momentum;
	if ( kept > 0.0f )
	{
		shifted = n * pnSplat4( kept * perSum ); // and without
		way += shifted;
		with->shifted += shifted;
	}
	for ( int i = 0; i < pointCount; ++i )
	{
		pnAddRow4( of->x, push->points[i], way * pnSplat4( give[i] ) );
		pnAddRow4( of->v, push->points[i], momentum * pnSplat4( give[i] ) );
	}
	for ( int i = 0; i < partCount; ++i )
	{
		pnAddRow4( at->x, push->parts[i], -way * pnSplat4( give[2 + i] ) );
		pnAddRow4( at->v, push->parts[i], -momentum * pnSplat4( give[2 + i] ) );
	}
	if ( wholeOf )
	{
		pnPushOnWhole( of, with->perMassOf, armOf, momentum, shifted );
	}
	if ( wholeAt )
	{
		pnPushOnWhole( at, with->perMassAt, armAt, -momentum, -shifted );
	}
	if ( partCount > 0 )
	{
		// Momentum is exchanged where the two are now, a drift too late and a thickness apart: what spin that makes is kept count of.
		with->spin += pnCross4( push->arm - relative, momentum );
		if ( kept > 0.0f )
		{
			with->spin += pnCross4( shifted, ( relative + turned ) * pnSplat4( with->perH ) );
		}
	}
	else
	{
		with->torque += pnCross4( push->place - with->origin, momentum );
	}
}

// The contacts of one pair are done: what they came to goes to the bodies and the pair. toA: +1 if `of` is the pair's a, else -1.
static inline void pnClosePushing( const pnPushing* with, pnPair* pair, pnCollider* of, pnCollider* at, float toA )
{
	float weight = with->places[3], share = with->perMassAt > 0.0f && with->perMassOf > 0.0f ? 0.5f : 1.0f;
	if ( weight <= 0.0f )
	{
		return;
	}
	for ( int k = 0; k < 3; ++k )
	{
		of->gain[k] += (double)( with->momentum[k] * with->perMassOf );
		of->shift[k] += (double)( with->shifted[k] * with->perMassOf );
		of->spun[k] += at != NULL ? (double)( share * with->spin[k] * with->perMassOf ) : 0.0;
		if ( at != NULL )
		{
			at->gain[k] -= (double)( with->momentum[k] * with->perMassAt );
			at->shift[k] -= (double)( with->shifted[k] * with->perMassAt );
			at->spun[k] += (double)( share * with->spin[k] * with->perMassAt );
		}
	}
	of->touched = true;
	if ( at != NULL )
	{
		at->touched = true;
	}
	pnAddTo( pair->impulse, with->momentum * pnSplat4( toA ) );
	pnAddTo( pair->torque, with->torque );
	pnAddTo( pair->position, with->places );
	pnAddTo( pair->normal, with->normals * pnSplat4( toA ) );
	pair->weight += weight;
	pair->depth = with->deepest > pair->depth ? with->deepest : pair->depth;
	float met = with->fastest * with->perH;
	pair->speed = !pair->touched && met > pair->speed ? met : pair->speed;
}
