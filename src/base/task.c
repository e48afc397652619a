// task.c - a loop spread over workers: our own sleeping threads, the user's tasks, or just the caller. Knows no physics.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT

#define _POSIX_C_SOURCE 200809L

#include "task.h"

#include "core.h"

#include <stdatomic.h>

#ifdef __wasm__
#define PN_THREADS 0
#else
#define PN_THREADS 1
#include <pthread.h>
#include <sched.h>
#include <unistd.h>
#endif

enum
{
	PN_MAX_WORKERS = 64,
	// Blocks per worker: enough that a worker which came late or is slow does not hold the others up, and little is waited for at the end.
	PN_BLOCKS_PER_WORKER = 24,
};

// The loops of a step come within microseconds of each other, and the next step of some hundred bodies within 30 (what lies between is done by the caller alone); a
// thread that sleeps in between wakes too late to help.
#define PN_SPIN_TIME 60e-6 // seconds

// What one worker needs to know; also the user's task.
typedef struct pnWorker
{
	pnTasks* tasks;
	int index;
#if PN_THREADS
	pthread_t thread;
#endif
} pnWorker;

// Who takes part in the present loop, in one word: ( loop number << 16 ) | PN_OPEN | how many of our threads are inside.
// A thread comes in only while it is open, and the caller leaves only when it is closed and empty. So a thread that wakes
// late is never waited for, and never sees a loop that is being set up.
typedef atomic_ullong pnGate;
#define PN_OPEN 0x100ull
#define PN_INSIDE 0xffull

// The blocks that a worker begins with, in order; then it takes what others have left. The same loop comes again in the next step: what a worker had in its cache
// then is mostly what it gets now.
typedef struct pnShare { _Alignas( PN_CACHE_LINE ) atomic_int next; int end; } pnShare;

struct pnTasks
{
	pnTaskSystem system;
	int workerCount; // callers included
	int threadCount; // ours that run
	bool userTasks;
	bool spin; // there is a core for each worker

	// The loop; written by the caller before it opens the gate.
	pnRangeFcn* fcn;
	void* context;
	int itemCount, blockSize, blockCount;
	bool running;

	pnWorker workers[PN_MAX_WORKERS]; // 0 is the caller

	pnShare shares[PN_MAX_WORKERS];

#if PN_THREADS
	_Alignas( PN_CACHE_LINE ) pnGate gate;
	atomic_int sleeperCount;
	atomic_bool stop;
	_Alignas( PN_CACHE_LINE ) pthread_mutex_t mutex; // for going to sleep only
	pthread_cond_t wake;
#endif
};

// Takes blocks until there are none.
static void pnRunBlocks( pnTasks* tasks, int worker )
{
	for ( int i = 0; i < tasks->workerCount; ++i )
	{
		pnShare* share = tasks->shares + ( worker + i ) % tasks->workerCount;
		for ( ;; )
		{
			int block = atomic_fetch_add_explicit( &share->next, 1, memory_order_relaxed );
			if ( block >= share->end )
			{
				break;
			}
			int begin = block * tasks->blockSize;
			int end = tasks->itemCount - begin > tasks->blockSize ? begin + tasks->blockSize : tasks->itemCount;
			tasks->fcn( begin, end, worker, tasks->context );
		}
	}
}

static void pnRunUserTask( void* task )
{
	pnWorker* worker = task;
	pnRunBlocks( worker->tasks, worker->index );
}

#if PN_THREADS

static void pnPause( void )
{
#if defined( __x86_64__ ) || defined( __i386__ )
	__builtin_ia32_pause();
#elif defined( __aarch64__ )
	__asm__ volatile( "yield" );
#endif
}

static bool pnIsNews( pnTasks* tasks, unsigned long long lastLoop )
{
	unsigned long long gate = atomic_load( &tasks->gate );
	return ( ( gate & PN_OPEN ) != 0 && gate >> 16 != lastLoop ) || atomic_load( &tasks->stop );
}

