// people.ts - who is in the room, what its host may do, links for others, and how long the room takes to answer. Names are text, never markup. Knows no link.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT

export interface PeopleShown
{
	people: { owner: number; isHost: boolean; looksOn: boolean; streams: boolean; color: number; behind: number; name: string }[];
	owner: number;
	isHost: boolean;
	looksOn: boolean;
	sceneLocked: boolean;
	materialsLocked: boolean;
	frozen: boolean;
	wants: string; // how the room comes here: auto, lockstep, stream
	mode: string;
	rate: number;
	delay: number; // ms, NaN: not known
	roundTrip: number;
}

export interface PeopleWishes
{
	person( color: number, name: string ): void;
	lockScene( locked: boolean ): void;
	lockMaterials( locked: boolean ): void;
	freeze( frozen: boolean ): void;
	remove( owner: number ): void;
	mode( wants: string ): void;
	share( looksOn: boolean ): void;
}

const make = <K extends keyof HTMLElementTagNameMap>( tag: K, className = '', text = '' ): HTMLElementTagNameMap[K] =>
{
	const one = document.createElement( tag );
	one.className = className;
	one.textContent = text;
	return one;
};
export const cssColor = ( color: number ): string => `#${( color & 0xffffff ).toString( 16 ).padStart( 6, '0' )}`;
const modeNames: Record<string, string> = { auto: 'as this machine can', lockstep: 'computed here', stream: 'sent as pictures' };

export class PeoplePanel
{
	private readonly list = make( 'ul' );
	private readonly delay = make( 'p', 'delay' );
	private readonly name = make( 'input' );
	private readonly color = make( 'input' );
	private readonly host = make( 'fieldset' );
	private readonly mode = make( 'select' );
	private readonly checks: Record<'scene' | 'materials' | 'frozen', HTMLInputElement>;
	private invites!: HTMLElement; // others, to do something
	private readonly locked = new Map<string, boolean>(); // as the room said last
	private shown = '';

	constructor( holder: HTMLElement, private readonly wishes: PeopleWishes )
	{
		const share = make( 'div', 'buttons' ), self = make( 'div', 'self' ), way = make( 'label', '', 'I want it ' );
		for ( const [ text, looksOn ] of [ [ 'Copy the room’s link', false ], [ 'Copy a link to look on', true ] ] as const )
		{
			const button = make( 'button', 'plain-button', text );
			button.addEventListener( 'click', () => wishes.share( looksOn ) );
			share.append( button );
			this.invites = looksOn ? this.invites : button;
		}
		this.name.maxLength = 32;
		this.name.setAttribute( 'aria-label', 'Your name' );
		this.color.type = 'color';
		this.color.setAttribute( 'aria-label', 'Your colour' );
		const tell = (): void => wishes.person( parseInt( this.color.value.slice( 1 ), 16 ), this.name.value.trim() );
		this.name.addEventListener( 'change', tell );
		this.color.addEventListener( 'change', tell );
		self.append( this.color, this.name );
		for ( const wants of Object.keys( modeNames ) )
		{
			const option = make( 'option', '', modeNames[wants] );
			option.value = wants;
			this.mode.append( option );
		}
		this.mode.addEventListener( 'change', () => wishes.mode( this.mode.value ) );
		way.append( this.mode );
		const check = ( text: string, wish: ( on: boolean ) => void ): HTMLInputElement =>
		{
			const label = make( 'label' ), box = make( 'input' );
			box.type = 'checkbox';
			box.addEventListener( 'change', () => wish( box.checked ) );
			label.append( box, ` ${text}` );
			this.host.append( label );
			return box;
		};
		this.host.append( make( 'legend', '', 'You are the host' ) );
		this.checks = {
			scene: check( 'only I change the scene', wishes.lockScene ), materials: check( 'only I change materials', wishes.lockMaterials ), frozen: check( 'time stands still', wishes.freeze ),
		};
		holder.append( make( 'h2', '', 'In this room' ), this.list, self, this.delay, way, this.host, share );
	}

	setSelf( color: number, name: string ): void
	{
		this.color.value = cssColor( color );
		this.name.value = name;
	}

	show( now: PeopleShown ): void
	{
		// A box that was just ticked stays so until the room has answered.
		for ( const [ name, on ] of [ [ 'scene', now.sceneLocked ], [ 'materials', now.materialsLocked ], [ 'frozen', now.frozen ] ] as const )
		{
			this.checks[name].checked = this.locked.get( name ) === on ? this.checks[name].checked : on;
			this.locked.set( name, on );
		}
		this.host.hidden = now.isHost === false;
		this.mode.value = now.wants;
		const words = [
			Number.isNaN( now.delay ) ? '' : `The world answers your hand after ${Math.round( now.delay )} ms.`,
			Number.isNaN( now.roundTrip ) ? '' : `The line takes ${Math.round( now.roundTrip )} ms there and back.`, `The room is ${modeNames[now.mode]} now.`,
		];
		this.delay.textContent = words.filter( ( text ) => text !== '' ).join( ' ' );
		this.invites.hidden = now.looksOn;
		const people = now.people.map( ( one ) => ( { ...one, behind: one.behind > now.rate } ) ).sort( ( a, b ) => Number( b.owner === now.owner ) - Number( a.owner === now.owner ) || a.owner - b.owner );
		const key = JSON.stringify( [ people, now.isHost, now.owner ] );
		if ( key === this.shown )
		{
			return;
		}
		this.shown = key;
		this.list.replaceChildren( ...people.map( ( one ) =>
		{
			const row = make( 'li' ), dot = make( 'i' ), name = make( 'b', '', one.name.trim() || `Visitor ${one.owner}` );
			dot.style.background = cssColor( one.color );
			const words = [ one.owner === now.owner ? 'you' : '', one.isHost ? 'host' : '', one.looksOn ? 'looks on' : '', one.streams ? 'sent pictures' : '', one.behind ? 'behind' : '' ];
			row.dataset.owner = String( one.owner );
			row.append( dot, name, make( 'span', '', words.filter( ( word ) => word !== '' ).join( ', ' ) ) );
			if ( now.isHost && one.owner !== now.owner )
			{
				const button = make( 'button', 'plain-button', 'Remove' );
				button.setAttribute( 'aria-label', `Remove ${name.textContent}` );
				button.addEventListener( 'click', () => this.wishes.remove( one.owner ) );
				row.append( button );
			}
			return row;
		} ) );
	}
}

/** Names beside the places where others are. */
export class NameTags
{
	private readonly tags = new Map<number, HTMLElement>();
	constructor( private readonly holder: HTMLElement ) {}

	show( people: { owner: number; name: string; color: number; at: [ number, number ] }[] ): void
	{
		for ( const [ owner, tag ] of this.tags )
		{
			if ( people.every( ( one ) => one.owner !== owner ) )
			{
				tag.remove();
				this.tags.delete( owner );
			}
		}
		for ( const { owner, name, color, at } of people )
		{
			let tag = this.tags.get( owner );
			if ( tag === undefined )
			{
				tag = make( 'span', 'tag' );
				tag.dataset.owner = String( owner );
				this.tags.set( owner, tag );
				this.holder.append( tag );
			}
			tag.textContent = name;
			tag.style.borderColor = cssColor( color );
			tag.style.transform = `translate(${Math.round( at[0] + 12 )}px, ${Math.round( at[1] + 8 )}px)`;
		}
	}
}
