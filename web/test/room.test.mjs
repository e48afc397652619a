// room.test.mjs - many pages in one room of the real server: same bits, hands of all, leaving, coming late, streaming, a server that is killed.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { launch, newContext, openPage, patience, root } from './browser.mjs';
import { bodyCount, drag, dragBody, said, send, state, tool } from './helpers.mjs';
import { makeCertificate } from '../../test/server/program.mjs';

const folder = mkdtempSync( join( tmpdir(), 'pliant-rooms-' ) );
let server, browser;

/** `pliant serve`, its address, and ways to end it. */
function serveRooms( port = 0, ...more )
{
	const child = spawn( root + 'build/pliant', [ 'serve', 'toys', '--port', String( port ), '--silent-seconds', '3600', '--dir', folder, '--page', root + 'build/page', ...more ], { stdio: [ 'ignore', 'pipe', 'pipe' ] } );
	process.on( 'exit', () => child.kill( 'SIGKILL' ) ); // a test that failed has not ended it
	let words = '';
	child.stderr.on( 'data', ( data ) => words += data );
	const over = new Promise( ( resolve ) => child.on( 'exit', ( code, signal ) => resolve( signal ?? code ) ) );
	return new Promise( ( resolve, reject ) =>
	{
		child.stdout.on( 'data', ( data ) =>
		{
			const address = /https?:\/\/\S+?\/(?=[\s,])/.exec( String( data ) )?.[0];
			if ( address !== undefined )
			{
				resolve( {
					address, port: Number( new URL( address ).port ), said: () => words,
					kill: () => ( child.kill( 'SIGKILL' ), over ), stop: () => ( child.kill( 'SIGTERM' ), over ),
				} );
			}
		} );
		void over.then( ( code ) => reject( new Error( `the server ended with ${code}: ${words}` ) ) );
	} );
}
before( async () =>
{
	server = await serveRooms();
	browser = await launch();
} );
after( async () =>
{
	await browser?.close();
	await server?.stop();
	rmSync( folder, { recursive: true } );
} );

const visitors = [];
/** A page in a room. It computes the room itself, however slowly, unless a test wants something else. */
async function enter( room, more = '' )
{
	const opened = await openPage( browser, server.address, {}, `#room=${room}${more.includes( 'mode=' ) ? '' : '&mode=lockstep'}${more}` );
	visitors.push( opened );
	return opened.page;
}
const owner = ( page ) => page.evaluate( () => window.pliant.parts.link.owner );
/** Steps that the server has made in a room. */
const madeSteps = async ( room ) => Number( new RegExp( `^pliant_room_step\\{room="${room}"\\} (\\d+)$`, 'm' ).exec( await ( await fetch( `${server.address}metrics` ) ).text() )?.[1] );
/** All have told a hash of one and the same step, later than what they have told so far: it is one hash. */
async function agree( pages )
{
	const told = () => Promise.all( pages.map( ( page ) => page.evaluate( () => [ ...window.pliant.parts.link.hashes ] ) ) );
	const from = Math.max( ...( await told() ).flat().map( ( [ step ] ) => step ) );
	for ( const begin = Date.now(); Date.now() - begin < patience; )
	{
		const [ first, ...others ] = ( await told() ).map( ( list ) => new Map( list ) );
		const step = [ ...first.keys() ].find( ( one ) => one > from && others.every( ( other ) => other.has( one ) ) );
		if ( step !== undefined )
		{
			others.forEach( ( other ) => assert.equal( other.get( step ), first.get( step ), `after step ${step}` ) );
			return step;
		}
		await new Promise( ( resolve ) => setTimeout( resolve, 100 ) );
	}
	throw new Error( 'no step has been told of by all' );
}
const center = ( page, name ) => page.evaluate( ( id ) => window.pliant.state.bodies.find( ( body ) => body.name === id )?.center, name );
async function finish( name )
{
	for ( const { errors, close, page } of visitors.splice( 0 ) )
	{
		assert.equal( await page.evaluate( () => window.pliant.parts.link.differed ), 0, `${name}: nobody came to other bits` );
		assert.deepEqual( errors.filter( ( text ) => /WebSocket connection/.test( text ) === false ), [], name );
		await close();
	}
	assert.doesNotMatch( server.said(), /another hash|differs/ );
}

