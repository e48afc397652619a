// chord_wide.h - motion as a whole and its chords, of PN_CROWD bodies side by side: one lane each, in double. Included once for each number of lanes, with
// PN_CROWD 1 or 4 defined. A lane does what it would alone, operation by operation, so no bit depends on who is beside it. Knows bodies, no world.
#pragma once

#include "body.h"

#include <math.h>

#if PN_CROWD > 1 && defined( __SSE2__ )
#include <immintrin.h>
#endif

#define PN_SIDE static inline __attribute__( ( always_inline ) )

// PN_TAKE: a number of each lane's struct.
#if PN_CROWD == 1
typedef double pnDoubles;
typedef int pnDoublesMask; // 0 or 1
#define PN_LANE( v, l ) ( v )
#define PN_TAKE( of, number ) ( (double)( of )[0]->number )
#else
#pragma GCC diagnostic ignored "-Wpsabi" // they never cross a call
typedef double pnDoubles __attribute__( ( vector_size( 8 * PN_CROWD ) ) );
typedef int64_t pnDoublesMask __attribute__( ( vector_size( 8 * PN_CROWD ) ) ); // 0 or -1 in each lane
#define PN_LANE( v, l ) ( ( v )[l] )
#define PN_TAKE( of, number ) ( (pnDoubles){ ( of )[0]->number, ( of )[1]->number, ( of )[2]->number, ( of )[3]->number } )
#endif

PN_SIDE pnDoubles pnEach( double a )
{
#if PN_CROWD == 1
	return a;
#else
	return a - (pnDoubles){ 0 };
#endif
}

PN_SIDE pnDoubles pnWhere( pnDoublesMask m, pnDoubles a, pnDoubles b ) // m ? a : b
{
#if PN_CROWD == 1
	return m ? a : b;
#else
	return (pnDoubles)( ( m & (pnDoublesMask)a ) | ( ~m & (pnDoublesMask)b ) );
#endif
}

PN_SIDE pnDoublesMask pnExcept( pnDoublesMask m )
{
#if PN_CROWD == 1
	return !m;
#else
	return ~m;
#endif
}

PN_SIDE bool pnSome( pnDoublesMask m )
{
#if PN_CROWD == 1
	return m != 0;
#elif defined( __AVX__ )
	return _mm256_movemask_pd( (__m256d)m ) != 0;
#else
	return ( m[0] | m[1] | m[2] | m[3] ) != 0;
#endif
}

PN_SIDE pnDoubles pnRoot( pnDoubles a )
{
#if PN_CROWD == 1
	return sqrt( a );
#elif defined( __AVX__ )
	return (pnDoubles)_mm256_sqrt_pd( (__m256d)a );
#else
	return (pnDoubles){ sqrt( a[0] ), sqrt( a[1] ), sqrt( a[2] ), sqrt( a[3] ) };
#endif
}

PN_SIDE void pnCrossOf( const pnDoubles a[3], const pnDoubles b[3], pnDoubles out[3] )
{
	for ( int k = 0; k < 3; ++k )
	{
		int k1 = ( k + 1 ) % 3, k2 = ( k + 2 ) % 3;
		out[k] = a[k1] * b[k2] - a[k2] * b[k1];
	}
}

PN_SIDE pnDoubles pnDotBetween( const pnDoubles a[3], const pnDoubles b[3] ) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

PN_SIDE void pnApply( const pnDoubles m[9], const pnDoubles a[3], pnDoubles out[3] )
{
	for ( int k = 0; k < 3; ++k )
	{
		out[k] = m[3 * k] * a[0] + m[3 * k + 1] * a[1] + m[3 * k + 2] * a[2];
	}
}

