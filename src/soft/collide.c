// collide.c - a body as contact sees it, and what contact did to it. Knows one body and its collider; no world.
#include "collide.h"

#include "../base/mat3.h"
#include "../contact/rows.h"
#include "reskin.h"

#include <math.h>

void pnJoinCollider( const pnBody* body, pnCollider* c )
{
	const pnSolid* solid = body->solid;
	// Nobody meets a body that is in no layer or sees none: it needs no surface, and contact passes it by.
	c->surface = body->filter.layers != 0 && body->filter.mask != 0 ? &solid->surface : NULL;
	c->generation = body->id.generation;
	c->x = (float*)body->match.x;
	c->v = body->v;
	c->count = body->count;
	for ( int k = 0; k < solid->clusterCount; ++k )
	{
		pnRestMap* map = c->maps + k;
		float wide2 = 0.0f;
		for ( int axis = 0; axis < 3; ++axis )
		{
			map->lower[axis] = 1e30f, map->upper[axis] = -1e30f;
			for ( int m = solid->clusterStart[k]; m < solid->clusterStart[k] + solid->clusterSize[k]; ++m )
			{
				float at = ( &solid->rest[solid->memberPoint[m] / 16].x )[axis];
				map->lower[axis] = at < map->lower[axis] ? at : map->lower[axis];
				map->upper[axis] = at > map->upper[axis] ? at : map->upper[axis];
			}
			float extent = map->upper[axis] - map->lower[axis];
			wide2 += extent * extent;
		}
		map->upper[3] = 0.7f * sqrtf( wide2 ); // parts nearer than that at rest are neighbours
	}
	// Of a slit body clusters are shreds of what they were: its neighbours are as far apart as the widest one says.
	float widest = 0.0f;
	for ( int k = 0; k < solid->clusterCount && solid->linkCount > 0; ++k )
	{
		widest = c->maps[k].upper[3] > widest ? c->maps[k].upper[3] : widest;
	}
	for ( int k = 0; k < solid->clusterCount && solid->linkCount > 0; ++k )
	{
		c->maps[k].upper[3] = widest;
	}
}

void pnReadyCollider( const pnBody* body, pnCollider* c )
{
	const pnMaterial* m = &body->material;
	float hertz = m->alpha > 0.0f ? 0.1f / (float)body->response.step : m->hertz * (float)body->stiffening;
	c->friction = m->friction;
	c->restitution = m->restitution;
	c->mass = body->mass;
	c->thickness = c->surface != NULL ? c->surface->thickness : 0.0f;
	c->piece = body->solid->inherited != 0;
	c->fresh = body->justCut;
	c->misfit = body->solid->linkCount > 0 ? (float)pn_snap * body->solid->spacing : 0.0f; // blades that cross older slits bend their walls by as much
	c->spring = 6.2831853f * hertz;
	c->damping = body->response.bare || m->alpha > 0.0f ? 0.0f : m->dampingRatio < 1.0f ? m->dampingRatio : 1.0f;
	c->held = body->pinCount > 0;
	memcpy( c->rolls, body->unrest.rolls, sizeof body->unrest.rolls );
	c->awake = body->awake;
	if ( !body->awake ) // it does not give way, and what it was when it last did must not matter
	{
		c->local = c->leastLocal = c->harder = 1.0f;
		c->spins = false;
		c->drift = c->perMass = 0.0f;
		memset( c->perInertia, 0, sizeof c->perInertia );
		memset( c->rigid, 0, sizeof c->rigid );
		memset( c->rigidTurn, 0, sizeof c->rigidTurn );
		memset( c->velocity, 0, sizeof c->velocity );
		memset( c->turn, 0, sizeof c->turn );
		memset( c->move, 0, sizeof c->move );
		memset( c->twist, 0, sizeof c->twist );
		memcpy( c->pivot, body->origin, sizeof body->origin );
	}
}

