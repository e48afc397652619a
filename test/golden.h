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
	X( pile, 0x7d0feb50c873bd0f ) \
	X( pile384, 0x4509c0c6cf55fc0c ) \
	X( crowd, 0x89b79221b14721c5 ) \
	X( heap, 0x61c6cd21a45aae76 ) \
	X( ramp, 0x61688abcc7afd862 ) \
	X( press, 0xc4997218eec0e717 ) \
	X( knot, 0x4538781af648cc3e ) \
	X( tets, 0xcebbb952b5435b71 ) \
	X( wall, 0x8b36bb80b2c0de81 ) \
	X( grab, 0xd5edab2b2c5d0fd4 ) \
	X( cuts, 0x2a8bc89137179511 ) \
	X( incision, 0x042b288fc114b081 ) \
	X( talk, 0x3766e0d77880c83e ) \
	X( tear, 0x61ace4ef33487d75 ) \
	X( rip, 0xdcdc499e46beedf6 )

void pnPrintGolden( void ); // this file, with the hashes of this build