static void pnAwaitNews( pnTasks* tasks, unsigned long long lastLoop )
{
	if ( tasks->spin )
	{
		double end = pnNow() + PN_SPIN_TIME;
		do
		{
			for ( int i = 0; i < 16; ++i )
			{
				if ( pnIsNews( tasks, lastLoop ) )
				{
					return;
				}
				pnPause();
			}
		}
		while ( pnNow() < end );
	}

	// We count ourselves, then look at the gate; the caller opens the gate, then looks at the count. Both are sequentially
	// consistent, so one of us sees the other.
	pthread_mutex_lock( &tasks->mutex );
	atomic_fetch_add( &tasks->sleeperCount, 1 );
	while ( !pnIsNews( tasks, lastLoop ) )
	{
		pthread_cond_wait( &tasks->wake, &tasks->mutex );
	}
	atomic_fetch_sub( &tasks->sleeperCount, 1 );
	pthread_mutex_unlock( &tasks->mutex );
}

static void* pnThreadMain( void* argument )
{
	pnWorker* worker = argument;
	pnTasks* tasks = worker->tasks;
	unsigned long long lastLoop = 0;
	for ( ;; )
	{
		pnAwaitNews( tasks, lastLoop );
		if ( atomic_load( &tasks->stop ) )
		{
			return NULL;
		}
		unsigned long long gate = atomic_load( &tasks->gate );
		while ( ( gate & PN_OPEN ) != 0 )
		{
			if ( atomic_compare_exchange_weak( &tasks->gate, &gate, gate + 1 ) )
			{
				pnRunBlocks( tasks, worker->index );
				atomic_fetch_sub( &tasks->gate, 1 );
				lastLoop = gate >> 16;
				break;
			}
		}
	}
}

static void pnStartThreads( pnTasks* tasks )
{
	long coreCount = sysconf( _SC_NPROCESSORS_ONLN );
	tasks->spin = coreCount >= tasks->workerCount;
	if ( pthread_mutex_init( &tasks->mutex, NULL ) != 0 )
	{
		pnLog( "no lock for the worker threads: everything runs on the calling thread" );
		return;
	}
	if ( pthread_cond_init( &tasks->wake, NULL ) != 0 )
	{
		pnLog( "no condition variable for the worker threads: everything runs on the calling thread" );
		pthread_mutex_destroy( &tasks->mutex );
		return;
	}
	for ( int i = 1; i < tasks->workerCount; ++i )
	{
		if ( pthread_create( &tasks->workers[i].thread, NULL, pnThreadMain, tasks->workers + i ) != 0 )
		{
			// Slower, but the results are the same.
			pnLog( "the system gave only %d of %d worker threads", tasks->threadCount, tasks->workerCount - 1 );
			break;
		}
		tasks->threadCount += 1;
	}
	if ( tasks->threadCount == 0 )
	{
		pthread_cond_destroy( &tasks->wake );
		pthread_mutex_destroy( &tasks->mutex );
	}
}

static void pnStopThreads( pnTasks* tasks )
{
	if ( tasks->threadCount == 0 )
	{
		return;
	}
	atomic_store( &tasks->stop, true );
	pthread_mutex_lock( &tasks->mutex );
	pthread_cond_broadcast( &tasks->wake );
	pthread_mutex_unlock( &tasks->mutex );
	for ( int i = 1; i <= tasks->threadCount; ++i )
	{
		pthread_join( tasks->workers[i].thread, NULL );
	}
	pthread_cond_destroy( &tasks->wake );
	pthread_mutex_destroy( &tasks->mutex );
}

static void pnRunOnThreads( pnTasks* tasks )
{
	unsigned long long loop = ( atomic_load( &tasks->gate ) >> 16 ) + 1;
	atomic_store( &tasks->gate, ( loop << 16 ) | PN_OPEN );
	if ( atomic_load( &tasks->sleeperCount ) > 0 )
	{
		pthread_mutex_lock( &tasks->mutex );
		if ( tasks->blockCount > tasks->threadCount )
		{
			pthread_cond_broadcast( &tasks->wake );
		}
		else
		{
			for ( int i = 1; i < tasks->blockCount; ++i )
			{
				pthread_cond_signal( &tasks->wake );
			}
		}
		pthread_mutex_unlock( &tasks->mutex );
	}

	pnRunBlocks( tasks, 0 );

	// Those still inside are in their last block.
	atomic_fetch_and( &tasks->gate, ~PN_OPEN );
	for ( int i = 0; ( atomic_load( &tasks->gate ) & PN_INSIDE ) != 0; ++i )
	{
		if ( tasks->spin && i < 2000 )
		{
			pnPause();
		}
		else
		{
			sched_yield();
		}
	}
}

