// material.c - materials by name, their checking, and what they come to for one step size. Knows no bodies and no points.
// Pull and damping match trace and determinant of the exact damped oscillator, so that frequency and decay do not depend on the step.
#include "tuning.h"

#include "../base/core.h"
#include "../base/trig.h"

#include <math.h>

static const double pn_pi = 3.14159265358979323846;
static const double pn_longDecay = 600.0; // exp( -600 ) is nothing, and still a normal number
static const float pn_never = PN_NEVER;

pnMaterial pnDefaultMaterial( void )
{
	return (pnMaterial){
		.mode = pn_quadraticMode,
		.hertz = 6.0f,
		.dampingRatio = 0.2f,
		.stretch = 0.5f,
		.volume = 1.0f,
		.cap = pn_noCap,
		.capStart = 1.5f,
		.capEnd = 2.0f,
		.creep = 10.0f,
		.maxPlastic = 0.8f,
		.toughness = 5.0f,
		.density = 1000.0f,
		.friction = 0.5f,
	};
}

typedef struct pnPreset
{
	const char* name;
	pnMode mode;
	float hertz, dampingRatio, stretch, volume, capStart, capEnd, yield, creep, maxPlastic, recovery, toughness, density, friction;
} pnPreset;

// capStart 0: no cap.
static const pnPreset pn_presets[] = {
	{ "jelly", pn_quadraticMode, 4.0f, 0.08f, 0.7f, 2.0f, 1.6f, 2.2f, 0.0f, 0.0f, 0.0f, 0.0f, 3.0f, 1050.0f, 0.3f },
	{ "rubber", pn_quadraticMode, 10.0f, 0.12f, 0.5f, 3.0f, 2.0f, 3.0f, 0.0f, 0.0f, 0.0f, 0.0f, 20.0f, 1100.0f, 0.9f },
	{ "flesh", pn_quadraticMode, 5.0f, 0.4f, 0.6f, 4.0f, 1.4f, 1.8f, 0.0f, 0.0f, 0.0f, 0.0f, 5.0f, 1060.0f, 0.5f },
	{ "foam", pn_linearMode, 6.0f, 0.7f, 0.5f, 0.0f, 1.3f, 1.6f, 0.25f, 1.0f, 0.4f, 0.5f, 1.0f, 60.0f, 0.7f },
	{ "clay", pn_quadraticMode, 12.0f, 0.9f, 0.3f, 2.0f, 0.0f, 0.0f, 0.03f, 30.0f, 1.0f, 0.0f, 30.0f, 1800.0f, 0.8f },
	{ "wood", pn_linearMode, 40.0f, 0.3f, 0.05f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 100.0f, 650.0f, 0.5f },
	{ "steel", pn_linearMode, 100.0f, 0.5f, 0.02f, 0.0f, 0.0f, 0.0f, 0.05f, 60.0f, 0.5f, 0.0f, 500.0f, 7850.0f, 0.4f },
	{ "rigid", pn_rigidMode, 1000.0f, 1.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 5.0f, 1000.0f, 0.5f },
};

static const char* const pn_presetNames[] = { "jelly", "rubber", "flesh", "foam", "clay", "wood", "steel", "rigid" };
_Static_assert( sizeof pn_presets / sizeof pn_presets[0] == sizeof pn_presetNames / sizeof pn_presetNames[0], "one name for each" );

const char* const* pnGetMaterialNames( int* count )
{
	*count = PN_COUNT( pn_presetNames );
	return pn_presetNames;
}

pnResult pnFindMaterial( const char* name, pnMaterial* material )
{
	if ( material == NULL )
	{
		pnLog( "pnFindMaterial: material is NULL" );
		return pn_invalidInput;
	}
	for ( int i = 0; name != NULL && i < PN_COUNT( pn_presets ); ++i )
	{
		const pnPreset* p = pn_presets + i;
		if ( strcmp( name, p->name ) == 0 )
		{
			*material = pnDefaultMaterial();
			material->mode = p->mode;
			material->hertz = p->hertz;
			material->dampingRatio = p->dampingRatio;
			material->stretch = p->stretch;
			material->volume = p->volume;
			material->cap = p->capStart > 0.0f ? pn_blendCap : pn_noCap;
			material->capStart = p->capStart > 0.0f ? p->capStart : material->capStart;
			material->capEnd = p->capStart > 0.0f ? p->capEnd : material->capEnd;
			material->yield = p->yield;
			material->creep = p->yield > 0.0f ? p->creep : material->creep;
			material->maxPlastic = p->yield > 0.0f ? p->maxPlastic : material->maxPlastic;
			material->recovery = p->recovery;
			material->toughness = p->toughness;
			material->density = p->density;
			material->friction = p->friction;
			return pn_success;
		}
	}
	pnLog( "pnFindMaterial: there is no material '%s'", name == NULL ? "" : name );
	return pn_notFound;
}

