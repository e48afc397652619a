// detect_edges.c - points of one body inside the closed surface of another, where neither has tetrahedra. Knows two bodies as they lie; no
// time, no response.
// After Henriques and Wuensche 2011: an edge of b that crosses a's surface tells on which side its ends are; points that no edge tells about
// are inside if points inside surround them; depth and direction at the border as Heidelberger et al. 2004; further in, the direction is the
// mean over the border weighted by 1 / edges on the way there, and the depth is the length of a ray.
// Where it errs:
// - If no edge of b crosses a, nothing is found: all of b inside a, a corner or edge of a through a face of b, or a part of b that hangs
//   together with no crossing.
// - Where a overlaps itself or is turned inside out, sides are told wrongly and spread to points around. What the ray contradicts is
//   dropped again: a point is inside only if the first triangle on its way is left through its back.
// - Directions are means over a whole border. A border all around (a stick through a plate) cancels or points along the stick, and the ray
//   is then longer than the distance; the same deep inside, and where b meets a in two places that hang together inside.
// - Border depths are means over planes, as with tetrahedra: where a face of b sticks out beside a, edges along it tell the way through
//   a's side. Edges that run exactly in a plane of a, as of boxes that only touch, cross its sides or do not by rounding.
// - Each border point walks over all points inside: time grows with border times inside.
#include "hash_grid.h"

enum { pn_sideUnknown, pn_outside, pn_inside, pn_border };

// Where an edge of b crosses a, nearest to each end.
typedef struct pnPiercedEdge
{
	int32_t ends[2]; // particles of b
	int32_t triangles[2]; // of a
	double t[2]; // of the way from the first end to the second
	bool leaves[2]; // seen from that end: it goes out, so that this end is inside
} pnPiercedEdge;

// A point of b: what its crossings say, then where it is to go.
typedef struct pnWitness
{
	double nearest; // metres^2 to its nearest crossing
	int32_t triangle; // of that crossing
	double weights[3]; // of that crossing on the triangle
	double toward[3], weight, depth; // sums, then a unit direction and metres
	int32_t closest; // border point with the fewest edges between, and how many
	int32_t steps;
} pnWitness;

typedef struct pnEdgeWork
{
	const pnLying* b;
	pnItems triangles; // of a
	pnHashGrid grid;
	int particleCount, edgeCount;
	int32_t* edges; // two particles of b each
	int32_t *starts, *links; // who is joined to whom
	pnPiercedEdge* pierced;
	int piercedCount;
	uint8_t* sides; // per particle of b
	pnWitness* witnesses; // per particle of b
	int32_t *queue, *steps, *stamps; // of a walk
} pnEdgeWork;

// An edge belongs to the lower of the triangles that share it. With list NULL only counts.
static int pnListSurfaceEdges( const pnSurface* surface, int32_t* list )
{
	int count = 0;
	for ( int i = 0; i < surface->triangleCount; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			int32_t from = surface->triangles[3 * i + ( k + 1 ) % 3], to = surface->triangles[3 * i + ( k + 2 ) % 3];
			if ( surface->neighbors[3 * i + k] < i || from == to )
			{
				continue;
			}
			if ( list != NULL )
			{
				list[2 * count] = from, list[2 * count + 1] = to;
			}
			count += 1;
		}
	}
	return count;
}

static void pnTakeEdgeWork( pnEdgeWork* work, pnArena* arena )
{
	int particleCount = work->particleCount, edgeCount = work->edgeCount;
	pnTakeHashGrid( &work->grid, work->triangles.count, arena );
	work->edges = pnTakeRoomFor( arena, int32_t, 2 * (size_t)edgeCount );
	work->starts = pnTakeRoomFor( arena, int32_t, particleCount + 1 );
	work->links = pnTakeRoomFor( arena, int32_t, 2 * (size_t)edgeCount );
	work->pierced = pnTakeRoomFor( arena, pnPiercedEdge, edgeCount );
	work->sides = pnTakeRoomFor( arena, uint8_t, particleCount );
	work->witnesses = pnTakeRoomFor( arena, pnWitness, particleCount );
	work->queue = pnTakeRoomFor( arena, int32_t, particleCount );
	work->steps = pnTakeRoomFor( arena, int32_t, particleCount );
	work->stamps = pnTakeRoomFor( arena, int32_t, particleCount );
}

