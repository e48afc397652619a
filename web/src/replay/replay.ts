// replay.ts - the page that `pliant run --out FILE.html` writes: plays a run, lets one look around it. Knows no rooms and no commands.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
import type { Hand } from '../link/frame.ts';
import type { Shading } from '../link/link.ts';
import { iconButton, setIcon } from '../panel/icons.ts';
import { View } from '../view/view.ts';
import { Frames } from './frames.ts';

const find = <T extends HTMLElement>( id: string ): T => document.getElementById( id ) as T;
const shadingLabels: Record<Shading, string> = { none: 'colours', stretch: 'stretch', plastic: 'plastic strain', speed: 'speed', contact: 'contact', clusters: 'clusters' };
const speeds = [ 0.1, 0.25, 0.5, 1, 2 ];

class Player
{
	index = -1; // that is shown
	playing = true;
	private wanted = 0;
	private time: number; // s in the run
	private speed = 1;
	private shading: Shading = 'none';
	private busy = false;
	private needsDraw = true;
	private lastNow = 0;
	private hands: Hand[] = [];
	private readonly button: HTMLButtonElement;
	private readonly scrub = find<HTMLInputElement>( 'scrub' );

	constructor( readonly view: View, readonly frames: Frames, shadings: Shading[] )
	{
		this.time = frames.time( 0 );
		this.button = iconButton( 'pause', 'Pause', () => this.setPlaying( this.playing === false ) );
		find( 'reel' ).prepend( this.button );
		this.scrub.max = String( frames.count - 1 );
		this.scrub.addEventListener( 'input', () => { this.setPlaying( false ); this.seek( Number( this.scrub.value ) ); } );
		const speed = find<HTMLSelectElement>( 'speed' ), colour = find<HTMLSelectElement>( 'colour' );
		speed.append( ...speeds.map( ( value ) => new Option( `${value} ×`, String( value ), value === 1, value === 1 ) ) );
		speed.addEventListener( 'change', () => this.speed = Number( speed.value ) );
		colour.append( ...shadings.map( ( name ) => new Option( shadingLabels[name], name ) ) );
		colour.addEventListener( 'change', () => this.setShading( colour.value as Shading ) );
		this.listen();
		requestAnimationFrame( ( now ) => this.tick( now ) );
	}

	/** One pointer turns, with Shift or the other button it shifts; two shift and zoom. */
	private listen(): void
	{
		const { canvas, eye } = this.view, downs = new Map<number, { x: number; y: number }>();
		canvas.addEventListener( 'contextmenu', ( event ) => event.preventDefault() );
		canvas.addEventListener( 'pointerdown', ( event ) => { canvas.setPointerCapture( event.pointerId ); downs.set( event.pointerId, { x: event.clientX, y: event.clientY } ); } );
		const end = ( event: PointerEvent ): void => { downs.delete( event.pointerId ); };
		canvas.addEventListener( 'pointerup', end );
		canvas.addEventListener( 'pointercancel', end );
		canvas.addEventListener( 'pointermove', ( event ) =>
		{
			const down = downs.get( event.pointerId );
			if ( down === undefined )
			{
				return;
			}
			const height = canvas.clientHeight, dx = ( event.clientX - down.x ) / height, dy = ( event.clientY - down.y ) / height;
			const other = [ ...downs ].find( ( [ id ] ) => id !== event.pointerId )?.[1];
			if ( other !== undefined )
			{
				const before = Math.hypot( down.x - other.x, down.y - other.y ), after = Math.hypot( event.clientX - other.x, event.clientY - other.y );
				eye.zoom( before / Math.max( after, 1 ) );
				eye.shift( 0.5 * dx, 0.5 * dy );
			}
			else if ( event.shiftKey || ( event.buttons & 6 ) !== 0 )
			{
				eye.shift( dx, dy );
			}
			else
			{
				eye.turn( dx, dy );
			}
			downs.set( event.pointerId, { x: event.clientX, y: event.clientY } );
			this.needsDraw = true;
		} );
		canvas.addEventListener( 'wheel', ( event ) =>
		{
			event.preventDefault();
			eye.zoom( Math.exp( 0.0012 * event.deltaY ) );
			this.needsDraw = true;
		}, { passive: false } );
		addEventListener( 'keydown', ( event ) =>
		{
			const inField = event.target instanceof HTMLSelectElement || event.target instanceof HTMLInputElement;
			const isPress = event.target instanceof HTMLButtonElement && event.key === ' '; // the button's own
			if ( event.ctrlKey || event.metaKey || event.altKey || isPress || ( inField && event.key !== ' ' ) )
			{
				return;
			}
			const step = ( by: number ): void => { this.setPlaying( false ); this.seek( this.wanted + by ); };
			const keys: Record<string, () => void> = {
				' ': () => this.setPlaying( this.playing === false ), ArrowLeft: () => step( -1 ), ArrowRight: () => step( 1 ), Home: () => step( -Infinity ),
				End: () => step( Infinity ), f: () => { eye.goHome( null ); this.needsDraw = true; },
			};
			if ( keys[event.key] !== undefined )
			{
				event.preventDefault();
				keys[event.key]();
			}
		} );
		addEventListener( 'resize', () => this.needsDraw = true );
	}

