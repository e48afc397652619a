// pull.c - the pull of hands on one body, towards their targets. Knows one body, no world.
//
// A region's particles count by phi. Its spot is at p = sum m phi x / M, M = sum m phi, and moves with u likewise. An impulse J on it gives
// phi J / M to the velocity of each, which is a momentum of J; the spot then gains J G, G = sum m phi^2 / M^2. Spring and damper act as they
// are at the end of the substep, J = -h ( k C' + d u' ), C' = C + h u', for all grips of a body together: one after another they would
// pump where three or more overlap.
//
// A stiff body takes most of J as a whole (whole.h), which answers at every spot and along every axis. What that changes of its turn changes the chord of its drift too: the body is
// bent by it, and as that moves the spots, hands and bend are solved in turn. A turn that was given straight on makes a stiff body grow, which is energy from nowhere.
//
// Then E (govern.c) + 1/2 ( S + S of the substep before ) + h d u^2 / 4 does not rise while the targets rest, S = 1/2 k C^2, whatever k, d, h and
// the body are: one substep takes k ( C' - C of the substep before )^2 / 4 and h d ( u' + u )^2 / 4 from it. Where the force is limited
// to F, J / h is k C' + d u' drawn back to length F, and S goes on straight from C = F / k.
//
// Two things a hand does not do. It does not draw a body out: let go now, a spot at r from the centre of mass that moves with u against it would
// swing out to A, A^2 = r^2 - h r u + u^2 / w^2 with w the body's own frequency (u is the speed that has brought it to r); a hand pulls only so strongly
// that this stays within pn_reach sizes of the body. So it drags along what cannot follow. And it does not rush: a target farther away than the body is long is approached
// at a speed from which the body can be stopped again on the way that is left.
#include "grip.h"

#include <math.h>

enum { PN_HANDS = 8, PN_AXES = 3 * PN_HANDS }; // grips that are solved together; more of them on one body come after
enum { PN_BENDS = 4 }; // times that hands and the bend they make are solved in turn: with 2 grab.HandsAtRestAddNoEnergy fails, with 8 nothing changes

// Sizes of the body that a held spot gets away from what is not held, besides what it was away at rest. Two hands on opposite sides then draw it to
// 2.3 sizes; the rest is left for swings that are slower than supposed, so that none is beyond three times its size.
static const double pn_reach = 0.65;
static const double pn_ease = 0.2; // of its stiffness: what a turn that a hand gives it may ask of it, so that it is not flung apart
static const double pn_leastYield = 0.1; // of the stiffness, at least: what follows any stretch would else bear no hand at all
static const double pn_leastHaste = 2.0; // m/s^2: it hastens at least like this
static const double pn_mostHaste = 200.0; // m/s^2, twenty times gravity: and no more than this, or it would be beyond its target before it is stopped
static const double pn_nothing = 1e-9; // of a pull: as good as none

static const double pn_fastest = 1e12; // m/s that a grip adds to a particle in a substep at most: numbers beyond are of no use

// Some grips of a body, and what they ask of each other. Impulses are per mass of the body, m/s.
typedef struct pnHands
{
	pnGrip* grips;
	int count;
	int at[PN_HANDS]; // of a walk over the particles they hold: the next point of each
	double share[PN_HANDS]; // 0: it pulls nothing
	double most[PN_HANDS]; // impulse at most
	double wish[PN_HANDS][3]; // velocity that the spots are to lose, each by itself and if it were stiff
	double answer[PN_AXES][PN_AXES]; // velocity of the spots by impulses, axis by axis: G, how the whole answers, and on the diagonal how soft each is
	double slack[PN_HANDS]; // how much softer the limit of its force makes it
	double arm[PN_HANDS][3]; // from the center of the whole, before the drift
	double impulse[PN_HANDS][3];
	double swing[PN_HANDS][3]; // how the spot swings against the centre of the body, m/s
	double reach2[PN_HANDS]; // square of what that may be
	double next[PN_HANDS][3]; // where it gets by this drift, from there, over h: m/s
	double nextReach2[PN_HANDS]; // square of what that may be
	double soft[PN_HANDS]; // 1 / ( h * rate ): its part of the answer that is not the body's
	double bent[PN_HANDS][3]; // what the spots gain because the drift of a turn that hands have changed is bent, m/s
	bool coheres; // something holds the body together: what it is made of has a stiffness
	double free; // 1 if the centre goes where the hands push, 0 if pins hold it
} pnHands;

