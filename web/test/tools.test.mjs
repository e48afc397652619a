// tools.test.mjs - every tool by mouse, finger, pen and keys; what is shown before it acts; every slider; meters; errors in plain words. In a real browser.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';
import { launch, newContext, openPage, patience, root, serve } from './browser.mjs';
import { alone, bodyCount, catchUp, drag, drop, ghosts, hash, holds, onPageOf, openPanel, pause, said, send, state, steps, tool, waitSteps } from './helpers.mjs';
import * as meshes from './meshes.mjs';

let server, browser;
before( async () =>
{
	server = await serve();
	browser = await launch();
} );
after( async () =>
{
	await browser?.close();
	await server?.stop();
} );
const onPage = onPageOf( () => ( { browser, server } ) );

// ---- what is shown ----

onPage( 'what can be taken glows under the pointer, and every tool shows what it will do', '#scene=table', async ( page ) =>
{
	const body = await alone( page, 'melon at 0 0.45 0' );
	const glows = () => page.evaluate( () => window.pliant.parts.view.bodies.highlighted );
	await page.mouse.move( 40, 200 );
	await page.waitForFunction( () => window.pliant.parts.hands.hovered?.what === 'shape' );
	assert.equal( await glows(), '' );
	for ( const name of [ 'grab', 'lock', 'push', 'cut', 'incise', 'add', 'remove' ] )
	{
		await tool( page, name );
		await page.mouse.move( ...body.at, { steps: 2 } );
		await page.waitForFunction( () => window.pliant.parts.hands.hovered?.what === 'body' );
		if ( name === 'cut' )
		{
			await page.waitForFunction( ( id ) => window.pliant.parts.view.bodies.highlighted === id, body.name );
			continue; // its ghost needs a stroke
		}
		await page.waitForFunction( () => window.pliant.parts.view.ghosts.group.children.some( ( one ) => one.visible ) );
		if ( [ 'grab', 'lock', 'incise', 'remove' ].includes( name ) )
		{
			assert.equal( await glows(), body.name, name );
		}
	}
	await tool( page, 'throw' );
	await page.mouse.move( 320, 150 );
	await page.mouse.down();
	await page.waitForFunction( () => window.pliant.parts.view.ghosts.group.children.filter( ( one ) => one.visible ).length > 4 );
	await page.mouse.up();
} );

onPage( 'while something is pulled an arrow shows the force', '#scene=table', async ( page ) =>
{
	const body = await alone( page, 'cube at 0 0.4 0 preset rubber' );
	await pause( page, false );
	await drag( page, body.at, [ body.at[0], body.at[1] - 60 ], { release: false } );
	await page.waitForFunction( () => Math.hypot( ...( window.pliant.state.hands[0]?.force ?? [ 0 ] ) ) > 50 );
	await page.waitForFunction( () => window.pliant.parts.view.ghosts.group.children.some( ( one ) => one.visible && one.geometry.type === 'ConeGeometry' && one.material.color.getHexString() === '2f7de1' ) );
	await page.mouse.up();
	await page.waitForFunction( () => window.pliant.parts.view.ghosts.group.children.every( ( one ) => one.visible === false || one.geometry.type !== 'ConeGeometry' ) );
} );

/** How far the ghosts of blades reach across the stroke, in pixels, in all pictures until there are none. */
const watchBlades = ( page ) => page.evaluate( () =>
{
	const { view } = window.pliant.parts, seen = window.blades = [], draw = view.draw.bind( view );
	view.draw = ( ...rest ) =>
	{
		const wide = view.ghosts.sheets.things.slice( 0, view.ghosts.sheets.used ).map( ( one ) =>
		{
			const at = one.geometry.getAttribute( 'position' ), xs = [ 0, 1, 2, 3 ].map( ( i ) => view.project( [ at.getX( i ), at.getY( i ), at.getZ( i ) ] )[0] );
			return Math.max( ...xs ) - Math.min( ...xs );
		} );
		seen.push( Math.max( 0, ...wide ) );
		return draw( ...rest );
	};
} );

