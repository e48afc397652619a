// helpers.mjs - what several browser tests do with a page: look at its state, pause, step, spawn, drag. Knows no single test.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openPage, patience } from './browser.mjs';

/** Tests with a page of their own, in which nothing may have gone wrong. place: gives browser and server, once they are there. */
export const onPageOf = ( place ) => ( name, hash, body, options = {} ) => test( name, { timeout: patience }, async () =>
{
	const { browser, server } = place();
	const { page, errors, close } = await openPage( browser, server.address, options, hash );
	try
	{
		await body( page );
		assert.deepEqual( errors, [] );
	}
	finally
	{
		await close(); // one that failed would go on drawing beside those after it
	}
} );

export const state = ( page ) => page.evaluate( () => window.pliant.state );
export const hash = ( page ) => page.evaluate( () => window.pliant.parts.link.hash() );
export const send = ( page, text ) => page.evaluate( ( commands ) => window.pliant.parts.link.send( commands ), text );
export const pause = ( page, paused = true ) => page.evaluate( ( value ) => window.pliant.setPause( value ), paused );
export const bodyCount = ( page, count ) => page.waitForFunction( ( n ) => window.pliant.state.bodies.length === n, count );
/** Until the page has the room as it is after all that this page has told it: a ray is answered in a frame that was made later. */
export const catchUp = ( page ) => page.evaluate( async () =>
{
	const { stage } = window.pliant.parts;
	await stage.ask( stage.ray( 0, 0 ) );
} );
/** So many steps from now, with time standing still before and after; the page has them. */
export async function steps( page, count )
{
	await pause( page );
	await catchUp( page );
	const before = ( await state( page ) ).step;
	await page.evaluate( ( n ) => window.pliant.parts.link.step( n ), count );
	await catchUp( page );
	assert.equal( ( await state( page ) ).step, before + count );
}
/** Time that passes meanwhile, in steps that the page sees: at least so many. */
export async function waitSteps( page, count )
{
	const begin = ( await state( page ) ).step;
	await page.waitForFunction( ( n ) => window.pliant.state.step >= n, begin + count );
}
export const tool = ( page, name ) => page.click( `#tools [data-name=${name}]` );
/** Until the tool at hand has what was pressed. */
export const holds = ( page ) => page.waitForFunction( () => [ ...window.pliant.parts.hands.downs.values() ].some( ( down ) => down.use === 'tool' ) );
export async function drag( page, from, to, { release = true, parts = 6 } = {} )
{
	await page.mouse.move( ...from );
	await page.mouse.down();
	await holds( page );
	await page.mouse.move( ...to, { steps: parts } );
	if ( release )
	{
		await page.mouse.up();
	}
}
/** Takes a body that may be moving and leads it by so many pixels: it may have gone on by the time it is pressed, and is looked for again. Holds on. */
export async function dragBody( page, name, by )
{
	for ( ;; )
	{
		const { at } = ( await state( page ) ).bodies.find( ( body ) => body.name === name );
		await page.mouse.move( ...at );
		await page.mouse.down();
		const use = await ( await page.waitForFunction( () => [ ...window.pliant.parts.hands.downs.values() ].map( ( down ) => down.use ).find( ( one ) => one !== 'waiting' ) ) ).jsonValue();
		if ( use === 'tool' )
		{
			await page.mouse.move( at[0] + by[0], at[1] + by[1], { steps: 6 } );
			return;
		}
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
/** Until the page has said something that holds these words, since it was opened or these were last asked for. isBad: as of what went wrong. */
export const said = async ( page, words, isBad = false ) =>
{
	await page.waitForFunction( ( [ text, bad ] ) => window.notices.some( ( line ) => line.text.includes( text ) && ( line.isBad || bad === false ) ), [ words, isBad ] );
	await page.evaluate( ( text ) => void ( window.notices = window.notices.filter( ( line ) => line.text.includes( text ) === false ) ), words );
};
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
