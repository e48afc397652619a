// piece.c - a blade through a body: the pieces that it falls into, as bodies ready to live. Knows one body; no world.
//
// Skins are sliced where they lie now. What hangs together afterwards is a piece: by the triangles of the skin that leads (the first that is
// closed, or skin 0), by what is inside of what, and by neighbours at rest where there is no surface to tell. Each piece is then assembled
// like any solid, from the particles it keeps and those that the cut has added, and goes on as it moved; a rigid motion given to all
// pieces alike makes up for what moving masses to new points has done to the momenta.
#include "piece.h"

#include "../base/mat3.h"
#include "../base/mesh.h"
#include "../base/trig.h"
#include "../cut/parts.h"
#include "cluster.h"
#include "frame.h"
#include "reskin.h"
#include "skin.h"

#include <math.h>

enum
{
	PN_LIVELY_COUNT = 16, // particles that a piece should have at least
	PN_MOST_OUTER = 24, // particles put on a carried skin that sticks out
};
static const double pn_farthestOut = 10.0; // squared, in units of how far particles reach: the corner of a block is at 9
static const double pn_kerf = 1e-6; // of the body's size: how far lips are drawn apart where the blade ends inside

typedef struct pnCarving
{
	const pnBody* body;
	const pnSolid* solid;
	const pnBlade* blade;
	const pnCutRules* rules;
	pnScratch scratch;
	pnSkinCut* skins;
	int lead; // the skin that pieces are found by; -1: none, by neighbours
	bool leadClosed;
	int particleCount; // before
	int32_t* partOf; // of particles before: a set, then a piece
	pnVec3* places; // of particles before, where the blade cuts: as they lie, or at rest
	uint8_t* above; // of particles before: 1 if it counts as above the blade
	int pieceCount;
	int32_t* pieceOfSet; // of nodes of the lead, or of particles
	double *volumes, *masses; // of pieces: at rest, m^3, 0 unless closed; kg
	uint8_t* lives;
	int32_t* severed; // pairs of particles that the blade has parted, where there is no closed surface to tell
	int severedCount;
	float rotation[4]; // of the whole, for what lies across the blade at rest
	double size; // metres at rest
} pnCarving;

// ---- which skin leads, and where skins are ----

// How far a piece's particles should be apart at rest: as before.
static double pnMeanSpacing( const pnSolid* solid )
{
	pnAABB box = pnFindBounds( solid->rest, solid->particleCount );
	double extent = 1.0;
	int axes = 0;
	for ( int k = 0; k < 3; ++k )
	{
		double wide = (double)pnGetAxis( &box.upper, k ) - (double)pnGetAxis( &box.lower, k );
		extent *= wide > 0.0 ? wide : 1.0;
		axes += wide > 0.0;
	}
	return axes == 3 ? pnCbrt( extent / solid->particleCount ) : axes == 2 ? sqrt( extent / solid->particleCount ) : axes == 1 ? extent / solid->particleCount : 0.0;
}

static bool pnCutSkins( pnCarving* c )
{
	const pnSolid* solid = c->solid;
	pnFrame* frames = NULL;
	bool carried = false, done = true;
	c->skins = pnTakeArray( &c->scratch, pnSkinCut, solid->skinCount );
	for ( int k = 0; k < solid->skinCount; ++k )
	{
		carried = carried || !solid->skins[k].onParticles;
	}
	const pnSolid* form = c->body->match.form;
	frames = carried ? pnTakeArray( &c->scratch, pnFrame, form->clusterCount ) : NULL;
	if ( c->scratch.failed )
	{
		return false;
	}
	for ( int i = 0; carried && i < form->clusterCount; ++i )
	{
		frames[i] = pnComputeFrame( &c->body->match, i, c->body->material.mode );
	}
	c->lead = -1;
	for ( int k = 0; k < solid->skinCount && done; ++k )
	{
		pnScratch local = { 0 };
		const pnSkin* skin = solid->skins + k;
		pnVec3* positions = skin->onParticles ? NULL : pnTakeArray( &local, pnVec3, skin->vertexCount );
		done = !local.failed;
		if ( done && !skin->onParticles )
		{
			pnWriteSkin( form, k, c->body->match.x, frames, positions, NULL, skin->vertexCount );
		}
		pnSkinWhere where = { c->body->match.x, c->body->v, positions, pnMeanSpacing( solid ), c->rules->atRest };
		done = done && pnCutSkin( solid, k, &where, c->blade, pn_kerf * c->size, c->skins + k );
		pnGiveBack( &local );
	}
	return done;
}

// Closed: each edge of its triangles is run through both ways. A skin that was made closed stays so.
static bool pnIsClosedSkin( const pnSkinCut* cut, bool* closed )
{
	if ( cut->closed )
	{
		*closed = true;
		return true;
	}
	pnScratch scratch = { 0 };
	uint8_t* turned = pnTakeArray( &scratch, uint8_t, cut->slice.triangleCount );
	pnSurfaceInfo info = { 0 };
	bool done = !scratch.failed && pnExamineSurface( cut->places, cut->slice.triangles, cut->slice.triangleCount, turned, &info );
	*closed = info.closed;
	pnGiveBack( &scratch );
	return done;
}

static bool pnChooseLead( pnCarving* c )
{
	const pnSolid* solid = c->solid;
	for ( int k = 0; k < solid->skinCount; ++k )
	{
		bool closed = false;
		if ( solid->skins[k].triangleCount == 0 )
		{
			continue;
		}
		if ( !pnIsClosedSkin( c->skins + k, &closed ) )
		{
			return false;
		}
		if ( closed || ( k == 0 && c->skins[k].onParticles ) )
		{
			c->lead = k;
			c->leadClosed = closed;
		}
		if ( c->lead >= 0 )
		{
			break;
		}
	}
	if ( c->lead >= 0 && c->skins[c->lead].onParticles && c->skins[c->lead].sliced )
	{
		memcpy( c->above, c->skins[c->lead].slice.above, (size_t)c->particleCount );
	}
	return true;
}

// ---- what hangs together ----

static bool pnReserveSevered( pnCarving* c, int count )
{
	c->severed = pnTakeArray( &c->scratch, int32_t, 2 * (size_t)count );
	return !c->scratch.failed;
}

