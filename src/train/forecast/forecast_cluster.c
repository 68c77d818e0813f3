/* The forecast of a run on several devices: passes the sizes of a corpus and the times of one
 * device to the model of scale_model.c. */
#include "base/memory.h"
#include "base/options_struct.h"
#include "tokens/corpus_totals.h"
#include "train/forecast/scale_model.h"
#include "train/train_options.h"

#include <math.h>
#include <string.h>

/* The share of the nominal bandwidth of a network or a link that reaches the data (assumed, not
 * measured). */
static const double EZ_REACHED = 0.8;
/* An H200: the measured bandwidth between it and its host, and its memory. */
static const double EZ_HOST_LINK = 55.3e9;
static const uint64_t EZ_DEVICE_MEMORY = 141000000000;
/* When counts are summed, rows of words with more tokens than EZ_SPARSE_MOST are dense; above
 * K = 8,192 words with up to EZ_RARE_MOST tokens get no table. */
enum { EZ_SPARSE_MOST = 65535, EZ_RARE_MOST = 240 };
/* Kernels count tokens in 32 bits (cuda_memory.c). */
static const uint64_t EZ_SHARD_TOKENS = UINT32_MAX - (1u << 24);
/* The share of preparing words in the work that every shard repeats (measured on an H200). */
static const double EZ_PREPARE_SHARE = 0.15;

static const char EZ_KNOWN_GPU[] = "NVIDIA H200";

/* ---- words ---- */

static uint64_t sparse_most(uint32_t topics)
{
    return topics < EZ_SPARSE_MOST ? topics : EZ_SPARSE_MOST;
}

/* Words with more tokens than `than`, and the tokens of the others. */
static void count_frequent(const ez_totals *totals, uint64_t than, uint32_t *frequent,
                           uint64_t *others)
{
    *frequent = 0;
    *others = 0;
    for (uint32_t v = 0; v < totals->words; v++) {
        *frequent += totals->frequency[v] > than;
        *others += totals->frequency[v] > than ? 0 : totals->frequency[v];
    }
}

static void set_words(ezlda_plan *forecast, const ez_totals *totals, uint32_t topics)
{
    forecast->topics = topics;
    if (totals)
        count_frequent(totals, sparse_most(topics), &forecast->dense_words,
                       &forecast->sparse_tokens);
    else
        ez_scale_zipf(forecast->tokens, forecast->words, sparse_most(topics),
                      &forecast->dense_words, &forecast->sparse_tokens);
}

ezlda_status ez_forecast_count_words(ezlda_plan *forecast, ezlda_context *context,
                                     const ezlda_corpus *corpus, uint32_t topics)
{
    ez_totals totals = {0};
    ezlda_status status = ez_corpus_totals(&totals, context, corpus, 0, forecast->docs);
    if (status == EZLDA_OK)
        set_words(forecast, &totals, topics);
    ez_totals_free(&totals);
    return status;
}

/* ---- without a trial ---- */

static ez_scale_corpus corpus_of(const ezlda_plan *forecast)
{
    return (ez_scale_corpus){
        .docs = forecast->docs,
        .tokens = forecast->tokens,
        .words = forecast->words,
        .topics = forecast->topics,
        .dense_words = forecast->dense_words,
        .sparse_tokens = forecast->sparse_tokens,
    };
}

static void set_known_seconds(ezlda_plan *forecast, const ez_totals *totals,
                              double tokens_per_second)
{
    ez_scale_corpus corpus = corpus_of(forecast);
    ez_scale_steps steps;
    uint32_t frequent;
    uint64_t others;
    if (totals)
        count_frequent(totals, EZ_RARE_MOST, &frequent, &others);
    else
        ez_scale_zipf(forecast->tokens, forecast->words, EZ_RARE_MOST, &frequent, &others);
    double seconds = tokens_per_second > 0 ? (double)forecast->tokens / tokens_per_second : 0;
    ez_scale_known_steps(&steps, &corpus,
                         ez_scale_tabled_words(forecast->words, frequent, forecast->topics),
                         seconds);
    forecast->seconds_iteration = steps.prepare + steps.tables + steps.tokens;
    forecast->seconds_repeated = steps.prepare + steps.tables;
}

