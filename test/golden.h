// golden.h - what every scene comes to after its first frames, on any machine. Renew it with: pliant_test --golden > test/golden.h
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

#define PN_GOLDEN_FRAMES 60

// X( scene, hash of the world )
#define PN_GOLDEN( X ) \
	X( spin, 0xcf2d710d19028319 ) \
	X( sticks, 0x5706983c8ab962a2 ) \
	X( cubes, 0xa4cf97f732cad956 ) \
	X( dent, 0x33ce39b8055d77bc ) \
	X( squeeze, 0x1d3f15cfbbb213f5 ) \
	X( modes, 0xc2011ddabef02607 ) \
	X( pile, 0x271ff5c7f03572c9 ) \
	X( pile384, 0x3ecd4b4b2c450fb3 ) \
	X( crowd, 0x83d510ae2b2b4d3b ) \
	X( heap, 0x91d483c6e8a00c0b ) \
	X( ramp, 0x8192e6f337ab6c3c ) \
	X( press, 0x0d7eb1ecf2f3a31e ) \
	X( knot, 0x558de0d0724ae08c ) \
	X( tets, 0xe5bca7bb48d37d24 ) \
	X( wall, 0x612a9bb9444f3e0b ) \
	X( grab, 0x34838ed59c89607f ) \
	X( cuts, 0x61a089e67b69fbbe ) \
	X( incision, 0x985e61213673e553 ) \
	X( tear, 0x4f1f3fd81c4545fa ) \
	X( rip, 0x9a93cca07a47a291 )

void pnPrintGolden( void ); // this file, with the hashes of this build
