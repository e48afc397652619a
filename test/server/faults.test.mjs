// faults.test.mjs - lines that delay, split and break, and a disk that is full: visitors come back by themselves and have the same bits.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { Program, module, makeFolder, removeFolder, replay, root, sleep } from './program.mjs';
import { record } from './bits.mjs';
import { Visitor, commandsOf, words } from './visitor.mjs';
import { Socket } from './socket.mjs';

// Passes on what it gets in pieces of any size, late by up to `delay` seconds, in order; breaks a connection after so many bytes.
function badLine( port, { delay, breaks, random } )
{
	const sockets = new Set();
	const pass = ( from, to ) =>
	{
		let last = 0, left = breaks();
		const waiting = []; // in order, whatever timers do
		from.on( 'data', ( data ) =>
		{
			for ( let at = 0; at < data.length; )
			{
				const size = random() < 0.5 ? 1 + Math.floor( random() * 40 ) : 16384, piece = data.subarray( at, at + size );
				at += size;
				left -= piece.length;
				last = Math.max( last, performance.now() + 1000 * delay * random() );
				waiting.push( piece );
				setTimeout( () => { const first = waiting.shift(); if ( !to.destroyed ) to.write( first ); }, last - performance.now() );
			}
			if ( left < 0 ) { from.destroy(); to.destroy(); }
		} );
		from.on( 'error', () => {} );
		from.on( 'close', () => to.destroy() );
	};
	const server = createServer( ( one ) => { const other = connect( port, '127.0.0.1' ); sockets.add( one ); sockets.add( other ); pass( one, other ); pass( other, one ); } );
	return new Promise( ( resolve ) => server.listen( 0, '127.0.0.1', () => resolve( { port: server.address().port, close: () => { for ( const one of sockets ) one.destroy(); server.close(); } } ) ) );
}

// One that comes back, as who it was and where it was.
async function comeBack( old, options )
{
	for ( let i = 0; i < 60; ++i )
	{
		const visitor = new Visitor( { module } );
		const isWhole = old?.room && old.hasImage;
		if ( isWhole ) { visitor.room = old.room; visitor.step = old.step; visitor.hasImage = true; visitor.sequence = old.sequence; }
		if ( await visitor.open( { ...options, key: old?.welcome?.key ?? '', step: isWhole ? old.step : 0 } ) )
		{
			visitor.differs.push( ...old?.differs ?? [] );
			return visitor;
		}
		await sleep( 0.2 );
	}
	throw new Error( 'it never came back' );
}

test( 'over a line that delays, splits and breaks', async () =>
{
	let state = 99;
	const random = () => ( state = ( state * 1664525 + 1013904223 ) >>> 0 ) / 4294967296;
	const program = await Program.start( [ 'table', '--rate', '20' ] );
	let lines = 0; // each lasts longer than the one before: an image has to come through in one piece, and may be larger than all that the first ones carry
	const line = await badLine( program.port, { delay: 0.08, breaks: () => ( 60000 + random() * 200000 ) * 1.1 ** lines++, random } );
	const host = await comeBack( null, { port: program.port } );
	host.command( 'spawn cube at 0 0.6 0' );
	let one = await comeBack( null, { port: line.port } ), returns = 0;
	const owner = one.owner;
	for ( let i = 0; i < 60; ++i )
	{
		if ( i % 20 === 10 ) one.kill();
		if ( one.isClosed || one.socket.isClosed ) { one = await comeBack( one, { port: line.port } ); returns += 1; }
		one.command( i % 10 === 0 ? `grab ${one.owner}:1 ray 0 3 0 0 -4 0 radius 0.3` : `move ${one.owner}:1 ${( random() - 0.5 ).toFixed( 3 )} 1 0` );
		host.command( `push ${host.owner}:1 at ${( random() - 0.5 ).toFixed( 3 )} 0.3 0 radius 0.2` );
		await sleep( 0.04 );
	}
	assert.ok( returns >= 3 );
	assert.equal( one.owner, owner );
	host.act( 5 );
	assert.ok( await host.until( () => ( host.flags & 16 ) === 16 ) );
	// What came late is still done while time stands still, so that one may have it and the other not yet; and the line may break now too
	const reach = async ( first, port ) =>
	{
		let visitor = first;
		const isThere = () => visitor.pongs.length > 0 && visitor.hasImage && visitor.step >= visitor.pongs[0].step;
		for ( visitor.pongs = []; isThere() === false; )
		{
			if ( visitor.isClosed || visitor.socket.isClosed ) visitor = await comeBack( visitor, { port } );
			visitor.socket.send( words( 8, 1 ) );
			await visitor.until( () => isThere() || visitor.isClosed, 30 );
		}
		return visitor;
	};
	const told = ( visitor ) => [ visitor.step, visitor.room.hash() ];
	for ( let tries = 0; tries < 100; ++tries, await sleep( 0.1 ) )
	{
		await reach( host, program.port );
		one = await reach( one, line.port );
		if ( told( one ).join() === told( host ).join() ) break;
	}
	assert.deepEqual( told( one ), told( host ) );
	assert.equal( await program.metric( 'differs_total' ), 0 );
	line.close();
	host.close();
	assert.equal( await program.end(), 0 );
} );

