// follow.test.mjs - what a room's server and a visitor say, byte by byte; and a room that follows another by images and ticks. Node only, no sockets.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { load } from './bundle.mjs';

const { comesBack, read, write } = await load( 'link/room_messages' );
const { ImagePieces } = await load( 'link/image_pieces' );
const { Follower } = await load( 'link/follow' );
const { RoomModule } = await load( 'link/module' );
const { readRoomAddress, socketAddress, writeRoomAddress } = await load( 'files/room_address' );
const root = fileURLToPath( new URL( '../../', import.meta.url ) );
const startRoom = () => RoomModule.start( readFileSync( root + 'build/room.wasm' ) );

// ---- bytes, as docs/wire.md has them ----

/** Words, floats, longs and texts one after another, by hand. */
function bytesOf( ...parts )
{
	const pieces = parts.map( ( part ) =>
	{
		if ( typeof part === 'string' )
		{
			const text = Buffer.from( part ), size = Buffer.alloc( 4 );
			size.writeUInt32LE( text.length );
			return Buffer.concat( [ size, text, Buffer.alloc( ( 4 - text.length % 4 ) % 4 ) ] );
		}
		const piece = Buffer.alloc( typeof part === 'bigint' ? 8 : 4 );
		typeof part === 'bigint' ? piece.writeBigUInt64LE( part ) : typeof part === 'object' ? piece.writeFloatLE( part.f ) : piece.writeUInt32LE( part );
		return piece;
	} );
	return new Uint8Array( Buffer.concat( pieces ) );
}
const f = ( value ) => ( { f: value } );
const readBytes = ( ...parts ) => read( bytesOf( ...parts ).buffer );

test( 'what a visitor says has the bytes of the wire', () =>
{
	assert.deepEqual( write.hello( { mode: 'stream', looksOn: true, color: 0x123456, step: 77, name: 'Zoë', token: 't', key: '', scene: 'heap' } ), bytesOf( 1, 1, 1, 1, 0x123456, 77, 'Zoë', 't', '', 'heap' ) );
	assert.deepEqual( write.commands( 9, 'undo' ), new Uint8Array( [ 2, 0, 0, 0, 9, 0, 0, 0, 117, 110, 100, 111 ] ) );
	assert.deepEqual( write.hash( 60, '0xfedcba9876543210' ), bytesOf( 3, 60, 0xfedcba9876543210n ) );
	assert.deepEqual( write.cursor( [ 1, -2, 0.5 ] ), bytesOf( 4, f( 1 ), f( -2 ), f( 0.5 ), 1 ) );
	assert.deepEqual( write.cursor( null ), bytesOf( 4, 0, 0, 0, 0 ) );
	assert.deepEqual( write.ready( 5 ), bytesOf( 5, 5 ) );
	assert.deepEqual( write.mode( 'lockstep', 3 ), bytesOf( 6, 0, 3 ) );
	assert.deepEqual( write.act( 'remove', 12 ), bytesOf( 7, 7, 12 ) );
	assert.deepEqual( write.act( 'lock scene' ), bytesOf( 7, 1, 0 ) );
	assert.deepEqual( write.ping( 4 ), bytesOf( 8, 4 ) );
	assert.deepEqual( write.again(), bytesOf( 9 ) );
	assert.deepEqual( write.person( 255, '<b>' ), bytesOf( 10, 255, '<b>' ) );
} );

