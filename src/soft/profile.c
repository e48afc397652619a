// profile.c - what a step has done and where its time went. Knows the world's counters, not what a step does.
#include "world.h"

void pnProfileStep( pnWorld* world, double seconds )
{
	pnProfile* profile = &world->profile;
	*profile = (pnProfile){ .step = (float)( 1e3 * seconds ), .bodyCount = world->bodyCount };
	double match = 0.0, points = 0.0;
	for ( int w = 0; w < world->workerCount; ++w )
	{
		match += world->workers[w].matchTime;
		points += world->workers[w].pointTime;
		profile->rareCount += world->workers[w].rareCount;
		world->workers[w].matchTime = world->workers[w].pointTime = 0.0;
		world->workers[w].rareCount = 0;
	}
	const pnContactStats* contact = &world->contacts.stats;
	profile->broad = (float)( 1e3 * contact->broad );
	profile->narrow = (float)( 1e3 * contact->narrow );
	profile->solve = (float)( 1e3 * contact->solve );
	profile->pairCount = contact->pairs, profile->candidateCount = contact->candidates, profile->contactCount = contact->contacts;
	profile->droppedCount = contact->dropped, profile->maxPenetration = contact->deepest;
	profile->match = (float)( 1e3 * match );
	profile->points = (float)( 1e3 * points );
	float other = profile->step - ( profile->match + profile->points ) / (float)world->workerCount - profile->broad - profile->narrow - profile->solve;
	profile->other = other > 0.0f ? other : 0.0f;
	for ( int i = 0; i < world->bodyCount; ++i )
	{
		const pnSolid* solid = world->bodies[i]->solid;
		profile->awakeCount += world->bodies[i]->awake;
		profile->pointCount += solid->particleCount;
		profile->clusterCount += solid->clusterCount;
		profile->membershipCount += solid->membershipCount;
	}
}
