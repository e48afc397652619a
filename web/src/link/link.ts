// link.ts - what the page talks to: commands out, frames in. Where the room runs is a link's own affair.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
import type { Frame } from './frame.ts';

export type Shading = 'none' | 'stretch' | 'plastic' | 'speed' | 'contact' | 'clusters';
export const shadings: Shading[] = [ 'none', 'stretch', 'plastic', 'speed', 'contact', 'clusters' ]; // as pnShading counts

export interface Catalogue
{
	scenes: { name: string; text: string }[];
	solids: string[];
	materials: { name: string; values: number[] }[]; // in the order of materialFields
}

/** How well the room keeps up. */
export interface Pace
{
	share: number; // of real time that simulated time passes at, 1 is all of what was asked
	stepMilliseconds: number;
	paused: boolean;
	speed: number; // asked for
	behind: number; // steps that another room is ahead
}

export interface Link
{
	readonly owner: number; // whose hands ours are
	readonly catalogue: Catalogue;
	readonly knowsRays: boolean; // `ask ray` is answered in frames; else whoever draws must know
	onFrame: ( frame: Frame ) => void;
	onPace: ( pace: Pace ) => void;
	onFailure: ( text: string ) => void; // the room is no more
	/** Lines of commands, applied before the next step. Returns the number that answers will have. */
	send( commands: string ): number;
	/** The frame was used: the next one may come. */
	ready(): void;
	setShading( shading: Shading ): void;
	setPaused( paused: boolean ): void;
	setSpeed( speed: number ): void;
	step( count: number ): Promise<void>; // at once, while paused
	hash(): Promise<string>;
	script(): Promise<string>;
	save(): Promise<Uint8Array<ArrayBuffer>>;
	/** A world or a baked response, told apart by their first bytes. */
	open( bytes: ArrayBuffer ): Promise<'world' | 'response'>;
	/** Back from a response to the room. */
	closeResponse(): Promise<void>;
}
