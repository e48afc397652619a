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
	@build/pliant solve cantilever --report build/cantilever.html
	@build/pliant solve cantilever --quiet --out build/cantilever.glb
	@echo "The report is build/cantilever.html, the shape to turn around build/cantilever.glb"

test: build
	@tools/test.sh

bench: build
	@tools/setup.sh bench
	@build/pliant bench

clean:
	@rm -rf build
