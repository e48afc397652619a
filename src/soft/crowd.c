// crowd.c - what a step does with a body's own numbers, for four bodies side by side. Knows bodies, no world.
#include "crowd.h"

#define PN_CROWD 4
#include "chord_wide.h"

_Static_assert( PN_CROWD == PN_MOST_CROWD, "lanes that are empty stand in for the first" );

typedef float pnFloats __attribute__( ( vector_size( 4 * PN_CROWD ) ) );
typedef int32_t pnFloatsMask __attribute__( ( vector_size( 4 * PN_CROWD ) ) );

#define PN_TAKE_FLOATS( of, number ) ( (pnFloats){ ( of )[0]->number, ( of )[1]->number, ( of )[2]->number, ( of )[3]->number } )
#define PN_GIVE( of, number, v ) ( ( of )[0]->number = ( v )[0], ( of )[1]->number = ( v )[1], ( of )[2]->number = ( v )[2], ( of )[3]->number = ( v )[3] )

#if defined( __AVX__ )
PN_SIDE pnDoubles pnToDoubles( pnFloats a ) { return (pnDoubles)_mm256_cvtps_pd( (__m128)a ); }
PN_SIDE pnFloats pnToFloats( pnDoubles a ) { return (pnFloats)_mm256_cvtpd_ps( (__m256d)a ); }
#else
PN_SIDE pnDoubles pnToDoubles( pnFloats a ) { return __builtin_convertvector( a, pnDoubles ); }
PN_SIDE pnFloats pnToFloats( pnDoubles a ) { return __builtin_convertvector( a, pnFloats ); }
#endif
PN_SIDE pnFloats pnWhereFloats( pnFloatsMask m, pnFloats a, pnFloats b ) { return (pnFloats)( ( m & (pnFloatsMask)a ) | ( ~m & (pnFloatsMask)b ) ); }
PN_SIDE pnDoubles pnSize( pnDoubles a ) { return (pnDoubles)( (pnDoublesMask)a & 0x7fffffffffffffff ); }
// A number of a float struct, as double.
#define PN_TAKE_WIDE( of, number ) pnToDoubles( PN_TAKE_FLOATS( of, number ) )

// Lanes that nobody is in stand in for the first: they read what it has and write what it gets.
#define PN_FILL( filled, from, count )                                                                                        \
	for ( int l = 0; l < PN_CROWD; ++l )                                                                                      \
	{                                                                                                                         \
		( filled )[l] = ( from ) + ( l < ( count ) ? l : 0 );                                                                 \
	}
#define PN_FILL_BODIES( filled, from, count )                                                                                 \
	for ( int l = 0; l < PN_CROWD; ++l )                                                                                      \
	{                                                                                                                         \
		( filled )[l] = ( from )[l < ( count ) ? l : 0];                                                                      \
	}

static void pnFindWholesTogether( pnBody* const* some, int count )
{
	const pnBody* bodies[PN_CROWD];
	const pnPointSums* sums[PN_CROWD];
	pnWhole* wholes[PN_CROWD];
	PN_FILL_BODIES( bodies, some, count );
	for ( int l = 0; l < PN_CROWD; ++l )
	{
		sums[l] = &bodies[l]->sums;
		wholes[l] = &some[l < count ? l : 0]->whole;
	}
	pnFindFreeWholes( bodies, sums, wholes );
}

static void pnFindChordsTogether( const pnChordTask* some, int count )
{
	const pnChordTask* tasks[PN_CROWD];
	const pnWhole* wholes[PN_CROWD];
	PN_FILL( tasks, some, count );
	for ( int l = 0; l < PN_CROWD; ++l )
	{
		wholes[l] = &tasks[l]->body->whole;
	}
	pnChordBodies whole;
	pnChordEnd ends[2]; // one by one: to clear all of them first takes longer than to fill them
	ends[0].h = PN_TAKE( tasks, hBefore ), ends[0].side = -1.0;
	ends[1].h = PN_TAKE( tasks, hAfter ), ends[1].side = 1.0;
	pnDoubles chords[2][9], inertBefore = PN_TAKE( tasks, inertBefore ), inert = PN_TAKE( tasks, inert );
	pnTakeChordBodies( wholes, PN_TAKE( tasks, part ), &whole );
	for ( int k = 0; k < 3; ++k )
	{
		ends[0].turn[k] = PN_TAKE( wholes, turn[k] );
		ends[1].turn[k] = ends[0].turn[k] + PN_TAKE_WIDE( tasks, body->kick.swing[k] );
	}
	pnFindEndChords( &whole, ends, 2, chords );
	for ( int k = 0; k < 9; ++k )
	{
		pnFloats before = pnToFloats( pnWhere( inertBefore > 0.0, inertBefore * chords[0][k], pnEach( 0.0 ) ) ), after = pnToFloats( inert * chords[1][k] );
		PN_GIVE( tasks, body->kick.chordBefore[k], before );
		PN_GIVE( tasks, body->kick.chordAfter[k], after );
	}
}

