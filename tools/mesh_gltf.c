// mesh_gltf.c - glTF 2.0 and GLB: vertices in their order, meshes as groups, vertex colours, attributes and joints as named values. Knows no bytes and no welding.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
//
// The scene at rest: animations, morph targets, materials and cameras are passed over. Nodes of scale 0 are not there; so animated files hide what comes later.
#include "mesh_gltf.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
	PN_MAX_NODE_DEPTH = 64
};

typedef struct pnGltfMatrix { double m[3][4]; } pnGltfMatrix; // rows; the fourth column is the shift

typedef struct pnGltfReading
{
	pnGltf gltf;
	pnMeshFile* mesh;
	uint8_t* seen; // for each node
} pnGltfReading;

// ---- where nodes are ----

static pnGltfMatrix pnMultiplyMatrices( const pnGltfMatrix* a, const pnGltfMatrix* b )
{
	pnGltfMatrix c;
	for ( int i = 0; i < 3; ++i )
	{
		for ( int j = 0; j < 4; ++j )
		{
			c.m[i][j] = a->m[i][0] * b->m[0][j] + a->m[i][1] * b->m[1][j] + a->m[i][2] * b->m[2][j] + ( j == 3 ? a->m[i][3] : 0.0 );
		}
	}
	return c;
}

static double pnGetDeterminant( const pnGltfMatrix* a )
{
	return a->m[0][0] * ( a->m[1][1] * a->m[2][2] - a->m[1][2] * a->m[2][1] ) - a->m[0][1] * ( a->m[1][0] * a->m[2][2] - a->m[1][2] * a->m[2][0] ) +
		   a->m[0][2] * ( a->m[1][0] * a->m[2][1] - a->m[1][1] * a->m[2][0] );
}

// Numbers of a list; as they were if it is not there.
static bool pnGetNumbers( pnGltf* gltf, const json_t* node, const char* key, int count, double* numbers )
{
	const json_t* list = json_object_get( node, key );
	if ( list != NULL && json_array_size( list ) != (size_t)count )
	{
		return pnGltf_Fail( gltf, list, "wants %d numbers", count );
	}
	for ( int i = 0; i < count && list != NULL; ++i )
	{
		const json_t* item = json_array_get( list, (size_t)i );
		numbers[i] = json_number_value( item );
		if ( json_is_number( item ) == false || !( fabs( numbers[i] ) < 1e15 ) )
		{
			return pnGltf_Fail( gltf, item, "wants a number" );
		}
	}
	return true;
}

static bool pnGetNodeMatrix( pnGltf* gltf, const json_t* node, pnGltfMatrix* matrix )
{
	double all[16] = { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 }; // columns
	double shift[3] = { 0 }, turn[4] = { 0, 0, 0, 1 }, scale[3] = { 1, 1, 1 };
	if ( pnGetNumbers( gltf, node, "matrix", 16, all ) == false || pnGetNumbers( gltf, node, "translation", 3, shift ) == false ||
		 pnGetNumbers( gltf, node, "rotation", 4, turn ) == false || pnGetNumbers( gltf, node, "scale", 3, scale ) == false )
	{
		return false;
	}
	double x = turn[0], y = turn[1], z = turn[2], w = turn[3], size = x * x + y * y + z * z + w * w, s = size > 0.0 ? 2.0 / size : 0.0;
	const double rotation[3][3] = { { 1 - s * ( y * y + z * z ), s * ( x * y - z * w ), s * ( x * z + y * w ) },
									{ s * ( x * y + z * w ), 1 - s * ( x * x + z * z ), s * ( y * z - x * w ) },
									{ s * ( x * z - y * w ), s * ( y * z + x * w ), 1 - s * ( x * x + y * y ) } };
	pnGltfMatrix parts, whole;
	for ( int i = 0; i < 3; ++i )
	{
		for ( int j = 0; j < 4; ++j )
		{
			parts.m[i][j] = j < 3 ? rotation[i][j] * scale[j] : shift[i];
			whole.m[i][j] = all[4 * j + i];
		}
	}
	*matrix = json_object_get( node, "matrix" ) != NULL ? whole : parts; // a node has one or the other
	return true;
}

// ---- vertices ----

