// whole.c - a body's motion as a whole: centre and turn, pins it turns about, pushes, chords. Knows one body, no world.
#include "whole.h"

#include "../base/mat3.h"
#include "body.h"

#define PN_CROWD 1
#include "chord_wide.h"

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
	pnFindFreeWholes( &body, &sums, &w );
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

void pnFindChord( const pnWhole* w, double h, double chord[9] )
{
	pnChordBodies whole;
	pnChordEnd end = { .h = h, .turn = { w->turn[0], w->turn[1], w->turn[2] }, .side = 1.0 };
	pnTakeChordBodies( &w, 1.0, &whole );
	pnFindEndChords( &whole, &end, 1, (double( * )[9])chord );
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
