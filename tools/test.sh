#!/bin/bash
# test.sh - all checks: the tests, the same bits from every build and width and worker count, sanitizers, WebAssembly, rooms for many, the page in a browser, files that others read, packaging.
# Usage: tools/test.sh [PART…], parts: unit hash sanitize mpi wasm room page files package, by default all. The last line is `N passed, N failed`.
set -uo pipefail
cd "$( dirname "$0" )/.."
tools/setup.sh test || exit 1

parts=${*:-unit hash sanitize mpi wasm room page files package}
jobs=$( nproc )
frames=240 # far enough that all scenes have pressed, flowed and let go
logs=build/log
mkdir -p "$logs"
passed=0
failed=0

want()
{
	[[ " $parts " == *" $1 "* ]]
}

# check NAME COMMAND… - one test; what it printed is kept, and shown if it fails.
check()
{
	local name=$1 log="$logs/$1.txt" begin=$SECONDS
	shift
	if "$@" > "$log" 2>&1
	then
		passed=$(( passed + 1 ))
		echo "pass $name $(( SECONDS - begin )) s"
	else
		failed=$(( failed + 1 ))
		echo "FAIL $name (all of it in $log)"
		tail -n 20 "$log" | sed 's/^/  /'
		return 1
	fi
}

# suite NAME COMMAND… - a test program that counts for itself. One that died before its last line counts as one failure.
suite()
{
	local name=$1 log="$logs/$1.txt" code
	shift
	echo "$name: $*"
	"$@" 2>&1 | tee "$log" | sed '/^[0-9]* passed, [0-9]* failed$/d; s/^/  /'
	code=${PIPESTATUS[0]}
	local last
	last=$( grep -E '^[0-9]+ passed, [0-9]+ failed$' "$log" | tail -n 1 ) # a leak report may follow it
	if [[ $last =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed$ ]]
	then
		passed=$(( passed + BASH_REMATCH[1] ))
		failed=$(( failed + BASH_REMATCH[2] ))
		if [ "$code" != 0 ] && [ "${BASH_REMATCH[2]}" = 0 ]
		then
			failed=$(( failed + 1 ))
			echo "FAIL $name: exit code $code (all of it in $log)"
		fi
	else
		failed=$(( failed + 1 ))
		echo "FAIL $name: it ended early, with exit code $code (all of it in $log)"
	fi
	return 0
}

# suites NAME PROGRAM [BUT…] - all suites of a test program but some, as many at once as there are cores.
suites()
{
	local name=$1 program=$2 one
	shift 2
	local names=()
	for one in $( "$program" --list | cut -d . -f 1 | uniq )
	do
		[[ " $* " == *" $one "* ]] || names+=( "$one" )
	done
	printf '%s\n' "${names[@]}" | xargs -P "$jobs" -I '{}' bash -c "\"$program\" {}. > \"$logs/$name.{}.raw\" 2>&1; echo \$? > \"$logs/$name.{}.code\"; echo \$SECONDS > \"$logs/$name.{}.seconds\""
	for one in "${names[@]}"
	do
		suite "$name.$one" told "$name.$one"
	done
	longest "$name" "${names[@]}"
}

# longest NAME ONE… - which of them took longest.
longest()
{
	local name=$1 one
	shift
	echo "$name: the longest took $( for one in "$@"; do echo "$( cat "$logs/$name.${one//\//-}.seconds" ) s $one"; done | sort -rn | head -n 5 | paste -s -d , )"
}

# told NAME - what a suite has printed, and its exit code.
told()
{
	cat "$logs/$1.raw"
	return "$( cat "$logs/$1.code" )"
}

# makeTree DIRECTORY OPTIONS… - configures and builds there.
makeTree()
{
	local directory=$1
	shift
	cmake -S . -B "$directory" --log-level=WARNING "$@" && cmake --build "$directory" --parallel "$jobs"
}

# framesOf SCENE - an eighth for scenes with many bodies: they have met by then, and unoptimised builds are slow.
framesOf()
{
	case " $heavy " in
		*" $1 "*) echo $(( frames / 8 )) ;;
		*) echo $frames ;;
	esac
}

