// solve_numbers.c - the numbers about an answer as lines of text with their meaning. Knows no pictures.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "solve_numbers.h"

#include "../src/kelvin/vec3d.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char* pnNameMethod( pnKelvinMethod method )
{
	static const char* const names[] = { "energy", "lsq", "lsq-cg", "auto" }; // as pnKelvinMethod
	return (int)method >= 0 && (int)method < 4 ? names[method] : "?";
}

void pnAddNumber( pnNumbers* numbers, pnNumberPart part, const char* name, const char* meaning, const char* format, ... )
{
	if ( numbers->lineCount == PN_MAX_NUMBER_LINES )
	{
		return;
	}
	pnNumberLine* line = numbers->lines + numbers->lineCount++;
	line->part = part;
	snprintf( line->name, sizeof( line->name ), "%s", name );
	snprintf( line->meaning, sizeof( line->meaning ), "%s", meaning );
	va_list arguments;
	va_start( arguments, format );
	vsnprintf( line->value, sizeof( line->value ), format, arguments );
	va_end( arguments );
}

static void pnAddAnswer( pnNumbers* numbers, const pnSolution* solution, const pnKelvinInfo* info )
{
	pnVec3d p = solution->rest[solution->mostVertices[pn_displacementField]], u = solution->displacements[solution->mostVertices[pn_displacementField]];
	pnAddNumber( numbers, pn_answerPart, "displacement", "How far the surface moves at most, and where that is.",
				 "%.4g m at most, (%.3g, %.3g, %.3g) at (%.3g, %.3g, %.3g)", solution->most[pn_displacementField], u.x, u.y, u.z, p.x, p.y, p.z );
	p = solution->rest[solution->mostVertices[pn_stressField]];
	pnAddNumber( numbers, pn_answerPart, "von Mises stress",
				 "At sharp inner corners and at the edge of what is held, stress has no largest value: there it grows with the number of sources.",
				 "%.4g Pa at most, at (%.3g, %.3g, %.3g); 99 %% of the surface below %.4g Pa", solution->most[pn_stressField], p.x, p.y, p.z,
				 solution->usual[pn_stressField] );
	pnAddNumber( numbers, pn_answerPart, "volume", "How much larger or smaller the solid has become.", "%+.3g %%", 100.0 * info->volumeChange );
	pnAddNumber( numbers, pn_answerPart, "energy", "What the deformation has stored.", "%.4g J", info->strainEnergy );
}

static void pnAddForces( pnNumbers* numbers, const pnProblem* problem, const pnKelvin* kelvin )
{
	pnVec3d middle = pnScaleD( 0.5, pnAddD( problem->lower, problem->upper ) );
	for ( int i = 0; i < problem->conditionCount; ++i )
	{
		pnVec3d force = { 0.0, 0.0, 0.0 }, torque = { 0.0, 0.0, 0.0 };
		pnKelvin_GetForce( kelvin, &problem->conditions[i].region, middle, &force, &torque );
		pnAddNumber( numbers, pn_forcePart, problem->conditionNames[i],
					 "What acts there from outside, load or reaction: force, and torque about the middle of the solid's bounds.",
					 "(%.4g, %.4g, %.4g) N, (%.4g, %.4g, %.4g) N m", force.x, force.y, force.z, torque.x, torque.y, torque.z );
	}
	for ( int i = 0; i < problem->indenterCount; ++i )
	{
		pnVec3d force = { 0.0, 0.0, 0.0 };
		double depth = 0.0, area = 0.0;
		pnKelvin_GetIndenter( kelvin, i, &force, &depth, &area );
		pnAddNumber( numbers, pn_forcePart, problem->indenterNames[i], "What it pushes with, how far it was pressed from where it was given, over what area.",
					 "(%.4g, %.4g, %.4g) N, %.4g m deep, touching %.4g m^2", force.x, force.y, force.z, depth, area );
	}
}

static void pnAddProbes( pnNumbers* numbers, const pnProblem* problem, const pnKelvin* kelvin )
{
	numbers->probeError = -1.0;
	for ( int i = 0; i < problem->probeCount; ++i )
	{
		const pnProbe* probe = problem->probes + i;
		pnVec3d u;
		pnStress stress;
		pnKelvin_Evaluate( kelvin, &probe->at, 1, &u, &stress );
		double vonMises = pnVonMises( &stress );
		char text[200], meaning[320] = "";
		int used = snprintf( text, sizeof( text ), "(%.4g, %.4g, %.4g) m, %.4g Pa", u.x, u.y, u.z, vonMises );
		double got[3] = { u.x, u.y, u.z }, known[3] = { probe->known.x, probe->known.y, probe->known.z }, difference2 = 0.0, known2 = 0.0;
		for ( int k = 0; k < 3; ++k )
		{
			bool counts = ( probe->knownAxes >> k & 1 ) != 0;
			difference2 += counts ? ( got[k] - known[k] ) * ( got[k] - known[k] ) : 0.0;
			known2 += counts ? known[k] * known[k] : 0.0;
		}
		if ( known2 > 0.0 )
		{
			double error = sqrt( difference2 / known2 );
			numbers->probeError = fmax( numbers->probeError, error );
			used += snprintf( text + used, sizeof( text ) - (size_t)used, "; %.2g %% from the known %.4g m", 100.0 * error, sqrt( known2 ) );
		}
		if ( probe->knownStress > 0.0 )
		{
			snprintf( text + used, sizeof( text ) - (size_t)used, "; %.2g %% from the known %.4g Pa",
					  100.0 * fabs( vonMises - probe->knownStress ) / probe->knownStress, probe->knownStress );
		}
		if ( probe->by[0] != 0 )
		{
			snprintf( meaning, sizeof( meaning ), "Known by: %s.", probe->by );
		}
		pnAddNumber( numbers, pn_probePart, probe->name, meaning, "%s", text );
	}
}

