// golden.h - what every scene comes to after its first frames, on any machine. Renew it with: pliant_test --golden > test/golden.h
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

#define PN_GOLDEN_FRAMES 60

// X( scene, hash of the world )
#define PN_GOLDEN( X ) \
	X( spin, 0x18648fb827a4563c ) \
	X( sticks, 0x898c5a089e04bc69 ) \
	X( cubes, 0xbbd62b8b41e77089 ) \
	X( dent, 0x3cb87a36792eaa2e ) \
	X( squeeze, 0x692c2feb52374715 ) \
	X( modes, 0xc8dab4441327ef3f ) \
	X( pile, 0x98704a0496b80739 ) \
	X( pile384, 0xc865b48ecfe6aeea ) \
	X( crowd, 0x132f96965c7d4bfb ) \
	X( heap, 0xd37970df96aa9e6d ) \
	X( ramp, 0xa45938d5fe227f4e ) \
	X( press, 0xd33f78fc57cca430 ) \
	X( knot, 0x372e396b617b034d ) \
	X( tets, 0xce2a0a798a99d1a9 ) \
	X( wall, 0xe3d34c47fdcc3020 ) \
	X( grab, 0x4d2b027562ee8832 ) \
	X( cuts, 0x1a4cdb4eb15f0573 ) \
	X( incision, 0xb5e70d1efd5bdf18 ) \
	X( talk, 0xdc0081440ba5e187 ) \
	X( tear, 0xf2171f0dda1a7015 ) \
	X( rip, 0x2068a883a3544f5a )

void pnPrintGolden( void ); // this file, with the hashes of this build
