#!/bin/sh
# Runs tests/release and ends with the line "N passed, N failed": release/test.sh [OPTION OF PYTEST]...
# EZLDA_BUILD is the folder of `make`; dist/ has what the tests look at.
set -u
cd "$(dirname "$0")/.."
start=$(date +%s)
log=$(mktemp)
trap 'rm -f "$log"' EXIT
for python in python3 /usr/bin/python3; do "$python" -c 'import pytest' 2>/dev/null && break; done
"$python" -m pytest -q -p no:cacheprovider tests/release "$@" 2>&1 | tee "$log"
last=$(grep -E '^(=+ )?([0-9]+ [a-z]+, )*[0-9]+ (passed|failed|error|errors|skipped)' "$log" | tail -n 1)
count() {
    number=$(echo "$last" | grep -oE "[0-9]+ $1" | grep -oE '[0-9]+')
    echo "${number:-0}"
}
passed=$(count passed)
failed=$(($(count failed) + $(count error)))
# pytest may end without its closing line.
[ "$passed" -gt 0 ] || failed=$((failed > 0 ? failed : 1))
echo "$(($(date +%s) - start)) s"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
