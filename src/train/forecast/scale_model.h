/* How long an iteration takes if several devices share a corpus: a model of cuda_shards.c,
 * cuda_shard_sum.c and rank_sum.c, from the times of one device. Pure functions; units are seconds,
 * bytes and bytes per second. */
#ifndef EZ_SCALE_MODEL_H
#define EZ_SCALE_MODEL_H

#include "base/context.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct ez_scale_corpus {
    uint64_t docs, tokens;
    uint32_t words, topics;
    uint32_t dense_words;   /* words with a row of K counts */
    uint64_t sparse_tokens; /* tokens of the other words: slots of their rows */
} ez_scale_corpus;

/* Seconds of an iteration on one device with the whole corpus in its memory. */
typedef struct ez_scale_steps {
    double prepare; /* records of words; the shards of a machine share the work */
    double tables;  /* the part of sampling and counting that does not depend on the tokens: each
                       shard repeats it */
    double tokens;  /* the part that grows with the tokens */
} ez_scale_steps;

typedef struct ez_scale_machines {
    uint32_t machines;
    uint32_t shards;  /* shards on each machine */
    uint32_t sharing; /* shards on one device; 1: each has its own */
    bool gpus;
    /* Bandwidth in each direction: between machines, between GPUs of one machine, between a GPU
     * and its host. */
    double network, link, host_link;
    uint64_t device_memory; /* GPU memory that one shard can use */
} ez_scale_machines;

typedef struct ez_scale {
    double work;    /* seconds of the shards, which work in parallel */
    double here;    /* seconds of the sums over the shards of a machine */
    double beyond;  /* seconds of the sums over the machines */
    double seconds; /* all of these */
    uint64_t shard_tokens;
    uint32_t chunks; /* chunks that pass through each GPU; 0: no number of chunks fits its memory */
    uint64_t device_bytes; /* GPU memory of a shard; the least possible if chunks is 0; 0 on CPUs */
    uint64_t host_bytes;   /* least memory of a machine */
} ez_scale;

void ez_scale_predict(ez_scale *out, const ez_scale_corpus *corpus, const ez_scale_steps *steps,
                      const ez_scale_machines *machines);

/* Words with more tokens than `than`, and the tokens of the others, by Zipf's law. */
void ez_scale_zipf(uint64_t tokens, uint32_t words, uint64_t than, uint32_t *frequent,
                   uint64_t *others);

/* The steps on an H200, from measurements (docs/performance.md). seconds: the time of an iteration;
 * 0: that is estimated, too. tabled_words: words that get a table of K weights. */
uint32_t ez_scale_tabled_words(uint32_t words, uint32_t frequent, uint32_t topics);
void ez_scale_known_steps(ez_scale_steps *out, const ez_scale_corpus *corpus, uint32_t tabled_words,
                          double seconds);

/* The seconds of an iteration without chunks, from those of one with chunks. */
double ez_scale_resident(double seconds, uint64_t tokens, double host_link);

/* forecast_cluster.c: sets topics, dense_words and sparse_tokens of a forecast. */
ezlda_status ez_forecast_count_words(ezlda_plan *forecast, ezlda_context *context,
                                     const ezlda_corpus *corpus, uint32_t topics);

#endif
