// out_video.c - a run as a film, drawn by the rasteriser and made by ffmpeg, which reads the pictures from a pipe. Knows no codecs but by name.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L // fork, pipe, setpgid, fdopen
#include "out.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct pnVideoOut
{
	char path[PN_OUT_PATH];
	FILE* pipe;
	pid_t child;
	pnImage image;
	pnCamera camera;
} pnVideoOut;

// Runs ffmpeg in a group of its own: Ctrl-C is for us, it ends when the pictures do. Also if we are killed: then the pipe is closed.
static pid_t pnStartEncoder( const char* path, bool isWebm, int width, int height, double rate, int* input )
{
	int ends[2];
	if ( pipe( ends ) != 0 )
	{
		return -1;
	}
	// Ours alone: another encoder that is started later must not hold it open.
	fcntl( ends[1], F_SETFD, FD_CLOEXEC );
	char size[32], speed[32];
	snprintf( size, sizeof( size ), "%dx%d", width, height );
	snprintf( speed, sizeof( speed ), "%.6g", rate );
	const char* const webm[] = { "ffmpeg", "-y", "-loglevel", "error", "-f", "rawvideo", "-pix_fmt", "rgb24", "-s", size, "-r", speed, "-i", "-", "-an", "-c:v",
								 "libvpx-vp9", "-crf", "30", "-b:v", "0", "-deadline", "realtime", "-cpu-used", "5", "-pix_fmt", "yuv420p", "-f", "webm", path, NULL };
	const char* const mp4[] = { "ffmpeg", "-y", "-loglevel", "error", "-f", "rawvideo", "-pix_fmt", "rgb24", "-s", size, "-r", speed, "-i", "-", "-an", "-c:v",
								"libx264", "-preset", "veryfast", "-crf", "18", "-pix_fmt", "yuv420p", "-movflags", "+faststart", "-f", "mp4", path, NULL };
	pid_t child = fork();
	if ( child == 0 )
	{
		setpgid( 0, 0 );
		dup2( ends[0], STDIN_FILENO );
		close( ends[0] );
		close( ends[1] );
		execvp( "ffmpeg", (char* const*)( isWebm ? webm : mp4 ) );
		_exit( 127 );
	}
	close( ends[0] );
	*input = ends[1];
	if ( child < 0 )
	{
		close( ends[1] );
	}
	return child;
}

// Before anything is simulated.
static bool pnHasEncoder( void )
{
	const char* path = getenv( "PATH" );
	char name[PN_OUT_PATH];
	while ( path != NULL && *path != 0 )
	{
		int length = (int)strcspn( path, ":" );
		snprintf( name, sizeof( name ), "%.*s/ffmpeg", length, path );
		if ( access( name, X_OK ) == 0 )
		{
			return true;
		}
		path += length + ( path[length] == ':' ? 1 : 0 );
	}
	return false;
}

static void* pnOpenVideo( const pnOutDef* def, char why[PN_OUT_WHY] )
{
	if ( pnHasEncoder() == false )
	{
		snprintf( why, PN_OUT_WHY, "there is no ffmpeg here to make films; with it installed (on Debian: apt install ffmpeg) this works. A .html or .glb needs nothing" );
		return NULL;
	}
	if ( def->width % 2 != 0 || def->height % 2 != 0 )
	{
		snprintf( why, PN_OUT_WHY, "films need an even --size, %dx%d is not", def->width, def->height );
		return NULL;
	}
	pnVideoOut* out = calloc( 1, sizeof( pnVideoOut ) );
	if ( out == NULL || pnCreateImage( &out->image, def->width, def->height, 0xffffff ) == false )
	{
		snprintf( why, PN_OUT_WHY, "there is no memory for it" );
		free( out );
		return NULL;
	}
	snprintf( out->path, sizeof( out->path ), "%s", def->path );
	out->camera = def->camera;
	bool isWebm = pnFindOutKind( def->path ) == &pn_webmOut;
	int input = -1;
	out->child = pnStartEncoder( def->path, isWebm, def->width, def->height, def->rate, &input );
	out->pipe = out->child > 0 ? fdopen( input, "wb" ) : NULL;
	if ( out->pipe == NULL )
	{
		snprintf( why, PN_OUT_WHY, "ffmpeg cannot be started: %s", strerror( errno ) );
		pnDestroyImage( &out->image );
		free( out );
		return NULL;
	}
	return out;
}

static bool pnWriteVideoFrame( void* file, const pnOutFrame* frame, char why[PN_OUT_WHY] )
{
	pnVideoOut* out = file;
	pnImage* image = &out->image;
	pnFillRectangle( image, 0, 0, image->width, image->height, 0xffffff );
	if ( pnDrawSurface( image, 0, 0, image->width, image->height, &frame->surface, &out->camera, true ) == false )
	{
		snprintf( why, PN_OUT_WHY, "there is no memory for the picture of frame %d", frame->frame );
		return false;
	}
	size_t size = 3 * (size_t)image->width * (size_t)image->height;
	if ( fwrite( image->pixels, 1, size, out->pipe ) != size || fflush( out->pipe ) != 0 )
	{
		snprintf( why, PN_OUT_WHY, "ffmpeg takes no more pictures after frame %d: %s", frame->frame, strerror( errno ) );
		return false;
	}
	return true;
}

static bool pnCloseVideo( void* file, char why[PN_OUT_WHY] )
{
	pnVideoOut* out = file;
	fclose( out->pipe );
	int status = -1;
	while ( waitpid( out->child, &status, 0 ) < 0 && errno == EINTR )
	{
	}
	bool good = WIFEXITED( status ) && WEXITSTATUS( status ) == 0;
	if ( good == false )
	{
		snprintf( why, PN_OUT_WHY, "ffmpeg could not make it (it ended with %d)", WIFEXITED( status ) ? WEXITSTATUS( status ) : -1 );
	}
	pnDestroyImage( &out->image );
	free( out );
	return good;
}

const pnOutKind pn_mp4Out = {
	.ending = ".mp4",
	.text = "a film (needs ffmpeg); --view, --color and --size as for --png",
	.usualRate = 30,
	.isStreamed = true,
	.open = pnOpenVideo,
	.frame = pnWriteVideoFrame,
	.close = pnCloseVideo,
};

const pnOutKind pn_webmOut = {
	.ending = ".webm",
	.text = "a film (needs ffmpeg)",
	.usualRate = 30,
	.isStreamed = true,
	.open = pnOpenVideo,
	.frame = pnWriteVideoFrame,
	.close = pnCloseVideo,
};
