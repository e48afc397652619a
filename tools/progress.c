// progress.c - a bar with the time that is left, and Ctrl-C. Knows nothing of the work.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L // isatty, fileno, sigaction, clock_gettime
#include "progress.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum
{
	PN_BAR_WIDTH = 24 // signs
};
static const double pnQuietTime = 1.0, pnRedrawTime = 0.1; // s

double pnGetWallTime( void )
{
	struct timespec now;
	clock_gettime( CLOCK_MONOTONIC, &now );
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

pnBar pnStartBar( const char* title, bool isWanted )
{
	pnBar bar = { .isOn = isWanted && isatty( fileno( stderr ) ) != 0, .start = pnGetWallTime() };
	snprintf( bar.title, sizeof( bar.title ), "%s", title );
	return bar;
}

// 1:02:03, 2:03 or 3 s.
static void pnFormatTime( char text[32], double seconds )
{
	long s = (long)( seconds + 0.5 );
	if ( s >= 3600 )
	{
		snprintf( text, 32, "%ld:%02ld:%02ld", s / 3600, s / 60 % 60, s % 60 );
	}
	else if ( s >= 60 )
	{
		snprintf( text, 32, "%ld:%02ld", s / 60, s % 60 );
	}
	else
	{
		snprintf( text, 32, "%ld s", s );
	}
}

void pnBar_Show( pnBar* bar, double done, double total, const char* text )
{
	double now = pnGetWallTime();
	if ( bar->isOn == false || now - bar->start < pnQuietTime || now - bar->drawn < pnRedrawTime )
	{
		return;
	}
	bar->drawn = now;
	bar->isDrawn = true;
	double share = total > 0.0 ? done / total : 1.0;
	share = share < 0.0 ? 0.0 : share > 1.0 ? 1.0 : share;
	char signs[PN_BAR_WIDTH + 1], left[32] = "";
	int full = (int)( share * PN_BAR_WIDTH );
	memset( signs, '#', (size_t)full );
	memset( signs + full, '.', (size_t)( PN_BAR_WIDTH - full ) );
	signs[PN_BAR_WIDTH] = 0;
	if ( share > 0.0 )
	{
		pnFormatTime( left, ( now - bar->start ) * ( 1.0 - share ) / share );
	}
	fprintf( stderr, "\r%s [%s] %3.0f %%, %s left%s%s\033[K", bar->title, signs, 100.0 * share, left[0] != 0 ? left : "?", text != NULL ? ", " : "",
			 text != NULL ? text : "" );
	fflush( stderr );
}

void pnBar_Clear( pnBar* bar )
{
	if ( bar->isDrawn )
	{
		fprintf( stderr, "\r\033[K" );
		fflush( stderr );
		bar->isDrawn = false;
	}
}

static volatile sig_atomic_t pnInterrupted;

static void pnNoteInterrupt( int number )
{
	(void)number;
	pnInterrupted = 1;
}

void pnCatchInterrupts( void )
{
	struct sigaction action = { .sa_handler = pnNoteInterrupt, .sa_flags = (int)( SA_RESETHAND | SA_RESTART ) };
	sigemptyset( &action.sa_mask );
	sigaction( SIGINT, &action, NULL );
	sigaction( SIGTERM, &action, NULL );
	signal( SIGPIPE, SIG_IGN ); // a program that reads from us and ends is an error to be told, not an end
}

bool pnIsInterrupted( void ) { return pnInterrupted != 0; }
