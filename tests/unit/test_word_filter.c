/* The filter of words by documents: limits chosen by the size of a text, given limits, what is
 * reported and stored, and inputs that are not filtered unasked. */
#include "text_case.h"

#include "corpus/text/rules/text_rules.h"
#include "corpus/text/vocabulary/word_filter.h"

/* A text of `docs` lines: "all" in each, "half" in every other, "pair" in two, "once" in one, and
 * in each line two words of ten. Lines are in another order for each `stride` (prime to docs). */
static const char *lines(const char *name, uint32_t docs, uint32_t stride)
{
    char *text = malloc((size_t)docs * 64);
    size_t used = 0;
    for (uint32_t i = 0; i < docs; i++) {
        uint32_t d = (uint32_t)((uint64_t)i * stride % docs);
        used += (size_t)snprintf(text + used, 64, "all %s%s%sw%c v%c\n", d % 2 ? "" : "half ",
                                 d < 2 ? "pair " : "", d == 5 ? "once " : "", (char)('a' + d % 10),
                                 (char)('a' + d / 7 % 10));
    }
    const char *path = write_bytes(name, text, used);
    free(text);
    return path;
}

static ezlda_import_options default_options(void)
{
    ezlda_import_options options;
    ezlda_import_options_init(&options);
    options.stopwords = "none";
    return options;
}

static ezlda_corpus *corpus_of(const char *path, const ezlda_import_options *options)
{
    ezlda_corpus *corpus;
    hear_notes();
    CHECK_OK(check_context(), read_one(&corpus, path, options));
    return corpus;
}

TEST(limits_follow_the_number_of_documents)
{
    static const struct {
        uint64_t docs, least;
        double share;
    } expected[] = {{1, 1, 1}, {99, 1, 1}, {100, 2, 0.5}, {999, 2, 0.5}, {1000, 3, 0.5}};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        CHECK_EQ(ez_min_docs_for(expected[i].docs), expected[i].least);
        CHECK(ez_max_docs_share_for(expected[i].docs) == expected[i].share);
    }
}

TEST(text_is_filtered_by_its_size)
{
    ezlda_import_options options = default_options();
    ezlda_corpus *small = corpus_of(lines("small.txt", 99, 1), &options);
    CHECK(has_word(small, "all") && has_word(small, "once"));
    CHECK(!strstr(notes, "vocabulary"));
    ezlda_corpus_free(small);
    ezlda_corpus *middle = corpus_of(lines("middle.txt", 100, 1), &options);
    CHECK(!has_word(middle, "all") && !has_word(middle, "once"));
    CHECK(has_word(middle, "half") &&
          has_word(middle, "pair")); /* half: exactly half of the documents */
    CHECK(strstr(notes, "vocabulary: removed 1 word in fewer than 2 documents (0.283 % of the "
                        "tokens), 1 word in more than 50 % of the documents (28.3 % of the "
                        "tokens); --min-docs 1 --max-docs-share 1 keeps them\n"));
    ezlda_corpus_free(middle);
    ezlda_corpus *large = corpus_of(lines("large.txt", 1000, 1), &options);
    CHECK(!has_word(large, "all") && !has_word(large, "once") && !has_word(large, "pair"));
    CHECK(strstr(notes, "2 words in fewer than 3 documents"));
    ezlda_corpus_free(large);
}

TEST(given_limits_hold)
{
    const char *path = lines("given.txt", 1000, 1);
    ezlda_import_options options = default_options();
    options.min_docs = 1;
    ezlda_corpus *corpus = corpus_of(path, &options);
    CHECK(has_word(corpus, "once") && has_word(corpus, "pair") && !has_word(corpus, "all"));
    CHECK(strstr(notes, "vocabulary: removed 1 word in more than 50 % of the documents"));
    CHECK(strstr(notes, "; --max-docs-share 1 keeps them"));
    ezlda_corpus_free(corpus);
    options = default_options();
    options.max_docs_share = 1;
    corpus = corpus_of(path, &options);
    CHECK(!has_word(corpus, "once") && !has_word(corpus, "pair") && has_word(corpus, "all"));
    CHECK(strstr(notes, "; --min-docs 1 keeps them"));
    ezlda_corpus_free(corpus);
    options.min_docs = 2;
    corpus = corpus_of(path, &options);
    CHECK(!has_word(corpus, "once") && has_word(corpus, "pair"));
    CHECK(strstr(notes, "removed 1 word in fewer than 2 documents") && !strstr(notes, "keeps"));
    ezlda_corpus_free(corpus);
}

