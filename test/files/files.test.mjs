// files.test.mjs - the files of `pliant run --out` are valid, agree with one another, and are readable however a run ended.
// PLIANT_SEED draws other scenes, frames and moments. Needs gltf-validator from npm, which tools/test.sh installs beside what is built.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync, chmodSync, mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { joinBodies, largestDifference, poseGlb, readCsv, readGlb, readObj, readPc2, readPly, readPvd } from './read.mjs';

const root = path.resolve( import.meta.dirname, '../..' );
const tool = process.env.PLIANT_TOOL ?? path.join( root, 'build/pliant' );
const { validateBytes } = createRequire( path.join( process.env.PLIANT_FILES ?? path.join( root, 'build/files' ), 'package.json' ) )( 'gltf-validator' );
const folder = mkdtempSync( path.join( tmpdir(), 'pliant-files-' ) );
after( () => rmSync( folder, { recursive: true } ) );
const isLong = process.env.PLIANT_LONG !== undefined;

/** xorshift: numbers from 0 to 1 that the seed decides. */
let state = ( Number( process.env.PLIANT_SEED ?? 1 ) * 2654435761 >>> 0 ) || 1;
function random()
{
	state ^= state << 13;
	state ^= state >>> 17;
	state ^= state << 5;
	return ( state >>> 0 ) / 4294967296;
}
const draw = ( list ) => list[Math.floor( random() * list.length )];

let count = 0;
const makeFolder = () =>
{
	const at = path.join( folder, String( count++ ) );
	mkdirSync( at );
	return at;
};

function run( args, options = {} )
{
	const { status, stdout, stderr } = spawnSync( tool, [ 'run', ...args ], { encoding: 'utf8', ...options } );
	return { status, stdout, stderr };
}

function runWell( args, options )
{
	const { status, stdout, stderr } = run( args, options );
	assert.equal( status, 0, stderr );
	return stdout;
}

/** What a run that went well comes to. */
function hashOf( args )
{
	const words = runWell( [ ...args, '--quiet', '--hash' ] );
	assert.match( words, /^hash 0x[0-9a-f]{16}\n$/ );
	return words;
}

async function assertValid( file )
{
	const report = await validateBytes( new Uint8Array( readFileSync( file ) ), { maxIssues: 20 } );
	assert.equal( report.issues.numErrors, 0, JSON.stringify( report.issues.messages, null, 1 ) );
	assert.equal( report.issues.numWarnings, 0, JSON.stringify( report.issues.messages, null, 1 ) );
	return report;
}

// Frames at which the script cuts, spawns or has a plate move are within these.
const scenes = [ [ 'cuts', 200 ], [ 'press', 90 ], [ 'grab', 100 ], [ 'heap', 40 ], [ 'incision', 120 ], [ 'sticks', 90 ], [ 'tear', 100 ], [ 'dent', 90 ] ];

/** Positions of the first bodies' vertices of a frame agree with a mesh that was written for it. */
function assertSame( bodies, ply, what )
{
	assert.ok( bodies.length > 0 && bodies.length <= ply.positions.length, `${what}: ${bodies.length / 3} vertices, ${ply.positions.length / 3} in the mesh` );
	const off = largestDifference( bodies, ply.positions );
	assert.ok( off < 2e-6, `${what}: vertices are off by ${off} m` ); // base + target rounds twice, at places of some metres
}

