/* The trainer as a caller sees it. */
#include "check.h"

#include "backend/backend.h"
#include "base/files/content_hash.h"
#include "corpus/synth/synth.h"
#include "sampler/log2_fixed.h"
#include "tokens/corpus_tokens.h"

#include <math.h>

static ezlda_synth_options planted(uint64_t docs, uint32_t words, uint32_t topics)
{
    ezlda_synth_options options;
    ezlda_synth_options_init(&options);
    options.docs = docs;
    options.words = words;
    options.mean_length = 80;
    options.topics = topics;
    options.alpha = 0.1;
    options.beta = 20;
    options.seed = 11;
    return options;
}

static ezlda_corpus *make_corpus(ezlda_context *context, const ezlda_synth_options *options)
{
    ezlda_corpus *corpus = NULL;
    CHECK_OK(context, ezlda_corpus_synth(&corpus, context, options));
    return corpus;
}

static ezlda_train_options training(uint32_t topics, uint32_t iterations)
{
    ezlda_train_options options;
    ezlda_train_options_init(&options);
    options.topics = topics;
    options.iterations = iterations;
    options.optimize_interval = 0;
    const char *device = getenv("EZLDA_TEST_DEVICE");
    options.device = device ? device : "cpu";
    return options;
}

static uint64_t hash_of(const ezlda_model *model)
{
    ezlda_model_info info = {.size = sizeof info};
    ezlda_model_get_info(model, &info);
    return info.topics_hash;
}

static uint64_t train_hash(ezlda_context *context, const ezlda_corpus *corpus,
                           const ezlda_train_options *options)
{
    ezlda_model *model = NULL;
    CHECK_OK(context, ezlda_train(&model, context, corpus, options));
    uint64_t hash = model ? hash_of(model) : 0;
    ezlda_model_free(model);
    return hash;
}

/* How many of the first ten words of a planted topic are among the first ten of a learned one. */
static size_t shared_words(const uint32_t *planted_words, size_t n, const ezlda_scored *learned,
                           size_t m)
{
    size_t shared = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < m; j++)
            shared += learned[j].id == planted_words[i];
    return shared;
}

TEST(planted_topics_are_recovered)
{
    enum { TOPICS = 12, WORDS = 10 };
    ezlda_context *context = check_context();
    ezlda_synth_options synth = planted(3000, 800, TOPICS);
    ezlda_corpus *corpus = make_corpus(context, &synth);
    for (int estimator = EZLDA_LEAVE_ONE_OUT; estimator <= EZLDA_ESCA; estimator++) {
        ezlda_train_options options = training(TOPICS, 150);
        options.estimator = (ezlda_estimator)estimator;
        options.alpha = 0.1;
        ezlda_model *model = NULL;
        CHECK_OK(context, ezlda_train(&model, context, corpus, &options));
        int found = 0;
        for (uint32_t t = 0; t < TOPICS; t++) {
            uint32_t word[WORDS], count[WORDS];
            size_t n = 0, m = 0, best = 0;
            CHECK_OK(context, ez_synth_topic_words(context, &synth, t, word, count, WORDS, &n));
            for (uint32_t k = 0; k < TOPICS; k++) {
                ezlda_scored learned[WORDS];
                CHECK_OK(context, ezlda_model_top_words(learned, WORDS, &m, context, model, k,
                                                        EZLDA_BY_PROBABILITY, 1));
                size_t shared = shared_words(word, n, learned, m);
                best = shared > best ? shared : best;
            }
            found += best >= 7;
        }
        if (found < TOPICS - 2)
            CHECK_FAIL("estimator %d: only %d of %d planted topics were found", estimator, found,
                       TOPICS);
        ezlda_model_free(model);
    }
    ezlda_corpus_free(corpus);
}