test( 'what a server says is read, and what it may say one day is passed over', () =>
{
	const { welcome } = readBytes( 101, 1, 12, 1 | 16, f( 60 ), 1000, 60, 4 << 20, 'den', 'key', 'look' );
	assert.deepEqual( [ welcome.owner, welcome.step, welcome.hashEvery, welcome.room, welcome.key, welcome.lookToken ], [ 12, 1000, 60, 'den', 'key', 'look' ] );
	assert.deepEqual( welcome.state, { isHost: true, looksOn: false, sceneLocked: false, materialsLocked: false, frozen: true, noDisk: false, rate: 60 } );
	const people = readBytes( 104, 2, 10, 1, 0xff0000, 0, 'A', 11, 2 | 4, 0x00ff00, 200, '<script>' ).people;
	assert.deepEqual( people[1], { owner: 11, isHost: false, looksOn: true, streams: true, color: 0x00ff00, behind: 200, name: '<script>' } );
	assert.deepEqual( readBytes( 105, 2, 10, 1, f( 1 ), f( 2 ), f( 3 ), 11, 0, 0, 0, 0 ).cursors, [ { owner: 10, place: [ 1, 2, 3 ] }, { owner: 11, place: null } ] );
	assert.deepEqual( readBytes( 105, 1, 10, 1, f( NaN ), f( 2 ), f( 3 ) ).cursors, [ { owner: 10, place: null } ] );
	assert.deepEqual( readBytes( 107, 60, 1n, 255n ), { kind: 'differs', step: 60, wanted: '0x0000000000000001', told: '0x00000000000000ff' } );
	assert.deepEqual( readBytes( 110, 3, 2, 'no' ), { kind: 'answer', sequence: 3, outcome: 2, text: 'no' } );
	assert.deepEqual( readBytes( 112, 1, 'bye', 99 ), { kind: 'goodbye', reason: 1, text: 'bye' } );
	assert.deepEqual( readBytes( 999, 1, 2 ), { kind: 'unknown' } );
	assert.deepEqual( [ 1, 2, 3, 4, 5, 6, 7, 8 ].filter( comesBack ), [ 1, 5, 7 ] );
	const tick = readBytes( 103, 40, 2, 1 | 10 << 16, f( 0 ), f( 1 ), f( 2 ) );
	assert.deepEqual( [ tick.step, tick.steps, tick.bytes.byteLength ], [ 40, 2, 24 ] );
} );

test( 'a message that ends too early, or counts more than it holds, is an error', () =>
{
	const whole = [ bytesOf( 101, 1, 12, 0, f( 60 ), 0, 60, 9, 'den', 'key', '' ), bytesOf( 104, 1, 10, 1, 0, 0, 'name' ), bytesOf( 105, 1, 10, 1, f( 1 ), f( 2 ), f( 3 ) ), bytesOf( 112, 1, 'bye' ) ];
	for ( const bytes of whole )
	{
		for ( let end = 0; end < bytes.length - 4; ++end )
		{
			assert.throws( () => read( bytes.slice( 0, end ).buffer ), RangeError );
		}
	}
	assert.throws( () => readBytes( 104, 0xffffffff, 10 ), RangeError );
	assert.throws( () => readBytes( 108, 0, 0x7fffffff ), RangeError );
} );

test( 'any bytes are read as a message of a server, or refused: nothing else is thrown, and nothing is made of lengths that are not there', () =>
{
	const samples = [
		bytesOf( 101, 1, 12, 1 | 16, f( 60 ), 1000, 60, 4 << 20, 'den', 'key', 'look' ), bytesOf( 102, 60, 8, 0, 1, 2 ), bytesOf( 103, 40, 2, 1 | 10 << 16, f( 0 ), f( 1 ), f( 2 ) ), bytesOf( 104, 2, 10, 1, 0xff0000, 0, 'A', 11, 6, 0xff00, 200, '<b>' ),
		bytesOf( 105, 2, 10, 1, f( 1 ), f( 2 ), f( 3 ), 11, 0, 0, 0, 0 ), bytesOf( 106, 1, 2, 3, 4 ), bytesOf( 107, 60, 1n, 255n ), bytesOf( 108, 1, 'a word' ), bytesOf( 109, 4, 60 ), bytesOf( 110, 3, 2, 'no' ), bytesOf( 111, 16, f( 60 ) ), bytesOf( 112, 1, 'bye' ),
	];
	let seed = Number( process.env.PLIANT_SEED ?? 1 ), wholes = 0, refused = 0;
	const random = ( below ) => ( seed = ( seed * 48271 ) % 2147483647 ) % below;
	for ( let i = 0; i < ( process.env.PLIANT_LONG ? 200000 : 20000 ); ++i )
	{
		let bytes = samples[random( samples.length )].slice();
		for ( let k = random( 5 ); k > 0; --k )
		{
			bytes[random( bytes.length )] = random( 3 ) === 0 ? 255 : random( 256 );
		}
		bytes = bytes.slice( 0, random( 4 ) === 0 ? random( bytes.length + 1 ) : bytes.length );
		try
		{
			const message = read( bytes.buffer );
			wholes += 1;
			for ( const [ name, value ] of Object.entries( message ) )
			{
				assert.ok( name === 'kind' || value?.length === undefined || value.length <= bytes.length, `${message.kind} holds more than was sent` );
			}
		}
		catch ( error )
		{
			assert.ok( error instanceof RangeError, `${error}` );
			refused += 1;
		}
	}
	assert.ok( wholes > 1000 && refused > 1000, `${wholes} read, ${refused} refused` );
} );

