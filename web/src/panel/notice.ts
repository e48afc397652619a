// notice.ts - what the page has to say, in plain words, for a while; or for good, if it cannot go on.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT

const holder = (): HTMLElement => document.getElementById( 'notice' )!;

/** Gone after a few seconds; the same text is not shown twice at once. */
export function notice( text: string, bad = false ): void
{
	for ( const old of holder().children )
	{
		if ( old.textContent === text )
		{
			return;
		}
	}
	const line = document.createElement( 'div' );
	line.textContent = text;
	line.className = bad ? 'bad' : '';
	holder().append( line );
	while ( holder().children.length > 3 )
	{
		holder().firstElementChild!.remove();
	}
	setTimeout( () => line.remove(), bad ? 7000 : 3500 );
}

/** Into the clipboard. Without https a page has none; then the old way, and if that is forbidden too the link is shown to be copied by hand. */
export async function copyLink( address: string ): Promise<void>
{
	let isCopied = true;
	try
	{
		await navigator.clipboard.writeText( address );
	}
	catch
	{
		const area = document.createElement( 'textarea' );
		area.value = address;
		document.body.append( area );
		area.select();
		isCopied = document.execCommand( 'copy' );
		area.remove();
	}
	if ( isCopied )
	{
		notice( 'The link is in your clipboard.' );
	}
	else
	{
		prompt( 'Copy this link', address );
	}
}

/** One line that stays until it is taken back. */
export function standing( key: string, text: string | null ): void
{
	let line = holder().querySelector<HTMLElement>( `[data-key="${key}"]` );
	if ( text === null )
	{
		line?.remove();
		return;
	}
	if ( line === null )
	{
		line = document.createElement( 'div' );
		line.dataset.key = key;
		holder().prepend( line );
	}
	if ( line.textContent !== text )
	{
		line.textContent = text;
	}
}

/** Instead of everything. alone: where the page is without the room that cannot be had. */
export function giveUp( title: string, text: string, alone?: string ): void
{
	const plain = document.createElement( 'div' );
	plain.className = 'plain';
	plain.setAttribute( 'role', 'alert' );
	const inner = document.createElement( 'div' ), head = document.createElement( 'h1' ), body = document.createElement( 'p' );
	head.textContent = title;
	body.textContent = text;
	inner.append( head, body );
	if ( alone !== undefined )
	{
		const way = document.createElement( 'a' );
		way.href = alone;
		way.textContent = 'Go on alone';
		way.addEventListener( 'click', ( event ) =>
		{
			// Where only what follows the # differs, nothing would be loaded
			event.preventDefault();
			history.replaceState( null, '', alone );
			location.reload();
		} );
		inner.append( way );
	}
	plain.append( inner );
	document.body.append( plain );
}
