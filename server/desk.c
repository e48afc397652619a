// desk.c - a visitor's messages: who enters, what is asked for, what goes out next. Commands are in intake.c. Knows no sockets.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "desk.h"

#include "intake.h"
#include "tick.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum
{
	PN_PIECE = 48 << 10, // bytes of an image sent at once
	PN_MAX_DIFFERS = 8,
	PN_KEPT_DIFFERS = 4, // logs kept of a room, so that what differed can be looked into
};

static const double pnImagePause = 8.0; // s

// ---- entering, leaving ----

static pnVisitor* pnFindVisitor( const pnHosted* hosted, uint32_t owner )
{
	pnVisitor* visitor = hosted->visitors;
	while ( visitor != NULL && ( visitor->owner != owner || visitor->isGone ) )
	{
		visitor = visitor->next;
	}
	return visitor;
}

// Who has been here longest has the lowest number, and keeps it by a key.
static bool pnIsHost( const pnHosted* hosted, const pnVisitor* one )
{
	bool isHost = one->looksOn == false;
	for ( const pnVisitor* visitor = hosted->visitors; visitor != NULL; visitor = visitor->next )
	{
		isHost = isHost && ( visitor->isGone || visitor->looksOn || visitor->owner >= one->owner );
	}
	return isHost;
}

static uint32_t pnGetFlags( const pnHosted* hosted, const pnVisitor* visitor )
{
	return hosted->flags | hosted->facts.flags | ( pnIsHost( hosted, visitor ) ? PN_HOST_FLAG : 0 ) | ( visitor->looksOn ? PN_LOOKS_ON_FLAG : 0 );
}

static uint32_t pnDrawOwner( pnHosted* hosted )
{
	uint32_t owner = hosted->facts.nextOwner;
	while ( owner > PN_MAX_TICK_OWNER || pnFindVisitor( hosted, owner ) != NULL )
	{
		owner = owner >= PN_MAX_TICK_OWNER ? PN_FIRST_OWNER : owner + 1;
	}
	hosted->facts.nextOwner = owner + 1;
	return owner;
}

static void pnLetGo( pnHosted* hosted, uint32_t owner )
{
	char* text = hosted->inboxCount < PN_MAX_INBOX ? malloc( 32 ) : NULL;
	if ( text != NULL )
	{
		int length = snprintf( text, 32, "letgo %u", owner );
		hosted->inbox[hosted->inboxCount++] = ( pnEntry ){ .sender = owner, .owner = owner, .text = text, .length = (size_t)length };
	}
}

pnEntering pnEnter( pnHosted* hosted, pnVisitor* visitor, const pnMessage* hello, uint32_t owner, pnGoodbye* reason, char why[224] )
{
	pthread_mutex_lock( &hosted->lock );
	pnEntering entering = hosted->state == pn_openState ? pn_enteredNow : hosted->state == pn_brokenState ? pn_enterNever : pn_enterLater;
	*reason = pn_closedGoodbye;
	snprintf( why, 224, "%s", entering == pn_enterNever ? hosted->why : "it takes too long to open" ); // while it is being opened, why is its thread's
	if ( entering == pn_enteredNow && hosted->visitorCount >= hosted->house->visitorsPerRoom )
	{
		entering = pn_enterNever;
		*reason = pn_fullGoodbye;
		snprintf( why, 224, "the room is full" );
	}
	if ( entering == pn_enteredNow )
	{
		pnVisitor* ghost = owner != 0 ? pnFindVisitor( hosted, owner ) : NULL;
		if ( ghost != NULL )
		{
			// Its line is dead and nobody has noticed yet, or it is open twice: who came last is who it is. What the other one held is let go.
			ghost->owner = pnDrawOwner( hosted );
			pnSayGoodbye( ghost, pn_removedGoodbye, "you are here from elsewhere now" );
			pnLetGo( hosted, owner );
		}
		visitor->owner = owner >= PN_FIRST_OWNER ? owner : pnDrawOwner( hosted );
		hosted->facts.nextOwner = hosted->facts.nextOwner > visitor->owner ? hosted->facts.nextOwner : visitor->owner + 1;
		visitor->hosted = hosted;
		visitor->color = hello->color;
		visitor->mode = (pnSeeing)hello->mode;
		visitor->looksOn = ( hello->flags & 1 ) != 0;
		memcpy( visitor->name, hello->name, sizeof( visitor->name ) );
		pnBeginWatching( visitor );
		visitor->next = hosted->visitors;
		hosted->visitors = visitor;
		hosted->visitorCount += 1;
		hosted->peopleSerial += 1;
		hosted->stateSerial += 1;
		hosted->needsService = true;
		// One who was away for a moment goes on where it was, if what happened since is still there.
		for ( uint64_t serial = hosted->firstTick; serial < hosted->nextTick && hello->step > 0; ++serial )
		{
			const pnTick* tick = hosted->ticks + serial % PN_MAX_TICKS;
			if ( tick->step == hello->step )
			{
				// Of those that make no step nobody knows how many it has applied: it needs an image then.
				visitor->tickSerial = tick->steps > 0 ? serial : 0;
				visitor->knownStep = hello->step;
				break;
			}
		}
		visitor->wantsImage = visitor->mode == pn_lockstepSeeing && visitor->tickSerial == 0;
		atomic_fetch_add( &hosted->house->joined, 1 );
	}
	pthread_mutex_unlock( &hosted->lock );
	return entering;
}

