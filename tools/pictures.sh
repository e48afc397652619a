#!/bin/bash
# pictures.sh - draws the pictures of README.md and docs/, and tells whether they are older than the code. docs/pictures/hashes.txt has a line for
# each: its name, what it shows, and a hash of that (of statics, whose last bits are the machine's, the largest displacement).
# Usage: tools/pictures.sh              draws those that show something else than the code now gives, and renews their hashes
#        tools/pictures.sh WORD…        draws those whose name holds one of the words, old or not; `.` draws all
#        tools/pictures.sh --check      draws nothing; fails if a picture shows something else than the code now gives (statics only with PLIANT_LONG)
# A picture shows: `run SCENE OPTIONS`, `solve PROBLEM`, or `page SCENE STEPS`, a screenshot that web/test/pictures.mjs takes.
set -uo pipefail
cd "$( dirname "$0" )/.."
folder=docs/pictures
list=$folder/hashes.txt
tool=${PLIANT_TOOL:-build/pliant}
temporary=$( mktemp -d )
trap 'rm -rf "$temporary"' EXIT

# shown WHAT… - a line that is another if the picture would be.
shown()
{
	case "$1" in
		run) "$tool" run "${@:2}" --quiet --shown --threads "$( nproc )" | sed -n 's/^shown //p' ;;
		solve) "$tool" solve "$2" | sed -n 's/^ *displacement *\([0-9.e+-]*\) m at most.*/\1/p' ;;
		page)
			printf 'load %s\nstep %d\n' "$2" "$3" > "$temporary/script.txt"
			"$tool" replay "$temporary/script.txt" --hash | sed 's/^hash //'
			;;
	esac
}

# same WHAT NOW THEN - whether a picture is as it was: to the bit, or within a hundredth for statics.
same()
{
	[ "$2" = "$3" ] || { [ "$1" = solve ] && [ -n "$2" ] && awk -v a="$2" -v b="$3" 'BEGIN { exit !( a > 0.99 * b && a < 1.01 * b ) }'; }
}

# The bunny is not shipped: without it, its pictures are left as they are.
present()
{
	[ "$1" != solve ] || [[ $2 != bunny* ]] || [ -e build/bunny.obj ]
}

if [ "${1:-}" = --check ]
then
	code=0
	declare -A known
	while IFS=$'\t' read -r name what hash
	do
		known[$name]=1
		[ -e "$folder/$name" ] || { echo "$name is not there"; code=1; }
		present $what || continue
		[ "${what%% *}" != solve ] || [ -n "${PLIANT_LONG:-}" ] || continue # a minute each
		now=${known["$what"]:-$( shown $what )} # several pictures may show the same
		known["$what"]=$now
		same ${what%% *} "$now" "$hash" || { echo "$name is old: '$what' gives $now now, and gave $hash when it was drawn. \`make pictures\` draws it"; code=1; }
	done < "$list"
	for picture in "$folder"/*.png "$folder"/*.jpg
	do
		[ -n "${known[$( basename "$picture" )]:-}" ] || { echo "$( basename "$picture" ) has no line in $list"; code=1; }
	done
	exit $code
fi

# Hashes are asked for once, since several pictures may show the same.
declare -A hashes
pages=0
while IFS=$'\t' read -r name what hash
do
	if present $what
	then
		[ -n "${hashes[$what]:-}" ] || hashes[$what]=$( shown $what )
		now=${hashes[$what]}
		[ -n "$now" ] || { echo "'$what' gives nothing to show" >&2; exit 1; }
		wanted=0
		[ $# != 0 ] || { [ -e "$folder/$name" ] && same ${what%% *} "$now" "$hash"; } || wanted=1
		for word in "$@"
		do
			[[ $name != *"$word"* ]] || wanted=1
		done
		if [ $wanted = 1 ]
		then
			echo "$name" >&2
			case "$what" in
				"run "*) "$tool" $what --quiet --threads "$( nproc )" --png "$folder/$name" || exit 1 ;;
				"solve "*) "$tool" $what --quiet --png "$folder/$name" || exit 1 ;;
				*) pages=1 ;;
			esac
			hash=$now
		fi
	fi
	printf '%s\t%s\t%s\n' "$name" "$what" "$hash" >> "$temporary/list.txt"
done < "$list"
if [ $pages = 1 ]
then
	tools/page.sh && ( cd web && node test/pictures.mjs page ) || exit 1
fi
cp "$temporary/list.txt" "$list"
