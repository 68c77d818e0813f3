/* The public calls with wrong arguments: NULL, sizes of older and newer headers, impossible
 * numbers. Each is refused with a message of its own. */
#include "check.h"

#include "base/context.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

static ezlda_corpus *small_corpus(void)
{
    enum { DOCS = 30, WORDS = 12 };
    uint64_t start[DOCS + 1] = {0};
    uint32_t word[3 * DOCS], count[3 * DOCS];
    ezlda_corpus *corpus = NULL;
    for (uint32_t d = 0; d < DOCS; d++) {
        start[d + 1] = start[d] + 3;
        for (uint32_t i = 0; i < 3; i++) {
            word[3 * d + i] = (d + 4 * i) % WORDS;
            count[3 * d + i] = 1 + d % 3;
        }
    }
    CHECK_OK(check_context(), ezlda_corpus_from_csr(&corpus, check_context(), DOCS, WORDS, start,
                                                    word, count, NULL));
    return corpus;
}

static ezlda_train_options few_iterations(void)
{
    ezlda_train_options options;
    ezlda_train_options_init(&options);
    options.topics = 4;
    options.iterations = 3;
    options.device = "cpu";
    return options;
}

static ezlda_model *small_model(const ezlda_corpus *corpus)
{
    ezlda_model *model = NULL;
    ezlda_train_options options = few_iterations();
    CHECK_OK(check_context(), ezlda_train(&model, check_context(), corpus, &options));
    return model;
}

TEST(what_is_needed_is_named)
{
    ezlda_context *context = check_context();
    ezlda_corpus *corpus = small_corpus();
    ezlda_model *model = small_model(corpus), *other = NULL;
    ezlda_scores *scores = NULL;
    ezlda_plan plan = {.size = sizeof plan};
    ezlda_train_options options = few_iterations();
    ezlda_seed seeds[] = {{.topic = 1, .word = NULL}};
    CHECK_FAILS(context, ezlda_train(NULL, context, corpus, &options),
                "a place for the model is needed");
    CHECK_FAILS(context, ezlda_train(&other, context, NULL, &options), "a corpus is needed");
    CHECK_FAILS(context, ezlda_infer(NULL, context, NULL, corpus, NULL, NULL, NULL),
                "a model is needed");
    CHECK_FAILS(context, ezlda_infer(NULL, context, model, NULL, NULL, NULL, NULL),
                "a corpus is needed");
    CHECK_FAILS(context,
                ezlda_infer_to_file(NULL, context, model, corpus, NULL, NULL, EZLDA_DOCS_TSV, 0),
                "a path is needed");
    CHECK_FAILS(context, ezlda_evaluate(NULL, context, model, corpus, NULL),
                "a place for the scores is needed");
    CHECK_FAILS(context, ezlda_evaluate(&scores, context, NULL, corpus, NULL), "a model is needed");
    CHECK_FAILS(context, ezlda_evaluate(&scores, context, model, NULL, NULL), "a corpus is needed");
    CHECK_FAILS(context, ezlda_group_open(NULL, context, NULL), "a place for the group is needed");
    CHECK_FAILS(context, ezlda_train_plan(&plan, context, NULL, &options, 0.1),
                "a corpus is needed");
    CHECK_FAILS(context, ezlda_train_plan(NULL, context, corpus, &options, 0.1),
                "a plan is needed");
    options.seeds = seeds;
    options.n_seeds = 1;
    CHECK_FAILS(context, ezlda_train(&other, context, corpus, &options),
                "the word of a seed is needed");
    options.checkpoint = check_tmp("points");
    CHECK_FAILS(context, ezlda_train(&other, context, corpus, &options),
                "the word of a seed is needed");
    ezlda_model_free(model);
    ezlda_corpus_free(corpus);
}

TEST(a_context_is_not_needed)
{
    ezlda_corpus *corpus = small_corpus();
    ezlda_model *model = NULL;
    ezlda_train_options options = few_iterations();
    CHECK_EQ(ezlda_train(&model, NULL, corpus, &options), EZLDA_OK);
    CHECK(model != NULL);
    ezlda_model_free(model);
    ezlda_corpus_free(corpus);
}

TEST(threads_have_a_limit)
{
    ezlda_context *context = check_context();
    ezlda_context_set_threads(context, 2147483647);
    CHECK_EQ(ezlda_context_threads(context), 4096);
    ezlda_context_set_threads(context, 0);
}

