// mesh_ply.c - PLY, text or binary of either byte order: vertices with normals, colours and any other numbers by name, and faces.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "mesh_file.h"
#include "mesh_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
	PN_MAX_PLY_ELEMENTS = 16,
	PN_MAX_PLY_PROPERTIES = 64,
	PN_MAX_PLY_CORNERS = 256,
};

typedef enum pnPlyType { pn_int8Ply, pn_uint8Ply, pn_int16Ply, pn_uint16Ply, pn_int32Ply, pn_uint32Ply, pn_floatPly, pn_doublePly, pn_plyTypeCount } pnPlyType;

static const struct { const char *name, *other; int size; } pnPlyTypes[pn_plyTypeCount] = {
	{ "char", "int8", 1 }, { "uchar", "uint8", 1 }, { "short", "int16", 2 },   { "ushort", "uint16", 2 },
	{ "int", "int32", 4 }, { "uint", "uint32", 4 }, { "float", "float32", 4 }, { "double", "float64", 8 },
};

// What a number of a vertex is for: x y z, normal, colour, a value of its own, or nothing.
typedef enum pnPlyUse { pn_noUse, pn_xUse, pn_yUse, pn_zUse, pn_nxUse, pn_nyUse, pn_nzUse, pn_redUse, pn_greenUse, pn_blueUse, pn_cornersUse, pn_valueUse } pnPlyUse;

typedef struct pnPlyProperty
{
	char name[PN_MESH_NAME];
	bool isList;
	pnPlyType countType, type;
	pnPlyUse use;
	int value; // which, if it is one
} pnPlyProperty;

typedef struct pnPlyElement
{
	char name[PN_MESH_NAME];
	int64_t count;
	pnPlyProperty properties[PN_MAX_PLY_PROPERTIES];
	int propertyCount;
} pnPlyElement;

typedef struct pnPly
{
	bool isText, isBig;
	pnPlyElement elements[PN_MAX_PLY_ELEMENTS];
	int elementCount;
	// where the numbers are
	const uint8_t *begin, *at, *end;
	pnText text;
	pnMeshFault* fault;
	bool failed;
} pnPly;

static bool pnFindPlyType( pnTextWord word, pnPlyType* type )
{
	for ( int i = 0; i < pn_plyTypeCount; ++i )
	{
		if ( pnIsText( word, pnPlyTypes[i].name ) || pnIsText( word, pnPlyTypes[i].other ) )
		{
			*type = (pnPlyType)i;
			return true;
		}
	}
	return false;
}

static void pnCopyName( char name[PN_MESH_NAME], pnTextWord word )
{
	size_t length = word.length < PN_MESH_NAME - 1 ? word.length : PN_MESH_NAME - 1;
	memcpy( name, word.text, length );
	name[length] = 0;
}

static bool pnReadPlyProperty( pnText* text, pnPly* ply )
{
	if ( ply->elementCount == 0 || ply->elements[ply->elementCount - 1].propertyCount == PN_MAX_PLY_PROPERTIES )
	{
		return pnFailMesh( ply->fault, "line %d: a property is of an element, and each has up to %d", text->line, PN_MAX_PLY_PROPERTIES );
	}
	pnPlyElement* element = ply->elements + ply->elementCount - 1;
	pnPlyProperty* property = element->properties + element->propertyCount++;
	*property = (pnPlyProperty){ 0 };
	pnTextWord type = pnNextTextWord( text );
	property->isList = pnIsText( type, "list" );
	if ( property->isList )
	{
		pnTextWord countType = pnNextTextWord( text );
		type = pnNextTextWord( text );
		if ( pnFindPlyType( countType, &property->countType ) == false || property->countType >= pn_floatPly )
		{
			return pnFailMesh( ply->fault, "line %d: '%.*s' is no type to count with", text->line, (int)( countType.length < 20 ? countType.length : 20 ), countType.text );
		}
	}
	if ( pnFindPlyType( type, &property->type ) == false )
	{
		return pnFailMesh( ply->fault, "line %d: '%.*s' is no type; there are char, uchar, short, ushort, int, uint, float, double", text->line,
						   (int)( type.length < 20 ? type.length : 20 ), type.text );
	}
	pnCopyName( property->name, pnNextTextWord( text ) );
	return property->name[0] != 0 ? true : pnFailMesh( ply->fault, "line %d: the property has no name", text->line );
}

