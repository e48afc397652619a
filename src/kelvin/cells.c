// cells.c - a cloud of points with normals becomes a surface of flat cells, one around each point. Knows no conditions and no sources.
// The points are first spread evenly by Lloyd's method along the surface; what the surface is between them, a fit to the given points
// and normals says. A cell is what of the tangent plane is nearest to its point; at a crease it ends at the other face's plane.
#include "facets.h"

#include "../base/cloud.h"

#include <math.h>

#define PN_FEWEST_POINTS 24
#define PN_LLOYD_STEPS 10
#define PN_OVERSHOOT 1.6 // of a step: largest over smallest area up to 2.7 on a sphere, 3.7 without (80 random clouds of 500 and 2000 points)
#define PN_SAME_SHEET 0.82 // cosine of 35 degrees: normals nearer than this are of one smooth sheet
#define PN_DISC 2.5 // radius of a cell that nothing bounds, in spacings
#define PN_DISC_CORNERS 12
#define PN_MOST_CORNERS 64
#define PN_FIRST_NEAR 40 // neighbours looked at first: enough for a cell, also between the two sheets of a thin wall
#define PN_MOST_NEAR 320
#define PN_FIT_NEAR 48
#define PN_FIT_USED 8 // with their normals four times as many numbers as are sought; more are farther away, and the quadric is missed
#define PN_COINCIDE 1e-7f // in units of the solid

typedef struct pnCloudWork
{
	pnVec3d *points, *normals; // as given, without those that coincide
	int32_t* groups; // NULL: one group
	int count;
	pnPointTree tree; // of these
	pnVec3d *places, *turns; // of the points now, and their normals
	pnVec3d *nextPlaces, *nextTurns;
	double* rooms; // how far a point may go from where it was given
	pnVec3 *floats, *nowFloats;
} pnCloudWork;

static pnVec3 pnToFloat3( pnVec3d p ) { return pnMakeVec3( (float)p.x, (float)p.y, (float)p.z ); }

// ---- convex polygons in a tangent plane ----

typedef struct pnPatch
{
	double u[PN_MOST_CORNERS], v[PN_MOST_CORNERS];
	int32_t tags[PN_MOST_CORNERS]; // who cut the side that begins here; -1: the disc
	int count;
} pnPatch;

// Keeps a u + b v <= c.
static void pnCutPatch( pnPatch* patch, double a, double b, double c, int32_t tag )
{
	double sides[PN_MOST_CORNERS];
	int outCount = 0;
	for ( int k = 0; k < patch->count; ++k )
	{
		sides[k] = a * patch->u[k] + b * patch->v[k] - c;
		outCount += sides[k] > 0.0;
	}
	if ( outCount == 0 || patch->count + 1 > PN_MOST_CORNERS )
	{
		return;
	}
	pnPatch cut;
	cut.count = 0;
	for ( int k = 0; k < patch->count && outCount < patch->count; ++k )
	{
		int next = k + 1 < patch->count ? k + 1 : 0;
		bool in = sides[k] <= 0.0, nextIn = sides[next] <= 0.0;
		if ( in )
		{
			cut.u[cut.count] = patch->u[k], cut.v[cut.count] = patch->v[k], cut.tags[cut.count++] = patch->tags[k];
		}
		if ( in != nextIn )
		{
			double f = sides[k] / ( sides[k] - sides[next] );
			cut.u[cut.count] = patch->u[k] + f * ( patch->u[next] - patch->u[k] );
			cut.v[cut.count] = patch->v[k] + f * ( patch->v[next] - patch->v[k] );
			cut.tags[cut.count++] = in ? tag : patch->tags[k];
		}
	}
	*patch = cut;
}

static double pnMeasurePatch( const pnPatch* patch, double* centerU, double* centerV, double* reach )
{
	double area = 0.0, u = 0.0, v = 0.0, reach2 = 0.0;
	for ( int k = 0; k < patch->count; ++k )
	{
		int next = k + 1 < patch->count ? k + 1 : 0;
		double cross = patch->u[k] * patch->v[next] - patch->v[k] * patch->u[next];
		area += cross;
		u += cross * ( patch->u[k] + patch->u[next] ), v += cross * ( patch->v[k] + patch->v[next] );
		reach2 = fmax( reach2, patch->u[k] * patch->u[k] + patch->v[k] * patch->v[k] );
	}
	*centerU = area > 0.0 ? u / ( 3.0 * area ) : 0.0;
	*centerV = area > 0.0 ? v / ( 3.0 * area ) : 0.0;
	*reach = sqrt( reach2 );
	return 0.5 * area;
}

