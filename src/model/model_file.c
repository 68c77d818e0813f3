/* Opens a model: finds its sections and checks their sizes. Also saves and frees models and
 * computes their hash. */
#include "base/files/content_hash.h"
#include "corpus/text/rules/text_rules.h"
#include "model/edits/edit_text.h"
#include "model/edits/merge_topics.h"
#include "model/model_layout.h"
#include "model/topic_index.h"
#include "model/word_map.h"

#include <string.h>

typedef struct opening {
    ezlda_context *context;
    const ez_container *container;
    const char *name;
    ezlda_status bad;
} opening;

/* Finds a section of n elements of `size` bytes. A missing section counts as an empty one. */
static ezlda_status section(const opening *o, uint32_t tag, uint64_t n, size_t size, void *out)
{
    uint64_t bytes = 0;
    const void *data = ez_container_section(o->container, tag, &bytes);
    if (!data)
        bytes = 0;
    if (bytes / size != n || bytes % size)
        return ez_fail(o->context, o->bad,
                       "%s: section %.4s: expected %llu x %zu bytes, found %llu bytes%s", o->name,
                       (const char *)&tag, (unsigned long long)n, size, (unsigned long long)bytes,
                       data ? "" : " (it is missing)");
    memcpy(out, &data, sizeof data);
    return EZLDA_OK;
}

/* Finds a section whose size gives the number of its elements. */
static ezlda_status counted_section(const opening *o, uint32_t tag, uint64_t *n, size_t size,
                                    void *out)
{
    uint64_t bytes = 0;
    if (!ez_container_section(o->container, tag, &bytes))
        bytes = 0;
    *n = bytes / size;
    return section(o, tag, *n, size, out);
}

static ezlda_status open_rows(const opening *o, const uint32_t tags[4], uint64_t n, ez_rows *rows)
{
    rows->rows = n;
    EZ_TRY(section(o, tags[0], n + 1, sizeof *rows->start, &rows->start));
    EZ_TRY(counted_section(o, tags[1], &rows->entries, sizeof *rows->topic, &rows->topic));
    EZ_TRY(section(o, tags[2], rows->entries, sizeof *rows->count, &rows->count));
    uint64_t n_large;
    EZ_TRY(counted_section(o, tags[3], &n_large, sizeof *rows->large, &rows->large));
    rows->n_large = (size_t)n_large;
    return EZLDA_OK;
}

static ezlda_status open_strings(const opening *o, uint32_t text_tag, uint32_t index_tag,
                                 uint64_t n, ez_column *column)
{
    column->n = n;
    EZ_TRY(counted_section(o, text_tag, &column->bytes, 1, &column->text));
    return section(o, index_tag, ez_column_groups(n) + 1, sizeof *column->index, &column->index);
}

static ezlda_status open_run(const opening *o, ezlda_model *model)
{
    uint64_t n, bytes = 0;
    EZ_TRY(counted_section(o, EZ_MODEL_LLPT, &n, sizeof *model->llpt, &model->llpt));
    model->llpt_count = (size_t)n;
    const char *run = ez_container_section(o->container, EZ_MODEL_RUN, &bytes);
    uint64_t expected = sizeof *model->run + n * sizeof *model->run_seconds;
    if (!run || bytes != expected)
        return ez_fail(o->context, o->bad,
                       "%s: section RUN: expected %llu bytes for %llu scores, found %llu", o->name,
                       (unsigned long long)expected, (unsigned long long)n,
                       (unsigned long long)(run ? bytes : 0));
    model->run = (const void *)run;
    model->run_seconds = (const void *)(run + sizeof *model->run);
    return EZLDA_OK;
}

static ezlda_status open_rules(const opening *o, ezlda_model *model)
{
    uint64_t bytes = 0;
    model->rules = ez_container_section(o->container, EZ_MODEL_RULES, &bytes);
    if (model->rules && !ez_text_rules_good(model->rules, bytes))
        return ez_fail(o->context, o->bad,
                       "%s: section RULE: expected the rules by which its words were made",
                       o->name);
    return EZLDA_OK;
}

static ezlda_status open_found(const opening *o, ezlda_model *model)
{
    uint64_t bytes = 0;
    const char *found = ez_container_section(o->container, EZ_MODEL_FOUND, &bytes);
    uint64_t expected = sizeof *model->ensemble + model->meta->topics * sizeof *model->found;
    if (!found)
        return EZLDA_OK;
    if (bytes != expected)
        return ez_fail(o->context, o->bad, "%s: section FOUN: expected %llu bytes, found %llu",
                       o->name, (unsigned long long)expected, (unsigned long long)bytes);
    model->ensemble = (const void *)found;
    model->found = (const void *)(found + sizeof *model->ensemble);
    return EZLDA_OK;
}

