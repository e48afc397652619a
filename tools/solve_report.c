// solve_report.c - an answer as one HTML file: pictures, numbers, a convergence plot. Knows no options and no solving.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "solve_report.h"

#include "solve_picture.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
	PN_PICTURE_WIDTH = 440, // pixels
	PN_PICTURE_HEIGHT = 340,
};

static void pnWriteEscaped( FILE* file, const char* text )
{
	for ( ; *text != 0; ++text )
	{
		switch ( *text )
		{
		case '<':
			fputs( "&lt;", file );
			break;
		case '>':
			fputs( "&gt;", file );
			break;
		case '&':
			fputs( "&amp;", file );
			break;
		case '"':
			fputs( "&quot;", file );
			break;
		default:
			fputc( *text, file );
			break;
		}
	}
}

static void pnWriteHead( FILE* file, const pnReportDef* def )
{
	fprintf( file, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width\">\n<title>" );
	pnWriteEscaped( file, def->problem->title );
	fprintf( file,
			 "</title>\n<style>\n"
			 "body { font: 15px/1.45 sans-serif; color: #222; max-width: 1380px; margin: 24px auto; padding: 0 16px; }\n"
			 "h1 { font-size: 26px; margin: 0 0 4px; } h2 { font-size: 19px; margin: 28px 0 8px; }\n"
			 ".views { display: flex; flex-wrap: wrap; gap: 8px; } .views img { max-width: 100%%; border-radius: 4px; }\n"
			 "table { border-collapse: collapse; } td, th { text-align: left; padding: 4px 14px 4px 0; vertical-align: top; border-bottom: 1px solid #e4e4e4; }\n"
			 "td.number { white-space: nowrap; font-variant-numeric: tabular-nums; } td.meaning { color: #666; }\n"
			 "th.part { padding-top: 14px; border-bottom: 2px solid #bbb; }\n"
			 ".warnings { background: #fff4d6; border-left: 4px solid #e0a100; padding: 8px 14px; margin: 12px 0; }\n"
			 ".good { background: #e8f4e8; border-left: 4px solid #4fa85c; padding: 8px 14px; margin: 12px 0; }\n"
			 ".bar { display: flex; align-items: center; gap: 10px; margin: 6px 0 10px; }\n"
			 ".bar i { display: block; width: 320px; height: 14px; border-radius: 3px;\n"
			 " background: linear-gradient(to right, #345caa, #68b2ce, #f4ecc4, #f09e52, #bc262c); }\n"
			 "code { background: #f3f3f3; padding: 1px 4px; }\n</style>\n</head>\n<body>\n<h1>" );
	pnWriteEscaped( file, def->problem->title );
	fprintf( file, "</h1>\n<p>" );
	pnWriteEscaped( file, def->problem->about );
	fprintf( file, "</p>\n" );
	pnVec3d size = { def->problem->upper.x - def->problem->lower.x, def->problem->upper.y - def->problem->lower.y,
					 def->problem->upper.z - def->problem->lower.z };
	fprintf( file, "<p>%.4g × %.4g × %.4g m; ", size.x, size.y, size.z );
	for ( int i = 0; i < def->problem->partCount; ++i )
	{
		fprintf( file, "part %d: Young's modulus %.4g Pa, Poisson's ratio %.4g; ", i + 1, def->problem->parts[i].youngsModulus, def->problem->parts[i].poissonRatio );
	}
	if ( def->problem->partCount == 0 )
	{
		fprintf( file, "Young's modulus %.4g Pa, Poisson's ratio %.4g; ", def->problem->def.youngsModulus, def->problem->def.poissonRatio );
	}
	fprintf( file, "%d condition%s, %d indenter%s.</p>\n", def->problem->conditionCount, def->problem->conditionCount == 1 ? "" : "s",
			 def->problem->indenterCount, def->problem->indenterCount == 1 ? "" : "s" );
	if ( def->numbers->warningCount == 0 )
	{
		fprintf( file, "<div class=\"good\">Nothing speaks against this answer.</div>\n" );
		return;
	}
	fprintf( file, "<div class=\"warnings\"><b>What speaks against this answer:</b><ul>\n" );
	for ( int i = 0; i < def->numbers->warningCount; ++i )
	{
		fprintf( file, "<li>" );
		pnWriteEscaped( file, def->numbers->warnings[i] );
		fprintf( file, "</li>\n" );
	}
	fprintf( file, "</ul></div>\n" );
}

