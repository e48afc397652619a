// carve.c - what hangs together after a cut: by the skin that leads, by what is inside of what, by neighbours. Knows one body; no world.
#include "carve.h"

#include "../base/mesh.h"
#include "../base/trig.h"
#include "../cut/parts.h"
#include "cluster.h"
#include "frame.h"
#include "skin.h"

#include <math.h>

// ---- which skin leads, and where skins are ----

// How far a piece's particles should be apart at rest: as before the first cut, whatever the faces of later ones have added.
double pnMeanSpacing( const pnSolid* solid )
{
	if ( solid->spacing > 0.0f )
	{
		return (double)solid->spacing;
	}
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

bool pnCutSkins( pnCarving* c )
{
	const pnSolid* solid = c->solid;
	bool carried = false, done = true;
	c->skins = pnTakeArray( &c->scratch, pnSkinCut, solid->skinCount );
	for ( int k = 0; k < solid->skinCount; ++k )
	{
		carried = carried || !solid->skins[k].onParticles;
	}
	const pnSolid* form = c->body->match.form;
	pnFrame* frames = carried ? pnTakeArray( &c->scratch, pnFrame, form->clusterCount ) : NULL;
	c->frames = frames;
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
			if ( c->body->shiftLeft > 0.0f )
			{
				pnShiftSkin( form, k, frames, c->body->shifts, c->body->shiftLeft, positions, skin->vertexCount );
			}
		}
		pnSkinWhere where = { c->body->match.x, c->body->v, positions, c->spacing, c->rules->atRest };
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

// Where the blade goes on in an older slit, particles beside that are on its sides, whichever way the blade passes them. Lips near a particle tell, those that its
// own clusters carry: none reaches across but around the slit's end, where lips disagree and the blade decides.
static bool pnSideWithLips( pnCarving* c )
{
	static const double agree = 0.8; // of the lips' weight
	const pnSkinCut* lead = c->skins + c->lead;
	const pnSolid* solid = c->solid;
	if ( lead->onParticles || lead->lips == NULL )
	{
		return true;
	}
	pnScratch scratch = { 0 };
	const pnSkin* skin = solid->skins + lead->skin;
	int32_t* lips = pnTakeRawArray( &scratch, int32_t, skin->vertexCount ); // vertices
	int32_t* starts = pnTakeArray( &scratch, int32_t, solid->particleCount + 1 );
	int32_t* clusters = pnTakeArray( &scratch, int32_t, solid->membershipCount );
	int32_t* own = pnTakeArray( &scratch, int32_t, solid->clusterCount ); // 1 + the last particle that has it
	bool done = !scratch.failed;
	int lipCount = 0;
	for ( int v = 0; v < skin->vertexCount && done; ++v )
	{
		int lip = lead->lips[lead->nodeOf[v]];
		lips[lipCount] = v;
		lipCount += lip == 1 || lip == -1;
	}
	if ( done && lipCount > 0 )
	{
		pnInvertClusters( solid->clusterStart, solid->clusterSize, solid->clusterCount, solid->memberPoint, 16, solid->particleCount, starts, clusters );
	}
	double spacing = c->spacing, snap = pn_snap * spacing;
	for ( int p = 0; p < c->particleCount && done && lipCount > 0; ++p )
	{
		if ( fabs( pnGetHeight( c->blade, c->places[p] ) ) > snap )
		{
			continue;
		}
		for ( int i = starts[p]; i < starts[p + 1]; ++i )
		{
			own[clusters[i]] = p + 1;
		}
		double sum = 0.0, all = 0.0;
		for ( int n = 0; n < lipCount; ++n )
		{
			int32_t node = lead->nodeOf[lips[n]], at = skin->firstVertex + lips[n];
			pnVec3 rest = c->rules->atRest ? lead->places[node] : pnGetVec( lead->values + (size_t)node * lead->valueCount ), d = pnSub( rest, solid->rest[p] );
			for ( int i = solid->skinBondStart[at]; i < solid->skinBondStart[at + 1] && (double)pnDot( d, d ) < spacing * spacing; ++i )
			{
				double weight = own[solid->skinBonds[i].cluster] == p + 1 ? (double)solid->skinBonds[i].weight : 0.0;
				sum += lead->lips[node] * weight, all += weight;
			}
		}
		c->above[p] = fabs( sum ) > agree * all ? sum > 0.0 : c->above[p];
	}
	pnGiveBack( &scratch );
	return done;
}

bool pnChooseLead( pnCarving* c )
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
	return c->lead < 0 || pnSideWithLips( c );
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

// Nodes that neighbours at rest may hold together: particles, or those of a carried skin.
typedef struct pnGlued
{
	const float* rest; // of each node, `stride` floats apart
	int stride, nodeCount;
	const pnVec3* places; // where the blade cuts
	const uint8_t* above;
	const int32_t* sets; // what holds together anyway
} pnGlued;

// Neighbours at rest that the blade does not part join their sets. only: the nodes to look at, NULL for all. Pairs of particles that it
// does part are kept in mind.
static bool pnJoinNeighbors( pnCarving* c, int32_t* sets, const pnGlued* glued, const int32_t* only, int count )
{
	pnScratch scratch = { 0 };
	pnVec3* rest = pnTakeArray( &scratch, pnVec3, count );
	int32_t* local = pnTakeArray( &scratch, int32_t, count );
	int32_t* first = pnTakeArray( &scratch, int32_t, glued->nodeCount ); // 1 + the first of a set
	int32_t* pairs = NULL;
	int pairCount = 0;
	bool done = !scratch.failed, particles = glued->places == c->places;
	for ( int i = 0; i < count && done; ++i )
	{
		int32_t node = only != NULL ? only[i] : i, set = glued->sets[node];
		memcpy( rest + i, glued->rest + (size_t)node * glued->stride, sizeof( pnVec3 ) );
		first[set] = first[set] == 0 ? i + 1 : first[set];
		local[i] = first[set] - 1;
	}
	done = done && pnFindLinks( rest, count, local, NULL, NULL, &scratch, &pairs, &pairCount ) && ( !particles || pnReserveSevered( c, pairCount ) );
	for ( int i = 0; i < pairCount && done; ++i )
	{
		int32_t a = only != NULL ? only[pairs[2 * i]] : pairs[2 * i], b = only != NULL ? only[pairs[2 * i + 1]] : pairs[2 * i + 1];
		if ( particles )
		{
			pnJoinOrSever( c, sets, a, b );
		}
		else if ( !pnPassesBetween( c->blade, glued->places[a], glued->above[a] != 0, glued->places[b], glued->above[b] != 0 ) )
		{
			pnJoinSets( sets, a, b );
		}
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
	if ( done && setCount > 1 && lead->sliced )
	{
		pnGlued particles = { &c->solid->rest[0].x, 3, lead->nodeCount, c->places, c->above, before };
		pnGlued carried = { lead->values, lead->valueCount, lead->nodeCount, lead->places, lead->slice.above, before };
		done = pnJoinNeighbors( c, sets, lead->onParticles ? &particles : &carried, only, count );
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
		if ( triangle >= 0 && pnWindAround( &locator, c->places[p], pieceOf, pieceOf[lead->slice.triangles[3 * (size_t)triangle]] ) <= 0 )
		{
			triangle = -1; // it is outside, on the skin or off it, and the way leads into another piece and out again
		}
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
bool pnFindPieces( pnCarving* c )
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
		done = done && ( c->solid->linkCount > 0 ? pnJoinLinks( c, sets ) : pnJoinNeighbors( c, sets, &( pnGlued ){ &c->solid->rest[0].x, 3, count, c->places, c->above, before }, NULL, count ) );
		c->pieceCount = done ? pnNumberSets( sets, NULL, count, c->partOf ) : 0;
	}
	pnGiveBack( &scratch );
	return done;
}

// Skins that do not lead go with the particles they are nearest to, part by part.
bool pnAssignSkins( pnCarving* c )
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

static pnMat3d pnRoot3( pnMat3d m ) // symmetric, none negative
{
	pnMat3d axes, root = { { 0 } };
	double values[3];
	pnEigen3( m, &axes, values );
	for ( int k = 0; k < 27; ++k )
	{
		int e = k / 9, row = k % 9 / 3, column = k % 3;
		root.m[k % 9] += axes.m[3 * row + e] * axes.m[3 * column + e] * sqrt( values[e] > 0.0 ? values[e] : 0.0 );
	}
	return root;
}

// Moments of volumes: of one, of places, of products of places xx yy zz xy yz zx.
typedef struct pnVolume { double volume, first[3], second[6]; } pnVolume;

static pnMat3d pnGetSpread( const pnVolume* of )
{
	static const int at[9] = { 0, 3, 5, 3, 1, 4, 5, 4, 2 };
	pnMat3d spread;
	for ( int k = 0; k < 9; ++k )
	{
		spread.m[k] = of->second[at[k]] / of->volume - of->first[k / 3] / of->volume * of->first[k % 3] / of->volume;
	}
	return spread;
}

static bool pnIsSolid3( pnMat3d spread ) // not flat
{
	static const double flat = 1e-6; // of squared extents
	pnMat3d axes;
	double values[3];
	pnEigen3( spread, &axes, values );
	double most = values[0] > values[1] ? values[0] : values[1], least = values[0] < values[1] ? values[0] : values[1];
	most = most > values[2] ? most : values[2], least = least < values[2] ? least : values[2];
	return least > flat * most;
}

// The particles of a body may reach farther than its volume, if they are on its skin, or less far. Those of each piece do likewise: the symmetric map that takes the volume's spread to
// that of the particles takes the piece's volume to what its particles are to have. So a body that was shaved is as stiff as it was along each axis.
static void pnFindSpreads( pnCarving* c, const pnVolume* all, const pnVolume* volumes )
{
	pnVolume particles = { .volume = 1.0 };
	for ( int p = 0; p < c->particleCount; ++p )
	{
		const double part = (double)c->body->match.x[4 * (size_t)p + 3], at[3] = { c->solid->rest[p].x, c->solid->rest[p].y, c->solid->rest[p].z };
		for ( int k = 0; k < 3; ++k )
		{
			int next = k < 2 ? k + 1 : 0;
			particles.first[k] += part * at[k];
			particles.second[k] += part * at[k] * at[k];
			particles.second[3 + k] += part * at[k] * at[next];
		}
	}
	pnMat3d whole = pnGetSpread( all ), cloud = pnGetSpread( &particles );
	bool known = pnIsSolid3( whole ) && pnIsSolid3( cloud );
	for ( int k = 0; k < c->pieceCount && known; ++k )
	{
		known = volumes[k].volume > 0.0;
	}
	if ( !known )
	{
		c->spreads = NULL;
		return;
	}
	pnMat3d root = pnRoot3( whole ), inverse = pnInverse3( root ), map = pnMul3( inverse, pnMul3( pnRoot3( pnMul3( root, pnMul3( cloud, root ) ) ), inverse ) );
	for ( int k = 0; k < c->pieceCount; ++k )
	{
		c->spreads[k] = pnMul3( map, pnMul3( pnGetSpread( volumes + k ), map ) );
	}
}

bool pnWeighPieces( pnCarving* c )
{
	c->volumes = pnTakeArray( &c->scratch, double, c->pieceCount );
	c->masses = pnTakeArray( &c->scratch, double, c->pieceCount );
	c->lives = pnTakeArray( &c->scratch, uint8_t, c->pieceCount );
	if ( c->scratch.failed )
	{
		return false;
	}
	const pnSkinCut* lead = c->lead >= 0 ? c->skins + c->lead : NULL;
	double volume = 0.0, total = (double)c->body->mass, before[3] = { 0 };
	double* centers = pnTakeArray( &c->scratch, double, 3 * (size_t)c->pieceCount );
	pnVolume all = { 0 }, *volumes = pnTakeArray( &c->scratch, pnVolume, c->pieceCount );
	c->spreads = pnTakeArray( &c->scratch, pnMat3d, c->pieceCount );
	if ( c->scratch.failed )
	{
		return false;
	}
	for ( int t = 0; c->leadClosed && t < lead->slice.triangleCount; ++t )
	{
		const int32_t* corners = lead->slice.triangles + 3 * (size_t)t;
		const float *a = lead->values + (size_t)corners[0] * lead->valueCount, *b = lead->values + (size_t)corners[1] * lead->valueCount,
					*d = lead->values + (size_t)corners[2] * lead->valueCount;
		double six = (double)a[0] * ( (double)b[1] * d[2] - (double)b[2] * d[1] ) + (double)a[1] * ( (double)b[2] * d[0] - (double)b[0] * d[2] ) +
					 (double)a[2] * ( (double)b[0] * d[1] - (double)b[1] * d[0] );
		c->volumes[lead->pieceOf[corners[0]]] += six / 6.0;
		volume += six / 6.0;
		pnVolume* of = volumes + lead->pieceOf[corners[0]];
		const double sum[3] = { (double)a[0] + b[0] + d[0], (double)a[1] + b[1] + d[1], (double)a[2] + b[2] + d[2] };
		for ( int k = 0; k < 3; ++k ) // of the tetrahedron over the origin
		{
			int next = k < 2 ? k + 1 : 0;
			of->first[k] += six / 24.0 * sum[k];
			of->second[k] += six / 120.0 * ( (double)a[k] * a[k] + (double)b[k] * b[k] + (double)d[k] * d[k] + sum[k] * sum[k] );
			of->second[3 + k] += six / 120.0 * ( (double)a[k] * a[next] + (double)b[k] * b[next] + (double)d[k] * d[next] + sum[k] * sum[next] );
		}
	}
	for ( int k = 0; k < 3 * c->pieceCount; ++k )
	{
		all.first[k % 3] += volumes[k / 3].first[k % 3];
	}
	for ( int k = 0; k < 6 * c->pieceCount; ++k )
	{
		all.second[k % 6] += volumes[k / 6].second[k % 6];
	}
	bool byVolume = c->leadClosed && volume > 0.0;
	for ( int p = 0; p < c->particleCount; ++p )
	{
		double part = (double)c->body->match.x[4 * (size_t)p + 3];
		c->masses[c->partOf[p]] += total * part;
		for ( int k = 0; k < 3; ++k )
		{
			before[k] += part * (double)pnGetAxis( c->solid->rest + p, k );
		}
	}
	// Each piece's centre of mass is that of its volume, as far off as the body's was: together they have the centre that the body had.
	// Not of what is torn (atRest): its bodies are strained, and masses that move in them would change the energy they hold (tear.BonesPartInTheWaist).
	bool known = c->pieceCount > 1 && byVolume && c->solid->density > 0.0f && !c->rules->atRest;
	all.volume = volume;
	for ( int k = 0; k < 3 * c->pieceCount && known; ++k )
	{
		double own = volumes[k / 3].volume = c->volumes[k / 3];
		centers[k] = before[k % 3] + ( own > 0.0 ? volumes[k / 3].first[k % 3] / own - all.first[k % 3] / volume : 0.0 );
	}
	c->centers = known ? centers : NULL;
	if ( known )
	{
		pnFindSpreads( c, &all, volumes );
	}
	// Smallest is a part of what was cut first: what is chopped up does not end as dust of dust.
	double most = 0.0, ofWhole = c->solid->whole > 0.0f ? (double)c->solid->totalMass / (double)c->solid->whole : 1.0;
	for ( int k = 0; k < c->pieceCount; ++k )
	{
		double part = byVolume ? c->volumes[k] / volume : c->masses[k] / total;
		part = part > 0.0 ? part : 0.0;
		most = part > most ? part : most;
		c->lives[k] = part * ofWhole >= c->rules->smallest && part > 1e-12;
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

// What slits part, by this blade and those before, is told by the lead's surface if it is closed.
bool pnRaiseWalls( pnCarving* c )
{
	static const double twin = 1e-5, near = 0.05; // of the size: nodes of two lips, which are a kerf apart; of the spacing: walls of one slit
	const pnSkinCut* lead = c->lead >= 0 ? c->skins + c->lead : NULL;
	c->walled = lead != NULL && c->leadClosed && lead->sliced && ( lead->slice.ends || c->solid->linkCount > 0 );
	if ( !c->walled )
	{
		return true;
	}
	pnScratch scratch = { 0 };
	pnVec3* rest = pnTakeRawArray( &scratch, pnVec3, lead->allCount );
	bool done = !scratch.failed;
	for ( int i = 0; i < lead->allCount && done; ++i )
	{
		rest[i] = pnGetVec( lead->values + (size_t)i * lead->valueCount );
	}
	double spacing = c->spacing;
	pnWallSource source = { rest, lead->allCount, lead->slice.triangles, lead->slice.triangleCount, pn_inset * spacing, ( lead->onParticles ? 0.5 : 1.0 ) * pn_borrow * spacing };
	done = done && pnMakeWalls( &source, twin * c->size, near * spacing, &c->scratch, &c->walls );
	for ( int i = 0; i < lead->allCount && done; ++i )
	{
		c->walls.eyes[i] = pnKeepSide( c->walls.eyes[i], rest[i], c->across, pnGetSide( lead, i ), pn_inset * spacing );
	}
	pnGiveBack( &scratch );
	return done;
}

// Did the blade do more than shave off nothing?
bool pnIsTouched( const pnCarving* c )
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
