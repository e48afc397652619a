// press.c - rigid tools against the surface. Knows one system, no rounds.
//
// The pressure is a sum of smooth hills (pads) that overlap and add up to one everywhere, so that it is smooth itself. The pressure of a pad is
// unknown, and never negative; the mean gap between a pad and its tool is never negative; one of the two is zero. How the pads give way
// to pressures is a compliance from the factored energy, so each try of an active set is a small positive definite system (primal-dual
// active sets).
#include "press.h"

#include "friction.h"

#include "../base/cloud.h"
#include "blas.h"

#include <lapacke.h>

enum
{
	PN_MOST_PADS = 2500, // of a compliance; it is dense
	PN_MOST_CHANGES = 60, // of the active set
	PN_MOST_DEPTHS = 40, // tried for a wanted force
};
static const double pn_padsApart = 0.4; // in spacings of the sources: so that the rim of a contact is seen
static const double pn_padReach = 1.9; // of a pad's hill, in distances of pads
// Pads are collected up to one spacing before a tool: it may go on by this part of the least of them before they are collected anew.
static const double pn_goOn = 0.25;
static const double pn_sameFaceCosine = 0.7; // of normals and of ways out of the tool: beyond it is another face
// Fields finer than the sources are not resolved, so the compliance lacks what pressures that differ from pad to pad would do: without it the
// highest pressure under a ball was 25 to 45 % above Hertz's. A half space gives way to a wave of pressure, two spacings long, by
// 2 ( 1 - nu ) / pi spacings (over twice the shear modulus); waves that sources resolve must not feel it. So pressures give way by this part
// of the spacing in what is not linear around a place, which is a quarter of such a wave. From 2 to 5 the pressures are the same.
static const double pn_roughGive = 2.0;

typedef struct pnPad
{
	pnVec3d x; // scaled
	pnVec3d n; // of the surface
	double area, s;
	int tool;
	pnVec3d away; // unit, out of the tool
	double gap; // at rest, mean, scaled
	double pressure; // scaled
	pnVec3d traction; // with friction, scaled
} pnPad;

// A collocation point that a tool may touch, and its shares of pads: entries begin...end, in sum 1.
typedef struct pnTouched
{
	int point;
	int begin, end;
	int tool; // the nearest, when the pads were collected
	pnVec3d away;
	double gap;
	double nearest; // distance to a pad, over spacing
} pnTouched;

typedef struct pnShare
{
	int pad;
	double share;
} pnShare;

typedef struct pnContact
{
	pnSystem* system;
	const pnUnits* units;
	const pnTool* tools;
	int toolCount;
	double* depths; // m, now
	double* prepared; // m, when the pads were collected
	pnPad* pads;
	int padCount;
	pnTouched* touched;
	int touchedCount;
	double least; // spacing there
	pnShare* shares;
	int shareCount, shareCapacity;
	double* loads; // right sides of a unit traction along each axis on each pad: columns x 3 padCount
	double* compliance; // area times mean displacement, of the same: ( 3 padCount )^2
	double* base; // of the conditions alone: 3 padCount
	double* matrix; // padCount^2
	double* rough; // what pnAddRoughGive added to it; with friction only
	double* small; // padCount^2, factored
	double* side; // padCount
	double* gaps; // padCount
	uint8_t* active;
	pnScratch scratch;
	int changeCount;
	bool settled;
	bool rubs; // a tool has friction
} pnContact;

static double pnFindTool( const pnContact* contact, pnVec3d x, int* tool, pnVec3d* away )
{
	pnVec3d place = pnToUser( contact->units, x );
	double least = 1e300;
	for ( int i = 0; i < contact->toolCount; ++i )
	{
		pnVec3d out;
		double gap = pnGetToolDistance( contact->tools + i, contact->depths[i], place, &out ) / contact->units->size;
		if ( gap < least )
		{
			least = gap;
			*away = out;
			*tool = i;
		}
	}
	return least;
}

