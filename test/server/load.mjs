// load.mjs - what a room and a visitor cost: many visitors that count and do not simulate. Prints numbers for docs/scale.md.
// Usage: node test/server/load.mjs [SECONDS [VISITORS [SCENE]]], with a pliant in build/.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
import { readFileSync } from 'node:fs';
import { Program, sleep } from './program.mjs';
import { Visitor } from './visitor.mjs';

const seconds = Number( process.argv[2] ?? 10 ), many = Number( process.argv[3] ?? 64 ), scene = process.argv[4] ?? 'crowd';
const clock = 100; // ticks a second of /proc

function cost( program )
{
	const stat = readFileSync( `/proc/${program.child.pid}/stat`, 'utf8' ).split( ') ' )[1].split( ' ' );
	const pages = Number( readFileSync( `/proc/${program.child.pid}/statm`, 'utf8' ).split( ' ' )[1] );
	return { cpu: ( Number( stat[11] ) + Number( stat[12] ) ) / clock, memory: pages * 4096 / 1e6 };
}
const quantile = ( values, q ) => values.length === 0 ? NaN : [ ...values ].sort( ( a, b ) => a - b )[Math.min( values.length - 1, Math.floor( q * values.length ) )];

async function fill( program, count, room = ( i ) => 'load', options = {} )
{
	const visitors = [];
	for ( let i = 0; i < count; ++i )
	{
		const one = new Visitor();
		if ( !await one.open( { port: program.port, room: room( i ), name: `visitor ${i}`, ...options } ) ) throw new Error( JSON.stringify( one.goodbye ) );
		visitors.push( one );
	}
	return visitors;
}

// Bytes a second on the line for one visitor, 52 of TCP and IP for each packet of ours included, as if each message were one.
async function measure( program, visitors, time, during = async () => { await sleep( time ); } )
{
	const before = visitors.map( ( one ) => [ one.socket.received, one.messages, one.step ] ), begin = performance.now(), first = cost( program );
	const ticks = await program.metric( 'ticks_total' ), late = await program.metric( 'late_ticks_total' );
	await program.metric( 'latest_seconds' );
	await during();
	const took = ( performance.now() - begin ) / 1000, last = cost( program );
	const bytes = visitors.map( ( one, i ) => ( one.socket.received - before[i][0] ) / took ), messages = visitors.map( ( one, i ) => ( one.messages - before[i][1] ) / took );
	return {
		payload: quantile( bytes, 0.5 ), wire: quantile( bytes.map( ( value, i ) => value + 52 * messages[i] ), 0.5 ), messages: quantile( messages, 0.5 ),
		cpu: ( last.cpu - first.cpu ) / took, memory: last.memory, grown: last.memory - first.memory, steps: ( visitors[0].step - before[0][2] ) / took,
		ticks: ( await program.metric( 'ticks_total' ) ) - ticks, late: ( await program.metric( 'late_ticks_total' ) ) - late, latest: await program.metric( 'latest_seconds' ),
	};
}
const show = ( name, m ) => console.log( `${name}: ${m.steps.toFixed( 1 )} steps/s, ${( m.payload / 1000 ).toFixed( 2 )} kB/s of messages, ${( m.wire / 1000 ).toFixed( 2 )} kB/s with TCP/IP, ${m.messages.toFixed( 0 )} messages/s each; ` +
	`server ${( 100 * m.cpu ).toFixed( 0 )} % of a core, ${m.memory.toFixed( 0 )} MB (${m.grown >= 0 ? '+' : ''}${m.grown.toFixed( 1 )}); late ${m.late} of ${m.ticks} ticks, at most ${( 1000 * m.latest ).toFixed( 0 )} ms` );

const program = await Program.start( [ scene, '--visitors', '600' ] );
const alone = await fill( program, 1 );
await sleep( 2 );
show( `1 visitor, ${scene}`, await measure( program, alone, seconds ) );
const visitors = [ ...alone, ...await fill( program, many - 1 ) ];
await visitors.at( -1 ).until( () => visitors.every( ( one ) => one.hasImage && one.step > 0 ), 60 );
await sleep( 2 );
show( `${many} visitors, idle`, await measure( program, visitors, seconds ) );

// Eight drag, 60 moves a second each; how long until another has the step that a move is in?
const delays = [], sent = new Map();
visitors.at( -1 ).ontick = ( bytes ) =>
{
	for ( let at = 8; at + 12 <= bytes.length; )
	{
		if ( bytes[at] === 2 ) { at += 12 + ( ( bytes.readUInt32LE( at + 8 ) + 3 ) & ~3 ); continue; }
		const tag = bytes.readFloatLE( at + 4 );
		if ( sent.has( tag ) ) { delays.push( performance.now() - sent.get( tag ) ); sent.delete( tag ); }
		at += 16;
	}
};
let tag = 1;
const drag = async () =>
{
	const hands = visitors.slice( 0, 8 );
	for ( const one of hands ) one.command( `grab ${one.owner}:1 ray ${0.2 * one.owner - 2} 6 0 0 -8 0 radius 0.3` );
	for ( let begin = performance.now(), i = 0; performance.now() - begin < 1000 * seconds; ++i )
	{
		for ( const one of hands ) { tag += 1; const x = Math.fround( tag / 65536 ); sent.set( x, performance.now() ); one.command( `move ${one.owner}:1 ${x} 1.5 0` ); }
		await sleep( Math.max( 0, ( begin + 1000 / 60 * ( i + 1 ) - performance.now() ) / 1000 ) );
	}
};
show( `${many} visitors, 8 drag`, await measure( program, visitors, seconds, drag ) );
console.log( `from a command to its step at another visitor: p50 ${quantile( delays, 0.5 ).toFixed( 1 )} ms, p99 ${quantile( delays, 0.99 ).toFixed( 1 )} ms, of ${delays.length}` );
const watching = await fill( program, 8, () => 'load', { mode: 1 } );
await sleep( 1 );
const frames = watching.map( ( one ) => one.frames ), watched = await measure( program, watching, seconds );
show( `8 that watch, beside ${many}`, { ...watched, steps: ( watching[0].frames - frames[0] ) / seconds } );
for ( const one of [ ...visitors, ...watching ] ) one.kill();
await program.end();

const spread = await Program.start( [ 'table', '--rooms', '32', '--visitors', '600' ] );
const idle = await fill( spread, 500, ( i ) => `room${i % 20}` );
await sleep( 2 );
show( '500 idle visitors in 20 rooms', await measure( spread, idle, seconds ) );
for ( const one of idle ) one.kill();
process.exit( await spread.end() );
