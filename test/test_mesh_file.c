// test_mesh_file.c - mesh files: each format gives the same cube, in its own order, with its groups; broken ones are told by line or byte; no bytes harm the
// readers; a surface is sampled evenly, within too. Knows the readers of tools/.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT

#include "mesh_file.h"
#include "mesh_gltf.h"
#include "mesh_sample.h"
#include "scene_file.h"
#include "scene_find.h"
#include "shape.h"

#include "test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef PLIANT_SOURCE
#define PLIANT_SOURCE "."
#endif

// ---- one cube in many formats ----

static const double s_corners[8][3] = { { 0, 0, 0 }, { 1, 0, 0 }, { 1, 1, 0 }, { 0, 1, 0 }, { 0, 0, 1 }, { 1, 0, 1 }, { 1, 1, 1 }, { 0, 1, 1 } };
static const int s_quads[6][4] = { { 0, 3, 2, 1 }, { 4, 5, 6, 7 }, { 0, 1, 5, 4 }, { 1, 2, 6, 5 }, { 2, 3, 7, 6 }, { 3, 0, 4, 7 } };

typedef struct Bytes { uint8_t data[65536]; size_t size; } Bytes;

static void Put( Bytes* bytes, const void* data, size_t size )
{
	memcpy( bytes->data + bytes->size, data, size );
	bytes->size += size;
}

static void PutText( Bytes* bytes, const char* text ) { Put( bytes, text, strlen( text ) ); }

// Little or big end first.
static void PutNumber( Bytes* bytes, const void* number, int size, bool big )
{
	uint8_t order[8];
	for ( int i = 0; i < size; ++i )
	{
		order[i] = ( (const uint8_t*)number )[big ? size - 1 - i : i]; // on a machine that has the little end first
	}
	Put( bytes, order, (size_t)size );
}

static void WriteObj( Bytes* bytes )
{
	char line[200];
	PutText( bytes, "# a cube\nmtllib none.mtl\n" );
	for ( int i = 0; i < 8; ++i )
	{
		snprintf( line, sizeof( line ), "v %g %g %g %g 0.5 0\n", s_corners[i][0], s_corners[i][1], s_corners[i][2], i < 4 ? 1.0 : 0.0 );
		PutText( bytes, line );
	}
	PutText( bytes, "vn 0 0 1\nvt 0 0\ng lower extra\n" );
	for ( int q = 0; q < 6; ++q )
	{
		const int* c = s_quads[q];
		if ( q == 1 )
		{
			PutText( bytes, "usemtl red\no upper\n" );
		}
		q % 2 == 0 ? snprintf( line, sizeof( line ), "f %d/1/1 %d//1 %d/1 %d\r\n", c[0] + 1, c[1] + 1, c[2] + 1, c[3] + 1 )
				   : snprintf( line, sizeof( line ), "f %d %d \\\n %d %d\n", c[0] - 8, c[1] - 8, c[2] - 8, c[3] - 8 );
		PutText( bytes, line );
	}
}

static void WritePly( Bytes* bytes, int kind ) // text, little, big
{
	static const char* const formats[] = { "ascii", "binary_little_endian", "binary_big_endian" };
	char line[200];
	PutText( bytes, "ply\nformat " );
	PutText( bytes, formats[kind] );
	PutText( bytes, " 1.0\ncomment a cube\nelement vertex 8\nproperty float x\nproperty double y\nproperty float z\nproperty uchar red\nproperty uchar green\n"
					"property uchar blue\nproperty float stiffness\nelement material 1\nproperty int kind\nelement face 6\nproperty list uchar int vertex_indices\n"
					"property short flag\nend_header\n" );
	for ( int i = 0; i < 8; ++i )
	{
		float x = (float)s_corners[i][0], z = (float)s_corners[i][2], stiffness = (float)i / 8.0f;
		double y = s_corners[i][1];
		uint8_t color[3] = { i < 4 ? 255 : 0, 128, 0 };
		if ( kind == 0 )
		{
			snprintf( line, sizeof( line ), "%g %g %g %d %d %d %g\n", (double)x, y, (double)z, color[0], color[1], color[2], (double)stiffness );
			PutText( bytes, line );
			continue;
		}
		PutNumber( bytes, &x, 4, kind == 2 );
		PutNumber( bytes, &y, 8, kind == 2 );
		PutNumber( bytes, &z, 4, kind == 2 );
		Put( bytes, color, 3 );
		PutNumber( bytes, &stiffness, 4, kind == 2 );
	}
	int32_t material = 3;
	kind == 0 ? PutText( bytes, "3\n" ) : PutNumber( bytes, &material, 4, kind == 2 );
	for ( int q = 0; q < 6; ++q )
	{
		if ( kind == 0 )
		{
			snprintf( line, sizeof( line ), "4 %d %d %d %d 7\n", s_quads[q][0], s_quads[q][1], s_quads[q][2], s_quads[q][3] );
			PutText( bytes, line );
			continue;
		}
		uint8_t four = 4;
		int16_t flag = 7;
		Put( bytes, &four, 1 );
		for ( int k = 0; k < 4; ++k )
		{
			int32_t corner = s_quads[q][k];
			PutNumber( bytes, &corner, 4, kind == 2 );
		}
		PutNumber( bytes, &flag, 2, kind == 2 );
	}
}

