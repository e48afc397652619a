// bridge.c - which clusters hold on to each other, and bridges between those that do not. Knows rest positions and links; no masses, no fits.
#include "bridge.h"

#include "../base/sets.h"

// What clusters share must reach this far, in parts of the smaller one. With less the joint is there, but it is a hinge to the eye.
static const double pn_hold = 0.1;
static const double pn_bridgeHold = 0.3; // the same of a bridge: it is the only one between two sets
static const double pn_thinnest = 1e-3; // of the length: below it a width is none, as in the fit

enum { PN_BRIDGE_MEMBERS = 8 }; // of either side at least, where there are as many

// How far points reach: the longest way among them, nearly, and how far they lie from that line.
typedef struct pnReach { double length, width; } pnReach;

typedef struct pnPlace { double x, y, z; } pnPlace;

static pnPlace pnGetWay( const pnVec3* from, const pnVec3* to )
{
	return (pnPlace){ (double)to->x - (double)from->x, (double)to->y - (double)from->y, (double)to->z - (double)from->z };
}

static double pnLength2( pnPlace a )
{
	return a.x * a.x + a.y * a.y + a.z * a.z;
}

static int32_t pnFindFarthest( const pnVec3* rest, const int32_t* points, int count, int32_t from, double* distance2 )
{
	int32_t farthest = from;
	*distance2 = 0.0;
	for ( int i = 0; i < count; ++i )
	{
		double d2 = pnLength2( pnGetWay( rest + from, rest + points[i] ) );
		farthest = d2 > *distance2 ? points[i] : farthest;
		*distance2 = d2 > *distance2 ? d2 : *distance2;
	}
	return farthest;
}

static pnReach pnMeasureReach( const pnVec3* rest, const int32_t* points, int count )
{
	double length2, width2 = 0.0;
	int32_t a = pnFindFarthest( rest, points, count, points[0], &length2 ), b = pnFindFarthest( rest, points, count, a, &length2 );
	pnPlace along = pnGetWay( rest + a, rest + b );
	for ( int i = 0; i < count && length2 > 0.0; ++i )
	{
		pnPlace way = pnGetWay( rest + a, rest + points[i] );
		pnPlace across = { way.y * along.z - way.z * along.y, way.z * along.x - way.x * along.z, way.x * along.y - way.y * along.x };
		double d2 = pnLength2( across ) / length2;
		width2 = d2 > width2 ? d2 : width2;
	}
	width2 = width2 > pn_thinnest * pn_thinnest * length2 ? width2 : 0.0;
	return (pnReach){ __builtin_sqrt( length2 ), __builtin_sqrt( width2 ) };
}

static bool pnReachesAsFar( pnReach a, double part, pnReach b )
{
	return a.length >= part * b.length && a.width >= part * b.width;
}

// Of two sorted lists.
static int pnIntersect( const int32_t* a, int aCount, const int32_t* b, int bCount, int32_t* common )
{
	int count = 0;
	for ( int i = 0, k = 0; i < aCount && k < bCount; )
	{
		if ( a[i] == b[k] )
		{
			common[count++] = a[i];
		}
		int step = a[i] <= b[k];
		k += b[k] <= a[i];
		i += step;
	}
	return count;
}

static int pnSizeOf( const pnDraft* draft, int cluster )
{
	return draft->starts[cluster + 1] - draft->starts[cluster];
}

