// golden.h - what every scene comes to after its first frames, on any machine. Renew it with: pliant_test --golden > test/golden.h
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

#define PN_GOLDEN_FRAMES 60

// X( scene, hash of the world )
#define PN_GOLDEN( X ) \
	X( spin, 0x59951e1a782fd76a ) \
	X( sticks, 0x1a60a9ca5be5b078 ) \
	X( cubes, 0xe9feb6726f695319 ) \
	X( dent, 0xad49bdd8a766c6d8 ) \
	X( squeeze, 0x8018518e92c1254c ) \
	X( modes, 0xe982502f52835f77 ) \
	X( pile, 0xb5b5f313837ab972 ) \
	X( pile384, 0x8bbabab9a05c670f ) \
	X( crowd, 0x24f6a87e948590d4 ) \
	X( heap, 0x33b70b14c4b54038 ) \
	X( ramp, 0x38417440b6d50074 ) \
	X( press, 0x9b7e0effdcbff82b ) \
	X( knot, 0xe7aa6e6985784eeb ) \
	X( tets, 0x55611dcdd47d9e39 ) \
	X( straws, 0x1120509763457b47 ) \
	X( wall, 0xb71b6484a038ee9a ) \
	X( grab, 0xb80b2e33103bb06c ) \
	X( cuts, 0xa3ccde84a70bf102 ) \
	X( incision, 0x918aa1e68d5a3836 ) \
	X( talk, 0xab9d686e4bd2d32b ) \
	X( tear, 0x837e4045e7f8b765 ) \
	X( rip, 0x560751a4217fe51e )

void pnPrintGolden( void ); // this file, with the hashes of this build
