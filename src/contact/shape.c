// shape.c - things that do not bend: how far a place is from them and which way is out. Knows geometry in one frame; no bodies, no world.
#include "shape.h"

#include "../base/mesh.h"
#include "heights.h"
#include "hull.h"
#include "triangles.h"

#include <math.h>

#define PN_SHAPE_FARTHEST 1e7f // m: beyond it float positions are worth nothing
#define PN_PLANE_REACH 1e9f // m: as good as without end

enum
{
	PN_SHAPE_MAX = 1 << 26, // points, triangles, heights: four times as many are still an int
	PN_FEW_FACES = 64, // a hull of no more is asked face by face, a larger one has a tree
};

typedef struct pnHullPlane { pnFine3 normal; double offset; } pnHullPlane; // place . normal = offset

struct pnForm
{
	pnShapeKind kind;
	float radius; // m
	pnVec3 halfExtents; // m
	pnDistanceFcn* distance;
	void* context;
	pnAABB bounds; // of all kinds but the plane
	double size; // metres: farthest coordinate from the origin
	// mesh
	pnVec3* points;
	int32_t* indices;
	int pointCount, triangleCount;
	// height field
	float* heights;
	int heightCount;
	pnHeights field;
	// hull
	pnHull hull;
	pnHullPlane* planes; // one for each triangle
	// mesh and large hull
	pnTriangles triangles;
};

// ---- checks ----

static pnResult pnCheckNumber( const char* name, float value, float lowest, float highest, const char* mustBe )
{
	if ( !pnIsFinite( value ) || value < lowest || value > highest )
	{
		pnLog( "pnCreateShape: %s is %g, must be %s", name, (double)value, mustBe );
		return pn_invalidInput;
	}
	return pn_success;
}

static pnResult pnCheckSize( const char* name, float value )
{
	if ( !pnIsFinite( value ) || value <= 0.0f || value > PN_SHAPE_FARTHEST )
	{
		pnLog( "pnCreateShape: %s is %g, must be > 0 and at most %g", name, (double)value, (double)PN_SHAPE_FARTHEST );
		return pn_invalidInput;
	}
	return pn_success;
}

// index: -1 where the thing is not one of many.
static pnResult pnCheckPlace( const char* name, int index, pnVec3 place )
{
	for ( int axis = 0; axis < 3; ++axis )
	{
		float value = pnGetAxis( &place, axis );
		if ( pnIsFinite( value ) && value <= PN_SHAPE_FARTHEST && value >= -PN_SHAPE_FARTHEST )
		{
			continue;
		}
		if ( index >= 0 )
		{
			pnLog( "pnCreateShape: %s[%d].%c is %g, must be within %g", name, index, "xyz"[axis], (double)value, (double)PN_SHAPE_FARTHEST );
		}
		else
		{
			pnLog( "pnCreateShape: %s.%c is %g, must be within %g", name, "xyz"[axis], (double)value, (double)PN_SHAPE_FARTHEST );
		}
		return pn_invalidInput;
	}
	return pn_success;
}

static pnResult pnCheckCount( const char* name, const char* countName, const void* array, int count, int least )
{
	if ( count < least || count > PN_SHAPE_MAX )
	{
		pnLog( "pnCreateShape: %s is %d, must be in %d..%d", countName, count, least, (int)PN_SHAPE_MAX );
		return pn_invalidInput;
	}
	if ( array == NULL )
	{
		pnLog( "pnCreateShape: %s is NULL, but %s is %d", name, countName, count );
		return pn_invalidInput;
	}
	return pn_success;
}

static pnResult pnCheckPoints( const pnShapeDef* def, int least )
{
	pnResult result = pnCheckCount( "points", "pointCount", def->points, def->pointCount, least );
	for ( int i = 0; result == pn_success && i < def->pointCount; ++i )
	{
		result = pnCheckPlace( "points", i, def->points[i] );
	}
	return result;
}

static pnResult pnCheckMesh( const pnShapeDef* def )
{
	if ( pnCheckPoints( def, 3 ) != pn_success || pnCheckCount( "triangles", "triangleCount", def->triangles, def->triangleCount, 1 ) != pn_success )
	{
		return pn_invalidInput;
	}
	for ( int i = 0; i < 3 * def->triangleCount; ++i )
	{
		if ( def->triangles[i] < 0 || def->triangles[i] >= def->pointCount )
		{
			pnLog( "pnCreateShape: triangles[%d] index %d is outside 0..%d", i / 3, def->triangles[i], def->pointCount - 1 );
			return pn_invalidInput;
		}
	}
	return pn_success;
}

