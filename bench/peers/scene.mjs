// scene.mjs - reads the pile that `pliant bench pile` wrote, and writes what an engine made of it. Knows no engine.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
//
// Both files are little endian, all fields 4 bytes unless said otherwise; ../peers.c is the other side.
import { readFileSync, writeFileSync } from 'node:fs';

const sceneMagic = 0x31504e50; // PNP1
const runMagic = 0x31524e50; // PNR1

// { halfWidth, pointCount, bodies: [ { points, triangles, velocity, first, count } ] }, points where they start
export function readScene( path )
{
	const bytes = readFileSync( path );
	const data = new DataView( bytes.buffer, bytes.byteOffset, bytes.byteLength );
	let at = 0;
	const int = () => { at += 4; return data.getInt32( at - 4, true ); };
	const real = () => { at += 4; return data.getFloat32( at - 4, true ); };
	if ( int() !== sceneMagic )
	{
		throw new Error( `${path} is not a pile` );
	}
	const bodyCount = int();
	const scene = { halfWidth: real(), seed: int(), bodies: [], pointCount: 0 };
	for ( let b = 0; b < bodyCount; ++b )
	{
		const count = int();
		const triangleCount = int();
		const velocity = [ real(), real(), real() ];
		const points = Float32Array.from( { length: 3 * count }, real );
		const triangles = Uint32Array.from( { length: 3 * triangleCount }, int );
		scene.bodies.push( { points, triangles, velocity, first: scene.pointCount, count } );
		scene.pointCount += count;
	}
	return scene;
}

// times: milliseconds of every frame; shots: [ { frame, positions } ], three floats for each point of all bodies
export function writeRun( path, times, shots, pointCount )
{
	const head = new DataView( new ArrayBuffer( 16 + 8 * times.length ) );
	[ runMagic, times.length, shots.length, pointCount ].forEach( ( value, i ) => head.setInt32( 4 * i, value, true ) );
	times.forEach( ( value, i ) => head.setFloat64( 16 + 8 * i, value, true ) );
	const parts = [ Buffer.from( head.buffer ) ];
	for ( const shot of shots )
	{
		const body = new DataView( new ArrayBuffer( 4 + 4 * shot.positions.length ) );
		body.setInt32( 0, shot.frame, true );
		shot.positions.forEach( ( value, i ) => body.setFloat32( 4 + 4 * i, value, true ) );
		parts.push( Buffer.from( body.buffer ) );
	}
	writeFileSync( path, Buffer.concat( parts ) );
}
