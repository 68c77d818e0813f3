/* Chooses the documents of the prior sample and makes their token list. */
#include "train/priors/prior_sample.h"

#include "sampler/arithmetic.h"

#include <string.h>

/* One document in this many is in the sample, and at most this many; if there were fewer than the
 * least, there is no sample. */
enum { EZ_SAMPLE_SHARE = 16, EZ_SAMPLE_MOST = 1024, EZ_SAMPLE_LEAST = 16 };

/* The documents of the sample that this rank has. */
typedef struct finding {
    ezlda_context *context;
    uint64_t seed;
    ez_buffer length, word; /* uint64_t of a document, uint32_t of a token */
    ez_buffer *place;
} finding;

static ezlda_status add_document(finding *f, const ez_token_list *t, uint64_t d, uint64_t before)
{
    uint64_t first = t->doc_start[d], length = t->doc_start[d + 1] - first;
    EZ_TRY(ez_buffer_append(&f->length, f->context, &length, sizeof length));
    for (uint64_t i = first; i < first + length; i++) {
        uint64_t place = before + i;
        EZ_TRY(ez_buffer_append(f->place, f->context, &place, sizeof place));
    }
    return ez_buffer_append(&f->word, f->context, t->word + first, length * sizeof *t->word);
}

/* Adds the documents whose random number is low enough. */
static ezlda_status find_documents(ez_token_list *t, uint64_t before, void *user)
{
    finding *f = user;
    uint64_t wanted = t->all_docs / EZ_SAMPLE_SHARE, key = ez_iteration_key(f->seed, 0);
    wanted = wanted < EZ_SAMPLE_MOST ? wanted : EZ_SAMPLE_MOST;
    for (uint64_t d = 0; d < t->docs && wanted >= EZ_SAMPLE_LEAST; d++)
        if (ez_mulhi(ez_draw(key, t->first_doc + d, 0), t->all_docs) < wanted)
            EZ_TRY(add_document(f, t, d, before));
    return EZLDA_OK;
}

/* Counts, over all ranks, the tokens of words outside the sample. */
static ezlda_status count_rest(ez_prior_sample *p, ezlda_context *context, const finding *f,
                               ezlda_group *group)
{
    const ez_token_list *t = p->tokens;
    const uint32_t *word = (const uint32_t *)f->word.data;
    for (size_t i = 0; i < f->word.used / sizeof *word; i++)
        p->rest[word[i]]++;
    EZ_TRY(ez_group_sum64(group, context, p->rest, t->words));
    for (uint32_t v = 0; v < t->words; v++) {
        p->rest[v] = ez_word_frequency(t, v) - p->rest[v];
        p->dropped += p->rest[v] > 0 ? 0 : ez_word_frequency(t, v);
    }
    return EZLDA_OK;
}

/* Drops tokens of words that only the sample has, and keeps their places apart. */
static ezlda_status drop_unknown(ez_prior_sample *p, finding *f)
{
    uint64_t *length = (uint64_t *)f->length.data, *place = (uint64_t *)f->place->data;
    uint32_t *word = (uint32_t *)f->word.data;
    size_t kept = 0, i = 0;
    for (size_t d = 0; d < f->length.used / sizeof *length; d++) {
        size_t first = kept, last = i + length[d];
        for (; i < last; i++) {
            if (p->rest[word[i]] == 0) {
                EZ_TRY(ez_buffer_append(&p->dropped_place, f->context, &place[i], sizeof *place));
                continue;
            }
            place[kept] = place[i];
            word[kept++] = word[i];
        }
        length[d] = kept - first;
    }
    f->word.used = kept * sizeof *word;
    f->place->used = kept * sizeof *place;
    return EZLDA_OK;
}

/* Makes the token list of the sample from the lengths and words of its documents. */
static ezlda_status make_sample(ez_prior_sample *p, ezlda_context *context, ez_buffer *lengths,
                                ez_buffer *words)
{
    uint64_t docs = lengths->used / sizeof(uint64_t), *start = NULL, at = 0;
    uint32_t *word = NULL;
    ezlda_status status = ez_array(&start, context, docs + 1, sizeof *start, "document starts");
    if (status == EZLDA_OK)
        status = ez_array(&word, context, words->used / sizeof *word, sizeof *word,
                          "the words of all tokens");
    if (status != EZLDA_OK) {
        ez_free(start);
        return status;
    }
    for (uint64_t s = 0; s < docs; s++) {
        start[s] = at;
        at += ((const uint64_t *)lengths->data)[s];
    }
    start[docs] = at;
    memcpy(word, words->data, words->used);
    ez_token_subset part = {.frequency = p->rest, .longest = p->tokens->longest};
    return ez_token_list_create_subset(&p->sample, context, docs, p->tokens->words, start, word,
                                       &part);
}

ezlda_status ez_prior_sample_init(ez_prior_sample *p, ezlda_context *context, ez_token_list *tokens,
                                  const ez_settings *settings)
{
    finding f = {.context = context, .seed = settings->seed, .place = &p->place};
    ezlda_status status;
    p->tokens = tokens;
    EZ_TRY_GOTO(
        ez_array_zero(&p->rest, context, tokens->words, sizeof *p->rest, "the prior sample"));
    EZ_TRY_GOTO(ez_each_list(tokens, settings->source, context, find_documents, &f));
    EZ_TRY_GOTO(count_rest(p, context, &f, settings->group));
    EZ_TRY_GOTO(drop_unknown(p, &f));
    EZ_TRY_GOTO(ez_group_join(settings->group, context, &f.length));
    EZ_TRY_GOTO(ez_group_join(settings->group, context, &f.word));
    if (f.word.used > 0)
        status = make_sample(p, context, &f.length, &f.word);
done:
    ez_free(f.length.data);
    ez_free(f.word.data);
    return status;
}

void ez_prior_sample_free(ez_prior_sample *p)
{
    ez_token_list_free(p->sample);
    ez_free(p->place.data);
    ez_free(p->dropped_place.data);
    ez_free(p->rest);
}
