/* Fits, draws and pools coefficients. */
#include "effect/regression.h"

#include "numeric/digamma.h"
#include "numeric/distributions.h"
#include "numeric/draws.h"
#include "numeric/least_squares.h"

#include <math.h>
#include <string.h>

enum { EZ_STREAM_COEFFICIENTS = 31 };

/* A prior that a regression predicts is at least this share of the model's. */
static const double EZ_LEAST_PRIOR = 0.1;

void ez_regression_close(ez_regression *r)
{
    ez_free(r->now);
    ez_free(r->coefficient);
    ez_free(r->residual);
    ez_free(r->unsure);
    *r = (ez_regression){0};
}

ezlda_status ez_regression_open(ez_regression *r, ezlda_context *context, const ez_design *design,
                                const ezlda_model *model, uint32_t samples, uint64_t seed)
{
    static const char what[] = "the coefficients of a regression";
    *r = (ez_regression){.design = design,
                         .model = model,
                         .topics = model->meta->topics,
                         .columns = design->columns + 1,
                         .alpha_sum = model->alpha_sum,
                         .samples = samples,
                         .seed = seed};
    size_t cells = ez_product(r->columns, r->topics);
    EZ_TRY(ez_array_zero(&r->now, context, cells, sizeof(double), what));
    EZ_TRY(
        ez_array_zero(&r->coefficient, context, ez_product(samples, cells), sizeof(double), what));
    EZ_TRY(
        ez_array_zero(&r->residual, context, ez_product(samples, r->topics), sizeof(double), what));
    EZ_TRY(
        ez_array_zero(&r->unsure, context, ez_product(samples, r->topics), sizeof(double), what));
    for (uint32_t k = 0; k < r->topics; k++)
        r->now[k] = model->alpha[k] / model->alpha_sum;
    return EZLDA_OK;
}

void ez_regression_prior(const void *user, uint64_t doc, double *alpha)
{
    const ez_regression *r = user;
    uint32_t topics = r->topics;
    const double *base = r->model->alpha;
    double sum = r->alpha_sum;
    ez_design_row row;
    if (!r->design->use[doc]) {
        for (uint32_t k = 0; k < topics; k++)
            alpha[k] = ezlda_model_topic_into(r->model, k) == k ? base[k] : 0;
        return;
    }
    ez_design_fill(r->design, doc, &row);
    memcpy(alpha, r->now, topics * sizeof *alpha);
    for (uint32_t i = 0; i < row.n; i++) {
        const double *b = r->now + (size_t)(row.column[i] + 1) * topics;
        for (uint32_t k = 0; k < topics; k++)
            alpha[k] += row.value[i] * b[k];
    }
    for (uint32_t k = 0; k < topics; k++) {
        double least = EZ_LEAST_PRIOR * base[k] / r->model->alpha_sum * sum;
        alpha[k] = alpha[k] * sum > least ? alpha[k] * sum : least;
        if (ezlda_model_topic_into(r->model, k) != k)
            alpha[k] = 0;
    }
}

/* ---- sums over documents ---- */

/* Sums of one span: share x column, share, squared share, variance of the share. */
typedef struct sums {
    const ez_regression *r;
    double *all; /* EZ_CHAIN_SPANS x stride */
    size_t stride;
    double *room; /* EZ_CHAIN_SPANS x topics */
} sums;

static void add_document(void *user, uint32_t span, const ez_chain_doc *doc)
{
    const sums *s = user;
    const ez_regression *r = s->r;
    uint32_t topics = r->topics;
    if (!r->design->use[doc->doc])
        return;
    double *share = s->room + (size_t)span * topics, *by_column = s->all + (size_t)span * s->stride;
    double *sum = by_column + (size_t)(r->columns - 1) * topics, *square = sum + topics,
           *unsure = square + topics, *fit = unsure + topics, all = (double)doc->tokens;
    double prior = 0, raised = 0;
    ez_design_row row;
    ez_regression_prior(r, doc->doc, share);
    for (uint32_t k = 0; k < topics; k++) {
        prior += share[k];
        if (doc->by_topic[k])
            raised += share[k] * (ez_digamma(doc->by_topic[k] + share[k]) - ez_digamma(share[k]));
    }
    fit[0] += raised;
    fit[1] += prior * (ez_digamma(all + prior) - ez_digamma(prior));
    all += prior;
    for (uint32_t k = 0; k < topics; k++) {
        share[k] = (share[k] + doc->by_topic[k]) / all;
        sum[k] += share[k];
        square[k] += share[k] * share[k];
        unsure[k] += share[k] * (1 - share[k]) / (all + 1);
    }
    ez_design_fill(r->design, doc->doc, &row);
    for (uint32_t i = 0; i < row.n; i++) {
        double *to = by_column + (size_t)row.column[i] * topics;
        for (uint32_t k = 0; k < topics; k++)
            to[k] += row.value[i] * share[k];
    }
}

