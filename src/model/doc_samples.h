/* The topics of documents in several samples of the posterior, as a model file keeps them: rows of
 * (topic, count) entries in groups of 256 documents. A row is its number of entries, then for each
 * the gap to the topic before it and its count less 1; all are LEB128 numbers
 * (corpus/bags/doc_code.h).
 */
#ifndef EZ_DOC_SAMPLES_H
#define EZ_DOC_SAMPLES_H

#include "base/memory.h"

enum { EZ_SAMPLE_GROUP = 256, EZ_MOST_SAMPLES = 10000 };

/* The section SMPL begins with it; the prior follows, f64 by topic. */
typedef struct ez_samples_meta {
    uint32_t samples, zero;
} ez_samples_meta;

struct ezlda_samples {
    uint64_t docs;
    uint32_t topics, samples;  /* samples 0: there are none */
    bool own;                  /* of the corpus that the model was trained on */
    const double *alpha;       /* topics: the prior of a document in these samples */
    const uint64_t *start;     /* samples x groups + 1: offsets of groups, sample by sample */
    const unsigned char *rows; /* start[samples x groups] bytes */
    uint64_t rows_bytes;       /* of a model, until start is checked */
    ez_buffer alpha_owned, start_owned, rows_owned; /* empty: they lie in a model */
};

static inline uint64_t ez_sample_groups(uint64_t docs)
{
    return docs / EZ_SAMPLE_GROUP + (docs % EZ_SAMPLE_GROUP != 0);
}

/* Appends a row: counts by topic, all of them. */
ezlda_status ez_sample_row_put(ez_buffer *rows, ezlda_context *context, const uint32_t *count,
                               uint32_t topics);

/* Reads the row of a document of samples that were checked; returns its number of entries. */
size_t ez_sample_row_get(const ezlda_samples *samples, uint32_t sample, uint64_t doc,
                         uint32_t *topic, uint32_t *count, size_t capacity);

/* Whether a group of a sample is right: its rows fill it, topics ascend and are below `topics`, and
 * counts sum up to the documents' lengths, doc_start being their offsets. */
bool ez_sample_group_good(const ezlda_samples *samples, uint64_t group, const uint64_t *doc_start);

/* Makes a copy with merged topics: `topics` of them, which `into` leads to. */
ezlda_status ez_samples_merge(ezlda_samples **out, ezlda_context *context,
                              const ezlda_samples *samples, const uint32_t *into, uint32_t topics);

/* Starts empty samples, which own what is appended; ended by ez_samples_end_group after each group
 * and ez_samples_seal. */
ezlda_status ez_samples_create(ezlda_samples **out, ezlda_context *context, uint64_t docs,
                               uint32_t topics, uint32_t samples);
ezlda_status ez_samples_end_group(ezlda_samples *samples, ezlda_context *context);
void ez_samples_seal(ezlda_samples *samples);

#endif
