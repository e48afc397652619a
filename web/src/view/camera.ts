// camera.ts - an eye that goes around a place: turn, shift, come nearer. Knows no pointers.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
import * as THREE from 'three';
import type { Scene, Vec3 } from '../link/frame.ts';

const degree = Math.PI / 180;

export class Eye
{
	readonly camera = new THREE.PerspectiveCamera( 34, 1, 0.02, 400 );
	private readonly target = new THREE.Vector3( 0, 0.4, 0 );
	private azimuth = 22 * degree;
	private elevation = 20 * degree;
	private nearness = 6; // m to the target on a wide screen; further away on one that is narrower than scenes are made for, see distance
	private ground = 0;
	private home: Scene | null = null;

	constructor()
	{
		this.place();
	}

	/** Views of scenes are made for pictures of 4 : 3 and wider: what these show is on a narrow screen too, also after it was turned, or somebody else's link was opened. */
	private get distance(): number
	{
		return this.nearness * Math.max( 1, 1.4 / this.camera.aspect );
	}

	private place(): void
	{
		const flat = Math.cos( this.elevation );
		this.camera.position.set(
			this.target.x + this.distance * flat * Math.sin( this.azimuth ),
			this.target.y + this.distance * Math.sin( this.elevation ),
			this.target.z + this.distance * flat * Math.cos( this.azimuth ),
		);
		this.camera.position.y = Math.max( this.camera.position.y, this.ground + 0.05 );
		this.camera.near = Math.max( 0.01, this.distance / 100 );
		this.camera.far = 60 * this.distance;
		this.camera.lookAt( this.target );
		this.camera.updateProjectionMatrix();
		this.camera.updateMatrixWorld();
	}

	/** From where a scene looks well. */
	goHome( scene: Scene | null ): void
	{
		this.home = scene ?? this.home;
		if ( this.home === null )
		{
			return;
		}
		this.target.set( ...this.home.target );
		this.azimuth = this.home.azimuth * degree;
		// A tall screen is filled by looking from higher up.
		this.elevation = Math.min( 70, this.home.elevation + 36 * Math.max( 0, 0.9 - this.camera.aspect ) ) * degree;
		this.nearness = 0.9 * this.home.distance; // theirs are told for a lens of about 30 degrees
		this.ground = this.home.ground;
		this.place();
	}

	setAspect( aspect: number ): void
	{
		this.camera.aspect = aspect;
		this.place();
	}

	/** In parts of the view's height. */
	turn( dx: number, dy: number ): void
	{
		this.azimuth -= 3.2 * dx;
		this.elevation = Math.min( 1.5, Math.max( -0.3, this.elevation + 3.2 * dy ) );
		this.place();
	}

	shift( dx: number, dy: number ): void
	{
		const size = 2 * this.distance * Math.tan( 0.5 * this.camera.fov * degree );
		const right = new THREE.Vector3().setFromMatrixColumn( this.camera.matrixWorld, 0 ), up = new THREE.Vector3().setFromMatrixColumn( this.camera.matrixWorld, 1 );
		this.target.addScaledVector( right, -dx * size ).addScaledVector( up, dy * size );
		this.place();
	}

	zoom( factor: number ): void
	{
		this.nearness = Math.min( 200, Math.max( 0.15, this.nearness * factor ) );
		this.place();
	}

	get settings(): number[]
	{
		return [ this.target.x, this.target.y, this.target.z, this.azimuth, this.elevation, this.nearness ].map( ( value ) => +value.toFixed( 3 ) );
	}
	set settings( values: number[] )
	{
		if ( values.length === 6 && values.every( Number.isFinite ) )
		{
			this.target.set( values[0], values[1], values[2] );
			this.azimuth = values[3];
			this.elevation = values[4];
			this.nearness = values[5];
			this.place();
		}
	}
	get goal(): Vec3
	{
		return [ this.target.x, this.target.y, this.target.z ];
	}
	get span(): number
	{
		return this.distance;
	}
}
