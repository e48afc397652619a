// response_exercise.h - a made-up response put through all it can do, as one number that must be the same on every machine. Shared by the
// tests and the WebAssembly module. Knows the public header only, and plain arithmetic.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

#include "pliant/response.h"

#include <stdlib.h>
#include <string.h>

// What it comes to. Another number is another answer or another image: say so, and why.
#define PN_RESPONSE_HASH 0x20ad7704533dc29full

enum { exerciseHandles = 9, exerciseDegrees = 3 * exerciseHandles, exerciseVertices = 101, exerciseTriangles = exerciseVertices - 2 };

// In [-1, 1], without libm.
static inline double pnExerciseNumber( uint64_t* state )
{
	*state = *state * 6364136223846793005ull + 1442695040888963407ull;
	return (double)(int32_t)( *state >> 32 ) / 2147483648.0;
}

static inline pnVec3 pnExerciseVector( uint64_t* state, double size )
{
	double x = size * pnExerciseNumber( state );
	double y = size * pnExerciseNumber( state );
	double z = size * pnExerciseNumber( state );
	return pnMakeVec3( (float)x, (float)y, (float)z );
}

static inline uint64_t pnExerciseMix( uint64_t hash, const void* bytes, size_t size )
{
	for ( size_t i = 0; i < size; ++i )
	{
		hash = ( hash ^ ( (const unsigned char*)bytes )[i] ) * 0x100000001b3ull;
	}
	return hash;
}

// 0: something failed.
static inline uint64_t pnExerciseResponse( void )
{
	static double factor[exerciseDegrees][exerciseDegrees], compliance[exerciseDegrees][exerciseDegrees];
	static float motion[exerciseDegrees][3 * exerciseVertices];
	static pnVec3 vertices[exerciseVertices], preload[exerciseVertices], moved[exerciseVertices];
	static int32_t triangles[3 * exerciseTriangles];
	pnVec3 handles[exerciseHandles], handlePreload[exerciseHandles];
	uint64_t state = 20260101;
	for ( int i = 0; i < exerciseDegrees; ++i )
	{
		for ( int j = 0; j < exerciseDegrees; ++j )
		{
			factor[i][j] = pnExerciseNumber( &state );
		}
	}
	for ( int i = 0; i < exerciseDegrees; ++i )
	{
		for ( int j = 0; j < exerciseDegrees; ++j )
		{
			double sum = i == j ? 0.5 : 0.0;
			for ( int k = 0; k < exerciseDegrees; ++k )
			{
				double product = factor[i][k] * factor[j][k];
				sum += product;
			}
			compliance[i][j] = 1e-3 * sum;
		}
		for ( int j = 0; j < 3 * exerciseVertices; ++j )
		{
			motion[i][j] = (float)( 1e-3 * pnExerciseNumber( &state ) );
		}
	}
	for ( int i = 0; i < exerciseVertices; ++i )
	{
		vertices[i] = pnExerciseVector( &state, 1.0 );
		preload[i] = pnExerciseVector( &state, 0.01 );
	}
	for ( int i = 0; i < exerciseHandles; ++i )
	{
		handles[i] = vertices[10 * i];
		handlePreload[i] = preload[10 * i];
	}
	for ( int i = 0; i < 3 * exerciseTriangles; ++i )
	{
		triangles[i] = i / 3 + i % 3;
	}
	pnResponseDef def = pnDefaultResponseDef();
	def.handleCount = exerciseHandles;
	def.vertexCount = exerciseVertices;
	def.triangleCount = exerciseTriangles;
	def.handles = handles;
	def.handlePreload = handlePreload;
	def.vertices = vertices;
	def.preload = preload;
	def.triangles = triangles;
	def.compliance = compliance[0];
	def.motion = motion[0];
	pnResponse *made = NULL, *loaded = NULL;
	if ( pnCreateResponse( &def, &made ) != pn_success )
	{
		return 0;
	}
	size_t size = pnResponse_Bake( made, NULL, 0 );
	void* image = malloc( size );
	if ( image == NULL || pnResponse_Bake( made, image, size ) != size || pnLoadResponse( image, size, &loaded ) != pn_success )
	{
		free( image );
		pnDestroyResponse( made );
		return 0;
	}
	uint64_t hash = pnExerciseMix( 0xcbf29ce484222325ull, image, size );
	free( image );
	for ( int round = 0; round < 64; ++round )
	{
		pnResponse* response = round % 2 == 0 ? made : loaded;
		uint8_t held[exerciseHandles];
		pnVec3 displacements[exerciseHandles], pushes[exerciseHandles], forces[exerciseHandles];
		for ( int i = 0; i < exerciseHandles; ++i )
		{
			held[i] = pnExerciseNumber( &state ) > 0.2;
			displacements[i] = pnExerciseVector( &state, 0.1 );
			pushes[i] = pnExerciseVector( &state, round % 3 == 0 ? 1.0 : 0.0 );
		}
		pnResponse_Hold( response, held );
		pnResponse_Solve( response, displacements, pushes, forces );
		pnResponse_Move( response, forces, moved );
		hash = pnExerciseMix( hash, forces, sizeof( forces ) );
		hash = pnExerciseMix( hash, moved, sizeof( moved ) );
	}
	pnDestroyResponse( made );
	pnDestroyResponse( loaded );
	return hash;
}
