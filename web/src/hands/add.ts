// add.ts - put something into the world, throw something, take something away. Knows no three.js.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
import { nameOf, type Pick } from '../link/frame.ts';
import { add, mulAdd, say, scale, type Ray, type Vec3 } from '../view/vec.ts';
import { colors, type Pointer, type Stage, type Tool } from './tool.ts';

/** About half as large as the solids that come along are. */
const usualRadius = 0.38;

/** The command that brings a new one of what is chosen. */
export function spawnCommand( stage: Stage, place: Vec3, more = '' ): string
{
	const { solid, preset, color } = stage.options;
	const material = preset !== '' ? ` preset ${preset}` : '', paint = color !== 0 ? ` color 0x${color.toString( 16 ).padStart( 6, '0' )}` : '';
	return `spawn ${solid} at ${say( place )}${more}${paint}${material}`;
}

export class AddTool implements Tool
{
	readonly name = 'add';
	readonly title = 'Add';
	readonly hint = 'Click where it should be. Choose what in the panel.';
	readonly key = '6';

	constructor( private readonly stage: Stage ) {}

	private place( pick: Pick, ray: Ray ): Vec3
	{
		if ( pick.what === 'nothing' )
		{
			const place = mulAdd( ray.origin, this.stage.size, ray.direction );
			place[1] = Math.max( place[1], this.stage.floorHeight + usualRadius );
			return place;
		}
		return mulAdd( pick.position, 1.15 * usualRadius, pick.normal );
	}

	async down( pointer: Pointer ): Promise<boolean>
	{
		const ray = this.stage.ray( pointer.x, pointer.y );
		this.stage.send( spawnCommand( this.stage, this.place( await this.stage.ask( ray ), ray ) ) );
		return true;
	}
	move(): void {}
	up(): void {}

	show( hover: Pick | null ): void
	{
		this.stage.highlight( null );
		if ( hover !== null && hover.what !== 'nothing' )
		{
			this.stage.ghosts.ball( this.place( hover, { origin: [ 0, 0, 0 ], direction: [ 0, 0, 1 ] } ), usualRadius, colors.good, 0.3 );
		}
	}
}

export class ThrowTool implements Tool
{
	readonly name = 'throw';
	readonly title = 'Throw';
	readonly hint = 'Aim, and let go.';
	readonly key = '7';
	readonly ignoresHover = true;
	private readonly aims = new Map<number, Pointer>();

	constructor( private readonly stage: Stage ) {}

	down( pointer: Pointer ): boolean
	{
		this.aims.set( pointer.id, pointer );
		return true;
	}
	move(): void {}
	up( pointer: Pointer, cancelled: boolean ): void
	{
		if ( this.aims.delete( pointer.id ) && cancelled === false )
		{
			const { from, velocity } = this.aim( pointer );
			this.stage.send( spawnCommand( this.stage, from, ` velocity ${say( velocity )} spin 0 0 -4` ) );
		}
	}

	private aim( pointer: Pointer ): { from: Vec3; velocity: Vec3 }
	{
		const ray = this.stage.ray( pointer.x, pointer.y );
		const from = add( mulAdd( ray.origin, 0.6 * this.stage.size, ray.direction ), [ 0, -0.05 * this.stage.size, 0 ] );
		from[1] = Math.max( from[1], this.stage.floorHeight + 1.1 * usualRadius );
		// A little upwards, so that it comes down about where the pointer is
		const velocity = add( scale( this.stage.options.throwSpeed, ray.direction ), [ 0, 0.12 * this.stage.options.throwSpeed, 0 ] );
		return { from, velocity };
	}

	show(): void
	{
		this.stage.highlight( null );
		for ( const pointer of this.aims.values() )
		{
			const { from, velocity } = this.aim( pointer );
			this.stage.ghosts.ball( from, usualRadius, colors.good, 0.3 );
			let last = from;
			for ( let t = 0.04; t < 1.2 && last[1] > this.stage.floorHeight; t += 0.04 )
			{
				const next = add( mulAdd( from, t, velocity ), [ 0, -0.5 * 9.81 * t * t, 0 ] );
				this.stage.ghosts.line( last, next, 1.2 * this.stage.pixels( next ), colors.good );
				last = next;
			}
		}
	}
}

export class RemoveTool implements Tool
{
	readonly name = 'remove';
	readonly title = 'Remove';
	readonly hint = 'Click something, and it is gone. Undo brings it back.';
	readonly key = '8';

	constructor( private readonly stage: Stage ) {}

	async down( pointer: Pointer ): Promise<boolean>
	{
		const pick = await this.stage.ask( this.stage.ray( pointer.x, pointer.y ) );
		if ( pick.what === 'body' )
		{
			this.stage.send( `remove ${nameOf( pick.id )}` );
		}
		return pick.what === 'body';
	}
	move(): void {}
	up(): void {}

	show( hover: Pick | null ): void
	{
		this.stage.highlight( hover?.what === 'body' ? hover.id : null );
		const body = hover?.what === 'body' ? this.stage.body( hover.id ) : undefined;
		if ( body !== undefined )
		{
			this.stage.ghosts.ring( body.center, scale( -1, this.stage.forward ), 0.62 * body.extent, colors.gone );
		}
	}
}