static ezlda_status check_rate(ezlda_context *context, const char *what, double rate)
{
    if (!(rate >= 0 && isfinite(rate)))
        return ez_fail(context, EZLDA_ERROR_ARGUMENT, "%s is %g; expected a number above 0, or 0",
                       what, rate);
    return EZLDA_OK;
}

static ezlda_status check_sizes(ezlda_context *context, const ezlda_plan *forecast)
{
    if (forecast->docs == 0 || forecast->words == 0 || forecast->tokens == 0)
        return ez_fail(context, EZLDA_ERROR_ARGUMENT,
                       "%llu documents, %u words, %llu tokens; expected at least one of each",
                       (unsigned long long)forecast->docs, forecast->words,
                       (unsigned long long)forecast->tokens);
    return EZLDA_OK;
}

ezlda_status ezlda_plan_untried(ezlda_plan *plan, ezlda_context *context,
                                const ezlda_corpus *corpus, const ezlda_train_options *options,
                                double tokens_per_second)
{
    ez_totals totals = {0};
    ezlda_train_options o;
    ezlda_plan asked;
    ezlda_status status = EZLDA_OK;
    ez_clear(context);
    EZ_TRY(ez_train_options_read(&o, context, options));
    EZ_TRY(ez_struct_read(&asked, sizeof asked, context, plan, "a plan"));
    EZ_TRY(check_rate(context, "tokens_per_second", tokens_per_second));
    ezlda_plan p = {.size = sizeof p,
                    .docs = asked.docs,
                    .tokens = asked.tokens,
                    .words = asked.words,
                    .several = 1};
    if (corpus) {
        ez_corpus_sizes sizes;
        ez_corpus_sizes_of(corpus, &sizes);
        p.docs = sizes.docs, p.tokens = sizes.tokens, p.words = sizes.words;
        EZ_TRY_GOTO(ez_corpus_totals(&totals, context, corpus, 0, sizes.docs));
    }
    EZ_TRY_GOTO(check_sizes(context, &p));
    (void)ez_train_options_suit_size(&o, p.tokens);
    p.iterations = o.iterations;
    set_words(&p, corpus ? &totals : NULL, o.topics);
    set_known_seconds(&p, corpus ? &totals : NULL, tokens_per_second);
    strcpy(p.device, "cuda");
    ez_struct_write(plan, &p, sizeof p);
done:
    ez_totals_free(&totals);
    return status;
}

/* ---- several ---- */

/* NVLink bandwidth in each direction, by the name of the GPU; other GPUs use the host's bus. */
static double known_link(const char *gpu)
{
    static const struct {
        const char *name;
        double rate;
    } known[] = {{"B200", 900e9},
                 {"H200", 450e9},
                 {"H100 80GB HBM3", 450e9},
                 {"A100-SXM", 300e9},
                 {"V100-SXM", 150e9}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strstr(gpu, known[i].name))
            return known[i].rate;
    return EZ_HOST_LINK;
}

void ezlda_cluster_init_sized(ezlda_cluster *cluster, size_t size)
{
    ezlda_cluster defaults = {.size = sizeof defaults, .machines = 1};
    ez_options_init(cluster, size, &defaults, sizeof defaults);
}

static ez_scale_machines machines_of(const ezlda_cluster *c)
{
    return (ez_scale_machines){
        .machines = c->machines,
        .shards = c->gpus ? c->gpus : 1,
        .sharing = 1,
        .gpus = c->gpus > 0,
        .network = EZ_REACHED * c->network,
        .link = EZ_REACHED * (c->link > 0 ? c->link : known_link(c->gpu ? c->gpu : EZ_KNOWN_GPU)),
        .host_link = EZ_HOST_LINK,
        .device_memory = c->device_memory ? c->device_memory : EZ_DEVICE_MEMORY,
    };
}

