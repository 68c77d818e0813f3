/* Phrases that replace their words: counting, joining, finding, keeping. */
#include "text_case.h"

#include "corpus/text/phrases/phrase_list.h"
#include "corpus/text/rules/text_rules.h"
#include "corpus/text/vocabulary/text_terms.h"

#include <math.h>

/* Adds a joint and returns its unit. */
static uint32_t join(ez_phrase_set *set, uint32_t left, uint32_t right)
{
    bool added;
    CHECK_OK(check_context(), ez_phrase_set_add(set, check_context(), left, right, &added));
    CHECK(added);
    return ez_joints(set)[ez_joint_count(set) - 1].unit;
}

TEST(many_pairs_have_their_numbers)
{
    ez_pair_table pairs = {0};
    uint32_t id;
    bool added;
    for (uint32_t i = 0; i < 5000; i++) {
        CHECK_OK(check_context(),
                 ez_pair_table_add(&pairs, check_context(), ez_pair_key(i % 70, i), &id, &added));
        CHECK(added && id == i);
    }
    CHECK_OK(check_context(),
             ez_pair_table_add(&pairs, check_context(), ez_pair_key(71 % 70, 71), &id, &added));
    CHECK(!added && id == 71);
    CHECK_EQ(ez_pair_table_find(&pairs, ez_pair_key(4999 % 70, 4999)), 4999);
    CHECK_EQ(ez_pair_table_find(&pairs, ez_pair_key(4999, 4999 % 70)), EZ_NO_PAIR);
    ez_pair_table_free(&pairs);
    CHECK_EQ(ez_pair_table_find(&pairs, 0), EZ_NO_PAIR);
}

/* Terms 0 to 9; the joints in order of strength: 1 2, 2 3, 5 6; then (1 2) 3 and 4 (5 6). */
TEST(tokens_are_joined_by_strength)
{
    ez_strings phrases = {0};
    ez_phrase_set set = {.terms = 10, .phrases = &phrases};
    uint32_t a = join(&set, 1, 2), b = join(&set, 2, 3), c = join(&set, 5, 6);
    uint32_t d = join(&set, a, 3), e = join(&set, 4, c);
    CHECK_EQ(a, 10);
    CHECK_OK(check_context(), ez_phrase_set_ready(&set, check_context()));
    uint32_t tokens[] = {1, 2, 3, 0, 2, 3, 1, EZ_GAP, 2, 4, 5, 6, EZ_GAP, 3, 1, 2};
    const uint32_t joined[] = {d, 0, b, 1, EZ_GAP, 2, e, EZ_GAP, 3, a};
    size_t n = ez_phrases_join(&set, tokens, sizeof tokens / sizeof *tokens);
    CHECK_EQ(n, sizeof joined / sizeof *joined);
    CHECK(memcmp(tokens, joined, sizeof joined) == 0);
    /* The right neighbour wins if it is stronger. */
    ez_phrase_set other = {.terms = 10, .phrases = &phrases};
    b = join(&other, 2, 3);
    join(&other, 1, 2);
    CHECK_OK(check_context(), ez_phrase_set_ready(&other, check_context()));
    uint32_t again[] = {1, 2, 3};
    CHECK_EQ(ez_phrases_join(&other, again, 3), 2);
    CHECK(again[0] == 1 && again[1] == b);
    unsigned char removed[] = {0, 1, 0, 0, 0}; /* 2 3 */
    CHECK_OK(check_context(), ez_phrase_set_remove(&other, check_context(), removed));
    CHECK_OK(check_context(), ez_phrase_set_ready(&other, check_context()));
    uint32_t third[] = {1, 2, 3};
    CHECK_EQ(ez_phrases_join(&other, third, 3), 2);
    CHECK(third[0] == a && third[1] == 3);
    ez_phrase_set_free(&set);
    ez_phrase_set_free(&other);
    ez_strings_free(&phrases);
}

TEST(a_phrase_has_four_words_at_most)
{
    ez_strings phrases = {0};
    ez_phrase_set set = {.terms = 10, .phrases = &phrases};
    uint32_t a = join(&set, 1, 2), b = join(&set, 3, 4), long_one = join(&set, a, b), terms[4];
    bool added;
    CHECK_EQ(ez_unit_terms(&set, long_one, terms), 4);
    CHECK(terms[0] == 1 && terms[3] == 4);
    CHECK_OK(check_context(), ez_phrase_set_add(&set, check_context(), long_one, 5, &added));
    CHECK(!added);
    CHECK_OK(check_context(), ez_phrase_set_add(&set, check_context(), 1, 2, &added));
    CHECK(!added); /* it is there */
    ez_phrase_set_free(&set);
    ez_strings_free(&phrases);
}

