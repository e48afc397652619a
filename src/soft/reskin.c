// reskin.c - the skins of a body under a blade: as nodes to be sliced, and as skins of the pieces. Knows solids and places; no motion.
#include "reskin.h"

#include "../base/cloud.h"
#include "../base/mesh.h"

#include <math.h>

// Where a carried vertex is at rest, relative to the solid's centre: each of its bonds knows.
static pnVec3 pnRestPlace( const pnSolid* solid, int vertex )
{
	const pnSkinBond* bond = solid->skinBonds + solid->skinBondStart[vertex];
	const float* K = solid->clusters[bond->cluster].basis;
	float place[3];
	for ( int k = 0; k < 3; ++k )
	{
		double inside = (double)K[3 * k] * bond->q[0] + (double)K[3 * k + 1] * bond->q[1] + (double)K[3 * k + 2] * bond->q[2];
		place[k] = (float)( (double)solid->clusterCenter[3 * bond->cluster + k] + inside + (double)bond->across[k] );
	}
	return pnMakeVec3( place[0], place[1], place[2] );
}

// Closed: each edge is run through as often one way as the other. False: no memory.
static bool pnIsClosed( const int32_t* triangles, int triangleCount, const int32_t* nodeOf, bool* closed )
{
	uint32_t size = 16;
	while ( size < 6u * (uint32_t)triangleCount )
	{
		size *= 2;
	}
	pnScratch scratch = { 0 };
	uint64_t* keys = pnTakeArray( &scratch, uint64_t, size ); // 1 + edge
	int32_t* sums = pnTakeArray( &scratch, int32_t, size );
	bool done = !scratch.failed;
	for ( int i = 0; i < 3 * triangleCount && done; ++i )
	{
		int32_t a = nodeOf[triangles[i]], b = nodeOf[triangles[i - i % 3 + ( i + 1 ) % 3]];
		uint64_t key = ( (uint64_t)(uint32_t)( a < b ? a : b ) << 32 | (uint32_t)( a < b ? b : a ) ) + 1;
		uint32_t slot = (uint32_t)( ( key * 0x9e3779b97f4a7c15ull ) >> 32 ) & ( size - 1 );
		while ( keys[slot] != 0 && keys[slot] != key )
		{
			slot = ( slot + 1 ) & ( size - 1 );
		}
		keys[slot] = key;
		sums[slot] += a < b ? 1 : a > b ? -1 : 0;
	}
	*closed = done;
	for ( uint32_t slot = 0; slot < size && *closed; ++slot )
	{
		*closed = sums[slot] == 0;
	}
	pnGiveBack( &scratch );
	return done;
}

// Nodes of a carried skin: vertices in one place are one; of a piece those that the cut has left so, because lips are in one place too.
static bool pnMakeNodes( const pnSolid* solid, const pnSkin* skin, pnSkinCut* cut, pnVec3* rest )
{
	int32_t* lowest = pnTakeArray( &cut->scratch, int32_t, skin->vertexCount );
	if ( cut->scratch.failed )
	{
		return false;
	}
	for ( int v = 0; v < skin->vertexCount; ++v )
	{
		rest[v] = pnRestPlace( solid, skin->firstVertex + v );
		lowest[v] = solid->nodedCount > 0 ? solid->skinNode[skin->firstVertex + v] : v;
	}
	if ( solid->nodedCount == 0 &&
		 !pnWeldPoints( rest, skin->vertexCount, 2e-6 * (double)pnGetLargestExtent( pnFindBounds( rest, skin->vertexCount ) ), lowest ) )
	{
		return false;
	}
	for ( int v = 0; v < skin->vertexCount; ++v )
	{
		cut->nodeOf[v] = lowest[v] == v ? cut->nodeCount++ : cut->nodeOf[lowest[v]];
	}
	return pnIsClosed( solid->skinTriangles + 3 * (size_t)skin->firstTriangle, skin->triangleCount, cut->nodeOf, &cut->closed );
}

