/* The public calls for topics over time: a regression on periods, bursts and words by period. */
#include "base/options_struct.h"
#include "effect/bursts.h"
#include "effect/estimate.h"
#include "effect/periods.h"
#include "effect/share_picture.h"

#include <math.h>

struct ezlda_trend {
    ez_estimate estimate;
    const char *step;
    uint32_t periods;
    ez_buffer bursts; /* ezlda_burst */
};

void ezlda_trend_options_init_sized(ezlda_trend_options *options, size_t size)
{
    ezlda_trend_options defaults = {.size = sizeof defaults};
    ez_options_init(options, size, &defaults, sizeof defaults);
}

void ezlda_trend_free(ezlda_trend *trend)
{
    if (!trend)
        return;
    trend->estimate.groups = (ez_field_values){0}; /* those of the design */
    ez_estimate_free(&trend->estimate);
    ez_free(trend->bursts.data);
    ez_free(trend);
}

/* The share in a period. The variance of documents in it is that of all, in proportion to share *
 * (1 - share): topics are rare in one period and frequent in another. */
static ez_pooled pool(const ezlda_trend *trend, uint32_t topic, uint32_t period)
{
    const ez_design *design = &trend->estimate.design;
    double weight[EZ_DESIGN_COLUMNS + 1] = {1}, mean[EZ_MOST_LEVELS], usual = 0;
    for (uint32_t i = 0; i <= design->columns; i++) {
        mean[i] = 0;
        for (uint32_t s = 0; s < trend->estimate.regression.kept; s++) {
            const ez_regression *r = &trend->estimate.regression;
            const double *b = r->coefficient + (size_t)s * r->columns * r->topics + topic;
            mean[i] += (b[0] + (i ? b[(size_t)i * r->topics] : 0)) / r->kept;
        }
        mean[i] = mean[i] > 1e-6 ? mean[i] : 1e-6;
        usual += mean[i] * (1 - mean[i]) * (double)design->variable[0].docs[i];
    }
    if (period)
        weight[period] = 1;
    usual /= (double)design->used;
    return ez_regression_pool_scaled(&trend->estimate.regression, topic, weight,
                                     mean[period] * (1 - mean[period]) / usual);
}

static ezlda_status find_bursts(ezlda_trend *trend, ezlda_context *context)
{
    double share[EZ_MOST_LEVELS], error[EZ_MOST_LEVELS];
    for (uint32_t t = 0; t < trend->estimate.topics; t++) {
        for (uint32_t i = 0; i < trend->periods; i++) {
            ez_pooled pooled = pool(trend, trend->estimate.topic[t], i);
            bool empty = !trend->estimate.design.variable[0].docs[i];
            share[i] = empty ? NAN : pooled.estimate;
            error[i] = pooled.error;
        }
        EZ_TRY(ez_bursts_find(&trend->bursts, context, trend->estimate.topic[t], share, error,
                              trend->estimate.design.variable[0].docs, trend->periods));
    }
    return EZLDA_OK;
}

static ezlda_status make(ezlda_trend *trend, ezlda_context *context, const ezlda_model *model,
                         const ezlda_corpus *corpus, const ezlda_trend_options *options)
{
    ez_estimate *e = &trend->estimate;
    ez_field_values values = {0};
    e->model = model;
    EZ_TRY(ez_estimate_topics(e, context, options->topics, options->n_topics));
    ezlda_status status =
        ez_periods_make(&values, context, corpus, options->field, options->step, &trend->step);
    if (status == EZLDA_OK)
        status = ez_design_of_category(&e->design, context, corpus, options->field, &values);
    ez_field_values_free(&values);
    EZ_TRY(status);
    e->groups = e->design.variable[0].values;
    trend->periods = e->groups.levels;
    EZ_TRY(ez_estimate_run(e, context, corpus, options->sampling));
    return find_bursts(trend, context);
}

