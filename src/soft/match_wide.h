// match_wide.h - matching, PN_WIDTH clusters at a time; included once for each width. Knows clusters and particles, no bodies.
// After Mueller et al. 2005 ("Meshless deformations based on shape matching"), with one potential for blend, volume and caps.
// Each lane adds up its own cluster in member order, and a particle adds up what its clusters want of it in the order of the
// clusters: so no bit depends on the width, nor on which clusters happen to be matched together.
#pragma once

#include "shape_wide.h"

// base + map e( q ), as a sum of three products.
PN_INLINE pnFloatW pnEvaluateW( const pnFloatW m[PN_TERMS], pnFloatW base, pnFloatW q0, pnFloatW q1, pnFloatW q2, const int quadratic )
{
	if ( !quadratic )
	{
		return ( ( base + m[0] * q0 ) + m[1] * q1 ) + m[2] * q2;
	}
	pnFloatW a = m[0] + ( m[3] * q0 + m[6] * q1 );
	pnFloatW b = m[1] + ( m[4] * q1 + m[7] * q2 );
	pnFloatW c = m[2] + ( m[5] * q2 + m[8] * q0 );
	return ( base + a * q0 ) + ( b * q1 + c * q2 );
}

// Adds the rows of one lane to its particles; a member's rows of all lanes are together.
PN_INLINE void pnAddRows( const pnLaneW* lane, const pnFloat4* rows )
{
	const size_t stride = 4 * sizeof( pnFloatW ) / sizeof( pnFloat4 );
	for ( int first = 0; first < lane->count; first += 4 )
	{
		const uint32_t* point = lane->memberPoint + first;
		for ( int k = 0; k < 4; ++k, rows += stride )
		{
			pnFloat4* at = (pnFloat4*)( (char*)lane->force + point[k] );
			*at = *at + *rows;
		}
	}
}

// Second loop: each member's deviation from its goal, then lane by lane added to the particles. The deviations go back to scratch as
// rows, one for each lane; there are fewer of them than of what they are made from, so they never overtake the reading.
PN_INLINE void pnScatterW( const pnLaneW* lanes, pnFloatW* scratch, const pnGoalW* goal, const int quadratic, const int bare )
{
	pnFloatW square = pnSplat( 0.0f );
	const pnFloatW* in = scratch;
	pnFloatW* out = scratch;
	for ( int k = 0; k < goal->count; ++k, in += PN_SCRATCH_COLUMNS, out += 4 )
	{
		pnFloatW q0 = in[3], q1 = in[4], q2 = in[5], share = in[6], w = share * goal->share, d[4];
		for ( int i = 0; i < 3; ++i )
		{
			d[i] = in[i] - pnEvaluateW( goal->map[i], goal->base[i], q0, q1, q2, quadratic );
		}
		for ( int i = 0; i < 3; ++i )
		{
			pnFloatW weighted = w * d[i];
			square = bare ? square : square + weighted * d[i];
			d[i] = weighted;
		}
		d[3] = pnSplat( 0.0f );
		pnToRows( d, out );
	}
	for ( int l = 0; l < PN_WIDTH; ++l )
	{
		pnAddRows( lanes + l, (const pnFloat4*)scratch + PN_ROW( l ) );
	}
	if ( !bare )
	{
		pnFloatW energy = 0.5f * ( square - goal->share * goal->fitted2 ) + goal->share * goal->potential;
		for ( int l = 0; l < PN_WIDTH; ++l )
		{
			lanes[l].state->energy = pnGetLane( &energy, l );
		}
	}
}

// Stands in for empty lanes: no members, no extent, and a turn that is found at once.
static const pnClusterRest pn_emptyRest = { .missing = { 1.0f, 1.0f, 1.0f } };
static const pnTuning pn_emptyResponse = { .capStart = PN_NEVER, .capEnd = PN_NEVER, .rowStart = PN_NEVER, .slowStart = PN_NEVER, .yield = PN_NEVER };
static const float pn_emptyMotion[PN_MOTION_SIZE];

// Asks for what some lanes of the next batch begin with, while this one is worked on: a few at a time, because a machine only follows so many
// requests and waits if there are more.
PN_INLINE void pnPrefetchLanes( const pnBatch* batch, int first, int count, const int bare )
{
	for ( int l = first; batch != NULL && l < first + count; ++l )
	{
		const pnLane* lane = batch->lanes + l;
		if ( lane->rest == NULL )
		{
			continue; // an empty lane
		}
		const char *rest = (const char*)lane->rest, *state = (const char*)lane->state, *members = (const char*)lane->members;
		for ( size_t line = 0; line < sizeof( pnClusterRest ); line += 64 )
		{
			__builtin_prefetch( rest + line );
		}
		for ( size_t line = 0; line < ( bare ? 64 : offsetof( pnCluster, plastic ) ); line += 64 )
		{
			__builtin_prefetch( state + line );
		}
		__builtin_prefetch( members );
		__builtin_prefetch( members + 64 );
		__builtin_prefetch( members + 128 );
		__builtin_prefetch( lane->memberPoint );
		for ( uint32_t i = 0; i < lane->warm; i += 4 )
		{
			__builtin_prefetch( lane->x + 4 * i );
		}
	}
}

