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
	float energy; // potential of this cluster, per mass of the body, m^2
	float pad[3];
	// A block of sixteen: the gradient of the fit's potential at the last fit, metres, by the linear coefficients, 3 rows of 3. By the others it is `slope` times them.
	float gradient[9];
	float centerGradient[3]; // and by the centre: 0 without pins
	float slope; // 1 - how far goals followed the fit
	float stored; // that potential, m^2, less what the other coefficients make of it as springs of that slope
	float given; // potential that flow and healing have put in since the last step, m^2: no error of the step
	float error; // what the last drift's trapezoid made of the fit's potential beyond the work that was done, m^2; times the share
	// Two blocks of sixteen.
	float coefficients[27]; // the last fit, 3 rows of 9, metres
	float padToo[5];
	// What only flow needs.
	float plastic[9]; // S^p, row major: the rest shape gives way to S^p q
	float hardened; // plastic strain ever passed through, sum
	float padLast[6];
} pnCluster;
_Static_assert( sizeof( pnCluster ) % 64 == 0, "lanes load rows of four floats, and blocks of sixteen that are cache lines" );

enum { PN_LANES = 16 }; // clusters in a batch

// What a batch adds to each particle of a body: the force, sum of w (x - goal); the fourth float is unused.
enum { PN_SUM_SIZE = 4 };

// What matching knows of a body's motion, in rows of four floats, for damping: the velocity in the middle of the coming kick.
enum
{
	pn_meanRow, // mean velocity; 1 / the step the particles last moved by
	pn_reachRow, // how far a goal must be moved for the kick to make 1 m/s of it, or 0: no damping; half of the last kick's rate, 1/s; 1 if it turns; -
	pn_chordRow, // three rows: a row of the chord's matrix (whole.h), 1/s, and the coordinate of the centre that it turns about
	pn_pinRow = pn_chordRow + 3, // two rows: velocity of the pins' middle and turn of the pins in the last step, m/s and rad/s; 0 without pins
	PN_MOTION_SIZE = 4 * ( pn_pinRow + 2 ),
};

// A body as matching sees it.
typedef struct pnMatchBody
{
	const pnSolid* form; // the solid, or the one with its held particles made heavy
	const pnSolid* plain; // the solid itself
	const float* x; // particles: x y z m, m in parts of the body's mass
	pnCluster* clusters;
	const pnTuning* response;
	float motion[PN_MOTION_SIZE]; // how it has been moving, in the rows above
} pnMatchBody;

// A cluster of a batch, looked up: a cache line that points at all it needs, so that the next batch can be asked for without waiting.
typedef struct pnLane
{
	const pnMatchBody* body; // NULL: an empty lane
	const float* x;
	const pnMember* members;
	const uint32_t* memberPoint;
	const pnClusterRest* rest;
	pnCluster* state;
	int32_t cluster, count; // count: of its members, a multiple of 4
	uint32_t sumRow; // where the body's sums begin, in rows of PN_SUM_SIZE
	uint32_t warm; // particles of the body to be asked for with this lane
} pnLane;

enum { PN_WARM_ROWS = 256 }; // longer runs the hardware follows by itself

static inline pnLane pnMakeLane( const pnMatchBody* body, int cluster, uint32_t sumRow )
{
	const pnSolid* form = body->form;
	int start = form->clusterStart[cluster], rows = form->particleCount < PN_WARM_ROWS ? form->particleCount : PN_WARM_ROWS;
	return (pnLane){
		.body = body,
		.x = body->x,
		.members = form->members + start,
		.memberPoint = form->memberPoint + start,
		.rest = form->clusters + cluster,
		.state = body->clusters + cluster,
		.cluster = cluster,
		.count = form->clusterStart[cluster + 1] - start,
		.sumRow = sumRow,
		.warm = cluster % PN_LANES == 0 ? (uint32_t)rows : 0,
	};
}

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

// What particles add up to, relative to an origin and a mean velocity; m in parts of the body's mass.
typedef struct pnPointSums
{
	double moment[3], second[6]; // sum m p; sum m p p^T (xx yy zz xy yz zx); p = x - origin
	double flow[3], spin[3]; // sum m u, sum p x m u; u = v - mean
} pnPointSums;