static void pnJoinOrSever( pnCarving* c, int32_t* sets, int32_t a, int32_t b )
{
	if ( !pnPassesBetween( c->blade, c->places[a], c->above[a] != 0, c->places[b], c->above[b] != 0 ) )
	{
		pnJoinSets( sets, a, b );
		return;
	}
	c->severed[2 * c->severedCount] = a;
	c->severed[2 * c->severedCount + 1] = b;
	c->severedCount += 1;
}

// Neighbours at rest that the blade does not part join their sets. only: the particles to look at, NULL for all.
static bool pnJoinNeighbors( pnCarving* c, int32_t* sets, const int32_t* before, const int32_t* only, int count )
{
	pnScratch scratch = { 0 };
	pnVec3* rest = pnTakeArray( &scratch, pnVec3, count );
	int32_t* local = pnTakeArray( &scratch, int32_t, count );
	int32_t* first = pnTakeArray( &scratch, int32_t, c->particleCount ); // 1 + the first of a set
	int32_t* pairs = NULL;
	int pairCount = 0;
	bool done = !scratch.failed;
	for ( int i = 0; i < count && done; ++i )
	{
		int32_t p = only != NULL ? only[i] : i, set = before[p];
		rest[i] = c->solid->rest[p];
		first[set] = first[set] == 0 ? i + 1 : first[set];
		local[i] = first[set] - 1;
	}
	done = done && pnFindLinks( rest, count, local, NULL, NULL, &scratch, &pairs, &pairCount ) && pnReserveSevered( c, pairCount );
	for ( int i = 0; i < pairCount && done; ++i )
	{
		int32_t a = only != NULL ? only[pairs[2 * i]] : pairs[2 * i], b = only != NULL ? only[pairs[2 * i + 1]] : pairs[2 * i + 1];
		pnJoinOrSever( c, sets, a, b );
	}
	pnGiveBack( &scratch );
	return done;
}

// Links that the solid has kept: what slits and tears have left.
static bool pnJoinLinks( pnCarving* c, int32_t* sets )
{
	const pnSolid* solid = c->solid;
	bool done = pnReserveSevered( c, solid->linkCount / 2 );
	for ( int p = 0; p < solid->particleCount && done; ++p )
	{
		for ( int k = solid->linkStart[p]; k < solid->linkStart[p + 1]; ++k )
		{
			if ( solid->links[k] > p )
			{
				pnJoinOrSever( c, sets, p, solid->links[k] );
			}
		}
	}
	return done;
}

// Parts of the body that did not touch before were held together by matching alone: their neighbours hold them still.
static bool pnGlueParts( pnCarving* c, const pnSkinCut* lead, int32_t* sets, const uint8_t* onSurface )
{
	const pnSkin* skin = c->solid->skins + lead->skin;
	pnScratch scratch = { 0 };
	int32_t* before = pnTakeArray( &scratch, int32_t, lead->nodeCount );
	int32_t* only = pnTakeArray( &scratch, int32_t, lead->nodeCount );
	bool done = !scratch.failed;
	int count = 0, setCount = 0;
	for ( int i = 0; i < lead->nodeCount && done; ++i )
	{
		before[i] = i;
	}
	const int32_t* corners = c->solid->skinTriangles + 3 * (size_t)skin->firstTriangle;
	for ( int t = 0; t < skin->triangleCount && done; ++t )
	{
		pnJoinSets( before, lead->nodeOf[corners[3 * t]], lead->nodeOf[corners[3 * t + 1]] );
		pnJoinSets( before, lead->nodeOf[corners[3 * t + 1]], lead->nodeOf[corners[3 * t + 2]] );
	}
	for ( int i = 0; i < lead->nodeCount && done; ++i )
	{
		before[i] = pnFindSet( before, i );
		if ( !c->leadClosed || onSurface[i] != 0 ) // what is inside of a closed surface is found by that
		{
			only[count++] = i;
			setCount += before[i] == i;
		}
	}
	if ( done && setCount > 1 )
	{
		if ( lead->onParticles )
		{
			done = pnJoinNeighbors( c, sets, before, only, count );
		}
		else // parts of a carried skin: by their own places
		{
			pnVec3* rest = pnTakeArray( &scratch, pnVec3, count );
			int32_t* local = pnTakeArray( &scratch, int32_t, count );
			int32_t* first = pnTakeArray( &scratch, int32_t, lead->nodeCount );
			int32_t* pairs = NULL;
			int pairCount = 0;
			done = !scratch.failed;
			for ( int i = 0; i < count && done; ++i )
			{
				int32_t set = before[only[i]];
				memcpy( rest + i, lead->values + (size_t)only[i] * lead->valueCount, sizeof( pnVec3 ) );
				first[set] = first[set] == 0 ? i + 1 : first[set];
				local[i] = first[set] - 1;
			}
			done = done && pnFindLinks( rest, count, local, NULL, NULL, &scratch, &pairs, &pairCount );
			for ( int i = 0; i < pairCount && done; ++i )
			{
				int32_t a = only[pairs[2 * i]], b = only[pairs[2 * i + 1]];
				if ( !lead->sliced || !pnPassesBetween( c->blade, lead->places[a], lead->slice.above[a] != 0, lead->places[b], lead->slice.above[b] != 0 ) )
				{
					pnJoinSets( sets, a, b );
				}
			}
		}
	}
	pnGiveBack( &scratch );
	return done;
}