/* The words of topics are those of W, if nothing else is there. */
static ezlda_status open_phi(const opening *o, ezlda_model *model)
{
    static const uint32_t tags[4] = EZ_MODEL_PHI_TAGS;
    const ez_model_meta *meta = model->meta;
    const ez_phi_meta *phi = NULL;
    uint64_t bytes = 0;
    model->phi = (ez_phi){.rows = model->word_rows,
                          .topic_tokens = model->topic_tokens,
                          .beta = meta->beta,
                          .samples = 1};
    if (!ez_container_section(o->container, EZ_MODEL_PHI_META, &bytes))
        return EZLDA_OK;
    EZ_TRY(section(o, EZ_MODEL_PHI_META, 1, sizeof *phi, &phi));
    model->phi.samples = phi->samples;
    model->phi.beta = phi->samples * meta->beta;
    EZ_TRY(section(o, EZ_MODEL_PHI_TOKENS, meta->topics, sizeof *model->phi.topic_tokens,
                   &model->phi.topic_tokens));
    return open_rows(o, tags, meta->words, &model->phi.rows);
}

/* Sizes that cannot be are refused before they are multiplied. */
static ezlda_status open_samples(const opening *o, ezlda_model *model)
{
    const ez_model_meta *meta = model->meta;
    const ez_samples_meta *samples = NULL;
    ezlda_samples *view = &model->samples;
    uint64_t bytes = 0, groups = ez_sample_groups(meta->docs);
    if (!ez_container_section(o->container, EZ_MODEL_SAMPLES, &bytes))
        return EZLDA_OK;
    EZ_TRY(section(o, EZ_MODEL_SAMPLES, (uint64_t)meta->topics + 1, sizeof *samples, &samples));
    if (samples->samples < 1 || samples->samples > EZ_MOST_SAMPLES)
        return ez_fail(o->context, o->bad, "%s: section SMPL: expected 1 to %d samples, found %u",
                       o->name, EZ_MOST_SAMPLES, samples->samples);
    EZ_TRY(section(o, EZ_MODEL_SAMPLES_START, groups * samples->samples + 1, sizeof *view->start,
                   &view->start));
    EZ_TRY(counted_section(o, EZ_MODEL_SAMPLES_ROWS, &bytes, 1, &view->rows));
    view->alpha = (const double *)(const void *)(samples + 1);
    view->docs = meta->docs;
    view->topics = meta->topics;
    view->samples = samples->samples;
    view->own = true;
    view->rows_bytes = bytes;
    return EZLDA_OK;
}

static ezlda_status check_sizes(const opening *o, const ez_model_meta *meta)
{
    if (meta->topics < 1 || meta->topics > 65536)
        return ez_fail(o->context, o->bad, "%s: expected 1 to 65536 topics, found %u", o->name,
                       meta->topics);
    if (meta->docs > UINT32_MAX)
        return ez_fail(o->context, o->bad, "%s: expected at most %u documents, found %llu", o->name,
                       UINT32_MAX, (unsigned long long)meta->docs);
    return EZLDA_OK;
}

static ezlda_status open_past(const opening *o, ezlda_model *model)
{
    uint64_t bytes = 0;
    if (!ez_container_section(o->container, EZ_MODEL_PAST, &bytes))
        return EZLDA_OK;
    EZ_TRY(section(o, EZ_MODEL_PAST, 1, sizeof *model->past, &model->past));
    if (model->past->updates < 1 || model->past->tokens > model->meta->tokens)
        return ez_fail(o->context, o->bad,
                       "%s: section PAST: expected at least one update and at most %llu tokens, "
                       "found %u and %llu",
                       o->name, (unsigned long long)model->meta->tokens, model->past->updates,
                       (unsigned long long)model->past->tokens);
    return EZLDA_OK;
}