test( 'an animated .glb is valid and shows at each of its frames what a mesh of that frame has, cuts and all', async () =>
{
	const chosen = isLong ? scenes : [ scenes[0], draw( scenes.slice( 1 ) ) ];
	for ( const [ name, frames ] of chosen )
	{
		const at = makeFolder(), every = draw( [ 1, 2, 3 ] ), from = Math.floor( random() * 20 );
		runWell( [ name, '--frames', String( frames ), '--out', `${at}/a.glb`, '--out', `${at}/a.ply`, '--out', `${at}/a.csv`, '--every', String( every ), '--from', String( from ) ] );
		const report = await assertValid( `${at}/a.glb` );
		assert.ok( report.info.hasMorphTargets );
		const glb = readGlb( `${at}/a.glb` );
		const times = new Map( readCsv( `${at}/a.csv` ).map( ( row ) => [ row.frame, row.time ] ) ), start = times.get( from );
		const meshes = readdirSync( at ).filter( ( file ) => file.endsWith( '.ply' ) );
		assert.equal( meshes.length, Math.floor( ( frames - from ) / every ) + 1 );
		for ( const mesh of meshes )
		{
			const frame = Number( /_(\d+)/.exec( mesh )[1] );
			// Just after the key: float times may lie on either side of it.
			const bodies = joinBodies( poseGlb( glb, Math.fround( times.get( frame ) - start ) ) );
			assertSame( bodies, readPly( path.join( at, mesh ) ), `${name}, frame ${frame}` );
		}
	}
} );

test( 'what stands still costs an animated .glb nothing', () =>
{
	const at = makeFolder();
	runWell( [ 'press', '--frames', '1', '--out', `${at}/still.glb` ] );
	const glb = readGlb( `${at}/still.glb` );
	assert.ok( glb.json.nodes.some( ( node ) => node.name.startsWith( 'shape_' ) ) );
	assert.ok( glb.json.nodes.every( ( node ) => node.name.startsWith( 'body_' ) || glb.json.meshes[node.mesh].primitives[0].targets === undefined ) );
} );

test( '.ply, .obj and .pc2 have the same vertices, and the .pc2 is told where it must end', () =>
{
	const at = makeFolder(), name = draw( [ 'dent', 'press', 'sticks', 'cubes' ] );
	runWell( [ name, '--frames', '12', '--out', `${at}/a.pc2`, '--out', `${at}/a.ply`, '--out', `${at}/b_%03d.obj`, '--every', '4' ] );
	const cache = readPc2( `${at}/a.pc2` );
	assert.equal( cache.samples.length, 4 );
	assert.equal( cache.bytesLeft, 0 );
	const bodiesOf = ( file ) => [ ...readObj( file ).objects ].filter( ( [ object ] ) => object.startsWith( 'body_' ) ).flatMap( ( [ , values ] ) => values );
	assert.equal( bodiesOf( `${at}/a.obj` ).length, 3 * cache.vertexCount );
	cache.samples.forEach( ( sample, i ) =>
	{
		const ply = readPly( `${at}/a_${String( 4 * i ).padStart( 4, '0' )}.ply` );
		assert.deepEqual( sample, ply.positions.slice( 0, sample.length ) );
		const obj = bodiesOf( `${at}/b_${String( 4 * i ).padStart( 3, '0' )}.obj` );
		assert.deepEqual( obj.map( Math.fround ), sample );
	} );
	const { status, stderr } = run( [ 'cuts', '--frames', '40', '--quiet', '--out', `${at}/cut.pc2` ] );
	assert.equal( status, 1 );
	const [ , end ] = /'.*cut\.pc2': bodies were cut, came or went by frame (\d+)/.exec( stderr );
	assert.equal( readPc2( `${at}/cut.pc2` ).samples.length, Number( end ) );
} );

test( 'the rows of a .csv add up to the sums of --stats', () =>
{
	const at = makeFolder();
	runWell( [ 'cuts', '--frames', '60', '--out', `${at}/a.csv`, '--stats', `${at}/sums.csv` ] );
	const rows = readCsv( `${at}/a.csv` );
	for ( const sums of readCsv( `${at}/sums.csv` ) )
	{
		const own = rows.filter( ( row ) => row.frame === sums.frame );
		for ( const name of [ 'px', 'py', 'pz', 'kinetic', 'elastic' ] )
		{
			const sum = own.reduce( ( total, row ) => total + row[name], 0 );
			assert.ok( Math.abs( sum - sums[name] ) <= 1e-6 * ( 1 + Math.abs( sum ) ), `frame ${sums.frame}: ${name} ${sum}, and ${sums[name]}` );
		}
	}
	const pieces = rows.filter( ( row ) => row.from >= 0 );
	assert.ok( pieces.length > 0 && pieces.every( ( row ) => row.from < row.body ) );
} );

