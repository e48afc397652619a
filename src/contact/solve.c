// solve.c - everything that is near is pushed apart: contacts are made ready once, solved on velocities from what they were pushed with in the last
// substep, then places follow, and what was deep before is shoved out little by little. Pair after pair in one fixed order: pairs by colour, so
// that workers may share a colour, and shapes last. Knows colliders and shapes; no world.
#include "contact.h"

#include "../base/trig.h"
#include "deep.h"
#include "edges.h"
#include "field.h"
#include "ground.h"
#include "lips.h"
#include "rebound.h"
#include "split.h"

static pnSides pnGroundSides( const pnContacts* c, const pnPair* pair )
{
	return (pnSides){ .of = c->colliders.at + pair->b, .perMassOf = pair->perMassB, .friction = pair->friction }; // nothing hardens: shapes do not give way, and pressed between two of them a body must
}

// Depth that is left in peace, so that what rests does not tremble: a part of what two keep free between them. Of pieces that keep nothing free it would be depth in each other.
static const float pn_slop = 0.1f; // of the thickness
static const float pn_slopOfSize = 0.002f; // of the smaller body, if that is more than they keep free

static float pnSlopOf( const pnSides* s, const pnPair* pair )
{
	if ( s->at == NULL )
	{
		return pn_slop * s->of->thickness;
	}
	float size = s->at->surface->size < s->of->surface->size ? s->at->surface->size : s->of->surface->size;
	float slop = pn_slop * ( s->of->thickness + s->at->thickness ), most = pn_slopOfSize * size > pair->thick ? pn_slopOfSize * size : pair->thick;
	return slop < most ? slop : most;
}

// ---- ready ----

// What was looked at without having moved would be seen as it was: at a fold that stays one, in every substep.
static const float pn_doubtWay = 0.01f; // of the smaller body: how far a pair moves before a doubtful place has it looked at again

enum { PN_LOOK_BACK = 4 }; // triangles to walk over, at most

// A place that the drift has led under the surface is seen from where it came from: below, another side may be nearer.
static void pnLookBack( pnSpot* spot, const pnSurface* s, const float* x, pnF4 place, int triangle, pnF4 drift )
{
	pnSpot before = pnFindSpot( s, x, place - drift, triangle, PN_LOOK_BACK );
	if ( before.distance > spot->distance )
	{
		before.distance += pnDot4( before.normal, drift );
		*spot = before;
	}
}

// A row, of which the point is known: where it meets three particles.
static void pnBeginRow( const pnContacts* c, pnRow* row, int candidate, const float weights[3], const int32_t* corners )
{
	row->candidate = candidate;
	row->partCount = 3;
	memcpy( row->at + 2, corners, 3 * sizeof( int32_t ) );
	memcpy( row->weights + 2, weights, 3 * sizeof( float ) );
	row->outward = 0;
	pnF4 push = pnLoad4( c->candidates.at[candidate].push ) * pnSplat4( c->step / c->lastStep );
	memcpy( row->push, &push, 16 );
}

// Where a push acts on a surface: both momenta are exact only there.
static pnF4 pnFootOf( const float* x, const int32_t* corners, const float weights[3] )
{
	return pnRow4( x, corners[0] ) * pnSplat4( weights[0] ) + pnRow4( x, corners[1] ) * pnSplat4( weights[1] ) + pnRow4( x, corners[2] ) * pnSplat4( weights[2] );
}

// One side of a pair while its rows are made ready: points of one body at the surface of the other.
typedef struct pnReadying
{
	pnPair* pair;
	pnSides sides;
	int side;
	pnF4 drift; // of the one against the other in this substep
	float way, loose, doubt; // metres: its length; what counts as nothing; how far the pair moves before it is looked at again
	float still, near, margin; // metres: how far off rows begin where nothing moves; at most, as both move; and where those end that push
} pnReadying;

// What is farther off when it has drifted would have to be turned around by the pushes of this substep to touch in it: they change velocities by about as much as what
// moves here brings with it, or by what gravity makes of those that rest.
static const float pn_leastNear = 0.1f; // of the margin
static const float pn_turnedAround = 2.0f; // ways of the drift
static const float pn_nearFall = 4.0f; // ways by which gravity makes a drift longer

static void pnBeginSide( const pnContacts* c, pnPair* pair, int side, pnReadying* r )
{
	r->pair = pair, r->side = side, r->sides = pnSidesOf( c, pair, side );
	const pnCollider *of = r->sides.of, *at = r->sides.at;
	float size = at->surface->size < of->surface->size ? at->surface->size : of->surface->size, wander = ( of->awake ? of->wanderStep : 0.0f ) + ( at->awake ? at->wanderStep : 0.0f );
	r->drift = pnDriftOf( of, at, c->step );
	r->way = __builtin_sqrtf( pnDot4( r->drift, r->drift ) ), r->loose = pn_touchingPart * at->surface->size, r->doubt = pn_doubtWay * size;
	r->margin = PN_CONTACT_MARGIN * ( at->thickness + of->thickness );
	r->still = pn_leastNear * r->margin + pn_nearFall * c->gravity * c->step * c->step;
	float near = r->still + pn_turnedAround * ( r->way + wander );
	r->near = near < r->margin ? near : r->margin;
}

