// kelvin.c - the public calls: made, solved, read in the user's units. Knows no matrices.
#include "handles.h"
#include "state.h"

#include "../base/core.h"

static const double pn_usualTolerance = 0.02;
static const double pn_muchWorse = 1.5; // an estimate, beside that of the values the sources were placed for: then they are placed anew

pnKelvinDef pnDefaultKelvinDef( void )
{
	return (pnKelvinDef){
		.youngsModulus = 1e6,
		.poissonRatio = 0.3,
		.tolerance = pn_usualTolerance,
		.refineSurface = 1,
		.estimateError = 1,
		.cookie = PN_COOKIE,
	};
}

pnCondition pnDefaultCondition( void )
{
	return (pnCondition){ .kind = pn_holdCondition, .axes = 7 };
}

pnIndenter pnDefaultIndenter( void )
{
	return (pnIndenter){ .kind = pn_ballIndenter, .radius = 1.0, .direction = { 0.0, 0.0, -1.0 } };
}

const char* pnKelvinWarningText( uint32_t warning )
{
	switch ( warning )
	{
	case pn_coarseQuadrature:
		return "There are too few collocation points on the surface for the virtual sources: give a finer surface or ask for fewer sources.";
	case pn_largeResidual:
		return "What is given is missed at points that were not used to find the answer.";
	case pn_largeBetti:
		return "Two loads do not do equal work on each other's displacements (Betti): displacements may be far off.";
	case pn_largeReaction:
		return "The held parts do not carry the load.";
	case pn_largeError:
		return "Two solutions differ by more than the tolerance: ask for more sources.";
	case pn_nothingHeld:
		return "Nothing holds the solid against some rigid motion: the load was balanced and the mean motion set to nothing.";
	case pn_nearlyIncompressible:
		return "The material hardly changes its volume (Poisson's ratio above 0.495): pressures inside are less certain than displacements.";
	case pn_slowConvergence:
		return "The iterations were stopped at their limit.";
	case pn_thinPart:
		return "The solid is a plate, a shell or a beam, thinner than its sources are apart: ask for more sources, or use a program for plates and beams.";
	case pn_openCloud:
		return "The cloud does not close: parts are missing, or normals are turned.";
	default:
		return "This is no warning pliant knows.";
	}
}

void pnClearKelvin( pnKelvin* kelvin )
{
	for ( int i = 0; i < kelvin->partCount && kelvin->parts != NULL; ++i )
	{
		pnClearKelvin( kelvin->parts + i );
	}
	pnFreeArray( pnKelvin, kelvin->parts, kelvin->partCount );
	pnFreeArray( int32_t, kelvin->corners, 3 * (size_t)kelvin->triangleCount );
	pnFreeArray( pnVec3d, kelvin->vertices, kelvin->vertexCount );
	pnFreeArray( int, kelvin->conditionIndices, kelvin->conditionCount );
	pnDestroyAnswer( &kelvin->answer );
	pnFreeArray( pnKelvinPoint, kelvin->points, kelvin->pointCount );
	pnFreeArray( pnVec3d, kelvin->sources, kelvin->sourceCount );
	for ( int i = 0; i < kelvin->toolCount && kelvin->tools != NULL; ++i )
	{
		pnDestroyTool( kelvin->tools + i );
	}
	pnFreeArray( pnTool, kelvin->tools, kelvin->toolCount );
	pnFreeArray( double, kelvin->depths, kelvin->toolCount );
	pnFreeArray( double, kelvin->forces, kelvin->toolCount );
	pnFreeArray( pnCondition, kelvin->conditions, kelvin->conditionCount );
	pnDestroySpacing( &kelvin->spacing );
	pnDestroySpacing( &kelvin->room );
	pnDestroySpacing( &kelvin->hollow );
	pnDestroyCollocationPoints( &kelvin->given );
	pnDestroyFacets( &kelvin->facets );
	if ( kelvin->tasks != NULL )
	{
		pnDestroyTasks( kelvin->tasks );
	}
}