test( 'a full disk: the room waits, says so, and goes on', async () =>
{
	const folder = makeFolder();
	const program = await Program.start( [ 'table', '--dir', folder, '--image-seconds', '1000' ] );
	const visitor = await comeBack( null, { port: program.port, room: 'full' } );
	assert.ok( await visitor.until( () => visitor.hashes.size >= 1 ) );
	const limit = ( bytes ) => spawnSync( 'prlimit', [ '--pid', String( program.child.pid ), `--fsize=${bytes}:unlimited` ] ).status;
	assert.equal( limit( statSync( `${folder}/full.log` ).size + 200 ), 0 );
	assert.ok( await visitor.until( () => ( visitor.flags & 32 ) === 32 ) );
	const step = visitor.step, faults = await program.metric( 'disk_faults_total' );
	await program.until( 'disk_faults_total', ( value ) => value > faults + 2 ); // it has tried again and again
	assert.equal( visitor.step, step );
	assert.ok( replay( `${folder}/full.log` ).steps >= step ); // all that was told is there
	assert.equal( limit( 'unlimited' ), 0 );
	assert.ok( await visitor.until( () => ( visitor.flags & 32 ) === 0 && visitor.step > step + 60 ) );
	assert.equal( visitor.differs.length, 0 );
	assert.ok( await program.metric( 'disk_faults_total' ) >= 1 );
	visitor.close();
	assert.equal( await program.end(), 0 );
	assert.equal( replay( `${folder}/full.log` ).code, 0 );
	removeFolder( folder );
} );

test( 'a line that is dead at one end only: who says nothing is asked, taken for gone, and lets go; who never says hello is shown the door', async () =>
{
	const program = await Program.start( [ 'table', '--silent-seconds', '10' ] ); // longer than whoever answers may take to do so, here too
	const [ ann, bob ] = [ new Visitor(), new Visitor() ];
	for ( const one of [ ann, bob ] ) assert.ok( await one.open( { port: program.port } ) && await one.until( () => one.hasImage ) );
	const seen = [];
	bob.ontick = ( bytes ) => seen.push( ...commandsOf( bytes ) );
	ann.command( `push ${ann.owner}:1 at 0 1 0 radius 0.2` );
	assert.ok( await bob.until( () => seen.some( ( one ) => one.owner === ann.owner ) && bob.people.length === 2 ) );
	// From here on nothing comes from her: no word, no pong. Nothing is closed.
	ann.socket.isDeaf = true;
	const silent = new Socket();
	let goodbye = 0;
	silent.onmessage = ( bytes ) => { if ( bytes.readUInt32LE( 0 ) === 112 ) goodbye = bytes.readUInt32LE( 4 ); bob.settle(); };
	assert.ok( await silent.open( { port: program.port, path: '/room/test' } ) );
	assert.ok( await bob.until( () => bob.people.length === 1 && seen.some( ( one ) => one.text === `letgo ${ann.owner}` ) ), JSON.stringify( bob.people ) );
	assert.ok( await bob.until( () => goodbye === 5 ) );
	assert.equal( bob.goodbye, null ); // who answers stays, however little he has to say
	ann.kill();
	silent.kill();
	bob.close();
	assert.equal( await program.end(), 0 );
} );

