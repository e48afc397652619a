// bits.test.mjs - what hands do comes to the same bits in the page's module and natively, with two threads.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { play } from './bits.mjs';

const steps = process.env.PLIANT_LONG ? 10000 : 300;
for ( const scene of [ 'heap', 'cuts', 'tear', 'pile' ] )
{
	test( `${scene}: ${steps} steps with random hands`, () =>
	{
		const one = play( scene, steps, 11 );
		assert.equal( one.native, one.module );
		assert.equal( one.nativeSteps, one.steps );
		assert.ok( one.commands > steps / 8 );
	} );
}
