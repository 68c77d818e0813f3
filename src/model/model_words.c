/* Copies a model with other words, section by section. */
#include "corpus/text/string_table.h"
#include "model/model_layout.h"

#include <string.h>

static ezlda_status check_words(ezlda_context *context, const ezlda_model *model,
                                const char *const *words, uint32_t n)
{
    ez_strings table = {0};
    ezlda_status status = EZLDA_OK;
    uint32_t id;
    bool added;
    if (n != model->meta->words)
        return ez_fail(context, EZLDA_ERROR_ARGUMENT, "%u words for a model that has %u", n,
                       model->meta->words);
    for (uint32_t i = 0; i < n && status == EZLDA_OK; i++) {
        if (!words[i] || !*words[i]) {
            status =
                ez_fail(context, EZLDA_ERROR_ARGUMENT, "word %u: expected a word, found none", i);
            break;
        }
        status = ez_strings_add(&table, context, words[i], strlen(words[i]), &id, &added);
        if (status == EZLDA_OK && !added)
            status = ez_fail(context, EZLDA_ERROR_ARGUMENT,
                             "word %u is \"%s\" again; expected words that differ", i, words[i]);
    }
    ez_strings_free(&table);
    return status;
}

static const char *new_word(const void *words, uint64_t i)
{
    return ((const char *const *)words)[i];
}

ezlda_status ez_model_copy_section(ez_container_writer *writer, ezlda_context *context,
                                   const ez_container *from, uint32_t tag)
{
    uint64_t bytes = 0;
    const void *data = ez_container_section(from, tag, &bytes);
    if (!data)
        return EZLDA_OK;
    EZ_TRY(ez_container_begin(writer, context, tag));
    return ez_container_write(writer, context, data, (size_t)bytes);
}

/* Copies in the order of a model file. The text rules are not copied, because the new words do not
 * come from them. */
static ezlda_status copy_model(ez_container_writer *writer, ezlda_context *context,
                               const ezlda_model *model, const char *const *words)
{
    static const uint32_t before[] = {
        EZ_MODEL_META,      EZ_MODEL_PAST,      EZ_MODEL_ALPHA,      EZ_MODEL_TOPIC_TOKENS,
        EZ_MODEL_W_START,   EZ_MODEL_W_TOPIC,   EZ_MODEL_W_COUNT,    EZ_MODEL_W_LARGE,
        EZ_MODEL_D_START,   EZ_MODEL_D_TOPIC,   EZ_MODEL_D_COUNT,    EZ_MODEL_D_LARGE,
        EZ_MODEL_DOC_START, EZ_MODEL_PHI_META,  EZ_MODEL_PHI_TOKENS, EZ_MODEL_PHI_START,
        EZ_MODEL_PHI_TOPIC, EZ_MODEL_PHI_COUNT, EZ_MODEL_PHI_LARGE};
    static const uint32_t after[] = {
        EZ_MODEL_NAMES,         EZ_MODEL_NAMES_INDEX,  EZ_MODEL_LLPT,  EZ_MODEL_TRAINING,
        EZ_MODEL_TOKEN_TOPICS,  EZ_MODEL_EDITS,        EZ_MODEL_FOUND, EZ_MODEL_SAMPLES,
        EZ_MODEL_SAMPLES_START, EZ_MODEL_SAMPLES_ROWS, EZ_MODEL_RUN};
    for (size_t i = 0; i < sizeof before / sizeof *before; i++)
        EZ_TRY(ez_model_copy_section(writer, context, ez_model_file(model), before[i]));
    EZ_TRY(ez_model_write_strings(writer, context, EZ_MODEL_WORDS, EZ_MODEL_WORDS_INDEX,
                                  model->meta->words, new_word, words));
    for (size_t i = 0; i < sizeof after / sizeof *after; i++)
        EZ_TRY(ez_model_copy_section(writer, context, ez_model_file(model), after[i]));
    return EZLDA_OK;
}

void ez_model_copy_facts(ezlda_model *to, const ezlda_model *from)
{
    to->device_memory_peak = from->device_memory_peak;
    to->seconds_tokens = from->seconds_tokens;
    to->seconds_open = from->seconds_open;
    to->seconds_setup = from->seconds_setup;
    to->seconds_checks = from->seconds_checks;
    to->iterations_run = from->iterations_run;
    to->chunks = from->chunks;
    to->start = from->start;
    memcpy(to->stopped, from->stopped, sizeof to->stopped);
}

ezlda_status ezlda_model_with_words(ezlda_model **out, ezlda_context *context,
                                    const ezlda_model *model, const char *const *words,
                                    uint32_t n_words)
{
    ez_container_writer *writer = NULL;
    ez_container *image = NULL;
    ez_clear(context);
    if (!out || !model || !words)
        return ez_fail(context, EZLDA_ERROR_ARGUMENT,
                       "ezlda_model_with_words: expected a model and words");
    *out = NULL;
    EZ_TRY(check_words(context, model, words, n_words));
    EZ_TRY(
        ez_container_writer_open(&writer, context, NULL, EZ_MODEL_MAGIC, ez_model_version(model)));
    ezlda_status status = copy_model(writer, context, model, words);
    if (status != EZLDA_OK) {
        ez_container_writer_abandon(writer);
        return status;
    }
    EZ_TRY(ez_container_finish(writer, context, &image));
    EZ_TRY(ez_model_open(out, context, image, "words", EZLDA_ERROR_ARGUMENT));
    ez_model_copy_facts(*out, model);
    return EZLDA_OK;
}
