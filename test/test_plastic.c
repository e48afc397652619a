// test_plastic.c - dents that stay: yield, creep, limit, hardening, healing. Row M11.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
//
// Eq. 15 and 16 in their continuous form: while the strain |S Sp^-1 - 1| between the shape S and its plastic rest Sp is above
// the yield, Sp moves towards S at the rate creep, with det Sp = 1. A body held at a stretch s along one axis for long
// therefore ends with s / ( 1 + p ) - 1 = yield, where p is the plastic strain, whatever the step.
#include "help.h"

// A stretch along z that keeps the volume.
static void HoldStretched( Stage* stage, const Shape* shape, double stretch )
{
	float across = (float)( 1.0 / sqrt( stretch ) ), along = (float)stretch;
	for ( int i = 0; i < shape->count; ++i )
	{
		pnVec3 p = shape->rest[i];
		stage->x[i] = pnMakeVec3( across * p.x, across * p.y, along * p.z );
		stage->v[i] = pnMakeVec3( 0.0f, 0.0f, 0.0f );
	}
	SetStage( stage );
}

// Holds the body in a stretched state for a time, step by step.
static void HoldFor( Stage* stage, const Shape* shape, double stretch, double seconds, double rate )
{
	int count = (int)( seconds * rate + 0.5 );
	for ( int n = 0; n < count; ++n )
	{
		HoldStretched( stage, shape, stretch );
		ENSURE( pnWorld_Step( stage->world, (float)( 1.0 / rate ), 1 ) == pn_success );
	}
}

static void LetGo( Stage* stage, double seconds, double rate )
{
	int count = (int)( seconds * rate + 0.5 );
	for ( int n = 0; n < count; ++n )
	{
		ENSURE( pnWorld_Step( stage->world, (float)( 1.0 / rate ), 1 ) == pn_success );
	}
}

static pnBodyState StateOf( const Stage* stage )
{
	pnBodyState state = { 0 };
	ENSURE( pnBody_GetState( stage->world, stage->body, &state ) == pn_success );
	return state;
}

static pnMaterial PlasticMaterial( pnMode mode )
{
	pnMaterial material = PlainMaterial( mode, 6.0f, 0.4f );
	material.dampingRatio = 0.5f;
	material.yield = 0.1f;
	material.creep = 20.0f;
	material.maxPlastic = 1.0f;
	return material;
}

static Shape PlasticShape( int cells )
{
	Shape shape = MakeBlock( 4, 4, 4, 0.25f, 0.05f, 40 );
	CoverByCells( &shape, cells, cells, cells, 0.6f );
	return shape;
}

static void BelowYieldNothingFlows( void )
{
	for ( int n = 0; n < 6; ++n )
	{
		Shape shape = PlasticShape( 1 + n / 3 );
		pnMaterial material = PlasticMaterial( n % 3 );
		Stage stage = MakeStage( &shape, &material, pnMakeVec3( 0.0f, 0.0f, 0.0f ) );
		pnTestContext( "mode %d, %d clusters", material.mode, shape.clusterCount );
		HoldFor( &stage, &shape, 1.08, 2.0, 60.0 );
		ENSURE( StateOf( &stage ).plasticStrain == 0.0f );
		LetGo( &stage, 5.0, 60.0 );
		pnBodyState state = StateOf( &stage );
		ENSURE( state.plasticStrain == 0.0f );
		ENSURE_NEAR( state.maxStretch, 1.0, 1e-4 );
		ENSURE_NEAR( state.minStretch, 1.0, 1e-4 );
		FreeStage( &stage );
		FreeShape( &shape );
	}
}