static bool pnWritePictures( FILE* file, const pnReportDef* def )
{
	static const char* const titles[pn_fieldKindCount] = { "Displacement", "Von Mises stress", "Force on the surface" };
	static const char* const units[pn_fieldKindCount] = { "m", "Pa", "Pa" };
	const pnProblem* problem = def->problem;
	const pnSolution* solution = def->solution;
	double exaggerate = pnChooseExaggeration( problem, solution );
	int total = pn_fieldKindCount * problem->viewCount, done = 0;
	for ( int order = 0; order < pn_fieldKindCount; ++order )
	{
		// what the problem wants to show comes first
		pnFieldKind field = order == 0 ? (pnFieldKind)problem->color : (pnFieldKind)( order <= problem->color ? order - 1 : order );
		fprintf( file, "<h2>%s</h2>\n<div class=\"bar\"><span>0</span><i></i><span>%.4g %s%s</span>", titles[field], solution->usual[field], units[field],
				 solution->usual[field] < solution->most[field] ? " and more" : "" );
		if ( solution->usual[field] < solution->most[field] )
		{
			fprintf( file, "<span>(%.4g %s at most)</span>", solution->most[field], units[field] );
		}
		fprintf( file, "<span>%s%.4g%s</span></div>\n<div class=\"views\">\n", exaggerate == 1.0 ? "" : "shown ", exaggerate == 1.0 ? 1.0 : exaggerate,
				 exaggerate == 1.0 ? " : 1" : " times larger" );
		for ( int view = 0; view < problem->viewCount; ++view )
		{
			pnPictureDef picture = pnChoosePicture( problem, solution, def->kelvin, field, view );
			picture.width = PN_PICTURE_WIDTH;
			picture.height = PN_PICTURE_HEIGHT;
			pnImage image;
			char* text = NULL;
			if ( pnDrawSolution( &picture, &image ) )
			{
				text = pnMakePngText( &image );
				pnDestroyImage( &image );
			}
			if ( text == NULL )
			{
				return false;
			}
			fprintf( file, "<img width=\"%d\" height=\"%d\" alt=\"%s from azimuth %g, elevation %g\" src=\"data:image/png;base64,%s\">\n", PN_PICTURE_WIDTH,
					 PN_PICTURE_HEIGHT, titles[field], picture.azimuth, picture.elevation, text );
			free( text );
			done += 1;
			if ( def->onPicture != NULL )
			{
				def->onPicture( done, total, def->context );
			}
		}
		fprintf( file, "</div>\n" );
	}
	fprintf( file, "<p>Dark lines: where the surface was.</p>\n" );
	return true;
}

static void pnWriteNumbers( FILE* file, const pnNumbers* numbers )
{
	static const char* const parts[pn_numberPartCount] = { "The answer", "What holds and pushes", "At places", "How far to trust it", "How it was found" };
	fprintf( file, "<h2>Numbers</h2>\n<table>\n" );
	for ( int part = 0; part < pn_numberPartCount; ++part )
	{
		bool begun = false;
		for ( int i = 0; i < numbers->lineCount; ++i )
		{
			const pnNumberLine* line = numbers->lines + i;
			if ( (int)line->part != part )
			{
				continue;
			}
			if ( begun == false )
			{
				fprintf( file, "<tr><th class=\"part\" colspan=\"3\">%s</th></tr>\n", parts[part] );
				begun = true;
			}
			fprintf( file, "<tr><td>" );
			pnWriteEscaped( file, line->name );
			fprintf( file, "</td><td class=\"number\">" );
			pnWriteEscaped( file, line->value );
			fprintf( file, "</td><td class=\"meaning\">" );
			pnWriteEscaped( file, line->meaning );
			fprintf( file, "</td></tr>\n" );
		}
	}
	fprintf( file, "</table>\n" );
}

static void pnWriteConvergence( FILE* file, const pnConvergeRow* rows, int rowCount )
{
	fprintf( file, "<h2>Convergence</h2>\n<p>The same problem with more and more sources; each answer is compared with the last one.</p>\n" );
	pnWriteConvergePlot( file, rows, rowCount );
	fprintf( file, "<table>\n<tr><th>sources</th><th>points</th><th>difference from the last</th><th>from what is known</th><th>residual</th>"
				   "<th>held-out residual</th><th>time</th></tr>\n" );
	for ( int i = 0; i < rowCount; ++i )
	{
		const pnConvergeRow* row = rows + i;
		char difference[32] = "", known[32] = "";
		if ( row->difference >= 0.0 )
		{
			snprintf( difference, sizeof( difference ), "%.3g %%", 100.0 * row->difference );
		}
		if ( row->probeError >= 0.0 )
		{
			snprintf( known, sizeof( known ), "%.3g %%", 100.0 * row->probeError );
		}
		fprintf( file,
				 "<tr><td class=\"number\">%d</td><td class=\"number\">%d</td><td class=\"number\">%s</td><td class=\"number\">%s</td>"
				 "<td class=\"number\">%.3g %%</td><td class=\"number\">%.3g %%</td><td class=\"number\">%.2f s</td></tr>\n",
				 row->sources, row->points, difference, known, 100.0 * row->residual, 100.0 * row->heldOutResidual, row->seconds );
	}
	fprintf( file, "</table>\n" );
}

const char* pnWriteReport( const pnReportDef* def, const char* path )
{
	FILE* file = fopen( path, "w" );
	if ( file == NULL )
	{
		return strerror( errno );
	}
	pnWriteHead( file, def );
	bool drawn = pnWritePictures( file, def );
	pnWriteNumbers( file, def->numbers );
	if ( def->rows != NULL )
	{
		pnWriteConvergence( file, def->rows, def->rowCount );
	}
	fprintf( file, "<p>Made by <code>" );
	pnWriteEscaped( file, def->command );
	fprintf( file, "</code></p>\n</body>\n</html>\n" );
	bool failed = ferror( file ) != 0;
	failed = fclose( file ) != 0 || failed;
	return drawn == false ? "there is no memory for the pictures" : failed ? strerror( errno ) : NULL;
}
