/* Corpora from documents of others: in any order, several times, and from several corpora. */
#include "check.h"

enum { DOCS = 700 };

static ezlda_corpus *texts(int keep_order, int first, const char *more)
{
    const char *path = check_tmp("texts.jsonl");
    ezlda_import_options options;
    ezlda_corpus *out = NULL;
    FILE *file = fopen(path, "w");
    for (int d = first; d < first + DOCS; d++)
        fprintf(file, "{\"name\": \"d%d\", \"text\": \"w%c w%c%c w%c %s\", \"year\": \"%d\"}\n", d,
                'a' + d % 26, 'a' + d % 7, 'a' + d % 26, 'a' + d % 26, d % 5 ? "other" : more,
                d % 9);
    fclose(file);
    ezlda_import_options_init(&options);
    options.keep_fields = "year";
    options.stopwords = "none";
    options.keep_order = keep_order;
    CHECK_OK(check_context(), ezlda_corpus_read(&out, check_context(), &path, 1, &options));
    return out;
}

static void check_document(const ezlda_corpus *a, uint64_t d, const ezlda_corpus *b, uint64_t e)
{
    uint32_t word[2][64], count[2][64];
    size_t n = ezlda_corpus_document(a, d, word[0], count[0], 64);
    CHECK_EQ(ezlda_corpus_document(b, e, word[1], count[1], 64), n);
    for (size_t i = 0; i < n; i++) {
        uint32_t found = 0;
        for (size_t j = 0; j < n; j++)
            if (strcmp(ezlda_corpus_word(a, word[0][i]), ezlda_corpus_word(b, word[1][j])) == 0)
                found = count[1][j];
        CHECK_EQ(found, count[0][i]);
    }
    for (uint32_t f = 0; f < 2; f++)
        CHECK_STR(ezlda_corpus_field_value(a, f, d), ezlda_corpus_field_value(b, f, e));
}

static ezlda_corpus_info facts(const ezlda_corpus *corpus)
{
    ezlda_corpus_info info = {.size = sizeof info};
    ezlda_corpus_get_info(corpus, &info);
    return info;
}

TEST(documents_in_any_order)
{
    for (int keep_order = 0; keep_order < 2; keep_order++) {
        ezlda_corpus *corpus = texts(keep_order, 0, "words"), *some = NULL, *again = NULL;
        uint64_t ascending[] = {0, 3, 255, 256, 699}, mixed[] = {699, 3, 3, 0, 400, 256};
        CHECK_OK(check_context(),
                 ezlda_corpus_select(&some, check_context(), corpus, ascending, 5));
        for (uint64_t i = 0; i < 5; i++)
            check_document(some, i, corpus, ascending[i]);
        CHECK_EQ(facts(some).words, facts(corpus).words);
        CHECK_EQ(facts(some).has_order, keep_order);
        ezlda_corpus_free(some);
        CHECK_OK(check_context(), ezlda_corpus_select(&some, check_context(), corpus, mixed, 6));
        for (uint64_t i = 0; i < 6; i++)
            check_document(some, i, corpus, mixed[i]);
        CHECK_EQ(facts(some).has_order, keep_order);
        CHECK_EQ(facts(some).docs, 6);
        /* backwards twice is the corpus, to the last bit */
        uint64_t back[DOCS];
        for (uint64_t i = 0; i < DOCS; i++)
            back[i] = DOCS - 1 - i;
        ezlda_corpus_free(some);
        CHECK_OK(check_context(), ezlda_corpus_select(&some, check_context(), corpus, back, DOCS));
        CHECK_OK(check_context(), ezlda_corpus_select(&again, check_context(), some, back, DOCS));
        CHECK(facts(some).hash != facts(corpus).hash);
        CHECK_EQ(facts(again).hash, facts(corpus).hash);
        CHECK_EQ(facts(again).bytes, facts(corpus).bytes);
        ezlda_corpus_free(again);
        ezlda_corpus_free(some);
        ezlda_corpus_free(corpus);
    }
}

TEST(no_documents_and_wrong_ones)
{
    ezlda_corpus *corpus = texts(0, 0, "words"), *some = NULL;
    uint64_t wrong = DOCS;
    CHECK_OK(check_context(), ezlda_corpus_select(&some, check_context(), corpus, NULL, 0));
    CHECK_EQ(facts(some).docs, 0);
    ezlda_corpus_free(some);
    CHECK_EQ(ezlda_corpus_select(&some, check_context(), corpus, &wrong, 1), EZLDA_ERROR_ARGUMENT);
    CHECK_STR(ezlda_error_message(check_context()), "document 700: the corpus has 700 documents");
    CHECK(some == NULL);
    CHECK_EQ(ezlda_corpus_select(&some, check_context(), corpus, NULL, 1), EZLDA_ERROR_ARGUMENT);
    CHECK_EQ(ezlda_corpus_select(&some, check_context(), NULL, &wrong, 1), EZLDA_ERROR_ARGUMENT);
    ezlda_corpus_free(corpus);
}

TEST(corpora_as_one)
{
    ezlda_corpus *a = texts(1, 0, "words"), *b = texts(1, 5000, "things"), *both = NULL;
    const ezlda_corpus *corpora[] = {a, b, a};
    CHECK_OK(check_context(), ezlda_corpus_join(&both, check_context(), corpora, 3));
    CHECK_EQ(facts(both).docs, 3 * DOCS);
    CHECK_EQ(facts(both).tokens, 2 * facts(a).tokens + facts(b).tokens);
    CHECK_EQ(facts(both).has_order, 1);
    for (uint64_t d = 0; d < DOCS; d += 37) {
        check_document(both, d, a, d);
        check_document(both, DOCS + d, b, d);
        check_document(both, 2 * DOCS + d, a, d);
    }
    ezlda_corpus_free(both);
    CHECK_EQ(ezlda_corpus_join(&both, check_context(), corpora, 0), EZLDA_ERROR_ARGUMENT);
    corpora[1] = NULL;
    CHECK_EQ(ezlda_corpus_join(&both, check_context(), corpora, 2), EZLDA_ERROR_ARGUMENT);
    ezlda_corpus_free(a);
    ezlda_corpus_free(b);
}

TEST_MAIN()
