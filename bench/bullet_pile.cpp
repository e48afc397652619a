// bullet_pile.cpp - builds and steps the pile in Bullet for bullet_pile.h. Knows no pliant world and no clock.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT

#include "bullet_pile.h"

#include <BulletSoftBody/btSoftBody.h>
#include <BulletSoftBody/btSoftBodyRigidBodyCollisionConfiguration.h>
#include <BulletSoftBody/btSoftRigidDynamicsWorld.h>
#include <btBulletDynamicsCommon.h>

#include <memory>
#include <new>
#include <vector>

namespace
{

constexpr btScalar matchingPull = btScalar( 0.5 );
constexpr btScalar margin = btScalar( 0.02 ); // contact thickness
constexpr btScalar wallThickness = btScalar( 2 ), wallHeight = btScalar( 50 ); // halves of them

btVector3 ToBullet( pnVec3 a )
{
	return btVector3( a.x, a.y, a.z );
}

} // namespace

struct pnBulletPile
{
	const pnPile* pile;
	btSoftBodyRigidBodyCollisionConfiguration configuration;
	btCollisionDispatcher dispatcher;
	btDbvtBroadphase broadphase;
	btSequentialImpulseConstraintSolver solver;
	btSoftRigidDynamicsWorld world;
	std::vector<std::unique_ptr<btCollisionShape>> wallShapes;
	std::vector<std::unique_ptr<btRigidBody>> walls;
	std::vector<std::unique_ptr<btSoftBody>> bodies;

	explicit pnBulletPile( const pnPile* source ) : pile( source ), dispatcher( &configuration ), world( &dispatcher, &broadphase, &solver, &configuration )
	{
	}

	~pnBulletPile()
	{
		for ( std::unique_ptr<btSoftBody>& body : bodies )
		{
			world.removeSoftBody( body.get() );
		}
		for ( std::unique_ptr<btRigidBody>& wall : walls )
		{
			world.removeRigidBody( wall.get() );
		}
	}
};

namespace
{

void AddWall( pnBulletPile* bulletPile, const btVector3& halfExtents, const btVector3& center, btScalar friction )
{
	bulletPile->wallShapes.emplace_back( new btBoxShape( halfExtents ) );
	btCollisionShape* shape = bulletPile->wallShapes.back().get();
	btRigidBody::btRigidBodyConstructionInfo info( btScalar( 0 ), nullptr, shape );
	info.m_startWorldTransform.setOrigin( center );
	bulletPile->walls.emplace_back( new btRigidBody( info ) );
	bulletPile->walls.back()->setFriction( friction );
	bulletPile->world.addRigidBody( bulletPile->walls.back().get() );
}

void AddBody( pnBulletPile* bulletPile, const pnPileBody& body, pnBulletContact contact, btScalar friction )
{
	const pnPileMesh& mesh = bulletPile->pile->meshes[body.mesh];
	std::vector<btVector3> points( mesh.pointCount );
	std::vector<btScalar> masses( mesh.pointCount, btScalar( 1 ) / btScalar( mesh.pointCount ) );
	for ( int i = 0; i < mesh.pointCount; ++i )
	{
		points[i] = ToBullet( pnTransformPoint( body.transform, mesh.points[i] ) );
	}

	bulletPile->bodies.emplace_back( new btSoftBody( &bulletPile->world.getWorldInfo(), mesh.pointCount, points.data(), masses.data() ) );
	btSoftBody* softBody = bulletPile->bodies.back().get();
	for ( int t = 0; t < mesh.triangleCount; ++t )
	{
		const int32_t* corner = mesh.triangles + 3 * t;
		softBody->appendFace( corner[0], corner[1], corner[2] );
		for ( int e = 0; e < 3 && contact == pn_bulletVertexFace; ++e )
		{
			// only here: Bullet 3.24 builds the tree of this mode over links, and for ever if there are none
			if ( corner[e] < corner[( e + 1 ) % 3] )
			{
				softBody->appendLink( corner[e], corner[( e + 1 ) % 3] );
			}
		}
	}
	softBody->m_cfg.kMT = matchingPull;
	softBody->m_cfg.kDF = friction;
	softBody->m_cfg.collisions = btSoftBody::fCollision::SDF_RS;
	softBody->m_cfg.collisions |= contact == pn_bulletClusters ? btSoftBody::fCollision::CL_SS : btSoftBody::fCollision::VF_SS;
	softBody->getCollisionShape()->setMargin( margin );
	softBody->setPose( false, true );
	if ( contact == pn_bulletClusters )
	{
		softBody->generateClusters( 1 );
	}
	softBody->setVelocity( ToBullet( body.velocity ) );
	softBody->setActivationState( DISABLE_DEACTIVATION );
	bulletPile->world.addSoftBody( softBody );
}

} // namespace

pnBulletPile* pnCreateBulletPile( const pnPile* pile, pnBulletContact contact, float friction )
{
	try
	{
		std::unique_ptr<pnBulletPile> bulletPile( new pnBulletPile( pile ) );
		btVector3 gravity( 0, btScalar( -9.81 ), 0 );
		bulletPile->world.setGravity( gravity );
		btSoftBodyWorldInfo& info = bulletPile->world.getWorldInfo();
		info.m_gravity = gravity;
		info.m_dispatcher = &bulletPile->dispatcher;
		info.m_broadphase = &bulletPile->broadphase;
		info.m_sparsesdf.Initialize();

		// boxes, not planes: Bullet's distance fields are made for convex shapes
		btScalar half = pile->halfWidth, thick = wallThickness, high = wallHeight, wide = half + 2 * thick;
		AddWall( bulletPile.get(), btVector3( wide, thick, wide ), btVector3( 0, -thick, 0 ), friction );
		AddWall( bulletPile.get(), btVector3( thick, high, wide ), btVector3( half + thick, high, 0 ), friction );
		AddWall( bulletPile.get(), btVector3( thick, high, wide ), btVector3( -half - thick, high, 0 ), friction );
		AddWall( bulletPile.get(), btVector3( wide, high, thick ), btVector3( 0, high, half + thick ), friction );
		AddWall( bulletPile.get(), btVector3( wide, high, thick ), btVector3( 0, high, -half - thick ), friction );
		for ( int b = 0; b < pile->bodyCount; ++b )
		{
			AddBody( bulletPile.get(), pile->bodies[b], contact, friction );
		}
		return bulletPile.release();
	}
	catch ( const std::bad_alloc& )
	{
		return nullptr;
	}
}

void pnDestroyBulletPile( pnBulletPile* bulletPile )
{
	delete bulletPile;
}

void pnBulletPile_Step( pnBulletPile* bulletPile, float timeStep )
{
	bulletPile->world.stepSimulation( timeStep, 0 );
}

void pnBulletPile_WritePositions( const pnBulletPile* bulletPile, pnVec3* positions )
{
	for ( size_t b = 0; b < bulletPile->bodies.size(); ++b )
	{
		const btSoftBody* softBody = bulletPile->bodies[b].get();
		pnVec3* body = positions + bulletPile->pile->bodies[b].firstPoint;
		for ( int i = 0; i < softBody->m_nodes.size(); ++i )
		{
			const btVector3& p = softBody->m_nodes[i].m_x;
			body[i] = pnMakeVec3( float( p.x() ), float( p.y() ), float( p.z() ) );
		}
	}
}
