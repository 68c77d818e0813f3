/* ezlda tree: merges topics two by two, prints the tree, and cuts models from it. */
#include "cli.h"
#include "output/output_path.h"
#include "output/tree_view.h"

#include <string.h>

typedef struct tree_settings {
    cli_common common;
    tree_view_settings view;
    const char *output, *corpus;
    uint32_t cut, refine;
} tree_settings;

#define SETTING(field) .target = offsetof(tree_settings, field)

static const cli_option tree_options[] = {
    {.name = "cut",
     .type = CLI_U32,
     .argument = "K",
     SETTING(cut),
     .least = 2,
     .most = 65536,
     .unset = "none",
     .help = "write the model with this number of topics to the file of --output"},
    {.name = "refine",
     .type = CLI_U32,
     .argument = "N",
     SETTING(refine),
     .least = 1,
     .most = 100000,
     .unset = "none",
     .help = "with --cut: train the model for N more iterations, from its topics on"},
    {.name = "corpus",
     .type = CLI_TEXT,
     .argument = "FILE",
     SETTING(corpus),
     .help = "with --refine: the corpus file that the model was trained on"},
    {.name = "output",
     .letter = 'o',
     .type = CLI_TEXT,
     .argument = "FILE",
     SETTING(output),
     .help = "write the model of --cut, or the whole tree as JSON, to this file"},
    {.name = "top",
     .type = CLI_U32,
     .argument = "N",
     SETTING(view.top),
     .least = 1,
     .most = 65536,
     .help = "print the tree down to N bundles"},
    {.name = "words",
     .letter = 'n',
     .type = CLI_U32,
     .argument = "N",
     SETTING(view.words),
     .least = 1,
     .most = EZLDA_TREE_MOST_WORDS,
     .help = "words of each bundle: those that tell it from its sibling"},
    {.name = "curve",
     .type = CLI_FLAG,
     SETTING(view.curve),
     .help = "print the loss for each number of topics instead, tab-separated"},
    {0}};

static const cli_section tree_sections[] = {
    {"Tree", tree_options, 0}, {"General", cli_common_options, 0}, {0}};

static void tree_defaults(void *target)
{
    tree_settings *settings = target;
    ezlda_tree_options options;
    ezlda_tree_options_init(&options);
    settings->view.words = options.words;
    settings->view.top = 20;
}

static int check_options(const cli_call *call)
{
    const tree_settings *s = call->settings;
    if (s->cut && !s->output)
        return cli_misuse(call->command, "--cut writes a model: expected -o FILE");
    if (s->refine && (!s->cut || !s->corpus))
        return cli_misuse(call->command, "--refine: expected --cut K and --corpus FILE");
    if (s->corpus && !s->refine)
        return cli_misuse(call->command, "--corpus means nothing without --refine");
    if (s->view.curve && s->output)
        return cli_misuse(call->command, "--curve prints: --output means nothing");
    return output_check(call, "--output", s->output);
}

/* Trains a cut for more iterations; *model is replaced. */
static ezlda_status refine(const tree_settings *s, ezlda_context *context, ezlda_model **model)
{
    ezlda_corpus *corpus = NULL;
    ezlda_model *refined = NULL;
    ezlda_train_options train;
    ezlda_model_info info = {.size = sizeof info};
    ezlda_status status = ezlda_corpus_read(&corpus, context, &s->corpus, 1, NULL);
    if (status != EZLDA_OK)
        return status;
    ezlda_model_get_info(*model, &info);
    ezlda_train_options_init(&train);
    train.topics = s->cut;
    train.iterations = s->refine;
    train.init = *model;
    train.seed = info.seed;
    train.estimator = info.estimator;
    train.keep_topics = info.has_topics;
    status = ezlda_train(&refined, context, corpus, &train);
    ezlda_corpus_free(corpus);
    if (status != EZLDA_OK)
        return status;
    ezlda_model_free(*model);
    *model = refined;
    return EZLDA_OK;
}

static ezlda_status write_cut(const tree_settings *s, ezlda_context *context,
                              const ezlda_tree *tree)
{
    ezlda_model *cut = NULL;
    ezlda_status status = ezlda_tree_cut(&cut, context, tree, s->cut);
    if (status == EZLDA_OK && s->refine)
        status = refine(s, context, &cut);
    if (status == EZLDA_OK)
        status = ezlda_model_save(context, cut, s->output);
    if (status == EZLDA_OK && !s->common.quiet) {
        ezlda_tree_node node = {.size = sizeof node};
        ezlda_tree_get_node(tree, ezlda_tree_nodes(tree) - s->cut, &node);
        fprintf(cli_closing(), "%s: %u topics; merging lost %.4g nats per token%s\n", s->output,
                s->cut, tree_view_loss_per_token(tree, &node),
                s->refine ? ", before --refine" : "");
    }
    ezlda_model_free(cut);
    return status;
}

static int run_tree(cli_call *call, ezlda_context *context)
{
    const tree_settings *s = call->settings;
    ezlda_model *model = NULL;
    ezlda_tree *tree = NULL;
    ezlda_tree_options options;
    int exit_status = check_options(call);
    if (exit_status)
        return exit_status;
    ezlda_tree_options_init(&options);
    options.words = s->view.words;
    ezlda_status status = cli_load_model(&model, context, call);
    if (status == EZLDA_OK)
        status = ezlda_tree_make(&tree, context, model, &options);
    if (status == EZLDA_OK && s->cut)
        status = write_cut(s, context, tree);
    if (status == EZLDA_OK && !s->cut)
        exit_status = tree_view_show(&s->view, model, tree, s->output, s->common.quiet);
    if (status != EZLDA_OK)
        exit_status = cli_fail_library(context, status);
    ezlda_tree_free(tree);
    ezlda_model_free(model);
    return exit_status;
}

const cli_command cmd_tree = {
    .name = "tree",
    .operands = "MODEL [OPTION]...",
    .summary = "merge topics into a tree, and cut models with fewer topics from it",
    .description =
        "Merges the two topics whose merge loses least of the likelihood of the words, again and "
        "again, until one is left. Prints the last merges, indented: the largest bundles, their "
        "tokens, and the words that tell each from its sibling. With --cut, writes the model of "
        "one level, which infer, eval, report, export and train --init accept like any other.\n\n"
        "A cut needs no training and keeps the topics nested: those of a coarser cut contain those "
        "of a finer one. --refine trains it further, which fits it better and ends the nesting.",
    .examples = "ezlda tree news.ezm\nezlda tree news.ezm -o tree.json\n"
                "ezlda tree news.ezm --cut 50 -o news50.ezm\n"
                "ezlda tree news.ezm --cut 50 --refine 100 --corpus news.ezc -o news50.ezm",
    .sections = tree_sections,
    .settings_size = sizeof(tree_settings),
    .defaults = tree_defaults,
    .run = run_tree,
    .min_operands = 1,
    .max_operands = 1,
    .operand_name = "model",
};
