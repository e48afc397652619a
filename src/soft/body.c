// body.c - making, placing and measuring a body. Knows no world and no step.
#include "body.h"

#include "../base/mat3.h"
#include "../base/trig.h"
#include "grip.h"

#include <math.h>

// What hands must know of the rest shape. Clusters of radius c in a body of radius r pass on a pull from one to the next: the slowest swing of such
// a chain, held at one end, is slower than one cluster's by about pi / ( 2 sqrt 12 ) c / r: a quarter of a wave along a rod.
static void pnMeasureRest( pnBody* body )
{
	const pnSolid* solid = body->solid;
	double lower[3] = { 1e300, 1e300, 1e300 }, upper[3] = { -1e300, -1e300, -1e300 }, second = 0.0;
	for ( int i = 0; i < solid->particleCount; ++i )
	{
		const float* rest = &solid->rest[i].x;
		for ( int k = 0; k < 3; ++k )
		{
			double at = (double)rest[k];
			lower[k] = at < lower[k] ? at : lower[k], upper[k] = at > upper[k] ? at : upper[k];
			second += (double)solid->mass[i] * at * at;
		}
	}
	for ( int k = 0; k < 3; ++k )
	{
		body->extent = upper[k] - lower[k] > body->extent ? upper[k] - lower[k] : body->extent;
	}
	double part = body->size2 < second ? sqrt( body->size2 / second ) : 1.0;
	body->firmness = part * ( part + ( 1.0 - part ) * 0.45345 );
}

// The square of the clusters' breadth, m^2: the harmonic mean over their axes. Stiffness along an axis goes with the square of the extent there, and one frequency
// serves all: this one keeps the mean of what they yield. What is flat has no extent that tells: each counts as a tenth of the widest at least.
static double pnMeasureBreadth( const pnSolid* solid )
{
	static const double least2 = 0.01;
	double sum = 0.0;
	for ( int c = 0; c < solid->clusterCount; ++c )
	{
		const pnClusterRest* rest = solid->clusters + c;
		double extents2[3], widest2 = 0.0, yields = 0.0;
		for ( int k = 0; k < 3; ++k )
		{
			double x = (double)rest->basis[k], y = (double)rest->basis[3 + k], z = (double)rest->basis[6 + k];
			extents2[k] = rest->missing[k] != 0.0f ? 0.0 : x * x + y * y + z * z;
			widest2 = extents2[k] > widest2 ? extents2[k] : widest2;
		}
		for ( int k = 0; k < 3; ++k )
		{
			yields += widest2 > 0.0 ? 1.0 / ( extents2[k] > least2 * widest2 ? extents2[k] : least2 * widest2 ) : 0.0;
		}
		sum += yields > 0.0 ? (double)rest->share * 3.0 / yields : 0.0;
	}
	return sum;
}

pnBody* pnMakeBody( const pnSolid* solid )
{
	pnBody* body = pnAllocArray( pnBody, 1 );
	if ( body == NULL )
	{
		return NULL;
	}
	int count = ( solid->particleCount + 3 ) / 4 * 4;
	body->count = count;
	body->solid = (pnSolid*)solid;
	pnRetainSolid( solid );
	float* particles = pnAllocArray( float, 8 * (size_t)count );
	body->match.clusters = pnAllocArray( pnCluster, solid->clusterCount );
	body->match.x = particles;
	if ( particles == NULL || body->match.clusters == NULL )
	{
		pnFreeBody( body );
		return NULL;
	}
	body->v = particles + 4 * (size_t)count;
	body->match.form = body->match.plain = solid;
	body->match.response = &body->response;
	body->awake = true;
	body->fresh = true;
	for ( int c = 0; c < solid->clusterCount; ++c )
	{
		body->size2 += (double)solid->clusters[c].share * solid->clusters[c].restNorm2;
	}
	body->breadth2 = pnMeasureBreadth( solid );
	body->stiffening = solid->breadth2 > 0.0f && body->breadth2 > 0.0 ? sqrt( (double)solid->breadth2 / body->breadth2 ) : 1.0;
	pnMeasureRest( body );
	return body;
}

void pnFreeBody( pnBody* body )
{
	if ( body == NULL )
	{
		return;
	}
	pnFreeArray( float, (void*)body->match.x, 8 * (size_t)body->count );
	pnFreeArray( pnCluster, body->match.clusters, body->solid->clusterCount );
	pnFreeArray( pnPin, body->pins, body->pinCapacity );
	pnFreeArray( pnVec3, body->shifts, body->shifts != NULL ? body->solid->skinVertexCount : 0 );
	pnFreeGrips( body );
	pnFreeArray( pnPointForce, body->forces, body->forceCapacity );
	pnDestroySolid( body->held );
	pnDestroySolid( body->solid );
	pnFreeArray( pnBody, body, 1 );
}

