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
	X( modes, 0xd4db1a15d94d1c96 ) \
	X( pile, 0xb8448c8610ee2f4b ) \
	X( pile384, 0xd0786ce5a5364bd2 ) \
	X( crowd, 0x2a4c8b0924cd4532 ) \
	X( heap, 0x82be0f68276c0b9f ) \
	X( ramp, 0xaafa37b267a8f672 ) \
	X( press, 0x053164f869d33874 ) \
	X( knot, 0x4538781af648cc3e ) \
	X( tets, 0xc66bfe51b0c9261a ) \
	X( wall, 0xffc23324e87691b5 ) \
	X( grab, 0x8368297631f0d65d ) \
	X( cuts, 0x91eb20001154926f ) \
	X( incision, 0x042b288fc114b081 ) \
	X( talk, 0x3766e0d77880c83e ) \
	X( tear, 0x61ace4ef33487d75 ) \
	X( rip, 0x01960149f0f7b41a )

void pnPrintGolden( void ); // this file, with the hashes of this build
