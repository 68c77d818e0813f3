# The pages of `ezlda report` and `ezlda train --live`: skeletons, style and scripts from report/ are put together when the
# build is configured, and src/report/page/page_file.c embeds them in the library. A page's policy contains the hashes of
# style and script.

set(report_folder ${PROJECT_SOURCE_DIR}/report)
set(page_folder ${PROJECT_BINARY_DIR}/report)

set(page_inputs ${report_folder}/page.html ${report_folder}/live.html ${report_folder}/style.css
                ${report_folder}/order.txt ${report_folder}/live_order.txt)
file(READ ${report_folder}/page.html page_html)
file(READ ${report_folder}/live.html live_html)
file(READ ${report_folder}/style.css page_style)

# Joins the scripts that a list names.
function(join_scripts list out)
    file(STRINGS ${report_folder}/${list} names)
    set(joined "")
    foreach(name ${names})
        list(APPEND page_inputs ${report_folder}/${name})
        file(READ ${report_folder}/${name} text)
        string(APPEND joined "${text}")
    endforeach()
    set(${out} "${joined}" PARENT_SCOPE)
    set(page_inputs ${page_inputs} PARENT_SCOPE)
endfunction()

join_scripts(order.txt page_script)
join_scripts(live_order.txt live_script)
file(GLOB page_all_scripts CONFIGURE_DEPENDS ${report_folder}/js/*.js)
foreach(file ${page_all_scripts})
    if(NOT file IN_LIST page_inputs)
        message(FATAL_ERROR "${file} is neither in report/order.txt nor in report/live_order.txt")
    endif()
endforeach()

# The hashes cover the text between the tags, which must not contain an end tag.
foreach(wanted "<style>{{STYLE}}</style>" "<script>{{SCRIPT}}</script>")
    string(FIND "${page_html}" "${wanted}" found)
    string(FIND "${live_html}" "${wanted}" found_live)
    if(found EQUAL -1 OR found_live EQUAL -1)
        message(FATAL_ERROR "report/page.html and live.html: expected ${wanted}")
    endif()
endforeach()
if(page_style MATCHES "</[sS][tT][yY][lL][eE]" OR
   "${page_script}${live_script}" MATCHES "</[sS][cC][rR][iI][pP][tT]|<!--|\r")
    message(FATAL_ERROR "report/: style or script would end, or hide, a tag of the page")
endif()

# Writes a file only if its content changed, so that nothing is compiled again without need.
function(write_page_part name text)
    set(file ${page_folder}/${name})
    set(before "")
    if(EXISTS ${file})
        file(READ ${file} before)
    endif()
    if(NOT EXISTS ${file} OR NOT before STREQUAL text)
        file(WRITE ${file} "${text}")
    endif()
endfunction()

write_page_part(page.html "${page_html}")
write_page_part(style.css "${page_style}")
write_page_part(script.js "${page_script}")
write_page_part(live.html "${live_html}")
write_page_part(live.js "${live_script}")

set(page_definitions EZ_PAGE_FOLDER="${page_folder}")
foreach(part PAGE=page.html STYLE=style.css SCRIPT=script.js LIVE=live.html LIVE_SCRIPT=live.js)
    string(REGEX MATCH "(.*)=(.*)" part ${part})
    set(name ${CMAKE_MATCH_1})
    set(file ${page_folder}/${CMAKE_MATCH_2})
    file(SIZE ${file} bytes)
    file(SHA256 ${file} hash)
    list(APPEND page_definitions EZ_${name}_BYTES=${bytes} EZ_${name}_HASH="${hash}")
    list(APPEND page_parts ${file})
endforeach()
set_property(SOURCE ${PROJECT_SOURCE_DIR}/src/report/page/page_file.c APPEND PROPERTY COMPILE_DEFINITIONS
             ${page_definitions})
set_property(SOURCE ${PROJECT_SOURCE_DIR}/src/report/page/page_file.c APPEND PROPERTY OBJECT_DEPENDS "${page_parts}")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${page_inputs})
