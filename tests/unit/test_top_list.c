/* Top words and documents against a sort of everything. */
#include "check.h"

#include "model/topic_index.h"
#include "model_example.h"

#include <omp.h>

static int by_score(const void *a, const void *b)
{
    const ezlda_scored *x = a, *y = b;
    if (x->score != y->score)
        return x->score > y->score ? -1 : 1;
    return x->id < y->id ? -1 : x->id > y->id;
}

static size_t all_words(const example *e, uint32_t k, ezlda_word_order order, double lambda,
                        ezlda_scored *out)
{
    size_t n = 0;
    for (uint32_t v = 0; v < EXAMPLE_WORDS; v++) {
        if (!e->w[v][k])
            continue;
        double phi = (e->w[v][k] + 0.01) / ((double)e->n[k] + EXAMPLE_WORDS * 0.01);
        double p = (double)e->word_tokens[v] / (double)e->tokens, score = phi;
        if (order == EZLDA_BY_LIFT)
            score = phi / p;
        if (order == EZLDA_BY_RELEVANCE)
            score = lambda * log(phi) + (1 - lambda) * log(phi / p);
        out[n++] = (ezlda_scored){v, e->w[v][k], phi, score};
    }
    qsort(out, n, sizeof *out, by_score);
    return n;
}

static size_t all_docs(const example *e, uint32_t k, ezlda_scored *out)
{
    size_t n = 0;
    for (uint64_t d = 0; d < EXAMPLE_DOCS; d++) {
        if (!e->d[d][k])
            continue;
        double length = (double)(e->doc_start[d + 1] - e->doc_start[d]);
        double share = (e->d[d][k] + 0.125 * (k + 1)) / (length + 0.125 * 28);
        out[n++] = (ezlda_scored){d, e->d[d][k], share, share};
    }
    qsort(out, n, sizeof *out, by_score);
    return n;
}

static void check_list(const ezlda_scored *actual, size_t n, const ezlda_scored *expected,
                       size_t all, size_t asked)
{
    CHECK_EQ(n, all < asked ? all : asked);
    for (size_t i = 0; i < n; i++) {
        CHECK_EQ(actual[i].id, expected[i].id);
        CHECK_EQ(actual[i].count, expected[i].count);
        CHECK_NEAR(actual[i].probability, expected[i].probability, 1e-15);
        CHECK_NEAR(actual[i].score, expected[i].score, 1e-12);
    }
}

static void check_topic(const ezlda_model *model, const example *e, uint32_t k, size_t asked)
{
    static const struct {
        ezlda_word_order order;
        double lambda;
    } ways[] = {{EZLDA_BY_PROBABILITY, 0},
                {EZLDA_BY_LIFT, 0},
                {EZLDA_BY_RELEVANCE, 0},
                {EZLDA_BY_RELEVANCE, 0.6},
                {EZLDA_BY_RELEVANCE, 1}};
    ezlda_context *context = check_context();
    ezlda_scored expected[EXAMPLE_WORDS], actual[EXAMPLE_WORDS + 1];
    size_t n, all;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        all = all_words(e, k, ways[i].order, ways[i].lambda, expected);
        CHECK_OK(context, ezlda_model_top_words(actual, asked, &n, context, model, k, ways[i].order,
                                                ways[i].lambda));
        check_list(actual, n, expected, all, asked);
    }
    all = all_docs(e, k, expected);
    CHECK_OK(context, ezlda_model_top_docs(actual, asked, &n, context, model, k));
    check_list(actual, n, expected, all, asked);
}

TEST(lists_are_those_of_a_full_sort)
{
    static example e;
    for (uint64_t seed = 1; seed <= 4; seed++) {
        example_make(&e, seed);
        ezlda_context_set_threads(check_context(), (int)seed);
        ezlda_model *model = example_model(&e);
        for (uint32_t k = 0; k < EXAMPLE_TOPICS; k++)
            for (size_t asked = 0; asked <= EXAMPLE_WORDS + 1; asked += 1 + asked / 4)
                check_topic(model, &e, k, asked);
        ezlda_model_free(model);
    }
}

/* Every word once in a document of its own: all scores of a topic are equal, so the order is that
 * of the numbers. */
