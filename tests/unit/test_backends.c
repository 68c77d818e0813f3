/* One hash: every backend, thread count, sampler, g, W format and instruction set gives the same
 * topics and score. */
#include "check.h"

#include "backend_outcome.h"

/* The third iteration runs the same code as the second, so an emulated device runs two. */
static uint32_t iterations(void)
{
    return brief() ? 2 : 3;
}

static outcome check_same(const outcome *expected, ez_token_list *tokens,
                          const ez_settings *settings, int threads, const char *what)
{
    outcome got = train(backend_under_test(), tokens, settings, threads, iterations());
    if (got.hash != expected->hash || got.score != expected->score || got.moved != expected->moved)
        CHECK_FAIL("%s: K %u, estimator %d, start %d, %d threads, sampler %d, g %d, format %d: "
                   "hash %llx, expected %llx; "
                   "score %lld, expected %lld",
                   what, settings->topics, (int)settings->estimator, (int)settings->start, threads,
                   (int)settings->sampler, settings->g, (int)settings->w_format,
                   (unsigned long long)got.hash, (unsigned long long)expected->hash,
                   (long long)got.score, (long long)expected->score);
    return got;
}

static bool picked(int sampler, int format, int set, bool all, int turn)
{
    if (brief())
        return (sampler * 3 + format - turn) % (all ? 3 : 9) == 0;
    return all || (sampler + format + set + turn) % 3 == 0;
}

/* Compares every way to run these settings with the reference; `all`: all combinations, else some
 * that `turn` chooses. */
static void check_settings(ez_token_list *tokens, ez_settings settings, bool all, int turn)
{
    static const int threads[] = {1, 2, 3, 8};
    outcome expected = train(&ez_reference_backend, tokens, &settings, 1, iterations());
    for (int sampler = EZLDA_MANY_BRANCH; sampler <= EZLDA_TWO_BRANCH; sampler++)
        for (int format = EZLDA_W_HYBRID; format <= EZLDA_W_SPARSE; format++)
            for (int set = 0; set < SETS; set++) {
                if (!runs_here(instruction_sets[set]) || !picked(sampler, format, set, all, turn))
                    continue;
                settings.sampler = (ezlda_sampler)sampler;
                settings.w_format = (ezlda_w_format)format;
                settings.g = (turn + set) % 9;
                setenv("EZLDA_SIMD", instruction_sets[set], 1);
                check_same(&expected, tokens, &settings, threads[(turn + sampler + format) % 4],
                           instruction_sets[set]);
            }
    unsetenv("EZLDA_SIMD");
}

/* alpha: all 50/K, or different for each topic. */
static ez_settings make_settings(uint32_t topics, float *alpha, bool asymmetric)
{
    ez_settings settings = {
        .topics = topics, .seed = 7, .priors.alpha = alpha, .priors.beta = 0.01f};
    for (uint32_t k = 0; k < topics; k++) {
        alpha[k] = 50.0f / (float)topics * (asymmetric ? 0.25f + (float)(k % 11) / 4 : 1);
        settings.priors.alpha_sum += (double)alpha[k];
    }
    return settings;
}

static void check_corpus(const random_shape *shape, uint32_t topics, bool all, int turn)
{
    ezlda_context *context = check_context();
    ez_token_list *tokens = random_tokens(context, shape);
    float *alpha = calloc(topics, sizeof *alpha);
    ez_settings settings = make_settings(topics, alpha, turn % 2);
    for (int estimator = EZLDA_LEAVE_ONE_OUT; estimator <= EZLDA_ESCA; estimator++) {
        settings.estimator = (ezlda_estimator)estimator;
        settings.start = (turn + estimator) % 2 ? EZLDA_START_RANDOM : EZLDA_START_KEYWORD;
        check_settings(tokens, settings, all, turn);
    }
    free(alpha);
    ez_token_list_free(tokens);
}

TEST(one_hash_in_every_combination)
{
    check_corpus(&(random_shape){.seed = 1, .docs = 60, .words = 90, .mean_length = 40}, 12, true,
                 0);
    check_corpus(&(random_shape){.seed = 2, .docs = 60, .words = 500, .mean_length = 40}, 100, true,
                 1);
}

