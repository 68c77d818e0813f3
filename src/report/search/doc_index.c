/* Opens the index of documents, checks its sections, and makes it again if it is stale. */
#include "report/search/doc_index.h"

#include "base/os/os_files.h"
#include "corpus/corpus.h"
#include "model/model_layout.h"

#include <string.h>

void ez_doc_index_free(ez_doc_index *index)
{
    if (!index)
        return;
    ez_free(index->segment);
    ez_free(index->field);
    ez_container_free(index->container);
    ez_free(index);
}

const char *ez_index_value(const ez_index_field *field, const ezlda_corpus *corpus, uint32_t rank)
{
    return ezlda_corpus_field_value(corpus, field->number, field->holder[rank]);
}

static ezlda_status describe(ez_index_meta *meta, ezlda_context *context, const ezlda_model *model,
                             const ezlda_corpus *corpus)
{
    ez_corpus_sizes sizes;
    ezlda_corpus_info info = {.size = sizeof info};
    ez_corpus_sizes_of(corpus, &sizes);
    ezlda_corpus_get_info(corpus, &info);
    *meta = (ez_index_meta){.docs = sizes.docs,
                            .tokens = sizes.tokens,
                            .corpus_hash = sizes.hash,
                            .model_hash = ez_model_hash(model),
                            .words = sizes.words,
                            .fields = info.fields,
                            .topics = model->meta->topics,
                            .segment_docs = EZ_SEGMENT_DOCS,
                            .positions = info.has_text || info.has_order};
    return ez_corpus_kept_hash(corpus, context, &meta->kept_hash);
}

/* ---- making ---- */

static ezlda_status put_all(ez_container_writer *writer, ezlda_context *context,
                            const ez_doc_index *index)
{
    EZ_TRY(ez_container_begin(writer, context, EZ_INDEX_META));
    EZ_TRY(ez_container_write(writer, context, &index->meta, sizeof index->meta));
    EZ_TRY(ez_index_put_segments(writer, context, index->corpus));
    EZ_TRY(ez_index_put_fields(writer, context, index->corpus));
    return ez_index_put_topics(writer, context, index->model);
}

/* path NULL: the container stays in memory. */
static ezlda_status make(const ez_doc_index *index, ezlda_context *context, const char *path,
                         ez_container **image)
{
    ez_container_writer *writer;
    EZ_TRY(ez_container_writer_open(&writer, context, path, EZ_INDEX_MAGIC, EZ_INDEX_VERSION));
    ezlda_status status = put_all(writer, context, index);
    if (status == EZLDA_OK)
        return ez_container_finish(writer, context, image);
    ez_container_writer_abandon(writer);
    return status;
}

/* ---- opening ---- */

static ezlda_status bad(const ez_doc_index *index, ezlda_context *context)
{
    const char *path = ez_container_path(index->container);
    return ez_fail(context, EZLDA_ERROR_FORMAT,
                   "%s: not an index as the format says; remove it, and it is made again",
                   *path ? path : "the index in memory");
}

/* A section of n elements; NULL if it has another size. */
static const void *get(const ez_doc_index *index, uint32_t tag, uint64_t n, size_t size)
{
    uint64_t bytes;
    const void *section = ez_container_section(index->container, tag, &bytes);
    return section && bytes / size == n && bytes % size == 0 ? section : NULL;
}

static bool read_segment(ez_segment *segment, const unsigned char *at, uint64_t bytes)
{
    ez_segment_head *head = &segment->head;
    if (bytes < sizeof *head || bytes % 8)
        return false;
    memcpy(head, at, sizeof *head);
    bytes -= sizeof *head;
    if (head->words > bytes / sizeof(uint32_t))
        return false;
    uint64_t words = (head->words * sizeof(uint32_t) + 7) / 8 * 8;
    if (words > bytes || head->words + 1 > (bytes - words) / sizeof(ez_word_mark))
        return false;
    bytes -= words + (head->words + 1) * sizeof(ez_word_mark);
    if (head->postings > bytes || head->positions > bytes - head->postings ||
        bytes - head->postings - head->positions > 7)
        return false;
    segment->word = (const uint32_t *)(const void *)(at + sizeof *head);
    segment->mark = (const ez_word_mark *)(const void *)(at + sizeof *head + words);
    segment->postings = (const unsigned char *)(segment->mark + head->words + 1);
    segment->positions = segment->postings + head->postings;
    const ez_word_mark *last = segment->mark + head->words;
    if (last->postings != head->postings || last->positions != head->positions)
        return false;
    for (uint64_t i = 0; i < head->words; i++)
        if (segment->mark[i].postings > segment->mark[i + 1].postings ||
            segment->mark[i].positions > segment->mark[i + 1].positions ||
            (i && segment->word[i] <= segment->word[i - 1]))
            return false;
    return true;
}

static ezlda_status get_segments(ez_doc_index *index, ezlda_context *context)
{
    uint64_t bytes;
    const unsigned char *all = ez_container_section(index->container, EZ_INDEX_SEGMENTS, &bytes);
    index->segments = ez_segments_of(index->meta.docs);
    const uint64_t *start =
        get(index, EZ_INDEX_SEGMENT_STARTS, (uint64_t)index->segments + 1, sizeof *start);
    if (!all || !start || start[0] || start[index->segments] != bytes)
        return bad(index, context);
    EZ_TRY(ez_array_zero(&index->segment, context, index->segments, sizeof *index->segment,
                         "the index"));
    bool good = true;
#pragma omp parallel for schedule(dynamic, 1) reduction(&& : good) num_threads(ez_threads(context))
    for (uint32_t i = 0; i < index->segments; i++) {
        uint64_t left = index->meta.docs - (uint64_t)i * EZ_SEGMENT_DOCS;
        index->segment[i].docs = (uint32_t)(left < EZ_SEGMENT_DOCS ? left : EZ_SEGMENT_DOCS);
        good = good && start[i] <= start[i + 1] && start[i + 1] <= bytes && start[i] % 8 == 0 &&
               read_segment(&index->segment[i], all + start[i], start[i + 1] - start[i]);
    }
    return good ? EZLDA_OK : bad(index, context);
}

