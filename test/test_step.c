// test_step.c - stiff stays stiff: balance that does not know the step, hits, leaps of pins, volume between pins, impulses, pendulums.
// Public calls only.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "step_help.h"

static const pnVec3 s_down = { 0.0f, (float)-GRAVITY, 0.0f };
static const pnVec3 s_none = { 0.0f, 0.0f, 0.0f };

// Steps and substeps a balance is tried with.
typedef struct Pace { double h; int subStepCount; } Pace;
static const Pace s_paces[] = {
	{ 1.0 / 60.0, 8 }, { 1.0 / 60.0, 1 }, { 1.0 / 60.0, 2 }, { 1.0 / 60.0, 4 }, { 1.0 / 240.0, 1 }, { 0.1, 1 }, { 0.1, 4 }, { 1.0 / 60.0, 16 }, { 1e-3, 1 }, { 1.0 / 30.0, 1 },
};
enum { floorPaceCount = 7 }; // contact takes its time: lying bodies are spared the last ones

// ---- balance ----

typedef enum Load { hangLoad, sideLoad, tipLoad, floorLoad, loadCount } Load;

static const char* const s_loadNames[] = { "hanging", "held at one side", "pulled at a corner", "lying" };

// Where all points of a thing come to rest under a load. Returns how far they still went in the last two seconds.
static double Balance( const Thing* thing, const pnMaterial* material, Load load, Pace pace, pnVec3* x )
{
	Stage stage = load == floorLoad ? LyingStage( thing, material ) : StageOf( thing, material, load == tipLoad ? s_none : s_down );
	int32_t pins[256];
	int pinCount = PointsAtEnd( thing, load == hangLoad ? 1 : 0, load == hangLoad, pins );
	double way = 0.0;
	if ( load != floorLoad )
	{
		ENSURE( pnBody_Pin( stage.world, stage.body, pins, NULL, pinCount ) == pn_success );
	}
	if ( load == tipLoad )
	{
		// What draws one point by itself out by 3 % of the size, whatever it is made of; 1 % if it is in a chain of clusters, which gives ten times as much.
		// Forces last for one step, so it is given again.
		double w = 2.0 * TEST_PI * material->hertz, drawn = thing->clusterCount > 1 ? 0.01 : 0.03;
		pnVec3 force = pnMakeVec3( 0.0f, (float)( -drawn * thing->size * w * w * thing->masses[stage.count - 1] ), 0.0f );
		for ( double time = 0.0, last = 0.0; time < fmax( 30.0, 1800.0 * pace.h ); )
		{
			double before = last;
			ReadStage( &stage );
			memcpy( x, stage.x, sizeof( pnVec3 ) * stage.count );
			for ( int n = 0; n < (int)fmax( 20.0, 2.0 / pace.h ); ++n, time += pace.h )
			{
				ENSURE( pnBody_ApplyForceAt( stage.world, stage.body, stage.count - 1, force ) == pn_success );
				ENSURE( pnWorld_Step( stage.world, (float)pace.h, pace.subStepCount ) == pn_success );
			}
			ReadStage( &stage );
			way = 0.0;
			for ( int i = 0; i < stage.count; ++i )
			{
				double moved = DistanceOf( x[i], stage.x[i] );
				way = moved > way || moved != moved ? moved : way;
			}
			last = way;
			if ( before > 0.0 && !( way > 1e-5 * thing->size ) )
			{
				break;
			}
		}
	}
	else
	{
		way = SettleStage( &stage, thing, pace.h, pace.subStepCount );
	}
	ReadStage( &stage );
	memcpy( x, stage.x, sizeof( pnVec3 ) * stage.count );
	if ( load == floorLoad ) // it may have slid: only heights are compared
	{
		double low = x[0].y;
		for ( int i = 0; i < stage.count; ++i )
		{
			low = fmin( low, x[i].y );
		}
		for ( int i = 0; i < stage.count; ++i )
		{
			x[i] = pnMakeVec3( 0.0f, x[i].y - (float)low, 0.0f );
		}
	}
	FreeStage( &stage );
	return way;
}

// What the fit cannot follow is damped by another part than shape, b and b_s; pushes are met as shape is. So a dent is ( 2 - b_s ) / ( 2 - b ) of what it
// should be, which is 1 for very short and very long steps, and always where nothing stretches (docs/step.md).
static double DentOf( const pnMaterial* material, double h )
{
	double w = 2.0 * TEST_PI * material->hertz, seen = 0.5 * TEST_PI / ( w * h ), followed = seen < 1.0 ? pow( seen, 4.0 ) : 1.0;
	double held = material->mode == pn_rigidMode ? 1.0 : fmax( 0.1, 1.0 - material->stretch ), zeta = material->dampingRatio;
	return ( 1.0 + followed * exp( -2.0 * zeta * w * sqrt( held ) * h ) ) / ( 1.0 + followed * exp( -2.0 * zeta * w * h ) ) - 1.0;
}

// The static shape contains no step: all paces come to the same, within 1 % of the deflection, the dents' part of it, and what is left of motion and
// rounding, 1e-4 of the size. Of what lies, a tenth of the thickness is left in peace (docs/contact.md).
static void CheckBalance( const Thing* thing, const pnMaterial* material, Load load )
{
	pnVec3* wanted = calloc( 2 * (size_t)thing->count, sizeof( pnVec3 ) );
	pnVec3* x = wanted + thing->count;
	double deflection = 0.0, slop = load == floorLoad ? 0.1 * s_thickness * thing->size : 0.0;
	for ( int p = 0; p < ( load == floorLoad ? floorPaceCount : COUNT( s_paces ) ); ++p )
	{
		double way = Balance( thing, material, load, s_paces[p], p == 0 ? wanted : x ), worst = 0.0;
		double dent = fmax( DentOf( material, s_paces[0].h / s_paces[0].subStepCount ), DentOf( material, s_paces[p].h / s_paces[p].subStepCount ) );
		pnTestContext( "%s %s, %s, %d substeps of %.3g s, deflection %.3g, dent %.3g", s_loadNames[load], thing->text, TextOf( material ), s_paces[p].subStepCount, s_paces[p].h, deflection, dent );
		for ( int i = 0; i < thing->count; ++i )
		{
			pnVec3 rest = load == floorLoad ? pnMakeVec3( 0.0f, thing->rest[i].y - thing->lower.y, 0.0f ) : thing->rest[i];
			deflection = p == 0 ? fmax( deflection, DistanceOf( wanted[i], rest ) ) : deflection;
			double off = DistanceOf( x[i], wanted[i] );
			worst = p > 0 && ( off > worst || off != off ) ? off : worst;
		}
		ENSURE_MOST( way, 1e-4 * thing->size ); // at rest, strongly damped, after two minutes
		ENSURE_MOST( worst, ( 0.01 + dent ) * deflection + 1e-4 * thing->size + slop );
	}
	free( wanted );
}

