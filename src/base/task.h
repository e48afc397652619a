// task.h - one primitive: a loop spread over workers. Knows no physics; the only place with atomics and threads.
#pragma once

#include "pliant/base.h"

#include <stdbool.h>

typedef struct pnTasks pnTasks; // workers, ours or the user's

PN_EXPORT pnTasks* pnCreateTasks( const pnTaskSystem* system ); // NULL if there is no memory
PN_EXPORT void pnDestroyTasks( pnTasks* tasks );
PN_EXPORT int pnGetWorkerCount( const pnTasks* tasks );
size_t pnGetTaskBytes( const pnTasks* tasks );

// Calls fcn on half-open ranges that cover [0, count), each of at least minRange items (but the last), from up to workerCount threads.
// worker is in [0, workerCount) and no two calls at one time share it. Returns when all is done. Allocates nothing.
// fcn must write only where its index or its worker points: then the result does not depend on who did what.
typedef void pnRangeFcn( int begin, int end, int worker, void* context );
PN_EXPORT void pnParallelFor( pnTasks* tasks, pnRangeFcn* fcn, int count, int minRange, void* context );
