// query.c - one surface as it lies, or one form in its place, against a ray, a ball, a box, a place. Knows no bodies, no world.
#include "query.h"

#include "near.h"
#include "nearest.h"

#include <math.h>

static double pnGet( pnFine3 a, int axis ) { return axis == 0 ? a.x : axis == 1 ? a.y : a.z; }

static pnFine3 pnAlong( const pnRay* ray, double fraction ) { return pnAddFine( ray->from, pnScaleFine( fraction, ray->way ) ); }

// ---- boxes ----

double pnGetBoxDistance( pnAABB box, pnFine3 place )
{
	double sum = 0.0;
	for ( int k = 0; k < 3; ++k )
	{
		double at = pnGet( place, k ), below = (double)( &box.lower.x )[k] - at, above = at - (double)( &box.upper.x )[k];
		double gap = below > above ? below : above;
		sum += gap > 0.0 ? gap * gap : 0.0;
	}
	return sqrt( sum );
}

// Narrows [*enter, *leave] to the part of the ray that is in the box.
static bool pnClip( const pnRay* ray, pnAABB box, double room, double* enter, double* leave )
{
	for ( int k = 0; k < 3; ++k )
	{
		double from = pnGet( ray->from, k ), way = pnGet( ray->way, k );
		double toLow = (double)( &box.lower.x )[k] - room - from, toHigh = (double)( &box.upper.x )[k] + room - from;
		if ( way == 0.0 )
		{
			if ( toLow > 0.0 || toHigh < 0.0 )
			{
				return false;
			}
			continue;
		}
		double first = toLow / way, second = toHigh / way;
		double sooner = first < second ? first : second, later = first < second ? second : first;
		*enter = sooner > *enter ? sooner : *enter;
		*leave = later < *leave ? later : *leave;
	}
	return *enter <= *leave;
}

bool pnMeetsBox( const pnRay* ray, pnAABB box, double room, double best )
{
	double enter = 0.0, leave = best;
	// Fractions are rounded: a box without extent must not be lost.
	room += 1e-12 * ( fabs( ray->from.x ) + fabs( ray->from.y ) + fabs( ray->from.z ) );
	return pnClip( ray, box, room, &enter, &leave );
}

// ---- triangles of a surface ----

typedef struct pnCorners { pnFine3 a, b, c; } pnCorners;

static pnFine3 pnPlaceOf( const float* x, int32_t particle )
{
	const float* row = x + 4 * (size_t)particle;
	return (pnFine3){ (double)row[0], (double)row[1], (double)row[2] };
}

static pnCorners pnGetCorners( const pnLying* body, int triangle )
{
	const int32_t* t = body->surface->triangles + 3 * (size_t)triangle;
	return (pnCorners){ pnPlaceOf( body->x, t[0] ), pnPlaceOf( body->x, t[1] ), pnPlaceOf( body->x, t[2] ) };
}

static bool pnIsTriangle( const int32_t* t ) { return t[0] != t[1] && t[1] != t[2] && t[2] != t[0]; }

static int32_t pnNearestCorner( const pnLying* body, int triangle, pnFine3 position )
{
	int32_t best = -1;
	double least = 0.0;
	for ( int k = 0; k < 3; ++k )
	{
		int32_t particle = body->surface->triangles[3 * (size_t)triangle + k];
		pnFine3 off = pnSubFine( pnPlaceOf( body->x, particle ), position );
		double distance2 = pnDotFine( off, off );
		if ( best < 0 || distance2 < least )
		{
			best = particle;
			least = distance2;
		}
	}
	return best;
}