// Where the tools are now: the way each pad is pushed, and its mean gap.
static void pnPlacePads( pnContact* contact )
{
	for ( int k = 0; k < contact->padCount; ++k )
	{
		pnPad* pad = contact->pads + k;
		pnFindTool( contact, pad->x, &pad->tool, &pad->away );
		pad->gap = 0.0;
	}
	for ( int i = 0; i < contact->touchedCount; ++i )
	{
		const pnTouched* touched = contact->touched + i;
		const pnCollocationPoint* point = contact->system->points.points + touched->point;
		pnVec3d away, place = pnToUser( contact->units, point->x );
		for ( int e = touched->begin; e < touched->end; ++e )
		{
			pnPad* pad = contact->pads + contact->shares[e].pad;
			double gap = pnGetToolDistance( contact->tools + pad->tool, contact->depths[pad->tool], place, &away ) / contact->units->size;
			pad->gap += contact->shares[e].share * point->w * gap / pad->area;
		}
	}
}

// Collocation points a tool may touch: before it or in it, looking at it, and not held.
static bool pnCollectTouched( pnContact* contact )
{
	const pnCollocationPoints* points = &contact->system->points;
	contact->touched = pnTakeArray( &contact->scratch, pnTouched, (size_t)points->count + 1 );
	contact->touchedCount = 0;
	contact->least = 1e300;
	for ( int q = 0; q < points->count && contact->scratch.failed == false; ++q )
	{
		const pnCollocationPoint* point = points->points + q;
		pnTouched touched = { .point = q, .nearest = 1e300 };
		touched.gap = pnFindTool( contact, point->x, &touched.tool, &touched.away );
		if ( contact->system->bounds[q].held == 0 && touched.gap < point->s && pnDotD( touched.away, point->n ) < 0.0 )
		{
			contact->touched[contact->touchedCount++] = touched;
			contact->least = fmin( contact->least, point->s );
		}
	}
	return contact->scratch.failed == false;
}

static bool pnAreOnOneFace( const pnContact* contact, const pnTouched* touched, const pnPad* pad )
{
	const pnCollocationPoint* point = contact->system->points.points + touched->point;
	return touched->tool == pad->tool && pnDotD( point->n, pad->n ) > pn_sameFaceCosine && pnDotD( touched->away, pad->away ) > pn_sameFaceCosine;
}

// Pads evenly spread over the touched collocation points, the first where the tool is deepest: the next is always the collocation point farthest from all before it.
static bool pnCollectPads( pnContact* contact )
{
	if ( pnCollectTouched( contact ) == false )
	{
		return false;
	}
	const pnCollocationPoint* points = contact->system->points.points;
	contact->pads = pnTakeArray( &contact->scratch, pnPad, (size_t)contact->touchedCount + 1 );
	if ( contact->scratch.failed )
	{
		return false;
	}
	int next = 0;
	for ( int i = 1; i < contact->touchedCount; ++i )
	{
		next = contact->touched[i].gap < contact->touched[next].gap ? i : next;
	}
	while ( next >= 0 && contact->touchedCount > 0 )
	{
		if ( contact->padCount == PN_MOST_PADS )
		{
			// More than can be dealt with: what is left out may end up inside the tool, and the answer says that it is not settled.
			contact->settled = false;
			break;
		}
		const pnTouched* from = contact->touched + next;
		pnPad pad = { .x = points[from->point].x, .n = points[from->point].n, .s = points[from->point].s, .tool = from->tool, .away = from->away };
		contact->pads[contact->padCount++] = pad;
		double farthest = pn_padsApart;
		next = -1;
		for ( int i = 0; i < contact->touchedCount; ++i )
		{
			pnTouched* touched = contact->touched + i;
			double distance = pnLengthD( pnSubD( points[touched->point].x, pad.x ) ) / fmin( pad.s, points[touched->point].s );
			touched->nearest = distance < touched->nearest && pnAreOnOneFace( contact, touched, &pad ) ? distance : touched->nearest;
			if ( touched->nearest > farthest )
			{
				farthest = touched->nearest;
				next = i;
			}
		}
	}
	return true;
}

