// network_link.ts - a room that many share, over a WebSocket: by lockstep in this page's own worker, or by frames as they come. Knows no view.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
import { FrameDecoder, type Frame, type Vec3 } from './frame.ts';
import { ImagePieces } from './image_pieces.ts';
import { shadings, type Catalogue, type Link, type Pace, type Shading } from './link.ts';
import { comesBack, protocol, read, write, type HostAct, type Message, type Mode, type Person, type RoomState } from './room_messages.ts';
import { WorkerLink } from './worker_link.ts';

export interface Visit
{
	address: string; // of the room, ws: or wss:
	name: string;
	color: number; // 0xRRGGBB
	token: string;
	key: string; // from an earlier visit, or empty
	scene: string; // that a new room begins with, or empty
	looksOn: boolean;
	wants: Mode | 'auto';
}

export type LineState = 'opening' | 'open' | 'lost' | 'over';

interface Sent { hand: number; to: Vec3; time: number }

const firstWait = 250, mostWait = 4000; // ms before the line is tried again
const mostTries = 5; // before the first welcome
const pingEvery = 2000; // ms
const silence = 9000; // ms without a word: a line that is half open
const patience = 2500; // ms until an image is asked for again
const keptHashes = 32;
const cursorEvery = 100; // ms
const lateSteps = 180; // and so many steps behind, for
const lateFor = 4; // looks of half a second each, is too heavy for this machine: frames instead

export class NetworkLink implements Link
{
	owner = 0;
	onFrame: ( frame: Frame ) => void = () => this.ready(); // nobody looks yet
	onPace: ( pace: Pace ) => void = () => {};
	onFailure: ( text: string ) => void = () => {};
	/** What changed: people, state, line, mode. */
	onChange: () => void = () => {};
	onNotice: ( text: string, bad: boolean ) => void = () => {};
	people: Person[] = [];
	cursors = new Map<number, Vec3>();
	state: RoomState = { isHost: false, looksOn: false, sceneLocked: false, materialsLocked: false, frozen: false, noDisk: false, rate: 60 };
	line: LineState = 'opening';
	mode: Mode;
	wants: Mode | 'auto';
	room = '';
	lookToken = '';
	key: string;
	/** ms: from a command to the picture of what the world made of it; and there and back on the line alone. NaN: not known yet. */
	delay = NaN;
	roundTrip = NaN;
	/** How many hashes were told, the latest by their steps, and how often they were not the room's. */
	compared = 0;
	differed = 0;
	hashes = new Map<number, string>();
	private socket: WebSocket | null = null;
	private readonly pieces = new ImagePieces();
	private streamDecoder = new FrameDecoder();
	private sequence = 0;
	private wait = firstWait;
	private tries = 0;
	private reached = 0; // step that ticks have come to
	private awaits = Infinity; // ms, since when an image or a first frame is waited for; Infinity: none is
	private hashEvery = 60;
	private shading = 0;
	private lastFrame = 0; // number of the streamed frame shown last
	private begun = false; // a frame that holds everything has come since this way of having the room began
	private lastWord = 0; // ms, when the server last said something
	private looks = 0; // at the line since then
	private lastPing = { number: 0, time: 0 };
	private cursorTime = 0;
	private cursorShown = false;
	private late = 0;
	private sceneName = '';
	private readonly sent: Sent[] = [];
	private readonly grabbed = new Map<number, number>(); // hands asked for, and when
	private started: ( ( error: Error | null ) => void ) | null = null;

	private constructor( private readonly visit: Visit, private readonly inner: WorkerLink )
	{
		this.wants = visit.wants;
		this.mode = visit.wants === 'stream' ? 'stream' : 'lockstep';
		this.key = visit.key;
		inner.onFrame = ( frame ) => this.mode === 'lockstep' && this.belongs( frame ) ? this.show( frame ) : inner.ready();
		inner.onPace = ( pace ) => this.takePace( pace );
		inner.onFailure = ( text ) => this.onFailure( text );
		inner.onTold = ( step, hash ) => this.tellHash( step, hash );
		inner.onLost = () => this.askAgain();
		setInterval( () => this.watchLine(), 500 );
	}

	/** Resolves once the room has said welcome. */
	static async start( visit: Visit, module: string ): Promise<NetworkLink>
	{
		const link = new NetworkLink( visit, await WorkerLink.start( module ) );
		return new Promise( ( resolve, reject ) =>
		{
			link.started = ( error ) => error === null ? resolve( link ) : reject( error );
			link.connect();
		} );
	}

