/* The arithmetic against the paper's own figures and against exact probabilities. */
#include "check.h"

#include "backend/reference/line.h"
#include "random_tokens.h"
#include "sampler/log2_fixed.h"

enum { MOST = 64 };

typedef struct word {
    uint32_t w[MOST];
    uint64_t q[MOST];
    uint8_t top[MOST];
    float f[MOST];
    ez_word_weights weights;
} word;

static void weigh(word *out, uint32_t topics, const uint32_t *count, const uint64_t *topic_tokens,
                  uint32_t words, float alpha, float beta)
{
    float rate[MOST], alphas[MOST];
    for (uint32_t k = 0; k < topics; k++) {
        rate[k] = ez_topic_rate(topic_tokens[k], words, beta);
        alphas[k] = alpha;
    }
    out->weights =
        (ez_word_weights){.topics = topics, .w = out->w, .q = out->q, .is_top = out->top};
    ez_weigh_word(&out->weights, count, rate, alphas, beta, EZ_WEIGHT_BITS_MAX, out->f);
}

/* Section "LDA Algorithm and Theory", the token {0, 2, 1}: word 0, document 2. The paper's third
 * prefix sum of the S tree, 0.3467, cannot be: D[2][2] is 0; its last one is right. */
TEST(the_papers_running_example)
{
    static const uint32_t w0[] = {0, 1, 1, 0}, d2[] = {1, 1, 0, 1};
    static const uint64_t sums[] = {2, 3, 1, 1};
    static const double q_paper[] = {0.0818, 5.6295, 21.8485, 22.0088};
    word word0;
    weigh(&word0, 4, w0, sums, 4, 16.7f, 0.01f);
    double scale = (double)word0.weights.record.scale, s = 0, q = 0, s_through[4];
    for (int k = 0; k < 4; k++) {
        CHECK_NEAR(word0.w[k] / scale, (w0[k] + 0.01) / ((double)sums[k] + 0.04), 1e-6);
        q += (double)word0.q[k] / scale / (1 << EZ_ALPHA_BITS);
        s += d2[k] * (word0.w[k] / scale);
        s_through[k] = s;
        CHECK_NEAR(q, q_paper[k], 1e-3);
    }
    CHECK_NEAR(s_through[0], 0.0049, 1e-4);
    CHECK_NEAR(s_through[1], 0.3371, 1e-4);
    CHECK_NEAR(s_through[3], 0.3467, 1e-4);
    CHECK_NEAR((1 - 0.51) * (s + q), 10.9542, 1e-3);
    uint32_t row[EZ_ROW_STEP] = {ez_entry(0, 1), ez_entry(1, 1), ez_entry(3, 1)};
    ez_line line;
    ez_make_line(&line, &word0.weights, row, EZ_ROW_STEP, -1);
    CHECK_NEAR((double)line.total / scale / (1 << EZ_ALPHA_BITS), 22.0088 + 0.3467, 2e-3);
    CHECK_EQ(
        ez_find_on_line(&line, &word0.weights, row, EZ_ROW_STEP, -1, (uint64_t)(0.51 * 0x1p64)), 2);
}

/* Figure on three-branch sampling: What has 4.5 and 0.3 on top (K1 = 3, K2 = 1) and C1 = 2; M
 * = 16.22 then gives alpha = 1.6044. The text leaves C2, a3 and the document's length open: C2 = 9,
 * a3 = 0.21 and one more token make S_est = 2.91. */
TEST(the_papers_three_branch_figure)
{
    const double unit = 0x1p20, alpha = 1.6044;
    ez_word_record record = {
        .topic = {3, 1, 0},
        .weight = {(uint32_t)(4.5 * unit), (uint32_t)(0.3 * unit), (uint32_t)(0.21 * unit)}};
    uint64_t part[EZ_TOP] = {0};
    for (int i = 0; i < 3; i++)
        part[i] = ez_alpha_weight(record.weight[i], ez_alpha_scaled((float)alpha));
    uint32_t count[EZ_TOP] = {2, 9};
    double in_line = unit * (1 << EZ_ALPHA_BITS);
    double m = (double)ez_branch(record.weight[0], count[0], part[0]) / in_line;
    CHECK_NEAR(m, 16.22, 1e-3);
    const int g = 2;
    uint64_t rest = 1;
    double s_est = (0.3 * 9 + 0.21 * (double)rest), q = (0.3 + 0.21) * alpha;
    CHECK_NEAR(s_est, 2.91, 1e-9);
    double limit = m / (m + s_est + q);
    CHECK_EQ(ez_decide(&record, count, part, g, rest, (uint64_t)((limit - 1e-5) * 0x1p64), 1), 0);
    CHECK_EQ(ez_decide(&record, count, part, g, rest, (uint64_t)((limit + 1e-5) * 0x1p64), 1),
             EZ_UNDECIDED);
}