// A hollow belongs to what is around it.
static bool pnJoinHollows( const pnCarving* c, const pnSkinCut* lead, int32_t* sets, const uint8_t* onSurface )
{
	pnScratch scratch = { 0 };
	double* volumes = pnTakeArray( &scratch, double, lead->allCount );
	int32_t* named = pnTakeArray( &scratch, int32_t, lead->allCount );
	uint8_t* opened = pnTakeArray( &scratch, uint8_t, lead->allCount ); // sets that the blade has met
	pnLocator locator = { 0 };
	bool done = !scratch.failed, made = false;
	for ( int i = 0; i < lead->allCount && done; ++i )
	{
		named[i] = pnFindSet( sets, i );
		opened[named[i]] |= i >= lead->nodeCount;
	}
	if ( done )
	{
		pnMeasureSets( lead->places, lead->slice.triangles, lead->slice.triangleCount, named, volumes );
	}
	for ( int i = 0; i < lead->allCount && done; ++i )
	{
		// What a whole plane has met is closed by its own faces: turned inside out, but no hollow.
		if ( named[i] != i || onSurface[i] == 0 || volumes[i] >= 0.0 || ( c->blade->whole && opened[i] != 0 ) )
		{
			continue;
		}
		made = made || pnMakeLocator( lead->places, lead->allCount, lead->slice.triangles, lead->slice.triangleCount, &scratch, &locator );
		done = made;
		int32_t triangle = done ? pnLocate( &locator, lead->places[i], named, i ) : -1;
		if ( triangle >= 0 )
		{
			pnJoinSets( sets, i, lead->slice.triangles[3 * (size_t)triangle] );
		}
	}
	pnGiveBack( &scratch );
	return done;
}

// Sets of the lead's nodes, those that no triangle has not joined to any.
static bool pnFindSets( pnCarving* c, const pnSkinCut* lead, int32_t* sets, uint8_t* onSurface )
{
	for ( int i = 0; i < lead->allCount; ++i )
	{
		sets[i] = i;
	}
	for ( int i = 0; i < 3 * lead->slice.triangleCount; ++i )
	{
		onSurface[lead->slice.triangles[i]] = 1;
	}
	pnJoinTriangles( sets, lead->slice.triangles, lead->slice.triangleCount );
	int count = 0;
	for ( int i = 0; i < lead->allCount; ++i )
	{
		count += onSurface[i] != 0 && sets[i] == i;
	}
	if ( c->blade->whole && c->leadClosed && count == 2 )
	{
		return true; // one above, one below: it was one, and has no hollow by itself
	}
	bool linked = lead->onParticles && !c->leadClosed && c->solid->linkCount > 0;
	return ( linked ? pnJoinLinks( c, sets ) : pnGlueParts( c, lead, sets, onSurface ) ) && ( !c->leadClosed || pnJoinHollows( c, lead, sets, onSurface ) );
}

// Particles that are not on the lead's surface: those of the piece they are inside of.
static bool pnPlaceInside( pnCarving* c, const pnSkinCut* lead, const int32_t* pieceOf, const uint8_t* onSurface )
{
	// Mostly there is one piece above and one below.
	int above = -1, below = -1;
	bool simple = c->blade->whole;
	for ( int i = 0; i < lead->allCount && simple; ++i )
	{
		if ( pieceOf[i] < 0 || onSurface[i] == 0 )
		{
			continue;
		}
		bool up = i < lead->nodeCount ? lead->sliced && lead->slice.above[i] != 0 : lead->slice.added[i - lead->nodeCount].side > 0;
		int* side = up ? &above : &below;
		simple = *side < 0 || *side == pieceOf[i];
		*side = pieceOf[i];
	}
	simple = simple && above >= 0 && below >= 0 && above != below;
	pnScratch scratch = { 0 };
	pnLocator locator = { 0 };
	pnPointTree tree = { 0 };
	int32_t* surface = NULL;
	bool done = true;
	if ( !simple && c->pieceCount > 1 )
	{
		int count = 0;
		surface = pnTakeArray( &scratch, int32_t, lead->allCount );
		for ( int i = 0; i < lead->allCount && !scratch.failed; ++i )
		{
			if ( onSurface[i] != 0 && pieceOf[i] >= 0 )
			{
				surface[count++] = i;
			}
		}
		done = !scratch.failed && pnMakeLocator( lead->places, lead->allCount, lead->slice.triangles, lead->slice.triangleCount, &scratch, &locator ) &&
			   pnBuildPointTree( &tree, lead->places, surface, count, &scratch );
	}
	for ( int p = 0; p < c->particleCount && done; ++p )
	{
		if ( lead->onParticles && onSurface[p] != 0 )
		{
			c->partOf[p] = pieceOf[p];
			continue;
		}
		if ( lead->onParticles && !c->leadClosed )
		{
			c->partOf[p] = pieceOf[p]; // neighbours have told
			continue;
		}
		if ( c->pieceCount == 1 || simple )
		{
			c->partOf[p] = c->pieceCount == 1 ? 0 : pnGetHeight( c->blade, c->places[p] ) >= 0.0 ? above : below;
			continue;
		}
		int32_t triangle = c->leadClosed ? pnLocate( &locator, c->places[p], NULL, -1 ) : -1, nearest = 0;
		double distance2;
		if ( triangle < 0 )
		{
			pnFindNearest( &tree, c->places[p], 1, &nearest, &distance2 );
		}
		c->partOf[p] = pieceOf[triangle >= 0 ? lead->slice.triangles[3 * (size_t)triangle] : nearest];
	}
	pnGiveBack( &scratch );
	return done;
}

// Numbers for sets, by their first node.
static int pnNumberSets( int32_t* sets, const uint8_t* counts, int count, int32_t* pieceOf )
{
	int pieces = 0;
	for ( int i = 0; i < count; ++i )
	{
		int32_t set = pnFindSet( sets, i );
		pieceOf[i] = -1;
		if ( counts != NULL && counts[i] == 0 && set == i )
		{
			continue; // nobody's: found by what it is inside of, or not needed
		}
		pieceOf[i] = set == i ? pieces++ : pieceOf[set];
	}
	return pieces;
}