// How high a pad's hill is at a collocation point, before all are divided by their sum.
static double pnGetHill( const pnContact* contact, const pnTouched* touched, const pnPad* pad )
{
	const pnCollocationPoint* point = contact->system->points.points + touched->point;
	pnVec3d d = pnSubD( point->x, pad->x );
	double reach = pn_padReach * pn_padsApart * pad->s, inside = 1.0 - pnDotD( d, d ) / ( reach * reach );
	return inside > 0.0 && pnAreOnOneFace( contact, touched, pad ) ? inside * inside : 0.0;
}

static bool pnShareCollocationPoints( pnContact* contact )
{
	const pnCollocationPoint* points = contact->system->points.points;
	contact->shareCount = 0;
	for ( int i = 0; i < contact->touchedCount; ++i )
	{
		pnTouched* touched = contact->touched + i;
		double sum = 0.0;
		touched->begin = contact->shareCount;
		for ( int k = 0; k < contact->padCount; ++k )
		{
			double hill = pnGetHill( contact, touched, contact->pads + k );
			if ( hill > 0.0 )
			{
				if ( contact->shareCount == contact->shareCapacity &&
					 pnGrow( (void**)&contact->shares, &contact->shareCapacity, contact->shareCount, contact->shareCount + 1, sizeof( pnShare ) ) == false )
				{
					return false;
				}
				contact->shares[contact->shareCount++] = (pnShare){ k, hill };
				sum += hill;
			}
		}
		touched->end = contact->shareCount;
		for ( int e = touched->begin; e < touched->end; ++e )
		{
			contact->shares[e].share /= sum;
			contact->pads[contact->shares[e].pad].area += contact->shares[e].share * points[touched->point].w;
		}
	}
	return true;
}

// The works of right sides on each other's answers: products of what half of the solution leaves of them, in panels of columns, below the diagonal.
typedef struct pnWorks
{
	const double* halves;
	double* works;
	int columns, count;
} pnWorks;

enum { PN_WORK_PANEL = 128 };

static void pnFindWorks( int begin, int end, int worker, void* context )
{
	PN_UNUSED( worker );
	const pnWorks* works = context;
	int columns = works->columns, count = works->count;
	for ( int panel = begin; panel < end; ++panel )
	{
		int first = panel * PN_WORK_PANEL, width = count - first < PN_WORK_PANEL ? count - first : PN_WORK_PANEL;
		const double* some = works->halves + (size_t)first * (size_t)columns;
		cblas_dgemm( CblasColMajor, CblasTrans, CblasNoTrans, count - first, width, columns, 1.0, some, columns, some, columns, 0.0, works->works + (size_t)first * (size_t)( count + 1 ), count );
	}
}

static bool pnFindCompliance( pnContact* contact )
{
	const pnSystem* system = contact->system;
	int columns = system->columns, count = 3 * contact->padCount;
	contact->loads = pnTakeRawArray( &contact->scratch, double, (size_t)columns * (size_t)count );
	double* halves = pnTakeRawArray( &contact->scratch, double, (size_t)columns * (size_t)count );
	contact->compliance = pnTakeRawArray( &contact->scratch, double, (size_t)count * (size_t)count );
	contact->base = pnTakeArray( &contact->scratch, double, count );
	contact->matrix = pnTakeRawArray( &contact->scratch, double, (size_t)contact->padCount * (size_t)contact->padCount );
	contact->small = pnTakeRawArray( &contact->scratch, double, (size_t)contact->padCount * (size_t)contact->padCount );
	contact->rough = contact->rubs ? pnTakeRawArray( &contact->scratch, double, (size_t)contact->padCount * (size_t)contact->padCount ) : NULL;
	contact->side = pnTakeArray( &contact->scratch, double, contact->padCount );
	contact->gaps = pnTakeArray( &contact->scratch, double, contact->padCount );
	contact->active = pnTakeArray( &contact->scratch, uint8_t, contact->padCount );
	double* rows = pnTakeRawArray( &contact->scratch, double, 3 * (size_t)columns );
	if ( contact->scratch.failed )
	{
		return false;
	}
	double* loads = contact->loads;
	memset( loads, 0, (size_t)columns * (size_t)count * sizeof( double ) );
	for ( int i = 0; i < contact->touchedCount; ++i )
	{
		const pnTouched* touched = contact->touched + i;
		pnVec3d u, t;
		pnReadInside( system, touched->point, &u, &t );
		double w = system->points.points[touched->point].w, own[3] = { w * u.x, w * u.y, w * u.z };
		// Touched collocation points have no held axes, so their rows are along x, y, z. Unmended: mends are right in sum, not place by place.
		pnFillBlock( &system->rows, touched->point, touched->point + 1, false, rows, NULL );
		for ( int e = touched->begin; e < touched->end; ++e )
		{
			int pad = contact->shares[e].pad;
			cblas_daxpy( 3 * columns, contact->shares[e].share * w, rows, 1, loads + (size_t)( 3 * pad ) * (size_t)columns, 1 );
			cblas_daxpy( 3, contact->shares[e].share, own, 1, contact->base + 3 * pad, 1 );
		}
	}
	memcpy( halves, loads, (size_t)columns * (size_t)count * sizeof( double ) );
	pnHalfSolveEnergies( &system->energy, halves, count, system->rows.tasks );
	pnWorks works = { halves, contact->compliance, columns, count };
	pnParallelBlas( system->rows.tasks, pnFindWorks, ( count + PN_WORK_PANEL - 1 ) / PN_WORK_PANEL, 1, &works );
	for ( size_t b = 0; b < (size_t)count; ++b )
	{
		for ( size_t a = 0; a < b; ++a )
		{
			contact->compliance[b * (size_t)count + a] = contact->compliance[a * (size_t)count + b];
		}
	}
	cblas_dgemv( CblasColMajor, CblasTrans, columns, count, 1.0, loads, columns, system->coefficients, 1, 1.0, contact->base, 1 );
	return true;
}

