// worker_link.ts - a room of one's own, in a worker of this page. Knows no view.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
import { FrameDecoder, type Frame } from './frame.ts';
import { shadings, type Catalogue, type Link, type Pace, type Shading } from './link.ts';
import type { Reply, Request } from './messages.ts';

export class WorkerLink implements Link
{
	owner = 10; // scripts of scenes use the numbers below
	readonly knowsRays = true;
	catalogue: Catalogue = { scenes: [], solids: [], materials: [] };
	onFrame: ( frame: Frame ) => void = () => {};
	onPace: ( pace: Pace ) => void = () => {};
	onFailure: ( text: string ) => void = () => {};
	/** While another room is followed: the hash after a step, and that an image is needed. */
	onTold: ( step: number, hash: string ) => void = () => {};
	onLost: ( text: string ) => void = () => {};
	private readonly worker = new Worker( new URL( './worker.ts', import.meta.url ), { type: 'module' } );
	private readonly decoder = new FrameDecoder();
	private readonly waiting = new Map<number, { resolve: ( value: never ) => void; reject: ( error: Error ) => void }>();
	private sequence = 0;
	private nextId = 0;

	/** Resolves once there is a room. */
	static start( module: string ): Promise<WorkerLink>
	{
		const link = new WorkerLink();
		return new Promise( ( resolve, reject ) =>
		{
			link.worker.onerror = ( event ) => reject( new Error( event.message || 'the worker could not be started' ) );
			link.worker.onmessage = ( event: MessageEvent<Reply> ) =>
			{
				const reply = event.data;
				if ( reply.kind === 'started' )
				{
					link.catalogue = reply.catalogue;
					link.worker.onmessage = ( later: MessageEvent<Reply> ) => link.take( later.data );
					link.worker.onerror = ( later ) => link.onFailure( later.message );
					resolve( link );
				}
				else if ( reply.kind === 'failed' )
				{
					reject( new Error( reply.text ) );
				}
			};
			link.post( { kind: 'start', module } );
		} );
	}

	private post( request: Request, transfer: Transferable[] = [] ): void
	{
		this.worker.postMessage( request, transfer );
	}

	private take( reply: Reply ): void
	{
		switch ( reply.kind )
		{
			case 'frame':
				this.onFrame( { ...this.decoder.decode( reply.bytes ), heard: reply.heard } );
				break;
			case 'pace':
				this.onPace( reply.pace );
				break;
			case 'failed':
				this.onFailure( reply.text );
				break;
			case 'told':
				this.onTold( reply.step, reply.hash );
				break;
			case 'lost':
				this.onLost( reply.text );
				break;
			case 'done':
				this.waiting.get( reply.id )?.resolve( reply.value as never );
				this.waiting.delete( reply.id );
				break;
			case 'error':
				this.waiting.get( reply.id )?.reject( new Error( reply.text ) );
				this.waiting.delete( reply.id );
				break;
		}
	}

	private ask<T>( make: ( id: number ) => Request, transfer: Transferable[] = [] ): Promise<T>
	{
		const id = ++this.nextId;
		return new Promise<T>( ( resolve, reject ) =>
		{
			this.waiting.set( id, { resolve: resolve as ( value: never ) => void, reject } );
			this.post( make( id ), transfer );
		} );
	}

	send( commands: string ): number
	{
		this.sequence += 1;
		this.post( { kind: 'commands', owner: this.owner, sequence: this.sequence, text: commands } );
		return this.sequence;
	}
	ready = (): void => this.post( { kind: 'ready' } );
	setShading = ( shading: Shading ): void => this.post( { kind: 'shading', index: shadings.indexOf( shading ) } );
	setPaused = ( paused: boolean ): void => this.post( { kind: 'paused', paused } );
	setSpeed = ( speed: number ): void => this.post( { kind: 'speed', speed } );
	step = ( count: number ): Promise<void> => this.ask( ( id ) => ( { kind: 'step', id, count } ) );
	hash = (): Promise<string> => this.ask( ( id ) => ( { kind: 'hash', id } ) );
	script = (): Promise<string> => this.ask( ( id ) => ( { kind: 'script', id } ) );
	save = (): Promise<Uint8Array<ArrayBuffer>> => this.ask( ( id ) => ( { kind: 'save', id } ) );
	open = ( bytes: ArrayBuffer ): Promise<'world' | 'response'> => this.ask( ( id ) => ( { kind: 'open', id, bytes } ), [ bytes ] );
	closeResponse = (): Promise<void> => this.ask( ( id ) => ( { kind: 'closeResponse', id } ) );
	follow = ( every: number ): void => this.post( { kind: 'follow', every } );
	unfollow = (): void => this.post( { kind: 'unfollow' } );
	image = ( bytes: ArrayBuffer ): void => this.post( { kind: 'image', bytes }, [ bytes ] );
	tick = ( bytes: ArrayBuffer ): void => this.post( { kind: 'tick', bytes }, [ bytes ] );
}
