// visitor.mjs - a visitor of a room for tests, written from docs/wire.md: with a room of its own (the page's module), counting, or watching.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
import { readFileSync } from 'node:fs';
import { Socket } from './socket.mjs';

let compiled;
export function makeRoom( file )
{
	compiled ??= new WebAssembly.Module( readFileSync( file ) );
	const room = new WebAssembly.Instance( compiled, { page: { seconds: () => performance.now() / 1000 } } ).exports;
	room._initialize?.();
	if ( room.open() !== 1 ) throw new Error( 'no room' );
	return room;
}

function withBytes( room, bytes, use )
{
	const at = room.take( bytes.length );
	new Uint8Array( room.memory.buffer, at, bytes.length ).set( bytes );
	const result = use( at, bytes.length );
	room.give( at );
	return result;
}

const text = ( string ) =>
{
	const bytes = Buffer.from( string, 'utf8' );
	const out = Buffer.alloc( 4 + ( ( bytes.length + 3 ) & ~3 ) );
	out.writeUInt32LE( bytes.length );
	bytes.copy( out, 4 );
	return out;
};
export const words = ( ...values ) => { const out = Buffer.alloc( 4 * values.length ); values.forEach( ( value, i ) => out.writeUInt32LE( value >>> 0, 4 * i ) ); return out; };
export const hello = ( { version = 1, mode = 0, flags = 0, color = 0x336699, step = 0, name = 'somebody', token = '', key = '', scene = '' } = {} ) =>
	Buffer.concat( [ words( 1, version, mode, flags, color, step ), text( name ), text( token ), text( key ), text( scene ) ] );

export class Visitor
{
	// module: the file of the page's module, to follow in lockstep; without it ticks are only counted.
	constructor( { module } = {} )
	{
		this.room = module ? makeRoom( module ) : null;
		this.module = module;
		this.sequence = 0;
		this.welcome = null;
		this.step = 0;
		this.hashes = new Map();
		this.notices = []; this.answers = []; this.differs = []; this.people = []; this.cursors = [];
		this.goodbye = null;
		this.messages = 0;
		this.images = 0;
		this.frames = 0; this.frameBytes = 0;
		this.commands = 0;
		this.pongs = [];
		this.waiting = [];
		this.ontick = () => {};
		this.onframe = () => {};
		this.isClosed = false;
		this.hasImage = false;
		this.liesAboutHash = 0;
	}

	async open( options )
	{
		this.socket = new Socket();
		this.socket.onmessage = ( bytes ) => this.take( bytes );
		this.socket.onclose = () => { this.isClosed = true; this.settle(); };
		this.options = options;
		if ( await this.socket.open( { path: `/room/${options.room ?? 'test'}`, ...options } ) === false ) return false;
		this.socket.send( hello( options ) );
		await this.until( () => this.welcome !== null || this.goodbye !== null || this.isClosed );
		return this.welcome !== null;
	}

	settle() { this.waiting = this.waiting.filter( ( one ) => { if ( !one.holds() ) return true; clearTimeout( one.timer ); one.resolve( true ); return false; } ); }
	// Resolves with whether it became so in time.
	until( holds, seconds = 600 )
	{
		if ( holds() ) return Promise.resolve( true );
		return new Promise( ( resolve ) =>
		{
			const one = { holds, resolve };
			one.timer = setTimeout( () => { this.waiting = this.waiting.filter( ( other ) => other !== one ); resolve( false ); }, 1000 * seconds );
			this.waiting.push( one );
		} );
	}

