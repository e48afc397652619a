// main.c - serves the page on this machine until Ctrl-C: a folder over HTTP, and nothing else. Knows no rooms.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include <libwebsockets.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t s_isOver;
static struct lws_context* s_context;

static void Stop( int signal )
{
	(void)signal;
	s_isOver = 1;
	lws_cancel_service( s_context );
}

// A module may be compiled, scripts and pictures are ours or made by the page, and no one may put the page into a frame.
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

// In a process of its own; whatever the browser says is not ours to show.
static void OpenBrowser( const char* address )
{
	if ( getenv( "DISPLAY" ) == NULL && getenv( "WAYLAND_DISPLAY" ) == NULL )
	{
		return;
	}
	pid_t child = fork();
	if ( child == 0 )
	{
		if ( fork() == 0 && freopen( "/dev/null", "w", stdout ) != NULL && freopen( "/dev/null", "w", stderr ) != NULL )
		{
			execlp( "xdg-open", "xdg-open", address, (char*)NULL );
		}
		_exit( 0 );
	}
	waitpid( child, NULL, 0 );
}

int main( int argc, char** argv )
{
	const char* folder = argc > 1 ? argv[1] : "build/page";
	char* end = NULL;
	long port = argc > 2 ? strtol( argv[2], &end, 10 ) : 7420;
	if ( argc > 3 || ( end != NULL && *end != 0 ) || port < 0 || port > 65535 )
	{
		fprintf( stderr, "usage: %s [FOLDER [PORT]]\nServes a folder on 127.0.0.1; port 0: any that is free.\n", argv[0] );
		return 2;
	}
	const struct lws_http_mount mount = {
		.mountpoint = "/",
		.mountpoint_len = 1,
		.origin = folder,
		.def = "index.html",
		.origin_protocol = LWSMPRO_FILE,
		.extra_mimetypes = s_types,
	};
	struct lws_context_creation_info info = { 0 };
	info.iface = "127.0.0.1";
	info.options = LWS_SERVER_OPTION_EXPLICIT_VHOSTS;
	lws_set_log_level( LLL_ERR, NULL );
	s_context = lws_create_context( &info );
	info.mounts = &mount;
	info.headers = s_headers;
	info.vhost_name = "localhost";
	struct lws_vhost* vhost = NULL;
	// The usual port may be taken, by an earlier one perhaps: then the next.
	for ( int i = 0; i < 10 && s_context != NULL && vhost == NULL; ++i )
	{
		info.port = port == 0 ? 0 : (int)port + i;
		lws_set_log_level( 0, NULL );
		vhost = lws_create_vhost( s_context, &info );
	}
	if ( vhost == NULL )
	{
		fprintf( stderr, "pliant: no port from %ld to %ld could be opened\n", port, port + 9 );
		return 1;
	}
	signal( SIGINT, Stop );
	signal( SIGTERM, Stop );
	char address[64];
	snprintf( address, sizeof( address ), "http://127.0.0.1:%d/", lws_get_vhost_listen_port( vhost ) );
	printf( "The page is at %s (Ctrl-C ends it)\n", address );
	fflush( stdout );
	OpenBrowser( address );
	while ( s_isOver == 0 && lws_service( s_context, 0 ) >= 0 )
	{
	}
	lws_context_destroy( s_context );
	printf( "\n" );
	return 0;
}
