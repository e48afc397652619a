// whole.c - a body's motion as a whole: centre and turn, pins it turns about, pushes, chords. Knows one body, no world.
#include "whole.h"

#include "../base/mat3.h"
#include "body.h"

#include <math.h>

static void pnCrossTo( const double a[3], const double b[3], double out[3] )
{
	for ( int k = 0; k < 3; ++k )
	{
		int k1 = ( k + 1 ) % 3, k2 = ( k + 2 ) % 3;
		out[k] = a[k1] * b[k2] - a[k2] * b[k1];
	}
}

static double pnDotOf( const double a[3], const double b[3] )
{
	return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void pnTimes( const double m[9], const double a[3], double out[3] )
{
	for ( int k = 0; k < 3; ++k )
	{
		out[k] = m[3 * k] * a[0] + m[3 * k + 1] * a[1] + m[3 * k + 2] * a[2];
	}
}

// J as a matrix, from its six numbers.
static pnMat3d pnSecondMatrix( const double s[6] )
{
	return (pnMat3d){ { s[0], s[3], s[5], s[3], s[1], s[4], s[5], s[4], s[2] } };
}

// The inverse of tr( J ) 1 - J: about axes without inertia nothing turns; nor does a lone point, whose moments are what rounding leaves.
void pnInvertInertia( const pnBody* body, const double second[6], double inverse[9] )
{
	double f[6], det;
	if ( !( body->size2 > 0.0 ) )
	{
		memset( inverse, 0, 9 * sizeof( double ) );
		return;
	}
	if ( pnFindCofactors( second, f, &det ) )
	{
		inverse[0] = f[0] / det, inverse[4] = f[1] / det, inverse[8] = f[2] / det;
		inverse[1] = inverse[3] = f[3] / det, inverse[5] = inverse[7] = f[4] / det, inverse[2] = inverse[6] = f[5] / det;
		return;
	}
	for ( int c = 0; c < 3; ++c )
	{
		double unit[3] = { c == 0, c == 1, c == 2 }, column[3];
		pnAngularVelocity( second, unit, column );
		for ( int r = 0; r < 3; ++r )
		{
			inverse[3 * r + c] = column[r];
		}
	}
}

pnPinMotion pnMeasurePins( const pnBody* body )
{
	pnPinMotion m = { .freedom = 0 };
	double second[6] = { 0 }, spin[3] = { 0 }, per = 1.0 / body->pinCount;
	const double near2 = 1e-8; // of the size squared: pins nearer together than that are one place, or in a line
	for ( int i = 0; i < body->pinCount; ++i )
	{
		size_t row = 4 * (size_t)body->pins[i].particle;
		for ( int k = 0; k < 3; ++k )
		{
			m.center[k] += per * (double)body->match.x[row + k];
			m.velocity[k] += per * (double)body->v[row + k];
		}
	}
	for ( int i = 0; i < body->pinCount; ++i )
	{
		size_t row = 4 * (size_t)body->pins[i].particle;
		double arm[3], u[3];
		for ( int k = 0; k < 3; ++k )
		{
			arm[k] = (double)body->match.x[row + k] - m.center[k];
			u[k] = (double)body->v[row + k] - m.velocity[k];
		}
		for ( int k = 0; k < 3; ++k )
		{
			int k1 = ( k + 1 ) % 3, k2 = ( k + 2 ) % 3;
			spin[k] += per * ( arm[k1] * u[k2] - arm[k2] * u[k1] );
			second[k] += per * arm[k] * arm[k];
			second[3 + k] += per * arm[k] * arm[k1];
		}
	}
	pnMat3d vectors;
	double values[3];
	pnEigen3( pnSecondMatrix( second ), &vectors, values );
	if ( values[0] <= near2 * body->size2 )
	{
		m.freedom = 3;
		return m;
	}
	pnAngularVelocity( second, spin, m.turn );
	if ( values[1] <= near2 * body->size2 )
	{
		m.freedom = 1;
		for ( int k = 0; k < 3; ++k )
		{
			m.axis[k] = vectors.m[3 * k];
		}
	}
	return m;
}

// Sums about the center of w, relative to its motion: second moments to w, and the spin.
static void pnSumAbout( const pnBody* body, const pnPointSums* sums, pnWhole* w, double spin[3] )
{
	double a[3], u[3], ma[3], fa[3], au[3];
	for ( int k = 0; k < 3; ++k )
	{
		a[k] = w->center[k] - (double)body->origin[k];
		u[k] = w->velocity[k] - (double)body->match.motion[k];
	}
	pnCrossTo( sums->moment, u, ma );
	pnCrossTo( a, sums->flow, fa );
	pnCrossTo( a, u, au );
	for ( int k = 0; k < 3; ++k )
	{
		int k1 = ( k + 1 ) % 3;
		spin[k] = sums->spin[k] - ma[k] - fa[k] + au[k];
		w->second[k] = sums->second[k] - 2.0 * a[k] * sums->moment[k] + a[k] * a[k];
		w->second[3 + k] = sums->second[3 + k] - a[k] * sums->moment[k1] - a[k1] * sums->moment[k] + a[k] * a[k1];
	}
}

// What lies scattered at the walls of the world has no turn that numbers could hold.
static void pnLimitTurn( pnWhole* w )
{
	double fastest2 = ( w->second[0] + w->second[1] + w->second[2] ) * pnDotOf( w->turn, w->turn );
	for ( int k = 0; k < 3 && fastest2 > 1e30; ++k )
	{
		w->turn[k] *= 1e15 / sqrt( fastest2 );
	}
}

static void pnFindPinnedWhole( const pnBody* body, const pnPointSums* sums, pnWhole* w )
{
	pnPinMotion pins = pnMeasurePins( body );
	double spin[3];
	memcpy( w->center, pins.center, sizeof w->center );
	memcpy( w->velocity, pins.velocity, sizeof w->velocity );
	memcpy( w->axis, pins.axis, sizeof w->axis );
	pnSumAbout( body, sums, w, spin );
	pnMat3d J = pnSecondMatrix( w->second );
	double trace = w->second[0] + w->second[1] + w->second[2], Jt[3];
	pnTimes( J.m, pins.turn, Jt );
	for ( int k = 0; k < 3; ++k ) // and relative to the turn that pins give
	{
		spin[k] -= trace * pins.turn[k] - Jt[k];
	}
	w->perMass = 0.0;
	memset( w->perInertia, 0, sizeof w->perInertia );
	if ( pins.freedom == 3 )
	{
		pnInvertInertia( body, w->second, w->perInertia );
	}
	else if ( pins.freedom == 1 )
	{
		double Jn[3];
		pnTimes( J.m, w->axis, Jn );
		double inertia = trace - pnDotOf( w->axis, Jn );
		for ( int k = 0; k < 9 && inertia > 1e-6 * trace; ++k )
		{
			w->perInertia[k] = w->axis[k / 3] * w->axis[k % 3] / inertia;
		}
	}
	pnTimes( w->perInertia, spin, w->turn );
	for ( int k = 0; k < 3; ++k )
	{
		w->turn[k] += pins.turn[k];
	}
	pnLimitTurn( w );
}

void pnFindWhole( const pnBody* body, const pnPointSums* sums, pnWhole* w )
{
	if ( body->pinCount > 0 )
	{
		pnFindPinnedWhole( body, sums, w );
		return;
	}
	double spin[3];
	const double *c = sums->moment, *u = sums->flow; // the centre and its velocity, relative to origin and mean
	for ( int k = 0; k < 3; ++k )
	{
		int k1 = ( k + 1 ) % 3, k2 = ( k + 2 ) % 3;
		w->center[k] = (double)body->origin[k] + c[k];
		w->velocity[k] = (double)body->match.motion[k] + u[k];
		w->axis[k] = 0.0;
		spin[k] = sums->spin[k] - ( c[k1] * u[k2] - c[k2] * u[k1] );
		w->second[k] = sums->second[k] - c[k] * c[k];
		w->second[3 + k] = sums->second[3 + k] - c[k] * c[k1];
	}
	w->perMass = 1.0;
	pnInvertInertia( body, w->second, w->perInertia );
	pnTimes( w->perInertia, spin, w->turn );
	pnLimitTurn( w );
}

pnPointSums pnSumParticles( const pnBody* body )
{
	pnPointSums sums = { 0 };
	for ( int i = 0; i < body->solid->particleCount; ++i )
	{
		const float *x = body->match.x + 4 * (size_t)i, *v = body->v + 4 * (size_t)i;
		double m = x[3], p[3], u[3];
		for ( int k = 0; k < 3; ++k )
		{
			p[k] = (double)x[k] - (double)body->origin[k];
			u[k] = (double)v[k] - (double)body->match.motion[k];
		}
		for ( int k = 0; k < 3; ++k )
		{
			int k1 = ( k + 1 ) % 3, k2 = ( k + 2 ) % 3;
			sums.moment[k] += m * p[k];
			sums.flow[k] += m * u[k];
			sums.second[k] += m * p[k] * p[k];
			sums.second[3 + k] += m * p[k] * p[k1];
			sums.spin[k] += m * ( p[k1] * u[k2] - p[k2] * u[k1] );
		}
	}
	return sums;
}

pnWhole pnFindWholeNow( const pnBody* body )
{
	pnPointSums sums = pnSumParticles( body );
	pnWhole whole;
	pnFindWhole( body, &sums, &whole );
	return whole;
}

double pnWholeEnergy( const pnWhole* w )
{
	pnMat3d J = pnSecondMatrix( w->second );
	double Jt[3], trace = w->second[0] + w->second[1] + w->second[2];
	pnTimes( J.m, w->turn, Jt );
	return 0.5 * ( pnDotOf( w->velocity, w->velocity ) + trace * pnDotOf( w->turn, w->turn ) - pnDotOf( w->turn, Jt ) );
}

// Both ends of a body's drifts at once, the end of the last one in lane 0 and the beginning of the next in lane 1. A lane does what it would alone.
typedef double pnEnds __attribute__( ( vector_size( 16 ) ) );
typedef int64_t pnEndsMask __attribute__( ( vector_size( 16 ) ) ); // 0 or -1 in each lane

static pnEnds pnSelectEnds( pnEndsMask m, pnEnds a, pnEnds b ) { return (pnEnds)( ( m & (pnEndsMask)a ) | ( ~m & (pnEndsMask)b ) ); }
static pnEnds pnSqrtEnds( pnEnds a ) { return (pnEnds){ sqrt( a[0] ), sqrt( a[1] ) }; }
static bool pnAnyEnd( pnEndsMask m ) { return ( m[0] | m[1] ) != 0; }
static pnEnds pnDotEnds( const pnEnds a[3], const pnEnds b[3] ) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static void pnCrossEnds( const pnEnds a[3], const pnEnds b[3], pnEnds out[3] )
{
	for ( int k = 0; k < 3; ++k )
	{
		int k1 = ( k + 1 ) % 3, k2 = ( k + 2 ) % 3;
		out[k] = a[k1] * b[k2] - a[k2] * b[k1];
	}
}

static void pnTimesEnds( const double m[9], const pnEnds a[3], pnEnds out[3] )
{
	for ( int k = 0; k < 3; ++k )
	{
		out[k] = m[3 * k] * a[0] + m[3 * k + 1] * a[1] + m[3 * k + 2] * a[2];
	}
}

static const pnEnds pn_ends = { -1.0, 1.0 };

// A step of Newton's for the half turns p: D step = F, D the derivative of F. Returns which have one.
static pnEndsMask pnSolveHalfTurns( const pnMat3d* J, double trace, pnEnds s, const pnEnds p[3], const pnEnds Jp[3], const pnEnds F[3], pnEnds step[3] )
{
	pnEnds D[9], none = { 0.0, 0.0 };
	for ( int c = 0; c < 3; ++c )
	{
		pnEnds unit[3] = { none + ( c == 0 ), none + ( c == 1 ), none + ( c == 2 ) }, column[3] = { none + J->m[c], none + J->m[3 + c], none + J->m[6 + c] }, one[3], two[3];
		pnCrossEnds( column, p, one );
		pnCrossEnds( Jp, unit, two );
		for ( int r = 0; r < 3; ++r )
		{
			// a little more on the diagonal: a line does not turn about itself, and nothing asks it to
			D[3 * r + c] = ( r == c ? 1e-9 * trace : 0.0 ) + s * ( ( r == c ? trace : 0.0 ) - J->m[3 * r + c] ) - ( trace * p[r] - Jp[r] ) * p[c] / s + pn_ends * ( one[r] + two[r] );
		}
	}
	pnEnds n0[3], n1[3], n2[3]; // by Cramer's rule: products of its rows
	pnCrossEnds( D + 3, D + 6, n0 );
	pnCrossEnds( D + 6, D, n1 );
	pnCrossEnds( D, D + 3, n2 );
	pnEnds det = pnDotEnds( D, n0 );
	double least = 1e-12 * trace * trace * trace;
	for ( int k = 0; k < 3; ++k )
	{
		step[k] = ( n0[k] * F[0] + n1[k] * F[1] + n2[k] * F[2] ) / det;
	}
	return ( det > least ) | ( -det > least );
}

// About one axis the sine of the turn is h times its speed. False if there is none.
static bool pnFindAxisHalfTurn( const double axis[3], double h, const double turn[3], double p[3] )
{
	double sine = h * pnDotOf( axis, turn );
	if ( sine * sine >= 1.0 )
	{
		return false;
	}
	double half = ( sine < 0.0 ? -1.0 : 1.0 ) * sqrt( 0.5 * sine * sine / ( 1.0 + sqrt( 1.0 - sine * sine ) ) );
	for ( int k = 0; k < 3; ++k )
	{
		p[k] = half * axis[k];
	}
	return true;
}

static pnEndsMask pnFindAxisHalfTurns( const double axis[3], pnEnds h, const pnEnds turn[3], pnEnds p[3] )
{
	pnEndsMask found = { 0, 0 };
	double alone[2][3] = { { 0.0 } };
	for ( int e = 0; e < 2; ++e )
	{
		found[e] = pnFindAxisHalfTurn( axis, h[e], ( const double[3] ){ turn[0][e], turn[1][e], turn[2][e] }, alone[e] ) ? -1 : 0;
	}
	for ( int k = 0; k < 3; ++k )
	{
		p[k] = (pnEnds){ alone[0][k], alone[1][k] };
	}
	return found;
}

// The half turns whose chords have the spin of `turn`, by Newton. Returns which of the steps have one.
static pnEndsMask pnFindHalfTurns( const pnWhole* w, pnEnds h, const pnEnds turn[3], double part, pnEnds p[3] )
{
	if ( pnDotOf( w->axis, w->axis ) > 0.5 )
	{
		return pnFindAxisHalfTurns( w->axis, h, turn, p );
	}
	pnMat3d J = pnSecondMatrix( w->second );
	double trace = w->second[0] + w->second[1] + w->second[2];
	pnEnds g[3], Jt[3], g2 = { 0.0, 0.0 };
	pnTimesEnds( J.m, turn, Jt );
	for ( int k = 0; k < 3; ++k )
	{
		g[k] = 0.5 * h * ( trace * turn[k] - Jt[k] );
		g2 += g[k] * g[k];
		p[k] = 0.5 * h * turn[k];
	}
	pnEnds lastF2 = 1e4 * g2, least = 1e-16 * g2; // velocities are floats: what is left is less than their rounding, and given back like that
	double part2 = part * part;
	pnEndsMask open = { -1, -1 }, found = { 0, 0 };
	for ( int round = 0; round < 16; ++round )
	{
		pnEnds p2 = pnDotEnds( p, p ), Jp[3], cross[3], F[3], F2 = { 0.0, 0.0 }, step[3];
		open &= ~( p2 > 0.5 ); // beyond a right angle the spin of a chord falls again
		pnEnds s = pnSqrtEnds( 1.0 - p2 );
		pnTimesEnds( J.m, p, Jp );
		pnCrossEnds( Jp, p, cross );
		for ( int k = 0; k < 3; ++k )
		{
			F[k] = s * ( trace * p[k] - Jp[k] ) + pn_ends * cross[k] - g[k];
			F2 += F[k] * F[k];
		}
		pnEndsMask done = open & ( part2 * F2 <= least );
		found |= done;
		open &= ~done;
		if ( !pnAnyEnd( open ) )
		{
			break;
		}
		pnTimesEnds( w->perInertia, F, step ); // of a small turn all but its square is inertia, and the inverse of that is there
		pnEndsMask slow = open & ~( F2 < 1e-3 * lastF2 );
		if ( pnAnyEnd( slow ) )
		{
			pnEnds exact[3];
			open &= ~slow | pnSolveHalfTurns( &J, trace, s, p, Jp, F, exact );
			for ( int k = 0; k < 3; ++k )
			{
				step[k] = pnSelectEnds( slow, exact[k], step[k] );
			}
		}
		lastF2 = F2;
		for ( int k = 0; k < 3; ++k )
		{
			p[k] = pnSelectEnds( open, p[k] - step[k], p[k] );
		}
	}
	return found;
}

void pnFindChords( const pnWhole* w, const float swing[3], double hBefore, double hAfter, double part, double before[9], double after[9] )
{
	pnEnds none = { 0.0, 0.0 }, h = { hBefore, hAfter }, p[3] = { none, none, none }, turn[3];
	for ( int k = 0; k < 3; ++k )
	{
		turn[k] = (pnEnds){ w->turn[k], w->turn[k] + (double)swing[k] };
	}
	pnEndsMask found = { 0, 0 };
	for ( int round = 0; round < 24 && ( found[0] & found[1] ) == 0; ++round )
	{
		pnEnds next[3];
		pnEndsMask missing = ~found, now = pnFindHalfTurns( w, h, turn, part, next );
		for ( int k = 0; k < 3; ++k )
		{
			p[k] = pnSelectEnds( missing, next[k], p[k] );
			turn[k] = pnSelectEnds( missing & ~now, 0.8 * turn[k], turn[k] );
		}
		found |= now;
	}
	pnEnds p2 = pnDotEnds( p, p ), s = pnSqrtEnds( 1.0 - p2 ), twice = 2.0 / h;
	for ( int k = 0; k < 9; ++k )
	{
		int r = k / 3, c = k % 3, other = 3 - r - c;
		// [p]x [p]x = p p^T - p^2 1, and what 2 s [p]x / h is besides [turn]x
		pnEnds square = p[r] * p[c] - ( r == c ? p2 : none ), skew = none;
		if ( r != c )
		{
			double sign = ( c - r + 3 ) % 3 == 1 ? -1.0 : 1.0;
			skew = sign * ( twice * s * p[other] - turn[other] );
		}
		pnEnds chord = pnSelectEnds( found, pn_ends * twice * square + skew, none );
		before[k] = chord[0];
		after[k] = chord[1];
	}
}

void pnFindChord( const pnWhole* w, double h, double chord[9] )
{
	const float none[3] = { 0.0f };
	double before[9];
	pnFindChords( w, none, h, h, 1.0, before, chord );
}

void pnPushWhole( const pnWhole* w, double part, const double arm[3], const double J[3], double velocity[3], double turn[3] )
{
	double torque[3], gained[3];
	pnCrossTo( arm, J, torque );
	pnTimes( w->perInertia, torque, gained );
	for ( int k = 0; k < 3; ++k )
	{
		velocity[k] += part * w->perMass * J[k];
		turn[k] += part * gained[k];
	}
}

void pnMoveWhole( pnBody* body, const double velocity[3], const double turn[3], double h, double drift )
{
	float* rows = (float*)body->match.x;
	for ( int i = 0; i < body->solid->particleCount; ++i )
	{
		float *x = rows + 4 * (size_t)i, *v = body->v + 4 * (size_t)i;
		double arm[3], gained[3];
		for ( int k = 0; k < 3; ++k )
		{
			arm[k] = ( (double)x[k] - body->whole.center[k] ) - drift * (double)v[k];
		}
		pnCrossTo( turn, arm, gained );
		for ( int k = 0; k < 3 && v[3] > 0.0f; ++k )
		{
			float dv = (float)( velocity[k] + gained[k] );
			v[k] += dv;
			pnDriftInside( x + k, v + k, (float)( h * (double)dv ) );
		}
	}
	body->measured = false;
}

bool pnFindBend( const pnBody* body, const double turned[3], double h, double bend[9] )
{
	double inert = 1.0 - body->response.lightness, most2 = 0.0;
	pnWhole whole = body->whole;
	for ( int k = 0; k < 3; ++k )
	{
		whole.turn[k] += (double)body->kick.swing[k];
		double turn = fabs( whole.turn[k] ) + fabs( turned[k] );
		whole.turn[k] += turned[k];
		most2 += turn * turn;
	}
	if ( body->response.bare || !( inert * h * h * most2 > PN_LEAST_TURN2 ) )
	{
		return false;
	}
	pnFindChord( &whole, h, bend );
	for ( int k = 0; k < 9; ++k )
	{
		bend[k] = inert * bend[k] - (double)body->kick.chordAfter[k];
	}
	return true;
}

void pnBendBody( pnBody* body, const double bend[9], double h )
{
	for ( int i = 0; i < body->solid->particleCount; ++i )
	{
		float *x = (float*)body->match.x + 4 * (size_t)i, *v = body->v + 4 * (size_t)i;
		double arm[3];
		for ( int k = 0; k < 3; ++k )
		{
			arm[k] = ( (double)x[k] - body->whole.center[k] ) - h * (double)v[k];
		}
		for ( int k = 0; k < 3 && v[3] > 0.0f; ++k )
		{
			float more = (float)( bend[3 * k] * arm[0] + bend[3 * k + 1] * arm[1] + bend[3 * k + 2] * arm[2] );
			v[k] += more;
			pnDriftInside( x + k, v + k, (float)( h * (double)more ) );
		}
	}
	for ( int k = 0; k < 9; ++k )
	{
		body->kick.chordAfter[k] += (float)bend[k];
	}
}

bool pnFollowPins( pnBody* body, const pnPinMotion* was, double part, double velocity[3], double turn[3] )
{
	pnPinMotion now = pnMeasurePins( body );
	double unused[3] = { 0 }, arm[3], gained[3], behind[3], moved = 0.0;
	for ( int k = 0; k < 3; ++k )
	{
		velocity[k] = now.velocity[k] - was->velocity[k];
		turn[k] = now.turn[k] - was->turn[k];
		arm[k] = (double)body->origin[k] + body->sums.moment[k] - now.center[k];
		moved += fabs( velocity[k] ) + fabs( turn[k] );
	}
	if ( !( part > 0.0 ) || !( moved > 0.0 ) )
	{
		return false;
	}
	pnCrossTo( turn, arm, gained );
	for ( int k = 0; k < 3; ++k )
	{
		behind[k] = -( velocity[k] + gained[k] ); // per mass: it stays where it is but for what turns it
	}
	pnPushWhole( &body->whole, 1.0, arm, behind, unused, turn );
	for ( int k = 0; k < 3; ++k )
	{
		velocity[k] *= part;
		turn[k] *= part;
	}
	for ( int i = 0; i < body->solid->particleCount; ++i )
	{
		const float* x = body->match.x + 4 * (size_t)i;
		float* v = body->v + 4 * (size_t)i;
		for ( int k = 0; k < 3; ++k )
		{
			arm[k] = (double)x[k] - now.center[k];
		}
		pnCrossTo( turn, arm, gained );
		for ( int k = 0; k < 3 && v[3] > 0.0f; ++k )
		{
			v[k] += (float)( velocity[k] + gained[k] );
		}
	}
	return true;
}