static double pnDot3( const double* a, pnVec3d b )
{
	return a[0] * b.x + a[1] * b.y + a[2] * b.z;
}

// Adds what the sources cannot tell: that pressures give way which are not linear from pad to pad around a collocation point. Their squares, weighted by
// the shares of the pads, less what the constant and the two slopes along the surface explain.
static void pnAddRoughGive( pnContact* contact, const pnTouched* touched )
{
	enum { PN_SHAPES = 3, PN_MOST_SHARED = 64 };
	int n = contact->padCount, count = touched->end - touched->begin;
	count = count < PN_MOST_SHARED ? count : PN_MOST_SHARED; // a collocation point is in reach of ten or twenty
	const pnShare* shares = contact->shares + touched->begin;
	const pnCollocationPoint* point = contact->system->points.points + touched->point;
	double give = pn_roughGive * point->s * point->w, shapes[PN_SHAPES][PN_MOST_SHARED];
	pnVec3d a, b;
	pnMakeFrameD( point->n, &a, &b );
	for ( int c = 0; c < PN_SHAPES; ++c )
	{
		double before = 0.0, after = 0.0;
		for ( int k = 0; k < count; ++k )
		{
			pnVec3d d = pnSubD( contact->pads[shares[k].pad].x, point->x );
			shapes[c][k] = c == 0 ? 1.0 : pnDotD( d, c == 1 ? a : b ) / point->s;
			before += shares[k].share * shapes[c][k] * shapes[c][k];
		}
		for ( int other = 0; other < c; ++other )
		{
			double along = 0.0;
			for ( int k = 0; k < count; ++k )
			{
				along += shares[k].share * shapes[c][k] * shapes[other][k];
			}
			for ( int k = 0; k < count; ++k )
			{
				shapes[c][k] -= along * shapes[other][k];
			}
		}
		for ( int k = 0; k < count; ++k )
		{
			after += shares[k].share * shapes[c][k] * shapes[c][k];
		}
		// Pads in a row have no slope across it.
		double scale = after > 1e-6 * before ? 1.0 / sqrt( after ) : 0.0;
		for ( int k = 0; k < count; ++k )
		{
			shapes[c][k] *= scale;
		}
	}
	for ( int k = 0; k < count; ++k )
	{
		double* column = contact->matrix + (size_t)shares[k].pad * (size_t)n;
		column[shares[k].pad] += give * shares[k].share;
		for ( int l = 0; l < count; ++l )
		{
			double explained = shapes[0][k] * shapes[0][l] + shapes[1][k] * shapes[1][l] + shapes[2][k] * shapes[2][l];
			column[shares[l].pad] -= give * shares[k].share * shares[l].share * explained;
		}
	}
}

