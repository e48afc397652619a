// whole_file.c - a file's bytes, all of them at once. Knows nothing of what they mean.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "whole_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const size_t pnLargestFile = (size_t)4 << 30; // bytes: what a mesh of the most points and triangles takes as text, and some; others are no end of zeros

uint8_t* pnReadFile( const char* path, size_t* size, const char** problem )
{
	FILE* file = fopen( path, "rb" );
	if ( file == NULL )
	{
		*problem = strerror( errno );
		return NULL;
	}
	uint8_t* bytes = NULL;
	size_t count = 0, capacity = 0;
	while ( feof( file ) == 0 && ferror( file ) == 0 )
	{
		if ( count == capacity )
		{
			if ( count >= pnLargestFile )
			{
				*problem = "it is larger than 4 GB";
				free( bytes );
				fclose( file );
				return NULL;
			}
			capacity = capacity == 0 ? 65536 : 2 * capacity;
			uint8_t* more = realloc( bytes, capacity );
			if ( more == NULL )
			{
				*problem = "there is no memory to read it";
				free( bytes );
				fclose( file );
				return NULL;
			}
			bytes = more;
		}
		count += fread( bytes + count, 1, capacity - count, file );
	}
	if ( ferror( file ) != 0 )
	{
		*problem = strerror( errno );
		free( bytes );
		bytes = NULL;
	}
	fclose( file );
	*size = count;
	return bytes;
}
