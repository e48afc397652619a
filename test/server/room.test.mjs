// room.test.mjs - many in one room: the same bits for all, whoever comes, goes, cuts, undoes; and a room that goes on after its server was killed.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync, existsSync, truncateSync, statSync } from 'node:fs';
import { Program, module, makeFolder, removeFolder, replay, sleep } from './program.mjs';
import { Visitor, commandsOf, keepPicture, words } from './visitor.mjs';

// A generator of its own, so that a test does the same each time.
const dice = ( seed ) => () => ( seed = ( seed * 1664525 + 1013904223 ) >>> 0 ) / 4294967296;
const near = ( random, size ) => ( ( random() * 2 - 1 ) * size ).toFixed( 3 );

// Something that a person might do.
function deed( random, owner )
{
	const hand = 1 + Math.floor( random() * 3 );
	const x = near( random, 1 ), y = ( 0.1 + random() ).toFixed( 3 ), z = near( random, 1 );
	switch ( Math.floor( random() * 12 ) )
	{
	case 0: case 1: return `grab ${owner}:${hand} ray ${x} 3 ${z} 0 -4 0 radius 0.3`;
	case 2: case 3: case 4: return `move ${owner}:${hand} ${x} ${y} ${z}`;
	case 5: return `move ${owner}:${hand} ${x} ${y} ${z} steps 20`;
	case 6: return `drop ${owner}:${hand}`;
	case 7: if ( random() < 0.7 ) return `letgo ${owner}`; return `cut plane ${x} ${y} ${z} ${near( random, 1 )} ${near( random, 1 )} 0.3 inside 1`;
	case 8: if ( random() < 0.5 ) return 'redo'; return `spawn ${[ 'ball', 'cube', 'ring', 'stick' ][Math.floor( random() * 4 )]} at ${x} 2 ${z}`;
	case 9: return `push ${owner}:${hand} at ${x} ${y} ${z} radius 0.2`;
	case 10: return 'undo';
	default: return `throw all ${x} 1 ${z}`;
	}
}

async function enter( program, options = {}, follows = true )
{
	const visitor = new Visitor( follows ? { module } : {} );
	assert.ok( await visitor.open( { port: program.port, ...options } ), `nobody was let in: ${JSON.stringify( visitor.goodbye )}` );
	return visitor;
}

// The host, who is the first, freezes the room; when all have made the steps there are, and heard the last word of each, their hashes are the same. Then it goes on.
async function meet( visitors )
{
	const host = visitors[0], asked = new Map(), heard = new Map( visitors.map( ( one ) => [ one, new Set() ] ) );
	// What waits its turn is still done while time stands still: a line of each comes after all that it has asked for
	for ( const one of visitors )
	{
		const before = one.ontick;
		assert.ok( await one.until( () => one.hasImage ) );
		one.ontick = ( bytes, ...rest ) => { before( bytes, ...rest ); for ( const { owner, sequence } of commandsOf( bytes ) ) if ( sequence !== undefined && sequence === asked.get( owner ) ) heard.get( one ).add( owner ); };
	}
	for ( const one of visitors ) asked.set( one.owner, one.command( `letgo ${one.owner}` ) );
	host.act( 5 );
	assert.ok( await host.until( () => ( host.flags & 16 ) === 16 ), `${JSON.stringify( host.goodbye )} ${host.isClosed} ${host.notices} ${host.step}` );
	for ( const one of visitors )
	{
		assert.ok( await one.until( () => visitors.every( ( other ) => heard.get( one ).has( other.owner ) ) ), `it heard the last word of ${[ ...heard.get( one ) ]}` );
		one.pongs = [];
		one.socket.send( words( 8, 1 ) );
		assert.ok( await one.until( () => one.pongs.length > 0 && one.hasImage && one.step >= one.pongs[0].step ), `it came to step ${one.step} of ${one.pongs[0]?.step}` );
	}
	const hashes = visitors.map( ( one ) => [ one.step, one.room.hash() ] );
	for ( const one of hashes ) assert.deepEqual( one, hashes[0] );
	host.act( 6 );
	return hashes[0][0];
}

