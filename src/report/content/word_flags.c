/* Flags topics whose first words are stop words, or codes such as those of encoded files. */
#include "report/content/word_flags.h"

#include "corpus/text/stopwords/stopwords.h"

#include <stdio.h>
#include <string.h>

/* A topic has several stop words of its own language's relatives, so six of ten must be of one
 * list. */
enum { FIRST_WORDS = 10, STOP_WORDS = 6, SHORT_WORDS = 8, SHORT_LETTERS = 3 };

static bool is_short(const char *word)
{
    size_t n = strspn(word, "abcdefghijklmnopqrstuvwxyz");
    return !word[n] && n <= SHORT_LETTERS;
}

/* The language with most of the words, and how many it has. */
static uint32_t count_stop_words(const ezlda_report *report, const ez_stop_table *table,
                                 const ezlda_scored *words, size_t n, uint32_t *most)
{
    uint32_t votes[EZ_STOP_LANGUAGES] = {0}, best = 0;
    for (size_t i = 0; i < n; i++) {
        const char *word = ezlda_model_word(report->model, (uint32_t)words[i].id);
        uint32_t found = ez_strings_find(&table->words, word, strlen(word));
        uint64_t mask = found == EZ_NO_STRING ? 0 : ez_stop_mask(table, found);
        for (uint32_t l = 0; l < EZ_STOP_LANGUAGES; l++)
            votes[l] += mask >> l & 1;
    }
    for (uint32_t l = 1; l < EZ_STOP_LANGUAGES; l++)
        best = votes[l] > votes[best] ? l : best;
    *most = votes[best];
    return best;
}

ezlda_status ez_flag_words(const ezlda_report *report, ezlda_context *context,
                           const ez_stop_table *table, uint32_t topic, char *reason, size_t room,
                           bool *flagged)
{
    ezlda_scored words[FIRST_WORDS];
    size_t n;
    uint32_t most, shorts = 0;
    EZ_TRY(ezlda_model_top_words(words, FIRST_WORDS, &n, context, report->model, topic,
                                 EZLDA_BY_PROBABILITY, 1));
    uint32_t language = count_stop_words(report, table, words, n, &most);
    for (size_t i = 0; i < n; i++)
        shorts += is_short(ezlda_model_word(report->model, (uint32_t)words[i].id));
    *flagged = most >= STOP_WORDS || shorts >= SHORT_WORDS;
    if (most >= STOP_WORDS)
        snprintf(
            reason, room,
            "%u of its first %zu words are stop words of %s (--stopwords auto,%s removes them)",
            most, n, ezlda_language_name(language), ezlda_language_code(language));
    else if (*flagged)
        snprintf(reason, room, "%u of its first %zu words have at most %d letters: codes?", shorts,
                 n, SHORT_LETTERS);
    return EZLDA_OK;
}
