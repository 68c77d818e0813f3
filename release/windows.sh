#!/bin/sh
# Builds the command for 64-bit Windows and packs it: release/windows.sh [OUT [wheel]]. OUT (default: dist) gets
# ezlda-VERSION-windows-x86_64.zip with ezlda.exe, which needs no DLL but those of Windows, its manual as text, README and
# licences; with `wheel` also a wheel for Python 3.11 and later. EZLDA_RELEASE_BUILD is the folder of all release builds
# (default: build-release).
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

# The headers and the list of functions are Debian's, of a Python that runs here. Of the library python3.dll only the names
# are needed: an import library is made of them. The headers hide what is not in the stable ABI.
python_for_windows() {
    headers=$(/usr/bin/python3 -c 'import sysconfig; print(sysconfig.get_path("include"))')
    shared=$(/usr/bin/python3 -c 'import sysconfig as s; print(s.get_config_var("LIBDIR"), s.get_config_var("INSTSONAME"), sep="/")')
    folder=$BUILD/$target/python
    rm -rf "$folder"
    mkdir -p "$folder/include"
    cp -R "$headers/." "$folder/include"
    cp "$root/release/windows_python/pyconfig.h" "$folder/include"
    {
        echo 'LIBRARY python3.dll'
        echo EXPORTS
        nm -D --defined-only "$shared" | sed -n 's/^[0-9a-f]* T \(_*Py.*\)/\1/p; s/^[0-9a-f]* [BDRV] \(_*Py.*\)/\1 DATA/p'
    } >"$folder/python3.def"
    x86_64-w64-mingw32-dlltool -d "$folder/python3.def" -l "$folder/libpython3.dll.a"
}

build_wheel() {
    . "$root/release/toolchain.sh"
    python=$(wheel_python)
    python_for_windows
    made=$BUILD/$target/wheel
    rm -rf "$made"
    mkdir -p "$made"
    set -- "CMAKE_TOOLCHAIN_FILE=$BUILD/$target/toolchain/toolchain.cmake" "CMAKE_FIND_ROOT_PATH=$libraries" \
        CMAKE_FIND_ROOT_PATH_MODE_LIBRARY=ONLY CMAKE_FIND_ROOT_PATH_MODE_INCLUDE=ONLY "EZLDA_LIBRARY=$build/libezlda.a" \
        "EZLDA_PYTHON_HEADERS=$folder/include" "EZLDA_PYTHON_LIBRARY=$folder/libpython3.dll.a" \
        "EZLDA_COMMAND_PROGRAM=$pack/ezlda.exe" "CMAKE_C_FLAGS=-I$libraries/include" CMAKE_MODULE_LINKER_FLAGS=-s \
        "OpenMP_gomp_LIBRARY=$(x86_64-w64-mingw32-gcc-posix -print-file-name=libgomp.a)"
    for define in "$@"; do
        shift
        set -- "$@" "-Ccmake.define.$define"
    done
    PKG_CONFIG_LIBDIR="$libraries/lib/pkgconfig" "$python" -m pip wheel --quiet --disable-pip-version-check \
        --no-build-isolation --no-deps -w "$made" "-Cbuild-dir=$BUILD/$target/extension" "$@" "$root"
    cd "$made"
    "$python" -m wheel unpack -d unpacked ezlda-*.whl >/dev/null
    cp "$pack"/licences/*.txt unpacked/ezlda-*/ezlda-*.dist-info/licenses
    sed -i 's/^Tag: cp39-abi3-.*/Tag: cp311-abi3-win_amd64/' unpacked/ezlda-*/ezlda-*.dist-info/WHEEL
    rm -f "$out"/ezlda-*-win_amd64.whl
    "$python" -m wheel pack -d "$out" unpacked/ezlda-* >/dev/null
    ls -d "$out"/ezlda-*-win_amd64.whl
}

if [ "${2:-}" = wheel ]; then build_wheel; fi
echo "$out/$name.zip"
