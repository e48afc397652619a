// bulk.c - hard hits. A surface that stops while the bulk flies on is crushed and passed through; so bodies that meet faster than they
// can spring back are stopped as wholes first: each pair's contacts become one impulse between two rigid bodies, or a body and a shape.
// It acts at the instant at which they meet: until then both fly on as they were. Knows colliders and shapes; no world.
#include "bulk.h"

#include "../base/trig.h"
#include "field.h"
#include "ground.h"
#include "near.h"
#include "nearest.h"
#include "split.h"

#include <math.h>

static const double pn_softShare = 0.02; // of its size: how deep the rest of a hard hit may press bodies into each other
static const double pn_groundShare = 0.1; // of its thinnest side: into shapes, which cannot be passed
static const double pn_bounceShare = 0.08; // of the speed of a fall from its own height: below it nothing bounces by restitution

static double pnBounceSpeed( const pnContacts* c, const pnCollider* body )
{
	return pn_bounceShare * sqrt( (double)( c->gravity * body->surface->size ) ) + 1e-3 * (double)body->surface->size;
}

// The inverse of the inertia per mass, kept away from singular: lines and points do not take a turn about themselves.
static void pnInvertSecond( const double second[6], double size, double inverse[9] )
{
	double trace = second[0] + second[1] + second[2];
	double least = 1e-4 * trace + ( trace < 1e-4 * size * size ? 1e-4 * size * size : 0.0 ) + 1e-20; // a grain's inertia is mere rounding
	double I[9] = { trace - second[0] + least, -second[3], -second[5], -second[3], trace - second[1] + least, -second[4], -second[5], -second[4], trace - second[2] + least };
	double cofactor[9] = { I[4] * I[8] - I[5] * I[7], I[5] * I[6] - I[3] * I[8], I[3] * I[7] - I[4] * I[6], I[2] * I[7] - I[1] * I[8], I[0] * I[8] - I[2] * I[6],
						   I[1] * I[6] - I[0] * I[7], I[1] * I[5] - I[2] * I[4], I[2] * I[3] - I[0] * I[5], I[0] * I[4] - I[1] * I[3] };
	double det = I[0] * cofactor[0] + I[1] * cofactor[1] + I[2] * cofactor[2], rest[9];
	I[0] -= least, I[4] -= least, I[8] -= least;
	for ( int i = 0; i < 9; ++i ) // and one turn of Newton's method: where the inertia is sound, nothing is off
	{
		int r = i / 3, k = i % 3;
		rest[i] = ( r == k ? 2.0 : 0.0 ) - ( I[3 * r] * cofactor[k] + I[3 * r + 1] * cofactor[3 + k] + I[3 * r + 2] * cofactor[6 + k] ) / det;
	}
	for ( int i = 0; i < 9; ++i )
	{
		int r = i / 3, k = i % 3;
		inverse[i] = ( cofactor[3 * r] * rest[k] + cofactor[3 * r + 1] * rest[3 + k] + cofactor[3 * r + 2] * rest[6 + k] ) / det;
	}
}

// Mass, centre, motion and inertia of a body as it was before this substep's drift.
static int pnTakeBulk( pnContacts* c, int slot )
{
	pnCollider* body = c->colliders.at + slot;
	if ( body->bulk >= 0 )
	{
		return body->bulk;
	}
	if ( !pnGrowList( c->bulks, c->bulks.count + 1 ) )
	{
		return -1;
	}
	pnBulk* bulk = c->bulks.at + c->bulks.count;
	*bulk = (pnBulk){ .collider = slot, .perMass = body->awake && !body->held ? 1.0 / (double)body->mass : 0.0 };
	double h = c->step, second[6] = { 0 }, spin[3] = { 0 };
	for ( int k = 0; k < 3; ++k )
	{
		bulk->velocity[k] = body->awake ? (double)body->mean[k] : 0.0;
		bulk->center[k] = (double)body->center[k] - h * bulk->velocity[k];
	}
	for ( int i = 0; i < body->count && bulk->perMass > 0.0; ++i )
	{
		const float *x = body->x + 4 * (size_t)i, *v = body->v + 4 * (size_t)i;
		double m = x[3], r[3], u[3], s[3];
		for ( int k = 0; k < 3; ++k )
		{
			u[k] = (double)v[k] - bulk->velocity[k];
			r[k] = (double)x[k] - h * (double)v[k] - bulk->center[k];
		}
		pnCross3d( r, u, s );
		for ( int k = 0; k < 3; ++k )
		{
			second[k] += m * r[k] * r[k];
			second[3 + k] += m * r[k] * r[( k + 1 ) % 3];
			spin[k] += m * s[k];
		}
	}
	double inverse[9];
	pnInvertSecond( second, (double)body->surface->size, inverse );
	for ( int i = 0; i < 9; ++i )
	{
		bulk->inverse[i] = inverse[i] * bulk->perMass;
	}
	for ( int k = 0; k < 3 && bulk->perMass > 0.0; ++k )
	{
		bulk->spin[k] = ( bulk->inverse[3 * k] * spin[0] + bulk->inverse[3 * k + 1] * spin[1] + bulk->inverse[3 * k + 2] * spin[2] ) / bulk->perMass;
	}
	body->bulk = c->bulks.count++;
	return body->bulk;
}

