# check_blender.py - imports a .glb and a .pc2 into Blender and compares vertices at some frames with the .ply of each.
# Usage: blender --background --python-exit-code 1 --python check_blender.py -- FOLDER RATE FRAME…
# FOLDER has a.glb, a.pc2 with its a.obj (if nothing was cut), and a_%04d.ply; RATE is frames a second.
import os, struct, sys
import bpy
import numpy

numpy.bool = bool # Debian 12's Blender asks for it, and Debian 12's numpy has it no more

folder, rate, *frames = sys.argv[sys.argv.index( '--' ) + 1:]
frames = [ int( frame ) for frame in frames ]


# Vertices of a mesh, and which of them its triangles use: Blender leaves others out of what it imports from a .glb.
def readPly( path ):
	data = open( path, 'rb' ).read()
	end = data.index( b'end_header\n' ) + 11
	count = int( data[:end].split( b'element vertex ' )[1].split()[0] )
	faces = int( data[:end].split( b'element face ' )[1].split()[0] )
	used = { corner for i in range( faces ) for corner in struct.unpack_from( '<3i', data, end + 27 * count + 13 * i + 1 ) }
	return [ struct.unpack_from( '<3f', data, end + 27 * i ) for i in range( count ) ], used


def clear():
	bpy.ops.wm.read_factory_settings( use_empty=True )
	bpy.context.scene.render.fps = int( rate )


# Where the vertices of an object are in the world at this frame, y up again.
def pose( thing ):
	whole = thing.evaluated_get( bpy.context.evaluated_depsgraph_get() )
	mesh = whole.to_mesh()
	places = [ whole.matrix_world @ vertex.co for vertex in mesh.vertices ]
	places = [ ( p.x, p.z, -p.y ) for p in places ]
	whole.to_mesh_clear()
	return places


def compare( what, frame, places ):
	ply, used = readPly( os.path.join( folder, f'a_{frame:04d}.ply' ) )
	ply = [ place for i, place in enumerate( ply ) if i in used or what == 'pc2' ]
	assert 0 < len( places ) <= len( ply ), ( what, frame, len( places ), len( ply ) )
	worst = max( abs( a - b ) for p, q in zip( places, ply ) for a, b in zip( p, q ) )
	print( f'{what} frame {frame}: {len( places )} vertices, at most {worst:.2g} m off' )
	assert worst < 1e-5, ( what, frame, worst )


clear()
bpy.ops.import_scene.gltf( filepath=os.path.join( folder, 'a.glb' ) )
for frame in frames:
	bpy.context.scene.frame_set( frame )
	bodies = sorted( ( int( thing.name.split( '_' )[1].split( '.' )[0] ), thing ) for thing in bpy.data.objects
		if thing.type == 'MESH' and thing.name.startswith( 'body_' ) and max( thing.matrix_world.to_scale() ) > 0.5 )
	assert len( { number for number, thing in bodies } ) == len( bodies ), bodies
	compare( 'glb', frame, [ place for number, thing in bodies for place in pose( thing ) ] )

if os.path.exists( os.path.join( folder, 'a.pc2' ) ):
	clear()
	before = set( bpy.data.objects )
	bpy.ops.wm.obj_import( filepath=os.path.join( folder, 'a.obj' ), forward_axis='NEGATIVE_Z', up_axis='Y' ) if hasattr( bpy.ops.wm, 'obj_import' ) else bpy.ops.import_scene.obj( filepath=os.path.join( folder, 'a.obj' ), split_mode='OFF' )
	things = [ thing for thing in bpy.data.objects if thing not in before ]
	# Objects of the .obj are the bodies; joined they are the mesh of the cache.
	things.sort( key=lambda thing: int( thing.name.split( '_' )[1].split( '.' )[0] ) )
	for thing in things:
		thing.select_set( True )
	bpy.context.view_layer.objects.active = things[0]
	if len( things ) > 1:
		bpy.ops.object.join()
	thing = bpy.context.view_layer.objects.active
	modifier = thing.modifiers.new( 'cache', 'MESH_CACHE' )
	modifier.cache_format = 'PC2'
	modifier.filepath = os.path.join( folder, 'a.pc2' )
	modifier.frame_start = 0
	for frame in frames:
		bpy.context.scene.frame_set( frame )
		compare( 'pc2', frame, pose( thing ) )
print( 'blender agrees' )
