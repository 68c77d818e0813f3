/* The public calls for effects: regressions of topic shares on fields. */
#include "base/copy_string.h"
#include "base/options_struct.h"
#include "effect/estimate.h"
#include "effect/share_picture.h"
#include "numeric/distributions.h"
#include "numeric/least_squares.h"

#include <math.h>
#include <string.h>

struct ezlda_effect {
    ez_estimate estimate;
};

void ezlda_effect_options_init_sized(ezlda_effect_options *options, size_t size)
{
    ezlda_effect_options defaults = {.size = sizeof defaults};
    ez_options_init(options, size, &defaults, sizeof defaults);
}

void ezlda_effect_free(ezlda_effect *effect)
{
    if (!effect)
        return;
    ez_estimate_free(&effect->estimate);
    ez_free(effect);
}

static ezlda_status make(ezlda_effect *effect, ezlda_context *context, const ezlda_model *model,
                         const ezlda_corpus *corpus, const ezlda_effect_options *options)
{
    ez_estimate *e = &effect->estimate;
    e->model = model;
    EZ_TRY(ez_estimate_topics(e, context, options->topics, options->n_topics));
    EZ_TRY(ez_design_make(&e->design, context, corpus, options->formula));
    if (options->words_field)
        EZ_TRY(ez_field_values_read(&e->groups, context, corpus, options->words_field, true));
    return ez_estimate_run(e, context, corpus, options->sampling);
}

ezlda_status ezlda_effect_estimate(ezlda_effect **out, ezlda_context *context,
                                   const ezlda_model *model, const ezlda_corpus *corpus,
                                   const ezlda_effect_options *options)
{
    ezlda_effect_options all;
    ezlda_effect *effect = NULL;
    ez_clear(context);
    EZ_TRY(ez_needs(context, out, "a place for the effect"));
    *out = NULL;
    EZ_TRY(ez_needs(context, model, "a model"));
    EZ_TRY(ez_needs(context, corpus, "a corpus"));
    ezlda_effect_options_init(&all);
    EZ_TRY(ez_options_read(&all, sizeof all, context, options, "effect"));
    EZ_TRY(ez_needs(context, all.formula, "a formula"));
    EZ_TRY(ez_array_zero(&effect, context, 1, sizeof *effect, "an effect"));
    ezlda_status status = make(effect, context, model, corpus, &all);
    if (status == EZLDA_OK)
        *out = effect;
    else
        ezlda_effect_free(effect);
    return status;
}

void ezlda_effect_get_info(const ezlda_effect *effect, ezlda_effect_info *info)
{
    const ez_estimate *e = &effect->estimate;
    ezlda_effect_info all = {.docs = e->design.used,
                             .missing = e->design.docs - e->design.used,
                             .columns = e->regression.columns,
                             .topics = e->topics,
                             .samples = e->regression.kept,
                             .groups = e->words.groups,
                             .training_corpus = e->own};
    ez_struct_write(info, &all, sizeof all);
}

uint32_t ezlda_effect_topic(const ezlda_effect *effect, size_t i)
{
    return i < effect->estimate.topics ? effect->estimate.topic[i] : UINT32_MAX;
}

const char *ezlda_effect_column(const ezlda_effect *effect, uint32_t column)
{
    const ez_design *design = &effect->estimate.design;
    if (column > design->columns)
        return NULL;
    return column ? design->name[column - 1] : "(intercept)";
}

const char *ezlda_effect_field(const ezlda_effect *effect, uint32_t i)
{
    const ez_formula *formula = &effect->estimate.design.formula;
    return i < formula->variables ? formula->variable[i].field : NULL;
}

int ezlda_effect_coefficient(ezlda_coefficient *out, const ezlda_effect *effect, uint32_t topic,
                             uint32_t column, double level)
{
    const ez_estimate *e = &effect->estimate;
    double weight[EZ_DESIGN_COLUMNS + 1] = {0};
    if (topic >= e->model->meta->topics || column > e->design.columns || !(level > 0 && level < 1))
        return 0;
    if (column && e->design.depends[column - 1]) {
        *out = (ezlda_coefficient){NAN, NAN, NAN, NAN, NAN, NAN, NAN};
        return 1;
    }
    weight[column] = 1;
    ez_pooled pooled = ez_regression_pool(&e->regression, topic, weight);
    double t = pooled.error > 0 ? pooled.estimate / pooled.error : NAN; /* a merged topic */
    *out = (ezlda_coefficient){.estimate = pooled.estimate,
                               .error = pooled.error,
                               .df = pooled.df,
                               .t = t,
                               .p = isnan(t) ? NAN : ez_t_tails(t, pooled.df)};
    ez_pooled_interval(&pooled, level, &out->low, &out->high);
    return 1;
}

const char *ezlda_effect_term(const ezlda_effect *effect, uint32_t topic, uint32_t term, double *p)
{
    const ez_estimate *e = &effect->estimate;
    if (topic >= e->model->meta->topics || term >= e->design.formula.terms)
        return NULL;
    *p = ez_regression_test(&e->regression, topic, term);
    return e->design.term_name[term];
}