// Whether a candidate whose spot was found is near enough for a row. found: normal and gap.
static bool pnIsNear( const pnReadying* r, pnCandidate* candidate, pnSpot* spot, pnFinding* found )
{
	pnPair* pair = r->pair;
	const pnSurface* s = r->sides.at->surface;
	float motion = pair->motion;
	candidate->triangle = spot->triangle;
	if ( s->closed && spot->distance < 0.0f )
	{
		// How far outside it was when it was looked at, and so how deep it can be now at most. What is deeper is seen from another side of the body, or at a
		// fold whose faces do not tell the sides.
		float seen = candidate->key + pair->thick;
		bool wasFar = candidate->key >= r->margin, strays = wasFar ? motion < seen : r->sides.of != r->sides.at && seen >= -r->loose && spot->distance < seen - motion - r->way - r->loose;
		strays |= candidate->side > 0.0f;
		if ( strays || wasFar )
		{
			pair->slack = pair->slack < r->doubt ? pair->slack : r->doubt; // look again, soon
			if ( strays )
			{
				return false;
			}
		}
	}
	if ( !s->closed && spot->facing != 0.0f )
	{
		candidate->side = candidate->side == 0.0f ? spot->facing : candidate->side;
		float turn = candidate->side * spot->facing; // it has come through: its own side is behind
		spot->normal *= pnSplat4( turn );
		spot->distance *= turn;
	}
	found->normal = spot->normal;
	found->gap = spot->distance - pair->thick;
	if ( found->gap >= ( candidate->push[3] > 0.0f ? r->margin : r->near ) )
	{
		candidate->key = motion + found->gap;
		memset( candidate->push, 0, sizeof candidate->push );
		return false;
	}
	return true;
}

// Candidates of any pairs that are made ready side by side; their rows come to their pairs in order.
enum { PN_BLOCK_SIDES = 8 }; // more than lanes, so that none is written over that is still in one
typedef struct pnReadyBlock
{
	pnReadying sides[PN_BLOCK_SIDES];
	int sideCount; // so far; the last ones are there
	const pnReadying* lanes[4];
	int32_t candidates[4];
	int count;
} pnReadyBlock;

// A candidate that is under its triangle or beside it, or at an open surface. True: it may touch, and found and the row's triangle are there.
static __attribute__( ( noinline ) ) bool pnSeeSlowly( pnContacts* c, const pnReadying* r, int32_t index, pnRow* row, pnFinding* found )
{
	const pnSurface* s = r->sides.at->surface;
	const float* x = r->sides.at->x;
	pnCandidate* candidate = c->candidates.at + index;
	pnSpot spot = pnFindSpot( s, x, found->place, candidate->triangle, 1 );
	if ( spot.distance < 0.0f && s->closed && r->way > r->loose ) // what has hardly moved is where it was
	{
		pnLookBack( &spot, s, x, found->place, candidate->triangle, r->drift );
	}
	if ( !pnIsNear( r, candidate, &spot, found ) )
	{
		return false;
	}
	const int32_t* t = s->triangles + 3 * (size_t)spot.triangle;
	pnBeginRow( c, row, index, spot.weights, t );
	found->foot = pnFootOf( x, t, spot.weights );
	return true;
}

// Where the points of candidates are. Who is outside and above the triangle it was at, nearly all of them, is seen side by side. Bits: of those that may touch.
static int pnSeeBlock( pnContacts* c, const pnReadyBlock* block, pnRow scratch[4], pnFinding found[4] )
{
	const float *points[2][4], *corners[3][4];
	const int32_t* triangles[4];
	pnCandidate* candidates[4];
	pnF4 zero = pnSplat4( 0.0f ), thick, limit, closed;
	bool samples = false;
	for ( int lane = 0; lane < 4; ++lane )
	{
		const pnReadying* r = block->lanes[lane];
		const float *ofX = r->sides.of->x, *atX = r->sides.at->x;
		const pnSurface* s = r->sides.at->surface;
		pnCandidate* candidate = candidates[lane] = c->candidates.at + block->candidates[lane];
		const int32_t* t = triangles[lane] = s->triangles + 3 * (size_t)candidate->triangle;
		pnRow* row = scratch + lane;
		row->pointCount = 1;
		row->at[0] = row->at[1] = candidate->point;
		row->weights[0] = 1.0f, row->weights[1] = 0.0f;
		if ( candidate->point < 0 )
		{
			row->pointCount = 2;
			pnPointParts( r->sides.of->surface, candidate->point, row->at, row->weights );
			samples = true;
		}
		points[0][lane] = ofX + 4 * (size_t)row->at[0], points[1][lane] = ofX + 4 * (size_t)row->at[1];
		corners[0][lane] = atX + 4 * (size_t)t[0], corners[1][lane] = atX + 4 * (size_t)t[1], corners[2][lane] = atX + 4 * (size_t)t[2];
		thick[lane] = r->pair->thick, limit[lane] = candidate->push[3] > 0.0f ? r->margin : r->near, closed[lane] = s->closed ? 1.0f : 0.0f;
	}
	pnFour3 place = pnLoad43( points[0] );
	if ( samples )
	{
		pnF4 first = { scratch[0].weights[0], scratch[1].weights[0], scratch[2].weights[0], scratch[3].weights[0] };
		pnF4 second = { scratch[0].weights[1], scratch[1].weights[1], scratch[2].weights[1], scratch[3].weights[1] };
		place = pnAdd43( pnMul43( place, first ), pnMul43( pnLoad43( points[1] ), second ) );
	}
	pnSpots spots = pnSeeSpots( place, corners );
	pnF4 gap = spots.distance - thick, places[4], normals[4], feet[4], weights[4] = { spots.weights[0], spots.weights[1], spots.weights[2], zero };
	pnRows43( place, zero, places );
	pnRows43( spots.normal, zero, normals );
	pnRows43( spots.foot, zero, feet );
	pnTranspose4( weights );
	int plain = spots.inside & pnMask4( ( spots.distance >= zero ) & ( closed > zero ) ), far = plain & pnMask4( gap >= limit ), near = plain & ~far;
	for ( int lane = 0; lane < block->count; ++lane )
	{
		pnFinding* f = found + lane;
		f->place = places[lane];
		if ( ( near >> lane & 1 ) != 0 )
		{
			f->normal = normals[lane], f->foot = feet[lane], f->gap = gap[lane];
			pnBeginRow( c, scratch + lane, block->candidates[lane], (const float*)( weights + lane ), triangles[lane] );
		}
		else if ( ( far >> lane & 1 ) != 0 )
		{
			candidates[lane]->key = block->lanes[lane]->pair->motion + gap[lane];
			memset( candidates[lane]->push, 0, sizeof candidates[lane]->push );
		}
		else
		{
			near |= pnSeeSlowly( c, block->lanes[lane], block->candidates[lane], scratch + lane, f ) ? 1 << lane : 0;
		}
	}
	return near & ( ( 1 << block->count ) - 1 );
}