void pnDestroyKelvin( pnKelvin* kelvin )
{
	if ( kelvin != NULL )
	{
		pnClearKelvin( kelvin );
		pnFreeArray( pnKelvin, kelvin, 1 );
	}
}

// ---- the answer in the user's units ----

// Sources farther apart than twice the thickness cannot tell the two faces apart; polynomials can, where the whole bends smoothly.
static const double pn_thinSpacing = 2.0;
static const double pn_thinRefusal = 0.25; // of the error: what is thin and as wrong as this is no answer

static double pnGetArea( const pnCollocationPoints* points )
{
	double area = 0.0;
	for ( int q = 0; q < points->count; ++q )
	{
		area += points->points[q].w;
	}
	return area;
}

static bool pnIsThin( const pnSystem* system )
{
	return sqrt( pnGetArea( &system->points ) / system->sources.count ) > pn_thinSpacing * pnGetThickness( &system->points );
}

void pnWriteInfo( const pnKelvin* kelvin, pnKelvinInfo* info )
{
	const pnAnswer* answer = &kelvin->answer;
	const pnSystem* system = &answer->system;
	bool isEnergy = system->method == pn_energyMethod;
	double size = kelvin->units.size;
	*info = (pnKelvinInfo){
		.method = system->method,
		.pointCount = system->points.count,
		.sourceCount = system->sources.count,
		.unknownCount = system->columns,
		.rank = isEnergy ? system->columns - system->energy.leftOut : system->lsq.rank,
		.retryCount = isEnergy ? system->energy.retryCount : 0,
		.roundCount = answer->roundCount,
		.iterationCount = kelvin->toolCount > 0 ? answer->press.iterationCount : system->run.iterationCount,
		.residual = answer->quality.residual,
		.heldOutResidual = answer->quality.heldOutResidual,
		.bettiMismatch = answer->quality.betti,
		.reactionMismatch = answer->quality.reaction,
		.errorEstimate = answer->estimate,
		.conditionNumber = isEnergy ? system->energy.conditionNumber : fmax( system->lsq.conditionNumber, system->run.conditionNumber ),
		.strainEnergy = answer->quality.energy * kelvin->units.modulus * size * size * size,
		.volumeChange = answer->quality.volumeChange,
		.placeSeconds = system->placeSeconds,
		.assembleSeconds = isEnergy ? system->energy.assembleSeconds : system->lsq.assembleSeconds,
		.factorSeconds = isEnergy ? system->energy.factorSeconds : system->lsq.factorSeconds,
		.solveSeconds = answer->solveSeconds,
		.totalSeconds = pnNow() - kelvin->startTime,
	};
	uint32_t warnings = 0;
	warnings |= info->retryCount >= 3 ? pn_coarseQuadrature : 0;
	// Least squares makes misfits small. Energy does not: at the edges of clamps and tools tractions have no bound.
	warnings |= info->heldOutResidual > ( isEnergy ? 0.8 : 0.1 ) ? pn_largeResidual : 0;
	warnings |= info->bettiMismatch > 0.01 ? pn_largeBetti : 0;
	warnings |= info->reactionMismatch > 0.01 ? pn_largeReaction : 0;
	double tolerance = kelvin->search.tolerance;
	warnings |= info->errorEstimate > tolerance ? pn_largeError : 0;
	warnings |= info->errorEstimate > tolerance && pnIsThin( system ) ? pn_thinPart : 0;
	warnings |= pnGetGauge( system )->count > 0 ? pn_nothingHeld : 0;
	warnings |= kelvin->search.plan.poissonRatio > 0.495 ? pn_nearlyIncompressible : 0;
	warnings |= ( kelvin->toolCount > 0 && answer->press.converged == false ) || ( system->method == pn_lsqCgMethod && system->run.converged == false ) ? pn_slowConvergence : 0;
	warnings |= kelvin->gap > 0.02 ? pn_openCloud : 0;
	info->warnings = warnings;
}

