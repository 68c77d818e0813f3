/* ezlda train: reads a corpus, trains a model, writes it. */
#include "cli.h"
#include "interrupts.h"
#include "options/sampling_options.h"
#include "options/train_choices.h"
#include "options/train_settings.h"
#include "output/next_steps.h"
#include "output/text_out.h"
#include "output/train_watch.h"

#include <stdio.h>
#include <stdlib.h>

static const cli_section train_sections[] = {
    {"Output", train_output_options, 0},
    {"", train_keep_options, 0},
    {"", train_sample_options, 0},
    {"Model", train_topics_options, 0},
    {"", train_model_options, 0},
    {"", train_prior_options, 0},
    {"", train_seed_options, 0},
    {"", train_continue_options, 0},
    {"Speed (the model does not depend on these)", train_speed_options, 0},
    {train_study_title, train_study_options, 0},
    {"Larger than memory", train_memory_options, 0},
    {"Reports", train_score_options, 0},
    {"", train_report_options, 0},
    {"", train_live_options, 0},
    {"Checkpoints", train_checkpoint_options, 0},
    {"Reading raw corpora", cli_import_options, offsetof(train_settings, import)},
    {"Word filters", cli_filter_options, offsetof(train_settings, import)},
    {"General", cli_common_options, 0},
    {0}};

/* In an MPI job only rank 0, the root, prints and writes files. Returns whether this is rank 0. */
static bool begin_rank(train_settings *settings, ezlda_context *context)
{
    ezlda_group *group = settings->train.group;
    int rank = ezlda_group_rank(group), ranks = ezlda_group_ranks(group);
    cli_name_rank(rank, ranks);
    if (rank > 0) {
        settings->common.quiet = 1;
        settings->log = settings->summary = NULL;
        ezlda_context_set_notes(context, NULL, NULL);
    } else if (group && !settings->common.quiet) {
        fprintf(stderr, "%d ranks, %s\n", ranks, ezlda_group_library(group));
    }
    return rank == 0;
}

static void use_chosen_topics(train_settings *settings, const ezlda_corpus *corpus)
{
    ezlda_corpus_info info = {.size = sizeof info};
    char docs[32];
    ezlda_corpus_get_info(corpus, &info);
    settings->train.topics = choose_topics(corpus);
    if (!settings->common.quiet)
        fprintf(cli_closing(),
                "%u topics, chosen for %s documents (-k sets another number; ezlda sweep compares "
                "several)\n",
                settings->train.topics, text_count(info.docs - info.empty_docs, docs));
}

/* Replaces the model by a copy that keeps samples. An interrupt while they are drawn leaves the
 * model without them. */
static ezlda_status keep_samples(ezlda_model **model, train_settings *settings,
                                 const ezlda_corpus *corpus, ezlda_context *context)
{
    sampling_settings sampling;
    ezlda_samples *samples = NULL;
    ezlda_model *with = NULL;
    bool shown;
    sampling_defaults(&sampling);
    sampling.sampling.samples = settings->samples;
    sampling.sampling.seed = settings->train.seed;
    sampling_watch(&sampling, &shown, settings->common.quiet);
    ezlda_status status = ezlda_samples_draw(&samples, context, *model, corpus, &sampling.sampling);
    sampling_watched(&shown);
    if (status == EZLDA_OK)
        status = ezlda_model_with_samples(&with, context, *model, samples);
    ezlda_samples_free(samples);
    if (status == EZLDA_ERROR_STOPPED) {
        cli_note(EZLDA_NOTE_WARNING, "interrupted: the model is written without samples", NULL);
        return EZLDA_OK;
    }
    if (status != EZLDA_OK)
        return status;
    ezlda_model_free(*model);
    *model = with;
    return EZLDA_OK;
}