static void BalanceKnowsNoStep( Load load, int test, int count )
{
	pnRandom random = SeedOf( test );
	for ( int n = 0; n < Cases( count ); ++n )
	{
		double edge = RandomLog( &random, 0.05, 5.0 );
		Thing thing = RandomBlock( &random, edge, pnRandomInt( &random, coverCount ) );
		pnMaterial material = RandomMaterial( &random, strongDamping, false );
		material.stretch = n % 2 == 0 ? 0.0f : fminf( material.stretch, 0.8f ); // 0: no dents
		material.friction = 0.0f; // which holds a body in one of many shapes
		// Soft ones are squeezed by a fiftieth of their size, if they are one cluster; then up to what may be asked for at all.
		double w = sqrt( GRAVITY / ( 0.02 * edge * ( material.mode == pn_rigidMode ? 1.0 : 1.0 - material.stretch ) ) );
		material.hertz = (float)RandomLog( &random, w / ( 2.0 * TEST_PI ), 1000.0 );
		CheckBalance( &thing, &material, load );
		FreeThing( &thing );
	}
}

static void HangingKnowsNoStep( void )
{
	BalanceKnowsNoStep( hangLoad, 300, 6 );
}

static void CantileverKnowsNoStep( void )
{
	BalanceKnowsNoStep( sideLoad, 301, 6 );
}

static void PulledCornerKnowsNoStep( void )
{
	BalanceKnowsNoStep( tipLoad, 302, 6 );
}

static void LyingKnowsNoStep( void )
{
	s_thickness = 0.001; // so that there is little to be left in peace
	BalanceKnowsNoStep( floorLoad, 303, 4 );
	s_thickness = 0.01;
}

// One cluster in rigid mode: every point is pulled to its goal by w^2. Hung by a face of sixteen pins or more, which hold the fit to within
// 1 % (a pin outweighs the rest, and there are many), all others sag by g / w^2. Lying, the n_b points of the lowest layer bear all n: theirs is
// the counterweight, the mean of the others is below them by n / n_b g / w^2 more than at rest. `rigid`: nothing to be seen. What is strained by a tenth
// begins to carry as a whole (docs/contact.md): lying ones are at most squeezed by a hundredth of their edge, which makes 0.4 % of that.
static void RigidModeSags( void )
{
	pnRandom random = SeedOf( 304 );
	for ( int n = 0; n < Cases( 16 ); ++n )
	{
		double edge = RandomLog( &random, 0.05, 5.0 );
		float length = (float)edge;
		Thing thing = MakeBoxThing( pnMakeVec3( length, length, length ), 4, 4, 4, oneCover, 1.0, &random );
		pnMaterial material = PlainMaterial( pn_rigidMode, (float)RandomLog( &random, sqrt( GRAVITY / ( ( n % 2 == 0 ? 0.02 : 0.01 ) * edge ) ) / ( 2.0 * TEST_PI ), 1000.0 ), 0.0f );
		material.dampingRatio = (float)pnRandomIn( &random, 0.5, 1.0 );
		material.hertz = n % 4 == 3 ? 1000.0f : material.hertz;
		material.friction = 0.0f;
		double w = 2.0 * TEST_PI * material.hertz;
		pnVec3* x = calloc( thing.count, sizeof( pnVec3 ) );
		Load load = n % 2 == 0 ? hangLoad : floorLoad;
		for ( int p = 0; p < ( load == floorLoad ? floorPaceCount : COUNT( s_paces ) ); ++p )
		{
			Balance( &thing, &material, load, s_paces[p], x );
			double sums[2] = { 0.0, 0.0 }, right = GRAVITY / ( w * w ) * ( load == hangLoad ? 1.0 : 4.0 );
			int32_t held[64];
			int heldCount = PointsAtEnd( &thing, 1, load == hangLoad, held ), at = 0;
			for ( int i = 0; i < thing.count; ++i )
			{
				bool isHeld = at < heldCount && held[at] == i;
				at += isHeld;
				sums[isHeld] += ( thing.rest[i].y - x[i].y ) / ( isHeld ? heldCount : thing.count - heldCount );
			}
			pnTestContext( "%s %s, %s, %d substeps of %.3g s", s_loadNames[load], thing.text, TextOf( &material ), s_paces[p].subStepCount, s_paces[p].h );
			ENSURE_NEAR( sums[0] - sums[1], right, 0.02 * right + 2e-5 * edge );
		}
		free( x );
		FreeThing( &thing );
	}
}

// Forces that neither push nor turn, on a free body of one cluster. Two that pull two points apart: in rigid mode each goes f / ( m w^2 ) out,
// whatever the step. Forces along x that grow with x, on a symmetric box: shape is stretched by e with w^2 ( 1 - stretch ) e = f / ( m x ).
// Forces keep their direction, and the body is a pendulum between them, of frequency w sqrt( strain ) and less: steps must be shorter than that.
static void FreeBodyUnderForces( void )
{
	pnRandom random = SeedOf( 305 );
	for ( int n = 0; n < Cases( 40 ); ++n )
	{
		float edge = (float)RandomLog( &random, 0.05, 5.0 );
		bool pair = n % 2 == 0;
		Thing thing = MakeBoxThing( pnMakeVec3( edge, edge, edge ), 3, 3, 4, oneCover, 1.0, &random );
		pnMaterial material = PlainMaterial( pair ? pn_rigidMode : 1 + n / 2 % 2, (float)RandomLog( &random, 1.0, 1000.0 ), (float)pnRandomIn( &random, 0.0, 0.8 ) );
		material.dampingRatio = (float)pnRandomIn( &random, 0.5, 1.0 );
		double strain = RandomLog( &random, 0.005, 0.1 );
		// Substeps of a millisecond and more: in shorter ones a slow swing is lost in the rounding of positions.
		int subStepCount = 1 + pnRandomInt( &random, 8 );
		Pace pace = { RandomLog( &random, 1e-3 * subStepCount, 0.1 ), subStepCount };
		double turned = 0.0, around = 0.0; // force per turn and m w^2; inertia over m, about an axis across
		for ( int i = 0; i < thing.count; ++i )
		{
			pnVec3 p = thing.rest[i];
			around += pair ? 2.0 / 3.0 * pow( LengthOf( p ), 2.0 ) : p.x * p.x + fmin( p.y * p.y, p.z * p.z );
			turned += pair ? 0.0 : strain * ( 1.0 - material.stretch ) * p.x * p.x;
		}
		turned += pair ? strain * 2.0 * pow( LengthOf( thing.rest[0] ), 2.0 ) : 0.0;
		material.hertz = fminf( material.hertz, (float)( subStepCount / ( sqrt( turned / around ) * 2.0 * TEST_PI * pace.h ) ) );
		double w = 2.0 * TEST_PI * material.hertz, stiffness = w * w * ( pair ? 1.0 : 1.0 - material.stretch );
		Stage stage = StageOf( &thing, &material, s_none );
		int a = 0, b = thing.count - 1; // opposite corners
		// fifteen times the slowest decay, and twenty frames
		int frames = (int)fmax( 20.0, 15.0 / ( 0.5 * sqrt( 0.2 ) * w * pace.h ) );
		for ( int k = 0; k < frames; ++k )
		{
			ReadStage( &stage );
			if ( pair )
			{
				pnVec3 pull = pnScale( (float)( strain * stiffness * thing.masses[a] ), thing.rest[a] );
				ENSURE( pnBody_ApplyForceAt( stage.world, stage.body, a, pull ) == pn_success );
				ENSURE( pnBody_ApplyForceAt( stage.world, stage.body, b, pnScale( -1.0f, pull ) ) == pn_success );
			}
			for ( int i = 0; i < thing.count && !pair; ++i )
			{
				pnVec3 pull = pnMakeVec3( (float)( strain * stiffness * thing.masses[i] * thing.rest[i].x ), 0.0f, 0.0f );
				ENSURE( pnBody_ApplyForceAt( stage.world, stage.body, i, pull ) == pn_success );
			}
			ENSURE( pnWorld_Step( stage.world, (float)pace.h, pace.subStepCount ) == pn_success );
		}
		ReadStage( &stage );
		double length = DistanceOf( thing.rest[a], thing.rest[b] ), now = DistanceOf( stage.x[a], stage.x[b] );
		if ( pair == false ) // along x alone
		{
			double other = length * length - edge * edge;
			length = edge, now = sqrt( now * now - other );
		}
		pnTestContext( "%s, %s, %d substeps of %.3g s, strain %.3g", thing.text, TextOf( &material ), pace.subStepCount, pace.h / pace.subStepCount, strain );
		ENSURE_NEAR( now / length - 1.0, strain, 0.01 * strain + 2e-5 );
		FreeStage( &stage );
		FreeThing( &thing );
	}
}

