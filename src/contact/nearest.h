// nearest.h - the point of a triangle nearest to a place, in double, for what is built once or asked between steps. Knows no bodies.
#pragma once

#include <stdbool.h>

static inline double pnDot3d( const double a[3], const double b[3] ) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
static inline void pnCross3d( const double a[3], const double b[3], double c[3] )
{
	double x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2], z = a[0] * b[1] - a[1] * b[0];
	c[0] = x, c[1] = y, c[2] = z;
}

// Squared distance of p from the triangle, and the nearest point's weights of the corners (after Ericson 2005). Triangles may be
// segments or points.
static inline double pnNearestOnTriangle( const double p[3], const double a[3], const double b[3], const double c[3], double weights[3] )
{
	double ab[3], ac[3], ap[3], bp[3], cp[3], v, w;
	for ( int k = 0; k < 3; ++k )
	{
		ab[k] = b[k] - a[k], ac[k] = c[k] - a[k], ap[k] = p[k] - a[k], bp[k] = p[k] - b[k], cp[k] = p[k] - c[k];
	}
	double d1 = pnDot3d( ab, ap ), d2 = pnDot3d( ac, ap ), d3 = pnDot3d( ab, bp ), d4 = pnDot3d( ac, bp ), d5 = pnDot3d( ab, cp ), d6 = pnDot3d( ac, cp );
	double va = d3 * d6 - d5 * d4, vb = d5 * d2 - d1 * d6, vc = d1 * d4 - d3 * d2;
	if ( d1 <= 0.0 && d2 <= 0.0 )
	{
		v = w = 0.0;
	}
	else if ( d3 >= 0.0 && d4 <= d3 )
	{
		v = 1.0, w = 0.0;
	}
	else if ( vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 )
	{
		v = d1 - d3 > 0.0 ? d1 / ( d1 - d3 ) : 0.0, w = 0.0;
	}
	else if ( d6 >= 0.0 && d5 <= d6 )
	{
		v = 0.0, w = 1.0;
	}
	else if ( vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 )
	{
		v = 0.0, w = d2 - d6 > 0.0 ? d2 / ( d2 - d6 ) : 0.0;
	}
	else if ( va <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0 )
	{
		double span = ( d4 - d3 ) + ( d5 - d6 );
		w = span > 0.0 ? ( d4 - d3 ) / span : 0.0, v = 1.0 - w;
	}
	else
	{
		double sum = 1.0 / ( va + vb + vc );
		v = vb * sum, w = vc * sum;
	}
	double distance2 = 0.0;
	for ( int k = 0; k < 3; ++k )
	{
		double d = v * ab[k] + w * ac[k] - ap[k];
		distance2 += d * d;
	}
	weights[0] = 1.0 - v - w, weights[1] = v, weights[2] = w;
	return distance2;
}
