# The flags that all our objects are compiled with: target `ezlda_flags`.

set(CMAKE_C_STANDARD 11)
set(CMAKE_C_EXTENSIONS ON)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
include(CheckPIESupported)
check_pie_supported(LANGUAGES C)

find_package(OpenMP REQUIRED COMPONENTS C)

add_library(ezlda_flags INTERFACE)
# -ffp-contract=off: results are rounded in the same way on every machine.
# -fno-math-errno: rounding compiles to one instruction.
target_compile_options(ezlda_flags INTERFACE -Wall -Wextra -Wconversion -Wshadow -ffp-contract=off -fno-math-errno
                       ${OpenMP_C_FLAGS})
target_link_options(ezlda_flags INTERFACE ${OpenMP_C_FLAGS})
target_include_directories(ezlda_flags INTERFACE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)

if(WIN32)
    # printf and strtod of MinGW-w64, which follow C11, and the calls of Windows 8 and newer. Its isnan and isfinite
    # convert to float in a branch that is not taken.
    target_compile_definitions(ezlda_flags INTERFACE __USE_MINGW_ANSI_STDIO=1 _WIN32_WINNT=0x0602 UTF8PROC_STATIC
                               LIBXML_STATIC)
    target_compile_options(ezlda_flags INTERFACE -Wno-float-conversion)
    # No DLL but those of Windows.
    target_link_options(ezlda_flags INTERFACE -static)
endif()

if(EZLDA_WERROR)
    target_compile_options(ezlda_flags INTERFACE -Werror)
endif()

if(EZLDA_SANITIZE)
    if(EZLDA_SANITIZE STREQUAL "thread")
        set(sanitize -fsanitize=thread)
    else()
        set(sanitize -fsanitize=address,undefined -fno-sanitize-recover=all)
    endif()
    list(APPEND sanitize -fno-omit-frame-pointer)
    # -g1: stack traces need functions and lines, not variables.
    target_compile_options(ezlda_flags INTERFACE ${sanitize} -g1)
    target_link_options(ezlda_flags INTERFACE ${sanitize})
elseif(NOT CMAKE_BUILD_TYPE STREQUAL "Debug")
    include(CheckCCompilerFlag)
    target_compile_options(ezlda_flags INTERFACE -fstack-protector-strong)
    target_link_options(ezlda_flags INTERFACE $<$<BOOL:${WIN32}>:-fstack-protector-strong>) # the library of its checks
    if(NOT WIN32)
        target_compile_options(ezlda_flags INTERFACE -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2)
    endif()
    # Only if compiler and architecture know them; -fcf-protection exists on x86-64 only. Windows probes the stack itself.
    set(optional_flags -fstack-clash-protection -fcf-protection)
    if(WIN32)
        set(optional_flags -fcf-protection)
    endif()
    foreach(flag ${optional_flags})
        string(MAKE_C_IDENTIFIER knows${flag} known)
        check_c_compiler_flag("-Werror ${flag}" ${known})
        if(${known})
            target_compile_options(ezlda_flags INTERFACE ${flag})
        endif()
    endforeach()
    if(NOT WIN32 AND NOT APPLE)
        target_link_options(ezlda_flags INTERFACE -Wl,-z,relro,-z,now)
    endif()
endif()