// How far a place is outside of a polygon; 0 inside.
static double pnGetOutside( const pnPatch* patch, double u, double v )
{
	double outside = 0.0;
	for ( int k = 0; k < patch->count; ++k )
	{
		int next = k + 1 < patch->count ? k + 1 : 0;
		double du = patch->u[next] - patch->u[k], dv = patch->v[next] - patch->v[k], length = sqrt( du * du + dv * dv );
		outside = length > 0.0 ? fmax( outside, ( dv * ( u - patch->u[k] ) - du * ( v - patch->v[k] ) ) / length ) : outside;
	}
	return outside;
}

// ---- cells ----

// On a circle through both the chord leans against the normals equally: d (n + m) is 0. A step between two parallel faces is seen by this.
static bool pnIsOneSheet( pnVec3d n, pnVec3d m, pnVec3d d )
{
	double lean = pnDotD( d, pnAddD( n, m ) );
	return pnDotD( n, m ) > PN_SAME_SHEET && lean * lean <= 0.25 * pnDotD( d, d );
}

// What a cell is made from: the point, its neighbours, and how far apart they are here.
typedef struct pnAround
{
	pnVec3d place, normal, s, t;
	double spacing, disc; // disc: radius within which a cell is sought
	int32_t found[PN_MOST_NEAR];
	double distances2[PN_MOST_NEAR];
	int count;
} pnAround;

// From the room the nearest eight take with the point itself: nine cells. Those behind a thin wall are no neighbours.
// On a strip narrower than that, others of the same sheet are farther away: the disc reaches for two of them.
static void pnFindCellSpacing( const pnCloudWork* w, pnAround* a, int self )
{
	double distance2 = 0.0, sheet2 = 0.0;
	int count = 0, sheetCount = 0;
	for ( int i = 0; i < a->count && ( count < 8 || sheetCount < 2 ); ++i )
	{
		int32_t other = a->found[i];
		if ( other == self )
		{
			continue;
		}
		if ( count < 8 && pnDotD( w->turns[other], a->normal ) > -0.5 )
		{
			distance2 = a->distances2[i];
			count += 1;
		}
		if ( sheetCount < 2 && pnIsOneSheet( a->normal, w->turns[other], pnSubD( w->places[other], a->place ) ) )
		{
			sheet2 = a->distances2[i];
			sheetCount += 1;
		}
	}
	a->spacing = sqrt( 3.14159265358979323846 * distance2 / ( count + 1 ) );
	a->disc = fmax( PN_DISC * a->spacing, sqrt( sheet2 ) );
}

// The line in which another face's plane meets this tangent plane, as a cut: a u + b v <= c; and its place nearest to the other point.
typedef struct pnCrease
{
	double a, b, c, u, v;
	int32_t other;
	bool used;
} pnCrease;

