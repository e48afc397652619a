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
	X( pile, 0x70943365650337bf ) \
	X( pile384, 0x2f9837cae308c6f7 ) \
	X( crowd, 0xf360cc3b167e8675 ) \
	X( heap, 0xf5256c9f85d6711f ) \
	X( ramp, 0x70a7ea41b6fbab8f ) \
	X( press, 0x046624091defdac6 ) \
	X( knot, 0xd0fb0ae538aa1978 ) \
	X( tets, 0xb3ec1e72267b6a63 ) \
	X( wall, 0xf549e4008e42a921 ) \
	X( grab, 0x53403bdbd943b616 ) \
	X( cuts, 0xebdc0cbf28404b85 ) \
	X( incision, 0x89904785adcf1816 ) \
	X( tear, 0xfdaf9fc4062c660a ) \
	X( rip, 0x2698eec0b1a01a1a )

void pnPrintGolden( void ); // this file, with the hashes of this build
