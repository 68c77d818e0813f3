# The emulated driver (libcuda.so.1), an emulated NCCL, and the kernels compiled for the CPU: `emulator_libraries` are the
# driver and the kernels.

enable_language(CXX)
file(GLOB emulator_headers CONFIGURE_DEPENDS ${emulator_folder}/*.h)
# Kernels and emulator are compiled without sanitizers, which do not know fibers.
file(GLOB emulator_sources CONFIGURE_DEPENDS ${emulator_folder}/*.cpp)
add_library(fake_cuda SHARED EXCLUDE_FROM_ALL ${emulator_sources})
set_target_properties(fake_cuda PROPERTIES OUTPUT_NAME cuda SOVERSION 1 CXX_STANDARD 17 CXX_VISIBILITY_PRESET default
                      LIBRARY_OUTPUT_DIRECTORY ${emulated_folder})
target_include_directories(fake_cuda PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
target_compile_options(fake_cuda PRIVATE -O2 -g1 -Wall -Wextra -frounding-math -ffp-contract=off)
find_package(Threads REQUIRED)
target_link_libraries(fake_cuda PRIVATE Threads::Threads ${CMAKE_DL_LIBS})
# It must not be unloaded while threads wait in it.
target_link_options(fake_cuda PRIVATE -Wl,-z,defs -Wl,-z,nodelete)

# NCCL between processes with emulated GPUs.
add_library(fake_nccl SHARED EXCLUDE_FROM_ALL ${emulator_folder}/nccl/fake_nccl.cpp)
set_target_properties(fake_nccl PROPERTIES OUTPUT_NAME nccl SOVERSION 2 CXX_STANDARD 17 CXX_VISIBILITY_PRESET default
                      LIBRARY_OUTPUT_DIRECTORY ${emulated_folder})
target_include_directories(fake_nccl PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src ${emulator_folder})
target_compile_options(fake_nccl PRIVATE -O2 -g1 -Wall -Wextra)
target_link_libraries(fake_nccl PRIVATE fake_cuda)
target_link_options(fake_nccl PRIVATE -Wl,-z,defs -Wl,-z,nodelete)
add_dependencies(emulated fake_nccl)

# The headers of the kernels are translated too; the include path finds the translations first.
set(translated ${emulated_folder}/translated)
file(MAKE_DIRECTORY ${translated}/backend/cuda/kernels)
file(GLOB kernel_headers CONFIGURE_DEPENDS ${cuda_folder}/kernels/*.cuh)
set(translated_headers "")
foreach(file ${kernel_headers})
    get_filename_component(name ${file} NAME)
    set(out ${translated}/backend/cuda/kernels/${name})
    add_custom_command(OUTPUT ${out} COMMAND ${emulator_folder}/translate_kernels.sh ${file} ${out}
                       DEPENDS ${file} ${emulator_folder}/translate_kernels.sh VERBATIM)
    list(APPEND translated_headers ${out})
endforeach()
add_custom_target(emulated_headers DEPENDS ${translated_headers})

# Each kernel file is compiled twice: with checks for operations that a GPU does differently or not at all (simt_fault.cpp
# reports them), and with a call at every access, which finds races (simt_race.cpp). No sanitizer runtime is linked. -O1:
# higher levels keep thread-local addresses over a switch of fibers. -g1: reports need lines, not variables.
set(kernels_checks -fsanitize=alignment,bounds,shift-exponent,integer-divide-by-zero -fno-sanitize-recover=all)
set(watched_checks -fsanitize=thread)
foreach(file ${kernel_files})
    get_filename_component(name ${file} NAME_WE)
    set(out ${translated}/${name}.cpp)
    add_custom_command(OUTPUT ${out} COMMAND ${emulator_folder}/translate_kernels.sh ${file} ${out}
                       DEPENDS ${file} ${emulator_folder}/translate_kernels.sh VERBATIM)
    set_property(SOURCE ${out} PROPERTY OBJECT_DEPENDS "${emulator_headers}")
    add_custom_target(emulated_${name}_source DEPENDS ${out})
    foreach(kind kernels watched)
        set(target emulated_${kind}_${name})
        add_library(${target} SHARED EXCLUDE_FROM_ALL ${out})
        set_target_properties(${target} PROPERTIES OUTPUT_NAME ${name} PREFIX "" CXX_STANDARD 17
                              CXX_VISIBILITY_PRESET hidden LIBRARY_OUTPUT_DIRECTORY ${emulated_folder}/${kind})
        target_include_directories(${target} PRIVATE ${translated} ${emulator_folder} ${PROJECT_SOURCE_DIR}/src)
        target_compile_options(${target} PRIVATE -include simt.h -O1 -g1 -ffp-contract=off -fno-gnu-unique -Wall
                               -Wno-unknown-pragmas -Wno-sign-compare ${${kind}_checks})
        target_link_libraries(${target} PRIVATE fake_cuda)
        target_link_options(${target} PRIVATE -Wl,-z,defs)
        add_dependencies(${target} emulated_headers emulated_${name}_source)
    endforeach()
    list(APPEND emulated_kernels emulated_kernels_${name})
    list(APPEND watched_kernels emulated_watched_${name})
endforeach()
add_dependencies(emulated ${emulated_kernels})
# A sanitized program has a runtime of its own for these calls.
if(NOT EZLDA_SANITIZE)
    add_dependencies(emulated ${watched_kernels})
endif()
set(emulator_libraries fake_cuda ${emulated_kernels})
