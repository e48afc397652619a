// stub_room.mjs - a small room in Node that speaks docs/wire.md to pages whose WebSockets are led here: for what a real server does not do when asked to.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
import { readFileSync } from 'node:fs';
import { root } from './browser.mjs';
import { load } from './bundle.mjs';

const { RoomModule } = await load( 'link/module' );

/** Numbers (u32), { f } (f32), bigints (u64) and texts, one after another. */
export function bytesOf( ...parts )
{
	return Buffer.concat( parts.map( ( part ) =>
	{
		if ( Buffer.isBuffer( part ) )
		{
			return part;
		}
		if ( typeof part === 'string' )
		{
			const text = Buffer.from( part ), size = Buffer.alloc( 4 );
			size.writeUInt32LE( text.length );
			return Buffer.concat( [ size, text, Buffer.alloc( ( 4 - text.length % 4 ) % 4 ) ] );
		}
		const piece = Buffer.alloc( typeof part === 'bigint' ? 8 : 4 );
		typeof part === 'bigint' ? piece.writeBigUInt64LE( part ) : typeof part === 'object' ? piece.writeFloatLE( part.f ) : piece.writeUInt32LE( part >>> 0 );
		return piece;
	} ) );
}

export class StubRoom
{
	visitors = [];
	inbox = [];
	hashes = new Map();
	differs = 0;
	told = 0; // hashes that visitors told
	nextOwner = 10;
	flags = 0;
	refuses = null; // a reason, to all who come
	drops = false; // all who come are cut off without a word
	isSilent = false; // nothing is said or heard, and nothing closed

	static async open( scene )
	{
		const stub = new StubRoom();
		stub.room = await RoomModule.start( readFileSync( root + 'build/room.wasm' ) );
		stub.room.post( 1, 1, `load ${scene}` );
		stub.room.advance( 1 );
		stub.timer = setInterval( () => stub.tick(), 1000 / 60 );
		return stub;
	}
	close() { this.stop(); }
	/** Time stands still but for steps that are asked for. */
	stop() { clearInterval( this.timer ); }
	goOn( steps ) { for ( let i = 0; i < steps; ++i ) this.tick(); }

	/** All rooms of a page are this one. */
	async lead( page )
	{
		await page.routeWebSocket( /\/room\//, ( ws ) =>
		{
			if ( this.drops )
			{
				ws.close();
				return;
			}
			const visitor = { ws, owner: 0, mode: 0, name: '', said: [], told: 0 };
			ws.onMessage( ( message ) => this.hear( visitor, Buffer.from( message ) ) );
			ws.onClose( () => this.visitors = this.visitors.filter( ( one ) => one !== visitor ) );
		} );
	}
	dropAll()
	{
		const all = this.visitors;
		this.visitors = [];
		all.forEach( ( visitor ) => ( this.inbox.push( { owner: visitor.owner, sequence: 0, text: `letgo ${visitor.owner}` } ), visitor.ws.close() ) );
		this.tellPeople();
	}
	say( visitor, ...parts ) { this.isSilent || visitor.ws.send( bytesOf( ...parts ) ); }
	sayAll( ...parts ) { this.visitors.forEach( ( visitor ) => this.say( visitor, ...parts ) ); }

	tellPeople()
	{
		const people = this.visitors.flatMap( ( one, i ) => [ one.owner, ( i === 0 ? 1 : 0 ) | ( one.mode === 1 ? 4 : 0 ), one.color, 0, one.name ] );
		this.sayAll( 104, this.visitors.length, ...people );
	}
	giveImage( visitor )
	{
		const image = Buffer.from( this.room.saveImage() ), piece = 30000;
		for ( let at = 0; at < image.length; at += piece )
		{
			this.say( visitor, 102, this.room.step, image.length, at, image.subarray( at, at + piece ) );
		}
	}

	hear( visitor, bytes )
	{
		if ( this.isSilent )
		{
			return;
		}
		const kind = bytes.readUInt32LE( 0 );
		visitor.said.push( kind );
		if ( kind === 1 )
		{
			if ( this.refuses !== null )
			{
				this.say( visitor, 112, this.refuses, 'the stub does not want you' );
				visitor.ws.close();
				return;
			}
			visitor.mode = bytes.readUInt32LE( 8 );
			visitor.color = bytes.readUInt32LE( 16 );
			visitor.step = bytes.readUInt32LE( 20 );
			visitor.name = bytes.subarray( 28, 28 + bytes.readUInt32LE( 24 ) ).toString();
			visitor.owner = this.nextOwner++;
			this.visitors.push( visitor );
			this.say( visitor, 101, 1, visitor.owner, this.flags | ( this.visitors.length === 1 ? 1 : 0 ), { f: this.room.rate }, this.room.step, 20, 4 << 20, 'stub', `key-${visitor.owner}`, '' );
			this.giveImage( visitor );
			this.tellPeople();
		}
		else if ( kind === 2 )
		{
			bytes.subarray( 8 ).toString().split( '\n' ).filter( ( line ) => line !== '' ).forEach( ( text ) => this.inbox.push( { owner: visitor.owner, sequence: bytes.readUInt32LE( 4 ), text } ) );
		}
		else if ( kind === 3 )
		{
			this.told += 1;
			visitor.told += 1;
			const step = bytes.readUInt32LE( 4 ), hash = bytes.readBigUInt64LE( 8 ), right = this.hashes.get( step );
			if ( right !== undefined && right !== hash )
			{
				this.differs += 1;
				this.say( visitor, 107, step, right, hash );
				this.giveImage( visitor );
			}
		}
		else if ( kind === 4 )
		{
			this.visitors.filter( ( one ) => one !== visitor ).forEach( ( one ) => this.say( one, 105, 1, visitor.owner, bytes.readUInt32LE( 16 ), bytes.subarray( 4, 16 ) ) );
		}
		else if ( kind === 8 )
		{
			this.say( visitor, 109, bytes.readUInt32LE( 4 ), this.room.step );
		}
		else if ( kind === 9 )
		{
			this.giveImage( visitor );
		}
		else if ( kind === 10 )
		{
			visitor.color = bytes.readUInt32LE( 4 );
			visitor.name = bytes.subarray( 12, 12 + bytes.readUInt32LE( 8 ) ).toString();
			this.tellPeople();
		}
	}

	tick()
	{
		const entries = this.inbox.splice( 0 ), step = this.room.step;
		const tick = bytesOf( step, 1, ...entries.flatMap( ( one ) => [ 2 | one.owner << 16, one.sequence, one.text ] ) );
		const steps = this.room.postTick( tick );
		this.sayAll( 103, tick );
		this.room.advance( steps );
		if ( this.room.step % 20 === 0 )
		{
			this.hashes.set( this.room.step, BigInt( this.room.hash() ) );
		}
	}
}
