/* ezlda_sweep: what is trained, what is found again, what is refused; the file of results. */
#include "check.h"

#include "sweep/sweep_results.h"

static ezlda_corpus *small_corpus(void)
{
    ezlda_synth_options options;
    ezlda_corpus *corpus = NULL;
    ezlda_synth_options_init(&options);
    options.docs = 120;
    options.words = 80;
    options.mean_length = 30;
    options.topics = 3;
    options.beta = 5;
    options.seed = 4;
    CHECK_OK(check_context(), ezlda_corpus_synth(&corpus, check_context(), &options));
    return corpus;
}

typedef struct watch {
    int trained, found, scored; /* iterations, runs, runs */
    int stop_after;             /* iterations; 0: never */
} watch;

static int watch_progress(const ezlda_sweep_progress *progress, void *user)
{
    watch *w = user;
    w->trained += progress->stage == EZLDA_SWEEP_TRAINING;
    if (progress->stage == EZLDA_SWEEP_DONE) {
        CHECK(progress->run->done && progress->number <= progress->runs);
        w->found += progress->run->found;
        w->scored += !progress->run->found;
    }
    return w->stop_after && w->trained >= w->stop_after;
}

typedef struct setup {
    ezlda_train_options train;
    ezlda_eval_options eval;
    ezlda_sweep_options sweep;
    watch watch;
} setup;

static const uint32_t TOPICS[] = {5, 3};

static void set_up(setup *s, const char *folder)
{
    *s = (setup){0};
    ezlda_train_options_init(&s->train);
    ezlda_eval_options_init(&s->eval);
    ezlda_sweep_options_init(&s->sweep);
    s->train.iterations = 10;
    s->train.device = s->eval.device = "cpu";
    s->eval.iterations = 10;
    s->eval.samples = 2;
    s->eval.thin = 1;
    s->sweep.topics = TOPICS;
    s->sweep.n_topics = 2;
    s->sweep.seeds = 2;
    s->sweep.alpha_sum = 2;
    s->sweep.train = &s->train;
    s->sweep.eval = &s->eval;
    s->sweep.folder = folder;
    s->sweep.progress = watch_progress;
    s->sweep.user = &s->watch;
}

/* Sweeps, and gives what was found; the caller frees. */
static ezlda_sweep_scores *sweep(setup *s, const ezlda_corpus *corpus)
{
    ezlda_sweep_scores *scores = NULL;
    s->watch = (watch){.stop_after = s->watch.stop_after};
    CHECK_OK(check_context(), ezlda_sweep(&scores, check_context(), corpus, &s->sweep));
    return scores;
}

static ezlda_sweep_info info_of(const ezlda_sweep_scores *scores)
{
    ezlda_sweep_info info = {.size = sizeof info};
    ezlda_sweep_get_info(scores, &info);
    return info;
}

static ezlda_sweep_run run_of(const ezlda_sweep_scores *scores, size_t i)
{
    ezlda_sweep_run run = {.size = sizeof run};
    CHECK_EQ(ezlda_sweep_get_run(scores, i, &run), 1);
    return run;
}

/* Differences between rows come back to the bit. */
static void check_same_rows(const ezlda_sweep_scores *a, const ezlda_sweep_scores *b)
{
    for (size_t i = 0; i < 2; i++) {
        ezlda_sweep_row x = {.size = sizeof x}, y = {.size = sizeof y};
        CHECK(ezlda_sweep_get_row(a, i, &x) && ezlda_sweep_get_row(b, i, &y));
        CHECK_NEAR(x.to_best, y.to_best, 0);
        CHECK_NEAR(x.to_best_error, y.to_best_error, 0);
        CHECK_NEAR(x.to_unigram_error, y.to_unigram_error, 0);
    }
}

