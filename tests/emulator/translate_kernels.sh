#!/bin/sh
# Kernel files as C++ that simt.h can run: dynamic shared memory becomes an object, and a table of its kernels comes
# behind a .cu file.
#     translate_kernels.sh IN.cu|IN.cuh OUT
set -eu

{
    printf '#line 1 "%s"\n' "$1"
    sed -E 's/extern __shared__ (__align__\([^)]*\) )?(.*[^ ]) ?\b(\w+)\[\];/static const simt_dynamic<\2> \3{};/' "$1"
    case $1 in
    *.cu)
        printf '#line 1 "kernels of %s"\nSIMT_MODULE\n' "${1##*/}"
        # The name, then what its launch bounds hold.
        tr '\n' ' ' <"$1" | grep -oE 'extern "C" +__global__ +void +(__launch_bounds__\([^)]*\) +)?\w+ *\(' |
            sed -E -e 's/.*__launch_bounds__\(([^)]*)\) +(\w+) *\(/SIMT_KERNEL(\2, \1);/' \
                   -e 's/^extern .* (\w+) *\(/SIMT_KERNEL(\1);/'
        ;;
    esac
} >"$2.new"
mv "$2.new" "$2"
