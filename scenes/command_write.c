// command_write.c - a command back to its line of text. Knows no worlds.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "command.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef struct pnWriter
{
	char* line;
	int length;
} pnWriter;

__attribute__( ( format( printf, 2, 3 ) ) ) static void pnPut( pnWriter* writer, const char* format, ... )
{
	va_list arguments;
	va_start( arguments, format );
	int count = vsnprintf( writer->line + writer->length, (size_t)( PN_COMMAND_LINE - writer->length ), format, arguments );
	va_end( arguments );
	int left = PN_COMMAND_LINE - 1 - writer->length;
	writer->length += count < left ? count : left;
}

// Nine digits tell every float from every other.
static void pnPutVec( pnWriter* writer, pnVec3 v ) { pnPut( writer, " %.9g %.9g %.9g", (double)v.x, (double)v.y, (double)v.z ); }

static void pnPutChanged( pnWriter* writer, const char* name, float value, float usual )
{
	if ( memcmp( &value, &usual, sizeof( float ) ) != 0 )
	{
		pnPut( writer, " %s %.9g", name, (double)value );
	}
}

static void pnPutBody( pnWriter* writer, pnBodyId body )
{
	if ( body.index1 == 0 )
	{
		pnPut( writer, " all" );
		return;
	}
	pnPut( writer, " %d.%u", body.index1, body.generation );
}

// To the bit: a zero with a minus is one that was said.
static bool pnIsZero( pnVec3 v )
{
	const pnVec3 zero = { 0.0f, 0.0f, 0.0f };
	return memcmp( &v, &zero, sizeof( v ) ) == 0;
}

static void pnPutMotion( pnWriter* writer, const char* name, pnVec3 v )
{
	if ( pnIsZero( v ) == false )
	{
		pnPut( writer, " %s", name );
		pnPutVec( writer, v );
	}
}

static void pnPutFields( pnWriter* writer, const pnCommand* command )
{
	static const char* const modes[] = { "rigid", "linear", "quadratic" }; // as pnMode counts
	static const char* const caps[] = { "none", "rows", "blend", "scale" }; // as pnCap counts
	if ( command->preset[0] != 0 )
	{
		pnPut( writer, " preset %s", command->preset );
	}
	for ( int i = 0; pnGetMaterialField( i ) != NULL; ++i )
	{
		const pnMaterialField* field = pnGetMaterialField( i );
		if ( ( command->fields >> i & 1 ) == 0 )
		{
			continue;
		}
		float value;
		memcpy( &value, (const char*)&command->material + field->offset, sizeof( value ) );
		switch ( field->kind )
		{
		case pn_floatField:
			pnPut( writer, " %s %.9g", field->name, (double)value );
			break;
		case pn_modeField:
			pnPut( writer, " %s %s", field->name, modes[command->material.mode] );
			break;
		case pn_capField:
			pnPut( writer, " %s %s", field->name, caps[command->material.cap] );
			break;
		}
	}
}

static void pnPutShape( pnWriter* writer, const pnCommand* command )
{
	static const char* const deeds[] = { "ball at", "box at", "capsule at", "move", "remove" }; // as pnShapeDeed counts
	pnPut( writer, "shape %u %s", command->number, deeds[command->deed] );
	if ( command->deed == pn_removeDeed )
	{
		return;
	}
	pnPutVec( writer, command->place );
	if ( command->deed == pn_ballDeed || command->deed == pn_capsuleDeed )
	{
		pnPut( writer, " radius %.9g", (double)command->radius );
	}
	if ( command->deed == pn_capsuleDeed )
	{
		pnPut( writer, " half %.9g", (double)command->half.y );
	}
	if ( command->deed == pn_boxDeed )
	{
		pnPut( writer, " half" );
		pnPutVec( writer, command->half );
	}
}

