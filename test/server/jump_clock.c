// jump_clock.c - for a test: the clock of the day as it is after somebody has set it. Loaded before the C library (LD_PRELOAD); SIGUSR1 sets it a day back, SIGUSR2 two days on.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include <signal.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t s_days;

static void Jump( int number ) { s_days = s_days + ( number == SIGUSR1 ? -1 : 2 ); }

__attribute__( ( constructor ) ) static void Begin( void )
{
	signal( SIGUSR1, Jump );
	signal( SIGUSR2, Jump );
}

// Those that no one can set are left alone.
int clock_gettime( clockid_t clock, struct timespec* time )
{
	long result = syscall( SYS_clock_gettime, clock, time );
	if ( result == 0 && ( clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE ) )
	{
		time->tv_sec += 86400L * s_days;
	}
	return (int)result;
}

int gettimeofday( struct timeval* restrict time, void* restrict zone )
{
	struct timespec now;
	(void)zone;
	clock_gettime( CLOCK_REALTIME, &now );
	*time = ( struct timeval ){ now.tv_sec, now.tv_nsec / 1000 };
	return 0;
}

time_t time( time_t* out )
{
	struct timespec now;
	clock_gettime( CLOCK_REALTIME, &now );
	if ( out != NULL )
	{
		*out = now.tv_sec;
	}
	return now.tv_sec;
}