/* Values by hand: 2x2 tables of 20, 10, 30, 940 and of independent words. */
TEST(scores_of_pairs)
{
    double expected = 2 * (20 * log(20 / 1.5) + 10 * log(10 / 28.5) + 30 * log(30 / 48.5) +
                           940 * log(940 / 921.5));
    CHECK(fabs(ez_phrase_strength(20, 30, 50, 1000) - expected) < 1e-9);
    CHECK(fabs(ez_phrase_npmi(20, 30, 50, 1000) - log(20 / 1.5) / log(50)) < 1e-12);
    CHECK(ez_phrase_strength(10, 100, 100, 1000) <= 0); /* independent */
    CHECK(ez_phrase_strength(1, 100, 100, 1000) <= 0);  /* they avoid each other */
    CHECK(fabs(ez_phrase_npmi(10, 10, 10, 1000) - 1) < 1e-12);
    CHECK(ez_phrase_strength(5, 5, 5, 5) <= 0 && ez_phrase_npmi(5, 5, 5, 5) <= 0);
}

TEST(the_option_for_phrases)
{
    double firm;
    CHECK(ez_phrase_option(NULL, &firm) && firm <= 0);
    CHECK(ez_phrase_option("none", &firm) && firm <= 0);
    CHECK(ez_phrase_option("auto", &firm) && firm > 0.2 && firm < 0.8);
    CHECK(ez_phrase_option("0.25", &firm) && fabs(firm - 0.25) < 1e-12);
    CHECK(ez_phrase_option("1", &firm) && firm >= 1);
    CHECK(ez_phrase_option(".5", &firm) && fabs(firm - 0.5) < 1e-12);
    const char *bad[] = {"", "0", "0.0", "2", "1.5", "-1", "0,5", "0.5x", "nan", "yes", "."};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        CHECK(!ez_phrase_option(bad[i], &firm));
}

TEST(a_list_comes_back)
{
    static const char LIST[] =
        "new york\na b\nnew_york times\nbroken\nnowhere york\n x\nc new_york";
    static const char *const words[] = {"new", "york", "times", "a", "b", "c"};
    ez_strings terms = {0}, phrases = {0};
    ez_buffer text = {0};
    uint32_t id;
    bool added;
    for (size_t i = 0; i < 6; i++)
        CHECK_OK(check_context(),
                 ez_strings_add(&terms, check_context(), words[i], strlen(words[i]), &id, &added));
    ez_phrase_set set = {.terms = terms.n, .phrases = &phrases};
    CHECK_OK(check_context(), ez_phrase_list_read(&set, check_context(), &terms, LIST));
    CHECK_OK(check_context(), ez_phrase_list_write(&set, check_context(), &terms, &text));
    CHECK_STR((const char *)text.data, "new york\na b\nnew_york times\nc new_york");
    CHECK_EQ(set.first, 2);
    CHECK_EQ(ez_phrase_list_size((const char *)text.data), 4);
    CHECK_EQ(ez_phrase_list_size(""), 0);
    ez_free(text.data);
    ez_phrase_set_free(&set);
    ez_strings_free(&terms);
    ez_strings_free(&phrases);
}

/* Documents of filler words, among them a phrase that `with` gives, in its turns. */
static const char *text_with(const char *const *with, size_t n, size_t docs, const char *name)
{
    char *text = malloc(docs * 400);
    size_t used = 0;
    uint64_t seed = 11;
    for (size_t d = 0; d < docs; d++) {
        for (size_t i = 0; i < 20; i++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            used += (size_t)snprintf(text + used, 200, "w%c%c%c%s ", (int)('a' + (seed >> 40) % 8),
                                     (int)('a' + (seed >> 50) % 8), i % 5 ? 'x' : 'y',
                                     i == 10 ? " " : "");
            if (i == 10 && n)
                used += (size_t)snprintf(text + used, 200, "%s ", with[d % n]);
        }
        text[used - 1] = '\n';
    }
    const char *path = write_bytes(name, text, used);
    free(text);
    return path;
}

