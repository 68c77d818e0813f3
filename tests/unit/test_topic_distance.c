/* Similarities of topics against the plain sum over all words, and the matching built on them, on crafted models. */
#include "check.h"

#include "base/memory.h"
#include "compare/models_match.h"
#include "compare/topic_distance.h"
#include "model/model.h"

#include <stdbool.h>

enum { WORDS_MOST = 64, TOPICS_MOST = 8 };

/* Counts by topic and word; words without a token are in the vocabulary all the same. */
typedef struct crafted {
    uint32_t topics, words;
    uint32_t count[TOPICS_MOST][WORDS_MOST];
    char word[WORDS_MOST][16];
} crafted;

static uint64_t tokens_of(const crafted *c, uint32_t topic)
{
    uint64_t n = 0;
    for (uint32_t v = 0; v < c->words; v++)
        n += c->count[topic][v];
    return n;
}

/* One document a topic, all of its tokens in that topic. */
static ezlda_corpus *crafted_corpus(const crafted *c)
{
    static uint32_t word[TOPICS_MOST * WORDS_MOST], count[TOPICS_MOST * WORDS_MOST];
    uint64_t row_start[TOPICS_MOST + 1] = {0};
    const char *words[WORDS_MOST];
    ezlda_corpus *corpus = NULL;
    for (uint32_t k = 0; k < c->topics; k++) {
        for (uint32_t v = 0; v < c->words; v++) {
            word[k * c->words + v] = v;
            count[k * c->words + v] = c->count[k][v];
        }
        row_start[k + 1] = (uint64_t)(k + 1) * c->words;
    }
    for (uint32_t v = 0; v < c->words; v++)
        words[v] = c->word[v];
    CHECK_OK(check_context(),
             ezlda_corpus_from_csr(&corpus, check_context(), c->topics, c->words, row_start, word, count, words));
    return corpus;
}

static void *zeroed(size_t n, size_t size)
{
    void *array = NULL;
    CHECK_OK(check_context(), ez_array_zero(&array, check_context(), n, size, "a part"));
    return array;
}

static void rows_room(ez_count_rows *rows, uint64_t n, size_t entries)
{
    *rows = (ez_count_rows){n, zeroed(n + 1, 8), zeroed(entries, 2), zeroed(entries, 4)};
}

static ezlda_model *crafted_model(const crafted *c)
{
    ez_model_parts parts = {.topics = c->topics, .words = c->words, .docs = c->topics, .beta = 0.01, .iterations = 1};
    ezlda_corpus *corpus = crafted_corpus(c);
    ezlda_model *model = NULL;
    uint64_t at = 0;
    rows_room(&parts.word_rows, c->words, (size_t)c->words * c->topics);
    rows_room(&parts.doc_rows, c->topics, c->topics);
    parts.alpha = zeroed(c->topics, sizeof *parts.alpha);
    parts.topic_tokens = zeroed(c->topics, sizeof *parts.topic_tokens);
    parts.doc_start = zeroed(c->topics + 1, sizeof *parts.doc_start);
    for (uint32_t v = 0; v < c->words; v++) {
        for (uint16_t k = 0; k < c->topics; k++) {
            if (!c->count[k][v])
                continue;
            parts.word_rows.topic[at] = k;
            parts.word_rows.count[at++] = c->count[k][v];
        }
        parts.word_rows.start[v + 1] = at;
    }
    at = 0;
    for (uint16_t k = 0; k < c->topics; k++) {
        parts.alpha[k] = 0.5;
        parts.topic_tokens[k] = tokens_of(c, k);
        parts.tokens += parts.topic_tokens[k];
        parts.doc_start[k + 1] = parts.tokens;
        if (parts.topic_tokens[k]) {
            parts.doc_rows.topic[at] = k;
            parts.doc_rows.count[at++] = (uint32_t)parts.topic_tokens[k];
        }
        parts.doc_rows.start[k + 1] = at;
    }
    CHECK_OK(check_context(), ez_model_create(&model, check_context(), &parts, corpus));
    ezlda_corpus_free(corpus);
    return model;
}

/* Words called wN from `first`; topic `empty` has no token. */
static void make_random(crafted *c, uint32_t topics, uint32_t words, uint32_t first, uint32_t empty, uint64_t seed)
{
    memset(c, 0, sizeof *c);
    c->topics = topics;
    c->words = words;
    for (uint32_t v = 0; v < words; v++)
        snprintf(c->word[v], sizeof c->word[v], "w%u", first + (v * 7) % words);
    for (uint32_t k = 0; k < topics; k++) {
        for (uint32_t v = 0; v < words && k != empty; v++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            uint32_t draw = (uint32_t)(seed >> 33);
            c->count[k][v] = draw % 3 ? 0 : draw % 11 ? draw % 97 : draw % 100000;
        }
    }
}

