/* Turns the trainer's parts into a model. The parts are written into an image in the layout of the
 * model file, and each array is freed once it is written, so that two copies are never in memory
 * together. */
#include "base/memory.h"
#include "corpus/corpus.h"
#include "corpus/text/rules/text_rules.h"
#include "model/model_layout.h"

#include <string.h>

void ez_model_parts_free(ez_model_parts *parts)
{
    if (!parts)
        return;
    ez_count_rows *rows[3] = {&parts->word_rows, &parts->doc_rows, &parts->phi_rows};
    for (int i = 0; i < 3; i++) {
        ez_free(rows[i]->start);
        ez_free(rows[i]->topic);
        ez_free(rows[i]->count);
    }
    ez_free(parts->alpha);
    ez_free(parts->training);
    ez_free(parts->topic_tokens);
    ez_free(parts->token_topics);
    ez_free(parts->doc_start);
    ez_free(parts->llpt);
    ez_free(parts->edits);
    ez_free(parts->found);
    memset(parts, 0, sizeof *parts);
}

/* Writes one array as one section, frees it and clears its pointer. */
static ezlda_status move_array(ez_container_writer *writer, ezlda_context *context, uint32_t tag,
                               void *array_pointer, size_t n, size_t size)
{
    void *array;
    size_t bytes;
    memcpy(&array, array_pointer, sizeof array);
    if (!ez_mul_size(n, size, &bytes))
        return ez_fail(context, EZLDA_ERROR_INTERNAL, "model: a section of %zu x %zu bytes", n,
                       size);
    if (!array && bytes)
        return ez_fail(context, EZLDA_ERROR_INTERNAL, "model: the trainer made no section %.4s",
                       (const char *)&tag);
    EZ_TRY(ez_container_begin(writer, context, tag));
    EZ_TRY(ez_container_write(writer, context, array, bytes));
    ez_free(array);
    array = NULL;
    memcpy(array_pointer, &array, sizeof array);
    return EZLDA_OK;
}

/* Writes counts as bytes; those that do not fit a byte are collected in `large`. */
static ezlda_status write_counts(ez_container_writer *writer, ezlda_context *context,
                                 const uint32_t *count, uint64_t n, ez_buffer *large)
{
    uint8_t bytes[4096];
    for (uint64_t first = 0; first < n; first += sizeof bytes) {
        size_t block = n - first < sizeof bytes ? (size_t)(n - first) : sizeof bytes;
        for (size_t i = 0; i < block; i++) {
            uint32_t c = count[first + i];
            bytes[i] = c <= EZ_SMALL_COUNT_MAX ? (uint8_t)c : 0;
            if (c <= EZ_SMALL_COUNT_MAX)
                continue;
            ez_large_count entry = {first + i, c};
            EZ_TRY(ez_buffer_append(large, context, &entry, sizeof entry));
        }
        EZ_TRY(ez_container_write(writer, context, bytes, block));
    }
    return EZLDA_OK;
}

ezlda_status ez_model_move_rows(ez_container_writer *writer, ezlda_context *context,
                                const uint32_t tags[4], ez_count_rows *rows, uint64_t expected)
{
    if (!rows->start || rows->rows != expected)
        return ez_fail(context, EZLDA_ERROR_INTERNAL,
                       "model: the trainer made %llu rows of counts, expected %llu",
                       (unsigned long long)rows->rows, (unsigned long long)expected);
    uint64_t entries = rows->start[rows->rows];
    if (entries && !rows->count)
        return ez_fail(context, EZLDA_ERROR_INTERNAL,
                       "model: the trainer made rows without counts");
    ez_buffer large = {0};
    ezlda_status status;
    EZ_TRY_GOTO(
        move_array(writer, context, tags[0], &rows->start, rows->rows + 1, sizeof *rows->start));
    EZ_TRY_GOTO(move_array(writer, context, tags[1], &rows->topic, entries, sizeof *rows->topic));
    EZ_TRY_GOTO(ez_container_begin(writer, context, tags[2]));
    EZ_TRY_GOTO(write_counts(writer, context, rows->count, entries, &large));
    ez_free(rows->count);
    rows->count = NULL;
    EZ_TRY_GOTO(ez_container_begin(writer, context, tags[3]));
    EZ_TRY_GOTO(ez_container_write(writer, context, large.data, large.used));
done:
    ez_free(large.data);
    return status;
}

