// test_swing.c - how fast a body swings and how fast that dies out, for any step, mass, scale and number of points. Rows M3, M5.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
//
// Theory. Kick and drift with pull a and damping b turn a mode of curvature kappa by trace = 2 - a kappa - b, determinant
// 1 - b per step. With E = exp( -zeta w h ), b = 1 - E^2, a = 1 + E^2 - 2 E cos( w h sqrt( 1 - zeta^2 ) ) that is the exact
// damped oscillator for kappa = 1, at every h with w h sqrt( 1 - zeta^2 ) <= pi / 2. So:
// - what the fit leaves over (residual modes) swings at hertz;
// - what the fit can follow (shape modes) has kappa = 1 - stretch and swings at hertz sqrt( 1 - stretch ), made exact at
//   every h by the same formula; both decay with the damping ratio asked for;
// - nothing of this depends on masses, lengths or the number of points: goals are linear in the positions and weights
//   enter as shares;
// - with overlapping clusters kappa is a property of the cover (0 < kappa <= 1), the frequency is hertz sqrt( kappa ),
//   and what is left of the step in it is at most ( w h )^2 / 24 relative: 2.7 % of the frequency at w h = 0.8 with the
//   pull set at kappa = 1, and below 2 % with the pull set at kappa = 1 / 4, which halves the distance to the slow modes.
#include "help.h"
#include "reference.h"

typedef struct Swing { double hertz, dampingRatio, magnitude; } Swing;

// Least squares s[n+1] = p s[n] + q s[n-1]: the two roots of z^2 = p z + q are the mode's factors per sample.
static Swing FitSwing( const double* signal, int count, double interval )
{
	double s11 = 0.0, s12 = 0.0, s22 = 0.0, b1 = 0.0, b2 = 0.0;
	for ( int n = 1; n + 1 < count; ++n )
	{
		s11 += signal[n] * signal[n];
		s12 += signal[n] * signal[n - 1];
		s22 += signal[n - 1] * signal[n - 1];
		b1 += signal[n + 1] * signal[n];
		b2 += signal[n + 1] * signal[n - 1];
	}
	double det = s11 * s22 - s12 * s12;
	double p = ( b1 * s22 - b2 * s12 ) / det, q = ( b2 * s11 - b1 * s12 ) / det;
	Swing swing = { 0 };
	swing.magnitude = sqrt( -q );
	double cosine = p / ( 2.0 * swing.magnitude );
	double angle = acos( fmin( fmax( cosine, -1.0 ), 1.0 ) );
	double decay = -log( swing.magnitude ) / interval, turn = angle / interval;
	double omega = sqrt( decay * decay + turn * turn );
	swing.hertz = omega / ( 2.0 * TEST_PI );
	swing.dampingRatio = decay / omega;
	return swing;
}

typedef enum ModeKind
{
	stretchSwing, // along z, a shape mode of linear and quadratic bodies
	bendSwing, // x ~ z^2, a shape mode of quadratic bodies
	residualSwing, // what no quadratic map can follow
} ModeKind;

// The displacement pattern, mass-orthogonal to all rigid motions; in units of the body's size.
static void MakePattern( const Shape* shape, ModeKind kind, double* pattern )
{
	double meanZz = 0.0, mass = 0.0, size = 0.0, z2 = 0.0, z4 = 0.0;
	for ( int i = 0; i < shape->count; ++i )
	{
		double m = shape->masses[i], z = shape->rest[i].z;
		mass += m;
		meanZz += m * z * z;
		z2 += m * z * z;
		z4 += m * z * z * z * z;
		size = fmax( size, fabs( z ) );
	}
	meanZz /= mass;
	for ( int i = 0; i < shape->count; ++i )
	{
		double z = shape->rest[i].z;
		double* d = pattern + 3 * i;
		d[0] = d[1] = d[2] = 0.0;
		if ( kind == stretchSwing )
		{
			d[2] = z;
		}
		else if ( kind == bendSwing )
		{
			d[0] = ( z * z - meanZz ) / size;
		}
		else
		{
			// z^3 without its part along z: on a symmetric block nothing of it is left for linear or quadratic maps
			d[2] = ( z * z * z - z4 / z2 * z ) / ( size * size );
		}
	}
}