// The compliance along the ways the tools push, and what is missing to no penetration.
static void pnTurnCompliance( pnContact* contact )
{
	int n = contact->padCount, count = 3 * n;
	pnPlacePads( contact );
	for ( int k = 0; k < n; ++k )
	{
		const pnPad* pad = contact->pads + k;
		contact->side[k] = -pad->gap * pad->area - pnDot3( contact->base + 3 * k, pad->away );
	}
	for ( int b = 0; b < n; ++b )
	{
		for ( int a = 0; a < n; ++a )
		{
			const double* block = contact->compliance + (size_t)( 3 * b ) * (size_t)count + (size_t)( 3 * a );
			pnVec3d along = pnMakeD( pnDot3( block, contact->pads[a].away ), pnDot3( block + count, contact->pads[a].away ), pnDot3( block + 2 * count, contact->pads[a].away ) );
			contact->matrix[(size_t)b * (size_t)n + (size_t)a] = pnDotD( along, contact->pads[b].away );
		}
	}
	if ( contact->rubs )
	{
		memcpy( contact->rough, contact->matrix, (size_t)n * (size_t)n * sizeof( double ) );
	}
	for ( int i = 0; i < contact->touchedCount; ++i )
	{
		pnAddRoughGive( contact, contact->touched + i );
	}
	for ( size_t i = 0; i < (size_t)n * (size_t)n && contact->rubs; ++i )
	{
		contact->rough[i] = contact->matrix[i] - contact->rough[i];
	}
}

// Pressures of the active pads for a right side, by the order of the active ones; the factor stays in contact->small. Returns how many.
static int pnSolveActive( pnContact* contact, double* values, bool factor )
{
	int n = contact->padCount, count = 0;
	for ( int k = 0; k < n; ++k )
	{
		if ( contact->active[k] )
		{
			values[count++] = values[k];
		}
	}
	if ( factor )
	{
		int column = 0;
		for ( int b = 0; b < n; ++b )
		{
			int row = 0;
			for ( int a = 0; a < n && contact->active[b]; ++a )
			{
				if ( contact->active[a] )
				{
					contact->small[(size_t)column * (size_t)count + (size_t)row++] = contact->matrix[(size_t)b * (size_t)n + (size_t)a];
				}
			}
			column += contact->active[b];
		}
		if ( count > 0 && LAPACKE_dpotrf_work( LAPACK_COL_MAJOR, 'L', count, contact->small, count ) != 0 )
		{
			return -1;
		}
	}
	if ( count > 0 )
	{
		LAPACKE_dpotrs_work( LAPACK_COL_MAJOR, 'L', count, 1, contact->small, count, values, count );
	}
	return count;
}

// Which pads are pushed, at these depths. First whole sets are exchanged; if that goes round in circles, one pad at a time (Murty),
// which always ends.
static bool pnSettlePads( pnContact* contact )
{
	int n = contact->padCount;
	for ( int change = 0; change < 20 * PN_MOST_CHANGES; ++change )
	{
		++contact->changeCount;
		memcpy( contact->gaps, contact->side, (size_t)n * sizeof( double ) );
		if ( pnSolveActive( contact, contact->gaps, true ) < 0 )
		{
			return false;
		}
		for ( int k = 0, next = 0; k < n; ++k )
		{
			contact->pads[k].pressure = contact->active[k] ? contact->gaps[next++] : 0.0;
		}
		// Gap times area of the others
		for ( int k = 0; k < n; ++k )
		{
			contact->gaps[k] = -contact->side[k];
		}
		for ( int b = 0; b < n; ++b )
		{
			if ( contact->pads[b].pressure != 0.0 )
			{
				cblas_daxpy( n, contact->pads[b].pressure, contact->matrix + (size_t)b * (size_t)n, 1, contact->gaps, 1 );
			}
		}
		int wrong = 0;
		for ( int k = 0; k < n; ++k )
		{
			bool should = contact->active[k] ? contact->pads[k].pressure > 0.0 : contact->gaps[k] < -1e-12 * contact->pads[k].area;
			if ( should != ( contact->active[k] != 0 ) )
			{
				++wrong;
				if ( change < PN_MOST_CHANGES || wrong == 1 )
				{
					contact->active[k] = should;
				}
			}
		}
		if ( wrong == 0 )
		{
			return true;
		}
	}
	return false;
}