typedef struct pnPointStep
{
	float *x, *v; // 4 floats each: x y z m; v and 1/m, 0 if it is pinned
	float* force; // the sums of matching
	int count; // a multiple of 4
	float origin[3], mean[3];
	float ahead[3]; // where the centre will be after the drift: sums after it are taken relative to this
	float step; // h
	float drag; // what a velocity adds to the deviation, so that damping takes b of it
	float before, after; // 1/s: what the two halves of the kick make of the deviation
	float more; // 1/s: what the first half would make of it beyond what it does, if the last step had been as long as this one
	float kept; // what the deviation's velocity is scaled by before a kick that damps (pnFindKeep)
	float center[3], rigid[3], turn[3]; // the body's motion as a whole, relative to origin and mean; the rest is the deviation
	float keep; // factor on the deviation of the velocity between the halves, 1 usually
	float push[3], twist[3]; // rigid part of the deviation: it must not be kicked with. And what makes up for the last step's rounding
	float gain[3]; // velocity gained from gravity and forces on the whole body
	float swing[3]; // and angular velocity about the center: of a body that turns about its pins
	float chordBefore[9], chordAfter[9]; // 1/s: what makes the drift of a stiff body a turn (whole.h), row major
	float lag[3]; // how far rounding has left the centre behind, m
	bool held; // some particles are pinned: they keep the v they have been given
	bool turns; // the chords count
} pnPointStep;

// What a step has done, and where it has left the particles.
typedef struct pnPointTotals
{
	pnPointSums sums; // after it, relative to `ahead` and the same mean
	double deviation2, kick2; // undamped: sum of m u^2, u the deviation between the halves; sum of m d^2
	double across; // damped: sum of m u v, the deviation's velocities before and after the kick, as of steps of one length
} pnPointTotals;

// What contact has made of a body as a whole, to be given to its particles (collide.c).
typedef struct pnSpread
{
	float *x, *v;
	int count;
	float step; // h
	float velocity[4], turn[4]; // gained, m/s and rad/s; particles have drifted with it
	float move[4], twist[4]; // moved besides, without velocity, m and rad
	float pivot[4]; // arms are those of x - h v from here
	float mean[4]; // velocity of the centre with all that was gained
} pnSpread;

// What pushes have made of a drift (collide.c).
typedef struct pnBend
{
	float *x, *v;
	int count;
	float step; // h
	float center[4], rest[4]; // arms are those of x - h v from their sum, which rounds off nothing
	float chord[9]; // 1/s: the velocity of an arm by which its drift is bent, row major
	float mean[4], turn[4]; // m/s, rad/s: a turn of velocities alone, about the centre as it lies now, which is step * mean farther
} pnBend;

struct pnContacts;
struct pnTasks;
typedef void pnPushApartFcn( struct pnContacts* contacts, struct pnTasks* tasks );
extern pnPushApartFcn pnPushApart, pnPushApartAvx2;
struct pnFinders;
struct pnCrowd;
extern const struct pnCrowd pn_crowd, pn_crowdAvx2;
extern const struct pnFinders pn_finders, pn_findersAvx2;

typedef struct pnKernel
{
	const char* name;
	pnMatchFcn* match;
	void ( *measure )( const pnPointStep* step, int begin, int end, pnPointSums* sums ); // particles as they are
	void ( *brace )( const pnPointStep* step, int begin, int end, double kick[6] ); // sum of the forces and of p x force
	void ( *weigh )( const pnPointStep* step, int begin, int end, double weights[2] ); // deviation2 and kick2 of the kick to come
	void ( *advance )( const pnPointStep* step, int begin, int end, pnPointTotals* totals ); // kick, drift
	void ( *advanceBare )( const pnPointStep* step, int begin, int end ); // equations 9 and 10
	void ( *spread )( const pnSpread* spread, double center[3], double spin[3], double shoved[3] ); // sums of m arm; of m arm x v; of m way x v for the way without velocity; v against the mean
	pnPushApartFcn* pushApart; // of contact, all bodies together
	const struct pnFinders* finders; // of contact
	const struct pnCrowd* crowd; // bodies' own numbers (crowd.h)
	void ( *bend )( const pnBend* bend, double momentum[3], double spin[3] ); // moves them along the chord and turns them; adds what that makes of both momenta
} pnKernel;

extern const pnKernel pn_kernelW1, pn_kernelW4, pn_kernelW8, pn_kernelW16;
// The widest the machine has, or the one PLIANT_SIMD names if the machine has it.
const pnKernel* pnChooseKernel( void );
