// wire.test.mjs - the page's decoder on the bytes that the C tests recorded, on damaged ones, and on a running room's. Node only.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { load } from './bundle.mjs';

const { FrameDecoder } = await load( 'link/frame' );
const { RoomModule } = await load( 'link/module' );
const { readSettings, writeSettings } = await load( 'files/share' );
const root = fileURLToPath( new URL( '../../', import.meta.url ) );
const recorded = () => new Uint8Array( readFileSync( root + 'test/wire/frame_1.bin' ) ).buffer;

test( 'the recorded frame means what it meant', () =>
{
	const frame = new FrameDecoder().decode( recorded() );
	assert.deepEqual( [ frame.number, frame.step, frame.time, frame.rate, frame.substeps, frame.fresh, frame.still ], [ 42, 1000, 12.5, 60, 4, true, false ] );
	assert.deepEqual( frame.scene, { name: 'sample', target: [ 1, 2, 3 ], azimuth: 25, elevation: 20, distance: 5.5, ground: -0.25, gravity: [ 0, -9.75, 0 ] } );
	const [ body ] = frame.bodies, [ motion ] = frame.motions;
	assert.deepEqual( [ body.id, body.from, body.pointCount ], [ { index: 7, generation: 3 }, { index: 5, generation: 1 }, 125 ] );
	assert.deepEqual( body.parts[0].colors, [ 0xff0000, 0x00ff00, 0x0000ff, 0x123456 ] );
	assert.deepEqual( [ ...body.parts[0].triangles ], [ 0, 1, 2, 0, 2, 3 ] );
	assert.deepEqual( [ ...body.parts[0].numbers ], [ 0, 1 ] );
	assert.deepEqual( [ motion.origin, motion.extent ], [ [ 0, 1, 2 ], 2 ] );
	assert.deepEqual( [ ...motion.parts[0].positions ], [ 0, 0, 0, 65535, 0, 0, 65535, 65535, 0, 0, 65535, 16384 ] );
	assert.deepEqual( [ ...motion.parts[0].normals ], [ 0, 0, 32767, 0, 0, -32767, 32767, 0, 0, 0, -32767, 0 ] );
	assert.deepEqual( [ ...motion.parts[0].shades ], [ 0, 64, 128, 255 ] );
	assert.deepEqual( frame.hands, [ { owner: 10, number: 2, body: body.id, place: [ 0.5, 1.5, 2.5 ], target: [ 1, 2, 3 ], force: [ 0, 9, 0 ], locked: true } ] );
	assert.deepEqual( frame.answers, [ { owner: 10, sequence: 77, kind: 1, text: 'nothing was cut' } ] );
	assert.deepEqual( frame.picks, [ { owner: 10, sequence: 78, what: 'body', id: body.id, position: [ 2, 1, 2 ], normal: [ 0, 0, 1 ] } ] );
} );

test( 'a damaged frame is an error, never a loop or a wrong read', () =>
{
	const whole = new Uint8Array( recorded() );
	for ( let cut = 0; cut < whole.length; ++cut )
	{
		assert.throws( () => new FrameDecoder().decode( whole.slice( 0, cut ).buffer ), RangeError );
	}
	for ( let i = 0; i < whole.length; ++i )
	{
		for ( const flip of [ 1, 0x80, 0xff ] )
		{
			const bytes = whole.slice();
			bytes[i] ^= flip;
			try
			{
				new FrameDecoder().decode( bytes.buffer );
			}
			catch ( error )
			{
				assert.ok( error instanceof RangeError, String( error ) );
			}
		}
	}
} );

test( 'frames of a running room decode, one after another', async () =>
{
	const room = await RoomModule.start( readFileSync( root + 'build/room.wasm' ) ), decoder = new FrameDecoder();
	room.post( 10, 1, 'load toys' );
	const bodies = new Set();
	for ( let i = 0; i < 12; ++i )
	{
		room.post( 10, 2 + i, [ 'spawn duck at 0 2 0', 'cut plane 0 0.4 0 0 1 0.1 inside 1', 'undo', 'remove all', 'undo', 'ask ray 0 5 0 0 -9 0' ][i % 6] );
		room.advance( 5 );
		const frame = decoder.decode( room.frame( i % 6, false ) );
		if ( frame.fresh )
		{
			bodies.clear();
		}
		frame.gone.forEach( ( id ) => bodies.delete( id.index ) );
		frame.bodies.forEach( ( body ) => bodies.add( body.id.index ) );
		assert.equal( bodies.size, frame.meters.bodies );
		assert.ok( frame.meters.times.step > 0, 'the clock runs' );
	}
	const script = room.script(), other = await RoomModule.start( readFileSync( root + 'build/room.wasm' ) );
	other.play( script );
	assert.equal( other.hash(), room.hash() );
} );

test( 'settings in an address come back, and nonsense is left out', () =>
{
	const settings = { ...readSettings( '' ), scene: 'toys', gravity: 3, rate: 120, substeps: 2, speed: 0.2, view: 'speed', camera: [ 1, 2, 3, 0.5, 0.25, 4 ], material: 'preset jelly hertz 3' };
	assert.deepEqual( readSettings( writeSettings( settings ) ), settings );
	const odd = readSettings( '#scene=../x&gravity=nan&rate=1e9&substeps=-1&speed=0&material=%3Cscript%3E' );
	assert.deepEqual( [ odd.scene, odd.gravity, odd.rate, odd.substeps, odd.speed, odd.material ], [ '', null, null, null, 1, '' ] );
} );
