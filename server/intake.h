// intake.h - the commands that a visitor sends: read, allowed or refused, put where the room's next step finds them. Knows no sockets.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

#include "hosted.h"

// Every line is read here, so that nothing that means nothing reaches the others. What is not taken is answered.
void pnTakeCommands( pnVisitor* visitor, const pnMessage* message, double now );
void pnSetSeeing( pnVisitor* visitor, pnSeeing mode ); // under the lock
