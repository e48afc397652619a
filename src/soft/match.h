// match.h - where would each cluster's rest shape lie, if it lay as its points do now? Knows clusters and particles; knows no
// bodies, no world. The work is done sixteen clusters (lanes) at a time by the widest code the machine has; all give the same bits.
#pragma once

#include "tuning.h"
#include "solid.h"

// A cluster as it lives: what one step leaves for the next. Floats only, rows of four (shape_wide.h loads them).
typedef struct pnCluster
{
	float rotation[4]; // x y z w: the last turn, warm start of the next
	float center[3]; // metres, world: near the centre; sums are taken relative to it
	float softness; // 1 / smallest stretch of `plastic`; 1 without plastic strain
	float centerRest[3]; // what rounding left of the centre, so that its motion is exact far from the origin
	float plasticStrain; // largest | singular value of plastic - 1 |
	float plastic[9]; // S^p, row major: the rest shape gives way to S^p q
	float hardened; // plastic strain ever passed through, sum
	float energy; // potential of this cluster, per mass of the body, m^2
	float unused;
	float coefficients[27]; // the last fit, 3 rows of 9, metres
	float given; // potential that healing has put in since the last step, m^2: outside work, not an error of the step
	float pad[4]; // so that the coefficients are two blocks of sixteen
} pnCluster;
_Static_assert( sizeof( pnCluster ) % 16 == 0, "lanes load rows of four floats" );

enum { PN_LANES = 16 }; // clusters in a batch

// What a batch adds to each particle of a body: the force, sum of w (x - goal); the fourth float is unused.
enum { PN_SUM_SIZE = 4 };

// A body as matching sees it.
typedef struct pnMatchBody
{
	const pnSolid* form; // the solid, or the one with its held particles made heavy
	const float* x; // particles: x y z m, m in parts of the body's mass
	pnCluster* clusters;
	const pnTuning* response;
	float motion[8]; // mean velocity; 1 / the step the particles last moved by; h / a, or 0: no damping; three unused
} pnMatchBody;

typedef struct pnLane
{
	const pnMatchBody* body; // NULL: an empty lane
	int32_t cluster;
	uint32_t sumRow; // where the body's sums begin, in rows of PN_SUM_SIZE
} pnLane;

typedef struct pnBatch
{
	pnLane lanes[PN_LANES];
	bool quadratic; // some lane is in quadratic mode
	bool bare; // all lanes are bare, or none is
} pnBatch;

// Scratch for one batch: floats, for clusters of up to `maxCount` members.
size_t pnMatchScratchSize( int maxCount );
// Returns how many lanes took the exact path (rare.h).
// next: the batch to come, or NULL; it is only asked into the cache. zeros: four for each member of the longest cluster.
typedef int pnMatchFcn( const pnBatch* batch, const pnBatch* next, float* sums, float* scratch, const float* zeros );

// A body's particles moved by one step; sums over blocks of particles (PN_BLOCK) so that the order of adding is fixed.
enum { PN_BLOCK = 1024 };

typedef struct pnPointSums
{
	double kick[3], torque[3]; // of the step's momentum change
	double moment[3], second[6]; // sum m p; sum m p p^T (xx yy zz xy yz zx); p = x - origin
	double power, lastPower; // sum of m (v - mean) . d, and . last d
	double stiff2; // sum of m d^2
	double flow[3]; // sum of m (v - mean)
} pnPointSums;

typedef struct pnPointStep
{
	float *x, *v, *last; // 4 floats each: x y z m; v and 1/m; last deviation d and 1 if held
	float* force; // the sums of matching
	int count; // a multiple of 4
	float origin[3], mean[3];
	float pull, step; // a, h
	float drag; // b h / a: what a velocity adds to the deviation, so that the pull takes b of it
	float pullAfter; // a of the kick's second half; less than pull only while a body is being softened
	// what pnGovern found, for the second pass
	float push[3], turn[3], center[3]; // rigid part of the kick that must not be, about center (relative to origin)
	float keep; // factor on the deviation of the mid-step velocity, 1 usually
	float rigid[3], spin[3]; // rigid part of the mid-step velocity, used if keep < 1
	float gain[3]; // velocity gained from gravity and forces on the whole body
	float lag[3]; // how far rounding has left the centre behind, m
	bool held; // some particles are held: they keep the v they have been given
} pnPointStep;

// Kinetic energy of the mid-step velocity; after the step sum m (v - mean); and what rounding of the places has done: the spin it has
// added and how far it has moved the centre.
typedef struct pnPointTotals { double kinetic, flow[3], stray[3], slip[3]; } pnPointTotals;
typedef struct pnPointRigid { double moment[3], spin[3]; } pnPointRigid; // sum m vm, sum p x m vm, vm relative to mean

typedef struct pnKernel
{
	const char* name;
	pnMatchFcn* match;
	void ( *measure )( const pnPointStep* step, int begin, int end, pnPointSums* sums ); // pass 1
	void ( *rigid )( const pnPointStep* step, int begin, int end, pnPointRigid* sums ); // only when energy must be taken out
	double ( *deviation )( const pnPointStep* step, int begin, int end ); // kinetic energy off the rigid motion in step
	void ( *advance )( const pnPointStep* step, int begin, int end, pnPointTotals* totals ); // pass 2: kick, drift
	void ( *advanceBare )( const pnPointStep* step, int begin, int end ); // equations 9 and 10
} pnKernel;

extern const pnKernel pn_kernelW1, pn_kernelW4, pn_kernelW8, pn_kernelW16;
// The widest the machine has, or the one PLIANT_SIMD names if the machine has it.
const pnKernel* pnChooseKernel( void );
