/* Options of `ezlda plan` for several GPUs and machines, and for corpora that are described instead
 * of read. */
#ifndef CLI_CLUSTER_OPTIONS_H
#define CLI_CLUSTER_OPTIONS_H

#include "options/options.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct cluster_settings {
    uint32_t machines, gpus;
    uint64_t network; /* bits per second */
    uint64_t link;    /* bytes per second */
    uint64_t docs, tokens;
    uint32_t words;
    double tokens_per_second;
} cluster_settings;

/* Tables whose targets lie in a cluster_settings. */
extern const cli_option cluster_options[], cluster_size_options[];

/* Whether the forecast is for anything but one device of this machine. */
bool cluster_asked(const cluster_settings *settings);
/* Whether the corpus is described by its sizes instead of read. */
bool cluster_is_described(const cluster_settings *settings);
/* Whether the forecast is for GPUs. */
bool cluster_has_gpus(const cluster_settings *settings);
/* 0, or an exit status after one line. */
int cluster_check(const cli_call *call, const cluster_settings *settings, const char *device);

#endif
