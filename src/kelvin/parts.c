// parts.c - solids of several materials: parts that are glued where their surfaces lie on each other, refined in common rounds. Knows the parts' own
// searches and the glue, no matrices.
#include "glue.h"
#include "state.h"

#include "../base/core.h"
#include "../base/scratch.h"

enum { PN_PARTS_SOURCES = 1200 }; // of all parts together, unless asked for more
static const double pn_glueGap = 2e-3; // of a part's size: surfaces that are nearer lie on each other
static const double pn_glueCosine = -0.9; // of their normals

static pnKelvinDef pnMakePartDef( const pnKelvinDef* def, int index )
{
	const pnKelvinPart* part = def->parts + index;
	pnKelvinDef own = *def;
	own.parts = NULL;
	own.partCount = 0;
	own.points = part->points;
	own.pointCount = part->pointCount;
	own.triangles = part->triangles;
	own.triangleCount = part->triangleCount;
	own.groups = part->groups;
	own.normals = NULL;
	own.areas = NULL;
	own.youngsModulus = part->youngsModulus;
	own.poissonRatio = part->poissonRatio;
	own.bodyForce = part->bodyForce;
	own.thermalStrain = part->thermalStrain;
	return own;
}

pnResult pnCheckParts( const pnKelvinDef* def )
{
	if ( def->partCount < 2 || def->partCount > PN_MOST_PARTS || def->parts == NULL )
	{
		pnLog( "There are %d parts; there may be 2 to %d.", def->partCount, PN_MOST_PARTS );
		return pn_invalidInput;
	}
	if ( def->method != pn_energyMethod || ( def->placement != pn_adaptiveSources && def->placement != pn_offsetSources ) || def->indenterCount > 0 )
	{
		pnLog( "Parts need the energy method, adaptive or offset sources, and no indenters." );
		return pn_invalidInput;
	}
	for ( int i = 0; i < def->partCount; ++i )
	{
		if ( def->parts[i].triangles == NULL || def->parts[i].triangleCount < 4 )
		{
			pnLog( "Part %d has no triangles.", i );
			return pn_invalidInput;
		}
		pnKelvinDef own = pnMakePartDef( def, i );
		pnResult result = pnCheckDef( &own );
		if ( result != pn_success )
		{
			pnLog( "This is said of part %d.", i );
			return result;
		}
	}
	return pn_success;
}

// ---- where they touch ----

static double pnGetTriangleDistance( pnVec3d p, pnVec3d a, pnVec3d b, pnVec3d c )
{
	pnVec3d ab = pnSubD( b, a ), ac = pnSubD( c, a ), n = pnCrossD( ab, ac ), d = pnSubD( p, a );
	double n2 = pnDotD( n, n );
	if ( n2 > 0.0 )
	{
		double v = pnDotD( pnCrossD( d, ac ), n ) / n2, w = pnDotD( pnCrossD( ab, d ), n ) / n2;
		if ( v >= 0.0 && w >= 0.0 && v + w <= 1.0 )
		{
			return fabs( pnDotD( d, n ) ) / sqrt( n2 );
		}
	}
	double least = 1e300;
	pnVec3d corners[3] = { a, b, c };
	for ( int k = 0; k < 3; ++k )
	{
		pnVec3d from = corners[k], edge = pnSubD( corners[( k + 1 ) % 3], from ), way = pnSubD( p, from );
		double length2 = pnDotD( edge, edge ), t = length2 > 0.0 ? fmin( fmax( pnDotD( way, edge ) / length2, 0.0 ), 1.0 ) : 0.0;
		least = fmin( least, pnLengthD( pnMulAddD( way, -t, edge ) ) );
	}
	return least;
}

static pnVec3d pnGetCorner( const pnKelvinPart* part, int triangle, int k )
{
	return part->points[part->triangles[3 * triangle + k]];
}

