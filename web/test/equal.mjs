// equal.mjs - a native server and a page in Chromium, with random hands, for many steps: do they have the same bits? A measurement: node equal.mjs [STEPS [SCENE…]]
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
import { spawn } from 'node:child_process';
import { launch, openPage, root } from './browser.mjs';

const [ wanted = '10000', ...asked ] = process.argv.slice( 2 ), scenes = asked.length > 0 ? asked : [ 'heap', 'cuts', 'tear', 'pile' ];
const child = spawn( root + 'build/pliant', [ 'serve', '--port', '0', '--threads', '2', '--rate', '120', '--page', root + 'build/page' ], { stdio: [ 'ignore', 'pipe', 'inherit' ] } );
const address = await new Promise( ( resolve ) => child.stdout.on( 'data', ( data ) =>
{
	const found = /http:\/\/\S+?\/(?=[\s,])/.exec( String( data ) )?.[0];
	found !== undefined && resolve( found );
} ) );
const browser = await launch();
let seed = 20261117;
const random = () => ( seed = ( seed * 48271 ) % 2147483647 ) / 2147483647;
const around = ( size ) => ( size * ( 2 * random() - 1 ) ).toFixed( 3 );

/** Something that a person might do, with a hand of theirs. */
function deed( owner )
{
	const hand = `${owner}:${1 + Math.floor( 3 * random() )}`, place = `${around( 1 )} ${( 0.2 + random() ).toFixed( 3 )} ${around( 1 )}`;
	const deeds = [
		() => `grab ${hand} at ${place} radius 0.4`, () => `move ${hand} ${place}`, () => `move ${hand} ${place} steps ${1 + Math.floor( 30 * random() )}`, () => `move ${hand} ${place}`, () => `drop ${hand}`,
		() => `lock ${hand}`, () => `push ${hand} at ${place} radius 0.2`, () => `letgo ${owner}`, () => `throw all ${around( 1 )} 1 ${around( 1 )}`, () => `material all hertz ${( 4 + 10 * random() ).toFixed( 2 )}`,
		// Every cut may double what there is: a few of them
		() => few-- > 3 ? `cut plane ${place} ${around( 1 )} ${around( 1 )} 0.3 inside 1` : few > 0 ? `spawn ball at ${around( 1 )} 2 ${around( 1 )}` : `move ${hand} ${place}`,
	];
	return deeds[Math.floor( random() * deeds.length )]();
}

let few = 0;
for ( const scene of scenes )
{
	few = 7;
	const { page, close } = await openPage( browser, address, {}, `#room=equal-${scene}&scene=${scene}&mode=lockstep` );
	const look = () => page.evaluate( () => ( { step: window.pliant.state.step, owner: window.pliant.parts.link.owner, compared: window.pliant.parts.link.compared, differed: window.pliant.parts.link.differed, bodies: window.pliant.state.bodies.length } ) );
	const first = await look();
	let now = first, deeds = 0, told = Date.now();
	while ( now.step < first.step + Number( wanted ) )
	{
		await page.evaluate( ( text ) => window.pliant.parts.link.send( text ), deed( now.owner ) );
		deeds += 1;
		await new Promise( ( resolve ) => setTimeout( resolve, 100 ) );
		now = await look();
		if ( Date.now() - told > 20000 )
		{
			told = Date.now();
			console.log( `  ${scene}: ${now.step - first.step} steps, ${now.compared} hashes compared, ${now.differed} differed` );
		}
	}
	console.log( `${scene}: ${now.step - first.step} steps, ${deeds} deeds, ${now.bodies} bodies, ${now.compared} hashes compared, ${now.differed} differed` );
	await close();
}
await browser.close();
child.kill( 'SIGTERM' );
