/* Stop words by the language of each document. */
#include "text_case.h"

#include "corpus/text/rules/text_rules.h"
#include "corpus/text/stopwords/common_words.h"
#include "corpus/text/stopwords/stop_table.h"

#include <stdlib.h>

/* Documents in English, German and French. "die" is a stop word in German only, "war" in German
 * only, "sur" in French only, "on" in English and French. */
static const char ENGLISH[] = "the soldiers who die in the war are not the ones who began the war "
                              "and they were on the side of sur\n";
static const char GERMAN[] =
    "die soldaten die in den krieg ziehen sind nicht die schuldigen und es "
    "war auch nicht ihr krieg\n";
static const char FRENCH[] = "les soldats sur la route ne sont pas dans la ville et on ne sait pas "
                             "si le ministre de la guerre est avec eux\n";

static ezlda_corpus *read_texts(const ezlda_import_options *options, const char *a, const char *b,
                                const char *c)
{
    char text[4096];
    ezlda_corpus *corpus;
    snprintf(text, sizeof text, "%s%s%s", a, b, c);
    hear_notes();
    CHECK_OK(check_context(), read_one(&corpus, write_text("mixed.txt", text), options));
    return corpus;
}

static ezlda_import_options text_options(void)
{
    ezlda_import_options options;
    ezlda_import_options_init(&options);
    options.format = "text";
    return options;
}

static bool in_document(const ezlda_corpus *corpus, uint64_t doc, const char *word)
{
    char wanted[128], found[8192];
    snprintf(wanted, sizeof wanted, " %s:", word);
    snprintf(found, sizeof found, " %s", document(corpus, doc));
    return strstr(found, wanted) != NULL;
}

TEST(stop_words_go_by_document)
{
    ezlda_import_options options = text_options();
    ezlda_corpus *corpus = read_texts(&options, ENGLISH, GERMAN, FRENCH);
    CHECK(strstr(notes, "stop words: english (33.3 % of the documents), german (33.3 %), french "
                        "(33.3 %)") != NULL);
    CHECK_STR(document(corpus, 0), "war:2 began:1 die:1 ones:1 side:1 soldiers:1 sur:1");
    CHECK_STR(document(corpus, 1), "krieg:2 schuldigen:1 soldaten:1 ziehen:1");
    CHECK_STR(document(corpus, 2), "guerre:1 ministre:1 route:1 sait:1 soldats:1 ville:1");
    ezlda_corpus_free(corpus);
}

/* Words of a list that is not the document's count as words: here with their case, too. */
TEST(case_and_short_words_are_kept_by_document)
{
    ezlda_import_options options = text_options();
    options.keep_case = 1;
    options.min_length = 1;
    ezlda_corpus *corpus =
        read_texts(&options, "Die they DIE if they are in the war y\n", ENGLISH, GERMAN);
    CHECK(in_document(corpus, 0, "Die") && in_document(corpus, 0, "DIE"));
    CHECK(in_document(corpus, 0, "y") && !in_document(corpus, 0, "the"));
    CHECK(!in_document(corpus, 2, "die"));
    ezlda_corpus_free(corpus);
}

TEST(short_documents_have_the_main_language)
{
    ezlda_import_options options = text_options();
    ezlda_corpus *corpus = read_texts(&options, "die hard on the beach\n", ENGLISH, "sur mesure\n");
    CHECK(strstr(notes, "stop words: english (100 % of the documents)") != NULL);
    CHECK_STR(document(corpus, 0), "die:1 beach:1 hard:1");
    CHECK(in_document(corpus, 2, "sur"));
    ezlda_corpus_free(corpus);
    corpus = read_texts(&options, "die hard on the beach\n", GERMAN, "hard die\n");
    CHECK_STR(document(corpus, 0), "hard:1 beach:1 on:1 the:1");
    CHECK_STR(document(corpus, 2), "hard:1");
    ezlda_corpus_free(corpus);
}

/* Titles: no document shows its language, but all together do. */
TEST(titles_have_a_language_together)
{
    char text[4096] = "";
    for (int i = 0; i < 12; i++)
        strcat(text, i % 2 ? "the theory of heat\n" : "on growth and form\n");
    ezlda_import_options options = text_options();
    ezlda_corpus *corpus = read_texts(&options, text, "", "");
    CHECK(strstr(notes, "stop words: english (100 % of the documents)") != NULL);
    CHECK_STR(document(corpus, 0), "form:1 growth:1");
    ezlda_corpus_free(corpus);
}