// The groups of a part's triangles, those on another part told as glued.
static bool pnTellGlue( const pnKelvinDef* def, int index, double size, int32_t* groups )
{
	const pnKelvinPart* part = def->parts + index;
	bool any = false;
	for ( int t = 0; t < part->triangleCount; ++t )
	{
		pnVec3d a = pnGetCorner( part, t, 0 ), b = pnGetCorner( part, t, 1 ), c = pnGetCorner( part, t, 2 );
		pnVec3d middle = pnScaleD( 1.0 / 3.0, pnAddD( a, pnAddD( b, c ) ) ), n = pnUnitD( pnCrossD( pnSubD( b, a ), pnSubD( c, a ) ) );
		groups[t] = part->groups != NULL ? part->groups[t] : 0;
		for ( int other = 0; other < def->partCount && pnGetMate( groups[t] ) < 0; ++other )
		{
			const pnKelvinPart* mate = def->parts + other;
			for ( int u = 0; u < mate->triangleCount && other != index; ++u )
			{
				pnVec3d x = pnGetCorner( mate, u, 0 ), y = pnGetCorner( mate, u, 1 ), z = pnGetCorner( mate, u, 2 );
				pnVec3d m = pnCrossD( pnSubD( y, x ), pnSubD( z, x ) );
				if ( pnDotD( n, m ) < pn_glueCosine * pnLengthD( m ) && pnGetTriangleDistance( middle, x, y, z ) < pn_glueGap * size )
				{
					groups[t] = PN_GLUED + other;
					any = true;
					break;
				}
			}
		}
	}
	return any;
}

// ---- what is inside ----

static pnResult pnKeepMesh( const pnKelvinPart* part, pnKelvin* kelvin )
{
	kelvin->vertices = pnAllocArray( pnVec3d, part->pointCount );
	kelvin->vertexCount = kelvin->vertices != NULL ? part->pointCount : 0;
	kelvin->corners = pnAllocArray( int32_t, 3 * (size_t)part->triangleCount );
	kelvin->triangleCount = kelvin->corners != NULL ? part->triangleCount : 0;
	if ( kelvin->vertices == NULL || kelvin->corners == NULL )
	{
		return pn_outOfMemory;
	}
	memcpy( kelvin->vertices, part->points, (size_t)part->pointCount * sizeof( pnVec3d ) );
	memcpy( kelvin->corners, part->triangles, 3 * (size_t)part->triangleCount * sizeof( int32_t ) );
	return pn_success;
}

// Solid angle under which the surface is seen, over that of all directions (van Oosterom and Strackee): 1 inside, 0 outside, between on the surface. Where it is
// seen along an edge or a face it may be any of them: then the distance tells.
static double pnGetPartWinding( const pnKelvin* part, pnVec3d p, double* distance )
{
	double sum = 0.0;
	*distance = 1e300;
	for ( int t = 0; t < part->triangleCount; ++t )
	{
		const int32_t* corners = part->corners + 3 * t;
		pnVec3d x = part->vertices[corners[0]], y = part->vertices[corners[1]], z = part->vertices[corners[2]];
		*distance = fmin( *distance, pnGetTriangleDistance( p, x, y, z ) );
		pnVec3d a = pnSubD( x, p ), b = pnSubD( y, p ), c = pnSubD( z, p );
		double la = pnLengthD( a ), lb = pnLengthD( b ), lc = pnLengthD( c ), up = pnDotD( a, pnCrossD( b, c ) );
		double down = la * lb * lc + pnDotD( a, b ) * lc + pnDotD( b, c ) * la + pnDotD( c, a ) * lb;
		sum += up != 0.0 || down > 0.0 ? 2.0 * atan2( up, down ) : 0.0;
	}
	return sum / ( 4.0 * M_PI );
}

const pnKelvin* pnFindPart( const pnKelvin* kelvin, pnVec3d point )
{
	const pnKelvin* nearest = kelvin->parts;
	double least = 1e300;
	for ( int i = 0; i < kelvin->partCount; ++i )
	{
		double distance, winding = pnGetPartWinding( kelvin->parts + i, point, &distance );
		distance = winding > 0.75 ? 0.0 : distance;
		if ( distance < least )
		{
			least = distance;
			nearest = kelvin->parts + i;
		}
	}
	return nearest;
}

// ---- the conditions of a part ----

