/* Words of a document: found by masks of 64 bytes or one by one, stored and read again. */
#include "check.h"

#include "corpus/text/text_words.h"

#include <stdlib.h>

/* Text of words and separators, with characters beyond ASCII in some texts. */
static size_t random_text(char *text, size_t room, uint64_t *seed)
{
    static const char *const pieces[] = {
        "a", "Zz",  "word",  " ",        ", ",           "  -- ",     "_",
        "7", "the", "sixty", "\xc3\xa9", "\xe4\xb8\xad", "l\xc2\xb7l"};
    size_t used = 0, n = *seed % 3 ? 10 : sizeof pieces / sizeof *pieces;
    while (used + 8 < room) {
        *seed = *seed * 6364136223846793005u + 1442695040888963407u;
        const char *piece = pieces[(*seed >> 33) % n];
        memcpy(text + used, piece, strlen(piece));
        used += strlen(piece);
    }
    if (*seed >> 40 & 1)
        memset(text, 'x', used < 70 ? used : 62 + (size_t)(*seed >> 50) % 5);
    return used;
}

typedef struct side {
    ez_text_words words;
    ez_tokeniser tokeniser;
    ez_buffer out;
} side;

static void add(side *self, const ez_word_rules *shared, const char *text, size_t n)
{
    ez_word_rules rules = *shared;
    rules.tokeniser = &self->tokeniser;
    self->out.used = 0;
    CHECK_OK(check_context(),
             ez_text_words_add(&self->words, check_context(), &rules, text, n, &self->out));
}

static void free_side(side *self)
{
    ez_text_words_free(&self->words);
    ez_free(self->out.data);
}

TEST(masks_find_the_words_of_the_full_rule)
{
    uint64_t seed = 1;
    const ez_strings none = {0};
    for (int option = 0; option < 16; option++) {
        side fast = {0}, full = {0};
        ez_word_rules rules = {NULL, &none, NULL, option & 8, false};
        ez_tokeniser_init(&fast.tokeniser, false, option & 1, option & 2, 1 + (option >> 2 & 1));
        fast.words.segmenter.cutting = full.words.segmenter.cutting = EZ_CUT_PAIRS;
        full.tokeniser = fast.tokeniser;
        full.tokeniser.plain_path = false;
        for (size_t i = 0; i < 2000; i++) {
            size_t n = 0;
            /* A block of its own, so that a sanitizer sees what is read beyond its end. */
            char *text = malloc(i % 200 + 8);
            CHECK(text != NULL);
            if (text)
                n = random_text(text, i % 200 + 8, &seed);
            add(&fast, &rules, text, n);
            add(&full, &rules, text, n);
            CHECK_EQ(fast.out.used, full.out.used);
            CHECK(memcmp(fast.out.data, full.out.data, full.out.used) == 0);
            free(text);
        }
        CHECK_EQ(fast.words.words.n, full.words.words.n);
        free_side(&fast);
        free_side(&full);
    }
}

TEST(numbers_of_all_lengths_come_back)
{
    static const uint32_t tokens[] = {0,     1,     125,     126,     127,     128, 16381,
                                      16382, 16383, 2097149, 2097150, 2097151, 3};
    enum { N = sizeof tokens / sizeof *tokens, WORDS = 2097152 };
    ezlda_context *context = check_context();
    ez_token_store store;
    ez_token_reader reader;
    ez_buffer bytes = {0};
    uint32_t *map;
    ez_token_store_init(&store, 0, 1 << 20);
    CHECK_OK(context, ez_array(&map, context, WORDS, sizeof *map, "a map"));
    for (uint32_t i = 0; i < WORDS; i++)
        map[i] = i == 127 ? UINT32_MAX : i;
    for (size_t doc = 0; doc < 3; doc++) {
        CHECK_OK(context, ez_buffer_reserve(&bytes, context, (N + 1) * EZ_TOKEN_ROOM));
        for (size_t i = doc; i < N; i++)
            ez_put_token(&bytes, tokens[i]);
        ez_put_end(&bytes);
    }
    CHECK_OK(context, ez_token_store_put(&store, context, 0, 0, 3, &bytes));
    CHECK_OK(context, ez_token_store_seal(&store, context));
    CHECK_OK(context, ez_token_reader_init(&reader, context, &store));
    CHECK_OK(context, ez_token_reader_open(&reader, context, &store, 0, &map));
    for (size_t doc = 0; doc < 3; doc++) {
        size_t n = 0;
        CHECK(ez_token_reader_next(&reader, &store));
        for (size_t i = doc; i < N; i++)
            if (tokens[i] != 127)
                CHECK_EQ(ez_tokens_of(&reader)[n++], tokens[i]);
        CHECK_EQ(reader.n, n);
    }
    CHECK(!ez_token_reader_next(&reader, &store));
    ez_token_reader_free(&reader);
    ez_token_store_free(&store);
    ez_free(bytes.data);
    ez_free(map);
}

TEST_MAIN()
