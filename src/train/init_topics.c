/* Copies the topics of a model that was trained on the same corpus, or infers topics with it. */
#include "train/init_topics.h"

#include "base/memory.h"
#include "corpus/corpus.h"
#include "infer/infer_topics.h"
#include "model/model_layout.h"
#include "sampler/arithmetic.h"

#include <string.h>

/* Iterations of the inference that fits documents to a model's topics. */
enum { EZ_INIT_ITERATIONS = 20 };

typedef struct placing {
    const ez_token_list
        *tokens;             /* documents of the corpus; documents outside the list are skipped */
    const uint32_t *word_of; /* the corpus' words in the model */
    uint64_t key;
    uint32_t topics;
    uint16_t *topic;
} placing;

/* Tokens of words that have tokens in the model get the topics that were inferred, in order. Each
 * other token gets one of these topics, or any topic if there are none. */
static void place_document(const placing *p, uint64_t doc, const uint16_t *known, uint64_t n)
{
    const ez_token_list *t = p->tokens;
    if (doc < t->first_doc || doc - t->first_doc >= t->docs)
        return;
    uint64_t d = doc - t->first_doc, first = t->doc_start[d], at = 0;
    uint32_t occurrence = 0;
    for (uint64_t i = first; i < t->doc_start[d + 1]; i++) {
        uint32_t v = t->word[i];
        occurrence = i > first && t->word[i - 1] == v ? occurrence + 1 : 0;
        if (p->word_of[t->original[v]] < EZ_UNSEEN_WORD) {
            p->topic[i] = known[at++];
            continue;
        }
        uint64_t u = ez_draw(ez_word_key(p->key, v), doc, occurrence);
        p->topic[i] = n > 0 ? known[ez_mulhi(u, n)] : (uint16_t)ez_mulhi(u, p->topics);
    }
}

static void place_batch(const ez_token_list *batch, const uint16_t *topic, void *user)
{
    const placing *p = user;
    for (uint64_t d = 0; d < batch->docs; d++)
        place_document(p, batch->first_doc + d, topic + batch->doc_start[d],
                       batch->doc_start[d + 1] - batch->doc_start[d]);
}

/* The tokens of the model whose words are in the corpus. */
static uint64_t tokens_kept(const uint32_t *word_of, uint32_t words, const ezlda_model *model,
                            uint32_t *kept)
{
    uint64_t tokens = 0;
    *kept = 0;
    for (uint32_t v = 0; v < words; v++)
        if (word_of[v] < EZ_UNSEEN_WORD) {
            tokens += model->word_tokens[word_of[v]];
            ++*kept;
        }
    return tokens;
}

/* The new model has the words of the corpus alone. Topics that lose many words do not stay what
 * they were. */
static ezlda_status report_words(ezlda_context *context, const uint32_t *word_of, uint32_t words,
                                 const ezlda_model *model)
{
    enum { MUCH = 20 }; /* a twentieth of the tokens */
    uint64_t all = 0;
    uint32_t kept, seen = 0;
    for (uint32_t v = 0; v < model->meta->words; v++) {
        all += model->word_tokens[v];
        seen += model->word_tokens[v] > 0;
    }
    uint64_t lost = all - tokens_kept(word_of, words, model, &kept);
    if (kept == 0 && words > 0 && seen > 0)
        return ez_fail(context, EZLDA_ERROR_ARGUMENT,
                       "the corpus has none of the words of the model to continue from");
    ez_note(context,
            "continuing from a model: topics are inferred first; %u of %u words are new to it",
            words - kept, words);
    if (lost > all / MUCH)
        ez_warn(context,
                "continuing from a model: the corpus does not have %u of its %u words (%.0f %% of "
                "its tokens), so the new model will not have them and its topics may change; "
                "to keep them, add the documents that the model was trained on",
                seen - kept, seen, 100.0 * (double)lost / (double)all);
    return EZLDA_OK;
}

static ezlda_status infer(uint16_t *topic, ezlda_context *context, const ezlda_corpus *corpus,
                          const ez_token_list *tokens, const ezlda_train_options *options,
                          bool update)
{
    placing p = {.tokens = tokens,
                 .key = ez_iteration_key(options->seed, 0),
                 .topics = options->topics,
                 .topic = topic};
    uint32_t unknown, *word_of = NULL;
    ezlda_status status = EZLDA_OK;
    ezlda_infer_options how;
    ezlda_infer_options_init(&how);
    how.iterations = EZ_INIT_ITERATIONS;
    how.samples = 1;
    how.seed = options->seed;
    how.device = options->device;
    how.device_memory = options->device_memory;
    EZ_TRY(ez_word_map(&word_of, context, corpus, options->init, &unknown));
    ez_word_map_mark_unseen(word_of, tokens->words, options->init);
    p.word_of = word_of;
    if (!update && tokens->first_doc == 0) /* once, if documents come in chunks */
        status = report_words(context, word_of, tokens->words, options->init);
    ez_doc_range range = {tokens->first_doc, tokens->first_doc + tokens->docs};
    if (status == EZLDA_OK)
        status = ez_infer_topics(options->init, context, corpus, range, &how, place_batch, &p);
    ez_free(word_of);
    return status;
}

ezlda_status ez_init_topics(uint16_t *topic, ezlda_context *context, const ezlda_corpus *corpus,
                            const ez_token_list *tokens, uint64_t first_token,
                            const ezlda_train_options *options, bool update)
{
    const ezlda_model *model = options->init;
    ez_corpus_sizes sizes;
    ez_corpus_sizes_of(corpus, &sizes);
    if (model->meta->topics != options->topics)
        return ez_fail(context, EZLDA_ERROR_ARGUMENT,
                       "the model to continue from has %u topics; %u were asked for",
                       model->meta->topics, options->topics);
    if (model->meta->iterations > UINT32_MAX - options->iterations)
        return ez_fail(context, EZLDA_ERROR_ARGUMENT,
                       "%u iterations after the model's %u are more than can be counted",
                       options->iterations, model->meta->iterations);
    if (!model->token_topics || model->meta->corpus_hash != sizes.hash ||
        ez_model_own_tokens(model) != sizes.tokens)
        return infer(topic, context, corpus, tokens, options, update);
    memcpy(topic, model->token_topics + first_token, tokens->tokens * sizeof *topic);
    return EZLDA_OK;
}
