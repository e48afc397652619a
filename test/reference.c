// reference.c - the papers' formulas in double, written for being right and not for speed. Knows nothing of the library.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "reference.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// Directions whose extent is below this part of the largest count as none. Rest shapes come from float32, so anything
// thinner is rounding; tests keep away from the neighbourhood of the threshold.
#define FLAT 1e-6
// The same for the squares in the Gram matrix of monomials, which are scaled to unit length first.
#define DEPENDENT 1e-9

double RefDet( const double a[9] )
{
	return a[0] * ( a[4] * a[8] - a[5] * a[7] ) - a[1] * ( a[3] * a[8] - a[5] * a[6] ) + a[2] * ( a[3] * a[7] - a[4] * a[6] );
}

static void Multiply( const double a[9], const double b[9], double out[9] )
{
	double t[9];
	for ( int i = 0; i < 3; ++i )
	{
		for ( int j = 0; j < 3; ++j )
		{
			t[3 * i + j] = a[3 * i] * b[j] + a[3 * i + 1] * b[3 + j] + a[3 * i + 2] * b[6 + j];
		}
	}
	memcpy( out, t, sizeof( t ) );
}

static void Transpose( const double a[9], double out[9] )
{
	double t[9] = { a[0], a[3], a[6], a[1], a[4], a[7], a[2], a[5], a[8] };
	memcpy( out, t, sizeof( t ) );
}

static void Cross( const double a[3], const double b[3], double out[3] )
{
	out[0] = a[1] * b[2] - a[2] * b[1];
	out[1] = a[2] * b[0] - a[0] * b[2];
	out[2] = a[0] * b[1] - a[1] * b[0];
}

static double Length( const double a[3] )
{
	return sqrt( a[0] * a[0] + a[1] * a[1] + a[2] * a[2] );
}

void RefEigen( const double* matrix, int size, double* values, double* v )
{
	double a[81];
	memcpy( a, matrix, sizeof( double ) * size * size );
	for ( int i = 0; i < size * size; ++i )
	{
		v[i] = i / size == i % size ? 1.0 : 0.0;
	}
	for ( int sweep = 0; sweep < 60; ++sweep )
	{
		double off = 0.0, on = 0.0;
		for ( int i = 0; i < size; ++i )
		{
			for ( int j = 0; j < size; ++j )
			{
				*( i == j ? &on : &off ) += a[size * i + j] * a[size * i + j];
			}
		}
		if ( off <= 1e-34 * on || off == 0.0 )
		{
			break;
		}
		for ( int p = 0; p < size; ++p )
		{
			for ( int q = p + 1; q < size; ++q )
			{
				double apq = a[size * p + q];
				if ( apq == 0.0 )
				{
					continue;
				}
				double theta = 0.5 * atan2( 2.0 * apq, a[size * q + q] - a[size * p + p] );
				double c = cos( theta ), s = sin( theta );
				for ( int k = 0; k < size; ++k )
				{
					double x = a[size * k + p], y = a[size * k + q];
					a[size * k + p] = c * x - s * y;
					a[size * k + q] = s * x + c * y;
				}
				for ( int k = 0; k < size; ++k )
				{
					double x = a[size * p + k], y = a[size * q + k];
					a[size * p + k] = c * x - s * y;
					a[size * q + k] = s * x + c * y;
				}
				for ( int k = 0; k < size; ++k )
				{
					double x = v[size * k + p], y = v[size * k + q];
					v[size * k + p] = c * x - s * y;
					v[size * k + q] = s * x + c * y;
				}
			}
		}
	}
	for ( int i = 0; i < size; ++i )
	{
		values[i] = a[size * i + i];
	}
}

