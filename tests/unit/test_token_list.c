/* T, its indices and the start topics: all backends share them, so comparing backends finds no
 * error in them. */
#include "check.h"

#include "backend/start.h"
#include "random_tokens.h"
#include "sampler/arithmetic.h"

TEST(t_is_sorted_and_the_cursors_lead_to_it)
{
    ezlda_context *context = check_context();
    ezlda_context_set_threads(context, 3);
    ez_token_list *t = random_tokens(
        context, &(random_shape){.seed = 2, .docs = 500, .words = 40, .mean_length = 30});
    CHECK(t->blocks > 3);
    for (uint32_t v = 0; v < t->words; v++) {
        uint64_t tokens = t->word_start[v + 1] - t->word_start[v];
        uint32_t docs = tokens > 0;
        CHECK(v == 0 || tokens <= t->word_start[v] - t->word_start[v - 1]);
        for (uint64_t i = t->word_start[v] + 1; i < t->word_start[v + 1]; i++) {
            CHECK(t->doc[i - 1] <= t->doc[i]);
            docs += t->doc[i - 1] != t->doc[i];
        }
        CHECK_EQ(t->doc_frequency[v], docs);
    }
    uint32_t *next = calloc(t->words, sizeof *next);
    for (uint32_t v = 0; v < t->words; v++)
        next[v] = (uint32_t)t->word_start[v];
    for (uint32_t b = 0; b < t->blocks; b++) {
        CHECK(memcmp(next, ez_block_cursor(t, b), t->words * sizeof *next) == 0);
        for (uint64_t d = t->block_doc[b]; d < t->block_doc[b + 1]; d++)
            for (uint64_t i = t->doc_start[d]; i < t->doc_start[d + 1]; i++)
                CHECK_EQ(t->doc[next[t->word[i]]++], d);
    }
    free(next);
    ez_token_list_free(t);
}

/* Words 0 (in all documents), 1 (three times in document 0, and in 1), 2 (once in document 0
 * alone). */
TEST(a_document_is_known_by_its_frequent_and_rare_words)
{
    static const uint64_t starts[] = {0, 6, 8, 9, 10};
    static const uint32_t words[] = {0, 0, 1, 1, 1, 2, 0, 1, 0, 0};
    ezlda_context *context = check_context();
    uint64_t *start = NULL;
    uint32_t *word = NULL, out[4];
    ez_salient scratch[8];
    CHECK_OK(context, ez_array(&start, context, 5, sizeof *start, "starts"));
    CHECK_OK(context, ez_array(&word, context, 10, sizeof *word, "words"));
    memcpy(start, starts, sizeof starts);
    memcpy(word, words, sizeof words);
    ez_token_list *t = NULL;
    CHECK_OK(context, ez_token_list_create(&t, context, 4, 3, start, word));
    CHECK_OK(context, ez_token_list_index(t, context));
    CHECK_EQ(ez_salient_words(t, 0, out, 4, scratch), 3);
    /* 3 * log2(4/2) = 3, 1 * log2(4/1) = 2, 2 * log2(4/4) = 0 */
    CHECK_EQ(t->original[out[0]], 1);
    CHECK_EQ(t->original[out[1]], 2);
    CHECK_EQ(t->original[out[2]], 0);
    CHECK_EQ(ez_salient_words(t, 0, out, 1, scratch), 1);
    CHECK_EQ(t->original[out[0]], 1);
    ez_token_list_free(t);
}

/* A document starts in one topic for every 256 tokens; leave-one-out for every 16 if topics have
 * few documents. */
