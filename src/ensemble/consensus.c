/* ezlda_consensus: checks the members, matches them until their numbers settle, and makes the
 * model.
 */
#include "ensemble/consensus.h"

#include "base/memory.h"
#include "base/options_struct.h"
#include "corpus/corpus.h"
#include "model/trained_on.h"
#include "tokens/corpus_tokens.h"
#include "train/counts/count_rows.h"

#include <stdio.h>
#include <string.h>

/* Rounds of matching with the consensus, which nearly always settles in two or three. */
enum { ROUNDS = 5, MEMBERS_MOST = 1000 };

void ezlda_consensus_options_init_sized(ezlda_consensus_options *options, size_t size)
{
    ezlda_consensus_options defaults = {.size = sizeof defaults, .threshold = 0.7};
    ez_options_init(options, size, &defaults, sizeof defaults);
}

static ezlda_status check_member(const ez_consensus *c, uint32_t m)
{
    const ezlda_model *first = c->models[0], *model = c->models[m];
    char name[32];
    EZ_TRY(ez_needs(c->context, model, "each of the models"));
    snprintf(name, sizeof name, "model %u", m + 1);
    if (model->past)
        return ez_fail(c->context, EZLDA_ERROR_ARGUMENT,
                       "%s was updated; expected one trained on the corpus", name);
    EZ_TRY(ez_trained_on(model, c->context, c->corpus, name));
    if (model->meta->topics != first->meta->topics)
        return ez_fail(c->context, EZLDA_ERROR_ARGUMENT,
                       "%s has %u topics, model 1 has %u; expected the same number", name,
                       model->meta->topics, first->meta->topics);
    if (!model->token_topics)
        return ez_fail(c->context, EZLDA_ERROR_ARGUMENT,
                       "%s does not keep the topics of its tokens; train it with --keep-topics",
                       name);
    return EZLDA_OK;
}

/* What the model has besides counts. */
static ezlda_status fill_parts(const ez_consensus *c, ez_model_parts *parts)
{
    const ez_model_meta *first = c->models[0]->meta;
    *parts = (ez_model_parts){.topics = c->topics,
                              .words = first->words,
                              .docs = first->docs,
                              .tokens = first->tokens,
                              .iterations = first->iterations,
                              .seed = first->seed,
                              .estimator = (ezlda_estimator)first->estimator,
                              .corpus_hash = first->corpus_hash,
                              .threads = ez_threads(c->context),
                              .start = c->models[0]->start};
    snprintf(parts->device, sizeof parts->device, "consensus of %u models", c->members);
    EZ_TRY(ez_array_zero(&parts->alpha, c->context, c->topics, sizeof *parts->alpha, "alpha"));
    for (uint32_t m = 0; m < c->members; m++) {
        const ezlda_model *model = c->models[m];
        const uint32_t *label = c->label + (size_t)m * c->topics;
        parts->seconds_sampling += model->run->seconds_sampling;
        parts->beta += model->meta->beta / c->members;
        for (uint32_t k = 0; k < c->topics; k++)
            parts->alpha[label[k]] += model->alpha[k] / c->members;
    }
    return EZLDA_OK;
}

/* Makes the model of the present labels. found: as in ez_model_parts; NULL: not known yet. */
static ezlda_status make_model(const ez_consensus *c, ezlda_model **out, const uint32_t *found)
{
    ez_model_parts parts = {0};
    uint16_t *topic = NULL;
    ezlda_status status;
    EZ_TRY_GOTO(fill_parts(c, &parts));
    EZ_TRY_GOTO(
        ez_array(&topic, c->context, c->tokens->tokens, sizeof *topic, "the topics of tokens"));
    EZ_TRY_GOTO(ez_consensus_vote(c, topic));
    EZ_TRY_GOTO(ez_count_model(&parts, c->context, c->tokens, topic));
    EZ_TRY_GOTO(ez_count_model_words(&parts, c->context, c->tokens, topic));
    EZ_TRY_GOTO(ez_consensus_words(c, &parts.phi_rows, &parts.samples));
    if (found) {
        EZ_TRY_GOTO(ez_array(&parts.found, c->context, c->topics, sizeof *found, "topics"));
        memcpy(parts.found, found, c->topics * sizeof *found);
        parts.ensemble = (ez_model_ensemble){.members = c->members, .threshold = c->threshold};
    }
    parts.token_topics = topic;
    topic = NULL;
    status = ez_model_create(out, c->context, &parts, c->corpus);
done:
    ez_free(topic);
    ez_model_parts_free(&parts);
    return status;
}

/* Matches the members with their consensus until no topic gets another number. */
static ezlda_status settle(ez_consensus *c, ezlda_model **model)
{
    bool changed = true;
    EZ_TRY(ez_consensus_begin(c));
    EZ_TRY(make_model(c, model, NULL));
    for (int round = 0; round < ROUNDS && changed; round++) {
        EZ_TRY(ez_consensus_match(c, *model, &changed));
        if (!changed)
            break;
        ezlda_model_free(*model);
        *model = NULL;
        EZ_TRY(make_model(c, model, NULL));
    }
    return EZLDA_OK;
}

static ezlda_status make_consensus(ez_consensus *c, ezlda_model **out)
{
    ezlda_model *model = NULL;
    uint32_t *found = NULL;
    ezlda_status status;
    EZ_TRY_GOTO(ez_corpus_tokens(&c->tokens, c->context, c->corpus));
    EZ_TRY_GOTO(settle(c, &model));
    EZ_TRY_GOTO(ez_array(&found, c->context, c->topics, sizeof *found, "topics"));
    EZ_TRY_GOTO(ez_consensus_found(c, model, found));
    EZ_TRY_GOTO(make_model(c, out, found));
done:
    ezlda_model_free(model);
    ez_free(found);
    ez_free(c->label);
    ez_token_list_free(c->tokens);
    return status;
}

ezlda_status ezlda_consensus(ezlda_model **out, ezlda_context *context, const ezlda_corpus *corpus,
                             const ezlda_model *const *models, size_t n,
                             const ezlda_consensus_options *options)
{
    ezlda_consensus_options checked;
    ez_clear(context);
    EZ_TRY(ez_needs(context, out, "a place for the model"));
    *out = NULL;
    EZ_TRY(ez_needs(context, corpus, "the corpus"));
    EZ_TRY(ez_needs(context, models, "models"));
    ezlda_consensus_options_init(&checked);
    EZ_TRY(ez_options_read(&checked, sizeof checked, context, options, "consensus"));
    if (!(checked.threshold >= 0 && checked.threshold <= 1))
        return ez_fail(context, EZLDA_ERROR_ARGUMENT, "threshold is %g; expected 0 to 1",
                       checked.threshold);
    if (n < 2 || n > MEMBERS_MOST)
        return ez_fail(context, EZLDA_ERROR_ARGUMENT, "a consensus of %zu models; expected 2 to %d",
                       n, MEMBERS_MOST);
    EZ_TRY(ez_needs(context, models[0], "each of the models"));
    ez_consensus c = {.context = context,
                      .corpus = corpus,
                      .models = models,
                      .members = (uint32_t)n,
                      .topics = models[0]->meta->topics,
                      .threshold = checked.threshold};
    for (uint32_t m = 0; m < c.members; m++)
        EZ_TRY(check_member(&c, m));
    return make_consensus(&c, out);
}
