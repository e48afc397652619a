// vite.replay.config.js - the player of runs as one file, replay.html, with its script and styles in it: `pliant run --out FILE.html` writes
// frames after it. Its body is left open for them.
import { defineConfig } from 'vite';

/** Puts scripts and styles into the page. */
function inline()
{
	return {
		name: 'inline', enforce: 'post',
		generateBundle( _, bundle )
		{
			const page = Object.values( bundle ).find( ( file ) => file.fileName.endsWith( '.html' ) );
			let html = String( page.source );
			for ( const [ name, file ] of Object.entries( bundle ) )
			{
				const end = name.split( '/' ).pop().replaceAll( '.', '\\.' );
				if ( name.endsWith( '.js' ) )
				{
					html = html.replace( new RegExp( `<script[^>]*src="[^"]*${end}"[^>]*></script>` ), () => `<script type="module">${file.code.replaceAll( '</script', '<\\/script' )}</script>` );
				}
				else if ( name.endsWith( '.css' ) )
				{
					html = html.replace( new RegExp( `<link[^>]*href="[^"]*${end}"[^>]*>` ), () => `<style>${file.source}</style>` );
				}
				else
				{
					continue;
				}
				delete bundle[name];
			}
			page.source = html.replace( /\s*<\/body>\s*<\/html>\s*$/, '\n' );
		},
	};
}

export default defineConfig( {
	base: './',
	publicDir: false,
	build: {
		outDir: process.env.PLIANT_PAGE ?? '../build/page', emptyOutDir: false, target: 'es2022', chunkSizeWarningLimit: 3000, cssCodeSplit: false,
		assetsInlineLimit: 1e9, modulePreload: false, rollupOptions: { input: 'replay.html', output: { codeSplitting: false } },
	},
	plugins: [ inline() ],
} );