/* ---- curves ---- */

static uint32_t variable_of(const ez_design *design, const char *field)
{
    for (uint32_t i = 0; i < design->formula.variables; i++)
        if (strcmp(design->formula.variable[i].field, field) == 0)
            return i;
    return UINT32_MAX;
}

static ezlda_share share_at(const ez_estimate *e, uint32_t variable, double x, uint32_t topic,
                            double level)
{
    const ez_design_variable *v = &e->design.variable[variable];
    double weight[EZ_DESIGN_COLUMNS + 1] = {1};
    ez_design_imagine(&e->design, variable, x, weight + 1);
    ez_pooled pooled = ez_regression_pool(&e->regression, topic, weight);
    ezlda_share share = {.x = x, .share = pooled.estimate, .error = pooled.error};
    ez_pooled_interval(&pooled, level, &share.low, &share.high);
    if (v->values.category) {
        share.text = v->values.text[(size_t)x];
        share.docs = v->docs[(size_t)x];
    }
    return share;
}

ezlda_status ezlda_effect_curve(ezlda_share *out, size_t n, size_t *written, ezlda_context *context,
                                const ezlda_effect *effect, const char *field, uint32_t topic,
                                double level)
{
    ez_clear(context);
    if (!out || !written || !effect || !field || !(level > 0 && level < 1) ||
        topic >= effect->estimate.model->meta->topics)
        return ez_fail(context, EZLDA_ERROR_ARGUMENT,
                       "ezlda_effect_curve: expected an effect, a field, a topic of the model and "
                       "a level between 0 and 1");
    const ez_estimate *e = &effect->estimate;
    uint32_t variable = variable_of(&e->design, field);
    if (variable == UINT32_MAX)
        return ez_fail(context, EZLDA_ERROR_ARGUMENT, "field '%s': it is not in the formula",
                       field);
    const ez_design_variable *v = &e->design.variable[variable];
    size_t all = v->values.category ? v->values.levels : n;
    *written = all < n ? all : n;
    for (size_t i = 0; i < *written; i++) {
        double x = v->values.category ? (double)i
                   : n > 1            ? v->low + (v->high - v->low) * (double)i / (double)(n - 1)
                                      : v->mean;
        out[i] = share_at(e, variable, x, topic, level);
    }
    return EZLDA_OK;
}

/* ---- words ---- */

const char *ezlda_effect_group(const ezlda_effect *effect, uint32_t i)
{
    const ez_estimate *e = &effect->estimate;
    return i < e->words.groups ? e->groups.text[i] : NULL;
}

ezlda_status ezlda_effect_words(ezlda_group_word *out, size_t n, size_t *written,
                                ezlda_context *context, const ezlda_effect *effect, uint32_t topic,
                                uint32_t group)
{
    ez_clear(context);
    if (!out || !written || !effect || group >= effect->estimate.words.groups ||
        ez_estimate_place(&effect->estimate, topic) == UINT32_MAX)
        return ez_fail(context, EZLDA_ERROR_ARGUMENT,
                       "ezlda_effect_words: expected an effect with words_field, one of its topics "
                       "and one of its groups");
    *written = ez_group_words_top(&effect->estimate.words, topic, group, out, n);
    return EZLDA_OK;
}

/* ---- the picture ---- */

enum { EZ_CURVE_POINTS = 41 };

typedef struct picture {
    const ezlda_effect *effect;
    const char *field;
    double level;
} picture;

static ezlda_status panel(void *user, ezlda_context *context, uint32_t topic, ezlda_share *out,
                          size_t n, size_t *written)
{
    const picture *p = user;
    return ezlda_effect_curve(out, n, written, context, p->effect, p->field, topic, p->level);
}

ezlda_status ezlda_effect_write_svg(ezlda_context *context, const ezlda_effect *effect,
                                    const char *field, double level, const char *path)
{
    ez_clear(context);
    EZ_TRY(ez_needs(context, effect, "an effect"));
    EZ_TRY(ez_needs(context, field, "a field"));
    EZ_TRY(ez_needs(context, path, "a path"));
    const ez_estimate *e = &effect->estimate;
    uint32_t variable = variable_of(&e->design, field);
    if (variable == UINT32_MAX)
        return ez_fail(context, EZLDA_ERROR_ARGUMENT, "field '%s': it is not in the formula",
                       field);
    const ez_field_values *values = &e->design.variable[variable].values;
    picture p = {effect, field, level};
    ez_share_picture shares = {.model = e->model,
                               .topic = e->topic,
                               .topics = e->topics,
                               .title = field,
                               .points = values->category ? values->levels : EZ_CURVE_POINTS,
                               .levels = values->category,
                               .panel = panel,
                               .user = &p};
    return ez_share_picture_write(&shares, context, path);
}