for ( const [ reducedMotion, closes ] of [ [ 'no-preference', true ], [ 'reduce', false ] ] )
{
	onPage( closes ? 'two blades lie open along the stroke and close on it' : 'nothing moves by itself where people want no motion', '#scene=table', async ( page ) =>
	{
		const melon = await alone( page, 'melon at 0 0.45 0' );
		await tool( page, 'cut' );
		await watchBlades( page );
		await drag( page, [ melon.at[0], melon.at[1] - 80 ], [ melon.at[0], melon.at[1] + 80 ], { parts: 8, release: false } );
		await page.waitForFunction( () => window.blades.at( -1 ) > 20 ); // seen across, though the stroke is upright
		// From here on a picture takes 20 ms, however long it took.
		await page.evaluate( () =>
		{
			const begin = performance.now();
			window.blades.length = 0;
			performance.now = () => begin + 20 * window.blades.length;
		} );
		await page.mouse.up();
		await bodyCount( page, 2 );
		await page.waitForFunction( () => window.blades.at( -1 ) === 0 );
		const wide = await page.evaluate( () => window.blades.filter( ( one ) => one > 0 ) );
		if ( closes )
		{
			assert.ok( wide.length >= 8 && wide.slice( 3 ).every( ( one, i ) => one <= wide[i + 2] + 1e-6 ) && wide.at( -1 ) < 0.5 * wide[0], `${wide}` );
		}
		const animations = await page.evaluate( () => document.getAnimations().length );
		assert.ok( closes || animations === 0 );
	}, { reducedMotion } );
}

onPage( 'who takes another tool before the room has answered holds nothing', '#scene=table', async ( page ) =>
{
	const body = await alone( page, 'cube at 0 0.4 0 preset rubber' );
	await page.evaluate( ( [ x, y ] ) =>
	{
		const { hands } = window.pliant.parts;
		hands.press( 99, x, y, false, false );
		document.querySelector( '#tools [data-name=cut]' ).click();
	}, body.at );
	await catchUp( page );
	await catchUp( page ); // the room has been told what came of the answer
	const { hands, tool: name } = await state( page );
	assert.deepEqual( [ hands, name ], [ [], 'cut' ] );
	assert.match( await page.evaluate( () => window.pliant.parts.link.script() ), /grab 10:1 [^]*drop 10:1/ );
} );

// ---- fingers, pen, keys ----

/** Ways to press, lead and let go that are not a mouse. */
const ways = {
	finger: async ( page ) =>
	{
		const cdp = await page.context().newCDPSession( page );
		const touch = ( type, points ) => cdp.send( 'Input.dispatchTouchEvent', { type, touchPoints: points.map( ( [ x, y ] ) => ( { x, y, id: 0 } ) ) } );
		return { down: ( at ) => touch( 'touchStart', [ at ] ), move: ( at ) => touch( 'touchMove', [ at ] ), up: () => touch( 'touchEnd', [] ) };
	},
	pen: async ( page ) =>
	{
		const cdp = await page.context().newCDPSession( page );
		const pen = ( type, [ x, y ], buttons ) => cdp.send( 'Input.dispatchMouseEvent', { type, x, y, button: type === 'mouseMoved' ? 'none' : 'left', buttons, pointerType: 'pen', force: 0.5, clickCount: 1 } );
		let last = [ 0, 0 ];
		return {
			down: async ( at ) => ( last = at, await pen( 'mouseMoved', at, 0 ), pen( 'mousePressed', at, 1 ) ), move: ( at ) => pen( 'mouseMoved', last = at, 1 ), up: () => pen( 'mouseReleased', last, 0 ),
		};
	},
	keys: async ( page ) =>
	{
		// The cross goes in steps: as near as these come.
		const go = async ( [ x, y ] ) =>
		{
			for ( const [ axis, less, more, goal ] of [ [ 'x', 'ArrowLeft', 'ArrowRight', x ], [ 'y', 'ArrowUp', 'ArrowDown', y ] ] )
			{
				const now = await page.evaluate( ( a ) => window.pliant.parts.hands.cross.shown ? window.pliant.parts.hands.cross[a] : a === 'x' ? innerWidth / 2 : innerHeight / 2, axis );
				for ( let i = Math.round( Math.abs( goal - now ) / ( 0.02 * 360 ) ); i > 0; --i )
				{
					await page.keyboard.press( goal < now ? less : more );
				}
			}
		};
		await page.focus( 'canvas' );
		return { down: async ( at ) => ( await go( at ), page.keyboard.press( 'Enter' ) ), move: go, up: () => page.keyboard.press( 'Enter' ) };
	},
};