test( 'three in a room: one drags, the others have the same bits and see the hand; two hold one body; one cuts; one leaves in mid-grab', { timeout: 2 * patience }, async () =>
{
	const one = await enter( 'den', '&scene=toys' ), two = await enter( 'den' ), three = await enter( 'den' );
	assert.equal( new Set( await Promise.all( [ one, two, three ].map( owner ) ) ).size, 3 );
	await three.waitForFunction( () => window.pliant.parts.link.people.length === 3 );
	const duck = ( await state( one ) ).bodies[0];
	const before = await center( three, duck.name );
	await dragBody( one, duck.name, [ 20, -90 ] );
	for ( const page of [ two, three ] )
	{
		await page.waitForFunction( ( [ who, id, y ] ) => window.pliant.state.hands.some( ( hand ) => hand.owner === who ) && window.pliant.state.bodies.find( ( body ) => body.name === id ).center[1] > y + 0.3, [ await owner( one ), duck.name, before[1] ] );
	}
	await one.waitForFunction( () => window.pliant.parts.link.delay > 0 );
	await agree( [ one, two, three ] );
	// Another takes hold of the same body, which hangs and swings.
	await dragBody( two, duck.name, [ -40, 0 ] );
	await three.waitForFunction( () => new Set( window.pliant.state.hands.map( ( hand ) => hand.owner ) ).size === 2 );
	await agree( [ one, two, three ] );
	// One goes, without letting go.
	const gone = await owner( two );
	await visitors.find( ( { page } ) => page === two ).close();
	visitors.splice( visitors.findIndex( ( { page } ) => page === two ), 1 );
	for ( const page of [ one, three ] )
	{
		await page.waitForFunction( ( who ) => window.pliant.state.hands.every( ( hand ) => hand.owner !== who ) && window.pliant.parts.link.people.length === 2, gone );
	}
	await one.mouse.up();
	await three.waitForFunction( () => window.pliant.state.hands.length === 0 );
	// Scissors, by hand
	const melon = ( await state( three ) ).bodies.find( ( body ) => body.name === '4.1' ) ?? ( await state( three ) ).bodies[3];
	await tool( three, 'cut' );
	await drag( three, [ melon.at[0] - 10, melon.at[1] - 90 ], [ melon.at[0] + 10, melon.at[1] + 90 ], { parts: 16 } );
	await one.waitForFunction( () => window.pliant.state.bodies.length > 8 );
	await three.waitForFunction( () => window.pliant.state.bodies.length > 8 );
	await agree( [ one, three ] );
	assert.deepEqual( ( await state( one ) ).bodies.map( ( body ) => body.name ).sort(), ( await state( three ) ).bodies.map( ( body ) => body.name ).sort() );
	// One who comes late is right at once.
	const late = await enter( 'den' );
	await bodyCount( late, ( await state( one ) ).bodies.length );
	await agree( [ one, three, late ] );
	await finish( 'den' );
} );

