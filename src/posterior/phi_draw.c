/* Draws p(word | topic) given counts: each topic from a Dirichlet distribution, made of one gamma
 * variable per word. */
#include "numeric/draws.h"
#include "posterior/chain_state.h"

#include <omp.h>
#include <string.h>

enum { EZ_STREAM_PHI = 21, EZ_STREAM_REST = 22, EZ_PHI_WORDS = 512 };

/* The counts of a word as doubles, topics in order. */
static void counts_of(const ez_chain *chain, uint32_t word, double *count)
{
    uint32_t topics = chain->topics;
    if (chain->counts) {
        const uint32_t *row = chain->counts + (size_t)word * chain->padded;
        for (uint32_t k = 0; k < topics; k++)
            count[k] = row[k];
        return;
    }
    const ez_rows *rows = &chain->model->word_rows;
    uint64_t v = chain->word_of[word];
    memset(count, 0, topics * sizeof *count);
    for (uint64_t e = rows->start[v]; e < rows->start[v + 1]; e++)
        count[rows->topic[e]] = ez_rows_count(rows, e);
}

/* Writes the weights of a word and adds them, and its counts, to the sums. */
static void draw_word(ez_chain *chain, uint32_t word, bool drawn, double *count, double *sum,
                      double *total)
{
    float *phi = chain->phi + (size_t)word * chain->padded;
    double beta = chain->beta;
    uint64_t i = 0;
    uint64_t key =
        ez_stream_key(ez_mix64(chain->seed) + chain->step, EZ_STREAM_PHI, chain->word_of[word]);
    counts_of(chain, word, count);
    for (uint32_t k = 0; k < chain->topics; k++) {
        double weight = drawn ? ez_gamma(key, &i, count[k] + beta) : count[k] + beta;
        phi[k] = (float)weight;
        sum[k] += weight;
        total[k] += count[k];
    }
}

/* Words that the corpus does not have share what is left of each topic: only their sum matters. */
static double rest_of(const ez_chain *chain, uint32_t topic, double counted, double words,
                      bool drawn)
{
    const ezlda_model *model = chain->model;
    double tokens = chain->own ? 0 : (double)model->topic_tokens[topic] - counted;
    double shape = tokens + ((double)model->meta->words - words) * chain->beta;
    uint64_t i = 0;
    uint64_t key = ez_stream_key(ez_mix64(chain->seed) + chain->step, EZ_STREAM_REST, topic);
    return !(shape > 0) ? 0 : drawn ? ez_gamma(key, &i, shape) : shape;
}

ezlda_status ez_chain_draw_phi(ez_chain *chain, ezlda_context *context, bool drawn)
{
    size_t groups = chain->words / EZ_PHI_WORDS + 1, topics = chain->topics;
    double *sums = NULL, *scale, known = 0;
    int threads = chain->threads;
    EZ_TRY(ez_array_zero(&sums, context,
                         ez_product(ez_product(2, groups) + 2 + (size_t)threads, topics),
                         sizeof *sums, "sums of p(word | topic)"));
    double *totals = sums + groups * topics, *room = totals + (groups + 2) * topics;
    scale = totals + groups * topics;
#pragma omp parallel for schedule(dynamic) num_threads(threads)
    for (size_t g = 0; g < groups; g++)
        for (size_t v = g * EZ_PHI_WORDS; v < (g + 1) * EZ_PHI_WORDS && v < chain->words; v++)
            if (chain->known[v])
                draw_word(chain, (uint32_t)v, drawn, room + (size_t)omp_get_thread_num() * topics,
                          sums + g * topics, totals + g * topics);
    for (uint32_t v = 0; v < chain->words; v++)
        known += chain->known[v];
    for (size_t g = 1; g < groups; g++)
        for (size_t k = 0; k < topics; k++) {
            sums[k] += sums[g * topics + k];
            totals[k] += totals[g * topics + k];
        }
    for (uint32_t k = 0; k < topics; k++) {
        double all = sums[k] + rest_of(chain, k, totals[k], known, drawn);
        scale[k] = all > 0 ? 1 / all : 0;
    }
#pragma omp parallel for schedule(static) num_threads(threads)
    for (uint32_t v = 0; v < chain->words; v++)
        for (uint32_t k = 0; k < topics && chain->known[v]; k++)
            chain->phi[(size_t)v * chain->padded + k] *= (float)scale[k];
    ez_free(sums);
    return EZLDA_OK;
}
