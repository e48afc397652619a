// tls.test.mjs - https and wss, with a certificate of its own: the page, health and a room over a line that nobody can read.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { get } from 'node:https';
import { connect as connectPlain } from 'node:net';
import { connect } from 'node:tls';
import { Program, makeCertificate, makeFolder, module, removeFolder } from './program.mjs';
import { Visitor } from './visitor.mjs';

test( 'page, health and rooms over TLS; nothing without it', { timeout: 600000 }, async () =>
{
	const folder = makeFolder(), { certificate, key } = makeCertificate( folder ), ca = readFileSync( certificate );
	const program = await Program.start( [ 'table', '--rate', '20', '--tls-cert', certificate, '--tls-key', key, '--page', new URL( '../../web', import.meta.url ).pathname ] );
	const ask = ( path, trusted = ca ) => new Promise( ( resolve, reject ) => get( { port: program.port, host: '127.0.0.1', path, ca: trusted, agent: false }, ( answer ) =>
	{
		let body = '';
		answer.on( 'data', ( data ) => { body += data; } );
		answer.on( 'end', () => resolve( { code: answer.statusCode, headers: answer.headers, body, protocol: answer.socket.getProtocol() } ) );
	} ).on( 'error', reject ) );
	const health = await ask( '/healthz' );
	assert.equal( health.body, 'ok\n' );
	assert.match( health.protocol, /^TLSv1\.[23]$/ );
	assert.match( ( await ask( '/' ) ).body, /<title>pliant/ );
	await assert.rejects( ask( '/healthz', [] ), /self-signed|certificate/ ); // it is this certificate, and no other
	// A room, by two who compute it
	const fetch = ( port, host ) => connect( { port, host, ca, servername: 'localhost' } );
	const origin = `https://127.0.0.1:${program.port}`;
	const visitors = [ new Visitor( { module } ), new Visitor( { module } ) ];
	for ( const one of visitors ) assert.ok( await one.open( { port: program.port, fetch, origin } ), JSON.stringify( one.goodbye ) );
	for ( const one of visitors ) assert.ok( await one.until( () => one.hasImage ) ); // what comes before it would be in it, and not told
	visitors[0].command( 'spawn cube at 0 1 0' );
	visitors[0].command( `grab ${visitors[0].owner}:1 ray 0 3 0 0 -4 0 radius 0.3` );
	for ( const one of visitors ) assert.ok( await one.until( () => one.commands > 0 && one.hashes.size >= 2 ) );
	assert.deepEqual( visitors.map( ( one ) => one.differs.length ), [ 0, 0 ] );
	// Without TLS there is nothing to talk to: no answer to HTTP comes before the line is cut, or the patience of this test is over
	const answer = await new Promise( ( resolve ) =>
	{
		const plain = connectPlain( program.port, '127.0.0.1' );
		let heard = '';
		plain.on( 'data', ( data ) => { heard += data.toString( 'latin1' ); } );
		plain.on( 'error', () => {} );
		plain.on( 'close', () => resolve( heard ) );
		setTimeout( () => plain.destroy(), 1000 );
		plain.write( 'GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n' );
	} );
	assert.doesNotMatch( answer, /HTTP|ok/ );
	for ( const one of visitors ) one.close();
	assert.equal( await program.end(), 0 );
	removeFolder( folder );
} );

test( 'a certificate that cannot be used is told', { timeout: 600000 }, async () =>
{
	const folder = makeFolder(), { certificate, key } = makeCertificate( folder );
	await assert.rejects( Program.start( [ '--tls-cert', key, '--tls-key', certificate ] ), /certificate and key cannot be used/ );
	await assert.rejects( Program.start( [ '--tls-cert', `${folder}/none.pem`, '--tls-key', key ] ), /certificate and key cannot be used/ );
	await assert.rejects( Program.start( [ '--tls-cert', certificate ] ), /go together/ );
	removeFolder( folder );
} );
