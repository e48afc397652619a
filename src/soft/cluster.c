// cluster.c - which particles make up which cluster, and how much of each: chosen once. Knows rest positions; no masses, no fits.
// Overlapping cubes and tetrahedra after Mueller et al. 2005, groups of the user's after Henriques and Wuensche.
#include "cluster.h"

#include "../base/sets.h"
#include "bridge.h"

void pnInvertClusters( const int32_t* clusterStarts, const int32_t* sizes, int clusterCount, const uint32_t* members, uint32_t stride,
					   int particleCount, int32_t* starts, int32_t* clusters )
{
	memset( starts, 0, ( (size_t)particleCount + 1 ) * sizeof( int32_t ) );
	for ( int c = 0; c < clusterCount; ++c )
	{
		int end = sizes != NULL ? clusterStarts[c] + sizes[c] : clusterStarts[c + 1];
		for ( int i = clusterStarts[c]; i < end; ++i )
		{
			starts[members[i] / stride + 1] += 1;
		}
	}
	for ( int p = 0; p < particleCount; ++p )
	{
		starts[p + 1] += starts[p];
	}
	// Filled from the back, which leaves each start where it belongs.
	for ( int c = clusterCount - 1; c >= 0; --c )
	{
		int end = sizes != NULL ? clusterStarts[c] + sizes[c] : clusterStarts[c + 1];
		for ( int i = clusterStarts[c]; i < end; ++i )
		{
			clusters[--starts[members[i] / stride + 1]] = c;
		}
	}
	for ( int p = 0; p < particleCount; ++p )
	{
		starts[p] = starts[p + 1];
	}
	starts[particleCount] = 0;
	for ( int c = 0; c < clusterCount; ++c )
	{
		starts[particleCount] += sizes != NULL ? sizes[c] : clusterStarts[c + 1] - clusterStarts[c];
	}
}

// ---- tetrahedra and lists of the user ----

// Two sorted parts of one list, [0, first) and [first, count), become one. The spare arrays are as long.
static void pnMergeMembers( int32_t* members, double* weights, int first, int count, int32_t* spareMembers, double* spareWeights )
{
	memcpy( spareMembers, members, (size_t)count * sizeof( int32_t ) );
	memcpy( spareWeights, weights, (size_t)count * sizeof( double ) );
	for ( int i = 0, a = 0, b = first; i < count; ++i )
	{
		int from = b == count || ( a < first && spareMembers[a] < spareMembers[b] ) ? a++ : b++;
		members[i] = spareMembers[from];
		weights[i] = spareWeights[from];
	}
}

// Welding may have made two corners one; such a cluster has fewer members.
static pnResult pnMakeTetrahedra( const pnClusterSource* source, pnScratch* scratch, pnDraft* draft )
{
	if ( !pnTakeDraft( draft, source->tetrahedronCount, 4 * source->tetrahedronCount, scratch ) )
	{
		return pn_outOfMemory;
	}
	int next = 0;
	for ( int c = 0; c < source->tetrahedronCount; ++c )
	{
		int begin = next;
		for ( int k = 0; k < 4; ++k )
		{
			int32_t particle = source->particleOf[source->tetrahedra[4 * c + k]];
			int at = next;
			while ( at > begin && draft->members[at - 1] > particle )
			{
				at -= 1;
			}
			if ( at == begin || draft->members[at - 1] != particle )
			{
				memmove( draft->members + at + 1, draft->members + at, (size_t)( next - at ) * sizeof( int32_t ) );
				draft->members[at] = particle;
				draft->weights[next++] = 1.0;
			}
		}
		draft->starts[c + 1] = next;
	}
	draft->memberCount = next;
	return pn_success;
}

static pnResult pnMakeGiven( const pnClusterDef* def, const pnClusterSource* source, pnScratch* scratch, pnDraft* draft )
{
	// Turned twice, from clusters to particles and back: that sorts the members without comparing them.
	pnScratch local = { 0 };
	int first = def->starts[0], memberCount = def->starts[def->count] - first;
	int32_t* starts = pnTakeArray( &local, int32_t, source->particleCount + 1 );
	int32_t* clusters = pnTakeArray( &local, int32_t, memberCount );
	double* weights = pnTakeArray( &local, double, memberCount );
	int32_t* ends = pnTakeArray( &local, int32_t, def->count );
	if ( local.failed || !pnTakeDraft( draft, def->count, memberCount, scratch ) )
	{
		pnGiveBack( &local );
		return pn_outOfMemory;
	}
	for ( int i = 0; i < memberCount; ++i )
	{
		starts[source->particleOf[def->members[first + i]] + 1] += 1;
	}
	for ( int p = 0; p < source->particleCount; ++p )
	{
		starts[p + 1] += starts[p];
	}
	for ( int c = 0; c < def->count; ++c )
	{
		for ( int i = def->starts[c]; i < def->starts[c + 1]; ++i )
		{
			int to = starts[source->particleOf[def->members[i]]]++;
			clusters[to] = c;
			weights[to] = def->weights != NULL ? (double)def->weights[i] : 1.0;
		}
		ends[c] = draft->starts[c] = def->starts[c] - first;
	}
	draft->starts[def->count] = memberCount;
	for ( int p = 0, i = 0; p < source->particleCount; ++p )
	{
		for ( ; i < starts[p]; ++i )
		{
			int c = clusters[i];
			int last = ends[c] - 1;
			if ( last >= draft->starts[c] && draft->members[last] == p )
			{
				draft->weights[last] += weights[i]; // two points that were welded: together they count as before
				continue;
			}
			draft->members[ends[c]] = p;
			draft->weights[ends[c]++] = weights[i];
		}
	}
	// Closes the gaps that welded members left.
	int next = 0;
	for ( int c = 0; c < def->count; ++c )
	{
		int begin = draft->starts[c];
		draft->starts[c] = next;
		for ( int i = begin; i < ends[c]; ++i, ++next )
		{
			draft->members[next] = draft->members[i];
			draft->weights[next] = draft->weights[i];
		}
	}
	draft->starts[def->count] = next;
	draft->memberCount = next;
	pnGiveBack( &local );
	return pn_success;
}

