// bulk.h - hard hits: bodies that meet faster than their surfaces can stop them are stopped as wholes first. Knows colliders and shapes.
#pragma once

#include "contact.h"

bool pnMeetFast( const pnContacts* contacts, const pnPair* pair ); // fast enough for a hard hit