void pnWatchWander( const pnBody* body, pnCollider* c, double h )
{
	pnF4 mean = pnRow4( body->match.motion, 0 ), most = pnSplat4( 0.0f );
	for ( int i = 0; i < body->solid->particleCount; ++i )
	{
		pnF4 u = pnLoad4( body->v + 4 * (size_t)i ) - mean;
		most = pnMax4( u * u, most ); // axis by axis: up to sqrt 3 too much, which does no harm
	}
	c->wanderStep = (float)h * sqrtf( most[0] + most[1] + most[2] );
	c->wander += (double)c->wanderStep;
}

void pnBoundBody( const pnBody* body, float lower[4], float upper[4] )
{
	pnF4 low = pnLoad4( body->match.x ), high = low;
	for ( int i = 1; i < body->solid->particleCount; ++i )
	{
		pnF4 x = pnLoad4( body->match.x + 4 * (size_t)i );
		low = pnMin4( x, low );
		high = pnMax4( x, high );
	}
	memcpy( lower, &low, sizeof low );
	memcpy( upper, &high, sizeof high );
}

void pnSurveyBody( const pnBody* body, pnCollider* c )
{
	pnBoundBody( body, c->lower, c->upper );
	memcpy( c->center, body->origin, sizeof body->origin );
	memcpy( c->mean, body->match.motion, 3 * sizeof( float ) );
}

// The linear fit of a cluster to where its particles are now; the step's own is not there for bodies that were set or sleep.
static void pnFitNow( const pnBody* body, int k, double center[3], double map[9] )
{
	const pnSolid* solid = body->match.form;
	int start = solid->clusterStart[k], end = start + solid->clusterSize[k];
	const float* near = (const float*)( (const char*)body->match.x + solid->memberPoint[start] );
	double sum[3] = { 0 };
	memset( map, 0, 9 * sizeof( double ) );
	for ( int m = start; m < end; ++m )
	{
		const float* x = (const float*)( (const char*)body->match.x + solid->memberPoint[m] );
		for ( int i = 0; i < 3; ++i )
		{
			double p = (double)solid->members[m].w * ( (double)x[i] - (double)near[i] );
			sum[i] += p;
			for ( int j = 0; j < 3; ++j )
			{
				map[3 * i + j] += p * (double)solid->members[m].q[j];
			}
		}
	}
	for ( int i = 0; i < 3; ++i )
	{
		center[i] = (double)near[i] + sum[i];
	}
}

void pnMapToRest( const pnBody* body, pnCollider* c, double h )
{
	const pnSolid* solid = body->match.form;
	for ( int k = 0; k < c->mapCount; ++k )
	{
		const pnCluster* cluster = body->match.clusters + k;
		const pnClusterRest* rest = solid->clusters + k;
		pnRestMap* map = c->maps + k;
		pnMat3d L, K, M, forward, R = pnFromQuat3( cluster->rotation[0], cluster->rotation[1], cluster->rotation[2], cluster->rotation[3] );
		double bend2 = 0.0, size2 = 0.0, center[3];
		for ( int i = 0; i < 9; ++i )
		{
			L.m[i] = cluster->coefficients[9 * ( i / 3 ) + i % 3];
			K.m[i] = rest->basis[i];
		}
		for ( int i = 0; i < 3; ++i )
		{
			center[i] = (double)cluster->center[i] + h * (double)body->match.motion[i];
		}
		if ( body->fresh )
		{
			pnFitNow( body, k, center, L.m );
		}
		for ( int i = 0; i < 27; ++i )
		{
			double value = cluster->coefficients[i];
			bend2 += i % 9 >= 3 && body->material.mode == pn_quadraticMode ? value * value : 0.0;
		}
		double det = pnDet3( L ), wanted = (double)rest->restDet;
		bool sound = rest->fullRank > 0.5f && det > 0.1 * wanted && det < 10.0 * wanted;
		if ( sound )
		{
			forward = pnMul3( L, pnInverse3( K ) );
			M = pnInverse3( forward );
			for ( int i = 0; i < 9; ++i )
			{
				size2 += M.m[i] * M.m[i];
			}
			sound = size2 < 100.0;
		}
		if ( !sound ) // flat or crushed: the turn alone will land near enough
		{
			forward = R;
			M = pnTranspose3( R );
			size2 = 12.0;
		}
		for ( int i = 0; i < 3; ++i )
		{
			map->center[i] = (float)center[i];
			map->rest[i] = solid->clusterCenter[3 * k + i]; // of the fit's own form: pins move it
			map->half[i] = 0.0f;
			for ( int j = 0; j < 3; ++j )
			{
				map->columns[j][i] = (float)M.m[3 * i + j];
				map->half[i] += 0.5f * (float)fabs( forward.m[3 * i + j] ) * ( map->upper[j] - map->lower[j] );
			}
		}
		map->center[3] = 1.5f * (float)sqrt( bend2 );
		double stretch = 1.3 * sqrt( size2 / 3.0 );
		map->rest[3] = stretch > 1.0 ? (float)stretch : 1.0f;
	}
}

