/* Inference with a fixed W: each document goes through all iterations at once, and the result is
 * that of the reference, which does one iteration after the other. */
#include "base_rows.h"
#include "device_ways.h"

#include "backend/sampling.h"

typedef struct sampled {
    uint16_t *topic; /* samples * tokens */
    int64_t score;
    uint64_t docs; /* as last reported */
    uint32_t reports, most;
    ezlda_status status;
} sampled;

static ezlda_status count_report(uint64_t docs, void *user)
{
    sampled *s = user;
    s->docs = docs;
    return ++s->reports < s->most ? EZLDA_OK : EZLDA_ERROR_STOPPED;
}

/* iterations, samples and thin of `plan`; most: reports until one says stop. */
static sampled run_sampling(const ez_backend_ops *ops, ez_token_list *tokens,
                            const ez_settings *settings, int threads, ez_sampling plan,
                            uint32_t most)
{
    ezlda_context *context = check_context();
    ez_backend *backend = NULL;
    sampled out = {.topic = calloc(tokens->tokens * plan.samples + 1, sizeof *out.topic),
                   .most = most};
    ezlda_context_set_threads(context, threads);
    CHECK_OK(context, ops->create(&backend, context, tokens, settings, NULL));
    plan.topic = out.topic;
    plan.progress = count_report;
    plan.user = &out;
    out.status = ez_sample(backend, context, tokens, &plan);
    out.score = plan.score;
    ops->free(backend);
    return out;
}

static const ez_sampling plan = {.iterations = 5, .samples = 2, .thin = 3};

/* The start topics of all tokens: some that their words do not have. */
static uint16_t *start_topics(const ez_token_list *tokens, const base_rows *base, uint32_t topics)
{
    uint16_t *out = calloc(tokens->tokens + 1, sizeof *out);
    for (uint64_t i = 0; i < tokens->tokens; i++) {
        uint64_t first = base->start[tokens->word[i]], n = base->start[tokens->word[i] + 1] - first;
        out[i] = ez_mix(i) % 3 ? base->topic[first + ez_mix(i + 7) % n]
                               : (uint16_t)(ez_mix(i + 9) % topics);
    }
    return out;
}

/* Every format and instruction set against the reference. */
static void check_sampling(const char *what, ez_token_list *tokens, base_rows *base,
                           ez_settings settings)
{
    uint16_t *start = start_topics(tokens, base, settings.topics);
    settings.base = &base->counts;
    settings.fixed = true;
    settings.start_topics = start;
    sampled expected = run_sampling(&ez_reference_backend, tokens, &settings, 1, plan, UINT32_MAX);
    CHECK_OK(check_context(), expected.status);
    for (int i = 0; i < SETS * 3; i++) {
        const char *set = instruction_sets[i / 3];
        if (!runs_here(set))
            continue;
        settings.w_format = (ezlda_w_format)(i % 3);
        setenv("EZLDA_SIMD", set, 1);
        sampled got =
            run_sampling(backend_under_test(), tokens, &settings, 1 + i % 3, plan, UINT32_MAX);
        CHECK_OK(check_context(), got.status);
        if (memcmp(got.topic, expected.topic, tokens->tokens * plan.samples * sizeof *got.topic) !=
            0)
            CHECK_FAIL("%s: K %u, %s, format %d: other topics", what, settings.topics, set, i % 3);
        CHECK_EQ(got.score, expected.score);
        free(got.topic);
    }
    unsetenv("EZLDA_SIMD");
    free(expected.topic);
    free(start);
}

static const random_shape small = {.seed = 3, .docs = 60, .words = 90, .mean_length = 40};
static const random_shape skewed = {
    .seed = 4, .docs = 30, .words = 12, .mean_length = 60, .long_document = 1500};

static void check_drawn(const random_shape *shape, uint32_t topics, uint32_t entries, float alpha,
                        float beta)
{
    ez_token_list *tokens = random_tokens(check_context(), shape);
    base_rows base = make_base(tokens->words, topics, 1, entries, 9);
    check_sampling("shape", tokens, &base, make_settings(topics, alpha, topics % 2, beta));
    free_base(&base);
    ez_token_list_free(tokens);
}

TEST(documents_taken_whole)
{
    static const uint32_t topics[] = {1, 2, 7, 8, 9, 60, 301, 1100};
    for (int i = 0; i < 16; i += brief() ? 5 : 1)
        check_drawn(i % 2 ? &skewed : &small, topics[i / 2], i % 3 ? 40 : 3, i % 5 ? 0.1f : 2,
                    i % 4 ? 0.01f : 1);
}