static bool pnReadPlyHeader( pnPly* ply, const char* bytes, size_t size )
{
	pnText text = pnOpenText( bytes, size );
	bool hasFormat = false;
	if ( pnNextTextLine( &text ) == false || pnIsText( pnNextTextWord( &text ), "ply" ) == false )
	{
		return pnFailMesh( ply->fault, "line 1: a PLY file begins with the word ply" );
	}
	while ( pnNextTextLine( &text ) )
	{
		pnTextWord word = pnNextTextWord( &text );
		if ( pnIsText( word, "end_header" ) )
		{
			ply->text = text;
			const char* after = text.lineEnd < text.end ? text.lineEnd + 1 : text.end;
			ply->begin = (const uint8_t*)bytes;
			ply->at = (const uint8_t*)after;
			ply->end = (const uint8_t*)bytes + size;
			return hasFormat ? true : pnFailMesh( ply->fault, "line %d: the header has no format", text.line );
		}
		if ( pnIsText( word, "format" ) )
		{
			pnTextWord format = pnNextTextWord( &text );
			ply->isText = pnIsText( format, "ascii" );
			ply->isBig = pnIsText( format, "binary_big_endian" );
			hasFormat = ply->isText || ply->isBig || pnIsText( format, "binary_little_endian" );
			if ( hasFormat == false )
			{
				return pnFailMesh( ply->fault, "line %d: the format is ascii, binary_little_endian or binary_big_endian", text.line );
			}
		}
		else if ( pnIsText( word, "element" ) )
		{
			pnPlyElement* element = ply->elements + ply->elementCount;
			pnTextWord name = pnNextTextWord( &text );
			if ( ply->elementCount == PN_MAX_PLY_ELEMENTS )
			{
				return pnFailMesh( ply->fault, "line %d: there are more than %d elements", text.line, PN_MAX_PLY_ELEMENTS );
			}
			pnCopyName( element->name, name );
			if ( pnReadTextWhole( &text, &element->count ) == false || element->count < 0 || element->count > 100000000 )
			{
				return pnFailMesh( ply->fault, "line %d: an element has a name and a number up to 100000000", text.line );
			}
			ply->elementCount += 1;
		}
		else if ( pnIsText( word, "property" ) )
		{
			if ( pnReadPlyProperty( &text, ply ) == false )
			{
				return false;
			}
		}
		else if ( word.length > 0 && pnIsText( word, "comment" ) == false && pnIsText( word, "obj_info" ) == false )
		{
			return pnFailMesh( ply->fault, "line %d: '%.*s' is no word of a header", text.line, (int)( word.length < 20 ? word.length : 20 ), word.text );
		}
	}
	return pnFailMesh( ply->fault, "line %d: the file ends before end_header", text.line );
}

static double pnReadPlyNumber( pnPly* ply, pnPlyType type )
{
	if ( ply->failed )
	{
		return 0.0;
	}
	if ( ply->isText )
	{
		double value = 0.0;
		if ( pnReadTextNumber( &ply->text, &value ) == false )
		{
			ply->failed = true;
			pnFailMesh( ply->fault, "line %d: a number is missing or is none", ply->text.line );
		}
		return value;
	}
	int size = pnPlyTypes[type].size;
	if ( ply->end - ply->at < size )
	{
		ply->failed = true;
		pnFailMesh( ply->fault, "byte %zu: the file ends before its last number", (size_t)( ply->end - ply->begin ) );
		return 0.0;
	}
	uint64_t bits = 0;
	for ( int i = 0; i < size; ++i )
	{
		bits |= (uint64_t)ply->at[ply->isBig ? size - 1 - i : i] << 8 * i;
	}
	ply->at += size;
	uint32_t low = (uint32_t)bits;
	float single;
	double twice;
	memcpy( &single, &low, sizeof( single ) );
	memcpy( &twice, &bits, sizeof( twice ) );
	switch ( type )
	{
	case pn_int8Ply:
		return (double)(int8_t)low;
	case pn_uint8Ply:
		return (double)(uint8_t)low;
	case pn_int16Ply:
		return (double)(int16_t)low;
	case pn_uint16Ply:
		return (double)(uint16_t)low;
	case pn_int32Ply:
		return (double)(int32_t)low;
	case pn_uint32Ply:
		return (double)low;
	case pn_floatPly:
		return (double)single;
	default:
		return twice;
	}
}

static bool pnFailPlyPlace( pnPly* ply, const char* what )
{
	if ( ply->failed == false )
	{
		ply->failed = true;
		ply->isText ? pnFailMesh( ply->fault, "line %d: %s", ply->text.line, what )
					: pnFailMesh( ply->fault, "byte %zu: %s", (size_t)( ply->at - ply->begin ), what );
	}
	return false;
}