bool pnFindHolding( const pnDraft* draft, const pnVec3* rest, int particleCount, int32_t* sets, int* lineCount )
{
	int lines = 0;
	pnScratch scratch = { 0 };
	int32_t* starts = pnTakeArray( &scratch, int32_t, particleCount + 1 );
	int32_t* clusters = pnTakeArray( &scratch, int32_t, draft->memberCount );
	int32_t* common = pnTakeArray( &scratch, int32_t, particleCount );
	int32_t* asked = pnTakeArray( &scratch, int32_t, draft->clusterCount ); // 1 + the last cluster that it was compared with
	pnReach* reaches = pnTakeArray( &scratch, pnReach, draft->clusterCount );
	bool done = !scratch.failed;
	if ( done )
	{
		pnInvertClusters( draft->starts, NULL, draft->clusterCount, (const uint32_t*)draft->members, 1, particleCount, starts, clusters );
	}
	for ( int c = 0; c < draft->clusterCount && done; ++c )
	{
		sets[c] = c;
		reaches[c] = pnMeasureReach( rest, draft->members + draft->starts[c], pnSizeOf( draft, c ) );
		lines += reaches[c].width == 0.0;
	}
	for ( int c = 0; c < draft->clusterCount && done; ++c )
	{
		for ( int i = draft->starts[c]; i < draft->starts[c + 1]; ++i )
		{
			int32_t p = draft->members[i];
			for ( int k = starts[p]; k < starts[p + 1] && clusters[k] < c; ++k )
			{
				int32_t o = clusters[k];
				if ( asked[o] == c + 1 || pnFindSet( sets, o ) == pnFindSet( sets, c ) )
				{
					continue;
				}
				asked[o] = c + 1;
				int count = pnIntersect( draft->members + draft->starts[c], pnSizeOf( draft, c ), draft->members + draft->starts[o], pnSizeOf( draft, o ), common );
				pnReach a = reaches[c], b = reaches[o];
				pnReach smaller = { a.length < b.length ? a.length : b.length, a.width < b.width ? a.width : b.width };
				if ( pnReachesAsFar( pnMeasureReach( rest, common, count ), pn_hold, smaller ) )
				{
					pnJoinSets( sets, c, o );
				}
			}
		}
	}
	for ( int c = 0; c < draft->clusterCount && done; ++c )
	{
		sets[c] = pnFindSet( sets, c );
	}
	if ( lineCount != NULL )
	{
		*lineCount = lines;
	}
	pnGiveBack( &scratch );
	return done;
}

int pnCountIslands( const pnDraft* draft, int particleCount )
{
	pnScratch scratch = { 0 };
	int32_t* sets = pnTakeArray( &scratch, int32_t, draft->clusterCount );
	int32_t* first = pnTakeArray( &scratch, int32_t, particleCount ); // 1 + the first cluster of each
	int count = scratch.failed ? -1 : 0;
	for ( int c = 0; c < draft->clusterCount && count >= 0; ++c )
	{
		sets[c] = c;
		for ( int i = draft->starts[c]; i < draft->starts[c + 1]; ++i )
		{
			int32_t* known = first + draft->members[i];
			if ( *known != 0 )
			{
				pnJoinSets( sets, *known - 1, c );
			}
			*known = c + 1;
		}
	}
	for ( int c = 0; c < draft->clusterCount && count >= 0; ++c )
	{
		count += sets[c] == c;
	}
	pnGiveBack( &scratch );
	return count;
}

// ---- lines that need not be ----

enum { PN_NEAR_COUNT = 16, PN_MOST_ADDED = 2 };

// The point next to a cluster that gives it the dimension it lacks; -1 if there is none within its length: there the cloud itself is a line.
static int32_t pnFindAside( const pnClusterSource* source, const pnPointTree* tree, int32_t* members, int count, pnReach reach )
{
	int32_t best = -1;
	double least = reach.length > 0.0 ? reach.length * reach.length : 1e300;
	int stride = count / PN_NEAR_COUNT + 1;
	for ( int i = 0; i < count; i += source->links != NULL ? 1 : stride )
	{
		int32_t near[PN_NEAR_COUNT], p = members[i];
		double distances2[PN_NEAR_COUNT];
		int found = source->links != NULL ? source->linkStart[p + 1] - source->linkStart[p] : pnFindNearest( tree, source->rest[p], PN_NEAR_COUNT, near, distances2 );
		for ( int k = 0; k < found; ++k )
		{
			int32_t q = source->links != NULL ? source->links[source->linkStart[p] + k] : near[k];
			double distance2 = pnLength2( pnGetWay( source->rest + p, source->rest + q ) );
			if ( distance2 > least || ( distance2 == least && best >= 0 && q >= best ) )
			{
				continue;
			}
			members[count] = q;
			pnReach wider = pnMeasureReach( source->rest, members, count + 1 );
			if ( reach.length == 0.0 ? wider.length > 0.0 : wider.width > pn_hold * reach.length )
			{
				best = q, least = distance2;
			}
		}
	}
	return best;
}

