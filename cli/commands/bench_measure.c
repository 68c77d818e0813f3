/* Makes the standard corpus, runs training on it for a while, and takes the median of the times. */
#include "commands/bench_measure.h"

#include <stdio.h>
#include <stdlib.h>

ezlda_status bench_corpus(ezlda_corpus **out, ezlda_context *context, uint64_t tokens)
{
    ezlda_synth_options synth;
    ezlda_synth_options_init(&synth);
    synth.docs = (tokens + BENCH_LENGTH - 1) / BENCH_LENGTH;
    synth.words = BENCH_WORDS;
    synth.mean_length = BENCH_LENGTH;
    synth.topics = BENCH_TOPICS;
    synth.seed = 1;
    return ezlda_corpus_synth(out, context, &synth);
}

typedef struct watch {
    double seconds[BENCH_MOST];
    uint32_t n;
    double spent, limit;
    double skipped;
    bool (*stop)(void);
} watch;

static int after_iteration(const ezlda_progress *progress, void *user)
{
    watch *w = user;
    w->seconds[w->n++] = progress->iteration_seconds;
    w->spent += progress->iteration_seconds;
    w->skipped = progress->skipped;
    bool enough = w->n >= BENCH_WARM_UP + BENCH_COUNTED && w->spent >= w->limit;
    return enough || w->stop() ? EZLDA_PROGRESS_STOP : EZLDA_PROGRESS_CONTINUE;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The first quarter does not count: caches are cold, and backends still measure what is faster. */
static void set_times(bench_case *c, watch *w)
{
    c->iterations = w->n;
    c->warm_up = w->n / 4 > BENCH_WARM_UP ? w->n / 4 : BENCH_WARM_UP;
    c->skipped = w->skipped;
    if (w->n <= c->warm_up) {
        snprintf(c->error, sizeof c->error, "stopped after %u iterations", w->n);
        return;
    }
    double *counted = w->seconds + c->warm_up;
    size_t n = w->n - c->warm_up;
    qsort(counted, n, sizeof *counted, by_value);
    c->least = counted[0];
    c->most = counted[n - 1];
    c->seconds = n % 2 ? counted[n / 2] : (counted[n / 2 - 1] + counted[n / 2]) / 2;
}

ezlda_status bench_measure(bench_case *c, ezlda_context *context, const ezlda_corpus *corpus,
                           double seconds, bool (*stop)(void))
{
    watch w = {.limit = seconds, .stop = stop};
    ezlda_train_options train;
    ezlda_model *model = NULL;
    ezlda_train_options_init(&train);
    train.topics = c->topics;
    train.iterations = BENCH_MOST;
    train.device = c->device;
    train.eval_every = 0;
    train.optimize_interval = 0; /* sampling alone is measured */
    train.progress = after_iteration;
    train.user = &w;
    ezlda_status status = ezlda_train(&model, context, corpus, &train);
    if (status != EZLDA_OK) {
        snprintf(c->error, sizeof c->error, "%s", ezlda_error_message(context));
        return status;
    }
    ezlda_model_info info = {.size = sizeof info};
    ezlda_model_get_info(model, &info);
    ezlda_model_free(model);
    c->tokens = info.tokens;
    c->memory_bytes = info.device_memory_peak_bytes;
    set_times(c, &w);
    return EZLDA_OK;
}

double bench_rate(const bench_case *c, double seconds)
{
    return seconds > 0 ? (double)c->tokens / seconds : 0;
}
