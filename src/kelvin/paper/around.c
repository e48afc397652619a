// around.c - where Chang and Zhang (2004) put their sources: on a box, a sphere or a cylinder around the solid. Pure geometry.
#include "around.h"

#include <math.h>

pnVec3d pnReachAround( pnSourcePlacement placement, pnVec3d way, pnVec3d half, double offset )
{
	if ( placement == pn_sphereSources )
	{
		return pnScaleD( pnLengthD( half ) + offset, way );
	}
	if ( placement == pn_boxSources )
	{
		pnVec3d size = pnAddD( half, pnMakeD( offset, offset, offset ) );
		return pnScaleD( fmin( size.x / fmax( fabs( way.x ), 1e-9 ), fmin( size.y / fmax( fabs( way.y ), 1e-9 ), size.z / fmax( fabs( way.z ), 1e-9 ) ) ), way );
	}
	// Around the longest axis: the other two make the round.
	int axis = half.x >= half.y && half.x >= half.z ? 0 : half.y >= half.z ? 1 : 2;
	double along[3] = { half.x, half.y, half.z }, c[3] = { way.x, way.y, way.z };
	double a = along[( axis + 1 ) % 3], b = along[( axis + 2 ) % 3], round = sqrt( a * a + b * b ) + offset, length = along[axis] + offset;
	double ringed = sqrt( c[( axis + 1 ) % 3] * c[( axis + 1 ) % 3] + c[( axis + 2 ) % 3] * c[( axis + 2 ) % 3] );
	return pnScaleD( fmin( round / fmax( ringed, 1e-9 ), length / fmax( fabs( c[axis] ), 1e-9 ) ), way );
}