for ( const way of Object.keys( ways ) )
{
	onPage( `all tools by ${way}`, '#scene=table', async ( page ) =>
	{
		const hand = await ways[way]( page );
		const choose = ( number ) => page.keyboard.press( String( number ) );
		const only = async () => ( await state( page ) ).bodies[0];
		// Lying in the middle of the table: what a tool before has thrown may lie under a button.
		const fresh = async () =>
		{
			await send( page, 'load table' );
			await bodyCount( page, 0 );
			await alone( page, 'cube at 0 0.4 0 preset rubber' );
			await steps( page, 60 );
		};
		await fresh();
		await pause( page, false );
		const cube = await only();
		await choose( 1 );
		await hand.down( cube.at );
		await holds( page );
		await hand.move( [ cube.at[0], cube.at[1] - 90 ] );
		await page.waitForFunction( () => window.pliant.state.bodies[0].center[1] > 0.7 );
		await hand.up();
		await page.waitForFunction( () => window.pliant.state.hands.length === 0 && window.pliant.state.bodies[0].center[1] < 0.5 );
		await fresh();
		await choose( 2 );
		await hand.down( ( await only() ).at );
		await page.waitForFunction( () => window.pliant.state.hands[0]?.locked === true );
		await hand.up();
		const lock = await page.evaluate( () => window.pliant.parts.view.project( window.pliant.state.hands[0].target ) );
		await hand.down( lock );
		await page.waitForFunction( () => window.pliant.state.hands.length === 0 );
		await hand.up();
		await fresh();
		await choose( 3 );
		const before = await only();
		await pause( page, false );
		await hand.down( [ before.at[0] - 70, before.at[1] ] );
		await holds( page );
		for ( let i = 1; i <= 14; ++i )
		{
			await hand.move( [ before.at[0] - 70 + 8 * i, before.at[1] ] );
			await waitSteps( page, 2 );
		}
		await page.waitForFunction( ( x ) => window.pliant.state.bodies[0].center[0] > x + 0.05, before.center[0] );
		await hand.up();
		await fresh();
		await choose( 5 );
		const triangles = () => page.evaluate( () => window.pliant.parts.view.bodies.meshes()[0].children[0].geometry.getIndex().count );
		const few = await triangles(), at = ( await only() ).at;
		await hand.down( [ at[0] - 16, at[1] ] );
		await holds( page );
		await hand.move( [ at[0] + 16, at[1] ] );
		await hand.up();
		await page.waitForFunction( ( n ) => window.pliant.parts.view.bodies.meshes()[0].children[0].geometry.getIndex().count > n, few );
		await choose( 4 );
		await hand.down( [ at[0] - 80, at[1] + 10 ] );
		await holds( page );
		await hand.move( [ at[0], at[1] + 10 ] );
		await hand.move( [ at[0] + 80, at[1] + 10 ] );
		await hand.up();
		await page.waitForFunction( () => window.pliant.state.bodies.length >= 2 );
		await page.keyboard.press( 'z' );
		await bodyCount( page, 1 );
		await choose( 6 );
		await hand.down( [ 200, 260 ] );
		await bodyCount( page, 2 );
		await hand.up();
		await choose( 7 );
		await hand.down( [ 320, 140 ] );
		await holds( page );
		await hand.up();
		await bodyCount( page, 3 );
		await choose( 8 );
		await hand.down( ( await state( page ) ).bodies[1].at );
		await bodyCount( page, 2 );
		await hand.up();
	}, { hasTouch: way === 'finger' } );
}

onPage( 'a pinch leads what is held away and back', '#scene=table', async ( page ) =>
{
	const body = await alone( page, 'ball at 0 0.4 0' );
	await pause( page, false );
	const cdp = await page.context().newCDPSession( page );
	const touch = ( type, ...points ) => cdp.send( 'Input.dispatchTouchEvent', { type, touchPoints: points.map( ( [ x, y ], id ) => ( { x, y, id } ) ) } );
	const second = [ body.at[0] + 200, 60 ];
	await touch( 'touchStart', body.at );
	await page.waitForFunction( () => window.pliant.state.hands.length === 1 );
	await touch( 'touchStart', body.at, second );
	await page.waitForFunction( () => [ ...window.pliant.parts.hands.downs.values() ].some( ( down ) => down.use === 'depth' ) );
	const far = () => page.evaluate( () => Math.hypot( ...window.pliant.state.hands[0].target.map( ( value, a ) => value - window.pliant.parts.view.ray( 320, 180 ).origin[a] ) ) );
	const first = await far();
	await touch( 'touchMove', body.at, [ second[0] - 100, second[1] + 30 ] );
	await page.waitForFunction( ( d ) => Math.hypot( ...window.pliant.state.hands[0].target.map( ( value, a ) => value - window.pliant.parts.view.ray( 320, 180 ).origin[a] ) ) > d + 0.3, first );
	const away = await far();
	await touch( 'touchMove', body.at, second );
	await page.waitForFunction( ( d ) => Math.hypot( ...window.pliant.state.hands[0].target.map( ( value, a ) => value - window.pliant.parts.view.ray( 320, 180 ).origin[a] ) ) < d - 0.3, away );
	await touch( 'touchEnd' );
}, { hasTouch: true } );