int pnFormatCommand( const pnCommand* command, char line[PN_COMMAND_LINE] )
{
	pnWriter writer = { line, 0 };
	line[0] = 0;
	pnGrabDef usual = pnDefaultGrabDef();
	switch ( command->kind )
	{
	case pn_noCommand:
		break;
	case pn_stepCommand:
		pnPut( &writer, "step %d", command->steps );
		pnPutChanged( &writer, "dt", command->timeStep, 0.0f );
		if ( command->substeps != 0 )
		{
			pnPut( &writer, " substeps %d", command->substeps );
		}
		break;
	case pn_grabCommand:
		pnPut( &writer, "grab %u:%u %s", command->owner, command->hand, command->alongRay ? "ray" : "at" );
		pnPutVec( &writer, command->place );
		if ( command->alongRay )
		{
			pnPutVec( &writer, command->ray );
		}
		pnPutChanged( &writer, "radius", command->radius, usual.radius );
		pnPutChanged( &writer, "hertz", command->hertz, usual.hertz );
		pnPutChanged( &writer, "damping", command->dampingRatio, usual.dampingRatio );
		pnPutChanged( &writer, "force", command->maxForce, usual.maxForce );
		break;
	case pn_pushCommand:
		pnPut( &writer, "push %u:%u at", command->owner, command->hand );
		pnPutVec( &writer, command->place );
		pnPut( &writer, " radius %.9g", (double)command->radius );
		break;
	case pn_moveCommand:
		pnPut( &writer, "move %u:%u", command->owner, command->hand );
		pnPutVec( &writer, command->place );
		if ( command->steps != 1 )
		{
			pnPut( &writer, " steps %d", command->steps );
		}
		break;
	case pn_lockCommand:
		pnPut( &writer, "lock %u:%u", command->owner, command->hand );
		break;
	case pn_unlockCommand:
		pnPut( &writer, "unlock %u:%u", command->owner, command->hand );
		break;
	case pn_dropCommand:
		pnPut( &writer, "drop %u:%u", command->owner, command->hand );
		break;
	case pn_letGoCommand:
		pnPut( &writer, "letgo %u", command->owner );
		break;
	case pn_cutCommand:
		pnPut( &writer, "cut %s", command->blade == pn_planeBlade ? "plane" : "quad" );
		if ( command->blade == pn_planeBlade )
		{
			pnPutVec( &writer, command->point );
			pnPutVec( &writer, command->normal );
		}
		for ( int i = 0; i < 4 && command->blade == pn_quadBlade; ++i )
		{
			pnPutVec( &writer, command->quad[i] );
		}
		if ( command->inside != 0 )
		{
			pnPut( &writer, " inside %d", command->inside );
		}
		if ( command->body.index1 != 0 )
		{
			pnPut( &writer, " body" );
			pnPutBody( &writer, command->body );
		}
		break;
	case pn_gravityCommand:
		pnPut( &writer, "gravity" );
		pnPutVec( &writer, command->gravity );
		break;
	case pn_expectCommand:
		pnPut( &writer, "expect hash 0x%016llx", (unsigned long long)command->hash );
		break;
	case pn_removeCommand:
	case pn_unpinCommand:
		pnPut( &writer, command->kind == pn_removeCommand ? "remove" : "unpin" );
		pnPutBody( &writer, command->body );
		break;
	case pn_throwCommand:
		pnPut( &writer, "throw" );
		pnPutBody( &writer, command->body );
		pnPutVec( &writer, command->velocity );
		break;
	case pn_pinCommand:
		pnPut( &writer, "pin" );
		pnPutBody( &writer, command->body );
		pnPut( &writer, " at" );
		pnPutVec( &writer, command->place );
		pnPut( &writer, " radius %.9g", (double)command->radius );
		break;
	case pn_materialCommand:
		pnPut( &writer, "material" );
		pnPutBody( &writer, command->body );
		pnPutFields( &writer, command );
		break;
	case pn_shapeCommand:
		pnPutShape( &writer, command );
		break;
	case pn_spawnCommand:
		pnPut( &writer, "spawn %s at", command->name );
		pnPutVec( &writer, command->place );
		if ( pnIsZero( command->axis ) == false || command->angle != 0.0f )
		{
			pnPut( &writer, " turn" );
			pnPutVec( &writer, command->axis );
			pnPut( &writer, " %.9g", (double)command->angle );
		}
		pnPutMotion( &writer, "velocity", command->velocity );
		pnPutMotion( &writer, "spin", command->spin );
		if ( command->color != 0 )
		{
			pnPut( &writer, " color 0x%06x", command->color );
		}
		pnPutFields( &writer, command );
		break;
	case pn_solidCommand:
		pnPut( &writer, "solid %s points %d", command->name, command->pointCount );
		break;
	case pn_loadCommand:
		pnPut( &writer, "load %s%s", command->name, command->still ? " still" : "" );
		break;
	case pn_undoCommand:
		pnPut( &writer, "undo" );
		break;
	case pn_redoCommand:
		pnPut( &writer, "redo" );
		break;
	case pn_rateCommand:
		pnPut( &writer, "rate %.9g", (double)command->rate );
		break;
	case pn_substepsCommand:
		pnPut( &writer, "substeps %d", command->substeps );
		break;
	case pn_askCommand:
		pnPut( &writer, "ask ray" );
		pnPutVec( &writer, command->place );
		pnPutVec( &writer, command->ray );
		break;
	case pn_commandKindCount:
		break;
	}
	return writer.length;
}
