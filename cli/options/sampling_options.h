/* --samples, --thin, --burn-in and --seed of commands that draw from the posterior, and --topics
 * and
 * --interval of their tables. */
#ifndef CLI_SAMPLING_OPTIONS_H
#define CLI_SAMPLING_OPTIONS_H

#include "options/options.h"

typedef struct sampling_settings {
    ezlda_sampling_options sampling;
    double interval; /* in percent */
    const char *topics;
} sampling_settings;

/* Targets lie in a sampling_settings. */
extern const cli_option sampling_options[], interval_options[];

void sampling_defaults(sampling_settings *settings);

/* The topics of --topics, freed with free; NULL with *n 0: all. False after one line. */
bool sampling_topics(const cli_call *call, const sampling_settings *settings, uint32_t topics,
                     uint32_t **list, size_t *n);

/* Shows progress on a terminal and ends at an interrupt; `shown` must outlive the call. */
void sampling_watch(sampling_settings *settings, bool *shown, bool quiet);
void sampling_watched(const bool *shown);

#endif
