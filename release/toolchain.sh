# The compilers of each release target. release/libraries.sh and release/build.sh read this file (with `.`) and call
# toolchain TARGET FOLDER, which writes FOLDER/toolchain.cmake and sets:
#   CC CXX AR RANLIB   programs that take one word each
#   CPU                x86_64 or aarch64
#   STATIC             yes if the C library is linked in, so that nothing can be opened at run time
#   SYSTEM             CMake's name of the system: Linux, Windows, Darwin
#   CXX_LIBRARY        what a C program links for a static library that is written in C++, as -lNAME; empty: release/cxx_runtime.c
#   CROSS              yes if programs of the target do not run on this machine as they are
#   EMULATOR           what runs them then, with its options; empty if there is nothing that does
#   OPENMP             libomp: release/libraries.sh builds the runtime; bundled: the compiler has one
# BUILD is the folder of all release builds; release/libraries.sh sets it.

# The newest glibc whose symbols a program for Linux may use. 2.28 is the first that has renameat2.
GLIBC=2.28
# The compiler for Linux: clang with the headers and symbol lists of many versions of glibc, in one package of PyPI.
ZIG=0.15.2

# A compiler of PyPI, in a virtual environment; prints the path of the program.
zig_program() {
    if [ ! -e "$BUILD/zig/installed-$ZIG" ]; then
        rm -rf "$BUILD/zig"
        python3 -m venv "$BUILD/zig"
        "$BUILD/zig/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps "ziglang==$ZIG"
        touch "$BUILD/zig/installed-$ZIG"
    fi
    "$BUILD/zig/bin/python" -c 'import os, ziglang; print(os.path.join(os.path.dirname(ziglang.__file__), "zig"))'
}

# The Python that builds and packs wheels, in a virtual environment; prints its path.
wheel_python() {
    if [ ! -e "$BUILD/python/installed" ]; then
        rm -rf "$BUILD/python"
        python3 -m venv "$BUILD/python"
        # The pip of Debian 12 does not know -C.
        "$BUILD/python/bin/python" -m pip install --quiet --disable-pip-version-check "pip>=23.1" \
            "scikit-build-core>=0.11" abi3audit auditwheel wheel
        touch "$BUILD/python/installed"
    fi
    echo "$BUILD/python/bin/python"
}

# tool FILE COMMAND...: a program FILE that runs COMMAND with its own arguments. CMake expects one word for a compiler.
tool() {
    tool_file=$1
    shift
    printf '#!/bin/sh\nexport ZIG_GLOBAL_CACHE_DIR="%s" ZIG_LOCAL_CACHE_DIR="%s"\nexec %s "$@"\n' \
        "$BUILD/zig-cache" "$BUILD/zig-cache" "$*" >"$tool_file.new"
    chmod +x "$tool_file.new"
    # An equal file keeps its time: everything would be compiled again.
    if cmp -s "$tool_file.new" "$tool_file"; then rm "$tool_file.new"; else mv "$tool_file.new" "$tool_file"; fi
}

toolchain_zig() {
    zig=$(zig_program)
    # Without -O zig would add checks for undefined behaviour, and the trial programs of a configuration would trap.
    zig_flags="-target $1 -fno-sanitize=undefined"
    # It switches registers of 512 bits off, also for a file that is compiled for AVX-512.
    case $1 in x86_64-*) zig_flags="$zig_flags -mevex512" ;; esac
    tool "$2/cc" "\"$zig\" cc $zig_flags"
    # libc++ would have to be compiled for every program that is linked, and one library hardly uses it:
    # release/cxx_runtime.c serves that. A compiler that is not to link libc++ does not find its headers either.
    tool "$2/c++-compile" "\"$zig\" c++ $zig_flags"
    tool "$2/c++-link" "\"$zig\" c++ $zig_flags -nostdlib++"
    tool "$2/c++" "\"$2/c++-\$(case \" \$* \" in *' -c '*) echo compile ;; *) echo link ;; esac)\""
    tool "$2/ar" "\"$zig\" ar"
    tool "$2/ranlib" "\"$zig\" ranlib"
    CC=$2/cc CXX=$2/c++ AR=$2/ar RANLIB=$2/ranlib
    CXX_LIBRARY=
    OPENMP=libomp
}

# toolchain_linux CPU LIBC FOLDER
toolchain_linux() {
    CPU=$1
    SYSTEM=Linux
    CROSS= EMULATOR=
    case $2 in musl) STATIC=yes ;; esac
    if [ "$CPU" != "$(uname -m)" ]; then
        # The loader and the C library of Debian's cross compiler.
        CROSS=yes
        EMULATOR="qemu-$CPU -L /usr/$CPU-linux-gnu"
    fi
    toolchain_zig "$CPU-linux-$2" "$3"
}

# Debian's MinGW-w64 with the threads of winpthreads; libgomp is part of it. Wine runs its programs.
toolchain_windows() {
    CPU=x86_64
    SYSTEM=Windows
    CROSS=yes
    EMULATOR=wine
    for program in gcc g++ ar ranlib; do
        case $program in g*) of="$program-posix" ;; *) of=$program ;; esac
        tool "$1/$program" "x86_64-w64-mingw32-$of"
    done
    CC=$1/gcc CXX=$1/g++ AR=$1/ar RANLIB=$1/ranlib
    CXX_LIBRARY=-lstdc++
    OPENMP=bundled
}

toolchain() {
    mkdir -p "$2"
    STATIC=
    case $1 in
    linux-x86_64 | linux-aarch64) toolchain_linux "${1#linux-}" "gnu.$GLIBC" "$2" ;;
    linux-x86_64-musl) toolchain_linux x86_64 musl "$2" ;;
    windows-x86_64) toolchain_windows "$2" ;;
    *)
        echo "toolchain.sh: unknown target '$1' (linux-x86_64, linux-aarch64, linux-x86_64-musl, windows-x86_64)" >&2
        return 2
        ;;
    esac
    {
        # A system name makes CMake cross compile; it would not run what it builds.
        if [ -n "$CROSS" ]; then
            echo "set(CMAKE_SYSTEM_NAME $SYSTEM)"
            echo "set(CMAKE_SYSTEM_PROCESSOR $CPU)"
        fi
        echo "set(CMAKE_C_COMPILER $CC)"
        echo "set(CMAKE_CXX_COMPILER $CXX)"
        echo "set(CMAKE_AR $AR)"
        echo "set(CMAKE_RANLIB $RANLIB)"
        echo "set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)"
        if [ "$SYSTEM" = Windows ]; then echo "set(CMAKE_RC_COMPILER x86_64-w64-mingw32-windres)"; fi
        if [ -n "$EMULATOR" ]; then
            echo "set(CMAKE_CROSSCOMPILING_EMULATOR $(echo "$EMULATOR" | tr ' ' ';'))"
        fi
    } >"$2/toolchain.cmake.new"
    if cmp -s "$2/toolchain.cmake.new" "$2/toolchain.cmake"; then
        rm "$2/toolchain.cmake.new"
    else
        mv "$2/toolchain.cmake.new" "$2/toolchain.cmake"
    fi
}