TEST(one_hash_over_twenty_corpora)
{
    static const uint32_t topics[] = {2, 100, 1000, 3, 9, 8, 130, 16, 17, 5000};
    for (int i = 0; i < (brief() ? 10 : 20); i++) {
        random_shape shape = {
            .seed = (uint64_t)i + 100,
            .docs = 20 + (uint32_t)i * 13,
            .words = 30 + (uint32_t)(i % 5) * 150,
            .mean_length = 10 + (uint32_t)(i % 4) * 30,
        };
        check_corpus(&shape, topics[i % 10], false, i);
    }
}

/* Counts above 65,535 take several entries; the weights have fewer bits. */
TEST(one_hash_with_a_document_of_200000_tokens)
{
    random_shape shape = {.seed = 5,
                          .docs = 12,
                          .words = 40,
                          .mean_length = 20,
                          .long_document = brief() ? 70000 : 200000};
    check_corpus(&shape, 2, false, 0);
    check_corpus(&shape, 20, false, 1);
}

/* Above 32,768 topics the sixteenth bit of a topic is used. */
TEST(one_hash_with_65536_topics)
{
    random_shape shape = {.seed = 6, .docs = 30, .words = 12, .mean_length = 30};
    if (!brief())
        check_corpus(&shape, 65536, false, 2);
    check_corpus(&shape, brief() ? 32776 : 40000, false, 0);
}

/* Every g on a corpus with something to skip. A bound that is sound but looser than it need be
 * shows in the number of decisions alone, so that is compared too. */
TEST(one_hash_and_the_same_decisions_for_every_g)
{
    ezlda_context *context = check_context();
    ez_token_list *tokens = random_tokens(
        context, &(random_shape){.seed = 3, .docs = 80, .words = 200, .mean_length = 60});
    float alpha[30];
    for (int turn = 0; turn < 4; turn += brief() ? 3 : 1) {
        ez_settings settings = make_settings(30, alpha, turn / 2);
        settings.estimator = turn % 2 ? EZLDA_ESCA : EZLDA_LEAVE_ONE_OUT;
        for (settings.g = 1; settings.g <= 8; settings.g++)
            for (int sampler = EZLDA_MANY_BRANCH; sampler <= EZLDA_THREE_BRANCH; sampler++) {
                settings.sampler = (ezlda_sampler)sampler;
                outcome expected = train(&ez_reference_backend, tokens, &settings, 1, iterations());
                CHECK(expected.undecided < iterations() * tokens->tokens);
                for (int set = 0; set < SETS; set++) {
                    if (!runs_here(instruction_sets[set]))
                        continue;
                    setenv("EZLDA_SIMD", instruction_sets[set], 1);
                    outcome got =
                        check_same(&expected, tokens, &settings, 2, instruction_sets[set]);
                    check_decisions(&got, &expected, iterations() * tokens->tokens);
                }
            }
    }
    unsetenv("EZLDA_SIMD");
    ez_token_list_free(tokens);
}

/* Documents of the given lengths; of the words only [unused, words) occur. */
static ez_token_list *edge_tokens(ezlda_context *context, const uint32_t *length, uint32_t docs,
                                  uint32_t words, uint32_t unused)
{
    uint64_t *start = NULL, tokens = 0;
    uint32_t *word = NULL;
    CHECK_OK(context, ez_array(&start, context, docs + 1, sizeof *start, "starts"));
    for (uint32_t d = 0; d <= docs; d++) {
        start[d] = tokens;
        tokens += d < docs ? length[d] : 0;
    }
    CHECK_OK(context, ez_array(&word, context, tokens, sizeof *word, "words"));
    for (uint32_t d = 0; d < docs; d++)
        for (uint64_t i = 0; i < length[d]; i++)
            word[start[d] + i] = unused + (uint32_t)(i * (words - unused) / length[d]);
    ez_token_list *list = NULL;
    CHECK_OK(context, ez_token_list_create(&list, context, docs, words, start, word));
    return list;
}

/* Priors at their limits, on corpora of one token, one word, one document, words and documents
 * without tokens. */
