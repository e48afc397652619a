// page.test.mjs - the page in a real browser: what a person does, seen in the state of the world and in pixels. No clock decides here.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { launch, newContext, openPage, patience, root, serve } from './browser.mjs';
import { alone, bodyCount, catchUp, drag, drop, hash, holds, onPageOf, openPanel, pause, said, send, state, steps, tool, waitSteps } from './helpers.mjs';
import * as meshes from './meshes.mjs';

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
const onPage = onPageOf( () => ( { browser, server } ) );

/** How many pixels of the canvas, without what lies over it, are as wanted: a function of r, g, b that the page evaluates. */
const count = ( page, wanted ) => page.evaluate( ( text ) =>
{
	const image = window.pliantPixels(), isWanted = new Function( `return ${text}` )();
	let sum = 0;
	for ( let i = 0; i < image.length; i += 4 )
	{
		sum += isWanted( image[i], image[i + 1], image[i + 2] ) ? 1 : 0;
	}
	return sum;
}, String( wanted ) );
/** Keeps a picture, and later tells how many pixels are others. */
const keepPicture = ( page ) => page.evaluate( () => void ( window.kept = window.pliantPixels() ) );
const changedPixels = ( page ) => page.evaluate( () =>
{
	const now = window.pliantPixels();
	let sum = 0;
	for ( let i = 0; i < now.length; i += 4 )
	{
		sum += Math.abs( now[i] - window.kept[i] ) + Math.abs( now[i + 1] - window.kept[i + 1] ) + Math.abs( now[i + 2] - window.kept[i + 2] ) > 40 ? 1 : 0;
	}
	return sum;
} );
const nearest = ( bodies, x, y ) => bodies.toSorted( ( a, b ) => Math.hypot( a.at[0] - x, a.at[1] - y ) - Math.hypot( b.at[0] - x, b.at[1] - y ) )[0];
/** The body that a place of the page shows. */
const bodyAt = ( page, x, y ) => page.evaluate( async ( [ px, py ] ) =>
{
	const { stage } = window.pliant.parts;
	const pick = await stage.ask( stage.ray( px, py ) );
	return pick.what === 'body' ? `${pick.id.index}.${pick.id.generation}` : null;
}, [ x, y ] );
onPage( 'opens with toys on a table, drawn in many colours', '', async ( page ) =>
{
	const now = await state( page );
	assert.equal( now.scene, 'toys' );
	assert.equal( now.bodies.length, 8 );
	assert.ok( await count( page, ( r, g, b ) => r > 150 && g > 120 && b < 110 ) > 200, 'a yellow duck' );
	assert.ok( await count( page, ( r, g, b ) => r > 140 && g < 100 && b < 130 ) > 200, 'a red cube' );
	assert.ok( await count( page, ( r, g, b ) => g > 70 && r < 0.7 * g && b < 0.7 * g ) > 200, 'a green melon' );
} );

onPage( 'a body follows the pointer, and falls when let go', '#scene=table', async ( page ) =>
{
	const body = await alone( page, 'cube at 0 0.4 0 preset rubber' );
	await pause( page, false );
	const to = [ body.at[0] + 90, body.at[1] - 110 ];
	await drag( page, body.at, to, { release: false } );
	// The held place is within 3 % of the view from the pointer, and the body has come along.
	await page.waitForFunction( ( [ x, y, height ] ) =>
	{
		const { state: now, parts } = window.pliant, hand = now.hands[0];
		const at = hand && parts.view.project( hand.place );
		return at !== undefined && Math.hypot( at[0] - x, at[1] - y ) < 0.03 * Math.min( innerWidth, innerHeight ) && now.bodies[0].center[1] > height;
	}, [ ...to, body.center[1] + 0.4 ] );
	await page.mouse.up();
	await page.waitForFunction( () => window.pliant.state.hands.length === 0 );
	await page.waitForFunction( () => window.pliant.state.bodies[0].center[1] < 0.4 );
} );

onPage( 'wheel and Shift lead it away and back', '#scene=table', async ( page ) =>
{
	const body = await alone( page, 'ball at 0 0.4 0' );
	await pause( page, false );
	await drag( page, body.at, [ body.at[0], body.at[1] - 40 ], { release: false } );
	const distance = () => page.evaluate( () =>
	{
		const { state: now, parts } = window.pliant, o = parts.view.ray( 320, 180 ).origin, t = now.hands[0]?.target ?? [ 0, 0, 0 ];
		return Math.hypot( t[0] - o[0], t[1] - o[1], t[2] - o[2] );
	} );
	await page.waitForFunction( () => window.pliant.state.hands.length === 1 );
	const first = await distance();
	await page.mouse.wheel( 0, -300 );
	await page.waitForFunction( ( d ) =>
	{
		const { state: now, parts } = window.pliant, o = parts.view.ray( 320, 180 ).origin, t = now.hands[0].target;
		return Math.hypot( t[0] - o[0], t[1] - o[1], t[2] - o[2] ) > d + 0.5;
	}, first );
	const second = await distance();
	await page.keyboard.down( 'Shift' );
	await page.mouse.move( body.at[0], body.at[1] + 20, { steps: 6 } );
	await page.waitForFunction( ( d ) =>
	{
		const { state: now, parts } = window.pliant, o = parts.view.ray( 320, 180 ).origin, t = now.hands[0].target;
		return Math.hypot( t[0] - o[0], t[1] - o[1], t[2] - o[2] ) < d - 0.3;
	}, second );
	await page.keyboard.up( 'Shift' );
	await page.mouse.up();
} );