// Beyond the yield a dent stays after release, its size is that of the law, and its volume is 1.
static void BeyondYieldItStays( void )
{
	for ( int n = 0; n < 6; ++n )
	{
		Shape shape = PlasticShape( 1 + n / 3 );
		pnMaterial material = PlasticMaterial( n % 3 );
		Stage stage = MakeStage( &shape, &material, pnMakeVec3( 0.0f, 0.0f, 0.0f ) );
		double stretch = 1.4, wanted = stretch / 1.1 - 1.0;
		HoldFor( &stage, &shape, stretch, 2.0, 240.0 );
		pnTestContext( "mode %d, %d clusters", material.mode, shape.clusterCount );
		double held = StateOf( &stage ).plasticStrain;
		ENSURE_NEAR( held, wanted, 0.03 * wanted );
		LetGo( &stage, 5.0, 60.0 );
		pnBodyState state = StateOf( &stage );
		ENSURE_NEAR( state.plasticStrain, held, 1e-3 );
		ENSURE_NEAR( state.maxStretch, 1.0 + held, 0.01 );
		ENSURE_NEAR( state.volume, 1.0, 2e-3 );
		pnClusterState clusters[8];
		int count = pnBody_WriteClusters( stage.world, stage.body, clusters, 8 );
		ENSURE( count == shape.clusterCount );
		for ( int c = 0; c < count; ++c )
		{
			ENSURE_NEAR( DetOf( clusters[c].map ), 1.0, 2e-3 );
			ENSURE_NEAR( clusters[c].plasticStrain, held, 0.01 );
		}
		// it stays for long
		LetGo( &stage, 60.0, 60.0 );
		ENSURE_NEAR( StateOf( &stage ).maxStretch, state.maxStretch, 1e-4 );
		FreeStage( &stage );
		FreeShape( &shape );
	}
}

// The plastic strain a time in a stretched state leaves, in the middle of the flow and at its end, for several rates.
static void DentsDoNotDependOnTheStep( void )
{
	static const double rates[] = { 30.0, 120.0, 1000.0 };
	static const double times[] = { 0.1, 0.5, 2.0 };
	for ( int mode = 0; mode < 3; ++mode )
	{
		for ( int t = 0; t < 3; ++t )
		{
			double strain[3];
			for ( int r = 0; r < 3; ++r )
			{
				Shape shape = PlasticShape( 2 );
				pnMaterial material = PlasticMaterial( mode );
				material.creep = 5.0f;
				Stage stage = MakeStage( &shape, &material, pnMakeVec3( 0.0f, 0.0f, 0.0f ) );
				HoldFor( &stage, &shape, 1.4, times[t], rates[r] );
				strain[r] = StateOf( &stage ).plasticStrain;
				FreeStage( &stage );
				FreeShape( &shape );
			}
			pnTestContext( "mode %d, held %g s", mode, times[t] );
			ENSURE( strain[2] > 0.02 );
			ENSURE_NEAR( strain[0], strain[2], 0.03 * strain[2] );
			ENSURE_NEAR( strain[1], strain[2], 0.03 * strain[2] );
		}
	}
}

static void LimitHolds( void )
{
	static const float limits[] = { 0.05f, 0.3f, 0.7f };
	for ( int n = 0; n < 9; ++n )
	{
		Shape shape = PlasticShape( 1 + n % 2 );
		pnMaterial material = PlasticMaterial( n % 3 );
		material.maxPlastic = limits[n / 3];
		material.creep = 50.0f;
		Stage stage = MakeStage( &shape, &material, pnMakeVec3( 0.0f, 0.0f, 0.0f ) );
		pnTestContext( "mode %d, limit %g", material.mode, material.maxPlastic );
		for ( int k = 0; k < 10; ++k )
		{
			HoldFor( &stage, &shape, 2.5, 0.1, 120.0 );
			ENSURE_MOST( StateOf( &stage ).plasticStrain, material.maxPlastic * 1.001 );
		}
		// and it is reached
		ENSURE_NEAR( StateOf( &stage ).plasticStrain, material.maxPlastic, 0.03 * material.maxPlastic );
		FreeStage( &stage );
		FreeShape( &shape );
	}
}

// The flow ends where s / ( 1 + p ) - 1 equals the yield as it has become. That is higher than at first, by an amount in
// proportion to the hardening and to the plastic strain p.
static void HardeningRaisesTheYield( void )
{
	double previous = 0.0, growth[4];
	for ( int n = 0; n < 4; ++n )
	{
		Shape shape = PlasticShape( 1 );
		pnMaterial material = PlasticMaterial( pn_linearMode );
		material.creep = 5.0f;
		material.hardening = 1.0f * n;
		Stage stage = MakeStage( &shape, &material, pnMakeVec3( 0.0f, 0.0f, 0.0f ) );
		HoldFor( &stage, &shape, 1.4, 3.0, 1000.0 );
		double strain = StateOf( &stage ).plasticStrain;
		double yield = 1.4 / ( 1.0 + strain ) - 1.0;
		pnTestContext( "hardening %g, yield %g", material.hardening, yield );
		ENSURE( strain > 0.05 );
		ENSURE( yield > previous );
		previous = yield;
		growth[n] = n == 0 ? 0.0 : ( yield - material.yield ) / ( material.hardening * strain );
		if ( n > 1 )
		{
			ENSURE_NEAR( growth[n], growth[1], 0.1 * growth[1] );
		}
		FreeStage( &stage );
		FreeShape( &shape );
	}
}

