// stage.ts - what tools may use, from the view and the link: rays and ghosts from one, commands and answers from the other.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
import type { Stage, ToolOptions } from './hands/tool.ts';
import type { Frame, Hand, Id, Pick } from './link/frame.ts';
import type { Link } from './link/link.ts';
import { dot, length, mulAdd, say, scale, sub, type Ray, type Vec3 } from './view/vec.ts';
import type { View } from './view/view.ts';

/** A hand of ours as the page has it; the world hears of it between steps. */
interface Led
{
	to: Vec3;
	steps: number; // that the world takes to bring it there
	isSent: boolean;
	isOver: boolean; // let go
}

/** ms between two commands for our hands: mice may speak a thousand times a second. */
const leadEvery = 8;

const nothing: Omit<Pick, 'sequence'> = { owner: 0, what: 'nothing', id: { index: 0, generation: 0 }, position: [ 0, 0, 0 ], normal: [ 0, 1, 0 ] };

export class PageStage implements Stage
{
	options: ToolOptions = { solid: 'ball', preset: '', color: 0, pushRadius: 0.18, cutDepth: 0.2, throwSpeed: 9 };
	touched: Id | null = null; // the last body that a hand of ours took
	colorOf: ( owner: number ) => number | null = () => null; // of others' hands
	private frame: Frame | null = null;
	private readonly asked = new Map<number, ( pick: Pick ) => void>();
	private nextHand = 0;
	private readonly led = new Map<number, Led>();
	private ledAt = 0; // ms, when the world was last told
	private ledTimer = 0;

	constructor( private readonly view: View, private readonly link: Link ) {}

	get ghosts() { return this.view.ghosts; }
	get owner(): number { return this.link.owner; }
	get forward(): Vec3 { return this.view.forward; }
	get size(): number { return this.view.size; }
	get floorHeight(): number { return this.frame?.isStatic ? -1e6 : this.view.bodies.floor ?? -1e6; }
	get isStatic(): boolean { return this.frame?.isStatic ?? false; }
	ray = ( x: number, y: number ): Ray => this.view.ray( x, y );
	project = ( place: Vec3 ): [ number, number ] => this.view.project( place );
	pixels = ( place: Vec3 ): number => this.view.pixels( place );
	/** What hands have done before is told first. */
	send( commands: string ): number
	{
		this.tellLed();
		return this.link.send( commands );
	}
	body = ( id: Id ) => this.view.bodies.get( id );
	hands(): Hand[]
	{
		return ( this.frame?.hands ?? [] ).map( ( hand ) =>
		{
			const led = hand.owner === this.owner && hand.locked === false ? this.led.get( hand.number ) : undefined;
			return led !== undefined ? { ...hand, target: led.to } : hand;
		} );
	}
	hand = ( number: number ): Hand | undefined => this.hands().find( ( hand ) => hand.owner === this.owner && hand.number === number );
	highlight = ( id: Id | null ): void => this.view.bodies.highlight( id );
	nearBody( ray: Ray ): Vec3 | null
	{
		let found: Vec3 | null = null, least = Infinity;
		for ( const { center } of this.view.bodies.list() )
		{
			const way = sub( center, ray.origin ), along = dot( way, ray.direction );
			const off = length( mulAdd( way, -along, ray.direction ) );
			if ( along > 0 && off < least )
			{
				least = off;
				found = center;
			}
		}
		return found;
	}
	/** Numbers begin anew after many; locked hands keep theirs. */
	newHand(): number
	{
		// Small numbers take few bytes on a line; rooms have no more for one person.
		const most = this.hands().length < 24 ? 31 : 100000;
		do
		{
			this.nextHand = this.nextHand % most + 1;
		}
		while ( this.hand( this.nextHand ) !== undefined );
		return this.nextHand;
	}

	lead( number: number, to: Vec3, steps = 0 ): void
	{
		const before = this.led.get( number );
		if ( before !== undefined && length( sub( to, before.to ) ) === 0 )
		{
			return;
		}
		this.led.set( number, { to, steps, isSent: false, isOver: false } );
		const wait = this.ledAt + leadEvery - performance.now();
		if ( wait <= 0 )
		{
			this.tellLed();
		}
		else if ( this.ledTimer === 0 )
		{
			this.ledTimer = setTimeout( () => this.tellLed(), wait ) as unknown as number;
		}
	}

	private tellLed(): void
	{
		clearTimeout( this.ledTimer );
		this.ledTimer = 0;
		const lines = [ ...this.led ].filter( ( [ , led ] ) => led.isSent === false ).map( ( [ number, led ] ) =>
		{
			led.isSent = true;
			return `move ${this.owner}:${number} ${say( led.to )}${led.steps > 0 ? ` steps ${led.steps}` : ''}`;
		} );
		if ( lines.length > 0 )
		{
			this.ledAt = performance.now();
			this.link.send( lines.join( '\n' ) );
		}
	}

	drop( number: number ): void
	{
		this.send( `drop ${this.owner}:${number}` );
		const led = this.led.get( number );
		if ( led !== undefined )
		{
			led.isOver = true;
		}
	}

	ask( ray: Ray ): Promise<Pick>
	{
		if ( this.link.knowsRays === false )
		{
			return Promise.resolve( { ...nothing, sequence: 0, ...this.view.cast( ray ) } );
		}
		const sequence = this.send( `ask ray ${say( ray.origin )} ${say( scale( 20 * this.size, ray.direction ) )}` );
		return new Promise( ( resolve ) => this.asked.set( sequence, resolve ) );
	}

	take( frame: Frame ): void
	{
		this.frame = frame;
		for ( const pick of frame.picks )
		{
			for ( const [ sequence, resolve ] of this.asked )
			{
				// Answers come in order: one that was passed over was lost.
				if ( sequence <= pick.sequence )
				{
					this.asked.delete( sequence );
					resolve( sequence === pick.sequence ? pick : { ...nothing, sequence } );
				}
			}
		}
		if ( frame.isStatic )
		{
			// A baked solid has nothing to say to rays, only handles. A frame from before the question does not know what was done with it.
			for ( const [ sequence, resolve ] of this.asked )
			{
				if ( sequence <= frame.heard )
				{
					this.asked.delete( sequence );
					resolve( { ...nothing, sequence } );
				}
			}
		}
		if ( frame.fresh && this.link.knowsRays === false )
		{
			// The room is shown in another way now: who still waits asks in vain.
			this.asked.forEach( ( resolve, sequence ) => resolve( { ...nothing, sequence } ) );
			this.asked.clear();
		}
		for ( const [ number, { isOver } ] of this.led )
		{
			const hand = frame.hands.find( ( one ) => one.owner === this.owner && one.number === number );
			if ( frame.fresh || hand?.locked === true || ( isOver && hand === undefined ) )
			{
				this.led.delete( number );
			}
		}
		const held = frame.hands.find( ( hand ) => hand.owner === this.owner );
		this.touched = held?.body ?? this.touched;
	}
}
