#!/bin/bash
# Builds the conda package; rattler-build runs it in the folder of the sources, with PREFIX, PYTHON and the compiler set.
# The stemmers become a static library, which the extension has inside.
set -euo pipefail

: "${PREFIX:?is set by rattler-build}" "${PYTHON:?is set by rattler-build}"
stemmer=$PWD/libstemmer/made
mkdir -p "$stemmer/objects" "$stemmer/lib" "$stemmer/include"
cp libstemmer/include/libstemmer.h "$stemmer/include"
(cd "$stemmer/objects" && "${CC:-cc}" -O2 -fPIC -fvisibility=hidden -I../../include -c ../../src_c/*_UTF_8_*.c \
    ../../runtime/*.c ../../libstemmer/libstemmer_utf8.c)
"${AR:-ar}" rcs "$stemmer/lib/libstemmer.a" "$stemmer/objects"/*.o

"$PYTHON" -m pip install . -vv --no-deps --no-build-isolation \
    --config-settings "cmake.define.CMAKE_PREFIX_PATH=$stemmer;$PREFIX" \
    ${EZLDA_CUDA:+--config-settings "cmake.define.EZLDA_CUDA=$EZLDA_CUDA"}

mkdir -p "$PREFIX/share/man/man1" "$PREFIX/share/bash-completion/completions"
"$PREFIX/bin/ezlda" help --man >"$PREFIX/share/man/man1/ezlda.1"
"$PREFIX/bin/ezlda" help --completion bash >"$PREFIX/share/bash-completion/completions/ezlda"
