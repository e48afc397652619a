// grow.c - the particles of the pieces: those kept, those that the cut has added, those that a small piece needs; their momenta. Knows one body;
// no world.
#include "carve.h"

#include "../base/mat3.h"
#include "../base/mesh.h"
#include "../base/trig.h"
#include "../cut/parts.h"
#include "frame.h"

#include <math.h>

enum
{
	PN_LIVELY_COUNT = 16, // particles that a piece should have at least
	PN_MOST_OUTER = 24, // particles put on a carried skin that sticks out
};
static const double pn_farthestOut = 10.0; // squared, in units of how far particles reach: the corner of a block is at 9

// ---- one piece ----

static int32_t pnAddParticle( pnGrowth* g, pnVec3 rest, pnVec3 place, pnVec3 velocity, double mass, int32_t from, int32_t side )
{
	g->rest[g->count] = rest, g->places[g->count] = place, g->velocities[g->count] = velocity, g->masses[g->count] = mass;
	g->from[g->count] = from, g->sides[g->count] = side;
	return g->count++;
}

// The affine map that takes rest places nearest to places and velocities; flat and thin sets turn, and do not stretch across.
typedef struct pnAffine { double rest[3], place[3], velocity[3]; pnMat3d map, gradient; } pnAffine;

static pnAffine pnFitAffine( const pnVec3* rest, const pnVec3* places, const pnVec3* velocities, int count, pnQuat turn )
{
	pnAffine a = { 0 };
	for ( int i = 0; i < count; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			a.rest[k] += (double)( &rest[i].x )[k] / count;
			a.place[k] += (double)( &places[i].x )[k] / count;
			a.velocity[k] += velocities != NULL ? (double)( &velocities[i].x )[k] / count : 0.0;
		}
	}
	pnMat3d Q = { { 0 } }, P = { { 0 } }, V = { { 0 } }, R = pnFromQuat3( turn.x, turn.y, turn.z, turn.w );
	for ( int i = 0; i < count; ++i )
	{
		for ( int k = 0; k < 9; ++k )
		{
			double q = (double)( &rest[i].x )[k % 3] - a.rest[k % 3];
			Q.m[k] += ( (double)( &rest[i].x )[k / 3] - a.rest[k / 3] ) * q;
			P.m[k] += ( (double)( &places[i].x )[k / 3] - a.place[k / 3] ) * q;
			V.m[k] += velocities != NULL ? ( (double)( &velocities[i].x )[k / 3] - a.velocity[k / 3] ) * q : 0.0;
		}
	}
	// A little of the turn itself, so that directions the points do not tell are turned.
	double little = 1e-6 * ( Q.m[0] + Q.m[4] + Q.m[8] ) + 1e-30;
	for ( int k = 0; k < 9; ++k )
	{
		Q.m[k] += k % 4 == 0 ? little : 0.0;
		P.m[k] += little * R.m[k];
	}
	pnMat3d inverse = pnInverse3( Q );
	a.map = pnMul3( P, inverse );
	a.gradient = pnMul3( V, inverse );
	return a;
}

static pnVec3 pnMapAffine( const double from[3], const double to[3], const pnMat3d* map, pnVec3 place )
{
	double d[3] = { (double)place.x - from[0], (double)place.y - from[1], (double)place.z - from[2] };
	float out[3];
	for ( int k = 0; k < 3; ++k )
	{
		out[k] = (float)( to[k] + map->m[3 * k] * d[0] + map->m[3 * k + 1] * d[1] + map->m[3 * k + 2] * d[2] );
	}
	return pnMakeVec3( out[0], out[1], out[2] );
}

