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

// Springs in a row: their stiffness is 1 / give, their ratio that of each by its give; less what their own dashpots do already. yield: 1/kg that swings on them;
// or 1/(kg m^2), lever2 m^2: of springs that hold it against turning. 1/s: how fast the dashpot slows it.
static double pnFindRate( pnHold hold, double yield, double lever2 )
{
	double square = yield * lever2 / hold.give;
	return 2.0 * ( hold.ratio * __builtin_sqrt( square ) - square * hold.slow ) / hold.give;
}

static pnF4 pnTimesPatch( const pnPatch* patch, pnF4 a ) // the patch's levers about their mean, squared, on a vector
{
	pnF4 lever = pnThree( patch->lever ), mean = lever * pnSplat4( 1.0f / (float)patch->count ), turned = pnTurn4( a );
	pnF4 sum = pnThree( patch->square ) * a + pnThree( patch->product ) * turned; // xx x + xy y ...
	pnF4 before = pnThree( patch->product ) * a; // xy x, yz y, zx z belong to y, z, x
	sum += __builtin_shufflevector( before, before, 2, 0, 1, 3 );
	return sum - lever * pnSplat4( pnDot4( mean, a ) );
}

static void pnTurnRigid( pnCollider* c, float perMass, pnF4 turning )
{
	pnF4 turned = pnTimes4( c->perInertia, turning ) * pnSplat4( perMass );
	pnAddRowTo( c->turn, turned );
	pnAddRowTo( c->rigidTurn, turned );
}

static void pnTurnRigids( const pnSides* s, pnF4 turning )
{
	pnTurnRigid( s->of, s->perMassOf, turning );
	if ( s->at != NULL )
	{
		pnTurnRigid( s->at, s->perMassAt, -turning );
	}
}

// What rocks on its patch is lifted on one side and pressed on the other: springs side by side that hold it against turning, and a dashpot to them as along the
// normal. It turns nothing by more than the pushes hold it with, about their middle. What rolls does not swing, and must not be slowed as if it did
// (hit.BallsRollOn): pushes do not hold it, and of what goes from facet to facet only what is not its steady turn is rocking.
static void pnDampRocking( pnPair* pair, const pnPatch* patch, const pnSides* s, pnHold hold, float h )
{
	pnF4 turn = pnRow4( s->of->rigidTurn, 0 ), rolls = pnRow4( s->of->rolls, 0 );
	if ( s->at != NULL )
	{
		turn -= pnRow4( s->at->rigidTurn, 0 ), rolls -= pnRow4( s->at->rolls, 0 );
	}
	// Of the steady turn as much as it still has: who rolled and was stopped is not driven on.
	float steady2 = pnDot4( rolls, rolls ), kept = steady2 > 1e-30f ? pnDot4( turn, rolls ) / steady2 : 0.0f, perCount = 1.0f / (float)patch->count;
	pnF4 rolling = rolls * pnSplat4( kept < 0.0f ? 0.0f : kept < 1.0f ? kept : 1.0f ), tilting = pnTimesPatch( patch, turn - rolling );
	pnF4 all = pnTimesPatch( patch, turn ) - pnThree( patch->lifted - patch->lever * pnSplat4( patch->lift * perCount ) ); // against a shape, which turns as its owner likes: it may roll too
	float length2 = pnDot4( tilting, tilting );
	if ( !( length2 > 1e-30f && length2 < 1e30f ) ) // nothing tilts, or what lies scattered at the walls of the world
	{
		return;
	}
	pnF4 axis = tilting * pnSplat4( 1.0f / __builtin_sqrtf( length2 ) );
	float spread2 = pnDot4( axis, pnTimesPatch( patch, axis ) );
	float yield = s->perMassOf * pnDot4( axis, pnTimes4( s->of->perInertia, axis ) ) + ( s->at != NULL ? s->perMassAt * pnDot4( axis, pnTimes4( s->at->perInertia, axis ) ) : 0.0f );
	float tilt = __builtin_sqrtf( length2 ), most = pnDot4( axis, all ); // dashpots take, and only of what moves against the other
	if ( !( spread2 * perCount > 1e-20f ) || !( yield > 1e-30f ) || !( most > 0.0f ) )
	{
		return;
	}
	float speed = ( tilt < most ? tilt : most ) / spread2, lever = __builtin_sqrtf( spread2 * perCount );
	double rate = pnFindRate( hold, (double)yield, (double)( lever * lever ) );
	if ( !( rate > 0.0 ) )
	{
		return;
	}
	float turning = (float)( (double)speed / (double)yield * ( 1.0 - pnExp( -rate * (double)h ) ) );
	float holds = __builtin_fabsf( pnDot4( axis, pnThree( patch->pressed - patch->lever * pnSplat4( patch->push * perCount ) ) ) );
	turning = turning < holds ? turning : holds;
	pnF4 L = axis * pnSplat4( -turning );
	pnTurnRigids( s, L );
	L[3] = turning / lever;
	memcpy( pair->dashTurn, &L, sizeof L );
}