static const float* pnGetAttributes( const pnSolid* solid, int skin, int* count )
{
	pnSkinInfo info = pnSolid_GetSkin( solid, skin );
	*count = info.attributeCount;
	return info.attributes;
}

// Values of the nodes before the cut.
static void pnFillNodes( const pnSolid* solid, const pnSkin* skin, const pnSkinWhere* where, const float* attributes, int attributeCount, const pnVec3* rest, pnSkinCut* cut )
{
	for ( int i = 0; i < cut->nodeCount; ++i )
	{
		cut->vertexOf[i] = -1;
		if ( cut->onParticles )
		{
			memcpy( cut->places + i, where->x + 4 * (size_t)i, sizeof( pnVec3 ) );
			memcpy( cut->values + (size_t)i * cut->valueCount, solid->rest + i, sizeof( pnVec3 ) );
			if ( where->atRest )
			{
				memcpy( cut->values + (size_t)i * cut->valueCount, cut->places + i, sizeof( pnVec3 ) );
				cut->places[i] = solid->rest[i];
			}
			memcpy( cut->values + (size_t)i * cut->valueCount + 3, where->v + 4 * (size_t)i, sizeof( pnVec3 ) );
		}
	}
	for ( int v = skin->vertexCount - 1; v >= 0; --v )
	{
		int node = cut->nodeOf[v];
		float* values = cut->values + (size_t)node * cut->valueCount;
		cut->vertexOf[node] = v;
		if ( !cut->onParticles )
		{
			cut->places[node] = where->atRest ? rest[v] : where->positions[v];
			memcpy( values, where->atRest ? where->positions + v : rest + v, sizeof( pnVec3 ) );
		}
		for ( int k = 0; k < attributeCount; ++k )
		{
			values[cut->firstAttribute + k] = attributes[(size_t)v * attributeCount + k];
		}
	}
}

