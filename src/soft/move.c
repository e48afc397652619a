// move.c - kick and drift of one body whose clusters have been matched: energy account, pins, grips, forces. Knows one body, no world.
#include "move.h"

#include "../base/trig.h"
#include "../contact/collider.h"
#include "crowd.h"
#include "govern.h"
#include "grip.h"

#include <math.h>

// What the blocks of one body need while its points are moved, perhaps by several workers.
typedef struct pnBodyStep
{
	const pnMover* mover;
	pnBody* body;
	pnPointStep* points;
} pnBodyStep;

static void pnForBlocks( pnBodyStep* step, pnRangeFcn* fcn )
{
	int count = ( step->body->count + PN_BLOCK - 1 ) / PN_BLOCK;
	if ( step->mover->tasks != NULL )
	{
		pnParallelFor( step->mover->tasks, fcn, count, 1, step );
	}
	else
	{
		fcn( 0, count, 0, step );
	}
}

#define PN_BLOCK_TASK( name, call )                                                                                           \
	static void name( int begin, int end, int worker, void* context )                                                         \
	{                                                                                                                         \
		pnBodyStep* step = context;                                                                                           \
		PN_UNUSED( worker );                                                                                                  \
		for ( int b = begin; b < end; ++b )                                                                                   \
		{                                                                                                                     \
			int first = b * PN_BLOCK, last = first + PN_BLOCK < step->body->count ? first + PN_BLOCK : step->body->count;    \
			const pnKernel* kernel = step->mover->kernel;                                                                     \
			pnBlockSums* block = step->mover->blocks + b;                                                                     \
			PN_UNUSED( block );                                                                                               \
			call;                                                                                                             \
		}                                                                                                                     \
	}
PN_BLOCK_TASK( pnMeasureTask, kernel->measure( step->points, first, last, &block->points ) )
PN_BLOCK_TASK( pnBraceTask, kernel->brace( step->points, first, last, block->kick ) )
PN_BLOCK_TASK( pnWeighTask, kernel->weigh( step->points, first, last, block->weights ) )
PN_BLOCK_TASK( pnAdvanceTask, kernel->advance( step->points, first, last, &block->totals ) )
PN_BLOCK_TASK( pnAdvanceBareTask, kernel->advanceBare( step->points, first, last ) )

// Adds up a struct of doubles over the blocks, in order.
static void pnAddBlocks( const pnBodyStep* step, size_t offset, int doubles, double* sums )
{
	int count = ( step->body->count + PN_BLOCK - 1 ) / PN_BLOCK;
	const char* first = (const char*)step->mover->blocks + offset;
	for ( int k = 0; k < doubles; ++k )
	{
		sums[k] = 0.0 + ( (const double*)first )[k]; // never -0
	}
	for ( int b = 1; b < count; ++b )
	{
		const double* block = (const double*)( first + (size_t)b * sizeof( pnBlockSums ) );
		for ( int k = 0; k < doubles; ++k )
		{
			sums[k] += block[k];
		}
	}
}
#define PN_ADD_BLOCKS( step, field, sums ) pnAddBlocks( step, offsetof( pnBlockSums, field ), (int)( sizeof( sums ) / sizeof( double ) ), (double*)&( sums ) )

// Of a free body both halves of the kick have the stray rigid part in them, which is given back with the motion to come. The rest of a deviation has no rigid
// part, so squares add up, and those of the stray part are known: push^2 + twist I twist.
static void pnLeaveOutStray( const pnBody* body, const pnPointStep* points, double* deviation2, double* kick2 )
{
	if ( points->held || points->drag > 0.0f ) // damped, nobody asks for them
	{
		return;
	}
	const double *J = body->whole.second, trace = J[0] + J[1] + J[2], before2 = (double)points->before * (double)points->before;
	double t[3], stray2 = 0.0;
	for ( int k = 0; k < 3; ++k )
	{
		t[k] = (double)points->twist[k];
		stray2 += (double)points->push[k] * (double)points->push[k] + ( trace - J[k] ) * t[k] * t[k];
	}
	stray2 -= 2.0 * ( J[3] * t[0] * t[1] + J[4] * t[1] * t[2] + J[5] * t[2] * t[0] );
	*deviation2 = *deviation2 > before2 * stray2 ? *deviation2 - before2 * stray2 : 0.0;
	*kick2 = *kick2 > stray2 ? *kick2 - stray2 : 0.0;
}

