# The files that `make install` installs. They find each other by relative paths, so the prefix may be chosen at install
# time.

include(CMakePackageConfigHelpers)
set(cmake_folder ${CMAKE_INSTALL_LIBDIR}/cmake/ezlda)

install(FILES include/ezlda.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
if(TARGET ezlda_shared)
    install(TARGETS ezlda_shared EXPORT ezlda_targets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()
install(TARGETS ezlda_static EXPORT ezlda_targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT ezlda_targets NAMESPACE ezlda:: FILE ezlda-targets.cmake DESTINATION ${cmake_folder})

configure_package_config_file(cmake/ezlda-config.cmake.in ezlda-config.cmake INSTALL_DESTINATION ${cmake_folder})
write_basic_package_version_file(ezlda-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/ezlda-config.cmake ${PROJECT_BINARY_DIR}/ezlda-config-version.cmake
        DESTINATION ${cmake_folder})

# pkg-config computes the prefix from the folder of this file.
file(RELATIVE_PATH pc_prefix /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
string(REGEX REPLACE "/$" "" pc_prefix "${pc_prefix}")
set(pc_private "")
foreach(library ${ezlda_private_libraries} ${OpenMP_C_LIB_NAMES})
    string(APPEND pc_private " -l${library}")
endforeach()
configure_file(cmake/ezlda.pc.in ezlda.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/ezlda.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

install(FILES LICENSE README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR})
if(TARGET ezlda_command)
    install(TARGETS ezlda_command RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
if(TARGET ezlda_pages)
    install(FILES ${PROJECT_BINARY_DIR}/ezlda.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
    install(FILES ${PROJECT_BINARY_DIR}/ezlda.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
            RENAME ezlda)
    install(FILES ${PROJECT_BINARY_DIR}/ezlda.zsh DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions RENAME _ezlda)
    install(FILES ${PROJECT_BINARY_DIR}/ezlda.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endif()
