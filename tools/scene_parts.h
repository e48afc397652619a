// scene_parts.h - what a scene file holds once it is read, and the functions that read its parts, one file each. Used by tools/scene_*.c only.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

#include "problem_read.h"
#include "scene_file.h"

enum
{
	PN_PART_NAME = 64,
	PN_MAX_MATERIALS = 256,
	PN_MAX_SOLIDS = 256,
	PN_MAX_SHAPES = 4096,
	PN_MAX_BODY_ITEMS = 4096,
	PN_MAX_KEYS = 1024,
	PN_MAX_PIN_SETS = 64, // of one body
	PN_MAX_FORCE_SETS = 64, // of one body
	PN_MAX_TIMELINE = 10000,
};

// ---- motion by key frames ----

typedef struct pnKey
{
	float time; // s
	pnVec3 at; // m
	pnQuat turn;
	pnVec3 scale; // pins only
	float strength; // forces only: of what the force says
} pnKey;

typedef struct pnKeys { pnKey* keys; int count; bool linear; } pnKeys; // eased from key to key, unless linear

// ---- the parts ----

typedef struct pnNamedMaterial { char name[PN_PART_NAME]; pnMaterial material; } pnNamedMaterial;

typedef struct pnPointGroup { char name[PN_PART_NAME]; int32_t* points; int count; } pnPointGroup; // of a mesh file: which points of the solid

typedef struct pnSceneSolid
{
	char name[PN_PART_NAME];
	pnSolid* solid;
	int visibleSkin; // the one that a body's single colour goes to
	uint32_t colors[4]; // of its skins, where a body says nothing; all 0: from a palette
	pnPointGroup* groups;
	int groupCount;
} pnSceneSolid;

typedef struct pnSceneShape { pnShapeDef def; pnVec3* points; int32_t* triangles; float* heights; pnKeys keys; } pnSceneShape;

typedef struct pnPinSet
{
	int body; // which
	int32_t* points;
	pnVec3* places; // m, where they are when the scene begins
	int count;
	pnVec3 about; // m, turned and scaled about it
	float from, until; // s; held between; until 0: for ever
	pnKeys keys; // none: they stay where they are
} pnPinSet;

typedef enum pnForceKind
{
	pn_plainForce, // N, shared evenly by the points
	pn_accelerationForce, // m/s^2, of each point
	pn_twistForce, // 1/s^2, about the arms
	pn_towardForce, // a spring from each point to a place
} pnForceKind;

typedef struct pnForceSet
{
	int body; // which
	pnForceKind kind;
	pnVec3 value; // N, m/s^2, 1/s^2, or the place, m
	float stiffness; // toward: N/m
	bool all; // a plain force or acceleration of the whole body
	int32_t* points;
	pnVec3* arms; // twist: m, as the body lay when the scene began
	int count;
	float from, until; // s; acts between; until 0: for ever
	pnKeys keys; // none: strength 1
} pnForceSet;

typedef struct pnSceneBody
{
	int solid;
	pnMaterial material;
	pnTransform transform;
	pnVec3 velocity, spin; // m/s, rad/s
	float gravityScale;
	pnFilter filter;
	pnDetector detector;
	bool selfContact;
	uint64_t userData;
	int deform; // which; -1: it begins as it rests
} pnSceneBody;

typedef struct pnBodyName { char name[PN_PART_NAME]; int body; } pnBodyName; // the first of its copies

// How a body begins: place + the sum of these times x, y, z, x^2, y^2, z^2, xy, yz, zx at rest, a row for each axis. 1, then 1/m.
typedef struct pnDeform { float rows[3][9]; } pnDeform;

typedef struct pnSceneFile
{
	pnScene scene; // what the world sees; points into the rest
	char name[PN_PART_NAME], title[200], out[1024];
	bool hasGravity;
	pnVec3 gravity;
	pnNamedMaterial* materials;
	pnSceneSolid* solids;
	pnSceneShape* shapes;
	pnSceneBody* bodies;
	pnBodyName* names;
	pnPinSet* pins;
	pnForceSet* forces;
	pnDeform* deforms;
	int materialCount, solidCount, shapeCount, bodyCount, bodyCapacity, nameCount, pinCount, forceCount, deformCount;
	int64_t pointCount; // of all bodies
	char* script;
	size_t scriptLength, scriptCapacity;
	// while it is read
	bool anyPath;
	pnWorld* scratch; // where things are tried: what a world refuses is told at the place in the file
} pnSceneFile;