static pnResult pnCheckHeights( const pnShapeDef* def )
{
	const int counts[2] = { def->heightCountX, def->heightCountZ };
	for ( int i = 0; i < 2; ++i )
	{
		if ( counts[i] < 2 || counts[i] > PN_SHAPE_MAX )
		{
			pnLog( "pnCreateShape: heightCount%c is %d, must be in 2..%d", "XZ"[i], counts[i], (int)PN_SHAPE_MAX );
			return pn_invalidInput;
		}
	}
	if ( (int64_t)counts[0] * (int64_t)counts[1] > PN_SHAPE_MAX )
	{
		pnLog( "pnCreateShape: heightCountX * heightCountZ is %d * %d, must be at most %d", counts[0], counts[1], (int)PN_SHAPE_MAX );
		return pn_invalidInput;
	}
	if ( pnCheckSize( "heightSpacing", def->heightSpacing ) != pn_success )
	{
		return pn_invalidInput;
	}
	int most = counts[0] > counts[1] ? counts[0] : counts[1];
	if ( (double)def->heightSpacing * (double)( most - 1 ) > (double)PN_SHAPE_FARTHEST )
	{
		pnLog( "pnCreateShape: heightSpacing is %g, so that %d heights reach farther than %g", (double)def->heightSpacing, most,
			   (double)PN_SHAPE_FARTHEST );
		return pn_invalidInput;
	}
	if ( def->heights == NULL )
	{
		pnLog( "pnCreateShape: heights is NULL, but there are %d * %d", counts[0], counts[1] );
		return pn_invalidInput;
	}
	for ( int i = 0; i < counts[0] * counts[1]; ++i )
	{
		float height = def->heights[i];
		if ( !pnIsFinite( height ) || height > PN_SHAPE_FARTHEST || height < -PN_SHAPE_FARTHEST )
		{
			pnLog( "pnCreateShape: heights[%d] is %g, must be within %g", i, (double)height, (double)PN_SHAPE_FARTHEST );
			return pn_invalidInput;
		}
	}
	return pn_success;
}

static pnResult pnCheckDistance( const pnShapeDef* def )
{
	if ( def->distance == NULL )
	{
		pnLog( "pnCreateShape: distance is NULL" );
		return pn_invalidInput;
	}
	if ( pnCheckPlace( "bounds.lower", -1, def->bounds.lower ) != pn_success || pnCheckPlace( "bounds.upper", -1, def->bounds.upper ) != pn_success )
	{
		return pn_invalidInput;
	}
	for ( int axis = 0; axis < 3; ++axis )
	{
		float lower = pnGetAxis( &def->bounds.lower, axis ), upper = pnGetAxis( &def->bounds.upper, axis );
		if ( lower > upper )
		{
			pnLog( "pnCreateShape: bounds.lower.%c is %g, above bounds.upper.%c, %g", "xyz"[axis], (double)lower, "xyz"[axis], (double)upper );
			return pn_invalidInput;
		}
	}
	return pn_success;
}

static pnResult pnCheckKind( const pnShapeDef* def )
{
	switch ( def->kind )
	{
	case pn_planeShape:
		return pn_success;
	case pn_sphereShape:
		return pnCheckSize( "radius", def->radius );
	case pn_capsuleShape:
		return pnCheckSize( "radius", def->radius ) != pn_success
				   ? pn_invalidInput
				   : pnCheckNumber( "halfExtents.y", def->halfExtents.y, 0.0f, PN_SHAPE_FARTHEST, "in 0..1e7" ); // 0 is a sphere
	case pn_boxShape:
		return pnCheckSize( "halfExtents.x", def->halfExtents.x ) != pn_success || pnCheckSize( "halfExtents.y", def->halfExtents.y ) != pn_success
				   ? pn_invalidInput
				   : pnCheckSize( "halfExtents.z", def->halfExtents.z );
	case pn_hullShape:
		return pnCheckPoints( def, 4 );
	case pn_meshShape:
		return pnCheckMesh( def );
	case pn_heightShape:
		return pnCheckHeights( def );
	case pn_distanceShape:
		return pnCheckDistance( def );
	}
	pnLog( "pnCreateShape: kind %d is none of pnShapeKind", (int)def->kind );
	return pn_invalidInput;
}