static void pnReadyLanes( pnContacts* c, pnReadyBlock* block )
{
	pnRow scratch[4], *rows[4];
	pnFinding found[4];
	const pnFinding* told[4];
	const pnSides* sides[4];
	if ( block->count == 0 )
	{
		return;
	}
	for ( int lane = 0; lane < 4; ++lane )
	{
		int at = lane < block->count ? lane : 0;
		block->lanes[lane] = block->lanes[at], block->candidates[lane] = block->candidates[at];
	}
	int near = pnSeeBlock( c, block, scratch, found ), any = near != 0 ? __builtin_ctz( (unsigned)near ) : 0;
	if ( near != 0 )
	{
		for ( int lane = 0; lane < 4; ++lane ) // what is far stands in for nobody
		{
			int at = ( near >> lane & 1 ) != 0 ? lane : any;
			rows[lane] = scratch + at, told[lane] = found + at, sides[lane] = &block->lanes[at]->sides;
		}
		pnReadyRows( rows, sides, told, c->step );
	}
	for ( int left = near; left != 0; left &= left - 1 )
	{
		int lane = __builtin_ctz( (unsigned)left );
		const pnReadying* r = block->lanes[lane];
		const pnRow* ready = scratch + lane;
		float closing = ready->ground[3] < 0.0f ? -ready->ground[3] : ready->ground[3], gap = -ready->place[3];
		if ( !( ready->push[3] > 0.0f ) && gap > r->still + pn_turnedAround * c->step * closing )
		{
			pnCandidate* candidate = c->candidates.at + block->candidates[lane];
			memset( candidate->push, 0, sizeof candidate->push );
			continue;
		}
		pnRow* row = c->rows.at + r->pair->rowEnd++;
		*row = *ready;
		r->pair->rowMiddle = r->side == 0 ? r->pair->rowEnd : r->pair->rowMiddle;
		pnWeighSoon( row, &r->sides );
	}
	block->count = 0;
}

// Candidates: points of one body at the surface of the other.
static void pnReadySide( pnContacts* c, pnPair* pair, int side, pnReadyBlock* block )
{
	int first = side == 0 ? pair->first : pair->middle, end = side == 0 ? pair->middle : pair->first + pair->count;
	if ( first == end )
	{
		return;
	}
	pnReadying* r = block->sides + block->sideCount % PN_BLOCK_SIDES;
	bool any = false;
	float most = pair->motion + PN_CONTACT_MARGIN * ( c->colliders.at[pair->a].thickness + c->colliders.at[pair->b].thickness );
	while ( first < end && most < c->candidates.at[first].key )
	{
		first += 1;
	}
	if ( first == end )
	{
		return;
	}
	pnBeginSide( c, pair, side, r );
	for ( int i = first; i < end; ++i )
	{
		if ( pair->motion + r->near < c->candidates.at[i].key )
		{
			continue;
		}
		any = true;
		block->lanes[block->count] = r, block->candidates[block->count++] = i;
		if ( block->count == 4 )
		{
			pnReadyLanes( c, block );
		}
	}
	block->sideCount += any;
}

// Particles at slits, against the lip across. They lie against each other at rest and keep nothing free.
static void pnReadyLips( pnContacts* c, pnPair* pair )
{
	pnSides sides = pnSidesOf( c, pair, 1 );
	const pnSurface* s = sides.at->surface;
	float margin = PN_CONTACT_MARGIN * 2.0f * sides.at->thickness;
	for ( int i = pair->middle; i < pair->first + pair->count; ++i )
	{
		pnCandidate* candidate = c->candidates.at + i;
		const pnLip* lip = s->lips + candidate->triangle;
		pnSpot spot;
		if ( pair->motion + margin < candidate->key )
		{
			continue;
		}
		bool faces = pnSeeLip( lip, sides.at->x, &spot );
		if ( !faces || spot.distance >= margin )
		{
			candidate->key = faces ? pair->motion + spot.distance : candidate->key;
			memset( candidate->push, 0, sizeof candidate->push );
			continue;
		}
		pnRow* row = c->rows.at + pair->rowEnd++;
		pnBeginRow( c, row, i, spot.weights, lip->corners );
		pnFinding found = { .place = pnRow4( sides.of->x, lip->particle ), .foot = pnFootOf( sides.at->x, lip->corners, spot.weights ), .normal = spot.normal, .ground = pnSplat4( 0.0f ), .gap = spot.distance };
		row->pointCount = 1;
		pnPointParts( s, lip->particle, row->at, row->weights );
		pnReadyRow( row, &sides, &found, c->step );
	}
}

