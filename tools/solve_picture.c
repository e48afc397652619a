// solve_picture.c - pictures of an answer: the deformed surface, thin bars where it was at rest, what presses on it. Knows no files.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "solve_picture.h"

#include "../src/kelvin/vec3d.h"
#include "raster.h"

#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
	PN_INDENTER_COLOR = 0x9aa0a6,
	PN_OUTLINE_COLOR = 0x303438,
	PN_BALL_RINGS = 20,
	PN_MAX_HULL_TRIANGLES = 4096,
	PN_MAX_BARS = 6000,
};

static pnVec3 pnToFloats( pnVec3d a ) { return pnMakeVec3( (float)a.x, (float)a.y, (float)a.z ); }

// A surface that things are added to; what does not fit is left out.
typedef struct pnCanvas
{
	pnSurface surface;
	int vertexCapacity, triangleCapacity;
} pnCanvas;

static int pnPutCanvasVertex( pnCanvas* canvas, pnVec3d point, pnVec3d normal, uint32_t color )
{
	pnSurface* surface = &canvas->surface;
	surface->positions[surface->vertexCount] = pnToFloats( point );
	surface->normals[surface->vertexCount] = pnToFloats( normal );
	surface->colors[surface->vertexCount] = color;
	return surface->vertexCount++;
}

static void pnPutCanvasTriangle( pnCanvas* canvas, int a, int b, int c )
{
	int32_t* corners = canvas->surface.triangles + 3 * (size_t)canvas->surface.triangleCount++;
	corners[0] = a;
	corners[1] = b;
	corners[2] = c;
}

static bool pnHasRoom( const pnCanvas* canvas, int vertices, int triangles )
{
	return canvas->surface.vertexCount + vertices <= canvas->vertexCapacity && canvas->surface.triangleCount + triangles <= canvas->triangleCapacity;
}

static void pnPutFlat( pnCanvas* canvas, pnVec3d a, pnVec3d b, pnVec3d c, pnVec3d normal, uint32_t color )
{
	if ( pnHasRoom( canvas, 3, 1 ) )
	{
		int first = pnPutCanvasVertex( canvas, a, normal, color );
		pnPutCanvasVertex( canvas, b, normal, color );
		pnPutCanvasVertex( canvas, c, normal, color );
		pnPutCanvasTriangle( canvas, first, first + 1, first + 2 );
	}
}

// ---- indenters ----

static void pnPutBall( pnCanvas* canvas, pnVec3d center, double radius )
{
	enum
	{
		across = 2 * PN_BALL_RINGS
	};
	if ( pnHasRoom( canvas, ( PN_BALL_RINGS + 1 ) * across, 2 * PN_BALL_RINGS * across ) == false )
	{
		return;
	}
	int first = canvas->surface.vertexCount;
	for ( int i = 0; i < ( PN_BALL_RINGS + 1 ) * across; ++i )
	{
		double polar = 3.14159265358979 * ( i / across ) / PN_BALL_RINGS, angle = 6.28318530717959 * ( i % across ) / across;
		pnVec3d normal = { sin( polar ) * cos( angle ), cos( polar ), sin( polar ) * sin( angle ) };
		pnPutCanvasVertex( canvas, pnMulAddD( center, radius, normal ), normal, PN_INDENTER_COLOR );
	}
	for ( int i = 0; i < PN_BALL_RINGS * across; ++i )
	{
		int a = first + i, b = first + i / across * across + ( i + 1 ) % across;
		pnPutCanvasTriangle( canvas, a, b, b + across );
		pnPutCanvasTriangle( canvas, a, b + across, a + across );
	}
}

// Every triangle of points that has all others on one side is part of the hull. Points are few.
static void pnPutHull( pnCanvas* canvas, const pnVec3d* points, int count, pnVec3d move )
{
	for ( int i = 0; i < count; ++i )
	{
		for ( int j = i + 1; j < count; ++j )
		{
			for ( int k = j + 1; k < count; ++k )
			{
				pnVec3d normal = pnCrossD( pnSubD( points[j], points[i] ), pnSubD( points[k], points[i] ) );
				double length = pnLengthD( normal );
				bool above = false, below = false;
				for ( int m = 0; m < count && ( above && below ) == false && length > 0.0; ++m )
				{
					double side = pnDotD( normal, pnSubD( points[m], points[i] ) ) / length, margin = 1e-7 * sqrt( length );
					above = above || side > margin;
					below = below || side < -margin;
				}
				if ( length > 0.0 && ( above && below ) == false )
				{
					normal = pnScaleD( ( above ? -1.0 : 1.0 ) / length, normal );
					pnPutFlat( canvas, pnAddD( points[i], move ), pnAddD( points[j], move ), pnAddD( points[k], move ), normal, PN_INDENTER_COLOR );
				}
			}
		}
	}
}