static bool pnFindCrease( const pnCloudWork* w, const pnAround* around, int32_t other, pnCrease* crease )
{
	double h = around->spacing;
	pnVec3d m = w->turns[other], d = pnSubD( w->places[other], around->place );
	double above = -pnDotD( d, m ), otherAbove = pnDotD( d, around->normal ); // each over the other's plane
	double a = pnDotD( around->s, m ), b = pnDotD( around->t, m ), sine = sqrt( a * a + b * b );
	// Convex: both below. Concave: both above. A point that went a little too far is told by the other.
	bool agree = above * otherAbove > 0.0;
	if ( sine < 0.05 || ( !agree && fabs( above ) > 0.15 * h ) || ( !agree && otherAbove == 0.0 ) )
	{
		return false;
	}
	double sign = ( agree ? above : otherAbove ) < 0.0 ? 1.0 : -1.0;
	*crease = (pnCrease){ .a = sign * a / sine, .b = sign * b / sine, .c = -sign * above / sine, .other = other };
	if ( crease->c > around->disc )
	{
		return false;
	}
	double du = pnDotD( d, around->s ), dv = pnDotD( d, around->t ), along = crease->a * dv - crease->b * du;
	crease->u = crease->c * crease->a - along * crease->b, crease->v = crease->c * crease->b + along * crease->a;
	pnVec3d foot = pnMulAddD( pnMulAddD( around->place, crease->u, around->s ), crease->v, around->t ), back = pnSubD( foot, w->places[other] );
	double reach2 = pnDotD( back, back );
	if ( reach2 > PN_DISC * PN_DISC * h * h )
	{
		return false;
	}
	for ( int i = 0; i < around->count; ++i )
	{
		int32_t k = around->found[i];
		pnVec3d fromPlace = pnSubD( w->places[k], around->place ), fromFoot = pnSubD( w->places[k], foot );
		double foot2 = pnDotD( fromFoot, fromFoot );
		// this sheet goes on beyond: no crease
		if ( foot2 < 1.44 * h * h && pnIsOneSheet( around->normal, w->turns[k], fromPlace ) )
		{
			double ku = pnDotD( fromPlace, around->s ), kv = pnDotD( fromPlace, around->t );
			double beyond = crease->a * ku + crease->b * kv - crease->c, aside = fabs( crease->a * ( kv - crease->v ) - crease->b * ( ku - crease->u ) );
			if ( beyond > 0.25 * h + 0.3 * aside )
			{
				return false;
			}
		}
		// the back of a wall is between
		if ( foot2 < 0.98 * reach2 && pnDotD( w->turns[k], around->normal ) < -0.5 && pnDotD( w->turns[k], m ) < PN_SAME_SHEET )
		{
			return false;
		}
	}
	return true;
}

static void pnCutAtCreases( const pnCloudWork* w, const pnAround* around, int self, pnPatch* patch )
{
	pnCrease creases[PN_FIRST_NEAR];
	int count = 0;
	for ( int i = 0; i < around->count && count < PN_FIRST_NEAR; ++i )
	{
		int32_t other = around->found[i];
		if ( other != self && pnDotD( w->turns[other], around->normal ) < PN_SAME_SHEET && pnFindCrease( w, around, other, creases + count ) )
		{
			count += 1;
		}
	}
	// First where the other point is right across: round a hole the planes of those farther along would cut too much. From afar only
	// where nobody else is across, and where none of this sheet bounds the cell beyond: there the crease has ended.
	for ( ;; )
	{
		double least = 6.0 * around->spacing;
		int best = -1;
		for ( int i = 0; i < count; ++i )
		{
			double outside = creases[i].used ? 1e300 : pnGetOutside( patch, creases[i].u, creases[i].v );
			if ( outside >= least )
			{
				continue;
			}
			bool barred = false;
			for ( int k = 0; k < count && outside > 0.1 * around->spacing && !barred; ++k )
			{
				barred = creases[k].used && pnDotD( w->turns[creases[k].other], w->turns[creases[i].other] ) > PN_SAME_SHEET;
			}
			for ( int k = 0; k < patch->count && outside > 0.5 * around->spacing && !barred; ++k )
			{
				pnVec3d d = pnSubD( w->places[patch->tags[k] >= 0 ? patch->tags[k] : self], around->place );
				double beyond = creases[i].a * pnDotD( d, around->s ) + creases[i].b * pnDotD( d, around->t ) - creases[i].c;
				barred = patch->tags[k] >= 0 && beyond > 0.1 * around->spacing && pnIsOneSheet( around->normal, w->turns[patch->tags[k]], d );
			}
			if ( !barred )
			{
				least = outside, best = i;
			}
		}
		if ( best < 0 )
		{
			return;
		}
		creases[best].used = true;
		pnCutPatch( patch, creases[best].a, creases[best].b, creases[best].c, creases[best].other );
	}
}

