// rare.c - one cluster's goal in double, for states the wide code leaves alone: far from rest, mirrored, capped by rows or by a
// curve, flowing. Slow, exact, and the same formulas. Knows one cluster; knows no particles and no lanes.
#include "rare.h"

#include "../base/mat3.h"
#include "../base/trig.h"
#include "fit.h"

#include <math.h>

static double pnStrain( pnMat3d stretch ) // spectral norm of stretch - 1
{
	pnMat3d u, v;
	double s[3];
	pnSvd3( pnAdd3( stretch, -1.0, pnIdentity3() ), &u, s, &v );
	return s[0];
}

static pnMat3d pnUnitVolume( pnMat3d a )
{
	return pnScale3( 1.0 / pnCbrt( pnDet3( a ) ), a );
}

static double pnProductAt( const double s[3], double mu, int lower, double x[3], double* slope )
{
	double product = 1.0, sum = 0.0;
	for ( int i = 0; i < 3; ++i )
	{
		double under = s[i] * s[i] + 4.0 * mu, root = under > 0.0 ? sqrt( under ) : 0.0;
		double sign = lower && i == 2 ? -1.0 : 1.0;
		x[i] = 0.5 * ( s[i] + sign * root );
		product *= x[i];
		sum += sign / ( x[i] * root );
	}
	*slope = product * sum;
	return product;
}

// The nearest x to s (s[0] >= s[1] >= |s[2]|) with x[0] x[1] x[2] = target > 0. Its Lagrange condition x_i^2 - s_i x_i = mu leaves
// one number to find; the product is monotone in it on each branch.
static void pnNearestProduct( const double s[3], double target, double x[3] )
{
	double low, high, slope;
	int lower = 0;
	if ( s[2] > 0.0 && s[0] * s[1] * s[2] > target )
	{
		low = -0.25 * s[2] * s[2];
		high = 0.0;
		lower = pnProductAt( s, low, 0, x, &slope ) > target; // past the fold the third takes its smaller root
	}
	else
	{
		low = 0.0;
		high = s[0] * s[0] + pnCbrt( target ) * pnCbrt( target );
		for ( int i = 0; i < 60 && pnProductAt( s, high, 0, x, &slope ) < target; ++i )
		{
			high *= 4.0;
		}
	}
	double mu = 0.5 * ( low + high );
	for ( int i = 0; i < 80; ++i )
	{
		double product = pnProductAt( s, mu, lower, x, &slope ), error = product - target;
		if ( fabs( error ) <= 1e-13 * target )
		{
			break;
		}
		if ( ( error > 0.0 ) != ( lower != 0 ) )
		{
			high = mu;
		}
		else
		{
			low = mu;
		}
		double next = mu - error / slope;
		mu = next > low && next < high ? next : 0.5 * ( low + high ); // NaN falls back to halving
	}
}

// L with its volume brought to `target`, nearest in the mass metric. Never a reflection.
static pnMat3d pnNearestVolume( pnMat3d L, double target )
{
	pnMat3d u, v, out = L;
	double s[3], x[3];
	pnSvd3( L, &u, s, &v );
	pnNearestProduct( s, target, x );
	for ( int i = 0; i < 3; ++i )
	{
		for ( int k = 0; k < 9; ++k )
		{
			out.m[k] += ( x[i] - s[i] ) * u.m[3 * ( k / 3 ) + i] * v.m[3 * ( k % 3 ) + i];
		}
	}
	return out;
}

// Smallest eigenvalue of tr( S ) 1 - sym S, the curvature of the turn.
static double pnTurnStiffness( pnMat3d S, pnMat3d* J )
{
	pnMat3d v;
	double values[3], trace = S.m[0] + S.m[4] + S.m[8];
	for ( int k = 0; k < 9; ++k )
	{
		J->m[k] = ( k % 4 == 0 ? trace : 0.0 ) - 0.5 * ( S.m[k] + S.m[3 * ( k % 3 ) + k / 3] );
	}
	pnEigen3( *J, &v, values );
	return values[2];
}