// ---- all kinds ----

// Points that no kept cluster holds join that of their nearest neighbour which has one; if it has several, the one that holds most of it.
static bool pnAdopt( const pnDraft* draft, const uint8_t* dropped, const pnClusterSource* source, int32_t* adopter )
{
	pnScratch scratch = { 0 };
	int particleCount = source->particleCount;
	int32_t* mains = pnTakeArray( &scratch, int32_t, particleCount );
	double* mostOf = pnTakeArray( &scratch, double, particleCount );
	int32_t* held = pnTakeArray( &scratch, int32_t, particleCount );
	bool done = !scratch.failed;
	if ( done )
	{
		for ( int c = 0; c < draft->clusterCount; ++c )
		{
			for ( int i = draft->starts[c]; i < draft->starts[c + 1] && ( dropped == NULL || dropped[c] == 0 ); ++i )
			{
				int32_t p = draft->members[i];
				if ( draft->weights[i] > mostOf[p] )
				{
					mostOf[p] = draft->weights[i];
					mains[p] = c;
				}
			}
		}
		int heldCount = 0;
		for ( int p = 0; p < particleCount; ++p )
		{
			adopter[p] = -1;
			if ( mostOf[p] > 0.0 )
			{
				held[heldCount++] = p;
			}
		}
		pnPointTree tree;
		done = heldCount == particleCount || pnBuildPointTree( &tree, source->rest, held, heldCount, &scratch );
		for ( int p = 0; done && heldCount < particleCount && p < particleCount; ++p )
		{
			int32_t nearest;
			double distance2;
			if ( mostOf[p] == 0.0 && pnFindNearest( &tree, source->rest[p], 1, &nearest, &distance2 ) == 1 )
			{
				adopter[p] = mains[nearest];
			}
		}
	}
	pnGiveBack( &scratch );
	return done;
}

// Without the dropped clusters, with the adopted points.
static bool pnFinishDraft( const pnDraft* draft, const uint8_t* dropped, const pnClusterSource* source, pnScratch* scratch, pnDraft* finished )
{
	pnScratch local = { 0 };
	int32_t* adopter = pnTakeArray( &local, int32_t, source->particleCount );
	int32_t* adopted = pnTakeArray( &local, int32_t, draft->clusterCount ); // how many points each cluster takes in
	int32_t* spareMembers = pnTakeArray( &local, int32_t, source->particleCount );
	double* spareWeights = pnTakeArray( &local, double, source->particleCount );
	int32_t* ends = pnTakeArray( &local, int32_t, draft->clusterCount );
	bool done = !local.failed && pnAdopt( draft, dropped, source, adopter );
	int clusterCount = 0, memberCount = 0;
	for ( int p = 0; done && p < source->particleCount; ++p )
	{
		if ( adopter[p] >= 0 )
		{
			adopted[adopter[p]] += 1;
			memberCount += 1;
		}
	}
	for ( int c = 0; done && c < draft->clusterCount; ++c )
	{
		bool kept = dropped == NULL || dropped[c] == 0;
		clusterCount += kept;
		memberCount += kept ? draft->starts[c + 1] - draft->starts[c] : 0;
	}
	done = done && pnTakeDraft( finished, clusterCount, memberCount, scratch );
	if ( done )
	{
		int next = 0, cluster = 0;
		for ( int c = 0; c < draft->clusterCount; ++c )
		{
			if ( dropped != NULL && dropped[c] != 0 )
			{
				continue;
			}
			int size = draft->starts[c + 1] - draft->starts[c];
			memcpy( finished->members + next, draft->members + draft->starts[c], (size_t)size * sizeof( int32_t ) );
			memcpy( finished->weights + next, draft->weights + draft->starts[c], (size_t)size * sizeof( double ) );
			ends[c] = next + size;
			next += size + adopted[c];
			finished->starts[++cluster] = next;
		}
		for ( int p = 0; p < source->particleCount; ++p )
		{
			if ( adopter[p] >= 0 )
			{
				finished->members[ends[adopter[p]]] = p;
				finished->weights[ends[adopter[p]]++] = 1.0;
			}
		}
		for ( int c = 0; c < draft->clusterCount; ++c )
		{
			if ( adopted[c] > 0 )
			{
				int own = draft->starts[c + 1] - draft->starts[c], begin = ends[c] - adopted[c] - own;
				pnMergeMembers( finished->members + begin, finished->weights + begin, own, own + adopted[c], spareMembers, spareWeights );
			}
		}
	}
	pnGiveBack( &local );
	return done;
}

enum { PN_GOOD_MEMBERS = 8 };

