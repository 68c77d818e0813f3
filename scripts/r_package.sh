#!/bin/sh
# Assembles the source package of R with the library's sources inside:
#     scripts/r_package.sh BUILD [--no-vignettes]
# BUILD is a configured build folder, which has the parts of the report's page. Prints the path of the package,
# dist/ezlda_VERSION.tar.gz.
set -eu

build=$1
vignettes=${2:-}
root=$(cd "$(dirname "$0")/.." && pwd)
build=$(cd "$build" && pwd)
cd "$root"

part() {
    sed -n "s/^#define EZLDA_VERSION_$1 \([0-9]*\)$/\1/p" include/ezlda.h
}
version=$(part MAJOR).$(part MINOR).$(part PATCH)

stage=$build/r-package
package=$stage/ezlda
library=$package/src/libezlda
rm -rf "$stage"
mkdir -p "$library/report" dist
cp -R r/. "$package"
sed -i "s/^Version: .*/Version: $version/" "$package/DESCRIPTION"

# The library: sources and headers, without the modules of MPI and the files for Windows.
cp -R include "$library/include"
(cd src && find . -type f \( -name '*.[ch]' -o -name '*.cu' -o -name '*.cuh' \) ! -path './cluster/mpi/*.c' ! -name '*_windows.c' ! -name 'os_windows.[ch]') |
    while read -r file; do
        mkdir -p "$library/src/$(dirname "$file")"
        cp "src/$file" "$library/src/$file"
    done
cp LICENSE "$library/LICENSE"

# The page of the report, and what page_file.c must know about it.
definitions="-DEZ_PAGE_FOLDER='\"libezlda/report\"'"
for pair in PAGE:page.html STYLE:style.css SCRIPT:script.js; do
    name=${pair%%:*}
    file=${pair#*:}
    cp "$build/report/$file" "$library/report/$file"
    bytes=$(wc -c <"$library/report/$file" | tr -d ' ')
    hash=$(sha256sum "$library/report/$file" | cut -d' ' -f1)
    definitions="$definitions -DEZ_${name}_BYTES=$bytes -DEZ_${name}_HASH='\"$hash\"'"
done
echo "$definitions" >"$library/report/definitions"

# The vignette is built with an installed package: R CMD build installs it, without CUDA, which takes no part in it.
cd "$stage"
if [ "$vignettes" = --no-vignettes ]; then
    R CMD build --no-build-vignettes ezlda >build.log 2>&1 || { cat build.log >&2; exit 1; }
else
    EZLDA_CUDA=OFF R CMD build ezlda >build.log 2>&1 || { cat build.log >&2; exit 1; }
fi
mv "ezlda_$version.tar.gz" "$root/dist/"
echo "dist/ezlda_$version.tar.gz"
