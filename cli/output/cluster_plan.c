/* Forecasts for several GPUs and machines: the forecast of one device, then that of all, printed as
 * text or JSON. */
#include "output/cluster_plan.h"

#include "output/json_out.h"
#include "output/text_out.h"

#include <stdio.h>
#include <string.h>

const char *plan_seconds(double seconds, char buffer[32])
{
    if (seconds >= 60)
        return text_seconds(seconds, buffer);
    snprintf(buffer, 32, seconds < 1 ? "%.3g ms" : "%.3g s",
             seconds < 1 ? 1000 * seconds : seconds);
    return buffer;
}

/* ---- the forecast of one device ---- */

/* The GPU of this machine that a trial would use. */
typedef struct gpu_here {
    const char *wanted; /* "cuda:N", or NULL: the first usable one */
    bool found;
    char name[128];
    uint64_t memory;
} gpu_here;

static void note_gpu(const ezlda_device *device, void *user)
{
    gpu_here *gpu = user;
    if (gpu->found || !device->usable || strncmp(device->device, "cuda", 4) != 0)
        return;
    if (gpu->wanted && strcmp(device->device, gpu->wanted) != 0)
        return;
    gpu->found = true;
    memcpy(gpu->name, device->name, sizeof gpu->name);
    gpu->memory = device->memory_free_bytes;
}

static ezlda_status find_gpu(gpu_here *gpu, ezlda_context *context, const char *device)
{
    *gpu = (gpu_here){.wanted = device && strchr(device, ':') ? device : NULL};
    return ezlda_devices(NULL, context, note_gpu, gpu);
}

static bool wants_trial(const cluster_settings *s, const char *device, const gpu_here *gpu)
{
    if (cluster_is_described(s) || s->tokens_per_second > 0)
        return false;
    return !s->gpus || gpu->found || (device && strcmp(device, "auto") != 0);
}

/* If a GPU is named, there is a trial even if it can only report why the GPU cannot be used. */
static ezlda_status plan_one(ezlda_plan *plan, ezlda_context *context, const cluster_settings *s,
                             const ezlda_corpus *corpus, const ezlda_train_options *options,
                             double seconds, bool trial)
{
    *plan = (ezlda_plan){.size = sizeof *plan,
                         .docs = s->docs,
                         .words = s->words,
                         .tokens = s->tokens,
                         .several = 1};
    if (trial)
        return ezlda_train_plan(plan, context, corpus, options, seconds);
    return ezlda_plan_untried(plan, context, corpus, options, s->tokens_per_second);
}

static void describe_cluster(ezlda_cluster *cluster, const cluster_settings *s,
                             const ezlda_plan *plan, const gpu_here *gpu, uint64_t device_memory)
{
    ezlda_cluster_init(cluster);
    cluster->machines = s->machines;
    cluster->gpus = s->gpus || strncmp(plan->device, "cuda", 4) != 0 ? s->gpus : 1;
    cluster->gpu = plan->tried ? gpu->name : NULL;
    cluster->network = (double)s->network / 8;
    cluster->link = (double)s->link;
    cluster->device_memory = device_memory ? device_memory : plan->tried ? gpu->memory : 0;
}

/* ---- output ---- */

/* A forecast to print. */
typedef struct shown_plan {
    const ezlda_plan *one;
    const ezlda_cluster *cluster;
    const ezlda_cluster_plan *all;
    const cluster_settings *settings;
    char source[128]; /* where the figures of one device come from */
} shown_plan;

static double communication(const ezlda_cluster_plan *p)
{
    return p->seconds_iteration > 0 ? (p->seconds_link + p->seconds_network) / p->seconds_iteration
                                    : 0;
}

static void name_source(shown_plan *shown)
{
    const ezlda_plan *one = shown->one;
    if (one->tried)
        snprintf(shown->source, sizeof shown->source, "a trial of %u iterations on %s", one->tried,
                 one->device);
    else if (one->sample_tokens)
        snprintf(shown->source, sizeof shown->source,
                 "a trial on a sample: there is not enough memory for the corpus");
    else if (shown->settings->tokens_per_second > 0)
        snprintf(shown->source, sizeof shown->source, "the speed given, steps as on an H200");
    else
        snprintf(shown->source, sizeof shown->source, "measurements on an H200");
}

