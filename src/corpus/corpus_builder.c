/* Builds a corpus in memory: documents in order, their fields, then the vocabulary. Large parts
 * spill to temporary files (spool.h). */
#include "corpus/corpus_image.h"

#include "base/files/content_hash.h"
#include "base/task_slots.h"
#include "corpus/text/rules/text_rules.h"

#include <stdio.h>
#include <string.h>

enum { EZ_WORDS = 0, EZ_NAMES = 1, EZ_FIELDS = 2 }; /* indices of the column builders */

struct ez_corpus_builder {
    ezlda_corpus *corpus;
    ez_corpus_mark now; /* sums over the documents so far */
    uint64_t order_now; /* bytes of the order so far */
    bool keeps_order;
    bool keeps_text;
    ez_text_store text;
    ez_doc_run one;
};

static ezlda_status start(ez_corpus_builder *builder, ezlda_context *context,
                          const char *const *fields, uint32_t n_fields)
{
    EZ_TRY(ez_array_zero(&builder->corpus, context, 1, sizeof *builder->corpus, "a corpus"));
    ezlda_corpus *corpus = builder->corpus;
    ez_spool_init(&corpus->doc_spool, EZ_SPOOL_LIMIT);
    ez_spool_init(&corpus->order_spool, EZ_SPOOL_LIMIT);
    ez_spool_init(&corpus->text_spool, EZ_SPOOL_LIMIT);
    EZ_TRY(ez_array(&corpus->column_builders, context, (size_t)n_fields + EZ_FIELDS,
                    sizeof *corpus->column_builders, "a corpus' strings"));
    corpus->n_column_builders = n_fields + EZ_FIELDS;
    corpus->meta.fields = n_fields;
    for (uint32_t i = 0; i < corpus->n_column_builders; i++)
        ez_column_builder_init(&corpus->column_builders[i]);
    for (uint32_t f = 0; f < n_fields; f++)
        EZ_TRY(ez_column_builder_add(&corpus->column_builders[EZ_NAMES], context, fields[f],
                                     strlen(fields[f])));
    return ez_array(&corpus->fields, context, n_fields, sizeof *corpus->fields, "a corpus' fields");
}

ezlda_status ez_corpus_builder_create(ez_corpus_builder **out, ezlda_context *context,
                                      const char *const *fields, uint32_t n_fields)
{
    *out = NULL;
    ez_corpus_builder *builder;
    EZ_TRY(ez_array_zero(&builder, context, 1, sizeof *builder, "a corpus builder"));
    ez_text_store_init(&builder->text);
    ezlda_status status = start(builder, context, fields, n_fields);
    if (status == EZLDA_OK)
        *out = builder;
    else
        ez_corpus_builder_abandon(builder);
    return status;
}

uint64_t ez_corpus_builder_docs(const ez_corpus_builder *builder)
{
    return builder->corpus->meta.docs;
}

void ez_corpus_builder_abandon(ez_corpus_builder *builder)
{
    if (!builder)
        return;
    ezlda_corpus_free(builder->corpus);
    ez_text_store_free(&builder->text);
    ez_doc_run_free(&builder->one);
    ez_free(builder);
}

/* ---- documents ---- */

void ez_corpus_builder_keep_order(ez_corpus_builder *builder)
{
    builder->keeps_order = true;
}

void ez_corpus_builder_keep_text(ez_corpus_builder *builder)
{
    builder->keeps_text = true;
}

ezlda_status ez_corpus_builder_add_text(ez_corpus_builder *builder, ezlda_context *context,
                                        const char *text, size_t bytes, const ez_text_place *places,
                                        size_t n)
{
    return ez_text_store_add(&builder->text, context, text, bytes, places, n);
}

ezlda_status ez_corpus_builder_keep_rules(ez_corpus_builder *builder, ezlda_context *context,
                                          const ezlda_text_rules *rules)
{
    ez_buffer *to = &builder->corpus->rules_buffer;
    to->used = 0;
    return rules ? ez_buffer_append(to, context, rules, (size_t)ez_text_rules_bytes(rules))
                 : EZLDA_OK;
}

