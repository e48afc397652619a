// thin.c - fewer places on finely meshed surfaces, with areas for which sums stay right. Knows no elasticity.
#include "collocation.h"

#include "../base/cloud.h"

#include <lapacke.h>

enum
{
	PN_FIELDS = 6, // 1, x, y, xx, xy, yy in the tangent plane
	PN_MATES = 12, // places that an area is dealt to
	PN_LOOKED_AT = 32,
	PN_MOST_NEAR = 64,
	PN_MOST_ROUNDS = 4,
};
static const double pn_sameSideCosine = 0.5; // of normals: beyond it is another side of an edge or of a thin part
static const double pn_leastShare = 0.3; // of what is nearest to a place: with less area it is dropped
static const double pn_mostDealt = 2.0; // of an area to one place

static bool pnAreOfOneSide( const pnCollocationPoint* a, const pnFine* x, const pnCollocationPoint* b, const pnFine* y )
{
	return x->kind == y->kind && pnDotD( a->n, b->n ) > pn_sameSideCosine;
}

// Shares of the mates for which polynomials of second degree over the tangent plane of a place are as there. The smallest shares that do so;
// 3 fields: of first degree. False: the mates do not determine them, or only with large shares of both signs.
static bool pnFindShares( const pnCollocationPoint* point, const pnCollocationPoint* points, const int32_t* mates, int count, int fields, double radius, double* shares )
{
	double rows[PN_MATES][PN_FIELDS], weights[PN_MATES], matrix[PN_FIELDS * PN_FIELDS] = { 0.0 }, side[PN_FIELDS] = { 1.0 };
	pnVec3d a, b;
	pnMakeFrameD( point->n, &a, &b );
	for ( int k = 0; k < count; ++k )
	{
		pnVec3d d = pnScaleD( 1.0 / radius, pnSubD( points[mates[k]].x, point->x ) );
		double x = pnDotD( d, a ), y = pnDotD( d, b );
		double row[PN_FIELDS] = { 1.0, x, y, x * x, x * y, y * y };
		weights[k] = 1.0 / ( pnDotD( d, d ) + 0.1 );
		memcpy( rows[k], row, sizeof( row ) );
		for ( int i = 0; i < fields; ++i )
		{
			for ( int j = i; j < fields; ++j )
			{
				matrix[i * fields + j] += weights[k] * row[i] * row[j];
			}
		}
	}
	for ( int i = 0; i < fields; ++i )
	{
		matrix[i * ( fields + 1 )] *= 1.0 + 1e-12;
	}
	if ( LAPACKE_dpotrf_work( LAPACK_COL_MAJOR, 'L', fields, matrix, fields ) != 0 || LAPACKE_dpotrs_work( LAPACK_COL_MAJOR, 'L', fields, 1, matrix, fields, side, fields ) != 0 )
	{
		return false;
	}
	double missed = -1.0;
	bool small = true;
	for ( int k = 0; k < count; ++k )
	{
		shares[k] = 0.0;
		for ( int i = 0; i < fields; ++i )
		{
			shares[k] += weights[k] * rows[k][i] * side[i];
		}
		missed += shares[k];
		small = small && fabs( shares[k] ) < pn_mostDealt;
	}
	return small && fabs( missed ) < 1e-6;
}

// Deals the area of one place to those that stay.
static void pnDealArea( const pnCollocationPoints* points, const pnFine* fine, const pnPointTree* tree, int q, pnVec3d* areas, double* nearest )
{
	const pnCollocationPoint* point = points->points + q;
	int32_t found[PN_LOOKED_AT], mates[PN_MATES];
	double distances2[PN_LOOKED_AT], shares[PN_MATES] = { 1.0 };
	int foundCount = pnFindNearest( tree, pnMakeVec3( (float)point->x.x, (float)point->x.y, (float)point->x.z ), PN_LOOKED_AT, found, distances2 ), count = 0;
	for ( int k = 0; k < foundCount && count < PN_MATES; ++k )
	{
		if ( pnAreOfOneSide( point, fine + q, points->points + found[k], fine + found[k] ) )
		{
			mates[count++] = found[k];
		}
	}
	pnVec3d area = pnScaleD( point->w, point->n );
	int first = count > 0 ? mates[0] : found[0];
	nearest[first] += point->w;
	if ( first == q || ( ( count < PN_FIELDS + 2 || pnFindShares( point, points->points, mates, count, PN_FIELDS, fine[q].radius, shares ) == false ) &&
						 ( count < 4 || pnFindShares( point, points->points, mates, count, 3, fine[q].radius, shares ) == false ) ) )
	{
		areas[first] = pnAddD( areas[first], area );
		return;
	}
	for ( int k = 0; k < count; ++k )
	{
		areas[mates[k]] = pnMulAddD( areas[mates[k]], shares[k], area );
	}
}

