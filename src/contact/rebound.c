// rebound.c - the dashpot of a contact: what a body's own damping leaves undone where few of its particles touch. Knows two colliders and their patch.
#include "rebound.h"

#include "../base/trig.h"

// What holds a body on its patch: n of its N particles.
typedef struct pnHold { double give, ratio, slow; } pnHold; // m/N; damping ratio times it; and over its frequency

static pnHold pnHoldOf( const pnCollider* c, int points, int count )
{
	double touching = points > 0 ? points : count, part = touching / (double)c->count; // where no point of its own touches, as many as the other's
	double give = 1.0 / ( ( part < 1.0 ? part : 1.0 ) * (double)c->mass * (double)c->spring * (double)c->spring + 1e-30 );
	return (pnHold){ give, give * (double)c->damping, give * (double)c->damping / ( (double)c->spring + 1e-30 ) };
}

static pnF4 pnRigidSpeed( const pnCollider* c, pnF4 arm ) { return pnRow4( c->rigid, 0 ) + pnCross4( pnRow4( c->rigidTurn, 0 ), arm ); }

static void pnPushRigid( pnCollider* c, float perMass, pnF4 arm, pnF4 push )
{
	pnF4 gained = push * pnSplat4( perMass * c->perMass ), turned = pnTimes4( c->perInertia, pnCross4( arm, push ) ) * pnSplat4( perMass );
	pnAddRowTo( c->velocity, gained );
	pnAddRowTo( c->rigid, gained );
	pnAddRowTo( c->turn, turned );
	pnAddRowTo( c->rigidTurn, turned );
}

static void pnPushRigids( const pnSides* s, pnF4 armA, pnF4 armB, pnF4 push )
{
	pnPushRigid( s->of, s->perMassOf, armB, push );
	if ( s->at != NULL )
	{
		pnPushRigid( s->at, s->perMassAt, armA, -push );
	}
}

// How far the place of a push must move towards the middle of a body, so that stopping it does not set it spinning by more than a drift bears.
static pnF4 pnKeepFromSpinning( const pnCollider* c, float perMass, pnF4 arm, pnF4 n, float h )
{
	float across, speed = pnDot4( n, pnRigidSpeed( c, arm ) ), yield = pnAskWhole( c, perMass, arm, n, &across );
	pnF4 turn = pnTimes4( c->perInertia, pnCross4( arm, n ) ) * pnSplat4( yield > 1e-30f ? perMass * speed * h / yield : 0.0f );
	float angle2 = pnDot4( turn, turn );
	return angle2 > PN_MOST_TURN * PN_MOST_TURN ? arm * pnSplat4( PN_MOST_TURN / __builtin_sqrtf( angle2 ) - 1.0f ) : pnSplat4( 0.0f );
}

static const float pn_oneWay = 0.3f; // of the rows' normals that must agree: pushed from all around, there is no way along which two would swing

void pnDampPair( pnPair* pair, const pnPatch* patch, const pnSides* s, float h )
{
	pnCollider *a = s->at, *b = s->of;
	if ( patch->count == 0 || ( !( b->damping > 0.0f ) && ( a == NULL || !( a->damping > 0.0f ) ) ) )
	{
		return;
	}
	pnF4 normal = pnThree( patch->normal ), mean = pnSplat4( 1.0f / (float)patch->count );
	float length2 = pnDot4( normal, normal ), across;
	if ( !( length2 > pn_oneWay * pn_oneWay * (float)patch->count * (float)patch->count ) )
	{
		return;
	}
	pnF4 n = normal * pnSplat4( 1.0f / __builtin_sqrtf( length2 ) ), armA = pnThree( patch->armA * mean ), armB = pnThree( patch->armB * mean );
	pnF4 toward = pnKeepFromSpinning( b, s->perMassOf, armB, n, h );
	armA += toward, armB += toward;
	toward = a != NULL ? pnKeepFromSpinning( a, s->perMassAt, armA, n, h ) : pnSplat4( 0.0f );
	armA += toward, armB += toward;
	float closing = pnDot4( n, pnRigidSpeed( b, armB ) - ( a != NULL ? pnRigidSpeed( a, armA ) : pnThree( patch->ground * mean ) ) );
	double yield = (double)pnAskWhole( b, s->perMassOf, armB, n, &across ) + ( a != NULL ? (double)pnAskWhole( a, s->perMassAt, armA, n, &across ) : 0.0 );
	if ( !( yield > 1e-30 ) || closing == 0.0f )
	{
		return;
	}
	pnHold hold = pnHoldOf( b, patch->pointsB, patch->count );
	if ( a != NULL )
	{
		pnHold other = pnHoldOf( a, patch->pointsA, patch->count );
		hold.give += other.give, hold.ratio += other.ratio, hold.slow += other.slow;
	}
	// Springs in a row: their stiffness is 1 / give, their ratio that of each by its give; less what their own dashpots do already.
	double rate = 2.0 * ( hold.ratio * __builtin_sqrt( yield / hold.give ) - yield * hold.slow / hold.give ) / hold.give;
	if ( !( rate > 0.0 ) )
	{
		return;
	}
	float push = (float)( -(double)closing / yield * ( 1.0 - pnExp( -rate * (double)h ) ) );
	push = push > -patch->push ? push : -patch->push;
	pnF4 J = n * pnSplat4( push ), place = pnThree( ( a != NULL ? patch->apart : patch->place ) * mean );
	pnPushRigids( s, armA, armB, J );
	J[3] = push;
	memcpy( pair->dashpot, &J, sizeof J );
	memcpy( pair->dashArmA, &armA, sizeof armA );
	memcpy( pair->dashArmB, &armB, sizeof armB );
	memcpy( pair->dashPlace, &place, sizeof place );
}

void pnTrimDashpot( pnPair* pair, const pnSides* s, float pushed )
{
	float push = pair->dashpot[3];
	if ( push < -pushed )
	{
		pnF4 J = pnRow4( pair->dashpot, 0 ), kept = J * pnSplat4( pushed / -push );
		pnPushRigids( s, pnRow4( pair->dashArmA, 0 ), pnRow4( pair->dashArmB, 0 ), kept - J );
		kept[3] = -pushed;
		memcpy( pair->dashpot, &kept, sizeof kept );
	}
}

void pnCloseDashpot( pnPair* pair, const pnSides* s, pnF4 origin, pnPushSums* sums )
{
	pnF4 J = pnRow4( pair->dashpot, 0 );
	if ( s->at != NULL )
	{
		sums->spin += pnCross4( pnRow4( pair->dashPlace, 0 ), J );
	}
	else
	{
		sums->torque += pnCross4( pnRow4( pair->dashPlace, 0 ) - origin, J );
	}
	sums->momentum += J;
	memset( pair->dashpot, 0, sizeof pair->dashpot );
}
