// check.h - can this def be a solid? If not, the log names the item. Knows defs, makes nothing.
#pragma once

#include "pliant/pliant.h"

// pn_invalidInput, or pn_outOfMemory, because finding doubles takes some.
pnResult pnCheckSolidDef( const pnSolidDef* def );
