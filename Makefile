# The short way to the common commands; what they do is in CMakeLists.txt and tools/.
.PHONY: build run page pictures test test-all bench clean

MAKEFLAGS += --no-print-directory
jobs := $(shell nproc 2> /dev/null || echo 2)

build:
	@tools/setup.sh build
	@cmake -S . -B build -DCMAKE_BUILD_TYPE=Release --log-level=WARNING
	@cmake --build build --parallel $(jobs)

# The library, its WebAssembly module and the page, with rooms to share, served on this machine until Ctrl-C.
run:
	@tools/setup.sh page
	@grep -q '^CMAKE_BUILD_TYPE:STRING=Release$$' build/CMakeCache.txt 2> /dev/null || cmake -S . -B build -DCMAKE_BUILD_TYPE=Release --log-level=WARNING
	@cmake --build build --parallel $(jobs) --target pliant_tool -- --quiet
	@tools/page.sh
	@build/pliant serve --port 7420 --next-port --browser

# A folder that any static host can serve.
page:
	@tools/setup.sh page
	@tools/page.sh
	@echo "The page is build/page"

# The pictures of README.md and docs/ that show something else than the code now gives. `tools/pictures.sh .` draws all.
pictures: build
	@tools/setup.sh test
	@tools/pictures.sh

test: build
	@tools/test.sh

# More and longer cases.
test-all: build
	@PLIANT_LONG=1 tools/test.sh

bench: build
	@tools/setup.sh bench
	@build/pliant bench

clean:
	@rm -rf build
