// visitor.c - one who is in a room: budgets, and what waits to be sent. Knows no sockets.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "visitor.h"

#include <stdlib.h>
#include <string.h>

// What one person may do, a second and at once. Hands at work need 60 moves a second each and a few deeds; the rest is room for pages that were
// away for a moment. The worlds that deeds keep, and the solids that are made, are what costs the others time.
static const struct
{
	float rate, most;
} pnBudgets[pn_budgetCount] = {
	[pn_linesBudget] = { 300.0f, 600.0f },
	[pn_deedsBudget] = { 8.0f, 24.0f },
	[pn_cutsBudget] = { 3.0f, 8.0f },
	[pn_spawnsBudget] = { 4.0f, 16.0f },
	[pn_loadsBudget] = { 0.5f, 4.0f },
	[pn_verticesBudget] = { 1000.0f, 150000.0f }, // points and triangles: the largest solid at once, then one in two and a half minutes
	[pn_asksBudget] = { 30.0f, 60.0f },
	[pn_cursorsBudget] = { 20.0f, 40.0f },
	[pn_modesBudget] = { 1.0f, 4.0f },
	[pn_imagesBudget] = { 8.0f / 60.0f, 8.0f },
	[pn_bytesBudget] = { 128e3f, 10e6f },
	[pn_messagesBudget] = { 400.0f, 1200.0f },
};

pnVisitor* pnCreateVisitor( void* session, double now )
{
	pnVisitor* visitor = calloc( 1, sizeof( pnVisitor ) );
	if ( visitor != NULL )
	{
		visitor->session = session;
		visitor->joinTime = now;
		for ( int i = 0; i < pn_budgetCount; ++i )
		{
			visitor->budgets[i] = ( pnBudget ){ pnBudgets[i].most, now };
		}
	}
	return visitor;
}

void pnReleaseImage( pnSharedImage* image )
{
	if ( image != NULL && atomic_fetch_sub( &image->users, 1 ) == 1 )
	{
		free( image->data );
		free( image );
	}
}

void pnDestroyVisitor( pnVisitor* visitor )
{
	if ( visitor != NULL )
	{
		pnReleaseImage( visitor->image );
		free( visitor->waiting.data );
		free( visitor );
	}
}

bool pnSpendBudget( pnVisitor* visitor, pnBudgetKind kind, float amount, double now )
{
	pnBudget* budget = visitor->budgets + kind;
	float left = budget->left + (float)( now - budget->time ) * pnBudgets[kind].rate;
	budget->left = left < pnBudgets[kind].most ? left : pnBudgets[kind].most;
	budget->time = now;
	if ( budget->left < amount )
	{
		return false;
	}
	budget->left -= amount;
	return true;
}

size_t pnBeginWaiting( pnVisitor* visitor )
{
	pnBytes* bytes = &visitor->waiting;
	if ( visitor->waitingAt == bytes->size )
	{
		bytes->size = 0;
		visitor->waitingAt = 0;
	}
	size_t begin = bytes->size;
	pnPutWord( bytes, 0 );
	return begin;
}

void pnEndWaiting( pnVisitor* visitor, size_t begin )
{
	pnBytes* bytes = &visitor->waiting;
	if ( bytes->failed == false )
	{
		uint32_t length = (uint32_t)( bytes->size - begin - 4 );
		memcpy( bytes->data + begin, &length, sizeof( length ) );
	}
	if ( bytes->failed || bytes->size - visitor->waitingAt > PN_MAX_WAITING )
	{
		pnSayGoodbye( visitor, pn_slowGoodbye, "too much waits to be sent to you" );
	}
}

void pnSayGoodbye( pnVisitor* visitor, pnGoodbye reason, const char* text )
{
	if ( visitor->goodbye == 0 )
	{
		visitor->goodbye = reason;
		size_t length = strlen( text );
		length = length < sizeof( visitor->goodbyeText ) - 1 ? length : sizeof( visitor->goodbyeText ) - 1;
		memcpy( visitor->goodbyeText, text, length );
		visitor->goodbyeText[length] = 0;
	}
}
