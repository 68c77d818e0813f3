/* The figures of the paper that depend only on the corpus, as one JSON object:
 *
 *     paper_shape corpus=c.ezc topics=1000,10000,32768 workers=160
 *
 * How tokens are spread over words; for each K the words with dense rows and their tokens, and the
 * bytes of W in each format, of D and of T as a GPU keeps them; how even shards of equally
 * many documents are; how busy the busiest of workers= workers is with each way to share the words.
 */
#include "paper_state.h"

#include "backend/cuda/kernels/device_state.h"

#include <stdio.h>
#include <stdlib.h>

/* Bytes of a token in T on a GPU: word, place and document in 32 bits each, topic in 16; of the
 * records of a word. */
enum { TOKEN_BYTES = 14, RECORD_BYTES = sizeof(ez_word_record) + sizeof(ez_decide_record) };
/* Rows of longer documents are never narrow (backend/cuda/cuda_memory.c). */
enum { LANE_TOKENS = 2048 };

static uint64_t tokens_of(const ez_token_list *t, uint32_t v)
{
    return t->word_start[v + 1] - t->word_start[v];
}

static double share(uint64_t part, uint64_t whole)
{
    return whole ? (double)part / (double)whole : 0;
}

/* Words come by falling frequency: tokens at ranks 1, 2, 5, 10, ... and the share of all up to
 * there. */
static void print_ranks(const ez_token_list *t)
{
    static const uint32_t steps[] = {1, 2, 5};
    printf("\"ranks\": [");
    for (uint64_t ten = 1, first = 1; ten < t->words; ten *= 10)
        for (int i = 0; i < 3; i++) {
            uint64_t rank = ten * steps[i] < t->words ? ten * steps[i] : t->words;
            printf("%s[%llu, %llu, %.6f]", first ? "" : ", ", (unsigned long long)rank,
                   (unsigned long long)tokens_of(t, (uint32_t)rank - 1),
                   share(t->word_start[rank], t->tokens));
            first = 0;
        }
    printf("]");
}

/* Bytes of W and D on a GPU at K topics; a sparse row is counted with the entries that it may have
 * at most. */
static void print_bytes(const ez_token_list *t, uint32_t k)
{
    uint32_t dense = ez_first_word_within(t, 0, k);
    uint64_t stride = (k / 4 + 1) * 4, cells = (uint64_t)t->words * stride, tight = 0, d = 0;
    uint64_t sparse_tokens = t->tokens - t->word_start[dense],
             records = (uint64_t)t->words * RECORD_BYTES;
    for (uint32_t v = 0; v < t->words; v++)
        tight += tokens_of(t, v) < k ? tokens_of(t, v) : k;
    for (uint64_t i = 0; i < t->docs; i++) {
        uint64_t length = t->doc_start[i + 1] - t->doc_start[i];
        d += 16 * ez_row_room(length, k, k <= EZ_NARROW_TOPICS && length <= LANE_TOKENS);
    }
    printf("{\"topics\": %u, \"dense_words\": %u, \"dense_share\": %.6f, \"w_hybrid\": %llu, "
           "\"w_dense\": %llu, "
           "\"w_sparse\": %llu, \"w_records\": %llu, \"d\": %llu, \"t\": %llu}",
           k, dense, share(t->word_start[dense], t->tokens),
           (unsigned long long)(4 * (dense * stride + sparse_tokens)),
           (unsigned long long)(4 * cells), (unsigned long long)(4 * tight),
           (unsigned long long)records, (unsigned long long)(d + t->docs * sizeof(ez_device_doc)),
           (unsigned long long)(TOKEN_BYTES * t->tokens));
}

/* The largest over the smallest of n parts of as many documents each. */
static double unevenness(const ez_token_list *t, uint64_t n)
{
    uint64_t least = UINT64_MAX, most = 0;
    for (uint64_t i = 0; i < n; i++) {
        uint64_t tokens = t->doc_start[t->docs * (i + 1) / n] - t->doc_start[t->docs * i / n];
        least = tokens < least ? tokens : least;
        most = tokens > most ? tokens : most;
    }
    return least ? (double)most / (double)least : 0;
}

/* ---- workers ---- */

typedef enum sharing { DEALT, DYNAMIC, SPLIT } sharing;

/* The worker with the least to do so far. */
static uint32_t least_busy(const uint64_t *busy, uint32_t workers)
{
    uint32_t least = 0;
    for (uint32_t i = 1; i < workers; i++)
        least = busy[i] < busy[least] ? i : least;
    return least;
}

/* Tokens of the busiest worker over the mean. Words come by falling frequency, whole or in regions;
 * each goes to the next worker in turn, or to the one that gets free first. */
static double busiest(const ez_token_list *t, uint32_t workers, sharing how)
{
    uint64_t *busy = calloc(workers, sizeof *busy), most = 0, task = 0;
    for (uint32_t v = 0; v < t->words; v++)
        for (uint64_t left = tokens_of(t, v), part; left > 0; left -= part) {
            part = how == SPLIT && left > EZ_SPLIT_REGION ? EZ_SPLIT_REGION : left;
            busy[how == DEALT ? task++ % workers : least_busy(busy, workers)] += part;
        }
    for (uint32_t i = 0; i < workers; i++)
        most = busy[i] > most ? busy[i] : most;
    free(busy);
    return (double)most * workers / (double)t->tokens;
}

int main(int argc, char **argv)
{
    (void)argc;
    paper_state state;
    ezlda_train_options options;
    paper_open(&state, argv, &options);
    const ez_token_list *t = state.tokens;
    uint32_t workers = (uint32_t)paper_number(argv, "workers", 160);
    printf("{\"documents\": %llu, \"words\": %u, \"tokens\": %llu, \"longest\": %llu, ",
           (unsigned long long)t->docs, t->words, (unsigned long long)t->tokens,
           (unsigned long long)t->longest);
    print_ranks(t);
    printf(", \"topics\": [");
    const char *list = paper_text(argv, "topics", "1000,10000,32768");
    for (char *end; *list; list = *end ? end + 1 : end) {
        print_bytes(t, (uint32_t)strtoul(list, &end, 10));
        printf(*end ? ", " : "]");
    }
    printf(", \"parts\": {\"2\": %.6f, \"4\": %.6f, \"8\": %.6f}", unevenness(t, 2),
           unevenness(t, 4), unevenness(t, 8));
    printf(
        ", \"busiest\": {\"workers\": %u, \"none\": %.4f, \"dynamic\": %.4f, \"split\": %.4f}}\n",
        workers, busiest(t, workers, DEALT), busiest(t, workers, DYNAMIC),
        busiest(t, workers, SPLIT));
    paper_close(&state);
    return 0;
}
