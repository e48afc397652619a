// raster.c - a small software rasteriser: 9 samples a pixel, many small lights instead of a big one. Knows no worlds and no files.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
//
// Soft shadows and the darkening of corners come from one thing: a sun of many suns and a sky of many lamps, each with a
// depth map of its own. The samples of a pixel share the lights among them.
#include "raster.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
	PN_SAMPLES = 3, // along each side of a pixel
	PN_SUN_LIGHTS = 81, // multiples of nine
	PN_SKY_LIGHTS = 72,
	PN_QUICK_LIGHTS = 18, // of each, for films: a quarter of the time, and shadows with a little grain
	PN_LIGHTS = PN_SUN_LIGHTS + PN_SKY_LIGHTS,
	PN_LIGHT_GROUPS = PN_SAMPLES * PN_SAMPLES, // a sample looks at one light of nine, so that the pixel has seen all
	PN_MAP_SIZE = 400, // texels along the side of a depth map
};

#define PN_RASTER_PI 3.14159265f
#define PN_FIELD_OF_VIEW 28.0f // degrees, along the height

typedef struct pnLight
{
	pnVec3 direction, u, v; // towards the light, and across
	float* depths; // greater is nearer to the light, metres from the centre
} pnLight;

typedef struct pnStage
{
	const pnSurface* surface;
	pnVec3 eye, right, up, back; // the camera's place and axes
	float focal; // samples for a unit of slope
	float ground, fadeStart, fadeEnd; // metres; the floor fades into the background with the distance from its middle
	pnVec3 middle;
	float gridSpacing; // metres
	bool hasGround;
	int width, height; // samples
	float* depths; // 1 / distance, greater is nearer
	int32_t* ids; // triangle, or -1
	float* screen; // x, y, 1 / distance for each vertex
	pnVec3 lightCenter;
	float lightRadius, bias;
	pnVec3 sun;
	pnLight lights[PN_LIGHTS];
	int sunCount, lightCount; // suns come first
	float skySum[PN_LIGHT_GROUPS]; // what a floor under an open sky gets
} pnStage;

static pnVec3 pnNormalize( pnVec3 a )
{
	float length = sqrtf( pnDot( a, a ) );
	return length > 0.0f ? pnScale( 1.0f / length, a ) : pnMakeVec3( 0.0f, 1.0f, 0.0f );
}

static float pnClamp( float a, float lower, float upper ) { return a < lower ? lower : a > upper ? upper : a; }

static float pnSmooth( float a, float b, float x )
{
	x = pnClamp( ( x - a ) / ( b - a ), 0.0f, 1.0f );
	return x * x * ( 3.0f - 2.0f * x );
}

static pnVec3 pnMix( pnVec3 a, pnVec3 b, float share ) { return pnAdd( pnScale( 1.0f - share, a ), pnScale( share, b ) ); }