TEST(a_grid_is_trained_and_found_again)
{
    ezlda_corpus *corpus = small_corpus();
    setup s;
    set_up(&s, check_tmp("sweep"));
    ezlda_sweep_scores *first = sweep(&s, corpus);
    CHECK_EQ(s.watch.trained, 40);
    CHECK_EQ(s.watch.scored, 4);
    ezlda_sweep_info info = info_of(first);
    CHECK_EQ(info.rows, 2);
    CHECK_EQ(info.runs_done, 4);
    CHECK_EQ(info.stopped, 0);
    CHECK_EQ(info.docs, 108);
    CHECK_EQ(info.held_docs, 12);
    CHECK(info.recommended == 3 || info.recommended == 5);
    CHECK_EQ(run_of(first, 0).topics, 3);
    CHECK_EQ(run_of(first, 1).seed, 2);
    CHECK(isnan(run_of(first, 0).similarity) && run_of(first, 1).similarity > 0.1);

    ezlda_sweep_scores *again = sweep(&s, corpus);
    CHECK_EQ(s.watch.trained, 0);
    CHECK_EQ(s.watch.found, 4);
    for (size_t i = 0; i < 4; i++) {
        ezlda_sweep_run a = run_of(first, i), b = run_of(again, i);
        CHECK_EQ(a.topics_hash, b.topics_hash);
        CHECK_EQ(a.iterations, b.iterations);
        CHECK_NEAR(a.completion.perplexity, b.completion.perplexity, 0);
        CHECK_NEAR(a.completion.error, b.completion.error, 0);
        CHECK_NEAR(a.npmi, b.npmi, 0);
        CHECK_NEAR(a.llpt, b.llpt, 0);
    }
    CHECK_EQ(info_of(again).recommended, info.recommended);
    check_same_rows(first, again);
    ezlda_sweep_free(first);
    ezlda_sweep_free(again);
    ezlda_corpus_free(corpus);
}

/* How alike the topics of two models of the test's folder are. */
static double matched(const char *a, const char *b)
{
    ezlda_model *models[2] = {NULL, NULL};
    ezlda_match *match = NULL;
    ezlda_match_options options;
    ezlda_match_info found = {.size = sizeof found};
    ezlda_match_options_init(&options);
    options.threshold = 0;
    CHECK_OK(check_context(), ezlda_model_load(&models[0], check_context(), check_tmp(a)));
    CHECK_OK(check_context(), ezlda_model_load(&models[1], check_context(), check_tmp(b)));
    CHECK_OK(check_context(),
             ezlda_model_match(&match, check_context(), models[0], models[1], &options));
    ezlda_match_get_info(match, &found);
    ezlda_match_free(match);
    ezlda_model_free(models[0]);
    ezlda_model_free(models[1]);
    return found.mean_similarity;
}

/* A row is what its runs say, and its stability what a match of the two models says. */
TEST(rows_are_means_over_seeds)
{
    ezlda_corpus *corpus = small_corpus();
    setup s;
    set_up(&s, check_tmp("sweep"));
    ezlda_sweep_scores *scores = sweep(&s, corpus);
    ezlda_sweep_row row = {.size = sizeof row};
    CHECK_EQ(ezlda_sweep_get_row(scores, 1, &row), 1);
    ezlda_sweep_run a = run_of(scores, 2), b = run_of(scores, 3);
    double p = a.completion.perplexity, q = b.completion.perplexity;
    double of_docs =
        (a.completion.error * a.completion.error + b.completion.error * b.completion.error) / 2;
    CHECK_EQ(row.topics, 5);
    CHECK_EQ(row.runs, 2);
    CHECK_NEAR(row.perplexity, (p + q) / 2, 1e-9);
    CHECK_NEAR(row.spread, fabs(p - q) / sqrt(2), 1e-9);
    CHECK_NEAR(row.error, sqrt(of_docs + (p - q) * (p - q) / 4), 1e-9);
    CHECK_NEAR(row.npmi, (a.npmi + b.npmi) / 2, 1e-12);

    CHECK_NEAR(row.stability, matched("sweep/k5-seed1.ezm", "sweep/k5-seed2.ezm"), 1e-12);
    ezlda_sweep_free(scores);
    ezlda_corpus_free(corpus);
}

TEST(a_sweep_goes_on_where_it_was_stopped)
{
    ezlda_corpus *corpus = small_corpus();
    setup s, whole;
    set_up(&s, check_tmp("sweep"));
    s.watch.stop_after = 15;
    ezlda_sweep_scores *part = sweep(&s, corpus);
    CHECK_EQ(info_of(part).stopped, 1);
    CHECK_EQ(info_of(part).runs_done, 1);
    CHECK_EQ(info_of(part).recommended, 0);
    CHECK_EQ(access(check_tmp("sweep/k3-seed1.ezm"), F_OK), 0);
    CHECK(access(check_tmp("sweep/k5-seed1.ezm"), F_OK) != 0);
    s.watch.stop_after = 0;
    ezlda_sweep_scores *rest = sweep(&s, corpus);
    CHECK_EQ(s.watch.trained, 30);
    CHECK_EQ(s.watch.found, 1);
    set_up(&whole, check_tmp("whole"));
    ezlda_sweep_scores *straight = sweep(&whole, corpus);
    for (size_t i = 0; i < 4; i++) {
        CHECK_EQ(run_of(rest, i).topics_hash, run_of(straight, i).topics_hash);
        CHECK_NEAR(run_of(rest, i).completion.perplexity, run_of(straight, i).completion.perplexity,
                   0);
    }
    CHECK_EQ(info_of(rest).recommended, info_of(straight).recommended);
    check_same_rows(rest, straight);
    ezlda_sweep_free(part);
    ezlda_sweep_free(rest);
    ezlda_sweep_free(straight);
    ezlda_corpus_free(corpus);
}

