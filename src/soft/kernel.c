// kernel.c - which of the widths this machine runs. Knows no physics.
#include "match.h"

#include <stdlib.h>

size_t pnMatchScratchSize( int maxCount )
{
	return (size_t)maxCount * PN_LANES * 7; // PN_SCRATCH_COLUMNS of gather_wide.h, for the widest
}

#if defined( __x86_64__ )
#define PN_KERNELS { &pn_kernelW16, &pn_kernelW8, &pn_kernelW4, &pn_kernelW1 }
static bool pnRunsHere( const pnKernel* kernel )
{
	__builtin_cpu_init();
	if ( kernel == &pn_kernelW16 )
	{
		return __builtin_cpu_supports( "avx512f" ) && __builtin_cpu_supports( "avx512dq" ) && __builtin_cpu_supports( "avx512vl" ) &&
			   __builtin_cpu_supports( "avx512bw" );
	}
	return kernel != &pn_kernelW8 || __builtin_cpu_supports( "avx2" );
}
#else
#define PN_KERNELS { &pn_kernelW4, &pn_kernelW1 }
static bool pnRunsHere( const pnKernel* kernel )
{
	PN_UNUSED( kernel );
	return true;
}
#endif

const pnKernel* pnChooseKernel( void )
{
	static const pnKernel* const kernels[] = PN_KERNELS;
#if defined( __wasm__ )
	const char* wanted = NULL; // no environment without imports
#else
	const char* wanted = getenv( "PLIANT_SIMD" );
#endif
	const pnKernel* widest = NULL;
	for ( int i = 0; i < PN_COUNT( kernels ); ++i )
	{
		if ( !pnRunsHere( kernels[i] ) )
		{
			continue;
		}
		if ( wanted != NULL && strcmp( wanted, kernels[i]->name ) == 0 )
		{
			return kernels[i];
		}
		widest = widest != NULL ? widest : kernels[i];
	}
	if ( wanted != NULL )
	{
		pnLog( "PLIANT_SIMD is '%s', which is unknown or not on this machine: %s is used", wanted, widest->name );
	}
	return widest;
}
