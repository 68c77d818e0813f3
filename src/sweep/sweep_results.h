/* The file results.tsv of a sweep: the settings as comments, then one line per finished run with a
 * checksum of its own. docs/quality.md describes the columns. */
#ifndef EZ_SWEEP_RESULTS_H
#define EZ_SWEEP_RESULTS_H

#include "base/memory.h"

/* Zero-initialise; free with ez_results_free. */
typedef struct ez_results {
    char *path;
    ez_buffer runs; /* ezlda_sweep_run, by topics and then by seed */
    bool written;   /* whether there is a file */
} ez_results;

/* Reads the file at results->path if there is one. Settings other than `settings` are
 * EZLDA_ERROR_ARGUMENT; damaged lines are ignored, with a note. */
ezlda_status ez_results_open(ez_results *results, ezlda_context *context,
                             const ez_buffer *settings);

/* Writes the file if there is none. This happens before the first model, so that the folder is
 * known as a sweep's. */
ezlda_status ez_results_begin(ez_results *results, ezlda_context *context,
                              const ez_buffer *settings);

/* NULL if there is none. Valid until the next change. */
const ezlda_sweep_run *ez_results_find(const ez_results *results, uint32_t topics, uint64_t seed);

/* Adds or replaces a run, and writes the whole file again. */
ezlda_status ez_results_put(ez_results *results, ezlda_context *context, const ez_buffer *settings,
                            const ezlda_sweep_run *run);
void ez_results_free(ez_results *results);

/* A run without scores. */
ezlda_sweep_run ez_no_run(uint32_t topics, uint64_t seed);

#endif
