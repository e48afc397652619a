// coupling.c - a rigid ball with a motion of its own falls on a soft block: each pushes the other.
#include <pliant/pliant.h>
#include <math.h>
#include <stdio.h>

// What a rigid-body engine would keep.
typedef struct Ball
{
	float mass, radius; // kg, m
	pnTransform place;
	pnVec3 velocity, spin; // m/s, rad/s
} Ball;

// Where its motion takes it within this time if nothing hinders it.
static pnTransform Predict( const Ball* ball, float time )
{
	pnVec3 turn = pnScale( 0.5f * time, ball->spin );
	pnQuat q = pnMulQuat( ( pnQuat ){ turn.x, turn.y, turn.z, 1.0f }, ball->place.q );
	float length = sqrtf( q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w );
	return ( pnTransform ){ pnMulAdd( ball->place.p, time, ball->velocity ),
							{ q.x / length, q.y / length, q.z / length, q.w / length } };
}

static void Push( Ball* ball, pnVec3 impulse, pnVec3 angularImpulse )
{
	float inertia = 0.4f * ball->mass * ball->radius * ball->radius;
	ball->velocity = pnMulAdd( ball->velocity, 1.0f / ball->mass, impulse );
	ball->spin = pnMulAdd( ball->spin, 1.0f / inertia, angularImpulse );
}

int main( void )
{
	enum { edge = 7, count = edge * edge * edge };
	static pnVec3 points[count]; // a cube of a metre, standing on y = 0
	for ( int i = 0; i < count; ++i )
	{
		points[i] = pnMakeVec3( ( i % edge ) / 6.0f - 0.5f, ( i / edge % edge ) / 6.0f, ( i / ( edge * edge ) ) / 6.0f - 0.5f );
	}
	pnSolidDef solidDef = pnDefaultSolidDef();
	solidDef.points = points;
	solidDef.pointCount = count;
	pnSolid* solid;
	pnWorldDef worldDef = pnDefaultWorldDef();
	pnWorld* world;
	if ( pnCreateSolid( &solidDef, &solid ) != pn_success || pnCreateWorld( &worldDef, &world ) != pn_success )
	{
		return 1;
	}
	pnBodyDef bodyDef = pnDefaultBodyDef();
	bodyDef.solid = solid;
	bodyDef.transform.p.y = 0.1f;
	bodyDef.material.hertz = 12.0f;
	bodyDef.material.dampingRatio = 0.5f;
	pnBodyId block;
	pnShapeDef floorDef = pnDefaultShapeDef();
	pnShapeId floor, shape;
	Ball ball = { .mass = 80.0f, .radius = 0.3f, .place = pnIdentityTransform() };
	ball.place.p = pnMakeVec3( 0.0f, 2.0f, 0.0f );
	ball.velocity.x = 0.5f; // it will roll on
	pnShapeDef ballDef = pnDefaultShapeDef();
	ballDef.kind = pn_sphereShape;
	ballDef.radius = ball.radius;
	ballDef.transform = ball.place;
	if ( pnCreateBody( world, &bodyDef, &block ) != pn_success || pnCreateShape( world, &floorDef, &floor ) != pn_success ||
		 pnCreateShape( world, &ballDef, &shape ) != pn_success )
	{
		return 1;
	}
	pnDestroySolid( solid );

	const float step = 1.0f / 60.0f;
	for ( int frame = 1; frame <= 180; ++frame )
	{
		pnShape_MoveTo( world, shape, Predict( &ball, step ) ); // it goes there, pushing what it meets ...
		pnWorld_Step( world, step, 4 );
		pnShapeState state;
		pnShape_GetState( world, shape, &state ); // ... and what it met pushed it
		ball.place = state.transform;
		Push( &ball, state.impulse, state.angularImpulse );
		Push( &ball, pnScale( step * ball.mass, pnWorld_GetGravity( world ) ), ( pnVec3 ){ 0.0f, 0.0f, 0.0f } );
		if ( ball.place.p.y < ball.radius ) // its own floor: pliant's shapes do not feel each other
		{
			ball.place.p.y = ball.radius;
			ball.velocity.y = ball.velocity.y < 0.0f ? 0.0f : ball.velocity.y;
			pnShape_SetTransform( world, shape, ball.place );
		}
		if ( frame % 20 == 0 )
		{
			pnBodyState blockState;
			pnBody_GetState( world, block, &blockState );
			printf( "%.2f s: ball at %5.2f %5.2f m, %5.2f m/s up, spin %5.2f; block's middle at %.2f m\n", frame / 60.0, ball.place.p.x,
					ball.place.p.y, ball.velocity.y, ball.spin.z, blockState.center.y );
		}
	}
	pnDestroyWorld( world );
	return 0;
}
