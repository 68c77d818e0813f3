/* The words of topics, averaged over samples of W: which iterations are samples, that their sum is
 * that of the models of these iterations, and that a run which resumes between two of them has the
 * same. EZLDA_TEST_DEVICE selects the device. */
#include "check.h"

#include "corpus/synth/synth.h"
#include "model/model_layout.h"
#include "train/counts/word_samples.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { TOPICS = 5, ITERATIONS = 100 };

static ezlda_corpus *small_corpus(ezlda_context *context)
{
    ezlda_corpus *corpus = NULL;
    ezlda_synth_options options;
    ezlda_synth_options_init(&options);
    options.docs = 60;
    options.words = 90;
    options.mean_length = 14;
    options.topics = TOPICS;
    CHECK_OK(context, ezlda_corpus_synth(&corpus, context, &options));
    return corpus;
}

static ezlda_train_options training(uint32_t iterations, uint32_t samples)
{
    const char *device = getenv("EZLDA_TEST_DEVICE");
    ezlda_train_options options;
    ezlda_train_options_init(&options);
    options.topics = TOPICS;
    options.iterations = iterations;
    options.word_samples = samples;
    options.optimize_interval = 0;
    options.device = device ? device : "cpu";
    return options;
}

static ezlda_model *train(ezlda_context *context, const ezlda_corpus *corpus,
                          const ezlda_train_options *options)
{
    ezlda_model *model = NULL;
    CHECK_OK(context, ezlda_train(&model, context, corpus, options));
    return model;
}

/* Whether the rows of `sum` are those of all n models added up. */
static bool is_sum(const ezlda_model *sum, ezlda_model *const *model, size_t n)
{
    bool equal = true;
    for (uint32_t v = 0; v < sum->meta->words; v++)
        for (uint32_t k = 0; k < TOPICS; k++) {
            uint32_t expected = 0;
            for (size_t i = 0; i < n; i++)
                expected += ez_rows_find(&model[i]->word_rows, v, k);
            equal = equal && ez_rows_find(&sum->phi.rows, v, k) == expected;
        }
    return equal;
}

static void check_sum(const ezlda_train_options *seeded)
{
    enum { SAMPLES = 3 };
    ezlda_context *context = check_context();
    ezlda_corpus *corpus = small_corpus(context);
    ezlda_model *model[SAMPLES];
    ezlda_train_options options = *seeded;
    for (uint32_t i = 0; i < SAMPLES; i++) {
        options.iterations = ITERATIONS - EZ_SAMPLES_APART * (SAMPLES - 1 - i);
        options.word_samples = 1;
        model[i] = train(context, corpus, &options);
        CHECK_EQ(model[i]->phi.samples, 1);
    }
    options.word_samples = SAMPLES;
    ezlda_model *sum = train(context, corpus, &options);
    CHECK_EQ(sum->phi.samples, SAMPLES);
    CHECK_EQ(sum->meta->topics_hash, model[SAMPLES - 1]->meta->topics_hash);
    CHECK(is_sum(sum, model, SAMPLES));
    CHECK(!is_sum(sum, model, SAMPLES - 1));
    for (uint32_t k = 0; k < TOPICS; k++) {
        uint64_t tokens = 0;
        for (int i = 0; i < SAMPLES; i++)
            tokens += model[i]->topic_tokens[k];
        CHECK_EQ(sum->phi.topic_tokens[k], tokens);
    }
    for (int i = 0; i < SAMPLES; i++)
        ezlda_model_free(model[i]);
    ezlda_model_free(sum);
    ezlda_corpus_free(corpus);
}

TEST(the_sum_is_that_of_the_samples)
{
    ezlda_train_options options = training(ITERATIONS, 0);
    check_sum(&options);
}

/* W of a backend has the counts of the seeds, the sum has not. */
TEST(seeds_are_not_samples)
{
    const ezlda_seed seeds[] = {{.topic = 1, .word = "w3"}, {.topic = 4, .word = "w8"}};
    ezlda_train_options options = training(ITERATIONS, 0);
    options.seeds = seeds;
    options.n_seeds = 2;
    check_sum(&options);
}

static int leave_between_samples(const ezlda_progress *progress, void *user)
{
    const uint32_t *at = user;
    return progress->iteration == *at ? EZLDA_PROGRESS_LEAVE : EZLDA_PROGRESS_CONTINUE;
}

TEST(a_run_resumes_between_samples)
{
    ezlda_context *context = check_context();
    ezlda_corpus *corpus = small_corpus(context);
    ezlda_train_options options = training(ITERATIONS, 5);
    options.optimize_interval = 10;
    ezlda_model *whole = train(context, corpus, &options), *resumed = NULL;
    for (uint32_t at = ITERATIONS - 41; at < ITERATIONS; at += 13) {
        char folder[] = "/tmp/ezlda-samples-XXXXXX", command[96];
        CHECK(mkdtemp(folder) != NULL);
        options.checkpoint = folder;
        options.checkpoint_iterations = ITERATIONS;
        options.progress = leave_between_samples;
        options.user = &at;
        options.resume = 0;
        CHECK_EQ(ezlda_train(&resumed, context, corpus, &options), EZLDA_ERROR_STOPPED);
        options.progress = NULL;
        options.resume = 1;
        resumed = train(context, corpus, &options);
        CHECK_EQ(resumed->phi.samples, 5);
        CHECK_EQ(ez_model_hash(resumed), ez_model_hash(whole));
        ezlda_model_free(resumed);
        resumed = NULL;
        snprintf(command, sizeof command, "rm -r %s", folder);
        CHECK_EQ(system(command), 0);
    }
    ezlda_model_free(whole);
    ezlda_corpus_free(corpus);
}

TEST(samples_lie_in_the_second_half_of_long_runs)
{
    const uint64_t few = 1000;
    CHECK_EQ(ez_samples_wanted(5, EZ_SAMPLES_FROM - 1, few, 10), 1);
    CHECK_EQ(ez_samples_wanted(5, EZ_SAMPLES_FROM, few, 10), 5);
    CHECK_EQ(ez_samples_wanted(50, EZ_SAMPLES_FROM, few, 10), 6);
    CHECK_EQ(ez_samples_wanted(1, 1000, few, 10), 1);
    CHECK_EQ(ez_samples_wanted(5, 1000, few, UINT32_MAX / 3), 3);
    CHECK_EQ(ez_samples_wanted(5, 1000, few, UINT32_MAX), 1);
    CHECK_EQ(ez_samples_wanted(5, 1000, (uint64_t)1 << 35, 10), 2);
    CHECK_EQ(ez_samples_wanted(5, 1000, (uint64_t)1 << 40, 10), 1);
    ez_word_samples s = {.wanted = 5};
    CHECK_EQ(ez_samples_span(&s), 40);
    for (uint32_t i = 1; i <= 210; i++)
        CHECK_EQ(ez_samples_due(&s, i, 200), i >= 160 && i <= 200 && i % 10 == 0);
    s.wanted = 1;
    CHECK(!ez_samples_due(&s, 200, 200));
}

TEST_MAIN()
