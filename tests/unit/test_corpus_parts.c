/* A corpus in parts: what is counted of it, how it is cut, the token lists of its parts. */
#include "check.h"

#include "backend/start.h"
#include "base/memory.h"
#include "sampler/arithmetic.h"
#include "tokens/corpus_cut.h"
#include "tokens/corpus_tokens.h"
#include "tokens/corpus_totals.h"
#include "tokens/token_shard.h"

/* Documents of given lengths, each of two words or one; no words' names. */
static ezlda_corpus *corpus_of(ezlda_context *context, const uint32_t *length, uint64_t docs,
                               uint32_t words)
{
    uint64_t *start = calloc(docs + 1, sizeof *start), n = 0;
    uint32_t *word = calloc(2 * docs + 1, sizeof *word),
             *count = calloc(2 * docs + 1, sizeof *count);
    for (uint64_t d = 0; d < docs; d++) {
        uint32_t first = (uint32_t)(ez_mix(d + 5) % (words - 1)), part = length[d] / 3;
        if (part > 0) {
            word[n] = first;
            count[n++] = part;
        }
        if (length[d] > 0) {
            word[n] = first + 1;
            count[n++] = length[d] - part;
        }
        start[d + 1] = n;
    }
    ezlda_corpus *corpus = NULL;
    CHECK_OK(context,
             ezlda_corpus_from_csr(&corpus, context, docs, words, start, word, count, NULL));
    free(start);
    free(word);
    free(count);
    return corpus;
}

/* Lengths with a tail: 1/u, up to `most` tokens. */
static uint32_t *heavy_lengths(uint64_t docs, uint32_t most)
{
    uint32_t *length = calloc(docs, sizeof *length);
    for (uint64_t d = 0; d < docs; d++) {
        double u = (double)(ez_mix(d * 7 + 3) >> 11) / 9007199254740992.0, x = 20 / (u + 1e-9);
        length[d] = d % 50 == 7 ? 0 : x < most ? (uint32_t)x : most;
    }
    return length;
}

static uint64_t sum(const uint32_t *length, uint64_t first, uint64_t last)
{
    uint64_t total = 0;
    for (uint64_t d = first; d < last; d++)
        total += length[d];
    return total;
}

/* Largest less smallest part, over the mean. */
static double spread_of(const uint32_t *length, uint64_t docs, uint32_t parts,
                        const uint64_t *first)
{
    uint64_t most = 0, least = UINT64_MAX;
    CHECK_EQ(first[0], 0);
    CHECK_EQ(first[parts], docs);
    for (uint32_t p = 0; p < parts; p++) {
        CHECK(first[p] <= first[p + 1]);
        uint64_t tokens = sum(length, first[p], first[p + 1]);
        most = tokens > most ? tokens : most;
        least = tokens < least ? tokens : least;
    }
    return (double)(most - least) * parts / (double)sum(length, 0, docs);
}

static double cut_spread(const uint32_t *length, uint64_t docs, uint32_t parts)
{
    ezlda_context *context = check_context();
    ezlda_corpus *corpus = corpus_of(context, length, docs, 100);
    uint64_t first[65];
    CHECK_OK(context, ez_corpus_cut(corpus, context, parts, first));
    ezlda_corpus_free(corpus);
    return spread_of(length, docs, parts, first);
}

TEST(parts_of_heavy_tailed_documents_are_within_five_percent)
{
    enum { DOCS = 30000 };
    for (uint32_t parts = 1; parts <= 64; parts = parts < 8 ? parts + 1 : parts * 2) {
        /* No document is over a twentieth of a part. */
        uint32_t *length = heavy_lengths(DOCS, (uint32_t)(DOCS * 100ull / parts / 20));
        CHECK(cut_spread(length, DOCS, parts) <= 0.05);
        free(length);
    }
}

/* One document of nearly a part lies where the first cut should be: the other parts share what it
 * displaces. */
TEST(a_large_document_displaces_all_cuts)
{
    enum { DOCS = 8000, LARGE = 19000 };
    uint32_t *length = calloc(DOCS, sizeof *length);
    for (int d = 0; d < DOCS; d++)
        length[d] = d == 2000 ? LARGE : 10;
    double mean = (double)sum(length, 0, DOCS) / 4, first = 20000, rest = (4 * mean - first) / 3;
    CHECK_NEAR(cut_spread(length, DOCS, 4), (rest - first) / mean, 0.005);
    for (int d = 0; d < DOCS; d++)
        length[d] = d == 6000 ? LARGE : 10;
    CHECK_NEAR(cut_spread(length, DOCS, 4), (rest - first) / mean, 0.005);
    free(length);
}

TEST(fewer_documents_than_parts)
{
    ezlda_context *context = check_context();
    uint64_t first[10];
    ezlda_corpus *corpus = corpus_of(context, (uint32_t[]){3, 0, 4}, 3, 5);
    CHECK_OK(context, ez_corpus_cut(corpus, context, 9, first));
    spread_of((uint32_t[]){3, 0, 4}, 3, 9, first);
    ezlda_corpus_free(corpus);
    corpus = corpus_of(context, NULL, 0, 5);
    CHECK_OK(context, ez_corpus_cut(corpus, context, 9, first));
    CHECK(first[0] == 0 && first[5] == 0 && first[9] == 0);
    ezlda_corpus_free(corpus);
}

