// stage.ts - what tools may use, from the view and the link: rays and ghosts from one, commands and answers from the other.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
import type { Stage, ToolOptions } from './hands/tool.ts';
import type { Frame, Hand, Id, Pick } from './link/frame.ts';
import type { Link } from './link/link.ts';
import { dot, length, mulAdd, say, scale, sub, type Ray, type Vec3 } from './view/vec.ts';
import type { View } from './view/view.ts';

const nothing: Omit<Pick, 'sequence'> = { owner: 0, what: 'nothing', id: { index: 0, generation: 0 }, position: [ 0, 0, 0 ], normal: [ 0, 1, 0 ] };

export class PageStage implements Stage
{
	options: ToolOptions = { solid: 'ball', preset: '', color: 0, pushRadius: 0.18, cutDepth: 0.2, throwSpeed: 9 };
	touched: Id | null = null; // the last body that a hand of ours took
	private frame: Frame | null = null;
	private readonly asked = new Map<number, ( pick: Pick ) => void>();
	private nextHand = 0;

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
	send = ( commands: string ): number => this.link.send( commands );
	body = ( id: Id ) => this.view.bodies.get( id );
	hands = (): Hand[] => this.frame?.hands ?? [];
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
		do
		{
			this.nextHand = this.nextHand % 100000 + 1;
		}
		while ( this.hand( this.nextHand ) !== undefined );
		return this.nextHand;
	}

	ask( ray: Ray ): Promise<Pick>
	{
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
			// A baked solid has nothing to say to rays, only handles.
			for ( const [ sequence, resolve ] of this.asked )
			{
				resolve( { ...nothing, sequence } );
			}
			this.asked.clear();
		}
		const held = frame.hands.find( ( hand ) => hand.owner === this.owner );
		this.touched = held?.body ?? this.touched;
	}
}
