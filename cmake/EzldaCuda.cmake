# The CUDA backend: kernels are compiled to fatbins, which kernel_images.c embeds. The driver is opened at run time, so
# nothing of CUDA is linked. Without nvcc the library supports the CPU only.

set(EZLDA_CUDA AUTO CACHE STRING "CUDA backend: ON, OFF, or AUTO (ON if nvcc is found)")
set(EZLDA_CUDA_ARCH common CACHE STRING "What nvcc compiles for: common, or its -arch: all, all-major, native, sm_90, ...")
option(EZLDA_CUDA_OLDEST "Compile for the oldest GPUs of this nvcc only, whatever EZLDA_CUDA_ARCH says (test builds)" OFF)
set(EZLDA_CUDA_IMAGES "" CACHE PATH "Folder with kernels that another build compiled with the same EZLDA_CUDA_ARCH (release builds)")

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

# "common": machine code for one GPU of each generation, which all GPUs of the generation run (sm_80 runs on 8.6 and 8.9
# too), and PTX of the oldest, which the driver compiles for any other GPU. It takes a third of the time of "all".
set(common_archs 75 80 90 100 120)

execute_process(COMMAND ${EZLDA_NVCC} --list-gpu-arch OUTPUT_VARIABLE known_archs)
string(REGEX MATCHALL "[0-9]+" known_archs "${known_archs}")
if(known_archs AND EZLDA_CUDA_OLDEST)
    list(GET known_archs 0 oldest)
    set(cuda_arch -arch=sm_${oldest})
elseif(known_archs AND EZLDA_CUDA_ARCH STREQUAL "common")
    list(GET known_archs 0 oldest)
    set(cuda_arch -gencode=arch=compute_${oldest},code=compute_${oldest})
    foreach(arch ${common_archs})
        if(arch IN_LIST known_archs)
            list(APPEND cuda_arch -gencode=arch=compute_${arch},code=sm_${arch})
        endif()
    endforeach()
else()
    set(cuda_arch -arch=${EZLDA_CUDA_ARCH})
endif()

set(cuda_folder ${PROJECT_SOURCE_DIR}/src/backend/cuda)
if(EZLDA_CUDA_IMAGES)
    set(kernel_folder ${EZLDA_CUDA_IMAGES})
else()
    set(kernel_folder ${PROJECT_BINARY_DIR}/kernels)
endif()
file(GLOB kernel_sources CONFIGURE_DEPENDS ${cuda_folder}/kernels/*.cu)
file(GLOB kernel_headers CONFIGURE_DEPENDS ${cuda_folder}/kernels/*.cuh ${cuda_folder}/kernels/*.h
     ${PROJECT_SOURCE_DIR}/src/sampler/*.h)
file(MAKE_DIRECTORY ${kernel_folder})
foreach(file ${kernel_sources})
    get_filename_component(name ${file} NAME_WE)
    if(NOT EZLDA_CUDA_IMAGES)
        add_custom_command(OUTPUT ${kernel_folder}/${name}.fatbin
            COMMAND ${EZLDA_NVCC} -fatbin -std=c++17 -O3 --fmad=false ${cuda_arch} -Werror all-warnings
                    -I${PROJECT_SOURCE_DIR}/src -o ${kernel_folder}/${name}.fatbin ${file}
            DEPENDS ${file} ${kernel_headers} COMMENT "Compiling the kernels of ${name}.cu")
    endif()
    list(APPEND kernel_images ${kernel_folder}/${name}.fatbin)
endforeach()
add_custom_target(ezlda_kernels DEPENDS ${kernel_images})

set_property(SOURCE ${cuda_folder}/driver/kernel_images.c APPEND PROPERTY COMPILE_DEFINITIONS
             EZ_KERNEL_FOLDER="${kernel_folder}")
set_property(SOURCE ${cuda_folder}/driver/kernel_images.c APPEND PROPERTY OBJECT_DEPENDS "${kernel_images}")

# The architectures of the images, as nvcc reports them. Messages and `ezlda devices` print them.
list(GET kernel_sources 0 any_kernel)
execute_process(COMMAND ${EZLDA_NVCC} --dryrun -fatbin ${cuda_arch} -o any.fatbin ${any_kernel}
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
    message(FATAL_ERROR "${EZLDA_NVCC}: cannot tell its version, or what ${cuda_arch} compiles for")
endif()
set(toolkit_name ${CMAKE_MATCH_1}.${CMAKE_MATCH_2})
math(EXPR toolkit "${CMAKE_MATCH_1} * 1000 + ${CMAKE_MATCH_2} * 10")
list(TRANSFORM sass REPLACE ".*=([0-9]+)" "\\1,")
list(SORT sass COMPARE NATURAL)
list(REMOVE_DUPLICATES sass)
list(JOIN sass "" sass_list)
message(STATUS "Kernels of CUDA ${toolkit_name}: sm ${sass_list} PTX ${ptx} (to leave them out: -DEZLDA_CUDA=OFF)")
set_property(SOURCE ${cuda_folder}/driver/coverage.c APPEND PROPERTY COMPILE_DEFINITIONS EZ_CUDA_TOOLKIT=${toolkit}
             "EZ_CUDA_SASS=${sass_list}" EZ_CUDA_PTX=${ptx})

target_compile_definitions(ezlda_flags INTERFACE EZLDA_HAVE_CUDA)