static void pnAssignUses( pnPlyElement* element, pnMeshFile* mesh )
{
	static const struct { const char* name; pnPlyUse use; } names[] = {
		{ "x", pn_xUse }, { "y", pn_yUse }, { "z", pn_zUse }, { "nx", pn_nxUse }, { "ny", pn_nyUse }, { "nz", pn_nzUse }, { "red", pn_redUse },
		{ "green", pn_greenUse }, { "blue", pn_blueUse }, { "r", pn_redUse }, { "g", pn_greenUse }, { "b", pn_blueUse },
	};
	for ( int i = 0; i < element->propertyCount; ++i )
	{
		pnPlyProperty* property = element->properties + i;
		for ( size_t j = 0; j < sizeof( names ) / sizeof( names[0] ); ++j )
		{
			property->use = property->isList == false && strcmp( property->name, names[j].name ) == 0 ? names[j].use : property->use;
		}
		if ( property->use == pn_noUse && property->isList == false && mesh->valueCount < PN_MAX_MESH_VALUES )
		{
			property->use = pn_valueUse;
			property->value = mesh->valueCount;
			memcpy( mesh->valueNames[mesh->valueCount], property->name, PN_MESH_NAME );
			mesh->values[mesh->valueCount] = calloc( (size_t)element->count + 1, sizeof( float ) );
			mesh->failed = mesh->failed || mesh->values[mesh->valueCount] == NULL;
			mesh->valueCount += 1;
		}
	}
}

static bool pnHasUse( const pnPlyElement* element, pnPlyUse use )
{
	for ( int i = 0; i < element->propertyCount; ++i )
	{
		if ( element->properties[i].use == use )
		{
			return true;
		}
	}
	return false;
}

static bool pnReadPlyVertices( pnPly* ply, pnPlyElement* element, pnMeshFile* mesh )
{
	// A file that is too short for what it says must not cost the memory it says.
	size_t left = (size_t)( ply->end - ply->at );
	if ( element->count > PN_MAX_MESH_POINTS || (size_t)element->count > left )
	{
		return pnFailPlyPlace( ply, element->count > PN_MAX_MESH_POINTS ? "it has more than 12,000,000 vertices" : "it has not so many vertices as it says" );
	}
	pnAssignUses( element, mesh );
	if ( pnHasUse( element, pn_xUse ) == false || pnHasUse( element, pn_yUse ) == false || pnHasUse( element, pn_zUse ) == false )
	{
		return pnFailPlyPlace( ply, "its vertices have no x, y and z" );
	}
	if ( pnHasUse( element, pn_nxUse ) && pnHasUse( element, pn_nyUse ) && pnHasUse( element, pn_nzUse ) )
	{
		mesh->normals = calloc( (size_t)element->count + 1, sizeof( pnVec3d ) );
		mesh->failed = mesh->failed || mesh->normals == NULL;
	}
	if ( pnHasUse( element, pn_redUse ) && pnHasUse( element, pn_greenUse ) && pnHasUse( element, pn_blueUse ) )
	{
		mesh->colors = calloc( 3 * (size_t)element->count + 1, sizeof( float ) );
		mesh->failed = mesh->failed || mesh->colors == NULL;
	}
	for ( int64_t i = 0; i < element->count && ply->failed == false && mesh->failed == false; ++i )
	{
		double of[pn_valueUse] = { 0.0 };
		if ( ply->isText && pnNextFullLine( &ply->text, 0 ) == false )
		{
			return pnFailPlyPlace( ply, "the file ends before its last vertex" );
		}
		for ( int j = 0; j < element->propertyCount; ++j )
		{
			const pnPlyProperty* property = element->properties + j;
			double counted = property->isList ? pnReadPlyNumber( ply, property->countType ) : 1.0;
			if ( !( counted >= 0.0 && counted <= PN_MAX_PLY_CORNERS ) )
			{
				return pnFailPlyPlace( ply, "a list has up to 256 items" );
			}
			for ( int k = 0; k < (int)counted && ply->failed == false; ++k )
			{
				double number = pnReadPlyNumber( ply, property->type );
				bool isWhole = property->type < pn_floatPly;
				if ( property->use == pn_valueUse )
				{
					mesh->values[property->value][i] = (float)number;
				}
				else
				{
					of[property->use] = property->use >= pn_redUse && isWhole ? number / 255.0 : number;
				}
			}
		}
		pnVec3d p = { of[pn_xUse], of[pn_yUse], of[pn_zUse] };
		if ( ply->failed == false && !( fabs( p.x ) < 1e15 && fabs( p.y ) < 1e15 && fabs( p.z ) < 1e15 ) )
		{
			return pnFailPlyPlace( ply, "a vertex is not a number" );
		}
		pnPutMeshPoint( mesh, p );
		if ( mesh->normals != NULL )
		{
			mesh->normals[i] = (pnVec3d){ of[pn_nxUse], of[pn_nyUse], of[pn_nzUse] };
		}
		for ( int c = 0; c < 3 && mesh->colors != NULL; ++c )
		{
			mesh->colors[3 * i + c] = (float)of[pn_redUse + c];
		}
	}
	return ply->failed == false;
}

