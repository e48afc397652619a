// links.c - what still hangs together in a slit piece: links between its particles, and a particle on the side of each vertex of a carried skin. Knows one
// body; no world.
#include "carve.h"

#include "../base/mesh.h"
#include "../cut/parts.h"

#include <math.h>

// ---- links ----

// A piece is slit if both sides of the blade are in it, or if it was before.
static bool pnIsSlit( const pnCarving* c, const pnGrowth* g )
{
	bool above = false, below = false;
	for ( int i = 0; i < g->count; ++i )
	{
		above = above || g->sides[i] == 1;
		below = below || g->sides[i] == -1;
	}
	const pnSkinCut* lead = c->lead >= 0 ? c->skins + c->lead : NULL;
	for ( int i = 0; lead != NULL && !lead->onParticles && lead->sliced && i < lead->slice.addedCount; ++i ) // lips that are carried
	{
		bool own = lead->pieceOf[lead->nodeCount + i] == g->number;
		above = above || ( own && lead->slice.added[i].side == 1 );
		below = below || ( own && lead->slice.added[i].side == -1 );
	}
	bool slit = c->solid->linkCount > 0 || ( above && below );
	for ( int i = 0; i < c->severedCount && !slit; ++i )
	{
		slit = c->partOf[c->severed[2 * i]] == g->number && c->partOf[c->severed[2 * i + 1]] == g->number;
	}
	return slit;
}

// What tells whether two particles of a piece are parted.
typedef struct pnPartings
{
	const pnCarving* c;
	const pnGrowth* g;
	const pnVec3* places; // where the blade cuts
	uint8_t* above;
} pnPartings;

// Where each particle of a slit piece sees its neighbours from: a little inside of the surface it is on; away from the walls of older slits it may lie on, as its
// links tell; and on its own side of the blade.
static bool pnPlaceProbes( const pnCarving* c, pnGrowth* g )
{
	const pnSolid* solid = c->solid;
	const pnSkinCut* lead = c->skins + c->lead;
	g->probes = pnTakeRawArray( &g->scratch, pnVec3, g->count );
	if ( g->scratch.failed )
	{
		return false;
	}
	const pnVec3 none = { 0.0f, 0.0f, 0.0f };
	float inset = (float)( pn_inset * c->spacing );
	for ( int i = 0; i < g->count; ++i )
	{
		int32_t p = g->from[i];
		g->probes[i] = g->rest[i];
		if ( p >= 0 && solid->linkCount > 0 )
		{
			pnVec3 mean = none;
			for ( int k = solid->linkStart[p]; k < solid->linkStart[p + 1]; ++k )
			{
				mean = pnAdd( mean, pnSub( solid->rest[solid->links[k]], solid->rest[p] ) );
			}
			g->probes[i] = pnMulAdd( g->probes[i], inset, pnUnitOr( mean, none ) );
		}
		if ( p >= 0 && fabs( pnGetHeight( c->blade, c->places[p] ) ) < (double)inset )
		{
			g->probes[i] = pnMulAdd( g->probes[i], c->above[p] != 0 ? inset : -inset, c->across );
		}
	}
	for ( int n = 0; n < lead->allCount && lead->onParticles; ++n )
	{
		bool own = n < lead->nodeCount ? c->partOf[n] == g->number : lead->pieceOf[n] == g->number;
		pnVec3 eye = c->walls.eyes[n], at = pnGetVec( lead->values + (size_t)n * lead->valueCount );
		if ( own && ( eye.x != at.x || eye.y != at.y || eye.z != at.z ) ) // a node of the surface
		{
			g->probes[g->nodes[n]] = eye;
		}
	}
	return true;
}

static bool pnWereLinked( const pnSolid* solid, int32_t a, int32_t b )
{
	int low = solid->linkStart[a], high = solid->linkStart[a + 1];
	while ( low < high )
	{
		int middle = low + ( high - low ) / 2;
		low = solid->links[middle] < b ? middle + 1 : low;
		high = solid->links[middle] < b ? high : middle;
	}
	return low < solid->linkStart[a + 1] && solid->links[low] == b;
}

