// shape_wide.h - from a cluster's moments to its goal: fit, turn, blend, caps, volume, damping. Knows one cluster a lane.
// After Mueller et al. 2005, with one potential for blend, volume and caps; what is rare is left to rare.h.
#pragma once

#include "gather_wide.h"
#include "rare.h"

// What the second loop needs of a cluster, one register per number.
typedef struct pnGoalW
{
	pnFloatW map[3][PN_TERMS], base[3]; // goal relative to the near point = base + map e( q )
	pnFloatW share; // the cluster's weight in the body
	pnFloatW fitted2; // squared distance from fit to goal: what the fit adds to the members' squared distances
	pnFloatW potential; // beyond the residual of the fit
	int count; // members of the longest lane
} pnGoalW;

PN_INLINE void pnStoreStateRow( const pnLaneW* lanes, int row, pnFloatW a, pnFloatW b, pnFloatW c, pnFloatW d )
{
	pnFloatW in[4] = { a, b, c, d }, rows[4];
	pnToRows( in, rows );
	for ( int l = 0; l < PN_WIDTH; ++l )
	{
		memcpy( (float*)lanes[l].state + 4 * row, (const pnFloat4*)rows + PN_ROW( l ), 16 );
	}
}

PN_INLINE void pnQuatToMatrix( const pnFloatW q[4], pnFloatW R[3][3] )
{
	pnFloatW x = q[0], y = q[1], z = q[2], w = q[3];
	R[0][0] = 1.0f - 2.0f * ( y * y + z * z );
	R[0][1] = 2.0f * ( x * y - w * z );
	R[0][2] = 2.0f * ( x * z + w * y );
	R[1][0] = 2.0f * ( x * y + w * z );
	R[1][1] = 1.0f - 2.0f * ( x * x + z * z );
	R[1][2] = 2.0f * ( y * z - w * x );
	R[2][0] = 2.0f * ( x * z - w * y );
	R[2][1] = 2.0f * ( y * z + w * x );
	R[2][2] = 1.0f - 2.0f * ( x * x + y * y );
}

// The rotation R that makes trace( R^T B ) largest, from a near one. Newton on the quaternion: with S = R^T B, the gradient is
// t = axial S and the curvature J = tr( S ) 1 - sym S; J > 0 certifies the only maximum, which is never a reflection.
// B has entries of order one. `twist` stiffens turns that the rest shape cannot tell (about a line; all, of a point): it is symmetric,
// so it moves nothing. A lane that is done keeps its value, so that the others do not change its bits; one that does not get there
// (turned very far, inverted or collapsed) is done exactly.
PN_INLINE void pnNearestRotation( pnFloatW B[3][3], const pnFloatW twist[6], pnFloatW q[4] )
{
	pnMaskW open = pnSplat( 0.0f ) == pnSplat( 0.0f );
	for ( int turn = 0; turn < 8 && pnAny( open ); ++turn )
	{
		pnFloatW R[3][3], S[3][3];
		pnQuatToMatrix( q, R );
		for ( int i = 0; i < 3; ++i )
		{
			for ( int j = 0; j < 3; ++j )
			{
				S[i][j] = R[0][i] * B[0][j] + R[1][i] * B[1][j] + R[2][i] * B[2][j];
			}
		}
		pnFloatW t0 = S[2][1] - S[1][2], t1 = S[0][2] - S[2][0], t2 = S[1][0] - S[0][1];
		pnFloatW trace = S[0][0] + S[1][1] + S[2][2], norm = pnSplat( 0.0f );
		for ( int k = 0; k < 9; ++k )
		{
			norm = norm + S[k / 3][k % 3] * S[k / 3][k % 3];
		}
		norm = pnSqrtW( norm ) + 1e-3f;
		pnFloatW a = twist[0] + ( trace - S[0][0] ), b = twist[1] + ( trace - S[1][1] ), c = twist[2] + ( trace - S[2][2] );
		pnFloatW d = twist[3] - 0.5f * ( S[0][1] + S[1][0] ), e = twist[4] - 0.5f * ( S[1][2] + S[2][1] ), f = twist[5] - 0.5f * ( S[0][2] + S[2][0] );
		pnMaskW convex = ( a > 0.02f * norm ) & ( a * b - d * d > 0.0004f * norm * norm ) &
						 ( a * ( b * c - e * e ) - d * ( d * c - e * f ) + f * ( d * e - b * f ) > 8e-6f * norm * norm * norm );
		pnFloatW shift = pnSelect( convex, pnSplat( 0.0f ), 2.0f * norm );
		a = a + shift;
		b = b + shift;
		c = c + shift;
		pnFloatW c00 = b * c - e * e, c01 = f * e - d * c, c02 = d * e - f * b;
		pnFloatW c11 = a * c - f * f, c12 = d * f - a * e, c22 = a * b - d * d;
		pnFloatW scale = 0.5f / ( a * c00 + d * c01 + f * c02 );
		pnFloatW w0 = scale * ( c00 * t0 + c01 * t1 + c02 * t2 );
		pnFloatW w1 = scale * ( c01 * t0 + c11 * t1 + c12 * t2 );
		pnFloatW w2 = scale * ( c02 * t0 + c12 * t1 + c22 * t2 );
		// q * ( w, 1 ), normalised
		pnFloatW n3 = q[3] - q[0] * w0 - q[1] * w1 - q[2] * w2;
		pnFloatW n0 = q[0] + q[3] * w0 + q[1] * w2 - q[2] * w1;
		pnFloatW n1 = q[1] + q[3] * w1 + q[2] * w0 - q[0] * w2;
		pnFloatW n2 = q[2] + q[3] * w2 + q[0] * w1 - q[1] * w0;
		pnFloatW r = 1.0f / pnSqrtW( n0 * n0 + n1 * n1 + n2 * n2 + n3 * n3 );
		q[0] = pnSelect( open, n0 * r, q[0] );
		q[1] = pnSelect( open, n1 * r, q[1] );
		q[2] = pnSelect( open, n2 * r, q[2] );
		q[3] = pnSelect( open, n3 * r, q[3] );
		// The error after a step is about its square: below 2e-4 nothing is left in float.
		pnFloatW moved = w0 * w0 + w1 * w1 + w2 * w2;
		open = open & pnNot( convex & ( moved < 1e-8f ) );
	}
	if ( pnAny( open ) )
	{
		pnFloatW flag = pnSelect( open, pnSplat( 1.0f ), pnSplat( 0.0f ) );
		for ( int l = 0; l < PN_WIDTH; ++l )
		{
			if ( pnGetLane( &flag, l ) != 0.0f )
			{
				float matrix[9], turned[4];
				for ( int k = 0; k < 9; ++k )
				{
					matrix[k] = pnGetLane( &B[k / 3][k % 3], l );
				}
				for ( int k = 0; k < 4; ++k )
				{
					turned[k] = pnGetLane( q + k, l );
				}
				pnTurnExactly( matrix, turned );
				for ( int k = 0; k < 4; ++k )
				{
					pnSetLane( q + k, l, turned[k] );
				}
			}
		}
	}
}