// Motion as a whole of bodies without pins, from their sums.
PN_SIDE void pnFindFreeWholes( const pnBody* const bodies[PN_CROWD], const pnPointSums* const sums[PN_CROWD], pnWhole* const wholes[PN_CROWD] )
{
	pnDoubles spin[3], second[6], c[3], u[3], center[3], velocity[3], inverse[9], turn[3]; // c, u: the centre and its velocity, relative to origin and mean
	for ( int k = 0; k < 3; ++k )
	{
		c[k] = PN_TAKE( sums, moment[k] );
		u[k] = PN_TAKE( sums, flow[k] );
	}
	for ( int k = 0; k < 3; ++k )
	{
		int k1 = ( k + 1 ) % 3, k2 = ( k + 2 ) % 3;
		center[k] = PN_TAKE( bodies, origin[k] ) + c[k];
		velocity[k] = PN_TAKE( bodies, match.motion[k] ) + u[k];
		spin[k] = PN_TAKE( sums, spin[k] ) - ( c[k1] * u[k2] - c[k2] * u[k1] );
		second[k] = PN_TAKE( sums, second[k] ) - c[k] * c[k];
		second[3 + k] = PN_TAKE( sums, second[3 + k] ) - c[k] * c[k1];
	}
	// The inverse of tr( J ) 1 - J, as pnInvertInertia has it, which does what is nearly a line or a point.
	pnDoubles xx = second[1] + second[2], yy = second[0] + second[2], zz = second[0] + second[1], xy = -second[3], yz = -second[4], zx = -second[5], trace = xx + yy + zz;
	pnDoubles f[6] = { yy * zz - yz * yz, xx * zz - zx * zx, xx * yy - xy * xy, zx * yz - xy * zz, xy * zx - xx * yz, xy * yz - zx * yy };
	pnDoubles det = xx * f[0] + xy * f[3] + zx * f[5];
	pnDoublesMask solid = ( trace > 0.0 ) & ( det > 1e-5 * trace * trace * trace ) & ( PN_TAKE( bodies, size2 ) > 0.0 );
	inverse[0] = f[0] / det, inverse[4] = f[1] / det, inverse[8] = f[2] / det;
	inverse[1] = inverse[3] = f[3] / det, inverse[5] = inverse[7] = f[4] / det, inverse[2] = inverse[6] = f[5] / det;
	for ( int l = 0; l < PN_CROWD && pnSome( pnExcept( solid ) ); ++l )
	{
		double alone[6], inverted[9];
		for ( int k = 0; k < 6; ++k )
		{
			alone[k] = PN_LANE( second[k], l );
		}
		pnInvertInertia( bodies[l], alone, inverted );
		for ( int k = 0; k < 9; ++k )
		{
			PN_LANE( inverse[k], l ) = inverted[k];
		}
	}
	pnApply( inverse, spin, turn );
	// What lies scattered at the walls of the world has no turn that numbers could hold.
	pnDoubles fastest2 = ( second[0] + second[1] + second[2] ) * pnDotBetween( turn, turn );
	pnDoublesMask beyond = fastest2 > 1e30;
	if ( pnSome( beyond ) )
	{
		for ( int k = 0; k < 3; ++k )
		{
			turn[k] = pnWhere( beyond, turn[k] * ( 1e15 / pnRoot( fastest2 ) ), turn[k] );
		}
	}
	for ( int l = 0; l < PN_CROWD; ++l )
	{
		pnWhole* w = wholes[l];
		for ( int k = 0; k < 3; ++k )
		{
			w->center[k] = PN_LANE( center[k], l ), w->velocity[k] = PN_LANE( velocity[k], l ), w->turn[k] = PN_LANE( turn[k], l );
			w->second[k] = PN_LANE( second[k], l ), w->second[3 + k] = PN_LANE( second[3 + k], l );
			w->axis[k] = 0.0;
		}
		for ( int k = 0; k < 9; ++k )
		{
			w->perInertia[k] = PN_LANE( inverse[k], l );
		}
		w->perMass = 1.0;
	}
}

// A whole's numbers that its chords take.
typedef struct pnChordBodies { pnDoubles J[9], perInertia[9], axis[3], trace, part2; } pnChordBodies;

PN_SIDE void pnTakeChordBodies( const pnWhole* const wholes[PN_CROWD], pnDoubles part, pnChordBodies* b )
{
	static const int from[9] = { 0, 3, 5, 3, 1, 4, 5, 4, 2 };
	pnDoubles second[6];
	for ( int k = 0; k < 6; ++k )
	{
		second[k] = PN_TAKE( wholes, second[k] );
	}
	for ( int k = 0; k < 9; ++k )
	{
		b->J[k] = second[from[k]];
		b->perInertia[k] = PN_TAKE( wholes, perInertia[k] );
	}
	for ( int k = 0; k < 3; ++k )
	{
		b->axis[k] = PN_TAKE( wholes, axis[k] );
	}
	b->trace = second[0] + second[1] + second[2];
	b->part2 = part * part;
}