// Sums of depth, places and directions become one hit. false: less than `agreed` of the directions agree, and nothing is told by them.
static bool pnFormHit( pnHit* hit, double weight, const double place[3], const double outward[3], double agreed )
{
	double length = sqrt( pnDot3d( outward, outward ) );
	for ( int k = 0; k < 3; ++k )
	{
		hit->place[k] = place[k] / weight;
		hit->normal[k] = length > agreed * weight ? outward[k] / length : 0.0;
	}
	return length > agreed * weight;
}

// How far two go into each other while the softer one comes to rest, in parts of half the thinnest side of the smaller one. So far the smaller one is crushed, or
// the other one closed around it: they meet with all of its cross section, and the hit acts near its centre, however small the corner that was met first.
static double pnCrush( double speed, double spring, double thinnest ) { return 2.0 * speed / ( spring * thinnest + 1e-6 * speed ); }

// Speed at which a pair that approaches at `speed` shall leave.
static double pnLeaveSpeed( double speed, double left, double restitution, double bounce )
{
	return restitution > 0.0 && speed > bounce ? restitution * speed : -left;
}

static double pnCubed( double a ) { return a * a * a; }

// How two bodies meet: velocity of b against a, and the speeds that matter.
typedef struct pnMeeting { double relative[3], speed, left, bounce, restitution, spring; } pnMeeting; // spring: of the softer one, rad/s

static bool pnFastMeeting( const pnContacts* c, const pnPair* pair, pnMeeting* m )
{
	const pnCollider *a = c->colliders.at + pair->a, *b = c->colliders.at + pair->b;
	double size = a->surface->size < b->surface->size ? a->surface->size : b->surface->size, softer = a->spring < b->spring ? a->spring : b->spring;
	double bounceA = pnBounceSpeed( c, a ), bounceB = pnBounceSpeed( c, b );
	for ( int k = 0; k < 3; ++k )
	{
		m->relative[k] = ( b->awake ? (double)b->mean[k] : 0.0 ) - ( a->awake ? (double)a->mean[k] : 0.0 );
	}
	m->speed = sqrt( pnDot3d( m->relative, m->relative ) );
	double thin = a->surface->thinnest < b->surface->thinnest ? a->surface->thinnest : b->surface->thinnest, most = 0.25 * thin / (double)c->step;
	m->spring = softer;
	m->left = softer * pn_softShare * size;
	m->left = m->left < most ? m->left : most; // never so fast that a substep leads through
	m->restitution = a->restitution > b->restitution ? a->restitution : b->restitution;
	m->bounce = bounceA < bounceB ? bounceA : bounceB;
	bool others = pair->a != pair->b && ( a->awake || b->awake );
	return others && m->speed > ( m->restitution > 0.0 && m->bounce < m->left ? m->bounce : m->left );
}

bool pnMeetFast( const pnContacts* c, const pnPair* pair )
{
	pnMeeting unused;
	return pnFastMeeting( c, pair, &unused );
}

// Whether some candidate has moved as far as it can without touching.
static bool pnIsAnyNear( const pnContacts* c, const pnPair* pair )
{
	bool near = pair->stored >= 0;
	float margin = PN_CONTACT_MARGIN * ( c->colliders.at[pair->a].thickness + c->colliders.at[pair->b].thickness );
	for ( int i = pair->first; i < pair->first + pair->count && !near; ++i )
	{
		near = !( pair->motion + margin < c->candidates.at[i].key );
	}
	return near;
}

