// grow.c - the particles of the pieces: those kept, those that the cut has added, those that a small piece needs; their momenta and links.
// Knows one body; no world.
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

static const double pn_inset = 0.05; // of the spacing: how far into the material one must go not to be on a wall

// A sample of a slit's wall, drawn into the material by as much, so that it is on one side for good; it goes as the cluster nearest to it at rest does.
static bool pnDrawIn( const pnCarving* c, int node, pnVec3* rest, pnVec3* place )
{
	pnVec3 in = c->walls.inward[node];
	const pnSolid* solid = c->body->match.form;
	if ( pnDot( in, in ) == 0.0f )
	{
		return false;
	}
	int nearest = 0;
	double least = 1e300, map[9], center[3];
	for ( int k = 0; k < solid->clusterCount; ++k )
	{
		const float* at = solid->clusterCenter + 3 * k;
		double d[3] = { (double)rest->x - at[0], (double)rest->y - at[1], (double)rest->z - at[2] }, distance2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
		nearest = distance2 < least ? k : nearest;
		least = distance2 < least ? distance2 : least;
	}
	pnFrame frame = pnComputeFrame( &c->body->match, nearest, c->body->material.mode );
	pnLinearMap( &c->body->match, nearest, &frame, map, center );
	double inset = 2.0 * pn_inset * pnMeanSpacing( c->solid ), way[3] = { inset * in.x, inset * in.y, inset * in.z };
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

// Points of the new faces, as far apart as particles are, where particles are not the skin's vertices themselves; and if that leaves too few,
// points all through the piece.
static bool pnAddSamples( const pnCarving* c, pnGrowth* g, double mass )
{
	const pnSkinCut* lead = c->skins + c->lead;
	pnScratch scratch = { 0 };
	pnVec3 *rest, *places, *filled = NULL;
	int32_t* triangles;
	int nodeCount, triangleCount, filledCount = 0;
	bool done = pnGatherSurface( lead, g->number, &scratch, &rest, &places, &nodeCount, &triangles, &triangleCount );
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
	double spacing = pnMeanSpacing( c->solid ), near2 = 0.49 * spacing * spacing;
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
				bool slit = c->walled && c->pieceCount == 1;
				if ( slit && ( lead->slice.added[i].side == 0 || !pnDrawIn( c, lead->nodeCount + i, &at, &place ) ) )
				{
					continue; // where the blade has ended both sides hang together by what was there
				}
			}
			else
			{
				at = from[i];
				place = pnMapAffine( map.rest, map.place, &map.map, at );
			}
			bool free = true;
			for ( int k = 0; k < g->count && free && pass == 0; ++k )
			{
				pnVec3 d = pnSub( g->rest[k], at );
				free = (double)pnDot( d, d ) > near2 || pnSideOfParticle( c, g, k ) * lead->slice.added[i].side < 0; // each lip has its own
			}
			if ( !free )
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
	float inset = (float)( pn_inset * pnMeanSpacing( solid ) );
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
		pnVec3 in = c->walls.inward[n];
		if ( own && pnDot( in, in ) > 0.0f ) // a node of the surface
		{
			g->probes[g->nodes[n]] = pnMulAdd( g->rest[g->nodes[n]], inset, in );
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

enum { PN_ANCHOR_TRIES = 24 };

bool pnAnchorSkin( const pnCarving* c, const pnGrowth* g, const pnSkinCut* cut, const pnVertexSource* sources, const int32_t* nodes, int vertexCount,
				   int32_t* anchors )
{
	const pnSolid* solid = c->solid;
	pnScratch scratch = { 0 };
	pnPointTree tree;
	int32_t* particleOf = pnTakeArray( &scratch, int32_t, c->particleCount );
	bool done = !scratch.failed && pnBuildPointTree( &tree, g->rest, NULL, g->count, &scratch );
	const pnVec3* inward = c->walled && cut == c->skins + c->lead ? c->walls.inward : NULL;
	if ( done && c->walled && inward == NULL ) // another skin over the same slits
	{
		pnVec3* places = pnTakeRawArray( &scratch, pnVec3, cut->allCount );
		pnVec3* ways = pnTakeRawArray( &scratch, pnVec3, cut->allCount );
		for ( int i = 0; i < cut->allCount && !scratch.failed; ++i )
		{
			places[i] = pnGetVec( cut->values + (size_t)i * cut->valueCount );
		}
		done = !scratch.failed && pnFindInward( places, cut->allCount, cut->slice.triangles, cut->slice.triangleCount, ways );
		inward = ways;
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
	for ( int v = 0; v < vertexCount && done; ++v )
	{
		bool added = nodes[v] >= cut->nodeCount;
		pnVec3 place = pnGetVec( cut->values + (size_t)nodes[v] * cut->valueCount ), where = c->rules->atRest ? place : cut->places[nodes[v]];
		int32_t side = added ? cut->slice.added[nodes[v] - cut->nodeCount].side : 0;
		bool ends = added && side == 0; // where the blade has ended, both sides will do
		bool up = added ? side > 0 : cut->sliced ? cut->slice.above[nodes[v]] != 0 : pnGetHeight( c->blade, where ) >= 0.0;
		if ( c->walled )
		{
			pnVec3 eye = pnMulAdd( place, (float)( pn_inset * pnMeanSpacing( solid ) ), inward[nodes[v]] );
			int32_t found[PN_ANCHOR_TRIES];
			double distances2[PN_ANCHOR_TRIES];
			int count = pnFindNearest( &tree, place, 1, found, distances2 ), k = 0;
			if ( count > 0 && pnPassesWall( &c->walls, eye, g->probes[found[0]] ) )
			{
				count = pnFindNearest( &tree, place, PN_ANCHOR_TRIES, found, distances2 );
			}
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
		int32_t found[PN_ANCHOR_TRIES];
		double distances2[PN_ANCHOR_TRIES];
		int count = pnFindNearest( &tree, place, PN_ANCHOR_TRIES, found, distances2 );
		anchors[v] = found[0];
		for ( int k = count - 1; k >= 0 && !ends; --k ) // the nearest that is not parted from it
		{
			int32_t p = found[k];
			bool above = g->sides[p] == 1 || ( g->sides[p] == 0 && g->from[p] >= 0 && c->above[g->from[p]] != 0 );
			bool parted = g->sides[p] != 2 && above != up && ( side != 0 || pnPassesBetween( c->blade, c->rules->atRest ? g->rest[p] : g->places[p], above, where, up ) );
			anchors[v] = parted ? anchors[v] : p;
		}
	}
	pnGiveBack( &scratch );
	return done;
}
