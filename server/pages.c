// pages.c - what a server answers to HTTP: files of a folder, health, numbers, and who may connect from where. Knows no visitors.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "pages.h"

#include "secret.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

// A module may be compiled, scripts and pictures are ours or made by the page, and no one may put the page into a frame. A socket to where the page
// came from is 'self'.
static const struct lws_protocol_vhost_options s_headers[] = {
	{ s_headers + 1, NULL, "content-security-policy:",
	  "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; "
	  "connect-src 'self' blob: data:; worker-src 'self' blob:; font-src 'self' data:; media-src blob:; object-src 'none'; base-uri 'self'; frame-ancestors 'none'" },
	{ s_headers + 2, NULL, "x-content-type-options:", "nosniff" },
	{ NULL, NULL, "referrer-policy:", "no-referrer" },
};
static const struct lws_protocol_vhost_options s_types[] = {
	{ s_types + 1, NULL, ".wasm", "application/wasm" },
	{ s_types + 2, NULL, ".webp", "image/webp" },
	{ NULL, NULL, ".response", "application/octet-stream" },
};

const struct lws_protocol_vhost_options* pnGetHeaders( void ) { return s_headers; }

void pnOpenPages( pnPages* pages, const char* folder, const char* origins, const char* token )
{
	static const char* const own[3] = { "/healthz", "/metrics", "/room" };
	*pages = ( pnPages ){ .origins = origins, .token = token };
	for ( int i = 0; i < 3; ++i )
	{
		pages->mounts[i] = ( struct lws_http_mount ){
			.mount_next = i < 2 || folder != NULL ? pages->mounts + i + 1 : NULL,
			.mountpoint = own[i],
			.mountpoint_len = (unsigned char)strlen( own[i] ),
			.origin = "http",
			.protocol = "http",
			.origin_protocol = LWSMPRO_CALLBACK,
		};
	}
	pages->mounts[3] = ( struct lws_http_mount ){
		.mountpoint = "/",
		.mountpoint_len = 1,
		.origin = folder,
		.def = "index.html",
		.origin_protocol = LWSMPRO_FILE,
		.extra_mimetypes = s_types,
	};
}

const struct lws_http_mount* pnGetMounts( const pnPages* pages ) { return pages->mounts; }

// ---- origins ----

// host[:port] of an origin such as https://example.org:8443; "" if it is none.
static const char* pnGetAuthority( const char* origin )
{
	const char* slashes = strstr( origin, "://" );
	return slashes != NULL ? slashes + 3 : "";
}

static bool pnIsNamed( const char* list, const char* wanted, bool byAuthority )
{
	for ( const char* at = list; at != NULL && *at != 0; )
	{
		const char* end = strchr( at, ',' );
		size_t length = end != NULL ? (size_t)( end - at ) : strlen( at );
		char one[256] = { 0 };
		memcpy( one, at, length < sizeof( one ) - 1 ? length : sizeof( one ) - 1 );
		if ( strcasecmp( byAuthority ? pnGetAuthority( one ) : one, wanted ) == 0 )
		{
			return true;
		}
		at = end != NULL ? end + 1 : NULL;
	}
	return false;
}

static bool pnIsLoopback( const char* host )
{
	static const char* const names[] = { "127.0.0.1", "localhost", "[::1]" };
	for ( int i = 0; i < 3; ++i )
	{
		size_t length = strlen( names[i] );
		if ( strncasecmp( host, names[i], length ) == 0 && ( host[length] == 0 || host[length] == ':' ) )
		{
			return true;
		}
	}
	return false;
}

bool pnIsWelcomeOrigin( const pnPages* pages, struct lws* socket )
{
	char origin[256] = { 0 }, host[256] = { 0 };
	lws_hdr_copy( socket, origin, sizeof( origin ), WSI_TOKEN_ORIGIN );
	lws_hdr_copy( socket, host, sizeof( host ), WSI_TOKEN_HOST );
	// Without a token this machine's own names alone count: a name of elsewhere that leads here (DNS rebinding) would pass for the same site.
	bool isHostGood = pages->token != NULL || pnIsLoopback( host ) || pnIsNamed( pages->origins, host, true );
	if ( isHostGood == false )
	{
		return false;
	}
	if ( origin[0] == 0 )
	{
		return lws_hdr_total_length( socket, WSI_TOKEN_ORIGIN ) == 0; // no browser
	}
	return strcasecmp( pnGetAuthority( origin ), host ) == 0 || pnIsNamed( pages->origins, origin, false );
}

// ---- answers ----

