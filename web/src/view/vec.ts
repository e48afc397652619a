// vec.ts - three numbers and a little arithmetic, for those who know no three.js. Pure.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
import type { Vec3 } from '../link/frame.ts';

export type { Vec3 };

export interface Ray
{
	origin: Vec3;
	direction: Vec3; // unit
}

export const add = ( a: Vec3, b: Vec3 ): Vec3 => [ a[0] + b[0], a[1] + b[1], a[2] + b[2] ];
export const sub = ( a: Vec3, b: Vec3 ): Vec3 => [ a[0] - b[0], a[1] - b[1], a[2] - b[2] ];
export const scale = ( s: number, a: Vec3 ): Vec3 => [ s * a[0], s * a[1], s * a[2] ];
export const mulAdd = ( a: Vec3, s: number, b: Vec3 ): Vec3 => [ a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2] ];
export const dot = ( a: Vec3, b: Vec3 ): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const cross = ( a: Vec3, b: Vec3 ): Vec3 => [ a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0] ];
export const length = ( a: Vec3 ): number => Math.hypot( a[0], a[1], a[2] );
export const unit = ( a: Vec3 ): Vec3 =>
{
	const size = length( a );
	return size > 0 ? scale( 1 / size, a ) : [ 0, 1, 0 ];
};
/** Where a ray meets the plane through a place, or null if it runs beside it or away. */
export function meetPlane( ray: Ray, place: Vec3, normal: Vec3 ): Vec3 | null
{
	const along = dot( ray.direction, normal );
	const distance = dot( sub( place, ray.origin ), normal ) / along;
	return Math.abs( along ) > 1e-6 && distance > 0 ? mulAdd( ray.origin, distance, ray.direction ) : null;
}
/** As a command writes it. */
export const say = ( a: Vec3 ): string => a.map( ( value ) => +value.toFixed( 5 ) ).join( ' ' );
