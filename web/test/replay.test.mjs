// replay.test.mjs - the page that `pliant run --out FILE.html` writes, in Chromium, from a file: it plays, and shows what was simulated.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { readPly } from '../../test/files/read.mjs';
import { launch, newContext } from './browser.mjs';

const tool = process.env.PLIANT_TOOL ?? path.resolve( import.meta.dirname, '../../build/pliant' );
const folder = mkdtempSync( path.join( tmpdir(), 'pliant-replay-' ) );
let browser;
before( async () =>
{
	browser = await launch();
	// Cut at frame 31 and again later, so that frames build on several whole ones.
	execFileSync( tool, [ 'run', 'cuts', '--quiet', '--frames', '90', '--out', `${folder}/cuts.html`, '--out', `${folder}/cuts.ply`, '--every', '3' ] );
} );
after( async () =>
{
	await browser?.close();
	rmSync( folder, { recursive: true } );
} );

async function open( file )
{
	const context = await newContext( browser, { viewport: { width: 480, height: 320 } } );
	const page = await context.newPage();
	const faults = [], requests = [];
	page.on( 'pageerror', ( error ) => faults.push( error.message ) );
	page.on( 'console', ( message ) => message.type() === 'error' && faults.push( message.text() ) );
	page.on( 'request', ( request ) => requests.push( request.url() ) );
	await page.goto( pathToFileURL( file ).href );
	return { page, faults, requests, close: () => context.close() };
}

/** Shows a frame and tells where all vertices of the bodies are, in the order of their birth; and half of a quantum of the largest body. */
async function poseAt( page, index )
{
	await page.evaluate( ( wanted ) => { window.pliantReplay.setPlaying( false ); window.pliantReplay.seek( wanted ); }, index );
	// Another frame may still be on its way, and be shown before this one comes again.
	const shown = await page.waitForFunction( ( wanted ) =>
	{
		if ( window.pliantReplay.index !== wanted )
		{
			return null;
		}
		const places = [];
		let quantum = 0;
		for ( const group of window.pliantReplay.view.bodies.meshes() )
		{
			const extent = group.scale.x, p = group.position, positions = group.children[0].geometry.getAttribute( 'position' );
			quantum = Math.max( quantum, extent / 65535 );
			for ( let i = 0; i < positions.count; ++i )
			{
				places.push( p.x + extent * positions.getX( i ), p.y + extent * positions.getY( i ), p.z + extent * positions.getZ( i ) );
			}
		}
		return { places, quantum };
	}, index );
	return shown.jsonValue();
}

test( 'the page opens from a file, asks nobody for anything, and plays', async () =>
{
	const { page, faults, requests, close } = await open( `${folder}/cuts.html` );
	await page.waitForFunction( () => window.pliantReplay?.index > 3 );
	const first = await page.evaluate( () => window.pliantReplay.index );
	await page.waitForFunction( ( from ) => window.pliantReplay.index !== from, first );
	assert.deepEqual( faults, [] );
	assert.deepEqual( requests.filter( ( address ) => /^https?:/.test( address ) ), [] );
	assert.equal( await page.title(), 'cuts, pliant' );
	await close();
} );

test( 'each frame, forward, back and over cuts, has its vertices where they were', async () =>
{
	const { page, faults, close } = await open( `${folder}/cuts.html` );
	await page.waitForFunction( () => window.pliantReplay?.index >= 0 );
	assert.equal( await page.evaluate( () => window.pliantReplay.frames.count ), 31 );
	for ( const index of [ 0, 12, 30, 9, 20, 0 ] )
	{
		const { places, quantum } = await poseAt( page, index );
		const ply = readPly( `${folder}/cuts_${String( 3 * index ).padStart( 4, '0' )}.ply` ).positions;
		assert.ok( places.length > 9000 && places.length <= ply.length );
		const off = places.reduce( ( most, value, i ) => Math.max( most, Math.abs( value - ply[i] ) ), 0 );
		assert.ok( off <= 0.51 * quantum + 1e-6, `frame ${3 * index}: ${off} m off, half a quantum is ${0.5 * quantum}` );
	}
	assert.deepEqual( faults, [] );
	await close();
} );

