// mesh_gltf.h - a glTF 2.0 file as JSON, buffers and arrays of numbers. Knows no meshes and no nodes.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

#include "mesh_file.h"

#include <jansson.h>

typedef struct pnGltfBuffer
{
	const uint8_t* bytes; // NULL: not looked at yet
	uint8_t* own; // what has to be freed
	size_t size;
} pnGltfBuffer;

typedef struct pnGltf
{
	json_t* json;
	const char* text; // its JSON
	size_t length, first; // bytes of it; where in the file it begins
	const uint8_t* binary; // the second chunk of a .glb, or NULL
	size_t binarySize;
	const char* folder; // with its slash, where buffers lie; NULL: there is none
	pnGltfBuffer* buffers; // as many as the JSON has
	pnMeshFault* fault;
} pnGltf;

// An accessor: rows of numbers somewhere in a buffer, all of them within it.
typedef struct pnGltfArray
{
	const uint8_t* bytes;
	size_t stride;
	int count, columns, type; // type: glTF's componentType
	bool isNormalized; // whole numbers mean parts of 1
} pnGltfArray;

// Container and JSON; isBinary: it says it is a GLB. False: the fault tells. To be closed in any case; zeros are fine.
bool pnGltf_Open( pnGltf* gltf, const uint8_t* bytes, size_t size, bool isBinary, const char* folder, pnMeshFault* fault );
void pnGltf_Close( pnGltf* gltf );

// What is wrong with a value of the JSON, told by its byte in the file and its path. Always false.
bool pnGltf_Fail( pnGltf* gltf, const json_t* value, const char* format, ... ) __attribute__( ( format( printf, 3, 4 ) ) );

// A whole number from 0 to `most` of an object. Where it is not there: `otherwise`, or, if that is negative, a fault.
bool pnGltf_GetWhole( pnGltf* gltf, const json_t* object, const char* key, int64_t otherwise, int64_t most, int64_t* value );

// The item of an array at the top of the file, by the number that `object` has at `key`. NULL: a fault.
json_t* pnGltf_Follow( pnGltf* gltf, const json_t* object, const char* key, const char* list );

bool pnGltf_GetArray( pnGltf* gltf, const json_t* object, const char* key, pnGltfArray* array ); // the accessor that `object` names at `key`
double pnGltfArray_Get( const pnGltfArray* array, int row, int column );