// Lets the body go from a small deflection and watches the pattern in it. rate is of the world's steps.
static Swing Watch( const Shape* shape, const pnMaterial* material, const double* pattern, double amplitude, double rate, int subStepCount, double seconds )
{
	Stage stage = MakeStage( shape, material, pnMakeVec3( 0.0f, 0.0f, 0.0f ) );
	for ( int i = 0; i < shape->count; ++i )
	{
		const double* d = pattern + 3 * i;
		pnVec3 rest = shape->rest[i];
		stage.x[i] = pnMakeVec3( (float)( rest.x + amplitude * d[0] ), (float)( rest.y + amplitude * d[1] ), (float)( rest.z + amplitude * d[2] ) );
	}
	SetStage( &stage );
	int count = (int)( seconds * rate ) + 1;
	double* signal = malloc( sizeof( double ) * count );
	for ( int n = 0; n < count; ++n )
	{
		ReadStage( &stage );
		signal[n] = 0.0;
		for ( int i = 0; i < shape->count; ++i )
		{
			const double* d = pattern + 3 * i;
			double p[3] = { (double)stage.x[i].x - shape->rest[i].x, (double)stage.x[i].y - shape->rest[i].y, (double)stage.x[i].z - shape->rest[i].z };
			signal[n] += shape->masses[i] * ( d[0] * p[0] + d[1] * p[1] + d[2] * p[2] );
		}
		ENSURE( pnWorld_Step( stage.world, (float)( 1.0 / rate ), subStepCount ) == pn_success );
	}
	Swing swing = FitSwing( signal, count, 1.0 / rate );
	free( signal );
	FreeStage( &stage );
	return swing;
}

static pnMaterial SwingMaterial( void )
{
	pnMaterial material = PlainMaterial( pn_quadraticMode, 4.0f, 0.6f );
	material.dampingRatio = 0.1f;
	return material;
}

static const double s_rates[] = { 30.0, 60.0, 120.0, 240.0, 1000.0 };

static void CheckSwing( const Shape* shape, const pnMaterial* material, ModeKind kind, double rate, int subStepCount )
{
	double* pattern = malloc( sizeof( double ) * 3 * shape->count );
	MakePattern( shape, kind, pattern );
	double hertz = kind == residualSwing ? material->hertz : material->hertz * sqrt( 1.0 - material->stretch );
	Swing swing = Watch( shape, material, pattern, 0.005, rate, subStepCount, 3.0 / hertz );
	ENSURE_NEAR( swing.hertz, hertz, 0.02 * hertz );
	ENSURE_NEAR( swing.dampingRatio, material->dampingRatio, 0.02 * material->dampingRatio + 1e-3 );
	free( pattern );
}

static const char* const s_kindNames[] = { "stretch", "bend", "residual" };

// Frequency and decay within 2 % of hertz sqrt( 1 - stretch ), at every rate.
static void SwingAtAnyRate( void )
{
	Shape shape = MakeBlock( 4, 4, 6, 0.25f, 0.0f, 1 );
	for ( int kind = stretchSwing; kind <= residualSwing; ++kind )
	{
		for ( int r = 0; r < 5; ++r )
		{
			for ( int damped = 0; damped < 2; ++damped )
			{
				pnMaterial material = SwingMaterial();
				material.dampingRatio = damped ? 0.1f : 0.0f;
				pnTestContext( "%s at %g Hz, damping %g", s_kindNames[kind], s_rates[r], material.dampingRatio );
				CheckSwing( &shape, &material, kind, s_rates[r], 1 );
			}
		}
	}
	FreeShape( &shape );
}

static void SwingWithSubSteps( void )
{
	Shape shape = MakeBlock( 4, 4, 6, 0.25f, 0.0f, 1 );
	for ( int kind = stretchSwing; kind <= residualSwing; ++kind )
	{
		for ( int subStepCount = 1; subStepCount <= 8; ++subStepCount )
		{
			pnMaterial material = SwingMaterial();
			pnTestContext( "%s, %d substeps", s_kindNames[kind], subStepCount );
			CheckSwing( &shape, &material, kind, 60.0, subStepCount );
		}
	}
	FreeShape( &shape );
}