static pnResult pnCheckShapeDef( const pnShapeDef* def )
{
	if ( def == NULL || def->cookie != PN_COOKIE )
	{
		pnLog( "pnCreateShape: %s", def == NULL ? "the def is NULL" : "the def's cookie is not set; start from pnDefaultShapeDef" );
		return pn_invalidInput;
	}
	pnQuat q = def->transform.q;
	float length2 = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
	if ( !( length2 > 0.99f && length2 < 1.01f ) )
	{
		pnLog( "pnCreateShape: transform.q is not a rotation, its length is not 1" );
		return pn_invalidInput;
	}
	if ( pnCheckPlace( "transform.p", -1, def->transform.p ) != pn_success ||
		 pnCheckNumber( "friction", def->friction, 0.0f, 1e3f, "in 0..1000" ) != pn_success ||
		 pnCheckNumber( "restitution", def->restitution, 0.0f, 1.0f, "in 0..1" ) != pn_success )
	{
		return pn_invalidInput;
	}
	return pnCheckKind( def );
}

// ---- making ----

static pnResult pnMakeHullForm( pnForm* form, const pnShapeDef* def )
{
	pnResult result = pnBuildHull( def->points, def->pointCount, &form->hull );
	if ( result == pn_invalidInput )
	{
		pnLog( "pnCreateShape: points: all %d lie in one plane, to a millionth of their size", def->pointCount );
	}
	if ( result != pn_success )
	{
		return result;
	}
	const pnHull* hull = &form->hull;
	form->bounds = pnFindBounds( hull->points, hull->pointCount );
	if ( hull->triangleCount > PN_FEW_FACES )
	{
		return pnBuildTriangles( hull->points, hull->pointCount, hull->triangles, hull->triangleCount, hull->normals, &form->triangles );
	}
	form->planes = pnAllocArray( pnHullPlane, hull->triangleCount );
	if ( form->planes == NULL )
	{
		return pn_outOfMemory;
	}
	for ( int i = 0; i < hull->triangleCount; ++i )
	{
		pnFine3 normal = hull->normals[i];
		double offset = -INFINITY; // no corner is outside of its own plane
		for ( int k = 0; k < 3; ++k )
		{
			double along = pnDotFine( normal, pnFine( hull->points[hull->triangles[3 * i + k]] ) );
			offset = along > offset ? along : offset;
		}
		form->planes[i] = (pnHullPlane){ normal, offset };
	}
	return pn_success;
}

static pnResult pnMakeMeshForm( pnForm* form, const pnShapeDef* def )
{
	form->pointCount = def->pointCount;
	form->triangleCount = def->triangleCount;
	form->points = pnAllocArray( pnVec3, def->pointCount );
	form->indices = pnAllocArray( int32_t, 3 * (size_t)def->triangleCount );
	if ( form->points == NULL || form->indices == NULL )
	{
		return pn_outOfMemory;
	}
	memcpy( form->points, def->points, sizeof( pnVec3 ) * (size_t)def->pointCount );
	memcpy( form->indices, def->triangles, 3 * sizeof( int32_t ) * (size_t)def->triangleCount );
	pnResult result = pnBuildTriangles( form->points, form->pointCount, form->indices, form->triangleCount, NULL, &form->triangles );
	if ( result == pn_invalidInput )
	{
		pnLog( "pnCreateShape: triangles: none of the %d has an area", def->triangleCount );
	}
	if ( result == pn_success )
	{
		const pnTriangleNode* root = form->triangles.nodes;
		form->bounds = (pnAABB){ { root->lower[0], root->lower[1], root->lower[2] }, { root->upper[0], root->upper[1], root->upper[2] } };
	}
	return result;
}

static pnResult pnMakeHeightForm( pnForm* form, const pnShapeDef* def )
{
	form->heightCount = def->heightCountX * def->heightCountZ;
	form->heights = pnAllocArray( float, form->heightCount );
	if ( form->heights == NULL )
	{
		return pn_outOfMemory;
	}
	memcpy( form->heights, def->heights, sizeof( float ) * (size_t)form->heightCount );
	if ( !pnBuildHeights( form->heights, def->heightCountX, def->heightCountZ, def->heightSpacing, &form->field ) )
	{
		return pn_outOfMemory;
	}
	form->bounds = pnGetHeightsBounds( &form->field );
	return pn_success;
}