static void WriteStl( Bytes* bytes, bool binary )
{
	char line[200], head[80] = "solid, though binary";
	uint32_t count = 12;
	binary ? Put( bytes, head, 80 ) : PutText( bytes, "solid cube\n" );
	if ( binary )
	{
		Put( bytes, &count, 4 );
	}
	for ( int t = 0; t < 12; ++t )
	{
		const int* q = s_quads[t / 2];
		int corners[3] = { q[0], q[1 + t % 2], q[2 + t % 2] };
		float zero[3] = { 0.0f, 0.0f, 0.0f };
		uint16_t none = 0;
		binary ? Put( bytes, zero, 12 ) : PutText( bytes, "facet normal 0 0 0\n outer loop\n" );
		for ( int k = 0; k < 3; ++k )
		{
			const double* c = s_corners[corners[k]];
			float place[3] = { (float)c[0], (float)c[1], (float)c[2] };
			snprintf( line, sizeof( line ), "  vertex %g %g %g\n", c[0], c[1], c[2] );
			binary ? Put( bytes, place, 12 ) : PutText( bytes, line );
		}
		binary ? Put( bytes, &none, 2 ) : PutText( bytes, " endloop\nendfacet\n" );
	}
	if ( binary == false )
	{
		PutText( bytes, "endsolid cube\n" );
	}
}

// Five tetrahedra that fill the cube.
static const int s_tets[5][4] = { { 0, 1, 3, 4 }, { 2, 3, 1, 6 }, { 5, 4, 6, 1 }, { 7, 6, 4, 3 }, { 1, 3, 4, 6 } };

static void WriteMsh( Bytes* bytes, int version )
{
	char line[200];
	PutText( bytes, version == 2 ? "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n" : "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n" );
	PutText( bytes, "$PhysicalNames\n2\n2 1 \"skin\"\n3 2 \"meat\"\n$EndPhysicalNames\n" );
	if ( version == 4 )
	{
		PutText( bytes, "$Entities\n0 0 1 1\n5 0 0 0 1 1 1 1 1 0\n6 0 0 0 1 1 1 1 2 1 5\n$EndEntities\n" );
	}
	PutText( bytes, version == 2 ? "$Nodes\n8\n" : "$Nodes\n1 8 10 17\n3 6 0 8\n10\n11\n12\n13\n14\n15\n16\n17\n" );
	for ( int i = 0; i < 8; ++i )
	{
		version == 2 ? snprintf( line, sizeof( line ), "%d %g %g %g\n", 10 + i, s_corners[i][0], s_corners[i][1], s_corners[i][2] )
					 : snprintf( line, sizeof( line ), "%g %g %g\n", s_corners[i][0], s_corners[i][1], s_corners[i][2] );
		PutText( bytes, line );
	}
	PutText( bytes, version == 2 ? "$EndNodes\n$Elements\n8\n1 15 2 0 1 10\n" : "$EndNodes\n$Elements\n2 7 1 7\n2 5 3 2\n" );
	for ( int q = 0; q < 2; ++q )
	{
		const int* c = s_quads[q];
		version == 2 ? snprintf( line, sizeof( line ), "%d 3 2 1 5 %d %d %d %d\n", 2 + q, 10 + c[0], 10 + c[1], 10 + c[2], 10 + c[3] )
					 : snprintf( line, sizeof( line ), "%d %d %d %d %d\n", 1 + q, 10 + c[0], 10 + c[1], 10 + c[2], 10 + c[3] );
		PutText( bytes, line );
	}
	PutText( bytes, version == 2 ? "" : "3 6 4 5\n" );
	for ( int t = 0; t < 5; ++t )
	{
		const int* c = s_tets[t];
		version == 2 ? snprintf( line, sizeof( line ), "%d 4 2 2 6 %d %d %d %d\n", 4 + t, 10 + c[0], 10 + c[1], 10 + c[2], 10 + c[3] )
					 : snprintf( line, sizeof( line ), "%d %d %d %d %d\n", 3 + t, 10 + c[0], 10 + c[1], 10 + c[2], 10 + c[3] );
		PutText( bytes, line );
	}
	PutText( bytes, "$EndElements\n" );
}

// Two parts with a material each share the corners; a node turns, stretches and mirrors what its own place puts back. Colours are bytes, a value is named.
static void WriteGlb( Bytes* bytes )
{
	static Bytes buffer;
	buffer.size = 0;
	for ( int i = 0; i < 8; ++i )
	{
		// The node has x as -y, y as 2 z, z as x + 5: what it gives are the corners.
		float place[3] = { -(float)s_corners[i][1], 2.0f * (float)s_corners[i][2], (float)s_corners[i][0] + 5.0f };
		Put( &buffer, place, 12 );
	}
	for ( int i = 0; i < 8; ++i )
	{
		uint8_t color[4] = { i < 4 ? 255 : 0, 128, 0, 255 };
		Put( &buffer, color, 4 );
	}
	for ( int i = 0; i < 8; ++i )
	{
		float value = (float)i / 8.0f;
		Put( &buffer, &value, 4 );
	}
	double sense = -1.0; // of the node's matrix: triangles in the file run the other way
	for ( int t = 0; t < 12; ++t )
	{
		const int* q = s_quads[t / 2];
		uint16_t corners[3] = { (uint16_t)q[0], (uint16_t)q[( sense < 0.0 ? 2 : 1 ) + t % 2], (uint16_t)q[( sense < 0.0 ? 1 : 2 ) + t % 2] };
		Put( &buffer, corners, 6 );
	}
	static const char json[] =
		"{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[2]}],\"materials\":[{\"name\":\"low\"},{\"name\":\"high\"}],"
		"\"nodes\":[{\"name\":\"box\",\"mesh\":0,\"matrix\":[0,-1,0,0, 0,0,0.5,0, 1,0,0,0, -5,0,0,1]},{\"name\":\"gone\",\"mesh\":0,\"scale\":[0,0,0]},{\"children\":[0,1]}],"
		"\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0,\"COLOR_0\":1,\"_STIFFNESS\":2},\"indices\":3,\"material\":0},"
		"{\"attributes\":{\"POSITION\":0,\"COLOR_0\":1,\"_STIFFNESS\":2},\"indices\":4,\"material\":1}]}],"
		"\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":8,\"type\":\"VEC3\"},"
		"{\"bufferView\":1,\"componentType\":5121,\"normalized\":true,\"count\":8,\"type\":\"VEC4\"},"
		"{\"bufferView\":2,\"componentType\":5126,\"count\":8,\"type\":\"SCALAR\"},{\"bufferView\":3,\"componentType\":5123,\"count\":6,\"type\":\"SCALAR\"},"
		"{\"bufferView\":3,\"byteOffset\":12,\"componentType\":5123,\"count\":30,\"type\":\"SCALAR\"}],"
		"\"bufferViews\":[{\"buffer\":0,\"byteLength\":96},{\"buffer\":0,\"byteOffset\":96,\"byteLength\":32},{\"buffer\":0,\"byteOffset\":128,\"byteLength\":32},"
		"{\"buffer\":0,\"byteOffset\":160,\"byteLength\":72}],\"buffers\":[{\"byteLength\":232}]}";
	uint32_t words[] = { 0x46546c67, 2, (uint32_t)( 28 + strlen( json ) + buffer.size ), (uint32_t)strlen( json ), 0x4e4f534a };
	uint32_t second[] = { (uint32_t)buffer.size, 0x004e4942 };
	Put( bytes, words, 20 );
	PutText( bytes, json );
	Put( bytes, second, 8 );
	Put( bytes, buffer.data, buffer.size );
}

