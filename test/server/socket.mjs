// socket.mjs - a WebSocket for tests, on a bare TCP connection: as polite or as rude as a test needs. Knows no rooms.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
import { connect } from 'node:net';
import { randomBytes } from 'node:crypto';

// A frame as clients send it, masked.
export function frame( opcode, payload, isFinal = true )
{
	const length = payload.length;
	const extra = length < 126 ? 0 : length < 65536 ? 2 : 8;
	const out = Buffer.alloc( 2 + extra + 4 + length );
	out[0] = ( isFinal ? 0x80 : 0 ) | opcode;
	out[1] = 0x80 | ( extra === 0 ? length : extra === 2 ? 126 : 127 );
	if ( extra === 2 ) out.writeUInt16BE( length, 2 );
	if ( extra === 8 ) out.writeBigUInt64BE( BigInt( length ), 2 );
	const mask = randomBytes( 4 );
	mask.copy( out, 2 + extra );
	for ( let i = 0; i < length; ++i ) out[6 + extra + i] = payload[i] ^ mask[i & 3];
	return out;
}

export class Socket
{
	constructor() { this.buffers = []; this.size = 0; this.received = 0; this.isOpen = false; this.isClosed = false; this.part = []; this.onmessage = () => {}; this.onclose = () => {}; }

	// Resolves with true if the server takes the WebSocket, with false if it does not.
	open( { port, path, protocol = 'pliant-room-1', origin, host, fetch = connect } )
	{
		return new Promise( ( resolve ) =>
		{
			this.tcp = fetch( port, '127.0.0.1' );
			this.tcp.setNoDelay( true );
			let head = '';
			const lines = [ `GET ${path} HTTP/1.1`, `Host: ${host ?? `127.0.0.1:${port}`}`, 'Upgrade: websocket', 'Connection: Upgrade', `Sec-WebSocket-Key: ${randomBytes( 16 ).toString( 'base64' )}`, 'Sec-WebSocket-Version: 13' ];
			if ( protocol ) lines.push( `Sec-WebSocket-Protocol: ${protocol}` );
			if ( origin ) lines.push( `Origin: ${origin}` );
			this.tcp.on( 'connect', () => this.tcp.write( lines.join( '\r\n' ) + '\r\n\r\n' ) );
			this.tcp.on( 'error', () => {} );
			this.tcp.on( 'close', () => { this.isClosed = true; this.isOpen = false; resolve( false ); this.onclose(); } );
			this.tcp.on( 'data', ( data ) =>
			{
				this.received += data.length;
				if ( this.isOpen ) return this.take( data );
				head += data.toString( 'latin1' );
				const end = head.indexOf( '\r\n\r\n' );
				if ( end < 0 ) return;
				this.isOpen = head.startsWith( 'HTTP/1.1 101' );
				if ( !this.isOpen ) { this.tcp.destroy(); return; }
				this.received = 0;
				resolve( true );
				const rest = Buffer.from( head.slice( end + 4 ), 'latin1' );
				if ( rest.length > 0 ) this.take( rest );
			} );
		} );
	}

	take( data )
	{
		this.buffers.push( data );
		this.size += data.length;
		for ( ;; )
		{
			if ( this.size < 2 ) return;
			if ( this.buffers.length > 1 ) this.buffers = [ Buffer.concat( this.buffers ) ];
			const all = this.buffers[0];
			let length = all[1] & 127, at = 2;
			if ( length === 126 ) { if ( all.length < 4 ) return; length = all.readUInt16BE( 2 ); at = 4; }
			else if ( length === 127 ) { if ( all.length < 10 ) return; length = Number( all.readBigUInt64BE( 2 ) ); at = 10; }
			if ( all.length < at + length ) return;
			const payload = all.subarray( at, at + length ), opcode = all[0] & 15, isFinal = ( all[0] & 128 ) !== 0;
			this.buffers = [ all.subarray( at + length ) ];
			this.size -= at + length;
			if ( opcode === 9 ) { if ( this.isDeaf !== true ) this.write( frame( 10, payload ) ); }
			else if ( opcode === 8 ) { this.tcp.end(); return; }
			else if ( opcode <= 2 )
			{
				this.part.push( payload );
				if ( isFinal )
				{
					const whole = this.part.length === 1 ? payload : Buffer.concat( this.part );
					this.part = [];
					this.onmessage( whole );
				}
			}
		}
	}

	write( bytes ) { if ( !this.isClosed ) this.tcp.write( bytes ); }
	send( bytes ) { this.write( frame( 2, bytes ) ); }
	close() { if ( !this.isClosed ) { this.write( frame( 8, Buffer.from( [ 3, 232 ] ) ) ); this.tcp.end(); } }
	kill() { this.tcp.destroy(); }
}
