/* Decides what one document of several plain text files is. Letters, articles and chapters have
 * paragraphs, lines that break inside sentences, or few lines; a file with one document per line
 * has many lines, each of which stands for itself. */
#include "corpus/formats/text_unit.h"

#include "corpus/input/utf8.h"

#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

/* Without other signs of prose, files are documents if there are at least this many of them with at
 * most this many lines each (median). */
enum { SOME_FILES = 3, FEW_LINES = 20, MANY_FILES = 10, SOME_LINES = 200 };

/* A line that may continue on the next one has at least this many bytes. */
enum { WRAPPED_BYTES = 30 };

typedef struct line_shapes {
    uint32_t lines, empty; /* lines with and without text; `empty` counts those between others */
    uint32_t capitals;     /* lines that begin with an upper case letter */
    uint32_t sentences;    /* lines that end with the end of a sentence */
    uint32_t broken;       /* lines whose sentence continues on the next line */
} line_shapes;

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

static bool is_case(const char *at, const char *end, utf8proc_category_t wanted)
{
    utf8proc_int32_t code = 0;
    return utf8proc_iterate((const utf8proc_uint8_t *)at, end - at, &code) > 0 &&
           utf8proc_category(code) == wanted;
}

static bool ends_sentence(const char *start, const char *end)
{
    while (end > start && strchr("\"')]*_", end[-1]))
        end--;
    return end > start && strchr(".!?:;", end[-1]);
}

/* Adds a line without the spaces around it. */
static void add_line(line_shapes *shapes, const char *start, const char *end, bool may_continue)
{
    shapes->lines++;
    shapes->capitals += is_case(start, end, UTF8PROC_CATEGORY_LU);
    shapes->sentences += ends_sentence(start, end);
    shapes->broken += may_continue && is_case(start, end, UTF8PROC_CATEGORY_LL);
}

static void look(line_shapes *shapes, const char *at, const char *end)
{
    uint32_t empty = 0;
    bool may_continue = false;
    while (at < end) {
        const char *start = at, *stop;
        while (at < end && *at != '\n' && *at != '\r')
            at++;
        stop = at;
        at += at < end;
        at += at < end && at[-1] == '\r' && *at == '\n';
        while (start < stop && is_space(*start))
            start++;
        while (stop > start && is_space(stop[-1]))
            stop--;
        if (start == stop) {
            empty += shapes->lines > 0;
            may_continue = false;
            continue;
        }
        shapes->empty += empty;
        empty = 0;
        add_line(shapes, start, stop, may_continue);
        may_continue = stop - start >= WRAPPED_BYTES && !ends_sentence(start, stop);
    }
}

/* Paragraphs, or sentences that run over several lines. Lists of words in lower case have neither
 * capitals nor ends of sentences, so their lines are not taken for broken ones. */
static bool is_prose(const line_shapes *shapes)
{
    bool paragraphs = shapes->empty && shapes->empty * 20 >= shapes->lines;
    bool sentences = shapes->capitals && shapes->sentences;
    return paragraphs || (sentences && shapes->broken * 3 >= shapes->lines);
}

ezlda_status ez_text_units_add(ez_text_units *units, ezlda_context *context, const char *head,
                               size_t n)
{
    line_shapes shapes = {0};
    size_t mark = ez_byte_order_mark(head, n);
    look(&shapes, head + mark, head + n);
    units->files++;
    units->prose += is_prose(&shapes);
    return ez_buffer_append(&units->lines, context, &shapes.lines, sizeof shapes.lines);
}

static int ascending(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

bool ez_text_units_are_files(ez_text_units *units)
{
    size_t n = units->files;
    if (n < 2 || units->unseen)
        return false;
    uint32_t *lines = (uint32_t *)(void *)units->lines.data;
    qsort(lines, n, sizeof *lines, ascending);
    uint32_t median = lines[n / 2];
    return 2 * units->prose > n || lines[n - 1] <= 1 || (n >= SOME_FILES && median <= FEW_LINES) ||
           (n >= MANY_FILES && median <= SOME_LINES);
}

void ez_text_units_free(ez_text_units *units)
{
    ez_free(units->lines.data);
}
