/* Runs queries: threads search the segments, each with bits for its documents, then the best of
 * what was found are listed. */
#include "report/search/query.h"

#include "corpus/bags/doc_code.h"
#include "model/model_layout.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { EZ_SEGMENT_WORDS = EZ_SEGMENT_DOCS / 64 };

void ez_found_free(ez_found *found)
{
    ez_free(found->bits);
    *found = (ez_found){0};
}

/* One thread: bits for each level of the query, and positions for phrases. */
typedef struct searcher {
    const ez_doc_index *index;
    const ez_query *query;
    uint64_t *const *topic_bits; /* by node */
    ezlda_context *context;
    uint64_t (*level)[EZ_SEGMENT_WORDS];
    ez_buffer mine, other; /* match */
} searcher;

/* Word i of all words of a query. */
static uint32_t word_of(const ez_query *query, uint32_t i)
{
    return ((const uint32_t *)(const void *)query->words.data)[i];
}

/* A place where a phrase may go on: a document of the segment and the position of its last word. */
typedef struct match {
    uint32_t doc, position;
} match;

/* ---- postings ---- */

/* Reads postings of a word in a segment. */
typedef struct posting_list {
    const unsigned char *at, *end;
    const unsigned char *position, *position_end;
    uint32_t docs, doc;
    uint64_t next;
    uint32_t count;
} posting_list;

/* The postings of a word; an empty list if the segment does not have it. */
static posting_list open_list(const ez_segment *segment, uint32_t word)
{
    posting_list list = {.docs = segment->docs};
    uint64_t low = 0, high = segment->head.words;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (segment->word[middle] < word)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == segment->head.words || segment->word[low] != word)
        return list;
    const ez_word_mark *mark = &segment->mark[low];
    list.at = segment->postings + mark->postings;
    list.end = segment->postings + mark[1].postings;
    list.position = segment->positions + mark->positions;
    list.position_end = segment->positions + mark[1].positions;
    return list;
}

/* Moves to the next document; false at the end, and if the content is wrong. */
static inline bool next_doc(posting_list *list)
{
    uint64_t code, more = 0;
    if (list->at >= list->end)
        return false;
    if (*list->at < 128)
        code = *list->at++;
    else if (!(list->at = ez_check_varint(list->at, list->end, &code)))
        return list->end = NULL, false;
    list->next += code >> 1;
    if (list->next >= list->docs)
        return list->at = list->end, false;
    list->doc = (uint32_t)list->next++;
    list->count = 1;
    if (code & 1) {
        if (!(list->at = ez_check_varint(list->at, list->end, &more)) || more > UINT32_MAX - 2)
            return list->at = list->end = NULL, false;
        list->count = (uint32_t)more + 2;
    }
    return true;
}

static void mark_word(uint64_t *bits, const ez_segment *segment, uint32_t word)
{
    posting_list list = open_list(segment, word);
    while (next_doc(&list))
        bits[list.doc / 64] |= UINT64_C(1) << list.doc % 64;
}

/* ---- phrases ---- */

/* Lists all places of a word, or of those where the phrase so far ends just before it. */
static ezlda_status follow(searcher *self, const ez_segment *segment, uint32_t word,
                           const ez_buffer *before, ez_buffer *to)
{
    posting_list list = open_list(segment, word);
    const match *at = before ? (const match *)(const void *)before->data : NULL,
                *end = before ? at + before->used / sizeof *at : NULL;
    to->used = 0;
    while (next_doc(&list)) {
        uint64_t position = 0, gap;
        EZ_TRY(ez_buffer_reserve(to, self->context, list.count * sizeof(match)));
        while (before && at < end && at->doc < list.doc)
            at++;
        for (uint32_t i = 0; i < list.count; i++) {
            list.position = ez_check_varint(list.position, list.position_end, &gap);
            if (!list.position)
                return EZLDA_OK;
            position += gap;
            while (before && at < end && at->doc == list.doc && at->position + 1u < position)
                at++;
            if (!before || (at < end && at->doc == list.doc && at->position + 1u == position)) {
                *(match *)(void *)(to->data + to->used) = (match){list.doc, (uint32_t)position};
                to->used += sizeof(match);
            }
        }
    }
    return EZLDA_OK;
}

