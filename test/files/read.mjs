// read.mjs - what `pliant run --out` writes, read again by the formats' own rules: GLB, PLY, OBJ, PC2, CSV, PVD. Shares no code with the writers.
import { readFileSync } from 'node:fs';
import path from 'node:path';

/** Vertices and triangles of a binary PLY; throws if it is not whole. */
export function readPly( file )
{
	const bytes = readFileSync( file ), end = bytes.indexOf( 'end_header\n' ) + 11;
	const head = bytes.subarray( 0, end ).toString();
	const vertexCount = Number( /element vertex (\d+)/.exec( head )[1] ), faceCount = Number( /element face (\d+)/.exec( head )[1] );
	if ( bytes.length !== end + 27 * vertexCount + 13 * faceCount )
	{
		throw new Error( `${file} is not whole` );
	}
	const positions = [];
	for ( let i = 0; i < vertexCount; ++i )
	{
		const at = end + 27 * i;
		positions.push( bytes.readFloatLE( at ), bytes.readFloatLE( at + 4 ), bytes.readFloatLE( at + 8 ) );
	}
	return { positions, faceCount };
}

/** Vertices of each object of an OBJ. */
export function readObj( file )
{
	const objects = new Map();
	let current = null, faces = 0;
	for ( const line of readFileSync( file, 'utf8' ).split( '\n' ) )
	{
		const words = line.split( ' ' );
		if ( words[0] === 'o' )
		{
			objects.set( words[1], current = [] );
		}
		else if ( words[0] === 'v' )
		{
			current.push( ...words.slice( 1, 4 ).map( Number ) );
		}
		faces += words[0] === 'f' ? 1 : 0;
	}
	return { objects, faces };
}

/** Samples of a point cache, as many as its head says. */
export function readPc2( file )
{
	const bytes = readFileSync( file );
	if ( bytes.subarray( 0, 12 ).toString( 'latin1' ) !== 'POINTCACHE2\0' || bytes.readInt32LE( 12 ) !== 1 )
	{
		throw new Error( `${file} is no point cache` );
	}
	const vertexCount = bytes.readInt32LE( 16 ), sampleCount = bytes.readInt32LE( 28 );
	if ( bytes.length < 32 + 12 * vertexCount * sampleCount )
	{
		throw new Error( `${file} says it has ${sampleCount} samples and has less` );
	}
	const samples = [];
	for ( let s = 0; s < sampleCount; ++s )
	{
		samples.push( Array.from( { length: 3 * vertexCount }, ( _, i ) => bytes.readFloatLE( 32 + 12 * vertexCount * s + 4 * i ) ) );
	}
	return { vertexCount, samples, bytesLeft: bytes.length - 32 - 12 * vertexCount * sampleCount };
}

export function readCsv( file )
{
	const [ head, ...rows ] = readFileSync( file, 'utf8' ).trimEnd().split( '\n' );
	const names = head.split( ',' );
	return rows.map( ( row ) => Object.fromEntries( row.split( ',' ).map( ( value, i ) => [ names[i], Number( value ) ] ) ) );
}

/** The list of a PVD, which must be well formed, and that each file of it is there and whole. */
export function readPvd( file )
{
	const text = readFileSync( file, 'utf8' );
	if ( /^<\?xml version="1\.0"\?>\n<VTKFile type="Collection" version="0\.1">\n<Collection>\n(<DataSet [^<>]*\/>\n)*<\/Collection>\n<\/VTKFile>\n$/.test( text ) === false )
	{
		throw new Error( `${file} is not well formed:\n${text.slice( -300 )}` );
	}
	return [ ...text.matchAll( /timestep="([^"]*)" part="0" file="([^"]*)"/g ) ].map( ( [ , time, name ] ) =>
	{
		const bytes = readFileSync( path.join( path.dirname( file ), name ) );
		if ( bytes.subarray( -27 ).toString( 'latin1' ).endsWith( '</AppendedData>\n</VTKFile>\n' ) === false )
		{
			throw new Error( `${name} is not whole` );
		}
		return { time: Number( time ), name };
	} );
}

// ---- GLB ----

const sizes = { SCALAR: 1, VEC3: 3, VEC4: 4 };

