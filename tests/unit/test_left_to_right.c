/* The left-to-right estimator against sums over all assignments of topics: of the evidence itself,
 * and of what the algorithm gives with infinitely many particles. */
#include "small_topics.h"

#include "corpus/corpus.h"
#include "eval/eval_set.h"
#include "eval/left_to_right.h"
#include "model_example.h"

enum { LONGEST = 6, STATES = 4096 }; /* topics ^ longest */

static const uint32_t all_words[SMALL_WORDS] = {0, 1, 2, 3, 4, 5};

/* Topic of position i in assignment z, a number with a digit for each position. */
static int digit(int z, int i)
{
    return z >> 2 * i & 3;
}

static int with_digit(int z, int i, int k)
{
    return (z & ~(3 << 2 * i)) | k << 2 * i;
}

/* p(word, topic k | assignment of n tokens, without the position `without`). */
static double joint(const small_topics *s, int z, int n, int without, uint32_t word, int k)
{
    double count = 0, all = 0;
    for (int i = 0; i < n; i++) {
        count += i != without && digit(z, i) == k;
        all += i != without;
    }
    return (count + small_alpha[k]) / (all + s->alpha_sum) * s->phi[word][k];
}

/* log p(words), by a sum over all assignments. */
static double evidence(const small_topics *s, const uint32_t *token, int n)
{
    double sum = 0;
    for (int z = 0; z < 1 << 2 * n; z++) {
        double p = 1;
        for (int i = 0; i < n; i++)
            p *= joint(s, z, i, -1, token[i], digit(z, i));
        sum += p;
    }
    return log(sum);
}

/* A step of resampling position i, on the distribution q over assignments of n tokens; adds share *
 * what comes out. */
static void resample_step(const small_topics *s, const double *q, double *out,
                          const uint32_t *token, int n, int i, double share)
{
    for (int z = 0; z < 1 << 2 * n; z++) {
        double all = 0;
        for (int k = 0; k < SMALL_TOPICS; k++)
            all += joint(s, z, n, i, token[i], k);
        for (int k = 0; k < SMALL_TOPICS; k++)
            out[with_digit(z, i, k)] += share * q[z] * joint(s, z, n, i, token[i], k) / all;
    }
}

static void resample_all(const small_topics *s, double *q, const uint32_t *token, int n,
                         uint32_t most)
{
    bool some = (uint32_t)n > most;
    for (int step = 0; step < (some ? (int)most : n); step++) {
        double next[STATES] = {0};
        for (int i = 0; i < n; i++)
            if (some || i == step)
                resample_step(s, q, next, token, n, i, some ? 1.0 / n : 1);
        memcpy(q, next, sizeof next);
    }
}

/* The estimate with infinitely many particles: the distribution of a particle's topics, carried
 * along exactly. */
static double limit(const small_topics *s, const uint32_t *token, int n, uint32_t most)
{
    double q[STATES] = {1}, l = 0;
    for (int i = 0; i < n; i++) {
        double next[STATES] = {0}, p = 0;
        resample_all(s, q, token, i, most);
        for (int z = 0; z < 1 << 2 * i; z++) {
            double all = 0;
            for (int k = 0; k < SMALL_TOPICS; k++)
                all += joint(s, z, i, -1, token[i], k);
            p += q[z] * all;
            for (int k = 0; k < SMALL_TOPICS; k++)
                next[with_digit(z, i, k)] += q[z] * joint(s, z, i, -1, token[i], k) / all;
        }
        l += log(p);
        memcpy(q, next, sizeof next);
    }
    return l;
}

static double estimate(const small_topics *s, const uint32_t *token, int n, uint32_t particles,
                       uint32_t most, uint64_t key)
{
    ezlda_context *context = check_context();
    ez_left_to_right estimator = {0};
    ez_ltr_room *room = NULL;
    double l = NAN;
    CHECK_OK(context, ez_left_to_right_make(&estimator, context, &s->weights, particles, most));
    CHECK_OK(context, ez_ltr_room_create(&room, context, &estimator));
    CHECK_OK(context,
             ez_ltr_score(room, context, key, all_words, SMALL_WORDS, token, (size_t)n, &l));
    ez_ltr_room_free(room);
    ez_left_to_right_free(&estimator);
    return l;
}

static const uint32_t documents[][LONGEST] = {{0, 0, 1, 1, 2, 2}, {3, 1, 4, 0, 3, 2},
                                              {5, 5, 3, 3, 0, 5}, {2, 2, 2, 2, 2, 2},
                                              {0, 4, 0, 4, 0, 4}, {1, 2, 1, 0, 5, 1}};
enum { DOCUMENTS = sizeof documents / sizeof *documents };

TEST(first_token_is_exact)
{
    small_topics s;
    small_make(&s);
    for (uint32_t w = 0; w < SMALL_WORDS; w++)
        for (uint32_t particles = 1; particles < 4; particles++)
            CHECK_NEAR(estimate(&s, &w, 1, particles, UINT32_MAX, 7), evidence(&s, &w, 1), 1e-12);
}

/* 100,000 particles: the spread of an estimate is below 0.003 here, and a wrong weight moves it by
 * more than 0.02. */
TEST(many_particles_reach_the_limit)
{
    static const uint32_t most[] = {UINT32_MAX, 0, 2};
    small_topics s;
    small_make(&s);
    for (int d = 0; d < DOCUMENTS; d++)
        for (int m = 0; m < 3; m++)
            CHECK_NEAR(estimate(&s, documents[d], LONGEST, 100000, most[m], 11 + (uint64_t)d),
                       limit(&s, documents[d], LONGEST, most[m]), 0.012);
}

