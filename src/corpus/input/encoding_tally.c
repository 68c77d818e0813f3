/* Adds up and reports the encodings of the files of an import. */
#include "corpus/input/encoding_tally.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void ez_encoding_tally_add(ez_encoding_tally *tally, const char *name, uint64_t files,
                           uint64_t lines)
{
    uint32_t i = 0;
    while (i < tally->n && strcmp(tally->counts[i].name, name) != 0)
        i++;
    if (i == EZ_TALLY_ENCODINGS)
        return;
    if (i == tally->n)
        snprintf(tally->counts[tally->n++].name, EZ_ENCODING_NAME, "%s", name);
    tally->counts[i].files += files;
    tally->counts[i].lines += lines;
}

void ez_encoding_tally_misread(ez_encoding_tally *tally, const char *encoding)
{
    tally->misread++;
    snprintf(tally->misread_as, sizeof tally->misread_as, "%s", encoding);
}

void ez_encoding_tally_place(ez_encoding_tally *tally, uint64_t block, const char *path,
                             uint64_t line)
{
    if (tally->first_path[0] && tally->first_block <= block)
        return;
    tally->first_block = block;
    tally->first_line = line;
    snprintf(tally->first_path, sizeof tally->first_path, "%s", path);
}

void ez_encoding_tally_join(ez_encoding_tally *to, const ez_encoding_tally *from)
{
    for (uint32_t i = 0; i < from->n; i++)
        ez_encoding_tally_add(to, from->counts[i].name, from->counts[i].files,
                              from->counts[i].lines);
    if (from->first_path[0])
        ez_encoding_tally_place(to, from->first_block, from->first_path, from->first_line);
    to->misread += from->misread;
    if (from->misread)
        memcpy(to->misread_as, from->misread_as, sizeof to->misread_as);
}

/* Most files first, ties by name. */
static int by_files(const void *a, const void *b)
{
    const ez_encoding_count *x = a, *y = b;
    if (x->files != y->files)
        return x->files < y->files ? 1 : -1;
    return strcmp(x->name, y->name);
}

/* Names of encodings are in lower case as people write them (windows-1252), but UTF-8 stays. */
static void lower_case(char *text)
{
    for (bool keep = strncmp(text, "UTF", 3) == 0; *text && !keep; text++)
        if (*text >= 'A' && *text <= 'Z')
            *text = (char)(*text | 0x20);
}

static size_t list_files(const ez_encoding_count *count, char *text, size_t size)
{
    char name[EZ_ENCODING_NAME];
    snprintf(name, sizeof name, "%s", count->name);
    lower_case(name);
    int n = snprintf(text, size, "%" PRIu64 " file%s %s", count->files,
                     count->files == 1 ? "" : "s", name);
    return n > 0 ? (size_t)n : 0;
}

void ez_encoding_tally_report(const ez_encoding_tally *tally, ezlda_context *context)
{
    ez_encoding_tally sorted = *tally;
    char text[1024] = "";
    size_t used = 0;
    uint64_t lines = 0, other = 0;
    qsort(sorted.counts, sorted.n, sizeof *sorted.counts, by_files);
    for (uint32_t i = 0; i < sorted.n; i++) {
        bool utf8 = strcmp(sorted.counts[i].name, "UTF-8") == 0;
        other += utf8 ? 0 : sorted.counts[i].files;
        lines += sorted.counts[i].lines;
        if (!sorted.counts[i].files || used + 100 > sizeof text)
            continue;
        used += (size_t)snprintf(text + used, sizeof text - used, "%s", used ? ", " : "");
        used += list_files(&sorted.counts[i], text + used, sizeof text - used);
    }
    if (other)
        ez_note(context, "encodings: %s (found; --encoding NAME sets one)", text);
    if (lines)
        ez_warn(context,
                "%s:%" PRIu64 ": not UTF-8, although the file begins so: %" PRIu64
                " such line%s read in the encoding that they look like",
                tally->first_path, tally->first_line, lines, lines == 1 ? " is" : "s are");
    if (tally->misread)
        ez_warn(context,
                "%" PRIu64
                " file%s to be UTF-8, but --encoding %s reads %s otherwise: without this "
                "option, the encoding of each file is found",
                tally->misread, tally->misread == 1 ? " seems" : "s seem", tally->misread_as,
                tally->misread == 1 ? "it" : "them");
}
