// slice.c - a blade through a surface: triangles split, the lips apart, openings closed. Knows places and triangles; no bodies, no time.
#include "cutting.h"

#include "../base/mat3.h"

#include <math.h>

// ---- what is carried ----

static void pnGetWeighed( const pnCutting* c, const pnSliceNode* node, float* values )
{
	int count = c->source->valueCount;
	for ( int k = 0; k < count; ++k )
	{
		double sum = 0.0;
		for ( int i = 0; i < 3; ++i )
		{
			sum += (double)node->weights[i] * (double)c->source->values[(size_t)node->from[i] * count + k];
		}
		values[k] = (float)sum;
	}
}

static void pnFitPlane( const double sums[6], const double right[3], double plane[3] )
{
	// Normal equations of 1, x, y; about the mean, so that they hardly mix.
	double det = sums[3] * sums[5] - sums[4] * sums[4];
	plane[0] = sums[0] > 0.0 ? right[0] / sums[0] : 0.0;
	bool fine = det > 1e-9 * ( sums[3] + sums[5] ) * ( sums[3] + sums[5] );
	plane[1] = fine ? ( sums[5] * right[1] - sums[4] * right[2] ) / det : 0.0;
	plane[2] = fine ? ( sums[3] * right[2] - sums[4] * right[1] ) / det : 0.0;
}

// Values of nodes that have no source: a flat field through those of the rims (if `flat`), and what the rims differ from it spread evenly.
// points: rims, then inner ones. values: of all added nodes; those of nodes with a source are there.
static bool pnSpreadValues( pnCutting* c, const pnFilling* filling, const pnPoint2* points, const int32_t* nodeOf, const uint8_t* known, bool flat, int count, float* values )
{
	int pointCount = c->rimCount + filling->innerCount;
	pnScratch scratch = { 0 };
	float* rest = pnTakeArray( &scratch, float, (size_t)pointCount * count );
	float* sums = pnTakeArray( &scratch, float, (size_t)pointCount * count );
	float* shares = pnTakeArray( &scratch, float, pointCount );
	double* planes = pnTakeArray( &scratch, double, 3 * (size_t)count );
	if ( scratch.failed )
	{
		pnGiveBack( &scratch );
		return false;
	}
	double mean[2] = { 0 }, moments[6] = { 0 };
	bool bent = false;
	int knownCount = 0;
	for ( int i = 0; i < c->rimCount; ++i )
	{
		knownCount += known[i];
		mean[0] += known[i] ? (double)points[i].x : 0.0, mean[1] += known[i] ? (double)points[i].y : 0.0;
	}
	mean[0] /= knownCount > 0 ? knownCount : 1, mean[1] /= knownCount > 0 ? knownCount : 1;
	for ( int i = 0; i < c->rimCount; ++i )
	{
		double x = (double)points[i].x - mean[0], y = (double)points[i].y - mean[1], w = known[i];
		moments[0] += w, moments[3] += w * x * x, moments[4] += w * x * y, moments[5] += w * y * y;
	}
	for ( int k = 0; k < count; ++k )
	{
		double right[3] = { 0 };
		for ( int i = 0; i < c->rimCount; ++i )
		{
			double value = known[i] ? (double)values[(size_t)nodeOf[i] * count + k] : 0.0;
			right[0] += value, right[1] += value * ( (double)points[i].x - mean[0] ), right[2] += value * ( (double)points[i].y - mean[1] );
		}
		if ( flat )
		{
			pnFitPlane( moments, right, planes + 3 * k );
		}
		double largest = 0.0, worst = 0.0;
		for ( int i = 0; i < c->rimCount; ++i )
		{
			double fitted = planes[3 * k] + planes[3 * k + 1] * ( (double)points[i].x - mean[0] ) + planes[3 * k + 2] * ( (double)points[i].y - mean[1] );
			float left = known[i] ? (float)( (double)values[(size_t)nodeOf[i] * count + k] - fitted ) : 0.0f;
			rest[(size_t)i * count + k] = left;
			largest = fabs( fitted ) > largest ? fabs( fitted ) : largest;
			worst = fabs( (double)left ) > worst ? fabs( (double)left ) : worst;
		}
		bent = bent || worst > 2e-6 * largest; // more than rounding
	}
	for ( int i = 0; i < 3 * filling->triangleCount; ++i )
	{
		shares[filling->triangles[i]] += 2.0f;
	}
	for ( int sweep = 0; sweep < 12 && bent; ++sweep )
	{
		memset( sums, 0, (size_t)pointCount * count * sizeof( float ) );
		for ( int t = 0; t < filling->triangleCount; ++t )
		{
			const int32_t* corner = filling->triangles + 3 * (size_t)t;
			for ( int k = 0; k < count; ++k )
			{
				float a = rest[(size_t)corner[0] * count + k], b = rest[(size_t)corner[1] * count + k], d = rest[(size_t)corner[2] * count + k];
				sums[(size_t)corner[0] * count + k] += b + d, sums[(size_t)corner[1] * count + k] += d + a, sums[(size_t)corner[2] * count + k] += a + b;
			}
		}
		for ( int i = 0; i < pointCount; ++i )
		{
			for ( int k = 0; k < count && ( i >= c->rimCount || known[i] == 0 ) && shares[i] > 0.0f; ++k )
			{
				rest[(size_t)i * count + k] = sums[(size_t)i * count + k] / shares[i];
			}
		}
	}
	for ( int i = 0; i < pointCount; ++i )
	{
		for ( int k = 0; k < count && ( i >= c->rimCount || known[i] == 0 ); ++k )
		{
			double fitted = planes[3 * k] + planes[3 * k + 1] * ( (double)points[i].x - mean[0] ) + planes[3 * k + 2] * ( (double)points[i].y - mean[1] );
			values[(size_t)nodeOf[i] * count + k] = (float)( fitted + (double)rest[(size_t)i * count + k] );
		}
	}
	pnGiveBack( &scratch );
	return true;
}

