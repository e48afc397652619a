#!/bin/bash
# help.sh - man pages and the completion for bash, made from what the program itself says with --help. So there is one source for all three.
# Usage: tools/help.sh PROGRAM FOLDER   writes FOLDER/pliant.1, FOLDER/pliant-COMMAND.1 and FOLDER/pliant.bash
#        tools/help.sh --check          makes them from build/pliant and looks whether they hold every option, and whether completing works
set -euo pipefail

# commandsOf PROGRAM - their names, as its help lists them.
commandsOf()
{
	"$1" --help | awk '/^commands:$/ { on = 1; next } /^$/ { on = 0 } on { print $1 }'
}

# textOf PROGRAM COMMAND - what the list of commands says of one.
textOf()
{
	"$1" --help | awk -v name="$2" '/^commands:$/ { on = 1; next } /^$/ { on = 0 } on && $1 == name { sub( /^ *[^ ]+ +/, "" ); print }'
}

# manPage TITLE ABOUT < HELP - usage, then paragraphs; indented lines are terms with what they mean. `words` become bold.
manPage()
{
	awk -v title="$1" -v about="$2" -v version="$version" '
		function plain( text ) { gsub( /\\/, "\\\\e", text ); gsub( /-/, "\\-", text ); sub( /^\./, "\\\\\\&.", text ); while ( match( text, /`[^`]*`/ ) ) text = substr( text, 1, RSTART - 1 ) "\\fB" substr( text, RSTART + 1, RLENGTH - 2 ) "\\fR" substr( text, RSTART + RLENGTH ); return text }
		BEGIN { upper = toupper( title ); gsub( / /, "-", upper ); print ".TH " upper " 1 \"\" \"pliant " version "\" \"pliant\""; print ".SH NAME"; name = title; gsub( / /, "\\-", name ); print name " \\- " plain( about ) }
		/^pliant - / { next }
		/^usage: / { print ".SH SYNOPSIS"; print ".B " plain( substr( $0, 8 ) ); print ".SH DESCRIPTION"; next }
		/^  +[^ ]/ {
			line = $0; sub( /^ +/, "", line )
			if ( line ~ /^--/ && section != "options" ) { print ".SH OPTIONS"; section = "options" }
			split_at = match( line, /  +/ )
			if ( split_at == 0 && line ~ /^--/ ) split_at = length( line ) + 1
			if ( split_at > 0 ) { print ".TP"; print ".B " plain( substr( line, 1, split_at - 1 ) ); rest = substr( line, split_at ); sub( /^ +/, "", rest ); print plain( rest ) }
			else print plain( line )
			next
		}
		/:$/ { heading = $0; sub( /:$/, "", heading ); sub( / \(.*/, "", heading ); print ".SH " toupper( plain( heading ) ); section = heading; next }
		/^$/ { if ( section != "" && section != "text" ) section = "gap"; gap = 1; next }
		{ if ( section == "gap" ) { print ".SH NOTES"; section = "text" } else if ( gap && said ) print ".PP"; gap = 0; said = 1; print plain( $0 ) }
	'
}

# completion PROGRAM - words for each command and option; scenes and problems are asked for when they are wanted.
completion()
{
	local program=$1 command
	echo "# pliant.bash - completes the words of pliant's command line. Made by tools/help.sh from what --help says."
	echo "_pliant()"
	echo "{"
	echo "	local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} command=\${COMP_WORDS[1]:-} words="
	echo "	COMPREPLY=()"
	echo "	if [ \"\$COMP_CWORD\" = 1 ]"
	echo "	then"
	echo "		COMPREPLY=( \$( compgen -W \"$( commandsOf "$program" | paste -s -d ' ' ) --help --version\" -- \"\$word\" ) )"
	echo "		return"
	echo "	fi"
	echo "	case \"\$command \$before\" in"
	for command in $( commandsOf "$program" )
	do
		# Options that take a value: a list of words where the help has one, else a file.
		"$program" "$command" --help | awk -v command="$command" '
			/^  --[a-z-]+ [^ ]/ {
				help = $0
				sub( /^  --[^ ]+ [^ ]+ +/, "", help )
				sub( /^[a-z ]+: /, "", help ) # of what
				values = ""
				if ( match( help, /^[a-z-]+(, [a-z-]+)+(,? or [a-z-]+)?/ ) ) { values = substr( help, 1, RLENGTH ); gsub( /,? or( |$)|, /, " ", values ) }
				if ( values != "" ) printf "\t\t\"%s %s\") COMPREPLY=( $( compgen -W \"%s\" -- \"$word\" ) ); return ;;\n", command, $1, values
				else if ( $2 ~ /FILE/ ) printf "\t\t\"%s %s\") COMPREPLY=( $( compgen -f -- \"$word\" ) ); return ;;\n", command, $1
				else if ( $2 == "DIR" ) printf "\t\t\"%s %s\") COMPREPLY=( $( compgen -d -- \"$word\" ) ); return ;;\n", command, $1
				else printf "\t\t\"%s %s\") return ;;\n", command, $1
			}'
	done
	echo "	esac"
	echo "	case \"\$command\" in"
	for command in $( commandsOf "$program" )
	do
		echo "		$command) words=\"$( "$program" "$command" --help | awk '/^  --/ { printf "%s ", $1 }' )--help\" ;;"
	done
	echo "	esac"
	echo "	if [[ \$word != -* ]]"
	echo "	then"
	echo "		case \"\$command\" in"
	echo "			run | serve) words=\$( pliant scenes 2> /dev/null | awk '{ print \$1 }' ) ;;"
	echo "			solve) words=\$( pliant solve --list 2> /dev/null | awk '{ print \$1 }' ) ;;"
	echo "			bench) words=\"$( "$program" bench --help | awk '/^  [a-z]+ / { printf "%s ", $1 }' )\" ;;"
	echo "			*) words= ;;"
	echo "		esac"
	echo "		COMPREPLY=( \$( compgen -W \"\$words\" -- \"\$word\" ) \$( compgen -f -- \"\$word\" ) )"
	echo "		return"
	echo "	fi"
	echo "	COMPREPLY=( \$( compgen -W \"\$words\" -- \"\$word\" ) )"
	echo "}"
	echo "complete -o filenames -F _pliant pliant"
}

# make PROGRAM FOLDER
make()
{
	local program=$1 folder=$2 command
	version=$( "$program" --version | sed 's/^pliant //' )
	mkdir -p "$folder"
	{
		"$program" --help | manPage pliant "soft bodies without meshes"
		echo ".SH SEE ALSO"
		commandsOf "$program" | sed 's/.*/.BR pliant\\-& (1)/'
	} > "$folder/pliant.1"
	for command in $( commandsOf "$program" )
	do
		{
			"$program" "$command" --help | manPage "pliant $command" "$( textOf "$program" "$command" )"
			echo ".SH SEE ALSO"
			echo ".BR pliant (1)"
		} > "$folder/pliant-$command.1"
	done
	completion "$program" > "$folder/pliant.bash"
}

# completes EXPECTED WORD… - whether the last word has this among what it can become.
completes()
{
	local expected=$1
	shift
	COMP_WORDS=( "$@" )
	COMP_CWORD=$(( $# - 1 ))
	COMPREPLY=()
	_pliant
	[[ " ${COMPREPLY[*]} " == *" $expected "* ]] || { echo "'$*' does not complete to '$expected' but to '${COMPREPLY[*]}'"; return 1; }
}

check()
{
	local command option count=0
	cd "$( dirname "$0" )/.."
	folder=$( mktemp -d )
	trap 'rm -rf "$folder"' EXIT
	make build/pliant "$folder"
	for command in $( commandsOf build/pliant )
	do
		for option in $( build/pliant "$command" --help | awk '/^  --/ { print $1 }' )
		do
			grep -q -F -- "$( sed 's/-/\\-/g' <<< "$option" )" "$folder/pliant-$command.1" || { echo "pliant-$command.1 lacks $option"; exit 1; }
			grep -q -E "^\s+$command\) words=\".*$option( |\")" "$folder/pliant.bash" || { echo "the completion of $command lacks $option"; exit 1; }
			count=$(( count + 1 ))
		done
		# A page that groff has no complaint about, and that is more than its name.
		if command -v groff > /dev/null
		then
			[ -z "$( groff -man -Tutf8 -ww "$folder/pliant-$command.1" 2>&1 > "$folder/text" )" ] || { groff -man -Tutf8 -ww "$folder/pliant-$command.1" > /dev/null; exit 1; }
			[ "$( wc -l < "$folder/text" )" -gt 8 ] || { echo "pliant-$command.1 is nearly empty"; exit 1; }
		fi
	done
	[ $count -gt 40 ] || { echo "only $count options were found"; exit 1; }
	PATH=$PWD/build:$PATH
	. "$folder/pliant.bash"
	completes run pliant r && completes heap pliant run he && completes --fields pliant run heap --fi && completes cantilever pliant solve can &&
		completes stretch pliant run heap --color st && completes match pliant bench ma && completes --threads pliant replay x --t
	echo "$count options"
}

case "${1:-}" in
	--check) check ;;
	"" | -*) sed -n '2,4s/^# //p' "$0" >&2; exit 2 ;;
	*) make "$1" "${2:?where to?}" ;;
esac