void RefSvd( const double a[9], double u[9], double s[3], double v[9] )
{
	// One-sided Jacobi (Hestenes): turn pairs of columns of b = a v until they are orthogonal.
	double scale = 0.0;
	for ( int k = 0; k < 9; ++k )
	{
		scale = fmax( scale, fabs( a[k] ) );
	}
	double identity[9] = { 1, 0, 0, 0, 1, 0, 0, 0, 1 };
	memcpy( v, identity, sizeof( identity ) );
	memcpy( u, identity, sizeof( identity ) );
	s[0] = s[1] = s[2] = 0.0;
	if ( scale == 0.0 )
	{
		return;
	}
	double b[9];
	for ( int k = 0; k < 9; ++k )
	{
		b[k] = a[k] / scale;
	}
	for ( int sweep = 0; sweep < 60; ++sweep )
	{
		double worst = 0.0;
		for ( int p = 0; p < 2; ++p )
		{
			for ( int q = p + 1; q < 3; ++q )
			{
				double pp = 0.0, qq = 0.0, pq = 0.0;
				for ( int k = 0; k < 3; ++k )
				{
					pp += b[3 * k + p] * b[3 * k + p];
					qq += b[3 * k + q] * b[3 * k + q];
					pq += b[3 * k + p] * b[3 * k + q];
				}
				if ( fabs( pq ) <= 1e-17 * sqrt( pp * qq ) || pq == 0.0 )
				{
					continue;
				}
				worst = fmax( worst, fabs( pq ) / sqrt( pp * qq ) );
				double theta = 0.5 * atan2( 2.0 * pq, qq - pp );
				double c = cos( theta ), t = sin( theta );
				for ( int k = 0; k < 3; ++k )
				{
					double x = b[3 * k + p], y = b[3 * k + q];
					b[3 * k + p] = c * x - t * y;
					b[3 * k + q] = t * x + c * y;
					x = v[3 * k + p], y = v[3 * k + q];
					v[3 * k + p] = c * x - t * y;
					v[3 * k + q] = t * x + c * y;
				}
			}
		}
		if ( worst < 1e-15 )
		{
			break;
		}
	}

	double columns[3][3], turn[3][3], lengths[3];
	for ( int j = 0; j < 3; ++j )
	{
		for ( int k = 0; k < 3; ++k )
		{
			columns[j][k] = b[3 * k + j];
			turn[j][k] = v[3 * k + j];
		}
		lengths[j] = Length( columns[j] );
	}
	int order[3] = { 0, 1, 2 };
	for ( int i = 0; i < 3; ++i )
	{
		for ( int j = 0; j < 2; ++j )
		{
			if ( lengths[order[j]] < lengths[order[j + 1]] )
			{
				int swap = order[j];
				order[j] = order[j + 1];
				order[j + 1] = swap;
			}
		}
	}

	double first[3], second[3], third[3], other[3];
	const double* c0 = columns[order[0]];
	const double* c1 = columns[order[1]];
	for ( int k = 0; k < 3; ++k )
	{
		first[k] = c0[k] / lengths[order[0]];
	}
	if ( lengths[order[1]] > 1e-14 * lengths[order[0]] )
	{
		for ( int k = 0; k < 3; ++k )
		{
			second[k] = c1[k] / lengths[order[1]];
		}
	}
	else
	{
		int axis = fabs( first[0] ) < 0.6 ? 0 : 1;
		double unit[3] = { axis == 0, axis == 1, 0.0 };
		Cross( first, unit, other );
		double length = Length( other );
		for ( int k = 0; k < 3; ++k )
		{
			second[k] = other[k] / length;
		}
	}
	Cross( first, second, third );
	double thirdTurn[3];
	Cross( turn[order[0]], turn[order[1]], thirdTurn );
	// v's third column may have changed sign to make v a rotation; the sign of a goes into s[2]
	double sign = thirdTurn[0] * turn[order[2]][0] + thirdTurn[1] * turn[order[2]][1] + thirdTurn[2] * turn[order[2]][2] < 0.0 ? -1.0 : 1.0;
	const double* c2 = columns[order[2]];
	s[0] = scale * lengths[order[0]];
	s[1] = scale * lengths[order[1]];
	s[2] = scale * sign * ( third[0] * c2[0] + third[1] * c2[1] + third[2] * c2[2] );
	for ( int k = 0; k < 3; ++k )
	{
		u[3 * k] = first[k];
		u[3 * k + 1] = second[k];
		u[3 * k + 2] = third[k];
		v[3 * k] = turn[order[0]][k];
		v[3 * k + 1] = turn[order[1]][k];
		v[3 * k + 2] = thirdTurn[k];
	}
}

// f( a, b ) = ( e^a - s0 )^2 + ( e^b - s1 )^2 + ( P e^(-a-b) - s2 )^2, its gradient and its Hessian
static double ProductDistance( const double s[3], double product, double a, double b, double gradient[2], double hessian[3] )
{
	double x = exp( a ), y = exp( b ), z = product * exp( -a - b );
	double dx = x - s[0], dy = y - s[1], dz = z - s[2];
	gradient[0] = 2.0 * ( dx * x - dz * z );
	gradient[1] = 2.0 * ( dy * y - dz * z );
	double zz = 2.0 * ( z * z + dz * z );
	hessian[0] = 2.0 * ( x * x + dx * x ) + zz;
	hessian[1] = zz;
	hessian[2] = 2.0 * ( y * y + dy * y ) + zz;
	return dx * dx + dy * dy + dz * dz;
}

