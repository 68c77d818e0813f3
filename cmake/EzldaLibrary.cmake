# libezlda.so and libezlda.a, from the same objects.

include(EzldaDependencies)
if(hdf5_FOUND AND HDF5_LIBRARY)
    set_property(SOURCE ${PROJECT_SOURCE_DIR}/src/corpus/formats/hdf5_file.c
                 ${PROJECT_SOURCE_DIR}/src/corpus/formats/read_cells_hdf5.c APPEND PROPERTY COMPILE_DEFINITIONS EZLDA_HDF5)
endif()

add_library(ezlda_objects OBJECT ${ezlda_sources})
target_link_libraries(ezlda_objects PRIVATE ezlda_flags)
target_include_directories(ezlda_objects PRIVATE ${deps_INCLUDE_DIRS} ${hdf5_INCLUDE_DIRS} ${uchardet_INCLUDE_DIRS}
                           ${libxml2_INCLUDE_DIRS} ${STEMMER_INCLUDE_DIR})
target_compile_definitions(ezlda_objects PRIVATE $<$<BOOL:${uchardet_FOUND}>:EZLDA_HAVE_UCHARDET>
                           $<$<BOOL:${libxml2_FOUND}>:EZLDA_LIBXML2>)
set_property(SOURCE ${PROJECT_SOURCE_DIR}/src/cluster/mpi_group.c APPEND PROPERTY COMPILE_DEFINITIONS
             EZLDA_MODULE_FOLDER="${CMAKE_INSTALL_LIBDIR}/ezlda")

# Until 1.0 a minor version may change the ABI.
if(PROJECT_VERSION_MAJOR GREATER 0)
    set(ezlda_soversion ${PROJECT_VERSION_MAJOR})
else()
    set(ezlda_soversion 0.${PROJECT_VERSION_MINOR})
endif()

# The public header exports nothing from a DLL: on Windows there is the archive alone.
if(NOT WIN32)
    add_library(ezlda_shared SHARED $<TARGET_OBJECTS:ezlda_objects>)
    set_target_properties(ezlda_shared PROPERTIES OUTPUT_NAME ezlda EXPORT_NAME ezlda
                          VERSION ${PROJECT_VERSION} SOVERSION ${ezlda_soversion})
    target_link_libraries(ezlda_shared PRIVATE $<BUILD_INTERFACE:ezlda_flags> ${ezlda_private_libraries})
    if(NOT APPLE)
        target_link_options(ezlda_shared PRIVATE -Wl,--version-script=${PROJECT_SOURCE_DIR}/cmake/ezlda.map)
        set_property(TARGET ezlda_shared APPEND PROPERTY LINK_DEPENDS ${PROJECT_SOURCE_DIR}/cmake/ezlda.map)
        if(NOT EZLDA_SANITIZE)
            target_link_options(ezlda_shared PRIVATE -Wl,-z,defs)
        endif()
    endif()
endif()

add_library(ezlda_static STATIC $<TARGET_OBJECTS:ezlda_objects>)
set_target_properties(ezlda_static PROPERTIES OUTPUT_NAME ezlda)
target_link_libraries(ezlda_static INTERFACE ${ezlda_private_libraries})
target_link_options(ezlda_static INTERFACE ${OpenMP_C_FLAGS})

set(ezlda_libraries ezlda_static)
if(TARGET ezlda_shared)
    list(APPEND ezlda_libraries ezlda_shared)
    add_library(ezlda::ezlda ALIAS ezlda_shared)
endif()
foreach(target ${ezlda_libraries})
    target_link_directories(${target} PUBLIC "$<BUILD_INTERFACE:${ezlda_library_folders}>")
    target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
                               $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
    add_library(ezlda::${target} ALIAS ${target})
endforeach()
