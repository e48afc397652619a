// hands.ts - pointers and keys to tools: who is down, who turns the view, who moves in depth. Knows no three.js and no single tool.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
import type { Pick } from '../link/frame.ts';
import type { Ray } from '../view/vec.ts';
import { showHands } from './held.ts';
import type { Pointer, Stage, Tool } from './tool.ts';

/** What pointers do that no tool wants. In parts of the view's height. */
export interface ViewControl
{
	turn( dx: number, dy: number ): void;
	shift( dx: number, dy: number ): void;
	zoom( factor: number ): void;
}

interface Down
{
	pointer: Pointer;
	use: 'waiting' | 'tool' | 'view' | 'depth'; // waiting: the tool has not said yet
	lastX: number;
	lastY: number;
	isUp: boolean; // before the tool had said
	panning: boolean;
}

const keyboardId = -1;

export class Hands
{
	tool: Tool;
	private readonly downs = new Map<number, Down>();
	private hoverAt: { x: number; y: number } | null = null;
	private hoverRay: Ray | null = null;
	private hover: Pick | null = null;
	private asking = false;
	/** The keyboard's own pointer: a cross that arrow keys move. */
	readonly cross = { x: 0, y: 0, shown: false };

	constructor( private readonly canvas: HTMLCanvasElement, private readonly stage: Stage, private readonly view: ViewControl, first: Tool )
	{
		this.tool = first;
		canvas.addEventListener( 'pointerdown', ( event ) => this.onDown( event ) );
		canvas.addEventListener( 'pointermove', ( event ) => this.onMove( event ) );
		// As it happens, where browsers tell: a pointermove waits for the next picture, which may take a while.
		canvas.addEventListener( 'pointerrawupdate', ( event ) => this.onMove( event as PointerEvent ) );
		canvas.addEventListener( 'pointerup', ( event ) => this.onUp( event, false ) );
		canvas.addEventListener( 'pointercancel', ( event ) => this.onUp( event, true ) );
		canvas.addEventListener( 'pointerleave', () => this.hoverAt = null );
		canvas.addEventListener( 'wheel', ( event ) => this.onWheel( event ), { passive: false } );
		canvas.addEventListener( 'contextmenu', ( event ) => event.preventDefault() );
	}

	get isBusy(): boolean
	{
		return [ ...this.downs.values() ].some( ( down ) => down.use === 'tool' || down.use === 'waiting' );
	}
	/** There is something to draw though nothing was moved. */
	get isMoving(): boolean
	{
		return this.isBusy || this.tool.isMoving === true;
	}
	get hovered(): Pick | null
	{
		return this.hover;
	}

	choose( tool: Tool ): void
	{
		for ( const down of this.downs.values() )
		{
			this.finish( down, true );
		}
		this.downs.clear();
		this.hover = null;
		this.tool = tool;
	}

	private onDown( event: PointerEvent ): void
	{
		this.canvas.focus();
		this.canvas.setPointerCapture( event.pointerId );
		this.cross.shown = false;
		this.press( event.pointerId, event.clientX, event.clientY, event.shiftKey, event.button !== 0 || event.ctrlKey || event.metaKey, event.button === 2 );
	}

	/** Also for the keyboard. */
	press( id: number, x: number, y: number, shift: boolean, forView: boolean, panning = false ): void
	{
		const pointer: Pointer = { id, x, y, shift, depth: 0 };
		const down: Down = { pointer, use: 'waiting', lastX: x, lastY: y, isUp: false, panning };
		this.downs.set( id, down );
		if ( forView )
		{
			down.use = 'view';
			return;
		}
		const tool = this.tool, answer = tool.down( pointer );
		if ( typeof answer === 'boolean' )
		{
			down.use = answer ? 'tool' : 'view';
			return;
		}
		void answer.then( ( wanted ) =>
		{
			const holder = [ ...this.downs.values() ].find( ( other ) => other !== down && other.use === 'tool' );
			down.use = wanted ? 'tool' : holder !== undefined ? 'depth' : 'view';
			if ( down.isUp && wanted )
			{
				tool.up( pointer, false ); // also if another has been chosen since
			}
		} );
	}

	private onMove( event: PointerEvent ): void
	{
		if ( event.pointerType !== 'touch' )
		{
			this.hoverAt = { x: event.clientX, y: event.clientY };
		}
		this.lead( event.pointerId, event.clientX, event.clientY, event.shiftKey );
	}

	lead( id: number, x: number, y: number, shift: boolean ): void
	{
		const down = this.downs.get( id );
		if ( down === undefined )
		{
			return;
		}
		const height = Math.max( 1, this.canvas.clientHeight );
		const dx = ( x - down.lastX ) / height, dy = ( y - down.lastY ) / height;
		down.lastX = x;
		down.lastY = y;
		down.pointer.shift = shift;
		this.leadBy( down, x, y, dx, dy, shift );
		// Not with the next picture, which may take a while.
		if ( down.use === 'tool' )
		{
			this.tool.move( down.pointer );
		}
	}

