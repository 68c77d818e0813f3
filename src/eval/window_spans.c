/* Finds the windows that hold a word, from the positions of its tokens. */
#include "eval/cooccurrence.h"

/* The token at p is in the windows p-window+1 to p. gensim drops a word as soon as the first of its
 * tokens leaves the window, even if others remain, until its next token enters. So the span that
 * starts with token p ends when the word's first token in that window leaves. */
size_t ez_window_spans(const uint32_t *position, size_t n, uint32_t window, uint32_t last,
                       bool whole, ez_window_span *span)
{
    size_t spans = 0, first = 0;
    for (size_t i = 0; i < n; i++) {
        uint32_t from = position[i] >= window ? position[i] - window + 1 : 0;
        while (position[first] < from)
            first++;
        uint32_t to = position[whole ? i : first];
        to = to < last ? to : last;
        if (!spans || from > (uint64_t)span[spans - 1].to + 1)
            span[spans++] = (ez_window_span){from, to};
        else if (to > span[spans - 1].to)
            span[spans - 1].to = to;
    }
    return spans;
}

uint64_t ez_spans_length(const ez_window_span *span, size_t n)
{
    uint64_t length = 0;
    for (size_t i = 0; i < n; i++)
        length += (uint64_t)span[i].to - span[i].from + 1;
    return length;
}

static uint64_t common(const ez_window_span *a, const ez_window_span *b)
{
    int64_t from = a->from > b->from ? a->from : b->from, to = a->to < b->to ? a->to : b->to;
    return (uint64_t)(to >= from ? to - from + 1 : 0);
}

/* A few spans are compared each with each: unpredictable branches would cost more. */
uint64_t ez_spans_overlap(const ez_window_span *a, size_t n_a, const ez_window_span *b, size_t n_b)
{
    enum { FEW = 8 };
    uint64_t overlap = 0;
    if (n_a <= FEW && n_b <= FEW) {
        for (size_t i = 0; i < n_a; i++)
            for (size_t j = 0; j < n_b; j++)
                overlap += common(&a[i], &b[j]);
        return overlap;
    }
    for (size_t i = 0, j = 0; i < n_a && j < n_b;) {
        overlap += common(&a[i], &b[j]);
        if (a[i].to < b[j].to)
            i++;
        else
            j++;
    }
    return overlap;
}