// Depths: greater is nearer. ids may be NULL.
static void pnFillTriangle( float* depths, int32_t* ids, int width, int height, const float* a, const float* b, const float* c, int32_t id )
{
	float area = ( b[0] - a[0] ) * ( c[1] - a[1] ) - ( b[1] - a[1] ) * ( c[0] - a[0] );
	if ( !( fabsf( area ) > 1e-12f ) ) // also if it is not a number
	{
		return;
	}
	float lowX = fminf( a[0], fminf( b[0], c[0] ) ), highX = fmaxf( a[0], fmaxf( b[0], c[0] ) );
	float lowY = fminf( a[1], fminf( b[1], c[1] ) ), highY = fmaxf( a[1], fmaxf( b[1], c[1] ) );
	if ( highX < 0.0f || highY < 0.0f || lowX > (float)width || lowY > (float)height )
	{
		return;
	}
	int left = (int)ceilf( fmaxf( lowX, 0.0f ) - 0.5f ), right = (int)floorf( fminf( highX, (float)width ) - 0.5f );
	int top = (int)ceilf( fmaxf( lowY, 0.0f ) - 0.5f ), bottom = (int)floorf( fminf( highY, (float)height ) - 0.5f );
	left = left < 0 ? 0 : left;
	top = top < 0 ? 0 : top;
	float scale = 1.0f / area;
	float stepB = ( c[1] - a[1] ) * scale, stepC = -( b[1] - a[1] ) * scale;
	for ( int y = top; y <= bottom && y < height; ++y )
	{
		float dx = (float)left + 0.5f - a[0], dy = (float)y + 0.5f - a[1];
		float shareB = ( dx * ( c[1] - a[1] ) - dy * ( c[0] - a[0] ) ) * scale;
		float shareC = ( dy * ( b[0] - a[0] ) - dx * ( b[1] - a[1] ) ) * scale;
		size_t at = (size_t)y * (size_t)width + (size_t)left;
		for ( int x = left; x <= right && x < width; ++x, ++at, shareB += stepB, shareC += stepC )
		{
			if ( shareB < -1e-5f || shareC < -1e-5f || shareB + shareC > 1.00001f )
			{
				continue;
			}
			float depth = a[2] + shareB * ( b[2] - a[2] ) + shareC * ( c[2] - a[2] );
			if ( depth > depths[at] )
			{
				depths[at] = depth;
				if ( ids != NULL )
				{
					ids[at] = id;
				}
			}
		}
	}
}

static void pnAimLight( pnLight* light, pnVec3 direction )
{
	light->direction = pnNormalize( direction );
	pnVec3 helper = fabsf( light->direction.y ) < 0.9f ? pnMakeVec3( 0.0f, 1.0f, 0.0f ) : pnMakeVec3( 1.0f, 0.0f, 0.0f );
	light->u = pnNormalize( pnCross( helper, light->direction ) );
	light->v = pnCross( light->direction, light->u );
}

static void pnPlaceLights( pnStage* stage, const pnCamera* camera )
{
	const float golden = 2.39996323f;
	float azimuth = ( camera->azimuth - 48.0f ) * ( PN_RASTER_PI / 180.0f ), elevation = 52.0f * ( PN_RASTER_PI / 180.0f );
	stage->sun = pnMakeVec3( cosf( elevation ) * sinf( azimuth ), sinf( elevation ), cosf( elevation ) * cosf( azimuth ) );
	pnLight middle;
	pnAimLight( &middle, stage->sun );
	for ( int i = 0; i < stage->lightCount; ++i )
	{
		pnLight* light = stage->lights + i;
		if ( i < stage->sunCount )
		{
			float radius = 0.11f * sqrtf( ( (float)i + 0.5f ) / (float)stage->sunCount ), angle = golden * (float)i;
			pnAimLight( light, pnAdd( middle.direction,
									  pnAdd( pnScale( radius * cosf( angle ), middle.u ), pnScale( radius * sinf( angle ), middle.v ) ) ) );
		}
		else
		{
			int k = i - stage->sunCount;
			float height = 0.08f + 0.92f * ( (float)k + 0.5f ) / (float)( stage->lightCount - stage->sunCount ), side = sqrtf( 1.0f - height * height );
			pnAimLight( light, pnMakeVec3( side * cosf( golden * (float)k ), height, side * sinf( golden * (float)k ) ) );
			stage->skySum[i % PN_LIGHT_GROUPS] += light->direction.y;
		}
	}
}

static void pnFillLightMap( const pnStage* stage, pnLight* light )
{
	for ( int i = 0; i < PN_MAP_SIZE * PN_MAP_SIZE; ++i )
	{
		light->depths[i] = -INFINITY;
	}
	const pnSurface* surface = stage->surface;
	float scale = 0.5f * (float)PN_MAP_SIZE / stage->lightRadius;
	for ( int i = 0; i < surface->wallTriangle; ++i )
	{
		float corners[3][3];
		for ( int j = 0; j < 3; ++j )
		{
			pnVec3 p = pnSub( surface->positions[surface->triangles[3 * i + j]], stage->lightCenter );
			corners[j][0] = 0.5f * (float)PN_MAP_SIZE + scale * pnDot( p, light->u );
			corners[j][1] = 0.5f * (float)PN_MAP_SIZE + scale * pnDot( p, light->v );
			corners[j][2] = pnDot( p, light->direction );
		}
		pnFillTriangle( light->depths, NULL, PN_MAP_SIZE, PN_MAP_SIZE, corners[0], corners[1], corners[2], i );
	}
}