static void pnAddTrust( pnNumbers* numbers, const pnKelvinInfo* info )
{
	if ( info->errorEstimate >= 0.0 )
	{
		pnAddNumber( numbers, pn_trustPart, "error estimate",
					 "How much the displacement changes between this answer and one with half the sources, in mean. The one number to look at first.",
					 "%.2g %%", 100.0 * info->errorEstimate );
	}
	pnAddNumber( numbers, pn_trustPart, "residual", "How far what was given (displacements, loads) is missed where it was asked for, relative to all of it.",
				 "%.2g %%", 100.0 * info->residual );
	pnAddNumber( numbers, pn_trustPart, "held-out residual", "The same at other places of the surface. Much larger than the residual: too few points.",
				 "%.2g %%", 100.0 * info->heldOutResidual );
	pnAddNumber( numbers, pn_trustPart, "Betti", "Two loads must do the same work on each other's displacements; this is the difference.", "%.2g %%",
				 100.0 * info->bettiMismatch );
	pnAddNumber( numbers, pn_trustPart, "reaction balance", "What is held must carry what is loaded; this is the difference.", "%.2g %%",
				 100.0 * info->reactionMismatch );
	pnAddNumber( numbers, pn_trustPart, "condition",
				 "How ill-conditioned the equations are. Up to 1e14 or so it is normal for this method and harmless; the residual counts.", "%.2g",
				 info->conditionNumber );
	pnAddNumber( numbers, pn_trustPart, "retries", "How often the factorisation needed help: 0 is healthy, 3 or more is not to be trusted.", "%d",
				 info->retryCount );
}

static void pnAddWork( pnNumbers* numbers, const pnKelvinInfo* info )
{
	pnAddNumber( numbers, pn_workPart, "method", "energy: least energy on the surface. lsq: least squares, as in the paper.", "%s", pnNameMethod( info->method ) );
	pnAddNumber( numbers, pn_workPart, "points", "Places on the surface where something is asked for.", "%d", info->pointCount );
	pnAddNumber( numbers, pn_workPart, "sources", "Points outside the solid whose forces make up the answer; three unknowns each, and twelve more.",
				 "%d (%d unknowns, rank %d)", info->sourceCount, info->unknownCount, info->rank );
	if ( info->roundCount > 1 )
	{
		pnAddNumber( numbers, pn_workPart, "rounds", "How often sources were added where the answer needed them.", "%d", info->roundCount );
	}
	if ( info->iterationCount > 0 )
	{
		pnAddNumber( numbers, pn_workPart, "iterations", "Of conjugate gradients, or of finding out what touches.", "%d", info->iterationCount );
	}
	pnAddNumber( numbers, pn_workPart, "time", "Of the last round, by stages, and of all.", "%.3f s place, %.3f s assemble, %.3f s factor, %.4f s solve; %.2f s in all",
				 info->placeSeconds, info->assembleSeconds, info->factorSeconds, info->solveSeconds, info->totalSeconds );
}

void pnCollectNumbers( const pnProblem* problem, const pnKelvin* kelvin, const pnKelvinInfo* info, const pnSolution* solution, pnNumbers* numbers )
{
	numbers->lineCount = 0;
	numbers->warningCount = 0;
	pnAddAnswer( numbers, solution, info );
	pnAddForces( numbers, problem, kelvin );
	pnAddProbes( numbers, problem, kelvin );
	pnAddTrust( numbers, info );
	pnAddWork( numbers, info );
	for ( int bit = 0; bit < 32 && numbers->warningCount < PN_MAX_WARNINGS; ++bit )
	{
		if ( ( info->warnings >> bit & 1 ) != 0 )
		{
			numbers->warnings[numbers->warningCount++] = pnKelvinWarningText( 1u << bit );
		}
	}
}

void pnPrintNumbers( const pnNumbers* numbers, FILE* file )
{
	for ( int i = 0; i < numbers->lineCount; ++i )
	{
		fprintf( file, "  %-18s %s\n", numbers->lines[i].name, numbers->lines[i].value );
	}
	for ( int i = 0; i < numbers->warningCount; ++i )
	{
		fprintf( file, "  warning            %s\n", numbers->warnings[i] );
	}
}
