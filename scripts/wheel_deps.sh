#!/bin/sh
# Installs the libraries that the wheel is compiled with, inside a manylinux image (AlmaLinux). If EZLDA_CUDA_REPO names a
# repository file of NVIDIA's packages, nvcc is installed too, and the wheel has the CUDA backend.
set -eu

dnf install -y epel-release dnf-plugins-core
dnf config-manager --set-enabled powertools || dnf config-manager --set-enabled crb
dnf install -y ninja-build pkgconf zlib-devel libzstd-devel xz-devel xxhash-devel utf8proc-devel libstemmer-devel \
    uchardet-devel hdf5-devel libxml2-devel
if [ -n "${EZLDA_CUDA_REPO:-}" ]; then
    dnf config-manager --add-repo "$EZLDA_CUDA_REPO"
    dnf install -y cuda-nvcc-13-0
fi
