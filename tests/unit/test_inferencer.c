/* An inferencer gives each document the row and the facts that ezlda_infer gives it, to the last
 * bit, also from several threads. */
#include "check.h"

#include <pthread.h>
#include <string.h>

enum { TOPICS = 12, WORDS = 400, SEEN = 370, DOCS = 120, MOST = 64, MOST_TOPICS = 5000 };

/* A document: words by their numbers in the model; those from WORDS on are unknown to it. */
typedef struct bag {
    uint32_t word[MOST], count[MOST];
    size_t n;
} bag;

static uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 32) * 0xd6e8feb86659fd93u;
    x = (x ^ x >> 32) * 0xd6e8feb86659fd93u;
    return x ^ x >> 32;
}

/* Words below `words`, ascending. */
static bag make_bag(uint64_t seed, uint32_t words)
{
    bag out = {.n = 0};
    uint64_t topic = mix(seed) % TOPICS;
    for (uint32_t v = (uint32_t)(mix(seed + 7) % 5); v < words && out.n < MOST; v++) {
        uint64_t key = mix(seed * 1000003 + v);
        if (key % (v % TOPICS == topic ? 3 : 40) == 0) {
            out.word[out.n] = v;
            out.count[out.n++] = 1 + (uint32_t)(key >> 40) % 4;
        }
    }
    return out;
}

/* The corpus has `words` words, of which the model of this test knows the first WORDS. */
static ezlda_corpus *corpus_of(const bag *bags, size_t n, uint32_t words)
{
    static char text[2 * WORDS][8];
    static const char *name[2 * WORDS];
    static uint64_t start[DOCS + 1];
    static uint32_t word[DOCS * MOST], count[DOCS * MOST];
    ezlda_corpus *out = NULL;
    for (uint32_t v = 0; v < words; v++) {
        snprintf(text[v], sizeof text[v], "w%u", v);
        name[v] = text[v];
    }
    for (size_t d = 0; d < n; d++) {
        memcpy(word + start[d], bags[d].word, bags[d].n * sizeof *word);
        memcpy(count + start[d], bags[d].count, bags[d].n * sizeof *count);
        start[d + 1] = start[d] + bags[d].n;
    }
    CHECK_OK(check_context(),
             ezlda_corpus_from_csr(&out, check_context(), n, words, start, word, count, name));
    return out;
}

/* The last words of the vocabulary have no token in training. */
static ezlda_model *train(uint32_t topics, double alpha)
{
    static bag bags[DOCS];
    ezlda_train_options options;
    ezlda_model *model = NULL;
    for (uint64_t d = 0; d < DOCS; d++)
        bags[d] = make_bag(d, SEEN);
    ezlda_corpus *corpus = corpus_of(bags, DOCS, WORDS);
    ezlda_train_options_init(&options);
    options.topics = topics;
    options.iterations = 30;
    options.alpha = alpha;
    options.device = check_device();
    CHECK_OK(check_context(), ezlda_train(&model, check_context(), corpus, &options));
    ezlda_corpus_free(corpus);
    return model;
}

/* ---- what a document gets ---- */

typedef struct result {
    uint64_t doc, tokens, unknown;
    size_t n;
    uint32_t topic[MOST_TOPICS];
    double count[MOST_TOPICS];
} result;

static int keep(const ezlda_doc_row *row, void *user)
{
    result *out = user;
    memset(out, 0, sizeof *out);
    out->doc = row->doc;
    out->tokens = row->tokens;
    out->unknown = row->unknown;
    out->n = row->n;
    CHECK(row->n <= MOST_TOPICS);
    for (size_t i = 0; i < row->n; i++) {
        out->topic[i] = row->topic[i];
        out->count[i] = row->count[i];
    }
    return 0;
}

/* Compares one document with ezlda_infer of a corpus that holds it alone. */
static void check_document(const ezlda_inferencer *inferencer, ezlda_context *context,
                           const ezlda_model *model, const ezlda_infer_options *options,
                           const bag *document)
{
    static result slow, quick;
    ezlda_infer_info as_corpus = {.size = sizeof as_corpus}, info = {.size = sizeof info};
    ezlda_corpus *corpus = corpus_of(document, 1, 2 * WORDS);
    CHECK_OK(context, ezlda_infer(&as_corpus, context, model, corpus, options, keep, &slow));
    CHECK_OK(context, ezlda_inferencer_infer(&info, context, inferencer, document->word,
                                             document->count, document->n, keep, &quick));
    CHECK_EQ(memcmp(&slow, &quick, sizeof slow), 0);
    CHECK_EQ(info.docs, 1);
    CHECK_EQ(info.tokens, as_corpus.tokens);
    CHECK_EQ(info.docs_without, as_corpus.docs_without);
    CHECK_EQ(info.unknown_tokens, as_corpus.unknown_tokens);
    CHECK_EQ(info.unseen_tokens, as_corpus.unseen_tokens);
    CHECK_EQ(info.topics_hash, as_corpus.topics_hash);
    CHECK_EQ(memcmp(&info.llpt, &as_corpus.llpt, sizeof info.llpt), 0);
    ezlda_corpus_free(corpus);
}