void pnWelcomeVisitor( pnVisitor* visitor, const char* key, const char* lookOnToken )
{
	pnHosted* hosted = visitor->hosted;
	pthread_mutex_lock( &hosted->lock );
	size_t begin = pnBeginWaiting( visitor );
	pnPutWelcome( &visitor->waiting, &( pnWelcome ){
										 .owner = visitor->owner,
										 .flags = pnGetFlags( hosted, visitor ),
										 .step = hosted->step,
										 .hashEvery = PN_HASH_EVERY,
										 .rate = hosted->rate,
										 .room = hosted->name,
										 .key = key,
										 .lookOnToken = lookOnToken,
									 } );
	pnEndWaiting( visitor, begin );
	visitor->stateSerial = hosted->stateSerial;
	pthread_mutex_unlock( &hosted->lock );
}

void pnLeave( pnVisitor* visitor )
{
	pnHosted* hosted = visitor->hosted;
	pthread_mutex_lock( &hosted->lock );
	visitor->isGone = true;
	visitor->session = NULL;
	hosted->peopleSerial += 1;
	hosted->stateSerial += 1; // there may be another host
	hosted->needsService = true;
	pthread_mutex_unlock( &hosted->lock );
}

// ---- hashes ----

void pnJudgeClaim( pnVisitor* visitor, pnClaim claim, uint64_t hash )
{
	pnHosted* hosted = visitor->hosted;
	atomic_fetch_add( &hosted->house->compared, 1 );
	if ( claim.hash == hash || visitor->isGone )
	{
		visitor->knownStep = claim.step > visitor->knownStep ? claim.step : visitor->knownStep;
		return;
	}
	unsigned long long count = atomic_fetch_add( &hosted->house->differs, 1 );
	fprintf( stderr, "pliant serve: room %s, scene %s, step %u: visitor %u has hash 0x%016" PRIx64 " instead of 0x%016" PRIx64 "\n", hosted->name, hosted->scene,
			 claim.step, visitor->owner, claim.hash, hash );
	if ( hosted->path[0] != 0 && count < PN_KEPT_DIFFERS )
	{
		char kept[sizeof( hosted->path ) + 32];
		snprintf( kept, sizeof( kept ), "%s.differs-%u", hosted->path, claim.step );
		if ( link( hosted->path, kept ) != 0 )
		{
			fprintf( stderr, "pliant serve: the log of room %s could not be kept\n", hosted->name );
		}
	}
	size_t begin = pnBeginWaiting( visitor );
	pnPutDiffers( &visitor->waiting, claim.step, hash, claim.hash );
	pnEndWaiting( visitor, begin );
	visitor->differCount += 1;
	visitor->wantsImage = true;
	visitor->imageSerial = hosted->nextTick;
	visitor->tickSerial = 0;
	hosted->needsService = true;
	if ( visitor->differCount > PN_MAX_DIFFERS )
	{
		pnSayGoodbye( visitor, pn_nonsenseGoodbye, "your room comes to another hash each time" );
	}
}

