// bulk.c - hard hits. Knows colliders and shapes; no world.
#include "bulk.h"

void pnPushBulk( pnContacts* c )
{
	PN_UNUSED( c );
}
