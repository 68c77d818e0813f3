/* Draws corpora from the generative process of LDA.
 *
 * Words have Zipf frequencies z. The words of a topic follow Dirichlet(beta * z) and the topics
 * of a document Dirichlet(alpha). Both are drawn from a Polya urn: the next draw repeats an earlier
 * one or, with a probability that falls as beta / (beta + draws), is a new one. A topic is the
 * content of its urn after EZ_URN draws, and the probability of a new word. Tokens are decided by
 * integers from counters keyed by (seed, document, token), so any machine and any number of threads
 * draw the same corpus. */
#ifndef EZ_SYNTH_H
#define EZ_SYNTH_H

#include "base/memory.h"
#include "numeric/draws.h"

enum { EZ_URN = 1 << 14 };

/* A bucket of an alias table. The upper bits of a draw choose the bucket, the lower ones choose
 * between its own outcome and the other. */
typedef struct ez_alias {
    uint32_t limit; /* own if the lower bits are below this, out of 2^32 */
    uint32_t own, other;
} ez_alias;

typedef struct ez_synth_topic {
    ez_alias *words;
    uint32_t n;
} ez_synth_topic;

/* The tables that documents are drawn from. */
typedef struct ez_synth_tables {
    uint64_t seed;
    ez_alias *zipf; /* n_words */
    uint32_t n_words;
    uint64_t beta;       /* in units of 2^-16 */
    uint64_t new_chance; /* probability of a word from the Zipf frequencies, out of 2^64 */
    ez_synth_topic *topics;
    uint32_t n_topics;
} ez_synth_tables;

ezlda_status ez_synth_tables_create(ez_synth_tables *tables, ezlda_context *context,
                                    const ezlda_synth_options *options);
void ez_synth_tables_free(ez_synth_tables *tables);

/* Writes up to n words of a planted topic, by falling count (ties: the smaller number first), and
 * their counts out of EZ_URN. The defaults of the options apply as in ezlda_corpus_synth. */
ezlda_status ez_synth_topic_words(ezlda_context *context, const ezlda_synth_options *options,
                                  uint32_t topic, uint32_t *word, uint32_t *count, size_t n,
                                  size_t *written);

/* Fills in the defaults and refuses impossible values. */
ezlda_status ez_synth_options_read(ezlda_context *context, const ezlda_synth_options *options,
                                   ezlda_synth_options *settled);

/* ---- draws ---- */

static inline uint64_t ez_mulhi64(uint64_t a, uint64_t b)
{
    return (uint64_t)((unsigned __int128)a * b >> 64);
}

static inline uint32_t ez_alias_draw(const ez_alias *alias, uint32_t n, uint64_t u)
{
    const ez_alias *bucket = &alias[ez_mulhi64(u, n)];
    return (uint32_t)(u * n >> 32) < bucket->limit ? bucket->own : bucket->other;
}

#endif
