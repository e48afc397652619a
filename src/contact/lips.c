// lips.c - the lips of slits: which particles face which across a slit. Knows rest places and links; no bodies, no time.
//
// Particles that lie near each other at rest and do not hang together, but by a way that is much longer, have a slit between them.
#include "lips.h"

#include <math.h>

enum { PN_NEXT = 16, PN_MOST_REACHED = 512 }; // looked at for one across a slit; along links

static const double pn_detour = 3.0; // times as far along links as straight on: around a corner of the links it is less than twice as far
static const double pn_about = 1.5; // of the mean length of a particle's links: who is next to it

// Ways along links from one particle, those with the fewest links.
typedef struct pnLipWays
{
	int32_t* reached; // of particles: 1 + its place in the queue
	int count;
	int32_t queue[PN_MOST_REACHED];
	double lengths[PN_MOST_REACHED];
} pnLipWays;

typedef struct pnLipSearch
{
	const pnSurfaceSource* source;
	pnPointCells cells;
	pnLipWays own, other;
	double* spacings; // of particles: metres, the mean length of its links
	double spacing; // their mean: at rims particles may crowd in a line
	double* nearest; // of particles: metres to the nearest one across a slit; negative: there is none
} pnLipSearch;

static double pnRestGap( const pnVec3* rest, int32_t a, int32_t b )
{
	pnVec3 d = pnSub( rest[a], rest[b] );
	return sqrt( (double)d.x * d.x + (double)d.y * d.y + (double)d.z * d.z );
}

static double pnMeanLink( const pnSurfaceSource* s, int32_t p )
{
	double sum = 0.0;
	for ( int k = s->linkStart[p]; k < s->linkStart[p + 1]; ++k )
	{
		sum += pnRestGap( s->rest, p, s->links[k] );
	}
	return s->linkStart[p + 1] > s->linkStart[p] ? sum / ( s->linkStart[p + 1] - s->linkStart[p] ) : 0.0;
}

static void pnFindWays( const pnSurfaceSource* s, int32_t from, double limit, pnLipWays* ways )
{
	for ( int i = 0; i < ways->count; ++i )
	{
		ways->reached[ways->queue[i]] = 0;
	}
	ways->queue[0] = from, ways->lengths[0] = 0.0;
	ways->reached[from] = ways->count = 1;
	for ( int next = 0; next < ways->count && ( next == 0 || ways->lengths[next] < limit ); ++next )
	{
		int32_t p = ways->queue[next];
		for ( int k = s->linkStart[p]; k < s->linkStart[p + 1] && ways->count < PN_MOST_REACHED; ++k )
		{
			int32_t to = s->links[k];
			if ( ways->reached[to] == 0 )
			{
				ways->lengths[ways->count] = ways->lengths[next] + pnRestGap( s->rest, p, to );
				ways->queue[ways->count++] = to;
				ways->reached[to] = ways->count;
			}
		}
	}
}

static double pnGetWay( const pnLipWays* ways, int32_t p )
{
	return ways->reached[p] != 0 ? ways->lengths[ways->reached[p] - 1] : 1e300;
}

// Do two particles hang together by one link or two, no longer than `most`? The links of the first are in `own`.
static bool pnAreLinked( const pnSurfaceSource* s, const pnLipWays* own, int32_t to, double most )
{
	bool held = pnGetWay( own, to ) <= most;
	for ( int k = s->linkStart[to]; k < s->linkStart[to + 1] && !held; ++k )
	{
		double way = pnGetWay( own, s->links[k] );
		held = way <= most && way + pnRestGap( s->rest, s->links[k], to ) <= most;
	}
	return held;
}

// The nearest particle across a slit, or -1.
static int32_t pnFindAcross( pnLipSearch* search, int32_t p )
{
	const pnSurfaceSource* s = search->source;
	int32_t near[PN_NEXT];
	double distances2[PN_NEXT];
	int count = pnFindNearestInCells( &search->cells, s->rest[p], pn_about * search->spacings[p], PN_NEXT, near, distances2 );
	pnFindWays( s, p, 0.0, &search->own ); // those that it is linked with
	for ( int i = 0; i < count; ++i )
	{
		double most = pn_detour * sqrt( distances2[i] );
		bool held = near[i] == p || pnAreLinked( s, &search->own, near[i], most );
		if ( !held )
		{
			pnFindWays( s, p, most, &search->own );
			held = pnGetWay( &search->own, near[i] ) <= most;
		}
		if ( !held )
		{
			return near[i];
		}
	}
	return -1;
}

// Which way the material of a particle lies: the mean of its links.
static pnVec3 pnFindInside( const pnSurfaceSource* s, int32_t p )
{
	pnVec3 sum = { 0.0f, 0.0f, 0.0f };
	for ( int k = s->linkStart[p]; k < s->linkStart[p + 1]; ++k )
	{
		sum = pnAdd( sum, pnSub( s->rest[s->links[k]], s->rest[p] ) );
	}
	return sum;
}