TEST(ties_go_to_the_smaller_number)
{
    static example e;
    memset(&e, 0, sizeof e);
    for (uint32_t d = 0; d < EXAMPLE_DOCS; d++) {
        e.word[d] = EXAMPLE_WORDS - 1 - d;
        e.topic[d] = d % 2;
        e.w[e.word[d]][d % 2] = e.d[d][d % 2] = 1;
        e.word_tokens[e.word[d]] = 1;
        e.n[d % 2]++;
        e.doc_start[d + 1] = ++e.tokens;
    }
    ezlda_model *model = example_model(&e);
    for (uint32_t k = 0; k < 2; k++) {
        for (size_t asked = 1; asked < 12; asked++)
            check_topic(model, &e, k, asked);
        ezlda_scored top[3];
        size_t n;
        CHECK_OK(check_context(), ezlda_model_top_docs(top, 3, &n, check_context(), model, k));
        CHECK_EQ(n, 3);
        for (size_t i = 0; i < n; i++)
            CHECK_EQ(top[i].id, k + 2 * i);
    }
    ezlda_model_free(model);
}

TEST(arguments_out_of_range_are_refused)
{
    static example e;
    example_make(&e, 5);
    ezlda_context *c = check_context();
    ezlda_model *model = example_model(&e);
    ezlda_scored top[2];
    size_t n = 9;
    CHECK_FAILS(c, ezlda_model_top_words(top, 2, &n, c, model, EXAMPLE_TOPICS, EZLDA_BY_LIFT, 0),
                "topic 7");
    CHECK_EQ(n, 0);
    CHECK_FAILS(c, ezlda_model_top_words(top, 2, &n, c, model, 0, EZLDA_BY_RELEVANCE, 1.5),
                "lambda 1.5");
    CHECK_FAILS(c, ezlda_model_top_words(top, 2, &n, c, model, 0, EZLDA_BY_RELEVANCE, NAN),
                "lambda");
    CHECK_FAILS(c, ezlda_model_top_words(top, 2, &n, c, model, 0, (ezlda_word_order)3, 0),
                "order 3");
    CHECK_FAILS(c, ezlda_model_top_docs(top, 2, &n, c, model, UINT32_MAX), "expected one below 7");
    CHECK_FAILS(c, ezlda_model_top_docs(NULL, 2, &n, c, model, 0), "NULL");
    CHECK_FAILS(c, ezlda_model_top_docs(top, 2, NULL, c, model, 0), "NULL");
    CHECK_OK(c, ezlda_model_top_docs(NULL, 0, &n, c, model, 0));
    CHECK_OK(c, ezlda_model_top_words(top, 2, &n, c, model, 0, EZLDA_BY_LIFT, NAN));
    CHECK_EQ(n, 2);
    ezlda_model_free(model);
}

TEST(the_index_does_not_depend_on_threads)
{
    static example e;
    example_make(&e, 6);
    ezlda_context *context = check_context();
    ezlda_model *model = example_model(&e);
    ez_topic_index *one = NULL, *many = NULL;
    ezlda_context_set_threads(context, 1);
    CHECK_OK(context, ez_topic_index_build(&one, context, &model->word_rows, EXAMPLE_TOPICS));
    for (int threads = 2; threads <= 64; threads *= 2) {
        ezlda_context_set_threads(context, threads);
        CHECK_OK(context, ez_topic_index_build(&many, context, &model->word_rows, EXAMPLE_TOPICS));
        uint64_t n = model->word_rows.entries;
        CHECK(memcmp(one->start, many->start, (EXAMPLE_TOPICS + 1) * sizeof *one->start) == 0);
        CHECK(memcmp(one->row, many->row, n * sizeof *one->row) == 0);
        CHECK(memcmp(one->count, many->count, n) == 0);
        ez_topic_index_free(many);
    }
    ez_topic_index_free(one);
    ezlda_model_free(model);
}

TEST(a_model_may_be_asked_by_several_threads_at_once)
{
    static example e;
    example_make(&e, 7);
    int wrong = 0;
    for (int round = 0; round < 20; round++) {
        ezlda_model *model = example_model(&e);
        ezlda_scored expected[EXAMPLE_WORDS];
        size_t all = all_words(&e, 2, EZLDA_BY_LIFT, 0, expected);
#pragma omp parallel num_threads(4) reduction(+ : wrong)
        {
            ezlda_context *context = NULL;
            ezlda_scored top[EXAMPLE_WORDS];
            size_t n = 0;
            wrong += ezlda_context_create(&context) != EZLDA_OK;
            ezlda_context_set_threads(context, 2);
            wrong += ezlda_model_top_words(top, EXAMPLE_WORDS, &n, context, model, 2, EZLDA_BY_LIFT,
                                           0) != EZLDA_OK;
            wrong += n != all;
            for (size_t i = 0; i < n && i < all; i++)
                wrong += top[i].id != expected[i].id;
            ezlda_context_free(context);
        }
        ezlda_model_free(model);
    }
    CHECK_EQ(wrong, 0);
}

TEST_MAIN()