static void pnWeighBlocks( void* context, double weights[2] )
{
	pnBodyStep* step = context;
	double sums[2];
	pnForBlocks( step, pnWeighTask );
	PN_ADD_BLOCKS( step, weights, sums );
	pnLeaveOutStray( step->body, step->points, sums, sums + 1 );
	memcpy( weights, sums, sizeof sums );
}

// Forces at points, for h: a part on the point, the rest on the whole, whose drift becomes that of the turn they make of it. gained: what the centre gains in
// velocity; turned: what the turn does.
static void pnApplyPointForces( pnBody* body, double h, double gained[3], double turned[3] )
{
	double local = body->response.local, velocity[3] = { 0 }, turn[3] = { 0 }, unused[3] = { 0 }, bend[9];
	for ( int i = 0; i < body->forceCount; ++i )
	{
		const pnPointForce* force = body->forces + i;
		float *x = (float*)body->match.x + 4 * (size_t)force->particle, *v = body->v + 4 * (size_t)force->particle;
		double J[3], arm[3];
		if ( pnIsPinned( body, force->particle ) )
		{
			continue;
		}
		for ( int k = 0; k < 3; ++k )
		{
			J[k] = h * (double)force->value[k] / body->mass;
			arm[k] = ( (double)x[k] - body->whole.center[k] ) - h * (double)v[k];
			gained[k] += J[k];
		}
		pnPushWhole( &body->whole, 1.0 - local, arm, J, velocity, turn );
		pnPushWhole( &body->whole, 1.0, arm, J, unused, turned );
		for ( int k = 0; k < 3; ++k )
		{
			float gain = (float)( local * J[k] ) * v[3];
			v[k] += gain;
			x[k] += (float)h * gain;
		}
	}
	if ( body->forceCount == 0 )
	{
		return;
	}
	pnMoveWhole( body, velocity, turn, h, h );
	if ( pnFindBend( body, turned, h, bend ) )
	{
		pnBendBody( body, bend, h );
	}
}

void pnLandPins( pnBody* body )
{
	for ( int i = 0; i < body->pinCount; ++i )
	{
		memcpy( (float*)body->match.x + 4 * (size_t)body->pins[i].particle, body->pins[i].target, sizeof body->pins[i].target );
	}
}

// Pinned particles go straight to their targets in what is left of the step.
static void pnAimPins( pnBody* body, double timeLeft )
{
	for ( int i = 0; i < body->pinCount; ++i )
	{
		const pnPin* pin = body->pins + i;
		float *x = (float*)body->match.x + 4 * (size_t)pin->particle, *v = body->v + 4 * (size_t)pin->particle;
		for ( int k = 0; k < 3; ++k )
		{
			v[k] = (float)( ( (double)pin->target[k] - (double)x[k] ) / timeLeft );
		}
	}
}

// What gravity and forces on the whole do in h: all alike; about pins they turn it, and strain it by their local part.
static void pnFindGain( const pnMover* mover, const pnBody* body, pnPointStep* points )
{
	double h = body->response.step, local = body->response.local, gain[3], arm[3], velocity[3] = { 0 }, swing[3] = { 0 };
	const float gravity[3] = { mover->gravity.x, mover->gravity.y, mover->gravity.z }, force[3] = { body->force.x, body->force.y, body->force.z };
	for ( int k = 0; k < 3; ++k )
	{
		gain[k] = h * ( (double)gravity[k] * body->gravityScale + (double)force[k] / body->mass );
		arm[k] = (double)body->origin[k] + body->sums.moment[k] - body->whole.center[k];
	}
	if ( points->held )
	{
		pnPushWhole( &body->whole, 1.0 - local, arm, gain, velocity, swing );
	}
	for ( int k = 0; k < 3; ++k )
	{
		points->gain[k] = (float)( points->held ? local * gain[k] : gain[k] );
		points->swing[k] = (float)swing[k];
	}
}