// A cluster of points in one line lets what hangs on its ends swivel about it. Where the cloud has width next to it, it takes a point from there.
static bool pnWidenLines( const pnDraft* draft, const pnClusterSource* source, pnScratch* scratch, pnDraft* widened )
{
	pnScratch local = { 0 };
	int lines = 0;
	for ( int c = 0; c < draft->clusterCount; ++c )
	{
		lines += pnMeasureReach( source->rest, draft->members + draft->starts[c], pnSizeOf( draft, c ) ).width == 0.0;
	}
	*widened = *draft;
	if ( lines == 0 )
	{
		return true;
	}
	pnPointTree tree = { 0 };
	int32_t* members = pnTakeArray( &local, int32_t, source->particleCount + PN_MOST_ADDED + 1 );
	for ( int p = 0; p < source->particleCount && !local.failed; ++p )
	{
		members[p] = p;
	}
	if ( !local.failed && pnMeasureReach( source->rest, members, source->particleCount ).width == 0.0 )
	{
		pnGiveBack( &local );
		return true;
	}
	bool done = ( source->links != NULL || pnBuildPointTree( &tree, source->rest, NULL, source->particleCount, &local ) ) && !local.failed &&
				pnTakeDraft( widened, draft->clusterCount, draft->memberCount + PN_MOST_ADDED * lines, scratch );
	int next = 0;
	for ( int c = 0; c < draft->clusterCount && done; ++c )
	{
		int size = pnSizeOf( draft, c ), count = size;
		memcpy( members, draft->members + draft->starts[c], (size_t)size * sizeof( int32_t ) );
		for ( int i = 0; i < PN_MOST_ADDED; ++i )
		{
			pnReach reach = pnMeasureReach( source->rest, members, count );
			int32_t aside = reach.width == 0.0 ? pnFindAside( source, &tree, members, count, reach ) : -1;
			if ( aside < 0 )
			{
				break;
			}
			members[count++] = aside;
		}
		memcpy( widened->weights + next, draft->weights + draft->starts[c], (size_t)size * sizeof( double ) );
		memcpy( widened->members + next, members, (size_t)size * sizeof( int32_t ) );
		for ( int i = size; i < count; ++i )
		{
			int at = next + i;
			for ( ; at > next && widened->members[at - 1] > members[i]; --at )
			{
				widened->members[at] = widened->members[at - 1];
				widened->weights[at] = widened->weights[at - 1];
			}
			widened->members[at] = members[i];
			widened->weights[at] = 1.0;
		}
		next += count;
		widened->starts[c + 1] = next;
	}
	widened->memberCount = next;
	pnGiveBack( &local );
	return done;
}

// ---- bridges ----

typedef struct pnBridges
{
	const pnDraft* draft;
	const pnClusterSource* source;
	int32_t *starts, *clusters; // of each particle
	int32_t* sets; // of the draft's clusters
	int32_t *order, *spareOrder; // of members, as they are looked at
	uint64_t *keys, *spareKeys;
	uint8_t* marks; // of particles: 1 a member of the cluster at hand, 2 one that has been met
	int32_t* members; // one bridge after another, each rising
	int memberCount, memberCapacity;
	int32_t* ends;
	int count, capacity;
} pnBridges;

static uint64_t pnGetDistanceKey( const pnVec3* a, const pnVec3* b )
{
	union { double value; uint64_t bits; } distance2 = { pnLength2( pnGetWay( a, b ) ) };
	return distance2.bits; // of numbers that are not negative the bits have the same order
}

