// load.mjs - what a room and a visitor cost: many visitors that count, and a few that compute and compare. Prints numbers for docs/scale.md.
// Usage: node test/server/load.mjs room|watch|spread|soak [SECONDS [VISITORS [SCENE]]], with a pliant in build/ and the page's module. On a machine that has other things
// to do: chrt -r 10 node test/server/load.mjs …, so that it measures the server and not who else wants the processor.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { Program, makeFolder, module, removeFolder, sleep } from './program.mjs';
import { Visitor } from './visitor.mjs';

const quantile = ( values, q ) => values.length === 0 ? NaN : [ ...values ].sort( ( a, b ) => a - b )[Math.min( values.length - 1, Math.floor( q * values.length ) )];
const memory = ( program ) => Number( /Pss:\s+(\d+)/.exec( readFileSync( `/proc/${program.child.pid}/smaps_rollup`, 'utf8' ) )[1] ) / 1000; // MB

async function numbers( program )
{
	const { body } = await program.get( '/metrics' );
	return Object.fromEntries( [ ...body.matchAll( /^pliant_(\S+) (\S+)$/gm ) ].map( ( [ , name, value ] ) => [ name.replace( /\{kind="(.*)"\}/, '_$1' ), Number( value ) ] ) );
}

/** What the kernel has sent to each visitor: bytes of ours, and with 52 of TCP and IP for each packet. By the visitor's port. */
function lines( program )
{
	const told = spawnSync( 'ss', [ '-tinH', 'state', 'established', `( sport = :${program.port} )` ], { encoding: 'utf8', maxBuffer: 64 << 20 } ).stdout ?? '';
	const found = new Map();
	for ( const [ , port, rest ] of told.matchAll( /127\.0\.0\.1\]?:\d+\s+\S*127\.0\.0\.1\]?:(\d+)\s*\n?([^\n]*)/g ) )
	{
		const number = ( name ) => Number( new RegExp( `\\b${name}:(\\d+)` ).exec( rest )?.[1] ?? 0 );
		found.set( Number( port ), { bytes: number( 'bytes_sent' ), packets: number( 'segs_out' ) } );
	}
	return found;
}

async function fill( program, count, options = {}, room = () => 'load', make = () => new Visitor() )
{
	const visitors = [];
	for ( let i = 0; i < count; ++i )
	{
		const one = make();
		if ( !await one.open( { port: program.port, room: room( i ), name: `visitor ${i}`, ...options } ) ) throw new Error( JSON.stringify( one.goodbye ) );
		visitors.push( one );
	}
	return visitors;
}

async function measure( name, program, visitors, during )
{
	const ports = visitors.map( ( one ) => one.socket.tcp.localPort );
	const before = await numbers( program ), linesBefore = lines( program ), frames = visitors.map( ( one ) => one.frames ), begin = performance.now();
	await during();
	const took = ( performance.now() - begin ) / 1000, after = await numbers( program ), linesAfter = lines( program );
	const rate = ( use ) => quantile( ports.map( ( port ) => ( use( linesAfter.get( port ) ?? {} ) - use( linesBefore.get( port ) ?? {} ) ) / took ), 0.5 );
	const all = ( key ) => after[key] - before[key], per = ( key, count ) => 1e6 * all( key ) / Math.max( 1, all( count ) );
	const kinds = [ 'step', 'tell', 'image', 'frame', 'log' ];
	console.log( `${name}: ${( all( 'steps_total' ) / took / Math.max( 1, after.rooms ) ).toFixed( 1 )} steps/s in each room` );
	console.log( `  line of one: ${( rate( ( one ) => one.bytes ) / 1000 ).toFixed( 2 )} kB/s of messages, ${( rate( ( one ) => one.bytes + 52 * one.packets ) / 1000 ).toFixed( 2 )} kB/s with TCP/IP, ${rate( ( one ) => one.packets ).toFixed( 0 )} packets/s (kernel's count)` );
	console.log( `  processor: sockets ${( 100 * all( 'sockets_seconds_total' ) / took ).toFixed( 1 )} %, ${per( 'sockets_seconds_total', 'sent_messages_total' ).toFixed( 1 )} us a message sent (${( all( 'sent_messages_total' ) / took ).toFixed( 0 )}/s, ${( all( 'heard_messages_total' ) / took ).toFixed( 0 )}/s heard); rooms ` +
		kinds.map( ( kind ) => `${kind} ${( 100 * all( `work_seconds_total_${kind}` ) / took ).toFixed( 1 )} %` ).join( ', ' ) );
	console.log( `  a step ${( per( 'work_seconds_total_step', 'steps_total' ) / 1000 ).toFixed( 3 )} ms, telling ${per( 'work_seconds_total_tell', 'ticks_total' ).toFixed( 1 )} us a round` +
		( all( 'images_total' ) > 0 ? `, an image ${( per( 'work_seconds_total_image', 'images_total' ) / 1000 ).toFixed( 1 )} ms` : '' ) +
		( all( 'frames_total' ) > 0 ? `, ${all( 'frames_total' )} frames of ${all( 'encodings_total' )} encodings, ${per( 'work_seconds_total_frame', 'encodings_total' ).toFixed( 0 )} us an encoding, ${( visitors.reduce( ( sum, one, i ) => sum + one.frames - frames[i], 0 ) / took / visitors.length ).toFixed( 1 )} frames/s each` : '' ) );
	console.log( `  late by more than a period: ${all( 'late_ticks_total' )} of ${all( 'ticks_total' )} ticks; since the server began, at most ${( 1000 * after.latest_seconds ).toFixed( 0 )} ms late, longest in a round on the clock: ` +
		kinds.map( ( kind ) => `${kind} ${( 1000 * after[`longest_seconds_${kind}`] ).toFixed( 1 )}` ).join( ', ' ) + `, late because of visitors ${( 1000 * after.late_for_visitors_seconds ).toFixed( 1 )} ms; ${memory( program ).toFixed( 1 )} MB` );
	console.log( `  hashes compared ${all( 'compared_total' )}, differed ${all( 'differs_total' )}` );
	return after;
}