// Pieces by the lead's skin, or by neighbours. partOf of all particles, pieceOf of the lead's nodes.
static bool pnFindPieces( pnCarving* c )
{
	pnScratch scratch = { 0 };
	pnSkinCut* lead = c->lead >= 0 ? c->skins + c->lead : NULL;
	int count = lead != NULL ? lead->allCount : c->particleCount;
	int32_t* sets = pnTakeArray( &scratch, int32_t, count );
	uint8_t* onSurface = pnTakeArray( &scratch, uint8_t, count );
	bool done = !scratch.failed;
	if ( done && lead != NULL )
	{
		done = pnFindSets( c, lead, sets, onSurface );
		// A set is named by its lowest node, which may be a loose one: count it as on the surface.
		for ( int i = 0; i < count && done; ++i )
		{
			onSurface[pnFindSet( sets, i )] |= onSurface[i] != 0 ? 2 : 0;
		}
		bool loose = lead->onParticles && !c->leadClosed;
		for ( int i = 0; i < lead->nodeCount && done && loose; ++i )
		{
			onSurface[i] |= 2;
		}
		c->pieceCount = done ? pnNumberSets( sets, onSurface, count, lead->pieceOf ) : 0;
		for ( int i = 0; i < count && done; ++i )
		{
			onSurface[i] &= 1;
		}
		done = done && pnPlaceInside( c, lead, lead->pieceOf, onSurface );
		for ( int p = 0; p < c->particleCount && done && lead->onParticles; ++p )
		{
			lead->pieceOf[p] = c->partOf[p];
		}
	}
	else if ( done )
	{
		for ( int i = 0; i < count; ++i )
		{
			sets[i] = i;
		}
		int32_t* before = pnTakeArray( &scratch, int32_t, count );
		done = !scratch.failed;
		for ( int i = 0; i < count && done; ++i )
		{
			before[i] = i;
		}
		done = done && ( c->solid->linkCount > 0 ? pnJoinLinks( c, sets ) : pnJoinNeighbors( c, sets, before, NULL, count ) );
		c->pieceCount = done ? pnNumberSets( sets, NULL, count, c->partOf ) : 0;
	}
	pnGiveBack( &scratch );
	return done;
}

// Skins that do not lead go with the particles they are nearest to, part by part.
static bool pnAssignSkins( pnCarving* c )
{
	pnScratch scratch = { 0 };
	pnPointTree tree = { 0 };
	bool done = true;
	for ( int k = 0; k < c->solid->skinCount && done; ++k )
	{
		pnSkinCut* cut = c->skins + k;
		if ( k == c->lead )
		{
			continue;
		}
		done = tree.points != NULL || pnBuildPointTree( &tree, c->places, NULL, c->particleCount, &scratch );
		pnScratch local = { 0 };
		int32_t* sets = pnTakeArray( &local, int32_t, cut->allCount );
		int32_t* asked = pnTakeArray( &local, int32_t, cut->allCount ); // how often, of a set
		int32_t* answer = pnTakeArray( &local, int32_t, cut->allCount ); // 1 + piece
		done = done && !local.failed;
		for ( int i = 0; i < cut->allCount && done; ++i )
		{
			sets[i] = i;
		}
		if ( done )
		{
			pnJoinTriangles( sets, cut->slice.triangles, cut->slice.triangleCount );
		}
		for ( int i = 0; i < cut->allCount && done; ++i )
		{
			// The first node that is well on one side of the blade and has a neighbour there tells.
			int32_t set = pnFindSet( sets, i ), nearest;
			double distance2;
			if ( answer[set] != 0 && asked[set] >= 8 )
			{
				continue;
			}
			pnFindNearest( &tree, cut->places[i], 1, &nearest, &distance2 );
			bool parted = pnPassesBlade( c->blade, cut->places[i], c->places[nearest] );
			asked[set] += 1;
			if ( answer[set] == 0 || !parted )
			{
				answer[set] = 1 + c->partOf[nearest];
				asked[set] = parted ? asked[set] : 8;
			}
		}
		for ( int i = 0; i < cut->allCount && done; ++i )
		{
			cut->pieceOf[i] = answer[pnFindSet( sets, i )] - 1;
		}
		pnGiveBack( &local );
	}
	pnGiveBack( &scratch );
	return done;
}

// ---- how much each piece has ----

static bool pnWeighPieces( pnCarving* c )
{
	c->volumes = pnTakeArray( &c->scratch, double, c->pieceCount );
	c->masses = pnTakeArray( &c->scratch, double, c->pieceCount );
	c->lives = pnTakeArray( &c->scratch, uint8_t, c->pieceCount );
	if ( c->scratch.failed )
	{
		return false;
	}
	const pnSkinCut* lead = c->lead >= 0 ? c->skins + c->lead : NULL;
	double volume = 0.0, total = (double)c->body->mass;
	for ( int t = 0; c->leadClosed && t < lead->slice.triangleCount; ++t )
	{
		const int32_t* corners = lead->slice.triangles + 3 * (size_t)t;
		const float *a = lead->values + (size_t)corners[0] * lead->valueCount, *b = lead->values + (size_t)corners[1] * lead->valueCount,
					*d = lead->values + (size_t)corners[2] * lead->valueCount;
		double six = (double)a[0] * ( (double)b[1] * d[2] - (double)b[2] * d[1] ) + (double)a[1] * ( (double)b[2] * d[0] - (double)b[0] * d[2] ) +
					 (double)a[2] * ( (double)b[0] * d[1] - (double)b[1] * d[0] );
		c->volumes[lead->pieceOf[corners[0]]] += six / 6.0;
		volume += six / 6.0;
	}
	bool byVolume = c->leadClosed && volume > 0.0;
	for ( int p = 0; p < c->particleCount; ++p )
	{
		c->masses[c->partOf[p]] += total * (double)c->body->match.x[4 * (size_t)p + 3];
	}
	double most = 0.0;
	for ( int k = 0; k < c->pieceCount; ++k )
	{
		double part = byVolume ? c->volumes[k] / volume : c->masses[k] / total;
		part = part > 0.0 ? part : 0.0;
		most = part > most ? part : most;
		c->lives[k] = part >= c->rules->smallest && part > 1e-12;
		if ( byVolume && ( c->solid->density > 0.0f || c->masses[k] <= 0.0 ) )
		{
			c->masses[k] = part * total;
		}
	}
	double sum = 0.0;
	bool any = false;
	for ( int k = 0; k < c->pieceCount; ++k )
	{
		sum += c->masses[k];
		any = any || c->lives[k] != 0;
	}
	for ( int k = 0; k < c->pieceCount; ++k )
	{
		c->masses[k] *= total / sum;
		double part = byVolume ? c->volumes[k] / volume : c->masses[k] / total;
		c->lives[k] |= !any && part == most; // something is always left
		any = any || c->lives[k] != 0;
	}
	return true;
}

