/* The chain of the posterior: it has the exact posterior, unlike the trainer, the same bits for any
 * number of threads, and the counts of a model that it was not trained on stay. */
#include "check.h"

#include "corpus/corpus.h"
#include "posterior/chain.h"
#include "simulated_prior.h"

enum { BURN_IN = 40, APART = 10 };

static const sim_shape small = {8, 10, 20, 2, 0.5, 0.2}, larger = {32, 40, 20, 3, 0.5, 0.2};

static ezlda_corpus *corpus_of(const simulation *s)
{
    ezlda_context *context = check_context();
    ez_corpus_builder *builder = NULL;
    ezlda_corpus *corpus = NULL;
    char text[SIM_WORDS][8];
    const char *words[SIM_WORDS];
    CHECK_OK(context, ez_corpus_builder_create(&builder, context, NULL, 0));
    for (uint32_t d = 0; d < s->shape.docs; d++) {
        uint32_t word[SIM_WORDS], count[SIM_WORDS];
        size_t n = 0;
        for (uint32_t i = d * s->shape.length; i < (d + 1) * s->shape.length; i++) {
            if (n && word[n - 1] == s->word[i]) {
                count[n - 1]++;
                continue;
            }
            word[n] = s->word[i];
            count[n++] = 1;
        }
        CHECK_OK(context, ez_corpus_builder_add(builder, context, word, count, n, NULL));
    }
    for (uint32_t v = 0; v < s->shape.words; v++) {
        snprintf(text[v], sizeof text[v], "w%u", v);
        words[v] = text[v];
    }
    CHECK_OK(context, ez_corpus_builder_finish(builder, &corpus, context, words, s->shape.words));
    return corpus;
}

static void rows_of(ez_count_rows *rows, uint32_t n, const uint32_t (*table)[SIM_TOPICS])
{
    ezlda_context *context = check_context();
    uint64_t at = 0;
    rows->rows = n;
    CHECK_OK(context, ez_array_zero(&rows->start, context, n + 1, sizeof *rows->start, "rows"));
    CHECK_OK(context, ez_array(&rows->topic, context, n * SIM_TOPICS, sizeof(uint16_t), "rows"));
    CHECK_OK(context, ez_array(&rows->count, context, n * SIM_TOPICS, sizeof(uint32_t), "rows"));
    for (uint32_t r = 0; r < n; r++) {
        for (uint32_t k = 0; k < SIM_TOPICS; k++) {
            if (!table[r][k])
                continue;
            rows->topic[at] = (uint16_t)k;
            rows->count[at++] = table[r][k];
        }
        rows->start[r + 1] = at;
    }
}

static ezlda_model *model_of(const simulation *s, const ezlda_corpus *corpus, bool kept)
{
    ezlda_context *context = check_context();
    ez_corpus_sizes sizes;
    ezlda_model *model = NULL;
    uint32_t topics = s->shape.topics;
    ez_corpus_sizes_of(corpus, &sizes);
    ez_model_parts parts = {.topics = topics,
                            .words = s->shape.words,
                            .docs = s->shape.docs,
                            .tokens = s->tokens,
                            .beta = s->shape.beta,
                            .corpus_hash = sizes.hash};
    CHECK_OK(context, ez_array(&parts.alpha, context, topics, sizeof(double), "alpha"));
    CHECK_OK(context, ez_array(&parts.topic_tokens, context, topics, sizeof(uint64_t), "n"));
    CHECK_OK(context, ez_array(&parts.doc_start, context, s->shape.docs + 1u, 8, "starts"));
    CHECK_OK(context, ez_array(&parts.token_topics, context, s->tokens, 2, "topics"));
    for (uint32_t k = 0; k < topics; k++) {
        parts.alpha[k] = s->shape.alpha;
        parts.topic_tokens[k] = s->n[k];
    }
    for (uint32_t d = 0; d <= s->shape.docs; d++)
        parts.doc_start[d] = (uint64_t)d * s->shape.length;
    memcpy(parts.token_topics, s->topic, s->tokens * sizeof *s->topic);
    if (!kept) {
        ez_free(parts.token_topics);
        parts.token_topics = NULL;
    }
    rows_of(&parts.word_rows, s->shape.words, s->W);
    rows_of(&parts.doc_rows, s->shape.docs, s->D);
    CHECK_OK(context, ez_model_create(&model, context, &parts, corpus));
    return model;
}

static void take_topics(void *user, uint32_t span, const ez_chain_doc *doc)
{
    simulation *s = user;
    (void)span;
    memcpy(s->topic + doc->doc * s->shape.length, doc->topic, doc->tokens * sizeof *doc->topic);
}

