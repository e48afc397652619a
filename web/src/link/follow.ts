// follow.ts - a room that follows another: ticks in, steps made as time goes on, faster when behind. Knows the module, no sockets and no page.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
import type { RoomModule } from './module.ts';

interface Tick { bytes: Uint8Array; steps: number; does: boolean }

/** Steps beyond those that come in one tick that may wait: a line that is now late, now early, is not seen. */
const slack = 3;
const headSize = 8; // bytes before a tick's commands

export class Follower
{
	private readonly ticks: Tick[] = [];
	private left = 0; // steps of the tick that was begun
	private queued = 0; // steps of those that wait
	private doers = 0; // of those that wait, how many have commands
	private largest = 1; // steps of a tick, of late
	private due = 0; // ms
	private hasImage = false;

	/** told: the hash after a step that is a multiple of every. lost: an image is needed. */
	constructor( private readonly room: RoomModule, private readonly every: number, private readonly told: ( step: number, hash: string ) => void, private readonly lost: ( text: string ) => void ) {}

	/** Steps that are known and not made. */
	get behind(): number
	{
		return this.left + this.queued;
	}

	load( bytes: Uint8Array ): void
	{
		this.ticks.length = 0;
		this.left = this.queued = this.doers = this.due = 0;
		this.room.loadImage( bytes );
		this.hasImage = true;
	}

	take( bytes: Uint8Array ): void
	{
		if ( this.hasImage === false || bytes.length < headSize )
		{
			return; // ticks since an image that will not be used
		}
		const tick = { bytes, steps: new DataView( bytes.buffer, bytes.byteOffset ).getUint32( 4, true ), does: bytes.length > headSize };
		this.ticks.push( tick );
		this.queued += tick.steps;
		this.doers += tick.does ? 1 : 0;
		this.largest = Math.max( tick.steps, this.largest - 1 );
	}

	/** Makes what is due, for about so many ms. Returns the steps that were made. */
	advance( elapsed: number, most: number ): number
	{
		const length = 1000 / this.room.rate, begin = performance.now();
		this.due = Math.min( this.due + elapsed, 4 * length );
		let made = 0;
		while ( this.hasImage && performance.now() - begin < most )
		{
			if ( this.left === 0 )
			{
				if ( this.begin() === false )
				{
					break;
				}
				continue;
			}
			// What somebody has done is not kept waiting by steps before it.
			const isLate = this.doers > 0 || this.behind > this.largest + slack;
			if ( isLate === false && this.due < length )
			{
				break;
			}
			this.room.advance( 1 );
			this.left -= 1;
			this.due = Math.max( 0, this.due - length );
			made += 1;
			if ( this.room.step % this.every === 0 )
			{
				this.told( this.room.step, this.room.hash() );
			}
		}
		return made;
	}

	/** The next tick's commands. False: there is none. */
	private begin(): boolean
	{
		const tick = this.ticks.shift();
		if ( tick === undefined )
		{
			return false;
		}
		this.queued -= tick.steps;
		this.doers -= tick.does ? 1 : 0;
		const steps = this.room.postTick( tick.bytes );
		if ( steps < 0 )
		{
			this.giveUp( 'a tick does not fit' );
			return false;
		}
		this.room.advance( 0 );
		this.left = steps;
		if ( this.room.lacksPast )
		{
			this.giveUp( 'an undo went back further than this page remembers' );
			return false;
		}
		return true;
	}

	private giveUp( text: string ): void
	{
		this.hasImage = false;
		this.ticks.length = 0;
		this.left = this.queued = this.doers = 0;
		this.lost( text );
	}
}