static double chi_square(const uint64_t *seen, const double *expected, uint32_t n, uint64_t draws,
                         uint32_t *freedom)
{
    double sum = 0;
    *freedom = 0;
    for (uint32_t k = 0; k < n; k++) {
        double e = expected[k] * (double)draws;
        if (e < 5)
            continue;
        sum += ((double)seen[k] - e) * ((double)seen[k] - e) / e;
        ++*freedom;
    }
    return sum;
}

/* Mean n, variance 2n: eight standard deviations are out of reach of chance. */
static void check_fit(const uint64_t *seen, const double *expected, uint32_t n, uint64_t draws)
{
    uint32_t freedom;
    double x = chi_square(seen, expected, n, draws, &freedom);
    if (!(x < freedom + 8 * sqrt(2.0 * freedom)))
        CHECK_FAIL("chi-square %.1f with %u cells", x, freedom);
}

TEST(draws_follow_the_exact_conditional)
{
    enum { K = 24, DRAWS = 400000 };
    for (int own = -1; own < K; own += 5) {
        uint32_t count[K], row[2 * EZ_ROW_STEP] = {0}, entries = 0;
        uint64_t sums[K], seen[K] = {0};
        double p[K], total = 0;
        for (uint32_t k = 0; k < K; k++) {
            count[k] = (uint32_t)(ez_mix(k + 5) % 40) * (k % 3 != 0);
            sums[k] = count[k] + ez_mix(k + 99) % 500;
            uint32_t d = (uint32_t)(ez_mix(k + 7) % 6) + ((int)k == own);
            if (d > 0)
                row[entries++] = ez_entry(k, d);
            p[k] = (d - ((int)k == own) + 0.5) * (count[k] + 0.01) / ((double)sums[k] + 100 * 0.01);
            total += p[k];
        }
        word v;
        weigh(&v, K, count, sums, 100, 0.5f, 0.01f);
        ez_line line;
        ez_make_line(&line, &v.weights, row, 2 * EZ_ROW_STEP, own);
        for (uint32_t i = 0; i < DRAWS; i++) {
            uint64_t u = ez_draw(ez_word_key(ez_iteration_key(3, 1), 9), i, 0);
            uint32_t k = ez_find_on_line(&line, &v.weights, row, 2 * EZ_ROW_STEP, own, u);
            CHECK(k < K);
            seen[k < K ? k : 0]++;
        }
        for (uint32_t k = 0; k < K; k++)
            p[k] /= total;
        check_fit(seen, p, K, DRAWS);
    }
}

/* Topics of one token over many iterations from one state, by the whole backend. */
TEST(the_backend_draws_the_exact_conditional)
{
    enum { K = 10, DRAWS = 20000 };
    ezlda_context *context = check_context();
    ez_token_list *tokens = random_tokens(
        context, &(random_shape){.seed = 9, .docs = 7, .words = 12, .mean_length = 14});
    float alpha[K];
    ez_settings settings = {.topics = K,
                            .seed = 3,
                            .priors.alpha = alpha,
                            .priors.beta = 0.01f,
                            .start = EZLDA_START_RANDOM};
    for (int k = 0; k < K; k++)
        settings.priors.alpha_sum += (double)(alpha[k] = 0.4f);
    const ez_backend_ops *ops = backend_under_test();
    ez_backend *backend = NULL;
    CHECK_OK(context, ops->create(&backend, context, tokens, &settings, NULL));
    CHECK_OK(context, ops->start(backend, context));
    uint16_t *topic = calloc(tokens->tokens, sizeof *topic);
    CHECK_OK(context, ops->topics(backend, context, topic));
    uint64_t doc = 5, token = tokens->doc_start[doc] + 2, seen[K] = {0};
    CHECK(token < tokens->doc_start[doc + 1]);
    double p[K], sum = 0;
    for (uint32_t k = 0; k < K; k++) {
        double n = 0, w = 0, d = 0;
        for (uint64_t i = 0; i < tokens->tokens; i++) {
            n += topic[i] == k;
            w += topic[i] == k && tokens->word[i] == tokens->word[token];
            d += topic[i] == k && i >= tokens->doc_start[doc] && i < tokens->doc_start[doc + 1] &&
                 i != token;
        }
        sum += p[k] = (d + 0.4) * (w + 0.01) / (n + tokens->words * 0.01);
    }
    for (uint32_t k = 0; k < K; k++)
        p[k] /= sum;
    ez_iteration done;
    for (uint32_t i = 1; i <= DRAWS; i++) {
        CHECK_OK(context, ops->start(backend, context));
        CHECK_OK(context, ops->iterate(backend, context, i, &done));
        CHECK_OK(context, ops->topics(backend, context, topic));
        seen[topic[token]]++;
    }
    check_fit(seen, p, K, DRAWS);
    ops->free(backend);
    free(topic);
    ez_token_list_free(tokens);
}

