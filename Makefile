# A thin front for CMake: `make`, `make demo`, `make test`. Each target installs what it lacks (scripts/bootstrap.sh).

PREFIX ?= /usr/local
DESTDIR ?=
DEVICE ?= cpu
BENCH_CORPORA ?= corpora
BENCH_OPTIONS ?=
FUZZ_SECONDS ?= 600
FUZZ_TARGETS ?=
BUILD := build
ifeq ($(origin CC),default)
CC := gcc
endif

CONFIGURE = cmake -G Ninja -S . -DCMAKE_BUILD_TYPE=Release
SOURCES = $(wildcard include/*.h src/*/*.[ch] src/*/*/*.[ch] src/*/*/kernels/*.* cli/*.[ch] tests/*.h tests/unit/*.[ch] bench/*.[ch])

.PHONY: all configure demo test test-gpu bench bench-gpu install format lint clean test-builds fuzz

all: configure
	@cmake --build $(BUILD)

configure:
	@scripts/bootstrap.sh build
	@CC="$(CC)" $(CONFIGURE) -B $(BUILD) >/dev/null

demo: all
	@scripts/demo.sh $(BUILD)/ezlda

# gcc with warnings as errors; clang with warnings as errors and sanitizers; the backends for 64-bit ARM.
test-builds:
	@scripts/bootstrap.sh build test
	@CC="$(CC)" $(CONFIGURE) -B $(BUILD) -DEZLDA_WERROR=ON >/dev/null
	@cmake --build $(BUILD) --target all tests
	@CC=clang $(CONFIGURE) -B build-asan -DEZLDA_WERROR=ON -DEZLDA_SANITIZE=ON -DEZLDA_CUDA=OFF \
	    -DCMAKE_C_FLAGS_RELEASE=-O1 >/dev/null
	@cmake --build build-asan --target all tests
	@$(CONFIGURE) -B build-cross -DEZLDA_WERROR=ON -DEZLDA_CROSS_TEST=ON -DEZLDA_CUDA=OFF \
	    -DCMAKE_TOOLCHAIN_FILE=$(CURDIR)/cmake/aarch64-linux-gnu.cmake >/dev/null
	@cmake --build build-cross

test: test-builds
	@tests/run --build $(BUILD) --asan build-asan --cross build-cross --device $(DEVICE)

# The same suite on the GPU; where there is none, it fails and says so.
test-gpu:
	@scripts/bootstrap.sh build test
	@CC="$(CC)" $(CONFIGURE) -B $(BUILD) -DEZLDA_WERROR=ON >/dev/null
	@cmake --build $(BUILD) --target all tests
	@tests/run --build $(BUILD) --device cuda

# Every reader for FUZZ_SECONDS each; FUZZ_TARGETS names some of them.
fuzz:
	@scripts/bootstrap.sh build test
	@CC=clang $(CONFIGURE) -B build-fuzz -DEZLDA_SANITIZE=ON -DEZLDA_FUZZ=ON -DEZLDA_CUDA=OFF \
	    -DCMAKE_C_FLAGS_RELEASE=-O1 >/dev/null
	@cmake --build build-fuzz --target fuzz
	@tests/fuzz/run --build build-fuzz --seconds $(FUZZ_SECONDS) $(FUZZ_TARGETS)

bench: all
	@scripts/bootstrap.sh bench
	@bench/run $(BUILD)/ezlda

# The CUDA trainer against its bars; BENCH_OPTIONS are those of the script.
bench-gpu: all
	@scripts/bootstrap.sh bench
	@bench/bench_gpu.py $(BUILD)/ezlda --corpora "$(BENCH_CORPORA)" $(BENCH_OPTIONS)

install: all
	@DESTDIR="$(DESTDIR)" cmake --install $(BUILD) --prefix "$(PREFIX)"
	@if [ -z "$(DESTDIR)" ] && [ "$$(id -u)" = 0 ]; then case "$(PREFIX)" in /usr|/usr/local) ldconfig ;; esac; fi

format:
	@scripts/bootstrap.sh lint
	@clang-format -i $(SOURCES)

lint: configure
	@scripts/bootstrap.sh lint
	@clang-format --dry-run -Werror $(SOURCES)
	@run-clang-tidy -quiet -p $(BUILD) '$(CURDIR)/(src|cli)/'
	@cppcheck --quiet --std=c11 --error-exitcode=1 --inline-suppr -I include -I src \
	    --enable=warning,performance,portability --suppress=missingIncludeSystem \
	    --suppress=arrayIndexThenCheck src cli

clean:
	@rm -rf build build-asan build-cross build-fuzz
