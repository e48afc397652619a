// frame.ts - the bytes of a frame to what they mean: docs/wire.md. Pure: knows no link, no view.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT

export type Vec3 = [ number, number, number ];
export type Quat = [ number, number, number, number ];

/** A body or shape: index and generation. Zero is none. */
export interface Id
{
	index: number;
	generation: number;
}

export const nameOf = ( id: Id ): string => `${id.index}.${id.generation}`;

export interface Scene
{
	name: string;
	target: Vec3;
	azimuth: number; // degrees
	elevation: number;
	distance: number; // metres
	ground: number;
	gravity: Vec3;
}

export interface Part
{
	vertexCount: number;
	colors: number[]; // 0xRRGGBB for triangles of number 0 to 3
	triangles: Uint32Array;
	numbers: Uint8Array; // of each triangle
}

export interface Body
{
	id: Id;
	from: Id; // the body it was cut from
	pointCount: number;
	parts: Part[];
}

export interface Motion
{
	id: Id;
	origin: Vec3;
	extent: number; // metres: a position is origin + extent * value / 65535
	parts: { positions: Uint16Array; normals: Int16Array; shades: Uint8Array | null }[];
}

export interface Shape
{
	id: Id;
	kind: number; // as pnShapeKind counts; 0 is a plane
	owner: number;
	color: number;
	number: number;
	position: Vec3;
	turn: Quat;
	vertices: Float32Array;
	normals: Float32Array;
	triangles: Uint32Array;
}

export interface Hand
{
	owner: number;
	number: number;
	body: Id;
	place: Vec3;
	target: Vec3;
	force: Vec3; // N
	locked: boolean;
}

export interface Contact
{
	position: Vec3;
	normal: Vec3;
	impulse: number; // N s
	depth: number; // metres
}

export interface Answer
{
	owner: number;
	sequence: number;
	kind: number; // 0 done, 1 nothing, 2 refused, 3 another hash, 4 cannot be read
	text: string;
}

export interface Pick
{
	owner: number;
	sequence: number;
	what: 'nothing' | 'body' | 'shape';
	id: Id;
	position: Vec3;
	normal: Vec3;
}

export interface Meters
{
	times: { step: number; match: number; points: number; other: number; broad: number; narrow: number; solve: number }; // ms
	bodies: number;
	awake: number;
	points: number;
	clusters: number;
	pairs: number;
	contacts: number;
	depth: number; // metres
	kinetic: number; // J
	elastic: number;
	megabytes: number;
	undo: number;
	redo: number;
}

export interface Frame
{
	number: number;
	step: number;
	time: number; // s
	rate: number; // Hz
	substeps: number;
	fresh: boolean;
	still: boolean;
	isStatic: boolean;
	scene: Scene | null;
	bodies: Body[];
	gone: Id[];
	materials: { id: Id; values: number[] }[]; // in the order of materialFields
	motions: Motion[];
	shapes: Shape[];
	shapesGone: Id[];
	shapeMotions: { id: Id; position: Vec3; turn: Quat }[];
	hands: Hand[];
	contacts: Contact[] | null;
	answers: Answer[];
	picks: Pick[];
	meters: Meters | null;
	heard: number; // the last commands, by their number, that a room of one's own had taken when it made this; 0: it is another's
}

/** The fields of a material, in the order in which a frame and the module list them. */
export const materialFields = [
	'mode', 'hertz', 'damping', 'stretch', 'alpha', 'volume', 'cap', 'capstart', 'capend', 'yield', 'creep', 'maxplastic', 'hardening',
	'recovery', 'tear', 'density', 'friction', 'restitution', 'toughness',
] as const;
export const modes = [ 'rigid', 'linear', 'quadratic' ];
export const caps = [ 'none', 'rows', 'blend', 'scale' ];

export const frameVersion = 1;
const headSize = 32;