static ezlda_corpus *found_in(const char *path, ezlda_import_options options)
{
    ezlda_corpus *corpus;
    options.format = "text";
    if (!options.like)
        options.phrases = "auto";
    CHECK_OK(check_context(), read_one(&corpus, path, &options));
    return corpus;
}

static uint64_t tokens_of(const ezlda_corpus *corpus)
{
    ezlda_corpus_info info = {.size = sizeof info};
    ezlda_corpus_get_info(corpus, &info);
    return info.tokens;
}

TEST(phrases_replace_their_words)
{
    static const char *const with[] = {"new york times", "New York", "new-york", "prime minister"};
    ezlda_corpus *corpus = found_in(text_with(with, 4, 400, "a.txt"), plain_options());
    CHECK(has_word(corpus, "new_york") && has_word(corpus, "new_york_times") &&
          has_word(corpus, "prime_minister"));
    CHECK(!has_word(corpus, "new") && !has_word(corpus, "york") && !has_word(corpus, "york_times"));
    CHECK(!has_word(corpus, "times"));
    CHECK_EQ(tokens_of(corpus), 400 * 21);
    ezlda_corpus_free(corpus);
}

/* Punctuation, removed words and the ends of paragraphs keep words apart. */
TEST(words_that_are_not_neighbours_are_not_joined)
{
    static const char *const with[] = {
        "red. carpet", "red, carpet", "red 7 carpet", "red and carpet", "red \xe2\x80\x94 carpet",
        "red x carpet"};
    ezlda_import_options options = plain_options();
    options.stopwords = "en";
    options.min_length = 2;
    const char *path = text_with(with, 6, 400, "a.txt");
    ezlda_corpus *corpus = found_in(path, options);
    CHECK(!has_word(corpus, "red_carpet") && has_word(corpus, "red"));
    ezlda_corpus_free(corpus);
    static const char *const joined[] = {"red carpet", "red-carpet",
                                         ("red\xc2\xa0"
                                          "carpet"),
                                         "red_carpet"};
    corpus = found_in(text_with(joined, 4, 400, "b.txt"), options);
    CHECK(has_word(corpus, "red_carpet") && !has_word(corpus, "red"));
    ezlda_corpus_free(corpus);
}

/* So do words that are removed only when the language of the document, of all documents, or what
 * the corpus shows to be stop words is known. */
TEST(words_that_are_removed_late_keep_words_apart)
{
    static const char
        *const running[] = {"they were in the red and carpet who are on the side of"},
               *const even[] = {
                   "red zum carpet", "zum", "zum", "zum", "zum", "zum", "zum", "zum", "zum", "zum"};
    char titles[8192] = "";
    ezlda_import_options options = plain_options();
    for (int i = 0; i < 200; i++)
        sprintf(titles + strlen(titles), "the red of carpet and wa%c%c\n", 'a' + i % 8,
                'a' + i / 8);
    options.stopwords = "auto";
    ezlda_corpus *corpus = found_in(text_with(running, 1, 400, "a.txt"), options);
    CHECK(has_word(corpus, "red") && !has_word(corpus, "red_carpet") && !has_word(corpus, "and"));
    ezlda_corpus_free(corpus);
    corpus = found_in(write_text("b.txt", titles), options);
    CHECK(has_word(corpus, "red") && !has_word(corpus, "red_carpet") && !has_word(corpus, "the"));
    ezlda_corpus_free(corpus);
    options.stopwords = "corpus";
    corpus = found_in(text_with(even, 10, 400, "c.txt"), options);
    CHECK(has_word(corpus, "red") && !has_word(corpus, "red_carpet") && !has_word(corpus, "zum"));
    ezlda_corpus_free(corpus);
}

TEST(accidents_are_not_phrases)
{
    ezlda_corpus *corpus = found_in(text_with(NULL, 0, 2000, "a.txt"), plain_options());
    ezlda_corpus_info info = {.size = sizeof info};
    ezlda_corpus_get_info(corpus, &info);
    CHECK_EQ(info.words, 128);
    CHECK_EQ(info.tokens, 40000);
    ezlda_corpus_free(corpus);
    /* In two documents only, however often. */
    static const char rare[] = "aa bb cc aa bb cc aa bb cc dd\naa bb cc aa bb cc aa bb cc ee\nff\n";
    corpus = found_in(write_text("b.txt", rare), plain_options());
    CHECK(!has_word(corpus, "aa_bb") && has_word(corpus, "aa"));
    ezlda_corpus_free(corpus);
}