// Sums are taken row by row and then together: one after another they would wait for each other.
PN_INLINE pnFloatW pnDot9W( pnFloatW a[3][3], pnFloatW b[3][3] )
{
	pnFloatW row[3];
	for ( int i = 0; i < 3; ++i )
	{
		row[i] = ( a[i][0] * b[i][0] + a[i][1] * b[i][1] ) + a[i][2] * b[i][2];
	}
	return ( row[0] + row[1] ) + row[2];
}

// det and cofactor of a 3x3 block
PN_INLINE pnFloatW pnCofactorW( pnFloatW A[3][3], pnFloatW N[3][3] )
{
	for ( int i = 0; i < 3; ++i )
	{
		int i1 = ( i + 1 ) % 3, i2 = ( i + 2 ) % 3;
		for ( int j = 0; j < 3; ++j )
		{
			int j1 = ( j + 1 ) % 3, j2 = ( j + 2 ) % 3;
			N[i][j] = A[i1][j1] * A[i2][j2] - A[i1][j2] * A[i2][j1];
		}
	}
	return A[0][0] * N[0][0] + A[0][1] * N[0][1] + A[0][2] * N[0][2];
}

// From coefficients of the orthonormal basis to those of the monomials; the constant comes to base.
PN_INLINE void pnToMonomials( const pnFloatW quadratic[PN_QUADRATIC_COEFFICIENTS], const pnFloatW mean[6], pnFloatW C[3][PN_TERMS], pnFloatW out[3][PN_TERMS], pnFloatW base[3] )
{
	for ( int i = 0; i < 3; ++i )
	{
		for ( int j = 0; j < PN_TERMS; ++j )
		{
			out[i][j] = j < 3 ? C[i][j] : pnSplat( 0.0f );
		}
	}
	int at = PN_QUADRATIC_COEFFICIENTS;
	for ( int t = 5; t >= 0; --t )
	{
		pnFloatW c0 = C[0][3 + t], c1 = C[1][3 + t], c2 = C[2][3 + t];
		at -= 4 + t;
		for ( int j = 0; j <= 3 + t; ++j )
		{
			pnFloatW coefficient = quadratic[at + j];
			out[0][j] = out[0][j] + c0 * coefficient;
			out[1][j] = out[1][j] + c1 * coefficient;
			out[2][j] = out[2][j] + c2 * coefficient;
		}
	}
	for ( int i = 0; i < 3; ++i )
	{
		for ( int j = 0; j < PN_TERMS; ++j )
		{
			base[i] = j < 3 ? base[i] : base[i] - out[i][j] * mean[j < 3 ? 0 : j - 3];
		}
	}
}