static ezlda_status add_mark(ez_corpus_builder *builder, ezlda_context *context)
{
    if (builder->keeps_order)
        EZ_TRY(ez_buffer_append(&builder->corpus->order_mark_buffer, context, &builder->order_now,
                                sizeof builder->order_now));
    return ez_buffer_append(&builder->corpus->mark_buffer, context, &builder->now,
                            sizeof builder->now);
}

static ezlda_status add_entry(ez_corpus_builder *builder, ezlda_context *context,
                              const ez_doc_entry *entry)
{
    ez_corpus_meta *meta = &builder->corpus->meta;
    if (meta->docs % EZ_CORPUS_BLOCK == 0)
        EZ_TRY(add_mark(builder, context));
    meta->docs++;
    meta->empty_docs += entry->pairs == 0;
    meta->longest = entry->tokens > meta->longest ? entry->tokens : meta->longest;
    builder->now.bytes += entry->bytes;
    builder->now.pairs += entry->pairs;
    builder->now.tokens += entry->tokens;
    builder->order_now += entry->order_bytes;
    return EZLDA_OK;
}

/* Appends the values of a run to their columns. The run has all fields of its first document, then
 * those of its second. */
static ezlda_status add_values(ez_corpus_builder *builder, ezlda_context *context,
                               const ez_doc_run *run)
{
    ezlda_corpus *corpus = builder->corpus;
    bool none = run->values.used == 0;
    const char *at = none ? "" : (const char *)run->values.data, *end = at + run->values.used;
    for (size_t doc = 0; doc < ez_doc_run_docs(run); doc++)
        for (uint32_t f = 0; f < corpus->meta.fields; f++) {
            const char *stop = none ? at : at < end ? memchr(at, '\0', (size_t)(end - at)) : NULL;
            if (!none && !stop)
                return ez_fail(context, EZLDA_ERROR_INTERNAL,
                               "fewer values than fields in a run of documents");
            EZ_TRY(ez_column_builder_add(&corpus->column_builders[EZ_FIELDS + f], context, at,
                                         (size_t)(stop - at)));
            at = none ? at : stop + 1;
        }
    return at == end ? EZLDA_OK
                     : ez_fail(context, EZLDA_ERROR_INTERNAL,
                               "more values than fields in a run of documents");
}

ezlda_status ez_corpus_builder_add_run(ez_corpus_builder *builder, ezlda_context *context,
                                       const ez_doc_run *run)
{
    const ez_doc_entry *entries = (const ez_doc_entry *)(const void *)run->entries.data;
    EZ_TRY(ez_spool_append(&builder->corpus->doc_spool, context, run->bytes.data, run->bytes.used));
    EZ_TRY(
        ez_spool_append(&builder->corpus->order_spool, context, run->order.data, run->order.used));
    for (size_t doc = 0; doc < ez_doc_run_docs(run); doc++)
        EZ_TRY(add_entry(builder, context, &entries[doc]));
    return builder->corpus->meta.fields ? add_values(builder, context, run) : EZLDA_OK;
}

ezlda_status ez_corpus_builder_add_empty(ez_corpus_builder *builder, ezlda_context *context,
                                         uint64_t n)
{
    enum { STEP = 4096 };
    ez_doc_run run = {0};
    ezlda_status status = ez_doc_run_add_empty(&run, context, n < STEP ? n : STEP);
    for (; n >= STEP && status == EZLDA_OK; n -= STEP)
        status = ez_corpus_builder_add_run(builder, context, &run);
    ez_doc_run_clear(&run);
    if (status == EZLDA_OK)
        status = ez_doc_run_add_empty(&run, context, n);
    if (status == EZLDA_OK && n)
        status = ez_corpus_builder_add_run(builder, context, &run);
    ez_doc_run_free(&run);
    return status;
}

ezlda_status ez_corpus_builder_add(ez_corpus_builder *builder, ezlda_context *context,
                                   const uint32_t *word, const uint32_t *count, size_t n,
                                   const char *const *values)
{
    return ez_corpus_builder_add_ordered(builder, context, word, count, n, NULL, 0, values);
}