# hashes PROGRAM [OPTIONS…] - a line `NAME hash 0x…` for each scene, in their order; as many scenes at once as there are cores.
hashes()
{
	local folder name
	folder=$( mktemp -d )
	for name in $scenes
	do
		echo "$name $( framesOf "$name" )"
	done | xargs -P "$jobs" -L 1 bash -c 'folder=$1 program=$2 name=${@: -2:1} frames=${@: -1}; "$program" run "$name" --frames "$frames" --hash --quiet "${@:3:$# - 4}" > "$folder/$name" || echo failed > "$folder/$name"' _ "$folder" "$@"
	for name in $scenes
	do
		echo "$name $( tail -n 1 "$folder/$name" )"
	done
	rm -rf "$folder"
}

# same COMMAND… - whether it prints the reference's lines; the rest tells which scenes differ.
same()
{
	"$@" > "$logs/same.txt" || return 1
	diff "$logs/reference.txt" "$logs/same.txt"
}

check build makeTree build -DCMAKE_BUILD_TYPE=Release || { echo "$passed passed, $failed failed"; exit 1; }
scenes=$( build/pliant scenes | awk 'NF { print $1 }' )
heavy=$( build/pliant scenes --heavy | awk 'NF { printf "%s ", $1 }' )
hashes build/pliant --threads 1 > "$logs/reference.txt"

reference()
{
	cat "$logs/reference.txt"
	[ -n "$scenes" ] && [ "$( grep -c -E '^[^ ]+ hash 0x[0-9a-f]{16}$' "$logs/reference.txt" )" = "$( wc -w <<< "$scenes" )" ]
}
check hash.reference reference

if want unit
then
	suites unit build/pliant_test
	suite docs tools/check_docs.sh build
fi

if want mpi
then
	# Four processes on this host come to the answer of one.
	four()
	{
		local mpirun="mpirun --oversubscribe"
		[ "$( id -u )" = 0 ] && mpirun="$mpirun --allow-run-as-root"
		build/variant/mpi/pliant solve test/mpi/bar.json --quiet --out "$logs/one.csv" &&
			$mpirun -n 4 build/variant/mpi/pliant solve --mpi test/mpi/bar.json --quiet --out "$logs/four.csv" &&
			node test/mpi/same.mjs "$logs/one.csv" "$logs/four.csv" 1e-9
	}
	check build.mpi makeTree build/variant/mpi -DCMAKE_BUILD_TYPE=Release -DPLIANT_TESTS=OFF -DPLIANT_MPI=ON && check mpi.four four
fi

if want hash
then
	widths="scalar"
	if [ "$( uname -m )" = x86_64 ]
	then
		flags=" $( grep -m 1 '^flags' /proc/cpuinfo ) "
		widths="scalar sse2"
		[[ $flags == *" avx2 "* ]] && widths="$widths avx2"
		[[ $flags == *" avx512f "* && $flags == *" avx512dq "* && $flags == *" avx512vl "* && $flags == *" avx512bw "* ]] && widths="$widths avx512"
	fi
	for width in $widths
	do
		export PLIANT_SIMD=$width
		check "hash.$width" same hashes build/pliant --threads 1
		unset PLIANT_SIMD
	done
	for threads in 2 3 4 8
	do
		check "hash.threads-$threads" same hashes build/pliant --threads $threads
	done
	# replays - each scene's commands are recorded, and played by three threads come to the hash that they end with.
	replays()
	{
		local name
		for name in $scenes
		do
			build/pliant run "$name" --frames "$( framesOf "$name" )" --quiet --record "$logs/commands.txt" &&
				grep -q '^expect hash 0x' "$logs/commands.txt" &&
				build/pliant run "$name" --quiet --threads 3 --commands "$logs/commands.txt" || { echo "$name"; return 1; }
		done
	}
	check hash.replay replays
	variant()
	{
		local name=$1
		shift
		check "build.$name" makeTree "build/variant/$name" -DPLIANT_TESTS=OFF "$@" &&
			check "hash.$name" same hashes "build/variant/$name/pliant" --threads 2
	}
	variant gcc-O0 -DCMAKE_C_COMPILER=gcc -DCMAKE_BUILD_TYPE=Debug
	variant clang-O0 -DCMAKE_C_COMPILER=clang-14 -DCMAKE_BUILD_TYPE=Debug
	variant clang-O3 -DCMAKE_C_COMPILER=clang-14 -DCMAKE_BUILD_TYPE=Release
	variant gcc-native -DCMAKE_C_COMPILER=gcc -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_FLAGS=-march=native
