// mat3.c - 3x3 matrices in double: the slow, exact side. Wide float code has its own in match_wide.h. Knows no physics.
#include "mat3.h"

#include <math.h>

pnMat3d pnIdentity3( void )
{
	return (pnMat3d){ { 1, 0, 0, 0, 1, 0, 0, 0, 1 } };
}

pnMat3d pnMul3( pnMat3d a, pnMat3d b )
{
	pnMat3d c;
	for ( int i = 0; i < 3; ++i )
	{
		for ( int j = 0; j < 3; ++j )
		{
			c.m[3 * i + j] = a.m[3 * i] * b.m[j] + a.m[3 * i + 1] * b.m[3 + j] + a.m[3 * i + 2] * b.m[6 + j];
		}
	}
	return c;
}

pnMat3d pnTranspose3( pnMat3d a )
{
	return (pnMat3d){ { a.m[0], a.m[3], a.m[6], a.m[1], a.m[4], a.m[7], a.m[2], a.m[5], a.m[8] } };
}

pnMat3d pnMulT3( pnMat3d a, pnMat3d b )
{
	return pnMul3( a, pnTranspose3( b ) );
}

pnMat3d pnTMul3( pnMat3d a, pnMat3d b )
{
	return pnMul3( pnTranspose3( a ), b );
}

pnMat3d pnAdd3( pnMat3d a, double s, pnMat3d b )
{
	for ( int k = 0; k < 9; ++k )
	{
		a.m[k] += s * b.m[k];
	}
	return a;
}

pnMat3d pnScale3( double s, pnMat3d a )
{
	for ( int k = 0; k < 9; ++k )
	{
		a.m[k] *= s;
	}
	return a;
}

double pnDot3( pnMat3d a, pnMat3d b )
{
	double sum = 0.0;
	for ( int k = 0; k < 9; ++k )
	{
		sum += a.m[k] * b.m[k];
	}
	return sum;
}

pnMat3d pnCofactor3( pnMat3d a )
{
	const double* m = a.m;
	return (pnMat3d){ {
		m[4] * m[8] - m[5] * m[7], m[5] * m[6] - m[3] * m[8], m[3] * m[7] - m[4] * m[6],
		m[2] * m[7] - m[1] * m[8], m[0] * m[8] - m[2] * m[6], m[1] * m[6] - m[0] * m[7],
		m[1] * m[5] - m[2] * m[4], m[2] * m[3] - m[0] * m[5], m[0] * m[4] - m[1] * m[3],
	} };
}

double pnDet3( pnMat3d a )
{
	pnMat3d c = pnCofactor3( a );
	return a.m[0] * c.m[0] + a.m[1] * c.m[1] + a.m[2] * c.m[2];
}

pnMat3d pnInverse3( pnMat3d a )
{
	return pnScale3( 1.0 / pnDet3( a ), pnTranspose3( pnCofactor3( a ) ) );
}

pnMat3d pnFromQuat3( double x, double y, double z, double w )
{
	return (pnMat3d){ {
		1 - 2 * ( y * y + z * z ), 2 * ( x * y - w * z ), 2 * ( x * z + w * y ),
		2 * ( x * y + w * z ), 1 - 2 * ( x * x + z * z ), 2 * ( y * z - w * x ),
		2 * ( x * z - w * y ), 2 * ( y * z + w * x ), 1 - 2 * ( x * x + y * y ),
	} };
}

void pnToQuat3( pnMat3d R, double q[4] )
{
	const double* m = R.m;
	double x, y, z, w, trace = m[0] + m[4] + m[8];
	if ( trace > 0.0 )
	{
		w = 1.0 + trace, x = m[7] - m[5], y = m[2] - m[6], z = m[3] - m[1];
	}
	else if ( m[0] >= m[4] && m[0] >= m[8] )
	{
		x = 1.0 + m[0] - m[4] - m[8], y = m[1] + m[3], z = m[2] + m[6], w = m[7] - m[5];
	}
	else if ( m[4] >= m[8] )
	{
		y = 1.0 - m[0] + m[4] - m[8], x = m[1] + m[3], z = m[5] + m[7], w = m[2] - m[6];
	}
	else
	{
		z = 1.0 - m[0] - m[4] + m[8], x = m[2] + m[6], y = m[5] + m[7], w = m[3] - m[1];
	}
	double r = 1.0 / sqrt( x * x + y * y + z * z + w * w );
	q[0] = r * x, q[1] = r * y, q[2] = r * z, q[3] = r * w;
}

static double pnMaxAbs3( pnMat3d a )
{
	double largest = 0.0;
	for ( int k = 0; k < 9; ++k )
	{
		double x = fabs( a.m[k] );
		largest = x > largest ? x : largest;
	}
	return largest;
}

