// ghosts.ts - what is shown but is not there: rings, balls, lines, sheets, arrows. Set anew for each frame. Knows no tools.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
import * as THREE from 'three';
import { length, sub, unit, type Vec3 } from './vec.ts';

const up = new THREE.Vector3( 0, 1, 0 );

/** Things of one kind; those not asked for again in a frame are hidden. */
class Pool<T extends THREE.Object3D>
{
	private readonly things: T[] = [];
	private used = 0;
	constructor( private readonly group: THREE.Group, private readonly make: () => T ) {}
	begin(): void
	{
		this.used = 0;
	}
	next(): T
	{
		if ( this.used === this.things.length )
		{
			const thing = this.make();
			thing.renderOrder = 10;
			this.things.push( thing );
			this.group.add( thing );
		}
		const thing = this.things[this.used++];
		thing.visible = true;
		return thing;
	}
	end(): void
	{
		for ( let i = this.used; i < this.things.length; ++i )
		{
			this.things[i].visible = false;
		}
	}
}

const flat = ( opacity: number, throughAll = true ) => new THREE.MeshBasicMaterial( {
	transparent: true, opacity, depthTest: throughAll === false, depthWrite: false, side: THREE.DoubleSide,
} );

export class Ghosts
{
	readonly group = new THREE.Group();
	private readonly balls = new Pool( this.group, () => new THREE.Mesh( new THREE.SphereGeometry( 1, 32, 20 ), flat( 0.35, false ) ) );
	private readonly dots = new Pool( this.group, () => new THREE.Mesh( new THREE.SphereGeometry( 1, 16, 12 ), flat( 0.95 ) ) );
	private readonly rings = new Pool( this.group, () => new THREE.Mesh( new THREE.TorusGeometry( 1, 0.035, 8, 64 ), flat( 0.9 ) ) );
	private readonly rods = new Pool( this.group, () => new THREE.Mesh( new THREE.CylinderGeometry( 1, 1, 1, 12 ), flat( 0.85 ) ) );
	private readonly tips = new Pool( this.group, () => new THREE.Mesh( new THREE.ConeGeometry( 1, 2.4, 16 ), flat( 0.9 ) ) );
	private readonly sheets = new Pool( this.group, () =>
	{
		const geometry = new THREE.BufferGeometry();
		geometry.setAttribute( 'position', new THREE.BufferAttribute( new Float32Array( 12 ), 3 ) );
		geometry.setIndex( [ 0, 1, 2, 0, 2, 3 ] );
		const mesh = new THREE.Mesh( geometry, flat( 0.28, false ) );
		mesh.frustumCulled = false;
		return mesh;
	} );
	private readonly all = [ this.balls, this.dots, this.rings, this.rods, this.tips, this.sheets ];

	begin(): void
	{
		this.all.forEach( ( pool ) => pool.begin() );
	}
	end(): void
	{
		this.all.forEach( ( pool ) => pool.end() );
	}
	private static tint( mesh: THREE.Mesh, color: number, opacity?: number ): void
	{
		const material = mesh.material as THREE.MeshBasicMaterial;
		material.color.setHex( color );
		if ( opacity !== undefined )
		{
			material.opacity = opacity;
		}
	}
	ball( center: Vec3, radius: number, color: number, opacity = 0.35 ): void
	{
		const ball = this.balls.next();
		ball.position.set( ...center );
		ball.scale.setScalar( radius );
		Ghosts.tint( ball, color, opacity );
	}
	dot( center: Vec3, radius: number, color: number ): void
	{
		const dot = this.dots.next();
		dot.position.set( ...center );
		dot.scale.setScalar( radius );
		Ghosts.tint( dot, color );
	}
	ring( center: Vec3, normal: Vec3, radius: number, color: number ): void
	{
		const ring = this.rings.next();
		ring.position.set( ...center );
		ring.quaternion.setFromUnitVectors( new THREE.Vector3( 0, 0, 1 ), new THREE.Vector3( ...unit( normal ) ) );
		ring.scale.setScalar( radius );
		Ghosts.tint( ring, color );
	}
	line( from: Vec3, to: Vec3, width: number, color: number ): void
	{
		const way = sub( to, from ), size = length( way );
		if ( size < 1e-5 )
		{
			return;
		}
		const rod = this.rods.next();
		rod.position.set( 0.5 * ( from[0] + to[0] ), 0.5 * ( from[1] + to[1] ), 0.5 * ( from[2] + to[2] ) );
		rod.quaternion.setFromUnitVectors( up, new THREE.Vector3( ...unit( way ) ) );
		rod.scale.set( width, size, width );
		Ghosts.tint( rod, color );
	}
	arrow( from: Vec3, way: Vec3, width: number, color: number ): void
	{
		const size = length( way );
		if ( size < 1e-4 )
		{
			return;
		}
		const to: Vec3 = [ from[0] + way[0], from[1] + way[1], from[2] + way[2] ];
		this.line( from, to, width, color );
		const tip = this.tips.next();
		tip.position.set( ...to );
		tip.quaternion.setFromUnitVectors( up, new THREE.Vector3( ...unit( way ) ) );
		tip.scale.setScalar( 2.6 * width );
		Ghosts.tint( tip, color );
	}
	sheet( corners: [ Vec3, Vec3, Vec3, Vec3 ], color: number, opacity = 0.28 ): void
	{
		const sheet = this.sheets.next();
		const positions = sheet.geometry.getAttribute( 'position' ) as THREE.BufferAttribute;
		corners.forEach( ( corner, i ) => positions.setXYZ( i, ...corner ) );
		positions.needsUpdate = true;
		Ghosts.tint( sheet, color, opacity );
	}
}
