// kelvin_population.h - a seeded generator of static problems as users have them: bars, plates, brackets, blocks with holes, cavities, blobs, hollow
// spheres, balls on blocks. Knows the public header and test shapes, not what the answers are.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

#include "kelvin_help.h"

typedef enum ProblemKind
{
	barProblem,
	plateProblem,
	bracketProblem,
	blockProblem,
	cavityProblem,
	blobProblem,
	sphereProblem,
	ballProblem,
	problemKindCount,
} ProblemKind;

static const char* const s_problemNames[problemKindCount] = { "bar", "plate", "bracket", "block", "cavity", "blob", "sphere", "ball" };

typedef struct Problem
{
	ProblemKind kind;
	Surface surface;
	pnKelvinDef def; // points into the others: a problem stays where it was drawn
	pnCondition conditions[2];
	pnIndenter ball;
	char name[96];
} Problem;

static inline void FreeProblem( Problem* problem )
{
	FreeSurface( &problem->surface );
}

static inline pnVec3d RandomPull( pnRandom* random )
{
	double x = pnRandomIn( random, -1.0, 1.0 ), y = pnRandomIn( random, -1.0, 1.0 ), z = pnRandomIn( random, -1.0, 1.0 );
	return pnUnitD( pnMakeD( x, y, z + ( z < 0.0 ? -0.1 : 0.1 ) ) );
}

static inline void StretchSurface( Surface* surface, pnVec3d by )
{
	for ( int i = 0; i < surface->pointCount; ++i )
	{
		pnVec3d* p = surface->points + i;
		*p = pnMakeD( by.x * p->x, by.y * p->y, by.z * p->z );
	}
}

// A sphere with hills and dales of a few waves.
static inline Surface MakeBlob( pnRandom* random )
{
	Surface s = MakeSphere( s_origin, 1.0, 3, 0 );
	for ( int wave = 0; wave < 4; ++wave )
	{
		pnVec3d k = pnScaleD( pnRandomIn( random, 1.0, 3.0 ), RandomPull( random ) );
		double phase = pnRandomIn( random, 0.0, 6.0 ), amount = pnRandomIn( random, 0.02, 0.09 );
		for ( int i = 0; i < s.pointCount; ++i )
		{
			s.points[i] = pnScaleD( 1.0 + amount * sin( pnDotD( k, s.points[i] ) + phase ), s.points[i] );
		}
	}
	return s;
}