// What the drag on each particle's velocity, without the chord, adds to sum and torque of a kick. center: relative to the origin.
PN_SIDE void pnAddDrag( pnBody* const bodies[PN_CROWD], const pnDoubles center[3], const pnDoubles moment[3], pnDoubles kick[6] )
{
	static const int from[9] = { 0, 3, 5, 3, 1, 4, 5, 4, 2 };
	pnDoubles drag = PN_TAKE_WIDE( bodies, kick.drag ), J[6], flow[3], second[9], turned[9]; // of the chord: flow of the whole, and p (chord p)^T
	for ( int k = 0; k < 6; ++k )
	{
		J[k] = PN_TAKE( bodies, sums.second[k] );
	}
	for ( int k = 0; k < 9; ++k ) // about origin and center: p ( p - center )^T
	{
		second[k] = J[from[k]] - moment[k / 3] * center[k % 3];
	}
	for ( int r = 0; r < 3; ++r )
	{
		pnDoubles c[3];
		for ( int k = 0; k < 3; ++k )
		{
			c[k] = PN_TAKE_WIDE( bodies, kick.chordBefore[3 * r + k] );
		}
		flow[r] = pnEach( 0.0 );
		for ( int k = 0; k < 3; ++k )
		{
			flow[r] += c[k] * ( moment[k] - center[k] );
			turned[3 * k + r] = c[0] * second[3 * k] + c[1] * second[3 * k + 1] + c[2] * second[3 * k + 2];
		}
	}
	for ( int k = 0; k < 3; ++k )
	{
		int k1 = ( k + 1 ) % 3, k2 = ( k + 2 ) % 3;
		kick[k] += drag * ( PN_TAKE( bodies, sums.flow[k] ) - flow[k] );
		kick[3 + k] += drag * ( PN_TAKE( bodies, sums.spin[k] ) - ( turned[3 * k1 + k2] - turned[3 * k2 + k1] ) );
	}
}

// As pnStayInside.
PN_SIDE pnFloats pnKeepInside( pnFloats x )
{
	const pnFloats wall = { 1e8f, 1e8f, 1e8f, 1e8f };
	x = pnWhereFloats( x <= wall, x, wall );
	return pnWhereFloats( x >= -wall, x, -wall );
}

