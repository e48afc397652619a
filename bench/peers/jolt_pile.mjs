// jolt_pile.mjs - the pile in Jolt's soft bodies, which touch the rigid box but not each other. Knows no other engine.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
import initJolt from 'jolt-physics/wasm-compat';

const wallThickness = 2;
const iterationCount = 5; // its default
const compliance = 1e-4; // of edges and bends
const pressure = 30; // n R T: chosen so that bodies at rest keep their volume

function createWorld( Jolt )
{
	const still = 0, moving = 1;
	const settings = new Jolt.JoltSettings();
	settings.mMaxWorkerThreads = 0;
	const objectFilter = new Jolt.ObjectLayerPairFilterTable( 2 );
	objectFilter.EnableCollision( still, moving );
	objectFilter.EnableCollision( moving, moving );
	const layers = new Jolt.BroadPhaseLayerInterfaceTable( 2, 2 );
	layers.MapObjectToBroadPhaseLayer( still, new Jolt.BroadPhaseLayer( 0 ) );
	layers.MapObjectToBroadPhaseLayer( moving, new Jolt.BroadPhaseLayer( 1 ) );
	settings.mObjectLayerPairFilter = objectFilter;
	settings.mBroadPhaseLayerInterface = layers;
	settings.mObjectVsBroadPhaseLayerFilter = new Jolt.ObjectVsBroadPhaseLayerFilterTable( layers, 2, objectFilter, 2 );
	return new Jolt.JoltInterface( settings );
}

function createBox( Jolt, interfaceOfBodies, halfWidth, friction )
{
	const half = halfWidth, t = wallThickness, high = 50;
	const boxes = [
		[ half + 2 * t, t, half + 2 * t, 0, -t, 0 ],
		[ t, high, half + 2 * t, half + t, high, 0 ],
		[ t, high, half + 2 * t, -half - t, high, 0 ],
		[ half + 2 * t, high, t, 0, high, half + t ],
		[ half + 2 * t, high, t, 0, high, -half - t ],
	];
	for ( const [ hx, hy, hz, x, y, z ] of boxes )
	{
		const shape = new Jolt.BoxShape( new Jolt.Vec3( hx, hy, hz ) );
		const def = new Jolt.BodyCreationSettings( shape, new Jolt.RVec3( x, y, z ), new Jolt.Quat( 0, 0, 0, 1 ), Jolt.EMotionType_Static, 0 );
		def.mFriction = friction;
		interfaceOfBodies.CreateAndAddBody( def, Jolt.EActivation_DontActivate );
	}
}

// Edges, bends and pressure over the surface, at the start position about its centre.
function createSettings( Jolt, body, center )
{
	const settings = new Jolt.SoftBodySharedSettings();
	const vertex = new Jolt.SoftBodySharedSettingsVertex();
	for ( let i = 0; i < body.count; ++i )
	{
		const place = new Jolt.Float3( ...[ 0, 1, 2 ].map( ( k ) => body.points[3 * i + k] - center[k] ) );
		vertex.mPosition = place;
		vertex.mVelocity = new Jolt.Float3( ...body.velocity );
		vertex.mInvMass = body.count; // 1 kg in all
		settings.mVertices.push_back( vertex );
		Jolt.destroy( place );
	}
	const face = new Jolt.SoftBodySharedSettingsFace( 0, 0, 0, 0 );
	for ( let t = 0; t < body.triangles.length; t += 3 )
	{
		[ 0, 1, 2 ].forEach( ( k ) => face.set_mVertex( k, body.triangles[t + k] ) );
		settings.AddFace( face );
	}
	const attributes = new Jolt.SoftBodySharedSettingsVertexAttributes();
	attributes.mCompliance = attributes.mShearCompliance = attributes.mBendCompliance = compliance;
	settings.CreateConstraints( attributes, 1, Jolt.SoftBodySharedSettings_EBendType_Distance );
	settings.Optimize();
	return settings;
}

export async function createJolt( scene, { friction } )
{
	const Jolt = await initJolt();
	const world = createWorld( Jolt );
	const system = world.GetPhysicsSystem(), bodies = system.GetBodyInterface();
	createBox( Jolt, bodies, scene.halfWidth, friction );
	const softBodies = scene.bodies.map( ( body ) =>
	{
		const center = [ 0, 1, 2 ].map( ( k ) =>
		{
			let sum = 0;
			for ( let i = k; i < body.points.length; i += 3 )
			{
				sum += body.points[i];
			}
			return sum / body.count;
		} );
		const def = new Jolt.SoftBodyCreationSettings( createSettings( Jolt, body, center ), new Jolt.RVec3( ...center ), new Jolt.Quat( 0, 0, 0, 1 ), 1 );
		def.mNumIterations = iterationCount;
		def.mPressure = pressure;
		def.mFriction = friction;
		def.mAllowSleeping = false;
		def.mVertexRadius = 0.02;
		const softBody = bodies.CreateSoftBody( def );
		bodies.AddBody( softBody.GetID(), Jolt.EActivation_Activate );
		return softBody;
	} );
	return {
		version: 'Jolt, npm jolt-physics',
		step: () => world.Step( 1 / 60, 1 ),
		write( positions )
		{
			softBodies.forEach( ( softBody, b ) =>
			{
				const center = softBody.GetCenterOfMassPosition();
				const origin = [ center.GetX(), center.GetY(), center.GetZ() ];
				const vertices = Jolt.castObject( softBody.GetMotionProperties(), Jolt.SoftBodyMotionProperties ).GetVertices();
				for ( let i = 0; i < scene.bodies[b].count; ++i )
				{
					const p = vertices.at( i ).mPosition;
					positions.set( [ origin[0] + p.GetX(), origin[1] + p.GetY(), origin[2] + p.GetZ() ], 3 * ( scene.bodies[b].first + i ) );
				}
			} );
		},
	};
}