// The cell of a point, in the frame of `around`.
static void pnMakePatch( const pnCloudWork* w, const pnPointTree* tree, int self, pnAround* around, pnPatch* patch )
{
	around->place = w->places[self];
	around->normal = w->turns[self];
	pnMakeFrameD( around->normal, &around->s, &around->t );
	for ( int wanted = PN_FIRST_NEAR;; wanted *= 2 )
	{
		around->count = pnFindNearest( tree, pnToFloat3( around->place ), wanted, around->found, around->distances2 );
		pnFindCellSpacing( w, around, self );
		patch->count = PN_DISC_CORNERS;
		for ( int k = 0; k < PN_DISC_CORNERS; ++k )
		{
			double angle = 2.0 * 3.14159265358979323846 / PN_DISC_CORNERS * k;
			patch->u[k] = around->disc * cos( angle ), patch->v[k] = around->disc * sin( angle );
			patch->tags[k] = -1;
		}
		for ( int i = 0; i < around->count; ++i )
		{
			int32_t other = around->found[i];
			pnVec3d d = pnSubD( w->places[other], around->place );
			if ( other != self && pnIsOneSheet( around->normal, w->turns[other], d ) )
			{
				pnCutPatch( patch, pnDotD( d, around->s ), pnDotD( d, around->t ), 0.5 * pnDotD( d, d ), other );
			}
		}
		pnCutAtCreases( w, around, self, patch );
		// Complete if whatever cuts a corner would have been found.
		double u, v, reach;
		pnMeasurePatch( patch, &u, &v, &reach );
		if ( around->count < wanted || 2 * wanted > PN_MOST_NEAR || 4.0 * reach * reach <= around->distances2[around->count - 1] )
		{
			return;
		}
	}
}

// ---- the surface between the points ----

// Solves the symmetric positive system of six in place by Cholesky. False: not positive.
static bool pnSolveSix( double A[6][6], double b[6] )
{
	for ( int i = 0; i < 6; ++i )
	{
		for ( int j = 0; j <= i; ++j )
		{
			double sum = A[i][j];
			for ( int k = 0; k < j; ++k )
			{
				sum -= A[i][k] * A[j][k];
			}
			if ( i == j && !( sum > 0.0 ) )
			{
				return false;
			}
			A[i][j] = i == j ? sqrt( sum ) : sum / A[j][j];
		}
		for ( int k = 0; k < i; ++k )
		{
			b[i] -= A[i][k] * b[k];
		}
		b[i] /= A[i][i];
	}
	for ( int i = 5; i >= 0; --i )
	{
		for ( int k = i + 1; k < 6; ++k )
		{
			b[i] -= A[k][i] * b[k];
		}
		b[i] /= A[i][i];
	}
	return true;
}

static void pnAddRow( double A[6][6], double b[6], const double row[6], double value, double weight )
{
	for ( int i = 0; i < 6; ++i )
	{
		for ( int j = 0; j < 6; ++j )
		{
			A[i][j] += weight * row[i] * row[j];
		}
		b[i] += weight * row[i] * value;
	}
}

// Over a crease, a sheet ends where the other one begins: past it one is above the other's plane, and the other below.
static bool pnIsPastCrease( pnVec3d place, pnVec3d normal, pnVec3d other, pnVec3d otherNormal, double room )
{
	pnVec3d d = pnSubD( other, place );
	double above = -pnDotD( d, otherNormal ), otherAbove = pnDotD( d, normal );
	return fabs( above ) > 0.05 * room && above * otherAbove < 0.0;
}

