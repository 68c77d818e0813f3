/* How models are scored: the options that eval and sweep share. */
#ifndef CLI_SCORE_OPTIONS_H
#define CLI_SCORE_OPTIONS_H

#include "options/options.h"

typedef struct score_settings {
    ezlda_eval_options eval;
    uint32_t window; /* the window of NPMI and C_V, if given */
} score_settings;

/* Tables whose targets lie in a score_settings: samples of the topics of scored documents, and the
 * words and windows of coherence. */
extern const cli_option score_sample_options[], score_coherence_options[];

/* Sets both windows of coherence if --window is given. */
void score_use_window(const cli_call *call, score_settings *settings);

#endif