enum { PN_PROBE_SWEEPS = 16 };

// Where one closes around the other, as links of a chain do, most faces look aside, and the sum of their normals is chance. No place may come nearer than it touches: of all changes of velocity that
// leave none of them nearer it is the smallest one that a hit makes, a sum of pushes along the faces that are met. b goes with `relative`, for `time`. False: none is approached.
static bool pnFindPush( const pnProbes* probes, const double relative[3], double time, double normal[3], double place[3] )
{
	double pushes[PN_PROBES] = { 0 }, change[3] = { 0 }, weight = 0.0, size2;
	bool changes = true;
	for ( int sweep = 0; sweep < PN_PROBE_SWEEPS && changes; ++sweep )
	{
		changes = false;
		for ( int i = 0; i < probes->count; ++i )
		{
			pnF4 n = probes->at[i].normal;
			double approach = -( relative[0] * (double)n[0] + relative[1] * (double)n[1] + relative[2] * (double)n[2] ), gone = (double)n[3] / time;
			double lacks = ( gone < approach ? gone : approach ) - ( change[0] * (double)n[0] + change[1] * (double)n[1] + change[2] * (double)n[2] );
			double push = approach > 0.0 && pushes[i] + lacks > 0.0 ? pushes[i] + lacks : 0.0;
			for ( int k = 0; k < 3; ++k )
			{
				change[k] += ( push - pushes[i] ) * (double)n[k];
			}
			changes |= push != pushes[i];
			pushes[i] = push;
		}
	}
	size2 = pnDot3d( change, change );
	place[0] = place[1] = place[2] = 0.0;
	for ( int i = 0; i < probes->count; ++i )
	{
		weight += pushes[i];
		for ( int k = 0; k < 3; ++k )
		{
			place[k] += pushes[i] * (double)probes->at[i].place[k];
		}
	}
	for ( int k = 0; k < 3 && size2 > 0.0; ++k )
	{
		place[k] /= weight;
		normal[k] = change[k] / sqrt( size2 );
	}
	return size2 > 0.0;
}