static ezlda_status mark_phrase(searcher *self, const ez_query_node *node,
                                const ez_segment *segment, uint64_t *bits)
{
    const uint32_t *word = (const uint32_t *)(const void *)self->query->words.data + node->first;
    EZ_TRY(follow(self, segment, word[0], NULL, &self->mine));
    for (uint32_t i = 1; i < node->n && self->mine.used; i++) {
        EZ_TRY(follow(self, segment, word[i], &self->mine, &self->other));
        ez_buffer swap = self->mine;
        self->mine = self->other;
        self->other = swap;
    }
    const match *found = (const match *)(const void *)self->mine.data;
    for (size_t i = 0; i < self->mine.used / sizeof *found; i++)
        bits[found[i].doc / 64] |= UINT64_C(1) << found[i].doc % 64;
    return EZLDA_OK;
}

/* ---- fields ---- */

static void mark_field(const searcher *self, const ez_query_node *node, uint64_t first,
                       uint32_t docs, uint64_t *bits)
{
    const uint32_t *rank = self->index->field[node->field].rank + first;
    const ez_rank_span *span =
        (const ez_rank_span *)(const void *)self->query->spans.data + node->first;
    if (node->n == 1) {
        uint32_t from = span->first, n = span->end - span->first;
        for (uint32_t d = 0; d < docs; d++)
            bits[d / 64] |= (uint64_t)(rank[d] - from < n) << d % 64;
        return;
    }
    for (uint32_t d = 0; d < docs; d++) {
        uint32_t low = 0, high = node->n;
        while (low < high) {
            uint32_t middle = low + (high - low) / 2;
            if (span[middle].end <= rank[d])
                low = middle + 1;
            else
                high = middle;
        }
        if (low < node->n && span[low].first <= rank[d])
            bits[d / 64] |= UINT64_C(1) << d % 64;
    }
}

/* ---- nodes ---- */

static void mark_all(uint64_t *bits, uint32_t docs)
{
    for (uint32_t d = 0; d < docs; d += 64)
        bits[d / 64] = docs - d >= 64 ? UINT64_MAX : (UINT64_C(1) << (docs - d)) - 1;
}

static ezlda_status run_node(searcher *self, uint32_t number, uint32_t segment, uint32_t depth);

/* NOLINTNEXTLINE(misc-no-recursion): as deep as a query is long at most */
static ezlda_status run_two(searcher *self, const ez_query_node *node, uint32_t segment,
                            uint32_t depth)
{
    uint64_t *bits = self->level[depth];
    const uint64_t *other = self->level[depth + 1];
    EZ_TRY(run_node(self, node->left, segment, depth));
    EZ_TRY(run_node(self, node->right, segment, depth + 1));
    for (uint32_t i = 0; i < EZ_SEGMENT_WORDS; i++)
        bits[i] = node->kind == EZ_NODE_AND ? bits[i] & other[i] : bits[i] | other[i];
    return EZLDA_OK;
}

static ezlda_status run_leaf(searcher *self, uint32_t number, uint32_t segment, uint64_t *bits)
{
    const ez_query_node *node = &self->query->node[number];
    const ez_segment *one = &self->index->segment[segment];
    uint64_t first = (uint64_t)segment * EZ_SEGMENT_DOCS;
    memset(bits, 0, EZ_SEGMENT_WORDS * sizeof *bits);
    switch (node->kind) {
    case EZ_NODE_ALL: mark_all(bits, one->docs); break;
    case EZ_NODE_WORDS:
        for (uint32_t i = 0; i < node->n; i++)
            mark_word(bits, one, word_of(self->query, node->first + i));
        break;
    case EZ_NODE_PHRASE: return mark_phrase(self, node, one, bits);
    case EZ_NODE_FIELD:
        if (node->n)
            mark_field(self, node, first, one->docs, bits);
        break;
    case EZ_NODE_TOPIC:
        memcpy(bits, self->topic_bits[number] + first / 64, (one->docs + 63) / 64 * sizeof *bits);
        break;
    default: break;
    }
    return EZLDA_OK;
}

/* Leaves the documents of the node in level `depth`; may use those above it. */
/* NOLINTNEXTLINE(misc-no-recursion): as deep as a query is long at most */
static ezlda_status run_node(searcher *self, uint32_t number, uint32_t segment, uint32_t depth)
{
    const ez_query_node *node = &self->query->node[number];
    uint64_t *bits = self->level[depth];
    if (node->kind == EZ_NODE_AND || node->kind == EZ_NODE_OR)
        return run_two(self, node, segment, depth);
    if (node->kind != EZ_NODE_NOT)
        return run_leaf(self, number, segment, bits);
    EZ_TRY(run_node(self, node->left, segment, depth));
    for (uint32_t i = 0; i < EZ_SEGMENT_WORDS; i++)
        bits[i] = ~bits[i];
    uint32_t docs = self->index->segment[segment].docs;
    for (uint32_t i = (docs + 63) / 64; i < EZ_SEGMENT_WORDS; i++)
        bits[i] = 0;
    if (docs % 64)
        bits[docs / 64] &= (UINT64_C(1) << docs % 64) - 1;
    return EZLDA_OK;
}