// The lengths are about 1 m, the modulus 1000 Pa; loads are of size 1 Pa.
static inline void DrawProblem( ProblemKind kind, pnRandom* random, Problem* problem )
{
	*problem = ( Problem ){ .kind = kind };
	double nu = pnRandomIn( random, 0.0, 0.47 );
	pnKelvinDef* def = &problem->def;
	*def = MaterialDef( 1000.0, nu );
	Surface* s = &problem->surface;
	pnCondition* c = problem->conditions;
	pnVec3d pull = RandomPull( random );
	double size = 1.0;
	int count = 2;
	switch ( kind )
	{
	case barProblem:
	{
		size = exp( pnRandomIn( random, log( 1.5 ), log( 40.0 ) ) );
		double wide = pnRandomIn( random, 0.7, 2.0 );
		*s = MakeBox( s_origin, pnMakeD( size, wide, 1.0 ), (int)ceil( 3.0 * fmin( size, 10.0 ) ), 4, 3 );
		c[0] = Hold( GroupRegion( 0 ) );
		c[1] = pnRandomInt( random, 3 ) == 0 ? Press( GroupRegion( 5 ), 1.0 ) : Pull( GroupRegion( 1 ), pull );
		break;
	}
	case plateProblem:
	{
		size = exp( pnRandomIn( random, log( 0.04 ), log( 0.25 ) ) );
		double wide = pnRandomIn( random, 0.5, 1.5 );
		*s = MakeBox( s_origin, pnMakeD( 1.0, wide, size ), 8, 8, 2 );
		c[0] = Hold( GroupRegion( 0 ) );
		c[1] = pnRandomInt( random, 2 ) == 0 ? Press( GroupRegion( 5 ), 1.0 ) : Pull( GroupRegion( 1 ), pull );
		break;
	}
	case bracketProblem:
		*s = MakeBracket( 4 );
		size = pnRandomIn( random, 0.4, 1.6 );
		StretchSurface( s, pnMakeD( 1.0, size, pnRandomIn( random, 0.6, 1.4 ) ) );
		c[0] = Hold( GroupRegion( 5 ) );
		c[1] = Pull( GroupRegion( 1 ), pull );
		break;
	case blockProblem:
		*s = MakeHoledBlock( 5 );
		size = pnRandomIn( random, 0.6, 1.5 );
		StretchSurface( s, pnMakeD( 1.0, size, pnRandomIn( random, 0.8, 1.3 ) ) );
		c[0] = Hold( GroupRegion( 4 ) );
		c[1] = pnRandomInt( random, 2 ) == 0 ? Pull( GroupRegion( 5 ), pull ) : Press( GroupRegion( 1 ), 1.0 );
		break;
	case cavityProblem:
	{
		*s = MakeBox( pnMakeD( -1.0, -1.0, -1.0 ), pnMakeD( 1.0, 1.0, 1.0 ), 5, 5, 5 );
		size = pnRandomIn( random, 0.25, 0.65 );
		double x = pnRandomIn( random, -0.25, 0.25 ), y = pnRandomIn( random, -0.25, 0.25 ), z = pnRandomIn( random, -0.25, 0.25 );
		Surface hollow = MakeSphere( pnMakeD( x, y, z ), size, 2, 6 );
		FlipSurface( &hollow );
		AppendSurface( s, &hollow );
		FreeSurface( &hollow );
		c[0] = Hold( GroupRegion( 4 ) );
		c[1] = pnRandomInt( random, 2 ) == 0 ? Press( GroupRegion( 6 ), 1.0 ) : Pull( GroupRegion( 5 ), pull );
		break;
	}
	case blobProblem:
	{
		*s = MakeBlob( random );
		size = pnRandomIn( random, 0.3, 0.8 );
		pnRegion below = { .tests = pn_beyondPlane, .planePoint = { 0.0, 0.0, -size }, .planeNormal = { 0.0, 0.0, -1.0 } };
		pnRegion above = { .tests = pn_facing, .direction = pull, .angle = pnRandomIn( random, 0.5, 1.2 ) };
		above.direction.z = fabs( pull.z );
		c[0] = Hold( below );
		c[1] = Press( above, 1.0 );
		break;
	}
	case sphereProblem:
		size = pnRandomIn( random, 0.3, 0.8 );
		*s = MakeHollowSphere( size, 1.0, 3, 3 );
		c[0] = Press( GroupRegion( 1 ), 1.0 );
		count = 1;
		break;
	default:
	{
		size = pnRandomIn( random, 0.5, 1.5 );
		double wide = pnRandomIn( random, 1.6, 2.4 );
		*s = MakeBox( pnMakeD( -0.5 * wide, -0.5 * wide, 0.0 ), pnMakeD( 0.5 * wide, 0.5 * wide, 1.2 ), 6, 6, 4 );
		c[0] = Hold( GroupRegion( 4 ) );
		count = 1;
		problem->ball = pnDefaultIndenter();
		problem->ball.radius = size;
		problem->ball.center = pnMakeD( pnRandomIn( random, -0.3, 0.3 ), pnRandomIn( random, -0.3, 0.3 ), 1.2 + size );
		problem->ball.depth = pnRandomIn( random, 0.02, 0.08 );
		def->indenters = &problem->ball;
		def->indenterCount = 1;
		break;
	}
	}
	bool flat = kind != blobProblem && kind != sphereProblem && kind != blockProblem && kind != cavityProblem;
	if ( flat && pnRandomInt( random, 2 ) == 0 )
	{
		Roughen( s, 0.3, 1 + (uint64_t)pnRandomInt( random, 100 ) );
	}
	SetSurface( def, s );
	SetConditions( def, c, count );
	snprintf( problem->name, sizeof( problem->name ), "%s %.3g, nu %.2f", s_problemNames[kind], size, nu );
}
