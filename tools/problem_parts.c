// problem_parts.c - regions, conditions and indenters out of a problem file. Knows no surfaces' making and no solutions.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "problem_parts.h"

#include "../src/kelvin/vec3d.h"
#include "options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PN_PARTS_PI 3.14159265358979323846
#define PN_KEYS( NAME, ... ) \
	static const char* const NAME##List[] = { __VA_ARGS__ }; \
	const pnKeyTable pn_##NAME##Keys = { #NAME, NAME##List, (int)( sizeof( NAME##List ) / sizeof( NAME##List[0] ) ) }

PN_KEYS( region, "box", "sphere", "plane", "facing", "group" );
PN_KEYS( ball, "center", "radius" );
PN_KEYS( plane, "point", "normal" );
PN_KEYS( facing, "direction", "angle" );
PN_KEYS( condition, "name", "where", "fixed", "displaced", "rotated", "affine", "traction", "pressure", "force", "roller", "symmetry", "spring" );
PN_KEYS( rotated, "axis", "degrees", "center" );
PN_KEYS( affine, "matrix", "center" );
PN_KEYS( turn, "axis", "degrees" );
PN_KEYS( indenter, "name", "shape", "center", "radius", "size", "turn", "points", "direction", "depth", "force", "friction", "drag" );

static const double PN_LARGE = 1e9; // m: as far as anything may be

bool pnReadName( pnReader* reader, const pnNode* object, const char* otherwise, char name[PN_NAME_SIZE] )
{
	const char* text = otherwise;
	pnNode node = pnGetChild( object, "name" );
	if ( node.json != NULL && pnReadText( reader, &node, &text ) == false )
	{
		return false;
	}
	snprintf( name, PN_NAME_SIZE, "%s", text );
	return true;
}

bool pnReadTurn( pnReader* reader, const pnNode* node, const pnKeyTable* keys, pnVec3d* turn )
{
	pnVec3d axis;
	double degrees;
	if ( pnCheckObject( reader, node, keys ) == false || pnCheckThere( reader, node, "axis", "the direction to turn about" ) == false ||
		 pnCheckThere( reader, node, "degrees", "how far, counterclockwise seen from the tip of the axis" ) == false )
	{
		return false;
	}
	pnNode axisNode = pnGetChild( node, "axis" ), degreesNode = pnGetChild( node, "degrees" );
	if ( pnReadDirection( reader, &axisNode, &axis ) == false || pnReadNumber( reader, &degreesNode, -360.0, 360.0, &degrees ) == false )
	{
		return false;
	}
	*turn = pnScaleD( degrees * PN_PARTS_PI / 180.0, axis );
	return true;
}

pnVec3d pnTurnBy( pnVec3d turn, pnVec3d a )
{
	double angle = pnLengthD( turn );
	if ( angle == 0.0 )
	{
		return a;
	}
	pnVec3d axis = pnScaleD( 1.0 / angle, turn ); // Rodrigues
	pnVec3d turned = pnMulAddD( pnScaleD( cos( angle ), a ), sin( angle ), pnCrossD( axis, a ) );
	return pnMulAddD( turned, ( 1.0 - cos( angle ) ) * pnDotD( axis, a ), axis );
}

double pnGetProblemSize( const pnProblem* problem ) { return pnLengthD( pnSubD( problem->upper, problem->lower ) ); }

// ---- regions ----

bool pnRegionHas( const pnRegion* region, pnVec3d p, pnVec3d normal, int group )
{
	const pnVec3d *lower = &region->lower, *upper = &region->upper;
	bool in = true;
	if ( ( region->tests & pn_inBox ) != 0 )
	{
		in = p.x >= lower->x && p.y >= lower->y && p.z >= lower->z && p.x <= upper->x && p.y <= upper->y && p.z <= upper->z;
	}
	if ( ( region->tests & pn_inBall ) != 0 )
	{
		in = in && pnLengthD( pnSubD( p, region->center ) ) <= region->radius;
	}
	if ( ( region->tests & pn_beyondPlane ) != 0 )
	{
		in = in && pnDotD( pnSubD( p, region->planePoint ), region->planeNormal ) >= 0.0;
	}
	if ( ( region->tests & pn_facing ) != 0 )
	{
		in = in && pnDotD( normal, region->direction ) >= cos( region->angle );
	}
	if ( ( region->tests & pn_inGroup ) != 0 )
	{
		in = in && group == region->group;
	}
	return in;
}