static void pnHitBodies( pnContacts* c, pnPair* pair )
{
	pnMeeting m;
	if ( !pnFastMeeting( c, pair, &m ) )
	{
		return;
	}
	pnCollider *a = c->colliders.at + pair->a, *b = c->colliders.at + pair->b;
	const double *relative = m.relative, h = c->step;
	// Do their boxes meet anywhere on the way?
	double thin = a->surface->thinnest < b->surface->thinnest ? a->surface->thinnest : b->surface->thinnest;
	double thick = (double)( a->thickness + b->thickness ), stride = 0.25 * thin > 0.5 * thick ? 0.25 * thin : 0.5 * thick;
	float keeps = pair->thick <= PN_UNSEEN || pair->thick > (float)thick ? (float)thick : pair->thick > 0.0f ? pair->thick : 0.0f; // pieces that lie against each other keep nothing free, and hit only what they are in
	for ( int k = 0; k < 3; ++k )
	{
		double way = h * relative[k], back = way > 0.0 ? way : 0.0, ahead = way < 0.0 ? -way : 0.0;
		if ( (double)b->lower[k] - back > (double)a->upper[k] + thick || (double)a->lower[k] > (double)b->upper[k] + ahead + thick )
		{
			return;
		}
	}
	double steps = ceil( h * m.speed / stride );
	int count = steps < 1.0 ? 1 : steps > 256.0 ? 256 : (int)steps;
	if ( count == 1 && pair->detected && !pair->stale && !pnIsAnyNear( c, pair ) )
	{
		return; // where they are now nothing touches, and there was nothing between
	}
	pnSplit split = pnFindSplit( a, b, c->candidates.at + pair->first, pair->middle - pair->first, pair->count );
	for ( int s = 1; s <= count; ++s )
	{
		double part = (double)s / count, place[3] = { 0 }, outward[3] = { 0 }, weight = 0.0;
		float shift[4] = { 0 }, unshift[3];
		for ( int k = 0; k < 3; ++k )
		{
			shift[k] = (float)( -( 1.0 - part ) * h * relative[k] );
			unshift[k] = -shift[k];
		}
		float away = pnDot4( split.axis, pnRow4( shift, 0 ) );
		if ( split.lower + away > pnFarLimit( split.upper, 1.001f * (float)thick, a->surface->size ) )
		{
			continue; // still apart
		}
		pnProbes probes;
		probes.count = 0;
		weight += (double)pnProbePoints( a, b, shift, keeps, (float)stride, split.axis, split.base, split.upper, place, outward, &probes );
		double from[3] = { 0 }, inward[3] = { 0 };
		int own = probes.count;
		double more = (double)pnProbePoints( b, a, unshift, keeps, (float)stride, -split.axis, split.base, -split.lower, from, inward, &probes );
		for ( int i = own; i < probes.count; ++i )
		{
			float gone = probes.at[i].normal[3];
			probes.at[i].place += pnRow4( shift, 0 );
			probes.at[i].normal = -probes.at[i].normal;
			probes.at[i].normal[3] = gone;
		}
		for ( int k = 0; k < 3; ++k )
		{
			place[k] += from[k] + more * (double)shift[k]; // all where b has been moved to
			outward[k] -= inward[k];
		}
		weight += more;
		if ( weight <= 0.0 )
		{
			continue;
		}
		pnHit hit = { .pair = pair };
		bool told = pnFormHit( &hit, weight, place, outward, count > 1 ? 0.9 : 0.3 );
		if ( told && !pnFindPush( &probes, relative, part * h, hit.normal, hit.place ) )
		{
			return; // they are parting
		}
		if ( !told ) // by the line of centres rather than by a corner; but the middles of hollow bodies may lie beyond each other: then it is stopped on its own way
		{
			double between[3] = { 0 }, along = 0.0;
			for ( int k = 0; k < 3; ++k )
			{
				between[k] = (double)b->center[k] + (double)shift[k] - (double)a->center[k];
				along -= between[k] * relative[k];
			}
			double length = sqrt( pnDot3d( between, between ) );
			for ( int k = 0; k < 3; ++k )
			{
				hit.normal[k] = along > 0.0 ? between[k] / length : -relative[k] / m.speed;
			}
		}
		double approach = -pnDot3d( relative, hit.normal ), crush = pnCrush( approach > 0.0 ? approach : 0.0, m.spring, thin );
		double volumeA = pnCubed( (double)a->surface->size ), volumeB = pnCubed( (double)b->surface->size ), partA = volumeB / ( volumeA + volumeB );
		hit.met = approach;
		hit.leave = pnLeaveSpeed( approach, m.left, m.restitution, m.bounce );
		hit.time = h * ( s - 1.0 ) / count;
		for ( int k = 0; k < 3; ++k )
		{
			double atA = a->center[k], atB = (double)b->center[k] - ( h - hit.time ) * relative[k]; // beside a as it lies after the drift
			double at = ( hit.place[k] + crush * ( partA * atA + ( 1.0 - partA ) * atB ) ) / ( 1.0 + crush ); // by far the smaller one's
			hit.armA[k] = at - atA;
			hit.armB[k] = at - atB;
		}
		hit.friction = sqrt( (double)( a->friction * b->friction ) );
		hit.a = pnTakeBulk( c, pair->a );
		hit.b = pnTakeBulk( c, pair->b );
		if ( hit.a >= 0 && hit.b >= 0 && pnGrowList( c->hits, c->hits.count + 1 ) )
		{
			c->hits.at[c->hits.count++] = hit;
		}
		return;
	}
}

