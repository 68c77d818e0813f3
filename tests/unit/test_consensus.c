/* The consensus of several models: matched topics, votes of tokens, sums of words, and which
 * members have a topic. */
#include "check.h"

#include "base/memory.h"
#include "model/model_layout.h"

enum { TOPICS = 8, MEMBERS = 3 };

static ezlda_corpus *drawn(void)
{
    ezlda_synth_options synth;
    ezlda_corpus *corpus = NULL;
    ezlda_synth_options_init(&synth);
    synth.docs = 200;
    synth.words = 250;
    synth.mean_length = 50;
    synth.topics = TOPICS;
    synth.alpha = 0.05;
    synth.beta = 10; /* sharp topics, which every seed finds */
    synth.zipf = 0.5;
    CHECK_OK(check_context(), ezlda_corpus_synth(&corpus, check_context(), &synth));
    return corpus;
}

static ezlda_train_options options_of(uint64_t seed)
{
    ezlda_train_options train;
    ezlda_train_options_init(&train);
    train.topics = TOPICS;
    train.iterations = 100;
    train.device = "cpu";
    train.keep_topics = 1;
    train.start = EZLDA_START_RANDOM;
    train.seed = seed;
    return train;
}

static ezlda_model *member(const ezlda_corpus *corpus, uint64_t seed)
{
    ezlda_train_options train = options_of(seed);
    ezlda_model *model = NULL;
    CHECK_OK(check_context(), ezlda_train(&model, check_context(), corpus, &train));
    return model;
}

static ezlda_model *consensus_of(const ezlda_corpus *corpus, ezlda_model *const *members, size_t n)
{
    ezlda_model *model = NULL;
    CHECK_OK(check_context(), ezlda_consensus(&model, check_context(), corpus,
                                              (const ezlda_model *const *)members, n, NULL));
    return model;
}

static bool same_rows(const ez_rows *a, const ez_rows *b, uint32_t times)
{
    bool same = a->entries == b->entries;
    for (uint64_t e = 0; same && e < a->entries; e++)
        same = a->topic[e] == b->topic[e] && ez_rows_count(a, e) * times == ez_rows_count(b, e);
    return same;
}

TEST(the_consensus_of_equal_models_is_that_model)
{
    ezlda_corpus *corpus = drawn();
    ezlda_model *one = member(corpus, 1), *members[] = {one, one, one};
    ezlda_model *model = consensus_of(corpus, members, MEMBERS);
    CHECK(same_rows(&one->word_rows, &model->word_rows, 1));
    CHECK(same_rows(&one->doc_rows, &model->doc_rows, 1));
    CHECK(same_rows(&one->phi.rows, &model->phi.rows, MEMBERS));
    CHECK_EQ(model->phi.samples, MEMBERS * one->phi.samples);
    for (uint32_t k = 0; k < TOPICS; k++) {
        CHECK_EQ(ezlda_model_found(model)[k], MEMBERS);
        CHECK_NEAR(model->alpha[k], one->alpha[k], 1e-12);
    }
    CHECK_EQ(ezlda_model_found(one), NULL);
    ezlda_model_free(model);
    ezlda_model_free(one);
    ezlda_corpus_free(corpus);
}

/* The number that each topic of a member has in the consensus. */
static void labels_of(const ezlda_model *consensus, const ezlda_model *model, uint32_t *label)
{
    ezlda_match_options options;
    ezlda_match *match = NULL;
    ezlda_match_options_init(&options);
    options.threshold = 0;
    CHECK_OK(check_context(),
             ezlda_model_match(&match, check_context(), consensus, model, &options));
    for (uint32_t i = 0; i < TOPICS; i++)
        label[ezlda_match_pairs(match)[i].b] = ezlda_match_pairs(match)[i].a;
    ezlda_match_free(match);
}

/* Votes of the members on the tokens [first, end), by topic. */
static void count_votes(ezlda_model *const *members, uint32_t label[MEMBERS][TOPICS],
                        uint64_t first, uint64_t end, uint32_t *votes)
{
    memset(votes, 0, TOPICS * sizeof *votes);
    for (int m = 0; m < MEMBERS; m++)
        for (uint64_t i = first; i < end; i++)
            votes[label[m][members[m]->token_topics[i]]]++;
}

/* All tokens of one word in a document: a topic gets its share of the votes, rounded down or up. */
static void check_votes(const ezlda_model *model, ezlda_model *const *members,
                        uint32_t label[MEMBERS][TOPICS], uint64_t first, uint64_t end)
{
    uint32_t votes[TOPICS], got[TOPICS] = {0};
    count_votes(members, label, first, end, votes);
    for (uint64_t i = first; i < end; i++)
        got[model->token_topics[i]]++;
    for (uint32_t k = 0; k < TOPICS; k++) {
        CHECK(got[k] >= votes[k] / MEMBERS);
        CHECK(got[k] <= (votes[k] + MEMBERS - 1) / MEMBERS);
        if (end - first == 1 && votes[k] >= 2)
            CHECK_EQ(got[k], 1);
    }
}

