// golden.h - what every scene comes to after its first frames, on any machine. Renew it with: pliant_test --golden > test/golden.h
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

#define PN_GOLDEN_FRAMES 60

// X( scene, hash of the world )
#define PN_GOLDEN( X ) \
	X( spin, 0xd4529551ee72e60c ) \
	X( sticks, 0x5a6890cf8a96ca4b ) \
	X( cubes, 0xd1dd7a071dc03a13 ) \
	X( dent, 0xf0b430073e7e039f ) \
	X( squeeze, 0x4c14257a923b322e ) \
	X( modes, 0x710780256203d48a ) \
	X( pile, 0x1ef609062a88a47c ) \
	X( pile384, 0xfd3edae8e3eac14c ) \
	X( crowd, 0xee54b8b83ab5b3b1 ) \
	X( heap, 0xb6ad537401587971 ) \
	X( ramp, 0xdd23c51ab50384af ) \
	X( press, 0x311288df27db3af3 ) \
	X( knot, 0x18429aca2e9ac9ee ) \
	X( tets, 0xc263052707d68f95 ) \
	X( wall, 0x98c08fc0353e0fcf )

void pnPrintGolden( void ); // this file, with the hashes of this build
