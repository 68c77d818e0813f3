#!/bin/sh
# Builds what a target's users install: release/build.sh TARGET [wheel] [tarball]
# dist/ gets a wheel for all Pythons from 3.9, or a tarball with the command, its pages, the header and libezlda.so. Both
# have the libraries of release/libraries.sh inside, and the CUDA kernels if nvcc is found. A command with a static C
# library opens nothing at run time, so it has no kernels and comes alone. EZLDA_DIST names another folder than dist,
# EZLDA_KERNELS one with kernels that the same nvcc has compiled already.
set -eu

target=${1:?usage: release/build.sh TARGET [wheel] [tarball]}
shift
root=$(cd "$(dirname "$0")/.." && pwd)
BUILD=${EZLDA_RELEASE_BUILD:-$root/build-release}
mkdir -p "$BUILD" "${EZLDA_DIST:-$root/dist}"
BUILD=$(cd "$BUILD" && pwd)
dist=$(cd "${EZLDA_DIST:-$root/dist}" && pwd)
export EZLDA_RELEASE_BUILD="$BUILD"
jobs=${EZLDA_JOBS:-$(nproc)}
libraries=$BUILD/$target/libraries
tree=$BUILD/$target/ezlda

"$root/release/libraries.sh" "$target"
. "$root/release/toolchain.sh"
toolchain "$target" "$BUILD/$target/toolchain"

# The kernels do not depend on the host: one build serves all targets.
cuda=OFF
kernels=${EZLDA_KERNELS:-$BUILD/kernels/kernels}
if [ "$SYSTEM" = Linux ] && [ -z "$STATIC" ] && command -v "${NVCC:-nvcc}" >/dev/null 2>&1; then
    cuda=ON
fi
if [ "$cuda" = ON ] && [ -z "${EZLDA_KERNELS:-}" ]; then
    cmake -G Ninja -S "$root" -B "$BUILD/kernels" -DCMAKE_BUILD_TYPE=Release -DEZLDA_CUDA=ON -DEZLDA_CUDA_ARCH=common \
        -DEZLDA_MPI=OFF >/dev/null
    cmake --build "$BUILD/kernels" -j "$jobs" --target ezlda_kernels
fi

# The static libraries, and nothing of this machine.
export PKG_CONFIG_LIBDIR="$libraries/lib/pkgconfig"
set_options() {
    # No symbols, and no functions that nothing calls.
    link=-Wl,-s,--gc-sections
    options="-DCMAKE_TOOLCHAIN_FILE=$BUILD/$target/toolchain/toolchain.cmake -DCMAKE_PREFIX_PATH=$libraries
        -DCMAKE_SKIP_RPATH=ON -DEZLDA_CUDA=$cuda -DEZLDA_CUDA_ARCH=common -DEZLDA_CUDA_IMAGES=$kernels
        -DCMAKE_EXE_LINKER_FLAGS=$link -DCMAKE_SHARED_LINKER_FLAGS=$link -DCMAKE_MODULE_LINKER_FLAGS=$link"
    if [ "$OPENMP" = libomp ]; then
        extra=$libraries/lib/libomp.a
        if [ -e "$libraries/lib/libcpu_model.a" ]; then extra="$extra $libraries/lib/libcpu_model.a"; fi
        options="$options -DOpenMP_C_FLAGS=-fopenmp -DOpenMP_C_LIB_NAMES=omp -DOpenMP_omp_LIBRARY=$libraries/lib/libomp.a"
    fi
}
set_options
# Two options hold spaces.
standard="-DCMAKE_C_STANDARD_LIBRARIES=${extra:-}"
c_flags="-DCMAKE_C_FLAGS=-g0 -I$libraries/include"

# shellcheck disable=SC2086
cmake -G Ninja -S "$root" -B "$tree" -DCMAKE_BUILD_TYPE=Release -DEZLDA_MPI=OFF $options "$standard" "$c_flags" \
    -DCMAKE_INSTALL_LIBDIR=lib >"$BUILD/$target/configure.log" 2>&1 || {
    tail -30 "$BUILD/$target/configure.log" >&2
    exit 1
}
echo "Building ezlda for $target"
cmake --build "$tree" -j "$jobs" >"$BUILD/$target/build.log" 2>&1 || {
    tail -30 "$BUILD/$target/build.log" >&2
    echo "build.sh: ezlda cannot be built for $target; all output is in $BUILD/$target/build.log" >&2
    exit 1
}
version=$(sed -n 's/^CMAKE_PROJECT_VERSION:STATIC=//p' "$tree/CMakeCache.txt")