// No sag at all: `rigid` lies, hangs and sticks out from a wall as it was made, with any clusters; g / w^2 is a quarter of a
// micrometre, which a chain of clusters may make a thousand times more of.
static void RigidHasNoSag( void )
{
	pnRandom random = SeedOf( 306 );
	for ( int n = 0; n < Cases( 20 ); ++n )
	{
		const char* name;
		pnMaterial material = PresetMaterial( presetCount - 1, &name );
		Thing thing = RandomBlock( &random, RandomLog( &random, 0.3, 5.0 ), pnRandomInt( &random, coverCount ) );
		Load load = n % 3 == 0 ? hangLoad : n % 3 == 1 ? sideLoad : floorLoad;
		Pace pace = { n % 2 == 0 ? 1.0 / 60.0 : RandomLog( &random, 1e-2, 0.1 ), 1 + pnRandomInt( &random, 4 ) };
		pnVec3* x = calloc( thing.count, sizeof( pnVec3 ) );
		Balance( &thing, &material, load, pace, x );
		double worst = 0.0, low = thing.lower.y;
		for ( int i = 0; i < thing.count; ++i )
		{
			double off = load == floorLoad ? fabs( x[i].y - ( thing.rest[i].y - low ) ) : DistanceOf( x[i], thing.rest[i] );
			worst = off > worst || off != off ? off : worst;
		}
		pnTestContext( "%s %s, %d substeps of %.3g s", s_loadNames[load], thing.text, pace.subStepCount, pace.h );
		ENSURE_MOST( worst, 1e-3 * thing.size );
		free( x );
		FreeThing( &thing );
	}
}

// Two cubes, one on the other, of presets that are asked to be hard: both keep their height within 2 % (wood is squeezed by eight times
// g / w^2, 3 mm), the upper stays on the lower.
static void TwoCubesStand( void )
{
	pnRandom random = SeedOf( 307 );
	for ( int n = 0; n < Cases( 12 ); ++n )
	{
		const char* name;
		pnMaterial material = PresetMaterial( 5 + n % 3, &name ); // wood, steel, rigid
		float edge = (float)RandomLog( &random, 0.5, 3.0 );
		Thing thing = MakeBoxThing( pnMakeVec3( edge, edge, edge ), 4, 4, 4, oneCover, 1.0, &random );
		Stage stage = LyingStage( &thing, &material );
		pnBodyDef def = DefBody( thing.solid, material, pnMakeVec3( 0.0f, 1.5f * edge + 0.03f * (float)thing.size, 0.0f ) );
		pnBodyId upper = AddBody( stage.world, &def ), lower = stage.body;
		int subStepCount = n < 3 ? 1 : 1 + pnRandomInt( &random, 4 );
		RunStage( &stage, 6.0, STEP, subStepCount );
		double low = HeightOf( &stage ), between = StateOf( stage.world, upper ).center.y - StateOf( stage.world, lower ).center.y;
		stage.body = upper;
		double high = HeightOf( &stage );
		pnTestContext( "%s, %d substeps, %s", name, subStepCount, thing.text );
		ENSURE_NEAR( low, edge, 0.02 * edge );
		ENSURE_NEAR( high, edge, 0.02 * edge );
		ENSURE_NEAR( between, edge + 0.02 * thing.size, 0.05 * edge ); // a thickness, a hundredth of the size, of each
		FreeStage( &stage );
		FreeThing( &thing );
	}
}

// Two cubes of one cluster in rigid mode, n points along each edge: a face bears turning as n^2 springs m w^2 do, k = M w^2 L^2 (n + 1) / (12 n (n - 1)). With a face on
// the floor and two in series between them the column stands while M g L < (1 - 1 / sqrt 3) k, so L must be more than that asks for; below it buckles (docs/materials.md).
// (Three layers are squeezed by a quarter there, which is no longer little.) From a tenth of strain on contact makes bodies harder, so that some of those that should fall stand nevertheless: half of them must not.
// In one substep a column that is hardly damped rocks where it lands: two and more.
static void SmallColumnsBuckle( void )
{
	pnRandom random = SeedOf( 308 );
	double thickness = s_thickness;
	int fell = 0;
	s_thickness = 0.002;
	for ( int n = 0; n < Cases( 12 ); ++n )
	{
		bool stands = n % 2 == 0;
		int count = stands ? 4 + pnRandomInt( &random, 3 ) : 5 + pnRandomInt( &random, 2 ), subStepCount = 2 + pnRandomInt( &random, 3 );
		pnMaterial material = PlainMaterial( pn_rigidMode, (float)RandomLog( &random, 5.0, 20.0 ), 0.0f );
		material.dampingRatio = stands ? (float)pnRandomIn( &random, 0.12, 1.0 ) : (float)pnRandomIn( &random, 0.12, 0.3 );
		material.friction = 0.9f;
		double w = 2.0 * TEST_PI * material.hertz, critical = 12.0 * count * ( count - 1.0 ) * GRAVITY / ( ( 1.0 - 1.0 / sqrt( 3.0 ) ) * ( count + 1.0 ) * w * w );
		float edge = (float)( critical * ( stands ? pnRandomIn( &random, 1.5, 3.0 ) : pnRandomIn( &random, 0.45, 0.7 ) ) );
		Thing thing = MakeBoxThing( pnMakeVec3( edge, edge, edge ), count, count, count, oneCover, 1.0, &random );
		Stage stage = LyingStage( &thing, &material );
		pnBodyDef def = DefBody( thing.solid, material, pnMakeVec3( 0.0f, 1.5f * edge + 0.006f * (float)thing.size, 0.0f ) );
		pnBodyId upper = AddBody( stage.world, &def );
		double low = 1e300;
		for ( int k = 0; k < 12 * 60; ++k )
		{
			ENSURE( pnWorld_Step( stage.world, STEP, subStepCount ) == pn_success );
			low = fmin( low, StateOf( stage.world, upper ).center.y - StateOf( stage.world, stage.body ).center.y );
		}
		pnTestContext( "%s, %s, %d substeps, %.2f of the critical edge", thing.text, TextOf( &material ), subStepCount, edge / critical );
		ENSURE( !stands || low > 0.6 * edge );
		fell += !stands && low < 0.6 * edge;
		FreeStage( &stage );
		FreeThing( &thing );
	}
	s_thickness = thickness;
	pnTestContext( "%s", "" );
	ENSURE( 4 * fell >= Cases( 12 ) );
	pnTestNote( "%d of %d small ones fell", fell, Cases( 12 ) / 2 );
}