static float pnIsLit( const pnStage* stage, const pnLight* light, pnVec3 place )
{
	pnVec3 p = pnSub( place, stage->lightCenter );
	float scale = 0.5f * (float)PN_MAP_SIZE / stage->lightRadius;
	float x = 0.5f * (float)PN_MAP_SIZE + scale * pnDot( p, light->u );
	float y = 0.5f * (float)PN_MAP_SIZE + scale * pnDot( p, light->v );
	if ( !( x >= 0.0f && y >= 0.0f && x < (float)PN_MAP_SIZE && y < (float)PN_MAP_SIZE ) )
	{
		return 1.0f;
	}
	return pnDot( p, light->direction ) + stage->bias >= light->depths[(int)y * PN_MAP_SIZE + (int)x] ? 1.0f : 0.0f;
}

// Linear light from a surface of that colour; group: which ninth of the lights to look at.
static pnVec3 pnShade( const pnStage* stage, pnVec3 place, pnVec3 normal, pnVec3 albedo, pnVec3 toEye, float gloss, int group )
{
	pnVec3 start = pnMulAdd( place, 1.5f * stage->bias, normal );
	float sun = 0.0f, sky = 0.0f;
	for ( int i = group; i < stage->lightCount; i += PN_LIGHT_GROUPS )
	{
		float facing = pnDot( normal, stage->lights[i].direction );
		if ( facing <= 0.0f )
		{
			continue;
		}
		float lit = pnIsLit( stage, stage->lights + i, start );
		sun += i < stage->sunCount ? lit * facing : 0.0f;
		sky += i < stage->sunCount ? 0.0f : lit * facing;
	}
	sun *= (float)PN_LIGHT_GROUPS / (float)stage->sunCount;
	sky /= stage->skySum[group];

	const pnVec3 sunColor = { 0.78f, 0.73f, 0.66f }, skyColor = { 0.36f, 0.39f, 0.44f }, bounceColor = { 0.17f, 0.16f, 0.15f };
	pnVec3 light = pnScale( sun, sunColor );
	light = pnMulAdd( light, sky, skyColor );
	light = pnMulAdd( light, 0.5f - 0.5f * normal.y, bounceColor );
	pnVec3 color = { albedo.x * light.x, albedo.y * light.y, albedo.z * light.z };

	float shine = pnDot( normal, pnNormalize( pnAdd( stage->sun, toEye ) ) );
	float rim = 1.0f - pnClamp( pnDot( normal, toEye ), 0.0f, 1.0f );
	float highlight = shine > 0.0f && sun > 0.0f ? 0.32f * powf( shine, 48.0f ) * pnClamp( 3.0f * sun, 0.0f, 1.0f ) : 0.0f;
	highlight += 0.16f * rim * rim * rim * rim * sky;
	return pnAdd( color, pnScale( gloss * highlight, pnMakeVec3( 1.0f, 0.98f, 0.95f ) ) );
}

static pnVec3 pnGetLinear( uint32_t color )
{
	return pnMakeVec3( powf( (float)( color >> 16 & 255 ) / 255.0f, 2.2f ), powf( (float)( color >> 8 & 255 ) / 255.0f, 2.2f ),
					   powf( (float)( color & 255 ) / 255.0f, 2.2f ) );
}