// An array beside the points, as long as they are now, zero where it has not been.
static bool pnGrowBeside( void** array, size_t itemSize, int before, int count )
{
	char* more = realloc( *array, ( (size_t)count + 1 ) * itemSize );
	if ( more == NULL )
	{
		return false;
	}
	size_t filled = *array == NULL ? 0 : (size_t)before;
	memset( more + filled * itemSize, 0, ( (size_t)count + 1 - filled ) * itemSize );
	*array = more;
	return true;
}

// The values of that name. NULL: there are too many, and what is more is left out, or no memory (mesh->failed).
static float* pnFindValues( pnMeshFile* mesh, const char* name )
{
	for ( int i = 0; i < mesh->valueCount; ++i )
	{
		if ( strcmp( mesh->valueNames[i], name ) == 0 )
		{
			return mesh->values[i];
		}
	}
	if ( mesh->valueCount == PN_MAX_MESH_VALUES )
	{
		return NULL;
	}
	float** values = mesh->values + mesh->valueCount;
	if ( pnGrowBeside( (void**)values, sizeof( float ), 0, mesh->pointCount ) == false )
	{
		mesh->failed = true;
		return NULL;
	}
	snprintf( mesh->valueNames[mesh->valueCount++], PN_MESH_NAME, "%.*s", PN_MESH_NAME - 1, name );
	return *values;
}

// An array of an attribute that belongs to each of so many vertices.
static bool pnGetVertexArray( pnGltf* gltf, const json_t* attributes, const char* key, int count, int columns, int mostColumns, pnGltfArray* array )
{
	if ( pnGltf_GetArray( gltf, attributes, key, array ) == false )
	{
		return false;
	}
	const json_t* at = json_object_get( attributes, key );
	if ( array->columns < columns || array->columns > mostColumns )
	{
		return pnGltf_Fail( gltf, at, "wants rows of %d numbers, not %d", columns, array->columns );
	}
	return count < 0 || array->count == count ? true : pnGltf_Fail( gltf, at, "it has %d rows, but there are %d vertices", array->count, count );
}

static bool pnAddColors( pnGltfReading* reading, const json_t* attributes, int first, int count )
{
	pnMeshFile* mesh = reading->mesh;
	pnGltfArray array;
	if ( pnGetVertexArray( &reading->gltf, attributes, "COLOR_0", count, 3, 4, &array ) == false )
	{
		return false;
	}
	if ( mesh->colors == NULL && pnGrowBeside( (void**)&mesh->colors, 3 * sizeof( float ), 0, mesh->pointCount ) == false )
	{
		mesh->failed = true;
		return true;
	}
	for ( int i = 0; i < 3 * count; ++i )
	{
		double value = pnGltfArray_Get( &array, i / 3, i % 3 );
		mesh->colors[3 * (size_t)first + (size_t)i] = (float)( value > 0.0 ? value < 1.0 ? value : 1.0 : 0.0 );
	}
	return true;
}

// What modelling programs let people name: Blender's attribute `_stiffness` is _STIFFNESS here, and `stiffness` in a scene.
static bool pnAddAttribute( pnGltfReading* reading, const json_t* attributes, const char* key, int first, int count )
{
	pnGltfArray array;
	char name[PN_MESH_NAME];
	if ( pnGetVertexArray( &reading->gltf, attributes, key, count, 1, 16, &array ) == false )
	{
		return false;
	}
	size_t length = 0;
	for ( const char* c = key + 1; *c != 0 && length < PN_MESH_NAME - 1; ++c )
	{
		name[length++] = (char)tolower( (unsigned char)*c );
	}
	name[length] = 0;
	float* values = array.columns == 1 ? pnFindValues( reading->mesh, name ) : NULL;
	for ( int i = 0; i < count && values != NULL; ++i )
	{
		double value = pnGltfArray_Get( &array, i, 0 );
		if ( !( fabs( value ) < 1e15 ) )
		{
			return pnGltf_Fail( &reading->gltf, json_object_get( attributes, key ), "row %d is not a number", i );
		}
		values[first + i] = (float)value;
	}
	return true;
}

