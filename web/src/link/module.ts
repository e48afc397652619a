// module.ts - the WebAssembly module as functions on strings and bytes. Knows no worker and no page, so that Node can run it too.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
import type { Catalogue } from './link.ts';

interface Exports
{
	memory: WebAssembly.Memory;
	_initialize?(): void;
	open(): number;
	take( size: number ): number;
	give( address: number ): void;
	size(): number;
	message(): number;
	forgetMessage(): void;
	post( owner: number, sequence: number, address: number, length: number ): void;
	advance( steps: number ): void;
	play( address: number, length: number ): number;
	rate(): number;
	step(): number;
	hash(): bigint;
	frame( shading: number, fresh: number ): number;
	script(): number;
	save(): number;
	restore( address: number, size: number ): number;
	saveImage(): number;
	loadImage( address: number, size: number ): number;
	postTick( address: number, size: number ): number;
	lacksPast(): number;
	openHandles( address: number, size: number ): number;
	closeHandles(): void;
	resultText( result: number ): number;
	scenes(): number;
	solids(): number;
	materials(): number;
	preset( address: number ): number;
}

/** A module's own small program that uses a SIMD instruction: does this machine know them? */
const simdProbe = new Uint8Array( [
	0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
] );
export const hasSimd = (): boolean => typeof WebAssembly === 'object' && WebAssembly.validate( simdProbe );

export class RoomModule
{
	private constructor( private readonly x: Exports ) {}

	static async start( bytes: BufferSource | Response ): Promise<RoomModule>
	{
		const imports = { page: { seconds: () => performance.now() / 1000 } };
		const source = bytes instanceof Response
			? await WebAssembly.instantiateStreaming( bytes, imports )
			: await WebAssembly.instantiate( bytes, imports );
		const x = source.instance.exports as unknown as Exports;
		x._initialize?.();
		if ( x.open() !== 1 )
		{
			throw new Error( 'there is not enough memory for a room' );
		}
		return new RoomModule( x );
	}

	// A view of the memory is void once it has grown, so there is a new one each time.
	private copy( address: number ): Uint8Array<ArrayBuffer>
	{
		return new Uint8Array( this.x.memory.buffer, address, this.x.size() ).slice() as Uint8Array<ArrayBuffer>;
	}
	private text( address: number ): string
	{
		return new TextDecoder().decode( this.copy( address ) );
	}
	private lend<T>( bytes: Uint8Array, use: ( address: number, size: number ) => T ): T
	{
		const address = this.x.take( bytes.length );
		if ( address === 0 )
		{
			throw new Error( 'there is not enough memory' );
		}
		new Uint8Array( this.x.memory.buffer, address, bytes.length ).set( bytes );
		const result = use( address, bytes.length );
		this.x.give( address );
		return result;
	}

	catalogue(): Catalogue
	{
		const lines = ( text: string ) => text.split( '\n' ).filter( ( line ) => line !== '' );
		const scenes = lines( this.text( this.x.scenes() ) ).map( ( line ) => ( { name: line.split( '\t' )[0], text: line.split( '\t' )[1] ?? '' } ) );
		const solids = lines( this.text( this.x.solids() ) );
		const materials = lines( this.text( this.x.materials() ) ).map( ( name ) =>
		{
			const values = this.lend( new TextEncoder().encode( name + '\0' ), ( address ) => this.copy( this.x.preset( address ) ) );
			return { name, values: Array.from( new Float32Array( values.buffer ) ) };
		} );
		return { scenes, solids, materials };
	}
	post( owner: number, sequence: number, commands: string ): void
	{
		this.lend( new TextEncoder().encode( commands ), ( address, size ) => this.x.post( owner, sequence, address, size ) );
	}
	advance( steps: number ): void
	{
		this.x.advance( steps );
	}
	play( script: string ): void
	{
		if ( this.lend( new TextEncoder().encode( script ), ( address, size ) => this.x.play( address, size ) ) !== 1 )
		{
			throw new Error( this.text( this.x.message() ) );
		}
	}
	get rate(): number
	{
		return this.x.rate();
	}
	get step(): number
	{
		return this.x.step();
	}
	hash(): string
	{
		return '0x' + BigInt.asUintN( 64, this.x.hash() ).toString( 16 ).padStart( 16, '0' );
	}
	/** Copied, so that it can be handed over. */
	frame( shading: number, fresh: boolean ): ArrayBuffer
	{
		const address = this.x.frame( shading, fresh ? 1 : 0 );
		if ( address === 0 )
		{
			throw new Error( 'there is not enough memory for a picture of the room' );
		}
		return this.copy( address ).buffer;
	}
	script(): string
	{
		const address = this.x.script();
		if ( address === 0 )
		{
			throw new Error( 'so much has happened here that the script became too long to keep' );
		}
		return this.text( address );
	}
	save(): Uint8Array<ArrayBuffer>
	{
		const address = this.x.save();
		if ( address === 0 )
		{
			throw new Error( 'there is not enough memory to save this world' );
		}
		return this.copy( address );
	}
	private check( result: number ): void
	{
		if ( result !== 0 )
		{
			const said = this.text( this.x.message() );
			throw new Error( said !== '' ? said.replace( /^pn\w+: /, '' ) : this.text( this.x.resultText( result ) ) ); // people need not know which call it was
		}
	}
	restore( bytes: Uint8Array ): void
	{
		this.x.forgetMessage();
		this.check( this.lend( bytes, ( address, size ) => this.x.restore( address, size ) ) );
	}
	/** All that another room needs to go on with the same bits. */
	saveImage(): Uint8Array<ArrayBuffer>
	{
		const address = this.x.saveImage();
		if ( address === 0 )
		{
			throw new Error( 'there is not enough memory for an image of this room' );
		}
		return this.copy( address );
	}
	loadImage( bytes: Uint8Array ): void
	{
		this.x.forgetMessage();
		this.check( this.lend( bytes, ( address, size ) => this.x.loadImage( address, size ) ) );
	}
	/** How many steps follow the commands, which wait for advance. Below zero: it is not of this step, or cannot be read. */
	postTick( bytes: Uint8Array ): number
	{
		return this.lend( bytes, ( address, size ) => this.x.postTick( address, size ) );
	}
	/** An undo needed a world that this room never had. */
	get lacksPast(): boolean
	{
		return this.x.lacksPast() !== 0;
	}
	openResponse( bytes: Uint8Array ): void
	{
		this.x.forgetMessage();
		this.check( this.lend( bytes, ( address, size ) => this.x.openHandles( address, size ) ) );
	}
	closeResponse(): void
	{
		this.x.closeHandles();
	}
}
