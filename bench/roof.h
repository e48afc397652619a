// roof.h - how fast this machine could be: one core's arithmetic and its second-level cache. Knows no physics.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

// Each call takes about `seconds` and measures the calling thread with the widest vectors the machine has.
const char* pnRoofSimdName( void ); // avx512, avx2, sse2, or generic where there is no x86
double pnMeasureMulAdd( double seconds ); // GFLOP/s, as many multiplies as adds, not fused: what the library may use
double pnMeasureFused( double seconds ); // GFLOP/s with fused multiply-add, counted as two; 0 where there is none
double pnMeasureCacheRead( double seconds ); // GB/s (10^9) reading half of the second-level cache; 0 if there is no memory
