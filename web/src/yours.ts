// yours.ts - your own things: files that are opened or dropped, and what can be saved. Files, link, view and panel put together.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
import { mostBytes, readMesh, solidCommand, solidName } from './files/meshes.ts';
import { Clip, saveFile } from './files/share.ts';
import { spawnCommand } from './hands/add.ts';
import type { Link } from './link/link.ts';
import { copyLink, notice } from './panel/notice.ts';
import type { SettingsPanel } from './panel/settings.ts';
import type { PageStage } from './stage.ts';
import type { View } from './view/view.ts';

/** Says what went wrong; the world goes on as it was. */
async function attempt( action: () => Promise<void>, what = 'This did not work' ): Promise<void>
{
	try
	{
		await action();
	}
	catch ( error )
	{
		notice( `${what}: ${error instanceof Error ? error.message : String( error )}`, true );
	}
}

export class Yours
{
	private readonly clip = new Clip();
	private solids: string[];

	/** scene: the name that files have. */
	constructor( private readonly link: Link, private readonly view: View, private readonly stage: PageStage, private readonly panel: SettingsPanel, private readonly scene: () => string )
	{
		this.solids = [ ...link.catalogue.solids ];
	}

	get isRecording(): boolean
	{
		return this.clip.isRunning;
	}

	/** To files that are chosen, and to those that are dropped anywhere. */
	listen( input: HTMLInputElement, drop: HTMLElement ): void
	{
		input.addEventListener( 'change', () =>
		{
			for ( const file of input.files ?? [] )
			{
				void this.open( file );
			}
			input.value = '';
		} );
		addEventListener( 'dragover', ( event ) =>
		{
			event.preventDefault();
			drop.hidden = false;
		} );
		addEventListener( 'dragleave', ( event ) =>
		{
			drop.hidden = event.relatedTarget === null;
		} );
		addEventListener( 'drop', ( event ) =>
		{
			event.preventDefault();
			drop.hidden = true;
			for ( const file of event.dataTransfer?.files ?? [] )
			{
				void this.open( file );
			}
		} );
	}

	private open( file: File ): Promise<void>
	{
		return attempt( async () =>
		{
			if ( file.size > mostBytes )
			{
				throw new Error( `it has ${Math.round( file.size / 1e6 )} MB, and up to 64 can be taken` );
			}
			const bytes = await file.arrayBuffer();
			if ( /\.(obj|ply|stl|glb)$/i.test( file.name ) )
			{
				await this.bring( file.name, bytes );
				return;
			}
			const what = await this.link.open( bytes ).catch( ( error: unknown ) =>
			{
				// A name that says nothing may still be a world or a response; if it is neither, what it lacks to be one tells people nothing.
				throw /\.(pliant|response)$/i.test( file.name ) ? error : new Error( 'it is no mesh (OBJ, PLY, STL, GLB), no saved world (.pliant) and no baked response' );
			} );
			notice( what === 'world' ? `${file.name} is open.` : `${file.name} is open: drag its handles. Begin anew to come back.` );
		}, `${file.name} cannot be opened` );
	}

	private async bring( fileName: string, bytes: ArrayBuffer ): Promise<void>
	{
		const mesh = await readMesh( fileName, bytes ), name = solidName( fileName );
		const lowest = Math.min( ...mesh.points.map( ( point ) => point[1] ) );
		const goal = this.view.eye.goal;
		const before = this.stage.options.solid;
		this.stage.options.solid = name;
		const height = Math.max( goal[1] + 0.6, ( this.view.bodies.floor ?? 0 ) - lowest + 0.6 );
		this.link.send( `${solidCommand( name, mesh )}\n${spawnCommand( this.stage, [ goal[0], height, goal[2] ] )}` );
		this.stage.options.solid = before;
		this.solids = [ ...new Set( [ ...this.solids, name ] ) ];
		this.panel.addSolid( name, this.solids );
		notice( `${fileName} is soft now${mesh.simplified ? ', a little simplified' : ''}.` );
	}

	saveWorld = (): void => void attempt( async () => saveFile( `${this.scene() || 'world'}.pliant`, await this.link.save(), 'application/octet-stream' ) );
	saveGlb = (): void => void attempt( async () => saveFile( `${this.scene() || 'pliant'}.glb`, await this.view.exportGlb(), 'model/gltf-binary' ) );
	saveScript = (): void => void attempt( async () => saveFile( `${this.scene() || 'pliant'}.txt`, await this.link.script(), 'text/plain' ) );
	copyLink = ( address: string ): void => void copyLink( address );

	async toggleClip(): Promise<void>
	{
		if ( Clip.isPossible === false )
		{
			notice( 'This browser cannot record a clip.', true );
			return;
		}
		if ( this.clip.isRunning )
		{
			saveFile( 'pliant.webm', await this.clip.stop(), 'video/webm' );
		}
		else
		{
			this.clip.start( this.view.canvas );
		}
		this.panel.showClip( this.clip.isRunning );
	}
}