	get catalogue(): Catalogue { return this.inner.catalogue; }
	get knowsRays(): boolean { return this.mode === 'lockstep'; }
	me = (): Person | undefined => this.people.find( ( one ) => one.owner === this.owner );

	// ---- the line ----

	private connect(): void
	{
		this.setLine( this.line === 'opening' ? 'opening' : 'lost' );
		const socket = new WebSocket( this.visit.address, protocol );
		socket.binaryType = 'arraybuffer';
		this.socket = socket;
		this.lastWord = performance.now();
		this.looks = 0;
		socket.onopen = () =>
		{
			const { name, color, token, scene, looksOn } = this.visit;
			this.tell( write.hello( { mode: this.mode, looksOn, color, step: this.mode === 'lockstep' ? this.reached : 0, name, token, key: this.key, scene } ) );
		};
		socket.onmessage = ( event: MessageEvent<ArrayBuffer> ) => this.take( event.data );
		socket.onclose = () => this.socket === socket && this.comeBack();
	}

	private comeBack(): void
	{
		this.socket = null;
		if ( this.line === 'over' )
		{
			return;
		}
		this.tries += 1;
		if ( this.started !== null && this.tries >= mostTries )
		{
			this.line = 'over';
			this.started( new Error( 'no room answers at this address; it may not be one that `pliant serve` serves, or it is not running' ) );
			return;
		}
		this.setLine( this.line === 'opening' ? 'opening' : 'lost' );
		setTimeout( () => this.line !== 'over' && this.socket === null && this.connect(), this.wait * ( 0.75 + 0.5 * Math.random() ) );
		this.wait = Math.min( mostWait, 2 * this.wait );
	}

	private setLine( line: LineState ): void
	{
		if ( line !== this.line )
		{
			this.line = line;
			this.cursors.clear();
			this.onChange();
		}
	}

	private tell( bytes: Uint8Array<ArrayBuffer> ): boolean
	{
		const isOpen = this.socket?.readyState === WebSocket.OPEN;
		if ( isOpen )
		{
			this.socket!.send( bytes );
		}
		return isOpen;
	}

	/** A line that says nothing for long is none, even if nobody has closed it. */
	private watchLine(): void
	{
		const now = performance.now();
		if ( this.line === 'open' && now - this.lastPing.time > pingEvery )
		{
			this.lastPing = { number: this.lastPing.number + 1, time: now };
			this.tell( write.ping( this.lastPing.number ) );
		}
		// A server has no time for all who ask at once.
		if ( this.line === 'open' && now - this.awaits > patience )
		{
			this.askAgain();
		}
		// Time in which this page did not run is no silence: what was said meanwhile is heard before the next look.
		this.looks += 1;
		if ( this.socket !== null && now - this.lastWord > silence && this.looks > 2 )
		{
			const dead = this.socket;
			dead.onclose = dead.onmessage = null;
			dead.close();
			this.comeBack();
		}
	}

	private take( data: ArrayBuffer ): void
	{
		this.lastWord = performance.now();
		this.looks = 0;
		try
		{
			this.hear( read( data ) );
		}
		catch ( error )
		{
			// A message that cannot be read: the line brought nonsense, or a frame was of bodies that are not known here.
			this.onNotice( `The room said something that this page does not understand (${error instanceof Error ? error.message : String( error )}).`, true );
			this.askAgain();
		}
	}