TEST(one_hash_at_the_edges)
{
    static const struct {
        uint32_t length[4], docs, words, unused;
    } corpora[] = {
        {{1}, 1, 1, 0},    {{0, 0, 1, 0}, 4, 5, 4},      {{5, 0, 3}, 3, 1, 0},
        {{300}, 1, 20, 0}, {{70, 0, 9, 200}, 4, 50, 38},
    };
    static const uint32_t topics[] = {2, 3, 7, 8, 9, 16, 17, 65, 32768, 32769};
    static const float betas[] = {1e-6f, 0.01f, 100};
    static float alpha[32769];
    ezlda_context *context = check_context();
    for (int turn = 0; turn < 50; turn++) {
        uint32_t k = topics[turn % 10], corpus = (uint32_t)turn / 10;
        if (brief() && (k > 32768 || (k > 100 && corpus < 4)))
            continue;
        ez_token_list *tokens = edge_tokens(context, corpora[corpus].length, corpora[corpus].docs,
                                            corpora[corpus].words, corpora[corpus].unused);
        ez_settings settings = {
            .topics = k, .seed = 5, .priors.alpha = alpha, .priors.beta = betas[turn % 3]};
        for (uint32_t i = 0; i < k; i++)
            settings.priors.alpha_sum +=
                (double)(alpha[i] = turn % 4 == 0 || (turn % 4 == 1 && i % 7 == 0) ? 100 : 1e-6f);
        settings.estimator = turn / 10 % 2 ? EZLDA_ESCA : EZLDA_LEAVE_ONE_OUT;
        settings.start = EZLDA_START_RANDOM;
        check_settings(tokens, settings, k < 100, turn);
        ez_token_list_free(tokens);
    }
}

/* A word of several regions, and counts of exactly one and two full entries. */
TEST(one_hash_with_words_of_many_regions)
{
    static const uint32_t length[] = {65535, 131070, 65536, 0, 9};
    static float alpha[20];
    ezlda_context *context = check_context();
    for (int turn = 0; turn < 4; turn += brief() ? 3 : 1) {
        ez_token_list *tokens = edge_tokens(context, length, 5, 1 + (uint32_t)turn % 2, 0);
        ez_settings settings = make_settings(turn < 2 ? 2 : 20, alpha, false);
        settings.estimator = turn % 2 ? EZLDA_ESCA : EZLDA_LEAVE_ONE_OUT;
        check_settings(tokens, settings, false, turn);
        ez_token_list_free(tokens);
    }
}

/* A run leaves nothing behind in the backend that the next run could see, not even what was
 * prepared ahead. */
TEST(a_backend_can_start_again)
{
    ezlda_context *context = check_context();
    ez_token_list *tokens = random_tokens(
        context, &(random_shape){.seed = 12, .docs = 50, .words = 70, .mean_length = 30});
    float alpha[40];
    ez_settings settings = make_settings(40, alpha, false);
    const ez_backend_ops *ops = backend_under_test();
    ez_backend *backend = NULL;
    uint16_t *topic = calloc(tokens->tokens, sizeof *topic);
    CHECK_OK(context, ops->create(&backend, context, tokens, &settings, NULL));
    uint64_t first[4] = {0};
    for (uint32_t turn = 0; turn < 3; turn++) {
        ez_iteration done;
        CHECK_OK(context, ops->start(backend, context));
        for (uint32_t i = 1; i <= 3 - turn; i++) {
            CHECK_OK(context, ops->iterate(backend, context, i, &done));
            CHECK_OK(context, ops->topics(backend, context, topic));
            first[i] = turn == 0 ? hash_topics(topic, tokens->tokens) : first[i];
            CHECK_EQ(hash_topics(topic, tokens->tokens), first[i]);
        }
    }
    ops->free(backend);
    free(topic);
    ez_token_list_free(tokens);
}

/* The reference fails if an early decision differs from the whole line, so it must decide
 * something early. */
TEST(the_reference_checks_decisions)
{
    ezlda_context *context = check_context();
    ez_token_list *tokens = random_tokens(
        context, &(random_shape){.seed = 4, .docs = 80, .words = 50, .mean_length = 60});
    float alpha[20];
    ez_settings settings = make_settings(20, alpha, false);
    ez_backend *backend = NULL;
    ez_iteration done;
    CHECK_OK(context, ez_reference_backend.create(&backend, context, tokens, &settings, NULL));
    CHECK_OK(context, ez_reference_backend.start(backend, context));
    for (uint32_t i = 1; i <= 20; i++)
        CHECK_OK(context, ez_reference_backend.iterate(backend, context, i, &done));
    CHECK(done.undecided < tokens->tokens);
    CHECK(done.undecided > 0);
    CHECK(done.moved > 0);
    ez_reference_backend.free(backend);
    ez_token_list_free(tokens);
}

TEST_MAIN()
