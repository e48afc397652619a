// meters.ts - what a step costs and what the world is doing, as numbers and small plots. Knows frames, no link.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
import type { Meters } from '../link/frame.ts';

const stages = [
	{ name: 'match', color: '#4c8bd6' }, { name: 'points', color: '#57a773' }, { name: 'broad', color: '#e0a94a' },
	{ name: 'narrow', color: '#d9774a' }, { name: 'solve', color: '#b8402f' }, { name: 'other', color: '#9a94a8' },
] as const;
const leastCost = 0.5; // ms: what sleepers cost is noise, and no mountains
const kept = 120; // values of a plot

export class MeterPanel
{
	private readonly history: Meters[] = [];
	private readonly rows = new Map<string, HTMLElement>();
	private readonly cost: HTMLCanvasElement;
	private readonly energy: HTMLCanvasElement;
	private readonly small: { canvas: HTMLCanvasElement; value: ( meters: Meters ) => number }[] = [];
	private shown = 0;

	constructor( private readonly holder: HTMLElement )
	{
		const row = ( name: string, plotted?: ( meters: Meters ) => number ): void =>
		{
			const line = document.createElement( 'div' ), value = document.createElement( 'b' );
			line.className = 'row';
			line.append( name );
			if ( plotted !== undefined )
			{
				const canvas = document.createElement( 'canvas' );
				line.append( canvas );
				this.small.push( { canvas, value: plotted } );
			}
			line.append( value );
			this.rows.set( name, value );
			holder.append( line );
		};
		row( 'step' );
		this.cost = document.createElement( 'canvas' );
		holder.append( this.cost );
		const key = document.createElement( 'div' );
		key.className = 'key';
		key.innerHTML = stages.map( ( stage ) => `<span><i style="background:${stage.color}"></i>${stage.name}</span>` ).join( '' );
		holder.append( key );
		row( 'energy' );
		this.energy = document.createElement( 'canvas' );
		holder.append( this.energy );
		row( 'bodies', ( meters ) => meters.awake );
		row( 'points', ( meters ) => meters.points );
		row( 'clusters' );
		row( 'contacts', ( meters ) => meters.contacts );
		row( 'deepest', ( meters ) => meters.depth );
		row( 'memory' );
	}

	/** Another scene: its plots begin anew. */
	clear(): void
	{
		this.history.length = 0;
	}

	take( meters: Meters ): void
	{
		this.history.push( meters );
		if ( this.history.length > kept )
		{
			this.history.shift();
		}
	}

	show( now: number ): void
	{
		const m = this.history.at( -1 );
		if ( this.holder.hidden || m === undefined || now - this.shown < 120 )
		{
			return;
		}
		this.shown = now;
		const set = ( name: string, text: string ) => this.rows.get( name )!.textContent = text;
		set( 'step', `${m.times.step.toFixed( 2 )} ms` );
		set( 'energy', `${( m.kinetic + m.elastic ).toPrecision( 3 )} J` );
		set( 'bodies', m.awake === m.bodies ? `${m.bodies}` : `${m.bodies}, ${m.awake} awake` );
		set( 'points', m.points.toLocaleString( 'en' ) );
		set( 'clusters', m.clusters.toLocaleString( 'en' ) );
		set( 'contacts', `${m.contacts}` );
		set( 'deepest', `${( 1000 * m.depth ).toFixed( 1 )} mm` );
		set( 'memory', `${m.megabytes.toFixed( 1 )} MB` );
		this.plot( this.cost, stages.map( ( stage ) => ( { color: stage.color, values: this.history.map( ( one ) => one.times[stage.name] ) } ) ), leastCost );
		this.plot( this.energy, [
			{ color: '#4c8bd6', values: this.history.map( ( one ) => one.kinetic ) }, { color: '#b8402f', values: this.history.map( ( one ) => one.elastic ) },
		] );
		for ( const { canvas, value } of this.small )
		{
			this.plot( canvas, [ { color: '#9a94a8', values: this.history.map( value ) } ] );
		}
	}

	/** One upon another; least: what fills the plot at least. */
	private plot( canvas: HTMLCanvasElement, series: { color: string; values: number[] }[], least = 1e-6 ): void
	{
		const ratio = Math.min( 2, devicePixelRatio ), width = Math.round( canvas.clientWidth * ratio ), height = Math.round( canvas.clientHeight * ratio );
		if ( canvas.width !== width || canvas.height !== height )
		{
			canvas.width = width;
			canvas.height = height;
		}
		const context = canvas.getContext( '2d' )!;
		context.clearRect( 0, 0, width, height );
		const count = series[0].values.length, sums = new Float64Array( count );
		series.forEach( ( one ) => one.values.forEach( ( value, i ) => sums[i] += Math.max( 0, value ) ) );
		const most = Math.max( least, ...sums );
		const base = new Float64Array( count ), wide = width / kept;
		for ( const one of series )
		{
			context.fillStyle = one.color;
			one.values.forEach( ( value, i ) =>
			{
				const tall = Math.max( 0, value ) / most * height;
				context.fillRect( width - ( count - i ) * wide, height - base[i] - tall, wide + 0.5, tall );
				base[i] += tall;
			} );
		}
	}
}
