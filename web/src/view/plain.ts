// plain.ts - floor and shadows that cost next to nothing, for machines that draw without a graphics card. Knows no bodies, only where something stands.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
import * as THREE from 'three';
import type { Vec3 } from './vec.ts';

const most = 512; // shadows at once
const rings = [ 0, 0.14, 0.32 ]; // radii of the floor, in parts of its whole: even within, then fading

/** A floor that fades into the sky, by the colours of its vertices alone. */
export class PlainFloor
{
	readonly mesh: THREE.Mesh<THREE.BufferGeometry, THREE.MeshBasicMaterial>;

	constructor()
	{
		const geometry = new THREE.RingGeometry( 0, rings[2], 48, 2 ), places = geometry.getAttribute( 'position' );
		for ( let i = 0; i < places.count; ++i )
		{
			const ring = Math.floor( i / 49 ), length = Math.hypot( places.getX( i ), places.getY( i ) );
			if ( length > 0 )
			{
				places.setXY( i, places.getX( i ) * rings[ring] / length, places.getY( i ) * rings[ring] / length );
			}
		}
		geometry.setAttribute( 'color', new THREE.BufferAttribute( new Float32Array( 3 * places.count ), 3 ) );
		this.mesh = new THREE.Mesh( geometry, new THREE.MeshBasicMaterial( { vertexColors: true, toneMapped: false } ) );
		this.mesh.rotation.x = -0.5 * Math.PI;
		this.mesh.renderOrder = -2;
	}

	setColors( floor: number, sky: number ): void
	{
		const colors = this.mesh.geometry.getAttribute( 'color' ), inner = new THREE.Color( floor ), outer = new THREE.Color( sky );
		for ( let i = 0; i < colors.count; ++i )
		{
			const color = i < 2 * 49 ? inner : outer;
			colors.setXYZ( i, color.r, color.g, color.b );
		}
		colors.needsUpdate = true;
	}
}

/** A dark spot on the floor below each thing, the fainter the higher it is. */
export class PlainShadows
{
	readonly mesh: THREE.InstancedMesh<THREE.CircleGeometry, THREE.MeshBasicMaterial>;
	private readonly place = new THREE.Matrix4();

	constructor()
	{
		const geometry = new THREE.CircleGeometry( 1, 20 ), colors = new Float32Array( 4 * geometry.getAttribute( 'position' ).count );
		colors[3] = 0.42; // its middle; the rim is clear
		geometry.setAttribute( 'color', new THREE.BufferAttribute( colors, 4 ) );
		geometry.rotateX( -0.5 * Math.PI );
		this.mesh = new THREE.InstancedMesh( geometry, new THREE.MeshBasicMaterial( { vertexColors: true, transparent: true, depthWrite: false, toneMapped: false } ), most );
		this.mesh.renderOrder = -1;
		this.mesh.frustumCulled = false;
		this.mesh.count = 0;
	}

	show( things: { center: Vec3; extent: number }[], ground: number, size: number ): void
	{
		let count = 0;
		for ( const { center, extent } of things )
		{
			const height = Math.max( 0, center[1] - ground - 0.5 * extent ) / Math.max( extent, 1e-6 ); // in sizes of its own, about
			const radius = 0.62 * extent * Math.max( 0, 1 - 0.35 * height );
			if ( count < most && radius > 0 && center[1] > ground )
			{
				// A little to the right, where the light does not come from
				this.place.makeScale( radius, 1, radius ).setPosition( center[0] + 0.08 * extent, ground + 0.0008 * size, center[2] );
				this.mesh.setMatrixAt( count, this.place );
				count += 1;
			}
		}
		this.mesh.count = count;
		this.mesh.instanceMatrix.needsUpdate = true;
	}
}
