/* Documents left out of W, to which alpha is fitted: which they are, and that nothing of them is in the counts that
 * they meet. */
#include "device_ways.h"

#include "train/left_out.h"
#include "train/priors.h"

enum { TOPICS = 20 };

/* Most words are rare, and some are in one document alone. */
static const random_shape many_words = {.seed = 5, .docs = 600, .words = 4000, .mean_length = 25};

static ez_backend *trained(ez_token_list *tokens, const ez_settings *settings, uint16_t *topic)
{
    ezlda_context *context = check_context();
    ez_backend *backend = NULL;
    ez_iteration done;
    CHECK_OK(context, ez_cpu_backend.create(&backend, context, tokens, settings));
    CHECK_OK(context, backend->ops->start(backend, context));
    for (uint32_t i = 1; i <= 3; i++)
        CHECK_OK(context, backend->ops->iterate(backend, context, i, &done));
    CHECK_OK(context, backend->ops->topics(backend, context, topic));
    return backend;
}

TEST(the_sample_meets_the_counts_of_the_others_alone)
{
    ezlda_context *context = check_context();
    ez_token_list *tokens = random_tokens(context, &many_words);
    ez_settings settings = make_settings(TOPICS, 0.1f, true, 0.01f);
    uint16_t *topic = calloc(tokens->tokens, sizeof *topic);
    ez_backend *backend = trained(tokens, &settings, topic);
    ez_left_out left = {0};
    ez_left_out_run run = {0};
    CHECK_OK(context, ez_left_out_init(&left, context, tokens, &settings));
    CHECK_OK(context, ez_left_out_open(&run, &left, context, backend, &settings));
    CHECK(left.sample->docs > 20 && left.sample->docs < 60);
    uint32_t *expected = calloc((size_t)tokens->words * TOPICS, sizeof *expected), dropped = 0;
    for (uint64_t i = 0; i < tokens->tokens; i++)
        expected[(size_t)tokens->word[i] * TOPICS + topic[i]] += left.rest[tokens->word[i]] > 0;
    for (size_t i = 0; i < left.sample->tokens; i++) {
        uint64_t at = ((const uint64_t *)left.place.data)[i];
        CHECK_EQ(left.sample->original[left.sample->word[i]], tokens->word[at]);
        expected[(size_t)tokens->word[at] * TOPICS + topic[at]]--;
    }
    for (uint32_t r = 0; r < tokens->words; r++) {
        const ez_base_counts *base = &run.base.counts;
        uint32_t *row = expected + (size_t)left.sample->original[r] * TOPICS;
        for (uint64_t i = base->start[r]; i < base->start[r + 1]; i++) {
            CHECK_EQ(base->count[i], row[base->topic[i]]);
            row[base->topic[i]] = 0;
        }
        for (uint32_t k = 0; k < TOPICS; k++)
            CHECK_EQ(row[k], 0u);
        dropped += left.rest[r] == 0;
    }
    CHECK(dropped > 10);
    free(expected);
    free(topic);
    ez_left_out_close(&run);
    ez_left_out_free(&left);
    backend->ops->free(backend);
    ez_token_list_free(tokens);
}

TEST(few_documents_are_not_left_out)
{
    ezlda_context *context = check_context();
    random_shape shape = many_words;
    for (int i = 0; i < 2; i++) {
        shape.docs = i ? 256 : 255;
        ez_token_list *tokens = random_tokens(context, &shape);
        ez_settings settings = make_settings(TOPICS, 0.1f, false, 0.01f);
        ez_left_out left = {0};
        CHECK_OK(context, ez_left_out_init(&left, context, tokens, &settings));
        CHECK(i ? left.sample != NULL : left.sample == NULL);
        ez_left_out_free(&left);
        ez_token_list_free(tokens);
    }
}

/* Fits of a training's number change the priors, or leave all as it is. */
TEST(fits_become_rare)
{
    ezlda_context *context = check_context();
    ez_token_list *tokens = random_tokens(context, &many_words);
    ez_settings settings = make_settings(TOPICS, 0.1f, false, 0.01f);
    settings.histograms = true;
    uint16_t *topic = calloc(tokens->tokens, sizeof *topic);
    ez_backend *backend = trained(tokens, &settings, topic);
    ez_prior_fit *fit = calloc(1, sizeof *fit);
    CHECK_OK(context, ez_prior_fit_init(fit, context, tokens, &settings, false));
    for (uint32_t number = 1; number <= 8; number++) {
        double sum = settings.alpha_sum, beta = (double)settings.beta;
        CHECK_OK(context, ez_prior_fit_run(fit, context, backend, &settings, prior_alpha, number));
        bool is_same = settings.alpha_sum == sum && (double)settings.beta == beta;
        CHECK_EQ(is_same, number == 5 || number == 7);
    }
    ez_prior_fit_free(fit);
    free(fit);
    free(topic);
    backend->ops->free(backend);
    ez_token_list_free(tokens);
}

TEST_MAIN()