/* Text without its stop words: "war" is a stop word in German, "sea" in Spanish. */
TEST(a_repeated_word_is_no_language)
{
    static const char *const lines[] = {
        "war army soldier war battle war troops siege war weapon victory enemy\n",
        "sea wave ship sea storm sea harbour sail sea anchor crew deck\n", "war army\n"};
    ezlda_import_options options = text_options();
    for (options.keep_order = 0; options.keep_order < 2; options.keep_order++) {
        for (int i = 0; i < 3; i++) {
            char text[4096] = "";
            for (int n = 0; n < 12; n++)
                strcat(text, lines[i]);
            options.phrases = options.keep_order ? "auto" : NULL; /* marks gaps */
            ezlda_corpus *corpus = read_texts(&options, text, "", "");
            CHECK(strstr(notes, "german") == NULL && strstr(notes, "spanish") == NULL);
            CHECK(strstr(document(corpus, 0), i == 1 ? "sea" : "war") != NULL);
            ezlda_corpus_free(corpus);
        }
    }
}

TEST(phrases_stems_and_order_go_by_document)
{
    ezlda_import_options options = text_options();
    options.ngrams = 2;
    options.keep_order = 1;
    ezlda_corpus *corpus = read_texts(&options, ENGLISH, FRENCH, "");
    CHECK(in_document(corpus, 0, "die_war") && in_document(corpus, 0, "side_sur"));
    CHECK(in_document(corpus, 1, "ministre_guerre") && !in_document(corpus, 1, "sur"));
    ezlda_corpus_free(corpus);
    options.ngrams = 1;
    options.stemmer = "english";
    corpus = read_texts(&options, ENGLISH, GERMAN, "soldier die\n");
    CHECK(in_document(corpus, 0, "soldier") && in_document(corpus, 2, "soldier"));
    CHECK(in_document(corpus, 0, "die") && !in_document(corpus, 1, "die"));
    CHECK(in_document(corpus, 2, "die"));
    ezlda_corpus_free(corpus);
}

TEST(new_text_is_read_by_the_same_languages)
{
    ezlda_import_options options = text_options(), again = text_options();
    ezlda_corpus *corpus = read_texts(&options, ENGLISH, ENGLISH, FRENCH), *same;
    char text[1024];
    ezlda_text_rules_describe(ezlda_corpus_text_rules(corpus), text, sizeof text);
    CHECK_STR(text,
              "stop words removed by language of the document (en fr), words of 2 letters and "
              "more");
    const char *path = check_tmp("mixed.ezc");
    CHECK_OK(check_context(), ezlda_corpus_save(check_context(), corpus, path));
    ezlda_corpus_free(corpus);
    CHECK_OK(check_context(), read_one(&corpus, path, NULL));
    again.like = ezlda_corpus_text_rules(corpus);
    same = read_texts(&again, "sur the beach\n", FRENCH, ENGLISH);
    CHECK(strstr(notes, "stop words: ") == NULL);
    CHECK_STR(document(same, 0), "sur:1 beach:1");
    CHECK(!in_document(same, 1, "sur") && in_document(same, 2, "sur"));
    CHECK(ez_text_rules_same(again.like, ezlda_corpus_text_rules(same)));
    ezlda_corpus_free(same);
    ezlda_corpus_free(corpus);
}

/* A document with as many stop words of one language as of another has the first of the built-in
 * languages, whichever is the main one of the corpus. */
TEST(a_tie_is_decided_alike_in_new_text)
{
    static const char tie[] = "the of and with le la les avec the of and with le la les avec\n";
    char text[2048];
    snprintf(text, sizeof text, "%s%s%s", FRENCH, FRENCH, FRENCH);
    ezlda_import_options options = text_options(), again = text_options();
    ezlda_corpus *corpus = read_texts(&options, text, tie, ENGLISH), *same;
    again.like = ezlda_corpus_text_rules(corpus);
    same = read_texts(&again, text, tie, ENGLISH);
    CHECK_EQ(in_document(corpus, 3, "the"), in_document(same, 3, "the"));
    CHECK_EQ(in_document(corpus, 3, "les"), in_document(same, 3, "les"));
    CHECK(in_document(corpus, 3, "the") != in_document(corpus, 3, "les"));
    ezlda_corpus_free(same);
    ezlda_corpus_free(corpus);
}

