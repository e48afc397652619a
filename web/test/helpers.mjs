// helpers.mjs - what several browser tests do with a page: look at its state, pause, step, spawn, drag. Knows no single test.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openPage } from './browser.mjs';

/** Tests with a page of their own, in which nothing may have gone wrong. place: gives browser and server, once they are there. */
export const onPageOf = ( place ) => ( name, hash, body, options = {} ) => test( name, { timeout: 180000 }, async () =>
{
	const { browser, server } = place();
	const { page, errors, close } = await openPage( browser, server.address, options, hash );
	await body( page );
	assert.deepEqual( errors, [] );
	await close();
} );

export const state = ( page ) => page.evaluate( () => window.pliant.state );
export const hash = ( page ) => page.evaluate( () => window.pliant.parts.link.hash() );
export const send = ( page, text ) => page.evaluate( ( commands ) => window.pliant.parts.link.send( commands ), text );
export const pause = ( page, paused = true ) => page.evaluate( ( value ) => window.pliant.setPause( value ), paused );
export const bodyCount = ( page, count ) => page.waitForFunction( ( n ) => window.pliant.state.bodies.length === n, count );
/** So many steps from now, with time standing still before and after; then a picture of them. */
export async function steps( page, count )
{
	await pause( page );
	const before = ( await state( page ) ).step;
	await page.evaluate( ( n ) => window.pliant.parts.link.step( n ), count );
	await page.waitForFunction( ( n ) => window.pliant.state.step >= n, before + count );
}
export async function waitSteps( page, count )
{
	const begin = ( await state( page ) ).step;
	await page.waitForFunction( ( n ) => window.pliant.state.step >= n, begin + count );
}
export const tool = ( page, name ) => page.click( `#tools [data-name=${name}]` );
export async function drag( page, from, to, { release = true, parts = 6 } = {} )
{
	await page.mouse.move( ...from );
	await page.mouse.down();
	await page.waitForFunction( () => window.pliant.parts.hands.isBusy );
	await page.mouse.move( ...to, { steps: parts } );
	if ( release )
	{
		await page.mouse.up();
	}
}
/** One thing in the air, in the middle of an empty table. */
export async function alone( page, what )
{
	await pause( page );
	await send( page, `spawn ${what}` );
	await bodyCount( page, 1 );
	return ( await state( page ) ).bodies[0];
}
/** As if dropped on the page. */
export const drop = ( page, name, bytes ) => page.evaluate( ( [ fileName, base64 ] ) =>
{
	const data = new DataTransfer();
	data.items.add( new File( [ Uint8Array.from( atob( base64 ), ( c ) => c.charCodeAt( 0 ) ) ], fileName ) );
	window.dispatchEvent( new DragEvent( 'drop', { dataTransfer: data, bubbles: true, cancelable: true } ) );
}, [ name, Buffer.from( bytes ).toString( 'base64' ) ] );
/** Until the page has said something that holds these words. */
export const said = ( page, words ) => page.waitForFunction( ( text ) => [ ...document.querySelectorAll( '#notice div' ) ].some( ( line ) => line.textContent.includes( text ) ), words );
/** What is shown but is not there, as of the last picture: colours in hexadecimal. */
export const ghosts = ( page ) => page.evaluate( () => window.pliant.parts.view.ghosts.group.children.filter( ( one ) => one.visible ).map( ( one ) => one.material.color.getHexString() ) );
export const openPanel = async ( page, folder ) =>
{
	if ( await page.evaluate( () => document.getElementById( 'panel' ).hidden ) )
	{
		await page.keyboard.press( 'p' );
	}
	await page.locator( '#panel .lil-title', { hasText: new RegExp( `^${folder}$` ) } ).click();
};