static int pnAnswerText( struct lws* socket, unsigned code, const char* text, size_t length )
{
	enum { headSize = 4096 };
	unsigned char* buffer = malloc( LWS_PRE + headSize + length );
	if ( buffer == NULL )
	{
		return 1;
	}
	unsigned char *begin = buffer + LWS_PRE, *at = begin;
	bool good = lws_add_http_common_headers( socket, code, "text/plain; version=0.0.4; charset=utf-8", length, &at, begin + headSize ) == 0 &&
				lws_finalize_write_http_header( socket, begin, &at, begin + headSize ) == 0;
	if ( good )
	{
		memcpy( begin, text, length );
		good = lws_write( socket, begin, length, LWS_WRITE_HTTP_FINAL ) >= (int)length;
	}
	free( buffer );
	return good == false ? 1 : lws_http_transaction_completed( socket ) != 0 ? -1 : 0;
}

typedef struct pnPageText { pnBytes bytes; } pnPageText;

__attribute__( ( format( printf, 2, 3 ) ) ) static void pnWriteLine( pnPageText* page, const char* format, ... )
{
	va_list list;
	va_start( list, format );
	char line[512];
	int count = vsnprintf( line, sizeof( line ), format, list );
	va_end( list );
	pnPutBytes( &page->bytes, line, count > 0 && count < (int)sizeof( line ) ? (size_t)count : 0 );
}

static void pnWriteNumber( pnPageText* page, const char* name, const char* kind, const char* help, double value )
{
	pnWriteLine( page, "# HELP pliant_%s %s\n# TYPE pliant_%s %s\npliant_%s %.9g\n", name, help, name, kind, name, value );
}

static double pnLoad( atomic_ullong* counter ) { return (double)atomic_load( counter ); }

// What the rooms' threads do. Longest times are on the clock, so they hold what other programs took meanwhile.
static void pnWriteWork( pnPageText* page, pnWorkTotals* work )
{
	pnWriteLine( page, "# HELP pliant_work_seconds_total Processor time of the rooms' threads\n# TYPE pliant_work_seconds_total counter\n" );
	for ( int i = 0; i < pn_workCount; ++i )
	{
		pnWriteLine( page, "pliant_work_seconds_total{kind=\"%s\"} %.9g\n", pnGetWorkName( (pnWork)i ), 1e-9 * pnLoad( &work->spent[i] ) );
	}
	pnWriteLine( page, "# HELP pliant_longest_seconds The longest that it took in a round\n# TYPE pliant_longest_seconds gauge\n" );
	for ( int i = 0; i < pn_workCount; ++i )
	{
		pnWriteLine( page, "pliant_longest_seconds{kind=\"%s\"} %.6f\n", pnGetWorkName( (pnWork)i ), 1e-6 * pnLoad( &work->longest[i] ) );
	}
	pnWriteNumber( page, "late_for_visitors_seconds", "gauge", "The most that a round was late because of telling, images and frames", 1e-6 * pnLoad( &work->lateForVisitors ) );
}