// Places all over a triangle, so many to a side.
static bool pnTouchesTriangle( const pnSkinMesh* skin, int triangle, int steps, const pnRegion* region )
{
	const int32_t* corners = skin->triangles + 3 * (size_t)triangle;
	pnVec3d a = skin->points[corners[0]], b = pnSubD( skin->points[corners[1]], a ), c = pnSubD( skin->points[corners[2]], a );
	pnVec3d normal = pnUnitD( pnCrossD( b, c ) );
	for ( int i = 0; i <= steps; ++i )
	{
		for ( int j = 0; i + j <= steps; ++j )
		{
			pnVec3d p = pnMulAddD( pnMulAddD( a, (double)i / steps, b ), (double)j / steps, c );
			if ( pnRegionHas( region, p, normal, skin->groups[triangle] ) )
			{
				return true;
			}
		}
	}
	return false;
}

static bool pnHoldsSomething( const pnSkinMesh* skin, const pnRegion* region )
{
	for ( int i = 0; i < skin->pointCount && skin->normals != NULL; ++i )
	{
		if ( pnRegionHas( region, skin->points[i], pnUnitD( skin->normals[i] ), skin->groups[i] ) )
		{
			return true;
		}
	}
	for ( int steps = 1; steps <= 16 && skin->normals == NULL; steps *= 4 ) // small regions fall between corners
	{
		for ( int i = 0; i < skin->triangleCount; ++i )
		{
			if ( pnTouchesTriangle( skin, i, steps, region ) )
			{
				return true;
			}
		}
	}
	return false;
}

// A region that misses the surface may be given in another unit of length: by what it would have to be multiplied; 0: none fits.
static double pnGuessUnit( const pnSkinMesh* skin, const pnRegion* region )
{
	static const double factors[] = { 1e3, 1e-3, 1e2, 1e-2, 25.4, 1.0 / 25.4, 0.0254, 1.0 / 0.0254 };
	for ( int k = 0; k < (int)( sizeof( factors ) / sizeof( factors[0] ) ); ++k )
	{
		pnRegion other = *region;
		other.lower = pnScaleD( factors[k], region->lower );
		other.upper = pnScaleD( factors[k], region->upper );
		other.center = pnScaleD( factors[k], region->center );
		other.planePoint = pnScaleD( factors[k], region->planePoint );
		other.radius *= factors[k];
		if ( pnHoldsSomething( skin, &other ) )
		{
			return factors[k];
		}
	}
	return 0.0;
}

static bool pnReadBoxRegion( pnReader* reader, const pnNode* node, pnRegion* region )
{
	if ( json_is_array( node->json ) == false || json_array_size( node->json ) != 2 )
	{
		return pnFailAt( reader, node, "wants two corners of three numbers, [[x, y, z], [x, y, z]]" );
	}
	pnVec3d a, b;
	pnNode first = pnGetItem( node, 0 ), second = pnGetItem( node, 1 );
	if ( pnReadVector( reader, &first, &a ) == false || pnReadVector( reader, &second, &b ) == false )
	{
		return false;
	}
	region->tests |= pn_inBox;
	region->lower = pnMakeD( fmin( a.x, b.x ), fmin( a.y, b.y ), fmin( a.z, b.z ) );
	region->upper = pnMakeD( fmax( a.x, b.x ), fmax( a.y, b.y ), fmax( a.z, b.z ) );
	return true;
}

static bool pnReadGroup( pnReader* reader, const pnNode* node, bool dry, const pnSkinMesh* skin, pnRegion* region )
{
	const char* name;
	if ( pnReadText( reader, node, &name ) == false )
	{
		return false;
	}
	region->tests |= pn_inGroup;
	region->group = dry ? 0 : pnFindGroup( skin, name );
	if ( region->group >= 0 )
	{
		return true;
	}
	const char* names[PN_MAX_GROUPS];
	char all[200] = "";
	for ( int i = 0; i < skin->nameCount; ++i )
	{
		names[i] = skin->names[i];
		size_t used = strlen( all );
		snprintf( all + used, sizeof( all ) - used, "%s%.40s", i > 0 ? ", " : "", names[i] );
	}
	const char* near = pnFindNearName( name, names, skin->nameCount );
	return near != NULL ? pnFailAt( reader, node, "the surface has no group '%.60s'; did you mean '%s'?", name, near )
						: pnFailAt( reader, node, "the surface has no group '%.60s'; it has: %s", name, all );
}

