// hosted.c - a room that is open for visitors: its thread, round by round. Knows no sockets.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "hosted.h"

#include "desk.h"
#include "shelf.h"
#include "tick.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const double pnActiveSeconds = 0.5; // after a command each step is told at once
static const double pnQuietHertz = 20.0; // else so often: 52 bytes of TCP and IP and 14 of ours each are 1.3 kB/s
static const double pnLagSeconds = 0.25; // a server that is later than this lets time run slower instead of hurrying
static const double pnPeopleSeconds = 5.0;
static const double pnShareSeconds = 1.0; // an image for visitors is used again for so long
static const double pnImageSeconds = 0.25; // and another one, for those whom it does not help, is made so long after it
static const double pnHeavyShare = 0.25; // of a period may go to heavy commands; one is always done

static void pnTurn( pnHosted* hosted, pnWork work )
{
	pnTurnTo( &hosted->meter, &hosted->house->work, work );
}

static void pnWakeSockets( pnHosted* hosted )
{
	hosted->house->wake( hosted->house->wakeContext );
}

static void pnDropTick( pnHosted* hosted )
{
	pnTick* tick = hosted->ticks + hosted->firstTick % PN_MAX_TICKS;
	hosted->tickBytes -= tick->size;
	free( tick->data );
	*tick = ( pnTick ){ 0 };
	hosted->firstTick += 1;
}

// Writes it down and tells it. The bytes are taken over. False: the room has to end before it could be written down.
static bool pnPublish( pnHosted* hosted, pnBytes* bytes )
{
	pnWork before = hosted->meter.work;
	pnTurn( hosted, pn_logWork );
	while ( hosted->journal.fd1 > 0 && pnAppendRecord( &hosted->journal, pn_tickRecord, bytes->data, bytes->size ) == false )
	{
		// What cannot be written down does not happen.
		atomic_fetch_add( &hosted->house->diskFaults, 1 );
		pthread_mutex_lock( &hosted->lock );
		if ( ( hosted->flags & PN_NO_DISK_FLAG ) == 0 )
		{
			fprintf( stderr, "pliant serve: room %s waits: its log cannot be written: %s\n", hosted->name, strerror( errno ) );
			hosted->flags |= PN_NO_DISK_FLAG;
			hosted->stateSerial += 1;
			hosted->needsService = true;
		}
		bool mustEnd = hosted->mustEnd;
		pthread_mutex_unlock( &hosted->lock );
		pnWakeSockets( hosted );
		if ( mustEnd )
		{
			return false;
		}
		nanosleep( &( struct timespec ){ .tv_nsec = 200000000 }, NULL );
	}
	pnTurn( hosted, before );
	pthread_mutex_lock( &hosted->lock );
	if ( hosted->flags & PN_NO_DISK_FLAG )
	{
		hosted->flags &= ~(uint32_t)PN_NO_DISK_FLAG;
		hosted->stateSerial += 1;
	}
	while ( hosted->nextTick - hosted->firstTick >= PN_MAX_TICKS ||
			( hosted->firstTick < hosted->nextTick && hosted->tickBytes + bytes->size > PN_MAX_TICK_BYTES ) )
	{
		pnDropTick( hosted );
	}
	// Most have 8 bytes, and the buffer that they were written into over 1,000: thousands of them are kept.
	uint8_t* fitting = realloc( bytes->data, bytes->size );
	pnTick* tick = hosted->ticks + hosted->nextTick % PN_MAX_TICKS;
	*tick = ( pnTick ){ .data = fitting != NULL ? fitting : bytes->data, .size = bytes->size };
	pnReadTickHead( tick->data, tick->size, &tick->step, &tick->steps );
	hosted->nextTick += 1;
	hosted->tickBytes += bytes->size;
	hosted->needsSync = hosted->journal.fd1 > 0;
	hosted->needsService = true;
	pthread_mutex_unlock( &hosted->lock );
	*bytes = ( pnBytes ){ 0 };
	pnWakeSockets( hosted );
	return true;
}

