/* The order of the words in their documents: kept by import, written, read, joined, filtered,
 * checked. */
#include "check.h"

#include "corpus/corpus_image.h"
#include "corpus/formats/readers.h"
#include "text_case.h"

/* A document's words in order, separated by spaces. Valid until the next call. */
static const char *in_order(const ezlda_corpus *corpus, uint64_t doc)
{
    static char text[65536];
    uint64_t block = doc / EZ_CORPUS_BLOCK, start[EZ_CORPUS_BLOCK + 1];
    size_t pairs =
        (size_t)(ez_corpus_pairs_before(corpus, block + 1) - ez_corpus_pairs_before(corpus, block));
    size_t tokens = (size_t)(ez_corpus_tokens_before(corpus, block + 1) -
                             ez_corpus_tokens_before(corpus, block));
    uint32_t rows[EZ_CORPUS_BLOCK + 1], *word = malloc(4 * pairs + 1),
                                        *count = malloc(4 * pairs + 1);
    uint32_t *place = malloc(4 * tokens + 1);
    ez_corpus_decode(corpus, block, rows, word, count);
    ez_corpus_order(corpus, block, rows, count, start, place);
    size_t used = 0, d = doc % EZ_CORPUS_BLOCK;
    text[0] = '\0';
    for (uint64_t i = start[d]; i < start[d + 1] && used < sizeof text - 300; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", i > start[d] ? " " : "",
                                 ezlda_corpus_word(corpus, word[rows[d] + place[i]]));
    free(word);
    free(count);
    free(place);
    return text;
}

static ezlda_import_options ordered_options(void)
{
    ezlda_import_options options = plain_options();
    options.keep_order = 1;
    return options;
}

static const char SONG[] = "row row row your boat\n\ngently down the stream row\nthe boat\n";

TEST(text_keeps_its_order)
{
    ezlda_import_options options = ordered_options(), plain = plain_options();
    ezlda_corpus *corpus, *without;
    CHECK_OK(check_context(), read_one(&corpus, write_text("song.txt", SONG), &options));
    CHECK_EQ(info_of(corpus).has_order, 1);
    CHECK_STR(in_order(corpus, 0), "row row row your boat");
    CHECK_STR(in_order(corpus, 1), "");
    CHECK_STR(in_order(corpus, 2), "gently down the stream row");
    CHECK_STR(in_order(corpus, 3), "the boat");
    CHECK_OK(check_context(), read_one(&without, write_text("song.txt", SONG), &plain));
    CHECK_EQ(info_of(without).has_order, 0);
    CHECK_EQ(info_of(without).hash, info_of(corpus).hash);
    CHECK(info_of(without).bytes < info_of(corpus).bytes);
    ezlda_corpus_free(corpus);
    ezlda_corpus_free(without);
}

TEST(a_corpus_file_keeps_the_order)
{
    ezlda_import_options options = ordered_options();
    ezlda_corpus *corpus, *read;
    const char *path = check_tmp("song.ezc");
    CHECK_OK(check_context(), read_one(&corpus, write_text("song.txt", SONG), &options));
    CHECK_OK(check_context(), ezlda_corpus_save(check_context(), corpus, path));
    CHECK_OK(check_context(), ez_read_corpus_file(&read, check_context(), path));
    CHECK_EQ(info_of(read).has_order, 1);
    CHECK_EQ(info_of(read).bytes, info_of(corpus).bytes);
    for (uint64_t d = 0; d < 4; d++) {
        char expected[100];
        snprintf(expected, sizeof expected, "%s", in_order(corpus, d));
        CHECK_STR(in_order(read, d), expected);
    }
    ezlda_corpus_free(corpus);
    ezlda_corpus_free(read);
}

