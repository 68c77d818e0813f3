#!/bin/sh
# Builds every C library that ezlda links, as static archives for a target: release/libraries.sh TARGET [PREFIX]
# PREFIX gets include/, lib/ (with pkgconfig/) and licences/ (one file per library). A library that is there already is
# not built again. The sources are Debian's (release/sources.sh), the compilers those of release/toolchain.sh. Each
# library is a function that compiles what ezlda uses of it, with the toolchain that it is given, and installs it.
# EZLDA_RELEASE_BUILD is the folder of all release builds (default: build-release).
set -eu

target=${1:?usage: release/libraries.sh TARGET [PREFIX]}
root=$(cd "$(dirname "$0")/.." && pwd)
BUILD=${EZLDA_RELEASE_BUILD:-$root/build-release}
mkdir -p "$BUILD"
BUILD=$(cd "$BUILD" && pwd)
prefix=${2:-$BUILD/$target/libraries}
work=$BUILD/$target/library
mkdir -p "$prefix/include" "$prefix/lib/pkgconfig" "$prefix/licences" "$work"
prefix=$(cd "$prefix" && pwd)
jobs=${EZLDA_JOBS:-$(nproc)}

. "$root/release/toolchain.sh"
toolchain "$target" "$BUILD/$target/toolchain"
# Functions and data that a program does not use can be dropped when it is linked.
flags="-O2 -g0 -DNDEBUG -w -fPIC -fvisibility=hidden -ffunction-sections -fdata-sections"

