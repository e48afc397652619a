// scale.mjs - a simulation of many rooms on many servers with the measured costs of docs/scale.md: how many servers, what is full first. Knows no sockets.
// Usage: node tools/scale.mjs [VISITORS [CORES [SECONDS]]]
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
import { createHash } from 'node:crypto';

const [ people = 1e6, cores = 16, seconds = 600 ] = process.argv.slice( 2 ).map( Number );
let state = 12345;
const random = () => ( state = ( state * 1664525 + 1013904223 ) >>> 0 ) / 4294967296;

// Measured: docs/scale.md. A room is one of these, so often.
const scenes = [ { name: 'quiet', share: 0.5, step: 0.083e-3, memory: 1e6, image: 0.3e6 }, { name: 'toys', share: 0.4, step: 0.56e-3, memory: 12e6, image: 2e6 }, { name: 'heap', share: 0.1, step: 5e-3, memory: 30e6, image: 2e6 } ];
const rate = 60, perMessage = 17e-6, idleBytes = 1.75e3, dragBytes = 10.2e3, visitorMemory = 0.018e6, watchBytes = 15 * 156e3, watchTime = 0.8e-3, encodeTime = { quiet: 0.1e-3, toys: 2.3e-3, heap: 7e-3 };
const dragging = 0.25; // of the rooms have eight hands at work, and send each tick by itself
const watching = 0.02; // of the visitors watch, at 15 frames a second
const stay = 900; // s that a visitor stays; arrivals are as many as leave
const budget = { cpu: 0.6 * cores, bytes: 0.6 * 10e9 / 8, memory: 0.6 * 64e9 }; // of a server with a line of 10 Gbit/s and 64 GB

function makeRooms()
{
	const rooms = [];
	for ( let left = people; left > 0; )
	{
		let size = 1;
		while ( random() < 7 / 8 && size < 64 ) size += 1; // 8 on the average
		let dice = random();
		const scene = scenes.find( ( one ) => ( dice -= one.share ) < 0 ) ?? scenes[0];
		rooms.push( { id: rooms.length, size: Math.min( size, left ), scene, isBusy: random() < dragging } );
		left -= size;
	}
	return rooms;
}

function costOf( room )
{
	const { scene, size, isBusy } = room, watched = size * watching, messages = ( size - watched ) * ( isBusy ? rate : 20 ) + size / 5;
	const joins = size / stay; // an image each
	return {
		cpu: rate * scene.step + messages * perMessage + 15 * ( Math.min( 1, watched ) * encodeTime[scene.name] + watched * watchTime ), // a frame is encoded once, and sent to each
		bytes: ( size - watched ) * ( isBusy ? dragBytes : idleBytes ) + watched * watchBytes + joins * scene.image,
		memory: scene.memory + size * visitorMemory,
	};
}

// Points of a circle, 100 for each server, as HAProxy's consistent hashing has them.
const point = ( text ) => createHash( 'md5' ).update( text ).digest().readUInt32LE( 0 );
function spread( rooms, servers )
{
	const circle = [];
	for ( let server = 0; server < servers; ++server ) for ( let i = 0; i < 100; ++i ) circle.push( [ point( `server ${server} ${i}` ), server ] );
	circle.sort( ( a, b ) => a[0] - b[0] );
	const loads = Array.from( { length: servers }, () => ( { cpu: 0, bytes: 0, memory: 0, rooms: 0, visitors: 0 } ) );
	for ( const room of rooms )
	{
		const at = point( `/room/${room.id}` );
		let low = 0, high = circle.length;
		while ( low < high ) { const middle = ( low + high ) >> 1; if ( circle[middle][0] < at ) low = middle + 1; else high = middle; }
		const load = loads[circle[low % circle.length][1]], cost = room.cost;
		for ( const key of [ 'cpu', 'bytes', 'memory' ] ) load[key] += cost[key];
		load.rooms += 1;
		load.visitors += room.size;
	}
	return loads;
}

const rooms = makeRooms();
for ( const room of rooms ) room.cost = costOf( room );
const total = rooms.reduce( ( sum, { cost } ) => ( { cpu: sum.cpu + cost.cpu, bytes: sum.bytes + cost.bytes, memory: sum.memory + cost.memory } ), { cpu: 0, bytes: 0, memory: 0 } );
console.log( `${people} visitors in ${rooms.length} rooms: ${total.cpu.toFixed( 0 )} cores, ${( total.bytes * 8 / 1e9 ).toFixed( 1 )} Gbit/s, ${( total.memory / 1e9 ).toFixed( 0 )} GB` );
let servers = Math.ceil( Math.max( ...Object.keys( budget ).map( ( key ) => total[key] / budget[key] ) ) ), loads;
for ( ;; servers = Math.ceil( servers * 1.05 ) )
{
	loads = spread( rooms, servers );
	if ( loads.every( ( load ) => Object.keys( budget ).every( ( key ) => load[key] <= budget[key] / 0.6 * 0.85 ) ) ) break; // none beyond 85 %
}
const most = ( key ) => Math.max( ...loads.map( ( load ) => load[key] ) ), mean = ( key ) => loads.reduce( ( sum, load ) => sum + load[key], 0 ) / servers;
console.log( `${servers} servers of ${cores} cores; the fullest against the mean: cores ${most( 'cpu' ).toFixed( 1 )} / ${mean( 'cpu' ).toFixed( 1 )}, Gbit/s ${( most( 'bytes' ) * 8e-9 ).toFixed( 2 )} / ${( mean( 'bytes' ) * 8e-9 ).toFixed( 2 )}, GB ${( most( 'memory' ) * 1e-9 ).toFixed( 1 )} / ${( mean( 'memory' ) * 1e-9 ).toFixed( 1 )}, visitors ${most( 'visitors' )}` );
const first = Object.keys( budget ).sort( ( a, b ) => mean( b ) / budget[b] - mean( a ) / budget[a] );
console.log( `full first: ${first[0]}, then ${first[1]}` );

// One server ends: its rooms open on the others, each read from the folder and followed by all its visitors' images.
const ended = loads[0], bytes = rooms.reduce( ( sum, room ) => sum + room.size * room.scene.image, 0 ) / servers, time = bytes / ( ( servers - 1 ) * budget.bytes );
console.log( `one server ends: ${ended.rooms} rooms and ${ended.visitors} visitors move; their images are ${( bytes / 1e9 ).toFixed( 1 )} GB, ${( 1000 * time ).toFixed( 0 )} ms of the others' lines; each of them then has ${( 100 / ( servers - 1 ) ).toFixed( 2 )} % more to do` );

// Comings and goings over some time: how many images a second, and how far visitors of a server stray from the mean.
let peak = 0, now = ended.visitors, images = 0;
for ( let second = 0; second < seconds; ++second )
{
	const change = () => { const mean = ended.visitors / stay; let sum = -6; for ( let i = 0; i < 12; ++i ) sum += random(); return Math.max( 0, Math.round( mean + sum * Math.sqrt( mean ) ) ); }; // about Poisson
	const come = change(), go = Math.min( now, change() );
	now += come - go;
	images += come;
	peak = Math.max( peak, now );
}
console.log( `in ${seconds} s: ${( images / seconds ).toFixed( 1 )} images a second per server, at most ${peak} visitors where ${ended.visitors} began` );