// One end of a drift. side: -1 the end of the last one, 1 the beginning of the next.
typedef struct pnChordEnd
{
	pnDoubles h, turn[3], p[3]; // the half turn
	pnDoubles next[3], g[3], lastF2, least; // on the way to it
	pnDoublesMask found, open, now;
	double side;
} pnChordEnd;

// A step of Newton's for the half turn p: D step = F, D the derivative of F. Returns which lanes have one.
PN_SIDE pnDoublesMask pnSolveHalfTurn( const pnChordBodies* b, double side, pnDoubles s, const pnDoubles p[3], const pnDoubles Jp[3], const pnDoubles F[3], pnDoubles step[3] )
{
	pnDoubles D[9], none = pnEach( 0.0 );
	for ( int c = 0; c < 3; ++c )
	{
		pnDoubles unit[3] = { none + ( c == 0 ), none + ( c == 1 ), none + ( c == 2 ) }, column[3] = { b->J[c], b->J[3 + c], b->J[6 + c] }, one[3], two[3];
		pnCrossOf( column, p, one );
		pnCrossOf( Jp, unit, two );
		for ( int r = 0; r < 3; ++r )
		{
			// a little more on the diagonal: a line does not turn about itself, and nothing asks it to
			D[3 * r + c] = ( r == c ? 1e-9 * b->trace : none ) + s * ( ( r == c ? b->trace : none ) - b->J[3 * r + c] ) - ( b->trace * p[r] - Jp[r] ) * p[c] / s + side * ( one[r] + two[r] );
		}
	}
	pnDoubles n0[3], n1[3], n2[3]; // by Cramer's rule: products of its rows
	pnCrossOf( D + 3, D + 6, n0 );
	pnCrossOf( D + 6, D, n1 );
	pnCrossOf( D, D + 3, n2 );
	pnDoubles det = pnDotBetween( D, n0 ), least = 1e-12 * b->trace * b->trace * b->trace;
	for ( int k = 0; k < 3; ++k )
	{
		step[k] = ( n0[k] * F[0] + n1[k] * F[1] + n2[k] * F[2] ) / det;
	}
	return ( det > least ) | ( -det > least );
}

// About one axis the sine of the turn is h times its speed.
PN_SIDE void pnFindAxisHalfTurn( const pnChordBodies* b, pnDoublesMask hinged, pnChordEnd* e )
{
	pnDoubles sine = e->h * pnDotBetween( b->axis, e->turn ), sine2 = sine * sine;
	pnDoubles half = pnWhere( sine < 0.0, pnEach( -1.0 ), pnEach( 1.0 ) ) * pnRoot( 0.5 * sine * sine / ( 1.0 + pnRoot( 1.0 - sine * sine ) ) );
	pnDoublesMask has = hinged & pnExcept( sine2 >= 1.0 );
	for ( int k = 0; k < 3; ++k )
	{
		e->next[k] = pnWhere( hinged, pnWhere( has, half * b->axis[k], pnEach( 0.0 ) ), e->next[k] );
	}
	e->now = has;
	e->open = e->open & pnExcept( hinged );
}

PN_SIDE void pnBeginHalfTurn( const pnChordBodies* b, pnChordEnd* e )
{
	pnDoubles Jt[3], g2 = pnEach( 0.0 );
	pnApply( b->J, e->turn, Jt );
	for ( int k = 0; k < 3; ++k )
	{
		e->g[k] = 0.5 * e->h * ( b->trace * e->turn[k] - Jt[k] );
		g2 += e->g[k] * e->g[k];
		e->next[k] = 0.5 * e->h * e->turn[k];
	}
	e->lastF2 = 1e4 * g2, e->least = 1e-16 * g2; // velocities are floats: what is left is less than their rounding, and given back like that
	e->open = pnEach( 0.0 ) == pnEach( 0.0 );
	e->now = pnEach( 0.0 ) != pnEach( 0.0 );
}

