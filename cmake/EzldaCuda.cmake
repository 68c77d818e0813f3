# The CUDA backend: kernels are compiled to fatbins, which kernel_images.c embeds. The driver is opened at run time, so
# nothing of CUDA is linked. Without nvcc the library supports the CPU only.

set(EZLDA_CUDA AUTO CACHE STRING "CUDA backend: ON, OFF, or AUTO (ON if nvcc is found)")
set(EZLDA_CUDA_ARCH all CACHE STRING "What nvcc compiles for (its -arch): all, all-major, native, sm_90, ...")
option(EZLDA_CUDA_OLDEST "Compile for the oldest GPUs of this nvcc only, whatever EZLDA_CUDA_ARCH says (test builds)" OFF)

set(EZLDA_HAVE_CUDA OFF)
if(EZLDA_CUDA AND NOT EZLDA_CROSS_TEST)
    find_program(EZLDA_NVCC nvcc HINTS ENV CUDA_HOME ENV CUDA_PATH PATH_SUFFIXES bin PATHS /usr/local/cuda)
    if(EZLDA_NVCC)
        set(EZLDA_HAVE_CUDA ON)
    elseif(NOT EZLDA_CUDA STREQUAL "AUTO")
        message(FATAL_ERROR "EZLDA_CUDA is ${EZLDA_CUDA}, but nvcc was not found")
    else()
        message(STATUS "nvcc was not found: building for the CPU only")
    endif()
endif()

if(NOT EZLDA_HAVE_CUDA)
    list(FILTER ezlda_sources EXCLUDE REGEX "/src/backend/cuda/")
    return()
endif()

set(cuda_arch ${EZLDA_CUDA_ARCH})
if(EZLDA_CUDA_OLDEST)
    execute_process(COMMAND ${EZLDA_NVCC} --list-gpu-arch OUTPUT_VARIABLE known_archs)
    string(REGEX MATCH "compute_([0-9]+)" oldest "${known_archs}")
    if(oldest)
        set(cuda_arch sm_${CMAKE_MATCH_1})
    endif()
endif()

set(cuda_folder ${PROJECT_SOURCE_DIR}/src/backend/cuda)
set(kernel_folder ${PROJECT_BINARY_DIR}/kernels)
file(GLOB kernel_sources CONFIGURE_DEPENDS ${cuda_folder}/kernels/*.cu)
file(GLOB kernel_headers CONFIGURE_DEPENDS ${cuda_folder}/kernels/*.cuh ${cuda_folder}/kernels/*.h
     ${PROJECT_SOURCE_DIR}/src/sampler/*.h)
file(MAKE_DIRECTORY ${kernel_folder})
foreach(file ${kernel_sources})
    get_filename_component(name ${file} NAME_WE)
    add_custom_command(OUTPUT ${kernel_folder}/${name}.fatbin
        COMMAND ${EZLDA_NVCC} -fatbin -std=c++17 -O3 --fmad=false -arch=${cuda_arch} -Werror all-warnings
                -I${PROJECT_SOURCE_DIR}/src -o ${kernel_folder}/${name}.fatbin ${file}
        DEPENDS ${file} ${kernel_headers} COMMENT "Compiling the kernels of ${name}.cu")
    list(APPEND kernel_images ${kernel_folder}/${name}.fatbin)
endforeach()

set_property(SOURCE ${cuda_folder}/driver/kernel_images.c APPEND PROPERTY COMPILE_DEFINITIONS
             EZ_KERNEL_FOLDER="${kernel_folder}")
set_property(SOURCE ${cuda_folder}/driver/kernel_images.c APPEND PROPERTY OBJECT_DEPENDS "${kernel_images}")

# The architectures of the images, as nvcc reports them. Messages and `ezlda devices` print them.
list(GET kernel_sources 0 any_kernel)
execute_process(COMMAND ${EZLDA_NVCC} --dryrun -fatbin -arch=${cuda_arch} -o any.fatbin ${any_kernel}
                WORKING_DIRECTORY ${kernel_folder} OUTPUT_VARIABLE dry_run ERROR_VARIABLE dry_run)
string(REGEX MATCHALL "kind=elf,sm=[0-9]+" sass "${dry_run}")
string(REGEX MATCH "kind=ptx,sm=([0-9]+)" ptx "${dry_run}")
if(ptx)
    set(ptx ${CMAKE_MATCH_1})
else()
    set(ptx 0)
endif()
execute_process(COMMAND ${EZLDA_NVCC} --version OUTPUT_VARIABLE nvcc_version)
string(REGEX MATCH "release ([0-9]+)\\.([0-9]+)" release "${nvcc_version}")
if(NOT release OR NOT (sass OR ptx))
    message(FATAL_ERROR "${EZLDA_NVCC}: cannot tell its version, or what -arch=${cuda_arch} compiles for")
endif()
math(EXPR toolkit "${CMAKE_MATCH_1} * 1000 + ${CMAKE_MATCH_2} * 10")
list(TRANSFORM sass REPLACE ".*=([0-9]+)" "\\1,")
list(SORT sass COMPARE NATURAL)
list(REMOVE_DUPLICATES sass)
list(JOIN sass "" sass_list)
set_property(SOURCE ${cuda_folder}/driver/coverage.c APPEND PROPERTY COMPILE_DEFINITIONS EZ_CUDA_TOOLKIT=${toolkit}
             "EZ_CUDA_SASS=${sass_list}" EZ_CUDA_PTX=${ptx})

target_compile_definitions(ezlda_flags INTERFACE EZLDA_HAVE_CUDA)