	private leadBy( down: Down, x: number, y: number, dx: number, dy: number, shift: boolean ): void
	{
		if ( down.use === 'view' )
		{
			this.moveView( down, dx, dy, shift );
		}
		else if ( down.use === 'depth' )
		{
			// A pinch: from the finger that holds brings it nearer, towards it further away.
			const height = Math.max( 1, this.canvas.clientHeight );
			for ( const other of [ ...this.downs.values() ].filter( ( one ) => one.use === 'tool' ) )
			{
				const before = Math.hypot( x - dx * height - other.lastX, y - dy * height - other.lastY ), now = Math.hypot( x - other.lastX, y - other.lastY );
				other.pointer.depth -= 1.5 * ( now - before ) / height * this.stage.size;
			}
		}
		else if ( shift )
		{
			down.pointer.depth -= 1.5 * dy * this.stage.size;
		}
		else
		{
			down.pointer.x = x;
			down.pointer.y = y;
		}
	}

	/** One pointer turns, or shifts with the right button or Shift; two shift and zoom. */
	private moveView( down: Down, dx: number, dy: number, shift: boolean ): void
	{
		const others = [ ...this.downs.values() ].filter( ( other ) => other.use === 'view' );
		if ( others.length < 2 )
		{
			( down.panning || shift ? this.view.shift : this.view.turn ).call( this.view, dx, dy );
			return;
		}
		const other = others.find( ( one ) => one !== down )!;
		const height = Math.max( 1, this.canvas.clientHeight );
		const before = Math.hypot( down.lastX - dx * height - other.lastX, down.lastY - dy * height - other.lastY );
		const now = Math.hypot( down.lastX - other.lastX, down.lastY - other.lastY );
		this.view.zoom( Math.min( 1.25, Math.max( 0.8, before / Math.max( 1, now ) ) ) );
		this.view.shift( 0.5 * dx, 0.5 * dy );
	}

	private onUp( event: PointerEvent, cancelled: boolean ): void
	{
		this.release( event.pointerId, cancelled );
	}

	release( id: number, cancelled: boolean ): void
	{
		const down = this.downs.get( id );
		this.downs.delete( id );
		if ( down !== undefined )
		{
			this.finish( down, cancelled );
		}
	}

	private finish( down: Down, cancelled: boolean ): void
	{
		down.isUp = true;
		if ( down.use === 'tool' )
		{
			this.tool.move( down.pointer ); // where it was last
			this.tool.up( down.pointer, cancelled );
		}
	}

	private onWheel( event: WheelEvent ): void
	{
		event.preventDefault();
		const amount = ( event.deltaMode === 1 ? 16 : 1 ) * event.deltaY;
		const holders = [ ...this.downs.values() ].filter( ( down ) => down.use === 'tool' );
		for ( const down of holders )
		{
			down.pointer.depth -= 0.0008 * amount * this.stage.size;
		}
		if ( holders.length === 0 )
		{
			this.view.zoom( Math.exp( 0.0012 * amount ) );
		}
	}

	/** Arrow keys, Enter, Escape and what tools know. True: it meant something. */
	key( event: KeyboardEvent ): boolean
	{
		const steps: Record<string, [ number, number ]> = { ArrowLeft: [ -1, 0 ], ArrowRight: [ 1, 0 ], ArrowUp: [ 0, -1 ], ArrowDown: [ 0, 1 ] };
		const way = steps[event.key];
		const box = this.canvas.getBoundingClientRect();
		if ( this.cross.shown === false && ( way !== undefined || event.key === 'Enter' ) )
		{
			this.cross.shown = true;
			this.cross.x = box.left + 0.5 * box.width;
			this.cross.y = box.top + 0.5 * box.height;
		}
		if ( way !== undefined && event.altKey )
		{
			this.view.turn( 0.04 * way[0], 0.04 * way[1] );
			return true;
		}
		if ( way !== undefined )
		{
			const far = 0.02 * box.height;
			this.cross.x = Math.min( box.right - 2, Math.max( box.left + 2, this.cross.x + far * way[0] ) );
			this.cross.y = Math.min( box.bottom - 2, Math.max( box.top + 2, this.cross.y + far * way[1] ) );
			this.hoverAt = { x: this.cross.x, y: this.cross.y };
			this.lead( keyboardId, this.cross.x, this.cross.y, false );
			return true;
		}
		const down = this.downs.get( keyboardId );
		switch ( event.key )
		{
			case 'Enter':
				if ( down === undefined )
				{
					this.press( keyboardId, this.cross.x, this.cross.y, false, false );
				}
				else
				{
					this.release( keyboardId, false );
				}
				return true;
			case 'Escape':
				for ( const id of [ ...this.downs.keys() ] )
				{
					this.release( id, true );
				}
				return true;
			case 'PageUp':
			case 'PageDown':
			{
				const sign = event.key === 'PageUp' ? 1 : -1;
				if ( down === undefined )
				{
					this.view.zoom( Math.exp( -0.12 * sign ) );
				}
				else
				{
					down.pointer.depth += 0.03 * sign * this.stage.size;
				}
				return true;
			}
		}
		return this.tool.press?.( event.key.toLowerCase() ) ?? false;
	}

	/** Once for each picture. */
	update(): void
	{
		for ( const down of this.downs.values() )
		{
			if ( down.use === 'tool' )
			{
				this.tool.move( down.pointer );
			}
		}
		if ( this.hoverAt === null || this.isBusy )
		{
			this.hover = null;
		}
		else if ( this.asking === false && this.tool.ignoresHover !== true )
		{
			this.asking = true;
			this.hoverRay = this.stage.ray( this.hoverAt.x, this.hoverAt.y );
			void this.stage.ask( this.hoverRay ).then( ( pick ) =>
			{
				this.asking = false;
				this.hover = this.hoverAt !== null && this.isBusy === false ? pick : null;
			} );
		}
		this.tool.show( this.hover );
		showHands( this.stage );
	}
}