/* One language for all documents is stored as a list that was asked for. */
TEST(one_language_is_a_plain_list)
{
    ezlda_import_options options = text_options();
    ezlda_corpus *corpus = read_texts(&options, ENGLISH, ENGLISH, "die hard\n");
    const ezlda_text_rules *rules = ezlda_corpus_text_rules(corpus);
    CHECK(rules->n_stopwords > 200 && !ez_text_rules_setting(rules, EZ_RULE_LANGUAGES));
    ezlda_corpus_free(corpus);
}

TEST(threads_do_not_change_the_languages)
{
    static const char *const parts[] = {ENGLISH, FRENCH, "die on the sur\n", GERMAN};
    size_t lines = 60000, room = lines * 128;
    char *text = malloc(room);
    size_t used = 0;
    for (size_t i = 0; i < lines; i++)
        used +=
            (size_t)snprintf(text + used, room - used, "w%zu %s", i % 977, parts[i * i % 7 % 4]);
    const char *path = write_text("many.txt", text);
    char hash[2][32];
    for (int run = 0; run < 2; run++) {
        ezlda_import_options options = text_options();
        ezlda_corpus *corpus;
        ezlda_context_set_threads(check_context(), run ? 5 : 1);
        CHECK_OK(check_context(), read_one(&corpus, path, &options));
        snprintf(hash[run], sizeof hash[run], "%016llx", (unsigned long long)info_of(corpus).hash);
        ezlda_corpus_free(corpus);
    }
    CHECK_STR(hash[0], hash[1]);
    ezlda_context_set_threads(check_context(), 0);
    free(text);
}

/* A language without a list: "qqa" and "qqo" are in all documents, "tor" is repeated in a few. */
static void write_unknown(char *text, size_t size)
{
    size_t used = 0;
    for (int i = 0; i < 40; i++) {
        used += (size_t)snprintf(text + used, size - used, "zap%d qqa brel%d qqo qqa vil%d qqo", i,
                                 i % 7, i % 11);
        for (int k = 0; i % 4 == 0 && k < 9; k++)
            used += (size_t)snprintf(text + used, size - used, " tor");
        used += (size_t)snprintf(text + used, size - used, "\n");
    }
}

TEST(a_corpus_makes_its_own_list)
{
    static char text[16384];
    write_unknown(text, sizeof text);
    ezlda_import_options options = text_options();
    options.keep_numbers = 1;
    ezlda_corpus *corpus = read_texts(&options, text, "", "");
    CHECK(strstr(notes, "stop words: removed 2 words that are spread evenly over the documents "
                        "(--stopwords none keeps them): qqa qqo\n") != NULL);
    CHECK(!in_document(corpus, 0, "qqa") && !in_document(corpus, 0, "qqo"));
    CHECK(in_document(corpus, 0, "tor") && in_document(corpus, 0, "brel0"));
    CHECK_EQ(ezlda_corpus_text_rules(corpus)->n_stopwords, 2);
    options.like = ezlda_corpus_text_rules(corpus);
    ezlda_corpus *same = read_texts(&options, "qqa tor\n", "", "");
    CHECK_STR(document(same, 0), "tor:1");
    ezlda_corpus_free(same);
    ezlda_corpus_free(corpus);
    options.like = NULL;
    options.stopwords = "none";
    corpus = read_texts(&options, text, "", "");
    CHECK(in_document(corpus, 0, "qqa"));
    ezlda_corpus_free(corpus);
}

