// indenter.c - the rigid shapes that are pressed into a solid: checks, the planes of a hull, distances. Knows no solids and no forces.
#include "indenter.h"

#include "../base/core.h"

#include <math.h>

#define PN_TOOL_FLAT 1e-9 // of the hull's size: nearer to a plane is on it
#define PN_TOOL_FRONT 0.2 // faces that look this much along the direction (cosine) are in front
#define PN_TOOL_SAME 1e-10 // planes whose normals differ by less, 1 - cosine, and that hold each other's points, are one

void pnDestroyTool( pnTool* tool )
{
	pnFreeArray( pnToolPlane, tool->planes, tool->planeCapacity );
	*tool = (pnTool){ 0 };
}

double pnGetToolDistance( const pnTool* tool, double depth, pnVec3d point, pnVec3d* away )
{
	pnVec3d d = pnMulAddD( pnSubD( point, tool->center ), -depth, tool->direction );
	if ( tool->kind == pn_ballIndenter )
	{
		double length = pnLengthD( d );
		*away = length > 0.0 ? pnScaleD( 1.0 / length, d ) : tool->direction; // from the center every way is as short
		return length - tool->radius;
	}
	*away = tool->direction;
	if ( tool->kind == pn_plateIndenter )
	{
		return pnDotD( d, tool->direction );
	}
	// Out by the nearest face. From inside that is one of those in front: what is pressed is pressed onwards, never out sideways.
	double most = -1e300, front = -1e300;
	pnVec3d onward = tool->direction;
	for ( int i = 0; i < tool->planeCount; ++i )
	{
		double distance = pnDotD( d, tool->planes[i].normal ) - tool->planes[i].offset;
		if ( distance > most )
		{
			most = distance;
			*away = tool->planes[i].normal;
		}
		if ( distance > front && pnDotD( tool->planes[i].normal, tool->direction ) > PN_TOOL_FRONT )
		{
			front = distance;
			onward = tool->planes[i].normal;
		}
	}
	if ( most > 0.0 || front == -1e300 )
	{
		return most;
	}
	*away = onward;
	return front;
}

// ---- hulls ----

// 1 if all points are below the plane or on it, -1 if all are above or on it, 0 if there are some on both sides, 2 if all are on it.
static int pnTellSide( const pnVec3d* points, int count, pnVec3d place, pnVec3d normal, double flat )
{
	bool below = false, above = false;
	for ( int i = 0; i < count && !( below && above ); ++i )
	{
		double height = pnDotD( pnSubD( points[i], place ), normal );
		below = below || height < -flat;
		above = above || height > flat;
	}
	return below && above ? 0 : below ? 1 : above ? -1 : 2;
}

// sizes: of the triangles the planes were found by. The larger one says it more exactly.
static bool pnKeepPlane( pnTool* tool, double* sizes, pnVec3d normal, double offset, double size, double flat )
{
	for ( int i = 0; i < tool->planeCount; ++i )
	{
		pnToolPlane* plane = tool->planes + i;
		if ( 1.0 - pnDotD( plane->normal, normal ) < PN_TOOL_SAME && fabs( plane->offset - offset ) < 100.0 * flat )
		{
			*plane = size > sizes[i] ? (pnToolPlane){ normal, offset } : *plane;
			sizes[i] = fmax( size, sizes[i] );
			return true;
		}
	}
	if ( tool->planeCount == tool->planeCapacity )
	{
		return false;
	}
	sizes[tool->planeCount] = size;
	tool->planes[tool->planeCount++] = (pnToolPlane){ normal, offset };
	return true;
}

// Every plane through three points that has all others on one side. 128 points: 341376 planes, most of them given up after a few points.
static pnResult pnFindToolPlanes( const pnVec3d* points, int count, int index, pnTool* tool )
{
	enum { MOST_PLANES = 4 * PN_TOOL_MAX_POINTS }; // a hull of n points has at most 2 n - 4 faces
	double sizes[MOST_PLANES], extent = 0.0;
	for ( int i = 0; i < count; ++i )
	{
		tool->center = pnMulAddD( tool->center, 1.0 / count, points[i] );
	}
	for ( int i = 0; i < count; ++i )
	{
		extent = fmax( extent, pnLengthD( pnSubD( points[i], tool->center ) ) );
	}
	double flat = PN_TOOL_FLAT * extent;
	tool->planes = pnAllocArray( pnToolPlane, MOST_PLANES );
	if ( tool->planes == NULL )
	{
		return pn_outOfMemory;
	}
	tool->planeCapacity = MOST_PLANES;
	for ( int i = 0; i < count; ++i )
	{
		for ( int j = i + 1; j < count; ++j )
		{
			for ( int k = j + 1; k < count; ++k )
			{
				pnVec3d u = pnSubD( points[j], points[i] ), v = pnSubD( points[k], points[i] ), cross = pnCrossD( u, v );
				double size = pnLengthD( cross );
				if ( size <= 1e-9 * extent * extent ) // in a row
				{
					continue;
				}
				pnVec3d normal = pnScaleD( 1.0 / size, cross );
				int side = pnTellSide( points, count, points[i], normal, flat );
				if ( side == 2 )
				{
					pnLog( "indenter %d is flat: its points lie in a plane", index );
					return pn_invalidInput;
				}
				normal = pnScaleD( side, normal );
				double offset = pnDotD( pnSubD( points[i], tool->center ), normal );
				if ( side != 0 && !pnKeepPlane( tool, sizes, normal, offset, size, flat ) )
				{
					pnLog( "indenter %d has more than %d faces", index, MOST_PLANES );
					return pn_invalidInput;
				}
			}
		}
	}
	if ( tool->planeCount < 4 )
	{
		pnLog( "indenter %d is flat: its points lie in a plane, in a row or in one place", index );
		return pn_invalidInput;
	}
	return pn_success;
}