static ezlda_inferencer *make(const ezlda_model *model, const ezlda_infer_options *options)
{
    ezlda_inferencer *out = NULL;
    CHECK_OK(check_context(), ezlda_inferencer_create(&out, check_context(), model, options));
    return out;
}

TEST(documents_as_in_a_corpus)
{
    ezlda_model *model = train(TOPICS, 0.2);
    for (uint64_t seed = 1; seed <= 3; seed++) {
        ezlda_infer_options options;
        ezlda_infer_options_init(&options);
        options.seed = seed;
        options.iterations = seed == 3 ? 7 : 40;
        options.samples = seed == 3 ? 7 : 0;
        options.device = "cpu";
        ezlda_inferencer *inferencer = make(model, &options);
        for (uint64_t d = 0; d < 60; d++) {
            bag document = make_bag(1000 + d, d % 3 == 0 ? 2 * WORDS : WORDS);
            check_document(inferencer, check_context(), model, &options, &document);
        }
        ezlda_inferencer_free(inferencer);
    }
    ezlda_model_free(model);
}

/* In any order, more than once, without counts: the same document. */
TEST(ways_to_write_a_document)
{
    ezlda_model *model = train(TOPICS, 0.2);
    ezlda_inferencer *inferencer = make(model, NULL);
    const uint32_t sorted[] = {3, 3, 17, 200}, mixed[] = {200, 3, 17, 3};
    const uint32_t words[] = {17, 3, 5, 200}, counts[] = {1, 2, 0, 1};
    static result a, b, c;
    CHECK_OK(NULL, ezlda_inferencer_infer(NULL, NULL, inferencer, sorted, NULL, 4, keep, &a));
    CHECK_OK(NULL, ezlda_inferencer_infer(NULL, NULL, inferencer, mixed, NULL, 4, keep, &b));
    CHECK_OK(NULL, ezlda_inferencer_infer(NULL, NULL, inferencer, words, counts, 4, keep, &c));
    CHECK_EQ(a.tokens, 4);
    CHECK_EQ(memcmp(&a, &b, sizeof a), 0);
    CHECK_EQ(memcmp(&a, &c, sizeof a), 0);
    CHECK_EQ(ezlda_inferencer_word(inferencer, "w17"), 17);
    CHECK_EQ(ezlda_inferencer_word(inferencer, "w399"), 399);
    CHECK_EQ(ezlda_inferencer_word(inferencer, "w400"), EZLDA_NO_WORD);
    ezlda_inferencer_free(inferencer);
    ezlda_model_free(model);
}

TEST(documents_without_a_topic)
{
    ezlda_model *model = train(TOPICS, 0.2);
    ezlda_infer_options options;
    ezlda_infer_options_init(&options);
    options.device = "cpu";
    ezlda_inferencer *inferencer = make(model, &options);
    bag empty = {.n = 0};
    bag unknown = {.word = {WORDS, WORDS + 3}, .count = {2, 1}, .n = 2};
    bag unseen = {.word = {SEEN + 1, SEEN + 20}, .count = {1, 5}, .n = 2};
    check_document(inferencer, check_context(), model, &options, &empty);
    check_document(inferencer, check_context(), model, &options, &unknown);
    check_document(inferencer, check_context(), model, &options, &unseen);
    ezlda_infer_info info = {.size = sizeof info};
    result row;
    CHECK_OK(NULL, ezlda_inferencer_infer(&info, NULL, inferencer, NULL, NULL, 0, keep, &row));
    CHECK_EQ(row.n, 0);
    CHECK_EQ(info.docs_without, 1);
    CHECK(info.llpt != info.llpt);
    ezlda_inferencer_free(inferencer);
    ezlda_model_free(model);
}

/* Too long for the tables, and of another class of weights. */
TEST(long_documents)
{
    ezlda_model *model = train(TOPICS, 0.2);
    ezlda_infer_options options;
    ezlda_infer_options_init(&options);
    options.iterations = 6;
    options.device = "cpu";
    ezlda_inferencer *inferencer = make(model, &options);
    bag large = make_bag(77, 2 * WORDS);
    large.count[0] = 70000;
    check_document(inferencer, check_context(), model, &options, &large);
    ezlda_inferencer_free(inferencer);
    ezlda_model_free(model);

    model = train(5000, 100);
    inferencer = make(model, &options);
    large.count[0] = 40000;
    bag small = make_bag(78, WORDS);
    check_document(inferencer, check_context(), model, &options, &large);
    check_document(inferencer, check_context(), model, &options, &small);
    ezlda_inferencer_free(inferencer);
    ezlda_model_free(model);
}

