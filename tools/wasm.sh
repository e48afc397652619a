#!/bin/bash
# wasm.sh - builds the library and what is on top of it into one WebAssembly module: wasm.sh [FILE.wasm [scenes|room]]
# scenes, for tests, needs no imports; room is the page's, and imports a clock.
set -euo pipefail
cd "$( dirname "$0" )/.."

out=${1:-build/scenes.wasm}
kind=${2:-scenes}
mkdir -p "$( dirname "$out" )"
sources=()
for source in src/base/*.c src/contact/*.c src/cut/*.c src/response/*.c src/soft/*.c scenes/*.c
do
	case "$source" in
		*/match_w8.c | */match_w16.c) ;; # wider than WebAssembly's vectors
		*) sources+=( "$source" ) ;;
	esac
done
if [ "$kind" = room ]
then
	sources+=( room/*.c web/module/exports.c )
	options=( -Iroom -Wl,--wrap=pnNow )
else
	sources+=( test/wasm/exports.c )
	options=()
fi
# Clang 14's SLP vectoriser makes splats of doubles that its WebAssembly back end then reads again after they have been overwritten: other bits.
clang-14 --target=wasm32-wasi -std=gnu17 -O3 -msimd128 -ffp-contract=off -fno-slp-vectorize -fno-math-errno -Wall -Wextra -DNDEBUG \
	-mexec-model=reactor -Iinclude -Iscenes "${options[@]}" "${sources[@]}" -Wl,--strip-debug -o "$out"
