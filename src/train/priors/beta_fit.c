/* The fixed point of beta. */
#include "train/priors/beta_fit.h"

/* If the other documents have a word c times in a topic, a token of it there is due to beta, and
 * not to the counts, with probability beta / (c + beta). Returns the expected number of such
 * tokens, divided by beta. Words that only the prior sample has count, too. */
static double owed_to_beta(const ez_prior_sample_counts *counts, const ez_beta_sizes *sizes,
                           double beta)
{
    double sum = 0;
    for (uint32_t i = 0; i < EZ_COUNT_CELLS; i++)
        if (counts->met[i] > 0)
            sum += (double)counts->met[i] / (beta + ez_cell_count(i));
    return sum + (double)sizes->dropped / beta;
}

/* The same number as a model with this beta would expect it from the sizes of topics alone, divided
 * by beta_sum (beta times the words). Dropped tokens have no topic: the others represent them. */
static double expected_of_beta(const ez_prior_sample_counts *counts, const ez_beta_sizes *sizes,
                               double beta_sum)
{
    double sum = 0;
    for (uint32_t k = 0; k < sizes->topics; k++)
        sum += (double)counts->own[k] / ((double)counts->rest[k] + beta_sum);
    return sum * (1 + (double)sizes->dropped / (double)sizes->tokens);
}

float ez_beta_fit(const ez_prior_sample_counts *counts, const ez_beta_sizes *sizes, int steps,
                  float beta)
{
    double b = (double)beta, words = sizes->words;
    for (int i = 0; i < steps; i++)
        b *= owed_to_beta(counts, sizes, b) / (words * expected_of_beta(counts, sizes, b * words));
    return (float)b;
}