export function readGlb( file )
{
	const bytes = readFileSync( file );
	const jsonSize = bytes.readUInt32LE( 12 );
	const json = JSON.parse( bytes.subarray( 20, 20 + jsonSize ).toString() );
	const binary = bytes.subarray( 20 + jsonSize + 8 );
	const cache = new Map();
	const values = ( index ) =>
	{
		if ( cache.has( index ) === false )
		{
			const accessor = json.accessors[index], view = json.bufferViews[accessor.bufferView], count = accessor.count * sizes[accessor.type];
			const array = new ( accessor.componentType === 5125 ? Uint32Array : Float32Array )( count );
			for ( let i = 0; i < count; ++i )
			{
				const at = view.byteOffset + 4 * i;
				array[i] = accessor.componentType === 5125 ? binary.readUInt32LE( at ) : binary.readFloatLE( at );
			}
			cache.set( index, array );
		}
		return cache.get( index );
	};
	return { json, values, size: bytes.length };
}

/** A channel's value at a time: held before the first key and after the last, in steps or along straight lines between. */
function sample( glb, sampler, time, width )
{
	const times = glb.values( sampler.input ), values = glb.values( sampler.output );
	let k = 0;
	while ( k + 1 < times.length && times[k + 1] <= time )
	{
		k += 1;
	}
	const next = Math.min( k + 1, times.length - 1 );
	const share = next === k || time <= times[k] || sampler.interpolation === 'STEP' ? 0 : ( time - times[k] ) / ( times[next] - times[k] );
	return Array.from( { length: width }, ( _, i ) => values[k * width + i] * ( 1 - share ) + values[next * width + i] * share );
}

/** What is to be seen at a time: positions of each node whose scale is not zero, by its name. */
export function poseGlb( glb, time )
{
	const { json } = glb;
	const channels = new Map();
	for ( const animation of json.animations ?? [] )
	{
		for ( const channel of animation.channels )
		{
			const key = `${channel.target.node} ${channel.target.path}`;
			if ( channels.has( key ) )
			{
				throw new Error( `two channels for ${key}` );
			}
			channels.set( key, animation.samplers[channel.sampler] );
		}
	}
	const shown = new Map();
	json.nodes.forEach( ( node, index ) =>
	{
		const sampler = ( name ) => channels.get( `${index} ${name}` );
		const scale = sampler( 'scale' ) !== undefined ? sample( glb, sampler( 'scale' ), time, 3 ) : node.scale ?? [ 1, 1, 1 ];
		if ( scale[0] === 0 )
		{
			return;
		}
		const mesh = json.meshes[node.mesh], primitive = mesh.primitives[0], targets = primitive.targets ?? [];
		const positions = Array.from( glb.values( primitive.attributes.POSITION ) );
		const weights = sampler( 'weights' ) !== undefined ? sample( glb, sampler( 'weights' ), time, targets.length ) : mesh.weights ?? [];
		targets.forEach( ( target, t ) =>
		{
			if ( weights[t] !== 0 )
			{
				glb.values( target.POSITION ).forEach( ( value, i ) => positions[i] += weights[t] * value );
			}
		} );
		shown.set( node.name, { positions, triangles: glb.values( primitive.indices ) } );
	} );
	return shown;
}

/** Bodies of a pose one after another, in the order of their numbers: as the other formats have them. */
export function joinBodies( pose )
{
	const numbers = [ ...pose.keys() ].filter( ( name ) => name.startsWith( 'body_' ) ).map( ( name ) => [ Number( /^body_(\d+)/.exec( name )[1] ), name ] );
	numbers.sort( ( a, b ) => a[0] - b[0] );
	const all = new Set( numbers.map( ( [ number ] ) => number ) );
	if ( all.size !== numbers.length )
	{
		throw new Error( `a body is shown twice: ${numbers.map( ( [ , name ] ) => name ).join( ' ' )}` );
	}
	return numbers.flatMap( ( [ , name ] ) => pose.get( name ).positions );
}

export function largestDifference( a, b )
{
	let largest = 0;
	for ( let i = 0; i < a.length; ++i )
	{
		largest = Math.max( largest, Math.abs( a[i] - b[i] ) );
	}
	return Number.isNaN( largest ) ? Infinity : largest;
}
