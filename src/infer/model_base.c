/* Copies the counts of phi from a model in the order of a backend, and draws the first topics of
 * documents. */
#include "infer/model_base.h"

#include "base/memory.h"
#include "model/model_layout.h"
#include "sampler/arithmetic.h"

static void copy_row(ez_model_base *base, const ez_rows *rows, uint64_t from, uint64_t at,
                     uint64_t n)
{
    uint32_t sum = 0;
    for (uint64_t i = 0; i < n; i++) {
        base->topic[at + i] = rows->topic[from + i];
        base->count[at + i] = ez_rows_count(rows, from + i);
        sum += base->count[at + i];
        base->through[at + i] = sum;
    }
}

ezlda_status ez_model_base_make(ez_model_base *base, ezlda_context *context,
                                const ezlda_model *model, const uint32_t *original)
{
    const ez_rows *rows = &model->phi.rows;
    uint32_t words = model->meta->words;
    EZ_TRY(ez_array(&base->start, context, (size_t)words + 1, sizeof *base->start, "rows of W"));
    EZ_TRY(ez_array(&base->topic, context, rows->entries, sizeof *base->topic, "rows of W"));
    EZ_TRY(ez_array(&base->count, context, rows->entries, sizeof *base->count, "rows of W"));
    EZ_TRY(ez_array(&base->through, context, rows->entries, sizeof *base->through, "rows of W"));
    base->start[0] = 0;
    for (uint32_t v = 0; v < words; v++)
        base->start[v + 1] =
            base->start[v] + rows->start[original[v] + 1] - rows->start[original[v]];
#pragma omp parallel for schedule(dynamic, 256) num_threads(ez_threads(context))
    for (uint32_t v = 0; v < words; v++)
        copy_row(base, rows, rows->start[original[v]], base->start[v],
                 base->start[v + 1] - base->start[v]);
    base->counts = (ez_base_counts){base->start, base->topic, base->count, NULL};
    return EZLDA_OK;
}

void ez_model_base_free(ez_model_base *base)
{
    ez_free(base->start);
    ez_free(base->topic);
    ez_free(base->count);
    ez_free(base->through);
}

uint16_t ez_model_base_topic(const ez_model_base *base, uint32_t word, uint64_t u)
{
    uint64_t lo = base->start[word], hi = base->start[word + 1] - 1;
    uint64_t x = ez_mulhi(u, base->through[hi]);
    while (lo < hi) {
        uint64_t middle = lo + (hi - lo) / 2;
        if (base->through[middle] > x)
            hi = middle;
        else
            lo = middle + 1;
    }
    return base->topic[lo];
}

void ez_model_base_start_doc(const ez_model_base *base, uint64_t seed, uint64_t doc_key,
                             const uint32_t *word, uint64_t n, uint16_t *topic)
{
    uint64_t key = ez_iteration_key(seed, 0);
    uint32_t occurrence = 0;
    for (uint64_t i = 0; i < n; i++) {
        occurrence = i > 0 && word[i - 1] == word[i] ? occurrence + 1 : 0;
        topic[i] = ez_model_base_topic(base, word[i],
                                       ez_draw(ez_word_key(key, word[i]), doc_key, occurrence));
    }
}

void ez_model_base_start(const ez_model_base *base, ezlda_context *context, uint64_t seed,
                         const ez_token_list *tokens, uint16_t *topic)
{
    const ez_token_list *t = tokens;
#pragma omp parallel for schedule(dynamic, 256) num_threads(ez_threads(context))
    for (uint64_t d = 0; d < t->docs; d++) {
        uint64_t first = t->doc_start[d];
        ez_model_base_start_doc(base, seed, ez_doc_key(t, d), t->word + first,
                                t->doc_start[d + 1] - first, topic + first);
    }
}
