/* One document a line: plain text, and MALLET's `name label text`. */
#include "corpus/text/text_source.h"

#include <string.h>

/* The line at the block's cursor without its end; the cursor moves behind it. */
static ez_span take_line(ez_block *block, uint64_t *line)
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
    ez_slots_clear(source->plan, slots);
    slots[EZ_SLOT_TEXT] = take_line(block, line);
    return 1;
}

static bool parts(char c)
{
    return c == ' ' || c == '\t' || c == ',';
}

/* Takes the first word off a line, parted by blanks and commas. */
static ez_span take_word(ez_span *line)
{
    ez_span word = {line->at, 0};
    while (word.n < line->n && !parts(word.at[word.n]))
        word.n++;
    size_t skip = word.n;
    while (skip < line->n && parts(line->at[skip]))
        skip++;
    line->at += skip;
    line->n -= skip;
    return word;
}

/* Takes what stands before a tab. */
static ez_span take_column(ez_span *line, const char *tab)
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
    ez_slots_clear(source->plan, slots);
    ez_span rest = take_line(block, line);
    const char *tab = memchr(rest.at, '\t', rest.n);
    const char *second = tab ? memchr(tab + 1, '\t', rest.n - (size_t)(tab + 1 - rest.at)) : NULL;
    slots[EZ_SLOT_NAME] = second ? take_column(&rest, tab) : take_word(&rest);
    slots[EZ_SLOT_LABEL] = second ? take_column(&rest, second) : take_word(&rest);
    slots[EZ_SLOT_TEXT] = rest;
    return 1;
}

const ez_record_reader ez_text_reader = {"text", next_text, ez_cut_lines, NULL};
const ez_record_reader ez_mallet_reader = {"mallet", next_mallet, ez_cut_lines, NULL};