// Crossings may lie a little off the plane; what is put inside follows them, so that places and values go together.
static bool pnSpreadHeights( pnCutting* c, const pnFilling* filling, const pnPoint2* points, const int32_t* nodeOf, const uint8_t* known, pnSlice* slice )
{
	pnScratch scratch = { 0 };
	float* heights = pnTakeArray( &scratch, float, slice->addedCount );
	bool done = !scratch.failed, off = false;
	float most = 0.0f; // where the rims lie in a line they do not tell the slope: nothing is farther off than they are
	for ( int i = 0; i < c->rimCount && done; ++i )
	{
		double height = known[i] ? pnGetHeight( c->blade, slice->places[nodeOf[i]] ) : 0.0;
		heights[nodeOf[i]] = (float)height;
		most = fabsf( (float)height ) > most ? fabsf( (float)height ) : most;
		off = off || fabs( height ) * c->scale > 1e-6 * PN_OUTLINE_REACH;
	}
	done = done && ( !off || pnSpreadValues( c, filling, points, nodeOf, known, !c->ends, 1, heights ) );
	for ( int i = 0; i < c->rimCount + filling->innerCount && done && off; ++i )
	{
		for ( int k = 0; k < 3 && ( i >= c->rimCount || known[i] == 0 ); ++k )
		{
			float* at = &slice->places[nodeOf[i]].x + k;
			float height = heights[nodeOf[i]] > most ? most : heights[nodeOf[i]] < -most ? -most : heights[nodeOf[i]];
			*at = (float)( (double)*at + (double)height * c->blade->n[k] );
		}
	}
	pnGiveBack( &scratch );
	return done;
}