// Candidates: edges of a at edges of b. Those that have come from outside are pushed apart where they cross.
static void pnReadyEdges( pnContacts* c, pnPair* pair )
{
	pnSides sides = pnSidesOf( c, pair, 1 );
	const pnCollider *a = sides.of, *b = sides.at;
	float motion = pair->motion, thick = pair->thick, margin = PN_CONTACT_MARGIN * ( a->thickness + b->thickness ), slop = pnSlopOf( &sides, pair );
	for ( int i = pair->first + pair->count; i < pair->first + pair->count + pair->edgeCount; ++i )
	{
		pnCandidate* candidate = c->candidates.at + i;
		if ( motion + margin < candidate->key )
		{
			continue;
		}
		pnEdgeMeeting meeting;
		bool cross = pnCrossEdges( a, candidate->point, b, candidate->triangle, &meeting );
		candidate->side = cross ? pnSideOfEdges( &meeting, meeting.gap, candidate->side ) : 0.0f;
		if ( !cross || meeting.gap - thick >= margin || candidate->side == 0.0f )
		{
			float wait = meeting.wait > slop ? meeting.wait : slop; // what comes meanwhile is not deeper than what is left in peace
			candidate->key = motion + ( !cross ? wait + margin : candidate->side == 0.0f ? margin - meeting.gap - meeting.trusted : meeting.gap - thick );
			memset( candidate->push, 0, sizeof candidate->push );
			continue;
		}
		const pnEdge *ofA = a->surface->edges + candidate->point, *ofB = b->surface->edges + candidate->triangle;
		int32_t corners[3] = { ofB->ends[0], ofB->ends[1], ofB->tips[0] };
		float weights[3] = { 1.0f - meeting.partB, meeting.partB, 0.0f };
		pnRow* row = c->rows.at + pair->rowEnd++;
		pnBeginRow( c, row, i, weights, corners );
		row->pointCount = 2;
		row->at[0] = ofA->ends[0], row->at[1] = ofA->ends[1];
		row->weights[0] = 1.0f - meeting.partA, row->weights[1] = meeting.partA;
		pnFinding found = { .foot = pnFootOf( b->x, corners, weights ), .normal = meeting.normal, .ground = pnSplat4( 0.0f ), .gap = meeting.gap - thick };
		found.place = pnRow4( a->x, row->at[0] ) * pnSplat4( row->weights[0] ) + pnRow4( a->x, row->at[1] ) * pnSplat4( row->weights[1] );
		pnReadyRow( row, &sides, &found, c->step );
	}
}

// What a paper's detector has found: no thickness, depth along one direction, and no memory of the last substep.
static void pnReadyFound( pnContacts* c, pnPair* pair, int side )
{
	pnSides sides = pnSidesOf( c, pair, side );
	int from = side == 0 ? 0 : pair->foundMiddle, to = side == 0 ? pair->foundMiddle : pair->foundCount;
	for ( int i = from; i < to; ++i )
	{
		const pnFound* f = c->found.at + pair->stored + i;
		pnRow* row = c->rows.at + pair->rowEnd++;
		*row = (pnRow){ .at = { f->point }, .weights = { 1.0f }, .candidate = -1, .pointCount = 1, .partCount = 4 };
		memcpy( row->at + 2, f->parts, sizeof f->parts );
		memcpy( row->weights + 2, f->weights, sizeof f->weights );
		pnFinding found = { .place = pnRow4( sides.of->x, f->point ), .foot = pnSplat4( 0.0f ), .ground = pnSplat4( 0.0f ), .gap = -f->depth };
		found.normal = (pnF4){ f->normal[0], f->normal[1], f->normal[2], 0.0f };
		for ( int k = 0; k < 4; ++k )
		{
			found.foot += pnRow4( sides.at->x, f->parts[k] ) * pnSplat4( f->weights[k] );
		}
		pnReadyRow( row, &sides, &found, c->step );
	}
}

static void pnFindShoves( const pnContacts* c, pnPair* pair, const pnSides* sides )
{
	float slop = pnSlopOf( sides, pair );
	pair->shoves = false;
	for ( int i = pair->rowFirst; i < pair->rowEnd && !pair->shoves; ++i )
	{
		pair->shoves = -c->rows.at[i].normal[3] > slop;
	}
}

// Rows of a pair whose candidates need more than its surfaces: those of a body in itself, what papers' detectors have found, and edges. A side's rows are together.
static bool pnIsPlain( const pnPair* pair ) { return pair->a != pair->b && pair->stored < 0 && pair->edgeCount == 0; }