// A plate has no end; shown is what touches, and a rim around it.
static void pnBoundPlate( const pnPictureDef* def, pnVec3d face, pnVec3d way, pnVec3d corners[8] )
{
	const pnSolution* solution = def->solution;
	double lower[2] = { INFINITY, INFINITY }, upper[2] = { -INFINITY, -INFINITY }, rim = 0.06 * solution->size;
	pnVec3d axes[2];
	pnMakeFrameD( way, &axes[0], &axes[1] );
	for ( int i = 0; i < solution->vertexCount; ++i )
	{
		pnVec3d d = pnSubD( pnMulAddD( solution->rest[i], def->exaggerate, solution->displacements[i] ), face );
		bool touches = pnDotD( d, way ) < 0.005 * solution->size;
		for ( int k = 0; k < 2 && touches; ++k )
		{
			lower[k] = fmin( lower[k], pnDotD( d, axes[k] ) );
			upper[k] = fmax( upper[k], pnDotD( d, axes[k] ) );
		}
	}
	for ( int k = 0; k < 2; ++k )
	{
		lower[k] = lower[k] > upper[k] ? -rim : lower[k] - rim; // nothing touches: a small one
		upper[k] = upper[k] < lower[k] ? rim : upper[k] + rim;
	}
	for ( int k = 0; k < 8; ++k )
	{
		corners[k] = pnMulAddD( face, k & 4 ? -0.5 * rim : 0.0, way );
		corners[k] = pnMulAddD( corners[k], k & 1 ? upper[0] : lower[0], axes[0] );
		corners[k] = pnMulAddD( corners[k], k & 2 ? upper[1] : lower[1], axes[1] );
	}
}

static void pnPutIndenters( pnCanvas* canvas, const pnPictureDef* def )
{
	const pnProblem* problem = def->problem;
	for ( int i = 0; i < problem->indenterCount; ++i )
	{
		const pnIndenter* indenter = problem->indenters + i;
		double depth = 0.0;
		pnKelvin_GetIndenter( def->kelvin, i, NULL, &depth, NULL );
		pnVec3d way = pnUnitD( indenter->direction ), move = pnScaleD( def->exaggerate, pnMulAddD( indenter->drag, depth, way ) );
		if ( indenter->kind == pn_ballIndenter )
		{
			pnPutBall( canvas, pnAddD( indenter->center, move ), indenter->radius );
		}
		else if ( indenter->kind == pn_convexIndenter )
		{
			pnPutHull( canvas, indenter->points, indenter->pointCount, move );
		}
		else
		{
			pnVec3d corners[8];
			pnBoundPlate( def, pnAddD( indenter->center, move ), way, corners );
			pnPutHull( canvas, corners, 8, pnMakeD( 0.0, 0.0, 0.0 ) );
		}
	}
}

// ---- where it was ----

typedef struct pnOutlineEdge
{
	int32_t low, high; // points of the skin
	int32_t triangle;
} pnOutlineEdge;

static int pnCompareOutlineEdges( const void* a, const void* b )
{
	const pnOutlineEdge *p = a, *q = b;
	int order = p->low != q->low ? ( p->low > q->low ) - ( p->low < q->low ) : ( p->high > q->high ) - ( p->high < q->high );
	return order != 0 ? order : ( p->triangle > q->triangle ) - ( p->triangle < q->triangle );
}

static void pnPutBar( pnCanvas* canvas, pnVec3d a, pnVec3d b, double radius )
{
	if ( pnHasRoom( canvas, 6, 6 ) == false )
	{
		return;
	}
	pnVec3d s, t;
	pnMakeFrameD( pnUnitD( pnSubD( b, a ) ), &s, &t );
	int first = canvas->surface.vertexCount;
	for ( int i = 0; i < 6; ++i )
	{
		double angle = 6.28318530717959 / 3.0 * ( i % 3 );
		pnVec3d normal = pnMulAddD( pnScaleD( cos( angle ), s ), sin( angle ), t );
		pnPutCanvasVertex( canvas, pnMulAddD( i < 3 ? a : b, radius, normal ), normal, PN_OUTLINE_COLOR );
	}
	for ( int i = 0; i < 3; ++i )
	{
		int j = ( i + 1 ) % 3;
		pnPutCanvasTriangle( canvas, first + i, first + j, first + 3 + j );
		pnPutCanvasTriangle( canvas, first + i, first + 3 + j, first + 3 + i );
	}
}