onPage( 'pause, one step, slow motion', '', async ( page ) =>
{
	await page.keyboard.press( 'Space' );
	await page.waitForFunction( () => window.pliant.state.paused );
	await catchUp( page );
	const before = await hash( page ), step = ( await state( page ) ).step;
	await page.waitForTimeout( 200 );
	assert.equal( await hash( page ), before );
	await page.keyboard.press( '.' );
	await catchUp( page );
	assert.equal( ( await state( page ) ).step, step + 1 );
	await page.click( '#time [data-name=slow]' );
	await page.click( '#time [data-name=pause]' );
	await page.waitForFunction( () => window.pliant.pace?.speed === 0.2 && window.pliant.pace.share > 0 );
	assert.equal( await page.getAttribute( '#time [data-name=slow]', 'aria-pressed' ), 'true' );
	await page.keyboard.press( 's' );
	await page.waitForFunction( () => window.pliant.pace.speed === 1 );
} );

// ---- panels ----

onPage( 'every field of the material has its slider or choice, and acts at once', '#scene=table', async ( page ) =>
{
	await alone( page, 'cube at 0 0.4 0 preset rubber' );
	await openPanel( page, 'More' );
	// The fields as the module has them
	const names = await page.evaluate( () => window.pliant.materialFields );
	assert.ok( names.length >= 18 );
	for ( const [ index, name ] of names.entries() )
	{
		const row = page.locator( '#panel .lil-controller' ).filter( { has: page.locator( '.lil-name', { hasText: new RegExp( `^${name}$` ) } ) } );
		const old = ( await state( page ) ).bodies[0].values[index];
		if ( await row.locator( 'select' ).count() > 0 )
		{
			await row.locator( 'select' ).selectOption( { index: ( old + 1 ) % 3 } );
			await page.waitForFunction( ( [ i, value ] ) => window.pliant.state.bodies[0].values[i] === value, [ index, ( old + 1 ) % 3 ] );
			continue;
		}
		const wanted = name === 'density' ? 500 : name === 'capend' ? 2.5 : name === 'capstart' ? 1.5 : name === 'hertz' ? 7 : name === 'tear' ? 2 : name === 'toughness' ? 20 : 0.5; // multiples of the slider's step
		await row.locator( 'input' ).fill( String( wanted ) );
		await row.locator( 'input' ).press( 'Enter' );
		await page.waitForFunction( ( [ i, value ] ) => Math.abs( window.pliant.state.bodies[0].values[i] - value ) < 1e-6, [ index, wanted ] );
	}
	// A preset says all of them.
	await page.locator( '#panel select' ).nth( 1 ).selectOption( 'clay' );
	const clay = await page.evaluate( () => window.pliant.parts.link.catalogue.materials.find( ( one ) => one.name === 'clay' ).values );
	await page.waitForFunction( ( values ) => window.pliant.state.bodies[0].values.every( ( value, i ) => Math.abs( value - values[i] ) <= 1e-6 * Math.abs( value ) ), clay );
} );

onPage( 'the world’s sliders act at once', '', async ( page ) =>
{
	await openPanel( page, 'World' );
	const set = async ( name, value ) =>
	{
		const input = page.locator( '#panel .lil-controller', { hasText: name } ).locator( 'input' );
		await input.fill( String( value ) );
		await input.press( 'Enter' );
	};
	await set( 'steps a second', 120 );
	await page.waitForFunction( () => window.pliant.state.rate === 120 );
	await set( 'gravity', -2 );
	const first = ( await state( page ) ).bodies[0].center[1];
	await page.waitForFunction( ( y ) => window.pliant.state.bodies[0].center[1] > y + 0.1, first );
} );

onPage( 'meters are numbers and plots of what the world does', '#scene=heap', async ( page ) =>
{
	await page.keyboard.press( 'm' );
	await page.waitForFunction( () => /^\d/.test( document.querySelector( '#meters .row b' ).textContent ) );
	await waitSteps( page, 30 );
	const painted = () => page.evaluate( () => [ ...document.querySelectorAll( '#meters canvas' ) ].map( ( canvas ) =>
		canvas.width > 0 && canvas.getContext( '2d' ).getImageData( 0, 0, canvas.width, canvas.height ).data.some( ( value ) => value > 0 ) ) );
	await page.waitForFunction( () => [ ...document.querySelectorAll( '#meters canvas' ) ].slice( 0, 4 ).every( ( canvas ) =>
		canvas.width > 0 && canvas.getContext( '2d' ).getImageData( 0, 0, canvas.width, canvas.height ).data.some( ( value ) => value > 0 ) ) );
	assert.ok( ( await painted() ).length >= 6 ); // cost by stage, energy, bodies, points, contacts, depth
	const rows = await page.evaluate( () => Object.fromEntries( [ ...document.querySelectorAll( '#meters .row' ) ].map( ( row ) => [ row.firstChild.textContent, row.querySelector( 'b' ).textContent ] ) ) );
	assert.equal( rows.bodies.split( ',' )[0], String( ( await state( page ) ).bodies.length ) );
	for ( const name of [ 'step', 'energy', 'points', 'contacts', 'deepest', 'memory' ] )
	{
		assert.match( rows[name], /^[\d.,e+-]+/, name );
	}
} );

