#!/usr/bin/env python3
# make_references.py - makes the tables ../*.h: linear elasticity by CalculiX on gmsh's quadratic tetrahedra (C3D10). Run by hand.
# SPDX-FileCopyrightText: 2026 The pliant authors
# SPDX-License-Identifier: MIT
#
# Usage: OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 python3 make_references.py [bars] [block] [bracket]      (about 8 minutes on one core)
# Needs gmsh 4.8, ccx 2.20, numpy, scipy. Knows nothing of pliant. All lengths and stresses are in consistent units.
import os, subprocess, sys, tempfile
import numpy as np
from scipy.spatial import cKDTree

out_folder = os.path.join( os.path.dirname( os.path.abspath( __file__ ) ), ".." )
work = os.environ.get( "REFERENCE_WORK" ) or tempfile.mkdtemp( prefix = "reference." )
os.makedirs( work, exist_ok = True )
EDGES = [( 0, 1 ), ( 1, 2 ), ( 2, 0 ), ( 0, 3 ), ( 1, 3 ), ( 2, 3 )] # of a C3D10, nodes 5 to 10
FACES = [( 0, 2, 1, 6, 5, 4 ), ( 0, 1, 3, 4, 8, 7 ), ( 1, 2, 3, 5, 9, 8 ), ( 2, 0, 3, 6, 7, 9 )] # corners, then the middles of their sides
# Six points of degree 4 on a triangle (Dunavant 1985): barycentric r, s and weight.
RULE = [( .445948490915965, .445948490915965, .223381589678011 ), ( .108103018168070, .445948490915965, .223381589678011 ), ( .445948490915965, .108103018168070, .223381589678011 ),
	( .091576213509771, .091576213509771, .109951743655322 ), ( .816847572980459, .091576213509771, .109951743655322 ), ( .091576213509771, .816847572980459, .109951743655322 )]


def mesh( name, geo ):
	"""Nodes and tetrahedra (in CalculiX's order) of a .geo text."""
	path = os.path.join( work, name )
	with open( path + ".geo", "w" ) as f:
		f.write( 'SetFactory("OpenCASCADE");\nMesh.MshFileVersion = 2.2;\nMesh.ElementOrder = 2;\nMesh.MeshSizeExtendFromBoundary = 0;\n'
			"Mesh.MeshSizeFromPoints = 0;\nMesh.Algorithm3D = 1;\nMesh.Optimize = 1;\n" + geo )
	subprocess.run( ["gmsh", "-3", "-v", "1", "-nt", "1", path + ".geo", "-o", path + ".msh"], check = True )
	lines = open( path + ".msh" ).read().split( "\n" )
	at = lines.index( "$Nodes" )
	count = int( lines[at + 1] )
	rows = np.array( [l.split() for l in lines[at + 2 : at + 2 + count]], float )
	index = { int( r[0] ): i for i, r in enumerate( rows ) }
	at = lines.index( "$Elements" )
	tets = []
	for l in lines[at + 2 : at + 2 + int( lines[at + 1] )]:
		n = l.split()
		if n[1] == "11":
			t = [index[int( i )] for i in n[3 + int( n[2] ) :]]
			tets.append( t[:8] + [t[9], t[8]] ) # gmsh has the last two the other way round
	tets = np.array( tets )
	used = np.unique( tets )
	renumber = -np.ones( count, int )
	renumber[used] = np.arange( len( used ) )
	return rows[used, 1:], renumber[tets]


def boundary( tets ):
	"""Six-node faces that belong to one tetrahedron only, turned outward."""
	f = np.vstack( [tets[:, list( face )] for face in FACES] )
	key = np.sort( f[:, :3], axis = 1 )
	_, first, count = np.unique( key, axis = 0, return_index = True, return_counts = True )
	return f[first[count == 1]]