ezlda_status ez_model_write_strings(ez_container_writer *writer, ezlda_context *context,
                                    uint32_t text_tag, uint32_t index_tag, uint64_t n,
                                    ez_string_fn string, const void *user)
{
    ez_column_builder builder;
    ez_column column;
    ezlda_status status;
    ez_column_builder_init(&builder);
    for (uint64_t i = 0; i < n; i++) {
        const char *text = string(user, i);
        EZ_TRY_GOTO(ez_column_builder_add(&builder, context, text, strlen(text)));
    }
    EZ_TRY_GOTO(ez_column_builder_seal(&builder, context, &column));
    EZ_TRY_GOTO(ez_container_begin(writer, context, text_tag));
    EZ_TRY_GOTO(ez_container_write(writer, context, column.text, (size_t)column.bytes));
    EZ_TRY_GOTO(ez_container_begin(writer, context, index_tag));
    EZ_TRY_GOTO(ez_container_write(writer, context, column.index,
                                   (ez_column_groups(n) + 1) * sizeof *column.index));
done:
    ez_column_builder_free(&builder);
    return status;
}

static const char *corpus_word(const void *corpus, uint64_t word)
{
    return ezlda_corpus_word(corpus, (uint32_t)word);
}

typedef struct name_source {
    const ezlda_corpus *corpus;
    uint32_t field;
} name_source;

static const char *corpus_name(const void *user, uint64_t doc)
{
    const name_source *source = user;
    return ezlda_corpus_field_value(source->corpus, source->field, doc);
}

static ezlda_status write_names(ez_container_writer *writer, ezlda_context *context,
                                const ezlda_corpus *corpus, uint64_t docs)
{
    ezlda_corpus_info info = {.size = sizeof info};
    ezlda_corpus_get_info(corpus, &info);
    for (uint32_t field = 0; field < info.fields; field++) {
        if (strcmp(ezlda_corpus_field(corpus, field), "name") != 0)
            continue;
        name_source source = {corpus, field};
        return ez_model_write_strings(writer, context, EZ_MODEL_NAMES, EZ_MODEL_NAMES_INDEX, docs,
                                      corpus_name, &source);
    }
    return EZLDA_OK;
}

static ezlda_status write_rules(ez_container_writer *writer, ezlda_context *context,
                                const ez_model_parts *parts, const ezlda_corpus *corpus)
{
    const ezlda_text_rules *rules =
        parts->past.updates ? parts->past_rules : ezlda_corpus_text_rules(corpus);
    if (!rules)
        return EZLDA_OK;
    EZ_TRY(ez_container_begin(writer, context, EZ_MODEL_RULES));
    return ez_container_write(writer, context, rules, (size_t)ez_text_rules_bytes(rules));
}

static ezlda_status write_meta(ez_container_writer *writer, ezlda_context *context,
                               const ez_model_parts *parts)
{
    ez_model_meta meta = {
        .topics = parts->topics,
        .words = parts->words,
        .docs = parts->docs,
        .tokens = parts->tokens + parts->past.tokens,
        .seed = parts->seed,
        .beta = parts->beta,
        .moved = parts->moved,
        .topics_hash = parts->topics_hash,
        .corpus_hash = parts->corpus_hash,
        .iterations = parts->iterations,
        .estimator = (uint32_t)parts->estimator,
    };
    EZ_TRY(ez_container_begin(writer, context, EZ_MODEL_META));
    return ez_container_write(writer, context, &meta, sizeof meta);
}

static ezlda_status write_past(ez_container_writer *writer, ezlda_context *context,
                               const ez_model_parts *parts)
{
    if (!parts->past.updates)
        return EZLDA_OK;
    EZ_TRY(ez_container_begin(writer, context, EZ_MODEL_PAST));
    return ez_container_write(writer, context, &parts->past, sizeof parts->past);
}