// Strain heals as exp( -recovery t ), for any step.
static void RecoveryHeals( void )
{
	static const double rates[] = { 30.0, 60.0, 240.0 };
	for ( int n = 0; n < 6; ++n )
	{
		Shape shape = PlasticShape( 1 + n / 3 );
		pnMaterial material = PlasticMaterial( pn_linearMode );
		Stage stage = MakeStage( &shape, &material, pnMakeVec3( 0.0f, 0.0f, 0.0f ) );
		double rate = rates[n % 3];
		HoldFor( &stage, &shape, 1.4, 2.0, 120.0 );
		LetGo( &stage, 4.0, rate );
		double strain = StateOf( &stage ).plasticStrain;
		material.recovery = 0.5f;
		ENSURE( pnBody_SetMaterial( stage.world, stage.body, &material ) == pn_success );
		LetGo( &stage, 2.0, rate );
		pnTestContext( "rate %g, %d clusters", rate, shape.clusterCount );
		ENSURE_NEAR( StateOf( &stage ).plasticStrain, strain * exp( -1.0 ), 0.05 * strain );
		LetGo( &stage, 18.0, rate );
		pnBodyState state = StateOf( &stage );
		ENSURE_MOST( state.plasticStrain, 1e-3 * strain );
		ENSURE_NEAR( state.maxStretch, 1.0, 1e-3 );
		FreeStage( &stage );
		FreeShape( &shape );
	}
}

// Fig. 6: what is dented at one end only is dented there only.
static void DentsAreLocal( void )
{
	Shape shape = MakeBlock( 3, 3, 16, 0.1f, 0.0f, 41 );
	CoverByCells( &shape, 1, 1, 8, 0.5f );
	pnMaterial material = PlasticMaterial( pn_linearMode );
	Stage stage = MakeStage( &shape, &material, pnMakeVec3( 0.0f, 0.0f, 0.0f ) );
	for ( int n = 0; n < 120; ++n )
	{
		for ( int i = 0; i < shape.count; ++i )
		{
			// sheared beyond the middle of the upper quarter
			pnVec3 p = shape.rest[i];
			p.x += p.z > 0.45f ? 0.8f * ( p.z - 0.45f ) : 0.0f;
			stage.x[i] = p;
			stage.v[i] = pnMakeVec3( 0.0f, 0.0f, 0.0f );
		}
		SetStage( &stage );
		ENSURE( pnWorld_Step( stage.world, 1.0f / 60.0f, 1 ) == pn_success );
	}
	LetGo( &stage, 5.0, 60.0 );
	pnClusterState clusters[8];
	REQUIRE( pnBody_WriteClusters( stage.world, stage.body, clusters, 8 ) == 8 );
	double dented = 0.0, whole = 0.0;
	for ( int c = 0; c < 8; ++c )
	{
		double* which = clusters[c].center.z > 0.3f ? &dented : &whole;
		*which = fmax( *which, clusters[c].plasticStrain );
		ENSURE_NEAR( DetOf( clusters[c].map ), 1.0, 0.02 );
	}
	ENSURE( dented > 0.1 );
	ENSURE( whole == 0.0 );
	FreeStage( &stage );
	FreeShape( &shape );
}

static const pnTest s_tests[] = {
	RUN( BelowYieldNothingFlows ),
	RUN( BeyondYieldItStays ),
	RUN( DentsDoNotDependOnTheStep ),
	RUN( LimitHolds ),
	RUN( HardeningRaisesTheYield ),
	RUN( RecoveryHeals ),
	RUN( DentsAreLocal ),
};
SUITE( plastic, s_tests );