void RefNearestProduct( const double s[3], double product, double x[3] )
{
	// Levenberg-Marquardt from a grid of starts, the best kept: no assumption on which root or which branch is the nearest.
	double unit = cbrt( product );
	double t[3] = { s[0] / unit, s[1] / unit, s[2] / unit };
	double best = DBL_MAX;
	for ( int start = 0; start < 49; ++start )
	{
		double a = 1.5 * ( start % 7 - 3 ), b = 1.5 * ( start / 7 - 3 );
		double damping = 1.0, gradient[2], hessian[3];
		double f = ProductDistance( t, 1.0, a, b, gradient, hessian );
		for ( int iteration = 0; iteration < 300; ++iteration )
		{
			double h0 = hessian[0] + damping, h2 = hessian[2] + damping;
			double det = h0 * h2 - hessian[1] * hessian[1];
			if ( h0 <= 0.0 || det <= 0.0 )
			{
				damping = 4.0 * damping + 1.0;
				continue;
			}
			double da = -( h2 * gradient[0] - hessian[1] * gradient[1] ) / det;
			double db = -( h0 * gradient[1] - hessian[1] * gradient[0] ) / det;
			double g[2], h[3];
			double next = ProductDistance( t, 1.0, a + da, b + db, g, h );
			if ( next <= f )
			{
				a += da;
				b += db;
				f = next;
				memcpy( gradient, g, sizeof( g ) );
				memcpy( hessian, h, sizeof( h ) );
				damping *= 0.2;
				if ( fabs( da ) + fabs( db ) < 1e-15 )
				{
					break;
				}
			}
			else
			{
				damping = 4.0 * damping + 1e-3;
			}
		}
		if ( f < best )
		{
			best = f;
			x[0] = unit * exp( a );
			x[1] = unit * exp( b );
			x[2] = unit * exp( -a - b );
		}
	}
}