// The members of a cluster, the nearest to `middle` first; where there are links, those that a way along them leads to from `from`, in order of
// its steps, so that nothing is taken from across a slit. Returns how many.
static int pnOrderMembers( pnBridges* b, int cluster, int32_t from, const pnVec3* middle )
{
	const pnClusterSource* source = b->source;
	const int32_t* members = b->draft->members + b->draft->starts[cluster];
	int size = pnSizeOf( b->draft, cluster ), count = 0;
	if ( source->links == NULL )
	{
		for ( int i = 0; i < size; ++i )
		{
			b->order[i] = members[i];
			b->keys[i] = pnGetDistanceKey( source->rest + members[i], middle );
		}
		pnSortByKey( b->keys, b->order, b->spareKeys, b->spareOrder, size );
		return size;
	}
	for ( int i = 0; i < size; ++i )
	{
		b->marks[members[i]] = 1;
	}
	b->order[count++] = from;
	b->marks[from] = 2;
	for ( int i = 0; i < count; ++i )
	{
		for ( int k = source->linkStart[b->order[i]]; k < source->linkStart[b->order[i] + 1]; ++k )
		{
			int32_t p = source->links[k];
			if ( b->marks[p] == 1 )
			{
				b->marks[p] = 2;
				b->order[count++] = p;
			}
		}
	}
	for ( int i = 0; i < size; ++i )
	{
		b->marks[members[i]] = 0;
	}
	return count;
}

// How many of the first members a bridge must take to hold the cluster. All will do.
static int pnChooseGrip( pnBridges* b, int cluster, int count )
{
	pnReach whole = pnMeasureReach( b->source->rest, b->draft->members + b->draft->starts[cluster], pnSizeOf( b->draft, cluster ) );
	int taken = PN_BRIDGE_MEMBERS < count ? PN_BRIDGE_MEMBERS : count;
	while ( taken < count && !pnReachesAsFar( pnMeasureReach( b->source->rest, b->order, taken ), pn_bridgeHold, whole ) )
	{
		int more = taken + ( taken + 3 ) / 4;
		taken = more < count ? more : count;
	}
	return taken;
}

// A bridge from a particle of one cluster to one of another. False: no memory.
static bool pnAddBridge( pnBridges* b, int clusterA, int32_t particleA, int clusterB, int32_t particleB )
{
	const pnVec3 *p = b->source->rest + particleA, *q = b->source->rest + particleB;
	pnVec3 middle = pnMakeVec3( 0.5f * ( p->x + q->x ), 0.5f * ( p->y + q->y ), 0.5f * ( p->z + q->z ) );
	int clusters[2] = { clusterA, clusterB }, particles[2] = { particleA, particleB }, first = b->memberCount;
	int most = first + pnSizeOf( b->draft, clusterA ) + pnSizeOf( b->draft, clusterB );
	if ( !pnGrow( (void**)&b->members, &b->memberCapacity, b->memberCount, most, sizeof( int32_t ) ) ||
		 !pnGrow( (void**)&b->ends, &b->capacity, b->count, b->count + 1, sizeof( int32_t ) ) )
	{
		return false;
	}
	for ( int side = 0; side < 2; ++side )
	{
		int taken = pnChooseGrip( b, clusters[side], pnOrderMembers( b, clusters[side], particles[side], &middle ) );
		memcpy( b->members + b->memberCount, b->order, (size_t)taken * sizeof( int32_t ) );
		b->memberCount += taken;
	}
	int count = b->memberCount - first;
	for ( int i = 0; i < count; ++i )
	{
		b->keys[i] = (uint64_t)b->members[first + i];
	}
	pnSortByKey( b->keys, b->members + first, b->spareKeys, b->spareOrder, count );
	b->memberCount = first;
	for ( int i = 0; i < count; ++i ) // a particle may be in both
	{
		int32_t member = b->members[first + i];
		if ( i == 0 || member != b->members[b->memberCount - 1] )
		{
			b->members[b->memberCount++] = member;
		}
	}
	b->ends[b->count++] = b->memberCount;
	pnJoinSets( b->sets, clusterA, clusterB );
	return true;
}

// A particle that clusters of several sets share is too little to hold them, but it is where they are next to each other.
static bool pnBridgeAtParticles( pnBridges* b )
{
	bool done = true;
	for ( int p = 0; p < b->source->particleCount && done; ++p )
	{
		for ( int k = b->starts[p] + 1; k < b->starts[p + 1] && done; ++k )
		{
			bool apart = pnFindSet( b->sets, b->clusters[k - 1] ) != pnFindSet( b->sets, b->clusters[k] );
			done = !apart || pnAddBridge( b, b->clusters[k - 1], p, b->clusters[k], p );
		}
	}
	return done;
}