/* The sum over all words, by text. */
static double plain_similarity(const crafted *a, uint32_t i, const crafted *b, uint32_t j)
{
    double n_a = (double)tokens_of(a, i), n_b = (double)tokens_of(b, j), sum = 0;
    if (n_a == 0 || n_b == 0)
        return n_a == n_b;
    for (uint32_t v = 0; v < a->words; v++)
        for (uint32_t w = 0; w < b->words; w++)
            if (strcmp(a->word[v], b->word[w]) == 0)
                sum += sqrt(a->count[i][v] / n_a * (b->count[j][w] / n_b));
    return sum;
}

static uint32_t *similarities(const ezlda_model *a, const ezlda_model *b, int threads)
{
    ezlda_context *context = check_context();
    ez_common_words common = {0};
    uint32_t *table = calloc(TOPICS_MOST * TOPICS_MOST, sizeof *table);
    ezlda_context_set_threads(context, threads);
    CHECK_OK(context, ez_common_words_find(&common, context, a, b));
    CHECK_OK(context, ez_topic_similarities(table, context, a, b, &common));
    ez_free(common.in_b);
    return table;
}

TEST(similarities_are_the_plain_sums)
{
    static crafted a, b;
    make_random(&a, 6, 50, 0, 2, 1);
    make_random(&b, 8, 60, 20, 5, 2);
    ezlda_model *model_a = crafted_model(&a), *model_b = crafted_model(&b);
    uint32_t *table = similarities(model_a, model_b, 1), *mirror = similarities(model_b, model_a, 3);
    for (uint32_t i = 0; i < a.topics; i++) {
        for (uint32_t j = 0; j < b.topics; j++) {
            CHECK_NEAR(table[i * b.topics + j] / (double)EZ_SAME, plain_similarity(&a, i, &b, j), 1e-8);
            CHECK_EQ(table[i * b.topics + j], mirror[j * a.topics + i]);
        }
    }
    CHECK_EQ(table[2 * b.topics + 5], EZ_SAME);
    CHECK_EQ(table[2 * b.topics + 4], 0);
    free(table);
    free(mirror);
    ezlda_model_free(model_a);
    ezlda_model_free(model_b);
}

TEST(a_topic_is_exactly_itself)
{
    static crafted a;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        make_random(&a, 7, 64, 0, 3, seed);
        ezlda_model *model = crafted_model(&a);
        uint32_t *table = similarities(model, model, 2);
        for (uint32_t i = 0; i < a.topics; i++)
            for (uint32_t j = 0; j < a.topics; j++)
                CHECK((table[i * a.topics + j] == EZ_SAME) == (i == j));
        free(table);
        ezlda_model_free(model);
    }
}

TEST(words_are_matched_by_text)
{
    static crafted a, b;
    make_random(&a, 3, 50, 0, 99, 3);
    make_random(&b, 3, 60, 20, 99, 4);
    ezlda_model *model_a = crafted_model(&a), *model_b = crafted_model(&b);
    ez_common_words common = {0};
    CHECK_OK(check_context(), ez_common_words_find(&common, check_context(), model_a, model_b));
    uint64_t only_a = 0, only_b = 0;
    for (uint32_t v = 0; v < a.words; v++) {
        uint32_t number = (uint32_t)atoi(a.word[v] + 1);
        only_a += number < 20 ? ezlda_model_word_tokens(model_a, v) : 0;
        CHECK_STR(common.in_b[v] == EZ_NO_COMMON ? NULL : b.word[common.in_b[v]], number < 20 ? NULL : a.word[v]);
    }
    for (uint32_t v = 0; v < b.words; v++)
        only_b += atoi(b.word[v] + 1) >= 50 ? ezlda_model_word_tokens(model_b, v) : 0;
    CHECK_EQ(common.n, 30);
    CHECK_EQ(common.only_a, 20);
    CHECK_EQ(common.only_b, 30);
    CHECK_EQ(common.tokens_only_a, only_a);
    CHECK_EQ(common.tokens_only_b, only_b);
    ez_free(common.in_b);
    ezlda_model_free(model_a);
    ezlda_model_free(model_b);
}

/* ---- matching ---------------------------------------------------------------------------------------------------- */

static ezlda_match *match(const crafted *a, const crafted *b, double threshold, uint32_t words)
{
    ezlda_match_options options;
    ezlda_match *out = NULL;
    ezlda_model *model_a = crafted_model(a), *model_b = crafted_model(b);
    ezlda_match_options_init(&options);
    options.threshold = threshold;
    options.words = words;
    CHECK_OK(check_context(), ezlda_models_match(&out, check_context(), model_a, model_b, &options));
    ezlda_model_free(model_a);
    ezlda_model_free(model_b);
    return out;
}

