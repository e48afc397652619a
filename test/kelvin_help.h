// kelvin_help.h - what the tests of the static solver share: conditions, known fields and how far an answer is from them, the log.
// Knows the public header and test shapes.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

#include "kelvin_shapes.h"
#include "test.h"

#include <stdio.h>

static const pnVec3d s_origin = { 0.0, 0.0, 0.0 };

static inline bool IsLong( void )
{
	const char* value = getenv( "PLIANT_LONG" );
	return value != NULL && value[0] != '0';
}

// ---- regions and conditions ----

static inline pnRegion WholeSurface( void )
{
	return ( pnRegion ){ 0 };
}

static inline pnRegion GroupRegion( int group )
{
	return ( pnRegion ){ .tests = pn_inGroup, .group = group };
}

static inline pnRegion BoxRegion( pnVec3d lower, pnVec3d upper )
{
	return ( pnRegion ){ .tests = pn_inBox, .lower = lower, .upper = upper };
}

static inline pnCondition MakeCondition( pnConditionKind kind, pnRegion region )
{
	pnCondition condition = pnDefaultCondition();
	condition.kind = kind;
	condition.region = region;
	return condition;
}

static inline pnCondition Hold( pnRegion region )
{
	return MakeCondition( pn_holdCondition, region );
}

static inline pnCondition HoldAxes( pnRegion region, uint32_t axes )
{
	pnCondition condition = Hold( region );
	condition.axes = axes;
	return condition;
}

static inline pnCondition Move( pnRegion region, pnFieldFcn* field, void* context )
{
	pnCondition condition = Hold( region );
	condition.field = field;
	condition.fieldContext = context;
	return condition;
}

static inline pnCondition Pull( pnRegion region, pnVec3d traction )
{
	pnCondition condition = MakeCondition( pn_tractionCondition, region );
	condition.vector = traction;
	return condition;
}

static inline pnCondition PullField( pnRegion region, pnFieldFcn* field, void* context )
{
	pnCondition condition = Pull( region, s_origin );
	condition.field = field;
	condition.fieldContext = context;
	return condition;
}

static inline pnCondition Press( pnRegion region, double pressure )
{
	pnCondition condition = MakeCondition( pn_pressureCondition, region );
	condition.pressure = pressure;
	return condition;
}

static inline pnCondition Roll( pnRegion region )
{
	return MakeCondition( pn_rollCondition, region );
}

static inline void SetConditions( pnKelvinDef* def, const pnCondition* conditions, int count )
{
	def->conditions = conditions;
	def->conditionCount = count;
}

static inline pnKelvinDef MaterialDef( double youngsModulus, double poissonRatio )
{
	pnKelvinDef def = pnDefaultKelvinDef();
	def.youngsModulus = youngsModulus;
	def.poissonRatio = poissonRatio;
	return def;
}

// Evenly placed sources: the same for any values, so that answers can be compared to the last digits.
static inline pnKelvinDef PlainDef( double youngsModulus, double poissonRatio, int sourceCount )
{
	pnKelvinDef def = MaterialDef( youngsModulus, poissonRatio );
	def.placement = pn_offsetSources;
	def.sourceCount = sourceCount;
	def.estimateError = 0;
	return def;
}

// ---- the log ----

static char s_logText[2048];
static pnResult s_lastResult; // of Solved

static inline void KeepLog( const char* message )
{
	size_t used = strlen( s_logText );
	snprintf( s_logText + used, sizeof( s_logText ) - used, "%s\n", message );
}

static inline void ListenToLog( void )
{
	s_logText[0] = 0;
	pnSetLogFcn( KeepLog );
}

static inline bool LogHolds( const char* part )
{
	for ( const char* at = s_logText; *at != 0; ++at )
	{
		size_t i = 0;
		while ( part[i] != 0 && at[i] != 0 && ( part[i] | 32 ) == ( at[i] | 32 ) )
		{
			i += 1;
		}
		if ( part[i] == 0 )
		{
			return true;
		}
	}
	return part[0] == 0;
}

// An answer is wanted, be it weak; what is said if there is none is shown.
static inline pnKelvin* Solved( const pnKelvinDef* def, pnKelvinInfo* info )
{
	pnKelvin* kelvin = NULL;
	ListenToLog();
	s_lastResult = pnCreateKelvin( def, &kelvin, info );
	pnSetLogFcn( NULL );
	if ( s_lastResult < 0 || kelvin == NULL )
	{
		pnTestNote( "result %d: %s", (int)s_lastResult, s_logText );
	}
	ENSURE( s_lastResult >= 0 );
	ENSURE( ( kelvin == NULL ) == ( s_lastResult < 0 ) );
	return kelvin;
}