// What one cluster asks of its members; goals are written one after the other in the order of the members.
static void MatchCluster( const RefDef* def, int cluster, const double* shares, const double* positions, double* goals, RefCluster* out )
{
	int begin = def->starts[cluster], count = def->starts[cluster + 1] - begin;
	double* weights = malloc( sizeof( double ) * count );
	double* q = malloc( sizeof( double ) * 3 * count ); // rest, about the centre
	double* p = malloc( sizeof( double ) * 3 * count ); // here, about the centre
	double* e = malloc( sizeof( double ) * 9 * count ); // monomials, scaled
	memset( out, 0, sizeof( *out ) );
	out->restGap = 1.0;

	// eq. 5, 6: the centres
	for ( int k = 0; k < count; ++k )
	{
		int i = def->members[begin + k];
		weights[k] = def->masses[i] * shares[begin + k];
		out->weight += weights[k];
		for ( int a = 0; a < 3; ++a )
		{
			out->restCenter[a] += weights[k] * def->rest[3 * i + a];
			out->center[a] += weights[k] * positions[3 * i + a];
		}
	}
	for ( int a = 0; a < 3; ++a )
	{
		out->restCenter[a] /= out->weight;
		out->center[a] /= out->weight;
	}

	// eq. 7: A_pq and A_qq, both divided by the cluster's weight
	double apq[9] = { 0 }, aqq[9] = { 0 };
	for ( int k = 0; k < count; ++k )
	{
		int i = def->members[begin + k];
		double w = weights[k] / out->weight;
		for ( int a = 0; a < 3; ++a )
		{
			q[3 * k + a] = def->rest[3 * i + a] - out->restCenter[a];
			p[3 * k + a] = positions[3 * i + a] - out->center[a];
		}
		for ( int a = 0; a < 3; ++a )
		{
			for ( int b = 0; b < 3; ++b )
			{
				apq[3 * a + b] += w * p[3 * k + a] * q[3 * k + b];
				aqq[3 * a + b] += w * q[3 * k + a] * q[3 * k + b];
			}
			out->restSize += w * q[3 * k + a] * q[3 * k + a];
			out->size += w * p[3 * k + a] * p[3 * k + a];
		}
	}
	out->restSize = sqrt( out->restSize );
	out->size = sqrt( out->size );
	for ( int k = 0; k < count && out->restSize > 0.0; ++k )
	{
		out->reach = fmax( out->reach, Length( q + 3 * k ) / out->restSize );
	}

	// rotation with the sign of Umeyama: s[2] keeps its sign, u and v are rotations already
	double u[9], s[3], v[9], vt[9];
	RefSvd( apq, u, s, v );
	Transpose( v, vt );
	Multiply( u, vt, out->rotation );
	out->gap = s[0] > 0.0 ? ( s[1] + s[2] ) / s[0] : 0.0;

	// principal axes of the rest shape; extents[k] = 0 where there is none
	double squares[3], axes[9], extents[3], largest = 0.0;
	RefEigen( aqq, 3, squares, axes );
	for ( int k = 0; k < 3; ++k )
	{
		largest = fmax( largest, squares[k] );
	}
	// points that all lie on one place differ by rounding of their mean only
	double noise = 1e-14 * ( Length( out->restCenter ) + out->restSize );
	for ( int k = 0; k < 3; ++k )
	{
		double extent = sqrt( fmax( squares[k], 0.0 ) );
		extents[k] = extent > FLAT * sqrt( largest ) && extent > noise ? extent : 0.0;
		out->rank += extents[k] > 0.0 ? 1 : 0;
		out->restGap = extents[k] > 0.0 ? fmin( out->restGap, extents[k] / sqrt( largest ) ) : out->restGap;
	}

	// eq. 7: A = A_pq A_qq^-1, pseudo-inverse; and root = A_qq^(1/2) for the mass metric
	double inverse[9] = { 0 }, root[9] = { 0 }, rootInverse[9] = { 0 };
	for ( int k = 0; k < 3; ++k )
	{
		for ( int a = 0; a < 3; ++a )
		{
			for ( int b = 0; b < 3; ++b )
			{
				double outer = axes[3 * a + k] * axes[3 * b + k];
				if ( extents[k] > 0.0 )
				{
					inverse[3 * a + b] += outer / ( extents[k] * extents[k] );
					rootInverse[3 * a + b] += outer / extents[k];
				}
				root[3 * a + b] += outer * extents[k];
			}
		}
	}
	Multiply( apq, inverse, out->map );
	out->volume = out->rank == 3 ? RefDet( out->map ) : 0.0;

	// the nearest linear map of the wanted volume: |( B - A ) root| least, det B = wanted. With L = A root = u s v^T only
	// the singular values change (von Neumann's trace inequality).
	double toVolume[9] = { 0 }; // B - A
	if ( def->volume > 0.0 && out->rank == 3 && def->mode != 0 )
	{
		double L[9], x[3], change[9];
		Multiply( out->map, root, L );
		RefSvd( L, u, s, v );
		RefNearestProduct( s, def->wantedVolume * RefDet( root ), x );
		for ( int a = 0; a < 3; ++a )
		{
			for ( int b = 0; b < 3; ++b )
			{
				change[3 * a + b] = 0.0;
				for ( int k = 0; k < 3; ++k )
				{
					change[3 * a + b] += u[3 * a + k] * ( x[k] - s[k] ) * v[3 * b + k];
				}
			}
		}
		Multiply( change, rootInverse, toVolume );
	}

	// 13: the quadratic fit, A~ = ( sum w p e^T )( sum w e e^T )^+ with centred monomials e of coordinates along the
	// principal axes, each in units of its extent, so that the 9 x 9 matrix is well conditioned
	double coefficients[27] = { 0 };
	out->quadraticGap = 1.0;
	if ( def->mode == 2 )
	{
		double mean[9] = { 0 }, length[9] = { 0 };
		for ( int k = 0; k < count; ++k )
		{
			double c[3];
			for ( int a = 0; a < 3; ++a )
			{
				c[a] = q[3 * k] * axes[a] + q[3 * k + 1] * axes[3 + a] + q[3 * k + 2] * axes[6 + a];
				c[a] = extents[a] > 0.0 ? c[a] / extents[a] : 0.0;
			}
			double m[9] = { c[0], c[1], c[2], c[0] * c[0], c[1] * c[1], c[2] * c[2], c[0] * c[1], c[1] * c[2], c[2] * c[0] };
			for ( int t = 0; t < 9; ++t )
			{
				e[9 * k + t] = m[t];
				mean[t] += weights[k] / out->weight * m[t];
			}
		}
		for ( int k = 0; k < count; ++k )
		{
			for ( int t = 0; t < 9; ++t )
			{
				e[9 * k + t] -= mean[t];
				length[t] += weights[k] / out->weight * e[9 * k + t] * e[9 * k + t];
			}
		}
		for ( int t = 0; t < 9; ++t )
		{
			length[t] = sqrt( length[t] );
		}
		double gram[81] = { 0 }, moment[27] = { 0 };
		for ( int k = 0; k < count; ++k )
		{
			double w = weights[k] / out->weight;
			for ( int t = 0; t < 9; ++t )
			{
				// 1e-7: the monomials are of order one and come from float32 coordinates
				e[9 * k + t] = length[t] > 1e-7 ? e[9 * k + t] / length[t] : 0.0;
			}
			for ( int t = 0; t < 9; ++t )
			{
				for ( int r = 0; r < 9; ++r )
				{
					gram[9 * t + r] += w * e[9 * k + t] * e[9 * k + r];
				}
				for ( int a = 0; a < 3; ++a )
				{
					moment[9 * a + t] += w * p[3 * k + a] * e[9 * k + t];
				}
			}
		}
		double values[9], modes[81];
		RefEigen( gram, 9, values, modes );
		for ( int j = 0; j < 9; ++j )
		{
			if ( values[j] < DEPENDENT )
			{
				continue;
			}
			out->quadraticRank += 1;
			out->quadraticGap = fmin( out->quadraticGap, sqrt( values[j] ) );
			for ( int a = 0; a < 3; ++a )
			{
				double dot = 0.0;
				for ( int t = 0; t < 9; ++t )
				{
					dot += moment[9 * a + t] * modes[9 * t + j];
				}
				for ( int t = 0; t < 9; ++t )
				{
					coefficients[9 * a + t] += dot / values[j] * modes[9 * t + j];
				}
			}
		}
	}

	double beta = def->mode == 0 ? 0.0 : def->stretch;
	for ( int k = 0; k < count; ++k )
	{
		for ( int a = 0; a < 3; ++a )
		{
			double turned = 0.0, fitted = 0.0, toward = 0.0;
			for ( int b = 0; b < 3; ++b )
			{
				turned += out->rotation[3 * a + b] * q[3 * k + b];
				fitted += out->map[3 * a + b] * q[3 * k + b];
				toward += toVolume[3 * a + b] * q[3 * k + b];
			}
			if ( def->mode == 2 )
			{
				fitted = 0.0;
				for ( int t = 0; t < 9; ++t )
				{
					fitted += coefficients[9 * a + t] * e[9 * k + t];
				}
			}
			goals[3 * k + a] = out->center[a] + beta * fitted + ( 1.0 - beta ) * turned + def->volume * toward;
		}
	}

	free( weights );
	free( q );
	free( p );
	free( e );
}

