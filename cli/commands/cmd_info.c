/* ezlda info: prints the facts of a corpus or a model, as a table or as JSON. */
#include "cli.h"
#include "output/json_out.h"
#include "output/text_out.h"
#include "output/text_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct info_settings {
    cli_common common;
    ezlda_import_options import;
    int json;
} info_settings;

static const cli_option info_options[] = {{.name = "json",
                                           .type = CLI_FLAG,
                                           .target = offsetof(info_settings, json),
                                           .help = "print one JSON object"},
                                          {0}};

static const cli_section info_sections[] = {
    {"Output", info_options, 0},
    {"Reading raw corpora", cli_import_options, offsetof(info_settings, import)},
    {"Word filters", cli_filter_options, offsetof(info_settings, import)},
    {"General", cli_common_options, 0},
    {0}};

static void info_defaults(void *target)
{
    info_settings *settings = target;
    ezlda_import_options_init(&settings->import);
}

/* ---- facts: a name and a value, as JSON or as a table ---- */

typedef struct facts {
    json_out json;
    cli_table *table; /* NULL: JSON */
} facts;

static const cli_column fact_columns[] = {{"", false, 0}, {"", false, 0}};

static facts facts_open(bool json)
{
    facts f = {.json = {.file = stdout}};
    if (json)
        json_open(&f.json, '{', true);
    else
        f.table = table_open(fact_columns, 2);
    return f;
}

static void facts_close(facts *f)
{
    if (f->table)
        table_close(f->table);
    else
        json_close(&f->json, '}');
}

static void fact_name(facts *f, const char *name)
{
    if (!f->table) {
        json_key(&f->json, name);
        return;
    }
    char shown[64];
    snprintf(shown, sizeof shown, "%s", name);
    for (char *c = shown; *c; c++)
        *c = *c == '_' ? ' ' : *c;
    table_cell(f->table, "%s", shown);
}

static void fact_count(facts *f, const char *name, uint64_t value)
{
    char text[32];
    fact_name(f, name);
    if (f->table)
        table_cell(f->table, "%s", text_count(value, text));
    else
        json_u64(&f->json, value);
}

static void fact_real(facts *f, const char *name, double value)
{
    fact_name(f, name);
    if (f->table)
        table_cell(f->table, "%.6g", value);
    else
        json_real(&f->json, value);
}

static void fact_text(facts *f, const char *name, const char *value)
{
    fact_name(f, name);
    if (f->table)
        table_string(f->table, value);
    else
        json_string(&f->json, value);
}

static void fact_hash(facts *f, const char *name, uint64_t hash)
{
    char text[24];
    snprintf(text, sizeof text, "%016llx", (unsigned long long)hash);
    fact_text(f, name, text);
}

static void fact_rules(facts *f, const ezlda_text_rules *rules)
{
    char text[256];
    ezlda_text_rules_describe(rules, text, sizeof text);
    if (rules)
        fact_text(f, "text_read_with", text);
}

/* ---- corpora ---- */

static void print_fields(facts *f, const ezlda_corpus *corpus, uint32_t n)
{
    if (!f->table) {
        json_key(&f->json, "fields");
        json_open(&f->json, '[', false);
        for (uint32_t i = 0; i < n; i++)
            json_string(&f->json, ezlda_corpus_field(corpus, i));
        json_close(&f->json, ']');
        return;
    }
    cli_text line = {0};
    for (uint32_t i = 0; i < n; i++)
        text_printf(&line, "%s%s", i ? ", " : "", ezlda_corpus_field(corpus, i));
    fact_text(f, "fields", line.data ? line.data : "none");
    text_free(&line);
}