def integrate( x, faces, fcn = lambda p: 1.0 ):
	"""Integral of each node's shape function times fcn over the faces."""
	weights = np.zeros( len( x ) )
	X = x[faces]
	for r, s, w in RULE:
		l = 1 - r - s
		N = np.array( [l * ( 2 * l - 1 ), r * ( 2 * r - 1 ), s * ( 2 * s - 1 ), 4 * l * r, 4 * r * s, 4 * s * l] )
		dr = np.array( [1 - 4 * l, 4 * r - 1, 0, 4 * ( l - r ), 4 * s, -4 * s] )
		ds = np.array( [1 - 4 * l, 0, 4 * s - 1, -4 * r, 4 * r, 4 * ( l - s )] )
		J = np.linalg.norm( np.cross( np.einsum( "fkd,k->fd", X, dr ), np.einsum( "fkd,k->fd", X, ds ) ), axis = 1 )
		value = .5 * w * J * fcn( np.einsum( "fkd,k->fd", X, N ) )
		np.add.at( weights, faces, value[:, None] * N )
	return weights


def solve( name, x, tets, E, nu, fixed, forces, equations = (), large = False ):
	"""Displacements, and the forces that act on the nodes from outside. fixed: { axis: nodes } at 0. equations: ( [( node, axis, coefficient )…], value ),
	the first term is the one that is eliminated."""
	path = os.path.join( work, name )
	extra = len( x ) + 1 # a node that carries the values of the equations
	with open( path + ".inp", "w" ) as f:
		f.write( "*NODE, NSET=NALL\n" )
		f.writelines( "%d,%.12g,%.12g,%.12g\n" % ( i + 1, *p ) for i, p in enumerate( x ) )
		f.write( "*ELEMENT, TYPE=C3D10, ELSET=EALL\n" )
		f.writelines( "%d,%s\n" % ( i + 1, ",".join( str( k + 1 ) for k in t ) ) for i, t in enumerate( tets ) )
		if equations:
			f.write( "*NODE, NSET=VALUES\n" )
			f.writelines( "%d,%.12g,%.12g,%.12g\n" % ( extra + i, 100 + i, 100, 100 ) for i in range( len( equations ) ) )
			for i, ( terms, value ) in enumerate( equations ):
				terms = list( terms ) + [( extra - 1 + i, 0, -1.0 )]
				f.write( "*EQUATION\n%d\n" % len( terms ) )
				for t in range( 0, len( terms ), 4 ):
					f.write( ",".join( "%d,%d,%.10g" % ( n + 1, a + 1, c ) for n, a, c in terms[t : t + 4] ) + "\n" )
		f.write( "*MATERIAL, NAME=M\n*ELASTIC\n%.12g,%.12g\n*SOLID SECTION, ELSET=EALL, MATERIAL=M\n*BOUNDARY\n" % ( E, nu ) )
		for axis, nodes in fixed.items():
			f.writelines( "%d,%d,%d,0.\n" % ( n + 1, axis + 1, axis + 1 ) for n in nodes )
		for i in range( len( equations ) ):
			f.write( "%d,2,3,0.\n" % ( extra + i ) )
		f.write( "*STEP, NLGEOM, INC=1000\n*STATIC\n0.1, 1.\n" if large else "*STEP\n*STATIC\n" )
		if equations:
			f.write( "*BOUNDARY\n" )
			f.writelines( "%d,1,1,%.12g\n" % ( extra + i, value ) for i, ( _, value ) in enumerate( equations ) )
		loaded = np.argwhere( forces != 0 )
		if len( loaded ):
			f.write( "*CLOAD\n" )
			f.writelines( "%d,%d,%.12g\n" % ( n + 1, a + 1, forces[n, a] ) for n, a in loaded )
		f.write( "*NODE PRINT, NSET=NALL\nU,RF\n*END STEP\n" )
	subprocess.run( ["ccx", "-i", name], cwd = work, check = True, stdout = subprocess.DEVNULL )
	blocks = [[], []]
	now = -1
	for line in open( path + ".dat" ):
		p = line.split()
		if len( p ) == 4 and p[0].isdigit():
			blocks[now].append( [float( v ) for v in p[1:]] )
		elif "displacements" in line:
			now = 0
		elif "forces" in line:
			now = 1
	u, rf = np.array( blocks[0][-len( x ) :] ), np.array( blocks[1][-len( x ) :] ) # of the last increment
	assert len( u ) == len( x ) and len( rf ) == len( x ) and np.isfinite( u ).all(), name
	return u, rf


