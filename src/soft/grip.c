// grip.c - what hands hold of one body: the weights of a region, where it is, and what of it goes with which piece. Knows one body, no world and no pull.
#include "grip.h"

#include "../base/scratch.h"

// ---- what is held, and where it is ----

pnGrip* pnAddBareGrip( pnBody* body, int pointCount )
{
	pnGripPoint* points = pnAllocArray( pnGripPoint, pointCount );
	if ( points == NULL || !pnGrow( (void**)&body->grips, &body->gripCapacity, body->gripCount, body->gripCount + 1, sizeof( pnGrip ) ) )
	{
		pnFreeArray( pnGripPoint, points, pointCount );
		return NULL;
	}
	pnGrip* grip = body->grips + body->gripCount++;
	*grip = (pnGrip){ .slot = -1, .points = points, .pointCount = pointCount };
	return grip;
}

static double pnGripDistance2( const float* a, const float* b )
{
	double x = (double)a[0] - (double)b[0], y = (double)a[1] - (double)b[1], z = (double)a[2] - (double)b[2];
	return x * x + y * y + z * z;
}

// A tenth of the largest extent at rest.
static double pnUsualRadius( const pnSolid* solid )
{
	pnVec3 lower = solid->rest[0], upper = lower;
	for ( int i = 1; i < solid->particleCount; ++i )
	{
		lower = pnMin3( lower, solid->rest[i] );
		upper = pnMax3( upper, solid->rest[i] );
	}
	pnVec3 size = pnSub( upper, lower );
	float most = size.x > size.y ? size.x : size.y;
	return 0.1 * (double)( most > size.z ? most : size.z );
}

// 1 in the middle, 0 at the rim and beyond, smooth between.
static float pnBump( double distance2, double radius2 )
{
	double rest = distance2 < radius2 ? 1.0 - distance2 / radius2 : distance2 == 0.0 ? 1.0 : 0.0;
	return (float)( rest * rest );
}

// Weights of what is held around a particle; of a slit body only what still hangs together with it. Returns how many there are.
static int pnSpreadGrip( const pnSolid* solid, int middle, double reach, float* bumps, int32_t* queue )
{
	const float* at = &solid->rest[middle].x;
	int count = 0, next = 0;
	memset( bumps, 0, (size_t)solid->particleCount * sizeof( float ) );
	if ( solid->linkCount == 0 )
	{
		for ( int i = 0; i < solid->particleCount; ++i )
		{
			bumps[i] = pnBump( pnGripDistance2( &solid->rest[i].x, at ), reach * reach );
			count += bumps[i] > 0.0f;
		}
		return count;
	}
	bumps[middle] = pnBump( 0.0, reach * reach );
	queue[count++] = middle;
	while ( next < count )
	{
		int32_t from = queue[next++];
		for ( int k = solid->linkStart[from]; k < solid->linkStart[from + 1]; ++k )
		{
			int32_t to = solid->links[k];
			float bump = bumps[to] > 0.0f ? 0.0f : pnBump( pnGripDistance2( &solid->rest[to].x, at ), reach * reach );
			if ( bump > 0.0f )
			{
				bumps[to] = bump;
				queue[count++] = to;
			}
		}
	}
	return count;
}

pnGrip* pnAddGrip( pnBody* body, pnVec3 place, float radius )
{
	const pnSolid* solid = body->solid;
	int middle = 0, count = 0;
	for ( int i = 1; i < solid->particleCount; ++i )
	{
		middle = pnGripDistance2( body->match.x + 4 * (size_t)i, &place.x ) < pnGripDistance2( body->match.x + 4 * (size_t)middle, &place.x ) ? i : middle;
	}
	double reach = radius < 0.0f ? pnUsualRadius( solid ) : (double)radius;
	pnScratch scratch = { 0 };
	float* bumps = pnTakeArray( &scratch, float, solid->particleCount );
	int32_t* queue = pnTakeArray( &scratch, int32_t, solid->particleCount );
	if ( scratch.failed )
	{
		pnGiveBack( &scratch );
		return NULL;
	}
	count = pnSpreadGrip( solid, middle, reach, bumps, queue );
	pnGrip* grip = pnAddBareGrip( body, count );
	count = 0;
	for ( int i = 0; i < solid->particleCount && grip != NULL; ++i )
	{
		if ( bumps[i] > 0.0f )
		{
			grip->points[count++] = (pnGripPoint){ i, bumps[i] };
		}
	}
	pnGiveBack( &scratch );
	if ( grip == NULL )
	{
		return NULL;
	}
	double now[3];
	pnFindGripPlace( body, grip, now );
	for ( int k = 0; k < 3; ++k )
	{
		grip->target[k] = ( &place.x )[k];
		grip->aim[k] = (double)grip->target[k];
		grip->offset[k] = grip->aim[k] - now[k];
	}
	return grip;
}

