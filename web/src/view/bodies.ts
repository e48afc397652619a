// bodies.ts - soft bodies and hard shapes as three.js meshes, from frames. Positions stay quantised: the mesh's place and scale undo it on the GPU.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
import * as THREE from 'three';
import { nameOf, type Body, type Frame, type Id, type Motion, type Shape, type Vec3 } from '../link/frame.ts';
import type { Shading } from '../link/link.ts';
import { lookOf, Looks, makeShaded, type Look } from './looks.ts';

interface DrawnPart
{
	mesh: THREE.Mesh | THREE.Points;
	colors: number[]; // of the groups
}

interface DrawnBody
{
	id: Id;
	group: THREE.Group;
	parts: DrawnPart[];
	values: number[] | null; // of its material
	look: Look;
	pointCount: number;
	center: Vec3;
	extent: number;
}

/** Triangles of one number after another, so that each number can have its colour. */
function sortTriangles( body: Body, index: number ): { order: Uint32Array; groups: { start: number; count: number; color: number }[] }
{
	const part = body.parts[index];
	const order = new Uint32Array( part.triangles.length );
	const groups: { start: number; count: number; color: number }[] = [];
	let filled = 0;
	for ( let number = 0; number < 4; ++number )
	{
		const start = filled;
		for ( let t = 0; t < part.numbers.length; ++t )
		{
			if ( part.numbers[t] === number )
			{
				order.set( part.triangles.subarray( 3 * t, 3 * t + 3 ), filled );
				filled += 3;
			}
		}
		if ( filled > start )
		{
			groups.push( { start, count: filled - start, color: part.colors[number] } );
		}
	}
	return { order, groups };
}

export class Bodies
{
	readonly group = new THREE.Group();
	private readonly looks = new Looks();
	private readonly bodies = new Map<string, DrawnBody>();
	private readonly shapes = new Map<string, THREE.Mesh>();
	private readonly shaded = { scale: makeShaded( 'scale' ), around: makeShaded( 'around' ), clusters: makeShaded( 'clusters' ) };
	private highlighted = '';
	private shading: Shading = 'none';
	/** The highest level plane, or null. */
	floor: number | null = null;

	get count(): number
	{
		return this.bodies.size;
	}
	get( id: Id ): { center: Vec3; extent: number; values: number[] | null; pointCount: number } | undefined
	{
		return this.bodies.get( nameOf( id ) );
	}
	list(): { id: Id; center: Vec3; extent: number; values: number[] | null }[]
	{
		return [ ...this.bodies.values() ];
	}
	/** Closed, and with how many triangles: for whoever wants to know. */
	meshes(): THREE.Object3D[]
	{
		return [ ...this.bodies.values() ].map( ( body ) => body.group );
	}

	clear(): void
	{
		for ( const body of this.bodies.values() )
		{
			this.dispose( body );
		}
		this.bodies.clear();
		for ( const shape of this.shapes.values() )
		{
			this.group.remove( shape );
			shape.geometry.dispose();
		}
		this.shapes.clear();
		this.floor = null;
	}

	private dispose( body: DrawnBody ): void
	{
		this.group.remove( body.group );
		for ( const part of body.parts )
		{
			part.mesh.geometry.dispose();
		}
	}

	/** The first thing that a ray meets, by what is drawn. */
	meet( caster: THREE.Raycaster ): { what: 'body' | 'shape'; id: Id; position: Vec3; normal: Vec3; distance: number } | null
	{
		this.group.updateMatrixWorld();
		const hit = caster.intersectObject( this.group, true )[0];
		if ( hit === undefined )
		{
			return null;
		}
		const body = [ ...this.bodies.values() ].find( ( one ) => one.group === hit.object.parent );
		const normal = hit.face !== null && hit.face !== undefined ? hit.face.normal.clone().transformDirection( hit.object.matrixWorld ) : caster.ray.direction.clone().negate();
		return {
			what: body !== undefined ? 'body' : 'shape', id: body?.id ?? { index: 0, generation: 0 }, distance: hit.distance,
			position: [ hit.point.x, hit.point.y, hit.point.z ], normal: [ normal.x, normal.y, normal.z ],
		};
	}