static void EnsureCorners( const pnMeshFile* mesh )
{
	ENSURE( mesh->pointCount == 8 );
	for ( int i = 0; i < 8 && i < mesh->pointCount; ++i )
	{
		ENSURE( mesh->points[i].x == s_corners[i][0] && mesh->points[i].y == s_corners[i][1] && mesh->points[i].z == s_corners[i][2] );
	}
}

static void EnsureClosedCube( const pnMeshFile* mesh )
{
	pnMeshCheck check;
	ENSURE( mesh->triangleCount == 12 );
	ENSURE( pnCheckMesh( mesh, &check ) );
	ENSURE( check.closed && check.manifold && check.parts == 1 );
	ENSURE_NEAR( check.volume, 1.0, 1e-12 );
	ENSURE_NEAR( check.area, 6.0, 1e-12 );
}

static void EveryFormatGivesTheSameCube( void )
{
	static Bytes bytes;
	pnMeshFile mesh;
	pnMeshFault fault;
	bytes.size = 0;
	WriteObj( &bytes );
	REQUIRE( pnReadMeshBytes( bytes.data, bytes.size, "obj", &mesh, &fault ) );
	EnsureCorners( &mesh );
	EnsureClosedCube( &mesh );
	ENSURE( mesh.groupCount == 2 && strcmp( mesh.names[0], "lower" ) == 0 && strcmp( mesh.names[1], "upper" ) == 0 );
	ENSURE( mesh.triangleGroups[1] == 0 && mesh.triangleGroups[2] == 1 );
	ENSURE( mesh.colors != NULL && mesh.colors[0] == 1.0f && mesh.colors[1] == 0.5f && mesh.colors[3 * 7] == 0.0f );
	pnFreeMeshFile( &mesh );
	for ( int kind = 0; kind < 3; ++kind )
	{
		pnTestContext( "ply %d", kind );
		bytes.size = 0;
		WritePly( &bytes, kind );
		REQUIRE( pnReadMeshBytes( bytes.data, bytes.size, "ply", &mesh, &fault ) );
		EnsureCorners( &mesh );
		EnsureClosedCube( &mesh );
		ENSURE( mesh.valueCount == 1 && strcmp( mesh.valueNames[0], "stiffness" ) == 0 && mesh.values[0][6] == 0.75f );
		ENSURE( mesh.colors != NULL && mesh.colors[0] == 1.0f && mesh.colors[3 * 7] == 0.0f );
		pnFreeMeshFile( &mesh );
	}
	for ( int binary = 0; binary < 2; ++binary )
	{
		pnTestContext( "stl %d", binary );
		bytes.size = 0;
		WriteStl( &bytes, binary == 1 );
		REQUIRE( pnReadMeshBytes( bytes.data, bytes.size, "stl", &mesh, &fault ) );
		ENSURE( mesh.pointCount == 36 );
		EnsureClosedCube( &mesh );
		ENSURE( strcmp( mesh.names[0], binary == 1 ? "all" : "cube" ) == 0 );
		pnFreeMeshFile( &mesh );
	}
	bytes.size = 0;
	WriteGlb( &bytes );
	bool isGlb = pnReadMeshBytes( bytes.data, bytes.size, "glb", &mesh, &fault );
	if ( isGlb == false )
	{
		printf( "    %s\n", fault.text );
	}
	REQUIRE( isGlb );
	EnsureCorners( &mesh );
	EnsureClosedCube( &mesh );
	ENSURE( mesh.groupCount == 2 && strcmp( mesh.names[0], "box.low" ) == 0 && strcmp( mesh.names[1], "box.high" ) == 0 && mesh.triangleGroups[1] == 0 && mesh.triangleGroups[2] == 1 );
	ENSURE( mesh.valueCount == 1 && strcmp( mesh.valueNames[0], "stiffness" ) == 0 && mesh.values[0][6] == 0.75f );
	ENSURE( mesh.colors != NULL && mesh.colors[0] == 1.0f && mesh.colors[3 * 7] == 0.0f );
	pnFreeMeshFile( &mesh );
	for ( int version = 2; version <= 4; version += 2 )
	{
		pnTestContext( "msh %d", version );
		bytes.size = 0;
		WriteMsh( &bytes, version );
		bool good = pnReadMeshBytes( bytes.data, bytes.size, "msh", &mesh, &fault );
		REQUIRE( good );
		EnsureCorners( &mesh );
		ENSURE( mesh.tetCount == 5 && mesh.triangleCount == 4 );
		ENSURE( mesh.groupCount == 2 && strcmp( mesh.names[mesh.tetGroups[0]], "meat" ) == 0 && strcmp( mesh.names[mesh.triangleGroups[0]], "skin" ) == 0 );
		ENSURE( mesh.tetrahedra[4] == 2 );
		pnFreeMeshFile( &mesh );
	}
	for ( int first = 0; first < 2; ++first )
	{
		char nodes[1024] = "# nodes\n8 3 0 0\n", elements[1024] = "5 4 1\n", line[100];
		for ( int i = 0; i < 8; ++i )
		{
			snprintf( line, sizeof( line ), "%d %g %g %g\n", first + i, s_corners[i][0], s_corners[i][1], s_corners[i][2] );
			strcat( nodes, line );
		}
		for ( int t = 0; t < 5; ++t )
		{
			snprintf( line, sizeof( line ), "%d %d %d %d %d %d\n", first + t, first + s_tets[t][0], first + s_tets[t][1], first + s_tets[t][2], first + s_tets[t][3], t / 3 );
			strcat( elements, line );
		}
		mesh = ( pnMeshFile ){ 0 };
		REQUIRE( pnReadTetGen( nodes, strlen( nodes ), elements, strlen( elements ), &mesh, &fault ) );
		EnsureCorners( &mesh );
		ENSURE( mesh.tetCount == 5 && mesh.groupCount == 2 && mesh.tetrahedra[4] == 2 );
		pnFreeMeshFile( &mesh );
	}
	pnTestContext( " " );
}

