/* Computes a row for each number of topics from its runs. */
#include "sweep/sweep.h"

#include <math.h>

/* The finished runs of a row. */
typedef struct done_runs {
    const ezlda_sweep_run *all;
    uint32_t seeds, done;
} done_runs;

static double mean(const done_runs *runs, size_t offset)
{
    double sum = 0;
    for (uint32_t i = 0; i < runs->seeds; i++)
        if (runs->all[i].done)
            sum += *(const double *)(const void *)((const char *)&runs->all[i] + offset);
    return runs->done ? sum / runs->done : NAN;
}

#define MEAN(runs, field) mean(runs, offsetof(ezlda_sweep_run, field))

/* Documents are the same for all seeds, so their error does not shrink with more seeds. */
static void spread_and_error(ezlda_sweep_row *row, const done_runs *runs)
{
    double squares = 0, error = 0;
    for (uint32_t i = 0; i < runs->seeds; i++) {
        if (!runs->all[i].done)
            continue;
        double off = runs->all[i].completion.perplexity - row->perplexity,
               of_docs = runs->all[i].completion.error;
        squares += off * off;
        error += of_docs * of_docs / runs->done;
    }
    double variance = runs->done > 1 ? squares / (runs->done - 1) : 0;
    row->spread = runs->done > 1 ? sqrt(variance) : NAN;
    row->error = runs->done ? sqrt(error + variance / runs->done) : NAN;
}

/* Each run has its mean similarity to all earlier ones. This is the mean over all pairs of the
 * finished runs from the first one on. */
static double stability(const done_runs *runs)
{
    double sum = 0, pairs = 0;
    for (uint32_t i = 0; i < runs->seeds && runs->all[i].done; i++) {
        if (i)
            sum += i * runs->all[i].similarity;
        pairs += i;
    }
    return pairs > 0 ? sum / pairs : NAN;
}

static void fill_row(ezlda_sweep_row *row, const ezlda_sweep_run *all, uint32_t seeds)
{
    done_runs runs = {all, seeds, 0};
    for (uint32_t i = 0; i < seeds; i++)
        runs.done += all[i].done != 0;
    *row = (ezlda_sweep_row){
        .size = sizeof *row,
        .topics = all->topics,
        .runs = runs.done,
        .perplexity = MEAN(&runs, completion.perplexity),
        .unigram = MEAN(&runs, completion.unigram),
        .unigram_error = MEAN(&runs, completion.unigram_error),
        .u_mass = MEAN(&runs, u_mass),
        .npmi = MEAN(&runs, npmi),
        .c_v = MEAN(&runs, c_v),
        .diversity = MEAN(&runs, diversity),
        .exclusivity = MEAN(&runs, exclusivity),
        .llpt = MEAN(&runs, llpt),
        .stability = stability(&runs),
        .seconds = MEAN(&runs, seconds),
        .to_best = NAN,
        .to_best_error = NAN,
        .to_unigram = NAN,
        .to_unigram_error = NAN,
    };
    spread_and_error(row, &runs);
}

void ez_sweep_fill_rows(ezlda_sweep_scores *scores)
{
    ezlda_sweep_info *info = &scores->info;
    info->runs_done = info->runs_found = 0;
    for (size_t i = 0; i < info->runs; i++) {
        info->runs_done += scores->runs[i].done != 0;
        info->runs_found += scores->runs[i].found != 0;
    }
    for (size_t i = 0; i < info->rows; i++)
        fill_row(&scores->rows[i], scores->runs + i * scores->seeds, scores->seeds);
}
