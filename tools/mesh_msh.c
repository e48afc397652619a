// mesh_msh.c - Gmsh .msh in text, versions 2 and 4: nodes, triangles, tetrahedra, physical names. Knows no curved elements.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "mesh_file.h"
#include "mesh_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
	PN_MAX_MSH_NAMES = 1024
};

typedef struct pnMshName { int dimension; int64_t number; char name[PN_MESH_NAME]; } pnMshName;
typedef struct pnMshEntity { int dimension; int64_t tag, physical; } pnMshEntity;

typedef struct pnMsh
{
	pnText text;
	pnMeshFile* mesh;
	pnMeshFault* fault;
	int version; // 2 or 4
	pnMshName names[PN_MAX_MSH_NAMES];
	int nameCount;
	pnMshEntity* entities; // version 4: which physical group each has
	int entityCount;
	int32_t* byTag; // node of a tag, while tags are small; -1: none
	int64_t largestTag;
} pnMsh;

static bool pnFailMsh( pnMsh* msh, const char* what ) { return pnFailMesh( msh->fault, "line %d: %s", msh->text.line, what ); }

static bool pnNextMshLine( pnMsh* msh )
{
	return pnNextFullLine( &msh->text, 0 ) ? true : pnFailMesh( msh->fault, "line %d: the file ends within a section", msh->text.line );
}

static bool pnReadMshWholes( pnMsh* msh, int64_t* values, int count, const char* what )
{
	for ( int i = 0; i < count; ++i )
	{
		if ( pnReadTextWhole( &msh->text, values + i ) == false )
		{
			return pnFailMsh( msh, what );
		}
	}
	return true;
}

static bool pnReadMshNames( pnMsh* msh )
{
	int64_t count;
	if ( pnNextMshLine( msh ) == false || pnReadMshWholes( msh, &count, 1, "how many names are there?" ) == false )
	{
		return false;
	}
	for ( int64_t i = 0; i < count; ++i )
	{
		int64_t numbers[2];
		if ( pnNextMshLine( msh ) == false || pnReadMshWholes( msh, numbers, 2, "a physical name has a dimension, a number and a name" ) == false )
		{
			return false;
		}
		const char* open = memchr( msh->text.at, '"', (size_t)( msh->text.lineEnd - msh->text.at ) );
		const char* close = open != NULL ? memchr( open + 1, '"', (size_t)( msh->text.lineEnd - open - 1 ) ) : NULL;
		if ( close == NULL || msh->nameCount == PN_MAX_MSH_NAMES )
		{
			return pnFailMsh( msh, close == NULL ? "a physical name stands in quotes" : "there are more than 1024 physical names" );
		}
		pnMshName* name = msh->names + msh->nameCount++;
		name->dimension = numbers[0] >= 0 && numbers[0] <= 3 ? (int)numbers[0] : 3;
		name->number = numbers[1];
		snprintf( name->name, sizeof( name->name ), "%.*s", (int)( close - open - 1 ), open + 1 );
	}
	return true;
}

// The group of an element: its physical name, or its number, or `all`.
static int pnFindMshGroup( pnMsh* msh, int dimension, int64_t physical )
{
	for ( int i = 0; i < msh->nameCount; ++i )
	{
		if ( msh->names[i].dimension == dimension && msh->names[i].number == physical )
		{
			return pnPutMeshGroup( msh->mesh, msh->names[i].name, strlen( msh->names[i].name ) );
		}
	}
	char number[32] = "all";
	if ( physical > 0 )
	{
		snprintf( number, sizeof( number ), "%lld", (long long)physical );
	}
	return pnPutMeshGroup( msh->mesh, number, strlen( number ) );
}

static bool pnReadMshEntities( pnMsh* msh )
{
	int64_t counts[4];
	if ( pnNextMshLine( msh ) == false || pnReadMshWholes( msh, counts, 4, "entities are counted by four numbers" ) == false )
	{
		return false;
	}
	for ( int dimension = 0; dimension < 4; ++dimension )
	{
		for ( int64_t i = 0; i < counts[dimension]; ++i )
		{
			int64_t tag, physicalCount, physical = 0;
			double bound;
			if ( pnNextMshLine( msh ) == false || pnReadMshWholes( msh, &tag, 1, "an entity has a tag" ) == false )
			{
				return false;
			}
			for ( int b = 0; b < ( dimension == 0 ? 3 : 6 ); ++b )
			{
				if ( pnReadTextNumber( &msh->text, &bound ) == false )
				{
					return pnFailMsh( msh, "an entity has bounds" );
				}
			}
			if ( pnReadMshWholes( msh, &physicalCount, 1, "an entity tells how many physical groups it has" ) == false )
			{
				return false;
			}
			if ( physicalCount > 0 && pnReadMshWholes( msh, &physical, 1, "a physical group is missing" ) == false )
			{
				return false;
			}
			if ( ( msh->entityCount & ( msh->entityCount - 1 ) ) == 0 ) // full: room for twice as many
			{
				size_t capacity = msh->entityCount == 0 ? 1 : 2 * (size_t)msh->entityCount;
				pnMshEntity* more = realloc( msh->entities, capacity * sizeof( pnMshEntity ) );
				if ( more == NULL )
				{
					return pnFailMsh( msh, "there is no memory for it" );
				}
				msh->entities = more;
			}
			msh->entities[msh->entityCount++] = (pnMshEntity){ dimension, tag, physical };
		}
	}
	return true;
}