// The gradient of the row caps, in body axes, with the part that comes from the turn's own change: without it the cap would put
// a torque on the body. Weighs the cap down where the turn is not well defined.
static pnMat3d pnRowCapGradient( const pnTuning* response, pnMat3d R, pnMat3d L, pnMat3d K, pnMat3d PK, double* potential )
{
	pnMat3d Y = pnTMul3( R, L ), Z = { { 0 } };
	double energy = 0.0, beta = response->blend;
	for ( int a = 0; a < 3; ++a )
	{
		double rest2 = 0.0, norm2 = 0.0, psi;
		for ( int b = 0; b < 3; ++b )
		{
			rest2 += K.m[3 * a + b] * K.m[3 * a + b];
			norm2 += Y.m[3 * a + b] * Y.m[3 * a + b];
		}
		double phi = sqrt( norm2 / rest2 ), f = 1.0 + pnCapResponse( response->material, phi - 1.0, &psi );
		energy += beta * rest2 * psi;
		for ( int b = 0; b < 3; ++b )
		{
			Z.m[3 * a + b] = phi > f ? beta * ( 1.0 - f / phi ) * Y.m[3 * a + b] : 0.0;
		}
	}
	pnMat3d J, restJ, S = pnTMul3( R, pnMulT3( L, PK ) ), torque = pnMulT3( Y, Z );
	double stiffness = pnTurnStiffness( S, &J ), restStiffness = pnTurnStiffness( pnMulT3( K, K ), &restJ );
	double weight = stiffness / ( 0.25 * restStiffness );
	weight = weight < 0.0 ? 0.0 : weight < 1.0 ? weight : 1.0;
	if ( weight <= 0.0 )
	{
		return (pnMat3d){ { 0 } };
	}
	double tau[3] = { torque.m[5] - torque.m[7], torque.m[6] - torque.m[2], torque.m[1] - torque.m[3] }, t[3];
	for ( int k = 0; k < 3; ++k )
	{
		tau[k] *= weight;
	}
	pnSolve3( J, 1e-12, tau, t );
	pnMat3d cross = { { 0, -t[2], t[1], t[2], 0, -t[0], -t[1], t[0], 0 } };
	*potential += weight * energy;
	return pnMul3( R, pnAdd3( pnScale3( weight, Z ), -1.0, pnMul3( cross, PK ) ) );
}

void pnTurnExactly( const float B[9], float turn[4] )
{
	pnMat3d M;
	double q[4];
	for ( int k = 0; k < 9; ++k )
	{
		M.m[k] = B[k];
	}
	pnToQuat3( pnNearestRotation3( M, pnFromQuat3( turn[0], turn[1], turn[2], turn[3] ) ), q );
	double sign = q[0] * turn[0] + q[1] * turn[1] + q[2] * turn[2] + q[3] * turn[3] < 0.0 ? -1.0 : 1.0;
	for ( int k = 0; k < 4; ++k )
	{
		turn[k] = (float)( sign * q[k] );
	}
}

// The potential of the blend alone, for what another rest shape puts in or takes.
static double pnBlendPotential( const pnTuning* response, pnMat3d L, pnMat3d R, pnMat3d PK )
{
	pnMat3d E = pnAdd3( L, -1.0, pnMul3( R, PK ) );
	return 0.5 * ( 1.0 - response->blend ) * pnDot3( E, E );
}

