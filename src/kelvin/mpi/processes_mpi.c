// processes_mpi.c - the matrix of the energy on a grid of processes: MPI and ScaLAPACK. The only file that knows them.
//
// Unknowns are ordered source by source, three loads each, then the other columns; blocks of them are dealt to the grid in turn along both sides. What is
// small (points, sources, mends, patches, right sides, answers) every process has for itself.
#include "pliant/kelvin_mpi.h"

#include "../../base/scratch.h"
#include "../energy.h"
#include "../patches.h"
#include "../processes.h"

#include <mpi.h>

#include <math.h>

// ScaLAPACK has no header.
void Cblacs_get( int context, int what, int* value );
void Cblacs_gridinit( int* context, const char* order, int rows, int columns );
void Cblacs_gridinfo( int context, int* rows, int* columns, int* row, int* column );
void Cblacs_gridexit( int context );
int numroc_( const int* n, const int* block, const int* process, const int* first, const int* processes );
void descinit_( int* descriptor, const int* m, const int* n, const int* mb, const int* nb, const int* firstRow, const int* firstColumn, const int* context, const int* leading, int* info );
void pdpotrf_( const char* side, const int* n, double* a, const int* i, const int* j, const int* descriptor, int* info );
void pdpotrs_( const char* side, const int* n, const int* count, const double* a, const int* i, const int* j, const int* descriptor, double* b, const int* k, const int* l, const int* other, int* info );
void pdtrsm_( const char* side, const char* triangle, const char* turned, const char* diagonal, const int* m, const int* n, const double* factor, const double* a, const int* i, const int* j, const int* descriptor,
			  double* b, const int* k, const int* l, const int* other );
void pdgemm_( const char* turnedA, const char* turnedB, const int* m, const int* n, const int* inner, const double* factor, const double* a, const int* ia, const int* ja, const int* descriptorA, const double* b, const int* ib,
			  const int* jb, const int* descriptorB, const double* keep, double* c, const int* ic, const int* jc, const int* descriptorC );
double pdlansy_( const char* norm, const char* side, const int* n, const double* a, const int* i, const int* j, const int* descriptor, double* work );
void pdpocon_( const char* side, const int* n, const double* a, const int* i, const int* j, const int* descriptor, const double* norm, double* inverse, double* work, const int* workSize, int* whole, const int* wholeSize,
			   int* info );

enum { PN_BLOCK = 96, PN_DESCRIPTOR = 9 }; // unknowns of a block: of 32 sources
static const int s_one = 1, s_zero = 0, s_block = PN_BLOCK;

typedef struct pnGrid
{
	struct pnProcesses calls; // first: what the solver sees
	int context, rowCount, columnCount, row, column;
	bool started; // MPI, by us
} pnGrid;

// One process' part of a factored matrix.
typedef struct pnSpread
{
	int n, localRows, localColumns;
	int descriptor[PN_DESCRIPTOR];
	double* factor;
	double* matrix; // as it was before the shift
} pnSpread;

static int pnToGlobal( int local, int process, int processCount )
{
	return ( local / PN_BLOCK * processCount + process ) * PN_BLOCK + local % PN_BLOCK;
}

// The solver's column of an unknown.
static int pnToColumn( int unknown, int sourceCount )
{
	return unknown < 3 * sourceCount ? unknown % 3 * sourceCount + unknown / 3 : unknown;
}

// Sources that any of some local unknowns belong to, in order. Returns how many.
static int pnListSources( int localCount, int process, int processCount, int sourceCount, int32_t* list, int32_t* places )
{
	int count = 0;
	for ( int i = 0; i < localCount; ++i )
	{
		int unknown = pnToGlobal( i, process, processCount );
		if ( unknown < 3 * sourceCount && ( count == 0 || list[count - 1] != unknown / 3 ) )
		{
			list[count] = unknown / 3;
			places[unknown / 3] = count++;
		}
	}
	return count;
}

