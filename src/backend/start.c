/* Draws the topics of a document before the first iteration, from random numbers or keywords. */
#include "backend/start.h"

#include "base/memory.h"
#include "sampler/arithmetic.h"

ezlda_status ez_start_scratch_init(ez_start_scratch *scratch, ezlda_context *context,
                                   const ez_token_list *tokens)
{
    *scratch = (ez_start_scratch){0};
    size_t pieces = ez_start_pieces(tokens->longest, EZ_START_SHORT);
    ezlda_status status =
        ez_array(&scratch->keyword, context, pieces, sizeof *scratch->keyword, "keywords");
    if (status == EZLDA_OK)
        status = ez_array(&scratch->salient, context, tokens->longest, sizeof *scratch->salient,
                          "keywords");
    return status;
}

void ez_start_scratch_free(ez_start_scratch *scratch)
{
    ez_free(scratch->keyword);
    ez_free(scratch->salient);
}

void ez_start_document(const ez_token_list *tokens, const ez_settings *settings, uint64_t doc,
                       uint16_t *topic, ez_start_scratch *scratch)
{
    uint64_t first = tokens->doc_start[doc], length = tokens->doc_start[doc + 1] - first;
    if (length == 0)
        return;
    if (settings->start_topics) {
        memcpy(topic, settings->start_topics + first, length * sizeof *topic);
        return;
    }
    uint64_t key = ez_iteration_key(settings->seed, 0);
    uint32_t pieces = 0;
    if (settings->start == EZLDA_START_KEYWORD) {
        pieces = ez_start_pieces(length, ez_start_piece(tokens, settings));
        pieces = ez_salient_words(tokens, doc, scratch->keyword, pieces, scratch->salient);
    }
    uint32_t occurrence = 0;
    for (uint64_t i = 0; i < length; i++) {
        uint32_t v = tokens->word[first + i];
        occurrence = i > 0 && tokens->word[first + i - 1] == v ? occurrence + 1 : 0;
        uint64_t u = ez_draw(ez_word_key(key, v), tokens->first_doc + doc, occurrence);
        if (pieces > 0)
            u = ez_word_key(key, scratch->keyword[ez_mulhi(u, pieces)]);
        topic[i] = (uint16_t)ez_uniform_topic(u, settings->topics);
    }
}