void pnEigen3( pnMat3d a, pnMat3d* v, double values[3] )
{
	*v = pnIdentity3();
	double scale = pnMaxAbs3( a );
	if ( scale > 0.0 ) // to order one, so that squares neither overflow nor vanish
	{
		a = pnScale3( 1.0 / scale, a );
		for ( int sweep = 0; sweep < 16; ++sweep )
		{
			if ( fabs( a.m[1] ) + fabs( a.m[2] ) + fabs( a.m[5] ) < 1e-18 )
			{
				break;
			}
			for ( int p = 0; p < 2; ++p )
			{
				for ( int q = p + 1; q < 3; ++q )
				{
					double apq = a.m[3 * p + q];
					if ( fabs( apq ) < 1e-18 )
					{
						continue;
					}
					double theta = ( a.m[4 * q] - a.m[4 * p] ) / ( 2.0 * apq );
					double t = ( theta >= 0.0 ? 1.0 : -1.0 ) / ( fabs( theta ) + sqrt( theta * theta + 1.0 ) );
					double c = 1.0 / sqrt( t * t + 1.0 ), s = t * c;
					for ( int k = 0; k < 3; ++k ) // columns of a and v, then rows of a
					{
						double x = a.m[3 * k + p], y = a.m[3 * k + q];
						a.m[3 * k + p] = c * x - s * y;
						a.m[3 * k + q] = s * x + c * y;
						x = v->m[3 * k + p], y = v->m[3 * k + q];
						v->m[3 * k + p] = c * x - s * y;
						v->m[3 * k + q] = s * x + c * y;
					}
					for ( int k = 0; k < 3; ++k )
					{
						double x = a.m[3 * p + k], y = a.m[3 * q + k];
						a.m[3 * p + k] = c * x - s * y;
						a.m[3 * q + k] = s * x + c * y;
					}
					a.m[3 * p + q] = a.m[3 * q + p] = 0.0; // what rounding leaves would be turned again and again
				}
			}
		}
	}
	int order[3] = { 0, 1, 2 };
	for ( int pass = 0; pass < 2; ++pass )
	{
		for ( int i = 0; i < 2; ++i )
		{
			if ( a.m[4 * order[i]] < a.m[4 * order[i + 1]] )
			{
				int swap = order[i];
				order[i] = order[i + 1];
				order[i + 1] = swap;
			}
		}
	}
	pnMat3d sorted;
	for ( int i = 0; i < 3; ++i )
	{
		values[i] = a.m[4 * order[i]] * ( scale > 0.0 ? scale : 1.0 );
		for ( int k = 0; k < 3; ++k )
		{
			sorted.m[3 * k + i] = v->m[3 * k + order[i]];
		}
	}
	if ( pnDet3( sorted ) < 0.0 )
	{
		for ( int k = 0; k < 3; ++k )
		{
			sorted.m[3 * k + 2] = -sorted.m[3 * k + 2];
		}
	}
	*v = sorted;
}

// A unit vector across a, where the columns give none.
static void pnAnyAcross( const double a[3], double out[3] )
{
	int k = fabs( a[0] ) < fabs( a[1] ) ? ( fabs( a[0] ) < fabs( a[2] ) ? 0 : 2 ) : ( fabs( a[1] ) < fabs( a[2] ) ? 1 : 2 );
	double length = 0.0;
	for ( int i = 0; i < 3; ++i )
	{
		out[i] = ( i == k ? 1.0 : 0.0 ) - a[k] * a[i];
		length += out[i] * out[i];
	}
	length = sqrt( length );
	for ( int i = 0; i < 3; ++i )
	{
		out[i] /= length;
	}
}

