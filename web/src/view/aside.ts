// aside.ts - draws a picture beside the canvas and shows it once it is finished: where drawing is slow, nothing waits for it. Knows no scene.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
import * as THREE from 'three';

const lookEvery = 4; // ms between two looks whether it is finished

function makeTarget( samples: number ): THREE.WebGLRenderTarget
{
	const target = new THREE.WebGLRenderTarget( 1, 1, { colorSpace: THREE.SRGBColorSpace, samples } );
	// The colours that the canvas would have: three.js gives them to targets that are a screen's own, and keeps others linear.
	( target as unknown as { isXRRenderTarget: boolean } ).isXRRenderTarget = true;
	target.texture.internalFormat = 'RGBA8';
	return target;
}

export class Aside
{
	private readonly rough = makeTarget( 0 );
	private readonly fine = makeTarget( 4 ); // takes twice as long
	private readonly copy = new THREE.Mesh( new THREE.PlaneGeometry( 2, 2 ), new THREE.ShaderMaterial( {
		uniforms: { picture: { value: this.rough.texture } }, depthTest: false, depthWrite: false, toneMapped: false,
		vertexShader: 'varying vec2 at;\nvoid main() { at = uv; gl_Position = vec4( position.xy, 0.0, 1.0 ); }',
		fragmentShader: 'uniform sampler2D picture;\nvarying vec2 at;\nvoid main() { gl_FragColor = texture2D( picture, at ); }',
	} ) );
	private readonly eye = new THREE.Camera();
	isBusy = false;

	constructor( private readonly renderer: THREE.WebGLRenderer )
	{
		this.copy.frustumCulled = false;
	}

	/** Begins a picture; until it is there isBusy is true. isLast: none will follow soon, so its edges may be smooth. */
	draw( scene: THREE.Scene, camera: THREE.Camera, isLast: boolean ): void
	{
		const size = this.renderer.getDrawingBufferSize( new THREE.Vector2() ), target = isLast ? this.fine : this.rough;
		target.setSize( size.x, size.y );
		this.copy.material.uniforms.picture.value = target.texture;
		this.renderer.setRenderTarget( target );
		this.renderer.render( scene, camera );
		this.renderer.setRenderTarget( null );
		const gl = this.renderer.getContext() as WebGL2RenderingContext;
		const fence = gl.fenceSync( gl.SYNC_GPU_COMMANDS_COMPLETE, 0 );
		gl.flush();
		this.isBusy = true;
		const look = (): void =>
		{
			if ( fence !== null && gl.clientWaitSync( fence, 0, 0 ) === gl.TIMEOUT_EXPIRED )
			{
				setTimeout( look, lookEvery );
				return;
			}
			gl.deleteSync( fence );
			this.renderer.render( this.copy, this.eye );
			// The browser may read the canvas back to show it, and would wait for all that was asked for before.
			requestAnimationFrame( () => setTimeout( () => this.isBusy = false ) );
		};
		setTimeout( look, lookEvery );
	}
}