// Those whose region has some of its surface; a force may be on one part only.
static pnResult pnSortConditions( const pnKelvinDef* def, pnKelvin* part, int* found )
{
	pnCollocationPoints points = { 0 };
	pnBorders borders = { def->conditions, def->conditionCount, &part->units };
	pnCollocationDef how = { .edge = 0.7, .borderEdge = 0.2, .perPiece = 1, .border = pnTellBorders, .context = &borders };
	pnResult result = pnMakeCollocationPoints( &part->facets, &part->spacing, &how, &points );
	part->conditionIndices = pnAllocArray( int, part->conditionCount );
	result = part->conditionIndices == NULL ? pn_outOfMemory : result;
	int count = 0;
	for ( int i = 0; i < def->conditionCount && result == pn_success; ++i )
	{
		bool here = false;
		for ( int q = 0; q < points.count && here == false; ++q )
		{
			const pnCollocationPoint* point = points.points + q;
			here = pnIsInRegion( &def->conditions[i].region, pnToUser( &part->units, point->x ), point->n, point->group, 1e-7 * part->units.size );
		}
		if ( here )
		{
			found[i] += 1;
			part->conditions[count] = def->conditions[i];
			part->conditionIndices[count++] = i;
		}
	}
	part->search.plan.conditionCount = count;
	pnDestroyCollocationPoints( &points );
	return result;
}

static pnResult pnBeginParts( const pnKelvinDef* def, pnKelvin* kelvin )
{
	double areas[PN_MOST_PARTS], whole = 0.0, size = 0.0;
	pnResult result = pn_success;
	for ( int i = 0; i < def->partCount; ++i )
	{
		pnVec3d lower = def->parts[i].points[0], upper = lower;
		areas[i] = 0.0;
		for ( int t = 0; t < def->parts[i].triangleCount; ++t )
		{
			pnVec3d a = pnGetCorner( def->parts + i, t, 0 ), b = pnGetCorner( def->parts + i, t, 1 ), c = pnGetCorner( def->parts + i, t, 2 );
			areas[i] += 0.5 * pnLengthD( pnCrossD( pnSubD( b, a ), pnSubD( c, a ) ) );
			lower = pnMakeD( fmin( lower.x, a.x ), fmin( lower.y, a.y ), fmin( lower.z, a.z ) );
			upper = pnMakeD( fmax( upper.x, a.x ), fmax( upper.y, a.y ), fmax( upper.z, a.z ) );
		}
		whole += areas[i];
		size = fmax( size, 0.5 * pnLengthD( pnSubD( upper, lower ) ) );
	}
	kelvin->units.size = size;
	kelvin->units.modulus = 1.0;
	int most = def->sourceCount > 0 ? def->sourceCount : def->placement == pn_adaptiveSources ? PN_PARTS_SOURCES : 300;
	for ( int i = 0; i < def->partCount && result == pn_success; ++i )
	{
		pnKelvin* part = kelvin->parts + i;
		int32_t* groups = pnAllocArray( int32_t, def->parts[i].triangleCount );
		if ( groups == NULL )
		{
			return pn_outOfMemory;
		}
		if ( pnTellGlue( def, i, size, groups ) == false )
		{
			pnLog( "Part %d touches no other part: surfaces that are glued must lie on each other.", i );
			result = pn_invalidInput;
		}
		pnKelvinDef own = pnMakePartDef( def, i );
		own.groups = groups;
		own.progress = NULL;
		own.sourceCount = (int)( most * areas[i] / whole + 0.5 ) > 40 ? (int)( most * areas[i] / whole + 0.5 ) : 40;
		result = result == pn_success ? pnBeginKelvin( &own, part ) : result;
		result = result == pn_success ? pnPrepareEnergy( &own, part ) : result;
		result = result == pn_success ? pnKeepMesh( def->parts + i, part ) : result;
		part->conditionCount = part->conditions != NULL ? def->conditionCount + 1 : 0;
		pnFreeArray( int32_t, groups, def->parts[i].triangleCount );
	}
	int* found = pnAllocArray( int, def->conditionCount + 1 );
	result = found == NULL ? pn_outOfMemory : result;
	for ( int i = 0; i < def->partCount && result == pn_success; ++i )
	{
		result = pnSortConditions( def, kelvin->parts + i, found );
	}
	for ( int i = 0; i < def->conditionCount && result == pn_success; ++i )
	{
		if ( found[i] == 0 || ( found[i] > 1 && def->conditions[i].kind == pn_forceCondition ) )
		{
			pnLog( found[i] == 0 ? "Condition %d: no part of the surface lies in its region." : "Condition %d: a force that is on more than one part; give a traction.", i );
			result = pn_invalidInput;
		}
	}
	pnFreeArray( int, found, def->conditionCount + 1 );
	return result;
}

