/* Trees of topics against a search through all pairs with plain sums, and the models of their cuts.
 */
#include "check.h"

#include "base/memory.h"
#include "model/model_layout.h"
#include "tree/log_gamma.h"

#include <math.h>

/* More topics than a list of neighbours has room for, several times over. */
enum { TOPICS = 130, WORDS = 120 };

static ezlda_model *trained(uint32_t topics, ezlda_corpus **corpus)
{
    ezlda_context *context = check_context();
    ezlda_synth_options synth;
    ezlda_train_options train;
    ezlda_model *model = NULL;
    ezlda_synth_options_init(&synth);
    synth.docs = 250;
    synth.words = WORDS;
    synth.mean_length = 60;
    synth.topics = 12;
    CHECK_OK(context, ezlda_corpus_synth(corpus, context, &synth));
    ezlda_train_options_init(&train);
    train.topics = topics;
    train.iterations = 30;
    train.device = "cpu";
    train.keep_topics = 1;
    CHECK_OK(context, ezlda_train(&model, context, *corpus, &train));
    return model;
}

static ezlda_tree *tree_of(const ezlda_model *model, int threads)
{
    ezlda_tree *tree = NULL;
    ezlda_context_set_threads(check_context(), threads);
    CHECK_OK(check_context(), ezlda_tree_make(&tree, check_context(), model, NULL));
    ezlda_context_set_threads(check_context(), 0);
    return tree;
}

static ezlda_tree_node node_at(const ezlda_tree *tree, uint32_t i)
{
    ezlda_tree_node node = {.size = sizeof node};
    CHECK(ezlda_tree_get_node(tree, i, &node));
    return node;
}

/* The logarithm of the likelihood of a topic's words. */
static double likelihood(const uint64_t *count, uint32_t words, double beta)
{
    double sum = 0, tokens = 0;
    for (uint32_t v = 0; v < words; v++) {
        sum += lgamma((double)count[v] + beta) - lgamma(beta);
        tokens += (double)count[v];
    }
    return sum + lgamma(words * beta) - lgamma(tokens + words * beta);
}

static double loss_of(uint64_t (*count)[WORDS], uint32_t i, uint32_t j, uint32_t words, double beta)
{
    uint64_t both[WORDS];
    for (uint32_t v = 0; v < words; v++)
        both[v] = count[i][v] + count[j][v];
    return likelihood(count[i], words, beta) + likelihood(count[j], words, beta) -
           likelihood(both, words, beta);
}

static uint64_t counts[TOPICS][WORDS];

static uint32_t fill_counts(const ezlda_model *model)
{
    uint32_t words = model->meta->words;
    CHECK(words <= WORDS);
    memset(counts, 0, sizeof counts);
    for (uint32_t v = 0; v < words; v++)
        for (uint64_t e = model->word_rows.start[v]; e < model->word_rows.start[v + 1]; e++)
            counts[model->word_rows.topic[e]][v] = ez_rows_count(&model->word_rows, e);
    return words;
}

/* Losses of all pairs; those of merged topics are infinite. */
static double losses[TOPICS][TOPICS];

static void fill_losses(uint32_t topic, const bool *there, uint32_t words, double beta)
{
    for (uint32_t other = 0; other < TOPICS; other++) {
        bool both = there[topic] && there[other] && other != topic;
        double loss = both ? loss_of(counts, topic, other, words, beta) : INFINITY;
        losses[topic][other] = losses[other][topic] = loss;
    }
}

static double least_loss(void)
{
    double least = INFINITY;
    for (uint32_t i = 0; i < TOPICS; i++)
        for (uint32_t j = 0; j < i; j++)
            least = losses[i][j] < least ? losses[i][j] : least;
    return least;
}

TEST(each_merge_is_the_cheapest_of_all_pairs)
{
    ezlda_corpus *corpus = NULL;
    ezlda_model *model = trained(TOPICS, &corpus);
    ezlda_tree *tree = tree_of(model, 1);
    uint32_t words = fill_counts(model), bundle[2 * TOPICS];
    double beta = model->meta->beta, total = 0;
    bool there[TOPICS];
    memset(there, 1, sizeof there);
    for (uint32_t k = 0; k < TOPICS; k++) {
        bundle[k] = k;
        fill_losses(k, there, words, beta);
    }
    CHECK_EQ(ezlda_tree_nodes(tree), 2 * TOPICS - 1);
    for (uint32_t i = TOPICS; i < 2 * TOPICS - 1; i++) {
        ezlda_tree_node node = node_at(tree, i);
        uint32_t a = bundle[node.left], b = bundle[node.right];
        double loss = loss_of(counts, a, b, words, beta);
        CHECK(there[a] && there[b] && a < b);
        CHECK_NEAR(node.loss, loss, 1e-3);
        CHECK_NEAR(loss, least_loss(), 1e-3);
        for (uint32_t v = 0; v < words; v++)
            counts[a][v] += counts[b][v];
        there[b] = false;
        fill_losses(b, there, words, beta);
        fill_losses(a, there, words, beta);
        bundle[i] = a;
        total += node.loss;
        CHECK_NEAR(node.total_loss, total, 1e-6);
        CHECK_EQ(node.topic, a);
    }
    ezlda_tree_free(tree);
    ezlda_model_free(model);
    ezlda_corpus_free(corpus);
}

