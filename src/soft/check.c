// check.c - can what the user handed over mean something? If not, the log names the item. Knows defs, makes nothing.
#include "check.h"

#include "../base/cloud.h"
#include "tuning.h"

#include <float.h>

// So many points, triangles, tetrahedra or members at most: four times as many are still an int.
enum { PN_MAX_COUNT = 1 << 26 };

// `owner` is what stands before the name: nothing, or "skins[2].".
typedef struct pnOwner
{
	char text[32];
} pnOwner;

static pnOwner pnNameSkin( int skin )
{
	pnOwner owner = { "skins[" };
	char digits[12];
	int count = 0, length = 6;
	for ( int rest = skin; count == 0 || rest > 0; rest /= 10 )
	{
		digits[count++] = (char)( '0' + rest % 10 );
	}
	while ( count > 0 )
	{
		owner.text[length++] = digits[--count];
	}
	owner.text[length++] = ']';
	owner.text[length] = '.';
	return owner;
}

// An array of `count` things; whether it may be missing is for the count to say.
static pnResult pnCheckArray( const char* owner, const char* name, const char* countName, const void* array, int count )
{
	if ( count < 0 || count > PN_MAX_COUNT )
	{
		pnLog( "pnCreateSolid: %s%s is %d, must be in 0..%d", owner, countName, count, PN_MAX_COUNT );
		return pn_invalidInput;
	}
	if ( count > 0 && array == NULL )
	{
		pnLog( "pnCreateSolid: %s%s is NULL, but %s is %d", owner, name, countName, count );
		return pn_invalidInput;
	}
	return pn_success;
}

static pnResult pnCheckVectors( const char* owner, const char* name, const pnVec3* vectors, int count )
{
	for ( int i = 0; i < count; ++i )
	{
		for ( int axis = 0; axis < 3; ++axis )
		{
			float value = pnGetAxis( vectors + i, axis );
			if ( !pnIsFinite( value ) )
			{
				pnLog( "pnCreateSolid: %s%s[%d].%c is not finite", owner, name, i, "xyz"[axis] );
				return pn_invalidInput;
			}
			if ( value > PN_FARTHEST || value < -PN_FARTHEST )
			{
				pnLog( "pnCreateSolid: %s%s[%d].%c is %g, must be within %g", owner, name, i, "xyz"[axis], (double)value, (double)PN_FARTHEST );
				return pn_invalidInput;
			}
		}
	}
	return pn_success;
}

// corners: of each item.
static pnResult pnCheckIndices( const char* owner, const char* name, const int32_t* indices, int count, int corners, int limit )
{
	for ( int i = 0; i < corners * count; ++i )
	{
		if ( indices[i] < 0 || indices[i] >= limit )
		{
			pnLog( "pnCreateSolid: %s%s[%d] index %d is outside 0..%d", owner, name, i / corners, indices[i], limit - 1 );
			return pn_invalidInput;
		}
	}
	return pn_success;
}

static pnResult pnCheckPositive( const char* name, const float* values, int first, int count )
{
	for ( int i = first; i < first + count; ++i )
	{
		if ( !pnIsFinite( values[i] ) || values[i] <= 0.0f )
		{
			pnLog( "pnCreateSolid: %s[%d] is %g, must be > 0", name, i, (double)values[i] );
			return pn_invalidInput;
		}
	}
	return pn_success;
}

static pnResult pnCheckAttributes( const char* owner, const float* attributes, int attributeCount, int vertexCount )
{
	if ( attributes == NULL )
	{
		return pn_success;
	}
	if ( attributeCount < 1 || attributeCount > 16 )
	{
		pnLog( "pnCreateSolid: %sattributeCount is %d, must be in 1..16", owner, attributeCount );
		return pn_invalidInput;
	}
	for ( int i = 0; i < attributeCount * vertexCount; ++i )
	{
		if ( !pnIsFinite( attributes[i] ) )
		{
			pnLog( "pnCreateSolid: %sattributes[%d] is %g, must be finite", owner, i, (double)attributes[i] );
			return pn_invalidInput;
		}
	}
	return pn_success;
}

static pnResult pnCheckNumber( const char* name, float value, float lowest, const char* mustBe )
{
	if ( !pnIsFinite( value ) || value < lowest )
	{
		pnLog( "pnCreateSolid: %s is %g, must be %s", name, (double)value, mustBe );
		return pn_invalidInput;
	}
	return pn_success;
}

