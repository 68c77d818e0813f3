#!/bin/sh
# Runs the tests of the Python package with the address and undefined-behaviour sanitizers in library and extension (gcc):
#     scripts/python_asan.sh FOLDER ENVIRONMENT [PYTEST_ARGUMENT...]
# FOLDER is the build folder; ENVIRONMENT is one that scripts/python_env.sh has made. Leaks are not reported, because those
# of the interpreter cannot be distinguished from ours: test_python_leaks.py measures the memory instead.
set -eu

folder=$1
python=$(cd "$2" && pwd)/bin/python
shift 2
root=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$folder/package"
folder=$(cd "$folder" && pwd)
sanitize="-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer -g"

CC=gcc cmake -G Ninja -S "$root" -B "$folder/library" -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_FLAGS_RELEASE=-O1 \
    -DEZLDA_SANITIZE=ON -DEZLDA_CUDA=OFF >/dev/null
cmake --build "$folder/library" --target ezlda_static
CC=gcc cmake -G Ninja -S "$root/python" -B "$folder/extension" -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_FLAGS_RELEASE=-O1 \
    -DCMAKE_C_FLAGS="$sanitize" -DEZLDA_LIBRARY="$folder/library/libezlda.a" -DPython_EXECUTABLE="$python" >/dev/null
cmake --build "$folder/extension"
rm -rf "$folder/package/ezlda"
cp -r "$root/python/ezlda" "$folder/package/"
cp "$folder/extension/_ezlda.abi3.so" "$folder/package/ezlda/"

cd "$root"
LD_PRELOAD="$(gcc -print-file-name=libasan.so) $(gcc -print-file-name=libubsan.so)" PYTHONMALLOC=malloc \
    ASAN_OPTIONS=detect_leaks=0:detect_stack_use_after_return=1:allocator_may_return_null=1 \
    UBSAN_OPTIONS=print_stacktrace=1 PYTHONPATH="$folder/package" PYTHONDONTWRITEBYTECODE=1 \
    "$python" -m pytest -q -p no:cacheprovider --ignore=python/tests/test_python_leaks.py "$@" python/tests