// One register for each number of what a cluster is on its way from moments to a goal.
typedef struct pnShapingW
{
	pnFloatW A[3][PN_TERMS], F[3][PN_TERMS]; // fit, goal; the goal's quadratic columns are `blended` times those of the fit, and written at last
	pnFloatW E[3][3]; // how far the fit is from the rest target; of the quadratic columns that is all of them. Then the gradient
	pnFloatW K[3][3], R[3][3], turn[4]; // rest basis; the turn, as a matrix and as a quaternion
	pnFloatW restDet, restNorm2, fullRank, distance2, bend2, beta, blended; // distance2: how far the fit is from rest, squared, and what the quadratic columns are of it; blended: beta after the caps
	pnFloatW response[4][4]; // rows of pnTuning
	pnFloatW s1[4], s2[4]; // rows of pnCluster: centre and softness; what rounding left of the centre, and plastic strain
	pnFloatW offset[3], shift[3]; // centre relative to the near point; how far damping, and the volume of a pinned cluster, move the goal
	pnFloatW potential; // but for the quadratic columns' 1/2 ( 1 - blended ) bend2
	pnFloatW given;
	pnMaskW flowed, exact; // has plastic strain; must be done exactly
} pnShapingW;

// Caps over all axes, as a potential of the distance r from rest.
PN_INLINE void pnCapW( pnShapingW* s )
{
	pnFloatW start2 = s->response[1][0] * s->response[1][0] * s->restNorm2, slow2 = s->response[1][3] * s->response[1][3] * s->restNorm2;
	pnMaskW capped = s->distance2 > start2;
	s->exact = s->exact | ( s->distance2 > slow2 );
	if ( pnAny( capped ) )
	{
		pnFloatW size2 = pnMaxW( s->restNorm2, pnSplat( 1e-30f ) );
		pnFloatW r = pnSqrtW( s->distance2 / size2 ), c = s->response[1][0], m = s->response[1][1] - c, t = r - c;
		pnMaskW soft = m > 0.0f;
		pnFloatW u = t / pnSelect( soft, m, pnSplat( 1.0f ) ), root = pnSqrtW( 1.0f + u * u );
		pnFloatW f = c + pnSelect( soft, t / root, pnSplat( 0.0f ) );
		// psi = r^2 / 2 - integral of f, written so that nothing cancels just beyond the start: t^2 / 2 of a hard stop, and the part u^2 / ( 1 + root )^2 of that.
		pnFloatW part = pnSelect( soft, u / ( 1.0f + root ), pnSplat( 1.0f ) ), psi = 0.5f * ( t * part ) * ( t * part );
		s->blended = pnSelect( capped, s->beta * ( f / r ), s->beta );
		pnFloatW cap = pnSelect( capped, s->beta * size2 * psi - 0.5f * ( s->beta - s->blended ) * s->bend2, pnSplat( 0.0f ) );
		s->potential = s->potential + cap;
	}
}

// Caps by rows, curves and plastic flow: decided here by bounds, done exactly below.
PN_INLINE void pnFindRareW( pnShapingW* s )
{
	pnMaskW byRows = ( s->response[1][2] < 1e14f ) & ( s->fullRank > 0.5f );
	if ( pnAny( byRows ) )
	{
		for ( int i = 0; i < 3; ++i )
		{
			pnFloatW norm2 = pnSplat( 0.0f ), rest2 = s->K[i][0] * s->K[i][0] + s->K[i][1] * s->K[i][1] + s->K[i][2] * s->K[i][2];
			for ( int j = 0; j < 3; ++j )
			{
				pnFloatW y = s->R[0][i] * s->A[0][j] + s->R[1][i] * s->A[1][j] + s->R[2][i] * s->A[2][j];
				norm2 = norm2 + y * y;
			}
			s->exact = s->exact | ( byRows & ( norm2 > s->response[1][2] * s->response[1][2] * rest2 ) );
		}
	}
	pnMaskW yields = ( s->response[3][0] < 1e14f ) & ( s->fullRank > 0.5f );
	if ( pnAny( yields ) )
	{
		// | S S^p^-1 - 1 | <= | A - T | / ( smallest extent * smallest plastic stretch ); det K <= smallest * norm^2 / 2.
		pnFloatW bound = pnSplat( 0.0f );
		for ( int k = 0; k < 9; ++k )
		{
			bound = bound + s->E[k / 3][k % 3] * s->E[k / 3][k % 3];
		}
		pnFloatW extent = 2.0f * s->restDet / pnMaxW( s->restNorm2, pnSplat( 1e-30f ) ), limit = s->response[3][0] * extent;
		s->exact = s->exact | ( yields & ( bound * s->s1[3] * s->s1[3] > limit * limit ) );
	}
	s->exact = s->exact | ( ( s->response[3][1] > 0.5f ) & s->flowed );
}