test( 'all have the same bits, who came first and who came late', async () =>
{
	const program = await Program.start( [ 'table', '--rate', '20', '--threads', '2' ] );
	const random = dice( 7 );
	const visitors = [ await enter( program, { name: 'Ann' } ), await enter( program, { name: 'Bob' } ) ];
	let commands = 0;
	visitors[0].ontick = ( bytes ) => { commands += commandsOf( bytes ).length; };
	for ( let round = 0; round < 40; ++round )
	{
		for ( const one of visitors ) if ( random() < 0.7 ) one.command( deed( random, one.owner ) );
		if ( round === 20 ) visitors.push( await enter( program, { name: 'Cid' } ) );
		await sleep( 0.04 );
	}
	await meet( visitors );
	// and the server's, which is compared every so often
	for ( const one of visitors ) assert.ok( await one.until( () => one.hashes.size >= 1 ) );
	await program.until( 'compared_total', ( value ) => value >= 3 );
	assert.equal( await program.metric( 'differs_total' ), 0 );
	assert.deepEqual( visitors.map( ( one ) => one.differs.length ), [ 0, 0, 0 ] );
	assert.ok( commands > 15, `${commands} commands` );
	for ( const one of visitors ) one.close();
	assert.equal( await program.end(), 0 );
} );

test( 'hands go when their owner does, two can hold one thing, and only the doer undoes', async () =>
{
	const program = await Program.start( [ 'table', '--rate', '20' ] );
	const [ ann, bob, eye ] = [ await enter( program ), await enter( program ), await enter( program, { mode: 1 }, false ) ];
	let hands = [];
	eye.onframe = ( frame ) =>
	{
		for ( let at = 32; at + 8 <= frame.length; at += 8 + frame.readUInt32LE( at + 4 ) )
		{
			if ( frame.readUInt32LE( at ) !== 9 ) continue;
			hands = [];
			for ( let i = 0; i < frame.readUInt32LE( at + 8 ); ++i ) hands.push( frame.readUInt32LE( at + 12 + 56 * i ) );
		}
	};
	for ( const one of [ ann, bob ] ) assert.ok( await one.until( () => one.hasImage ) ); // what comes before it would be in it, and not told
	ann.command( 'spawn cube at 0 0.5 0' );
	assert.ok( await ann.until( () => ann.commands > 0 ) );
	ann.command( `grab ${ann.owner}:1 ray 0 3 0 0 -4 0 radius 0.3` );
	bob.command( `grab ${bob.owner}:1 ray 0.1 3 0 0 -4 0 radius 0.3` );
	assert.ok( await eye.until( () => hands.includes( ann.owner ) && hands.includes( bob.owner ) ), `hands of ${hands}` );
	// Ann's line dies
	ann.kill();
	assert.ok( await eye.until( () => !hands.includes( ann.owner ) && hands.includes( bob.owner ) ), `hands of ${hands}` );
	assert.ok( await bob.until( () => bob.people.length === 2 ) );
	// Bob is the host now, and may undo what Ann did; another may not undo what Bob did
	assert.ok( await bob.until( () => ( bob.flags & 1 ) === 1 ) );
	const cid = await enter( program );
	assert.ok( await cid.until( () => cid.hasImage ) );
	let before = cid.commands;
	bob.command( 'spawn ball at 1 1 0' );
	assert.ok( await cid.until( () => cid.commands > before ) );
	before = cid.commands;
	cid.command( 'undo' );
	assert.ok( await cid.until( () => cid.commands > before ) );
	await meet( [ bob, cid ] );
	bob.command( 'undo\nundo' );
	// who cannot go on asks for an image, and has the bits again
	cid.hasImage = false;
	cid.socket.send( words( 9 ) );
	assert.ok( await cid.until( () => cid.hasImage && cid.images >= 2 ) );
	await meet( [ bob, cid ] );
	assert.equal( await program.metric( 'differs_total' ), 0 );
	for ( const one of [ bob, cid, eye ] ) one.close();
	assert.equal( await program.end(), 0 );
} );