// Lips and ends of older slits that the blade runs along: walls are triangles with a corner that has another node in its place at rest.
static bool pnFindLips( const pnSkinCut* cut, const int32_t* triangles, int triangleCount, const pnSkinWhere* where, const pnBlade* blade, int8_t* lips )
{
	static const double twin = 1e-5; // of the size: lips are a kerf apart
	static const double sliver = 0.01; // of a wall's area: what is left where ends of strokes nearly meet, and may face anywhere
	const float along = blade->rough > 0.0 ? 0.6f : 0.95f; // cosine: of slits that lie as the blade does, and of each of their walls
	enum { up = 1, down = 2, rounds = 8 };
	pnScratch scratch = { 0 };
	pnVec3* rest = pnTakeRawArray( &scratch, pnVec3, cut->nodeCount );
	int32_t* lowest = pnTakeRawArray( &scratch, int32_t, cut->nodeCount );
	uint8_t* doubled = pnTakeArray( &scratch, uint8_t, cut->nodeCount );
	uint8_t* walls = pnTakeArray( &scratch, uint8_t, cut->nodeCount ); // that lips next to it are of
	double* upper = pnTakeArray( &scratch, double, cut->nodeCount ); // area of the wall above that has a corner there
	double* lower = pnTakeArray( &scratch, double, cut->nodeCount );
	double* votes = pnTakeArray( &scratch, double, cut->nodeCount ); // for above, of lips
	double* heights = pnTakeArray( &scratch, double, cut->nodeCount ); // sums over nodes that are in one place at rest, with the lowest of them
	int32_t* counts = pnTakeArray( &scratch, int32_t, cut->nodeCount );
	int32_t* sides = pnTakeArray( &scratch, int32_t, cut->nodeCount ); // of lips in one place, added up
	pnVec3* normals = pnTakeArray( &scratch, pnVec3, cut->nodeCount );
	bool done = !scratch.failed;
	for ( int i = 0; i < cut->nodeCount && done; ++i )
	{
		memcpy( rest + i, where->atRest ? &cut->places[i].x : cut->values + (size_t)i * cut->valueCount, sizeof( pnVec3 ) );
	}
	done = done && pnWeldPoints( rest, cut->nodeCount, twin * (double)pnGetLargestExtent( pnFindBounds( rest, cut->nodeCount ) ), lowest );
	for ( int i = 0; i < cut->nodeCount && done; ++i )
	{
		doubled[i] |= lowest[i] != i;
		doubled[lowest[i]] |= lowest[i] != i;
	}
	pnVec3 across = { (float)blade->n[0], (float)blade->n[1], (float)blade->n[2] };
	double snap = pn_snap * where->spacing;
	// A slit may gape: it is where the middle of its lips is, and lies as the mean of its walls does.
	for ( int i = 0; i < cut->nodeCount && done; ++i )
	{
		heights[lowest[i]] += pnGetHeight( blade, cut->places[i] );
		counts[lowest[i]] += 1;
	}
	for ( int pass = 0; pass < 2 && done; ++pass )
	{
		for ( int t = 0; t < triangleCount; ++t )
		{
			const int32_t* k = triangles + 3 * (size_t)t;
			if ( doubled[k[0]] == 0 && doubled[k[1]] == 0 && doubled[k[2]] == 0 )
			{
				continue;
			}
			pnVec3 a = cut->places[k[0]], cross = pnCross( pnSub( cut->places[k[1]], a ), pnSub( cut->places[k[2]], a ) ), normal = pnUnitOr( cross, pnMakeVec3( 0.0f, 0.0f, 0.0f ) );
			float facing = pnDot( normal, across );
			double area = sqrt( (double)pnDot( cross, cross ) );
			for ( int i = 0; i < 3 && ( facing > along || facing < -along ); ++i )
			{
				int32_t first = lowest[k[i]];
				pnVec3* mean = normals + first;
				if ( pass == 0 )
				{
					*mean = pnMulAdd( *mean, facing < 0.0f ? -1.0f : 1.0f, normal );
					continue;
				}
				double height = heights[first] / counts[first];
				float lies = pnDot( *mean, across );
				bool runs = height * height <= snap * snap && lies * lies > along * along * pnDot( *mean, *mean );
				*( facing < 0.0f ? upper + k[i] : lower + k[i] ) += runs ? area : 0.0; // the part above looks down
			}
		}
	}
	for ( int i = 0; i < cut->nodeCount && done; ++i )
	{
		votes[i] = doubled[i] != 0 ? upper[i] - lower[i] : 0.0;
	}
	for ( int i = 0; i < 3 * triangleCount && done; ++i ) // two lips are neighbours nowhere: those next to it tell where a wall is folded
	{
		int32_t node = triangles[i], next = triangles[i - i % 3 + ( i + 1 ) % 3], last = triangles[i - i % 3 + ( i + 2 ) % 3];
		votes[node] += doubled[node] == 0 ? 0.0 : ( doubled[next] != 0 ? upper[next] - lower[next] : 0.0 ) + ( doubled[last] != 0 ? upper[last] - lower[last] : 0.0 );
	}
	for ( int i = 0; i < cut->nodeCount && done; ++i )
	{
		bool end = doubled[i] == 0 && upper[i] > sliver * lower[i] && lower[i] > sliver * upper[i], runs = upper[i] > 0.0 || lower[i] > 0.0;
		lips[i] = end ? PN_SLIT_END : !runs ? 0 : votes[i] > 0.0 ? 1 : votes[i] < 0.0 ? -1 : 0;
	}
	// Lips with only slivers around them are across from what is in their place, or on the side of what is next to them, one after another; then what is next to
	// a lip, as near to the blade, is on its side.
	bool changed = true;
	for ( int round = 0; round < rounds && done; ++round )
	{
		bool last = round == rounds - 1 || !changed;
		memset( sides, 0, (size_t)cut->nodeCount * sizeof( int32_t ) );
		memset( walls, 0, (size_t)cut->nodeCount );
		for ( int i = 0; i < cut->nodeCount; ++i )
		{
			sides[lowest[i]] += lips[i] == PN_SLIT_END ? 0 : lips[i];
		}
		for ( int i = 0; i < 3 * triangleCount; ++i )
		{
			int32_t node = triangles[i], one = triangles[i - i % 3 + ( i + 1 ) % 3], two = triangles[i - i % 3 + ( i + 2 ) % 3];
			walls[node] |= ( lips[one] == 1 || lips[two] == 1 ? up : 0 ) | ( lips[one] == -1 || lips[two] == -1 ? down : 0 );
		}
		changed = false;
		for ( int i = 0; i < cut->nodeCount; ++i )
		{
			int others = doubled[i] != 0 ? sides[lowest[i]] : 0, side = others > 0 ? -1 : others < 0 ? 1 : walls[i] == up ? 1 : walls[i] == down ? -1 : 0;
			double height = lips[i] == 0 && side != 0 && ( doubled[i] != 0 || last ) ? pnGetHeight( blade, cut->places[i] ) : 2.0 * snap;
			if ( ( others != 0 && lips[i] == 0 ) || height * height <= snap * snap )
			{
				lips[i] = (int8_t)side;
				changed = true;
			}
		}
		if ( last )
		{
			break;
		}
	}
	pnGiveBack( &scratch );
	return done;
}