onPage( 'what is locked hangs where it is until the lock is touched', '#scene=table', async ( page ) =>
{
	const body = await alone( page, 'cube at 0 0.4 0 preset rubber' );
	await pause( page, false );
	await drag( page, body.at, [ body.at[0], body.at[1] - 110 ], { release: false } );
	await page.waitForFunction( () => window.pliant.state.bodies[0].center[1] > 0.9 );
	await page.keyboard.press( 'l' );
	await page.waitForFunction( () => window.pliant.state.hands[0]?.locked === true );
	await page.mouse.up();
	await waitSteps( page, 120 );
	const hanging = await state( page );
	assert.equal( hanging.hands.length, 1 );
	assert.ok( hanging.bodies[0].center[1] > 0.7, `it hangs at ${hanging.bodies[0].center[1]}` );
	const lock = await page.evaluate( () => window.pliant.parts.view.project( window.pliant.state.hands[0].target ) );
	await page.mouse.click( ...lock );
	await page.waitForFunction( () => window.pliant.state.hands.length === 0 && window.pliant.state.bodies[0].center[1] < 0.45 );
} );

onPage( 'the lock tool holds by a touch', '#scene=table', async ( page ) =>
{
	const body = await alone( page, 'cube at 0 1 0 preset rubber' );
	await tool( page, 'lock' );
	await page.mouse.click( ...body.at );
	await page.waitForFunction( () => window.pliant.state.hands[0]?.locked === true );
	await steps( page, 120 );
	assert.ok( ( await state( page ) ).bodies[0].center[1] > 0.7 );
} );

onPage( 'a ball pushes things aside, and is gone afterwards', '#scene=table', async ( page ) =>
{
	const body = await alone( page, 'ball at 0 0.36 0' );
	await send( page, 'spawn cube at -1.3 0.31 0' );
	await bodyCount( page, 2 );
	await tool( page, 'push' );
	await pause( page, false );
	await page.mouse.move( body.at[0] - 60, body.at[1] );
	await page.mouse.down();
	await holds( page );
	for ( let x = -60; x <= 60; x += 4 )
	{
		await page.mouse.move( body.at[0] + x, body.at[1] );
		await waitSteps( page, 2 ); // it pushes: it is not thrown
	}
	await page.mouse.up();
	await page.waitForFunction( ( x ) => window.pliant.state.bodies[0].center[0] > x + 0.15, body.center[0] );
	await catchUp( page );
	const shapes = await page.evaluate( () => window.pliant.parts.view.bodies.shapes.size );
	assert.equal( shapes, 0, 'no ball is left' );
} );

/** Edges that do not lie between two triangles, over all that is drawn of each body, places that coincide being one. */
const openEdges = ( page ) => page.evaluate( () => window.pliant.parts.view.bodies.meshes().map( ( group ) =>
{
	let open = 0;
	for ( const mesh of group.children )
	{
		const positions = mesh.geometry.getAttribute( 'position' ).array, index = mesh.geometry.getIndex().array;
		const names = new Map(), edges = new Map();
		const corner = ( i ) =>
		{
			const key = `${positions[3 * i]} ${positions[3 * i + 1]} ${positions[3 * i + 2]}`;
			return names.get( key ) ?? ( names.set( key, names.size ), names.size - 1 );
		};
		for ( let i = 0; i < index.length; i += 3 )
		{
			const [ a, b, c ] = [ corner( index[i] ), corner( index[i + 1] ), corner( index[i + 2] ) ];
			for ( const [ p, q ] of a === b || b === c || c === a ? [] : [ [ a, b ], [ b, c ], [ c, a ] ] )
			{
				const key = p < q ? `${p} ${q}` : `${q} ${p}`;
				edges.set( key, ( edges.get( key ) ?? 0 ) + ( p < q ? 1 : -1 ) ); // each way once
			}
		}
		open += [ ...edges.values() ].filter( ( value ) => value !== 0 ).length;
	}
	return open;
} ) );

