/* The topics and scores of a new document depend on its words, the model and the seed, and on
 * nothing else of its corpus; words of the vocabulary without a token in training are scored. */
#include "check.h"

#include "corpus/corpus.h"
#include "random_tokens.h"
#include "tokens/token_shard.h"

#include <math.h>

enum { TOPICS = 6, WORDS = 60, SEEN = 45, DOCS = 150, LONG = 40000 };

/* Documents as pairs. Every tenth is the same as the one before. */
typedef struct pairs {
    uint64_t start[DOCS + 1];
    uint32_t word[DOCS * 8], count[DOCS * 8];
} pairs;

/* words: those that may occur. */
static void make_pairs(pairs *p, uint32_t words, uint64_t seed)
{
    uint64_t at = 0;
    for (uint64_t d = 0; d < DOCS; d++) {
        p->start[d] = at;
        uint64_t key = ez_mix(seed + (d % 10 == 9 ? d - 1 : d));
        uint32_t topic = (uint32_t)(key % TOPICS), n = 2 + (uint32_t)(key >> 32) % 6;
        for (uint32_t i = 0; i < n; i++) {
            uint32_t v = topic * (words / TOPICS) + 2 * i + (uint32_t)(key >> (40 + i)) % 2;
            if (v >= words)
                break;
            p->word[at] = v;
            p->count[at++] = 1 + (uint32_t)(key >> (8 + i)) % 4;
        }
    }
    p->start[DOCS] = at;
}

static const char *word_text(uint32_t v)
{
    static char text[WORDS][8];
    snprintf(text[v], sizeof text[v], "w%u", v);
    return text[v];
}

/* Documents [first, last) of the pairs, in this order or backwards; `flip` numbers words from the
 * other end. */
static ezlda_corpus *corpus_of(const pairs *p, uint64_t first, uint64_t last, bool backwards,
                               bool flip)
{
    ezlda_context *context = check_context();
    ez_corpus_builder *builder = NULL;
    ezlda_corpus *out = NULL;
    const char *words[WORDS];
    CHECK_OK(context, ez_corpus_builder_create(&builder, context, NULL, 0));
    for (uint64_t i = first; i < last; i++) {
        uint64_t d = backwards ? first + last - 1 - i : i, from = p->start[d];
        uint32_t word[8], count[8];
        size_t n = p->start[d + 1] - from;
        for (size_t j = 0; j < n; j++) {
            size_t at = from + (flip ? n - 1 - j : j);
            word[j] = flip ? WORDS - 1 - p->word[at] : p->word[at];
            count[j] = p->count[at];
        }
        CHECK_OK(context, ez_corpus_builder_add(builder, context, word, count, n, NULL));
    }
    for (uint32_t v = 0; v < WORDS; v++)
        words[v] = word_text(flip ? WORDS - 1 - v : v);
    CHECK_OK(context, ez_corpus_builder_finish(builder, &out, context, words, WORDS));
    return out;
}

/* The last words of the vocabulary have no token in the model. */
static ezlda_model *train(uint32_t topics, double alpha)
{
    static pairs p;
    make_pairs(&p, SEEN, 1);
    ezlda_corpus *corpus = corpus_of(&p, 0, DOCS, false, false);
    ezlda_train_options options;
    ezlda_model *model = NULL;
    ezlda_train_options_init(&options);
    options.topics = topics;
    options.iterations = 5;
    options.alpha = alpha;
    options.device = check_device();
    CHECK_OK(check_context(), ezlda_train(&model, check_context(), corpus, &options));
    ezlda_corpus_free(corpus);
    return model;
}

/* ---- rows ---- */

typedef struct kept_row {
    uint64_t tokens, unknown;
    size_t n;
    uint32_t topic[TOPICS];
    double count[TOPICS];
} kept_row;

static int keep_row(const ezlda_doc_row *row, void *user)
{
    kept_row *out = (kept_row *)user + row->doc;
    *out = (kept_row){.tokens = row->tokens, .unknown = row->unknown, .n = row->n};
    for (size_t i = 0; i < row->n; i++) {
        out->topic[i] = row->topic[i];
        out->count[i] = row->count[i];
    }
    return 0;
}