static void pnReadyPair( pnContacts* c, pnPair* pair, pnReadyBlock* block )
{
	for ( int side = 0; side < 2; ++side )
	{
		if ( side == 1 && pair->a == pair->b )
		{
			pnReadyLips( c, pair );
			continue;
		}
		pnReadySide( c, pair, side, block );
		if ( !pnIsPlain( pair ) )
		{
			pnReadyLanes( c, block );
			if ( pair->stored >= 0 )
			{
				pnReadyFound( c, pair, side );
				pair->rowMiddle = side == 0 ? pair->rowEnd : pair->rowMiddle;
			}
		}
	}
	pnReadyEdges( c, pair );
}

// What the two get as wholes of the pushes they begin with.
static void pnFindPassed( const pnContacts* c, pnPair* pair, bool ground )
{
	pair->passedA = pair->passedB = 0.0f;
	for ( int i = pair->rowFirst; i < pair->rowEnd; ++i )
	{
		const pnRow* row = c->rows.at + i;
		bool ofB = ground || i < pair->rowMiddle;
		if ( row->push[3] > 0.0f )
		{
			pair->passedA += row->push[3] * ( 1.0f - ( ofB ? row->localAt : row->localOf ) ); // of a shape nobody asks
			pair->passedB += row->push[3] * ( 1.0f - ( ofB ? row->localOf : row->localAt ) );
		}
	}
}

static void pnReadyPairs( int begin, int end, int worker, void* context )
{
	pnContacts* c = context;
	pnReadyBlock block = { .count = 0 };
	for ( int i = begin; i < end; ++i )
	{
		pnPair* pair = c->pairs.at + i;
		const pnCollider *a = c->colliders.at + pair->a, *b = c->colliders.at + pair->b;
		pair->rowMiddle = pair->rowEnd = pair->rowFirst;
		pair->shoves = false;
		if ( a->awake || b->awake )
		{
			pair->perMassA = a->awake ? 1.0f / a->mass : 0.0f, pair->perMassB = b->awake ? 1.0f / b->mass : 0.0f;
			pair->friction = __builtin_sqrtf( a->friction * b->friction );
			pnReadyPair( c, pair, &block );
		}
	}
	pnReadyLanes( c, &block );
	for ( int i = begin; i < end; ++i )
	{
		pnPair* pair = c->pairs.at + i;
		if ( pair->rowEnd > pair->rowFirst || pair->deep )
		{
			pnReadyDeep( c, pair, c->workers + worker );
			pnSides sides = pnSidesOf( c, pair, 0 );
			pnFindShoves( c, pair, &sides );
			pnFindPassed( c, pair, false );
		}
	}
}

// ---- warm, sweep and close, shove: each over all rows of a pair, side by side ----

typedef enum pnStage { pn_warmStage, pn_sweepStage, pn_lastStage, pn_shoveStage } pnStage; // last: the last sweep, and places follow

// How easily a body turns, 1/(kg m^2).
static float pnTurnsBy( const pnCollider* c, float perMass ) { return perMass * ( c->perInertia[0][0] + c->perInertia[1][1] + c->perInertia[2][2] ); }

// The contacts of one side are done: what they came to goes to the bodies and the pair. toA: +1 if `of` is the pair's a, else -1. The spin that is taken out of the two
// again changes the turn of both alike, so that it goes by inertia: half of it each would set a light one spinning that is held between heavy ones.
static void pnBookSide( const pnPushSums* sums, pnPair* pair, const pnSides* s, float toA, pnStage stage )
{
	pnCollider *of = s->of, *at = s->at;
	float turnsOf = pnTurnsBy( of, s->perMassOf ), turnsAt = at != NULL ? pnTurnsBy( at, s->perMassAt ) : 0.0f, both = turnsOf + turnsAt;
	float shareOf = both > 0.0f ? turnsAt / both : 0.0f, shareAt = both > 0.0f ? turnsOf / both : 0.0f;
	for ( int k = 0; k < 3; ++k )
	{
		of->gain[k] += (double)( sums->momentum[k] * s->perMassOf );
		of->shove[k] += (double)( sums->shifted[k] * s->perMassOf );
		of->spun[k] += at != NULL ? (double)( shareOf * sums->spin[k] * s->perMassOf ) : 0.0;
		if ( at != NULL )
		{
			at->gain[k] -= (double)( sums->momentum[k] * s->perMassAt );
			at->shove[k] -= (double)( sums->shifted[k] * s->perMassAt );
			at->spun[k] += (double)( shareAt * sums->spin[k] * s->perMassAt );
		}
		pair->impulse[k] += toA * sums->momentum[k];
		pair->torque[k] += sums->torque[k];
		pair->position[k] += sums->places[k];
		pair->normal[k] += toA * sums->normals[k];
	}
	of->touched = true;
	if ( at != NULL )
	{
		at->touched = true;
	}
	if ( stage == pn_lastStage )
	{
		pair->weight += sums->places[3];
		pair->depth = sums->deepest > pair->depth ? sums->deepest : pair->depth;
		pair->speed = !pair->touched && sums->fastest > pair->speed ? sums->fastest : pair->speed;
	}
}

// Rows of one side, one after another. at: NULL against a shape, `of` itself where a body meets itself.
typedef struct pnRun
{
	pnRow *first, *end;
	const pnSides* sides;
	pnCandidate* candidates;
	float h;
} pnRun;