// Members that do not hang together within a cluster become clusters of their own; shreds are taken in by what they hang on. connected: of clusters, 1 if all of it is known to
// hang together; may be NULL.
static bool pnSplitByLinks( const pnDraft* draft, const uint8_t* connected, const pnClusterSource* source, pnScratch* scratch, pnDraft* split )
{
	pnScratch local = { 0 };
	int32_t* owners = pnTakeArray( &local, int32_t, draft->memberCount ); // of each member: the first member of its set
	int32_t* sizes = pnTakeArray( &local, int32_t, draft->memberCount ); // of sets
	int32_t* memberOf = pnTakeArray( &local, int32_t, source->particleCount ); // 1 + the member that a particle is in this cluster, until it is reached
	int32_t* queue = pnTakeRawArray( &local, int32_t, source->particleCount );
	int32_t* good = pnTakeArray( &local, int32_t, source->particleCount ); // 1 + the first set that is large enough and holds the particle
	int32_t* joins = pnTakeArray( &local, int32_t, source->particleCount ); // 1 + the set that takes it in
	uint8_t* keeps = pnTakeArray( &local, uint8_t, draft->memberCount ); // of sets: 1 if it stays though it is small
	bool done = !local.failed;
	for ( int c = 0; c < draft->clusterCount && done; ++c )
	{
		int begin = draft->starts[c], end = draft->starts[c + 1];
		if ( connected != NULL && connected[c] != 0 )
		{
			for ( int i = begin; i < end; ++i )
			{
				owners[i] = begin;
			}
			sizes[begin] = end - begin;
			continue;
		}
		for ( int i = begin; i < end; ++i )
		{
			memberOf[draft->members[i]] = i + 1;
		}
		for ( int first = begin; first < end; ++first ) // all that hangs together with the first that nobody has reached yet
		{
			int next = 0, queued = 0;
			if ( memberOf[draft->members[first]] != 0 )
			{
				memberOf[draft->members[first]] = 0;
				queue[queued++] = first;
			}
			while ( next < queued )
			{
				int32_t i = queue[next++], p = draft->members[i];
				owners[i] = first;
				for ( int k = source->linkStart[p]; k < source->linkStart[p + 1]; ++k )
				{
					int32_t* other = memberOf + source->links[k];
					if ( *other != 0 )
					{
						queue[queued++] = *other - 1;
						*other = 0;
					}
				}
			}
			sizes[first] = queued;
		}
	}
	// A set is good if it is large enough to tell how it lies. Particles of others that are in no good set join that of one they are linked with.
	for ( int i = 0; i < draft->memberCount && done; ++i )
	{
		int32_t p = draft->members[i];
		good[p] = good[p] == 0 && sizes[owners[i]] >= PN_GOOD_MEMBERS ? owners[i] + 1 : good[p];
	}
	int clusterCount = 0, memberCount = 0;
	for ( bool more = done; more; )
	{
		more = false;
		for ( int i = 0; i < draft->memberCount; ++i )
		{
			int32_t p = draft->members[i], *link = joins + p;
			for ( int k = source->linkStart[p]; k < source->linkStart[p + 1] && good[p] == 0 && *link == 0; ++k )
			{
				*link = good[source->links[k]] != 0 ? good[source->links[k]] : joins[source->links[k]];
				more = more || *link != 0;
				memberCount += *link != 0;
			}
		}
	}
	int joining = memberCount;
	for ( int i = 0; i < draft->memberCount && done; ++i ) // nobody takes it in: its set stays
	{
		keeps[owners[i]] |= good[draft->members[i]] == 0 && joins[draft->members[i]] == 0;
	}
	for ( int i = 0; i < draft->memberCount && done; ++i )
	{
		bool kept = sizes[owners[i]] >= PN_GOOD_MEMBERS || keeps[owners[i]] != 0;
		clusterCount += kept && owners[i] == i;
		memberCount += kept;
	}
	done = done && pnTakeDraft( split, clusterCount, memberCount, scratch );
	int cluster = 0, next = 0;
	for ( int c = 0; c < draft->clusterCount && done; ++c )
	{
		for ( int first = draft->starts[c]; first < draft->starts[c + 1]; ++first )
		{
			if ( owners[first] != first || ( sizes[first] < PN_GOOD_MEMBERS && keeps[first] == 0 ) )
			{
				continue;
			}
			int begin = next;
			for ( int i = first; i < draft->starts[c + 1]; ++i )
			{
				if ( owners[i] == first )
				{
					split->members[next] = draft->members[i];
					split->weights[next++] = draft->weights[i];
				}
			}
			for ( int m = begin; m < next && joining > 0 && sizes[first] >= PN_GOOD_MEMBERS; ++m ) // those that join are linked with one that is in it
			{
				for ( int k = source->linkStart[split->members[m]]; k < source->linkStart[split->members[m] + 1]; ++k )
				{
					int32_t p = source->links[k];
					if ( joins[p] == first + 1 )
					{
						joins[p] = 0;
						joining -= 1;
						split->members[next] = p;
						split->weights[next++] = 1.0;
					}
				}
			}
			for ( int m = begin + sizes[first]; m < next; ++m ) // in order again
			{
				int32_t p = split->members[m];
				double weight = split->weights[m];
				int at = m;
				for ( ; at > begin && split->members[at - 1] > p; --at )
				{
					split->members[at] = split->members[at - 1];
					split->weights[at] = split->weights[at - 1];
				}
				split->members[at] = p;
				split->weights[at] = weight;
			}
			split->starts[++cluster] = next;
		}
	}
	if ( done )
	{
		split->memberCount = next;
	}
	pnGiveBack( &local );
	return done;
}

// ---- slits ----

// Ways through the material between members of one cluster: lengths along links.
typedef struct pnWays
{
	const pnClusterSource* source;
	int32_t* memberOf; // 1 + the place of a particle among the members at hand
	double* lengths[2]; // from either end, of each member
	int32_t* queue;
} pnWays;