test( 'one is sent pictures: they agree with what the others compute; it can take things, and change over in place', { timeout: 2 * patience }, async () =>
{
	const one = await enter( 'gallery' ), other = await enter( 'gallery', '&mode=stream' );
	assert.equal( await other.evaluate( () => window.pliant.parts.link.mode ), 'stream' );
	await one.waitForFunction( () => window.pliant.parts.link.people.some( ( person ) => person.streams ) );
	const ball = ( await state( other ) ).bodies[1];
	await dragBody( other, ball.name, [ 0, -60 ] );
	await one.waitForFunction( ( who ) => window.pliant.state.hands.some( ( hand ) => hand.owner === who ), await owner( other ) );
	await other.waitForFunction( () => window.pliant.parts.link.delay > 0 );
	await other.mouse.up();
	await one.waitForFunction( () => window.pliant.state.hands.length === 0 );
	// Nothing glows under a pointer, and time stands still, so that both show one step.
	await other.mouse.move( 4, 200 );
	await other.waitForFunction( () => window.pliant.parts.hands.hovered?.what !== 'body' && window.pliant.parts.view.bodies.highlighted === '' );
	await one.keyboard.press( 'Space' );
	await other.waitForFunction( () => window.pliant.parts.link.state.frozen );
	await said( other, 'The host has stopped the time' );
	const same = async () =>
	{
		const [ a, b ] = await Promise.all( [ state( one ), state( other ) ] );
		return a.step === b.step && a.bodies.every( ( body ) => b.bodies.some( ( twin ) => twin.name === body.name && Math.hypot( ...twin.center.map( ( value, k ) => value - body.center[k] ) ) < 1e-3 ) );
	};
	for ( const begin = Date.now(); Date.now() - begin < patience && await same() === false; )
	{
		await new Promise( ( resolve ) => setTimeout( resolve, 100 ) );
	}
	const [ mine, theirs ] = ( await Promise.all( [ state( one ), state( other ) ] ) ).map( ( { step, bodies } ) => JSON.stringify( { step, bodies: bodies.map( ( body ) => [ body.name, body.center.map( ( value ) => value.toFixed( 4 ) ) ] ) } ) );
	assert.ok( await same(), `bodies lie where they are computed to lie: ${mine} and ${theirs}` );
	const [ a, b ] = await Promise.all( [ one, other ].map( ( page ) => page.evaluate( () => Array.from( window.pliantPixels() ) ) ) );
	const wrong = a.filter( ( value, i ) => Math.abs( value - b[i] ) > 24 ).length;
	assert.ok( wrong < 0.002 * a.length, `${wrong} of ${a.length} values are others` );
	await one.keyboard.press( 'Space' );
	await other.waitForFunction( () => window.pliant.parts.link.state.frozen === false );
	await other.keyboard.press( 'u' );
	await other.selectOption( '#people select', 'lockstep' );
	await agree( [ one, other ] );
	await other.selectOption( '#people select', 'stream' );
	const step = ( await state( other ) ).step;
	await other.waitForFunction( ( n ) => window.pliant.state.step > n + 30, step );
	await finish( 'gallery' );
} );

test( 'a page that cannot keep up is sent pictures by itself, and tries again with another scene', { timeout: 2 * patience }, async () =>
{
	const page = await enter( 'attic' );
	assert.equal( await page.evaluate( () => window.pliant.parts.link.mode ), 'lockstep' );
	// As if its steps had taken too long for two seconds; how long they really take does not matter here.
	await page.evaluate( () =>
	{
		const { link } = window.pliant.parts;
		link.inner.onPace = () => {};
		link.setMode( 'auto' );
		Array.from( { length: 4 }, () => link.takePace( { share: 1, stepMilliseconds: 60, paused: false, speed: 1, behind: 500 } ) );
	} );
	await said( page, 'too slow for the room' );
	const step = ( await state( page ) ).step;
	await page.waitForFunction( ( n ) => window.pliant.parts.link.mode === 'stream' && window.pliant.state.step > n + 30 && window.pliant.state.bodies.length === 8, step );
	await send( page, 'load cubes' );
	await page.waitForFunction( () => window.pliant.state.scene === 'cubes' && window.pliant.parts.link.mode === 'lockstep' && window.pliant.parts.link.compared > 1 );
	await finish( 'attic' );
} );