test( 'colours by field, orbit, keys and the scrubber do what they say', async () =>
{
	const { page, faults, close } = await open( `${folder}/cuts.html` );
	await page.waitForFunction( () => window.pliantReplay?.index >= 0 );
	await page.evaluate( () => { window.pliantReplay.setPlaying( false ); window.pliantReplay.seek( 20 ); } );
	const names = await page.locator( '#colour option' ).allTextContents();
	assert.deepEqual( names, [ 'colours', 'stretch', 'plastic strain', 'speed', 'clusters', 'contact' ] );
	const shadesOf = () => page.evaluate( () => window.pliantReplay.view.bodies.meshes().flatMap( ( group ) => [ ...( group.children[0].geometry.getAttribute( 'shade' )?.array ?? [] ) ] ) );
	await page.selectOption( '#colour', 'speed' );
	await page.waitForFunction( () => window.pliantReplay.index === 20 && window.pliantReplay.view.bodies.meshes()[0].children[0].geometry.hasAttribute( 'shade' ) );
	const speeds = await shadesOf();
	assert.ok( new Set( speeds ).size > 20, 'falling pieces move at many speeds' );
	await page.selectOption( '#colour', 'clusters' );
	await page.waitForFunction( () => window.pliantReplay.index === 20 );
	assert.notDeepEqual( await shadesOf(), speeds );
	await page.selectOption( '#colour', 'none' );
	await page.waitForFunction( () => window.pliantReplay.index === 20 );
	assert.deepEqual( await shadesOf(), [] );

	const eye = () => page.evaluate( () => window.pliantReplay.view.eye.settings );
	const before = await eye();
	await page.mouse.move( 200, 120 );
	await page.mouse.down();
	await page.mouse.move( 280, 140, { steps: 3 } );
	await page.mouse.up();
	const turned = await eye();
	assert.notEqual( turned[3], before[3] );
	assert.equal( turned[5], before[5] );
	await page.mouse.wheel( 0, -400 );
	await page.waitForFunction( ( far ) => window.pliantReplay.view.eye.settings[5] < far, turned[5] );

	await page.locator( '#scrub' ).fill( '7' );
	await page.waitForFunction( () => window.pliantReplay.index === 7 && window.pliantReplay.playing === false );
	assert.match( await page.locator( '#clock' ).textContent(), /0\.35 s, frame 21/ );
	await page.locator( '#scrub' ).blur();
	await page.keyboard.press( 'ArrowRight' );
	await page.waitForFunction( () => window.pliantReplay.index === 8 );
	await page.keyboard.press( ' ' );
	await page.waitForFunction( () => window.pliantReplay.playing );
	assert.deepEqual( faults, [] );
	await close();
} );

test( 'a page whose writer was killed plays what it holds', async () =>
{
	const whole = readFileSync( `${folder}/cuts.html` ), begin = whole.indexOf( '<script type="application/pliant-frame"' );
	for ( const share of [ 0.5, 0.93 ] )
	{
		writeFileSync( `${folder}/torn.html`, whole.subarray( 0, begin + Math.floor( share * ( whole.length - begin ) ) ) );
		const { page, faults, close } = await open( `${folder}/torn.html` );
		await page.waitForFunction( () => window.pliantReplay?.index >= 0 );
		const count = await page.evaluate( () => window.pliantReplay.frames.count );
		assert.ok( count > 8 && count < 31, `${count} frames` );
		await poseAt( page, count - 1 );
		assert.deepEqual( faults, [] );
		await close();
	}
	writeFileSync( `${folder}/empty.html`, whole.subarray( 0, begin ) );
	const { page, close } = await open( `${folder}/empty.html` );
	await page.waitForFunction( () => document.querySelector( '#notice' )?.textContent.includes( 'holds no frames' ) );
	await close();
} );
