/* Cuts texts at empty lines, or into pieces of nearly equal numbers of words. Scripts without
 * spaces are measured by their letters and cut after their punctuation. */
#include "corpus/text/text_split.h"

#include "corpus/input/utf8.h"

#include <stdlib.h>
#include <string.h>

/* Weights: a word between spaces; a letter of Chinese or Japanese (two make a word); a letter of
 * Thai, Lao, Burmese or Khmer (five make a word). */
enum { WORD = 10, HAN_LETTER = 5, THAI_LETTER = 2 };

ezlda_status ez_split_parse(ez_split *split, ezlda_context *context, const char *text)
{
    *split = (ez_split){0};
    if (!text)
        return EZLDA_OK;
    split->used = true;
    if (strcmp(text, "blank") == 0)
        return EZLDA_OK;
    char *end;
    unsigned long words = *text >= '0' && *text <= '9' ? strtoul(text, &end, 10) : 0;
    if (!words || *end || words > UINT32_MAX)
        return ez_fail(context, EZLDA_ERROR_ARGUMENT,
                       "split: expected a number of words or \"blank\", found \"%s\"", text);
    split->words = (uint32_t)words;
    return EZLDA_OK;
}

static bool is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* The weight of a letter that no space separates from its neighbours; 0: of another script. */
static unsigned letter_weight(uint32_t code)
{
    if ((code >= 0x3040 && code <= 0x30ff) || (code >= 0x3400 && code <= 0x9fff) ||
        (code >= 0x20000 && code <= 0x3ffff))
        return HAN_LETTER;
    bool thai = (code >= 0xe00 && code <= 0xeff) || (code >= 0x1000 && code <= 0x109f) ||
                (code >= 0x1780 && code <= 0x17ff);
    return thai ? THAI_LETTER : 0;
}

static bool is_wide_stop(uint32_t code)
{
    return code == 0x3001 || code == 0x3002 || code == 0xff0c || code == 0xff01 || code == 0xff1f;
}

/* Moves to the first place after `limit` weight at which a text may be cut, or to its end; returns
 * the weight up to there. */
static uint64_t advance(char **at, const char *end, uint64_t done, uint64_t limit)
{
    bool between = true; /* a new word begins at the next letter */
    while (*at < end) {
        size_t length = 1;
        if (is_space(**at)) {
            between = true;
        } else {
            if (between && done >= limit)
                return done;
            uint32_t code = ez_utf8_decode(*at, &length);
            unsigned weight = letter_weight(code);
            done += weight ? weight : between ? WORD : 0;
            between = is_wide_stop(code);
        }
        *at += length;
    }
    return done;
}

void ez_pieces_begin(ez_pieces *pieces, const ez_split *split, char *text, size_t n)
{
    *pieces = (ez_pieces){.split = split, .at = text, .end = text + n};
    if (!split->words)
        return;
    uint64_t size = (uint64_t)split->words * WORD;
    char *at = text;
    pieces->weight = advance(&at, pieces->end, 0, UINT64_MAX);
    pieces->n = (pieces->weight + size / 2) / size;
    pieces->n += !pieces->n && pieces->weight;
}

/* Moves past the line at `at`; returns its end. Lines end in LF, CRLF or CR. */
static char *line_end(char **at, const char *end)
{
    while (*at < end && **at != '\n' && **at != '\r')
        ++*at;
    char *stop = *at;
    bool carriage = *at < end && **at == '\r';
    *at += *at < end;
    *at += carriage && *at < end && **at == '\n';
    return stop;
}

/* The lines up to the next line of spaces. */
static bool next_paragraph(ez_pieces *pieces, char **text, size_t *n)
{
    char *last = NULL;
    while (pieces->at < pieces->end) {
        char *start = pieces->at, *stop = line_end(&pieces->at, pieces->end), *letter = start;
        while (letter < stop && is_space(*letter))
            letter++;
        if (letter == stop && last)
            break;
        if (letter == stop)
            continue;
        if (!last)
            *text = start;
        last = stop;
    }
    *n = last ? (size_t)(last - *text) : 0;
    return last != NULL;
}

bool ez_pieces_next(ez_pieces *pieces, char **text, size_t *n)
{
    if (!pieces->split->words)
        return next_paragraph(pieces, text, n);
    if (pieces->next == pieces->n || pieces->at == pieces->end)
        return false;
    pieces->next++;
    uint64_t limit = pieces->weight / pieces->n * pieces->next +
                     pieces->weight % pieces->n * pieces->next / pieces->n;
    *text = pieces->at;
    pieces->done = advance(&pieces->at, pieces->end, pieces->done, limit);
    *n = (size_t)(pieces->at - *text);
    return *n > 0;
}
