#!/bin/sh
# Installs the packages that a make target needs: scripts/bootstrap.sh GROUP...
# Groups: build, test, bench, paper, lint, release.
# On Debian and Ubuntu as root the missing packages are installed; otherwise the command to run is printed.
set -eu

build="gcc libc6-dev cmake ninja-build pkg-config zlib1g-dev libzstd-dev liblzma-dev libxxhash-dev libutf8proc-dev
       libstemmer-dev libhdf5-dev libicu-dev libuchardet-dev
       libxml2-dev"
test="g++ clang libclang-rt-dev llvm libomp-dev python3 python3-pytest gcc-aarch64-linux-gnu libc6-dev-arm64-cross
      qemu-user binutils valgrind python3-venv python3-dev python3-numpy python3-scipy python3-h5py python3-gensim python3-matplotlib
      libopenmpi-dev openmpi-bin libmpich-dev mpich zsh fish chromium chromium-driver python3-selenium zstd"
bench="python3"
paper="python3 python3-matplotlib"
release="g++ make cmake dpkg-dev perl python3 python3-dev python3-venv python3-pytest qemu-user libc6-arm64-cross binutils
         libopenmpi-dev openmpi-bin libmpich-dev
         gcc-mingw-w64-x86-64-posix g++-mingw-w64-x86-64-posix wine wine64 zip unzip groff-base libomp-dev
         r-base-core r-base-dev r-cran-matrix r-cran-tm r-cran-slam r-cran-knitr r-cran-rmarkdown r-cran-testthat
         r-cran-generics r-cran-jsonlite r-cran-roxygen2 pandoc qpdf tidy devscripts"
lint="clang-format clang-tidy cppcheck python3 python3-dev python3-pytest"

wanted=
for group in "$@"; do
    case $group in
    build) wanted="$wanted $build" ;;
    test) wanted="$wanted $test" ;;
    bench) wanted="$wanted $bench" ;;
    paper) wanted="$wanted $paper" ;;
    lint) wanted="$wanted $lint" ;;
    release) wanted="$wanted $release" ;;
    *) echo "bootstrap.sh: unknown group '$group' (build, test, bench, paper, lint, release)" >&2; exit 2 ;;
    esac
done

# A tool may be installed without its package.
tool_of() {
    case $1 in
    gcc | cmake | clang | g++ | python3 | pkg-config | clang-format | clang-tidy | cppcheck | valgrind) echo "$1" ;;
    ninja-build) echo ninja ;;
    qemu-user) echo qemu-aarch64 ;;
    gcc-aarch64-linux-gnu) echo aarch64-linux-gnu-gcc ;;
    esac
}

if ! command -v dpkg-query >/dev/null 2>&1; then
    missing=
    for package in $wanted; do
        tool=$(tool_of "$package")
        if [ -n "$tool" ] && ! command -v "$tool" >/dev/null 2>&1; then missing="$missing $tool"; fi
    done
    [ -z "$missing" ] && exit 0
    echo "Missing:$missing. Please install them, and what corresponds to these Debian packages:" $wanted >&2
    exit 1
fi

# shellcheck disable=SC2086
installed=$(dpkg-query -W -f '${db:Status-Status} ${Package} \n' $wanted 2>/dev/null | sed -n 's/^installed//p' || true)
missing=
for package in $wanted; do
    case "$installed$missing " in
    *" $package "*) continue ;;
    esac
    tool=$(tool_of "$package")
    if [ -n "$tool" ] && command -v "$tool" >/dev/null 2>&1; then continue; fi
    missing="$missing $package"
done
[ -z "$missing" ] && exit 0

install="apt-get install -y --no-install-recommends$missing"
if [ "$(id -u)" != 0 ]; then
    echo "Some packages are missing. Please run:" >&2
    echo "    sudo $install" >&2
    exit 1
fi

echo "Installing:$missing"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
export DEBIAN_FRONTEND=noninteractive
quiet="-qq -o DPkg::Lock::Timeout=600"
# The package lists may be missing or old: try again with new ones.
# shellcheck disable=SC2086
if ! $install $quiet >"$log" 2>&1; then
    apt-get update $quiet >"$log" 2>&1 || true
    if ! $install $quiet >>"$log" 2>&1; then
        cat "$log" >&2
        echo "bootstrap.sh: could not install:$missing" >&2
        exit 1
    fi
fi