onPage( 'contacts are shown where they are', '#scene=pile', async ( page ) =>
{
	await steps( page, 60 );
	assert.equal( ( await ghosts( page ) ).filter( ( color ) => color === 'd7263d' ).length, 0 );
	// Also once there is nothing more to draw, and back again
	for ( const [ coloring, least, most ] of [ [ 'contact', 21, Infinity ], [ 'none', 0, 0 ] ] )
	{
		await page.waitForFunction( () => window.pliant.stirred <= 0 );
		await page.evaluate( ( name ) => window.pliant.setColoring( name ), coloring );
		await page.waitForFunction( ( [ few, many ] ) =>
		{
			const count = window.pliant.parts.view.ghosts.group.children.filter( ( one ) => one.visible && one.material.color.getHexString() === 'd7263d' ).length;
			return count >= few && count <= ( many ?? Infinity );
		}, [ least, most ] );
	}
} );

test( 'a scene that nobody has taken a picture of is in the picker all the same', { timeout: patience }, async () =>
{
	const { page, close } = await openPage( browser, server.address );
	await page.route( '**/scenes/spin.webp', ( route ) => route.fulfill( { status: 404, body: '' } ) );
	await page.click( '#scene' );
	await page.waitForSelector( '#scenes [data-scene=spin] .blank' );
	await page.click( '#scenes [data-scene=spin]' );
	await page.waitForFunction( () => window.pliant.state.scene === 'spin' );
	await close();
} );

for ( const [ width, height ] of [ [ 360, 640 ], [ 640, 360 ] ] )
{
	onPage( `panel, meters, scenes and help fit a screen of ${width} × ${height}`, '', async ( page ) =>
	{
		const fits = async ( selector ) =>
		{
			const box = await page.locator( selector ).boundingBox();
			assert.ok( box.x >= 0 && box.y >= 0 && box.x + box.width <= width && box.y + box.height <= height, `${selector}: ${JSON.stringify( box )}` );
			const tools = await page.locator( '#tools' ).boundingBox();
			assert.ok( selector.startsWith( 'dialog' ) || box.y + box.height <= tools.y || box.x >= tools.x + tools.width || box.x + box.width <= tools.x, `${selector} lies beside the tools` );
		};
		for ( const [ key, selector ] of [ [ 'p', '#panel' ], [ 'm', '#meters' ] ] )
		{
			await page.keyboard.press( key );
			await fits( selector );
			await page.keyboard.press( key );
		}
		for ( const [ key, selector ] of [ [ 'o', 'dialog#scenes' ], [ '?', 'dialog#help' ] ] )
		{
			await page.keyboard.press( key );
			await page.waitForSelector( `${selector}[open]` );
			await fits( selector );
			assert.ok( await page.evaluate( ( name ) => document.querySelector( name ).scrollWidth <= document.querySelector( name ).clientWidth, selector ), `${selector} needs no scrolling sideways` );
			await page.keyboard.press( 'Escape' );
		}
	}, { viewport: { width, height } } );
}