static bool pnAddMshNode( pnMsh* msh, int64_t tag )
{
	pnVec3d p;
	if ( pnReadTextNumber( &msh->text, &p.x ) == false || pnReadTextNumber( &msh->text, &p.y ) == false || pnReadTextNumber( &msh->text, &p.z ) == false )
	{
		return pnFailMsh( msh, "a node has three coordinates" );
	}
	if ( tag < 1 || tag > 100000000 )
	{
		return pnFailMsh( msh, "a node's number goes from 1 to 100000000" );
	}
	int index = pnPutMeshPoint( msh->mesh, p );
	if ( index < 0 )
	{
		return true; // told later
	}
	if ( tag > msh->largestTag )
	{
		int64_t largest = tag + tag / 2 + 1024;
		int32_t* more = realloc( msh->byTag, (size_t)( largest + 1 ) * sizeof( int32_t ) );
		if ( more == NULL )
		{
			return pnFailMsh( msh, "there is no memory for it" );
		}
		for ( int64_t i = msh->byTag == NULL ? 0 : msh->largestTag + 1; i <= largest; ++i )
		{
			more[i] = -1;
		}
		msh->byTag = more;
		msh->largestTag = largest;
	}
	msh->byTag[tag] = index;
	return true;
}

static bool pnReadMshNodes( pnMsh* msh )
{
	int64_t head[4], tag;
	int headCount = msh->version == 4 ? 4 : 1;
	if ( pnNextMshLine( msh ) == false || pnReadMshWholes( msh, head, headCount, "how many nodes are there?" ) == false )
	{
		return false;
	}
	if ( msh->version == 2 )
	{
		for ( int64_t i = 0; i < head[0] && msh->mesh->failed == false; ++i )
		{
			if ( pnNextMshLine( msh ) == false || pnReadMshWholes( msh, &tag, 1, "a node has a number" ) == false || pnAddMshNode( msh, tag ) == false )
			{
				return false;
			}
		}
		return true;
	}
	for ( int64_t block = 0; block < head[0] && msh->mesh->failed == false; ++block )
	{
		int64_t of[4]; // dimension, entity, parametric, count
		if ( pnNextMshLine( msh ) == false || pnReadMshWholes( msh, of, 4, "a block of nodes begins with four numbers" ) == false )
		{
			return false;
		}
		if ( of[3] < 0 || of[3] > msh->text.end - msh->text.at )
		{
			return pnFailMsh( msh, "the block has not so many nodes as it says" );
		}
		int64_t* tags = malloc( (size_t)( of[3] + 1 ) * sizeof( int64_t ) );
		bool good = tags != NULL ? true : pnFailMsh( msh, "there is no memory for it" );
		for ( int64_t i = 0; i < of[3] && good; ++i )
		{
			good = pnNextMshLine( msh ) && pnReadMshWholes( msh, tags + i, 1, "a node has a number" );
		}
		for ( int64_t i = 0; i < of[3] && good && msh->mesh->failed == false; ++i )
		{
			good = pnNextMshLine( msh ) && pnAddMshNode( msh, tags[i] );
		}
		free( tags );
		if ( good == false )
		{
			return false;
		}
	}
	return true;
}

// The corners of an element of a kind that is read, from the rest of the line. Points and lines are passed over.
static bool pnReadMshElement( pnMsh* msh, int64_t kind, int64_t physical )
{
	static const int corners[6] = { 0, 2, 3, 4, 4, 0 }; // line, triangle, quadrangle, tetrahedron
	if ( kind == 15 || kind == 1 )
	{
		return true;
	}
	if ( kind < 2 || kind > 4 )
	{
		return pnFailMesh( msh->fault, "line %d: elements of kind %lld are not read; triangles (2), quadrangles (3) and tetrahedra (4) are", msh->text.line, (long long)kind );
	}
	int32_t nodes[4];
	for ( int i = 0; i < corners[kind]; ++i )
	{
		int64_t tag;
		if ( pnReadTextWhole( &msh->text, &tag ) == false || tag < 1 || tag > msh->largestTag || msh->byTag[tag] < 0 )
		{
			return pnFailMesh( msh->fault, "line %d: corner %d of the element is no node", msh->text.line, i + 1 );
		}
		nodes[i] = msh->byTag[tag];
	}
	int group = pnFindMshGroup( msh, kind == 4 ? 3 : 2, physical );
	if ( kind == 4 )
	{
		pnPutMeshTet( msh->mesh, nodes, group );
	}
	else
	{
		pnPutMeshTriangle( msh->mesh, nodes[0], nodes[1], nodes[2], group );
		if ( kind == 3 )
		{
			pnPutMeshTriangle( msh->mesh, nodes[0], nodes[2], nodes[3], group );
		}
	}
	return true;
}

