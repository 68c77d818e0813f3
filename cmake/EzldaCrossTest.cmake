# Only the backends and their test, which a cross compiler can build without third-party libraries. A user-mode emulator
# runs it.

set(cross_sources ${ezlda_sources})
list(FILTER cross_sources INCLUDE REGEX "/src/(backend|sampler)/|/src/tokens/(token|inverted|salient)_[a-z_]+\\.c$|/src/base/(context|memory|os/[a-z_]+)\\.c$|/src/base/files/scratch\\.c$|/src/cluster/group\\.c$")

add_executable(cross_backend_test ${cross_sources} ${PROJECT_SOURCE_DIR}/tests/unit/test_backends.c)
target_include_directories(cross_backend_test PRIVATE ${PROJECT_SOURCE_DIR}/tests ${PROJECT_SOURCE_DIR}/tests/unit)
target_compile_definitions(cross_backend_test PRIVATE CHECK_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
target_link_libraries(cross_backend_test PRIVATE ezlda_flags m)
