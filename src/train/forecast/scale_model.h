/* What an iteration takes where several members share a corpus: a model of cuda_shards.c,
 * cuda_shard_sum.c and rank_sum.c, fed with what one device takes. Pure functions; seconds, bytes,
 * bytes a second. */
#ifndef EZ_SCALE_MODEL_H
#define EZ_SCALE_MODEL_H

#include <stdbool.h>
#include <stdint.h>

typedef struct ez_scale_corpus {
    uint64_t docs, tokens;
    uint32_t words, topics;
    uint32_t dense_words;   /* with a row of K counts */
    uint64_t sparse_tokens; /* of the other words: slots of their rows */
} ez_scale_corpus;

/* An iteration on one device with all of the corpus in its memory. */
typedef struct ez_scale_steps {
    double prepare; /* records of words; members of a machine share it */
    double tables; /* what sampling and counting take whatever the tokens: each member repeats it */
    double tokens; /* what grows with the tokens */
} ez_scale_steps;

typedef struct ez_scale_machines {
    uint32_t machines;
    uint32_t members; /* of each machine */
    uint32_t sharing; /* members that have one device together; 1: each its own */
    bool gpus;
    double network, link,
        host_link; /* each way: between machines, between GPUs of one, between a GPU and its host */
    uint64_t device_memory; /* of a GPU, for one member */
} ez_scale_machines;

typedef struct ez_scale {
    double work;    /* of the members, side by side */
    double here;    /* sums over the members of a machine */
    double beyond;  /* ... over the machines */
    double seconds; /* all of these */
    uint64_t shard_tokens;
    uint32_t chunks;       /* through each GPU; 0: its memory is not enough, however many */
    uint64_t device_bytes; /* of a member; the least, where chunks are 0; on CPUs 0 */
    uint64_t host_bytes;   /* of a machine, at least */
} ez_scale;

void ez_scale_predict(ez_scale *out, const ez_scale_corpus *corpus, const ez_scale_steps *steps,
                      const ez_scale_machines *machines);

/* Words with more tokens than `than`, and the tokens of the others, by Zipf's law. */
void ez_scale_zipf(uint64_t tokens, uint32_t words, uint64_t than, uint32_t *frequent,
                   uint64_t *others);

/* The steps on an H200 from what was measured there (docs/performance.md); seconds: of an
 * iteration, 0: those too. tabled_words: words that get a table of K weights. */
uint32_t ez_scale_tabled_words(uint32_t words, uint32_t frequent, uint32_t topics);
void ez_scale_known_steps(ez_scale_steps *out, const ez_scale_corpus *corpus, uint32_t tabled_words,
                          double seconds);

/* What an iteration in chunks took, as if the corpus had been in memory. */
double ez_scale_resident(double seconds, uint64_t tokens, double host_link);

#endif
