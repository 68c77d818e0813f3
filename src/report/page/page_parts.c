/* Skeleton, style and script of the page, as cmake/EzldaReport.cmake has put them together:
 * EZ_PAGE_FOLDER. */
#include "report/page/page_data.h"

#define EZ_EMBED(name, file)                                                                       \
    __asm__(".pushsection .rodata\n.global ez_embedded_" #name "\n.hidden ez_embedded_" #name "\n" \
            "ez_embedded_" #name ":\n.incbin \"" EZ_PAGE_FOLDER "/" file                           \
            "\"\n.byte 0\n.popsection\n");                                                         \
    extern const char ez_embedded_##name[] __attribute__((visibility("hidden")))

EZ_EMBED(skeleton, "page.html");
EZ_EMBED(style, "style.css");
EZ_EMBED(script, "script.js");

const ez_page_part ez_page_skeleton = {ez_embedded_skeleton, EZ_PAGE_BYTES};
const ez_page_part ez_page_style = {ez_embedded_style, EZ_STYLE_BYTES};
const ez_page_part ez_page_script = {ez_embedded_script, EZ_SCRIPT_BYTES};
const char ez_page_style_hash[] = EZ_STYLE_HASH;
const char ez_page_script_hash[] = EZ_SCRIPT_HASH;
