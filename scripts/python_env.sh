#!/bin/sh
# A virtual environment with the Python package and what its tests need:
#     scripts/python_env.sh FOLDER [PYTHON [LIBEZLDA_A]]
# Packages are installed once, and again when pyproject.toml has changed; the extension is built anew at every call,
# over the library that is given, so that it takes seconds. EZLDA_PYTHON_EXTRAS names more packages to install.
set -eu

folder=$1
python=${2:-python3}
library=${3:-}
root=$(cd "$(dirname "$0")/.." && pwd)

"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || {
    echo "python_env.sh: $python is older than 3.11" >&2
    exit 1
}
if [ ! -x "$folder/bin/python" ]; then
    "$python" -m venv "$folder" || {
        echo "python_env.sh: $python cannot make a virtual environment (Debian: python3-venv)" >&2
        exit 1
    }
fi
folder=$(cd "$folder" && pwd)

pip="$folder/bin/python -m pip install --quiet --disable-pip-version-check"
if [ ! -e "$folder/packages.stamp" ] || [ "$root/pyproject.toml" -nt "$folder/packages.stamp" ]; then
    # shellcheck disable=SC2086
    $pip "scikit-build-core>=0.11" numpy scipy scikit-learn pandas tqdm pytest ${EZLDA_PYTHON_EXTRAS:-}
    touch "$folder/packages.stamp"
fi

set --
if [ -n "$library" ]; then
    set -- --config-settings "cmake.define.EZLDA_LIBRARY=$(cd "$(dirname "$library")" && pwd)/$(basename "$library")"
fi
$pip --no-build-isolation --no-deps --force-reinstall --config-settings "build-dir=$folder/extension" "$@" "$root"