def interpolate( x, tets, u, points ):
	"""The finite element field at points (corners taken as straight)."""
	a = x[tets[:, 0]]
	inverse = np.linalg.inv( np.stack( [x[tets[:, k]] - a for k in ( 1, 2, 3 )], axis = 2 ) )
	tree = cKDTree( x[tets[:, :4]].mean( axis = 1 ) )
	result = np.zeros( ( len( points ), 3 ) )
	for i, p in enumerate( points ):
		near = tree.query( p, k = 60 )[1]
		b = np.einsum( "tij,tj->ti", inverse[near], p - a[near] )
		l = np.column_stack( [1 - b.sum( axis = 1 ), b] )
		best = int( l.min( axis = 1 ).argmax() )
		l = l[best]
		N = np.r_[[v * ( 2 * v - 1 ) for v in l], [4 * l[c] * l[d] for c, d in EDGES]]
		result[i] = N @ u[tets[near[best]]]
	return result


def spread( x, candidates, count, first ):
	"""Farthest point sampling."""
	chosen = [first]
	d = np.linalg.norm( x[candidates] - x[first], axis = 1 )
	while len( chosen ) < count:
		n = candidates[int( d.argmax() )]
		chosen.append( n )
		d = np.minimum( d, np.linalg.norm( x[candidates] - x[n], axis = 1 ) )
	return np.array( chosen )


def relative( a, b ):
	return np.linalg.norm( a - b ) / np.linalg.norm( b )


HEAD = """// %s
// Made by test/kelvin/reference/make_references.py %s with gmsh 4.8.4 and CalculiX 2.20 (C3D10, linear static); see there. Do not edit.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
"""


def rows( f, name, comment, x, u ):
	f.write( "\n// %s\nstatic const double %s[%d][6] = { // x, y, z, then the displacement there\n" % ( comment, name, len( x ) ) )
	f.writelines( "\t{ %.9g, %.9g, %.9g, %.7g, %.7g, %.7g },\n" % ( *p, *v ) for p, v in zip( x, u ) )
	f.write( "};\n" )


# ---- bars: [-0.5, 0.5]^2 x [0, L], base clamped, tip pulled along x; only the half y >= 0 is meshed ----

def bar( length, nu, h, G = 120.0, traction = .1 ):
	name = "bar%g_%g_%g" % ( length, nu, h )
	# Fine along the edges of the clamp, where the stress is singular.
	x, tets = mesh( name, """
Box(1) = {-0.5, 0, 0, 1, 0.5, %g};
Physical Volume(1) = {1};
Field[1] = MathEval; Field[1].F = "Min( %g, %g + 0.35 * Sqrt( z^2 + Min( Abs( 0.5 - Abs( x ) ), Abs( 0.5 - y ) )^2 ) )";
Background Field = 1;
""" % ( length, h, h / 6 ) )
	faces = boundary( tets )
	tip = faces[( x[faces][:, :, 2] > length - 1e-6 ).all( axis = 1 )]
	weight = integrate( x, tip )
	assert abs( weight.sum() - .5 ) < 1e-9
	forces = np.zeros_like( x )
	forces[:, 0] = weight * traction
	base = np.flatnonzero( x[:, 2] < 1e-9 )
	middle = np.flatnonzero( ( x[:, 1] < 1e-9 ) & ( x[:, 2] > 1e-9 ) )
	u, rf = solve( name, x, tets, 2 * G * ( 1 + nu ), nu, { 0: base, 1: np.r_[base, middle], 2: base }, forces )
	result = { "x": x, "tets": tets, "u": u, "tip": 2 * weight @ u[:, 0], "force": 2 * rf[base, 0].sum(), "moment": 2 * ( x[base, 2] * rf[base, 0] - x[base, 0] * rf[base, 2] ).sum() }
	print( name, len( x ), "nodes, tip", result["tip"], "force", result["force"], "moment", result["moment"], flush = True )
	return result


