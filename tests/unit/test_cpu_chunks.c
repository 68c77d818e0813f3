/* Documents in chunks that are loaded in turn give the same result as all documents at once, to the
 * last bit. */
#include "check.h"

#include "backend/histograms.h"
#include "backend_outcome.h"

/* A token list cut into chunks of that many documents. Loads and stores are counted. */
typedef struct cut_source {
    ez_token_source source; /* first */
    const ez_token_list *all;
    uint64_t *frequency, *first_token, *first_doc;
    uint32_t *doc_frequency;
    ez_token_subset shared;
    uint32_t loads;
} cut_source;

static ezlda_status load_part(ez_token_source *source, ezlda_context *context, uint32_t part,
                              ez_token_list **out)
{
    cut_source *cut = (cut_source *)source;
    const ez_token_list *t = cut->all;
    uint64_t first = cut->first_doc[part], docs = cut->first_doc[part + 1] - first, *start = NULL;
    uint64_t from = t->doc_start[first], tokens = t->doc_start[first + docs] - from;
    uint32_t *word = NULL;
    CHECK_OK(context, ez_array(&start, context, docs + 1, sizeof *start, "starts"));
    CHECK_OK(context, ez_array(&word, context, tokens, sizeof *word, "words"));
    for (uint64_t d = 0; d <= docs; d++)
        start[d] = t->doc_start[first + d] - from;
    for (uint64_t i = 0; i < tokens; i++)
        word[i] = t->original[t->word[from + i]];
    ez_token_subset shared = cut->shared;
    shared.first_doc = first;
    cut->loads++;
    return ez_token_list_create_subset(out, context, docs, t->words, start, word, &shared);
}

static void hint(ez_token_source *source, uint32_t part)
{
    CHECK(part < source->chunks);
}

static cut_source cut_tokens(const ez_token_list *t, uint32_t chunks)
{
    cut_source cut = {
        .source = {.chunks = chunks, .load = load_part, .ahead = hint, .behind = hint}, .all = t};
    cut.frequency = calloc(t->words, sizeof *cut.frequency);
    cut.doc_frequency = calloc(t->words, sizeof *cut.doc_frequency);
    cut.first_doc = calloc(chunks + 1, sizeof *cut.first_doc);
    cut.first_token = calloc(chunks + 1, sizeof *cut.first_token);
    cut.source.topic = calloc(t->tokens + 1, sizeof *cut.source.topic);
    for (uint32_t v = 0; v < t->words; v++) {
        cut.frequency[t->original[v]] = t->word_start[v + 1] - t->word_start[v];
        cut.doc_frequency[t->original[v]] = t->doc_frequency[v];
    }
    for (uint32_t p = 0; p <= chunks; p++) {
        cut.first_doc[p] =
            p == 2 ? cut.first_doc[1] : t->docs * p / chunks; /* one chunk is empty */
        cut.first_doc[p] = p == chunks ? t->docs : cut.first_doc[p];
        cut.first_token[p] = t->doc_start[cut.first_doc[p]];
    }
    cut.source.first_token = cut.first_token;
    cut.shared = (ez_token_subset){.frequency = cut.frequency,
                                   .doc_frequency = cut.doc_frequency,
                                   .all_docs = t->docs,
                                   .longest = t->longest};
    return cut;
}

static void free_cut(cut_source *cut)
{
    free(cut->frequency);
    free(cut->doc_frequency);
    free(cut->first_doc);
    free(cut->first_token);
    free(cut->source.topic);
}

/* The outcome of a run in which the priors change. */
typedef struct result {
    outcome outcome;
    uint64_t histograms; /* a hash of them */
} result;