// Volume: the nearest linear part with det = det K, by Newton steps along the cofactor; far from rest exactly.
PN_INLINE void pnKeepVolumeW( pnShapingW* s )
{
	pnFloatW volume = s->response[0][1];
	pnMaskW solid = ( s->fullRank > 0.5f ) & ( volume > 0.0f );
	if ( pnAny( solid ) )
	{
		pnFloatW L[3][3], Ak[3][3], N[3][3];
		for ( int k = 0; k < 9; ++k )
		{
			L[k / 3][k % 3] = s->A[k / 3][k % 3];
		}
		pnFloatW det = pnCofactorW( L, N ), norm2 = pnDot9W( L, L );
		pnMaskW inside = ( det >= s->response[2][0] * s->restDet ) & ( det <= s->response[2][1] * s->restDet );
		pnMaskW quick = ( det > s->response[2][2] * s->restDet ) & ( det < s->response[2][3] * s->restDet ) & ( norm2 < 64.0f * s->restNorm2 );
		s->exact = s->exact | ( solid & pnNot( inside ) & pnNot( quick ) ) | ( solid & ( s->response[2][2] > 1e14f ) );
		pnMaskW project = solid & quick & pnNot( inside );
		if ( pnAny( project ) )
		{
			memcpy( Ak, L, sizeof Ak );
			for ( int turnCount = 0; turnCount < 3; ++turnCount )
			{
				det = turnCount > 0 ? pnCofactorW( Ak, N ) : det; // of L they are there
				pnFloatW nn = pnDot9W( N, N ), missing = s->restDet - det;
				if ( turnCount > 0 )
				{
					pnFloatW way[3][3];
					for ( int k = 0; k < 9; ++k )
					{
						way[k / 3][k % 3] = Ak[k / 3][k % 3] - L[k / 3][k % 3];
					}
					missing = missing + pnDot9W( N, way );
				}
				pnFloatW lambda = missing / pnSelect( project, nn, pnSplat( 1.0f ) );
				for ( int k = 0; k < 9; ++k )
				{
					Ak[k / 3][k % 3] = L[k / 3][k % 3] + lambda * N[k / 3][k % 3];
				}
			}
			pnFloatW gap[3][3];
			for ( int k = 0; k < 9; ++k )
			{
				gap[k / 3][k % 3] = pnSelect( project, L[k / 3][k % 3] - Ak[k / 3][k % 3], pnSplat( 0.0f ) );
				s->F[k / 3][k % 3] = s->F[k / 3][k % 3] - volume * gap[k / 3][k % 3];
			}
			s->potential = s->potential + 0.5f * volume * pnDot9W( gap, gap );
		}
	}
}

// Returns how many lanes were done exactly.
PN_INLINE int pnShapeExactlyW( const pnLaneW* lanes, pnShapingW* s, const int terms )
{
	int rare = 0;
	if ( pnAny( s->exact ) )
	{
		for ( int l = 0; l < PN_WIDTH; ++l )
		{
			pnFloatW flag = pnSelect( s->exact, pnSplat( 1.0f ), pnSplat( 0.0f ) );
			if ( pnGetLane( &flag, l ) == 0.0f )
			{
				continue;
			}
			float fit[27] = { 0 }, out[27], blend;
			double potential, bend2 = 0.0;
			rare += 1;
			for ( int k = 0; k < 3 * terms; ++k )
			{
				float value = pnGetLane( &s->A[k / terms][k % terms], l );
				fit[9 * ( k / terms ) + k % terms] = value;
				bend2 += k % terms < 3 ? 0.0 : (double)value * (double)value;
			}
			for ( int k = 0; k < 4; ++k )
			{
				lanes[l].state->rotation[k] = pnGetLane( s->turn + k, l );
			}
			pnShapeExactly( lanes[l].rest, lanes[l].response, lanes[l].state, fit, out, &blend, &potential );
			if ( lanes[l].rest->pinned > 0.5f && lanes[l].response->volumeLow > 0.5f )
			{
				float shift[3] = { 0.0f, 0.0f, 0.0f };
				pnKeepHeldVolume( lanes[l].body, lanes[l].cluster, out, shift, &potential );
				for ( int k = 0; k < 3; ++k )
				{
					pnSetLane( s->shift + k, l, shift[k] );
				}
			}
			for ( int k = 0; k < 4; ++k )
			{
				pnSetLane( s->turn + k, l, lanes[l].state->rotation[k] );
			}
			for ( int k = 0; k < 9; ++k )
			{
				pnSetLane( &s->F[k / 3][k % 3], l, out[9 * ( k / 3 ) + k % 3] );
			}
			pnSetLane( &s->blended, l, blend );
			pnSetLane( &s->potential, l, (float)( potential - 0.5 * ( 1.0 - (double)blend ) * bend2 ) );
			pnSetLane( &s->given, l, lanes[l].state->given );
			pnSetLane( s->s1 + 3, l, lanes[l].state->softness );
			pnSetLane( s->s2 + 3, l, lanes[l].state->plasticStrain );
		}
	}
	return rare;
}

// A block of sixteen floats of each lane's state, from `row` on.
PN_INLINE void pnStoreState16( const pnLaneW* lanes, int row, pnFloatW in[16] )
{
	float* at[PN_WIDTH];
	for ( int l = 0; l < PN_WIDTH; ++l )
	{
		at[l] = (float*)lanes[l].state + 4 * row;
	}
	pnStoreBlocks( (pnFloatW( * )[4])in, at );
}

enum { pn_gradientRow = 4, pn_fitRow = 8, pn_plasticRow = 16 }; // of pnCluster