// Moves a place onto the surface of the given points that look as `normal` does, and turns the normal with it: the height over the
// mean plane is fitted by a quadric, to the heights and to the slopes. from: where the normal is of. False: it would leave its sheet.
static bool pnDropOnSurface( const pnCloudWork* w, pnVec3d from, double spacing, double most, pnVec3d* place, pnVec3d* normal, int32_t* nearest )
{
	int32_t found[PN_FIT_NEAR], used[PN_FIT_USED];
	double distances2[PN_FIT_NEAR], last2 = 0.0;
	int count = pnFindNearest( &w->tree, pnToFloat3( *place ), PN_FIT_NEAR, found, distances2 ), usedCount = 0;
	bool crossed = false; // with the nearest one of another face
	pnVec3d mean = pnMakeD( 0.0, 0.0, 0.0 );
	for ( int i = 0; i < count && usedCount < PN_FIT_USED; ++i )
	{
		if ( pnIsOneSheet( *normal, w->normals[found[i]], pnSubD( w->points[found[i]], from ) ) )
		{
			used[usedCount++] = found[i];
			last2 = distances2[i];
		}
	}
	for ( int i = 0; i < count && !crossed; ++i )
	{
		double cosine = pnDotD( w->normals[found[i]], *normal );
		if ( cosine < PN_SAME_SHEET && cosine > -0.5 )
		{
			crossed = true;
			if ( pnIsPastCrease( *place, *normal, w->points[found[i]], w->normals[found[i]], spacing ) )
			{
				return false;
			}
		}
	}
	pnVec3d toFirst = usedCount > 0 ? pnSubD( w->points[used[0]], *place ) : mean;
	if ( usedCount == 0 || pnDotD( toFirst, toFirst ) > most * most )
	{
		return false;
	}
	*nearest = used[0];
	if ( usedCount < 3 )
	{
		*normal = w->normals[used[0]];
		*place = pnMulAddD( *place, pnDotD( toFirst, *normal ), *normal );
		return true;
	}
	double radius2 = 1.5 * last2, weights[PN_FIT_USED], size2 = 0.25 * last2;
	for ( int i = 0; i < usedCount; ++i )
	{
		pnVec3d d = pnSubD( w->points[used[i]], *place );
		double f = fmax( 1.0 - pnDotD( d, d ) / radius2, 0.0 );
		weights[i] = f * f * f * f;
		mean = pnMulAddD( mean, weights[i], w->normals[used[i]] );
	}
	pnVec3d m = pnUnitD( mean ), s, t;
	pnMakeFrameD( m, &s, &t );
	double A[6][6] = { { 0.0 } }, b[6] = { 0.0 }, scale = 1.0 / sqrt( size2 ); // in units in which the samples are about 1 away
	for ( int i = 0; i < usedCount; ++i )
	{
		pnVec3d d = pnScaleD( scale, pnSubD( w->points[used[i]], *place ) ), k = w->normals[used[i]];
		double u = pnDotD( d, s ), v = pnDotD( d, t ), up = pnDotD( k, m );
		if ( up < 0.3 )
		{
			continue;
		}
		pnAddRow( A, b, (double[6]){ 1.0, u, v, 0.5 * u * u, u * v, 0.5 * v * v }, pnDotD( d, m ), weights[i] );
		pnAddRow( A, b, (double[6]){ 0.0, 1.0, 0.0, u, v, 0.0 }, -pnDotD( k, s ) / up, 0.5 * weights[i] );
		pnAddRow( A, b, (double[6]){ 0.0, 0.0, 1.0, 0.0, u, v }, -pnDotD( k, t ) / up, 0.5 * weights[i] );
	}
	double small = 1e-9 * ( A[0][0] + 1e-300 ); // flat where the samples do not say
	for ( int i = 3; i < 6; ++i )
	{
		A[i][i] += small;
	}
	if ( !pnSolveSix( A, b ) )
	{
		return false;
	}
	*place = pnMulAddD( *place, b[0] / scale, m );
	*normal = pnUnitD( pnMulAddD( pnMulAddD( m, -b[1], s ), -b[2], t ) );
	return true;
}

// ---- relaxing ----