pnResult pnCreateForm( const pnShapeDef* def, pnForm** form )
{
	*form = NULL;
	pnResult result = pnCheckShapeDef( def );
	if ( result != pn_success )
	{
		return result;
	}
	pnForm* made = pnAllocArray( pnForm, 1 );
	if ( made == NULL )
	{
		return pn_outOfMemory;
	}
	made->kind = def->kind;
	pnVec3 reach = { 0.0f, 0.0f, 0.0f };
	switch ( def->kind )
	{
	case pn_planeShape:
		break;
	case pn_sphereShape:
		made->radius = def->radius;
		reach = pnMakeVec3( def->radius, def->radius, def->radius );
		break;
	case pn_capsuleShape:
		made->radius = def->radius;
		made->halfExtents.y = def->halfExtents.y;
		reach = pnMakeVec3( def->radius, def->radius + def->halfExtents.y, def->radius );
		break;
	case pn_boxShape:
		made->halfExtents = reach = def->halfExtents;
		break;
	case pn_hullShape:
		result = pnMakeHullForm( made, def );
		break;
	case pn_meshShape:
		result = pnMakeMeshForm( made, def );
		break;
	case pn_heightShape:
		result = pnMakeHeightForm( made, def );
		break;
	case pn_distanceShape:
		made->distance = def->distance;
		made->context = def->context;
		made->bounds = def->bounds;
		break;
	}
	if ( result != pn_success )
	{
		pnDestroyForm( made );
		return result;
	}
	if ( def->kind == pn_sphereShape || def->kind == pn_capsuleShape || def->kind == pn_boxShape )
	{
		made->bounds = (pnAABB){ pnScale( -1.0f, reach ), reach };
	}
	pnVec3 far = pnMax3( made->bounds.upper, pnScale( -1.0f, made->bounds.lower ) );
	made->size = (double)( far.x > far.y ? far.x : far.y );
	made->size = made->size > (double)far.z ? made->size : (double)far.z;
	*form = made;
	return pn_success;
}

void pnDestroyForm( pnForm* form )
{
	if ( form == NULL )
	{
		return;
	}
	pnFreeTriangles( &form->triangles );
	pnFreeArray( pnHullPlane, form->planes, form->hull.triangleCount );
	pnFreeHull( &form->hull );
	pnFreeHeights( &form->field );
	pnFreeArray( float, form->heights, form->heightCount );
	pnFreeArray( int32_t, form->indices, 3 * (size_t)form->triangleCount );
	pnFreeArray( pnVec3, form->points, form->pointCount );
	pnFreeArray( pnForm, form, 1 );
}

size_t pnGetFormBytes( const pnForm* form )
{
	size_t planeCount = form->planes != NULL ? (size_t)form->hull.triangleCount : 0;
	return sizeof( pnForm ) + pnGetTrianglesBytes( &form->triangles ) + sizeof( pnHullPlane ) * planeCount + pnGetHullBytes( &form->hull ) +
		   pnGetHeightsBytes( &form->field ) + sizeof( float ) * (size_t)form->heightCount +
		   3 * sizeof( int32_t ) * (size_t)form->triangleCount + sizeof( pnVec3 ) * (size_t)form->pointCount;
}

void pnDescribeForm( const pnForm* form, pnShapeDef* def )
{
	bool isHull = form->kind == pn_hullShape, isMesh = form->kind == pn_meshShape, isHeight = form->kind == pn_heightShape;
	def->kind = form->kind;
	def->radius = form->radius;
	def->halfExtents = form->halfExtents;
	def->points = isHull ? form->hull.points : form->points; // a hull's corners are their own hull
	def->pointCount = isHull ? form->hull.pointCount : form->pointCount;
	def->triangles = isMesh ? form->indices : NULL;
	def->triangleCount = form->triangleCount;
	def->heights = form->heights;
	def->heightCountX = form->field.countX;
	def->heightCountZ = form->field.countZ;
	def->heightSpacing = isHeight ? (float)form->field.spacing : 0.0f;
	def->distance = form->distance;
	def->context = form->context;
	def->bounds = form->kind == pn_distanceShape ? form->bounds : (pnAABB){ { 0.0f, 0.0f, 0.0f }, { 0.0f, 0.0f, 0.0f } };
}

