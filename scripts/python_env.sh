#!/bin/sh
# Makes a virtual environment with the Python package and the packages that its tests need:
#     scripts/python_env.sh [--packages] FOLDER [PYTHON [LIBEZLDA_A [OTHER]]]
# Packages are installed once, and again when pyproject.toml has changed. The extension is built at every call and linked
# with LIBEZLDA_A, which takes seconds. EZLDA_PYTHON_EXTRAS names more packages to install. The packages of OTHER, an
# existing environment, are used if its Python has the same version (3.9, ...). With --packages our own package is not
# built. Exit status 4: PyPI cannot be reached, or does not have the packages.
set -eu

packages=
if [ "$1" = --packages ]; then
    packages=only
    shift
fi
folder=$1
python=${2:-python3}
library=${3:-}
other=${4:-}
root=$(cd "$(dirname "$0")/.." && pwd)

"$python" -c 'import sys; sys.exit(sys.version_info < (3, 9))' || {
    echo "python_env.sh: $python is older than 3.9" >&2
    exit 1
}
if [ ! -x "$folder/bin/python" ]; then
    "$python" -m venv "$folder" || {
        echo "python_env.sh: $python cannot make a virtual environment (Debian: python3-venv)" >&2
        exit 1
    }
fi
folder=$(cd "$folder" && pwd)

site_of() {
    "$1/bin/python" -c 'import sysconfig; print(sysconfig.get_path("platlib"))'
}

# Prints lib/python3.11 or similar: the folder of the packages, relative to the environment.
place_of() {
    site_of "$1" | sed 's|.*/\(lib[^/]*/[^/]*\)/site-packages$|\1|'
}

pip="$folder/bin/python -m pip install --quiet --disable-pip-version-check --no-compile"
if [ -n "$other" ] && [ "$(place_of "$folder")" = "$(place_of "$other")" ]; then
    site_of "$other" >"$(site_of "$folder")/shared.pth"
elif [ ! -e "$folder/packages.stamp" ] || [ "$root/pyproject.toml" -nt "$folder/packages.stamp" ]; then
    # shellcheck disable=SC2086
    $pip --timeout 20 --retries 2 "scikit-build-core>=0.11" numpy scipy scikit-learn pandas tqdm pytest anndata \
        gensim pyLDAvis==3.4.1 pyarrow polars duckdb rich matplotlib ${EZLDA_PYTHON_EXTRAS:-} || {
        echo "python_env.sh: the packages for $python cannot be installed from PyPI" >&2
        exit 4
    }
    # Tests that use these are skipped without them: not every Python has wheels.
    for package in scanpy dask tomotopy; do
        $pip --timeout 20 --retries 2 --only-binary :all: "$package" ||
            echo "python_env.sh: $package cannot be installed; its tests are skipped" >&2
    done
    touch "$folder/packages.stamp"
fi
[ -z "$packages" ] || exit 0

set --
if [ -n "$library" ]; then
    set -- --config-settings "cmake.define.EZLDA_LIBRARY=$(cd "$(dirname "$library")" && pwd)/$(basename "$library")"
fi
$pip --no-build-isolation --no-deps --force-reinstall --config-settings "build-dir=$folder/extension" "$@" "$root"
