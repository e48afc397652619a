// pliant_pile.mjs - the pile in pliant, compiled to WebAssembly by prepare.sh. Knows no other engine.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
import { existsSync, readFileSync } from 'node:fs';

export async function createPliant( scene, { file, hertz, dampingRatio, friction, mode, stretch, substeps } )
{
	if ( existsSync( file ) === false )
	{
		throw new Error( readFileSync( file.replace( '.wasm', '.why' ), 'utf8' ).trim() ); // as prepare.sh left it
	}
	const { instance } = await WebAssembly.instantiate( readFileSync( file ), {} );
	const { memory, _initialize, create, step, write, message, hash, simdName } = instance.exports;
	const text = ( address ) =>
	{
		const bytes = new Uint8Array( memory.buffer ); // a view is void once the memory has grown
		return new TextDecoder().decode( bytes.subarray( address, bytes.indexOf( 0, address ) ) );
	};
	_initialize?.();
	const check = ( result ) =>
	{
		if ( result !== 0 )
		{
			throw new Error( `pliant: ${text( message() )}` );
		}
	};
	check( create( scene.bodies.length, scene.seed, mode, hertz, dampingRatio, stretch, friction ) );
	return {
		version: `pliant, WebAssembly ${text( simdName() )}`,
		step: () => check( step( substeps ) ),
		write: ( positions ) => positions.set( new Float32Array( memory.buffer, write(), positions.length ) ),
		hash: () => `0x${BigInt.asUintN( 64, hash() ).toString( 16 ).padStart( 16, '0' )}`,
	};
}
