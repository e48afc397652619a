// main.ts - the page: link, view, hands and panel put together. Each of them knows nothing of the others.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
import { newRoomName, readRoomAddress, writeRoomAddress, type RoomAddress } from './files/room_address.ts';
import { memory, readSettings, writeSettings, type Settings } from './files/share.ts';
import { AddTool, RemoveTool, ThrowTool } from './hands/add.ts';
import { CutTool } from './hands/cut.ts';
import { GrabTool } from './hands/grab.ts';
import { Hands } from './hands/hands.ts';
import { InciseTool } from './hands/incise.ts';
import { LockTool } from './hands/lock.ts';
import { PushTool } from './hands/push.ts';
import type { Tool } from './hands/tool.ts';
import { materialFields, nameOf, type Frame } from './link/frame.ts';
import { shadings, type Link, type Pace, type Shading } from './link/link.ts';
import { hasSimd } from './link/module.ts';
import type { NetworkLink } from './link/network_link.ts';
import { WorkerLink } from './link/worker_link.ts';
import { showHelp, showScenes } from './panel/dialogs.ts';
import { iconButton, setIcon } from './panel/icons.ts';
import { MeterPanel } from './panel/meters.ts';
import { giveUp, notice, standing } from './panel/notice.ts';
import { SettingsPanel } from './panel/settings.ts';
import { enterRoom, SharedRoom } from './shared.ts';
import { PageStage } from './stage.ts';
import { View } from './view/view.ts';
import { Yours } from './yours.ts';

const find = <T extends HTMLElement>( id: string ): T => document.getElementById( id ) as T;
const calm = matchMedia( '(prefers-reduced-motion: reduce)' );
const narrow = matchMedia( '(max-width: 720px), (max-height: 480px)' );

const helpKeys: [ string, string ][] = [
	[ '1 – 8', 'tools' ], [ 'Space', 'pause, go on' ], [ '.', 'one step' ], [ 'S', 'slow motion' ], [ 'R', 'begin this scene anew' ],
	[ 'Z, Ctrl Z', 'undo' ], [ 'Y, Ctrl Shift Z', 'redo' ], [ 'L', 'lock what is held' ], [ 'Delete', 'remove what is pointed at' ],
	[ 'Wheel, Shift, pinch', 'held things nearer, further' ], [ 'Arrows, Enter', 'move the cross; press, let go' ], [ 'Page Up, Page Down', 'nearer, further' ],
	[ 'Alt arrows', 'look around' ], [ 'F', 'look at the scene as at first' ], [ 'V', 'colour by something else' ], [ 'P', 'settings' ],
	[ 'M', 'meters' ], [ 'U', 'people, in a room' ], [ 'T', 'light, dark' ], [ 'O', 'scenes' ], [ '?', 'this help' ],
];

/** A frame shows something that the one before did not; also while time stands still. */
function isSeenIn( frame: Frame, before: Frame | null ): boolean
{
	const moved = frame.motions.length + frame.shapeMotions.length, changed = frame.gone.length + frame.shapes.length + frame.shapesGone.length + frame.picks.length;
	const held = ( one: Frame | null ): string => one?.hands.map( ( hand ) => `${hand.owner}:${hand.number}${hand.locked ? ' locked' : ''}` ).join() ?? '';
	return moved + changed > 0 || frame.fresh || frame.contacts !== null || ( before !== null && before.contacts !== null ) || held( frame ) !== held( before );
}

class Page
{
	private readonly view: View;
	private readonly stage: PageStage;
	private readonly hands: Hands;
	private readonly tools: Tool[];
	private readonly panel: SettingsPanel;
	private readonly meters = new MeterPanel( find( 'meters' ) );
	private readonly yours: Yours;
	private readonly time: Record<string, HTMLButtonElement> = {};
	private readonly toolButtons: HTMLButtonElement[];
	private frame: Frame | null = null;
	private needsReady = false;
	private readonly room: SharedRoom | null; // with others in it
	private paused = false;
	private slow = false;
	private wanted: Settings;
	private shading: Shading = 'none';
	private materialOfAll = '';
	frames = 0;
	pace: Pace | null = null;

