/* Builds the index by topic with a parallel counting sort, and keeps it in the model once it is
 * built. */
#include "model/topic_index.h"

#include "base/memory.h"

#include <pthread.h>
#include <stdatomic.h>

struct ez_model_lazy {
    pthread_mutex_t lock;
    _Atomic(ez_topic_index *) index[2];
};

/* First row of range `i` of `ranges`, which have about the same number of entries each. */
static uint64_t range_start(const ez_rows *rows, uint64_t i, uint64_t ranges)
{
    if (i == ranges)
        return rows->rows;
    uint64_t entry = rows->entries / ranges * i, low = 0, high = rows->rows;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (rows->start[middle] < entry)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Turns counts of entries by (range, topic) into the first position of each range in each topic;
 * `start` becomes the starts of the topics. */
static void find_positions(uint64_t *position, uint64_t *start, uint64_t ranges, uint32_t topics)
{
    uint64_t at = 0;
    for (uint32_t k = 0; k < topics; k++) {
        start[k] = at;
        for (uint64_t i = 0; i < ranges; i++) {
            uint64_t n = position[i * topics + k];
            position[i * topics + k] = at;
            at += n;
        }
    }
    start[topics] = at;
}

static void fill_range(ez_topic_index *index, const ez_rows *rows, uint64_t first, uint64_t end,
                       uint64_t *position)
{
    for (uint64_t r = first; r < end; r++) {
        for (uint64_t e = rows->start[r]; e < rows->start[r + 1]; e++) {
            uint64_t at = position[rows->topic[e]]++;
            index->row[at] = (uint32_t)r;
            index->count[at] = rows->count[e];
        }
    }
}

/* A counting sort by topic, with ranges of the rows in parallel. The result does not depend on
 * their number. */
static ezlda_status fill(ez_topic_index *index, ezlda_context *context, const ez_rows *rows,
                         uint32_t topics)
{
    uint64_t ranges = (uint64_t)ez_threads(context), *position = NULL;
    EZ_TRY(ez_array_zero(&position, context, ez_product((size_t)ranges, topics), sizeof *position,
                         "an index by topic"));
#pragma omp parallel for schedule(static, 1) num_threads((int)ranges)
    for (uint64_t i = 0; i < ranges; i++) {
        uint64_t end = rows->start[range_start(rows, i + 1, ranges)];
        for (uint64_t e = rows->start[range_start(rows, i, ranges)]; e < end; e++)
            position[i * topics + rows->topic[e]]++;
    }
    find_positions(position, index->start, ranges, topics);
#pragma omp parallel for schedule(static, 1) num_threads((int)ranges)
    for (uint64_t i = 0; i < ranges; i++)
        fill_range(index, rows, range_start(rows, i, ranges), range_start(rows, i + 1, ranges),
                   position + i * topics);
    ez_free(position);
    return EZLDA_OK;
}

ezlda_status ez_topic_index_build(ez_topic_index **out, ezlda_context *context, const ez_rows *rows,
                                  uint32_t topics)
{
    ez_topic_index *index = NULL;
    ezlda_status status;
    EZ_TRY(ez_array_zero(&index, context, 1, sizeof *index, "an index by topic"));
    EZ_TRY_GOTO(ez_array(&index->start, context, (size_t)topics + 1, sizeof *index->start,
                         "an index by topic"));
    EZ_TRY_GOTO(
        ez_array(&index->row, context, rows->entries, sizeof *index->row, "an index by topic"));
    EZ_TRY_GOTO(
        ez_array(&index->count, context, rows->entries, sizeof *index->count, "an index by topic"));
    EZ_TRY_GOTO(fill(index, context, rows, topics));
    *out = index;
    return EZLDA_OK;
done:
    ez_topic_index_free(index);
    return status;
}

void ez_topic_index_free(ez_topic_index *index)
{
    if (!index)
        return;
    ez_free(index->start);
    ez_free(index->row);
    ez_free(index->count);
    ez_free(index);
}

ezlda_status ez_model_lazy_create(ez_model_lazy **out, ezlda_context *context)
{
    EZ_TRY(ez_array_zero(out, context, 1, sizeof **out, "a model"));
    if (pthread_mutex_init(&(*out)->lock, NULL) == 0)
        return EZLDA_OK;
    ez_free(*out);
    *out = NULL;
    return ez_fail(context, EZLDA_ERROR_MEMORY, "not enough memory for a lock");
}

void ez_model_lazy_free(ez_model_lazy *lazy)
{
    if (!lazy)
        return;
    ez_topic_index_free(lazy->index[0]);
    ez_topic_index_free(lazy->index[1]);
    pthread_mutex_destroy(&lazy->lock);
    ez_free(lazy);
}

ezlda_status ez_model_index(const ezlda_model *model, ezlda_context *context, ez_index_of of,
                            const ez_topic_index **index)
{
    ez_model_lazy *lazy = model->lazy;
    ez_topic_index *made = atomic_load_explicit(&lazy->index[of], memory_order_acquire);
    ezlda_status status = EZLDA_OK;
    if (!made) {
        pthread_mutex_lock(&lazy->lock);
        made = atomic_load_explicit(&lazy->index[of], memory_order_relaxed);
        if (!made) {
            const ez_rows *rows = of == EZ_INDEX_WORDS ? &model->phi.rows : &model->doc_rows;
            status = ez_topic_index_build(&made, context, rows, model->meta->topics);
            if (status == EZLDA_OK)
                atomic_store_explicit(&lazy->index[of], made, memory_order_release);
        }
        pthread_mutex_unlock(&lazy->lock);
    }
    *index = made;
    return status;
}