/* Nothing outside the arrays is read. */
TEST(rows_lie_in_their_arrays)
{
    ezlda_context *context = check_context();
    ezlda_corpus *corpus = NULL;
    uint32_t word[4] = {0}, count[4] = {1, 1, 1, 1};
    const uint64_t far[] = {0, 1u << 30, 2}, back[] = {0, 2, 1, 4};
    CHECK_FAILS(context, ezlda_corpus_from_csr(&corpus, context, 2, 4, far, word, count, NULL),
                "row_start[1] is 1073741824, expected at most the last one, 2");
    CHECK_FAILS(context, ezlda_corpus_from_csr(&corpus, context, 3, 4, back, word, count, NULL),
                "row_start[2] is 1");
}

TEST(bad_arrays_are_no_bad_files)
{
    ezlda_context *context = check_context();
    ezlda_corpus *corpus = NULL, *good = small_corpus();
    const uint32_t word[] = {0, 0}, count[] = {4000000000u, 4000000000u};
    const uint64_t start[] = {0, 2};
    const char *words[] = {"a", "b\xff"}, *fields[] = {"name"}, *values[30];
    for (int i = 0; i < 30; i++)
        values[i] = "n\xfe";
    CHECK_EQ(ezlda_corpus_from_csr(&corpus, context, 1, 1, start, word, count, NULL),
             EZLDA_ERROR_ARGUMENT);
    CHECK_EQ(ezlda_corpus_from_csr(&corpus, context, 0, 2, start, word, count, words),
             EZLDA_ERROR_ARGUMENT);
    CHECK_EQ(ezlda_corpus_with_fields(&corpus, context, good, fields, 1, values),
             EZLDA_ERROR_ARGUMENT);
    ezlda_corpus_free(good);
}

/* A copy of a caller's struct of exactly that size: the sanitizers report reads beyond it. */
static void *shortened(const void *full, size_t size)
{
    void *copy = malloc(size);
    memcpy(copy, full, size);
    memcpy(copy, &size, sizeof size);
    return copy;
}

/* The first bytes of a struct, as a caller built against an older header has them, with a canary
 * behind them. */
enum { CANARY = 0xa5, ROOM = 2048 };

static void check_short_init(void (*init)(void *, size_t), size_t size)
{
    unsigned char memory[ROOM];
    size_t written;
    for (size_t most = sizeof written; most <= size; most += sizeof written) {
        memset(memory, CANARY, sizeof memory);
        init(memory, most);
        memcpy(&written, memory, sizeof written);
        CHECK_EQ(written, most);
        for (size_t i = most; i < sizeof memory; i++)
            CHECK_EQ(memory[i], CANARY);
    }
    init(NULL, size);
    memset(memory, CANARY, sizeof memory);
    init(memory, sizeof written - 1); /* no room for its size: left alone */
    CHECK_EQ(memory[0], CANARY);
}

#define SHORT_INIT(type)                                \
    static void init_##type(void *options, size_t size) \
    {                                                   \
        type##_init_sized(options, size);               \
    }
SHORT_INIT(ezlda_import_options)
SHORT_INIT(ezlda_synth_options)
SHORT_INIT(ezlda_study)
SHORT_INIT(ezlda_train_options)
SHORT_INIT(ezlda_cluster)
SHORT_INIT(ezlda_infer_options)
SHORT_INIT(ezlda_eval_options)
SHORT_INIT(ezlda_match_options)
SHORT_INIT(ezlda_export_options)
SHORT_INIT(ezlda_sweep_options)
SHORT_INIT(ezlda_report_options)
SHORT_INIT(ezlda_serve_options)

#define CHECK_SHORT_INIT(type) check_short_init(init_##type, sizeof(type))

TEST(inits_write_no_byte_behind_an_older_struct)
{
    CHECK_SHORT_INIT(ezlda_import_options);
    CHECK_SHORT_INIT(ezlda_synth_options);
    CHECK_SHORT_INIT(ezlda_study);
    CHECK_SHORT_INIT(ezlda_train_options);
    CHECK_SHORT_INIT(ezlda_cluster);
    CHECK_SHORT_INIT(ezlda_infer_options);
    CHECK_SHORT_INIT(ezlda_eval_options);
    CHECK_SHORT_INIT(ezlda_match_options);
    CHECK_SHORT_INIT(ezlda_export_options);
    CHECK_SHORT_INIT(ezlda_sweep_options);
    CHECK_SHORT_INIT(ezlda_report_options);
    CHECK_SHORT_INIT(ezlda_serve_options);
}