static void pnAimTogether( pnBody* const* some, const double ( *someKicks )[6], int count )
{
	pnBody* bodies[PN_CROWD];
	const double( *kicks[PN_CROWD] )[6];
	PN_FILL_BODIES( bodies, some, count );
	PN_FILL( kicks, someKicks, count );
	pnDoubles origin[3], moment[3], center[3], kick[6], spin[3], second[6], far2 = pnEach( 0.0 ), step = PN_TAKE( bodies, response.step );
	pnFloats push[3], twist[3], held = { 0 };
	// The whole is not dragged. Of what is free all that drags it is measured (below); where pins hold it is what clusters make of its motion (pnDampW).
	pnFloats drag = { 0 };
	for ( int l = 0; l < PN_CROWD; ++l )
	{
		held[l] = bodies[l]->kick.held ? 1.0f : 0.0f;
		drag[l] = bodies[l]->kick.held ? bodies[l]->match.motion[4 * pn_reachRow] * bodies[l]->response.damp : bodies[l]->kick.drag;
	}
	pnDoublesMask holds = pnToDoubles( held ) > 0.5;
	for ( int k = 0; k < 3; ++k )
	{
		pnDoubles velocity = PN_TAKE( bodies, whole.velocity[k] ), turn = PN_TAKE( bodies, whole.turn[k] );
		origin[k] = PN_TAKE_WIDE( bodies, origin[k] );
		moment[k] = PN_TAKE( bodies, sums.moment[k] );
		pnFloats middle = pnToFloats( PN_TAKE( bodies, whole.center[k] ) - origin[k] ), rigid = pnToFloats( velocity - PN_TAKE_WIDE( bodies, kick.mean[k] ) );
		pnFloats turning = pnToFloats( turn ), lag = pnToFloats( PN_TAKE( bodies, lag[k] ) );
		push[k] = -drag * rigid;
		twist[k] = -drag * turning;
		center[k] = pnToDoubles( middle );
		pnDoubles way = pnWhere( holds, pnEach( 0.0 ), step * ( velocity + PN_TAKE_WIDE( bodies, kick.gain[k] ) ) );
		pnFloats ahead = pnKeepInside( pnToFloats( origin[k] + moment[k] + way ) );
		PN_GIVE( bodies, kick.center[k], middle );
		PN_GIVE( bodies, kick.rigid[k], rigid );
		PN_GIVE( bodies, kick.turn[k], turning );
		PN_GIVE( bodies, kick.lag[k], lag );
		PN_GIVE( bodies, kick.ahead[k], ahead );
	}
	// The rigid part of the deviations is zero in theory; taking it out, and what the last step's rounding put in, keeps both momenta.
	pnDoubles both = PN_TAKE_WIDE( bodies, kick.before ) + PN_TAKE_WIDE( bodies, kick.after );
	for ( int k = 0; k < 6; ++k )
	{
		kick[k] = (pnDoubles){ ( *kicks[0] )[k], ( *kicks[1] )[k], ( *kicks[2] )[k], ( *kicks[3] )[k] };
		second[k] = PN_TAKE( bodies, whole.second[k] );
	}
	pnAddDrag( bodies, center, moment, kick );
	for ( int k = 0; k < 3; ++k )
	{
		int k1 = ( k + 1 ) % 3, k2 = ( k + 2 ) % 3;
		spin[k] = kick[3 + k] - ( moment[k1] * kick[k2] - moment[k2] * kick[k1] );
		far2 += origin[k] * origin[k];
	}
	// What rounding did to a body that is a mere dot, seen from the origin, is no spin: to give it back would fling its points.
	pnDoubles per = pnWhere( both > 0.0, 1.0 / both, pnEach( 0.0 ) ), perSpin = pnWhere( second[0] + second[1] + second[2] > 1e-8 * far2, per, pnEach( 0.0 ) );
	for ( int k = 0; k < 3; ++k )
	{
		spin[k] = spin[k] - perSpin * PN_TAKE( bodies, straySpin[k] );
	}
	const pnFloatsMask loose = held < 0.5f;
	for ( int k = 0; k < 3; ++k )
	{
		pnDoubles turned = pnEach( 0.0 );
		for ( int j = 0; j < 3; ++j )
		{
			turned += PN_TAKE( bodies, whole.perInertia[3 * k + j] ) * spin[j];
		}
		push[k] = pnWhereFloats( loose, push[k] + pnToFloats( kick[k] - per * PN_TAKE( bodies, strayMomentum[k] ) ), push[k] );
		twist[k] = pnWhereFloats( loose, twist[k] + pnToFloats( turned ), twist[k] );
		PN_GIVE( bodies, kick.push[k], push[k] );
		PN_GIVE( bodies, kick.twist[k], twist[k] );
	}
}

// Spin about the centre, relative to its motion.
PN_SIDE void pnFindSpin( const pnDoubles moment[3], const pnDoubles flow[3], const pnDoubles sum[3], pnDoubles spin[3] )
{
	for ( int k = 0; k < 3; ++k )
	{
		int k1 = ( k + 1 ) % 3, k2 = ( k + 2 ) % 3;
		spin[k] = sum[k] - ( moment[k1] * flow[k2] - moment[k2] * flow[k1] );
	}
}