// One triangle with vertex colours, as Blender writes it but smaller: the buffer is base64 in the file.
static void ColoursComeOutOfGltf( void )
{
	// positions 0 0 0, 1 0 0, 0 1 0; colours red, green, blue as floats; indices 0 1 2 as unsigned short
	static const char text[] =
		"{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"name\":\"flag\",\"mesh\":0,\"translation\":[0,0,2]}],"
		"\"meshes\":[{\"name\":\"cloth\",\"primitives\":[{\"attributes\":{\"POSITION\":0,\"COLOR_0\":1},\"indices\":2}]}],"
		"\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\",\"min\":[0,0,0],\"max\":[1,1,0]},"
		"{\"bufferView\":1,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"},{\"bufferView\":2,\"componentType\":5123,\"count\":3,\"type\":\"SCALAR\"}],"
		"\"bufferViews\":[{\"buffer\":0,\"byteOffset\":0,\"byteLength\":36},{\"buffer\":0,\"byteOffset\":36,\"byteLength\":36},{\"buffer\":0,\"byteOffset\":72,\"byteLength\":6}],"
		"\"buffers\":[{\"byteLength\":78,\"uri\":\"data:application/octet-stream;base64,"
		"AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAAAAAAAAAAAAAAAIA/AAABAAIA\"}]}";
	char path[] = P_tmpdir "/pliant_mesh_XXXXXX.gltf";
	int file = mkstemps( path, 5 );
	REQUIRE( file >= 0 );
	ENSURE( write( file, text, strlen( text ) ) == (ssize_t)strlen( text ) );
	close( file );
	pnMeshFile mesh;
	pnMeshFault fault;
	bool good = pnLoadMeshFile( path, &mesh, &fault );
	if ( ENSURE( good ) )
	{
		ENSURE( mesh.pointCount == 3 && mesh.triangleCount == 1 && mesh.points[1].x == 1.0 && mesh.points[0].z == 2.0 );
		ENSURE( mesh.colors != NULL && mesh.colors[0] == 1.0f && mesh.colors[4] == 1.0f && mesh.colors[8] == 1.0f );
		ENSURE( strncmp( mesh.names[0], "cloth", 5 ) == 0 );
		pnFreeMeshFile( &mesh );
	}
	unlink( path );
}

// ---- broken files ----

static size_t PutWord( uint8_t* bytes, size_t at, uint32_t word )
{
	for ( int i = 0; i < 4; ++i )
	{
		bytes[at + (size_t)i] = (uint8_t)( word >> 8 * i );
	}
	return at + 4;
}

// A container of one chunk of JSON and one of bytes.
static size_t MakeGlb( uint8_t* bytes, const char* json, int binary )
{
	size_t length = strlen( json ), at = PutWord( bytes, 0, 0x46546c67 );
	at = PutWord( bytes, at, 2 );
	at = PutWord( bytes, at, (uint32_t)( 28 + length ) + (uint32_t)binary );
	at = PutWord( bytes, at, (uint32_t)length );
	at = PutWord( bytes, at, 0x4e4f534a );
	memcpy( bytes + at, json, length );
	at = PutWord( bytes, at + length, (uint32_t)binary );
	at = PutWord( bytes, at, 0x004e4942 );
	memset( bytes + at, 0, (size_t)binary );
	return at + (size_t)binary;
}

static void CheckGltf( const uint8_t* bytes, size_t size, bool isBinary, const char* message )
{
	pnMeshFault fault = { "" };
	uint8_t* copy = malloc( size > 0 ? size : 1 ); // as long as it is, for sanitizers
	REQUIRE( copy != NULL );
	memcpy( copy, bytes, size );
	pnGltf gltf;
	bool good = pnGltf_Open( &gltf, copy, size, isBinary, NULL, &fault );
	pnGltf_Close( &gltf );
	free( copy );
	if ( ENSURE( good == ( message[0] == 0 ) && strcmp( fault.text, message ) == 0 ) == false )
	{
		printf( "    found    %s\n    expected %s\n", fault.text, message );
	}
}