def make_bars():
	with open( os.path.join( out_folder, "reference_bar.h" ), "w" ) as f:
		f.write( HEAD % ( "reference_bar.h - clamped bars [-0.5, 0.5]^2 x [0, L], base z = 0 held along all axes, traction 0.1 along x on the tip; G = 120.", "bars" ) )
		f.write( "#pragma once\n\ntypedef struct pnBarReference\n{\n\tdouble length, poissonRatio;\n\tdouble tip; // mean displacement of the tip face along x\n"
			"\tdouble forceX, momentY; // of the clamp on the bar, about the middle of the base\n\tdouble change; // of the tip from the next coarser mesh, relative\n} pnBarReference;\n\n"
			"static const pnBarReference s_bars[] = {\n" )
		tables = []
		for length, nu, sizes in ( ( 4, .45, ( .12, .08 ) ), ( 10, .45, ( .15, .1 ) ), ( 4, .3, ( .12, .08 ) ), ( 4, .49, ( .12, .08 ) ), ( 4, .499, ( .12, .08, .06 ) ) ):
			runs = [bar( length, nu, h ) for h in sizes]
			fine, coarse = runs[-1], runs[-2]
			f.write( "\t{ %g, %g, %.6g, %.6g, %.6g, %.2g }, // edge %g, %g at the clamp's edges, %d nodes\n" % ( length, nu, fine["tip"], fine["force"], fine["moment"],
				abs( coarse["tip"] / fine["tip"] - 1 ), sizes[-1], sizes[-1] / 6, len( fine["x"] ) ) )
			f.flush()
			if nu == .45:
				p = np.array( [[0, 0, length * k / 40] for k in range( 1, 41 )] )
				q = np.array( [( a, b, length * k / 20 ) for k in range( 1, 21 ) for a, b in ( ( .5, 0 ), ( -.5, .5 ), ( .5, .5 ), ( 0, .5 ), ( -.25, .25 ) )], float )
				tables.append( ( length, p, q, fine, coarse ) )
		f.write( "};\n" )
		for length, p, q, fine, coarse in tables:
			a, b = ( interpolate( m["x"], m["tets"], m["u"], np.vstack( [p, q] ) ) for m in ( fine, coarse ) )
			rows( f, "s_bar%dAxis" % length, "Along the axis, length %d. Change from the next coarser mesh (L2, relative): %.1e" % ( length, relative( b[:40], a[:40] ) ), p, a[:40] )
			rows( f, "s_bar%dField" % length, "On the surface and inside, length %d. Change: %.1e" % ( length, relative( b[40:], a[40:] ) ), q, a[40:] )


# ---- block: [-1, 1]^2 x [0, 1] with a hole along y; only the quarter x, y >= 0 is meshed ----

BALL, DEPTH, DISC = .8, .1, .3

def block_mesh( h ):
	return mesh( "block%g" % h, """
Box(1) = {0, 0, 0, 1, 1, 1};
Cylinder(2) = {0, -1, 0.5, 0, 3, 0, 0.25};
BooleanDifference(3) = { Volume{1}; Delete; }{ Volume{2}; Delete; };
Disk(1000) = {0, 0, 1, %g};
v() = BooleanFragments{ Volume{3}; Delete; }{ Surface{1000}; Delete; };
Physical Volume(1) = {3};
Field[1] = MathEval; // fine under the ball, along the hole and along the edge of the clamp
Field[1].F = "Min( Min( %g, %g + 0.3 * Abs( Sqrt( x^2 + (z - 0.5)^2 ) - 0.25 ) ), Min( %g + 0.3 * Max( 0, Sqrt( x^2 + y^2 + (1 - z)^2 ) - 0.38 ), %g + 0.3 * Sqrt( z^2 + Min( Abs( 1 - x ), Abs( 1 - y ) )^2 ) ) )";
Background Field = 1;
""" % ( DISC, 1.3 * h, h / 2, h / 4, h / 4 ) )


def block_conditions( x ):
	base = np.flatnonzero( x[:, 2] < 1e-9 )
	planes = [np.flatnonzero( ( np.abs( x[:, a] ) < 1e-9 ) & ( x[:, 2] > 1e-9 ) ) for a in ( 0, 1 )]
	return base, { 0: np.r_[base, planes[0]], 1: np.r_[base, planes[1]], 2: base }


