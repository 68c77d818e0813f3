/* Makes a token list: blocks of documents, words relabelled by falling frequency, and the starts of
 * the words in T. inverted_index.c adds T and the cursors. */
#include "tokens/token_list.h"
#include "tokens/token_source.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* A block has at least this many tokens per word, so that cursors cost at most one byte per token;
 * there are enough blocks to keep all threads busy to the end. */
enum { EZ_TOKENS_PER_CURSOR = 4, EZ_BLOCKS_MIN = 64, EZ_BLOCKS_MAX = 256 };

typedef struct word_rank {
    uint64_t tokens, frequency;
    uint32_t word;
} word_rank;

static int by_falling_frequency(const void *a, const void *b)
{
    const word_rank *x = a, *y = b;
    if (x->frequency != y->frequency)
        return x->frequency > y->frequency ? -1 : 1;
    return x->word < y->word ? -1 : x->word > y->word;
}

/* Blocks of similar token counts, cut between documents. */
static void cut_blocks(ez_token_list *t)
{
    uint64_t doc = 0;
    for (uint32_t b = 0; b < t->blocks; b++) {
        uint64_t want = (uint64_t)((unsigned __int128)t->tokens * b / t->blocks);
        while (doc < t->docs && t->doc_start[doc] < want)
            doc++;
        t->block_doc[b] = doc;
    }
    t->block_doc[t->blocks] = t->docs;
}

/* Tokens of each (block, word), words as in the corpus. */
static void tally_blocks(ez_token_list *t, int threads)
{
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
    for (uint32_t b = 0; b < t->blocks; b++) {
        uint32_t *tally = t->cursor + (size_t)b * t->words;
        memset(tally, 0, t->words * sizeof *tally);
        for (uint64_t i = ez_block_first(t, b); i < ez_block_first(t, b + 1); i++)
            tally[t->word[i]]++;
    }
}

/* Sets original[] and the starts of the words in T, from the tallies. */
static ezlda_status order_words(ez_token_list *t, ezlda_context *context,
                                const ez_token_subset *subset)
{
    const uint64_t *frequency = subset->frequency;
    word_rank *rank = NULL;
    EZ_TRY(ez_array(&rank, context, t->words, sizeof *rank, "the word order"));
#pragma omp parallel for schedule(static) num_threads(ez_threads(context))
    for (uint32_t first = 0; first < t->words; first += EZ_WORDS_AT_ONCE) {
        uint32_t last = ez_words_end(t, first);
        for (uint32_t v = first; v < last; v++)
            rank[v] = (word_rank){.word = v};
        for (uint32_t b = 0; b < t->blocks; b++)
            for (uint32_t v = first; v < last; v++)
                rank[v].tokens += ez_block_cursor(t, b)[v];
        for (uint32_t v = first; v < last; v++)
            rank[v].frequency = frequency ? frequency[v] : rank[v].tokens;
    }
    qsort(rank, t->words, sizeof *rank, by_falling_frequency);
    t->word_start[0] = 0;
    for (uint32_t v = 0; v < t->words; v++) {
        t->original[v] = rank[v].word;
        t->word_start[v + 1] = t->word_start[v] + rank[v].tokens;
        if (frequency)
            t->frequency[v] = rank[v].frequency;
        if (subset->doc_frequency)
            t->doc_frequency[v] = subset->doc_frequency[rank[v].word];
    }
    ez_free(rank);
    return EZLDA_OK;
}

/* Numbers words by falling frequency, also in the documents. */
static ezlda_status relabel(ez_token_list *t, ezlda_context *context, const ez_token_subset *subset)
{
    uint32_t *label = NULL;
    cut_blocks(t);
    tally_blocks(t, ez_threads(context));
    EZ_TRY(order_words(t, context, subset));
    EZ_TRY(ez_array(&label, context, t->words, sizeof *label, "word numbers"));
    for (uint32_t v = 0; v < t->words; v++)
        label[t->original[v]] = v;
#pragma omp parallel for schedule(static) num_threads(ez_threads(context))
    for (uint64_t i = 0; i < t->tokens; i++)
        t->word[i] = label[t->word[i]];
    ez_free(label);
    return EZLDA_OK;
}

