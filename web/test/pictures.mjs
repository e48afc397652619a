// pictures.mjs - draws the small pictures of all scenes for the picker, and the screenshots of docs/page.md, in Chromium. Usage: node pictures.mjs [scenes|page [tools]|replay|SCENE…]; with PICTURES=FOLDER the screenshots are PNG files there
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { launch, openPage, root, serve } from './browser.mjs';

const server = await serve(), browser = await launch();
const link = ( page, use, argument ) => page.evaluate( use, argument );

/** One page for all, because software takes long to make its shaders. It can draw with all detail, but that too takes seconds: only for the picture itself. */
const { page } = await openPage( browser, server.address, {}, '#detail=2' );
async function open( scene, viewport, theme = 'light' )
{
	await page.mouse.up();
	await page.mouse.move( 4, viewport.height - 4 );
	await page.keyboard.press( '1' );
	await setDetail( page, -1 );
	await page.setViewportSize( viewport );
	await link( page, ( [ name, wanted ] ) =>
	{
		window.pliant.setPause( true );
		window.pliant.setTheme( wanted );
		window.pliant.openScene( 'table' );
		window.pliant.openScene( name );
	}, [ scene, theme ] );
	await page.waitForFunction( ( name ) => window.pliant.state.scene === name && window.pliant.state.hands.length === 0, scene );
	await page.waitForTimeout( 300 );
	await link( page, () => window.pliant.parts.view.eye.goHome( null ) );
}
const setDetail = async ( page, detail ) =>
{
	await link( page, ( n ) => window.pliant.parts.view.setDetail( n ), detail );
	await link( page, () => window.pliant.stir() );
};
const steps = async ( page, count ) =>
{
	await link( page, ( n ) => window.pliant.parts.link.step( n ), count );
	await link( page, () => new Promise( ( done ) =>
	{
		const from = window.pliant.frames;
		const wait = () => window.pliant.frames > from + 0 ? setTimeout( done, 400 ) : setTimeout( wait, 50 );
		setTimeout( done, 3000 );
		wait();
	} ) );
};
const send = ( page, text ) => link( page, ( commands ) => window.pliant.parts.link.send( commands ), text );

const fileOf = ( name ) => process.env.PICTURES !== undefined ? { path: `${process.env.PICTURES}/${name}.png` } : { path: `${root}docs/pictures/page_${name}.jpg`, type: 'jpeg', quality: 82 };

const asked = process.argv.slice( 2 );
if ( asked[0] !== 'page' && asked[0] !== 'replay' )
{
	// The step at which a scene looks most like itself; others are taken after a second.
	const moments = { toys: 60, table: 1, spin: 20, sticks: 60, cubes: 118, dent: 95, squeeze: 60, modes: 20, pile: 60, pile384: 60, crowd: 90, heap: 80, ramp: 100, press: 90, knot: 215, tets: 50, wall: 70, grab: 298, cuts: 85, incision: 170, talk: 74, tear: 118, rip: 118 };
	mkdirSync( root + 'web/public/scenes', { recursive: true } );
	const names = await link( page, () => window.pliant.parts.link.catalogue.scenes.map( ( scene ) => scene.name ) );
	for ( const [ scene, moment ] of names.map( ( name ) => [ name, moments[name] ?? 60 ] ) )
	{
		if ( asked.length > 0 && asked[0] !== 'scenes' && asked.includes( scene ) === false )
		{
			continue;
		}
		await open( scene, { width: 320, height: 200 } );
		await steps( page, moment );
		await setDetail( page, 2 );
		const picture = await link( page, () =>
		{
			const { view } = window.pliant.parts;
			view.ghosts.begin();
			view.draw( performance.now(), true );
			return view.canvas.toDataURL( 'image/webp', 0.75 );
		} );
		writeFileSync( `${root}web/public/scenes/${scene}.webp`, Buffer.from( picture.split( ',' )[1], 'base64' ) );
		console.log( scene );
	}
}