// The keys of every object of the format, by its name.
enum
{
	PN_MADE_KINDS = 10 // of solids by formula
};
extern const pnKeyTable pn_obstacleKeys, pn_bodyKeys, pn_gridKeys, pn_stackKeys, pn_scatterKeys, pn_jitterKeys, pn_pinKeys, pn_shapeKeyKeys, pn_pinKeyKeys, pn_forceKeys, pn_forceKeyKeys, pn_meshKeys,
	pn_sampleKeys, pn_clusterKeys, pn_momentKeys, pn_sceneKeys, pn_worldKeys, pn_viewKeys, pn_writeKeys, pnSolidKeys[PN_MADE_KINDS];
pnKeyTable pnGetMaterialKeys( void );
const pnKeyTable* pnGetSceneKeys( int* count ); // all of them

// Each reads its part; false: the reader has failed.
bool pnReadSceneMaterials( pnReader* reader, const pnNode* node, pnSceneFile* file );
bool pnReadSceneSolids( pnReader* reader, const pnNode* node, pnSceneFile* file );
bool pnReadSceneShapes( pnReader* reader, const pnNode* node, pnSceneFile* file );
bool pnReadSceneBodies( pnReader* reader, const pnNode* node, pnSceneFile* file );
bool pnReadSceneTimeline( pnReader* reader, const pnNode* node, pnSceneFile* file ); // after bodies, which it may name; sets the script and frames

// A name of the file's or of the library's, or an object. The material is set.
bool pnReadMaterialRef( pnReader* reader, const pnNode* node, const pnSceneFile* file, pnMaterial* material );
// A list of sets of pins, for a body that is tried in the scratch world under this id.
bool pnReadPins( pnReader* reader, const pnNode* node, pnSceneFile* file, int body, pnBodyId id );
// The same for forces.
bool pnReadForces( pnReader* reader, const pnNode* node, pnSceneFile* file, int body, pnBodyId id );
// The points of a body that "box", "sphere", "plane", "group", "points" or "all" choose, of `places`, into points, places, count and about of the set. why:
// what they are chosen for.
bool pnChoosePoints( pnReader* reader, const pnNode* node, const pnSceneSolid* solid, const pnVec3* places, int count, const char* why, pnPinSet* set );
// Before the step that makes a frame.
pnResult pnApplySceneForce( const pnSceneFile* file, const pnForceSet* set, pnWorld* world, float time );
// A solid out of a mesh file: "mesh" is there.
bool pnReadMeshSolid( pnReader* reader, const pnNode* node, pnSceneFile* file, pnSceneSolid* solid );
// What a solid of points and a surface still needs: "density", "thickness", "fill", "clusters". starts, members: to be freed, or NULL.
bool pnReadSolidRest( pnReader* reader, const pnNode* node, pnSolidDef* def );
// The library makes it, or says why not at the node.
bool pnMakeSceneSolid( pnReader* reader, const pnNode* node, const pnSolidDef* def, pnSceneSolid* solid );
bool pnTellRefusal( pnReader* reader, const pnNode* node, pnResult result ); // with the library's own words; false
const char* pnGetLastWords( void ); // what the library said last
void pnListenToLog( void ); // from here on the library's words are kept for pnTellRefusal

// ---- values ----

bool pnReadFloat( pnReader* reader, const pnNode* object, const char* key, double lower, double upper, float* value ); // as it is if not there
bool pnReadInteger( pnReader* reader, const pnNode* object, const char* key, int lower, int upper, int* value );
bool pnReadFlag( pnReader* reader, const pnNode* object, const char* key, bool* value );
bool pnReadVec( pnReader* reader, const pnNode* object, const char* key, pnVec3* value );
bool pnReadSizes( pnReader* reader, const pnNode* object, const char* key, pnVec3* value ); // each more than 0, m
bool pnReadCounts( pnReader* reader, const pnNode* object, const char* key, int lower, int upper, int count, int* values );
bool pnReadTurns( pnReader* reader, const pnNode* object, const char* key, pnQuat* turn ); // {axis, degrees}, or a list of them, the first one first
bool pnReadPose( pnReader* reader, const pnNode* object, pnTransform* transform ); // "at", "turn" or "up"
bool pnReadColor( pnReader* reader, const pnNode* node, uint32_t* color ); // "#rrggbb" or "none"
bool pnReadPartName( pnReader* reader, const pnNode* node, const char* text, char name[PN_PART_NAME] ); // letters, digits, - and _
bool pnReadFilter( pnReader* reader, const pnNode* object, pnFilter* filter ); // "touches", "layers", "mask"
// A file that the scene names: beside the scene or below, unless any path is allowed.
bool pnReadScenePath( pnReader* reader, const pnNode* node, bool anyPath, char* path, size_t size );
bool pnFailUnknown( pnReader* reader, const pnNode* node, const char* what, const char* name, const char* const* names, int count );

// ---- key frames ----

bool pnReadKeys( pnReader* reader, const pnNode* object, const pnTransform* start, const pnKeyTable* table, pnKeys* keys ); // "keys", "linear"
pnKey pnEvaluateKeys( const pnKeys* keys, float time );
