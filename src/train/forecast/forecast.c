/* The forecast of a run on one device: the run is begun, timed and discarded. If that trial reaches
 * only the first iterations, a sample of the documents shows how much faster later ones are. */
#include "base/memory.h"
#include "base/options_struct.h"
#include "base/os/host_memory.h"
#include "base/os/os_process.h"
#include "base/wall_clock.h"
#include "corpus/corpus.h"
#include "tokens/corpus_tokens.h"
#include "train/forecast/scale_model.h"
#include "train/train_options.h"

#include <stdlib.h>
#include <string.h>

/* Iterations after which speed hardly changes any more, and the least of a trial. */
enum { EZ_SETTLED = 60, EZ_TRIED_MIN = 3, EZ_SAMPLE_TOKENS_MIN = 20000 };
/* The work that shards repeat is measured with a sample of one document in this many. */
enum { EZ_SHARE_EVERY = 8 };

typedef struct trial {
    double *seconds; /* seconds of each iteration, EZ_SETTLED at most */
    uint32_t n, most;
    double spent, limit;
    double wall;
    ezlda_model_info info;
} trial;

/* The least memory of the host that a run needs: words, documents and topics of the tokens, the
 * index, rows of W. */
static uint64_t least_bytes(const ez_corpus_sizes *sizes, uint32_t topics)
{
    uint64_t w = sizes->pairs < (uint64_t)sizes->words * topics ? sizes->pairs
                                                                : (uint64_t)sizes->words * topics;
    return 12 * sizes->tokens + 16 * sizes->docs + 100 * (uint64_t)sizes->words + 4 * w;
}

static int after_iteration(const ezlda_progress *progress, void *user)
{
    trial *t = user;
    if (t->n < t->most)
        t->seconds[t->n++] = progress->iteration_seconds;
    t->spent += progress->iteration_seconds;
    return t->n >= t->most || (t->spent >= t->limit && t->n >= EZ_TRIED_MIN);
}

static ezlda_status try_training(trial *t, ezlda_context *context, const ezlda_corpus *corpus,
                                 const ezlda_train_options *options)
{
    ezlda_train_options o = *options;
    ezlda_model *model = NULL;
    o.progress = after_iteration;
    o.user = t;
    o.eval_every = 0;
    o.converged_gain = 0;
    o.checkpoint = NULL;
    o.resume = 0;
    t->most = options->iterations < EZ_SETTLED ? options->iterations : EZ_SETTLED;
    EZ_TRY(ez_array_zero(&t->seconds, context, (size_t)t->most + 1, sizeof *t->seconds, "times"));
    double begin = ez_now();
    EZ_TRY(ezlda_train(&model, context, corpus, &o));
    t->wall = ez_now() - begin;
    t->info.size = sizeof t->info;
    ezlda_model_get_info(model, &t->info);
    ezlda_model_free(model);
    return EZLDA_OK;
}

/* Makes a corpus of every n-th document. */
static ezlda_status copy_sample(ezlda_corpus **out, ezlda_context *context,
                                const ezlda_corpus *corpus, uint64_t every)
{
    ez_corpus_sizes sizes;
    uint64_t *start = NULL, docs = 0;
    ez_buffer word = {0}, count = {0};
    ez_block_room room = {.word = NULL};
    ezlda_status status;
    ez_corpus_sizes_of(corpus, &sizes);
    EZ_TRY_GOTO(ez_array_zero(&start, context, sizes.docs / every + 2, sizeof *start, "a sample"));
    EZ_TRY_GOTO(ez_block_room_init(&room, context, corpus));
    for (uint64_t b = 0; b < ez_corpus_blocks(corpus); b++) {
        uint32_t n = ez_corpus_decode(corpus, b, room.row_start, room.word, room.count);
        for (uint32_t i = 0; i < n; i++) {
            if ((b * EZ_CORPUS_BLOCK + i) % every != 0)
                continue;
            size_t from = room.row_start[i],
                   size = (room.row_start[i + 1] - from) * sizeof *room.word;
            EZ_TRY_GOTO(ez_buffer_append(&word, context, room.word + from, size));
            EZ_TRY_GOTO(ez_buffer_append(&count, context, room.count + from, size));
            start[++docs] = word.used / sizeof(uint32_t);
        }
    }
    status = ezlda_corpus_from_csr(out, context, docs, sizes.words, start,
                                   (const uint32_t *)word.data, (const uint32_t *)count.data, NULL);
done:
    ez_block_room_free(&room);
    ez_free(start);
    ez_free(word.data);
    ez_free(count.data);
    return status;
}

