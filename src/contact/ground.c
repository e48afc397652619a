// ground.c - bodies against shapes. A slow point is near by its distance; one that moves far in a substep is followed along its way, so
// that nothing thin is missed. Knows colliders and shapes; no world.
#include "ground.h"

#include "field.h"
#include "row.h"

#include <math.h>

static pnQuat pnUnit4( pnQuat q )
{
	float length2 = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w, s = length2 > 1e-20f ? 1.0f / __builtin_sqrtf( length2 ) : 0.0f;
	return s > 0.0f ? (pnQuat){ s * q.x, s * q.y, s * q.z, s * q.w } : pnIdentityQuat();
}

void pnLayPlane( pnShape* shape )
{
	pnVec3 n = pnRotate( shape->transform.q, pnMakeVec3( 0.0f, 1.0f, 0.0f ) );
	memcpy( shape->plane, ( float[4] ){ n.x, n.y, n.z, pnDot( n, shape->transform.p ) }, sizeof shape->plane );
}

static pnAABB pnUnite( pnAABB a, pnAABB b )
{
	return (pnAABB){ pnMin3( a.lower, b.lower ), pnMax3( a.upper, b.upper ) };
}

void pnMoveShapes( pnContacts* c, int left )
{
	for ( int s = 0; s < c->shapes.count; ++s )
	{
		pnShape* shape = c->shapes.at + s;
		if ( shape->form == NULL || !shape->moves )
		{
			continue;
		}
		shape->before = shape->transform;
		if ( left == 1 )
		{
			shape->transform = shape->target;
		}
		else
		{
			float part = 1.0f / (float)left;
			pnQuat a = shape->transform.q, b = shape->target.q;
			float same = a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w < 0.0f ? -part : part, keep = 1.0f - part;
			shape->transform.p = pnMulAdd( shape->transform.p, part, pnSub( shape->target.p, shape->transform.p ) );
			shape->transform.q = pnUnit4( (pnQuat){ keep * a.x + same * b.x, keep * a.y + same * b.y, keep * a.z + same * b.z, keep * a.w + same * b.w } );
		}
		pnLayPlane( shape );
		pnAABB now = pnUnite( pnGetFormBounds( shape->form, shape->transform ), pnGetFormBounds( shape->form, shape->before ) );
		const pnAABB* old = &shape->bounds;
		bool inside = now.lower.x >= old->lower.x && now.lower.y >= old->lower.y && now.lower.z >= old->lower.z && now.upper.x <= old->upper.x &&
					  now.upper.y <= old->upper.y && now.upper.z <= old->upper.z;
		if ( !inside )
		{
			shape->bounds = now;
			c->renew = true;
		}
	}
}

static pnVec3 pnToFrame( pnTransform t, pnVec3 place ) { return pnRotate( pnConjugate( t.q ), pnSub( place, t.p ) ); }
static pnVec3 pnVecOf( pnF4 a ) { return pnMakeVec3( a[0], a[1], a[2] ); }
static pnF4 pnRowOf( pnVec3 a ) { return (pnF4){ a.x, a.y, a.z, 0.0f }; }

// Has the way of a ball to where it is `distance` away met nothing? Nothing is nearer to any place of it than half of what the distances of both ends exceed its
// length by. reach: radius and length. May say no where it is so.
static bool pnIsWayFree( const pnForm* form, pnVec3 start, float distance, float reach, float radius )
{
	float needed = reach + radius - distance; // of the start, so that half of the excess is the radius
	needed = needed > radius ? needed : radius;
	return distance > radius * 1.001f && pnIsFormBeyond( form, start, 1.001f * needed );
}

static const float pn_beyond = 1e30f;

// Where a point is with regard to a shape, on its way through this substep: distance from the surface, negative inside. Who is at least `enough` away
// may be told to be beyond; negative: never.
static float pnMeet( const pnShape* shape, pnF4 from, pnF4 to, float radius, float enough, pnF4* normal )
{
	if ( shape->flat ) // nobody comes through to another side of it
	{
		*normal = pnRow4( shape->plane, 0 );
		return pnDot4( *normal, to ) - shape->plane[3];
	}
	pnVec3 local = pnToFrame( shape->transform, pnVecOf( to ) ), outward;
	pnVec3 start = pnToFrame( shape->moves ? shape->before : shape->transform, pnVecOf( from ) ), way = pnSub( local, start );
	bool far = pnDot( way, way ) > 0.25f * radius * radius;
	float reach = far ? 0.5f * radius + __builtin_sqrtf( pnDot( way, way ) ) : 0.0f; // of what it may have met on its way
	if ( enough >= 0.0f && pnIsFormBeyond( shape->form, local, enough > reach ? enough : reach ) )
	{
		*normal = pnSplat4( 0.0f );
		return pn_beyond;
	}
	float distance = pnFormDistance( shape->form, local, &outward );
	// Its way is long enough to have led through something: see where it would have been stopped.
	if ( far && distance > -1e6f && !pnIsWayFree( shape->form, start, distance, reach, 0.5f * radius ) )
	{
		pnVec3 stopped;
		float radiusNow = 0.5f * radius, part = pnFormSweep( shape->form, start, local, radiusNow, &stopped );
		if ( part < 1.0f )
		{
			float beyond = radiusNow + ( 1.0f - part ) * pnDot( way, stopped );
			if ( beyond < distance )
			{
				distance = beyond;
				outward = stopped;
			}
		}
	}
	*normal = pnRowOf( pnRotate( shape->transform.q, outward ) );
	return distance;
}