// Where it is held as it is given, else as found.
static pnVec3d pnGetKnownDisplacement( const pnSystem* system, int q )
{
	const pnBound* bound = system->bounds + q;
	pnVec3d u = system->u[q];
	if ( bound->framed )
	{
		pnVec3d n = system->points.points[q].n;
		return pnMulAddD( u, bound->value[0] - pnDotD( u, n ), n );
	}
	return pnMakeD( bound->held & 1 ? bound->value[0] : u.x, bound->held & 2 ? bound->value[1] : u.y, bound->held & 4 ? bound->value[2] : u.z );
}

void pnWritePoints( pnKelvin* kelvin )
{
	const pnSystem* system = &kelvin->answer.system;
	const pnUnits* units = &kelvin->units;
	for ( int q = 0; q < system->points.count; ++q )
	{
		const pnCollocationPoint* point = system->points.points + q;
		kelvin->points[q] = (pnKelvinPoint){
			.point = pnToUser( units, point->x ),
			.normal = point->n,
			.area = point->w * units->size * units->size,
			.spacing = point->s * units->size,
			.heldAxes = system->bounds[q].framed ? 8u : system->bounds[q].held,
			.displacement = pnScaleD( units->size, pnGetKnownDisplacement( system, q ) ),
			.traction = pnScaleD( units->modulus, system->t[q] ),
		};
	}
}

pnResult pnTakeResults( pnKelvin* kelvin )
{
	const pnSystem* system = &kelvin->answer.system;
	pnFreeArray( pnKelvinPoint, kelvin->points, kelvin->pointCount );
	pnFreeArray( pnVec3d, kelvin->sources, kelvin->sourceCount );
	kelvin->points = pnAllocArray( pnKelvinPoint, system->points.count );
	kelvin->pointCount = kelvin->points != NULL ? system->points.count : 0;
	kelvin->sources = pnAllocArray( pnVec3d, system->sources.count );
	kelvin->sourceCount = kelvin->sources != NULL ? system->sources.count : 0;
	if ( kelvin->points == NULL || kelvin->sources == NULL )
	{
		return pn_outOfMemory;
	}
	for ( int p = 0; p < kelvin->sourceCount; ++p )
	{
		kelvin->sources[p] = pnToUser( &kelvin->units, pnMakeD( system->sources.x[p], system->sources.y[p], system->sources.z[p] ) );
	}
	pnWritePoints( kelvin );
	kelvin->foundEstimate = kelvin->answer.estimate;
	kelvin->foundResidual = kelvin->answer.residualEnergy;
	kelvin->foundReach = pnGetReach( kelvin );
	return pn_success;
}

