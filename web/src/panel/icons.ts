// icons.ts - small drawings for buttons, on a grid of 24. Strokes only.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT

const paths: Record<string, string> = {
	grab: 'M8 12V6.5a1.5 1.5 0 0 1 3 0V11 M11 10.5V5a1.5 1.5 0 0 1 3 0v5.5 M14 10.5V6.5a1.5 1.5 0 0 1 3 0V14c0 4-2 6.500-5.500 6.500-3 0-4.500-1.500-6-4.500l-1.500-3a1.400 1.400 0 0 1 2.400-1.400L8 13',
	lock: 'M6 11h12v9H6z M8.500 11V8a3.500 3.500 0 0 1 7 0v3 M12 14.500v2',
	push: 'M13 12a4.500 4.500 0 1 0 9 0 4.500 4.500 0 1 0-9 0 M2 12h8 M7 9l3 3-3 3',
	cut: 'M4 7a2.500 2.500 0 1 0 5 0 2.500 2.500 0 1 0-5 0 M4 17a2.500 2.500 0 1 0 5 0 2.500 2.500 0 1 0-5 0 M8.700 8.500L20 17 M8.700 15.500L20 7',
	incise: 'M20 4L10 14l-2 4 4-2L21 6c0.500-1-0.500-2-1-2z M3 20c3-1.500 4-1.500 6 0s4 1.500 6 0 4-1.500 6 0',
	add: 'M12 3l8 4.500v9L12 21l-8-4.500v-9z M12 8.500v7 M8.500 12h7',
	throw: 'M3 20C5 10 11 6 17 8 M13.500 5.500L17.500 8l-2.500 4 M16 17.500a2.500 2.500 0 1 0 5 0 2.500 2.500 0 1 0-5 0',
	remove: 'M5 7h14 M9 7V4.500h6V7 M7 7l1 13h8l1-13 M10.500 11v5 M13.500 11v5',
	undo: 'M8 5L4 9l4 4 M4 9h9a6 6 0 0 1 0 12h-3',
	redo: 'M16 5l4 4-4 4 M20 9h-9a6 6 0 0 0 0 12h3',
	pause: 'M8 5v14 M16 5v14',
	play: 'M7 4.500v15l12-7.500z',
	step: 'M6 5v14l9-7z M19 5v14',
	slow: 'M3 17c0-6 4-10 8-10 5 0 7 4 7 8v2H3z M18 12c2-1 4 0 4 2s-2 3-4 3 M7 17v2 M14 17v2',
	reset: 'M5 12a7 7 0 1 1 2 5 M5 18v-5h5',
	panel: 'M4 7h10 M18 7h2 M4 17h2 M10 17h10 M14 5v4 M8 15v4',
	meters: 'M4 20V10 M10 20V4 M16 20v-8 M21 20H3',
	help: 'M9 9a3 3 0 1 1 4 2.800c-1 .5-1 1.200-1 2.200 M12 17.500v.5 M3 12a9 9 0 1 0 18 0 9 9 0 1 0-18 0',
	people: 'M5.500 8.500a3.500 3.500 0 1 0 7 0 3.500 3.500 0 1 0-7 0 M2.500 20c0-4 3-6 6.500-6s6.500 2 6.500 6 M15 5.300a3.500 3.500 0 0 1 0 6.400 M17.500 14.500c2.500.700 4 2.700 4 5.500',
	theme: 'M12 4a8 8 0 1 0 8 8 6 6 0 0 1-8-8z',
};

export function iconButton( name: string, label: string, onClick: () => void ): HTMLButtonElement
{
	const button = document.createElement( 'button' );
	button.className = 'icon';
	button.dataset.name = name;
	button.title = label;
	button.setAttribute( 'aria-label', label );
	setIcon( button, name );
	button.addEventListener( 'click', onClick );
	return button;
}

export function setIcon( button: HTMLButtonElement, name: string ): void
{
	button.innerHTML = `<svg viewBox="0 0 24 24" aria-hidden="true"><path d="${paths[name]}"/></svg>`;
}