// The lead's triangles of one piece over its nodes at rest, for filling. In the scratch.
static bool pnGatherSurface( const pnSkinCut* lead, int piece, pnScratch* scratch, pnVec3** rest, pnVec3** places, int* nodeCount, int32_t** triangles, int* triangleCount )
{
	int32_t* number = pnTakeArray( scratch, int32_t, lead->allCount );
	*rest = pnTakeArray( scratch, pnVec3, lead->allCount );
	*places = pnTakeArray( scratch, pnVec3, lead->allCount );
	*triangles = pnTakeArray( scratch, int32_t, 3 * (size_t)lead->slice.triangleCount );
	*nodeCount = *triangleCount = 0;
	for ( int t = 0; t < lead->slice.triangleCount && !scratch->failed; ++t )
	{
		const int32_t* corners = lead->slice.triangles + 3 * (size_t)t;
		for ( int k = 0; k < 3 && lead->pieceOf[corners[0]] == piece; ++k )
		{
			if ( number[corners[k]] == 0 )
			{
				( *rest )[*nodeCount] = pnGetVec( lead->values + (size_t)corners[k] * lead->valueCount );
				( *places )[*nodeCount] = lead->places[corners[k]];
				number[corners[k]] = ++*nodeCount;
			}
			( *triangles )[3 * *triangleCount + k] = number[corners[k]] - 1;
		}
		*triangleCount += lead->pieceOf[corners[0]] == piece;
	}
	return !scratch->failed;
}

static pnVec3 pnMoveWith( const pnBodyMotion* motion, const double omega[3], pnVec3 place )
{
	double arm[3] = { (double)place.x - motion->center[0], (double)place.y - motion->center[1], (double)place.z - motion->center[2] };
	return pnMakeVec3( (float)( motion->velocity[0] + omega[1] * arm[2] - omega[2] * arm[1] ), (float)( motion->velocity[1] + omega[2] * arm[0] - omega[0] * arm[2] ),
					   (float)( motion->velocity[2] + omega[0] * arm[1] - omega[1] * arm[0] ) );
}

// The form that measures how far a place is out, in units of how far points reach: sums hold their count, places and products.
static pnMat3d pnMeasureSpread( const double sums[10], double center[3] )
{
	pnMat3d moment = { { 0 } };
	double trace = 0.0;
	for ( int k = 0; k < 3; ++k )
	{
		center[k] = sums[1 + k] / sums[0];
	}
	static const int at[9] = { 4, 7, 9, 7, 5, 8, 9, 8, 6 };
	for ( int k = 0; k < 9; ++k )
	{
		moment.m[k] = sums[at[k]] / sums[0] - center[k / 3] * center[k % 3];
		trace += k % 4 == 0 ? moment.m[k] : 0.0;
	}
	for ( int k = 0; k < 9; k += 4 )
	{
		moment.m[k] += 1e-6 * trace + 1e-60;
	}
	return pnInverse3( moment );
}

static void pnAddSpread( double sums[10], pnVec3 p )
{
	double x = p.x, y = p.y, z = p.z, all[10] = { 1.0, x, y, z, x * x, y * y, z * z, x * y, y * z, z * x };
	for ( int k = 0; k < 10; ++k )
	{
		sums[k] += all[k];
	}
}

static double pnMeasureOut( const pnMat3d* form, const double d[3] )
{
	const double* f = form->m;
	return d[0] * ( f[0] * d[0] + f[1] * d[1] + f[2] * d[2] ) + d[1] * ( f[3] * d[0] + f[4] * d[1] + f[5] * d[2] ) + d[2] * ( f[6] * d[0] + f[7] * d[1] + f[8] * d[2] );
}

// Nodes of a carried skin that its particles must reach to, if it sticks out too far from them: out there every little change would be blown
// up. One after another, the farthest from all there are.
static int pnFindOuter( const pnGrowth* g, const pnVec3* rest, int nodeCount, int32_t* outer )
{
	enum { most = 256 }; // nodes to choose from
	double sums[10] = { 0 }, distances[most], center[3];
	int stride = 1 + ( nodeCount - 1 ) / most, count = 0;
	for ( int i = 0; i < g->count; ++i )
	{
		pnAddSpread( sums, g->rest[i] );
	}
	pnMat3d first = pnMeasureSpread( sums, center );
	for ( int n = 0; n < PN_MOST_OUTER && nodeCount > 0; ++n )
	{
		double farthest = 0.0, out = 0.0;
		pnMat3d form = pnMeasureSpread( sums, center );
		for ( int i = 0; i < nodeCount; i += stride )
		{
			double d[3] = { (double)rest[i].x - center[0], (double)rest[i].y - center[1], (double)rest[i].z - center[2] };
			double distance = pnMeasureOut( &form, d );
			out = distance > out ? distance : out;
		}
		if ( out <= pn_farthestOut )
		{
			break;
		}
		for ( int i = 0; i < nodeCount; i += stride )
		{
			double* least = distances + i / stride;
			for ( int k = n == 0 ? 0 : g->count - 1; k < g->count; ++k )
			{
				pnVec3 p = n == 0 ? g->rest[k] : rest[outer[count - 1]];
				double d[3] = { (double)rest[i].x - (double)p.x, (double)rest[i].y - (double)p.y, (double)rest[i].z - (double)p.z };
				double distance = pnMeasureOut( &first, d );
				*least = ( n == 0 && k == 0 ) || distance < *least ? distance : *least;
			}
			if ( *least > farthest )
			{
				farthest = *least, outer[count] = i;
			}
		}
		if ( !( farthest > 0.0 ) )
		{
			break;
		}
		pnAddSpread( sums, rest[outer[count++]] );
	}
	return count;
}

