// piece.c - a blade through a body: the pieces that it falls into, as bodies ready to live. Knows one body; no world.
#include "piece.h"

#include "../base/mat3.h"
#include "../base/mesh.h"
#include "../base/trig.h"
#include "carve.h"
#include "cluster.h"
#include "frame.h"
#include "skin.h"

#include <math.h>

// ---- from the growth to a body ----

// The cells of a solid whose clusters were given: so many along each axis that its widest cluster is about as wide as theirs. A cell reaches over
// on the sides where it has a neighbour: on none, on one, or from three cells on in the middle on both.
static pnCellSize pnGuessCells( const pnSolid* solid, float overlap )
{
	pnAABB bounds = pnFindBounds( solid->rest, solid->particleCount );
	pnCellSize size = { .overlap = overlap };
	for ( int axis = 0; axis < 3; ++axis )
	{
		double extent = (double)pnGetAxis( &bounds.upper, axis ) - (double)pnGetAxis( &bounds.lower, axis ), widest = 0.0;
		for ( int c = 0; c < solid->clusterCount; ++c ) // small ones are what borders have left of cells
		{
			double low = 1e300, high = -1e300;
			for ( int m = solid->clusterStart[c]; m < solid->clusterStart[c] + solid->clusterSize[c]; ++m )
			{
				double at = (double)pnGetAxis( solid->rest + solid->memberPoint[m] / 16, axis );
				low = at < low ? at : low, high = at > high ? at : high;
			}
			widest = high - low > widest ? high - low : widest;
		}
		double reach = (double)overlap, half = 0.5 * ( 1.0 + reach ), third = ( 1.0 + 2.0 * reach ) / 3.0; // widths of a cell of two, of three, in parts of all
		double part = extent > 0.0 && widest > 0.0 ? widest / extent : 1.0;
		double inner = floor( ( 1.0 + 2.0 * reach ) / part + 0.5 );
		// Between two numbers the mean of what they would give decides.
		double count = part > 0.5 * ( 1.0 + half ) ? 1.0 : part > 0.5 * ( half + third ) ? 2.0 : inner > 3.0 ? inner : 3.0;
		size.edges[axis] = (float)( extent > 0.0 ? extent / count : 1.0 );
	}
	return size;
}

// A piece has cells as large as those of what it was cut from: as many as fit, and as stiff.
static pnCellSize pnGetCellsOf( const pnSolid* solid )
{
	return solid->cells.edges[0] > 0.0f ? solid->cells : pnGuessCells( solid, pnDefaultSolidDef().clusters.overlap );
}

// Where a skin is carried, points that the cut has added may stand out from those that were there: cells are laid over these, as they were, unless little is left of them.
static bool pnFrameCells( const pnCarving* c, const pnGrowth* g, const pnVec3* rest, pnAABB* frame )
{
	static const float enough = 0.75f; // of the extent
	if ( c->lead < 0 || c->skins[c->lead].onParticles || g->keptCount == 0 )
	{
		return false;
	}
	*frame = pnFindBounds( rest, g->keptCount );
	pnVec3 kept = pnSub( frame->upper, frame->lower );
	pnAABB all = pnFindBounds( rest, g->count );
	pnVec3 whole = pnSub( all.upper, all.lower );
	return kept.x > enough * whole.x && kept.y > enough * whole.y && kept.z > enough * whole.z;
}

// As thick as before, so that what lies stays where it is; but a piece is not to be all thickness: no more than a tenth of what it is across its thinnest way.
static float pnChooseThickness( const pnCarving* c, const pnGrowth* g )
{
	static const double part = 0.1, thinnest = 1e-3; // of the longest way: what is thinner is a sheet, and was one before
	double center[3] = { 0 }, values[3];
	pnMat3d moment = { { 0 } }, axes;
	for ( int i = 0; i < g->count; ++i )
	{
		center[0] += (double)g->rest[i].x / g->count, center[1] += (double)g->rest[i].y / g->count, center[2] += (double)g->rest[i].z / g->count;
	}
	for ( int i = 0; i < g->count; ++i )
	{
		const double d[3] = { (double)g->rest[i].x - center[0], (double)g->rest[i].y - center[1], (double)g->rest[i].z - center[2] };
		for ( int k = 0; k < 9; ++k )
		{
			moment.m[k] += d[k / 3] * d[k % 3];
		}
	}
	for ( int k = 0; k < 9; ++k )
	{
		moment.m[k] /= g->count;
	}
	pnEigen3( moment, &axes, values );
	double least = values[0], most = values[0];
	for ( int k = 1; k < 3; ++k )
	{
		least = values[k] < least ? values[k] : least, most = values[k] > most ? values[k] : most;
	}
	float before = c->solid->thickness >= 0.0f ? c->solid->thickness : 0.01f * (float)c->size;
	before = atomic_load( &c->solid->surfaceState ) == 2 ? c->solid->surface.thickness : before;
	if ( !( least > thinnest * thinnest * most ) )
	{
		float own = 0.02f * pnGetLargestExtent( pnFindBounds( g->rest, g->count ) );
		return before < own ? before : own;
	}
	float own = (float)( part * sqrt( 12.0 * least ) ); // a slab of that variance is so thick
	return before < own ? before : own;
}

