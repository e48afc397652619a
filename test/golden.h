// golden.h - what every scene comes to after its first frames, on any machine. Renew it with: pliant_test --golden > test/golden.h
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

#define PN_GOLDEN_FRAMES 60

// X( scene, hash of the world )
#define PN_GOLDEN( X ) \
	X( spin, 0xf53dc59f82f9fb26 ) \
	X( sticks, 0x3efd93d9065a589d ) \
	X( cubes, 0x3b9a8daff9fe94d5 ) \
	X( dent, 0x7ed2b6046fdb2d5c ) \
	X( squeeze, 0x4b82dc988e010646 ) \
	X( modes, 0x9edec6fe6e1e19ba ) \
	X( crowd, 0x9bacba0dd4749926 )

void pnPrintGolden( void ); // this file, with the hashes of this build
