// schedule.c - who is stepped with whom: bodies into units, clusters into batches of sixteen lanes. Knows bodies, not what a step does.
// Any schedule gives the same bits: a lane's arithmetic is its own, and a body's clusters always come in their order.
#include "world.h"

static int pnGroupCount( const pnBody* body )
{
	return ( body->solid->clusterCount + PN_LANES - 1 ) / PN_LANES;
}

static int pnBlockCount( const pnBody* body )
{
	return ( body->count + PN_BLOCK - 1 ) / PN_BLOCK;
}

static bool pnIsLarge( const pnBody* body )
{
	return body->solid->clusterCount > PN_LARGE_BODY;
}

// Clusters one unit takes: enough to fill its batches, few enough that every worker finds several units.
static int pnUnitSize( const pnWorld* world, int clusterCount )
{
	int wanted = clusterCount / ( 6 * world->workerCount ) / PN_LANES * PN_LANES;
	return wanted < PN_LANES ? PN_LANES : wanted < PN_LARGE_BODY ? wanted : PN_LARGE_BODY;
}

static bool pnGrowFloats( float** floats, size_t* size, size_t wanted )
{
	if ( wanted <= *size )
	{
		return true;
	}
	float* more = pnAllocArray( float, wanted );
	if ( more == NULL )
	{
		return false;
	}
	pnFreeArray( float, *floats, *size );
	*floats = more;
	*size = wanted;
	return true;
}

void pnAddDemand( pnDemand* demand, const pnBody* body )
{
	size_t rows = (size_t)body->count, *most = pnIsLarge( body ) ? &demand->largeRows : &demand->largestSmall;
	int blocks = pnBlockCount( body ), longest = body->solid->maxClusterSize;
	demand->bodyCount += 1;
	demand->groupCount += pnGroupCount( body );
	demand->smallRows += pnIsLarge( body ) ? 0 : rows;
	*most = rows > *most ? rows : *most;
	demand->blockCount = blocks > demand->blockCount ? blocks : demand->blockCount;
	demand->maxCount = longest > demand->maxCount ? longest : demand->maxCount;
}

void pnDropDemand( pnDemand* demand, const pnBody* body )
{
	demand->bodyCount -= 1;
	demand->groupCount -= pnGroupCount( body );
	demand->smallRows -= pnIsLarge( body ) ? 0 : (size_t)body->count;
}

bool pnReserveSchedule( pnWorld* world, const pnDemand* demand )
{
	pnSchedule* s = &world->schedule;
	// A unit holds up to PN_LARGE_BODY clusters, so up to that many bodies of one cluster each.
	size_t unitRows = PN_LARGE_BODY * demand->largestSmall;
	unitRows = unitRows < demand->smallRows ? unitRows : demand->smallRows;
	bool fine = pnGrow( (void**)&s->units, &s->unitCapacity, s->unitCount, demand->bodyCount, sizeof( pnUnit ) ) &&
				pnGrow( (void**)&s->bodies, &s->bodyCapacity, s->bodyCount, demand->bodyCount, sizeof( pnScheduled ) ) &&
				pnGrow( (void**)&s->batches, &s->batchCapacity, s->batchCount, demand->groupCount, sizeof( pnBatch ) ) &&
				pnGrowFloats( &world->largeSums, &world->largeSumSize, demand->largeRows * PN_SUM_SIZE ) &&
				pnGrowFloats( &world->zeros, &world->zeroSize, 4 * (size_t)demand->maxCount );
	for ( int w = 0; fine && w < world->workerCount; ++w )
	{
		pnWorker* worker = world->workers + w;
		fine = pnGrowFloats( &worker->sums, &worker->sumSize, unitRows * PN_SUM_SIZE ) &&
			   pnGrowFloats( &worker->scratch, &worker->scratchSize, pnMatchScratchSize( demand->maxCount ) ) &&
			   pnGrow( (void**)&worker->blocks, &worker->blockCapacity, 0, demand->blockCount, sizeof( pnBlockSums ) );
	}
	return fine;
}

void pnFreeSchedule( pnWorld* world )
{
	pnSchedule* s = &world->schedule;
	pnFreeArray( pnUnit, s->units, s->unitCapacity );
	pnFreeArray( pnScheduled, s->bodies, s->bodyCapacity );
	pnFreeArray( pnBatch, s->batches, s->batchCapacity );
	pnFreeArray( float, world->largeSums, world->largeSumSize );
	pnFreeArray( float, world->zeros, world->zeroSize );
	for ( int w = 0; w < world->workerCount; ++w )
	{
		pnFreeArray( float, world->workers[w].sums, world->workers[w].sumSize );
		pnFreeArray( float, world->workers[w].scratch, world->workers[w].scratchSize );
		pnFreeArray( pnBlockSums, world->workers[w].blocks, world->workers[w].blockCapacity );
	}
}

// Bodies that can share a batch well come together: same kind of goals, clusters of about the same length.
static int pnKind( const pnBody* body )
{
	return ( body->response.bare ? 2 : 0 ) + ( body->material.mode == pn_quadraticMode ? 1 : 0 );
}

