/* Finds the cheapest merge again and again. Each bundle keeps its nearest bundles in a short list:
 * all bundles that are nearer than the list's bound. A merge removes two bundles from the lists
 * and offers the new one to them; a list is made again from all losses only when it has become
 * empty. So the order is that of a search through all pairs, without a table of them. */
#include "tree/merge_order.h"

#include "base/memory.h"

#include <omp.h>
#include <stdbool.h>
#include <string.h>

enum { NEAR = 32 };

typedef struct neighbour {
    int64_t loss;
    uint32_t bundle;
} neighbour;

/* The n nearest bundles of one, nearest first. Every other bundle is not nearer than `bound`. */
typedef struct near_list {
    uint32_t n;
    neighbour bound;
    neighbour at[NEAR];
} near_list;

typedef struct search {
    ez_bundles *b;
    near_list *near;
    int64_t *loss;   /* topics: of the bundle that was merged last */
    int64_t *losses; /* threads * stride */
    uint32_t *stale; /* bundles whose list is to be made */
    uint32_t n_stale;
    uint32_t *open; /* bundles that are there, ascending */
    uint32_t n_open;
} search;

static const neighbour beyond_all = {INT64_MAX, UINT32_MAX};

static bool is_nearer(neighbour x, neighbour y)
{
    return x.loss < y.loss || (x.loss == y.loss && x.bundle < y.bundle);
}

/* Puts a neighbour in its place; the last one leaves a full list, which then bounds it. */
static void offer(near_list *near, neighbour offered)
{
    if (!is_nearer(offered, near->bound))
        return;
    if (near->n == NEAR) {
        near->bound = near->at[NEAR - 1];
        near->n--;
        if (!is_nearer(offered, near->bound))
            return;
    }
    uint32_t at = near->n++;
    for (; at > 0 && is_nearer(offered, near->at[at - 1]); at--)
        near->at[at] = near->at[at - 1];
    near->at[at] = offered;
}

static void forget(near_list *near, uint32_t bundle)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < near->n; i++)
        if (near->at[i].bundle != bundle)
            near->at[n++] = near->at[i];
    near->n = n;
}

static void fill(search *s, uint32_t i, const int64_t *loss)
{
    near_list *near = &s->near[i];
    near->n = 0;
    near->bound = beyond_all;
    for (uint32_t o = 0; o < s->n_open; o++)
        if (s->open[o] != i)
            offer(near, (neighbour){loss[s->open[o]], s->open[o]});
}

/* Lists are made by one thread each, unless they are few or short. */
static bool is_worth_threads(const search *s)
{
    uint64_t terms = 0;
    for (uint32_t i = 0; i < s->n_stale && terms < EZ_WORTH_THREADS; i++)
        terms += ez_bundle_terms(s->b, s->stale[i]);
    return s->b->threads > 1 && s->n_stale > 1 && terms >= EZ_WORTH_THREADS;
}

static void fill_stale(search *s)
{
    const ez_bundles *b = s->b;
    bool together = is_worth_threads(s);
#pragma omp parallel num_threads(b->threads) if (together)
    {
        int64_t *loss = s->losses + (size_t)omp_get_thread_num() * b->stride;
#pragma omp for schedule(dynamic, 1)
        for (uint32_t i = 0; i < s->n_stale; i++) {
            ez_bundle_losses_in_thread(b, s->stale[i], loss);
            fill(s, s->stale[i], loss);
        }
    }
    s->n_stale = 0;
}

static ez_merge cheapest(const search *s)
{
    ez_merge best = {.loss = INT64_MAX};
    for (uint32_t o = 0; o < s->n_open; o++) {
        uint32_t i = s->open[o];
        neighbour first = s->near[i].at[0];
        if (i < first.bundle && first.loss < best.loss)
            best = (ez_merge){i, first.bundle, first.loss};
    }
    return best;
}

static void close_bundle(search *s, uint32_t bundle)
{
    uint32_t n = 0;
    for (uint32_t o = 0; o < s->n_open; o++)
        if (s->open[o] != bundle)
            s->open[n++] = s->open[o];
    s->n_open = n;
}

/* After b went into a: the lists of others lose both and are offered the new bundle. */
static void renew_lists(search *s, const ez_merge *merge)
{
    close_bundle(s, merge->b);
    ez_bundle_losses(s->b, merge->a, s->loss);
    fill(s, merge->a, s->loss);
    for (uint32_t o = 0; o < s->n_open; o++) {
        uint32_t i = s->open[o];
        if (i == merge->a)
            continue;
        forget(&s->near[i], merge->a);
        forget(&s->near[i], merge->b);
        offer(&s->near[i], (neighbour){s->loss[i], merge->a});
        if (s->near[i].n == 0)
            s->stale[s->n_stale++] = i;
    }
    fill_stale(s);
}

static ezlda_status search_init(search *s, ezlda_context *context)
{
    uint32_t topics = s->b->topics;
    EZ_TRY(ez_array(&s->near, context, topics, sizeof *s->near, "neighbours of bundles"));
    EZ_TRY(ez_array(&s->loss, context, topics, sizeof *s->loss, "losses of merges"));
    EZ_TRY(ez_array(&s->losses, context, ez_product((size_t)s->b->threads, s->b->stride),
                    sizeof *s->losses, "losses of merges"));
    EZ_TRY(ez_array(&s->stale, context, topics, sizeof *s->stale, "neighbours of bundles"));
    EZ_TRY(ez_array(&s->open, context, topics, sizeof *s->open, "bundles"));
    for (uint32_t k = 0; k < topics; k++)
        s->open[k] = s->stale[k] = k;
    s->n_open = s->n_stale = topics;
    return EZLDA_OK;
}

ezlda_status ez_merge_all(ez_merge *merges, ezlda_context *context, ez_bundles *bundles,
                          ez_merge_fn before, void *user)
{
    search s = {.b = bundles};
    ezlda_status status;
    EZ_TRY_GOTO(search_init(&s, context));
    if (bundles->topics > 1)
        fill_stale(&s);
    for (uint32_t m = 0; m + 1 < bundles->topics; m++) {
        merges[m] = cheapest(&s);
        EZ_TRY_GOTO(before(bundles, context, &merges[m], user));
        EZ_TRY_GOTO(ez_bundles_merge(bundles, context, merges[m].a, merges[m].b));
        renew_lists(&s, &merges[m]);
    }
done:
    ez_free(s.near);
    ez_free(s.loss);
    ez_free(s.losses);
    ez_free(s.stale);
    ez_free(s.open);
    return status;
}
