#!/bin/bash
# wasm.sh - builds the library and the scenes into one WebAssembly module for tests: wasm.sh [FILE.wasm]
set -euo pipefail
cd "$( dirname "$0" )/.."

out=${1:-build/scenes.wasm}
mkdir -p "$( dirname "$out" )"
sources=()
for source in src/base/*.c src/contact/*.c src/cut/*.c src/response/*.c src/soft/*.c scenes/*.c test/wasm/exports.c
do
	case "$source" in
		*/match_w8.c | */match_w16.c) ;; # wider than WebAssembly's vectors
		*) sources+=( "$source" ) ;;
	esac
done
clang-14 --target=wasm32-wasi -std=gnu17 -O3 -msimd128 -ffp-contract=off -fno-math-errno -Wall -Wextra -DNDEBUG \
	-mexec-model=reactor -Iinclude -Iscenes "${sources[@]}" -Wl,--strip-debug -o "$out"