static pnVec3 pnGetBackground( float height ) // 0 at the lower edge of the picture, 1 at the upper
{
	return pnMix( pnMakeVec3( 0.80f, 0.80f, 0.79f ), pnMakeVec3( 0.55f, 0.63f, 0.72f ), pnSmooth( 0.25f, 1.1f, height ) );
}

static pnVec3 pnShadeGround( const pnStage* stage, pnVec3 direction, pnVec3 background, int group )
{
	float reach = ( stage->ground - stage->eye.y ) / direction.y;
	if ( stage->hasGround == false || !( reach > 0.0f ) )
	{
		return background;
	}
	pnVec3 place = pnMulAdd( stage->eye, reach, direction );
	pnVec3 across = pnSub( place, stage->middle );
	float distance = sqrtf( across.x * across.x + across.z * across.z );
	float fade = pnSmooth( stage->fadeStart, stage->fadeEnd, distance );
	if ( fade >= 1.0f )
	{
		return background;
	}
	float gridX = place.x / stage->gridSpacing, gridZ = place.z / stage->gridSpacing;
	float lineDistance = fminf( fabsf( gridX - roundf( gridX ) ), fabsf( gridZ - roundf( gridZ ) ) );
	float lightness = lineDistance < 0.012f ? 0.66f : 0.74f;
	pnVec3 color = pnShade( stage, place, pnMakeVec3( 0.0f, 1.0f, 0.0f ), pnScale( lightness, pnMakeVec3( 1.0f, 0.985f, 0.96f ) ),
							pnScale( -1.0f, direction ), 0.0f, group );
	return pnMix( color, background, fade );
}

static pnVec3 pnShadeTriangle( const pnStage* stage, int id, float x, float y, pnVec3 direction, int group )
{
	const pnSurface* surface = stage->surface;
	const int32_t* corners = surface->triangles + 3 * id;
	const float *a = stage->screen + 3 * corners[0], *b = stage->screen + 3 * corners[1], *c = stage->screen + 3 * corners[2];
	float area = ( b[0] - a[0] ) * ( c[1] - a[1] ) - ( b[1] - a[1] ) * ( c[0] - a[0] );
	float shareB = ( ( x - a[0] ) * ( c[1] - a[1] ) - ( y - a[1] ) * ( c[0] - a[0] ) ) / area;
	float shareC = ( ( y - a[1] ) * ( b[0] - a[0] ) - ( x - a[0] ) * ( b[1] - a[1] ) ) / area;
	float shares[3] = { ( 1.0f - shareB - shareC ) * a[2], shareB * b[2], shareC * c[2] };
	float sum = shares[0] + shares[1] + shares[2]; // perspective: shares on the screen weighted by 1 / distance
	pnVec3 place = { 0 }, normal = { 0 }, albedo = { 0 };
	for ( int j = 0; j < 3; ++j )
	{
		float share = shares[j] / sum;
		place = pnMulAdd( place, share, surface->positions[corners[j]] );
		normal = pnMulAdd( normal, share, surface->normals[corners[j]] );
		albedo = pnMulAdd( albedo, share, pnGetLinear( surface->colors[corners[j]] ) );
	}
	pnVec3 p = surface->positions[corners[0]];
	pnVec3 flat = pnCross( pnSub( surface->positions[corners[1]], p ), pnSub( surface->positions[corners[2]], p ) );
	flat = pnDot( flat, direction ) > 0.0f ? pnScale( -1.0f, flat ) : flat; // both sides are outer sides
	normal = pnDot( normal, flat ) < 0.0f ? pnScale( -1.0f, normal ) : normal;
	return pnShade( stage, place, pnNormalize( normal ), albedo, pnScale( -1.0f, direction ), 1.0f, group );
}