test( 'who comes to another hash is told, gets an image and goes on', async () =>
{
	const folder = makeFolder();
	const program = await Program.start( [ 'table', '--dir', folder ] );
	const ann = await enter( program, { room: 'odd' } );
	ann.liesAboutHash = 1;
	assert.ok( await ann.until( () => ann.differs.length === 1 ) );
	assert.equal( ann.differs[0].told ^ ann.differs[0].wanted, 1n );
	assert.ok( await ann.until( () => ann.images === 2 ) );
	const step = ann.step;
	assert.ok( await ann.until( () => ann.step > step + 120 ) );
	assert.equal( ann.differs.length, 1 );
	assert.equal( await program.metric( 'differs_total' ), 1 );
	assert.match( program.errors, /room odd, scene table, step \d+: visitor 10 has hash 0x[0-9a-f]{16} instead of 0x[0-9a-f]{16}/ );
	assert.ok( existsSync( `${folder}/odd.log.differs-${ann.differs[0].step}` ) ); // what led there can be looked into
	ann.close();
	assert.equal( await program.end(), 0 );
	removeFolder( folder );
} );

test( 'people: names as text, cursors, the host\'s acts, looking on, coming back', async () =>
{
	const program = await Program.start( [ 'table' ], { PLIANT_TOKEN: 'a secret of ours' } );
	const token = 'a secret of ours', markup = '<img src=x onerror=alert(1)>';
	const wrong = new Visitor();
	assert.equal( await wrong.open( { port: program.port, token: 'a secret of yours' } ), false );
	assert.equal( wrong.goodbye.reason, 4 );
	const ann = await enter( program, { token, name: markup, color: 0x123456 }, false );
	assert.ok( ann.welcome.lookOn.length === 32 );
	const bob = await enter( program, { token, name: 'Bob\u202e\n' }, false );
	const eve = await enter( program, { token: ann.welcome.lookOn, name: 'Eve' }, false );
	assert.ok( ( eve.flags & 2 ) === 2 && eve.welcome.lookOn === '' );
	assert.ok( await bob.until( () => bob.people.length === 3 ) );
	assert.deepEqual( bob.people.map( ( one ) => [ one.name, one.flags ] ).sort(), [ [ markup, 1 ], [ 'Bob', 0 ], [ 'Eve', 2 ] ].sort() );
	bob.cursor( 1, 2, 3 );
	assert.ok( await ann.until( () => ann.cursors.length > 0 ) );
	assert.deepEqual( ann.cursors[0], { owner: bob.owner, isSeen: 1, place: [ 1, 2, 3 ] } );
	// Eve may not do anything, Bob not what is locked
	eve.command( 'spawn ball at 0 1 0' );
	assert.ok( await eve.until( () => eve.answers.length > 0 ) );
	assert.equal( eve.answers[0].text, 'you only look on' );
	bob.act( 1 );
	assert.ok( await bob.until( () => bob.notices.length > 0 ) ); // he is not the host
	ann.act( 1 );
	assert.ok( await bob.until( () => ( bob.flags & 4 ) === 4 ) );
	bob.command( 'spawn ball at 0 1 0' );
	assert.ok( await bob.until( () => bob.answers.length > 0 ) );
	assert.equal( bob.answers[0].text, 'the host has locked the scene' );
	ann.act( 3 );
	assert.ok( await bob.until( () => ( bob.flags & 8 ) === 8 ) );
	bob.command( 'material all hertz 5' );
	assert.ok( await bob.until( () => bob.answers.length > 1 ) );
	bob.command( `move ${ann.owner}:1 0 0 0\nfly\nrate 100` );
	assert.ok( await bob.until( () => bob.answers.length >= 5 ) );
	assert.deepEqual( bob.answers.slice( 2 ).map( ( one ) => one.outcome ), [ 2, 4, 2 ] );
	ann.act( 5 );
	assert.ok( await bob.until( () => ( bob.flags & 16 ) === 16 ) );
	// Rounds go on, and tell no steps: what was told when this is answered is all there is
	bob.socket.send( words( 8, 1 ) );
	assert.ok( await bob.until( () => bob.pongs.length > 0 && bob.step >= bob.pongs[0].step ) );
	const frozen = bob.step, rounds = await program.metric( 'ticks_total' );
	await program.until( 'ticks_total', ( value ) => value > rounds + 20 );
	assert.ok( bob.step <= frozen + 3, `${bob.step} after ${frozen}` ); // steps in silence are told three at a time
	ann.act( 6 );
	assert.ok( await bob.until( () => bob.step > frozen ) );
	ann.act( 7, bob.owner );
	assert.ok( await bob.until( () => bob.goodbye !== null ) );
	assert.equal( bob.goodbye.reason, 2 );
	// Ann comes back and is who she was: the host
	const { key, owner } = ann.welcome;
	ann.kill();
	assert.ok( await eve.until( () => eve.people.every( ( one ) => one.owner !== owner ) ) );
	const other = await enter( program, { token, key: key.replace( /.$/, ( c ) => c === '0' ? '1' : '0' ) }, false );
	assert.notEqual( other.owner, owner );
	const again = await enter( program, { token, key }, false );
	assert.equal( again.owner, owner );
	assert.ok( await again.until( () => ( again.flags & 1 ) === 1 ) );
	// Once more, while the server still thinks that she is there
	const twice = await enter( program, { token, key }, false );
	assert.equal( twice.owner, owner );
	assert.ok( await again.until( () => again.goodbye !== null ) );
	assert.equal( again.goodbye.reason, 2 );
	assert.doesNotMatch( program.errors, /secret/ );
	for ( const one of [ twice, eve, other ] ) one.close();
	assert.equal( await program.end(), 0 );
} );

