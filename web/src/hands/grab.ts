// grab.ts - take hold of something and lead it; lock it where it is. Knows no three.js.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
import type { Pick } from '../link/frame.ts';
import { dot, meetPlane, mulAdd, say, scale, type Vec3 } from '../view/vec.ts';
import { grasp, unlock } from './held.ts';
import { colors, type Pointer, type Stage, type Tool } from './tool.ts';

interface Held
{
	number: number;
	place: Vec3; // on the plane in which it is led
}

/** Fast enough to follow a pointer, slow enough that a stiff thing does not ring. */
const grip = 'hertz 9 damping 1';

export class GrabTool implements Tool
{
	readonly name = 'grab';
	readonly title = 'Hand';
	readonly hint = 'Take and drag. Wheel, Shift or a pinch with a second finger: nearer, further. L: lock it there.';
	readonly key = '1';
	private readonly held = new Map<number, Held>();

	constructor( private readonly stage: Stage ) {}

	async down( pointer: Pointer ): Promise<boolean>
	{
		const ray = this.stage.ray( pointer.x, pointer.y );
		// A locked hand is unlocked by a touch.
		if ( unlock( this.stage, pointer ) )
		{
			return true;
		}
		const number = this.stage.newHand(), pick = await this.stage.ask( ray );
		const body = pick.what === 'body' ? this.stage.body( pick.id ) : undefined;
		const radius = body !== undefined ? ` radius ${( grasp * body.extent ).toFixed( 3 )}` : '';
		if ( body === undefined && this.stage.isStatic === false )
		{
			return false;
		}
		this.stage.send( `grab ${this.stage.owner}:${number} ray ${say( ray.origin )} ${say( scale( 20 * this.stage.size, ray.direction ) )} ${grip}${radius}` );
		if ( body === undefined )
		{
			// A baked solid says nothing to rays; whether there was a handle is known once there is a hand.
			await this.stage.ask( ray );
			const hand = this.stage.hand( number );
			if ( hand === undefined )
			{
				return false;
			}
			pick.position = hand.place;
		}
		this.held.set( pointer.id, { number, place: pick.position } );
		return true;
	}

	move( pointer: Pointer ): void
	{
		const held = this.held.get( pointer.id );
		if ( held === undefined )
		{
			return;
		}
		const forward = this.stage.forward;
		held.place = mulAdd( held.place, pointer.depth, forward );
		pointer.depth = 0;
		const to = meetPlane( this.stage.ray( pointer.x, pointer.y ), held.place, forward );
		if ( to !== null && dot( to, to ) < 1e6 )
		{
			to[1] = Math.max( to[1], this.stage.floorHeight + 0.02 );
			this.stage.lead( held.number, to );
		}
	}

	up( pointer: Pointer ): void
	{
		const held = this.held.get( pointer.id );
		this.held.delete( pointer.id );
		if ( held !== undefined && this.stage.hand( held.number )?.locked !== true )
		{
			this.stage.drop( held.number );
		}
	}

	press( key: string ): boolean
	{
		if ( key !== 'l' || this.held.size === 0 )
		{
			return false;
		}
		for ( const { number } of this.held.values() )
		{
			this.stage.send( `lock ${this.stage.owner}:${number}` );
		}
		this.held.clear();
		return true;
	}

	show( hover: Pick | null ): void
	{
		const isFree = this.held.size === 0;
		this.stage.highlight( isFree && hover?.what === 'body' ? hover.id : null );
		if ( isFree && hover?.what === 'body' )
		{
			this.stage.ghosts.ring( hover.position, hover.normal, 9 * this.stage.pixels( hover.position ), colors.hand );
		}
	}
}