TEST(tokens_get_the_topics_that_most_members_give)
{
    ezlda_corpus *corpus = drawn();
    ezlda_model *members[MEMBERS];
    uint32_t label[MEMBERS][TOPICS], word[300], count[300];
    for (int m = 0; m < MEMBERS; m++)
        members[m] = member(corpus, (uint64_t)m + 1);
    ezlda_model *model = consensus_of(corpus, members, MEMBERS);
    for (int m = 0; m < MEMBERS; m++)
        labels_of(model, members[m], label[m]);
    for (uint64_t d = 0; d < model->meta->docs; d++) {
        size_t n = ezlda_corpus_document(corpus, d, word, count, 300);
        uint64_t at = model->doc_start[d];
        for (size_t i = 0; i < n; at += count[i++])
            check_votes(model, members, label, at, at + count[i]);
    }
    for (uint32_t v = 0; v < model->meta->words; v++) {
        uint64_t sum[TOPICS] = {0};
        for (int m = 0; m < MEMBERS; m++)
            for (uint32_t k = 0; k < TOPICS; k++)
                sum[label[m][k]] += ez_rows_find(&members[m]->phi.rows, v, k);
        for (uint32_t k = 0; k < TOPICS; k++)
            CHECK_EQ(ez_rows_find(&model->phi.rows, v, k), sum[k]);
    }
    ezlda_model_free(model);
    for (int m = 0; m < MEMBERS; m++)
        ezlda_model_free(members[m]);
    ezlda_corpus_free(corpus);
}

/* Topics have other numbers in each member; once they are matched, most members agree on a token.
 */
TEST(the_consensus_has_the_topics_that_members_give_to_most_tokens)
{
    ezlda_corpus *corpus = drawn();
    ezlda_model *members[MEMBERS];
    uint32_t label[TOPICS];
    for (int m = 0; m < MEMBERS; m++)
        members[m] = member(corpus, (uint64_t)m + 1);
    ezlda_model *model = consensus_of(corpus, members, MEMBERS);
    uint64_t agreed = 0, tokens = model->meta->tokens;
    for (int m = 0; m < MEMBERS; m++) {
        labels_of(model, members[m], label);
        for (uint64_t i = 0; i < tokens; i++)
            agreed += model->token_topics[i] == label[members[m]->token_topics[i]];
    }
    CHECK_NEAR((double)agreed / (double)(MEMBERS * tokens), 0.85, 0.15);
    ezlda_model_free(model);
    for (int m = 0; m < MEMBERS; m++)
        ezlda_model_free(members[m]);
    ezlda_corpus_free(corpus);
}

/* Planted topics are in all members. A member in which the words of one topic are everywhere lacks
 * it, and the threshold decides. */
TEST(found_depends_on_the_threshold)
{
    ezlda_context *context = check_context();
    ezlda_corpus *corpus = drawn();
    ezlda_model *members[MEMBERS], *model = NULL;
    ezlda_consensus_options options;
    uint32_t sum = 0;
    for (int m = 0; m < MEMBERS; m++)
        members[m] = member(corpus, (uint64_t)m + 1);
    ezlda_consensus_options_init(&options);
    options.threshold = 1;
    CHECK_OK(context, ezlda_consensus(&model, context, corpus, (const ezlda_model *const *)members,
                                      MEMBERS, &options));
    for (uint32_t k = 0; k < TOPICS; k++)
        sum += ezlda_model_found(model)[k];
    CHECK_EQ(sum, 0);
    ezlda_model_free(model);
    model = consensus_of(corpus, members, MEMBERS);
    for (uint32_t k = 0; k < TOPICS; k++)
        sum += ezlda_model_found(model)[k];
    CHECK(sum > TOPICS);
    options.threshold = 1.5;
    ezlda_model *none = NULL;
    CHECK_EQ(ezlda_consensus(&none, context, corpus, (const ezlda_model *const *)members, MEMBERS,
                             &options),
             EZLDA_ERROR_ARGUMENT);
    ezlda_model_free(model);
    for (int m = 0; m < MEMBERS; m++)
        ezlda_model_free(members[m]);
    ezlda_corpus_free(corpus);
}

TEST(an_ensemble_is_the_consensus_of_its_seeds)
{
    ezlda_context *context = check_context();
    ezlda_corpus *corpus = drawn();
    ezlda_model *members[] = {member(corpus, 4), member(corpus, 5)}, *model = NULL;
    ezlda_train_options train = options_of(4);
    ezlda_ensemble_options options;
    ezlda_ensemble_options_init(&options);
    options.seeds = 2;
    options.train = &train;
    train.keep_topics = 0;
    ezlda_context_set_threads(context, 3);
    CHECK_OK(context, ezlda_ensemble(&model, context, corpus, &options));
    ezlda_context_set_threads(context, 1);
    ezlda_model *expected = consensus_of(corpus, members, 2);
    ezlda_context_set_threads(context, 0);
    CHECK_EQ(ez_model_hash(model), ez_model_hash(expected));
    CHECK(ez_model_hash(model) != ez_model_hash(members[0]));
    ezlda_model_free(expected);
    ezlda_model_free(model);
    ezlda_model_free(members[0]);
    ezlda_model_free(members[1]);
    ezlda_corpus_free(corpus);
}

TEST_MAIN()