static void pnHitGround( pnContacts* c, pnPair* pair )
{
	const pnShape* shape = c->shapes.at + pair->a;
	pnCollider* b = c->colliders.at + pair->b;
	if ( !b->awake )
	{
		return;
	}
	double left = (double)b->spring * pn_groundShare * (double)b->surface->thinnest, h = c->step, bounce = pnBounceSpeed( c, b );
	left = left < 0.5 * (double)b->surface->thinnest / h ? left : 0.5 * (double)b->surface->thinnest / h;
	double fallen = (double)c->gravity * h; // what lies at rest has fallen for a substep: it is borne, not hit
	left = left > fallen ? left : fallen;
	double restitution = b->restitution > shape->restitution ? b->restitution : shape->restitution;
	double most = restitution > 0.0 && bounce < left ? bounce : left, moved = shape->moves ? 1.0 : 0.0, speed2 = 0.0;
	for ( int k = 0; k < 3; ++k )
	{
		speed2 += (double)b->mean[k] * (double)b->mean[k];
	}
	if ( speed2 <= most * most && moved == 0.0 )
	{
		return;
	}
	pnVec3 unused, center = pnRotate( pnConjugate( shape->transform.q ), pnSub( pnMakeVec3( b->center[0], b->center[1], b->center[2] ), shape->transform.p ) );
	if ( moved == 0.0 && (double)pnFormDistance( shape->form, center, &unused ) > 2.0 * (double)b->surface->size + h * sqrt( speed2 ) )
	{
		return; // far from it all the way
	}
	pnHit hit = { .pair = pair };
	double place[3], outward[3], deepest = 0.0, weight = pnProbeGround( shape, b, c->step, place, outward, hit.ground, &deepest );
	if ( weight <= 0.0 || !pnFormHit( &hit, weight, place, outward, 0.3 ) )
	{
		return;
	}
	double approach = 0.0;
	for ( int k = 0; k < 3; ++k )
	{
		hit.ground[k] /= weight;
		approach -= ( (double)b->mean[k] - hit.ground[k] ) * hit.normal[k];
	}
	if ( approach <= most )
	{
		return;
	}
	double crush = pnCrush( approach, (double)b->spring, (double)b->surface->thinnest ), before = h - deepest / approach;
	hit.met = approach;
	hit.time = before > 0.0 ? before : 0.0;
	// Velocities are those of the middle of a substep: gravity has been at work between it and the meeting.
	double falls = (double)b->fall[0] * hit.normal[0] + (double)b->fall[1] * hit.normal[1] + (double)b->fall[2] * hit.normal[2], since = falls * ( hit.time - 0.5 * h );
	hit.leave = pnLeaveSpeed( approach - since, left, restitution, bounce );
	hit.leave -= hit.leave > 0.0 ? since : 0.0;
	for ( int k = 0; k < 3; ++k )
	{
		double start = (double)b->center[k] - h * (double)b->mean[k];
		hit.armB[k] = ( hit.place[k] - start ) / ( 1.0 + crush );
		hit.place[k] = start + hit.armB[k] + hit.time * (double)b->mean[k];
	}
	hit.friction = sqrt( (double)( shape->friction * b->friction ) );
	hit.a = -1;
	hit.b = pnTakeBulk( c, pair->b );
	if ( hit.b >= 0 && pnGrowList( c->hits, c->hits.count + 1 ) )
	{
		c->hits.at[c->hits.count++] = hit;
	}
}

static void pnTurnBy( const double inverse[9], const double torque[3], double out[3] )
{
	for ( int k = 0; k < 3; ++k )
	{
		out[k] = inverse[3 * k] * torque[0] + inverse[3 * k + 1] * torque[1] + inverse[3 * k + 2] * torque[2];
	}
}

static void pnKickBulk( pnBulk* bulk, const double arm[3], const double impulse[3], double sign, double time, double h )
{
	double torque[3], turn[3];
	pnCross3d( arm, impulse, torque );
	pnTurnBy( bulk->inverse, torque, turn );
	for ( int k = 0; k < 3; ++k )
	{
		double gain = sign * impulse[k] * bulk->perMass;
		bulk->velocity[k] += gain, bulk->gain[k] += gain, bulk->shift[k] -= time * gain;
		bulk->spin[k] += sign * turn[k], bulk->turn[k] += sign * turn[k], bulk->angle[k] += sign * turn[k] * ( h - time );
		bulk->torque[k] += sign * torque[k] * bulk->perMass;
	}
	bulk->pushed = true;
}

// How much a push along `along` at the arm moves it, 1/kg; and its velocity is added to `velocity`.
static double pnYield( const pnBulk* bulk, const double arm[3], const double along[3], double sign, double velocity[3] )
{
	double torque[3], turn[3], swing[3];
	pnCross3d( bulk->spin, arm, swing );
	for ( int k = 0; k < 3; ++k )
	{
		velocity[k] += sign * ( bulk->velocity[k] + swing[k] );
	}
	pnCross3d( arm, along, torque );
	pnTurnBy( bulk->inverse, torque, turn );
	return bulk->perMass + pnDot3d( torque, turn );
}

