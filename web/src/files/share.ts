// share.ts - settings in an address, files out, a clip of the canvas. Knows no rooms.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT

/** What an address holds after its #. Everything has a default, and what cannot be read is left out. */
export interface Settings
{
	scene: string;
	still: boolean;
	gravity: number | null; // m/s^2, downwards
	rate: number | null;
	substeps: number | null;
	speed: number;
	view: string;
	detail: number | null; // of the picture, 0 to 2; null: what this machine can do
	camera: number[];
	material: string; // of all: fields as the command has them
}

const number = ( text: string | null, lower: number, upper: number ): number | null =>
{
	const value = text === null || text === '' ? NaN : Number( text );
	return value >= lower && value <= upper ? value : null;
};

export function readSettings( hash: string ): Settings
{
	const words = new URLSearchParams( hash.replace( /^#/, '' ) );
	const material = words.get( 'material' ) ?? '';
	return {
		scene: /^[A-Za-z0-9_-]{1,31}$/.test( words.get( 'scene' ) ?? '' ) ? words.get( 'scene' )! : '',
		still: words.get( 'still' ) === '1',
		gravity: number( words.get( 'gravity' ), -50, 50 ),
		rate: number( words.get( 'rate' ), 10, 1000 ),
		substeps: number( words.get( 'substeps' ), 1, 64 ),
		speed: number( words.get( 'speed' ), 0.02, 4 ) ?? 1,
		view: words.get( 'view' ) ?? 'none',
		detail: number( words.get( 'detail' ), 0, 2 ),
		camera: ( words.get( 'camera' ) ?? '' ).split( ',' ).map( Number ),
		material: /^[a-z0-9. +-]{0,400}$/.test( material ) ? material : '',
	};
}

export function writeSettings( settings: Settings ): string
{
	const words = new URLSearchParams( { scene: settings.scene } );
	const put = ( name: string, value: string | number | null, usual: string | number | null ): void =>
	{
		if ( value !== null && value !== usual )
		{
			words.set( name, String( value ) );
		}
	};
	put( 'still', settings.still ? '1' : '', '' );
	put( 'gravity', settings.gravity, null );
	put( 'rate', settings.rate, null );
	put( 'substeps', settings.substeps, null );
	put( 'speed', settings.speed, 1 );
	put( 'view', settings.view, 'none' );
	put( 'camera', settings.camera.join( ',' ), '' );
	put( 'material', settings.material, '' );
	return `#${words}`;
}

export function saveFile( name: string, data: BlobPart, type: string ): void
{
	const link = document.createElement( 'a' );
	link.href = URL.createObjectURL( new Blob( [ data ], { type } ) );
	link.download = name;
	link.click();
	setTimeout( () => URL.revokeObjectURL( link.href ), 10000 );
}

/** What this browser remembers of the person, or null: a browser may forbid that too, and the page goes on without. */
export const memory = {
	get( key: string, storage: 'localStorage' | 'sessionStorage' = 'localStorage' ): string | null
	{
		try
		{
			return window[storage].getItem( key );
		}
		catch
		{
			return null;
		}
	},
	set( key: string, value: string, storage: 'localStorage' | 'sessionStorage' = 'localStorage' ): void
	{
		try
		{
			window[storage].setItem( key, value );
		}
		catch
		{
			// then it is forgotten
		}
	},
};

/** A clip of what the canvas shows, from start to stop. */
export class Clip
{
	private recorder: MediaRecorder | null = null;
	private readonly parts: Blob[] = [];

	static get isPossible(): boolean
	{
		return typeof MediaRecorder === 'function' && MediaRecorder.isTypeSupported( 'video/webm' );
	}
	get isRunning(): boolean
	{
		return this.recorder !== null;
	}
	start( canvas: HTMLCanvasElement ): void
	{
		this.parts.length = 0;
		this.recorder = new MediaRecorder( canvas.captureStream( 60 ), { mimeType: 'video/webm', videoBitsPerSecond: 8e6 } );
		this.recorder.ondataavailable = ( event ) => this.parts.push( event.data );
		this.recorder.start( 500 );
	}
	stop(): Promise<Blob>
	{
		const recorder = this.recorder!;
		this.recorder = null;
		return new Promise( ( resolve ) =>
		{
			recorder.onstop = () => resolve( new Blob( this.parts, { type: 'video/webm' } ) );
			recorder.stop();
		} );
	}
}
