/* The words of a text as one string, to compare. */
#ifndef WORD_LIST_H
#define WORD_LIST_H

#include "check.h"

#include "corpus/text/tokeniser/segmentation.h"

/* Words of a text, normalised, joined by "|"; runs of unspaced scripts are cut by the segmenter, or
 * are words if it is NULL. Valid until the next call. */
__attribute__((unused)) static const char *cut_words(const ez_tokeniser *tokeniser,
                                                     ez_segmenter *segmenter, const char *text,
                                                     size_t length)
{
    static char joined[1 << 16];
    char word[EZ_WORD_BYTES + 1];
    const char *at = text, *end = text + length, *form;
    ez_word_cursor cursor = {tokeniser, segmenter, check_context(), text, end};
    size_t n, used = 0;
    joined[0] = '\0';
    while (
        (form = segmenter ? ez_cursor_next(&cursor, &n) : ez_next_word(tokeniser, &at, end, &n)) &&
        used < sizeof joined - 2 * EZ_WORD_BYTES)
        if (ez_normalise_word(tokeniser, form, n, word))
            used += (size_t)snprintf(joined + used, sizeof joined - used, "%s%s", used ? "|" : "",
                                     word);
    return joined;
}

__attribute__((unused)) static const char *words_of(const ez_tokeniser *tokeniser, const char *text,
                                                    size_t length)
{
    return cut_words(tokeniser, NULL, text, length);
}

#endif
