// hall.h - the rooms of a server by name: opened when someone comes, put away when nobody is there; and the scribe that makes their logs safe. Knows no sockets.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

#include "hosted.h"

typedef struct pnKeptRoom { char name[PN_ROOM_NAME]; uint8_t* image; size_t size; pnRoomFacts facts; double time; } pnKeptRoom;

enum
{
	PN_MAX_ROOMS = 1024,
	PN_MAX_KEPT = 64, // rooms in memory, where there is no folder; the eldest go
};

typedef struct pnHall
{
	pnHouse house;
	int roomCount, roomLimit;
	pnHosted* rooms[PN_MAX_ROOMS]; // the scribe looks at them under the lock
	pnKeptRoom kept[PN_MAX_KEPT];
	pthread_mutex_t lock;
	pthread_t scribe;
	atomic_bool isOver;
	unsigned long long opened;
} pnHall;

bool pnOpenHall( pnHall* hall ); // house and roomLimit are set
// The room of this name, opened if need be; the scene is what a new one begins with, "" what the house says. NULL: there are too many open.
pnHosted* pnFindHosted( pnHall* hall, const char* name, const char* scene );
void pnTidyHall( pnHall* hall, void ( *forget )( pnHosted* hosted, void* context ), void* context ); // rooms that ended are put away
void pnEndHall( pnHall* hall ); // asks all rooms to end
void pnCloseHall( pnHall* hall ); // when all have
double pnGetUsedMemory( void ); // bytes that the program has allocated and not freed; 0: not known here
