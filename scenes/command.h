// command.h - what hands do to a world, as text: one command a line. Read, written, applied, played. Knows no scenes and reads no files.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
//
// The format is in docs/hands.md. It is the one that scenes are scripted in, that the command line replays and records, and that tests feed.
// Nothing is remembered between commands but in the world: hand 2 of owner 1 is the grab or the shape that has these two numbers. So a
// restored world goes on as the saved one would have.
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
} pnCommandKind;

// Only what its kind needs is read; the parser leaves the rest at zero.
typedef struct pnCommand
{
	pnCommandKind kind;
	uint32_t owner, hand; // of those that are a hand's; the owner is never 0
	int steps; // step: how many; move: in how many the hand gets there
	float timeStep; // s; 0: the player's
	int substeps; // 0: the player's
	pnVec3 place; // grab, push, move: where. m
	bool alongRay; // grab: what the ray from `place` meets first, instead of what is there
	pnVec3 ray; // its whole length, m
	float radius; // grab, push. m
	float hertz, dampingRatio, maxForce; // grab
	pnBladeKind blade;
	pnVec3 point, normal; // of the plane
	pnVec3 quad[4];
	int32_t inside; // cut: material number of what closes the openings
	pnVec3 gravity; // m/s^2
	uint64_t hash; // expect
} pnCommand;

#define PN_COMMAND_LINE 512 // bytes: no formatted command is longer, its end included
#define PN_MAX_COMMAND_STEPS 1000000

// What is wrong with a line, and where.
typedef struct pnFault
{
	int line, column; // from 1
	char text[160];
} pnFault;

// One line without its end, of any bytes. False: fault has column and text.
bool pnParseCommand( const char* line, size_t length, pnCommand* command, pnFault* fault );
// A line without its end that reads back as the same bits. Returns its length.
int pnFormatCommand( const pnCommand* command, char line[PN_COMMAND_LINE] );

typedef enum pnOutcome
{
	pn_doneOutcome,
	pn_nothingOutcome, // it names nothing that is there: no harm
	pn_refusedOutcome, // the world does not take it; the log says why
	pn_differsOutcome, // expect: the hash is another
} pnOutcome;

// At once. A step and the steps of a move are the player's.
pnOutcome pnApplyCommand( pnWorld* world, const pnCommand* command );

// ---- playing ----

#define PN_MAX_GLIDES 64

typedef struct pnGlide { pnCommand move; int left; } pnGlide; // a hand under way, and its steps to go

// A script and how far it is. Give it to pnStartPlayer first; the text must stay.
typedef struct pnPlayer
{
	const char* text;
	size_t length, offset;
	int line; // the last one read
	pnCommand step; // the one under way
	int left; // its steps to go
	pnGlide glides[PN_MAX_GLIDES];
	int glideCount;
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
