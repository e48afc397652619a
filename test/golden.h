// golden.h - what every scene comes to after its first frames, on any machine. Renew it with: pliant_test --golden > test/golden.h
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

#define PN_GOLDEN_FRAMES 60

// X( scene, hash of the world )
#define PN_GOLDEN( X ) \
	X( spin, 0x0000000000000000 ) \
	X( sticks, 0x0000000000000000 ) \
	X( cubes, 0x0000000000000000 ) \
	X( dent, 0x0000000000000000 ) \
	X( squeeze, 0x0000000000000000 ) \
	X( modes, 0x0000000000000000 ) \
	X( crowd, 0x0000000000000000 )

void pnPrintGolden( void ); // this file, with the hashes of this build
