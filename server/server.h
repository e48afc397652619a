// server.h - rooms on the network: a folder of pages, health, numbers, and a WebSocket to each room. Knows visitors by their messages only.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

#include "hall.h"

typedef struct pnServerDef
{
	const char* listen; // an address of this machine
	int port; // 0: any that is free
	bool triesNext; // the ports after it, if it is taken
	const char* page; // the folder that is served, or NULL
	const char* token; // or NULL: everybody may come
	const char* origins; // pages of these may connect too, separated by commas; or NULL
	const char *certificate, *key; // files; or NULL: no TLS
	int visitorLimit; // of all rooms
	int silentSeconds; // who says nothing for so long is cut off; asked whether it is there, or for its hello, after two fifths of that
	void ( *ready )( int port, void* context ); // it listens
	void* readyContext;
} pnServerDef;

// Until SIGINT or SIGTERM; then rooms are put away and visitors told to come back. Returns an exit code.
int pnRunServer( const pnServerDef* def, pnHall* hall );
