// looks.ts - what a material looks like: jelly, rubber, clay, flesh, wood, steel. Knows three.js and the fields of a material, no bodies.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
import * as THREE from 'three';
import { materialFields } from '../link/frame.ts';

export type Look = 'jelly' | 'rubber' | 'flesh' | 'foam' | 'clay' | 'wood' | 'steel' | 'hard';

const at = ( values: number[], name: typeof materialFields[number] ): number => values[materialFields.indexOf( name )];

/** The one that its numbers are most like. */
export function lookOf( values: number[] ): Look
{
	if ( at( values, 'density' ) > 4000 )
	{
		return 'steel';
	}
	if ( at( values, 'mode' ) === 0 )
	{
		return 'hard';
	}
	if ( at( values, 'density' ) < 200 )
	{
		return 'foam';
	}
	if ( at( values, 'yield' ) > 0 )
	{
		return 'clay';
	}
	if ( at( values, 'hertz' ) > 20 && at( values, 'stretch' ) < 0.2 )
	{
		return 'wood';
	}
	if ( at( values, 'hertz' ) < 9 && at( values, 'damping' ) < 0.1 )
	{
		return 'jelly';
	}
	return at( values, 'hertz' ) < 8 ? 'flesh' : 'rubber';
}

interface Surface
{
	roughness: number;
	clearcoat: number;
	metalness: number;
	opacity: number;
	glow: number; // light that seems to come through its rim
}

const surfaces: Record<Look, Surface> = {
	jelly: { roughness: 0.12, clearcoat: 1, metalness: 0, opacity: 0.88, glow: 0.4 },
	rubber: { roughness: 0.42, clearcoat: 0.35, metalness: 0, opacity: 1, glow: 0.08 },
	flesh: { roughness: 0.5, clearcoat: 0.25, metalness: 0, opacity: 1, glow: 0.18 },
	foam: { roughness: 0.95, clearcoat: 0, metalness: 0, opacity: 1, glow: 0.15 },
	clay: { roughness: 0.9, clearcoat: 0, metalness: 0, opacity: 1, glow: 0.05 },
	wood: { roughness: 0.7, clearcoat: 0.1, metalness: 0, opacity: 1, glow: 0 },
	steel: { roughness: 0.28, clearcoat: 0, metalness: 0.9, opacity: 1, glow: 0 },
	hard: { roughness: 0.35, clearcoat: 0.3, metalness: 0, opacity: 1, glow: 0 },
};

/** Adds the body's own colour towards the rim, as light does that wanders through something soft. */
function letGlow( material: THREE.MeshPhysicalMaterial, glow: number ): void
{
	material.onBeforeCompile = ( shader ) =>
	{
		shader.fragmentShader = shader.fragmentShader.replace(
			'#include <emissivemap_fragment>',
			`#include <emissivemap_fragment>
			float rim = 1.0 - abs( dot( normal, normalize( vViewPosition ) ) );
			totalEmissiveRadiance += diffuseColor.rgb * ( ${glow.toFixed( 3 )} * rim * rim + ${( 0.12 * glow ).toFixed( 3 )} );`,
		);
	};
	material.customProgramCacheKey = () => `glow${glow}`;
}

export class Looks
{
	private readonly made = new Map<string, THREE.Material>();
	/** Cheap ones, for machines that draw without a graphics card. */
	plain = false;

	get( look: Look, color: number, highlighted: boolean ): THREE.Material
	{
		const key = `${look} ${color} ${highlighted} ${this.plain}`;
		let material = this.made.get( key );
		if ( material === undefined )
		{
			material = this.plain
				? new THREE.MeshLambertMaterial( { color, side: THREE.DoubleSide, emissive: color, emissiveIntensity: highlighted ? 0.3 : 0.12 } )
				: Looks.make( look, color, highlighted );
			this.made.set( key, material );
		}
		return material;
	}

	private static make( look: Look, color: number, highlighted: boolean ): THREE.MeshPhysicalMaterial
	{
		const surface = surfaces[look];
		const material = new THREE.MeshPhysicalMaterial( {
			color, roughness: surface.roughness, clearcoat: surface.clearcoat, clearcoatRoughness: 0.25, metalness: surface.metalness,
			transparent: surface.opacity < 1, opacity: surface.opacity, side: THREE.DoubleSide,
			emissive: highlighted ? color : 0, emissiveIntensity: highlighted ? 0.28 : 0,
		} );
		letGlow( material, surface.glow );
		return material;
	}
}

/** For views by number: one material for all, its colour from each vertex's shade. */
export function makeShaded( kind: 'scale' | 'around' | 'clusters' ): THREE.MeshLambertMaterial
{
	const material = new THREE.MeshLambertMaterial( { side: THREE.DoubleSide } );
	const ramps = {
		// from still to most: deep blue, green, yellow, red
		scale: 'mix( mix( vec3( 0.10, 0.16, 0.42 ), vec3( 0.13, 0.57, 0.55 ), smoothstep( 0.0, 0.33, s ) ), mix( vec3( 0.98, 0.80, 0.22 ), vec3( 0.83, 0.16, 0.16 ), smoothstep( 0.66, 1.0, s ) ), smoothstep( 0.33, 0.66, s ) )',
		// pressed blue, at rest pale, drawn red
		around: 's < 0.5 ? mix( vec3( 0.10, 0.25, 0.75 ), vec3( 0.88, 0.87, 0.84 ), smoothstep( 0.1, 0.5, s ) ) : mix( vec3( 0.88, 0.87, 0.84 ), vec3( 0.78, 0.10, 0.12 ), smoothstep( 0.5, 0.85, s ) )',
		// a golden angle of hue for each
		clusters: '0.36 + 0.34 * cos( 6.2832 * ( fract( 0.618 * floor( s * 255.0 + 0.5 ) ) + vec3( 0.0, 0.33, 0.67 ) ) )',
	};
	material.onBeforeCompile = ( shader ) =>
	{
		shader.vertexShader = shader.vertexShader
			.replace( '#include <common>', '#include <common>\nattribute float shade;\nvarying float vShade;' )
			.replace( '#include <begin_vertex>', '#include <begin_vertex>\nvShade = shade;' );
		shader.fragmentShader = shader.fragmentShader
			.replace( '#include <common>', '#include <common>\nvarying float vShade;' )
			.replace( '#include <color_fragment>', `#include <color_fragment>\nfloat s = vShade;\ndiffuseColor.rgb = ${ramps[kind]};` );
	};
	material.customProgramCacheKey = () => `shaded ${kind}`;
	return material;
}