static void BrokenContainersAreToldByByte( void )
{
	static const char json[] = "{\"asset\":{\"version\":\"2.0\"}}     "; // 32 bytes
	uint8_t bytes[256], other[256];
	size_t size = MakeGlb( bytes, json, 8 );
	ENSURE( size == 12 + 8 + 32 + 8 + 8 );
	CheckGltf( bytes, size, true, "" );
	CheckGltf( bytes, 3, true, "byte 0: a GLB file begins with the letters glTF" );
	CheckGltf( (const uint8_t*)json, 32, true, "byte 0: a GLB file begins with the letters glTF" );
	CheckGltf( bytes, 9, true, "byte 9: the file ends within its header of 12 bytes" );
	CheckGltf( bytes, size - 1, true, "byte 8: it says that it has 68 bytes, but ends after 67" );
	static const struct { size_t at; uint32_t word; const char* message; } cases[] = {
		{ 4, 7, "byte 4: it is glTF 7; version 2 is read" },
		{ 8, 12, "byte 12: there is no chunk of JSON" },
		{ 8, 17, "byte 12: 5 bytes are left, and a chunk begins with 8" },
		{ 12, 1000, "byte 12: the chunk says that it has 1000 bytes, but 48 are left" },
		{ 12, 0xffffffff, "byte 12: the chunk says that it has 4294967295 bytes, but 48 are left" },
		{ 16, 0x004e4942, "byte 16: the first chunk is to be JSON" },
		{ 52, 9, "byte 52: the chunk says that it has 9 bytes, but 8 are left" },
		{ 56, 0x4e4f534a, "byte 56: there is a second chunk of JSON" },
		{ 20, 0x22617b7b, "byte 21: its JSON is broken at line 1, column 2: string or '}' expected near '{'" },
	};
	for ( size_t i = 0; i < sizeof( cases ) / sizeof( cases[0] ); ++i )
	{
		memcpy( other, bytes, size );
		PutWord( other, cases[i].at, cases[i].word );
		CheckGltf( other, size, true, cases[i].message );
	}
	static const char text[] = "{\n\"asset\": [1, 2,\n}";
	CheckGltf( (const uint8_t*)text, strlen( text ), false, "byte 18: its JSON is broken at line 3, column 1: unexpected token near '}'" );
	CheckGltf( (const uint8_t*)text, 12, false, "byte 12: its JSON is broken at line 2, column 10: ']' expected near end of file" );
	CheckGltf( (const uint8_t*)"[]", 2, false, "byte 0: its JSON is no object, { ... }; is it a glTF file?" );
	// Whatever is changed: it is taken, or told by a byte of the file.
	pnRandom random = pnSeed( 17 );
	for ( int round = 0; round < 2000; ++round )
	{
		memcpy( other, bytes, size );
		for ( int i = 1 + pnRandomInt( &random, 3 ); i > 0; --i )
		{
			other[pnRandomInt( &random, (int)size )] = (uint8_t)pnRandomBits( &random );
		}
		size_t length = (size_t)pnRandomInt( &random, (int)size + 1 );
		length = pnRandomInt( &random, 2 ) == 0 ? length : size;
		pnMeshFault fault = { "" };
		unsigned at = 0;
		uint8_t* copy = malloc( length > 0 ? length : 1 );
		REQUIRE( copy != NULL );
		memcpy( copy, other, length );
		pnGltf gltf;
		if ( pnGltf_Open( &gltf, copy, length, true, NULL, &fault ) == false )
		{
			ENSURE( sscanf( fault.text, "byte %u:", &at ) == 1 && at <= length );
		}
		pnGltf_Close( &gltf );
		free( copy );
	}
}

// A triangle whose corners are all at one place, and which has itself as its indices.
#define PN_GLTF( count, type, length, uri )                                                                                                                              \
	"{\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0}],\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":0}]}],"                                    \
	"\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":" count ",\"type\":" type "}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":" length                    \
	"}],\"buffers\":[{\"byteLength\":36,\"uri\":" uri "}]}"
#define PN_ZEROS36 "\"data:;base64,AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\""