test( 'a host locks, freezes and removes; a link to look on only looks on', { timeout: 2 * patience }, async () =>
{
	const host = await enter( 'hall' ), guest = await enter( 'hall' );
	await host.keyboard.press( 'u' );
	await host.waitForSelector( '#people fieldset' );
	await guest.keyboard.press( 'u' );
	assert.equal( await guest.locator( '#people fieldset' ).isVisible(), false );
	const count = ( await state( guest ) ).bodies.length;
	// One turns back what one did oneself, and not what another did
	await send( host, 'spawn ball at 0 2 0' );
	await bodyCount( guest, count + 1 );
	await guest.keyboard.press( 'Control+z' );
	await said( guest, 'The last deed was another\'s' );
	await send( guest, 'spawn ball at 0 3 0' );
	await bodyCount( host, count + 2 );
	await guest.keyboard.press( 'Control+z' );
	await bodyCount( host, count + 1 );
	await host.keyboard.press( 'Control+z' );
	await bodyCount( guest, count );
	await host.check( '#people fieldset label:nth-of-type(1) input' );
	await guest.waitForFunction( () => window.pliant.parts.link.state.sceneLocked );
	await send( guest, 'spawn ball at 0 2 0' );
	await said( guest, 'The host has locked the scene' );
	await host.check( '#people fieldset label:nth-of-type(2) input' );
	await guest.waitForFunction( () => window.pliant.parts.link.state.materialsLocked );
	await send( guest, 'material all hertz 4' );
	await said( guest, 'The host has locked the materials' );
	await send( host, 'spawn ball at 0 2 0' );
	await bodyCount( guest, count + 1 );
	await guest.keyboard.press( 'Space' );
	await said( guest, 'its host may stop it' );
	// A link to look on
	const link = await host.evaluate( () => window.pliant.parts.room.linkToLookOn );
	const looker = await enter( 'hall', `&${link.split( '#' )[1].replace( 'room=hall&', '' )}` );
	await looker.waitForFunction( () => window.pliant.parts.link.state.looksOn );
	await said( looker, 'You are looking on' );
	const hands = async () => ( await state( host ) ).hands.length;
	await dragBody( looker, ( await state( looker ) ).bodies[0].name, [ 0, 0 ] );
	await said( looker, 'hands do nothing here' );
	await looker.mouse.up();
	assert.equal( await hands(), 0 );
	await host.waitForFunction( () => window.pliant.parts.link.people.some( ( person ) => person.looksOn ) );
	await host.click( `#people li[data-owner="${await owner( guest )}"] button` );
	await guest.waitForSelector( '.plain' );
	assert.match( await guest.textContent( '.plain' ), /no longer in the room/ );
	await host.waitForFunction( () => window.pliant.parts.link.people.length === 2 );
	await finish( 'hall' );
} );

test( 'a server that wants a token lets in who knows it, and who may only look on', { timeout: 2 * patience }, async () =>
{
	const own = await serveRooms( 0, '--token', 'open sesame' ), token = encodeURIComponent( 'open sesame' );
	const context = await newContext( browser );
	const stranger = await context.newPage();
	await stranger.goto( `${own.address}#room=cave&token=wrong` );
	await stranger.waitForSelector( '.plain' );
	assert.match( await stranger.textContent( '.plain' ), /“cave” cannot be entered/ );
	// By its short address, with the token where no server is told of it
	const host = await context.newPage();
	await host.goto( `${own.address}room/cave#token=${token}` );
	await host.waitForFunction( () => window.pliant?.parts.link.room === 'cave' && window.pliant.state.bodies.length === 8 );
	const [ forAll, toLook ] = await host.evaluate( () => [ window.pliant.parts.room.linkForOthers, window.pliant.parts.room.linkToLookOn ] );
	assert.equal( new URLSearchParams( new URL( forAll ).hash.slice( 1 ) ).get( 'token' ), 'open sesame' );
	assert.doesNotMatch( toLook, /sesame/ );
	const looker = await context.newPage();
	await looker.goto( toLook.replace( 'look=1&', '' ) ); // who leaves that out still only looks on
	await looker.waitForFunction( () => window.pliant?.parts.link.state.looksOn && window.pliant.state.bodies.length === 8 );
	assert.equal( await looker.locator( '#tools' ).isVisible(), false );
	await context.close();
	assert.equal( await own.stop(), 0 );
} );

