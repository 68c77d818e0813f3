/* Fuzzes how text becomes words: runs of scripts without spaces, joiners, lower case. The first
 * byte chooses the options. The others are text, or pairs of a block of characters and a character
 * in it, which meet in more ways. */
#include "fuzz_file.h"

#include "corpus/input/utf8.h"
#include "corpus/text/tokeniser/segmentation.h"

#include <string.h>

enum { TEXT_BYTES = 4096 };

/* Text of characters from blocks that have rules of their own. */
static size_t text_of_pairs(const uint8_t *data, size_t size, char *text)
{
    static const uint32_t blocks[] = {0x20,   0xa0,   0x100,  0x300,  0x370,   0x400,  0x590,
                                      0x600,  0x900,  0xe00,  0xe80,  0x1000,  0x1780, 0x1e00,
                                      0x2000, 0x3000, 0x30a0, 0x3400, 0x4e00,  0x6700, 0xac00,
                                      0xf900, 0xfb00, 0xfe00, 0xff00, 0x1f600, 0x20000};
    size_t used = 0;
    for (size_t i = 0; i + 1 < size && used < TEXT_BYTES - 8; i += 2)
        used += ez_utf8_encode(blocks[data[i] % (sizeof blocks / sizeof *blocks)] + data[i + 1],
                               text + used);
    return used;
}

static void check_word(const ez_tokeniser *tokeniser, const char *form, size_t n)
{
    char word[EZ_WORD_BYTES + 1], again[EZ_WORD_BYTES + 1];
    size_t length = ez_normalise_word(tokeniser, form, n, word);
    fuzz_claim(length <= EZ_WORD_BYTES && (!length || word[length] == '\0'),
               "a word has a limit and an end");
    fuzz_claim(ez_utf8_check(word, length) == length, "a word is UTF-8");
    if (!length || tokeniser->casing == EZ_CASE_FOLDED)
        return;
    fuzz_claim(ez_normalise_word(tokeniser, word, length, again) == length &&
                   memcmp(word, again, length) == 0,
               "a normalised word stays as it is");
}

static void cut(const ez_tokeniser *tokeniser, ez_segmenter *segmenter, const char *text, size_t n)
{
    ez_word_cursor cursor = {tokeniser, segmenter, fuzz_context(), text, text + n};
    const char *form, *after = text;
    size_t bytes, words = 0;
    bool pairs = segmenter->cutting == EZ_CUT_PAIRS;
    ez_segmenter_begin(segmenter);
    for (; (form = ez_cursor_next(&cursor, &bytes)); words++) {
        fuzz_claim(bytes > 0 && form + bytes <= text + n, "a form is in the text");
        fuzz_claim(pairs ? form + bytes > after : form >= after, "forms follow each other");
        check_word(tokeniser, form, bytes);
        after = form + bytes;
    }
    fuzz_claim(segmenter->status == EZLDA_OK, "all text can be cut");
    fuzz_claim(words <= n / 2 + 1, "there is room for the words");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char text[TEXT_BYTES];
    if (!size)
        return 0;
    unsigned choice = *data++;
    size--;
    size_t n = size < TEXT_BYTES ? size : TEXT_BYTES;
    if (choice & 1)
        n = text_of_pairs(data, size, text);
    else
        memcpy(text, data, n);
    n = ez_utf8_check(text, n);
    ez_tokeniser tokeniser;
    ez_tokeniser_init(&tokeniser, choice & 2, choice & 4, choice & 8, 1 + (choice >> 7));
    tokeniser.casing = choice & 16 ? EZ_CASE_TURKIC : choice & 32 ? EZ_CASE_FOLDED : EZ_CASE_LOWER;
    tokeniser.pieces = (choice & 0x60) == 0x60;
    tokeniser.units = tokeniser.pieces && (choice & 4);
    ez_segmenter segmenter = {.cutting = choice & 64 ? EZ_CUT_PAIRS : EZ_CUT_AUTO};
    tokeniser.runs = !tokeniser.pieces;
    cut(&tokeniser, &segmenter, text, n);
    ez_segmenter_free(&segmenter);
    return 0;
}