static void pnTakeHash( pnVisitor* visitor, const pnMessage* message )
{
	pnHosted* hosted = visitor->hosted;
	pnClaim claim = { message->step, message->hash };
	if ( visitor->mode != pn_lockstepSeeing || visitor->tickSerial == 0 || claim.step % PN_HASH_EVERY != 0 )
	{
		return; // of a room that is no more
	}
	for ( int i = 0; i < PN_HASH_COUNT && i < hosted->hashCount; ++i )
	{
		if ( hosted->hashes[i].step == claim.step )
		{
			pnJudgeClaim( visitor, claim, hosted->hashes[i].hash );
			return;
		}
	}
	// A visitor may be faster than the server, which tells a step before it makes it.
	if ( claim.step > hosted->step && claim.step <= hosted->step + 2 * PN_HASH_EVERY && visitor->claimCount < PN_MAX_CLAIMS )
	{
		visitor->claims[visitor->claimCount++] = claim;
	}
}

// ---- messages in ----

static void pnTakeMode( pnVisitor* visitor, const pnMessage* message, double now )
{
	pnSeeing mode = (pnSeeing)message->mode;
	if ( mode == visitor->mode && (pnShading)message->shading == visitor->shading )
	{
		return;
	}
	if ( pnSpendBudget( visitor, pn_modesBudget, 1.0f, now ) == false )
	{
		size_t begin = pnBeginWaiting( visitor );
		pnPutNotice( &visitor->waiting, true, "not so often" );
		pnEndWaiting( visitor, begin );
		return;
	}
	visitor->shading = (pnShading)message->shading;
	if ( mode != visitor->mode )
	{
		pnSetSeeing( visitor, mode );
	}
	else
	{
		pnBeginWatching( visitor ); // in lockstep it has no meaning
	}
}

static void pnTakeAct( pnVisitor* visitor, const pnMessage* message )
{
	pnHosted* hosted = visitor->hosted;
	if ( pnIsHost( hosted, visitor ) == false )
	{
		size_t begin = pnBeginWaiting( visitor );
		pnPutNotice( &visitor->waiting, true, "only the host can do that" );
		pnEndWaiting( visitor, begin );
		return;
	}
	uint32_t* flags = &hosted->facts.flags;
	switch ( (pnHostAct)message->act )
	{
	case pn_lockSceneAct:
		*flags |= PN_SCENE_LOCKED_FLAG;
		break;
	case pn_openSceneAct:
		*flags &= ~(uint32_t)PN_SCENE_LOCKED_FLAG;
		break;
	case pn_lockMaterialsAct:
		*flags |= PN_MATERIALS_LOCKED_FLAG;
		break;
	case pn_openMaterialsAct:
		*flags &= ~(uint32_t)PN_MATERIALS_LOCKED_FLAG;
		break;
	case pn_freezeAct:
		*flags |= PN_FROZEN_FLAG;
		break;
	case pn_goOnAct:
		*flags &= ~(uint32_t)PN_FROZEN_FLAG;
		break;
	case pn_removeAct:
	{
		pnVisitor* other = pnFindVisitor( hosted, message->owner );
		if ( other != NULL && other != visitor )
		{
			pnSayGoodbye( other, pn_removedGoodbye, "the host has asked you to leave" );
		}
		break;
	}
	}
	hosted->flags = ( hosted->flags & PN_NO_DISK_FLAG ) | *flags;
	hosted->stateSerial += 1;
	hosted->needsService = true;
}

void pnSetSeeing( pnVisitor* visitor, pnSeeing mode )
{
	visitor->mode = mode;
	visitor->wantsImage = mode == pn_lockstepSeeing;
	pnReleaseImage( visitor->image );
	visitor->image = NULL;
	visitor->tickSerial = 0;
	visitor->claimCount = 0;
	pnBeginWatching( visitor );
	visitor->hosted->peopleSerial += 1;
	visitor->hosted->needsService = true;
}

