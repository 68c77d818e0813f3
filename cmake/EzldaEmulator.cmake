# The CUDA backend on an emulated GPU, for tests: a libcuda.so.1 that runs the kernels on the CPU, and the command and
# the backend test with the CUDA backend inside, whether or not nvcc is there. All in emulated/ of the build folder.

include(CheckLanguage)
check_language(CXX)
if(NOT CMAKE_CXX_COMPILER)
    unset(CMAKE_CXX_COMPILER CACHE)
    message(STATUS "no C++ compiler was found: no emulated GPU for the tests")
    return()
endif()
enable_language(CXX)

set(emulator_folder ${PROJECT_SOURCE_DIR}/tests/emulator)
set(emulated_folder ${PROJECT_BINARY_DIR}/emulated)
set(cuda_folder ${PROJECT_SOURCE_DIR}/src/backend/cuda)
file(GLOB emulator_headers CONFIGURE_DEPENDS ${emulator_folder}/*.h)
add_custom_target(emulated)
add_dependencies(tests emulated)

# Kernels and emulator are compiled without sanitizers, which do not know fibers.
file(GLOB emulator_sources CONFIGURE_DEPENDS ${emulator_folder}/*.cpp)
add_library(fake_cuda SHARED EXCLUDE_FROM_ALL ${emulator_sources})
set_target_properties(fake_cuda PROPERTIES OUTPUT_NAME cuda SOVERSION 1 CXX_STANDARD 17 CXX_VISIBILITY_PRESET default
                      LIBRARY_OUTPUT_DIRECTORY ${emulated_folder})
target_include_directories(fake_cuda PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
target_compile_options(fake_cuda PRIVATE -O2 -g -Wall -Wextra -frounding-math -ffp-contract=off)
find_package(Threads REQUIRED)
target_link_libraries(fake_cuda PRIVATE Threads::Threads ${CMAKE_DL_LIBS})
# Nothing of it may go away while threads wait in it.
target_link_options(fake_cuda PRIVATE -Wl,-z,defs -Wl,-z,nodelete)

# NCCL between processes with such GPUs.
add_library(fake_nccl SHARED EXCLUDE_FROM_ALL ${emulator_folder}/nccl/fake_nccl.cpp)
set_target_properties(fake_nccl PROPERTIES OUTPUT_NAME nccl SOVERSION 2 CXX_STANDARD 17 CXX_VISIBILITY_PRESET default
                      LIBRARY_OUTPUT_DIRECTORY ${emulated_folder})
target_include_directories(fake_nccl PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src ${emulator_folder})
target_compile_options(fake_nccl PRIVATE -O2 -g -Wall -Wextra)
target_link_libraries(fake_nccl PRIVATE fake_cuda)
target_link_options(fake_nccl PRIVATE -Wl,-z,defs -Wl,-z,nodelete)
add_dependencies(emulated fake_nccl)

# Headers of the kernels are translated too; includes find the translation first.
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

# Each kernel file twice: with checks of what a GPU does otherwise than C says, or not at all (simt_fault.cpp has the
# words for it), and with a call at every access, for races (simt_race.cpp). Nothing of the sanitizers is linked.
set(kernels_checks -fsanitize=alignment,bounds,shift-exponent,integer-divide-by-zero -fno-sanitize-recover=all)
set(watched_checks -fsanitize=thread)
file(GLOB kernel_files CONFIGURE_DEPENDS ${cuda_folder}/kernels/*.cu ${emulator_folder}/*.cu)
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
        target_compile_options(${target} PRIVATE -include simt.h -O1 -g -ffp-contract=off -fno-gnu-unique -Wall
                               -Wno-unknown-pragmas -Wno-sign-compare ${${kind}_checks})
        target_link_libraries(${target} PRIVATE fake_cuda)
        target_link_options(${target} PRIVATE -Wl,-z,defs)
        add_dependencies(${target} emulated_headers emulated_${name}_source)
    endforeach()
    list(APPEND emulated_kernels emulated_kernels_${name})
    list(APPEND watched_kernels emulated_watched_${name})
endforeach()
add_dependencies(emulated ${emulated_kernels})
# The sanitizers of another compiler do not go together with these calls.
if(NOT EZLDA_SANITIZE)
    add_dependencies(emulated ${watched_kernels})
endif()

# The backends once more, now with CUDA; all else comes from the library.
file(GLOB emulated_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/backend/*.c ${cuda_folder}/*.c ${cuda_folder}/*/*.c)
add_library(emulated_objects OBJECT EXCLUDE_FROM_ALL ${emulated_sources})
target_link_libraries(emulated_objects PRIVATE ezlda_flags)
target_compile_definitions(emulated_objects PRIVATE EZLDA_HAVE_CUDA EZ_KERNELS_EMULATED)

function(add_emulated target name)
    add_executable(${target} EXCLUDE_FROM_ALL ${ARGN} $<TARGET_OBJECTS:emulated_objects>)
    set_target_properties(${target} PROPERTIES OUTPUT_NAME ${name} RUNTIME_OUTPUT_DIRECTORY ${emulated_folder}
                          BUILD_RPATH_USE_ORIGIN ON BUILD_RPATH "$ORIGIN")
    target_link_libraries(${target} PRIVATE ezlda_flags ezlda_static)
    add_dependencies(${target} fake_cuda)
    add_dependencies(emulated ${target})
    if(EZLDA_SANITIZE AND NOT EZLDA_SANITIZE STREQUAL "thread")
        # The leak checker cannot read the thread-local memory of libraries that were opened late.
        target_link_options(${target} PRIVATE -Wl,--no-as-needed)
        target_link_libraries(${target} PRIVATE fake_cuda ${emulated_kernels})
    endif()
endfunction()

file(GLOB_RECURSE emulated_cli CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/cli/*.c)
add_emulated(emulated_command ezlda ${emulated_cli})
target_include_directories(emulated_command PRIVATE ${PROJECT_SOURCE_DIR}/cli)

# tests/run knows these programs by the same names.
file(GLOB emulated_tests CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/unit/test_backends.c
     ${PROJECT_SOURCE_DIR}/tests/unit/test_device*.c)
foreach(file ${emulated_tests})
    get_filename_component(name ${file} NAME_WE)
    add_emulated(emulated_${name} ${name} ${file})
    target_include_directories(emulated_${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests ${PROJECT_SOURCE_DIR}/tests/unit)
    target_compile_definitions(emulated_${name} PRIVATE CHECK_SOURCE_DIR="${PROJECT_SOURCE_DIR}" EZLDA_HAVE_CUDA)
endforeach()