static ezlda_status open_sections(const opening *o, ezlda_model *model)
{
    static const uint32_t w_tags[4] = EZ_MODEL_W_TAGS;
    static const uint32_t d_tags[4] = EZ_MODEL_D_TAGS;
    EZ_TRY(section(o, EZ_MODEL_META, 1, sizeof *model->meta, &model->meta));
    const ez_model_meta *meta = model->meta;
    EZ_TRY(check_sizes(o, meta));
    EZ_TRY(open_past(o, model));
    EZ_TRY(section(o, EZ_MODEL_ALPHA, meta->topics, sizeof *model->alpha, &model->alpha));
    EZ_TRY(section(o, EZ_MODEL_TOPIC_TOKENS, meta->topics, sizeof *model->topic_tokens,
                   &model->topic_tokens));
    EZ_TRY(open_rows(o, w_tags, meta->words, &model->word_rows));
    EZ_TRY(open_phi(o, model));
    EZ_TRY(open_rows(o, d_tags, meta->docs, &model->doc_rows));
    EZ_TRY(section(o, EZ_MODEL_DOC_START, meta->docs + 1, sizeof *model->doc_start,
                   &model->doc_start));
    EZ_TRY(open_strings(o, EZ_MODEL_WORDS, EZ_MODEL_WORDS_INDEX, meta->words, &model->words));
    uint64_t bytes = 0;
    if (ez_container_section(o->container, EZ_MODEL_NAMES_INDEX, &bytes))
        EZ_TRY(open_strings(o, EZ_MODEL_NAMES, EZ_MODEL_NAMES_INDEX, meta->docs, &model->names));
    if (ez_container_section(o->container, EZ_MODEL_TOKEN_TOPICS, &bytes))
        EZ_TRY(section(o, EZ_MODEL_TOKEN_TOPICS, ez_model_own_tokens(model),
                       sizeof *model->token_topics, &model->token_topics));
    if (ez_container_section(o->container, EZ_MODEL_TRAINING, &bytes))
        EZ_TRY(section(o, EZ_MODEL_TRAINING, (uint64_t)meta->topics + 1, sizeof *model->training,
                       &model->training));
    EZ_TRY(open_found(o, model));
    EZ_TRY(open_rules(o, model));
    EZ_TRY(open_samples(o, model));
    return open_run(o, model);
}

/* ---- edits ---- */

static uint32_t find_word(void *index, const char *word)
{
    return ez_word_index_find(index, word);
}

ezlda_status ez_model_read_edits(ez_edits **out, ezlda_context *context, const ezlda_model *model,
                                 const char *text, const char *name, const char *earlier,
                                 ezlda_status bad)
{
    ez_word_index index = {0};
    const ez_edit_source source = {name, model->meta->topics, find_word, &index, earlier, bad};
    ezlda_status status = EZLDA_OK;
    *out = NULL;
    if (strstr(text, "words"))
        status = ez_word_index_make(&index, context, model);
    if (status == EZLDA_OK)
        status = ez_edits_read(out, context, text, &source);
    ez_word_index_free(&index);
    return status;
}

static ezlda_status open_edits(const opening *o, ezlda_model *model)
{
    uint64_t bytes = 0;
    const char *text = ez_container_section(o->container, EZ_MODEL_EDITS, &bytes);
    if (!text)
        return EZLDA_OK;
    const ez_column strings = {
        .n = 1, .text = text, .bytes = bytes, .index = (uint64_t[]){0, bytes}};
    if (bytes == 0 || ez_column_check(&strings, 1) != 1)
        return ez_fail(o->context, o->bad, "%s: section EDIT: expected a text in UTF-8", o->name);
    return ez_model_read_edits(&model->edits, o->context, model, text, o->name, text, o->bad);
}

/* ---- the model ---- */

static ezlda_status open_model(ezlda_model **out, ezlda_context *context, ez_container *container,
                               const char *name, ezlda_status bad)
{
    ezlda_model *model = NULL;
    ezlda_status status = ez_array_zero(&model, context, 1, sizeof *model, "a model");
    if (status != EZLDA_OK) {
        ez_container_free(container);
        return status;
    }
    model->container = container;
    opening o = {context, container, name, bad};
    EZ_TRY_GOTO(open_sections(&o, model));
    EZ_TRY_GOTO(ez_array(&model->word_tokens, context, model->meta->words,
                         sizeof *model->word_tokens, "the tokens of each word"));
    model->phi.word_tokens = model->word_tokens;
    if (model->phi.samples > 1) {
        EZ_TRY_GOTO(ez_array(&model->phi_word_tokens, context, model->meta->words,
                             sizeof *model->phi_word_tokens, "the tokens of each word"));
        model->phi.word_tokens = model->phi_word_tokens;
    }
    EZ_TRY_GOTO(ez_model_check(model, context, name, bad));
    EZ_TRY_GOTO(ez_model_lazy_create(&model->lazy, context));
    if (!model->rules)
        EZ_TRY_GOTO(ez_text_rules_guess(&model->guessed, context, &model->words));
    EZ_TRY_GOTO(open_edits(&o, model));
    *out = model;
    return EZLDA_OK;
done:
    ezlda_model_free(model);
    return status;
}