// Where an unknown is in the sums over some sources.
static size_t pnGetPlace( int unknown, int sourceCount, const int32_t* places, int listCount )
{
	return (size_t)( unknown < 3 * sourceCount ? unknown % 3 * listCount + places[unknown / 3] : 3 * listCount + unknown - 3 * sourceCount );
}

// The symmetric part of the sums, this process' share: free and fixed, localRows x localColumns each.
static pnResult pnSumShare( const pnGrid* grid, const pnRows* rows, const double* holds, pnSpread* spread, double* free, double* fixed )
{
	int n = rows->basis.sourceCount, others = spread->n - 3 * n;
	pnScratch scratch = { 0 }, sums = { 0 };
	int32_t* lists = pnTakeArray( &scratch, int32_t, 4 * (size_t)n + 4 );
	int32_t *left = lists, *right = lists + n + 1, *leftPlaces = lists + 2 * ( n + 1 ), *rightPlaces = lists + 3 * n + 2;
	pnResult result = scratch.failed ? pn_outOfMemory : pn_success;
	pnPatches patches = { 0 };
	result = result == pn_success ? pnMakePatches( rows, holds, &patches ) : result;
	if ( result == pn_success )
	{
		int leftCount = pnListSources( spread->localRows, grid->row, grid->rowCount, n, left, leftPlaces );
		int rightCount = pnListSources( spread->localColumns, grid->column, grid->columnCount, n, right, rightPlaces );
		size_t tall = 3 * (size_t)leftCount + (size_t)others, wide = 3 * (size_t)rightCount + (size_t)others;
		double* forth = pnTakeArray( &sums, double, tall * wide );
		double* back = pnTakeArray( &sums, double, tall * wide );
		double* held = pnTakeArray( &sums, double, tall * wide );
		pnPairs pairs = { .left = left, .right = right, .leftCount = leftCount, .rightCount = rightCount, .withOthers = true, .free = forth, .fixed = held, .leading = tall };
		pnPairs turned = { .left = right, .right = left, .leftCount = rightCount, .rightCount = leftCount, .withOthers = true, .free = back, .leading = wide };
		bool givenUp = false;
		bool done = sums.failed == false && pnAddPairs( &patches, &pairs, rows->tasks, &givenUp ) && pnAddPairs( &patches, &turned, rows->tasks, &givenUp );
		result = done ? pn_success : givenUp ? pn_givenUp : pn_outOfMemory;
		for ( int c = 0; c < spread->localColumns && done; ++c )
		{
			size_t column = pnGetPlace( pnToGlobal( c, grid->column, grid->columnCount ), n, rightPlaces, rightCount );
			for ( int r = 0; r < spread->localRows; ++r )
			{
				size_t row = pnGetPlace( pnToGlobal( r, grid->row, grid->rowCount ), n, leftPlaces, leftCount ), to = (size_t)c * (size_t)spread->localRows + (size_t)r;
				free[to] = 0.5 * ( forth[column * tall + row] + back[row * wide + column] );
				fixed[to] = held[column * tall + row];
			}
		}
		pnDestroyPatches( &patches );
	}
	pnGiveBack( &sums );
	pnGiveBack( &scratch );
	return result;
}

// The whole of what every process has a part of, the rest being 0: sums of one value and nothing else, so all have the same bits.
static void pnGather( double* values, size_t count )
{
	for ( size_t begin = 0; begin < count; begin += 1 << 24 )
	{
		int some = count - begin < 1 << 24 ? (int)( count - begin ) : 1 << 24;
		MPI_Allreduce( MPI_IN_PLACE, values + begin, some, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD );
	}
}