if ( asked.length === 0 || asked[0] === 'page' )
{
	const shoot = async ( page, name ) =>
	{
		await setDetail( page, 2 );
		await page.waitForTimeout( 600 );
		await page.screenshot( { ...fileOf( name ), timeout: 180000 } ); // software takes long
		console.log( name );
	};
	const desktop = { width: 960, height: 600 }, phone = { width: 390, height: 760 };
	const press = async ( from, to, release ) =>
	{
		await page.mouse.move( ...from );
		await page.mouse.down();
		await page.waitForFunction( () => [ ...window.pliant.parts.hands.downs.values() ].some( ( down ) => down.use === 'tool' ) );
		await page.mouse.move( ...to, { steps: 8 } );
		await page.waitForTimeout( 900 );
		if ( release )
		{
			await page.mouse.up();
		}
	};
	for ( const [ scene, moment ] of asked[1] === 'tools' ? [] : [ [ 'toys', 70 ], [ 'heap', 80 ], [ 'cuts', 85 ], [ 'grab', 298 ], [ 'crowd', 90 ], [ 'press', 90 ] ] )
	{
		for ( const [ size, viewport ] of [ [ 'desktop', desktop ], [ 'phone', phone ] ] )
		{
			await open( scene, viewport, scene === 'press' ? 'dark' : 'light' );
			await steps( page, moment );
			await shoot( page, `${scene}_${size}` );
		}
	}
	for ( const tool of [ 'grab', 'lock', 'push', 'cut', 'incise', 'add', 'throw', 'remove' ] )
	{
		await open( 'toys', { width: 720, height: 450 } );
		await steps( page, 40 );
		const bodies = ( await link( page, () => window.pliant.state ) ).bodies;
		const at = ( index ) => bodies[index].at;
		await page.click( `#tools [data-name=${tool}]` );
		if ( tool === 'grab' )
		{
			await press( at( 0 ), [ at( 0 )[0] + 10, at( 0 )[1] - 50 ], false );
			await steps( page, 40 );
			await page.mouse.move( at( 0 )[0] + 60, at( 0 )[1] - 75, { steps: 6 } );
			await page.waitForTimeout( 300 );
			await steps( page, 12 );
		}
		else if ( tool === 'lock' )
		{
			for ( const index of [ 5, 3 ] )
			{
				await page.mouse.click( ...at( index ) );
				await page.waitForTimeout( 400 );
			}
			await send( page, 'gravity 0 4 0' );
			await steps( page, 30 );
		}
		else if ( tool === 'push' )
		{
			await press( [ at( 0 )[0] - 10, at( 0 )[1] - 20 ], [ at( 0 )[0] + 30, at( 0 )[1] ], false );
			await steps( page, 20 );
		}
		else if ( tool === 'cut' )
		{
			await press( [ at( 3 )[0] - 20, at( 3 )[1] - 80 ], [ at( 3 )[0] + 25, at( 3 )[1] + 70 ], false );
		}
		else if ( tool === 'incise' )
		{
			await press( [ at( 3 )[0] - 30, at( 3 )[1] + 18 ], [ at( 3 )[0] + 34, at( 3 )[1] + 26 ], false );
		}
		else if ( tool === 'throw' )
		{
			await press( [ 360, 240 ], [ 380, 180 ], false );
		}
		else
		{
			await page.mouse.move( ...( tool === 'add' ? [ at( 3 )[0] + 10, at( 3 )[1] - 12 ] : at( 1 ) ), { steps: 4 } );
			await page.waitForTimeout( 900 );
		}
		await shoot( page, `tool_${tool}` );
	}
	{
		await open( 'toys', desktop );
		await page.keyboard.press( 'p' );
		await page.keyboard.press( 'm' );
		await link( page, async () => // one by one, for the plots
		{
			for ( let i = 0; i < 110; ++i )
			{
				await window.pliant.parts.link.step( 1 );
				await new Promise( ( done ) => requestAnimationFrame( done ) );
			}
		} );
		await link( page, () => document.activeElement.blur() ); // no ring around the tool that was clicked last
		await shoot( page, 'panels' );
		await page.keyboard.press( 'o' );
		await page.waitForTimeout( 1200 );
		await shoot( page, 'scenes' );
	}
}
if ( asked.length === 0 || ( asked[0] === 'page' && asked[1] !== 'tools' ) || asked[0] === 'replay' )
{
	// The page that a run is sent as.
	const file = `${mkdtempSync( path.join( tmpdir(), 'pliant-picture-' ) )}/cuts.html`;
	execFileSync( root + 'build/pliant', [ 'run', 'cuts', '--frames', '90', '--quiet', '--out', file ] );
	const replay = await ( await browser.newContext( { viewport: { width: 960, height: 540 } } ) ).newPage();
	await replay.goto( pathToFileURL( file ).href );
	await replay.waitForFunction( () => window.pliantReplay?.index >= 0, null, { timeout: 60000 } );
	await replay.evaluate( () => { window.pliantReplay.setPlaying( false ); window.pliantReplay.view.setDetail( 1 ); window.pliantReplay.seek( Infinity ); } );
	await replay.waitForFunction( () => window.pliantReplay.index === window.pliantReplay.frames.count - 1 );
	await replay.waitForTimeout( 4000 );
	await replay.screenshot( fileOf( 'replay' ) );
	rmSync( path.dirname( file ), { recursive: true } );
	console.log( 'replay' );
}
await browser.close();
await server.stop();