TEST(the_device_threads_and_formats_do_not_matter)
{
    ezlda_context *context = check_context();
    ezlda_synth_options synth = planted(300, 200, 8);
    ezlda_corpus *corpus = make_corpus(context, &synth);
    ezlda_train_options options = training(20, 5);
    uint64_t expected = train_hash(context, corpus, &options);
    options.device = "reference";
    CHECK_EQ(train_hash(context, corpus, &options), expected);
    options.device = "auto";
    ezlda_study study;
    ezlda_study_init(&study);
    options.study = &study;
    study.sampler = EZLDA_TWO_BRANCH;
    ezlda_context_set_threads(context, 3);
    CHECK_EQ(train_hash(context, corpus, &options), expected);
    study.w_format = EZLDA_W_SPARSE;
    options.eval_every = 1;
    CHECK_EQ(train_hash(context, corpus, &options), expected);
    options.seed++;
    CHECK(train_hash(context, corpus, &options) != expected);
    options.seed--;
    options.start = EZLDA_START_RANDOM;
    CHECK(train_hash(context, corpus, &options) != expected);
    ezlda_corpus_free(corpus);
}

typedef struct watch {
    uint32_t calls, stop_after;
    double last_llpt;
    int scored;
} watch;

static int watching(const ezlda_progress *progress, void *user)
{
    watch *w = user;
    w->calls++;
    CHECK_EQ(progress->iteration, w->calls);
    CHECK(progress->seconds >= progress->iteration_seconds);
    CHECK(progress->skipped >= 0 && progress->skipped <= 1 && progress->moved >= 0 &&
          progress->moved <= 1);
    if (!isnan(progress->llpt)) {
        w->scored++;
        w->last_llpt = progress->llpt;
    }
    return w->calls == w->stop_after;
}

TEST(progress_is_told_and_can_stop)
{
    ezlda_context *context = check_context();
    ezlda_synth_options synth = planted(200, 150, 5);
    ezlda_corpus *corpus = make_corpus(context, &synth);
    ezlda_train_options options = training(10, 20);
    watch w = {.stop_after = 7};
    options.progress = watching;
    options.user = &w;
    options.eval_every = 3;
    ezlda_model *model = NULL;
    CHECK_OK(context, ezlda_train(&model, context, corpus, &options));
    ezlda_model_info info = {.size = sizeof info};
    ezlda_model_get_info(model, &info);
    CHECK_EQ(info.iterations, 7);
    CHECK_EQ(w.scored, 2);
    CHECK_EQ(info.llpt_count, 3);
    uint32_t iteration;
    double seconds, llpt;
    static const uint32_t expected[] = {3, 6, 7};
    for (size_t i = 0; i < 3; i++) {
        CHECK(ezlda_model_llpt(model, i, &iteration, &seconds, &llpt));
        CHECK_EQ(iteration, expected[i]);
        CHECK(llpt < 0 && llpt > -20);
    }
    CHECK(!ezlda_model_llpt(model, 3, &iteration, &seconds, &llpt));
    uint64_t stopped = hash_of(model);
    ezlda_model_free(model);
    options.progress = NULL;
    options.iterations = 7;
    CHECK_EQ(train_hash(context, corpus, &options), stopped);
    ezlda_corpus_free(corpus);
}

typedef struct looker {
    ezlda_context *context;
    uint64_t hash[5];
} looker;

static int look(const ezlda_progress *progress, void *user)
{
    looker *l = user;
    ezlda_model *model = NULL;
    if (progress->iteration % 2 == 0) {
        CHECK_OK(l->context, ezlda_train_snapshot(&model, l->context, progress));
        l->hash[progress->iteration] = hash_of(model);
        ezlda_model_free(model);
    }
    return EZLDA_PROGRESS_CONTINUE;
}

/* A snapshot is the model of a shorter run, and leaves no trace in the run. */
TEST(snapshots_are_shorter_runs)
{
    ezlda_context *context = check_context();
    looker l = {.context = NULL};
    CHECK_EQ(ezlda_context_create(&l.context), EZLDA_OK);
    ezlda_synth_options shape = planted(60, 200, 5);
    ezlda_corpus *corpus = make_corpus(context, &shape);
    for (uint32_t topics = 5; topics <= 300; topics += 295) {
        ezlda_train_options options = training(topics, 4), plain = training(topics, 4);
        options.progress = look;
        options.user = &l;
        CHECK_EQ(train_hash(context, corpus, &options), train_hash(context, corpus, &plain));
        CHECK_EQ(l.hash[4], train_hash(context, corpus, &plain));
        plain.iterations = 2;
        CHECK_EQ(l.hash[2], train_hash(context, corpus, &plain));
    }
    ezlda_corpus_free(corpus);
    ezlda_context_free(l.context);
}

