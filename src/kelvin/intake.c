// intake.c - the user's problem: checked and scaled. Knows no sources and no matrices.
#include "state.h"
#include "wrap.h"

#include "../base/scratch.h"

enum
{
	PN_MOST_SOURCES = 8000, // a matrix of 4.6 GB
	PN_FEWEST_POINTS = 24,
	PN_MOST_TOOLS = 64,
};
// Coordinates are rounded to this part of the solid's size, so that a problem in other units is the same problem bit by bit and
// sources go to the same places.
static const double pn_grain = 0x1p-36;
static const double pn_mostNoise = 0.04; // of pnGetCloudNoise, for cells: clouds without noise have less than half of this

pnResult pnCheckDef( const pnKelvinDef* def )
{
	if ( def->cookie != PN_COOKIE )
	{
		pnLog( "The definition was not made by pnDefaultKelvinDef." );
		return pn_invalidInput;
	}
	if ( def->partCount != 0 )
	{
		return pnCheckParts( def );
	}
	if ( pnIsFiniteD( def->youngsModulus ) == false || def->youngsModulus <= 0.0 )
	{
		pnLog( "Young's modulus is %g Pa; it must be positive.", def->youngsModulus );
		return pn_invalidInput;
	}
	if ( ( def->poissonRatio > -1.0 && def->poissonRatio < 0.5 ) == false )
	{
		pnLog( "Poisson's ratio is %g; it must be above -1 and below 0.5 (0.499 is nearly incompressible).", def->poissonRatio );
		return pn_invalidInput;
	}
	if ( pnIsFinite3D( def->bodyForce ) == false || ( fabs( def->thermalStrain ) < 1.0 ) == false )
	{
		pnLog( "The force on the volume is not finite, or the thermal strain (%g) is none.", def->thermalStrain );
		return pn_invalidInput;
	}
	for ( int i = 0; i < def->conditionCount && def->conditions != NULL && def->method != pn_energyMethod; ++i )
	{
		if ( def->conditions[i].kind == pn_springCondition )
		{
			pnLog( "Condition %d: springs need the energy method.", i );
			return pn_invalidInput;
		}
	}
	if ( def->points == NULL || def->pointCount < 4 || ( def->triangles == NULL && def->pointCount < PN_FEWEST_POINTS ) )
	{
		pnLog( "The surface has %d points; a mesh needs 4 or more, a cloud %d.", def->points == NULL ? 0 : def->pointCount, PN_FEWEST_POINTS );
		return pn_invalidInput;
	}
	for ( int i = 0; i < def->pointCount; ++i )
	{
		if ( pnIsFinite3D( def->points[i] ) == false || ( def->triangles == NULL && def->areas != NULL && ( def->areas[i] > 0.0 && pnIsFiniteD( def->areas[i] ) ) == false ) )
		{
			pnLog( "Point %d: its place or its area is not finite, or it has no area.", i );
			return pn_invalidInput;
		}
	}
	if ( def->triangles == NULL && def->normals == NULL && def->areas != NULL )
	{
		pnLog( "Points with areas need normals." );
		return pn_invalidInput;
	}
	for ( int i = 0; i < def->pointCount && def->triangles == NULL && def->normals != NULL; ++i )
	{
		double length = pnLengthD( def->normals[i] );
		if ( ( length > 0.0 && pnIsFiniteD( length ) ) == false )
		{
			pnLog( "Point %d: its normal has no length or is not finite.", i );
			return pn_invalidInput;
		}
	}
	if ( def->conditionCount < 0 || ( def->conditionCount > 0 && def->conditions == NULL ) || def->indenterCount < 0 || def->indenterCount > PN_MOST_TOOLS ||
		 ( def->indenterCount > 0 && def->indenters == NULL ) )
	{
		pnLog( "There are %d conditions and %d indenters (at most %d), but not the arrays.", def->conditionCount, def->indenterCount, PN_MOST_TOOLS );
		return pn_invalidInput;
	}
	if ( def->sourceCount < 0 || def->sourceCount > PN_MOST_SOURCES || ( def->placement == pn_givenSources && ( def->sources == NULL || def->sourceCount < 4 ) ) )
	{
		pnLog( "%d sources: there may be up to %d, and given ones must be there, 4 or more.", def->sourceCount, PN_MOST_SOURCES );
		return pn_invalidInput;
	}
	if ( ( def->tolerance >= 0.0 && def->sourceDistance >= 0.0 && def->sourceDistance < 1e3 ) == false || ( def->pointsPerTriangle != 0 && def->pointsPerTriangle != 1 && def->pointsPerTriangle != 3 ) )
	{
		pnLog( "Tolerance %g and source distance %g must not be negative, points per triangle (%d) are 1 or 3.", def->tolerance, def->sourceDistance, def->pointsPerTriangle );
		return pn_invalidInput;
	}
	if ( (int)def->method < pn_energyMethod || def->method > pn_autoMethod || (int)def->placement < pn_adaptiveSources || def->placement > pn_givenSources )
	{
		pnLog( "Method %d or placement %d is none.", (int)def->method, (int)def->placement );
		return pn_invalidInput;
	}
	if ( def->indenterCount > 0 && def->method != pn_energyMethod && def->method != pn_autoMethod )
	{
		pnLog( "Indenters need the energy method." );
		return pn_invalidInput;
	}
	return pnCheckConditions( def->conditions, def->conditionCount );
}

static double pnRound( double x )
{
	return nearbyint( x / pn_grain ) * pn_grain;
}

