// handles.c - how a solved system answers to patches of its surface being pushed. Knows no user.
#include "handles.h"

#include "../base/scratch.h"

#include <cblas.h>

// Full in the middle, nothing at the rim, smooth between.
static double pnGetShare( const pnHandle* handle, pnVec3d place )
{
	pnVec3d d = pnSubD( place, handle->center );
	double r2 = pnDotD( d, d ) / ( handle->radius * handle->radius );
	return r2 < 1.0 ? ( 1.0 - r2 ) * ( 1.0 - r2 ) : 0.0;
}

// Right sides of a unit force along each axis, spread over the patch: columns x 3. False: there is no patch.
static bool pnLoadHandle( const pnSystem* system, const pnUnits* units, const pnHandle* handle, double* rows, double* loads )
{
	int columns = system->columns;
	double whole = 0.0;
	memset( loads, 0, 3 * (size_t)columns * sizeof( double ) );
	for ( int pass = 0; pass < 2; ++pass )
	{
		for ( int q = 0; q < system->points.count; ++q )
		{
			const pnCollocationPoint* point = system->points.points + q;
			double share = system->bounds[q].held == 0 ? point->w * pnGetShare( handle, pnToUser( units, point->x ) ) : 0.0;
			if ( share == 0.0 )
			{
				continue;
			}
			if ( pass == 0 )
			{
				whole += share;
				continue;
			}
			pnFillBlock( &system->rows, q, q + 1, true, rows, NULL );
			cblas_daxpy( 3 * columns, share / whole, rows, 1, loads, 1 );
		}
		if ( whole == 0.0 )
		{
			return false;
		}
	}
	return true;
}

typedef struct pnMoving
{
	const pnSystem* system;
	const pnUnits* units;
	const pnVec3d* vertices;
	const double* answers; // coefficients of each degree
	int degreeCount, vertexCount;
	double scale;
	float* motion;
	pnVec3* preload;
	pnVec3* rest;
} pnMoving;

static void pnMoveSome( int begin, int end, int worker, void* context )
{
	PN_UNUSED( worker );
	const pnMoving* moving = context;
	const pnBasis* basis = &moving->system->rows.basis;
	for ( int v = begin; v < end; ++v )
	{
		pnVec3d place = pnScaleD( 1.0 / moving->units->size, pnSubD( moving->vertices[v], moving->units->center ) ), u;
		pnSumFields( basis, moving->system->coefficients, place, &u, NULL );
		pnVec3d own;
		double ownStress[6];
		pnGetInsideField( &moving->system->inside, place, &own, ownStress );
		u = pnAddD( u, own );
		u = pnScaleD( moving->units->size, u );
		moving->preload[v] = pnMakeVec3( (float)u.x, (float)u.y, (float)u.z );
		moving->rest[v] = pnMakeVec3( (float)moving->vertices[v].x, (float)moving->vertices[v].y, (float)moving->vertices[v].z );
		for ( int degree = 0; degree < moving->degreeCount; ++degree )
		{
			pnSumFields( basis, moving->answers + (size_t)degree * (size_t)moving->system->columns, place, &u, NULL );
			float* to = moving->motion + ( (size_t)degree * (size_t)moving->vertexCount + (size_t)v ) * 3;
			to[0] = (float)( moving->scale * u.x );
			to[1] = (float)( moving->scale * u.y );
			to[2] = (float)( moving->scale * u.z );
		}
	}
}

pnResult pnMakeHandleResponse( const pnSystem* system, const pnUnits* units, const pnHandle* handles, int handleCount, const pnVec3d* vertices, int vertexCount,
						 const int32_t* triangles, int triangleCount, pnResponse** response )
{
	int columns = system->columns, degrees = 3 * handleCount;
	pnScratch scratch = { 0 };
	double* rows = pnTakeRawArray( &scratch, double, 3 * (size_t)columns );
	double* loads = pnTakeRawArray( &scratch, double, (size_t)columns * (size_t)degrees );
	double* answers = pnTakeRawArray( &scratch, double, (size_t)columns * (size_t)degrees );
	double* compliance = pnTakeRawArray( &scratch, double, (size_t)degrees * (size_t)degrees );
	double* means = pnTakeArray( &scratch, double, degrees );
	float* motion = pnTakeRawArray( &scratch, float, 3 * (size_t)vertexCount * (size_t)degrees );
	pnVec3* preload = pnTakeArray( &scratch, pnVec3, vertexCount );
	pnVec3* rest = pnTakeArray( &scratch, pnVec3, vertexCount );
	pnVec3* places = pnTakeArray( &scratch, pnVec3, handleCount );
	pnVec3* handlePreload = pnTakeArray( &scratch, pnVec3, handleCount );
	pnResult result = scratch.failed ? pn_outOfMemory : pn_success;
	for ( int h = 0; h < handleCount && result == pn_success; ++h )
	{
		if ( pnLoadHandle( system, units, handles + h, rows, loads + (size_t)( 3 * h ) * (size_t)columns ) == false )
		{
			pnLog( "Handle %d: no free part of the surface lies within %g of (%g, %g, %g).", h, handles[h].radius, handles[h].center.x, handles[h].center.y,
				   handles[h].center.z );
			result = pn_invalidInput;
		}
	}
	if ( result == pn_success )
	{
		// A force of 1 N is 1 / ( 2 G size^2 ) of ours; it moves by `size` of ours: 1 / ( 2 G size ) m in all.
		double scale = 1.0 / ( units->modulus * units->size );
		memcpy( answers, loads, (size_t)columns * (size_t)degrees * sizeof( double ) );
		pnSolveEnergies( &system->energy, answers, degrees );
		cblas_dgemm( CblasColMajor, CblasTrans, CblasNoTrans, degrees, degrees, columns, scale, loads, columns, answers, columns, 0.0, compliance, degrees );
		cblas_dgemv( CblasColMajor, CblasTrans, columns, degrees, units->size, loads, columns, system->coefficients, 1, 0.0, means, 1 );
		for ( int h = 0; h < handleCount; ++h )
		{
			pnVec3d c = handles[h].center;
			places[h] = pnMakeVec3( (float)c.x, (float)c.y, (float)c.z );
			handlePreload[h] = pnMakeVec3( (float)means[3 * h], (float)means[3 * h + 1], (float)means[3 * h + 2] );
		}
		pnMoving moving = { system, units, vertices, answers, degrees, vertexCount, scale, motion, preload, rest };
		pnParallelFor( system->rows.tasks, pnMoveSome, vertexCount, 16, &moving );
		pnResponseDef def = pnDefaultResponseDef();
		def.handleCount = handleCount;
		def.vertexCount = vertexCount;
		def.triangleCount = triangleCount;
		def.handles = places;
		def.vertices = rest;
		def.triangles = triangles;
		def.preload = preload;
		def.handlePreload = handlePreload;
		def.compliance = compliance;
		def.motion = motion;
		result = pnCreateResponse( &def, response );
	}
	pnGiveBack( &scratch );
	return result;
}