	constructor( view: View, private readonly link: Link, shared: { link: NetworkLink; address: RoomAddress } | null = null )
	{
		this.view = view;
		this.wanted = readSettings( location.hash );
		this.stage = new PageStage( view, link );
		this.tools = [
			new GrabTool( this.stage ), new LockTool( this.stage ), new PushTool( this.stage ), new CutTool( this.stage, () => calm.matches ),
			new InciseTool( this.stage ), new AddTool( this.stage ), new ThrowTool( this.stage ), new RemoveTool( this.stage ),
		];
		view.canvas.tabIndex = 0;
		view.canvas.setAttribute( 'aria-label', 'The scene. Arrow keys move a cross, Enter presses and lets go.' );
		this.hands = new Hands( view.canvas, this.stage, view.eye, this.tools[0] );
		this.panel = new SettingsPanel( find( 'panel' ), link.catalogue, this.stage.options, {
			material: ( target, change ) => this.setMaterial( target, change ),
			gravity: ( down ) => { this.wanted.gravity = down; link.send( `gravity 0 ${-down} 0` ); },
			rate: ( hertz ) => { this.wanted.rate = hertz; link.send( `rate ${hertz}` ); },
			substeps: ( count ) => { this.wanted.substeps = count; link.send( `substeps ${count}` ); },
			speed: ( factor ) => this.setSpeed( factor ),
			still: ( still ) => { this.wanted.still = still; this.reset(); },
			shading: ( shading ) => this.setShading( shading ),
			open: () => find<HTMLInputElement>( 'file' ).click(),
			saveWorld: () => this.yours.saveWorld(),
			copyLink: () => this.yours.copyLink( this.address ),
			saveGlb: () => this.yours.saveGlb(),
			saveScript: () => this.yours.saveScript(),
			clip: () => void this.yours.toggleClip(),
			invite: shared === null ? () => void this.invite() : null,
		} );
		find( 'panel' ).hidden = true;
		this.yours = new Yours( link, view, this.stage, this.panel, () => this.wanted.scene );
		this.yours.listen( find<HTMLInputElement>( 'file' ), find( 'drop' ) );
		this.room = shared !== null ? new SharedRoom( shared.address, shared.link, view, this.stage, find( 'people' ), find( 'tags' ), this.stir ) : null;
		this.toolButtons = this.tools.map( ( tool ) => iconButton( tool.name, `${tool.title} (${tool.key})`, () => this.choose( tool ) ) );
		find( 'tools' ).append( ...this.toolButtons );
		this.addButtons();
		this.choose( this.tools[0] );
		this.setTheme( this.storedTheme() );
		addEventListener( 'keydown', ( event ) => this.onKey( event ) );
		for ( const name of [ 'pointermove', 'pointerdown', 'pointerup', 'wheel', 'keydown', 'click', 'resize', 'change', 'input' ] )
		{
			addEventListener( name, this.stir, { passive: true, capture: true } );
		}
		addEventListener( 'hashchange', () =>
		{
			const address = readRoomAddress( location.href );
			address !== null || this.room !== null ? location.reload() : this.begin( readSettings( location.hash ) );
		} );
		find( 'scene' ).addEventListener( 'click', () => this.pickScene() );
		link.onFrame = ( frame ) => this.take( frame );
		link.onPace = ( pace ) => this.showPace( pace );
		link.onFailure = ( text ) => giveUp( this.room !== null ? 'You are no longer in the room' : 'The simulation has stopped', `${text}. Load the page again to go on.`, shared?.address.page );
		if ( this.room === null )
		{
			this.begin( this.wanted );
		}
		else
		{
			this.setShading( shadings.includes( this.wanted.view as Shading ) ? this.wanted.view as Shading : 'none' );
			addEventListener( 'pagehide', () => shared!.link.leave() );
		}
		const draw = ( now: number ): void =>
		{
			this.draw( now );
			requestAnimationFrame( draw );
		};
		requestAnimationFrame( draw );
	}

	// ---- scenes and settings ----

