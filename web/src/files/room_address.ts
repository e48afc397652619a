// room_address.ts - a room in an address: …/room/NAME, …?room=NAME or …#room=NAME, with what else it may say. Pure: knows no page.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT

export interface RoomAddress
{
	name: string;
	token: string;
	looksOn: boolean;
	scene: string; // that a new room begins with
	mode: 'auto' | 'lockstep' | 'stream';
	page: string; // the page's own address, without all of this
}

const isName = ( text: string ): boolean => /^[A-Za-z0-9_-]{1,31}$/.test( text );

/** Null: the address is of a page for one. */
export function readRoomAddress( href: string ): RoomAddress | null
{
	const address = new URL( href ), path = /^(.*\/)room\/([^/]+)\/?$/.exec( address.pathname );
	const hash = new URLSearchParams( address.hash.replace( /^#/, '' ) );
	const words = { get: ( key: string ): string | null => hash.get( key ) ?? address.searchParams.get( key ) };
	const name = words.get( 'room' ) ?? path?.[2] ?? '';
	if ( isName( name ) === false )
	{
		return null;
	}
	const mode = words.get( 'mode' ), scene = words.get( 'scene' ) ?? '';
	return {
		name, token: ( words.get( 'token' ) ?? '' ).slice( 0, 128 ), looksOn: words.get( 'look' ) === '1', scene: isName( scene ) ? scene : '',
		mode: mode === 'lockstep' || mode === 'stream' ? mode : 'auto', page: address.origin + ( path?.[1] ?? address.pathname ),
	};
}

export function writeRoomAddress( page: string, name: string, token: string, looksOn = false, scene = '' ): string
{
	const words = new URLSearchParams( { room: name } );
	const put = ( key: string, value: string ): void => value !== '' ? words.set( key, value ) : undefined;
	put( 'scene', scene );
	put( 'look', looksOn ? '1' : '' );
	put( 'token', token );
	return `${page}#${words}`;
}

/** Where the room itself is spoken to. */
export const socketAddress = ( room: RoomAddress ): string => `${room.page.replace( /^http/, 'ws' ).replace( /[^/]*$/, '' )}room/${room.name}`;

/** A name that nobody else has thought of. */
export function newRoomName(): string
{
	const letters = 'abcdefghijkmnpqrstuvwxyz23456789';
	return [ ...crypto.getRandomValues( new Uint8Array( 10 ) ) ].map( ( value ) => letters[value % letters.length] ).join( '' );
}