TEST(rare_phrases_fall_back_to_words)
{
    static const char *const with[] = {"green house", "green", "house",
                                       "blue",        "white", "green house gas"};
    ezlda_import_options options = plain_options();
    const char *path = text_with(with, 6, 120, "a.txt");
    ezlda_corpus *corpus = found_in(path, options);
    CHECK(has_word(corpus, "green_house"));
    ezlda_corpus_free(corpus);
    options.min_docs = 41; /* the phrase is in 40 documents, its words are in 60 */
    corpus = found_in(path, options);
    CHECK(!has_word(corpus, "green_house") && has_word(corpus, "green") &&
          has_word(corpus, "house"));
    ezlda_corpus_free(corpus);
}

TEST(new_text_gets_the_same_phrases)
{
    static const char *const with[] = {"New York Times", "New York", "running dogs", "neural nets"};
    ezlda_import_options options = plain_options(), like = options;
    options.stemmer = "english";
    ezlda_corpus *corpus = found_in(text_with(with, 4, 400, "a.txt"), options);
    CHECK(has_word(corpus, "running_dogs") && has_word(corpus, "neural_nets"));
    ezlda_import_options_init(&like);
    like.like = ezlda_corpus_text_rules(corpus);
    /* "old cars" would be a phrase of the new text, but is none of the old one. */
    const char *path =
        write_text("n.txt", "the new york times, runs dog\nold cars\nold cars\nold cars\n"
                            "old cars\nold cars\nold cars new york\nnew. york\n");
    ezlda_corpus *again = found_in(path, like);
    CHECK_STR(document(again, 0), "new_york_times:1 running_dogs:1 the:1");
    CHECK(!has_word(again, "old_car") && has_word(again, "car"));
    CHECK_STR(document(again, 6), "car:1 old:1 new_york:1");
    CHECK_STR(document(again, 7), "new:1 york:1");
    CHECK(ez_text_rules_same(ezlda_corpus_text_rules(corpus), ezlda_corpus_text_rules(again)));
    ezlda_corpus_free(again);
    like.phrases = "none";
    again = found_in(path, like);
    CHECK(has_word(again, "york") && !has_word(again, "new_york"));
    ezlda_corpus_free(again);
    char text[256];
    ezlda_text_rules_describe(ezlda_corpus_text_rules(corpus), text, sizeof text);
    CHECK_STR(text, "no stop words, words of 1 letter and more, stemmer english, 4 phrases joined");
    ezlda_corpus_free(corpus);
}

TEST(threads_do_not_change_the_phrases)
{
    static const char *const with[] = {"new york times", "new york", "big apple pie", "apple pie",
                                       "big apple"};
    const char *path = text_with(with, 5, 20000, "many.txt");
    ezlda_import_options options = plain_options();
    options.keep_order = 1;
    uint64_t hash = 0;
    for (int threads = 1; threads <= 8; threads += threads < 3 ? 1 : 5) {
        ezlda_context_set_threads(check_context(), threads);
        ezlda_corpus *corpus = found_in(path, options);
        ezlda_corpus_info info = {.size = sizeof info};
        ezlda_corpus_get_info(corpus, &info);
        CHECK(has_word(corpus, "new_york_times"));
        if (hash)
            CHECK_EQ(info.hash, hash);
        hash = info.hash;
        ezlda_corpus_free(corpus);
    }
}

TEST(wrong_phrases_are_refused)
{
    ezlda_import_options options = plain_options();
    ezlda_corpus *corpus;
    const char *path = write_text("a.txt", "a b\n");
    options.format = "text";
    options.phrases = "2";
    CHECK_FAILS(check_context(), read_one(&corpus, path, &options),
                "expected auto, none or a number above 0 and up to 1, found \"2\"");
    options.phrases = "auto";
    options.ngrams = 2;
    CHECK_FAILS(check_context(), read_one(&corpus, path, &options), "choose one");
    options.ngrams = 1;
    options.tokens = "pre";
    CHECK_FAILS(check_context(), read_one(&corpus, path, &options),
                "not in words that are cut already (tokens pre)");
    options.tokens = NULL;
    options.format = "ldac";
    options.min_length = 2;
    CHECK_FAILS(check_context(), read_one(&corpus, write_text("b.ldac", "1 0:1\n"), &options),
                "has no text to stem, to lemmatise or to find phrases in");
}

TEST_MAIN()