// The same for any stretch, mode and strong damping, and with volume and a soft cap out of reach: they act on other states.
static void SwingOfMaterials( void )
{
	Shape shape = MakeBlock( 4, 4, 6, 0.25f, 0.0f, 1 );
	for ( int n = 0; n < 24; ++n )
	{
		pnMaterial material = SwingMaterial();
		material.mode = n % 2 == 0 ? pn_linearMode : pn_quadraticMode;
		material.stretch = 0.25f * ( n / 2 % 4 );
		material.dampingRatio = n / 8 == 0 ? 0.02f : n / 8 == 1 ? 0.1f : 0.4f;
		material.cap = n % 3 == 0 ? pn_blendCap : pn_noCap;
		material.capStart = 1.5f;
		material.capEnd = 2.0f;
		pnTestContext( "mode %d, stretch %g, damping %g, cap %d", material.mode, material.stretch, material.dampingRatio, material.cap );
		CheckSwing( &shape, &material, stretchSwing, 60.0, 2 );
		CheckSwing( &shape, &material, residualSwing, 60.0, 2 );
	}
	FreeShape( &shape );
}

static void SwingOfAnyMass( void )
{
	static const float factors[] = { 1e-3f, 1.0f, 1e3f };
	for ( int n = 0; n < 3; ++n )
	{
		Shape shape = MakeBlock( 4, 4, 6, 0.25f, 0.0f, 1 );
		for ( int i = 0; i < shape.count; ++i )
		{
			shape.masses[i] *= factors[n];
		}
		pnMaterial material = SwingMaterial();
		for ( int kind = stretchSwing; kind <= residualSwing; ++kind )
		{
			pnTestContext( "masses x %g, %s", factors[n], s_kindNames[kind] );
			CheckSwing( &shape, &material, kind, 60.0, 1 );
		}
		FreeShape( &shape );
	}
}

static void SwingOfAnySize( void )
{
	static const float scales[] = { 1e-3f, 1e-2f, 1.0f, 1e2f, 1e3f };
	for ( int n = 0; n < 5; ++n )
	{
		Shape shape = MakeBlock( 4, 4, 6, 0.25f, 0.0f, 1 );
		ScaleShape( &shape, scales[n] );
		CoverByCells( &shape, 1, 1, 1, 0.0f );
		pnMaterial material = SwingMaterial();
		for ( int kind = stretchSwing; kind <= residualSwing; ++kind )
		{
			pnTestContext( "scale %g, %s", scales[n], s_kindNames[kind] );
			CheckSwing( &shape, &material, kind, 60.0, 1 );
		}
		FreeShape( &shape );
	}
}

static void SwingOfAnyCount( void )
{
	static const int sizes[][3] = { { 2, 2, 4 }, { 3, 3, 5 }, { 5, 5, 8 }, { 10, 10, 12 }, { 16, 16, 20 } };
	for ( int n = 0; n < 5; ++n )
	{
		Shape shape = MakeBlock( sizes[n][0], sizes[n][1], sizes[n][2], 1.0f / sizes[n][2], 0.0f, 1 );
		pnMaterial material = SwingMaterial();
		for ( int kind = stretchSwing; kind <= residualSwing; ++kind )
		{
			pnTestContext( "%d points, %s", shape.count, s_kindNames[kind] );
			CheckSwing( &shape, &material, kind, 60.0, 1 );
		}
		FreeShape( &shape );
	}
}

