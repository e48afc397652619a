// problem_cases.c - load cases of a problem file: the same solid, held in the same places, under other sizes of its conditions. Knows no solutions.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "problem_parts.h"

#include "../src/kelvin/vec3d.h"
#include "options.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char* const s_caseKeys[] = { "name", "factors" };
const pnKeyTable pn_caseKeys = { "case", s_caseKeys, 2 };

static const double PN_MOST_FACTOR = 1e9;

// A name becomes part of the names of files.
static bool pnCheckCaseName( pnReader* reader, const pnNode* item, const pnProblem* problem, int index )
{
	pnNode node = pnGetChild( item, "name" );
	const char* name = problem->cases[index].name;
	for ( const char* c = name; *c != 0; ++c )
	{
		if ( isalnum( (unsigned char)*c ) == 0 && *c != '_' && *c != '-' )
		{
			return pnFailAt( reader, &node, "becomes part of file names: letters, digits, _ and - only" );
		}
	}
	for ( int i = 0; i < index; ++i )
	{
		if ( strcmp( problem->cases[i].name, name ) == 0 )
		{
			return pnFailAt( reader, &node, "there is another case '%s'", name );
		}
	}
	return name[0] != 0 || pnFailAt( reader, &node, "is empty" );
}

static bool pnReadFactors( pnReader* reader, const pnNode* node, const pnProblem* problem, double* factors )
{
	if ( json_is_object( node->json ) == false )
	{
		return pnFailAt( reader, node, "wants an object: names of conditions with a factor each" );
	}
	const char* names[PN_MAX_CONDITIONS];
	for ( int i = 0; i < problem->conditionCount; ++i )
	{
		names[i] = problem->conditionNames[i];
		factors[i] = 1.0;
	}
	const char* key;
	json_t* value;
	json_object_foreach( node->json, key, value )
	{
		pnNode child = pnGetChild( node, key );
		double factor = 1.0;
		bool found = false;
		if ( pnReadNumber( reader, &child, -PN_MOST_FACTOR, PN_MOST_FACTOR, &factor ) == false )
		{
			return false;
		}
		for ( int i = 0; i < problem->conditionCount; ++i )
		{
			bool same = strcmp( names[i], key ) == 0;
			factors[i] = same ? factor : factors[i];
			found = found || same;
		}
		if ( found == false )
		{
			const char* near = pnFindNearName( key, names, problem->conditionCount );
			return near != NULL ? pnFailAtKey( reader, &child, "no condition has this name; did you mean '%s'?", near )
								: pnFailAtKey( reader, &child, "no condition has this name" );
		}
	}
	return true;
}

bool pnReadCases( pnReader* reader, const pnNode* node, pnProblem* problem )
{
	int count;
	if ( pnReadList( reader, node, 0, PN_MAX_CASES, &count ) == false )
	{
		return false;
	}
	problem->cases = calloc( (size_t)( count + 1 ), sizeof( pnLoadCase ) );
	problem->caseFactors = malloc( ( (size_t)count * (size_t)problem->conditionCount + 1 ) * sizeof( double ) );
	if ( problem->cases == NULL || problem->caseFactors == NULL )
	{
		return pnFailAt( reader, node, "there is no memory for it" );
	}
	for ( int i = 0; i < count; ++i )
	{
		pnNode item = pnGetItem( node, i );
		pnLoadCase* loadCase = problem->cases + i;
		loadCase->factors = problem->caseFactors + (size_t)i * (size_t)problem->conditionCount;
		if ( pnCheckObject( reader, &item, &pn_caseKeys ) == false || pnCheckThere( reader, &item, "name", "it is shown, and part of file names" ) == false ||
			 pnCheckThere( reader, &item, "factors", "such as {\"load\": 2, \"wind\": 0}, by names of conditions" ) == false ||
			 pnReadName( reader, &item, "", loadCase->name ) == false || pnCheckCaseName( reader, &item, problem, i ) == false )
		{
			return false;
		}
		pnNode factors = pnGetChild( &item, "factors" );
		if ( pnReadFactors( reader, &factors, problem, problem->caseFactors + (size_t)i * (size_t)problem->conditionCount ) == false )
		{
			return false;
		}
		problem->caseCount = i + 1;
	}
	return true;
}

void pnScaleConditions( const pnProblem* problem, int index, pnCondition* conditions, pnAffine* affines )
{
	for ( int i = 0; i < problem->conditionCount; ++i )
	{
		double factor = problem->cases[index].factors[i];
		pnCondition* condition = conditions + i;
		*condition = problem->conditions[i];
		condition->vector = pnScaleD( factor, condition->vector );
		condition->turn = pnScaleD( factor, condition->turn );
		condition->pressure *= factor;
		if ( condition->field != NULL && condition->fieldContext == problem->affines + i )
		{
			affines[i] = problem->affines[i];
			for ( int axis = 0; axis < 3; ++axis )
			{
				affines[i].rows[axis] = pnScaleD( factor, affines[i].rows[axis] );
			}
			condition->fieldContext = affines + i;
		}
	}
}