// Where the blade ends inside, its rims may lie on a line, and cannot tell what is deep within. The whole surface can, what is near first:
// value = field[3] + field[0..2] . ( place - center ).
static void pnFitField( const pnCutting* c, const int32_t* nodeOf, const pnSlice* slice, double center[3], double* fields )
{
	const pnSliceSource* s = c->source;
	double middle[3] = { 0 }, reach2 = 0.0, total = 0.0;
	for ( int i = 0; i < c->rimCount; ++i )
	{
		const float* p = &slice->places[nodeOf[i]].x;
		for ( int k = 0; k < 3; ++k )
		{
			middle[k] += (double)p[k] / c->rimCount;
		}
	}
	for ( int i = 0; i < c->rimCount; ++i )
	{
		const float* p = &slice->places[nodeOf[i]].x;
		double d[3] = { (double)p[0] - middle[0], (double)p[1] - middle[1], (double)p[2] - middle[2] };
		reach2 += ( d[0] * d[0] + d[1] * d[1] + d[2] * d[2] ) / c->rimCount;
	}
	pnMat3d moment = { { 0 } };
	int stride = 1 + s->triangleCount / 2048;
	for ( int pass = 0; pass < 2; ++pass ) // the centre, then moments about it
	{
		for ( int i = 0; i < 3 * s->triangleCount; i += stride )
		{
			int32_t node = s->triangles[i];
			const float* p = &s->places[node].x;
			double d[3] = { (double)p[0] - middle[0], (double)p[1] - middle[1], (double)p[2] - middle[2] };
			double w = reach2 / ( reach2 + d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + 1e-30 );
			w *= w;
			if ( pass == 0 )
			{
				total += w;
				center[0] += w * d[0], center[1] += w * d[1], center[2] += w * d[2];
				continue;
			}
			double q[4] = { (double)p[0] - center[0], (double)p[1] - center[1], (double)p[2] - center[2], 1.0 };
			const double part = w / total, weighted[4] = { part * q[0], part * q[1], part * q[2], part };
			for ( int k = 0; k < 9; ++k )
			{
				moment.m[k] += weighted[k / 3] * q[k % 3];
			}
			for ( int k = 0; k < s->valueCount; ++k )
			{
				double value = (double)s->values[(size_t)node * s->valueCount + k], *field = fields + 4 * k;
				field[0] += weighted[0] * value, field[1] += weighted[1] * value, field[2] += weighted[2] * value, field[3] += weighted[3] * value;
			}
		}
		for ( int k = 0; k < 3 && pass == 0; ++k )
		{
			center[k] = middle[k] + center[k] / total;
		}
	}
	for ( int k = 0; k < 9; k += 4 )
	{
		moment.m[k] += 1e-9 * ( moment.m[0] + moment.m[4] + moment.m[8] ) + 1e-60;
	}
	pnMat3d inverse = pnInverse3( moment );
	for ( int v = 0; v < s->valueCount; ++v )
	{
		double right[3] = { fields[4 * v], fields[4 * v + 1], fields[4 * v + 2] };
		for ( int k = 0; k < 3; ++k )
		{
			fields[4 * v + k] = inverse.m[3 * k] * right[0] + inverse.m[3 * k + 1] * right[1] + inverse.m[3 * k + 2] * right[2];
		}
	}
}

static void pnAddField( const pnSlice* slice, int node, const double center[3], const double* fields, int count, double sign )
{
	const float* p = &slice->places[node].x;
	double d[3] = { (double)p[0] - center[0], (double)p[1] - center[1], (double)p[2] - center[2] };
	for ( int k = 0; k < count; ++k )
	{
		float* value = slice->values + (size_t)node * count + k;
		*value = (float)( (double)*value + sign * ( fields[4 * k + 3] + fields[4 * k] * d[0] + fields[4 * k + 1] * d[1] + fields[4 * k + 2] * d[2] ) );
	}
}

// Values of inner nodes and of the blade's corners, where it ends inside: the field, and what the rims differ from it spread evenly.
static bool pnSpreadWithin( pnCutting* c, const pnFilling* filling, const pnPoint2* points, const int32_t* nodeOf, const uint8_t* known, pnSlice* slice )
{
	int count = c->source->valueCount, pointCount = c->rimCount + filling->innerCount;
	pnScratch scratch = { 0 };
	double* fields = pnTakeArray( &scratch, double, 4 * (size_t)count );
	float* kept = pnTakeArray( &scratch, float, (size_t)c->rimCount * count );
	double center[3] = { 0 };
	bool done = !scratch.failed;
	if ( done )
	{
		pnFitField( c, nodeOf, slice, center, fields );
	}
	for ( int i = 0; i < c->rimCount && done; ++i )
	{
		if ( known[i] )
		{
			memcpy( kept + (size_t)i * count, slice->values + (size_t)nodeOf[i] * count, (size_t)count * sizeof( float ) );
			pnAddField( slice, nodeOf[i], center, fields, count, -1.0 );
		}
	}
	done = done && pnSpreadValues( c, filling, points, nodeOf, known, false, count, slice->values );
	for ( int i = 0; i < pointCount && done; ++i )
	{
		if ( i < c->rimCount && known[i] )
		{
			memcpy( slice->values + (size_t)nodeOf[i] * count, kept + (size_t)i * count, (size_t)count * sizeof( float ) );
		}
		else
		{
			pnAddField( slice, nodeOf[i], center, fields, count, 1.0 );
		}
	}
	pnGiveBack( &scratch );
	return done;
}

