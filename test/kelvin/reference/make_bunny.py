#!/usr/bin/env python3
# make_bunny.py - the bunny's number in bench/bench_kelvin.c: its head's mean displacement by CalculiX, on gmsh's tetrahedra between the bunny's own triangles. Run by hand.
# SPDX-FileCopyrightText: 2026 The pliant authors
# SPDX-License-Identifier: MIT
#
# Usage: OMP_NUM_THREADS=1 python3 make_bunny.py bunny.obj [halvings]      (tools/fetch_bunny.sh brings the file; 0 halvings: seconds, 1: minutes and some GB)
# The bunny is 0.01 of its file's size; E = 1e5 Pa, nu = 0.4; triangles below y = 0.004 m are held; a force of 1e4 N/m^3 along x acts inside;
# told is the mean over the triangles above y = 0.09 m. Halving divides every tetrahedron into eight; the surface stays what it is.
import os, subprocess, sys, tempfile

corners, triangles = [], []
for line in open( sys.argv[1] ):
	word = line.split()
	if word[:1] == ["v"]:
		corners.append( [.01 * float( x ) for x in word[1:4]] )
	elif word[:1] == ["f"]:
		triangles.append( [int( i ) - 1 for i in word[1:4]] )
work = tempfile.mkdtemp( prefix = "bunny." )
with open( os.path.join( work, "part.stl" ), "w" ) as f:
	f.write( "solid part\n" )
	for t in triangles:
		f.write( "facet normal 0 0 0\nouter loop\n" + "".join( "vertex %.17g %.17g %.17g\n" % tuple( corners[i] ) for i in t ) + "endloop\nendfacet\n" )
	f.write( "endsolid part\n" )
with open( os.path.join( work, "part.geo" ), "w" ) as f:
	f.write( 'Merge "part.stl";\nSurface Loop(1) = { 1 };\nVolume(1) = { 1 };\nMesh 3;\n' + "RefineMesh;\n" * int( sys.argv[2] if len( sys.argv ) > 2 else 0 ) )
	f.write( 'SetOrder 2;\nPhysical Volume("Part") = { 1 };\nPhysical Surface("Skin") = { 1 };\nSave "mesh.inp";\n' )
subprocess.run( ["gmsh", "-", "-v", "2", "-nt", "1", "part.geo"], cwd = work, check = True, stdout = subprocess.DEVNULL )

nodes, skin, tets, kind, numbers = {}, [], [], None, []
for line in open( os.path.join( work, "mesh.inp" ) ):
	if line[0] == "*":
		kind = "node" if line.startswith( "*NODE" ) else 7 if "type=CPS6" in line else 11 if "type=C3D10" in line else None
		continue
	if kind == "node":
		word = line.split( "," )
		nodes[int( word[0] )] = [float( x ) for x in word[1:4]]
	elif kind is not None:
		numbers += [int( x ) for x in line.split( "," ) if x.strip()]
		while len( numbers ) >= kind:
			( skin if kind == 7 else tets ).append( numbers[:kind] )
			numbers = numbers[kind:]
held, weights = set(), {}
for t in skin:
	x = [nodes[i] for i in t[1:]]
	if all( p[1] < .004 + 1e-6 for p in x ):
		held.update( t[1:] )
	if all( p[1] > .09 - 1e-6 for p in x ):
		a, b = [[x[k][i] - x[0][i] for i in range( 3 )] for k in ( 1, 2 )]
		area = .5 * sum( ( a[i - 2] * b[i - 1] - a[i - 1] * b[i - 2] ) ** 2 for i in range( 3 ) ) ** .5
		for i in t[4:]:
			weights[i] = weights.get( i, 0 ) + area / 3
with open( os.path.join( work, "job.inp" ), "w" ) as f:
	f.write( "*NODE\n" )
	f.writelines( "%d, %.12g, %.12g, %.12g\n" % ( i, *x ) for i, x in nodes.items() )
	f.write( "*ELEMENT, TYPE=C3D10, ELSET=Part\n" )
	f.writelines( ", ".join( map( str, t ) ) + "\n" for t in tets )
	f.write( "*NSET, NSET=Base\n" + "".join( "%d,\n" % i for i in sorted( held ) ) + "*NSET, NSET=Tip\n" + "".join( "%d,\n" % i for i in sorted( weights ) ) )
	f.write( "*MATERIAL, NAME=Stuff\n*ELASTIC\n1e5, 0.4\n*DENSITY\n1\n*SOLID SECTION, ELSET=Part, MATERIAL=Stuff\n*STEP\n*STATIC%s\n*BOUNDARY\nBase, 1, 3\n*DLOAD\nPart, GRAV, 1e4, 1, 0, 0\n"
		"*NODE PRINT, NSET=Tip\nU\n*END STEP\n" % ( ", SOLVER=ITERATIVE CHOLESKY" if len( nodes ) > 60000 else "" ) )
subprocess.run( ["ccx", "-i", "job"], cwd = work, check = True, stdout = subprocess.DEVNULL )
total = [0.0] * 3
for line in open( os.path.join( work, "job.dat" ) ):
	word = line.split()
	if len( word ) == 4 and word[0].isdigit():
		for i in range( 3 ):
			total[i] += weights[int( word[0] )] * float( word[i + 1] )
print( len( nodes ), "nodes; mean over the head", *( "%.6g" % ( s / sum( weights.values() ) ) for s in total ), "m; files in", work )