test( 'an image comes in pieces, in order, and another begins anew', () =>
{
	const pieces = new ImagePieces(), part = ( ...values ) => new Uint8Array( values );
	assert.equal( pieces.take( 7, 4, 0, part( 1, 2 ) ), null );
	assert.equal( pieces.part, 0.5 );
	assert.equal( pieces.take( 9, 3, 0, part( 5, 6 ) ), null ); // of another step
	assert.deepEqual( [ ...new Uint8Array( pieces.take( 9, 3, 2, part( 7 ) ) ) ], [ 5, 6, 7 ] );
	assert.equal( pieces.step, 9 );
	for ( const [ offset, bytes ] of [ [ 3, part( 1 ) ], [ 1, part( 1 ) ], [ 2, part( 1, 2, 3 ) ] ] )
	{
		pieces.take( 1, 4, 0, part( 1, 2 ) );
		assert.equal( pieces.take( 1, 4, offset, bytes ), null );
		assert.equal( pieces.take( 1, 4, 2, part( 3, 4 ) ), null ); // all of it is void
	}
} );

test( 'an address names a room, or none', () =>
{
	assert.equal( readRoomAddress( 'http://a.b/page/#scene=heap' ), null );
	assert.equal( readRoomAddress( 'http://a.b/#room=no/way' ), null );
	const room = readRoomAddress( 'https://a.b/soft/#room=den&token=x%26y&look=1&mode=stream&scene=heap' );
	assert.deepEqual( room, { name: 'den', token: 'x&y', looksOn: true, scene: 'heap', mode: 'stream', page: 'https://a.b/soft/' } );
	assert.equal( socketAddress( room ), 'wss://a.b/soft/room/den' );
	assert.deepEqual( readRoomAddress( 'http://a.b/?room=den#token=x' ), { name: 'den', token: 'x', looksOn: false, scene: '', mode: 'auto', page: 'http://a.b/' } );
	assert.deepEqual( readRoomAddress( 'http://a.b:80/room/den' ).page, 'http://a.b/' );
	assert.equal( socketAddress( readRoomAddress( 'http://a.b/index.html#room=den' ) ), 'ws://a.b/room/den' );
	assert.deepEqual( readRoomAddress( writeRoomAddress( 'http://a.b/', 'den', 'x&y', true ) ).token, 'x&y' );
} );

// ---- a room that follows another ----

/** A tick as a server writes it: lines and moves before some steps. */
function tickOf( step, steps, lines = [], moves = [] )
{
	const entries = [
		...lines.map( ( [ owner, sequence, text ] ) => bytesOf( 2 | owner << 16, sequence, text ) ),
		...moves.map( ( [ owner, hand, ...place ] ) => bytesOf( 1 | hand << 8 | owner << 16, ...place.map( f ) ) ),
	];
	return new Uint8Array( Buffer.concat( [ bytesOf( step, steps ), ...entries ] ) );
}
/** The leading room does what a tick says, as the server does. */
function lead( room, tick )
{
	const steps = room.postTick( tick );
	assert.ok( steps >= 0 );
	room.advance( steps );
}
/** As long as it takes, with time going on. */
function followAll( follower )
{
	for ( let i = 0; i < 10000 && follower.behind > 0; ++i )
	{
		follower.advance( 1000, Infinity );
	}
	follower.advance( 0, Infinity );
}

