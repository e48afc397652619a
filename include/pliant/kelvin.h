// kelvin.h - the shape a loaded solid comes to rest in: linear elasticity from a surface or a cloud of points, without a volume
// mesh, after Chang and Zhang (2004). No time and no world; double throughout. Library pliant_kelvin, on LAPACK and BLAS.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

#include "pliant/base.h"
#include "pliant/response.h"

typedef struct pnVec3d
{
	double x, y, z;
} pnVec3d;

typedef struct pnStress
{
	double xx, yy, zz, xy, yz, zx; // Pa
} pnStress;

// A problem that is placed, assembled and factored, with its last answer.
typedef struct pnKelvin pnKelvin;

// ---- where ----

enum
{
	pn_inBox = 1,
	pn_inBall = 2,
	pn_beyondPlane = 4,
	pn_facing = 8,
	pn_inGroup = 16,
};

// A part of the surface: where all tests hold that are set. No test: the whole surface. Borders are included.
typedef struct pnRegion
{
	uint32_t tests; // pn_inBox | pn_inBall | ...
	pnVec3d lower, upper; // pn_inBox, m
	pnVec3d center; // pn_inBall, m
	double radius;
	pnVec3d planePoint, planeNormal; // pn_beyondPlane: on the side the normal points to
	pnVec3d direction; // pn_facing: the outward normal is within `angle` (radians) of this
	double angle;
	int group; // pn_inGroup: pnKelvinDef.groups has this value
} pnRegion;

// ---- what is known there ----

typedef enum pnConditionKind
{
	pn_holdCondition, // displacement along `axes`: `vector`, and beyond it the turn about `center`
	pn_rollCondition, // no displacement along the normal, no traction along the surface: rollers, planes of symmetry
	pn_tractionCondition, // `vector`, Pa
	pn_pressureCondition, // `pressure`, Pa, against the surface
	pn_forceCondition, // `vector`, N in all, spread evenly over the region
	pn_springCondition, // an elastic bed along `axes`: traction = stiffness * ( `vector` - displacement ); energy method only
} pnConditionKind;

// Displacement (m) or traction (Pa) at a place on the surface, in addition to `vector`. Called from one thread, at collocation points: what is narrower
// than half the spacing of the sources may not be seen, and no warning tells. Tractions that cancel on a slender part must be resolved all the better.
typedef pnVec3d pnFieldFcn( pnVec3d point, pnVec3d normal, void* context );

// Where nothing is said the surface is free. Loads on the same place add up. A place that is held along an axis is not loaded
// along it. Two conditions that hold a place along the same axis must agree there.
typedef struct pnCondition
{
	pnConditionKind kind;
	pnRegion region;
	uint32_t axes; // pn_holdCondition: x = 1, y = 2, z = 4
	pnVec3d vector; // m, Pa or N, as the kind says
	pnVec3d turn; // radians, a rotation vector (finite: the region moves as a rigid body)
	pnVec3d center; // m, of the turn
	double pressure; // Pa
	double stiffness; // pn_springCondition, N/m^3
	pnFieldFcn* field; // NULL: none
	void* fieldContext;
} pnCondition;
PN_API pnCondition pnDefaultCondition( void ); // the whole surface, held along all axes

typedef enum pnIndenterKind
{
	pn_ballIndenter, // `center`, `radius`
	pn_plateIndenter, // fills the half space behind `center`; its face looks along `direction`
	pn_convexIndenter, // the hull of `points`
} pnIndenterKind;

// Rigid, pressed into the surface: it pushes, never pulls, and nothing is left inside it. With friction (Coulomb) what it touches sticks to it, or slips
// where that would take more than friction times the pressure. The whole load comes in one step: it is pressed in, then dragged; nothing is let go
// again, and a place sticks from when the tool reached its place at rest.
typedef struct pnIndenter
{
	pnIndenterKind kind;
	pnVec3d center; // m
	double radius; // m
	const pnVec3d* points; // m, 4 to 128
	int pointCount;
	pnVec3d direction; // the way it is pressed; any length but 0
	double depth; // m along the direction from where it is given, if force is 0
	double force; // N along the direction, positive: it moves until it carries this
	double friction; // coefficient; 0: smooth
	pnVec3d drag; // m, across the direction: how far it is dragged when it has been pressed in
} pnIndenter;
PN_API pnIndenter pnDefaultIndenter( void );

// ---- the problem ----

typedef enum pnKelvinMethod
{
	pn_energyMethod, // the surface's energy is least: right on clamped and loaded parts
	pn_lsqMethod, // the paper's least squares by orthogonal factorisation: best for smooth fields with given displacements
	pn_lsqCgMethod, // the paper's own: conjugate gradients on the normal equations
	pn_autoMethod, // energy and least squares; the one with the smaller error estimate is kept
} pnKelvinMethod;