void pnDropGrip( pnBody* body, int index )
{
	pnGrip* grip = body->grips + index;
	pnFreeArray( pnGripPoint, grip->points, grip->pointCount );
	memmove( grip, grip + 1, (size_t)( body->gripCount - index - 1 ) * sizeof( pnGrip ) );
	body->gripCount -= 1;
}

void pnFreeGrips( pnBody* body )
{
	while ( body->gripCount > 0 )
	{
		pnDropGrip( body, body->gripCount - 1 );
	}
	pnFreeArray( pnGrip, body->grips, body->gripCapacity );
	body->grips = NULL;
	body->gripCapacity = 0;
}

size_t pnGetGripBytes( const pnBody* body )
{
	size_t bytes = (size_t)body->gripCapacity * sizeof( pnGrip );
	for ( int i = 0; i < body->gripCount; ++i )
	{
		bytes += (size_t)body->grips[i].pointCount * sizeof( pnGripPoint );
	}
	return bytes;
}

pnGrip* pnFindGrip( const pnBody* body, int32_t slot )
{
	for ( int i = 0; i < body->gripCount; ++i )
	{
		if ( body->grips[i].slot == slot )
		{
			return body->grips + i;
		}
	}
	return NULL;
}

// What is pinned goes where it is told and does not count; unless there is nothing else, then at least it has a place.
pnGripSpot pnMeasureSpot( const pnBody* body, const pnGrip* grip )
{
	pnGripSpot loose = { 0 }, pinned = { 0 };
	for ( int i = 0; i < grip->pointCount; ++i )
	{
		int32_t particle = grip->points[i].particle;
		const float *x = body->match.x + 4 * (size_t)particle, *v = body->v + 4 * (size_t)particle;
		pnGripSpot* spot = pnIsPinned( body, particle ) ? &pinned : &loose;
		double w = (double)x[3] * (double)grip->points[i].phi;
		spot->share += w;
		spot->inert += w * (double)grip->points[i].phi;
		for ( int k = 0; k < 3; ++k )
		{
			spot->place[k] += w * (double)x[k];
			spot->velocity[k] += w * (double)v[k];
			spot->rest[k] += w * (double)( &body->solid->rest[particle].x )[k];
		}
	}
	pnGripSpot* spot = loose.share > 0.0 ? &loose : &pinned;
	for ( int k = 0; k < 3; ++k )
	{
		spot->place[k] /= spot->share;
		spot->velocity[k] /= spot->share;
		spot->rest[k] /= spot->share;
	}
	spot->inert = loose.share > 0.0 ? loose.share * loose.share / loose.inert : 0.0;
	spot->share = loose.share;
	return *spot;
}

void pnFindGripPlace( const pnBody* body, const pnGrip* grip, double place[3] )
{
	pnGripSpot spot = pnMeasureSpot( body, grip );
	for ( int k = 0; k < 3; ++k )
	{
		place[k] = spot.place[k] + grip->offset[k];
	}
}

void pnLiftGrips( pnBody* body )
{
	for ( int i = 0; i < body->gripCount; ++i )
	{
		pnFindGripPlace( body, body->grips + i, body->grips[i].offset );
	}
}

static void pnLayGrip( const pnBody* body, pnGrip* grip )
{
	pnGripSpot spot = pnMeasureSpot( body, grip );
	for ( int k = 0; k < 3; ++k )
	{
		grip->offset[k] -= spot.place[k];
	}
}

void pnLayGrips( pnBody* body )
{
	for ( int i = 0; i < body->gripCount; ++i )
	{
		pnLayGrip( body, body->grips + i );
	}
}

// ---- a body comes apart ----