// The steps that were made in silence.
static bool pnPublishQuiet( pnHosted* hosted )
{
	uint32_t step = pnRoom_GetStep( hosted->room );
	if ( step == hosted->publishedStep )
	{
		return true;
	}
	pnBytes bytes = { 0 };
	pnBeginTick( &bytes, hosted->publishedStep, step - hosted->publishedStep );
	bool good = bytes.failed == false && pnPublish( hosted, &bytes );
	free( bytes.data );
	hosted->publishedStep = good ? step : hosted->publishedStep;
	return good;
}

// ---- one round ----

static void pnCompareClaims( pnHosted* hosted, uint32_t step, uint64_t hash )
{
	for ( pnVisitor* visitor = hosted->visitors; visitor != NULL; visitor = visitor->next )
	{
		for ( int i = 0; i < visitor->claimCount; ++i )
		{
			if ( visitor->claims[i].step == step )
			{
				pnJudgeClaim( visitor, visitor->claims[i], hash );
				visitor->claims[i] = visitor->claims[--visitor->claimCount];
				i -= 1;
			}
		}
	}
}

static void pnKeepHash( pnHosted* hosted )
{
	uint32_t step = pnRoom_GetStep( hosted->room );
	if ( step % PN_HASH_EVERY != 0 )
	{
		return;
	}
	uint64_t hash = pnRoom_GetHash( hosted->room );
	pnWorld* world = pnRoom_GetWorld( hosted->room );
	int bodyCount = pnWorld_GetBodies( world, NULL, 0 ), pointCount = 0;
	pnBodyId* bodies = malloc( ( (size_t)bodyCount + 1 ) * sizeof( pnBodyId ) );
	for ( int i = 0, count = bodies != NULL ? pnWorld_GetBodies( world, bodies, bodyCount ) : 0; i < count; ++i )
	{
		pointCount += pnSolid_GetInfo( pnBody_GetSolid( world, bodies[i] ) ).pointCount;
	}
	free( bodies );
	pthread_mutex_lock( &hosted->lock );
	int slot = hosted->hashCount++ % PN_HASH_COUNT;
	hosted->hashes[slot].step = step;
	hosted->hashes[slot].hash = hash;
	hosted->bodyCount = bodyCount;
	hosted->pointCount = pointCount;
	hosted->isFull = pointCount > PN_MAX_WORLD_POINTS;
	pnCompareClaims( hosted, step, hash );
	pthread_mutex_unlock( &hosted->lock );
	if ( hosted->journal.fd1 > 0 )
	{
		pnAppendHash( &hosted->journal, step, hash ); // one that does not fit on the disk is not missed
	}
}

// What waits is applied, then steps are made.
static void pnMakeStep( pnHosted* hosted, int steps, int heavyCount )
{
	pnTurn( hosted, pn_stepWork );
	double begin = pnGetSteadyTime();
	pnRoom_Advance( hosted->room, 0 );
	double applied = pnGetSteadyTime();
	pnRoom_Advance( hosted->room, steps );
	hosted->meanSeconds += 0.05 * ( pnGetSteadyTime() - applied - hosted->meanSeconds );
	hosted->heavySeconds += heavyCount > 0 ? 0.2 * ( ( applied - begin ) / heavyCount - hosted->heavySeconds ) : 0.0;
	if ( steps > 0 )
	{
		pnKeepHash( hosted );
	}
	pnTurn( hosted, pn_tellWork );
	atomic_fetch_add( &hosted->house->steps, (unsigned long long)steps );
}

