// golden.h - what every scene comes to after its first frames, on any machine. Renew it with: pliant_test --golden > test/golden.h
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

#define PN_GOLDEN_FRAMES 60

// X( scene, hash of the world )
#define PN_GOLDEN( X ) \
	X( spin, 0x59951e1a782fd76a ) \
	X( sticks, 0x1a60a9ca5be5b078 ) \
	X( cubes, 0x7af0db69ca2d916a ) \
	X( dent, 0xad49bdd8a766c6d8 ) \
	X( squeeze, 0xf9db1e190e0d86ab ) \
	X( modes, 0xe982502f52835f77 ) \
	X( pile, 0x2b2770bde25b9f0b ) \
	X( pile384, 0x5e738acf9c0016d1 ) \
	X( crowd, 0xed380e66d1b17a7b ) \
	X( heap, 0xdf252d1496286cad ) \
	X( ramp, 0xdb4e7a296b07a4a1 ) \
	X( press, 0xc874e7576b7b0e56 ) \
	X( knot, 0xe7aa6e6985784eeb ) \
	X( tets, 0xc8acc33d8cf924a4 ) \
	X( straws, 0xd9ca3e2b97e051de ) \
	X( wall, 0xedfaa8a511c25459 ) \
	X( grab, 0xfadde6088184ccf0 ) \
	X( cuts, 0x5983ee1da15f5fda ) \
	X( incision, 0x918aa1e68d5a3836 ) \
	X( talk, 0xab9d686e4bd2d32b ) \
	X( tear, 0x837e4045e7f8b765 ) \
	X( rip, 0xbb1cb6969d93bcbb )

void pnPrintGolden( void ); // this file, with the hashes of this build