#endif

size_t pnGetTaskBytes( const pnTasks* tasks )
{
	return tasks != NULL ? sizeof( pnTasks ) : 0;
}

pnTasks* pnCreateTasks( const pnTaskSystem* system )
{
	pnTasks* tasks = pnAllocArray( pnTasks, 1 );
	if ( tasks == NULL )
	{
		return NULL;
	}
	tasks->system = *system;
	tasks->workerCount = system->workerCount < 1 ? 1 : ( system->workerCount > PN_MAX_WORKERS ? PN_MAX_WORKERS : system->workerCount );
	tasks->userTasks = tasks->workerCount > 1 && system->enqueue != NULL && system->finish != NULL;
	for ( int i = 0; i < PN_MAX_WORKERS; ++i )
	{
		tasks->workers[i].tasks = tasks;
		tasks->workers[i].index = i;
	}
#if PN_THREADS
	if ( tasks->workerCount > 1 && !tasks->userTasks )
	{
		pnStartThreads( tasks );
	}
#endif
	return tasks;
}

void pnDestroyTasks( pnTasks* tasks )
{
	if ( tasks == NULL )
	{
		return;
	}
	PN_ASSERT( !tasks->running );
#if PN_THREADS
	pnStopThreads( tasks );
#endif
	pnFreeArray( pnTasks, tasks, 1 );
}

int pnGetWorkerCount( const pnTasks* tasks )
{
	return tasks->workerCount;
}

void pnParallelFor( pnTasks* tasks, pnRangeFcn* fcn, int count, int minRange, void* context )
{
	if ( count <= 0 )
	{
		return;
	}
	int blockCount = count / ( minRange > 1 ? minRange : 1 );
	int maxBlockCount = PN_BLOCKS_PER_WORKER * tasks->workerCount;
	blockCount = blockCount < maxBlockCount ? blockCount : maxBlockCount;
	if ( blockCount <= 1 || ( !tasks->userTasks && tasks->threadCount == 0 ) )
	{
		fcn( 0, count, 0, context );
		return;
	}

	PN_ASSERT( !tasks->running ); // one loop at a time, and none within another
	tasks->running = true;
	tasks->fcn = fcn;
	tasks->context = context;
	tasks->itemCount = count;
	tasks->blockSize = count / blockCount + ( count % blockCount != 0 );
	tasks->blockCount = count / tasks->blockSize + ( count % tasks->blockSize != 0 );
	for ( int w = 0; w < tasks->workerCount; ++w )
	{
		tasks->shares[w].end = tasks->blockCount * ( w + 1 ) / tasks->workerCount;
		atomic_store_explicit( &tasks->shares[w].next, tasks->blockCount * w / tasks->workerCount, memory_order_relaxed );
	}

	if ( tasks->userTasks )
	{
		// Each worker index goes into one task of this loop, and all are finished before the next, so no two share one.
		void* handles[PN_MAX_WORKERS];
		int taskCount = tasks->blockCount < tasks->workerCount ? tasks->blockCount : tasks->workerCount;
		for ( int i = 1; i < taskCount; ++i )
		{
			handles[i] = tasks->system.enqueue( pnRunUserTask, tasks->workers + i, tasks->system.context );
		}
		pnRunBlocks( tasks, 0 );
		for ( int i = 1; i < taskCount; ++i )
		{
			if ( handles[i] != NULL )
			{
				tasks->system.finish( handles[i], tasks->system.context );
			}
		}
	}
#if PN_THREADS
	else
	{
		pnRunOnThreads( tasks );
	}
#endif
	tasks->running = false;
}