TEST(kept_topics_add_up)
{
    ezlda_context *context = check_context();
    ezlda_synth_options synth = planted(100, 60, 5);
    ezlda_corpus *corpus = make_corpus(context, &synth);
    ezlda_train_options options = training(6, 4);
    options.keep_topics = 1;
    ezlda_model *model = NULL;
    CHECK_OK(context, ezlda_train(&model, context, corpus, &options));
    uint64_t by_topic[6] = {0}, words[6] = {0};
    for (uint64_t d = 0; d < 100; d++)
        for (uint64_t i = 0; i < ezlda_model_doc_tokens(model, d); i++)
            by_topic[ezlda_model_token_topics(model, d)[i]]++;
    for (uint32_t v = 0; v < 60; v++) {
        uint32_t topic[6], count[6];
        size_t n = ezlda_model_word_topics(model, v, topic, count, 6);
        for (size_t i = 0; i < n; i++)
            words[topic[i]] += count[i];
    }
    for (int k = 0; k < 6; k++) {
        CHECK_EQ(by_topic[k], ezlda_model_topic_tokens(model)[k]);
        CHECK_EQ(words[k], ezlda_model_topic_tokens(model)[k]);
    }
    ezlda_model_free(model);
    ezlda_corpus_free(corpus);
}

static void check_refused(const ezlda_corpus *corpus, ezlda_train_options options,
                          const char *message)
{
    ezlda_model *model = (ezlda_model *)&options;
    ezlda_context *context = check_context();
    CHECK_FAILS(context, ezlda_train(&model, context, corpus, &options), message);
    CHECK(model == NULL);
}

#define REFUSED(corpus, change, message)               \
    do {                                               \
        ezlda_train_options options = training(10, 1); \
        change;                                        \
        check_refused(corpus, options, message);       \
    } while (0)

TEST(bad_options_are_refused)
{
    ezlda_context *context = check_context();
    ezlda_synth_options synth = planted(20, 20, 5);
    ezlda_corpus *corpus = make_corpus(context, &synth);
    static const double holes[10] = {1, 1, 1, 0};
    REFUSED(corpus, options.topics = 0, "topics is 0; expected 2 to 65536");
    REFUSED(corpus, options.topics = 1, "topics is 1; expected 2 to 65536");
    REFUSED(corpus, options.topics = 65537, "topics is 65537");
    REFUSED(corpus, options.beta = -1, "beta is -1");
    REFUSED(corpus, options.seed_weight = 0, "seed_weight is 0");
    REFUSED(corpus, options.converged_gain = -1, "converged_gain is -1");
    REFUSED(corpus, options.n_seeds = 2, "n_seeds is 2 but seeds is NULL");
    REFUSED(corpus, options.beta = NAN, "beta is nan");
    REFUSED(corpus, options.alpha = -1, "alpha is -1");
    REFUSED(corpus, options.alpha_vector = holes, "alpha is 0");
    ezlda_study study;
    ezlda_study_init(&study);
    study.g = 9;
    REFUSED(corpus, options.study = &study, "g is 9");
    study.size = 3;
    REFUSED(corpus, options.study = &study, "a study of 3 bytes; expected `size` to be set");
    REFUSED(corpus, options.device = "tpu", "device is \"tpu\"");
    REFUSED(corpus, options.estimator = (ezlda_estimator)7, "estimator is 7");
    REFUSED(corpus, options.size = 4096, "ezlda_train_options_init");
    ezlda_corpus_free(corpus);
}

TEST(a_corpus_without_tokens_is_refused)
{
    ezlda_context *context = check_context();
    static const uint64_t start[] = {0, 0, 0};
    ezlda_corpus *corpus = NULL;
    CHECK_OK(context, ezlda_corpus_from_csr(&corpus, context, 2, 3, start, NULL, NULL, NULL));
    check_refused(corpus, training(10, 1), "no tokens");
    ezlda_corpus_free(corpus);
}

