/* ezlda synth: draws a corpus from the generative process of LDA. */
#include "cli.h"
#include "output/output_path.h"

typedef struct synth_settings {
    cli_common common;
    ezlda_synth_options synth;
    const char *output;
} synth_settings;

#define SYNTH(field) .target = offsetof(synth_settings, synth.field)

static const cli_option synth_options[] = {
    {.name = "output",
     .letter = 'o',
     .type = CLI_TEXT,
     .argument = "FILE",
     .target = offsetof(synth_settings, output),
     .required = true,
     .help = "corpus file to write (.ezc)"},
    {.name = "docs",
     .type = CLI_U64,
     .argument = "N",
     SYNTH(docs),
     .least = 1,
     .most = 4294967295.,
     .help = "number of documents"},
    {.name = "words",
     .type = CLI_U32,
     .argument = "N",
     SYNTH(words),
     .least = 1,
     .most = 1 << 28,
     .help = "number of words in the vocabulary"},
    {.name = "length",
     .type = CLI_POSITIVE,
     .argument = "TOKENS",
     SYNTH(mean_length),
     .help = "mean length of a document; lengths are log-normal"},
    {.name = "sigma",
     .type = CLI_REAL,
     .argument = "S",
     SYNTH(sigma),
     .most = 5,
     .help = "skew of the lengths, sigma of the log-normal distribution; 0: all lengths are equal"},
    {.name = "topics",
     .letter = 'k',
     .type = CLI_U32,
     .argument = "K",
     SYNTH(topics),
     .least = 1,
     .most = 65536,
     .help = "number of topics that the documents are drawn from"},
    {.name = "alpha",
     .type = CLI_POSITIVE,
     .argument = "A",
     SYNTH(alpha),
     .unset = "5/topics",
     .help = "Dirichlet parameter of each topic in a document"},
    {.name = "beta",
     .type = CLI_POSITIVE,
     .argument = "B",
     SYNTH(beta),
     .help = "concentration of a topic's words around their frequencies; smaller values give "
             "sharper topics"},
    {.name = "zipf",
     .type = CLI_REAL,
     .argument = "Z",
     SYNTH(zipf),
     .most = 10,
     .help = "exponent of the word frequencies"},
    {.name = "seed",
     .type = CLI_U64,
     .argument = "N",
     SYNTH(seed),
     .most = 1.8446744073709552e19,
     .help = "seed of the random numbers; the same seed and options give the same corpus on any "
             "machine"},
    {0}};

static const cli_section synth_sections[] = {
    {"Corpus", synth_options, 0}, {"General", cli_common_options, 0}, {0}};

static void synth_defaults(void *target)
{
    synth_settings *settings = target;
    ezlda_synth_options_init(&settings->synth);
}

static int run_synth(cli_call *call, ezlda_context *context)
{
    const synth_settings *settings = call->settings;
    int exit_status = output_check(call, "--output", settings->output);
    if (exit_status)
        return exit_status;
    ezlda_corpus *corpus;
    ezlda_status status = ezlda_corpus_synth(&corpus, context, &settings->synth);
    if (status != EZLDA_OK)
        return cli_fail_library(context, status);
    status = ezlda_corpus_save(context, corpus, settings->output);
    if (status != EZLDA_OK)
        exit_status = cli_fail_library(context, status);
    else if (!settings->common.quiet)
        cli_print_corpus(settings->output, corpus);
    ezlda_corpus_free(corpus);
    return exit_status;
}

const cli_command cmd_synth = {
    .name = "synth",
    .operands = "-o FILE [OPTION]...",
    .summary = "draw a synthetic corpus from the LDA generative process",
    .description = "Draws a corpus from the LDA generative process, with Zipf word frequencies and "
                   "skewed document lengths: for benchmarks, for tests, and to check whether "
                   "training finds the planted topics again.",
    .examples = "ezlda synth -o small.ezc --docs 2000 --words 5000 --length 100 --topics 20\n"
                "ezlda synth -o nytimes-like.ezc --docs 300000 --words 100000 --length 330 "
                "--topics 500 --seed 7",
    .sections = synth_sections,
    .settings_size = sizeof(synth_settings),
    .defaults = synth_defaults,
    .run = run_synth,
};