TEST(left_out_words_leave_the_order)
{
    ezlda_import_options options = ordered_options();
    ezlda_corpus *corpus;
    const char *path = write_text("song.txt", SONG);
    options.min_docs = 2;
    CHECK_OK(check_context(), read_one(&corpus, path, &options));
    CHECK_STR(in_order(corpus, 0), "row row row boat");
    CHECK_STR(in_order(corpus, 2), "the row");
    ezlda_corpus_free(corpus);
    options.min_docs = 1;
    options.stopwords = "en";
    CHECK_OK(check_context(), read_one(&corpus, path, &options));
    CHECK_STR(in_order(corpus, 2), "gently stream row");
    ezlda_corpus_free(corpus);
    options.stopwords = "none";
    options.max_vocab = 1;
    CHECK_OK(check_context(), read_one(&corpus, path, &options));
    CHECK_STR(in_order(corpus, 0), "row row row");
    CHECK_STR(in_order(corpus, 3), "");
    ezlda_corpus_free(corpus);
}

/* A phrase comes behind its first word. */
TEST(phrases_have_their_place)
{
    ezlda_import_options options = ordered_options();
    ezlda_corpus *corpus;
    options.ngrams = 3;
    CHECK_OK(check_context(), read_one(&corpus, write_text("song.txt", SONG), &options));
    CHECK_STR(in_order(corpus, 3), "the the_boat boat");
    CHECK_STR(in_order(corpus, 0),
              "row row_row row_row_row row row_row row_row_your row row_your row_your_boat your "
              "your_boat boat");
    ezlda_corpus_free(corpus);
}

/* 20,000 documents of 0 to 39 of 300 words: more than a block of text. And the text of the last
 * one. */
static const char *long_text(char *last, size_t room)
{
    const char *path = check_tmp("long.txt");
    FILE *file = fopen(path, "w");
    uint64_t state = 5;
    for (int d = 0; d < 20000; d++) {
        size_t used = 0;
        last[0] = '\0';
        for (int i = 0; i < d % 40; i++) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            used +=
                (size_t)snprintf(last + used, room - used, "%sw%c%c", i ? " " : "",
                                 (int)('a' + (state >> 40) % 20), (int)('a' + (state >> 50) % 15));
        }
        fprintf(file, "%s\n", last);
    }
    fclose(file);
    return path;
}

TEST(the_order_does_not_depend_on_threads)
{
    ezlda_import_options options = ordered_options();
    char last[1000];
    const char *path = long_text(last, sizeof last),
               *file[2] = {check_tmp("1.ezc"), check_tmp("4.ezc")};
    static unsigned char bytes[2][1 << 22];
    size_t size[2];
    for (int i = 0; i < 2; i++) {
        ezlda_corpus *corpus;
        ezlda_context_set_threads(check_context(), i ? 4 : 1);
        CHECK_OK(check_context(), read_one(&corpus, path, &options));
        CHECK_STR(in_order(corpus, 19999), last);
        CHECK_OK(check_context(), ezlda_corpus_save(check_context(), corpus, file[i]));
        FILE *in = fopen(file[i], "rb");
        size[i] = fread(bytes[i], 1, sizeof bytes[i], in);
        fclose(in);
        ezlda_corpus_free(corpus);
    }
    CHECK(size[0] < sizeof bytes[0]);
    CHECK_EQ(size[0], size[1]);
    CHECK(memcmp(bytes[0], bytes[1], size[0]) == 0);
}

/* ---- several corpora ---- */

static const char *make_file(const char *name, const char *text, int order)
{
    ezlda_import_options options = plain_options();
    ezlda_corpus *corpus;
    char source[64];
    options.keep_order = order;
    snprintf(source, sizeof source, "%s.txt", name);
    const char *path = check_tmp(name);
    CHECK_OK(check_context(), read_one(&corpus, write_text(source, text), &options));
    CHECK_OK(check_context(), ezlda_corpus_save(check_context(), corpus, path));
    ezlda_corpus_free(corpus);
    return path;
}