test( 'watching: frames as fast as they are drawn, and in and out of lockstep', async () =>
{
	const program = await Program.start( [ 'toys' ] );
	const eye = await enter( program, { mode: 1 } );
	assert.ok( await eye.until( () => eye.frames > 5 ) );
	const first = eye.frameBytes;
	// One that never says that it has drawn gets no more than two
	const idle = new Visitor();
	idle.neverReady = true;
	assert.ok( await idle.open( { port: program.port, mode: 1 } ) );
	assert.ok( await idle.until( () => idle.frames >= 1 ) );
	const seen = eye.frames;
	assert.ok( await eye.until( () => eye.frames > seen + 20 ), 'the other one still gets them' );
	assert.ok( idle.frames <= 2, `${idle.frames} frames` );
	let picked = false;
	eye.command( 'ask ray 0 3 0 0 -4 0' );
	eye.onframe = ( frame ) => { for ( let at = 32; at + 8 <= frame.length; at += 8 + frame.readUInt32LE( at + 4 ) ) picked = picked || frame.readUInt32LE( at ) === 12; };
	assert.ok( await eye.until( () => picked ) );
	eye.mode( 0 );
	assert.ok( await eye.until( () => eye.images === 1 && eye.hashes.size >= 1 ) );
	eye.mode( 1 );
	const frames = eye.frames;
	assert.ok( await eye.until( () => eye.frames > frames + 1 ) );
	assert.equal( await program.metric( 'differs_total' ), 0 );
	assert.ok( first > 1000 );
	eye.close();
	idle.close();
	assert.equal( await program.end(), 0 );
} );

