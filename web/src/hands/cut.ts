// cut.ts - a stroke across things parts them: the plane through the eye and the stroke. Two blades close on it. Knows no three.js.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
import { nameOf, type Id, type Pick } from '../link/frame.ts';
import { cross, length, mulAdd, say, sub, unit, type Vec3 } from '../view/vec.ts';
import { colors, type Pointer, type Stage, type Tool } from './tool.ts';

interface Stroke
{
	from: [ number, number ];
	to: [ number, number ];
	bodies: Map<string, Id>; // that it went over
	depth: number; // metres from the eye to the first of them
	asked: [ number, number ];
}

interface Closing { corners: [ Vec3, Vec3, Vec3, Vec3 ]; begin: number }

const closingTime = 260; // ms

export class CutTool implements Tool
{
	readonly name = 'cut';
	readonly title = 'Cut';
	readonly hint = 'Draw a stroke across something.';
	readonly key = '4';
	private readonly strokes = new Map<number, Stroke>();
	private closing: Closing | null = null;

	constructor( private readonly stage: Stage, private readonly calm: () => boolean ) {}

	down( pointer: Pointer ): boolean
	{
		const at: [ number, number ] = [ pointer.x, pointer.y ];
		const stroke: Stroke = { from: at, to: [ ...at ], bodies: new Map(), depth: this.stage.size, asked: [ ...at ] };
		this.strokes.set( pointer.id, stroke );
		this.look( stroke, at );
		return true;
	}

	/** What lies under a place of the stroke is cut with it. */
	private look( stroke: Stroke, at: [ number, number ] ): Promise<void>
	{
		stroke.asked = at;
		const ray = this.stage.ray( ...at );
		return this.stage.ask( ray ).then( ( pick ) =>
		{
			if ( pick.what === 'body' )
			{
				stroke.depth = stroke.bodies.size === 0 ? length( sub( pick.position, ray.origin ) ) : stroke.depth;
				stroke.bodies.set( nameOf( pick.id ), pick.id );
			}
		} );
	}

	move( pointer: Pointer ): void
	{
		const stroke = this.strokes.get( pointer.id );
		if ( stroke === undefined )
		{
			return;
		}
		stroke.to = [ pointer.x, pointer.y ];
		// A quick pointer leaves gaps: look at places between, a dozen pixels apart.
		const [ x0, y0 ] = stroke.asked, way = Math.hypot( pointer.x - x0, pointer.y - y0 );
		const count = Math.min( 24, Math.floor( way / 12 ) );
		for ( let i = 1; i <= count; ++i )
		{
			void this.look( stroke, [ x0 + ( pointer.x - x0 ) * i / count, y0 + ( pointer.y - y0 ) * i / count ] );
		}
	}

	up( pointer: Pointer, cancelled: boolean ): void
	{
		const stroke = this.strokes.get( pointer.id );
		this.strokes.delete( pointer.id );
		if ( stroke === undefined || cancelled || Math.hypot( stroke.to[0] - stroke.from[0], stroke.to[1] - stroke.from[1] ) < 8 )
		{
			return;
		}
		const a = this.stage.ray( ...stroke.from ), b = this.stage.ray( ...stroke.to );
		const normal = unit( cross( a.direction, b.direction ) );
		// The last places were asked a moment ago: their answers come before this one's.
		void this.look( stroke, stroke.to ).then( () =>
		{
			if ( stroke.bodies.size > 0 )
			{
				const plane = `${say( a.origin )} ${say( normal )} inside 1`;
				this.stage.send( [ ...stroke.bodies.values() ].map( ( id ) => `cut plane ${plane} body ${nameOf( id )}` ).join( '\n' ) );
				this.closing = { corners: this.sheet( stroke ), begin: performance.now() };
			}
		} );
	}

	private sheet( stroke: Stroke ): [ Vec3, Vec3, Vec3, Vec3 ]
	{
		const a = this.stage.ray( ...stroke.from ), b = this.stage.ray( ...stroke.to );
		const near = 0.75 * stroke.depth, far = 1.3 * stroke.depth;
		return [
			mulAdd( a.origin, near, a.direction ), mulAdd( b.origin, near, b.direction ), mulAdd( b.origin, far, b.direction ), mulAdd( a.origin, far, a.direction ),
		];
	}

	show( hover: Pick | null ): void
	{
		this.stage.highlight( this.strokes.size === 0 && hover?.what === 'body' ? hover.id : null );
		for ( const stroke of this.strokes.values() )
		{
			const sheet = this.sheet( stroke );
			this.stage.ghosts.sheet( sheet, colors.steel, 0.3 );
			this.stage.ghosts.line( sheet[0], sheet[1], 1.5 * this.stage.pixels( sheet[0] ), colors.blade );
		}
		this.showClosing();
	}

	/** Two blades, one from each end, that meet in the middle as those of scissors do. */
	private showClosing(): void
	{
		if ( this.closing === null )
		{
			return;
		}
		const part = ( performance.now() - this.closing.begin ) / closingTime;
		if ( part >= 1 || this.calm() )
		{
			this.closing = null;
			return;
		}
		const [ a, b, c, d ] = this.closing.corners;
		const mix = ( p: Vec3, q: Vec3, s: number ): Vec3 => mulAdd( p, s, sub( q, p ) );
		const reach = 0.5 * part;
		this.stage.ghosts.sheet( [ a, mix( a, b, reach ), mix( d, c, reach ), d ], colors.blade, 0.75 * ( 1 - part ) );
		this.stage.ghosts.sheet( [ b, mix( b, a, reach ), mix( c, d, reach ), c ], colors.blade, 0.75 * ( 1 - part ) );
	}
}
