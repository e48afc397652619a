// blas.h - who works at once: our tasks or the threads of BLAS. Knows no matrices.
#pragma once

#include "../base/task.h"

#include <cblas.h>

// A loop whose items call BLAS. A host that gave BLAS threads of its own gets one item after the other, each on those threads: tasks would wait for each
// other inside BLAS, or there would be tasks times threads of them. With one thread, as with any BLAS that has none, items are spread over our tasks. Nothing
// of the host's is changed.
static inline void pnParallelBlas( pnTasks* tasks, pnRangeFcn* fcn, int count, int minRange, void* context )
{
	if ( tasks == NULL || openblas_get_num_threads() > 1 )
	{
		if ( count > 0 )
		{
			fcn( 0, count, 0, context );
		}
		return;
	}
	pnParallelFor( tasks, fcn, count, minRange, context );
}
