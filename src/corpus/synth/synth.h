/* Corpora drawn from the LDA generative process.
 *
 * Words have Zipf frequencies z. The words of a topic follow Dirichlet(beta * z) and the topics of
 * a document Dirichlet(alpha), both drawn by their urn: the next draw repeats an earlier one or,
 * with a chance that falls as beta/(beta + draws), is a new one. A topic is what its urn holds
 * after EZ_URN draws, and the chance of a new one. All that decides a token is integers from
 * counters keyed by (seed, document, token), so any machine and any number of threads draw the same
 * corpus. */
#ifndef EZ_SYNTH_H
#define EZ_SYNTH_H

#include "base/memory.h"

enum { EZ_URN = 1 << 14 };

/* One of n outcomes: a bucket by the upper bits of a draw, then itself or its other by the lower
 * ones. */
typedef struct ez_alias {
    uint32_t limit; /* itself below this, of 2^32 */
    uint32_t own, other;
} ez_alias;

typedef struct ez_synth_topic {
    ez_alias *words;
    uint32_t n;
} ez_synth_topic;

/* Everything that documents are drawn from. */
typedef struct ez_synth_tables {
    uint64_t seed;
    ez_alias *zipf; /* n_words */
    uint32_t n_words;
    uint64_t beta;       /* in units of 2^-16 */
    uint64_t new_chance; /* of a word from the Zipf frequencies, of 2^64 */
    ez_synth_topic *topics;
    uint32_t n_topics;
} ez_synth_tables;

ezlda_status ez_synth_tables_create(ez_synth_tables *tables, ezlda_context *context,
                                    const ezlda_synth_options *options);
void ez_synth_tables_free(ez_synth_tables *tables);

/* The planted topic: its words by falling count (ties: the smaller number) and their counts, out of
 * EZ_URN. Up to n are written. The options' defaults apply as in ezlda_corpus_synth. */
ezlda_status ez_synth_topic_words(ezlda_context *context, const ezlda_synth_options *options,
                                  uint32_t topic, uint32_t *word, uint32_t *count, size_t n,
                                  size_t *written);

/* Fills in what is left to us and refuses what cannot be. */
ezlda_status ez_synth_settle(ezlda_context *context, const ezlda_synth_options *options,
                             ezlda_synth_options *settled);

/* ---- draws ---- */

static inline uint64_t ez_mix64(uint64_t x)
{
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
    x = (x ^ x >> 27) * 0x94d049bb133111eb;
    return x ^ x >> 31;
}

/* The key of stream i of a kind (documents, lengths, topics). */
static inline uint64_t ez_stream_key(uint64_t seed, uint64_t kind, uint64_t i)
{
    return ez_mix64(ez_mix64(ez_mix64(seed + 0x9e3779b97f4a7c15) ^ kind) + i * 0x9e3779b97f4a7c15);
}

/* Draw number i of a stream. */
static inline uint64_t ez_synth_draw(uint64_t key, uint64_t i)
{
    return ez_mix64(key + (i + 1) * 0x9e3779b97f4a7c15);
}

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
