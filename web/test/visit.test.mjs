// visit.test.mjs - a page in a room that is a stub in this process: joining, hands, names with markup, other bits, lost lines. room.test.mjs has the real server.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { launch, newContext, openPage, patience, serve } from './browser.mjs';
import { bodyCount, dragBody, said, send, state } from './helpers.mjs';
import { StubRoom } from './stub_room.mjs';

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

/** A test with a stub of its own, and a way to open pages in it, which compute the room themselves however slowly: a stub sends no pictures. */
const inRoom = ( name, scene, body ) => test( name, { timeout: 2 * patience }, async () =>
{
	const stub = await StubRoom.open( scene ), pages = [];
	const visit = async ( more = '', options = {} ) =>
	{
		const opened = await openPage( browser, server.address, { prepare: ( page ) => stub.lead( page ), ...options }, `#room=den&mode=lockstep${more}` );
		pages.push( opened );
		return opened.page;
	};
	try
	{
		await body( stub, visit );
		pages.forEach( ( { errors } ) => assert.deepEqual( errors, [] ) );
	}
	finally
	{
		stub.close();
		await Promise.all( pages.map( ( { close } ) => close() ) );
	}
} );
/** So many more hashes have come to the stub, of each of its visitors, and been compared. */
async function compare( stub, more )
{
	const before = new Map( stub.visitors.map( ( visitor ) => [ visitor, visitor.told ] ) );
	while ( stub.visitors.length === 0 || stub.visitors.some( ( visitor ) => visitor.told < ( before.get( visitor ) ?? 0 ) + more ) )
	{
		await wait( 50 );
	}
}
const line = ( page, wanted ) => page.waitForFunction( ( text ) => window.pliant.parts.link.line === text, wanted );

inRoom( 'one drags, the other sees it: the same hash, the hand in its colour, a name as text', 'toys', async ( stub, visit ) =>
{
	const one = await visit(), two = await visit();
	await one.keyboard.press( 'u' );
	const name = '<img src=x onerror="window.hacked=1">';
	await one.fill( '#people input[aria-label="Your name"]', name.slice( 0, 32 ) );
	await one.keyboard.press( 'Enter' );
	await two.waitForFunction( ( text ) => window.pliant.parts.link.people.some( ( person ) => person.name === text ), name.slice( 0, 32 ) );
	await two.keyboard.press( 'u' );
	await two.waitForFunction( ( text ) => [ ...document.querySelectorAll( '#people li b' ) ].some( ( b ) => b.textContent === text ), name.slice( 0, 32 ) );
	// The pointer of one is seen by the other, before anything is held.
	const body = ( await state( one ) ).bodies[0];
	await one.mouse.move( ...body.at, { steps: 3 } );
	await two.waitForFunction( () => window.pliant.parts.link.cursors.size === 1 && document.querySelector( '#tags .tag' )?.textContent.startsWith( '<img' ) );
	await dragBody( one, body.name, [ 20, -70 ] );
	const owner = await one.evaluate( () => window.pliant.parts.link.owner );
	await two.waitForFunction( ( who ) => window.pliant.state.hands.some( ( hand ) => hand.owner === who ), owner );
	const color = await one.evaluate( () => window.pliant.parts.link.me().color.toString( 16 ).padStart( 6, '0' ) );
	await two.waitForFunction( ( wanted ) => window.pliant.parts.view.ghosts.group.children.some( ( thing ) => thing.visible && thing.material.color.getHexString() === wanted ), color );
	await one.waitForFunction( () => window.pliant.parts.link.delay > 0 );
	// One's own hand does not wait for the room.
	const [ frames, at ] = await one.evaluate( () =>
	{
		const { view } = window.pliant.parts, before = window.pliant.frames;
		view.canvas.dispatchEvent( new PointerEvent( 'pointermove', { pointerId: 1, pointerType: 'mouse', clientX: 400, clientY: 120 } ) );
		return [ window.pliant.frames - before, view.project( window.pliant.state.hands.find( ( hand ) => hand.owner === window.pliant.parts.link.owner ).target ) ];
	} );
	assert.equal( frames, 0 );
	assert.ok( Math.hypot( at[0] - 400, at[1] - 120 ) < 1, `the hand is at ${at}` );
	await one.mouse.up();
	// Both tell hashes of what they came to, and they are the room's.
	await compare( stub, 3 );
	assert.equal( stub.differs, 0 );
	assert.equal( await two.evaluate( () => window.hacked ), undefined );
	assert.equal( await two.locator( '#people img, #tags img' ).count(), 0 );
} );