PN_INLINE_CONTACT void pnWarmRun( const pnRun* run, pnSolved* of, pnSolved* at, pnPatch* patch, bool patchOfB )
{
	for ( pnRow* row = run->first; row < run->end; ++row )
	{
		PN_BY_KIND( row, pnWarmRow( row, points, parts, of, at ) );
		pnAddToPatch( patch, row, run->sides, patchOfB );
	}
}

PN_INLINE_CONTACT void pnSweepRun( const pnRun* run, pnSolved* of, pnSolved* at )
{
	float perH = 1.0f / run->h;
	for ( pnRow* row = run->first; row < run->end; ++row )
	{
		PN_BY_KIND( row, pnSweepRow( row, points, parts, run->sides, of, at, perH ) );
	}
}

PN_INLINE_CONTACT void pnCloseRun( const pnRun* run, pnSolved* of, pnSolved* at, pnPushSums* sums )
{
	float perH = 1.0f / run->h;
	for ( pnRow* row = run->first; row < run->end; ++row )
	{
		PN_BY_KIND( row, pnSweepRow( row, points, parts, run->sides, of, at, perH ); pnCloseRow( row, points, parts, run->sides, run->h, sums ) );
		if ( row->candidate >= 0 )
		{
			memcpy( run->candidates[row->candidate].push, row->push, sizeof row->push );
		}
	}
}

PN_INLINE_CONTACT void pnSolveRun( const pnRun* run, pnStage stage, pnSolved* of, pnSolved* at, pnPatch* patch, bool patchOfB, pnPushSums* sums )
{
	if ( stage == pn_warmStage )
	{
		pnWarmRun( run, of, at, patch, patchOfB );
	}
	else if ( stage == pn_sweepStage )
	{
		pnSweepRun( run, of, at );
	}
	else
	{
		pnCloseRun( run, of, at, sums );
	}
}

static void pnDoRows( pnContacts* c, pnPair* pair, const pnSides* sides, int first, int end, float toA, pnF4 origin, pnStage stage, pnPatch* patch )
{
	pnCollider *ofBody = sides->of, *atBody = sides->at;
	pnPushSums sums;
	if ( first == end )
	{
		return;
	}
	memset( &sums, 0, sizeof sums );
	if ( stage == pn_shoveStage )
	{
		float size = atBody != NULL && atBody->surface->size < ofBody->surface->size ? atBody->surface->size : ofBody->surface->size, slop = pnSlopOf( sides, pair );
		for ( int i = first; i < end; ++i )
		{
			pnShoveRow( c->rows.at + i, sides, slop, c->recovered, size * c->step, &sums );
		}
		if ( pnDot4( sums.shifted, sums.shifted ) > 0.0f )
		{
			pnBookSide( &sums, pair, sides, toA, stage );
		}
		return;
	}
	pnRun run = { c->rows.at + first, c->rows.at + end, sides, c->candidates.at, c->step };
	pnSolved of = pnBeginSolved( ofBody, sides->perMassOf );
	bool patchOfB = ofBody == c->colliders.at + pair->b;
	if ( atBody == NULL )
	{
		pnSolveRun( &run, stage, &of, NULL, patch, patchOfB, &sums );
	}
	else if ( atBody == ofBody )
	{
		pnSolveRun( &run, stage, &of, &of, patch, patchOfB, &sums );
	}
	else
	{
		pnSolved at = pnBeginSolved( atBody, sides->perMassAt );
		pnSolveRun( &run, stage, &of, &at, patch, patchOfB, &sums );
		pnEndSolved( &at, atBody );
	}
	pnEndSolved( &of, ofBody );
	if ( stage == pn_lastStage )
	{
		sums.torque -= pnCross4( origin, sums.momentum );
		if ( sums.places[3] > 0.0f || pnDot4( sums.momentum, sums.momentum ) > 0.0f )
		{
			pnBookSide( &sums, pair, sides, toA, stage );
		}
	}
}

// The dashpot of a pair: begun once it is warm, closed after the last sweep.
static void pnDoDashpot( pnContacts* c, pnPair* pair, const pnSides* s, const pnPatch* patch, float toA, pnF4 origin, pnStage stage )
{
	if ( stage == pn_warmStage )
	{
		pnDampPair( pair, patch, s, c->step );
		return;
	}
	if ( stage == pn_shoveStage || ( pair->dashpot[3] == 0.0f && pair->dashTurn[3] == 0.0f ) )
	{
		return;
	}
	float pushed = 0.0f;
	for ( int i = pair->rowFirst; i < pair->rowEnd; ++i )
	{
		pushed += c->rows.at[i].push[3];
	}
	pnTrimDashpot( pair, s, pushed );
	if ( stage == pn_lastStage )
	{
		pnPushSums sums;
		memset( &sums, 0, sizeof sums );
		pnCloseDashpot( pair, s, origin, &sums );
		pnBookSide( &sums, pair, s, toA, stage );
	}
}

static void pnDoPair( pnContacts* c, pnPair* pair, pnStage stage )
{
	if ( pair->rowEnd == pair->rowFirst || ( stage == pn_shoveStage && !pair->shoves ) )
	{
		return;
	}
	pnPatch patch = pnNoPatch();
	for ( int side = 0; side < 2; ++side )
	{
		pnSides sides = pnSidesOf( c, pair, side );
		int first = side == 0 ? pair->rowFirst : pair->rowMiddle, end = side == 0 ? pair->rowMiddle : pair->rowEnd;
		pnDoRows( c, pair, &sides, first, end, side == 0 ? -1.0f : 1.0f, pnSplat4( 0.0f ), stage, &patch );
	}
	if ( pair->a != pair->b )
	{
		pnSides sides = pnSidesOf( c, pair, 0 );
		pnDoDashpot( c, pair, &sides, &patch, -1.0f, pnSplat4( 0.0f ), stage );
	}
}

