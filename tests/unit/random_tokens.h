/* Token lists drawn at random, for tests of the backends without a corpus. */
#ifndef RANDOM_TOKENS_H
#define RANDOM_TOKENS_H

#include "check.h"

#include "backend/choose_device.h"
#include "base/memory.h"
#include "sampler/arithmetic.h"

/* The device that tests are run for (EZLDA_TEST_DEVICE): cpu unless named. */
static inline const char *device_under_test(void)
{
    const char *name = getenv("EZLDA_TEST_DEVICE");
    return name ? name : "cpu";
}

static inline const ez_backend_ops *backend_under_test(void)
{
    const ez_backend_ops *ops = NULL;
    ez_device_choice choice;
    ez_gpus gpus;
    CHECK_OK(check_context(), ez_device_parse(&choice, check_context(), device_under_test()));
    /* Held open, so that the cases do not open the device again; a missing device is reported
     * below. */
    (void)ez_device_begin(check_context(), &choice);
    CHECK_OK(check_context(), ez_backend_find(&ops, &gpus, check_context(), &choice));
    return ops;
}

typedef struct random_shape {
    uint64_t seed;
    uint32_t docs, words, mean_length;
    uint32_t long_document; /* tokens of one long document in the middle; 0: none */
} random_shape;

/* Lengths 0, 1 and 5 come first, then lengths around the mean. */
static inline uint32_t random_length(const random_shape *shape, uint32_t doc)
{
    static const uint32_t first[] = {0, 1, 5, 0};
    if (doc < 4)
        return first[doc];
    if (doc == shape->docs / 2 && shape->long_document)
        return shape->long_document;
    return (uint32_t)ez_mulhi(ez_mix(shape->seed * 977 + doc),
                              2 * (uint64_t)shape->mean_length + 1);
}

static inline int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

/* Words fall off as the square of a uniform draw, from a part of the vocabulary that depends on the
 * document. */
static inline ez_token_list *random_tokens(ezlda_context *context, const random_shape *shape)
{
    uint64_t *start = NULL, tokens = 0;
    uint32_t *word = NULL;
    CHECK_OK(context, ez_array(&start, context, shape->docs + 1, sizeof *start, "starts"));
    for (uint32_t d = 0; d < shape->docs; d++) {
        start[d] = tokens;
        tokens += random_length(shape, d);
    }
    start[shape->docs] = tokens;
    CHECK_OK(context, ez_array(&word, context, tokens, sizeof *word, "words"));
    for (uint32_t d = 0; d < shape->docs; d++) {
        for (uint64_t i = start[d]; i < start[d + 1]; i++) {
            uint64_t u = ez_mix(shape->seed + i * 3 + 1), theme = ez_mix(d % 7 + 11) % shape->words;
            uint64_t v =
                ez_mulhi(ez_mulhi(u, UINT64_MAX) >> 32, ez_mulhi(u << 32, shape->words) << 32);
            word[i] = (uint32_t)((v + (u % 3 ? theme : 0)) % shape->words);
        }
        qsort(word + start[d], start[d + 1] - start[d], sizeof *word, by_number);
    }
    ez_token_list *list = NULL;
    CHECK_OK(context, ez_token_list_create(&list, context, shape->docs, shape->words, start, word));
    CHECK_OK(context, ez_token_list_index(list, context));
    return list;
}

/* Documents [first, last) of a list as a list of their own, words ordered by the given
 * frequencies. */
static inline ez_token_list *part_of_tokens(const ez_token_list *whole, uint64_t first,
                                            uint64_t last, const uint64_t *frequency)
{
    ezlda_context *context = check_context();
    uint64_t *start = NULL, from = whole->doc_start[first], tokens = whole->doc_start[last] - from;
    uint32_t *word = NULL;
    ez_token_list *part = NULL;
    CHECK_OK(context, ez_array(&start, context, last - first + 1, sizeof *start, "starts"));
    CHECK_OK(context, ez_array(&word, context, tokens, sizeof *word, "words"));
    for (uint64_t d = first; d <= last; d++)
        start[d - first] = whole->doc_start[d] - from;
    for (uint64_t i = 0; i < tokens; i++)
        word[i] = whole->original[whole->word[from + i]];
    ez_token_subset shared = {
        .frequency = frequency, .first_doc = first, .longest = whole->longest};
    CHECK_OK(context, ez_token_list_create_subset(&part, context, last - first, whole->words, start,
                                                  word, &shared));
    return part;
}

#endif
