/* Makes sparse rows of W and of D from the topics of tokens, in two passes: sizes, then content. */
#include "train/counts/count_rows.h"

#include "base/files/content_hash.h"
#include "base/memory.h"

#include <string.h>

/* The counts of one row while it is made. Touched topics are marked, so clearing costs what was
 * touched. */
typedef struct row_counter {
    uint32_t *count; /* topics, zero between rows */
    uint64_t *seen;  /* one bit per topic */
    uint32_t topics;
} row_counter;

static ezlda_status row_counter_init(row_counter *counter, ezlda_context *context, uint32_t topics)
{
    *counter = (row_counter){.topics = topics};
    EZ_TRY(
        ez_array_zero(&counter->count, context, topics, sizeof *counter->count, "a row of counts"));
    return ez_array_zero(&counter->seen, context, topics / 64 + 1, sizeof *counter->seen,
                         "a row of counts");
}

static void row_counter_free(row_counter *counter)
{
    ez_free(counter->count);
    ez_free(counter->seen);
}

static void row_counter_add(row_counter *counter, uint16_t topic)
{
    counter->count[topic]++;
    counter->seen[topic / 64] |= (uint64_t)1 << topic % 64;
}

/* Moves the counts to the arrays topic and count, topics ascending; if these are NULL, only clears
 * the counter. Returns the number of topics. */
static uint64_t row_counter_move(row_counter *counter, uint16_t *topic, uint32_t *count)
{
    uint64_t n = 0;
    for (uint32_t block = 0; block <= counter->topics / 64; block++)
        for (uint64_t bits = counter->seen[block]; bits; bits &= bits - 1) {
            uint32_t k = block * 64 + (uint32_t)__builtin_ctzll(bits);
            if (topic) {
                topic[n] = (uint16_t)k;
                count[n] = counter->count[k];
            }
            n++;
            counter->count[k] = 0;
            counter->seen[block] &= ~((uint64_t)1 << k % 64);
        }
    return n;
}

/* Where the tokens of rows lie: source row s is topic[start[s]] .. topic[start[s+1]]. */
typedef struct row_source {
    const uint64_t *start;
    const uint32_t *row_of; /* row r of the result is row row_of[r] of the source; NULL: the same */
    const uint16_t *topic;
} row_source;

/* One pass over all rows: writes their sizes to rows->start[r+1], or their content. */
static ezlda_status pass_rows(ez_count_rows *rows, ezlda_context *context, const row_source *source,
                              uint32_t topics, int fill)
{
    ezlda_status status = EZLDA_OK;
#pragma omp parallel num_threads(ez_threads(context))
    {
        row_counter counter;
        ezlda_status mine = row_counter_init(&counter, context, topics);
#pragma omp for schedule(dynamic, 64)
        for (uint64_t r = 0; r < rows->rows; r++) {
            if (mine != EZLDA_OK)
                continue;
            uint64_t s = source->row_of ? source->row_of[r] : r;
            for (uint64_t i = source->start[s]; i < source->start[s + 1]; i++)
                row_counter_add(&counter, source->topic[i]);
            if (fill)
                row_counter_move(&counter, rows->topic + rows->start[r],
                                 rows->count + rows->start[r]);
            else
                rows->start[r + 1] = row_counter_move(&counter, NULL, NULL);
        }
        row_counter_free(&counter);
        if (mine != EZLDA_OK) {
#pragma omp critical(ez_count_rows_status)
            status = mine;
        }
    }
    return status;
}

static ezlda_status make_rows(ez_count_rows *rows, ezlda_context *context, uint64_t n,
                              const row_source *source, uint32_t topics)
{
    rows->rows = n;
    EZ_TRY(ez_array_zero(&rows->start, context, n + 1, sizeof *rows->start, "row starts"));
    EZ_TRY(pass_rows(rows, context, source, topics, 0));
    for (uint64_t r = 0; r < n; r++)
        rows->start[r + 1] += rows->start[r];
    EZ_TRY(ez_array(&rows->topic, context, rows->start[n], sizeof *rows->topic, "rows of counts"));
    EZ_TRY(ez_array(&rows->count, context, rows->start[n], sizeof *rows->count, "rows of counts"));
    return pass_rows(rows, context, source, topics, 1);
}

