// bits.mjs - random hands in a room of the page's module, written down as a server would, and played natively: the same hash?
// Usage: node test/server/bits.mjs [STEPS [SEED [SCENE…]]]
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { makeFolder, module, removeFolder, tool } from './program.mjs';
import { makeRoom } from './visitor.mjs';

// The check of docs/wire.md, in halves: 64 bits are too much for a number.
const prime = 0x100000001b3n, all = 0xffffffffffffffffn;
function check( bytes )
{
	let value = 0xcbf29ce484222325n;
	const padded = Buffer.concat( [ bytes, Buffer.alloc( ( 8 - bytes.length % 8 ) % 8 ) ] );
	for ( let i = 0; i < padded.length; i += 8 )
	{
		value = ( ( value ^ padded.readBigUInt64LE( i ) ) * prime ) & all;
		value = ( ( value << 29n ) | ( value >> 35n ) ) & all;
	}
	return value;
}

// As server/journal.h has it.
export function record( kind, body, offset )
{
	const head = Buffer.alloc( 24 ), told = Buffer.alloc( 24 );
	head.writeUInt32LE( kind, 0 );
	head.writeUInt32LE( body.length, 4 );
	head.writeBigUInt64LE( check( body ), 16 );
	head.copy( told, 0, 0, 8 );
	head.copy( told, 8, 16, 24 );
	told.writeBigUInt64LE( BigInt( offset ), 16 );
	const value = check( told );
	head.writeUInt32LE( Number( ( value ^ ( value >> 32n ) ) & 0xffffffffn ), 8 );
	return Buffer.concat( [ head, body, Buffer.alloc( ( 8 - body.length % 8 ) % 8 ) ] );
}

function line( owner, sequence, text )
{
	const bytes = Buffer.from( text ), out = Buffer.alloc( 12 + ( ( bytes.length + 3 ) & ~3 ) );
	out.writeUInt32LE( 2 | owner << 16, 0 );
	out.writeUInt32LE( sequence, 4 );
	out.writeUInt32LE( bytes.length, 8 );
	bytes.copy( out, 12 );
	return out;
}

function move( owner, hand, place )
{
	const out = Buffer.alloc( 16 );
	out.writeUInt32LE( ( 1 | hand << 8 | owner << 16 ) >>> 0, 0 );
	place.forEach( ( value, i ) => out.writeFloatLE( value, 4 + 4 * i ) );
	return out;
}

/** Plays so many steps of a scene with three pairs of hands. Returns both hashes, what was done, and what each says of the steps. */
export function play( scene, steps, seed )
{
	let state = seed >>> 0;
	const random = () => ( state = ( state * 1664525 + 1013904223 ) >>> 0 ) / 4294967296, near = ( size ) => ( random() * 2 - 1 ) * size;
	const room = makeRoom( module );
	const use = ( bytes, call ) => { const at = room.take( bytes.length ); new Uint8Array( room.memory.buffer, at, bytes.length ).set( bytes ); const result = call( at ); room.give( at ); return result; };
	use( Buffer.from( `load ${scene}` ), ( at ) => room.post( 0, 0, at, 5 + scene.length ) );
	room.advance( 0 );
	const address = room.saveImage(), image = Buffer.from( new Uint8Array( room.memory.buffer, address, room.size() ) );
	if ( use( image, ( at ) => room.loadImage( at, image.length ) ) !== 0 ) throw new Error( 'the module does not take its own image' ); // neither can undo what was before it
	const parts = [ Buffer.concat( [ Buffer.from( 'pliantL1' ), Buffer.alloc( 8 ) ] ) ];
	let size = 16, commands = 0;
	const append = ( kind, body ) => { const bytes = record( kind, body, size ); parts.push( bytes ); size += bytes.length; };
	append( 1, image );
	for ( let step = 0; step < steps; )
	{
		const entries = [], owner = 10 + Math.floor( random() * 3 ), hand = 1 + Math.floor( random() * 2 ), dice = random();
		const place = [ near( 1 ), 0.2 + 1.5 * random(), near( 1 ) ].map( Math.fround ), said = place.map( ( value ) => value.toFixed( 4 ) ).join( ' ' );
		if ( dice < 0.02 ) entries.push( line( owner, step, `grab ${owner}:${hand} ray ${said.split( ' ' )[0]} 5 ${said.split( ' ' )[2]} 0 -6 0 radius 0.3` ) );
		else if ( dice < 0.5 ) entries.push( move( owner, hand, place ) );
		else if ( dice < 0.52 ) entries.push( line( owner, step, `drop ${owner}:${hand}` ) );
		else if ( dice < 0.523 ) entries.push( line( owner, step, `cut quad ${said} ${near( 1 ).toFixed( 3 )} 0.2 0 0.4 1 0.3 -0.2 1 0.4 inside 1` ) );
		else if ( dice < 0.526 ) entries.push( line( owner, step, 'undo' ) );
		else if ( dice < 0.53 ) entries.push( line( owner, step, `throw all ${near( 1 ).toFixed( 3 )} 2 ${near( 1 ).toFixed( 3 )}` ) );
		const count = Math.min( entries.length > 0 ? 1 : 1 + Math.floor( random() * 3 ), steps - step );
		const head = Buffer.alloc( 8 );
		head.writeUInt32LE( step, 0 );
		head.writeUInt32LE( count, 4 );
		const tick = Buffer.concat( [ head, ...entries ] );
		commands += entries.length;
		append( 2, tick );
		if ( use( tick, ( at ) => room.postTick( at, tick.length ) ) !== count ) throw new Error( 'the module does not take a tick' );
		for ( let i = 0; i < count; ++i ) room.advance( 1 );
		step += count;
	}
	const folder = makeFolder();
	writeFileSync( `${folder}/bits.log`, Buffer.concat( parts ) );
	const native = spawnSync( tool, [ 'replay', `${folder}/bits.log`, '--threads', '2' ], { encoding: 'utf8' } );
	removeFolder( folder );
	const found = native.stdout.match( /(\d+) steps, hash (0x[0-9a-f]+)/ );
	return { scene, steps: room.step(), commands, module: `0x${BigInt.asUintN( 64, room.hash() ).toString( 16 ).padStart( 16, '0' )}`, native: found?.[2] ?? native.stderr, nativeSteps: Number( found?.[1] ) };
}

if ( process.argv[1] === new URL( import.meta.url ).pathname )
{
	const [ steps = '10000', seed = '1', ...scenes ] = process.argv.slice( 2 );
	let good = true;
	for ( const scene of scenes.length > 0 ? scenes : [ 'heap', 'cuts', 'tear', 'pile' ] )
	{
		const one = play( scene, Number( steps ), Number( seed ) );
		good = good && one.module === one.native && one.steps === one.nativeSteps;
		console.log( `${one.scene}: ${one.steps} steps, ${one.commands} commands: module ${one.module}, native ${one.native} ${one.module === one.native ? 'equal' : 'DIFFERENT'}` );
	}
	process.exit( good ? 0 : 1 );
}