// How a body bears being pulled.
typedef struct pnBearing
{
	double center[3], velocity[3]; // what its length is measured from: the centre of mass, or of what is pinned
	double rate2; // 1/s^2: square of the rate of its slowest swing
	double haste; // m/s^2 that it can bear
} pnBearing;

// The next particle that is held by some, rising, and its phi / M in each; -1 at the end.
static int32_t pnNextHeld( pnHands* hands, double part[PN_HANDS] )
{
	int32_t next = INT32_MAX;
	for ( int i = 0; i < hands->count; ++i )
	{
		const pnGrip* grip = hands->grips + i;
		if ( hands->at[i] < grip->pointCount && grip->points[hands->at[i]].particle < next )
		{
			next = grip->points[hands->at[i]].particle;
		}
	}
	for ( int i = 0; i < hands->count; ++i )
	{
		const pnGrip* grip = hands->grips + i;
		bool here = hands->at[i] < grip->pointCount && grip->points[hands->at[i]].particle == next;
		part[i] = here && hands->share[i] > 0.0 ? (double)grip->points[hands->at[i]].phi / hands->share[i] : 0.0;
		hands->at[i] += here;
	}
	return next < INT32_MAX ? next : -1;
}

static double pnLength( const double a[3] )
{
	return sqrt( a[0] * a[0] + a[1] * a[1] + a[2] * a[2] );
}

static pnBearing pnFindBearing( const pnBody* body, double h )
{
	pnBearing bearing = { 0 };
	if ( body->pinCount > 0 )
	{
		for ( int i = 0; i < body->pinCount; ++i )
		{
			const float *x = body->match.x + 4 * (size_t)body->pins[i].particle, *v = body->v + 4 * (size_t)body->pins[i].particle;
			for ( int k = 0; k < 3; ++k )
			{
				bearing.center[k] += (double)x[k] / body->pinCount;
				bearing.velocity[k] += (double)v[k] / body->pinCount;
			}
		}
	}
	else
	{
		pnBodyMotion motion = pnMeasureBody( body );
		memcpy( bearing.center, motion.center, sizeof bearing.center );
		memcpy( bearing.velocity, motion.velocity, sizeof bearing.velocity );
	}
	double yield = body->material.mode == pn_rigidMode ? 1.0 : 1.0 - (double)body->response.blend;
	yield = pn_ease * body->firmness * body->firmness * ( yield > pn_leastYield ? yield : pn_leastYield );
	bearing.rate2 = yield * body->response.pull / ( h * h );
	bearing.haste = yield * body->response.stiffness * body->extent;
	bearing.haste = bearing.haste > pn_leastHaste ? bearing.haste < pn_mostHaste ? bearing.haste : pn_mostHaste : pn_leastHaste;
	return bearing;
}

