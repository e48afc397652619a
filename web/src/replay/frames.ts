// frames.ts - the frames that `pliant run --out FILE.html` puts into the page, in any order. Knows no view.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
import { FrameDecoder, type Frame } from '../link/frame.ts';
import type { Shading } from '../link/link.ts';

/** What bodies can be coloured by, in the order of the bits that say which of them a frame has. */
const shadeNames: Shading[] = [ 'stretch', 'plastic', 'speed', 'clusters' ];

interface Packed
{
	element: Element;
	frame: number; // of the run
	time: number; // s
	whole: number; // the one that holds all bodies
	chain: number; // how many of the frames before it are needed to unpack it
}

function fromBase64( text: string ): Uint8Array<ArrayBuffer>
{
	const binary = atob( text ), bytes = new Uint8Array( binary.length );
	for ( let i = 0; i < binary.length; ++i )
	{
		bytes[i] = binary.charCodeAt( i );
	}
	return bytes;
}

/** Low bytes, then high bytes, of what differs from the frame before: as tools/out_html.c has it. */
async function unpack( text: string, before: ArrayBuffer | null ): Promise<ArrayBuffer>
{
	const packed = new Blob( [ fromBase64( text ) ] ).stream().pipeThrough( new DecompressionStream( 'deflate' ) );
	const planes = new Uint8Array( await new Response( packed ).arrayBuffer() ), count = planes.length / 2;
	const words = new Uint16Array( count ), last = before !== null ? new Uint16Array( before ) : null, known = Math.min( last?.length ?? 0, count );
	for ( let i = 0; i < count; ++i )
	{
		words[i] = planes[i] + 256 * planes[count + i] + ( i < known ? last![i] : 0 );
	}
	return words.buffer;
}

/** Where the frame of the wire begins, after what vertices are coloured by. */
const frameAt = ( bytes: ArrayBuffer ): number => 4 + new DataView( bytes ).getUint32( 0, true );

export class Frames
{
	private readonly packed: Packed[];
	private readonly kept = new Map<number, ArrayBuffer>(); // unpacked, the latest last
	private readonly decoder = new FrameDecoder();
	private whole = -1; // that the view was given last

	constructor( elements: Iterable<Element> )
	{
		this.packed = [ ...elements ].map( ( element ) =>
		{
			const say = ( name: string ): number => Number( element.getAttribute( `data-${name}` ) );
			return { element, frame: say( 'frame' ), time: say( 'time' ), whole: say( 'whole' ), chain: say( 'chain' ) };
		} );
	}

	get count(): number { return this.packed.length; }
	get rate(): number { return Number( document.querySelector( 'meta[name=pliant-run]' )?.getAttribute( 'data-rate' ) ?? 30 ); }
	time = ( index: number ): number => this.packed[index].time;
	number = ( index: number ): number => this.packed[index].frame;

	/** A page whose writer was killed ends in the midst of a frame, which does not count. */
	async dropTorn(): Promise<void>
	{
		while ( this.packed.length > 0 )
		{
			try
			{
				const bytes = await this.bytes( this.packed.length - 1 ), at = frameAt( bytes );
				if ( at + new DataView( bytes ).getUint32( at + 4, true ) === bytes.byteLength )
				{
					return;
				}
			}
			catch
			{
				// torn
			}
			this.packed.pop();
		}
	}

	private async bytes( index: number ): Promise<ArrayBuffer>
	{
		let bytes = this.kept.get( index );
		if ( bytes === undefined )
		{
			const before = this.packed[index].chain > 0 ? await this.bytes( index - 1 ) : null;
			bytes = await unpack( this.packed[index].element.textContent ?? '', before );
			this.kept.set( index, bytes );
			for ( const old of this.kept.keys() )
			{
				if ( this.kept.size <= 24 )
				{
					break;
				}
				this.kept.delete( old );
			}
		}
		return bytes;
	}

	/** What a view must take to show a frame: one, or two if it has another whole. */
	async get( index: number, shading: Shading ): Promise<Frame[]>
	{
		const whole = this.packed[index].whole;
		const steps = whole === this.whole || whole === index ? [ index ] : [ whole, index ];
		const buffers = await Promise.all( steps.map( ( step ) => this.bytes( step ) ) );
		this.whole = whole;
		return buffers.map( ( buffer ) => this.read( buffer, shading ) );
	}

	private read( bytes: ArrayBuffer, shading: Shading ): Frame
	{
		const frame = this.decoder.decode( bytes.slice( frameAt( bytes ) ) );
		const bits = new DataView( bytes ).getUint32( 4, true );
		let at = 8;
		for ( const motion of frame.motions )
		{
			for ( let field = 0; field < shadeNames.length; ++field )
			{
				if ( ( bits & 1 << field ) !== 0 )
				{
					const count = motion.parts[0].positions.length / 3;
					if ( shadeNames[field] === shading )
					{
						motion.parts[0].shades = new Uint8Array( bytes, at, count );
					}
					at += count + ( 4 - count % 4 ) % 4;
				}
			}
		}
		frame.contacts = shading === 'contact' ? frame.contacts : null;
		return frame;
	}

	/** What bodies can be coloured by in this run. */
	async shadings(): Promise<Shading[]>
	{
		const bytes = await this.bytes( 0 ), bits = new DataView( bytes ).getUint32( 4, true );
		const hasContacts = this.decoder.decode( bytes.slice( frameAt( bytes ) ) ).contacts !== null;
		this.whole = -1;
		return [ 'none', ...shadeNames.filter( ( _, field ) => ( bits & 1 << field ) !== 0 ), ...( hasContacts ? [ 'contact' as Shading ] : [] ) ];
	}
}