def push_block( h, nu, G = 120.0, pressure = 20.0 ):
	x, tets = block_mesh( h )
	base, fixed = block_conditions( x )
	faces = boundary( tets )
	X = x[faces]
	disc = faces[( X[:, :, 2] > 1 - 1e-6 ).all( axis = 1 ) & ( np.hypot( X[:, :, 0], X[:, :, 1] ) < DISC + 1e-6 ).all( axis = 1 )]
	weight = integrate( x, disc )
	forces = np.zeros_like( x )
	forces[:, 2] = -pressure * weight
	u, rf = solve( "push%g" % h, x, tets, 2 * G * ( 1 + nu ), nu, fixed, forces )
	print( "push", h, len( x ), "nodes, area", 4 * weight.sum(), "force", 4 * rf[base, 2].sum(), "mean", weight @ u[:, 2] / weight.sum(), flush = True )
	return x, tets, u, 4 * rf[base, 2].sum()


def touch_block( h, nu, G = 120.0 ):
	"""The ball at its final place pushes nodes out along the line from its centre (u.e = R - |x - c|), and pulls none."""
	x, tets = block_mesh( h )
	base, fixed = block_conditions( x )
	faces = boundary( tets )
	top = faces[( x[faces][:, :, 2] > 1 - 1e-6 ).all( axis = 1 )]
	nodes = np.unique( top )
	center = np.array( [0, 0, 1 + BALL - DEPTH] )
	d = x[nodes] - center
	r = np.linalg.norm( d, axis = 1 )
	e, gap = d / r[:, None], BALL - r # u.e must be at least this
	flat = np.hypot( x[nodes, 0], x[nodes, 1] )
	active = flat < .28
	at = -np.ones( len( x ), int )
	at[nodes] = np.arange( len( nodes ) )
	sides = np.unique( np.vstack( [at[top[:, [a, b, 3 + k]]] for k, ( a, b ) in enumerate( ( ( 0, 1 ), ( 1, 2 ), ( 2, 0 ) ) )] ), axis = 0 )
	isMiddle = np.zeros( len( nodes ), bool )
	isMiddle[sides[:, 2]] = True
	seen = []
	for step in range( 25 ):
		equations = []
		for k in np.flatnonzero( active ):
			terms = [( nodes[k], a, e[k, a] ) for a in ( 2, 0, 1 ) if abs( e[k, a] ) > 1e-12]
			terms = [t for t in terms if t[1] == 2 or x[nodes[k], t[1]] > 1e-9] # on a plane of symmetry it does not move across
			equations.append( ( terms, gap[k] ) )
		u, rf = solve( "touch%g" % h, x, tets, 2 * G * ( 1 + nu ), nu, fixed, np.zeros_like( x ), equations )
		# Pressure: linear over triangles, fitted to the nodal forces, because a quadratic triangle's corners carry none under an even pressure.
		mine = top[active[at[top]].all( axis = 1 )]
		corners = np.unique( mine[:, :3] )
		column = { n: i for i, n in enumerate( corners ) }
		B = np.zeros( ( len( nodes ), len( corners ) ) )
		for face in mine:
			area = .5 * np.linalg.norm( np.cross( x[face[1]] - x[face[0]], x[face[2]] - x[face[0]] ) )
			for rr, ss, w in RULE:
				l = 1 - rr - ss
				N = np.array( [l * ( 2 * l - 1 ), rr * ( 2 * rr - 1 ), ss * ( 2 * ss - 1 ), 4 * l * rr, 4 * rr * ss, 4 * ss * l] )
				for k, value in zip( range( 3 ), ( l, rr, ss ) ):
					B[at[face], column[face[k]]] += w * area * value * N
		# rf along e; on planes of symmetry the sideways part is the plane's
		rz = rf[nodes, 2] / e[:, 2]
		p = np.linalg.lstsq( B[active], rz[active], rcond = None )[0]
		pressure = np.full( len( x ), np.nan )
		pressure[corners] = p
		for face in mine:
			for k, ( a, b ) in enumerate( ( ( 0, 1 ), ( 1, 2 ), ( 2, 0 ) ) ):
				pressure[face[3 + k]] = .5 * ( pressure[face[a]] + pressure[face[b]] )
		depth = gap - ( u[nodes] * e ).sum( axis = 1 )
		# The middle of a side carries a third of each triangle beside it, so its own force tells; a corner goes with the last of its sides.
		drop = active & ( pressure[nodes] < 0 ) | active & isMiddle & ( rz < 0 )
		alone = active.copy()
		for a, b, m in sides:
			if active[m] and not drop[m]:
				alone[[a, b, m]] = False
		drop |= alone & ~isMiddle
		add = ~active & ( depth > 1e-6 )
		force = 4 * rf[base, 2].sum()
		print( "touch", h, "step", step, int( active.sum() ), "active", int( drop.sum() ), "drop", int( add.sum() ), "add, force", force, "peak", p.max(), "lowest", p.min(),
			"radius", flat[active & ( x[nodes, 1] < 1e-9 )].max(), flat[active & ( x[nodes, 0] < 1e-9 )].max(), flush = True )
		seen.append( active.tobytes() )
		active = ( active & ~drop ) | add
		if active.tobytes() in seen:
			break
	along = [flat[active & ( x[nodes, a] < 1e-9 )].max() for a in ( 1, 0 )]
	return x, tets, u, force, along, p.max(), depth.max(), p.min()


