/* Writes the page of a report and says where it is. */
#include "output/report_file.h"

#include "cli.h"
#include "output/output_path.h"
#include "output/text_out.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

const char *report_file_title(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash && slash[1] ? slash + 1 : path;
}

const char *report_file_day(char room[16])
{
    const char *text = getenv("SOURCE_DATE_EPOCH");
    uint64_t seconds;
    struct tm calendar;
    if (!text || !cli_parse_u64(text, &seconds) || seconds > 200000000000)
        return NULL;
    time_t then = (time_t)seconds;
    return gmtime_r(&then, &calendar) && strftime(room, 16, "%Y-%m-%d", &calendar) ? room : NULL;
}

static void print_file(const char *path)
{
    struct stat info;
    char bytes[32];
    cli_text line = {0};
    if (stat(path, &info) != 0 || output_is_direct(path))
        return;
    text_shown(&line, path);
    text_printf(&line, ": %s, open it in a browser", text_bytes((uint64_t)info.st_size, bytes));
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