// Did the blade do more than shave off nothing?
static bool pnIsTouched( const pnCarving* c )
{
	const pnSkinCut* lead = c->lead >= 0 ? c->skins + c->lead : NULL;
	if ( lead != NULL ? !lead->sliced : c->severedCount == 0 )
	{
		return false;
	}
	int living = 0;
	double lost = 0.0;
	for ( int k = 0; k < c->pieceCount; ++k )
	{
		living += c->lives[k] != 0;
		lost += c->lives[k] != 0 ? 0.0 : c->masses[k];
	}
	return c->pieceCount == 1 || living > 1 || lost > 1e-7 * (double)c->body->mass;
}

// ---- one piece ----

// A piece in the making. Particles: those kept, those that slicing the lead has added, samples of a cut face, a filling.
typedef struct pnGrowth
{
	pnScratch scratch;
	int number;
	int count, capacity;
	pnVec3* rest; // relative to the old solid's centre
	pnVec3 *places, *velocities;
	double* masses; // kg
	int32_t* from; // particle before, or -1
	int32_t* added; // which of the nodes that slicing the lead has added, or -1
	int32_t* sides; // 1, -1 on a lip, 0 else; 2 where the blade ended
	int32_t* nodes; // of the lead's nodes: particle, -1
	int keptCount;
	pnScratch* skinScratch;
	pnSkinPart* skins;
	pnVertexSource** sources;
	int32_t* placeOf; // in the solid
	pnSolid* solid;
} pnGrowth;

static int32_t pnAddParticle( pnGrowth* g, pnVec3 rest, pnVec3 place, pnVec3 velocity, double mass, int32_t from, int32_t side )
{
	g->rest[g->count] = rest, g->places[g->count] = place, g->velocities[g->count] = velocity, g->masses[g->count] = mass;
	g->from[g->count] = from, g->sides[g->count] = side, g->added[g->count] = -1;
	return g->count++;
}