PN_SIDE void pnImproveHalfTurn( const pnChordBodies* b, pnChordEnd* e )
{
	pnDoubles *p = e->next, p2 = pnDotBetween( p, p ), Jp[3], cross[3], F[3], F2 = pnEach( 0.0 ), step[3];
	e->open = e->open & pnExcept( p2 > 0.5 ); // beyond a right angle the spin of a chord falls again
	pnDoubles s = pnRoot( 1.0 - p2 );
	pnApply( b->J, p, Jp );
	pnCrossOf( Jp, p, cross );
	for ( int k = 0; k < 3; ++k )
	{
		F[k] = s * ( b->trace * p[k] - Jp[k] ) + e->side * cross[k] - e->g[k];
		F2 += F[k] * F[k];
	}
	pnDoublesMask done = e->open & ( b->part2 * F2 <= e->least );
	e->now = e->now | done;
	e->open = e->open & pnExcept( done );
	if ( !pnSome( e->open ) )
	{
		return;
	}
	pnApply( b->perInertia, F, step ); // of a small turn all but its square is inertia, and the inverse of that is there
	pnDoublesMask slow = e->open & pnExcept( F2 < 1e-3 * e->lastF2 );
	if ( pnSome( slow ) )
	{
		pnDoubles exact[3];
		e->open = e->open & ( pnExcept( slow ) | pnSolveHalfTurn( b, e->side, s, p, Jp, F, exact ) );
		for ( int k = 0; k < 3; ++k )
		{
			step[k] = pnWhere( slow, exact[k], step[k] );
		}
	}
	e->lastF2 = F2;
	for ( int k = 0; k < 3; ++k )
	{
		p[k] = pnWhere( e->open, p[k] - step[k], p[k] );
	}
}

// The half turns whose chords have the spin of `turn`, by Newton, of some ends together: they do not wait for each other.
PN_SIDE void pnFindHalfTurns( const pnChordBodies* b, pnChordEnd* ends, const int endCount )
{
	pnDoublesMask hinged = pnDotBetween( b->axis, b->axis ) > 0.5;
	for ( int i = 0; i < endCount; ++i )
	{
		pnBeginHalfTurn( b, ends + i );
		if ( pnSome( hinged ) )
		{
			pnFindAxisHalfTurn( b, hinged, ends + i );
		}
	}
	for ( int round = 0; round < 16; ++round )
	{
		bool open = false;
		for ( int i = 0; i < endCount; ++i )
		{
			pnImproveHalfTurn( b, ends + i );
			open |= pnSome( ends[i].open );
		}
		if ( !open )
		{
			break;
		}
	}
}

// Chords of the ends' drifts, besides turn x arm: row major.
PN_SIDE void pnFindEndChords( const pnChordBodies* b, pnChordEnd* ends, const int endCount, pnDoubles chords[][9] )
{
	pnDoubles none = pnEach( 0.0 );
	for ( int i = 0; i < endCount; ++i )
	{
		ends[i].found = none != none;
		ends[i].p[0] = ends[i].p[1] = ends[i].p[2] = none;
	}
	bool missing = true;
	for ( int round = 0; round < 24 && missing; ++round )
	{
		pnFindHalfTurns( b, ends, endCount );
		missing = false;
		for ( int i = 0; i < endCount; ++i )
		{
			pnChordEnd* e = ends + i;
			pnDoublesMask lacks = pnExcept( e->found );
			for ( int k = 0; k < 3; ++k )
			{
				e->p[k] = pnWhere( lacks, e->next[k], e->p[k] );
				e->turn[k] = pnWhere( lacks & pnExcept( e->now ), 0.8 * e->turn[k], e->turn[k] );
			}
			e->found = e->found | e->now;
			missing |= pnSome( pnExcept( e->found ) );
		}
	}
	for ( int i = 0; i < endCount; ++i )
	{
		pnChordEnd* e = ends + i;
		const pnDoubles* p = e->p;
		pnDoubles p2 = pnDotBetween( p, p ), s = pnRoot( 1.0 - p2 ), twice = 2.0 / e->h;
		for ( int k = 0; k < 9; ++k )
		{
			int r = k / 3, c = k % 3, other = 3 - r - c;
			// [p]x [p]x = p p^T - p^2 1, and what 2 s [p]x / h is besides [turn]x
			pnDoubles square = p[r] * p[c] - ( r == c ? p2 : none ), skew = none;
			if ( r != c )
			{
				double sign = ( c - r + 3 ) % 3 == 1 ? -1.0 : 1.0;
				skew = sign * ( twice * s * p[other] - e->turn[other] );
			}
			chords[i][k] = pnWhere( e->found, e->side * twice * square + skew, none );
		}
	}
}
