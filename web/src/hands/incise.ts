// incise.ts - a stroke on a surface opens it to a depth; what it ends in stays in one piece. Knows no three.js.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
import { nameOf, type Pick } from '../link/frame.ts';
import { add, mulAdd, say, scale, unit, type Vec3 } from '../view/vec.ts';
import { colors, type Pointer, type Stage, type Tool } from './tool.ts';

interface Slit { from: Pick; to: Pick; asking: boolean }

export class InciseTool implements Tool
{
	readonly name = 'incise';
	readonly title = 'Incise';
	readonly hint = 'Draw on a surface: it opens as deep as the blade goes.';
	readonly key = '5';
	private readonly slits = new Map<number, Slit>();

	constructor( private readonly stage: Stage ) {}

	async down( pointer: Pointer ): Promise<boolean>
	{
		const pick = await this.stage.ask( this.stage.ray( pointer.x, pointer.y ) );
		if ( pick.what !== 'body' )
		{
			return false;
		}
		this.slits.set( pointer.id, { from: pick, to: pick, asking: false } );
		return true;
	}

	move( pointer: Pointer ): void
	{
		const slit = this.slits.get( pointer.id );
		if ( slit !== undefined && slit.asking === false )
		{
			slit.asking = true;
			void this.aim( slit, pointer ).then( () => slit.asking = false );
		}
	}

	private async aim( slit: Slit, pointer: Pointer ): Promise<void>
	{
		const pick = await this.stage.ask( this.stage.ray( pointer.x, pointer.y ) );
		if ( pick.what === 'body' && nameOf( pick.id ) === nameOf( slit.from.id ) )
		{
			slit.to = pick;
		}
	}

	async up( pointer: Pointer, cancelled: boolean ): Promise<void>
	{
		const slit = this.slits.get( pointer.id );
		if ( slit === undefined )
		{
			return;
		}
		await this.aim( slit, pointer );
		this.slits.delete( pointer.id );
		const [ a, b ] = [ slit.from.position, slit.to.position ];
		if ( cancelled === false && Math.hypot( a[0] - b[0], a[1] - b[1], a[2] - b[2] ) > 0.02 )
		{
			this.stage.send( `cut quad ${this.blade( slit ).map( say ).join( ' ' )} inside 1 body ${nameOf( slit.from.id )}` );
		}
	}

	/** From just above the surface down into it. */
	private blade( slit: Slit ): [ Vec3, Vec3, Vec3, Vec3 ]
	{
		const depth = this.stage.options.cutDepth;
		const inward = unit( scale( -1, add( slit.from.normal, slit.to.normal ) ) );
		const [ a, b ] = [ slit.from.position, slit.to.position ];
		return [ mulAdd( a, -0.3 * depth, inward ), mulAdd( b, -0.3 * depth, inward ), mulAdd( b, depth, inward ), mulAdd( a, depth, inward ) ];
	}

	show( hover: Pick | null ): void
	{
		this.stage.highlight( this.slits.size === 0 && hover?.what === 'body' ? hover.id : null );
		for ( const slit of this.slits.values() )
		{
			const blade = this.blade( slit );
			this.stage.ghosts.sheet( blade, colors.steel, 0.5 );
			this.stage.ghosts.line( slit.from.position, slit.to.position, 1.5 * this.stage.pixels( slit.from.position ), colors.lock );
		}
		if ( this.slits.size === 0 && hover?.what === 'body' )
		{
			this.stage.ghosts.line( hover.position, mulAdd( hover.position, -this.stage.options.cutDepth, hover.normal ), 1.5 * this.stage.pixels( hover.position ), colors.lock );
		}
	}
}