// What a step changes energy by is the trapezoid error of the work its forces do along the drift. Of the residual there is none, because its
// potential is quadratic; of the fitted shape it is told by coefficients, whoever has moved the particles. The quadratic columns of the fit are springs of one
// slope, and have an error only where that changes: what they store, and the work along them, then differ by half the change times the product of the two fits.
// In: E is free, F the goal. Out: E = A - F, the gradient.
PN_INLINE void pnAccountW( const pnLaneW* lanes, pnShapingW* s, const pnFloatW share, const pnFloatW near[3], const pnFloatW last[32], const int terms )
{
	pnFloatW before[16], now[16], way[3][3], pulls[3][3], none = pnSplat( 0.0f ), slope = 1.0f - s->blended;
	PN_LOAD_BLOCK( (pnFloatW( * )[4])before, state, pn_gradientRow );
	for ( int i = 0; i < 3; ++i )
	{
		for ( int j = 0; j < 3; ++j )
		{
			pnFloatW gradient = s->A[i][j] - s->F[i][j];
			s->E[i][j] = now[3 * i + j] = gradient;
			way[i][j] = s->A[i][j] - last[9 * i + j];
			pulls[i][j] = gradient + before[3 * i + j];
		}
	}
	pnFloatW work = pnDot9W( way, pulls );
	pnMaskW bends = before[12] != slope;
	if ( terms > 3 && pnAny( bends ) )
	{
		pnFloatW both = none;
		for ( int i = 0; i < 3; ++i )
		{
			for ( int j = 3; j < terms; ++j )
			{
				both = both + s->A[i][j] * last[9 * i + j];
			}
		}
		work = work + pnSelect( bends, ( before[12] - slope ) * both, none );
	}
	// The volume of a pinned cluster pulls its centre too (pnKeepHeldVolume), and what it does to free particles it does to pins the other way. So its work is that
	// along the motion relative to the pins: carried along as a whole, a body is given nothing.
	pnFloatW pull[3], pulled2 = none;
	for ( int i = 0; i < 3; ++i )
	{
		now[9 + i] = none - s->shift[i];
		pull[i] = now[9 + i] + before[9 + i];
		pulled2 = pulled2 + pull[i] * pull[i];
	}
	if ( pnAny( pulled2 > 0.0f ) )
	{
		pnFloatW pins[4], turn[4], motion[4], arm[3], held = none;
		PN_LOAD( pins, motion, pn_pinRow );
		PN_LOAD( turn, motion, pn_pinRow + 1 );
		PN_LOAD( motion, motion, pn_meanRow );
		for ( int i = 0; i < 3; ++i )
		{
			pnFloatW chord[4];
			PN_LOAD( chord, motion, pn_chordRow + i );
			arm[i] = ( near[i] - chord[3] ) + s->offset[i];
		}
		for ( int i = 0; i < 3; ++i )
		{
			int i1 = ( i + 1 ) % 3, i2 = ( i + 2 ) % 3;
			pnFloatW along = pnSelect( motion[3] > 0.0f, ( pins[i] + ( turn[i1] * arm[i2] - turn[i2] * arm[i1] ) ) / motion[3], none );
			held = held + ( ( s->offset[i] - s->s2[i] ) - along ) * pull[i];
			for ( int j = 0; j < terms; ++j )
			{
				pnFloatW turned = pnSelect( motion[3] > 0.0f, ( turn[i1] * s->A[i2][j] - turn[i2] * s->A[i1][j] ) / motion[3], none );
				pnFloatW both = j < 3 ? s->E[i][j] + before[3 * i + j % 3] : slope * s->A[i][j] + before[12] * last[9 * i + j];
				held = held - turned * both;
			}
		}
		work = work + pnSelect( pulled2 > 0.0f, held, none ); // who is not pulled is left out, whoever is beside it
	}
	now[12] = slope;
	now[13] = s->potential;
	now[14] = s->given;
	now[15] = share * ( ( ( s->potential - s->given ) - before[13] ) - 0.5f * work );
	pnStoreState16( lanes, pn_gradientRow, now );
}

// Nothing is damped: goals stay as they are. Squares add up as where a neighbour is damped.
PN_INLINE void pnLeaveW( pnShapingW* s, pnGoalW* goal, const int terms )
{
	pnFloatW fitted2[3];
	for ( int i = 0; i < 3; ++i )
	{
		fitted2[i] = s->shift[i] * s->shift[i];
		for ( int j = 0; j < terms; ++j )
		{
			s->F[i][j] = j < 3 ? s->F[i][j] : s->blended * s->A[i][j];
			pnFloatW gap = s->A[i][j] - s->F[i][j];
			fitted2[i] = fitted2[i] + gap * gap;
		}
	}
	goal->fitted2 = ( fitted2[0] + fitted2[1] ) + fitted2[2];
}