static bool pnInRange( float x, float low, float high )
{
	return x >= low && x <= high; // false for NaN
}

static bool pnCurveIsFine( const pnCurve* curve )
{
	if ( curve->count < 0 || curve->count > PN_CURVE_SIZE )
	{
		return false;
	}
	for ( int i = 0; i < curve->count; ++i )
	{
		bool rising = i == 0 || curve->points[i].x > curve->points[i - 1].x;
		if ( !rising || !pnInRange( curve->points[i].x, 0.0f, 1e6f ) || !pnInRange( curve->points[i].y, 0.0f, 1e6f ) )
		{
			return false;
		}
	}
	return true;
}

const char* pnCheckMaterial( const pnMaterial* m )
{
	int mode = (int)m->mode, cap = (int)m->cap;
	if ( mode < pn_rigidMode || mode > pn_quadraticMode ) return "mode";
	if ( !pnInRange( m->hertz, 0.0f, 1e6f ) ) return "hertz";
	if ( !pnInRange( m->dampingRatio, 0.0f, 1e3f ) ) return "dampingRatio";
	if ( !pnInRange( m->stretch, 0.0f, 1.0f ) ) return "stretch";
	if ( !pnInRange( m->alpha, 0.0f, 1.0f ) ) return "alpha";
	if ( !pnInRange( m->volume, 0.0f, 1e3f ) ) return "volume";
	if ( !pnCurveIsFine( &m->volumeCurve ) ) return "volumeCurve";
	if ( cap < pn_noCap || cap > pn_scaleCap ) return "cap";
	if ( !pnInRange( m->capStart, 1.0f, 1e6f ) ) return "capStart";
	if ( !pnInRange( m->capEnd, m->capStart, 1e6f ) ) return "capEnd";
	if ( !pnCurveIsFine( &m->capCurve ) ) return "capCurve";
	if ( !pnInRange( m->yield, 0.0f, 1e6f ) ) return "yield";
	if ( !pnInRange( m->creep, 0.0f, 1e6f ) ) return "creep";
	if ( !pnInRange( m->maxPlastic, 0.0f, 1e3f ) ) return "maxPlastic";
	if ( !pnInRange( m->hardening, 0.0f, 1e6f ) ) return "hardening";
	if ( !pnInRange( m->recovery, 0.0f, 1e6f ) ) return "recovery";
	if ( m->tear != 0.0f && !pnInRange( m->tear, 1.0f, 1e6f ) ) return "tear";
	if ( !pnInRange( m->toughness, 0.0f, 1e12f ) ) return "toughness";
	if ( !pnInRange( m->density, 1e-6f, 1e9f ) ) return "density";
	if ( !pnInRange( m->friction, 0.0f, 1e3f ) ) return "friction";
	if ( !pnInRange( m->restitution, 0.0f, 1.0f ) ) return "restitution";
	return NULL;
}

double pnEvaluateCurve( const pnCurve* curve, double x )
{
	int n = curve->count;
	if ( x <= curve->points[0].x || n == 1 )
	{
		return curve->points[0].y;
	}
	int i = 1;
	while ( i < n - 1 && x > curve->points[i].x )
	{
		i += 1;
	}
	double x0 = curve->points[i - 1].x, y0 = curve->points[i - 1].y;
	double slope = ( curve->points[i].y - y0 ) / ( curve->points[i].x - x0 );
	double y = y0 + slope * ( x - x0 );
	return y > 0.0 ? y : 0.0;
}

// Stretch allowed over stretch found, as distances from rest (stretch - 1), never more than was found.
static double pnCurveCap( const pnCurve* curve, double distance )
{
	double f = pnEvaluateCurve( curve, 1.0 + distance ) - 1.0;
	f = f < distance ? f : distance;
	return f > 0.0 ? f : 0.0;
}