static ezlda_infer_info infer(const ezlda_model *model, ezlda_corpus *corpus, uint64_t batch,
                              uint32_t samples, ezlda_doc_row_fn row, void *user)
{
    ezlda_infer_info info = {.size = sizeof info};
    ezlda_infer_options options;
    ezlda_infer_options_init(&options);
    options.iterations = 8;
    options.samples = samples;
    options.thin = 2;
    options.batch = batch;
    options.device = check_device();
    CHECK_OK(check_context(),
             ezlda_infer(&info, check_context(), model, corpus, &options, row, user));
    ezlda_corpus_free(corpus);
    return info;
}

static void check_same(const kept_row *a, const kept_row *b)
{
    CHECK_EQ(memcmp(a, b, sizeof *a), 0);
}

TEST(a_row_depends_on_the_document_alone)
{
    static pairs p;
    static kept_row whole[DOCS], other[DOCS];
    ezlda_model *model = train(TOPICS, 0.2);
    make_pairs(&p, WORDS, 2);
    infer(model, corpus_of(&p, 0, DOCS, false, false), 0, 3, keep_row, whole);
    infer(model, corpus_of(&p, 0, DOCS, true, true), 1, 3, keep_row, other);
    for (uint64_t d = 0; d < DOCS; d++)
        check_same(&whole[d], &other[DOCS - 1 - d]);
    check_same(&whole[19], &whole[18]);
    for (uint64_t d = 3; d < DOCS; d += 29) {
        infer(model, corpus_of(&p, d, d + 1, false, d % 2), 0, 3, keep_row, other);
        check_same(&whole[d], &other[0]);
    }
    ezlda_model_free(model);
}

/* ---- documents that differ in the bits of their weights ---- */

static int sum_row(const ezlda_doc_row *row, void *user)
{
    uint64_t *sum = (uint64_t *)user + row->doc;
    *sum = row->tokens;
    for (size_t i = 0; i < row->n; i++)
        *sum += ez_mix(row->topic[i] + 1) * (uint64_t)(row->count[i] * 64);
    return 0;
}

/* With a sum of alpha of 500,000, weights have 30 bits in short documents and 29 in long ones. */
TEST(classes_of_lengths)
{
    static pairs p;
    static const uint64_t long_docs[] = {0, 7, 8, 60};
    uint64_t whole[DOCS], alone[DOCS];
    ezlda_model *model = train(5000, 100);
    make_pairs(&p, SEEN, 3);
    for (int i = 0; i < 4; i++)
        p.count[p.start[long_docs[i]]] = LONG;
    CHECK_EQ(ez_weight_bits(20, 500000), 30);
    CHECK_EQ(ez_weight_bits(LONG, 500000), 29);
    infer(model, corpus_of(&p, 0, 80, false, false), 0, 2, sum_row, whole);
    for (uint64_t d = 0; d < 80; d += 1 + d % 7) {
        infer(model, corpus_of(&p, d, d + 1, false, false), 0, 2, sum_row, alone);
        CHECK_EQ(whole[d], alone[0]);
    }
    ezlda_model_free(model);
}

TEST(lists_of_lengths)
{
    random_shape shape = {.seed = 4, .docs = 30, .words = 12, .mean_length = 20};
    ezlda_context *context = check_context();
    ez_token_list *all = random_tokens(context, &shape), *some = NULL;
    CHECK_OK(context, ez_token_list_key_documents(all, context));
    CHECK_OK(context, ez_token_list_of_lengths(&some, context, all, 15, 22));
    CHECK(some->longest <= 22 && some->longest >= 15);
    CHECK_EQ(some->docs, all->docs);
    for (uint64_t d = 0; d < all->docs; d++) {
        uint64_t n = all->doc_start[d + 1] - all->doc_start[d];
        bool kept = n >= 15 && n <= 22;
        CHECK_EQ(some->doc_start[d + 1] - some->doc_start[d], kept ? n : 0);
        CHECK_EQ(some->doc_key[d], all->doc_key[d]);
        if (kept)
            CHECK_EQ(memcmp(some->word + some->doc_start[d], all->word + all->doc_start[d],
                            n * sizeof *all->word),
                     0);
    }
    ez_token_list_free(some);
    ez_token_list_free(all);
}

