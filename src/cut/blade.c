// blade.c - what cuts: a plane, or a quad of it, flat or rough. Knows no surfaces.
#include "blade.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

static void pnCrossAxes( const double a[3], const double b[3], double c[3] )
{
	for ( int k = 0; k < 3; ++k )
	{
		c[k] = a[( k + 1 ) % 3] * b[( k + 2 ) % 3] - a[( k + 2 ) % 3] * b[( k + 1 ) % 3];
	}
}

static bool pnUnitAxis( double a[3] )
{
	double length = sqrt( a[0] * a[0] + a[1] * a[1] + a[2] * a[2] );
	for ( int k = 0; k < 3; ++k )
	{
		a[k] = length > 0.0 ? a[k] / length : 0.0;
	}
	return length > 0.0;
}

static bool pnFrameBlade( pnBlade* blade )
{
	if ( !pnUnitAxis( blade->n ) )
	{
		return false;
	}
	int least = 0; // the axis that the normal is farthest from
	for ( int k = 1; k < 3; ++k )
	{
		least = fabs( blade->n[k] ) < fabs( blade->n[least] ) ? k : least;
	}
	double axis[3] = { least == 0, least == 1, least == 2 };
	pnCrossAxes( axis, blade->n, blade->u );
	pnUnitAxis( blade->u );
	pnCrossAxes( blade->n, blade->u, blade->v );
	return true;
}

bool pnMakePlaneBlade( pnVec3 point, pnVec3 normal, pnBlade* blade )
{
	*blade = (pnBlade){ .origin = { point.x, point.y, point.z }, .n = { normal.x, normal.y, normal.z }, .whole = true };
	return pnFrameBlade( blade );
}

void pnFlatten( const pnBlade* blade, pnVec3 place, double at[2] )
{
	double p[3] = { (double)place.x - blade->origin[0], (double)place.y - blade->origin[1], (double)place.z - blade->origin[2] };
	at[0] = p[0] * blade->u[0] + p[1] * blade->u[1] + p[2] * blade->u[2];
	at[1] = p[0] * blade->v[0] + p[1] * blade->v[1] + p[2] * blade->v[2];
}

// ---- roughness ----

// A number of -1 to 1 for each corner of a grid.
static double pnDrawCorner( int64_t x, int64_t y, int64_t z )
{
	uint64_t h = (uint64_t)x * 0x9e3779b97f4a7c15ull ^ (uint64_t)y * 0xc2b2ae3d27d4eb4full ^ (uint64_t)z * 0x165667b19e3779f9ull;
	h = ( h ^ h >> 31 ) * 0xbf58476d1ce4e5b9ull;
	h = ( h ^ h >> 29 ) * 0x94d049bb133111ebull;
	return (double)( ( h ^ h >> 32 ) & 0xffffffu ) / 8388607.5 - 1.0;
}

// Value noise: smooth between the corners of a grid.
static double pnDrawBump( const double at[3] )
{
	double low[3], part[3];
	for ( int k = 0; k < 3; ++k )
	{
		low[k] = floor( at[k] );
		part[k] = at[k] - low[k];
		part[k] = part[k] * part[k] * ( 3.0 - 2.0 * part[k] );
	}
	double sum = 0.0;
	for ( int i = 0; i < 8; ++i )
	{
		double weight = ( i & 1 ? part[0] : 1.0 - part[0] ) * ( i & 2 ? part[1] : 1.0 - part[1] ) * ( i & 4 ? part[2] : 1.0 - part[2] );
		sum += weight * pnDrawCorner( (int64_t)low[0] + ( i & 1 ), (int64_t)low[1] + ( i >> 1 & 1 ), (int64_t)low[2] + ( i >> 2 & 1 ) );
	}
	return sum;
}