static void pnPlaceCamera( pnStage* stage, const pnCamera* camera, int width, int height )
{
	float azimuth = camera->azimuth * ( PN_RASTER_PI / 180.0f ), elevation = camera->elevation * ( PN_RASTER_PI / 180.0f );
	stage->back = pnMakeVec3( cosf( elevation ) * sinf( azimuth ), sinf( elevation ), cosf( elevation ) * cosf( azimuth ) );
	stage->right = pnMakeVec3( cosf( azimuth ), 0.0f, -sinf( azimuth ) );
	stage->up = pnCross( stage->back, stage->right );
	stage->eye = pnMulAdd( camera->target, camera->distance, stage->back );
	stage->width = PN_SAMPLES * width;
	stage->height = PN_SAMPLES * height;
	float side = fminf( (float)stage->height, 0.75f * (float)stage->width ); // narrow pictures still show the whole width
	stage->focal = 0.5f * side / tanf( 0.5f * PN_FIELD_OF_VIEW * ( PN_RASTER_PI / 180.0f ) );
	stage->ground = camera->ground;
	stage->hasGround = stage->eye.y > camera->ground;
	stage->middle = camera->target;
	stage->fadeStart = 0.45f * camera->distance;
	stage->fadeEnd = 1.5f * camera->distance;
	float spacing = powf( 10.0f, floorf( log10f( 0.2f * camera->distance ) ) );
	float times = 0.2f * camera->distance / spacing;
	stage->gridSpacing = spacing * ( times > 5.0f ? 5.0f : times > 2.0f ? 2.0f : 1.0f ) * 0.5f;
}

static void pnFindLightBounds( pnStage* stage )
{
	const pnSurface* surface = stage->surface;
	pnVec3 lower = stage->middle, upper = stage->middle;
	for ( int i = 0; i < surface->wallVertex; ++i )
	{
		lower = i == 0 ? surface->positions[i] : pnMin3( lower, surface->positions[i] );
		upper = i == 0 ? surface->positions[i] : pnMax3( upper, surface->positions[i] );
	}
	stage->lightCenter = pnScale( 0.5f, pnAdd( lower, upper ) );
	float radius2 = 1e-12f;
	for ( int i = 0; i < surface->wallVertex; ++i )
	{
		pnVec3 d = pnSub( surface->positions[i], stage->lightCenter );
		radius2 = fmaxf( radius2, pnDot( d, d ) );
	}
	stage->lightRadius = 1.02f * sqrtf( radius2 );
	stage->bias = 3.0f * stage->lightRadius / (float)PN_MAP_SIZE; // 1.5 texels
}

static void pnRasterize( pnStage* stage )
{
	const pnSurface* surface = stage->surface;
	for ( int i = 0; i < surface->vertexCount; ++i )
	{
		pnVec3 p = pnSub( surface->positions[i], stage->eye );
		float distance = -pnDot( p, stage->back );
		float scale = stage->focal / distance;
		stage->screen[3 * i + 0] = 0.5f * (float)stage->width + scale * pnDot( p, stage->right );
		stage->screen[3 * i + 1] = 0.5f * (float)stage->height - scale * pnDot( p, stage->up );
		stage->screen[3 * i + 2] = 1.0f / distance;
	}
	for ( int i = 0; i < stage->width * stage->height; ++i )
	{
		stage->depths[i] = 0.0f;
		stage->ids[i] = -1;
	}
	for ( int i = 0; i < surface->triangleCount; ++i )
	{
		const int32_t* corners = surface->triangles + 3 * i;
		const float *a = stage->screen + 3 * corners[0], *b = stage->screen + 3 * corners[1], *c = stage->screen + 3 * corners[2];
		pnVec3 toEye = pnSub( stage->eye, surface->positions[corners[0]] );
		if ( i >= surface->wallTriangle && pnDot( toEye, surface->normals[corners[0]] ) <= 0.0f )
		{
			continue; // a wall from behind
		}
		if ( a[2] > 0.0f && b[2] > 0.0f && c[2] > 0.0f ) // what reaches behind the camera is left out
		{
			pnFillTriangle( stage->depths, stage->ids, stage->width, stage->height, a, b, c, i );
		}
	}
}