// What came in, but of heavy commands one of each sender, and no more than there is time for: the rest waits for the next rounds, in the sender's order.
static int pnTakeInbox( pnHosted* hosted )
{
	pnEntry* entries = hosted->taken;
	enum { size = PN_MAX_TICK_OWNER / 8 + 1 };
	uint8_t waits[size] = { 0 }, hasHeavy[size] = { 0 }; // a bit for each sender
	double most = pnHeavyShare / ( (double)hosted->rate * ( hosted->heavySeconds > 0.0 ? hosted->heavySeconds : 1e-6 ) );
	int count = 0, heavyCount = 0, kept = 0;
	size_t keptBytes = 0;
	for ( int i = 0; i < hosted->inboxCount; ++i )
	{
		const pnEntry* entry = hosted->inbox + i;
		uint32_t at = entry->sender / 8;
		uint8_t bit = (uint8_t)( 1 << entry->sender % 8 );
		bool isTooMuch = entry->isHeavy && ( ( hasHeavy[at] & bit ) != 0 || ( heavyCount > 0 && heavyCount + 1 > most ) );
		if ( isTooMuch || ( waits[at] & bit ) != 0 )
		{
			waits[at] |= bit;
			keptBytes += entry->length;
			hosted->inbox[kept++] = *entry;
			continue;
		}
		hasHeavy[at] |= entry->isHeavy ? bit : 0;
		heavyCount += entry->isHeavy ? 1 : 0;
		entries[count++] = *entry;
	}
	hosted->inboxCount = kept;
	hosted->inboxBytes = keptBytes;
	return count;
}

// Takes what came in, and lets the hands of those who left go.
static int pnCollect( pnHosted* hosted, bool* isFrozen )
{
	pthread_mutex_lock( &hosted->lock );
	for ( pnVisitor** link = &hosted->visitors; *link != NULL; )
	{
		pnVisitor* visitor = *link;
		bool canLetGo = visitor->looksOn || hosted->inboxCount < PN_MAX_INBOX;
		if ( visitor->isGone == false || canLetGo == false )
		{
			link = &visitor->next;
			continue;
		}
		char* text = visitor->looksOn == false ? malloc( 32 ) : NULL;
		if ( text != NULL )
		{
			int length = snprintf( text, 32, "letgo %u", visitor->owner );
			hosted->inbox[hosted->inboxCount++] = ( pnEntry ){ .sender = visitor->owner, .owner = visitor->owner, .text = text, .length = (size_t)length };
		}
		*link = visitor->next;
		hosted->visitorCount -= 1;
		hosted->peopleSerial += 1;
		hosted->needsService = true;
		pnDestroyVisitor( visitor );
	}
	int count = pnTakeInbox( hosted );
	*isFrozen = ( hosted->facts.flags & PN_FROZEN_FLAG ) != 0;
	pthread_mutex_unlock( &hosted->lock );
	return count;
}

static bool pnWriteFacts( pnHosted* hosted )
{
	pthread_mutex_lock( &hosted->lock );
	pnRoomFacts facts = hosted->facts;
	pthread_mutex_unlock( &hosted->lock );
	if ( memcmp( &facts, &hosted->writtenFacts, sizeof( facts ) ) != 0 && hosted->journal.fd1 > 0 && pnAppendFacts( &hosted->journal, &facts ) )
	{
		hosted->writtenFacts = facts;
	}
	return true;
}