test( 'frames are encoded once for all who watch, and all see the same, whatever each of them misses', async () =>
{
	const program = await Program.start( [ 'toys', '--rate', '20' ] ), host = await enter( program, {}, false );
	const eyes = [];
	for ( let i = 0; i < 4; ++i ) { const eye = new Visitor(); keepPicture( eye ); assert.ok( await eye.open( { port: program.port, mode: 1 } ) ); eyes.push( eye ); }
	// The last one draws when told to only
	const slow = eyes.at( -1 );
	assert.ok( await slow.until( () => slow.frames > 2 ) );
	slow.neverReady = true;
	const doings = [ 'throw all 0 2 0', 'cut plane -1.45 0.4 -0.45 1 0 0 inside 1', 'spawn ball at 0 2 0', 'shape 1 ball at 0 0.3 0 radius 0.2', 'remove 1.1', 'throw all 0 1 0' ];
	for ( const text of doings )
	{
		const seen = eyes[0].frames;
		host.command( text );
		assert.ok( await eyes[0].until( () => eyes[0].frames > seen + 4 ) );
		slow.socket.send( words( 5, slow.frameNumber ) );
	}
	slow.neverReady = false;
	slow.socket.send( words( 5, slow.frameNumber ) );
	host.act( 5 );
	assert.ok( await host.until( () => ( host.flags & 16 ) === 16 ) );
	host.socket.send( words( 8, 1 ) );
	assert.ok( await host.until( () => host.pongs.length > 0 ) );
	for ( const eye of eyes ) { const seen = eye.frames; assert.ok( await eye.until( () => eye.frames > seen + 2 && eye.frameStep === eyes[0].frameStep ) ); }
	for ( const eye of eyes )
	{
		assert.deepEqual( [ ...eye.picture.keys() ].sort(), [ ...eyes[0].picture.keys() ].sort() );
		for ( const [ name, bytes ] of eye.picture ) assert.ok( bytes.equals( eyes[0].picture.get( name ) ), name );
	}
	assert.ok( eyes[0].picture.size > 20 && slow.frames < eyes[0].frames );
	const [ frames, encodings ] = [ await program.metric( 'frames_total' ), await program.metric( 'encodings_total' ) ];
	assert.ok( frames > 1.3 * encodings, `${frames} frames of ${encodings} encodings` );
	// Who cannot go on asks, and is shown everything
	const fresh = eyes[0].freshFrames;
	eyes[0].socket.send( words( 9 ) );
	assert.ok( await eyes[0].until( () => eyes[0].freshFrames > fresh ) );
	assert.equal( eyes[0].picture.size, eyes[1].picture.size );
	for ( const one of [ host, ...eyes ] ) one.close();
	assert.equal( await program.end(), 0 );
} );

test( 'whoever does much at once waits for it, and nobody else does: one heavy command of each in a tick, in order, whatever their numbers', async () =>
{
	const program = await Program.start( [ 'table', '--rate', '20' ] );
	const [ ann, bob, eye ] = [ await enter( program, {}, false ), await enter( program, {}, false ), await enter( program, {}, false ) ];
	const ticks = [];
	for ( const one of [ ann, bob, eye ] ) assert.ok( await one.until( () => one.hasImage ) );
	eye.ontick = ( bytes ) => ticks.push( commandsOf( bytes ) );
	// All of it is there at once, however long it takes to send it. Sequence numbers that fall: what counts is what was sent first
	program.child.kill( 'SIGSTOP' );
	ann.sequence = 4000000000;
	const wanted = [];
	for ( let i = 0; i < 16; ++i ) { ann.sequence -= 2; ann.command( `throw all 0 0.0${10 + i} 0` ); wanted.push( `throw all 0 0.0${10 + i} 0` ); }
	ann.command( `letgo ${ann.owner}` );
	bob.command( `throw all 0.5 0 0\nletgo ${bob.owner}` );
	for ( const one of [ ann, bob ] ) await new Promise( ( done ) => one.socket.tcp.write( '', done ) );
	program.child.kill( 'SIGCONT' );
	const of = ( owner ) => ticks.flat().filter( ( one ) => one.owner === owner ).map( ( one ) => one.text );
	assert.ok( await eye.until( () => of( ann.owner ).length === 17 && of( bob.owner ).length === 2 ) );
	assert.deepEqual( of( ann.owner ), [ ...wanted, `letgo ${ann.owner}` ] );
	for ( const tick of ticks ) for ( const owner of [ ann.owner, bob.owner ] ) assert.ok( tick.filter( ( one ) => one.owner === owner && one.text.startsWith( 'throw' ) ).length <= 1, JSON.stringify( tick ) );
	const last = ( owner, text ) => ticks.findLastIndex( ( tick ) => tick.some( ( one ) => one.owner === owner && one.text.startsWith( text ) ) );
	assert.ok( last( bob.owner, 'throw' ) < last( ann.owner, 'throw' ), 'he did not wait for all that she did' );
	for ( const one of [ ann, bob, eye ] ) one.close();
	assert.equal( await program.end(), 0 );
} );

