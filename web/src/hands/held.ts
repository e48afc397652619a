// held.ts - what all tools show and find of the hands that hold something, ours and others'. Knows no three.js and no single tool.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
import { length, scale } from '../view/vec.ts';
import { colors, type Pointer, type Stage } from './tool.ts';

/** How far a hand reaches around the place, in sizes of the body: a fingertip would draw soft things out like dough. */
export const grasp = 0.5;

/** Hands that hold: a ball where they are, a rod to what they hold, an arrow for the force. */
export function showHands( stage: Stage ): void
{
	for ( const hand of stage.hands() )
	{
		const others = hand.owner !== stage.owner ? stage.colorOf( hand.owner ) : null;
		const pixel = stage.pixels( hand.target ), color = others ?? ( hand.locked ? colors.lock : colors.hand );
		const isFree = hand.owner === 0; // a handle that nobody holds
		stage.ghosts.dot( hand.target, pixel * ( hand.locked ? 7 : 6 ), isFree ? colors.steel : color );
		stage.ghosts.line( hand.place, hand.target, pixel * 1.6, color );
		const newton = length( hand.force );
		if ( isFree === false && newton > 1e-3 )
		{
			// As long as strong, but neither lost nor across all of the picture.
			const size = pixel * Math.min( 160, 14 * Math.log2( 1 + newton / 4 ) );
			stage.ghosts.arrow( hand.place, scale( size / newton, hand.force ), pixel * 2, colors.force );
		}
	}
}

/** Frees what the lock under the pointer holds. False: there is none. */
export function unlock( stage: Stage, pointer: Pointer ): boolean
{
	const locked = stage.hands().find( ( hand ) =>
	{
		const [ x, y ] = stage.project( hand.target );
		return hand.locked && Math.hypot( x - pointer.x, y - pointer.y ) < 18;
	} );
	if ( locked !== undefined )
	{
		stage.send( `unlock ${locked.owner}:${locked.number}\ndrop ${locked.owner}:${locked.number}` );
	}
	return locked !== undefined;
}
