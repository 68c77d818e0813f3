/* What a sweep recommends, by made-up scores of documents. */
#include "check.h"

#include "eval/perplexity.h"
#include "sweep/sweep.h"

enum { DOCS = 40, ROWS = 3, SEEDS_MOST = 2 };

typedef struct made_up {
    ezlda_sweep_scores scores;
    uint32_t topics[ROWS];
    ezlda_sweep_run runs[ROWS * SEEDS_MOST];
    ezlda_sweep_row rows[ROWS];
    ez_doc_score docs[ROWS * SEEDS_MOST][DOCS];
} made_up;

static void make(made_up *m, uint32_t seeds)
{
    static const uint32_t topics[] = {5, 10, 20};
    *m =
        (made_up){.scores = {.info = {.rows = ROWS, .runs = (size_t)ROWS * seeds}, .seeds = seeds}};
    memcpy(m->topics, topics, sizeof topics);
    m->scores.topics = m->topics;
    m->scores.runs = m->runs;
    m->scores.rows = m->rows;
}

/* Some documents are far harder than others, for every model: from 4 to 10 nats per token. */
static double hard(size_t d)
{
    return 4 + 6 * (double)(d * 17 % DOCS) / DOCS;
}

/* A model that is worse by `nats` per token, and by `wave` more or less in every other document. */
static void set_run(made_up *m, size_t i, double nats, double wave)
{
    ez_score_sums model = {0}, unigram = {0};
    for (size_t d = 0; d < DOCS; d++) {
        uint64_t n = 20 + d % 7;
        ez_doc_score *doc = &m->docs[i][d];
        *doc = (ez_doc_score){n, -(double)n * (hard(d) + nats + (d % 2 ? wave : -wave)),
                              -(double)n * (hard(d) + 0.5)};
        ez_score_add(&model, n, doc->model);
        ez_score_add(&unigram, n, doc->unigram);
    }
    ezlda_sweep_run *run = &m->runs[i];
    *run = ez_no_run(m->topics[i / m->scores.seeds], 1 + i % m->scores.seeds);
    run->completion = (ezlda_perplexity){.docs = model.docs,
                                         .tokens = model.tokens,
                                         .log_likelihood = model.l,
                                         .perplexity = ez_perplexity(&model),
                                         .error = ez_perplexity_error(&model),
                                         .unigram = ez_perplexity(&unigram),
                                         .unigram_error = ez_perplexity_error(&unigram)};
    run->done = 1;
}

static ezlda_status give_docs(ez_buffer *docs, const ezlda_sweep_run *run, void *user)
{
    const made_up *m = user;
    return ez_buffer_append(docs, check_context(), m->docs[run - m->runs], sizeof m->docs[0]);
}

static uint32_t recommended(made_up *m)
{
    ez_sweep_fill_rows(&m->scores);
    m->scores.info.recommended = 0;
    CHECK_OK(check_context(), ez_sweep_advise(&m->scores, check_context(), give_docs, m));
    return m->scores.info.recommended;
}

/* Rows that differ by far less than their errors, but surely so. */
TEST(a_small_sure_difference_counts)
{
    made_up m;
    make(&m, 1);
    set_run(&m, 0, 0.06, 0.01);
    set_run(&m, 1, 0.03, 0.01);
    set_run(&m, 2, 0, 0);
    CHECK_EQ(recommended(&m), 20);
    CHECK_EQ(m.scores.info.best_perplexity, 20);
    CHECK(m.rows[0].to_best > 10 * m.rows[0].to_best_error);
    CHECK(m.rows[0].to_best < m.rows[2].error);
    CHECK_NEAR(m.rows[0].to_best, m.rows[0].perplexity - m.rows[2].perplexity, 0);
    CHECK_NEAR(m.rows[2].to_best, 0, 0);
    CHECK_NEAR(m.rows[2].to_best_error, 0, 0);
}