static void BrokenMeshesAreToldByPlace( void )
{
	static const struct { const char *format, *text, *message; } cases[] = {
		{ "obj", "", "it has no vertices, v X Y Z; is it an OBJ file?" },
		{ "obj", "v 0 0\n", "line 1: a vertex has three numbers, v X Y Z" },
		{ "obj", "v 0 0 nan\n", "line 1: a vertex has three numbers, v X Y Z" },
		{ "obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\n\nf 1 2\n", "line 5: a face has three corners or more, not 2" },
		{ "obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 0\n", "line 4: '0' is no corner; there are 3 vertices before it" },
		{ "obj", "v 0 0 0\nv 1 0 0\nf 1 2 -3\n", "line 3: '-3' is no corner; there are 2 vertices before it" },
		{ "obj", "v 0 0 0\nf 1 1/x y\n", "line 2: 'y' is no corner; there are 1 vertices before it" },
		{ "ply", "plx\n", "line 1: a PLY file begins with the word ply" },
		{ "ply", "ply\nformat ascii 1.0\nelement vertex 1\n", "line 3: the file ends before end_header" },
		{ "ply", "ply\nformat text 1.0\n", "line 2: the format is ascii, binary_little_endian or binary_big_endian" },
		{ "ply", "ply\nformat ascii 1.0\nelement vertex 1\nproperty flaot x\nend_header\n",
		  "line 4: 'flaot' is no type; there are char, uchar, short, ushort, int, uint, float, double" },
		{ "ply", "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\nend_header\n0 0\n", "line 6: its vertices have no x, y and z" },
		{ "ply", "ply\nformat ascii 1.0\nelement vertex 2\nproperty float x\nproperty float y\nproperty float z\nend_header\n0 0 0\n1 0\n",
		  "line 9: a number is missing or is none" },
		{ "ply",
		  "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\nproperty float z\nelement face 1\nproperty list uchar int vertex_indices\n"
		  "end_header\n0 0 0\n3 0 0 1\n",
		  "line 11: a face has a corner that is no vertex" },
		{ "ply", "ply\nformat binary_little_endian 1.0\nelement vertex 9\nproperty float x\nproperty float y\nproperty float z\nend_header\n0000000000000",
		  "byte 128: the file ends before its last number" },
		{ "stl", "solid a\nfacet\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nendloop\n", "line 6: a facet has three vertices, not 2" },
		{ "stl", "solid a\nvertex 0 0\n", "line 2: a vertex has three numbers" },
		{ "stl", "solid a\nfacett\n", "line 2: 'facett' is no word of an STL file" },
		{ "stl", "nothing", "byte 7: the file ends before its triangles; is it an STL file?" },
		{ "msh", "$Nodes\n", "line 1: a Gmsh file begins with $MeshFormat" },
		{ "msh", "$MeshFormat\n4.1 1 8\n", "line 2: it is binary; Gmsh writes text with Mesh.Binary = 0" },
		{ "msh", "$MeshFormat\n3 0 8\n", "line 2: version 3 is not read; 2 and 4 are" },
		{ "msh", "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n2\n1 0 0 0\n", "line 6: the file ends within a section" },
		{ "msh", "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n1\n1 0 0 0\n$EndNodes\n$Elements\n1\n1 4 2 0 0 1 1 1 2\n", "line 10: corner 4 of the element is no node" },
		{ "msh", "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n1\n1 0 0 0\n$EndNodes\n$Elements\n1\n1 5 0 1\n",
		  "line 10: elements of kind 5 are not read; triangles (2), quadrangles (3) and tetrahedra (4) are" },
		{ "gltf", "{}", "byte 0: its scene has no triangles" },
		{ "gltf", "{\"scene\":1,\"scenes\":[{}]}", "byte 9: scene: wants a whole number from 0 to 0" },
		{ "gltf", "{\"scenes\":[{\"nodes\":[2]}],\"nodes\":[{},{}]}", "byte 21: scenes[0].nodes[0]: there is no such node; there are 2" },
		{ "gltf", "{\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"children\":[0]}]}", "byte 48: nodes[0].children[0]: this node is in the scene already" },
		{ "gltf", "{\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0}]}", "byte 43: nodes[0].mesh: there are no meshes in the file" },
		{ "gltf", "{\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"scale\":[1,1]}]}", "byte 44: nodes[0].scale: wants 3 numbers" },
		{ "gltf", "{\"extensionsRequired\":[\"KHR_draco_mesh_compression\"]}",
		  "byte 23: extensionsRequired[0]: KHR_draco_mesh_compression is not read; export it without compression" },
		{ "gltf", PN_GLTF( "3", "\"SCALAR\"", "36", PN_ZEROS36 ), "byte 98: meshes[0].primitives[0].attributes.POSITION: wants rows of 3 numbers, not 1" },
		{ "gltf", PN_GLTF( "3", "\"VEC3\"", "36", "\"x.bin\"" ), "byte 272: buffers[0].uri: the file 'x.bin' is out of reach" },
		{ "gltf", PN_GLTF( "3", "\"VEC3\"", "36", "\"data:;base64,AA*A\"" ), "byte 272: buffers[0].uri: '*' is no letter of base64" },
		{ "gltf", PN_GLTF( "3", "\"VEC3\"", "36", "\"data:;base64,AAAA\"" ), "byte 249: buffers[0]: it says that it has 36 bytes, but there are 3" },
		{ "gltf", PN_GLTF( "3", "\"VEC3\"", "40", PN_ZEROS36 ), "byte 208: bufferViews[0]: it ends at byte 40 of a buffer of 36" },
		{ "gltf", PN_GLTF( "4", "\"VEC3\"", "36", PN_ZEROS36 ), "byte 130: accessors[0]: it ends at byte 48 of a buffer view of 36" },
		{ "gltf", PN_GLTF( "3", "\"VEC9\"", "36", PN_ZEROS36 ), "byte 184: accessors[0].type: wants \"type\": \"SCALAR\", \"VEC2\", \"VEC3\", \"VEC4\" or \"MAT4\"" },
		{ "gltf", PN_GLTF( "3", "\"VEC3\"", "36", PN_ZEROS36 ), "byte 111: meshes[0].primitives[0].indices: wants single whole numbers without a sign" },
	};
	for ( size_t i = 0; i < sizeof( cases ) / sizeof( cases[0] ); ++i )
	{
		pnMeshFile mesh;
		pnMeshFault fault = { "" };
		pnTestContext( "%s, case %zu", cases[i].format, i );
		bool good = pnReadMeshBytes( (const uint8_t*)cases[i].text, strlen( cases[i].text ), cases[i].format, &mesh, &fault );
		ENSURE( good == false );
		if ( ENSURE( strcmp( fault.text, cases[i].message ) == 0 ) == false )
		{
			printf( "    found    %s\n    expected %s\n", fault.text, cases[i].message );
		}
		pnFreeMeshFile( &mesh );
	}
	pnTestContext( " " );
}

