# libezlda.so and libezlda.a, from the same objects.

find_package(PkgConfig REQUIRED)
pkg_check_modules(deps REQUIRED zlib libzstd liblzma libxxhash libutf8proc)
find_library(STEMMER_LIBRARY stemmer REQUIRED)
find_path(STEMMER_INCLUDE_DIR libstemmer.h REQUIRED)

# Optional: without uchardet only simple rules find encodings.
pkg_check_modules(uchardet uchardet)

set(ezlda_private_libraries ${deps_LIBRARIES} ${uchardet_LIBRARIES} stemmer m ${CMAKE_DL_LIBS})
get_filename_component(stemmer_folder ${STEMMER_LIBRARY} DIRECTORY)

# AnnData and Cell Ranger files are read if the HDF5 library is there.
pkg_check_modules(hdf5 QUIET hdf5)
find_library(HDF5_LIBRARY NAMES hdf5_serial hdf5 HINTS ${hdf5_LIBRARY_DIRS})
if(hdf5_FOUND AND HDF5_LIBRARY)
    get_filename_component(hdf5_name ${HDF5_LIBRARY} NAME_WE)
    string(REGEX REPLACE "^lib" "" hdf5_name ${hdf5_name})
    list(APPEND ezlda_private_libraries ${hdf5_name})
    get_filename_component(hdf5_folder ${HDF5_LIBRARY} DIRECTORY)
    list(APPEND deps_LIBRARY_DIRS ${hdf5_folder})
    set_property(SOURCE ${PROJECT_SOURCE_DIR}/src/corpus/formats/hdf5_file.c
                 ${PROJECT_SOURCE_DIR}/src/corpus/formats/read_cells_hdf5.c APPEND PROPERTY COMPILE_DEFINITIONS EZLDA_HDF5)
else()
    message(STATUS "No HDF5 library: .h5ad and .h5 files cannot be read (libhdf5-dev)")
endif()

add_library(ezlda_objects OBJECT ${ezlda_sources})
target_link_libraries(ezlda_objects PRIVATE ezlda_flags)
target_include_directories(ezlda_objects PRIVATE ${deps_INCLUDE_DIRS} ${hdf5_INCLUDE_DIRS} ${uchardet_INCLUDE_DIRS}
                           ${STEMMER_INCLUDE_DIR})
target_compile_definitions(ezlda_objects PRIVATE $<$<BOOL:${uchardet_FOUND}>:EZLDA_HAVE_UCHARDET>)
set_property(SOURCE ${PROJECT_SOURCE_DIR}/src/cluster/mpi_group.c APPEND PROPERTY COMPILE_DEFINITIONS
             EZLDA_MODULE_FOLDER="${CMAKE_INSTALL_LIBDIR}/ezlda")

# Until 1.0 a minor version may change the ABI.
if(PROJECT_VERSION_MAJOR GREATER 0)
    set(ezlda_soversion ${PROJECT_VERSION_MAJOR})
else()
    set(ezlda_soversion 0.${PROJECT_VERSION_MINOR})
endif()

add_library(ezlda_shared SHARED $<TARGET_OBJECTS:ezlda_objects>)
set_target_properties(ezlda_shared PROPERTIES OUTPUT_NAME ezlda EXPORT_NAME ezlda
                      VERSION ${PROJECT_VERSION} SOVERSION ${ezlda_soversion})
target_link_libraries(ezlda_shared PRIVATE $<BUILD_INTERFACE:ezlda_flags> ${ezlda_private_libraries})
target_link_options(ezlda_shared PRIVATE -Wl,--version-script=${PROJECT_SOURCE_DIR}/cmake/ezlda.map)
set_property(TARGET ezlda_shared APPEND PROPERTY LINK_DEPENDS ${PROJECT_SOURCE_DIR}/cmake/ezlda.map)
if(NOT EZLDA_SANITIZE)
    target_link_options(ezlda_shared PRIVATE -Wl,-z,defs)
endif()

add_library(ezlda_static STATIC $<TARGET_OBJECTS:ezlda_objects>)
set_target_properties(ezlda_static PROPERTIES OUTPUT_NAME ezlda)
target_link_libraries(ezlda_static INTERFACE ${ezlda_private_libraries})
target_link_options(ezlda_static INTERFACE ${OpenMP_C_FLAGS})

foreach(target ezlda_shared ezlda_static)
    target_link_directories(${target} PUBLIC $<BUILD_INTERFACE:${deps_LIBRARY_DIRS}>
                            $<BUILD_INTERFACE:${uchardet_LIBRARY_DIRS}>
                            $<BUILD_INTERFACE:${stemmer_folder}>)
    target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
                               $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
    add_library(ezlda::${target} ALIAS ${target})
endforeach()
add_library(ezlda::ezlda ALIAS ezlda_shared)