// ---- hits ----

// Half a metre per second times the mass, at a corner. What it does to a cube of 0.7 m and more cannot tip it over: 0.5 J/kg at most, and
// tipping takes g ( sqrt 2 - 1 ) / 2 times the edge, 1.4. So it rings, slides, comes to rest as high as it was. Steel of one cluster is
// strained by less than its yield (2 / ( w edge )); with several clusters a corner is not, so they get none.
static void HitBlocksKeepTheirHeight( void )
{
	pnRandom random = SeedOf( 310 );
	for ( int n = 0; n < Cases( 24 ); ++n )
	{
		bool steel = n % 2 == 1, several = n / 2 % 2 == 1;
		const char* name;
		pnMaterial material = PresetMaterial( steel ? presetCount - 2 : presetCount - 1, &name );
		material.yield = several ? 0.0f : material.yield;
		float edge = (float)RandomLog( &random, 0.7, 5.0 );
		int count = 4 + pnRandomInt( &random, 2 );
		Thing thing = MakeBoxThing( pnMakeVec3( edge, edge, edge ), count, count, count, several ? cellCover : oneCover, 1.0, &random );
		int subStepCount = n < 8 ? ( steel ? 1 : 4 ) : 1 + pnRandomInt( &random, 8 );
		bool lies = n % 8 < 6;
		Stage stage = lies ? LyingStage( &thing, &material ) : StageOf( &thing, &material, s_none );
		RunStage( &stage, 2.0, STEP, subStepCount );
		double before = lies ? HeightOf( &stage ) : thing.size;
		int corners[4] = { 0, count - 1, thing.count - count, thing.count - 1 };
		pnVec3 impulse = pnScale( 0.5f * pnSolid_GetInfo( thing.solid ).mass, pnRotate( RandomTurn( &random ), pnMakeVec3( 0.0f, 1.0f, 0.0f ) ) );
		ENSURE( pnBody_ApplyImpulseAt( stage.world, stage.body, corners[pnRandomInt( &random, 4 )], impulse ) == pn_success );
		RunStage( &stage, 10.0, STEP, subStepCount );
		double after = lies ? HeightOf( &stage ) : 0.0, speed = 0.0;
		ReadStage( &stage );
		after = lies ? after : SizeOfPoints( stage.x, stage.count );
		for ( int i = 0; i < thing.count; ++i )
		{
			speed = fmax( speed, LengthOf( stage.v[i] ) );
		}
		pnTestContext( "%s, %d substeps, %s %s", name, subStepCount, lies ? "lying" : "free", thing.text );
		ENSURE_NEAR( after, before, 0.01 * before );
		if ( lies )
		{
			ENSURE_MOST( speed, 0.01 ); // a fiftieth of the hit
		}
		FreeStage( &stage );
		FreeThing( &thing );
	}
}

// ---- pins ----

// The pins of a face leap by 0.3 m, over one frame. With w = 377 steel follows within a frame and is strained by less than 18 m/s / w / edge on
// the way, which from 1 m on is below its yield; smaller ones are made without. What a substep cannot follow goes with the pins at once, but for the
// part 2 / (w h)^2 that reaches it through its shape. Two seconds later it is where the pins are, as it was.
static void LeapingPinIsFollowed( void )
{
	pnRandom random = SeedOf( 320 );
	for ( int n = 0; n < Cases( 24 ); ++n )
	{
		const char* name;
		pnMaterial material = PresetMaterial( n % 3 == 2 ? 5 + pnRandomInt( &random, 3 ) : 6, &name ); // steel; or wood, steel, rigid
		double edge = RandomLog( &random, 0.2, 5.0 );
		material.yield = edge < 1.2 ? 0.0f : material.yield;
		Thing thing = RandomBlock( &random, edge, n % 2 == 0 ? oneCover : autoCover );
		Stage stage = StageOf( &thing, &material, s_down );
		int32_t pins[64];
		pnVec3 targets[64], leap = pnScale( 0.3f, pnRotate( RandomTurn( &random ), pnMakeVec3( 0.0f, 1.0f, 0.0f ) ) );
		int pinCount = PointsAtEnd( &thing, 1, true, pins ), subStepCount = n < 12 ? 1 : 1 + pnRandomInt( &random, 4 );
		ENSURE( pnBody_Pin( stage.world, stage.body, pins, NULL, pinCount ) == pn_success );
		RunStage( &stage, 2.0, STEP, subStepCount );
		ReadStage( &stage );
		pnVec3* before = calloc( thing.count, sizeof( pnVec3 ) );
		memcpy( before, stage.x, sizeof( pnVec3 ) * thing.count );
		for ( int k = 0; k < pinCount; ++k )
		{
			targets[k] = pnAdd( stage.x[pins[k]], leap );
		}
		ENSURE( pnBody_Pin( stage.world, stage.body, pins, targets, pinCount ) == pn_success );
		double widest = 0.0, worst = 0.0, lag = 0.0, wh = 2.0 * TEST_PI * material.hertz * STEP / subStepCount;
		for ( int k = 0; k < 120; ++k )
		{
			ENSURE( pnWorld_Step( stage.world, STEP, subStepCount ) == pn_success );
			ReadStage( &stage );
			for ( int i = 0; i < thing.count && k == 0; ++i )
			{
				lag = fmax( lag, DistanceOf( stage.x[i], pnAdd( before[i], leap ) ) );
			}
			widest = k < 10 ? fmax( widest, SizeOfPoints( stage.x, stage.count ) ) : widest;
		}
		for ( int i = 0; i < thing.count; ++i )
		{
			double off = DistanceOf( stage.x[i], pnAdd( before[i], leap ) );
			worst = off > worst || off != off ? off : worst;
		}
		pnTestContext( "%s, %d substeps, %s", name, subStepCount, thing.text );
		ENSURE_MOST( worst, 0.01 * thing.size );
		ENSURE_MOST( lag, 0.3 * fmin( 1.0, 3.0 / ( wh * wh ) ) + 2e-3 * thing.size );
		ENSURE_MOST( widest, thing.size + 0.6 ); // nothing is thrown: behind by the leap at most, and as much beyond it
		free( before );
		FreeStage( &stage );
		FreeThing( &thing );
	}
}