// How far a tool has gone along a pad since it met the pad's place at rest (scaled): pressed in, then dragged.
static pnVec3d pnGetRub( const pnContact* contact, const pnPad* pad )
{
	const pnTool* tool = contact->tools + pad->tool;
	double size = contact->units->size, ahead = pnDotD( pad->away, tool->direction ), depth = fmax( contact->depths[pad->tool] / size, 0.0 );
	double since = pad->gap < 0.0 ? fmin( -pad->gap / fmax( ahead, 1e-3 ), depth ) : 0.0;
	pnVec3d way = pnMulAddD( pnScaleD( since, tool->direction ), 1.0 / size, tool->drag );
	return pnMulAddD( way, -pnDotD( way, pad->away ), pad->away );
}

// The same pads with friction: pressures and tractions along the tools together, from where the smooth pressures are.
static bool pnRubPads( pnContact* contact, const double* rough )
{
	int n = contact->padCount, count = 3 * n;
	pnScratch scratch = { 0 };
	double* matrix = pnTakeRawArray( &scratch, double, (size_t)count * (size_t)count );
	double* side = pnTakeArray( &scratch, double, 2 * count );
	double* areas = pnTakeArray( &scratch, double, 2 * n );
	pnVec3d* axes = pnTakeArray( &scratch, pnVec3d, count );
	uint8_t* states = pnTakeArray( &scratch, uint8_t, n );
	bool outOfMemory = scratch.failed;
	if ( outOfMemory == false )
	{
		pnFriction friction = { n, matrix, side, areas, areas + n, states, side + count };
		for ( int k = 0; k < n; ++k )
		{
			const pnPad* pad = contact->pads + k;
			pnVec3d rub = pnGetRub( contact, pad );
			axes[3 * k] = pad->away;
			pnMakeFrameD( pad->away, axes + 3 * k + 1, axes + 3 * k + 2 );
			areas[k] = pad->area;
			areas[n + k] = contact->tools[pad->tool].friction;
			side[3 * k] = contact->side[k];
			for ( int axis = 1; axis < 3; ++axis )
			{
				side[3 * k + axis] = pad->area * pnDotD( rub, axes[3 * k + axis] ) - pnDot3( contact->base + 3 * k, axes[3 * k + axis] );
			}
			states[k] = pad->pressure > 0.0 ? pn_slidingPad : pn_openPad;
			friction.tractions[3 * k] = pad->pressure;
		}
		for ( int b = 0; b < count; ++b )
		{
			for ( int a = 0; a < count; ++a )
			{
				const double* block = contact->compliance + (size_t)( b - b % 3 ) * (size_t)count + (size_t)( a - a % 3 );
				pnVec3d along = pnMakeD( pnDot3( block, axes[a] ), pnDot3( block + count, axes[a] ), pnDot3( block + 2 * count, axes[a] ) );
				// What is too fine for the sources gives way along the tool as it does out of it.
				double same = a % 3 == 0 && b % 3 == 0 ? 1.0 : a % 3 == 0 || b % 3 == 0 ? 0.0 : pnDotD( axes[a], axes[b] );
				matrix[(size_t)b * (size_t)count + (size_t)a] = pnDotD( along, axes[b] ) + same * rough[(size_t)( b / 3 ) * (size_t)n + (size_t)( a / 3 )];
			}
		}
		contact->settled = pnSettleFriction( &friction, &contact->changeCount, &outOfMemory ) && contact->settled;
		for ( int k = 0; k < n; ++k )
		{
			pnPad* pad = contact->pads + k;
			pad->pressure = friction.tractions[3 * k];
			pad->traction = pnScaleD( pad->pressure, pad->away );
			pad->traction = pnMulAddD( pad->traction, friction.tractions[3 * k + 1], axes[3 * k + 1] );
			pad->traction = pnMulAddD( pad->traction, friction.tractions[3 * k + 2], axes[3 * k + 2] );
		}
	}
	pnGiveBack( &scratch );
	return outOfMemory == false;
}