fi

if want sanitize
then
	# What is read without having been written, which sanitizers do not see. SSE2: valgrind knows no AVX-512. With threads it is slow: they wait for each other in turns.
	written()
	{
		local name
		for name in $scenes
		do
			[[ " $heavy " == *" $name "* ]] || PLIANT_SIMD=sse2 valgrind --quiet --error-exitcode=1 build/pliant run "$name" --threads 1 --frames 30 --quiet || { echo "$name"; return 1; }
		done
		[ -z "${PLIANT_LONG:-}" ] || PLIANT_SIMD=sse2 valgrind --quiet --error-exitcode=1 build/pliant_test state.RestoredPiles
	}
	check memcheck.scenes written
	# All suites but the long ones: energy fuzz, minutes of motion under any clock, large static problems; -O1, because optimising the instrumented kernels takes longer than running them.
	if check build.asan makeTree build/asan -DCMAKE_BUILD_TYPE=RelWithDebInfo -DPLIANT_SANITIZE=address "-DCMAKE_C_FLAGS_RELWITHDEBINFO=-O1 -g"
	then
		suites asan build/asan/pliant_test energy clock spin kelvin_exact kelvin_honest kelvin_parts kelvin_block kelvin_scan $( [ -n "${PLIANT_LONG:-}" ] || echo grab momentum )
		check asan.scenes same hashes build/asan/pliant --threads 2
	fi
	check build.tsan makeTree build/tsan -DCMAKE_BUILD_TYPE=RelWithDebInfo -DPLIANT_SANITIZE=thread "-DCMAKE_C_FLAGS_RELWITHDEBINFO=-O1 -g" &&
		suite tsan.threads build/tsan/pliant_test threads. &&
		check tsan.scenes same hashes build/tsan/pliant --threads 4
fi

if want wasm
then
	# A response made, baked, loaded, held, pushed and moved: the same number as here.
	sameResponse()
	{
		build/pliant_test --response-hash > "$logs/response.native.txt" &&
			node test/wasm/run.mjs build/scenes.wasm response > "$logs/response.wasm.txt" &&
			diff "$logs/response.native.txt" "$logs/response.wasm.txt"
	}
	check build.wasm tools/wasm.sh build/scenes.wasm &&
		check hash.wasm same node test/wasm/run.mjs build/scenes.wasm $frames &&
		check hash.wasm.response sameResponse
fi

# What a test that failed has left open does not keep Node waiting; older ones cannot be told so.
forceExit=$( node --test-force-exit --version > /dev/null 2>&1 && echo --test-force-exit )

