/* Checks all content of a corpus before it is used, so that later reading cannot fail, and counts
 * the tokens of each word. */
#include "corpus/corpus_image.h"

#include "corpus/bags/doc_code.h"

#include <inttypes.h>
#include <omp.h>
#include <string.h>

#define EZ_COUNTS_LIMIT ((uint64_t)512 << 20) /* limit on the threads' word counts, in bytes */

typedef struct ez_block_sums {
    uint64_t pairs, tokens, longest, empty;
} ez_block_sums;

/* Checks the pairs of one document. */
static bool check_pairs(const unsigned char *at, const unsigned char *end, uint32_t words,
                        uint64_t *word_tokens, ez_block_sums *sums)
{
    uint64_t next = 0, tokens = 0, pairs = 0;
    while (at < end) {
        uint64_t code = *at++, count = 1;
        if (code > 127) {
            at = ez_check_varint(at - 1, end, &code);
            if (!at)
                return false;
        }
        uint64_t word = next + (code >> 1);
        if (word >= words)
            return false;
        if (code & 1) {
            at = ez_check_varint(at, end, &count);
            if (!at || count > UINT32_MAX - 2)
                return false;
            count += 2;
        }
        word_tokens[word] += count;
        tokens += count;
        pairs++;
        next = word + 1;
    }
    sums->pairs += pairs;
    sums->tokens += tokens;
    sums->longest = tokens > sums->longest ? tokens : sums->longest;
    sums->empty += pairs == 0;
    return true;
}

/* Whether the documents of a block lie between its marks and add up to them. A block has fewer than
 * 2^32 pairs, because doc_start has 32 bits. */
static bool check_block(const ezlda_corpus *corpus, uint64_t block, uint64_t *word_tokens,
                        ez_block_sums *all)
{
    const ez_corpus_mark *mark = &corpus->marks[block];
    if (mark[0].bytes > mark[1].bytes || mark[1].bytes > corpus->doc_size)
        return false;
    const unsigned char *at = corpus->doc_bytes + mark[0].bytes,
                        *end = corpus->doc_bytes + mark[1].bytes;
    ez_block_sums sums = {.longest = all->longest};
    for (uint32_t left = ez_corpus_block_docs(corpus, block); left; left--) {
        uint64_t length;
        at = ez_check_varint(at, end, &length);
        if (!at || length > (uint64_t)(end - at))
            return false;
        if (!check_pairs(at, at + length, corpus->meta.words, word_tokens, &sums))
            return false;
        at += length;
    }
    if (at != end || sums.pairs > UINT32_MAX || mark[1].pairs - mark[0].pairs != sums.pairs ||
        mark[1].tokens - mark[0].tokens != sums.tokens)
        return false;
    all->pairs += sums.pairs;
    all->tokens += sums.tokens;
    all->longest = sums.longest;
    all->empty += sums.empty;
    return true;
}

static int counting_threads(const ezlda_corpus *corpus, ezlda_context *context)
{
    uint64_t threads = (uint64_t)ez_threads(context);
    uint64_t blocks = ez_corpus_blocks_of(corpus->meta.docs);
    uint64_t room = EZ_COUNTS_LIMIT / (sizeof(uint64_t) * ((uint64_t)corpus->meta.words + 1));
    threads = threads < blocks ? threads : blocks;
    threads = threads < room ? threads : room;
    return threads > 1 ? (int)threads : 1;
}

static void add_counts(uint64_t *to, const uint64_t *counts, size_t words, int threads)
{
#pragma omp parallel for schedule(static) num_threads(threads)
    for (size_t word = 0; word < words; word++)
        for (int thread = 0; thread < threads; thread++)
            to[word] += counts[(size_t)thread * words + word];
}