	begin( settings: Settings ): void
	{
		const first = this.link.catalogue.scenes[0].name;
		const known = this.link.catalogue.scenes.some( ( scene ) => scene.name === settings.scene );
		if ( settings.scene !== '' && known === false )
		{
			notice( `There is no scene “${settings.scene}”; here is another.`, true );
		}
		this.wanted = { ...settings, scene: known ? settings.scene : first };
		this.materialOfAll = settings.material;
		this.reset();
		const more = [
			settings.gravity !== null ? `gravity 0 ${-settings.gravity} 0` : '', settings.rate !== null ? `rate ${settings.rate}` : '',
			settings.substeps !== null ? `substeps ${Math.round( settings.substeps )}` : '', settings.material !== '' ? `material all ${settings.material}` : '',
		].filter( ( line ) => line !== '' );
		if ( more.length > 0 )
		{
			this.link.send( more.join( '\n' ) );
		}
		this.setSpeed( settings.speed );
		this.setShading( shadings.includes( settings.view as Shading ) ? settings.view as Shading : 'none' );
	}

	/** The scene as it was at first. */
	reset(): void
	{
		if ( this.frame?.isStatic )
		{
			void this.link.closeResponse();
		}
		this.link.send( `load ${this.wanted.scene}${this.wanted.still ? ' still' : ''}` );
	}

	private load( name: string ): void
	{
		if ( this.room !== null )
		{
			this.wanted.scene = name;
			this.reset();
			return;
		}
		this.begin( { ...readSettings( '' ), scene: name, view: this.shading, speed: this.wanted.speed } );
	}

	private pickScene(): void
	{
		showScenes( find<HTMLDialogElement>( 'scenes' ), this.link.catalogue.scenes, ( name ) => this.load( name ) );
	}

	private setMaterial( target: 'all' | 'touched', change: string ): void
	{
		if ( target === 'touched' && this.stage.touched === null )
		{
			notice( 'Touch something first.' );
			return;
		}
		this.link.send( `material ${target === 'all' ? 'all' : nameOf( this.stage.touched! )} ${change}` );
		if ( target === 'all' )
		{
			// A preset says everything; a field says itself once.
			const words = new Map<string, string>();
			for ( const pair of `${change.startsWith( 'preset' ) ? '' : this.materialOfAll} ${change}`.matchAll( /(\S+) (\S+)/g ) )
			{
				words.set( pair[1], pair[2] );
			}
			this.materialOfAll = [ ...words ].map( ( [ name, value ] ) => `${name} ${value}` ).join( ' ' );
		}
	}

	private setSpeed( factor: number ): void
	{
		this.wanted.speed = factor;
		this.slow = factor < 0.5;
		this.time.slow?.setAttribute( 'aria-pressed', String( this.slow ) );
		this.link.setSpeed( factor );
		this.panel.showWorld( { speed: factor } );
	}

	private setPaused( paused: boolean ): void
	{
		if ( this.room !== null && this.room.link.state.isHost === false )
		{
			notice( 'Time in a room goes on for all; its host may stop it.' );
			return;
		}
		this.link.setPaused( paused );
		this.showPaused( paused );
	}

	private showPaused( paused: boolean ): void
	{
		this.paused = paused;
		setIcon( this.time.pause, paused ? 'play' : 'pause' );
		this.time.pause.setAttribute( 'aria-pressed', String( paused ) );
		this.time.pause.setAttribute( 'aria-label', paused ? 'Go on (Space)' : 'Pause (Space)' );
	}

	private setShading( shading: Shading ): void
	{
		this.shading = shading;
		this.view.bodies.setShading( shading );
		this.link.setShading( shading );
		this.view.bodies.repaint();
		this.stir();
		this.panel.showShading( shading );
	}

	private storedTheme(): 'light' | 'dark'
	{
		const stored = memory.get( 'theme' );
		return stored === 'light' || stored === 'dark' ? stored : matchMedia( '(prefers-color-scheme: dark)' ).matches ? 'dark' : 'light';
	}

	private setTheme( theme: 'light' | 'dark' ): void
	{
		document.documentElement.dataset.theme = theme;
		document.querySelector( 'meta[name=theme-color]' )!.setAttribute( 'content', theme === 'dark' ? '#1d2026' : '#e9e3da' );
		this.view.setTheme( theme );
	}

