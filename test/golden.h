// golden.h - what every scene comes to after its first frames, on any machine. Renew it with: pliant_test --golden > test/golden.h
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

#define PN_GOLDEN_FRAMES 60

// X( scene, hash of the world )
#define PN_GOLDEN( X ) \
	X( spin, 0x8d7259ffe312aa4c ) \
	X( sticks, 0x2763d950d6e38eae ) \
	X( cubes, 0x4abcad448f2fc34e ) \
	X( dent, 0x8668807d4390cc73 ) \
	X( squeeze, 0x8a52e1cd63988acb ) \
	X( modes, 0x0533f2c4e574c738 ) \
	X( pile, 0x36a872a775cd8f9c ) \
	X( pile384, 0x65d7d1d48f445ed2 ) \
	X( crowd, 0x14cd76282d8336a9 ) \
	X( heap, 0x61861530ed1eb8ac ) \
	X( ramp, 0x7be5efff47b62878 ) \
	X( press, 0x7c6a36b819a5fb22 ) \
	X( knot, 0xb12cdfd1e55cbfdf ) \
	X( tets, 0x15c200940be08ead ) \
	X( wall, 0x69e070a57d84fc16 ) \
	X( grab, 0x3a321b9596aa143e ) \
	X( cuts, 0x7b14c6546eaaf4d6 ) \
	X( incision, 0x10dac7e1b1f00acb ) \
	X( talk, 0x0320f6542407f880 ) \
	X( tear, 0x507ac3dea4a9eee6 ) \
	X( rip, 0xf04c3b2626788e43 )

void pnPrintGolden( void ); // this file, with the hashes of this build
