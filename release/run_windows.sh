#!/bin/sh
# Runs the command for Windows under Wine: release/run_windows.sh ARGUMENT... The program is EZLDA_WINDOWS_COMMAND, or the one
# that release/windows.sh has built. Tests of the command use this script as EZLDA_BIN. WINEPREFIX is a folder of the
# release builds, so that no settings of the user are read or changed.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
BUILD=${EZLDA_RELEASE_BUILD:-$root/build-release}
export WINEPREFIX="${WINEPREFIX:-$BUILD/wine}" WINEDEBUG="${WINEDEBUG:--all}" WINEDLLOVERRIDES="${WINEDLLOVERRIDES:-mscoree,mshtml=}"
exec wine "${EZLDA_WINDOWS_COMMAND:-$BUILD/windows-x86_64/build/ezlda.exe}" "$@"
