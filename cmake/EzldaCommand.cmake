# The command, with libezlda.a inside, and what it writes about itself: man page and completion.

file(GLOB_RECURSE cli_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/cli/*.c)
if(NOT cli_sources)
    return()
endif()

add_executable(ezlda_command ${cli_sources})
set_target_properties(ezlda_command PROPERTIES OUTPUT_NAME ezlda)
target_link_libraries(ezlda_command PRIVATE ezlda_flags ezlda_static)
target_include_directories(ezlda_command PRIVATE ${PROJECT_SOURCE_DIR}/cli)

if(EZLDA_SANITIZE)
    return()
endif()
add_custom_command(OUTPUT ezlda.1
                   COMMAND ezlda_command help --man > ezlda.1.new && ${CMAKE_COMMAND} -E rename ezlda.1.new ezlda.1
                   DEPENDS ezlda_command VERBATIM)
add_custom_command(OUTPUT ezlda.bash
                   COMMAND ezlda_command help --completion bash > ezlda.bash.new && ${CMAKE_COMMAND} -E rename
                           ezlda.bash.new ezlda.bash
                   DEPENDS ezlda_command VERBATIM)
add_custom_target(ezlda_pages ALL DEPENDS ezlda.1 ezlda.bash)
