// message.h - what a visitor and a server say to each other, read and written: docs/wire.md. Knows no sockets and no rooms.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

#include "pliant/pliant.h"
#include "wire.h"

enum
{
	PN_PROTOCOL_VERSION = 1,
	PN_PERSON_NAME = 33, // bytes of a visitor's name, its end included
	PN_TOKEN_SIZE = 129,
	PN_KEY_SIZE = 65,
	PN_ROOM_NAME = 32,
	PN_MAX_MESSAGE = 4 << 20, // bytes; more than any solid needs
};

typedef enum pnMessageKind
{
	pn_noMessage, // one that is not known: passed over
	pn_helloMessage,
	pn_commandsMessage,
	pn_hashMessage,
	pn_cursorMessage,
	pn_readyMessage,
	pn_modeMessage,
	pn_actMessage,
	pn_pingMessage,
	pn_againMessage,
	pn_personMessage,
} pnMessageKind;

typedef enum pnReplyKind
{
	pn_welcomeReply = 101,
	pn_imageReply,
	pn_tickReply,
	pn_peopleReply,
	pn_cursorsReply,
	pn_frameReply,
	pn_differsReply,
	pn_noticeReply,
	pn_pongReply,
	pn_answerReply,
	pn_stateReply,
	pn_goodbyeReply,
} pnReplyKind;

typedef enum pnSeeing { pn_lockstepSeeing, pn_streamSeeing } pnSeeing;

typedef enum pnHostAct
{
	pn_lockSceneAct = 1,
	pn_openSceneAct,
	pn_lockMaterialsAct,
	pn_openMaterialsAct,
	pn_freezeAct,
	pn_goOnAct,
	pn_removeAct,
} pnHostAct;

typedef enum pnGoodbye
{
	pn_movingGoodbye = 1, // the server ends or moves: come back
	pn_removedGoodbye,
	pn_fullGoodbye,
	pn_tokenGoodbye,
	pn_silentGoodbye,
	pn_nonsenseGoodbye,
	pn_slowGoodbye,
	pn_closedGoodbye, // the room cannot be opened
} pnGoodbye;

enum // of welcome and state
{
	PN_HOST_FLAG = 1,
	PN_LOOKS_ON_FLAG = 2,
	PN_SCENE_LOCKED_FLAG = 4,
	PN_MATERIALS_LOCKED_FLAG = 8,
	PN_FROZEN_FLAG = 16,
	PN_NO_DISK_FLAG = 32,
};

// Only what its kind needs is set. Text is made fit to be shown: right UTF-8 without control characters, cut to its bound.
typedef struct pnMessage
{
	pnMessageKind kind;
	uint32_t version, mode, flags, color, step, sequence, number, act, owner, shading;
	uint64_t hash;
	pnVec3 place;
	char name[PN_PERSON_NAME], token[PN_TOKEN_SIZE], key[PN_KEY_SIZE], scene[PN_ROOM_NAME];
	const char* text; // commands; borrowed
	size_t length;
} pnMessage;

// False: it is too short for its kind, or holds what cannot be.
bool pnReadMessage( const uint8_t* bytes, size_t size, pnMessage* message );
bool pnIsRoomName( const char* name ); // 1 to 31 letters, digits, - and _
// Right UTF-8 without control characters, no longer than capacity - 1 bytes.
void pnCleanText( const char* text, size_t length, char* clean, size_t capacity );

typedef struct pnWelcome
{
	uint32_t owner, flags, step, hashEvery;
	float rate;
	const char *room, *key, *lookOnToken;
} pnWelcome;
typedef struct pnPerson { uint32_t owner, flags, color, behind; char name[PN_PERSON_NAME]; } pnPerson;
typedef struct pnCursor { uint32_t owner; bool isSeen; pnVec3 place; } pnCursor;

// Each appends a whole message.
void pnPutWelcome( pnBytes* bytes, const pnWelcome* welcome );
void pnPutImagePiece( pnBytes* bytes, uint32_t step, size_t total, size_t offset, const uint8_t* piece, size_t size );
void pnPutPeople( pnBytes* bytes, const pnPerson* people, int count );
void pnPutCursors( pnBytes* bytes, const pnCursor* cursors, int count );
void pnPutDiffers( pnBytes* bytes, uint32_t step, uint64_t wanted, uint64_t told );
void pnPutNotice( pnBytes* bytes, bool isRefusal, const char* text );
void pnPutPong( pnBytes* bytes, uint32_t number, uint32_t step );
void pnPutAnswer( pnBytes* bytes, uint32_t sequence, uint32_t outcome, const char* text );
void pnPutState( pnBytes* bytes, uint32_t flags, float rate );
void pnPutGoodbye( pnBytes* bytes, pnGoodbye reason, const char* text );
