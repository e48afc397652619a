// bench_page.h - what the page costs: steps of the WebAssembly module in Node, frames, their encoding. Knows nothing of how results are shown.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

#include "report.h"

bool pnRunPageBench( bool isQuick, pnReport* report ); // false, and a line on stderr, if it could not be done
