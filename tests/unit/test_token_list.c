/* T and its indices, and the start: what all backends share, so that comparing them cannot tell. */
#include "check.h"

#include "backend/start.h"
#include "random_tokens.h"

TEST(t_is_sorted_and_the_cursors_lead_to_it)
{
    ezlda_context *context = check_context();
    ezlda_context_set_threads(context, 3);
    ez_token_list *t = random_tokens(context, &(random_shape){.seed = 2, .docs = 500, .words = 40, .mean_length = 30});
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

/* Words 0 (in all documents), 1 (three times in document 0, and in 1), 2 (once in document 0 alone). */
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

/* A document starts in one topic for every 256 tokens, the topic of a word being the same in all documents. */
TEST(a_document_starts_in_the_topics_of_its_keywords)
{
    ezlda_context *context = check_context();
    ez_token_list *t = random_tokens(
        context, &(random_shape){.seed = 4, .docs = 40, .words = 300, .mean_length = 60, .long_document = 1000});
    ez_settings settings = {.topics = 5000, .seed = 1, .start = EZLDA_START_KEYWORD};
    ez_start_scratch scratch;
    uint16_t *topic = calloc(t->longest, sizeof *topic);
    CHECK_OK(context, ez_start_scratch_init(&scratch, context, t));
    for (uint64_t d = 0; d < t->docs; d++) {
        uint64_t length = t->doc_start[d + 1] - t->doc_start[d], distinct = 0;
        ez_start_document(t, &settings, d, topic, &scratch);
        for (uint64_t i = 0; i < length; i++) {
            bool seen = false;
            for (uint64_t j = 0; j < i; j++)
                seen = seen || topic[j] == topic[i];
            distinct += !seen;
        }
        CHECK_EQ(distinct, (length + EZ_START_PIECE - 1) / EZ_START_PIECE);
    }
    ez_start_scratch_free(&scratch);
    free(topic);
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