test( 'a run goes on from its .pliant with the same bits', () =>
{
	const at = makeFolder(), straight = hashOf( [ 'grab', '--frames', '50' ] );
	runWell( [ 'grab', '--frames', '20', '--out', `${at}/a.pliant`, '--every', '7' ] );
	assert.equal( hashOf( [ 'grab', '--load', `${at}/a.pliant`, '--frames', '30' ] ), straight );
	runWell( [ 'grab', '--frames', '30', '--out', `${at}/b_%d.pliant`, '--every', '10' ] );
	assert.equal( hashOf( [ 'grab', '--load', `${at}/b_10.pliant`, '--frames', '40' ] ), straight );
} );

test( 'files do not change what is simulated', () =>
{
	const at = makeFolder();
	const plain = hashOf( [ 'cuts', '--frames', '60' ] );
	assert.equal( hashOf( [ 'cuts', '--frames', '60', '--out', `${at}/a.glb`, '--out', `${at}/a.pvd`, '--out', `${at}/a.csv` ] ), plain );
} );

/** Starts a run and sends it a signal at some moment after its first file is there. */
async function stop( args, signal, watch, most )
{
	const child = spawn( tool, [ 'run', ...args ], { stdio: [ 'ignore', 'ignore', 'pipe' ] } );
	let words = '';
	child.stderr.on( 'data', ( data ) => words += data );
	const ended = new Promise( ( resolve ) => child.on( 'exit', ( code, by ) => resolve( { code, by } ) ) );
	while ( existsSync( watch ) === false && child.exitCode === null )
	{
		await wait( 2 );
	}
	await wait( random() * most );
	child.kill( signal );
	return { ...await ended, words };
}

test( 'Ctrl-C at any moment leaves files that hold what was done', async () =>
{
	for ( let i = 0; i < ( isLong ? 12 : 3 ); ++i )
	{
		const at = makeFolder(), name = draw( [ 'cuts', 'heap', 'tear' ] );
		const { code, words } = await stop( [ name, '--frames', '20000', '--out', `${at}/a.glb`, '--out', `${at}/a.pvd`, '--out', `${at}/a.csv`, '--out', `${at}/a.pliant` ], draw( [ 'SIGINT', 'SIGTERM' ] ), `${at}/a.csv`, 700 );
		assert.equal( code, 130, words );
		const last = Number( /stopped at frame (\d+) of 20000/.exec( words )[1] );
		await assertValid( `${at}/a.glb` );
		assert.equal( readPvd( `${at}/a.pvd` ).length, last + 1 );
		assert.equal( Math.max( ...readCsv( `${at}/a.csv` ).map( ( row ) => row.frame ) ), last );
		assert.equal( hashOf( [ name, '--load', `${at}/a.pliant`, '--frames', '1' ] ), hashOf( [ name, '--frames', String( last + 1 ) ] ) );
		assert.deepEqual( readdirSync( at ).filter( ( file ) => file.includes( '.part' ) ), [] );
	}
} );

