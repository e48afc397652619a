// lock.ts - hang something up where it is touched; touch the lock to take it away. Knows no three.js.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
import type { Pick } from '../link/frame.ts';
import { say, scale } from '../view/vec.ts';
import { grasp, unlock } from './held.ts';
import { colors, type Pointer, type Stage, type Tool } from './tool.ts';

export class LockTool implements Tool
{
	readonly name = 'lock';
	readonly title = 'Lock';
	readonly hint = 'Touch a body: it is held there. Touch the lock: it is free again.';
	readonly key = '2';

	constructor( private readonly stage: Stage ) {}

	async down( pointer: Pointer ): Promise<boolean>
	{
		if ( unlock( this.stage, pointer ) )
		{
			return true;
		}
		const ray = this.stage.ray( pointer.x, pointer.y ), pick = await this.stage.ask( ray );
		if ( pick.what !== 'body' )
		{
			return false;
		}
		const radius = grasp * ( this.stage.body( pick.id )?.extent ?? 0.5 );
		const hand = `${this.stage.owner}:${this.stage.newHand()}`;
		this.stage.send( `grab ${hand} ray ${say( ray.origin )} ${say( scale( 20 * this.stage.size, ray.direction ) )} hertz 12 damping 1 radius ${radius.toFixed( 3 )}\nlock ${hand}` );
		return true;
	}
	move(): void {}
	up(): void {}

	show( hover: Pick | null ): void
	{
		this.stage.highlight( hover?.what === 'body' ? hover.id : null );
		if ( hover?.what === 'body' )
		{
			this.stage.ghosts.ring( hover.position, hover.normal, 9 * this.stage.pixels( hover.position ), colors.lock );
			this.stage.ghosts.dot( hover.position, 3 * this.stage.pixels( hover.position ), colors.lock );
		}
	}
}