// Whether chords count in the step to come, and what they are made of.
static bool pnNeedsChords( pnBody* body, double h, pnChordTask* task )
{
	pnPointStep* kick = &body->kick;
	double turn2 = 0.0, next2 = 0.0, inertBefore = body->fresh ? 0.0 : 1.0 - body->lastLightness, inert = 1.0 - body->response.lightness;
	for ( int k = 0; k < 3; ++k )
	{
		double next = body->whole.turn[k] + (double)kick->swing[k];
		turn2 += body->whole.turn[k] * body->whole.turn[k];
		next2 += next * next;
	}
	turn2 = turn2 > next2 ? turn2 : next2;
	bool same = body->lastStep == h;
	double longest = same || body->lastStep < h ? h : body->lastStep, most = inert > inertBefore ? inert : inertBefore, free = 0.0;
	for ( int k = 0; k < 9; ++k )
	{
		free += body->whole.perInertia[k] * body->whole.perInertia[k];
	}
	kick->turns = most * turn2 * longest * longest > PN_LEAST_TURN2 && free > 0.0;
	*task = (pnChordTask){ body, inertBefore > 0.0 ? body->lastStep : h, h, inertBefore, inert, most };
	return kick->turns;
}

static void pnReadyChords( const pnMover* mover, pnBody* const* bodies, int count )
{
	pnChordTask tasks[PN_MOST_CROWD];
	int turning = 0;
	for ( int i = 0; i < count; ++i )
	{
		pnPointStep* kick = &bodies[i]->kick;
		if ( bodies[i]->response.bare )
		{
			continue;
		}
		if ( pnNeedsChords( bodies[i], bodies[i]->response.step, tasks + turning ) )
		{
			turning += 1;
			continue;
		}
		memset( kick->chordBefore, 0, sizeof kick->chordBefore );
		memset( kick->chordAfter, 0, sizeof kick->chordAfter );
	}
	if ( turning > 0 )
	{
		mover->kernel->crowd->findChords( tasks, turning );
	}
}

enum { PN_MOST_ROUNDS = 64 };

static int pnCountRounds( const pnBody* body, double h )
{
	const double* turn = body->whole.turn;
	double turned2 = h * h * ( turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2] ), most = (double)PN_MOST_TURN;
	if ( turned2 <= most * most )
	{
		return 1;
	}
	double rounds = sqrt( turned2 ) / most;
	return rounds < PN_MOST_ROUNDS ? (int)ceil( rounds ) : PN_MOST_ROUNDS;
}

static void pnMeasureSums( const pnMover* mover, pnBody* body )
{
	pnBodyStep step = { mover, body, &body->kick };
	pnForBlocks( &step, pnMeasureTask );
	PN_ADD_BLOCKS( &step, points, body->sums );
	body->measured = true;
}

static void pnBeginReady( const pnMover* mover, pnBody* body )
{
	const pnTuning* tuning = &body->response;
	pnPointStep* kick = &body->kick;
	kick->x = (float*)body->match.x;
	kick->v = body->v;
	kick->count = body->count;
	kick->held = body->pinCount > 0;
	memcpy( kick->origin, body->origin, sizeof kick->origin );
	if ( body->relaxings > 0 )
	{
		memcpy( body->match.motion, kick->mean, sizeof kick->mean );
	}
	memcpy( kick->mean, body->match.motion, sizeof kick->mean );
	body->untouched = body->measured;
	if ( !tuning->bare && !body->measured )
	{
		pnMeasureSums( mover, body );
	}
}

// The motion as a whole of those that begin a substep.
static void pnReadyWholes( const pnMover* mover, pnBody* const* bodies, int count )
{
	pnBody* free[PN_MOST_CROWD];
	int freeCount = 0;
	for ( int i = 0; i < count; ++i )
	{
		if ( bodies[i]->response.bare || bodies[i]->relaxings > 0 )
		{
			continue;
		}
		if ( bodies[i]->pinCount > 0 )
		{
			pnFindWhole( bodies[i], &bodies[i]->sums, &bodies[i]->whole );
			continue;
		}
		free[freeCount++] = bodies[i];
	}
	if ( freeCount > 0 )
	{
		mover->kernel->crowd->findWholes( free, freeCount );
	}
}

// Velocity and turn that pins have just given a body, which clusters have not seen yet.
typedef struct pnCarried { double velocity[3], turn[3]; bool follows; } pnCarried;