// This process' share of weight * fixed + free, scaled, with the gauge: as energy.c makes the whole.
static void pnScaleShare( const pnGrid* grid, const pnSpread* spread, const pnRows* rows, const double* free, const double* fixed, double weight, const double* gauge, double* work, pnEnergy* energy )
{
	int n = rows->basis.sourceCount;
	double* h = spread->matrix;
	double lengths[6] = { 0.0 };
	memset( work, 0, (size_t)spread->n * sizeof( double ) );
	for ( int c = 0; c < spread->localColumns; ++c )
	{
		for ( int r = 0; r < spread->localRows; ++r )
		{
			size_t at = (size_t)c * (size_t)spread->localRows + (size_t)r;
			int row = pnToGlobal( r, grid->row, grid->rowCount ), column = pnToGlobal( c, grid->column, grid->columnCount );
			h[at] = free[at] + weight * fixed[at];
			if ( row == column )
			{
				work[pnToColumn( row, n )] = h[at];
			}
		}
	}
	pnGather( work, (size_t)spread->n );
	for ( int c = 0; c < spread->n; ++c )
	{
		energy->scale[c] = pnGetEnergyScale( work[c], c - 3 * n );
		for ( int k = 0; k < energy->gauge.count; ++k )
		{
			double along = gauge[(size_t)k * (size_t)spread->n + (size_t)c] * energy->scale[c];
			lengths[k] += along * along;
		}
	}
	for ( int c = 0; c < spread->localColumns; ++c )
	{
		int column = pnToColumn( pnToGlobal( c, grid->column, grid->columnCount ), n );
		for ( int r = 0; r < spread->localRows; ++r )
		{
			size_t at = (size_t)c * (size_t)spread->localRows + (size_t)r;
			int row = pnToColumn( pnToGlobal( r, grid->row, grid->rowCount ), n );
			for ( int k = 0; k < energy->gauge.count; ++k )
			{
				const double* mode = gauge + (size_t)k * (size_t)spread->n;
				h[at] += mode[row] * mode[column] / ( lengths[k] > 0.0 ? lengths[k] : 1.0 );
			}
			h[at] *= energy->scale[row] * energy->scale[column];
		}
	}
}

static double pnFindCondition( pnSpread* spread, double norm )
{
	double workSize = 0.0, inverse = 0.0;
	int wholeSize = 0, info = 0, ask = -1;
	pdpocon_( "L", &spread->n, spread->factor, &s_one, &s_one, spread->descriptor, &norm, &inverse, &workSize, &ask, &wholeSize, &ask, &info );
	pnScratch scratch = { 0 };
	int doubles = (int)workSize + 1, wholes = wholeSize + 1;
	double* work = pnTakeArray( &scratch, double, doubles );
	int* whole = pnTakeArray( &scratch, int, wholes );
	if ( scratch.failed == false )
	{
		pdpocon_( "L", &spread->n, spread->factor, &s_one, &s_one, spread->descriptor, &norm, &inverse, work, &doubles, whole, &wholes, &info );
	}
	pnGiveBack( &scratch );
	return inverse > 0.0 ? 1.0 / inverse : 1e300;
}

static void pnReleaseShare( const struct pnProcesses* processes, pnEnergy* energy )
{
	PN_UNUSED( processes );
	pnSpread* spread = energy->spread;
	if ( spread != NULL )
	{
		size_t size = (size_t)spread->localRows * (size_t)spread->localColumns;
		pnFreeArray( double, spread->factor, size );
		pnFreeArray( double, spread->matrix, size );
		pnFreeArray( pnSpread, spread, 1 );
		energy->spread = NULL;
	}
}