// How much each joint has of each vertex: vertex groups of a model with an armature.
static bool pnAddJoints( pnGltfReading* reading, const json_t* node, const json_t* attributes, int first, int count )
{
	pnGltf* gltf = &reading->gltf;
	const json_t* skin = pnGltf_Follow( gltf, node, "skin", "skins" );
	const json_t* joints = json_object_get( skin, "joints" );
	const json_t* nodes = json_object_get( gltf->json, "nodes" );
	pnGltfArray numbers, weights;
	if ( skin == NULL || pnGetVertexArray( gltf, attributes, "JOINTS_0", count, 4, 4, &numbers ) == false ||
		 pnGetVertexArray( gltf, attributes, "WEIGHTS_0", count, 4, 4, &weights ) == false )
	{
		return false;
	}
	for ( int i = 0; i < 4 * count; ++i )
	{
		double weight = pnGltfArray_Get( &weights, i / 4, i % 4 ), number = pnGltfArray_Get( &numbers, i / 4, i % 4 );
		if ( !( weight > 0.0 && weight < 1e15 ) )
		{
			continue;
		}
		const json_t* joint = number >= 0.0 && number < 65536.0 ? json_array_get( joints, (size_t)number ) : NULL;
		const json_t* bone = json_is_integer( joint ) && json_integer_value( joint ) >= 0 ? json_array_get( nodes, (size_t)json_integer_value( joint ) ) : NULL;
		if ( bone == NULL )
		{
			return pnGltf_Fail( gltf, json_object_get( attributes, "JOINTS_0" ), "vertex %d: %g is no joint of its skin", i / 4, number );
		}
		const char* name = json_string_value( json_object_get( bone, "name" ) );
		char other[PN_MESH_NAME];
		snprintf( other, sizeof( other ), "joint_%d", (int)number );
		float* values = pnFindValues( reading->mesh, name != NULL && name[0] != 0 && strlen( name ) < PN_MESH_NAME ? name : other );
		if ( values != NULL )
		{
			values[first + i / 4] += (float)weight;
		}
	}
	return true;
}

static bool pnAddVertices( pnGltfReading* reading, const json_t* node, const json_t* attributes, const pnGltfMatrix* matrix )
{
	pnMeshFile* mesh = reading->mesh;
	pnGltf* gltf = &reading->gltf;
	pnGltfArray array;
	if ( pnGetVertexArray( gltf, attributes, "POSITION", -1, 3, 3, &array ) == false )
	{
		return false;
	}
	int first = mesh->pointCount;
	for ( int i = 0; i < array.count && mesh->failed == false; ++i )
	{
		double x = pnGltfArray_Get( &array, i, 0 ), y = pnGltfArray_Get( &array, i, 1 ), z = pnGltfArray_Get( &array, i, 2 ), p[3];
		for ( int k = 0; k < 3; ++k )
		{
			p[k] = matrix->m[k][0] * x + matrix->m[k][1] * y + matrix->m[k][2] * z + matrix->m[k][3];
			if ( !( fabs( p[k] ) < 1e15 ) )
			{
				return pnGltf_Fail( gltf, json_object_get( attributes, "POSITION" ), "vertex %d is not a number", i );
			}
		}
		pnPutMeshPoint( mesh, (pnVec3d){ p[0], p[1], p[2] } );
	}
	// What other meshes had goes on here with zeros.
	bool good = mesh->failed == false;
	good = good && ( mesh->colors == NULL || pnGrowBeside( (void**)&mesh->colors, 3 * sizeof( float ), first, mesh->pointCount ) );
	for ( int i = 0; i < mesh->valueCount && good; ++i )
	{
		good = pnGrowBeside( (void**)( mesh->values + i ), sizeof( float ), first, mesh->pointCount );
	}
	if ( good == false )
	{
		mesh->failed = true; // told later
		return true;
	}
	if ( json_object_get( attributes, "COLOR_0" ) != NULL && pnAddColors( reading, attributes, first, array.count ) == false )
	{
		return false;
	}
	for ( void* i = json_object_iter( (json_t*)attributes ); i != NULL; i = json_object_iter_next( (json_t*)attributes, i ) )
	{
		const char* key = json_object_iter_key( i );
		if ( key[0] == '_' && key[1] != 0 && pnAddAttribute( reading, attributes, key, first, array.count ) == false )
		{
			return false;
		}
	}
	bool hasJoints = json_object_get( node, "skin" ) != NULL && json_object_get( attributes, "JOINTS_0" ) != NULL;
	return hasJoints == false || pnAddJoints( reading, node, attributes, first, array.count );
}

// ---- triangles ----

