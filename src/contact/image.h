// image.h - the contact state as bytes and back: shapes, what is near what, and what each collider remembers between two steps. Knows
// contacts; no world, no bodies, no file. Nothing that a step makes anew is in it.
#pragma once

#include "contact.h"

typedef void pnPutFcn( void* context, const void* data, size_t size );
typedef bool pnTakeFcn( void* context, void* data, size_t size ); // false: so many are not left. data NULL: only asks

// What is wrong with an image, and where; why NULL: cut short, or it makes no sense.
typedef struct pnImageFault { const char *what, *why; int where; bool noMemory; } pnImageFault;

// Shapes alone, as they are and lie, without what the last step did to them: for the hash.
void pnPutShapes( const pnContacts* contacts, pnPutFcn* put, void* context );
void pnPutContacts( const pnContacts* contacts, pnPutFcn* put, void* context );
// Into contacts that have all their colliders, joined to their bodies, and nothing else. Every byte is checked. A distance shape takes its
// function from the shape of the same id among the living ones. False: see the fault; the contacts are fit only to be freed.
bool pnTakeContacts( pnContacts* contacts, const pnContacts* living, pnTakeFcn* take, void* context, pnImageFault* fault );