static inline pnVec3d DisplacementAt( const pnKelvin* kelvin, pnVec3d p )
{
	pnVec3d u;
	pnKelvin_Evaluate( kelvin, &p, 1, &u, NULL );
	return u;
}

static inline pnStress StressAt( const pnKelvin* kelvin, pnVec3d p )
{
	pnStress stress;
	pnKelvin_Evaluate( kelvin, &p, 1, NULL, &stress );
	return stress;
}

// ---- known fields ----

// A displacement field that obeys elasticity. Its stress is had by differences of fourth order, so that no formula is written twice.
typedef struct Truth
{
	pnFieldFcn* displacement; // called with this as context
	double youngsModulus, poissonRatio;
	double step; // m, of the differences
	double a, b, c, d; // what the field needs
	double gradient[3][3];
} Truth;

static inline pnVec3d TruthAt( const Truth* truth, pnVec3d p )
{
	return truth->displacement( p, s_origin, (void*)truth );
}

static inline pnStress TruthStress( const Truth* truth, pnVec3d p )
{
	double g[3][3];
	for ( int k = 0; k < 3; ++k )
	{
		pnVec3d e = { k == 0 ? truth->step : 0.0, k == 1 ? truth->step : 0.0, k == 2 ? truth->step : 0.0 };
		pnVec3d near = pnSubD( TruthAt( truth, pnAddD( p, e ) ), TruthAt( truth, pnSubD( p, e ) ) );
		pnVec3d far = pnSubD( TruthAt( truth, pnMulAddD( p, 2.0, e ) ), TruthAt( truth, pnMulAddD( p, -2.0, e ) ) );
		pnVec3d slope = pnScaleD( 1.0 / ( 12.0 * truth->step ), pnSubD( pnScaleD( 8.0, near ), far ) );
		g[0][k] = slope.x;
		g[1][k] = slope.y;
		g[2][k] = slope.z;
	}
	double nu = truth->poissonRatio, shear = truth->youngsModulus / ( 2.0 * ( 1.0 + nu ) );
	double swelling = nu / ( 1.0 - 2.0 * nu ) * ( g[0][0] + g[1][1] + g[2][2] );
	return ( pnStress ){ 2.0 * shear * ( g[0][0] + swelling ), 2.0 * shear * ( g[1][1] + swelling ), 2.0 * shear * ( g[2][2] + swelling ), shear * ( g[0][1] + g[1][0] ),
		shear * ( g[1][2] + g[2][1] ), shear * ( g[2][0] + g[0][2] ) };
}

// A pnFieldFcn: the traction of a truth.
static inline pnVec3d TruthTraction( pnVec3d p, pnVec3d n, void* context )
{
	pnStress s = TruthStress( context, p );
	return pnMakeD( s.xx * n.x + s.xy * n.y + s.zx * n.z, s.xy * n.x + s.yy * n.y + s.yz * n.z, s.zx * n.x + s.yz * n.y + s.zz * n.z );
}

static inline double StressSize( pnStress s )
{
	return sqrt( s.xx * s.xx + s.yy * s.yy + s.zz * s.zz + 2.0 * ( s.xy * s.xy + s.yz * s.yz + s.zx * s.zx ) );
}

static inline pnStress StressLess( pnStress a, pnStress b )
{
	return ( pnStress ){ a.xx - b.xx, a.yy - b.yy, a.zz - b.zz, a.xy - b.xy, a.yz - b.yz, a.zx - b.zx };
}

// ---- places to look at ----

typedef struct Places
{
	pnVec3d* points;
	int count;
} Places;

static inline void FreePlaces( Places* places )
{
	free( places->points );
	*places = ( Places ){ 0 };
}

