#!/bin/bash
# fuzz.sh - builds and runs a fuzz target under ASan and UBSan: fuzz.sh command|snapshot|message|scene|mesh [RUNS [SEED]]. Ends with an error if it finds one.
set -euo pipefail
cd "$( dirname "$0" )/.."

name=${1:?which: command, snapshot, message, scene or mesh}
runs=${2:-20000}
seed=${3:-1}
tree=build/fuzz
cmake -S . -B $tree --log-level=WARNING -DCMAKE_C_COMPILER=clang-14 -DCMAKE_BUILD_TYPE=RelWithDebInfo "-DCMAKE_C_FLAGS_RELWITHDEBINFO=-O1 -g" \
	-DPLIANT_SANITIZE=address -DPLIANT_FUZZ=ON
cmake --build $tree --parallel "$( nproc )" --target "fuzz_$name"
mkdir -p "$tree/corpus-$name"
options=( -artifact_prefix="$tree/" -runs="$runs" -seed="$seed" -max_len=4096 -timeout=60 -rss_limit_mb=4096 -print_final_stats=1 )
if [ "$name" = command ]
then
	options+=( -dict=test/fuzz/commands.txt )
	# Each word by itself, and all after one another, to begin with
	grep -o '^"[^"]*"$' test/fuzz/commands.txt | tr -d '"' | grep -v x0a > "$tree/corpus-$name/all"
	split -l 1 -d -a 3 "$tree/corpus-$name/all" "$tree/corpus-$name/word-"
fi
if [ "$name" = scene ]
then
	cp scenes/files/*.scene.json test/scenes/wrong/*.scene.json "$tree/corpus-$name/"
elif [ "$name" = mesh ]
then
	# The first letter says the format: see test/fuzz/fuzz_mesh.c
	for file in test/fuzz/meshes/* test/scenes/wrong/*.obj scenes/files/*.msh
	do
		{ printf '%s' "$( sed -E 's/.*\.(.).*/\1/' <<< "$file" )"; cat "$file"; } > "$tree/corpus-$name/$( basename "$file" )"
	done
fi
"$tree/fuzz_$name" "${options[@]}" "$tree/corpus-$name"