	private hear( message: Message ): void
	{
		switch ( message.kind )
		{
			case 'welcome':
			{
				const { owner, state, hashEvery, room, key, lookToken } = message.welcome;
				this.owner = this.inner.owner = owner;
				this.state = state;
				this.hashEvery = hashEvery;
				this.room = room;
				this.key = key;
				this.lookToken = lookToken;
				this.wait = firstWait;
				this.sent.length = 0;
				this.grabbed.clear();
				if ( this.reached === 0 || this.mode === 'stream' )
				{
					this.enter( this.mode === 'stream' && this.shading !== 0 ); // else hello has said it all
				}
				this.setLine( 'open' );
				this.started?.( null );
				this.started = null;
				this.onChange();
				break;
			}
			case 'image':
			{
				this.awaits = performance.now();
				const image = this.pieces.take( message.step, message.size, message.offset, message.bytes );
				if ( image !== null && this.mode === 'lockstep' )
				{
					this.reached = this.pieces.step;
					this.awaits = Infinity;
					this.inner.image( image );
				}
				break;
			}
			case 'tick':
				if ( this.mode === 'lockstep' )
				{
					this.reached = message.step + message.steps;
					this.inner.tick( message.bytes );
				}
				break;
			case 'frame':
				if ( this.mode === 'stream' )
				{
					const frame = this.streamDecoder.decode( message.bytes );
					this.lastFrame = frame.number;
					this.awaits = Infinity;
					if ( this.belongs( frame ) )
					{
						this.show( frame );
					}
				}
				break;
			case 'people':
				this.people = message.people;
				for ( const owner of this.cursors.keys() )
				{
					if ( this.people.every( ( one ) => one.owner !== owner ) )
					{
						this.cursors.delete( owner );
					}
				}
				this.onChange();
				break;
			case 'cursors':
				for ( const { owner, place } of message.cursors )
				{
					place !== null && owner !== this.owner ? this.cursors.set( owner, place ) : this.cursors.delete( owner );
				}
				this.onChange();
				break;
			case 'differs':
				this.differed += 1;
				this.reached = 0;
				this.awaits = performance.now();
				console.warn( `another hash after step ${message.step}: ${message.told}, and should be ${message.wanted}` );
				this.onNotice( 'This page came to other bits than the room; it is told everything anew.', true );
				break;
			case 'notice':
				this.onNotice( message.text, message.bad );
				break;
			case 'pong':
				if ( message.number === this.lastPing.number )
				{
					this.roundTrip = performance.now() - this.lastPing.time;
					this.onChange();
				}
				break;
			case 'answer':
				if ( message.text !== '' )
				{
					this.onNotice( message.text[0].toUpperCase() + message.text.slice( 1 ) + '.', message.outcome > 1 );
				}
				break;
			case 'state':
				this.state = message.state;
				this.onChange();
				break;
			case 'goodbye':
				if ( comesBack( message.reason ) === false )
				{
					this.line = 'over';
					if ( this.started !== null )
					{
						this.started( new Error( message.text ) );
					}
					else
					{
						this.onFailure( message.text );
					}
				}
				break;
		}
	}

	/** Frames on their way from before tell of bodies that the view no longer has: it begins with one that holds everything. */
	private belongs( frame: Frame ): boolean
	{
		this.begun ||= frame.fresh;
		return this.begun;
	}

	/** The way in which this page has the room is about to begin, or to begin anew. */
	private enter( tellsMode: boolean ): void
	{
		this.begun = false;
		this.late = 0;
		this.reached = 0;
		this.awaits = performance.now();
		this.streamDecoder = new FrameDecoder();
		this.mode === 'lockstep' ? this.inner.follow( this.hashEvery ) : this.inner.unfollow();
		if ( tellsMode )
		{
			this.tell( write.mode( this.mode, this.shading ) );
		}
	}

	private askAgain(): void
	{
		this.reached = 0;
		this.awaits = performance.now();
		this.tell( write.again() );
	}

	// ---- what the room shows ----

	private show( frame: Frame ): void
	{
		const now = performance.now();
		frame.answers = frame.answers.filter( ( answer ) => answer.owner === this.owner );
		for ( const hand of frame.hands.filter( ( one ) => one.owner === this.owner ) )
		{
			const asked = this.grabbed.get( hand.number );
			if ( asked !== undefined )
			{
				this.grabbed.delete( hand.number );
				this.measure( now - asked );
			}
			const index = this.sent.findLastIndex( ( one ) => one.hand === hand.number && one.to.every( ( value, a ) => Math.abs( value - hand.target[a] ) < 2e-4 * ( 1 + Math.abs( value ) ) /* places are rounded on the wire */ ) );
			if ( index >= 0 )
			{
				this.measure( now - this.sent[index].time );
				this.sent.splice( 0, index + 1 );
			}
		}
		if ( frame.scene !== null && frame.scene.name !== this.sceneName )
		{
			// Another scene may be light enough for this machine.
			const isFirst = this.sceneName === '';
			this.sceneName = frame.scene.name;
			if ( isFirst === false && this.wants === 'auto' && this.mode === 'stream' )
			{
				this.setMode( 'auto' );
			}
		}
		this.onFrame( frame );
	}

	private measure( milliseconds: number ): void
	{
		this.delay = Number.isNaN( this.delay ) ? milliseconds : this.delay + 0.2 * ( milliseconds - this.delay );
	}

	private takePace( pace: Pace ): void
	{
		if ( this.mode !== 'lockstep' )
		{
			return;
		}
		// Faster steps make up for a while; who stays behind cannot keep up.
		const isLate = pace.behind > lateSteps || ( pace.behind > 30 && pace.stepMilliseconds > 1000 / this.state.rate );
		this.late = isLate ? this.late + 1 : 0;
		if ( this.late >= lateFor && this.wants === 'auto' )
		{
			this.change( 'stream' );
			this.onNotice( 'This machine is too slow for the room, so it is sent pictures of it.', false );
		}
		this.onPace( pace );
	}

