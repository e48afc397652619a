// meshes.mjs - one small solid of our own in each format that can be dropped: a wedge with seams, so that welding matters. Knows no page.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT

const points = [ [ 0, 0, 0 ], [ 30, 0, 0 ], [ 30, 0, 20 ], [ 0, 0, 20 ], [ 0, 12, 0 ], [ 0, 12, 20 ], [ 30, 5, 0 ], [ 30, 5, 20 ] ]; // of no particular unit
const triangles = [
	[ 0, 1, 2 ], [ 0, 2, 3 ], [ 4, 5, 7 ], [ 4, 7, 6 ], [ 0, 3, 5 ], [ 0, 5, 4 ], [ 1, 6, 7 ], [ 1, 7, 2 ], [ 0, 4, 6 ], [ 0, 6, 1 ], [ 3, 2, 7 ], [ 3, 7, 5 ],
];

export const obj = () => [ ...points.map( ( p ) => `v ${p.join( ' ' )}` ), ...triangles.map( ( t ) => `f ${t.map( ( i ) => i + 1 ).join( ' ' )}` ) ].join( '\n' ) + '\n';

export const ply = () => [
	'ply', 'format ascii 1.0', `element vertex ${points.length}`, 'property float x', 'property float y', 'property float z',
	`element face ${triangles.length}`, 'property list uchar int vertex_indices', 'end_header',
	...points.map( ( p ) => p.join( ' ' ) ), ...triangles.map( ( t ) => `3 ${t.join( ' ' )}` ),
].join( '\n' ) + '\n';

/** Every triangle has corners of its own: all edges are seams. */
export const stl = () => [
	'solid wedge',
	...triangles.flatMap( ( t ) => [ 'facet normal 0 0 0', 'outer loop', ...t.map( ( i ) => `vertex ${points[i].join( ' ' )}` ), 'endloop', 'endfacet' ] ),
	'endsolid wedge',
].join( '\n' ) + '\n';

/** change: makes another file of it, whose parts are no longer all there. */
export function glb( change = () => {} )
{
	const positions = new Float32Array( points.flat() ), indices = new Uint16Array( triangles.flat() );
	const binary = Buffer.concat( [ Buffer.from( positions.buffer ), Buffer.from( indices.buffer ) ] );
	const json = {
		asset: { version: '2.0' }, scene: 0, scenes: [ { nodes: [ 0 ] } ], nodes: [ { mesh: 0, scale: [ 1e-3, 1e-3, 1e-3 ] } ],
		meshes: [ { primitives: [ { attributes: { POSITION: 0 }, indices: 1 } ] } ],
		accessors: [
			{ bufferView: 0, componentType: 5126, count: points.length, type: 'VEC3', min: [ 0, 0, 0 ], max: [ 30, 12, 20 ] },
			{ bufferView: 1, componentType: 5123, count: indices.length, type: 'SCALAR' },
		],
		bufferViews: [ { buffer: 0, byteOffset: 0, byteLength: positions.byteLength }, { buffer: 0, byteOffset: positions.byteLength, byteLength: indices.byteLength } ],
		buffers: [ { byteLength: binary.length } ],
	};
	change( json );
	const pad = ( bytes, fill ) => Buffer.concat( [ bytes, Buffer.alloc( ( 4 - bytes.length % 4 ) % 4, fill ) ] );
	const chunk = ( bytes, type ) =>
	{
		const head = Buffer.alloc( 8 );
		head.writeUInt32LE( bytes.length, 0 );
		head.write( type, 4, 'latin1' );
		return Buffer.concat( [ head, bytes ] );
	};
	const body = Buffer.concat( [ chunk( pad( Buffer.from( JSON.stringify( json ) ), 0x20 ), 'JSON' ), chunk( pad( binary, 0 ), 'BIN\0' ) ] );
	const head = Buffer.alloc( 12 );
	head.write( 'glTF', 0, 'latin1' );
	head.writeUInt32LE( 2, 4 );
	head.writeUInt32LE( 12 + body.length, 8 );
	return Buffer.concat( [ head, body ] );
}
