/* The stop words of several languages in one table. It serves to find the language of a document
 * from the stop words in it, and to remove the stop words of that language only: `die` is a stop
 * word in German and not in English. */
#ifndef EZ_STOP_TABLE_H
#define EZ_STOP_TABLE_H

#include "corpus/text/string_table.h"

#include <string.h>

enum { EZ_TABLE_LANGUAGES = 63, EZ_CODE_BYTES = 16, EZ_SIEVE_BYTES = 1 << 14 };
#define EZ_NO_LANGUAGE UINT32_MAX

/* Zero-initialise; free with ez_stop_table_free. */
typedef struct ez_stop_table {
    ez_strings words;
    ez_buffer masks; /* uint64_t of each word: bit i says that it is in the list of language i */
    uint32_t languages;
    char code[EZ_TABLE_LANGUAGES][EZ_CODE_BYTES];
    uint64_t used; /* bit i: documents may have language i; the others only vote */
    /* A bit for each hash of the first bytes of a word: most words that are in no list fail here.
     */
    unsigned char sieve[EZ_SIEVE_BYTES];
    uint32_t main; /* language of documents that show none; EZ_NO_LANGUAGE: not known */
} ez_stop_table;

/* Adds a language with its words, which are separated by spaces. A table holds EZ_TABLE_LANGUAGES
 * languages with codes below EZ_CODE_BYTES bytes; the caller makes sure of both. */
ezlda_status ez_stop_table_add(ez_stop_table *table, ezlda_context *context, const char *code,
                               size_t code_bytes, const char *words);
/* Adds a language that only votes: a document that shows it counts as one that shows none. */
ezlda_status ez_stop_table_add_voter(ez_stop_table *table, ezlda_context *context, const char *code,
                                     const char *words);
/* Adds all built-in lists. */
ezlda_status ez_stop_table_add_all(ez_stop_table *table, ezlda_context *context);
/* Appends the words of a language, separated by spaces, and a NUL. */
ezlda_status ez_stop_table_list(const ez_stop_table *table, ezlda_context *context,
                                uint32_t language, ez_buffer *to);
/* The number of a folded word; EZ_NO_STRING if it is in no list. */
uint32_t ez_stop_table_find(const ez_stop_table *table, const char *word, size_t n);
void ez_stop_table_free(ez_stop_table *table);

static inline uint64_t ez_stop_mask(const ez_stop_table *table, uint32_t word)
{
    return ((const uint64_t *)(const void *)table->masks.data)[word];
}

/* For each language, the number of a document's tokens that are in its list. Bit i of planes[k] is
 * bit k of the number of language i, so that a token adds to all its languages at once. */
enum { EZ_VOTE_PLANES = 40, EZ_LOW_PLANES = 4 };
typedef struct ez_votes {
    uint64_t planes[EZ_VOTE_PLANES];
    int used; /* planes that are set */
} ez_votes;

static inline void ez_votes_init(ez_votes *votes)
{
    memset(votes->planes, 0, EZ_LOW_PLANES * sizeof *votes->planes);
    votes->used = EZ_LOW_PLANES;
}

/* The loop over the low planes has no branch that depends on the votes. */
static inline void ez_vote(ez_votes *votes, uint64_t mask)
{
    uint64_t carry = mask;
    for (int k = 0; k < EZ_LOW_PLANES; k++) {
        uint64_t next = votes->planes[k] & carry;
        votes->planes[k] ^= carry;
        carry = next;
    }
    for (int k = EZ_LOW_PLANES; carry; k++) {
        if (k == votes->used)
            votes->planes[votes->used++] = 0;
        uint64_t next = votes->planes[k] & carry;
        votes->planes[k] ^= carry;
        carry = next;
    }
}

/* Adds the votes to sums[language]. */
void ez_votes_sum(const ez_votes *votes, uint64_t *sums);

/* The language of a document of `tokens` tokens: that with the most votes, the first of equal ones;
 * EZ_NO_LANGUAGE if it is too short or too few of its tokens are in any list. */
uint32_t ez_votes_language(const ez_votes *votes, uint64_t tokens);

/* In running text, 40 to 50 % of the words are in the list of its language, 5 to 15 % in that of a
 * related one. */
enum { EZ_CLEAR_PART = 5 };      /* 1/5 of the words must be in a list */
enum { EZ_LANGUAGE_KINDS = 3 };  /* that many different words of the list must occur */
enum { EZ_LANGUAGE_WORDS = 20 }; /* the language of a corpus of fewer words is not guessed */

#endif