static void pnLinkPoints( pnEdgeWork* work )
{
	memset( work->starts, 0, ( (size_t)work->particleCount + 1 ) * sizeof( int32_t ) );
	for ( int i = 0; i < 2 * work->edgeCount; ++i )
	{
		work->starts[work->edges[i]] += 1;
	}
	int32_t end = 0;
	for ( int i = 0; i < work->particleCount; ++i )
	{
		end += work->starts[i];
		work->starts[i] = end;
	}
	work->starts[work->particleCount] = end;
	for ( int i = 2 * work->edgeCount - 1; i >= 0; --i )
	{
		work->links[--work->starts[work->edges[i]]] = work->edges[i ^ 1];
	}
}

// ---- which side ----

static void pnLoadEdge( const pnEdgeWork* work, const int32_t ends[2], double from[3], double along[3] )
{
	double to[3];
	pnLoadPlace( work->b->x, ends[0], from );
	pnLoadPlace( work->b->x, ends[1], to );
	along[0] = to[0] - from[0], along[1] = to[1] - from[1], along[2] = to[2] - from[2];
}

static bool pnIsNearer( const pnCrossing* a, const pnCrossing* b, double sign )
{
	return b->triangle < 0 || sign * a->t < sign * b->t || ( a->t == b->t && a->triangle < b->triangle );
}

// A crossing tells the end nearest to it on which side it is. If crossings disagree (a overlaps itself, or rounding) the nearest is right.
static void pnHearCrossing( pnEdgeWork* work, int32_t point, const pnCrossing* crossing, bool leaves, double distance2 )
{
	pnWitness* witness = work->witnesses + point;
	if ( work->sides[point] == pn_sideUnknown || distance2 < witness->nearest )
	{
		work->sides[point] = leaves ? pn_border : pn_outside;
		witness->nearest = distance2;
		witness->triangle = crossing->triangle;
		memcpy( witness->weights, crossing->weights, sizeof( witness->weights ) );
	}
}

static void pnPierceEdges( pnEdgeWork* work, const pnExtents* common )
{
	work->piercedCount = 0;
	for ( int i = 0; i < work->edgeCount; ++i )
	{
		pnItems edge = { work->b->x, work->edges + 2 * i, 2, 1 };
		pnExtents box = pnGetItemExtents( &edge, 0 );
		if ( !pnExtentsOverlap( &box, common ) )
		{
			continue;
		}
		double from[3], along[3];
		pnLoadEdge( work, edge.corners, from, along );
		pnBeginSearch( &work->grid );
		int count = pnMeetItems( &work->grid, &box, 0 );
		pnCrossing nearest[2] = { { .triangle = -1 }, { .triangle = -1 } }; // to each end
		for ( int k = 0; k < count; ++k )
		{
			pnCrossing crossing;
			if ( !pnCrossTriangle( &work->triangles, work->grid.met[k], from, along, &crossing ) || !( crossing.t >= 0.0 && crossing.t <= 1.0 ) )
			{
				continue;
			}
			nearest[0] = pnIsNearer( &crossing, nearest + 0, 1.0 ) ? crossing : nearest[0];
			nearest[1] = pnIsNearer( &crossing, nearest + 1, -1.0 ) ? crossing : nearest[1];
		}
		if ( nearest[0].triangle < 0 )
		{
			continue;
		}
		pnPiercedEdge* pierced = work->pierced + work->piercedCount++;
		double length2 = pnDot3d( along, along );
		for ( int end = 0; end < 2; ++end )
		{
			double share = end == 0 ? nearest[0].t : 1.0 - nearest[1].t;
			pierced->ends[end] = edge.corners[end];
			pierced->triangles[end] = nearest[end].triangle;
			pierced->t[end] = nearest[end].t;
			pierced->leaves[end] = ( nearest[end].facing > 0.0 ) == ( end == 0 );
			pnHearCrossing( work, edge.corners[end], nearest + end, pierced->leaves[end], share * share * length2 );
		}
	}
}

