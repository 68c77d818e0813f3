# The library's sources: `ezlda_sources`. A new file needs no entry here; files named after an instruction set are
# compiled for it and left out on other architectures (they are chosen at run time).

file(GLOB_RECURSE ezlda_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/*.c)
# The module of an MPI implementation is a library of its own (EzldaMpi.cmake).
list(FILTER ezlda_sources EXCLUDE REGEX "/src/cluster/mpi/")

set(avx2_flags -mavx2)
set(avx512_flags -mavx512f -mavx512dq -mavx512bw -mavx512vl -mavx512cd)

if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|amd64|AMD64)$")
    set(left_out "_neon\\.c$")
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)$")
    set(left_out "_(avx2|avx512)\\.c$")
else()
    set(left_out "_(avx2|avx512|neon)\\.c$")
endif()
list(FILTER ezlda_sources EXCLUDE REGEX "${left_out}")

foreach(file ${ezlda_sources})
    if(file MATCHES "_(avx2|avx512)\\.c$")
        set_source_files_properties(${file} PROPERTIES COMPILE_OPTIONS "${${CMAKE_MATCH_1}_flags}")
    endif()
endforeach()