// ---- volume ----

static double PressedVolume( const Thing* thing, const pnMaterial* material, float edge, bool pinned, int subStepCount, bool* squeezed )
{
	Stage stage = StageOf( thing, material, s_none );
	int32_t pins[256];
	pnVec3 targets[256];
	pnShapeId plates[2];
	int low = PointsAtEnd( thing, 1, false, pins ), pinCount = low + PointsAtEnd( thing, 1, true, pins + low );
	if ( pinned == false )
	{
		ENSURE( pnDestroyBody( stage.world, stage.body ) == pn_success );
		pnBodyDef def = DefBody( thing->solid, *material, s_none );
		stage.body = AddBody( stage.world, &def );
	}
	double time = 8.0, thickness = 0.01 * thing->size;
	for ( int n = 0; n < (int)( 60.0 * time ); ++n )
	{
		double half = 0.5 * edge * ( 1.0 - 0.4 * fmin( 1.0, n / 119.0 ) ); // there after two seconds
		for ( int k = 0; k < pinCount && pinned; ++k )
		{
			targets[k] = thing->rest[pins[k]];
			targets[k].y = (float)( k < low ? -half : half );
		}
		if ( pinned )
		{
			ENSURE( pnBody_Pin( stage.world, stage.body, pins, targets, pinCount ) == pn_success );
		}
		for ( int side = 0; side < 2 && !pinned; ++side )
		{
			pnVec3 place = pnMakeVec3( 0.0f, (float)( ( side == 0 ? -1.0 : 1.0 ) * ( half + thickness + edge ) ), 0.0f );
			pnTransform target = { place, pnIdentityQuat() };
			if ( n == 0 )
			{
				pnShapeDef def = DefBoxShape( place, pnMakeVec3( 10.0f * edge, edge, 10.0f * edge ), 0.0f );
				plates[side] = AddShape( stage.world, &def );
			}
			ENSURE( pnShape_MoveTo( stage.world, plates[side], target ) == pn_success );
		}
		ENSURE( pnWorld_Step( stage.world, STEP, subStepCount ) == pn_success );
	}
	double volume = VolumeOf( stage.world, stage.body ) / ( (double)edge * edge * edge );
	*squeezed = StateOf( stage.world, stage.body ).transform.q.w > 0.99f && HeightOf( &stage ) < 0.65 * edge; // between the plates, and upright
	FreeStage( &stage );
	return volume;
}

// A cube whose faces are pressed to 60 %: held by pins it keeps nearly the volume that it keeps between plates on which it may slide, and never
// more than it has. Bounds as promised: 0.85, 0.95, 0.99 of it for volume 0, 1, 10; at most 1.02. What it keeps does not depend on its frequency: the
// sliding one is a soft one, which plates can press. It may turn over and get out; then there is nothing to be compared.
static void VolumeBetweenPins( void )
{
	static const float volumes[] = { 0.0f, 1.0f, 10.0f };
	static const double shares[] = { 0.85, 0.95, 0.99 };
	pnRandom random = SeedOf( 330 );
	int compared = 0;
	for ( int n = 0; n < Cases( 12 ); ++n )
	{
		float edge = (float)RandomLog( &random, 0.1, 3.0 );
		int count = n < 6 ? 5 : 8; // which automatic clusters follow
		Thing thing = MakeBoxThing( pnMakeVec3( edge, edge, edge ), count, count, count, n % 6 < 3 ? oneCover : autoCover, 1.0, &random );
		pnMaterial material = pnDefaultMaterial();
		material.mode = n < 6 ? pn_quadraticMode : pn_linearMode;
		material.stretch = n < 6 ? material.stretch : (float)pnRandomIn( &random, 0.1, 0.8 );
		material.hertz = n < 6 ? material.hertz : (float)RandomLog( &random, 3.0, 200.0 );
		material.dampingRatio = 0.7f;
		material.volume = volumes[n % 3];
		material.friction = 0.0f;
		pnMaterial soft = material;
		soft.hertz = 6.0f;
		bool squeezed, unused;
		double pinned = PressedVolume( &thing, &material, edge, true, 2, &unused ), sliding = PressedVolume( &thing, &soft, edge, false, 2, &squeezed );
		pnTestContext( "%s, %s: %.3f pinned, %.3f sliding", thing.text, TextOf( &material ), pinned, sliding );
		if ( squeezed )
		{
			ENSURE_MOST( shares[n % 3] * fmin( 1.0, sliding ), pinned );
			compared += 1;
		}
		ENSURE_MOST( pinned, 1.02 );
		ENSURE_MOST( sliding, 1.02 );
		FreeThing( &thing );
	}
	pnTestContext( "%s", "" );
	ENSURE( 4 * compared >= 3 * Cases( 12 ) );
}

// The same where pinned faces enclose one cluster of any number of layers, three and more: one free layer bulges as it must and no farther, and in thick ones what is
// free does not crowd towards the faces instead of bulging.
static void VolumeBetweenWalls( void )
{
	static const float volumes[] = { 1.0f, 10.0f };
	static const double shares[] = { 0.95, 0.99 };
	pnRandom random = SeedOf( 332 );
	double highest = 0.0, least = 1e300;
	int compared = 0;
	for ( int n = 0; n < Cases( 16 ); ++n )
	{
		float edge = (float)RandomLog( &random, 0.1, 3.0 );
		int wide = 3 + pnRandomInt( &random, 6 ), layers = 3 + n / 2 % 6, deep = 3 + pnRandomInt( &random, 6 );
		Thing thing = MakeBoxThing( pnMakeVec3( edge, edge, edge ), wide, layers, deep, oneCover, 1.0, &random );
		pnMaterial material = pnDefaultMaterial();
		material.mode = 1 + pnRandomInt( &random, 2 );
		material.stretch = (float)pnRandomIn( &random, 0.1, 0.8 );
		material.hertz = (float)RandomLog( &random, 3.0, 200.0 );
		material.dampingRatio = 0.7f;
		material.volume = volumes[n % 2];
		material.friction = 0.0f;
		pnMaterial soft = material;
		soft.hertz = 6.0f;
		bool squeezed, unused;
		double pinned = PressedVolume( &thing, &material, edge, true, 2, &unused ), sliding = PressedVolume( &thing, &soft, edge, false, 2, &squeezed );
		pnTestContext( "%s, %d layers, %s: %.3f pinned, %.3f sliding", thing.text, layers, TextOf( &material ), pinned, sliding );
		ENSURE_MOST( pinned, 1.02 );
		highest = fmax( highest, pinned );
		if ( squeezed )
		{
			ENSURE_MOST( shares[n % 2] * fmin( 1.0, sliding ), pinned );
			least = fmin( least, pinned / fmin( 1.0, sliding ) );
			compared += 1;
		}
		FreeThing( &thing );
	}
	ENSURE( 4 * compared >= 3 * Cases( 16 ) );
	pnTestNote( "%.3f at most, %.3f of the sliding one at least", highest, least );
}