typedef struct pnColorTask { pnContacts* contacts; int first, sweep; pnStage stage; } pnColorTask; // sweep: those that want fewer are passed by

static void pnDoGroups( int begin, int end, int worker, void* context )
{
	pnColorTask* task = context;
	pnContacts* c = task->contacts;
	PN_UNUSED( worker );
	for ( int group = task->first + begin; group < task->first + end; ++group )
	{
		for ( int i = c->groupStarts.at[group]; i < c->groupStarts.at[group + 1]; ++i )
		{
			pnPair* pair = c->pairs.at + c->order.at[i];
			if ( task->sweep < pair->sweeps )
			{
				pnDoPair( c, pair, task->stage );
			}
		}
	}
}

static void pnDoGrounds( int begin, int end, int worker, void* context )
{
	pnColorTask* task = context;
	pnContacts* c = task->contacts;
	PN_UNUSED( worker );
	for ( int body = begin; body < end; ++body )
	{
		for ( int i = c->groundStarts.at[body]; i < c->groundStarts.at[body + 1]; ++i )
		{
			pnPair* pair = c->grounds.at + i;
			if ( task->sweep >= pair->sweeps || ( task->stage == pn_shoveStage && !pair->shoves && !c->colliders.at[pair->b].shoved ) )
			{
				continue;
			}
			pnVec3 at = c->shapes.at[pair->a].transform.p;
			pnSides sides = pnGroundSides( c, pair );
			pnPatch patch = pnNoPatch();
			pnF4 origin = { at.x, at.y, at.z, 0.0f };
			pnDoRows( c, pair, &sides, pair->rowFirst, pair->rowEnd, 1.0f, origin, task->stage, &patch );
			pnDoDashpot( c, pair, &sides, &patch, 1.0f, origin, task->stage );
		}
	}
}

static void pnReadyGrounds( int begin, int end, int worker, void* context )
{
	pnContacts* c = context;
	PN_UNUSED( worker );
	for ( int i = begin; i < end; ++i )
	{
		pnPair* pair = c->grounds.at + i;
		const pnCollider* body = c->colliders.at + pair->b;
		pair->rowEnd = pair->rowFirst;
		pair->perMassB = 1.0f / body->mass;
		pair->friction = __builtin_sqrtf( c->shapes.at[pair->a].friction * body->friction );
		if ( body->awake )
		{
			pnSides sides = pnGroundSides( c, pair );
			pnReadyGround( c, pair, &sides );
			pnFindShoves( c, pair, &sides );
			pnFindPassed( c, pair, true );
		}
	}
}

static void pnDoAll( pnContacts* c, pnTasks* tasks, pnStage stage, int sweep )
{
	for ( int color = 0; color < c->colorCount; ++color )
	{
		pnColorTask task = { c, c->colorStart[color], sweep, stage };
		pnParallelFor( tasks, pnDoGroups, c->colorStart[color + 1] - c->colorStart[color], 1, &task );
	}
	pnColorTask task = { c, 0, sweep, stage };
	pnParallelFor( tasks, pnDoGrounds, c->groundStarts.count, 8, &task );
}

// ---- what the whole has gained ----

// Pushes act where things are after the drift, and exchange between two places that are not the same: spin that comes of this is taken out at once.
static void pnEndSweeps( int begin, int end, int worker, void* context )
{
	pnContacts* contacts = context;
	PN_UNUSED( worker );
	for ( int i = begin; i < end; ++i )
	{
		pnCollider* c = contacts->colliders.at + i;
		if ( c->surface == NULL || !c->awake )
		{
			continue;
		}
		if ( c->spins )
		{
			pnF4 spun = { (float)c->spun[0], (float)c->spun[1], (float)c->spun[2], 0.0f }, turn = pnRow4( c->turn, 0 ) - pnTimes4( c->perInertia, spun );
			memcpy( c->turn, &turn, sizeof turn );
			memset( c->spun, 0, sizeof c->spun );
		}
	}
}

static const float pn_passingOn = 0.5f; // of a push: so much of it reaches a stiff body as a whole, and so its other neighbours in the same substep

// Sweeps over the pairs of a stiff body before those over all: what it passes on, and what its other neighbours give back, must come through within the substep.
static int pnStiffSweepsOf( const pnContacts* c, const pnCollider* body )
{
	return body->awake && body->local * body->harder < 1.0f - pn_passingOn ? c->stiffSweeps : 0;
}

// What a body gets as a whole it passes on to its other neighbours, and a sweep carries back only as much as the body can bear itself: a light one of mass m under
// a load F would sink by F h^2 / m before the pushes have grown, with k sweeps by 1 / k of it.
static const float pn_sinking = 0.02f; // of the thinnest side: so far it may

static int pnHardSweepsOf( const pnContacts* c, const pnCollider* body )
{
	float wanted = body->awake ? body->passed * c->step / ( body->mass * pn_sinking * body->surface->thinnest ) : 0.0f;
	return wanted < (float)c->mostSweeps ? (int)wanted : c->mostSweeps;
}