static bool pnAddTriangles( pnGltfReading* reading, const json_t* primitive, int first, int vertexCount, int64_t mode, bool isMirrored, int group )
{
	pnGltf* gltf = &reading->gltf;
	bool hasIndices = json_object_get( primitive, "indices" ) != NULL;
	pnGltfArray array = { 0 };
	if ( hasIndices && pnGltf_GetArray( gltf, primitive, "indices", &array ) == false )
	{
		return false;
	}
	const json_t* at = json_object_get( primitive, "indices" );
	if ( hasIndices && ( array.columns != 1 || array.isNormalized || ( array.type != 5121 && array.type != 5123 && array.type != 5125 ) ) )
	{
		return pnGltf_Fail( gltf, at, "wants single whole numbers without a sign" );
	}
	int count = hasIndices ? array.count : vertexCount;
	for ( int i = 0; i + 2 < count; i += mode == 4 ? 3 : 1 )
	{
		int corners[3] = { mode == 6 ? 0 : i, i + 1, i + 2 };
		for ( int k = 0; k < 3; ++k )
		{
			double corner = hasIndices ? pnGltfArray_Get( &array, corners[k], 0 ) : corners[k];
			if ( corner >= vertexCount )
			{
				return pnGltf_Fail( gltf, at, "number %d of them is %.0f, but there are %d vertices", corners[k], corner, vertexCount );
			}
			corners[k] = first + (int)corner;
		}
		bool isFlipped = isMirrored != ( mode == 5 && i % 2 == 1 ); // every other triangle of a strip runs the other way
		pnPutMeshTriangle( reading->mesh, corners[0], corners[isFlipped ? 2 : 1], corners[isFlipped ? 1 : 2], group );
	}
	return true;
}

// What the triangles of a part belong to: the mesh, by its own name or the node's; with the material, if it has several parts.
static int pnPutGroup( pnGltfReading* reading, const json_t* node, const json_t* mesh, const json_t* primitive, size_t part, size_t parts )
{
	const char* name = json_string_value( json_object_get( mesh, "name" ) );
	name = name != NULL && name[0] != 0 ? name : json_string_value( json_object_get( node, "name" ) );
	name = name != NULL && name[0] != 0 ? name : "mesh";
	const json_t* number = json_object_get( primitive, "material" );
	const json_t* materials = json_object_get( reading->gltf.json, "materials" );
	const json_t* material = json_is_integer( number ) && json_integer_value( number ) >= 0 ? json_array_get( materials, (size_t)json_integer_value( number ) ) : NULL;
	const char* second = json_string_value( json_object_get( material, "name" ) );
	char words[2 * PN_MESH_NAME];
	int length = parts == 1		? snprintf( words, sizeof( words ), "%.60s", name )
				 : second != NULL ? snprintf( words, sizeof( words ), "%.30s.%.30s", name, second )
								  : snprintf( words, sizeof( words ), "%.30s.%zu", name, part );
	return pnPutMeshGroup( reading->mesh, words, (size_t)length );
}

static bool pnAddGltfMesh( pnGltfReading* reading, const json_t* node, const json_t* from, const pnGltfMatrix* matrix )
{
	pnGltf* gltf = &reading->gltf;
	pnMeshFile* mesh = reading->mesh;
	const json_t* parts = json_object_get( from, "primitives" );
	const json_t* before = NULL;
	int first = mesh->pointCount;
	if ( json_array_size( parts ) == 0 )
	{
		return pnGltf_Fail( gltf, from, "\"primitives\" is missing" );
	}
	for ( size_t i = 0; i < json_array_size( parts ) && mesh->failed == false; ++i )
	{
		const json_t* part = json_array_get( parts, i );
		const json_t* attributes = json_object_get( part, "attributes" );
		int64_t mode;
		if ( json_is_object( attributes ) == false )
		{
			return pnGltf_Fail( gltf, part, "\"attributes\" is missing" );
		}
		if ( pnGltf_GetWhole( gltf, part, "mode", 4, 6, &mode ) == false )
		{
			return false;
		}
		if ( mode < 4 ) // points and lines are no surface
		{
			continue;
		}
		// Parts of a mesh may share their vertices.
		if ( before == NULL || json_equal( before, attributes ) == 0 )
		{
			first = mesh->pointCount;
			before = attributes;
			if ( pnAddVertices( reading, node, attributes, matrix ) == false )
			{
				return false;
			}
		}
		int group = pnPutGroup( reading, node, from, part, i, json_array_size( parts ) );
		if ( mesh->failed == false && pnAddTriangles( reading, part, first, mesh->pointCount - first, mode, pnGetDeterminant( matrix ) < 0.0, group ) == false )
		{
			return false;
		}
	}
	return true;
}

// ---- nodes ----

