/* An update: W is that of the past and the new documents, whatever the device, and counts are
 * forgotten in proportion. */
#include "check.h"
#include "crafted_model.h"

#include "corpus/corpus.h"
#include "model/model_layout.h"
#include "model/word_map.h"
#include "train/training.h"
#include "train/update/update_words.h"

enum { TOPICS = 9 };

static ezlda_corpus *drawn(uint64_t docs, uint32_t words, uint64_t seed)
{
    ezlda_synth_options options;
    ezlda_synth_options_init(&options);
    options.docs = docs;
    options.words = words;
    options.mean_length = 50;
    options.topics = TOPICS;
    options.seed = seed;
    ezlda_corpus *corpus = NULL;
    CHECK_OK(check_context(), ezlda_corpus_synth(&corpus, check_context(), &options));
    return corpus;
}

static ezlda_train_options options_on(const char *device, uint32_t iterations)
{
    ezlda_train_options options;
    ezlda_train_options_init(&options);
    options.topics = TOPICS;
    options.iterations = iterations;
    options.device = device;
    options.keep_topics = 1;
    options.eval_every = 0;
    return options;
}

static ezlda_model *trained(const ezlda_corpus *corpus, uint32_t iterations)
{
    ezlda_train_options options = options_on("cpu", iterations);
    ezlda_model *model = NULL;
    CHECK_OK(check_context(), ezlda_train(&model, check_context(), corpus, &options));
    return model;
}

static ezlda_model *updated(const ezlda_model *model, const ezlda_corpus *corpus,
                            const ezlda_train_options *train, double decay)
{
    ezlda_update_options options;
    ezlda_update_options_init(&options);
    options.train = train;
    options.decay = decay;
    options.new_word_docs = 1;
    ezlda_model *result = NULL;
    CHECK_OK(check_context(), ezlda_update(&result, check_context(), model, corpus, &options));
    return result;
}

static uint32_t count_of(const ezlda_model *model, uint32_t word, uint32_t topic)
{
    uint32_t found[TOPICS], count[TOPICS];
    size_t n = ezlda_model_word_topics(model, word, found, count, TOPICS);
    for (size_t i = 0; i < n; i++)
        if (found[i] == topic)
            return count[i];
    return 0;
}

/* The number of a word of one model in another one. */
static uint32_t number_in(const ezlda_model *model, const char *word)
{
    for (uint32_t v = 0; v < model->meta->words; v++)
        if (strcmp(ezlda_model_word(model, v), word) == 0)
            return v;
    return EZ_NO_WORD;
}

/* Adds the topics of a document's tokens to W. A model's tokens have its words in their order. */
static void count_document(uint32_t (*w)[TOPICS], const ezlda_model *model, uint64_t doc,
                           const uint32_t *tokens)
{
    const uint16_t *topic = ezlda_model_token_topics(model, doc);
    for (uint32_t v = 0; v < model->meta->words; v++)
        for (uint32_t j = 0; j < tokens[v]; j++)
            w[v][*topic++]++;
}

/* W of the documents alone, from the topics of their tokens; words are numbered as in the model. */
static void count_documents(uint32_t (*w)[TOPICS], const ezlda_model *model,
                            const ezlda_corpus *corpus)
{
    uint32_t start[EZ_CORPUS_BLOCK + 1];
    uint64_t pairs, most, doc = 0;
    ez_corpus_largest_block(corpus, &pairs, &most);
    uint32_t *word = calloc(pairs, sizeof *word), *count = calloc(pairs, sizeof *count);
    for (uint64_t b = 0; b < ez_corpus_blocks(corpus); b++) {
        uint32_t docs = ez_corpus_decode(corpus, b, start, word, count);
        for (uint32_t d = 0; d < docs; d++, doc++) {
            uint32_t *tokens = calloc(model->meta->words, sizeof *tokens);
            for (uint32_t i = start[d]; i < start[d + 1]; i++)
                tokens[number_in(model, ezlda_corpus_word(corpus, word[i]))] += count[i];
            count_document(w, model, doc, tokens);
            free(tokens);
        }
    }
    free(word);
    free(count);
}