TEST(pieces_of_a_document)
{
    static const uint32_t length[][3] = {{0, 0, 0},      {1, 1, 1},     {16, 1, 1},   {17, 1, 2},
                                         {256, 1, 16},   {257, 2, 17},  {512, 2, 32}, {513, 3, 32},
                                         {8192, 32, 32}, {8193, 33, 33}};
    ez_settings settings = {.topics = 1000}, paper = {.topics = 1000, .estimator = EZLDA_ESCA};
    CHECK_EQ(ez_start_piece(&(ez_token_list){.all_docs = 0}, &settings), 16);
    CHECK_EQ(ez_start_piece(&(ez_token_list){.all_docs = 3999}, &settings), 16);
    CHECK_EQ(ez_start_piece(&(ez_token_list){.all_docs = 4000}, &settings), 256);
    CHECK_EQ(ez_start_piece(&(ez_token_list){.all_docs = UINT64_MAX}, &settings), 256);
    CHECK_EQ(ez_start_piece(&(ez_token_list){.all_docs = 5}, &paper), 256);
    for (size_t i = 0; i < sizeof length / sizeof *length; i++) {
        CHECK_EQ(ez_start_pieces(length[i][0], 256), length[i][1]);
        CHECK_EQ(ez_start_pieces(length[i][0], 16), length[i][2]);
    }
}

/* The tokens of the document that start in the topic of one of its keywords, and how many of these
 * topics there are. */
static uint64_t tokens_in(const uint16_t *topic, uint64_t length, const uint32_t *keyword,
                          uint32_t keywords, const ez_settings *settings, uint32_t *used)
{
    uint64_t in = 0, key = ez_iteration_key(settings->seed, 0);
    *used = 0;
    for (uint32_t i = 0; i < keywords; i++) {
        uint64_t before = in;
        uint32_t k = ez_uniform_topic(ez_word_key(key, keyword[i]), settings->topics);
        for (uint64_t j = 0; j < length; j++)
            in += topic[j] == k;
        *used += in > before;
    }
    return in;
}

/* The topic of a word is the same in all documents; how many words name one depends on the
 * documents of all. */
static void check_start(const ez_token_list *t, uint32_t piece)
{
    ezlda_context *context = check_context();
    ez_settings settings = {.topics = 50000, .seed = 1, .start = EZLDA_START_KEYWORD};
    ez_start_scratch scratch;
    uint16_t *topic = calloc(t->longest, sizeof *topic);
    ez_salient *room = calloc(t->longest, sizeof *room);
    uint32_t keyword[32], used;
    CHECK_OK(context, ez_start_scratch_init(&scratch, context, t));
    for (uint64_t d = 0; d < t->docs; d++) {
        uint64_t length = t->doc_start[d + 1] - t->doc_start[d];
        uint32_t pieces = ez_salient_words(t, d, keyword, ez_start_pieces(length, piece), room);
        ez_start_document(t, &settings, d, topic, &scratch);
        CHECK_EQ(tokens_in(topic, length, keyword, pieces, &settings, &used), length);
        CHECK(used == pieces ||
              (length < 60 && used + 1 == pieces)); /* one topic may get no token */
    }
    ez_start_scratch_free(&scratch);
    free(topic);
    free(room);
}

TEST(a_document_starts_in_the_topics_of_its_keywords)
{
    ez_token_list *t = random_tokens(
        check_context(),
        &(random_shape){
            .seed = 4, .docs = 40, .words = 300, .mean_length = 60, .long_document = 1000});
    check_start(t, 16);
    t->all_docs = 4 * 50000;
    check_start(t, 256);
    ez_token_list_free(t);
}

/* Every part of its key changes a draw, and a bit of it in half of all cases. */
TEST(draws_depend_on_each_part_of_their_key)
{
    enum { DRAWS = 4096 };
    uint64_t key = ez_iteration_key(3, 1), word = ez_word_key(key, 7);
    int ones[5] = {0};
    for (uint32_t i = 0; i < DRAWS; i++) {
        ones[0] += __builtin_popcountll(ez_draw(word, i, 0) ^ ez_draw(word, i + 1, 0));
        ones[1] += __builtin_popcountll(ez_draw(word, 5, i) ^ ez_draw(word, 5, i + 1));
        ones[2] += __builtin_popcountll(ez_word_key(key, i) ^ ez_word_key(key, i + 1));
        ones[3] += __builtin_popcountll(ez_iteration_key(3, i) ^ ez_iteration_key(3, i + 1));
        ones[4] += __builtin_popcountll(ez_iteration_key(i, 1) ^ ez_iteration_key(i + 1, 1));
    }
    for (int i = 0; i < 5; i++)
        CHECK_NEAR((double)ones[i] / DRAWS, 32, 0.7);
}

TEST_MAIN()