/* Draws that are keyed by the documents' words, for whole documents and one iteration at a time. */
TEST(documents_keyed_by_content)
{
    for (int i = 0; i < 2; i++) {
        random_shape shape = i ? skewed : small;
        shape.long_document = i ? 66000 : 0;
        shape.docs = i ? 9 : 40;
        ez_token_list *tokens = random_tokens(check_context(), &shape);
        CHECK_OK(check_context(), ez_token_list_key_documents(tokens, check_context()));
        base_rows base = make_base(tokens->words, 20, 1, 5, 9);
        check_sampling("keyed", tokens, &base, make_settings(20, 0.1f, false, 0.01f));
        free_base(&base);
        ez_token_list_free(tokens);
    }
}

TEST(topics_of_sixteen_bits)
{
    random_shape shape = small;
    shape.docs = 8;
    check_drawn(&shape, 40000, 40, 0.01f, 0.01f);
}

/* Words, and their rows, in the order of what the rows add up to, as a model's are. */
static ez_token_list *order_by_rows(const ez_token_list *drawn, base_rows *base)
{
    uint32_t words = drawn->words;
    uint64_t *sum = calloc(words, sizeof *sum), *start = calloc((size_t)words + 1, sizeof *start);
    uint16_t *topic = calloc(base->start[words] + 1, sizeof *topic);
    uint32_t *count = calloc(base->start[words] + 1, sizeof *count);
    for (uint32_t v = 0; v < words; v++)
        for (uint64_t i = base->start[v]; i < base->start[v + 1]; i++)
            sum[v] += base->count[i];
    ez_token_list *tokens = part_of_tokens(drawn, 0, drawn->docs, sum);
    for (uint32_t v = 0; v < words; v++) {
        uint64_t from = base->start[tokens->original[v]],
                 n = base->start[tokens->original[v] + 1] - from;
        memcpy(topic + start[v], base->topic + from, n * sizeof *topic);
        memcpy(count + start[v], base->count + from, n * sizeof *count);
        start[v + 1] = start[v] + n;
    }
    free(sum);
    free_base(base);
    *base = (base_rows){
        .counts = {start, topic, count, NULL}, .start = start, .topic = topic, .count = count};
    return tokens;
}

/* Counts of words, and of a document, that an entry does not hold. */
TEST(large_counts)
{
    random_shape shape = {
        .seed = 5, .docs = 9, .words = 20, .mean_length = 30, .long_document = 66000};
    ez_token_list *tokens = random_tokens(check_context(), &shape);
    base_rows base = make_base(tokens->words, 5, 1, 2, 1);
    check_sampling("a long document", tokens, &base, make_settings(5, 0.1f, false, 0.01f));
    free_base(&base);
    ez_token_list_free(tokens);
    ez_token_list *drawn = random_tokens(check_context(), &small);
    base = make_base(drawn->words, 60, 1, 12, 300000);
    tokens = order_by_rows(drawn, &base);
    check_sampling("frequent words", tokens, &base, make_settings(60, 0.1f, false, 0.01f));
    free_base(&base);
    ez_token_list_free(tokens);
    ez_token_list_free(drawn);
}

TEST(a_report_can_stop_it)
{
    ez_token_list *tokens = random_tokens(check_context(), &small);
    base_rows base = make_base(tokens->words, 9, 1, 5, 9);
    ez_settings settings = make_settings(9, 0.1f, false, 0.01f);
    settings.base = &base.counts;
    settings.fixed = true;
    settings.start_topics = start_topics(tokens, &base, 9);
    ez_sampling longer = plan;
    longer.iterations = 20;
    sampled stopped = run_sampling(backend_under_test(), tokens, &settings, 2, longer, 1);
    CHECK_EQ(stopped.status, EZLDA_ERROR_STOPPED);
    CHECK(stopped.docs > 0 && stopped.docs <= tokens->docs);
    sampled whole = run_sampling(backend_under_test(), tokens, &settings, 2, longer, UINT32_MAX);
    CHECK_EQ(whole.docs, tokens->docs);
    free(stopped.topic);
    free(whole.topic);
    free((uint16_t *)settings.start_topics);
    free_base(&base);
    ez_token_list_free(tokens);
}

TEST_MAIN()
