/* Tokenises, filters and stems a short text by the rules of a corpus. */
#include "corpus/text/term_reader.h"

#include "corpus/input/utf8.h"
#include "corpus/text/phrase_list.h"
#include "corpus/text/text_words.h"

#include <string.h>

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
    EZ_TRY(ez_text_rules_stopwords(&options, context, &reader->stopwords));
    EZ_TRY(ez_text_rules_unstemmed(&options, context, &reader->unstemmed));
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
    EZ_TRY(ez_buffer_append(&reader->term, context, "_", reader->term.used > 0));
    return ez_buffer_append(&reader->term, context, word, n);
}

ezlda_status ez_term_read(ez_term_reader *reader, ezlda_context *context, const char *text,
                          bool stem, const char **term, size_t *n)
{
    size_t length = strlen(text), bytes;
    const char *at = text, *end = text + length, *form;
    reader->term.used = 0;
    *n = 0;
    if (ez_utf8_check(text, length) != length)
        return EZLDA_OK;
    while ((form = ez_next_word(&reader->tokeniser, &at, end, &bytes))) {
        char word[EZ_WORD_BYTES + 1];
        bytes = ez_normalise_word(&reader->tokeniser, form, bytes, word);
        if (bytes && !ez_is_stopword(&reader->tokeniser, &reader->stopwords, word, bytes))
            EZ_TRY(add_word(reader, context, word, bytes, stem));
    }
    *term = (const char *)reader->term.data;
    *n = reader->term.used;
    return EZLDA_OK;
}

void ez_term_reader_free(ez_term_reader *reader)
{
    ez_strings_free(&reader->stopwords);
    ez_strings_free(&reader->unstemmed);
    ez_stemmer_free(reader->stemmer);
    ez_shown_free(&reader->shown);
    ez_free(reader->term.data);
}
