// golden.h - what every scene comes to after its first frames, on any machine. Renew it with: pliant_test --golden > test/golden.h
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

#define PN_GOLDEN_FRAMES 60

// X( scene, hash of the world )
#define PN_GOLDEN( X ) \
	X( spin, 0xfdc296296a509cc1 ) \
	X( sticks, 0xe50264e515dddfd2 ) \
	X( cubes, 0xa4cf97f732cad956 ) \
	X( dent, 0x5d5e73828cae851a ) \
	X( squeeze, 0x179edc1b8f29faf5 ) \
	X( modes, 0xd756371ff46c5c53 ) \
	X( pile, 0xee9caa7b04f6dd86 ) \
	X( pile384, 0x6cedbe98d5bdbb18 ) \
	X( crowd, 0x88ef580855b29e03 ) \
	X( heap, 0x5201a0bc0c4df2e9 ) \
	X( ramp, 0xe8ccd0bf52ef3781 ) \
	X( press, 0x779581cad42bbb86 ) \
	X( knot, 0xf8df91960b820b42 ) \
	X( tets, 0xeaf5c0427f421a5a ) \
	X( wall, 0x2f102cfe5391048e ) \
	X( grab, 0xcb5c7997322de9ed ) \
	X( cuts, 0x4ea7aaedf8a33cf3 ) \
	X( incision, 0x985e61213673e553 ) \
	X( tear, 0xbbd9f7c74a2942dd ) \
	X( rip, 0xe9220f559a1f4b4c )

void pnPrintGolden( void ); // this file, with the hashes of this build