/* The mean seconds of iterations [first, last) of a trial. */
static double mean(const trial *t, uint32_t first, uint32_t last)
{
    double sum = 0;
    for (uint32_t i = first; i < last; i++)
        sum += t->seconds[i];
    return last > first ? sum / (last - first) : 0;
}

/* The seconds of all iterations: those of the trial, and the others at the pace of its last ones.
 */
static double all_iterations(const trial *t, uint32_t iterations)
{
    uint32_t tail = t->n / 4 > 0 ? t->n / 4 : 1;
    uint32_t seen = t->n < iterations ? t->n : iterations;
    return mean(t, 0, seen) * seen + mean(t, t->n - tail, t->n) * (iterations - seen);
}

/* Runs the trial on a sample of one document in `every`. */
static ezlda_status sample_pace(trial *s, ezlda_context *context, const ezlda_corpus *corpus,
                                const ezlda_train_options *options, uint64_t every)
{
    ezlda_corpus *sample = NULL;
    ezlda_train_options o = *options;
    o.init = NULL; /* words have no names in the sample */
    o.n_seeds = 0;
    o.out_of_core = 0;
    EZ_TRY(copy_sample(&sample, context, corpus, every));
    ezlda_status status = try_training(s, context, sample, &o);
    ezlda_corpus_free(sample);
    return status;
}

/* One document in how many the sample has, so that EZ_SETTLED iterations take half of the time. */
static uint64_t sample_every(const ez_corpus_sizes *sizes, double iteration, double seconds)
{
    double every = iteration * EZ_SETTLED / (seconds / 2);
    double most = (double)sizes->tokens / EZ_SAMPLE_TOKENS_MIN;
    every = every < most ? every : most;
    return every < 1 ? 1 : (uint64_t)every;
}

typedef struct estimate {
    double all; /* seconds of all iterations */
    uint64_t sample_tokens;
    double repeated; /* seconds per iteration that do not depend on the tokens; below 0: unknown */
} estimate;

/* An iteration takes repeated + tokens * rate: two points give the line, from the same iterations
 * of both trials. */
static double repeated_seconds(const trial *t, const trial *s)
{
    uint32_t n = t->n < s->n ? t->n : s->n, first = n > 2;
    double all = mean(t, first, n), part = mean(s, first, n);
    double tokens = (double)t->info.tokens, sampled = (double)s->info.tokens;
    double repeated = sampled < tokens ? (part * tokens - all * sampled) / (tokens - sampled) : 0;
    return repeated > 0 ? repeated : 0;
}

static ezlda_status estimate_time(estimate *e, const trial *t, ezlda_context *context,
                                  const ezlda_corpus *corpus, const ezlda_train_options *options,
                                  double seconds)
{
    ez_corpus_sizes sizes;
    trial s = {.limit = seconds};
    ez_corpus_sizes_of(corpus, &sizes);
    *e = (estimate){.all = t->n ? all_iterations(t, options->iterations) : 0, .repeated = -1};
    if (t->n >= EZ_SETTLED || (t->n > 0 && t->n >= options->iterations))
        return EZLDA_OK;
    double guess = t->n ? mean(t, 0, t->n) : (double)sizes.tokens / 2e6;
    uint64_t every = sample_every(&sizes, guess, seconds);
    if (every < 2 && t->n)
        return EZLDA_OK;
    ezlda_status status = sample_pace(&s, context, corpus, options, every < 2 ? 2 : every);
    if (status == EZLDA_OK && s.n > 0) {
        uint32_t first = t->n > 2 && s.n >= t->n; /* the first one warms up */
        double scale = t->n ? mean(t, first, t->n) / mean(&s, first, t->n < s.n ? t->n : s.n)
                            : (double)sizes.tokens / (double)s.info.tokens;
        e->all = all_iterations(&s, options->iterations) * scale;
        e->sample_tokens = s.info.tokens;
        e->repeated = t->n ? repeated_seconds(t, &s) : 0;
    }
    ez_free(s.seconds);
    return status;
}