bool pnReadRegionPlace( pnReader* reader, const pnNode* node, double margin, pnRegion* region )
{
	pnNode box = pnGetChild( node, "box" ), ball = pnGetChild( node, "sphere" ), plane = pnGetChild( node, "plane" );
	if ( box.json != NULL )
	{
		pnReadBoxRegion( reader, &box, region );
		pnVec3d reach = { margin, margin, margin };
		region->lower = pnSubD( region->lower, reach );
		region->upper = pnAddD( region->upper, reach );
	}
	if ( ball.json != NULL && pnCheckObject( reader, &ball, &pn_ballKeys ) && pnCheckThere( reader, &ball, "center", "a place, m" ) &&
		 pnCheckThere( reader, &ball, "radius", "m" ) )
	{
		pnNode center = pnGetChild( &ball, "center" ), radius = pnGetChild( &ball, "radius" );
		region->tests |= pn_inBall;
		pnReadVector( reader, &center, &region->center );
		pnReadNumber( reader, &radius, 1e-12, PN_LARGE, &region->radius );
		region->radius += margin;
	}
	if ( plane.json != NULL && pnCheckObject( reader, &plane, &pn_planeKeys ) && pnCheckThere( reader, &plane, "point", "a place, m" ) &&
		 pnCheckThere( reader, &plane, "normal", "the side that is meant" ) )
	{
		pnNode point = pnGetChild( &plane, "point" ), normal = pnGetChild( &plane, "normal" );
		region->tests |= pn_beyondPlane;
		pnReadVector( reader, &point, &region->planePoint );
		pnReadDirection( reader, &normal, &region->planeNormal );
		region->planePoint = pnMulAddD( region->planePoint, -margin, region->planeNormal );
	}
	return reader->failed == false;
}

static bool pnReadRegion( pnReader* reader, const pnNode* node, bool dry, const pnProblem* problem, pnRegion* region )
{
	if ( pnCheckObject( reader, node, &pn_regionKeys ) == false )
	{
		return false;
	}
	pnNode facing = pnGetChild( node, "facing" ), group = pnGetChild( node, "group" );
	// Borders are part of a region; rounding must not take them away.
	pnReadRegionPlace( reader, node, dry ? 0.0 : 1e-9 * pnGetProblemSize( problem ), region );
	if ( facing.json != NULL && pnCheckObject( reader, &facing, &pn_facingKeys ) &&
		 pnCheckThere( reader, &facing, "direction", "where the surface looks" ) && pnCheckThere( reader, &facing, "angle", "degrees" ) )
	{
		pnNode direction = pnGetChild( &facing, "direction" ), angle = pnGetChild( &facing, "angle" );
		double degrees = 0.0;
		region->tests |= pn_facing;
		pnReadDirection( reader, &direction, &region->direction );
		pnReadNumber( reader, &angle, 0.0, 180.0, &degrees );
		region->angle = degrees * PN_PARTS_PI / 180.0 + 1e-6;
	}
	if ( group.json != NULL )
	{
		pnReadGroup( reader, &group, dry, &problem->skin, region );
	}
	if ( reader->failed == false && dry == false && pnHoldsSomething( &problem->skin, region ) == false )
	{
		double factor = pnGuessUnit( &problem->skin, region );
		char guess[80] = "";
		if ( factor > 0.0 )
		{
			snprintf( guess, sizeof( guess ), "; with its lengths times %g it would be: other units?", factor );
		}
		return pnFailAt( reader, node, "no part of the surface is there; the solid goes from (%.4g, %.4g, %.4g) to (%.4g, %.4g, %.4g)%s", problem->lower.x,
						 problem->lower.y, problem->lower.z, problem->upper.x, problem->upper.y, problem->upper.z, guess );
	}
	return reader->failed == false;
}

// ---- conditions ----

static bool pnReadFixed( pnReader* reader, const pnNode* node, pnCondition* condition )
{
	if ( json_is_true( node->json ) )
	{
		condition->axes = 7;
		return true;
	}
	const char* axes = json_string_value( node->json );
	condition->axes = 0;
	for ( const char* c = axes; c != NULL && *c != 0; ++c )
	{
		const char* found = strchr( "xyz", *c );
		if ( found == NULL )
		{
			axes = NULL;
			break;
		}
		condition->axes |= 1u << ( found - "xyz" );
	}
	return axes != NULL && condition->axes != 0 ? true
												: pnFailAt( reader, node, "wants true or the axes that are fixed, such as \"xz\"" );
}