// Of the set that all clusters of a particle are in by now.
static int32_t pnSetAt( pnBridges* b, int32_t particle )
{
	return pnFindSet( b->sets, b->clusters[b->starts[particle]] );
}

// Short links first.
static bool pnBridgeAlongLinks( pnBridges* b )
{
	const pnClusterSource* source = b->source;
	int count = 0, next = 0;
	for ( int p = 0; p < source->particleCount; ++p )
	{
		for ( int k = source->linkStart[p]; k < source->linkStart[p + 1]; ++k )
		{
			count += source->links[k] > p && pnSetAt( b, p ) != pnSetAt( b, source->links[k] );
		}
	}
	pnScratch scratch = { 0 };
	uint64_t* keys = pnTakeArray( &scratch, uint64_t, count );
	uint64_t* spareKeys = pnTakeArray( &scratch, uint64_t, count );
	int32_t* order = pnTakeArray( &scratch, int32_t, count );
	int32_t* spareOrder = pnTakeArray( &scratch, int32_t, count );
	int32_t* pairs = pnTakeArray( &scratch, int32_t, 2 * (size_t)count );
	bool done = !scratch.failed;
	for ( int p = 0; p < source->particleCount && done; ++p )
	{
		for ( int k = source->linkStart[p]; k < source->linkStart[p + 1]; ++k )
		{
			int32_t q = source->links[k];
			if ( q > p && pnSetAt( b, p ) != pnSetAt( b, q ) )
			{
				keys[next] = pnGetDistanceKey( source->rest + p, source->rest + q );
				pairs[2 * next] = p, pairs[2 * next + 1] = q;
				order[next] = next;
				next += 1;
			}
		}
	}
	if ( done )
	{
		pnSortByKey( keys, order, spareKeys, spareOrder, count );
	}
	for ( int i = 0; i < count && done; ++i )
	{
		int32_t p = pairs[2 * order[i]], q = pairs[2 * order[i] + 1];
		done = pnSetAt( b, p ) == pnSetAt( b, q ) || pnAddBridge( b, b->clusters[b->starts[p]], p, b->clusters[b->starts[q]], q );
	}
	pnGiveBack( &scratch );
	return done;
}

// The shortest way from a set to another one.
typedef struct pnGap { double distance2; int32_t from, to; } pnGap;

typedef struct pnGaps
{
	const int32_t* numbers; // of the set that each particle is in
	int setCount, largest; // the largest set need not look: the others find it
	pnGap* shortest; // from each set
	pnGap* near; // between neighbours: the shortest from some particle of one to the other, both ways
	int nearCount, nearCapacity;
	bool all; // collect those, the shortest are there
} pnGaps;

// Ways that are hardly longer than the shortest one of either end are bridged too: then a ring of heaps is a ring, not a row.
static const double pn_nextToShortest = 1.5;

static bool pnNoteGap( pnGaps* g, int32_t from, int32_t to, double distance2 )
{
	pnGap gap = { distance2, from, to }, *known = g->shortest + g->numbers[from];
	if ( !g->all )
	{
		bool shorter = distance2 < known->distance2 || ( distance2 == known->distance2 && ( from < known->from || ( from == known->from && to < known->to ) ) );
		*known = shorter ? gap : *known;
		return true;
	}
	int other = g->numbers[to];
	double longest2 = known->distance2;
	longest2 = other != g->largest && g->shortest[other].distance2 > longest2 ? g->shortest[other].distance2 : longest2;
	if ( distance2 > pn_nextToShortest * pn_nextToShortest * longest2 )
	{
		return true;
	}
	if ( !pnGrow( (void**)&g->near, &g->nearCapacity, g->nearCount, g->nearCount + 1, sizeof( pnGap ) ) )
	{
		return false;
	}
	g->near[g->nearCount++] = gap;
	return true;
}

