# check_vtk.py - reads a .pvd with VTK's own reader and compares it with the .ply and .csv of the same run. Usage: check_vtk.py FOLDER STEP
# FOLDER has a.pvd, a_%04d.ply and a.csv; STEP is the length of a step in seconds. Ends with an error, or prints how many frames it compared, and how often a body was pushed.
import csv, os, struct, sys
import xml.etree.ElementTree as tree
import numpy, vtk
from vtk.util.numpy_support import vtk_to_numpy

folder, step = sys.argv[1], float( sys.argv[2] )


def readPositions( path ):
	data = open( path, 'rb' ).read()
	end = data.index( b'end_header\n' ) + 11
	count = int( data[:end].split( b'element vertex ' )[1].split()[0] )
	return [ struct.unpack_from( '<3f', data, end + 27 * i ) for i in range( count ) ]


rows = {}
for row in csv.DictReader( open( os.path.join( folder, 'a.csv' ) ) ):
	rows.setdefault( int( row['frame'] ), {} )[int( row['body'] )] = row

frames = 0
touched = 0
compared = 0
before = None
for entry in tree.parse( os.path.join( folder, 'a.pvd' ) ).getroot().find( 'Collection' ):
	name = entry.get( 'file' )
	frame = int( os.path.basename( name ).split( '.' )[0] )
	reader = vtk.vtkXMLUnstructuredGridReader()
	errors = []
	reader.AddObserver( 'ErrorEvent', lambda source, event: errors.append( name ) )
	reader.SetFileName( os.path.join( folder, name ) )
	reader.Update()
	assert not errors, f'VTK cannot read {name}'
	data = reader.GetOutput()
	points = vtk_to_numpy( data.GetPoints().GetData() )
	arrays = { data.GetPointData().GetArrayName( i ): vtk_to_numpy( data.GetPointData().GetArray( i ) ) for i in range( data.GetPointData().GetNumberOfArrays() ) }
	assert set( arrays ) == { 'normal', 'velocity', 'stretch', 'plastic', 'contact', 'cluster', 'body' }, sorted( arrays )
	assert arrays['velocity'].shape == ( len( points ), 3 ) and all( len( array ) == len( points ) for array in arrays.values() )
	assert data.GetNumberOfCells() > 0 and data.GetCellTypesArray() is not None and set( vtk_to_numpy( data.GetCellTypesArray() ) ) == { vtk.VTK_TRIANGLE }
	corners = vtk_to_numpy( data.GetCells().GetConnectivityArray() )
	assert len( corners ) == 3 * data.GetNumberOfCells() and corners.min() >= 0 and corners.max() < len( points )
	ply = readPositions( os.path.join( folder, f'a_{frame:04d}.ply' ) )
	assert ( points == ply[:len( points )] ).all(), f'{name}: other places than in the mesh'
	assert ( abs( ( arrays['normal'] ** 2 ).sum( 1 ) - 1 ) < 1e-3 ).mean() > 0.99
	assert abs( float( entry.get( 'timestep' ) ) - float( next( iter( rows[frame].values() ) )['time'] ) ) < 1e-9
	time = vtk_to_numpy( data.GetFieldData().GetArray( 'TimeValue' ) )[0]
	assert abs( time - float( entry.get( 'timestep' ) ) ) < 1e-9
	assert set( arrays['body'] ) - { -1 } == set( rows[frame] ), f'{name}: bodies {set( arrays["body"] )}'
	for body, row in rows[frame].items():
		own = arrays['body'] == body
		# Values between those of the body's clusters; pushes that add up to what the body is pushed with.
		assert arrays['stretch'][own].min() > 0 and arrays['cluster'][own].min() >= 0 and arrays['plastic'][own].min() >= 0
		assert arrays['plastic'][own].max() <= float( row['plastic'] ) * 1.00001 + 1e-6
		push = arrays['contact'][own].astype( float ).sum() * step
		assert abs( push - float( row['push'] ) ) <= 1e-4 * ( 1 + push ), f'{name}, body {body}: {push} and {row["push"]}'
		touched += push > 0
	assert ( arrays['stretch'][arrays['body'] < 0] == 1 ).all()
	# Vertices of bodies that nothing pushes have come from where they were a step before with the velocity that is told, most of them.
	free = [ body for body, row in rows[frame].items() if float( row['push'] ) == 0 ]
	if free and before is not None and before[0] == frame - 1 and len( before[1] ) == len( points ) and ( before[2] == arrays['body'] ).all():
		own = numpy.isin( arrays['body'], free )
		way = ( points[own].astype( float ) - before[1][own] ) / step
		off = numpy.median( numpy.linalg.norm( way - arrays['velocity'][own], axis=1 ) )
		speed = numpy.median( numpy.linalg.norm( way, axis=1 ) )
		assert off < 0.1 + 0.1 * speed, f'{name}: vertices move at {speed} m/s and are said to at {off} m/s beside'
		compared += 1
	before = ( frame, points, arrays['body'] )
	frames += 1
assert frames == len( rows ), ( frames, len( rows ) )
print( f'{frames} frames, {touched} pushed, {compared} followed' )