static void pnSolveHit( pnContacts* c, pnHit* hit )
{
	pnBulk *a = hit->a >= 0 ? c->bulks.at + hit->a : NULL, *b = c->bulks.at + hit->b;
	double velocity[3] = { -hit->ground[0], -hit->ground[1], -hit->ground[2] }, unused[3] = { 0 };
	double yield = pnYield( b, hit->armB, hit->normal, 1.0, velocity );
	yield += a != NULL ? pnYield( a, hit->armA, hit->normal, -1.0, velocity ) : 0.0;
	double along = pnDot3d( velocity, hit->normal ), wanted = ( hit->leave - along ) / ( yield + 1e-30 );
	wanted = hit->pushed + wanted > 0.0 ? wanted : -hit->pushed; // it never pulls
	if ( wanted == 0.0 || yield <= 0.0 )
	{
		return;
	}
	hit->pushed += wanted;
	double impulse[3], slide[3], length2 = 0.0;
	for ( int k = 0; k < 3; ++k )
	{
		slide[k] = velocity[k] - along * hit->normal[k];
		length2 += slide[k] * slide[k];
		impulse[k] = wanted * hit->normal[k];
	}
	if ( length2 > 1e-20 && wanted > 0.0 )
	{
		double length = sqrt( length2 ), side[3] = { slide[0] / length, slide[1] / length, slide[2] / length };
		double give = pnYield( b, hit->armB, side, 0.0, unused ) + ( a != NULL ? pnYield( a, hit->armA, side, 0.0, unused ) : 0.0 );
		double stop = length / ( give + 1e-30 ), most = hit->friction * wanted;
		for ( int k = 0; k < 3; ++k )
		{
			impulse[k] -= ( stop < most ? stop : most ) * side[k];
		}
	}
	pnKickBulk( b, hit->armB, impulse, 1.0, hit->time, c->step );
	if ( a != NULL )
	{
		pnKickBulk( a, hit->armA, impulse, -1.0, hit->time, c->step );
	}
	for ( int k = 0; k < 3; ++k )
	{
		hit->pair->impulse[k] += (float)( a != NULL ? -impulse[k] : impulse[k] );
	}
	if ( a == NULL )
	{
		const pnVec3* at = &c->shapes.at[hit->pair->a].transform.p;
		double arm[3] = { hit->place[0] - (double)at->x, hit->place[1] - (double)at->y, hit->place[2] - (double)at->z }, torque[3];
		pnCross3d( arm, impulse, torque );
		for ( int k = 0; k < 3; ++k )
		{
			hit->pair->torque[k] += (float)torque[k];
		}
	}
}

// A turn by an angle, as a matrix; rows.
static void pnTurnMatrix( const double angle[3], double m[9] )
{
	double size2 = pnDot3d( angle, angle ), size = sqrt( size2 ), s = size > 1e-6 ? pnSin( size ) / size : 1.0, c = size > 1e-6 ? ( 1.0 - pnCos( size ) ) / size2 : 0.5;
	for ( int i = 0; i < 3; ++i )
	{
		for ( int j = 0; j < 3; ++j )
		{
			double cross = j == ( i + 1 ) % 3 ? -angle[( i + 2 ) % 3] : j == ( i + 2 ) % 3 ? angle[( i + 1 ) % 3] : 0.0;
			m[3 * i + j] = ( i == j ? 1.0 - c * size2 : 0.0 ) + s * cross + c * angle[i] * angle[j];
		}
	}
}