TEST(counts_are_those_of_both)
{
    enum { WORDS = 300 };
    static uint32_t w[WORDS][TOPICS];
    ezlda_corpus *first = drawn(200, 250, 1), *second = drawn(80, WORDS, 2);
    ezlda_model *before = trained(first, 120);
    ezlda_train_options train = options_on("cpu", 110);
    ezlda_model *after = updated(before, second, &train, 1);
    ezlda_model_info old = {.size = sizeof old}, new = {.size = sizeof new};
    ezlda_model_get_info(before, &old);
    ezlda_model_get_info(after, &new);
    CHECK_EQ(new.docs, 80);
    CHECK_EQ(new.past_docs, 200);
    CHECK_EQ(new.updates, 1);
    CHECK_EQ(new.tokens, old.tokens + new.doc_tokens);
    CHECK_EQ(new.iterations, 230);
    CHECK_EQ(new.word_samples, 5);
    CHECK(new.words > old.words &&new.words <= WORDS);
    memset(w, 0, sizeof w);
    count_documents(w, after, second);
    uint64_t n[TOPICS] = {0}, in_past = 0;
    for (uint32_t v = 0; v < new.words; v++) {
        uint32_t was = number_in(before, ezlda_model_word(after, v));
        for (uint32_t k = 0; k < TOPICS; k++) {
            uint32_t past = was != EZ_NO_WORD ? count_of(before, was, k) : 0;
            if (count_of(after, v, k) != w[v][k] + past)
                CHECK_FAIL("word %u, topic %u: %u of the past and %u new are not %u", v, k, past,
                           w[v][k], count_of(after, v, k));
            n[k] += w[v][k] + past;
            in_past += past;
        }
    }
    CHECK_EQ(in_past, old.tokens);
    CHECK(memcmp(n, ezlda_model_topic_tokens(after), sizeof n) == 0);
    CHECK_NEAR(ezlda_model_alpha(after)[3], ezlda_model_alpha(before)[3], 0);
    ezlda_model_free(before);
    ezlda_model_free(after);
    ezlda_corpus_free(first);
    ezlda_corpus_free(second);
}

static uint64_t hash_of(const ezlda_model *model)
{
    return model ? ez_model_hash(model) : 0;
}

TEST(the_device_threads_and_formats_do_not_matter)
{
    ezlda_corpus *first = drawn(200, 250, 1), *second = drawn(80, 300, 2);
    ezlda_model *before = trained(first, 120);
    static const double decays[] = {1, 0.6};
    for (int i = 0; i < 2; i++) {
        ezlda_train_options train = options_on("reference", 105);
        ezlda_model *expected = updated(before, second, &train, decays[i]);
        CHECK(hash_of(expected) != hash_of(before));
        for (int way = 0; way < 6; way++) {
            ezlda_study study;
            ezlda_study_init(&study);
            study.w_format = (ezlda_w_format)(way % 3);
            study.sampler = (ezlda_sampler)(way % 2);
            const char *device = getenv("EZLDA_TEST_DEVICE");
            train.device = device ? device : "cpu";
            train.study = &study;
            ezlda_context_set_threads(check_context(), 1 + way % 3);
            ezlda_model *got = updated(before, second, &train, decays[i]);
            if (hash_of(got) != hash_of(expected))
                CHECK_FAIL("decay %g, way %d: another model", decays[i], way);
            ezlda_model_free(got);
        }
        ezlda_context_set_threads(check_context(), 0);
        ezlda_model_free(expected);
    }
    ezlda_model_free(before);
    ezlda_corpus_free(first);
    ezlda_corpus_free(second);
}

/* One update by the calls that ezlda_update makes; few documents, so that many words have none. */
static uint64_t hash_with(const ezlda_model *model, const ezlda_corpus *corpus, bool whole_rows)
{
    ezlda_context *context = check_context();
    ezlda_train_options train = options_on("cpu", 20);
    ez_past past = {0};
    ezlda_corpus *joined = NULL;
    ezlda_model *result = NULL;
    train.init = model;
    train.optimize_interval = 0;
    CHECK_OK(context, ez_past_forget(&past, context, model, 1, 1));
    CHECK_OK(context, ez_update_words(&joined, context, &past, corpus, 1, false));
    CHECK_OK(context, ez_past_rows(&past, context));
    past.whole_rows = whole_rows;
    CHECK_OK(context, ez_train(&result, context, joined, &train, &past));
    uint64_t entries = past.base_start[past.words], hash = hash_of(result);
    CHECK(whole_rows ? entries == past.rows.start[past.words]
                     : entries < past.rows.start[past.words]);
    ezlda_model_free(result);
    ezlda_corpus_free(joined);
    ez_past_free(&past);
    return hash;
}

