// bench_cut.h - times cuts through bodies, from the call to pieces that live. Knows nothing of how results are shown.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

#include "report.h"

bool pnRunCutBench( bool isQuick, pnReport* report ); // false, and a line on stderr, if it could not be done