static void check_totals(const ezlda_corpus *corpus, const uint32_t *length, uint64_t first,
                         uint64_t last)
{
    ezlda_context *context = check_context();
    ez_totals totals = {0};
    uint64_t tokens[100] = {0}, longest = 0;
    uint32_t docs[100] = {0}, word[2], count[2];
    for (uint64_t d = first; d < last; d++) {
        size_t n = ezlda_corpus_document(corpus, d, word, count, 2);
        for (size_t i = 0; i < n; i++) {
            tokens[word[i]] += count[i];
            docs[word[i]]++;
        }
        longest = length[d] > longest ? length[d] : longest;
    }
    CHECK_OK(context, ez_corpus_totals(&totals, context, corpus, first, last));
    CHECK_EQ(totals.words, 100);
    CHECK_EQ(totals.docs, last - first);
    CHECK_EQ(totals.tokens, sum(length, first, last));
    CHECK_EQ(totals.longest, longest);
    CHECK(memcmp(totals.frequency, tokens, sizeof tokens) == 0);
    CHECK(memcmp(totals.doc_frequency, docs, sizeof docs) == 0);
    ez_totals_free(&totals);
}

TEST(totals_are_those_of_the_range)
{
    enum { DOCS = 3000 };
    ezlda_context *context = check_context();
    uint32_t *length = heavy_lengths(DOCS, 5000);
    ezlda_corpus *corpus = corpus_of(context, length, DOCS, 100);
    for (int threads = 1; threads <= 3; threads += 2) {
        ezlda_context_set_threads(context, threads);
        check_totals(corpus, length, 0, DOCS);
        check_totals(corpus, length, 0, 256);
        check_totals(corpus, length, 255, 257);
        check_totals(corpus, length, 700, 2900);
        check_totals(corpus, length, 2816, DOCS);
        check_totals(corpus, length, 5, 5);
    }
    ezlda_corpus_free(corpus);
    free(length);
}

/* Documents of a part start as they do in the whole. */
static void check_part(const ez_token_list *whole, const ez_token_list *part, uint64_t first)
{
    /* Enough documents per topic for long pieces; the parts alone do not have enough. */
    ez_settings settings = {
        .topics = (uint32_t)(whole->docs / EZ_START_FEW), .seed = 3, .start = EZLDA_START_KEYWORD};
    ez_start_scratch scratch;
    CHECK_OK(check_context(), ez_start_scratch_init(&scratch, check_context(), whole));
    uint16_t *one = calloc(whole->longest, sizeof *one),
             *other = calloc(whole->longest, sizeof *other);
    CHECK_EQ(part->first_doc, first);
    CHECK_EQ(part->all_docs, whole->docs);
    CHECK_EQ(part->longest, whole->longest);
    CHECK(memcmp(part->original, whole->original, whole->words * sizeof *whole->original) == 0);
    CHECK(memcmp(part->doc_frequency, whole->doc_frequency,
                 whole->words * sizeof *whole->doc_frequency) == 0);
    for (uint64_t d = 0; d < part->docs; d++) {
        uint64_t n = part->doc_start[d + 1] - part->doc_start[d],
                 from = whole->doc_start[first + d];
        CHECK_EQ(n, whole->doc_start[first + d + 1] - from);
        CHECK(memcmp(part->word + part->doc_start[d], whole->word + from,
                     n * sizeof *whole->word) == 0);
        ez_start_document(whole, &settings, first + d, one, &scratch);
        ez_start_document(part, &settings, d, other, &scratch);
        CHECK(memcmp(one, other, n * sizeof *one) == 0);
    }
    free(one);
    free(other);
    ez_start_scratch_free(&scratch);
}

TEST(a_part_has_the_words_and_the_start_of_the_whole)
{
    enum { DOCS = 3000 };
    static const uint64_t ranges[][2] = {{0, DOCS},    {0, 100}, {100, 900}, {256, 512},
                                         {2800, DOCS}, {7, 7},   {7, 8}};
    ezlda_context *context = check_context();
    ezlda_context_set_threads(context, 2);
    uint32_t *length = heavy_lengths(DOCS, 3000);
    ezlda_corpus *corpus = corpus_of(context, length, DOCS, 100);
    ez_token_list *whole = NULL, *part = NULL;
    ez_totals totals = {0};
    CHECK_OK(context, ez_corpus_tokens(&whole, context, corpus));
    CHECK_OK(context, ez_token_list_index(whole, context));
    CHECK_OK(context, ez_corpus_totals(&totals, context, corpus, 0, DOCS));
    ez_token_subset shared = {.frequency = totals.frequency,
                              .doc_frequency = totals.doc_frequency,
                              .all_docs = totals.docs,
                              .longest = totals.longest};
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        CHECK_OK(context, ez_corpus_tokens_range(&part, context, corpus, ranges[i][0], ranges[i][1],
                                                 &shared));
        CHECK_OK(context, ez_token_list_index(part, context));
        CHECK_EQ(part->docs, ranges[i][1] - ranges[i][0]);
        check_part(whole, part, ranges[i][0]);
        ez_token_list_free(part);
    }
    CHECK_OK(context, ez_token_list_shard(&part, context, whole, 100, 900));
    CHECK_EQ(part->all_docs, whole->docs);
    ez_token_list_free(part);
    ez_totals_free(&totals);
    ez_token_list_free(whole);
    ezlda_corpus_free(corpus);
    free(length);
}

TEST_MAIN()
