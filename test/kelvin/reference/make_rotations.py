#!/usr/bin/env python3
# make_rotations.py - makes the table ../reference_rotations.h: large deformation by CalculiX (NLGEOM) on gmsh's quadratic tetrahedra (C3D10). Run by hand.
# SPDX-FileCopyrightText: 2026 The pliant authors
# SPDX-License-Identifier: MIT
#
# Usage: OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 python3 make_rotations.py      (some minutes on one core)
# Needs what make_references.py needs. Material: St. Venant and Kirchhoff's, as CalculiX has it for *ELASTIC with NLGEOM. Loads keep their direction.
import os
import numpy as np
import make_references as r

LENGTH, E, NU = 10.0, 12000.0, 0.3 # E I = 1000


def bent( load, large ):
	"""A bar [-0.5, 0.5]^2 x [0, 10], base clamped, load (N) along x on its tip; load L^2 / E I is load / 10."""
	x, tets = r.mesh( "bent", """
Box(1) = {-0.5, 0, 0, 1, 0.5, %g};
Physical Volume(1) = {1};
Field[1] = MathEval; Field[1].F = "Min( 0.28, 0.08 + 0.35 * z )";
Background Field = 1;
""" % LENGTH )
	faces = r.boundary( tets )
	tip = faces[( x[faces][:, :, 2] > LENGTH - 1e-6 ).all( axis = 1 )]
	weight = r.integrate( x, tip )
	forces = np.zeros_like( x )
	forces[:, 0] = weight * load # the half of it: the section is 1, that of the half 0.5
	base = np.flatnonzero( x[:, 2] < 1e-9 )
	middle = np.flatnonzero( ( x[:, 1] < 1e-9 ) & ( x[:, 2] > 1e-9 ) )
	u, _ = r.solve( "bent", x, tets, E, NU, { 0: base, 1: np.r_[base, middle], 2: base }, forces, large = large )
	p = np.array( [( 0, 0, LENGTH * k / 20 ) for k in range( 1, 21 )] + [( s, 0, LENGTH * k / 10 ) for k in range( 1, 11 ) for s in ( -.5, .5 )], float )
	v = r.interpolate( x, tets, u, p )
	print( "bent", load, large, len( x ), "nodes, tip", v[19], flush = True )
	return p, v


def pushed( pressure, large, h = .16 ):
	"""The block with a hole of Table I, a pressure (as a load that keeps its direction) on the disc the ball touches."""
	x, tets = r.block_mesh( h )
	base, fixed = r.block_conditions( x )
	faces = r.boundary( tets )
	X = x[faces]
	disc = faces[( X[:, :, 2] > 1 - 1e-6 ).all( axis = 1 ) & ( np.hypot( X[:, :, 0], X[:, :, 1] ) < r.DISC + 1e-6 ).all( axis = 1 )]
	forces = np.zeros_like( x )
	forces[:, 2] = -pressure * r.integrate( x, disc )
	u, _ = r.solve( "pushed", x, tets, 2 * 120.0 * 1.45, .45, fixed, forces, large = large )
	nodes = np.unique( faces )
	outer = nodes[( x[nodes, 2] > .02 ) & ( ( x[nodes, 0] > 1e-9 ) & ( x[nodes, 1] > 1e-9 ) )]
	chosen = r.spread( x, outer, 80, int( outer[np.argmin( np.linalg.norm( x[outer] - [0, 0, 1], axis = 1 ) )] ) )
	print( "pushed", pressure, large, len( x ), "nodes, most", np.linalg.norm( u, axis = 1 ).max(), flush = True )
	return x[chosen], u[chosen]


with open( os.path.join( r.out_folder, "reference_rotations.h" ), "w" ) as f:
	f.write( "// reference_rotations.h - large deformation: a bar [-0.5, 0.5]^2 x [0, 10] bent by a load on its tip, E = 12000, nu = 0.3; the block of reference_block.h pushed.\n"
		"// Made by test/kelvin/reference/make_rotations.py with gmsh 4.8.4 and CalculiX 2.20 (C3D10, static, linear and NLGEOM); see there. Do not edit.\n"
		"// SPDX-FileCopyrightText: 2026 The pliant authors\n// SPDX-License-Identifier: MIT\n#pragma once\n" )
	for load in ( 5, 10, 20, 40 ):
		for large in ( False, True ):
			p, v = bent( load, large )
			r.rows( f, "s_bent%d%s" % ( load, "Large" if large else "Linear" ), "Load %d N, %s: 20 places along the axis, 20 on the two sides" % ( load, "NLGEOM" if large else "linear" ), p, v )
	for pressure in ( 20, 30 ): # at 36 the block gives way
		for large in ( False, True ):
			p, v = pushed( pressure, large )
			r.rows( f, "s_pushed%d%s" % ( pressure, "Large" if large else "Linear" ), "Block, pressure %d Pa on the disc, %s" % ( pressure, "NLGEOM" if large else "linear" ), p, v )