	setPlaying( playing: boolean ): void
	{
		if ( playing && this.wanted === this.frames.count - 1 )
		{
			this.seek( 0 );
		}
		this.playing = playing;
		setIcon( this.button, playing ? 'pause' : 'play' );
		this.button.setAttribute( 'aria-label', playing ? 'Pause' : 'Play' );
	}

	setShading( shading: Shading ): void
	{
		this.shading = shading;
		this.view.bodies.setShading( shading );
		this.view.bodies.repaint();
		this.index = -1; // the frame comes again, with other shades
	}

	seek( index: number ): void
	{
		this.wanted = Math.max( 0, Math.min( this.frames.count - 1, index ) );
		this.time = this.frames.time( this.wanted );
	}

	private async show( index: number ): Promise<void>
	{
		const shading = this.shading, isFirst = this.view.bodies.count === 0;
		for ( const frame of await this.frames.get( index, shading ) )
		{
			this.view.take( frame );
			this.hands = frame.hands;
			if ( isFirst && frame.scene !== null )
			{
				this.view.eye.goHome( frame.scene );
			}
		}
		this.index = shading === this.shading ? index : -1;
		this.scrub.value = String( index );
		find( 'clock' ).textContent = `${this.frames.time( index ).toFixed( 2 )} s, frame ${this.frames.number( index )}`;
		this.needsDraw = true;
	}

	private advance( passed: number ): void
	{
		const { frames } = this, last = frames.count - 1;
		this.time += passed * this.speed;
		while ( this.wanted < last && frames.time( this.wanted + 1 ) <= this.time )
		{
			this.wanted += 1;
		}
		if ( this.wanted === last && this.time > frames.time( last ) + 0.5 ) // rests there a little, and begins again
		{
			this.seek( 0 );
		}
	}

	private tick( now: number ): void
	{
		const passed = Math.min( 0.1, Math.max( 0, ( now - this.lastNow ) / 1000 ) );
		this.lastNow = now;
		if ( this.playing )
		{
			this.advance( passed );
		}
		if ( this.busy === false && this.index !== this.wanted )
		{
			this.busy = true;
			this.show( this.wanted ).finally( () => this.busy = false );
		}
		if ( this.needsDraw && this.view.isDrawing === false )
		{
			this.needsDraw = false;
			const { ghosts } = this.view;
			ghosts.begin();
			for ( const hand of this.hands )
			{
				const size = this.view.pixels( hand.target ), color = hand.locked ? 0xc0392b : 0xf2c230;
				ghosts.line( hand.place, hand.target, 1.5 * size, color );
				ghosts.dot( hand.target, 5 * size, color );
			}
			this.view.draw( now );
		}
		requestAnimationFrame( ( next ) => this.tick( next ) );
	}
}

async function start(): Promise<void>
{
	const dark = matchMedia( '(prefers-color-scheme: dark)' ).matches;
	document.documentElement.dataset.theme = dark ? 'dark' : 'light';
	const name = document.querySelector( 'meta[name=pliant-run]' )?.getAttribute( 'content' ) ?? '';
	document.title = name !== '' ? `${name}, pliant` : 'pliant';
	find( 'run-name' ).textContent = name;
	const frames = new Frames( document.querySelectorAll( 'script[type="application/pliant-frame"]' ) );
	await frames.dropTorn();
	if ( frames.count === 0 )
	{
		throw new Error( 'This page holds no frames: the run that wrote it was stopped before its first one.' );
	}
	const view = new View( find( 'stage' ), null );
	view.setTheme( dark ? 'dark' : 'light' );
	const player = new Player( view, frames, await frames.shadings() );
	( window as unknown as { pliantReplay: Player } ).pliantReplay = player;
}

start().catch( ( error: unknown ) =>
{
	const words = document.createElement( 'div' );
	words.className = 'bad';
	words.textContent = error instanceof Error ? error.message : String( error );
	find( 'notice' ).append( words );
} );