onPage( 'a stroke parts a melon; both halves are closed and red inside', '#scene=table', async ( page ) =>
{
	const melon = await alone( page, 'melon at 0 0.45 0' );
	const isRed = ( r, g, b ) => r > 90 && g < 0.6 * r && b < 0.6 * r;
	assert.equal( await count( page, isRed ), 0 );
	await tool( page, 'cut' );
	await drag( page, [ melon.at[0] + 10, melon.at[1] - 80 ], [ melon.at[0] - 4, melon.at[1] + 80 ], { parts: 16 } );
	await bodyCount( page, 2 );
	assert.deepEqual( await openEdges( page ), [ 0, 0 ] );
	const [ left, right ] = ( await state( page ) ).bodies.toSorted( ( a, b ) => a.center[0] - b.center[0] );
	assert.ok( left.center[0] < melon.center[0] && right.center[0] > melon.center[0] );
	await send( page, `gravity 0 0 0\nthrow ${right.name} 1.5 0 -2\nthrow ${left.name} -2 0 0` );
	await steps( page, 40 );
	const red = await count( page, isRed );
	assert.ok( red > 60, `${red} pixels are red` );
} );

onPage( 'a cut goes through what the stroke went over, and nothing else', '#scene=table', async ( page ) =>
{
	await alone( page, 'cube at -0.8 0.4 0' );
	await send( page, 'spawn cube at 0.8 0.4 0' );
	await bodyCount( page, 2 );
	const [ left, right ] = ( await state( page ) ).bodies.toSorted( ( a, b ) => a.at[0] - b.at[0] );
	await tool( page, 'cut' );
	await drag( page, [ left.at[0] - 70, left.at[1] ], [ left.at[0] + 55, left.at[1] ], { parts: 16 } );
	await bodyCount( page, 3 );
	assert.ok( ( await state( page ) ).bodies.some( ( body ) => body.name === right.name ) );
} );

onPage( 'an incision opens a body that stays in one piece', '#scene=table', async ( page ) =>
{
	const melon = await alone( page, 'melon at 0 0.45 0' );
	const before = await hash( page );
	const triangles = () => page.evaluate( () => window.pliant.parts.view.bodies.meshes()[0].children[0].geometry.getIndex().count / 3 );
	const few = await triangles();
	await tool( page, 'incise' );
	await drag( page, [ melon.at[0] - 30, melon.at[1] - 5 ], [ melon.at[0] + 30, melon.at[1] ], { parts: 8 } );
	await page.waitForFunction( ( n ) => window.pliant.parts.view.bodies.meshes()[0].children[0].geometry.getIndex().count / 3 > n, few );
	assert.equal( ( await state( page ) ).bodies.length, 1 );
	assert.notEqual( await hash( page ), before );
	assert.deepEqual( await openEdges( page ), [ 0 ] );
} );

onPage( 'undo brings back the same world, and redo the other one', '', async ( page ) =>
{
	await steps( page, 30 );
	const first = await hash( page );
	await send( page, 'cut plane -1.45 0.4 -0.45 1 0 0 inside 1' );
	await bodyCount( page, 9 );
	const second = await hash( page );
	assert.notEqual( second, first );
	await page.keyboard.press( 'Control+z' );
	await bodyCount( page, 8 );
	assert.equal( await hash( page ), first );
	await page.click( '#time [data-name=redo]' );
	await bodyCount( page, 9 );
	assert.equal( await hash( page ), second );
	await page.keyboard.press( 'z' );
	await bodyCount( page, 8 );
	assert.equal( await hash( page ), first );
} );

onPage( 'twice the frequency, half the period', '#scene=modes', async ( page ) =>
{
	// Every cube swings in one mode: how wide the first one is goes up and down.
	const crossings = async () =>
	{
		const wide = await page.evaluate( async () =>
		{
			const seen = [];
			const { link, stage } = window.pliant.parts;
			for ( let i = 0; i < 30; ++i )
			{
				await link.step( 4 );
				await stage.ask( stage.ray( 0, 0 ) ); // answered in a frame of that step
				seen.push( window.pliant.state.bodies[0].extent );
			}
			return seen;
		} );
		const middle = ( Math.max( ...wide ) + Math.min( ...wide ) ) / 2;
		const times = [];
		for ( let i = 1; i < wide.length; ++i )
		{
			const [ a, b ] = [ wide[i - 1] - middle, wide[i] - middle ];
			if ( a < 0 !== b < 0 )
			{
				times.push( i - 1 + a / ( a - b ) );
			}
		}
		return ( times.at( -1 ) - times[0] ) / ( times.length - 1 );
	};
	await pause( page );
	await send( page, 'material all hertz 1.5 stretch 0.5' );
	const slow = await crossings();
	await page.keyboard.press( 'r' );
	await catchUp( page );
	assert.equal( ( await state( page ) ).bodies.length, 27 );
	await send( page, 'material all hertz 3 stretch 0.5' );
	const fast = await crossings();
	assert.ok( Math.abs( slow / fast - 2 ) < 0.3, `periods ${slow} and ${fast}` );
} );

