// base.h - what every room shares: results, hooks, tasks. Knows no physics.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

#include <stddef.h>
#include <stdint.h>

#define PLIANT_VERSION_MAJOR 0
#define PLIANT_VERSION_MINOR 1
#define PLIANT_VERSION_PATCH 0

#if defined( _WIN32 ) && defined( PLIANT_SHARED )
#ifdef PLIANT_EXPORTS
#define PN_EXPORT __declspec( dllexport )
#else
#define PN_EXPORT __declspec( dllimport )
#endif
#elif defined( PLIANT_SHARED ) && defined( __GNUC__ )
#define PN_EXPORT __attribute__( ( visibility( "default" ) ) )
#else
#define PN_EXPORT
#endif

#ifdef __cplusplus
#define PN_API extern "C" PN_EXPORT
#else
#define PN_API PN_EXPORT
#endif

// What a call came to. Negative: nothing was changed, and the log says what is wrong and where.
// Positive: an answer was written, but it is weaker than asked.
typedef enum pnResult
{
	pn_weakAnswer = 1, // there is an answer; the numbers that come with it say what speaks against it
	pn_success = 0,
	pn_invalidInput = -1, // the data cannot mean a solid, a body or a problem
	pn_outOfMemory = -2,
	pn_badImage = -3, // not a snapshot of ours, another version, cut short or altered
	pn_notFound = -4, // the id or the index names nothing that is there
	pn_givenUp = -5, // the caller's progress function asked for it
} pnResult;

// One short sentence in plain words, never NULL. Lives for ever.
PN_API const char* pnResultText( pnResult result );

// Must return memory of that alignment (a power of two) or NULL; size is never 0.
typedef void* pnAllocFcn( size_t size, size_t alignment );
typedef void pnFreeFcn( void* memory, size_t size );
// Called when the library finds a bug in itself or in its use; nonzero breaks into the debugger.
typedef int pnAssertFcn( const char* condition, const char* file, int line );
typedef void pnLogFcn( const char* message );

// Hooks are for the whole process: set them before anything is made. NULL brings the default back.
PN_API void pnSetAllocator( pnAllocFcn* alloc, pnFreeFcn* free );
PN_API void pnSetAssertFcn( pnAssertFcn* fcn ); // by default: aborts in builds with asserts
PN_API void pnSetLogFcn( pnLogFcn* fcn ); // by default: nothing is said
PN_API int64_t pnGetByteCount( void ); // bytes held now; zero again once all that was made has been destroyed

// How the work of a step is spread over threads. All zero: everything on the calling thread.
// workerCount > 1 without functions: pliant's own threads. The results have the same bits either way.
typedef void pnTaskFcn( void* task );
typedef struct pnTaskSystem
{
	int workerCount; // threads that may work at once, the caller included; up to 64
	void* ( *enqueue )( pnTaskFcn* fcn, void* task, void* context ); // runs fcn( task ) some time; returns a handle, or NULL if it ran at once
	void ( *finish )( void* handle, void* context ); // waits for what enqueue returned
	void* context;
} pnTaskSystem;