for ( const theme of [ 'light', 'dark' ] )
{
	onPage( `all words on the page can be read in the ${theme} theme (AA)`, '', async ( page ) =>
	{
		await openPanel( page, 'More' );
		await page.keyboard.press( 'm' );
		await page.keyboard.press( 'o' );
		const poor = await page.evaluate( () =>
		{
			const canvas = document.createElement( 'canvas' ).getContext( '2d', { willReadFrequently: true } );
			const paint = ( layers ) => ( layers.forEach( ( color ) => ( canvas.fillStyle = color, canvas.fillRect( 0, 0, 1, 1 ) ) ), [ ...canvas.getImageData( 0, 0, 1, 1 ).data ].slice( 0, 3 ) );
			const light = ( rgb ) => rgb.map( ( v ) => v / 255 ).map( ( v ) => v <= 0.04045 ? v / 12.92 : ( ( v + 0.055 ) / 1.055 ) ** 2.4 ).reduce( ( sum, v, i ) => sum + v * [ 0.2126, 0.7152, 0.0722 ][i], 0 );
			const found = [];
			for ( const one of document.querySelectorAll( 'body *' ) )
			{
				const own = [ ...one.childNodes ].some( ( node ) => node.nodeType === 3 && node.textContent.trim() !== '' ) || one.matches( 'input, select' );
				if ( own === false || one.offsetParent === null && one.closest( 'dialog' ) === null || one.matches( ':disabled, option, script, style, [type=file]' ) )
				{
					continue;
				}
				const behind = [];
				for ( let at = one; at !== null; at = at.parentElement )
				{
					behind.unshift( getComputedStyle( at ).backgroundColor );
				}
				// The scene itself may be behind a panel: it is about as light as its sky.
				const ground = paint( [ getComputedStyle( document.documentElement ).getPropertyValue( '--sky' ).trim(), ...behind ] );
				const ink = paint( [ ...behind, getComputedStyle( one ).color ] );
				const [ a, b ] = [ light( ink ), light( ground ) ].sort( ( p, q ) => q - p ), ratio = ( a + 0.05 ) / ( b + 0.05 );
				if ( ratio < 4.5 )
				{
					found.push( `${one.tagName} ${one.className} “${( one.textContent || one.value ).slice( 0, 20 )}” ${ratio.toFixed( 2 )}` );
				}
			}
			return [ ...new Set( found ) ];
		} );
		assert.deepEqual( poor, [] );
	}, { colorScheme: theme } );
}

// ---- your own things, and what goes wrong ----

/** A ball of many triangles, as OBJ: in any size, place and orientation, with a hole and with every triangle alone if wanted. */
function ballObj( { size = 1, at = [ 0, 0, 0 ], hole = 0, seams = false, inside = false, rows = 12 } )
{
	const place = ( i, k ) =>
	{
		const [ a, b ] = [ Math.PI * i / rows, 2 * Math.PI * k / ( 2 * rows ) ];
		return [ at[0] + size * Math.sin( a ) * Math.cos( b ), at[1] + size * Math.cos( a ), at[2] + size * Math.sin( a ) * Math.sin( b ) ];
	};
	const triangles = [];
	for ( let i = hole; i < rows; ++i )
	{
		for ( let k = 0; k < 2 * rows; ++k )
		{
			triangles.push( ...[ [ place( i, k ), place( i, k + 1 ), place( i + 1, k + 1 ) ], [ place( i, k ), place( i + 1, k + 1 ), place( i + 1, k ) ] ] );
		}
	}
	const turn = ( t ) => inside ? [ t[0], t[2], t[1] ] : t;
	const lines = [], known = new Map();
	const number = ( p ) =>
	{
		const key = seams ? `${lines.length}` : p.map( ( v ) => v.toPrecision( 8 ) ).join( ' ' );
		return known.get( key ) ?? ( lines.push( `v ${p.join( ' ' )}` ), known.set( key, lines.length ), lines.length );
	};
	const faces = triangles.map( ( t ) => `f ${turn( t ).map( number ).join( ' ' )}` );
	return [ ...lines, ...faces ].join( '\n' ) + '\n';
}

onPage( 'meshes of any scale, place and orientation, with holes and seams, are soft and stay whole', '#scene=table', async ( page ) =>
{
	await pause( page );
	const files = {
		'huge': ballObj( { size: 4e5, at: [ 1e6, -2e6, 3e5 ] } ), 'tiny': ballObj( { size: 2e-6 } ), 'holed': ballObj( { hole: 3 } ),
		'seams': ballObj( { seams: true } ), 'inside-out': ballObj( { inside: true } ), 'many': ballObj( { rows: 90 } ),
	};
	for ( const [ name, text ] of Object.entries( files ) )
	{
		await send( page, 'remove all' ).catch( () => {} );
		for ( const body of ( await state( page ) ).bodies )
		{
			await send( page, `remove ${body.name}` );
		}
		await bodyCount( page, 0 );
		await drop( page, `${name}.obj`, text );
		await bodyCount( page, 1 );
		const first = ( await state( page ) ).bodies[0];
		assert.ok( first.extent > 0.7 && first.extent < 0.95, `${name}: ${first.extent} m` );
		await steps( page, 120 );
		const later = ( await state( page ) ).bodies[0];
		assert.ok( later.center[1] < first.center[1] - 0.2 && later.center[1] > 0.1 && later.extent > 0.5 && later.extent < 1.4, `${name}: at ${later.center}, ${later.extent} m` );
	}
} );