/* Topic k of b is topic order[k] of a; a's topics that are not named are left out. */
static void reorder(crafted *b, const crafted *a, const uint32_t *order, uint32_t topics)
{
    *b = *a;
    b->topics = topics;
    for (uint32_t k = 0; k < topics; k++)
        memcpy(b->count[k], a->count[order[k]], sizeof b->count[k]);
}

TEST(topics_are_found_again_in_another_order)
{
    static const uint32_t order[] = {4, 0, 5, 3};
    static crafted a, b;
    make_random(&a, 6, 40, 0, 3, 7);
    reorder(&b, &a, order, 4);
    for (int swapped = 0; swapped < 2; swapped++) {
        ezlda_match *found = swapped ? match(&b, &a, 0.9, 5) : match(&a, &b, 0.9, 5);
        ezlda_match_info info = {.size = sizeof info};
        ezlda_match_get_info(found, &info);
        CHECK_EQ(info.topics_a, swapped ? 4 : 6);
        CHECK_EQ(info.topics_b, swapped ? 6 : 4);
        CHECK_EQ(info.pairs, 4);
        CHECK_NEAR(info.mean_similarity, 1, 0);
        CHECK_EQ(info.words_common, 40);
        const ezlda_topic_pair *pair = ezlda_match_pairs(found);
        for (uint32_t i = 0; i < info.pairs; i++) {
            CHECK(!i || pair[i].a > pair[i - 1].a);
            CHECK_EQ(swapped ? order[pair[i].a] : order[pair[i].b], swapped ? pair[i].b : pair[i].a);
            CHECK_NEAR(pair[i].similarity, 1, 0);
            CHECK_NEAR(pair[i].jaccard, 1, 0);
            CHECK_EQ(pair[i].shared_words, (swapped ? pair[i].b : pair[i].a) == 3 ? 0 : 5);
        }
        CHECK_EQ(swapped ? info.alone_b : info.alone_a, 2);
        CHECK_EQ(swapped ? info.alone_a : info.alone_b, 0);
        const ezlda_lone_topic *alone = ezlda_match_alone(found, swapped ? EZLDA_OF_B : EZLDA_OF_A);
        CHECK_EQ(alone[0].topic, 1);
        CHECK_EQ(alone[1].topic, 2);
        double best = 0;
        for (uint32_t k = 0; k < 4; k++)
            best = fmax(best, plain_similarity(&a, 1, &b, k));
        CHECK_NEAR(alone[0].similarity, best, 1e-8);
        CHECK_NEAR(plain_similarity(&a, 1, &b, alone[0].nearest), best, 1e-8);
        ezlda_match_free(found);
    }
}

static void make_simple(crafted *c, uint32_t topics, uint32_t words)
{
    memset(c, 0, sizeof *c);
    c->topics = topics;
    c->words = words;
    for (uint32_t v = 0; v < words; v++)
        snprintf(c->word[v], sizeof c->word[v], "w%u", v);
}

/* Similarities {0.6, 0.5}, {0.35, 0}: the best sum is 0.5 + 0.35, unless 0.35 is too little to count. */
static void make_contest(crafted *a, crafted *b)
{
    make_simple(a, 2, 4);
    make_simple(b, 2, 4);
    memcpy(a->count[0], (uint32_t[]){3600, 2500, 3900, 0}, 16);
    memcpy(a->count[1], (uint32_t[]){1225, 0, 0, 8775}, 16);
    b->count[0][0] = b->count[1][1] = 77;
}

TEST(no_pair_is_given_up_for_one_below_the_threshold)
{
    static crafted a, b;
    make_contest(&a, &b);
    ezlda_match *all = match(&a, &b, 0, 2), *strong = match(&a, &b, 0.4, 2);
    ezlda_match_info info = {.size = sizeof info};
    ezlda_match_get_info(all, &info);
    CHECK_EQ(info.pairs, 2);
    CHECK_EQ(ezlda_match_pairs(all)[0].b, 1);
    CHECK_NEAR(info.mean_similarity, (0.5 + 0.35) / 2, 1e-8);
    ezlda_match_get_info(strong, &info);
    CHECK_EQ(info.pairs, 1);
    CHECK_EQ(ezlda_match_pairs(strong)[0].b, 0);
    CHECK_NEAR(info.mean_similarity, 0.6, 1e-8);
    CHECK_EQ(ezlda_match_alone(strong, EZLDA_OF_A)[0].topic, 1);
    CHECK_EQ(ezlda_match_alone(strong, EZLDA_OF_A)[0].nearest, 0);
    CHECK_NEAR(ezlda_match_alone(strong, EZLDA_OF_A)[0].similarity, 0.35, 1e-8);
    CHECK_EQ(ezlda_match_alone(strong, EZLDA_OF_B)[0].topic, 1);
    CHECK_NEAR(ezlda_match_alone(strong, EZLDA_OF_B)[0].similarity, 0.5, 1e-8);
    ezlda_match_free(all);
    ezlda_match_free(strong);
}

