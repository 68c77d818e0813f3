# The CUDA backend: kernels compiled to fatbins that kernel_images.c embeds. The driver is opened at run time, so
# nothing of CUDA is linked; without nvcc the library is made for the CPU alone.

set(EZLDA_CUDA AUTO CACHE STRING "CUDA backend: ON, OFF, or AUTO (where nvcc is found)")
set(EZLDA_CUDA_ARCH all CACHE STRING "What nvcc compiles for (its -arch): all, all-major, native, sm_90, ...")

set(EZLDA_HAVE_CUDA OFF)
if(EZLDA_CUDA AND NOT EZLDA_CROSS_TEST)
    find_program(EZLDA_NVCC nvcc HINTS ENV CUDA_HOME ENV CUDA_PATH PATH_SUFFIXES bin PATHS /usr/local/cuda)
    if(EZLDA_NVCC)
        set(EZLDA_HAVE_CUDA ON)
    elseif(NOT EZLDA_CUDA STREQUAL "AUTO")
        message(FATAL_ERROR "EZLDA_CUDA is ${EZLDA_CUDA}, but nvcc was not found")
    else()
        message(STATUS "nvcc was not found: building for the CPU alone")
    endif()
endif()

if(NOT EZLDA_HAVE_CUDA)
    list(FILTER ezlda_sources EXCLUDE REGEX "/src/backend/cuda/")
    return()
endif()

get_filename_component(nvcc_real ${EZLDA_NVCC} REALPATH)
get_filename_component(nvcc_folder ${nvcc_real} DIRECTORY)
set(cuda_folder ${PROJECT_SOURCE_DIR}/src/backend/cuda)
set(kernel_folder ${PROJECT_BINARY_DIR}/kernels)
file(GLOB kernel_sources CONFIGURE_DEPENDS ${cuda_folder}/kernels/*.cu)
file(GLOB kernel_headers CONFIGURE_DEPENDS ${cuda_folder}/kernels/*.cuh ${cuda_folder}/kernels/*.h
     ${PROJECT_SOURCE_DIR}/src/sampler/*.h)
file(MAKE_DIRECTORY ${kernel_folder})
foreach(file ${kernel_sources})
    get_filename_component(name ${file} NAME_WE)
    add_custom_command(OUTPUT ${kernel_folder}/${name}.fatbin
        COMMAND ${EZLDA_NVCC} -fatbin -std=c++17 -O3 --fmad=false -arch=${EZLDA_CUDA_ARCH} -Werror all-warnings
                -I${PROJECT_SOURCE_DIR}/src -o ${kernel_folder}/${name}.fatbin ${file}
        DEPENDS ${file} ${kernel_headers} COMMENT "Compiling the kernels of ${name}.cu")
    list(APPEND kernel_images ${kernel_folder}/${name}.fatbin)
endforeach()

file(GLOB cuda_sources ${cuda_folder}/*.c)
set_property(SOURCE ${cuda_sources} APPEND PROPERTY INCLUDE_DIRECTORIES ${nvcc_folder}/../include)
set_property(SOURCE ${cuda_folder}/kernel_images.c APPEND PROPERTY COMPILE_DEFINITIONS
             EZ_KERNEL_FOLDER="${kernel_folder}")
set_property(SOURCE ${cuda_folder}/kernel_images.c APPEND PROPERTY OBJECT_DEPENDS "${kernel_images}")
target_compile_definitions(ezlda_flags INTERFACE EZLDA_HAVE_CUDA)