onPage( 'a dropped mesh is soft, whatever its format, unit and seams', '#scene=table', async ( page ) =>
{
	await pause( page );
	const files = { obj: meshes.obj(), ply: meshes.ply(), stl: meshes.stl(), glb: meshes.glb() };
	let there = 0;
	for ( const [ kind, bytes ] of Object.entries( files ) )
	{
		await drop( page, `wedge-${kind}.${kind}`, bytes );
		there += 1;
		await bodyCount( page, there );
		const body = ( await state( page ) ).bodies.at( -1 );
		assert.ok( Math.abs( body.extent - 0.9 ) < 0.02, `${kind}: ${body.extent} m` );
		assert.deepEqual( ( await openEdges( page ) ).at( -1 ), 0, kind );
		await send( page, `throw ${body.name} ${3 * there - 7} 0 0` );
		await steps( page, 20 );
	}
	assert.equal( ( await state( page ) ).bodies.length, 4 );
} );

onPage( 'a broken file is refused in words, and nothing changes', '', async ( page ) =>
{
	await steps( page, 10 );
	const before = await hash( page );
	const broken = {
		'cut.glb': meshes.glb().subarray( 0, 200 ), 'empty.obj': '', 'words.stl': 'solid nothing\nendsolid\n', 'odd.ply': 'ply\nformat ascii 1.0\nend_header\n',
		'bad.pliant': Buffer.concat( [ Buffer.from( 'pliantR1' ), Buffer.alloc( 400, 7 ) ] ), 'what.response': Buffer.alloc( 64, 1 ),
		'nan.obj': 'v nan 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\nf 1 3 4\nf 2 3 4\n',
	};
	for ( const [ name, bytes ] of Object.entries( broken ) )
	{
		await drop( page, name, bytes );
		await said( page, `${name} cannot be opened: `, true );
	}
	assert.equal( await hash( page ), before );
	assert.equal( ( await state( page ) ).bodies.length, 8 );
} );

/** What a button of the panel saves. */
async function saved( page, name )
{
	const waiting = page.waitForEvent( 'download' );
	await page.evaluate( ( text ) => [ ...document.querySelectorAll( '#panel button' ) ].find( ( button ) => button.textContent.startsWith( text ) ).click(), name );
	const download = await waiting, path = join( temporary, download.suggestedFilename() );
	await download.saveAs( path );
	return path;
}

onPage( 'a saved world opens again as the same one, here and in the command line', '#scene=cuts', async ( page ) =>
{
	await steps( page, 45 );
	const before = await hash( page );
	await openPanel( page, 'Yours' );
	const path = await saved( page, 'Save this world' );
	await page.reload();
	await page.waitForFunction( () => window.pliant?.frames > 0 );
	await pause( page );
	await page.setInputFiles( '#file', path );
	await said( page, 'is open' );
	assert.equal( await hash( page ), before );
	const native = execFileSync( root + 'build/pliant', [ 'run', 'cuts', '--load', path, '--frames', '0', '--hash', '--quiet' ], { encoding: 'utf8' } );
	assert.equal( native.trim(), `hash ${before}` );
	await steps( page, 15 ); // and goes on as the scene would
	const frame = readFileSync( path ).readUInt32LE( 40 ); // docs/wire.md
	const later = execFileSync( root + 'build/pliant', [ 'run', 'cuts', '--frames', `${frame + 15}`, '--hash', '--quiet' ], { encoding: 'utf8' } );
	assert.equal( later.trim(), `hash ${await hash( page )}` );
} );

onPage( 'the commands, a GLB and a clip can be saved', '', async ( page ) =>
{
	await openPanel( page, 'Yours' );
	const body = ( await state( page ) ).bodies[0];
	await drag( page, body.at, [ body.at[0] + 20, body.at[1] - 60 ] );
	await waitSteps( page, 10 );
	const script = await saved( page, 'Save the commands' );
	assert.match( readFileSync( script, 'utf8' ), /^load toys\n[^]*grab 10:1 ray [^]*expect hash 0x[0-9a-f]{16}\n$/ );
	execFileSync( root + 'build/pliant', [ 'replay', script ] );
	const glb = readFileSync( await saved( page, 'Save as GLB' ) );
	assert.equal( glb.subarray( 0, 4 ).toString(), 'glTF' );
	assert.ok( JSON.parse( glb.subarray( 20, 20 + glb.readUInt32LE( 12 ) ).toString() ).meshes.length >= 8 );
	await page.evaluate( () => [ ...document.querySelectorAll( '#panel button' ) ].find( ( button ) => button.textContent === 'Record a clip' ).click() );
	await page.waitForFunction( () => window.pliant.yours.clip.parts.reduce( ( sum, part ) => sum + part.size, 0 ) > 2000 );
	const clip = readFileSync( await saved( page, 'Stop, and save' ) );
	assert.equal( clip.subarray( 0, 4 ).toString( 'hex' ), '1a45dfa3' );
	assert.ok( clip.length > 2000 );
} );