// Nearly all points of a block are pinned at 60 % of its height, and volume is asked for: the few that are free do not make up for all of it. What is
// missing is 0.4 of the height; three times that, and no point goes farther than its own size.
static void FewFreePointsStay( void )
{
	pnRandom random = SeedOf( 331 );
	double farthest = 0.0;
	for ( int n = 0; n < Cases( 30 ); ++n )
	{
		int edge = 3 + pnRandomInt( &random, 4 );
		float length = (float)RandomLog( &random, 0.1, 3.0 );
		Thing thing = MakeBoxThing( pnMakeVec3( length, length, length ), edge, edge, edge, pnRandomInt( &random, coverCount ), 1.0, &random );
		pnMaterial material = PlainMaterial( 1 + n % 2, (float)RandomLog( &random, 2.0, 500.0 ), (float)pnRandomIn( &random, 0.0, 0.8 ) );
		material.dampingRatio = 0.7f;
		material.volume = (float)RandomLog( &random, 1.0, 10.0 );
		Stage stage = StageOf( &thing, &material, s_none );
		int32_t* pins = calloc( thing.count, sizeof( int32_t ) );
		pnVec3* targets = calloc( thing.count, sizeof( pnVec3 ) );
		int pinCount = 0, many = n % 2 == 0 ? thing.count : 4; // one in so many is free, or one alone
		int lone = pnRandomInt( &random, thing.count ), subStepCount = 1 + pnRandomInt( &random, 3 );
		for ( int i = 0; i < thing.count; ++i )
		{
			if ( i != lone && ( many == thing.count || !Chance( &random, many ) ) )
			{
				pins[pinCount++] = i;
			}
		}
		for ( int k = 0; k < 300; ++k )
		{
			float part = (float)( 1.0 - 0.4 * fmin( 1.0, k / 60.0 ) );
			for ( int i = 0; i < pinCount; ++i )
			{
				targets[i] = thing.rest[pins[i]];
				targets[i].y *= part;
			}
			ENSURE( pnBody_Pin( stage.world, stage.body, pins, targets, pinCount ) == pn_success );
			ENSURE( pnWorld_Step( stage.world, STEP, subStepCount ) == pn_success );
		}
		ReadStage( &stage );
		double way = 0.0;
		for ( int i = 0; i < thing.count; ++i )
		{
			double off = DistanceOf( stage.x[i], thing.rest[i] );
			way = off > way || off != off ? off : way;
		}
		pnTestContext( "%s, %s, %d of %d pinned", thing.text, TextOf( &material ), pinCount, thing.count );
		ENSURE_MOST( way, thing.size );
		farthest = fmax( farthest, way / thing.size );
		free( pins );
		free( targets );
		FreeStage( &stage );
		FreeThing( &thing );
	}
	pnTestNote( "%.2f sizes at most", farthest );
}

// ---- impulses and forces at points ----

// Momentum J and angular momentum r x J, at once and for ever, for every stiffness and step; all sums in double. Rounding: 1e-5 of the sums over
// lengths, the largest there were; and where a place is known to 6e-8 of the size, a velocity is known to that over the substep. A force acts for the whole step wherever its point is: in a step without substeps its angular momentum is that where it
// began but for the way of the point; with them, whatever it was after the step, it stays.
static void PushesGiveWhatTheyAre( void )
{
	pnRandom random = SeedOf( 340 );
	for ( int n = 0; n < Cases( 120 ); ++n )
	{
		Thing thing = RandomThing( &random );
		pnMaterial material = RandomMaterial( &random, anyDamping, false );
		double h = RandomLog( &random, 1e-3, 0.1 );
		int subStepCount = 1 + pnRandomInt( &random, 8 ), point = pnRandomInt( &random, thing.count );
		bool force = n % 2 == 1;
		if ( thing.masses != NULL )
		{
			Stage stage = StageOf( &thing, &material, s_none );
			double mass = pnSolid_GetInfo( thing.solid ).mass, speed = thing.size * RandomLog( &random, 0.01, 1.0 );
			pnVec3 push = pnScale( (float)( mass * speed ), pnRotate( RandomTurn( &random ), pnMakeVec3( 1.0f, 0.0f, 0.0f ) ) );
			ReadStage( &stage );
			Motion start = MeasureMotion( thing.count, thing.masses, stage.x, stage.v );
			pnVec3 where = stage.x[point];
			double arm[3] = { where.x - start.center[0], where.y - start.center[1], where.z - start.center[2] };
			double turn[3] = { arm[1] * push.z - arm[2] * push.y, arm[2] * push.x - arm[0] * push.z, arm[0] * push.y - arm[1] * push.x }, wanted[3] = { push.x, push.y, push.z };
			pnTestContext( "%s at point %d, %s, %s, %d substeps of %.3g s", force ? "force" : "impulse", point, thing.text, TextOf( &material ), subStepCount, h / subStepCount );
			if ( force )
			{
				ENSURE( pnBody_ApplyForceAt( stage.world, stage.body, point, pnScale( (float)( 1.0 / h ), push ) ) == pn_success );
			}
			else
			{
				ENSURE( pnBody_ApplyImpulseAt( stage.world, stage.body, point, push ) == pn_success );
			}
			double slip = 0.0, linearScale = mass * speed, angularScale = mass * speed * thing.size; // and the largest there were
			for ( int k = 0; k < 60; ++k )
			{
				if ( k > 0 || !force ) // the impulse shows at once, the force after the step
				{
					ReadStage( &stage );
					Motion now = MeasureMotion( thing.count, thing.masses, stage.x, stage.v );
					double quantum = k == 0 ? 0.0 : 6e-8 * mass * thing.size / ( h / subStepCount );
					linearScale = fmax( linearScale, now.momentumScale );
					angularScale = fmax( angularScale, now.angularScale );
					bool fine = ENSURE_MOST( Distance3( now.momentum, wanted ), 1e-5 * linearScale + quantum );
					// about the centre as it moves: a force moved it, and the point, within the step
					slip = force && k == 1 && subStepCount == 1 ? DistanceOf( stage.x[point], where ) + Distance3( now.center, start.center ) : slip;
					for ( int a = 0; a < 3 && force && k == 1 && subStepCount > 1; ++a )
					{
						turn[a] = now.angularMomentum[a];
						slip = 0.0;
					}
					fine = ENSURE_MOST( Distance3( now.angularMomentum, turn ), 1e-5 * angularScale + slip * mass * speed + quantum * thing.size ) && fine;
					if ( fine == false )
					{
						break;
					}
				}
				ENSURE( pnWorld_Step( stage.world, (float)h, subStepCount ) == pn_success );
			}
			FreeStage( &stage );
		}
		FreeThing( &thing );
	}
}

// ---- pendulums ----

// A stiff bar, turned aside by `amplitude`, on one pin, or on two in a line across it: a compound pendulum.
typedef struct Pendulum
{
	Thing thing;
	pnWorld* world;
	pnBodyId body;
	const char* name; // of its material
	pnMaterial material;
	bool hinge;
	double length, mass, inertia, arm; // inertia about the pins, arm from them to the centre
	int32_t end; // a point farthest from them
} Pendulum;

