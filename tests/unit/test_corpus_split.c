/* ezlda_corpus_split: every document on one side, whole, and chosen by nothing but the seed;
 * corpora made again. */
#include "text_case.h"

#include "corpus/corpus.h"

enum { DOCS = 700, LINE = 80 };

/* Lines with a word of their own, the others in different orders; some are empty. */
static const char *write_lines(void)
{
    static char text[DOCS * LINE];
    size_t used = 0;
    for (int d = 0; d < DOCS; d++) {
        if (d % 50 == 49) {
            text[used++] = '\n';
            continue;
        }
        used += (size_t)snprintf(text + used, LINE, "%s %s only%c%c%c %s\n", d % 2 ? "sun" : "moon",
                                 d % 3 ? "moon" : "sun", 'a' + d / 100, 'a' + d / 10 % 10,
                                 'a' + d % 10, d % 5 ? "moon" : "star");
    }
    text[used] = '\0';
    return write_text("lines.txt", text);
}

static ezlda_corpus *make_corpus(int keep_order)
{
    ezlda_import_options options = plain_options();
    ezlda_corpus *corpus;
    options.keep_order = keep_order;
    CHECK_OK(check_context(), read_one(&corpus, write_lines(), &options));
    CHECK_EQ(info_of(corpus).docs, DOCS);
    return corpus;
}

/* The words of a document as they came; valid until the call after next. */
static const char *in_order(const ezlda_corpus *corpus, uint64_t doc)
{
    static char texts[2][LINE];
    static int next;
    static uint32_t word[EZ_CORPUS_BLOCK * 8], count[EZ_CORPUS_BLOCK * 8],
        place[EZ_CORPUS_BLOCK * 8];
    uint32_t rows[EZ_CORPUS_BLOCK + 1];
    uint64_t start[EZ_CORPUS_BLOCK + 1];
    char *text = texts[next ^= 1];
    size_t used = 0, d = doc % EZ_CORPUS_BLOCK;
    ez_corpus_decode(corpus, doc / EZ_CORPUS_BLOCK, rows, word, count);
    ez_corpus_order(corpus, doc / EZ_CORPUS_BLOCK, rows, count, start, place);
    text[0] = '\0';
    for (uint64_t i = start[d]; i < start[d + 1]; i++)
        used += (size_t)snprintf(text + used, LINE - used, " %s",
                                 ezlda_corpus_word(corpus, word[rows[d] + place[i]]));
    return text;
}

/* Checks that a part's documents are those of the whole that its names say, in order; marks them.
 */
static void check_part(const ezlda_corpus *part, const ezlda_corpus *whole, int *seen, int order)
{
    int last = 0;
    CHECK_EQ(info_of(part).words, info_of(whole).words);
    CHECK_STR(ezlda_corpus_word(part, 1), ezlda_corpus_word(whole, 1));
    CHECK_EQ(info_of(part).fields, info_of(whole).fields);
    CHECK_EQ(info_of(part).has_order, order);
    for (uint64_t d = 0; d < info_of(part).docs; d++) {
        char expected[LINE];
        int number = atoi(field(part, "name", d)); /* lines from 1 on */
        CHECK(number > last && number <= DOCS);
        last = number;
        seen[number - 1]++;
        snprintf(expected, sizeof expected, "%s", document(whole, (uint64_t)number - 1));
        CHECK_STR(document(part, d), expected);
        if (order)
            CHECK_STR(in_order(part, d), in_order(whole, (uint64_t)number - 1));
    }
}

static void check_split(int order, double share, uint64_t held)
{
    ezlda_corpus *whole = make_corpus(order), *train, *test;
    int seen[DOCS] = {0};
    CHECK_OK(check_context(), ezlda_corpus_split(&train, &test, check_context(), whole, share, 7));
    CHECK_EQ(info_of(test).docs, held);
    CHECK_EQ(info_of(train).docs, DOCS - held);
    CHECK_EQ(info_of(test).tokens + info_of(train).tokens, info_of(whole).tokens);
    check_part(train, whole, seen, order);
    check_part(test, whole, seen, order);
    for (int d = 0; d < DOCS; d++)
        CHECK_EQ(seen[d], 1);
    ezlda_corpus_free(train);
    ezlda_corpus_free(test);
    ezlda_corpus_free(whole);
}

TEST(every_document_is_on_one_side)
{
    check_split(0, 0.1, 70);
    check_split(0, 0.5, 350);
    check_split(0, 1e-9, 1);
    check_split(0, 0.9999999, DOCS - 1);
}

