// push.ts - a ball that pushes what it meets. Knows no three.js.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
import type { Pick } from '../link/frame.ts';
import { meetPlane, mulAdd, say, type Vec3 } from '../view/vec.ts';
import { colors, type Pointer, type Stage, type Tool } from './tool.ts';

export class PushTool implements Tool
{
	readonly name = 'push';
	readonly title = 'Push';
	readonly hint = 'Press and drag a ball through things. Wheel, Shift or a pinch with a second finger: nearer, further.';
	readonly key = '3';
	private readonly balls = new Map<number, { number: number; place: Vec3; led: Vec3 }>();

	constructor( private readonly stage: Stage ) {}

	async down( pointer: Pointer ): Promise<boolean>
	{
		const ray = this.stage.ray( pointer.x, pointer.y ), pick = await this.stage.ask( ray );
		const radius = this.stage.options.pushRadius;
		// In front of the body that is there; beside bodies as far away as the nearest one, so that the ball comes to meet it
		const beside = this.stage.nearBody( ray );
		const place = pick.what === 'body' ? mulAdd( pick.position, -1.15 * radius, ray.direction )
			: ( beside !== null ? meetPlane( ray, beside, this.stage.forward ) : null ) ?? mulAdd( ray.origin, this.stage.size, ray.direction );
		place[1] = Math.max( place[1], this.stage.floorHeight + radius );
		const number = this.stage.newHand();
		this.balls.set( pointer.id, { number, place, led: place } );
		this.stage.send( `push ${this.stage.owner}:${number} at ${say( place )} radius ${radius}` );
		return true;
	}

	move( pointer: Pointer ): void
	{
		const ball = this.balls.get( pointer.id );
		if ( ball === undefined )
		{
			return;
		}
		ball.place = mulAdd( ball.place, pointer.depth, this.stage.forward );
		pointer.depth = 0;
		const to = meetPlane( this.stage.ray( pointer.x, pointer.y ), ball.place, this.stage.forward );
		if ( to !== null )
		{
			to[1] = Math.max( to[1], this.stage.floorHeight + this.stage.options.pushRadius );
			ball.led = to;
			this.stage.lead( ball.number, to, 2 );
		}
	}

	up( pointer: Pointer ): void
	{
		const ball = this.balls.get( pointer.id );
		this.balls.delete( pointer.id );
		if ( ball !== undefined )
		{
			this.stage.drop( ball.number );
		}
	}

	show( hover: Pick | null ): void
	{
		this.stage.highlight( null );
		// Where it was led to; the world's own ball follows.
		for ( const { led } of this.balls.values() )
		{
			this.stage.ghosts.ball( led, this.stage.options.pushRadius, colors.hand, 0.3 );
		}
		if ( this.balls.size === 0 && hover?.what === 'body' )
		{
			const radius = this.stage.options.pushRadius;
			this.stage.ghosts.ball( mulAdd( hover.position, -1.15 * radius, this.stage.forward ), radius, colors.hand, 0.3 );
		}
	}
}