/* A run of no iterations gives the start topics. */
TEST(no_iterations_give_the_start)
{
    ezlda_context *context = check_context();
    ezlda_synth_options synth = planted(50, 40, 5);
    ezlda_corpus *corpus = make_corpus(context, &synth);
    ezlda_train_options options = training(10, 0);
    uint64_t expected = train_hash(context, corpus, &options);
    options.device = "reference";
    CHECK_EQ(train_hash(context, corpus, &options), expected);
    ezlda_corpus_free(corpus);
}

/* What the trainer adds to a backend: defaults, numbering, shares, scores, the hash. */
static void check_against_backend(ezlda_context *context, const ezlda_corpus *corpus,
                                  ezlda_model *model, const ez_settings *settings,
                                  uint32_t iterations)
{
    ezlda_model_info info = {.size = sizeof info};
    ez_token_list *tokens = NULL;
    ez_backend *backend = NULL;
    ez_iteration last = {0};
    int64_t score = 0;
    uint64_t hash = 0;
    uint32_t iteration;
    double seconds, llpt = 0;
    CHECK_OK(context, ez_corpus_tokens(&tokens, context, corpus));
    uint16_t *topic = calloc(tokens->tokens, sizeof *topic);
    CHECK_OK(context, ez_cpu_backend.create(&backend, context, tokens, settings, NULL));
    CHECK_OK(context, ez_cpu_backend.start(backend, context));
    for (uint32_t i = 1; i <= iterations; i++)
        CHECK_OK(context, ez_cpu_backend.iterate(backend, context, i, &last));
    CHECK_OK(context, ez_cpu_backend.score(backend, context, &score));
    CHECK_OK(context, ez_cpu_backend.topics(backend, context, topic));
    CHECK_OK(context, ez_content_hash(&hash, context, topic, tokens->tokens * sizeof *topic));
    ezlda_model_get_info(model, &info);
    CHECK_EQ(info.topics_hash, hash);
    CHECK(memcmp(ezlda_model_token_topics(model, 0), topic, tokens->tokens * sizeof *topic) == 0);
    CHECK(ezlda_model_llpt(model, info.llpt_count - 1, &iteration, &seconds, &llpt));
    CHECK_EQ(iteration, iterations);
    CHECK_NEAR(llpt, (double)score / (1 << EZ_LOG2_BITS) / (double)tokens->tokens, 1e-12);
    CHECK_NEAR(info.skipped, 1 - (double)last.undecided / (double)tokens->tokens, 1e-12);
    CHECK(info.skipped > 0 && info.skipped < 0.9);
    ez_cpu_backend.free(backend);
    free(topic);
    ez_token_list_free(tokens);
}

TEST(training_is_the_backend_driven_by_hand)
{
    enum { K = 20, ITERATIONS = 4 };
    ezlda_context *context = check_context();
    ezlda_synth_options synth = planted(300, 200, 8);
    ezlda_corpus *corpus = make_corpus(context, &synth);
    float alpha[K];
    for (int estimator = EZLDA_LEAVE_ONE_OUT; estimator <= EZLDA_ESCA; estimator++) {
        ez_settings settings = {
            .topics = K, .seed = 9, .priors.alpha = alpha, .priors.beta = 0.01f, .g = 8};
        settings.estimator = (ezlda_estimator)estimator;
        for (int k = 0; k < K; k++)
            settings.priors.alpha_sum += (double)(alpha[k] = 50.0f / K);
        ezlda_train_options options = training(K, ITERATIONS);
        options.device = "cpu";
        options.seed = 9;
        ezlda_study study;
        ezlda_study_init(&study);
        study.g = 8;
        options.study = &study;
        options.estimator = settings.estimator;
        options.keep_topics = 1;
        ezlda_model *model = NULL;
        CHECK_OK(context, ezlda_train(&model, context, corpus, &options));
        check_against_backend(context, corpus, model, &settings, ITERATIONS);
        ezlda_model_free(model);
    }
    ezlda_corpus_free(corpus);
}

TEST_MAIN()
