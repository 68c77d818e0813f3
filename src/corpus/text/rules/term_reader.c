/* Tokenises, filters and stems or lemmatises a short text by the rules of a corpus. */
#include "corpus/text/rules/term_reader.h"

#include "corpus/input/utf8.h"
#include "corpus/text/phrases/phrase_list.h"
#include "corpus/text/stopwords/stopwords.h"
#include "corpus/text/text_words.h"
#include "corpus/text/tokeniser/text_cutting.h"

#include <stdio.h>
#include <string.h>

/* A few words do not show their language, so the stop words of the main language apply. */
static ezlda_status add_main_language(ez_term_reader *reader, ezlda_context *context,
                                      const ezlda_text_rules *rules)
{
    char key[sizeof EZ_RULE_LIST + EZ_CODE_BYTES];
    const char *codes = ez_text_rules_setting(rules, EZ_RULE_LANGUAGES);
    size_t n = codes ? strcspn(codes, " ") : EZ_CODE_BYTES;
    if (n >= EZ_CODE_BYTES)
        return EZLDA_OK;
    snprintf(key, sizeof key, EZ_RULE_LIST "%.*s", (int)n, codes);
    const char *words = ez_text_rules_setting(rules, key);
    return words ? ez_stopwords_add_list(&reader->stopwords, context, words) : EZLDA_OK;
}

ezlda_status ez_term_reader_init(ez_term_reader *reader, ezlda_context *context,
                                 const ezlda_text_rules *rules)
{
    ezlda_import_options options;
    ezlda_import_options_init(&options);
    options.like = rules;
    options.stemmer = rules->stemmer;
    ez_tokeniser_init(&reader->tokeniser, rules->kept & EZ_CASE_KEPT, rules->kept & EZ_NUMBERS_KEPT,
                      rules->ngrams <= 1 && !ez_text_rules_setting(rules, EZ_PHRASES),
                      rules->min_length);
    ez_text_cutting way = ez_cutting_of_rules(rules);
    ez_tokeniser_cut(&reader->tokeniser, way);
    reader->segmenter.cutting = way.cutting;
    EZ_TRY(ez_text_rules_stopwords(&options, context, &reader->stopwords));
    EZ_TRY(add_main_language(reader, context, rules));
    EZ_TRY(ez_text_rules_unstemmed(&options, context, &reader->unstemmed));
    EZ_TRY(ez_lemmas_read_list(&reader->lemmas, context, ez_text_rules_setting(rules, EZ_LEMMAS)));
    if (!*rules->stemmer || !ez_stemmer_known(rules->stemmer))
        return EZLDA_OK;
    EZ_TRY(ez_stemmer_create(&reader->stemmer, context, rules->stemmer));
    return ez_shown_read(&reader->shown, context, ez_text_rules_setting(rules, EZ_SHOWN),
                         reader->stemmer, &reader->unstemmed);
}

static ezlda_status add_word(ez_term_reader *reader, ezlda_context *context, const char *word,
                             size_t n, bool stem)
{
    if (stem && reader->stemmer) {
        EZ_TRY(ez_stem_unless(reader->stemmer, context, &reader->unstemmed, &word, &n));
        const char *shown = ez_shown_form(&reader->shown, word, n);
        n = shown ? strlen(shown) : n;
        word = shown ? shown : word;
    }
    if (stem)
        ez_lemma_of(&reader->lemmas, &word, &n);
    EZ_TRY(ez_buffer_append(&reader->term, context, "_", reader->term.used > 0));
    return ez_buffer_append(&reader->term, context, word, n);
}

ezlda_status ez_term_read(ez_term_reader *reader, ezlda_context *context, const char *text,
                          bool stem, const char **term, size_t *n)
{
    size_t length = strlen(text), bytes;
    ez_word_cursor cursor = {&reader->tokeniser, &reader->segmenter, context, text, text + length};
    const char *form;
    reader->term.used = 0;
    *n = 0;
    if (ez_utf8_check(text, length) != length)
        return EZLDA_OK;
    ez_segmenter_begin(&reader->segmenter);
    while ((form = ez_cursor_next(&cursor, &bytes))) {
        char word[EZ_WORD_BYTES + 1];
        bytes = ez_normalise_word(&reader->tokeniser, form, bytes, word);
        if (bytes && !ez_is_stopword(&reader->tokeniser, &reader->stopwords, word, bytes))
            EZ_TRY(add_word(reader, context, word, bytes, stem));
    }
    *term = (const char *)reader->term.data;
    *n = reader->term.used;
    return reader->segmenter.status;
}

void ez_term_reader_free(ez_term_reader *reader)
{
    ez_strings_free(&reader->stopwords);
    ez_strings_free(&reader->unstemmed);
    ez_stemmer_free(reader->stemmer);
    ez_shown_free(&reader->shown);
    ez_lemmas_free(&reader->lemmas);
    ez_segmenter_free(&reader->segmenter);
    ez_free(reader->term.data);
}