static pnResult pnFactorShare( const struct pnProcesses* processes, const pnRows* rows, const double* holds, const double* gauge, bool mayStiffen, pnEnergy* energy )
{
	enum { PN_MOST_RETRIES = 15, PN_WEIGHT_RETRIES = 3 };
	const pnGrid* grid = (const pnGrid*)processes;
	pnSpread* spread = pnAllocArray( pnSpread, 1 );
	if ( spread == NULL )
	{
		return pn_outOfMemory;
	}
	energy->spread = spread;
	double start = pnNow();
	int n = spread->n = energy->columns, info;
	spread->localRows = numroc_( &n, &s_block, &grid->row, &s_zero, &grid->rowCount );
	spread->localColumns = numroc_( &n, &s_block, &grid->column, &s_zero, &grid->columnCount );
	int leading = spread->localRows > 0 ? spread->localRows : 1;
	descinit_( spread->descriptor, &n, &n, &s_block, &s_block, &s_zero, &s_zero, &grid->context, &leading, &info );
	size_t size = (size_t)spread->localRows * (size_t)spread->localColumns;
	spread->factor = pnAllocArray( double, size );
	spread->matrix = pnAllocArray( double, size );
	pnScratch scratch = { 0 };
	double* free = pnTakeRawArray( &scratch, double, size );
	double* fixed = pnTakeRawArray( &scratch, double, size );
	double* work = pnTakeArray( &scratch, double, 4 * ( (size_t)n + PN_BLOCK ) );
	pnResult result = spread->factor != NULL && spread->matrix != NULL && scratch.failed == false ? pn_success : pn_outOfMemory;
	result = result == pn_success ? pnSumShare( grid, rows, holds, spread, free, fixed ) : result;
	// All go on, or none does.
	int worst = result;
	MPI_Allreduce( MPI_IN_PLACE, &worst, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD );
	result = (pnResult)worst;
	energy->assembleSeconds = pnNow() - start;
	start = pnNow();
	double weight = 1.0, shift = 1e-15 * n;
	for ( energy->retryCount = 0; result == pn_success; ++energy->retryCount )
	{
		int retry = energy->retryCount;
		if ( retry <= PN_WEIGHT_RETRIES )
		{
			weight = (double)( 1 << retry );
			pnScaleShare( grid, spread, rows, free, fixed, weight, gauge, work, energy );
		}
		else
		{
			shift *= 10.0;
		}
		memcpy( spread->factor, spread->matrix, size * sizeof( double ) );
		double norm = pdlansy_( "1", "L", &n, spread->matrix, &s_one, &s_one, spread->descriptor, work );
		for ( int c = 0; c < spread->localColumns; ++c )
		{
			for ( int r = 0; r < spread->localRows; ++r )
			{
				bool diagonal = pnToGlobal( r, grid->row, grid->rowCount ) == pnToGlobal( c, grid->column, grid->columnCount );
				spread->factor[(size_t)c * (size_t)spread->localRows + (size_t)r] += diagonal ? shift : 0.0;
			}
		}
		pdpotrf_( "L", &n, spread->factor, &s_one, &s_one, spread->descriptor, &info );
		if ( info == 0 )
		{
			energy->conditionNumber = pnFindCondition( spread, norm );
			break;
		}
		if ( mayStiffen == false || retry == PN_MOST_RETRIES )
		{
			result = pn_invalidInput;
		}
	}
	for ( int q = 0; q < energy->pointCount; ++q )
	{
		energy->gamma[q] *= weight;
	}
	energy->factorSeconds = pnNow() - start;
	pnGiveBack( &scratch );
	return result;
}

// Between what every process has whole (in the solver's order) and the shares of all.
static void pnDeal( const pnGrid* grid, const pnSpread* spread, int sourceCount, int count, int localColumns, double* share, double* whole, bool out )
{
	for ( int c = 0; c < localColumns; ++c )
	{
		int column = pnToGlobal( c, grid->column, grid->columnCount );
		for ( int r = 0; r < spread->localRows && column < count; ++r )
		{
			size_t at = (size_t)column * (size_t)spread->n + (size_t)pnToColumn( pnToGlobal( r, grid->row, grid->rowCount ), sourceCount );
			double* local = share + (size_t)c * (size_t)spread->localRows + (size_t)r;
			if ( out )
			{
				*local = whole[at];
			}
			else
			{
				whole[at] = *local;
			}
		}
	}
}

