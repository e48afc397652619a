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
		*/match_w8.c | */match_w16.c | *_avx2.c) ;; # wider than WebAssembly's vectors
		*) sources+=( "$source" ) ;;
	esac
done
if [ "$kind" = room ]
then
	sources+=( room/*.c web/module/exports.c )
	options=( -Wl,--wrap=pnNow )
else
	sources+=( test/wasm/exports.c )
	options=()
fi
# Clang 14's SLP vectoriser makes splats of doubles that its WebAssembly back end then reads again after they have been overwritten: other bits.
compile=( clang-14 --target=wasm32-wasi -std=gnu17 -O3 -msimd128 -ffp-contract=off -fno-slp-vectorize -fno-math-errno -Wall -Wextra -DNDEBUG -Iinclude -Iscenes -Iroom )
# Objects are shared by both modules, and made anew when their source, any header or this script has changed; as many at once as there are cores.
objects=()
stale=()
newest=$( find src include scenes room web/module test/wasm tools/wasm.sh \( -name '*.h' -o -name wasm.sh \) -printf '%T@ %p\n' | sort -n | tail -n 1 | cut -d ' ' -f 2- )
for source in "${sources[@]}"
do
	object=build/wasm/${source//\//-}.o
	objects+=( "$object" )
	if [ ! -e "$object" ] || [ "$source" -nt "$object" ] || [ "$newest" -nt "$object" ]
	then
		stale+=( "$source" "$object" )
	fi
done
mkdir -p build/wasm
if [ ${#stale[@]} -gt 0 ]
then
	printf '%s\n' "${stale[@]}" | xargs -P "$( nproc )" -n 2 bash -c '"${@:1:$# - 2}" -c "${@: -2:1}" -o "${@: -1}.new" && mv "${@: -1}.new" "${@: -1}"' _ "${compile[@]}"
fi
"${compile[@]}" -mexec-model=reactor "${options[@]}" "${objects[@]}" -Wl,--strip-debug -o "$out"