pnResult pnBeginKelvin( const pnKelvinDef* def, pnKelvin* kelvin )
{
	kelvin->startTime = pnNow();
	kelvin->stageIndex = -1;
	kelvin->progress = def->progress;
	kelvin->progressContext = def->progressContext;
	kelvin->conditions = pnAllocArray( pnCondition, def->conditionCount + 1 );
	kelvin->conditionCount = kelvin->conditions != NULL ? def->conditionCount + 1 : 0;
	kelvin->tasks = pnCreateTasks( &def->tasks );
	if ( def->indenterCount > 0 )
	{
		kelvin->tools = pnAllocArray( pnTool, def->indenterCount );
		kelvin->depths = pnAllocArray( double, def->indenterCount );
		kelvin->forces = pnAllocArray( double, def->indenterCount );
		kelvin->toolCount = def->indenterCount;
	}
	if ( kelvin->conditions == NULL || kelvin->tasks == NULL || ( def->indenterCount > 0 && ( kelvin->tools == NULL || kelvin->depths == NULL || kelvin->forces == NULL ) ) )
	{
		// Arrays that are there are given back by their count.
		return pn_outOfMemory;
	}
	if ( def->conditionCount > 0 )
	{
		memcpy( kelvin->conditions, def->conditions, (size_t)def->conditionCount * sizeof( pnCondition ) );
	}
	pnResult result = pnScaleProblem( def, kelvin );
	result = result == pn_success ? pnTakeTools( def->indenters, kelvin ) : result;
	result = result == pn_success ? pnTakeSurface( def, kelvin ) : result;
	if ( result != pn_success )
	{
		return result;
	}
	kelvin->search = (pnSearch){
		.plan = {
			.units = kelvin->units,
			.poissonRatio = def->poissonRatio,
			.inside = {
				.force = pnScaleD( kelvin->units.size / kelvin->units.modulus, def->bodyForce ),
				.swelling = def->thermalStrain,
				.poissonRatio = def->poissonRatio,
			},
			.facets = kelvin->facets.count > 0 ? &kelvin->facets : NULL,
			.given = kelvin->given.count > 0 ? &kelvin->given : NULL,
			.conditions = kelvin->conditions,
			.conditionCount = def->conditionCount,
			.perPiece = def->pointsPerTriangle > 0 ? def->pointsPerTriangle : def->refineSurface != 0 ? 0 : 3,
			.isCloud = def->triangles == NULL && def->areas == NULL && kelvin->wrapped == false,
			.isWrapped = kelvin->wrapped,
			.divisible = ( def->triangles != NULL || kelvin->wrapped ) && def->refineSurface != 0,
			.tasks = kelvin->tasks,
			.processes = def->processes,
			.tick = pnTick,
			.tickContext = kelvin,
		},
		.tolerance = def->tolerance > 0.0 ? def->tolerance : pn_usualTolerance,
		.tools = kelvin->tools,
		.depths = kelvin->depths,
		.forces = kelvin->forces,
		.toolCount = kelvin->toolCount,
	};
	return pn_success;
}

static pnResult pnFillKelvin( const pnKelvinDef* def, pnKelvin* kelvin )
{
	if ( def->partCount > 0 )
	{
		return pnFillParts( def, kelvin );
	}
	pnResult result = pnBeginKelvin( def, kelvin );
	if ( result != pn_success )
	{
		return result;
	}
	int sourceCount = def->placement == pn_givenSources ? def->sourceCount : 0;
	if ( sourceCount > 0 )
	{
		kelvin->givenSources = pnAllocArray( pnVec3d, sourceCount );
		if ( kelvin->givenSources == NULL )
		{
			return pn_outOfMemory;
		}
		for ( int i = 0; i < sourceCount; ++i )
		{
			kelvin->givenSources[i] = pnScaleD( 1.0 / kelvin->units.size, pnSubD( def->sources[i], kelvin->units.center ) );
		}
	}
	result = pnFindBest( def, kelvin );
	pnFreeArray( pnVec3d, kelvin->givenSources, sourceCount );
	kelvin->givenSources = NULL;
	kelvin->search.plan.place.given = NULL;
	return result == pn_success ? pnTakeResults( kelvin ) : result;
}

