// golden.h - what every scene comes to after its first frames, on any machine. Renew it with: pliant_test --golden > test/golden.h
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

#define PN_GOLDEN_FRAMES 60

// X( scene, hash of the world )
#define PN_GOLDEN( X ) \
	X( spin, 0x59951e1a782fd76a ) \
	X( sticks, 0x256e2861c67e92d5 ) \
	X( cubes, 0x00c35b32bad0bd6c ) \
	X( dent, 0x9ef84e0e7fd82701 ) \
	X( squeeze, 0x8018518e92c1254c ) \
	X( modes, 0xe982502f52835f77 ) \
	X( pile, 0xd7266dd568a9f448 ) \
	X( pile384, 0x67ade76765cd8c5d ) \
	X( crowd, 0xee4902eb17744927 ) \
	X( heap, 0xed15f01422afe2f8 ) \
	X( ramp, 0x38417440b6d50074 ) \
	X( press, 0x9b7e0effdcbff82b ) \
	X( knot, 0x5fd1146e3d8a216f ) \
	X( tets, 0x3ff67520099c5e4b ) \
	X( straws, 0xaef73cdc819c91e5 ) \
	X( wall, 0xb71b6484a038ee9a ) \
	X( grab, 0xb80b2e33103bb06c ) \
	X( cuts, 0x504f19783260b44f ) \
	X( incision, 0x6eb72c57440a57af ) \
	X( talk, 0x981463c5d433a40a ) \
	X( tear, 0xa2188455310802b8 ) \
	X( rip, 0xe28ceeb1a20cf97a )

void pnPrintGolden( void ); // this file, with the hashes of this build