TEST(threads_do_not_change_the_tree)
{
    ezlda_corpus *corpus = NULL;
    ezlda_model *model = trained(TOPICS, &corpus);
    ezlda_tree *one = tree_of(model, 1), *three = tree_of(model, 3);
    for (uint32_t i = 0; i < ezlda_tree_nodes(one); i++) {
        ezlda_tree_node a = node_at(one, i), b = node_at(three, i);
        CHECK(a.left == b.left && a.right == b.right && a.loss == b.loss && a.tokens == b.tokens);
        CHECK_EQ(a.n_words, b.n_words);
        CHECK(memcmp(a.words, b.words, a.n_words * sizeof *a.words) == 0);
    }
    ezlda_tree_free(one);
    ezlda_tree_free(three);
    ezlda_model_free(model);
    ezlda_corpus_free(corpus);
}

/* The sum of the counts of all topics that have become topic k. */
static uint64_t sum_of(const ez_rows *rows, uint64_t row, const uint32_t *cut, uint32_t k)
{
    uint64_t sum = 0;
    for (uint64_t e = rows->start[row]; e < rows->start[row + 1]; e++)
        sum += cut[rows->topic[e]] == k ? ez_rows_count(rows, e) : 0;
    return sum;
}

static void check_rows(const ez_rows *fine, const ez_rows *coarse, const uint32_t *cut, uint32_t n)
{
    for (uint64_t r = 0; r < fine->rows; r++)
        for (uint32_t k = 0; k < n; k++)
            CHECK_EQ(ez_rows_find(coarse, r, k), sum_of(fine, r, cut, k));
}

TEST(a_cut_is_the_model_of_summed_counts)
{
    ezlda_context *context = check_context();
    ezlda_corpus *corpus = NULL;
    ezlda_model *model = trained(TOPICS, &corpus), *coarse = NULL;
    ezlda_tree *tree = tree_of(model, 2);
    uint32_t cut[TOPICS], nodes[TOPICS], sizes[] = {2, 7, TOPICS};
    for (int s = 0; s < 3; s++) {
        uint32_t n = sizes[s];
        double alpha[TOPICS] = {0};
        CHECK_OK(context, ezlda_tree_topics(cut, nodes, context, tree, n));
        CHECK_OK(context, ezlda_tree_cut(&coarse, context, tree, n));
        CHECK_EQ(coarse->meta->topics, n);
        check_rows(&model->word_rows, &coarse->word_rows, cut, n);
        check_rows(&model->doc_rows, &coarse->doc_rows, cut, n);
        check_rows(&model->phi.rows, &coarse->phi.rows, cut, n);
        for (uint32_t k = 0; k < TOPICS; k++)
            alpha[cut[k]] += model->alpha[k];
        for (uint32_t k = 0; k < n; k++) {
            CHECK_EQ(alpha[k], coarse->alpha[k]);
            CHECK_EQ(node_at(tree, nodes[k]).tokens, coarse->topic_tokens[k]);
            CHECK_EQ(cut[node_at(tree, nodes[k]).topic], k);
        }
        for (uint64_t i = 0; i < model->meta->tokens; i++)
            CHECK_EQ(coarse->token_topics[i], cut[model->token_topics[i]]);
        CHECK((coarse->meta->topics_hash == model->meta->topics_hash) == (n == TOPICS));
        ezlda_model_free(coarse);
    }
    CHECK_EQ(ezlda_tree_cut(&coarse, context, tree, 1), EZLDA_ERROR_ARGUMENT);
    CHECK_EQ(ezlda_tree_cut(&coarse, context, tree, TOPICS + 1), EZLDA_ERROR_ARGUMENT);
    ezlda_tree_free(tree);
    ezlda_model_free(model);
    ezlda_corpus_free(corpus);
}

TEST(cuts_are_nested)
{
    ezlda_corpus *corpus = NULL;
    ezlda_model *model = trained(TOPICS, &corpus);
    ezlda_tree *tree = tree_of(model, 2);
    uint32_t fine[TOPICS], coarse[TOPICS];
    for (uint32_t n = 1; n < TOPICS; n++) {
        CHECK_OK(check_context(), ezlda_tree_topics(coarse, NULL, check_context(), tree, n));
        CHECK_OK(check_context(), ezlda_tree_topics(fine, NULL, check_context(), tree, n + 1));
        for (uint32_t i = 0; i < TOPICS; i++)
            for (uint32_t j = 0; j < i; j++)
                CHECK(fine[i] != fine[j] || coarse[i] == coarse[j]);
    }
    ezlda_tree_free(tree);
    ezlda_model_free(model);
    ezlda_corpus_free(corpus);
}

TEST(log_gamma_is_that_of_libm)
{
    static const double at[] = {1e-6, 0.003, 0.5, 1, 1.5, 2, 7.25, 15.9, 16, 100.5, 65536.5, 3e9};
    for (size_t i = 0; i < sizeof at / sizeof *at; i++)
        CHECK_NEAR(ez_portable_log_gamma(at[i]), lgamma(at[i]), 1e-12 * (1 + fabs(lgamma(at[i]))));
    ez_log_gamma gamma = {0};
    CHECK_OK(check_context(), ez_log_gamma_init(&gamma, check_context(), 0.01));
    uint64_t counts_at[] = {0, 1, 2, 255, EZ_GAMMA_TABLE - 1, EZ_GAMMA_TABLE, 1000000000};
    for (size_t i = 0; i < sizeof counts_at / sizeof *counts_at; i++)
        CHECK_NEAR((double)ez_log_gamma_of(&gamma, counts_at[i]) / (1 << EZ_GAMMA_BITS),
                   lgamma((double)counts_at[i] + 0.01) - lgamma(0.01),
                   1e-5 * (1 + (double)counts_at[i]));
    ez_log_gamma_free(&gamma);
}

TEST_MAIN()
