// sets.h - sets of things that hang together: each names another one of its set, the lowest names itself. Knows no physics.
#pragma once

#include <stdint.h>

static inline int32_t pnFindSet( int32_t* sets, int32_t item )
{
	while ( sets[item] != item )
	{
		sets[item] = sets[sets[item]]; // shortens the way for the next time
		item = sets[item];
	}
	return item;
}

static inline void pnJoinSets( int32_t* sets, int32_t a, int32_t b )
{
	a = pnFindSet( sets, a ), b = pnFindSet( sets, b );
	sets[a > b ? a : b] = a < b ? a : b;
}
