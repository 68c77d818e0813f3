/* Reads one document per line: plain text, and MALLET's `name label text`. */
#include "corpus/text/text_source.h"

#include <string.h>

/* Returns the line at the block's cursor without its end, and moves the cursor to the next line. */
static ez_span next_line(ez_block *block, uint64_t *line)
{
    char *start = (char *)block->text.data + block->at;
    char *end = memchr(start, '\n', block->text.used - block->at);
    ez_span span = {start, (size_t)(end - start)};
    block->at += span.n + 1;
    *line = block->line++;
    if (span.n && end[-1] == '\r')
        span.n--;
    return span;
}

static int next_text(const ez_text_source *source, ezlda_context *context, ez_block *block,
                     ez_span *slots, uint64_t *line, ez_fault *fault)
{
    (void)context;
    (void)fault;
    if (block->at == block->text.used)
        return 0;
    ez_record_clear(source->plan, slots);
    slots[EZ_SLOT_TEXT] = next_line(block, line);
    return 1;
}

static bool separates(char c)
{
    return c == ' ' || c == '\t' || c == ',';
}

/* Removes the first word from a line; words are separated by spaces, tabs and commas. */
static ez_span cut_word(ez_span *line)
{
    ez_span word = {line->at, 0};
    while (word.n < line->n && !separates(word.at[word.n]))
        word.n++;
    size_t skip = word.n;
    while (skip < line->n && separates(line->at[skip]))
        skip++;
    line->at += skip;
    line->n -= skip;
    return word;
}

/* Removes the text before a tab, and the tab, from a line. */
static ez_span cut_column(ez_span *line, const char *tab)
{
    ez_span column = {line->at, (size_t)(tab - line->at)};
    line->at += column.n + 1;
    line->n -= column.n + 1;
    return column;
}

static int next_mallet(const ez_text_source *source, ezlda_context *context, ez_block *block,
                       ez_span *slots, uint64_t *line, ez_fault *fault)
{
    (void)context;
    (void)fault;
    if (block->at == block->text.used)
        return 0;
    ez_record_clear(source->plan, slots);
    ez_span rest = next_line(block, line);
    const char *tab = memchr(rest.at, '\t', rest.n);
    const char *second = tab ? memchr(tab + 1, '\t', rest.n - (size_t)(tab + 1 - rest.at)) : NULL;
    slots[EZ_SLOT_NAME] = second ? cut_column(&rest, tab) : cut_word(&rest);
    slots[EZ_SLOT_LABEL] = second ? cut_column(&rest, second) : cut_word(&rest);
    slots[EZ_SLOT_TEXT] = rest;
    return 1;
}

const ez_record_reader ez_text_reader = {"text", next_text, ez_cut_lines, NULL};
const ez_record_reader ez_mallet_reader = {"mallet", next_mallet, ez_cut_lines, NULL};