// From each particle, but those of the largest set, ways to other sets. Two sets differ in some bit of their numbers, so a tree of the particles with
// a bit and one of those without it, for each bit, find the nearest.
static bool pnFindGaps( const pnBridges* b, pnGaps* g )
{
	const pnClusterSource* source = b->source;
	bool done = true;
	for ( int bit = 0; ( g->setCount - 1 ) >> bit != 0 && done; ++bit )
	{
		for ( int side = 0; side < 2 && done; ++side )
		{
			pnScratch scratch = { 0 };
			pnPointTree tree;
			int32_t* subset = pnTakeArray( &scratch, int32_t, source->particleCount );
			int count = 0;
			for ( int p = 0; p < source->particleCount && !scratch.failed; ++p )
			{
				if ( ( g->numbers[p] >> bit & 1 ) == side )
				{
					subset[count++] = p;
				}
			}
			done = !scratch.failed && pnBuildPointTree( &tree, source->rest, subset, count, &scratch );
			for ( int p = 0; p < source->particleCount && done; ++p )
			{
				int32_t nearest;
				double distance2;
				if ( g->numbers[p] != g->largest && ( g->numbers[p] >> bit & 1 ) != side && pnFindNearest( &tree, source->rest[p], 1, &nearest, &distance2 ) == 1 )
				{
					done = pnNoteGap( g, p, nearest, distance2 );
				}
			}
			pnGiveBack( &scratch );
		}
	}
	return done;
}

static uint64_t pnGetPairKey( const pnGaps* g, const pnGap* gap )
{
	uint64_t a = (uint64_t)g->numbers[gap->from], b = (uint64_t)g->numbers[gap->to];
	return a < b ? a << 32 | b : b << 32 | a;
}

// A bridge for each two neighbours, at the shortest of their ways.
static bool pnBridgeNeighbours( pnBridges* b, const pnGaps* g )
{
	pnScratch scratch = { 0 };
	uint64_t* keys = pnTakeArray( &scratch, uint64_t, g->nearCount );
	uint64_t* spareKeys = pnTakeArray( &scratch, uint64_t, g->nearCount );
	int32_t* order = pnTakeArray( &scratch, int32_t, g->nearCount );
	int32_t* spareOrder = pnTakeArray( &scratch, int32_t, g->nearCount );
	bool done = !scratch.failed;
	for ( int i = 0; i < g->nearCount && done; ++i )
	{
		keys[i] = pnGetPairKey( g, g->near + i );
		order[i] = i;
	}
	if ( done )
	{
		pnSortByKey( keys, order, spareKeys, spareOrder, g->nearCount );
	}
	for ( int i = 0; i < g->nearCount && done; )
	{
		const pnGap* best = g->near + order[i];
		int end = i + 1;
		for ( ; end < g->nearCount && keys[end] == keys[i]; ++end )
		{
			const pnGap* gap = g->near + order[end];
			best = gap->distance2 < best->distance2 ? gap : best;
		}
		done = pnAddBridge( b, b->clusters[b->starts[best->from]], best->from, b->clusters[b->starts[best->to]], best->to );
		i = end;
	}
	pnGiveBack( &scratch );
	return done;
}

// Bridges until the sets are one: each round every set but the largest gets one at least (Boruvka 1926).
static bool pnBridgeGaps( pnBridges* b )
{
	pnScratch scratch = { 0 };
	int clusterCount = b->draft->clusterCount, particleCount = b->source->particleCount;
	int32_t* numberOf = pnTakeArray( &scratch, int32_t, clusterCount ); // of sets, by their first cluster
	int32_t* numbers = pnTakeArray( &scratch, int32_t, particleCount );
	int32_t* sizes = pnTakeArray( &scratch, int32_t, clusterCount );
	pnGaps g = { .numbers = numbers, .shortest = pnTakeArray( &scratch, pnGap, clusterCount ), .setCount = 2 };
	bool done = !scratch.failed;
	while ( done && g.setCount > 1 )
	{
		g.setCount = 0, g.largest = 0, g.nearCount = 0;
		for ( int c = 0; c < clusterCount; ++c )
		{
			numberOf[c] = pnFindSet( b->sets, c ) == c ? g.setCount++ : -1;
			sizes[c] = 0;
		}
		for ( int p = 0; p < particleCount; ++p )
		{
			numbers[p] = numberOf[pnSetAt( b, p )];
			sizes[numbers[p]] += 1;
		}
		for ( int set = 0; set < g.setCount; ++set )
		{
			g.largest = sizes[set] > sizes[g.largest] ? set : g.largest;
			g.shortest[set] = (pnGap){ 1e300, -1, -1 };
		}
		g.all = false;
		done = pnFindGaps( b, &g );
		g.all = true;
		done = done && pnFindGaps( b, &g ) && pnBridgeNeighbours( b, &g );
	}
	pnFree( g.near, (size_t)g.nearCapacity, sizeof( pnGap ) );
	pnGiveBack( &scratch );
	return done;
}