typedef struct pnClusterMap { double map[9]; bool known; } pnClusterMap; // what a cluster makes of ways at rest, once somebody has asked

// A sample of a slit's wall, drawn into the material by as much, so that it is on one side for good; it goes as the cluster nearest to it at rest does.
static bool pnDrawIn( const pnCarving* c, int node, pnClusterMap* maps, pnVec3* rest, pnVec3* place )
{
	pnVec3 in = c->walls.inward[node];
	const pnSolid* solid = c->body->match.form;
	if ( pnDot( in, in ) == 0.0f )
	{
		return false;
	}
	int nearest = 0;
	double least = 1e300;
	for ( int k = 0; k < solid->clusterCount; ++k )
	{
		const float* at = solid->clusterCenter + 3 * k;
		double d[3] = { (double)rest->x - at[0], (double)rest->y - at[1], (double)rest->z - at[2] }, distance2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
		nearest = distance2 < least ? k : nearest;
		least = distance2 < least ? distance2 : least;
	}
	pnClusterMap* of = maps + nearest;
	if ( !of->known )
	{
		double center[3];
		pnFrame frame = c->frames != NULL ? c->frames[nearest] : pnComputeFrame( &c->body->match, nearest, c->body->material.mode );
		pnLinearMap( &c->body->match, nearest, &frame, of->map, center );
		of->known = true;
	}
	const double* map = of->map;
	double inset = 2.0 * pn_inset * c->spacing, way[3] = { inset * in.x, inset * in.y, inset * in.z };
	*rest = pnMulAdd( *rest, (float)inset, in );
	for ( int k = 0; k < 3; ++k )
	{
		( &place->x )[k] += (float)( map[3 * k] * way[0] + map[3 * k + 1] * way[1] + map[3 * k + 2] * way[2] );
	}
	return true;
}

// Which side of the blade a particle is on: 1, -1, or 0 where it has ended or for a filling.
static int pnSideOfParticle( const pnCarving* c, const pnGrowth* g, int particle )
{
	int side = g->sides[particle];
	return g->from[particle] >= 0 ? ( c->above[g->from[particle]] != 0 ? 1 : -1 ) : side == 2 ? 0 : side;
}

// What samples must stay away from.
typedef struct pnCrowd
{
	pnPointCells cells; // of the kept particles
	int32_t* sides; // of those: which side of the blade they are on
	double near2; // metres squared
} pnCrowd;

static bool pnGatherCrowd( const pnCarving* c, const pnGrowth* g, pnScratch* scratch, pnCrowd* crowd )
{
	crowd->near2 = 0.49 * c->spacing * c->spacing;
	crowd->sides = pnTakeRawArray( scratch, int32_t, g->keptCount );
	for ( int i = 0; i < g->keptCount && !scratch->failed; ++i )
	{
		crowd->sides[i] = pnSideOfParticle( c, g, i );
	}
	return !scratch->failed && pnFillPointCells( &crowd->cells, g->rest, g->keptCount, c->spacing, scratch );
}

