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
	X( pile, 0xb34ac5f1ef93e9dc ) \
	X( pile384, 0xb5801f04da56181d ) \
	X( crowd, 0xb54eb13449441ea9 ) \
	X( heap, 0xdc14cf8f61497e4f ) \
	X( ramp, 0xbd3c198df804fcbb ) \
	X( press, 0x08bd8d58c6a351ad ) \
	X( knot, 0xfcf28d71bcebf7d1 ) \
	X( tets, 0x07b14243b40218b8 ) \
	X( wall, 0x33561e3c546ac948 ) \
	X( grab, 0x9314585314dc3fe1 ) \
	X( cuts, 0xbb069cfe01f3412e ) \
	X( incision, 0x7f11790c91d47d82 ) \
	X( tear, 0xbfa155df2de88475 ) \
	X( rip, 0x767927fb3017244b )

void pnPrintGolden( void ); // this file, with the hashes of this build
