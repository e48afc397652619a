#!/bin/bash
# fetch_bunny.sh - brings the Stanford bunny from npm (package bunny 1.0.1, public domain) as DIR/bunny.obj; silent if it is there.
# Usage: tools/fetch_bunny.sh [DIR], the build tree, `build` by default.
set -euo pipefail

directory=${1:-$( cd "$( dirname "$0" )/.." && pwd )/build}
if [ -e "$directory/bunny.obj" ]
then
	exit 0
fi
for program in node npm tar
do
	if ! command -v "$program" > /dev/null
	then
		echo "fetch_bunny.sh: there is no $program here; on Debian: apt-get install nodejs npm" >&2
		exit 1
	fi
done
mkdir -p "$directory"
temporary=$( mktemp -d )
trap 'rm -rf "$temporary"' EXIT
echo "Fetching the Stanford bunny: bunny 1.0.1 from npm"
cd "$temporary"
if ! npm pack --silent bunny@1.0.1 > /dev/null 2> npm.txt
then
	echo "fetch_bunny.sh: npm could not fetch bunny 1.0.1:" >&2
	tail -n 3 npm.txt >&2
	exit 1
fi
tar xzf bunny-1.0.1.tgz
node -e '
	const bunny = require( "./package" )
	if ( bunny.positions.length !== 1839 || bunny.cells.length !== 3674 )
		throw new Error( "this is another bunny" )
	const lines = [ ...bunny.positions.map( p => "v " + p.join( " " ) ), ...bunny.cells.map( c => "f " + c.map( i => i + 1 ).join( " " ) ) ]
	require( "fs" ).writeFileSync( "bunny.obj", lines.join( "\n" ) + "\n" )'
cd - > /dev/null
mv "$temporary/bunny.obj" "$directory/bunny.obj"