// Is there room for a sample? Each lip has its own.
static bool pnIsFree( const pnCarving* c, const pnGrowth* g, const pnCrowd* crowd, pnVec3 at, int32_t side )
{
	enum { nobody = 2 };
	const double rounding = 1e-5; // where distances as floats decide
	double distance2 = 0.0;
	bool near = g->keptCount > 0 && pnFindNearestUnmarked( &crowd->cells, at, sqrt( crowd->near2 * ( 1.0 + rounding ) ), crowd->sides, side != 0 ? -side : nobody, &distance2 ) >= 0;
	if ( near && distance2 < crowd->near2 * ( 1.0 - rounding ) )
	{
		return false;
	}
	bool free = true;
	for ( int k = near ? 0 : g->keptCount; k < g->count && free; ++k )
	{
		pnVec3 d = pnSub( g->rest[k], at );
		free = (double)pnDot( d, d ) > crowd->near2 || pnSideOfParticle( c, g, k ) * side < 0;
	}
	return free;
}

// Points of the new faces, as far apart as particles are, where particles are not the skin's vertices themselves; and if that leaves too few,
// points all through the piece.
static bool pnAddSamples( const pnCarving* c, pnGrowth* g, double mass )
{
	const pnSkinCut* lead = c->skins + c->lead;
	pnScratch scratch = { 0 };
	pnVec3 *rest, *places, *filled = NULL;
	int32_t* triangles;
	int nodeCount, triangleCount, filledCount = 0;
	bool done = pnGatherSurface( lead, g->number, &scratch, &rest, &places, &nodeCount, &triangles, &triangleCount ), slit = c->walled && c->pieceCount == 1;
	pnClusterMap* maps = slit ? pnTakeArray( &scratch, pnClusterMap, c->body->match.form->clusterCount ) : NULL;
	pnCrowd crowd;
	done = done && pnGatherCrowd( c, g, &scratch, &crowd ) && !scratch.failed;
	pnQuat turn = { c->rotation[0], c->rotation[1], c->rotation[2], c->rotation[3] };
	pnBodyMotion motion = pnMeasureBody( c->body );
	double omega[3];
	pnAngularVelocity( motion.second, motion.spin, omega );
	pnAffine map = { 0 };
	if ( done && nodeCount > 0 )
	{
		map = pnFitAffine( rest, places, NULL, nodeCount, turn );
	}
	pnAffine flow = { 0 };
	bool flows = g->keptCount >= 4;
	if ( flows )
	{
		flow = pnFitAffine( g->rest, g->places, g->velocities, g->keptCount, turn );
	}
	for ( int pass = 0; pass < 2 && done; ++pass )
	{
		const pnVec3* from = pass == 0 ? NULL : filled;
		int count = pass == 0 ? lead->slice.addedCount : filledCount;
		for ( int i = 0; i < count && g->count < g->capacity; ++i )
		{
			pnVec3 at, place;
			if ( pass == 0 )
			{
				if ( lead->onParticles || lead->pieceOf[lead->nodeCount + i] != g->number )
				{
					continue;
				}
				at = pnGetVec( lead->values + (size_t)( lead->nodeCount + i ) * lead->valueCount );
				place = lead->places[lead->nodeCount + i];
				if ( slit && ( lead->slice.added[i].side == 0 || !pnDrawIn( c, lead->nodeCount + i, maps, &at, &place ) ) )
				{
					continue; // where the blade has ended both sides hang together by what was there
				}
			}
			else
			{
				at = from[i];
				place = pnMapAffine( map.rest, map.place, &map.map, at );
			}
			if ( pass == 0 && !pnIsFree( c, g, &crowd, at, lead->slice.added[i].side ) )
			{
				continue;
			}
			pnVec3 velocity = flows ? pnMapAffine( flow.rest, flow.velocity, &flow.gradient, at ) : pnMoveWith( &motion, omega, place );
			int32_t side = pass > 0 ? 0 : lead->slice.added[i].side != 0 ? lead->slice.added[i].side : 2;
			pnAddParticle( g, at, place, velocity, mass, -1, side );
		}
		if ( pass == 0 && !lead->onParticles && c->leadClosed && g->count > 0 )
		{
			int32_t outer[PN_MOST_OUTER];
			int outerCount = pnFindOuter( g, rest, nodeCount, outer );
			for ( int i = 0; i < outerCount && g->count < g->capacity; ++i )
			{
				pnVec3 at = rest[outer[i]], place = places[outer[i]];
				pnVec3 velocity = flows ? pnMapAffine( flow.rest, flow.velocity, &flow.gradient, at ) : pnMoveWith( &motion, omega, place );
				pnAddParticle( g, at, place, velocity, mass, -1, 0 );
			}
		}
		if ( pass == 0 && ( g->count >= PN_LIVELY_COUNT || !c->leadClosed || c->volumes[g->number] <= 0.0 ) )
		{
			break;
		}
		if ( pass == 0 )
		{
			// A body's own particles first; then the piece's corners, if it has none of its own.
			for ( int k = 0; k < nodeCount && g->count == 0 && !lead->onParticles; k += 1 + nodeCount / 24 )
			{
				pnAddParticle( g, rest[k], places[k], pnMoveWith( &motion, omega, places[k] ), mass, -1, 0 );
			}
			pnPointTree tree;
			done = pnBuildPointTree( &tree, g->rest, NULL, g->count, &scratch );
			pnResult result = done ? pnFillSurface( rest, triangles, triangleCount, pnCbrt( c->volumes[g->number] / ( 1.5 * PN_LIVELY_COUNT ) ), &tree, &scratch, &filled, &filledCount )
								   : pn_outOfMemory;
			done = result != pn_outOfMemory;
			filledCount = result == pn_success ? filledCount : 0;
		}
	}
	pnGiveBack( &scratch );
	return done;
}

