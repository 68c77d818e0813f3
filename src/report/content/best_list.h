/* Keeps the best few of many items: a heap with the worst of them at the root, sorted at the end.
 * Ties: the smaller number is better. */
#ifndef EZ_BEST_LIST_H
#define EZ_BEST_LIST_H

#include <stdbool.h>
#include <stdint.h>

typedef struct ez_best_item {
    double score;
    uint32_t id, count;
} ez_best_item;

typedef struct ez_best_list {
    ez_best_item *item; /* room for `most` */
    uint32_t n, most;
} ez_best_list;

static inline bool ez_better(const ez_best_item *a, const ez_best_item *b)
{
    return a->score > b->score || (a->score == b->score && a->id < b->id);
}

static inline void ez_best_sink(ez_best_item *heap, uint32_t n, ez_best_item item)
{
    uint32_t at = 0;
    for (;;) {
        uint32_t child = 2 * at + 1;
        if (child >= n)
            break;
        if (child + 1 < n && ez_better(&heap[child], &heap[child + 1]))
            child++;
        if (!ez_better(&item, &heap[child]))
            break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = item;
}

static inline void ez_best_offer(ez_best_list *best, double score, uint32_t id, uint32_t count)
{
    ez_best_item item = {score, id, count};
    if (best->n == best->most) {
        if (best->n && ez_better(&item, &best->item[0]))
            ez_best_sink(best->item, best->n, item);
        return;
    }
    uint32_t at = best->n++;
    for (; at && ez_better(&best->item[(at - 1) / 2], &item); at = (at - 1) / 2)
        best->item[at] = best->item[(at - 1) / 2];
    best->item[at] = item;
}

/* Best first; nothing may be offered afterwards. */
static inline void ez_best_sort(ez_best_list *best)
{
    for (uint32_t n = best->n; n > 1; n--) {
        ez_best_item last = best->item[n - 1];
        best->item[n - 1] = best->item[0];
        ez_best_sink(best->item, n - 1, last);
    }
}

#endif
