// crew.h - task systems as a user might write them: threads per task, at once, or only when waited for. Knows no physics.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

#include "pliant/base.h"

#include <pthread.h>
#include <stdlib.h>

typedef enum pnCrewKind
{
	pn_ownPool, // pliant's own threads
	pn_threadCrew, // a new thread for every task: as many at once as can be
	pn_inlineCrew, // runs at once, returns no handle
	pn_lazyCrew, // runs nothing before it is waited for
	pn_crewKindCount,
} pnCrewKind;

typedef struct pnCrewTask
{
	pthread_t thread;
	pnTaskFcn* fcn;
	void* task;
} pnCrewTask;

static inline void* pnCrewMain( void* context )
{
	pnCrewTask* task = (pnCrewTask*)context;
	task->fcn( task->task );
	return NULL;
}

static inline void* pnEnqueueThread( pnTaskFcn* fcn, void* task, void* context )
{
	(void)context;
	pnCrewTask* handle = (pnCrewTask*)malloc( sizeof( pnCrewTask ) );
	handle->fcn = fcn;
	handle->task = task;
	if ( pthread_create( &handle->thread, NULL, pnCrewMain, handle ) != 0 )
	{
		free( handle );
		fcn( task );
		return NULL;
	}
	return handle;
}

static inline void pnFinishThread( void* handle, void* context )
{
	(void)context;
	pthread_join( ( (pnCrewTask*)handle )->thread, NULL );
	free( handle );
}

static inline void* pnEnqueueInline( pnTaskFcn* fcn, void* task, void* context )
{
	(void)context;
	fcn( task );
	return NULL;
}

static inline void pnFinishInline( void* handle, void* context )
{
	// nothing was promised, so nothing may be waited for
	(void)handle;
	(void)context;
	abort();
}

static inline void* pnEnqueueLazy( pnTaskFcn* fcn, void* task, void* context )
{
	(void)context;
	pnCrewTask* handle = (pnCrewTask*)malloc( sizeof( pnCrewTask ) );
	handle->fcn = fcn;
	handle->task = task;
	return handle;
}

static inline void pnFinishLazy( void* handle, void* context )
{
	(void)context;
	pnCrewTask task = *(pnCrewTask*)handle;
	free( handle );
	task.fcn( task.task );
}

static inline pnTaskSystem pnMakeCrew( pnCrewKind kind, int workerCount )
{
	pnTaskSystem system = { 0 };
	system.workerCount = workerCount;
	if ( kind == pn_threadCrew )
	{
		system.enqueue = pnEnqueueThread;
		system.finish = pnFinishThread;
	}
	else if ( kind == pn_inlineCrew )
	{
		system.enqueue = pnEnqueueInline;
		system.finish = pnFinishInline;
	}
	else if ( kind == pn_lazyCrew )
	{
		system.enqueue = pnEnqueueLazy;
		system.finish = pnFinishLazy;
	}
	return system;
}
