/* Infers single documents without delay: the word index, the rows of W in a backend's order and the
 * tables of the sampler are made once and kept in a handle, which threads share. A call touches the
 * words of its document and nothing else of the model. */
#include "backend/doc_sampler.h"
#include "base/options_struct.h"
#include "infer/infer_batch.h"
#include "infer/infer_rows.h"
#include "infer/unseen_score.h"
#include "model/model_layout.h"
#include "model/word_map.h"
#include "sampler/arithmetic.h"
#include "sampler/log2_fixed.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct ezlda_inferencer {
    ez_inference f; /* the options, settings and rows of W of every call */
    ez_word_index index;
    ez_token_list *tokens;   /* every word that has tokens in the model, once */
    uint32_t *label;         /* words: their numbers by falling frequency */
    int bits;                /* documents of other weight bits have other tables */
    ez_doc_sampler *sampler; /* NULL: no word has tokens */
};

/* ---- what is made once ---- */

static ezlda_status check_defaults(ezlda_context *context, const ez_inference *f)
{
    const ezlda_infer_options *o = &f->options;
    if (f->choice.kind != EZ_DEVICE_AUTO && f->choice.kind != EZ_DEVICE_CPU)
        return ez_fail(context, EZLDA_ERROR_ARGUMENT,
                       "device is %s; an inferencer uses the CPU: expected auto or cpu", o->device);
    if (o->device_memory || o->batch || o->progress)
        return ez_fail(context, EZLDA_ERROR_ARGUMENT,
                       "an inferencer has no device_memory, batch or progress");
    return EZLDA_OK;
}

/* Lists every word with tokens in a document of its own. */
static ezlda_status list_words(ezlda_inferencer *h, ezlda_context *context)
{
    const ezlda_model *model = h->f.model;
    uint32_t words = model->meta->words, n = 0;
    uint64_t *start = NULL;
    uint32_t *word = NULL;
    ez_token_subset subset = {.frequency = model->phi.word_tokens};
    EZ_TRY(ez_array(&start, context, (size_t)words + 1, sizeof *start, "words"));
    ezlda_status status = ez_array(&word, context, words, sizeof *word, "words");
    if (status != EZLDA_OK) {
        ez_free(start);
        return status;
    }
    for (uint32_t v = 0; v < words; v++) {
        if (model->word_tokens[v] == 0)
            continue;
        start[n] = n;
        word[n++] = v;
    }
    start[n] = n;
    EZ_TRY(ez_token_list_create_subset(&h->tokens, context, n, words, start, word, &subset));
    EZ_TRY(ez_array(&h->label, context, words, sizeof *h->label, "words"));
    for (uint32_t v = 0; v < words; v++)
        h->label[h->tokens->original[v]] = v;
    return EZLDA_OK;
}

static ezlda_status make_sampler(ezlda_inferencer *h, ezlda_context *context)
{
    uint16_t *start = NULL;
    EZ_TRY(ez_array_zero(&start, context, h->tokens->tokens, sizeof *start, "topics"));
    h->f.settings.start_topics = start;
    ezlda_status status = ez_doc_sampler_create(&h->sampler, context, h->tokens, &h->f.settings);
    h->f.settings.start_topics = NULL;
    ez_free(start);
    return status;
}

static ezlda_status make(ezlda_inferencer *h, ezlda_context *context,
                         const ezlda_infer_options *options)
{
    h->f.context = context;
    EZ_TRY(ez_inference_options(&h->f, options));
    EZ_TRY(check_defaults(context, &h->f));
    h->f.choice = (ez_device_choice){.kind = EZ_DEVICE_CPU};
    h->f.options.device = "cpu"; /* the caller's text may be gone by the time of a call */
    EZ_TRY(ez_inference_settings(&h->f));
    EZ_TRY(ez_word_index_make(&h->index, context, h->f.model));
    EZ_TRY(list_words(h, context));
    EZ_TRY(ez_model_base_make(&h->f.base, context, h->f.model, h->tokens->original));
    h->f.has_base = true;
    h->bits = ez_weight_bits(1, h->f.settings.priors.alpha_sum);
    EZ_TRY(h->tokens->tokens > 0 ? make_sampler(h, context) : EZLDA_OK);
    h->f.context = NULL;
    return EZLDA_OK;
}

