/* Similarities of topics against the plain sum over all words, and the matching built on them, on
 * crafted models. */
#include "check.h"

#include "compare/models_match.h"
#include "compare/topic_similarity.h"
#include "crafted_model.h"

/* The sum over all words, by text. */
static double plain_similarity(const crafted *a, uint32_t i, const crafted *b, uint32_t j)
{
    double n_a = (double)crafted_tokens(a, i), n_b = (double)crafted_tokens(b, j), sum = 0;
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
    crafted_random(&a, 6, 50, 0, 2, 1);
    crafted_random(&b, 8, 60, 20, 5, 2);
    ezlda_model *model_a = crafted_model(&a), *model_b = crafted_model(&b);
    uint32_t *table = similarities(model_a, model_b, 1),
             *mirror = similarities(model_b, model_a, 3);
    for (uint32_t i = 0; i < a.topics; i++) {
        for (uint32_t j = 0; j < b.topics; j++) {
            CHECK_NEAR(table[i * b.topics + j] / (double)EZ_SAME, plain_similarity(&a, i, &b, j),
                       1e-8);
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
        crafted_random(&a, 7, 64, 0, 3, seed);
        ezlda_model *model = crafted_model(&a);
        uint32_t *table = similarities(model, model, 2);
        for (uint32_t i = 0; i < a.topics; i++)
            for (uint32_t j = 0; j < a.topics; j++)
                CHECK((table[i * a.topics + j] == EZ_SAME) == (i == j));
        free(table);
        ezlda_model_free(model);
    }
}

typedef struct own_tokens {
    uint64_t a, b;
} own_tokens;

/* Tokens of words below 20 in a, from 50 in b. */
static own_tokens count_own(const crafted *a, const crafted *b)
{
    own_tokens own = {0, 0};
    for (uint32_t k = 0; k < TOPICS_MOST; k++) {
        for (uint32_t v = 0; v < a->words; v++)
            own.a += atoi(a->word[v] + 1) < 20 ? a->count[k][v] : 0;
        for (uint32_t v = 0; v < b->words; v++)
            own.b += atoi(b->word[v] + 1) >= 50 ? b->count[k][v] : 0;
    }
    return own;
}

TEST(words_are_matched_by_text)
{
    static crafted a, b;
    crafted_random(&a, 4, 50, 0, 99, 3);
    crafted_random(&b, 3, 60, 20, 99, 4);
    ezlda_model *model_a = crafted_model(&a), *model_b = crafted_model(&b);
    ez_common_words common = {0};
    CHECK_OK(check_context(), ez_common_words_find(&common, check_context(), model_a, model_b));
    for (uint32_t v = 0; v < a.words; v++)
        CHECK_STR(common.in_b[v] == EZ_NO_WORD ? NULL : b.word[common.in_b[v]],
                  atoi(a.word[v] + 1) < 20 ? NULL : a.word[v]);
    own_tokens own = count_own(&a, &b);
    CHECK_EQ(common.n, 30);
    CHECK_EQ(common.only_a, 20);
    CHECK_EQ(common.only_b, 30);
    CHECK_EQ(common.tokens_only_a, own.a);
    CHECK_EQ(common.tokens_only_b, own.b);
    ez_free(common.in_b);
    ezlda_model_free(model_a);
    ezlda_model_free(model_b);
}

/* ---- matching ---- */

static ezlda_match *match(const crafted *a, const crafted *b, double threshold, uint32_t words)
{
    ezlda_match_options options;
    ezlda_match *out = NULL;
    ezlda_model *model_a = crafted_model(a), *model_b = crafted_model(b);
    ezlda_match_options_init(&options);
    options.threshold = threshold;
    options.words = words;
    CHECK_OK(check_context(), ezlda_model_match(&out, check_context(), model_a, model_b, &options));
    ezlda_model_free(model_a);
    ezlda_model_free(model_b);
    return out;
}

TEST(words_of_one_model_only_are_counted)
{
    static crafted a, b;
    crafted_random(&a, 4, 50, 0, 99, 3);
    crafted_random(&b, 3, 60, 20, 99, 4);
    own_tokens own = count_own(&a, &b);
    for (int swapped = 0; swapped < 2; swapped++) {
        ezlda_match *found = swapped ? match(&b, &a, 0, 0) : match(&a, &b, 0, 0);
        ezlda_match_info info = {.size = sizeof info};
        ezlda_match_get_info(found, &info);
        CHECK_EQ(info.words_common, 30);
        CHECK_EQ(swapped ? info.words_only_b : info.words_only_a, 20);
        CHECK_EQ(swapped ? info.words_only_a : info.words_only_b, 30);
        CHECK_EQ(swapped ? info.tokens_only_b : info.tokens_only_a, own.a);
        CHECK_EQ(swapped ? info.tokens_only_a : info.tokens_only_b, own.b);
        ezlda_match_free(found);
    }
}

/* Topic k of b is topic order[k] of a; a's topics that are not named are missing. */
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
    crafted_random(&a, 6, 40, 0, 3, 7);
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
            CHECK_EQ(swapped ? order[pair[i].a] : order[pair[i].b],
                     swapped ? pair[i].b : pair[i].a);
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

/* Similarities {0.6, 0.5}, {0.35, 0}: the best sum is 0.5 + 0.35, unless 0.35 is too little to
 * count. */
static void make_contest(crafted *a, crafted *b)
{
    crafted_plain(a, 2, 4);
    crafted_plain(b, 2, 4);
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

/* First three words: of topic 0 w0 w1 w2 in a, w1 w3 and one that a does not know in b; of topic 1
 * w4 w5 w1 in a and w4 w5 w6 in b. */
TEST(shared_words)
{
    static crafted a, b;
    crafted_plain(&a, 2, 6);
    crafted_plain(&b, 2, 7);
    strcpy(b.word[0], "new");
    memcpy(a.count[0], (uint32_t[]){9, 8, 7, 1, 0, 0}, 24);
    memcpy(b.count[0], (uint32_t[]){9, 8, 1, 7, 0, 0, 0}, 28);
    memcpy(a.count[1], (uint32_t[]){0, 1, 0, 0, 9, 9}, 24);
    memcpy(b.count[1], (uint32_t[]){0, 0, 0, 0, 9, 9, 9}, 28);
    ezlda_match *found = match(&a, &b, 0, 3);
    const ezlda_topic_pair *pair = ezlda_match_pairs(found);
    CHECK_EQ(pair[0].shared_words, 1);
    CHECK_NEAR(pair[0].jaccard, 0.2, 1e-15);
    CHECK_EQ(pair[1].shared_words, 2);
    CHECK_NEAR(pair[1].jaccard, 0.5, 1e-15);
    ezlda_match_free(found);
}

TEST(stability)
{
    static const uint32_t order[] = {3, 1, 0, 2, 4};
    static crafted a, b, c;
    double value = -1;
    crafted_random(&a, 5, 40, 0, 99, 5);
    reorder(&b, &a, order, 5);
    crafted_random(&c, 5, 40, 0, 2, 6);
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
    CHECK_FAILS(check_context(), ez_topic_stability(&value, check_context(), view, 1),
                "two or more");
    ezlda_match_free(other);
    for (int i = 0; i < 3; i++)
        ezlda_model_free(models[i]);
}

/* Two topics without tokens are alike, but say nothing about the models. */
TEST(empty_topics_are_left_out_of_the_mean)
{
    static crafted a, b;
    crafted_plain(&a, 2, 2);
    crafted_plain(&b, 2, 2);
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

TEST(of_equal_words_the_first_counts)
{
    static crafted a, b;
    crafted_random(&a, 3, 30, 0, 99, 3);
    b = a;
    strcpy(b.word[7], b.word[3]);
    for (int turn = 0; turn < 2; turn++) {
        ezlda_match *found = turn ? match(&b, &a, 0, 2) : match(&a, &b, 0, 2);
        ezlda_match_info info = {.size = sizeof info};
        ezlda_match_get_info(found, &info);
        CHECK_EQ(info.words_common, 29);
        CHECK_EQ(info.words_only_a, 1);
        CHECK_EQ(info.words_only_b, 1);
        CHECK_EQ(info.pairs, 3);
        ezlda_match_free(found);
    }
}

TEST(what_is_refused)
{
    static crafted a, b;
    ezlda_context *context = check_context();
    ezlda_match *out = NULL;
    ezlda_match_options options;
    crafted_random(&a, 3, 30, 0, 99, 3);
    crafted_random(&b, 3, 30, 30, 99, 4);
    ezlda_model *model_a = crafted_model(&a), *model_b = crafted_model(&b);
    CHECK_FAILS(context, ezlda_model_match(&out, context, model_a, model_b, NULL),
                "no word in common");
    CHECK(out == NULL);
    CHECK_FAILS(context, ezlda_model_match(&out, context, model_a, NULL, NULL), "found NULL");
    ezlda_match_options_init(&options);
    options.threshold = NAN;
    CHECK_FAILS(context, ezlda_model_match(&out, context, model_a, model_a, &options), "threshold");
    options.size = 1;
    CHECK_FAILS(context, ezlda_model_match(&out, context, model_a, model_a, &options),
                "ezlda_match_options_init");
    ezlda_model_free(model_a);
    ezlda_model_free(model_b);
    ezlda_match_free(NULL);
}

TEST_MAIN()
