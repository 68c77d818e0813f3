/* Fuzzes the markup filter: what it leaves is UTF-8 and no longer than the text, and a text that it has cleaned often
 * enough does not change any more. */
#include "fuzz_file.h"

#include "corpus/input/utf8.h"
#include "corpus/markup/markup_filter.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t n = ez_utf8_check((const char *)data, size);
    ez_markup_counts counts = {0};
    char *text = malloc(n + 1);
    memcpy(text, data, n);
    size_t left = ez_markup_clean(text, n, &counts);
    fuzz_claim(left <= n, "the text does not grow");
    fuzz_claim(ez_utf8_check(text, left) == left, "the text is UTF-8");
    fuzz_claim(counts.docs || (left == n && memcmp(text, data, n) == 0), "a text without markup stays");
    free(text);
    return 0;
}