// How many rounds it takes, the response for their length, pins on their way, what gravity does.
static void pnTuneBody( const pnMover* mover, pnBody* body, int roundsDone, pnCarried* carried )
{
	const pnTuning* tuning = &body->response;
	pnPointStep* kick = &body->kick;
	*carried = (pnCarried){ .follows = false };
	if ( roundsDone == 0 && body->relaxings == 0 )
	{
		body->rounds = tuning->bare ? 1 : pnCountRounds( body, mover->step );
		bool held = body->pinCount > 0;
		if ( tuning->step != mover->step / body->rounds || tuning->held != held )
		{
			body->response = ( held ? pnMakeHeldTuning : pnMakeTuning )( &body->material, mover->step / body->rounds, body->solid->overlapping, body->stiffening );
		}
	}
	body->timeLeft = mover->timeLeft - roundsDone * tuning->step;
	kick->step = (float)tuning->step;
	kick->after = (float)( tuning->pull / tuning->step );
	if ( body->pinCount > 0 && !tuning->bare )
	{
		pnPinMotion was = pnMeasurePins( body );
		for ( int k = 0; k < 3; ++k )
		{
			body->match.motion[4 * pn_pinRow + k] = (float)was.velocity[k];
			body->match.motion[4 * ( pn_pinRow + 1 ) + k] = (float)was.turn[k];
		}
		pnAimPins( body, body->timeLeft );
		carried->follows = pnFollowPins( body, &was, 1.0 - tuning->local, carried->velocity, carried->turn );
	}
	else
	{
		pnAimPins( body, body->timeLeft );
	}
	if ( carried->follows )
	{
		pnMeasureSums( mover, body );
	}
	if ( !tuning->bare && ( roundsDone > 0 || body->relaxings > 0 || body->pinCount > 0 ) )
	{
		pnFindWhole( body, &body->sums, &body->whole ); // as it lies now, with its pins on their way
	}
	pnFindGain( mover, body, kick );
}

// What the kick makes of deviations, and what clusters are told of the motion.
static void pnFinishReady( pnBody* body, const pnCarried* carried )
{
	const pnTuning* tuning = &body->response;
	pnPointStep* kick = &body->kick;
	// Without a past there is no half kick to be finished; and nothing is damped where the motion of the clusters is not known.
	double half = body->fresh ? 0.0 : 0.5 * body->lastRate, after = 0.5 * tuning->pull / tuning->step;
	bool known = !body->fresh && !body->revalued;
	body->loses = tuning->followed < 1.0 && ( body->fresh || ( known && body->lastStep < tuning->step ) );
	bool damps = !body->fresh && !body->struck && !body->loses && tuning->damp > 0.0f && after > 0.0;
	double keep = damps ? pnFindKeep( body ) : 1.0, left = damps ? keep * ( 1.0 - (double)tuning->damp ) : 1.0, reach = 1.0 / ( left * half + after );
	kick->before = (float)( left * half );
	kick->after = (float)after;
	kick->more = keep > 1e-6 ? (float)( after / keep - half ) : 0.0f; // where all was taken nothing is told
	kick->drag = damps ? (float)( reach * ( 1.0 - left ) ) : 0.0f;
	// Velocity that was given to it is that of its own inertia; what swings undamped is more inert by 1 / (1 - b/2) from the first damped step on (govern.c). The
	// part b of it that clusters keep gives way so that its energy stays: 1 - b + part b = sqrt( 1 - b/2 ).
	double b = tuning->damp, left2 = body->given && damps ? 1.0 - 0.5 * b : 1.0, part = left2 < 1.0 ? ( sqrt( left2 ) - ( 1.0 - b ) ) / b : 1.0;
	kick->kept = (float)( keep * sqrt( left2 ) );
	reach = damps ? part * keep * reach : 0.0;
	float* row = body->match.motion + 4 * pn_reachRow;
	row[0] = (float)reach, row[1] = (float)half, row[2] = kick->turns || carried->follows ? 1.0f : 0.0f;
	// Clusters tell their own motion from that of the chord. What is free is braced (pnFindStray), so that its turn need not be told from damping twice:
	// goals that reached ahead by it would drown what they are meant for in rounding.
	const double *turn = body->whole.turn, *swung = carried->turn;
	const double rigid[9] = { 0.0, -turn[2], turn[1], turn[2], 0.0, -turn[0], -turn[1], turn[0], 0.0 };
	const double unseen[9] = { 0.0, -swung[2], swung[1], swung[2], 0.0, -swung[0], -swung[1], swung[0], 0.0 };
	bool braced = kick->turns && !kick->held;
	for ( int k = 0; k < 3; ++k )
	{
		row = body->match.motion + 4 * ( pn_chordRow + k );
		for ( int j = 0; j < 3; ++j )
		{
			row[j] = kick->chordBefore[3 * k + j] + ( braced ? (float)rigid[3 * k + j] : 0.0f ) - (float)unseen[3 * k + j];
		}
		row[3] = (float)body->whole.center[k];
		body->match.motion[k] -= (float)carried->velocity[k];
	}
}

