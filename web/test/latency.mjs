// latency.mjs - how long after a pointer has moved the page's state and the room know, while 384 bodies fall on a pile. A measurement, no test.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
import { launch, openPage, serve } from './browser.mjs';

const server = await serve(), browser = await launch();
const { page } = await openPage( browser, server.address, {}, '#scene=pile384' );
await page.waitForFunction( () => window.pliant.pace !== null && window.pliant.state.step > 5 );

// A body that is to be seen, taken with the mouse
const at = await page.evaluate( async () =>
{
	const { stage } = window.pliant.parts;
	for ( let y = 120; y < 300; y += 20 )
	{
		const pick = await stage.ask( stage.ray( 320, y ) );
		if ( pick.what === 'body' )
		{
			return [ 320, y ];
		}
	}
	return [ 320, 180 ];
} );
await page.mouse.move( ...at );
await page.mouse.down();
await page.waitForFunction( () => window.pliant.state.hands.length === 1, null, { timeout: 20000 } );

// When an event happened is the browser's own clock; then it is looked every millisecond whether the hand is where the pointer is.
await page.evaluate( () =>
{
	window.waits = { state: [], room: [], pictures: [] };
	const { stage, view } = window.pliant.parts;
	const open = [];
	const near = ( hand, event ) =>
	{
		const [ x, y ] = hand !== undefined ? view.project( hand.target ) : [ 0, 0 ];
		return Math.hypot( x - event.x, y - event.y ) < 2;
	};
	addEventListener( 'pointerrawupdate', ( event ) => open.push( { x: event.clientX, y: event.clientY, begin: event.timeStamp, state: false, room: false } ), { capture: true } );
	const look = new MessageChannel();
	look.port1.onmessage = () =>
	{
		const now = performance.now(), own = ( hand ) => hand.owner === stage.owner;
		for ( const kind of [ 'state', 'room' ] )
		{
			const hand = ( kind === 'state' ? window.pliant.state.hands : stage.frame.hands ).find( own );
			for ( const event of open.filter( ( one ) => one[kind] === false && near( hand, one ) ) )
			{
				event[kind] = true;
				window.waits[kind].push( now - event.begin );
			}
		}
		setTimeout( () => look.port2.postMessage( null ), 1 );
	};
	look.port2.postMessage( null );
	let last = performance.now();
	const picture = ( now ) => ( window.waits.pictures.push( now - last ), last = now, requestAnimationFrame( picture ) );
	requestAnimationFrame( picture );
} );
for ( let i = 1; i <= 25; ++i )
{
	await page.mouse.move( at[0] + 4 * i, at[1] - 5 * Math.min( i, 15 ) );
	await page.waitForFunction( ( n ) => window.waits.room.length >= n, i, { timeout: 10000 } ).catch( () => {} );
}
const { waits, pace } = await page.evaluate( () => ( { waits: window.waits, pace: window.pliant.pace } ) );
console.log( `a step takes ${pace.stepMilliseconds.toFixed( 0 )} ms, time runs at ${Math.round( 100 * pace.share )} %` );
for ( const [ kind, times ] of Object.entries( waits ) )
{
	const sorted = times.toSorted( ( a, b ) => a - b );
	console.log( `${kind}: ${sorted.length}, median ${sorted[sorted.length >> 1]?.toFixed( 0 )} ms, worst ${sorted.at( -1 )?.toFixed( 0 )} ms` );
}
await browser.close();
await server.stop();