// Unit, where the corners turn counterclockwise. Crushed to a line or a point: some direction across it.
static pnFine3 pnGetFaceNormal( pnCorners p )
{
	pnFine3 ab = pnSubFine( p.b, p.a ), ac = pnSubFine( p.c, p.a ), n = pnCrossFine( ab, ac );
	double length2 = pnDotFine( n, n );
	if ( !( length2 > 0.0 ) )
	{
		pnFine3 along = pnDotFine( ab, ab ) > pnDotFine( ac, ac ) ? ab : ac;
		double x = fabs( along.x ), y = fabs( along.y ), z = fabs( along.z );
		pnFine3 least = y <= x && y <= z ? (pnFine3){ 0.0, 1.0, 0.0 } : x <= z ? (pnFine3){ 1.0, 0.0, 0.0 } : (pnFine3){ 0.0, 0.0, 1.0 };
		double along2 = pnDotFine( along, along );
		n = along2 > 0.0 ? pnSubFine( least, pnScaleFine( pnDotFine( least, along ) / along2, along ) ) : least;
		length2 = pnDotFine( n, n );
	}
	return pnScaleFine( 1.0 / sqrt( length2 ), n );
}

// ---- rays at surfaces ----

// A segment or a point, as thick as the surface is: a ball that moves along the ray touches it.
static bool pnCastAtThread( const pnLying* body, int triangle, const pnRay* ray, pnAnswer* answer )
{
	const int32_t* t = body->surface->triangles + 3 * (size_t)triangle;
	pnFine3 a = pnPlaceOf( body->x, t[0] ), b = pnPlaceOf( body->x, t[0] == t[1] ? t[2] : t[1] );
	pnSweep sweep = { .from = ray->from, .way = ray->way, .radius = (double)body->surface->thickness };
	sweep.length = sqrt( pnDotFine( ray->way, ray->way ) );
	sweep.tolerance = 1e-6 * sweep.radius + 1e-13 * ( fabs( ray->from.x ) + fabs( ray->from.y ) + fabs( ray->from.z ) );
	sweep.best = answer->measure;
	pnMeeting meeting;
	const pnFine3 against = pnScaleFine( -1.0 / sweep.length, ray->way );
	if ( !pnMeetTriangle( &sweep, a, b, b, against, &meeting ) || !( meeting.fraction < answer->measure ) )
	{
		return false;
	}
	pnFine3 position = pnAlong( ray, meeting.fraction );
	*answer = (pnAnswer){ meeting.fraction, triangle, pnNearestCorner( body, triangle, position ), position, meeting.outward };
	return true;
}

// Along the axis the ray mostly follows all places are sheared so that it becomes that axis (Woop, Benthin and Wald 2013). Two triangles
// that share an edge see the same number with opposite signs, so nothing slips through between them.
bool pnCastAtSurface( const pnLying* body, const pnRay* ray, pnAnswer* answer )
{
	double wayX = fabs( ray->way.x ), wayY = fabs( ray->way.y ), wayZ = fabs( ray->way.z );
	int w = wayX >= wayY && wayX >= wayZ ? 0 : wayY >= wayZ ? 1 : 2, u = ( w + 1 ) % 3, v = ( w + 2 ) % 3;
	double perWay = 1.0 / pnGet( ray->way, w ), shearU = pnGet( ray->way, u ) * perWay, shearV = pnGet( ray->way, v ) * perWay;
	double fromU = pnGet( ray->from, u ), fromV = pnGet( ray->from, v ), fromW = pnGet( ray->from, w );
	const int32_t* triangles = body->surface->triangles;
	const float* x = body->x;
	int found = -1;
	bool any = false;
	for ( int i = 0; i < body->surface->triangleCount; ++i )
	{
		const int32_t* t = triangles + 3 * (size_t)i;
		const float *a = x + 4 * (size_t)t[0], *b = x + 4 * (size_t)t[1], *c = x + 4 * (size_t)t[2];
		double aw = (double)a[w] - fromW, bw = (double)b[w] - fromW, cw = (double)c[w] - fromW;
		double au = (double)a[u] - fromU - shearU * aw, bu = (double)b[u] - fromU - shearU * bw, cu = (double)c[u] - fromU - shearU * cw;
		double av = (double)a[v] - fromV - shearV * aw, bv = (double)b[v] - fromV - shearV * bw, cv = (double)c[v] - fromV - shearV * cw;
		double toA = cu * bv - cv * bu, toB = au * cv - av * cu, toC = bu * av - bv * au;
		bool back = toA <= 0.0 && toB <= 0.0 && toC <= 0.0, front = toA >= 0.0 && toB >= 0.0 && toC >= 0.0;
		double sum = toA + toB + toC;
		if ( ( back || front ) && sum != 0.0 )
		{
			double fraction = ( toA * aw + toB * bw + toC * cw ) / sum * perWay;
			if ( fraction >= 0.0 && fraction < answer->measure )
			{
				answer->measure = fraction;
				found = i;
			}
		}
		else if ( !pnIsTriangle( t ) && pnCastAtThread( body, i, ray, answer ) )
		{
			any = true;
			found = -1;
		}
	}
	if ( found >= 0 )
	{
		any = true;
		pnFine3 normal = pnGetFaceNormal( pnGetCorners( body, found ) ), position = pnAlong( ray, answer->measure );
		double turn = pnDotFine( normal, ray->way ) > 0.0 ? -1.0 : 1.0;
		*answer = (pnAnswer){ answer->measure, found, pnNearestCorner( body, found, position ), position, pnScaleFine( turn, normal ) };
	}
	return any;
}