static float pnAbsolute( float x ) { return x < 0.0f ? -x : x; }

pnAABB pnGetFormBounds( const pnForm* form, pnTransform transform )
{
	if ( form->kind == pn_planeShape )
	{
		const float far = PN_PLANE_REACH;
		return (pnAABB){ { -far, -far, -far }, { far, far, far } };
	}
	pnVec3 x = pnRotate( transform.q, pnMakeVec3( 1.0f, 0.0f, 0.0f ) ), y = pnRotate( transform.q, pnMakeVec3( 0.0f, 1.0f, 0.0f ) );
	pnVec3 z = pnRotate( transform.q, pnMakeVec3( 0.0f, 0.0f, 1.0f ) );
	pnVec3 middle = pnScale( 0.5f, pnAdd( form->bounds.lower, form->bounds.upper ) );
	pnVec3 half = pnScale( 0.5f, pnSub( form->bounds.upper, form->bounds.lower ) );
	float round = 0.0f; // what turning does not change
	if ( form->kind == pn_sphereShape || form->kind == pn_capsuleShape )
	{
		round = form->radius;
		half = pnMakeVec3( 0.0f, form->halfExtents.y, 0.0f );
	}
	pnVec3 reach = {
		pnAbsolute( x.x ) * half.x + pnAbsolute( y.x ) * half.y + pnAbsolute( z.x ) * half.z + round,
		pnAbsolute( x.y ) * half.x + pnAbsolute( y.y ) * half.y + pnAbsolute( z.y ) * half.z + round,
		pnAbsolute( x.z ) * half.x + pnAbsolute( y.z ) * half.y + pnAbsolute( z.z ) * half.z + round,
	};
	pnVec3 center = pnTransformPoint( transform, middle );
	// For rounding, here and in whoever brings a place into the frame: a few parts in 2^24 of all that was added up.
	pnVec3 at = transform.p;
	float margin = 1e-6f * ( pnAbsolute( at.x ) + pnAbsolute( at.y ) + pnAbsolute( at.z ) + (float)form->size );
	reach = pnAdd( reach, pnMakeVec3( margin, margin, margin ) );
	return (pnAABB){ pnSub( center, reach ), pnAdd( center, reach ) };
}

// ---- distance ----

static double pnMeasureSphere( double radius, pnFine3 place, pnFine3* outward )
{
	double length = sqrt( pnDotFine( place, place ) );
	*outward = length > 0.0 ? pnScaleFine( 1.0 / length, place ) : (pnFine3){ 0.0, 1.0, 0.0 };
	return length - radius;
}

static double pnMeasureCapsule( const pnForm* form, pnFine3 place, pnFine3* outward )
{
	double half = (double)form->halfExtents.y;
	double beyond = place.y > half ? place.y - half : place.y < -half ? place.y + half : 0.0;
	double length = sqrt( place.x * place.x + beyond * beyond + place.z * place.z );
	*outward = length > 0.0 ? pnScaleFine( 1.0 / length, (pnFine3){ place.x, beyond, place.z } ) : (pnFine3){ 1.0, 0.0, 0.0 };
	return length - (double)form->radius;
}

// Without branches: a point cloud around a box goes in and out as it likes.
static double pnMeasureBox( const pnForm* form, pnFine3 place, pnFine3* outward )
{
	double x = __builtin_fabs( place.x ) - (double)form->halfExtents.x, y = __builtin_fabs( place.y ) - (double)form->halfExtents.y;
	double z = __builtin_fabs( place.z ) - (double)form->halfExtents.z;
	double highest = x > y ? x : y;
	highest = highest > z ? highest : z;
	// The larger of x and 0, exactly.
	double aboveX = 0.5 * ( x + __builtin_fabs( x ) ), aboveY = 0.5 * ( y + __builtin_fabs( y ) ), aboveZ = 0.5 * ( z + __builtin_fabs( z ) );
	double length = sqrt( aboveX * aboveX + aboveY * aboveY + aboveZ * aboveZ );
	// Inside, out is through the nearest side; of two as near, the first.
	double inside = (double)!( length > 0.0 ), inverse = 1.0 / ( length + inside );
	double throughX = (double)( x == highest ) * inside, throughY = (double)( y == highest ) * ( inside - throughX );
	double throughZ = inside - throughX - throughY;
	outward->x = __builtin_copysign( ( aboveX + throughX ) * inverse, place.x );
	outward->y = __builtin_copysign( ( aboveY + throughY ) * inverse, place.y );
	outward->z = __builtin_copysign( ( aboveZ + throughZ ) * inverse, place.z );
	return length + inside * highest;
}