// By the blade itself: carried skins may have particles on them and outside, where there are no walls.
static bool pnIsBladeBetween( const pnPartings* p, int32_t a, int32_t b )
{
	return p->g->sides[a] != 2 && p->g->sides[b] != 2 && p->above[a] != p->above[b] && pnPassesBetween( p->c->blade, p->places[a], p->above[a] != 0, p->places[b], p->above[b] != 0 );
}

// By this blade; or by one before, if they were there and not linked.
static bool pnAreParted( const void* context, int32_t a, int32_t b )
{
	const pnPartings* p = context;
	const pnGrowth* g = p->g;
	const pnSolid* solid = p->c->solid;
	if ( p->c->walled )
	{
		bool old = solid->linkCount > 0 && g->from[a] >= 0 && g->from[b] >= 0;
		if ( old && !pnWereLinked( solid, g->from[a], g->from[b] ) )
		{
			return true;
		}
		bool across = p->above[a] != p->above[b], anew = solid->linkCount > 0 && !old; // else no wall can be between them
		return ( across && pnIsBladeBetween( p, a, b ) ) || ( ( across || anew ) && pnPassesWall( &p->c->walls, g->probes[a], g->probes[b] ) );
	}
	if ( g->sides[a] == 2 || g->sides[b] == 2 )
	{
		return false; // where the blade has ended
	}
	if ( pnIsBladeBetween( p, a, b ) )
	{
		return true;
	}
	return solid->linkCount > 0 && g->from[a] >= 0 && g->from[b] >= 0 && !pnWereLinked( solid, g->from[a], g->from[b] );
}

// Neighbours at rest, but for those that are parted.
bool pnLinkPiece( const pnCarving* c, pnGrowth* g, int32_t** links, int* linkCount )
{
	*linkCount = 0;
	if ( !pnIsSlit( c, g ) )
	{
		return true;
	}
	pnScratch scratch = { 0 };
	const pnSolid* solid = c->solid;
	int32_t *sets = pnTakeArray( &scratch, int32_t, g->count ), *pairs = NULL, *pieceOf = pnTakeArray( &scratch, int32_t, c->particleCount );
	pnPartings partings = { c, g, c->rules->atRest ? g->rest : g->places, pnTakeArray( &scratch, uint8_t, g->count ) };
	int pairCount = 0;
	bool done = !scratch.failed && ( !c->walled || pnPlaceProbes( c, g ) );
	for ( int i = 0; i < g->count && done; ++i )
	{
		sets[i] = i;
		if ( g->from[i] >= 0 )
		{
			pieceOf[g->from[i]] = i + 1;
		}
		bool up = g->from[i] >= 0 ? c->above[g->from[i]] != 0 : pnGetHeight( c->blade, partings.places[i] ) >= 0.0;
		partings.above[i] = g->sides[i] == 1 || ( up && g->sides[i] != -1 );
	}
	done = done && pnFindLinks( g->rest, g->count, sets, pnAreParted, &partings, &scratch, &pairs, &pairCount );
	size_t most = (size_t)pairCount + (size_t)solid->linkCount / 2;
	uint64_t* keys = pnTakeRawArray( &scratch, uint64_t, most );
	uint64_t* spareKeys = pnTakeRawArray( &scratch, uint64_t, most );
	int32_t* values = pnTakeArray( &scratch, int32_t, most );
	int32_t* spareValues = pnTakeRawArray( &scratch, int32_t, most );
	*links = pnTakeRawArray( &g->scratch, int32_t, 2 * most );
	done = done && !scratch.failed && !g->scratch.failed;
	int count = 0;
	for ( int i = 0; i < pairCount && done; ++i )
	{
		keys[count++] = (uint64_t)(uint32_t)pairs[2 * i] << 32 | (uint32_t)pairs[2 * i + 1];
	}
	for ( int p = 0; p < solid->particleCount && done && solid->linkCount > 0; ++p ) // all that held before, and still does
	{
		for ( int k = solid->linkStart[p]; k < solid->linkStart[p + 1]; ++k )
		{
			int32_t q = solid->links[k], a = pieceOf[p] - 1, b = pieceOf[q] - 1;
			bool parted = q > p && a >= 0 && b >= 0 && ( pnPassesBetween( c->blade, c->places[p], c->above[p] != 0, c->places[q], c->above[q] != 0 ) || ( c->walled && c->above[p] != c->above[q] && pnPassesWall( &c->walls, g->probes[a], g->probes[b] ) ) );
			if ( q > p && a >= 0 && b >= 0 && !parted )
			{
				keys[count++] = (uint64_t)(uint32_t)( a < b ? a : b ) << 32 | (uint32_t)( a < b ? b : a );
			}
		}
	}
	if ( done && solid->linkCount > 0 )
	{
		pnSortByKey( keys, values, spareKeys, spareValues, count );
	}
	for ( int i = 0; i < count && done; ++i )
	{
		if ( i == 0 || keys[i] != keys[i - 1] )
		{
			( *links )[2 * *linkCount] = (int32_t)( keys[i] >> 32 );
			( *links )[2 * *linkCount + 1] = (int32_t)( keys[i] & 0xffffffffu );
			*linkCount += 1;
		}
	}
	pnGiveBack( &scratch );
	return done;
}