double pnCapResponse( const pnMaterial* m, double r, double* psi )
{
	double c = m->capStart - 1.0, e = m->capEnd - m->capStart;
	if ( r <= 0.0 )
	{
		*psi = 0.0;
		return r;
	}
	if ( m->capCurve.count > 0 )
	{
		// The integral of a piecewise linear f by trapezoids over its knots; kinks from the clamps in between are halved away.
		double sum = 0.0, at = 0.0, last = 0.0;
		const int pieces = 64;
		for ( int i = 1; i <= pieces; ++i )
		{
			double next = r * (double)i / pieces, f = pnCurveCap( &m->capCurve, next );
			sum += 0.5 * ( f + last ) * ( next - at );
			at = next;
			last = f;
		}
		*psi = 0.5 * r * r - sum;
		return last;
	}
	if ( r <= c )
	{
		*psi = 0.0;
		return r;
	}
	double t = r - c, f, integral;
	if ( m->cap == pn_scaleCap )
	{
		// gamma = c_max / |A|^2 with |A| = sqrt 3 (1 + r): f = r (1 + c)^2 / (1 + r)^2.
		double g = ( 1.0 + c ) * ( 1.0 + c );
		f = r * g / ( ( 1.0 + r ) * ( 1.0 + r ) );
		integral = 0.5 * c * c + g * ( pnLn( ( 1.0 + r ) / ( 1.0 + c ) ) + 1.0 / ( 1.0 + r ) - 1.0 / ( 1.0 + c ) );
	}
	else if ( e > 0.0 )
	{
		double s = sqrt( 1.0 + t * t / ( e * e ) );
		f = c + t / s;
		integral = 0.5 * c * c + c * t + e * e * ( s - 1.0 );
	}
	else
	{
		f = c;
		integral = 0.5 * c * c + c * t;
	}
	*psi = 0.5 * r * r - integral;
	return f;
}

// Half kick, damping, half kick and a drift move a mode of frequency w exactly as the damped oscillator does if the velocity keeps E^2 of
// itself, E = exp( -zeta w h ), and the kicks are a = 2 ( 1 + E^2 - 2 E cos( w_d h ) ) / ( 1 + E^2 ) of the deviation: trace and determinant agree.
static double pnPull( double w, double zeta, double h )
{
	double decay = zeta * w * h, theta = w * sqrt( 1.0 - zeta * zeta ) * h;
	double E = pnExp( decay < pn_longDecay ? -decay : -pn_longDecay );
	theta = theta < 0.5 * pn_pi ? theta : 0.5 * pn_pi;
	// 1 - cos by half angles: no cancellation at small steps
	double s = pnSin( 0.5 * theta );
	return 2.0 * ( ( 1.0 - E ) * ( 1.0 - E ) + 4.0 * E * s * s ) / ( 1.0 + E * E );
}

// The part of a mode's velocity that goes in one step.
static double pnDamp( double w, double zeta, double h )
{
	double decay = 2.0 * zeta * w * h;
	return 1.0 - pnExp( decay < pn_longDecay ? -decay : -pn_longDecay );
}

// A swing that the step cannot follow, of which it sees fewer than four instants in a period, is damped whatever the material says: it would be
// noise at the rate of the steps. The part of its velocity that is left; and as its inertia is that of all deviations, of theirs.
double pnFollowed( const pnMaterial* m, double h, double stiffening )
{
	double w = 2.0 * pn_pi * m->hertz * stiffening, seen = m->alpha > 0.0f ? 1.0 : 0.5 * pn_pi / ( w * h + 1e-30 );
	return seen < 1.0 ? seen * seen * seen * seen : 1.0;
}

// Shape that is hardly held (stretch near 1) counts as if it were held a little: else its volume would ring for ever, and pins would make it stiff
// without bound.
static const double pn_leastShape = 0.1; // of the pull

