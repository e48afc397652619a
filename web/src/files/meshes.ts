// meshes.ts - a file someone dropped to a mesh of a sensible size: OBJ, PLY, STL, GLB by three's loaders. Knows no rooms and no page.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
import * as THREE from 'three';

export interface Mesh
{
	points: number[][]; // metres
	triangles: number[][];
	simplified: boolean;
}

export const mostBytes = 64 * 1024 * 1024;
const mostTriangles = 24000; // more are merged until there are fewer: nobody sees it, and it stays quick
const usualSize = 0.9; // metres, the longest side

async function load( name: string, bytes: ArrayBuffer ): Promise<THREE.Object3D | undefined>
{
	const wrap = ( geometry: THREE.BufferGeometry ) => new THREE.Mesh( geometry );
	switch ( name.split( '.' ).at( -1 )?.toLowerCase() )
	{
		case 'obj':
		{
			const { OBJLoader } = await import( 'three/examples/jsm/loaders/OBJLoader.js' );
			return new OBJLoader().parse( new TextDecoder().decode( bytes ) );
		}
		case 'ply':
		{
			const { PLYLoader } = await import( 'three/examples/jsm/loaders/PLYLoader.js' );
			return wrap( new PLYLoader().parse( bytes ) );
		}
		case 'stl':
		{
			const { STLLoader } = await import( 'three/examples/jsm/loaders/STLLoader.js' );
			const mesh = wrap( new STLLoader().parse( bytes ) );
			mesh.rotation.x = -0.5 * Math.PI; // what is printed lies with z up
			return mesh;
		}
		case 'glb':
		{
			const { GLTFLoader } = await import( 'three/examples/jsm/loaders/GLTFLoader.js' );
			return ( await new GLTFLoader().parseAsync( bytes, '' ) ).scene;
		}
	}
	throw new Error( `${name} is none of OBJ, PLY, STL, GLB` );
}

/** What a loader means by what it throws: its own words are for whoever wrote it. */
function whyNot( name: string, error: unknown ): Error
{
	const said = error instanceof Error ? error.message : String( error );
	if ( /draco|meshopt/i.test( said ) )
	{
		return new Error( 'its triangles are compressed (Draco or Meshopt), which cannot be read here: save it without compression' );
	}
	if ( /Failed to load buffer/.test( said ) )
	{
		return new Error( 'it refers to another file: save it with everything in one' );
	}
	return new Error( `it is no ${name.split( '.' ).at( -1 )!.toUpperCase()}, or it is cut short or damaged` );
}

/** All triangles of all parts, in one space; places that are equal are one, whatever seams there are. */
function gather( root: THREE.Object3D, cell: number ): Mesh
{
	const points: number[][] = [], triangles: number[][] = [], known = new Map<string, number>();
	const place = new THREE.Vector3();
	root.updateMatrixWorld( true );
	root.traverse( ( thing ) =>
	{
		if ( !( thing instanceof THREE.Mesh ) )
		{
			return;
		}
		const geometry = thing.geometry as THREE.BufferGeometry, positions = geometry.getAttribute( 'position' ), index = geometry.getIndex();
		if ( positions === undefined )
		{
			return;
		}
		const corners = new Int32Array( positions.count );
		for ( let i = 0; i < positions.count; ++i )
		{
			place.fromBufferAttribute( positions, i ).applyMatrix4( thing.matrixWorld );
			if ( Number.isFinite( place.x + place.y + place.z ) === false )
			{
				throw new Error( `vertex ${i} is nowhere: its coordinates are no numbers` );
			}
			const key = `${Math.round( place.x / cell )} ${Math.round( place.y / cell )} ${Math.round( place.z / cell )}`;
			let at = known.get( key );
			if ( at === undefined )
			{
				at = points.length;
				known.set( key, at );
				points.push( [ place.x, place.y, place.z ] );
			}
			corners[i] = at;
		}
		const count = index !== null ? index.count : positions.count;
		for ( let i = 0; i + 2 < count; i += 3 )
		{
			const [ a, b, c ] = [ 0, 1, 2 ].map( ( k ) => corners[index !== null ? index.getX( i + k ) : i + k] );
			if ( a !== b && b !== c && c !== a )
			{
				triangles.push( [ a, b, c ] );
			}
		}
	} );
	return { points, triangles, simplified: false };
}

export async function readMesh( name: string, bytes: ArrayBuffer ): Promise<Mesh>
{
	if ( bytes.byteLength > mostBytes )
	{
		throw new Error( `it has ${Math.round( bytes.byteLength / 1e6 )} MB, and up to 64 can be taken` );
	}
	const root = await load( name, bytes ).catch( ( error: unknown ) =>
	{
		throw whyNot( name, error );
	} );
	if ( root === undefined )
	{
		throw new Error( 'there is no surface in it' ); // a GLB without a scene
	}
	const box = new THREE.Box3().setFromObject( root, true ), size = box.getSize( new THREE.Vector3() );
	const longest = Math.max( size.x, size.y, size.z );
	if ( Number.isFinite( longest ) === false || longest <= 0 )
	{
		throw new Error( 'there is no surface in it' );
	}
	let mesh = gather( root, 1e-6 * longest );
	for ( let cells = 160; mesh.triangles.length > mostTriangles && cells > 16; cells *= 0.75 )
	{
		mesh = { ...gather( root, longest / cells ), simplified: true };
	}
	if ( mesh.triangles.length < 4 || mesh.points.length < 4 )
	{
		throw new Error( 'there is no surface in it' );
	}
	const center = box.getCenter( new THREE.Vector3() ), factor = usualSize / longest;
	const middle = [ center.x, center.y, center.z ];
	mesh.points = mesh.points.map( ( point ) => point.map( ( value, a ) => factor * ( value - middle[a] ) ) );
	return mesh;
}

/** As the room takes it. */
export function solidCommand( name: string, mesh: Mesh ): string
{
	const numbers = ( list: number[][] ) => list.map( ( one ) => one.map( ( value ) => +value.toPrecision( 6 ) ).join( ' ' ) ).join( ' ' );
	return `solid ${name} points ${mesh.points.length} ${numbers( mesh.points )} triangles ${mesh.triangles.length} ${numbers( mesh.triangles )}`;
}

/** A name that a command can have. */
export function solidName( file: string ): string
{
	const plain = file.replace( /\.[^.]*$/, '' ).replace( /[^A-Za-z0-9_-]+/g, '-' ).slice( 0, 24 );
	return `my-${plain || 'thing'}`.slice( 0, 31 );
}