# objects NAME FLAGS... -- FILES...: compiles the files into the archive libNAME.a.
objects() {
    name=$1
    shift
    own=
    while [ "$1" != -- ]; do
        own="$own $1"
        shift
    done
    shift
    mkdir -p "$work/$name"
    # shellcheck disable=SC2086
    for file in "$@"; do
        echo "$file"
    done | xargs -P "$jobs" -I FILE sh -c '
        file=$1 folder=$2
        shift 2
        object=$(echo "$file" | tr / _).o
        exec "$@" -c "$file" -o "$folder/$object"' compile FILE "$work/$name" "$CC" $flags $own
    rm -f "$prefix/lib/lib$name.a"
    "$AR" rcs "$prefix/lib/lib$name.a" "$work/$name"/*.o
}

# with_cmake NAME SOURCE TARGET OPTIONS...: configures SOURCE, builds TARGET and installs everything that was built.
with_cmake() {
    name=$1 source=$2 built=$3
    shift 3
    # CMake runs trial programs in the current folder; one of HDF5 leaves a file there.
    mkdir -p "$work/$name"
    cd "$work/$name"
    cmake -G "Unix Makefiles" -S "$source" -B "$work/$name" --toolchain "$BUILD/$target/toolchain/toolchain.cmake" \
        -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_FLAGS_RELEASE="$flags" -DCMAKE_CXX_FLAGS_RELEASE="$flags" \
        -DCMAKE_INSTALL_PREFIX="$prefix" -DCMAKE_INSTALL_LIBDIR=lib -DBUILD_SHARED_LIBS=OFF -Wno-dev "$@" >"$work/$name.log" 2>&1 &&
        cmake --build "$work/$name" -j "$jobs" --target "$built" >>"$work/$name.log" 2>&1 || {
        tail -40 "$work/$name.log" >&2
        echo "libraries.sh: $name cannot be built for $target; all output is in $work/$name.log" >&2
        exit 1
    }
}

# package NAME LIBRARIES: the file that pkg-config reads.
package() {
    printf 'prefix=%s\nName: %s\nDescription: %s\nVersion: 1\nLibs: -L${prefix}/lib %s\nCflags: -I${prefix}/include\n' \
        "$prefix" "$1" "$1, static" "$2" >"$prefix/lib/pkgconfig/$1.pc"
}

# licence NAME FILE...: what a program that contains the library has to carry.
licence() {
    name=$1
    shift
    cat "$@" >"$prefix/licences/$name.txt"
}

build_zlib() {
    cd "$sources/zlib"
    objects z -D_LARGEFILE64_SOURCE=1 -DHAVE_HIDDEN -- adler32.c crc32.c inffast.c inflate.c inftrees.c zutil.c \
        compress.c deflate.c trees.c uncompr.c
    cp zlib.h zconf.h "$prefix/include"
    package zlib -lz
    licence zlib debian/copyright
}

build_zstd() {
    cd "$sources/libzstd/lib"
    # The fast loop of Huffman codes is in assembly on x86-64; the file is empty elsewhere.
    objects zstd -DXXH_NAMESPACE=ZSTD_ -DZSTD_LEGACY_SUPPORT=0 -- common/*.c compress/*.c decompress/*.c decompress/*.S
    cp zstd.h zstd_errors.h "$prefix/include"
    package libzstd -lzstd
    licence zstd ../LICENSE
}

build_lzma() {
    with_cmake lzma "$sources/xz-utils" liblzma
    cmake --install "$work/lzma" --component liblzma_Development >/dev/null
    package liblzma -llzma
    licence liblzma "$sources/xz-utils/COPYING"
}

build_xxhash() {
    cd "$sources/xxhash"
    objects xxhash -- xxhash.c
    cp xxhash.h xxh3.h "$prefix/include"
    package libxxhash -lxxhash
    licence xxhash LICENSE
}

build_utf8proc() {
    cd "$sources/utf8proc"
    objects utf8proc -DUTF8PROC_STATIC -- utf8proc.c
    cp utf8proc.h "$prefix/include"
    package libutf8proc -lutf8proc
    licence utf8proc LICENSE.md
}

# Snowball is a compiler; it makes the C files of the stemmers on this machine.
build_stemmer() {
    cp -R "$sources/snowball" "$work/snowball"
    cd "$work/snowball"
    make -j "$jobs" CC=cc dist_libstemmer_c >"$work/stemmer.log" 2>&1 || {
        tail -20 "$work/stemmer.log" >&2
        echo "libraries.sh: the stemmers cannot be made; all output is in $work/stemmer.log" >&2
        exit 1
    }
    mkdir made
    tar -xzf dist/libstemmer_c*.tar.gz -C made --strip-components=1
    cd made
    objects stemmer -Iinclude -- src_c/*_UTF_8_*.c runtime/*.c libstemmer/libstemmer_utf8.c
    cp include/libstemmer.h "$prefix/include"
    licence snowball "$sources/snowball/COPYING"
}

build_uchardet() {
    set --
    if [ -z "$CXX_LIBRARY" ]; then set -- -DCMAKE_CXX_FLAGS="-fno-exceptions -fno-rtti"; fi
    with_cmake uchardet "$sources/uchardet" libuchardet -DBUILD_BINARY=OFF -DBUILD_STATIC=ON "$@"
    cp "$work/uchardet/src/libuchardet.a" "$prefix/lib"
    if [ -z "$CXX_LIBRARY" ]; then
        # shellcheck disable=SC2086
        "$CC" $flags -c "$root/release/cxx_runtime.c" -o "$work/cxx_runtime.o"
        "$AR" rs "$prefix/lib/libuchardet.a" "$work/cxx_runtime.o"
    fi
    cp "$sources/uchardet/src/uchardet.h" "$prefix/include"
    package uchardet "-luchardet $CXX_LIBRARY"
    licence uchardet "$sources/uchardet/COPYING"
}

# Only the parsers: ezlda reads no other parts, and decodes text itself.
build_libxml2() {
    with_cmake libxml2 "$sources/libxml2" LibXml2 -DLIBXML2_WITH_C14N=OFF -DLIBXML2_WITH_CATALOG=OFF \
        -DLIBXML2_WITH_DEBUG=OFF -DLIBXML2_WITH_DOCB=OFF -DLIBXML2_WITH_FTP=OFF -DLIBXML2_WITH_HTTP=OFF \
        -DLIBXML2_WITH_ICONV=OFF -DLIBXML2_WITH_ISO8859X=ON -DLIBXML2_WITH_LEGACY=OFF -DLIBXML2_WITH_LZMA=OFF \
        -DLIBXML2_WITH_MEM_DEBUG=OFF -DLIBXML2_WITH_MODULES=OFF -DLIBXML2_WITH_OUTPUT=OFF -DLIBXML2_WITH_PATTERN=OFF \
        -DLIBXML2_WITH_PROGRAMS=OFF -DLIBXML2_WITH_PYTHON=OFF -DLIBXML2_WITH_READER=OFF -DLIBXML2_WITH_REGEXPS=OFF \
        -DLIBXML2_WITH_RUN_DEBUG=OFF -DLIBXML2_WITH_SCHEMAS=OFF -DLIBXML2_WITH_SCHEMATRON=OFF \
        -DLIBXML2_WITH_TESTS=OFF -DLIBXML2_WITH_VALID=OFF -DLIBXML2_WITH_WRITER=OFF -DLIBXML2_WITH_XINCLUDE=OFF \
        -DLIBXML2_WITH_XPATH=OFF -DLIBXML2_WITH_XPTR=OFF -DLIBXML2_WITH_ZLIB=OFF
    cmake --install "$work/libxml2" --component development >/dev/null
    package libxml-2.0 -lxml2
    sed -i 's|^Cflags:.*|Cflags: -I${prefix}/include/libxml2 -DLIBXML_STATIC|' "$prefix/lib/pkgconfig/libxml-2.0.pc"
    licence libxml2 "$sources/libxml2/Copyright"
}

build_hdf5() {
    with_cmake hdf5 "$sources/hdf5" hdf5-static -DBUILD_STATIC_LIBS=ON -DONLY_SHARED_LIBS=OFF -DBUILD_TESTING=OFF \
        -DHDF5_BUILD_EXAMPLES=OFF -DHDF5_BUILD_TOOLS=OFF -DHDF5_BUILD_HL_LIB=OFF -DHDF5_BUILD_CPP_LIB=OFF \
        -DHDF5_BUILD_FORTRAN=OFF -DHDF5_ENABLE_SZIP_SUPPORT=OFF -DHDF5_ENABLE_Z_LIB_SUPPORT=ON -DH5_HAVE_QUADMATH_H=0 \
        -DCMAKE_C_FLAGS=-Wno-implicit-int \
        -DZLIB_INCLUDE_DIR="$prefix/include" -DZLIB_LIBRARY="$prefix/lib/libz.a" \
        -DZLIB_LIBRARY_RELEASE="$prefix/lib/libz.a"
    cp "$work/hdf5/bin/libhdf5.a" "$prefix/lib"
    cd "$sources/hdf5/src"
    for header in ./*public.h ./H5FD[a-z]*.h hdf5.h H5version.h H5api_adpt.h H5Epubgen.h H5PLextern.h \
        "$work/hdf5/src/H5pubconf.h"; do
        cp "$header" "$prefix/include"
    done
    package hdf5 "-lhdf5 -lz"
    licence hdf5 "$sources/hdf5/COPYING"
}

# The runtime that clang's OpenMP calls, without tools and offloading.
build_openmp() {
    with_cmake openmp "$sources/$llvm/openmp" omp -DOPENMP_STANDALONE_BUILD=ON -DLIBOMP_ENABLE_SHARED=OFF \
        -DOPENMP_ENABLE_LIBOMPTARGET=OFF -DOPENMP_ENABLE_OMPT_TOOLS=OFF -DLIBOMP_OMPT_SUPPORT=OFF \
        -DLIBOMP_OMPD_SUPPORT=OFF -DLIBOMP_INSTALL_ALIASES=OFF -DLIBOMP_USE_HWLOC=OFF -DLIBOMP_FORTRAN_MODULES=OFF \
        -DOPENMP_TEST_C_COMPILER=/bin/false -DOPENMP_TEST_CXX_COMPILER=/bin/false
    cp "$work/openmp/runtime/src/libomp.a" "$prefix/lib"
    cp "$work/openmp/runtime/src/omp.h" "$prefix/include"
    licence openmp "$sources/$llvm/openmp/LICENSE.TXT"
}

# The C library of Windows has no iconv. musl's needs nothing else of musl.
build_iconv() {
    cd "$sources/musl/src/locale"
    objects iconv -I"$root/release/iconv" -I"$sources/musl/src/locale" -- iconv.c iconv_close.c
    cp "$root/release/iconv/iconv.h" "$prefix/include"
    licence musl "$sources/musl/COPYRIGHT"
}

# zig has musl; a program that contains it carries its licence.
build_musl() {
    licence musl "$sources/musl/COPYRIGHT"
}

# __builtin_cpu_supports of x86-64 reads a variable that zig's runtime does not have.
build_cpu_model() {
    cd "$sources/$llvm/compiler-rt/lib/builtins/cpu_model"
    objects cpu_model -I.. -- x86.c
}

sources=$BUILD/sources
llvm=llvm-toolchain-19
libraries="zlib zstd lzma xxhash utf8proc stemmer uchardet libxml2 hdf5"
packages="zlib libzstd xz-utils xxhash utf8proc snowball uchardet libxml2 hdf5"
# What clang calls and zig does not have.
if [ "$OPENMP" = libomp ]; then
    libraries="$libraries openmp"
    packages="$packages $llvm"
    if [ "$CPU" = x86_64 ]; then libraries="$libraries cpu_model"; fi
fi

# The C library is linked in, too; its licence is in the sources of Debian's package.
if [ -n "$STATIC" ]; then
    libraries="$libraries musl"
    packages="$packages musl"
fi

if [ "$SYSTEM" = Windows ]; then
    # HDF5 finds out about the compiler by programs that it runs, and has no way to name files in Unicode here.
    libraries="${libraries% hdf5} iconv"
    packages="${packages% hdf5} musl"
fi

# shellcheck disable=SC2086
"$root/release/sources.sh" "$sources" $packages
for library in $libraries; do
    [ -e "$prefix/lib/.built-$library" ] && continue
    echo "Building $library for $target"
    rm -rf "${work:?}"
    mkdir -p "$work"
    (build_"$library")
    touch "$prefix/lib/.built-$library"
done