static int by_size(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static uint64_t hash_values(uint64_t hash, const uint64_t *value, size_t n)
{
    for (size_t i = 0; i < n; i++)
        hash = ez_mix(hash + value[i] + 1);
    return hash;
}

static uint64_t hash_histograms(ez_histograms *h)
{
    uint64_t hash = hash_values(1, h->docs, (size_t)h->topics * EZ_HISTOGRAM_CELLS);
    hash = hash_values(hash, h->words, EZ_COUNT_CELLS);
    hash = hash_values(hash, h->topic_tokens, h->topics);
    size_t n = h->docs_more.used / sizeof(uint64_t);
    if (n > 0)
        qsort(h->docs_more.data, n, sizeof(uint64_t), by_size);
    hash = hash_values(hash + n, (const uint64_t *)h->docs_more.data, n);
    return hash;
}

static result train_fitted(ez_token_list *tokens, ez_settings settings, uint64_t all, int threads)
{
    ezlda_context *context = check_context();
    ez_backend *backend = NULL;
    ez_iteration done;
    ez_histograms h = {0};
    result r = {0};
    settings.histograms = true;
    ezlda_context_set_threads(context, threads);
    CHECK_OK(context, ez_histograms_init(&h, context, settings.topics));
    CHECK_OK(context, ez_cpu_backend.create(&backend, context, tokens, &settings, NULL));
    CHECK_OK(context, ez_cpu_backend.start(backend, context));
    for (uint32_t i = 1; i <= 4; i++) {
        CHECK_OK(context, ez_cpu_backend.iterate(backend, context, i, &done));
        r.outcome.moved += done.moved;
        CHECK_OK(context, ez_cpu_backend.histograms(backend, context, &h));
        r.histograms = ez_mix(r.histograms + hash_histograms(&h));
        settings.priors.beta *= 1.25f;
        CHECK_OK(context, ez_cpu_backend.priors(backend, context, &settings.priors));
    }
    uint16_t *topic = calloc(all + 1, sizeof *topic);
    CHECK_OK(context, ez_cpu_backend.score(backend, context, &r.outcome.score));
    CHECK_OK(context, ez_cpu_backend.topics(backend, context, topic));
    r.outcome.hash = hash_topics(topic, all);
    ez_cpu_backend.free(backend);
    ez_histograms_free(&h);
    free(topic);
    return r;
}

/* A list without documents that has the words of all chunks. */
static ez_token_list *shape_of(cut_source *cut)
{
    uint64_t *start = NULL;
    uint32_t *word = NULL;
    ez_token_list *shape = NULL;
    ezlda_context *context = check_context();
    CHECK_OK(context, ez_array_zero(&start, context, 1, sizeof *start, "starts"));
    CHECK_OK(context, ez_array(&word, context, 0, sizeof *word, "words"));
    CHECK_OK(context, ez_token_list_create_subset(&shape, context, 0, cut->all->words, start, word,
                                                  &cut->shared));
    return shape;
}

static void check_parts(ez_token_list *tokens, ez_settings settings, uint32_t chunks, int threads)
{
    result expected = train_fitted(tokens, settings, tokens->tokens, 1);
    cut_source cut = cut_tokens(tokens, chunks);
    ez_token_list *shape = shape_of(&cut);
    settings.source = &cut.source;
    result got = train_fitted(shape, settings, tokens->tokens, threads);
    if (got.outcome.hash != expected.outcome.hash || got.outcome.score != expected.outcome.score ||
        got.outcome.moved != expected.outcome.moved || got.histograms != expected.histograms)
        CHECK_FAIL(
            "%u chunks, %d threads, K %u, estimator %d, format %d: hash %llx, expected %llx; "
            "score %lld, "
            "expected %lld; moved %llu, expected %llu; histograms %llx, expected %llx",
            chunks, threads, settings.topics, (int)settings.estimator, (int)settings.w_format,
            (unsigned long long)got.outcome.hash, (unsigned long long)expected.outcome.hash,
            (long long)got.outcome.score, (long long)expected.outcome.score,
            (unsigned long long)got.outcome.moved, (unsigned long long)expected.outcome.moved,
            (unsigned long long)got.histograms, (unsigned long long)expected.histograms);
    /* Ten passes, each of which begins with the chunk that the last one ended with. */
    CHECK_EQ(cut.loads, chunks == 1 ? 1 : 10 * (chunks - 1) + 1);
    ez_token_list_free(shape);
    free_cut(&cut);
}

static ez_settings plain_settings(uint32_t topics, float *alpha)
{
    ez_settings settings = {
        .topics = topics, .seed = 11, .priors.alpha = alpha, .priors.beta = 0.01f};
    for (uint32_t k = 0; k < topics; k++) {
        alpha[k] = 0.1f + (float)(k % 7) / 16;
        settings.priors.alpha_sum += (double)alpha[k];
    }
    return settings;
}

TEST(parts_give_the_same_in_every_format)
{
    static const uint32_t chunks[] = {1, 2, 3, 7};
    float alpha[40];
    ez_settings settings = plain_settings(40, alpha);
    ez_token_list *tokens = random_tokens(
        check_context(),
        &(random_shape){
            .seed = 5, .docs = 200, .words = 150, .mean_length = 40, .long_document = 900});
    for (int i = 0; i < 4; i++)
        for (int format = EZLDA_W_HYBRID; format <= EZLDA_W_SPARSE; format++)
            for (int estimator = EZLDA_LEAVE_ONE_OUT; estimator <= EZLDA_ESCA; estimator++) {
                settings.w_format = (ezlda_w_format)format;
                settings.estimator = (ezlda_estimator)estimator;
                settings.start = (i + format) % 2 ? EZLDA_START_RANDOM : EZLDA_START_KEYWORD;
                settings.g = (i + format + estimator) % 3 * 4;
                check_parts(tokens, settings, chunks[i], 1 + (i + format + estimator) % 2);
            }
    ez_token_list_free(tokens);
}

/* Counts of a word above 65,535 take several entries of a sparse row, words of many regions several
 * tasks. */
TEST(parts_with_frequent_words)
{
    float alpha[2];
    ez_settings settings = plain_settings(2, alpha);
    ez_token_list *tokens = random_tokens(
        check_context(), &(random_shape){.seed = 6, .docs = 3000, .words = 3, .mean_length = 150});
    settings.w_format = EZLDA_W_SPARSE;
    check_parts(tokens, settings, 3, 2);
    settings.w_format = EZLDA_W_HYBRID;
    check_parts(tokens, settings, 3, 2);
    ez_token_list_free(tokens);
}

TEST(parts_with_65536_topics)
{
    enum { K = 65536 };
    float *alpha = calloc(K, sizeof *alpha);
    ez_settings settings = plain_settings(K, alpha);
    ez_token_list *tokens = random_tokens(
        check_context(), &(random_shape){.seed = 8, .docs = 60, .words = 90, .mean_length = 30});
    settings.g = 8;
    check_parts(tokens, settings, 3, 2);
    ez_token_list_free(tokens);
    free(alpha);
}

/* Base counts are added once, not once per chunk; the topics to start from are the source's. */
TEST(parts_with_a_base_and_a_start)
{
    float alpha[20];
    ez_settings settings = plain_settings(20, alpha);
    ez_token_list *tokens = random_tokens(
        check_context(), &(random_shape){.seed = 9, .docs = 150, .words = 60, .mean_length = 30});
    uint64_t start[61];
    uint16_t topic[120];
    uint32_t count[120];
    for (uint32_t v = 0; v <= 60; v++)
        start[v] = 2 * (uint64_t)v;
    for (uint32_t i = 0; i < 120; i++) {
        topic[i] = (uint16_t)(i % 2 * 10 + i % 7);
        count[i] = 1 + i * 13 % 40;
    }
    ez_base_counts base = {start, topic, count, NULL};
    uint16_t *begin = calloc(tokens->tokens, sizeof *begin);
    for (uint64_t i = 0; i < tokens->tokens; i++)
        begin[i] = (uint16_t)(ez_mix(i) % 20);
    settings.base = &base;
    check_parts(tokens, settings, 3, 2);
    settings.w_format = EZLDA_W_SPARSE;
    settings.start_topics = begin;
    check_parts(tokens, settings, 3, 1);
    free(begin);
    ez_token_list_free(tokens);
}

TEST_MAIN()