static bool pnRelaxOnce( pnCloudWork* w )
{
	pnScratch scratch = { 0 };
	pnPointTree tree;
	pnAround around;
	pnPatch patch;
	for ( int i = 0; i < w->count; ++i )
	{
		w->nowFloats[i] = pnToFloat3( w->places[i] );
	}
	bool done = pnBuildPointTree( &tree, w->nowFloats, NULL, w->count, &scratch );
	for ( int i = 0; i < w->count && done; ++i )
	{
		double u, v, reach;
		pnMakePatch( w, &tree, i, &around, &patch );
		pnMeasurePatch( &patch, &u, &v, &reach );
		w->rooms[i] = w->rooms[i] > 0.0 ? w->rooms[i] : around.spacing; // where it was given
		double room = 1e300;
		for ( int k = 0; k < patch.count; ++k )
		{
			bool atBorder = w->groups != NULL && patch.tags[k] >= 0 && w->groups[patch.tags[k]] != w->groups[i];
			double most = patch.tags[k] < 0 ? 0.5 * w->rooms[i] : atBorder ? 0.5 * w->rooms[i] : 1e300; // where nothing bounds it, it may be led astray
			room = most < room ? most : room;
		}
		w->nextPlaces[i] = around.place;
		w->nextTurns[i] = around.normal;
		bool moved = false;
		for ( double f = PN_OVERSHOOT; f > 0.3 && !moved; f *= 0.5 )
		{
			pnVec3d place = pnMulAddD( pnMulAddD( around.place, f * u, around.s ), f * v, around.t ), normal = around.normal;
			pnVec3d way = pnSubD( place, w->points[i] );
			double length = pnLengthD( way );
			place = length > room ? pnMulAddD( w->points[i], room / length, way ) : place;
			int32_t nearest = i;
			moved = pnDropOnSurface( w, around.place, around.spacing, 0.6 * around.disc, &place, &normal, &nearest );
			moved = moved && ( w->groups == NULL || w->groups[nearest] == w->groups[i] ); // each stays on its own ground
			w->nextPlaces[i] = moved ? place : around.place;
			w->nextTurns[i] = moved ? normal : around.normal;
		}
	}
	if ( done )
	{
		memcpy( w->places, w->nextPlaces, (size_t)w->count * sizeof( pnVec3d ) );
		memcpy( w->turns, w->nextTurns, (size_t)w->count * sizeof( pnVec3d ) );
	}
	pnGiveBack( &scratch );
	return done;
}

static bool pnKeepPatch( const pnAround* around, const pnPatch* patch, int group, pnFacets* facets )
{
	pnVec3d corners[PN_MOST_CORNERS];
	int count = 0;
	for ( int k = 0; k < patch->count; ++k )
	{
		int before = k > 0 ? k - 1 : patch->count - 1;
		double du = patch->u[k] - patch->u[before], dv = patch->v[k] - patch->v[before];
		if ( du * du + dv * dv > 1e-16 * around->spacing * around->spacing ) // sides without length are left out
		{
			corners[count++] = pnMulAddD( pnMulAddD( around->place, patch->u[k], around->s ), patch->v[k], around->t );
		}
	}
	return count < 3 || pnAddFacet( facets, corners, count, group );
}

static bool pnKeepCells( const pnCloudWork* w, pnFacets* facets, double* gap )
{
	pnScratch scratch = { 0 };
	pnPointTree tree;
	pnAround around;
	pnPatch patch;
	double total = 0.0, open = 0.0;
	pnVec3d sum = pnMakeD( 0.0, 0.0, 0.0 );
	for ( int i = 0; i < w->count; ++i )
	{
		w->nowFloats[i] = pnToFloat3( w->places[i] );
	}
	bool done = pnBuildPointTree( &tree, w->nowFloats, NULL, w->count, &scratch );
	for ( int i = 0; i < w->count && done; ++i )
	{
		double u, v, reach;
		pnMakePatch( w, &tree, i, &around, &patch );
		double area = pnMeasurePatch( &patch, &u, &v, &reach );
		bool isOpen = false;
		for ( int k = 0; k < patch.count; ++k )
		{
			isOpen = isOpen || patch.tags[k] < 0;
		}
		total += area;
		open += isOpen ? area : 0.0;
		sum = pnMulAddD( sum, area, around.normal );
		done = pnKeepPatch( &around, &patch, w->groups != NULL ? w->groups[i] : 0, facets );
	}
	*gap = total > 0.0 ? ( pnLengthD( sum ) + open ) / total : 1.0;
	pnGiveBack( &scratch );
	return done;
}

// ---- what is given ----

static bool pnCheckCloud( const pnVec3d* points, const pnVec3d* normals, int count )
{
	if ( count < PN_FEWEST_POINTS )
	{
		pnLog( "%d points are too few for a cloud: it takes at least %d", count, PN_FEWEST_POINTS );
		return false;
	}
	for ( int i = 0; i < count; ++i )
	{
		if ( !pnIsFinite3D( points[i] ) || !pnIsFinite3D( normals[i] ) )
		{
			pnLog( "point %d or its normal is not finite", i );
			return false;
		}
		double length = pnLengthD( normals[i] );
		if ( fabs( length - 1.0 ) > 1e-3 )
		{
			pnLog( "the normal of point %d has the length %g, not 1", i, length );
			return false;
		}
	}
	return true;
}