void pnSvd3( pnMat3d a, pnMat3d* u, double s[3], pnMat3d* v )
{
	// One-sided Jacobi: turn the columns of b = a v until they are orthogonal. Exact for small singular values too,
	// which an eigen-decomposition of a^T a is not.
	double scale = pnMaxAbs3( a );
	if ( !( scale > 0.0 ) )
	{
		*u = *v = pnIdentity3();
		s[0] = s[1] = s[2] = 0.0;
		return;
	}
	pnMat3d b = pnScale3( 1.0 / scale, a ), w = pnIdentity3();
	for ( int sweep = 0; sweep < 24; ++sweep )
	{
		int turned = 0;
		for ( int p = 0; p < 2; ++p )
		{
			for ( int q = p + 1; q < 3; ++q )
			{
				double pp = 0.0, qq = 0.0, pq = 0.0;
				for ( int k = 0; k < 3; ++k )
				{
					double x = b.m[3 * k + p], y = b.m[3 * k + q];
					pp += x * x;
					qq += y * y;
					pq += x * y;
				}
				if ( fabs( pq ) <= 1e-16 * sqrt( pp * qq ) || fabs( pq ) < 1e-60 )
				{
					continue;
				}
				turned = 1;
				double theta = ( qq - pp ) / ( 2.0 * pq );
				double t = ( theta >= 0.0 ? 1.0 : -1.0 ) / ( fabs( theta ) + sqrt( theta * theta + 1.0 ) );
				double c = 1.0 / sqrt( t * t + 1.0 ), sn = t * c;
				for ( int k = 0; k < 3; ++k )
				{
					double x = b.m[3 * k + p], y = b.m[3 * k + q];
					b.m[3 * k + p] = c * x - sn * y;
					b.m[3 * k + q] = sn * x + c * y;
					x = w.m[3 * k + p], y = w.m[3 * k + q];
					w.m[3 * k + p] = c * x - sn * y;
					w.m[3 * k + q] = sn * x + c * y;
				}
			}
		}
		if ( !turned )
		{
			break;
		}
	}
	double length[3];
	for ( int j = 0; j < 3; ++j )
	{
		length[j] = sqrt( b.m[j] * b.m[j] + b.m[3 + j] * b.m[3 + j] + b.m[6 + j] * b.m[6 + j] );
	}
	int order[3] = { 0, 1, 2 };
	for ( int pass = 0; pass < 2; ++pass )
	{
		for ( int i = 0; i < 2; ++i )
		{
			if ( length[order[i]] < length[order[i + 1]] )
			{
				int swap = order[i];
				order[i] = order[i + 1];
				order[i + 1] = swap;
			}
		}
	}
	double axis[3][3]; // columns of u
	for ( int k = 0; k < 3; ++k )
	{
		axis[0][k] = b.m[3 * k + order[0]] / length[order[0]];
		for ( int i = 0; i < 3; ++i )
		{
			v->m[3 * k + i] = w.m[3 * k + order[i]];
		}
	}
	if ( pnDet3( *v ) < 0.0 )
	{
		for ( int k = 0; k < 3; ++k )
		{
			v->m[3 * k + 2] = -v->m[3 * k + 2];
		}
	}
	if ( length[order[1]] > 1e-15 * length[order[0]] )
	{
		double along = 0.0, left = 0.0;
		for ( int k = 0; k < 3; ++k )
		{
			axis[1][k] = b.m[3 * k + order[1]] / length[order[1]];
			along += axis[1][k] * axis[0][k];
		}
		for ( int k = 0; k < 3; ++k )
		{
			axis[1][k] -= along * axis[0][k];
			left += axis[1][k] * axis[1][k];
		}
		left = sqrt( left );
		for ( int k = 0; k < 3; ++k )
		{
			axis[1][k] /= left;
		}
	}
	else
	{
		pnAnyAcross( axis[0], axis[1] );
	}
	axis[2][0] = axis[0][1] * axis[1][2] - axis[0][2] * axis[1][1];
	axis[2][1] = axis[0][2] * axis[1][0] - axis[0][0] * axis[1][2];
	axis[2][2] = axis[0][0] * axis[1][1] - axis[0][1] * axis[1][0];
	a = pnMul3( a, *v );
	for ( int i = 0; i < 3; ++i )
	{
		s[i] = 0.0;
		for ( int k = 0; k < 3; ++k )
		{
			u->m[3 * k + i] = axis[i][k];
			s[i] += axis[i][k] * a.m[3 * k + i];
		}
	}
}

pnMat3d pnNearestRotation3( pnMat3d m, pnMat3d last )
{
	pnMat3d u, v;
	double s[3], a[3], b[3];
	pnSvd3( m, &u, s, &v );
	if ( !( s[0] > 0.0 ) )
	{
		return last;
	}
	if ( s[1] > 1e-6 * s[0] )
	{
		return pnMulT3( u, v );
	}
	// a: where `last` puts the line, b: where it is; the quaternion ( a x b, 1 + a.b ) turns the one into the other.
	for ( int k = 0; k < 3; ++k )
	{
		a[k] = last.m[3 * k] * v.m[0] + last.m[3 * k + 1] * v.m[3] + last.m[3 * k + 2] * v.m[6];
		b[k] = u.m[3 * k];
	}
	double x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2], z = a[0] * b[1] - a[1] * b[0];
	double w = 1.0 + a[0] * b[0] + a[1] * b[1] + a[2] * b[2], r = 1.0 / sqrt( x * x + y * y + z * z + w * w );
	return w > 1e-6 ? pnMul3( pnFromQuat3( r * x, r * y, r * z, r * w ), last ) : pnMulT3( u, v );
}

void pnSolve3( pnMat3d a, double least, const double b[3], double x[3] )
{
	pnMat3d v;
	double values[3];
	pnEigen3( a, &v, values );
	x[0] = x[1] = x[2] = 0.0;
	for ( int i = 0; i < 3; ++i )
	{
		if ( values[i] > least * values[0] && values[i] > 0.0 )
		{
			double c = ( v.m[i] * b[0] + v.m[3 + i] * b[1] + v.m[6 + i] * b[2] ) / values[i];
			for ( int k = 0; k < 3; ++k )
			{
				x[k] += c * v.m[3 * k + i];
			}
		}
	}
}
