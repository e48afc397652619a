// golden.h - what every scene comes to after its first frames, on any machine. Renew it with: pliant_test --golden > test/golden.h
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

#define PN_GOLDEN_FRAMES 60

// X( scene, hash of the world )
#define PN_GOLDEN( X ) \
	X( spin, 0x352d1c5c39cee769 ) \
	X( sticks, 0x4a243d94d67aee1b ) \
	X( cubes, 0x8b51672996dcf5e2 ) \
	X( dent, 0x1cdbcd2a931febec ) \
	X( squeeze, 0x32e04e188e3fe5b4 ) \
	X( modes, 0xf16d971d0737d2c7 ) \
	X( crowd, 0x3c4a50f7ebc52696 )

void pnPrintGolden( void ); // this file, with the hashes of this build
