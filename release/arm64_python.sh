#!/bin/sh
# Unpacks Debian's Python for 64-bit ARM with NumPy from PyPI into a folder, for tests under an emulator:
# release/arm64_python.sh FOLDER. Run it with qemu-aarch64 -L FOLDER FOLDER/usr/bin/python3.11. Packages come from the
# archive that apt of this machine is configured for, through lists of our own; nothing is installed.
set -eu

folder=$1
[ ! -e "$folder/.unpacked" ] || exit 0
rm -rf "$folder"
mkdir -p "$folder/apt/parts" "$folder/apt/lists/partial" "$folder/apt/cache/archives/partial" "$folder/apt/state"
folder=$(cd "$folder" && pwd)
for file in /etc/apt/sources.list.d/debian.sources; do
    [ -f "$file" ] && cp "$file" "$folder/apt/parts"
done
if [ -f /etc/apt/sources.list ]; then grep '^deb ' /etc/apt/sources.list >"$folder/apt/parts/debian.list" || true; fi
: >"$folder/apt/state/status"

arm_apt() {
    apt-get -qq -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o Dir::Etc::SourceList=/dev/null \
        -o "Dir::Etc::SourceParts=$folder/apt/parts" -o "Dir::State::Lists=$folder/apt/lists" \
        -o "Dir::State::status=$folder/apt/state/status" -o "Dir::Cache=$folder/apt/cache" -o APT::Sandbox::User=root "$@"
}
arm_apt update
python=$(apt-cache -o APT::Architecture=arm64 -o "Dir::State::Lists=$folder/apt/lists" -o "Dir::Cache=$folder/apt/cache" \
    -o "Dir::State::status=$folder/apt/state/status" -o Dir::Etc::SourceList=/dev/null \
    -o "Dir::Etc::SourceParts=$folder/apt/parts" depends python3-minimal |
    sed -n 's/.*Depends: \(python3\.[0-9]*\)-minimal.*/\1/p' | head -n 1)
mkdir "$folder/debs"
cd "$folder/debs"
arm_apt download libc6 libgcc-s1 libstdc++6 zlib1g libexpat1 libffi8 libbz2-1.0 liblzma5 libuuid1 libsqlite3-0 \
    "$python-minimal" "lib$python-minimal" "lib$python-stdlib"
for package in *.deb; do
    dpkg-deb -x "$package" "$folder"
done
cd "$folder"
rm -rf debs apt
ln -sfn "$python" usr/bin/python3
version=${python#python}
python3 -m pip download --quiet --disable-pip-version-check --no-deps --only-binary=:all: \
    --python-version "$version" --implementation cp --platform manylinux2014_aarch64 --platform manylinux_2_17_aarch64 \
    --platform manylinux_2_27_aarch64 --platform manylinux_2_28_aarch64 -d "$folder/wheels" numpy
mkdir -p "$folder/site"
python3 -m zipfile -e "$folder"/wheels/numpy-*.whl "$folder/site"
touch "$folder/.unpacked"