static bool pnReadMshElements( pnMsh* msh )
{
	int64_t head[4], of[4];
	if ( pnNextMshLine( msh ) == false || pnReadMshWholes( msh, head, msh->version == 4 ? 4 : 1, "how many elements are there?" ) == false )
	{
		return false;
	}
	for ( int64_t i = 0; i < head[0] && msh->mesh->failed == false; ++i )
	{
		if ( pnNextMshLine( msh ) == false )
		{
			return false;
		}
		if ( msh->version == 2 ) // number, kind, how many tags, tags (the first is the physical group), corners
		{
			int64_t tag, physical = 0;
			if ( pnReadMshWholes( msh, of, 3, "an element begins with its number, its kind and how many tags it has" ) == false || of[2] < 0 || of[2] > 16 )
			{
				return of[2] < 0 || of[2] > 16 ? pnFailMsh( msh, "an element has up to 16 tags" ) : false;
			}
			for ( int64_t t = 0; t < of[2]; ++t )
			{
				if ( pnReadMshWholes( msh, &tag, 1, "a tag of the element is missing" ) == false )
				{
					return false;
				}
				physical = t == 0 ? tag : physical;
			}
			if ( pnReadMshElement( msh, of[1], physical ) == false )
			{
				return false;
			}
			continue;
		}
		if ( pnReadMshWholes( msh, of, 4, "a block of elements begins with four numbers" ) == false ) // dimension, entity, kind, count
		{
			return false;
		}
		int64_t physical = 0;
		for ( int e = 0; e < msh->entityCount; ++e )
		{
			physical = msh->entities[e].dimension == of[0] && msh->entities[e].tag == of[1] ? msh->entities[e].physical : physical;
		}
		for ( int64_t j = 0; j < of[3] && msh->mesh->failed == false; ++j )
		{
			int64_t number;
			if ( pnNextMshLine( msh ) == false || pnReadMshWholes( msh, &number, 1, "an element has a number" ) == false ||
				 pnReadMshElement( msh, of[2], physical ) == false )
			{
				return false;
			}
		}
	}
	return true;
}

static bool pnReadMshFormat( pnMsh* msh )
{
	double version;
	int64_t binary;
	if ( pnNextMshLine( msh ) == false || pnReadTextNumber( &msh->text, &version ) == false || pnReadTextWhole( &msh->text, &binary ) == false )
	{
		return pnFailMsh( msh, "the format is a version and 0 for text" );
	}
	if ( binary != 0 )
	{
		return pnFailMsh( msh, "it is binary; Gmsh writes text with Mesh.Binary = 0" );
	}
	msh->version = version >= 4.0 && version < 5.0 ? 4 : version >= 2.0 && version < 3.0 ? 2 : 0;
	return msh->version != 0 ? true : pnFailMesh( msh->fault, "line %d: version %g is not read; 2 and 4 are", msh->text.line, version );
}

bool pnReadMsh( const char* bytes, size_t length, pnMeshFile* mesh, pnMeshFault* fault )
{
	pnMsh* msh = calloc( 1, sizeof( pnMsh ) );
	if ( msh == NULL )
	{
		return pnFailMesh( fault, "there is no memory for it" );
	}
	msh->text = pnOpenText( bytes, length );
	msh->mesh = mesh;
	msh->fault = fault;
	bool good = true;
	while ( good && pnNextFullLine( &msh->text, 0 ) )
	{
		pnTextWord word = pnNextTextWord( &msh->text );
		bool isFormat = pnIsText( word, "$MeshFormat" );
		if ( msh->version == 0 && isFormat == false )
		{
			good = pnFailMsh( msh, "a Gmsh file begins with $MeshFormat" );
		}
		else if ( isFormat )
		{
			good = pnReadMshFormat( msh );
		}
		else if ( pnIsText( word, "$PhysicalNames" ) )
		{
			good = pnReadMshNames( msh );
		}
		else if ( pnIsText( word, "$Entities" ) && msh->version == 4 )
		{
			good = pnReadMshEntities( msh );
		}
		else if ( pnIsText( word, "$Nodes" ) )
		{
			good = pnReadMshNodes( msh );
		}
		else if ( pnIsText( word, "$Elements" ) )
		{
			good = pnReadMshElements( msh );
		}
		// the ends of sections, and sections of other matters
	}
	free( msh->entities );
	free( msh->byTag );
	free( msh );
	return good;
}
