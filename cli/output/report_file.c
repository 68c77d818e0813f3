/* Writes the page of a report and says where it is. */
#include "output/report_file.h"

#include "cli.h"
#include "output/output_path.h"
#include "output/text_out.h"
#include "platform.h"

#include <stdlib.h>

const char *report_file_title(const char *path)
{
    const char *slash = platform_last_separator(path);
    return slash && slash[1] ? slash + 1 : path;
}

const char *report_file_day(char room[16])
{
    const char *text = getenv("SOURCE_DATE_EPOCH");
    uint64_t seconds;
    if (!text || !cli_parse_u64(text, &seconds) || seconds > 200000000000)
        return NULL;
    return platform_day(seconds, room) ? room : NULL;
}

static void print_file(const char *path)
{
    platform_info info;
    char bytes[32];
    cli_text line = {0};
    if (platform_look(path, &info) != 0 || output_is_direct(path))
        return;
    text_shown(&line, path);
    text_printf(&line, ": %s, open it in a browser", text_bytes(info.bytes, bytes));
    fprintf(cli_closing(), "%s\n", line.data);
    text_free(&line);
}

ezlda_status report_file_write(ezlda_context *context, const ezlda_report *report, const char *path,
                               bool quiet)
{
    ezlda_status status = ezlda_report_write(context, report, path);
    if (status == EZLDA_OK && !quiet)
        print_file(path);
    return status;
}