static pnVec3d pnGetToolForce( const pnContact* contact, int tool ) // scaled
{
	pnVec3d force = { 0.0, 0.0, 0.0 };
	for ( int k = 0; k < contact->padCount; ++k )
	{
		const pnPad* pad = contact->pads + k;
		force = pad->tool == tool ? pnMulAddD( force, pad->area, pad->traction ) : force;
	}
	return force;
}

// How much more a tool carries if it is pressed on, for the pads active now.
static double pnGetToolStiffness( pnContact* contact, int tool )
{
	int n = contact->padCount;
	pnVec3d way = contact->tools[tool].direction;
	for ( int k = 0; k < n; ++k )
	{
		const pnPad* pad = contact->pads + k;
		contact->gaps[k] = pad->tool == tool ? pad->area * pnDotD( pad->away, way ) : 0.0;
	}
	int count = pnSolveActive( contact, contact->gaps, false );
	double sum = 0.0;
	for ( int k = 0, next = 0; k < n && count > 0; ++k )
	{
		const pnPad* pad = contact->pads + k;
		if ( contact->active[k] )
		{
			sum += contact->gaps[next++] * ( pad->tool == tool ? pad->area * pnDotD( pad->away, way ) : 0.0 );
		}
	}
	return sum;
}

// The least gap of a tool to any pad that looks at it, m; it may be moved on by this before it touches.
static double pnGetClearance( const pnContact* contact, int tool )
{
	double least = 1e300;
	const pnCollocationPoints* points = &contact->system->points;
	for ( int q = 0; q < points->count; ++q )
	{
		pnVec3d away;
		double gap = pnGetToolDistance( contact->tools + tool, contact->depths[tool], pnToUser( contact->units, points->points[q].x ), &away );
		least = gap < least && pnDotD( away, points->points[q].n ) < 0.0 ? gap : least;
	}
	return least;
}

// Pads, their compliance and the active set at the present depths.
static pnResult pnPrepare( pnContact* contact )
{
	pnGiveBack( &contact->scratch );
	contact->padCount = 0;
	if ( pnCollectPads( contact ) == false || pnShareCollocationPoints( contact ) == false || pnFindCompliance( contact ) == false )
	{
		return pn_outOfMemory;
	}
	return pn_success;
}

static pnResult pnSettleAtDepths( pnContact* contact )
{
	pnTurnCompliance( contact );
	for ( int k = 0; k < contact->padCount; ++k )
	{
		contact->active[k] = contact->side[k] > 0.0;
	}
	contact->settled = pnSettlePads( contact ) && contact->settled;
	for ( int k = 0; k < contact->padCount; ++k )
	{
		contact->pads[k].traction = pnScaleD( contact->pads[k].pressure, contact->pads[k].away );
	}
	return contact->rubs && pnRubPads( contact, contact->rough ) == false ? pn_outOfMemory : pn_success;
}