// ---- triangles ----

typedef struct pnEmitter { int32_t *triangles, *origins; int count; } pnEmitter;

static void pnEmit( pnEmitter* e, int32_t a, int32_t b, int32_t d, int32_t origin )
{
	if ( a != b && b != d && d != a )
	{
		memcpy( e->triangles + 3 * (size_t)e->count, ( int32_t[3] ){ a, b, d }, 3 * sizeof( int32_t ) );
		e->origins[e->count++] = origin;
	}
}

static double pnGap2( const pnCutting* c, int32_t a, int32_t b )
{
	int first = c->source->nodeCount;
	pnVec3 x = a < first ? c->source->places[a] : c->places[a - first], y = b < first ? c->source->places[b] : c->places[b - first];
	pnVec3 d = pnSub( x, y );
	return (double)d.x * d.x + (double)d.y * d.y + (double)d.z * d.z;
}

static void pnEmitSegment( const pnCutting* c, const pnSegment* segment, pnEmitter* e )
{
	int32_t p = segment->p, q = segment->q, r = segment->r, t = segment->triangle;
	int32_t own[2], other[2]; // the crossings as p's side and the other one know them
	for ( int k = 0; k < 2; ++k )
	{
		int32_t rim = c->crossings[segment->ends[k]].rim;
		own[k] = rim < 0 ? -1 : segment->above ? c->rims[rim].above : c->rims[rim].below;
		other[k] = rim < 0 ? -1 : segment->above ? c->rims[rim].below : c->rims[rim].above;
	}
	int32_t first = segment->rims[0] >= 0 ? c->rims[segment->rims[0]].above : -1, last = segment->rims[1] >= 0 ? c->rims[segment->rims[1]].above : -1;
	if ( !segment->cut )
	{
		pnEmit( e, p, q, r, t );
	}
	else if ( first < 0 && last < 0 )
	{
		pnEmit( e, p, own[0], own[1], t );
		if ( pnGap2( c, other[0], r ) <= pnGap2( c, q, other[1] ) || other[0] == q || other[1] == r )
		{
			pnEmit( e, other[0], q, r, t );
			pnEmit( e, other[0], r, other[1], t );
		}
		else
		{
			pnEmit( e, other[0], q, other[1], t );
			pnEmit( e, q, r, other[1], t );
		}
	}
	else if ( first < 0 )
	{
		pnEmit( e, last, p, own[0], t );
		pnEmit( e, last, other[0], q, t );
		pnEmit( e, last, q, r, t );
		pnEmit( e, last, r, p, t );
	}
	else if ( last < 0 )
	{
		pnEmit( e, first, p, q, t );
		pnEmit( e, first, q, r, t );
		pnEmit( e, first, r, other[1], t );
		pnEmit( e, first, own[1], p, t );
	}
	else
	{
		pnRim middle = c->rims[segment->middle];
		int32_t mine = segment->above ? middle.above : middle.below, theirs = segment->above ? middle.below : middle.above;
		pnEmit( e, p, q, first, t );
		pnEmit( e, q, r, first, t );
		pnEmit( e, p, first, mine, t );
		pnEmit( e, p, mine, last, t );
		pnEmit( e, first, r, theirs, t );
		pnEmit( e, theirs, r, last, t );
		pnEmit( e, last, r, p, t );
	}
}

static int32_t pnChooseSpacing( const pnCutting* c )
{
	double area = 0.0, length = 0.0;
	for ( int i = 0; i < c->edgeCount; ++i )
	{
		pnPoint2 a = c->grid[c->edges[2 * i]], b = c->grid[c->edges[2 * i + 1]];
		double x = (double)b.x - a.x, y = (double)b.y - a.y;
		area += 0.5 * ( (double)a.x * b.y - (double)a.y * b.x );
		length += sqrt( x * x + y * y );
	}
	if ( !( area > 0.0 ) || c->edgeCount == 0 )
	{
		return 0;
	}
	// As wide as the rim's edges and a half; but a dozen points at least, so that the face can bend, and some hundreds at most.
	double spacing = 1.5 * length / c->edgeCount, finest = sqrt( area / 400.0 ), widest = sqrt( area / 12.0 );
	spacing = spacing < finest ? finest : spacing > widest ? widest : spacing;
	double least = ( c->ends ? 1.0 : pn_faceSpacing ) * c->source->spacing * c->scale; // the rim may be finer: one cut after another must not crowd the body
	least = least < widest || c->ends ? least : widest;
	spacing = spacing < least ? least : spacing;
	return (int32_t)( spacing < 4.0 ? 4.0 : spacing );
}