ezlda_status ezlda_inferencer_create(ezlda_inferencer **out, ezlda_context *context,
                                     const ezlda_model *model, const ezlda_infer_options *options)
{
    ezlda_inferencer *h = NULL;
    ez_clear(context);
    EZ_TRY(ez_needs(context, out, "an inferencer to return"));
    *out = NULL;
    EZ_TRY(ez_needs(context, model, "a model"));
    EZ_TRY(ez_array_zero(&h, context, 1, sizeof *h, "an inferencer"));
    h->f.model = model;
    ezlda_status status = make(h, context, options);
    if (status == EZLDA_OK)
        *out = h;
    else
        ezlda_inferencer_free(h);
    return status;
}

void ezlda_inferencer_free(ezlda_inferencer *inferencer)
{
    if (!inferencer)
        return;
    ez_doc_sampler_free(inferencer->sampler);
    ez_token_list_free(inferencer->tokens);
    ez_free(inferencer->label);
    ez_word_index_free(&inferencer->index);
    ez_inference_close(&inferencer->f);
    ez_free(inferencer);
}

uint32_t ezlda_inferencer_word(const ezlda_inferencer *inferencer, const char *text)
{
    return ez_word_index_find(&inferencer->index, text);
}

/* ---- one document ---- */

typedef struct one_doc {
    ez_inference f; /* a copy, for this call */
    const ezlda_inferencer *h;
    uint32_t *pair;  /* the numbers of its sampled words, ascending, with repeats */
    uint32_t *label; /* tokens: the same words by frequency */
    uint16_t *samples;
    uint64_t tokens, unknown_words;
    ez_other_tokens other;
} one_doc;