// Lets the rest shape give way where the strain passes the yield, and heal (equations 15 and 16 of the paper, volume kept).
// Returns true if it changed. The new rest shape lies nearer to the fit than the old one, or it is not taken.
static bool pnFlow( const pnTuning* response, pnCluster* state, pnMat3d L, pnMat3d K, pnMat3d* R, pnMat3d* P )
{
	const pnMaterial* m = response->material;
	double detK = pnDet3( K );
	pnMat3d inverseK = pnScale3( 1.0 / detK, pnMulT3( pnIdentity3(), pnCofactor3( K ) ) );
	pnMat3d S = pnTMul3( *R, pnMul3( L, inverseK ) ), next = *P;
	bool flowed = false;
	double potential = pnBlendPotential( response, L, *R, pnMul3( *P, K ) );
	if ( PN_IS_SET( response->yield ) && pnDet3( S ) > 0.0 )
	{
		pnMat3d inverseP = pnScale3( 1.0 / pnDet3( *P ), pnMulT3( pnIdentity3(), pnCofactor3( *P ) ) );
		double yield = m->yield * ( 1.0 + m->hardening * state->hardened );
		double strain = pnStrain( pnMul3( S, inverseP ) );
		if ( strain > yield )
		{
			// No farther than back to the yield, so that where it ends does not depend on the step.
			double part = 1.0 - yield / strain;
			part = part < response->creepPart ? part : response->creepPart;
			next = pnAdd3( *P, part, pnAdd3( S, -1.0, *P ) );
			bool legal = pnDet3( next ) > 0.05;
			if ( legal )
			{
				next = pnUnitVolume( next );
			}
			if ( legal && pnStrain( next ) > m->maxPlastic )
			{
				// as far along as the limit allows: the strain grows with the way
				pnMat3d way = pnAdd3( next, -1.0, pnIdentity3() );
				double low = 0.0, high = 1.0;
				for ( int i = 0; i < 24; ++i )
				{
					double at = 0.5 * ( low + high );
					pnMat3d probe = pnAdd3( pnIdentity3(), at, way );
					if ( pnDet3( probe ) > 0.05 && pnStrain( pnUnitVolume( probe ) ) <= m->maxPlastic )
					{
						low = at;
					}
					else
					{
						high = at;
					}
				}
				next = pnUnitVolume( pnAdd3( pnIdentity3(), low, way ) );
			}
			pnMat3d before = pnMul3( pnAdd3( S, -1.0, *P ), K ), after = pnMul3( pnAdd3( S, -1.0, next ), K );
			if ( legal && pnDot3( after, after ) <= pnDot3( before, before ) )
			{
				pnMat3d u, v;
				double s[3];
				pnSvd3( pnAdd3( next, -1.0, *P ), &u, s, &v );
				state->hardened += (float)s[0];
				flowed = true;
			}
			else
			{
				next = *P;
			}
		}
	}
	if ( flowed )
	{
		*P = next;
		*R = pnNearestRotation3( pnMulT3( L, pnMul3( *P, K ) ), *R );
	}
	if ( response->recovers > 0.5f && ( flowed || state->plasticStrain > 0.0f ) )
	{
		*P = pnUnitVolume( pnAdd3( *P, response->recoveryPart, pnAdd3( pnIdentity3(), -1.0, *P ) ) );
		if ( pnStrain( *P ) < 1e-5 )
		{
			*P = pnIdentity3();
		}
		*R = pnNearestRotation3( pnMulT3( L, pnMul3( *P, K ) ), *R );
		flowed = true;
	}
	if ( flowed )
	{
		state->given = (float)( pnBlendPotential( response, L, *R, pnMul3( *P, K ) ) - potential );
	}
	return flowed;
}

// In units of rest.
static double pnWantedVolume( const pnTuning* response, double found )
{
	if ( response->material->volume > 0.0f && response->material->volumeCurve.count > 0 )
	{
		double wanted = pnEvaluateCurve( &response->material->volumeCurve, found );
		return wanted > 0.05 ? wanted : 0.05;
	}
	return found < response->volumeLow ? response->volumeLow : found > response->volumeHigh ? response->volumeHigh : found;
}

// What is free of a block of three layers whose faces are pinned, the thinnest that has an inside.
static const double pn_leastFree = 1.0 / 3.0; // of a cluster's second moments
// Pins whose second moment in some direction is less than this part of their cluster's lie in a plane: no walls that enclose anything.
static const double pn_leastWall = 0.01;

// What a cluster's members add up to in coordinates of its plain rest shape, those that are free and those that are pinned.
typedef struct pnParting
{
	pnMat3d moved[2], second[2]; // sum w x q^T and sum w q q^T; [1] pinned
	double weight, place[3], middle[3]; // of pins: sum w, sum w x, sum w q
} pnParting;

static bool pnIsHeld( const pnMatchBody* body, int cluster, int member )
{
	const pnSolid *plain = body->plain, *form = body->form;
	double own = (double)plain->clusters[cluster].share * (double)plain->members[member].w, there = (double)form->clusters[cluster].share * (double)form->members[member].w;
	return there >= 2.0 * own; // pins weigh ten times all of their cluster
}

static pnParting pnPartMembers( const pnMatchBody* body, int cluster )
{
	const pnSolid* plain = body->plain;
	int start = plain->clusterStart[cluster], end = start + plain->clusterSize[cluster];
	const float* near = (const float*)( (const char*)body->x + plain->memberPoint[start] );
	pnParting p = { .weight = 0.0 };
	for ( int m = start; m < end; ++m ) // weights add up to 1 and the q to 0: no centre is needed
	{
		const float *x = (const float*)( (const char*)body->x + plain->memberPoint[m] ), *q = plain->members[m].q;
		double w = plain->members[m].w, way[3];
		int pinned = pnIsHeld( body, cluster, m );
		for ( int k = 0; k < 3; ++k )
		{
			way[k] = (double)x[k] - (double)near[k];
			p.place[k] += pinned ? w * way[k] : 0.0;
			p.middle[k] += pinned ? w * (double)q[k] : 0.0;
		}
		for ( int k = 0; k < 9; ++k )
		{
			p.moved[pinned].m[k] += w * way[k / 3] * (double)q[k % 3];
			p.second[pinned].m[k] += w * (double)q[k / 3] * (double)q[k % 3];
		}
		p.weight += pinned ? w : 0.0;
	}
	return p;
}