static uint8_t pnGetByte( float linear )
{
	float soft = linear < 0.7f ? linear : 0.7f + 0.3f * ( 1.0f - expf( -( linear - 0.7f ) / 0.3f ) ); // a shoulder instead of clipping
	return (uint8_t)( 255.0f * powf( pnClamp( soft, 0.0f, 1.0f ), 1.0f / 2.2f ) + 0.5f );
}

static void pnDrawPixels( const pnStage* stage, pnImage* image, int left, int top )
{
	int width = stage->width / PN_SAMPLES, height = stage->height / PN_SAMPLES;
	for ( int y = 0; y < height; ++y )
	{
		for ( int x = 0; x < width; ++x )
		{
			pnVec3 sum = { 0 };
			for ( int sample = 0; sample < PN_SAMPLES * PN_SAMPLES; ++sample )
			{
				int column = PN_SAMPLES * x + sample % PN_SAMPLES, row = PN_SAMPLES * y + sample / PN_SAMPLES;
				float sx = (float)column + 0.5f, sy = (float)row + 0.5f;
				pnVec3 direction = pnScale( -stage->focal, stage->back );
				direction = pnMulAdd( direction, sx - 0.5f * (float)stage->width, stage->right );
				direction = pnNormalize( pnMulAdd( direction, 0.5f * (float)stage->height - sy, stage->up ) );
				int id = stage->ids[(size_t)row * (size_t)stage->width + (size_t)column];
				pnVec3 background = pnGetBackground( 1.0f - sy / (float)stage->height );
				pnVec3 color = id >= 0 ? pnShadeTriangle( stage, id, sx, sy, direction, sample )
									   : pnShadeGround( stage, direction, background, sample );
				sum = pnAdd( sum, pnMakeVec3( fminf( color.x, 2.0f ), fminf( color.y, 2.0f ), fminf( color.z, 2.0f ) ) );
			}
			sum = pnScale( 1.0f / ( PN_SAMPLES * PN_SAMPLES ), sum );
			uint8_t* pixel = image->pixels + 3 * ( (size_t)( top + y ) * (size_t)image->width + (size_t)( left + x ) );
			pixel[0] = pnGetByte( sum.x );
			pixel[1] = pnGetByte( sum.y );
			pixel[2] = pnGetByte( sum.z );
		}
	}
}

bool pnDrawSurface( pnImage* image, int left, int top, int width, int height, const pnSurface* surface, const pnCamera* camera,
					bool isQuick )
{
	pnStage stage = { .surface = surface };
	stage.sunCount = isQuick ? PN_QUICK_LIGHTS : PN_SUN_LIGHTS;
	stage.lightCount = stage.sunCount + ( isQuick ? PN_QUICK_LIGHTS : PN_SKY_LIGHTS );
	pnPlaceCamera( &stage, camera, width, height );
	pnFindLightBounds( &stage );
	pnPlaceLights( &stage, camera );
	size_t sampleCount = (size_t)stage.width * (size_t)stage.height;
	stage.depths = malloc( sampleCount * sizeof( float ) );
	stage.ids = malloc( sampleCount * sizeof( int32_t ) );
	stage.screen = malloc( 3 * (size_t)( surface->vertexCount + 1 ) * sizeof( float ) );
	float* maps = malloc( (size_t)stage.lightCount * PN_MAP_SIZE * PN_MAP_SIZE * sizeof( float ) );
	bool good = stage.depths != NULL && stage.ids != NULL && stage.screen != NULL && maps != NULL;
	if ( good )
	{
		for ( int i = 0; i < stage.lightCount; ++i )
		{
			stage.lights[i].depths = maps + (size_t)i * PN_MAP_SIZE * PN_MAP_SIZE;
			pnFillLightMap( &stage, stage.lights + i );
		}
		pnRasterize( &stage );
		pnDrawPixels( &stage, image, left, top );
	}
	free( stage.depths );
	free( stage.ids );
	free( stage.screen );
	free( maps );
	return good;
}
