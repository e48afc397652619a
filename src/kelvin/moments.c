// moments.c - loads that are given as fields, by their integrals over each piece of the surface. Knows no sources and no matrices.
//
// The work of a load is a sum over collocation points. Where a field is narrow beside a piece, or the loads of a long part nearly cancel, samples
// at the points miss its force and torque by what bends the part more than the load does, and no number of sources shows it. So a piece gets what
// is missing: with three points sums of the load times any polynomial of first degree are its integrals, with seven of second degree.
#include "bind.h"

#include "../base/core.h"

enum
{
	PN_MOMENTS = 6, // polynomials of second degree on a triangle
	PN_PIECE_POINTS = 7,
	PN_MOST_QUARTERINGS = 5, // of a piece: fields narrower than a thirtieth of it may be missed
};
// A piece's integrals are exact to this share of the load on it. Tip loads of a bar 1 to 40 bend it some thousand times as far as they press it.
static const double pn_momentError = 1e-6;

// Barycentric places and weights of Radon's rule, of fifth degree.
static void pnGetRule( double places[PN_PIECE_POINTS][3], double weights[PN_PIECE_POINTS] )
{
	for ( int i = 0; i < PN_PIECE_POINTS; ++i )
	{
		double root = i == 0 ? 0.0 : i <= 3 ? sqrt( 15.0 ) : -sqrt( 15.0 ), along = i == 0 ? 0.0 : ( 1.0 + root ) / 7.0;
		weights[i] = i == 0 ? 0.225 : ( 155.0 - root ) / 1200.0;
		for ( int k = 0; k < 3; ++k )
		{
			places[i][k] = ( 1.0 - along ) / 3.0 + ( i > 0 && ( i - 1 ) % 3 == k ? along : 0.0 );
		}
	}
}

typedef struct pnMomentBasis
{
	double places[PN_PIECE_POINTS][3], weights[PN_PIECE_POINTS];
	double coefficients[PN_MOMENTS][PN_MOMENTS]; // of 1, x, y, x^2, xy, y^2 of the first two barycentric places: the mean of the product of two is 1 or 0
} pnMomentBasis;

static void pnGetPowers( const double place[3], double powers[PN_MOMENTS] )
{
	double x = place[0], y = place[1];
	double all[PN_MOMENTS] = { 1.0, x, y, x * x, x * y, y * y };
	memcpy( powers, all, sizeof( all ) );
}

static void pnGetMomentRow( const pnMomentBasis* basis, const double place[3], double row[PN_MOMENTS] )
{
	double powers[PN_MOMENTS];
	pnGetPowers( place, powers );
	for ( int f = 0; f < PN_MOMENTS; ++f )
	{
		row[f] = 0.0;
		for ( int k = 0; k <= f; ++k )
		{
			row[f] += basis->coefficients[f][k] * powers[k];
		}
	}
}

// Gram and Schmidt, twice: products of second degrees are of fourth, and the rule is exact for them.
static void pnMakeMomentBasis( pnMomentBasis* basis )
{
	pnGetRule( basis->places, basis->weights );
	memset( basis->coefficients, 0, sizeof( basis->coefficients ) );
	for ( int f = 0; f < PN_MOMENTS; ++f )
	{
		basis->coefficients[f][f] = 1.0;
		for ( int g = 0; g < 2 * f + 1; ++g )
		{
			int other = g < f ? g : g < 2 * f ? g - f : f;
			double product = 0.0;
			for ( int i = 0; i < PN_PIECE_POINTS; ++i )
			{
				double row[PN_MOMENTS];
				pnGetMomentRow( basis, basis->places[i], row );
				product += basis->weights[i] * row[f] * row[other];
			}
			for ( int k = 0; k <= f; ++k )
			{
				double* c = &basis->coefficients[f][k];
				*c = other == f ? *c / sqrt( product ) : *c - product * basis->coefficients[other][k];
			}
		}
	}
}

typedef struct pnLoadField
{
	const pnCondition* conditions;
	int conditionCount;
	const pnUnits* units;
	const pnMomentBasis* basis;
	const pnVec3d* corners;
	pnVec3d normal;
	uint8_t* in; // of each condition: whether it acts on the piece as a field
	bool finite;
} pnLoadField;

// Means over a piece, or part of it.
typedef struct pnMoments
{
	pnVec3d of[PN_MOMENTS]; // of the load times each polynomial
	double size, size2; // of its length, and of the square
} pnMoments;