static ezlda_status write_scores(ez_container_writer *writer, ezlda_context *context,
                                 const ez_model_parts *parts)
{
    EZ_TRY(ez_container_begin(writer, context, EZ_MODEL_LLPT));
    for (size_t i = 0; i < parts->llpt_count; i++) {
        ez_model_score score = {.iteration = parts->llpt[i].iteration, .llpt = parts->llpt[i].llpt};
        EZ_TRY(ez_container_write(writer, context, &score, sizeof score));
    }
    return EZLDA_OK;
}

static ezlda_status write_run(ez_container_writer *writer, ezlda_context *context,
                              const ez_model_parts *parts)
{
    ez_model_run run = {
        .seconds_sampling = parts->seconds_sampling,
        .skipped = parts->skipped,
        .threads = parts->threads > 0 ? (uint32_t)parts->threads : 0,
    };
    memcpy(run.device, parts->device, strnlen(parts->device, sizeof run.device - 1));
    EZ_TRY(ez_container_begin(writer, context, EZ_MODEL_RUN));
    EZ_TRY(ez_container_write(writer, context, &run, sizeof run));
    for (size_t i = 0; i < parts->llpt_count; i++)
        EZ_TRY(ez_container_write(writer, context, &parts->llpt[i].seconds,
                                  sizeof parts->llpt[i].seconds));
    return EZLDA_OK;
}

/* Writes the sum of the samples, if there is one. */
static ezlda_status move_phi(ez_container_writer *writer, ezlda_context *context,
                             ez_model_parts *parts)
{
    static const uint32_t tags[4] = EZ_MODEL_PHI_TAGS;
    const ez_count_rows *rows = &parts->phi_rows;
    ez_phi_meta meta = {.samples = parts->samples};
    uint64_t *tokens = NULL;
    if (parts->samples == 0)
        return EZLDA_OK;
    EZ_TRY(ez_container_begin(writer, context, EZ_MODEL_PHI_META));
    EZ_TRY(ez_container_write(writer, context, &meta, sizeof meta));
    EZ_TRY(ez_array_zero(&tokens, context, parts->topics, sizeof *tokens, "topic sums"));
    for (uint64_t i = 0; i < rows->start[rows->rows]; i++)
        tokens[rows->topic[i]] += rows->count[i];
    ezlda_status status =
        move_array(writer, context, EZ_MODEL_PHI_TOKENS, &tokens, parts->topics, sizeof *tokens);
    ez_free(tokens);
    EZ_TRY(status);
    return ez_model_move_rows(writer, context, tags, &parts->phi_rows, parts->words);
}

static ezlda_status write_edits(ez_container_writer *writer, ezlda_context *context,
                                const ez_model_parts *parts)
{
    if (!parts->edits)
        return EZLDA_OK;
    EZ_TRY(ez_container_begin(writer, context, EZ_MODEL_EDITS));
    return ez_container_write(writer, context, parts->edits, strlen(parts->edits) + 1);
}

static ezlda_status write_found(ez_container_writer *writer, ezlda_context *context,
                                const ez_model_parts *parts)
{
    if (!parts->found)
        return EZLDA_OK;
    EZ_TRY(ez_container_begin(writer, context, EZ_MODEL_FOUND));
    EZ_TRY(ez_container_write(writer, context, &parts->ensemble, sizeof parts->ensemble));
    return ez_container_write(writer, context, parts->found, parts->topics * sizeof *parts->found);
}

/* The section RUN comes last, so that two files of the same run differ only in their last section
 * and its checksum. */