/** Reads forward; whoever reads past the end of its section gets an error. */
class Reader
{
	private readonly view: DataView;
	constructor( private readonly buffer: ArrayBuffer, public at: number, private readonly end: number )
	{
		this.view = new DataView( buffer );
	}
	private move( count: number ): number
	{
		const from = this.at;
		if ( count < 0 || from + count > this.end )
		{
			throw new RangeError( `a frame ends too early, at byte ${this.end}` );
		}
		this.at += count;
		return from;
	}
	word = (): number => this.view.getUint32( this.move( 4 ), true );
	float = (): number => this.view.getFloat32( this.move( 4 ), true );
	vec = (): Vec3 => [ this.float(), this.float(), this.float() ];
	quat = (): Quat => [ this.float(), this.float(), this.float(), this.float() ];
	id = (): Id => ( { index: this.word(), generation: this.word() } );
	private align(): void
	{
		this.move( ( 4 - ( this.at % 4 ) ) % 4 );
	}
	text(): string
	{
		const length = this.word();
		const text = new TextDecoder().decode( new Uint8Array( this.buffer, this.move( length ), length ) );
		this.align();
		return text;
	}
	u8( count: number ): Uint8Array
	{
		const array = new Uint8Array( this.buffer, this.move( count ), count );
		this.align();
		return array;
	}
	u16( count: number ): Uint16Array
	{
		const array = new Uint16Array( this.buffer, this.move( 2 * count ), count );
		this.align();
		return array;
	}
	i16( count: number ): Int16Array
	{
		const array = new Int16Array( this.buffer, this.move( 2 * count ), count );
		this.align();
		return array;
	}
	u32 = ( count: number ): Uint32Array => new Uint32Array( this.buffer, this.move( 4 * count ), count );
	f32 = ( count: number ): Float32Array => new Float32Array( this.buffer, this.move( 4 * count ), count );
	left = (): number => this.end - this.at;
}

function readBody( r: Reader ): Body
{
	const id = r.id(), from = r.id(), pointCount = r.word(), partCount = r.word();
	const parts: Part[] = [];
	for ( let i = 0; i < partCount; ++i )
	{
		const vertexCount = r.word(), triangleCount = r.word();
		const colors = [ r.word(), r.word(), r.word(), r.word() ];
		parts.push( { vertexCount, colors, triangles: r.u32( 3 * triangleCount ), numbers: r.u8( triangleCount ) } );
	}
	return { id, from, pointCount, parts };
}

/** How many vertices the parts of a body have is known from its body section; what is not known yet cannot be read. */
function readMotion( r: Reader, counts: Map<string, number[]> ): Motion
{
	const id = r.id(), origin = r.vec(), extent = r.float(), shaded = ( r.word() & 1 ) !== 0;
	const known = counts.get( nameOf( id ) );
	if ( known === undefined )
	{
		throw new RangeError( `a frame moves body ${nameOf( id )}, of which nothing is known` );
	}
	const parts = known.map( ( count ) => ( { positions: r.u16( 3 * count ), normals: r.i16( 3 * count ), shades: shaded ? r.u8( count ) : null } ) );
	return { id, origin, extent, parts };
}

function readShape( r: Reader ): Shape
{
	const id = r.id(), kind = r.word(), owner = r.word(), color = r.word(), number = r.word(), position = r.vec(), turn = r.quat();
	const vertexCount = r.word(), triangleCount = r.word();
	return {
		id, kind, owner, color, number, position, turn,
		vertices: r.f32( 3 * vertexCount ), normals: r.f32( 3 * vertexCount ), triangles: r.u32( 3 * triangleCount ),
	};
}

function readMeters( r: Reader ): Meters
{
	const [ step, match, points, other, broad, narrow, solve ] = Array.from( { length: 7 }, r.float );
	return {
		times: { step, match, points, other, broad, narrow, solve },
		bodies: r.word(), awake: r.word(), points: r.word(), clusters: r.word(), pairs: r.word(), contacts: r.word(),
		depth: r.float(), kinetic: r.float(), elastic: r.float(), megabytes: r.float(), undo: r.word(), redo: r.word(),
	};
}