// ---- inside ----

// Which side of the place the edge from p to q passes on, seen along x, as +1 or -1: places are y and z relative to it. An edge right
// through it is seen from a place moved by ( e, e^2 ), e too small to be a number: so two triangles always agree about their edge, and no
// corner is counted twice. 0: the edge has no length.
static int pnGetSide( const double p[2], const double q[2] )
{
	double turn = p[0] * q[1] - p[1] * q[0];
	turn = turn != 0.0 ? turn : p[1] != q[1] ? p[1] - q[1] : q[0] - p[0];
	return ( turn > 0.0 ) - ( turn < 0.0 );
}

// How often the surface goes around the place: along +x, leaving it counts 1 and entering it -1. A deformed surface may lie in folds, where
// parity or the normal of the nearest triangle would be wrong; what is enclosed once, twice or turned inside out is inside.
bool pnIsInside( const pnLying* body, pnFine3 place )
{
	if ( !body->surface->closed || pnGetBoxDistance( body->bounds, place ) > 0.0 )
	{
		return false;
	}
	int around = 0;
	for ( int i = 0; i < body->surface->triangleCount; ++i )
	{
		const int32_t* t = body->surface->triangles + 3 * (size_t)i;
		double p[3][2], x[3];
		for ( int k = 0; k < 3; ++k )
		{
			const float* row = body->x + 4 * (size_t)t[k];
			x[k] = (double)row[0] - place.x, p[k][0] = (double)row[1] - place.y, p[k][1] = (double)row[2] - place.z;
		}
		// Most are beside it or behind.
		if ( ( x[0] < 0.0 && x[1] < 0.0 && x[2] < 0.0 ) || ( p[0][0] < 0.0 && p[1][0] < 0.0 && p[2][0] < 0.0 ) ||
			 ( p[0][0] > 0.0 && p[1][0] > 0.0 && p[2][0] > 0.0 ) || ( p[0][1] < 0.0 && p[1][1] < 0.0 && p[2][1] < 0.0 ) ||
			 ( p[0][1] > 0.0 && p[1][1] > 0.0 && p[2][1] > 0.0 ) )
		{
			continue;
		}
		int side = pnGetSide( p[0], p[1] );
		if ( side == 0 || pnGetSide( p[1], p[2] ) != side || pnGetSide( p[2], p[0] ) != side )
		{
			continue;
		}
		double toA = p[1][0] * p[2][1] - p[1][1] * p[2][0], toB = p[2][0] * p[0][1] - p[2][1] * p[0][0], toC = p[0][0] * p[1][1] - p[0][1] * p[1][0];
		double ahead = ( toA * x[0] + toB * x[1] + toC * x[2] ) * (double)side;
		around += ahead > 0.0 ? side : 0;
	}
	return around != 0;
}

// ---- nearest ----

typedef struct pnFoot { pnFine3 place; double distance2; } pnFoot;

