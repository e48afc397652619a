#!/bin/bash
# page.sh - builds the page into build/page, a folder that any static host can serve: the WebAssembly module, then what npm and Vite make of web/.
# Quick if nothing has changed. Usage: tools/page.sh
set -euo pipefail
cd "$( dirname "$0" )/.."

out=build/page
module=build/room.wasm

# newer FILE PATH… - whether something under the paths is newer than the file, or the file is not there.
newer()
{
	local file=$1
	shift
	[ ! -e "$file" ] || [ -n "$( find "$@" -newer "$file" -type f -print -quit )" ]
}

if newer $module src include scenes room web/module tools/wasm.sh
then
	tools/setup.sh page
	echo "Building the module"
	tools/wasm.sh $module room
fi
if newer web/node_modules/.package-lock.json web/package-lock.json
then
	tools/setup.sh page
	echo "Installing three.js, lil-gui and Vite from npm"
	( cd web && npm ci --silent --no-audit --no-fund && touch node_modules/.package-lock.json )
fi
if newer $out/index.html web/src web/public web/index.html web/package-lock.json web/vite.config.js web/tsconfig.json
then
	echo "Building the page"
	( cd web && npm run --silent build -- --logLevel warn )
fi
# What `pliant run --out FILE.html` begins with. The page's own build empties the folder, so this comes after it.
if newer $out/replay.html $out/index.html web/replay.html web/vite.replay.config.js
then
	( cd web && npx vite build --config vite.replay.config.js --logLevel warn )
fi
if newer $out/room.wasm $module
then
	cp $module $out/room.wasm
fi