pnResult pnCreateKelvin( const pnKelvinDef* def, pnKelvin** out, pnKelvinInfo* info )
{
	*out = NULL;
	if ( info != NULL )
	{
		*info = (pnKelvinInfo){ .errorEstimate = -1.0 };
	}
	pnResult result = pnCheckDef( def );
	if ( result != pn_success )
	{
		return result;
	}
	pnKelvin* kelvin = pnAllocArray( pnKelvin, 1 );
	if ( kelvin == NULL )
	{
		return pn_outOfMemory;
	}
	result = pnFillKelvin( def, kelvin );
	if ( result != pn_success )
	{
		pnDestroyKelvin( kelvin );
		return result;
	}
	pnKelvinInfo numbers;
	( kelvin->partCount > 0 ? pnWritePartsInfo : pnWriteInfo )( kelvin, &numbers );
	if ( kelvin->partCount == 0 && ( numbers.warnings & pn_thinPart ) != 0 && numbers.errorEstimate > pn_thinRefusal )
	{
		const pnCollocationPoints* points = &kelvin->answer.system.points;
		double thickness = pnGetThickness( points ), area = pnGetArea( points ), size = kelvin->units.size, apart = pn_thinSpacing * thickness;
		pnLog( "The solid is about %.3g m thick and %.3g m long: a plate, a shell or a beam. Its %d sources are %.3g m apart and cannot tell its faces apart (error %d %%). "
			   "Ask for some %d sources, or use a program for plates and beams.",
			   thickness * size, 2.0 * size, numbers.sourceCount, sqrt( area / numbers.sourceCount ) * size, (int)( 100.0 * numbers.errorEstimate + 0.5 ), (int)ceil( area / ( apart * apart ) ) );
		pnDestroyKelvin( kelvin );
		return pn_invalidInput;
	}
	if ( def->progress != NULL && def->progress( 1.0, "done", def->progressContext ) != 0 )
	{
		pnDestroyKelvin( kelvin );
		return pn_givenUp;
	}
	if ( info != NULL )
	{
		*info = numbers;
	}
	*out = kelvin;
	return numbers.warnings != 0 ? pn_weakAnswer : pn_success;
}

pnResult pnTakeValues( pnKelvin* kelvin, const pnCondition* conditions )
{
	pnSystem* system = &kelvin->answer.system;
	int conditionCount = kelvin->search.plan.conditionCount, pointCount = system->points.count;
	pnBound* bounds = pnAllocArray( pnBound, pointCount );
	if ( bounds == NULL )
	{
		return pn_outOfMemory;
	}
	pnResult result = pnBindConditions( conditions, conditionCount, &kelvin->units, &system->points, bounds );
	for ( int q = 0; q < pointCount && result == pn_success; ++q )
	{
		if ( bounds[q].held != system->bounds[q].held || bounds[q].framed != system->bounds[q].framed || memcmp( bounds[q].spring, system->bounds[q].spring, sizeof( bounds[q].spring ) ) != 0 )
		{
			pnVec3d p = pnToUser( &kelvin->units, system->points.points[q].x );
			pnLog( "Other axes are held, or by other springs, at (%g, %g, %g) than when the problem was made: only values may change.", p.x, p.y, p.z );
			result = pn_invalidInput;
		}
	}
	if ( result == pn_success )
	{
		memcpy( system->bounds, bounds, (size_t)pointCount * sizeof( pnBound ) );
		memcpy( kelvin->conditions, conditions, (size_t)conditionCount * sizeof( pnCondition ) );
	}
	pnFreeArray( pnBound, bounds, pointCount );
	return result;
}