typedef struct pnMovedGrip { int32_t piece; int pointCount; pnGripPoint* points; } pnMovedGrip;

// What the pieces have of a grip, in parts of the body's mass; the one that has most takes it.
static int32_t pnChoosePiece( const pnBody* from, const pnGrip* grip, pnBody* const* pieces, int pieceCount, const int32_t* pieceOf, double* shares )
{
	memset( shares, 0, (size_t)pieceCount * sizeof( double ) );
	for ( int i = 0; i < grip->pointCount; ++i )
	{
		int32_t particle = grip->points[i].particle, piece = pieceOf[particle];
		if ( piece >= 0 && pieces[piece] != NULL )
		{
			shares[piece] += (double)from->match.x[4 * (size_t)particle + 3] * (double)grip->points[i].phi;
		}
	}
	int32_t best = -1;
	for ( int32_t p = 0; p < pieceCount; ++p )
	{
		best = shares[p] > ( best < 0 ? 0.0 : shares[best] ) ? p : best;
	}
	return best;
}

// The part of a grip that is in one piece, by particle, rising. phi: as many zeros as the piece has particles, and so it is left.
static bool pnRestrictGrip( const pnGrip* grip, const int32_t* pieceOf, const int32_t* particleOf, int particleCount, float* phi, pnMovedGrip* moved )
{
	int count = 0;
	for ( int i = 0; i < grip->pointCount; ++i )
	{
		int32_t particle = grip->points[i].particle;
		if ( pieceOf[particle] == moved->piece )
		{
			phi[particleOf[particle]] = grip->points[i].phi;
			count += 1;
		}
	}
	moved->points = pnAllocArray( pnGripPoint, count );
	for ( int32_t i = 0; i < particleCount; ++i )
	{
		if ( phi[i] > 0.0f && moved->points != NULL )
		{
			moved->points[moved->pointCount++] = (pnGripPoint){ i, phi[i] };
		}
		phi[i] = 0.0f;
	}
	return moved->points != NULL;
}

bool pnCopyGrips( const pnBody* from, pnBody* const* pieces, int pieceCount, const int32_t* pieceOf, const int32_t* particleOf )
{
	int gripCount = from->gripCount, largest = 0;
	if ( gripCount == 0 )
	{
		return true;
	}
	for ( int p = 0; p < pieceCount; ++p )
	{
		int count = pieces[p] != NULL ? pieces[p]->solid->particleCount : 0;
		largest = count > largest ? count : largest;
	}
	double* shares = pnAllocArray( double, pieceCount );
	float* phi = pnAllocArray( float, largest );
	int* gains = pnAllocArray( int, pieceCount );
	pnMovedGrip* moved = pnAllocArray( pnMovedGrip, gripCount );
	bool fine = shares != NULL && phi != NULL && gains != NULL && moved != NULL;
	for ( int i = 0; i < gripCount && fine; ++i )
	{
		int32_t piece = pnChoosePiece( from, from->grips + i, pieces, pieceCount, pieceOf, shares );
		moved[i].piece = piece;
		if ( piece >= 0 )
		{
			pnBody* taker = pieces[piece];
			gains[piece] += 1;
			fine = pnRestrictGrip( from->grips + i, pieceOf, particleOf, taker->solid->particleCount, phi, moved + i ) &&
				   pnGrow( (void**)&taker->grips, &taker->gripCapacity, taker->gripCount, taker->gripCount + gains[piece], sizeof( pnGrip ) );
		}
	}
	for ( int i = 0; i < gripCount && moved != NULL; ++i )
	{
		if ( fine && moved[i].piece >= 0 )
		{
			pnBody* taker = pieces[moved[i].piece];
			pnGrip* grip = taker->grips + taker->gripCount++;
			*grip = from->grips[i];
			grip->points = moved[i].points;
			grip->pointCount = moved[i].pointCount;
			pnFindGripPlace( from, from->grips + i, grip->offset );
			pnLayGrip( taker, grip );
		}
		else
		{
			pnFreeArray( pnGripPoint, moved[i].points, moved[i].pointCount );
		}
	}
	pnFreeArray( double, shares, pieceCount );
	pnFreeArray( float, phi, largest );
	pnFreeArray( int, gains, pieceCount );
	pnFreeArray( pnMovedGrip, moved, gripCount );
	return fine;
}