static bool pnAddNode( pnGltfReading* reading, const json_t* number, const pnGltfMatrix* parent, int depth )
{
	pnGltf* gltf = &reading->gltf;
	const json_t* nodes = json_object_get( gltf->json, "nodes" );
	json_int_t index = json_is_integer( number ) ? json_integer_value( number ) : -1;
	if ( index < 0 || (size_t)index >= json_array_size( nodes ) )
	{
		return pnGltf_Fail( gltf, number, "there is no such node; there are %zu", json_array_size( nodes ) );
	}
	const json_t* node = json_array_get( nodes, (size_t)index );
	if ( reading->seen[index] || depth > PN_MAX_NODE_DEPTH )
	{
		return pnGltf_Fail( gltf, number, reading->seen[index] ? "this node is in the scene already" : "nodes are too deep within each other" );
	}
	reading->seen[index] = 1;
	pnGltfMatrix matrix;
	if ( pnGetNodeMatrix( gltf, node, &matrix ) == false )
	{
		return false;
	}
	matrix = pnMultiplyMatrices( parent, &matrix );
	if ( json_object_get( node, "mesh" ) != NULL )
	{
		// Joints say where a mesh with a skin is, not its node; at rest they leave it where it was made.
		static const pnGltfMatrix still = { { { 1, 0, 0, 0 }, { 0, 1, 0, 0 }, { 0, 0, 1, 0 } } };
		const pnGltfMatrix* place = json_object_get( node, "skin" ) != NULL ? &still : &matrix;
		const json_t* mesh = pnGltf_Follow( gltf, node, "mesh", "meshes" );
		if ( mesh == NULL || ( pnGetDeterminant( place ) != 0.0 && pnAddGltfMesh( reading, node, mesh, place ) == false ) )
		{
			return false;
		}
	}
	const json_t* children = json_object_get( node, "children" );
	for ( size_t i = 0; i < json_array_size( children ) && reading->mesh->failed == false; ++i )
	{
		if ( pnAddNode( reading, json_array_get( children, i ), &matrix, depth + 1 ) == false )
		{
			return false;
		}
	}
	return true;
}

static bool pnReadGltfScene( pnGltfReading* reading )
{
	pnGltf* gltf = &reading->gltf;
	const json_t* required = json_object_get( gltf->json, "extensionsRequired" );
	for ( size_t i = 0; i < json_array_size( required ); ++i )
	{
		const char* name = json_string_value( json_array_get( required, i ) );
		if ( name != NULL && strstr( name, "compression" ) != NULL )
		{
			return pnGltf_Fail( gltf, json_array_get( required, i ), "%.60s is not read; export it without compression", name );
		}
	}
	const json_t* nodes = json_object_get( gltf->json, "nodes" );
	const json_t* scene = NULL;
	if ( json_array_size( json_object_get( gltf->json, "scenes" ) ) > 0 )
	{
		int64_t index;
		const json_t* scenes = json_object_get( gltf->json, "scenes" );
		if ( pnGltf_GetWhole( gltf, gltf->json, "scene", 0, (int64_t)json_array_size( scenes ) - 1, &index ) == false )
		{
			return false;
		}
		scene = json_array_get( scenes, (size_t)index );
	}
	const json_t* roots = json_object_get( scene, "nodes" );
	reading->seen = calloc( json_array_size( nodes ) + 1, 1 );
	if ( reading->seen == NULL )
	{
		return pnFailMesh( gltf->fault, "there is no memory for it" );
	}
	static const pnGltfMatrix still = { { { 1, 0, 0, 0 }, { 0, 1, 0, 0 }, { 0, 0, 1, 0 } } };
	for ( size_t i = 0; i < json_array_size( roots ); ++i )
	{
		if ( pnAddNode( reading, json_array_get( roots, i ), &still, 0 ) == false )
		{
			return false;
		}
	}
	return reading->mesh->pointCount > 0 || reading->mesh->failed ? true : pnGltf_Fail( gltf, gltf->json, "its scene has no triangles" );
}

bool pnReadGltf( const uint8_t* bytes, size_t size, bool isBinary, const char* folder, pnMeshFile* mesh, pnMeshFault* fault )
{
	pnGltfReading reading = { .mesh = mesh };
	bool good = pnGltf_Open( &reading.gltf, bytes, size, isBinary, folder, fault ) && pnReadGltfScene( &reading );
	free( reading.seen );
	pnGltf_Close( &reading.gltf );
	return good;
}
