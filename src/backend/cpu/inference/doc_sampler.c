/* Keeps the tables of inference (infer_words.c) from one document to the next: what the backend
 * makes for a batch, made once for all words of a model. */
#include "backend/doc_sampler.h"

#include "backend/cpu/inference/infer_sampling.h"

struct ez_doc_sampler {
    ez_cpu *cpu;
    ez_infer_words words;
};

void ez_doc_sampler_free(ez_doc_sampler *sampler)
{
    if (!sampler)
        return;
    ez_infer_words_free(&sampler->words);
    if (sampler->cpu)
        sampler->cpu->base.ops->free(&sampler->cpu->base);
    ez_free(sampler);
}

static ezlda_status make(ez_doc_sampler *sampler, ezlda_context *context, ez_token_list *tokens,
                         const ez_settings *settings)
{
    ez_backend *backend = NULL;
    EZ_TRY(ez_cpu_backend.create(&backend, context, tokens, settings, NULL));
    sampler->cpu = (ez_cpu *)backend;
    EZ_TRY(backend->ops->start(backend, context));
    EZ_TRY(ez_cpu_prepare(sampler->cpu, context));
    EZ_TRY(ez_infer_words_make(&sampler->words, sampler->cpu, context));
    ez_w_rows_free(&sampler->cpu->w); /* the tables have all that is in W */
    sampler->cpu->w = (ez_w_rows){0};
    return EZLDA_OK;
}

ezlda_status ez_doc_sampler_create(ez_doc_sampler **out, ezlda_context *context,
                                   ez_token_list *tokens, const ez_settings *settings)
{
    ez_doc_sampler *sampler = NULL;
    *out = NULL;
    EZ_TRY(ez_array_zero(&sampler, context, 1, sizeof *sampler, "a sampler"));
    ezlda_status status = make(sampler, context, tokens, settings);
    if (status == EZLDA_OK)
        *out = sampler;
    else
        ez_doc_sampler_free(sampler);
    return status;
}

ezlda_status ez_doc_sampler_run(const ez_doc_sampler *sampler, ezlda_context *context,
                                const ez_doc_tokens *doc, ez_sampling *sampling, bool *done)
{
    const ez_cpu *cpu = sampler->cpu;
    ez_infer_size size = {0};
    ez_infer_doc room;
    ez_infer_size_add(&size, &sampler->words, cpu->settings->topics, doc->word, doc->n);
    *done = ez_infer_size_is_small(&size, sampling);
    if (!*done)
        return EZLDA_OK;
    ezlda_status status = ez_infer_doc_init(&room, cpu, context, &sampler->words, &size);
    if (status == EZLDA_OK)
        sampling->score = ez_infer_doc_sample(&room, cpu, &sampler->words, doc, sampling,
                                              sampling->topic, doc->n);
    ez_infer_doc_free(&room);
    return status;
}
