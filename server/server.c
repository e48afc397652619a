// server.c - the sockets of a server, by libwebsockets: connections, what comes in and what goes out. Knows visitors by their messages only.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "server.h"

#include "desk.h"
#include "pages.h"
#include "secret.h"

#include <libwebsockets.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double pnAskShare = 0.4; // of the time after which who is silent is cut off
static const double pnEnterSeconds = 120.0; // a long log is read meanwhile
static const double pnGoodbyeSeconds = 3.0;
enum
{
	PN_TIDY_MICROSECONDS = 50000,
	PN_MAX_STRANGERS = 64, // that have not said hello
	PN_SEND_AT_ONCE = 256 << 10, // bytes to one before the others have their turn
};

// One connection. libwebsockets gives and takes the memory.
typedef struct pnSession
{
	struct lws* socket;
	struct pnSession *next, *previous;
	pnVisitor* visitor; // NULL until it has entered
	pnVisitor* candidate; // while it waits for the room
	pnMessage hello;
	bool hasHello, isOver;
	pnGoodbye goodbye;
	char why[224];
	double time;
	char room[PN_ROOM_NAME];
	pnBytes in, out;
} pnSession;

typedef struct pnServer
{
	const pnServerDef* def;
	pnHall* hall;
	struct lws_context* context;
	struct lws_vhost* vhost;
	pnSession* sessions;
	int sessionCount, visitorCount;
	pnSecret secret;
	char lookOnToken[PN_SEAL_SIZE];
	pnPages pages;
	lws_retry_bo_t idle;
	lws_sorted_usec_list_t tidying;
	bool isEnding;
	double endTime;
} pnServer;

static volatile sig_atomic_t s_stop;
static struct lws_context* s_context;

static void pnStop( int signal )
{
	(void)signal;
	s_stop = 1;
	lws_cancel_service( s_context );
}

static void pnWake( void* context )
{
	pnServer* server = context;
	lws_cancel_service( server->context );
}

// ---- coming and going ----

static void pnDismiss( pnSession* session, pnGoodbye reason, const char* why )
{
	if ( session->goodbye == 0 )
	{
		session->goodbye = reason;
		snprintf( session->why, sizeof( session->why ), "%s", why );
		lws_callback_on_writable( session->socket );
	}
}

static bool pnIsAllowed( pnServer* server, pnSession* session )
{
	const char* token = server->def->token;
	if ( token == NULL || pnIsSame( session->hello.token, token ) )
	{
		return true;
	}
	if ( pnIsSame( session->hello.token, server->lookOnToken ) )
	{
		session->hello.flags |= 1;
		return true;
	}
	return false;
}

static void pnTryToEnter( pnServer* server, pnSession* session )
{
	pnGoodbye reason = pn_fullGoodbye;
	char why[224] = "there are too many rooms open";
	pnHosted* hosted = server->isEnding == false ? pnFindHosted( server->hall, session->room, session->hello.scene ) : NULL;
	session->candidate = session->candidate != NULL ? session->candidate : pnCreateVisitor( session, pnGetSteadyTime() );
	if ( hosted == NULL || session->candidate == NULL )
	{
		pnDismiss( session, server->isEnding ? pn_movingGoodbye : reason, server->isEnding ? "the server ends" : why );
		return;
	}
	uint32_t owner = pnReadKey( &server->secret, session->room, session->hello.key );
	pnEntering entering = pnEnter( hosted, session->candidate, &session->hello, owner, &reason, why );
	if ( entering == pn_enterNever || pnGetSteadyTime() - session->time > pnEnterSeconds )
	{
		pnDismiss( session, reason, why );
	}
	else if ( entering == pn_enteredNow )
	{
		char key[PN_KEY_SIZE];
		session->visitor = session->candidate;
		session->candidate = NULL;
		server->visitorCount += 1;
		pnMakeKey( &server->secret, session->room, session->visitor->owner, key );
		bool mayInvite = server->def->token != NULL && session->visitor->looksOn == false;
		pnWelcomeVisitor( session->visitor, key, mayInvite ? server->lookOnToken : "" );
		lws_callback_on_writable( session->socket );
	}
}

static void pnTakeHello( pnServer* server, pnSession* session, const pnMessage* message )
{
	if ( message->kind != pn_helloMessage || message->version != PN_PROTOCOL_VERSION )
	{
		pnDismiss( session, pn_nonsenseGoodbye, message->kind == pn_helloMessage ? "this server speaks version 1" : "say hello first" );
		return;
	}
	session->hello = *message;
	session->hello.text = NULL;
	session->hasHello = true;
	if ( pnIsAllowed( server, session ) == false )
	{
		pnDismiss( session, pn_tokenGoodbye, "this token is not the right one" );
	}
	else if ( session->hello.scene[0] != 0 && pnIsRoomName( session->hello.scene ) == false )
	{
		pnDismiss( session, pn_nonsenseGoodbye, "this is not a scene's name" );
	}
	else if ( server->visitorCount >= server->def->visitorLimit )
	{
		pnDismiss( session, pn_fullGoodbye, "there are too many visitors" );
	}
	else
	{
		pnTryToEnter( server, session );
	}
	memset( session->hello.token, 0, sizeof( session->hello.token ) );
}