test( 'somebody sets the clock back and forth, and the machine sleeps: time in a room goes on as before', async () =>
{
	const folder = makeFolder(), jumper = join( folder, 'jump_clock.so' );
	const built = spawnSync( 'cc', [ '-shared', '-fPIC', '-o', jumper, root + 'test/server/jump_clock.c' ], { encoding: 'utf8' } );
	assert.equal( built.status, 0, built.stderr );
	// A sanitizer wants to be loaded first
	const program = await Program.start( [ 'table', '--dir', folder, '--image-seconds', '0.5' ], { LD_PRELOAD: jumper, ASAN_OPTIONS: 'verify_asan_link_order=0' } );
	const visitor = await comeBack( null, { port: program.port, room: 'clock' } );
	assert.ok( await visitor.until( () => visitor.step > 10 ) );
	// How far the room is, and when that was at the earliest or at the latest: what was told may be on its way for a while
	const look = async () =>
	{
		const asked = performance.now();
		visitor.pongs = [];
		visitor.socket.send( words( 8, 1 ) );
		assert.ok( await visitor.until( () => visitor.pongs.length > 0 ) );
		return { step: visitor.pongs[0].step, asked, told: performance.now() };
	};
	const rate = visitor.welcome.rate, first = await look();
	for ( const signal of [ 'SIGUSR1', 'SIGUSR1', 'SIGUSR2', 'SIGUSR2', 'SIGUSR1' ] )
	{
		const step = visitor.step;
		program.child.kill( signal );
		visitor.command( 'throw all 0 1 0' );
		assert.ok( await visitor.until( () => visitor.step > step + 20 ), `it stands at step ${visitor.step} after ${signal}` );
	}
	// Never more steps than time had room for, but what may be made up for: a quarter of a second, and a tick's steps
	const then = await look();
	assert.ok( then.step - first.step <= rate * ( ( then.told - first.asked ) / 1000 + 0.25 ) + 5, `${then.step - first.step} steps in ${then.told - first.asked} ms` );
	assert.equal( visitor.goodbye, null );
	// The server does not run for two seconds, as on a machine that was put to sleep: these are gone, not made up for
	program.child.kill( 'SIGSTOP' );
	const stopped = performance.now();
	await sleep( 2 );
	const woken = performance.now();
	program.child.kill( 'SIGCONT' );
	assert.ok( await visitor.until( () => visitor.step > then.step + 30 ) );
	const last = await look(), ran = ( stopped - then.asked ) + ( last.told - woken );
	assert.ok( last.step - then.step <= rate * ( ran / 1000 + 0.25 ) + 5, `${last.step - then.step} steps in ${ran} ms` );
	assert.equal( visitor.differs.length, 0 );
	visitor.close();
	assert.equal( await program.end(), 0 );
	assert.equal( replay( `${folder}/clock.log` ).code, 0 );
	removeFolder( folder );
} );

test( 'files of an older version: refused, or read, with a clear word', async () =>
{
	const folder = makeFolder(), options = [ 'table', '--dir', folder, '--image-seconds', '1000' ];
	let program = await Program.start( options );
	const ann = await comeBack( null, { port: program.port, room: 'old' } );
	ann.command( 'spawn cube at 0 1 0' );
	assert.ok( await ann.until( () => ann.hashes.size >= 2 ) );
	await program.end( 'SIGKILL' );
	const log = readFileSync( `${folder}/old.log` ), told = replay( `${folder}/old.log` );
	assert.equal( told.code, 0 );
	// As if the version that wrote it had come to another hash: the record's checks are right
	const other = Buffer.from( log );
	let changed = 0;
	for ( let at = 16; at + 24 <= other.length; )
	{
		const size = other.readUInt32LE( at + 4 );
		if ( other.readUInt32LE( at ) === 4 && changed++ === 0 )
		{
			other[at + 24 + 8] ^= 1;
			record( 4, other.subarray( at + 24, at + 24 + size ), at ).copy( other, at );
		}
		at += 24 + ( ( size + 7 ) & ~7 );
	}
	assert.ok( changed >= 1, 'hashes are written down' );
	writeFileSync( `${folder}/old.log`, other );
	assert.match( replay( `${folder}/old.log` ).told, /written by a version of pliant that computes otherwise: after step 60 / );
	assert.equal( replay( `${folder}/old.log` ).code, 1 );
	// Another version of the file itself, and none at all
	writeFileSync( `${folder}/older.log`, Buffer.concat( [ Buffer.from( 'pliantL0' ), log.subarray( 8 ) ] ) );
	writeFileSync( `${folder}/words.log`, 'these are words\n' );
	program = await Program.start( options );
	const bob = await comeBack( null, { port: program.port, room: 'old' } );
	assert.ok( bob.welcome.step >= told.steps );
	assert.ok( await bob.until( () => bob.hashes.size >= 1 && bob.step > bob.welcome.step + 60 ) );
	assert.match( program.errors, /room old goes on, but not with the bits of its log: .*The log is kept as .*old\.log\.other/ );
	assert.ok( existsSync( `${folder}/old.log.other` ) && readFileSync( `${folder}/old.log.other` ).equals( other ) );
	for ( const [ room, why ] of [ [ 'older', /made by another version of pliant/ ], [ 'words', /not a room's log/ ] ] )
	{
		const cid = new Visitor();
		assert.equal( await cid.open( { port: program.port, room } ), false );
		assert.equal( cid.goodbye.reason, 8 );
		assert.match( cid.goodbye.text, why );
	}
	bob.close();
	assert.equal( await program.end(), 0 );
	assert.equal( replay( `${folder}/old.log` ).code, 0 ); // its own bits now
	removeFolder( folder );
} );