// Moves the aim, and finds what the grip wishes.
static void pnAimGrip( const pnBody* body, const pnBearing* bearing, pnHands* hands, int i, double h, double timeLeft )
{
	pnGrip* grip = hands->grips + i;
	pnGripSpot spot = pnMeasureSpot( body, grip );
	double lead[3], way[3], whole[3], lead2 = 0.0, along = 0.0, arm2 = 0.0;
	for ( int k = 0; k < 3; ++k )
	{
		double next = timeLeft > 1.001 * h ? grip->aim[k] + ( (double)grip->target[k] - grip->aim[k] ) * ( h / timeLeft ) : (double)grip->target[k];
		lead[k] = ( next - grip->aim[k] ) / h;
		way[k] = spot.place[k] + grip->offset[k] - next;
		whole[k] = spot.place[k] + grip->offset[k] - (double)grip->target[k];
		lead2 += lead[k] * lead[k];
		along += lead[k] * spot.velocity[k];
		grip->aim[k] = next;
	}
	// What little is held can bear less than all.
	double held = 0.5 * spot.inert * body->response.stiffness * body->extent, haste = bearing->haste < held ? bearing->haste : held;
	// A jump of the target is no speed: the hand hastens no more than to what the body can gain along its own length.
	double fast = sqrt( lead2 ), gain = sqrt( 2.0 * haste * body->extent ), part = 1.0;
	if ( fast > 0.0 && gain > 0.0 )
	{
		double most = ( along > 0.0 ? along / fast : 0.0 ) + gain;
		part = fast > most ? most / fast : 1.0;
	}
	// Near, spring and damper. Far, from one size of the body to two on to where the step leads it, the damper alone, towards a speed from which it can be stopped.
	double w = 6.283185307179586 * (double)grip->hertz, ratio = (double)grip->dampingRatio, firm = ratio > 0.5 ? ratio : 0.5;
	double distance = pnLength( way ), far = body->extent > 0.0 ? pnLength( whole ) / body->extent - 1.0 : 0.0, approach = sqrt( 0.5 * haste * distance );
	far = far > 0.0 && bearing->rate2 > 0.0 ? far < 1.0 ? far : 1.0 : 0.0;
	double spring = w * distance / ( 2.0 * firm ), pace = distance > 0.0 ? ( approach < spring ? approach : spring ) / distance : 0.0;
	double stiff = ( 1.0 - far ) * w * w, damp = 2.0 * w * ( ( 1.0 - far ) * ratio + far * firm ), rate = damp + h * stiff;
	for ( int k = 0; k < 3; ++k )
	{
		double speed = spot.velocity[k] - part * lead[k];
		hands->wish[i][k] = spot.share > 0.0 ? ( stiff * way[k] + damp * speed + 2.0 * w * far * firm * pace * way[k] ) / rate : 0.0;
	}
	for ( int k = 0; k < 3; ++k )
	{
		double arm = spot.place[k] - bearing->center[k], speed = spot.velocity[k] - bearing->velocity[k];
		hands->swing[i][k] = speed - 0.5 * h * bearing->rate2 * arm;
		hands->next[i][k] = speed + arm / h;
		arm2 += arm * arm;
	}
	// What is not held trails behind: its centre is farther away than that of all, by 1 / ( 1 - share ). Pins may be anywhere, so that no more is known
	// than that the body is as long as it is.
	double reach = body->pinCount > 0 ? ( 1.0 + 2.0 * pn_reach ) * body->extent : pnLength( spot.rest ) + ( 1.0 - spot.share ) * pn_reach * body->extent;
	hands->nextReach2[i] = reach * reach / ( h * h );
	double swung = far > 0.0 ? reach / far : 0.0; // a target at hand stops it by itself
	hands->reach2[i] = far > 0.0 ? bearing->rate2 * ( swung * swung - arm2 * ( 1.0 - 0.25 * h * h * bearing->rate2 ) ) : INFINITY;
	hands->soft[i] = 1.0 / ( h * rate );
	double most = pn_fastest * spot.share, limit = h * (double)grip->maxForce / (double)body->mass;
	for ( int k = 0; k < 3; ++k )
	{
		hands->arm[i][k] = ( spot.place[k] - body->whole.center[k] ) - h * spot.velocity[k];
	}
	hands->share[i] = spot.share;
	hands->most[i] = grip->maxForce > 0.0f && limit < most ? limit : most;
	grip->yields |= far > 0.0;
	hands->most[i] = far * hands->most[i] > 2.0 * h * haste ? 2.0 * h * haste / far : hands->most[i];
	for ( int k = 0; k < 3; ++k )
	{
		hands->answer[3 * i + k][3 * i + k] = hands->soft[i];
	}
}