ezlda_status ez_corpus_builder_add_ordered(ez_corpus_builder *builder, ezlda_context *context,
                                           const uint32_t *word, const uint32_t *count, size_t n,
                                           const uint32_t *pair_of, size_t tokens,
                                           const char *const *values)
{
    ez_doc_run *one = &builder->one;
    ez_doc_run_clear(one);
    EZ_TRY(ez_doc_run_add(one, context, word, count, n));
    EZ_TRY(ez_doc_run_add_order(one, context, pair_of, tokens));
    for (uint32_t f = 0; f < builder->corpus->meta.fields; f++) {
        const char *value = values && values[f] ? values[f] : "";
        EZ_TRY(ez_doc_run_add_value(one, context, value, strlen(value)));
    }
    return ez_corpus_builder_add_run(builder, context, one);
}

ezlda_status ez_corpus_builder_set_field(ez_corpus_builder *builder, ezlda_context *context,
                                         uint32_t field, const char *values)
{
    ez_column_builder *column = &builder->corpus->column_builders[EZ_FIELDS + field];
    ez_column_builder_free(column);
    ez_column_builder_init(column);
    for (uint64_t doc = 0; doc < builder->corpus->meta.docs; doc++, values += strlen(values) + 1)
        EZ_TRY(ez_column_builder_add(column, context, values, strlen(values)));
    return EZLDA_OK;
}

static ezlda_status add_batches(ez_corpus_builder *builder, ezlda_context *context, uint64_t n,
                                ez_make_run_fn make, void *user, ez_slots *slots, ez_doc_run *runs)
{
    for (uint64_t first = 0; first < n; first += slots->n) {
        int64_t some = (int64_t)(n - first < slots->n ? n - first : slots->n);
#pragma omp parallel for schedule(dynamic, 1) num_threads(ez_threads(context))
        for (int64_t i = 0; i < some; i++) {
            ez_doc_run_clear(&runs[i]);
            slots->slot[i].status =
                make(user, slots->slot[i].context, first + (uint64_t)i, &runs[i]);
        }
        for (int64_t i = 0; i < some; i++) {
            EZ_TRY(ez_slots_check(slots, context, (size_t)i));
            EZ_TRY(ez_corpus_builder_add_run(builder, context, &runs[i]));
        }
    }
    return EZLDA_OK;
}

ezlda_status ez_corpus_builder_add_runs(ez_corpus_builder *builder, ezlda_context *context,
                                        uint64_t n, ez_make_run_fn make, void *user)
{
    ez_slots slots = {0};
    ez_doc_run *runs = NULL;
    ezlda_status status;
    size_t n_slots = 8 * (size_t)ez_threads(context);
    EZ_TRY_GOTO(ez_slots_create(&slots, context, n_slots));
    EZ_TRY_GOTO(ez_array_zero(&runs, context, n_slots, sizeof *runs, "runs of documents"));
    status = add_batches(builder, context, n, make, user, &slots, runs);
done:
    for (size_t i = 0; runs && i < n_slots; i++)
        ez_doc_run_free(&runs[i]);
    ez_free(runs);
    ez_slots_free(&slots);
    return status;
}

/* ---- finishing ---- */

static ezlda_status seal_text(ez_corpus_builder *builder, ezlda_context *context)
{
    ezlda_corpus *corpus = builder->corpus;
    const void *bytes;
    if (!builder->keeps_text)
        return EZLDA_OK;
    if (builder->text.docs != corpus->meta.docs)
        return ez_fail(context, EZLDA_ERROR_INTERNAL, "not every document has its text");
    EZ_TRY(ez_text_store_finish(&builder->text, context, &corpus->text_spool,
                                &corpus->text_mark_buffer));
    EZ_TRY(ez_spool_seal(&corpus->text_spool, context, &bytes));
    corpus->text_bytes = bytes;
    corpus->text_size = corpus->text_spool.used;
    corpus->text_marks = (const ez_text_mark *)(const void *)corpus->text_mark_buffer.data;
    corpus->text_blocks = corpus->text_mark_buffer.used / sizeof(ez_text_mark) - 1;
    return EZLDA_OK;
}

