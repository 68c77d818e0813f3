/* Makes a model from MALLET's state: the counts follow from the topics of all tokens. */
#include "corpus/formats/mallet_state.h"
#include "model/model.h"
#include "tokens/corpus_tokens.h"
#include "train/counts/count_rows.h"

#include <stdio.h>

static ezlda_status fill_parts(ez_model_parts *parts, ezlda_context *context,
                               ez_mallet_state *state, const ezlda_corpus *corpus)
{
    ez_token_list *tokens = NULL;
    ez_corpus_sizes sizes;
    ez_corpus_sizes_of(corpus, &sizes);
    *parts = (ez_model_parts){
        .topics = state->topics,
        .words = sizes.words,
        .docs = sizes.docs,
        .tokens = sizes.tokens,
        .beta = state->beta,
        .estimator = EZLDA_LEAVE_ONE_OUT,
        .corpus_hash = sizes.hash,
        .alpha = state->alpha,
        .token_topics = (uint16_t *)(void *)state->topic.data,
    };
    state->alpha = NULL;
    state->topic = (ez_buffer){0};
    snprintf(parts->device, sizeof parts->device, "MALLET");
    EZ_TRY(ez_corpus_tokens(&tokens, context, corpus));
    ezlda_status status = ez_count_model(parts, context, tokens, parts->token_topics);
    if (status == EZLDA_OK)
        status = ez_count_model_words(parts, context, tokens, parts->token_topics);
    ez_token_list_free(tokens);
    return status;
}

static ezlda_status make_model(ezlda_model **model, ezlda_context *context, ez_mallet_state *state,
                               const ezlda_corpus *corpus)
{
    ez_model_parts parts;
    ezlda_status status = fill_parts(&parts, context, state, corpus);
    if (status == EZLDA_OK)
        return ez_model_create(model, context, &parts, corpus);
    ez_model_parts_free(&parts);
    return status;
}

ezlda_status ezlda_model_from_mallet_state(ezlda_model **model, ezlda_corpus **corpus,
                                           ezlda_context *context, const char *path)
{
    ez_input *input;
    ez_mallet_state state = {0};
    ez_clear(context);
    if (!model || !corpus || !path)
        return ez_fail(
            context, EZLDA_ERROR_ARGUMENT,
            "ezlda_model_from_mallet_state: expected a path and room for the model and the corpus");
    *model = NULL;
    *corpus = NULL;
    EZ_TRY(ez_input_open(&input, context, path));
    ezlda_status status = ez_mallet_state_read(corpus, &state, context, input);
    ez_input_close(input);
    if (status == EZLDA_OK)
        status = make_model(model, context, &state, *corpus);
    if (status != EZLDA_OK) {
        ezlda_corpus_free(*corpus);
        *corpus = NULL;
    }
    ez_mallet_state_free(&state);
    return status;
}