/* A run that was stopped in its last iteration is complete: the next sweep scores its model and
 * does not train it again. */
TEST(a_model_without_scores_is_scored)
{
    ezlda_corpus *corpus = small_corpus();
    setup s;
    set_up(&s, check_tmp("sweep"));
    s.watch.stop_after = 10;
    ezlda_sweep_scores *part = sweep(&s, corpus);
    CHECK_EQ(info_of(part).runs_done, 0);
    CHECK_EQ(access(check_tmp("sweep/k3-seed1.ezm"), F_OK), 0);
    s.watch.stop_after = 0;
    ezlda_sweep_scores *rest = sweep(&s, corpus);
    CHECK_EQ(s.watch.trained, 30);
    CHECK_EQ(s.watch.scored, 4);
    ezlda_sweep_free(part);
    ezlda_sweep_free(rest);
    ezlda_corpus_free(corpus);
}

TEST(a_sweep_can_be_extended)
{
    ezlda_corpus *corpus = small_corpus();
    setup s;
    set_up(&s, check_tmp("sweep"));
    ezlda_sweep_free(sweep(&s, corpus));
    s.sweep.topics = (const uint32_t[]){3, 4};
    s.sweep.seeds = 3;
    ezlda_sweep_scores *more = sweep(&s, corpus);
    CHECK_EQ(s.watch.found, 2);
    CHECK_EQ(s.watch.trained, 40);
    CHECK_EQ(info_of(more).runs_done, 6);
    ezlda_sweep_row row = {.size = sizeof row};
    CHECK_EQ(ezlda_sweep_get_row(more, 0, &row), 1);
    const char *models[] = {"sweep/k3-seed1.ezm", "sweep/k3-seed2.ezm", "sweep/k3-seed3.ezm"};
    CHECK_NEAR(row.stability,
               (matched(models[0], models[1]) + matched(models[0], models[2]) +
                matched(models[1], models[2])) /
                   3,
               1e-12);
    ezlda_sweep_free(more);
    s.sweep.topics = (const uint32_t[]){3, 4, 5};
    s.sweep.n_topics = 3;
    s.sweep.seeds = 2;
    ezlda_sweep_free(sweep(&s, corpus));
    CHECK_EQ(s.watch.found, 6);
    ezlda_corpus_free(corpus);
}

static void check_refused(setup *s, const ezlda_corpus *corpus, const char *words)
{
    ezlda_sweep_scores *scores = NULL;
    CHECK_FAILS(check_context(), ezlda_sweep(&scores, check_context(), corpus, &s->sweep), words);
    CHECK(!scores);
}

TEST(other_options_and_folders_are_refused)
{
    ezlda_corpus *corpus = small_corpus();
    setup s;
    set_up(&s, check_tmp("sweep"));
    ezlda_sweep_free(sweep(&s, corpus));
    s.train.iterations = 11;
    check_refused(&s, corpus,
                  "expected 'iterations: 11', found 'iterations: 10' (this folder's sweep)");
    set_up(&s, check_tmp("sweep"));
    s.sweep.alpha_sum = 3;
    check_refused(&s, corpus, "'alpha: 2.0/k'");
    set_up(&s, check_tmp("sweep"));
    s.sweep.held_out = 0.2;
    check_refused(&s, corpus, "held out");
    set_up(&s, check_tmp("sweep"));
    s.eval.words = 7;
    check_refused(&s, corpus, "coherence");
    ezlda_corpus *train, *test;
    CHECK_OK(check_context(), ezlda_corpus_split(&train, &test, check_context(), corpus, 0.5, 1));
    set_up(&s, check_tmp("sweep"));
    check_refused(&s, train, "'corpus: ");
    ezlda_corpus_free(train);
    ezlda_corpus_free(test);
    set_up(&s, check_tmp("."));
    check_refused(&s, corpus, "found files but no results.tsv");
    set_up(&s, check_tmp("no/such"));
    check_refused(&s, corpus, "cannot make the folder");
    ezlda_corpus_free(corpus);
}