// At random inside, and middles of triangles, alternating.
static inline Places LookAround( const Surface* surface, int count, uint64_t seed )
{
	Places places = { malloc( count * sizeof( pnVec3d ) ), 0 };
	pnRandom random = pnSeed( seed );
	pnVec3d lower = surface->points[0], upper = lower;
	for ( int i = 0; i < surface->pointCount; ++i )
	{
		pnVec3d p = surface->points[i];
		lower = pnMakeD( fmin( lower.x, p.x ), fmin( lower.y, p.y ), fmin( lower.z, p.z ) );
		upper = pnMakeD( fmax( upper.x, p.x ), fmax( upper.y, p.y ), fmax( upper.z, p.z ) );
	}
	while ( places.count < count )
	{
		if ( places.count % 2 == 0 )
		{
			places.points[places.count++] = TriangleMiddle( surface, pnRandomInt( &random, surface->triangleCount ) );
			continue;
		}
		double x = pnRandomIn( &random, lower.x, upper.x ), y = pnRandomIn( &random, lower.y, upper.y ), z = pnRandomIn( &random, lower.z, upper.z );
		pnVec3d p = { x, y, z };
		if ( WindingNumber( surface, p ) > 0.5 )
		{
			places.points[places.count++] = p;
		}
	}
	return places;
}

// |answer - truth| over |truth|, both as sums of squares over the places.
static inline double DisplacementError( const pnKelvin* kelvin, const Places* places, const Truth* truth )
{
	pnVec3d* u = malloc( places->count * sizeof( pnVec3d ) );
	pnKelvin_Evaluate( kelvin, places->points, places->count, u, NULL );
	double error = 0.0, size = 0.0;
	for ( int i = 0; i < places->count; ++i )
	{
		pnVec3d t = TruthAt( truth, places->points[i] ), d = pnSubD( u[i], t );
		error += pnDotD( d, d );
		size += pnDotD( t, t );
	}
	free( u );
	return sqrt( error / size );
}

// The same against stress; scale: Pa, if the truth has none.
static inline double StressError( const pnKelvin* kelvin, const Places* places, const Truth* truth, double scale )
{
	pnStress* s = malloc( places->count * sizeof( pnStress ) );
	pnKelvin_Evaluate( kelvin, places->points, places->count, NULL, s );
	double error = 0.0, size = scale * scale * places->count;
	for ( int i = 0; i < places->count; ++i )
	{
		pnStress t = TruthStress( truth, places->points[i] );
		double e = StressSize( StressLess( s[i], t ) );
		error += e * e;
		size += StressSize( t ) * StressSize( t );
	}
	free( s );
	return sqrt( error / size );
}

// How far two answers are apart, over how large the first is.
static inline double AnswersDiffer( const pnKelvin* a, const pnKelvin* b, const Places* places )
{
	pnVec3d* u = malloc( 2 * places->count * sizeof( pnVec3d ) );
	pnVec3d* v = u + places->count;
	pnKelvin_Evaluate( a, places->points, places->count, u, NULL );
	pnKelvin_Evaluate( b, places->points, places->count, v, NULL );
	double error = 0.0, size = 0.0;
	for ( int i = 0; i < places->count; ++i )
	{
		pnVec3d d = pnSubD( u[i], v[i] );
		error += pnDotD( d, d );
		size += pnDotD( u[i], u[i] );
	}
	free( u );
	return sqrt( error / size );
}

// Mean displacement over the triangles of a group, three places on each.
static inline pnVec3d MeanDisplacement( const pnKelvin* kelvin, const Surface* surface, int group )
{
	pnVec3d sum = s_origin;
	double total = 0.0;
	for ( int i = 0; i < surface->triangleCount; ++i )
	{
		if ( surface->groups[i] != group )
		{
			continue;
		}
		double area = pnLengthD( TriangleArea( surface, i ) );
		pnVec3d p[3], m = TriangleMiddle( surface, i ), u[3];
		TriangleCorners( surface, i, p );
		for ( int k = 0; k < 3; ++k )
		{
			p[k] = pnMulAddD( pnScaleD( 0.5, m ), 0.5, p[k] ); // Gauss's three places
		}
		pnKelvin_Evaluate( kelvin, p, 3, u, NULL );
		for ( int k = 0; k < 3; ++k )
		{
			sum = pnMulAddD( sum, area / 3.0, u[k] );
		}
		total += area;
	}
	return pnScaleD( 1.0 / total, sum );
}

// An estimate is honest if the truth is no worse than three times as far away.
static inline void EnsureHonest( double error, const pnKelvinInfo* info )
{
	ENSURE( info->errorEstimate >= 0.0 );
	ENSURE_MOST( error, 3.0 * info->errorEstimate + 1e-6 );
}