/* Copies the topics into the order of T. */
static ezlda_status sort_by_word(uint16_t **out, ezlda_context *context,
                                 const ez_token_list *tokens, const uint16_t *topic)
{
    uint16_t *sorted = NULL;
    EZ_TRY(ez_array(&sorted, context, tokens->tokens, sizeof *sorted, "topics by word"));
    ezlda_status status = EZLDA_OK;
#pragma omp parallel num_threads(ez_threads(context))
    {
        uint32_t *place = NULL;
        ezlda_status mine = ez_array(&place, context, tokens->words, sizeof *place, "word cursors");
#pragma omp for schedule(dynamic, 1)
        for (uint32_t b = 0; b < tokens->blocks; b++) {
            if (mine != EZLDA_OK)
                continue;
            memcpy(place, ez_block_cursor(tokens, b), tokens->words * sizeof *place);
            uint64_t last = tokens->doc_start[tokens->block_doc[b + 1]];
            for (uint64_t i = tokens->doc_start[tokens->block_doc[b]]; i < last; i++)
                sorted[place[tokens->word[i]]++] = topic[i];
        }
        ez_free(place);
        if (mine != EZLDA_OK) {
#pragma omp critical(ez_count_rows_status)
            status = mine;
        }
    }
    if (status != EZLDA_OK) {
        ez_free(sorted);
        return status;
    }
    *out = sorted;
    return EZLDA_OK;
}

ezlda_status ez_count_word_rows(ez_count_rows *rows, ezlda_context *context, ez_token_list *tokens,
                                uint32_t topics, const uint16_t *topic, const uint32_t *label)
{
    uint16_t *sorted = NULL;
    ezlda_status status;
    EZ_TRY_GOTO(ez_token_list_cursors(tokens, context));
    EZ_TRY_GOTO(sort_by_word(&sorted, context, tokens, topic));
    row_source source = {tokens->word_start, label, sorted};
    status = make_rows(rows, context, tokens->words, &source, topics);
done:
    ez_free(sorted);
    return status;
}

ezlda_status ez_word_labels(uint32_t **label, ezlda_context *context, const ez_token_list *tokens)
{
    EZ_TRY(ez_array(label, context, tokens->words, sizeof **label, "word numbers"));
    for (uint32_t v = 0; v < tokens->words; v++)
        (*label)[tokens->original[v]] = v;
    return EZLDA_OK;
}

ezlda_status ez_count_model_words(ez_model_parts *parts, ezlda_context *context,
                                  ez_token_list *tokens, const uint16_t *topic)
{
    uint32_t *label = NULL;
    ezlda_status status;
    EZ_TRY_GOTO(ez_array_zero(&parts->topic_tokens, context, parts->topics,
                              sizeof *parts->topic_tokens, "topic sums"));
    EZ_TRY_GOTO(ez_word_labels(&label, context, tokens));
    EZ_TRY_GOTO(
        ez_count_word_rows(&parts->word_rows, context, tokens, parts->topics, topic, label));
    for (uint64_t i = 0; i < parts->word_rows.start[tokens->words]; i++)
        parts->topic_tokens[parts->word_rows.topic[i]] += parts->word_rows.count[i];
done:
    ez_free(label);
    return status;
}

ezlda_status ez_count_model(ez_model_parts *parts, ezlda_context *context,
                            const ez_token_list *tokens, const uint16_t *topic)
{
    EZ_TRY(ez_content_hash(&parts->topics_hash, context, topic, tokens->tokens * sizeof *topic));
    EZ_TRY(ez_array(&parts->doc_start, context, tokens->docs + 1, sizeof *parts->doc_start,
                    "document starts"));
    memcpy(parts->doc_start, tokens->doc_start, (tokens->docs + 1) * sizeof *parts->doc_start);
    row_source source = {tokens->doc_start, NULL, topic};
    return make_rows(&parts->doc_rows, context, tokens->docs, &source, parts->topics);
}
