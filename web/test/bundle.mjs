// bundle.mjs - a TypeScript file of the page as a module that Node can import.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
import { mkdirSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';

const source = fileURLToPath( new URL( '../src/', import.meta.url ) ), target = fileURLToPath( new URL( '../../build/web/', import.meta.url ) );

export async function load( name )
{
	mkdirSync( target, { recursive: true } );
	const file = `${target}${name.replaceAll( '/', '_' )}.mjs`;
	const bundle = await rolldown( { input: `${source}${name}.ts` } );
	await bundle.write( { file, format: 'esm' } );
	await bundle.close();
	return import( pathToFileURL( file ).href );
}