pnResult pnKelvin_Solve( pnKelvin* kelvin, const pnCondition* conditions, const pnIndenter* indenters, pnKelvinInfo* info )
{
	kelvin->startTime = pnNow();
	int conditionCount = kelvin->search.plan.conditionCount;
	bool taken = conditionCount > 0 && conditions != NULL;
	pnResult result = taken ? pnCheckConditions( conditions, conditionCount ) : pn_success;
	if ( result == pn_success && kelvin->partCount > 0 )
	{
		result = pnSolveParts( kelvin, taken ? conditions : NULL );
	}
	else
	{
		// A bad tool changes nothing, and neither does a bad value.
		result = result == pn_success && indenters != NULL ? pnCheckTools( indenters, kelvin ) : result;
		result = result == pn_success && taken ? pnTakeValues( kelvin, conditions ) : result;
		result = result == pn_success && indenters != NULL ? pnTakeTools( indenters, kelvin ) : result;
		result = result == pn_success ? pnSolveAnswer( &kelvin->search, &kelvin->answer, true ) : result;
	}
	if ( result == pn_success && kelvin->foundEstimate >= 0.0 && kelvin->partCount == 0 )
	{
		// The sources are where the first values wanted them. What the residual stands for tells whether they serve these as well.
		pnAnswer* answer = &kelvin->answer;
		double worse = kelvin->foundResidual > 0.0 ? answer->residualEnergy / kelvin->foundResidual : 1.0;
		// A contact between sources is not seen, and leaves no residual.
		bool unseen = pnGetReach( kelvin ) > pn_muchWorse * fmax( kelvin->foundReach, 1.0 );
		answer->estimate = fmax( kelvin->foundEstimate * fmax( worse, 1.0 ), pn_leastOfResidual * answer->residualEnergy );
		answer->estimate = unseen ? fmax( answer->estimate, 1.0 ) : answer->estimate;
		bool weak = answer->estimate > kelvin->search.tolerance && answer->estimate > pn_muchWorse * kelvin->foundEstimate;
		if ( weak && kelvin->search.isAdaptive )
		{
			result = pnFindAgain( kelvin );
			result = result == pn_success ? pnTakeResults( kelvin ) : result;
		}
	}
	if ( result != pn_success )
	{
		return result;
	}
	if ( kelvin->partCount == 0 )
	{
		pnWritePoints( kelvin );
	}
	pnKelvinInfo numbers;
	( kelvin->partCount > 0 ? pnWritePartsInfo : pnWriteInfo )( kelvin, &numbers );
	if ( info != NULL )
	{
		*info = numbers;
	}
	return numbers.warnings != 0 ? pn_weakAnswer : pn_success;
}

// ---- reading ----

typedef struct pnEvaluation
{
	const pnKelvin* kelvin;
	const pnVec3d* points;
	pnVec3d* displacements;
	pnStress* stresses;
} pnEvaluation;

static void pnEvaluateSome( int begin, int end, int worker, void* context )
{
	PN_UNUSED( worker );
	const pnEvaluation* job = context;
	for ( int i = begin; i < end; ++i )
	{
		const pnKelvin* part = job->kelvin->partCount > 0 ? pnFindPart( job->kelvin, job->points[i] ) : job->kelvin;
		const pnUnits* units = &part->units;
		const pnSystem* system = &part->answer.system;
		pnVec3d u;
		double s[6];
		pnVec3d place = pnScaleD( 1.0 / units->size, pnSubD( job->points[i], units->center ) );
		pnSumFields( &system->rows.basis, system->coefficients, place, &u, job->stresses != NULL ? s : NULL );
		pnVec3d own;
		double ownStress[6];
		pnGetInsideField( &system->inside, place, &own, ownStress );
		u = pnAddD( u, own );
		for ( int k = 0; k < 6 && job->stresses != NULL; ++k )
		{
			s[k] += ownStress[k];
		}
		if ( job->displacements != NULL )
		{
			job->displacements[i] = pnScaleD( units->size, u );
		}
		if ( job->stresses != NULL )
		{
			double g = units->modulus;
			job->stresses[i] = (pnStress){ g * s[0], g * s[1], g * s[2], g * s[3], g * s[4], g * s[5] };
		}
	}
}

void pnKelvin_Evaluate( const pnKelvin* kelvin, const pnVec3d* points, int count, pnVec3d* displacements, pnStress* stresses )
{
	pnEvaluation job = { kelvin, points, displacements, stresses };
	pnParallelFor( kelvin->tasks, pnEvaluateSome, count, 16, &job );
}

double pnVonMises( const pnStress* s )
{
	double a = s->xx - s->yy, b = s->yy - s->zz, c = s->zz - s->xx;
	return sqrt( 0.5 * ( a * a + b * b + c * c ) + 3.0 * ( s->xy * s->xy + s->yz * s->yz + s->zx * s->zx ) );
}

pnVec3d pnTraction( const pnStress* s, pnVec3d n )
{
	double stress[6] = { s->xx, s->yy, s->zz, s->xy, s->yz, s->zx };
	return pnStressTimes( stress, n );
}