/* ---- scores ---- */

typedef struct dense {
    const ezlda_model *model;
    const pairs *p;
    double sum; /* of log2 p */
    uint64_t tokens, unseen;
} dense;

static int score_dense(const ezlda_doc_row *row, void *user)
{
    dense *s = user;
    const uint64_t *n = ezlda_model_topic_tokens(s->model);
    double theta[TOPICS];
    uint64_t unseen = 0;
    ezlda_doc_row_shares(s->model, row, theta);
    for (uint64_t i = s->p->start[row->doc]; i < s->p->start[row->doc + 1]; i++) {
        uint32_t topic[TOPICS], count[TOPICS];
        double w[TOPICS] = {0}, probability = 0;
        size_t found = ezlda_model_word_topics(s->model, s->p->word[i], topic, count, TOPICS);
        for (size_t j = 0; j < found; j++)
            w[topic[j]] = count[j];
        for (int k = 0; k < TOPICS; k++)
            probability += theta[k] * (w[k] + 0.01) / ((double)n[k] + WORDS * 0.01);
        s->sum += s->p->count[i] * log2(probability);
        s->tokens += s->p->count[i];
        unseen += found ? 0 : s->p->count[i];
    }
    CHECK_EQ(row->unknown, unseen);
    s->unseen += unseen;
    return 0;
}

TEST(llpt_counts_words_without_a_token_in_training)
{
    static pairs p;
    ezlda_model *model = train(TOPICS, 0.2);
    make_pairs(&p, WORDS, 2);
    dense s = {.model = model, .p = &p};
    ezlda_infer_info info =
        infer(model, corpus_of(&p, 0, DOCS, false, false), 0, 1, score_dense, &s);
    CHECK(s.unseen > 20);
    CHECK_EQ(info.unseen_tokens, s.unseen);
    CHECK_EQ(info.tokens, s.tokens);
    CHECK_EQ(info.unknown_tokens, 0);
    CHECK_NEAR(info.llpt, s.sum / (double)s.tokens, 1e-4);
    ezlda_model_free(model);
}

static ezlda_scores_info evaluate(const ezlda_model *model, ezlda_corpus *corpus)
{
    ezlda_scores *scores = NULL;
    ezlda_scores_info info = {.size = sizeof info};
    ezlda_eval_options options;
    ezlda_eval_options_init(&options);
    options.measures = EZLDA_MEASURE_COMPLETION | EZLDA_MEASURE_LEFT_TO_RIGHT;
    options.iterations = 6;
    options.docs = 40;
    options.particles = 3;
    options.device = check_device();
    CHECK_OK(check_context(), ezlda_evaluate(&scores, check_context(), model, corpus, &options));
    if (scores)
        ezlda_scores_get_info(scores, &info);
    ezlda_scores_free(scores);
    ezlda_corpus_free(corpus);
    return info;
}

TEST(scores_do_not_depend_on_the_order)
{
    static pairs p;
    ezlda_model *model = train(TOPICS, 0.2);
    make_pairs(&p, WORDS, 2);
    ezlda_scores_info one = evaluate(model, corpus_of(&p, 0, DOCS, false, false)),
                      two = evaluate(model, corpus_of(&p, 0, DOCS, true, true));
    CHECK(one.unseen_tokens > 20);
    CHECK_EQ(one.unknown_tokens, 0);
    CHECK_EQ(one.left_to_right.docs, 40);
    CHECK_EQ(one.completion.tokens, two.completion.tokens);
    CHECK_NEAR(one.completion.perplexity, two.completion.perplexity, 1e-9);
    CHECK(one.left_to_right.perplexity == two.left_to_right.perplexity);
    ezlda_model_free(model);
}

TEST_MAIN()