onPage( 'a keyboard alone is enough', '#scene=table', async ( page ) =>
{
	await alone( page, 'cube at 0 0.4 0 preset rubber' );
	const key = async ( name, times = 1 ) =>
	{
		for ( let i = 0; i < times; ++i )
		{
			await page.keyboard.press( name );
		}
	};
	await page.focus( 'canvas' );
	await key( 'Space' );
	await page.waitForFunction( () => window.pliant.state.paused === false );
	await key( '1' );
	await key( 'Enter' );
	await page.waitForFunction( () => window.pliant.state.hands.length === 1 );
	await key( 'ArrowUp', 14 );
	await page.waitForFunction( () => window.pliant.state.bodies[0].center[1] > 0.75 );
	await key( 'l' );
	await page.waitForFunction( () => window.pliant.state.hands[0]?.locked === true );
	await key( 'Enter' );
	await key( '4' );
	assert.equal( ( await state( page ) ).tool, 'cut' );
	// It swings: the stroke is drawn while time stands still, through where it is.
	await key( 'Space' );
	await page.waitForFunction( () => window.pliant.state.paused );
	await catchUp( page );
	const row = ( await state( page ) ).bodies[0].at[1], cross = await page.evaluate( () => ( { y: window.pliant.parts.hands.cross.y, step: 0.02 * document.querySelector( 'canvas' ).clientHeight } ) );
	const rows = Math.round( ( row - cross.y ) / cross.step );
	await key( 'ArrowLeft', 16 );
	await key( rows > 0 ? 'ArrowDown' : 'ArrowUp', Math.abs( rows ) );
	await key( 'Enter' );
	await key( 'ArrowRight', 32 );
	await key( 'Enter' );
	await bodyCount( page, 2 );
	await key( 'z' );
	await bodyCount( page, 1 );
	await key( 'y' );
	await bodyCount( page, 2 );
	await key( 'Space' );
	await page.waitForFunction( () => window.pliant.state.paused === false );
	await key( '.' );
	await page.waitForFunction( () => window.pliant.state.paused );
	await key( '?' );
	await page.waitForSelector( '#help[open]' );
	await key( 'Escape' );
	// All buttons that are there can be reached, and say what they are.
	const reached = new Set();
	for ( let i = 0; i < 40; ++i )
	{
		await key( 'Tab' );
		reached.add( await page.evaluate( () => document.activeElement?.getAttribute( 'aria-label' ) ?? document.activeElement?.id ) );
	}
	for ( const button of await page.evaluate( () => [ ...document.querySelectorAll( '#top button:not(:disabled), #tools button' ) ].filter( ( one ) => one.offsetParent !== null ).map( ( one ) => one.getAttribute( 'aria-label' ) ?? one.id ) ) )
	{
		assert.ok( reached.has( button ), `Tab comes to ${button}` );
	}
} );

onPage( 'two fingers hold two things', '#scene=table', async ( page ) =>
{
	await alone( page, 'cube at -0.8 0.4 0 preset rubber' );
	await send( page, 'spawn ball at 0.8 0.4 0' );
	await bodyCount( page, 2 );
	await pause( page, false );
	const [ left, right ] = ( await state( page ) ).bodies.toSorted( ( a, b ) => a.at[0] - b.at[0] );
	const cdp = await page.context().newCDPSession( page );
	const touch = ( type, ...points ) => cdp.send( 'Input.dispatchTouchEvent', { type, touchPoints: points.map( ( [ x, y ], id ) => ( { x, y, id } ) ) } );
	await touch( 'touchStart', left.at );
	await touch( 'touchStart', left.at, right.at );
	await page.waitForFunction( () => window.pliant.state.hands.length === 2 );
	for ( let i = 1; i <= 5; ++i )
	{
		await touch( 'touchMove', [ left.at[0], left.at[1] - 16 * i ], [ right.at[0], right.at[1] - 22 * i ] );
	}
	await page.waitForFunction( ( names ) => names.every( ( name ) => window.pliant.state.bodies.find( ( body ) => body.name === name ).center[1] > 0.7 ), [ left.name, right.name ] );
	const held = new Set( ( await state( page ) ).hands.map( ( hand ) => `${hand.body.index}.${hand.body.generation}` ) );
	assert.deepEqual( held, new Set( [ left.name, right.name ] ) );
	await touch( 'touchEnd' );
	await page.waitForFunction( () => window.pliant.state.hands.length === 0 );
}, { hasTouch: true } );

onPage( 'two fingers beside everything come nearer', '#scene=table', async ( page ) =>
{
	await alone( page, 'ball at 0 0.4 0' );
	const cdp = await page.context().newCDPSession( page );
	const touch = ( type, ...points ) => cdp.send( 'Input.dispatchTouchEvent', { type, touchPoints: points.map( ( [ x, y ], id ) => ( { x, y, id } ) ) } );
	const before = await page.evaluate( () => window.pliant.parts.view.size );
	await touch( 'touchStart', [ 120, 100 ] );
	await touch( 'touchStart', [ 120, 100 ], [ 520, 100 ] );
	await page.waitForFunction( () => [ ...window.pliant.parts.hands.downs.values() ].filter( ( down ) => down.use === 'view' ).length === 2 );
	for ( let i = 1; i <= 4; ++i )
	{
		await touch( 'touchMove', [ 120 - 12 * i, 100 ], [ 520 + 12 * i, 100 ] );
	}
	await touch( 'touchEnd' );
	assert.ok( await page.evaluate( () => window.pliant.parts.view.size ) < 0.95 * before );
}, { hasTouch: true } );