static pnFoot pnFootOn( pnFine3 from, pnFine3 a, pnFine3 b )
{
	pnFine3 ab = pnSubFine( b, a );
	double length2 = pnDotFine( ab, ab ), part = length2 > 0.0 ? pnDotFine( pnSubFine( from, a ), ab ) / length2 : 0.0;
	part = part > 0.0 ? part < 1.0 ? part : 1.0 : 0.0;
	pnFine3 place = pnAddFine( a, pnScaleFine( part, ab ) ), off = pnSubFine( from, place );
	return (pnFoot){ place, pnDotFine( off, off ) };
}

static pnFoot pnFindFoot( pnFine3 from, pnCorners p )
{
	const double place[3] = { from.x, from.y, from.z }, a[3] = { p.a.x, p.a.y, p.a.z }, b[3] = { p.b.x, p.b.y, p.b.z }, c[3] = { p.c.x, p.c.y, p.c.z };
	double w[3];
	pnNearestOnTriangle( place, a, b, c, w );
	if ( w[0] >= -1e-9 && w[1] >= -1e-9 && w[2] >= -1e-9 )
	{
		pnFine3 foot = pnAddFine( p.a, pnAddFine( pnScaleFine( w[1], pnSubFine( p.b, p.a ) ), pnScaleFine( w[2], pnSubFine( p.c, p.a ) ) ) );
		pnFine3 off = pnSubFine( from, foot );
		return (pnFoot){ foot, pnDotFine( off, off ) };
	}
	// Crushed so flat that its areas are nothing but rounding: its edges are all there is.
	pnFoot best = pnFootOn( from, p.a, p.b ), second = pnFootOn( from, p.b, p.c ), third = pnFootOn( from, p.c, p.a );
	best = second.distance2 < best.distance2 ? second : best;
	return third.distance2 < best.distance2 ? third : best;
}

static pnF4 pnLess4( pnF4 a, pnF4 b )
{
	pnI4 less = a < b;
	return (pnF4)( ( less & (pnI4)a ) | ( ~less & (pnI4)b ) );
}
static pnF4 pnMore4( pnF4 a, pnF4 b )
{
	pnI4 more = a > b;
	return (pnF4)( ( more & (pnI4)a ) | ( ~more & (pnI4)b ) );
}

// In float: each difference is right to 6e-8 of itself, the sum to 4e-7. Compare with a limit that is a little larger.
PN_INLINE_CONTACT float pnGetGap2( const float* x, const int32_t* t, pnF4 lower, pnF4 upper )
{
	pnF4 a = pnRow4( x, t[0] ), b = pnRow4( x, t[1] ), c = pnRow4( x, t[2] );
	pnF4 below = lower - pnMore4( pnMore4( a, b ), c ), above = pnLess4( pnLess4( a, b ), c ) - upper;
	pnF4 gap = pnMore4( pnMore4( below, above ), pnSplat4( 0.0f ) );
	return pnDot4( gap, gap );
}

// The triangle nearest to the place, if nearer than the root of *best2; else -1. The first one within the root of enough2 will do.
static int pnFindNearestTriangle( const pnLying* body, pnVec3 place, double* best2, double enough2, pnFine3* foot )
{
	pnF4 at = { place.x, place.y, place.z, 0.0f };
	float limit = *best2 < 1e37 ? (float)( *best2 * 1.00001 ) + 1e-37f : 3e38f;
	int found = -1;
	for ( int i = 0; i < body->surface->triangleCount; ++i )
	{
		if ( pnGetGap2( body->x, body->surface->triangles + 3 * (size_t)i, at, at ) > limit )
		{
			continue;
		}
		pnFoot here = pnFindFoot( pnFine( place ), pnGetCorners( body, i ) );
		if ( here.distance2 < *best2 )
		{
			*best2 = here.distance2;
			*foot = here.place;
			found = i;
			if ( here.distance2 <= enough2 )
			{
				break;
			}
			limit = here.distance2 < 1e37 ? (float)( here.distance2 * 1.00001 ) + 1e-37f : 3e38f;
		}
	}
	return found;
}

