// view.ts - the picture: light, floor, bodies, ghosts, and rays through its pixels. Knows no tools and no link.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
import * as THREE from 'three';
import { RoomEnvironment } from 'three/examples/jsm/environments/RoomEnvironment.js';
import type { Contact, Frame, Id } from '../link/frame.ts';
import { Aside } from './aside.ts';
import { Bodies } from './bodies.ts';
import { Eye } from './camera.ts';
import { Ghosts } from './ghosts.ts';
import { PlainFloor, PlainShadows } from './plain.ts';
import type { Ray, Vec3 } from './vec.ts';

interface Theme
{
	sky: number;
	floor: number;
	plainFloor: number; // as it looks, without light on it
	light: number;
	fill: number;
}
const themes: Record<'light' | 'dark', Theme> = {
	light: { sky: 0xe9e3da, floor: 0xcfc6b8, plainFloor: 0xd6cfc4, light: 2.5, fill: 0.2 },
	dark: { sky: 0x1d2026, floor: 0x30343c, plainFloor: 0x272b32, light: 2.3, fill: 0.15 },
};

/** Light from all around, where there are no reflections to bring it. */
const plainFill = 1.4;

/** A floor that fades into the sky towards its rim: no horizon, as in a studio. */
function makeFloor(): THREE.Mesh<THREE.CircleGeometry, THREE.MeshLambertMaterial>
{
	const material = new THREE.MeshLambertMaterial( { transparent: true } ); // it fills most of the picture, so it must be cheap
	material.onBeforeCompile = ( shader ) =>
	{
		shader.vertexShader = shader.vertexShader.replace( '#include <common>', '#include <common>\nvarying vec2 vFlat;' )
			.replace( '#include <begin_vertex>', '#include <begin_vertex>\nvFlat = position.xy;' );
		shader.fragmentShader = shader.fragmentShader.replace( '#include <common>', '#include <common>\nvarying vec2 vFlat;' )
			.replace( '#include <color_fragment>', '#include <color_fragment>\ndiffuseColor.a *= 1.0 - smoothstep( 0.25, 1.0, length( vFlat ) );' );
	};
	const floor = new THREE.Mesh( new THREE.CircleGeometry( 1, 96 ), material );
	floor.rotation.x = -0.5 * Math.PI;
	floor.receiveShadow = true;
	floor.renderOrder = -1;
	return floor;
}

/** Then every pixel is dear. */
function isDrawnBySoftware(): boolean
{
	const gl = document.createElement( 'canvas' ).getContext( 'webgl2' );
	const info = gl?.getExtension( 'WEBGL_debug_renderer_info' );
	const name = info !== null && info !== undefined ? String( gl!.getParameter( info.UNMASKED_RENDERER_WEBGL ) ) : '';
	gl?.getExtension( 'WEBGL_lose_context' )?.loseContext();
	return /swiftshader|llvmpipe|software|basic render/i.test( name );
}

export class View
{
	readonly bodies = new Bodies();
	readonly ghosts = new Ghosts();
	readonly eye = new Eye();
	readonly canvas: HTMLCanvasElement;
	private readonly renderer: THREE.WebGLRenderer;
	private readonly aside: Aside;
	private readonly scene = new THREE.Scene();
	private readonly sun = new THREE.DirectionalLight( 0xfff2e2, 2.6 );
	private readonly sky = new THREE.HemisphereLight( 0xffffff, 0xd8c8b0, 0.55 );
	private readonly floor = makeFloor();
	private readonly plainFloor = new PlainFloor();
	private readonly plainShadows = new PlainShadows();
	private contacts: Contact[] = [];
	private ground = 0;
	private fill = 0.2;
	private reach = 12;
	private cost = 0; // ms a picture takes, about
	private lastDrawn = 0;
	private detail = 2; // 2: all; 1: a coarser grid of pixels; 0: without shadows and shine too; -1: coarser still
	private settled = 0; // pictures since it was changed
	private readonly keepsDetail: boolean;
	private exporter: ( () => Promise<ArrayBuffer> ) | null = null;