	private tellHash( step: number, hash: string ): void
	{
		this.compared += 1;
		this.hashes.set( step, hash );
		if ( this.hashes.size > keptHashes )
		{
			this.hashes.delete( this.hashes.keys().next().value! );
		}
		this.tell( write.hash( step, hash ) );
	}

	/** In place: the picture stays until the other way has brought one. */
	setMode( wants: Mode | 'auto' ): void
	{
		this.wants = wants;
		this.change( wants === 'stream' ? 'stream' : 'lockstep' );
	}
	private change( mode: Mode ): void
	{
		if ( mode !== this.mode )
		{
			this.mode = mode;
			this.enter( true );
		}
		this.onChange();
	}

	// ---- what people do ----

	send( commands: string ): number
	{
		// What a ray meets is known here, and nobody else's affair.
		if ( commands.startsWith( 'ask ' ) && this.mode === 'lockstep' )
		{
			return this.inner.send( commands );
		}
		if ( this.state.looksOn )
		{
			this.onNotice( 'You are looking on: hands do nothing here.', false );
			return this.sequence;
		}
		const now = performance.now();
		for ( const [ , verb, owner, hand, rest ] of commands.matchAll( /^(move|grab|push) (\d+):(\d+) ([^\n]*)$/gm ) )
		{
			if ( Number( owner ) === this.owner && verb === 'move' )
			{
				const [ x, y, z ] = rest.split( ' ' ).map( Number );
				this.sent.push( { hand: Number( hand ), to: [ x, y, z ], time: now } );
				this.sent.splice( 0, Math.max( 0, this.sent.length - 200 ) );
			}
			else if ( Number( owner ) === this.owner && verb === 'grab' )
			{
				this.grabbed.set( Number( hand ), now );
			}
		}
		this.sequence += 1;
		if ( this.tell( write.commands( this.sequence, commands ) ) === false && this.line !== 'over' && commands.startsWith( 'move' ) === false )
		{
			this.onNotice( 'The line to the room is gone: nothing can be done until it is back.', true );
		}
		return this.sequence;
	}

	/** Where this person points while no hand holds anything; null: nowhere. */
	point( place: Vec3 | null ): void
	{
		const now = performance.now();
		if ( this.line !== 'open' || ( place === null && this.cursorShown === false ) || ( place !== null && now - this.cursorTime < cursorEvery ) )
		{
			return;
		}
		this.cursorTime = now;
		this.cursorShown = place !== null;
		this.tell( write.cursor( place ) );
	}
	setPerson( color: number, name: string ): void
	{
		this.visit.color = color;
		this.visit.name = name;
		this.tell( write.person( color, name ) );
	}
	act = ( act: HostAct, owner = 0 ): void => void this.tell( write.act( act, owner ) );
	/** Goes for good. */
	leave(): void
	{
		this.line = 'over';
		this.socket?.close();
	}

	ready(): void
	{
		if ( this.mode === 'lockstep' )
		{
			this.inner.ready();
		}
		else
		{
			this.tell( write.ready( this.lastFrame ) );
		}
	}
	setShading( shading: Shading ): void
	{
		this.shading = shadings.indexOf( shading );
		this.inner.setShading( shading );
		if ( this.mode === 'stream' )
		{
			this.tell( write.mode( 'stream', this.shading ) );
		}
	}
	/** Time is everybody's: its host may stop it. */
	setPaused( paused: boolean ): void
	{
		this.act( paused ? 'freeze' : 'go on' );
	}
	setSpeed(): void {} // time goes on for all at one speed
	step = (): Promise<void> => Promise.reject( new Error( 'time in a room goes on for all' ) );
	hash = (): Promise<string> => this.inner.hash();
	script = (): Promise<string> => Promise.reject( new Error( 'the room’s server has what was done here, and `pliant replay` plays its log' ) );
	save(): Promise<Uint8Array<ArrayBuffer>>
	{
		return this.mode === 'lockstep' ? this.inner.save() : Promise.reject( new Error( 'the world is at the server; choose “computed here” first' ) );
	}
	open = (): Promise<'world' | 'response'> => Promise.reject( new Error( 'a room keeps its own world; open it on a page of your own' ) );
	closeResponse = (): Promise<void> => Promise.resolve();
}