static bool pnReadPlyFaces( pnPly* ply, const pnPlyElement* element, pnMeshFile* mesh )
{
	int group = pnPutMeshGroup( mesh, "all", 3 );
	for ( int64_t i = 0; i < element->count && ply->failed == false && mesh->failed == false; ++i )
	{
		if ( ply->isText && pnNextFullLine( &ply->text, 0 ) == false )
		{
			return pnFailPlyPlace( ply, "the file ends before its last face" );
		}
		for ( int j = 0; j < element->propertyCount && ply->failed == false; ++j )
		{
			const pnPlyProperty* property = element->properties + j;
			bool isCorners = property->isList && ( strcmp( property->name, "vertex_indices" ) == 0 || strcmp( property->name, "vertex_index" ) == 0 );
			double counted = property->isList ? pnReadPlyNumber( ply, property->countType ) : 1.0;
			if ( !( counted >= 0.0 && counted <= PN_MAX_PLY_CORNERS ) )
			{
				return pnFailPlyPlace( ply, "a list has up to 256 items" );
			}
			int first = 0, last = 0;
			for ( int k = 0; k < (int)counted && ply->failed == false; ++k )
			{
				double number = pnReadPlyNumber( ply, property->type );
				if ( isCorners == false )
				{
					continue;
				}
				if ( !( number >= 0.0 && number < (double)mesh->pointCount ) )
				{
					return pnFailPlyPlace( ply, "a face has a corner that is no vertex" );
				}
				int corner = (int)number;
				if ( k >= 2 )
				{
					pnPutMeshTriangle( mesh, first, last, corner, group );
				}
				first = k == 0 ? corner : first;
				last = corner;
			}
		}
	}
	return ply->failed == false;
}

static bool pnSkipPlyElement( pnPly* ply, const pnPlyElement* element )
{
	for ( int64_t i = 0; i < element->count && ply->failed == false; ++i )
	{
		if ( ply->isText )
		{
			if ( pnNextFullLine( &ply->text, 0 ) == false )
			{
				return pnFailPlyPlace( ply, "the file ends before its last line" );
			}
			continue;
		}
		for ( int j = 0; j < element->propertyCount && ply->failed == false; ++j )
		{
			const pnPlyProperty* property = element->properties + j;
			double counted = property->isList ? pnReadPlyNumber( ply, property->countType ) : 1.0;
			for ( int64_t k = 0; k < (int64_t)counted && ply->failed == false; ++k )
			{
				pnReadPlyNumber( ply, property->type );
			}
		}
		if ( element->propertyCount == 0 )
		{
			break; // nothing to skip, however many there are
		}
	}
	return ply->failed == false;
}

bool pnReadPly( const uint8_t* bytes, size_t size, pnMeshFile* mesh, pnMeshFault* fault )
{
	pnPly* ply = calloc( 1, sizeof( pnPly ) );
	char* text = malloc( size + 1 ); // readers of text look one byte ahead
	bool good = ply != NULL && text != NULL ? true : pnFailMesh( fault, "there is no memory for it" );
	if ( good )
	{
		memcpy( text, bytes, size );
		text[size] = 0;
		ply->fault = fault;
		good = pnReadPlyHeader( ply, text, size );
	}
	for ( int i = 0; good && i < ply->elementCount; ++i )
	{
		pnPlyElement* element = ply->elements + i;
		good = strcmp( element->name, "vertex" ) == 0 && mesh->pointCount == 0 ? pnReadPlyVertices( ply, element, mesh )
			 : strcmp( element->name, "face" ) == 0							   ? pnReadPlyFaces( ply, element, mesh )
																			   : pnSkipPlyElement( ply, element );
	}
	free( text );
	free( ply );
	return good;
}