static pnResult pnCheckGivenClusters( const pnClusterDef* clusters, int pointCount )
{
	if ( clusters->count < 1 || clusters->count > PN_MAX_COUNT )
	{
		pnLog( "pnCreateSolid: clusters.count is %d, must be in 1..%d", clusters->count, PN_MAX_COUNT );
		return pn_invalidInput;
	}
	if ( clusters->starts == NULL || clusters->members == NULL )
	{
		pnLog( "pnCreateSolid: clusters.%s is NULL, but the clusters are given", clusters->starts == NULL ? "starts" : "members" );
		return pn_invalidInput;
	}
	if ( clusters->starts[0] < 0 )
	{
		pnLog( "pnCreateSolid: clusters.starts[0] is %d, must be >= 0", clusters->starts[0] );
		return pn_invalidInput;
	}
	for ( int c = 0; c < clusters->count; ++c )
	{
		if ( clusters->starts[c + 1] < clusters->starts[c] )
		{
			pnLog( "pnCreateSolid: clusters.starts[%d] < starts[%d]", c + 1, c );
			return pn_invalidInput;
		}
		if ( clusters->starts[c + 1] == clusters->starts[c] )
		{
			pnLog( "pnCreateSolid: cluster %d has no members", c );
			return pn_invalidInput;
		}
	}
	int first = clusters->starts[0], last = clusters->starts[clusters->count];
	if ( last > PN_MAX_COUNT )
	{
		pnLog( "pnCreateSolid: clusters.starts[%d] is %d, must be at most %d", clusters->count, last, PN_MAX_COUNT );
		return pn_invalidInput;
	}
	for ( int i = first; i < last; ++i )
	{
		if ( clusters->members[i] < 0 || clusters->members[i] >= pointCount )
		{
			pnLog( "pnCreateSolid: clusters.members[%d] is %d, outside 0..%d", i, clusters->members[i], pointCount - 1 );
			return pn_invalidInput;
		}
	}
	if ( clusters->weights != NULL && pnCheckPositive( "clusters.weights", clusters->weights, first, last - first ) != pn_success )
	{
		return pn_invalidInput;
	}

	int32_t* lastCluster = pnAllocArray( int32_t, pointCount ); // 1 + the last one that each point was seen in
	if ( lastCluster == NULL )
	{
		return pn_outOfMemory;
	}
	pnResult result = pn_success;
	for ( int c = 0; c < clusters->count && result == pn_success; ++c )
	{
		for ( int i = clusters->starts[c]; i < clusters->starts[c + 1] && result == pn_success; ++i )
		{
			if ( lastCluster[clusters->members[i]] == c + 1 )
			{
				pnLog( "pnCreateSolid: clusters.members[%d]: point %d is in cluster %d twice", i, clusters->members[i], c );
				result = pn_invalidInput;
			}
			lastCluster[clusters->members[i]] = c + 1;
		}
	}
	pnFreeArray( int32_t, lastCluster, pointCount );
	return result;
}

static pnResult pnCheckClusterDef( const pnSolidDef* def )
{
	const pnClusterDef* clusters = &def->clusters;
	switch ( clusters->kind )
	{
	case pn_givenClusters:
		return pnCheckGivenClusters( clusters, def->pointCount );
	case pn_tetClusters:
		if ( def->tetrahedronCount == 0 )
		{
			pnLog( "pnCreateSolid: clusters.kind asks for tetrahedra, but tetrahedronCount is 0" );
			return pn_invalidInput;
		}
		return pn_success;
	case pn_autoClusters:
	case pn_countClusters:
	case pn_cellClusters:
		break;
	default:
		pnLog( "pnCreateSolid: clusters.kind is %d, which is no pnClusterKind", (int)clusters->kind );
		return pn_invalidInput;
	}
	if ( clusters->kind == pn_countClusters && clusters->count < 1 )
	{
		pnLog( "pnCreateSolid: clusters.count is %d, must be at least 1", clusters->count );
		return pn_invalidInput;
	}
	if ( clusters->kind == pn_cellClusters && pnCheckNumber( "clusters.cellSize", clusters->cellSize, FLT_MIN, "> 0" ) != pn_success )
	{
		return pn_invalidInput;
	}
	// Four: each point is then in up to a thousand cells.
	if ( !( clusters->overlap >= 0.0f && clusters->overlap <= 4.0f ) )
	{
		pnLog( "pnCreateSolid: clusters.overlap is %g, must be in 0..4", (double)clusters->overlap );
		return pn_invalidInput;
	}
	return pn_success;
}

static pnResult pnCheckSkinDef( const pnSkinDef* skin, int index )
{
	pnOwner owner = pnNameSkin( index );
	bool good = pnCheckArray( owner.text, "vertices", "vertexCount", skin->vertices, skin->vertexCount ) == pn_success &&
				pnCheckArray( owner.text, "triangles", "triangleCount", skin->triangles, skin->triangleCount ) == pn_success &&
				pnCheckVectors( owner.text, "vertices", skin->vertices, skin->vertexCount ) == pn_success &&
				pnCheckVectors( owner.text, "normals", skin->normals, skin->normals != NULL ? skin->vertexCount : 0 ) == pn_success &&
				pnCheckAttributes( owner.text, skin->attributes, skin->attributeCount, skin->vertexCount ) == pn_success &&
				pnCheckIndices( owner.text, "triangles", skin->triangles, skin->triangleCount, 3, skin->vertexCount ) == pn_success;
	return good ? pn_success : pn_invalidInput;
}

