// room_messages.ts - what a visitor and a room's server say to each other, as bytes: docs/wire.md. Pure: knows no sockets and no page.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
import type { Vec3 } from './frame.ts';

export const protocol = 'pliant-room-1';
export const protocolVersion = 1;

export type Mode = 'lockstep' | 'stream';
export type HostAct = 'lock scene' | 'open scene' | 'lock materials' | 'open materials' | 'freeze' | 'go on' | 'remove';
const hostActs: HostAct[] = [ 'lock scene', 'open scene', 'lock materials', 'open materials', 'freeze', 'go on', 'remove' ]; // from 1

export interface Hello
{
	mode: Mode;
	looksOn: boolean;
	color: number; // 0xRRGGBB
	step: number; // that this visitor's room has come to; 0: it has none
	name: string;
	token: string;
	key: string; // to be who one was
	scene: string; // of a new room
}

export interface RoomState
{
	isHost: boolean;
	looksOn: boolean;
	sceneLocked: boolean;
	materialsLocked: boolean;
	frozen: boolean;
	noDisk: boolean;
	rate: number;
}

export interface Person
{
	owner: number;
	isHost: boolean;
	looksOn: boolean;
	streams: boolean;
	color: number;
	behind: number; // steps
	name: string; // text for people: may hold anything
}

export interface Welcome
{
	version: number;
	owner: number;
	state: RoomState;
	step: number;
	hashEvery: number; // steps
	mostBytes: number; // of a message
	room: string;
	key: string;
	lookToken: string; // with which others can look on
}

/** Why a connection ended; those who may come back do so by themselves. */
export const comesBack = ( reason: number ): boolean => reason === 1 || reason === 5 || reason === 7;

export type Message =
	| { kind: 'welcome'; welcome: Welcome }
	| { kind: 'image'; step: number; size: number; offset: number; bytes: Uint8Array<ArrayBuffer> }
	| { kind: 'tick'; step: number; steps: number; bytes: ArrayBuffer }
	| { kind: 'people'; people: Person[] }
	| { kind: 'cursors'; cursors: { owner: number; place: Vec3 | null }[] }
	| { kind: 'frame'; bytes: ArrayBuffer }
	| { kind: 'differs'; step: number; wanted: string; told: string }
	| { kind: 'notice'; bad: boolean; text: string }
	| { kind: 'pong'; number: number; step: number }
	| { kind: 'answer'; sequence: number; outcome: number; text: string }
	| { kind: 'state'; state: RoomState }
	| { kind: 'goodbye'; reason: number; text: string }
	| { kind: 'unknown' };

// ---- written ----

class Writer
{
	private readonly bytes: number[] = [];
	private readonly scratch = new DataView( new ArrayBuffer( 8 ) );
	private put( count: number ): this
	{
		for ( let i = 0; i < count; ++i )
		{
			this.bytes.push( this.scratch.getUint8( i ) );
		}
		return this;
	}
	word( value: number ): this
	{
		this.scratch.setUint32( 0, value, true );
		return this.put( 4 );
	}
	long( value: bigint ): this
	{
		this.scratch.setBigUint64( 0, value, true );
		return this.put( 8 );
	}
	float( value: number ): this
	{
		this.scratch.setFloat32( 0, value, true );
		return this.put( 4 );
	}
	text( text: string ): this
	{
		const bytes = new TextEncoder().encode( text );
		this.word( bytes.length );
		this.bytes.push( ...bytes );
		while ( this.bytes.length % 4 !== 0 )
		{
			this.bytes.push( 0 );
		}
		return this;
	}
	done(): Uint8Array<ArrayBuffer>
	{
		return new Uint8Array( this.bytes );
	}
}

const begin = ( kind: number ): Writer => new Writer().word( kind );
const modes: Mode[] = [ 'lockstep', 'stream' ];

export const write = {
	hello: ( hello: Hello ) => begin( 1 ).word( protocolVersion ).word( modes.indexOf( hello.mode ) ).word( hello.looksOn ? 1 : 0 ).word( hello.color ).word( hello.step )
		.text( hello.name ).text( hello.token ).text( hello.key ).text( hello.scene ).done(),
	/** Lines may be long: a solid that someone brought. */
	commands( sequence: number, lines: string ): Uint8Array<ArrayBuffer>
	{
		const text = new TextEncoder().encode( lines ), bytes = new Uint8Array( 8 + text.length );
		bytes.set( begin( 2 ).word( sequence ).done() );
		bytes.set( text, 8 );
		return bytes;
	},
	hash: ( step: number, hash: string ) => begin( 3 ).word( step ).long( BigInt( hash ) ).done(),
	cursor: ( place: Vec3 | null ) => ( place ?? [ 0, 0, 0 ] ).reduce( ( w, value ) => w.float( value ), begin( 4 ) ).word( place !== null ? 1 : 0 ).done(),
	ready: ( frame: number ) => begin( 5 ).word( frame ).done(),
	mode: ( mode: Mode, shading: number ) => begin( 6 ).word( modes.indexOf( mode ) ).word( shading ).done(),
	act: ( act: HostAct, owner = 0 ) => begin( 7 ).word( hostActs.indexOf( act ) + 1 ).word( owner ).done(),
	ping: ( number: number ) => begin( 8 ).word( number ).done(),
	again: () => begin( 9 ).done(),
	person: ( color: number, name: string ) => begin( 10 ).word( color ).text( name ).done(),
};

