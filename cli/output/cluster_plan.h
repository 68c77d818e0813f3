/* ezlda plan for several GPUs and machines, and for corpora that are not at hand. */
#ifndef CLI_CLUSTER_PLAN_H
#define CLI_CLUSTER_PLAN_H

#include "cli.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct cluster_settings {
    uint32_t machines, gpus;
    uint64_t network; /* bits a second */
    uint64_t link;    /* bytes a second */
    uint64_t docs, tokens;
    uint32_t words;
    double tokens_per_second;
} cluster_settings;

/* Tables of options whose targets lie in a cluster_settings. */
extern const cli_option cluster_options[], cluster_size_options[];

/* Whether more than this machine's one device is asked for. */
bool cluster_asked(const cluster_settings *settings);
/* Whether it is planned for GPUs. */
bool cluster_has_gpus(const cluster_settings *settings);
/* 0, or an exit status after one line. */
int cluster_check(const cli_call *call, const cluster_settings *settings, const char *device);
/* Plans and prints. */
int cluster_run(cli_call *call, ezlda_context *context, const cluster_settings *settings,
                const ezlda_import_options *import, const ezlda_train_options *options,
                double seconds, bool json);

/* Seconds with as many digits as they are worth. */
const char *plan_seconds(double seconds, char buffer[32]);

#endif