// The matrix times the way from the center.
static pnVec3d pnGetAffineField( pnVec3d point, pnVec3d normal, void* context )
{
	(void)normal;
	const pnAffine* affine = context;
	pnVec3d d = pnSubD( point, affine->center );
	return pnMakeD( pnDotD( affine->rows[0], d ), pnDotD( affine->rows[1], d ), pnDotD( affine->rows[2], d ) );
}

static bool pnReadAffine( pnReader* reader, const pnNode* node, pnCondition* condition, pnAffine* affine )
{
	if ( pnCheckObject( reader, node, &pn_affineKeys ) == false || pnCheckThere( reader, node, "matrix", "three rows of three numbers, or null" ) == false )
	{
		return false;
	}
	*affine = (pnAffine){ 0 };
	pnNode matrix = pnGetChild( node, "matrix" ), center = pnGetChild( node, "center" );
	int count;
	if ( pnReadList( reader, &matrix, 3, 3, &count ) == false || ( center.json != NULL && pnReadVector( reader, &center, &affine->center ) == false ) )
	{
		return false;
	}
	condition->axes = 0;
	for ( int i = 0; i < 3; ++i )
	{
		pnNode row = pnGetItem( &matrix, i );
		if ( json_is_null( row.json ) == false )
		{
			pnReadVector( reader, &row, affine->rows + i );
			condition->axes |= 1u << i;
		}
	}
	if ( reader->failed == false && condition->axes == 0 )
	{
		return pnFailAt( reader, &matrix, "all three rows are null: nothing is displaced" );
	}
	condition->field = pnGetAffineField;
	condition->fieldContext = affine;
	return reader->failed == false;
}

static bool pnReadKind( pnReader* reader, const pnNode* node, pnCondition* condition, pnAffine* affine )
{
	static const char* const kinds[] = { "fixed", "displaced", "rotated", "affine", "traction", "pressure", "force", "roller", "symmetry", "spring" };
	enum
	{
		kindCount = (int)( sizeof( kinds ) / sizeof( kinds[0] ) )
	};
	int found = -1;
	for ( int i = 0; i < kindCount; ++i )
	{
		pnNode child = pnGetChild( node, kinds[i] );
		if ( child.json == NULL )
		{
			continue;
		}
		if ( found >= 0 && ( found != 1 || i != 2 ) ) // displaced and rotated go together
		{
			return pnFailAtKey( reader, &child, "a condition says one thing; this one has \"%s\" already", kinds[found] );
		}
		bool yes = true;
		uint32_t mask = 7;
		pnNode center = pnGetChild( &child, "center" );
		switch ( i )
		{
		case 0:
			pnReadFixed( reader, &child, condition );
			break;

		case 1:
			if ( pnReadPartVector( reader, &child, &condition->vector, &mask ) && mask == 0 )
			{
				return pnFailAt( reader, &child, "all three are null: nothing is displaced" );
			}
			condition->axes = mask;
			break;

		case 2:
			if ( condition->axes != 7 )
			{
				return pnFailAt( reader, &child, "goes with a displacement that has three numbers, none of them null" );
			}
			pnReadTurn( reader, &child, &pn_rotatedKeys, &condition->turn );
			if ( center.json != NULL )
			{
				pnReadVector( reader, &center, &condition->center );
			}
			break;

		case 3:
			pnReadAffine( reader, &child, condition, affine );
			break;

		case 4:
			condition->kind = pn_tractionCondition;
			pnReadVector( reader, &child, &condition->vector );
			break;

		case 5:
			condition->kind = pn_pressureCondition;
			pnReadNumber( reader, &child, -1e15, 1e15, &condition->pressure );
			break;

		case 6:
			condition->kind = pn_forceCondition;
			pnReadVector( reader, &child, &condition->vector );
			break;

		case 9:
			condition->kind = pn_springCondition;
			pnReadNumber( reader, &child, 1e-12, 1e18, &condition->stiffness );
			break;

		default:
			condition->kind = pn_rollCondition;
			if ( pnReadBool( reader, &child, &yes ) && yes == false )
			{
				return pnFailAt( reader, &child, "is true or not there" );
			}
			break;
		}
		found = i;
	}
	if ( found < 0 && reader->failed == false )
	{
		return pnFailAt( reader, node, "says nothing: it needs fixed, displaced, rotated, affine, traction, pressure, force, spring, roller or symmetry" );
	}
	return reader->failed == false;
}