// Damping ratio 1, pushed off its rest by a velocity: n E^n is the free solution at the n-th step, E = exp( -w h ), so from the
// first step on x[n] = n E^( n - 1 ) x[1]. The body is driven away from its goal by what damping takes, which must not be
// mistaken for energy that damping made.
// One pull serves the fitted shape and what it leaves over. It is exact half way between their curvatures 1 - stretch and 1, so for what is
// left over it is too strong by the part ( 5 / 12 ) ( w h )^2 stretch / 2, in the first order: pull( w sqrt k ) / k against pull( w ), with
// pull = 2 ( 1 - E )^2 / ( 1 + E^2 ). A stiffness wrong by the part e takes e ( w t )^3 exp( -w t ) / 6 w from t exp( -w t ), at most 0.61 e of
// its peak.
static void CriticalReturn( void )
{
	Shape shape = MakeBlock( 4, 4, 6, 0.25f, 0.0f, 1 );
	double* pattern = malloc( sizeof( double ) * 3 * shape.count );
	MakePattern( &shape, residualSwing, pattern );
	for ( int k = 0; k < 15; ++k )
	{
		int r = k % 5;
		pnMaterial material = PlainMaterial( pn_quadraticMode, 3.0f, 0.25f * ( k / 5 ) );
		material.dampingRatio = 1.0f;
		Stage stage = MakeStage( &shape, &material, pnMakeVec3( 0.0f, 0.0f, 0.0f ) );
		memcpy( stage.x, shape.rest, sizeof( pnVec3 ) * shape.count );
		for ( int i = 0; i < shape.count; ++i )
		{
			const double* d = pattern + 3 * i;
			stage.v[i] = pnMakeVec3( (float)( 0.2 * d[0] ), (float)( 0.2 * d[1] ), (float)( 0.2 * d[2] ) );
		}
		SetStage( &stage );
		double h = 1.0 / s_rates[r], first = 0.0, highest = 0.0, worst = 0.0;
		double factor = exp( -2.0 * TEST_PI * material.hertz * h ), power = 1.0;
		for ( int n = 1; n < (int)( 0.5 * s_rates[r] ); ++n )
		{
			ENSURE( pnWorld_Step( stage.world, (float)h, 1 ) == pn_success );
			ReadStage( &stage );
			double signal = 0.0;
			for ( int i = 0; i < shape.count; ++i )
			{
				signal += shape.masses[i] * pattern[3 * i + 2] * ( (double)stage.x[i].z - shape.rest[i].z );
			}
			first = n == 1 ? signal : first;
			double wanted = n * power * first;
			highest = fmax( highest, wanted );
			worst = fmax( worst, fabs( signal - wanted ) );
			power *= factor;
		}
		double angle = 2.0 * TEST_PI * material.hertz * h, pull = 5.0 / 24.0 * angle * angle * material.stretch;
		pnTestContext( "%g Hz, stretch %g", s_rates[r], material.stretch );
		ENSURE( first > 0.0 );
		ENSURE_MOST( worst, ( 0.001 + 0.61 * pull ) * highest );
		FreeStage( &stage );
	}
	free( pattern );
	FreeShape( &shape );
}

// ---- overlapping clusters ----

// Takes the rigid motion out of a pattern. The shape is symmetric about the axes, so its inertia is diagonal.
static void RemoveRigid( const Shape* shape, double* pattern )
{
	double mass = 0.0, mean[3] = { 0 }, spin[3] = { 0 }, inertia[3] = { 0 };
	for ( int i = 0; i < shape->count; ++i )
	{
		double m = shape->masses[i], p[3] = { shape->rest[i].x, shape->rest[i].y, shape->rest[i].z };
		const double* d = pattern + 3 * i;
		mass += m;
		for ( int a = 0; a < 3; ++a )
		{
			int b = ( a + 1 ) % 3, c = ( a + 2 ) % 3;
			mean[a] += m * d[a];
			spin[a] += m * ( p[b] * d[c] - p[c] * d[b] );
			inertia[a] += m * ( p[b] * p[b] + p[c] * p[c] );
		}
	}
	for ( int i = 0; i < shape->count; ++i )
	{
		double p[3] = { shape->rest[i].x, shape->rest[i].y, shape->rest[i].z };
		for ( int a = 0; a < 3; ++a )
		{
			int b = ( a + 1 ) % 3, c = ( a + 2 ) % 3;
			pattern[3 * i + a] -= mean[a] / mass + spin[b] / inertia[b] * p[c] - spin[c] / inertia[c] * p[b];
		}
	}
}