static ezlda_status check_documents(ezlda_corpus *corpus, ezlda_context *context, const char *where)
{
    size_t words = corpus->meta.words;
    int threads = counting_threads(corpus, context);
    int64_t blocks = (int64_t)ez_corpus_blocks_of(corpus->meta.docs), bad = blocks;
    uint64_t pairs = 0, tokens = 0, longest = 0, empty = 0;
    uint64_t *counts;
    EZ_TRY(
        ez_array_zero(&corpus->word_tokens, context, words, sizeof *counts, "the words' counts"));
    EZ_TRY(ez_array_zero(&counts, context, ez_product(words, (size_t)threads), sizeof *counts,
                         "the words' counts"));
#pragma omp parallel num_threads(threads) reduction(min : bad) reduction(+ : pairs, tokens, empty) \
    reduction(max : longest)
    {
        uint64_t *own = counts + (size_t)omp_get_thread_num() * words;
        ez_block_sums sums = {0};
#pragma omp for schedule(dynamic, 16)
        for (int64_t block = 0; block < blocks; block++)
            if (!check_block(corpus, (uint64_t)block, own, &sums) && block < bad)
                bad = block;
        pairs += sums.pairs;
        tokens += sums.tokens;
        empty += sums.empty;
        longest = sums.longest;
    }
    add_counts(corpus->word_tokens, counts, words, threads);
    ez_free(counts);
    if (bad < blocks)
        return ez_fail(context, EZLDA_ERROR_FORMAT,
                       "%s: documents %" PRId64 " to %" PRId64
                       " are not as the format says (word ids ascending and "
                       "below %u, counts of 1 and more, sums as in the index)",
                       where, bad * EZ_CORPUS_BLOCK + 1,
                       bad * EZ_CORPUS_BLOCK + ez_corpus_block_docs(corpus, (uint64_t)bad),
                       corpus->meta.words);
    const ez_corpus_meta *meta = &corpus->meta;
    if (pairs != meta->pairs || tokens != meta->tokens || longest != meta->longest ||
        empty != meta->empty_docs)
        return ez_fail(context, EZLDA_ERROR_FORMAT,
                       "%s: its documents do not add up to the totals it states", where);
    return EZLDA_OK;
}

static ezlda_status check_column(const ez_column *column, ezlda_context *context, const char *where,
                                 const char *what, const char *name)
{
    uint64_t bad = ez_column_check(column, ez_threads(context));
    if (bad == column->n)
        return EZLDA_OK;
    return ez_fail(context, EZLDA_ERROR_FORMAT,
                   "%s: %s%s %" PRIu64 " is not UTF-8 or not in its place", where, what, name,
                   bad + 1);
}

static ezlda_status check_marks(const ezlda_corpus *corpus, ezlda_context *context,
                                const char *where)
{
    const ez_corpus_mark *first = corpus->marks,
                         *last = first + ez_corpus_blocks_of(corpus->meta.docs);
    if (first->bytes || first->pairs || first->tokens || last->bytes != corpus->doc_size ||
        last->pairs != corpus->meta.pairs || last->tokens != corpus->meta.tokens)
        return ez_fail(context, EZLDA_ERROR_FORMAT, "%s: its index does not fit its documents",
                       where);
    return EZLDA_OK;
}

ezlda_status ez_corpus_check(ezlda_corpus *corpus, ezlda_context *context, const char *where)
{
    EZ_TRY(check_marks(corpus, context, where));
    EZ_TRY(check_documents(corpus, context, where));
    EZ_TRY(ez_corpus_check_order(corpus, context, where));
    EZ_TRY(ez_corpus_check_text(corpus, context, where));
    EZ_TRY(check_column(&corpus->words, context, where, "word", ""));
    EZ_TRY(check_column(&corpus->field_names, context, where, "field name", ""));
    for (uint32_t f = 0; f < corpus->meta.fields; f++)
        EZ_TRY(check_column(&corpus->fields[f], context, where, "in each document's ",
                            ez_column_at(&corpus->field_names, f)));
    return EZLDA_OK;
}