static bool pnIsShared( const pnCutting* c, int32_t point )
{
	return point < c->rimCount && c->rims[point].above == c->rims[point].below;
}

static bool pnIsOutline( const pnCutting* c, int32_t from, int32_t to )
{
	bool found = false;
	for ( int i = 0; i < c->edgeCount && !found; ++i )
	{
		found = c->edges[2 * i] == from && c->edges[2 * i + 1] == to;
	}
	return found;
}

// Edges within the filling between two places where the sides hang together would be edges of both walls: four triangles at one edge. Each
// gets a point in its middle, which the walls do not share.
static bool pnSplitHinges( pnCutting* c, pnFilling* filling )
{
	int hinges = 0;
	for ( int i = 0; i < 3 * filling->triangleCount; ++i )
	{
		int32_t a = filling->triangles[i], b = filling->triangles[i - i % 3 + ( i + 1 ) % 3];
		hinges += pnIsShared( c, a ) && pnIsShared( c, b );
	}
	if ( hinges == 0 )
	{
		return true;
	}
	pnPoint2* inner = pnTakeArray( &c->scratch, pnPoint2, filling->innerCount + hinges );
	int32_t* triangles = pnTakeArray( &c->scratch, int32_t, 3 * (size_t)( filling->triangleCount + hinges ) );
	if ( c->scratch.failed )
	{
		return false;
	}
	int count = filling->triangleCount, innerCount = filling->innerCount;
	if ( innerCount > 0 )
	{
		memcpy( inner, filling->inner, (size_t)innerCount * sizeof( pnPoint2 ) );
	}
	memcpy( triangles, filling->triangles, 3 * (size_t)count * sizeof( int32_t ) );
	for ( int i = 0; i < 3 * count; ++i )
	{
		int32_t *t = triangles + ( i - i % 3 ), a = t[i % 3], b = t[( i + 1 ) % 3], third = t[( i + 2 ) % 3];
		if ( !pnIsShared( c, a ) || !pnIsShared( c, b ) || pnIsOutline( c, a, b ) )
		{
			continue;
		}
		int32_t middle = c->rimCount + innerCount;
		inner[innerCount++] = (pnPoint2){ (int32_t)( ( (int64_t)c->grid[a].x + c->grid[b].x ) / 2 ), (int32_t)( ( (int64_t)c->grid[a].y + c->grid[b].y ) / 2 ) };
		for ( int k = i + 1; k < 3 * count; ++k ) // its other triangle: ( b, a, fourth )
		{
			int32_t *u = triangles + ( k - k % 3 ), fourth = u[( k + 2 ) % 3];
			if ( u[k % 3] == b && u[( k + 1 ) % 3] == a )
			{
				u[( k + 1 ) % 3] = middle;
				memcpy( triangles + 3 * (size_t)count, ( int32_t[3] ){ middle, a, fourth }, 3 * sizeof( int32_t ) );
				count += 1;
				break;
			}
		}
		t[( i + 1 ) % 3] = middle;
		memcpy( triangles + 3 * (size_t)count, ( int32_t[3] ){ middle, b, third }, 3 * sizeof( int32_t ) );
		count += 1;
	}
	filling->inner = inner;
	filling->innerCount = innerCount;
	filling->triangles = triangles;
	filling->triangleCount = count;
	return true;
}