test( 'who falls behind gets an image, and the third time is sent frames', async () =>
{
	const program = await Program.start( [ 'table', '--visitors', '64' ] );
	const [ quiet, slow ] = [ await enter( program, {}, false ), await enter( program, {}, false ) ];
	assert.ok( await slow.until( () => slow.hasImage ) );
	// A tick of 4 MB is more than a line takes: whoever does not read has it waiting at the server, which keeps 16 MB
	const long = 'gravity 0 -9.8 0' + ' '.repeat( ( 4 << 20 ) - 64 );
	let sent = 0;
	for ( let round = 1; round <= 3; ++round )
	{
		slow.socket.tcp.pause();
		for ( let i = 0; i < 4; ++i )
		{
			const one = await enter( program, {}, false );
			for ( let k = 0; k < 2; ++k ) { one.command( long ); sent += 1; assert.ok( await quiet.until( () => quiet.commands >= sent ) ); }
			const lines = quiet.commands;
			one.close();
			assert.ok( await quiet.until( () => quiet.commands > lines ) ); // it lets go
			sent = quiet.commands;
		}
		slow.socket.tcp.resume();
		assert.ok( await slow.until( () => slow.images === round + 1 || slow.frames > 0 ), `${slow.images} images in round ${round}` );
		assert.equal( slow.frames > 0, round === 3 );
	}
	assert.ok( slow.notices.some( ( text ) => /does not keep up: you are watching now/.test( text ) ), slow.notices.join( '; ' ) );
	assert.ok( await quiet.until( () => quiet.people.some( ( one ) => one.owner === slow.owner && ( one.flags & 4 ) === 4 ) ) );
	assert.equal( quiet.images, 1 );
	for ( const one of [ quiet, slow ] ) one.close();
	assert.equal( await program.end(), 0 );
} );

test( 'killed in the middle of a drag, it goes on where it was, with the bits of its log', async () =>
{
	const folder = makeFolder();
	const options = [ 'table', '--rate', '20', '--dir', folder, '--image-seconds', '0.7' ];
	let program = await Program.start( options );
	let known = 0;
	for ( let life = 0; life < 2; ++life )
	{
		const visitors = [ await enter( program, { room: 'home' } ), await enter( program, { room: 'home' } ) ];
		const random = dice( 40 + life );
		visitors[0].command( 'spawn cube at 0 0.5 0' );
		visitors[0].command( `grab ${visitors[0].owner}:1 ray 0 3 0 0 -4 0 radius 0.3` );
		for ( let i = 0; i < 60; ++i )
		{
			visitors[0].command( `move ${visitors[0].owner}:1 ${near( random, 0.3 )} 0.8 0` );
			if ( i % 5 === 0 ) visitors[1].command( deed( random, visitors[1].owner ) );
			await sleep( 0.02 );
		}
		assert.ok( await visitors[0].until( () => visitors[0].step > known ) );
		await program.end( 'SIGKILL' );
		// Nobody has been told of a step that is not in the log, and what was compared is what the log comes to.
		const told = Math.max( ...visitors.map( ( one ) => one.step ) );
		const log = replay( `${folder}/home.log` );
		assert.equal( log.code, 0, log.told );
		assert.ok( log.steps >= told && told > known, `${log.steps} steps in the log, ${told} told` );
		known = log.steps;
		assert.ok( visitors.every( ( one ) => one.differs.length === 0 ) );
		program = await Program.start( options );
		const after = await enter( program, { room: 'home', key: visitors[0].welcome.key } );
		assert.equal( after.owner, visitors[0].owner );
		assert.ok( after.welcome.step >= log.steps );
		assert.ok( await after.until( () => after.hashes.size >= 1 ) );
		assert.equal( after.differs.length, 0 );
		after.close();
	}
	assert.equal( await program.end(), 0 );
	const last = replay( `${folder}/home.log` );
	assert.equal( last.code, 0 );
	// A torn end does not count; a damaged log is not opened, and says where
	const bytes = readFileSync( `${folder}/home.log` );
	program = await Program.start( [ 'table', '--dir', folder, '--image-seconds', '1000' ] );
	const one = await enter( program, { room: 'home' } );
	assert.ok( await one.until( () => one.hasImage ) ); // a command that came before it would be in it, and not told
	one.command( 'throw all 0 1 0' );
	assert.ok( await one.until( () => one.commands > 0 && one.step > one.welcome.step + 60 ) );
	await program.end( 'SIGKILL' );
	const size = statSync( `${folder}/home.log` ).size;
	truncateSync( `${folder}/home.log`, size - 3 );
	assert.match( replay( `${folder}/home.log` ).told, /do not count/ );
	program = await Program.start( options );
	const two = await enter( program, { room: 'home' } );
	assert.ok( await two.until( () => two.hashes.size >= 1 ) );
	two.close();
	assert.equal( await program.end(), 0 );
	bytes[bytes.length >> 1] ^= 4;
	writeFileSync( `${folder}/home.log`, bytes );
	program = await Program.start( options );
	const three = new Visitor();
	assert.equal( await three.open( { port: program.port, room: 'home' } ), false );
	assert.equal( three.goodbye.reason, 8 );
	assert.match( three.goodbye.text, /damaged at byte \d+/ );
	assert.deepEqual( readFileSync( `${folder}/home.log` ), bytes ); // untouched
	assert.equal( await program.end(), 0 );
	removeFolder( folder );
} );

