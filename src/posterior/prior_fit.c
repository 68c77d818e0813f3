/* Fits the priors of a chain to its present state, by Minka's fixed point: the trainer's priors
 * suit the trainer's samples, whose documents are purer and whose words are more mixed than those
 * of the exact posterior. */
#include "numeric/digamma.h"
#include "posterior/chain_state.h"

#include <string.h>

enum { EZ_FIT_WORDS = 512 };

static const double EZ_PRIOR_LEAST = 1e-6, EZ_PRIOR_MOST = 100;

static double within(double prior)
{
    return prior < EZ_PRIOR_LEAST ? EZ_PRIOR_LEAST : prior > EZ_PRIOR_MOST ? EZ_PRIOR_MOST : prior;
}

/* Sums of a span: by topic, and of the lengths. */
typedef struct fit_sums {
    const double *alpha;
    double alpha_sum;
    double *sum; /* spans x (topics + 1) */
    uint32_t topics;
} fit_sums;

static void add_document(void *user, uint32_t span, const ez_chain_doc *doc)
{
    const fit_sums *f = user;
    double *sum = f->sum + (size_t)span * (f->topics + 1);
    if (!doc->tokens)
        return;
    for (uint32_t k = 0; k < f->topics; k++)
        if (doc->by_topic[k])
            sum[k] += ez_digamma(doc->by_topic[k] + f->alpha[k]) - ez_digamma(f->alpha[k]);
    sum[f->topics] += ez_digamma((double)doc->tokens + f->alpha_sum) - ez_digamma(f->alpha_sum);
}

static ezlda_status fit_alpha(ez_chain *chain, ezlda_context *context)
{
    uint32_t topics = chain->topics;
    fit_sums f = {.alpha = chain->alpha, .topics = topics};
    size_t stride = (size_t)topics + 1;
    for (uint32_t k = 0; k < topics; k++)
        f.alpha_sum += chain->alpha[k];
    EZ_TRY(ez_array_zero(&f.sum, context, ez_product(EZ_CHAIN_SPANS, stride), sizeof *f.sum,
                         "sums of a prior"));
    ezlda_status status = ez_chain_visit(chain, context, add_document, &f);
    for (size_t span = 1; span < EZ_CHAIN_SPANS; span++)
        for (size_t k = 0; k < stride; k++)
            f.sum[k] += f.sum[span * stride + k];
    for (uint32_t k = 0; k < topics && f.sum[topics] > 0; k++)
        if (chain->alpha[k] > 0)
            chain->alpha[k] = within(chain->alpha[k] * f.sum[k] / f.sum[topics]);
    ez_free(f.sum);
    return status;
}

static ezlda_status fit_beta(ez_chain *chain, ezlda_context *context)
{
    size_t groups = chain->words / EZ_FIT_WORDS + 1;
    double *sum = NULL, beta = chain->beta, all = 0, lengths = 0, least = ez_digamma(beta);
    uint64_t *tokens = NULL;
    double words = chain->model->meta->words;
    ezlda_status status;
    EZ_TRY_GOTO(ez_array_zero(&sum, context, groups, sizeof *sum, "sums of a prior"));
    EZ_TRY_GOTO(ez_array_zero(&tokens, context, chain->topics, sizeof *tokens, "topics"));
#pragma omp parallel for schedule(dynamic) num_threads(chain->threads)
    for (size_t g = 0; g < groups; g++)
        for (size_t v = g * EZ_FIT_WORDS; v < (g + 1) * EZ_FIT_WORDS && v < chain->words; v++)
            for (uint32_t k = 0; k < chain->topics && chain->known[v]; k++)
                if (chain->counts[v * chain->padded + k])
                    sum[g] += ez_digamma(chain->counts[v * chain->padded + k] + beta) - least;
    for (size_t g = 0; g < groups; g++)
        all += sum[g];
    for (size_t v = 0; v < chain->words; v++)
        for (uint32_t k = 0; k < chain->topics && chain->known[v]; k++)
            tokens[k] += chain->counts[v * chain->padded + k];
    for (uint32_t k = 0; k < chain->topics; k++)
        if (tokens[k])
            lengths += ez_digamma((double)tokens[k] + words * beta) - ez_digamma(words * beta);
    if (lengths > 0)
        chain->beta = within(beta * all / (words * lengths));
done:
    ez_free(sum);
    ez_free(tokens);
    return status;
}

ezlda_status ez_chain_fit_priors(ez_chain *chain, ezlda_context *context)
{
    if (!chain->own)
        return EZLDA_OK;
    EZ_TRY(fit_beta(chain, context));
    return chain->prior ? EZLDA_OK : fit_alpha(chain, context);
}
