#!/bin/bash
# prepare.sh - makes DIR ready for run_pile.mjs: peers from npm, our own module by clang: prepare.sh DIR
# The last line on stdout says what is there, or, if the exit code is not 0, what is missing.
set -uo pipefail
here=$( cd "$( dirname "$0" )" && pwd )
root=$( cd "$here/../.." && pwd )
mkdir -p "$1" && cd "$1" || exit 1

for program in node npm
do
	if ! command -v "$program" > /dev/null
	then
		echo "there is no $program here"
		exit 1
	fi
done

cp "$here"/*.mjs "$here/package.json" . || exit 1
# npm ci deletes what is there and starts anew: only when the lock file is another one
if ! cmp -s "$here/package-lock.json" package-lock.json || [ ! -e node_modules/.package-lock.json ]
then
	cp "$here/package-lock.json" .
	if ! npm ci --no-audit --no-fund --ignore-scripts --loglevel=error > npm.log 2>&1
	then
		rm -f package-lock.json
		echo "npm could not install the peers: $( grep -m 1 -i error npm.log | tr -d '"\\' | cut -c 1-80 )"
		exit 1
	fi
fi

sources=()
for source in "$root"/src/base/*.c "$root"/src/contact/*.c "$root"/src/soft/*.c "$root"/scenes/shape.c "$root"/bench/pile_scene.c \
	"$root"/bench/pile_world.c "$here"/exports.c
do
	case "$source" in
		*_w8.c | *_w16.c | *\**) ;; # wider than WebAssembly's vectors
		*) sources+=( "$source" ) ;;
	esac
done
# without our module the peers still run; pile.why says why it is not there
rm -f pile.wasm
if ! command -v clang-14 > /dev/null
then
	echo "there is no clang-14 here" > pile.why
elif ! clang-14 --target=wasm32-wasi -std=gnu17 -O3 -msimd128 -ffp-contract=off -fno-math-errno -DNDEBUG -mexec-model=reactor \
	-I"$root/include" -I"$root/scenes" "${sources[@]}" -Wl,--strip-debug -o pile.wasm > clang.log 2>&1
then
	echo "clang could not build our module: $( grep -m 1 -i error clang.log | tr -d '"\\' | sed "s|$root/||g" | cut -c 1-80 )" > pile.why
fi
echo "installed by npm into $1: $( cd node_modules && for p in @dimforge/rapier3d-compat jolt-physics; do sed -n "s|.*\"version\": \"\([^\"]*\)\".*|$p \1|p" $p/package.json | head -n 1; done | paste -sd, | sed 's/,/, /g' )"