// ---- anchors ----

// The particle nearest to a vertex among those of the cluster that carried it most: they are on its side of all slits of before.
static int32_t pnFindOldAnchor( const pnSolid* solid, int vertex, const pnVec3* place, const int32_t* particleOf )
{
	const pnSkinBond *bond = solid->skinBonds + solid->skinBondStart[vertex], *last = solid->skinBonds + solid->skinBondStart[vertex + 1], *most = bond;
	for ( ; bond < last; ++bond )
	{
		most = bond->weight > most->weight ? bond : most;
	}
	int32_t best = -1;
	double least = 1e300;
	for ( int m = solid->clusterStart[most->cluster]; m < solid->clusterStart[most->cluster] + solid->clusterSize[most->cluster]; ++m )
	{
		int32_t p = (int32_t)( solid->memberPoint[m] / 16 );
		pnVec3 d = pnSub( solid->rest[p], *place );
		if ( particleOf[p] >= 0 && (double)pnDot( d, d ) < least )
		{
			least = (double)pnDot( d, d ), best = particleOf[p];
		}
	}
	return best;
}

enum { PN_ANCHOR_TRIES = PN_NEAR_LIMIT };

// The links of each particle, rising as the pairs do.
typedef struct pnLinkLists { int32_t *starts, *links; } pnLinkLists;

static bool pnListLinks( const int32_t* pairs, int pairCount, int particleCount, pnScratch* scratch, pnLinkLists* lists )
{
	lists->starts = pnTakeArray( scratch, int32_t, particleCount + 2 );
	lists->links = pnTakeRawArray( scratch, int32_t, 2 * (size_t)pairCount );
	for ( int i = 0; i < 2 * pairCount && !scratch->failed; ++i )
	{
		lists->starts[pairs[i] + 2] += 1;
	}
	for ( int p = 0; p < particleCount && !scratch->failed; ++p )
	{
		lists->starts[p + 2] += lists->starts[p + 1];
	}
	for ( int i = 0; i < 2 * pairCount && !scratch->failed; ++i )
	{
		lists->links[lists->starts[pairs[i] + 1]++] = pairs[i ^ 1];
	}
	return !scratch->failed;
}

// Do two particles hang together by two links at most? Their lists rise.
static bool pnHangTogether( const pnLinkLists* lists, int32_t a, int32_t b )
{
	const int32_t *one = lists->links + lists->starts[a], *other = lists->links + lists->starts[b];
	const int32_t *oneEnd = lists->links + lists->starts[a + 1], *otherEnd = lists->links + lists->starts[b + 1];
	bool together = a == b;
	while ( one < oneEnd && !together )
	{
		if ( other < otherEnd && *other < *one )
		{
			other += 1;
			continue;
		}
		together = *one == b || ( other < otherEnd && *other == *one );
		one += 1;
	}
	return together;
}