TEST(joined_corpora_keep_the_order_where_all_have_it)
{
    ezlda_context *context = check_context();
    ezlda_corpus *corpus;
    ezlda_import_options options;
    ezlda_import_options_init(&options);
    const char *paths[] = {make_file("a.ezc", "red blue red\ngreen\n", 1),
                           make_file("b.ezc", "blue blue\nblack red blue\n", 1),
                           make_file("c.ezc", "red black\n", 0)};
    CHECK_OK(context, ezlda_corpus_read(&corpus, context, paths, 2, &options));
    static const char *const expected[] = {"red blue red", "green", "blue blue", "black red blue"};
    for (uint64_t d = 0; d < 4; d++)
        CHECK_STR(in_order(corpus, d), expected[d]);
    ezlda_corpus_free(corpus);
    hear_notes();
    CHECK_OK(context, ezlda_corpus_read(&corpus, context, paths, 3, &options));
    CHECK_EQ(info_of(corpus).has_order, 0);
    CHECK(strstr(notes, "c.ezc: has no order of words, so the joined corpus keeps none") != NULL);
    ezlda_corpus_free(corpus);
    options.keep_order = 1;
    CHECK_FAILS(context, ezlda_corpus_read(&corpus, context, paths, 3, &options),
                "c.ezc: has no order of words to keep");
    CHECK_OK(context, ezlda_corpus_read(&corpus, context, paths, 2, &options));
    ezlda_corpus_free(corpus);
}

TEST(filters_take_words_out_of_a_corpus_files_order)
{
    ezlda_import_options options;
    ezlda_corpus *corpus;
    ezlda_import_options_init(&options);
    options.max_vocab = 2;
    CHECK_OK(check_context(),
             read_one(&corpus, make_file("a.ezc", "red blue green red\ngreen\nblue red\n", 1),
                      &options));
    CHECK_STR(in_order(corpus, 0), "red blue red");
    CHECK_STR(in_order(corpus, 1), "");
    CHECK_STR(in_order(corpus, 2), "blue red");
    ezlda_corpus_free(corpus);
}

TEST(other_bags_of_words_have_no_order)
{
    ezlda_import_options options;
    ezlda_corpus *corpus;
    ezlda_import_options_init(&options);
    options.keep_order = 1;
    CHECK_FAILS(check_context(),
                read_one(&corpus, write_text("docword.x.txt", "1\n1\n1\n1 1 2\n"), &options),
                "gives no order of words to keep");
    CHECK_FAILS(check_context(), read_one(&corpus, make_file("a.ezc", "red blue\n", 0), &options),
                "a.ezc: has no order of words to keep: it was imported without keeping it");
}

/* ---- damaged files ---- */

/* Documents of 3 words (the second one three times) and of 1, after one another in 6 bytes of
 * order. */
static const unsigned char GOOD[] = {1, 0, 1, 2, 1, 0};
static const uint64_t GOOD_MARKS[] = {0, 6};

static ezlda_status build(ezlda_corpus **out)
{
    ezlda_context *context = check_context();
    ez_corpus_builder *builder;
    static const char *const words[] = {"a", "b", "c"};
    EZ_TRY(ez_corpus_builder_create(&builder, context, NULL, 0));
    ez_corpus_builder_keep_order(builder);
    EZ_TRY(ez_corpus_builder_add_ordered(builder, context, (uint32_t[]){0, 1, 2},
                                         (uint32_t[]){1, 3, 1}, 3, (uint32_t[]){1, 0, 1, 2, 1}, 5,
                                         NULL));
    EZ_TRY(ez_corpus_builder_add_empty(builder, context, 1));
    EZ_TRY(ez_corpus_builder_add_ordered(builder, context, (uint32_t[]){2}, (uint32_t[]){1}, 1,
                                         (uint32_t[]){0}, 1, NULL));
    return ez_corpus_builder_finish(builder, out, context, words, 3);
}

/* Writes the sample with another order and other marks, with valid checksums, and reads it back. */
static ezlda_status read_forged(const unsigned char *order, size_t n, const uint64_t *marks)
{
    ezlda_context *context = check_context();
    ezlda_corpus *corpus = NULL;
    const char *path = check_tmp("forged.ezc");
    CHECK_OK(context, build(&corpus));
    corpus->order_bytes = order;
    corpus->order_size = n;
    corpus->order_marks = marks;
    CHECK_OK(context, ezlda_corpus_save(context, corpus, path));
    ezlda_corpus_free(corpus);
    ez_clear(context);
    ezlda_status status = ez_read_corpus_file(&corpus, context, path);
    if (status == EZLDA_OK && ez_corpus_has_order(corpus))
        CHECK_EQ(strlen(in_order(corpus, 0)), 9);
    ezlda_corpus_free(corpus);
    return status;
}