test( 'over https the page and its room are there too, by wss', { timeout: 2 * patience }, async () =>
{
	const { certificate, key } = makeCertificate( folder );
	const own = await serveRooms( 0, '--tls-cert', certificate, '--tls-key', key );
	assert.match( own.address, /^https:/ );
	const context = await newContext( browser, { ignoreHTTPSErrors: true } ), page = await context.newPage();
	await page.goto( `${own.address}#room=safe&mode=lockstep` );
	await page.waitForFunction( () => window.pliant?.parts.link.room === 'safe' && window.pliant.state.bodies.length === 8 && isSecureContext );
	assert.match( await page.evaluate( () => window.pliant.parts.link.socket.url ), /^wss:/ );
	const duck = ( await state( page ) ).bodies[0];
	await dragBody( page, duck.name, [ 0, -60 ] );
	await page.mouse.up();
	await page.waitForFunction( () => window.pliant.parts.link.compared > 1 );
	assert.equal( await page.evaluate( () => window.pliant.parts.link.differed ), 0 );
	await context.close();
	assert.equal( await own.stop(), 0 );
} );

test( 'the server is killed in mid-drag and started again: all come back by themselves, and its log plays to the same hash', { timeout: 2 * patience }, async () =>
{
	const one = await enter( 'vault' ), two = await enter( 'vault' );
	const duck = ( await state( one ) ).bodies[0];
	await dragBody( one, duck.name, [ 0, -80 ] );
	await two.waitForFunction( () => window.pliant.state.hands.length === 1 );
	await agree( [ one, two ] );
	const step = ( await state( two ) ).step;
	assert.equal( await server.kill(), 'SIGKILL' );
	await one.waitForFunction( () => window.pliant.parts.link.line === 'lost' );
	await one.mouse.move( duck.at[0] + 30, duck.at[1] - 60, { steps: 4 } );
	server = await serveRooms( server.port );
	for ( const page of [ one, two ] )
	{
		await page.waitForFunction( ( n ) => window.pliant.parts.link.line === 'open' && window.pliant.state.step > n + 60, step );
	}
	await one.mouse.up();
	await agree( [ one, two ] );
	await dragBody( one, duck.name, [ 0, -60 ] );
	await one.mouse.up();
	await agree( [ one, two ] );
	// Time stands still; what both have is what the log comes to.
	await one.keyboard.press( 'Space' );
	await two.waitForFunction( () => window.pliant.parts.link.state.frozen );
	for ( let isThere = false; isThere === false; await new Promise( ( resolve ) => setTimeout( resolve, 100 ) ) )
	{
		const step = await madeSteps( 'vault' ), steps = await Promise.all( [ one, two ].map( async ( page ) => ( await state( page ) ).step ) );
		isThere = steps.every( ( made ) => made === step ) && step === await madeSteps( 'vault' );
	}
	const hashes = await Promise.all( [ one, two ].map( ( page ) => page.evaluate( () => window.pliant.parts.link.hash() ) ) );
	assert.equal( hashes[0], hashes[1] );
	const log = readdirSync( folder ).find( ( name ) => name.startsWith( 'vault' ) && name.endsWith( '.log' ) );
	const native = execFileSync( root + 'build/pliant', [ 'replay', join( folder, log ), '--hash' ], { encoding: 'utf8' } );
	assert.match( native, new RegExp( hashes[0] ) );
	await finish( 'vault' );
	assert.equal( await server.stop(), 0 );
	server = await serveRooms( server.port );
} );