// Far enough for the offset to have a direction; nearer, the triangle's own must do.
static bool pnIsApart( const pnLying* body, double distance ) { return distance > 1e-9 * (double)body->surface->size; }

bool pnFindNearestOnSurface( const pnLying* body, pnVec3 place, pnAnswer* answer )
{
	double best2 = answer->measure * answer->measure;
	pnFine3 foot = pnFine( place );
	int triangle = pnFindNearestTriangle( body, place, &best2, 0.0, &foot );
	if ( triangle < 0 )
	{
		return false;
	}
	double distance = sqrt( best2 );
	pnFine3 normal = pnGetFaceNormal( pnGetCorners( body, triangle ) );
	if ( pnIsApart( body, distance ) )
	{
		normal = pnScaleFine( 1.0 / distance, pnSubFine( pnFine( place ), foot ) );
	}
	*answer = (pnAnswer){ distance, triangle, pnNearestCorner( body, triangle, foot ), foot, normal };
	return true;
}

bool pnTurnOutward( const pnLying* body, pnVec3 place, pnAnswer* answer )
{
	bool inside = pnIsInside( body, pnFine( place ) );
	if ( inside && pnIsApart( body, answer->measure ) )
	{
		answer->normal = pnScaleFine( -1.0, answer->normal );
	}
	return inside;
}

// ---- overlaps ----

bool pnOverlapsBall( const pnLying* body, pnVec3 center, double radius )
{
	double best2 = radius * PN_JUST_ABOVE * radius;
	best2 = best2 > 0.0 ? best2 : 1e-300; // a ball without extent still touches what it is on
	double enough2 = best2;
	pnFine3 foot;
	return pnFindNearestTriangle( body, center, &best2, enough2, &foot ) >= 0 || pnIsInside( body, pnFine( center ) );
}

// No plane along a side of the box, along the triangle, or along an edge of both parts them (Akenine-Moeller 2001). Segments and points too:
// directions that vanish part nothing.
static bool pnTriangleMeetsBox( pnCorners p, pnFine3 middle, const double half[3] )
{
	pnFine3 c[3] = { pnSubFine( p.a, middle ), pnSubFine( p.b, middle ), pnSubFine( p.c, middle ) };
	const pnFine3 axes[3] = { { 1.0, 0.0, 0.0 }, { 0.0, 1.0, 0.0 }, { 0.0, 0.0, 1.0 } };
	pnFine3 edges[3] = { pnSubFine( c[1], c[0] ), pnSubFine( c[2], c[1] ), pnSubFine( c[0], c[2] ) };
	for ( int i = 0; i < 13; ++i )
	{
		pnFine3 n = i < 3 ? axes[i] : i == 3 ? pnCrossFine( edges[0], edges[1] ) : pnCrossFine( axes[( i - 4 ) / 3], edges[( i - 4 ) % 3] );
		double low = pnDotFine( n, c[0] ), high = low;
		for ( int k = 1; k < 3; ++k )
		{
			double at = pnDotFine( n, c[k] );
			low = at < low ? at : low;
			high = at > high ? at : high;
		}
		double reach = fabs( n.x ) * half[0] + fabs( n.y ) * half[1] + fabs( n.z ) * half[2];
		reach += 1e-14 * reach; // touching is in
		if ( low > reach || high < -reach )
		{
			return false;
		}
	}
	return true;
}

bool pnOverlapsBox( const pnLying* body, pnAABB box )
{
	pnF4 lower = { box.lower.x, box.lower.y, box.lower.z, 0.0f }, upper = { box.upper.x, box.upper.y, box.upper.z, 0.0f };
	pnFine3 low = pnFine( box.lower ), high = pnFine( box.upper ), middle = pnScaleFine( 0.5, pnAddFine( low, high ) );
	const double half[3] = { 0.5 * ( high.x - low.x ), 0.5 * ( high.y - low.y ), 0.5 * ( high.z - low.z ) };
	for ( int i = 0; i < body->surface->triangleCount; ++i )
	{
		const int32_t* t = body->surface->triangles + 3 * (size_t)i;
		if ( !( pnGetGap2( body->x, t, lower, upper ) > 0.0f ) && pnTriangleMeetsBox( pnGetCorners( body, i ), middle, half ) )
		{
			return true;
		}
	}
	// No triangle in it: all of it is inside, or nothing.
	return pnIsInside( body, middle );
}