static pnNearPart pnFindNearFace( const pnHull* hull, int triangle, pnFine3 place )
{
	const int32_t* corners = hull->triangles + 3 * triangle;
	return pnFindNearPart( pnFine( hull->points[corners[0]] ), pnFine( hull->points[corners[1]] ), pnFine( hull->points[corners[2]] ), place );
}

// Hulls of few faces only.
static double pnMeasureHull( const pnForm* form, pnFine3 place, pnFine3* outward )
{
	double heights[PN_FEW_FACES] = { 0.0 }, top = -INFINITY;
	int count = form->hull.triangleCount, highest = 0;
	for ( int i = 0; i < count; ++i )
	{
		double height = pnDotFine( form->planes[i].normal, place ) - form->planes[i].offset;
		heights[i] = height;
		highest = height > top ? i : highest;
		top = height > top ? height : top;
	}
	*outward = form->planes[highest].normal;
	if ( !( top > 0.0 ) )
	{
		return top;
	}
	// No part of the hull is nearer than the highest plane; right above its face nothing else can be.
	pnNearPart near = pnFindNearFace( &form->hull, highest, place );
	if ( near.part == pn_nearFace )
	{
		return top;
	}
	// Rounding may hide the nearest face from a place right on it, while a needle far away still sees that.
	double slack = 1e-7 * form->size;
	for ( int i = 0; i < count; ++i )
	{
		if ( i == highest || !( heights[i] > -slack && heights[i] * heights[i] < near.distance2 ) )
		{
			continue;
		}
		pnNearPart other = pnFindNearFace( &form->hull, i, place );
		near = other.distance2 < near.distance2 ? other : near;
	}
	if ( !( near.distance2 > slack * slack ) )
	{
		return top; // too near for the offset to have a direction
	}
	double distance = sqrt( near.distance2 );
	*outward = pnScaleFine( 1.0 / distance, near.offset );
	return distance;
}

static double pnMeasureOwn( const pnForm* form, pnFine3 place, pnFine3* outward )
{
	const pnVec3 up = { 0.0f, 1.0f, 0.0f };
	pnVec3 direction = up;
	float distance = form->distance( pnCoarse( place ), &direction, form->context );
	*outward = pnFine( pnUnitOr( direction, up ) );
	// What is not a number is nowhere near.
	const float far = PN_PLANE_REACH;
	return (double)( distance < far ? distance > -far ? distance : -far : far );
}

// All kinds whose distance can be had at places in double.
static double pnMeasure( const pnForm* form, pnFine3 place, pnFine3* outward )
{
	switch ( form->kind )
	{
	case pn_sphereShape:
		return pnMeasureSphere( (double)form->radius, place, outward );
	case pn_capsuleShape:
		return pnMeasureCapsule( form, place, outward );
	case pn_boxShape:
		return pnMeasureBox( form, place, outward );
	case pn_hullShape:
		return pnMeasureHull( form, place, outward );
	case pn_distanceShape:
		return pnMeasureOwn( form, place, outward );
	default:
		*outward = (pnFine3){ 0.0, 1.0, 0.0 };
		return place.y;
	}
}

static bool pnHasTree( const pnForm* form ) { return form->triangles.count > 0; }

float pnFormDistance( const pnForm* form, pnVec3 place, pnVec3* outward )
{
	pnFine3 direction;
	double distance = pnHasTree( form )				  ? pnMeasureTriangles( &form->triangles, place, &direction )
					  : form->kind == pn_heightShape ? pnMeasureHeights( &form->field, place, &direction )
													  : pnMeasure( form, pnFine( place ), &direction );
	*outward = pnCoarse( direction );
	return (float)distance;
}

bool pnIsFormBeyond( const pnForm* form, pnVec3 place, float reach )
{
	return form->kind == pn_heightShape && pnAreHeightsBeyond( &form->field, place, (double)reach );
}

// ---- sweeping ----