static void print_corpus(const ezlda_corpus *corpus, bool json)
{
    ezlda_corpus_info info = {.size = sizeof info};
    ezlda_corpus_get_info(corpus, &info);
    facts f = facts_open(json);
    fact_text(&f, "kind", "corpus");
    fact_count(&f, "documents", info.docs);
    fact_count(&f, "empty_documents", info.empty_docs);
    fact_count(&f, "words", info.words);
    fact_count(&f, "tokens", info.tokens);
    fact_count(&f, "pairs", info.pairs);
    fact_real(&f, "mean_length", info.docs ? (double)info.tokens / (double)info.docs : 0);
    fact_count(&f, "longest", info.longest);
    fact_text(&f, "word_order", info.has_order ? "kept" : "not kept");
    fact_text(&f, "text", info.has_text ? "kept" : "not kept");
    fact_count(&f, "bytes", info.bytes);
    fact_hash(&f, "hash", info.hash);
    print_fields(&f, corpus, info.fields);
    fact_rules(&f, ezlda_corpus_text_rules(corpus));
    facts_close(&f);
}

/* ---- models ---- */

static void print_model(const ezlda_model *model, bool json)
{
    ezlda_model_info info = {.size = sizeof info};
    ezlda_model_get_info(model, &info);
    facts f = facts_open(json);
    fact_text(&f, "kind", "model");
    fact_count(&f, "topics", info.topics);
    fact_count(&f, "documents", info.docs);
    fact_count(&f, "words", info.words);
    fact_count(&f, "tokens", info.tokens);
    if (info.updates) {
        fact_count(&f, "document_tokens", info.doc_tokens);
        fact_count(&f, "updates", info.updates);
        fact_count(&f, "past_documents", info.past_docs);
    }
    if (info.members)
        fact_count(&f, "members", info.members);
    fact_count(&f, "iterations", info.iterations);
    fact_count(&f, "seed", info.seed);
    fact_real(&f, "alpha_sum", info.alpha_sum);
    fact_real(&f, "beta", info.beta);
    fact_text(&f, "estimator", info.estimator == EZLDA_ESCA ? "esca" : "leave-one-out");
    fact_text(&f, "device", info.device);
    fact_count(&f, "threads", (uint64_t)info.threads);
    fact_real(&f, "seconds_sampling", info.seconds_sampling);
    fact_real(&f, "skipped", info.skipped);
    fact_real(&f, "moved", info.moved);
    uint32_t iteration;
    double seconds, llpt;
    if (info.llpt_count &&
        ezlda_model_llpt(model, info.llpt_count - 1, &iteration, &seconds, &llpt))
        fact_real(&f, "llpt", llpt);
    fact_hash(&f, "topics_hash", info.topics_hash);
    fact_hash(&f, "corpus_hash", info.corpus_hash);
    fact_text(&f, "token_topics", info.has_topics ? "kept" : "not kept");
    fact_rules(&f, ezlda_model_text_rules(model));
    facts_close(&f);
}

static int run_info(cli_call *call, ezlda_context *context)
{
    const info_settings *settings = call->settings;
    if (call->n_operands == 1 && cli_is_model(call->operands[0])) {
        ezlda_model *model;
        ezlda_status status = ezlda_model_load(&model, context, call->operands[0]);
        if (status != EZLDA_OK)
            return cli_fail_library(context, status);
        print_model(model, settings->json);
        ezlda_model_free(model);
        return CLI_SUCCESS;
    }
    ezlda_corpus *corpus;
    ezlda_status status = cli_read_corpus(&corpus, context, call, &settings->import);
    if (status != EZLDA_OK)
        return cli_fail_library(context, status);
    print_corpus(corpus, settings->json);
    ezlda_corpus_free(corpus);
    return CLI_SUCCESS;
}

/* What most people use. */
static const char *const info_first[] = {"json",  "format", "text-field", "stopwords",
                                         "quiet", "help",   "help-all",   NULL};

const cli_command cmd_info = {
    .name = "info",
    .operands = "FILE...",
    .summary = "describe a corpus (any format) or a model",
    .description =
        "Describes a model, or one or more inputs read as one corpus: a corpus file or any raw "
        "format. The whole file is read and checked, so this also detects damage.",
    .examples = "ezlda info kos.ezc\nezlda info articles.ezm --json",
    .sections = info_sections,
    .settings_size = sizeof(info_settings),
    .defaults = info_defaults,
    .run = run_info,
    .first_options = info_first,
    .min_operands = 1,
    .max_operands = (size_t)-1,
    .operand_name = "corpus or model",
};
