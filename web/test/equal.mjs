// equal.mjs - a native server and a page in Chromium, with random hands, for many steps: do they have the same bits? A measurement: node equal.mjs [STEPS [SEED [SCENE…]]]
// The page is the real one, in lockstep, in its own worker; it draws one picture a second only. The room is frozen while the page is more than 600 steps
// behind, so that it never needs another image: every step is made on both sides. What is compared is told by the server.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
import { spawn } from 'node:child_process';
import { launch, openPage, root } from './browser.mjs';

const [ wanted = '10000', seedText = '20261117', ...asked ] = process.argv.slice( 2 ), scenes = asked.length > 0 ? asked : [ 'heap', 'cuts', 'tear', 'pile' ];
const child = spawn( root + 'build/pliant', [ 'serve', '--port', '0', '--threads', '2', '--rate', '240', '--page', root + 'build/page' ], { stdio: [ 'ignore', 'pipe', 'inherit' ] } );
const address = await new Promise( ( resolve ) => child.stdout.on( 'data', ( data ) =>
{
	const found = /http:\/\/\S+?\/(?=[\s,])/.exec( String( data ) )?.[0];
	found !== undefined && resolve( found );
} ) );
const browser = await launch();
let seed = Number( seedText );
const random = () => ( seed = ( seed * 48271 ) % 2147483647 ) / 2147483647;
const around = ( size ) => ( size * ( 2 * random() - 1 ) ).toFixed( 3 );
const metric = async ( name ) => Number( new RegExp( `^pliant_${name} (.*)$`, 'm' ).exec( await ( await fetch( `${address}metrics` ) ).text() )?.[1] );

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

let few = 0, good = true;
for ( const scene of scenes )
{
	few = 7;
	const { page, close } = await openPage( browser, address, {}, `#room=equal-${scene}&scene=${scene}&mode=lockstep` );
	const comparedBefore = await metric( 'compared_total' ), differedBefore = await metric( 'differs_total' );
	await page.evaluate( () =>
	{
		const { link } = window.pliant.parts, show = link.onFrame, load = link.inner.image.bind( link.inner );
		link.onFrame = ( frame ) => void setTimeout( () => show( frame ), 1000 );
		window.images = 0;
		link.inner.image = ( bytes ) => ( window.images += 1, load( bytes ) );
	} );
	const look = () => page.evaluate( () =>
	{
		const { link } = window.pliant.parts;
		return { told: link.reached, made: [ ...link.hashes.keys() ].at( -1 ) ?? 0, owner: link.owner, frozen: link.state.frozen, images: window.images, bodies: window.pliant.state.bodies.length };
	} );
	const first = await look();
	let now = first, deeds = 0, loads = 0, anew = 0, told = Date.now();
	while ( now.made < first.made + Number( wanted ) )
	{
		const wait = now.told - now.made > ( now.frozen ? 120 : 600 );
		if ( wait !== now.frozen )
		{
			await page.evaluate( ( stop ) => window.pliant.parts.link.act( stop ? 'freeze' : 'go on' ), wait );
		}
		if ( wait === false )
		{
			// What tears goes on tearing: a person would begin anew.
			const isTooMuch = now.bodies > Math.max( 40, 2 * first.bodies ) && now.made > anew + 300;
			anew = isTooMuch ? now.told : anew;
			few = isTooMuch ? 7 : few;
			await page.evaluate( ( text ) => window.pliant.parts.link.send( text ), isTooMuch ? `load ${scene}` : deed( now.owner ) );
			deeds += 1;
			loads += isTooMuch ? 1 : 0;
		}
		await new Promise( ( resolve ) => setTimeout( resolve, 100 ) );
		now = await look();
		if ( Date.now() - told > 20000 )
		{
			told = Date.now();
			console.log( `  ${scene}: ${now.made - first.made} steps, ${now.bodies} bodies` );
		}
	}
	const compared = await metric( 'compared_total' ) - comparedBefore, differed = await metric( 'differs_total' ) - differedBefore;
	good = good && differed === 0 && now.images === 0 && compared >= Math.floor( Number( wanted ) / 60 );
	console.log( `${scene}: ${now.made - first.made} steps, ${deeds} deeds, begun anew ${loads} times, ${now.bodies} bodies at the end, ${compared} hashes compared by the server, ${differed} differed, ${now.images} images beyond the first` );
	await close();
}
await browser.close();
child.kill( 'SIGTERM' );
process.exit( good ? 0 : 1 );
