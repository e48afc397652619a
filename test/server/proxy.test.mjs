// proxy.test.mjs - two servers behind HAProxy: each room has one home, and moves when that ends, with its bits and its visitors. Needs haproxy.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { createServer } from 'node:net';
import { Program, makeFolder, removeFolder, root, sleep } from './program.mjs';
import { Visitor } from './visitor.mjs';

const hasProxy = spawnSync( 'haproxy', [ '-v' ] ).status === 0;
const freePort = () => new Promise( ( resolve ) => { const server = createServer(); server.listen( 0, '127.0.0.1', () => { const { port } = server.address(); server.close( () => resolve( port ) ); } ); } );

// Tries until it is in, as the page does.
async function enter( port, options )
{
	for ( let i = 0; i < 1000; ++i )
	{
		const visitor = new Visitor();
		if ( await visitor.open( { port, ...options } ) ) return visitor;
		await sleep( 0.2 );
	}
	throw new Error( 'nobody was let in' );
}

test( 'a room has one home, and moves', { skip: hasProxy ? false : 'there is no haproxy' }, async () =>
{
	const folder = makeFolder(), front = await freePort();
	const options = [ 'table', '--dir', folder, '--empty-seconds', '3600', '--rate', '20' ];
	const servers = [ await Program.start( options ), await Program.start( options ) ];
	const proxy = spawn( 'haproxy', [ '-db', '-f', root + 'tools/proxy/haproxy.cfg' ], { stdio: 'ignore', env: { ...process.env, PLIANT_FRONT: front, PLIANT_A: servers[0].port, PLIANT_B: servers[1].port } } );
	try
	{
		const names = Array.from( { length: 12 }, ( _, i ) => `room-${i}` );
		const visitors = [];
		for ( const name of names )
		{
			visitors.push( await enter( front, { room: name, name: 'Ann' } ) );
			visitors.push( await enter( front, { room: name, name: 'Bob' } ) );
		}
		// Both of a room are in one place, and rooms are spread
		for ( const one of visitors ) assert.ok( await one.until( () => one.people.length === 2 ), `${one.people.length} in ${one.options.room}` );
		const counts = [ await servers[0].metric( 'rooms' ), await servers[1].metric( 'rooms' ) ];
		assert.equal( counts[0] + counts[1], 12 );
		assert.ok( counts[0] > 0 && counts[1] > 0, `${counts}` );
		visitors[0].command( 'spawn duck at 0 1 0' );
		await visitors[0].until( () => visitors[0].commands > 0 );
		// One ends: its rooms are read by the other, and go on where they were
		assert.equal( await servers[0].end(), 0 );
		const moved = () => visitors.filter( ( one ) => one.isClosed );
		while ( moved().length < 2 * counts[0] ) await sleep( 0.05 ); // they hear of it through the proxy
		assert.equal( moved().length, 2 * counts[0] );
		for ( const one of moved() )
		{
			assert.equal( one.goodbye?.reason, 1 );
			const again = await enter( front, { room: one.options.room, key: one.welcome.key } );
			assert.equal( again.owner, one.owner );
			assert.ok( again.welcome.step >= one.step, `${again.welcome.step} after ${one.step}` );
			again.kill();
		}
		assert.equal( await servers[1].metric( 'rooms' ), 12 );
		for ( const one of visitors ) one.kill();
	}
	finally
	{
		proxy.kill();
		await servers[0].end();
		await servers[1].end();
		removeFolder( folder );
	}
} );
