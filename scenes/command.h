// command.h - what people do to a world, as text: one command a line. Read, written, applied, played. Knows no rooms and reads no files.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
//
// The format is in docs/hands.md. It is the one that scenes are scripted in, that the command line replays and records, that the page sends,
// and that tests feed. Nothing is remembered between commands but in the world: hand 2 of owner 1 is the grab or the shape that has these
// two numbers. So a restored world goes on as the saved one would have. What needs more than a world (solids by name, scenes, undo, the
// length of a step) is a room's: see room/room.h.
#pragma once

#include "pliant/pliant.h"

typedef enum pnCommandKind
{
	pn_noCommand, // an empty line or a remark
	pn_stepCommand,
	pn_grabCommand,
	pn_pushCommand,
	pn_moveCommand,
	pn_lockCommand,
	pn_unlockCommand,
	pn_dropCommand,
	pn_letGoCommand,
	pn_cutCommand,
	pn_gravityCommand,
	pn_expectCommand,
	pn_removeCommand,
	pn_throwCommand,
	pn_pinCommand,
	pn_unpinCommand,
	pn_materialCommand,
	pn_shapeCommand,
	// those of a room
	pn_spawnCommand,
	pn_solidCommand,
	pn_loadCommand,
	pn_undoCommand,
	pn_redoCommand,
	pn_rateCommand,
	pn_substepsCommand,
	pn_askCommand,
	pn_commandKindCount,
} pnCommandKind;

typedef enum pnShapeDeed
{
	pn_ballDeed, // a new one, instead of the one that had the number
	pn_boxDeed,
	pn_capsuleDeed,
	pn_moveDeed,
	pn_removeDeed,
} pnShapeDeed;

#define PN_NAME_SIZE 32 // bytes of a name, its end included: letters, digits, - and _
#define PN_MAX_SOLID_POINTS 50000
#define PN_MAX_SOLID_TRIANGLES 100000

// Only what its kind needs is read; the parser leaves the rest at zero.
typedef struct pnCommand
{
	pnCommandKind kind;
	uint32_t owner, hand; // of those that are a hand's; the owner is never 0
	int steps; // step: how many; move: in how many the hand gets there
	float timeStep; // s; 0: the player's
	int substeps; // 0: the player's
	pnVec3 place; // grab, push, move, spawn, pin, shape, ask: where. m
	bool alongRay; // grab: what the ray from `place` meets first, instead of what is there
	pnVec3 ray; // its whole length, m
	float radius; // grab, push, pin, shape. m
	float hertz, dampingRatio, maxForce; // grab
	pnBladeKind blade;
	pnVec3 point, normal; // of the plane
	pnVec3 quad[4];
	int32_t inside; // cut: material number of what closes the openings
	pnVec3 gravity; // m/s^2
	uint64_t hash; // expect
	pnBodyId body; // cut, remove, throw, pin, unpin, material; null: all
	pnVec3 velocity, spin; // throw, spawn: m/s, rad/s
	pnVec3 axis; // spawn: turned about it
	float angle; // degrees
	uint32_t color; // spawn: 0xRRGGBB; 0: the solid's own
	char name[PN_NAME_SIZE]; // spawn, solid: of the solid; load: of the scene
	char preset[PN_NAME_SIZE]; // spawn, material: the material begins as this one; empty: as it is
	uint32_t fields; // spawn, material: which fields are given, a bit for each, see pnGetMaterialField
	pnMaterial material; // their values
	pnShapeDeed deed;
	uint32_t number; // shape
	pnVec3 half; // shape: half extents, m
	bool still; // load: without the scene's own hands
	float rate; // Hz
	const char* numbers; // solid: borrowed from the line. Coordinates, then `triangles`, their count, their corners
	size_t numbersLength;
	int pointCount, triangleCount; // solid
} pnCommand;

#define PN_COMMAND_LINE 1024 // bytes: no formatted command is longer, its end included; but for solids, which have no bound but their counts
#define PN_MAX_COMMAND_STEPS 1000000

// What is wrong with a line, and where.
typedef struct pnFault
{
	int line, column; // from 1
	char text[192];
} pnFault;