static int run_train(cli_call *call, ezlda_context *context)
{
    train_settings *settings = call->settings;
    ezlda_train_options *options = &settings->train;
    train_inputs inputs = {0};
    train_watch watch = {0};
    ezlda_corpus *corpus = NULL;
    ezlda_model *model = NULL;
    bool is_root = true;
    char *chosen_name = NULL;
    int exit_status = CLI_SUCCESS;

    ezlda_status status = ezlda_group_open(&options->group, context, NULL);
    if (status != EZLDA_OK)
        goto done;
    interrupts_begin(); /* MPI libraries install signal handlers of their own */
    is_root = begin_rank(settings, context);

    settings->choose_topics = 1;
    if (settings->report)
        settings->import.keep_text = EZLDA_KEEP_TEXT_AUTO;
    if (!settings->output)
        settings->output = chosen_name = choose_name(call, ".ezm");
    if (is_root)
        exit_status = train_watch_check(call, call, settings);
    if (!exit_status)
        exit_status = train_inputs_open(&inputs, call, settings, context);
    if (exit_status)
        goto done;

    if (!options->out_of_core) /* an out-of-core run uses the CPU only */
        status = ezlda_context_open_device(context, options->device);
    if (status == EZLDA_OK)
        status = cli_read_corpus(&corpus, context, call, &settings->import);
    if (status != EZLDA_OK)
        goto done;
    if (!settings->common.quiet)
        cli_print_corpus(call->operands[0], corpus);
    if (!options->topics)
        use_chosen_topics(settings, corpus);
    fflush(stdout);
    train_advise_alpha(settings, corpus);

    exit_status = train_watch_open(&watch, settings, context, is_root);
    if (exit_status)
        goto done;
    status = ezlda_train(&model, context, corpus, options);
    train_watch_end(&watch);
    if (status == EZLDA_OK && model && settings->samples) /* only the root has a model */
        status = keep_samples(&model, settings, corpus, context);
    if (status == EZLDA_OK && model) /* only the root has one */
        exit_status = train_watch_save(settings, model, corpus, call->operands[0], context);
    if (status == EZLDA_OK && model && !exit_status && !settings->common.quiet &&
        cli_closing() == stdout)
        next_steps_print(call, settings->output, settings->report, model);

done:
    if (status != EZLDA_OK)
        exit_status = train_watch_failure(context, status, is_root);
    exit_status = train_watch_close(&watch, exit_status);
    ezlda_model_free(model);
    ezlda_corpus_free(corpus);
    train_inputs_close(&inputs);
    free(chosen_name);
    if (exit_status == CLI_FAILURE || exit_status == CLI_USAGE)
        ezlda_group_fail(options->group); /* ends the whole job */
    ezlda_group_close(options->group);
    return exit_status;
}

/* What most people use. */
static const char *const train_first[] = {
    "output",      "report", "live",      "topics",     "iterations", "seed",    "alpha",
    "init",        "seeds",  "device",    "checkpoint", "resume",     "format",  "text-field",
    "keep-fields", "split",  "stopwords", "stemmer",    "lemmas",     "phrases", "min-docs",
    "quiet",       "help",   "help-all",  NULL};

const cli_command cmd_train = {
    .name = "train",
    .operands = "CORPUS... [-k K] [-o MODEL]",
    .summary = "train a model",
    .description =
        "Trains a topic model on a corpus: a corpus file made by import, or any input that import "
        "reads, with the same options. Without -k the number of topics follows the number of "
        "documents: 5 below 100, 10 below 1,000, 20 below 10,000, 50 below 100,000, 100 below a "
        "million, then 200, with at least 500 tokens per topic. The model depends on the corpus as "
        "it is read and on the "
        "options under Model; with --until-converged it also depends on --eval-every. All other "
        "options change only how long the run takes, what it reports and what the model file "
        "keeps.\n\n"
        "On a terminal, one line shows the progress; otherwise a line is printed for each score, "
        "or every ten seconds. An interrupt (Ctrl-C, SIGTERM, or SIGHUP from a closed terminal) "
        "ends the run after the current iteration: the model so far is written, and the exit "
        "status is 0. A second Ctrl-C or SIGTERM ends the program at once. With --checkpoint, "
        "SIGTERM and SIGHUP write a checkpoint instead of a model, and the exit status is 143 or "
        "129. SIGHUP is ignored when running under nohup.",
    .examples = "ezlda train reviews.txt --report reviews.html\n"
                "ezlda train kos.ezc -k 100 -o kos.ezm\n"
                "ezlda train docword.kos.txt.gz -k 100 -i 500 --seed 7 -o kos.ezm\n"
                "ezlda train news.ezc -k 200 --fixed-priors --alpha 0.1 --beta 0.01 -o news.ezm\n"
                "ezlda train news-grown.ezc --init news.ezm -i 50 -o news2.ezm\n"
                "ezlda train big.ezc -k 5000 --eval-every 0 --quiet --summary run.json -o big.ezm",
    .sections = train_sections,
    .settings_size = sizeof(train_settings),
    .defaults = train_defaults,
    .run = run_train,
    .first_options = train_first,
    .min_operands = 1,
    .max_operands = (size_t)-1,
    .operand_name = "corpus",
};