void pnReadyBodies( const pnMover* mover, pnBody* const* bodies, int count, int roundsDone )
{
	pnCarried carried[PN_MOST_CROWD];
	PN_ASSERT( count <= PN_MOST_CROWD );
	for ( int i = 0; i < count; ++i )
	{
		pnBeginReady( mover, bodies[i] );
	}
	if ( roundsDone == 0 )
	{
		pnReadyWholes( mover, bodies, count );
	}
	for ( int i = 0; i < count; ++i )
	{
		pnTuneBody( mover, bodies[i], roundsDone, carried + i );
	}
	pnReadyChords( mover, bodies, count );
	for ( int i = 0; i < count; ++i )
	{
		if ( !bodies[i]->response.bare )
		{
			pnFinishReady( bodies[i], carried + i );
		}
	}
}

static void pnPrefetchRange( const void* from, const void* to )
{
	for ( const char* at = from; at < (const char*)to; at += PN_CACHE_LINE )
	{
		__builtin_prefetch( at, 1 );
	}
}

void pnPrefetchReady( const pnBody* body ) // all but the materials, which a step has no need of
{
	__builtin_prefetch( body, 1 );
	pnPrefetchRange( &body->response, &body->response.material );
	pnPrefetchRange( &body->mass, body + 1 );
}

void pnPrefetchBody( const pnBody* body )
{
	int count = body->count < 256 ? body->count : 256; // longer runs the hardware follows by itself
	for ( int i = 0; i < count; i += 4 ) // four rows are one cache line
	{
		__builtin_prefetch( body->v + 4 * i, 1 );
	}
	__builtin_prefetch( &body->solid->clusterCount );
	__builtin_prefetch( &body->solid->overlapping );
}

// About one pin, or a line of them, neither shape nor damping has a torque: what goals that follow a shape far from its fit would make of the turn is taken out of
// the kick, or the body would be driven round by its own damping. With more pins nothing turns.
static void pnFindHeldStray( pnBodyStep* step )
{
	pnPointStep* points = step->points;
	const pnBody* body = step->body;
	const double *J = body->whole.second, trace = J[0] + J[1] + J[2], full[9] = { J[0], J[3], J[5], J[3], J[1], J[4], J[5], J[4], J[2] };
	double kick[6], torque[3], free = 0.0, both = (double)points->before + (double)points->after, per = both > 0.0 ? 1.0 / both : 0.0; // of the spin that relaxing has made
	for ( int k = 0; k < 9; ++k )
	{
		free += body->whole.perInertia[k] * body->whole.perInertia[k];
	}
	if ( !( free > 0.0 ) )
	{
		return;
	}
	pnForBlocks( step, pnBraceTask );
	PN_ADD_BLOCKS( step, kick, kick );
	for ( int k = 0; k < 3; ++k )
	{
		int k1 = ( k + 1 ) % 3, k2 = ( k + 2 ) % 3;
		double c1 = (double)points->center[k1], c2 = (double)points->center[k2], turned = trace * (double)points->twist[k];
		for ( int j = 0; j < 3; ++j )
		{
			turned -= full[3 * k + j] * (double)points->twist[j];
		}
		turned += ( body->sums.moment[k1] - c1 ) * (double)points->push[k2] - ( body->sums.moment[k2] - c2 ) * (double)points->push[k1];
		torque[k] = kick[3 + k] - ( c1 * kick[k2] - c2 * kick[k1] ) - turned - per * body->straySpin[k];
	}
	for ( int k = 0; k < 3; ++k )
	{
		const double* row = body->whole.perInertia + 3 * k;
		points->twist[k] += (float)( row[0] * torque[0] + row[1] * torque[1] + row[2] * torque[2] );
	}
}