static double pnChooseKerf( const pnCutting* c, const pnFilling* filling )
{
	const pnSliceSource* s = c->source;
	double volume = 0.0, area = 0.0;
	pnVec3 origin = s->places[s->triangles[0]];
	for ( int t = 0; t < s->triangleCount; ++t )
	{
		const int32_t* k = s->triangles + 3 * (size_t)t;
		pnVec3 a = pnSub( s->places[k[0]], origin ), b = pnSub( s->places[k[1]], origin ), d = pnSub( s->places[k[2]], origin );
		volume += (double)pnDot( a, pnCross( b, d ) ) / 6.0;
	}
	for ( int t = 0; t < filling->triangleCount; ++t )
	{
		pnPoint2 at[3];
		for ( int k = 0; k < 3; ++k )
		{
			int32_t point = filling->triangles[3 * (size_t)t + k];
			at[k] = point < c->rimCount ? c->grid[point] : filling->inner[point - c->rimCount];
		}
		area += 0.5 * fabs( (double)pnSideOf( at[0], at[1], at[2] ) ) / ( c->scale * c->scale );
	}
	double most = 1e-6 * fabs( volume ); // of the volume, in all
	return area * s->kerf > most && most > 0.0 ? most / area : s->kerf;
}

static bool pnFinishSlice( pnCutting* c, const pnFilling* filling, pnScratch* scratch, pnSlice* slice )
{
	const pnSliceSource* s = c->source;
	int rimNodes = c->nodeCount, count = rimNodes + 2 * filling->innerCount, pointCount = c->rimCount + filling->innerCount;
	int most = s->triangleCount + 6 * c->segmentCount + 2 * filling->triangleCount;
	slice->added = pnTakeRawArray( scratch, pnSliceNode, count );
	slice->places = pnTakeRawArray( scratch, pnVec3, count );
	slice->values = pnTakeArray( scratch, float, (size_t)count * s->valueCount );
	slice->triangles = pnTakeRawArray( scratch, int32_t, 3 * (size_t)most );
	slice->origins = pnTakeRawArray( scratch, int32_t, most );
	slice->above = pnTakeArray( scratch, uint8_t, s->nodeCount );
	pnPoint2* points = pnTakeArray( &c->scratch, pnPoint2, pointCount );
	int32_t* nodeOf = pnTakeArray( &c->scratch, int32_t, pointCount ); // added node, for the values
	uint8_t* known = pnTakeArray( &c->scratch, uint8_t, pointCount );
	if ( scratch->failed || c->scratch.failed )
	{
		return false;
	}
	memcpy( slice->added, c->nodes, (size_t)rimNodes * sizeof( pnSliceNode ) );
	memcpy( slice->places, c->places, (size_t)rimNodes * sizeof( pnVec3 ) );
	memcpy( slice->above, c->above, (size_t)s->nodeCount );
	slice->addedCount = count;
	slice->ends = c->ends;
	for ( int i = 0; i < rimNodes; ++i )
	{
		if ( c->nodes[i].from[0] >= 0 )
		{
			pnGetWeighed( c, c->nodes + i, slice->values + (size_t)i * s->valueCount );
		}
	}
	for ( int i = 0; i < c->rimCount; ++i )
	{
		pnRim rim = c->rims[i];
		points[i] = c->grid[i];
		nodeOf[i] = ( rim.above >= s->nodeCount ? rim.above : rim.below ) - s->nodeCount;
		known[i] = c->nodes[nodeOf[i]].from[0] >= 0;
	}
	for ( int i = 0; i < filling->innerCount; ++i )
	{
		pnPoint2 at = filling->inner[i];
		double x = (double)at.x / c->scale + c->center[0], y = (double)at.y / c->scale + c->center[1];
		int first = rimNodes + 2 * i;
		for ( int k = 0; k < 3; ++k )
		{
			( &slice->places[first].x )[k] = (float)( c->blade->origin[k] + x * c->blade->u[k] + y * c->blade->v[k] );
		}
		slice->added[first] = (pnSliceNode){ { -1, -1, -1 }, { 0.0f, 0.0f, 0.0f }, 1 };
		slice->added[first + 1] = (pnSliceNode){ { -1, -1, -1 }, { 0.0f, 0.0f, 0.0f }, -1 };
		points[c->rimCount + i] = at;
		nodeOf[c->rimCount + i] = first;
	}
	for ( int i = 0; i < pointCount && c->blade->rough > 0.0; ++i )
	{
		pnVec3* at = slice->places + nodeOf[i];
		double height = i >= c->rimCount || known[i] == 0 ? pnGetRoughness( c->blade, *at ) : 0.0;
		*at = pnMulAdd( *at, (float)height, pnMakeVec3( (float)c->blade->n[0], (float)c->blade->n[1], (float)c->blade->n[2] ) );
	}
	bool spread = pnSpreadHeights( c, filling, points, nodeOf, known, slice );
	spread = spread && ( c->ends || c->blade->rough > 0.0 ? pnSpreadWithin( c, filling, points, nodeOf, known, slice )
								 : pnSpreadValues( c, filling, points, nodeOf, known, true, s->valueCount, slice->values ) );
	if ( !spread )
	{
		return false;
	}
	size_t size = (size_t)s->valueCount * sizeof( float );
	for ( int i = 0; i < filling->innerCount; ++i )
	{
		size_t first = (size_t)( rimNodes + 2 * i );
		slice->places[first + 1] = slice->places[first];
		if ( size > 0 )
		{
			memcpy( slice->values + ( first + 1 ) * s->valueCount, slice->values + first * s->valueCount, size );
		}
	}

	pnEmitter e = { slice->triangles, slice->origins, 0 };
	int next = 0; // segments come in the order of their triangles
	for ( int t = 0; t < s->triangleCount; ++t )
	{
		if ( next < c->segmentCount && c->segments[next].triangle == t )
		{
			pnEmitSegment( c, c->segments + next++, &e );
		}
		else
		{
			pnEmit( &e, s->triangles[3 * (size_t)t], s->triangles[3 * (size_t)t + 1], s->triangles[3 * (size_t)t + 2], t );
		}
	}
	for ( int t = 0; t < filling->triangleCount; ++t )
	{
		int32_t up[3], down[3];
		for ( int k = 0; k < 3; ++k )
		{
			int32_t point = filling->triangles[3 * (size_t)t + k], inner = s->nodeCount + rimNodes + 2 * ( point - c->rimCount );
			up[k] = point < c->rimCount ? c->rims[point].above : inner;
			down[k] = point < c->rimCount ? c->rims[point].below : inner + 1;
		}
		pnEmit( &e, up[0], up[2], up[1], -1 ); // the part above looks down
		pnEmit( &e, down[0], down[1], down[2], -1 );
	}
	slice->triangleCount = e.count;
	slice->kerf = c->ends ? pnChooseKerf( c, filling ) : 0.0;
	for ( int i = 0; i < count && slice->kerf > 0.0; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			float* at = &slice->places[i].x + k;
			*at = (float)( (double)*at + slice->kerf * slice->added[i].side * c->blade->n[k] );
		}
	}
	return true;
}

