// bullet.cpp - builds and steps Bullet's soft bodies for bullet.h. Knows no pliant world and no clock.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT

#include "bullet.h"

#include <BulletSoftBody/btSoftBody.h>

#include <memory>
#include <new>
#include <vector>

struct pnBulletScene
{
	const pnWorkload* workload;
	btSoftBodyWorldInfo worldInfo; // before the bodies: they point to it until they are gone
	std::vector<std::unique_ptr<btSoftBody>> bodies;
};

namespace
{

constexpr btScalar matchingPull = btScalar( 0.5 ); // our alpha in the bare rows

btVector3 ToBullet( pnVec3 a )
{
	return btVector3( a.x, a.y, a.z );
}

// Bullet fits these one by one and averages their pulls, as we do.
void AddClusters( btSoftBody* softBody, const pnWorkBody& body )
{
	softBody->m_clusters.resize( body.clusterCount );
	for ( int c = 0; c < body.clusterCount; ++c )
	{
		// ~btSoftBody gives clusters back by btAlignedFree
		void* memory = btAlignedAlloc( sizeof( btSoftBody::Cluster ), 16 );
		btSoftBody::Cluster* cluster = new ( memory ) btSoftBody::Cluster();
		cluster->m_collide = false;
		cluster->m_matching = matchingPull;
		for ( int32_t m = body.clusterStarts[c]; m < body.clusterStarts[c + 1]; ++m )
		{
			cluster->m_nodes.push_back( &softBody->m_nodes[body.members[m]] );
		}
		softBody->m_clusters[c] = cluster;
	}
	softBody->initializeClusters();
}

std::unique_ptr<btSoftBody> MakeSoftBody( btSoftBodyWorldInfo* worldInfo, const pnWorkBody& body, const float* masses )
{
	std::vector<btVector3> points( body.pointCount );
	for ( int i = 0; i < body.pointCount; ++i )
	{
		points[i] = ToBullet( body.points[i] );
	}

	std::unique_ptr<btSoftBody> softBody( new btSoftBody( worldInfo, body.pointCount, points.data(), masses ) );
	if ( body.clusterCount == 1 )
	{
		// the whole body as one frame: dearer clusters would make Bullet look slow
		softBody->m_cfg.kMT = matchingPull;
		softBody->setPose( false, true );
	}
	else
	{
		AddClusters( softBody.get(), body );
	}
	return softBody;
}

} // namespace

pnBulletScene* pnCreateBulletScene( const pnWorkload* workload )
{
	try
	{
		std::unique_ptr<pnBulletScene> scene( new pnBulletScene );
		scene->workload = workload;
		scene->worldInfo.m_gravity = btVector3( 0, 0, 0 );
		scene->worldInfo.m_sparsesdf.Initialize();
		for ( int b = 0; b < workload->bodyCount; ++b )
		{
			scene->bodies.push_back( MakeSoftBody( &scene->worldInfo, workload->bodies[b], workload->masses ) );
		}
		pnBulletScene_Reset( scene.get() );
		return scene.release();
	}
	catch ( const std::bad_alloc& )
	{
		return nullptr;
	}
}

void pnDestroyBulletScene( pnBulletScene* scene )
{
	delete scene;
}

void pnBulletScene_Reset( pnBulletScene* scene )
{
	for ( int b = 0; b < scene->workload->bodyCount; ++b )
	{
		const pnWorkBody& body = scene->workload->bodies[b];
		btSoftBody* softBody = scene->bodies[b].get();
		for ( int i = 0; i < body.pointCount; ++i )
		{
			btSoftBody::Node& node = softBody->m_nodes[i];
			node.m_x = ToBullet( body.positions[i] );
			node.m_q = node.m_x;
			node.m_v = ToBullet( body.velocities[i] );
			node.m_f = btVector3( 0, 0, 0 );
		}
	}
}

void pnBulletScene_Step( pnBulletScene* scene, float timeStep )
{
	for ( std::unique_ptr<btSoftBody>& softBody : scene->bodies )
	{
		softBody->predictMotion( timeStep );
	}
	for ( std::unique_ptr<btSoftBody>& softBody : scene->bodies )
	{
		softBody->solveConstraints();
		softBody->integrateMotion();
	}
}