double pnGetRoughness( const pnBlade* blade, pnVec3 place )
{
	double p[3] = { (double)place.x - blade->origin[0], (double)place.y - blade->origin[1], (double)place.z - blade->origin[2] }, height = 0.0, coarse[3], fine[3];
	for ( int k = 0; k < 3; ++k )
	{
		height += blade->n[k] * p[k];
	}
	for ( int k = 0; k < 3; ++k )
	{
		double foot = ( p[k] - height * blade->n[k] + blade->pattern[k] ) / blade->grain;
		coarse[k] = foot < -1e15 ? -1e15 : foot > 1e15 ? 1e15 : foot;
		fine[k] = 2.0 * coarse[k] + 0.5;
	}
	return blade->rough * ( 2.0 * pnDrawBump( coarse ) + pnDrawBump( fine ) ) / 3.0;
}

double pnTurnOf( const double a[2], const double b[2], const double c[2] )
{
	return ( b[0] - a[0] ) * ( c[1] - a[1] ) - ( b[1] - a[1] ) * ( c[0] - a[0] );
}

bool pnMakeQuadBlade( const pnVec3 quad[4], pnBlade* blade )
{
	*blade = (pnBlade){ 0 };
	double first[3] = { (double)quad[2].x - quad[0].x, (double)quad[2].y - quad[0].y, (double)quad[2].z - quad[0].z };
	double second[3] = { (double)quad[3].x - quad[1].x, (double)quad[3].y - quad[1].y, (double)quad[3].z - quad[1].z };
	pnCrossAxes( first, second, blade->n );
	double area2 = 0.0, wide2 = 0.0;
	for ( int k = 0; k < 3; ++k )
	{
		area2 += blade->n[k] * blade->n[k];
		wide2 += first[k] * first[k] + second[k] * second[k];
	}
	for ( int i = 0; i < 4; ++i )
	{
		const float* corner = &quad[i].x;
		for ( int k = 0; k < 3; ++k )
		{
			blade->origin[k] += 0.25 * (double)corner[k];
		}
	}
	if ( !( area2 > 1e-16 * wide2 * wide2 ) || !pnFrameBlade( blade ) )
	{
		return false;
	}
	// Corners that turn inward take the place of the nearer end: a kite folded over becomes a triangle.
	double at[4][2];
	for ( int i = 0; i < 4; ++i )
	{
		pnFlatten( blade, quad[i], at[i] );
	}
	int kept = 0;
	for ( int i = 0; i < 4; ++i )
	{
		double turn = pnTurnOf( at[( i + 3 ) % 4], at[i], at[( i + 1 ) % 4] );
		int from = turn >= 0.0 ? i : ( i + 1 ) % 4;
		memcpy( blade->corners[kept++], at[from], sizeof at[0] );
	}
	return true;
}

bool pnPassesBlade( const pnBlade* blade, pnVec3 a, pnVec3 b )
{
	return pnPassesBetween( blade, a, pnGetHeight( blade, a ) >= 0.0, b, pnGetHeight( blade, b ) >= 0.0 );
}

bool pnPassesBetween( const pnBlade* blade, pnVec3 a, bool aboveA, pnVec3 b, bool aboveB )
{
	if ( aboveA == aboveB )
	{
		return false;
	}
	bool inside = true;
	if ( !blade->whole )
	{
		double fa[2], fb[2], ha = fabs( pnGetHeight( blade, a ) ), hb = fabs( pnGetHeight( blade, b ) ), t = ha + hb > 0.0 ? ha / ( ha + hb ) : 0.5;
		pnFlatten( blade, a, fa );
		pnFlatten( blade, b, fb );
		double at[2] = { fa[0] + t * ( fb[0] - fa[0] ), fa[1] + t * ( fb[1] - fa[1] ) };
		for ( int i = 0; i < 4; ++i )
		{
			inside = inside && pnTurnOf( blade->corners[i], blade->corners[( i + 1 ) % 4], at ) >= 0.0;
		}
	}
	return inside;
}