// A short edge of the skin is material, so what it leads to hangs together with what it comes from. A node most of whose edges lead across a slit has been put on the wrong side of
// it, by slivers that face anywhere: it goes with the nearest of those next to it.
static bool pnSettleAnchors( const pnCarving* c, const pnGrowth* g, const pnSkinCut* cut, const pnLinkLists* lists, int32_t* anchorOf )
{
	enum { rounds = 4 };
	typedef struct pnShortEdge { int32_t a, b; double length2; } pnShortEdge;
	pnScratch scratch = { 0 };
	const pnSlice* slice = &cut->slice;
	double* balance = pnTakeRawArray( &scratch, double, cut->allCount ); // metres of edges that lead to its own side, less those that do not: slivers have short ones
	int32_t* better = pnTakeRawArray( &scratch, int32_t, cut->allCount );
	double* least = pnTakeRawArray( &scratch, double, cut->allCount );
	pnShortEdge* edges = pnTakeRawArray( &scratch, pnShortEdge, 3 * (size_t)slice->triangleCount );
	bool done = !scratch.failed, more = true;
	double longest2 = c->spacing * c->spacing;
	int edgeCount = 0;
	for ( int t = 0; t < slice->triangleCount && done; ++t )
	{
		const int32_t* corners = slice->triangles + 3 * (size_t)t;
		for ( int k = 0; k < 3 && cut->pieceOf[corners[0]] == g->number; ++k ) // each edge once: it is run through both ways
		{
			int32_t a = corners[k], b = corners[k < 2 ? k + 1 : 0];
			if ( a <= b && anchorOf[a] >= 0 && anchorOf[b] >= 0 )
			{
				pnVec3 d = pnSub( pnGetVec( cut->values + (size_t)a * cut->valueCount ), pnGetVec( cut->values + (size_t)b * cut->valueCount ) );
				edges[edgeCount] = (pnShortEdge){ a, b, (double)pnDot( d, d ) };
				edgeCount += edges[edgeCount].length2 <= longest2;
			}
		}
	}
	for ( int round = 0; round < rounds && more && done; ++round )
	{
		more = false;
		memset( balance, 0, (size_t)cut->allCount * sizeof( double ) );
		for ( int i = 0; i < edgeCount; ++i ) // who is wrong
		{
			double length = sqrt( edges[i].length2 ), same = pnHangTogether( lists, anchorOf[edges[i].a], anchorOf[edges[i].b] ) ? length : -length;
			balance[edges[i].a] += same, balance[edges[i].b] += same;
		}
		for ( int n = 0; n < cut->allCount; ++n )
		{
			better[n] = -1, least[n] = 1e300;
		}
		for ( int i = 0; i < edgeCount; ++i ) // where it belongs
		{
			int32_t a = edges[i].a, b = edges[i].b;
			if ( ( balance[a] < 0.0 ) == ( balance[b] < 0.0 ) )
			{
				continue;
			}
			int32_t wrong = balance[a] < 0.0 ? a : b, right = balance[a] < 0.0 ? b : a;
			if ( edges[i].length2 < least[wrong] )
			{
				least[wrong] = edges[i].length2, better[wrong] = anchorOf[right];
			}
		}
		for ( int n = 0; n < cut->allCount; ++n )
		{
			more = more || better[n] >= 0;
			anchorOf[n] = better[n] >= 0 ? better[n] : anchorOf[n];
		}
	}
	pnGiveBack( &scratch );
	return done;
}