static pnTuning pnTune( const pnMaterial* m, double h, bool overlapping, double stiffening, bool held )
{
	pnTuning r = { 0 };
	r.material = m;
	r.step = h;
	r.bare = m->bare;
	double beta = m->mode == pn_rigidMode ? 0.0 : m->stretch;
	double shape = 1.0 - beta > pn_leastShape ? 1.0 - beta : pn_leastShape;
	double zeta = m->dampingRatio < 1.0f ? m->dampingRatio : 1.0, w = 2.0 * pn_pi * m->hertz * stiffening;

	double a = m->alpha, b = 0.0, bs = 0.0, followed = pnFollowed( m, h, stiffening );
	if ( !( m->alpha > 0.0f ) )
	{
		// Exact where the curvature of the modes that matter lies: between the fitted shape and what it leaves over; lower, if clusters overlap.
		double k = overlapping ? 0.25 : 1.0 - 0.5 * beta;
		a = pnPull( w * sqrt( k ), zeta, h ) / k;
		b = 1.0 - followed * ( 1.0 - pnDamp( w, zeta, h ) );
		bs = 1.0 - followed * ( 1.0 - pnDamp( w * sqrt( shape ), zeta, h ) );
	}
	bool keeps = m->volume > 0.0f && !m->bare;
	double nu = m->bare ? 0.0 : keeps ? m->volume : 0.5; // without volume, only reflections are put right
	bool capped = m->cap != pn_noCap && !m->bare;
	double curvature = ( 1.0 - beta ) + ( keeps ? nu : 0.0 ) + ( capped ? beta : 0.0 );
	curvature = curvature > 1.0 ? curvature : 1.0;
	// Where pins hold the fit, goals do not follow what is free: that gives way by all of the pull instead of 1 - beta of it. To keep as much volume as
	// without pins, the volume goal weighs as much more.
	double heldVolume = nu / shape;
	r.heldVolume = (float)heldVolume;
	r.held = held;
	curvature = held && keeps && 1.0 + heldVolume > curvature ? 1.0 + heldVolume : curvature;
	if ( !m->bare )
	{
		// Beyond this the stiffest mode would swing through its goal from step to step; damped fully, it reaches it in one.
		double most = 2.0 / curvature;
		a = a < most ? a : most;
	}
	r.pull = a;
	// What cannot be pulled harder is made more inert instead, so that it carries what its stiffness says whatever the step is.
	double asked = m->alpha > 0.0f ? a : w * h * w * h;
	r.lightness = asked > a ? a / asked : 1.0;
	r.local = r.lightness * ( 1.0 - 0.5 * bs );
	r.stiffness = r.lightness > 0.0 ? a / ( r.lightness * h * h ) : 0.0;
	r.followed = followed;
	r.curvature = curvature;
	r.blend = (float)beta;
	r.volume = (float)nu;
	r.damp = (float)b;
	r.dampFit = (float)bs;

	r.capStart = r.rowStart = r.slowStart = pn_never;
	r.capEnd = pn_never;
	bool curved = m->capCurve.count > 0; // a curve always takes the exact path
	if ( capped && m->cap == pn_rowCap )
	{
		r.rowStart = curved ? 0.0f : m->capStart;
	}
	else if ( capped && curved )
	{
		r.slowStart = 0.0f;
	}
	else if ( capped && m->cap == pn_scaleCap )
	{
		r.slowStart = m->capStart - 1.0f;
	}
	else if ( capped )
	{
		r.capStart = m->capStart - 1.0f;
		r.capEnd = m->capEnd - 1.0f;
	}

	r.volumeLow = keeps ? 1.0f : 0.05f;
	r.volumeHigh = keeps ? 1.0f : pn_never;
	r.volumeWideLow = keeps ? 0.5f : 0.05f;
	r.volumeWideHigh = keeps ? 2.0f : pn_never;
	if ( keeps && m->volumeCurve.count > 0 ) // a curve always takes the exact path
	{
		r.volumeWideLow = pn_never;
		r.volumeWideHigh = -pn_never;
	}
	r.yield = m->yield > 0.0f && !m->bare ? m->yield : pn_never;
	r.recovers = m->recovery > 0.0f && !m->bare ? 1.0f : 0.0f;
	r.quadratic = m->mode == pn_quadraticMode ? 1.0f : 0.0f;
	r.creepPart = 1.0 - pnExp( -h * m->creep );
	r.recoveryPart = 1.0 - pnExp( -h * m->recovery );
	return r;
}

pnTuning pnMakeTuning( const pnMaterial* m, double h, bool overlapping, double stiffening )
{
	return pnTune( m, h, overlapping, stiffening, false );
}

pnTuning pnMakeHeldTuning( const pnMaterial* m, double h, bool overlapping, double stiffening )
{
	return pnTune( m, h, overlapping, stiffening, true );
}
