/* ezlda_corpus_split: splits the documents of a corpus into one to train on and one that is held
 * out. */
#include "base/files/content_hash.h"
#include "corpus/bags/bags.h"
#include "corpus/corpus.h"

/* Holds out exactly `need` documents, each set of them equally likely: document d is held out with
 * probability (still needed) / (still to come). */
static void choose_held(bool *held, uint64_t docs, uint64_t need, uint64_t seed)
{
    for (uint64_t d = 0; d < docs; d++) {
        uint64_t draw = ez_hash_bytes((uint64_t[]){seed, d}, 2 * sizeof(uint64_t));
        held[d] = (uint64_t)((unsigned __int128)draw * (docs - d) >> 64) < need;
        need -= held[d];
    }
}

/* The share as a number of documents, at least one on either side. */
static uint64_t held_docs(uint64_t docs, double share)
{
    double n = share * (double)docs + 0.5;
    if (n >= (double)(docs - 1))
        return docs - 1;
    return n < 1 ? 1 : (uint64_t)n;
}

static ezlda_status split(ezlda_corpus **train, ezlda_corpus **test, ezlda_context *context,
                          const ezlda_corpus *corpus, uint64_t need, uint64_t seed)
{
    ez_corpus_sizes sizes;
    bool *skip = NULL;
    uint32_t *map = NULL;
    const char **words = NULL;
    ezlda_status status;
    ez_corpus_sizes_of(corpus, &sizes);
    EZ_TRY_GOTO(ez_array(&skip, context, (size_t)sizes.docs, sizeof *skip, "documents"));
    EZ_TRY_GOTO(ez_array(&map, context, sizes.words, sizeof *map, "word numbers"));
    EZ_TRY_GOTO(ez_array(&words, context, sizes.words, sizeof *words, "the vocabulary"));
    ez_bag_keep_words(corpus, map, words);
    choose_held(skip, sizes.docs, need, seed);
    EZ_TRY_GOTO(ez_bag_rebuild(train, context, corpus, map, skip, words, sizes.words));
    for (uint64_t d = 0; d < sizes.docs; d++)
        skip[d] = !skip[d];
    EZ_TRY_GOTO(ez_bag_rebuild(test, context, corpus, map, skip, words, sizes.words));
done:
    ez_free(skip);
    ez_free(map);
    ez_free(words);
    return status;
}

ezlda_status ezlda_corpus_split(ezlda_corpus **train, ezlda_corpus **test, ezlda_context *context,
                                const ezlda_corpus *corpus, double share, uint64_t seed)
{
    ez_clear(context);
    if (!train || !test || !corpus)
        return ez_fail(context, EZLDA_ERROR_ARGUMENT,
                       "expected a corpus and room for two, found NULL");
    *train = *test = NULL;
    ez_corpus_sizes sizes;
    ez_corpus_sizes_of(corpus, &sizes);
    if (!(share > 0 && share < 1))
        return ez_fail(context, EZLDA_ERROR_ARGUMENT,
                       "the share to hold out is %g; expected more than 0, less than 1", share);
    if (sizes.docs < 2)
        return ez_fail(context, EZLDA_ERROR_ARGUMENT,
                       "a corpus of %llu documents cannot be split; expected two or more",
                       (unsigned long long)sizes.docs);
    ezlda_status status = split(train, test, context, corpus, held_docs(sizes.docs, share), seed);
    if (status != EZLDA_OK) {
        ezlda_corpus_free(*train);
        *train = NULL;
    }
    return status;
}