static void pnSolveShare( const struct pnProcesses* processes, const pnEnergy* energy, double* loads, int count, int refinements, bool half )
{
	const pnGrid* grid = (const pnGrid*)processes;
	const pnSpread* spread = energy->spread;
	int n = spread->n, info, descriptor[PN_DESCRIPTOR], leading = spread->localRows > 0 ? spread->localRows : 1;
	int localColumns = numroc_( &count, &s_block, &grid->column, &s_zero, &grid->columnCount );
	size_t size = (size_t)leading * (size_t)( localColumns + 1 );
	pnScratch scratch = { 0 };
	double* load = pnTakeArray( &scratch, double, size );
	double* answer = pnTakeArray( &scratch, double, size );
	double* rest = pnTakeArray( &scratch, double, size );
	descinit_( descriptor, &n, &count, &s_block, &s_block, &s_zero, &s_zero, &grid->context, &leading, &info );
	int failed = scratch.failed;
	MPI_Allreduce( MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD );
	if ( failed == 0 )
	{
		double one = 1.0, minus = -1.0;
		pnDeal( grid, spread, energy->sourceCount, count, localColumns, load, loads, true );
		memcpy( answer, load, size * sizeof( double ) );
		if ( half )
		{
			pdtrsm_( "L", "L", "N", "N", &n, &count, &one, spread->factor, &s_one, &s_one, spread->descriptor, answer, &s_one, &s_one, descriptor );
		}
		else
		{
			pdpotrs_( "L", &n, &count, spread->factor, &s_one, &s_one, spread->descriptor, answer, &s_one, &s_one, descriptor, &info );
		}
		for ( int step = 0; step < refinements && half == false; ++step )
		{
			memcpy( rest, load, size * sizeof( double ) );
			pdgemm_( "N", "N", &n, &count, &n, &minus, spread->matrix, &s_one, &s_one, spread->descriptor, answer, &s_one, &s_one, descriptor, &one, rest, &s_one, &s_one, descriptor );
			pdpotrs_( "L", &n, &count, spread->factor, &s_one, &s_one, spread->descriptor, rest, &s_one, &s_one, descriptor, &info );
			for ( size_t i = 0; i < size; ++i )
			{
				answer[i] += rest[i];
			}
		}
		memset( loads, 0, (size_t)n * (size_t)count * sizeof( double ) );
		pnDeal( grid, spread, energy->sourceCount, count, localColumns, answer, loads, false );
		pnGather( loads, (size_t)n * (size_t)count );
	}
	pnGiveBack( &scratch );
}

pnResult pnStartProcesses( const pnProcesses** processes, int* rank, int* count )
{
	*processes = NULL;
	pnGrid* grid = pnAllocArray( pnGrid, 1 );
	if ( grid == NULL )
	{
		return pn_outOfMemory;
	}
	int running = 0, sides[2] = { 0, 0 };
	MPI_Initialized( &running );
	if ( running == 0 )
	{
		MPI_Init( NULL, NULL );
		grid->started = true;
	}
	MPI_Comm_rank( MPI_COMM_WORLD, rank );
	MPI_Comm_size( MPI_COMM_WORLD, count );
	MPI_Dims_create( *count, 2, sides );
	Cblacs_get( -1, 0, &grid->context );
	Cblacs_gridinit( &grid->context, "Row", sides[0], sides[1] );
	Cblacs_gridinfo( grid->context, &grid->rowCount, &grid->columnCount, &grid->row, &grid->column );
	grid->calls = (struct pnProcesses){ pnFactorShare, pnSolveShare, pnReleaseShare };
	*processes = &grid->calls;
	return pn_success;
}

void pnStopProcesses( const pnProcesses* processes )
{
	pnGrid* grid = (pnGrid*)processes;
	if ( grid != NULL )
	{
		bool started = grid->started;
		Cblacs_gridexit( grid->context );
		pnFreeArray( pnGrid, grid, 1 );
		if ( started )
		{
			MPI_Finalize();
		}
	}
}