test( 'a room that begins with an image and is given ticks has the same bits, step by step', async () =>
{
	const leader = await startRoom(), other = await startRoom();
	leader.post( 10, 1, 'load toys' );
	leader.advance( 37 );
	const told = [], lost = [];
	const follower = new Follower( other, 20, ( step, hash ) => told.push( [ step, hash ] ), ( text ) => lost.push( text ) );
	follower.take( tickOf( 37, 1 ) ); // before there is an image it means nothing
	follower.load( leader.saveImage() );
	assert.equal( other.hash(), leader.hash() );
	const hashes = new Map();
	let seed = 5;
	const random = () => ( seed = ( seed * 16807 ) % 2147483647 ) / 2147483647;
	for ( let i = 0; i < 120; ++i )
	{
		const step = leader.step, lines = [], moves = [];
		if ( i % 15 === 0 )
		{
			lines.push( [ 10 + i % 2, i, `grab ${10 + i % 2}:1 at ${( random() - 0.5 ).toFixed( 2 )} 0.4 ${( random() - 0.5 ).toFixed( 2 )} radius 0.6` ] );
		}
		if ( i === 50 )
		{
			lines.push( [ 11, i, 'cut plane -1.45 0.4 -0.45 1 0 0 inside 1' ] );
		}
		moves.push( [ 10, 1, random() - 0.5, 0.5 + random(), random() - 0.5 ] );
		const steps = Math.floor( 4 * random() ), tick = tickOf( step, steps, lines, i % 3 === 0 ? [] : moves );
		for ( let s = 0, made = leader.postTick( tick ); s < Math.max( 1, made ); ++s )
		{
			leader.advance( made === 0 ? 0 : 1 );
			if ( made > 0 )
			{
				hashes.set( leader.step, leader.hash() ); // right after the step: what is done before the next one comes later
			}
		}
		follower.take( tick );
	}
	followAll( follower );
	assert.deepEqual( lost, [] );
	assert.equal( other.step, leader.step );
	assert.equal( other.hash(), leader.hash() );
	assert.ok( told.length >= 5 );
	told.forEach( ( [ step, hash ] ) => assert.equal( hash, hashes.get( step ), `after step ${step}` ) );
} );

test( 'steps that nobody does anything in are made as time goes on, and a deed is not kept waiting', async () =>
{
	const leader = await startRoom(), other = await startRoom();
	leader.post( 10, 1, 'load table' );
	leader.advance( 1 );
	const follower = new Follower( other, 1000, () => {}, assert.fail );
	follower.load( leader.saveImage() );
	follower.take( tickOf( 1, 3 ) );
	assert.equal( follower.advance( 0, Infinity ), 0 );
	assert.equal( follower.advance( 17, Infinity ), 1 );
	assert.equal( follower.behind, 2 );
	follower.take( tickOf( 4, 1, [ [ 10, 2, 'spawn ball at 0 1 0' ] ] ) );
	assert.equal( follower.advance( 0, Infinity ), 2 ); // up to the deed at once
	assert.equal( other.step, 4 );
	// Far behind: as quickly as can be
	follower.take( tickOf( 5, 200 ) );
	follower.take( tickOf( 205, 3 ) );
	follower.take( tickOf( 208, 3 ) );
	let made = 0;
	for ( let i = 0; i < 400; ++i )
	{
		follower.take( tickOf( 211 + 3 * i, 3 ) );
	}
	made = follower.advance( 17, Infinity );
	assert.ok( made > 1000, `${made} steps` );
} );

test( 'a tick of another step, a broken image, an undo to what was before the image: it says that it is lost', async () =>
{
	const leader = await startRoom(), other = await startRoom();
	leader.post( 10, 1, 'load toys' );
	leader.advance( 5 );
	leader.post( 10, 2, 'spawn ball at 0 2 0' );
	leader.advance( 5 );
	const lost = [], follower = new Follower( other, 1000, () => {}, ( text ) => lost.push( text ) );
	const image = leader.saveImage();
	for ( const bad of [ image.slice( 0, 100 ), image.map( ( value, i ) => i === 500 ? value ^ 4 : value ) ] )
	{
		const before = other.hash();
		assert.throws( () => follower.load( bad ) );
		assert.equal( other.hash(), before );
	}
	follower.load( image );
	follower.take( tickOf( 99, 1 ) );
	follower.advance( 17, Infinity );
	assert.equal( lost.length, 1 );
	follower.load( image );
	const undo = tickOf( 10, 1, [ [ 10, 3, 'undo' ] ] );
	lead( leader, undo );
	follower.take( undo );
	follower.advance( 17, Infinity );
	assert.equal( lost.length, 2 );
	follower.load( leader.saveImage() );
	assert.equal( other.hash(), leader.hash() );
} );