test( 'empty rooms are put away, and come back; in a folder or in memory', async () =>
{
	for ( const folder of [ makeFolder(), null ] )
	{
		const program = await Program.start( [ 'table', '--empty-seconds', '0.2', ...folder ? [ '--dir', folder ] : [] ] );
		const ann = await enter( program, { room: 'den' } );
		ann.command( 'spawn duck at 0 1 0' );
		assert.ok( await ann.until( () => ann.hashes.size >= 2 ) );
		ann.close();
		await program.until( 'rooms', ( value ) => value === 0 );
		const bob = await enter( program, { room: 'den' } );
		assert.ok( bob.welcome.step >= ann.step && bob.owner !== ann.owner, `step ${bob.welcome.step} after ${ann.step}` );
		assert.ok( await bob.until( () => bob.hashes.size >= 1 ) );
		bob.close();
		assert.equal( await program.end(), 0 );
		if ( folder ) removeFolder( folder );
	}
} );

test( 'the numbers of a server tell of every room, however many there are', async () =>
{
	const program = await Program.start( [ 'table', '--rate', '20', '--rooms', '150' ] ), visitors = [];
	for ( let i = 0; i < 150; ++i ) visitors.push( await enter( program, { room: `a-room-with-a-rather-long-${i}` }, false ) );
	const { body } = await program.get( '/metrics' );
	for ( const name of [ 'visitors', 'step', 'step_seconds', 'world_bytes', 'history_bytes', 'stream_bytes', 'tick_bytes' ] )
	{
		const lines = body.split( '\n' ), first = lines.findIndex( ( line ) => line.startsWith( `pliant_room_${name}{` ) );
		assert.ok( lines.slice( first, first + 150 ).every( ( line ) => /^pliant_room_\w+\{room="[\w-]+"\} [\d.e+-]+$/.test( line ) && line.startsWith( `pliant_room_${name}{` ) ), name );
		assert.equal( lines[first - 1].split( ' ' )[2], `pliant_room_${name}` );
	}
	assert.equal( await program.metric( 'visitors' ), 150 );
	for ( const one of visitors ) one.close();
	assert.equal( await program.end(), 0 );
} );

test( 'when it ends it says so, and another one goes on from the folder', async () =>
{
	const folder = makeFolder();
	const [ first, second ] = [ await Program.start( [ 'table', '--dir', folder ] ), await Program.start( [ 'table', '--dir', folder ] ) ];
	const ann = await enter( first, { room: 'hop' } );
	assert.ok( await ann.until( () => ann.hashes.size >= 1 ) );
	// While it is open there, nobody else opens it
	let early = null;
	const entering = ( async () => { for ( ;; ) { const one = new Visitor(); if ( await one.open( { port: second.port, room: 'hop', name: 'early' } ) ) return early = one; } } )(); // it waits for seconds, and is asked again
	await second.until( 'rooms', ( value ) => value === 1 ); // it tries
	assert.equal( early, null );
	const ending = first.end();
	assert.ok( await ann.until( () => ann.goodbye !== null ) );
	assert.equal( ann.goodbye.reason, 1 );
	assert.equal( await ending, 0 );
	await entering;
	assert.ok( early.welcome.step >= ann.step );
	const again = await enter( second, { room: 'hop', key: ann.welcome.key } );
	assert.equal( again.owner, ann.owner ); // the same secret in the folder
	early.close();
	again.close();
	assert.equal( await second.end(), 0 );
	removeFolder( folder );
} );