	private flipTheme(): void
	{
		const theme = document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark';
		memory.set( 'theme', theme );
		this.setTheme( theme );
	}

	choose( tool: Tool ): void
	{
		this.hands.choose( tool );
		this.toolButtons.forEach( ( button, i ) => button.setAttribute( 'aria-pressed', String( this.tools[i] === tool ) ) );
		find( 'hint' ).textContent = tool.hint;
		clearTimeout( this.hintTimer );
		this.hintTimer = setTimeout( () => find( 'hint' ).textContent = '', 6000 ) as unknown as number;
	}
	private hintTimer = 0;

	private addButtons(): void
	{
		const add = ( holder: string, name: string, label: string, action: () => void ): void =>
		{
			const button = iconButton( name, label, action );
			this.time[name] = button;
			find( holder ).append( button );
		};
		add( 'time', 'undo', 'Undo (Z)', () => this.link.send( 'undo' ) );
		add( 'time', 'redo', 'Redo (Y)', () => this.link.send( 'redo' ) );
		add( 'time', 'pause', 'Pause (Space)', () => this.setPaused( this.paused === false ) );
		if ( this.room === null )
		{
			add( 'time', 'step', 'One step (.)', () => this.stepOnce() );
			add( 'time', 'slow', 'Slow motion (S)', () => this.setSpeed( this.slow ? 1 : 0.2 ) );
		}
		else
		{
			add( 'more', 'people', 'People (U)', () => this.flip( 'people' ) );
		}
		add( 'time', 'reset', 'Begin anew (R)', () => this.reset() );
		add( 'more', 'meters', 'Meters (M)', () => this.flip( 'meters' ) );
		add( 'more', 'theme', 'Light, dark (T)', () => this.flipTheme() );
		add( 'more', 'help', 'Help (?)', () => showHelp( find<HTMLDialogElement>( 'help' ), helpKeys ) );
		add( 'more', 'panel', 'Settings (P)', () => this.flip( 'panel' ) );
	}

	private flip( id: string ): void
	{
		find( id ).hidden = find( id ).hidden === false;
		// They lie in one place where there is little room; settings and people do so everywhere.
		for ( const other of [ 'panel', 'meters', 'people' ] )
		{
			const share = narrow.matches || ( other !== 'meters' && id !== 'meters' );
			find( other ).hidden ||= other !== id && share && find( id ).hidden === false;
		}
	}

	private stepOnce(): void
	{
		if ( this.room !== null )
		{
			return;
		}
		if ( this.paused === false )
		{
			this.setPaused( true );
		}
		void this.link.step( 1 );
	}

	// ---- keys ----

	private onKey( event: KeyboardEvent ): void
	{
		const target = event.target as HTMLElement;
		if ( document.querySelector( 'dialog[open]' ) !== null || target.matches( 'input, select, textarea' ) )
		{
			return;
		}
		const onButton = target.matches( 'button, summary, a' );
		const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
		if ( ( event.ctrlKey || event.metaKey ) && ( key === 'z' || key === 'y' ) )
		{
			event.preventDefault();
			this.link.send( key === 'y' || event.shiftKey ? 'redo' : 'undo' );
			return;
		}
		if ( event.ctrlKey || event.metaKey )
		{
			return;
		}
		// Enter and Space are the button's own while one has the focus.
		if ( ( onButton && ( key === 'Enter' || key === ' ' ) ) === false && ( this.hands.key( event ) || this.command( key ) ) )
		{
			event.preventDefault();
		}
	}

	private command( key: string ): boolean
	{
		const tool = this.tools.find( ( one ) => one.key === key );
		const actions: Record<string, () => void> = {
			' ': () => this.setPaused( this.paused === false ), '.': () => this.stepOnce(), s: () => this.setSpeed( this.slow ? 1 : 0.2 ), r: () => this.reset(),
			z: () => this.link.send( 'undo' ), y: () => this.link.send( 'redo' ), f: () => this.view.eye.goHome( null ), p: () => this.flip( 'panel' ),
			m: () => this.flip( 'meters' ), u: () => this.room !== null && this.flip( 'people' ), t: () => this.flipTheme(), o: () => this.pickScene(), '?': () => showHelp( find<HTMLDialogElement>( 'help' ), helpKeys ),
			v: () => this.setShading( shadings[( shadings.indexOf( this.shading ) + 1 ) % shadings.length] ),
			Delete: () => this.removeHovered(),
		};
		const action = tool !== undefined ? () => this.choose( tool ) : actions[key];
		action?.();
		return action !== undefined;
	}