TEST(the_order_of_words_is_kept)
{
    check_split(1, 0.3, 210);
}

static uint64_t held_hash(const ezlda_corpus *whole, double share, uint64_t seed, int threads)
{
    ezlda_corpus *train = NULL, *test = NULL;
    ezlda_context_set_threads(check_context(), threads);
    CHECK_OK(check_context(),
             ezlda_corpus_split(&train, &test, check_context(), whole, share, seed));
    uint64_t hash = info_of(test).hash;
    ezlda_corpus_free(train);
    ezlda_corpus_free(test);
    return hash;
}

TEST(the_seed_decides)
{
    ezlda_corpus *whole = make_corpus(0);
    uint64_t first = held_hash(whole, 0.2, 1, 1);
    CHECK_EQ(held_hash(whole, 0.2, 1, 3), first);
    CHECK(held_hash(whole, 0.2, 2, 1) != first);
    ezlda_corpus_free(whole);
}

/* Each document is held out about as often as any other: 400 seeds, a fifth each, 80 +- 8 (one
 * standard deviation). */
TEST(no_document_is_favoured)
{
    ezlda_corpus *whole = make_corpus(0), *train, *test;
    int held[DOCS] = {0};
    double chi = 0;
    for (uint64_t seed = 0; seed < 400; seed++) {
        CHECK_OK(check_context(),
                 ezlda_corpus_split(&train, &test, check_context(), whole, 0.2, seed));
        for (uint64_t d = 0; d < info_of(test).docs; d++)
            held[atoi(field(test, "name", d)) - 1]++;
        ezlda_corpus_free(train);
        ezlda_corpus_free(test);
    }
    for (int d = 0; d < DOCS; d++)
        chi += (held[d] - 80.0) * (held[d] - 80.0) / 64;
    CHECK_NEAR(chi, DOCS, 5 * sqrt(2.0 * DOCS));
    ezlda_corpus_free(whole);
}

TEST(what_cannot_be_split_is_refused)
{
    ezlda_corpus *whole = make_corpus(0), *single, *train, *test;
    const double shares[] = {0, 1, -0.1, 1.5, NAN};
    for (size_t i = 0; i < sizeof shares / sizeof *shares; i++)
        CHECK_FAILS(check_context(),
                    ezlda_corpus_split(&train, &test, check_context(), whole, shares[i], 1),
                    "the share to hold out is");
    CHECK(!train && !test);
    ezlda_import_options options = plain_options();
    CHECK_OK(check_context(),
             read_one(&single, write_text("one.txt", "a lonely line\n"), &options));
    CHECK_FAILS(check_context(), ezlda_corpus_split(&train, &test, check_context(), single, 0.5, 1),
                "cannot be split");
    ezlda_corpus_free(single);
    ezlda_corpus_free(whole);
}

/* ezlda_corpus_with_fields: the same documents, order and words, and other fields. */
TEST(fields_can_be_given)
{
    static const char *const fields[] = {"name", "year"};
    static const char *values[2 * DOCS];
    static char text[DOCS][16];
    ezlda_context *context = check_context();
    ezlda_corpus *whole = make_corpus(1), *made = NULL;
    for (int d = 0; d < DOCS; d++) {
        snprintf(text[d], sizeof text[d], "doc %d", d);
        values[d] = text[d];
        values[DOCS + d] = d % 3 ? "1990" : NULL;
    }
    CHECK_OK(context, ezlda_corpus_with_fields(&made, context, whole, fields, 2, values));
    CHECK_EQ(info_of(made).hash, info_of(whole).hash);
    CHECK_EQ(info_of(made).fields, 2);
    CHECK_EQ(info_of(made).has_order, 1);
    for (uint64_t d = 0; d < DOCS; d++) {
        CHECK_STR(field(made, "name", d), text[d]);
        CHECK_STR(field(made, "year", d), d % 3 ? "1990" : "");
        CHECK_STR(in_order(made, d), in_order(whole, d));
    }
    ezlda_corpus_free(made);
    CHECK_OK(context, ezlda_corpus_with_fields(&made, context, whole, NULL, 0, NULL));
    CHECK_EQ(info_of(made).fields, 0);
    ezlda_corpus_free(made);
    const char *const twice[] = {"name", "name"};
    CHECK_FAILS(context, ezlda_corpus_with_fields(&made, context, whole, twice, 2, values),
                "is given twice");
    CHECK_FAILS(context, ezlda_corpus_with_fields(&made, context, whole, fields, 2, NULL), "NULL");
    ezlda_corpus_free(whole);
}

TEST_MAIN()