// ---- read ----

/** Reads forward; whoever reads past the end gets a RangeError from the view. */
class Reader
{
	private readonly view: DataView;
	at = 4;
	constructor( readonly buffer: ArrayBuffer )
	{
		this.view = new DataView( buffer );
	}
	private next( size: number ): number
	{
		this.at += size;
		return this.at - size;
	}
	word = (): number => this.view.getUint32( this.next( 4 ), true );
	float = (): number => this.view.getFloat32( this.next( 4 ), true );
	vec = (): Vec3 => [ this.float(), this.float(), this.float() ];
	hash = (): string => '0x' + this.view.getBigUint64( this.next( 8 ), true ).toString( 16 ).padStart( 16, '0' );
	text(): string
	{
		const length = this.word();
		if ( length > this.buffer.byteLength - this.at )
		{
			throw new RangeError( 'a text is longer than its message' );
		}
		const text = new TextDecoder().decode( new Uint8Array( this.buffer, this.at, length ) );
		this.at += ( length + 3 ) & ~3;
		return text;
	}
	/** A count of things of at least so many bytes each: more than can be there are not looked for. */
	count( least: number ): number
	{
		const count = this.word();
		if ( count * least > this.buffer.byteLength - this.at )
		{
			throw new RangeError( `${count} things do not fit into a message` );
		}
		return count;
	}
	rest = (): ArrayBuffer => this.buffer.slice( this.at );
}

const readState = ( flags: number, rate: number ): RoomState => ( {
	isHost: ( flags & 1 ) !== 0, looksOn: ( flags & 2 ) !== 0, sceneLocked: ( flags & 4 ) !== 0, materialsLocked: ( flags & 8 ) !== 0,
	frozen: ( flags & 16 ) !== 0, noDisk: ( flags & 32 ) !== 0, rate,
} );

function readPerson( r: Reader ): Person
{
	const owner = r.word(), flags = r.word(), color = r.word(), behind = r.word(), name = r.text();
	return { owner, isHost: ( flags & 1 ) !== 0, looksOn: ( flags & 2 ) !== 0, streams: ( flags & 4 ) !== 0, color: color & 0xffffff, behind, name };
}

export function read( buffer: ArrayBuffer ): Message
{
	const kind = new DataView( buffer ).getUint32( 0, true ), r = new Reader( buffer );
	switch ( kind )
	{
		case 101:
		{
			const version = r.word(), owner = r.word(), flags = r.word(), rate = r.float(), step = r.word(), hashEvery = Math.max( 1, r.word() ), mostBytes = r.word();
			return { kind: 'welcome', welcome: { version, owner, state: readState( flags, rate ), step, hashEvery, mostBytes, room: r.text(), key: r.text(), lookToken: r.text() } };
		}
		case 102:
			return { kind: 'image', step: r.word(), size: r.word(), offset: r.word(), bytes: new Uint8Array( r.rest() ) };
		case 103:
		{
			const bytes = r.rest();
			return { kind: 'tick', step: r.word(), steps: r.word(), bytes };
		}
		case 104:
			return { kind: 'people', people: Array.from( { length: r.count( 20 ) }, () => readPerson( r ) ) };
		case 105:
			return {
				kind: 'cursors', cursors: Array.from( { length: r.count( 20 ) }, () =>
				{
					const owner = r.word(), isThere = r.word() !== 0, place = r.vec();
					return { owner, place: isThere && place.every( Number.isFinite ) ? place : null };
				} ),
			};
		case 106:
			return { kind: 'frame', bytes: r.rest() };
		case 107:
			return { kind: 'differs', step: r.word(), wanted: r.hash(), told: r.hash() };
		case 108:
			return { kind: 'notice', bad: r.word() !== 0, text: r.text() };
		case 109:
			return { kind: 'pong', number: r.word(), step: r.word() };
		case 110:
			return { kind: 'answer', sequence: r.word(), outcome: r.word(), text: r.text() };
		case 111:
		{
			const flags = r.word();
			return { kind: 'state', state: readState( flags, r.float() ) };
		}
		case 112:
			return { kind: 'goodbye', reason: r.word(), text: r.text() };
		default:
			return { kind: 'unknown' };
	}
}
