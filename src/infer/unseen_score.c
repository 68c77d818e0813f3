/* Scores the tokens whose words have no token in the model. Their words are alike: beta alone gives
 * them a probability, p = sum over k of theta[k] * beta / (n[k] + V*beta), with theta from the
 * tokens that were sampled. */
#include "infer/unseen_score.h"

#include "base/memory.h"
#include "model/model_layout.h"
#include "sampler/log2_fixed.h"

/* log2 of p of a word that the model has not seen, in a document of `length` topics. */
static int64_t score_of(const double *rate, double smooth, const ez_priors *priors,
                        const uint16_t *topic, uint64_t length)
{
    double sum = smooth;
    for (uint64_t i = 0; i < length; i++)
        sum += rate[topic[i]];
    return ez_log2_fixed_share(sum * (double)priors->beta) -
           ez_log2_fixed_share((double)length + priors->alpha_sum);
}

ezlda_status ez_unseen_score(int64_t *score, ezlda_context *context, const ezlda_model *model,
                             const ez_priors *priors, const ez_token_list *tokens,
                             const uint16_t *topic, const ez_other_tokens *other)
{
    const ez_token_list *t = tokens;
    uint32_t topics = model->meta->topics;
    double *rate = NULL, smooth = 0;
    int64_t total = 0;
    EZ_TRY(ez_array(&rate, context, topics, sizeof *rate, "topic rates"));
    for (uint32_t k = 0; k < topics; k++) {
        rate[k] = 1 / ((double)model->phi.topic_tokens[k] +
                       (double)model->meta->words * (double)priors->beta);
        smooth += (double)priors->alpha[k] * rate[k];
    }
#pragma omp parallel for schedule(dynamic, 256) num_threads(ez_threads(context)) \
    reduction(+ : total) if (t->docs > 1)
    for (uint64_t d = 0; d < t->docs; d++)
        if (other[d].unseen > 0)
            total += (int64_t)other[d].unseen * score_of(rate, smooth, priors,
                                                         topic ? topic + t->doc_start[d] : NULL,
                                                         t->doc_start[d + 1] - t->doc_start[d]);
    *score += total;
    ez_free(rate);
    return EZLDA_OK;
}
