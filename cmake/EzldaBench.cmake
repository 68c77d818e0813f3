# The programs of the paper's experiments (bench/paper), which use internals of the library: target `paper_programs`, in
# bench/ of the build folder.

add_custom_target(paper_programs)
foreach(name paper_watch paper_drop paper_shape paper_steps)
    add_executable(${name} EXCLUDE_FROM_ALL ${PROJECT_SOURCE_DIR}/bench/${name}.c
                   ${PROJECT_SOURCE_DIR}/bench/paper_state.c)
    set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bench)
    target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/bench)
    target_link_libraries(${name} PRIVATE ezlda_flags ezlda_static)
    add_dependencies(paper_programs ${name})
endforeach()
if(NOT EZLDA_SANITIZE)
    add_dependencies(tests paper_programs)
endif()

# For bench/segmentation.py.
add_executable(cut_words EXCLUDE_FROM_ALL ${PROJECT_SOURCE_DIR}/bench/cut_words.c)
set_target_properties(cut_words PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bench)
target_link_libraries(cut_words PRIVATE ezlda_flags ezlda_static)