/* What the results below are of. */
typedef struct sources {
    ezlda_corpus *corpus;
    ezlda_model *model;
    ezlda_inferencer *inferencer;
    ezlda_scores *scores;
    ezlda_match *match;
    ezlda_sweep_scores *sweep;
    ezlda_train_options options;
    ezlda_plan plan;
} sources;

static int any_row(const ezlda_doc_row *row, void *user)
{
    (void)user;
    return row == NULL;
}

/* Fills a result for each size that an older header may have given it, in steps of `step` bytes.
 * The library must write what fits and no byte behind it. */
static void check_short_result(void (*fill)(void *, const sources *), const sources *from,
                               size_t size, size_t step)
{
    _Alignas(16) unsigned char full[ROOM], memory[ROOM];
    CHECK(size < ROOM);
    memset(full, 0, sizeof full);
    memcpy(full, &size, sizeof size);
    fill(full, from);
    for (size_t most = sizeof size; most < size; most += step) {
        size_t kept;
        memset(memory, CANARY, sizeof memory);
        memcpy(memory, &most, sizeof most);
        fill(memory, from);
        memcpy(&kept, memory, sizeof kept);
        CHECK_EQ(kept, most);
        for (size_t i = most; i < sizeof memory; i++)
            CHECK_EQ(memory[i], CANARY);
    }
}

static void fill_corpus_info(void *out, const sources *s)
{
    ezlda_corpus_get_info(s->corpus, out);
}

static void fill_model_info(void *out, const sources *s)
{
    ezlda_model_get_info(s->model, out);
}

static void fill_devices_info(void *out, const sources *s)
{
    (void)s;
    CHECK_OK(check_context(), ezlda_devices(out, check_context(), NULL, NULL));
}

static void fill_infer_info(void *out, const sources *s)
{
    ezlda_infer_options options;
    ezlda_infer_options_init(&options);
    options.iterations = 2;
    options.device = "cpu";
    CHECK_OK(check_context(),
             ezlda_infer(out, check_context(), s->model, s->corpus, &options, any_row, NULL));
}

static void fill_inferencer_info(void *out, const sources *s)
{
    const uint32_t words[] = {0, 3};
    CHECK_OK(check_context(), ezlda_inferencer_infer(out, check_context(), s->inferencer, words,
                                                     NULL, 2, any_row, NULL));
}

static void fill_scores_info(void *out, const sources *s)
{
    ezlda_scores_get_info(s->scores, out);
}

static void fill_topic_scores(void *out, const sources *s)
{
    CHECK_EQ(ezlda_scores_topic(s->scores, 1, out), 1);
}

static void fill_match_info(void *out, const sources *s)
{
    ezlda_match_get_info(s->match, out);
}

static void fill_sweep_info(void *out, const sources *s)
{
    ezlda_sweep_get_info(s->sweep, out);
}

static void fill_sweep_row(void *out, const sources *s)
{
    CHECK_EQ(ezlda_sweep_get_row(s->sweep, 0, out), 1);
}

static void fill_sweep_run(void *out, const sources *s)
{
    CHECK_EQ(ezlda_sweep_get_run(s->sweep, 0, out), 1);
}

static void fill_plan(void *out, const sources *s)
{
    CHECK_OK(check_context(), ezlda_train_plan(out, check_context(), s->corpus, &s->options, 0.01));
}

static void fill_plan_untried(void *out, const sources *s)
{
    CHECK_OK(check_context(), ezlda_plan_untried(out, check_context(), s->corpus, &s->options, 0));
}

static void fill_cluster_plan(void *out, const sources *s)
{
    ezlda_cluster cluster;
    ezlda_cluster_init(&cluster);
    CHECK_OK(check_context(), ezlda_plan_cluster(out, check_context(), &s->plan, &cluster));
}

static void open_sources(sources *s, const char *folder)
{
    ezlda_context *context = check_context();
    const uint32_t topics = 4;
    ezlda_sweep_options sweep;
    *s = (sources){.corpus = small_corpus(), .options = few_iterations()};
    s->model = small_model(s->corpus);
    CHECK_OK(context, ezlda_inferencer_create(&s->inferencer, context, s->model, NULL));
    CHECK_OK(context, ezlda_evaluate(&s->scores, context, s->model, s->corpus, NULL));
    CHECK_OK(context, ezlda_model_match(&s->match, context, s->model, s->model, NULL));
    ezlda_sweep_options_init(&sweep);
    sweep.topics = &topics;
    sweep.n_topics = 1;
    sweep.train = &s->options;
    sweep.folder = folder;
    CHECK_OK(context, ezlda_sweep(&s->sweep, context, s->corpus, &sweep));
    s->plan.size = sizeof s->plan;
    CHECK_OK(context, ezlda_plan_untried(&s->plan, context, s->corpus, &s->options, 0));
}

