# The library's sources: `ezlda_sources`. A new file needs no entry here. Files named after an instruction set are
# compiled for it, and ignored on other architectures; the library chooses among them at run time.

file(GLOB_RECURSE ezlda_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/*.c)
# The module of an MPI implementation is a library of its own (EzldaMpi.cmake).
list(FILTER ezlda_sources EXCLUDE REGEX "/src/cluster/mpi/")

# A file named after a system is compiled for it alone.
if(WIN32)
    list(FILTER ezlda_sources EXCLUDE REGEX "_posix\\.c$")
else()
    list(FILTER ezlda_sources EXCLUDE REGEX "_windows\\.c$")
endif()

set(avx2_flags -mavx2)
set(avx512_flags -mavx512f -mavx512dq -mavx512bw -mavx512vl -mavx512cd)
# Windows aligns the stack to 16 bytes, and gcc would move vectors to it with instructions that need more.
if(WIN32)
    list(APPEND avx2_flags -Wa,-muse-unaligned-vector-move)
    list(APPEND avx512_flags -Wa,-muse-unaligned-vector-move)
endif()

if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|amd64|AMD64)$")
    set(unusable "_neon\\.c$")
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)$")
    set(unusable "_(avx2|avx512)\\.c$")
else()
    set(unusable "_(avx2|avx512|neon)\\.c$")
endif()
list(FILTER ezlda_sources EXCLUDE REGEX "${unusable}")

foreach(file ${ezlda_sources})
    if(file MATCHES "_(avx2|avx512)\\.c$")
        set_source_files_properties(${file} PROPERTIES COMPILE_OPTIONS "${${CMAKE_MATCH_1}_flags}")
    endif()
endforeach()
