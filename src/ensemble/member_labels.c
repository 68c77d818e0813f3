/* Numbers the topics of all members alike, by matching each member one to one with one model. */
#include "base/memory.h"
#include "compare/models_match.h"
#include "ensemble/consensus.h"

#include <string.h>

/* Matches all topics, however little alike. */
static ezlda_status match_all(ezlda_match **out, ezlda_context *context, const ezlda_model *a,
                              const ezlda_model *b)
{
    ezlda_match_options options;
    ezlda_match_options_init(&options);
    options.threshold = 0;
    options.words = 0;
    return ezlda_model_match(out, context, a, b, &options);
}

/* The member with the largest sum of mean similarities to the others. */
static ezlda_status find_medoid(const ez_consensus *c, uint32_t *medoid)
{
    double *sum = NULL;
    EZ_TRY(ez_array_zero(&sum, c->context, c->members, sizeof *sum, "similarities of models"));
    ezlda_status status = EZLDA_OK;
    for (uint32_t i = 0; i < c->members && status == EZLDA_OK; i++)
        for (uint32_t j = i + 1; j < c->members && status == EZLDA_OK; j++) {
            double similarity;
            status = ez_topic_stability(&similarity, c->context,
                                        (const ezlda_model *[]){c->models[i], c->models[j]}, 2);
            if (status == EZLDA_OK) {
                sum[i] += similarity;
                sum[j] += similarity;
            }
        }
    *medoid = 0;
    for (uint32_t i = 1; i < c->members && status == EZLDA_OK; i++)
        *medoid = sum[i] > sum[*medoid] ? i : *medoid;
    ez_free(sum);
    return status;
}

ezlda_status ez_consensus_match(ez_consensus *c, const ezlda_model *with, bool *changed)
{
    *changed = false;
    for (uint32_t i = 0; i < c->members; i++) {
        uint32_t *label = c->label + (size_t)i * c->topics;
        ezlda_match *match = NULL;
        EZ_TRY(match_all(&match, c->context, with, c->models[i]));
        const ezlda_topic_pair *pairs = ezlda_match_pairs(match);
        for (uint32_t k = 0; k < c->topics; k++) {
            *changed = *changed || label[pairs[k].b] != pairs[k].a;
            label[pairs[k].b] = pairs[k].a;
        }
        ezlda_match_free(match);
    }
    return EZLDA_OK;
}

ezlda_status ez_consensus_begin(ez_consensus *c)
{
    uint32_t medoid;
    bool changed;
    EZ_TRY(ez_array(&c->label, c->context, ez_product(c->members, c->topics), sizeof *c->label,
                    "topics of the members"));
    memset(c->label, 0, (size_t)c->members * c->topics * sizeof *c->label);
    EZ_TRY(find_medoid(c, &medoid));
    return ez_consensus_match(c, c->models[medoid], &changed);
}
