/* Writes --summary, and prints the closing lines of a run. */
#include "output/train_report.h"

#include "cli.h"
#include "output/json_out.h"
#include "output/output_path.h"
#include "output/text_out.h"
#include "output/topic_list.h"
#include "platform.h"

#include <math.h>
#include <stdlib.h>

enum { CLOSING_TOPICS = 10, CLOSING_WORDS = 8 };

static double rate(double tokens, double seconds)
{
    return seconds > 0 ? tokens / seconds : 0;
}

/* ---- --summary ---- */

static void summary_llpt(json_out *json, const ezlda_model *model)
{
    json_key(json, "llpt");
    json_open(json, '[', false);
    uint32_t iteration;
    double seconds, llpt;
    for (size_t i = 0; ezlda_model_llpt(model, i, &iteration, &seconds, &llpt); i++) {
        json_open(json, '[', false);
        json_u64(json, iteration);
        json_real(json, seconds);
        json_real(json, llpt);
        json_close(json, ']');
    }
    json_close(json, ']');
}

static void write_summary(FILE *file, const ezlda_model *model, const ezlda_train_options *options)
{
    ezlda_model_info info = {.size = sizeof info};
    ezlda_model_get_info(model, &info);
    char hash[24];
    snprintf(hash, sizeof hash, "%016llx", (unsigned long long)info.topics_hash);
    double sampled = (double)info.doc_tokens * info.iterations_run;
    json_out json = {.file = file};
    json_open(&json, '{', true);
    json_put_u64(&json, "documents", info.docs);
    json_put_u64(&json, "words", info.words);
    json_put_u64(&json, "tokens", info.tokens);
    if (info.updates) {
        json_put_u64(&json, "document_tokens", info.doc_tokens);
        json_put_u64(&json, "updates", info.updates);
        json_put_u64(&json, "past_documents", info.past_docs);
    }
    json_put_u64(&json, "topics", info.topics);
    json_put_u64(&json, "iterations", info.iterations);
    json_put_real(&json, "seconds_sampling", info.seconds_sampling);
    json_put_real(&json, "tokens_per_second", rate(sampled, info.seconds_sampling));
    summary_llpt(&json, model);
    json_put_real(&json, "skipped", info.skipped);
    json_put_string(&json, "topics_hash", hash);
    json_put_u64(&json, "peak_rss_bytes", platform_peak_memory());
    json_put_u64(&json, "device_memory_peak_bytes", info.device_memory_peak_bytes);
    json_put_u64(&json, "chunks", info.chunks);
    json_put_real(&json, "seconds_tokens", info.seconds_tokens);
    json_put_real(&json, "seconds_open", info.seconds_open);
    json_put_real(&json, "seconds_setup", info.seconds_setup);
    json_put_real(&json, "seconds_checks", info.seconds_checks);
    json_put_u64(&json, "word_samples", info.word_samples);
    json_put_string(&json, "device", info.device);
    json_put_u64(&json, "threads", (uint64_t)info.threads);
    json_put_u64(&json, "seed", info.seed);
    json_put_real(&json, "alpha_sum", info.alpha_sum);
    json_put_real(&json, "beta", info.beta);
    json_put_string(&json, "stopped", info.stopped[0] ? info.stopped : NULL);
    json_put_string(&json, "estimator", train_estimators[info.estimator]);
    json_put_string(&json, "start", train_starts[info.start]);
    json_put_string(&json, "sampler", train_samplers[options->study->sampler]);
    json_key(&json, "g");
    if (options->study->g)
        json_u64(&json, (uint64_t)options->study->g);
    else
        json_string(&json, NULL); /* chosen by measurement */
    json_put_string(&json, "w_format", train_w_formats[options->study->w_format]);
    json_put_string(&json, "balance", train_balances[options->study->balance]);
    json_put_string(&json, "version", ezlda_version_string());
    json_close(&json, '}');
}

int report_summary(const char *path, const ezlda_model *model, const ezlda_train_options *options)
{
    platform_memory memory;
    if (!platform_memory_open(&memory))
        return cli_fail("not enough memory");
    write_summary(memory.file, model, options);
    int status = platform_memory_close(&memory) ? output_write(path, memory.bytes, memory.n)
                                                : cli_fail("not enough memory");
    free(memory.bytes);
    return status;
}

/* ---- closing lines ---- */

static void print_score(const ezlda_model *model, size_t count)
{
    uint32_t iteration;
    double seconds, llpt;
    if (count && ezlda_model_llpt(model, count - 1, &iteration, &seconds, &llpt))
        printf(", LLPT %.4f", llpt);
}

static void print_written(const char *path)
{
    platform_info info;
    char size[32];
    cli_text name = {0};
    text_shown(&name, path);
    printf("%s", name.data);
    if (platform_look(path, &info) == 0 && info.is_regular)
        printf(": %s", text_bytes(info.bytes, size));
    putchar('\n');
    text_free(&name);
}

void report_closing(const char *path, const ezlda_model *model, ezlda_context *context)
{
    ezlda_model_info info = {.size = sizeof info};
    ezlda_model_get_info(model, &info);
    char number[32];
    double sampled = (double)info.doc_tokens * info.iterations_run;
    printf("%u topics, %u iterations, %.1f s of sampling (%s tokens/s on %s)", info.topics,
           info.iterations, info.seconds_sampling,
           text_short(rate(sampled, info.seconds_sampling), number), info.device);
    print_score(model, info.llpt_count);
    putchar('\n');
    print_written(path);
    uint32_t shown = info.topics < CLOSING_TOPICS ? info.topics : CLOSING_TOPICS;
    if (shown < info.topics)
        printf("\nThe %u largest topics:\n", shown);
    else
        putchar('\n');
    topic_list_largest(model, context, shown, CLOSING_WORDS);
}
