// steps.mjs - the page's module in Node: ms of a step and bytes of a frame, for the heavy scenes. Usage: node steps.mjs FILE.wasm STEPS
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

const [ , , file, steps ] = process.argv;
const bytes = readFileSync( file );
console.log( `page.module ${bytes.length} bytes` );
console.log( `page.module.gzip ${gzipSync( bytes, { level: 9 } ).length} bytes` );
const module = await WebAssembly.compile( bytes );
for ( const scene of [ 'pile', 'heap', 'cuts', 'crowd' ] )
{
	const { exports: x } = await WebAssembly.instantiate( module, { page: { seconds: () => performance.now() / 1000 } } );
	x._initialize?.();
	x.open();
	const text = new TextEncoder().encode( `load ${scene}` ), address = x.take( text.length );
	new Uint8Array( x.memory.buffer, address, text.length ).set( text );
	x.post( 0, 0, address, text.length );
	x.advance( 20 ); // compiled by then
	x.frame( 0, 1 );
	const times = [];
	let most = 0;
	for ( let i = 0; i < Number( steps ); ++i )
	{
		const begin = performance.now();
		x.advance( 1 );
		times.push( performance.now() - begin );
		x.frame( 0, 0 );
		most = Math.max( most, x.size() );
	}
	times.sort( ( a, b ) => a - b );
	console.log( `page.step.${scene} ${times[Math.floor( times.length / 2 )].toFixed( 3 )} ms` );
	console.log( `page.frame.${scene}.bytes ${most} bytes` );
}
