/* Splits the tokens of the prior sample into an observed and a scored half. */
#include "train/priors/held_out.h"

#include "sampler/arithmetic.h"

typedef struct halves {
    uint64_t *start;         /* documents+1: places in `word` */
    uint32_t *word;          /* observed tokens, words numbered as in the run's list */
    uint64_t n_word, scored; /* tokens of either half */
} halves;

/* Whether a token is observed: one bit of its own random number. */
static bool is_observed(uint64_t key, uint32_t word, uint64_t doc, uint32_t occurrence)
{
    return ez_draw(ez_word_key(key, word), doc, occurrence) >> 63;
}

static void split_document(ez_held_out *held, halves *h, const ez_token_list *sample, uint64_t key,
                           uint64_t d)
{
    uint32_t occurrence = 0;
    for (uint64_t i = sample->doc_start[d]; i < sample->doc_start[d + 1]; i++) {
        uint32_t v = sample->word[i];
        occurrence = i > sample->doc_start[d] && sample->word[i - 1] == v ? occurrence + 1 : 0;
        if (is_observed(key, v, d, occurrence))
            h->word[h->n_word++] = sample->original[v];
        else
            held->scored[h->scored++] = v;
    }
}

ezlda_status ez_held_out_init(ez_held_out *held, ezlda_context *context, const ez_prior_sample *p,
                              uint64_t seed)
{
    const ez_token_list *sample = p->sample;
    halves h = {0};
    ezlda_status status = EZLDA_OK;
    if (!sample)
        return EZLDA_OK;
    EZ_TRY_GOTO(ez_array(&held->scored_start, context, sample->docs + 1, sizeof *held->scored_start,
                         "the held-out score"));
    EZ_TRY_GOTO(ez_array(&held->scored, context, sample->tokens, sizeof *held->scored,
                         "the held-out score"));
    EZ_TRY_GOTO(ez_array(&h.start, context, sample->docs + 1, sizeof *h.start, "document starts"));
    EZ_TRY_GOTO(ez_array(&h.word, context, sample->tokens, sizeof *h.word, "words"));
    h.start[0] = held->scored_start[0] = 0;
    for (uint64_t d = 0; d < sample->docs; d++) {
        split_document(held, &h, sample, ez_iteration_key(seed, 0), d);
        h.start[d + 1] = h.n_word;
        held->scored_start[d + 1] = h.scored;
    }
    if (h.n_word == 0 || h.scored == 0)
        goto done;
    ez_token_subset subset = {.frequency = p->rest, .longest = p->tokens->longest};
    status = ez_token_list_create_subset(&held->observed, context, sample->docs, p->tokens->words,
                                         h.start, h.word, &subset);
    h.start = NULL; /* the list owns them now */
    h.word = NULL;
done:
    ez_free(h.start);
    ez_free(h.word);
    return status;
}

void ez_held_out_free(ez_held_out *held)
{
    ez_token_list_free(held->observed);
    ez_free(held->scored_start);
    ez_free(held->scored);
}