bool pnCutSkin( const pnSolid* solid, int index, const pnSkinWhere* where, const pnBlade* blade, double kerf, pnSkinCut* cut )
{
	const pnSkin* skin = solid->skins + index;
	int attributeCount;
	const float* attributes = pnGetAttributes( solid, index, &attributeCount );
	*cut = (pnSkinCut){ .skin = index, .onParticles = skin->onParticles != 0 };
	pnScratch* scratch = &cut->scratch;
	cut->firstAttribute = cut->onParticles ? PN_MOTION_VALUES : PN_PLACE_VALUES;
	cut->valueCount = cut->firstAttribute + attributeCount;
	cut->nodeOf = cut->onParticles ? solid->skinParticle + skin->firstVertex : pnTakeArray( scratch, int32_t, skin->vertexCount );
	pnVec3* rest = cut->onParticles ? NULL : pnTakeArray( scratch, pnVec3, skin->vertexCount );
	cut->nodeCount = cut->onParticles ? solid->particleCount : 0;
	if ( scratch->failed || ( !cut->onParticles && !pnMakeNodes( solid, skin, cut, rest ) ) )
	{
		return false;
	}
	int32_t* triangles = pnTakeRawArray( scratch, int32_t, 3 * (size_t)skin->triangleCount );
	cut->vertexOf = pnTakeArray( scratch, int32_t, cut->nodeCount );
	cut->places = pnTakeArray( scratch, pnVec3, cut->nodeCount );
	cut->values = pnTakeArray( scratch, float, (size_t)cut->nodeCount * cut->valueCount );
	if ( scratch->failed )
	{
		return false;
	}
	pnFillNodes( solid, skin, where, attributes, attributeCount, rest, cut );
	const int32_t* from = solid->skinTriangles + 3 * (size_t)skin->firstTriangle;
	for ( int i = 0; i < 3 * skin->triangleCount; ++i )
	{
		triangles[i] = cut->nodeOf[from[i]];
	}
	// The surface for contact is that of skin 0, and knows already.
	cut->closed = cut->closed || ( index == 0 && cut->onParticles && atomic_load( &solid->surfaceState ) == 2 && solid->surface.closed && solid->surface.triangleCount == skin->triangleCount );
	uint8_t* seamed = pnTakeArray( scratch, uint8_t, cut->nodeCount );
	if ( scratch->failed )
	{
		return false;
	}
	for ( int v = 0; v < skin->vertexCount; ++v ) // the first vertex of a node is the one that it knows; carried ones have normals of their own
	{
		int32_t first = cut->vertexOf[cut->nodeOf[v]];
		bool same = first == v || ( cut->onParticles && ( attributeCount == 0 || memcmp( attributes + (size_t)first * attributeCount, attributes + (size_t)v * attributeCount,
																							(size_t)attributeCount * sizeof( float ) ) == 0 ) );
		seamed[cut->nodeOf[v]] |= !same;
	}
	int8_t* lips = solid->linkCount > 0 ? pnTakeArray( scratch, int8_t, cut->nodeCount ) : NULL;
	if ( scratch->failed || ( lips != NULL && !pnFindLips( cut, triangles, skin->triangleCount, where, blade, lips ) ) )
	{
		return false;
	}
	cut->lips = lips;
	const int32_t* kinds = solid->materialCount > 0 ? solid->skinMaterials + skin->firstTriangle : NULL;
	double faces = blade->rough > 0.0 && !cut->onParticles ? 0.5 * blade->grain : where->spacing; // carried faces are as fine as the grain that they show
	pnSliceSource source = { cut->places, cut->nodeCount, triangles, skin->triangleCount, cut->closed, cut->values, cut->valueCount, faces < where->spacing ? faces : where->spacing, seamed, kinds, lips, pn_snap * where->spacing, kerf };
	if ( !pnSliceSurface( &source, blade, scratch, &cut->slice ) )
	{
		return false;
	}
	cut->sliced = cut->slice.triangleCount > 0;
	cut->allCount = cut->nodeCount + cut->slice.addedCount;
	cut->pieceOf = pnTakeArray( scratch, int32_t, cut->allCount );
	pnSlice* slice = &cut->slice;
	if ( !cut->sliced )
	{
		slice->triangleCount = skin->triangleCount;
		slice->triangles = triangles;
		slice->origins = pnTakeArray( scratch, int32_t, skin->triangleCount );
		for ( int t = 0; t < skin->triangleCount && !scratch->failed; ++t )
		{
			slice->origins[t] = t;
		}
		return !scratch->failed;
	}
	pnVec3* places = pnTakeRawArray( scratch, pnVec3, cut->allCount );
	float* values = pnTakeRawArray( scratch, float, (size_t)cut->allCount * cut->valueCount );
	if ( scratch->failed )
	{
		return false;
	}
	size_t before = (size_t)cut->nodeCount, added = (size_t)slice->addedCount, size = (size_t)cut->valueCount;
	memcpy( places, cut->places, before * sizeof( pnVec3 ) );
	memcpy( places + before, slice->places, added * sizeof( pnVec3 ) );
	memcpy( values, cut->values, before * size * sizeof( float ) );
	memcpy( values + before * size, slice->values, added * size * sizeof( float ) );
	cut->places = places;
	cut->values = values;
	return true;
}

