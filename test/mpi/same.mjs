// same.mjs - two answers written as .csv: the displacements of the second are those of the first. Usage: node same.mjs ONE.csv OTHER.csv TOLERANCE
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
import { readFileSync } from 'node:fs';

const [one, other] = process.argv.slice(2, 4).map((path) => readFileSync(path, 'utf8').trim().split('\n').map((line) => line.split(',')));
const tolerance = Number(process.argv[4]);
let size = 0, miss = 0;
for (const name of ['ux', 'uy', 'uz']) {
	const column = one[0].indexOf(name);
	for (let row = 1; row < one.length; ++row) {
		size = Math.max(size, Math.abs(Number(one[row][column])));
		miss = Math.max(miss, Math.abs(Number(one[row][column]) - Number(other[row][column])));
	}
}
console.log(`${one.length - 1} places, apart by ${(miss / size).toExponential(1)} of the largest displacement`);
process.exit(one.length === other.length && one.length > 100 && size > 0 && miss <= tolerance * size ? 0 : 1);