	/** detail: kept at this, however long it takes; null: as much as is quick enough here. */
	constructor( holder: HTMLElement, detail: number | null )
	{
		this.keepsDetail = detail !== null;
		const first = detail ?? ( isDrawnBySoftware() ? -1 : 2 );
		this.renderer = new THREE.WebGLRenderer( { antialias: first > 0 } );
		this.canvas = this.renderer.domElement;
		this.aside = new Aside( this.renderer );
		this.renderer.setPixelRatio( Math.min( devicePixelRatio, 2 ) );
		this.renderer.toneMapping = THREE.ACESFilmicToneMapping;
		this.renderer.toneMappingExposure = 0.92;
		this.renderer.shadowMap.enabled = true;
		this.renderer.shadowMap.type = THREE.VSMShadowMap;
		holder.prepend( this.canvas );
		this.sun.castShadow = true;
		this.sun.shadow.mapSize.set( 1024, 1024 );
		this.sun.shadow.radius = 7;
		this.sun.shadow.blurSamples = 14;
		this.sun.shadow.bias = -0.0004;
		this.scene.add( this.sun, this.sun.target, this.sky, this.floor, this.plainFloor.mesh, this.plainShadows.mesh, this.bodies.group, this.ghosts.group );
		this.setTheme( 'light' );
		this.setDetail( first );
		new ResizeObserver( () => this.resize() ).observe( holder );
	}

	setTheme( name: 'light' | 'dark' ): void
	{
		const theme = themes[name];
		this.scene.background = new THREE.Color( theme.sky );
		this.floor.material.color.setHex( theme.floor );
		this.plainFloor.setColors( theme.plainFloor, theme.sky );
		this.sun.intensity = theme.light;
		this.fill = theme.fill;
		this.sky.intensity = this.detail > 0 ? this.fill : plainFill;
		this.scene.environmentIntensity = name === 'dark' ? 0.3 : 0.4;
	}

	private resize(): void
	{
		const holder = this.canvas.parentElement!;
		const width = Math.max( 1, holder.clientWidth ), height = Math.max( 1, holder.clientHeight );
		this.renderer.setSize( width, height );
		this.eye.setAspect( width / height );
	}

	take( frame: Frame ): void
	{
		this.bodies.take( frame );
		if ( frame.scene !== null )
		{
			this.ground = frame.scene.ground;
			this.reach = Math.max( 2, frame.scene.distance );
		}
		this.ground = this.bodies.floor ?? this.ground;
		this.contacts = frame.contacts ?? [];
	}

	/** What takes too long for this machine is left out: a hand that follows matters more than a shadow. */
	private watchCost( now: number ): void
	{
		const passed = now - this.lastDrawn;
		this.lastDrawn = now;
		if ( passed > 400 )
		{
			return; // nothing was to be drawn meanwhile
		}
		this.cost += 0.1 * ( passed - this.cost );
		this.settled += 1;
		if ( this.keepsDetail === false && this.detail > -1 && this.settled > 25 && this.cost > 36 )
		{
			this.setDetail( this.detail - 1 );
		}
	}

	private setDetail( detail: number ): void
	{
		this.detail = detail;
		this.settled = 0;
		this.renderer.setPixelRatio( detail === 2 ? Math.min( devicePixelRatio, 2 ) : detail < 0 ? 0.6 : 1 );
		this.sun.castShadow = detail > 0;
		this.sky.intensity = detail > 0 ? this.fill : plainFill;
		this.bodies.setPlain( detail <= 0 );
		if ( detail > 0 && this.scene.environment === null )
		{
			const makeLight = new THREE.PMREMGenerator( this.renderer );
			this.scene.environment = makeLight.fromScene( new RoomEnvironment(), 0.04 ).texture;
			makeLight.dispose();
		}
		this.floor.visible = detail > 0;
		this.plainFloor.mesh.visible = this.plainShadows.mesh.visible = detail <= 0;
		this.resize();
	}

	/** A picture is under way: another would only wait for it. */
	get isDrawing(): boolean
	{
		return this.aside.isBusy;
	}

	/** Draws; ghosts are added between begin and this. Where drawing is slow the picture comes later, unless it must be there now. isLast: nothing moves any more. */
	draw( now: number, atOnce = false, isLast = false ): void
	{
		this.watchCost( now );
		for ( const contact of this.contacts )
		{
			this.ghosts.dot( contact.position, this.pixels( contact.position ) * ( 2 + Math.min( 5, 1.5 * Math.sqrt( contact.impulse ) ) ), 0xd7263d );
		}
		this.ghosts.end();
		const goal = this.eye.goal;
		this.floor.position.set( goal[0], this.ground, goal[2] );
		this.floor.scale.setScalar( 3.2 * this.reach );
		if ( this.plainFloor.mesh.visible )
		{
			this.plainFloor.mesh.position.copy( this.floor.position );
			this.plainFloor.mesh.scale.copy( this.floor.scale );
			this.plainShadows.show( this.bodies.floor !== null ? this.bodies.list() : [], this.ground, this.reach );
		}
		const half = 0.55 * this.reach;
		this.sun.target.position.set( goal[0], this.ground, goal[2] );
		this.sun.position.set( goal[0] - 0.85 * this.reach, this.ground + 1.35 * this.reach, goal[2] + 0.3 * this.reach ); // from the left: shadows lie where they are seen
		const box = this.sun.shadow.camera;
		if ( box.right !== half )
		{
			box.left = box.bottom = -half;
			box.right = box.top = half;
			box.near = 0.1 * this.reach;
			box.far = 3.5 * this.reach;
			box.updateProjectionMatrix();
		}
		if ( this.detail >= 0 || atOnce )
		{
			this.renderer.render( this.scene, this.eye.camera );
		}
		else
		{
			this.aside.draw( this.scene, this.eye.camera, isLast );
		}
	}