TEST(a_difference_by_chance_does_not)
{
    made_up m;
    make(&m, 1);
    set_run(&m, 0, 0.06, 0.2);
    set_run(&m, 1, 0.02, 0.2);
    set_run(&m, 2, 0, 0);
    CHECK_EQ(recommended(&m), 10);
    CHECK(m.rows[0].to_best > m.rows[0].to_best_error &&
          m.rows[1].to_best < m.rows[1].to_best_error);
    /* the best need not be the largest */
    set_run(&m, 1, -0.05, 0);
    CHECK_EQ(recommended(&m), 10);
    CHECK_EQ(m.scores.info.best_perplexity, 10);
}

/* The error of log(a / b), written out: a ratio of sums over documents. */
static double log_error(const ez_doc_score *a, const ez_doc_score *b, bool to_unigram)
{
    double l = 0, n = 0, squares = 0;
    for (int pass = 0; pass < 2; pass++)
        for (size_t d = 0; d < DOCS; d++) {
            double differ = (to_unigram ? b[d].unigram : b[d].model) - a[d].model,
                   tokens = (double)a[d].tokens;
            if (pass == 0)
                l += differ, n += tokens;
            else
                squares += (differ - tokens * l / n) * (differ - tokens * l / n);
        }
    return sqrt((double)DOCS / (DOCS - 1) * squares) / n;
}

/* In points, a difference is as many errors as it is in logarithms. */
TEST(errors_are_those_of_a_ratio_over_documents)
{
    made_up m;
    make(&m, 1);
    set_run(&m, 0, 0.06, 0.2);
    set_run(&m, 1, 0.02, 0.1);
    set_run(&m, 2, 0, 0);
    recommended(&m);
    for (size_t i = 0; i < 2; i++) {
        const ezlda_sweep_row *row = &m.rows[i];
        CHECK_NEAR(row->to_best / row->to_best_error,
                   log(row->perplexity / m.rows[2].perplexity) /
                       log_error(m.docs[i], m.docs[2], false),
                   1e-9);
        CHECK_NEAR(row->to_unigram / row->to_unigram_error,
                   log(row->perplexity / row->unigram) / log_error(m.docs[i], m.docs[i], true),
                   1e-9);
        CHECK_NEAR(row->to_unigram, row->perplexity - row->unigram, 0);
    }
}

/* Seeds that are far apart make a difference less sure, and documents stay paired. */
TEST(seeds_add_their_spread)
{
    made_up m;
    double nats[] = {0.05, 0.05, 0.03, 0.03, 0, 0};
    make(&m, 2);
    for (size_t i = 0; i < 6; i++)
        set_run(&m, i, nats[i], 0.001);
    CHECK_EQ(recommended(&m), 20);
    double paired = m.rows[1].to_best_error;
    CHECK(m.rows[1].to_best > 10 * paired);
    set_run(&m, 2, -0.02, 0.001);
    set_run(&m, 3, 0.08, 0.001);
    CHECK_EQ(recommended(&m), 10);
    CHECK_NEAR(m.rows[1].to_best_error, m.rows[1].spread / sqrt(2), m.rows[1].spread / 50);
}

/* If a run is missing, there is no advice. */
TEST(all_runs_must_be_done)
{
    made_up m;
    make(&m, 1);
    set_run(&m, 0, 0.06, 0);
    set_run(&m, 1, 0, 0);
    m.runs[2] = ez_no_run(20, 1);
    CHECK_EQ(recommended(&m), 0);
    CHECK(isnan(m.rows[0].to_best) && isnan(m.rows[0].to_unigram_error));
}

TEST(other_tokens_are_refused)
{
    made_up m;
    make(&m, 1);
    for (size_t i = 0; i < ROWS; i++)
        set_run(&m, i, 0, 0);
    m.docs[1][3].tokens++;
    ez_sweep_fill_rows(&m.scores);
    CHECK_FAILS(check_context(), ez_sweep_advise(&m.scores, check_context(), give_docs, &m),
                "different tokens");
}

TEST_MAIN()
