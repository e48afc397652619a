// wrap.h - a closed triangle surface around a bare cloud of points: without normals, with noise, with outliers. Knows no conditions and no sources.
#pragma once

#include "../base/task.h"
#include "facets.h"

// How much points and normals contradict each other: the median, over neighbours that look the same way, of the sine between the way from one
// to the other and the mean of their tangent planes. Next to 0 for points on a smooth surface with their normals; noise raises it.
// Negative: no memory.
double pnGetCloudNoise( const pnVec3d* points, const pnVec3d* normals, int count );

// Points that stand alone are dropped. groups may be NULL; a triangle takes the group of the nearest point.
pnResult pnWrapCloud( const pnVec3d* points, const int32_t* groups, int count, pnTasks* tasks, pnFacets* facets );