bool pnReadConditions( pnReader* reader, const pnNode* node, bool dry, pnProblem* problem )
{
	int count;
	if ( pnReadList( reader, node, 0, PN_MAX_CONDITIONS, &count ) == false )
	{
		return false;
	}
	if ( problem->conditions == NULL )
	{
		problem->conditions = malloc( (size_t)( count + 1 ) * sizeof( pnCondition ) );
		problem->conditionNames = malloc( (size_t)( count + 1 ) * sizeof( problem->conditionNames[0] ) );
		problem->affines = malloc( (size_t)( count + 1 ) * sizeof( pnAffine ) );
	}
	if ( problem->conditions == NULL || problem->conditionNames == NULL || problem->affines == NULL )
	{
		return pnFailAt( reader, node, "there is no memory for it" );
	}
	problem->conditionCount = count;
	for ( int i = 0; i < count; ++i )
	{
		pnNode item = pnGetItem( node, i );
		pnCondition* condition = problem->conditions + i;
		*condition = pnDefaultCondition();
		char name[PN_NAME_SIZE];
		snprintf( name, sizeof( name ), "condition %d", i + 1 );
		if ( pnCheckObject( reader, &item, &pn_conditionKeys ) == false ||
			 pnCheckThere( reader, &item, "where", "a region such as {\"box\": [[0, 0, 0], [1, 1, 0]]}, or {} for everywhere" ) == false ||
			 pnReadName( reader, &item, name, problem->conditionNames[i] ) == false || pnReadKind( reader, &item, condition, problem->affines + i ) == false )
		{
			return false;
		}
		pnNode where = pnGetChild( &item, "where" );
		if ( pnReadRegion( reader, &where, dry, problem, &condition->region ) == false )
		{
			return false;
		}
	}
	return true;
}

// ---- indenters ----

// The points of a hull are counted first, so that none of them moves when more come.
static int pnCountHullPoints( const pnNode* list, int count )
{
	int sum = 0;
	for ( int i = 0; i < count; ++i )
	{
		size_t size = json_array_size( json_object_get( json_array_get( list->json, (size_t)i ), "points" ) );
		sum += 8 + ( size <= 128 ? (int)size : 128 );
	}
	return sum;
}

static bool pnReadBoxIndenter( pnReader* reader, const pnNode* node, pnIndenter* indenter, pnVec3d* points )
{
	pnNode sizeNode = pnGetChild( node, "size" ), turnNode = pnGetChild( node, "turn" );
	pnVec3d size, turn = { 0.0, 0.0, 0.0 };
	if ( pnCheckThere( reader, node, "size", "[x, y, z], m" ) == false || pnReadVector( reader, &sizeNode, &size ) == false ||
		 ( turnNode.json != NULL && pnReadTurn( reader, &turnNode, &pn_turnKeys, &turn ) == false ) )
	{
		return false;
	}
	if ( !( size.x > 0.0 && size.y > 0.0 && size.z > 0.0 ) )
	{
		return pnFailAt( reader, &sizeNode, "wants three lengths of more than 0" );
	}
	for ( int i = 0; i < 8; ++i )
	{
		pnVec3d corner = { 0.5 * size.x * ( i & 1 ? 1 : -1 ), 0.5 * size.y * ( i & 2 ? 1 : -1 ), 0.5 * size.z * ( i & 4 ? 1 : -1 ) };
		points[i] = pnAddD( indenter->center, pnTurnBy( turn, corner ) );
	}
	indenter->points = points;
	indenter->pointCount = 8;
	return true;
}

static bool pnReadHullIndenter( pnReader* reader, const pnNode* node, pnIndenter* indenter, pnVec3d* points )
{
	pnNode list = pnGetChild( node, "points" );
	int count;
	if ( pnCheckThere( reader, node, "points", "[[x, y, z], ...], m" ) == false || pnReadList( reader, &list, 4, 128, &count ) == false )
	{
		return false;
	}
	for ( int i = 0; i < count; ++i )
	{
		pnNode item = pnGetItem( &list, i );
		if ( pnReadVector( reader, &item, points + i ) == false )
		{
			return false;
		}
		points[i] = pnAddD( points[i], indenter->center );
	}
	indenter->points = points;
	indenter->pointCount = count;
	return true;
}

