/* Counts of bundles and the loss of merging two. With W the counts of a bundle and n their sum,
 * the likelihood of its words is the Dirichlet-multinomial
 *
 *     product over words of gamma(W + beta) / gamma(beta), times gamma(V beta) / gamma(n + V beta).
 *
 * Counts of merged bundles add up, so the loss of a merge is a sum over the words that both have,
 * and one term for the two n. */
#include "tree/bundles.h"

#include "base/memory.h"

#include <omp.h>
#include <string.h>

void ez_bundles_free(ez_bundles *b)
{
    for (uint32_t k = 0; b->list && k < b->topics; k++)
        ez_free(b->list[k]);
    ez_free(b->list);
    ez_free(b->row_start);
    ez_free(b->row_length);
    ez_free(b->row);
    ez_free(b->length);
    ez_free(b->tokens);
    ez_free(b->sums);
    ez_log_gamma_free(&b->word);
    ez_log_gamma_free(&b->topic);
}

static ezlda_status read_rows(ez_bundles *b, ezlda_context *context, const ez_rows *rows)
{
    EZ_TRY(ez_array(&b->row_start, context, b->words, sizeof *b->row_start, "rows of words"));
    EZ_TRY(ez_array(&b->row_length, context, b->words, sizeof *b->row_length, "rows of words"));
    EZ_TRY(ez_array(&b->row, context, rows->entries, sizeof *b->row, "rows of words"));
    EZ_TRY(ez_array_zero(&b->length, context, b->topics, sizeof *b->length, "bundles"));
    EZ_TRY(ez_array_zero(&b->tokens, context, b->topics, sizeof *b->tokens, "bundles"));
    for (uint32_t v = 0; v < b->words; v++) {
        b->row_start[v] = rows->start[v];
        b->row_length[v] = (uint32_t)(rows->start[v + 1] - rows->start[v]);
    }
    for (uint64_t e = 0; e < rows->entries; e++) {
        b->row[e] = (ez_bundle_count){rows->topic[e], ez_rows_count(rows, e)};
        b->length[rows->topic[e]]++;
        b->tokens[rows->topic[e]] += b->row[e].count;
    }
    return EZLDA_OK;
}

static ezlda_status list_words(ez_bundles *b, ezlda_context *context)
{
    EZ_TRY(ez_array_zero(&b->list, context, b->topics, sizeof *b->list, "bundles"));
    for (uint32_t k = 0; k < b->topics; k++) {
        EZ_TRY(ez_array(&b->list[k], context, b->length[k], sizeof **b->list,
                        "the words of a bundle"));
        b->length[k] = 0;
    }
    for (uint32_t v = 0; v < b->words; v++)
        for (uint32_t r = 0; r < b->row_length[v]; r++) {
            ez_bundle_count at = b->row[b->row_start[v] + r];
            b->list[at.id][b->length[at.id]++] = (ez_bundle_count){v, at.count};
        }
    return EZLDA_OK;
}

ezlda_status ez_bundles_init(ez_bundles *b, ezlda_context *context, const ezlda_model *model)
{
    double beta = model->meta->beta;
    b->topics = model->meta->topics;
    b->words = model->meta->words;
    b->threads = ez_threads_for(context, model->word_rows.entries);
    b->stride = ((size_t)b->topics + 7) / 8 * 8;
    EZ_TRY(ez_log_gamma_init(&b->word, context, beta));
    EZ_TRY(ez_log_gamma_init(&b->topic, context, beta * (b->words ? b->words : 1)));
    EZ_TRY(ez_array(&b->sums, context, ez_product((size_t)b->threads, b->stride), sizeof *b->sums,
                    "losses of merges"));
    EZ_TRY(read_rows(b, context, &model->word_rows));
    return list_words(b, context);
}

/* ---- losses ---- */

/* Adds what the merged counts of one word lose with each bundle of its row. */
static void add_word(const ez_bundles *b, ez_bundle_count word, int64_t *sum)
{
    const ez_bundle_count *row = b->row + b->row_start[word.id];
    const int64_t *table = b->word.table;
    uint32_t n = b->row_length[word.id];
    int64_t own = ez_log_gamma_of(&b->word, word.count);
    for (uint32_t r = 0; r < n; r++) {
        uint64_t both = (uint64_t)row[r].count + word.count;
        if (both < EZ_GAMMA_TABLE)
            sum[row[r].id] += own + table[row[r].count] - table[both];
        else
            sum[row[r].id] +=
                own + ez_log_gamma_of(&b->word, row[r].count) - ez_log_gamma_of(&b->word, both);
    }
}

