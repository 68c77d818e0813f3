#include "corpus/formats/triple_order.h"

ezlda_status ez_triples_of_corpus(ez_buffer *triples, ezlda_context *context,
                                  const ezlda_corpus *corpus)
{
    uint32_t start[EZ_CORPUS_BLOCK + 1], *word = NULL, *count = NULL;
    ezlda_status status = EZLDA_OK;
    for (uint64_t block = 0; block < ez_corpus_blocks(corpus); block++) {
        size_t pairs = (size_t)(ez_corpus_pairs_before(corpus, block + 1) -
                                ez_corpus_pairs_before(corpus, block));
        EZ_TRY_GOTO(ez_array(&word, context, pairs, sizeof *word, "a block of documents"));
        EZ_TRY_GOTO(ez_array(&count, context, pairs, sizeof *count, "a block of documents"));
        uint32_t docs = ez_corpus_decode(corpus, block, start, word, count);
        for (uint32_t doc = 0; doc < docs; doc++)
            for (uint32_t i = start[doc]; i < start[doc + 1]; i++) {
                ez_triple triple = {(uint32_t)(block * EZ_CORPUS_BLOCK + doc), word[i], count[i]};
                EZ_TRY_GOTO(ez_buffer_append(triples, context, &triple, sizeof triple));
            }
        ez_free(word);
        ez_free(count);
        word = count = NULL;
    }
done:
    ez_free(word);
    ez_free(count);
    return status;
}

/* One stable pass by 16 bits of the document. */
static ezlda_status sort_pass(ezlda_context *context, const ez_triple *from, ez_triple *to,
                              size_t n, unsigned shift)
{
    enum { DIGITS = 1 << 16 };
    size_t *start;
    EZ_TRY(ez_array_zero(&start, context, DIGITS + 1, sizeof *start, "sorting"));
    for (size_t i = 0; i < n; i++)
        start[(from[i].doc >> shift & (DIGITS - 1)) + 1]++;
    for (size_t i = 1; i < DIGITS; i++)
        start[i] += start[i - 1];
    for (size_t i = 0; i < n; i++)
        to[start[from[i].doc >> shift & (DIGITS - 1)]++] = from[i];
    ez_free(start);
    return EZLDA_OK;
}

static ezlda_status sort_triples(ezlda_context *context, ez_buffer *triples)
{
    size_t n = triples->used / sizeof(ez_triple);
    ez_triple *other, *own = (ez_triple *)(void *)triples->data;
    EZ_TRY(ez_array(&other, context, n, sizeof *other, "sorting"));
    ezlda_status status = sort_pass(context, own, other, n, 0);
    if (status == EZLDA_OK)
        status = sort_pass(context, other, own, n, 16);
    ez_free(other);
    return status;
}

static ezlda_status add_doc(ez_corpus_builder *builder, ezlda_context *context,
                            const ez_triple *triples, size_t n, const char *path, ez_open_doc *open,
                            ez_doc_run *run, ez_buffer *scratch)
{
    open->doc = triples->doc;
    open->words.used = open->counts.used = 0;
    ez_doc_run_clear(run);
    for (size_t i = 0; i < n; i++) {
        EZ_TRY(ez_buffer_append(&open->words, context, &triples[i].word, sizeof triples->word));
        EZ_TRY(ez_buffer_append(&open->counts, context, &triples[i].count, sizeof triples->count));
    }
    EZ_TRY(ez_open_doc_close(open, context, path, run, scratch));
    EZ_TRY(
        ez_corpus_builder_add_empty(builder, context, open->doc - ez_corpus_builder_docs(builder)));
    return ez_corpus_builder_add_run(builder, context, run);
}

ezlda_status ez_build_from_triples(ez_corpus_builder *builder, ezlda_context *context,
                                   ez_buffer *triples, const char *path)
{
    EZ_TRY(sort_triples(context, triples));
    const ez_triple *all = (const ez_triple *)(const void *)triples->data;
    size_t n = triples->used / sizeof *all;
    ez_open_doc open = {0};
    ez_doc_run run = {0};
    ez_buffer scratch = {0};
    ezlda_status status = EZLDA_OK;
    for (size_t i = 0, next; i < n && status == EZLDA_OK; i = next) {
        for (next = i + 1; next < n && all[next].doc == all[i].doc;)
            next++;
        status = add_doc(builder, context, all + i, next - i, path, &open, &run, &scratch);
    }
    ez_free(open.words.data);
    ez_free(open.counts.data);
    ez_doc_run_free(&run);
    ez_free(scratch.data);
    ez_free(triples->data);
    *triples = (ez_buffer){0};
    return status;
}
