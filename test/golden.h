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
	X( crowd, 0x4c75a02edf53b82d ) \
	X( heap, 0xf8bc37e875548beb ) \
	X( ramp, 0xe8ccd0bf52ef3781 ) \
	X( press, 0x779581cad42bbb86 ) \
	X( knot, 0xf8df91960b820b42 ) \
	X( tets, 0x6ffed5e1570c112d ) \
	X( wall, 0x2f102cfe5391048e ) \
	X( grab, 0xcb5c7997322de9ed ) \
	X( cuts, 0xf1d92a3b2f491fb0 ) \
	X( incision, 0x601060107bdf6a46 ) \
	X( tear, 0xbbd9f7c74a2942dd ) \
	X( rip, 0xe9220f559a1f4b4c )

void pnPrintGolden( void ); // this file, with the hashes of this build
