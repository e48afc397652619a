// big.test.mjs - the programs that people open our files with agree about what is in them: VTK, Blender, ffmpeg. For `make test-all`: they are large.
// PLIANT_SEED draws other scenes and frames.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';

const root = path.resolve( import.meta.dirname, '../..' );
const tool = process.env.PLIANT_TOOL ?? path.join( root, 'build/pliant' );
const folders = [];
after( () => folders.forEach( ( folder ) => rmSync( folder, { recursive: true } ) ) );

let state = ( Number( process.env.PLIANT_SEED ?? 1 ) * 2654435761 >>> 0 ) || 1;
function random()
{
	state ^= state << 13;
	state ^= state >>> 17;
	state ^= state << 5;
	return ( state >>> 0 ) / 4294967296;
}
const draw = ( list ) => list[Math.floor( random() * list.length )];

/** Runs a program; what it says is in the error if it fails. */
function call( program, args )
{
	const { status, stdout, stderr, error } = spawnSync( program, args, { encoding: 'utf8', timeout: 300000 } );
	assert.equal( status, 0, `${program}: ${error ?? ''}\n${stdout.slice( -1500 )}\n${stderr.slice( -1500 )}` );
	return stdout;
}

function simulate( scene, frames, endings, more = [] )
{
	const folder = mkdtempSync( path.join( tmpdir(), 'pliant-big-' ) );
	folders.push( folder );
	call( tool, [ 'run', scene, '--frames', String( frames ), '--quiet', ...endings.flatMap( ( ending ) => [ '--out', path.join( folder, `a${ending}` ) ] ), ...more ] );
	return folder;
}

test( 'VTK reads a .pvd with all fields, and they agree with the .ply and .csv', () =>
{
	for ( const scene of [ 'cuts', draw( [ 'heap', 'press', 'dent', 'tear', 'rip' ] ) ] )
	{
		const folder = simulate( scene, 120, [ '.pvd', '.ply', '.csv' ], [ '--at', '0,1,20,21,40,41,80,81,119,120' ] );
		assert.match( call( '/usr/bin/python3', [ path.join( import.meta.dirname, 'check_vtk.py' ), folder, String( 1 / 60 ) ] ), scene === 'cuts' ? /^10 frames, [1-9]\d* pushed, [1-9]\d* followed\n$/ : /^10 frames/ );
	}
} );

test( 'Blender has the vertices of a .glb and a .pc2 where they were', () =>
{
	const check = ( folder, frames ) => assert.match( call( 'blender', [ '--background', '--python-exit-code', '1', '--python', path.join( import.meta.dirname, 'check_blender.py' ), '--', folder, '60', ...frames.map( String ) ] ), /blender agrees/ );
	check( simulate( draw( [ 'dent', 'press', 'sticks', 'cubes', 'squeeze' ] ), 100, [ '.glb', '.pc2', '.ply' ] ), [ 0, 1 + Math.floor( 98 * random() ), 100 ] );
	check( simulate( 'cuts', 150, [ '.glb', '.ply' ] ), [ 0, 31, 1 + Math.floor( 148 * random() ), 150 ] );
} );

test( 'a film has as many pictures as there were frames, and those it had if the run was killed', async () =>
{
	const folder = simulate( 'spin', 20, [ '.mp4', '.webm' ], [ '--size', '160x120' ] );
	for ( const ending of [ '.mp4', '.webm' ] )
	{
		const count = call( 'ffprobe', [ '-v', 'error', '-count_frames', '-select_streams', 'v:0', '-show_entries', 'stream=nb_read_frames,r_frame_rate', '-of', 'csv=p=0', path.join( folder, `a${ending}` ) ] );
		assert.equal( count.trim(), '30/1,11' );
	}
	// Killed once some pictures are drawn; ffmpeg then ends by itself, because no more come.
	const killed = path.join( folder, 'k.mp4' ), rows = path.join( folder, 'k.csv' );
	const child = spawn( tool, [ 'run', 'spin', '--frames', '5000', '--every', '1', '--quiet', '--size', '160x120', '--out', killed, '--out', rows ], { stdio: 'ignore' } );
	while ( existsSync( rows ) === false || readFileSync( rows, 'utf8' ).split( '\n' ).length < 6 )
	{
		await wait( 20 );
	}
	await wait( 500 * random() );
	child.kill( 'SIGKILL' );
	let count = 0;
	for ( let i = 0; i < 120 && count === 0; ++i )
	{
		await wait( 500 );
		count = Number( spawnSync( 'ffprobe', [ '-v', 'error', '-count_frames', '-select_streams', 'v:0', '-show_entries', 'stream=nb_read_frames', '-of', 'csv=p=0', killed ], { encoding: 'utf8' } ).stdout.trim() );
	}
	assert.ok( count >= 3, `${count} pictures` );
} );
