/* Concatenates the rows of D of the ranks at the root, and adds up their rows of W. */
#include "train/counts/join_ranks.h"

#include "base/files/content_hash.h"
#include "base/files/scratch.h"
#include "base/memory.h"

#include <string.h>

typedef struct joining {
    ezlda_context *context;
    ezlda_group *group;
    const char *scratch; /* folder for data that grows with the tokens; NULL: memory */
    size_t *bytes;       /* ranks: bytes of each in the last array that was joined */
    size_t *at;          /* ranks + 1: where these begin */
} joining;

/* Makes room for the data of all ranks, in memory if the folder has no space. */
static ezlda_status make_room(joining *j, void **out)
{
    size_t bytes = j->at[j->group->ranks];
    ezlda_status status =
        ez_scratch_array(out, j->context, j->scratch, bytes, 1, "what the ranks have");
    if (status != EZLDA_ERROR_IO)
        return status;
    ez_warn(j->context, "%s; what the ranks have is kept in memory",
            ezlda_error_message(j->context));
    ez_clear(j->context);
    j->scratch = NULL;
    return ez_array(out, j->context, bytes, 1, "what the ranks have");
}

/* At the root, *array (n elements) becomes the concatenation of the arrays of all ranks, of *all
 * elements. */
static ezlda_status join(joining *j, void *array, size_t n, size_t size, uint64_t *all)
{
    void **mine = array, *joined = NULL;
    EZ_TRY(j->group->ops->sizes(j->group, j->context, n * size, j->bytes));
    for (int m = 0; m < j->group->ranks; m++)
        j->at[m + 1] = j->at[m] + j->bytes[m];
    if (j->group->rank == 0)
        EZ_TRY(make_room(j, &joined));
    ezlda_status status =
        j->group->ops->gather_into(j->group, j->context, *mine, j->bytes, false, joined);
    if (status != EZLDA_OK || !joined) {
        ez_free(joined);
        return status;
    }
    ez_free(*mine);
    *mine = joined;
    *all = j->at[j->group->ranks] / size;
    return EZLDA_OK;
}

/* Joins the starts of rows: n + 1 of each rank, from 0, become those of all rows. */
static ezlda_status join_starts(joining *j, uint64_t **start, uint64_t n)
{
    uint64_t all = 0, rows = 0, before = 0;
    EZ_TRY(join(j, start, n + 1, sizeof **start, &all));
    if (all == 0)
        return EZLDA_OK;
    uint64_t *s = *start;
    for (int m = 0; m < j->group->ranks; m++) {
        uint64_t first = j->at[m] / sizeof *s, last = j->at[m + 1] / sizeof *s - 1,
                 tokens = s[last];
        for (uint64_t i = first; i < last; i++)
            s[rows++] = before + s[i];
        before += tokens;
    }
    s[rows] = before;
    return EZLDA_OK;
}

static ezlda_status join_rows(joining *j, ez_count_rows *rows, uint64_t *entries)
{
    uint64_t n = rows->start[rows->rows];
    EZ_TRY(join(j, &rows->topic, n, sizeof *rows->topic, entries));
    return join(j, &rows->count, n, sizeof *rows->count, entries);
}

/* The rows of all ranks, one rank after another; each has one row per word. */
typedef struct stack {
    const ez_count_rows *rows;
    const uint64_t *first; /* ranks: where its entries begin */
    uint32_t words;
    int ranks;
} stack;

/* Adds up the rows of a word, topics ascending; returns the number of entries. */
static uint64_t add_up(const stack *all, uint32_t v, uint64_t *count, uint32_t topics,
                       uint16_t *topic, uint32_t *out)
{
    uint64_t n = 0;
    uint32_t low = topics, high = 0;
    for (int m = 0; m < all->ranks; m++) {
        const uint64_t *start = all->rows->start + (size_t)m * (all->words + 1u);
        for (uint64_t i = all->first[m] + start[v]; i < all->first[m] + start[v + 1]; i++) {
            uint32_t k = all->rows->topic[i];
            count[k] += all->rows->count[i];
            low = k < low ? k : low;
            high = k > high ? k : high;
        }
    }
    for (uint32_t k = low; k < topics && k <= high; k++)
        if (count[k] > 0) {
            topic[n] = (uint16_t)k;
            out[n++] = (uint32_t)count[k];
            count[k] = 0;
        }
    return n;
}