/* ---- threads ---- */

enum { THREADS = 4, EACH = 40 };

typedef struct worker {
    const ezlda_inferencer *inferencer;
    const bag *bags;
    result *rows;
    ezlda_context *context;
    int failed;
} worker;

static void *work(void *user)
{
    worker *w = user;
    for (int i = 0; i < EACH; i++)
        w->failed |=
            ezlda_inferencer_infer(NULL, w->context, w->inferencer, w->bags[i].word,
                                   w->bags[i].count, w->bags[i].n, keep, &w->rows[i]) != EZLDA_OK;
    return NULL;
}

TEST(threads_share_it)
{
    static bag bags[EACH];
    static result rows[THREADS][EACH];
    ezlda_model *model = train(TOPICS, 0.2);
    ezlda_inferencer *inferencer = make(model, NULL);
    pthread_t thread[THREADS];
    worker workers[THREADS];
    for (uint64_t i = 0; i < EACH; i++)
        bags[i] = make_bag(500 + i, WORDS);
    for (int t = 0; t < THREADS; t++) {
        workers[t] = (worker){inferencer, bags, rows[t], NULL, 0};
        CHECK_EQ(ezlda_context_create(&workers[t].context), EZLDA_OK);
        CHECK_EQ(pthread_create(&thread[t], NULL, work, &workers[t]), 0);
    }
    for (int t = 0; t < THREADS; t++) {
        pthread_join(thread[t], NULL);
        ezlda_context_free(workers[t].context);
        CHECK_EQ(workers[t].failed, 0);
        CHECK_EQ(memcmp(rows[t], rows[0], sizeof rows[0]), 0);
    }
    ezlda_inferencer_free(inferencer);
    ezlda_model_free(model);
}

/* ---- errors ---- */

static int stop(const ezlda_doc_row *row, void *user)
{
    (void)user;
    return row->doc == 0;
}

static int ignore_progress(const ezlda_infer_progress *progress, void *user)
{
    (void)user;
    return progress->docs == 0;
}

TEST(what_is_refused)
{
    ezlda_model *model = train(TOPICS, 0.2);
    ezlda_context *context = check_context();
    ezlda_inferencer *inferencer = NULL;
    ezlda_infer_options options;
    CHECK_EQ(ezlda_inferencer_create(NULL, context, model, NULL), EZLDA_ERROR_ARGUMENT);
    CHECK_EQ(ezlda_inferencer_create(&inferencer, context, NULL, NULL), EZLDA_ERROR_ARGUMENT);
    CHECK(inferencer == NULL);
    ezlda_infer_options_init(&options);
    options.device = "reference";
    CHECK_EQ(ezlda_inferencer_create(&inferencer, context, model, &options), EZLDA_ERROR_ARGUMENT);
    CHECK(strstr(ezlda_error_message(context), "uses the CPU") != NULL);
    ezlda_infer_options_init(&options);
    options.progress = ignore_progress;
    CHECK_EQ(ezlda_inferencer_create(&inferencer, context, model, &options), EZLDA_ERROR_ARGUMENT);
    ezlda_infer_options_init(&options);
    options.batch = 1;
    CHECK_EQ(ezlda_inferencer_create(&inferencer, context, model, &options), EZLDA_ERROR_ARGUMENT);
    inferencer = make(model, NULL);
    const uint32_t words[] = {1, 2}, counts[] = {UINT32_MAX, UINT32_MAX};
    CHECK_EQ(ezlda_inferencer_infer(NULL, context, NULL, words, NULL, 2, NULL, NULL),
             EZLDA_ERROR_ARGUMENT);
    CHECK_EQ(ezlda_inferencer_infer(NULL, context, inferencer, NULL, NULL, 2, NULL, NULL),
             EZLDA_ERROR_ARGUMENT);
    CHECK_EQ(ezlda_inferencer_infer(NULL, context, inferencer, words, counts, 2, NULL, NULL),
             EZLDA_ERROR_UNSUPPORTED);
    CHECK_EQ(ezlda_inferencer_infer(NULL, context, inferencer, words, NULL, 2, stop, NULL),
             EZLDA_ERROR_STOPPED);
    CHECK_OK(context,
             ezlda_inferencer_infer(NULL, context, inferencer, words, NULL, 2, NULL, NULL));
    ezlda_inferencer_free(inferencer);
    ezlda_inferencer_free(NULL);
    ezlda_model_free(model);
}

TEST_MAIN()