TEST(orders_that_disagree_with_the_counts_are_refused)
{
    const char *refused = "the words' order in documents 1 to 3 does not agree with their counts";
    CHECK_OK(check_context(), read_forged(GOOD, sizeof GOOD, GOOD_MARKS));
    static const struct {
        unsigned char bytes[8];
        uint64_t n;
    } bad[] = {
        {{1, 0, 1, 2, 2, 0}, 6},    /* the third word twice, the second one twice */
        {{1, 0, 1, 3, 1, 0}, 6},    /* there is no fourth word */
        {{1, 0, 1, 2, 1, 1}, 6},    /* no second one in the last document */
        {{1, 0, 1, 2, 1}, 5},       /* a token is missing */
        {{1, 0, 1, 2, 1, 0, 0}, 7}, /* one too many */
        {{1, 0, 1, 2, 0x81, 0}, 6}, /* a number that is longer than needed */
        {{1, 0, 1, 2, 1, 0x80}, 6}, /* a number that runs past the end */
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        CHECK_FAILS(check_context(),
                    read_forged(bad[i].bytes, (size_t)bad[i].n, (uint64_t[]){0, bad[i].n}),
                    refused);
    CHECK_OK(check_context(),
             read_forged((const unsigned char[]){2, 1, 1, 1, 0, 0}, 6, GOOD_MARKS));
}

TEST(an_index_that_does_not_fit_the_order_is_refused)
{
    const char *refused = "the index of its words' order does not fit that order";
    CHECK_FAILS(check_context(), read_forged(GOOD, sizeof GOOD, (uint64_t[]){0, 5}), refused);
    CHECK_FAILS(check_context(), read_forged(GOOD, sizeof GOOD, (uint64_t[]){1, 6}), refused);
    CHECK_FAILS(check_context(), read_forged(GOOD, sizeof GOOD, (uint64_t[]){0, UINT64_MAX}),
                refused);
}

TEST(every_forged_byte_is_refused_or_harmless)
{
    size_t refused = 0;
    for (size_t i = 0; i < sizeof GOOD + sizeof GOOD_MARKS; i++)
        for (unsigned bit = 0; bit < 8; bit++) {
            unsigned char order[sizeof GOOD];
            uint64_t marks[2];
            memcpy(order, GOOD, sizeof order);
            memcpy(marks, GOOD_MARKS, sizeof marks);
            unsigned char *at =
                i < sizeof order ? order + i : (unsigned char *)marks + (i - sizeof order);
            *at ^= (unsigned char)(1u << bit);
            refused += read_forged(order, sizeof order, marks) != EZLDA_OK;
        }
    CHECK_EQ(refused, 8 * (sizeof GOOD + sizeof GOOD_MARKS));
}

/* Wrong marks inside a corpus of several blocks. */
TEST(marks_between_blocks_are_checked)
{
    ezlda_import_options options = ordered_options();
    ezlda_context *context = check_context();
    ezlda_corpus *corpus, *read;
    char last[1000];
    CHECK_OK(context, read_one(&corpus, long_text(last, sizeof last), &options));
    uint64_t *marks = (uint64_t *)(void *)corpus->order_mark_buffer.data, right = marks[3];
    const uint64_t wrong[] = {0, right - 1, right + 1, marks[4] + 1, UINT64_MAX};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        marks[3] = wrong[i];
        CHECK_OK(context, ezlda_corpus_save(context, corpus, check_tmp("marks.ezc")));
        CHECK_FAILS(context, ez_read_corpus_file(&read, context, check_tmp("marks.ezc")),
                    "does not agree");
        ez_clear(context);
    }
    ezlda_corpus_free(corpus);
}

/* A document without its order, while others have theirs. */
TEST(half_an_order_is_no_order)
{
    ezlda_context *context = check_context();
    ez_corpus_builder *builder;
    ezlda_corpus *corpus;
    CHECK_OK(context, ez_corpus_builder_create(&builder, context, NULL, 0));
    ez_corpus_builder_keep_order(builder);
    CHECK_OK(context,
             ez_corpus_builder_add(builder, context, (uint32_t[]){0}, (uint32_t[]){2}, 1, NULL));
    CHECK_FAILS(context, ez_corpus_builder_finish(builder, &corpus, context, NULL, 1),
                "does not agree");
}

TEST_MAIN()