// Orders, writes down, tells, then steps. False: it could not be written down and the room has to end.
static bool pnMakeRound( pnHosted* hosted, double now )
{
	const pnEntry* entries = hosted->taken;
	bool isFrozen;
	int count = pnCollect( hosted, &isFrozen ), told = 0, heavyCount = 0;
	pnWriteFacts( hosted );
	pnBytes bytes = { 0 };
	uint32_t step = pnRoom_GetStep( hosted->room );
	uint32_t steps = isFrozen ? 0 : 1;
	pnBeginTick( &bytes, step, steps );
	for ( int i = 0; i < count; ++i )
	{
		const pnEntry* entry = entries + i;
		if ( entry->isMove )
		{
			pnPutTickMove( &bytes, entry->owner, entry->hand, entry->place );
		}
		else if ( entry->isAsk == false )
		{
			pnPutTickLine( &bytes, entry->owner, entry->sequence, entry->text, entry->length );
		}
		told += entry->isAsk ? 0 : 1;
		heavyCount += entry->isHeavy ? 1 : 0;
	}
	hosted->activeTime = told > 0 ? now : hosted->activeTime;
	hosted->touched = hosted->touched || told > 0;
	bool isActive = now - hosted->activeTime < pnActiveSeconds, good = bytes.failed == false;
	bool isTold = told > 0 || ( isActive && steps > 0 );
	int toMake = (int)steps;
	if ( isTold && good )
	{
		good = pnPublishQuiet( hosted ) && pnRoom_PostTick( hosted->room, bytes.data, bytes.size, &toMake ) == pn_success &&
			   pnPublish( hosted, &bytes );
		hosted->publishedStep = good ? step + steps : hosted->publishedStep;
	}
	free( bytes.data );
	for ( int i = 0; i < count; ++i )
	{
		if ( entries[i].isAsk && good )
		{
			pnRoom_Post( hosted->room, entries[i].owner, entries[i].sequence, entries[i].text, entries[i].length );
		}
		free( entries[i].text );
	}
	if ( good == false )
	{
		return false;
	}
	pnMakeStep( hosted, toMake, heavyCount );
	double quiet = hosted->rate / pnQuietHertz;
	// Where time stands still all are to see the same step.
	if ( isTold == false && ( isFrozen || (double)( pnRoom_GetStep( hosted->room ) - hosted->publishedStep ) >= quiet ) )
	{
		good = pnPublishQuiet( hosted );
	}
	atomic_fetch_add( &hosted->house->ticks, 1 );
	atomic_fetch_add( &hosted->house->commands, (unsigned long long)told );
	return good;
}

// ---- what visitors are given ----

static bool pnAwaitsImage( const pnVisitor* visitor, double now )
{
	return visitor->wantsImage && visitor->isGone == false && visitor->imageTime <= now;
}

// Under the lock: those whom the image that there is helps are sent it. Returns how many there are whom it does not help.
static int pnShareImage( pnHosted* hosted, double now )
{
	int leftCount = 0;
	pnSharedImage* image = hosted->image;
	for ( pnVisitor* visitor = hosted->visitors; visitor != NULL; visitor = visitor->next )
	{
		bool awaits = pnAwaitsImage( visitor, now );
		bool helps = image != NULL && image->tickSerial >= hosted->firstTick && image->tickSerial >= visitor->imageSerial;
		leftCount += awaits && helps == false ? 1 : 0;
		if ( awaits && helps )
		{
			visitor->wantsImage = false;
			pnReleaseImage( visitor->image );
			visitor->image = image;
			visitor->imageAt = 0;
			visitor->tickSerial = 0;
			visitor->claimCount = 0;
			visitor->knownStep = image->step;
			atomic_fetch_add( &image->users, 1 );
			hosted->needsService = true;
		}
	}
	return leftCount;
}

static pnSharedImage* pnMakeImage( pnHosted* hosted )
{
	size_t size = 0;
	uint8_t* data = pnPublishQuiet( hosted ) ? pnRoom_SaveImage( hosted->room, PN_VISITOR_PAST_BYTES, &size ) : NULL;
	pnSharedImage* image = data != NULL ? calloc( 1, sizeof( pnSharedImage ) ) : NULL;
	if ( image == NULL )
	{
		free( data );
		return NULL;
	}
	*image = ( pnSharedImage ){ .users = 1, .step = pnRoom_GetStep( hosted->room ), .tickSerial = hosted->nextTick, .size = size, .data = data }; // only this thread adds ticks
	atomic_fetch_add( &hosted->house->images, 1 );
	return image;
}

static void pnGiveImages( pnHosted* hosted, double now )
{
	pthread_mutex_lock( &hosted->lock );
	if ( hosted->image != NULL && now - hosted->sharedTime > pnShareSeconds )
	{
		pnReleaseImage( hosted->image ); // those who are being sent it still have it
		hosted->image = NULL;
	}
	int leftCount = pnShareImage( hosted, now );
	bool serves = hosted->needsService;
	pthread_mutex_unlock( &hosted->lock );
	// They may be many, or ask again and again: not one in every round.
	pnSharedImage* image = leftCount > 0 && now - hosted->sharedTime > pnImageSeconds ? pnMakeImage( hosted ) : NULL;
	if ( image != NULL )
	{
		pthread_mutex_lock( &hosted->lock );
		pnReleaseImage( hosted->image );
		hosted->image = image;
		hosted->sharedTime = now;
		pnShareImage( hosted, now );
		serves = true;
		pthread_mutex_unlock( &hosted->lock );
	}
	if ( serves )
	{
		pnWakeSockets( hosted );
	}
}