void pnTakeMessage( pnVisitor* visitor, const pnMessage* message, double now )
{
	pnHosted* hosted = visitor->hosted;
	if ( message->kind == pn_commandsMessage )
	{
		pnTakeCommands( visitor, message, now );
		return;
	}
	pthread_mutex_lock( &hosted->lock );
	switch ( message->kind )
	{
	case pn_hashMessage:
		pnTakeHash( visitor, message );
		break;
	case pn_cursorMessage:
		if ( visitor->looksOn == false && pnSpendBudget( visitor, pn_cursorsBudget, 1.0f, now ) )
		{
			visitor->cursor = ( pnCursor ){ visitor->owner, message->flags != 0, message->place };
			visitor->cursorMoved = ++hosted->cursorSerial;
			hosted->needsService = true;
		}
		break;
	case pn_readyMessage:
		if ( message->number - visitor->framesDrawn <= visitor->framesMade - visitor->framesDrawn )
		{
			visitor->framesDrawn = message->number;
		}
		break;
	case pn_modeMessage:
		pnTakeMode( visitor, message, now );
		break;
	case pn_actMessage:
		pnTakeAct( visitor, message );
		break;
	case pn_pingMessage:
	{
		size_t begin = pnBeginWaiting( visitor );
		pnPutPong( &visitor->waiting, message->number, hosted->step );
		pnEndWaiting( visitor, begin );
		break;
	}
	case pn_againMessage:
		if ( visitor->mode == pn_streamSeeing && pnSpendBudget( visitor, pn_imagesBudget, 1.0f, now ) )
		{
			pnBeginWatching( visitor );
		}
		else if ( visitor->mode == pn_lockstepSeeing )
		{
			// Who asks over and over waits, and is not turned away: it cannot go on without.
			visitor->imageTime = pnSpendBudget( visitor, pn_imagesBudget, 1.0f, now ) ? now : now + pnImagePause;
			visitor->wantsImage = true;
			visitor->imageSerial = hosted->nextTick;
			visitor->tickSerial = 0;
		}
		break;
	case pn_personMessage:
		visitor->color = message->color;
		memcpy( visitor->name, message->name, sizeof( visitor->name ) );
		hosted->peopleSerial += 1;
		hosted->needsService = true;
		break;
	default:
		break;
	}
	pthread_mutex_unlock( &hosted->lock );
}

// ---- messages out ----

static void pnPutEverybody( pnVisitor* visitor, pnBytes* bytes )
{
	pnHosted* hosted = visitor->hosted;
	pnPerson* people = malloc( ( (size_t)hosted->visitorCount + 1 ) * sizeof( pnPerson ) );
	int count = 0;
	for ( const pnVisitor* one = hosted->visitors; one != NULL && people != NULL; one = one->next )
	{
		if ( one->isGone )
		{
			continue;
		}
		pnPerson* person = people + count++;
		bool isLate = one->mode == pn_lockstepSeeing && hosted->step > one->knownStep + 2 * PN_HASH_EVERY;
		*person = ( pnPerson ){ .owner = one->owner, .color = one->color, .behind = isLate ? hosted->step - one->knownStep : 0 };
		person->flags = ( pnIsHost( hosted, one ) ? 1 : 0 ) | ( one->looksOn ? 2 : 0 ) | ( one->mode == pn_streamSeeing ? 4 : 0 );
		memcpy( person->name, one->name, sizeof( person->name ) );
	}
	pnPutPeople( bytes, people, count );
	free( people );
}

static bool pnPutMovedCursors( pnVisitor* visitor, pnBytes* bytes )
{
	enum { most = 64 };
	pnCursor cursors[most];
	int count = 0;
	for ( const pnVisitor* one = visitor->hosted->visitors; one != NULL && count < most; one = one->next )
	{
		if ( one != visitor && one->isGone == false && one->cursorMoved > visitor->cursorSerial )
		{
			cursors[count++] = one->cursor;
		}
	}
	if ( count > 0 )
	{
		pnPutCursors( bytes, cursors, count );
	}
	return count > 0;
}