PN_INLINE_CONTACT pnF4 pnPointRow( const pnSurface* s, const float* rows, int32_t point )
{
	int32_t parts[2];
	float weights[2];
	pnPointParts( s, point, parts, weights );
	return point >= 0 ? pnRow4( rows, point ) : pnRow4( rows, parts[0] ) * pnSplat4( weights[0] ) + pnRow4( rows, parts[1] ) * pnSplat4( weights[1] );
}

int pnFindGroundPoints( const pnShape* shape, const pnCollider* body, float reach, float h, pnCandidate* out, int capacity, float* slack )
{
	const pnSurface* s = body->surface;
	int count = 0;
	float nearest = 1e30f;
	for ( int i = -s->sampleCount; i < 4 * s->quadCount; ++i )
	{
		if ( i >= 0 && !( body->x[4 * (size_t)i + 3] > 0.0f ) ) // an empty row. Inner particles count: a crushed body may not let them through
		{
			continue;
		}
		pnF4 to = pnPointRow( s, body->x, i ), normal;
		float enough = count == 0 && nearest > reach ? nearest : reach; // beyond it nothing changes
		float distance = pnMeet( shape, to - pnPointRow( s, body->v, i ) * pnSplat4( h ), to, s->thickness, enough, &normal );
		nearest = distance < nearest ? distance : nearest;
		if ( distance < reach )
		{
			if ( count == capacity )
			{
				return -1;
			}
			out[count++] = (pnCandidate){ .point = i, .key = -1.0f };
		}
	}
	if ( count == 0 && nearest < 1e29f )
	{
		*slack = nearest - s->thickness; // nothing near: it may come as close as that
	}
	return count;
}

double pnProbeGround( const pnShape* shape, const pnCollider* body, float h, double place[3], double outward[3], double velocity[3], double* deepest )
{
	const pnSurface* s = body->surface;
	double weight = 0.0;
	for ( int k = 0; k < 3; ++k )
	{
		place[k] = outward[k] = velocity[k] = 0.0;
	}
	for ( int i = 0; i < 4 * s->quadCount; ++i )
	{
		if ( ( s->vertexMask[i / 4] >> i % 4 & 1 ) == 0 )
		{
			continue;
		}
		pnF4 to = pnRow4( body->x, i ), from = to - pnRow4( body->v, i ) * pnSplat4( h ), normal, carried = pnSplat4( 0.0f );
		float deep = s->thickness - pnMeet( shape, from, to, s->thickness, s->thickness, &normal );
		if ( deep <= 0.0f )
		{
			continue;
		}
		if ( shape->moves )
		{
			carried = to - pnRowOf( pnTransformPoint( shape->before, pnToFrame( shape->transform, pnVecOf( to ) ) ) );
		}
		weight += (double)deep;
		*deepest = (double)deep > *deepest ? (double)deep : *deepest;
		for ( int k = 0; k < 3; ++k )
		{
			place[k] += (double)deep * (double)from[k];
			outward[k] += (double)deep * (double)normal[k];
			velocity[k] += h > 0.0f ? (double)deep * (double)carried[k] / (double)h : 0.0;
		}
	}
	return weight;
}

void pnReadyGround( pnContacts* c, pnPair* pair, const pnSides* sides )
{
	const pnShape* shape = c->shapes.at + pair->a;
	const pnCollider* body = sides->of;
	const pnSurface* s = body->surface;
	float margin = PN_CONTACT_MARGIN * s->thickness, again = c->step / c->lastStep;
	for ( int i = pair->first; i < pair->first + pair->count; ++i )
	{
		pnCandidate* candidate = c->candidates.at + i;
		if ( pair->motion < candidate->key )
		{
			continue;
		}
		pnFinding found = { .place = pnPointRow( s, body->x, candidate->point ), .foot = pnSplat4( 0.0f ), .ground = pnSplat4( 0.0f ) };
		pnF4 from = found.place - pnPointRow( s, body->v, candidate->point ) * pnSplat4( c->step );
		found.gap = pnMeet( shape, from, found.place, s->thickness, -1.0f, &found.normal ) - s->thickness;
		found.normal[3] = 0.0f;
		if ( found.gap >= margin )
		{
			candidate->key = shape->moves ? -1.0f : pair->motion + found.gap - margin;
			memset( candidate->push, 0, sizeof candidate->push );
			continue;
		}
		candidate->key = -1.0f;
		if ( shape->moves )
		{
			pnVec3 local = pnToFrame( shape->transform, pnVecOf( found.place ) );
			found.ground = ( found.place - pnRowOf( pnTransformPoint( shape->before, local ) ) ) * pnSplat4( 1.0f / c->step );
			found.ground[3] = 0.0f;
		}
		pnRow* row = c->rows.at + pair->rowEnd++;
		row->pointCount = candidate->point >= 0 ? 1 : 2, row->partCount = 0, row->candidate = i, row->outward = 0;
		pnPointParts( s, candidate->point, row->at, row->weights );
		pnF4 push = pnLoad4( candidate->push ) * pnSplat4( again );
		memcpy( row->push, &push, 16 );
		pnReadyRow( row, sides, &found, c->step );
	}
}