/* Fits one topic from the sums; writes its coefficients to `b` (stride topics). */
static void fit_topic(const ez_regression *r, const double *all, uint32_t topic, double *b,
                      double *residual, double *unsure)
{
    const ez_design *design = r->design;
    uint32_t n = design->columns, topics = r->topics, rank = 0;
    double docs = (double)design->used, cross[EZ_DESIGN_COLUMNS], explained = 0;
    double sum = all[(size_t)n * topics + topic], mean = sum / docs;
    for (uint32_t j = 0; j < n; j++) {
        cross[j] = all[(size_t)j * topics + topic] - design->mean[j] * sum;
        rank += !design->depends[j];
    }
    b[topic] = mean;
    for (uint32_t j = 0; j < n; j++) {
        double value = 0;
        for (uint32_t i = 0; i < n; i++)
            value += design->inverse[(size_t)j * n + i] * cross[i];
        b[(size_t)(j + 1) * topics + topic] = value;
        b[topic] -= value * design->mean[j];
        explained += value * cross[j];
    }
    double rest = all[(size_t)(n + 1) * topics + topic] - sum * mean - explained;
    *residual = (rest > 0 ? rest : 0) / (docs - 1 - rank);
    *unsure = all[(size_t)(n + 2) * topics + topic] / docs;
}

/* Draws the coefficients of a topic given the topics of all tokens: about their fit, with the
 * variance of the regression and that of the shares. */
static void draw_topic(ez_regression *r, uint32_t topic, uint32_t round, const double *fit,
                       double residual, double unsure)
{
    const ez_design *design = r->design;
    uint32_t n = design->columns, topics = r->topics;
    double sd = sqrt(residual + 2 * unsure), mean = fit[topic];
    uint64_t key = ez_stream_key(ez_mix64(r->seed) + round, EZ_STREAM_COEFFICIENTS, topic), at = 0;
    for (uint32_t j = 0; j < n; j++)
        mean += fit[(size_t)(j + 1) * topics + topic] * design->mean[j];
    mean += sd / sqrt((double)design->used) * ez_normal(key, &at);
    double normal[EZ_DESIGN_COLUMNS];
    for (uint32_t i = 0; i < n; i++)
        normal[i] = ez_normal(key, &at);
    for (uint32_t j = 0; j < n; j++) {
        double value = fit[(size_t)(j + 1) * topics + topic];
        for (uint32_t i = j; i < n; i++)
            value += sd * normal[i] * design->root[(size_t)i * n + j];
        r->now[(size_t)(j + 1) * topics + topic] = value;
        mean -= value * design->mean[j];
    }
    r->now[topic] = mean;
}

ezlda_status ez_regression_update(ez_regression *r, ezlda_context *context, const ez_chain *chain,
                                  uint32_t round, bool keep)
{
    size_t cells = (size_t)r->columns * r->topics, stride = cells + 2 * (size_t)r->topics + 2;
    sums s = {.r = r, .stride = stride};
    double *fit = NULL;
    ezlda_status status;
    EZ_TRY_GOTO(ez_array_zero(&s.all, context, ez_product(EZ_CHAIN_SPANS, stride), sizeof(double),
                              "the sums of a regression"));
    EZ_TRY_GOTO(ez_array(&s.room, context, ez_product(EZ_CHAIN_SPANS, r->topics), sizeof(double),
                         "the shares of a document"));
    EZ_TRY_GOTO(ez_array(&fit, context, cells, sizeof *fit, "the coefficients of a regression"));
    EZ_TRY_GOTO(ez_chain_visit(chain, context, add_document, &s));
    for (size_t span = 1; span < EZ_CHAIN_SPANS; span++)
        for (size_t i = 0; i < stride; i++)
            s.all[i] += s.all[span * stride + i];
    for (uint32_t k = 0; k < r->topics; k++) {
        double residual, unsure;
        fit_topic(r, s.all, k, fit, &residual, &unsure);
        draw_topic(r, k, round, fit, residual, unsure);
        if (keep && r->kept < r->samples) {
            r->residual[(size_t)r->kept * r->topics + k] = residual;
            r->unsure[(size_t)r->kept * r->topics + k] = unsure;
        }
    }
    const double *sums_of_fit = s.all + stride - 2;
    if (sums_of_fit[0] > 0 && sums_of_fit[1] > 0) /* Minka's fixed point, one step */
        r->alpha_sum *= sums_of_fit[0] / sums_of_fit[1];
    if (keep && r->kept < r->samples)
        memcpy(r->coefficient + r->kept++ * cells, fit, cells * sizeof *fit);
done:
    ez_free(s.all);
    ez_free(s.room);
    ez_free(fit);
    return status;
}

/* ---- pooling ---- */

/* The variance of a combination in units of the variance of a document. */
static double variance_of(const ez_design *design, const double *weight)
{
    uint32_t n = design->columns;
    double centred[EZ_DESIGN_COLUMNS], sum = 0;
    for (uint32_t j = 0; j < n; j++)
        centred[j] = weight[j + 1] - weight[0] * design->mean[j];
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < n; j++)
            sum += centred[i] * centred[j] * design->inverse[(size_t)i * n + j];
    return sum + weight[0] * weight[0] / (double)design->used;
}