static ezlda_status write_parts(ez_container_writer *writer, ezlda_context *context,
                                ez_model_parts *parts, const ezlda_corpus *corpus)
{
    static const uint32_t w_tags[4] = EZ_MODEL_W_TAGS;
    static const uint32_t d_tags[4] = EZ_MODEL_D_TAGS;
    EZ_TRY(write_meta(writer, context, parts));
    EZ_TRY(write_past(writer, context, parts));
    EZ_TRY(move_array(writer, context, EZ_MODEL_ALPHA, &parts->alpha, parts->topics,
                      sizeof *parts->alpha));
    EZ_TRY(move_array(writer, context, EZ_MODEL_TOPIC_TOKENS, &parts->topic_tokens, parts->topics,
                      sizeof *parts->topic_tokens));
    EZ_TRY(ez_model_move_rows(writer, context, w_tags, &parts->word_rows, parts->words));
    EZ_TRY(ez_model_move_rows(writer, context, d_tags, &parts->doc_rows, parts->docs));
    EZ_TRY(move_phi(writer, context, parts));
    EZ_TRY(move_array(writer, context, EZ_MODEL_DOC_START, &parts->doc_start, parts->docs + 1,
                      sizeof *parts->doc_start));
    EZ_TRY(ez_model_write_strings(writer, context, EZ_MODEL_WORDS, EZ_MODEL_WORDS_INDEX,
                                  parts->words, corpus_word, corpus));
    EZ_TRY(write_names(writer, context, corpus, parts->docs));
    EZ_TRY(write_rules(writer, context, parts, corpus));
    EZ_TRY(write_scores(writer, context, parts));
    if (parts->training)
        EZ_TRY(move_array(writer, context, EZ_MODEL_TRAINING, &parts->training,
                          (size_t)parts->topics + 1, sizeof *parts->training));
    if (parts->token_topics)
        EZ_TRY(move_array(writer, context, EZ_MODEL_TOKEN_TOPICS, &parts->token_topics,
                          parts->tokens, sizeof *parts->token_topics));
    EZ_TRY(write_edits(writer, context, parts));
    EZ_TRY(write_found(writer, context, parts));
    return write_run(writer, context, parts);
}

static ezlda_status check_corpus(ezlda_context *context, const ez_model_parts *parts,
                                 const ezlda_corpus *corpus)
{
    ez_corpus_sizes sizes;
    ez_corpus_sizes_of(corpus, &sizes);
    if (sizes.docs == parts->docs && sizes.words == parts->words && sizes.tokens == parts->tokens)
        return EZLDA_OK;
    return ez_fail(
        context, EZLDA_ERROR_INTERNAL,
        "model: %llu documents, %u words and %llu tokens, but the corpus has %llu, %u and %llu",
        (unsigned long long)parts->docs, parts->words, (unsigned long long)parts->tokens,
        (unsigned long long)sizes.docs, sizes.words, (unsigned long long)sizes.tokens);
}

ezlda_status ez_model_create(ezlda_model **out, ezlda_context *context, ez_model_parts *parts,
                             const ezlda_corpus *corpus)
{
    ez_container_writer *writer = NULL;
    ez_container *image = NULL;
    ezlda_status status;
    *out = NULL;
    EZ_TRY_GOTO(check_corpus(context, parts, corpus));
    EZ_TRY_GOTO(ez_container_writer_open_scratch(&writer, context, parts->scratch, EZ_MODEL_MAGIC,
                                                 parts->past.updates ? EZ_MODEL_VERSION_UPDATED
                                                                     : EZ_MODEL_VERSION));
    status = write_parts(writer, context, parts, corpus);
    if (status != EZLDA_OK) {
        ez_container_writer_abandon(writer);
        goto done;
    }
    EZ_TRY_GOTO(ez_container_finish(writer, context, &image));
    EZ_TRY_GOTO(ez_model_open(out, context, image, "model", EZLDA_ERROR_INTERNAL));
    (*out)->device_memory_peak = parts->device_memory_peak;
    (*out)->seconds_tokens = parts->seconds_tokens;
    (*out)->seconds_open = parts->seconds_open;
    (*out)->seconds_setup = parts->seconds_setup;
    (*out)->seconds_checks = parts->seconds_checks;
    (*out)->iterations_run = parts->iterations_run;
    (*out)->chunks = parts->chunks;
    (*out)->start = parts->start;
    memcpy((*out)->stopped, parts->stopped, sizeof parts->stopped);
done:
    ez_model_parts_free(parts);
    return status;
}