static void pnTakeBytes( pnServer* server, pnSession* session, const uint8_t* bytes, size_t size )
{
	double now = pnGetSteadyTime();
	pnMessage message;
	atomic_fetch_add( &server->hall->house.heardMessages, 1 );
	if ( session->goodbye != 0 )
	{
		return;
	}
	if ( pnReadMessage( bytes, size, &message ) == false )
	{
		pnDismiss( session, pn_nonsenseGoodbye, "a message that means nothing" );
	}
	else if ( session->hasHello == false )
	{
		pnTakeHello( server, session, &message );
	}
	else if ( session->visitor != NULL && message.kind == pn_helloMessage )
	{
		pnDismiss( session, pn_nonsenseGoodbye, "hello is said once" );
	}
	else if ( session->visitor != NULL )
	{
		pnVisitor* visitor = session->visitor;
		if ( pnSpendBudget( visitor, pn_bytesBudget, (float)size, now ) && pnSpendBudget( visitor, pn_messagesBudget, 1.0f, now ) )
		{
			pnTakeMessage( visitor, &message, now );
			lws_callback_on_writable( session->socket );
		}
		else
		{
			pnDismiss( session, pn_nonsenseGoodbye, "you send too much" );
		}
	}
}

static bool pnGather( pnServer* server, pnSession* session, const void* bytes, size_t size )
{
	size_t most = session->visitor != NULL ? PN_MAX_MESSAGE : 1024;
	bool isWhole = lws_is_final_fragment( session->socket ) && lws_remaining_packet_payload( session->socket ) == 0;
	if ( session->in.size + size > most || lws_frame_is_binary( session->socket ) == 0 )
	{
		pnDismiss( session, pn_nonsenseGoodbye, "a message that is too long, or text" );
		session->in.size = 0;
		return session->goodbye != 0;
	}
	if ( isWhole && session->in.size == 0 )
	{
		pnTakeBytes( server, session, bytes, size );
		return true;
	}
	pnPutBytes( &session->in, bytes, size );
	if ( session->in.failed )
	{
		return false;
	}
	if ( isWhole )
	{
		pnTakeBytes( server, session, session->in.data, session->in.size );
		session->in.size = 0;
		if ( session->in.capacity > 65536 )
		{
			free( session->in.data );
			session->in = ( pnBytes ){ 0 };
		}
	}
	return true;
}

// ---- going out ----

static pnOutgo pnGetNext( pnSession* session, double now )
{
	pnBytes* out = &session->out;
	out->size = 0;
	pnExtendBytes( out, LWS_PRE );
	if ( session->visitor != NULL && session->goodbye == 0 )
	{
		return pnNextOutgoing( session->visitor, out, now );
	}
	if ( session->goodbye != 0 )
	{
		pnPutGoodbye( out, session->goodbye, session->why );
		return pn_lastToSend;
	}
	return pn_nothingToSend;
}

// Returns -1 when it has had its last message.
static int pnSend( pnServer* server, pnSession* session )
{
	double now = pnGetSteadyTime();
	size_t sent = 0;
	if ( session->isOver )
	{
		return -1;
	}
	do
	{
		pnOutgo outgo = pnGetNext( session, now );
		if ( session->out.failed )
		{
			return -1;
		}
		if ( outgo == pn_nothingToSend )
		{
			return 0;
		}
		int size = (int)( session->out.size - LWS_PRE );
		if ( lws_write( session->socket, session->out.data + LWS_PRE, (size_t)size, LWS_WRITE_BINARY ) < size )
		{
			return -1;
		}
		atomic_fetch_add( &server->hall->house.sentBytes, (unsigned long long)size );
		atomic_fetch_add( &server->hall->house.sentMessages, 1 );
		sent += (size_t)size;
		if ( outgo == pn_lastToSend )
		{
			// The next time it may write it ends, when this has gone out.
			session->isOver = true;
			lws_close_reason( session->socket, LWS_CLOSE_STATUS_NORMAL, NULL, 0 );
			lws_callback_on_writable( session->socket );
			return 0;
		}
	} while ( sent < PN_SEND_AT_ONCE && lws_send_pipe_choked( session->socket ) == 0 );
	lws_callback_on_writable( session->socket );
	return 0;
}

