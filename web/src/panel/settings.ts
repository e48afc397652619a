// settings.ts - the panel: material, world, view, what tools use, your own things. Tells what was changed; knows no link and no three.js.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
import GUI, { type Controller } from 'lil-gui';
import type { ToolOptions } from '../hands/tool.ts';
import { caps, materialFields, modes } from '../link/frame.ts';
import { shadings, type Catalogue, type Shading } from '../link/link.ts';

/** What the panel asks for. */
export interface Wishes
{
	material( target: 'all' | 'touched', change: string ): void; // as the command has it
	gravity( down: number ): void;
	rate( hertz: number ): void;
	substeps( count: number ): void;
	speed( factor: number ): void;
	still( still: boolean ): void;
	shading( shading: Shading ): void;
	open(): void;
	saveWorld(): void;
	copyLink(): void;
	saveGlb(): void;
	saveScript(): void;
	clip(): void;
	invite: ( () => void ) | null; // others, into a room; null: they are here
}

type Field = typeof materialFields[number];

/** From, to, step, and what it is. */
const sliders: Partial<Record<Field, [ number, number, number, string ]>> = {
	hertz: [ 0.5, 60, 0.1, 'how fast it swings back, cycles a second' ],
	damping: [ 0, 2, 0.01, '0 swings for ever, 1 returns without swinging' ],
	stretch: [ 0, 1, 0.01, 'how far it gives way' ],
	volume: [ 0, 10, 0.1, 'how strongly it keeps its volume' ],
	friction: [ 0, 1.5, 0.01, 'of its surface' ],
	restitution: [ 0, 1, 0.01, 'how much of a hard hit it gives back' ],
	density: [ 20, 8000, 10, 'kg/m³' ],
	tear: [ 0, 5, 0.05, 'stretch past which it tears; 0 never' ],
	toughness: [ 0, 500, 1, 'J/m²: what a tear must be paid; 0 brittle' ],
	yield: [ 0, 0.5, 0.005, 'strain past which it keeps a dent; 0 never' ],
	creep: [ 0, 60, 0.5, 'how fast it gives way for good, 1/s' ],
	maxplastic: [ 0, 2, 0.01, 'the largest dent, as strain' ],
	hardening: [ 0, 5, 0.05, 'dents make it harder' ],
	recovery: [ 0, 2, 0.01, 'how fast dents heal, 1/s' ],
	alpha: [ 0, 1, 0.01, 'the paper’s raw pull per step; 0: not used' ],
	capstart: [ 1, 3, 0.01, 'stretch at which the cap sets in' ],
	capend: [ 1, 4, 0.01, 'stretch that is never passed' ],
};
const more: Field[] = [ 'tear', 'toughness', 'yield', 'creep', 'maxplastic', 'hardening', 'recovery', 'alpha', 'cap', 'capstart', 'capend' ];

export class SettingsPanel
{
	private readonly gui: GUI;
	private readonly values: Record<string, number | string> = { preset: '', target: 'everything' };
	private readonly world = { gravity: 9.81, rate: 60, substeps: 4, speed: 1, 'plays by itself': true };
	private readonly look = { colour: 'none' as Shading };
	private readonly fields = new Map<Field, Controller>();
	private readonly clipButton: Controller;
	private quiet = false; // values come from the world, not from a person

	constructor( holder: HTMLElement, catalogue: Catalogue, private readonly options: ToolOptions, private readonly wishes: Wishes )
	{
		this.gui = new GUI( { container: holder, title: 'Settings' } );
		this.addMaterial( catalogue );
		this.addTools( catalogue );
		this.addWorld();
		const look = this.gui.addFolder( 'View' );
		look.add( this.look, 'colour', shadings ).name( 'colour by' ).onChange( ( value: Shading ) => wishes.shading( value ) );
		const yours = this.gui.addFolder( 'Yours' );
		yours.add( { open: () => wishes.open() }, 'open' ).name( 'Open a file…' );
		yours.add( { save: () => wishes.saveWorld() }, 'save' ).name( 'Save this world' );
		yours.add( { link: () => wishes.copyLink() }, 'link' ).name( 'Copy a link' );
		yours.add( { glb: () => wishes.saveGlb() }, 'glb' ).name( 'Save as GLB' );
		this.clipButton = yours.add( { clip: () => wishes.clip() }, 'clip' ).name( 'Record a clip' );
		yours.add( { script: () => wishes.saveScript() }, 'script' ).name( 'Save the commands' );
		if ( wishes.invite !== null )
		{
			yours.add( { invite: wishes.invite }, 'invite' ).name( 'Open a room for others' );
		}
		look.close();
		yours.close();
	}

