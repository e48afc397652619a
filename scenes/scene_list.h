// scene_list.h - what each scene's file hands to the list. Knows no more of a scene than that.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

#include "pliant/pliant.h"

pnResult pnCreateSpin( pnWorld* world );
pnResult pnCreateSticks( pnWorld* world );
pnResult pnAdvanceSticks( pnWorld* world, int frame, float timeStep );
pnResult pnCreateCubes( pnWorld* world );
pnResult pnAdvanceCubes( pnWorld* world, int frame, float timeStep );
pnResult pnCreateDent( pnWorld* world );
pnResult pnAdvanceDent( pnWorld* world, int frame, float timeStep );
pnResult pnCreateSqueeze( pnWorld* world );
pnResult pnAdvanceSqueeze( pnWorld* world, int frame, float timeStep );
pnResult pnCreateModes( pnWorld* world );
pnResult pnCreateCrowd( pnWorld* world );
pnResult pnCreatePile100( pnWorld* world );
pnResult pnCreatePile384( pnWorld* world );
pnResult pnCreateHeap( pnWorld* world );
pnResult pnCreateRamp( pnWorld* world );
pnResult pnCreatePress( pnWorld* world );
pnResult pnAdvancePress( pnWorld* world, int frame, float timeStep );
pnResult pnCreateKnot( pnWorld* world );
pnResult pnAdvanceKnot( pnWorld* world, int frame, float timeStep );
pnResult pnCreateTets( pnWorld* world );
pnResult pnCreateStraws( pnWorld* world );
pnResult pnCreateWall( pnWorld* world );
pnResult pnAdvanceWall( pnWorld* world, int frame, float timeStep );
pnResult pnCreateGrabScene( pnWorld* world );
extern const char pnGrabScript[];
pnResult pnCreateCuts( pnWorld* world );
extern const char pnCutsScript[];
pnResult pnCreateIncision( pnWorld* world );
extern const char pnIncisionScript[];
pnResult pnCreateTalk( pnWorld* world );
extern const char pnTalkScript[];
pnResult pnCreateTear( pnWorld* world );
extern const char pnTearScript[];
pnResult pnCreateRip( pnWorld* world );
extern const char pnRipScript[];
