// latency.mjs - how long after a pointer has moved the world knows, in a pile of 384 bodies. A measurement, no test: it prints the median and the worst.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
import { launch, openPage, serve } from './browser.mjs';

const server = await serve(), browser = await launch();
const { page } = await openPage( browser, server.address, {}, '#scene=pile384' );
const result = await page.evaluate( async () =>
{
	const { stage, link } = window.pliant.parts;
	const body = window.pliant.state.bodies[200], hand = `${stage.owner}:1`;
	link.send( `grab ${hand} at ${body.center.join( ' ' )} radius 0.3` );
	while ( stage.hand( 1 ) === undefined )
	{
		await new Promise( ( done ) => setTimeout( done, 5 ) );
	}
	const times = [];
	for ( let i = 0; i < 25; ++i )
	{
		const y = body.center[1] + 0.02 * i + 0.5, begin = performance.now();
		link.send( `move ${hand} ${body.center[0]} ${y} ${body.center[2]}` );
		while ( Math.abs( ( stage.hand( 1 )?.target[1] ?? 0 ) - y ) > 1e-3 && performance.now() - begin < 5000 )
		{
			await new Promise( ( done ) => setTimeout( done, 1 ) );
		}
		times.push( performance.now() - begin );
	}
	return times.sort( ( a, b ) => a - b );
} );
console.log( `median ${result[12].toFixed( 0 )} ms, worst ${result[24].toFixed( 0 )} ms` );
await browser.close();
await server.stop();