TEST(rows_of_words_without_tokens_may_be_summed)
{
    ezlda_corpus *first = drawn(300, 900, 1), *second = drawn(3, 900, 2);
    ezlda_model *before = trained(first, 30);
    uint64_t whole = hash_with(before, second, true);
    CHECK(whole == hash_with(before, second, false));
    ezlda_model_free(before);
    ezlda_corpus_free(first);
    ezlda_corpus_free(second);
}

TEST(counts_are_forgotten_in_proportion)
{
    ezlda_corpus *corpus = drawn(400, 300, 1);
    ezlda_model *model = trained(corpus, 110);
    static const double decays[] = {1, 0.98, 0.5, 0.01, 1e-9};
    for (int i = 0; i < 5; i++) {
        ez_past past = {0};
        ezlda_corpus *joined = NULL;
        CHECK_OK(check_context(), ez_past_forget(&past, check_context(), model, decays[i], 7));
        double all = decays[i] * (double)model->meta->tokens;
        CHECK_NEAR(past.facts.tokens, all, decays[i] < 1 ? 4 * sqrt(300) : 0);
        CHECK_OK(check_context(),
                 ez_update_words(&joined, check_context(), &past, corpus, 1, false));
        CHECK_OK(check_context(), ez_past_rows(&past, check_context()));
        for (uint32_t v = 0; v < past.words; v++) {
            uint32_t from = past.from[v];
            double factor = model->word_tokens[from]
                                ? (double)past.left[from] / (double)model->word_tokens[from]
                                : 0;
            uint64_t sum = 0;
            CHECK_NEAR(past.left[from], decays[i] * (double)model->word_tokens[from], 1);
            for (uint64_t e = past.rows.start[v]; e < past.rows.start[v + 1]; e++) {
                double exact = factor * count_of(model, from, past.rows.topic[e]);
                CHECK_NEAR(past.rows.count[e], exact, decays[i] < 1 ? 1 : 0);
                sum += past.rows.count[e];
            }
            CHECK_EQ(sum, past.left[from]);
        }
        ezlda_corpus_free(joined);
        ez_past_free(&past);
    }
    ezlda_model_free(model);
    ezlda_corpus_free(corpus);
}

TEST(updates_follow_each_other)
{
    ezlda_corpus *first = drawn(200, 250, 1), *second = drawn(60, 300, 2);
    ezlda_model *model = trained(first, 120);
    ezlda_train_options train = options_on("cpu", 100);
    for (uint32_t i = 1; i <= 4; i++) {
        train.iterations = i == 3 ? 10 : 100; /* one of them makes no samples of its own */
        ezlda_model *next = updated(model, second, &train, 0.5);
        ezlda_model_info info = {.size = sizeof info};
        ezlda_model_free(model);
        model = next;
        ezlda_model_get_info(model, &info);
        CHECK_EQ(info.updates, i);
        CHECK_EQ(info.past_docs, 200 + (i - 1) * 60);
        CHECK_EQ(info.word_samples, 5);
        CHECK(info.tokens < 2 * (info.doc_tokens + 10000));
    }
    const char *path = check_tmp("updated.ezm");
    ezlda_model *loaded = NULL;
    CHECK_OK(check_context(), ezlda_model_save(check_context(), model, path));
    CHECK_OK(check_context(), ezlda_model_load(&loaded, check_context(), path));
    CHECK(hash_of(loaded) == hash_of(model));
    ezlda_model_free(loaded);
    ezlda_model_free(model);
    ezlda_corpus_free(first);
    ezlda_corpus_free(second);
}

/* A model keeps floats: the least alpha is a little smaller there. */
TEST(the_least_alpha_continues)
{
    ezlda_corpus *corpus = drawn(60, 50, 4);
    double alpha[TOPICS] = {1e-6, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 100};
    ezlda_train_options train = options_on("cpu", 3);
    train.alpha_vector = alpha;
    ezlda_model *model = NULL;
    CHECK_OK(check_context(), ezlda_train(&model, check_context(), corpus, &train));
    CHECK(ezlda_model_alpha(model)[0] < 1e-6);
    train.alpha_vector = NULL;
    ezlda_model *next = updated(model, corpus, &train, 1);
    CHECK_NEAR(next ? ezlda_model_alpha(next)[0] : 0, 1e-6, 1e-12);
    ezlda_model_free(next);
    ezlda_model_free(model);
    ezlda_corpus_free(corpus);
}