bool pnAnchorSkin( const pnCarving* c, const pnGrowth* g, const pnSkinCut* cut, const pnVertexSource* sources, const int32_t* nodes, int vertexCount, const int32_t* links,
				   int linkCount, int32_t* anchors )
{
	const pnSolid* solid = c->solid;
	pnScratch scratch = { 0 };
	pnNearSearch search;
	int32_t* particleOf = pnTakeArray( &scratch, int32_t, c->particleCount );
	bool done = !scratch.failed && pnStartNearSearch( &search, g->rest, g->count, &scratch );
	const pnVec3* eyes = c->walled && cut == c->skins + c->lead ? c->walls.eyes : NULL;
	if ( done && c->walled && eyes == NULL ) // another skin over the same slits
	{
		pnVec3* places = pnTakeRawArray( &scratch, pnVec3, cut->allCount );
		pnVec3* ways = pnTakeRawArray( &scratch, pnVec3, cut->allCount );
		pnVec3* own = pnTakeRawArray( &scratch, pnVec3, cut->allCount );
		uint8_t* unsure = pnTakeArray( &scratch, uint8_t, cut->allCount );
		pnWallSource source = { places, cut->allCount, cut->slice.triangles, cut->slice.triangleCount, pn_inset * c->spacing, pn_borrow * c->spacing };
		for ( int i = 0; i < cut->allCount && !scratch.failed; ++i )
		{
			places[i] = pnGetVec( cut->values + (size_t)i * cut->valueCount );
		}
		done = !scratch.failed && pnFindInward( &source, &c->walls, ways, unsure ) && pnPlaceEyes( &source, &c->walls, ways, unsure, own );
		eyes = own;
	}
	for ( int p = 0; p < c->particleCount && done; ++p )
	{
		particleOf[p] = -1;
	}
	for ( int i = 0; i < g->count && done; ++i )
	{
		if ( g->from[i] >= 0 )
		{
			particleOf[g->from[i]] = i;
		}
	}
	const int32_t* found = search.found;
	for ( int v = 0; v < vertexCount && done; ++v )
	{
		bool added = nodes[v] >= cut->nodeCount;
		pnVec3 place = pnGetVec( cut->values + (size_t)nodes[v] * cut->valueCount ), where = c->rules->atRest ? place : cut->places[nodes[v]];
		int32_t side = added ? cut->slice.added[nodes[v] - cut->nodeCount].side : 0;
		bool ends = added && side == 0; // where the blade has ended, both sides will do
		bool up = added ? side > 0 : cut->sliced ? cut->slice.above[nodes[v]] != 0 : pnGetHeight( c->blade, where ) >= 0.0;
		if ( c->walled )
		{
			pnVec3 eye = pnKeepSide( eyes[nodes[v]], place, c->across, pnGetSide( cut, nodes[v] ), pn_inset * c->spacing );
			int count = pnFindNear( &search, place, 1 ), k = 0;
			if ( count > 0 && pnPassesWall( &c->walls, eye, g->probes[found[0]] ) )
			{
				count = pnFindNear( &search, place, PN_ANCHOR_TRIES );
			}
			done = count > 0;
			while ( k < count && pnPassesWall( &c->walls, eye, g->probes[found[k]] ) )
			{
				k += 1;
			}
			anchors[v] = k < count ? found[k] : -1;
			if ( anchors[v] >= 0 )
			{
				continue;
			}
		}
		bool old = !added && solid->linkCount > 0 && sources[v].vertices[0] >= 0;
		anchors[v] = old ? pnFindOldAnchor( solid, solid->skins[cut->skin].firstVertex + sources[v].vertices[0], &place, particleOf ) : -1;
		if ( anchors[v] >= 0 )
		{
			continue;
		}
		int count = pnFindNear( &search, place, PN_ANCHOR_TRIES );
		done = count > 0;
		anchors[v] = done ? found[0] : -1;
		for ( int k = count - 1; k >= 0 && !ends; --k ) // the nearest that is not parted from it
		{
			int32_t p = found[k];
			bool above = g->sides[p] == 1 || ( g->sides[p] == 0 && g->from[p] >= 0 && c->above[g->from[p]] != 0 );
			bool parted = g->sides[p] != 2 && above != up && ( side != 0 || pnPassesBetween( c->blade, c->rules->atRest ? g->rest[p] : g->places[p], above, where, up ) );
			anchors[v] = parted ? anchors[v] : p;
		}
	}
	if ( done && c->walled )
	{
		pnLinkLists lists;
		int32_t* anchorOf = pnTakeRawArray( &scratch, int32_t, cut->allCount );
		done = pnListLinks( links, linkCount, g->count, &scratch, &lists ) && !scratch.failed;
		for ( int n = 0; n < cut->allCount && done; ++n )
		{
			anchorOf[n] = -1;
		}
		for ( int v = 0; v < vertexCount && done; ++v )
		{
			anchorOf[nodes[v]] = anchors[v];
		}
		done = done && pnSettleAnchors( c, g, cut, &lists, anchorOf );
		for ( int v = 0; v < vertexCount && done; ++v )
		{
			anchors[v] = anchorOf[nodes[v]];
		}
	}
	pnGiveBack( &scratch );
	return done;
}
