/* Document completion and what it is made of: halves of documents, word probabilities, perplexity;
 * ezlda_evaluate. */
#include "model_example.h"

#include "eval/eval_set.h"
#include "eval/select_key.h"
#include "eval/token_split.h"
#include "model/word_map.h"

/* ---- parts ---- */

static int ascending(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

TEST(selected_keys_are_in_order)
{
    uint64_t state = 1, key[50], sorted[50], work[50];
    for (size_t n = 1; n <= 50; n++) {
        for (size_t i = 0; i < n; i++)
            key[i] = example_draw(&state, n % 2 ? 7 : 1000000); /* with ties, and with few */
        memcpy(sorted, key, sizeof key);
        qsort(sorted, n, sizeof *sorted, ascending);
        for (size_t i = 0; i < n; i++) {
            memcpy(work, key, sizeof key);
            CHECK_EQ(ez_select_key(work, n, i), sorted[i]);
        }
    }
}

enum { SPLIT_WORDS = 4 };
static const uint32_t split_word[SPLIT_WORDS] = {2, 0, 3, 1},
                      split_count[SPLIT_WORDS] = {5, 1, 3, 2};

static void split_once(uint64_t seed, uint64_t doc, const uint64_t *key, uint32_t *out)
{
    ez_token_split split = {0};
    const uint32_t *observed;
    CHECK_OK(check_context(), ez_split_tokens(&split, check_context(), seed, doc, key, split_word,
                                              split_count, SPLIT_WORDS, &observed));
    memcpy(out, observed, SPLIT_WORDS * sizeof *out);
    ez_token_split_free(&split);
}

TEST(every_token_is_as_likely_to_be_observed)
{
    static const uint64_t key[SPLIT_WORDS] = {11, 22, 33, 44};
    enum { TRIES = 20000 };
    uint32_t observed[SPLIT_WORDS], sum[SPLIT_WORDS] = {0};
    for (uint64_t t = 0; t < TRIES; t++) {
        split_once(t % 100, t / 100, key, observed);
        CHECK_EQ(observed[0] + observed[1] + observed[2] + observed[3], 6); /* of 11 */
        for (int i = 0; i < SPLIT_WORDS; i++) {
            CHECK(observed[i] <= split_count[i]);
            sum[i] += observed[i];
        }
    }
    for (int i = 0; i < SPLIT_WORDS; i++) /* the spread of this mean is below 0.004 */
        CHECK_NEAR((double)sum[i] / TRIES / split_count[i], 6.0 / 11, 0.015);
}

TEST(equal_keys_still_make_halves)
{
    static const uint64_t key[SPLIT_WORDS] = {9, 9, 9, 9}; /* words that hash to the same */
    uint32_t observed[SPLIT_WORDS];
    for (uint64_t seed = 0; seed < 50; seed++) {
        split_once(seed, 0, key, observed);
        CHECK_EQ(observed[0] + observed[1] + observed[2] + observed[3], 6);
    }
}

TEST(word_probabilities_are_the_dense_ones)
{
    static example e;
    ezlda_context *context = check_context();
    ez_topic_weights weights = {0};
    example_make(&e, 8);
    ezlda_model *model = example_model(&e);
    const double *alpha = ezlda_model_alpha(model);
    CHECK_OK(context, ez_topic_weights_make(&weights, context, model));
    for (unsigned set = 0; set < 1u << EXAMPLE_TOPICS; set += 3) { /* topics of the document */
        uint32_t topic[EXAMPLE_TOPICS];
        double count[EXAMPLE_TOPICS] = {0}, weight[EXAMPLE_TOPICS], alpha_sum = 0;
        ez_doc_weights doc = {.topic = topic, .weight = weight};
        for (uint32_t k = 0; k < EXAMPLE_TOPICS; k++) {
            alpha_sum += alpha[k];
            if (!(set >> k & 1))
                continue;
            count[k] = 0.5 + k;
            topic[doc.n] = k;
            weight[doc.n] = count[k] * weights.rate[k];
            doc.beta_part += 0.01 * weight[doc.n++];
            doc.total += count[k];
        }
        doc.total += alpha_sum;
        for (uint32_t w = 0; w < EXAMPLE_WORDS; w++) {
            double p = 0;
            for (int k = 0; k < EXAMPLE_TOPICS; k++)
                p += (count[k] + alpha[k]) / doc.total * (e.w[w][k] + 0.01) /
                     ((double)e.n[k] + EXAMPLE_WORDS * 0.01);
            CHECK_NEAR(ez_word_probability(&weights, &doc, w) / p, 1, 1e-12);
        }
    }
    for (uint32_t w = 0; w < EXAMPLE_WORDS; w++)
        CHECK_NEAR(
            weights.unigram[w],
            log(((double)e.word_tokens[w] + 0.01) / ((double)e.tokens + EXAMPLE_WORDS * 0.01)),
            1e-12);
    ez_topic_weights_free(&weights);
    ezlda_model_free(model);
}

/* Documents of one length: the mean of l / n and its usual standard error. */
TEST(errors_are_those_of_a_mean)
{
    static const double l[] = {-60, -70, -62, -66};
    ez_score_sums sums = {0}, exact = {0};
    double mean = 0, square = 0;
    CHECK(isnan(ez_perplexity(&sums)) && isnan(ez_perplexity_error(&sums)));
    for (int i = 0; i < 4; i++) {
        ez_score_add(&sums, 10, l[i]);
        ez_score_add(&exact, (uint64_t)i + 1, -7.0 * (i + 1));
        mean += l[i] / 10 / 4;
    }
    for (int i = 0; i < 4; i++)
        square += (l[i] / 10 - mean) * (l[i] / 10 - mean);
    CHECK_NEAR(ez_perplexity(&sums), exp(-mean), 1e-9);
    CHECK_NEAR(ez_perplexity_error(&sums), exp(-mean) * sqrt(square / 3 / 4), 1e-9);
    CHECK_NEAR(ez_perplexity(&exact), exp(7), 1e-9);
    CHECK_NEAR(ez_perplexity_error(&exact), 0, 1e-4);
}

/* ---- document completion ---- */

enum {
    TINY_TOPICS = 3,
    TINY_WORDS = 50,
    TINY_DOCS = 20000
}; /* documents enough for several rounds of scoring */

static ezlda_corpus *tiny_corpus(void)
{
    ezlda_synth_options options;
    ezlda_corpus *corpus = NULL;
    ezlda_synth_options_init(&options);
    options.docs = TINY_DOCS;
    options.words = TINY_WORDS;
    options.mean_length = 6;
    options.topics = TINY_TOPICS;
    options.seed = 4;
    CHECK_OK(check_context(), ezlda_corpus_synth(&corpus, check_context(), &options));
    return corpus;
}

static ezlda_model *tiny_model(const ezlda_corpus *corpus)
{
    ezlda_train_options options;
    ezlda_model *model = NULL;
    ezlda_train_options_init(&options);
    options.topics = TINY_TOPICS;
    options.iterations = 10;
    options.alpha = 0.3;
    options.device = check_device();
    CHECK_OK(check_context(), ezlda_train(&model, check_context(), corpus, &options));
    return model;
}

static void tiny_options(ezlda_eval_options *options)
{
    ezlda_eval_options_init(options);
    options->measures = EZLDA_MEASURE_COMPLETION;
    options->iterations = 6;
    options->samples = 2;
    options->thin = 3;
    options->seed = 12;
    options->device = check_device();
}

static ezlda_perplexity complete(const ezlda_model *model, const ezlda_corpus *corpus, int threads)
{
    ezlda_context *context = check_context();
    ezlda_eval_options options;
    ezlda_scores *scores = NULL;
    ezlda_scores_info info = {.size = sizeof info};
    tiny_options(&options);
    ezlda_context_set_threads(context, threads);
    CHECK_OK(context, ezlda_evaluate(&scores, context, model, corpus, &options));
    if (scores)
        ezlda_scores_get_info(scores, &info);
    ezlda_scores_free(scores);
    return info.completion;
}

/* The same, computed plainly: two corpora of halves, then dense sums. */
typedef struct dense {
    const ezlda_model *model;
    const ezlda_corpus *scored;
    double l;
    uint64_t tokens, docs;
} dense;

static int score_dense(const ezlda_doc_row *row, void *user)
{
    dense *d = user;
    uint32_t word[TINY_WORDS], count[TINY_WORDS], topic[TINY_TOPICS], in_topic[TINY_TOPICS];
    double theta[TINY_TOPICS];
    const uint64_t *n = ezlda_model_topic_tokens(d->model);
    size_t pairs = ezlda_corpus_document(d->scored, row->doc, word, count, TINY_WORDS);
    ezlda_doc_row_shares(d->model, row, theta);
    d->docs += pairs > 0;
    for (size_t i = 0; i < pairs; i++) {
        double w[TINY_TOPICS] = {0}, p = 0;
        size_t rows = ezlda_model_word_topics(d->model, word[i], topic, in_topic, TINY_TOPICS);
        for (size_t j = 0; j < rows; j++)
            w[topic[j]] = in_topic[j];
        for (int k = 0; k < TINY_TOPICS; k++)
            p += theta[k] * (w[k] + 0.01) / ((double)n[k] + TINY_WORDS * 0.01);
        d->l += count[i] * log(p);
        d->tokens += count[i];
    }
    return 0;
}

/* Halves of a corpus, as corpora of the same words. */
static void make_halves(const ezlda_corpus *corpus, const ezlda_model *model, ezlda_corpus **half)
{
    ezlda_context *context = check_context();
    ez_known_words known = {0};
    ez_corpus_builder *builder[2];
    const char *words[TINY_WORDS];
    ez_token_split split = {0};
    CHECK_OK(context, ez_known_words_make(&known, context, model, corpus));
    for (int h = 0; h < 2; h++)
        CHECK_OK(context, ez_corpus_builder_create(&builder[h], context, NULL, 0));
    for (uint64_t d = 0; d < TINY_DOCS; d++) {
        uint32_t word[TINY_WORDS], count[TINY_WORDS];
        const uint32_t *observed;
        size_t n = ezlda_corpus_document(corpus, d, word, count, TINY_WORDS);
        CHECK_OK(context,
                 ez_split_tokens(&split, context, 12, ez_known_content(&known, word, count, n),
                                 known.key, word, count, n, &observed));
        for (int h = 0; h < 2; h++) {
            uint32_t kept[TINY_WORDS], tokens[TINY_WORDS];
            size_t m = 0;
            for (size_t i = 0; i < n; i++) {
                kept[m] = word[i];
                tokens[m] = h ? count[i] - observed[i] : observed[i];
                m += tokens[m] > 0;
            }
            CHECK_OK(context, ez_corpus_builder_add(builder[h], context, kept, tokens, m, NULL));
        }
    }
    for (uint32_t w = 0; w < TINY_WORDS; w++)
        words[w] = ezlda_corpus_word(corpus, w);
    for (int h = 0; h < 2; h++)
        CHECK_OK(context,
                 ez_corpus_builder_finish(builder[h], &half[h], context, words, TINY_WORDS));
    ez_token_split_free(&split);
    ez_known_words_free(&known);
}

/* The corpus without tokens of some words. */
static ezlda_corpus *without_words(const ezlda_corpus *corpus)
{
    ezlda_context *context = check_context();
    ez_corpus_builder *builder;
    const char *words[TINY_WORDS];
    ezlda_corpus *out = NULL;
    CHECK_OK(context, ez_corpus_builder_create(&builder, context, NULL, 0));
    for (uint64_t d = 0; d < TINY_DOCS; d++) {
        uint32_t word[TINY_WORDS], count[TINY_WORDS];
        size_t n = ezlda_corpus_document(corpus, d, word, count, TINY_WORDS), kept = 0;
        for (size_t i = 0; i < n; i++)
            if (word[i] % 7) {
                word[kept] = word[i];
                count[kept++] = count[i];
            }
        CHECK_OK(context, ez_corpus_builder_add(builder, context, word, count, kept, NULL));
    }
    for (uint32_t w = 0; w < TINY_WORDS; w++)
        words[w] = ezlda_corpus_word(corpus, w);
    CHECK_OK(context, ez_corpus_builder_finish(builder, &out, context, words, TINY_WORDS));
    return out;
}

/* Words that the model's vocabulary has and its training had not are scored, too. */
TEST(completion_is_the_dense_sum)
{
    ezlda_context *context = check_context();
    ezlda_corpus *corpus = tiny_corpus(), *half[2] = {NULL, NULL}, *fewer = without_words(corpus);
    ezlda_model *model = tiny_model(fewer);
    ezlda_corpus_free(fewer);
    ezlda_perplexity one = complete(model, corpus, 1), three = complete(model, corpus, 3);
    ezlda_infer_options options;
    make_halves(corpus, model, half);
    dense d = {.model = model, .scored = half[1]};
    ezlda_infer_options_init(&options);
    options.iterations = 6;
    options.samples = 2;
    options.thin = 3;
    options.seed = 12;
    options.device = check_device();
    CHECK_OK(context, ezlda_infer(NULL, context, model, half[0], &options, score_dense, &d));
    CHECK(d.docs > 18000 && one.docs == d.docs);
    CHECK_EQ(one.tokens, d.tokens);
    CHECK_NEAR(one.log_likelihood / d.l, 1, 1e-10);
    CHECK_NEAR(one.perplexity, exp(-d.l / (double)d.tokens), 1e-6);
    CHECK(one.error > 0 && one.unigram > 1);
    one.seconds = three.seconds = 0;
    CHECK_EQ(memcmp(&one, &three, sizeof one), 0);
    ezlda_corpus_free(half[0]);
    ezlda_corpus_free(half[1]);
    ezlda_model_free(model);
    ezlda_corpus_free(corpus);
}

/* ---- ezlda_evaluate ---- */

/* The example's documents with a new word in front, which increases all word numbers by one. */
static ezlda_corpus *with_new_word(const ezlda_corpus *corpus, const char *text)
{
    ezlda_context *context = check_context();
    ezlda_corpus *out = NULL;
    ez_corpus_builder *builder = NULL;
    const char *words[EXAMPLE_WORDS + 1] = {text};
    CHECK_OK(context, ez_corpus_builder_create(&builder, context, NULL, 0));
    for (uint64_t d = 0; d < EXAMPLE_DOCS; d++) {
        uint32_t word[EXAMPLE_WORDS + 1] = {0}, count[EXAMPLE_WORDS + 1] = {3};
        size_t n = ezlda_corpus_document(corpus, d, word + 1, count + 1, EXAMPLE_WORDS);
        for (size_t i = 1; i <= n; i++)
            word[i]++;
        CHECK_OK(context, ez_corpus_builder_add(builder, context, word, count, n + 1, NULL));
    }
    for (uint32_t w = 0; w < EXAMPLE_WORDS; w++)
        words[w + 1] = ezlda_corpus_word(corpus, w);
    CHECK_OK(context, ez_corpus_builder_finish(builder, &out, context, words, EXAMPLE_WORDS + 1));
    return out;
}

TEST(unknown_words_change_nothing)
{
    static example e;
    ezlda_context *context = check_context();
    ezlda_scores_info info[2] = {{.size = sizeof *info}, {.size = sizeof *info}};
    ezlda_eval_options options;
    example_make(&e, 6);
    ezlda_model *model = example_model(&e);
    ezlda_corpus *corpus[2] = {example_corpus(&e, 0)};
    corpus[1] = with_new_word(corpus[0], "a new word");
    tiny_options(&options);
    options.measures = EZLDA_MEASURE_ALL;
    options.resample = 20;
    for (int i = 0; i < 2; i++) {
        ezlda_scores *scores = NULL;
        CHECK_OK(context, ezlda_evaluate(&scores, context, model, corpus[i], &options));
        if (scores)
            ezlda_scores_get_info(scores, &info[i]);
        ezlda_scores_free(scores);
        ezlda_corpus_free(corpus[i]);
    }
    CHECK_EQ(info[0].unknown_tokens, 0);
    CHECK_EQ(info[1].unknown_tokens, 3 * EXAMPLE_DOCS);
    CHECK_EQ(info[1].unknown_words, info[0].unknown_words + 1);
    CHECK_EQ(info[0].tokens, info[1].tokens);
    CHECK_EQ(info[0].tokens, e.tokens);
    CHECK_NEAR(info[0].llpt, info[1].llpt, 1e-12);
    CHECK_NEAR(info[0].completion.perplexity, info[1].completion.perplexity, 1e-9);
    CHECK_NEAR(info[0].completion.unigram, info[1].completion.unigram, 1e-9);
    CHECK_NEAR(info[0].left_to_right.perplexity, info[1].left_to_right.perplexity, 1e-9);
    CHECK_NEAR(info[0].u_mass, info[1].u_mass, 1e-9);
    ezlda_model_free(model);
}

static int stop_at_once(const ezlda_eval_progress *progress, void *user)
{
    *(unsigned *)user |= progress->measure;
    return 1;
}

TEST(failures_say_why)
{
    static example e;
    ezlda_context *context = check_context();
    ezlda_eval_options options;
    ezlda_scores *scores = NULL;
    const uint64_t row_start[] = {0, 0};
    const char *foreign[] = {"foreign"};
    unsigned seen = 0;
    example_make(&e, 6);
    ezlda_model *model = example_model(&e);
    ezlda_corpus *corpus = example_corpus(&e, 0), *empty = NULL, *other = NULL;
    CHECK_OK(context, ezlda_corpus_from_csr(&empty, context, 1, 0, row_start, NULL, NULL, NULL));
    CHECK_OK(context, ezlda_corpus_from_csr(&other, context, 1, 1, (const uint64_t[]){0, 1},
                                            (const uint32_t[]){0}, (const uint32_t[]){2}, foreign));
    tiny_options(&options);
    CHECK_FAILS(context, ezlda_evaluate(&scores, context, model, empty, &options), "no tokens");
    CHECK_FAILS(context, ezlda_evaluate(&scores, context, model, other, &options),
                "knows none of the corpus' words");
    options.measures = 0;
    CHECK_FAILS(context, ezlda_evaluate(&scores, context, model, corpus, &options),
                "measures is 0");
    options.measures = EZLDA_MEASURE_LEFT_TO_RIGHT;
    options.particles = 0;
    CHECK_FAILS(context, ezlda_evaluate(&scores, context, model, corpus, &options),
                "particles is 0");
    options.size = 3;
    CHECK_FAILS(context, ezlda_evaluate(&scores, context, model, corpus, &options),
                "ezlda_eval_options_init");
    tiny_options(&options);
    options.samples = 7;
    CHECK_FAILS(context, ezlda_evaluate(&scores, context, model, corpus, &options), "samples");
    tiny_options(&options);
    options.iterations = 10;
    options.progress = stop_at_once;
    options.user = &seen;
    for (unsigned measure = 1; measure < EZLDA_MEASURE_COHERENCE; measure *= 2) {
        options.measures = measure;
        CHECK_EQ(ezlda_evaluate(&scores, context, model, corpus, &options), EZLDA_ERROR_STOPPED);
    }
    CHECK_EQ(seen, EZLDA_MEASURE_LLPT | EZLDA_MEASURE_COMPLETION | EZLDA_MEASURE_LEFT_TO_RIGHT);
    CHECK(scores == NULL);
    ezlda_corpus_free(corpus);
    ezlda_corpus_free(empty);
    ezlda_corpus_free(other);
    ezlda_model_free(model);
}

TEST_MAIN()