static int ascending(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

/* Splits the tokens into those that are sampled and others. Each entry of an unknown number is a
 * word of its own. */
static ezlda_status count_tokens(one_doc *d, const uint32_t *word, const uint32_t *count, size_t n)
{
    const ezlda_model *model = d->f.model;
    for (size_t i = 0; i < n; i++) {
        uint32_t c = count ? count[i] : 1;
        bool known = word[i] < model->meta->words, seen = known && model->word_tokens[word[i]] > 0;
        d->unknown_words += !known && c > 0;
        d->other.unknown += known ? 0 : c;
        d->other.unseen += known && !seen ? c : 0;
        d->tokens += seen ? c : 0;
    }
    return ez_token_list_check(d->f.context, 1, d->tokens);
}

/* Lists the tokens by ascending words, as in a corpus with the model's words. */
static ezlda_status list_tokens(one_doc *d, const uint32_t *word, const uint32_t *count, size_t n)
{
    const ezlda_model *model = d->f.model;
    uint64_t at = 0;
    EZ_TRY(ez_array(&d->pair, d->f.context, d->tokens, sizeof *d->pair, "a document"));
    EZ_TRY(ez_array(&d->label, d->f.context, d->tokens, sizeof *d->label, "a document"));
    for (size_t i = 0; i < n; i++)
        if (word[i] < model->meta->words && model->word_tokens[word[i]] > 0)
            for (uint32_t left = count ? count[i] : 1; left > 0; left--)
                d->pair[at++] = word[i];
    bool sorted = true;
    for (uint64_t i = 1; sorted && i < at; i++)
        sorted = d->pair[i - 1] <= d->pair[i];
    if (!sorted)
        qsort(d->pair, at, sizeof *d->pair, ascending);
    for (uint64_t i = 0; i < at; i++)
        d->label[i] = d->h->label[d->pair[i]];
    return EZLDA_OK;
}

/* Samples the document with the tables of the handle; *done is false if they do not fit it. */
static ezlda_status sample_quickly(one_doc *d, bool *done)
{
    const ezlda_infer_options *o = &d->f.options;
    uint16_t *start = NULL;
    ez_sampling sampling = {
        .iterations = o->iterations, .samples = o->samples, .thin = o->thin, .topic = d->samples};
    *done = ez_weight_bits(d->tokens, d->f.settings.priors.alpha_sum) == d->h->bits;
    if (!*done)
        return EZLDA_OK;
    EZ_TRY(ez_array(&start, d->f.context, d->tokens, sizeof *start, "topics"));
    ez_doc_tokens doc = {ez_content_key(d->label, d->tokens), (uint32_t)d->tokens, d->label, start};
    ez_model_base_start_doc(&d->f.base, o->seed, doc.key, d->label, d->tokens, start);
    ezlda_status status = ez_doc_sampler_run(d->h->sampler, d->f.context, &doc, &sampling, done);
    d->f.score += *done ? sampling.score : 0;
    ez_free(start);
    return status;
}

/* Samples a very long document as ezlda_infer does. */
static ezlda_status sample_slowly(one_doc *d)
{
    uint64_t *start = NULL;
    ez_token_list *list = NULL;
    ez_token_subset subset = {.frequency = d->f.model->phi.word_tokens};
    EZ_TRY(ez_array_zero(&start, d->f.context, 2, sizeof *start, "a document"));
    start[1] = d->tokens;
    uint32_t *word = d->pair;
    d->pair = NULL; /* the list owns it, also after an error */
    EZ_TRY(ez_token_list_create_subset(&list, d->f.context, 1, d->f.model->meta->words, start, word,
                                       &subset));
    ezlda_status status = ez_token_list_key_documents(list, d->f.context);
    if (status == EZLDA_OK)
        status = ez_infer_sample(&d->f, list, d->samples);
    ez_token_list_free(list);
    return status;
}

static ezlda_status sample(one_doc *d)
{
    bool done = false;
    size_t all;
    if (d->tokens == 0)
        return EZLDA_OK;
    if (!ez_mul_size(d->tokens, d->f.options.samples, &all))
        return ez_fail(d->f.context, EZLDA_ERROR_MEMORY, "%u samples are too many",
                       d->f.options.samples);
    EZ_TRY(ez_array(&d->samples, d->f.context, all, sizeof *d->samples, "samples"));
    EZ_TRY(sample_quickly(d, &done));
    return done ? EZLDA_OK : sample_slowly(d);
}

/* ---- results ---- */

static const uint16_t *last_sample(const one_doc *d)
{
    return d->samples ? d->samples + d->tokens * (d->f.options.samples - 1) : NULL;
}

static ezlda_status fill_info(one_doc *d, const ez_token_list *list, ezlda_infer_info *info)
{
    uint64_t tokens = d->tokens + d->other.unseen;
    EZ_TRY(ez_unseen_score(&d->f.score, d->f.context, d->f.model, &d->f.settings.priors, list,
                           last_sample(d), &d->other));
    ezlda_infer_info all = {
        .size = sizeof all,
        .docs = 1,
        .tokens = tokens,
        .docs_without = d->tokens == 0,
        .unknown_tokens = d->other.unknown,
        .unknown_words = (uint32_t)d->unknown_words,
        .llpt = tokens ? (double)d->f.score / (double)(1 << EZ_LOG2_BITS) / (double)tokens : NAN,
        .unseen_tokens = d->other.unseen,
    };
    memcpy(all.device, "cpu", sizeof "cpu");
    EZ_TRY(ez_hasher_create(&d->f.hasher, d->f.context));
    if (d->tokens > 0)
        EZ_TRY(ez_hasher_add(d->f.hasher, d->f.context, last_sample(d),
                             d->tokens * sizeof *d->samples));
    EZ_TRY(ez_hasher_finish(d->f.hasher, d->f.context, &all.topics_hash));
    ez_struct_write(info, &all, sizeof all);
    return EZLDA_OK;
}

static ezlda_status pass_on(one_doc *d, ezlda_infer_info *info, ezlda_doc_row_fn row, void *user)
{
    uint64_t start[2] = {0, d->tokens};
    ez_token_list list = {.docs = 1, .tokens = d->tokens, .doc_start = start};
    const ez_row_receiver to = {.row = row, .user = user};
    EZ_TRY(ez_infer_rows(d->f.context, &list, d->samples, d->f.options.samples,
                         d->f.settings.topics, &d->other, &to));
    return info ? fill_info(d, &list, info) : EZLDA_OK;
}

ezlda_status ezlda_inferencer_infer(ezlda_infer_info *info, ezlda_context *context,
                                    const ezlda_inferencer *inferencer, const uint32_t *words,
                                    const uint32_t *counts, size_t n, ezlda_doc_row_fn row,
                                    void *user)
{
    one_doc d = {.h = inferencer};
    ezlda_status status;
    ez_clear(context);
    EZ_TRY(ez_needs(context, inferencer, "an inferencer"));
    if (n > 0)
        EZ_TRY(ez_needs(context, words, "the words of a document"));
    d.f = inferencer->f;
    d.f.context = context;
    EZ_TRY_GOTO(count_tokens(&d, words, counts, n));
    EZ_TRY_GOTO(list_tokens(&d, words, counts, n));
    EZ_TRY_GOTO(sample(&d));
    status = pass_on(&d, info, row, user);
done:
    ez_hasher_free(d.f.hasher);
    ez_free(d.pair);
    ez_free(d.label);
    ez_free(d.samples);
    return status;
}
