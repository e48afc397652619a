// shared.ts - a room with others in it, on the page: people and their hands, links, the host's switches, how the line is. Link, view and panel put together.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
import { memory } from './files/share.ts';
import { socketAddress, writeRoomAddress, type RoomAddress } from './files/room_address.ts';
import type { Hands } from './hands/hands.ts';
import { NetworkLink } from './link/network_link.ts';
import { copyLink, notice, standing } from './panel/notice.ts';
import { NameTags, PeoplePanel } from './panel/people.ts';
import type { PageStage } from './stage.ts';
import type { View } from './view/view.ts';
import type { Vec3 } from './view/vec.ts';

const palette = [ 0xd9483b, 0x2f7de1, 0x2f9e5b, 0x8e4ec6, 0xd98a1f, 0x0f9aa8, 0xc2397f, 0x6b7f2a ];
// Guests are told apart before they have said who they are.
const dice = crypto.getRandomValues( new Uint8Array( 2 ) ), anyColor = palette[dice[0] % palette.length], anyName = `Guest ${1 + dice[1] % 99}`;
const mostTagged = 24; // names on the picture at once

/** Who this person was when last here: a name and colour for all rooms, a key for each. */
const person = {
	get name(): string { return memory.get( 'name' ) ?? anyName; },
	get color(): number
	{
		const stored = Number( memory.get( 'color' ) ?? NaN );
		return Number.isInteger( stored ) ? stored & 0xffffff : anyColor;
	},
	keyOf: ( room: string ): string => memory.get( `key ${room}`, 'sessionStorage' ) ?? '',
	keep( room: string, key: string ): void
	{
		if ( person.keyOf( room ) !== key )
		{
			memory.set( `key ${room}`, key, 'sessionStorage' );
		}
	},
};

export async function enterRoom( address: RoomAddress, module: string ): Promise<NetworkLink>
{
	const color = person.color;
	memory.set( 'color', String( color ) );
	memory.set( 'name', person.name );
	return NetworkLink.start( {
		address: socketAddress( address ), name: person.name, color, token: address.token, key: person.keyOf( address.name ), scene: address.scene, looksOn: address.looksOn, wants: address.mode,
	}, module );
}

export class SharedRoom
{
	private readonly panel: PeoplePanel;
	private readonly tags: NameTags;
	private asked = false; // the panel is to be shown anew

	constructor( private readonly address: RoomAddress, readonly link: NetworkLink, private readonly view: View, private readonly stage: PageStage, holder: HTMLElement, tags: HTMLElement, private readonly stir: () => void )
	{
		this.panel = new PeoplePanel( holder, {
			person: ( color, name ) =>
			{
				memory.set( 'name', name );
				memory.set( 'color', String( color ) );
				link.setPerson( color, name );
			},
			lockScene: ( locked ) => link.act( locked ? 'lock scene' : 'open scene' ),
			lockMaterials: ( locked ) => link.act( locked ? 'lock materials' : 'open materials' ),
			freeze: ( frozen ) => link.act( frozen ? 'freeze' : 'go on' ),
			remove: ( owner ) => link.act( 'remove', owner ),
			mode: ( wants ) => link.setMode( wants as 'auto' | 'lockstep' | 'stream' ),
			share: ( looksOn ) => void copyLink( looksOn ? this.linkToLookOn : this.linkForOthers ),
		} );
		this.panel.setSelf( person.color, person.name );
		this.tags = new NameTags( tags );
		stage.colorOf = ( owner ) => link.people.find( ( one ) => one.owner === owner )?.color ?? null;
		link.onNotice = ( text, bad ) => notice( text, bad );
		link.onChange = () => this.changed();
		this.changed();
	}

	get linkForOthers(): string
	{
		return writeRoomAddress( this.address.page, this.address.name, this.address.looksOn ? '' : this.address.token );
	}
	get linkToLookOn(): string
	{
		return writeRoomAddress( this.address.page, this.address.name, this.link.lookToken || this.address.token, true );
	}
	/** Often: so the panel waits for the next picture. */
	private changed(): void
	{
		person.keep( this.address.name, this.link.key );
		this.asked = true;
		this.stir();
		const { line, state } = this.link;
		standing( 'line', line === 'lost' ? 'The line to the room is gone; trying again…' : null );
		standing( 'frozen', state.frozen && line === 'open' ? 'The host has stopped the time' : null );
		standing( 'disk', state.noDisk ? 'The room cannot be written down just now, and waits' : null );
		document.body.classList.toggle( 'looks-on', state.looksOn );
		standing( 'looks', state.looksOn ? 'You are looking on' : null );
	}

	/** Where this person points, as long as no hand is at work. */
	point( hands: Hands ): void
	{
		const hovered = hands.hovered;
		this.link.point( hands.isBusy || hovered === null || hovered.what === 'nothing' ? null : hovered.position );
	}

	/** Once for each picture. */
	draw(): void
	{
		const { link, view } = this;
		if ( this.asked )
		{
			this.asked = false;
			const { people, owner, state, wants, mode, delay, roundTrip } = link;
			this.panel.show( { people, owner, ...state, wants, mode, delay, roundTrip } );
		}
		const places = new Map<number, Vec3>( [ ...link.cursors ].slice( 0, mostTagged ) );
		for ( const [ owner, place ] of places )
		{
			view.ghosts.dot( place, 5 * view.pixels( place ), this.stage.colorOf( owner ) ?? 0x888888 );
		}
		for ( const hand of this.stage.hands() )
		{
			if ( hand.owner !== link.owner && hand.locked === false && this.stage.colorOf( hand.owner ) !== null && places.size < mostTagged )
			{
				places.set( hand.owner, hand.target );
			}
		}
		this.tags.show( [ ...places ].flatMap( ( [ owner, place ] ) =>
		{
			const person = link.people.find( ( one ) => one.owner === owner );
			return person !== undefined ? [ { owner, name: person.name.trim() || `Visitor ${owner}`, color: person.color, at: view.project( place ) } ] : [];
		} ) );
	}
}