// The slowest bending swing of a covered body: x <- goals( x ) shrinks a mode by 1 - kappa, so the slow ones are left. Done by
// the reference, in double. Writes the pattern, returns kappa.
static double SlowestMode( const Shape* shape, pnMode mode, double stretch, double* pattern )
{
	int count = shape->count;
	double* rest = malloc( sizeof( double ) * 3 * count );
	double* here = malloc( sizeof( double ) * 3 * count );
	double* goals = malloc( sizeof( double ) * 3 * count );
	double* masses = malloc( sizeof( double ) * count );
	for ( int i = 0; i < count; ++i )
	{
		rest[3 * i] = shape->rest[i].x;
		rest[3 * i + 1] = shape->rest[i].y;
		rest[3 * i + 2] = shape->rest[i].z;
		masses[i] = shape->masses[i];
	}
	RefDef def = { count, rest, masses, shape->clusterCount, shape->starts, shape->members, shape->weights, mode, stretch, 0.0, 1.0 };
	MakePattern( shape, bendSwing, pattern );
	double kappa = 0.0, error = 1.0;
	for ( int n = 0; n < 600 && error > 1e-4; ++n )
	{
		double length = 0.0, dot = 0.0, square = 0.0, left = 0.0;
		RemoveRigid( shape, pattern );
		for ( int k = 0; k < 3 * count; ++k )
		{
			length = fmax( length, fabs( pattern[k] ) );
		}
		for ( int k = 0; k < 3 * count; ++k )
		{
			// 1e-6: small enough for goals to be linear in it, large enough for double
			pattern[k] /= length;
			here[k] = rest[k] + 1e-6 * pattern[k];
		}
		RefGoals( &def, here, goals, NULL );
		for ( int k = 0; k < 3 * count; ++k )
		{
			goals[k] = ( goals[k] - rest[k] ) / 1e-6;
			dot += masses[k / 3] * pattern[k] * goals[k];
			square += masses[k / 3] * pattern[k] * pattern[k];
		}
		kappa = 1.0 - dot / square;
		for ( int k = 0; k < 3 * count; ++k )
		{
			double off = goals[k] - ( 1.0 - kappa ) * pattern[k];
			left += masses[k / 3] * off * off;
		}
		error = sqrt( left / square );
		for ( int k = 0; k < 3 * count && error > 1e-4; ++k )
		{
			pattern[k] = goals[k];
		}
	}
	ENSURE_MOST( error, 1e-4 );
	free( rest );
	free( here );
	free( goals );
	free( masses );
	return kappa;
}

// Frequency hertz sqrt( kappa ) at every h with w h < 0.8, within 2 %.
static void SwingOfClusters( void )
{
	static const int covers[][3] = { { 1, 1, 2 }, { 1, 1, 5 }, { 2, 2, 4 } };
	Shape shape = MakeBlock( 3, 3, 12, 0.1f, 0.0f, 1 );
	double* pattern = malloc( sizeof( double ) * 3 * shape.count );
	double slowest = 1.0;
	for ( int c = 0; c < 3; ++c )
	{
		CoverByCells( &shape, covers[c][0], covers[c][1], covers[c][2], 0.5f );
		for ( int linear = 0; linear < 2; ++linear )
		{
			pnMaterial material = PlainMaterial( linear ? pn_linearMode : pn_rigidMode, 3.6f, linear ? 0.3f : 0.0f );
			double kappa = SlowestMode( &shape, material.mode, material.stretch, pattern );
			slowest = fmin( slowest, kappa );
			double hertz = material.hertz * sqrt( kappa );
			for ( int r = 0; r < 5; ++r )
			{
				for ( int subStepCount = 1; subStepCount <= ( s_rates[r] == 60.0 ? 8 : 1 ); ++subStepCount )
				{
					if ( 2.0 * TEST_PI * material.hertz / ( s_rates[r] * subStepCount ) >= 0.8 )
					{
						continue;
					}
					Swing swing = Watch( &shape, &material, pattern, 0.002, s_rates[r], subStepCount, 2.0 / hertz );
					pnTestContext( "%d clusters, mode %d, kappa %.4f, %g Hz, %d substeps", shape.clusterCount, material.mode, kappa, s_rates[r], subStepCount );
					ENSURE_NEAR( swing.hertz, hertz, 0.02 * hertz );
					ENSURE_NEAR( swing.dampingRatio, 0.0, 2e-3 );
				}
			}
		}
	}
	pnTestNote( "slowest kappa %.4f", slowest );
	free( pattern );
	FreeShape( &shape );
}