static double pnRestGap( const pnVec3* rest, int32_t a, int32_t b )
{
	pnVec3 d = pnSub( rest[a], rest[b] );
	return __builtin_sqrt( (double)d.x * (double)d.x + (double)d.y * (double)d.y + (double)d.z * (double)d.z );
}

// Ways with the fewest links from one member to all, or as far as `until` (-1: all): their lengths, which are hardly more than the shortest;
// -1 where there is none.
static void pnMeasureWays( pnWays* w, const int32_t* members, int count, int from, int until, double* lengths )
{
	for ( int i = 0; i < count; ++i )
	{
		lengths[i] = -1.0;
	}
	int next = 0, queued = 0;
	lengths[from] = 0.0;
	w->queue[queued++] = from;
	while ( next < queued && ( until < 0 || lengths[until] < 0.0 ) )
	{
		int32_t at = w->queue[next++], p = members[at];
		for ( int k = w->source->linkStart[p]; k < w->source->linkStart[p + 1]; ++k )
		{
			int32_t other = w->memberOf[w->source->links[k]] - 1;
			if ( other >= 0 && lengths[other] < 0.0 )
			{
				lengths[other] = lengths[at] + pnRestGap( w->source->rest, p, w->source->links[k] );
				w->queue[queued++] = other;
			}
		}
	}
}

// Clusters being split: members and weights one after another, and where each begins.
typedef struct pnSplitting
{
	int32_t* members;
	double* weights;
	int memberCount, memberCapacity, weightCapacity;
	struct pnShare { int32_t start, size, depth; } * shares; // depth: how often it has been split
	int shareCount, shareCapacity;
} pnSplitting;

static bool pnAddShare( pnSplitting* s, int size, int depth )
{
	if ( !pnGrow( (void**)&s->members, &s->memberCapacity, s->memberCount, s->memberCount + size, sizeof( int32_t ) ) ||
		 !pnGrow( (void**)&s->weights, &s->weightCapacity, s->memberCount, s->memberCount + size, sizeof( double ) ) ||
		 !pnGrow( (void**)&s->shares, &s->shareCapacity, s->shareCount, s->shareCount + 1, sizeof *s->shares ) )
	{
		return false;
	}
	s->shares[s->shareCount++] = (struct pnShare){ s->memberCount, size, depth };
	s->memberCount += size;
	return true;
}

enum { PN_MOST_SPLITS = 2, PN_MOST_TWINS = 2, PN_MOST_OPPOSITES = 16 };

// Who is across a slit from a particle.
typedef struct pnAcross
{
	int32_t* twinOf; // in its place, -1: nobody
	int32_t* oppositeOf; // the nearest that it is not linked with, if others that are farther away are, -1: nobody. It need not be across
} pnAcross;

// The two lips of a slit are in one place at rest, or are neighbours where the slit passes between particles. Where they are in one cluster, but
// the way from one to the other around the end of the slit is long, the cluster would hold it shut: it becomes two, one of either side, which
// share what is around the end.
static bool pnSplitShare( pnSplitting* s, int index, pnWays* w, const pnAcross* across, bool* parted )
{
	struct pnShare share = s->shares[index];
	const int32_t* members = s->members + share.start;
	*parted = false;
	pnVec3 low = w->source->rest[members[0]], high = low;
	int twins = 0, opposites = 0;
	for ( int i = 0; i < share.size; ++i )
	{
		w->memberOf[members[i]] = i + 1;
		low = pnMin3( low, w->source->rest[members[i]] ), high = pnMax3( high, w->source->rest[members[i]] );
	}
	for ( int i = 0; i < share.size; ++i )
	{
		int32_t twin = across->twinOf[members[i]], opposite = across->oppositeOf[members[i]];
		twins += twin >= 0 && w->memberOf[twin] != 0;
		opposites += opposite >= 0 && w->memberOf[opposite] != 0;
	}
	const int32_t* acrossOf = twins > 0 ? across->twinOf : across->oppositeOf;
	pnVec3 wide = pnSub( high, low );
	double extent = (double)( wide.x > wide.y ? wide.x : wide.y ), longest = 0.4 * ( extent > (double)wide.z ? extent : (double)wide.z );
	int stride = twins > 0 ? twins / PN_MOST_TWINS + 1 : opposites / PN_MOST_OPPOSITES + 1, seen = 0, first = -1, second = -1;
	bool done = true;
	for ( int i = 0; i < share.size && share.depth < PN_MOST_SPLITS; ++i )
	{
		int other = acrossOf[members[i]] >= 0 ? w->memberOf[acrossOf[members[i]]] - 1 : -1;
		if ( other < 0 || seen++ % stride != 0 )
		{
			continue;
		}
		pnMeasureWays( w, members, share.size, i, other, w->lengths[0] );
		// Around a corner of the links it is less than twice as far as straight on.
		if ( w->lengths[0][other] > longest && w->lengths[0][other] > 3.0 * pnRestGap( w->source->rest, members[i], members[other] ) )
		{
			longest = w->lengths[0][other], first = i, second = other;
		}
	}
	if ( first >= 0 )
	{
		pnMeasureWays( w, members, share.size, first, -1, w->lengths[0] );
		pnMeasureWays( w, members, share.size, second, -1, w->lengths[1] );
	}
	int sides[2] = { 0, 0 };
	for ( int i = 0; i < share.size && first >= 0; ++i )
	{
		const double a = w->lengths[0][i], b = w->lengths[1][i];
		sides[0] += a >= 0.0 && ( b < 0.0 || a <= 1.25 * b ), sides[1] += b >= 0.0 && ( a < 0.0 || b <= 1.25 * a );
	}
	first = sides[0] >= PN_GOOD_MEMBERS && sides[1] >= PN_GOOD_MEMBERS ? first : -1; // a shred would not know how to lie
	for ( int side = 0; side < 2 && done && first >= 0; ++side )
	{
		int count = 0;
		for ( int pass = 0; pass < 2 && done; ++pass )
		{
			int next = s->memberCount - count;
			for ( int i = 0; i < share.size; ++i )
			{
				const double near = w->lengths[side][i], far = w->lengths[1 - side][i];
				if ( near >= 0.0 ? far < 0.0 || near <= 1.25 * far : far < 0.0 && side == 0 ) // no way leads there in here: nobody is left out
				{
					if ( pass == 1 )
					{
						s->members[next] = s->members[share.start + i];
						s->weights[next++] = s->weights[share.start + i];
					}
					count += pass == 0;
				}
			}
			done = pass == 1 || pnAddShare( s, count, share.depth + 1 );
		}
		*parted = done;
	}
	for ( int i = 0; i < share.size; ++i )
	{
		w->memberOf[s->members[share.start + i]] = 0;
	}
	return done;
}