static void pnSettleTogether( pnBody* const* some, const pnPointTotals* someTotals, int count )
{
	pnBody* bodies[PN_CROWD];
	const pnPointTotals* after[PN_CROWD];
	PN_FILL_BODIES( bodies, some, count );
	PN_FILL( after, someTotals, count );
	pnDoubles moment[3], flow[3], sum[3], second[6], momentWas[3], flowWas[3], sumWas[3], spin[3], spinWas[3], slip[3], lag[3], ahead[3], mean[3], place[3], velocity[3];
	pnDoubles step = PN_TAKE_WIDE( bodies, kick.step );
	pnFloats held = { 0 };
	for ( int k = 0; k < 3; ++k )
	{
		moment[k] = PN_TAKE( after, sums.moment[k] ), momentWas[k] = PN_TAKE( bodies, sums.moment[k] );
		flow[k] = PN_TAKE( after, sums.flow[k] ), flowWas[k] = PN_TAKE( bodies, sums.flow[k] );
		sum[k] = PN_TAKE( after, sums.spin[k] ), sumWas[k] = PN_TAKE( bodies, sums.spin[k] );
		second[k] = PN_TAKE( after, sums.second[k] ), second[3 + k] = PN_TAKE( after, sums.second[3 + k] );
		ahead[k] = PN_TAKE_WIDE( bodies, kick.ahead[k] );
		mean[k] = PN_TAKE_WIDE( bodies, kick.mean[k] );
	}
	for ( int l = 0; l < PN_CROWD; ++l )
	{
		held[l] = bodies[l]->kick.held ? 1.0f : 0.0f;
	}
	pnDoubles size = pnRoot( second[0] + second[1] + second[2] );
	pnDoublesMask stray = pnToDoubles( held ) < 0.5; // what rounding did; more than that, and it stands at the wall of the world
	pnFindSpin( momentWas, flowWas, sumWas, spinWas );
	pnFindSpin( moment, flow, sum, spin );
	for ( int k = 0; k < 3; ++k )
	{
		pnDoubles origin = PN_TAKE_WIDE( bodies, origin[k] );
		slip[k] = ( ( ahead[k] - origin ) + ( moment[k] - momentWas[k] ) ) - step * ( mean[k] + flow[k] );
		lag[k] = PN_TAKE( bodies, lag[k] );
		stray = stray & ( pnSize( lag[k] - slip[k] ) <= 1e-6 * ( 1.0 + size + pnSize( origin ) ) );
	}
	const pnFloatsMask loose = held < 0.5f;
	for ( int k = 0; k < 3; ++k )
	{
		pnDoubles none = pnEach( 0.0 ), momentum = PN_TAKE( bodies, strayMomentum[k] ) + ( flow[k] - flowWas[k] ) - PN_TAKE_WIDE( bodies, kick.gain[k] );
		pnDoubles strayMomentum = pnWhere( stray, momentum, none ), straySpin = pnWhere( stray, PN_TAKE( bodies, straySpin[k] ) + ( spin[k] - spinWas[k] ), none );
		pnDoubles left = pnWhere( stray, lag[k] - slip[k], none );
		pnFloats motion = pnWhereFloats( loose, pnToFloats( mean[k] + flow[k] ), ( pnFloats ){ 0 } ), origin = pnToFloats( ahead[k] + moment[k] );
		place[k] = pnToDoubles( origin ) - ahead[k];
		velocity[k] = pnToDoubles( motion ) - mean[k];
		PN_GIVE( bodies, strayMomentum[k], strayMomentum );
		PN_GIVE( bodies, straySpin[k], straySpin );
		PN_GIVE( bodies, lag[k], left );
		PN_GIVE( bodies, match.motion[k], motion );
		PN_GIVE( bodies, origin[k], origin );
	}
	// Sums as they are relative to the new origin and mean, which are `place` and `velocity` away.
	for ( int k = 0; k < 3; ++k )
	{
		int k1 = ( k + 1 ) % 3, k2 = ( k + 2 ) % 3;
		pnDoubles moment1 = moment[k] - place[k], flow1 = flow[k] - velocity[k];
		pnDoubles square = second[k] + place[k] * ( place[k] - 2.0 * moment[k] );
		pnDoubles product = second[3 + k] + ( place[k] * place[k1] - place[k] * moment[k1] - place[k1] * moment[k] );
		pnDoubles turned = sum[k] - ( ( moment[k1] * velocity[k2] - moment[k2] * velocity[k1] ) + ( place[k1] * ( flow[k2] - velocity[k2] ) - place[k2] * ( flow[k1] - velocity[k1] ) ) );
		PN_GIVE( bodies, sums.moment[k], moment1 );
		PN_GIVE( bodies, sums.flow[k], flow1 );
		PN_GIVE( bodies, sums.second[k], square );
		PN_GIVE( bodies, sums.second[3 + k], product );
		PN_GIVE( bodies, sums.spin[k], turned );
	}
	for ( int l = 0; l < PN_CROWD; ++l )
	{
		bodies[l]->measured = true;
	}
}

const pnCrowd pn_crowd = {
	.findWholes = pnFindWholesTogether,
	.findChords = pnFindChordsTogether,
	.aim = pnAimTogether,
	.settle = pnSettleTogether,
};
