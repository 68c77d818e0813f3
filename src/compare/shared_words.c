/* Counts shared words by marking the first words of one topic and looking up those of the other. */
#include "compare/shared_words.h"

#include "base/memory.h"
#include "model/model_layout.h"

ezlda_status ez_word_sharing_init(ez_word_sharing *sharing, ezlda_context *context,
                                  const ezlda_model *a, const ezlda_model *b,
                                  const ez_common_words *common, size_t words)
{
    *sharing = (ez_word_sharing){.a = a, .b = b, .common = common, .words = words};
    for (int i = 0; i < 2; i++)
        EZ_TRY(
            ez_array(&sharing->first[i], context, words, sizeof *sharing->first[i], "first words"));
    return ez_array_zero(&sharing->mark, context, b->meta->words, sizeof *sharing->mark,
                         "first words");
}

void ez_word_sharing_free(ez_word_sharing *sharing)
{
    ez_free(sharing->first[0]);
    ez_free(sharing->first[1]);
    ez_free(sharing->mark);
    *sharing = (ez_word_sharing){0};
}

ezlda_status ez_share_words(ez_word_sharing *sharing, ezlda_context *context, uint32_t topic_a,
                            uint32_t topic_b, uint32_t *both, uint32_t *either)
{
    ez_word_sharing *s = sharing;
    size_t n_a, n_b;
    EZ_TRY(ezlda_model_top_words(s->first[0], s->words, &n_a, context, s->a, topic_a,
                                 EZLDA_BY_PROBABILITY, 1));
    EZ_TRY(ezlda_model_top_words(s->first[1], s->words, &n_b, context, s->b, topic_b,
                                 EZLDA_BY_PROBABILITY, 1));
    s->marks++;
    for (size_t i = 0; i < n_b; i++)
        s->mark[s->first[1][i].id] = s->marks;
    *both = 0;
    for (size_t i = 0; i < n_a; i++) {
        uint32_t word = s->common->in_b[s->first[0][i].id];
        *both += word != EZ_NO_WORD && s->mark[word] == s->marks;
    }
    *either = (uint32_t)(n_a + n_b) - *both;
    return EZLDA_OK;
}
