// worker.ts - the room in a thread of its own: steps paced by time, commands as they come, one frame on its way at a time. Knows no page.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
import { Follower } from './follow.ts';
import type { Reply, Request } from './messages.ts';
import { RoomModule } from './module.ts';

const say = ( reply: Reply, transfer: Transferable[] = [] ) => ( self as unknown as Worker ).postMessage( reply, transfer );

let room: RoomModule | null = null;
let follower: Follower | null = null; // another room says what happens and when
let isResponse = false;
let paused = false, speed = 1, shading = 0;
let begun = false; // an empty room has no time: it begins with the first command
let pageIsReady = true, fresh = true, dirty = true;
let heard = 0; // number of the last commands
let due = 0; // ms of simulated time that should have passed and has not
let last = 0; // when that was looked at
let lastStep = 0; // ms that it took
// How time went: over about the last second
let spanBegin = 0, spanReal = 0, spanMade = 0, spanWork = 0, spanSteps = 0;

const again = new MessageChannel();
again.port1.onmessage = () => loop();

const mostAtOnce = 10; // ms of work, or one step, before messages are looked at again
const longStep = 16; // ms: about a picture
const mostBehind = 50; // ms: what cannot be made up for is given up, so that time slows down and nothing piles up

function tellPace( now: number ): void
{
	if ( now - spanBegin < 500 )
	{
		return;
	}
	const share = follower !== null || paused || isResponse || spanReal <= 0 ? 1 : Math.min( 1, spanMade / spanReal );
	say( { kind: 'pace', pace: { share, stepMilliseconds: spanSteps > 0 ? spanWork / spanSteps : 0, paused, speed, behind: follower?.behind ?? 0 } } );
	spanBegin = now;
	spanReal = spanMade = spanWork = spanSteps = 0;
}

function showFrame(): void
{
	if ( pageIsReady && dirty && room !== null )
	{
		const bytes = room.frame( shading, fresh );
		say( { kind: 'frame', bytes, heard }, [ bytes ] );
		pageIsReady = false;
		fresh = dirty = false;
	}
}

function makeSteps( now: number ): void
{
	if ( room === null )
	{
		return;
	}
	const elapsed = Math.min( now - last, 250 );
	last = now;
	if ( follower !== null )
	{
		const begin = performance.now(), made = follower.advance( elapsed, mostAtOnce );
		spanSteps += made;
		spanWork += performance.now() - begin;
		lastStep = made > 0 ? ( performance.now() - begin ) / made : lastStep;
		dirty ||= made > 0;
		return;
	}
	if ( paused || isResponse || begun === false )
	{
		return;
	}
	const length = 1000 / room.rate;
	due += speed * elapsed;
	spanReal += speed * elapsed;
	const begin = performance.now();
	while ( due >= length && performance.now() - begin < mostAtOnce )
	{
		const stepBegin = performance.now();
		room.advance( 1 );
		lastStep = performance.now() - stepBegin;
		due -= length;
		spanMade += length;
		spanSteps += 1;
		dirty = true;
	}
	spanWork += performance.now() - begin;
	due = Math.min( due, Math.max( mostBehind, length ) );
}

function loop(): void
{
	try
	{
		const now = performance.now();
		makeSteps( now );
		showFrame();
		tellPace( now );
	}
	catch ( error )
	{
		say( { kind: 'failed', text: error instanceof Error ? error.message : String( error ) } );
		return;
	}
	const wait = follower !== null ? ( follower.behind > 8 ? 0 : 4 ) : room === null || paused || isResponse ? 16 : 1000 / room.rate / Math.max( speed, 0.01 ) - ( performance.now() - last ) - due / speed;
	if ( wait > 0 )
	{
		setTimeout( loop, Math.min( wait, 16 ) );
	}
	else
	{
		again.port2.postMessage( null ); // after the messages that wait; a timer would lose 4 ms
	}
}

/** At once, between two steps. Where these are long, or there are none, the answer does not wait for the next one either. */
function takeCommands(): void
{
	room?.advance( 0 );
	dirty = true;
	if ( paused || lastStep > longStep )
	{
		showFrame();
	}
}

/** What is asked for, and answered. */
function answer( request: Request & { id: number } ): unknown
{
	const r = room!;
	switch ( request.kind )
	{
		case 'step':
			r.advance( request.count );
			dirty = true;
			showFrame();
			return null;
		case 'hash':
			r.advance( 0 );
			return r.hash();
		case 'script':
			r.advance( 0 );
			return r.script();
		case 'save':
			r.advance( 0 );
			return r.save();
		case 'closeResponse':
			r.closeResponse();
			isResponse = false;
			fresh = dirty = true;
			return null;
		case 'open':
		{
			const bytes = new Uint8Array( request.bytes );
			const head = new TextDecoder( 'latin1' ).decode( bytes.subarray( 0, 8 ) );
			if ( head === 'pliantR1' )
			{
				r.restore( bytes );
				r.closeResponse();
				isResponse = false;
			}
			else
			{
				r.openResponse( bytes );
				isResponse = true;
			}
			fresh = dirty = true;
			return isResponse ? 'response' : 'world';
		}
		default:
			throw new Error( `there is no request ${request.kind}` );
	}
}

async function start( module: string ): Promise<void>
{
	try
	{
		const response = await fetch( module );
		if ( response.ok === false )
		{
			throw new Error( `the module could not be loaded: ${response.status}` );
		}
		// A host that does not know .wasm sends another type, which streaming refuses.
		const typed = response.headers.get( 'content-type' )?.startsWith( 'application/wasm' );
		room = await RoomModule.start( typed ? response : await response.arrayBuffer() );
		last = spanBegin = performance.now();
		say( { kind: 'started', catalogue: room.catalogue() } );
		loop();
	}
	catch ( error )
	{
		say( { kind: 'failed', text: error instanceof Error ? error.message : String( error ) } );
	}
}

self.onmessage = ( event: MessageEvent<Request> ) =>
{
	const request = event.data;
	switch ( request.kind )
	{
		case 'start':
			void start( request.module );
			return;
		case 'ready':
			pageIsReady = true;
			return;
		case 'commands':
			room?.post( request.owner, request.sequence, request.text );
			heard = request.sequence;
			begun = true;
			dirty = true;
			if ( isResponse === false )
			{
				takeCommands();
			}
			return;
		case 'shading':
			shading = request.index;
			dirty = true;
			return;
		case 'paused':
			paused = request.paused;
			due = 0;
			return;
		case 'speed':
			speed = request.speed;
			return;
		case 'follow':
			follower = new Follower( room!, request.every, ( step, hash ) => say( { kind: 'told', step, hash } ), ( text ) => say( { kind: 'lost', text } ) );
			return;
		case 'unfollow':
			follower = null;
			begun = false;
			return;
		case 'image':
			try
			{
				follower?.load( new Uint8Array( request.bytes ) );
				fresh = dirty = true;
			}
			catch ( error )
			{
				say( { kind: 'lost', text: error instanceof Error ? error.message : String( error ) } );
			}
			return;
		case 'tick':
			follower?.take( new Uint8Array( request.bytes ) );
			makeSteps( performance.now() );
			showFrame();
			return;
	}
	try
	{
		const value = answer( request );
		say( { kind: 'done', id: request.id, value } );
	}
	catch ( error )
	{
		say( { kind: 'error', id: request.id, text: error instanceof Error ? error.message : String( error ) } );
	}
};