static pnResult pnAssemblePiece( const pnCarving* c, pnGrowth* g, pnCutPiece* piece )
{
	const pnSolid* solid = c->solid;
	int skinCount = solid->skinCount, kept = 0;
	g->skins = pnTakeArray( &g->scratch, pnSkinPart, skinCount );
	g->sources = pnTakeArray( &g->scratch, pnVertexSource*, skinCount );
	g->skinNodes = pnTakeArray( &g->scratch, int32_t*, skinCount );
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
		int32_t* nodes = NULL;
		if ( !pnMakePieceSkin( solid, c->skins + k, g->number, g->nodes, c->rules->inside, g->skinScratch + k, g->skins + k, g->sources + k, &nodes ) )
		{
			return pn_outOfMemory;
		}
		g->skinNodes[k] = nodes;
		if ( linkCount > 0 && !c->skins[k].onParticles )
		{
			int32_t* anchors = pnTakeArray( g->skinScratch + k, int32_t, g->skins[k].vertexCount );
			if ( anchors == NULL || !pnAnchorSkin( c, g, c->skins + k, g->sources[k], nodes, g->skins[k].vertexCount, links, linkCount, anchors ) )
			{
				return pn_outOfMemory;
			}
			g->skins[k].anchors = anchors;
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
	pnCellSize cells = pnGetCellsOf( solid );
	pnAABB frame;
	pnClusterDef clusters = { .kind = pn_cellClusters, .overlap = cells.overlap };
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
		.cells = &cells,
		.frame = pnFrameCells( c, g, rest, &frame ) ? &frame : NULL,
		.spacing = (float)c->spacing,
		.whole = solid->whole > 0.0f ? solid->whole : solid->totalMass,
		.breadth2 = solid->breadth2 > 0.0f ? solid->breadth2 : (float)c->body->breadth2,
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
				votes[clusters[i]] += (double)solid->members[m].w;
				if ( votes[clusters[i]] > most )
				{
					most = votes[clusters[i]], best = clusters[i];
				}
			}
		}
		for ( int o = 0; o < before->clusterCount && most > 0.0; ++o ) // one that is as before hardly heeds its neighbours: a dent is not worn away by many cuts
		{
			double part = votes[o] / most;
			votes[o] = part * part * part * part;
			all += votes[o];
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

// A carried skin stays where it was when the blade passed, and follows its piece from there: other clusters would carry it elsewhere as long as the piece is
// deformed. What they differ by dies out (pnAgePiece).
static bool pnKeepSkins( const pnCarving* c, const pnGrowth* g, pnBody* body )
{
	static const double least = 1e-6; // of the size: less is rounding
	const pnSolid* form = body->match.form;
	pnScratch scratch = { 0 };
	pnFrame* frames = NULL;
	pnVec3* shifts = NULL;
	float longest = 0.0f;
	for ( int k = 0; k < form->skinCount && !scratch.failed; ++k )
	{
		const pnSkin* skin = form->skins + k;
		const pnSkinCut* cut = c->skins + k;
		if ( skin->onParticles != 0 || skin->vertexCount == 0 )
		{
			continue;
		}
		if ( frames == NULL )
		{
			frames = pnTakeArray( &scratch, pnFrame, form->clusterCount );
			shifts = pnTakeArray( &scratch, pnVec3, form->skinVertexCount );
			for ( int i = 0; i < form->clusterCount && !scratch.failed; ++i )
			{
				frames[i] = pnComputeFrame( &body->match, i, body->material.mode );
			}
		}
		pnScratch local = { 0 };
		pnVec3* positions = pnTakeArray( &local, pnVec3, skin->vertexCount );
		pnVec3* places = pnTakeArray( &local, pnVec3, skin->vertexCount );
		if ( scratch.failed || local.failed )
		{
			scratch.failed = true;
			pnGiveBack( &local );
			break;
		}
		for ( int v = 0; v < skin->vertexCount; ++v )
		{
			places[v] = cut->places[g->skinNodes[k][v]];
		}
		pnWriteSkin( form, k, body->match.x, frames, positions, NULL, skin->vertexCount );
		float far = pnMeasureShifts( form, k, frames, positions, places, shifts );
		longest = far > longest ? far : longest;
		pnGiveBack( &local );
	}
	bool done = !scratch.failed;
	if ( done && (double)longest > least * c->size )
	{
		body->shifts = pnAllocArray( pnVec3, form->skinVertexCount );
		done = body->shifts != NULL;
		if ( done )
		{
			memcpy( body->shifts, shifts, (size_t)form->skinVertexCount * sizeof( pnVec3 ) );
			body->shiftLeft = 1.0f;
		}
	}
	pnGiveBack( &scratch );
	return done;
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
	body->justCut = true;
	body->force = pnScale( (float)( c->masses[g->number] / (double)before->mass ), before->force );
	pnWeighBody( body, &body->material );
	body->response = pnMakeTuning( &body->material, before->response.step, body->solid->overlapping, body->stiffening );
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
	return pnKeepSkins( c, g, body ) ? pn_success : pn_outOfMemory;
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
	c->spacing = pnMeanSpacing( c->solid );
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
	c->across = c->rules->atRest ? across : pnRotate( pnConjugate( whole.q ), across );
	across = pnRotate( c->rules->atRest ? whole.q : pnConjugate( whole.q ), across );
	for ( int i = 0; lead != NULL && lead->slice.ends && i < lead->slice.addedCount; ++i )
	{
		float* other = lead->values + (size_t)( lead->nodeCount + i ) * lead->valueCount;
		for ( int k = 0; k < 3; ++k )
		{
			other[k] = (float)( (double)other[k] + lead->slice.kerf * lead->slice.added[i].side * (double)( &across.x )[k] );
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
	if ( !pnRaiseWalls( c ) )
	{
		return pn_outOfMemory;
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

void pnAgePiece( pnBody* body, float timeStep )
{
	static const double rate = 6.0; // 1/s, at which its skin comes to lie as its clusters carry it
	body->justCut = false;
	if ( body->shiftLeft > 0.0f )
	{
		float left = (float)( (double)body->shiftLeft * pnExp( -rate * (double)timeStep ) );
		body->shiftLeft = left > 1e-4f ? left : 0.0f;
	}
}
