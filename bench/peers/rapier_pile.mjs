// rapier_pile.mjs - the pile in Rapier's shape-matched soft bodies. Knows no other engine.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
import RAPIER from '@dimforge/rapier3d-compat';

const wallThickness = 2;
const particleRadius = 0.02; // its contact thickness

// All that Rapier does to notice and undo tangles, and its extra substeps after hard hits.
function switchRecoveryOff( parameters )
{
	const recovery = parameters.softBodiesRecovery;
	for ( const [ name, value ] of Object.entries( recovery ) )
	{
		if ( value === true )
		{
			recovery[name] = false;
		}
	}
	parameters.softBodiesRecovery = recovery;
	parameters.softBodiesMaxExtraSubsteps = 0;
}

export async function createRapier( scene, { hertz, dampingRatio, friction, hasRecovery } )
{
	await RAPIER.init();
	const world = new RAPIER.World( { x: 0, y: -9.81, z: 0 } );
	world.timestep = 1 / 60;
	if ( hasRecovery === false )
	{
		switchRecoveryOff( world.integrationParameters );
	}

	const half = scene.halfWidth, t = wallThickness, high = 50;
	const boxes = [
		[ half + 2 * t, t, half + 2 * t, 0, -t, 0 ],
		[ t, high, half + 2 * t, half + t, high, 0 ],
		[ t, high, half + 2 * t, -half - t, high, 0 ],
		[ half + 2 * t, high, t, 0, high, half + t ],
		[ half + 2 * t, high, t, 0, high, -half - t ],
	];
	for ( const [ hx, hy, hz, x, y, z ] of boxes )
	{
		world.createCollider( RAPIER.ColliderDesc.cuboid( hx, hy, hz ).setTranslation( x, y, z ).setFriction( friction ) );
	}

	const material = RAPIER.SoftBodyMaterial.uniform( hertz, dampingRatio );
	const bodies = scene.bodies.map( ( { points, triangles, velocity } ) =>
	{
		const desc = new RAPIER.SoftBodyDesc( points ).setSurface( triangles ).setShapeMatching( true ).setMaterial( material )
			.setParticleRadius( particleRadius ).setMass( 1 ).setCanSleep( false ) // its mass does not matter: all are equal
			.setSurfaceCollider( RAPIER.ColliderDesc.ball( 1 ).setFriction( friction ) ); // its shape is replaced
		const body = world.createSoftBody( desc );
		if ( velocity.some( ( v ) => v !== 0 ) )
		{
			for ( let i = 0; i < body.numParticles(); ++i )
			{
				body.setParticleVelocity( i, { x: velocity[0], y: velocity[1], z: velocity[2] } );
			}
		}
		return body;
	} );
	return {
		version: `Rapier ${RAPIER.version()}`,
		step: () => world.step(),
		write: ( positions ) => bodies.forEach( ( body, b ) => positions.set( body.particlePositions(), 3 * scene.bodies[b].first ) ),
	};
}
