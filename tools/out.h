// out.h - a run as files: what a frame is to those who write it, and what a kind of file must be able to do. Knows no format.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
//
// Each kind is a file out_NAME.c of its own. It keeps no more than a frame or two in memory, and what it has written is readable
// when it was closed; kinds that say so (isStreamed), also when the program was killed.
#pragma once

#include "raster.h"
#include "saved.h"
#include "surface.h"

// What can be told of a vertex beside its position; bits of `fields`.
typedef enum pnOutField
{
	pn_outNormal = 1,
	pn_outColor = 2,
	pn_outVelocity = 4, // m/s
	pn_outStretch = 8, // of the cluster, 1 is rest
	pn_outPlastic = 16, // plastic strain of the cluster
	pn_outCluster = 32, // which one holds most of it, in its body
	pn_outBody = 64, // the body's number, -1: a shape
	pn_outContact = 128, // N: what touches here pushes so hard
	pn_outAll = 255,
} pnOutField;

typedef struct pnOutBody
{
	pnBodyId id;
	int number; // from 0, in the order in which they appeared; never given twice
	int from; // the number of the body that it was cut from, or -1
	bool isNew; // it was not in the frame before, or had other triangles there
	int firstVertex, vertexCount, firstTriangle, triangleCount; // in the surface
} pnOutBody;

typedef struct pnOutShape
{
	pnShapeId id;
	int number; // from 0, as for bodies
	bool isNew;
	pnShapeDef def; // its arrays are the world's
} pnOutShape;

// Good until the next one is made.
typedef struct pnOutFrame
{
	const pnWorld* world;
	int frame; // of the run
	double time; // s
	int index; // 0 for the first that is written
	bool isChanged; // some body or shape is new or gone since the frame before
	pnSurface surface; // bodies, then shapes and hands, then walls; with the colours that were asked for
	pnOutBody* bodies;
	int bodyCount;
	pnOutShape* shapes;
	int shapeCount;
	// Of each vertex of the bodies; NULL unless asked for.
	pnVec3* velocities;
	float *stretches, *plastics, *contacts;
	int32_t* clusters;
} pnOutFrame;

// ---- frames in the making ----

typedef struct pnOutMaker pnOutMaker;
// isBare: frames without a surface, for those who write no triangles. NULL: no memory.
pnOutMaker* pnCreateOutMaker( pnColoring coloring, uint32_t fields, bool isBare );
void pnDestroyOutMaker( pnOutMaker* maker ); // NULL is fine
bool pnOutMaker_Watch( pnOutMaker* maker, const pnWorld* world ); // after every step: what was cut is told only then. False: no memory
// timeStep: of the last step, s. Borrowed until the next call. NULL: no memory.
const pnOutFrame* pnOutMaker_Make( pnOutMaker* maker, const pnWorld* world, int frame, double time, double timeStep );

// ---- files ----

enum
{
	PN_OUT_PATH = 4096,
	PN_OUT_WHY = 512,
};

typedef struct pnOutDef
{
	const char* path;
	const char* title; // the scene's name
	const pnWorld* world; // outlives the file
	double rate; // frames a second that will be written
	uint32_t fields; // of pnOutField
	pnCamera camera; // of pictures and pages
	pnColoring coloring;
	int width, height; // of pictures, pixels
	pnSavedRun saved; // what a saved world says of its run, but for the frame
	const int* frame; // that the run has come to
} pnOutDef;

// A kind of file. Functions that fail say why; after a failure `close` is still called, and must leave what was done.
typedef struct pnOutKind
{
	const char* ending;
	const char* text; // for the help
	uint32_t fields; // that it can hold
	uint32_t usualFields; // if nobody says which
	int usualRate; // frames a second if nobody says --every; 0: all
	bool isStreamed; // readable even if the program is killed
	bool isBare; // its frames need no surface
	void* ( *open )( const pnOutDef* def, char why[PN_OUT_WHY] ); // NULL: it cannot be
	bool ( *frame )( void* file, const pnOutFrame* frame, char why[PN_OUT_WHY] );
	bool ( *close )( void* file, char why[PN_OUT_WHY] ); // gives everything back, whatever it returns
} pnOutKind;

extern const pnOutKind pn_glbOut, pn_pvdOut, pn_plyOut, pn_objOut, pn_pc2Out, pn_csvOut, pn_pliantOut, pn_htmlOut, pn_mp4Out, pn_webmOut;
const pnOutKind* const* pnGetOutKinds( int* count );
const pnOutKind* pnFindOutKind( const char* path ); // by its ending; NULL: none
const char* pnGetOutFieldName( int bit ); // NULL: there are no more

// ---- for those who write a file for each frame ----

// Turns PATH.ply into PATH_%04d.ply, unless it has a number already. False: it has something else that printf would take for one.
bool pnMakeOutPattern( const char* path, char pattern[PN_OUT_PATH] );
void pnFillOutPattern( const char* pattern, int number, char path[PN_OUT_PATH] ); // pattern: as made
// A file is written beside its place and then put there, so that what is there is whole. The name to write to:
void pnGetPartPath( const char* path, char part[PN_OUT_PATH] );
const char* pnPlacePart( const char* path ); // NULL, or what went wrong