void pnTurnSkin( pnSkinCut* cut )
{
	for ( int i = 0; i < cut->allCount; ++i )
	{
		pnVec3 place = cut->places[i];
		memcpy( cut->places + i, cut->values + (size_t)i * cut->valueCount, sizeof place );
		memcpy( cut->values + (size_t)i * cut->valueCount, &place, sizeof place );
	}
}

// ---- skins of pieces ----

typedef struct pnSkinMaker
{
	const pnSolid* solid;
	const pnSkin* skin;
	const pnSkinCut* cut;
	int32_t* firstAt; // 1 + the first vertex at each node, outside and inside: a seam has several in one place
	int32_t* nextAt; // 1 + the next one there, of each vertex
	int vertexCount;
	int32_t* nodes; // of the vertices
	pnVertexSource* sources;
	uint8_t* inner; // 1: on a face that the cut made
} pnSkinMaker;

static int32_t pnMeetVertex( pnSkinMaker* m, int32_t node, pnVertexSource source, bool inner )
{
	int32_t* link = m->firstAt + 2 * (size_t)node + inner;
	for ( ; *link != 0; link = m->nextAt + ( *link - 1 ) )
	{
		if ( memcmp( m->sources[*link - 1].vertices, source.vertices, sizeof source.vertices ) == 0 )
		{
			return *link - 1;
		}
	}
	m->nextAt[m->vertexCount] = 0;
	m->nodes[m->vertexCount] = node;
	m->sources[m->vertexCount] = source;
	m->inner[m->vertexCount] = inner;
	*link = ++m->vertexCount;
	return *link - 1;
}