# The licences of what is linked in.
copy_licences() {
    mkdir -p "$1"
    cp "$root/LICENSE" "$1/LICENSE"
    cp "$libraries/licences"/*.txt "$1"
}

# One wheel for all Pythons from 3.9: an extension of the stable ABI.
build_wheel() {
    python=$(wheel_python)
    rm -rf "$BUILD/$target/wheel"
    mkdir -p "$BUILD/$target/wheel/made"
    set -- "-Ccmake.define.EZLDA_LIBRARY=$tree/libezlda.a" "-Ccmake.define.${standard#-D}" "-Ccmake.define.${c_flags#-D}"
    for option in $options; do
        set -- "$@" "-Ccmake.define.${option#-D}"
    done
    # Python's name for the platform, which it takes from the machine otherwise.
    _PYTHON_HOST_PLATFORM=linux-$CPU "$python" -m pip wheel --quiet --disable-pip-version-check \
        --no-build-isolation --no-deps -w "$BUILD/$target/wheel/made" "-Cbuild-dir=$BUILD/$target/extension" "$@" "$root"
    cd "$BUILD/$target/wheel"
    "$python" -m wheel unpack -d unpacked made/ezlda-*.whl >/dev/null
    copy_licences unpacked/ezlda-*/ezlda-*.dist-info/licenses
    sed -i "s/^Tag: cp39-abi3-.*/Tag: cp39-abi3-manylinux_$(echo "$GLIBC" | tr . _)_$CPU/" \
        unpacked/ezlda-*/ezlda-*.dist-info/WHEEL
    rm -f "$dist"/ezlda-*_"$CPU".whl
    "$python" -m wheel pack -d "$dist" unpacked/ezlda-* >/dev/null
    cd "$root"
    ls -l "$dist"/ezlda-*_"$CPU".whl
}

# mpi_module NAME PACKAGE LIBRARY: the module that the command opens in a job of this MPI. The headers do not depend on the
# processor; an empty library lends its name, and the real one is found when a job runs.
mpi_module() {
    headers=$(unset PKG_CONFIG_LIBDIR; pkg-config --cflags-only-I "$2") || {
        echo "build.sh: pkg-config does not know $2; expected the packages of scripts/bootstrap.sh release" >&2
        exit 1
    }
    mkdir -p "$BUILD/$target/mpi" lib/ezlda
    echo 'extern int ezlda_mpi_name; int ezlda_mpi_name;' >"$BUILD/$target/mpi/empty.c"
    "$CC" -shared "-Wl,-soname,$3" "$BUILD/$target/mpi/empty.c" -o "$BUILD/$target/mpi/$1.so"
    # shellcheck disable=SC2086
    "$CC" -O2 -g0 -s -fPIC -shared -I"$root/src" $headers "$root/src/cluster/mpi/mpi_module.c" -Wl,--no-as-needed \
        "$BUILD/$target/mpi/$1.so" -o "lib/ezlda/libezlda-$1.so"
}

# The command, man page, completions, header and libezlda.so, in the folders of a prefix.
build_tarball() {
    name=ezlda-$version-$target
    rm -rf "$BUILD/$target/tarball"
    cmake --install "$tree" --prefix "$BUILD/$target/tarball/$name" >/dev/null
    cd "$BUILD/$target/tarball/$name"
    if [ -n "$STATIC" ]; then
        rm -rf lib include
    else
        complete_libraries
    fi
    copy_licences share/doc/ezlda/licences
    cp "$root/README.md" "$root/LICENSE" .
    cd ..
    tar --owner=0 --group=0 --sort=name -czf "$dist/$name.tar.gz" "$name"
    cd "$root"
    ls -l "$dist/$name.tar.gz"
}

# libezlda.so, and the modules of MPI.
complete_libraries() {
    # The archive would need those of all other libraries; the shared library has them inside.
    rm -rf lib/libezlda.a lib/cmake
    sed -i '/^Libs.private:/d' lib/pkgconfig/ezlda.pc
    # Open MPI 4 and 5; MPICH and everything with its ABI.
    mpi_module openmpi ompi-c libmpi.so.40
    mpi_module mpich mpich libmpi.so.12
}

for what in "$@"; do
    case $what in
    wheel | tarball) build_"$what" ;;
    *)
        echo "build.sh: expected wheel or tarball, found '$what'" >&2
        exit 2
        ;;
    esac
done
cd "$dist"
rm -f SHA256SUMS
if [ -n "$(ls)" ]; then
    sha256sum -- * >SHA256SUMS.new
    mv SHA256SUMS.new SHA256SUMS
fi