// ---- what is given ----

static bool pnCheckIndenter( const pnIndenter* indenter, int index )
{
	if ( indenter->kind != pn_ballIndenter && indenter->kind != pn_plateIndenter && indenter->kind != pn_convexIndenter )
	{
		pnLog( "indenter %d: %d is no kind of indenter", index, (int)indenter->kind );
		return false;
	}
	if ( !pnIsFinite3D( indenter->direction ) || !( pnLengthD( indenter->direction ) > 0.0 ) || !pnIsFiniteD( pnLengthD( indenter->direction ) ) )
	{
		pnLog( "indenter %d: its direction is zero or not finite", index );
		return false;
	}
	if ( !pnIsFiniteD( indenter->depth ) || !pnIsFiniteD( indenter->force ) || indenter->force < 0.0 )
	{
		pnLog( "indenter %d: its depth (%g m) or force (%g N) is not finite, or the force is negative", index, indenter->depth, indenter->force );
		return false;
	}
	double along = pnIsFinite3D( indenter->drag ) ? pnDotD( indenter->drag, indenter->direction ) : INFINITY;
	if ( !( fabs( along ) <= 1e-6 * pnLengthD( indenter->drag ) * pnLengthD( indenter->direction ) ) )
	{
		pnLog( "indenter %d: its drag is not finite or not across its direction", index );
		return false;
	}
	if ( !( pnIsFiniteD( indenter->friction ) && indenter->friction >= 0.0 ) )
	{
		pnLog( "indenter %d: its friction is %g; it must not be negative", index, indenter->friction );
		return false;
	}
	if ( indenter->kind != pn_convexIndenter && !pnIsFinite3D( indenter->center ) )
	{
		pnLog( "indenter %d: its center is not finite", index );
		return false;
	}
	if ( indenter->kind == pn_ballIndenter && !( pnIsFiniteD( indenter->radius ) && indenter->radius > 0.0 ) )
	{
		pnLog( "indenter %d: its radius is %g m; it must be positive", index, indenter->radius );
		return false;
	}
	if ( indenter->kind != pn_convexIndenter )
	{
		return true;
	}
	if ( indenter->points == NULL || indenter->pointCount < PN_TOOL_MIN_POINTS || indenter->pointCount > PN_TOOL_MAX_POINTS )
	{
		pnLog( "indenter %d: a convex one has %d to %d points, not %d", index, PN_TOOL_MIN_POINTS, PN_TOOL_MAX_POINTS, indenter->points == NULL ? 0 : indenter->pointCount );
		return false;
	}
	for ( int i = 0; i < indenter->pointCount; ++i )
	{
		if ( !pnIsFinite3D( indenter->points[i] ) )
		{
			pnLog( "indenter %d: its point %d is not finite", index, i );
			return false;
		}
	}
	return true;
}

pnResult pnMakeTool( const pnIndenter* indenter, int index, pnTool* tool )
{
	*tool = (pnTool){ 0 };
	if ( !pnCheckIndenter( indenter, index ) )
	{
		return pn_invalidInput;
	}
	tool->kind = indenter->kind;
	tool->direction = pnUnitD( indenter->direction );
	tool->friction = indenter->friction;
	tool->drag = indenter->drag;
	if ( indenter->kind != pn_convexIndenter )
	{
		tool->center = pnAddD( indenter->center, indenter->drag );
		tool->radius = indenter->kind == pn_ballIndenter ? indenter->radius : 0.0;
		return pn_success;
	}
	pnResult result = pnFindToolPlanes( indenter->points, indenter->pointCount, index, tool );
	if ( result != pn_success )
	{
		pnDestroyTool( tool );
	}
	tool->center = pnAddD( tool->center, tool->drag );
	return result;
}