# nodeTests NAME FOLDER FILE[@PROGRAM]… - files of tests that Node runs, told as ours are; with a program other than build/pliant where one is named. Two
# at once: each has servers and a browser of its own, none looks at a clock, and most of the time they wait for something.
nodeTests()
{
	local name=$1 folder=$2 one
	shift 2
	printf '%s\n' "$@" | xargs -P 2 -I '{}' bash -c "
		one={}
		[[ \$one == *@* ]] && export PLIANT_TOOL=$PWD/\${one#*@}
		cd \"$folder\" && timeout 3600 node --test $forceExit --test-reporter=tap --test-concurrency=1 \"\${one%@*}.test.mjs\" > \"$PWD/$logs/$name.\${one//\\//-}.tap\" 2>&1
		echo \$? > \"$PWD/$logs/$name.\${one//\\//-}.code\"
		echo \$SECONDS > \"$PWD/$logs/$name.\${one//\\//-}.seconds\""
	for one in "$@"
	do
		suite "$name.${one//\//-}" toldByNode "$name.${one//\//-}"
	done
	longest "$name" "$@"
}

toldByNode()
{
	local tap="$logs/$1.tap" code
	code=$( cat "$logs/$1.code" )
	grep -E '^ *(not )?ok [0-9]+ - ' "$tap" | sed -E 's/^ *not ok [0-9]+ - /FAIL /; s/^ *ok [0-9]+ - /pass /'
	[ "$code" = 0 ] || grep -E 'error:|expected|actual|location:' "$tap"
	echo "$( grep -c -E '^ok ' "$tap" ) passed, $( grep -c -E '^not ok ' "$tap" ) failed"
	return "$code"
}

if want room
then
	# Visitors have the page's module as their own room. Those that mean harm meet servers that watch their memory and their threads, where there are such.
	watched=()
	for kind in asan tsan
	do
		[ -x build/$kind/pliant ] && watched+=( "hostile@build/$kind/pliant" )
	done
	[ ${#watched[@]} = 0 ] && watched=( hostile )
	check room.fuzz tools/fuzz.sh message 3000
	check build.room tools/wasm.sh build/room.wasm room &&
		nodeTests room test/server "${watched[@]}" room faults bits proxy tls soak
fi

if want page
then
	# What goes over the wire at first: the page, its module, no more than 1.2 MB compressed.
	isSmall()
	{
		local sum=0 file
		for file in build/page/index.html build/page/assets/index-* build/page/assets/worker-* build/page/room.wasm
		do
			sum=$(( sum + $( gzip -9 -c "$file" | wc -c ) ))
		done
		echo "$sum bytes"
		[ $sum -le 1200000 ]
	}
	# A second `make run` builds nothing: it starts as soon as the server does.
	isDone()
	{
		[ -z "$( tools/page.sh )" ] && cmake --build build --target pliant_tool > "$logs/again.txt" && ! grep -E 'Building|Linking' "$logs/again.txt"
	}
	# Bytes and text as commands: some inputs made from a dictionary. `tools/fuzz.sh command` goes on as long as one likes.
	check page.fuzz tools/fuzz.sh command "$( [ -n "${PLIANT_LONG:-}" ] && echo 20000 || echo 500 )"
	if check page.build tools/page.sh
	then
		check page.size isSmall
		check page.again isDone
		nodeTests page web/test page tools same_bits room visit follow replay replay_frames wire
	fi
fi

if want files
then
	# The Khronos validator, beside what is built.
	validator()
	{
		mkdir -p build/files && cp test/files/package.json test/files/package-lock.json build/files/ && ( cd build/files && npm ci --silent --no-audit --no-fund )
	}
	check files.validator validator && nodeTests files test/files files
	# Any bytes as a scene or a mesh file: some inputs. `tools/fuzz.sh mesh` goes on as long as one likes.
	for name in scene mesh
	do
		check "files.fuzz.$name" tools/fuzz.sh $name "$( [ -n "${PLIANT_LONG:-}" ] && echo 200000 || echo 5000 )"
	done
	check files.pictures tools/pictures.sh --check
	check files.help tools/help.sh --check
	# VTK, Blender and ffmpeg are large: only for `make test-all`.
	if [ -n "${PLIANT_LONG:-}" ]
	then
		check files.setup tools/setup.sh files && nodeTests files test/files big
	fi
fi

if want package
then
	temporary=$( mktemp -d )
	trap 'rm -rf "$temporary"' EXIT

	# What is public must compile anywhere, without a word, also as C++.
	headers()
	{
		local header
		for header in base vec pliant response kelvin
		do
			echo "#include <pliant/$header.h>" > "$temporary/header.c"
			gcc -std=c17 -Wall -Wextra -Wpedantic -Werror -fsyntax-only -Iinclude "$temporary/header.c" &&
				clang-14 -std=c17 -Wall -Wextra -Wpedantic -Werror -fsyntax-only -Iinclude "$temporary/header.c" &&
				g++ -std=c++17 -x c++ -Wall -Wextra -Wpedantic -Werror -fsyntax-only -Iinclude "$temporary/header.c" || return 1
		done
	}
	check package.headers headers

	# stranger DIRECTORY OPTIONS… - builds the stranger's project and runs its programs.
	stranger()
	{
		local directory=$temporary/$1
		shift
		cmake -S test/package -B "$directory" --log-level=WARNING -DCMAKE_BUILD_TYPE=Debug "$@" &&
			cmake --build "$directory" --parallel "$jobs" && "$directory/stranger" || return 1
		[ ! -e "$directory/static_stranger" ] || "$directory/static_stranger"
	}
	version=$( sed -n 's/^#define PLIANT_VERSION_[A-Z]* //p' include/pliant/base.h | paste -s -d . )
	for kind in static shared bare
	do
		shared=$( [ $kind = shared ] && echo ON || echo OFF )
		isStatic=$( [ $kind = shared ] && echo OFF || echo ON )
		kelvin=$( [ $kind = bare ] && echo OFF || echo ON )
		prefix=$temporary/prefix-$kind
		tree=build
		if [ $kind = shared ]
		then
			tree=build/variant/shared
			check build.shared makeTree $tree -DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=ON -DPLIANT_TESTS=OFF || continue
		elif [ $kind = bare ]
		then
			# Without the static solver, and so without tools
			tree=build/variant/bare
			check build.bare makeTree $tree -DCMAKE_BUILD_TYPE=Release -DPLIANT_KELVIN=OFF -DPLIANT_TOOLS=OFF -DPLIANT_TESTS=OFF || continue
		fi
		check "package.$kind.install" cmake --install $tree --prefix "$prefix" || continue
		export PKG_CONFIG_PATH
		PKG_CONFIG_PATH=$( dirname "$( find "$prefix" -name pliant.pc )" )
		export LD_LIBRARY_PATH=${PKG_CONFIG_PATH%/pkgconfig}
		check "package.$kind.find_package" stranger "$kind-1" -DWAY=find_package -DKELVIN=$kelvin -DCMAKE_PREFIX_PATH="$prefix" -DPLIANT_VERSION="$version"
		check "package.$kind.pkg_config" stranger "$kind-2" -DWAY=pkg_config -DKELVIN=$kelvin -DSTATIC=$isStatic
		unset PKG_CONFIG_PATH LD_LIBRARY_PATH
		check "package.$kind.add_subdirectory" stranger "$kind-3" -DWAY=add_subdirectory -DKELVIN=$kelvin -DPLIANT_SOURCE="$PWD" -DBUILD_SHARED_LIBS=$shared
	done
	# declared HEADERS… - the names of a shared library's interface.
	declared()
	{
		grep -h -o -E '^PN_(API|EXPORT) .*' "$@" | grep -o -E 'pn[A-Za-z0-9_]+\(' | tr -d '(' | sort
	}
	# exports LIBRARY HEADERS… - a shared library shows its interface and nothing else.
	exports()
	{
		local library
		library=$( find build/variant/shared -maxdepth 1 -name "$1.so.*.*.*" )
		shift
		nm -D --defined-only "$library" | awk '{ print $3 }' | sort > "$logs/exported.txt"
		declared "$@" > "$logs/declared.txt"
		diff "$logs/declared.txt" "$logs/exported.txt"
	}
	# What the solver shares of src/base is visible to it, without a promise; asserts are not there in a release.
	check package.exports exports libpliant include/pliant/{base,vec,pliant,response}.h <( grep -h -v pnAssertFailed src/base/*.h )
	check package.exports.kelvin exports libpliant_kelvin include/pliant/kelvin.h
	check hash.shared same hashes build/variant/shared/pliant --threads 2
fi

echo "$passed passed, $failed failed"
[ $failed = 0 ]
