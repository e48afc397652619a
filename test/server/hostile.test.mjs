// hostile.test.mjs - visitors that mean harm, or know no better: the others go on, and nothing is let in or out that should not be.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { mkdirSync, writeFileSync, rmSync } from 'node:fs';
import { Program, makeFolder, removeFolder, sleep } from './program.mjs';
import { Visitor, hello, words } from './visitor.mjs';
import { Socket, frame } from './socket.mjs';

const dice = ( seed ) => () => ( seed = ( seed * 1664525 + 1013904223 ) >>> 0 ) / 4294967296;
const bytesOf = ( random, count ) => Buffer.from( Array.from( { length: count }, () => Math.floor( random() * 256 ) ) );

async function enter( program, options = {} )
{
	const visitor = new Visitor();
	assert.ok( await visitor.open( { port: program.port, ...options } ), JSON.stringify( visitor.goodbye ) );
	return visitor;
}

// One who is there all the while, and sees steps being made.
async function goesOn( quiet )
{
	const step = quiet.step;
	assert.ok( await quiet.until( () => quiet.step > step + 10 ) ); // sixteen balls in one place take long under a sanitizer
	assert.equal( quiet.goodbye, null );
}

async function sent( program, ...messages )
{
	const socket = new Socket();
	let goodbye = null, over = () => {};
	socket.onmessage = ( bytes ) => { if ( bytes.readUInt32LE( 0 ) === 112 ) { goodbye = bytes.readUInt32LE( 4 ); over(); } };
	if ( !await socket.open( { port: program.port, path: '/room/test' } ) ) return 'refused';
	for ( const message of messages ) socket.write( message );
	await new Promise( ( resolve ) => { over = resolve; socket.onclose = resolve; if ( socket.isClosed || goodbye !== null ) resolve(); } );
	socket.kill();
	return goodbye;
}

test( 'nonsense is shown the door', async () =>
{
	const program = await Program.start( [ 'table' ] );
	const quiet = await enter( program );
	const random = dice( 3 );
	assert.equal( await sent( program, frame( 2, words( 2, 1 ) ) ), 6 ); // no hello
	assert.equal( await sent( program, frame( 2, hello( { version: 9 } ) ) ), 6 );
	assert.equal( await sent( program, frame( 2, Buffer.alloc( 3 ) ) ), 6 );
	assert.equal( await sent( program, frame( 2, Buffer.alloc( 70000 ) ) ), 6 ); // before hello a kilobyte is enough
	assert.equal( await sent( program, frame( 1, Buffer.from( 'hello' ) ) ), 6 ); // text
	assert.equal( await sent( program, frame( 2, hello() ), frame( 2, hello() ) ), 6 );
	assert.equal( await sent( program, frame( 2, hello( { scene: '../../etc' } ) ) ), 6 );
	for ( let i = 0; i < 30; ++i )
	{
		const socket = new Socket();
		if ( !await socket.open( { port: program.port, path: '/room/test' } ) ) continue;
		if ( random() < 0.7 ) socket.send( hello() );
		for ( let k = 0; k < 5; ++k )
		{
			const kind = 1 + Math.floor( random() * 11 ), body = bytesOf( random, Math.floor( random() * 60 ) );
			socket.send( Buffer.concat( [ words( kind ), body ] ) );
		}
		if ( random() < 0.3 ) socket.write( bytesOf( random, 200 ) ); // no WebSocket at all
		await sleep( 0.02 );
		socket.kill();
	}
	// in fragments, with a ping between
	const whole = hello( { name: 'in pieces' } ), pieces = new Socket();
	let welcomed = false;
	pieces.onmessage = ( bytes ) => { welcomed = welcomed || bytes.readUInt32LE( 0 ) === 101; quiet.settle(); };
	await pieces.open( { port: program.port, path: '/room/test' } );
	pieces.write( frame( 2, whole.subarray( 0, 7 ), false ) );
	pieces.write( frame( 9, Buffer.from( 'hm' ) ) );
	for ( let i = 7; i < whole.length; ++i ) pieces.write( frame( 0, whole.subarray( i, i + 1 ), i + 1 === whole.length ) );
	assert.ok( await quiet.until( () => welcomed ) );
	pieces.kill();
	await goesOn( quiet );
	quiet.close();
	assert.equal( await program.end(), 0 );
	assert.doesNotMatch( program.errors, /Sanitizer|runtime error/ );
} );

