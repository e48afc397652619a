#!/usr/bin/env python3
# draw_rotations.py - draws docs/pictures/rotations.svg: a bar bent far, by pliant (linear, --rotations) and by CalculiX (linear, NLGEOM; from
# ../reference_rotations.h). Run by hand in the root of the sources, after make.
# SPDX-FileCopyrightText: 2026 The pliant authors
# SPDX-License-Identifier: MIT
import json, os, re, struct, subprocess, tempfile

here = os.path.dirname( os.path.abspath( __file__ ) )
tables = open( os.path.join( here, "..", "reference_rotations.h" ) ).read()
SCALE, WIDE, HIGH = 17.0, 270, 260
LOADS = ( 10, 20, 40 )


def table( name ):
	"""Deformed places of the two sides, as a closed outline."""
	rows = re.search( r"%s\[\d+\]\[6\] = \{.*?\n(.*?)\n\};" % name, tables, re.S ).group( 1 )
	rows = [[float( v ) for v in line.strip( "\t{ },;" ).split( "," )] for line in rows.split( "\n" )][20:]
	sides = [[( -.5, 0.0 )], [( .5, 0.0 )]]
	for x, y, z, u, v, w in rows:
		sides[x > 0].append( ( x + u, z + w ) )
	return sides[0] + sides[1][::-1]


def solved( load, rotations ):
	"""The same of pliant's answer: vertices of the deformed surface on the two sides, in the middle of the bar's width."""
	shapes = []
	for exaggerate in ( 1e-6, 1 ): # at rest, and deformed: the vertices are in the same order
		problem = { "surface": { "shape": "box", "size": [1, 10, 1], "divisions": [2, 20, 2], "move": [0, 5, 0] }, "material": { "youngs_modulus": 12000, "poisson_ratio": 0.3 },
			"conditions": [{ "where": { "group": "bottom" }, "fixed": True }, { "where": { "group": "top" }, "force": [load, 0, 0] }], "sources": { "count": 250 },
			"show": { "exaggerate": exaggerate } }
		with tempfile.TemporaryDirectory() as folder:
			with open( folder + "/bar.json", "w" ) as f:
				json.dump( problem, f )
			subprocess.run( ["build/pliant", "solve", folder + "/bar.json", "--quiet", "--out", folder + "/bar.ply"] + ( ["--rotations"] if rotations else [] ), check = True )
			data = open( folder + "/bar.ply", "rb" ).read()
		start = data.index( b"end_header\n" ) + 11
		count = int( re.search( rb"element vertex (\d+)", data ).group( 1 ) )
		shapes.append( [struct.unpack_from( "<3f", data, start + 27 * i ) for i in range( count )] )
	sides = [{}, {}]
	for p, q in zip( *shapes ):
		if abs( p[2] ) < 1e-3 and abs( abs( p[0] ) - .5 ) < 1e-3:
			sides[p[0] > 0][round( p[1], 2 )] = q[:2]
	return [sides[0][k] for k in sorted( sides[0] )] + [sides[1][k] for k in sorted( sides[1], reverse = True )]


def path( outline, color, dash = "", fill = "none" ):
	d = "M" + " L".join( "%.1f %.1f" % ( 30 + SCALE * x, HIGH - 25 - SCALE * z ) for x, z in outline )
	return '<path d="%s Z" fill="%s" fill-opacity="0.5" stroke="%s" stroke-width="1.4"%s/>\n' % ( d, fill, color, ' stroke-dasharray="%s"' % dash if dash else "" )


with open( "docs/pictures/rotations.svg", "w" ) as f:
	f.write( '<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" font-size="12">\n<rect width="100%%" height="100%%" fill="white"/>\n' % ( WIDE * len( LOADS ), HIGH + 40 ) )
	for i, load in enumerate( LOADS ):
		f.write( '<g transform="translate(%d 0)">\n<text x="10" y="16">P L² / E I = %g</text>\n' % ( WIDE * i, load / 10 ) )
		f.write( path( table( "s_bent%dLarge" % load ), "#222", fill = "#cfd6dd" ) )
		f.write( path( table( "s_bent%dLinear" % load ), "#d07020", "6 4" ) )
		f.write( path( solved( load, False ), "#c02030", "2 3" ) )
		f.write( path( solved( load, True ), "#1060c0" ) )
		f.write( "</g>\n" )
	for i, ( color, words ) in enumerate( ( ( "#222", "CalculiX NLGEOM (filled)" ), ( "#d07020", "CalculiX linear (dashes)" ), ( "#c02030", "pliant (dots, on the dashes)" ), ( "#1060c0", "pliant --rotations" ) ) ):
		f.write( '<rect x="%d" y="%d" width="14" height="4" fill="%s"/><text x="%d" y="%d">%s</text>\n' % ( 10 + 200 * i, HIGH + 18, color, 28 + 200 * i, HIGH + 24, words ) )
	f.write( "</svg>\n" )