static ezlda_status seal_parts(ezlda_corpus *corpus, ezlda_context *context)
{
    const void *bytes;
    EZ_TRY(ez_spool_seal(&corpus->doc_spool, context, &bytes));
    corpus->doc_bytes = bytes;
    corpus->doc_size = corpus->doc_spool.used;
    corpus->marks = (const ez_corpus_mark *)(const void *)corpus->mark_buffer.data;
    EZ_TRY(ez_spool_seal(&corpus->order_spool, context, &bytes));
    corpus->order_bytes = bytes;
    corpus->order_size = corpus->order_spool.used;
    corpus->order_marks = (const uint64_t *)(const void *)corpus->order_mark_buffer.data;
    if (corpus->rules_buffer.used)
        corpus->rules = (const void *)corpus->rules_buffer.data;
    EZ_TRY(ez_column_builder_seal(&corpus->column_builders[EZ_WORDS], context, &corpus->words));
    EZ_TRY(
        ez_column_builder_seal(&corpus->column_builders[EZ_NAMES], context, &corpus->field_names));
    for (uint32_t f = 0; f < corpus->meta.fields; f++)
        EZ_TRY(ez_column_builder_seal(&corpus->column_builders[EZ_FIELDS + f], context,
                                      &corpus->fields[f]));
    return EZLDA_OK;
}

static ezlda_status finish(ez_corpus_builder *builder, ezlda_corpus **out, ezlda_context *context)
{
    ezlda_corpus *corpus = builder->corpus;
    EZ_TRY(add_mark(builder, context));
    corpus->meta.pairs = builder->now.pairs;
    corpus->meta.tokens = builder->now.tokens;
    corpus->meta.block_docs = EZ_CORPUS_BLOCK;
    corpus->meta.string_group = EZ_COLUMN_GROUP;
    if (corpus->column_builders[EZ_WORDS].n > EZ_MAX_WORDS)
        return ez_fail(context, EZLDA_ERROR_ARGUMENT, "%llu words, at most %d are possible",
                       (unsigned long long)corpus->column_builders[EZ_WORDS].n, EZ_MAX_WORDS);
    corpus->meta.words = (uint32_t)corpus->column_builders[EZ_WORDS].n;
    EZ_TRY(seal_parts(corpus, context));
    EZ_TRY(seal_text(builder, context));
    EZ_TRY(ez_corpus_check(corpus, context, "corpus in memory"));
    uint64_t docs_hash, words_hash;
    EZ_TRY(ez_content_hash(&docs_hash, context, corpus->doc_bytes, (size_t)corpus->doc_size));
    EZ_TRY(ez_content_hash(&words_hash, context, corpus->words.text, (size_t)corpus->words.bytes));
    ez_corpus_seal(corpus, docs_hash, words_hash);
    *out = corpus;
    builder->corpus = NULL;
    return EZLDA_OK;
}

static ezlda_status add_words(ez_column_builder *column, ezlda_context *context,
                              const char *const *words, uint32_t n)
{
    char number[16];
    for (uint32_t i = 0; i < n; i++) {
        if (!words)
            snprintf(number, sizeof number, "%u", i);
        const char *word = words ? words[i] : number;
        EZ_TRY(ez_column_builder_add(column, context, word, strlen(word)));
    }
    return EZLDA_OK;
}

ezlda_status ez_corpus_builder_finish(ez_corpus_builder *builder, ezlda_corpus **out,
                                      ezlda_context *context, const char *const *words,
                                      uint32_t n_words)
{
    *out = NULL;
    ezlda_status status =
        add_words(&builder->corpus->column_builders[EZ_WORDS], context, words, n_words);
    if (status == EZLDA_OK)
        status = finish(builder, out, context);
    ez_corpus_builder_abandon(builder);
    return status;
}

ezlda_status ez_corpus_builder_finish_text(ez_corpus_builder *builder, ezlda_corpus **out,
                                           ezlda_context *context, const char *words,
                                           uint32_t n_words)
{
    *out = NULL;
    ezlda_status status = EZLDA_OK;
    for (uint32_t i = 0; i < n_words && status == EZLDA_OK; i++) {
        size_t length = strlen(words);
        status = ez_column_builder_add(&builder->corpus->column_builders[EZ_WORDS], context, words,
                                       length);
        words += length + 1;
    }
    if (status == EZLDA_OK)
        status = finish(builder, out, context);
    ez_corpus_builder_abandon(builder);
    return status;
}