	private addMaterial( catalogue: Catalogue ): void
	{
		const folder = this.gui.addFolder( 'Material' );
		let rest: GUI | null = null; // comes after what most people want
		const target = (): 'all' | 'touched' => this.values.target === 'everything' ? 'all' : 'touched';
		const change = ( text: string ): void =>
		{
			if ( this.quiet === false )
			{
				this.wishes.material( target(), text );
			}
		};
		folder.add( this.values, 'target', [ 'everything', 'what I touched last' ] ).name( 'of' );
		this.values.preset = 'as it is';
		folder.add( this.values, 'preset', [ 'as it is', ...catalogue.materials.map( ( one ) => one.name ) ] ).name( 'like' ).onChange( ( name: string ) =>
		{
			const preset = catalogue.materials.find( ( one ) => one.name === name );
			if ( preset !== undefined )
			{
				change( `preset ${name}` );
				this.showMaterial( preset.values );
			}
		} );
		const usual = [ 'mode', ...Object.keys( sliders ) ].filter( ( field ) => more.includes( field as Field ) === false ) as Field[];
		// A field that has no place in these lists yet comes last, as a plain number.
		for ( const field of new Set( [ ...usual, ...more, ...materialFields ] ) )
		{
			rest = usual.includes( field ) ? null : rest ?? folder.addFolder( 'More' );
			const parent = rest ?? folder, slider = sliders[field];
			const names = field === 'mode' ? modes : field === 'cap' ? caps : null;
			this.values[field] = names?.[0] ?? slider?.[0] ?? 0;
			const controller = slider !== undefined ? parent.add( this.values, field, slider[0], slider[1], slider[2] ) : names !== null ? parent.add( this.values, field, names ) : parent.add( this.values, field );
			controller.onChange( ( value: number | string ) => change( `${field} ${value}` ) );
			controller.domElement.title = slider?.[3] ?? '';
			this.fields.set( field, controller );
		}
		rest?.close();
		this.showMaterial( catalogue.materials.find( ( one ) => one.name === 'rubber' )?.values ?? null );
	}

	private addTools( catalogue: Catalogue ): void
	{
		const folder = this.gui.addFolder( 'Tools' );
		const paint = { colour: '#e2574c', 'own colour': true };
		const setColor = (): void =>
		{
			this.options.color = paint['own colour'] ? 0 : parseInt( paint.colour.slice( 1 ), 16 );
		};
		this.solidController = folder.add( this.options, 'solid', catalogue.solids ).name( 'add, throw' );
		folder.add( this.options, 'preset', { 'its own': '', ...Object.fromEntries( catalogue.materials.map( ( one ) => [ one.name, one.name ] ) ) } ).name( 'made of' );
		folder.add( paint, 'own colour' ).onChange( setColor );
		folder.addColor( paint, 'colour' ).onChange( () =>
		{
			paint['own colour'] = false;
			setColor();
			folder.controllersRecursive().forEach( ( one ) => one.updateDisplay() );
		} );
		folder.add( this.options, 'throwSpeed', 1, 25, 0.5 ).name( 'throw, m/s' );
		folder.add( this.options, 'pushRadius', 0.05, 0.8, 0.01 ).name( 'push ball, m' );
		folder.add( this.options, 'cutDepth', 0.02, 0.8, 0.01 ).name( 'incision, m' );
		folder.close();
	}
	private solidController!: Controller;

	private addWorld(): void
	{
		const folder = this.gui.addFolder( 'World' );
		const tell = <T>( wish: ( value: T ) => void ) => ( value: T ): void =>
		{
			if ( this.quiet === false )
			{
				wish( value );
			}
		};
		folder.add( this.world, 'gravity', -5, 20, 0.01 ).onChange( tell( this.wishes.gravity ) );
		folder.add( this.world, 'rate', 30, 240, 1 ).name( 'steps a second' ).onChange( tell( this.wishes.rate ) );
		folder.add( this.world, 'substeps', 1, 16, 1 ).onChange( tell( this.wishes.substeps ) );
		folder.add( this.world, 'speed', 0.05, 1, 0.05 ).name( 'speed of time' ).onChange( tell( this.wishes.speed ) );
		folder.add( this.world, 'plays by itself' ).onChange( tell( ( value: boolean ) => this.wishes.still( value === false ) ) );
		folder.close();
	}

	/** Someone brought a solid. */
	addSolid( name: string, solids: string[] ): void
	{
		this.options.solid = name;
		this.solidController = this.solidController.options( solids ).name( 'add, throw' );
	}
	showMaterial( values: number[] | null ): void
	{
		if ( values === null )
		{
			return;
		}
		this.quiet = true;
		for ( const [ field, controller ] of this.fields )
		{
			const value = values[materialFields.indexOf( field )];
			this.values[field] = field === 'mode' ? modes[value] : field === 'cap' ? caps[value] : +value.toPrecision( 6 );
			controller.updateDisplay();
		}
		this.quiet = false;
	}
	showWorld( world: Partial<{ gravity: number; rate: number; substeps: number; speed: number; still: boolean }> ): void
	{
		this.quiet = true;
		const { still, ...rest } = world;
		Object.assign( this.world, rest, still === undefined ? {} : { 'plays by itself': still === false } );
		this.gui.controllersRecursive().forEach( ( controller ) => controller.updateDisplay() );
		this.quiet = false;
	}
	showShading( shading: Shading ): void
	{
		this.look.colour = shading;
		this.gui.controllersRecursive().forEach( ( controller ) => controller.updateDisplay() );
	}
	showClip( running: boolean ): void
	{
		this.clipButton.name( running ? 'Stop, and save the clip' : 'Record a clip' );
	}
	get followsTouch(): boolean
	{
		return this.values.target !== 'everything';
	}
}