// The vertex of a triangle of the skin before that lies at a node; on a face inside, any vertex there.
static int32_t pnVertexAt( const pnSkinMaker* m, int32_t origin, int32_t node )
{
	if ( origin >= 0 )
	{
		const int32_t* corners = m->solid->skinTriangles + 3 * (size_t)( m->skin->firstTriangle + origin );
		for ( int k = 0; k < 3; ++k )
		{
			if ( m->cut->nodeOf[corners[k]] == node )
			{
				return corners[k];
			}
		}
	}
	return m->cut->vertexOf[node];
}

static int32_t pnMakeVertex( pnSkinMaker* m, int32_t origin, int32_t node )
{
	pnVertexSource source = { { -1, -1, -1 }, { 0.0f, 0.0f, 0.0f } };
	if ( node < m->cut->nodeCount )
	{
		int32_t vertex = pnVertexAt( m, origin, node );
		source = (pnVertexSource){ { vertex, vertex, vertex }, { 1.0f, 0.0f, 0.0f } };
	}
	else if ( m->cut->slice.added[node - m->cut->nodeCount].from[0] >= 0 )
	{
		const pnSliceNode* added = m->cut->slice.added + ( node - m->cut->nodeCount );
		for ( int k = 0; k < 3; ++k )
		{
			source.vertices[k] = pnVertexAt( m, origin, added->from[k] );
			source.weights[k] = added->weights[k];
		}
	}
	return pnMeetVertex( m, node, source, origin < 0 );
}

// Attributes and normals of vertices from what they were between.
static void pnBlendVertices( const pnSkinMaker* m, const float* attributes, int attributeCount, float* ownAttributes, pnVec3* normals )
{
	for ( int v = 0; v < m->vertexCount; ++v )
	{
		const pnVertexSource* source = m->sources + v;
		bool known = source->vertices[0] >= 0;
		for ( int k = 0; k < attributeCount; ++k )
		{
			double sum = 0.0;
			for ( int i = 0; i < 3 && known; ++i )
			{
				sum += (double)source->weights[i] * (double)attributes[(size_t)source->vertices[i] * attributeCount + k];
			}
			ownAttributes[(size_t)v * attributeCount + k] = known ? (float)sum : m->cut->values[(size_t)m->nodes[v] * m->cut->valueCount + m->cut->firstAttribute + k];
		}
		pnVec3 normal = { 0.0f, 0.0f, 0.0f }; // none: from the triangles
		for ( int i = 0; i < 3 && known && m->inner[v] == 0 && normals != NULL; ++i )
		{
			normal = pnMulAdd( normal, source->weights[i], m->solid->skinNormal[m->skin->firstVertex + source->vertices[i]] );
		}
		if ( normals != NULL )
		{
			normals[v] = normal;
		}
	}
}