onPage( 'throw, add, remove', '#scene=table', async ( page ) =>
{
	await alone( page, 'melon at 0 0.45 0' );
	await tool( page, 'add' );
	await page.mouse.click( 420, 250 );
	await bodyCount( page, 2 );
	await tool( page, 'throw' );
	await page.mouse.click( 320, 150 );
	await bodyCount( page, 3 );
	const thrown = ( await state( page ) ).bodies.at( -1 );
	await steps( page, 10 );
	const later = ( await state( page ) ).bodies.at( -1 );
	assert.ok( Math.hypot( ...later.center.map( ( value, a ) => value - thrown.center[a] ) ) > 0.5, 'it flies' );
	await tool( page, 'remove' );
	const target = nearest( ( await state( page ) ).bodies, 320, 180 );
	const gone = await bodyAt( page, ...target.at );
	await page.mouse.click( ...target.at );
	await bodyCount( page, 2 );
	assert.ok( ( await state( page ) ).bodies.every( ( body ) => body.name !== gone ) );
} );

onPage( 'what means nothing is answered with why, and changes nothing', '', async ( page ) =>
{
	await steps( page, 5 );
	const before = await hash( page );
	for ( const [ text, why ] of [ [ 'fly 10:1', 'A command' ], [ 'spawn unicorn at 0 1 0', 'no solid' ], [ 'remove 99.1', 'no such body' ], [ 'load nowhere', 'no scene' ], [ 'grab 11:1 at 0 0 0', 'another' ] ] )
	{
		await send( page, text );
		await said( page, why );
	}
	assert.equal( await hash( page ), before );
} );

onPage( 'a link holds scene and settings', '#scene=toys', async ( page ) =>
{
	await send( page, 'gravity 0 -3 0' );
	await openPanel( page, 'World' );
	await page.evaluate( () => window.pliant.setColoring( 'speed' ) );
	const slider = page.locator( '#panel .lil-controller', { hasText: 'substeps' } ).locator( 'input' );
	await slider.fill( '2' );
	await slider.press( 'Enter' );
	await page.waitForFunction( () => window.pliant.state.substeps === 2 );
	const address = await page.evaluate( () => window.pliant.address );
	const { page: other, close } = await openPage( browser, server.address, {}, address.slice( address.indexOf( '#' ) ) );
	await other.waitForFunction( () => window.pliant.state.substeps === 2 );
	assert.equal( ( await state( other ) ).scene, 'toys' );
	assert.equal( await other.evaluate( () => window.pliant.shading ), 'speed' );
	await close();
} );

onPage( 'colours by what is felt, at every vertex', '#scene=toys', async ( page ) =>
{
	await steps( page, 20 );
	await keepPicture( page );
	for ( const view of [ 'stretch', 'plastic', 'speed', 'clusters' ] )
	{
		await page.evaluate( ( name ) => window.pliant.setColoring( name ), view );
		await catchUp( page );
		assert.ok( await page.evaluate( () => window.pliant.parts.view.bodies.meshes().every( ( group ) => group.children.every( ( mesh ) => mesh.geometry.hasAttribute( 'shade' ) ) ) ), view );
		assert.ok( await changedPixels( page ) > 1000, view );
	}
	await page.evaluate( () => window.pliant.setColoring( 'none' ) );
} );

/** In the worker time is what it does: every look at the clock takes a while, and waiting takes as long as it was meant to. What else the machine does takes none. */
const ownTime = ( page ) => page.route( /\/worker-[^/]*\.js/, async ( route ) =>
{
	const response = await route.fetch(), look = 0.02; // ms: a step looks a dozen times in each substep
	const clock = `{ let now = 0; performance.now = () => now += ${look}; const after = setTimeout; self.setTimeout = ( act, wait ) => after( () => { now += wait; act(); }, 0 ); }`;
	await route.fulfill( { response, body: `${clock}\n${await response.text()}` } );
} );

onPage( 'when a step costs more than it covers, time slows down and the page says so', '#scene=pile', async ( page ) =>
{
	await send( page, 'rate 1000\nsubsteps 64' );
	await page.waitForFunction( () => document.querySelector( '#notice [data-key=pace]' )?.textContent.startsWith( 'Time runs at ' ) );
	// Nothing has piled up: as soon as steps are cheap again there are as many as time asks for, not more.
	await send( page, 'load table' );
	await page.waitForFunction( () => window.pliant.state.scene === 'table' && window.pliant.pace.share > 0.9 );
	await page.waitForFunction( () => document.querySelector( '#notice [data-key=pace]' ) === null );
}, { prepare: ownTime } );

