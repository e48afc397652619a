// golden.h - what every scene comes to after its first frames, on any machine. Renew it with: pliant_test --golden > test/golden.h
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

#define PN_GOLDEN_FRAMES 60

// X( scene, hash of the world )
#define PN_GOLDEN( X ) \
	X( spin, 0x14ae81727c4653da ) \
	X( sticks, 0xe50264e515dddfd2 ) \
	X( cubes, 0xa4cf97f732cad956 ) \
	X( dent, 0x128f38cb7fcce81d ) \
	X( squeeze, 0x8507272dd2294fce ) \
	X( modes, 0xeb646b616f778b71 ) \
	X( pile, 0xe505b36af33f3111 ) \
	X( pile384, 0x969b5b2d7c4ae43f ) \
	X( crowd, 0x46aa19f12ebcab30 ) \
	X( heap, 0x84e62397c6a1bf14 ) \
	X( ramp, 0xd7c455387092dca5 ) \
	X( press, 0x9d307749b1dcae50 ) \
	X( knot, 0xa39cef4765f74566 ) \
	X( tets, 0x82991d8b72c8b82f ) \
	X( wall, 0xf81285361c6ce79e ) \
	X( grab, 0x33e87c1cc96a25c3 ) \
	X( cuts, 0xac31ccbea6f747e6 ) \
	X( incision, 0x985e61213673e553 ) \
	X( tear, 0x4f1f3fd81c4545fa ) \
	X( rip, 0x3b94cde82def6c49 )

void pnPrintGolden( void ); // this file, with the hashes of this build