// All masses get a factor that is linear in the place, the smallest change that puts their centre where it belongs; but none becomes less than a quarter. Returns whether
// it is there.
static bool pnTiltMasses( pnGrowth* g, const double center[3] )
{
	static const double least = 0.25;
	double mass = 0.0, sums[3] = { 0 }, trace = 0.0, lowest = 0.0;
	pnMat3d second = { { 0 } };
	for ( int i = 0; i < g->count; ++i )
	{
		double d[3] = { (double)g->rest[i].x - center[0], (double)g->rest[i].y - center[1], (double)g->rest[i].z - center[2] };
		mass += g->masses[i];
		for ( int k = 0; k < 9; ++k )
		{
			sums[k / 3] += k % 3 == 0 ? g->masses[i] * d[k / 3] : 0.0;
			second.m[k] += g->masses[i] * d[k / 3] * d[k % 3];
		}
	}
	for ( int k = 0; k < 9 && mass > 0.0; ++k ) // about the centre they have
	{
		second.m[k] -= sums[k / 3] * sums[k % 3] / mass;
		trace += k % 4 == 0 ? second.m[k] : 0.0;
	}
	if ( !( mass > 0.0 && trace > 0.0 ) )
	{
		return true;
	}
	for ( int k = 0; k < 9; k += 4 )
	{
		second.m[k] += 1e-6 * trace; // flat pieces have no extent across
	}
	pnMat3d inverse = pnInverse3( second );
	double slope[3], mean[3] = { sums[0] / mass, sums[1] / mass, sums[2] / mass };
	for ( int k = 0; k < 3; ++k )
	{
		slope[k] = -( inverse.m[3 * k] * sums[0] + inverse.m[3 * k + 1] * sums[1] + inverse.m[3 * k + 2] * sums[2] );
	}
	for ( int pass = 0; pass < 2; ++pass ) // the largest loss, then the factors
	{
		double part = lowest < least - 1.0 ? ( least - 1.0 ) / lowest : 1.0;
		for ( int i = 0; i < g->count; ++i )
		{
			double d[3] = { (double)g->rest[i].x - center[0] - mean[0], (double)g->rest[i].y - center[1] - mean[1], (double)g->rest[i].z - center[2] - mean[2] };
			double change = slope[0] * d[0] + slope[1] * d[1] + slope[2] * d[2];
			lowest = pass == 0 && change < lowest ? change : lowest;
			g->masses[i] *= pass == 0 ? 1.0 : 1.0 + part * change;
		}
	}
	return !( lowest < least - 1.0 );
}

enum { PN_MOMENTS = 10 };