// ( answer + slack ) * impulse = -wish, by Cholesky. Returns how much impulse `asked` gives way to its slack, relative to itself.
static double pnSolveSlack( pnHands* hands, int asked )
{
	double l[PN_AXES][PN_AXES], unit[PN_AXES], *out = &hands->impulse[0][0], give = 0.0;
	const double* wish = &hands->wish[0][0];
	int n = 3 * hands->count;
	for ( int i = 0; i < n; ++i )
	{
		double own = hands->answer[i][i] + hands->slack[i / 3];
		for ( int j = 0; j <= i; ++j )
		{
			double sum = i > j ? hands->answer[i][j] : own;
			for ( int k = 0; k < j; ++k )
			{
				sum -= l[i][k] * l[j][k];
			}
			double least = 1e-14 * own; // of two that hold the same, and rigidly, rounding may leave nothing
			l[i][j] = i > j ? sum / l[j][j] : sqrt( sum > least ? sum : least );
		}
	}
	for ( int i = 0; i < n; ++i )
	{
		double sum = -wish[i];
		for ( int k = 0; k < i; ++k )
		{
			sum -= l[i][k] * out[k];
		}
		out[i] = sum / l[i][i];
	}
	for ( int i = n - 1; i >= 0; --i )
	{
		double sum = out[i];
		for ( int k = i + 1; k < n; ++k )
		{
			sum -= l[k][i] * out[k];
		}
		out[i] = sum / l[i][i];
	}
	double length = pnLength( hands->impulse[asked] );
	for ( int i = 3 * asked; i < n; ++i )
	{
		double sum = i < 3 * asked + 3 ? length > 0.0 ? hands->impulse[asked][i - 3 * asked] / length : i == 3 * asked : 0.0;
		for ( int k = 3 * asked; k < i; ++k )
		{
			sum -= l[i][k] * unit[k];
		}
		unit[i] = sum / l[i][i];
		give += unit[i] * unit[i];
	}
	return give;
}

// What a spot's swing gains by one of the hands.
static void pnAddSwing( const pnHands* hands, int i, int by, double gain[3] )
{
	for ( int r = 0; r < 3; ++r )
	{
		for ( int c = 0; c < 3; ++c )
		{
			double centre = r == c ? hands->free + ( i == by ? hands->soft[i] : 0.0 ) : 0.0;
			gain[r] += ( hands->answer[3 * i + r][3 * by + c] - centre ) * hands->impulse[by][c];
		}
	}
}

// The part of a gain, at most all of it, with which a swing stays within reach; or, if it is beyond already, comes nearest to it.
static double pnFindPart( const double swing[3], const double gain[3], double reach2 )
{
	double a = 0.0, b = 0.0, c = -reach2;
	if ( reach2 == INFINITY )
	{
		return 1.0;
	}
	for ( int k = 0; k < 3; ++k )
	{
		a += gain[k] * gain[k], b += swing[k] * gain[k], c += swing[k] * swing[k];
	}
	double part = 1.0;
	if ( c >= 0.0 )
	{
		part = b < 0.0 ? -b / a : 0.0;
	}
	else if ( a > 0.0 ) // the larger p of a p^2 + 2 b p + c = 0
	{
		double root = sqrt( b * b - a * c );
		part = b >= 0.0 ? -c / ( b + root ) : ( root - b ) / a;
	}
	return part < 1.0 ? part : 1.0;
}

static double pnFindPartOf( const pnHands* hands, int i, const double gain[3] )
{
	if ( !( hands->share[i] > 0.0 ) || !hands->coheres )
	{
		return 1.0;
	}
	double goes = pnFindPart( hands->next[i], gain, hands->nextReach2[i] ), swings = pnFindPart( hands->swing[i], gain, hands->reach2[i] );
	return swings < goes ? swings : goes;
}

// A hand that is too weak for what it wishes is as slack as makes it just strong enough. Each in turn, exactly, until all are: that
// climbs a concave function, axis by axis.
static void pnSolveHands( pnHands* hands )
{
	const double near = 1e-9;
	bool weak = true;
	memset( hands->slack, 0, sizeof hands->slack );
	pnSolveSlack( hands, 0 );
	for ( int round = 0; round < 50 && weak; ++round )
	{
		weak = false;
		for ( int i = 0; i < hands->count; ++i )
		{
			double length = pnLength( hands->impulse[i] ), most = hands->most[i];
			if ( length > most * ( 1.0 + near ) || ( hands->slack[i] > 0.0 && length < most * ( 1.0 - near ) ) )
			{
				double slack = hands->slack[i] + ( length / most - 1.0 ) / pnSolveSlack( hands, i );
				hands->slack[i] = slack > 0.0 ? slack : 0.0;
				pnSolveSlack( hands, i );
				weak = true;
			}
		}
	}
	for ( int i = 0; i < hands->count; ++i )
	{
		double length = pnLength( hands->impulse[i] );
		for ( int k = 0; k < 3 && length > hands->most[i]; ++k )
		{
			hands->impulse[i][k] *= hands->most[i] / length;
		}
	}
}