test( 'Ctrl-C ends a replay with what it came to', async () =>
{
	const at = makeFolder();
	writeFileSync( `${at}/a.txt`, 'load toys\nstep 900000\n' );
	const child = spawn( tool, [ 'replay', `${at}/a.txt` ], { stdio: [ 'ignore', 'pipe', 'pipe' ] } );
	let words = '', answer = '';
	child.stderr.on( 'data', ( data ) => words += data );
	child.stdout.on( 'data', ( data ) => answer += data );
	const ended = new Promise( ( resolve ) => child.on( 'close', ( code ) => resolve( code ) ) );
	// Until it has said that it wants to hear of SIGINT, the second of the bits.
	while ( child.exitCode === null && ( parseInt( /SigCgt:\s*([0-9a-f]+)/.exec( readFileSync( `/proc/${child.pid}/status`, 'utf8' ) )[1].slice( -2 ), 16 ) & 2 ) === 0 )
	{
		await wait( 2 );
	}
	await wait( random() * 300 );
	child.kill( 'SIGINT' );
	assert.equal( await ended, 130, words );
	const [ , steps, hash ] = /: (\d+) steps, hash (0x[0-9a-f]{16})/.exec( answer );
	assert.ok( words.includes( `stopped after step ${steps};` ), words );
	writeFileSync( `${at}/b.txt`, `load toys\nstep ${steps}\nexpect hash ${hash}\n` );
	assert.equal( spawnSync( tool, [ 'replay', `${at}/b.txt` ] ).status, 0 );
	// What was recorded over a scene is played over that scene, and one is told so.
	runWell( [ 'spin', '--frames', '5', '--quiet', '--record', `${at}/c.txt` ] );
	const refused = spawnSync( tool, [ 'replay', `${at}/c.txt` ], { encoding: 'utf8' } );
	assert.equal( refused.status, 1 );
	assert.match( refused.stderr, /was recorded over a scene; `pliant run SCENE --commands .*c\.txt` plays it/ );
	runWell( [ 'spin', '--quiet', '--commands', `${at}/c.txt` ] );
} );

test( 'Ctrl-C before the first frame of a picture leaves no picture, and numbers', async () =>
{
	const at = makeFolder();
	const { code, words } = await stop( [ 'spin', '--frames', '900000', '--at', '900000', '--png', `${at}/a.png`, '--stats', `${at}/a.csv` ], 'SIGINT', `${at}/a.csv`, 500 );
	assert.equal( code, 130, words );
	assert.equal( existsSync( `${at}/a.png` ), false );
	assert.ok( readCsv( `${at}/a.csv` ).length > 0 );
} );

test( 'a run that is killed at any moment leaves what streams readable', async () =>
{
	for ( let i = 0; i < ( isLong ? 12 : 3 ); ++i )
	{
		const at = makeFolder();
		const { by } = await stop( [ 'heap', '--frames', '20000', '--out', `${at}/a.pvd`, '--out', `${at}/a.csv`, '--out', `${at}/a.pc2`, '--out', `${at}/a.ply`, '--out', `${at}/b_%d.pliant` ], 'SIGKILL', `${at}/a_0000.ply`, 500 );
		assert.equal( by, 'SIGKILL' );
		const list = readPvd( `${at}/a.pvd` );
		assert.ok( list.length >= 1 );
		const meshes = readdirSync( at ).filter( ( file ) => file.endsWith( '.ply' ) );
		meshes.forEach( ( file ) => readPly( path.join( at, file ) ) );
		assert.ok( Math.abs( readPc2( `${at}/a.pc2` ).samples.length - list.length ) <= 1 );
		assert.ok( Math.abs( meshes.length - list.length ) <= 1 );
		const worlds = readdirSync( at ).filter( ( file ) => file.endsWith( '.pliant' ) );
		worlds.slice( -1 ).forEach( ( file ) => runWell( [ 'heap', '--load', path.join( at, file ), '--frames', '1', '--quiet' ] ) );
	}
} );

test( 'a long animation takes no more memory than a short one', async () =>
{
	const peak = async ( frames ) =>
	{
		const at = makeFolder(), child = spawn( tool, [ 'run', 'spin', '--frames', String( frames ), '--quiet', '--out', `${at}/a.glb`, '--out', `${at}/a.pvd`, '--fields', 'color,stretch' ], { stdio: 'inherit' } );
		let most = 0;
		while ( child.exitCode === null )
		{
			try
			{
				most = Math.max( most, Number( /VmHWM:\s+(\d+)/.exec( readFileSync( `/proc/${child.pid}/status`, 'utf8' ) )?.[1] ?? 0 ) );
			}
			catch
			{
				break; // it has ended
			}
			await wait( 3 );
		}
		rmSync( at, { recursive: true } );
		assert.ok( most > 1000, 'it ran' );
		return most; // kB
	};
	const short = await peak( 60 ), long = await peak( 900 );
	assert.ok( long < short + 1500, `${short} kB for 60 frames, ${long} kB for 900` );
} );