// One line without its end, of any bytes. False: fault has column and text.
bool pnParseCommand( const char* line, size_t length, pnCommand* command, pnFault* fault );
// A line without its end that reads back as the same bits. Returns its length. Of a solid: without its numbers.
int pnFormatCommand( const pnCommand* command, char line[PN_COMMAND_LINE] );
// A solid's numbers, which the parser has checked, into as many points and triangles (three corners each) as it says.
void pnReadSolidNumbers( const pnCommand* command, pnVec3* points, int32_t* triangles );

// The fields of a material that commands can set, in the order of their bits. NULL after the last.
typedef enum pnFieldKind { pn_floatField, pn_modeField, pn_capField } pnFieldKind;
typedef struct pnMaterialField { const char* name; pnFieldKind kind; size_t offset; } pnMaterialField;
const pnMaterialField* pnGetMaterialField( int index );
// The fields that are given, over the preset if there is one. False: no preset has that name.
bool pnMixMaterial( const pnCommand* command, pnMaterial* material );

typedef enum pnOutcome
{
	pn_doneOutcome,
	pn_nothingOutcome, // it names nothing that is there: no harm
	pn_refusedOutcome, // the world does not take it; the log says why
	pn_differsOutcome, // expect: the hash is another
} pnOutcome;

bool pnIsRoomCommand( pnCommandKind kind ); // a world alone does not take it
// At once. A step and the steps of a move are the player's, and what is a room's is refused.
pnOutcome pnApplyCommand( pnWorld* world, const pnCommand* command );
// What `grab` and `ask` meet along a ray: an eye outside a box of planes looks into it, so those that the ray begins behind do not count.
// The fraction is that of the way after them.
pnRayHit pnCastEyeRay( const pnWorld* world, pnVec3 origin, pnVec3 translation );
bool pnHasHand( const pnWorld* world, uint32_t owner, uint32_t hand ); // it holds something, or pushes
// One step of a hand's way: of what is left of it the part that one of the steps left has. pn_nothingOutcome: there is no such hand any more.
pnOutcome pnLeadHand( pnWorld* world, const pnCommand* move, int left );
const char* pnExplainOutcome( const pnCommand* command, pnOutcome outcome ); // why it did nothing, a short sentence; "" if it did

// ---- hands on their way ----

#define PN_MAX_GLIDES 64

typedef struct pnGlide { pnCommand move; int left; } pnGlide; // a hand under way, and its steps to go
typedef struct pnGlides { pnGlide glides[PN_MAX_GLIDES]; int count; } pnGlides;

// A hand's new command ends the way it was on, and a move of several steps begins one. False: there are too many.
bool pnKeepGlides( pnGlides* glides, const pnCommand* command );
// A step of all that glides; world NULL: only counted. False: the world does not take one.
bool pnStepGlides( pnGlides* glides, pnWorld* world );

// ---- playing ----

// A script and how far it is. Give it to pnStartPlayer first; the text must stay.
typedef struct pnPlayer
{
	const char* text;
	size_t length, offset;
	int line; // the last one read
	pnCommand step; // the one under way
	int left; // its steps to go
	pnGlides glides;
} pnPlayer;

typedef enum pnPlayState
{
	pn_stepState, // it is time for a step
	pn_endState, // there is no more
	pn_faultState,
} pnPlayState;

void pnStartPlayer( pnPlayer* player, const char* text, size_t length );
// Reads the next command that is one; false at the end, or at a fault, which has a line then, else 0.
bool pnReadCommand( pnPlayer* player, pnCommand* command, pnFault* fault );
// All that comes before the next step is applied. timeStep and substeps are changed if the script says so.
pnPlayState pnPlay( pnPlayer* player, pnWorld* world, float* timeStep, int* substeps, pnFault* fault );
// As pnPlay and that many steps, but without a world: for going on from a saved one.
pnPlayState pnSkip( pnPlayer* player, int steps, pnFault* fault );
// How many steps a script has, or -1 and its first fault.
int pnCountSteps( const char* text, size_t length, pnFault* fault );

// Words of a fault: appended as far as there is room. printf would bring files along, which a page in a browser does not have.
void pnSay( pnFault* fault, const char* text );
void pnSayHash( pnFault* fault, uint64_t hash );