// Damping: the cluster's velocity field between the halves of the kick, from how fit and centre moved since the last step, split into rigid motion
// (kept), shape (damped by b_s) and what the fit does not see (damped by b). What is not to be damped is put into the goal, as
// far as the kick will make that velocity of it; the particles then lose b of theirs.
PN_INLINE void pnDampW( const pnLaneW* lanes, pnShapingW* s, pnGoalW* goal, const pnFloatW near[3], const pnFloatW last[32], const int terms )
{
	pnFloatW motion[4], reach[4], swerve[3];
	PN_LOAD( reach, motion, pn_reachRow );
	if ( !pnAny( reach[0] > 0.0f ) )
	{
		pnLeaveW( s, goal, terms );
		return;
	}
	PN_LOAD( motion, motion, pn_meanRow );
	pnFloatW V[3][PN_TERMS], rate = motion[3], b = s->response[0][2], bs = s->response[0][3], chord[3][4];
	const int turns = pnAny( reach[2] > 0.5f );
	for ( int i = 0; i < 3; ++i )
	{
		swerve[i] = ( s->offset[i] - s->s2[i] ) * rate - motion[i];
	}
	if ( turns ) // the part of the drift that was chord, not velocity; of lanes that do not turn it is zero
	{
		pnFloatW arm[3];
		for ( int i = 0; i < 3; ++i )
		{
			PN_LOAD( chord[i], motion, pn_chordRow + i );
			arm[i] = ( near[i] - chord[i][3] ) + s->offset[i];
		}
		for ( int i = 0; i < 3; ++i )
		{
			const pnFloatW* c = chord[i];
			swerve[i] = swerve[i] - ( c[0] * arm[0] + c[1] * arm[1] + c[2] * arm[2] );
		}
	}
	pnFloatW G[6], l3[3], square[3];
	for ( int k = 0; k < 3; ++k )
	{
		square[k] = l3[k] = G[3 + k] = pnSplat( 0.0f );
	}
	for ( int j = 0; j < terms; ++j )
	{
		pnFloatW x = s->A[0][j], y = s->A[1][j], z = s->A[2][j];
		pnFloatW u = ( x - last[j] ) * rate, v = ( y - last[9 + j] ) * rate, w = ( z - last[18 + j] ) * rate;
		if ( turns )
		{
			u = u - ( chord[0][0] * x + chord[0][1] * y + chord[0][2] * z );
			v = v - ( chord[1][0] * x + chord[1][1] * y + chord[1][2] * z );
			w = w - ( chord[2][0] * x + chord[2][1] * y + chord[2][2] * z );
		}
		V[0][j] = u, V[1][j] = v, V[2][j] = w;
		square[0] = square[0] + x * x;
		square[1] = square[1] + y * y;
		square[2] = square[2] + z * z;
		G[3] = G[3] - x * y;
		G[4] = G[4] - y * z;
		G[5] = G[5] - z * x;
		l3[0] = l3[0] + ( y * w - z * v );
		l3[1] = l3[1] + ( z * u - x * w );
		l3[2] = l3[2] + ( x * v - y * u );
	}
	G[0] = square[1] + square[2], G[1] = square[0] + square[2], G[2] = square[0] + square[1];
	pnFloatW sum = G[0] + G[1] + G[2], inverse = pnSelect( sum > 1e-30f, 1.0f / pnMaxW( sum, pnSplat( 1e-30f ) ), pnSplat( 0.0f ) );
	for ( int k = 0; k < 6; ++k )
	{
		G[k] = G[k] * inverse + ( k < 3 ? 1e-6f : 0.0f ); // a line does not turn about itself
	}
	pnFloatW c00 = G[1] * G[2] - G[4] * G[4], c01 = G[5] * G[4] - G[3] * G[2], c02 = G[3] * G[4] - G[5] * G[1];
	pnFloatW c11 = G[0] * G[2] - G[5] * G[5], c12 = G[3] * G[5] - G[0] * G[4], c22 = G[0] * G[1] - G[3] * G[3];
	// The half kick is no motion of the cluster: it turns nothing but where pins hold it, and what it does there is damped like all of it.
	pnFloatW free = reach[0] * ( b - bs ), halved = free * reach[1], fitted2[3];
	pnFloatW solve = ( reach[0] * bs ) * inverse / ( G[0] * c00 + G[3] * c01 + G[5] * c02 );
	pnFloatW o0 = solve * ( c00 * l3[0] + c01 * l3[1] + c02 * l3[2] );
	pnFloatW o1 = solve * ( c01 * l3[0] + c11 * l3[1] + c12 * l3[2] );
	pnFloatW o2 = solve * ( c02 * l3[0] + c12 * l3[1] + c22 * l3[2] );
	pnFloatW bent = s->blended - halved * ( 1.0f - s->blended );
	for ( int i = 0; i < 3; ++i )
	{
		s->shift[i] = ( s->shift[i] + halved * s->shift[i] ) + ( reach[0] * b ) * swerve[i];
		fitted2[i] = s->shift[i] * s->shift[i];
	}
	for ( int j = 0; j < terms; ++j )
	{
		pnFloatW x = s->A[0][j], y = s->A[1][j], z = s->A[2][j];
		pnFloatW moved[3] = { free * V[0][j] + ( o1 * z - o2 * y ), free * V[1][j] + ( o2 * x - o0 * z ), free * V[2][j] + ( o0 * y - o1 * x ) };
		for ( int i = 0; i < 3; ++i )
		{
			s->F[i][j] = ( j < 3 ? s->F[i][j] - halved * s->E[i][j % 3] : bent * s->A[i][j] ) + moved[i];
			pnFloatW gap = s->A[i][j] - s->F[i][j];
			fitted2[i] = fitted2[i] + gap * gap;
		}
	}
	goal->fitted2 = ( fitted2[0] + fitted2[1] ) + fitted2[2];
}