typedef enum pnSourcePlacement
{
	pn_adaptiveSources, // where the answer needs them: rounds of solving, until `tolerance` or sourceCount is reached
	pn_offsetSources, // evenly, on a shell around the surface
	pn_randomSources, // a random subset of the surface points, moved outward along their normals
	pn_boxSources, // on the faces of a box around the solid
	pn_sphereSources,
	pn_cylinderSources, // around the longest axis
	pn_givenSources,
} pnSourcePlacement;

// Called from the thread of the call, now and then. fraction of the work done in [0, 1], an estimate. Nonzero return: give up.
typedef int pnProgressFcn( double fraction, const char* stage, void* context );

// A piece of a material of its own: a closed triangle mesh. Pieces are glued where their surfaces lie on each other; the rest of each surface
// has the conditions of the def. Each must have edges where the glue ends.
typedef struct pnKelvinPart
{
	const pnVec3d* points; // m
	int pointCount;
	const int32_t* triangles;
	int triangleCount;
	const int32_t* groups; // one per triangle; NULL: all 0
	double youngsModulus; // Pa
	double poissonRatio;
	pnVec3d bodyForce; // N/m^3
	double thermalStrain;
} pnKelvinPart;

typedef struct pnProcesses pnProcesses;

typedef struct pnKelvinDef
{
	double youngsModulus; // Pa
	double poissonRatio; // in (-1, 0.5)
	pnVec3d bodyForce; // N/m^3 everywhere inside: density times the acceleration of gravity
	double thermalStrain; // what a free piece would grow by, relative: expansion times the rise of the temperature

	// The surface: a closed triangle mesh (points, triangles); or a cloud (points, normals): it is relaxed and its areas are
	// found, and if it has noise or no normals a closed surface is wrapped around it; or exact places to collocate at (points, normals, areas). Cavities are surfaces of their own, normals into the hollow.
	const pnVec3d* points; // m
	int pointCount;
	const int32_t* triangles; // seen from outside counterclockwise; NULL: a cloud
	int triangleCount;
	const pnVec3d* normals; // outward, any length but 0; NULL for a mesh, or a cloud of bare points
	const double* areas; // m^2; NULL: found
	const int32_t* groups; // one per triangle of a mesh, per point of a cloud; NULL: all 0

	// Or several materials: the parts, 2 to 16, instead of all above. Energy method, adaptive or offset sources (sourceCount: of all parts together), no
	// indenters, no responses. A force condition lies on one part. pnKelvin_Evaluate finds out which part a place is in.
	const pnKelvinPart* parts;
	int partCount;

	const pnCondition* conditions;
	int conditionCount;
	const pnIndenter* indenters; // energy method only
	int indenterCount;

	pnKelvinMethod method;
	pnSourcePlacement placement;
	int sourceCount; // 0: as many as the tolerance needs (adaptive) or 300; adaptive: no more than this
	const pnVec3d* sources; // pn_givenSources, m
	double sourceDistance; // offset, in spacings of the sources; box, sphere, cylinder: in half sizes of the solid; 0: as the method likes it
	double tolerance; // of the displacement, relative; adaptive placement stops at it. 0: 0.02
	int pointsPerTriangle; // 1 or 3; 0: as the method likes it
	int refineSurface; // nonzero (default): triangles are divided where sources are dense; 0: just pointsPerTriangle on each given one
	int estimateError; // nonzero (default): a second solution with half the sources is made for the error estimate
	uint64_t seed; // of pn_randomSources

	pnProgressFcn* progress; // NULL: none
	void* progressContext;
	pnTaskSystem tasks;
	const pnProcesses* processes; // that share the matrix (kelvin_mpi.h), borrowed; NULL: this one alone
	int cookie;
} pnKelvinDef;
PN_API pnKelvinDef pnDefaultKelvinDef( void );

// ---- numbers about the answer ----

enum
{
	pn_coarseQuadrature = 1, // the factorisation needed help three times or more: too few points for the sources
	pn_largeResidual = 2, // what is given is missed at points that were not used to find the answer
	pn_largeBetti = 4, // two loads do not do equal work on each other's displacements
	pn_largeReaction = 8, // held parts do not carry the load
	pn_largeError = 16, // two solutions differ by more than the tolerance
	pn_nothingHeld = 32, // free in space: the load was balanced, the mean motion is 0
	pn_nearlyIncompressible = 64, // Poisson's ratio above 0.495
	pn_slowConvergence = 128, // conjugate gradients or a contact stopped at the limit of iterations
	pn_openCloud = 256, // the areas of the cloud do not close: normals may be turned, or parts missing
	pn_thinPart = 512, // a plate, shell or beam, thinner than its sources are apart, and the error is larger than the tolerance
};