// Without those that are where another one is that looks the same way: at creases a place may be given once for each face.
static bool pnTakeCloud( pnCloudWork* w, const pnVec3d* points, const pnVec3d* normals, const int32_t* groups, int count )
{
	pnScratch scratch = { 0 };
	int32_t* lowest = pnTakeRawArray( &scratch, int32_t, count );
	int32_t* heads = pnTakeArray( &scratch, int32_t, count ); // kept ones in one place, plus 1; 0 ends
	int32_t* nexts = pnTakeArray( &scratch, int32_t, count );
	for ( int i = 0; i < count; ++i )
	{
		w->floats[i] = pnToFloat3( points[i] );
	}
	bool done = !scratch.failed && pnWeldPoints( w->floats, count, (double)PN_COINCIDE, lowest );
	for ( int i = 0; i < count && done; ++i )
	{
		bool known = false;
		for ( int32_t at = heads[lowest[i]]; at != 0 && !known; at = nexts[at - 1] )
		{
			known = pnDotD( w->normals[at - 1], normals[i] ) > PN_SAME_SHEET;
		}
		if ( known )
		{
			continue;
		}
		int k = w->count++;
		nexts[k] = heads[lowest[i]], heads[lowest[i]] = k + 1;
		w->points[k] = w->places[k] = points[i];
		w->normals[k] = w->turns[k] = pnUnitD( normals[i] );
		w->floats[k] = w->floats[i];
		if ( groups != NULL )
		{
			w->groups[k] = groups[i];
		}
	}
	pnGiveBack( &scratch );
	return done;
}

pnResult pnMakeCloudFacets( const pnVec3d* points, const pnVec3d* normals, const int32_t* groups, int count, pnFacets* facets, double* gap )
{
	*facets = (pnFacets){ 0 };
	*gap = 1.0;
	if ( !pnCheckCloud( points, normals, count ) )
	{
		return pn_invalidInput;
	}
	pnScratch scratch = { 0 };
	pnCloudWork w = { 0 };
	w.points = pnTakeRawArray( &scratch, pnVec3d, count );
	w.normals = pnTakeRawArray( &scratch, pnVec3d, count );
	w.groups = groups != NULL ? pnTakeRawArray( &scratch, int32_t, count ) : NULL;
	w.places = pnTakeRawArray( &scratch, pnVec3d, count );
	w.turns = pnTakeRawArray( &scratch, pnVec3d, count );
	w.nextPlaces = pnTakeRawArray( &scratch, pnVec3d, count );
	w.nextTurns = pnTakeRawArray( &scratch, pnVec3d, count );
	w.rooms = pnTakeArray( &scratch, double, count );
	w.floats = pnTakeRawArray( &scratch, pnVec3, count );
	w.nowFloats = pnTakeRawArray( &scratch, pnVec3, count );
	pnResult result = scratch.failed || !pnTakeCloud( &w, points, normals, groups, count ) ? pn_outOfMemory : pn_success;
	if ( result == pn_success && w.count < PN_FEWEST_POINTS )
	{
		pnLog( "only %d of %d points are in places of their own: it takes at least %d", w.count, count, PN_FEWEST_POINTS );
		result = pn_invalidInput;
	}
	if ( result == pn_success && !pnBuildPointTree( &w.tree, w.floats, NULL, w.count, &scratch ) )
	{
		result = pn_outOfMemory;
	}
	for ( int step = 0; step < PN_LLOYD_STEPS && result == pn_success; ++step )
	{
		result = pnRelaxOnce( &w ) ? pn_success : pn_outOfMemory;
	}
	pnFacets made = { 0 };
	if ( result == pn_success )
	{
		result = pnKeepCells( &w, &made, gap ) ? pn_success : pn_outOfMemory;
	}
	if ( result == pn_success && made.count < 4 )
	{
		pnLog( "the cloud's cells have no area" );
		result = pn_invalidInput;
	}
	if ( result != pn_success )
	{
		pnDestroyFacets( &made );
		*gap = 1.0;
	}
	*facets = made;
	pnGiveBack( &scratch );
	return result;
}
