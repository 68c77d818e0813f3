/* The option tables of scoring: samples of topics, and the words and windows of coherence. */
#include "options/score_options.h"

#define SETTING(field) .target = offsetof(score_settings, field)

const cli_option score_sample_options[] = {
    {.name = "samples",
     .type = CLI_U32,
     .argument = "N",
     SETTING(eval.samples),
     .least = 1,
     .most = 65536,
     .unset = "10, or fewer if there are few iterations",
     .help = "average the topics over N of the last iterations"},
    {.name = "thin",
     .type = CLI_U32,
     .argument = "N",
     SETTING(eval.thin),
     .least = 1,
     .most = UINT32_MAX,
     .unset = "5, or fewer if there are few iterations",
     .help = "iterations from one sample to the next"},
    {0}};

const cli_option score_coherence_options[] = {
    {.name = "words",
     .letter = 'n',
     .type = CLI_U32,
     .argument = "N",
     SETTING(eval.words),
     .least = 2,
     .most = 1000,
     .help = "top words per topic for coherence, diversity and exclusivity"},
    {.name = "window",
     .type = CLI_U32,
     .argument = "N",
     SETTING(window),
     .most = UINT32_MAX,
     .unset = "10 for NPMI, 110 for C_V",
     .help = "tokens per window for NPMI and C_V; 0: whole documents, as for every corpus without "
             "word order"},
    {0}};

void score_use_window(const cli_call *call, score_settings *settings)
{
    if (cli_given(call, "window"))
        settings->eval.npmi_window = settings->eval.c_v_window = settings->window;
}
