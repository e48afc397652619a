// check.h - can what the user handed over mean something? If not, the log names the item. Knows defs, makes nothing.
#pragma once

#include "pliant/pliant.h"

// pn_invalidInput, or pn_outOfMemory, because finding doubles takes some.
pnResult pnCheckSolidDef( const pnSolidDef* def );

#define PN_FARTHEST 1e7f // m: beyond it float positions are worth nothing
#define PN_FASTEST 1e6f // m/s

// False, and a word in the log, if something is wrong. index: -1 where the thing is not one of many.
bool pnCheckVec( const char* call, const char* what, int index, pnVec3 v, float limit );
bool pnCheckTransform( const char* call, pnTransform t );
bool pnCheckMaterialOf( const char* call, const pnMaterial* material );