// Whoever is in a room that has something to say.
static void pnServeRooms( pnServer* server )
{
	for ( int i = 0; i < server->hall->roomCount; ++i )
	{
		pnHosted* hosted = server->hall->rooms[i];
		pthread_mutex_lock( &hosted->lock );
		bool needsService = hosted->needsService;
		hosted->needsService = false;
		for ( pnVisitor* visitor = hosted->visitors; visitor != NULL && needsService; visitor = visitor->next )
		{
			if ( visitor->session != NULL )
			{
				lws_callback_on_writable( ( (pnSession*)visitor->session )->socket );
			}
		}
		pthread_mutex_unlock( &hosted->lock );
	}
}

// ---- now and then ----

static void pnForgetRoom( pnHosted* hosted, void* context )
{
	pnServer* server = context;
	for ( pnSession* session = server->sessions; session != NULL; session = session->next )
	{
		if ( session->visitor != NULL && session->visitor->hosted == hosted )
		{
			session->visitor = NULL; // freed with the room
			server->visitorCount -= 1;
			pnDismiss( session, pn_movingGoodbye, "the room was put away" );
		}
	}
}

static void pnTidy( lws_sorted_usec_list_t* list )
{
	pnServer* server = lws_container_of( list, pnServer, tidying );
	double now = pnGetSteadyTime();
	if ( s_stop && server->isEnding == false )
	{
		server->isEnding = true;
		server->endTime = now;
		for ( pnSession* session = server->sessions; session != NULL; session = session->next )
		{
			pnDismiss( session, pn_movingGoodbye, "the server ends; come back in a moment" );
		}
		pnEndHall( server->hall );
	}
	for ( pnSession* session = server->sessions; session != NULL; session = session->next )
	{
		if ( session->goodbye == 0 && session->hasHello && session->visitor == NULL )
		{
			pnTryToEnter( server, session );
		}
		else if ( session->goodbye == 0 && session->hasHello == false && now - session->time > pnAskShare * server->def->silentSeconds )
		{
			pnDismiss( session, pn_silentGoodbye, "nobody said hello" );
		}
	}
	pnServeRooms( server );
	pnTidyHall( server->hall, pnForgetRoom, server );
	lws_sul_schedule( server->context, 0, &server->tidying, pnTidy, PN_TIDY_MICROSECONDS );
}

// ---- libwebsockets ----

// The room that is asked for; false: there cannot be one, or this page may not.
static bool pnReadRequest( pnServer* server, struct lws* socket, char room[PN_ROOM_NAME] )
{
	char path[128] = { 0 };
	static const char prefix[] = "/room/";
	if ( lws_hdr_copy( socket, path, sizeof( path ), WSI_TOKEN_GET_URI ) <= 0 || strncmp( path, prefix, sizeof( prefix ) - 1 ) != 0 )
	{
		return false;
	}
	const char* name = path + sizeof( prefix ) - 1;
	if ( pnIsRoomName( name ) == false )
	{
		return false;
	}
	snprintf( room, PN_ROOM_NAME, "%.31s", name );
	return pnIsWelcomeOrigin( &server->pages, socket );
}

static int pnOnRoom( struct lws* socket, enum lws_callback_reasons reason, void* user, void* in, size_t length )
{
	pnServer* server = lws_context_user( lws_get_context( socket ) );
	pnSession* session = user;
	switch ( reason )
	{
	case LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION:
	{
		char room[PN_ROOM_NAME];
		bool isFull = server->sessionCount >= server->def->visitorLimit + PN_MAX_STRANGERS;
		return server->isEnding || isFull || pnReadRequest( server, socket, room ) == false ? -1 : 0;
	}
	case LWS_CALLBACK_ESTABLISHED:
		*session = ( pnSession ){ .socket = socket, .time = pnGetSteadyTime(), .next = server->sessions };
		if ( server->sessions != NULL )
		{
			server->sessions->previous = session;
		}
		server->sessions = session;
		server->sessionCount += 1;
		return pnReadRequest( server, socket, session->room ) ? 0 : -1;
	case LWS_CALLBACK_RECEIVE:
		return session->isOver || pnGather( server, session, in, length ) ? 0 : -1;
	case LWS_CALLBACK_SERVER_WRITEABLE:
		return pnSend( server, session );
	case LWS_CALLBACK_CLOSED:
		if ( session == NULL || session->socket != socket )
		{
			break; // refused before it was established
		}
		if ( session->visitor != NULL )
		{
			pnLeave( session->visitor );
			server->visitorCount -= 1;
		}
		pnDestroyVisitor( session->candidate );
		free( session->in.data );
		free( session->out.data );
		*( session->previous != NULL ? &session->previous->next : &server->sessions ) = session->next;
		if ( session->next != NULL )
		{
			session->next->previous = session->previous;
		}
		server->sessionCount -= 1;
		session->socket = NULL;
		break;
	case LWS_CALLBACK_EVENT_WAIT_CANCELLED:
		if ( server != NULL )
		{
			pnServeRooms( server );
		}
		break;
	default:
		break;
	}
	return 0;
}