static void close_sources(sources *s)
{
    ezlda_sweep_free(s->sweep);
    ezlda_match_free(s->match);
    ezlda_scores_free(s->scores);
    ezlda_inferencer_free(s->inferencer);
    ezlda_model_free(s->model);
    ezlda_corpus_free(s->corpus);
}

TEST(results_write_no_byte_behind_an_older_struct)
{
    enum { FEW = 64 }; /* a larger step for results that take long */
    sources s;
    open_sources(&s, check_tmp("sweep"));
    check_short_result(fill_corpus_info, &s, sizeof(ezlda_corpus_info), 8);
    check_short_result(fill_model_info, &s, sizeof(ezlda_model_info), 8);
    check_short_result(fill_devices_info, &s, sizeof(ezlda_devices_info), FEW);
    check_short_result(fill_infer_info, &s, sizeof(ezlda_infer_info), 8);
    check_short_result(fill_inferencer_info, &s, sizeof(ezlda_infer_info), 8);
    check_short_result(fill_scores_info, &s, sizeof(ezlda_scores_info), 8);
    check_short_result(fill_topic_scores, &s, sizeof(ezlda_topic_scores), 8);
    check_short_result(fill_match_info, &s, sizeof(ezlda_match_info), 8);
    check_short_result(fill_sweep_info, &s, sizeof(ezlda_sweep_info), 8);
    check_short_result(fill_sweep_row, &s, sizeof(ezlda_sweep_row), 8);
    check_short_result(fill_sweep_run, &s, sizeof(ezlda_sweep_run), 8);
    check_short_result(fill_plan, &s, sizeof(ezlda_plan), FEW);
    check_short_result(fill_plan_untried, &s, sizeof(ezlda_plan), 8);
    check_short_result(fill_cluster_plan, &s, sizeof(ezlda_cluster_plan), 8);
    close_sources(&s);
}

TEST(older_callers_have_shorter_structs)
{
    ezlda_context *context = check_context();
    ezlda_corpus *corpus = small_corpus();
    ezlda_train_options full = few_iterations(),
                        *options = shortened(&full, offsetof(ezlda_train_options, out_of_core));
    ezlda_plan untried = {.size = sizeof untried},
               *plan = shortened(&untried, offsetof(ezlda_plan, several));
    CHECK_OK(context, ezlda_train_plan(plan, context, corpus, options, 0.05));
    ezlda_plan seen;
    memcpy(&seen, plan, offsetof(ezlda_plan, several));
    CHECK_EQ(seen.docs, 30);
    ezlda_cluster whole, *cluster;
    ezlda_cluster_plan out = {.size = sizeof out};
    ezlda_cluster_init(&whole);
    cluster = shortened(&whole, offsetof(ezlda_cluster, device_memory));
    CHECK_FAILS(context, ezlda_plan_cluster(&out, context, plan, cluster),
                "expected one made with `several`");
    CHECK_OK(context, ezlda_plan_untried(&untried, context, corpus, options, 0));
    CHECK_OK(context, ezlda_plan_cluster(&out, context, &untried, cluster));
    memset(cluster, 0, sizeof cluster->size);
    CHECK_FAILS(context, ezlda_plan_cluster(&out, context, &untried, cluster),
                "a cluster of 0 bytes");
    free(options);
    free(plan);
    free(cluster);
    ezlda_corpus_free(corpus);
}

TEST(sizes_of_options_are_checked)
{
    ezlda_context *context = check_context();
    ezlda_corpus *corpus = NULL;
    ezlda_synth_options synth;
    ezlda_synth_options_init(&synth);
    synth.docs = 5;
    synth.size = 3;
    CHECK_FAILS(context, ezlda_corpus_synth(&corpus, context, &synth), "synth options of 3 bytes");
    synth.size = 4096;
    CHECK_FAILS(context, ezlda_corpus_synth(&corpus, context, &synth),
                "synth options of 4096 bytes");
}

