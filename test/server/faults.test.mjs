// faults.test.mjs - lines that delay, split and break, and a disk that is full: visitors come back by themselves and have the same bits.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { connect, createServer } from 'node:net';
import { statSync } from 'node:fs';
import { Program, module, makeFolder, removeFolder, replay, sleep } from './program.mjs';
import { Visitor, words } from './visitor.mjs';

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
	const line = await badLine( program.port, { delay: 0.08, breaks: () => 60000 + random() * 200000, random } );
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
	const hashes = [];
	for ( let visitor of [ host, one ] )
	{
		if ( visitor.isClosed || visitor.socket.isClosed ) visitor = one = await comeBack( visitor, { port: line.port } );
		visitor.socket.send( words( 8, 1 ) );
		assert.ok( await visitor.until( () => visitor.pongs.length > 0 && visitor.hasImage && visitor.step >= visitor.pongs[0].step, 60 ), `it came to step ${visitor.step} of ${visitor.pongs[0]?.step}` );
		hashes.push( [ visitor.step, visitor.room.hash() ] );
	}
	assert.deepEqual( hashes[1], hashes[0] );
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
	const step = visitor.step;
	await sleep( 0.4 );
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
