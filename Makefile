# The short way to the common commands; what they do is in CMakeLists.txt and tools/.
.PHONY: build run test bench clean

MAKEFLAGS += --no-print-directory
jobs := $(shell nproc 2> /dev/null || echo 2)

build:
	@tools/setup.sh build
	@cmake -S . -B build -DCMAKE_BUILD_TYPE=Release --log-level=WARNING
	@cmake --build build --parallel $(jobs)

run: build
	@build/pliant run spin --png build/spin.png
	@echo "The picture is build/spin.png"

test: build
	@tools/test.sh

# With Bullet beside it, in a tree of its own, so that a plain build does not need it.
bench:
	@tools/setup.sh bench
	@cmake -S . -B build/bench -DCMAKE_BUILD_TYPE=Release -DPLIANT_BENCH=ON -DPLIANT_TESTS=OFF --log-level=WARNING
	@cmake --build build/bench --parallel $(jobs)
	@build/bench/pliant bench

clean:
	@rm -rf build