void pnKelvin_GetForce( const pnKelvin* kelvin, const pnRegion* region, pnVec3d about, pnVec3d* force, pnVec3d* torque )
{
	pnVec3d f = { 0.0, 0.0, 0.0 }, m = f;
	const pnKelvin* parts = kelvin->partCount > 0 ? kelvin->parts : kelvin;
	int partCount = kelvin->partCount > 0 ? kelvin->partCount : 1, part = 0, first = 0;
	for ( int q = 0; q < kelvin->pointCount; ++q )
	{
		const pnKelvinPoint* point = kelvin->points + q;
		while ( part + 1 < partCount && q - first >= parts[part].answer.system.points.count )
		{
			first += parts[part++].answer.system.points.count;
		}
		int group = parts[part].answer.system.points.points[q - first].group;
		if ( pnIsInRegion( region, point->point, point->normal, group, 1e-7 * kelvin->units.size ) )
		{
			pnVec3d t = pnScaleD( point->area, point->traction );
			f = pnAddD( f, t );
			m = pnAddD( m, pnCrossD( pnSubD( point->point, about ), t ) );
		}
	}
	if ( force != NULL )
	{
		*force = f;
	}
	if ( torque != NULL )
	{
		*torque = m;
	}
}

void pnKelvin_GetIndenter( const pnKelvin* kelvin, int indenter, pnVec3d* force, double* depth, double* area )
{
	bool there = 0 <= indenter && indenter < kelvin->answer.toolCount;
	PN_ASSERT( there );
	pnPressed pressed = there ? kelvin->answer.pressed[indenter] : (pnPressed){ 0 };
	if ( force != NULL )
	{
		*force = pressed.force;
	}
	if ( depth != NULL )
	{
		*depth = pressed.depth;
	}
	if ( area != NULL )
	{
		*area = pressed.area;
	}
}

const pnKelvinPoint* pnKelvin_GetPoints( const pnKelvin* kelvin, int* count )
{
	*count = kelvin->pointCount;
	return kelvin->points;
}

const pnVec3d* pnKelvin_GetSources( const pnKelvin* kelvin, int* count )
{
	*count = kelvin->sourceCount;
	return kelvin->sources;
}

pnResult pnKelvin_CreateResponse( pnKelvin* kelvin, const pnHandle* handles, int handleCount, const pnVec3d* vertices, int vertexCount, const int32_t* triangles,
								  int triangleCount, pnResponse** response )
{
	*response = NULL;
	if ( kelvin->partCount > 0 )
	{
		pnLog( "A response of several parts is not made." );
		return pn_invalidInput;
	}
	if ( kelvin->answer.system.method != pn_energyMethod || kelvin->toolCount > 0 )
	{
		pnLog( "A response needs the energy method and no indenters: else it is not linear, or a hand could gain energy." );
		return pn_invalidInput;
	}
	if ( handles == NULL || handleCount < 1 || vertices == NULL || vertexCount < 1 || triangleCount < 0 || ( triangleCount > 0 && triangles == NULL ) )
	{
		pnLog( "A response needs handles (%d) and vertices (%d).", handleCount, vertexCount );
		return pn_invalidInput;
	}
	for ( int h = 0; h < handleCount; ++h )
	{
		if ( pnIsFinite3D( handles[h].center ) == false || ( handles[h].radius > 0.0 && pnIsFiniteD( handles[h].radius ) ) == false )
		{
			pnLog( "Handle %d: its center is not finite or its radius is not positive.", h );
			return pn_invalidInput;
		}
	}
	for ( int v = 0; v < vertexCount; ++v )
	{
		if ( pnIsFinite3D( vertices[v] ) == false )
		{
			pnLog( "Vertex %d is not finite.", v );
			return pn_invalidInput;
		}
	}
	pnResult result = pnMakeHandleResponse( &kelvin->answer.system, &kelvin->units, handles, handleCount, vertices, vertexCount, triangles, triangleCount, response );
	return result;
}