// ---- rounds ----

static pnResult pnGlueAnswers( pnKelvin* kelvin, pnAnswer* answers, bool withBetti )
{
	pnGlued glued[PN_MOST_PARTS];
	double start = pnNow();
	for ( int i = 0; i < kelvin->partCount; ++i )
	{
		pnAnswer* answer = answers + i;
		if ( answer->contact == NULL )
		{
			answer->contact = pnAllocArray( pnVec3d, answer->system.points.count );
		}
		if ( answer->contact == NULL )
		{
			return pn_outOfMemory;
		}
		glued[i] = (pnGlued){ &answer->system, &kelvin->parts[i].units, &kelvin->parts[i].spacing, answer->contact };
	}
	pnResult result = pnGlueParts( glued, kelvin->partCount );
	for ( int i = 0; i < kelvin->partCount && result == pn_success; ++i )
	{
		pnSystem* system = &answers[i].system;
		pnReadSystem( system );
		for ( int q = 0; q < system->points.count; ++q )
		{
			system->t[q] = pnAddD( system->t[q], answers[i].contact[q] );
		}
		answers[i].solveSeconds = pnNow() - start;
		answers[i].lengthScale = kelvin->parts[i].units.size;
		result = pnJudge( system, withBetti, &answers[i].quality );
	}
	return result;
}

// Relative error of the displacement of the whole.
static double pnEstimateParts( const pnKelvin* kelvin, const pnAnswer* finer, const pnAnswer* coarser )
{
	double apart = 0.0, whole = 0.0, misfit = 0.0, energy = 0.0;
	int finerCount = 0, coarserCount = 0;
	for ( int i = 0; i < kelvin->partCount; ++i )
	{
		const pnUnits* units = &kelvin->parts[i].units;
		double size = units->size, difference, all;
		pnSumDifference( &finer[i].system, &coarser[i].system, &difference, &all );
		apart += size * size * size * size * difference; // area times displacement squared
		whole += size * size * size * size * all;
		misfit += units->modulus * size * size * size * pnSumIndicators( &finer[i].system );
		energy += units->modulus * size * size * size * finer[i].quality.energy;
		finerCount += finer[i].system.sources.count;
		coarserCount += coarser[i].system.sources.count;
	}
	double relative = whole > 0.0 ? sqrt( apart / whole ) : 0.0;
	return pnEstimateFrom( relative, energy > 0.0 ? 0.5 * misfit / energy : 0.0, finerCount, coarserCount, true );
}

static void pnDestroyAnswers( pnAnswer* answers, int count )
{
	for ( int i = 0; i < count; ++i )
	{
		pnDestroyAnswer( answers + i );
	}
}

static int pnCountAll( const pnAnswer* answers, int count )
{
	int sum = 0;
	for ( int i = 0; i < count; ++i )
	{
		sum += answers[i].system.sources.count;
	}
	return sum;
}