// Moments to coefficients of the orthonormal basis; C: the basis' quadratic coefficients and the monomials' means.
PN_INLINE void pnFitW( pnShapingW* s, const pnFloatW C[48] )
{
	const pnFloatW* mean = C + PN_QUADRATIC_COEFFICIENTS;
	pnFloatW fitted[3][6];
	int at = 0;
	for ( int t = 0; t < 6; ++t )
	{
		for ( int i = 0; i < 3; ++i )
		{
			s->A[i][3 + t] = s->A[i][3 + t] - s->offset[i] * mean[t];
		}
		pnFloatW sum0 = C[at] * s->A[0][0], sum1 = C[at] * s->A[1][0], sum2 = C[at] * s->A[2][0];
		for ( int j = 1; j <= 3 + t; ++j )
		{
			pnFloatW coefficient = C[at + j];
			sum0 = sum0 + coefficient * s->A[0][j];
			sum1 = sum1 + coefficient * s->A[1][j];
			sum2 = sum2 + coefficient * s->A[2][j];
		}
		fitted[0][t] = s->response[3][2] * sum0; // 0 for lanes in linear mode
		fitted[1][t] = s->response[3][2] * sum1;
		fitted[2][t] = s->response[3][2] * sum2;
		at += 4 + t;
	}
	for ( int i = 0; i < 3; ++i )
	{
		for ( int t = 0; t < 6; ++t )
		{
			s->A[i][3 + t] = fitted[i][t];
		}
	}
}

// The turn of B = A PK^T, PK = S^p K, with B brought to order one. missing: of the basis' columns.
PN_INLINE void pnTurnW( pnShapingW* s, pnFloatW PK[3][3], const pnFloatW missing[3] )
{
	pnFloatW B[3][3], largest = pnSplat( 0.0f ), twist[6];
	for ( int i = 0; i < 3; ++i )
	{
		for ( int j = 0; j < 3; ++j )
		{
			B[i][j] = s->A[i][0] * PK[j][0] + s->A[i][1] * PK[j][1] + s->A[i][2] * PK[j][2];
			largest = pnMaxW( largest, pnAbsW( B[i][j] ) );
		}
	}
	pnFloatW scale = pnSelect( largest > 1e-30f, 1.0f / pnMaxW( largest, pnSplat( 1e-30f ) ), pnSplat( 0.0f ) );
	for ( int k = 0; k < 9; ++k )
	{
		B[k / 3][k % 3] = scale * B[k / 3][k % 3];
	}
	for ( int k = 0; k < 6; ++k )
	{
		twist[k] = pnSplat( 0.0f );
	}
	pnMaskW lacking = s->fullRank < 0.5f;
	if ( pnAny( lacking ) )
	{
		// About a line: stiffen along its direction; of a point: all.
		pnFloatW lost = missing[0] + missing[1] + missing[2]; // 1 plane, 2 line, 3 point
		pnFloatW inverse = 1.0f / pnMaxW( s->restNorm2, pnSplat( 1e-30f ) );
		static const int pairs[6][2] = { { 0, 0 }, { 1, 1 }, { 2, 2 }, { 0, 1 }, { 1, 2 }, { 2, 0 } };
		for ( int k = 0; k < 6; ++k )
		{
			const pnFloatW *a = s->K[pairs[k][0]], *b = s->K[pairs[k][1]];
			pnFloatW line = inverse * ( a[0] * b[0] + a[1] * b[1] + a[2] * b[2] );
			twist[k] = pnSelect( lacking & ( lost > 1.5f ), pnSelect( lost > 2.5f, pnSplat( k < 3 ? 1.0f : 0.0f ), line ), twist[k] );
		}
	}
	pnNearestRotation( B, twist, s->turn );
	pnQuatToMatrix( s->turn, s->R );
}