// Fig. 7 of the paper: a stick bends more locally, and so more slowly, with more clusters.
static void MoreClustersBendMore( void )
{
	Shape shape = MakeBlock( 3, 3, 12, 0.1f, 0.0f, 1 );
	double* pattern = malloc( sizeof( double ) * 3 * shape.count );
	double previous = 1e30;
	for ( int count = 1; count <= 5; count += count == 1 ? 1 : 3 ) // 1, 2, 5
	{
		CoverByCells( &shape, 1, 1, count, 0.5f );
		pnMaterial material = PlainMaterial( pn_rigidMode, 3.0f, 0.0f );
		double kappa = SlowestMode( &shape, material.mode, 0.0, pattern );
		Swing swing = Watch( &shape, &material, pattern, 0.002, 120.0, 1, 2.0 );
		pnTestContext( "%d clusters", shape.clusterCount );
		ENSURE( swing.hertz < 0.9 * previous );
		ENSURE_NEAR( swing.hertz, material.hertz * sqrt( kappa ), 0.02 * swing.hertz );
		previous = swing.hertz;
	}
	free( pattern );
	FreeShape( &shape );
}

// ---- M3: the scheme itself ----

// Two points and a spring, the paper's example. Eq. 9 and 10 with a raw alpha: eigenvalues of magnitude 1 for every alpha
// and h (eq. 11), so the swing neither grows nor dies. With u the elongation per step, 2 cos theta = 2 - alpha and
// u[n]^2 - ( 2 - alpha ) u[n] u[n-1] + u[n-1]^2 is constant.
static void RawAlphaKeepsAmplitude( void )
{
	static const float alphas[] = { 0.01f, 0.1f, 0.5f, 1.0f };
	static const float steps[] = { 1.0f, 1.0f / 60.0f, 0.001f };
	for ( int a = 0; a < 4; ++a )
	{
		for ( int s = 0; s < 3; ++s )
		{
			Shape shape = MakeShape( 2 );
			shape.rest[0] = pnMakeVec3( -0.5f, 0.0f, 0.0f );
			shape.rest[1] = pnMakeVec3( 0.5f, 0.0f, 0.0f );
			CoverByCells( &shape, 1, 1, 1, 0.0f );
			pnMaterial material = PlainMaterial( pn_rigidMode, 1.0f, 0.0f );
			material.alpha = alphas[a];
			material.bare = true;
			Stage stage = MakeStage( &shape, &material, pnMakeVec3( 0.0f, 0.0f, 0.0f ) );
			stage.x[0] = pnMakeVec3( -0.625f, 0.0f, 0.0f );
			stage.x[1] = pnMakeVec3( 0.625f, 0.0f, 0.0f );
			SetStage( &stage );
			double before = 0.25, first = 0.0, last = 0.0, highest = 0.0, turns = 0.0, signal[64];
			for ( int n = 0; n < 10000; ++n )
			{
				ENSURE( pnWorld_Step( stage.world, steps[s], 1 ) == pn_success );
				ReadStage( &stage );
				double u = DistanceOf( stage.x[0], stage.x[1] ) - 1.0;
				double form = u * u - ( 2.0 - alphas[a] ) * u * before + before * before;
				first = n == 0 ? form : first;
				last = form;
				highest = fmax( highest, fabs( u ) );
				signal[n % 64] = u;
				if ( n == 63 )
				{
					Swing swing = FitSwing( signal, 64, 1.0 );
					turns = swing.hertz;
					ENSURE_NEAR( swing.magnitude, 1.0, 1e-3 );
				}
				before = u;
			}
			pnTestContext( "alpha %g, h %g", alphas[a], steps[s] );
			ENSURE_NEAR( sqrt( last / first ), 1.0, 0.01 );
			// the amplitude of the sampled swing of that invariant: u^2 <= form / ( 1 - ( 1 - alpha / 2 )^2 )
			double half = 1.0 - 0.5 * alphas[a];
			ENSURE_MOST( highest, 1.01 * sqrt( first / ( 1.0 - half * half ) ) );
			ENSURE_NEAR( 2.0 * cos( 2.0 * TEST_PI * turns ), 2.0 - alphas[a], 1e-2 * alphas[a] + 1e-4 );
			FreeStage( &stage );
			FreeShape( &shape );
		}
	}
}

