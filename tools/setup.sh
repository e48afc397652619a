#!/bin/bash
# setup.sh - installs from Debian what is missing for a task: build, page, bench, test or files. Silent if nothing is.
set -euo pipefail

# Bullet, gmsh and CalculiX are peers the benchmarks measure beside the engine and the static solver; the library needs none of them.
build="gcc g++ libc6-dev cmake make pkg-config libpng-dev zlib1g-dev libbullet-dev liblapacke-dev libopenblas-dev libjansson-dev libwebsockets-dev"
page="$build clang-14 lld-14 wasi-libc libclang-rt-14-dev-wasm32 nodejs npm"
bench="$build clang-14 lld-14 wasi-libc libclang-rt-14-dev-wasm32 nodejs npm gmsh calculix-ccx"
test="$build clang-14 lld-14 llvm-14 wasi-libc libclang-rt-14-dev libclang-rt-14-dev-wasm32 nodejs npm haproxy chromium libopenmpi-dev openmpi-bin libscalapack-openmpi-dev valgrind"

# What people open our files with: for `make test-all` alone, it is large.
files="blender python3 python3-vtk9 python3-numpy ffmpeg"

case "${1:-build}" in
	build) wanted=$build ;;
	page) wanted=$page ;;
	bench) wanted=$bench ;;
	test) wanted=$test ;;
	files) wanted=$files ;;
	*)
		echo "usage: tools/setup.sh build|page|bench|test|files" >&2
		exit 2
		;;
esac

if ! command -v dpkg-query > /dev/null
then
	echo "This is not Debian; please see to it that there is what these packages bring: $wanted" >&2
	exit 0
fi

missing=""
for package in $wanted
do
	# Node may have come from elsewhere, and then brings its own npm.
	case "$package" in
		nodejs) command -v node > /dev/null && continue ;;
		npm | chromium) command -v "$package" > /dev/null && continue ;;
	esac
	status=$( dpkg-query -W -f '${Status}' "$package" 2> /dev/null || true )
	if [ "$status" != "install ok installed" ]
	then
		missing="$missing $package"
	fi
done
if [ -z "$missing" ]
then
	exit 0
fi

asRoot=""
if [ "$( id -u )" != 0 ]
then
	asRoot=sudo
	if ! command -v sudo > /dev/null
	then
		echo "Missing:$missing. Install them as root: apt-get install$missing" >&2
		exit 1
	fi
fi
echo "Installing from Debian:$missing"
export DEBIAN_FRONTEND=noninteractive
# The package lists may be absent or old: fetch them only when the first try fails.
if ! $asRoot apt-get install -qq -y --no-install-recommends $missing > /dev/null 2>&1
then
	$asRoot apt-get update -qq
	$asRoot apt-get install -qq -y --no-install-recommends $missing > /dev/null
fi
