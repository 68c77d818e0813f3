/* The text of one document as a page shows it: cut to a length, with the topic of each word that
 * became a token. Lengths are in units of UTF-16, as JavaScript counts. */
#include "corpus/corpus.h"
#include "report/report.h"

#include <stdlib.h>
#include <string.h>

void ez_shown_text_free(ez_shown_text *shown)
{
    ez_free(shown->text.data);
    ez_free(shown->words.data);
    *shown = (ez_shown_text){0};
}

static uint32_t units_of(const char *text, size_t bytes)
{
    uint32_t units = 0;
    for (size_t i = 0; i < bytes; i++) {
        unsigned char byte = (unsigned char)text[i];
        units += (byte & 0xc0) == 0x80 ? 0u : byte >= 0xf0 ? 2u : 1u;
    }
    return units;
}

/* The topic of the next token of a word; the entries of a word are used up in their order. */
static uint16_t next_topic(ez_bag_entry *entry, size_t n, uint32_t word)
{
    size_t low = 0;
    for (size_t high = n; low < high;) {
        size_t middle = low + (high - low) / 2;
        if (entry[middle].word < word)
            low = middle + 1;
        else
            high = middle;
    }
    while (low + 1 < n && !entry[low].count && entry[low + 1].word == word)
        low++;
    if (low == n)
        return 0;
    entry[low].count -= entry[low].count > 0;
    return entry[low].topic;
}

/* Places may overlap; a word begins where the one before ended at the earliest. */
static ezlda_status add_words(const ezlda_doc_text *text, ezlda_context *context,
                              ez_bag_entry *entry, size_t n, ez_shown_text *shown)
{
    size_t end = shown->text.used, at = 0;
    for (size_t i = 0; i < text->n_places; i++) {
        const ezlda_text_place *place = &text->places[i];
        uint16_t topic = next_topic(entry, n, place->word);
        size_t from = place->at > at ? (size_t)place->at : at,
               to = (size_t)(place->at + place->bytes);
        if (to > end || to <= from)
            continue;
        ez_shown_word word = {.gap = units_of(text->text + at, from - at),
                              .units = units_of(text->text + from, to - from),
                              .topic = topic};
        EZ_TRY(ez_buffer_append(&shown->words, context, &word, sizeof word));
        at = to;
    }
    return EZLDA_OK;
}

static ezlda_status show(const ezlda_doc_text *text, ezlda_context *context, ez_buffer *bag,
                         size_t most, ez_shown_text *shown)
{
    size_t bytes = text->bytes;
    shown->cut = bytes > most;
    if (shown->cut)
        for (bytes = most; bytes && ((unsigned char)text->text[bytes] & 0xc0) == 0x80;)
            bytes--;
    EZ_TRY(ez_buffer_append(&shown->text, context, text->text, bytes));
    EZ_TRY(add_words(text, context, (ez_bag_entry *)(void *)bag->data,
                     bag->used / sizeof(ez_bag_entry), shown));
    for (size_t i = 0; i < bytes; i++) /* a string of JSON ends at a NUL */
        if (!shown->text.data[i])
            shown->text.data[i] = ' ';
    return ez_buffer_append(&shown->text, context, "", 1);
}

bool ez_report_has_text(const ezlda_report *report)
{
    return report->corpus && ez_corpus_has_text(report->corpus);
}

ezlda_status ez_doc_shown(const ezlda_report *report, ezlda_context *context, uint64_t doc,
                          size_t most, ez_shown_text *shown)
{
    ezlda_doc_text *text = NULL;
    ez_buffer bag = {0};
    ezlda_status status;
    EZ_TRY_GOTO(ezlda_corpus_doc_text(&text, context, report->corpus, doc));
    EZ_TRY_GOTO(ez_doc_bag(report, context, doc, &bag));
    status = show(text, context, &bag, most, shown);
done:
    ezlda_doc_text_free(text);
    ez_free(bag.data);
    return status;
}