static void ChangedBytesDoNoHarm( void )
{
	static const char* const formats[] = { "obj", "ply", "ply", "ply", "stl", "stl", "msh", "msh", "glb" };
	const char* seedText = getenv( "PLIANT_SEED" );
	pnRandom random = pnSeed( seedText != NULL ? strtoull( seedText, NULL, 10 ) : 23 );
	int total = getenv( "PLIANT_LONG" ) != NULL ? 100000 : 9000, refused = 0;
	for ( int i = 0; i < total; ++i )
	{
		static Bytes bytes;
		int kind = i % 9;
		bytes.size = 0;
		kind == 0 ? WriteObj( &bytes ) : kind < 4 ? WritePly( &bytes, kind - 1 ) : kind < 6 ? WriteStl( &bytes, kind == 5 ) : kind < 8 ? WriteMsh( &bytes, kind == 6 ? 2 : 4 ) : WriteGlb( &bytes );
		int changes = 1 + pnRandomInt( &random, 4 );
		for ( int c = 0; c < changes; ++c )
		{
			bytes.data[pnRandomInt( &random, (int)bytes.size )] = pnRandomInt( &random, 2 ) == 0 ? (uint8_t)pnRandomBits( &random ) : (uint8_t)"0123456789- \n/fvg$e."[pnRandomInt( &random, 20 )];
		}
		size_t size = pnRandomInt( &random, 5 ) == 0 ? (size_t)pnRandomInt( &random, (int)bytes.size ) : bytes.size;
		pnMeshFile mesh;
		pnMeshFault fault = { "" };
		bool good = pnReadMeshBytes( bytes.data, size, formats[kind], &mesh, &fault );
		ENSURE( good == ( fault.text[0] == 0 ) );
		refused += good ? 0 : 1;
		for ( int k = 0; k < 3 * mesh.triangleCount; ++k )
		{
			ENSURE( mesh.triangles[k] >= 0 && mesh.triangles[k] < mesh.pointCount );
		}
		for ( int k = 0; k < 4 * mesh.tetCount; ++k )
		{
			ENSURE( mesh.tetrahedra[k] >= 0 && mesh.tetrahedra[k] < mesh.pointCount );
		}
		for ( int k = 0; k < mesh.triangleCount; ++k )
		{
			ENSURE( mesh.triangleGroups[k] >= 0 && mesh.triangleGroups[k] < mesh.groupCount );
		}
		pnMeshCheck check;
		ENSURE( good == false || pnCheckMesh( &mesh, &check ) );
		pnFreeMeshFile( &mesh );
	}
	pnTestNote( "%d of %d refused", refused, total );
}

// ---- sampling ----

static void SamplesAreEvenAndWithin( void )
{
	pnSceneMesh ball = { 0 };
	pnAddEllipsoidMesh( &ball, ( pnVec3 ){ 1.0f, 0.7f, 0.5f }, 20000 );
	REQUIRE( ball.failed == false );
	const float spacings[] = { 0.25f, 0.1f, 0.05f };
	for ( int i = 0; i < 3; ++i )
	{
		pnSampleDef def = { ball.vertices, ball.triangles, ball.vertexCount, ball.triangleCount, spacings[i], 0, true };
		pnSample sample;
		REQUIRE( pnSampleMesh( &def, &sample ) == NULL );
		double s = (double)spacings[i], volume = 4.0 / 3.0 * 3.14159265 * 0.35;
		// A surface crosses 1.5 cubes for each square of their side (mean over all directions), half of which have their middle outside: an excess
		// of 0.75 squares to one, if none is missed.
		double area = 6.64, excess = sample.pointCount * s * s * s / volume - 1.0;
		ENSURE_NEAR( excess / ( 0.75 * area * s / volume ), 1.0, 0.25 );
		for ( int k = 0; k < sample.pointCount; ++k )
		{
			pnVec3 p = sample.points[k];
			double r = (double)( p.x * p.x ) + (double)( p.y * p.y ) / 0.49 + (double)( p.z * p.z ) / 0.25;
			ENSURE( k < sample.surfaceCount ? fabs( r - 1.0 ) < 1e-4 : r < 1.0 );
		}
		pnFreeSample( &sample );
	}
	pnSampleDef def = { ball.vertices, ball.triangles, ball.vertexCount, ball.triangleCount, 0.0f, 1500, true };
	pnSample sample;
	REQUIRE( pnSampleMesh( &def, &sample ) == NULL );
	ENSURE_NEAR( sample.pointCount, 1500.0, 0.16 * 1500.0 );
	pnFreeSample( &sample );
	pnFreeMesh( &ball );
}

// ---- groups ----

static void GroupsBecomeClustersPinsAndDensities( void )
{
	char message[PN_SCENE_MESSAGE] = "";
	const char* text = "{ \"world\": { \"gravity\": [0, 0, 0] }, \"solids\": { \"c\": { \"mesh\": \"two.obj\", \"clusters\": \"groups\", \"densities\": { \"lower\": 3000, \"upper\": 1000 } } },"
					   "\"bodies\": [ { \"solid\": \"c\", \"material\": { \"density\": 1000 }, \"pins\": [ { \"group\": \"lower\" } ] } ] }";
	const pnScene* scene = pnReadSceneText( text, strlen( text ), PLIANT_SOURCE "/test/scenes/wrong/a.scene.json", false, message );
	REQUIRE( scene != NULL );
	pnWorldDef def = pnDefaultWorldDef();
	pnWorld* world = NULL;
	REQUIRE( pnCreateWorld( &def, &world ) == pn_success && pnFillScene( scene, world ) == pn_success );
	pnSolidInfo info = pnSolid_GetInfo( pnBody_GetSolid( world, ( pnBodyId ){ 1, 1 } ) );
	ENSURE( info.clusterCount == 2 && info.membershipCount == 4 + 8 );
	ENSURE_NEAR( info.mass, 1000.0, 1e-3 ); // the later group counts: all vertices are the upper one's too
	REQUIRE( pnBody_ApplyImpulse( world, ( pnBodyId ){ 1, 1 }, ( pnVec3 ){ 0.0f, 0.0f, 100.0f } ) == pn_success );
	REQUIRE( pnStepScene( scene, world, 1, 1.0f / 60.0f, 4 ) == pn_success );
	pnVec3 points[8];
	pnBody_WritePoints( world, ( pnBodyId ){ 1, 1 }, points, NULL, 8 );
	for ( int i = 0; i < 8; ++i )
	{
		ENSURE( i < 4 ? points[i].z == 0.0f : points[i].z != 1.0f );
	}
	pnDestroyWorld( world );
	pnCloseScene( scene );
}