// For each particle another one in its place that it does not hang together with; -1.
static bool pnFindTwins( const pnClusterSource* source, int32_t* twinOf )
{
	double size = (double)pnGetLargestExtent( pnFindBounds( source->rest, source->particleCount ) );
	int32_t* lowest = pnAllocArray( int32_t, source->particleCount );
	bool done = lowest != NULL && pnWeldPoints( source->rest, source->particleCount, 1e-5 * size, lowest );
	for ( int p = 0; p < source->particleCount && done; ++p )
	{
		twinOf[p] = -1;
	}
	for ( int p = 0; p < source->particleCount && done; ++p )
	{
		bool linked = lowest[p] == p;
		for ( int k = source->linkStart[p]; k < source->linkStart[p + 1] && !linked; ++k )
		{
			linked = source->links[k] == lowest[p];
		}
		if ( !linked )
		{
			twinOf[p] = lowest[p];
		}
	}
	pnFreeArray( int32_t, lowest, source->particleCount );
	return done;
}

static double pnRestGap2( const pnVec3* rest, int32_t a, int32_t b )
{
	double x = (double)rest[a].x - (double)rest[b].x, y = (double)rest[a].y - (double)rest[b].y, z = (double)rest[a].z - (double)rest[b].z;
	return x * x + y * y + z * z;
}

enum { PN_MOST_NEARER = 7 }; // particles that may be nearer than one across a slit, itself among them

// The nearest that a particle does not hang together with, though it does with one farther away; -1. farthest: metres, of those that it is linked with. marks: 1 + the
// last particle that each is linked with, or is.
static int32_t pnFindOpposite( const pnClusterSource* source, const pnPointCells* cells, int32_t p, double farthest, int32_t* marks )
{
	double nearer2[PN_MOST_NEARER], distance2; // of those that it is linked with, the nearest ones
	int count = 0;
	marks[p] = p + 1;
	for ( int k = source->linkStart[p]; k < source->linkStart[p + 1]; ++k )
	{
		double gap2 = pnRestGap2( source->rest, p, source->links[k] );
		marks[source->links[k]] = p + 1;
		if ( count < PN_MOST_NEARER || gap2 < nearer2[count - 1] )
		{
			int at = count < PN_MOST_NEARER ? count++ : count - 1;
			for ( ; at > 0 && nearer2[at - 1] > gap2; --at )
			{
				nearer2[at] = nearer2[at - 1];
			}
			nearer2[at] = gap2;
		}
	}
	const double slack = 1.0 + 1e-9; // rounding
	double reach = count == PN_MOST_NEARER ? slack * __builtin_sqrt( nearer2[count - 1] ) : farthest;
	int32_t opposite = pnFindNearestUnmarked( cells, source->rest[p], reach < farthest ? reach : farthest, marks, p + 1, &distance2 );
	if ( opposite < 0 )
	{
		return -1;
	}
	int before = 0.0 < distance2 || p < opposite;
	for ( int k = source->linkStart[p]; k < source->linkStart[p + 1]; ++k )
	{
		double gap2 = pnRestGap2( source->rest, p, source->links[k] );
		before += gap2 < distance2 || ( gap2 == distance2 && source->links[k] < opposite );
	}
	return before <= PN_MOST_NEARER ? opposite : -1;
}

// Of each particle; -1.
static bool pnFindOpposites( const pnClusterSource* source, int32_t* oppositeOf )
{
	pnScratch scratch = { 0 };
	pnPointCells cells;
	double* farthest = pnTakeArray( &scratch, double, source->particleCount ); // of those that it is linked with, metres
	int32_t* marks = pnTakeArray( &scratch, int32_t, source->particleCount );
	double mean = 0.0;
	for ( int p = 0; p < source->particleCount && !scratch.failed; ++p )
	{
		for ( int k = source->linkStart[p]; k < source->linkStart[p + 1]; ++k )
		{
			double gap = pnRestGap( source->rest, p, source->links[k] );
			farthest[p] = gap > farthest[p] ? gap : farthest[p];
		}
		mean += farthest[p] / source->particleCount;
	}
	bool done = !scratch.failed && pnFillPointCells( &cells, source->rest, source->particleCount, 0.5 * mean, &scratch );
	for ( int p = 0; p < source->particleCount && done; ++p )
	{
		oppositeOf[p] = pnFindOpposite( source, &cells, p, farthest[p], marks );
	}
	pnGiveBack( &scratch );
	return done;
}