inRoom( 'a line that is lost is found again by itself, and goes on', 'toys', async ( stub, visit ) =>
{
	const page = await visit();
	const first = await state( page );
	await dragBody( page, first.bodies[0].name, [ 0, -50 ] );
	await page.waitForFunction( () => window.pliant.state.hands.length === 1 );
	stub.drops = true;
	stub.dropAll();
	await line( page, 'lost' );
	await said( page, 'The line to the room is gone' );
	stub.drops = false;
	await line( page, 'open' );
	await page.waitForFunction( ( n ) => window.pliant.state.step > n && window.pliant.state.hands.length === 0, first.step );
	assert.ok( stub.visitors[0].step > 0, 'it said how far it had come' );
	await page.mouse.up();
	await compare( stub, 2 );
	assert.equal( stub.differs, 0 );
} );

inRoom( 'a line that is dead without having been closed is noticed, and another one is opened', 'toys', async ( stub, visit ) =>
{
	const page = await visit(), step = ( await state( page ) ).step;
	// A page that itself did not run for a while has not listened: it looks again.
	assert.equal( await page.evaluate( () =>
	{
		const { link } = window.pliant.parts;
		Object.assign( link, { lastWord: link.lastWord - 60000, looks: 0 } );
		link.watchLine();
		return link.line;
	} ), 'open' );
	stub.isSilent = true;
	await line( page, 'lost' );
	stub.isSilent = false;
	await line( page, 'open' );
	await page.waitForFunction( ( n ) => window.pliant.state.step > n + 60, step );
	await compare( stub, 2 );
	assert.equal( stub.differs, 0 );
} );

inRoom( 'a page that came to other bits is told, gets an image, and is right again', 'toys', async ( stub, visit ) =>
{
	const page = await visit();
	await compare( stub, 1 );
	// Time goes on when told to, so that one hash is told of what is wrong.
	stub.stop();
	const isThere = () => page.waitForFunction( ( n ) => window.pliant.state.step === n, stub.room.step );
	await isThere();
	// As a broken machine would: something is done here that nobody was told of.
	await page.evaluate( () => window.pliant.parts.link.inner.send( 'throw all 0 1 0' ) );
	stub.goOn( 20 );
	await page.waitForFunction( () => window.pliant.parts.link.differed === 1 && window.pliant.parts.link.awaits === Infinity );
	await said( page, 'came to other bits' );
	assert.equal( stub.differs, 1 );
	for ( const told = stub.told; stub.told < told + 3; )
	{
		stub.goOn( 20 );
		await isThere();
	}
	assert.equal( stub.differs, 1 );
	assert.equal( await page.evaluate( () => window.pliant.parts.link.differed ), 1 );
} );

inRoom( 'who comes late, and whom an undo leads further back than it remembers, is right at once', 'table', async ( stub, visit ) =>
{
	const one = await visit();
	await send( one, 'spawn ball at 0 0.5 0' );
	await bodyCount( one, 1 );
	const two = await visit();
	await bodyCount( two, 1 );
	await send( one, 'undo' );
	await bodyCount( one, 0 );
	await bodyCount( two, 0 );
	assert.ok( stub.visitors[1].said.includes( 9 ), 'it asked for an image' );
	await compare( stub, 3 );
	assert.equal( stub.differs, 0 );
} );

test( 'who is not let in, and who finds no room, is told so in words', { timeout: patience }, async () =>
{
	const stub = await StubRoom.open( 'table' ), context = await newContext( browser );
	stub.refuses = 4;
	const page = await context.newPage();
	await stub.lead( page );
	await page.goto( `${server.address}#room=den` );
	await page.waitForSelector( '.plain' );
	assert.match( await page.textContent( '.plain' ), /“den” cannot be entered.*does not want you/ );
	const other = await context.newPage(); // as on a static host: nothing there speaks of rooms
	stub.drops = true;
	await stub.lead( other );
	await other.goto( `${server.address}#room=den` );
	await other.waitForSelector( '.plain' );
	assert.match( await other.textContent( '.plain' ), /no room answers/ );
	stub.close();
	await context.close();
} );

inRoom( 'the host removes someone, who is told and does not come back by itself', 'table', async ( stub, visit ) =>
{
	const page = await visit( '', {} );
	stub.say( stub.visitors[0], 112, 2, 'the host has removed you' );
	stub.dropAll();
	await page.waitForSelector( '.plain' );
	assert.match( await page.textContent( '.plain' ), /no longer in the room.*removed you/ );
	await page.waitForTimeout( 800 );
	assert.equal( stub.visitors.length, 0 );
} );