/* At the root: adds up the rows of all ranks, word by word. */
static ezlda_status add_word_rows(joining *j, ez_model_parts *parts, uint64_t entries)
{
    ez_count_rows *rows = &parts->word_rows, sum = {.rows = parts->words};
    int ranks = j->group->ranks;
    uint64_t *count = NULL, *first = NULL;
    ezlda_status status;
    EZ_TRY_GOTO(ez_array_zero(&count, j->context, parts->topics, sizeof *count, "a row of counts"));
    EZ_TRY_GOTO(ez_array(&first, j->context, (size_t)ranks, sizeof *first, "rows of counts"));
    EZ_TRY_GOTO(ez_array(&sum.start, j->context, (size_t)parts->words + 1, sizeof *sum.start,
                         "row starts"));
    EZ_TRY_GOTO(ez_array(&sum.topic, j->context, entries, sizeof *sum.topic, "rows of counts"));
    EZ_TRY_GOTO(ez_array(&sum.count, j->context, entries, sizeof *sum.count, "rows of counts"));
    for (int m = 0; m < ranks; m++)
        first[m] = j->at[m] / sizeof *rows->count;
    stack all = {rows, first, parts->words, ranks};
    sum.start[0] = 0;
    for (uint32_t v = 0; v < parts->words; v++)
        sum.start[v + 1] =
            sum.start[v] + add_up(&all, v, count, parts->topics, sum.topic + sum.start[v],
                                  sum.count + sum.start[v]);
done:
    ez_free(count);
    ez_free(first);
    ez_count_rows *gone = status == EZLDA_OK ? rows : &sum;
    ez_free(gone->start);
    ez_free(gone->topic);
    ez_free(gone->count);
    if (status == EZLDA_OK)
        *rows = sum;
    return status;
}

static ezlda_status join_words(joining *j, ez_model_parts *parts)
{
    uint64_t entries = 0, starts = 0;
    ez_count_rows *rows = &parts->word_rows;
    size_t n = (size_t)parts->words + 1;
    uint64_t mine = rows->start[parts->words];
    EZ_TRY(join(j, &rows->start, n, sizeof *rows->start, &starts));
    EZ_TRY(join(j, &rows->topic, mine, sizeof *rows->topic, &entries));
    EZ_TRY(join(j, &rows->count, mine, sizeof *rows->count, &entries));
    return j->group->rank == 0 ? add_word_rows(j, parts, entries) : EZLDA_OK;
}

static ezlda_status join_documents(joining *j, ez_model_parts *parts)
{
    uint64_t entries = 0, docs = parts->docs;
    EZ_TRY(join_rows(j, &parts->doc_rows, &entries));
    EZ_TRY(join_starts(j, &parts->doc_rows.start, docs));
    EZ_TRY(join_starts(j, &parts->doc_start, docs));
    uint64_t all[2] = {parts->docs, parts->tokens};
    EZ_TRY(j->group->ops->sum64(j->group, j->context, all, 2));
    parts->doc_rows.rows = parts->docs = all[0];
    parts->tokens = all[1];
    return EZLDA_OK;
}

ezlda_status ez_join_ranks(ez_model_parts *parts, ezlda_context *context, ezlda_group *group,
                           uint16_t **topic)
{
    joining j = {.context = context, .group = group, .scratch = parts->scratch};
    uint64_t tokens = parts->tokens;
    ezlda_status status;
    EZ_TRY_GOTO(
        ez_array(&j.bytes, context, (size_t)group->ranks, sizeof *j.bytes, "the ranks' bytes"));
    EZ_TRY_GOTO(
        ez_array_zero(&j.at, context, (size_t)group->ranks + 1, sizeof *j.at, "the ranks' bytes"));
    EZ_TRY_GOTO(join(&j, topic, tokens, sizeof **topic, &tokens));
    EZ_TRY_GOTO(group->ops->sum64(group, context, parts->topic_tokens, parts->topics));
    EZ_TRY_GOTO(join_documents(&j, parts));
    EZ_TRY_GOTO(join_words(&j, parts));
    if (group->rank == 0)
        status = ez_content_hash(&parts->topics_hash, context, *topic, tokens * sizeof **topic);
done:
    ez_free(j.at);
    ez_free(j.bytes);
    return status;
}