	take( bytes )
	{
		this.messages += 1;
		const kind = bytes.readUInt32LE( 0 );
		const u32 = ( at ) => bytes.readUInt32LE( at );
		const string = ( at ) => bytes.subarray( at + 4, at + 4 + u32( at ) ).toString( 'utf8' );
		const after = ( at ) => at + 4 + ( ( u32( at ) + 3 ) & ~3 );
		switch ( kind )
		{
		case 101:
		{
			const room = 32, key = after( room ), lookOn = after( key );
			this.welcome = { version: u32( 4 ), owner: u32( 8 ), flags: u32( 12 ), rate: bytes.readFloatLE( 16 ), step: u32( 20 ), hashEvery: u32( 24 ), room: string( room ), key: string( key ), lookOn: string( lookOn ) };
			this.owner = this.welcome.owner;
			this.flags = this.welcome.flags;
			break;
		}
		case 102: this.takeImage( u32( 4 ), u32( 8 ), u32( 12 ), bytes.subarray( 16 ) ); break;
		case 103: this.takeTick( bytes.subarray( 4 ) ); break;
		case 104:
		{
			this.people = [];
			for ( let i = 0, at = 8; i < u32( 4 ); ++i )
			{
				this.people.push( { owner: u32( at ), flags: u32( at + 4 ), color: u32( at + 8 ), behind: u32( at + 12 ), name: string( at + 16 ) } );
				at = after( at + 16 );
			}
			break;
		}
		case 105:
			for ( let i = 0, at = 8; i < u32( 4 ); ++i, at += 20 ) this.cursors.push( { owner: u32( at ), isSeen: u32( at + 4 ), place: [ 0, 4, 8 ].map( ( k ) => bytes.readFloatLE( at + 8 + k ) ) } );
			break;
		case 106:
			this.frames += 1;
			this.frameBytes += bytes.length;
			this.frameNumber = u32( 4 + 8 );
			this.frameStep = u32( 4 + 12 );
			this.onframe( bytes.subarray( 4 ) );
			if ( this.neverReady !== true ) this.socket.send( words( 5, u32( 4 + 8 ) ) );
			break;
		case 107: this.differs.push( { step: u32( 4 ), wanted: bytes.readBigUInt64LE( 8 ), told: bytes.readBigUInt64LE( 16 ) } ); this.hasImage = false; break;
		case 108: this.notices.push( string( 8 ) ); break;
		case 109: this.pongs.push( { number: u32( 4 ), step: u32( 8 ) } ); break;
		case 110: this.answers.push( { sequence: u32( 4 ), outcome: u32( 8 ), text: string( 12 ) } ); break;
		case 111: this.flags = u32( 4 ); this.rate = bytes.readFloatLE( 8 ); break;
		case 112: this.goodbye = { reason: u32( 4 ), text: string( 8 ) }; break;
		default: throw new Error( `a message of kind ${kind}` );
		}
		this.settle();
	}

	takeImage( step, total, offset, piece )
	{
		if ( offset === 0 ) this.pieces = [];
		this.pieces.push( piece );
		if ( offset + piece.length < total ) return;
		const image = Buffer.concat( this.pieces );
		if ( image.length !== total ) throw new Error( 'pieces are missing' );
		this.images += 1;
		this.imageBytes = total;
		this.step = step;
		this.hasImage = true;
		if ( this.room && withBytes( this.room, image, this.room.loadImage ) !== 0 ) throw new Error( 'the image cannot be read' );
	}

	takeTick( bytes )
	{
		if ( this.hasImage === false && this.room ) return;
		const from = bytes.readUInt32LE( 0 ), steps = bytes.readUInt32LE( 4 );
		if ( this.hasImage && from !== this.step ) throw new Error( `a tick of step ${from} at step ${this.step}` );
		this.commands += bytes.length > 8 ? 1 : 0;
		this.ontick( bytes, from, steps );
		if ( this.room )
		{
			const made = withBytes( this.room, bytes, this.room.postTick );
			if ( made !== steps ) throw new Error( `a tick that cannot be read: ${made}` );
			if ( steps === 0 ) this.room.advance( 0 );
			for ( let i = 0; i < steps; ++i )
			{
				this.room.advance( 1 );
				this.step += 1;
				if ( this.step % this.welcome.hashEvery === 0 ) this.tellHash();
			}
			if ( this.room.lacksPast() ) { this.hasImage = false; this.lacks = ( this.lacks ?? 0 ) + 1; this.socket.send( words( 9 ) ); }
		}
		else this.step = from + steps;
	}

