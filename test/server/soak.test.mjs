// soak.test.mjs - people come, do things and go, again and again: once rooms keep as much to undo as they may, a server's memory does not grow. Ten minutes of it: node load.mjs soak 600.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { Program, makeFolder, removeFolder, sleep } from './program.mjs';
import { Visitor } from './visitor.mjs';

const memory = ( program ) => Number( /Pss:\s+(\d+)/.exec( readFileSync( `/proc/${program.child.pid}/smaps_rollup`, 'utf8' ) )[1] ) / 1000; // MB
const median = ( values ) => [ ...values ].sort( ( a, b ) => a - b )[values.length >> 1];
const history = async ( program ) => [ ...( await program.get( '/metrics' ) ).body.matchAll( /^pliant_room_history_bytes\{.*\} (\d+)$/gm ) ].map( ( found ) => Number( found[1] ) / ( 1 << 20 ) ); // MiB, of each room

test( 'memory stays as it is while people come, do things and go', { timeout: 600000 }, async ( t ) =>
{
	const bound = 6, rooms = 3, folder = makeFolder(); // MiB a room: as full after seconds as 24 are after minutes
	const program = await Program.start( [ 'table', '--visitors', '600', '--empty-seconds', '0.1', '--undo', String( bound ), '--dir', folder, '--image-seconds', '2' ] );
	t.after( async () => { await program.end( 'SIGKILL' ); removeFolder( folder ); } );
	let state = 5, round = 0, images = 0, deeds = 0, fullest = 0;
	const random = () => ( state = ( state * 1664525 + 1013904223 ) >>> 0 ) / 4294967296, place = () => ( 4 * random() - 2 ).toFixed( 2 );
	const doings = [
		( one ) => `grab ${one.owner}:1 ray ${place()} 3 ${place()} 0 -4 0 radius 1`,
		( one ) => `push ${one.owner}:2 at ${place()} 0.3 ${place()} radius 0.2`,
		( one ) => `move ${one.owner}:1 ${place()} 1 ${place()}`,
		( one ) => `letgo ${one.owner}`,
		() => 'undo',
		() => 'redo',
		() => `spawn ball at ${place()} 2 ${place()}`,
		() => `cut plane 0 0.3 0 1 0 0.2 inside 1`,
	];
	const visit = async () =>
	{
		const visitors = Array.from( { length: 8 }, () => new Visitor() );
		await Promise.all( visitors.map( ( one, i ) => one.open( { port: program.port, room: `soak${round % rooms}`, mode: i % 4 === 0 ? 1 : 0 } ) ) );
		visitors[0].command( 'load table' ); // worlds are of one size throughout, but for what is done to them here
		for ( let i = 0; i < 3; ++i )
		{
			for ( const one of visitors ) one.command( doings[Math.floor( doings.length * random() )]( one ) );
			await sleep( 0.02 );
		}
		assert.ok( await visitors[1].until( () => visitors.every( ( one ) => one.hasImage || one.frames > 0 ) ) );
		images += visitors.filter( ( one ) => one.hasImage ).length;
		deeds += 24;
		const kept = await history( program );
		fullest = Math.max( fullest, ...kept );
		for ( const one of visitors ) random() < 0.5 ? one.kill() : one.close();
		await sleep( 0.02 );
		round += 1;
		return memory( program );
	};
	const visits = async ( count ) => { const sizes = []; while ( sizes.length < count ) sizes.push( await visit() ); return median( sizes ); };
	const many = process.env.PLIANT_LONG ? 600 : 45;
	while ( fullest < 0.8 * bound || round < many / 3 ) { await visit(); assert.ok( round < 300, `kept to undo: ${fullest} MiB at most` ); }
	// With all rooms put away nothing is left but the program: now, and after all the visits that follow. What is allocated tells; what the heap holds free comes and goes
	const leftOver = async () =>
	{
		await program.until( 'rooms', ( value ) => value === 0 );
		await program.until( 'visitors', ( value ) => value === 0 );
		return Number( /^pliant_allocated_bytes (\d+)$/m.exec( ( await program.get( '/metrics' ) ).body )[1] ) / 1e6;
	};
	const before = await leftOver();
	images = deeds = 0;
	const first = await visits( many / 3 ), last = await ( async () => { await visits( many / 3 ); return visits( many / 3 ); } )();
	// A world has 0.3 MB, and is kept by every other deed: what one in twenty of them, or of the images, left behind would be seen
	t.diagnostic( `${first.toFixed( 1 )} MB, later ${last.toFixed( 1 )} MB; ${images} images, ${deeds} commands; kept to undo in a room: ${fullest.toFixed( 1 )} MiB at most` );
	assert.ok( last - first < 0.3 / 20 * ( images + deeds / 2 ), `${first} MB, later ${last} MB, ${images} images, ${deeds} commands` );
	// The program has 8 MB, a room what it keeps to undo and, while its log begins anew, an image with the same; what the heap holds free comes on top of that
	assert.ok( last < 10 + 2.1 * bound * rooms, `${last} MB` );
	assert.ok( fullest <= bound, `${fullest} MiB` );
	const after = await leftOver();
	t.diagnostic( `all rooms put away: ${before.toFixed( 1 )} MB, later ${after.toFixed( 1 )} MB` );
	assert.ok( after - before < 0.5, `${before} MB, later ${after} MB` );
	assert.equal( await program.end(), 0 );
} );