TEST(impossible_options_are_refused)
{
    ezlda_corpus *corpus = small_corpus();
    setup s;
    const char *folder = check_tmp("sweep");
    static const uint32_t twice[] = {4, 9, 4}, small[] = {1};
    const double vector[3] = {1, 1, 1};
    set_up(&s, folder);
    s.sweep.n_topics = 0;
    check_refused(&s, corpus, "numbers of topics");
    set_up(&s, folder);
    s.sweep.topics = twice;
    s.sweep.n_topics = 3;
    check_refused(&s, corpus, "4 topics are given twice");
    s.sweep.topics = small;
    s.sweep.n_topics = 1;
    check_refused(&s, corpus, "topics is 1; expected 2");
    set_up(&s, folder);
    s.sweep.seeds = 0;
    check_refused(&s, corpus, "seeds is 0");
    set_up(&s, folder);
    s.sweep.held_out = 1;
    check_refused(&s, corpus, "held_out is 1");
    set_up(&s, folder);
    s.train.seed = UINT64_MAX;
    check_refused(&s, corpus, "seeds can follow");
    set_up(&s, folder);
    s.sweep.alpha_sum = 0;
    s.train.alpha_vector = vector;
    check_refused(&s, corpus, "a single number of topics");
    set_up(&s, folder);
    s.sweep.folder = NULL;
    check_refused(&s, corpus, "expected a folder");
    set_up(&s, folder);
    s.train.checkpoint = folder;
    check_refused(&s, corpus, "without checkpoints");
    set_up(&s, folder);
    s.eval.samples = 11;
    check_refused(&s, corpus, "11 samples, 1 iterations apart, and has 10 iterations");
    set_up(&s, folder);
    s.eval.words = 1;
    check_refused(&s, corpus, "words is 1");
    set_up(&s, folder);
    s.train.device = "nonsense";
    check_refused(&s, corpus, "nonsense");
    CHECK(access(folder, F_OK) != 0);
    ezlda_corpus_free(corpus);
}

/* ---- results.tsv ---- */

static ez_buffer text_of(const char *text)
{
    return (ez_buffer){(unsigned char *)(uintptr_t)text, strlen(text), 0};
}

static ez_results results_at(const char *name)
{
    ez_results results = {0};
    const char *path = check_tmp(name);
    CHECK_OK(NULL, ez_array(&results.path, NULL, strlen(path) + 1, 1, "a path"));
    memcpy(results.path, path, strlen(path) + 1);
    return results;
}

static size_t read_all(const char *path, char *text, size_t size)
{
    FILE *file = fopen(path, "rb");
    size_t n = file ? fread(text, 1, size - 1, file) : 0;
    text[n] = '\0';
    if (file)
        fclose(file);
    return n;
}

/* The file cut short at every byte, and with every byte changed: never a run that was not written.
 */
TEST(damaged_results_are_noticed)
{
    ez_buffer settings = text_of("# ezlda sweep 2\n# iterations: 3\n");
    ez_results results = results_at("results.tsv");
    ezlda_sweep_run run = ez_no_run(20, 7);
    run.completion.perplexity = 123.456789;
    run.npmi = -1.0 / 3;
    run.topics_hash = 0xfedcba9876543210;
    CHECK_OK(check_context(), ez_results_put(&results, check_context(), &settings, &run));
    run.topics = 10;
    CHECK_OK(check_context(), ez_results_put(&results, check_context(), &settings, &run));
    char text[4096], damaged[4096];
    size_t n = read_all(results.path, text, sizeof text);
    for (size_t i = 0; i < 2 * n; i++) {
        memcpy(damaged, text, n + 1);
        if (i >= n)
            damaged[i - n] ^= 1;
        FILE *file = fopen(results.path, "wb");
        CHECK(fwrite(damaged, 1, i < n ? i : n, file) == (i < n ? i : n));
        fclose(file);
        ez_results read = results_at("results.tsv");
        if (ez_results_open(&read, check_context(), &settings) == EZLDA_OK) {
            const ezlda_sweep_run *found[] = {ez_results_find(&read, 10, 7),
                                              ez_results_find(&read, 20, 7)};
            CHECK(read.runs.used < 2 * sizeof run || i == n - 1);
            for (int j = 0; j < 2; j++)
                CHECK(!found[j] ||
                      (found[j]->npmi == run.npmi && found[j]->topics_hash == run.topics_hash &&
                       isnan(found[j]->c_v) && found[j]->completion.perplexity == 123.456789));
        }
        ez_results_free(&read);
        ez_clear(check_context());
    }
    ez_results_free(&results);
}

TEST_MAIN()