ezlda_status ezlda_trend_estimate(ezlda_trend **out, ezlda_context *context,
                                  const ezlda_model *model, const ezlda_corpus *corpus,
                                  const ezlda_trend_options *options)
{
    ezlda_trend_options all;
    ezlda_trend *trend = NULL;
    ez_clear(context);
    EZ_TRY(ez_needs(context, out, "a place for the trend"));
    *out = NULL;
    EZ_TRY(ez_needs(context, model, "a model"));
    EZ_TRY(ez_needs(context, corpus, "a corpus"));
    ezlda_trend_options_init(&all);
    EZ_TRY(ez_options_read(&all, sizeof all, context, options, "trend"));
    EZ_TRY(ez_needs(context, all.field, "a field of dates"));
    EZ_TRY(ez_array_zero(&trend, context, 1, sizeof *trend, "a trend"));
    ezlda_status status = make(trend, context, model, corpus, &all);
    if (status == EZLDA_OK)
        *out = trend;
    else
        ezlda_trend_free(trend);
    return status;
}

void ezlda_trend_get_info(const ezlda_trend *trend, ezlda_trend_info *info)
{
    const ez_estimate *e = &trend->estimate;
    ezlda_trend_info all = {.docs = e->design.used,
                            .missing = e->design.docs - e->design.used,
                            .periods = trend->periods,
                            .topics = e->topics,
                            .samples = e->regression.kept,
                            .step = trend->step,
                            .training_corpus = e->own};
    ez_struct_write(info, &all, sizeof all);
}

uint32_t ezlda_trend_topic(const ezlda_trend *trend, size_t i)
{
    return i < trend->estimate.topics ? trend->estimate.topic[i] : UINT32_MAX;
}

int ezlda_trend_share(ezlda_share *out, const ezlda_trend *trend, uint32_t topic, uint32_t period,
                      double level)
{
    const ez_estimate *e = &trend->estimate;
    if (topic >= e->model->meta->topics || period >= trend->periods || !(level > 0 && level < 1))
        return 0;
    ez_pooled pooled = pool(trend, topic, period);
    *out = (ezlda_share){.x = period,
                         .text = e->groups.text[period],
                         .docs = e->design.variable[0].docs[period],
                         .share = pooled.estimate,
                         .error = pooled.error};
    ez_pooled_interval(&pooled, level, &out->low, &out->high);
    if (!out->docs)
        out->share = out->error = out->low = out->high = NAN;
    return 1;
}

int ezlda_trend_burst(ezlda_burst *out, const ezlda_trend *trend, size_t i)
{
    const ezlda_burst *burst = (const ezlda_burst *)(const void *)trend->bursts.data;
    if (i >= trend->bursts.used / sizeof *burst)
        return 0;
    *out = burst[i];
    return 1;
}

ezlda_status ezlda_trend_words(ezlda_group_word *out, size_t n, size_t *written,
                               ezlda_context *context, const ezlda_trend *trend, uint32_t topic,
                               uint32_t period)
{
    ez_clear(context);
    if (!out || !written || !trend || period >= trend->periods ||
        ez_estimate_place(&trend->estimate, topic) == UINT32_MAX)
        return ez_fail(context, EZLDA_ERROR_ARGUMENT,
                       "ezlda_trend_words: expected a trend, one of its topics and one of its "
                       "periods");
    *written = ez_group_words_top(&trend->estimate.words, topic, period, out, n);
    return EZLDA_OK;
}

typedef struct picture {
    const ezlda_trend *trend;
    double level;
} picture;

static ezlda_status panel(void *user, ezlda_context *context, uint32_t topic, ezlda_share *out,
                          size_t n, size_t *written)
{
    const picture *p = user;
    (void)context;
    *written = 0;
    while (*written < n &&
           ezlda_trend_share(&out[*written], p->trend, topic, (uint32_t)*written, p->level))
        ++*written;
    return EZLDA_OK;
}

ezlda_status ezlda_trend_write_svg(ezlda_context *context, const ezlda_trend *trend, double level,
                                   const char *path)
{
    ez_clear(context);
    EZ_TRY(ez_needs(context, trend, "a trend"));
    EZ_TRY(ez_needs(context, path, "a path"));
    picture p = {trend, level};
    ez_share_picture shares = {.model = trend->estimate.model,
                               .topic = trend->estimate.topic,
                               .topics = trend->estimate.topics,
                               .title = trend->step,
                               .points = trend->periods,
                               .levels = true,
                               .panel = panel,
                               .user = &p};
    return ez_share_picture_write(&shares, context, path);
}