static bool all_below(const uint32_t *list, uint64_t n, uint64_t limit, int threads)
{
    bool good = true;
#pragma omp parallel for reduction(&& : good) num_threads(threads)
    for (uint64_t i = 0; i < n; i++)
        good = good && list[i] < limit;
    return good;
}

static ezlda_status get_fields(ez_doc_index *index, ezlda_context *context)
{
    const ez_index_meta *meta = &index->meta;
    const ez_index_field_head *head = get(index, EZ_INDEX_FIELDS, meta->fields, sizeof *head);
    uint64_t values = 0;
    for (uint32_t f = 0; head && f < meta->fields; f++)
        values += head[f].values;
    const uint32_t *holder = get(index, EZ_INDEX_HOLDERS, values, sizeof *holder);
    const uint32_t *rank =
        get(index, EZ_INDEX_RANKS, (uint64_t)meta->fields * meta->docs, sizeof *rank);
    if (!head || !holder || !rank || !all_below(holder, values, meta->docs, ez_threads(context)))
        return bad(index, context);
    EZ_TRY(ez_array(&index->field, context, meta->fields, sizeof *index->field, "fields"));
    for (uint32_t f = 0; f < meta->fields; f++, rank += meta->docs) {
        if (head[f].kind > EZ_FIELD_DATE ||
            !all_below(rank, meta->docs, head[f].values, ez_threads(context)))
            return bad(index, context);
        index->field[f] = (ez_index_field){f,
                                           ezlda_corpus_field(index->corpus, f),
                                           (ez_field_kind)head[f].kind,
                                           head[f].values,
                                           holder,
                                           rank};
        holder += head[f].values;
    }
    return EZLDA_OK;
}

static ezlda_status get_topics(ez_doc_index *index, ezlda_context *context)
{
    uint32_t topics = index->meta.topics;
    const uint64_t *start = get(index, EZ_INDEX_TOPIC_STARTS, (uint64_t)topics + 1, sizeof *start);
    if (!start || start[0])
        return bad(index, context);
    for (uint32_t k = 0; k < topics; k++)
        if (start[k] > start[k + 1])
            return bad(index, context);
    index->topic_start = start;
    index->topic_doc = get(index, EZ_INDEX_TOPIC_DOCS, start[topics], sizeof *index->topic_doc);
    index->topic_share =
        get(index, EZ_INDEX_TOPIC_SHARES, start[topics], sizeof *index->topic_share);
    if (!index->topic_doc || !index->topic_share ||
        !all_below(index->topic_doc, start[topics], index->meta.docs, ez_threads(context)))
        return bad(index, context);
    return EZLDA_OK;
}

static ezlda_status read_sections(ez_doc_index *index, ezlda_context *context)
{
    EZ_TRY(get_segments(index, context));
    EZ_TRY(get_fields(index, context));
    return get_topics(index, context);
}

/* Opens the file if it is there and not stale; *index->container stays NULL otherwise. */
static ezlda_status open_file(ez_doc_index *index, ezlda_context *context, const char *path)
{
    ez_file_info info;
    if (ez_os_info(path, &info) != 0)
        return EZLDA_OK;
    EZ_TRY(ez_container_open(&index->container, context, path, EZ_INDEX_MAGIC, EZ_INDEX_VERSION));
    const void *meta = get(index, EZ_INDEX_META, 1, sizeof index->meta);
    if (meta && memcmp(meta, &index->meta, sizeof index->meta) == 0)
        return EZLDA_OK;
    ez_note(context, "%s: belongs to another state of the model or the corpus: made again", path);
    ez_container_free(index->container);
    index->container = NULL;
    return EZLDA_OK;
}

static ezlda_status open_or_make(ez_doc_index *index, ezlda_context *context, const char *path)
{
    EZ_TRY(describe(&index->meta, context, index->model, index->corpus));
    if (!path) {
        EZ_TRY(make(index, context, NULL, &index->container));
        return read_sections(index, context);
    }
    EZ_TRY(open_file(index, context, path));
    if (!index->container) {
        EZ_TRY(make(index, context, path, NULL));
        ez_note(context, "%s: index made", path);
        EZ_TRY(
            ez_container_open(&index->container, context, path, EZ_INDEX_MAGIC, EZ_INDEX_VERSION));
    }
    return read_sections(index, context);
}

ezlda_status ez_doc_index_open(ez_doc_index **out, ezlda_context *context, const ezlda_model *model,
                               const ezlda_corpus *corpus, const char *path)
{
    ez_doc_index *index;
    *out = NULL;
    EZ_TRY(ez_array_zero(&index, context, 1, sizeof *index, "the index"));
    index->model = model;
    index->corpus = corpus;
    ezlda_status status = open_or_make(index, context, path);
    if (status == EZLDA_OK)
        *out = index;
    else
        ez_doc_index_free(index);
    return status;
}