pnResult pnThinCollocationPoints( pnCollocationPoints* points, const pnFine* fine )
{
	int count = points->count, keptCount = 0;
	pnScratch scratch = { 0 };
	pnVec3* places = pnTakeArray( &scratch, pnVec3, count + 1 );
	int32_t* stay = pnTakeArray( &scratch, int32_t, count + 1 );
	uint8_t* kept = pnTakeArray( &scratch, uint8_t, count + 1 ); // 1: stays, 2: goes
	pnVec3d* areas = pnTakeArray( &scratch, pnVec3d, count + 1 );
	double* nearest = pnTakeArray( &scratch, double, count + 1 );
	pnPointTree tree;
	bool any = false, done = scratch.failed == false;
	for ( int q = 0; q < count && done; ++q )
	{
		pnVec3d x = points->points[q].x;
		places[q] = pnMakeVec3( (float)x.x, (float)x.y, (float)x.z );
		any = any || fine[q].radius > 0.0;
	}
	done = done && ( any == false || pnBuildPointTree( &tree, places, NULL, count, &scratch ) );
	// One after another those that are not near to one that stays.
	for ( int q = 0; q < count && done && any; ++q )
	{
		double radius = fine[q].radius;
		if ( kept[q] != 0 || radius == 0.0 )
		{
			continue;
		}
		kept[q] = 1;
		int32_t near[PN_MOST_NEAR];
		double distances2[PN_MOST_NEAR];
		int nearCount = pnFindNearestWithin( &tree, places[q], radius * radius, PN_MOST_NEAR, near, distances2 );
		for ( int k = 0; k < nearCount; ++k )
		{
			int other = near[k];
			bool goes = kept[other] == 0 && fine[other].radius > 0.0 && pnAreOfOneSide( points->points + q, fine + q, points->points + other, fine + other );
			kept[other] = goes ? 2 : kept[other];
		}
	}
	for ( int round = 0; round < PN_MOST_ROUNDS && done && any; ++round )
	{
		keptCount = 0;
		for ( int q = 0; q < count; ++q )
		{
			stay[keptCount] = q;
			keptCount += kept[q] == 1;
		}
		int dropped = 0;
		memset( areas, 0, (size_t)count * sizeof( pnVec3d ) );
		memset( nearest, 0, (size_t)count * sizeof( double ) );
		done = pnBuildPointTree( &tree, places, stay, keptCount, &scratch );
		for ( int q = 0; q < count && done; ++q )
		{
			if ( fine[q].radius > 0.0 )
			{
				pnDealArea( points, fine, &tree, q, areas, nearest );
			}
		}
		for ( int q = 0; q < count && done; ++q )
		{
			if ( kept[q] == 1 && pnDotD( areas[q], points->points[q].n ) < pn_leastShare * nearest[q] )
			{
				kept[q] = 2;
				++dropped;
			}
		}
		if ( dropped == 0 )
		{
			int left = 0;
			for ( int q = 0; q < count; ++q )
			{
				pnCollocationPoint point = points->points[q];
				if ( fine[q].radius > 0.0 )
				{
					point.w = kept[q] == 1 ? pnLengthD( areas[q] ) : 0.0;
					point.n = kept[q] == 1 ? pnUnitD( areas[q] ) : point.n;
				}
				if ( point.w > 0.0 )
				{
					points->points[left++] = point;
				}
			}
			points->count = left;
			break;
		}
	}
	pnGiveBack( &scratch );
	return done ? pn_success : pn_outOfMemory;
}