static int pnOnHttp( struct lws* socket, enum lws_callback_reasons reason, void* user, void* in, size_t length )
{
	pnServer* server = lws_context_user( lws_get_context( socket ) );
	switch ( reason )
	{
	case LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION:
		return -1; // a WebSocket without the protocol that we speak
	case LWS_CALLBACK_HTTP:
		return pnServePage( &server->pages, server->hall, server->visitorCount, server->isEnding, socket );
	default:
		return lws_callback_http_dummy( socket, reason, user, in, length );
	}
}

static bool pnListen( pnServer* server )
{
	const pnServerDef* def = server->def;
	static const struct lws_protocols protocols[] = {
		{ "http", pnOnHttp, 0, 4096, 0, NULL, 0 },
		{ "pliant-room-1", pnOnRoom, sizeof( pnSession ), 65536, 0, NULL, 0 },
		{ NULL, NULL, 0, 0, 0, NULL, 0 },
	};
	server->idle = ( lws_retry_bo_t ){ .secs_since_valid_ping = (uint16_t)( pnAskShare * def->silentSeconds ), .secs_since_valid_hangup = (uint16_t)def->silentSeconds };
	struct lws_context_creation_info info = { 0 };
	info.options = LWS_SERVER_OPTION_EXPLICIT_VHOSTS | ( def->certificate != NULL ? LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT : 0 );
	info.user = server;
	info.retry_and_idle_policy = &server->idle;
	info.keepalive_timeout = 15;
	info.timeout_secs = 15;
	lws_set_log_level( LLL_ERR, NULL );
	server->context = s_context = lws_create_context( &info );
	info.iface = strcmp( def->listen, "0.0.0.0" ) == 0 ? NULL : def->listen;
	info.protocols = protocols;
	info.mounts = pnGetMounts( &server->pages );
	info.headers = pnGetHeaders();
	info.vhost_name = "pliant";
	info.ssl_cert_filepath = def->certificate;
	info.ssl_private_key_filepath = def->key;
	info.alpn = "http/1.1"; // over HTTP/2 libwebsockets 4.1 takes a browser's WebSocket and then never speaks
	for ( int i = 0; i < ( def->triesNext ? 10 : 1 ) && server->context != NULL && server->vhost == NULL; ++i )
	{
		info.port = def->port == 0 ? 0 : def->port + i;
		lws_set_log_level( def->triesNext ? 0 : LLL_ERR, NULL );
		server->vhost = lws_create_vhost( server->context, &info );
	}
	return server->vhost != NULL;
}

int pnRunServer( const pnServerDef* def, pnHall* hall )
{
	pnServer* server = calloc( 1, sizeof( pnServer ) );
	if ( server == NULL || pnOpenSecret( hall->house.folder, &server->secret ) == false )
	{
		fprintf( stderr, "pliant serve: the folder for rooms cannot be written\n" );
		free( server );
		return 1;
	}
	server->def = def;
	server->hall = hall;
	pnSeal( &server->secret, "look on", server->lookOnToken );
	pnOpenPages( &server->pages, def->page, def->origins, def->token );
	hall->house.wake = pnWake;
	hall->house.wakeContext = server;
	if ( pnListen( server ) == false || pnOpenHall( hall ) == false )
	{
		const char* more = def->certificate != NULL ? ", or its certificate and key cannot be used" : "";
		fprintf( stderr, "pliant serve: port %d of %s cannot be opened%s\n", def->port, def->listen, more );
		if ( server->context != NULL )
		{
			lws_context_destroy( server->context );
		}
		free( server );
		return 1;
	}
	signal( SIGINT, pnStop );
	signal( SIGTERM, pnStop );
	signal( SIGPIPE, SIG_IGN );
	signal( SIGXFSZ, SIG_IGN ); // a file that may not grow is a disk that is full
	def->ready( lws_get_vhost_listen_port( server->vhost ), def->readyContext );
	lws_sul_schedule( server->context, 0, &server->tidying, pnTidy, PN_TIDY_MICROSECONDS );
	// When it ends, visitors have a moment to hear so, and rooms as long as they need.
	for ( bool isOver = false; isOver == false && lws_service( server->context, 0 ) >= 0; )
	{
		bool isHeard = server->sessionCount == 0 || pnGetSteadyTime() - server->endTime > pnGoodbyeSeconds;
		isOver = server->isEnding && hall->roomCount == 0 && isHeard;
	}
	lws_context_destroy( server->context );
	pnCloseHall( hall );
	free( server );
	return 0;
}