// Where a particle would go if it were relaxed wholly: to its goal, less the rigid part.
static void pnFindWay( const pnBody* body, const pnPointStep* points, int i, double arm[3], double way[3] )
{
	const float *x = points->x + 4 * (size_t)i, *v = points->v + 4 * (size_t)i, *force = points->force + 4 * (size_t)i;
	for ( int k = 0; k < 3; ++k )
	{
		arm[k] = (double)x[k] - body->whole.center[k];
	}
	for ( int k = 0; k < 3; ++k )
	{
		int k1 = ( k + 1 ) % 3, k2 = ( k + 2 ) % 3;
		double rigid = (double)points->push[k] + (double)points->twist[k1] * arm[k2] - (double)points->twist[k2] * arm[k1];
		way[k] = v[3] > 0.0f ? rigid - (double)force[k] * (double)v[3] : 0.0;
	}
}

// Moves particles towards their goals, so far that they lose this energy, J per kg, and leaves velocities alone. The spin this makes is told as stray.
// False, and nothing is done, where it would bring nothing: what turns is drawn out by its turn, and drawn in it turns faster.
static bool pnRelax( pnBody* body, const pnPointStep* points, double energy )
{
	const pnTuning* tuning = &body->response;
	const double* turn = body->whole.turn;
	double way2 = 0.0, drawn = 0.0, spin[3] = { 0.0, 0.0, 0.0 }, arm[3], way[3];
	for ( int i = 0; i < body->solid->particleCount; ++i )
	{
		double m = points->x[4 * (size_t)i + 3], along, turn2 = 0.0;
		pnFindWay( body, points, i, arm, way );
		along = turn[0] * arm[0] + turn[1] * arm[1] + turn[2] * arm[2];
		for ( int k = 0; k < 3; ++k )
		{
			turn2 += turn[k] * turn[k];
			way2 += m * way[k] * way[k];
		}
		for ( int k = 0; k < 3; ++k )
		{
			drawn -= m * way[k] * ( turn2 * arm[k] - turn[k] * along );
		}
	}
	double force2 = tuning->stiffness * way2, gain = force2 - ( drawn > 0.0 ? drawn : 0.0 ), most = 1.0 / tuning->curvature;
	if ( !( gain > 0.5 * force2 ) )
	{
		return false;
	}
	double part = energy < most * gain ? energy / gain : most;
	for ( int i = 0; i < body->solid->particleCount; ++i )
	{
		float *x = points->x + 4 * (size_t)i, *force = points->force + 4 * (size_t)i;
		const float* v = points->v + 4 * (size_t)i;
		double u[3], m = x[3];
		pnFindWay( body, points, i, arm, way );
		for ( int k = 0; k < 3; ++k )
		{
			u[k] = (double)v[k] - ( points->held ? body->whole.velocity[k] : (double)points->mean[k] );
		}
		for ( int k = 0; k < 3; ++k )
		{
			int k1 = ( k + 1 ) % 3, k2 = ( k + 2 ) % 3;
			spin[k] += part * m * ( way[k1] * u[k2] - way[k2] * u[k1] );
			x[k] = pnStayInside( (float)( (double)x[k] + part * way[k] ) );
		}
		memset( force, 0, 4 * sizeof( float ) );
	}
	for ( int k = 0; k < 3; ++k )
	{
		body->straySpin[k] += spin[k];
	}
	body->account = body->unbooked;
	body->measured = false;
	body->relaxings += 1;
	return true;
}

// What pushes of contact have taken of its energy: what that has changed by in a step after them, less the work of gravity. What damping takes meanwhile counts as
// taken by them; where a user's impulses and forces act too nothing can be told.
static void pnBookPushes( const pnMover* mover, pnBody* body, double before, double since )
{
	const float *mean = body->kick.mean, gravity[3] = { mover->gravity.x, mover->gravity.y, mover->gravity.z };
	double scale = body->response.stiffness * body->size2, energy = body->kinetic + body->elastic;
	bool strained = 2.0 * (double)body->strained > 3e-3 * scale;
	bool forced = body->struck || body->forceCount > 0 || body->force.x != 0.0f || body->force.y != 0.0f || body->force.z != 0.0f;
	bool known = ( strained || body->stored > 1e-4 * energy ) && !body->untouched && !forced && !body->fresh && !body->revalued && body->pinCount == 0 && body->gripCount == 0 && body->relaxings == 0;
	double fallen = 0.0;
	for ( int k = 0; k < 3; ++k )
	{
		fallen += since * (double)body->gravityScale * (double)gravity[k] * (double)mean[k];
	}
	double worked = known ? energy - before - (double)body->mass * fallen : 0.0;
	if ( body->stored != 0.0 || worked != 0.0 )
	{
		body->stored = ( body->stored - worked ) * pnExp( -PN_FORGETTING * body->response.step ); // less than none: given by those that it touches (pnSettlePushes)
	}
}