static bool pnPutNextTick( pnVisitor* visitor, pnBytes* bytes )
{
	pnHosted* hosted = visitor->hosted;
	if ( visitor->tickSerial == 0 || visitor->tickSerial >= hosted->nextTick || visitor->wantsImage )
	{
		return false;
	}
	if ( visitor->tickSerial < hosted->firstTick )
	{
		// So far behind that it begins anew; if it cannot follow then either, it watches.
		visitor->differCount += 1;
		if ( visitor->differCount > 2 )
		{
			size_t begin = pnBeginWaiting( visitor );
			pnPutNotice( &visitor->waiting, false, "your machine or line does not keep up: you are watching now" );
			pnEndWaiting( visitor, begin );
			pnSetSeeing( visitor, pn_streamSeeing );
			return false;
		}
		visitor->wantsImage = true;
		visitor->tickSerial = 0;
		return false;
	}
	const pnTick* tick = hosted->ticks + visitor->tickSerial % PN_MAX_TICKS;
	pnPutWord( bytes, pn_tickReply );
	pnPutBytes( bytes, tick->data, tick->size );
	visitor->tickSerial += 1;
	return true;
}

static void pnPutPiece( pnVisitor* visitor, pnBytes* bytes )
{
	pnSharedImage* image = visitor->image;
	size_t left = image->size - visitor->imageAt, size = left < PN_PIECE ? left : PN_PIECE;
	pnPutImagePiece( bytes, image->step, image->size, visitor->imageAt, image->data + visitor->imageAt, size );
	visitor->imageAt += size;
	if ( visitor->imageAt == image->size )
	{
		visitor->tickSerial = image->tickSerial;
		visitor->image = NULL;
		pnReleaseImage( image );
	}
}

static pnOutgo pnPutNext( pnVisitor* visitor, pnBytes* bytes, double now )
{
	pnHosted* hosted = visitor->hosted;
	pnBytes* waiting = &visitor->waiting;
	if ( visitor->waitingAt < waiting->size && waiting->failed == false )
	{
		uint32_t length;
		memcpy( &length, waiting->data + visitor->waitingAt, sizeof( length ) );
		pnPutBytes( bytes, waiting->data + visitor->waitingAt + 4, length );
		visitor->waitingAt += 4 + length;
		return pn_toSend;
	}
	if ( visitor->goodbye != 0 )
	{
		pnPutGoodbye( bytes, visitor->goodbye, visitor->goodbyeText );
		return pn_lastToSend;
	}
	if ( visitor->stateSerial < hosted->stateSerial )
	{
		visitor->stateSerial = hosted->stateSerial;
		pnPutState( bytes, pnGetFlags( hosted, visitor ), hosted->rate );
		return pn_toSend;
	}
	if ( visitor->peopleSerial < hosted->peopleSerial )
	{
		visitor->peopleSerial = hosted->peopleSerial;
		pnPutEverybody( visitor, bytes );
		return pn_toSend;
	}
	if ( visitor->image != NULL )
	{
		pnPutPiece( visitor, bytes );
		return pn_toSend;
	}
	if ( pnPutNextTick( visitor, bytes ) )
	{
		return pn_toSend;
	}
	if ( visitor->cursorSerial < hosted->cursorSerial && now - visitor->cursorTime > 0.1 )
	{
		bool any = pnPutMovedCursors( visitor, bytes );
		visitor->cursorSerial = hosted->cursorSerial;
		visitor->cursorTime = now;
		return any ? pn_toSend : pn_nothingToSend;
	}
	return pn_nothingToSend;
}

pnOutgo pnNextOutgoing( pnVisitor* visitor, pnBytes* bytes, double now )
{
	pthread_mutex_lock( &visitor->hosted->lock );
	pnOutgo outgo = pnPutNext( visitor, bytes, now );
	pthread_mutex_unlock( &visitor->hosted->lock );
	if ( outgo == pn_nothingToSend && pnPutNextFrame( visitor, bytes, now ) )
	{
		outgo = pn_toSend;
	}
	return bytes->failed ? pn_lastToSend : outgo;
}