/* First three words: w0 w1 w2 of a; w1 w3 and one that a does not know of b. */
TEST(shared_words)
{
    static crafted a, b;
    make_simple(&a, 1, 4);
    make_simple(&b, 1, 5);
    strcpy(b.word[0], "new");
    memcpy(a.count[0], (uint32_t[]){9, 8, 7, 1}, 16);
    memcpy(b.count[0], (uint32_t[]){9, 8, 1, 7, 0}, 20);
    ezlda_match *found = match(&a, &b, 0, 3);
    CHECK_EQ(ezlda_match_pairs(found)[0].shared_words, 1);
    CHECK_NEAR(ezlda_match_pairs(found)[0].jaccard, 0.2, 1e-15);
    ezlda_match_free(found);
}

TEST(stability)
{
    static const uint32_t order[] = {3, 1, 0, 2, 4};
    static crafted a, b, c;
    double value = -1;
    make_random(&a, 5, 40, 0, 99, 5);
    reorder(&b, &a, order, 5);
    make_random(&c, 5, 40, 0, 2, 6);
    ezlda_model *models[] = {crafted_model(&a), crafted_model(&b), crafted_model(&c)};
    const ezlda_model *const *view = (const ezlda_model *const *)models;
    CHECK_OK(check_context(), ez_topic_stability(&value, check_context(), view, 2));
    CHECK_NEAR(value, 1, 0);
    ezlda_match_info info = {.size = sizeof info};
    ezlda_match *other = match(&a, &c, 0, 0);
    ezlda_match_get_info(other, &info);
    CHECK(info.mean_similarity < 0.9 && info.pairs == 5);
    CHECK_OK(check_context(), ez_topic_stability(&value, check_context(), view, 3));
    CHECK_NEAR(value, (1 + 2 * info.mean_similarity) / 3, 1e-12);
    CHECK_FAILS(check_context(), ez_topic_stability(&value, check_context(), view, 1), "two or more");
    ezlda_match_free(other);
    for (int i = 0; i < 3; i++)
        ezlda_model_free(models[i]);
}

/* Two topics without tokens are alike, but say nothing about the models. */
TEST(empty_topics_are_left_out_of_the_mean)
{
    static crafted a, b;
    make_simple(&a, 2, 2);
    make_simple(&b, 2, 2);
    memcpy(a.count[1], (uint32_t[]){64, 36}, 8);
    memcpy(b.count[1], (uint32_t[]){100, 0}, 8);
    ezlda_match *found = match(&a, &b, 0, 2);
    ezlda_match_info info = {.size = sizeof info};
    ezlda_match_get_info(found, &info);
    CHECK_EQ(info.pairs, 2);
    CHECK_NEAR(ezlda_match_pairs(found)[0].similarity, 1, 0);
    CHECK_NEAR(info.mean_similarity, 0.8, 1e-8);
    ezlda_match_free(found);
}

TEST(what_is_refused)
{
    static crafted a, b;
    ezlda_context *context = check_context();
    ezlda_match *out = NULL;
    ezlda_match_options options;
    make_random(&a, 3, 30, 0, 99, 3);
    make_random(&b, 3, 30, 30, 99, 4);
    ezlda_model *model_a = crafted_model(&a), *model_b = crafted_model(&b);
    CHECK_FAILS(context, ezlda_models_match(&out, context, model_a, model_b, NULL), "no word in common");
    CHECK(out == NULL);
    CHECK_FAILS(context, ezlda_models_match(&out, context, model_a, NULL, NULL), "found NULL");
    ezlda_match_options_init(&options);
    options.threshold = NAN;
    CHECK_FAILS(context, ezlda_models_match(&out, context, model_a, model_a, &options), "threshold");
    options.size = 1;
    CHECK_FAILS(context, ezlda_models_match(&out, context, model_a, model_a, &options), "ezlda_match_options_init");
    ezlda_model_free(model_b);
    strcpy(a.word[7], a.word[3]);
    model_b = crafted_model(&a);
    CHECK_FAILS(context, ezlda_models_match(&out, context, model_a, model_b, NULL), "twice");
    ezlda_model_free(model_a);
    ezlda_model_free(model_b);
    ezlda_match_free(NULL);
}

TEST_MAIN()