/* Replaces a model by one with merged topics, which keeps its file. */
static ezlda_status merge(ezlda_model **model, ezlda_context *context, const char *name,
                          ezlda_status bad)
{
    ez_container *image = NULL;
    ezlda_model *merged = NULL;
    EZ_TRY(ez_merge_topics(&image, context, *model, (*model)->edits->into));
    EZ_TRY(open_model(&merged, context, image, name, bad));
    merged->unmerged = (*model)->container;
    (*model)->container = NULL;
    ezlda_model_free(*model);
    *model = merged;
    return EZLDA_OK;
}

ezlda_status ez_model_open(ezlda_model **out, ezlda_context *context, ez_container *container,
                           const char *name, ezlda_status bad)
{
    ezlda_model *model = NULL;
    EZ_TRY(open_model(&model, context, container, name, bad));
    ezlda_status status =
        model->edits && model->edits->merges ? merge(&model, context, name, bad) : EZLDA_OK;
    if (status == EZLDA_OK)
        *out = model;
    else
        ezlda_model_free(model);
    return status;
}

ezlda_status ezlda_model_load(ezlda_model **out, ezlda_context *context, const char *path)
{
    ez_clear(context);
    if (!out || !path)
        return ez_fail(context, EZLDA_ERROR_ARGUMENT,
                       "ezlda_model_load: expected a path and room for the model");
    *out = NULL;
    ez_container *container = NULL;
    EZ_TRY(ez_container_open_replaceable(&container, context, path, EZ_MODEL_MAGIC,
                                         EZ_MODEL_VERSION, EZ_MODEL_VERSION_UPDATED));
    return ez_model_open(out, context, container, path, EZLDA_ERROR_FORMAT);
}

ezlda_status ezlda_model_save(ezlda_context *context, const ezlda_model *model, const char *path)
{
    ez_clear(context);
    if (!model || !path)
        return ez_fail(context, EZLDA_ERROR_ARGUMENT,
                       "ezlda_model_save: expected a model and a path");
    return ez_container_save(ez_model_file(model), context, path);
}

void ezlda_model_free(ezlda_model *model)
{
    if (!model)
        return;
    ez_model_lazy_free(model->lazy);
    ez_free(model->word_tokens);
    ez_free(model->phi_word_tokens);
    ez_free(model->guessed);
    ez_edits_free(model->edits);
    ez_container_free(model->unmerged);
    ez_container_free(model->container);
    ez_free(model);
}

uint64_t ez_model_hash(const ezlda_model *model)
{
    static const uint32_t tags[] = {
        EZ_MODEL_META,      EZ_MODEL_ALPHA,     EZ_MODEL_TOPIC_TOKENS, EZ_MODEL_W_START,
        EZ_MODEL_W_TOPIC,   EZ_MODEL_W_COUNT,   EZ_MODEL_W_LARGE,      EZ_MODEL_D_START,
        EZ_MODEL_D_TOPIC,   EZ_MODEL_D_COUNT,   EZ_MODEL_D_LARGE,      EZ_MODEL_WORDS,
        EZ_MODEL_NAMES,     EZ_MODEL_DOC_START, EZ_MODEL_PHI_META,     EZ_MODEL_PHI_TOKENS,
        EZ_MODEL_PHI_START, EZ_MODEL_PHI_TOPIC, EZ_MODEL_PHI_COUNT,    EZ_MODEL_PHI_LARGE,
    };
    enum { N = sizeof tags / sizeof *tags, WITHOUT_PHI = N - 6 };
    uint64_t hashes[N + 2];
    size_t n = model->phi.samples > 1 ? N : WITHOUT_PHI;
    for (size_t i = 0; i < n; i++)
        hashes[i] = ez_container_section_hash(model->container, tags[i]);
    if (model->past)
        hashes[n++] = ez_container_section_hash(model->container, EZ_MODEL_PAST);
    if (model->ensemble)
        hashes[n++] = ez_container_section_hash(model->container, EZ_MODEL_FOUND);
    return ez_hash_bytes(hashes, n * sizeof *hashes);
}