// The motion of the whole goes to its particles: velocity, and the way it makes in what is left of this substep. It turns as it is: a straight way along
// turn x arm would draw out what spins fast.
static void pnSpreadBulk( pnContacts* c, const pnBulk* bulk )
{
	pnCollider* body = c->colliders.at + bulk->collider;
	double h = c->step, made[3] = { 0 }, turned[9], center[3] = { 0 }, second[6] = { 0 };
	pnTurnMatrix( bulk->angle, turned );
	for ( int i = 0; i < body->count; ++i )
	{
		float *x = body->x + 4 * (size_t)i, *v = body->v + 4 * (size_t)i;
		if ( !( x[3] > 0.0f ) )
		{
			continue; // an empty row: nothing would bring it back
		}
		double arm[3], after[3], swing[3], spin[3], u[3];
		for ( int k = 0; k < 3; ++k )
		{
			arm[k] = (double)x[k] - h * (double)v[k] - bulk->center[k];
			u[k] = (double)v[k] - (double)body->mean[k];
		}
		pnCross3d( arm, u, spin );
		for ( int k = 0; k < 3; ++k )
		{
			made[k] -= (double)x[3] * spin[k];
			after[k] = turned[3 * k] * arm[0] + turned[3 * k + 1] * arm[1] + turned[3 * k + 2] * arm[2];
		}
		pnCross3d( bulk->turn, after, swing );
		for ( int k = 0; k < 3; ++k )
		{
			v[k] += (float)( bulk->gain[k] + swing[k] );
			x[k] += (float)( h * bulk->gain[k] + bulk->shift[k] + after[k] - arm[k] );
			arm[k] = (double)x[k] - h * (double)v[k] - bulk->center[k] - bulk->shift[k]; // where it seems to come from
			u[k] = (double)v[k] - (double)body->mean[k] - bulk->gain[k];
			center[k] += (double)x[3] * arm[k];
		}
		pnCross3d( arm, u, spin );
		for ( int k = 0; k < 3; ++k )
		{
			made[k] += (double)x[3] * spin[k];
			second[k] += (double)x[3] * arm[k] * arm[k];
			second[3 + k] += (double)x[3] * arm[k] * arm[( k + 1 ) % 3];
		}
	}
	double inverse[9], size = body->surface->size;
	for ( int k = 0; k < 3; ++k )
	{
		second[k] -= center[k] * center[k];
		second[3 + k] -= center[k] * center[( k + 1 ) % 3];
	}
	pnInvertSecond( second, size, inverse );
	for ( int k = 0; k < 3; ++k )
	{
		body->hit[k] += bulk->gain[k];
		body->shift[k] += bulk->shift[k];
		body->spun[k] += made[k] - bulk->torque[k]; // the inertia was kept away from singular, and has turned
		body->mean[k] += (float)bulk->gain[k];
		body->rigid[k] += (float)bulk->gain[k];
		body->rigidTurn[k] += (float)bulk->turn[k];
		body->center[k] += (float)( h * bulk->gain[k] + bulk->shift[k] );
		body->pivot[k] = (float)( bulk->center[k] + bulk->shift[k] + center[k] );
		for ( int j = 0; j < 3; ++j )
		{
			body->perInertia[k][j] = (float)inverse[3 * k + j];
		}
		body->lower[k] = INFINITY, body->upper[k] = -INFINITY;
	}
	for ( int i = 0; i < body->count; ++i )
	{
		const float* x = body->x + 4 * (size_t)i;
		for ( int k = 0; k < 3 && x[3] > 0.0f; ++k )
		{
			body->lower[k] = x[k] < body->lower[k] ? x[k] : body->lower[k];
			body->upper[k] = x[k] > body->upper[k] ? x[k] : body->upper[k];
		}
	}
	body->touched = true;
}

void pnStopHardHits( pnContacts* c )
{
	double start = pnNow();
	if ( c->resting )
	{
		return;
	}
	c->hits.count = c->bulks.count = 0;
	for ( int i = 0; i < c->colliders.count; ++i )
	{
		c->colliders.at[i].bulk = -1;
	}
	for ( int i = 0; i < c->pairs.count && c->fast; ++i )
	{
		pnHitBodies( c, c->pairs.at + i );
	}
	for ( int i = 0; i < c->grounds.count; ++i )
	{
		pnHitGround( c, c->grounds.at + i );
	}
	for ( int sweep = 0; sweep < 8; ++sweep )
	{
		for ( int i = 0; i < c->hits.count; ++i )
		{
			pnSolveHit( c, c->hits.at + i );
		}
	}
	for ( int i = 0; i < c->hits.count; ++i )
	{
		const pnHit* hit = c->hits.at + i;
		float depth = hit->pushed > 0.0 ? 1e-3f * c->colliders.at[hit->pair->b].surface->size : 0.0f, toA = hit->a < 0 ? 1.0f : -1.0f;
		for ( int k = 0; k < 3; ++k ) // told like a touch, with a little weight
		{
			hit->pair->position[k] += depth * (float)hit->place[k];
			hit->pair->normal[k] += toA * depth * (float)hit->normal[k];
		}
		hit->pair->weight += depth;
		hit->pair->speed = depth > 0.0f && !hit->pair->touched && (float)hit->met > hit->pair->speed ? (float)hit->met : hit->pair->speed;
	}
	for ( int i = 0; i < c->bulks.count; ++i )
	{
		if ( c->bulks.at[i].pushed && c->bulks.at[i].perMass > 0.0 )
		{
			pnSpreadBulk( c, c->bulks.at + i );
		}
	}
	c->stats.narrow += pnNow() - start;
}