// The distance from a convex form is convex along the way, inside too. So where it does not fall it never will again, and its
// tangent never reaches past the first touch: Newton from the start finds it.
static float pnSweepConvex( const pnForm* form, pnVec3 from, pnVec3 to, float radius, pnVec3* outward )
{
	pnSweep sweep = pnMakeSweep( from, to, radius, form->size );
	double at = 0.0;
	pnFine3 direction;
	for ( int i = 0; i < 100; ++i ) // even a touch in passing comes four times nearer each time
	{
		double gap = pnMeasure( form, pnAddFine( sweep.from, pnScaleFine( at, sweep.way ) ), &direction ) - sweep.radius;
		double rate = pnDotFine( direction, sweep.way );
		if ( gap <= sweep.tolerance )
		{
			if ( !( rate < -PN_SWEEP_SLIDE * sweep.length ) )
			{
				return 2.0f;
			}
			break;
		}
		if ( !( rate < 0.0 ) )
		{
			return 2.0f;
		}
		at -= gap / rate;
		if ( !( at <= 1.0 ) )
		{
			return 2.0f;
		}
	}
	*outward = pnCoarse( direction );
	return (float)at;
}

// All that is known of a user's distance is that it does not change faster than the way: the ball may go on by the gap. In passing
// along a surface that is slow, so after a while it goes on by some part of what is left; it then may cut a corner by half of that.
static float pnSweepOwn( const pnForm* form, pnVec3 from, pnVec3 to, float radius, pnVec3* outward )
{
	enum { careful = 512, hasty = 1024 };
	pnSweep sweep = pnMakeSweep( from, to, radius, form->size );
	if ( !( sweep.length > 0.0 ) )
	{
		return 2.0f;
	}
	pnFine3 direction;
	double gap = pnMeasureOwn( form, sweep.from, &direction ) - sweep.radius;
	// Floats come back: a millionth of the place is all they know.
	double near = 1e-3 * sweep.radius + 1e-6 * ( sweep.length + sqrt( pnDotFine( sweep.from, sweep.from ) ) );
	double at = 0.0, before = 0.0; // metres on the way
	double slide = -PN_SWEEP_SLIDE * sweep.length, leastStep = near;
	if ( gap <= 0.0 )
	{
		if ( pnDotFine( direction, sweep.way ) < slide )
		{
			*outward = pnCoarse( direction );
			return 0.0f;
		}
		// As in pnStartSweep: what it lies on does not stop it, what it meets does. Inside that cannot be told apart; it may go out.
		double distance = gap + sweep.radius;
		sweep.radius = distance > 0.0 ? 0.99 * distance : 0.0;
		gap = distance - sweep.radius;
	}
	bool out = gap > 0.0;
	for ( int i = 0; at < sweep.length; ++i )
	{
		if ( i == careful )
		{
			double share = ( sweep.length - at ) / (double)hasty;
			leastStep = share > leastStep ? share : leastStep;
		}
		before = at;
		double step = gap < 0.0 ? -gap : gap;
		at += step > leastStep ? step : leastStep;
		at = at < sweep.length ? at : sweep.length;
		gap = pnMeasureOwn( form, pnAddFine( sweep.from, pnScaleFine( at / sweep.length, sweep.way ) ), &direction ) - sweep.radius;
		if ( out && gap <= 0.0 )
		{
			// In between it touched: halve until that is as near as floats can tell.
			double low = before, high = at;
			for ( int k = 0; k < 40 && high - low > 0.01 * near; ++k )
			{
				double middle = 0.5 * ( low + high );
				pnFine3 there;
				bool touches = pnMeasureOwn( form, pnAddFine( sweep.from, pnScaleFine( middle / sweep.length, sweep.way ) ), &there ) <= sweep.radius;
				direction = touches ? there : direction;
				low = touches ? low : middle;
				high = touches ? middle : high;
			}
			*outward = pnCoarse( direction );
			return (float)( low / sweep.length );
		}
		out = out || gap > 0.0;
	}
	return 2.0f;
}

float pnFormSweep( const pnForm* form, pnVec3 from, pnVec3 to, float radius, pnVec3* outward )
{
	return pnHasTree( form )				   ? pnSweepTriangles( &form->triangles, from, to, radius, outward )
		   : form->kind == pn_heightShape	   ? pnSweepHeights( &form->field, from, to, radius, outward )
		   : form->kind == pn_distanceShape ? pnSweepOwn( form, from, to, radius, outward )
											   : pnSweepConvex( form, from, to, radius, outward );
}