/* Estimates the work that shards would repeat, unless estimate_time has done it. */
static ezlda_status estimate_repeated(estimate *e, const trial *t, ezlda_context *context,
                                      const ezlda_corpus *corpus,
                                      const ezlda_train_options *options, double seconds)
{
    trial s = {.limit = seconds / 4};
    if (e->repeated >= 0 || t->n == 0)
        return EZLDA_OK;
    ezlda_status status = sample_pace(&s, context, corpus, options, EZ_SHARE_EVERY);
    e->repeated = status == EZLDA_OK && s.n > 0 ? repeated_seconds(t, &s) : 0;
    ez_free(s.seconds);
    return status;
}

static uint32_t count_scores(const ezlda_train_options *o)
{
    uint32_t every = o->eval_every;
    return 1 + (every ? (o->iterations - 1) / every : 0);
}

static void fill(ezlda_plan *p, const trial *t, const estimate *e, const ezlda_train_options *o)
{
    double each = o->iterations ? e->all / o->iterations : 0;
    p->tried = t->n;
    p->sample_tokens = e->sample_tokens;
    p->seconds_repeated = e->repeated > 0 ? e->repeated : 0;
    p->seconds_repeated = p->seconds_repeated < each ? p->seconds_repeated : each;
    p->seconds_iteration = each;
    p->seconds_score = t->n ? mean(t, 0, t->n) : each;
    if (t->n) {
        memcpy(p->device, t->info.device, sizeof p->device);
        p->device_bytes = t->info.device_memory_peak_bytes;
        p->chunks = t->info.chunks;
        p->seconds_setup = t->wall - t->spent - p->seconds_score;
        p->seconds_setup = p->seconds_setup > 0 ? p->seconds_setup : 0;
        p->host_bytes = ez_os_peak_memory();
    }
    p->seconds_total = p->seconds_setup + e->all + count_scores(o) * p->seconds_score;
}

ezlda_status ezlda_train_plan(ezlda_plan *plan, ezlda_context *context, const ezlda_corpus *corpus,
                              const ezlda_train_options *options, double seconds)
{
    ez_corpus_sizes sizes;
    trial t = {.limit = (seconds > 0 ? seconds : 10) / 2};
    estimate e = {0};
    ezlda_train_options o;
    ezlda_plan asked;
    ezlda_status status = EZLDA_OK;
    ez_clear(context);
    EZ_TRY(ez_needs(context, corpus, "a corpus"));
    EZ_TRY(ez_train_options_read(&o, context, options));
    EZ_TRY(ez_struct_read(&asked, sizeof asked, context, plan, "a plan"));
    if (o.group)
        return ez_fail(context, EZLDA_ERROR_ARGUMENT,
                       "a plan is made by one process, without a group");
    ez_corpus_sizes_of(corpus, &sizes);
    (void)ez_train_options_suit_size(&o, sizes.tokens);
    ezlda_plan p = {
        .size = sizeof p, .docs = sizes.docs, .tokens = sizes.tokens, .words = sizes.words};
    p.iterations = o.iterations;
    p.host_available_bytes = ez_available_memory();
    p.host_bytes = least_bytes(&sizes, o.topics);
    if (o.out_of_core || p.host_bytes < p.host_available_bytes)
        EZ_TRY_GOTO(try_training(&t, context, corpus, &o));
    EZ_TRY_GOTO(estimate_time(&e, &t, context, corpus, &o, 2 * t.limit));
    if (asked.several) {
        EZ_TRY_GOTO(estimate_repeated(&e, &t, context, corpus, &o, 2 * t.limit));
        EZ_TRY_GOTO(ez_forecast_count_words(&p, context, corpus, o.topics));
        p.several = 1;
    }
    fill(&p, &t, &e, &o);
    ez_struct_write(plan, &p, sizeof p);
done:
    ez_free(t.seconds);
    return status;
}