test( 'the .glb of a static answer is valid, and blends to where its .ply has the vertices', async () =>
{
	const at = makeFolder();
	for ( const ending of [ 'glb', 'ply' ] )
	{
		const { status, stderr } = spawnSync( tool, [ 'solve', 'cantilever', '--sources', '60', '--quiet', '--out', `${at}/a.${ending}` ], { encoding: 'utf8' } );
		assert.equal( status, 0, stderr );
	}
	await assertValid( `${at}/a.glb` );
	const [ [ , { positions } ] ] = [ ...poseGlb( readGlb( `${at}/a.glb` ), 3 ) ];
	const off = largestDifference( positions, readPly( `${at}/a.ply` ).positions );
	assert.ok( off < 1e-6, `${off} m off` );
} );

test( 'a new scene of a mesh of any size, anywhere, fine or coarse, is good and stands before the camera', () =>
{
	for ( let i = 0; i < ( isLong ? 12 : 4 ); ++i )
	{
		const at = makeFolder();
		const size = 10 ** ( 8 * random() - 4 ), rows = draw( [ 6, 90 ] );
		const middle = [ 0, 1, 2 ].map( () => 20 * size * ( random() - 0.5 ) );
		// A ball of rows and twice as many columns
		const lines = [], place = ( x, y, z ) => lines.push( `v ${[ x, y, z ].map( ( c, k ) => middle[k] + size * c ).join( ' ' )}` );
		place( 0, 0.5, 0 );
		place( 0, -0.5, 0 );
		for ( let j = 1; j < rows; ++j )
		{
			for ( let k = 0; k < 2 * rows; ++k )
			{
				const a = Math.PI * j / rows, b = Math.PI * k / rows;
				place( 0.5 * Math.sin( a ) * Math.cos( b ), 0.5 * Math.cos( a ), 0.5 * Math.sin( a ) * Math.sin( b ) );
			}
		}
		const vertex = ( j, k ) => 3 + ( j - 1 ) * 2 * rows + k % ( 2 * rows );
		for ( let k = 0; k < 2 * rows; ++k )
		{
			lines.push( `f 1 ${vertex( 1, k + 1 )} ${vertex( 1, k )}`, `f 2 ${vertex( rows - 1, k )} ${vertex( rows - 1, k + 1 )}` );
			for ( let j = 1; j < rows - 1; ++j )
			{
				lines.push( `f ${vertex( j, k )} ${vertex( j, k + 1 )} ${vertex( j + 1, k + 1 )} ${vertex( j + 1, k )}` );
			}
		}
		writeFileSync( path.join( at, 'ball.obj' ), lines.join( '\n' ) + '\n' );
		const made = spawnSync( tool, [ 'new', path.join( at, 'mine' ), '--mesh', path.join( at, 'ball.obj' ) ], { encoding: 'utf8' } );
		assert.equal( made.status, 0, made.stderr );
		const scene = JSON.parse( readFileSync( path.join( at, 'mine.scene.json' ), 'utf8' ) );
		assert.ok( existsSync( scene.$schema ), 'editors find the schema' );
		runWell( [ path.join( at, 'mine.scene.json' ), '--frames', '20', '--quiet', '--at', '0,20', '--out', path.join( at, 'a.csv' ) ] );
		const rowsOfCsv = readCsv( path.join( at, 'a.csv' ) );
		assert.equal( rowsOfCsv.length, 6 );
		for ( const row of rowsOfCsv.filter( ( one ) => one.frame === 0 ) )
		{
			assert.ok( Math.abs( row.x ) < 0.2 && row.y > 1 && row.y < 4 && row.mass > 50 && row.mass < 1000, `size ${size}, ${rows} rows: ${JSON.stringify( row )}` );
		}
	}
	const none = spawnSync( tool, [ 'new', path.join( folder, 'none' ), '--mesh', path.join( folder, 'none.obj' ) ], { encoding: 'utf8' } );
	assert.equal( none.status, 1 );
	assert.ok( existsSync( path.join( folder, 'none.scene.json' ) ) === false );
} );