static void pnMoveBare( pnBodyStep* step )
{
	pnBody* body = step->body;
	double h = body->response.step, gained[3] = { 0.0, 0.0, 0.0 }, turned[3] = { 0.0, 0.0, 0.0 };
	pnForBlocks( step, pnAdvanceBareTask );
	pnApplyPointForces( body, h, gained, turned );
	pnPullGrips( body, h, body->timeLeft, gained, turned );
	body->kinetic = body->elastic = 0.0;
	body->strained = 0.0f;
}

// Kick and drift, and the account before and after. False: it was relaxed only.
static bool pnKick( pnBodyStep* step, pnPointTotals* totals )
{
	pnBody* body = step->body;
	pnPointStep* points = step->points;
	double owed = pnGovern( body, points, &( pnWeights ){ pnWeighBlocks, step } );
	if ( owed > 0.0 && pnRelax( body, points, owed ) )
	{
		return false;
	}
	pnForBlocks( step, pnAdvanceTask );
	PN_ADD_BLOCKS( step, totals, *totals );
	pnLeaveOutStray( body, points, &totals->deviation2, &totals->kick2 );
	double before = body->kinetic + body->elastic, since = body->lastStep;
	pnBookEnergy( body, points, totals );
	pnBookPushes( step->mover, body, before, since );
	return true;
}

// After all else: forces at points and hands, whose work the next step finds.
static void pnPushMoved( pnBody* body )
{
	double h = body->response.step, gained[3] = { 0.0, 0.0, 0.0 }, turned[3] = { 0.0, 0.0, 0.0 };
	pnApplyPointForces( body, h, gained, turned );
	pnPullGrips( body, h, body->timeLeft, gained, turned );
	for ( int k = 0; k < 3 && !body->kick.held; ++k )
	{
		body->match.motion[k] += (float)gained[k];
		body->origin[k] += (float)( h * gained[k] );
	}
	body->match.motion[3] = (float)( 1.0 / h );
	body->given = body->fresh;
	body->fresh = body->revalued = body->struck = false;
	body->relaxings = 0;
}

void pnMoveBodies( const pnMover* mover, pnBody* const* bodies, float* const* sums, int count, bool* done )
{
	pnBody *alive[PN_MOST_CROWD], *moved[PN_MOST_CROWD];
	pnPointTotals totals[PN_MOST_CROWD];
	double kicks[PN_MOST_CROWD][6] = { { 0.0 } };
	int aliveCount = 0, movedCount = 0;
	PN_ASSERT( count <= PN_MOST_CROWD );
	for ( int i = 0; i < count; ++i )
	{
		pnBodyStep step = { mover, bodies[i], &bodies[i]->kick };
		bodies[i]->kick.force = sums[i];
		done[i] = true;
		if ( bodies[i]->response.bare )
		{
			pnMoveBare( &step );
			continue;
		}
		if ( !bodies[i]->kick.held )
		{
			pnForBlocks( &step, pnBraceTask );
			PN_ADD_BLOCKS( &step, kick, kicks[aliveCount] );
		}
		alive[aliveCount++] = bodies[i];
	}
	if ( aliveCount == 0 )
	{
		return;
	}
	mover->kernel->crowd->aim( alive, (const double( * )[6])kicks, aliveCount );
	for ( int i = 0; i < count; ++i )
	{
		pnBodyStep step = { mover, bodies[i], &bodies[i]->kick };
		if ( bodies[i]->response.bare )
		{
			continue;
		}
		if ( bodies[i]->kick.held )
		{
			pnFindHeldStray( &step );
		}
		done[i] = pnKick( &step, totals + movedCount );
		if ( done[i] )
		{
			moved[movedCount++] = bodies[i];
		}
	}
	if ( movedCount > 0 )
	{
		mover->kernel->crowd->settle( moved, totals, movedCount );
	}
	for ( int i = 0; i < movedCount; ++i )
	{
		pnPushMoved( moved[i] );
	}
}
