/* Filters a text in place: copies what lies between the matches of the parts (markup_parts.h) and
 * counts what they remove. */
#include "corpus/markup/markup_filter.h"

#include "corpus/input/utf8.h"
#include "corpus/markup/markup_parts.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static bool match_at(ez_marked *marked, ez_suspect suspect, ez_markup_match *match)
{
    if (suspect.dense)
        return ez_match_code(marked, suspect.at, match);
    switch (marked->text[suspect.at]) {
    case '<': return ez_match_tag(marked, suspect.at, match);
    case '&': return ez_match_entity(marked, suspect.at, match);
    case '@': return ez_match_address(marked, suspect.at, match);
    case '-': return ez_match_key(marked, suspect.at, match);
    default: return ez_match_url(marked, suspect.at, match);
    }
}

static void count(ez_markup_counts *counts, const ez_markup_match *match)
{
    switch (match->kind) {
    case EZ_MARKUP_TAG: counts->tags++; break;
    case EZ_MARKUP_ENTITY: counts->entities++; break;
    case EZ_MARKUP_URL: counts->urls++; break;
    case EZ_MARKUP_ADDRESS: counts->addresses++; break;
    case EZ_MARKUP_CODE: counts->lines += match->lines; break;
    }
}

/* What replaces a match is never longer than it, so the text can be filtered in place. */
size_t ez_markup_clean(char *text, size_t n, ez_markup_counts *counts)
{
    ez_marked marked = {.text = text, .n = n, .lookahead = 4 * n};
    size_t used = 0, at = 0;
    for (ez_suspect suspect; (suspect = ez_markup_next(&marked, at)).at < n;) {
        ez_markup_match match;
        if (!match_at(&marked, suspect, &match)) {
            /* The marks of a dense place are still to be looked at; the last step overlaps. */
            at = !suspect.dense ? suspect.at + 1 : suspect.at > at ? suspect.at : at;
            continue;
        }
        memmove(text + used, text + marked.done, match.from - marked.done);
        used += match.from - marked.done;
        if (match.code)
            used += ez_utf8_encode(match.code, text + used);
        marked.done = at = match.to;
        count(counts, &match);
    }
    if (!marked.done)
        return n;
    memmove(text + used, text + marked.done, n - marked.done);
    counts->docs++;
    return used + n - marked.done;
}

void ez_markup_counts_add(ez_markup_counts *to, const ez_markup_counts *from)
{
    to->docs += from->docs;
    to->tags += from->tags;
    to->entities += from->entities;
    to->urls += from->urls;
    to->addresses += from->addresses;
    to->lines += from->lines;
}

typedef struct count_list {
    char text[256];
    size_t used;
} count_list;

static void list_count(count_list *list, uint64_t number, const char *one, const char *many)
{
    if (!number || list->used >= sizeof list->text)
        return;
    int n = snprintf(list->text + list->used, sizeof list->text - list->used, "%s%" PRIu64 " %s",
                     list->used ? ", " : "", number, number == 1 ? one : many);
    list->used += n > 0 ? (size_t)n : 0;
}

void ez_markup_note(ezlda_context *context, const ez_markup_counts *counts, uint64_t docs)
{
    count_list list = {{0}, 0};
    if (!counts->docs)
        return;
    list_count(&list, counts->tags, "tag", "tags");
    list_count(&list, counts->entities, "character entity (decoded)",
               "character entities (decoded)");
    list_count(&list, counts->urls, "URL", "URLs");
    list_count(&list, counts->addresses, "e-mail address", "e-mail addresses");
    list_count(&list, counts->lines, "line of encoded data", "lines of encoded data");
    ez_note(context,
            "markup: removed from %" PRIu64 " of %" PRIu64
            " documents: %s (--keep-markup keeps it)",
            counts->docs, docs, list.text);
}