TEST(limit_is_near_the_evidence)
{
    double full = 0, none = 0;
    small_topics s;
    small_make(&s);
    for (int d = 0; d < DOCUMENTS; d++) {
        double exact = evidence(&s, documents[d], LONGEST);
        CHECK_NEAR(limit(&s, documents[d], 2, UINT32_MAX), evidence(&s, documents[d], 2), 1e-12);
        CHECK_NEAR(limit(&s, documents[d], LONGEST, UINT32_MAX), exact, 0.1);
        full += fabs(limit(&s, documents[d], LONGEST, UINT32_MAX) - exact);
        none += fabs(limit(&s, documents[d], LONGEST, 0) - exact);
    }
    printf("  mean distance from the evidence: %.4f, without resampling %.4f\n", full / DOCUMENTS,
           none / DOCUMENTS);
    CHECK(full < none);
}

/* Not even of roundings: alpha + 1 - 1 is not alpha. */
TEST(documents_leave_no_trace_in_the_room)
{
    ezlda_context *context = check_context();
    small_topics s;
    ez_left_to_right estimator = {0};
    ez_ltr_room *room = NULL;
    double first[DOCUMENTS], again;
    small_make(&s);
    CHECK_OK(context, ez_left_to_right_make(&estimator, context, &s.weights, 9, UINT32_MAX));
    CHECK_OK(context, ez_ltr_room_create(&room, context, &estimator));
    for (uint64_t i = 0; i < 40 * DOCUMENTS; i++) {
        uint64_t d = i % DOCUMENTS;
        CHECK_OK(context, ez_ltr_score(room, context, d, all_words, SMALL_WORDS, documents[d],
                                       LONGEST, &again));
        if (i < DOCUMENTS)
            first[d] = again;
        CHECK(again == first[d]);
    }
    CHECK(first[0] != first[1]);
    ez_ltr_room_free(room);
    ez_left_to_right_free(&estimator);
}

/* ---- documents of a corpus ---- */

static ez_held_out_sums score_tokens(int threads, uint64_t docs, uint64_t seed, uint64_t doc_tokens)
{
    static example e;
    ezlda_context *context = check_context();
    ezlda_eval_options options;
    ez_topic_weights weights = {0};
    ez_known_words known = {0};
    ez_held_out_sums sums = {0};
    example_make(&e, 3);
    ezlda_corpus *corpus = example_corpus(&e, 0);
    ezlda_model *model = example_model(&e);
    ezlda_eval_options_init(&options);
    options.docs = docs;
    options.doc_tokens = doc_tokens;
    options.seed = seed;
    options.particles = 3;
    options.resample = 40;
    ez_held_out held = {.model = model,
                        .corpus = corpus,
                        .weights = &weights,
                        .known = &known,
                        .options = &options};
    ezlda_context_set_threads(context, threads);
    CHECK_OK(context, ez_topic_weights_make(&weights, context, model));
    CHECK_OK(context, ez_known_words_make(&known, context, model, corpus));
    CHECK_OK(context, ez_left_to_right_docs(&sums, context, &held));
    ez_known_words_free(&known);
    ez_topic_weights_free(&weights);
    ezlda_model_free(model);
    ezlda_corpus_free(corpus);
    return sums;
}

static ez_held_out_sums score_example(int threads, uint64_t docs, uint64_t seed)
{
    return score_tokens(threads, docs, seed, 0);
}

TEST(threads_do_not_matter)
{
    ez_held_out_sums one = score_example(1, 0, 5), four = score_example(4, 0, 5),
                     other = score_example(4, 0, 6);
    CHECK_EQ(memcmp(&one, &four, sizeof one), 0);
    CHECK(one.model.l != other.model.l);
    CHECK(one.unigram.tokens == one.model.tokens && one.unigram.l < 0);
}

TEST(all_documents_or_a_sample)
{
    static example e;
    example_make(&e, 3);
    ez_held_out_sums all = score_example(2, 0, 5), some = score_example(2, 4, 5),
                     other = score_example(2, 4, 6);
    uint64_t empty = 0;
    for (int d = 0; d < EXAMPLE_DOCS; d++)
        empty += e.doc_start[d] == e.doc_start[d + 1];
    CHECK_EQ(all.model.tokens, e.tokens);
    CHECK_EQ(all.docs, EXAMPLE_DOCS - empty);
    CHECK_EQ(all.model.docs, all.docs);
    CHECK_EQ(some.model.docs, 4);
    CHECK_EQ(some.docs, all.docs);
    CHECK(some.model.tokens != other.model.tokens);
}

TEST(long_documents_are_cut)
{
    static example e;
    example_make(&e, 3);
    uint64_t longest = 0, tokens = 0, cut = 0, most = 7;
    for (int d = 0; d < EXAMPLE_DOCS; d++) {
        uint64_t length = e.doc_start[d + 1] - e.doc_start[d];
        longest = length > longest ? length : longest;
        tokens += length < most ? length : most;
        cut += length > most;
    }
    ez_held_out_sums all = score_example(2, 0, 5), same = score_tokens(2, 0, 5, longest);
    ez_held_out_sums some = score_tokens(2, 0, 5, most), again = score_tokens(4, 0, 5, most);
    CHECK_EQ(memcmp(&all, &same, sizeof all), 0);
    CHECK_EQ(memcmp(&some, &again, sizeof some), 0);
    CHECK(cut > 0 && cut < all.docs);
    CHECK_EQ(some.cut, cut);
    CHECK_EQ(some.docs, all.docs);
    CHECK_EQ(some.model.tokens, tokens);
    CHECK_EQ(some.unigram.tokens, tokens);
    CHECK(some.unigram.l > all.unigram.l && some.unigram.l < 0 && some.model.l > all.model.l &&
          some.model.l < 0);
}

TEST_MAIN()
