#!/bin/bash
# check_docs.sh - do the pages tell the truth? Compiles and runs every C program in README.md and in pages of docs/, compares what it prints
# with the text block that follows it, and with its file in docs/ if its first line names one. Looks up the pages' links.
# Usage: tools/check_docs.sh [TREE], a build tree with libpliant.a and libpliant_kelvin.a, `build` by default. The last line is
# `N passed, N failed`.
set -uo pipefail
cd "$( dirname "$0" )/.."

tree=$( realpath "${1:-build}" )
root=$PWD
temporary=$( mktemp -d )
trap 'rm -rf "$temporary"' EXIT
passed=0
failed=0

# check NAME COMMAND… - one test; what it printed is shown if it fails.
check()
{
	local name=$1
	shift
	if "$@" > "$temporary/log" 2>&1
	then
		passed=$(( passed + 1 ))
		echo "pass $name"
	else
		failed=$(( failed + 1 ))
		echo "FAIL $name"
		sed 's/^/  /' "$temporary/log"
	fi
}

# Every C block of a page as PAGE-1.c, PAGE-2.c …; a text block right after it is what it prints: PAGE-1.txt.
extract()
{
	awk -v base="$temporary/$1" '
		/^```c$/ { count++; out = base "-" count ".c"; next }
		/^```text$/ && count > 0 { out = base "-" count ".txt"; next }
		/^```/ { out = ""; next }
		out != "" { print > out }' "$2"
}

runs()
{
	local program=${1%.c} libraries=( "$tree/libpliant.a" )
	if grep -q 'pliant/kelvin\.h' "$1"
	then
		libraries=( "$tree/libpliant_kelvin.a" "$tree/libpliant.a" $( pkg-config --libs lapacke openblas ) )
	fi
	"${CC:-cc}" -std=c17 -Wall -Wextra -Wpedantic -Werror -Iinclude "$1" "${libraries[@]}" -lm -pthread -o "$program" || return 1
	( cd "$temporary" && "$program" > "$program.out" ) || return 1
	[ ! -e "$program.txt" ] || diff "$program.txt" "$program.out"
}

# Paths in [text](path) are relative to the page.
links()
{
	local link code=0
	for link in $( grep -o -E '\]\([^)#]+' "$1" | cut -c 3- | grep -v -E '^[a-z]+:' )
	do
		[ -e "$( dirname "$1" )/$link" ] || { echo "$1: there is no $link"; code=1; }
	done
	return $code
}

extract readme README.md
for page in docs/*.md
do
	extract "$( basename "$page" .md )" "$page"
done
for block in "$temporary"/*.c
do
	name=$( sed -n '1s|^// \([a-z_]*\.c\) - .*|docs/\1|p' "$block" )
	check "run.${name:-README.md}" runs "$block"
	if [ -n "$name" ]
	then
		check "same.$name" diff "$name" "$block"
		echo "$name" >> "$temporary/shown"
	fi
done
check "shown.docs" diff <( ls docs/*.c ) <( sort "$temporary/shown" )
for page in *.md docs/*.md
do
	check "links.$page" links "$page"
done

cd "$root"
echo "$passed passed, $failed failed"
[ $failed = 0 ]