// whole: of the clusters that come out, 1 if it is one of those that went in. In the scratch.
static bool pnSplitBySlits( const pnDraft* draft, const pnClusterSource* source, pnScratch* scratch, pnDraft* split, uint8_t** whole )
{
	pnScratch local = { 0 };
	pnSplitting s = { 0 };
	pnWays w = { .source = source, .memberOf = pnTakeArray( &local, int32_t, source->particleCount ) };
	w.lengths[0] = pnTakeArray( &local, double, source->particleCount );
	w.lengths[1] = pnTakeArray( &local, double, source->particleCount );
	w.queue = pnTakeArray( &local, int32_t, source->particleCount );
	pnAcross across = { pnTakeArray( &local, int32_t, source->particleCount ), pnTakeArray( &local, int32_t, source->particleCount ) };
	bool done = !local.failed && pnFindTwins( source, across.twinOf ) && pnFindOpposites( source, across.oppositeOf );
	for ( int c = 0; c < draft->clusterCount && done; ++c )
	{
		int from = draft->starts[c], size = draft->starts[c + 1] - from;
		done = pnAddShare( &s, size, 0 );
		if ( done )
		{
			memcpy( s.members + s.memberCount - size, draft->members + from, (size_t)size * sizeof( int32_t ) );
			memcpy( s.weights + s.memberCount - size, draft->weights + from, (size_t)size * sizeof( double ) );
		}
	}
	int clusterCount = 0, memberCount = 0;
	for ( int i = 0; i < s.shareCount && done; ++i ) // those that are split come again at the end
	{
		bool parted;
		done = pnSplitShare( &s, i, &w, &across, &parted );
		s.shares[i].size = parted ? 0 : s.shares[i].size;
		clusterCount += !parted;
		memberCount += s.shares[i].size;
	}
	*whole = pnTakeRawArray( scratch, uint8_t, clusterCount );
	done = done && pnTakeDraft( split, clusterCount, memberCount, scratch );
	int cluster = 0, next = 0;
	for ( int i = 0; i < s.shareCount && done; ++i )
	{
		if ( s.shares[i].size > 0 )
		{
			( *whole )[cluster] = i < draft->clusterCount;
			memcpy( split->members + next, s.members + s.shares[i].start, (size_t)s.shares[i].size * sizeof( int32_t ) );
			memcpy( split->weights + next, s.weights + s.shares[i].start, (size_t)s.shares[i].size * sizeof( double ) );
			next += s.shares[i].size;
			split->starts[++cluster] = next;
		}
	}
	pnFreeArray( int32_t, s.members, s.memberCapacity );
	pnFreeArray( double, s.weights, s.weightCapacity );
	pnFree( s.shares, (size_t)s.shareCapacity, sizeof *s.shares );
	pnGiveBack( &local );
	return done;
}

// Weights become parts of each particle.
static bool pnShareParticles( pnDraft* draft, int particleCount )
{
	// A part below this would be nothing in float beside the others.
	const double smallest = 1e-6;
	double* totals = pnAllocArray( double, particleCount );
	if ( totals == NULL )
	{
		return false;
	}
	for ( int pass = 0; pass < 2; ++pass )
	{
		memset( totals, 0, (size_t)particleCount * sizeof( double ) );
		for ( int i = 0; i < draft->memberCount; ++i )
		{
			totals[draft->members[i]] += draft->weights[i];
		}
		for ( int i = 0; i < draft->memberCount; ++i )
		{
			double share = draft->weights[i] / totals[draft->members[i]];
			draft->weights[i] = pass == 0 && share < smallest ? smallest : share;
		}
	}
	pnFreeArray( double, totals, particleCount );
	return true;
}

// Colours of groups of clusters that are neighbours in `order`. Greedy: each takes the first colour that no group before it has which
// shares a particle with it. Colours are handed out 64 at a time, because each particle remembers in one word those that it has seen.
static bool pnColorGroups( const pnDraft* draft, const int32_t* order, int particleCount, int32_t* colors )
{
	uint64_t* seen = pnAllocArray( uint64_t, particleCount );
	if ( seen == NULL )
	{
		return false;
	}
	int fullCount = draft->clusterCount / PN_GROUP_SIZE, groupCount = ( draft->clusterCount + PN_GROUP_SIZE - 1 ) / PN_GROUP_SIZE;
	for ( int group = 0; group < groupCount; ++group )
	{
		colors[group] = -1;
	}
	int largest = 0;
	for ( int first = 0, left = groupCount; left > 0; first += 64 )
	{
		memset( seen, 0, (size_t)particleCount * sizeof( uint64_t ) );
		for ( int group = 0; group < groupCount; ++group )
		{
			if ( colors[group] >= 0 || ( group == fullCount && left > 1 ) )
			{
				continue;
			}
			int begin = PN_GROUP_SIZE * group, end = begin + PN_GROUP_SIZE < draft->clusterCount ? begin + PN_GROUP_SIZE : draft->clusterCount;
			uint64_t taken = 0;
			for ( int k = begin; k < end; ++k )
			{
				for ( int i = draft->starts[order[k]]; i < draft->starts[order[k] + 1]; ++i )
				{
					taken |= seen[draft->members[i]];
				}
			}
			if ( group == fullCount )
			{
				// The one that is not full stays the last, so its colour must be the largest, or a new one.
				bool fits = largest >= first && ( taken >> ( largest - first ) & 1 ) == 0;
				colors[group] = fits ? largest : largest + 1;
				left -= 1;
			}
			else if ( taken != UINT64_MAX )
			{
				int color = __builtin_ctzll( ~taken );
				colors[group] = first + color;
				largest = largest > first + color ? largest : first + color;
				left -= 1;
				for ( int k = begin; k < end; ++k )
				{
					for ( int i = draft->starts[order[k]]; i < draft->starts[order[k] + 1]; ++i )
					{
						seen[draft->members[i]] |= 1ull << color;
					}
				}
			}
		}
	}
	pnFreeArray( uint64_t, seen, particleCount );
	return true;
}