onPage( 'a file too large is refused in words, and nothing changes', '', async ( page ) =>
{
	await steps( page, 10 );
	const before = await hash( page );
	await page.evaluate( () =>
	{
		const data = new DataTransfer();
		data.items.add( new File( [ new Uint8Array( 65 * 1024 * 1024 ) ], 'large.stl' ) );
		window.dispatchEvent( new DragEvent( 'drop', { dataTransfer: data, bubbles: true, cancelable: true } ) );
	} );
	await said( page, 'large.stl cannot be opened: it has 68 MB, and up to 64 can be taken' );
	assert.equal( await hash( page ), before );
} );

onPage( 'what cannot be read is refused in words that people know, and nothing changes', '', async ( page ) =>
{
	await steps( page, 10 );
	const before = await hash( page ), broken = /it is no [A-Z]+, or it is cut short or damaged$/, other = /it is no mesh \(OBJ, PLY, STL, GLB\), no saved world \(\.pliant\) and no baked response$/;
	const packed = ( json ) =>
	{
		json.extensionsUsed = json.extensionsRequired = [ 'KHR_draco_mesh_compression' ];
		json.meshes[0].primitives[0].extensions = { KHR_draco_mesh_compression: { bufferView: 0, attributes: { POSITION: 0 } } };
	};
	const files = [
		[ 'packed.glb', meshes.glb( packed ), /compressed \(Draco or Meshopt\), which cannot be read here: save it without compression$/ ],
		[ 'no-scene.glb', '{"asset":{"version":"2.0"}}', /there is no surface in it$/ ],
		[ 'promises.stl', Buffer.concat( [ Buffer.alloc( 80 ), Buffer.from( [ 255, 255, 255, 127 ] ) ] ), broken ],
		[ 'promises.ply', 'ply\nformat binary_little_endian 1.0\nelement vertex 4000000000\nproperty float x\nproperty float y\nproperty float z\nend_header\n', broken ],
		[ 'photo.png', Buffer.from( [ 0x89, 0x50, 0x4e, 0x47 ] ), other ], [ 'without', 'abc', other ],
		[ 'cut.response', 'abc', /3 bytes are too few$/ ],
	];
	for ( const [ name, bytes, why ] of files )
	{
		await page.evaluate( () => void ( window.notices = [] ) );
		await drop( page, name, bytes );
		await page.waitForFunction( () => window.notices.length > 0 );
		const [ line ] = await page.evaluate( () => window.notices );
		assert.ok( line.isBad && line.text.startsWith( `${name} cannot be opened: ` ), line.text );
		assert.match( line.text, why );
		assert.doesNotMatch( line.text, /THREE|\bpn[A-Z]|undefined|array|DataView/ );
	}
	assert.equal( await hash( page ), before );
} );