pnResult pnCheckSolidDef( const pnSolidDef* def )
{
	if ( def == NULL || def->cookie != PN_COOKIE )
	{
		pnLog( "pnCreateSolid: %s", def == NULL ? "the def is NULL" : "the def's cookie is not set; start from pnDefaultSolidDef" );
		return pn_invalidInput;
	}
	bool good = pnCheckArray( "", "points", "pointCount", def->points, def->pointCount ) == pn_success &&
				pnCheckArray( "", "triangles", "triangleCount", def->triangles, def->triangleCount ) == pn_success &&
				pnCheckArray( "", "tetrahedra", "tetrahedronCount", def->tetrahedra, def->tetrahedronCount ) == pn_success &&
				pnCheckArray( "", "skins", "skinCount", def->skins, def->skinCount ) == pn_success &&
				pnCheckVectors( "", "points", def->points, def->pointCount ) == pn_success &&
				pnCheckIndices( "", "triangles", def->triangles, def->triangleCount, 3, def->pointCount ) == pn_success &&
				pnCheckAttributes( "", def->attributes, def->attributeCount, def->pointCount ) == pn_success &&
				pnCheckIndices( "", "tetrahedra", def->tetrahedra, def->tetrahedronCount, 4, def->pointCount ) == pn_success &&
				( def->masses == NULL || pnCheckPositive( "masses", def->masses, 0, def->pointCount ) == pn_success ) &&
				( def->masses != NULL || pnCheckNumber( "density", def->density, FLT_MIN, "> 0" ) == pn_success ) &&
				pnCheckNumber( "weldDistance", def->weldDistance, -FLT_MAX, "finite" ) == pn_success &&
				pnCheckNumber( "fillSpacing", def->fillSpacing, 0.0f, ">= 0" ) == pn_success &&
				pnCheckNumber( "thickness", def->thickness, -FLT_MAX, "finite" ) == pn_success;
	if ( good && def->thickness > 1e6f )
	{
		pnLog( "pnCreateSolid: thickness %g must be at most 1e6 m", (double)def->thickness );
		good = false;
	}
	if ( !good )
	{
		return pn_invalidInput;
	}
	if ( def->pointCount == 0 )
	{
		pnLog( "pnCreateSolid: pointCount is 0, must be at least 1" );
		return pn_invalidInput;
	}
	// Skin 0 and the further ones share arrays.
	int64_t vertexCount = def->pointCount, triangleCount = (int64_t)def->triangleCount + 4 * (int64_t)def->tetrahedronCount;
	for ( int i = 0; i < def->skinCount; ++i )
	{
		if ( pnCheckSkinDef( def->skins + i, i ) != pn_success )
		{
			return pn_invalidInput;
		}
		vertexCount += def->skins[i].vertexCount;
		triangleCount += def->skins[i].triangleCount;
	}
	if ( vertexCount > PN_MAX_COUNT || triangleCount > 4 * (int64_t)PN_MAX_COUNT )
	{
		pnLog( "pnCreateSolid: the skins together have %lld vertices and %lld triangles, too many", (long long)vertexCount, (long long)triangleCount );
		return pn_invalidInput;
	}
	return pnCheckClusterDef( def );
}

// ---- what users hand to worlds and bodies ----

bool pnCheckVec( const char* call, const char* what, int index, pnVec3 v, float limit )
{
	const float c[3] = { v.x, v.y, v.z };
	for ( int k = 0; k < 3; ++k )
	{
		if ( !( c[k] >= -limit && c[k] <= limit ) )
		{
			if ( index < 0 )
			{
				pnLog( "%s: %s.%s is %g, must be finite and within %g", call, what, k == 0 ? "x" : k == 1 ? "y" : "z", (double)c[k], (double)limit );
			}
			else
			{
				pnLog( "%s: %s[%d].%s is %g, must be finite and within %g", call, what, index, k == 0 ? "x" : k == 1 ? "y" : "z", (double)c[k], (double)limit );
			}
			return false;
		}
	}
	return true;
}

bool pnCheckTransform( const char* call, pnTransform t )
{
	float n = t.q.x * t.q.x + t.q.y * t.q.y + t.q.z * t.q.z + t.q.w * t.q.w;
	if ( !( n > 0.99f && n < 1.01f ) )
	{
		pnLog( "%s: transform.q is not a rotation, its length is not 1", call );
		return false;
	}
	return pnCheckVec( call, "transform.p", -1, t.p, PN_FARTHEST );
}

bool pnCheckMaterialOf( const char* call, const pnMaterial* material )
{
	const char* field = material == NULL ? "material (NULL)" : pnCheckMaterial( material );
	if ( field != NULL )
	{
		pnLog( "%s: material.%s is out of its range", call, field );
	}
	return field == NULL;
}
