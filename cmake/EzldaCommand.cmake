# The command, with libezlda.a inside, and the man page and the completion that it prints.

file(GLOB_RECURSE cli_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/cli/*.c)

# A file named after a system is compiled for it alone.
if(WIN32)
    list(FILTER cli_sources EXCLUDE REGEX "_posix\\.c$")
else()
    list(FILTER cli_sources EXCLUDE REGEX "_windows\\.c$")
endif()

# The tests link these objects into programs of their own (EzldaFuzz.cmake, EzldaEmulator.cmake), so they are compiled
# once. main.c is separate because the fuzz targets have a main of their own.
set(cli_main ${PROJECT_SOURCE_DIR}/cli/main.c)
list(REMOVE_ITEM cli_sources ${cli_main})
add_library(cli_objects OBJECT ${cli_sources})
add_library(cli_main_object OBJECT ${cli_main})
foreach(target cli_objects cli_main_object)
    target_link_libraries(${target} PRIVATE ezlda_flags)
    target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/cli ${deps_INCLUDE_DIRS})
endforeach()
set(cli_object_files $<TARGET_OBJECTS:cli_objects> $<TARGET_OBJECTS:cli_main_object>)

add_executable(ezlda_command ${cli_object_files})
set_target_properties(ezlda_command PROPERTIES OUTPUT_NAME ezlda LINKER_LANGUAGE C)
target_link_libraries(ezlda_command PRIVATE ezlda_flags ezlda_static)

# Windows has neither man nor bash.
if(EZLDA_SANITIZE OR WIN32)
    return()
endif()
add_custom_command(OUTPUT ezlda.1
                   COMMAND ezlda_command help --man > ezlda.1.new && ${CMAKE_COMMAND} -E rename ezlda.1.new ezlda.1
                   DEPENDS ezlda_command VERBATIM)
foreach(shell bash zsh fish)
    add_custom_command(OUTPUT ezlda.${shell}
                       COMMAND ezlda_command help --completion ${shell} > ezlda.${shell}.new && ${CMAKE_COMMAND} -E rename
                               ezlda.${shell}.new ezlda.${shell}
                       DEPENDS ezlda_command VERBATIM)
endforeach()
add_custom_target(ezlda_pages ALL DEPENDS ezlda.1 ezlda.bash ezlda.zsh ezlda.fish)