TEST(plans_of_impossible_machines)
{
    ezlda_context *context = check_context();
    ezlda_train_options options = few_iterations();
    ezlda_plan plan = {.size = sizeof plan, .docs = 10, .tokens = 1000, .words = 20};
    ezlda_cluster cluster;
    ezlda_cluster_plan out = {.size = sizeof out};
    ezlda_cluster_init(&cluster);
    CHECK_OK(context, ezlda_plan_untried(&plan, context, NULL, &options, 1e9));
    cluster.machines = cluster.gpus = 65536;
    cluster.network = 1e10;
    CHECK_FAILS(context, ezlda_plan_cluster(&out, context, &plan, &cluster),
                "65536 machines of 65536 GPUs");
    cluster.gpus = 8;
    cluster.link = NAN;
    CHECK_FAILS(context, ezlda_plan_cluster(&out, context, &plan, &cluster), "link is");
    CHECK_FAILS(context, ezlda_plan_untried(&plan, context, NULL, &options, -1),
                "tokens_per_second is -1");
    options.topics = 4000000000u;
    CHECK_FAILS(context, ezlda_plan_untried(&plan, context, NULL, &options, 0),
                "topics is 4000000000");
}

TEST(a_failure_is_told_by_the_call_that_failed)
{
    ezlda_context *context = check_context();
    ezlda_model *model = NULL;
    CHECK_FAILS(context, ezlda_model_load(&model, context, "/no/such.ezm"), "/no/such.ezm");
    CHECK_FAILS(context, ezlda_context_open_device(context, "gpu9"), "gpu9");
    CHECK_OK(context, ezlda_context_open_device(context, "cpu"));
    CHECK_STR(ezlda_error_message(context), "");
}

static int stop_at_coherence(const ezlda_eval_progress *progress, void *user)
{
    ++*(int *)user;
    return progress->measure == EZLDA_MEASURE_COHERENCE;
}

TEST(coherence_can_be_stopped)
{
    ezlda_context *context = check_context();
    ezlda_corpus *corpus = small_corpus();
    ezlda_model *model = small_model(corpus);
    ezlda_scores *scores = NULL;
    ezlda_eval_options options;
    int calls = 0;
    ezlda_eval_options_init(&options);
    options.measures = EZLDA_MEASURE_COHERENCE;
    options.progress = stop_at_coherence;
    options.user = &calls;
    CHECK_EQ(ezlda_evaluate(&scores, context, model, corpus, &options), EZLDA_ERROR_STOPPED);
    CHECK_EQ(calls, 1);
    CHECK(scores == NULL);
    ezlda_scores_info info = {.size = sizeof info};
    ezlda_topic_scores topic = {.size = sizeof topic};
    options.measures = EZLDA_MEASURE_ALL;
    options.iterations = 10;
    CHECK_OK(context, ezlda_evaluate(&scores, context, model, corpus, &options));
    ezlda_scores_get_info(scores, &info); /* the measures before the stop */
    CHECK(info.stopped);
    CHECK_EQ(info.measures, EZLDA_MEASURE_LLPT | EZLDA_MEASURE_COMPLETION);
    CHECK(info.completion.perplexity > 1 && isnan(info.npmi) &&
          isnan(info.left_to_right.perplexity));
    CHECK(!ezlda_scores_topic(scores, 0, &topic));
    ezlda_scores_free(scores);
    ezlda_model_free(model);
    ezlda_corpus_free(corpus);
}

/* A number of threads that is given holds; otherwise little work has one thread. */
TEST(threads_follow_the_work)
{
    ezlda_context *context = check_context();
    ezlda_context_set_threads(context, 3);
    CHECK_EQ(ez_threads_for(context, 10), 3);
    ezlda_context_set_threads(context, 0);
    CHECK_EQ(ez_threads_for(context, UINT64_MAX), ez_threads(context));
    if (!getenv("OMP_NUM_THREADS"))
        CHECK_EQ(ez_threads_for(context, 100000), 1); /* 5 ms for a pass at most */
    if (!getenv("OMP_NUM_THREADS")) {
        int all = ez_threads(context), before = ez_threads_begin(context, 100000);
        CHECK_EQ(ez_threads(context), 1);
        CHECK_EQ(ez_threads_begin(context, UINT64_MAX), 1);
        ez_threads_end(context, before);
        CHECK_EQ(ez_threads(context), all);
    }
}

TEST_MAIN()
