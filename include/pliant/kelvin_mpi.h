// kelvin_mpi.h - statics on several processes (MPI, ScaLAPACK). Optional: there if pliant was built with PLIANT_MPI.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

#include "kelvin.h"

#ifdef __cplusplus
extern "C" {
#endif

// Starts MPI unless it runs. All its processes then make the same calls with pnKelvinDef.processes; each holds its part of the matrix alone, and gets the whole
// answer. pn_outOfMemory: there is none.
PN_API pnResult pnStartProcesses( const pnProcesses** processes, int* rank, int* count );
// After the last solver that used them. Ends MPI if it was started above.
PN_API void pnStopProcesses( const pnProcesses* processes );

#ifdef __cplusplus
}
#endif