// Newton's method on the depths of the tools that must carry a force. The force grows ever faster with the depth, so that from the
// second step on it comes from one side.
static pnResult pnFindDepths( pnContact* contact, const double* wantedForces )
{
	double forceScale = contact->units->modulus * contact->units->size * contact->units->size;
	bool anyForce = false;
	for ( int i = 0; i < contact->toolCount; ++i )
	{
		if ( wantedForces[i] > 0.0 )
		{
			anyForce = true;
			double clearance = pnGetClearance( contact, i );
			// Just in: far enough that some pads are touched
			contact->depths[i] += clearance < 1e200 ? clearance + 0.01 * contact->units->size : 0.0;
		}
	}
	pnResult result = pnPrepare( contact );
	result = result == pn_success ? pnSettleAtDepths( contact ) : result;
	size_t depthBytes = (size_t)contact->toolCount * sizeof( double );
	memcpy( contact->prepared, contact->depths, depthBytes );
	bool met = anyForce == false;
	for ( int step = 0; step < PN_MOST_DEPTHS && result == pn_success && met == false; ++step )
	{
		met = true;
		bool deeper = false;
		for ( int i = 0; i < contact->toolCount; ++i )
		{
			if ( ( wantedForces[i] > 0.0 ) == false )
			{
				continue;
			}
			double wanted = wantedForces[i] / forceScale, carried = pnDotD( pnGetToolForce( contact, i ), contact->tools[i].direction );
			double stiffness = pnGetToolStiffness( contact, i );
			double way = stiffness > 0.0 ? ( wanted - carried ) / stiffness : 0.02;
			// Pads beyond those touched would join: no more than doubles of what is pressed now
			way = fmin( fmax( way, -0.1 ), 0.1 );
			met = met && fabs( wanted - carried ) < 1e-6 * wanted;
			contact->depths[i] += way * contact->units->size;
			deeper = deeper || contact->depths[i] > contact->prepared[i] + pn_goOn * contact->least * contact->units->size;
		}
		if ( met )
		{
			break;
		}
		if ( deeper )
		{
			result = pnPrepare( contact );
			memcpy( contact->prepared, contact->depths, depthBytes );
		}
		result = result == pn_success ? pnSettleAtDepths( contact ) : result;
	}
	contact->settled = contact->settled && met;
	return result;
}

pnResult pnPressTools( pnSystem* system, const pnUnits* units, const pnTool* tools, const double* depths, const double* wantedForces, int toolCount, pnVec3d* contactTractions,
					   pnPressed* pressed, pnPressResult* info )
{
	pnContact contact = { .system = system, .units = units, .tools = tools, .toolCount = toolCount, .settled = true };
	contact.depths = pnAllocArray( double, 2 * toolCount );
	if ( contact.depths == NULL )
	{
		return pn_outOfMemory;
	}
	contact.prepared = contact.depths + toolCount;
	for ( int i = 0; i < toolCount; ++i )
	{
		contact.rubs = contact.rubs || tools[i].friction > 0.0;
	}
	memcpy( contact.depths, depths, (size_t)toolCount * sizeof( double ) );
	memset( contactTractions, 0, (size_t)system->points.count * sizeof( pnVec3d ) );
	pnResult result = pnFindDepths( &contact, wantedForces );
	if ( result == pn_success )
	{
		double area = units->size * units->size;
		double* pushed = system->work; // the right side of what the tools push
		memset( pushed, 0, (size_t)system->columns * sizeof( double ) );
		for ( int i = 0; i < toolCount; ++i )
		{
			pressed[i] = (pnPressed){ .force = pnScaleD( units->modulus * area, pnGetToolForce( &contact, i ) ), .depth = contact.depths[i] };
		}
		for ( int k = 0; k < contact.padCount; ++k )
		{
			const pnPad* pad = contact.pads + k;
			if ( pad->pressure == 0.0 )
			{
				continue;
			}
			pressed[pad->tool].area += pad->area * area;
			pnVec3d traction = pad->traction;
			const double* loads = contact.loads + (size_t)( 3 * k ) * (size_t)system->columns;
			cblas_daxpy( system->columns, traction.x, loads, 1, pushed, 1 );
			cblas_daxpy( system->columns, traction.y, loads + system->columns, 1, pushed, 1 );
			cblas_daxpy( system->columns, traction.z, loads + 2 * system->columns, 1, pushed, 1 );
		}
		pnSolveEnergies( &system->energy, pushed, 1 );
		cblas_daxpy( system->columns, 1.0, pushed, 1, system->coefficients, 1 );
		for ( int i = 0; i < contact.touchedCount; ++i )
		{
			const pnTouched* touched = contact.touched + i;
			for ( int e = touched->begin; e < touched->end; ++e )
			{
				const pnPad* pad = contact.pads + contact.shares[e].pad;
				contactTractions[touched->point] = pnMulAddD( contactTractions[touched->point], contact.shares[e].share, pad->traction );
			}
		}
		info->iterationCount = contact.changeCount;
		info->converged = contact.settled;
	}
	pnGiveBack( &contact.scratch );
	pnFreeArray( pnShare, contact.shares, contact.shareCapacity );
	pnFreeArray( double, contact.depths, 2 * toolCount );
	return result;
}
