// govern.h - the energy account of one body: what a step's error put in is taken out again. Knows one body's sums, no world.
#pragma once

#include "body.h"

// Ways to measure a body's particles, over all its blocks and perhaps on several threads.
typedef struct pnMeasures
{
	pnPointRigid ( *rigid )( void* context );
	double ( *deviation )( void* context );
	void* context;
} pnMeasures;

// After pass 1: finds what pass 2 must leave out and fills that part of `step`. `measures` are asked only if energy must go.
void pnGovern( pnBody* body, pnPointStep* step, const pnPointSums* sums, double potential, double given, const pnMeasures* measures );
// After pass 2: books the energies.
void pnBookEnergy( pnBody* body, const pnPointStep* step, const pnPointSums* sums, const pnPointTotals* totals, double potential );
