// collide.h - a body as contact sees it, and what contact did to it. Knows one body and its collider; no world.
#pragma once

#include "../contact/collider.h"
#include "move.h"

// What does not change from step to step: arrays, rest boxes of the clusters. The collider has a map for each cluster.
void pnJoinCollider( const pnBody* body, pnCollider* collider );
// Material, filter and whether it is awake: before each step.
void pnReadyCollider( const pnBody* body, pnCollider* collider );
// Before the next kick: how far its particles have moved against each other, pushes included, in the last drift of h.
void pnWatchWander( const pnBody* body, pnCollider* collider, double h );
// After a drift: where the particles are.
void pnSurveyBody( const pnBody* body, pnCollider* collider );
void pnBoundBody( const pnBody* body, float lower[4], float upper[4] );
// From where its clusters are to their rest shapes; h: they were fitted one drift ago.
void pnMapToRest( const pnBody* body, pnCollider* collider, double h );
// Before a move: how far matching has found each particle at the outside from its goal. sums: of the match.
void pnFindDents( const pnBody* body, pnCollider* collider, const float* sums );
// After the last drift of a substep: how it answers to pushes.
void pnReadyPushes( const pnBody* body, pnCollider* collider, double h );
// After the pushes of a substep: centre, mean velocity, account and stray spin are told.
void pnTakePushes( pnBody* body, pnCollider* collider, const pnKernel* kernel, double h );