static pnResult pnFindPartsAnswer( pnKelvin* kelvin )
{
	int count = kelvin->partCount, wanted[PN_MOST_PARTS] = { 0 }, most = 0;
	pnAnswer last[PN_MOST_PARTS] = { 0 }, next[PN_MOST_PARTS] = { 0 };
	for ( int i = 0; i < count; ++i )
	{
		most += kelvin->parts[i].search.count;
	}
	double estimate = -1.0;
	pnResult result = pn_success;
	for ( int round = 1; result == pn_success; ++round )
	{
		for ( int i = 0; i < count && result == pn_success; ++i )
		{
			const pnSearch* search = &kelvin->parts[i].search;
			pnPlan plan = search->plan;
			plan.tick = NULL;
			plan.mostSources = round == 1 && search->isAdaptive ? search->count / 2 : search->count;
			next[i] = (pnAnswer){ .estimate = -1.0, .roundCount = round };
			result = pnBuildSystem( &plan, &kelvin->parts[i].spacing, search->method, search->isAdaptive ? wanted[i] : search->count, &next[i].system );
		}
		result = result == pn_success ? pnGlueAnswers( kelvin, next, true ) : result;
		result = result == pn_success && pnTick( fmin( 0.2 * round, 0.9 ), kelvin ) == false ? pn_givenUp : result;
		if ( result != pn_success )
		{
			break;
		}
		const pnSearch* search = &kelvin->parts[0].search;
		estimate = round > 1 ? pnLimitClaim( pnEstimateParts( kelvin, next, last ), search->tolerance ) : -1.0;
		pnDestroyAnswers( last, count );
		memcpy( last, next, sizeof( next ) );
		memset( next, 0, sizeof( next ) );
		int all = pnCountAll( last, count );
		if ( search->isAdaptive == false || ( estimate >= 0.0 && estimate <= search->tolerance ) || all >= 0.8 * most || round == PN_MOST_ROUNDS )
		{
			break;
		}
		for ( int i = 0; i < count && result == pn_success; ++i )
		{
			wanted[i] = (int)( (double)pnGetNextCount( all, most ) / all * last[i].system.sources.count + 0.5 );
			result = pnRefineAnswer( last + i, kelvin->parts[i].search.plan.divisible, wanted[i], &kelvin->parts[i].spacing );
		}
	}
	pnDestroyAnswers( next, count );
	if ( result != pn_success )
	{
		pnDestroyAnswers( last, count );
		return result;
	}
	for ( int i = 0; i < count; ++i )
	{
		kelvin->parts[i].answer = last[i];
		kelvin->parts[i].answer.estimate = estimate;
	}
	return pn_success;
}

// The parts' points and sources one after the other.
static pnResult pnTakePartsResults( pnKelvin* kelvin )
{
	pnFreeArray( pnKelvinPoint, kelvin->points, kelvin->pointCount );
	pnFreeArray( pnVec3d, kelvin->sources, kelvin->sourceCount );
	kelvin->points = NULL;
	kelvin->sources = NULL;
	int pointCount = 0, sourceCount = 0;
	for ( int i = 0; i < kelvin->partCount; ++i )
	{
		pointCount += kelvin->parts[i].pointCount;
		sourceCount += kelvin->parts[i].sourceCount;
	}
	kelvin->points = pnAllocArray( pnKelvinPoint, pointCount );
	kelvin->pointCount = kelvin->points != NULL ? pointCount : 0;
	kelvin->sources = pnAllocArray( pnVec3d, sourceCount );
	kelvin->sourceCount = kelvin->sources != NULL ? sourceCount : 0;
	if ( kelvin->points == NULL || kelvin->sources == NULL )
	{
		return pn_outOfMemory;
	}
	pointCount = sourceCount = 0;
	for ( int i = 0; i < kelvin->partCount; ++i )
	{
		const pnKelvin* part = kelvin->parts + i;
		memcpy( kelvin->points + pointCount, part->points, (size_t)part->pointCount * sizeof( pnKelvinPoint ) );
		memcpy( kelvin->sources + sourceCount, part->sources, (size_t)part->sourceCount * sizeof( pnVec3d ) );
		pointCount += part->pointCount;
		sourceCount += part->sourceCount;
	}
	return pn_success;
}

pnResult pnFillParts( const pnKelvinDef* def, pnKelvin* kelvin )
{
	kelvin->startTime = pnNow();
	kelvin->stageIndex = -1;
	kelvin->progress = def->progress;
	kelvin->progressContext = def->progressContext;
	kelvin->search.plan.conditionCount = def->conditionCount;
	kelvin->tasks = pnCreateTasks( &def->tasks );
	kelvin->parts = pnAllocArray( pnKelvin, def->partCount );
	kelvin->partCount = kelvin->parts != NULL ? def->partCount : 0;
	if ( kelvin->tasks == NULL || kelvin->parts == NULL )
	{
		return pn_outOfMemory;
	}
	pnResult result = pnBeginParts( def, kelvin );
	result = result == pn_success ? pnFindPartsAnswer( kelvin ) : result;
	for ( int i = 0; i < kelvin->partCount && result == pn_success; ++i )
	{
		result = pnTakeResults( kelvin->parts + i );
	}
	return result == pn_success ? pnTakePartsResults( kelvin ) : result;
}