typedef struct pnKelvinInfo
{
	pnKelvinMethod method; // the one the answer is from
	uint32_t warnings; // bits above; 0: nothing speaks against the answer
	int pointCount; // places on the surface that were used
	int sourceCount;
	int unknownCount;
	int rank; // unknownCount, or less if some unknowns mean nothing
	int retryCount; // 0 healthy, 3 or more: do not trust
	int roundCount; // of adaptive placement
	int iterationCount; // of conjugate gradients or of the contact search
	double residual; // relative misfit of what is given, at the places used
	double heldOutResidual; // the same at other places
	double bettiMismatch; // relative
	double reactionMismatch; // |load + reactions| over |load|
	double errorEstimate; // relative, of the displacement (root mean square over the surface); negative: not made
	double conditionNumber; // estimate, of the scaled system
	double strainEnergy; // J
	double volumeChange; // relative
	double placeSeconds, assembleSeconds, factorSeconds, solveSeconds; // last round
	double totalSeconds; // all rounds
} pnKelvinInfo;
PN_API const char* pnKelvinWarningText( uint32_t warning ); // one bit; a sentence, lives for ever

// The dear part: places, assembles, factors, and solves once. Depends on the geometry and on what is held, not on the values.
// Positive result pn_weakAnswer: there is an answer, and info->warnings says what speaks against it. info may be NULL.
PN_API pnResult pnCreateKelvin( const pnKelvinDef* def, pnKelvin** kelvin, pnKelvinInfo* info );
PN_API void pnDestroyKelvin( pnKelvin* kelvin );

// The cheap part: other values of the same conditions (kind, region and axes as they were) and other poses of the same indenters.
// If the sources do not serve these (a tool went where they are few), adaptive ones are placed anew, which is as dear as the first time;
// others stay, and errorEstimate and the warnings say how good the answer is.
PN_API pnResult pnKelvin_Solve( pnKelvin* kelvin, const pnCondition* conditions, const pnIndenter* indenters, pnKelvinInfo* info );

// ---- reading the answer ----

// Anywhere in the solid or on its surface. Outputs may be NULL. Uses the tasks of the def; one call at a time.
PN_API void pnKelvin_Evaluate( const pnKelvin* kelvin, const pnVec3d* points, int count, pnVec3d* displacements, pnStress* stresses );
PN_API double pnVonMises( const pnStress* stress ); // Pa
PN_API pnVec3d pnTraction( const pnStress* stress, pnVec3d normal ); // Pa

// Displacements of a closed mesh's vertices with rotations taken as finite ones: what turns far does not swell. Strains and angles are those of the
// linear answer, so loads act as on the solid at rest; where that changes much (a beam that bends away from under its load) it is still no theory of large
// deformation. Vertices that are held stay. Points may be inside as well if triangles connect them.
PN_API pnResult pnKelvin_Rotate( const pnKelvin* kelvin, const pnVec3d* points, int pointCount, const int32_t* triangles, int triangleCount, pnVec3d* displacements );

// What acts on a region from outside: force (N) and torque (N m) about a point. Given loads, reactions and indenters.
PN_API void pnKelvin_GetForce( const pnKelvin* kelvin, const pnRegion* region, pnVec3d about, pnVec3d* force, pnVec3d* torque );
// What an indenter pushes with (N), how far it was pressed (m) and over what area (m^2). Outputs may be NULL.
PN_API void pnKelvin_GetIndenter( const pnKelvin* kelvin, int indenter, pnVec3d* force, double* depth, double* area );

// The places on the surface where the answer was found. Arrays live until the next solve; displacement and traction as the
// answer has them there, where something is given as it is given.
typedef struct pnKelvinPoint
{
	pnVec3d point, normal; // m
	double area; // m^2
	double spacing; // m between sources near here
	uint32_t heldAxes; // x = 1, y = 2, z = 4; 8: along the normal
	pnVec3d displacement; // m
	pnVec3d traction; // Pa, from outside
} pnKelvinPoint;
PN_API const pnKelvinPoint* pnKelvin_GetPoints( const pnKelvin* kelvin, int* count );
PN_API const pnVec3d* pnKelvin_GetSources( const pnKelvin* kelvin, int* count ); // m

// ---- real time ----

// A handle: the part of the surface within radius of a point, weighted smoothly towards its rim.
typedef struct pnHandle
{
	pnVec3d center; // m
	double radius; // m; at least one collocation point must be in reach
} pnHandle;
// The answer to any motion of these handles, at these vertices (m). The conditions' values as they are now are the state with
// no force on the handles. Energy method only: there the compliance is symmetric and positive, and a hand never gains energy.
PN_API pnResult pnKelvin_CreateResponse( pnKelvin* kelvin, const pnHandle* handles, int handleCount, const pnVec3d* vertices, int vertexCount,
										 const int32_t* triangles, int triangleCount, pnResponse** response );
