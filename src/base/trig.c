// trig.c - exp, log, cos, sin and cube root from plain arithmetic, because libm differs from machine to machine. Knows no physics.
#include "trig.h"

#include <stdint.h>
#include <string.h>

static double pnPowerOfTwo( int exponent ) // exponent in [-1022, 1023]
{
	uint64_t bits = (uint64_t)( exponent + 1023 ) << 52;
	double value;
	memcpy( &value, &bits, sizeof value );
	return value;
}

static double pnRound( double x )
{
	return (double)(int64_t)( x < 0.0 ? x - 0.5 : x + 0.5 );
}

static const double pn_ln2High = 6.93147180369123816490e-01; // 32 bits of ln 2, so that n * high is exact
static const double pn_ln2Low = 1.90821492927058770002e-10;

double pnExp( double x )
{
	if ( !( x > -700.0 ) )
	{
		return 0.0;
	}
	x = x < 700.0 ? x : 700.0;
	double n = pnRound( x / ( pn_ln2High + pn_ln2Low ) );
	double r = ( x - n * pn_ln2High ) - n * pn_ln2Low; // |r| <= ln 2 / 2
	static const double perK[15] = { 0.0, 1.0, 1.0 / 2.0, 1.0 / 3.0, 1.0 / 4.0, 1.0 / 5.0, 1.0 / 6.0, 1.0 / 7.0, 1.0 / 8.0, 1.0 / 9.0, 1.0 / 10.0, 1.0 / 11.0, 1.0 / 12.0, 1.0 / 13.0, 1.0 / 14.0 };
	double sum = 1.0;
	for ( int k = 14; k > 0; --k ) // Taylor by Horner, without divisions: the rest is below 1e-18
	{
		sum = 1.0 + ( r * perK[k] ) * sum;
	}
	return sum * pnPowerOfTwo( (int)n );
}

double pnLn( double x )
{
	if ( !( x > 0.0 ) )
	{
		return -745.0;
	}
	uint64_t bits;
	memcpy( &bits, &x, sizeof bits );
	int exponent = (int)( bits >> 52 ) - 1023;
	if ( exponent == -1023 ) // denormal: shift it up first
	{
		return pnLn( x * 18014398509481984.0 ) - 54.0 * ( pn_ln2High + pn_ln2Low );
	}
	bits = ( bits & 0x000fffffffffffffull ) | 0x3ff0000000000000ull;
	double m;
	memcpy( &m, &bits, sizeof m ); // [1, 2)
	if ( m > 1.4142135623730951 )
	{
		m *= 0.5;
		exponent += 1;
	}
	double s = ( m - 1.0 ) / ( m + 1.0 ), s2 = s * s, sum = 0.0; // log m = 2 atanh s, |s| < 0.1716
	for ( int k = 21; k >= 1; k -= 2 )
	{
		sum = sum * s2 + 1.0 / (double)k;
	}
	return (double)exponent * pn_ln2High + ( 2.0 * s * sum + (double)exponent * pn_ln2Low );
}

double pnCbrt( double x )
{
	if ( x == 0.0 || x - x != 0.0 )
	{
		return x;
	}
	double a = x < 0.0 ? -x : x;
	double y = pnExp( pnLn( a ) / 3.0 );
	y = y - ( y * y * y - a ) / ( 3.0 * y * y ); // one Newton step: from 1e-14 to rounding
	return x < 0.0 ? -y : y;
}

// Both by Taylor after reducing to |r| <= pi/4.
static void pnSinCos( double x, double* sine, double* cosine )
{
	const double high = 1.57079632673412561417e+00, low = 6.07710050650619224932e-11; // pi/2 in two parts
	double n = pnRound( x / ( high + low ) );
	double r = ( x - n * high ) - n * low, r2 = r * r, s = 0.0, c = 0.0;
	for ( int k = 19; k >= 3; k -= 2 )
	{
		s = ( 1.0 + s ) * -r2 / (double)( k * ( k - 1 ) );
		c = ( 1.0 + c ) * -r2 / (double)( ( k - 1 ) * ( k - 2 ) );
	}
	s = r * ( 1.0 + s );
	c = 1.0 + c;
	switch ( (int64_t)n & 3 )
	{
		case 0: *sine = s; *cosine = c; break;
		case 1: *sine = c; *cosine = -s; break;
		case 2: *sine = -s; *cosine = -c; break;
		default: *sine = -c; *cosine = s; break;
	}
}

double pnCos( double x )
{
	double s, c;
	pnSinCos( x, &s, &c );
	return c;
}

double pnSin( double x )
{
	double s, c;
	pnSinCos( x, &s, &c );
	return s;
}
