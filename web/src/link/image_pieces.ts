// image_pieces.ts - an image that comes in pieces, in order. Pure: knows no sockets.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT

const mostBytes = 512 * 1024 * 1024;

export class ImagePieces
{
	private image: Uint8Array<ArrayBuffer> | null = null;
	private filled = 0;
	step = 0; // that the image is of

	/** From 0 to 1, of what is on its way. */
	get part(): number
	{
		return this.image === null || this.image.length === 0 ? 0 : this.filled / this.image.length;
	}

	/** The whole of it, once its last piece has come. A piece out of order makes all of it void. */
	take( step: number, size: number, offset: number, bytes: Uint8Array ): ArrayBuffer | null
	{
		if ( offset === 0 )
		{
			this.image = size > 0 && size <= mostBytes ? new Uint8Array( size ) : null;
			this.filled = 0;
			this.step = step;
		}
		if ( this.image === null || offset !== this.filled || step !== this.step || size !== this.image.length || offset + bytes.length > size )
		{
			this.image = null;
			return null;
		}
		this.image.set( bytes, offset );
		this.filled += bytes.length;
		if ( this.filled < size )
		{
			return null;
		}
		const whole = this.image.buffer;
		this.image = null;
		return whole;
	}
}