// Of the drift of a body that took several rounds only the last is known. Pushes act as if it had come straight, x - h v, and so the whole
// must be that of these places.
static void pnFindStraight( const pnBody* body, double h, double center[3], double perInertia[9] )
{
	double second[6] = { 0 };
	for ( int k = 0; k < 3; ++k )
	{
		center[k] = (double)body->origin[k] - h * (double)body->match.motion[k];
	}
	for ( int i = 0; i < body->solid->particleCount; ++i )
	{
		const float *x = body->match.x + 4 * (size_t)i, *v = body->v + 4 * (size_t)i;
		double arm[3];
		for ( int k = 0; k < 3; ++k )
		{
			arm[k] = (double)x[k] - h * (double)v[k] - center[k];
		}
		for ( int k = 0; k < 3; ++k )
		{
			second[k] += (double)x[3] * arm[k] * arm[k];
			second[3 + k] += (double)x[3] * arm[k] * arm[( k + 1 ) % 3];
		}
	}
	pnInvertInertia( body, second, perInertia );
}

// What is strained much carries: a push that meets it acts more and more on the whole, as if its inside had been pressed solid. Else a light body
// between heavy ones would be pressed flat, and whatever lies on it would come through. Strain: of the energy that is stored, over all modes.
// The part that particles get depends on their potential W alone, so that pushes which hold a body are those of a potential: grad W / part( W ) is the gradient of
// the integral of dW / part. What is pressed slowly gives back what it took. If anything else softened it, columns would drive themselves: pressed together where
// they are soft, pushed apart where they are hard (pile.LoadedColumnsComeToRest).
static const double pn_hardStrain = 0.1; // where half of a push goes to the whole
static const double pn_hardMost = 20.0; // times as stiff as it is at rest, at most: more, and what is let go is spat out

static double pnFindLocal( const pnBody* body, float* harder )
{
	double scale = body->response.stiffness * body->size2, strain2 = scale > 0.0 ? 2.0 * (double)body->strained / scale : 0.0;
	double hard = strain2 / ( pn_hardStrain * pn_hardStrain ), local = body->response.local;
	double times = body->response.bare ? 1.0 : ( 1.0 + hard * hard ) / ( 1.0 + hard * hard / pn_hardMost );
	*harder = (float)times;
	return body->response.bare ? 1.0 : local / times;
}

// Bodies that are pressed on few particles, as links of a chain, would be cut through by each other: a material is a frequency, and a particle a small part of a mass.
// So a place is the harder the farther it is pressed in, as a spring of the potential w^2 ( d^2 / 2 + d^4 / ( 4 soft^2 ) ), d from its goal (row.h).
static const float pn_softDent = 0.1f; // of the thinnest side: pressed in so far it is twice as hard, as a body is by as much strain. At 0.05 some loaded columns do not come to rest (pile.LoadedColumnsComeToRest), at 0.12 links part (contact.LinkedRingsStayLinked)
// A body whose n of N particles are 1 / l times as hard swings on them with ( w h )^2 n / ( N l ) of a radian in a step: where that is one, it is as hard as a step can bear.
static const double pn_heldPart = 0.1; // n / N. With 0.05 what is pressed hard is flung at few substeps (pliant bench contact --row masses --seed 400 --cases 24)

