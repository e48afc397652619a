// program.mjs - starts `pliant serve` for a test, on a port that is free, and ends it. Knows no messages.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { get } from 'node:http';

export const root = new URL( '../../', import.meta.url ).pathname;
export const tool = process.env.PLIANT_TOOL ?? root + 'build/pliant';
export const module = process.env.PLIANT_MODULE ?? root + 'build/room.wasm';
export const sleep = ( seconds ) => new Promise( ( resolve ) => setTimeout( resolve, 1000 * seconds ) );

export class Program
{
	constructor( child, port ) { this.child = child; this.port = port; this.errors = ''; this.code = null; }

	static start( options = [], env = {} )
	{
		return new Promise( ( resolve, reject ) =>
		{
			// A test that is kept waiting by what else the machine does is not silent
			const usual = { '--port': '0', '--silent-seconds': '3600' }, missing = Object.entries( usual ).filter( ( [ name ] ) => options.includes( name ) === false ).flat();
			const child = spawn( tool, [ 'serve', ...missing, ...options ], { stdio: [ 'ignore', 'pipe', 'pipe' ], env: { ...process.env, DISPLAY: '', WAYLAND_DISPLAY: '', ...env } } );
			const program = new Program( child, 0 );
			process.on( 'exit', () => child.kill( 'SIGKILL' ) ); // a test that failed has not ended it
			let told = '';
			child.stdout.on( 'data', ( data ) =>
			{
				told += data;
				const found = told.match( /:(\d+)\// );
				if ( found && program.port === 0 ) { program.port = Number( found[1] ); resolve( program ); }
			} );
			child.stderr.on( 'data', ( data ) => { program.errors += data; } );
			program.ended = new Promise( ( over ) => child.on( 'exit', ( code, signal ) => { program.code = code ?? signal; over( program.code ); reject( new Error( `it ended with ${program.code}: ${program.errors}` ) ); } ) );
		} );
	}

	async end( signal = 'SIGTERM' ) { if ( this.code === null ) this.child.kill( signal ); return this.ended; }
	get( path, headers = {} )
	{
		return new Promise( ( resolve, reject ) => get( { port: this.port, host: '127.0.0.1', path, headers, agent: false }, ( answer ) =>
		{
			let body = '';
			answer.on( 'data', ( data ) => { body += data; } );
			answer.on( 'end', () => resolve( { code: answer.statusCode, headers: answer.headers, body } ) );
		} ).on( 'error', reject ) );
	}
	/** Until a number of /metrics is as wanted; an error if it never is. */
	async until( name, holds, seconds = 600 )
	{
		for ( const begin = performance.now(); performance.now() - begin < 1000 * seconds; await sleep( 0.05 ) ) if ( holds( await this.metric( name ) ) ) return;
		throw new Error( `${name} stays ${await this.metric( name )}` );
	}
	async metric( name ) { const page = await this.get( '/metrics' ); return Number( page.body.match( new RegExp( `^pliant_${name} (.*)$`, 'm' ) )?.[1] ); }
}

/** A certificate for this machine, good for two days, and its key: what openssl makes of nothing. */
export function makeCertificate( folder )
{
	const [ certificate, key ] = [ join( folder, 'site.pem' ), join( folder, 'site.key' ) ];
	const made = spawnSync( 'openssl', [ 'req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', key, '-out', certificate, '-days', '2', '-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1' ], { encoding: 'utf8' } );
	if ( made.status !== 0 ) throw new Error( `openssl: ${made.stderr}` );
	return { certificate, key };
}
export function makeFolder() { return mkdtempSync( join( tmpdir(), 'pliant-rooms-' ) ); }
export function removeFolder( folder ) { rmSync( folder, { recursive: true, force: true } ); }
// What `pliant replay` says of a log: { code, steps, hash, told }.
export function replay( log )
{
	const result = spawnSync( tool, [ 'replay', log ], { encoding: 'utf8' } );
	const found = result.stdout.match( /(\d+) steps, hash 0x([0-9a-f]+)/ );
	return { code: result.status, steps: found ? Number( found[1] ) : null, hash: found ? BigInt( '0x' + found[2] ) : null, told: result.stdout + result.stderr };
}
