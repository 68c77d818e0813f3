#!/bin/sh
# Fetches source packages of Debian and unpacks them with Debian's patches: release/sources.sh FOLDER PACKAGE...
# FOLDER/PACKAGE is the unpacked source. The archive is the one that apt of this machine is configured for, and apt checks
# its signatures; only the type of the entries changes, from binary to source packages, in a list of our own. Of a
# toolchain of LLVM only openmp/, the CMake modules that it needs and the builtins of compiler-rt are unpacked.
set -eu

folder=$1
shift
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)

missing=
for package in "$@"; do
    [ -e "$folder/$package/.unpacked" ] || missing="$missing $package"
done
[ -n "$missing" ] || exit 0
command -v dpkg-source >/dev/null 2>&1 || {
    echo "sources.sh: dpkg-source was not found; run scripts/bootstrap.sh release" >&2
    exit 1
}

apt=$folder/apt
mkdir -p "$apt/parts" "$apt/lists/partial" "$apt/cache/archives/partial"
# The entries of Debian's own archive, as source entries. Other archives that a machine may have do not have these packages.
: >"$apt/parts/debian.list"
: >"$apt/parts/debian.sources"
for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
    [ -f "$file" ] || continue
    sed -n 's/^deb \(.*debian.*\)$/deb-src \1/p' "$file" >>"$apt/parts/debian.list"
done
for file in /etc/apt/sources.list.d/debian.sources; do
    [ -f "$file" ] || continue
    sed 's/^Types:.*/Types: deb-src/' "$file" >>"$apt/parts/debian.sources"
done

# Runs apt-get with these entries only.
private_apt() {
    apt-get -qq -o Dir::Etc::SourceList=/dev/null -o "Dir::Etc::SourceParts=$apt/parts" \
        -o "Dir::State::Lists=$apt/lists" -o "Dir::Cache=$apt/cache" -o APT::Sandbox::User=root "$@"
}
private_apt update

for package in $missing; do
    echo "Fetching the source of $package"
    rm -rf "$folder/download" "${folder:?}/$package"
    mkdir "$folder/download"
    cd "$folder/download"
    private_apt source --download-only "$package"
    case $package in
    llvm-toolchain-*)
        mkdir "$folder/$package"
        tar -xf "$package"_*.orig.tar.* -C "$folder/$package" --strip-components=1 --wildcards \
            --no-wildcards-match-slash '*/openmp' '*/cmake' '*/compiler-rt/lib/builtins'
        ;;
    *)
        dpkg-source --no-check -x ./*.dsc "$folder/$package" >/dev/null
        ;;
    esac
    echo ./*.dsc >"$folder/$package/.unpacked"
    cd "$folder"
    rm -rf "$folder/download"
done