const [ what = 'room', secondsText = '20', manyText = '64', scene = 'crowd' ] = process.argv.slice( 2 ), seconds = Number( secondsText ), many = Number( manyText );

// Two that compute, in a process of their own without any precedence: node load.mjs follow PORT.
if ( what === 'follow' )
{
	await fill( { port: seconds }, 2, {}, undefined, () => new Visitor( { module } ) );
	await new Promise( () => {} );
}

if ( what === 'room' )
{
	const options = [ scene, '--visitors', '600', '--rate', '60' ];
	const rest = Number( process.env.SETTLE ?? 20 ); // s until things lie
	const program = await Program.start( options );
	const alone = await fill( program, 1 );
	await sleep( rest );
	await measure( `1 visitor, ${scene}`, program, alone, () => sleep( seconds ) );
	const visitors = [ ...alone, ...await fill( program, many - 3 ) ], follower = spawn( 'chrt', [ '-o', '0', process.execPath, process.argv[1], 'follow', String( program.port ) ], { stdio: 'inherit' } );
	await visitors[1].until( () => visitors.every( ( one ) => one.hasImage && one.step > 0 ) && visitors[1].people.length === many, 120 );
	await sleep( 2 );
	await measure( `${many} visitors, idle, two of them compute and compare`, program, visitors, () => sleep( seconds ) );
	// Eight drag, 60 moves a second each; how long until another has the step that a move is in?
	const delays = [], sent = new Map();
	visitors.at( -1 ).ontick = ( bytes ) =>
	{
		for ( let at = 8; at + 12 <= bytes.length; )
		{
			if ( bytes[at] === 2 ) { at += 12 + ( ( bytes.readUInt32LE( at + 8 ) + 3 ) & ~3 ); continue; }
			// A short move: its x, whose 21 bits tell who it is
			const tag = bytes.readUInt32LE( at + 4 ) & 0x1fffff;
			if ( sent.has( tag ) ) { delays.push( performance.now() - sent.get( tag ) ); sent.delete( tag ); }
			at += 12;
		}
	};
	let tag = 1, moves = 0;
	const hands = visitors.slice( 0, 8 );
	await measure( `${many} visitors, 8 drag`, program, visitors, async () =>
	{
		for ( const one of hands ) one.command( `grab ${one.owner}:1 ray ${( 0.3 * ( one.owner % 8 ) - 1.2 ).toFixed( 2 )} 6 0 0 -8 0 radius 0.3` );
		for ( let begin = performance.now(), i = 0; performance.now() - begin < 1000 * seconds; ++i )
		{
			for ( const one of hands ) { tag = ( tag + 1 ) % 4096; moves += 1; const x = 1 + tag / 4096; sent.set( ( 127 << 12 ) | tag, performance.now() ); one.command( `move ${one.owner}:1 ${x} 1.5 0` ); }
			await sleep( Math.max( 0, ( begin + 1000 / 60 * ( i + 1 ) - performance.now() ) / 1000 ) );
		}
	} );
	console.log( `  ${( moves / seconds / 8 ).toFixed( 1 )} moves a second of each; from a command to its step at another visitor: p50 ${quantile( delays, 0.5 ).toFixed( 1 )} ms, p99 ${quantile( delays, 0.99 ).toFixed( 1 )} ms, most ${quantile( delays, 1 ).toFixed( 1 )} ms, of ${delays.length}` );
	follower.kill();
	for ( const one of visitors ) one.kill();
	process.exit( await program.end() );
}

if ( what === 'watch' )
{
	// One who counts steps, and so many that watch things fall, which begin anew now and then.
	const program = await Program.start( [ scene, '--rate', '60', '--visitors', '600' ] ), [ host ] = await fill( program, 1 );
	for ( const count of [ 0, 1, many ] )
	{
		const watching = count > 0 ? await fill( program, count, { mode: 1 } ) : [];
		host.command( `load ${scene}` );
		await sleep( 1 );
		await measure( `${count} that watch while things fall in ${scene}`, program, watching.length > 0 ? watching : [ host ], () => sleep( seconds ) );
		for ( const one of watching ) one.kill();
	}
	process.exit( await program.end() );
}