	setPlain( plain: boolean ): void
	{
		this.looks.plain = plain;
		this.bodies.forEach( ( body ) => this.paint( body ) );
	}

	setShading( shading: Shading ): void
	{
		this.shading = shading;
	}

	highlight( id: Id | null ): void
	{
		const name = id === null ? '' : nameOf( id );
		if ( name !== this.highlighted )
		{
			const before = this.bodies.get( this.highlighted ), now = this.bodies.get( name );
			this.highlighted = name;
			for ( const body of [ before, now ] )
			{
				if ( body !== undefined )
				{
					this.paint( body );
				}
			}
		}
	}

	private paint( body: DrawnBody ): void
	{
		const isShaded = this.shading !== 'none' && this.shading !== 'contact';
		for ( const part of body.parts )
		{
			if ( part.mesh instanceof THREE.Points )
			{
				continue;
			}
			if ( isShaded && part.mesh.geometry.hasAttribute( 'shade' ) )
			{
				part.mesh.material = this.shading === 'stretch' ? this.shaded.around : this.shading === 'clusters' ? this.shaded.clusters : this.shaded.scale;
				continue;
			}
			const glows = nameOf( body.id ) === this.highlighted;
			part.mesh.material = part.colors.map( ( color ) => this.looks.get( body.look, color, glows ) );
		}
	}

	private addBody( body: Body ): void
	{
		const name = nameOf( body.id ), old = this.bodies.get( name );
		if ( old !== undefined )
		{
			this.dispose( old );
		}
		const origin = this.bodies.get( nameOf( body.from ) ) ?? old;
		const group = new THREE.Group();
		const parts = body.parts.map( ( part, index ): DrawnPart =>
		{
			const geometry = new THREE.BufferGeometry();
			geometry.setAttribute( 'position', new THREE.BufferAttribute( new Uint16Array( 3 * part.vertexCount ), 3, true ) );
			geometry.setAttribute( 'normal', new THREE.BufferAttribute( new Int16Array( 3 * part.vertexCount ), 3, true ) );
			geometry.boundingSphere = new THREE.Sphere( new THREE.Vector3( 0.5, 0.5, 0.5 ), 0.87 );
			if ( part.triangles.length === 0 )
			{
				const points = new THREE.Points( geometry, new THREE.PointsMaterial( { color: part.colors[0], size: 0.04 } ) );
				group.add( points );
				return { mesh: points, colors: [ part.colors[0] ] };
			}
			const { order, groups } = sortTriangles( body, index );
			geometry.setIndex( new THREE.BufferAttribute( order, 1 ) );
			groups.forEach( ( one, k ) => geometry.addGroup( one.start, one.count, k ) );
			const mesh = new THREE.Mesh( geometry );
			mesh.castShadow = true;
			mesh.receiveShadow = true;
			group.add( mesh );
			return { mesh, colors: groups.map( ( one ) => one.color ) };
		} );
		this.group.add( group );
		const drawn: DrawnBody = {
			id: body.id, group, parts, values: origin?.values ?? null, look: origin?.look ?? 'rubber', pointCount: body.pointCount,
			center: [ 0, 0, 0 ], extent: 0,
		};
		this.bodies.set( name, drawn );
		this.paint( drawn );
	}