static void advance(ez_chain *chain, simulation *s, uint32_t steps)
{
    CHECK_OK(check_context(), ez_chain_steps(chain, check_context(), steps, NULL, NULL));
    CHECK_OK(check_context(), ez_chain_visit(chain, check_context(), take_topics, s));
    sim_count(s);
}

static void calibrate(calibration *all, const sim_shape *shape, uint32_t simulations)
{
    static simulation s;
    double truth[FIGURES], sample[FIGURES][SIM_SAMPLES], now[FIGURES];
    memset(all, 0, FIGURES * sizeof *all);
    ezlda_context_set_threads(check_context(), 1);
    for (uint32_t n = 0; n < simulations; n++) {
        ez_chain *chain = NULL;
        sim_draw(&s, shape, n);
        sim_figures(&s, truth);
        ezlda_corpus *corpus = corpus_of(&s);
        ezlda_model *model = model_of(&s, corpus, true);
        CHECK_OK(check_context(), ez_chain_open(&chain, check_context(), model, corpus, n));
        CHECK(chain && ez_chain_is_own(chain));
        for (uint32_t i = 0; i < SIM_SAMPLES && chain; i++) {
            advance(chain, &s, i ? APART : BURN_IN);
            sim_figures(&s, now);
            for (int j = 0; j < FIGURES; j++)
                sample[j][i] = now[j];
        }
        for (int j = 0; j < FIGURES; j++)
            calibration_add(&all[j], truth[j], sample[j], sim_uniform(&s));
        ez_chain_close(chain);
        ezlda_model_free(model);
        ezlda_corpus_free(corpus);
    }
}

/* The topics that were drawn with the words are a draw from the posterior, so an exact chain that
 * starts there keeps the distribution of every figure. */
TEST(samples_have_the_exact_posterior)
{
    calibration all[FIGURES];
    for (int turn = 0; turn < 2; turn++) {
        calibrate(all, turn ? &larger : &small, turn ? 60 : 600);
        for (int i = 0; i < FIGURES; i++)
            if (fabs(calibration_score(&all[i])) > 4 ||
                calibration_chi_square(&all[i]) > SIM_SAMPLES + 5 * sqrt(2.0 * SIM_SAMPLES))
                CHECK_FAIL("%s: %+.1f standard errors, chi-square %.1f", figure_names[i],
                           calibration_score(&all[i]), calibration_chi_square(&all[i]));
    }
}

TEST(any_number_of_threads_draws_the_same)
{
    static simulation s, other;
    for (int kept = 0; kept < 2; kept++) {
        sim_draw(&s, &larger, 5);
        ezlda_corpus *corpus = corpus_of(&s);
        ezlda_model *model = model_of(&s, corpus, kept);
        for (int threads = 1; threads <= 8; threads += threads + 1) {
            ez_chain *chain = NULL;
            ezlda_context_set_threads(check_context(), threads);
            CHECK_OK(check_context(), ez_chain_open(&chain, check_context(), model, corpus, 3));
            other.shape = s.shape;
            other.tokens = s.tokens;
            memcpy(other.word, s.word, sizeof s.word);
            advance(chain, &other, 7);
            if (threads == 1)
                memcpy(s.topic, other.topic, sizeof s.topic);
            CHECK(memcmp(s.topic, other.topic, s.tokens * sizeof *s.topic) == 0);
            ez_chain_close(chain);
        }
        ezlda_model_free(model);
        ezlda_corpus_free(corpus);
    }
    ezlda_context_set_threads(check_context(), 1);
}

static void count_tokens(void *user, uint32_t span, const ez_chain_doc *doc)
{
    (void)span;
    *(uint64_t *)user += doc->tokens;
}

TEST(documents_that_the_model_has_not_seen)
{
    static simulation s, other;
    uint64_t tokens = 0;
    ez_chain *chain = NULL;
    sim_draw(&s, &larger, 8);
    sim_draw(&other, &small, 9);
    ezlda_corpus *corpus = corpus_of(&s), *unseen = corpus_of(&other);
    ezlda_model *model = model_of(&s, corpus, false);
    CHECK_OK(check_context(), ez_chain_open(&chain, check_context(), model, unseen, 1));
    CHECK(!ez_chain_is_own(chain));
    CHECK_OK(check_context(), ez_chain_steps(chain, check_context(), 5, NULL, NULL));
    CHECK_OK(check_context(), ez_chain_visit(chain, check_context(), count_tokens, &tokens));
    uint64_t known = 0;
    for (uint32_t i = 0; i < other.tokens; i++)
        known += ezlda_model_word_tokens(model, other.word[i]) > 0;
    CHECK_EQ(tokens, known);
    ez_chain_close(chain);
    ezlda_model_free(model);
    ezlda_corpus_free(unseen);
    ezlda_corpus_free(corpus);
}

TEST_MAIN()
