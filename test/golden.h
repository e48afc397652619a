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
	X( pile, 0x530503b6dea1e727 ) \
	X( pile384, 0x4ae851f4824debc6 ) \
	X( crowd, 0x31c703f6d0aff234 ) \
	X( heap, 0x2231f22c910fe090 ) \
	X( ramp, 0xaafa37b267a8f672 ) \
	X( press, 0x053164f869d33874 ) \
	X( knot, 0x4538781af648cc3e ) \
	X( tets, 0xa11106ba87af6ae9 ) \
	X( wall, 0x2597facb6de8e7c8 ) \
	X( grab, 0x8368297631f0d65d ) \
	X( cuts, 0x21828785dc8f8a7a ) \
	X( incision, 0x042b288fc114b081 ) \
	X( talk, 0x3766e0d77880c83e ) \
	X( tear, 0x61ace4ef33487d75 ) \
	X( rip, 0x01960149f0f7b41a )

void pnPrintGolden( void ); // this file, with the hashes of this build