onPage( 'a hand is where the pointer is, before the room has heard of it; eyes look into its box', '#scene=pile384', async ( page ) =>
{
	// Steps that take long, so that no frame can come in between.
	await send( page, 'substeps 32' );
	await page.mouse.move( 320, 200 );
	await page.mouse.down();
	await page.waitForFunction( () => window.pliant.state.hands.length === 1 );
	const { frames, at, later } = await page.evaluate( () =>
	{
		const { view } = window.pliant.parts;
		const before = window.pliant.frames;
		view.canvas.dispatchEvent( new PointerEvent( 'pointermove', { pointerId: 1, pointerType: 'mouse', clientX: 370, clientY: 150 } ) );
		return { frames: before, later: window.pliant.frames, at: view.project( window.pliant.state.hands[0].target ) };
	} );
	assert.equal( later, frames );
	assert.ok( Math.hypot( at[0] - 370, at[1] - 150 ) < 1, `the hand is at ${at}` );
	// And then the room has it too.
	await page.waitForFunction( () =>
	{
		const { stage, view } = window.pliant.parts, hand = stage.frame.hands[0], spot = hand && view.project( hand.target );
		return spot !== undefined && Math.hypot( spot[0] - 370, spot[1] - 150 ) < 1;
	} );
	await page.mouse.up();
	await page.waitForFunction( () => window.pliant.state.hands.length === 0 );
} );

onPage( 'a baked response is dragged by its handles, and tells the force', '', async ( page ) =>
{
	const path = join( temporary, 'drag.response' );
	execFileSync( root + 'build/pliant', [ 'solve', 'drag', '--quiet', '--sources', '120', '--tolerance', '0.2', '--bake', path ] ); // roughly, and soon
	await page.setInputFiles( '#file', path );
	await page.waitForFunction( () => window.pliant.state.isStatic );
	const first = await state( page );
	assert.equal( first.hands.length, 7 );
	const handle = first.hands[0], at = await page.evaluate( ( place ) => window.pliant.parts.view.project( place ), handle.place );
	// Frames that were on their way when it was taken know nothing of it, and do not make it a miss.
	await page.evaluate( async ( place ) =>
	{
		const { hands, stage } = window.pliant.parts, old = stage.frame;
		hands.press( 99, ...place, false, false );
		for ( let i = 0; i < 4; ++i )
		{
			stage.take( old );
			await null;
		}
	}, at );
	assert.equal( await ( await page.waitForFunction( () => [ ...window.pliant.parts.hands.downs.values() ].map( ( down ) => down.use ).find( ( use ) => use !== 'waiting' ) ) ).jsonValue(), 'tool' );
	await page.evaluate( () => window.pliant.parts.hands.release( 99, false ) );
	await page.waitForFunction( () => window.pliant.state.hands.every( ( hand ) => hand.owner === 0 ) );
	await drag( page, at, [ at[0] + 25, at[1] - 30 ], { release: false } );
	await page.waitForFunction( ( [ x, y ] ) =>
	{
		const hand = window.pliant.state.hands.find( ( one ) => one.owner === 10 );
		const spot = hand && window.pliant.parts.view.project( hand.target );
		return spot !== undefined && Math.hypot( spot[0] - x, spot[1] - y ) < 6 && Math.hypot( ...hand.force ) > 0.1;
	}, [ at[0] + 25, at[1] - 30 ] );
	await page.mouse.up();
	await page.waitForFunction( ( place ) => Math.hypot( ...window.pliant.state.hands[0].place.map( ( value, a ) => value - place[a] ) ) < 1e-3, handle.place );
	// The beam too
	const beam = join( temporary, 'beam.response' );
	execFileSync( root + 'build/pliant', [ 'solve', 'cantilever', '--quiet', '--sources', '120', '--tolerance', '0.2', '--bake', beam ] );
	await page.setInputFiles( '#file', beam );
	await page.waitForFunction( () => window.pliant.state.hands.length === 2 );
	const tip = ( await state( page ) ).hands[0].place, end = await page.evaluate( ( place ) => window.pliant.parts.view.project( place ), tip );
	await drag( page, end, [ end[0], end[1] + 20 ], { release: false } );
	await page.waitForFunction( ( y ) => window.pliant.state.hands.some( ( one ) => one.owner === 10 && one.place[1] < y - 1e-3 && one.force[1] < -1 ), tip[1] );
	await page.mouse.up();
	await page.keyboard.press( 'r' );
	await page.waitForFunction( () => window.pliant.state.isStatic === false && window.pliant.state.bodies.length === 8 );
} );