// One, places and their products, in units of a length.
static void pnListMoments( const double d[3], double phi[PN_MOMENTS] )
{
	double all[PN_MOMENTS] = { 1.0, d[0], d[1], d[2], d[0] * d[0], d[1] * d[1], d[2] * d[2], d[0] * d[1], d[1] * d[2], d[2] * d[0] };
	memcpy( phi, all, sizeof all );
}

// a x = b by Cholesky's way, a symmetric, in place. What depends on others is left alone.
static void pnSolveMoments( double a[PN_MOMENTS][PN_MOMENTS], double x[PN_MOMENTS] )
{
	static const double dependent = 1e-6; // of what there was
	for ( int i = 0; i < PN_MOMENTS; ++i )
	{
		double whole = a[i][i];
		for ( int k = 0; k < i; ++k )
		{
			double sum = a[i][k];
			for ( int j = 0; j < k; ++j )
			{
				sum -= a[i][j] * a[k][j];
			}
			a[i][k] = a[k][k] > 0.0 ? sum / a[k][k] : 0.0;
			a[i][i] -= a[i][k] * a[i][k];
			x[i] -= a[i][k] * x[k];
		}
		a[i][i] = a[i][i] > dependent * whole ? sqrt( a[i][i] ) : 0.0;
		x[i] = a[i][i] > 0.0 ? x[i] / a[i][i] : 0.0;
	}
	for ( int i = PN_MOMENTS - 1; i >= 0; --i )
	{
		for ( int k = i + 1; k < PN_MOMENTS; ++k )
		{
			x[i] -= a[k][i] * x[k];
		}
		x[i] = a[i][i] > 0.0 ? x[i] / a[i][i] : 0.0;
	}
}

// All masses get a factor that is quadratic in the place, the smallest change that gives them the centre and the spread that they should have: as much of it as leaves each between a
// half and twice of what it was.
static void pnSpreadMasses( pnGrowth* g, const double center[3], const pnMat3d* spread )
{
	static const double least = -0.5, most = 1.0;
	double a[PN_MOMENTS][PN_MOMENTS] = { { 0 } }, x[PN_MOMENTS] = { 0 }, phi[PN_MOMENTS], unit = sqrt( spread->m[0] + spread->m[4] + spread->m[8] );
	double mass = 0.0, lowest = 0.0, highest = 0.0;
	if ( g->count < PN_MOMENTS || !( unit > 0.0 ) )
	{
		return;
	}
	for ( int i = 0; i < g->count; ++i )
	{
		double d[3] = { ( (double)g->rest[i].x - center[0] ) / unit, ( (double)g->rest[i].y - center[1] ) / unit, ( (double)g->rest[i].z - center[2] ) / unit };
		pnListMoments( d, phi );
		mass += g->masses[i];
		for ( int k = 0; k < PN_MOMENTS; ++k )
		{
			double weighted = g->masses[i] * phi[k];
			x[k] -= weighted;
			for ( int j = 0; j <= k; ++j )
			{
				a[k][j] += weighted * phi[j];
			}
		}
	}
	const double* m = spread->m;
	double wanted[PN_MOMENTS] = { 1.0, 0.0, 0.0, 0.0, m[0] / ( unit * unit ), m[4] / ( unit * unit ), m[8] / ( unit * unit ), m[1] / ( unit * unit ), m[5] / ( unit * unit ), m[2] / ( unit * unit ) };
	for ( int k = 0; k < PN_MOMENTS; ++k )
	{
		x[k] += mass * wanted[k];
	}
	pnSolveMoments( a, x );
	for ( int pass = 0; pass < 2; ++pass ) // the largest changes, then the factors
	{
		double part = 1.0;
		part = lowest * part < least ? least / lowest : part;
		part = highest * part > most ? most / highest : part;
		for ( int i = 0; i < g->count; ++i )
		{
			double d[3] = { ( (double)g->rest[i].x - center[0] ) / unit, ( (double)g->rest[i].y - center[1] ) / unit, ( (double)g->rest[i].z - center[2] ) / unit }, change = 0.0;
			pnListMoments( d, phi );
			for ( int k = 0; k < PN_MOMENTS; ++k )
			{
				change += x[k] * phi[k];
			}
			lowest = pass == 0 && change < lowest ? change : lowest;
			highest = pass == 0 && change > highest ? change : highest;
			g->masses[i] *= pass == 0 ? 1.0 : 1.0 + part * change;
		}
	}
}