static pnVec3d pnGetLoad( pnLoadField* field, pnVec3d place )
{
	pnVec3d sum = { 0.0, 0.0, 0.0 }, user = pnToUser( field->units, place );
	for ( int i = 0; i < field->conditionCount; ++i )
	{
		const pnCondition* c = field->conditions + i;
		if ( field->in[i] )
		{
			pnVec3d v = c->field( user, field->normal, c->fieldContext );
			if ( c->kind == pn_springCondition )
			{
				v = pnMakeD( c->axes & 1 ? c->stiffness * v.x : 0.0, c->axes & 2 ? c->stiffness * v.y : 0.0, c->axes & 4 ? c->stiffness * v.z : 0.0 );
			}
			sum = pnAddD( sum, v );
		}
	}
	field->finite = field->finite && pnIsFinite3D( sum );
	return pnScaleD( 1.0 / field->units->modulus, sum );
}

// By the rule on a part of the piece; corners are barycentric. share: of the piece's area.
static pnMoments pnSumPart( pnLoadField* field, const double corners[3][3], double share )
{
	const pnMomentBasis* basis = field->basis;
	pnMoments moments = { 0 };
	for ( int i = 0; i < PN_PIECE_POINTS; ++i )
	{
		double at[3] = { 0.0 }, row[PN_MOMENTS], weight = share * basis->weights[i];
		for ( int k = 0; k < 3; ++k )
		{
			for ( int axis = 0; axis < 3; ++axis )
			{
				at[axis] += basis->places[i][k] * corners[k][axis];
			}
		}
		pnVec3d place = pnAddD( pnScaleD( at[0], field->corners[0] ), pnAddD( pnScaleD( at[1], field->corners[1] ), pnScaleD( at[2], field->corners[2] ) ) );
		pnVec3d load = pnGetLoad( field, place );
		pnGetMomentRow( basis, at, row );
		for ( int f = 0; f < PN_MOMENTS; ++f )
		{
			moments.of[f] = pnMulAddD( moments.of[f], weight * row[f], load );
		}
		moments.size += weight * pnLengthD( load );
		moments.size2 += weight * pnDotD( load, load );
	}
	return moments;
}

static void pnAddMoments( pnMoments* sum, const pnMoments* other )
{
	for ( int f = 0; f < PN_MOMENTS; ++f )
	{
		sum->of[f] = pnAddD( sum->of[f], other->of[f] );
	}
	sum->size += other->size;
	sum->size2 += other->size2;
}

// Quarters the part until its integrals do not change any more. whole: what the rule says of it, undivided; size: the greatest load there was on what it is a part of.
static pnMoments pnIntegratePart( pnLoadField* field, const double corners[3][3], double share, const pnMoments* whole, double size, int depth )
{
	pnMoments parts[4], sum = { 0 };
	double quarters[4][3][3];
	for ( int axis = 0; axis < 3; ++axis )
	{
		double middles[3];
		for ( int k = 0; k < 3; ++k )
		{
			middles[k] = 0.5 * ( corners[k][axis] + corners[( k + 1 ) % 3][axis] );
		}
		for ( int k = 0; k < 3; ++k )
		{
			quarters[k][0][axis] = corners[k][axis];
			quarters[k][1][axis] = middles[k];
			quarters[k][2][axis] = middles[( k + 2 ) % 3];
			quarters[3][k][axis] = middles[k];
		}
	}
	for ( int i = 0; i < 4; ++i )
	{
		parts[i] = pnSumPart( field, (const double( * )[3])quarters[i], 0.25 * share );
		pnAddMoments( &sum, parts + i );
	}
	double most = fmax( size, sum.size ), change = 0.0;
	for ( int f = 0; f < PN_MOMENTS; ++f )
	{
		change = fmax( change, pnLengthD( pnSubD( sum.of[f], whole->of[f] ) ) );
	}
	if ( change <= pn_momentError * most || depth == PN_MOST_QUARTERINGS || field->finite == false )
	{
		return sum;
	}
	sum = (pnMoments){ 0 };
	for ( int i = 0; i < 4; ++i )
	{
		pnMoments part = pnIntegratePart( field, (const double( * )[3])quarters[i], 0.25 * share, parts + i, most, depth + 1 );
		pnAddMoments( &sum, &part );
	}
	return sum;
}