static pnVec3d pnToOurs( const pnUnits* units, pnVec3d place )
{
	pnVec3d x = pnScaleD( 1.0 / units->size, pnSubD( place, units->center ) );
	return pnMakeD( pnRound( x.x ), pnRound( x.y ), pnRound( x.z ) );
}

pnResult pnScaleProblem( const pnKelvinDef* def, pnKelvin* kelvin )
{
	pnVec3d lower = def->points[0], upper = lower;
	for ( int i = 0; i < def->pointCount; ++i )
	{
		pnVec3d p = def->points[i];
		lower = pnMakeD( fmin( lower.x, p.x ), fmin( lower.y, p.y ), fmin( lower.z, p.z ) );
		upper = pnMakeD( fmax( upper.x, p.x ), fmax( upper.y, p.y ), fmax( upper.z, p.z ) );
	}
	kelvin->units.center = pnScaleD( 0.5, pnAddD( lower, upper ) );
	kelvin->units.size = 0.5 * pnLengthD( pnSubD( upper, lower ) );
	kelvin->units.modulus = def->youngsModulus / ( 1.0 + def->poissonRatio );
	if ( ( kelvin->units.size > 0.0 && pnIsFiniteD( kelvin->units.size ) ) == false )
	{
		pnLog( "The surface has no extent: all points are in one place." );
		return pn_invalidInput;
	}
	return pn_success;
}

// Points with exact normals get cells of their own, which keep edges sharp. Bare points, and those of a scan, are wrapped.
static pnResult pnTakeCloud( const pnKelvinDef* def, const pnVec3d* places, const pnVec3d* normals, pnKelvin* kelvin )
{
	double noise = def->normals != NULL ? pnGetCloudNoise( places, normals, def->pointCount ) : 1.0;
	if ( noise < 0.0 )
	{
		return pn_outOfMemory;
	}
	if ( noise <= pn_mostNoise )
	{
		return pnMakeCloudFacets( places, normals, def->groups, def->pointCount, &kelvin->facets, &kelvin->gap );
	}
	kelvin->wrapped = true;
	return pnWrapCloud( places, def->groups, def->pointCount, kelvin->tasks, &kelvin->facets );
}

pnResult pnTakeSurface( const pnKelvinDef* def, pnKelvin* kelvin )
{
	pnScratch scratch = { 0 };
	pnVec3d* places = pnTakeArray( &scratch, pnVec3d, def->pointCount );
	pnVec3d* normals = pnTakeArray( &scratch, pnVec3d, def->pointCount );
	pnResult result = scratch.failed ? pn_outOfMemory : pn_success;
	for ( int i = 0; i < def->pointCount && result == pn_success; ++i )
	{
		places[i] = pnToOurs( &kelvin->units, def->points[i] );
		if ( def->triangles == NULL && def->normals != NULL )
		{
			pnVec3d n = pnUnitD( def->normals[i] );
			normals[i] = pnUnitD( pnMakeD( pnRound( n.x ), pnRound( n.y ), pnRound( n.z ) ) );
		}
	}
	if ( result == pn_success && def->triangles != NULL )
	{
		result = pnMakeMeshFacets( places, def->pointCount, def->triangles, def->triangleCount, def->groups, &kelvin->facets );
	}
	else if ( result == pn_success && def->areas == NULL )
	{
		result = pnTakeCloud( def, places, normals, kelvin );
	}
	else if ( result == pn_success )
	{
		pnCollocationPoints* given = &kelvin->given;
		given->points = pnAllocArray( pnCollocationPoint, def->pointCount );
		if ( given->points == NULL )
		{
			pnGiveBack( &scratch );
			return pn_outOfMemory;
		}
		given->capacity = given->count = given->padCount = def->pointCount;
		double area = kelvin->units.size * kelvin->units.size, whole = 0.0;
		pnVec3d open = { 0.0, 0.0, 0.0 };
		for ( int i = 0; i < def->pointCount; ++i )
		{
			double w = def->areas[i] / area;
			given->points[i] = (pnCollocationPoint){ .x = places[i], .n = normals[i], .w = w, .group = def->groups != NULL ? def->groups[i] : 0, .pad = i };
			open = pnMulAddD( open, w, normals[i] );
			whole += w;
		}
		kelvin->gap = pnLengthD( open ) / whole;
	}
	pnGiveBack( &scratch );
	return result;
}

pnResult pnCheckTools( const pnIndenter* indenters, const pnKelvin* kelvin )
{
	pnResult result = pn_success;
	for ( int i = 0; i < kelvin->toolCount && result == pn_success; ++i )
	{
		pnTool tool = { 0 };
		result = pnMakeTool( indenters + i, i, &tool );
		pnDestroyTool( &tool );
	}
	return result;
}

pnResult pnTakeTools( const pnIndenter* indenters, pnKelvin* kelvin )
{
	// All are looked at before the first is exchanged: a bad one changes nothing.
	pnResult result = pnCheckTools( indenters, kelvin );
	for ( int i = 0; i < kelvin->toolCount && result == pn_success; ++i )
	{
		pnTool tool = { 0 };
		result = pnMakeTool( indenters + i, i, &tool );
		if ( result == pn_success )
		{
			pnDestroyTool( kelvin->tools + i );
			kelvin->tools[i] = tool;
			kelvin->depths[i] = indenters[i].depth;
			kelvin->forces[i] = indenters[i].force;
		}
	}
	return result;
}