size_t pnGetBodyBytes( const pnBody* body )
{
	return sizeof( pnBody ) + 8 * (size_t)body->count * sizeof( float ) + (size_t)body->solid->clusterCount * sizeof( pnCluster ) +
		   (size_t)body->pinCapacity * sizeof( pnPin ) + ( body->shifts != NULL ? (size_t)body->solid->skinVertexCount * sizeof( pnVec3 ) : 0 ) + (size_t)body->forceCapacity * sizeof( pnPointForce ) +
		   pnGetGripBytes( body ) + ( body->held != NULL ? pnGetSolidBytes( body->held ) : 0 );
}

void pnWeighBody( pnBody* body, const pnMaterial* material )
{
	const pnSolid* solid = body->solid;
	body->mass = solid->density > 0.0f ? (float)( (double)solid->totalMass * material->density / solid->density ) : solid->totalMass;
}

pnQuat pnUnitQuat( pnQuat q )
{
	float r = 1.0f / sqrtf( q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w );
	return (pnQuat){ r * q.x, r * q.y, r * q.z, r * q.w };
}

void pnPlaceBody( pnBody* body, const pnBodyDef* def )
{
	const pnSolid* solid = body->solid;
	pnTransform transform = { def->transform.p, pnUnitQuat( def->transform.q ) };
	float* x = (float*)body->match.x;
	pnVec3 center = { (float)solid->center[0], (float)solid->center[1], (float)solid->center[2] };
	pnVec3 base = pnTransformPoint( transform, center );
	for ( int i = 0; i < body->count; ++i )
	{
		bool there = i < solid->particleCount; // the rows beyond are empty particles at the centre
		pnVec3 arm = pnRotate( transform.q, there ? solid->rest[i] : pnMakeVec3( 0.0f, 0.0f, 0.0f ) );
		pnVec3 p = pnAdd( base, arm ), v = pnAdd( def->velocity, pnCross( def->angularVelocity, arm ) );
		float m = there ? solid->mass[i] : 0.0f;
		memcpy( x + 4 * i, ( float[4] ){ p.x, p.y, p.z, m }, 16 );
		memcpy( body->v + 4 * i, ( float[4] ){ there ? v.x : 0.0f, there ? v.y : 0.0f, there ? v.z : 0.0f, there ? 1.0f / m : 0.0f }, 16 );
	}
	for ( int c = 0; c < solid->clusterCount; ++c )
	{
		const float* at = solid->clusterCenter + 3 * c;
		pnVec3 p = pnAdd( base, pnRotate( transform.q, pnMakeVec3( at[0], at[1], at[2] ) ) );
		body->match.clusters[c] = (pnCluster){
			.rotation = { transform.q.x, transform.q.y, transform.q.z, transform.q.w },
			.center = { p.x, p.y, p.z },
			.softness = 1.0f,
			.plastic = { 1.0f, 0.0f, 0.0f, 0.0f, 1.0f, 0.0f, 0.0f, 0.0f, 1.0f },
		};
	}
	pnRefreshBody( body );
}

pnBodyMotion pnMeasureBody( const pnBody* body )
{
	pnBodyMotion m = { 0 };
	double near[3], sum[3] = { 0 };
	for ( int k = 0; k < 3; ++k )
	{
		near[k] = body->match.x[k];
	}
	for ( int i = 0; i < body->solid->particleCount; ++i )
	{
		const float *x = body->match.x + 4 * i, *v = body->v + 4 * i;
		for ( int k = 0; k < 3; ++k )
		{
			sum[k] += (double)x[3] * ( (double)x[k] - near[k] );
			m.velocity[k] += (double)x[3] * (double)v[k];
		}
	}
	for ( int k = 0; k < 3; ++k )
	{
		m.center[k] = near[k] + sum[k];
	}
	for ( int i = 0; i < body->solid->particleCount; ++i )
	{
		const float *x = body->match.x + 4 * i, *v = body->v + 4 * i;
		double p[3], u[3], w = x[3];
		for ( int k = 0; k < 3; ++k )
		{
			p[k] = (double)x[k] - m.center[k];
			u[k] = (double)v[k] - m.velocity[k];
		}
		for ( int k = 0; k < 3; ++k )
		{
			int k1 = ( k + 1 ) % 3, k2 = ( k + 2 ) % 3;
			m.spin[k] += w * ( p[k1] * u[k2] - p[k2] * u[k1] );
			m.second[k] += w * p[k] * p[k];
			m.second[3 + k] += w * p[k] * p[k1];
		}
	}
	return m;
}

bool pnFindCofactors( const double second[6], double c[6], double* det )
{
	double xx = second[1] + second[2], yy = second[0] + second[2], zz = second[0] + second[1];
	double xy = -second[3], yz = -second[4], zx = -second[5], trace = xx + yy + zz;
	c[0] = yy * zz - yz * yz, c[1] = xx * zz - zx * zx, c[2] = xx * yy - xy * xy;
	c[3] = zx * yz - xy * zz, c[4] = xy * zx - xx * yz, c[5] = xy * yz - zx * yy;
	*det = xx * c[0] + xy * c[3] + zx * c[5];
	return trace > 0.0 && *det > 1e-5 * trace * trace * trace;
}

