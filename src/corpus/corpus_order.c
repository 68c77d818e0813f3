/* Reads and checks the order of tokens in documents: for each token, the index of its pair in the
 * document. */
#include "corpus/bags/doc_code.h"
#include "corpus/corpus_image.h"

#include <inttypes.h>

bool ez_corpus_has_order(const ezlda_corpus *corpus)
{
    return corpus->order_marks != NULL;
}

void ez_corpus_order(const ezlda_corpus *corpus, uint64_t block, const uint32_t *doc_start,
                     const uint32_t *count, uint64_t *token_start, uint32_t *pair_of)
{
    uint32_t docs = ez_corpus_block_docs(corpus, block);
    const unsigned char *at = corpus->order_bytes + corpus->order_marks[block];
    token_start[0] = 0;
    for (uint32_t doc = 0; doc < docs; doc++) {
        uint64_t tokens = 0, value;
        for (uint32_t i = doc_start[doc]; i < doc_start[doc + 1]; i++)
            tokens += count[i];
        token_start[doc + 1] = token_start[doc] + tokens;
        for (uint64_t i = token_start[doc]; i < token_start[doc + 1]; i++) {
            at = ez_get_varint(at, &value);
            pair_of[i] = (uint32_t)value;
        }
    }
}

/* ---- checking ---- */

/* Checks one document and moves *at after it: every pair occurs as often as its count, so all
 * counts end at 0. */
static bool check_document(const unsigned char **at, const unsigned char *end, uint32_t *count,
                           uint32_t n)
{
    uint64_t tokens = 0, value;
    for (uint32_t i = 0; i < n; i++)
        tokens += count[i];
    for (; tokens; tokens--) {
        *at = ez_check_varint(*at, end, &value);
        if (!*at || value >= n || !count[value])
            return false;
        count[value]--;
    }
    return true;
}

typedef struct decoded_block {
    uint32_t start[EZ_CORPUS_BLOCK + 1];
    uint32_t *word, *count;
} decoded_block;

static bool check_block(const ezlda_corpus *corpus, uint64_t block, decoded_block *decoded)
{
    const uint64_t *mark = &corpus->order_marks[block];
    if (mark[0] > mark[1] || mark[1] > corpus->order_size)
        return false;
    const unsigned char *bytes =
        corpus->order_bytes ? corpus->order_bytes : (const unsigned char *)""; /* no token */
    const unsigned char *at = bytes + mark[0], *end = bytes + mark[1];
    uint32_t docs = ez_corpus_decode(corpus, block, decoded->start, decoded->word, decoded->count);
    for (uint32_t doc = 0; doc < docs; doc++) {
        uint32_t first = decoded->start[doc];
        if (!check_document(&at, end, decoded->count + first, decoded->start[doc + 1] - first))
            return false;
    }
    return at == end;
}

/* Sets *bad to the first block with an error, or to the number of blocks. */
static ezlda_status check_blocks(const ezlda_corpus *corpus, ezlda_context *context, int64_t *bad)
{
    int64_t blocks = (int64_t)ez_corpus_blocks(corpus), first = blocks;
    uint64_t pairs, tokens;
    ezlda_status failed = EZLDA_OK;
    ez_corpus_largest_block(corpus, &pairs, &tokens);
    size_t most = (size_t)pairs;
#pragma omp parallel num_threads(ez_threads(context)) reduction(min : first)
    {
        decoded_block decoded = {{0}, NULL, NULL};
        ezlda_status status =
            ez_array(&decoded.word, context, most, sizeof *decoded.word, "documents");
        if (status == EZLDA_OK)
            status = ez_array(&decoded.count, context, most, sizeof *decoded.count, "documents");
#pragma omp for schedule(dynamic, 16)
        for (int64_t block = 0; block < blocks; block++)
            if (status == EZLDA_OK && block < first &&
                !check_block(corpus, (uint64_t)block, &decoded))
                first = block;
        if (status != EZLDA_OK) {
#pragma omp atomic write
            failed = status;
        }
        ez_free(decoded.word);
        ez_free(decoded.count);
    }
    *bad = first;
    return failed;
}

ezlda_status ez_corpus_check_order(const ezlda_corpus *corpus, ezlda_context *context,
                                   const char *where)
{
    int64_t blocks = (int64_t)ez_corpus_blocks(corpus), bad;
    if (!corpus->order_marks)
        return EZLDA_OK;
    if (corpus->order_marks[0] || corpus->order_marks[blocks] != corpus->order_size)
        return ez_fail(context, EZLDA_ERROR_FORMAT,
                       "%s: the index of its words' order does not fit that order", where);
    EZ_TRY(check_blocks(corpus, context, &bad));
    if (bad == blocks)
        return EZLDA_OK;
    return ez_fail(context, EZLDA_ERROR_FORMAT,
                   "%s: the words' order in documents %" PRId64 " to %" PRId64
                   " does not agree with their counts",
                   where, bad * EZ_CORPUS_BLOCK + 1,
                   bad * EZ_CORPUS_BLOCK + ez_corpus_block_docs(corpus, (uint64_t)bad));
}