/* The levels of bits that a node needs. */
/* NOLINTNEXTLINE(misc-no-recursion): as deep as a query is long at most */
static uint32_t levels_of(const ez_query *query, uint32_t number)
{
    const ez_query_node *node = &query->node[number];
    if (node->kind == EZ_NODE_NOT)
        return levels_of(query, node->left);
    if (node->kind != EZ_NODE_AND && node->kind != EZ_NODE_OR)
        return 1;
    uint32_t left = levels_of(query, node->left), right = levels_of(query, node->right) + 1;
    return left > right ? left : right;
}

/* ---- topics ---- */

/* The end of the documents of a topic with at least a share. */
static uint64_t share_end(const ez_doc_index *index, uint32_t topic, uint16_t share)
{
    uint64_t low = index->topic_start[topic], high = index->topic_start[topic + 1];
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (index->topic_share[middle] >= share)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static ezlda_status mark_topics(const ez_doc_index *index, ezlda_context *context,
                                const ez_query *query, uint64_t **bits)
{
    size_t words = (size_t)(index->meta.docs + 63) / 64;
    for (uint32_t i = 0; i < query->nodes; i++) {
        const ez_query_node *node = &query->node[i];
        if (node->kind != EZ_NODE_TOPIC)
            continue;
        EZ_TRY(ez_array_zero(&bits[i], context, words, sizeof **bits, "documents found"));
        uint64_t end = share_end(index, node->topic, node->share);
        for (uint64_t j = index->topic_start[node->topic]; j < end; j++)
            bits[i][index->topic_doc[j] / 64] |= UINT64_C(1) << index->topic_doc[j] % 64;
        for (size_t j = 0; node->below && j < words; j++)
            bits[i][j] = ~bits[i][j];
        if (node->below && index->meta.docs % 64)
            bits[i][words - 1] &= (UINT64_C(1) << index->meta.docs % 64) - 1;
    }
    return EZLDA_OK;
}

/* ---- all segments ---- */

static ezlda_status search(ez_found *found, ezlda_context *context, const ez_doc_index *index,
                           const ez_query *query, uint64_t *const *topic_bits)
{
    uint32_t levels = levels_of(query, query->root);
    ezlda_status failed = EZLDA_OK;
    uint64_t docs = 0;
#pragma omp parallel num_threads(ez_search_threads(context, index->meta.docs)) reduction(+ : docs)
    {
        searcher self = {
            .index = index, .query = query, .topic_bits = topic_bits, .context = context};
        ezlda_status status =
            ez_array(&self.level, context, levels, sizeof *self.level, "documents found");
#pragma omp for schedule(dynamic, 1)
        for (uint32_t s = 0; s < index->segments; s++) {
            if (status == EZLDA_OK)
                status = run_node(&self, query->root, s, 0);
            if (status != EZLDA_OK)
                continue;
            size_t words = (index->segment[s].docs + 63) / 64;
            memcpy(found->bits + (size_t)s * EZ_SEGMENT_WORDS, self.level[0],
                   words * sizeof *found->bits);
            for (size_t i = 0; i < words; i++)
                docs += (uint64_t)__builtin_popcountll(self.level[0][i]);
        }
        ez_free(self.level);
        ez_free(self.mine.data);
        ez_free(self.other.data);
        if (status != EZLDA_OK) {
#pragma omp critical(ez_query_run)
            failed = status;
        }
    }
    found->docs = docs;
    return failed;
}

ezlda_status ez_query_run(ez_found *found, ezlda_context *context, const ez_doc_index *index,
                          const ez_query *query)
{
    uint64_t *topic_bits[EZ_QUERY_NODES] = {NULL};
    ezlda_status status;
    *found = (ez_found){0};
    EZ_TRY_GOTO(ez_array_zero(&found->bits, context, (size_t)(index->meta.docs + 63) / 64,
                              sizeof *found->bits, "documents found"));
    EZ_TRY_GOTO(mark_topics(index, context, query, topic_bits));
    status = search(found, context, index, query, topic_bits);
done:
    for (uint32_t i = 0; i < EZ_QUERY_NODES; i++)
        ez_free(topic_bits[i]);
    return status;
}

/* ---- listing ---- */

/* A document with what it is sorted by: smaller keys first, then smaller numbers. */
typedef struct ranked {
    double key;
    uint32_t doc;
} ranked;

static bool before(ranked a, ranked b)
{
    return a.key < b.key || (a.key == b.key && a.doc < b.doc);
}

/* Keeps the first `most` of many: a heap with the last of them on top. */
typedef struct ranked_heap {
    ranked *item;
    size_t n, most;
} ranked_heap;

static void sift_down(ranked_heap *heap, size_t at)
{
    for (size_t child; (child = 2 * at + 1) < heap->n; at = child) {
        if (child + 1 < heap->n && before(heap->item[child], heap->item[child + 1]))
            child++;
        if (!before(heap->item[at], heap->item[child]))
            break;
        ranked swap = heap->item[at];
        heap->item[at] = heap->item[child];
        heap->item[child] = swap;
    }
}

static void offer(ranked_heap *heap, ranked one)
{
    if (heap->n < heap->most) {
        size_t at = heap->n++;
        for (; at && before(heap->item[(at - 1) / 2], one); at = (at - 1) / 2)
            heap->item[at] = heap->item[(at - 1) / 2];
        heap->item[at] = one;
    } else if (heap->most && before(one, heap->item[0])) {
        heap->item[0] = one;
        sift_down(heap, 0);
    }
}

static int compare_ranked(const void *a, const void *b)
{
    return before(*(const ranked *)a, *(const ranked *)b) ? -1 : 1;
}

/* The words that a query looks for, each once; words below NOT are not among them. */
/* NOLINTNEXTLINE(misc-no-recursion): as deep as a query is long at most */
static ezlda_status wanted_words(const ez_query *query, ezlda_context *context, uint32_t number,
                                 ez_buffer *words)
{
    const ez_query_node *node = &query->node[number];
    if (node->kind == EZ_NODE_AND || node->kind == EZ_NODE_OR) {
        EZ_TRY(wanted_words(query, context, node->left, words));
        return wanted_words(query, context, node->right, words);
    }
    if (node->kind != EZ_NODE_WORDS && node->kind != EZ_NODE_PHRASE)
        return EZLDA_OK;
    for (uint32_t i = 0; i < node->n && words->used < 64 * sizeof(uint32_t); i++) {
        const uint32_t *have = (const uint32_t *)(const void *)words->data;
        size_t n = words->used / sizeof *have, j = 0;
        uint32_t word = word_of(query, node->first + i);
        while (j < n && have[j] != word)
            j++;
        if (j == n)
            EZ_TRY(ez_buffer_append(words, context, &word, sizeof word));
    }
    return EZLDA_OK;
}

/* BM25: rare words count more, and a word's second token less than its first. */
static void score_word(const ez_doc_index *index, const ez_segment *segment, uint64_t first,
                       uint32_t word, const ez_found *found, float *score)
{
    const ezlda_model *model = index->model;
    double tokens = (double)model->word_tokens[word] + 1, all = (double)index->meta.tokens + 1,
           mean = all / (double)index->meta.docs;
    double rare = log(1 + all / tokens);
    posting_list list = open_list(segment, word);
    while (next_doc(&list)) {
        uint64_t doc = first + list.doc;
        if (!ez_found_has(found, doc))
            continue;
        double length = (double)(model->doc_start[doc + 1] - model->doc_start[doc]) / mean;
        double count = list.count;
        score[list.doc] += (float)(rare * count * 2.2 / (count + 1.2 * (0.25 + 0.75 * length)));
    }
}

typedef struct listing {
    const ez_doc_index *index;
    const ez_found *found;
    const ez_order *order;
    const uint32_t *word; /* for EZ_SORT_BEST */
    size_t words;
} listing;

static void rank_segment(const listing *l, uint32_t s, float *score, ranked_heap *heap)
{
    const ez_segment *segment = &l->index->segment[s];
    uint64_t first = (uint64_t)s * EZ_SEGMENT_DOCS;
    const uint32_t *rank = NULL;
    if (l->order->by == EZ_SORT_BEST) {
        memset(score, 0, EZ_SEGMENT_DOCS * sizeof *score);
        for (size_t i = 0; i < l->words; i++)
            score_word(l->index, segment, first, l->word[i], l->found, score);
    } else if (l->order->by == EZ_SORT_FIELD) {
        rank = l->index->field[l->order->field].rank + first;
    }
    for (uint32_t w = 0; w < (segment->docs + 63) / 64; w++)
        for (uint64_t bits = l->found->bits[first / 64 + w]; bits; bits &= bits - 1) {
            uint32_t d = w * 64 + (uint32_t)__builtin_ctzll(bits);
            double key = l->order->by == EZ_SORT_BEST ? -(double)score[d] : rank ? rank[d] : 0;
            offer(heap, (ranked){l->order->falling ? -key : key, (uint32_t)(first + d)});
        }
}

static ezlda_status rank_all(const listing *l, ezlda_context *context, ranked_heap *all)
{
    ezlda_status failed = EZLDA_OK;
#pragma omp parallel num_threads(ez_search_threads(context, l->index->meta.docs))
    {
        ranked_heap heap = {.most = all->most};
        float *score = NULL;
        ezlda_status status =
            ez_array(&heap.item, context, heap.most, sizeof *heap.item, "documents found");
        if (status == EZLDA_OK)
            status = ez_array(&score, context, EZ_SEGMENT_DOCS, sizeof *score, "documents found");
#pragma omp for schedule(dynamic, 1)
        for (uint32_t s = 0; s < l->index->segments; s++)
            if (status == EZLDA_OK)
                rank_segment(l, s, score, &heap);
#pragma omp critical(ez_found_list)
        {
            for (size_t i = 0; i < heap.n; i++)
                offer(all, heap.item[i]);
            failed = status == EZLDA_OK ? failed : status;
        }
        ez_free(heap.item);
        ez_free(score);
    }
    return failed;
}

/* The first documents of a topic that were found, then the others by number. */
static uint32_t list_topic(const listing *l, uint64_t from, uint32_t most, uint32_t *doc)
{
    const ez_doc_index *index = l->index;
    uint64_t seen = 0, at = index->topic_start[l->order->topic],
             end = index->topic_start[l->order->topic + 1];
    uint32_t n = 0;
    for (; at < end && n < most; at++)
        if (ez_found_has(l->found, index->topic_doc[at]) && seen++ >= from)
            doc[n++] = index->topic_doc[at];
    return n;
}

static uint32_t list_numbers(const listing *l, uint64_t from, uint32_t most, uint32_t *doc)
{
    uint64_t seen = 0;
    uint32_t n = 0;
    for (uint64_t w = 0; w < (l->index->meta.docs + 63) / 64 && n < most; w++) {
        uint64_t bits = l->found->bits[w], here = (uint64_t)__builtin_popcountll(bits);
        if (seen + here <= from) {
            seen += here;
            continue;
        }
        for (; bits && n < most; bits &= bits - 1)
            if (seen++ >= from)
                doc[n++] = (uint32_t)(w * 64 + (uint64_t)__builtin_ctzll(bits));
    }
    return n;
}

static ezlda_status list_ranked(const listing *l, ezlda_context *context, uint64_t from,
                                uint32_t most, uint32_t *doc, uint32_t *n)
{
    uint64_t want = from + most < l->found->docs ? from + most : l->found->docs;
    ranked_heap all = {.most = (size_t)want};
    EZ_TRY(ez_array(&all.item, context, all.most, sizeof *all.item, "documents found"));
    ezlda_status status = rank_all(l, context, &all);
    if (status == EZLDA_OK)
        qsort(all.item, all.n, sizeof *all.item, compare_ranked);
    for (uint64_t i = from; status == EZLDA_OK && i < all.n; i++)
        doc[(*n)++] = all.item[i].doc;
    ez_free(all.item);
    return status;
}

ezlda_status ez_found_list(const ez_found *found, ezlda_context *context, const ez_doc_index *index,
                           const ez_query *query, const ez_order *order, uint64_t from,
                           uint32_t most, uint32_t *doc, uint32_t *n)
{
    listing l = {.index = index, .found = found, .order = order};
    ez_buffer words = {0};
    ezlda_status status = EZLDA_OK;
    *n = 0;
    if (order->by == EZ_SORT_TOPIC) {
        *n = list_topic(&l, from, most, doc);
        return EZLDA_OK;
    }
    if (order->by == EZ_SORT_BEST)
        status = wanted_words(query, context, query->root, &words);
    l.word = (const uint32_t *)(const void *)words.data;
    l.words = words.used / sizeof *l.word;
    if (status == EZLDA_OK &&
        (order->by == EZ_SORT_NUMBER || (order->by == EZ_SORT_BEST && !l.words)))
        *n = list_numbers(&l, from, most, doc);
    else if (status == EZLDA_OK && from < found->docs)
        status = list_ranked(&l, context, from, most, doc, n);
    ez_free(words.data);
    return status;
}
