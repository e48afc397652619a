// cut.ts - a stroke across things parts them: the plane through the eye and the stroke. The two blades of scissors close on it. Knows no three.js.
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

interface Closing { stroke: Stroke; begin: number }

const closingTime = 260; // ms
const openAngle = 17 * Math.PI / 180; // of each blade from the stroke
const slender = 0.09; // a blade's width, in its lengths

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
		this.closing = { stroke, begin: performance.now() };
		// The last places were asked a moment ago: their answers come before this one's.
		void this.look( stroke, stroke.to ).then( () =>
		{
			if ( stroke.bodies.size > 0 )
			{
				const plane = `${say( a.origin )} ${say( normal )} inside 1`;
				this.stage.send( [ ...stroke.bodies.values() ].map( ( id ) => `cut plane ${plane} body ${nameOf( id )}` ).join( '\n' ) );
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
			this.showBlades( stroke, openAngle, 0.8 );
		}
		this.showClosing();
	}

	/** They close as those of scissors do. The stroke's plane goes through the eye, which sees it from its edge: blades stand across it. */
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
		this.showBlades( this.closing.stroke, openAngle * ( 1 - part ), 0.9 - 0.5 * part );
	}

	/** Scissors that lie along the stroke, their bolt where it began. */
	private showBlades( stroke: Stroke, angle: number, opacity: number ): void
	{
		const [ x, y ] = stroke.from, [ dx, dy ] = [ stroke.to[0] - x, stroke.to[1] - y ], size = Math.hypot( dx, dy );
		if ( size < 8 )
		{
			return;
		}
		const place = ( px: number, py: number ): Vec3 =>
		{
			const ray = this.stage.ray( px, py );
			return mulAdd( ray.origin, 0.75 * stroke.depth, ray.direction );
		};
		for ( const side of [ -1, 1 ] )
		{
			const [ c, s ] = [ Math.cos( side * angle ), Math.sin( side * angle ) ];
			// Along the blade and outwards, in parts of its length
			const at = ( along: number, out: number ): Vec3 => place( x + dx * ( c * along - side * s * out ) - dy * ( s * along + side * c * out ), y + dy * ( c * along - side * s * out ) + dx * ( s * along + side * c * out ) );
			const color = side < 0 ? colors.steel : colors.iron;
			this.stage.ghosts.sheet( [ at( 0, 0 ), at( 0.25, slender ), at( 1, 0 ), at( 0.4, 0 ) ], color, opacity );
			const pixel = this.stage.pixels( at( 0, 0 ) );
			this.stage.ghosts.line( at( 0, 0 ), at( -14 / size, -2 / size ), 1.6 * pixel, color );
			this.stage.ghosts.ring( at( -22 / size, -3 / size ), this.stage.forward, 8 * pixel, color );
		}
	}

	get isMoving(): boolean
	{
		return this.closing !== null;
	}
}