// New particles lie in the face that the blade has made, and would draw the piece's centre of mass there: a body that is shaved would become top-heavy.
static void pnCenterMasses( pnGrowth* g, const double center[3] )
{
	enum { mostRounds = 3 }; // where curved pieces of few points need more, the centre stays off by little
	for ( int round = 0; round < mostRounds && !pnTiltMasses( g, center ); ++round )
	{
	}
}

// What was there keeps its mass, and what is new has what is missing: where a layer of particles was shaved off, those of the new face stand for it.
static void pnWeighNew( pnGrowth* g, double wanted, double mean )
{
	static const double least = 0.25, most = 1.0; // of the mean of the body's particles
	double kept = 0.0;
	for ( int i = 0; i < g->keptCount; ++i )
	{
		kept += g->masses[i];
	}
	double own = g->count > g->keptCount ? ( wanted - kept ) / ( g->count - g->keptCount ) : 0.0;
	own = own < least * mean ? least * mean : own > most * mean ? most * mean : own;
	for ( int i = g->keptCount; i < g->count; ++i )
	{
		g->masses[i] = own;
	}
}

bool pnGatherParticles( const pnCarving* c, pnGrowth* g )
{
	const pnSkinCut* lead = c->lead >= 0 ? c->skins + c->lead : NULL;
	const float *x = c->body->match.x, *v = c->body->v;
	int kept = 0, added = 0;
	for ( int p = 0; p < c->particleCount; ++p )
	{
		kept += c->partOf[p] == g->number;
	}
	for ( int i = 0; lead != NULL && i < lead->slice.addedCount; ++i )
	{
		added += lead->pieceOf[lead->nodeCount + i] == g->number;
	}
	g->capacity = kept + added + 64;
	g->rest = pnTakeRawArray( &g->scratch, pnVec3, g->capacity );
	g->places = pnTakeRawArray( &g->scratch, pnVec3, g->capacity );
	g->velocities = pnTakeRawArray( &g->scratch, pnVec3, g->capacity );
	g->masses = pnTakeRawArray( &g->scratch, double, g->capacity );
	g->from = pnTakeRawArray( &g->scratch, int32_t, g->capacity );
	g->sides = pnTakeRawArray( &g->scratch, int32_t, g->capacity );
	g->nodes = pnTakeArray( &g->scratch, int32_t, lead != NULL ? lead->allCount : 1 );
	if ( g->scratch.failed )
	{
		return false;
	}
	double mean = 0.0;
	for ( int p = 0; p < c->particleCount; ++p )
	{
		double mass = (double)c->body->mass * (double)x[4 * (size_t)p + 3];
		mean += mass / c->particleCount;
		if ( c->partOf[p] == g->number )
		{
			int32_t at = pnAddParticle( g, c->solid->rest[p], pnGetVec( x + 4 * (size_t)p ), pnGetVec( v + 4 * (size_t)p ), mass, p, 0 );
			if ( lead != NULL && lead->onParticles )
			{
				g->nodes[p] = at;
			}
		}
	}
	g->keptCount = kept;
	for ( int i = 0; lead != NULL && lead->onParticles && i < lead->slice.addedCount; ++i )
	{
		int node = lead->nodeCount + i;
		if ( lead->pieceOf[node] == g->number )
		{
			const float* values = lead->values + (size_t)node * lead->valueCount;
			int32_t side = lead->slice.added[i].side;
			g->nodes[node] = pnAddParticle( g, pnGetVec( values ), lead->places[node], pnGetVec( values + 3 ), mean, -1, side != 0 ? side : 2 );
		}
	}
	bool few = g->count < PN_LIVELY_COUNT && c->leadClosed;
	if ( lead != NULL && ( !lead->onParticles || few ) && !pnAddSamples( c, g, mean ) )
	{
		return false;
	}
	if ( c->centers != NULL ) // neither slit nor torn
	{
		pnWeighNew( g, c->masses[g->number], mean );
		if ( c->spreads != NULL )
		{
			pnSpreadMasses( g, c->centers + 3 * g->number, c->spreads + g->number );
		}
		pnCenterMasses( g, c->centers + 3 * g->number );
	}
	double sum = 0.0;
	for ( int i = 0; i < g->count; ++i )
	{
		sum += g->masses[i];
	}
	for ( int i = 0; i < g->count; ++i )
	{
		g->masses[i] *= c->masses[g->number] / sum;
	}
	return true;
}