for ( const [ width, height ] of [ [ 360, 640 ], [ 640, 360 ], [ 1280, 720 ] ] )
{
	onPage( `everything is on a screen of ${width} × ${height}`, '', async ( page ) =>
	{
		const boxes = await page.evaluate( () => [ ...document.querySelectorAll( '#top button, #tools button' ) ].filter( ( one ) => one.offsetParent !== null ).map( ( one ) =>
		{
			const box = one.getBoundingClientRect();
			return { name: one.getAttribute( 'aria-label' ) ?? one.id, left: box.left, top: box.top, right: box.right, bottom: box.bottom };
		} ) );
		for ( const a of boxes )
		{
			assert.ok( a.left >= 0 && a.top >= 0 && a.right <= width && a.bottom <= height, `${a.name} is on the screen` );
			assert.ok( a.right - a.left >= 30 && a.bottom - a.top >= 30, `${a.name} is large enough for a finger` );
			for ( const b of boxes )
			{
				assert.ok( a === b || a.right <= b.left + 0.5 || b.right <= a.left + 0.5 || a.bottom <= b.top + 0.5 || b.bottom <= a.top + 0.5, `${a.name} and ${b.name} lie apart` );
			}
		}
		assert.ok( await page.evaluate( () => document.documentElement.scrollWidth <= innerWidth ) );
	}, { viewport: { width, height } } );
}

for ( const theme of [ 'light', 'dark' ] )
{
	onPage( `text can be read in the ${theme} theme (AA)`, '', async ( page ) =>
	{
		assert.equal( await page.evaluate( () => document.documentElement.dataset.theme ), theme );
		const ratios = await page.evaluate( () =>
		{
			const style = getComputedStyle( document.documentElement ), canvas = document.createElement( 'canvas' ).getContext( '2d', { willReadFrequently: true } );
			const paint = ( ...colors ) =>
			{
				colors.forEach( ( color ) =>
				{
					canvas.fillStyle = style.getPropertyValue( color ).trim() || color;
					canvas.fillRect( 0, 0, 1, 1 );
				} );
				return [ ...canvas.getImageData( 0, 0, 1, 1 ).data ].slice( 0, 3 );
			};
			const light = ( rgb ) => rgb.map( ( v ) => v / 255 ).map( ( v ) => v <= 0.04045 ? v / 12.92 : ( ( v + 0.055 ) / 1.055 ) ** 2.4 ).reduce( ( sum, v, i ) => sum + v * [ 0.2126, 0.7152, 0.0722 ][i], 0 );
			const ratio = ( a, b ) => ( Math.max( light( a ), light( b ) ) + 0.05 ) / ( Math.min( light( a ), light( b ) ) + 0.05 );
			const paper = paint( '--sky', '--paper' );
			return {
				ink: ratio( paint( '--ink' ), paper ), soft: ratio( paint( '--soft' ), paper ), accent: ratio( paint( '--accent' ), paper ),
				pressed: ratio( paint( '--on-accent' ), paint( '--accent' ) ), card: ratio( paint( '--soft' ), paint( '--sky' ) ),
			};
		} );
		for ( const [ name, ratio ] of Object.entries( ratios ) )
		{
			assert.ok( ratio >= 4.5, `${name}: ${ratio.toFixed( 2 )}` );
		}
	}, { colorScheme: theme } );
}

test( 'without WebGL the page says so', { timeout: patience }, async () =>
{
	const context = await newContext( browser ), page = await context.newPage();
	await page.addInitScript( () => HTMLCanvasElement.prototype.getContext = () => null );
	await page.goto( server.address );
	await page.waitForSelector( '.plain' );
	assert.match( await page.textContent( '.plain' ), /no WebGL/ );
	await context.close();
} );

test( 'without SIMD, and without its module, the page says so', { timeout: patience }, async () =>
{
	const context = await newContext( browser );
	const old = await context.newPage();
	await old.addInitScript( () => WebAssembly.validate = () => false );
	await old.goto( server.address );
	await old.waitForSelector( '.plain' );
	assert.match( await old.textContent( '.plain' ), /too old/ );
	const lost = await context.newPage();
	await lost.route( '**/room.wasm', ( route ) => route.fulfill( { status: 404, body: '' } ) );
	await lost.goto( server.address );
	await lost.waitForSelector( '.plain' );
	assert.match( await lost.textContent( '.plain' ), /could not be started/ );
	await context.close();
} );

test( 'every scene has its picture', async () =>
{
	const { page, close } = await openPage( browser, server.address );
	await page.keyboard.press( 'o' );
	await page.waitForSelector( '#scenes[open]' );
	const names = await page.evaluate( () => [ ...document.querySelectorAll( '#scenes .card' ) ].map( ( card ) => card.dataset.scene ) );
	assert.ok( names.length > 20 );
	for ( const name of names )
	{
		const response = await page.request.get( `${server.address}scenes/${name}.webp` );
		assert.equal( response.status(), 200, name );
	}
	await page.click( '#scenes [data-scene=ramp]' );
	await page.waitForFunction( () => window.pliant.state.scene === 'ramp' );
	await close();
} );
