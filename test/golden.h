// golden.h - what every scene comes to after its first frames, on any machine. Renew it with: pliant_test --golden > test/golden.h
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

#define PN_GOLDEN_FRAMES 60

// X( scene, hash of the world )
#define PN_GOLDEN( X ) \
	X( spin, 0x5c816c003a2f5aec ) \
	X( sticks, 0x2b6b2d2d1bac0a16 ) \
	X( cubes, 0x2bf3558f5a091c51 ) \
	X( dent, 0x7a87c68cb3edec4d ) \
	X( squeeze, 0x56e6743cb01e99d6 ) \
	X( modes, 0xe749f806c3ab2c32 ) \
	X( pile, 0x9f802f0a92e2a9a9 ) \
	X( pile384, 0x755e8cb670f5431c ) \
	X( crowd, 0x3157943684c7e579 ) \
	X( heap, 0xa12675adebe9fc92 ) \
	X( ramp, 0x23da9756fc888455 ) \
	X( press, 0x87002bde6cd6b7c1 ) \
	X( knot, 0x028cf145bd35e2da ) \
	X( tets, 0x8501c074bc9d7805 ) \
	X( wall, 0x7c71e309c234f011 ) \
	X( grab, 0xe406d62d8e092ed2 ) \
	X( cuts, 0xb6638a5ccfe7d7ec ) \
	X( incision, 0x95fba51b933d13f9 ) \
	X( tear, 0x685b64be197f7e87 ) \
	X( rip, 0x5ecc38833d88dd3f )

void pnPrintGolden( void ); // this file, with the hashes of this build