// Clusters in space, in groups; groups by colour.
// Among neighbours, large ones first: a group takes as long as its largest cluster. Stable, so that space still orders the equal.
static void pnSortWindows( const pnDraft* draft, int32_t* order )
{
	const int window = 4 * PN_GROUP_SIZE;
	for ( int i = 1; i < draft->clusterCount; ++i )
	{
		int32_t cluster = order[i];
		int size = draft->starts[cluster + 1] - draft->starts[cluster], at = i;
		while ( at % window != 0 && draft->starts[order[at - 1] + 1] - draft->starts[order[at - 1]] < size )
		{
			order[at] = order[at - 1];
			at -= 1;
		}
		order[at] = cluster;
	}
}

static bool pnOrderClusters( const pnDraft* draft, bool keepOrder, const pnClusterSource* source, int32_t* order, int32_t* groupColors )
{
	int count = draft->clusterCount, groupCount = ( count + PN_GROUP_SIZE - 1 ) / PN_GROUP_SIZE;
	bool colored = count > PN_UNCOLORED_COUNT;
	pnScratch scratch = { 0 };
	pnVec3* centers = pnTakeArray( &scratch, pnVec3, count );
	int32_t* inSpace = pnTakeArray( &scratch, int32_t, count );
	int32_t* groups = pnTakeArray( &scratch, int32_t, groupCount );
	int32_t* spareGroups = pnTakeArray( &scratch, int32_t, groupCount );
	uint64_t* keys = pnTakeArray( &scratch, uint64_t, groupCount );
	uint64_t* spareKeys = pnTakeArray( &scratch, uint64_t, groupCount );
	bool done = !scratch.failed;
	for ( int c = 0; done && c < count; ++c )
	{
		double sum[3] = { 0.0, 0.0, 0.0 }, size = (double)( draft->starts[c + 1] - draft->starts[c] );
		for ( int i = draft->starts[c]; i < draft->starts[c + 1]; ++i )
		{
			const pnVec3* p = source->rest + draft->members[i];
			sum[0] += (double)p->x;
			sum[1] += (double)p->y;
			sum[2] += (double)p->z;
		}
		centers[c] = pnMakeVec3( (float)( sum[0] / size ), (float)( sum[1] / size ), (float)( sum[2] / size ) );
		inSpace[c] = c;
	}
	done = done && ( ( keepOrder && !colored ) || pnOrderInSpace( centers, count, inSpace ) );
	if ( done && colored )
	{
		pnSortWindows( draft, inSpace );
	}
	done = done && ( !colored || pnColorGroups( draft, inSpace, source->particleCount, groupColors ) );
	if ( done )
	{
		for ( int group = 0; group < groupCount; ++group )
		{
			keys[group] = (uint64_t)groupColors[group];
			groups[group] = group;
		}
		pnSortByKey( keys, groups, spareKeys, spareGroups, groupCount );
		for ( int c = 0; c < count; ++c )
		{
			order[c] = inSpace[PN_GROUP_SIZE * groups[c / PN_GROUP_SIZE] + c % PN_GROUP_SIZE];
		}
		for ( int group = 0; group < groupCount; ++group )
		{
			groupColors[group] = (int32_t)keys[group];
		}
	}
	pnGiveBack( &scratch );
	return done;
}

// Particles that are in none of the largest set of clusters that hold on to each other; -1: no memory. holds: there is one set, and no cluster is
// a line.
static int pnCountLoose( const pnDraft* draft, const pnClusterSource* source, bool* holds )
{
	pnScratch scratch = { 0 };
	int32_t* sets = pnTakeArray( &scratch, int32_t, draft->clusterCount );
	int32_t* sizes = pnTakeArray( &scratch, int32_t, draft->clusterCount ); // of sets, members
	uint8_t* held = pnTakeArray( &scratch, uint8_t, source->particleCount );
	int loose = -1, lines = 0, largest = 0, setCount = 0;
	if ( !scratch.failed && pnFindHolding( draft, source->rest, source->particleCount, sets, &lines ) )
	{
		loose = source->particleCount;
		for ( int c = 0; c < draft->clusterCount; ++c )
		{
			sizes[sets[c]] += draft->starts[c + 1] - draft->starts[c];
			largest = sizes[sets[c]] > sizes[largest] ? sets[c] : largest;
			setCount += sets[c] == c;
		}
		for ( int c = 0; c < draft->clusterCount; ++c )
		{
			for ( int i = draft->starts[c]; i < draft->starts[c + 1] && sets[c] == largest; ++i )
			{
				loose -= held[draft->members[i]] == 0;
				held[draft->members[i]] = 1;
			}
		}
	}
	*holds = setCount == 1 && lines == 0;
	pnGiveBack( &scratch );
	return loose;
}

static pnResult pnTryCells( const pnClusterDef* def, const pnClusterSource* source, pnScratch* scratch, pnDraft* finished, pnCellSize* cells )
{
	pnScratch local = { 0 };
	pnDraft draft = { 0 };
	uint8_t* dropped = NULL;
	pnResult result = pnMakeCells( def, source->cells, source->frame, source->rest, source->particleCount, &local, &draft, &dropped, cells );
	if ( result == pn_success && !pnFinishDraft( &draft, dropped, source, scratch, finished ) )
	{
		result = pn_outOfMemory;
	}
	pnGiveBack( &local );
	return result;
}