// Who would draw the body too far by itself pulls less, and the others know. If together they still would, all do.
static void pnSolveWithinReach( pnHands* hands )
{
	double least = 1.0, most[PN_HANDS];
	memcpy( most, hands->most, sizeof most );
	pnSolveHands( hands );
	for ( int i = 0; i < hands->count; ++i )
	{
		double gain[3] = { 0 }, length = pnLength( hands->impulse[i] );
		pnAddSwing( hands, i, i, gain );
		double part = pnFindPartOf( hands, i, gain );
		least = part < least ? part : least;
		if ( part < 1.0 && length > 0.0 )
		{
			hands->most[i] = ( part > pn_nothing ? part : pn_nothing ) * length;
			hands->grips[i].yields = true;
		}
	}
	if ( least < 1.0 )
	{
		pnSolveHands( hands );
	}
	least = 1.0;
	for ( int i = 0; i < hands->count; ++i )
	{
		double gain[3] = { 0 };
		for ( int j = 0; j < hands->count; ++j )
		{
			pnAddSwing( hands, i, j, gain );
		}
		double part = pnFindPartOf( hands, i, gain );
		least = part < least ? part : least;
	}
	for ( int i = 0; i < 3 * hands->count; ++i )
	{
		hands->impulse[i / 3][i % 3] *= least;
		hands->grips[i / 3].yields |= least < 1.0;
	}
	memcpy( hands->most, most, sizeof most );
}

// The bend by what hands give to the turn, besides what it has gained before them.
static bool pnFindBendOf( const pnBody* body, const pnHands* hands, const double turned[3], double h, double bend[9] )
{
	double gained[3] = { turned[0], turned[1], turned[2] }, unused[3] = { 0 };
	for ( int i = 0; i < hands->count; ++i )
	{
		if ( hands->share[i] > 0.0 )
		{
			pnPushWhole( &body->whole, 1.0, hands->arm[i], hands->impulse[i], unused, gained );
		}
	}
	return pnFindBend( body, gained, h, bend );
}

// What the bend gives to the spots is part of what the hands pull at. False: it is what it was, as far as floats can show.
static bool pnBendSpots( pnHands* hands, const double bend[9] )
{
	double most = 0.0, changed = 0.0;
	for ( int i = 0; i < 3 * hands->count; ++i )
	{
		const double *row = bend + 3 * ( i % 3 ), *arm = hands->arm[i / 3];
		double bent = hands->share[i / 3] > 0.0 ? row[0] * arm[0] + row[1] * arm[1] + row[2] * arm[2] : 0.0, more = bent - hands->bent[i / 3][i % 3];
		hands->bent[i / 3][i % 3] = bent;
		most = fabs( bent ) > most ? fabs( bent ) : most;
		changed = fabs( more ) > changed ? fabs( more ) : changed;
		hands->wish[i / 3][i % 3] += more;
		hands->swing[i / 3][i % 3] += more;
		hands->next[i / 3][i % 3] += more;
	}
	return changed > 1e-8 * most;
}