static bool pnAppendBridges( const pnBridges* b, pnScratch* scratch, pnDraft* bridged )
{
	const pnDraft* draft = b->draft;
	if ( !pnTakeDraft( bridged, draft->clusterCount + b->count, draft->memberCount + b->memberCount, scratch ) )
	{
		return false;
	}
	memcpy( bridged->starts, draft->starts, ( (size_t)draft->clusterCount + 1 ) * sizeof( int32_t ) );
	memcpy( bridged->members, draft->members, (size_t)draft->memberCount * sizeof( int32_t ) );
	memcpy( bridged->weights, draft->weights, (size_t)draft->memberCount * sizeof( double ) );
	for ( int i = 0; i < b->count; ++i )
	{
		bridged->starts[draft->clusterCount + i + 1] = draft->memberCount + b->ends[i];
	}
	for ( int i = 0; i < b->memberCount; ++i )
	{
		bridged->members[draft->memberCount + i] = b->members[i];
		bridged->weights[draft->memberCount + i] = 1.0;
	}
	return true;
}

bool pnBridgeClusters( const pnDraft* loose, const pnClusterSource* source, pnScratch* scratch, pnDraft* bridged )
{
	pnDraft widened;
	if ( !pnWidenLines( loose, source, scratch, &widened ) )
	{
		return false;
	}
	const pnDraft* draft = &widened;
	pnScratch local = { 0 };
	int particleCount = source->particleCount;
	pnBridges b = { .draft = draft, .source = source, .sets = pnTakeArray( &local, int32_t, draft->clusterCount ) };
	bool done = !local.failed && pnFindHolding( draft, source->rest, particleCount, b.sets, NULL ), whole = true;
	for ( int c = 0; c < draft->clusterCount && done; ++c )
	{
		whole = whole && b.sets[c] == 0;
	}
	if ( done && !whole )
	{
		b.starts = pnTakeArray( &local, int32_t, particleCount + 1 );
		b.clusters = pnTakeArray( &local, int32_t, draft->memberCount );
		b.order = pnTakeArray( &local, int32_t, 2 * (size_t)particleCount );
		b.spareOrder = pnTakeArray( &local, int32_t, 2 * (size_t)particleCount );
		b.keys = pnTakeArray( &local, uint64_t, 2 * (size_t)particleCount );
		b.spareKeys = pnTakeArray( &local, uint64_t, 2 * (size_t)particleCount );
		b.marks = pnTakeArray( &local, uint8_t, particleCount );
		done = !local.failed;
	}
	if ( done && !whole )
	{
		pnInvertClusters( draft->starts, NULL, draft->clusterCount, (const uint32_t*)draft->members, 1, particleCount, b.starts, b.clusters );
		done = pnBridgeAtParticles( &b ) && ( source->links != NULL ? pnBridgeAlongLinks( &b ) : pnBridgeGaps( &b ) );
	}
	if ( done )
	{
		*bridged = *draft;
		done = b.count == 0 || pnAppendBridges( &b, scratch, bridged );
	}
	pnFreeArray( int32_t, b.members, b.memberCapacity );
	pnFreeArray( int32_t, b.ends, b.capacity );
	pnGiveBack( &local );
	return done;
}
