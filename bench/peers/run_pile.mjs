// run_pile.mjs - steps engines on one pile in turn, block by block, and writes each one's times and positions. Knows no checker.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
//
// node --no-liftoff --no-wasm-lazy-compilation run_pile.mjs SCENE OUT_DIR FRAMES SETTINGS ENGINE...
// SETTINGS is JSON; engines: pliant, rapier, rapier_plain (its recovery switched off), jolt. On stdout, a line each:
//   progress DONE ALL | version ENGINE TEXT | hash ENGINE HASH | failed ENGINE WHY
import { performance } from 'node:perf_hooks';
import { join } from 'node:path';
import { readScene, writeRun } from './scene.mjs';

const [ , , scenePath, outDir, frameText, settingsText, ...names ] = process.argv;
const frameCount = Number( frameText );
const settings = JSON.parse( settingsText );
const blockLength = 20;
const shotPeriod = 20; // frames
const scene = readScene( scenePath );

// An engine that cannot be loaded must not keep the others from running.
const makers = {
	pliant: async () => ( await import( './pliant_pile.mjs' ) ).createPliant( scene, { ...settings, file: join( outDir, 'pile.wasm' ) } ),
	rapier: async () => ( await import( './rapier_pile.mjs' ) ).createRapier( scene, { ...settings, hasRecovery: true } ),
	rapier_plain: async () => ( await import( './rapier_pile.mjs' ) ).createRapier( scene, { ...settings, hasRecovery: false } ),
	jolt: async () => ( await import( './jolt_pile.mjs' ) ).createJolt( scene, settings ),
};

function fail( run, error )
{
	run.engine = null;
	console.log( `failed ${run.name} ${String( error?.message ?? error ).split( '\n' )[0]}` );
}

const runs = [];
for ( const name of names )
{
	const run = { name, engine: null, times: [], shots: [] };
	runs.push( run );
	try
	{
		run.engine = await makers[name]();
		console.log( `version ${name} ${run.engine.version}` );
	}
	catch ( error )
	{
		fail( run, error );
	}
}

for ( let begin = 0; begin < frameCount; begin += blockLength )
{
	const end = Math.min( begin + blockLength, frameCount );
	for ( const [ index, run ] of runs.entries() )
	{
		try
		{
			for ( let frame = begin + 1; frame <= end && run.engine !== null; ++frame )
			{
				const start = performance.now();
				run.engine.step();
				run.times.push( performance.now() - start );
				if ( frame % shotPeriod === 0 || frame === frameCount )
				{
					const positions = new Float32Array( 3 * scene.pointCount );
					run.engine.write( positions );
					run.shots.push( { frame, positions } );
				}
			}
		}
		catch ( error )
		{
			fail( run, error );
		}
		console.log( `progress ${begin * runs.length + ( end - begin ) * ( index + 1 )} ${frameCount * runs.length}` );
	}
}

for ( const run of runs )
{
	if ( run.engine !== null )
	{
		if ( run.engine.hash !== undefined )
		{
			console.log( `hash ${run.name} ${run.engine.hash()}` );
		}
		writeRun( join( outDir, `${run.name}.run` ), run.times, run.shots, scene.pointCount );
	}
}