void RefGoals( const RefDef* def, const double* positions, double* goals, RefCluster* clusters )
{
	int memberCount = def->starts[def->clusterCount];
	double* shares = calloc( memberCount + 1, sizeof( double ) );
	double* total = calloc( def->pointCount + 1, sizeof( double ) );
	double* asked = calloc( 3 * memberCount + 1, sizeof( double ) );
	for ( int k = 0; k < memberCount; ++k )
	{
		shares[k] = def->weights != NULL ? def->weights[k] : 1.0;
		total[def->members[k]] += shares[k];
	}
	for ( int k = 0; k < memberCount; ++k )
	{
		shares[k] /= total[def->members[k]];
	}
	memset( goals, 0, sizeof( double ) * 3 * def->pointCount );
	for ( int c = 0; c < def->clusterCount; ++c )
	{
		RefCluster cluster;
		int begin = def->starts[c];
		MatchCluster( def, c, shares, positions, asked + 3 * begin, &cluster );
		for ( int k = begin; k < def->starts[c + 1]; ++k )
		{
			for ( int a = 0; a < 3; ++a )
			{
				goals[3 * def->members[k] + a] += shares[k] * asked[3 * k + a];
			}
		}
		if ( clusters != NULL )
		{
			clusters[c] = cluster;
		}
	}
	free( shares );
	free( total );
	free( asked );
}

double RefRigidResidual( const RefDef* def, const double* positions )
{
	RefDef whole = *def;
	int32_t starts[2] = { 0, def->pointCount };
	int32_t* members = malloc( sizeof( int32_t ) * def->pointCount );
	double* goals = malloc( sizeof( double ) * 3 * def->pointCount );
	double sum = 0.0, mass = 0.0;
	for ( int i = 0; i < def->pointCount; ++i )
	{
		members[i] = i;
	}
	whole.clusterCount = 1;
	whole.starts = starts;
	whole.members = members;
	whole.weights = NULL;
	whole.mode = 0;
	whole.volume = 0.0;
	RefGoals( &whole, positions, goals, NULL );
	for ( int i = 0; i < def->pointCount; ++i )
	{
		mass += def->masses[i];
		for ( int a = 0; a < 3; ++a )
		{
			double d = positions[3 * i + a] - goals[3 * i + a];
			sum += def->masses[i] * d * d;
		}
	}
	free( members );
	free( goals );
	return sum / mass;
}
