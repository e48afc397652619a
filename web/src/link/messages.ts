// messages.ts - what a page and its worker say to each other.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
import type { Catalogue, Pace } from './link.ts';

/** To the worker. Those with an id are answered. */
export type Request =
	| { kind: 'start'; module: string }
	| { kind: 'commands'; owner: number; sequence: number; text: string }
	| { kind: 'ready' }
	| { kind: 'shading'; index: number }
	| { kind: 'paused'; paused: boolean }
	| { kind: 'speed'; speed: number }
	| { kind: 'step'; id: number; count: number }
	| { kind: 'hash' | 'script' | 'save' | 'closeResponse'; id: number }
	| { kind: 'open'; id: number; bytes: ArrayBuffer }
	| { kind: 'follow'; every: number } // another room: its image and its ticks come now; hashes are told every so many steps
	| { kind: 'unfollow' }
	| { kind: 'image'; bytes: ArrayBuffer }
	| { kind: 'tick'; bytes: ArrayBuffer };

/** From the worker. */
export type Reply =
	| { kind: 'started'; catalogue: Catalogue }
	| { kind: 'failed'; text: string }
	| { kind: 'frame'; bytes: ArrayBuffer; heard: number } // of commands
	| { kind: 'pace'; pace: Pace }
	| { kind: 'told'; step: number; hash: string } // of a room that follows
	| { kind: 'lost'; text: string } // it cannot follow any more without an image
	| { kind: 'done'; id: number; value: unknown }
	| { kind: 'error'; id: number; text: string };
