// commands.h - the sub-commands of the program. Knows nothing of what they do.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

// argv[0] is the command's own name. Each returns an exit code: 0, 1 it failed, 2 it was called wrongly.
int pnCmdRun( int argc, char** argv );
int pnCmdReplay( int argc, char** argv );
int pnCmdServe( int argc, char** argv ); // where libwebsockets is there
int pnCmdScenes( int argc, char** argv );
int pnCmdSolve( int argc, char** argv );
int pnCmdBench( int argc, char** argv );