static int64_t tokens_loss(const ez_bundles *b, uint32_t i, uint32_t j)
{
    const ez_log_gamma *all = &b->topic;
    return ez_log_gamma_of(all, b->tokens[i] + b->tokens[j]) - ez_log_gamma_of(all, b->tokens[i]) -
           ez_log_gamma_of(all, b->tokens[j]);
}

void ez_bundle_losses_in_thread(const ez_bundles *b, uint32_t i, int64_t *loss)
{
    memset(loss, 0, b->topics * sizeof *loss);
    for (uint32_t w = 0; w < b->length[i]; w++)
        add_word(b, b->list[i][w], loss);
    for (uint32_t j = 0; j < b->topics; j++)
        if (b->list[j])
            loss[j] += tokens_loss(b, i, j);
}

uint64_t ez_bundle_terms(const ez_bundles *b, uint32_t i)
{
    uint64_t terms = 0;
    for (uint32_t w = 0; w < b->length[i]; w++)
        terms += b->row_length[b->list[i][w].id];
    return terms;
}

void ez_bundle_losses(const ez_bundles *b, uint32_t i, int64_t *loss)
{
    if (b->threads < 2 || ez_bundle_terms(b, i) < EZ_WORTH_THREADS) {
        ez_bundle_losses_in_thread(b, i, loss);
        return;
    }
#pragma omp parallel num_threads(b->threads)
    {
        int64_t *sum = b->sums + (size_t)omp_get_thread_num() * b->stride;
        memset(sum, 0, b->topics * sizeof *sum);
#pragma omp for schedule(dynamic, 64)
        for (uint32_t w = 0; w < b->length[i]; w++)
            add_word(b, b->list[i][w], sum);
#pragma omp for schedule(static)
        for (uint32_t j = 0; j < b->topics; j++) {
            if (!b->list[j])
                continue;
            loss[j] = tokens_loss(b, i, j);
            for (int t = 0; t < omp_get_num_threads(); t++)
                loss[j] += b->sums[(size_t)t * b->stride + j];
        }
    }
}

/* ---- merging ---- */

/* Gives bundle i the tokens that bundle j has of a word. */
static void merge_in_row(ez_bundles *b, uint32_t word, uint32_t i, uint32_t j)
{
    ez_bundle_count *row = b->row + b->row_start[word];
    uint32_t n = b->row_length[word], at_i = n, at_j = n;
    for (uint32_t r = 0; r < n; r++) {
        at_i = row[r].id == i ? r : at_i;
        at_j = row[r].id == j ? r : at_j;
    }
    if (at_j == n)
        return;
    if (at_i == n) {
        row[at_j].id = i;
        return;
    }
    row[at_i].count += row[at_j].count;
    row[at_j] = row[n - 1];
    b->row_length[word]--;
}

/* Joins two ascending lists into one with room for both. */
static uint32_t join(ez_bundle_count *out, const ez_bundle_count *x, uint32_t nx,
                     const ez_bundle_count *y, uint32_t ny)
{
    uint32_t n = 0, i = 0, j = 0;
    while (i < nx || j < ny) {
        if (j == ny || (i < nx && x[i].id < y[j].id))
            out[n++] = x[i++];
        else if (i == nx || y[j].id < x[i].id)
            out[n++] = y[j++];
        else {
            out[n++] = (ez_bundle_count){x[i].id, x[i].count + y[j].count};
            i++;
            j++;
        }
    }
    return n;
}

ezlda_status ez_bundles_merge(ez_bundles *b, ezlda_context *context, uint32_t i, uint32_t j)
{
    ez_bundle_count *both = NULL;
    EZ_TRY(ez_array(&both, context, (size_t)b->length[i] + b->length[j], sizeof *both,
                    "the words of a bundle"));
    for (uint32_t w = 0; w < b->length[j]; w++)
        merge_in_row(b, b->list[j][w].id, i, j);
    b->length[i] = join(both, b->list[i], b->length[i], b->list[j], b->length[j]);
    ez_free(b->list[i]);
    ez_free(b->list[j]);
    b->list[i] = both;
    b->list[j] = NULL;
    b->length[j] = 0;
    b->tokens[i] += b->tokens[j];
    b->tokens[j] = 0;
    return EZLDA_OK;
}
