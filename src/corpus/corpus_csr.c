/* Makes a corpus from a sparse matrix in the caller's memory (compressed sparse rows): one document
 * per row. */
#include "corpus/corpus.h"

#include <inttypes.h>

enum { EZ_CSR_ROWS = 1024 }; /* rows per run of documents */

typedef struct ez_csr {
    uint64_t docs;
    uint32_t words;
    const uint64_t *row_start;
    const uint32_t *word, *count;
} ez_csr;

static ezlda_status check_row(const ez_csr *csr, ezlda_context *context, uint64_t row)
{
    uint64_t from = csr->row_start[row], to = csr->row_start[row + 1],
             all = csr->row_start[csr->docs];
    if (to > all)
        return ez_fail(context, EZLDA_ERROR_ARGUMENT,
                       "row_start[%" PRIu64 "] is %" PRIu64
                       ", expected at most the last one, %" PRIu64,
                       row + 1, to, all);
    if (from > to)
        return ez_fail(context, EZLDA_ERROR_ARGUMENT,
                       "row_start[%" PRIu64 "] is %" PRIu64
                       ", expected at least the one before, %" PRIu64,
                       row + 1, to, from);
    for (uint64_t i = from; i < to; i++)
        if (csr->word[i] >= csr->words)
            return ez_fail(context, EZLDA_ERROR_ARGUMENT,
                           "row %" PRIu64 ": expected word ids below %u, found %u", row, csr->words,
                           csr->word[i]);
    return EZLDA_OK;
}

static ezlda_status add_row(const ez_csr *csr, ezlda_context *context, uint64_t row,
                            ez_doc_run *run, ez_buffer *copy, ez_buffer *scratch)
{
    EZ_TRY(check_row(csr, context, row));
    uint64_t from = csr->row_start[row];
    size_t n = (size_t)(csr->row_start[row + 1] - from);
    if (n == 0)
        return ez_doc_run_add(run, context, NULL, NULL, 0);
    copy->used = 0;
    EZ_TRY(ez_buffer_append(copy, context, csr->word + from, n * sizeof *csr->word));
    EZ_TRY(ez_buffer_append(copy, context, csr->count + from, n * sizeof *csr->count));
    uint32_t *word = (uint32_t *)(void *)copy->data, *count = word ? word + n : NULL;
    EZ_TRY(ez_as_argument_error(
        ez_pairs_tidy(context, word, count, &n, scratch, "matrix", "row", row)));
    return ez_doc_run_add(run, context, word, count, n);
}

static ezlda_status make_run(void *user, ezlda_context *context, uint64_t i, ez_doc_run *run)
{
    const ez_csr *csr = user;
    ez_buffer copy = {0}, scratch = {0};
    ezlda_status status = EZLDA_OK;
    uint64_t row = i * EZ_CSR_ROWS,
             end = csr->docs - row < EZ_CSR_ROWS ? csr->docs : row + EZ_CSR_ROWS;
    for (; row < end && status == EZLDA_OK; row++)
        status = add_row(csr, context, row, run, &copy, &scratch);
    ez_free(copy.data);
    ez_free(scratch.data);
    return status;
}

ezlda_status ezlda_corpus_from_csr(ezlda_corpus **out, ezlda_context *context, uint64_t n_docs,
                                   uint32_t n_words, const uint64_t *row_start,
                                   const uint32_t *word, const uint32_t *count,
                                   const char *const *words)
{
    ez_clear(context);
    EZ_TRY(ez_needs(context, out, "a place for the corpus"));
    *out = NULL;
    if (!row_start || row_start[0] != 0 || (row_start[n_docs] && (!word || !count)))
        return ez_fail(context, EZLDA_ERROR_ARGUMENT,
                       "a matrix needs row_start (from 0), word and count");
    if (n_words > EZ_MAX_WORDS)
        return ez_fail(context, EZLDA_ERROR_ARGUMENT, "%u words, at most %d are possible", n_words,
                       EZ_MAX_WORDS);
    for (uint32_t i = 0; words && i < n_words; i++)
        if (!words[i])
            return ez_fail(context, EZLDA_ERROR_ARGUMENT, "words[%u] is NULL", i);
    ez_csr csr = {
        .docs = n_docs, .words = n_words, .row_start = row_start, .word = word, .count = count};
    ez_corpus_builder *builder;
    EZ_TRY(ez_corpus_builder_create(&builder, context, NULL, 0));
    uint64_t runs = n_docs / EZ_CSR_ROWS + (n_docs % EZ_CSR_ROWS != 0);
    ezlda_status status = ez_corpus_builder_add_runs(builder, context, runs, make_run, &csr);
    if (status == EZLDA_OK)
        return ez_as_argument_error(
            ez_corpus_builder_finish(builder, out, context, words, n_words));
    ez_corpus_builder_abandon(builder);
    return status;
}