// Points that are told nothing are inside if they hang together with points inside.
static void pnFloodInside( pnEdgeWork* work )
{
	int count = 0;
	for ( int i = 0; i < work->particleCount; ++i )
	{
		if ( work->sides[i] == pn_border )
		{
			work->queue[count++] = i;
		}
	}
	for ( int next = 0; next < count; ++next )
	{
		for ( int32_t k = work->starts[work->queue[next]]; k < work->starts[work->queue[next] + 1]; ++k )
		{
			int32_t other = work->links[k];
			if ( work->sides[other] == pn_sideUnknown )
			{
				work->sides[other] = pn_inside;
				work->witnesses[other].triangle = -1;
				work->queue[count++] = other;
			}
		}
	}
}

// ---- which way ----

// The border: a mean over the crossings, weighted by 1 / distance^2 (Heidelberger et al.). A border point that learns no direction is
// treated as one further in.
static void pnAimBorder( pnEdgeWork* work )
{
	// Nearer than a millionth of the typical edge, the point is on the surface.
	double least = 1e-6 * work->grid.cell, least2 = least * least;
	for ( int i = 0; i < work->particleCount; ++i )
	{
		pnWitness* witness = work->witnesses + i;
		if ( work->sides[i] >= pn_inside )
		{
			memset( witness->toward, 0, sizeof( witness->toward ) );
			witness->weight = witness->depth = 0.0;
			witness->closest = -1;
			witness->steps = 0;
		}
	}
	for ( int i = 0; i < work->piercedCount; ++i )
	{
		const pnPiercedEdge* pierced = work->pierced + i;
		double from[3], along[3];
		pnLoadEdge( work, pierced->ends, from, along );
		for ( int end = 0; end < 2; ++end )
		{
			double normal[3];
			if ( work->sides[pierced->ends[end]] != pn_border || !pierced->leaves[end] ||
				 !pnGetTriangleNormal( &work->triangles, pierced->triangles[end], normal ) )
			{
				continue;
			}
			pnWitness* witness = work->witnesses + pierced->ends[end];
			double share = end == 0 ? pierced->t[0] : pierced->t[1] - 1.0;
			double distance2 = share * share * pnDot3d( along, along );
			double weight = 1.0 / ( distance2 > least2 ? distance2 : least2 );
			for ( int axis = 0; axis < 3; ++axis )
			{
				witness->toward[axis] += weight * normal[axis];
			}
			witness->depth += weight * share * pnDot3d( along, normal );
			witness->weight += weight;
		}
	}
	for ( int i = 0; i < work->particleCount; ++i )
	{
		pnWitness* witness = work->witnesses + i;
		if ( work->sides[i] != pn_border )
		{
			continue;
		}
		if ( witness->weight > 0.0 && pnMakeUnit( witness->toward, 1e-6 * witness->weight ) )
		{
			witness->depth /= witness->weight;
			witness->depth = witness->depth > 0.0 ? witness->depth : 0.0;
		}
		else
		{
			work->sides[i] = pn_inside;
			memset( witness->toward, 0, sizeof( witness->toward ) );
		}
	}
}

// Further in: a mean over the border points that can be reached through points inside, weighted by 1 / edges on the shortest way.
static void pnAimInside( pnEdgeWork* work )
{
	memset( work->stamps, 0, (size_t)work->particleCount * sizeof( int32_t ) );
	for ( int border = 0; border < work->particleCount; ++border )
	{
		if ( work->sides[border] != pn_border )
		{
			continue;
		}
		const double* toward = work->witnesses[border].toward;
		int count = 1;
		work->queue[0] = border;
		work->steps[border] = 0;
		work->stamps[border] = border + 1;
		for ( int next = 0; next < count; ++next )
		{
			int32_t point = work->queue[next];
			if ( work->sides[point] == pn_inside )
			{
				pnWitness* witness = work->witnesses + point;
				for ( int axis = 0; axis < 3; ++axis )
				{
					witness->toward[axis] += toward[axis] / (double)work->steps[point];
				}
				if ( witness->closest < 0 || work->steps[point] < witness->steps )
				{
					witness->closest = border;
					witness->steps = work->steps[point];
				}
			}
			for ( int32_t k = work->starts[point]; k < work->starts[point + 1]; ++k )
			{
				int32_t other = work->links[k];
				if ( work->sides[other] >= pn_inside && work->stamps[other] != border + 1 )
				{
					work->stamps[other] = border + 1;
					work->steps[other] = work->steps[point] + 1;
					work->queue[count++] = other;
				}
			}
		}
	}
}