// Do cells reach over by less than the points are apart, or hardly more? points: of a cell, on average.
static bool pnAreCellsFine( double points, double overlap )
{
	return points * overlap * overlap * overlap < 1.5 * 1.5 * 1.5;
}

// Cells that reach over by as much as the def says; or farther, if they are so fine that much of the body would come off, and less does then.
static pnResult pnMakeHoldingCells( const pnClusterDef* def, const pnClusterSource* source, pnScratch* scratch, pnDraft* finished, pnCellSize* cells, bool* holds )
{
	enum { mostTries = 5 };
	const float farthest = 5.0f; // so that cuts of cuts do not reach farther and farther
	pnResult result = pnTryCells( def, source, scratch, finished, cells );
	*holds = false;
	bool fine = result == pn_success && pnAreCellsFine( (double)source->particleCount / (double)finished->clusterCount, (double)def->overlap );
	int loose = result == pn_success && ( fine || source->links == NULL ) ? pnCountLoose( finished, source, holds ) : 0; // what is slit is looked at again once its clusters are parted
	for ( int i = 1; i < mostTries && fine && 8 * loose > source->particleCount && def->overlap + 0.25f * (float)i <= farthest; ++i )
	{
		pnClusterDef wider = *def;
		wider.overlap = def->overlap + 0.25f * (float)i;
		pnScratch attempt = { 0 };
		pnDraft draft = { 0 };
		pnCellSize size;
		bool hold = false;
		result = pnTryCells( &wider, source, &attempt, &draft, &size );
		int left = result == pn_success ? pnCountLoose( &draft, source, &hold ) : -1;
		if ( left >= 0 && left < loose )
		{
			pnGiveBack( scratch );
			pnHandOver( &attempt, scratch );
			*finished = draft, *cells = size, loose = left, *holds = hold;
		}
		pnGiveBack( &attempt );
		fine = result == pn_success;
		loose = left < 0 ? -1 : loose;
	}
	return result == pn_success && loose < 0 ? pn_outOfMemory : result;
}

pnResult pnMakeClusters( const pnClusterDef* def, const pnClusterSource* source, pnScratch* scratch, pnClusterList* list )
{
	pnScratch local = { 0 }, own = { 0 };
	pnDraft draft = { 0 }, finished = { 0 };
	list->cells = (pnCellSize){ 0 };
	bool cells = def->kind != pn_tetClusters && def->kind != pn_givenClusters, holds = false;
	pnResult result = def->kind == pn_tetClusters ? pnMakeTetrahedra( source, &local, &draft )
		: def->kind == pn_givenClusters			  ? pnMakeGiven( def, source, &local, &draft )
												  : pnMakeHoldingCells( def, source, &own, &finished, &list->cells, &holds );
	pnHandOver( &own, &local );
	if ( result == pn_success )
	{
		bool done = cells || pnFinishDraft( &draft, NULL, source, &local, &finished ); // only cells are ever dropped
		if ( done && source->links != NULL )
		{
			pnDraft whole = finished, connected = { 0 }, parted = { 0 };
			uint8_t* same = NULL;
			done = pnSplitByLinks( &whole, NULL, source, &local, &connected ) && pnSplitBySlits( &connected, source, &local, &parted, &same ) &&
				   pnSplitByLinks( &parted, same, source, &local, &finished ); // a side may have come off from its own rim
		}
		if ( done && cells && ( !holds || source->links != NULL ) )
		{
			pnDraft apart = finished;
			done = pnBridgeClusters( &apart, source, &local, &finished );
		}
		list->islandCount = done ? pnCountIslands( &finished, source->particleCount ) : -1;
		done = list->islandCount > 0 && pnShareParticles( &finished, source->particleCount );
		result = done ? pn_success : pn_outOfMemory;
	}
	int groupCount = ( finished.clusterCount + PN_GROUP_SIZE - 1 ) / PN_GROUP_SIZE;
	int32_t* order = pnTakeArray( &local, int32_t, finished.clusterCount );
	int32_t* groupColors = pnTakeArray( &local, int32_t, groupCount );
	if ( result == pn_success && ( local.failed || !pnOrderClusters( &finished, def->kind == pn_givenClusters, source, order, groupColors ) ) )
	{
		result = pn_outOfMemory;
	}
	if ( result == pn_success )
	{
		list->groupCount = groupCount;
		list->clusterCount = finished.clusterCount;
		list->memberCount = finished.memberCount;
		list->starts = pnTakeArray( scratch, int32_t, finished.clusterCount + 1 );
		list->members = pnTakeArray( scratch, int32_t, finished.memberCount );
		list->shares = pnTakeArray( scratch, double, finished.memberCount );
		list->groupColors = pnTakeArray( scratch, int32_t, groupCount );
		result = scratch->failed ? pn_outOfMemory : pn_success;
	}
	for ( int k = 0; result == pn_success && k < list->clusterCount; ++k )
	{
		int from = finished.starts[order[k]], size = finished.starts[order[k] + 1] - from, to = list->starts[k];
		memcpy( list->members + to, finished.members + from, (size_t)size * sizeof( int32_t ) );
		memcpy( list->shares + to, finished.weights + from, (size_t)size * sizeof( double ) );
		list->starts[k + 1] = to + size;
	}
	if ( result == pn_success )
	{
		memcpy( list->groupColors, groupColors, (size_t)groupCount * sizeof( int32_t ) );
	}
	pnGiveBack( &local );
	return result;
}
