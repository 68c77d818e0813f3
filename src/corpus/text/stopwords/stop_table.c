/* Builds the table of stop words of several languages, and decides which language a document has.
 */
#include "corpus/text/stopwords/stop_table.h"

#include "corpus/text/stopwords/stopwords.h"

#include <string.h>

/* A document shows its language if it has at least LEAST_TOKENS tokens and LEAST_HITS of them are
 * in its list. If no other language has more than half as many, 1/UNRIVALLED_PART of the tokens is
 * enough: languages with many endings have few stop words. */
enum { LEAST_TOKENS = 10, LEAST_HITS = 4, UNRIVALLED_PART = 10 };

static size_t sieve_bit(const char *word, size_t n)
{
    uint64_t first = 0;
    memcpy(&first, word, n < sizeof first ? n : sizeof first);
    return (size_t)((first + n) * 0x9e3779b97f4a7c15u >> 47); /* 17 bits */
}

uint32_t ez_stop_table_find(const ez_stop_table *table, const char *word, size_t n)
{
    _Static_assert(EZ_SIEVE_BYTES * 8 == 1 << 17, "the bits that sieve_bit gives");
    size_t bit = sieve_bit(word, n);
    return table->sieve[bit >> 3] >> (bit & 7) & 1 ? ez_strings_find(&table->words, word, n)
                                                   : EZ_NO_STRING;
}

ezlda_status ez_stop_table_add(ez_stop_table *table, ezlda_context *context, const char *code,
                               size_t code_bytes, const char *words)
{
    ez_strings list = {0};
    uint64_t bit = UINT64_C(1) << table->languages;
    memcpy(table->code[table->languages], code, code_bytes);
    table->code[table->languages++][code_bytes] = '\0';
    table->used |= bit;
    ezlda_status status = ez_stopwords_add_list(&list, context, words);
    for (uint32_t i = 0; i < list.n && status == EZLDA_OK; i++) {
        size_t n;
        uint32_t id;
        bool added;
        const char *word = ez_strings_get(&list, i, &n);
        EZ_TRY_GOTO(ez_strings_add(&table->words, context, word, n, &id, &added));
        if (added)
            EZ_TRY_GOTO(ez_buffer_append(&table->masks, context, &(uint64_t){0}, sizeof(uint64_t)));
        ((uint64_t *)(void *)table->masks.data)[id] |= bit;
        size_t place = sieve_bit(word, n);
        table->sieve[place >> 3] |= (unsigned char)(1u << (place & 7));
    }
done:
    ez_strings_free(&list);
    return status;
}

ezlda_status ez_stop_table_add_voter(ez_stop_table *table, ezlda_context *context, const char *code,
                                     const char *words)
{
    uint64_t used = table->used;
    EZ_TRY(ez_stop_table_add(table, context, code, strlen(code), words));
    table->used = used;
    return EZLDA_OK;
}

ezlda_status ez_stop_table_add_all(ez_stop_table *table, ezlda_context *context)
{
    _Static_assert((int)EZ_STOP_LANGUAGES <= (int)EZ_TABLE_LANGUAGES, "a bit for each language");
    table->main = EZ_NO_LANGUAGE;
    for (uint32_t i = 0; i < EZ_STOP_LANGUAGES; i++) {
        const ez_stop_list *list = ez_stop_language(i);
        EZ_TRY(ez_stop_table_add(table, context, list->code, strlen(list->code), list->words));
    }
    return EZLDA_OK;
}

ezlda_status ez_stop_table_list(const ez_stop_table *table, ezlda_context *context,
                                uint32_t language, ez_buffer *to)
{
    size_t start = to->used;
    for (uint32_t i = 0; i < table->words.n; i++) {
        size_t n;
        const char *word = ez_strings_get(&table->words, i, &n);
        if (!(ez_stop_mask(table, i) >> language & 1))
            continue;
        EZ_TRY(ez_buffer_append(to, context, " ", to->used > start));
        EZ_TRY(ez_buffer_append(to, context, word, n));
    }
    return ez_buffer_append(to, context, "", 1);
}

void ez_stop_table_free(ez_stop_table *table)
{
    ez_strings_free(&table->words);
    ez_free(table->masks.data);
    memset(table, 0, sizeof *table);
}

/* The language of `among` with the most votes. From the highest plane down, only the languages that
 * have the bit stay, if any has it. */
static uint32_t best_of(const ez_votes *votes, uint64_t among, uint64_t *most)
{
    *most = 0;
    for (int k = votes->used - 1; k >= 0; k--) {
        uint64_t with = among & votes->planes[k];
        if (!with)
            continue;
        among = with;
        *most |= UINT64_C(1) << k;
    }
    return (uint32_t)__builtin_ctzll(among);
}

uint32_t ez_votes_language(const ez_votes *votes, uint64_t tokens)
{
    uint64_t hits, next;
    uint32_t best = best_of(votes, UINT64_MAX, &hits);
    if (tokens < LEAST_TOKENS || hits < LEAST_HITS || hits * UNRIVALLED_PART < tokens)
        return EZ_NO_LANGUAGE;
    best_of(votes, ~(UINT64_C(1) << best), &next);
    return hits * EZ_CLEAR_PART >= tokens || hits >= 2 * next ? best : EZ_NO_LANGUAGE;
}

void ez_votes_sum(const ez_votes *votes, uint64_t *sums)
{
    for (int k = 0; k < votes->used; k++)
        for (uint64_t left = votes->planes[k]; left; left &= left - 1)
            sums[__builtin_ctzll(left)] += UINT64_C(1) << k;
}