static void pnPullHands( pnBody* body, pnHands* hands, double h, double timeLeft, double moment[3], double turned[3] )
{
	double part[PN_HANDS];
	int32_t particle;
	pnBearing bearing = pnFindBearing( body, h );
	hands->free = body->pinCount > 0 ? 0.0 : 1.0;
	hands->coheres = bearing.rate2 > 0.0;
	for ( int i = 0; i < hands->count; ++i )
	{
		pnAimGrip( body, &bearing, hands, i, h, timeLeft );
	}
	const pnWhole* whole = &body->whole;
	double local = body->response.local;
	for ( int i = 0; i < 3 * hands->count && local < 1.0; ++i ) // how the whole answers to a push of one hand along one axis, at the others
	{
		double push[3] = { i % 3 == 0, i % 3 == 1, i % 3 == 2 }, velocity[3] = { 0 }, turn[3] = { 0 };
		if ( !( hands->share[i / 3] > 0.0 ) )
		{
			continue;
		}
		pnPushWhole( whole, 1.0 - local, hands->arm[i / 3], push, velocity, turn );
		for ( int j = 0; j < 3 * hands->count; ++j )
		{
			const double* arm = hands->arm[j / 3];
			int k = j % 3, k1 = ( k + 1 ) % 3, k2 = ( k + 2 ) % 3;
			hands->answer[j][i] += hands->share[j / 3] > 0.0 ? velocity[k] + turn[k1] * arm[k2] - turn[k2] * arm[k1] : 0.0;
		}
	}
	while ( ( particle = pnNextHeld( hands, part ) ) >= 0 )
	{
		double m = pnIsPinned( body, particle ) ? 0.0 : local * (double)body->match.x[4 * (size_t)particle + 3];
		for ( int i = 0; i < 3 * hands->count; ++i )
		{
			for ( int k = i % 3; k < 3 * hands->count && part[i / 3] > 0.0; k += 3 )
			{
				hands->answer[i][k] += m * part[i / 3] * part[k / 3];
			}
		}
	}
	pnSolveWithinReach( hands );
	double bend[9];
	bool bends = pnFindBendOf( body, hands, turned, h, bend );
	for ( int round = 0; round < PN_BENDS && bends && pnBendSpots( hands, bend ); ++round )
	{
		pnSolveWithinReach( hands );
		bends = pnFindBendOf( body, hands, turned, h, bend );
	}
	memset( hands->at, 0, sizeof hands->at );
	while ( ( particle = pnNextHeld( hands, part ) ) >= 0 )
	{
		float *x = (float*)body->match.x + 4 * (size_t)particle, *v = body->v + 4 * (size_t)particle;
		for ( int k = 0; k < 3 && !pnIsPinned( body, particle ); ++k )
		{
			double gain = 0.0; // first together: what pulls against each other may be large
			for ( int i = 0; i < hands->count; ++i )
			{
				gain += local * part[i] * hands->impulse[i][k];
			}
			float before = v[k];
			v[k] += (float)gain;
			pnDriftInside( x + k, v + k, (float)h * ( v[k] - before ) );
			moment[k] += (double)x[3] * (double)( v[k] - before );
		}
	}
	double velocity[3] = { 0 }, turn[3] = { 0 }, unused[3] = { 0 };
	for ( int i = 0; i < hands->count; ++i )
	{
		for ( int k = 0; k < 3 && hands->share[i] > 0.0; ++k )
		{
			hands->grips[i].impulse[k] += (double)body->mass * hands->impulse[i][k];
		}
		if ( hands->share[i] > 0.0 )
		{
			pnPushWhole( whole, 1.0 - local, hands->arm[i], hands->impulse[i], velocity, turn );
			pnPushWhole( whole, 1.0, hands->arm[i], hands->impulse[i], unused, turned );
		}
	}
	for ( int k = 0; k < 3; ++k )
	{
		moment[k] += velocity[k];
	}
	if ( local < 1.0 )
	{
		pnMoveWhole( body, velocity, turn, h, h );
	}
	if ( bends )
	{
		pnBendBody( body, bend, h );
	}
	body->measured = false;
}

void pnReadyGrips( pnBody* body )
{
	for ( int i = 0; i < body->gripCount; ++i )
	{
		memset( body->grips[i].impulse, 0, sizeof body->grips[i].impulse );
		body->grips[i].yields = false;
	}
}

void pnPullGrips( pnBody* body, double h, double timeLeft, double moment[3], double turned[3] )
{
	for ( int first = 0; first < body->gripCount; first += PN_HANDS )
	{
		int left = body->gripCount - first;
		pnHands hands = { .grips = body->grips + first, .count = left < PN_HANDS ? left : PN_HANDS };
		pnPullHands( body, &hands, h, timeLeft, moment, turned );
	}
}

void pnLandGrips( pnBody* body, double timeStep )
{
	for ( int i = 0; i < body->gripCount; ++i )
	{
		pnGrip* grip = body->grips + i;
		for ( int k = 0; k < 3; ++k )
		{
			grip->aim[k] = (double)grip->target[k];
			grip->force[k] = grip->impulse[k] / timeStep;
		}
	}
}
