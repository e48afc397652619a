// golden.h - what every scene comes to after its first frames, on any machine. Renew it with: pliant_test --golden > test/golden.h
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

#define PN_GOLDEN_FRAMES 60

// X( scene, hash of the world )
#define PN_GOLDEN( X ) \
	X( spin, 0xa3dba451a9f09dd7 ) \
	X( sticks, 0x1eb1f56cd556f216 ) \
	X( cubes, 0x3d3b9f7db4874fe4 ) \
	X( dent, 0xf3fbc99b397d21f0 ) \
	X( squeeze, 0x19b084a7230e125c ) \
	X( modes, 0xed9b9e9837bb2037 ) \
	X( pile, 0xcbf4b6a90f94ada6 ) \
	X( pile384, 0x7ecbda0ba11fdf64 ) \
	X( crowd, 0xbf94ebff306553fa ) \
	X( heap, 0x0fe56fda3b1a979c ) \
	X( ramp, 0x91e4bf276b6e7f27 ) \
	X( press, 0xf27876de6db1070c ) \
	X( knot, 0x941ff9285f416e2f ) \
	X( tets, 0x673864fdc74e3eac ) \
	X( wall, 0xb10a8b3886370073 ) \
	X( grab, 0xc18fb1463a08c670 ) \
	X( cuts, 0x47d4e65442c3775a ) \
	X( incision, 0x95ed4c24be8e65d8 ) \
	X( talk, 0x943873e841277015 ) \
	X( tear, 0x5b8168b3b0b5506f ) \
	X( rip, 0x4165404f8d05f6e2 )

void pnPrintGolden( void ); // this file, with the hashes of this build
