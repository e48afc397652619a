// journal.h - what happened in a room, on disk: an image and the ticks since, each record with its check. Knows bytes and files, no rooms.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
//
// A log is 16 bytes `pliantL1` and zeros, then records: u32 kind, u32 bytes of the body, u32 check of the head, u32 0, u64 check of the body, the
// body, zeros up to a multiple of eight. The head's check includes where the record lies, so none can be moved or left out. The first records
// are an image and what else the server knows of the room; so one file is all there is to know. A file that ends within a record was torn by
// a crash: what is before that counts. Anything else that does not agree is damage, and the room is not opened.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum pnRecordKind
{
	pn_imageRecord = 1, // pnRoom_SaveImage, with all that can be undone
	pn_tickRecord, // as it was sent
	pn_factsRecord, // pnRoomFacts
	pn_hashRecord, // u32 step, u32 0, u64 hash that the room came to there: another version of pliant may come to another
} pnRecordKind;

// What a server knows of a room beside its world.
typedef struct pnRoomFacts { uint32_t nextOwner, flags; } pnRoomFacts;

typedef enum pnLogState
{
	pn_goodLog,
	pn_tornLog, // it ends within a record; what is before `end` counts
	pn_damagedLog,
	pn_foreignLog, // no log, or one of another version
} pnLogState;

typedef struct pnRecord { uint32_t kind; const uint8_t* body; size_t size; } pnRecord;

// Over bytes that stay. `at` is where the last record ended, or where what is wrong begins.
typedef struct pnLogReader { const uint8_t* bytes; size_t size, at; pnLogState state; } pnLogReader;

pnLogState pnOpenLog( pnLogReader* reader, const void* bytes, size_t size );
bool pnNextRecord( pnLogReader* reader, pnRecord* record ); // false: the end, or what the state says
bool pnReadFacts( const pnRecord* record, pnRoomFacts* facts );
bool pnReadHash( const pnRecord* record, uint32_t* step, uint64_t* hash );
bool pnIsLog( const void* bytes, size_t size ); // by its first bytes, of any version

// A file that is appended to. Zero: none.
typedef struct pnJournal { int fd1; uint64_t size; bool isDirty; } pnJournal; // fd1: the descriptor and one, so that zero is none

// PATH.new, with its first records, safe on disk. False: errno tells.
bool pnBeginJournal( pnJournal* journal, const char* path, const pnRoomFacts* facts, const void* image, size_t size );
// PATH.new becomes PATH; what was PATH becomes PATH.old. At once, whatever happens meanwhile.
bool pnKeepJournal( const char* path );
bool pnSyncFolder( const char* path ); // that of a file: its names are safe then
bool pnOpenJournal( pnJournal* journal, const char* path, uint64_t size ); // goes on after `size` bytes; what is torn there goes
// All of it or nothing: after a failure the file is as it was. Whatever happens to the process, what was appended is there; pnSyncJournal
// makes it outlive the machine too.
bool pnAppendRecord( pnJournal* journal, pnRecordKind kind, const void* body, size_t size );
bool pnAppendFacts( pnJournal* journal, const pnRoomFacts* facts );
bool pnAppendHash( pnJournal* journal, uint32_t step, uint64_t hash );
bool pnSyncJournal( pnJournal* journal );
void pnCloseJournal( pnJournal* journal );
