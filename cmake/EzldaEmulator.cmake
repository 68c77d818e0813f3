# The CUDA backend on an emulated GPU, for tests: the command and the backend tests with the CUDA backend inside, whether or
# not nvcc is installed, and the driver that they find. All of it is in emulated/ of the build folder.

set(EZLDA_EMULATOR "" CACHE PATH "emulated/ of another build folder, whose driver and kernels are used instead of own ones")
if(NOT EZLDA_EMULATOR)
    include(CheckLanguage)
    check_language(CXX)
    if(NOT CMAKE_CXX_COMPILER)
        unset(CMAKE_CXX_COMPILER CACHE)
        message(STATUS "no C++ compiler was found: no emulated GPU for the tests")
        return()
    endif()
endif()

set(emulator_folder ${PROJECT_SOURCE_DIR}/tests/emulator)
set(emulated_folder ${PROJECT_BINARY_DIR}/emulated)
set(cuda_folder ${PROJECT_SOURCE_DIR}/src/backend/cuda)
file(GLOB kernel_files CONFIGURE_DEPENDS ${cuda_folder}/kernels/*.cu ${emulator_folder}/*.cu)
add_custom_target(emulated)
add_dependencies(tests emulated)

if(EZLDA_EMULATOR)
    # Links beside the programs; that build folder is built first (see the Makefile).
    get_filename_component(emulator_built ${EZLDA_EMULATOR} ABSOLUTE)
    file(MAKE_DIRECTORY ${emulated_folder})
    foreach(name libcuda.so.1 kernels)
        if(NOT IS_SYMLINK ${emulated_folder}/${name})
            file(REMOVE_RECURSE ${emulated_folder}/${name})
        endif()
        file(CREATE_LINK ${emulator_built}/${name} ${emulated_folder}/${name} SYMBOLIC)
    endforeach()
    set(emulator_libraries ${emulator_built}/libcuda.so.1)
    foreach(file ${kernel_files})
        get_filename_component(name ${file} NAME_WE)
        list(APPEND emulator_libraries ${emulator_built}/kernels/${name}.so)
    endforeach()
else()
    include(EzldaEmulatedDriver)
    add_dependencies(emulated fake_cuda)
endif()

# The programs compile the backends again, with CUDA; everything else comes from the library. If the library has CUDA, only
# the files that know of the kernels' images differ.
if(EZLDA_HAVE_CUDA)
    set(emulated_sources ${cuda_folder}/driver/coverage.c ${cuda_folder}/driver/kernel_images.c)
else()
    file(GLOB emulated_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/backend/*.c ${cuda_folder}/*.c
         ${cuda_folder}/*/*.c)
endif()
add_library(emulated_objects OBJECT EXCLUDE_FROM_ALL ${emulated_sources})
target_link_libraries(emulated_objects PRIVATE ezlda_flags)
target_compile_definitions(emulated_objects PRIVATE EZLDA_HAVE_CUDA EZ_KERNELS_EMULATED)

function(add_emulated target name)
    add_executable(${target} EXCLUDE_FROM_ALL ${ARGN} $<TARGET_OBJECTS:emulated_objects>)
    set_target_properties(${target} PROPERTIES OUTPUT_NAME ${name} RUNTIME_OUTPUT_DIRECTORY ${emulated_folder}
                          BUILD_RPATH_USE_ORIGIN ON BUILD_RPATH "$ORIGIN" LINKER_LANGUAGE C)
    target_link_libraries(${target} PRIVATE ezlda_flags ezlda_static)
    add_dependencies(emulated ${target})
    if(EZLDA_SANITIZE AND NOT EZLDA_SANITIZE STREQUAL "thread")
        # The leak checker cannot read the thread-local memory of libraries that are opened late.
        target_link_options(${target} PRIVATE -Wl,--no-as-needed)
        target_link_libraries(${target} PRIVATE ${emulator_libraries})
    endif()
endfunction()

add_emulated(emulated_command ezlda ${cli_object_files})

# tests/run knows these programs by the same names. On a sanitized build it runs only one of them.
if(EZLDA_SANITIZE)
    set(emulated_tests ${PROJECT_SOURCE_DIR}/tests/unit/test_device.c)
else()
    file(GLOB emulated_tests CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/unit/test_backends.c
         ${PROJECT_SOURCE_DIR}/tests/unit/test_device*.c)
endif()
foreach(file ${emulated_tests})
    get_filename_component(name ${file} NAME_WE)
    add_emulated(emulated_${name} ${name} ${file})
    target_include_directories(emulated_${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests ${PROJECT_SOURCE_DIR}/tests/unit)
    target_compile_definitions(emulated_${name} PRIVATE CHECK_SOURCE_DIR="${PROJECT_SOURCE_DIR}" EZLDA_HAVE_CUDA)
endforeach()