ez_pooled ez_regression_pool(const ez_regression *r, uint32_t topic, const double *weight)
{
    return ez_regression_pool_scaled(r, topic, weight, 1);
}

ez_pooled ez_regression_pool_scaled(const ez_regression *r, uint32_t topic, const double *weight,
                                    double scale)
{
    double m = r->kept, mean = 0, between = 0, within = 0, extra = 0, rank = 1;
    double unit = scale * variance_of(r->design, weight);
    for (uint32_t s = 0; s < r->kept; s++) {
        const double *b = r->coefficient + (size_t)s * r->columns * r->topics;
        double value = 0, residual = r->residual[(size_t)s * r->topics + topic],
               unsure = r->unsure[(size_t)s * r->topics + topic];
        for (uint32_t j = 0; j < r->columns; j++)
            value += weight[j] * b[(size_t)j * r->topics + topic];
        double step = value - mean;
        mean += step / (s + 1);
        between += step * (value - mean);
        within += (residual + unsure) * unit / m;
        extra += unsure * unit / m;
    }
    for (uint32_t j = 0; j < r->design->columns; j++)
        rank += !r->design->depends[j];
    between = (1 + 1 / m) * (m > 1 ? between / (m - 1) : 0); /* as the few samples show it */
    double total = within + extra + between;
    double lost = total > 0 ? (between + extra) / total : 0, few = total > 0 ? between / total : 0;
    double complete = (double)r->design->used - rank;
    double observed = (complete + 1) / (complete + 3) * complete * (1 - lost);
    double old = (m - 1) / (few * few + 1e-12);
    return (ez_pooled){mean, sqrt(total), 1 / (1 / old + 1 / (observed > 1e-6 ? observed : 1e-6))};
}

/* The test of Li, Raghunathan and Rubin (1991): the covariance between samples is taken to be a
 * multiple of that within them. */
double ez_regression_test(const ez_regression *r, uint32_t topic, uint32_t term)
{
    const ez_design *design = r->design;
    uint32_t column[EZ_DESIGN_COLUMNS], q = 0, n = design->columns;
    double mean[EZ_DESIGN_COLUMNS] = {0}, m = r->kept, unit = 0, ratio = 0, form = 0;
    bool depends[EZ_DESIGN_COLUMNS];
    double *within = NULL, *inverse = NULL;
    for (uint32_t j = 0; j < n; j++)
        if (design->term_of[j] == term && !design->depends[j])
            column[q++] = j;
    if (!q || ez_array(&within, NULL, ez_product(q, q), sizeof *within, "a test") != EZLDA_OK)
        return NAN;
    if (ez_array(&inverse, NULL, ez_product(q, q), sizeof *inverse, "a test") != EZLDA_OK) {
        ez_free(within);
        return NAN;
    }
    for (uint32_t s = 0; s < r->kept; s++) {
        const double *b = r->coefficient + (size_t)s * r->columns * r->topics;
        unit += (r->residual[(size_t)s * r->topics + topic] +
                 2 * r->unsure[(size_t)s * r->topics + topic]) /
                m;
        for (uint32_t i = 0; i < q; i++)
            mean[i] += b[(size_t)(column[i] + 1) * r->topics + topic] / m;
    }
    for (uint32_t i = 0; i < q; i++)
        for (uint32_t j = 0; j < q; j++)
            within[(size_t)i * q + j] = unit * design->inverse[(size_t)column[i] * n + column[j]];
    ez_cholesky(within, q, depends);
    ez_cholesky_inverse(within, q, depends, inverse);
    for (uint32_t i = 0; i < q; i++)
        for (uint32_t j = 0; j < q; j++) {
            double between = 0;
            for (uint32_t s = 0; s < r->kept; s++) {
                const double *b = r->coefficient + (size_t)s * r->columns * r->topics + topic;
                between += (b[(size_t)(column[i] + 1) * r->topics] - mean[i]) *
                           (b[(size_t)(column[j] + 1) * r->topics] - mean[j]) / (m - 1);
            }
            ratio += (1 + 1 / m) * between * inverse[(size_t)i * q + j] / q;
            form += mean[i] * mean[j] * inverse[(size_t)i * q + j];
        }
    ez_free(within);
    ez_free(inverse);
    double t = q * (m - 1), f = form / (q * (1 + ratio));
    double odds = 1 + (t > 4 ? 1 - 2 / t : 1) / ratio, docs = (double)design->used - 1;
    double df = t > 4 ? 4 + (t - 4) * odds * odds : t * (1 + 1.0 / q) * odds * odds / 2;
    for (uint32_t j = 0; j < n; j++)
        docs -= !design->depends[j];
    df = df < docs ? df : docs;
    return ez_beta_below(df / (df + q * f), df / 2, q / 2.0);
}

void ez_pooled_interval(const ez_pooled *pooled, double level, double *low, double *high)
{
    double t = ez_t_quantile(level, pooled->df);
    *low = pooled->estimate - t * pooled->error;
    *high = pooled->estimate + t * pooled->error;
}
