/* Counts the files of an import by kind and reports them in one note. */
#include "corpus/input/utf8.h"
#include "corpus/pages/page_set.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void ez_page_tally_name(ez_page_tally *tally, const char *name, size_t n)
{
    char copy[EZ_PAGE_NAME] = {0};
    uint32_t at = 0;
    if (!n || n >= EZ_PAGE_NAME)
        return;
    memcpy(copy, name, n);
    while (at < tally->n_names && strcmp(tally->names[at], copy) < 0)
        at++;
    bool full = tally->n_names == EZ_PAGE_NAMES;
    if (at == EZ_PAGE_NAMES || (at < tally->n_names && strcmp(tally->names[at], copy) == 0))
        return;
    memmove(tally->names[at + 1 < EZ_PAGE_NAMES ? at + 1 : at], tally->names[at],
            (tally->n_names - at - full) * sizeof *tally->names);
    memcpy(tally->names[at], copy, sizeof copy);
    tally->n_names += !full;
}

void ez_page_tally_join(ez_page_tally *to, const ez_page_tally *from)
{
    for (int kind = 0; kind < EZ_PAGE_KINDS; kind++) {
        to->files[kind] += from->files[kind];
        to->docs[kind] += from->docs[kind];
    }
    to->filtered += from->filtered;
    for (uint32_t i = 0; i < from->n_names; i++)
        ez_page_tally_name(to, from->names[i], strlen(from->names[i]));
}

void ez_page_tally_names(const ez_page_tally *tally, char *text, size_t size)
{
    size_t used = 0;
    *text = '\0';
    for (uint32_t i = 0; i < tally->n_names; i++) {
        size_t n = strlen(tally->names[i]);
        if (used + n + 3 > size)
            return;
        used += (size_t)snprintf(text + used, size - used, "%s%s", i ? ", " : "", tally->names[i]);
    }
}

static size_t list_kind(const ez_page_tally *tally, int kind, char *text, size_t size, bool first)
{
    static const char *const names[EZ_PAGE_KINDS] = {"plain text", "HTML", "TEI", "XML",
                                                     "Markdown"};
    uint64_t files = tally->files[kind], docs = tally->docs[kind];
    int n = snprintf(text, size, "%s%" PRIu64 " %s", first ? "" : ", ", files, names[kind]);
    if (docs != files)
        n += snprintf(text + n, size - (size_t)n, " (%" PRIu64 " documents)", docs);
    return (size_t)n;
}

void ez_page_tally_report(const ez_page_tally *tally, ezlda_context *context)
{
    static const int order[EZ_PAGE_KINDS] = {EZ_PAGE_HTML, EZ_PAGE_TEI, EZ_PAGE_XML,
                                             EZ_PAGE_MARKDOWN, EZ_PAGE_TEXT};
    char list[512];
    size_t used = 0;
    uint64_t all = 0;
    for (int i = 0; i < EZ_PAGE_KINDS; i++)
        all += tally->files[i];
    if (tally->files[EZ_PAGE_TEXT] == all)
        return;
    for (int i = 0; i < EZ_PAGE_KINDS; i++)
        if (tally->files[order[i]])
            used += list_kind(tally, order[i], list + used, sizeof list - used, used == 0);
    ez_note(context, "files read as: %s (--keep-markup reads all as plain text)", list);
    if (tally->filtered)
        ez_warn(context,
                "%" PRIu64 " of the HTML and XML files are read as text without its tags, and have "
                "no fields: %s",
                tally->filtered,
#ifdef EZLDA_LIBXML2
                "elements or attributes are nested or repeated thousands of times"
#else
                "this build has no libxml2"
#endif
        );
}