static Pendulum MakePendulum( int n, double length, double amplitude, pnRandom* random )
{
	Pendulum p = { .hinge = n / 3 % 2 == 1, .length = length };
	float wide = (float)( length * pnRandomIn( random, 0.1, 0.25 ) );
	int32_t pins[2], pinCount = 0;
	p.thing = MakeBoxThing( pnMakeVec3( wide, (float)length, wide ), 3, 9, 3, oneCover, 1.0, random );
	p.material = PresetMaterial( 5 + n % 3, &p.name ); // wood, steel, rigid
	for ( int i = 0; i < p.thing.count; ++i )
	{
		pnVec3 x = p.thing.rest[i];
		bool top = x.y > 0.49 * length, middle = fabs( x.x ) < 0.1 * wide, edge = fabs( x.z ) > 0.4 * wide;
		if ( top && middle && edge == p.hinge )
		{
			pins[pinCount++] = i; // in the middle of the top, or at both ends of its middle line along z
		}
		double down = 0.5 * length - x.y;
		p.end = x.y < p.thing.rest[p.end].y ? i : p.end;
		p.inertia += p.thing.masses[i] * ( down * down + x.x * x.x ); // about z through the top
		p.mass += p.thing.masses[i];
		p.arm += p.thing.masses[i] * down;
	}
	p.arm /= p.mass;
	ENSURE( pinCount == ( p.hinge ? 2 : 1 ) );
	p.world = MakeWorld( s_down );
	pnBodyDef def = pnDefaultBodyDef();
	def.solid = p.thing.solid;
	def.material = p.material;
	def.filter.mask = 0;
	def.transform.q = ( pnQuat ){ 0.0f, 0.0f, (float)sin( 0.5 * amplitude ), (float)cos( 0.5 * amplitude ) };
	def.transform.p = pnSub( s_none, pnRotate( def.transform.q, pnMakeVec3( 0.0f, (float)( 0.5 * length ), 0.0f ) ) ); // its top in the origin
	p.body = AddBody( p.world, &def );
	ENSURE( pnBody_Pin( p.world, p.body, pins, NULL, pinCount ) == pn_success );
	return p;
}

static void FreePendulum( Pendulum* p )
{
	pnDestroyWorld( p->world );
	FreeThing( &p->thing );
}

// T = 2 pi sqrt( I / ( M g d ) ) / agm( 1, cos( amplitude / 2 ) ), I about the pins.
static double PeriodOf( const Pendulum* p, double amplitude )
{
	double a = 1.0, b = cos( 0.5 * amplitude );
	for ( int k = 0; k < 6; ++k )
	{
		double mean = 0.5 * ( a + b );
		b = sqrt( a * b ), a = mean;
	}
	return 2.0 * TEST_PI * sqrt( p->inertia / ( p->mass * GRAVITY * p->arm ) ) / a;
}

// Its period is the closed form's.
static void Pendulums( void )
{
	static const int subStepCounts[] = { 1, 2, 4 };
	pnRandom random = SeedOf( 350 );
	for ( int n = 0; n < Cases( 24 ); ++n )
	{
		double length = RandomLog( &random, 0.2, 4.0 ), amplitude = pnRandomIn( &random, 0.1, 0.6 );
		Pendulum p = MakePendulum( n, length, amplitude, &random );
		int subStepCount = subStepCounts[pnRandomInt( &random, 3 )], crossings = 0;
		double right = PeriodOf( &p, amplitude ), was = 1.0, first = 0.0, last = 0.0;
		for ( int k = 1; k < (int)( 60.0 * 3.6 * right ); ++k )
		{
			ENSURE( pnWorld_Step( p.world, STEP, subStepCount ) == pn_success );
			double now = StateOf( p.world, p.body ).center.x;
			if ( now * was < 0.0 )
			{
				last = ( k - now / ( now - was ) ) / 60.0;
				first = crossings == 0 ? last : first;
				crossings += 1;
			}
			was = now;
		}
		pnTestContext( "%s, %s, %d substeps, %s, amplitude %.2g", p.name, p.thing.text, subStepCount, p.hinge ? "hinge" : "one pin", amplitude );
		ENSURE_NEAR( crossings > 1 ? 2.0 * ( last - first ) / ( crossings - 1 ) : 0.0, right, 0.02 * right );
		FreePendulum( &p );
	}
}

// However far it swings and however long its steps are, a stiff pendulum keeps its swing, its period and its size, but for what weight and spin draw it out by.
static void PendulumsKeepTheirSwing( void )
{
	pnRandom random = SeedOf( 352 );
	double lost = 0.0;
	for ( int n = 0; n < Cases( 24 ); ++n )
	{
		double amplitude = pnRandomIn( &random, 0.8, 2.2 );
		Pendulum p = MakePendulum( n, RandomLog( &random, 0.3, 4.0 ), amplitude, &random );
		int subStepCount = 1 + n / 6 % 4, crossings = 0;
		double right = PeriodOf( &p, amplitude ), was = 1.0, first = 0.0, last = 0.0, stretched = 0.0, high = -1.0;
		double fastest2 = 2.0 * p.mass * GRAVITY * p.arm * ( 1.0 - cos( amplitude ) ) / p.inertia, far = 0.0;
		int count = (int)( 60.0 * 6.0 * right );
		for ( int k = 1; k < count; ++k )
		{
			pnVec3 x[256];
			ENSURE( pnWorld_Step( p.world, STEP, subStepCount ) == pn_success );
			ENSURE( pnBody_WritePoints( p.world, p.body, x, NULL, 256 ) == p.thing.count );
			pnVec3 center = StateOf( p.world, p.body ).center;
			double reach = LengthOf( x[p.end] );
			far = LengthOf( pnSub( p.thing.rest[p.end], pnMakeVec3( 0.0f, (float)( 0.5 * p.length ), 0.0f ) ) );
			stretched = fmax( stretched, fabs( reach / far - 1.0 ) );
			high = k > count - (int)( 60.0 * right ) ? fmax( high, center.y / p.arm ) : high;
			if ( center.x * was < 0.0 )
			{
				last = ( k - center.x / ( center.x - was ) ) / 60.0;
				first = crossings == 0 ? last : first;
				crossings += 1;
			}
			was = center.x;
		}
		pnTestContext( "%s, %s, %d substeps, %s, amplitude %.2g", p.name, p.thing.text, subStepCount, p.hinge ? "hinge" : "one pin", amplitude );
		ENSURE_NEAR( crossings > 1 ? 2.0 * ( last - first ) / ( crossings - 1 ) : 0.0, right, 0.01 * right );
		ENSURE_NEAR( high, -cos( amplitude ), 0.02 * ( 1.0 - cos( amplitude ) ) ); // height is energy
		ENSURE_MOST( stretched, 3.0 * ( fastest2 + GRAVITY / p.length ) * SoftnessOf( &p.material ) + 2e-5 );
		lost = fmax( lost, fabs( high + cos( amplitude ) ) / ( 1.0 - cos( amplitude ) ) );
		FreePendulum( &p );
	}
	pnTestNote( "energy off by %.2g at most", lost );
}

