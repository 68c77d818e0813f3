/* The pair path of the CPU backend (backend/cpu/pairs.h) against the reference: one hash, score and
 * number of moved tokens for small K, all instruction sets, lengths and kinds of counts. */
#include "check.h"

#include "backend/cpu/pairs.h"
#include "backend_outcome.h"

enum { ITERATIONS = 4, TOPICS_MOST = 300 };

static float alpha[TOPICS_MOST];

static ez_settings make_settings(uint32_t topics, int turn)
{
    ez_settings settings = {
        .topics = topics, .seed = (uint64_t)turn, .priors.alpha = alpha, .priors.beta = 0.05f};
    settings.estimator = turn % 2 ? EZLDA_ESCA : EZLDA_LEAVE_ONE_OUT;
    settings.start = turn % 3 == 0 ? EZLDA_START_KEYWORD : EZLDA_START_RANDOM;
    for (uint32_t k = 0; k < topics; k++) {
        alpha[k] = 20.0f / (float)topics * (turn % 4 < 2 ? 1 : 0.1f + (float)(k % 7));
        settings.priors.alpha_sum += (double)alpha[k];
    }
    return settings;
}

static void check_same(ez_token_list *tokens, const ez_settings *settings, int turn)
{
    outcome expected = train(&ez_reference_backend, tokens, settings, 1, ITERATIONS);
    for (int set = 0; set < SETS; set++) {
        if (!runs_here(instruction_sets[set]))
            continue;
        setenv("EZLDA_SIMD", instruction_sets[set], 1);
        outcome got = train(&ez_cpu_backend, tokens, settings, 1 + (turn + set) % 3, ITERATIONS);
        if (got.hash != expected.hash || got.score != expected.score || got.moved != expected.moved)
            CHECK_FAIL("%s, K %u, turn %d: hash %llx, expected %llx; score %lld, expected %lld",
                       instruction_sets[set], settings->topics, turn, (unsigned long long)got.hash,
                       (unsigned long long)expected.hash, (long long)got.score,
                       (long long)expected.score);
        /* Every token is drawn from its whole line: the other path would decide some early. */
        if (settings->topics <= EZ_PAIR_TOPICS)
            CHECK_EQ(got.undecided, ITERATIONS * tokens->tokens);
    }
    unsetenv("EZLDA_SIMD");
}

static void check_shape(const random_shape *shape, uint32_t topics, int turn)
{
    ez_token_list *tokens = random_tokens(check_context(), shape);
    ez_settings settings = make_settings(topics, turn);
    check_same(tokens, &settings, turn);
    ez_token_list_free(tokens);
}

TEST(one_hash_for_every_small_number_of_topics)
{
    int turn = 0;
    for (uint32_t k = 2; k <= TOPICS_MOST; k += k < 36 ? 1 : k % 16 == 15 ? 2 : 7, turn++)
        check_shape(&(random_shape){.seed = k, .docs = 90, .words = 60, .mean_length = 90}, k,
                    turn);
}

/* A row of D with more than 32 entries is not in topic order; a pair may span several batches. */
TEST(one_hash_with_long_rows_and_pairs)
{
    static const uint32_t words[] = {1, 2, 5, 400};
    for (int turn = 0; turn < 8; turn++)
        check_shape(&(random_shape){.seed = 40 + (uint64_t)turn,
                                    .docs = 20,
                                    .words = words[turn % 4],
                                    .mean_length = 700},
                    turn < 4 ? 100 : 256, turn);
}

/* Tokens of a pair are drawn together if there are many, also pairs that begin in the batch before.
 */
TEST(one_hash_with_many_tokens_of_a_pair)
{
    static const uint32_t topics[] = {2, 8, 9, 20, 24, 25, 32, 40, 56};
    for (int turn = 0; turn < 18; turn++)
        check_shape(&(random_shape){.seed = 90 + (uint64_t)turn,
                                    .docs = 30,
                                    .words = turn < 9 ? 8 : 40,
                                    .mean_length = 150},
                    topics[turn % 9], turn);
}

/* Documents about the length from which 16 bits do not suffice, and counts of several entries. */
TEST(one_hash_with_long_documents)
{
    static const uint32_t length[] = {32766, 32767, 32768, 70000, 140000};
    for (int turn = 0; turn < 5; turn++)
        check_shape(&(random_shape){.seed = 60 + (uint64_t)turn,
                                    .docs = 12,
                                    .words = 40,
                                    .mean_length = 20,
                                    .long_document = length[turn]},
                    turn % 2 ? 2 : 50, turn);
}

/* Topics with several entries each: few, in some lanes of S''; and more entries than one round of
 * the lanes, so that the entries of a topic lie apart. */
TEST(one_hash_with_huge_documents)
{
    for (int turn = 0; turn < (brief() ? 1 : 3); turn++)
        check_shape(&(random_shape){.seed = 70 + (uint64_t)turn,
                                    .docs = 12,
                                    .words = 30,
                                    .mean_length = 20,
                                    .long_document = turn < 2 ? 400000 : 1700000},
                    turn < 2 ? 3 : 24, turn);
}

/* Seeds add counts to W that no token has. */
TEST(one_hash_with_base_counts)
{
    enum { WORDS = 60 };
    uint64_t start[WORDS + 1];
    uint16_t topic[WORDS];
    uint32_t count[WORDS];
    for (uint32_t v = 0; v <= WORDS; v++)
        start[v] = v;
    for (int turn = 0; turn < 4; turn++) {
        uint32_t topics = turn < 2 ? 20 : 130;
        for (uint32_t v = 0; v < WORDS; v++) {
            topic[v] = (uint16_t)(v * 7 % topics);
            count[v] = 1 + v % 5;
        }
        ez_base_counts base = {.start = start, .topic = topic, .count = count};
        ez_token_list *tokens = random_tokens(
            check_context(),
            &(random_shape){.seed = 9, .docs = 80, .words = WORDS, .mean_length = 60});
        ez_settings settings = make_settings(topics, turn);
        settings.base = &base;
        check_same(tokens, &settings, turn);
        ez_token_list_free(tokens);
    }
}

TEST_MAIN()
