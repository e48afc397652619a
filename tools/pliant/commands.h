// commands.h - the sub-commands of the program. Knows nothing of what they do.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

// argv[0] is the command's own name. Each returns an exit code: 0, 1 it failed, 2 it was called wrongly, 130 it was stopped.
int pnCmdRun( int argc, char** argv );
int pnCmdReplay( int argc, char** argv );
int pnCmdServe( int argc, char** argv ); // where libwebsockets is there
int pnCmdNew( int argc, char** argv );
int pnCmdInfo( int argc, char** argv );
int pnCmdCheck( int argc, char** argv );
int pnCmdBake( int argc, char** argv );
int pnCmdScenes( int argc, char** argv );
int pnCmdSolve( int argc, char** argv );
int pnCmdBench( int argc, char** argv );
