// golden.h - what every scene comes to after its first frames, on any machine. Renew it with: pliant_test --golden > test/golden.h
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

#define PN_GOLDEN_FRAMES 60

// X( scene, hash of the world )
#define PN_GOLDEN( X ) \
	X( spin, 0xcd20c40463878b96 ) \
	X( sticks, 0x4235ceb20710d273 ) \
	X( cubes, 0xb023e6ace4f85c1c ) \
	X( dent, 0xe4324eb99680b3a2 ) \
	X( squeeze, 0xc4c57db66c7cfc32 ) \
	X( modes, 0xf67403aa8a92cb2b ) \
	X( pile, 0xed17383f4796eab7 ) \
	X( pile384, 0xf36001e1f77613ee ) \
	X( crowd, 0x4d9ff6df59fd64c7 ) \
	X( heap, 0xd6783a6ea4605856 ) \
	X( ramp, 0x70a7ea41b6fbab8f ) \
	X( press, 0x046624091defdac6 ) \
	X( knot, 0xd0fb0ae538aa1978 ) \
	X( tets, 0xe82f2fc144c883dd ) \
	X( wall, 0xf549e4008e42a921 )

void pnPrintGolden( void ); // this file, with the hashes of this build