static bool pnPutOutline( pnCanvas* canvas, const pnPictureDef* def, pnVec3d eye )
{
	const pnSkinMesh* skin = &def->problem->skin;
	size_t count = 3 * (size_t)skin->triangleCount;
	pnOutlineEdge* edges = malloc( ( count + 1 ) * sizeof( pnOutlineEdge ) );
	pnVec3d* flats = malloc( (size_t)( skin->triangleCount + 1 ) * sizeof( pnVec3d ) );
	bool good = edges != NULL && flats != NULL;
	for ( size_t i = 0; i < count && good; ++i )
	{
		const int32_t* c = skin->triangles + i / 3 * 3;
		int32_t a = c[i % 3], b = c[( i + 1 ) % 3];
		edges[i] = (pnOutlineEdge){ a < b ? a : b, a < b ? b : a, (int32_t)( i / 3 ) };
		pnVec3d p = skin->points[c[0]];
		flats[i / 3] = pnUnitD( pnCrossD( pnSubD( skin->points[c[1]], p ), pnSubD( skin->points[c[2]], p ) ) );
	}
	if ( good )
	{
		qsort( edges, count, sizeof( pnOutlineEdge ), pnCompareOutlineEdges );
	}
	for ( size_t i = 0; i + 1 < count && good; ++i )
	{
		if ( edges[i].low != edges[i + 1].low || edges[i].high != edges[i + 1].high )
		{
			continue;
		}
		pnVec3d a = skin->points[edges[i].low], b = skin->points[edges[i].high], look = pnSubD( a, eye );
		pnVec3d n = flats[edges[i].triangle], m = flats[edges[i + 1].triangle];
		bool isCrease = pnDotD( n, m ) < 0.5, isSilhouette = ( pnDotD( n, look ) < 0.0 ) != ( pnDotD( m, look ) < 0.0 );
		if ( isCrease || isSilhouette )
		{
			pnPutBar( canvas, a, b, 0.0016 * def->solution->size );
		}
	}
	free( edges );
	free( flats );
	return good;
}

// ---- the picture ----

// The camera stands where it sees all there is.
static pnCamera pnChooseCamera( const pnSurface* surface, const pnPictureDef* def )
{
	const pnSkinMesh* skin = &def->problem->skin;
	int restCount = def->withOutline ? skin->pointCount : 0;
	pnVec3 lower = surface->positions[0], upper = lower;
	for ( int i = -restCount; i < surface->vertexCount; ++i )
	{
		pnVec3 p = i < 0 ? pnToFloats( skin->points[i + restCount] ) : surface->positions[i];
		lower = pnMin3( lower, p );
		upper = pnMax3( upper, p );
	}
	pnCamera camera = { .target = pnScale( 0.5f, pnAdd( lower, upper ) ), .azimuth = (float)def->azimuth, .elevation = (float)def->elevation };
	float a = (float)( def->azimuth * 3.14159265 / 180.0 ), e = (float)( def->elevation * 3.14159265 / 180.0 );
	pnVec3 back = pnMakeVec3( cosf( e ) * sinf( a ), sinf( e ), cosf( e ) * cosf( a ) ), right = pnMakeVec3( cosf( a ), 0.0f, -sinf( a ) );
	pnVec3 up = pnCross( back, right );
	// The picture is 28 degrees high, or as much wide as its shape gives: what lies at x to the side must be so far away.
	float slope = tanf( 14.0f * 3.14159265f / 180.0f ), wide = (float)def->width / (float)def->height;
	float scale = fminf( 1.0f, 0.75f * wide ); // as the raster has it: narrow pictures are not cut
	for ( int i = -restCount; i < surface->vertexCount; ++i )
	{
		pnVec3 d = pnSub( i < 0 ? pnToFloats( skin->points[i + restCount] ) : surface->positions[i], camera.target );
		float across = fabsf( pnDot( d, right ) ) * scale / wide, above = fabsf( pnDot( d, up ) ) * scale;
		camera.distance = fmaxf( camera.distance, pnDot( d, back ) + 1.08f * fmaxf( across, above ) / slope );
	}
	camera.ground = lower.y - 0.002f * ( upper.y - lower.y );
	return camera;
}