static bool pnReadIndenter( pnReader* reader, const pnNode* node, pnIndenter* indenter, pnVec3d* points )
{
	static const char* const shapes[] = { "ball", "plate", "box", "hull" };
	static const char* const foreign[4][5] = {
		{ "size", "turn", "points" }, { "radius", "size", "turn", "points" }, { "radius", "points" }, { "radius", "size", "turn" }
	};
	int shape = 0;
	if ( pnCheckObject( reader, node, &pn_indenterKeys ) == false || pnCheckThere( reader, node, "shape", "ball, plate, box or hull" ) == false ||
		 pnCheckThere( reader, node, "direction", "the way it is pressed" ) == false )
	{
		return false;
	}
	pnNode shapeNode = pnGetChild( node, "shape" ), center = pnGetChild( node, "center" ), radius = pnGetChild( node, "radius" );
	pnNode direction = pnGetChild( node, "direction" ), depth = pnGetChild( node, "depth" ), force = pnGetChild( node, "force" );
	if ( pnReadWord( reader, &shapeNode, shapes, 4, &shape ) == false || pnReadDirection( reader, &direction, &indenter->direction ) == false )
	{
		return false;
	}
	for ( int i = 0; i < 5 && foreign[shape][i] != NULL; ++i )
	{
		pnNode other = pnGetChild( node, foreign[shape][i] );
		if ( other.json != NULL )
		{
			return pnFailAtKey( reader, &other, "means nothing for a %s", shapes[shape] );
		}
	}
	if ( ( depth.json != NULL ) == ( force.json != NULL ) )
	{
		return pnFailAt( reader, node, "needs either \"depth\" (m along the direction) or \"force\" (N)" );
	}
	if ( center.json == NULL && shape != 3 )
	{
		return pnCheckThere( reader, node, "center", "where it is before it is pressed, m" );
	}
	if ( center.json != NULL )
	{
		pnReadVector( reader, &center, &indenter->center );
	}
	if ( depth.json != NULL )
	{
		pnReadNumber( reader, &depth, -PN_LARGE, PN_LARGE, &indenter->depth );
	}
	else
	{
		pnReadNumber( reader, &force, 1e-12, 1e15, &indenter->force );
	}
	pnNode friction = pnGetChild( node, "friction" ), drag = pnGetChild( node, "drag" );
	if ( friction.json != NULL )
	{
		pnReadNumber( reader, &friction, 0.0, 1e6, &indenter->friction );
	}
	if ( drag.json != NULL && pnReadVector( reader, &drag, &indenter->drag ) && fabs( pnDotD( indenter->drag, indenter->direction ) ) > 1e-6 * pnLengthD( indenter->drag ) )
	{
		return pnFailAt( reader, &drag, "is not across the direction" );
	}
	indenter->kind = shape == 0 ? pn_ballIndenter : shape == 1 ? pn_plateIndenter : pn_convexIndenter;
	if ( shape == 0 && pnCheckThere( reader, node, "radius", "m" ) )
	{
		pnReadNumber( reader, &radius, 1e-9, PN_LARGE, &indenter->radius );
	}
	if ( shape == 2 )
	{
		pnReadBoxIndenter( reader, node, indenter, points );
	}
	if ( shape == 3 )
	{
		pnReadHullIndenter( reader, node, indenter, points );
	}
	return reader->failed == false;
}

bool pnReadIndenters( pnReader* reader, const pnNode* node, pnProblem* problem )
{
	int count;
	if ( pnReadList( reader, node, 0, PN_MAX_INDENTERS, &count ) == false )
	{
		return false;
	}
	problem->indenters = malloc( (size_t)( count + 1 ) * sizeof( pnIndenter ) );
	problem->indenterNames = malloc( (size_t)( count + 1 ) * sizeof( problem->indenterNames[0] ) );
	problem->hullPoints = malloc( (size_t)( pnCountHullPoints( node, count ) + 1 ) * sizeof( pnVec3d ) );
	if ( problem->indenters == NULL || problem->indenterNames == NULL || problem->hullPoints == NULL )
	{
		return pnFailAt( reader, node, "there is no memory for it" );
	}
	problem->indenterCount = count;
	pnVec3d* points = problem->hullPoints;
	for ( int i = 0; i < count; ++i )
	{
		pnNode item = pnGetItem( node, i );
		problem->indenters[i] = pnDefaultIndenter();
		char name[PN_NAME_SIZE];
		snprintf( name, sizeof( name ), "indenter %d", i + 1 );
		if ( pnReadIndenter( reader, &item, problem->indenters + i, points ) == false ||
			 pnReadName( reader, &item, name, problem->indenterNames[i] ) == false )
		{
			return false;
		}
		points += problem->indenters[i].pointCount;
	}
	return true;
}