	private removeHovered(): void
	{
		const hovered = this.hands.hovered;
		if ( hovered?.what === 'body' )
		{
			this.link.send( `remove ${nameOf( hovered.id )}` );
		}
	}

	// ---- links ----

	/** The address that opens this scene with these settings. */
	get address(): string
	{
		const hash = writeSettings( { ...this.wanted, view: this.shading, camera: this.view.eye.settings, material: this.materialOfAll } );
		return location.href.replace( /#.*/, '' ) + hash;
	}

	/** A room of this scene that others can come into, if this page's server has rooms. */
	private async invite(): Promise<void>
	{
		const health = await fetch( new URL( './healthz', location.href.replace( /#.*/, '' ) ) ).catch( () => null );
		if ( health === null || health.ok === false || ( await health.text() ).trim() !== 'ok' )
		{
			notice( 'This page comes from a host without rooms. `pliant serve` has them.', true );
			return;
		}
		location.href = writeRoomAddress( location.href.replace( /#.*/, '' ), newRoomName(), '', false, this.wanted.scene );
	}

	// ---- frames ----

	private take( frame: Frame ): void
	{
		const before = this.frame;
		this.frame = frame;
		// The next one may come with the next picture, or now if there is nothing to draw.
		const isSeen = frame.motions.length + frame.bodies.length > 0;
		this.needsReady ||= isSeen;
		if ( this.needsReady === false )
		{
			this.link.ready();
		}
		this.frames += 1;
		if ( isSeenIn( frame, before ) )
		{
			this.stir();
		}
		this.view.take( frame );
		this.stage.take( frame );
		if ( frame.scene !== null )
		{
			this.showScene( frame );
		}
		if ( frame.meters !== null )
		{
			this.meters.take( frame.meters );
			this.time.undo.disabled = frame.meters.undo === 0;
			this.time.redo.disabled = frame.meters.redo === 0;
		}
		if ( before === null || before.rate !== frame.rate || before.substeps !== frame.substeps || frame.fresh )
		{
			this.panel.showWorld( { rate: frame.rate, substeps: frame.substeps } );
		}
		for ( const answer of frame.answers )
		{
			this.showAnswer( answer.kind, answer.text );
		}
		const touched = this.stage.touched, values = touched !== null ? this.view.bodies.get( touched )?.values : null;
		if ( this.panel.followsTouch && values !== undefined && values !== null && values !== this.shownValues && this.hands.isBusy )
		{
			this.shownValues = values;
			this.panel.showMaterial( values );
		}
	}
	private shownValues: number[] | null = null;

	private showScene( frame: Frame ): void
	{
		const scene = frame.scene!;
		const isAnother = scene.name !== this.shownScene || frame.isStatic;
		this.shownScene = frame.isStatic ? '' : scene.name;
		find( 'scene-name' ).textContent = frame.isStatic ? 'baked response' : scene.name || 'a world';
		document.title = frame.isStatic || scene.name === '' ? 'pliant' : `pliant: ${scene.name}`;
		this.panel.showWorld( { gravity: +( -scene.gravity[1] ).toPrecision( 6 ), still: frame.still } );
		if ( isAnother )
		{
			this.wanted.scene = scene.name || this.wanted.scene;
			this.meters.clear();
			this.view.eye.goHome( scene );
			this.view.eye.settings = this.wanted.camera;
			this.wanted.camera = [];
		}
	}
	private shownScene = '';

	private showAnswer( kind: number, text: string ): void
	{
		// A hand that has just let go, or met nothing, needs no words.
		const isUsual = kind === 1 && ( text.startsWith( 'this hand' ) || text.startsWith( 'there is nothing to take' ) );
		if ( isUsual === false && text !== '' )
		{
			notice( text[0].toUpperCase() + text.slice( 1 ) + '.', kind > 1 );
		}
	}

	private showPace( pace: Pace ): void
	{
		this.pace = pace;
		// Below nine tenths one begins to see it.
		const isBehind = pace.paused === false && pace.share < 0.9 && this.frame?.isStatic !== true;
		standing( 'pace', isBehind ? `Time runs at ${Math.max( 1, Math.round( 100 * pace.share * pace.speed ) )} %: a step takes ${pace.stepMilliseconds.toFixed( 0 )} ms` : null );
	}

	/** Something is to be seen that was not: a picture, and a few more for what follows from it. */
	private stir = (): void =>
	{
		this.stirred = 4;
	};
	private stirred = 4;

	private draw( now: number ): void
	{
		if ( this.needsReady )
		{
			this.needsReady = false;
			this.link.ready();
		}
		if ( this.view.isDrawing )
		{
			return;
		}
		// A world at rest costs nothing to look at.
		if ( this.stirred <= 0 && this.hands.isMoving === false && this.yours.isRecording === false )
		{
			return;
		}
		this.stirred -= 1;
		this.view.ghosts.begin();
		this.hands.update();
		const cross = find( 'cross' );
		cross.style.display = this.hands.cross.shown ? 'block' : 'none';
		cross.style.left = `${this.hands.cross.x}px`;
		cross.style.top = `${this.hands.cross.y}px`;
		this.room?.point( this.hands );
		this.room?.draw();
		this.view.draw( now, false, this.stirred <= 0 && this.hands.isMoving === false );
		this.meters.show( now );
		if ( this.room !== null && this.room.link.state.frozen !== this.paused )
		{
			this.showPaused( this.room.link.state.frozen );
		}
	}

	/** For scripts and tests: what there is, as plain data. */
	get state()
	{
		return {
			step: this.frame?.step ?? -1, scene: this.shownScene, paused: this.paused, tool: this.hands.tool.name, frames: this.frames,
			hands: this.stage.hands(), meters: this.frame?.meters ?? null, isStatic: this.frame?.isStatic ?? false, rate: this.frame?.rate, substeps: this.frame?.substeps,
			bodies: this.view.bodies.list().map( ( body ) => ( { name: nameOf( body.id ), center: body.center, extent: body.extent, at: this.view.project( body.center ), values: body.values } ) ),
		};
	}
	get parts()
	{
		return { link: this.link, view: this.view, hands: this.hands, stage: this.stage, room: this.room };
	}
	readonly materialFields = materialFields;
	setPause = ( paused: boolean ): void => this.setPaused( paused );
	setColoring = ( shading: Shading ): void => this.setShading( shading );
	openScene = ( name: string ): void => this.load( name );
}

async function start(): Promise<void>
{
	if ( typeof WebAssembly !== 'object' || hasSimd() === false )
	{
		giveUp( 'This browser is too old', 'pliant needs WebAssembly with SIMD, which browsers have had since about 2021 (Safari: 2023).' );
		return;
	}
	let view: View;
	try
	{
		view = new View( find( 'stage' ), readSettings( location.hash ).detail );
	}
	catch
	{
		giveUp( 'There is no WebGL here', 'The page draws with WebGL 2, which this browser does not offer. Its settings may have hardware acceleration switched off.' );
		return;
	}
	view.canvas.addEventListener( 'webglcontextlost', () => notice( 'The graphics card gave up; the world goes on, and the picture should come back.', true ) );
	const address = readRoomAddress( location.href ), module = new URL( './room.wasm', address?.page ?? document.baseURI ).href;
	try
	{
		const shared = address !== null ? { link: await enterRoom( address, module ), address } : null;
		Object.assign( window, { pliant: new Page( view, shared?.link ?? await WorkerLink.start( module ), shared ) } );
	}
	catch ( error )
	{
		giveUp( address !== null ? `The room “${address.name}” cannot be entered` : 'The simulation could not be started', error instanceof Error ? error.message : String( error ), address?.page );
	}
}

void start();
