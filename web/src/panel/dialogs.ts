// dialogs.ts - the scene picker with its pictures, and the help. Knows no link.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT

function open( dialog: HTMLDialogElement, title: string, body: HTMLElement ): void
{
	const close = document.createElement( 'button' ), head = document.createElement( 'h2' );
	close.className = 'close';
	close.textContent = 'Close';
	close.addEventListener( 'click', () => dialog.close() );
	head.textContent = title;
	dialog.replaceChildren( close, head, body );
	dialog.onclick = ( event ) =>
	{
		if ( event.target === dialog )
		{
			dialog.close();
		}
	};
	dialog.showModal();
}

export function showScenes( dialog: HTMLDialogElement, scenes: { name: string; text: string }[], choose: ( name: string ) => void ): void
{
	const cards = document.createElement( 'div' );
	cards.className = 'cards';
	for ( const scene of scenes )
	{
		const card = document.createElement( 'button' ), picture = document.createElement( 'img' ), name = document.createElement( 'b' ), text = document.createElement( 'span' );
		card.className = 'card';
		card.dataset.scene = scene.name;
		picture.src = `./scenes/${scene.name}.webp`;
		picture.alt = '';
		picture.loading = 'lazy';
		picture.onerror = () =>
		{
			const blank = document.createElement( 'div' ); // a scene that nobody has taken a picture of yet
			blank.className = 'blank';
			picture.replaceWith( blank );
		};
		name.textContent = scene.name;
		text.textContent = scene.text.replace( / \(.*?Fig\..*?\)/, '' );
		card.append( picture, name, text );
		card.addEventListener( 'click', () =>
		{
			dialog.close();
			choose( scene.name );
		} );
		cards.append( card );
	}
	open( dialog, 'Scenes', cards );
}

export function showHelp( dialog: HTMLDialogElement, keys: [ string, string ][] ): void
{
	const body = document.createElement( 'div' ), list = document.createElement( 'dl' ), text = document.createElement( 'p' );
	list.className = 'keys';
	for ( const [ key, meaning ] of keys )
	{
		const row = document.createElement( 'div' ), term = document.createElement( 'dt' ), what = document.createElement( 'dd' );
		term.textContent = key;
		what.textContent = meaning;
		row.append( term, what );
		list.append( row );
	}
	text.textContent = 'Drag anything; several fingers can hold several things. Drag the background to look around, with the right button or two fingers to shift, wheel or pinch to come nearer. '
		+ 'Drop an OBJ, PLY, STL or GLB on the page and it is soft; a saved world (.pliant) or a baked response opens the same way. '
		+ 'Everything works by keyboard too: arrow keys move a cross, Enter presses and lets go.';
	body.append( text, list );
	open( dialog, 'Help', body );
}