// ---- what is found ----

// False: it is not inside after all, or there is no way out.
static bool pnLeave( pnEdgeWork* work, int32_t point, pnFound* found )
{
	pnWitness* witness = work->witnesses + point;
	bool border = work->sides[point] == pn_border;
	if ( !border && !pnMakeUnit( witness->toward, 1e-6 ) )
	{
		if ( witness->closest < 0 )
		{
			return false;
		}
		memcpy( witness->toward, work->witnesses[witness->closest].toward, sizeof( witness->toward ) );
	}
	double from[3];
	pnLoadPlace( work->b->x, point, from );
	pnCrossing hit = pnCastRay( &work->grid, from, witness->toward );
	bool leaves = hit.triangle >= 0 && hit.facing > 0.0;
	if ( !border && !leaves )
	{
		return false;
	}
	// The depth of a border point is a mean over planes: the ray tells where on the surface that is, if it goes about as far; else the
	// nearest crossing does.
	double near = 0.5 * witness->depth + 0.25 * work->grid.cell;
	if ( border && !( leaves && hit.t - witness->depth <= near && witness->depth - hit.t <= near ) )
	{
		pnSetPlace( found, work->triangles.corners + 3 * witness->triangle, witness->weights, 3 );
	}
	else
	{
		pnSetPlace( found, work->triangles.corners + 3 * hit.triangle, hit.weights, 3 );
	}
	for ( int axis = 0; axis < 3; ++axis )
	{
		found->normal[axis] = (float)witness->toward[axis];
	}
	found->depth = (float)( border ? witness->depth : hit.t );
	found->point = point;
	return true;
}

int pnDetectByEdges( const pnLying* a, const pnLying* b, pnArena* arena, pnFound* found, int capacity )
{
	pnExtents common;
	// Only a needs an inside: the method asks nothing of b but its edges.
	if ( a->surface->closed == 0 || a->surface->triangleCount == 0 || !pnIntersectBounds( &a->bounds, &b->bounds, &common ) )
	{
		return 0;
	}
	pnEdgeWork work = {
		.b = b,
		.triangles = { a->x, a->surface->triangles, 3, a->surface->triangleCount },
		.particleCount = 4 * b->surface->quadCount,
		.edgeCount = pnListSurfaceEdges( b->surface, NULL ),
	};
	size_t used = arena->used;
	pnTakeEdgeWork( &work, arena );
	bool hasRoom = pnHasRoom( arena );
	arena->used = used;
	if ( !hasRoom )
	{
		return -1;
	}

	pnExtents bounds = pnFromBounds( &a->bounds );
	pnBuildHashGrid( &work.grid, &work.triangles, &bounds, pnGetTypicalEdge( &work.triangles ) );
	pnListSurfaceEdges( b->surface, work.edges );
	memset( work.sides, pn_sideUnknown, (size_t)work.particleCount );
	pnPierceEdges( &work, &common );
	if ( work.piercedCount == 0 )
	{
		return 0;
	}
	pnLinkPoints( &work );
	pnFloodInside( &work );
	pnAimBorder( &work );
	pnAimInside( &work );
	int count = 0;
	for ( int i = 0; i < work.particleCount && count < capacity; ++i )
	{
		bool watched = ( b->surface->vertexMask[i / 4] >> ( i % 4 ) & 1 ) != 0;
		if ( watched && work.sides[i] >= pn_inside && pnLeave( &work, i, found + count ) )
		{
			count += 1;
		}
	}
	return count;
}