pnPictureDef pnChoosePicture( const pnProblem* problem, const pnSolution* solution, const pnKelvin* kelvin, pnFieldKind field, int view )
{
	return (pnPictureDef){
		.problem = problem,
		.solution = solution,
		.kelvin = kelvin,
		.field = field,
		.exaggerate = pnChooseExaggeration( problem, solution ),
		.azimuth = problem->views[view][0],
		.elevation = problem->views[view][1],
		.withIndenters = problem->showIndenters && field == pn_displacementField, // elsewhere what they press on is to be seen
		.withOutline = true,
	};
}

static void pnDrawLegend( const pnPictureDef* def, pnImage* image )
{
	static const char* const names[pn_fieldKindCount] = { "displacement, m", "von mises stress, pa", "force on the surface, pa" };
	char name[80];
	snprintf( name, sizeof( name ), def->exaggerate == 1.0 ? "%s" : "%s; shown %.4g times larger", names[def->field], def->exaggerate );
	int height = def->legendHeight / 2;
	pnDrawColorBar( image, 12, def->height + height / 2, 160, height, 1, PN_OUTLINE_COLOR, name, 0.0f, (float)def->solution->usual[def->field] );
}

bool pnDrawSolution( const pnPictureDef* def, pnImage* image )
{
	pnCanvas canvas;
	int extra = 3 * PN_MAX_HULL_TRIANGLES + PN_MAX_INDENTERS * ( PN_BALL_RINGS + 1 ) * 4 * PN_BALL_RINGS + 6 * PN_MAX_BARS;
	if ( pnMakeSolutionSurface( def->solution, def->field, def->exaggerate, extra, extra, &canvas.surface ) == false )
	{
		return false;
	}
	canvas.vertexCapacity = canvas.surface.vertexCount + extra;
	canvas.triangleCapacity = canvas.surface.triangleCount + extra;
	// Plates and bricks do not decide how much is seen, balls do: they are round and not that large.
	pnCamera camera = pnChooseCamera( &canvas.surface, def );
	bool good = true;
	if ( def->withIndenters )
	{
		pnPutIndenters( &canvas, def );
		pnCamera wide = pnChooseCamera( &canvas.surface, def );
		camera = wide.distance < 1.6f * camera.distance ? wide : camera;
		camera.ground = fminf( camera.ground, wide.ground );
	}
	if ( def->withOutline && def->problem->skin.normals == NULL )
	{
		double a = camera.azimuth * 3.14159265 / 180.0, e = camera.elevation * 3.14159265 / 180.0;
		pnVec3d eye = { (double)camera.target.x + camera.distance * cos( e ) * sin( a ), (double)camera.target.y + camera.distance * sin( e ),
						(double)camera.target.z + camera.distance * cos( e ) * cos( a ) };
		good = pnPutOutline( &canvas, def, eye );
	}
	canvas.surface.wallVertex = canvas.surface.vertexCount;
	canvas.surface.wallTriangle = canvas.surface.triangleCount;
	good = good && pnCreateImage( image, def->width, def->height + def->legendHeight, 0xffffff );
	if ( good && pnDrawSurface( image, 0, 0, def->width, def->height, &canvas.surface, &camera, false ) == false )
	{
		pnDestroyImage( image );
		good = false;
	}
	if ( good && def->legendHeight > 0 )
	{
		pnDrawLegend( def, image );
	}
	pnDestroySurface( &canvas.surface );
	return good;
}

// ---- as text ----

char* pnMakePngText( const pnImage* image )
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	png_image png = { .version = PNG_IMAGE_VERSION };
	png.width = (png_uint_32)image->width;
	png.height = (png_uint_32)image->height;
	png.format = PNG_FORMAT_RGB;
	png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX( png );
	uint8_t* bytes = malloc( size + 3 );
	if ( bytes == NULL || png_image_write_to_memory( &png, bytes, &size, 0, image->pixels, 0, NULL ) == 0 )
	{
		free( bytes );
		return NULL;
	}
	char* text = malloc( ( size + 2 ) / 3 * 4 + 1 );
	size_t used = 0;
	for ( size_t i = 0; i < size && text != NULL; i += 3 ) // base64
	{
		uint32_t word = (uint32_t)bytes[i] << 16 | ( i + 1 < size ? (uint32_t)bytes[i + 1] << 8 : 0 ) | ( i + 2 < size ? bytes[i + 2] : 0 );
		for ( int k = 0; k < 4; ++k )
		{
			text[used++] = (size_t)k > size - i ? '=' : digits[word >> ( 18 - 6 * k ) & 63];
		}
	}
	if ( text != NULL )
	{
		text[used] = 0;
	}
	free( bytes );
	return text;
}