static void pnSumPassed( pnContacts* c )
{
	for ( int i = 0; i < c->colliders.count; ++i )
	{
		c->colliders.at[i].passed = 0.0f;
	}
	for ( int i = 0; i < c->pairs.count; ++i )
	{
		const pnPair* pair = c->pairs.at + i;
		if ( pair->rowEnd > pair->rowFirst && pair->a != pair->b )
		{
			c->colliders.at[pair->a].passed += pair->passedA;
			c->colliders.at[pair->b].passed += pair->passedB;
		}
	}
	for ( int i = 0; i < c->grounds.count; ++i )
	{
		const pnPair* pair = c->grounds.at + i;
		c->colliders.at[pair->b].passed += pair->rowEnd > pair->rowFirst ? pair->passedB : 0.0f;
	}
}

// How often each pair is swept before all are. A body that strain has hardened passes most of a push of one shape on to the shape on its other side, however hard
// they press: as many more sweeps as it is harder. Grounds are in the order of their bodies. Returns the most.
static int pnCountSweeps( pnContacts* c )
{
	int most = 0;
	pnSumPassed( c );
	for ( int i = 0; i < c->pairs.count; ++i )
	{
		pnPair* pair = c->pairs.at + i;
		const pnCollider *a = c->colliders.at + pair->a, *b = c->colliders.at + pair->b;
		int stiffA = pnStiffSweepsOf( c, a ), stiffB = pnStiffSweepsOf( c, b ), stiff = stiffA < stiffB ? stiffA : stiffB; // a soft one passes nothing on, and would only be strained by more
		int hardA = pnHardSweepsOf( c, a ), hardB = pnHardSweepsOf( c, b ), hard = hardA > hardB ? hardA : hardB;
		pair->sweeps = pair->rowEnd == pair->rowFirst ? 0 : hard > stiff ? hard : stiff;
		most = pair->sweeps > most ? pair->sweeps : most;
	}
	for ( int first = 0, end = 0; first < c->grounds.count; first = end )
	{
		const pnCollider* body = c->colliders.at + c->grounds.at[first].b;
		int touching = 0;
		for ( end = first; end < c->grounds.count && c->grounds.at[end].b == c->grounds.at[first].b; ++end )
		{
			touching += c->grounds.at[end].rowEnd > c->grounds.at[end].rowFirst ? 1 : 0;
		}
		int harder = touching > 1 && body->harder > 1.0f ? (int)( body->harder - 0.5f ) : 0, stiff = pnStiffSweepsOf( c, body ), sweeps = harder > stiff ? harder : stiff;
		int hard = pnHardSweepsOf( c, body );
		sweeps = hard > sweeps ? hard : sweeps;
		for ( int i = first; i < end; ++i )
		{
			c->grounds.at[i].sweeps = sweeps;
		}
		most = touching > 0 && sweeps > most ? sweeps : most;
	}
	return most;
}

// A place for the rows of each pair: as many as it has candidates, and what the papers' detectors have found. False: no memory.
static bool pnPlaceRows( pnContacts* c )
{
	int count = 0;
	for ( int i = 0; i < c->pairs.count; ++i )
	{
		pnPair* pair = c->pairs.at + i;
		bool awake = c->colliders.at[pair->a].awake || c->colliders.at[pair->b].awake;
		pair->rowFirst = pair->rowMiddle = pair->rowEnd = count;
		count += awake ? pair->count + pair->edgeCount + ( pair->stored >= 0 ? pair->foundCount : 0 ) : 0;
	}
	for ( int i = 0; i < c->grounds.count; ++i )
	{
		c->grounds.at[i].rowFirst = c->grounds.at[i].rowEnd = count;
		count += c->grounds.at[i].count;
	}
	// They grow when candidates do, not some steps later.
	int wanted = c->candidates.capacity > c->spareCandidates.capacity ? c->candidates.capacity : c->spareCandidates.capacity;
	c->rows.count = 0;
	bool fine = pnGrowList( c->rows, count > wanted ? count : wanted );
	c->stats.dropped += fine ? 0 : count;
	return fine;
}

void pnPushApart( pnContacts* c, pnTasks* tasks )
{
	double start = pnNow();
	c->lastStep = c->lastStep > 0.0f ? c->lastStep : c->step;
	if ( c->resting || !pnPlaceRows( c ) )
	{
		return;
	}
	c->recovered = 1.0f - (float)pnExp( -(double)pn_recovery * (double)c->step );
	pnParallelFor( tasks, pnReadyPairs, c->pairs.count, 16, c );
	pnParallelFor( tasks, pnReadyGrounds, c->grounds.count, 16, c );
	pnDoAll( c, tasks, pn_warmStage, -1 );
	for ( int i = pnCountSweeps( c ) - 1; i >= 0; --i )
	{
		pnDoAll( c, tasks, pn_sweepStage, i );
	}
	for ( int i = 0; i < c->sweeps; ++i )
	{
		pnDoAll( c, tasks, i < c->sweeps - 1 ? pn_sweepStage : pn_lastStage, -1 );
	}
	pnParallelFor( tasks, pnEndSweeps, c->colliders.count, 16, c );
	pnDoAll( c, tasks, pn_shoveStage, -1 );
	c->lastStep = c->step;
	c->stats.solve += pnNow() - start;
}
