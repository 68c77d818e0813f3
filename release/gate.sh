#!/bin/sh
# Prints the topics hash of one small run, with the default options that fit priors: release/gate.sh COMMAND...
# Every program of a release must print the same one.
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$@" synth -q -o "$folder/c.ezc" --docs 2000 --words 3000 --topics 20 --seed 7
"$@" train "$folder/c.ezc" -k 50 -i 50 --device cpu -q -o "$folder/m.ezm"
"$@" info "$folder/m.ezm" | tr -d '\r' | sed -n 's/^topics hash  *//p'