static void pnDampBounce( pnPair* pair, const pnPatch* patch, const pnSides* s, pnHold hold, pnF4 n, float h )
{
	pnCollider *a = s->at, *b = s->of;
	pnF4 mean = pnSplat4( 1.0f / (float)patch->count ), armA = pnThree( patch->armA * mean ), armB = pnThree( patch->armB * mean );
	float across;
	pnF4 toward = pnKeepFromSpinning( b, s->perMassOf, armB, n, h );
	armA += toward, armB += toward;
	toward = a != NULL ? pnKeepFromSpinning( a, s->perMassAt, armA, n, h ) : pnSplat4( 0.0f );
	armA += toward, armB += toward;
	float closing = pnDot4( n, pnRigidSpeed( b, armB ) - ( a != NULL ? pnRigidSpeed( a, armA ) : pnThree( patch->ground * mean ) ) );
	double yield = (double)pnAskWhole( b, s->perMassOf, armB, n, &across ) + ( a != NULL ? (double)pnAskWhole( a, s->perMassAt, armA, n, &across ) : 0.0 );
	double rate = yield > 1e-30 ? pnFindRate( hold, yield, 1.0 ) : 0.0;
	if ( !( rate > 0.0 ) || closing == 0.0f )
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

void pnDampPair( pnPair* pair, const pnPatch* patch, const pnSides* s, float h )
{
	pnCollider *a = s->at, *b = s->of;
	pair->dashpot[3] = pair->dashTurn[3] = 0.0f;
	if ( patch->count == 0 || ( !( b->damping > 0.0f ) && ( a == NULL || !( a->damping > 0.0f ) ) ) )
	{
		return;
	}
	pnF4 normal = pnThree( patch->normal );
	float length2 = pnDot4( normal, normal );
	if ( !( length2 > pn_oneWay * pn_oneWay * (float)patch->count * (float)patch->count ) )
	{
		return;
	}
	pnHold hold = pnHoldOf( b, patch->pointsB, patch->count );
	if ( a != NULL )
	{
		pnHold other = pnHoldOf( a, patch->pointsA, patch->count );
		hold.give += other.give, hold.ratio += other.ratio, hold.slow += other.slow;
	}
	pnDampBounce( pair, patch, s, hold, normal * pnSplat4( 1.0f / __builtin_sqrtf( length2 ) ), h );
	pnDampRocking( pair, patch, s, hold, h );
}

void pnTrimDashpot( pnPair* pair, const pnSides* s, float pushed )
{
	float push = pair->dashpot[3], turning = pair->dashTurn[3];
	if ( push < -pushed )
	{
		pnF4 J = pnRow4( pair->dashpot, 0 ), kept = J * pnSplat4( pushed / -push );
		pnPushRigids( s, pnRow4( pair->dashArmA, 0 ), pnRow4( pair->dashArmB, 0 ), kept - J );
		kept[3] = -pushed;
		memcpy( pair->dashpot, &kept, sizeof kept );
	}
	if ( turning > pushed )
	{
		pnF4 L = pnRow4( pair->dashTurn, 0 ), kept = L * pnSplat4( pushed / turning );
		pnTurnRigids( s, kept - L );
		kept[3] = pushed;
		memcpy( pair->dashTurn, &kept, sizeof kept );
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
		sums->torque += pnCross4( pnRow4( pair->dashPlace, 0 ) - origin, J ) + pnRow4( pair->dashTurn, 0 );
	}
	sums->momentum += J;
	memset( pair->dashpot, 0, sizeof pair->dashpot );
	memset( pair->dashTurn, 0, sizeof pair->dashTurn );
}