def table_points( x, tets, count ):
	"""Two thirds on the surface, one third inside; evenly. Three of four are then mirrored into the other quarters."""
	onSurface = np.unique( boundary( tets ) )
	symmetry = ( x[onSurface, 0] < 1e-9 ) | ( x[onSurface, 1] < 1e-9 )
	hole = np.abs( np.hypot( x[onSurface, 0], x[onSurface, 2] - .5 ) - .25 ) < 1e-6
	outer = ( x[onSurface, 0] > 1 - 1e-9 ) | ( x[onSurface, 1] > 1 - 1e-9 ) | ( x[onSurface, 2] > 1 - 1e-9 ) | hole
	surface = onSurface[outer & ( x[onSurface, 2] > .02 )]
	inside = np.setdiff1d( np.flatnonzero( ( x[:, 2] > .02 ) ), onSurface[outer | ( x[onSurface, 2] < .02 )] )
	first = int( np.argmin( np.linalg.norm( x - [0, 0, 1], axis = 1 ) ) )
	a = spread( x, surface, 2 * count // 3, first )
	b = spread( x, inside, count - len( a ), inside[0] )
	return np.r_[a, b]


def mirrored( p, u ):
	s = np.ones_like( p )
	for i in range( len( p ) ):
		s[i, 0] = -1 if i % 2 else 1
		s[i, 1] = -1 if i // 2 % 2 else 1
	return p * s + 0.0, u * s + 0.0 # no negative zeros


def make_block():
	nu = .45
	with open( os.path.join( out_folder, "reference_block.h" ), "w" ) as f:
		f.write( HEAD % ( "reference_block.h - block [-1, 1]^2 x [0, 1] with a hole of radius 0.25 along y (axis x = 0, z = 0.5), z = 0 held along all axes; G = 120, nu = 0.45.", "block" ) )
		f.write( "#pragma once\n" )
		sizes = ( .1, .072 )
		coarse, fine = ( push_block( h, nu ) for h in sizes )
		points = table_points( fine[0], fine[1], 300 )
		other = interpolate( coarse[0], coarse[1], coarse[2], fine[0][points] )
		p, u = mirrored( fine[0][points], fine[2][points] )
		rows( f, "s_blockPushed", "Pressure 20 on the disc r <= %g of the top (force %.5g). Edge %g, under the disc %g, %d nodes in a quarter. Change from edge %g (L2, relative): %.1e" % ( DISC, fine[3],
			sizes[1], sizes[1] / 4, len( fine[0] ), sizes[0], relative( other, fine[2][points] ) ), p, u )
		f.flush()
		coarse, fine = ( touch_block( h, nu ) for h in sizes )
		points = table_points( fine[0], fine[1], 300 )
		other = interpolate( coarse[0], coarse[1], coarse[2], fine[0][points] )
		p, u = mirrored( fine[0][points], fine[2][points] )
		f.write( "\n// A ball of radius %g, without friction, that touched the top in the middle and was pressed down by %g: where it is then, u.e >= R - |x - c|,\n"
			"// e from its centre to the undeformed point. Change from the coarser mesh: force %.1e. Deepest point left inside %.1e, lowest pressure %.2g of %.4g.\n"
			% ( BALL, DEPTH, abs( coarse[3] / fine[3] - 1 ), fine[6], fine[7], fine[5] ) )
		f.write( "static const double s_blockTouchForce = %.6g; // N\nstatic const double s_blockTouchRadius[2] = { %.4g, %.4g }; // of the contact along x and y, to one node\n"
			"static const double s_blockTouchPressure = %.4g; // peak\n" % ( fine[3], *fine[4], fine[5] ) )
		rows( f, "s_blockTouched", "Edge %g, under the ball %g, %d nodes in a quarter. Change from edge %g (L2, relative): %.1e" % ( sizes[1], sizes[1] / 4, len( fine[0] ), sizes[0],
			relative( other, fine[2][points] ) ), p, u )


# ---- bracket: an L, [0, 3] x [0, 1] x [0, 1] and [0, 1] x [0, 1] x [0, 3]; top of the upright clamped, end of the foot loaded ----

def bracket( h, nu = .3, E = 1000.0 ):
	x, tets = mesh( "bracket%g" % h, """
Box(1) = {0, 0, 0, 3, 0.5, 1};
Box(2) = {0, 0, 0, 1, 0.5, 3};
BooleanUnion(3) = { Volume{1}; Delete; }{ Volume{2}; Delete; };
Physical Volume(1) = {3};
Field[1] = MathEval; // fine at the inner edge and along the edges of the clamp
Field[1].F = "Min( %g, Min( %g + 0.3 * Sqrt( (x - 1)^2 + (z - 1)^2 ), %g + 0.35 * Sqrt( (3 - z)^2 + Min( Min( x, Abs( 1 - x ) ), Abs( 0.5 - y ) )^2 ) ) )";
Background Field = 1;
""" % ( h, h / 6, h / 6 ) )
	faces = boundary( tets )
	tip = faces[( x[faces][:, :, 0] > 3 - 1e-6 ).all( axis = 1 )]
	weight = integrate( x, tip )
	forces = np.zeros_like( x )
	forces[:, 2] = -weight
	base = np.flatnonzero( x[:, 2] > 3 - 1e-9 )
	middle = np.flatnonzero( ( x[:, 1] > .5 - 1e-9 ) & ( x[:, 2] < 3 - 1e-9 ) )
	u, rf = solve( "bracket%g" % h, x, tets, E, nu, { 0: base, 1: np.r_[base, middle], 2: base }, forces )
	tip = 2 * weight @ u
	print( "bracket", h, len( x ), "nodes, tip", tip, "force", 2 * rf[base].sum( axis = 0 ), flush = True )
	return tip, len( x )


def make_bracket():
	sizes = ( .14, .1 )
	coarse, fine = ( bracket( h ) for h in sizes )
	with open( os.path.join( out_folder, "reference_bracket.h" ), "w" ) as f:
		f.write( HEAD % ( "reference_bracket.h - an L: [0, 3] x [0, 1] x [0, 1] with [0, 1] x [0, 1] x [0, 3]; z = 3 held, traction (0, 0, -1) on x = 3; E = 1000, nu = 0.3.", "bracket" ) )
		f.write( "#pragma once\n\n// Mean displacement of the loaded face. Edge %g, %g at the inner edge, %d nodes in a half. Change from edge %g (relative): %.1e\n"
			"static const double s_bracketTip[3] = { %.6g, 0.0, %.6g };\n" % ( sizes[1], sizes[1] / 6, fine[1], sizes[0], relative( coarse[0], fine[0] ), fine[0][0], fine[0][2] ) )


if __name__ == "__main__":
	for part in sys.argv[1:] or ( "bars", "block", "bracket" ):
		{ "bars": make_bars, "block": make_block, "bracket": make_bracket }[part]()