// ---- forms ----

typedef struct pnPose { pnFine3 origin, x, y, z; } pnPose; // of a form's frame: unit axes

static pnPose pnGetPose( pnTransform t )
{
	double x = (double)t.q.x, y = (double)t.q.y, z = (double)t.q.z, w = (double)t.q.w, length2 = x * x + y * y + z * z + w * w;
	double s = 2.0 / length2; // exact turns even where the quaternion's length is rounded
	return (pnPose){
		pnFine( t.p ),
		{ 1.0 - s * ( y * y + z * z ), s * ( x * y + w * z ), s * ( x * z - w * y ) },
		{ s * ( x * y - w * z ), 1.0 - s * ( x * x + z * z ), s * ( y * z + w * x ) },
		{ s * ( x * z + w * y ), s * ( y * z - w * x ), 1.0 - s * ( x * x + y * y ) },
	};
}

static pnFine3 pnTurnIn( const pnPose* pose, pnFine3 a ) { return (pnFine3){ pnDotFine( pose->x, a ), pnDotFine( pose->y, a ), pnDotFine( pose->z, a ) }; }

static pnFine3 pnTurnOut( const pnPose* pose, pnFine3 a )
{
	return pnAddFine( pnScaleFine( a.x, pose->x ), pnAddFine( pnScaleFine( a.y, pose->y ), pnScaleFine( a.z, pose->z ) ) );
}

static double pnMeasureForm( const pnForm* form, pnFine3 place, pnFine3* outward )
{
	pnVec3 direction;
	double distance = (double)pnFormDistance( form, pnCoarse( place ), &direction );
	*outward = pnFine( direction );
	return distance;
}

// Out of a form that need not be convex: nothing of its surface is nearer than the distance, so that far the ray may go. Along a surface
// that is slow; after a while it goes on by some part of what is left, and may then miss a hollow thinner than that. A mesh that is not
// closed has no inside: there the sign may change in mid air, and from there on the sweep knows better.
static double pnMarchOut( const pnForm* form, const pnRay* ray, double length, pnFine3* outward )
{
	enum { careful = 512, hasty = 1024 };
	double at = 0.0, distance = pnMeasureForm( form, ray->from, outward ); // metres on the way, negative inside
	double leastStep = 1e-6 * ( length + sqrt( pnDotFine( ray->from, ray->from ) ) );
	for ( int i = 0; at < length; ++i )
	{
		if ( i == careful )
		{
			double share = ( length - at ) / (double)hasty;
			leastStep = share > leastStep ? share : leastStep;
		}
		double low = at;
		at += -distance > leastStep ? -distance : leastStep;
		at = at < length ? at : length;
		distance = pnMeasureForm( form, pnAlong( ray, at / length ), outward );
		if ( distance < 0.0 )
		{
			continue;
		}
		double high = at, near = distance;
		for ( int k = 0; k < 40 && high - low > 1e-9 * length; ++k )
		{
			double middle = 0.5 * ( low + high );
			pnFine3 there;
			double here = pnMeasureForm( form, pnAlong( ray, middle / length ), &there );
			bool outside = here >= 0.0;
			*outward = outside ? there : *outward;
			near = outside ? here : near;
			low = outside ? low : middle;
			high = outside ? middle : high;
		}
		if ( near <= ( high - low ) + leastStep )
		{
			return high / length;
		}
		pnVec3 met;
		double part = (double)pnFormSweep( form, pnCoarse( pnAlong( ray, high / length ) ), pnCoarse( pnAlong( ray, 1.0 ) ), 0.0f, &met );
		*outward = pnFine( met );
		return part > 1.0 ? 2.0 : high / length + part * ( 1.0 - high / length );
	}
	return 2.0;
}