	private move( motion: Motion ): void
	{
		const body = this.bodies.get( nameOf( motion.id ) );
		if ( body === undefined )
		{
			return;
		}
		const extent = Math.max( motion.extent, 1e-6 );
		body.group.position.set( ...motion.origin );
		body.group.scale.setScalar( extent );
		body.extent = extent;
		let repaint = false;
		const upper = [ 0, 0, 0 ];
		motion.parts.forEach( ( part, i ) =>
		{
			const geometry = body.parts[i].mesh.geometry;
			const positions = geometry.getAttribute( 'position' ) as THREE.BufferAttribute, normals = geometry.getAttribute( 'normal' ) as THREE.BufferAttribute;
			positions.array = part.positions;
			positions.needsUpdate = true;
			normals.array = part.normals;
			normals.needsUpdate = true;
			if ( part.shades !== null )
			{
				if ( geometry.hasAttribute( 'shade' ) === false )
				{
					geometry.setAttribute( 'shade', new THREE.BufferAttribute( new Uint8Array( part.shades.length ), 1, true ) );
					repaint = true;
				}
				const shades = geometry.getAttribute( 'shade' ) as THREE.BufferAttribute;
				shades.array = part.shades;
				shades.needsUpdate = true;
			}
			if ( i === 0 )
			{
				const stride = 3 * Math.max( 1, Math.floor( part.positions.length / 300 ) );
				for ( let k = 0; k + 2 < part.positions.length; k += stride )
				{
					for ( let a = 0; a < 3; ++a )
					{
						upper[a] = Math.max( upper[a], part.positions[k + a] );
					}
				}
			}
		} );
		body.center = [ 0, 1, 2 ].map( ( a ) => motion.origin[a] + 0.5 * extent * upper[a] / 65535 ) as Vec3;
		if ( repaint )
		{
			this.paint( body );
		}
	}

	private addShape( shape: Shape ): void
	{
		const name = nameOf( shape.id );
		if ( shape.kind === 0 && shape.triangles.length === 0 )
		{
			this.floor = Math.max( this.floor ?? -Infinity, shape.position[1] );
			return;
		}
		const geometry = new THREE.BufferGeometry();
		geometry.setAttribute( 'position', new THREE.BufferAttribute( shape.vertices, 3 ) );
		geometry.setAttribute( 'normal', new THREE.BufferAttribute( shape.normals, 3 ) );
		geometry.setIndex( new THREE.BufferAttribute( shape.triangles, 1 ) );
		const isWall = shape.kind === 0, isHand = shape.owner !== 0;
		const material = new THREE.MeshLambertMaterial( {
			color: shape.color, side: isWall ? THREE.FrontSide : THREE.DoubleSide, transparent: isHand || isWall, opacity: isHand ? 0.75 : isWall ? 0.5 : 1,
			depthWrite: isWall === false,
		} );
		const mesh = new THREE.Mesh( geometry, material );
		mesh.castShadow = mesh.receiveShadow = isWall === false; // with shadows of this kind (VSM) what receives one casts one: a wall that one looks through would darken the floor
		mesh.position.set( ...shape.position );
		mesh.quaternion.set( ...shape.turn );
		this.group.add( mesh );
		this.shapes.set( name, mesh );
	}

	/** Takes what is new in a frame. */
	take( frame: Frame ): void
	{
		if ( frame.fresh )
		{
			this.clear();
		}
		for ( const body of frame.bodies )
		{
			this.addBody( body );
		}
		for ( const id of frame.gone )
		{
			const body = this.bodies.get( nameOf( id ) );
			if ( body !== undefined )
			{
				this.dispose( body );
				this.bodies.delete( nameOf( id ) );
			}
		}
		for ( const { id, values } of frame.materials )
		{
			const body = this.bodies.get( nameOf( id ) );
			if ( body !== undefined )
			{
				body.values = values;
				body.look = lookOf( values );
				this.paint( body );
			}
		}
		for ( const motion of frame.motions )
		{
			this.move( motion );
		}
		for ( const shape of frame.shapes )
		{
			this.addShape( shape );
		}
		for ( const id of frame.shapesGone )
		{
			const shape = this.shapes.get( nameOf( id ) );
			if ( shape !== undefined )
			{
				this.group.remove( shape );
				shape.geometry.dispose();
				this.shapes.delete( nameOf( id ) );
			}
		}
		for ( const { id, position, turn } of frame.shapeMotions )
		{
			const shape = this.shapes.get( nameOf( id ) );
			shape?.position.set( ...position );
			shape?.quaternion.set( ...turn );
		}
	}

	/** After the shading was changed and frames with it have come. */
	repaint(): void
	{
		for ( const body of this.bodies.values() )
		{
			if ( this.shading === 'none' || this.shading === 'contact' )
			{
				body.parts.forEach( ( part ) => part.mesh.geometry.deleteAttribute( 'shade' ) );
			}
			this.paint( body );
		}
	}
}