/* The steps on one device, from its forecast, as if it had had no chunks. */
static ez_scale_steps steps_of(const ezlda_plan *one, const ez_scale_machines *m)
{
    double all = one->seconds_iteration, repeated = one->seconds_repeated;
    if (m->gpus && one->chunks > 1)
        all = ez_scale_resident(all, one->tokens, m->host_link);
    repeated = repeated < all ? repeated : all;
    return (ez_scale_steps){
        .prepare = EZ_PREPARE_SHARE * repeated,
        .tables = (1 - EZ_PREPARE_SHARE) * repeated,
        .tokens = all - repeated,
    };
}

static ezlda_status check_cluster(ezlda_context *context, const ezlda_plan *one,
                                  const ezlda_cluster *cluster)
{
    if (!one->several || one->topics == 0)
        return ez_fail(context, EZLDA_ERROR_ARGUMENT,
                       "a plan for one device; expected one made with `several`");
    if (cluster->machines == 0)
        return ez_fail(context, EZLDA_ERROR_ARGUMENT, "0 machines; expected at least 1");
    if ((uint64_t)cluster->machines * cluster->gpus > UINT32_MAX)
        return ez_fail(context, EZLDA_ERROR_ARGUMENT,
                       "%u machines of %u GPUs; expected %u GPUs in all at most", cluster->machines,
                       cluster->gpus, UINT32_MAX);
    EZ_TRY(check_rate(context, "network", cluster->network));
    EZ_TRY(check_rate(context, "link", cluster->link));
    if (cluster->machines > 1 && !(cluster->network > 0))
        return ez_fail(context, EZLDA_ERROR_ARGUMENT,
                       "%u machines, but no bandwidth of the network between them",
                       cluster->machines);
    return EZLDA_OK;
}

static ezlda_status check_fits(ezlda_context *context, const ez_scale *s,
                               const ez_scale_machines *m, uint32_t topics)
{
    if (m->gpus && s->shard_tokens > EZ_SHARD_TOKENS)
        return ez_fail(context, EZLDA_ERROR_UNSUPPORTED,
                       "%llu tokens per GPU: cuda handles at most %llu; more GPUs help",
                       (unsigned long long)s->shard_tokens, (unsigned long long)EZ_SHARD_TOKENS);
    if (m->gpus && s->chunks == 0)
        return ez_fail(
            context, EZLDA_ERROR_UNSUPPORTED,
            "%llu tokens per GPU with %u topics need %.1f GB of its memory, however they "
            "are cut; it has "
            "%.1f GB",
            (unsigned long long)s->shard_tokens, topics, (double)s->device_bytes / 1e9,
            (double)m->device_memory / 1e9);
    return EZLDA_OK;
}

ezlda_status ezlda_plan_cluster(ezlda_cluster_plan *out, ezlda_context *context,
                                const ezlda_plan *one, const ezlda_cluster *cluster)
{
    ezlda_plan single;
    ezlda_cluster several;
    ezlda_cluster_plan asked;
    ez_clear(context);
    EZ_TRY(ez_struct_read(&single, sizeof single, context, one, "a plan"));
    EZ_TRY(ez_struct_read(&several, sizeof several, context, cluster, "a cluster"));
    EZ_TRY(ez_struct_read(&asked, sizeof asked, context, out, "a plan of a cluster"));
    EZ_TRY(check_cluster(context, &single, &several));
    ez_scale_machines machines = machines_of(&several);
    ez_scale_corpus corpus = corpus_of(&single);
    ez_scale_steps steps = steps_of(&single, &machines);
    ez_scale scale;
    ez_scale_predict(&scale, &corpus, &steps, &machines);
    EZ_TRY(check_fits(context, &scale, &machines, corpus.topics));
    ezlda_cluster_plan p = {
        .size = sizeof p,
        .shards = machines.machines * machines.shards,
        .shard_tokens = scale.shard_tokens,
        .host_bytes = scale.host_bytes,
        .device_bytes = scale.device_bytes,
        .chunks = scale.chunks,
        .seconds_iteration = scale.seconds,
        .seconds_work = scale.work,
        .seconds_link = scale.here,
        .seconds_network = scale.beyond,
        .link = machines.gpus ? machines.link : 0,
        .network = machines.machines > 1 ? machines.network : 0,
    };
    ez_struct_write(out, &p, sizeof p);
    return EZLDA_OK;
}