void pnAngularVelocity( const double second[6], const double spin[3], double omega[3] )
{
	double c[6], det;
	if ( pnFindCofactors( second, c, &det ) )
	{
		omega[0] = ( c[0] * spin[0] + c[3] * spin[1] + c[5] * spin[2] ) / det;
		omega[1] = ( c[3] * spin[0] + c[1] * spin[1] + c[4] * spin[2] ) / det;
		omega[2] = ( c[5] * spin[0] + c[4] * spin[1] + c[2] * spin[2] ) / det;
		return;
	}
	// Nearly a line, or a point: about an axis with so little inertia nothing turns. A line that is bent by less than a hundredth would be spun by every
	// push that meets it, as fast as its points are near the axis.
	double xx = second[1] + second[2], yy = second[0] + second[2], zz = second[0] + second[1];
	pnSolve3( (pnMat3d){ { xx, -second[3], -second[5], -second[3], yy, -second[4], -second[5], -second[4], zz } }, 1e-4, spin, omega );
}

void pnRefreshBody( pnBody* body )
{
	pnBodyMotion m = pnMeasureBody( body );
	for ( int k = 0; k < 3; ++k )
	{
		body->origin[k] = (float)m.center[k];
		body->match.motion[k] = (float)m.velocity[k];
	}
	body->match.motion[3] = 0.0f;
	if ( body->pinCount > 0 ) // what is held to the world has no motion of its own to be measured from
	{
		memset( body->match.motion, 0, sizeof body->match.motion );
	}
	body->fresh = true;
	body->awake = true;
	body->unrest.rested = 0.0f;
	body->measured = body->struck = body->inherits = false;
	memset( body->strayMomentum, 0, sizeof body->strayMomentum );
	memset( body->straySpin, 0, sizeof body->straySpin );
	memset( body->lag, 0, sizeof body->lag );
	body->stored = 0.0;
	// Near points for the clusters' sums; any near point will do.
	for ( int c = 0; c < body->solid->clusterCount; ++c )
	{
		pnCluster* cluster = body->match.clusters + c;
		uint32_t point = body->solid->memberPoint[body->solid->clusterStart[c]];
		memcpy( cluster->center, (const char*)body->match.x + point, sizeof cluster->center );
		memset( cluster->centerRest, 0, sizeof cluster->centerRest );
	}
}

bool pnHoldPins( pnBody* body )
{
	pnSolid* held = NULL;
	if ( body->pinCount > 0 )
	{
		uint8_t* flags = pnAllocArray( uint8_t, body->solid->particleCount );
		if ( flags == NULL )
		{
			return false;
		}
		for ( int i = 0; i < body->pinCount; ++i )
		{
			flags[body->pins[i].particle] = 1;
		}
		held = pnCreateHeldSolid( body->solid, flags );
		pnFreeArray( uint8_t, flags, body->solid->particleCount );
		if ( held == NULL )
		{
			return false;
		}
	}
	pnDestroySolid( body->held );
	body->held = held;
	body->match.form = held != NULL ? held : body->solid;
	pnLiftGrips( body );
	for ( int i = 0; i < body->solid->particleCount; ++i )
	{
		body->v[4 * (size_t)i + 3] = 1.0f / body->solid->mass[i];
	}
	for ( int i = 0; i < body->pinCount; ++i )
	{
		body->v[4 * (size_t)body->pins[i].particle + 3] = 0.0f;
	}
	pnLayGrips( body );
	return true;
}

pnTransform pnRigidFit( const pnBody* body, const pnBodyMotion* motion )
{
	const pnSolid* solid = body->solid;
	const float* turn = body->match.clusters[0].rotation; // where the points do not tell the turn
	pnMat3d B = { { 0 } };
	double r[4];
	for ( int i = 0; i < solid->particleCount; ++i )
	{
		const float* x = body->match.x + 4 * (size_t)i;
		const float* q = &solid->rest[i].x;
		for ( int k = 0; k < 9; ++k )
		{
			B.m[k] += (double)x[3] * ( (double)x[k / 3] - motion->center[k / 3] ) * (double)q[k % 3];
		}
	}
	pnToQuat3( pnNearestRotation3( B, pnFromQuat3( turn[0], turn[1], turn[2], turn[3] ) ), r );
	pnTransform t = { .q = { (float)r[0], (float)r[1], (float)r[2], (float)r[3] } };
	pnVec3 center = { (float)solid->center[0], (float)solid->center[1], (float)solid->center[2] };
	pnVec3 turned = pnRotate( t.q, center );
	t.p = pnMakeVec3( (float)( motion->center[0] - turned.x ), (float)( motion->center[1] - turned.y ), (float)( motion->center[2] - turned.z ) );
	return t;
}
