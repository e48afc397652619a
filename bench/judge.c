// judge.c - hands a pile to the checker and sums up its answers. Knows no engine.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT

#include "judge.h"

#include <math.h>
#include <stdlib.h>

bool pnOpenJudge( pnJudge* judge, const pnPile* pile )
{
	*judge = (pnJudge){ .pile = pile };
	judge->bodies = calloc( (size_t)pile->bodyCount, sizeof( pnCheckBody ) );
	judge->positions = calloc( (size_t)pile->pointCount, sizeof( pnVec3 ) );
	if ( judge->bodies == NULL || judge->positions == NULL )
	{
		return false;
	}
	for ( int b = 0; b < pile->bodyCount; ++b )
	{
		const pnPileMesh* mesh = pile->meshes + pile->bodies[b].mesh;
		judge->bodies[b] = (pnCheckBody){
			.positions = judge->positions + pile->bodies[b].firstPoint,
			.triangles = mesh->triangles,
			.vertexCount = mesh->pointCount,
			.triangleCount = mesh->triangleCount,
		};
	}
	for ( int i = 0; i < pile->meshCount; ++i )
	{
		const pnPileMesh* mesh = pile->meshes + i;
		pnCheckBody rest = {
			.positions = mesh->points,
			.triangles = mesh->triangles,
			.vertexCount = mesh->pointCount,
			.triangleCount = mesh->triangleCount,
		};
		judge->restVolumes[i] = pnCheckBody_GetVolume( &rest );
	}
	double offset = -pile->halfWidth;
	judge->walls[0] = (pnCheckWall){ { 0.0, 1.0, 0.0 }, 0.0 };
	judge->walls[1] = (pnCheckWall){ { 1.0, 0.0, 0.0 }, offset };
	judge->walls[2] = (pnCheckWall){ { -1.0, 0.0, 0.0 }, offset };
	judge->walls[3] = (pnCheckWall){ { 0.0, 0.0, 1.0 }, offset };
	judge->walls[4] = (pnCheckWall){ { 0.0, 0.0, -1.0 }, offset };
	return true;
}

void pnCloseJudge( pnJudge* judge )
{
	free( judge->bodies );
	free( judge->positions );
}

pnQuality pnNothingAsked( void )
{
	return (pnQuality){ .minVolume = INFINITY };
}

void pnJudge_Ask( const pnJudge* judge, bool dense, pnQuality* quality )
{
	const pnPile* pile = judge->pile;
	pnCheckScene scene = { .bodies = judge->bodies, .walls = judge->walls, .bodyCount = pile->bodyCount, .wallCount = 5 };
	pnCheckResult result = pnCheckScene_Run( &scene, dense );
	quality->frameCount += 1;
	if ( result.isBroken )
	{
		// no number is as bad as it gets
		quality->inside = quality->maxDepth = 100.0;
		quality->minVolume = 0.0;
		return;
	}

	double percent = 100.0 / pile->diameter;
	quality->inside = fmax( quality->inside, 100.0 * (double)result.insideCount / (double)result.sampleCount );
	quality->maxDepth = fmax( quality->maxDepth, percent * result.maxDepth );
	quality->depthSum += percent * result.depthSum;
	quality->insideCount += (double)result.insideCount;
	double volumeSum = 0.0;
	for ( int b = 0; b < pile->bodyCount; ++b )
	{
		double volume = 100.0 * pnCheckBody_GetVolume( judge->bodies + b ) / judge->restVolumes[pile->bodies[b].mesh];
		volumeSum += volume;
		quality->minVolume = fmin( quality->minVolume, volume );
	}
	quality->volumeSum += volumeSum / pile->bodyCount;
}

double pnQuality_GetMeanDepth( const pnQuality* quality )
{
	return quality->insideCount > 0.0 ? quality->depthSum / quality->insideCount : 0.0;
}

double pnQuality_GetVolume( const pnQuality* quality )
{
	return quality->frameCount > 0 ? quality->volumeSum / quality->frameCount : 0.0;
}
