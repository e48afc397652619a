// golden.h - what every scene comes to after its first frames, on any machine. Renew it with: pliant_test --golden > test/golden.h
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

#define PN_GOLDEN_FRAMES 60

// X( scene, hash of the world )
#define PN_GOLDEN( X ) \
	X( spin, 0x3d4d6ece7237db75 ) \
	X( sticks, 0x9a6627b3199e3ea3 ) \
	X( cubes, 0x1ed4502829b4e277 ) \
	X( dent, 0x6c6a028a61ad0f5d ) \
	X( squeeze, 0x80a6571f4ecd8063 ) \
	X( modes, 0xd4f51d7853dc1618 ) \
	X( crowd, 0x1a604c7dae189fd1 )

void pnPrintGolden( void ); // this file, with the hashes of this build