test( 'floods, forgeries and absurd things cost the others nothing', async () =>
{
	const program = await Program.start( [ 'table' ] );
	const quiet = await enter( program ), eve = await enter( program, { name: '<script>alert(1)</script>' } );
	for ( let i = 0; i < 1000; ++i ) eve.command( `move ${eve.owner}:1 ${i} 0 0` );
	for ( let i = 0; i < 300; ++i ) eve.command( 'spawn ball at 0 1 0' );
	eve.command( Array.from( { length: 4000 }, ( _, i ) => `shape ${i} ball at ${i} 0 0 radius 0.1` ).join( '\n' ) );
	assert.ok( await eve.until( () => eve.answers.some( ( one ) => /not so much/.test( one.text ) ) || eve.goodbye !== null || eve.isClosed ) ); // cut off while it still sends, it may miss the goodbye
	await goesOn( quiet );
	eve.kill();
	const mal = await enter( program );
	const lines = [
		`grab ${quiet.owner}:1 ray 0 3 0 0 -4 0`, `letgo ${quiet.owner}`, 'letgo 0', 'step 1000000', 'rate 1000', 'substeps 64', `grab ${mal.owner}:99999 ray 0 3 0 0 -4 0`, `move ${mal.owner}:1 nan 0 0`, `move ${mal.owner}:1 1e39 0 0`,
		'solid big points 4 1e38 0 0 -1e38 0 0 0 1e38 0 0 0 1e38 triangles 4 0 1 2 0 1 3 0 2 3 1 2 3', 'spawn big at 0 0 0', 'solid thin points 4 0 0 0 1e-38 0 0 0 1e-38 0 0 0 1e-38 triangles 1 0 1 2', 'spawn thin at 0 1 0', 'spawn ball at 1e30 1e30 1e30',
		'cut plane 0 0 0 1e-30 0 0', 'gravity 1e30 0 0', 'shape 1 ball at 0 0 0 radius 1e30', 'material all hertz 1e30', 'throw all 1e30 0 0', `move ${mal.owner}:1 0 0 0 steps 1000000`, 'undo', 'load ../../etc/passwd', 'expect hash 0x0000000000000000',
	];
	for ( const line of lines ) mal.command( line );
	mal.socket.send( words( 3, 60, 1, 2 ) ); // a hash of a room it does not have
	mal.socket.send( words( 5, 0xffffffff ) );
	mal.act( 7, quiet.owner );
	mal.socket.send( words( 8, 1 ) );
	assert.ok( await mal.until( () => mal.pongs.length > 0 ) ); // all of it was read
	await goesOn( quiet );
	const answer = ( sequence ) => mal.answers.find( ( one ) => one.sequence === sequence )?.text ?? '';
	assert.ok( await mal.until( () => mal.answers.filter( ( one ) => /another's|steps are|only the host|numbered/.test( one.text ) ).length >= 4 && answer( 1 ) !== '' && answer( 2 ) !== '' ), JSON.stringify( mal.answers ) );
	for ( const sequence of [ 1, 2 ] ) assert.match( answer( sequence ), /another's/, lines[sequence - 1] );
	mal.kill();
	// One that sends a long message a byte at a time, one that never reads, one that only opens the connection
	const slow = new Socket();
	await slow.open( { port: program.port, path: '/room/test' } );
	slow.send( hello( { mode: 1 } ) );
	slow.tcp.pause();
	const half = connect( program.port, '127.0.0.1' );
	half.on( 'error', () => {} );
	half.write( 'GET /room/te' );
	const long = frame( 2, Buffer.concat( [ words( 2, 1 ), Buffer.alloc( 5 << 20, 35 ) ] ) );
	const big = await enter( program );
	big.socket.write( long );
	assert.ok( await big.until( () => big.goodbye !== null || big.isClosed ) );
	// They come and go
	await Promise.all( Array.from( { length: 100 }, async () =>
	{
		const one = new Socket();
		if ( await one.open( { port: program.port, path: '/room/test' } ) ) one.send( hello() );
		await sleep( 0.05 );
		one.kill();
	} ) );
	await goesOn( quiet );
	assert.ok( await quiet.until( () => quiet.people.length <= 2 ) );
	slow.kill();
	half.destroy();
	quiet.close();
	assert.equal( await program.end(), 0 );
	assert.doesNotMatch( program.errors, /Sanitizer|runtime error/ );
} );

test( 'only the page is served, and only pages from here may connect', async () =>
{
	const folder = makeFolder();
	mkdirSync( `${folder}/page` );
	writeFileSync( `${folder}/page/index.html`, 'the page' );
	writeFileSync( `${folder}/page/room.wasm`, '' );
	writeFileSync( `${folder}/secret.txt`, 'not for you' );
	const program = await Program.start( [ 'table', '--page', `${folder}/page`, '--origin', 'https://friend.example,https://other.example:444' ] );
	const page = await program.get( '/' );
	assert.equal( page.body, 'the page' );
	assert.match( page.headers['content-security-policy'], /default-src 'self'/ );
	assert.equal( ( await program.get( '/room.wasm' ) ).headers['content-type'], 'application/wasm' );
	const away = await program.get( '/room/den' );
	assert.equal( away.code, 302 );
	assert.match( away.headers.location, /\/\?room=den$/ );
	for ( const path of [ '/../secret.txt', '/..%2fsecret.txt', '/%2e%2e/secret.txt', '/./../secret.txt', '//secret.txt', '/page/../../secret.txt', '/....//secret.txt', '/..\\secret.txt', '/%00', '/etc/passwd', `/${'../'.repeat( 12 )}etc/passwd`, '/room/../../secret.txt', '/room/a%2fb' ] )
	{
		const answer = await program.get( path ).catch( () => ( { code: 0, body: '' } ) );
		assert.doesNotMatch( answer.body, /not for you|root:/, path );
	}
	const tries = [
		[ { origin: `http://127.0.0.1:${program.port}` }, true ],
		[ { origin: 'https://friend.example' }, true ],
		[ { origin: 'https://evil.example' }, false ],
		[ { origin: 'null' }, false ],
		[ { origin: `http://evil.example:${program.port}`, host: `evil.example:${program.port}` }, false ], // a name that leads here
		[ { origin: 'https://friend.example', host: 'friend.example' }, true ], // behind a proxy
		[ { protocol: null, origin: 'https://evil.example' }, false ],
		[ { protocol: null }, false ],
		[ { protocol: 'http' }, false ],
		[ { path: '/room/' }, false ],
		[ { path: '/room/a%20b' }, false ],
		[ { path: '/other' }, false ],
	];
	for ( const [ options, wanted ] of tries )
	{
		const socket = new Socket();
		assert.equal( await socket.open( { port: program.port, path: '/room/test', ...options } ), wanted, JSON.stringify( options ) );
		socket.kill();
	}
	assert.equal( ( await program.get( '/healthz' ) ).body, 'ok\n' );
	assert.equal( await program.end(), 0 );
	removeFolder( folder );
	await assert.rejects( Program.start( [ '--listen', '0.0.0.0' ] ), /token/ );
	await assert.rejects( Program.start( [ '--listen', '0.0.0.0', '--token', 'short' ] ), /token/ );
} );