static void print_json(const shown_plan *shown)
{
    const ezlda_cluster_plan *p = shown->all;
    json_out json = {.file = stdout};
    json_open(&json, '{', true);
    json_put_u64(&json, "documents", shown->one->docs);
    json_put_u64(&json, "words", shown->one->words);
    json_put_u64(&json, "tokens", shown->one->tokens);
    json_put_u64(&json, "topics", shown->one->topics);
    json_put_u64(&json, "dense_words", shown->one->dense_words);
    json_put_u64(&json, "iterations", shown->one->iterations);
    json_put_string(&json, "source", shown->source);
    json_put_u64(&json, "iterations_tried", shown->one->tried);
    json_put_u64(&json, "machines", shown->cluster->machines);
    json_put_u64(&json, "gpus", shown->cluster->gpus);
    json_put_u64(&json, "shards", p->shards);
    json_put_u64(&json, "shard_tokens", p->shard_tokens);
    json_put_u64(&json, "host_bytes", p->host_bytes);
    json_put_u64(&json, "device_bytes", p->device_bytes);
    json_put_u64(&json, "chunks", p->chunks);
    json_put_real(&json, "network_bytes_per_second", p->network);
    json_put_real(&json, "link_bytes_per_second", p->link);
    json_put_real(&json, "seconds_one_device", shown->one->seconds_iteration);
    json_put_real(&json, "seconds_repeated", shown->one->seconds_repeated);
    json_put_real(&json, "seconds_iteration", p->seconds_iteration);
    json_put_real(&json, "seconds_work", p->seconds_work);
    json_put_real(&json, "seconds_link", p->seconds_link);
    json_put_real(&json, "seconds_network", p->seconds_network);
    json_put_real(&json, "communication_share", communication(p));
    json_close(&json, '}');
}

static void print_memory(const shown_plan *shown)
{
    const ezlda_cluster_plan *p = shown->all;
    char a[32], b[32];
    if (shown->cluster->gpus) {
        printf("each GPU           %s tokens, %s of its memory",
               text_short((double)p->shard_tokens, a), text_bytes(p->device_bytes, b));
        if (p->chunks > 1)
            printf(", in %u chunks", p->chunks);
        putchar('\n');
    } else {
        printf("each machine       %s tokens\n", text_short((double)p->shard_tokens, a));
    }
    printf("host memory        at least %s in each machine\n", text_bytes(p->host_bytes, a));
}

static void print_time(const shown_plan *shown)
{
    const ezlda_cluster_plan *p = shown->all;
    char a[32], b[32];
    printf("an iteration       %s (%s tokens/s)\n", plan_seconds(p->seconds_iteration, a),
           text_short((double)shown->one->tokens / p->seconds_iteration, b));
    printf("  own work         %s\n", plan_seconds(p->seconds_work, a));
    if (shown->cluster->gpus > 1)
        printf("  between GPUs     %s, at %s/s\n", plan_seconds(p->seconds_link, a),
               text_bytes((uint64_t)p->link, b));
    if (p->network > 0)
        printf("  between machines %s, at %s/s, through the hosts\n",
               plan_seconds(p->seconds_network, a), text_bytes((uint64_t)p->network, b));
    printf("  communication    %.0f %% of it\n", 100 * communication(p));
    printf("one device         %s if all fits there: %.3g times as fast on %u\n",
           plan_seconds(shown->one->seconds_iteration, a),
           shown->one->seconds_iteration / p->seconds_iteration, p->shards);
    printf("%-5u iterations   %s, without reading, setting up and scores\n", shown->one->iterations,
           plan_seconds(p->seconds_iteration * shown->one->iterations, a));
}

static void print_text(const shown_plan *shown)
{
    print_memory(shown);
    print_time(shown);
    printf("from %s, and a model of the rest\n", shown->source);
}

/* ---- all together ---- */

static ezlda_status plan_all(shown_plan *shown, ezlda_context *context, ezlda_plan *one,
                             ezlda_cluster *cluster, ezlda_cluster_plan *all,
                             const ezlda_corpus *corpus, const ezlda_train_options *options,
                             double seconds)
{
    const cluster_settings *s = shown->settings;
    gpu_here gpu;
    ezlda_status status = find_gpu(&gpu, context, options->device);
    if (status == EZLDA_OK)
        status = plan_one(one, context, s, corpus, options, seconds,
                          wants_trial(s, options->device, &gpu));
    if (status != EZLDA_OK)
        return status;
    describe_cluster(cluster, s, one, &gpu, options->device_memory);
    return ezlda_plan_cluster(all, context, one, cluster);
}

int cluster_run(cli_call *call, ezlda_context *context, const cluster_settings *settings,
                const ezlda_import_options *import, const ezlda_train_options *options,
                double seconds, bool json)
{
    ezlda_corpus *corpus = NULL;
    ezlda_plan one;
    ezlda_cluster cluster;
    ezlda_cluster_plan all = {.size = sizeof all};
    shown_plan shown = {&one, &cluster, &all, settings, ""};
    ezlda_status status = EZLDA_OK;
    if (call->n_operands)
        status = cli_read_corpus(&corpus, context, call, import);
    if (status == EZLDA_OK)
        status = plan_all(&shown, context, &one, &cluster, &all, corpus, options, seconds);
    ezlda_corpus_free(corpus);
    if (status != EZLDA_OK)
        return cli_fail_library(context, status);
    name_source(&shown);
    if (json)
        print_json(&shown);
    else
        print_text(&shown);
    return CLI_SUCCESS;
}