static ezlda_status allocate(ez_token_list *t, ezlda_context *context,
                             const ez_token_subset *subset)
{
    if (subset->frequency)
        EZ_TRY(
            ez_array(&t->frequency, context, t->words, sizeof *t->frequency, "word frequencies"));
    if (subset->doc_key) {
        EZ_TRY(ez_array(&t->doc_key, context, t->docs, sizeof *t->doc_key, "document keys"));
        memcpy(t->doc_key, subset->doc_key, t->docs * sizeof *t->doc_key);
    }
    if (subset->doc_frequency)
        EZ_TRY(ez_array(&t->doc_frequency, context, t->words, sizeof *t->doc_frequency,
                        "document frequencies"));
    EZ_TRY(ez_array(&t->word_start, context, (size_t)t->words + 1, sizeof *t->word_start,
                    "word starts"));
    EZ_TRY(ez_array(&t->original, context, t->words, sizeof *t->original, "word numbers"));
    EZ_TRY(ez_array(&t->block_doc, context, (size_t)t->blocks + 1, sizeof *t->block_doc,
                    "document blocks"));
    return ez_array(&t->cursor, context, ez_product(t->blocks, t->words), sizeof *t->cursor,
                    "word cursors");
}

static void measure(ez_token_list *t, int threads)
{
    t->tokens = t->doc_start[t->docs];
    for (uint64_t d = 0; d < t->docs; d++) {
        uint64_t length = t->doc_start[d + 1] - t->doc_start[d];
        t->longest = length > t->longest ? length : t->longest;
    }
    uint64_t blocks = t->tokens / ((uint64_t)EZ_TOKENS_PER_CURSOR * (t->words + 1)) + 1;
    uint64_t most = 8 * (uint64_t)threads > EZ_BLOCKS_MIN ? 8 * (uint64_t)threads : EZ_BLOCKS_MIN;
    most = most < EZ_BLOCKS_MAX ? most : EZ_BLOCKS_MAX;
    t->blocks = (uint32_t)(blocks < most ? blocks : most);
}

ezlda_status ez_token_list_create(ez_token_list **out, ezlda_context *context, uint64_t docs,
                                  uint32_t words, uint64_t *doc_start, uint32_t *word)
{
    ez_token_subset whole = {0};
    return ez_token_list_create_subset(out, context, docs, words, doc_start, word, &whole);
}

ezlda_status ez_token_list_check(ezlda_context *context, uint64_t docs, uint64_t tokens)
{
    if (tokens <= UINT32_MAX && docs < UINT32_MAX)
        return EZLDA_OK;
    return ez_fail(context, EZLDA_ERROR_UNSUPPORTED,
                   "%llu tokens in %llu documents: one process trains at most %u of each; several "
                   "train more (mpirun -n 2 "
                   "ezlda train ...)",
                   (unsigned long long)tokens, (unsigned long long)docs, UINT32_MAX);
}

ezlda_status ez_token_list_create_subset(ez_token_list **out, ezlda_context *context, uint64_t docs,
                                         uint32_t words, uint64_t *doc_start, uint32_t *word,
                                         const ez_token_subset *subset)
{
    *out = NULL;
    ez_token_list *t = NULL;
    ezlda_status status = ez_array_zero(&t, context, 1, sizeof *t, "the token list");
    if (status != EZLDA_OK) {
        ez_free(doc_start);
        ez_free(word);
        return status;
    }
    t->docs = docs;
    t->words = words;
    t->doc_start = doc_start;
    t->word = word;
    t->longest = subset->longest;
    t->first_doc = subset->first_doc;
    t->all_docs = subset->all_docs ? subset->all_docs : docs;
    measure(t, ez_threads(context));
    status = ez_token_list_check(context, t->docs, t->tokens);
    if (status == EZLDA_OK)
        status = allocate(t, context, subset);
    if (status == EZLDA_OK)
        status = relabel(t, context, subset);
    if (status != EZLDA_OK) {
        ez_token_list_free(t);
        return status;
    }
    *out = t;
    return EZLDA_OK;
}

void ez_token_list_free(ez_token_list *tokens)
{
    if (!tokens)
        return;
    ez_free(tokens->doc_start);
    ez_free(tokens->word);
    ez_free(tokens->word_start);
    ez_free(tokens->doc);
    ez_free(tokens->original);
    ez_free(tokens->doc_frequency);
    ez_free(tokens->frequency);
    ez_free(tokens->doc_key);
    ez_free(tokens->block_doc);
    ez_free(tokens->cursor);
    ez_free(tokens);
}

ezlda_status ez_each_list(ez_token_list *tokens, ez_token_source *source, ezlda_context *context,
                          ez_list_fn work, void *user)
{
    if (!source)
        return work(tokens, 0, user);
    for (uint32_t i = 0; i < source->chunks; i++) {
        ez_token_list *list = NULL;
        ezlda_status status = source->load(source, context, i, &list);
        if (status == EZLDA_OK && i + 1 < source->chunks)
            source->ahead(source, i + 1);
        if (status == EZLDA_OK)
            status = work(list, source->first_token[i], user);
        ez_token_list_free(list);
        EZ_TRY(status);
    }
    return EZLDA_OK;
}