static void pnTellPeople( pnHosted* hosted, double now )
{
	bool anyBehind = false;
	pthread_mutex_lock( &hosted->lock );
	hosted->step = pnRoom_GetStep( hosted->room );
	hosted->stepSeconds = hosted->meanSeconds;
	hosted->worldBytes = pnWorld_GetProfile( pnRoom_GetWorld( hosted->room ) ).byteCount;
	hosted->historyBytes = pnRoom_GetHistory( hosted->room );
	hosted->streamBytes = pnCountStreams( &hosted->streams );
	snprintf( hosted->scene, sizeof( hosted->scene ), "%s", pnRoom_GetScene( hosted->room ) );
	if ( hosted->rate != pnRoom_GetRate( hosted->room ) )
	{
		hosted->rate = pnRoom_GetRate( hosted->room );
		hosted->stateSerial += 1;
	}
	if ( now - hosted->peopleTime > pnPeopleSeconds )
	{
		hosted->peopleTime = now;
		for ( pnVisitor* visitor = hosted->visitors; visitor != NULL; visitor = visitor->next )
		{
			anyBehind = anyBehind || ( visitor->mode == pn_lockstepSeeing && hosted->step - visitor->knownStep > 2 * PN_HASH_EVERY );
		}
		hosted->peopleSerial += anyBehind ? 1 : 0;
		hosted->needsService = hosted->needsService || anyBehind;
	}
	pthread_mutex_unlock( &hosted->lock );
}

// ---- the thread ----

static void pnSleepUntil( pnHosted* hosted, double time )
{
	struct timespec until = { .tv_sec = (time_t)time, .tv_nsec = (long)( 1e9 * ( time - (double)(time_t)time ) ) };
	pthread_mutex_lock( &hosted->lock );
	while ( hosted->mustEnd == false && pthread_cond_timedwait( &hosted->wake, &hosted->lock, &until ) != ETIMEDOUT )
	{
	}
	pthread_mutex_unlock( &hosted->lock );
}

static bool pnIsOver( pnHosted* hosted, double now )
{
	pthread_mutex_lock( &hosted->lock );
	hosted->emptyTime = hosted->visitorCount > 0 ? now : hosted->emptyTime;
	bool isOver = hosted->mustEnd || now - hosted->emptyTime > hosted->house->emptySeconds;
	if ( isOver )
	{
		hosted->state = pn_endingState;
	}
	pthread_mutex_unlock( &hosted->lock );
	return isOver;
}

static void pnNoteLateness( pnHosted* hosted, double late, double period )
{
	if ( late > period )
	{
		atomic_fetch_add( &hosted->house->lateTicks, 1 );
	}
	unsigned long long us = late > 0.0 ? (unsigned long long)( 1e6 * late ) : 0, most = atomic_load( &hosted->house->lateBy );
	while ( us > most && atomic_compare_exchange_weak( &hosted->house->lateBy, &most, us ) == false )
	{
	}
}

