// bench_match.h - how fast shape matching is: the rows match.* of the benchmark. Knows the public library only.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

#include "report.h"

// Measures and adds the rows; docs/bench.md says what each means. Progress and remarks go to stderr. Takes about half a
// minute, quick a third of it with more noise. False if something could not be made; stderr says what.
bool pnRunMatchBench( bool quick, pnReport* report );