// The free part of a cluster's ends along each of three axes, its columns: by the eighth power of how far members are out. Pins count half: the body ends there.
static void pnFindFreeEnds( const pnMatchBody* body, int cluster, pnMat3d axes, double part[3] )
{
	const pnSolid* plain = body->plain;
	int start = plain->clusterStart[cluster], end = start + plain->clusterSize[cluster];
	double ends[2][3] = { { 0.0 } };
	for ( int m = start; m < end; ++m )
	{
		const float* q = plain->members[m].q;
		int pinned = pnIsHeld( body, cluster, m );
		for ( int k = 0; k < 3; ++k )
		{
			double out = axes.m[k] * (double)q[0] + axes.m[3 + k] * (double)q[1] + axes.m[6 + k] * (double)q[2], out2 = out * out, out4 = out2 * out2;
			ends[pinned][k] += ( pinned ? 0.5 : 1.0 ) * (double)plain->members[m].w * out4 * out4;
		}
	}
	for ( int k = 0; k < 3; ++k )
	{
		double all = ends[0][k] + ends[1][k];
		part[k] = all > 0.0 ? ends[0][k] / all : 0.0;
	}
}

// Pins on all sides are walls. What is free between them stretches the body where it reaches the surface: as the map by which the walls have moved, and the part
// `scale` of the fit's way beyond it, along the walls' axes the free part of the ends over that of all. So what only crowds towards a wall counts nothing, and
// what bulges counts as the surface does, which it takes along from the walls on. False where pins enclose nothing: then the fit is all there is.
static bool pnFindWalls( const pnMatchBody* body, int cluster, const pnParting* p, pnMat3d* map, pnMat3d* scale )
{
	pnMat3d moved = p->moved[1], second = p->second[1], axes, turned;
	double values[3], part[3];
	for ( int k = 0; k < 9; ++k )
	{
		moved.m[k] -= p->place[k / 3] * p->middle[k % 3] / p->weight;
		second.m[k] -= p->middle[k / 3] * p->middle[k % 3] / p->weight;
	}
	pnEigen3( second, &axes, values );
	for ( int k = 0; k < 3; ++k ) // on one side alone they enclose nothing: the cluster's centre lies farther from theirs than they are spread
	{
		double aside = ( axes.m[k] * p->middle[0] + axes.m[3 + k] * p->middle[1] + axes.m[6 + k] * p->middle[2] );
		if ( !( values[k] > pn_leastWall ) || aside * aside > values[k] * p->weight )
		{
			return false;
		}
	}
	*map = pnMul3( moved, pnInverse3( second ) );
	pnFindFreeEnds( body, cluster, axes, part );
	turned = pnTMul3( axes, pnMul3( p->second[0], axes ) );
	for ( int k = 0; k < 9; ++k )
	{
		double free = turned.m[4 * ( k % 3 )];
		second.m[k] = axes.m[k] * ( free > 0.0 ? part[k % 3] / free : 0.0 );
	}
	*scale = pnMulT3( second, axes );
	return true;
}

void pnKeepHeldVolume( const pnMatchBody* body, int cluster, float goal[27], float shift[3], double* potential )
{
	const pnSolid* plain = body->plain;
	const pnClusterRest *rest = plain->clusters + cluster, *held = body->form->clusters + cluster;
	double nu = body->response->heldVolume, mean[3] = { 0.0, 0.0, 0.0 }, values[3];
	if ( !( rest->fullRank > 0.5f ) || !( held->fullRank > 0.5f ) || !( nu > 0.0 ) )
	{
		return;
	}
	pnParting parting = pnPartMembers( body, cluster );
	pnMat3d L = pnAdd3( parting.moved[0], 1.0, parting.moved[1] ), K, heldK, walls, scale = pnIdentity3(), axes;
	if ( pnFindWalls( body, cluster, &parting, &walls, &scale ) )
	{
		L = pnAdd3( walls, 1.0, pnMul3( pnAdd3( L, -1.0, walls ), scale ) );
	}
	pnEigen3( pnMul3( scale, pnMul3( parting.second[0], scale ) ), &axes, values );
	double found = pnDet3( L ) / rest->restDet, wanted = pnWantedVolume( body->response, found ), free = values[0];
	if ( wanted == found || !( free > 0.0 ) )
	{
		return;
	}
	// What is pinned does not give way: the free part keeps the volume for all, nu / free. By its largest second moment, of 1 for all: so the curvature
	// stays that of the tuning. Where less than pn_leastFree is free, no point is asked to go farther than if that much were, whatever the weight.
	nu = free > pn_leastFree ? nu / free : nu / ( pn_leastFree + nu * ( pn_leastFree - free ) );
	pnMat3d gap = pnAdd3( L, -1.0, pnNearestVolume( L, wanted * rest->restDet ) );
	*potential += 0.5 * nu * pnDot3( gap, gap ) * (double)rest->share / (double)held->share;
	gap = pnMul3( gap, scale );
	// Its q are an affine function of those of the held cluster: q = K^-1 ( heldK held q + what lies between the centres ).
	pnTrueBasis( rest, K.m );
	pnTrueBasis( held, heldK.m );
	pnMat3d inverse = pnInverse3( K ), map = pnMul3( gap, pnMul3( inverse, heldK ) ), at = pnMul3( gap, inverse );
	for ( int k = 0; k < 9; ++k )
	{
		goal[9 * ( k / 3 ) + k % 3] -= (float)( nu * map.m[k] );
		mean[k / 3] += nu * at.m[k] * ( (double)body->form->clusterCenter[3 * cluster + k % 3] - (double)plain->clusterCenter[3 * cluster + k % 3] );
	}
	for ( int k = 0; k < 3; ++k )
	{
		shift[k] = (float)-mean[k];
	}
}

