// same_bits.test.mjs - what is done in the browser comes to the same bits as the same commands natively, for a dozen scenes and 600 steps.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { launch, openPage, patience, root, serve } from './browser.mjs';

const scenes = [ 'toys', 'table', 'spin', 'sticks', 'cubes', 'dent', 'squeeze', 'ramp', 'press', 'wall', 'grab', 'tear', 'rip' ];
let server, browser;
const temporary = mkdtempSync( join( tmpdir(), 'pliant-' ) );
before( async () =>
{
	server = await serve();
	browser = await launch();
} );
after( async () =>
{
	await browser?.close();
	await server?.stop();
	rmSync( temporary, { recursive: true } );
} );

/** The same numbers everywhere (mulberry32). */
function random( seed )
{
	return () =>
	{
		seed = ( seed + 0x6d2b79f5 ) | 0;
		let t = Math.imul( seed ^ ( seed >>> 15 ), 1 | seed );
		t = ( t + Math.imul( t ^ ( t >>> 7 ), 61 | t ) ) ^ t;
		return ( ( t ^ ( t >>> 14 ) ) >>> 0 ) / 4294967296;
	};
}

/** Something that a person might do next. */
function deed( next )
{
	const around = ( size ) => ( size * ( 2 * next() - 1 ) ).toFixed( 3 );
	const place = () => `${around( 1 )} ${( 0.2 + next() ).toFixed( 3 )} ${around( 1 )}`;
	const solids = [ 'ball', 'cube', 'ring', 'stick', 'duck' ], presets = [ 'jelly', 'rubber', 'flesh', 'clay', 'foam' ];
	const choose = ( list ) => list[Math.floor( next() * list.length )];
	const hand = `10:${1 + Math.floor( 3 * next() )}`;
	const deeds = [
		() => `grab ${hand} ray ${around( 1 )} 3 ${around( 1 )} 0 -4 0`, () => `grab ${hand} at ${place()} radius 0.3`,
		() => `move ${hand} ${place()} steps ${1 + Math.floor( 20 * next() )}`, () => `move ${hand} ${place()}`, () => `lock ${hand}`, () => `drop ${hand}`,
		() => `push ${hand} at ${place()} radius 0.2`, () => `cut plane ${place()} ${around( 1 )} ${around( 1 )} 0.3 inside 1`,
		() => `spawn ${choose( solids )} at ${around( 1 )} 2 ${around( 1 )} turn 1 ${around( 1 )} 0 ${around( 180 )} preset ${choose( presets )}`,
		() => `material all hertz ${( 3 + 12 * next() ).toFixed( 2 )}`, () => `throw all ${around( 2 )} 2 ${around( 2 )}`, () => 'undo', () => 'redo',
		() => `shape 1 ball at ${place()} radius 0.3`, () => 'shape 1 remove', () => `gravity 0 ${( -4 - 8 * next() ).toFixed( 2 )} 0`, () => `substeps ${2 + Math.floor( 3 * next() )}`,
		() => 'letgo 10',
	];
	return choose( deeds )();
}

for ( const [ index, scene ] of scenes.entries() )
{
	test( `600 steps of ${scene}, with hands`, { timeout: patience }, async () =>
	{
		const { page, errors, close } = await openPage( browser, server.address, {}, `#scene=${scene}` );
		await page.evaluate( () => window.pliant.setPause( true ) );
		const next = random( 1000 + index );
		const deeds = Array.from( { length: 30 }, () => Array.from( { length: Math.floor( 3 * next() ) }, () => deed( next ) ).join( '\n' ) );
		await page.evaluate( async ( list ) =>
		{
			const { link, view } = window.pliant.parts;
			view.draw = () => {}; // what it comes to is asked here, not what it looks like
			for ( const text of list )
			{
				link.send( text );
				await link.step( 20 );
			}
		}, deeds );
		const hash = await page.evaluate( () => window.pliant.parts.link.hash() );
		const script = await page.evaluate( () => window.pliant.parts.link.script() );
		assert.deepEqual( errors, [] );
		await close();
		const path = join( temporary, `${scene}.txt` );
		writeFileSync( path, script );
		const native = execFileSync( root + 'build/pliant', [ 'replay', path, '--hash', '--threads', '2' ], { encoding: 'utf8' } );
		assert.equal( native.trim(), `hash ${hash}` );
	} );
}
