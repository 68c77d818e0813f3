#!/bin/sh
# Runs the command for Windows under Wine: release/run_windows.sh ARGUMENT... The program is EZLDA_WINDOWS_COMMAND, or the one
# that release/windows.sh has built. Tests of the command use this script as EZLDA_BIN. WINEPREFIX is a folder of the
# release builds, so that no settings of the user are read or changed.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
BUILD=${EZLDA_RELEASE_BUILD:-$root/build-release}
export WINEPREFIX="${WINEPREFIX:-$BUILD/wine}" WINEDEBUG="${WINEDEBUG:--all}" WINEDLLOVERRIDES="${WINEDLLOVERRIDES:-mscoree,mshtml=}"
# The first program of a server starts Wine's services, which keep its streams open: a reader of them would wait for the
# services to end. So the server stays for some minutes, and its first program is one whose streams nobody reads.
if wineserver -p600 </dev/null >/dev/null 2>&1; then
    wine cmd /c rem </dev/null >/dev/null 2>&1 || true
fi
exec wine "${EZLDA_WINDOWS_COMMAND:-$BUILD/windows-x86_64/build/ezlda.exe}" "$@"
