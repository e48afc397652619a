// tool.ts - what a tool is, and what it may use: rays, commands, ghosts. Knows no three.js and no worker.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
import type { Hand, Id, Pick } from '../link/frame.ts';
import type { Ray, Vec3 } from '../view/vec.ts';

/** What is shown of a deed before it is done. */
export interface GhostPen
{
	ball( center: Vec3, radius: number, color: number, opacity?: number ): void;
	dot( center: Vec3, radius: number, color: number ): void;
	ring( center: Vec3, normal: Vec3, radius: number, color: number ): void;
	line( from: Vec3, to: Vec3, width: number, color: number ): void;
	arrow( from: Vec3, way: Vec3, width: number, color: number ): void;
	sheet( corners: [ Vec3, Vec3, Vec3, Vec3 ], color: number, opacity?: number ): void;
}

/** The world as hands meet it. */
export interface Stage
{
	readonly ghosts: GhostPen;
	readonly owner: number;
	readonly forward: Vec3; // where the eye looks
	readonly size: number; // metres, of what is to be seen
	readonly floorHeight: number;
	readonly isStatic: boolean; // a baked solid: handles, no bodies
	ray( x: number, y: number ): Ray;
	project( place: Vec3 ): [ number, number ];
	pixels( place: Vec3 ): number; // metres that a pixel is there
	send( commands: string ): number;
	/** Leads one of our hands to a place, over so many steps. Hands are there at once; the world follows. */
	lead( number: number, to: Vec3, steps?: number ): void;
	drop( number: number ): void;
	ask( ray: Ray ): Promise<Pick>; // what a ray meets first
	body( id: Id ): { center: Vec3; extent: number } | undefined;
	nearBody( ray: Ray ): Vec3 | null; // the middle of the body that a ray goes by most nearly
	hand( number: number ): Hand | undefined; // one of ours
	hands(): Hand[]; // everybody's: as of the last frame, but ours are where they have been led since
	colorOf( owner: number ): number | null; // somebody else's colour, where there are others
	newHand(): number; // a number that no hand of ours has
	highlight( id: Id | null ): void;
	options: ToolOptions;
}

/** What the panel sets for tools. */
export interface ToolOptions
{
	solid: string; // what is added and thrown
	preset: string; // of what material; empty: its own
	color: number; // 0: its own
	pushRadius: number; // metres
	cutDepth: number; // metres, of an incision
	throwSpeed: number; // m/s
}

/** A finger, a pen, a mouse or the keyboard's cross while it is down. */
export interface Pointer
{
	readonly id: number;
	x: number; // CSS pixels of the page
	y: number;
	shift: boolean;
	depth: number; // metres to go from us, asked for by wheel, shift or a second finger since the last move
}

export interface Tool
{
	readonly name: string;
	readonly title: string;
	readonly hint: string;
	readonly key: string;
	readonly ignoresHover?: boolean; // what lies under a pointer that is not down does not matter to it
	readonly isMoving?: boolean; // what it shows changes by itself
	/** False: there is nothing to do here, and the view may have this pointer. */
	down( pointer: Pointer ): boolean | Promise<boolean>;
	move( pointer: Pointer ): void;
	up( pointer: Pointer, cancelled: boolean ): void;
	/** Once for each picture: ghosts are drawn anew. hover: what lies under a pointer that is not down. */
	show( hover: Pick | null ): void;
	/** A key while a pointer is down; true if it meant something. */
	press?( key: string ): boolean;
}

export const colors = { hand: 0xf2b233, lock: 0xd7443e, force: 0x2f7de1, blade: 0xf4f6f8, steel: 0x9fb0bf, iron: 0x5f6e7c, good: 0x3fa66b, gone: 0xd7443e };
