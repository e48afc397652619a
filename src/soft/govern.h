// govern.h - the energy account of one body: what a step's error put in is taken out again. Knows one body's sums, no world.
#pragma once

#include "body.h"

// Asks for deviation2 and kick2 of the kick to come, over all particles and perhaps on several threads.
typedef struct pnWeights { void ( *weigh )( void* context, double weights[2] ); void* context; } pnWeights;

// Before the kick: books the error of the last drift and finds the factor that the deviation's velocity keeps. `weights` are asked for
// only if energy must go or the step has changed. Returns 0, or what velocity cannot pay, J per kg: then the body
// should be relaxed by that and matched again before it is kicked.
double pnGovern( pnBody* body, pnPointStep* step, const pnWeights* weights );
// Before a kick that damps: the factor that the deviation's velocity keeps besides. Here the error of the drift before the last is paid for, because
// what damping leaves between the halves of a kick is not known to the particles.
double pnFindKeep( pnBody* body );
// After it: books the energies.
void pnBookEnergy( pnBody* body, const pnPointStep* step, const pnPointTotals* totals );
// A body comes apart: what each piece has of its energy. pieceOf: of each particle of `from`. Pieces may be NULL.
void pnInheritEnergy( const pnBody* from, pnBody* const* pieces, int pieceCount, const int32_t* pieceOf );