// Between the loops: from moments (in s->A and s->offset) to goals. Returns how many lanes were done exactly.
PN_INLINE int pnShapeW( const pnLaneW* lanes, const pnFloatW near[3], pnShapingW* s, pnGoalW* goal, const int quadratic, const int bare )
{
	const int terms = quadratic ? PN_TERMS : 3;
	pnFloatW rest[4][4], rest4[4], C[48], PK[3][3];
	PN_LOAD_BLOCK( rest, rest, 0 );
	PN_LOAD( rest4, rest, 4 );
	s->restDet = rest[2][1];
	s->restNorm2 = rest[2][2];
	s->fullRank = rest4[2];
	goal->share = rest[2][3];
	for ( int k = 0; k < 9; ++k )
	{
		s->K[k / 3][k % 3] = rest[k / 4][k % 4];
	}
	pnMaskW lacking = s->fullRank < 0.5f;
	if ( pnAny( lacking ) )
	{
		for ( int k = 0; k < 9; ++k )
		{
			s->K[k / 3][k % 3] = pnSelect( lacking, s->K[k / 3][k % 3] * ( 1.0f - rest[3][k % 3] ), s->K[k / 3][k % 3] );
		}
	}
	if ( bare )
	{
		PN_LOAD( s->response[0], response, 0 );
		PN_LOAD( s->response[3], response, 3 );
	}
	else
	{
		PN_LOAD_BLOCK( s->response, response, 0 );
	}
	s->beta = s->response[0][0];
	PN_LOAD( s->turn, state, 0 );
	PN_LOAD( s->s1, state, 1 );
	PN_LOAD( s->s2, state, 2 );
	s->flowed = s->s2[3] > 0.0f;
	s->given = s->shift[0] = s->shift[1] = s->shift[2] = pnSplat( 0.0f );

	if ( quadratic )
	{
		for ( int block = 0; block < 3; ++block )
		{
			PN_LOAD_BLOCK( (pnFloatW( * )[4])( C + 16 * block ), rest, 5 + 4 * block );
		}
		pnFitW( s, C );
	}

	memcpy( PK, s->K, sizeof PK );
	if ( pnAny( s->flowed ) )
	{
		pnFloatW P[12]; // 9 of S^p
		for ( int row = 0; row < 3; ++row )
		{
			PN_LOAD( P + 4 * row, state, pn_plasticRow + row );
		}
		for ( int k = 0; k < 9; ++k )
		{
			const pnFloatW* p = P + 3 * ( k / 3 );
			pnFloatW flowed = p[0] * s->K[0][k % 3] + p[1] * s->K[1][k % 3] + p[2] * s->K[2][k % 3];
			PK[k / 3][k % 3] = pnSelect( s->flowed, flowed, PK[k / 3][k % 3] );
		}
	}
	pnTurnW( s, PK, rest[3] );

	// The goal: rest target T = R S^p K, blended towards the fit; E = A - T.
	pnFloatW bent[3] = { pnSplat( 0.0f ), pnSplat( 0.0f ), pnSplat( 0.0f ) };
	for ( int i = 0; i < 3; ++i )
	{
		for ( int j = 0; j < 3; ++j )
		{
			pnFloatW T = s->R[i][0] * PK[0][j] + s->R[i][1] * PK[1][j] + s->R[i][2] * PK[2][j];
			s->E[i][j] = s->A[i][j] - T;
			s->F[i][j] = T;
		}
		for ( int j = 3; j < terms; ++j )
		{
			bent[i] = bent[i] + s->A[i][j] * s->A[i][j];
		}
	}
	int rare = 0;
	s->blended = s->beta;
	if ( !bare )
	{
		pnFloatW linear2 = pnDot9W( s->E, s->E );
		s->bend2 = ( bent[0] + bent[1] ) + bent[2];
		s->distance2 = linear2 + s->bend2;
		s->exact = ( rest[3][3] > 0.5f ) & ( s->response[2][0] > 0.5f ); // pinned, and it keeps volume
		s->potential = 0.5f * ( 1.0f - s->beta ) * linear2;
		pnCapW( s );
		pnFindRareW( s );
		pnKeepVolumeW( s );
	}
	for ( int i = 0; i < 3; ++i )
	{
		for ( int j = 0; j < 3; ++j )
		{
			s->F[i][j] = s->F[i][j] + s->blended * s->E[i][j];
		}
	}
	if ( bare )
	{
		for ( int k = 3; k < terms; ++k )
		{
			s->F[0][k] = s->beta * s->A[0][k], s->F[1][k] = s->beta * s->A[1][k], s->F[2][k] = s->beta * s->A[2][k];
		}
	}
	else
	{
		pnFloatW last[32];
		PN_LOAD_BLOCK( (pnFloatW( * )[4])last, state, pn_fitRow );
		PN_LOAD_BLOCK( (pnFloatW( * )[4])( last + 16 ), state, pn_fitRow + 4 );
		rare = pnShapeExactlyW( lanes, s, terms );
		pnAccountW( lanes, s, goal->share, near, last, terms );
		pnDampW( lanes, s, goal, near, last, terms );
		goal->potential = s->potential + 0.5f * ( 1.0f - s->blended ) * s->bend2;
	}

	// What the next step needs, and the goal as the second loop reads it.
	pnFloatW center[3], left[3];
	for ( int i = 0; i < 3; ++i )
	{
		goal->base[i] = s->offset[i] + s->shift[i];
		center[i] = near[i] + s->offset[i];
		left[i] = s->offset[i] - ( center[i] - near[i] );
	}
	pnStoreStateRow( lanes, 0, s->turn[0], s->turn[1], s->turn[2], s->turn[3] );
	pnStoreStateRow( lanes, 1, center[0], center[1], center[2], s->s1[3] );
	pnStoreStateRow( lanes, 2, left[0], left[1], left[2], s->s2[3] );
	if ( !bare )
	{
		pnFloatW flat[32];
		for ( int k = 0; k < 32; ++k )
		{
			flat[k] = k < 27 && k % 9 < terms ? s->A[k / 9 % 3][k % 9] : pnSplat( 0.0f );
		}
		pnStoreState16( lanes, pn_fitRow, flat );
		pnStoreState16( lanes, pn_fitRow + 4, flat + 16 );
	}
	if ( quadratic )
	{
		pnToMonomials( C, C + PN_QUADRATIC_COEFFICIENTS, s->F, goal->map, goal->base );
		return rare;
	}
	for ( int i = 0; i < 3; ++i )
	{
		for ( int j = 0; j < terms; ++j )
		{
			goal->map[i][j] = s->F[i][j];
		}
	}
	return rare;
}
