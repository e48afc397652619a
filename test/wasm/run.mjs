// run.mjs - runs every scene of the module exports.c makes and prints `NAME hash 0x…`. Usage: node run.mjs FILE.wasm [FRAMES | response]
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
import { readFile } from 'node:fs/promises';

const [ , , file, frames = '60' ] = process.argv;
const module = await WebAssembly.compile( await readFile( file ) );

// The library must be usable in a page without glue code.
const imports = WebAssembly.Module.imports( module );
if ( imports.length > 0 )
{
	console.error( 'imports:', imports.map( ( i ) => `${i.module}.${i.name}` ).join( ' ' ) );
	process.exit( 1 );
}

const { memory, _initialize, sceneCount, sceneName, simdName, message, byteCount, run, responseHash } =
	( await WebAssembly.instantiate( module, {} ) ).exports;
_initialize?.();

// A view of the memory is void once it has grown, so there is a new one each time.
function text( address )
{
	const bytes = new Uint8Array( memory.buffer );
	return new TextDecoder().decode( bytes.subarray( address, bytes.indexOf( 0, address ) ) );
}

function show( name, number )
{
	const hash = BigInt.asUintN( 64, number );
	if ( hash === 0n )
	{
		console.error( `${name}: ${text( message() )}` );
		process.exitCode = 1;
	}
	console.log( `${name} hash 0x${hash.toString( 16 ).padStart( 16, '0' )}` );
}

console.error( `simd: ${text( simdName() )}` );
if ( frames === 'response' )
{
	show( 'response', responseHash() );
}
for ( let index = 0; index < sceneCount() && frames !== 'response'; ++index )
{
	show( text( sceneName( index ) ), run( index, Number( frames ) ) );
}
if ( byteCount() !== 0 )
{
	console.error( `${byteCount()} bytes were not given back` );
	process.exitCode = 1;
}
