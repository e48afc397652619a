// pages.h - what a server answers to HTTP: files of a folder, health, numbers, and who may connect from where. Knows no visitors.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

#include "hall.h"

#include <libwebsockets.h>

typedef struct pnPages
{
	struct lws_http_mount mounts[4];
	const char *origins, *token;
} pnPages;

void pnOpenPages( pnPages* pages, const char* folder, const char* origins, const char* token );
const struct lws_http_mount* pnGetMounts( const pnPages* pages );
const struct lws_protocol_vhost_options* pnGetHeaders( void );
// A page of another site must not speak for whoever looks at it: its origin is the host it asks, or one of those that were named.
bool pnIsWelcomeOrigin( const pnPages* pages, struct lws* socket );
int pnServePage( const pnPages* pages, pnHall* hall, int visitorCount, bool isEnding, struct lws* socket ); // what libwebsockets wants back