static pnVec3 pnGetVec( const float* row )
{
	return pnMakeVec3( row[0], row[1], row[2] );
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
				free = (double)pnDot( d, d ) > near2 || g->sides[k] * lead->slice.added[i].side < 0; // lips are in one place at rest
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

static bool pnGatherParticles( const pnCarving* c, pnGrowth* g )
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
	g->added = pnTakeRawArray( &g->scratch, int32_t, g->capacity );
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
			g->added[g->nodes[node]] = i;
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
static void pnRestoreMomenta( const pnCarving* c, pnGrowth* growths )
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

// By this blade, or by one before: then what was there is linked or not, and what is new goes with what it came from.
static bool pnAreParted( const void* context, int32_t a, int32_t b )
{
	const pnPartings* p = context;
	const pnGrowth* g = p->g;
	const pnSolid* solid = p->c->solid;
	if ( g->sides[a] == 2 || g->sides[b] == 2 )
	{
		return false; // where the blade has ended
	}
	if ( p->above[a] != p->above[b] && pnPassesBetween( p->c->blade, p->places[a], p->above[a] != 0, p->places[b], p->above[b] != 0 ) )
	{
		return true;
	}
	if ( solid->linkCount == 0 )
	{
		return false;
	}
	if ( g->from[a] >= 0 && g->from[b] >= 0 )
	{
		return !pnWereLinked( solid, g->from[a], g->from[b] );
	}
	int32_t old = g->from[a] >= 0 ? g->from[a] : g->from[b], fresh = g->from[a] >= 0 ? b : a, added = g->added[fresh];
	if ( old < 0 || added < 0 || !p->c->skins[p->c->lead].onParticles )
	{
		return false;
	}
	const pnSliceNode* node = p->c->skins[p->c->lead].slice.added + added;
	bool near = node->from[0] < 0;
	for ( int k = 0; k < 3 && !near; ++k )
	{
		near = node->from[k] == old || pnWereLinked( solid, node->from[k], old );
	}
	return !near;
}

// Neighbours at rest, but for those that are parted.
static bool pnLinkPiece( const pnCarving* c, pnGrowth* g, int32_t** links, int* linkCount )
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
	bool done = !scratch.failed;
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
			if ( q > p && a >= 0 && b >= 0 && !pnPassesBetween( c->blade, c->places[p], c->above[p] != 0, c->places[q], c->above[q] != 0 ) )
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

// ---- from the growth to a body ----

// Cells as large as the clusters were.
static pnClusterDef pnChooseCellsOf( const pnSolid* solid )
{
	pnClusterDef def = pnDefaultSolidDef().clusters;
	double extent = 0.0;
	for ( int c = 0; c < solid->clusterCount; ++c ) // the widest: small ones are what borders and earlier cuts have left of cells
	{
		for ( int axis = 0; axis < 3; ++axis )
		{
			double low = 1e300, high = -1e300;
			for ( int m = solid->clusterStart[c]; m < solid->clusterStart[c] + solid->clusterSize[c]; ++m )
			{
				double at = (double)pnGetAxis( solid->rest + solid->memberPoint[m] / 16, axis );
				low = at < low ? at : low, high = at > high ? at : high;
			}
			extent = high - low > extent ? high - low : extent;
		}
	}
	def.kind = pn_cellClusters;
	def.cellSize = (float)( extent / ( 1.0 + 2.0 * (double)def.overlap ) );
	if ( solid->clusterCount == 1 || !( def.cellSize > 1e-30f ) )
	{
		def.kind = pn_countClusters;
		def.count = 1;
	}
	return def;
}

// As thick as before, but a piece is not to be all thickness.
static float pnChooseThickness( const pnCarving* c, const pnGrowth* g )
{
	float before = c->solid->thickness >= 0.0f ? c->solid->thickness : 0.01f * (float)c->size, own = 0.02f * pnGetLargestExtent( pnFindBounds( g->rest, g->count ) );
	return before < own ? before : own;
}

static pnResult pnAssemblePiece( const pnCarving* c, pnGrowth* g, pnCutPiece* piece )
{
	const pnSolid* solid = c->solid;
	int skinCount = solid->skinCount, kept = 0;
	g->skins = pnTakeArray( &g->scratch, pnSkinPart, skinCount );
	g->sources = pnTakeArray( &g->scratch, pnVertexSource*, skinCount );
	g->skinScratch = pnTakeArray( &g->scratch, pnScratch, skinCount );
	int32_t* links = NULL;
	int linkCount = 0;
	if ( g->scratch.failed || !pnLinkPiece( c, g, &links, &linkCount ) )
	{
		return pn_outOfMemory;
	}
	int vertexCount = 0;
	for ( int k = 0; k < skinCount; ++k )
	{
		if ( !pnMakePieceSkin( solid, c->skins + k, g->number, g->nodes, c->rules->inside, g->skinScratch + k, g->skins + k, g->sources + k ) )
		{
			return pn_outOfMemory;
		}
		vertexCount += g->skins[k].vertexCount;
	}
	// The user's points that the piece keeps, then a point for each new particle.
	int32_t* at = pnTakeArray( &g->scratch, int32_t, c->particleCount ); // 1 + particle of the piece
	int32_t* particleOf = pnTakeArray( &g->scratch, int32_t, (size_t)solid->pointCount + g->count );
	pnVec3* rest = pnTakeArray( &g->scratch, pnVec3, g->count );
	g->placeOf = pnTakeArray( &g->scratch, int32_t, g->count );
	piece->pointSources = pnAllocArray( int32_t, (size_t)solid->pointCount + g->count );
	piece->pointCount = solid->pointCount + g->count; // what is held; cut short below
	piece->vertexSources = pnAllocArray( pnVertexSource, vertexCount );
	piece->vertexCount = vertexCount;
	if ( g->scratch.failed || piece->pointSources == NULL || piece->vertexSources == NULL )
	{
		return pn_outOfMemory;
	}
	for ( int i = 0; i < g->count; ++i )
	{
		pnVec3 r = g->rest[i];
		rest[i] = pnMakeVec3( (float)( (double)r.x + solid->center[0] ), (float)( (double)r.y + solid->center[1] ), (float)( (double)r.z + solid->center[2] ) );
		if ( g->from[i] >= 0 )
		{
			at[g->from[i]] = i + 1;
		}
	}
	int32_t* pointSources = pnTakeArray( &g->scratch, int32_t, (size_t)solid->pointCount + g->count );
	if ( g->scratch.failed )
	{
		return pn_outOfMemory;
	}
	for ( int i = 0; i < solid->pointCount; ++i )
	{
		if ( at[solid->particleOf[i]] != 0 )
		{
			pointSources[kept] = i;
			particleOf[kept++] = at[solid->particleOf[i]] - 1;
		}
	}
	for ( int i = g->keptCount; i < g->count; ++i )
	{
		pointSources[kept] = -1;
		particleOf[kept++] = i;
	}
	pnFreeArray( int32_t, piece->pointSources, piece->pointCount );
	piece->pointCount = kept;
	piece->pointSources = pnAllocArray( int32_t, kept );
	if ( piece->pointSources == NULL )
	{
		return pn_outOfMemory;
	}
	memcpy( piece->pointSources, pointSources, (size_t)kept * sizeof( int32_t ) );
	int next = 0;
	for ( int k = 0; k < skinCount; ++k )
	{
		if ( g->skins[k].vertexCount > 0 )
		{
			memcpy( piece->vertexSources + next, g->sources[k], (size_t)g->skins[k].vertexCount * sizeof( pnVertexSource ) );
		}
		next += g->skins[k].vertexCount;
	}
	pnClusterDef clusters = pnChooseCellsOf( solid );
	double mass = c->masses[g->number] * (double)solid->totalMass / (double)c->body->mass; // as the solid counts it
	for ( int i = 0; i < g->count; ++i )
	{
		g->masses[i] *= mass / c->masses[g->number];
	}
	pnSolidParts parts = {
		.particles = rest,
		.masses = g->masses,
		.particleCount = g->count,
		.particleOf = particleOf,
		.pointCount = kept,
		.totalMass = mass,
		.density = solid->density,
		.thickness = pnChooseThickness( c, g ),
		.clusters = &clusters,
		.links = links,
		.linkCount = linkCount,
		.skins = g->skins,
		.skinCount = skinCount,
	};
	memcpy( parts.tear, linkCount > 0 && c->rules->atRest && c->pieceCount == 1 ? c->rules->tear : linkCount > 0 && c->pieceCount == 1 ? solid->tear : ( float[4] ){ 0 }, sizeof parts.tear );
	g->solid = pnTakeSolid();
	return g->solid != NULL ? pnAssembleSolid( &parts, g->solid, g->placeOf ) : pn_outOfMemory;
}

// Turns and plastic strain of the new clusters: those of the clusters that their particles were in.
static bool pnInheritClusters( const pnCarving* c, const pnGrowth* g, pnBody* body )
{
	const pnSolid *before = c->solid, *solid = body->solid;
	pnScratch scratch = { 0 };
	int32_t* starts = pnTakeArray( &scratch, int32_t, before->particleCount + 1 );
	int32_t* clusters = pnTakeArray( &scratch, int32_t, before->membershipCount );
	int32_t* fromOf = pnTakeArray( &scratch, int32_t, solid->particleCount ); // 1 + particle before
	double* votes = pnTakeArray( &scratch, double, before->clusterCount );
	bool done = !scratch.failed;
	if ( done )
	{
		pnInvertClusters( before->clusterStart, before->clusterSize, before->clusterCount, before->memberPoint, 16, before->particleCount, starts, clusters );
	}
	for ( int i = 0; i < g->count && done; ++i )
	{
		fromOf[g->placeOf[i]] = g->from[i] + 1;
	}
	for ( int k = 0; k < solid->clusterCount && done; ++k )
	{
		memset( votes, 0, (size_t)before->clusterCount * sizeof( double ) );
		double all = 0.0, most = 0.0;
		int best = -1;
		for ( int m = solid->clusterStart[k]; m < solid->clusterStart[k] + solid->clusterSize[k]; ++m )
		{
			int p = fromOf[solid->memberPoint[m] / 16] - 1;
			for ( int i = p >= 0 ? starts[p] : 0; p >= 0 && i < starts[p + 1]; ++i )
			{
				double vote = (double)solid->members[m].w / ( starts[p + 1] - starts[p] );
				votes[clusters[i]] += vote;
				all += vote;
				if ( votes[clusters[i]] > most )
				{
					most = votes[clusters[i]], best = clusters[i];
				}
			}
		}
		pnCluster* cluster = body->match.clusters + k;
		const float* turn = best >= 0 ? c->body->match.clusters[best].rotation : c->rotation;
		pnMat3d plastic = pnIdentity3();
		double hardened = 0.0, strained = 0.0;
		for ( int o = 0; o < before->clusterCount && all > 0.0; ++o )
		{
			const pnCluster* old = c->body->match.clusters + o;
			for ( int i = 0; i < 9 && votes[o] > 0.0; ++i )
			{
				plastic.m[i] += votes[o] / all * ( (double)old->plastic[i] - ( i % 4 == 0 ) );
			}
			hardened += votes[o] / all * (double)old->hardened;
			strained += votes[o] * (double)old->plasticStrain;
		}
		*cluster = (pnCluster){ .softness = 1.0f, .plastic = { 1.0f, 0.0f, 0.0f, 0.0f, 1.0f, 0.0f, 0.0f, 0.0f, 1.0f }, .hardened = (float)hardened };
		memcpy( cluster->rotation, turn, sizeof cluster->rotation );
		double det = pnDet3( plastic );
		if ( strained > 0.0 && det > 1e-6 )
		{
			pnMat3d u, v;
			double s[3], strain = 0.0;
			plastic = pnScale3( 1.0 / pnCbrt( det ), plastic ); // the flow keeps volume; a mean of flows nearly does
			pnSvd3( plastic, &u, s, &v );
			for ( int i = 0; i < 3; ++i )
			{
				strain = fabs( s[i] - 1.0 ) > strain ? fabs( s[i] - 1.0 ) : strain;
			}
			for ( int i = 0; i < 9; ++i )
			{
				cluster->plastic[i] = (float)plastic.m[i];
			}
			cluster->plasticStrain = (float)strain;
			cluster->softness = (float)( 1.0 / ( s[2] > 1e-3 ? s[2] : 1e-3 ) );
		}
	}
	pnGiveBack( &scratch );
	return done;
}

static bool pnInheritPins( const pnCarving* c, const pnGrowth* g, pnBody* body )
{
	const pnBody* before = c->body;
	int count = 0;
	for ( int i = 0; i < before->pinCount; ++i )
	{
		count += c->partOf[before->pins[i].particle] == g->number;
	}
	if ( count == 0 )
	{
		return true;
	}
	body->pins = pnAllocArray( pnPin, count );
	if ( body->pins == NULL )
	{
		return false;
	}
	body->pinCapacity = count;
	for ( int i = 0; i < g->count; ++i )
	{
		for ( int k = 0; k < before->pinCount && g->from[i] >= 0; ++k )
		{
			if ( before->pins[k].particle == g->from[i] )
			{
				int at = body->pinCount++;
				for ( ; at > 0 && body->pins[at - 1].particle > g->placeOf[i]; --at )
				{
					body->pins[at] = body->pins[at - 1];
				}
				body->pins[at] = before->pins[k];
				body->pins[at].particle = g->placeOf[i];
			}
		}
	}
	return pnHoldPins( body );
}

static pnResult pnGiveLife( const pnCarving* c, const pnGrowth* g, pnCutPiece* piece )
{
	const pnBody* before = c->body;
	pnBody* body = pnMakeBody( g->solid );
	piece->body = body;
	if ( body == NULL )
	{
		return pn_outOfMemory;
	}
	body->material = before->material;
	body->gravityScale = before->gravityScale;
	body->userData = before->userData;
	body->filter = before->filter;
	body->detector = before->detector == pn_tetDetector ? pn_fieldDetector : before->detector;
	body->selfContact = before->selfContact;
	body->newness = 1.0f;
	body->force = pnScale( (float)( c->masses[g->number] / (double)before->mass ), before->force );
	pnWeighBody( body, &body->material );
	body->response = pnMakeResponse( &body->material, before->response.step, body->solid->overlapping );
	for ( int i = 0; i < g->count; ++i )
	{
		int32_t at = g->placeOf[i];
		float m = body->solid->mass[at];
		memcpy( (float*)body->match.x + 4 * (size_t)at, ( float[4] ){ g->places[i].x, g->places[i].y, g->places[i].z, m }, 16 );
		memcpy( body->v + 4 * (size_t)at, ( float[4] ){ g->velocities[i].x, g->velocities[i].y, g->velocities[i].z, 1.0f / m }, 16 );
	}
	for ( int i = g->count; i < body->count; ++i ) // empty rows lie somewhere near
	{
		memcpy( (float*)body->match.x + 4 * (size_t)i, body->match.x, 3 * sizeof( float ) );
	}
	if ( !pnInheritClusters( c, g, body ) || !pnInheritPins( c, g, body ) )
	{
		return pn_outOfMemory;
	}
	bool touches = body->filter.layers != 0 && body->filter.mask != 0;
	if ( ( touches || body->detector == pn_surfaceDetector ) && !pnSurfaceSolid( body->solid ) )
	{
		return pn_outOfMemory;
	}
	body->detector = body->detector == pn_surfaceDetector && !body->solid->surface.closed ? pn_fieldDetector : body->detector;
	pnRefreshBody( body );
	return pn_success;
}

// ---- all of it ----

static pnResult pnMakePieces( pnCarving* c, pnGrowth* growths, pnCutBody* cut )
{
	bool done = true;
	for ( int g = 0; g < c->pieceCount && done; ++g )
	{
		growths[g].number = g;
		done = pnGatherParticles( c, growths + g );
		c->lives[g] = c->lives[g] != 0 && growths[g].count > 0;
	}
	if ( !done )
	{
		return pn_outOfMemory;
	}
	pnRestoreMomenta( c, growths );
	pnResult result = pn_success;
	for ( int g = 0; g < c->pieceCount && result == pn_success; ++g )
	{
		pnCutPiece* piece = cut->pieces + g;
		piece->mass = c->masses[g];
		double center[3] = { 0 }, sum = 0.0;
		for ( int i = 0; i < growths[g].count; ++i )
		{
			center[0] += growths[g].masses[i] * (double)growths[g].places[i].x, center[1] += growths[g].masses[i] * (double)growths[g].places[i].y;
			center[2] += growths[g].masses[i] * (double)growths[g].places[i].z, sum += growths[g].masses[i];
		}
		if ( sum > 0.0 )
		{
			piece->center = pnMakeVec3( (float)( center[0] / sum ), (float)( center[1] / sum ), (float)( center[2] / sum ) );
		}
		if ( c->lives[g] == 0 )
		{
			continue;
		}
		result = pnAssemblePiece( c, growths + g, piece );
		result = result == pn_success ? pnGiveLife( c, growths + g, piece ) : result;
		for ( int i = 0; i < growths[g].count && result == pn_success; ++i )
		{
			if ( growths[g].from[i] >= 0 )
			{
				cut->pieceOf[growths[g].from[i]] = g;
				cut->particleOf[growths[g].from[i]] = growths[g].placeOf[i];
			}
		}
	}
	return result;
}

static pnResult pnCarve( pnCarving* c, pnCutBody* cut )
{
	const pnBody* body = c->body;
	c->particleCount = c->solid->particleCount;
	c->size = (double)pnGetLargestExtent( pnFindBounds( c->solid->rest, c->particleCount ) );
	c->partOf = pnTakeArray( &c->scratch, int32_t, c->particleCount );
	c->places = pnTakeArray( &c->scratch, pnVec3, c->particleCount );
	c->above = pnTakeArray( &c->scratch, uint8_t, c->particleCount );
	if ( c->scratch.failed )
	{
		return pn_outOfMemory;
	}
	bool above = false, below = false;
	for ( int p = 0; p < c->particleCount; ++p )
	{
		c->places[p] = c->rules->atRest ? c->solid->rest[p] : pnGetVec( body->match.x + 4 * (size_t)p );
		bool up = pnGetHeight( c->blade, c->places[p] ) >= 0.0;
		c->above[p] = up;
		above = above || up, below = below || !up;
	}
	bool carried = c->solid->skinCount > 0 && !c->solid->skins[0].onParticles; // a skin may reach farther than the particles do
	if ( ( !above || !below ) && !carried )
	{
		return pn_success;
	}
	if ( !pnCutSkins( c ) )
	{
		return pn_outOfMemory;
	}
	bool any = c->solid->skinCount == 0;
	for ( int k = 0; k < c->solid->skinCount; ++k )
	{
		any = any || c->skins[k].sliced || c->solid->skins[k].triangleCount == 0;
	}
	if ( !any )
	{
		return pn_success;
	}
	pnBodyMotion motion = pnMeasureBody( body );
	pnTransform whole = pnRigidFit( body, &motion );
	memcpy( c->rotation, &whole.q, sizeof c->rotation );
	if ( !pnChooseLead( c ) || !pnFindPieces( c ) || !pnAssignSkins( c ) )
	{
		return pn_outOfMemory;
	}
	// Where the blade has not cut, at rest or as it lies, the lips are drawn apart likewise.
	pnSkinCut* lead = c->lead >= 0 ? c->skins + c->lead : NULL;
	pnVec3 across = { (float)c->blade->n[0], (float)c->blade->n[1], (float)c->blade->n[2] };
	across = pnRotate( c->rules->atRest ? whole.q : pnConjugate( whole.q ), across );
	for ( int i = 0; lead != NULL && lead->slice.ends && i < lead->slice.addedCount; ++i )
	{
		float* other = lead->values + (size_t)( lead->nodeCount + i ) * lead->valueCount;
		for ( int k = 0; k < 3; ++k )
		{
			other[k] = (float)( (double)other[k] + pn_kerf * c->size * lead->slice.added[i].side * (double)( &across.x )[k] );
		}
	}
	for ( int k = 0; k < c->solid->skinCount && c->rules->atRest; ++k )
	{
		pnTurnSkin( c->skins + k );
	}
	if ( !pnWeighPieces( c ) )
	{
		return pn_outOfMemory;
	}
	if ( !pnIsTouched( c ) )
	{
		return pn_success;
	}
	cut->pieces = pnAllocArray( pnCutPiece, c->pieceCount );
	cut->pieceOf = pnAllocArray( int32_t, c->particleCount );
	cut->particleOf = pnAllocArray( int32_t, c->particleCount );
	cut->pieceCount = c->pieceCount;
	cut->particleCount = c->particleCount;
	pnGrowth* growths = pnTakeArray( &c->scratch, pnGrowth, c->pieceCount );
	if ( c->scratch.failed || cut->pieces == NULL || cut->pieceOf == NULL || cut->particleOf == NULL )
	{
		return pn_outOfMemory;
	}
	for ( int p = 0; p < c->particleCount; ++p )
	{
		cut->pieceOf[p] = cut->particleOf[p] = -1;
	}
	pnResult result = pnMakePieces( c, growths, cut );
	for ( int g = 0; g < c->pieceCount; ++g )
	{
		for ( int k = 0; k < c->solid->skinCount && growths[g].skinScratch != NULL; ++k )
		{
			pnGiveBack( growths[g].skinScratch + k );
		}
		pnDestroySolid( growths[g].solid );
		pnGiveBack( &growths[g].scratch );
	}
	cut->touched = result == pn_success;
	return result;
}

pnResult pnCutApart( const pnBody* body, const pnBlade* blade, const pnCutRules* rules, pnCutBody* cut )
{
	*cut = (pnCutBody){ 0 };
	pnCarving carving = { .body = body, .solid = body->solid, .blade = blade, .rules = rules };
	pnResult result = pnCarve( &carving, cut );
	for ( int k = 0; k < body->solid->skinCount && carving.skins != NULL; ++k )
	{
		pnGiveBack( &carving.skins[k].scratch );
	}
	pnGiveBack( &carving.scratch );
	return result;
}

void pnFreeCutBody( pnCutBody* cut )
{
	for ( int i = 0; i < cut->pieceCount && cut->pieces != NULL; ++i )
	{
		pnFreeBody( cut->pieces[i].body );
		pnFreeArray( int32_t, cut->pieces[i].pointSources, cut->pieces[i].pointCount );
		pnFreeArray( pnVertexSource, cut->pieces[i].vertexSources, cut->pieces[i].vertexCount );
	}
	pnFreeArray( pnCutPiece, cut->pieces, cut->pieceCount );
	pnFreeArray( int32_t, cut->pieceOf, cut->particleCount );
	pnFreeArray( int32_t, cut->particleOf, cut->particleCount );
	*cut = (pnCutBody){ 0 };
}