void pnFindDents( const pnBody* body, pnCollider* c, const float* sums )
{
	const pnSurface* s = c->surface;
	float soft = pn_softDent * s->thinnest, per2 = body->pinCount == 0 && !body->response.bare ? (float)PN_DENT_PARTS / ( soft * soft ) : 0.0f;
	uint16_t* dent = c->dents;
	for ( int quad = 0; quad < s->quadCount; ++quad )
	{
		for ( int i = 4 * quad, mask = s->vertexMask[quad]; mask != 0; ++i, mask >>= 1 )
		{
			if ( ( mask & 1 ) != 0 )
			{
				pnF4 d = pnRow4( sums, i ) * pnSplat4( body->v[4 * (size_t)i + 3] );
				float parts = pnDot4( d, d ) * per2;
				*dent++ = parts < 65535.0f ? (uint16_t)parts : 65535;
			}
		}
	}
}

void pnReadyPushes( const pnBody* body, pnCollider* c, double h )
{
	pnWhole straight = body->whole;
	const pnWhole* whole = &straight;
	if ( body->rounds > 1 && body->pinCount == 0 )
	{
		pnFindStraight( body, h, straight.center, straight.perInertia );
	}
	c->local = (float)pnFindLocal( body, &c->harder );
	double wh = (double)c->spring * body->response.step, least = pn_heldPart * wh * wh;
	least = body->response.local * ( least < 1.0 ? least : 1.0 );
	c->leastLocal = c->local < (float)least ? c->local : (float)least;
	c->spins = body->pinCount == 0 && !body->response.bare;
	c->drift = (float)h;
	c->perMass = (float)whole->perMass;
	for ( int k = 0; k < 3; ++k )
	{
		c->pivot[k] = (float)whole->center[k];
		c->rigid[k] = (float)whole->velocity[k];
		c->rigidTurn[k] = (float)whole->turn[k];
		c->velocity[k] = c->turn[k] = c->move[k] = c->twist[k] = 0.0f;
		for ( int j = 0; j < 3; ++j )
		{
			c->perInertia[k][j] = (float)whole->perInertia[3 * k + j];
		}
	}
}

// What contact has made of the whole goes to the particles. Where they seem to come from then, x - h v, is the centre of the bend; spin: what the body has about it, per mass. What
// moving what moves has put in besides is added to what the collider knows of it.
static void pnSpreadPushes( pnCollider* c, const pnKernel* kernel, pnBend* bend, double spin[3] )
{
	pnSpread spread = { .x = c->x, .v = c->v, .count = c->count, .step = c->drift };
	double shoved[3], center[3];
	for ( int k = 0; k < 3; ++k )
	{
		spread.velocity[k] = c->velocity[k], spread.turn[k] = c->turn[k];
		spread.move[k] = c->move[k], spread.twist[k] = c->twist[k];
		spread.pivot[k] = c->pivot[k] + ( c->perMass > 0.0f ? (float)c->shove[k] - c->move[k] : 0.0f ); // shoves have moved particles, and the whole has yet to follow
		spread.mean[k] = c->mean[k] + (float)c->gain[k];
	}
	kernel->spread( &spread, center, spin, shoved );
	for ( int k = 0; k < 3; ++k )
	{
		c->spun[k] += shoved[k];
		bend->center[k] = spread.pivot[k], bend->rest[k] = (float)center[k];
		c->velocity[k] = c->turn[k] = c->move[k] = c->twist[k] = 0.0f;
	}
}

// Pushes that turn a body have moved its particles straight on, and a straight drift of what turns makes it grow (whole.h). What the chord of its turn has become
// besides is added, as the step would have had it. It has neither momentum nor spin, but for what shoves have changed of the inertia and for rounding: the next step takes that out.
// spin: what the body has, per mass.
static void pnBendDrift( const pnBody* body, const double spin[3], double h, pnBend* bend )
{
	double inert = 1.0 - body->response.lightness, after[9];
	pnWhole whole = body->whole;
	for ( int k = 0; k < 3; ++k )
	{
		const double* row = whole.perInertia + 3 * k;
		whole.turn[k] = row[0] * spin[0] + row[1] * spin[1] + row[2] * spin[2];
	}
	pnFindChord( &whole, h, after );
	for ( int i = 0; i < 9; ++i )
	{
		bend->chord[i] = (float)( inert * after[i] - (double)body->kick.chordAfter[i] );
	}
}

