# The libraries that libezlda needs: ezlda_private_libraries, and the folders that hold them. The Python extension finds
# them with this file too if it is linked with a libezlda.a that is there already.

find_package(PkgConfig REQUIRED)
pkg_check_modules(deps REQUIRED zlib libzstd liblzma libxxhash libutf8proc)
find_library(STEMMER_LIBRARY stemmer REQUIRED)
find_path(STEMMER_INCLUDE_DIR libstemmer.h REQUIRED)

# Optional: without uchardet only simple rules find encodings.
pkg_check_modules(uchardet uchardet)

# Without libxml2 the tags of HTML and XML are removed from text, and such files have no fields.
pkg_check_modules(libxml2 QUIET libxml-2.0)
if(NOT libxml2_FOUND)
    message(STATUS "No libxml2: HTML and XML are read as text without its tags (libxml2-dev)")
endif()

set(ezlda_private_libraries ${deps_LIBRARIES} ${uchardet_LIBRARIES} ${libxml2_LIBRARIES} stemmer m ${CMAKE_DL_LIBS})
# iconv is part of the C library on Linux, and a library of its own elsewhere. Windows has sockets in a library.
if(WIN32 OR APPLE)
    list(APPEND ezlda_private_libraries iconv)
endif()
if(WIN32)
    list(APPEND ezlda_private_libraries ws2_32 psapi)
endif()
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
else()
    message(STATUS "No HDF5 library: .h5ad and .h5 files cannot be read (libhdf5-dev)")
endif()
set(ezlda_library_folders ${deps_LIBRARY_DIRS} ${uchardet_LIBRARY_DIRS} ${libxml2_LIBRARY_DIRS} ${stemmer_folder})
