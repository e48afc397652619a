// replay_frames.test.mjs - the frames in a page that `pliant run --out FILE.html` wrote, read by the player's own code; also if the run was killed. Node only.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { readPly } from '../../test/files/read.mjs';
import { load } from './bundle.mjs';

const { Frames } = await load( 'replay/frames' );
const tool = process.env.PLIANT_TOOL ?? path.resolve( import.meta.dirname, '../../build/pliant' );
const folder = mkdtempSync( path.join( tmpdir(), 'pliant-replay-' ) );
after( () => rmSync( folder, { recursive: true } ) );
let state = ( Number( process.env.PLIANT_SEED ?? 1 ) * 2654435761 >>> 0 ) || 1;
const random = () =>
{
	state ^= state << 13;
	state ^= state >>> 17;
	state ^= state << 5;
	return ( state >>> 0 ) / 4294967296;
};

/** The script elements as a browser finds them: the last one may have no end. */
function elementsOf( file )
{
	const text = readFileSync( file, 'latin1' );
	return [ ...text.matchAll( /<script type="application\/pliant-frame" data-frame="(\d+)" data-time="([^"]+)" data-whole="(\d+)" data-chain="(\d+)">([^<]*)/g ) ].map( ( [ , frame, time, whole, chain, textContent ] ) =>
		( { textContent, getAttribute: ( name ) => ( { 'data-frame': frame, 'data-time': time, 'data-whole': whole, 'data-chain': chain } )[name] } ) );
}

/** Where all vertices are after some frames were taken, body by body. */
function placesOf( frames )
{
	const last = frames.at( -1 );
	return last.motions.flatMap( ( motion ) => Array.from( motion.parts[0].positions, ( value, i ) => motion.origin[i % 3] + motion.extent * value / 65535 ) );
}

test( 'any frame of a page, in any order, has its vertices where they were', async () =>
{
	execFileSync( tool, [ 'run', 'cuts', '--quiet', '--frames', '120', '--every', '4', '--out', `${folder}/a.html`, '--out', `${folder}/a.ply` ] );
	const frames = new Frames( elementsOf( `${folder}/a.html` ) );
	await frames.dropTorn();
	assert.equal( frames.count, 31 );
	assert.deepEqual( await frames.shadings(), [ 'none', 'stretch', 'plastic', 'speed', 'clusters', 'contact' ] );
	let wholes = 0;
	for ( let i = 0; i < 40; ++i )
	{
		const index = i < 31 ? 30 - i : Math.floor( 31 * random() ), taken = await frames.get( index, 'speed' );
		wholes += taken.length > 1 ? 1 : 0;
		const places = placesOf( taken ), ply = readPly( `${folder}/a_${String( 4 * index ).padStart( 4, '0' )}.ply` ).positions;
		const extent = Math.max( ...taken.at( -1 ).motions.map( ( motion ) => motion.extent ) );
		const off = places.reduce( ( most, value, k ) => Math.max( most, Math.abs( value - ply[k] ) ), 0 );
		assert.ok( places.length > 0 && places.length <= ply.length && off < 0.51 * extent / 65535 + 1e-6, `frame ${4 * index}: ${off} m off` );
		assert.ok( taken.at( -1 ).motions.every( ( motion ) => motion.parts[0].shades.length === motion.parts[0].positions.length / 3 ) );
	}
	assert.ok( wholes > 2, 'cuts begin anew, and going back over one needs what came before it' );
} );

test( 'a page whose writer was killed holds all frames but perhaps the last', async () =>
{
	for ( let i = 0; i < 3; ++i )
	{
		const file = `${folder}/killed${i}.html`, child = spawn( tool, [ 'run', 'heap', '--quiet', '--frames', '20000', '--every', '1', '--out', file ], { stdio: 'inherit' } );
		while ( existsSync( file ) === false || statSync( file ).size < 1500000 )
		{
			await wait( 2 );
		}
		await wait( 300 * random() );
		child.kill( 'SIGKILL' );
		await new Promise( ( done ) => child.on( 'exit', done ) );
		const elements = elementsOf( file ), frames = new Frames( elements );
		await frames.dropTorn();
		assert.ok( frames.count >= 1 && frames.count >= elements.length - 1, `${frames.count} of ${elements.length}` );
		for ( let k = 0; k < frames.count; ++k )
		{
			assert.ok( placesOf( await frames.get( k, 'none' ) ).length > 0 );
		}
	}
} );
