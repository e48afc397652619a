// golden.h - what every scene comes to after its first frames, on any machine. Renew it with: pliant_test --golden > test/golden.h
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

#define PN_GOLDEN_FRAMES 60

// X( scene, hash of the world )
#define PN_GOLDEN( X ) \
	X( spin, 0xac95304cbadd0d8e ) \
	X( sticks, 0xb6c8405b09e8aaf3 ) \
	X( cubes, 0x1f6805e641388ca9 ) \
	X( dent, 0xec2814a5deca7185 ) \
	X( squeeze, 0xcceb23101df120c6 ) \
	X( modes, 0xf29957f061ec69fc ) \
	X( pile, 0xa59fec67cb267deb ) \
	X( pile384, 0xe7b265eeda2bf272 ) \
	X( crowd, 0xf03c0b5ec6ca53ef ) \
	X( heap, 0xba9d507addfd1eae ) \
	X( ramp, 0x5f291bc57b3865ae ) \
	X( press, 0x053164f869d33874 ) \
	X( knot, 0x4538781af648cc3e ) \
	X( tets, 0xd293eea63691f3f4 ) \
	X( wall, 0x2597facb6de8e7c8 ) \
	X( grab, 0xb3f7503158e86420 ) \
	X( cuts, 0x497866163d111915 ) \
	X( incision, 0x042b288fc114b081 ) \
	X( talk, 0x3766e0d77880c83e ) \
	X( tear, 0x61ace4ef33487d75 ) \
	X( rip, 0x60776718e040e4e9 )

void pnPrintGolden( void ); // this file, with the hashes of this build
