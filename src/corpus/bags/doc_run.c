/* Encodes documents (doc_code.h), and sorts and adds up the pairs of a document. */
#include "corpus/bags/doc_run.h"

#include "corpus/bags/doc_code.h"

#include <inttypes.h>
#include <string.h>

enum { EZ_LENGTH_GUESS = 2 }; /* bytes that the length of most documents takes */

ezlda_status ez_doc_run_add(ez_doc_run *run, ezlda_context *context, const uint32_t *word,
                            const uint32_t *count, size_t n)
{
    size_t most;
    if (!ez_mul_size(n, EZ_PAIR_BYTES, &most) || !ez_add_size(most, EZ_VARINT_BYTES, &most))
        return ez_fail(context, EZLDA_ERROR_MEMORY, "a document of %zu words is too long", n);
    EZ_TRY(ez_buffer_reserve(&run->bytes, context, most));
    unsigned char *start = run->bytes.data + run->bytes.used;
    unsigned char *at = start + EZ_LENGTH_GUESS;
    uint64_t next = 0, tokens = 0;
    for (size_t i = 0; i < n; i++) {
        at = ez_put_pair(at, word[i] - next, count[i]);
        next = (uint64_t)word[i] + 1;
        tokens += count[i];
    }
    size_t length = (size_t)(at - start) - EZ_LENGTH_GUESS;
    unsigned char head[EZ_VARINT_BYTES];
    size_t head_bytes = (size_t)(ez_put_varint(head, length) - head);
    if (head_bytes != EZ_LENGTH_GUESS)
        memmove(start + head_bytes, start + EZ_LENGTH_GUESS, length);
    memcpy(start, head, head_bytes);
    run->bytes.used += head_bytes + length;
    ez_doc_entry entry = {.bytes = head_bytes + length, .pairs = n, .tokens = tokens};
    return ez_buffer_append(&run->entries, context, &entry, sizeof entry);
}

ezlda_status ez_doc_run_add_empty(ez_doc_run *run, ezlda_context *context, uint64_t n)
{
    for (; n; n--)
        EZ_TRY(ez_doc_run_add(run, context, NULL, NULL, 0));
    return EZLDA_OK;
}

ezlda_status ez_doc_run_add_order(ez_doc_run *run, ezlda_context *context, const uint32_t *pair_of,
                                  size_t tokens)
{
    size_t most;
    if (!tokens)
        return EZLDA_OK;
    if (!ez_mul_size(tokens, EZ_PAIR_INDEX_BYTES, &most))
        return ez_fail(context, EZLDA_ERROR_MEMORY, "a document of %zu tokens is too long", tokens);
    EZ_TRY(ez_buffer_reserve(&run->order, context, most));
    unsigned char *start = run->order.data + run->order.used, *at = start;
    for (size_t i = 0; i < tokens; i++)
        at = ez_put_varint(at, pair_of[i]);
    ez_doc_entry *last = (ez_doc_entry *)(void *)(run->entries.data + run->entries.used) - 1;
    last->order_bytes = (uint64_t)(at - start);
    run->order.used += (size_t)last->order_bytes;
    return EZLDA_OK;
}

ezlda_status ez_doc_run_add_value(ez_doc_run *run, ezlda_context *context, const char *text,
                                  size_t n)
{
    EZ_TRY(ez_buffer_append(&run->values, context, text, n));
    return ez_buffer_append(&run->values, context, "", 1);
}

size_t ez_doc_run_docs(const ez_doc_run *run)
{
    return run->entries.used / sizeof(ez_doc_entry);
}

void ez_doc_run_clear(ez_doc_run *run)
{
    run->bytes.used = run->entries.used = run->order.used = run->values.used = 0;
}

void ez_doc_run_free(ez_doc_run *run)
{
    ez_free(run->bytes.data);
    ez_free(run->entries.data);
    ez_free(run->order.data);
    ez_free(run->values.data);
    *run = (ez_doc_run){0};
}

/* ---- sorting pairs ---- */

static void insertion_sort(uint64_t *keys, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        uint64_t key = keys[i];
        size_t j = i;
        for (; j && keys[j - 1] > key; j--)
            keys[j] = keys[j - 1];
        keys[j] = key;
    }
}

/* Sorts by bits 32 to 63, the word: as many bytes as the largest word has. The result is in keys.
 */
static void radix_sort(uint64_t *keys, uint64_t *other, size_t n, uint32_t largest)
{
    uint64_t *from = keys, *to = other;
    for (unsigned shift = 32; shift < 64 && largest >> (shift - 32); shift += 8) {
        size_t start[257] = {0};
        for (size_t i = 0; i < n; i++)
            start[(from[i] >> shift & 255) + 1]++;
        for (size_t i = 1; i < 256; i++)
            start[i] += start[i - 1];
        for (size_t i = 0; i < n; i++)
            to[start[from[i] >> shift & 255]++] = from[i];
        uint64_t *swap = from;
        from = to;
        to = swap;
    }
    if (from != keys)
        memcpy(keys, from, n * sizeof *keys);
}

static ezlda_status sort_pairs(ezlda_context *context, uint32_t *word, uint32_t *count, size_t n,
                               ez_buffer *scratch)
{
    enum { SMALL = 48 };
    scratch->used = 0;
    size_t bytes;
    if (!ez_mul_size(n, 2 * sizeof(uint64_t), &bytes))
        return ez_fail(context, EZLDA_ERROR_MEMORY, "a document of %zu words is too long", n);
    EZ_TRY(ez_buffer_reserve(scratch, context, bytes));
    uint64_t *keys = (uint64_t *)(void *)scratch->data;
    uint32_t largest = 0;
    for (size_t i = 0; i < n; i++) {
        keys[i] = (uint64_t)word[i] << 32 | count[i];
        largest = word[i] > largest ? word[i] : largest;
    }
    if (n <= SMALL)
        insertion_sort(keys, n);
    else
        radix_sort(keys, keys + n, n, largest);
    for (size_t i = 0; i < n; i++) {
        word[i] = (uint32_t)(keys[i] >> 32);
        count[i] = (uint32_t)keys[i];
    }
    return EZLDA_OK;
}

static bool in_order(const uint32_t *word, const uint32_t *count, size_t n)
{
    bool fine = n == 0 || count[0] != 0;
    for (size_t i = 1; i < n; i++)
        fine &= word[i] > word[i - 1] && count[i] != 0;
    return fine;
}

ezlda_status ez_pairs_tidy(ezlda_context *context, uint32_t *word, uint32_t *count, size_t *n,
                           ez_buffer *scratch, const char *path, const char *unit, uint64_t number)
{
    if (in_order(word, count, *n))
        return EZLDA_OK;
    EZ_TRY(sort_pairs(context, word, count, *n, scratch));
    size_t kept = 0;
    for (size_t i = 0; i < *n;) {
        uint32_t this = word[i];
        uint64_t sum = 0;
        for (; i < *n && word[i] == this; i++)
            sum += count[i];
        if (sum > UINT32_MAX)
            return ez_fail(context, EZLDA_ERROR_FORMAT,
                           "%s: %s %" PRIu64 ": the counts of a word add up to %" PRIu64
                           ", over 4294967295",
                           path, unit, number, sum);
        word[kept] = this;
        count[kept] = (uint32_t)sum;
        kept += sum != 0;
    }
    *n = kept;
    return EZLDA_OK;
}