// ---- momenta ----

typedef struct pnMomenta { double mass, center[3], linear[3], angular[3], second[6]; } pnMomenta; // angular and second about the origin given

static void pnAddMomenta( pnMomenta* m, double mass, const double arm[3], const double velocity[3] )
{
	m->mass += mass;
	for ( int k = 0; k < 3; ++k )
	{
		int k1 = ( k + 1 ) % 3, k2 = ( k + 2 ) % 3;
		m->center[k] += mass * arm[k];
		m->linear[k] += mass * velocity[k];
		m->angular[k] += mass * ( arm[k1] * velocity[k2] - arm[k2] * velocity[k1] );
		m->second[k] += mass * arm[k] * arm[k];
		m->second[3 + k] += mass * arm[k] * arm[k1];
	}
}

// All pieces together get the rigid motion that brings both momenta back to what they were.
void pnRestoreMomenta( const pnCarving* c, pnGrowth* growths )
{
	pnMomenta before = { 0 }, after = { 0 };
	const float* origin = c->body->origin;
	for ( int p = 0; p < c->particleCount; ++p )
	{
		const float *x = c->body->match.x + 4 * (size_t)p, *v = c->body->v + 4 * (size_t)p;
		double arm[3] = { (double)x[0] - origin[0], (double)x[1] - origin[1], (double)x[2] - origin[2] }, velocity[3] = { v[0], v[1], v[2] };
		pnAddMomenta( &before, (double)c->body->mass * (double)x[3], arm, velocity );
	}
	for ( int g = 0; g < c->pieceCount; ++g )
	{
		for ( int i = 0; i < growths[g].count; ++i )
		{
			const pnVec3 *x = growths[g].places + i, *v = growths[g].velocities + i;
			double arm[3] = { (double)x->x - origin[0], (double)x->y - origin[1], (double)x->z - origin[2] }, velocity[3] = { v->x, v->y, v->z };
			pnAddMomenta( &after, growths[g].masses[i], arm, velocity );
		}
	}
	if ( !( after.mass > 0.0 ) )
	{
		return;
	}
	double center[3], push[3], spin[3], second[6], turn[3];
	for ( int k = 0; k < 3; ++k )
	{
		center[k] = after.center[k] / after.mass;
		push[k] = ( before.linear[k] - after.linear[k] ) / after.mass;
	}
	for ( int k = 0; k < 3; ++k )
	{
		int k1 = ( k + 1 ) % 3, k2 = ( k + 2 ) % 3;
		double lost = ( before.angular[k] - after.angular[k] ) / after.mass;
		spin[k] = lost - ( center[k1] * push[k2] - center[k2] * push[k1] );
		second[k] = after.second[k] / after.mass - center[k] * center[k];
		second[3 + k] = after.second[3 + k] / after.mass - center[k] * center[k1];
	}
	pnAngularVelocity( second, spin, turn );
	for ( int g = 0; g < c->pieceCount; ++g )
	{
		for ( int i = 0; i < growths[g].count; ++i )
		{
			const pnVec3* x = growths[g].places + i;
			pnVec3* v = growths[g].velocities + i;
			double arm[3] = { (double)x->x - origin[0] - center[0], (double)x->y - origin[1] - center[1], (double)x->z - origin[2] - center[2] };
			v->x = (float)( (double)v->x + push[0] + turn[1] * arm[2] - turn[2] * arm[1] );
			v->y = (float)( (double)v->y + push[1] + turn[2] * arm[0] - turn[0] * arm[2] );
			v->z = (float)( (double)v->z + push[2] + turn[0] * arm[1] - turn[1] * arm[0] );
		}
	}
}