static void* pnRunHosted( void* context )
{
	pnHosted* hosted = context;
	bool good = pnTakeFromShelf( hosted );
	double now = pnGetSteadyTime(), next = now;
	pthread_mutex_lock( &hosted->lock );
	hosted->state = good ? pn_openState : pn_brokenState;
	hosted->rate = good ? pnRoom_GetRate( hosted->room ) : 0.0f;
	hosted->step = good ? pnRoom_GetStep( hosted->room ) : 0;
	hosted->emptyTime = now;
	hosted->needsService = true;
	pthread_mutex_unlock( &hosted->lock );
	pnWakeSockets( hosted );
	hosted->publishedStep = hosted->step;
	hosted->imageTime = now;
	while ( good && pnIsOver( hosted, now ) == false )
	{
		double period = 1.0 / (double)hosted->rate;
		now = pnGetSteadyTime();
		pnNoteLateness( hosted, now - next, period );
		next = now - next > pnLagSeconds ? now : next;
		pnBeginRound( &hosted->meter );
		good = pnMakeRound( hosted, now );
		next += period;
		if ( good )
		{
			pnTurn( hosted, pn_imageWork );
			pnGiveImages( hosted, now );
			pnTurn( hosted, pn_tellWork );
			pnTellPeople( hosted, now );
			pnTurn( hosted, pn_logWork );
			pnMindShelf( hosted, now );
			pnTurn( hosted, pn_frameWork );
			pnEncodeStreams( hosted, next ); // last: it looks at how much time is left
			pnEndRound( &hosted->meter, &hosted->house->work, next );
			now = pnGetSteadyTime();
			if ( now < next )
			{
				pnSleepUntil( hosted, next );
			}
		}
	}
	pthread_mutex_lock( &hosted->lock );
	if ( hosted->state == pn_openState )
	{
		hosted->state = pn_endingState; // it could not be written down
	}
	pthread_mutex_unlock( &hosted->lock );
	pnPutOnShelf( hosted );
	pthread_mutex_lock( &hosted->lock );
	hosted->state = hosted->state == pn_brokenState ? pn_brokenState : pn_overState;
	hosted->needsService = true;
	pthread_mutex_unlock( &hosted->lock );
	pnWakeSockets( hosted );
	return NULL;
}

pnHosted* pnOpenHosted( pnHouse* house, const char* name, const char* scene, uint8_t* image, size_t size, const pnRoomFacts* facts )
{
	pnHosted* hosted = calloc( 1, sizeof( pnHosted ) );
	if ( hosted == NULL )
	{
		free( image );
		return NULL;
	}
	hosted->house = house;
	snprintf( hosted->name, sizeof( hosted->name ), "%s", name );
	snprintf( hosted->firstScene, sizeof( hosted->firstScene ), "%s", scene );
	hosted->keptImage = image;
	hosted->keptSize = size;
	hosted->keptFacts = *facts;
	hosted->firstTick = hosted->nextTick = 1;
	hosted->peopleSerial = hosted->stateSerial = hosted->cursorSerial = 1;
	hosted->facts.nextOwner = PN_FIRST_OWNER;
	pthread_condattr_t attributes;
	pthread_condattr_init( &attributes );
	pthread_condattr_setclock( &attributes, CLOCK_MONOTONIC );
	pthread_cond_init( &hosted->wake, &attributes );
	pthread_condattr_destroy( &attributes );
	pthread_mutex_init( &hosted->lock, NULL );
	pnOpenStreams( &hosted->streams );
	if ( pthread_create( &hosted->thread, NULL, pnRunHosted, hosted ) != 0 )
	{
		free( hosted->keptImage );
		free( hosted );
		return NULL;
	}
	return hosted;
}

void pnEndHosted( pnHosted* hosted )
{
	pthread_mutex_lock( &hosted->lock );
	hosted->mustEnd = true;
	pthread_cond_signal( &hosted->wake );
	pthread_mutex_unlock( &hosted->lock );
}

void pnJoinHosted( pnHosted* hosted )
{
	pthread_join( hosted->thread, NULL );
	while ( hosted->visitors != NULL )
	{
		pnVisitor* next = hosted->visitors->next;
		pnDestroyVisitor( hosted->visitors );
		hosted->visitors = next;
	}
	while ( hosted->firstTick < hosted->nextTick )
	{
		pnDropTick( hosted );
	}
	for ( int i = 0; i < hosted->inboxCount; ++i )
	{
		free( hosted->inbox[i].text );
	}
	pnReleaseImage( hosted->image );
	pnCloseStreams( &hosted->streams );
	free( hosted->keptImage );
	pnDestroyRoomImage( hosted->scribeImage );
	pthread_mutex_destroy( &hosted->lock );
	pthread_cond_destroy( &hosted->wake );
	free( hosted );
}