// Eq. 1 - 4 and Fig. 2: the same spring by forces, v += h k ( l - x ) / m, x += h v, is bounded up to h = 2 sqrt( m / k ) and
// blows up beyond; shape matching with the same frequency is bounded at any h.
static void ForcesBlowUp( void )
{
	for ( int n = 0; n < 6; ++n )
	{
		double ratio = n == 0 ? 0.5 : n == 1 ? 1.95 : n == 2 ? 2.05 : n == 3 ? 3.0 : n == 4 ? 10.0 : 1000.0; // h sqrt( k / m )
		double h = 1.0 / 60.0, omega = ratio / h, x = 0.25, v = 0.0, highest = 0.0;
		for ( int k = 0; k < 1000 && highest < 1e9; ++k )
		{
			v -= h * omega * omega * x;
			x += h * v;
			highest = fmax( highest, fabs( x ) );
		}
		pnTestContext( "h = %g sqrt( m / k )", ratio );
		if ( ratio < 2.0 )
		{
			ENSURE_MOST( highest, 0.25 / sqrt( 1.0 - 0.25 * ratio * ratio ) + 1e-9 );
		}
		else
		{
			ENSURE( highest >= 1e9 );
		}

		Shape shape = MakeShape( 2 );
		shape.rest[0] = pnMakeVec3( -0.5f, 0.0f, 0.0f );
		shape.rest[1] = pnMakeVec3( 0.5f, 0.0f, 0.0f );
		CoverByCells( &shape, 1, 1, 1, 0.0f );
		for ( int bare = 0; bare < 2; ++bare )
		{
			pnMaterial material = PlainMaterial( pn_rigidMode, (float)( omega / ( 2.0 * TEST_PI ) ), 0.0f );
			material.bare = bare == 1;
			Stage stage = MakeStage( &shape, &material, pnMakeVec3( 0.0f, 0.0f, 0.0f ) );
			stage.x[0] = pnMakeVec3( -0.625f, 0.0f, 0.0f );
			stage.x[1] = pnMakeVec3( 0.625f, 0.0f, 0.0f );
			SetStage( &stage );
			double widest = 0.0;
			for ( int k = 0; k < 1000; ++k )
			{
				ENSURE( pnWorld_Step( stage.world, (float)h, 1 ) == pn_success );
				ReadStage( &stage );
				widest = fmax( widest, fabs( DistanceOf( stage.x[0], stage.x[1] ) - 1.0 ) );
			}
			// The first kick starts half a step late, which at a pull of 2 widens the swing by sqrt( 2 ).
			ENSURE_MOST( widest, 0.25 * 1.4143 );
			FreeStage( &stage );
		}
		FreeShape( &shape );
	}
}

static const pnTest s_tests[] = {
	RUN( SwingAtAnyRate ),
	RUN( SwingWithSubSteps ),
	RUN( SwingOfMaterials ),
	RUN( SwingOfAnyMass ),
	RUN( SwingOfAnySize ),
	RUN( SwingOfAnyCount ),
	RUN( CriticalReturn ),
	RUN( SwingOfClusters ),
	RUN( MoreClustersBendMore ),
	RUN( RawAlphaKeepsAmplitude ),
	RUN( ForcesBlowUp ),
};
SUITE( swing, s_tests );