/* Text without its stop words keeps words that are in many documents, unless asked otherwise. */
TEST(a_clean_corpus_keeps_its_words)
{
    static char text[32768];
    size_t used = 0;
    for (int i = 0; i < 40; i++) {
        for (int k = 0; k < 30; k++)
            used += (size_t)snprintf(text + used, sizeof text - used, "xx%d ", 30 * i + k);
        used += (size_t)snprintf(text + used, sizeof text - used, "%s\n", i % 2 ? "qqa" : "qqe");
    }
    ezlda_import_options options = text_options();
    options.keep_numbers = 1;
    ezlda_corpus *corpus = read_texts(&options, text, "", "");
    CHECK(strstr(notes, "stop words: none removed from documents without a clear language") !=
          NULL);
    CHECK(in_document(corpus, 0, "qqe") && in_document(corpus, 1, "qqa"));
    ezlda_corpus_free(corpus);
    options.stopwords = "corpus";
    corpus = read_texts(&options, text, "", "");
    CHECK(!in_document(corpus, 0, "qqe") && !in_document(corpus, 1, "qqa"));
    CHECK(in_document(corpus, 0, "xx0"));
    ezlda_corpus_free(corpus);
}

TEST(the_corpus_list_can_be_asked_for)
{
    static char text[16384];
    write_unknown(text, sizeof text);
    ezlda_import_options options = text_options();
    options.keep_numbers = 1;
    options.ngrams = 2;
    options.stopwords = "corpus,en";
    ezlda_corpus *corpus = read_texts(&options, text, "the tor of tor\n", "");
    CHECK(!in_document(corpus, 0, "qqa") && in_document(corpus, 0, "zap0_brel0"));
    CHECK_STR(document(corpus, 40), "tor:2 tor_tor:1");
    ezlda_corpus_free(corpus);
}

TEST(evenness_is_measured_against_chance)
{
    ez_doc_lengths lengths = {0};
    for (int i = 0; i < 100; i++)
        ez_doc_lengths_add(&lengths, 50 + (uint64_t)i % 3);
    CHECK(ez_word_is_common(&lengths, 300, 95)); /* 3 per document: chance gives 95 */
    CHECK(!ez_word_is_common(&lengths, 300, 80));
    CHECK(ez_word_is_common(&lengths, 25, 21));  /* chance gives 22 */
    CHECK(!ez_word_is_common(&lengths, 25, 19)); /* below a fifth of the documents */
    ez_doc_lengths few = {0};
    for (int i = 0; i < EZ_COMMON_LEAST_DOCS - 1; i++)
        ez_doc_lengths_add(&few, 5);
    CHECK(!ez_word_is_common(&few, 19, 19));
    for (uint64_t n = 1; n; n <<= 1) { /* every length has a bin */
        ez_doc_lengths one = {0};
        ez_doc_lengths_add(&one, n);
        ez_doc_lengths_add(&one, n | (n - 1));
    }
}

/* The counters by planes against plain ones. */
TEST(votes_are_counts)
{
    uint64_t plain[64] = {0}, sums[64] = {0}, state = 1;
    ez_votes votes;
    ez_votes_init(&votes);
    for (int i = 0; i < 5000; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        uint64_t mask = state >> 1 & (state << 7 | state >> 40) & INT64_MAX;
        ez_vote(&votes, mask);
        for (int k = 0; k < 64; k++)
            plain[k] += mask >> k & 1;
    }
    ez_votes_sum(&votes, sums);
    uint32_t best = 0;
    for (uint32_t k = 0; k < 64; k++) {
        CHECK_EQ(sums[k], plain[k]);
        best = plain[k] > plain[best] ? k : best;
    }
    CHECK_EQ(ez_votes_language(&votes, 5000), best);
}

TEST(a_language_needs_evidence)
{
    ez_votes votes;
    ez_votes_init(&votes);
    for (int i = 0; i < 4; i++)
        ez_vote(&votes, 1u << 5);
    CHECK_EQ(ez_votes_language(&votes, 10), 5);
    CHECK_EQ(ez_votes_language(&votes, 9), EZ_NO_LANGUAGE); /* too short */
    CHECK_EQ(ez_votes_language(&votes, 40), 5);             /* unrivalled: a tenth is enough */
    CHECK_EQ(ez_votes_language(&votes, 41), EZ_NO_LANGUAGE);
    for (int i = 0; i < 3; i++)
        ez_vote(&votes, 1u << 9);
    CHECK_EQ(ez_votes_language(&votes, 20), 5); /* with a rival: a fifth */
    CHECK_EQ(ez_votes_language(&votes, 21), EZ_NO_LANGUAGE);
}

TEST_MAIN()