bool pnCastAtForm( const pnForm* form, pnTransform transform, const pnRay* ray, pnAnswer* answer )
{
	pnPose pose = pnGetPose( transform );
	pnRay local = { pnTurnIn( &pose, pnSubFine( ray->from, pose.origin ) ), pnTurnIn( &pose, ray->way ) };
	pnAABB bounds = pnGetFormBounds( form, pnIdentityTransform() );
	// Only the part near the form: a fraction of that is told to a float's precision. A little more, so that it begins outside.
	pnVec3 extent = pnSub( bounds.upper, bounds.lower );
	double room = 0.01 * (double)( extent.x + extent.y + extent.z ), enter = 0.0, leave = answer->measure < 1.0 ? answer->measure : 1.0;
	if ( !pnClip( &local, bounds, room, &enter, &leave ) )
	{
		return false;
	}
	pnShapeDef def = { 0 };
	pnDescribeForm( form, &def );
	bool convex = def.kind == pn_planeShape || def.kind == pn_sphereShape || def.kind == pn_capsuleShape || def.kind == pn_boxShape || def.kind == pn_hullShape;
	pnRay part = { pnAlong( &local, enter ), pnScaleFine( leave - enter, local.way ) };
	pnFine3 outward, to = pnAlong( &part, 1.0 );
	pnVec3 met = { 0.0f, 0.0f, 0.0f };
	double length = sqrt( pnDotFine( local.way, local.way ) ), way = sqrt( pnDotFine( part.way, part.way ) ), at;
	if ( !( way > 0.0 ) )
	{
		return false;
	}
	if ( pnMeasureForm( form, part.from, &outward ) >= 0.0 )
	{
		at = (double)pnFormSweep( form, pnCoarse( part.from ), pnCoarse( to ), 0.0f, &met );
		outward = pnFine( met );
	}
	else if ( convex )
	{
		// Where the way back from outside would be stopped is where the way out leads through.
		if ( pnMeasureForm( form, to, &outward ) < 0.0 )
		{
			return false;
		}
		double back = (double)pnFormSweep( form, pnCoarse( to ), pnCoarse( part.from ), 0.0f, &met );
		outward = pnFine( met );
		at = back > 1.0 ? 2.0 : 1.0 - back;
	}
	else
	{
		at = pnMarchOut( form, &part, way, &outward );
	}
	if ( at > 1.0 )
	{
		return false;
	}
	double fraction = enter + at * ( leave - enter );
	// Once more from near by: over a long way a float's fraction is centimetres.
	pnFine3 direction;
	double off = pnMeasureForm( form, pnAlong( &local, fraction ), &direction ), rate = pnDotFine( direction, local.way );
	if ( convex && fabs( rate ) > 0.01 * length && fabs( off ) < 1e-6 * way )
	{
		fraction -= off / rate;
		fraction = fraction > 0.0 ? fraction : 0.0;
	}
	if ( !( fraction < answer->measure ) )
	{
		return false;
	}
	double turn = pnDotFine( outward, local.way ) > 0.0 ? -1.0 : 1.0;
	*answer = (pnAnswer){ fraction, -1, -1, pnAlong( ray, fraction ), pnTurnOut( &pose, pnScaleFine( turn, outward ) ) };
	return true;
}

bool pnFindNearestOnForm( const pnForm* form, pnTransform transform, pnVec3 at, pnAnswer* answer, bool* inside )
{
	pnFine3 place = pnFine( at );
	pnPose pose = pnGetPose( transform );
	pnFine3 outward;
	double distance = pnMeasureForm( form, pnTurnIn( &pose, pnSubFine( place, pose.origin ) ), &outward );
	if ( !( fabs( distance ) < answer->measure ) )
	{
		return false;
	}
	*inside = distance < 0.0;
	pnFine3 normal = pnTurnOut( &pose, outward );
	*answer = (pnAnswer){ fabs( distance ), -1, -1, pnSubFine( place, pnScaleFine( distance, normal ) ), normal };
	return true;
}