test( 'any static host will do: under any path, with types it does not know, and without rooms, which is told', { timeout: patience }, async () =>
{
	const types = { html: 'text/html', js: 'text/javascript', css: 'text/css' };
	const host = createServer( ( request, response ) =>
	{
		const name = new URL( request.url, 'http://host' ).pathname.replace( /^\/some\/where\//, '' ) || 'index.html', path = `${root}build/page/${name}`;
		const isThere = request.url.startsWith( '/some/where/' ) && existsSync( path );
		response.writeHead( isThere ? 200 : 404, { 'content-type': types[name.split( '.' ).at( -1 )] ?? 'application/octet-stream' } );
		response.end( isThere ? readFileSync( path ) : 'nothing' );
	} );
	await new Promise( ( done ) => host.listen( 0, '127.0.0.1', done ) );
	const address = `http://127.0.0.1:${host.address().port}/some/where/`, { page, close } = await openPage( browser, address );
	await openPanel( page, 'Yours' );
	await page.click( '#panel button:has-text("Open a room for others")' );
	await said( page, 'a host without rooms', true );
	await waitSteps( page, 5 );
	await page.goto( `${address}?room=den` );
	await page.waitForSelector( '.plain a' );
	await page.click( '.plain a' );
	await page.waitForFunction( () => window.pliant?.state.bodies.length === 8 );
	assert.equal( page.url(), address );
	await close();
	host.close();
} );

const copyLink = async ( page ) =>
{
	await openPanel( page, 'Yours' );
	await page.click( '#panel button:has-text("Copy a link")' );
	return page.evaluate( () => window.pliant.address );
};

onPage( 'a link is copied, also where a page has no clipboard, no memory and may not copy', '', async ( page ) =>
{
	// As on a host without https, in a browser that keeps nothing
	let asked = null;
	page.on( 'dialog', ( dialog ) =>
	{
		asked = dialog.defaultValue();
		void dialog.dismiss();
	} );
	const address = await copyLink( page );
	await said( page, 'The link is in your clipboard.' );
	assert.equal( await page.evaluate( () => window.copied ), address );
	await page.evaluate( () => void ( document.execCommand = () => false ) );
	await page.click( '#panel button:has-text("Copy a link")' );
	await page.waitForFunction( () => document.querySelector( 'textarea' ) === null );
	assert.equal( asked, address );
	await page.keyboard.press( 't' );
	assert.equal( await page.evaluate( () => document.documentElement.dataset.theme ), 'dark' );
}, { prepare: ( page ) => page.addInitScript( () =>
{
	const forbid = () => { throw new DOMException( 'not here', 'SecurityError' ); };
	Object.defineProperty( window, 'localStorage', { get: forbid } );
	Object.defineProperty( window, 'sessionStorage', { get: forbid } );
	Object.defineProperty( navigator, 'clipboard', { value: undefined } );
	document.execCommand = ( what ) => ( window.copied = what === 'copy' ? document.activeElement.value : '', true );
} ) } );

onPage( 'who turns a phone, or opens a link from a wide screen, sees as much', '', async ( page ) =>
{
	// How far from the middle the outermost body is, in parts of the view's width
	const reach = async ( one ) => Math.max( ...( await state( one ) ).bodies.map( ( body ) => Math.abs( body.at[0] / one.viewportSize().width - 0.5 ) ) );
	await pause( page );
	const wide = await reach( page ), address = await page.evaluate( () => window.pliant.address );
	await page.setViewportSize( { width: 360, height: 640 } );
	await page.waitForFunction( () => document.querySelector( '#stage canvas' ).clientWidth === 360 );
	assert.ok( wide < 0.45 && await reach( page ) < 0.45, `${wide}, ${await reach( page )}` );
	const { page: other, close } = await openPage( browser, server.address, { viewport: { width: 360, height: 640 } }, address.slice( address.indexOf( '#' ) ) );
	assert.ok( await reach( other ) < 0.45, `${await reach( other )}` );
	await close();
} );

/** The module with so many pages of memory, of 64 KB, at most. */
function withMemory( bytes, most )
{
	const number = ( at ) =>
	{
		let value = 0, shift = 0, end = at;
		do
		{
			value |= ( bytes[end] & 127 ) << shift;
			shift += 7;
		}
		while ( bytes[end++] > 127 );
		return { value, end };
	};
	const leb = ( value ) => value < 128 ? [ value ] : [ value & 127 | 128, ...leb( value >> 7 ) ];
	for ( let at = 8; at < bytes.length; )
	{
		const size = number( at + 1 );
		if ( bytes[at] === 5 )
		{
			const first = number( size.end + 2 ).value, body = [ 1, 1, ...leb( first ), ...leb( Math.max( first, most ) ) ];
			return Buffer.concat( [ bytes.subarray( 0, at ), Buffer.from( [ 5, ...leb( body.length ), ...body ] ), bytes.subarray( size.end + size.value ) ] );
		}
		at = size.end + size.value;
	}
	throw new Error( 'the module has no memory' );
}

test( 'when memory runs out the page says so, and the world goes on as it was', { timeout: patience }, async () =>
{
	const context = await newContext( browser ), page = await context.newPage();
	const small = withMemory( readFileSync( root + 'build/page/room.wasm' ), 400 ); // 25 MB
	await page.route( '**/room.wasm', ( route ) => route.fulfill( { contentType: 'application/wasm', body: small } ) );
	await page.goto( server.address );
	await page.waitForFunction( () => window.pliant?.state.bodies.length === 8 );
	await steps( page, 5 );
	const before = await hash( page );
	await send( page, 'load pile384' );
	await said( page, 'not enough memory' );
	assert.equal( await hash( page ), before );
	await steps( page, 5 );
	assert.notEqual( await hash( page ), before );
	assert.equal( ( await state( page ) ).bodies.length, 8 );
	assert.equal( await page.locator( '.plain' ).count(), 0 );
	await context.close();
} );

onPage( 'a graphics card that gives up is told, and its picture comes back', '', async ( page ) =>
{
	await page.evaluate( () => void ( window.lose = document.querySelector( '#stage canvas' ).getContext( 'webgl2' ).getExtension( 'WEBGL_lose_context' ) ).loseContext() );
	await said( page, 'graphics card gave up' );
	await page.evaluate( () => window.lose.restoreContext() );
	await page.waitForFunction( () => window.pliant.parts.view.isLost === false );
	await page.waitForFunction( () => new Set( Array.from( window.pliantPixels() ) ).size > 60 );
} );