const picked = [ 'nothing', 'body', 'shape' ] as const;

/** Remembers from frame to frame how many vertices each body has; one decoder for each link. */
export class FrameDecoder
{
	private counts = new Map<string, number[]>();

	decode( buffer: ArrayBuffer ): Frame
	{
		const bytes = new Uint8Array( buffer );
		if ( bytes.length < headSize || bytes[0] !== 0x70 || bytes[1] !== 0x6e || bytes[2] !== 0x46 )
		{
			throw new RangeError( 'these bytes are no frame' );
		}
		if ( bytes[3] !== frameVersion )
		{
			throw new RangeError( `this frame is of version ${bytes[3]}, the page knows ${frameVersion}` );
		}
		const r = new Reader( buffer, 4, bytes.length );
		const size = r.word();
		if ( size !== bytes.length )
		{
			throw new RangeError( `a frame says it has ${size} bytes, and has ${bytes.length}` );
		}
		const number = r.word(), step = r.word(), time = r.float(), rate = r.float(), substeps = r.word(), flags = r.word();
		const frame: Frame = {
			number, step, time, rate, substeps,
			fresh: ( flags & 1 ) !== 0, still: ( flags & 2 ) !== 0, isStatic: ( flags & 4 ) !== 0,
			scene: null, bodies: [], gone: [], materials: [], motions: [], shapes: [], shapesGone: [], shapeMotions: [], hands: [],
			contacts: null, answers: [], picks: [], meters: null, heard: 0,
		};
		if ( frame.fresh )
		{
			this.counts.clear();
		}
		while ( r.left() > 0 )
		{
			const kind = r.word(), length = r.word(), begin = r.at;
			if ( length > r.left() )
			{
				throw new RangeError( `a section of ${length} bytes does not fit into its frame` );
			}
			this.section( kind, new Reader( buffer, begin, begin + length ), frame );
			r.at = begin + length; // what a later version adds at the end of a section is passed over, and so are sections not known here
		}
		return frame;
	}

	private section( kind: number, r: Reader, frame: Frame ): void
	{
		switch ( kind )
		{
			case 1:
				frame.scene = {
					target: r.vec(), azimuth: r.float(), elevation: r.float(), distance: r.float(), ground: r.float(), gravity: r.vec(), name: r.text(),
				};
				break;
			case 2:
			{
				const body = readBody( r );
				this.counts.set( nameOf( body.id ), body.parts.map( ( part ) => part.vertexCount ) );
				frame.bodies.push( body );
				break;
			}
			case 3:
			{
				const id = r.id();
				this.counts.delete( nameOf( id ) );
				frame.gone.push( id );
				break;
			}
			case 4:
				frame.materials.push( { id: r.id(), values: materialFields.map( r.float ) } );
				break;
			case 5:
				frame.motions.push( readMotion( r, this.counts ) );
				break;
			case 6:
				frame.shapes.push( readShape( r ) );
				break;
			case 7:
				frame.shapesGone.push( r.id() );
				break;
			case 8:
				frame.shapeMotions.push( { id: r.id(), position: r.vec(), turn: r.quat() } );
				break;
			case 9:
				frame.hands = Array.from( { length: r.word() }, () => ( {
					owner: r.word(), number: r.word(), body: r.id(), place: r.vec(), target: r.vec(), force: r.vec(), locked: r.word() !== 0,
				} ) );
				break;
			case 10:
				frame.contacts = Array.from( { length: r.word() }, () => ( { position: r.vec(), normal: r.vec(), impulse: r.float(), depth: r.float() } ) );
				break;
			case 11:
				frame.answers.push( { owner: r.word(), sequence: r.word(), kind: r.word(), text: r.text() } );
				break;
			case 12:
				frame.picks.push( {
					owner: r.word(), sequence: r.word(), what: picked[r.word()] ?? 'nothing', id: r.id(), position: r.vec(), normal: r.vec(),
				} );
				break;
			case 13:
				frame.meters = readMeters( r );
				break;
		}
	}
}