/* Documents that share nothing, and documents that are all alike, keep their words. */
TEST(a_limit_that_takes_half_of_the_tokens_is_not_set)
{
    ezlda_import_options options = default_options();
    char text[400 * 16] = "", alike[400 * 16] = "";
    for (int i = 0; i < 200; i++) {
        char one[3] = {(char)('a' + i % 26), (char)('a' + i / 26), 0};
        snprintf(text + strlen(text), 16, "x%s y%s both\n", one, one);
        snprintf(alike + strlen(alike), 16, "same words\n");
    }
    ezlda_corpus *corpus = corpus_of(write_text("rare.txt", text), &options);
    CHECK_EQ(info_of(corpus).words, 400); /* without "both" */
    ezlda_corpus_free(corpus);
    corpus = corpus_of(write_text("alike.txt", alike), &options);
    CHECK_EQ(info_of(corpus).words, 2);
    ezlda_corpus_free(corpus);
}

TEST(threads_and_order_do_not_change_the_words)
{
    const uint32_t strides[] = {1, 7, 19999};
    for (int kind = 0; kind < 3; kind++) {
        char first[sizeof notes] = "";
        ezlda_import_options options = default_options();
        options.ngrams = kind == 1 ? 2 : 1;
        options.phrases = kind == 2 ? "auto" : NULL;
        for (int i = 0; i < 3; i++) {
            ezlda_context_set_threads(check_context(), 1 + 3 * (i % 2));
            ezlda_corpus *corpus = corpus_of(lines("order.txt", 20000, strides[i]), &options);
            CHECK(!has_word(corpus, "once") && !has_word(corpus, "pair"));
            CHECK(strstr(notes, "vocabulary: removed "));
            if (i == 0)
                memcpy(first, notes, sizeof notes);
            CHECK_STR(notes, first);
            ezlda_corpus_free(corpus);
        }
    }
}

TEST(new_text_keeps_its_words)
{
    ezlda_import_options options = default_options();
    ezlda_corpus *corpus = corpus_of(lines("old.txt", 1000, 1), &options);
    const ezlda_text_rules *rules = ezlda_corpus_text_rules(corpus);
    char text[256];
    ezlda_text_rules_describe(rules, text, sizeof text);
    CHECK(strstr(text, ", words in fewer than 3 documents removed, words in more than 50 % of the "
                       "documents removed"));
    options = default_options();
    options.stopwords = NULL;
    options.like = rules;
    ezlda_corpus *again = corpus_of(lines("new.txt", 1000, 1), &options);
    CHECK(has_word(again, "all") && has_word(again, "once"));
    CHECK(!strstr(notes, "vocabulary") && !strstr(notes, "50 %"));
    /* Joined corpora have words that were made alike. */
    CHECK(ez_text_rules_words_same(rules, ezlda_corpus_text_rules(again)));
    ezlda_corpus_free(again);
    options.like_limits = 1; /* those of `like`, which are of 1,000 documents */
    again = corpus_of(lines("grown.txt", 200, 1), &options);
    CHECK(!has_word(again, "all") && !has_word(again, "once") && !has_word(again, "pair"));
    ezlda_corpus_free(again);
    options.min_docs = 2;
    again = corpus_of(lines("new.txt", 1000, 1), &options);
    CHECK(!has_word(again, "all") && has_word(again, "pair") && !has_word(again, "once"));
    ezlda_corpus_free(again);
    ezlda_corpus_free(corpus);
}

TEST(bags_keep_their_words)
{
    ezlda_import_options options = default_options();
    options.stopwords = NULL;
    char text[200 * 16] = "";
    for (int i = 0; i < 200; i++)
        snprintf(text + strlen(text), 16, "2 0:1 %d:1\n", i + 1);
    const char *path = write_text("bag.ldac", text);
    ezlda_corpus *corpus = corpus_of(path, &options);
    CHECK_EQ(info_of(corpus).words, 201);
    ezlda_corpus_free(corpus);
    options.max_docs_share = 0.5;
    corpus = corpus_of(path, &options);
    CHECK_EQ(info_of(corpus).words, 200);
    CHECK(strstr(notes, "vocabulary: removed 1 word in more than 50 % of the documents (50 % of "
                        "the tokens)\n"));
    ezlda_corpus_free(corpus);
}

TEST_MAIN()