/* The paper's LLPT in doubles, from the topics alone. */
static double plain_llpt(const ez_token_list *t, const uint16_t *topic, uint32_t topics,
                         double alpha, double beta)
{
    double *w = calloc((size_t)t->words * topics, sizeof *w), *n = calloc(topics, sizeof *n),
           sum = 0;
    for (uint64_t i = 0; i < t->tokens; i++) {
        w[(size_t)t->word[i] * topics + topic[i]]++;
        n[topic[i]]++;
    }
    for (uint64_t d = 0; d < t->docs; d++)
        for (uint64_t i = t->doc_start[d]; i < t->doc_start[d + 1]; i++) {
            double p = 0, length = (double)(t->doc_start[d + 1] - t->doc_start[d]);
            for (uint32_t k = 0; k < topics; k++) {
                double count = 0;
                for (uint64_t j = t->doc_start[d]; j < t->doc_start[d + 1]; j++)
                    count += topic[j] == k;
                p += (count + alpha) / (length + topics * alpha) *
                     (w[(size_t)t->word[i] * topics + k] + beta) / (n[k] + t->words * beta);
            }
            sum += log2(p);
        }
    free(w);
    free(n);
    return sum / (double)t->tokens;
}

TEST(llpt_is_the_papers)
{
    enum { K = 15 };
    ezlda_context *context = check_context();
    ez_token_list *tokens = random_tokens(
        context, &(random_shape){.seed = 8, .docs = 30, .words = 60, .mean_length = 25});
    float alpha[K];
    ez_settings settings = {.topics = K, .seed = 3, .priors.alpha = alpha, .priors.beta = 0.01f};
    for (int k = 0; k < K; k++)
        settings.priors.alpha_sum += (double)(alpha[k] = 50.0f / K);
    const ez_backend_ops *ops = backend_under_test();
    ez_backend *backend = NULL;
    ez_iteration done;
    int64_t score;
    uint16_t *topic = calloc(tokens->tokens, sizeof *topic);
    CHECK_OK(context, ops->create(&backend, context, tokens, &settings, NULL));
    CHECK_OK(context, ops->start(backend, context));
    for (uint32_t i = 1; i <= 5; i++) {
        CHECK_OK(context, ops->iterate(backend, context, i, &done));
        CHECK_OK(context, ops->score(backend, context, &score));
        CHECK_OK(context, ops->topics(backend, context, topic));
        CHECK_NEAR((double)score / (1 << EZ_LOG2_BITS) / (double)tokens->tokens,
                   plain_llpt(tokens, topic, K, 50.0 / K, 0.01), 1e-5);
    }
    ops->free(backend);
    free(topic);
    ez_token_list_free(tokens);
}

TEST(log2_in_fixed_point)
{
    int64_t sum = 0;
    for (uint64_t i = 0; i < 100000; i++) {
        uint64_t x = ez_mix(i) >> i % 64 | 1;
        sum += ez_log2_fixed(x);
        CHECK_NEAR((double)ez_log2_fixed(x) / (1 << EZ_LOG2_BITS), log2((double)x), 2e-6);
    }
    /* Part of the contract: scores are compared to the last bit. */
    CHECK_EQ(sum, 3258314030830);
}

/* B leaves room for every sum below 2^63. */
TEST(weight_bits_leave_room)
{
    CHECK_EQ(ez_weight_bits(1000, 50), 30);
    for (uint64_t longest = 1; longest < (uint64_t)1 << 33; longest *= 3)
        for (double alpha_sum = 0.001; alpha_sum < 7e6; alpha_sum *= 10) {
            int bits = ez_weight_bits(longest, alpha_sum);
            CHECK(bits > 8 && bits <= 30);
            CHECK(ldexp((double)longest + alpha_sum * 1.0001, bits + EZ_ALPHA_BITS) + 65536 <
                  0x1p63);
        }
}

TEST_MAIN()
