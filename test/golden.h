// golden.h - what every scene comes to after its first frames, on any machine. Renew it with: pliant_test --golden > test/golden.h
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

#define PN_GOLDEN_FRAMES 60

// X( scene, hash of the world )
#define PN_GOLDEN( X ) \
	X( spin, 0x87dd9e256dacb605 ) \
	X( sticks, 0xfb0bb66b8cd8d0d0 ) \
	X( cubes, 0x715847cebeb0496f ) \
	X( dent, 0x8cf866e7470ab8b5 ) \
	X( squeeze, 0xc7f9c4efc1a80460 ) \
	X( modes, 0x9a547f736022918c ) \
	X( pile, 0x3faa002b14686d0d ) \
	X( pile384, 0x8871f07629a86e1d ) \
	X( crowd, 0xed1757dc636ab7c8 ) \
	X( heap, 0xb43c9bff88df7c07 ) \
	X( ramp, 0x69c21d33fd3ec995 ) \
	X( press, 0xbef5d6f29d6bdf03 ) \
	X( knot, 0xfcf28d71bcebf7d1 ) \
	X( tets, 0xed05e4ce7eb8af00 ) \
	X( wall, 0x97c2cd23be920271 ) \
	X( grab, 0xcccfc35ec3901f1d ) \
	X( cuts, 0xc78ba81e06f91d84 ) \
	X( incision, 0x92e20b0a310b5847 ) \
	X( tear, 0xbfa155df2de88475 ) \
	X( rip, 0xd989975b2dac1016 )

void pnPrintGolden( void ); // this file, with the hashes of this build