// Colours and named numbers of vertices too; a number is the weight of a vertex in its cluster.
static void ColoursAndValuesBecomeClusters( void )
{
	static Bytes bytes;
	char folder[] = P_tmpdir "/pliant_groups_XXXXXX", path[128], scenePath[128], message[PN_SCENE_MESSAGE] = "";
	REQUIRE( mkdtemp( folder ) != NULL );
	snprintf( path, sizeof( path ), "%s/cube.ply", folder );
	snprintf( scenePath, sizeof( scenePath ), "%s/a.scene.json", folder );
	bytes.size = 0;
	WritePly( &bytes, 1 );
	FILE* file = fopen( path, "wb" );
	REQUIRE( file != NULL );
	fwrite( bytes.data, 1, bytes.size, file );
	fclose( file );
	const char* text = "{ \"solids\": { \"c\": { \"mesh\": \"cube.ply\", \"clusters\": { \"groups\": [\"#ff8000\", \"#008000\", \"stiffness\"] } } },"
					   "\"bodies\": [ { \"solid\": \"c\", \"pins\": [ { \"group\": \"#008000\" } ] } ] }";
	const pnScene* scene = pnReadSceneText( text, strlen( text ), scenePath, false, message );
	if ( ENSURE( scene != NULL ) )
	{
		pnWorldDef def = pnDefaultWorldDef();
		pnWorld* world = NULL;
		REQUIRE( pnCreateWorld( &def, &world ) == pn_success && pnFillScene( scene, world ) == pn_success );
		pnSolidInfo info = pnSolid_GetInfo( pnBody_GetSolid( world, ( pnBodyId ){ 1, 1 } ) );
		ENSURE( info.clusterCount == 3 && info.membershipCount == 4 + 4 + 7 && info.islandCount == 1 ); // the first vertex has the value 0
		pnDestroyWorld( world );
	}
	else
	{
		printf( "    %s\n", message );
	}
	pnCloseScene( scene );
	unlink( path );
	rmdir( folder );
}

// ---- a million triangles ----

static void AMillionTrianglesStep( void )
{
	if ( getenv( "PLIANT_LONG" ) == NULL )
	{
		pnTestNote( "with PLIANT_LONG" );
		return;
	}
	char folder[] = P_tmpdir "/pliant_million_XXXXXX", path[128], message[PN_SCENE_MESSAGE] = "";
	REQUIRE( mkdtemp( folder ) != NULL );
	snprintf( path, sizeof( path ), "%s/ball.ply", folder );
	pnSceneMesh ball = { 0 };
	pnAddEllipsoidMesh( &ball, ( pnVec3 ){ 1.0f, 0.8f, 0.6f }, 500002 );
	REQUIRE( ball.failed == false && ball.triangleCount == 1000000 );
	FILE* file = fopen( path, "wb" );
	REQUIRE( file != NULL );
	fprintf( file, "ply\nformat binary_little_endian 1.0\nelement vertex %d\nproperty float x\nproperty float y\nproperty float z\nelement face %d\n"
				   "property list uchar int vertex_indices\nend_header\n", ball.vertexCount, ball.triangleCount );
	fwrite( ball.vertices, sizeof( pnVec3 ), (size_t)ball.vertexCount, file );
	for ( int i = 0; i < ball.triangleCount; ++i )
	{
		uint8_t three = 3;
		fwrite( &three, 1, 1, file );
		fwrite( ball.triangles + 3 * (size_t)i, sizeof( int32_t ), 3, file );
	}
	fclose( file );
	pnFreeMesh( &ball );
	char scenePath[128];
	snprintf( scenePath, sizeof( scenePath ), "%s/million.scene.json", folder );
	const char* text = "{ \"solids\": { \"big\": { \"mesh\": \"ball.ply\", \"sample\": { \"count\": 3000 }, \"clusters\": 40 } }, \"shapes\": [ { \"shape\": \"floor\" } ],"
					   "\"bodies\": [ { \"solid\": \"big\", \"at\": [0, 0.9, 0] } ] }";
	const pnScene* scene = pnReadSceneText( text, strlen( text ), scenePath, false, message );
	if ( ENSURE( scene != NULL ) )
	{
		pnWorldDef def = pnDefaultWorldDef();
		pnWorld* world = NULL;
		REQUIRE( pnCreateWorld( &def, &world ) == pn_success && pnFillScene( scene, world ) == pn_success );
		for ( int frame = 1; frame <= 30; ++frame )
		{
			ENSURE( pnStepScene( scene, world, frame, 1.0f / 60.0f, 4 ) == pn_success );
		}
		pnSkinInfo skin = pnSolid_GetSkin( pnBody_GetSolid( world, ( pnBodyId ){ 1, 1 } ), 0 );
		ENSURE( skin.triangleCount == 1000000 );
		pnVec3* positions = malloc( (size_t)skin.vertexCount * sizeof( pnVec3 ) );
		pnBody_WriteSkin( world, ( pnBodyId ){ 1, 1 }, 0, positions, NULL, skin.vertexCount );
		for ( int i = 0; i < skin.vertexCount; i += 1000 )
		{
			ENSURE( fabsf( positions[i].x ) < 2.0f && fabsf( positions[i].y ) < 3.0f );
		}
		free( positions );
		pnProfile profile = pnWorld_GetProfile( world );
		pnTestNote( "%d points, %d clusters, %.0f MB", profile.pointCount, profile.clusterCount, 1e-6 * (double)profile.byteCount );
		pnDestroyWorld( world );
	}
	else
	{
		printf( "    %s\n", message );
	}
	pnCloseScene( scene );
	unlink( path );
	rmdir( folder );
}

static const pnTest s_tests[] = {
	RUN( EveryFormatGivesTheSameCube ), RUN( BrokenContainersAreToldByByte ), RUN( ColoursComeOutOfGltf ), RUN( BrokenMeshesAreToldByPlace ), RUN( ChangedBytesDoNoHarm ), RUN( SamplesAreEvenAndWithin ),
	RUN( GroupsBecomeClustersPinsAndDensities ), RUN( ColoursAndValuesBecomeClusters ), RUN( AMillionTrianglesStep ),
};
SUITE( meshfile, s_tests );
