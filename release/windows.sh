#!/bin/sh
# Builds the command for 64-bit Windows and packs it: release/windows.sh [OUT]. OUT (default: dist) gets
# ezlda-VERSION-windows-x86_64.zip with ezlda.exe, which needs no DLL but those of Windows, its manual as text, README and
# licences. EZLDA_RELEASE_BUILD is the folder of all release builds (default: build-release).
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "${1:-$root/dist}"
out=$(cd "${1:-$root/dist}" && pwd)
BUILD=${EZLDA_RELEASE_BUILD:-$root/build-release}
mkdir -p "$BUILD"
BUILD=$(cd "$BUILD" && pwd)
target=windows-x86_64
build=$BUILD/$target/build
libraries=$BUILD/$target/libraries
version=$(sed -n 's/^#define EZLDA_VERSION_\(MAJOR\|MINOR\|PATCH\) \([0-9]*\)$/\2/p' "$root/include/ezlda.h" | paste -sd.)

EZLDA_RELEASE_BUILD="$BUILD" "$root/release/libraries.sh" "$target"
PKG_CONFIG_LIBDIR="$libraries/lib/pkgconfig" cmake -G Ninja -S "$root" -B "$build" -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_TOOLCHAIN_FILE="$BUILD/$target/toolchain/toolchain.cmake" -DCMAKE_FIND_ROOT_PATH="$libraries" \
    -DCMAKE_FIND_ROOT_PATH_MODE_LIBRARY=ONLY -DCMAKE_FIND_ROOT_PATH_MODE_INCLUDE=ONLY -DEZLDA_CUDA="${EZLDA_CUDA:-OFF}" \
    -DEZLDA_WERROR=ON >"$build.log" 2>&1 && cmake --build "$build" --target ezlda_command >>"$build.log" 2>&1 || {
    grep -E "error:|warning:|undefined reference|CMake Error" "$build.log" | head -40 >&2
    echo "windows.sh: the command cannot be built; all output is in $build.log" >&2
    exit 1
}

name=ezlda-$version-$target
pack=$BUILD/$target/$name
rm -rf "$pack"
mkdir -p "$pack/licences"
x86_64-w64-mingw32-strip -o "$pack/ezlda.exe" "$build/ezlda.exe"
EZLDA_WINDOWS_COMMAND="$pack/ezlda.exe" "$root/release/run_windows.sh" help --man | groff -man -Tutf8 -P-cbou | sed 's/$/\r/' \
    >"$pack/ezlda.txt"
cp "$root/LICENSE" "$pack/licences/ezlda.txt"
cp "$libraries"/licences/*.txt "$pack/licences"
cp /usr/share/doc/gcc-mingw-w64-base/copyright "$pack/licences/gcc.txt"
cp /usr/share/doc/mingw-w64-common/copyright "$pack/licences/mingw-w64.txt"
cp "$root/README.md" "$pack"
rm -f "$out/$name.zip"
(cd "$BUILD/$target" && zip -qr -X "$out/$name.zip" "$name")
echo "$out/$name.zip"