PN_INLINE int pnMatchKind( const pnBatch* batch, const pnBatch* next, float* sums, float* scratch, const float* zeros, const int quadratic, const int bare )
{
	pnCluster empty = { .rotation = { 0.0f, 0.0f, 0.0f, 1.0f }, .softness = 1.0f };
	int rare = 0;
	for ( int part = 0; part < PN_PARTS; ++part )
	{
		pnLaneW lanes[PN_WIDTH];
		pnCursorW cursor = { .zeros = (const char*)zeros };
		int longest = 0;
		for ( int l = 0; l < PN_WIDTH; ++l )
		{
			const pnLane* lane = batch->lanes + part * PN_WIDTH + l;
			const pnMatchBody* body = lane->body;
			if ( body == NULL )
			{
				lanes[l] = (pnLaneW){ pn_emptyMotion, sums, NULL, NULL, &pn_emptyRest, &empty, &pn_emptyResponse, pn_emptyMotion, 0, NULL, 0 };
				cursor.x[l] = (const char*)pn_emptyMotion;
				continue;
			}
			int count = lane->count;
			lanes[l] = (pnLaneW){
				.x = lane->x,
				.force = sums + (size_t)lane->sumRow * PN_SUM_SIZE,
				.members = lane->members,
				.memberPoint = lane->memberPoint,
				.rest = lane->rest,
				.state = lane->state,
				.response = body->response,
				.motion = body->motion,
				.count = count,
				.body = body,
				.cluster = lane->cluster,
			};
			longest = count > longest ? count : longest;
			cursor.x[l] = (const char*)lane->x;
			cursor.members[l] = (const char*)lanes[l].members;
			cursor.points[l] = (const char*)lanes[l].memberPoint;
			cursor.count[l] = count;
		}
		if ( longest == 0 )
		{
			continue;
		}
		alignas( 64 ) pnGoalW goal;
		alignas( 64 ) pnShapingW shaping;
		pnFloatW state1[4], *wide = (pnFloatW*)scratch;
		goal.count = longest;
		PN_LOAD( state1, state, 1 );
		const int quarter = PN_WIDTH / 4 > 0 ? PN_WIDTH / 4 : 1, ahead = part * PN_WIDTH;
		pnPrefetchLanes( next, ahead, quarter, bare );
		pnGatherW( &cursor, longest, wide, state1, shaping.offset, shaping.A );
		pnPrefetchLanes( next, ahead + quarter, PN_WIDTH > 1 ? quarter : 0, bare );
		if ( quadratic )
		{
			pnGatherQuadraticW( longest, wide, shaping.A );
		}
		pnPrefetchLanes( next, ahead + 2 * quarter, PN_WIDTH > 1 ? quarter : 0, bare );
		rare += pnShapeW( lanes, state1, &shaping, &goal, quadratic, bare );
		pnPrefetchLanes( next, ahead + 3 * quarter, PN_WIDTH > 1 ? quarter : 0, bare );
		pnScatterW( lanes, wide, &goal, quadratic, bare );
	}
	return rare;
}

#define PN_MATCH_KIND( name, quadratic, bare )                                                                                \
	static __attribute__( ( noinline ) ) int name( const pnBatch* batch, const pnBatch* next, float* sums, float* scratch, const float* zeros ) \
	{                                                                                                                         \
		return pnMatchKind( batch, next, sums, scratch, zeros, quadratic, bare );                                             \
	}
PN_MATCH_KIND( pnMatchLinear, 0, 0 )
PN_MATCH_KIND( pnMatchQuadratic, 1, 0 )
PN_MATCH_KIND( pnMatchLinearBare, 0, 1 )
PN_MATCH_KIND( pnMatchQuadraticBare, 1, 1 )

static int pnMatchWide( const pnBatch* batch, const pnBatch* next, float* sums, float* scratch, const float* zeros )
{
	if ( batch->bare )
	{
		return batch->quadratic ? pnMatchQuadraticBare( batch, next, sums, scratch, zeros ) : pnMatchLinearBare( batch, next, sums, scratch, zeros );
	}
	return batch->quadratic ? pnMatchQuadratic( batch, next, sums, scratch, zeros ) : pnMatchLinear( batch, next, sums, scratch, zeros );
}
