// vite.config.js - the page as files that any static host can serve: relative addresses, everything in one folder.
import { defineConfig } from 'vite';

export default defineConfig( {
	base: './',
	build: { outDir: process.env.PLIANT_PAGE ?? '../build/page', emptyOutDir: true, target: 'es2022', chunkSizeWarningLimit: 1500 },
	worker: { format: 'es' },
} );