	/** Through a place of the canvas, in CSS pixels. */
	ray( x: number, y: number ): Ray
	{
		const box = this.canvas.getBoundingClientRect();
		const far = new THREE.Vector3( 2 * ( x - box.left ) / box.width - 1, 1 - 2 * ( y - box.top ) / box.height, 0.5 ).unproject( this.eye.camera );
		const from = this.eye.camera.position, way = far.sub( from ).normalize();
		return { origin: [ from.x, from.y, from.z ], direction: [ way.x, way.y, way.z ] };
	}
	/** What a ray meets first of what is drawn. */
	cast( ray: Ray ): { what: 'nothing' | 'body' | 'shape'; id?: Id; position?: Vec3; normal?: Vec3 }
	{
		const caster = new THREE.Raycaster( new THREE.Vector3( ...ray.origin ), new THREE.Vector3( ...ray.direction ) );
		const hit = this.bodies.meet( caster );
		const down = ray.direction[1] < 0 && this.bodies.floor !== null ? ( this.bodies.floor - ray.origin[1] ) / ray.direction[1] : -1;
		if ( down > 0 && ( hit === null || down < hit.distance ) )
		{
			return { what: 'shape', position: [ ray.origin[0] + down * ray.direction[0], ray.origin[1] + down * ray.direction[1], ray.origin[2] + down * ray.direction[2] ], normal: [ 0, 1, 0 ] };
		}
		return hit ?? { what: 'nothing' };
	}
	get forward(): Vec3
	{
		const way = this.eye.camera.getWorldDirection( new THREE.Vector3() );
		return [ way.x, way.y, way.z ];
	}
	/** Where a place is on the page, in CSS pixels. */
	project( place: Vec3 ): [ number, number ]
	{
		const box = this.canvas.getBoundingClientRect();
		const at = new THREE.Vector3( ...place ).project( this.eye.camera );
		return [ box.left + 0.5 * ( at.x + 1 ) * box.width, box.top + 0.5 * ( 1 - at.y ) * box.height ];
	}
	/** How many metres a pixel is at a place. */
	pixels( place: Vec3 ): number
	{
		const distance = this.eye.camera.position.distanceTo( new THREE.Vector3( ...place ) );
		return 2 * distance * Math.tan( 0.5 * this.eye.camera.fov * Math.PI / 180 ) / Math.max( 1, this.canvas.clientHeight );
	}
	get size(): number
	{
		return this.eye.span;
	}
	get floorHeight(): number
	{
		return this.ground;
	}

	/** What is to be seen, as a GLB. The exporter is only loaded when somebody wants it. */
	async exportGlb(): Promise<ArrayBuffer>
	{
		this.exporter ??= async () =>
		{
			const { GLTFExporter } = await import( 'three/examples/jsm/exporters/GLTFExporter.js' );
			const root = new THREE.Scene();
			for ( const group of this.bodies.meshes() )
			{
				const copy = group.clone();
				copy.traverse( ( thing ) =>
				{
					if ( thing instanceof THREE.Mesh )
					{
						// Readers of GLB know floats best.
						const from = thing.geometry as THREE.BufferGeometry, to = new THREE.BufferGeometry();
						for ( const name of [ 'position', 'normal' ] )
						{
							const attribute = from.getAttribute( name );
							const values = new Float32Array( 3 * attribute.count );
							for ( let i = 0; i < attribute.count; ++i )
							{
								values.set( [ attribute.getX( i ), attribute.getY( i ), attribute.getZ( i ) ], 3 * i );
							}
							to.setAttribute( name, new THREE.BufferAttribute( values, 3 ) );
						}
						to.setIndex( from.getIndex()!.clone() );
						from.groups.forEach( ( part ) => to.addGroup( part.start, part.count, part.materialIndex ) );
						thing.geometry = to;
					}
				} );
				root.add( copy );
			}
			return await new GLTFExporter().parseAsync( root, { binary: true } ) as ArrayBuffer;
		};
		return this.exporter();
	}
	get isLost(): boolean
	{
		return this.renderer.getContext().isContextLost();
	}
}