static void pnWriteMetrics( pnPageText* page, pnHall* hall, int visitorCount )
{
	pnHouse* house = &hall->house;
	pnWriteNumber( page, "visitors", "gauge", "Visitors in all rooms", visitorCount );
	pnWriteNumber( page, "rooms", "gauge", "Rooms that are open", hall->roomCount );
	pnWriteNumber( page, "rooms_opened_total", "counter", "Rooms opened", (double)hall->opened );
	pnWriteNumber( page, "joined_total", "counter", "Visitors that came in", pnLoad( &house->joined ) );
	pnWriteNumber( page, "ticks_total", "counter", "Rounds of all rooms", pnLoad( &house->ticks ) );
	pnWriteNumber( page, "steps_total", "counter", "Steps of all rooms", pnLoad( &house->steps ) );
	pnWriteNumber( page, "late_ticks_total", "counter", "Rounds that began more than a period late", pnLoad( &house->lateTicks ) );
	pnWriteNumber( page, "latest_seconds", "gauge", "The most that a round ever began late", 1e-6 * pnLoad( &house->lateBy ) );
	pnWriteNumber( page, "commands_total", "counter", "Commands put into ticks", pnLoad( &house->commands ) );
	pnWriteNumber( page, "refused_total", "counter", "Commands refused", pnLoad( &house->refused ) );
	pnWriteNumber( page, "compared_total", "counter", "Hashes of visitors that were compared with the room's", pnLoad( &house->compared ) );
	pnWriteNumber( page, "differs_total", "counter", "Hashes of visitors that were not the room's", pnLoad( &house->differs ) );
	pnWriteNumber( page, "images_total", "counter", "Images made for visitors", pnLoad( &house->images ) );
	pnWriteNumber( page, "encodings_total", "counter", "Frames encoded, each for all that watch", pnLoad( &house->encodings ) );
	pnWriteNumber( page, "frames_total", "counter", "Frames sent to visitors that watch", pnLoad( &house->frames ) );
	pnWriteNumber( page, "sent_bytes_total", "counter", "Bytes of messages sent", pnLoad( &house->sentBytes ) );
	pnWriteNumber( page, "sent_messages_total", "counter", "Messages sent", pnLoad( &house->sentMessages ) );
	pnWriteNumber( page, "heard_messages_total", "counter", "Messages received", pnLoad( &house->heardMessages ) );
	pnWriteNumber( page, "sockets_seconds_total", "counter", "Processor time of the thread that has the sockets", pnGetSpentTime() );
	pnWriteWork( page, &house->work );
	pnWriteNumber( page, "allocated_bytes", "gauge", "Memory allocated and not freed, by all rooms and the server", pnGetUsedMemory() );
	pnWriteNumber( page, "disk_faults_total", "counter", "Writes of logs that failed", pnLoad( &house->diskFaults ) );
	static const struct
	{
		const char *name, *kind, *help;
	} kinds[] = {
		{ "room_visitors", "gauge", "Visitors in a room" },
		{ "room_step", "counter", "Steps a room has made" },
		{ "room_step_seconds", "gauge", "What a step of a room takes" },
		{ "room_world_bytes", "gauge", "A room's world" },
		{ "room_history_bytes", "gauge", "Kept to undo and redo in a room" },
		{ "room_stream_bytes", "gauge", "Kept in a room for those who watch" },
		{ "room_tick_bytes", "gauge", "Kept in a room for those who are behind" },
	};
	// All lines of one kind together, as Prometheus has it.
	for ( int kind = 0; kind < (int)( sizeof( kinds ) / sizeof( kinds[0] ) ); ++kind )
	{
		pnWriteLine( page, "# HELP pliant_%s %s\n# TYPE pliant_%s %s\n", kinds[kind].name, kinds[kind].help, kinds[kind].name, kinds[kind].kind );
		for ( int i = 0; i < hall->roomCount; ++i )
		{
			pnHosted* hosted = hall->rooms[i];
			pthread_mutex_lock( &hosted->lock );
			const double values[] = { hosted->visitorCount, hosted->step, hosted->stepSeconds, (double)hosted->worldBytes, (double)hosted->historyBytes, (double)hosted->streamBytes, (double)hosted->tickBytes };
			pthread_mutex_unlock( &hosted->lock );
			pnWriteLine( page, "pliant_%s{room=\"%s\"} %.10g\n", kinds[kind].name, hosted->name, values[kind] );
		}
	}
}

// Numbers are for this machine, and for who has the token.
static bool pnMayLook( const pnPages* pages, struct lws* socket )
{
	char peer[64] = { 0 }, header[256] = { 0 };
	lws_get_peer_simple( socket, peer, sizeof( peer ) );
	lws_hdr_copy( socket, header, sizeof( header ), WSI_TOKEN_HTTP_AUTHORIZATION );
	bool isHere = strncmp( peer, "127.", 4 ) == 0 || strcmp( peer, "::1" ) == 0 || strncmp( peer, "::ffff:127.", 11 ) == 0;
	return isHere || ( pages->token != NULL && strncmp( header, "Bearer ", 7 ) == 0 && pnIsSame( header + 7, pages->token ) );
}

int pnServePage( const pnPages* pages, pnHall* hall, int visitorCount, bool isEnding, struct lws* socket )
{
	char path[128] = { 0 };
	lws_hdr_copy( socket, path, sizeof( path ), WSI_TOKEN_GET_URI );
	if ( strcmp( path, "/healthz" ) == 0 )
	{
		const char* text = isEnding ? "ending\n" : "ok\n";
		return pnAnswerText( socket, isEnding ? 503 : 200, text, strlen( text ) );
	}
	if ( strcmp( path, "/metrics" ) == 0 && pnMayLook( pages, socket ) )
	{
		pnPageText page = { 0 };
		pnWriteMetrics( &page, hall, visitorCount );
		int result = page.bytes.failed ? 1 : pnAnswerText( socket, 200, (const char*)page.bytes.data, page.bytes.size );
		free( page.bytes.data );
		return result;
	}
	if ( strncmp( path, "/room/", 6 ) == 0 && pnIsRoomName( path + 6 ) )
	{
		unsigned char buffer[LWS_PRE + 1024];
		unsigned char* at = buffer + LWS_PRE;
		char place[64];
		snprintf( place, sizeof( place ), "/?room=%.31s", path + 6 );
		return lws_http_redirect( socket, HTTP_STATUS_FOUND, (const unsigned char*)place, (int)strlen( place ), &at, buffer + sizeof( buffer ) ) < 0 ? -1 : 0;
	}
	return pnAnswerText( socket, 404, "there is nothing here\n", 22 );
}