// Whether pushes have turned it so that its drift must be bent.
static bool pnTurnsByPushes( const pnBody* body, const pnCollider* c, double h )
{
	double inert = 1.0 - body->response.lightness, most2 = 0.0, hit2 = 0.0;
	for ( int k = 0; k < 3; ++k )
	{
		double turn = fabs( body->whole.turn[k] ) + fabs( (double)c->turn[k] );
		most2 += turn * turn;
		hit2 += c->hit[k] * c->hit[k];
	}
	return body->awake && body->pinCount == 0 && !body->response.bare && body->rounds == 1 && ( inert * h * h * most2 > PN_LEAST_TURN2 || ( inert > 0.0 && hit2 > 0.0 ) );
}

// A place that is moved by less than this part of its arm stays where it is in floats. A turn of velocities that is as little may wait: what is left of spin the next step takes out.
static const float pn_leastBend = 3e-8f;
static const float pn_leastUnspun = 1e-6f; // rad in a substep

static bool pnBendShows( const pnBend* bend )
{
	float most = 0.0f, turn = 0.0f;
	for ( int i = 0; i < 9; ++i )
	{
		float size = fabsf( bend->chord[i] );
		most = size > most ? size : most;
	}
	for ( int k = 0; k < 3; ++k )
	{
		float size = fabsf( bend->turn[k] );
		turn = size > turn ? size : turn;
	}
	return most * bend->step > pn_leastBend || turn * bend->step > pn_leastUnspun;
}

static bool pnIsSet( const float a[4] ) { return a[0] != 0.0f || a[1] != 0.0f || a[2] != 0.0f; }

void pnTakePushes( pnBody* body, pnCollider* c, const pnKernel* kernel, double h )
{
	bool spread = pnIsSet( c->velocity ) || pnIsSet( c->turn ) || pnIsSet( c->move ) || pnIsSet( c->twist );
	double shoved2 = c->shove[0] * c->shove[0] + c->shove[1] * c->shove[1] + c->shove[2] * c->shove[2];
	c->shoveSpeed = (float)( sqrt( shoved2 ) / h );
	if ( !c->touched && !spread )
	{
		return;
	}
	pnBend bend = { .x = c->x, .v = c->v, .count = c->count, .step = (float)h };
	bool turns = pnTurnsByPushes( body, c, h ), unspun = c->shoved && c->spins; // shoves move what moves, and that is spin: it is taken out at once
	double spin[3] = { 0.0 };
	if ( spread || turns || unspun )
	{
		pnSpreadPushes( c, kernel, &bend, spin );
	}
	for ( int k = 0; k < 3; ++k )
	{
		const float* row = c->perInertia[k];
		bend.mean[k] = c->mean[k] + (float)c->gain[k];
		bend.turn[k] = unspun ? -(float)( (double)row[0] * c->spun[0] + (double)row[1] * c->spun[1] + (double)row[2] * c->spun[2] ) : 0.0f;
		spin[k] -= unspun ? c->spun[k] : 0.0;
	}
	if ( turns )
	{
		pnBendDrift( body, spin, h, &bend );
	}
	if ( pnBendShows( &bend ) )
	{
		kernel->bend( &bend, body->strayMomentum, body->straySpin );
	}
	c->shoved = false;
	bool held = body->pinCount > 0;
	for ( int k = 0; k < 3; ++k )
	{
		double gain = c->gain[k] + c->hit[k];
		body->match.motion[k] += held ? 0.0f : (float)gain;
		body->origin[k] += held ? 0.0f : (float)( h * gain + c->shift[k] + c->shove[k] ); // of one that pins hold, pushes do not say where it is
		body->straySpin[k] += held || body->response.bare ? 0.0 : c->spun[k];
		c->center[k] = body->origin[k];
		c->gain[k] = c->hit[k] = c->shift[k] = c->shove[k] = c->spun[k] = 0.0;
	}
	body->measured = false;
	c->touched = false;
}
