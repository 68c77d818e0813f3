# A thin front end for CMake: `make`, `make demo`, `make test`. Each target installs the packages that it needs
# (scripts/bootstrap.sh).

PREFIX ?= /usr/local
DESTDIR ?=
DEVICE ?= cpu
BENCH_CORPORA ?= corpora
BENCH_OPTIONS ?=
BENCH_PYTHON ?= python3
BENCH_UCI ?=
PAPER_SIZE ?= small
PAPER_OPTIONS ?=
FUZZ_SECONDS ?= 600
FUZZ_TARGETS ?=
BUILD := build
ifeq ($(origin CC),default)
CC := gcc
endif

CONFIGURE = cmake -G Ninja -S . -DCMAKE_BUILD_TYPE=Release
SOURCES = $(wildcard include/*.h src/*/*.[ch] src/*/*/*.[ch] src/*/*/*/*.[ch] src/*/*/*/*.cu src/*/*/*/*.cuh cli/*.[ch] cli/*/*.[ch] python/src/*.[ch] r/src/*.[ch] tests/*.h tests/unit/*.[ch] bench/*.[ch])
OLDEST = $(if $(wildcard $(BUILD)/kernels/*.fatbin),,-DEZLDA_CUDA_OLDEST=ON)
EMULATOR = -DEZLDA_EMULATOR=$(abspath $(BUILD))/emulated
TREES = tree-plain tree-asan tree-tsan tree-cross tree-python

.PHONY: all configure demo test test-gpu wheels windows release r-package test-release bench bench-gpu bench-small-k paper install format lint clean \
        test-builds fuzz python $(TREES)

all: configure
	@cmake --build $(BUILD)

configure:
	@scripts/bootstrap.sh build
	@CC="$(CC)" $(CONFIGURE) -B $(BUILD) -DEZLDA_CUDA_OLDEST=OFF >/dev/null

demo: all
	@scripts/demo.sh $(BUILD)/ezlda

# gcc with warnings as errors; clang with warnings as errors and sanitizers; the backends for 64-bit ARM. Two trees are
# built at a time: one configures or links while the other compiles. The sanitized trees use the emulated driver of the
# plain tree. Kernels that `make` has not compiled yet are compiled for the oldest GPUs only, which takes a tenth of the
# time; `make` and `make install` compile them for the common GPUs.
test-builds:
	@scripts/bootstrap.sh build test lint
	@$(MAKE) --no-print-directory -j2 $(TREES)

tree-plain:
	@CC="$(CC)" $(CONFIGURE) -B $(BUILD) -DEZLDA_WERROR=ON $(OLDEST) >/dev/null
	@cmake --build $(BUILD) --target all tests
tree-asan: tree-plain
	@CC=clang $(CONFIGURE) -B build-asan -DEZLDA_WERROR=ON -DEZLDA_SANITIZE=ON -DEZLDA_CUDA=OFF \
	    -DCMAKE_C_FLAGS_RELEASE=-O1 $(EMULATOR) >/dev/null
	@cmake --build build-asan --target all tests fuzz
tree-tsan: tree-plain
	@CC=clang $(CONFIGURE) -B build-tsan -DEZLDA_WERROR=ON -DEZLDA_SANITIZE=thread -DEZLDA_CUDA=OFF \
	    -DCMAKE_C_FLAGS_RELEASE=-O1 $(EMULATOR) >/dev/null
	@cmake --build build-tsan --target emulated_command
tree-cross:
	@$(CONFIGURE) -B build-cross -DEZLDA_WERROR=ON -DEZLDA_CROSS_TEST=ON -DEZLDA_CUDA=OFF \
	    -DCMAKE_TOOLCHAIN_FILE=$(CURDIR)/cmake/aarch64-linux-gnu.cmake >/dev/null
	@cmake --build build-cross
# Only the packages of others: tests/run adds ours, linked with the library of the plain build.
tree-python:
	@scripts/python_env.sh --packages $(BUILD)/python || [ $$? -eq 4 ]

# A virtual environment with the Python package: build/python/bin/python.
python: all
	@scripts/python_env.sh $(BUILD)/python python3 $(BUILD)/libezlda.a

# The source package of R, with the library inside: dist/ezlda_VERSION.tar.gz.
r-package: configure
	@scripts/bootstrap.sh release
	@scripts/r_package.sh $(BUILD)

test: test-builds
	@tests/run --build $(BUILD) --asan build-asan --tsan build-tsan --cross build-cross --device $(DEVICE)

# The same suite on the GPU; without a GPU it fails and says so.
test-gpu:
	@scripts/bootstrap.sh build test
	@$(MAKE) --no-print-directory OLDEST=-DEZLDA_CUDA_OLDEST=OFF tree-plain tree-python
	@tests/run --build $(BUILD) --device cuda

# What users install without a compiler, in dist/ (release/README.md).
wheels:
	@scripts/bootstrap.sh build release
	@release/build.sh linux-x86_64 wheel
	@release/build.sh linux-aarch64 wheel

release:
	@scripts/bootstrap.sh build release
	@release/build.sh linux-x86_64 wheel tarball
	@release/build.sh linux-aarch64 wheel tarball
	@release/build.sh linux-x86_64-musl tarball

# For Windows: the command, dist/ezlda-VERSION-windows-x86_64.zip, and a wheel for Python 3.11 and later.
windows:
	@scripts/bootstrap.sh build release
	@release/windows.sh dist wheel

# Builds and tests what is released, and the sources on macOS. It takes longer than `make test`, which comes first.
test-release: all release
	@scripts/bootstrap.sh build test lint release
	@EZLDA_BUILD="$(abspath $(BUILD))" release/test.sh

# Fuzzes every reader for FUZZ_SECONDS; FUZZ_TARGETS selects some of them.
fuzz:
	@scripts/bootstrap.sh build test
	@CC=clang $(CONFIGURE) -B build-fuzz -DEZLDA_SANITIZE=ON -DEZLDA_FUZZ=ON -DEZLDA_CUDA=OFF \
	    -DCMAKE_C_FLAGS_RELEASE=-O1 >/dev/null
	@cmake --build build-fuzz --target fuzz
	@tests/fuzz/run --build build-fuzz --seconds $(FUZZ_SECONDS) $(FUZZ_TARGETS)

bench: all
	@scripts/bootstrap.sh bench
	@bench/run $(BUILD)/ezlda

# Compares the CPU trainer at small K with tomotopy in the environment of BENCH_PYTHON, on BENCH_UCI or a drawn corpus.
bench-small-k: all
	@bench/small_k.py $(BUILD)/ezlda --python "$(BENCH_PYTHON)" $(if $(BENCH_UCI),--uci "$(BENCH_UCI)") $(BENCH_OPTIONS)

# Compares the CUDA trainer with its targets; BENCH_OPTIONS are those of the script.
bench-gpu: all
	@scripts/bootstrap.sh bench
	@bench/bench_gpu.py $(BUILD)/ezlda --corpora "$(BENCH_CORPORA)" $(BENCH_OPTIONS)

# The experiments of the paper: tiny, small (minutes on a CPU) or full (a GPU); writes bench/notes/paper.md.
paper: all
	@scripts/bootstrap.sh paper
	@cmake --build $(BUILD) --target paper_programs
	@bench/paper $(BUILD)/ezlda --size $(PAPER_SIZE) --corpora "$(BENCH_CORPORA)" $(PAPER_OPTIONS)

install: all
	@DESTDIR="$(DESTDIR)" cmake --install $(BUILD) --prefix "$(PREFIX)"
	@if [ -z "$(DESTDIR)" ] && [ "$$(id -u)" = 0 ]; then case "$(PREFIX)" in /usr|/usr/local) ldconfig ;; esac; fi

format:
	@scripts/bootstrap.sh lint
	@clang-format -i $(SOURCES)

# The checks of the suite, but clang's analyzer follows calls. It takes several times as long.
lint: configure
	@scripts/bootstrap.sh lint
	@clang-format --dry-run -Werror $(SOURCES)
	@EZLDA_STATIC_FULL=1 EZLDA_BUILD="$(abspath $(BUILD))" python3 -m pytest -q -p no:cacheprovider \
	    tests/static/test_source_checks.py

clean:
	@rm -rf build build-release dist build-asan build-tsan build-cross build-fuzz