static void pnMatchPiece( pnLoadField* field, const pnCollocationPoint* points, int count, pnBound* bounds )
{
	static const double whole[3][3] = { { 1.0, 0.0, 0.0 }, { 0.0, 1.0, 0.0 }, { 0.0, 0.0, 1.0 } };
	const pnMomentBasis* basis = field->basis;
	pnMoments coarse = pnSumPart( field, whole, 1.0 ), fine = pnIntegratePart( field, whole, 1.0, &coarse, 0.0, 1 );
	int momentCount = count == PN_PIECE_POINTS ? PN_MOMENTS : 3;
	pnVec3d missing[PN_MOMENTS];
	double rows[PN_PIECE_POINTS][PN_MOMENTS], rest2 = fine.size2;
	memcpy( missing, fine.of, sizeof( missing ) );
	for ( int i = 0; i < count; ++i )
	{
		// The three points lie half way from the middle to the corners; seven are the rule's own.
		double half[3] = { i == 0 ? 2.0 / 3.0 : 1.0 / 6.0, i == 1 ? 2.0 / 3.0 : 1.0 / 6.0, i == 2 ? 2.0 / 3.0 : 1.0 / 6.0 };
		pnGetMomentRow( basis, count == PN_PIECE_POINTS ? basis->places[i] : half, rows[i] );
		pnVec3d load = pnGetLoad( field, points[i].x );
		double weight = count == PN_PIECE_POINTS ? basis->weights[i] : 1.0 / 3.0;
		for ( int f = 0; f < momentCount; ++f )
		{
			missing[f] = pnMulAddD( missing[f], -weight * rows[i][f], load );
		}
	}
	for ( int f = 0; f < momentCount; ++f )
	{
		rest2 -= pnDotD( fine.of[f], fine.of[f] );
	}
	// What no polynomial of first degree has goes up and down over the piece once or more, of second degree one and a half times; tractions of such a
	// wavelength reach as deep as it is long over 2 pi.
	double edge = 0.0, reach;
	for ( int k = 0; k < 3; ++k )
	{
		edge = fmax( edge, pnLengthD( pnSubD( field->corners[( k + 1 ) % 3], field->corners[k] ) ) );
	}
	reach = edge / ( 2.0 * M_PI * ( count == PN_PIECE_POINTS ? 1.5 : 1.0 ) );
	for ( int i = 0; i < count; ++i )
	{
		pnVec3d more = { 0.0, 0.0, 0.0 }, axes[3];
		for ( int f = 0; f < momentCount; ++f )
		{
			more = pnMulAddD( more, rows[i][f], missing[f] );
		}
		pnGetAxes( points + i, bounds + i, axes );
		for ( int axis = 0; axis < 3; ++axis )
		{
			bounds[i].value[axis] += bounds[i].held >> axis & 1 ? 0.0 : pnDotD( more, axes[axis] );
		}
		bounds[i].rest = bounds[i].held == 0 && rest2 > 1e-12 * fine.size2 ? reach * rest2 : 0.0;
	}
}

pnResult pnMatchMoments( const pnCondition* conditions, int conditionCount, const pnUnits* units, const pnCollocationPoints* points, pnBound* bounds )
{
	bool any = false;
	for ( int i = 0; i < conditionCount; ++i )
	{
		any = any || ( conditions[i].field != NULL && conditions[i].kind != pn_holdCondition && conditions[i].kind != pn_rollCondition );
	}
	if ( any == false || points->pieceCount == 0 )
	{
		return pn_success;
	}
	uint8_t* in = pnAllocArray( uint8_t, conditionCount );
	if ( in == NULL )
	{
		return pn_outOfMemory;
	}
	pnMomentBasis basis;
	pnMakeMomentBasis( &basis );
	pnLoadField field = { .conditions = conditions, .conditionCount = conditionCount, .units = units, .basis = &basis, .in = in, .finite = true };
	for ( int begin = 0, end; begin < points->count && field.finite; begin = end )
	{
		const pnCollocationPoint* first = points->points + begin;
		for ( end = begin + 1; end < points->count && points->points[end].piece == first->piece && first->piece > 0; ++end )
		{
		}
		int count = end - begin, fieldCount = 0;
		bool isFree = first->piece > 0 && ( count == 3 || count == PN_PIECE_POINTS );
		for ( int q = begin; q < end; ++q )
		{
			isFree = isFree && bounds[q].held == bounds[begin].held && ( bounds[q].held != 7 || bounds[q].framed );
		}
		for ( int i = 0; i < conditionCount && isFree; ++i )
		{
			const pnCondition* c = conditions + i;
			in[i] = c->field != NULL && c->kind != pn_holdCondition && c->kind != pn_rollCondition;
			// Pieces that a border crosses are small; what lies on both sides of it is left as it is.
			for ( int q = begin; q < end; ++q )
			{
				const pnCollocationPoint* point = points->points + q;
				in[i] = in[i] && pnIsInRegion( &c->region, pnToUser( units, point->x ), point->n, point->group, pn_borderTolerance * units->size );
			}
			fieldCount += in[i];
		}
		if ( isFree && fieldCount > 0 )
		{
			field.corners = points->pieces[first->piece - 1].corners;
			field.normal = first->n;
			pnMatchPiece( &field, first, count, bounds + begin );
		}
	}
	if ( field.finite == false )
	{
		pnLog( "The field of a load is not finite somewhere on the surface." );
	}
	pnFreeArray( uint8_t, in, conditionCount );
	return field.finite ? pn_success : pn_invalidInput;
}