if ( what === 'spread' )
{
	const program = await Program.start( [ 'table', '--rooms', '32', '--visitors', '600' ] ), all = [], sizes = [];
	for ( let i = 0; i < 5; ++i )
	{
		all.push( ...await fill( program, 100, {}, ( k ) => `room${k % 20}` ) );
		await all[0].until( () => all.every( ( one ) => one.hasImage ), 60 );
		await sleep( 2 );
		sizes.push( [ all.length, memory( program ) ] );
	}
	// The slope through all five, and how far they are from it
	const mean = ( k ) => sizes.reduce( ( sum, one ) => sum + one[k], 0 ) / sizes.length;
	const slope = sizes.reduce( ( sum, one ) => sum + ( one[0] - mean( 0 ) ) * ( one[1] - mean( 1 ) ), 0 ) / sizes.reduce( ( sum, one ) => sum + ( one[0] - mean( 0 ) ) ** 2, 0 );
	const off = Math.max( ...sizes.map( ( one ) => Math.abs( one[1] - mean( 1 ) - slope * ( one[0] - mean( 0 ) ) ) ) );
	console.log( `memory with ${sizes.map( ( one ) => `${one[0]}: ${one[1].toFixed( 1 )} MB` ).join( ', ' )}: ${( 1000 * slope ).toFixed( 1 )} kB a visitor (line through all, off by ${off.toFixed( 2 )} MB at most)` );
	await measure( `${all.length} idle visitors in 20 rooms`, program, all, () => sleep( seconds ) );
	for ( const one of all ) one.kill();
	process.exit( await program.end() );
}

if ( what === 'soak' )
{
	// People come, drag, cut, undo, watch and go, again and again.
	const folder = makeFolder(), program = await Program.start( [ 'table', '--visitors', '600', '--empty-seconds', '0.5', '--dir', folder ] ), sizes = [], histories = [], kept = [];
	let state = 5, visits = 0;
	const random = () => ( state = ( state * 1664525 + 1013904223 ) >>> 0 ) / 4294967296;
	for ( const begin = performance.now(); performance.now() - begin < 1000 * seconds; )
	{
		const visitors = await fill( program, 8, { mode: random() < 0.3 ? 1 : 0 }, () => `soak${Math.floor( 3 * random() )}` );
		const isFirst = ( one, i ) => visitors.findIndex( ( other ) => other.options.room === one.options.room ) === i;
		for ( const one of visitors.filter( isFirst ) ) one.command( 'load table' ); // what was cut to pieces stays so no longer than a visit
		for ( let i = 0; i < 20; ++i )
		{
			for ( const one of visitors ) one.command( [ `grab ${one.owner}:1 ray 0 3 0 0 -4 0`, `move ${one.owner}:1 ${random().toFixed( 3 )} 1 0`, 'undo', `letgo ${one.owner}`, 'load table', 'spawn ball at 0 2 0', 'cut plane 0 0.3 0 1 0 0.2 inside 1' ][Math.floor( 7 * random() )] );
			await sleep( 0.02 );
		}
		for ( const one of visitors ) random() < 0.5 ? one.kill() : one.close();
		visits += 8;
		sizes.push( memory( program ) );
		const all = Object.entries( await numbers( program ) ), sum = ( kind ) => all.reduce( ( total, [ name, value ] ) => total + ( name.startsWith( kind ) ? value / 1e6 : 0 ), 0 );
		histories.push( sum( 'room_history_bytes' ) );
		kept.push( sum( 'room_world_bytes' ) + sum( 'room_stream_bytes' ) + sum( 'room_tick_bytes' ) );
	}
	// Rooms that are put away cost nothing
	await program.until( 'rooms', ( value ) => value === 0 );
	const empty = memory( program );
	const parts = ( values ) => [ 0, 0.2, 0.4, 0.6, 0.8 ].map( ( from ) => quantile( values.slice( Math.floor( from * values.length ), Math.ceil( ( from + 0.2 ) * values.length ) ), 0.5 ).toFixed( 1 ) ).join( ', ' );
	console.log( `${visits} visits in ${seconds} s, in each fifth: memory ${parts( sizes )} MB, most ${Math.max( ...sizes ).toFixed( 1 )} MB; kept to undo ${parts( histories )} MB, most ${Math.max( ...histories ).toFixed( 1 )} MB; worlds, streams and ticks ${parts( kept )} MB, most ${Math.max( ...kept ).toFixed( 1 )} MB; the rest ${parts( sizes.map( ( size, i ) => size - histories[i] - kept[i] ) )} MB; when all rooms were put away ${empty.toFixed( 1 )} MB` );
	const code = await program.end();
	removeFolder( folder );
	process.exit( code );
}
