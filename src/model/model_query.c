/* Answers the public queries of a model, except the ordered lists in top_list.c. The content was
 * checked when the model was opened. */
#include "model/model_layout.h"

#include "base/options_struct.h"

#include <string.h>

void ezlda_model_get_info(const ezlda_model *model, ezlda_model_info *info)
{
    const ez_model_meta *meta = model->meta;
    ezlda_model_info full = {
        .size = sizeof full,
        .docs = meta->docs,
        .words = meta->words,
        .tokens = meta->tokens,
        .topics = meta->topics,
        .iterations = meta->iterations,
        .seed = meta->seed,
        .alpha_sum = model->alpha_sum,
        .beta = meta->beta,
        .estimator = (ezlda_estimator)meta->estimator,
        .seconds_sampling = model->run->seconds_sampling,
        .skipped = model->run->skipped,
        .moved = meta->moved,
        .topics_hash = meta->topics_hash,
        .corpus_hash = meta->corpus_hash,
        .threads = (int)model->run->threads,
        .llpt_count = model->llpt_count,
        .has_topics = model->token_topics != NULL,
        .device_memory_peak_bytes = model->device_memory_peak,
        .seconds_tokens = model->seconds_tokens,
        .seconds_setup = model->seconds_setup,
    };
    full.seconds_open = model->seconds_open;
    full.seconds_checks = model->seconds_checks;
    full.iterations_run = model->iterations_run;
    full.chunks = model->chunks;
    full.start = model->start;
    full.word_samples = model->phi.samples;
    full.updates = model->past ? model->past->updates : 0;
    full.past_docs = model->past ? model->past->docs : 0;
    full.doc_tokens = ez_model_own_tokens(model);
    full.members = model->ensemble ? model->ensemble->members : 0;
    full.members_threshold = model->ensemble ? model->ensemble->threshold : 0;
    memcpy(full.device, model->run->device, sizeof full.device);
    memcpy(full.stopped, model->stopped, sizeof full.stopped);
    ez_struct_write(info, &full, sizeof full);
}

int ezlda_model_llpt(const ezlda_model *model, size_t i, uint32_t *iteration, double *seconds,
                     double *llpt)
{
    if (i >= model->llpt_count)
        return 0;
    *iteration = model->llpt[i].iteration;
    *seconds = model->run_seconds[i];
    *llpt = model->llpt[i].llpt;
    return 1;
}

const ezlda_text_rules *ezlda_model_text_rules(const ezlda_model *model)
{
    return model ? model->rules : NULL;
}

const ezlda_text_rules *ezlda_model_reading_rules(const ezlda_model *model)
{
    return model && !model->rules ? model->guessed : ezlda_model_text_rules(model);
}

const char *ezlda_model_word(const ezlda_model *model, uint32_t word)
{
    return word < model->meta->words ? ez_column_at(&model->words, word) : NULL;
}

const char *ezlda_model_doc_name(const ezlda_model *model, uint64_t doc)
{
    if (doc >= model->meta->docs)
        return NULL;
    return model->names.index ? ez_column_at(&model->names, doc) : "";
}

const double *ezlda_model_alpha(const ezlda_model *model)
{
    return model->alpha;
}

const uint64_t *ezlda_model_topic_tokens(const ezlda_model *model)
{
    return model->topic_tokens;
}

const uint32_t *ezlda_model_found(const ezlda_model *model)
{
    return model->found;
}

const uint64_t *ezlda_model_sampled_tokens(const ezlda_model *model)
{
    return model->phi.topic_tokens;
}

uint64_t ezlda_model_word_tokens(const ezlda_model *model, uint32_t word)
{
    return word < model->meta->words ? model->word_tokens[word] : 0;
}

uint64_t ezlda_model_doc_tokens(const ezlda_model *model, uint64_t doc)
{
    return doc < model->meta->docs ? model->doc_start[doc + 1] - model->doc_start[doc] : 0;
}

size_t ezlda_model_word_topics(const ezlda_model *model, uint32_t word, uint32_t *topic,
                               uint32_t *count, size_t capacity)
{
    return word < model->meta->words ? ez_rows_copy(&model->word_rows, word, topic, count, capacity)
                                     : 0;
}

size_t ezlda_model_sampled_topics(const ezlda_model *model, uint32_t word, uint32_t *topic,
                                  uint32_t *count, size_t capacity)
{
    return word < model->meta->words ? ez_rows_copy(&model->phi.rows, word, topic, count, capacity)
                                     : 0;
}

size_t ezlda_model_doc_topics(const ezlda_model *model, uint64_t doc, uint32_t *topic,
                              uint32_t *count, size_t capacity)
{
    return doc < model->meta->docs ? ez_rows_copy(&model->doc_rows, doc, topic, count, capacity)
                                   : 0;
}

const uint16_t *ezlda_model_token_topics(const ezlda_model *model, uint64_t doc)
{
    return model->token_topics && doc < model->meta->docs
               ? model->token_topics + model->doc_start[doc]
               : NULL;
}