bool pnSliceSurface( const pnSliceSource* source, const pnBlade* blade, pnScratch* scratch, pnSlice* slice )
{
	*slice = (pnSlice){ 0 };
	pnCutting c = { .source = source, .blade = blade };
	bool fine = pnFindSegments( &c ) && pnLeaveAllTouched( &c ), any = false;
	if ( fine && c.segmentCount > 0 )
	{
		pnLayGrid( &c );
		pnNameLoops( &c );
		size_t places = 2 * (size_t)c.crossingCount + 4 * (size_t)c.segmentCount, corners = (size_t)PN_BLADE_CORNERS * ( 2 + (size_t)c.segmentCount );
		corners = c.whole ? 0 : corners;
		c.rims = pnTakeRawArray( &c.scratch, pnRim, places + corners );
		c.grid = pnTakeRawArray( &c.scratch, pnPoint2, places + corners );
		c.nodes = pnTakeRawArray( &c.scratch, pnSliceNode, places + corners );
		c.places = pnTakeRawArray( &c.scratch, pnVec3, places + corners );
		c.gates = pnTakeRawArray( &c.scratch, pnGate, 2 * (size_t)c.segmentCount );
		c.edges = pnTakeRawArray( &c.scratch, int32_t, 2 * ( 2 * (size_t)c.segmentCount + corners + places ) );
		fine = !c.scratch.failed && pnFindSealed( &c ) && pnOpenCrossings( &c );
		if ( fine )
		{
			pnClipSegments( &c );
			pnCloseGates( &c );
		}
		for ( int i = 0; i < c.segmentCount && fine; ++i )
		{
			any = any || c.segments[i].cut;
		}
	}
	if ( fine && any )
	{
		pnOutline outline = { c.grid, c.rimCount, c.edges, c.edgeCount, pnChooseSpacing( &c ) };
		pnFilling filling = { 0 };
		fine = pnFillOutline( &outline, &c.scratch, &filling ) && pnSplitHinges( &c, &filling ) && pnFinishSlice( &c, &filling, scratch, slice );
	}
	pnGiveBack( &c.scratch );
	return fine;
}