	tellHash()
	{
		const hash = BigInt.asUintN( 64, this.room.hash() );
		this.hashes.set( this.step, hash );
		const out = Buffer.alloc( 16 );
		out.writeUInt32LE( 3, 0 );
		out.writeUInt32LE( this.step, 4 );
		out.writeBigUInt64LE( this.liesAboutHash-- > 0 ? hash ^ 1n : hash, 8 );
		this.socket.send( out );
	}

	command( lines ) { this.sequence += 1; this.socket.send( Buffer.concat( [ words( 2, this.sequence ), Buffer.from( lines, 'utf8' ) ] ) ); return this.sequence; }
	act( act, owner = 0 ) { this.socket.send( words( 7, act, owner ) ); }
	mode( mode, shading = 0 ) { this.socket.send( words( 6, mode, shading ) ); }
	cursor( x, y, z, seen = 1 ) { const out = Buffer.alloc( 20 ); out.writeUInt32LE( 4, 0 ); [ x, y, z ].forEach( ( value, i ) => out.writeFloatLE( value, 4 + 4 * i ) ); out.writeUInt32LE( seen, 16 ); this.socket.send( out ); }
	close() { this.socket.close(); }
	kill() { this.socket.kill(); }
}

/** Puts together what frames show: the latest section of each thing by its kind and id. visitor.picture is a map of these. */
export function keepPicture( visitor )
{
	visitor.picture = new Map();
	visitor.onframe = ( frame ) =>
	{
		if ( frame.readUInt32LE( 28 ) & 1 ) visitor.picture.clear();
		visitor.freshFrames = ( visitor.freshFrames ?? 0 ) + ( frame.readUInt32LE( 28 ) & 1 );
		for ( let at = 32; at + 8 <= frame.length; at += 8 + frame.readUInt32LE( at + 4 ) )
		{
			const kind = frame.readUInt32LE( at ), length = frame.readUInt32LE( at + 4 ), id = length >= 8 ? frame.readUInt32LE( at + 8 ) : 0;
			const name = ( of ) => `${of} ${id}`;
			if ( kind === 3 ) for ( const of of [ 2, 4, 5 ] ) visitor.picture.delete( name( of ) );
			else if ( kind === 7 ) for ( const of of [ 6, 8 ] ) visitor.picture.delete( name( of ) );
			else if ( kind <= 8 && kind > 1 ) visitor.picture.set( name( kind ), frame.subarray( at, at + 8 + length ) );
		}
	};
}

// The commands of a tick: { owner, sequence, text }, or { owner, hand } of a hand that moves.
export function commandsOf( bytes )
{
	const commands = [];
	for ( let at = 8; at + 12 <= bytes.length; )
	{
		const form = bytes[at], owner = bytes.readUInt16LE( at + 2 );
		if ( form !== 2 ) { commands.push( { owner, hand: bytes[at + 1] } ); at += form === 1 ? 16 : 12; continue; }
		const length = bytes.readUInt32LE( at + 8 );
		commands.push( { owner, sequence: bytes.readUInt32LE( at + 4 ), text: bytes.subarray( at + 12, at + 12 + length ).toString( 'utf8' ) } );
		at += 12 + ( ( length + 3 ) & ~3 );
	}
	return commands;
}

// Whether both have come to the same hash at the latest step that both have.
export function agree( a, b )
{
	const steps = [ ...a.hashes.keys() ].filter( ( step ) => b.hashes.has( step ) );
	if ( steps.length === 0 ) return null;
	return steps.every( ( step ) => a.hashes.get( step ) === b.hashes.get( step ) ) ? steps.length : false;
}
