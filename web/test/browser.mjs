// browser.mjs - what all browser tests share: the server, Chromium, a page that is ready. Knows no single test.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

export const root = fileURLToPath( new URL( '../../', import.meta.url ) );

/** ms that anything may take before it counts as failed: a machine that does much else is slow, and not wrong. */
export const patience = 600000;

/** The program that `make run` serves the page with, on a free port. */
export function serve()
{
	const child = spawn( root + 'build/pliant', [ 'serve', '--port', '0', '--page', root + 'build/page' ], { stdio: [ 'ignore', 'pipe', 'inherit' ], env: { ...process.env, DISPLAY: undefined, WAYLAND_DISPLAY: undefined } } );
	process.on( 'exit', () => child.kill( 'SIGKILL' ) ); // a test that failed has not ended it
	return new Promise( ( resolve, reject ) =>
	{
		child.stdout.on( 'data', ( data ) =>
		{
			const address = /http:\S+/.exec( String( data ) )?.[0];
			if ( address !== undefined )
			{
				resolve( { address, stop: () => new Promise( ( done ) => child.on( 'exit', done ) && child.kill( 'SIGINT' ) ) } );
			}
		} );
		child.on( 'exit', ( code ) => reject( new Error( `the server ended with ${code}` ) ) );
	} );
}

export const launch = () => chromium.launch( {
	timeout: patience,
	executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
	args: [
		'--no-sandbox', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync',
		'--disable-dev-shm-usage', '--enable-unsafe-swiftshader', '--autoplay-policy=no-user-gesture-required',
	],
} );

/** A window of its own. */
export async function newContext( browser, options = {} )
{
	const context = await browser.newContext( { viewport: { width: 640, height: 360 }, ...options } );
	context.setDefaultTimeout( patience );
	await context.addInitScript( () =>
	{
		// All that the page has said: lines are gone after seconds, and nobody may have looked by then.
		window.notices = [];
		new MutationObserver( ( changes ) => changes.filter( ( { target } ) => target.nodeType === 1 && target.closest( '#notice' ) !== null ).forEach( ( { target, addedNodes } ) =>
			addedNodes.forEach( ( node ) => window.notices.push( { text: node.textContent, isBad: ( node.nodeType === 1 ? node : target ).className === 'bad' } ) ) ) ).observe( document, { childList: true, subtree: true } );
	} );
	return context;
}

/** A page with a scene on it, and whatever went wrong in it. */
export async function openPage( browser, address, options = {}, hash = '' )
{
	const { prepare, ...rest } = options; // what is to be done to the page before it is opened
	const context = await newContext( browser, { reducedMotion: 'reduce', ...rest } );
	const page = await context.newPage();
	await prepare?.( page );
	const errors = [];
	page.on( 'pageerror', ( error ) => errors.push( error.message ) );
	page.on( 'console', ( message ) => message.type() === 'error' && errors.push( message.text() ) );
	await page.addInitScript( () =>
	{
		// What the canvas shows without ghosts, as RGBA.
		window.pliantPixels = () =>
		{
			const { view } = window.pliant.parts;
			view.ghosts.begin();
			view.draw( performance.now(), true );
			const canvas = document.createElement( 'canvas' );
			canvas.width = view.canvas.width;
			canvas.height = view.canvas.height;
			const context = canvas.getContext( '2d' );
			context.drawImage( view.canvas, 0, 0 );
			return context.getImageData( 0, 0, canvas.width, canvas.height ).data;
		};
	} );
	await page.goto( address + hash );
	await page.waitForFunction( () => window.pliant?.frames > 0 && window.pliant.state.bodies.length + ( window.pliant.state.scene === 'table' ? 1 : 0 ) > 0 );
	return { page, errors, close: () => context.close() };
}
