/* Finds the words that two models share, and computes the table of similarities in fixed point. */
#include "compare/topic_similarity.h"

#include "base/memory.h"
#include "model/topic_index.h"

#include <math.h>
#include <omp.h>
#include <string.h>

/* ---- words ---- */

/* Whether both models have the same words in the same order: then words are matched by their
 * numbers, so that words with the same text stay apart, as in word_map.h. */
static bool same_vocabulary(const ezlda_model *a, const ezlda_model *b)
{
    bool same = a->meta->words == b->meta->words;
    for (uint32_t v = 0; same && v < a->meta->words; v++)
        same = strcmp(ez_column_at(&a->words, v), ez_column_at(&b->words, v)) == 0;
    return same;
}

static void match_words(ez_common_words *common, const ez_word_index *in_a,
                        const ez_word_index *in_b, const ezlda_model *a, const ezlda_model *b)
{
    uint64_t tokens_b = 0;
    bool same = same_vocabulary(a, b);
    for (uint32_t v = 0; v < a->meta->words; v++) {
        const char *word = ez_column_at(&a->words, v);
        uint32_t other = same                                  ? v
                         : ez_word_index_find(in_a, word) == v ? ez_word_index_find(in_b, word)
                                                               : EZ_NO_WORD;
        common->in_b[v] = other;
        common->n += other != EZ_NO_WORD;
        if (other == EZ_NO_WORD)
            common->tokens_only_a += a->word_tokens[v];
        else
            tokens_b += b->word_tokens[other];
    }
    common->only_a = a->meta->words - common->n;
    common->only_b = b->meta->words - common->n;
    common->tokens_only_b = b->meta->tokens - tokens_b;
}

ezlda_status ez_common_words_find(ez_common_words *common, ezlda_context *context,
                                  const ezlda_model *a, const ezlda_model *b)
{
    ez_word_index words_a = {0}, words_b = {0};
    ezlda_status status;
    EZ_TRY_GOTO(ez_word_index_make(&words_a, context, a));
    EZ_TRY_GOTO(ez_word_index_make(&words_b, context, b));
    EZ_TRY_GOTO(ez_array(&common->in_b, context, a->meta->words, sizeof *common->in_b,
                         "words of two models"));
    match_words(common, &words_a, &words_b, a, b);
    if (!common->n)
        status = ez_fail(context, EZLDA_ERROR_ARGUMENT,
                         "the models have no word in common: nothing to compare");
done:
    ez_word_index_free(&words_a);
    ez_word_index_free(&words_b);
    return status;
}

/* ---- similarities ---- */

#define ROOT_ONE 0x1p31 /* fixed point of roots: a sum of products is at most about 2^62 */

static uint32_t root_share(uint64_t count, uint64_t tokens)
{
    return (uint32_t)(sqrt((double)count / (double)tokens) * ROOT_ONE + 0.5);
}

/* One model seen by topic (rows) and the other by word (columns). */
typedef struct similarity_job {
    const ezlda_model *a, *b;
    const ez_common_words *common;
    const ez_topic_index *index; /* the index of model a */
    uint32_t *root_b;            /* a root for each entry of b's word rows */
    uint64_t *norm_b;            /* for each topic of b: the sum of the squares of its roots */
    uint32_t *table;
} similarity_job;

static ezlda_status compute_roots(similarity_job *job, ezlda_context *context)
{
    const ez_rows *rows = &job->b->phi.rows;
    uint32_t topics = job->b->meta->topics;
    EZ_TRY(ez_array(&job->root_b, context, rows->entries, sizeof *job->root_b, "words of topics"));
    EZ_TRY(ez_array_zero(&job->norm_b, context, topics, sizeof *job->norm_b, "sums of topics"));
#pragma omp parallel for schedule(static) num_threads(ez_threads(context))
    for (uint64_t e = 0; e < rows->entries; e++)
        job->root_b[e] =
            root_share(ez_rows_count(rows, e), job->b->phi.topic_tokens[rows->topic[e]]);
    for (uint64_t e = 0; e < rows->entries; e++)
        job->norm_b[rows->topic[e]] += (uint64_t)job->root_b[e] * job->root_b[e];
    return EZLDA_OK;
}

/* Adds a topic's words to `sum`, by topic of b; returns the sum of the squares of its roots. */
static uint64_t add_words(const similarity_job *job, uint32_t topic, uint64_t *sum)
{
    const ez_topic_index *index = job->index;
    const ez_rows *rows = &job->b->phi.rows;
    uint64_t norm = 0;
    for (uint64_t i = index->start[topic]; i < index->start[topic + 1]; i++) {
        uint32_t word = index->row[i], other = job->common->in_b[word];
        uint64_t count = ez_index_count(index, i, &job->a->phi.rows, topic);
        uint64_t root = root_share(count, job->a->phi.topic_tokens[topic]);
        norm += root * root;
        if (other == EZ_NO_WORD)
            continue;
        for (uint64_t e = rows->start[other]; e < rows->start[other + 1]; e++)
            sum[rows->topic[e]] += root * job->root_b[e];
    }
    return norm;
}

/* Divided by both norms, so that the same counts give exactly EZ_SAME. */
static uint32_t similarity(uint64_t sum, uint64_t norm_a, uint64_t norm_b)
{
    if (!norm_a || !norm_b)
        return norm_a == norm_b ? EZ_SAME : 0;
    double s = (double)sum / sqrt((double)norm_a * (double)norm_b);
    return s < 1 ? (uint32_t)(s * EZ_SAME + 0.5) : EZ_SAME;
}

static ezlda_status fill_table(const similarity_job *job, ezlda_context *context)
{
    uint32_t rows = job->a->meta->topics, cols = job->b->meta->topics;
    int threads = ez_threads(context);
    threads = (uint32_t)threads > rows ? (int)rows : threads;
    uint64_t *sums = NULL;
    size_t n;
    if (!ez_mul_size((size_t)threads, cols, &n))
        return ez_fail(context, EZLDA_ERROR_MEMORY, "not enough memory for the sums of %u topics",
                       cols);
    EZ_TRY(ez_array(&sums, context, n, sizeof *sums, "sums of topics"));
#pragma omp parallel num_threads(threads)
    {
        uint64_t *sum = sums + (size_t)omp_get_thread_num() * cols;
#pragma omp for schedule(dynamic, 1)
        for (uint32_t i = 0; i < rows; i++) {
            memset(sum, 0, cols * sizeof *sum);
            uint64_t norm = add_words(job, i, sum);
            for (uint32_t j = 0; j < cols; j++)
                job->table[(size_t)i * cols + j] = similarity(sum[j], norm, job->norm_b[j]);
        }
    }
    ez_free(sums);
    return EZLDA_OK;
}

ezlda_status ez_topic_similarities(uint32_t *table, ezlda_context *context, const ezlda_model *a,
                                   const ezlda_model *b, const ez_common_words *common)
{
    similarity_job job = {.a = a, .b = b, .common = common, .table = table};
    ezlda_status status;
    EZ_TRY_GOTO(ez_model_index(a, context, EZ_INDEX_WORDS, &job.index));
    EZ_TRY_GOTO(compute_roots(&job, context));
    EZ_TRY_GOTO(fill_table(&job, context));
done:
    ez_free(job.root_b);
    ez_free(job.norm_b);
    return status;
}