test( 'what cannot be is said in a sentence, before anything is simulated', () =>
{
	const at = makeFolder(), bare = path.join( at, 'bin' );
	mkdirSync( bare );
	const cases = [
		[ [ '--out', `${at}/a.fbx` ], 2, /what kind of file\? The name ends in \.glb, \.pvd, .* or \.webm/ ],
		[ [ '--out', `${at}/a.glb`, '--out', `${at}/a.glb` ], 2, /is there twice/ ],
		[ [ '--out', `${at}/a_%s.ply` ], 1, /one number in its name/ ],
		[ [ '--out', `${at}/none/a.glb` ], 1, /cannot write '.*none\/a\.glb': No such file/ ],
		[ [ '--out', `${at}/none/a.pvd` ], 1, /cannot write '.*none\/a\.pvd': No such file/ ],
		[ [ '--out', `${at}/a.glb`, '--fields', 'color,speed' ], 2, /there is no 'speed'/ ],
		[ [ '--out', `${at}/a.glb`, '--fields', 'stretch' ], 2, /no file of --out can hold 'stretch'; a \.pvd can/ ],
		[ [ '--out', `${at}/a.glb`, '--from', '50' ], 2, /there is nothing to write, the run goes from 0 to 10/ ],
		[ [ '--out', `${at}/a.glb`, '--at', '1', '--every', '2' ], 2, /--at names the frames/ ],
		[ [ '--out', `${at}/a.mp4` ], 1, /there is no ffmpeg here/, { env: { ...process.env, PATH: bare } } ],
		[ [ '--out', `${at}/a.html` ], 1, /`make page` does/, { env: { ...process.env, PLIANT_PLAYER: `${at}/nowhere.html` } } ],
	];
	for ( const [ args, code, words, options ] of cases )
	{
		const { status, stderr } = run( [ 'dent', '--frames', '10', ...args ], options );
		assert.equal( status, code, stderr );
		assert.match( stderr, words );
		assert.equal( stderr.trimEnd().split( '\n' ).length, 1, stderr );
	}
} );

test( 'a film gets every picture, and a word when its maker fails', () =>
{
	const at = makeFolder(), bin = path.join( at, 'bin' );
	mkdirSync( bin );
	const stand = ( body ) =>
	{
		writeFileSync( path.join( bin, 'ffmpeg' ), `#!/bin/sh\n${body}\n` );
		chmodSync( path.join( bin, 'ffmpeg' ), 0o755 );
	};
	const options = { env: { ...process.env, PATH: `${bin}:${process.env.PATH}` } };
	// One that keeps what it is given, the last word being the file.
	stand( 'for last; do :; done; exec cat > "$last"' );
	runWell( [ 'dent', '--frames', '10', '--every', '5', '--quiet', '--size', '64x64', '--out', `${at}/a.mp4` ], options );
	assert.equal( readFileSync( `${at}/a.mp4` ).length, 3 * 64 * 64 * 3 );
	stand( 'cat > /dev/null; exit 3' );
	const failed = run( [ 'dent', '--frames', '2', '--quiet', '--size', '64x64', '--out', `${at}/b.webm` ], options );
	assert.equal( failed.status, 1 );
	assert.match( failed.stderr, /ffmpeg could not make it \(it ended with 3\)/ );
	stand( 'exit 1' );
	const gone = run( [ 'dent', '--frames', '60', '--quiet', '--size', '640x480', '--out', `${at}/c.mp4` ], options );
	assert.equal( gone.status, 1 );
	assert.match( gone.stderr, /ffmpeg/ );
} );