static bool pnComesBefore( const pnScheduled* a, const pnScheduled* b )
{
	int kindA = pnKind( a->body ), kindB = pnKind( b->body );
	if ( kindA != kindB )
	{
		return kindA < kindB;
	}
	if ( a->body->solid->clusterCount != b->body->solid->clusterCount )
	{
		return a->body->solid->clusterCount > b->body->solid->clusterCount;
	}
	if ( a->body->solid->maxClusterSize != b->body->solid->maxClusterSize )
	{
		return a->body->solid->maxClusterSize > b->body->solid->maxClusterSize;
	}
	return a->body->id.index1 < b->body->id.index1;
}

static void pnSiftDown( pnScheduled* items, int root, int count )
{
	for ( ;; )
	{
		int child = 2 * root + 1;
		if ( child >= count )
		{
			return;
		}
		child += child + 1 < count && pnComesBefore( items + child, items + child + 1 );
		if ( !pnComesBefore( items + root, items + child ) )
		{
			return;
		}
		pnScheduled swap = items[root];
		items[root] = items[child];
		items[child] = swap;
		root = child;
	}
}

static void pnSortScheduled( pnScheduled* items, int count ) // heap sort: in place, and no worst case
{
	for ( int i = count / 2 - 1; i >= 0; --i )
	{
		pnSiftDown( items, i, count );
	}
	for ( int end = count - 1; end > 0; --end )
	{
		pnScheduled swap = items[0];
		items[0] = items[end];
		items[end] = swap;
		pnSiftDown( items, 0, end );
	}
}

static void pnPutGroup( pnBatch* batch, int lane, const pnScheduled* item, int group )
{
	const pnBody* body = item->body;
	int first = group * PN_LANES, count = body->solid->clusterCount - first;
	count = count < PN_LANES ? count : PN_LANES;
	for ( int i = 0; i < count; ++i )
	{
		batch->lanes[lane + i] = pnMakeLane( &body->match, first + i, item->sumRow );
	}
	batch->quadratic |= body->material.mode == pn_quadraticMode;
	batch->bare = body->response.bare;
}

static pnBatch* pnNewBatch( pnSchedule* s )
{
	PN_ASSERT( s->batchCount < s->batchCapacity );
	pnBatch* batch = s->batches + s->batchCount++;
	*batch = (pnBatch){ 0 };
	return batch;
}

// Groups of a unit's bodies into batches: whole ones by themselves, the rest side by side as they come.
static void pnFillUnit( pnSchedule* s, pnUnit* unit )
{
	unit->firstBatch = s->batchCount;
	pnBatch* open = NULL;
	int lane = 0;
	for ( int i = unit->firstBody; i < unit->firstBody + unit->bodyCount; ++i )
	{
		const pnScheduled* item = s->bodies + i;
		int clusters = item->body->solid->clusterCount, groups = clusters / PN_LANES, rest = clusters % PN_LANES;
		for ( int g = 0; g < groups; ++g )
		{
			pnPutGroup( pnNewBatch( s ), 0, item, g );
		}
		if ( rest > 0 )
		{
			// After its own whole groups, never before: particles add up their clusters in order.
			if ( open == NULL || groups > 0 || lane + rest > PN_LANES )
			{
				open = pnNewBatch( s );
				lane = 0;
			}
			pnPutGroup( open, lane, item, groups );
			lane += rest;
		}
	}
	unit->batchCount = s->batchCount - unit->firstBatch;
}

void pnBuildSchedule( pnWorld* world )
{
	pnSchedule* s = &world->schedule;
	s->unitCount = s->bodyCount = s->batchCount = 0;
	int clusterCount = 0;
	for ( int i = 0; i < world->bodyCount; ++i )
	{
		pnBody* body = world->bodies[i];
		if ( body->awake && !pnIsLarge( body ) )
		{
			s->bodies[s->bodyCount++] = (pnScheduled){ body, 0 };
			clusterCount += body->solid->clusterCount;
		}
	}
	pnSortScheduled( s->bodies, s->bodyCount );
	int unitSize = pnUnitSize( world, clusterCount );
	for ( int begin = 0; begin < s->bodyCount; )
	{
		int end = begin, clusters = 0;
		uint32_t rows = 0;
		while ( end < s->bodyCount && pnKind( s->bodies[end].body ) == pnKind( s->bodies[begin].body ) &&
				( clusters == 0 || clusters + s->bodies[end].body->solid->clusterCount <= unitSize ) )
		{
			s->bodies[end].sumRow = rows;
			rows += (uint32_t)s->bodies[end].body->count;
			clusters += s->bodies[end].body->solid->clusterCount;
			end += 1;
		}
		pnUnit* unit = s->units + s->unitCount++;
		*unit = (pnUnit){ .firstBody = begin, .bodyCount = end - begin };
		pnFillUnit( s, unit );
		begin = end;
	}
	s->largeFirst = s->bodyCount;
	for ( int i = 0; i < world->bodyCount; ++i )
	{
		if ( world->bodies[i]->awake && pnIsLarge( world->bodies[i] ) )
		{
			s->bodies[s->bodyCount++] = (pnScheduled){ world->bodies[i], 0 };
		}
	}
	world->reschedule = false;
}