void pnShapeExactly( const pnClusterRest* rest, const pnTuning* response, pnCluster* state, const float fit[27], float goal[27], float* blend, double* potential )
{
	pnMat3d K, L, P;
	for ( int k = 0; k < 9; ++k )
	{
		P.m[k] = state->plastic[k];
		L.m[k] = fit[9 * ( k / 3 ) + k % 3];
	}
	pnTrueBasis( rest, K.m );
	const float* q = state->rotation;
	pnMat3d R = pnFromQuat3( q[0], q[1], q[2], q[3] );
	bool full = rest->fullRank > 0.5f;
	state->given = 0.0f;
	if ( full && pnFlow( response, state, L, K, &R, &P ) )
	{
		for ( int k = 0; k < 9; ++k )
		{
			state->plastic[k] = (float)P.m[k];
			P.m[k] = state->plastic[k];
		}
		pnMat3d u, v;
		double s[3];
		pnSvd3( P, &u, s, &v );
		state->softness = (float)( 1.0 / s[2] );
		state->plasticStrain = (float)pnStrain( P );
		double turn[4];
		pnToQuat3( R, turn );
		for ( int k = 0; k < 4; ++k )
		{
			state->rotation[k] = (float)turn[k];
		}
	}
	pnMat3d PK = pnMul3( P, K ), T = pnMul3( R, PK );

	// Distance from rest, over all modes; the cap's share of it that is let through.
	double E[27], distance2 = 0.0, beta = response->blend, gain = 1.0, size2 = rest->restNorm2;
	for ( int k = 0; k < 27; ++k )
	{
		E[k] = fit[k] - ( k % 9 < 3 ? T.m[3 * ( k / 9 ) + k % 9] : 0.0 );
		distance2 += E[k] * E[k];
	}
	*potential = 0.5 * ( 1.0 - beta ) * distance2;
	bool radial = PN_IS_SET( response->capStart ) || PN_IS_SET( response->slowStart );
	if ( radial && size2 > 0.0 && distance2 > 0.0 )
	{
		double psi, r = sqrt( distance2 / size2 ), f = pnCapResponse( response->material, r, &psi );
		gain = f / r;
		*potential += beta * size2 * psi;
	}
	pnMat3d correction = { { 0 } };
	double nu = rest->pinned > 0.5f && response->volumeLow > 0.5f ? 0.0 : response->volume; // else pnKeepHeldVolume
	if ( full && nu > 0.0 )
	{
		double found = pnDet3( L ) / rest->restDet, wanted = pnWantedVolume( response, found );
		if ( wanted != found )
		{
			pnMat3d gap = pnAdd3( L, -1.0, pnNearestVolume( L, wanted * rest->restDet ) );
			correction = pnScale3( nu, gap );
			*potential += 0.5 * nu * pnDot3( gap, gap );
		}
	}
	if ( full && PN_IS_SET( response->rowStart ) )
	{
		correction = pnAdd3( correction, 1.0, pnRowCapGradient( response, R, L, K, PK, potential ) );
	}
	*blend = (float)( beta * gain );
	for ( int k = 0; k < 27; ++k )
	{
		int at = 3 * ( k / 9 ) + k % 9;
		goal[k] = (float)( ( k % 9 < 3 ? T.m[at] - correction.m[at] : 0.0 ) + beta * gain * E[k] );
	}
}
