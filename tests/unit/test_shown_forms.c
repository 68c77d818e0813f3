/* Stems are shown as words, and every form of a stem finds its word again. */
#include "text_case.h"

#include "corpus/text/rules/term_reader.h"
#include "corpus/text/rules/text_rules.h"

static ezlda_corpus *stemmed(const char *name, const char *text, const ezlda_text_rules *like)
{
    ezlda_import_options options = plain_options();
    ezlda_corpus *corpus;
    options.format = "text";
    options.like = like;
    options.stemmer = like ? NULL : "english";
    CHECK_OK(check_context(), read_one(&corpus, write_text(name, text), &options));
    return corpus;
}

static const char STORIES[] = "stories story characters\nmovie stories character movies\n"
                              "story characters movies stories\n";

TEST(the_most_frequent_form_is_shown)
{
    ezlda_corpus *corpus = stemmed("a.txt", STORIES, NULL);
    /* stories 3, story 2; characters 2, character 1; movies 2, movie 1 */
    CHECK_STR(document(corpus, 0), "stories:2 characters:1");
    CHECK_STR(document(corpus, 1), "stories:1 characters:1 movies:2");
    ezlda_corpus_free(corpus);
    corpus = stemmed("b.txt", "stories story\nbaa bab\n", NULL); /* the shorter one of equals */
    CHECK_STR(document(corpus, 0), "story:2");
    ezlda_corpus_free(corpus);
}

TEST(new_text_finds_the_same_words)
{
    ezlda_corpus *corpus = stemmed("a.txt", STORIES, NULL);
    const ezlda_text_rules *rules = ezlda_corpus_text_rules(corpus);
    CHECK_STR(ez_text_rules_setting(rules, EZ_SHOWN), "characters movies stories");
    ezlda_corpus *again = stemmed("n.txt", "story story character movie\nponies\n", rules);
    CHECK_STR(document(again, 0), "stories:2 characters:1 movies:1");
    CHECK_STR(document(again, 1), "poni:1"); /* the rules do not know it */
    CHECK(ez_text_rules_same(rules, ezlda_corpus_text_rules(again)));
    ezlda_corpus_free(again);
    ezlda_corpus_free(corpus);
}

/* Rules that were written before stems were shown as words. */
TEST(old_rules_give_stems)
{
    ezlda_import_options options = plain_options();
    ez_buffer buffer = {0};
    ez_strings none = {0};
    ez_rule_settings settings = {0};
    options.stemmer = "english";
    CHECK_OK(check_context(),
             ez_text_rules_write(&buffer, check_context(), &options, &none, &none, &settings));
    ezlda_corpus *corpus = stemmed("a.txt", STORIES, (const void *)buffer.data);
    CHECK_STR(document(corpus, 0), "stori:2 charact:1");
    CHECK(!ez_text_rules_setting(ezlda_corpus_text_rules(corpus), EZ_SHOWN));
    ezlda_corpus_free(corpus);
    ez_free(buffer.data);
}

/* With stem_below, a frequent word stays, and the rare forms of its stem are another word. */
TEST(words_that_are_not_stemmed_do_not_collide)
{
    ezlda_import_options options = plain_options();
    ezlda_corpus *corpus;
    options.format = "text";
    options.stemmer = "english";
    options.stem_below = 2;
    const char *path = write_text("a.txt", "story\nstory storied\nstories stories\nstory\n");
    CHECK_OK(check_context(), read_one(&corpus, path, &options));
    CHECK_STR(document(corpus, 1), "stories:1 story:1");
    CHECK_STR(document(corpus, 2), "stories:2");
    ezlda_corpus *again =
        stemmed("n.txt", "storied story\nstories\n", ezlda_corpus_text_rules(corpus));
    CHECK_STR(document(again, 0), "stories:1 story:1");
    CHECK_STR(document(again, 1), "stories:1");
    ezlda_corpus_free(again);
    ezlda_corpus_free(corpus);
}

static void reads_as(ez_term_reader *reader, const char *text, const char *expected)
{
    const char *term;
    size_t n;
    CHECK_OK(check_context(), ez_term_read(reader, check_context(), text, true, &term, &n));
    CHECK(n == strlen(expected) && memcmp(term, expected, n) == 0);
}

TEST(a_user_finds_a_word_by_any_form)
{
    ezlda_corpus *corpus = stemmed("a.txt", STORIES, NULL);
    ez_term_reader reader = {0};
    CHECK_OK(check_context(),
             ez_term_reader_init(&reader, check_context(), ezlda_corpus_text_rules(corpus)));
    reads_as(&reader, "Story", "stories");
    reads_as(&reader, "stories", "stories");
    reads_as(&reader, "movie character", "movies_characters");
    reads_as(&reader, "ponies", "poni");
    ez_term_reader_free(&reader);
    ezlda_corpus_free(corpus);
}

/* A list from a file may have anything in it. */
TEST(lists_that_make_no_sense)
{
    ez_shown shown = {0};
    ez_strings none = {0};
    ez_stemmer *stemmer;
    CHECK_OK(check_context(), ez_stemmer_create(&stemmer, check_context(), "english"));
    CHECK_OK(check_context(), ez_shown_read(&shown, check_context(),
                                            "  stories story  stories cat cats ", stemmer, &none));
    CHECK_EQ(shown.stems.n, 2);
    CHECK_EQ(shown.forms.n, 2);
    CHECK_STR(ez_shown_form(&shown, "stori", 5), "stories");
    CHECK_STR(ez_shown_form(&shown, "cat", 3), "cat");
    CHECK(!ez_shown_form(&shown, "stories", 7));
    ez_stemmer_free(stemmer);
    ez_shown_free(&shown);
}

TEST_MAIN()