bool pnMakePieceSkin( const pnSolid* solid, const pnSkinCut* cut, int piece, const int32_t* particleOf, int32_t inside, pnScratch* scratch,
					  pnSkinPart* part, pnVertexSource** sources, int32_t** vertexNodes )
{
	const pnSkin* skin = solid->skins + cut->skin;
	const pnSlice* slice = &cut->slice;
	pnSkinMaker m = { .solid = solid, .skin = skin, .cut = cut };
	int attributeCount, count = 0;
	const float* attributes = pnGetAttributes( solid, cut->skin, &attributeCount );
	for ( int t = 0; t < slice->triangleCount; ++t )
	{
		count += cut->pieceOf[slice->triangles[3 * (size_t)t]] == piece;
	}
	pnScratch local = { 0 };
	m.firstAt = pnTakeArray( &local, int32_t, 2 * (size_t)cut->allCount );
	m.nextAt = pnTakeRawArray( &local, int32_t, 3 * (size_t)count );
	m.nodes = pnTakeRawArray( scratch, int32_t, 3 * (size_t)count );
	m.inner = pnTakeRawArray( &local, uint8_t, 3 * (size_t)count );
	m.sources = pnTakeRawArray( scratch, pnVertexSource, 3 * (size_t)count );
	int32_t* triangles = pnTakeRawArray( scratch, int32_t, 3 * (size_t)count );
	int32_t* materials = pnTakeRawArray( scratch, int32_t, count );
	if ( local.failed || scratch->failed )
	{
		pnGiveBack( &local );
		return false;
	}
	bool numbered = false;
	int next = 0;
	for ( int t = 0; t < slice->triangleCount; ++t )
	{
		const int32_t* corners = slice->triangles + 3 * (size_t)t;
		int32_t origin = slice->origins[t];
		if ( cut->pieceOf[corners[0]] != piece )
		{
			continue;
		}
		for ( int k = 0; k < 3; ++k )
		{
			triangles[3 * next + k] = pnMakeVertex( &m, origin, corners[k] );
		}
		materials[next] = origin < 0 ? inside : solid->materialCount > 0 ? solid->skinMaterials[skin->firstTriangle + origin] : 0;
		numbered = numbered || materials[next] != 0;
		next += 1;
	}
	int32_t* weld = pnTakeArray( scratch, int32_t, m.vertexCount );
	int32_t* particles = cut->onParticles ? pnTakeArray( scratch, int32_t, m.vertexCount ) : NULL;
	pnVec3* places = cut->onParticles ? NULL : pnTakeArray( scratch, pnVec3, m.vertexCount );
	pnVec3* normals = cut->onParticles ? NULL : pnTakeArray( scratch, pnVec3, m.vertexCount );
	float* ownAttributes = pnTakeArray( scratch, float, (size_t)m.vertexCount * attributeCount );
	int32_t* nodes = cut->onParticles ? NULL : pnTakeArray( scratch, int32_t, m.vertexCount );
	bool done = !scratch->failed;
	for ( int v = 0; v < m.vertexCount && done; ++v )
	{
		int32_t node = m.nodes[v];
		weld[v] = m.firstAt[2 * (size_t)node + m.inner[v]] - 1;
		const float* rest = cut->values + (size_t)node * cut->valueCount;
		if ( cut->onParticles )
		{
			particles[v] = particleOf[node];
		}
		else
		{
			int32_t outside = m.firstAt[2 * (size_t)node], within = m.firstAt[2 * (size_t)node + 1];
			nodes[v] = ( outside == 0 || ( within != 0 && within < outside ) ? within : outside ) - 1;
			places[v] = pnMakeVec3( (float)( (double)rest[0] + solid->center[0] ), (float)( (double)rest[1] + solid->center[1] ), (float)( (double)rest[2] + solid->center[2] ) );
		}
	}
	if ( done )
	{
		pnBlendVertices( &m, attributes, attributeCount, ownAttributes, normals );
		*part = (pnSkinPart){ m.vertexCount, count, triangles, particles, places, normals, weld, nodes, NULL, ownAttributes, attributeCount, numbered ? materials : NULL };
		*vertexNodes = m.nodes;
		*sources = m.sources;
	}
	pnGiveBack( &local );
	return done;
}
