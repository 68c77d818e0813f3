/* calibration RULE DOCS LENGTH WORDS TOPICS ALPHA BETA SIMULATIONS [BURN_IN APART]: how far a
 * sampler of LDA is from the exact posterior, for bench/notes/conditional.md.
 *
 * Each simulation draws topics and words from the prior and runs a chain from the drawn topics; a
 * sampler that is exact keeps every figure's distribution. RULE: esca, d, dwn or gibbs, as in
 * conditional.c. Prints for each figure its mean over the drawn topics and over the samples, the
 * shift between them in posterior standard deviations with its standard error, the standard
 * deviation within a chain, and the share of each rank. Build with the folders src and tests/unit
 * in the path of includes. */
#include <stdio.h>
#include <stdlib.h>

#include "simulated_prior.h"

typedef enum rule { RULE_ESCA, RULE_D, RULE_DWN, RULE_HALF, RULE_GIBBS } rule;

/* All tokens from the counts of the previous iteration; half: each token with probability 1/2. */
static void synchronous(simulation *s, rule r)
{
    static _Thread_local uint16_t next[SIM_TOKENS];
    const sim_shape *shape = &s->shape;
    for (uint32_t i = 0; i < s->tokens; i++) {
        uint32_t d = i / shape->length, v = s->word[i], o = s->topic[i];
        double weight[SIM_TOPICS];
        next[i] = (uint16_t)o;
        if (r == RULE_HALF && sim_uniform(s) < 0.5)
            continue;
        for (uint32_t k = 0; k < shape->topics; k++) {
            uint32_t from_d = r != RULE_ESCA && k == o, from_w = r >= RULE_DWN && k == o;
            weight[k] = (s->D[d][k] - from_d + shape->alpha) * (s->W[v][k] - from_w + shape->beta) /
                        (s->n[k] - from_w + shape->words * shape->beta);
        }
        next[i] = (uint16_t)sim_pick(s, weight, shape->topics);
    }
    memcpy(s->topic, next, s->tokens * sizeof *next);
    sim_count(s);
}

static void simulate(calibration *all, const sim_shape *shape, rule r, uint64_t seed,
                     const uint32_t *plan)
{
    simulation *s = malloc(sizeof *s);
    double truth[FIGURES], sample[FIGURES][SIM_SAMPLES], now[FIGURES];
    if (!s)
        abort();
    sim_draw(s, shape, seed);
    sim_figures(s, truth);
    for (uint32_t i = 0, step = 0; i < SIM_SAMPLES; i++) {
        for (; step < plan[0] + i * plan[1]; step++)
            if (r == RULE_GIBBS)
                sim_gibbs(s);
            else
                synchronous(s, r);
        sim_figures(s, now);
        for (int j = 0; j < FIGURES; j++)
            sample[j][i] = now[j];
    }
    double u[FIGURES];
    for (int j = 0; j < FIGURES; j++)
        u[j] = sim_uniform(s);
#pragma omp critical
    for (int j = 0; j < FIGURES; j++)
        calibration_add(&all[j], truth[j], sample[j], u[j]);
    free(s);
}

static void print(const calibration *c, const char *name)
{
    double n = c->n, shift = c->shift / n;
    /* Truth and mean of m samples differ by a variance of (1 + 1/m) posterior variances if the
     * sampler is exact and its samples do not depend on each other. */
    double deviation = sqrt((c->shift_2 / n - shift * shift) / (1 + 1.0 / SIM_SAMPLES));
    printf("%-52s truth %9.4f sample %9.4f shift %+.3f sd (%+.1f errors), sd %.4f, within %.4f, "
           "chi-square %.0f, ranks",
           name, c->truth / n, c->sample / n, shift / deviation, calibration_score(c), deviation,
           sqrt(c->within / n), calibration_chi_square(c));
    for (int i = 0; i < SIM_RANKS; i++)
        printf(" %.3f", c->rank[i] / n);
    putchar('\n');
}

int main(int argc, char **argv)
{
    static const char *const rules[] = {"esca", "d", "dwn", "half", "gibbs"};
    rule r = RULE_ESCA;
    if (argc != 9 && argc != 11) {
        fprintf(stderr, "usage: calibration RULE DOCS LENGTH WORDS TOPICS ALPHA BETA SIMULATIONS "
                        "[BURN_IN APART]\n");
        return 2;
    }
    while (r < RULE_GIBBS && strcmp(argv[1], rules[r]) != 0)
        r++;
    uint32_t number[4], plan[] = {100, 20};
    for (int i = 0; i < 4; i++)
        number[i] = (uint32_t)strtoul(argv[2 + i], NULL, 10);
    for (int i = 9; i < argc; i++)
        plan[i - 9] = (uint32_t)strtoul(argv[i], NULL, 10);
    sim_shape shape = {
        number[0], number[1], number[2], number[3], strtod(argv[6], NULL), strtod(argv[7], NULL)};
    if (shape.docs > SIM_DOCS || shape.docs * shape.length > SIM_TOKENS ||
        shape.words > SIM_WORDS || shape.topics > SIM_TOPICS) {
        fprintf(stderr, "calibration: the corpus is larger than simulated_prior.h allows\n");
        return 2;
    }
    calibration all[FIGURES] = {0};
    int64_t simulations = strtoll(argv[8], NULL, 10);
#pragma omp parallel for schedule(dynamic, 4)
    for (int64_t i = 0; i < simulations; i++)
        simulate(all, &shape, r, (uint64_t)i, plan);
    for (int i = 0; i < FIGURES; i++)
        print(&all[i], figure_names[i]);
    return 0;
}