// The pin on which a stiff bar hangs goes aside by a little within a frame. A rigid bar, free to turn about it, has its centre then by
// 1 - M d^2 / I of that aside (a quarter for a thin one): its inertia turns it against the pin.
static void BarsStayBehindTheirPin( void )
{
	pnRandom random = SeedOf( 351 );
	for ( int n = 0; n < Cases( 12 ); ++n )
	{
		double length = RandomLog( &random, 0.2, 4.0 ), aside = 0.02 * length, inertia = 0.0, mass = 0.0, arm = 0.0;
		float wide = (float)( length * pnRandomIn( &random, 0.1, 0.25 ) );
		Thing thing = MakeBoxThing( pnMakeVec3( wide, (float)length, wide ), 3, 9, 3, oneCover, 1.0, &random );
		const char* name;
		pnMaterial material = PresetMaterial( presetCount - 1, &name );
		int32_t pin = -1;
		for ( int i = 0; i < thing.count; ++i )
		{
			pnVec3 p = thing.rest[i];
			pin = p.y > 0.49 * length && fabs( p.x ) < 0.1 * wide && fabs( p.z ) < 0.1 * wide ? i : pin;
			double down = 0.5 * length - p.y;
			inertia += thing.masses[i] * ( down * down + p.x * p.x );
			mass += thing.masses[i];
			arm += thing.masses[i] * down;
		}
		arm /= mass;
		Stage stage = StageOf( &thing, &material, s_none );
		pnVec3 target = pnAdd( thing.rest[pin], pnMakeVec3( (float)aside, 0.0f, 0.0f ) );
		int subStepCount = 1 + pnRandomInt( &random, 4 );
		ENSURE( pnBody_Pin( stage.world, stage.body, &pin, NULL, 1 ) == pn_success );
		RunStage( &stage, 0.1, STEP, subStepCount );
		ENSURE( pnBody_Pin( stage.world, stage.body, &pin, &target, 1 ) == pn_success );
		ENSURE( pnWorld_Step( stage.world, STEP, subStepCount ) == pn_success );
		double right = aside * ( 1.0 - mass * arm * arm / inertia );
		pnTestContext( "%s, %d substeps", thing.text, subStepCount );
		ENSURE_NEAR( StateOf( stage.world, stage.body ).center.x, right, 0.05 * aside );
		FreeStage( &stage );
		FreeThing( &thing );
	}
}

// A beam whose pins travel evenly, begun at their velocity, swings and sags as the same beam at rest does: nothing tells the two apart. Neither
// the energy account nor damping may feel the motion, whatever keeps the volume.
static void CarriedBeamsFeelNoMotion( void )
{
	pnRandom random = SeedOf( 352 );
	double worst = 0.0;
	for ( int n = 0; n < Cases( 16 ); ++n )
	{
		double length = RandomLog( &random, 0.3, 2.0 );
		float wide = (float)( length * pnRandomIn( &random, 0.12, 0.3 ) );
		Thing thing = MakeBoxThing( pnMakeVec3( (float)length, wide, wide ), 9, 3, 3, n % 2 == 0 ? oneCover : autoCover, 1.0, &random );
		const char* name;
		pnMaterial material = PresetMaterial( n % ( presetCount - 1 ), &name );
		material.yield = 0.0f;
		int subStepCount = 1 + pnRandomInt( &random, 4 );
		pnVec3 velocity = RandomVec3( &random, 2.0 ), gravity = pnMakeVec3( 0.0f, -9.81f, 0.0f );
		Stage stages[2] = { StageOf( &thing, &material, gravity ), StageOf( &thing, &material, gravity ) };
		int32_t pins[9];
		int pinCount = 0;
		for ( int i = 0; i < thing.count && pinCount < 9; ++i )
		{
			pins[pinCount] = i;
			pinCount += thing.rest[i].x < -0.49 * length;
		}
		pnVec3 targets[9], *places[2] = { malloc( sizeof( pnVec3 ) * (size_t)thing.count ), malloc( sizeof( pnVec3 ) * (size_t)thing.count ) };
		ENSURE( pinCount == 9 && places[0] != NULL && places[1] != NULL );
		ENSURE( pnBody_SetVelocity( stages[1].world, stages[1].body, velocity, s_none ) == pn_success );
		ENSURE( pnBody_Pin( stages[0].world, stages[0].body, pins, NULL, pinCount ) == pn_success );
		double sag = 0.0, off = 0.0;
		for ( int frame = 1; frame <= 90; ++frame )
		{
			pnVec3 way = pnScale( (float)frame * STEP, velocity );
			for ( int i = 0; i < pinCount; ++i )
			{
				targets[i] = pnAdd( thing.rest[pins[i]], way );
			}
			ENSURE( pnBody_Pin( stages[1].world, stages[1].body, pins, targets, pinCount ) == pn_success );
			for ( int k = 0; k < 2; ++k )
			{
				ENSURE( pnWorld_Step( stages[k].world, STEP, subStepCount ) == pn_success );
				pnBody_WritePoints( stages[k].world, stages[k].body, places[k], NULL, thing.count );
			}
			for ( int i = 0; i < thing.count; ++i )
			{
				sag = fmax( sag, LengthOf( pnSub( places[0][i], thing.rest[i] ) ) );
				off = fmax( off, LengthOf( pnSub( pnSub( places[1][i], way ), places[0][i] ) ) );
			}
		}
		pnTestContext( "%s of %s, %d substeps", thing.text, name, subStepCount );
		ENSURE_MOST( off, 0.02 * sag + 1e-3 * length );
		worst = fmax( worst, off / ( sag + 0.05 * length ) );
		free( places[0] );
		free( places[1] );
		FreeStage( stages );
		FreeStage( stages + 1 );
		FreeThing( &thing );
	}
	pnTestNote( "off by %.1e of the sag", worst );
}

static const pnTest s_tests[] = {
	RUN( HangingKnowsNoStep ),
	RUN( CantileverKnowsNoStep ),
	RUN( PulledCornerKnowsNoStep ),
	RUN( LyingKnowsNoStep ),
	RUN( RigidModeSags ),
	RUN( FreeBodyUnderForces ),
	RUN( RigidHasNoSag ),
	RUN( TwoCubesStand ),
	RUN( SmallColumnsBuckle ),
	RUN( HitBlocksKeepTheirHeight ),
	RUN( LeapingPinIsFollowed ),
	RUN( VolumeBetweenPins ),
	RUN( VolumeBetweenWalls ),
	RUN( FewFreePointsStay ),
	RUN( PushesGiveWhatTheyAre ),
	RUN( Pendulums ),
	RUN( PendulumsKeepTheirSwing ),
	RUN( BarsStayBehindTheirPin ),
	RUN( CarriedBeamsFeelNoMotion ),
};
SUITE( step, s_tests );