// The three that stand for the other lip there: the nearest one across, and the next two that hang together with it sooner than with the particle, and lie well
// beside it and each other. Those deeper inside than the first are no lip.
static bool pnChooseFacing( pnLipSearch* search, int32_t p, int32_t across, pnLip* lip )
{
	static const double apart = 0.3, wide = 0.2; // of the spacing: corners, at least; of its square: twice the triangle's area
	const pnVec3* rest = search->source->rest;
	double spacing = search->spacings[p] > search->spacing ? search->spacings[p] : search->spacing, lips = 1.3 * search->nearest[across] + 0.1 * spacing, farthest = 2.0 * spacing, around = 1.5 * farthest;
	if ( search->nearest[p] > lips )
	{
		return false;
	}
	pnFindWays( search->source, p, around, &search->own );
	pnFindWays( search->source, across, around, &search->other );
	*lip = (pnLip){ .particle = p, .corners = { across, -1, -1 } };
	pnVec3 normal = { 0.0f, 0.0f, 0.0f };
	for ( int chosen = 1; chosen < 3; ++chosen )
	{
		double least = farthest;
		for ( int i = 0; i < search->other.count; ++i )
		{
			int32_t q = search->other.queue[i];
			double distance = search->nearest[q] >= 0.0 && search->nearest[q] <= lips ? pnRestGap( rest, p, q ) : 1e300;
			if ( distance >= least || search->other.lengths[i] >= pnGetWay( &search->own, q ) || pnRestGap( rest, q, across ) <= apart * spacing )
			{
				continue;
			}
			pnVec3 cross = chosen == 2 ? pnCross( pnSub( rest[lip->corners[1]], rest[across] ), pnSub( rest[q], rest[across] ) ) : normal;
			if ( chosen == 1 || (double)pnDot( cross, cross ) > wide * wide * spacing * spacing * spacing * spacing )
			{
				least = distance;
				lip->corners[chosen] = q;
				normal = cross;
			}
		}
		if ( lip->corners[chosen] < 0 )
		{
			return false;
		}
	}
	pnVec3 own = pnFindInside( search->source, p ), other = { 0.0f, 0.0f, 0.0f };
	for ( int k = 0; k < 3; ++k )
	{
		other = pnAdd( other, pnFindInside( search->source, lip->corners[k] ) );
	}
	float mine = pnDot( own, normal ), theirs = pnDot( other, normal );
	if ( mine < 0.0f )
	{
		int32_t swap = lip->corners[1];
		lip->corners[1] = lip->corners[2], lip->corners[2] = swap;
		normal = pnScale( -1.0f, normal ), mine = -mine, theirs = -theirs;
	}
	lip->area2 = pnDot( normal, normal );
	double gap = (double)pnDot( pnSub( rest[p], rest[across] ), normal ) / sqrt( (double)lip->area2 );
	lip->gap = (float)gap;
	return theirs < 0.0f && gap > -0.02 * spacing; // the materials look away from each other
}

bool pnFindLipsOf( const pnSurfaceSource* source, pnScratch* scratch, pnLip* lips, int* lipCount )
{
	int count = source->particleCount;
	*lipCount = 0;
	if ( source->linkStart == NULL )
	{
		return true;
	}
	pnLipSearch* search = pnTakeArray( scratch, pnLipSearch, 1 );
	int32_t* across = pnTakeRawArray( scratch, int32_t, count );
	if ( scratch->failed )
	{
		return false;
	}
	search->source = source;
	search->own.reached = pnTakeArray( scratch, int32_t, count );
	search->other.reached = pnTakeArray( scratch, int32_t, count );
	search->spacings = pnTakeRawArray( scratch, double, count );
	search->nearest = pnTakeRawArray( scratch, double, count );
	if ( scratch->failed )
	{
		return false;
	}
	for ( int p = 0; p < count; ++p )
	{
		search->spacings[p] = pnMeanLink( source, p );
		search->spacing += search->spacings[p] / count;
	}
	if ( !pnFillPointCells( &search->cells, source->rest, count, 0.5 * pn_about * search->spacing, scratch ) )
	{
		return false;
	}
	for ( int p = 0; p < count; ++p )
	{
		across[p] = pnFindAcross( search, p );
		search->nearest[p] = across[p] >= 0 ? pnRestGap( source->rest, p, across[p] ) : -1.0;
	}
	for ( int p = 0; p < count; ++p )
	{
		*lipCount += across[p] >= 0 && search->nearest[across[p]] >= 0.0 && pnChooseFacing( search, p, across[p], lips + *lipCount );
	}
	return true;
}