TEST(a_word_has_at_most_32_bits_of_tokens)
{
    crafted c = {.topics = 2, .words = 2, .count = {{UINT32_MAX, 0}, {0, 5}}, .word = {"a", "b"}};
    ezlda_model *model = crafted_model(&c);
    const char *words[] = {"a", "b"};
    uint32_t word[] = {0, 1}, count[] = {1, 4};
    uint64_t start[] = {0, 2};
    ezlda_corpus *more = NULL;
    CHECK_OK(check_context(),
             ezlda_corpus_from_csr(&more, check_context(), 1, 2, start, word, count, words));
    ezlda_train_options train = options_on("cpu", 3);
    ezlda_update_options options;
    ezlda_update_options_init(&options);
    options.train = &train;
    ezlda_model *out = NULL;
    CHECK_FAILS(check_context(), ezlda_update(&out, check_context(), model, more, &options),
                "the word \"a\" has 4294967296 tokens with those of the past");
    options.decay = 0.25;
    CHECK_OK(check_context(), ezlda_update(&out, check_context(), model, more, &options));
    CHECK_NEAR(out ? (double)out->word_tokens[0] : 0, (double)((uint64_t)1 << 30) + 1, 1);
    ezlda_model_free(out);
    ezlda_model_free(model);
    ezlda_corpus_free(more);
}

/* Without all_words, words without a token leave, and rare new ones stay out. */
TEST(all_words_stay_and_enter)
{
    crafted c = {
        .topics = 2, .words = 3, .count = {{0, 3, 0}, {0, 1, 2}}, .word = {"gone", "b", "c"}};
    ezlda_model *model = crafted_model(&c), *out = NULL;
    const char *words[] = {"never", "b", "new"}, *both[] = {"gone", "b", "c", "never", "new"};
    uint32_t word[] = {1, 2}, count[] = {4, 3};
    uint64_t start[] = {0, 2};
    ezlda_corpus *more = NULL;
    CHECK_OK(check_context(),
             ezlda_corpus_from_csr(&more, check_context(), 1, 3, start, word, count, words));
    ezlda_train_options train = options_on("cpu", 3);
    ezlda_update_options options;
    ezlda_update_options_init(&options);
    options.train = &train;
    for (int fit = 0; fit < 2; fit++) {
        options.all_words = 1;
        options.fit_priors = fit;
        CHECK_OK(check_context(), ezlda_update(&out, check_context(), model, more, &options));
        CHECK_EQ(out->meta->words, 5);
        static const uint64_t tokens[] = {0, 8, 2, 0, 3};
        for (uint32_t v = 0; v < 5; v++) {
            CHECK_STR(ezlda_model_word(out, v), both[v]);
            CHECK_EQ(out->word_tokens[v], tokens[v]);
        }
        ezlda_model_free(out);
        options.all_words = 0;
        CHECK_OK(check_context(), ezlda_update(&out, check_context(), model, more, &options));
        CHECK_EQ(out->meta->words, 2);
        ezlda_model_free(out);
    }
    ezlda_model_free(model);
    ezlda_corpus_free(more);
}

TEST(options_that_no_update_has_are_refused)
{
    ezlda_corpus *corpus = drawn(30, 50, 1);
    ezlda_model *model = trained(corpus, 3), *out = NULL;
    ezlda_context *context = check_context();
    ezlda_train_options train = options_on("cpu", 3);
    ezlda_update_options options;
    ezlda_update_options_init(&options);
    options.train = &train;
    static const double bad[] = {0, -1, 1.5, NAN};
    for (int i = 0; i < 4; i++) {
        options.decay = bad[i];
        CHECK_FAILS(context, ezlda_update(&out, context, model, corpus, &options), "decay is");
    }
    options.decay = 1;
    train.init = model;
    CHECK_FAILS(context, ezlda_update(&out, context, model, corpus, &options), "other model");
    train.init = NULL;
    train.alpha = 0.1;
    CHECK_FAILS(context, ezlda_update(&out, context, model, corpus, &options), "priors of its own");
    train.alpha = 0;
    train.out_of_core = 1;
    CHECK_FAILS(context, ezlda_update(&out, context, model, corpus, &options), "out of core");
    train.out_of_core = 0;
    ezlda_seed seed = {.word = "w1"};
    train.seeds = &seed;
    train.n_seeds = 1;
    CHECK_FAILS(context, ezlda_update(&out, context, model, corpus, &options), "seed words");
    CHECK(!out);
    CHECK_FAILS(context, ezlda_update(&out, context, NULL, corpus, NULL), "a model");
    CHECK_FAILS(context, ezlda_update(&out, context, model, NULL, NULL), "a corpus");
    ezlda_model_free(model);
    ezlda_corpus_free(corpus);
}

TEST_MAIN()