pnResult pnSolveParts( pnKelvin* kelvin, const pnCondition* conditions )
{
	pnAnswer answers[PN_MOST_PARTS];
	pnResult result = pn_success;
	double before = 0.0, after = 0.0;
	for ( int i = 0; i < kelvin->partCount && conditions != NULL && result == pn_success; ++i )
	{
		pnKelvin* part = kelvin->parts + i;
		int count = part->search.plan.conditionCount;
		pnCondition* own = pnAllocArray( pnCondition, count + 1 );
		for ( int k = 0; k < count && own != NULL; ++k )
		{
			own[k] = conditions[part->conditionIndices[k]];
		}
		result = own != NULL ? pnTakeValues( part, own ) : pn_outOfMemory;
		pnFreeArray( pnCondition, own, count + 1 );
	}
	for ( int i = 0; i < kelvin->partCount; ++i )
	{
		pnKelvin* part = kelvin->parts + i;
		before += part->answer.quality.energy > 0.0 ? pnSumIndicators( &part->answer.system ) / part->answer.quality.energy : 0.0;
		answers[i] = part->answer;
	}
	result = result == pn_success ? pnGlueAnswers( kelvin, answers, true ) : result;
	for ( int i = 0; i < kelvin->partCount; ++i )
	{
		pnKelvin* part = kelvin->parts + i;
		part->answer = answers[i];
		after += part->answer.quality.energy > 0.0 ? pnSumIndicators( &part->answer.system ) / part->answer.quality.energy : 0.0;
	}
	for ( int i = 0; i < kelvin->partCount && result == pn_success; ++i )
	{
		// The sources are where the first values wanted them: what they miss now tells how well they serve.
		pnKelvin* part = kelvin->parts + i;
		double worse = before > 0.0 ? fmax( after / before, 1.0 ) : 1.0;
		part->answer.estimate = part->foundEstimate >= 0.0 ? part->foundEstimate * worse : -1.0;
		pnWritePoints( part );
	}
	return result == pn_success ? pnTakePartsResults( kelvin ) : result;
}

static double pnGetVolume( const pnKelvin* part ) // m^3
{
	double sum = 0.0, size = part->units.size;
	for ( int q = 0; q < part->answer.system.points.count; ++q )
	{
		const pnCollocationPoint* point = part->answer.system.points.points + q;
		sum += point->w * pnDotD( point->x, point->n ) / 3.0;
	}
	return size * size * size * sum;
}

void pnWritePartsInfo( const pnKelvin* kelvin, pnKelvinInfo* info )
{
	*info = (pnKelvinInfo){ .method = pn_energyMethod, .errorEstimate = kelvin->parts[0].answer.estimate, .totalSeconds = pnNow() - kelvin->startTime };
	double whole = 0.0;
	for ( int i = 0; i < kelvin->partCount; ++i )
	{
		pnKelvinInfo own;
		pnWriteInfo( kelvin->parts + i, &own );
		// A part may be held by its mates alone; nothing resolves it less well for that.
		info->warnings |= own.warnings & ~(uint32_t)( pn_nothingHeld | pn_thinPart );
		info->pointCount += own.pointCount;
		info->sourceCount += own.sourceCount;
		info->unknownCount += own.unknownCount;
		info->rank += own.rank;
		info->retryCount = own.retryCount > info->retryCount ? own.retryCount : info->retryCount;
		info->roundCount = own.roundCount;
		info->residual = fmax( info->residual, own.residual );
		info->heldOutResidual = fmax( info->heldOutResidual, own.heldOutResidual );
		info->bettiMismatch = fmax( info->bettiMismatch, own.bettiMismatch );
		info->reactionMismatch = fmax( info->reactionMismatch, own.reactionMismatch );
		info->conditionNumber = fmax( info->conditionNumber, own.conditionNumber );
		info->strainEnergy += own.strainEnergy;
		double volume = pnGetVolume( kelvin->parts + i );
		info->volumeChange += own.volumeChange * volume;
		whole += volume;
		info->placeSeconds += own.placeSeconds;
		info->assembleSeconds += own.assembleSeconds;
		info->factorSeconds += own.factorSeconds;
		info->solveSeconds += own.solveSeconds;
	}
	info->volumeChange /= whole;
}
