/* The words of a consensus: the sum of those of the members, and how like it each member is. */
#include "base/memory.h"
#include "ensemble/consensus.h"

#include <math.h>

ezlda_status ez_consensus_words(const ez_consensus *c, ez_count_rows *rows, uint32_t *samples)
{
    uint32_t words = c->models[0]->meta->words, n = 0;
    uint64_t most = 0, at = 0, *sum = NULL;
    ezlda_status status;
    *samples = 0;
    for (uint32_t m = 0; m < c->members; m++) {
        *samples += c->models[m]->phi.samples;
        most += c->models[m]->phi.rows.entries;
    }
    rows->rows = words;
    EZ_TRY_GOTO(ez_array(&rows->start, c->context, (size_t)words + 1, sizeof *rows->start, "rows"));
    EZ_TRY_GOTO(ez_array(&rows->topic, c->context, most, sizeof *rows->topic, "rows"));
    EZ_TRY_GOTO(ez_array(&rows->count, c->context, most, sizeof *rows->count, "rows"));
    EZ_TRY_GOTO(ez_array_zero(&sum, c->context, c->topics, sizeof *sum, "a row"));
    for (uint32_t v = 0; v < words; v++) {
        rows->start[v] = at;
        for (uint32_t m = 0; m < c->members; m++) {
            const ez_rows *from = &c->models[m]->phi.rows;
            const uint32_t *label = c->label + (size_t)m * c->topics;
            for (uint64_t e = from->start[v]; e < from->start[v + 1]; e++)
                sum[label[from->topic[e]]] += ez_rows_count(from, e);
        }
        for (n = 0; n < c->topics; n++) {
            if (sum[n] > UINT32_MAX) {
                status = ez_fail(c->context, EZLDA_ERROR_UNSUPPORTED,
                                 "a word has more than %u tokens in a topic, counted in all "
                                 "samples of all members",
                                 UINT32_MAX);
                goto done;
            }
            if (sum[n]) {
                rows->topic[at] = (uint16_t)n;
                rows->count[at++] = (uint32_t)sum[n];
            }
            sum[n] = 0;
        }
    }
    rows->start[words] = at;
done:
    ez_free(sum);
    return status;
}

/* ---- how like the others a member is ---- */

typedef struct likeness {
    double roots, own, others; /* sums over words: of sqrt(own * others), of the counts */
} likeness;

/* Compares the words of each topic of member m with those of the consensus without it. */
static void compare_member(const ez_consensus *c, const ezlda_model *consensus, uint32_t m,
                           likeness *like, uint64_t *own)
{
    const ez_rows *all = &consensus->phi.rows, *rows = &c->models[m]->phi.rows;
    const uint32_t *label = c->label + (size_t)m * c->topics;
    for (uint64_t v = 0; v < all->rows; v++) {
        for (uint64_t e = rows->start[v]; e < rows->start[v + 1]; e++)
            own[label[rows->topic[e]]] = ez_rows_count(rows, e);
        for (uint64_t e = all->start[v]; e < all->start[v + 1]; e++) {
            uint32_t k = all->topic[e];
            double mine = (double)own[k], others = (double)(ez_rows_count(all, e) - own[k]);
            like[k].own += mine;
            like[k].others += others;
            like[k].roots += sqrt(mine * others);
            own[k] = 0;
        }
    }
}

ezlda_status ez_consensus_found(const ez_consensus *c, const ezlda_model *consensus,
                                uint32_t *found)
{
    likeness *like = NULL;
    uint64_t *own = NULL;
    ezlda_status status;
    EZ_TRY_GOTO(ez_array_zero(&own, c->context, c->topics, sizeof *own, "a row"));
    for (uint32_t k = 0; k < c->topics; k++)
        found[k] = 0;
    for (uint32_t m = 0; m < c->members; m++) {
        ez_free(like);
        EZ_TRY_GOTO(ez_array_zero(&like, c->context, c->topics, sizeof *like, "similarities"));
        compare_member(c, consensus, m, like, own);
        for (uint32_t k = 0; k < c->topics; k++)
            found[k] += like[k].roots > 0 &&
                        like[k].roots >= c->threshold * sqrt(like[k].own) * sqrt(like[k].others);
    }
done:
    ez_free(like);
    ez_free(own);
    return status;
}
