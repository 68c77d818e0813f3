/* Expands pairs of words and counts into tokens, block by block in parallel. */
#include "tokens/corpus_tokens.h"

#include "base/memory.h"

ezlda_status ez_block_room_init(ez_block_room *room, ezlda_context *context,
                                const ezlda_corpus *corpus)
{
    uint64_t most = 0;
    for (uint64_t b = 0; b < ez_corpus_blocks(corpus); b++) {
        uint64_t pairs = ez_corpus_pairs_before(corpus, b + 1) - ez_corpus_pairs_before(corpus, b);
        most = pairs > most ? pairs : most;
    }
    room->word = room->count = NULL;
    EZ_TRY(ez_array(&room->word, context, most, sizeof *room->word, "a block of documents"));
    return ez_array(&room->count, context, most, sizeof *room->count, "a block of documents");
}

void ez_block_room_free(ez_block_room *room)
{
    ez_free(room->word);
    ez_free(room->count);
}

uint64_t ez_corpus_tokens_before_doc(const ezlda_corpus *corpus, uint64_t doc, ez_block_room *room)
{
    uint64_t b = doc / EZ_CORPUS_BLOCK, before = ez_corpus_tokens_before(corpus, b);
    if (doc % EZ_CORPUS_BLOCK == 0)
        return before;
    uint32_t docs = ez_corpus_decode(corpus, b, room->row_start, room->word, room->count);
    uint64_t in_block = doc % EZ_CORPUS_BLOCK;
    uint32_t last = in_block < docs ? (uint32_t)in_block : docs;
    for (uint32_t j = 0; j < room->row_start[last]; j++)
        before += room->count[j];
    return before;
}

/* Documents [first, last): the tokens before them, their own tokens, and where these are written.
 */
typedef struct range {
    uint64_t first, last, before, tokens;
    uint64_t *doc_start;
    uint32_t *word;
} range;

static void expand_block(const ezlda_corpus *corpus, uint64_t b, ez_block_room *room,
                         const range *out)
{
    uint64_t doc = b * EZ_CORPUS_BLOCK;
    uint32_t first = doc < out->first ? (uint32_t)(out->first - doc) : 0;
    uint32_t docs = ez_corpus_decode(corpus, b, room->row_start, room->word, room->count);
    if (docs > out->last - doc)
        docs = (uint32_t)(out->last - doc);
    uint64_t at = first > 0 ? 0 : ez_corpus_tokens_before(corpus, b) - out->before;
    for (uint32_t i = first; i < docs; i++) {
        out->doc_start[doc + i - out->first] = at;
        for (uint32_t j = room->row_start[i]; j < room->row_start[i + 1]; j++)
            for (uint32_t left = room->count[j]; left > 0 && at < out->tokens; left--)
                out->word[at++] = room->word[j];
    }
}

static ezlda_status expand(const ezlda_corpus *corpus, ezlda_context *context, const range *out)
{
    ezlda_status status = EZLDA_OK;
    uint64_t end = ez_blocks_through(out->last);
#pragma omp parallel num_threads(ez_threads(context))
    {
        ez_block_room room;
        ezlda_status mine = ez_block_room_init(&room, context, corpus);
#pragma omp for schedule(dynamic, 4)
        for (uint64_t b = out->first / EZ_CORPUS_BLOCK; b < end; b++)
            if (mine == EZLDA_OK)
                expand_block(corpus, b, &room, out);
        ez_block_room_free(&room);
        if (mine != EZLDA_OK) {
#pragma omp critical(ez_corpus_tokens_status)
            status = mine;
        }
    }
    return status;
}

static ezlda_status count_tokens(range *out, ezlda_context *context, const ezlda_corpus *corpus)
{
    ez_block_room room;
    ezlda_status status = ez_block_room_init(&room, context, corpus);
    if (status == EZLDA_OK) {
        out->before = ez_corpus_tokens_before_doc(corpus, out->first, &room);
        out->tokens = ez_corpus_tokens_before_doc(corpus, out->last, &room) - out->before;
    }
    ez_block_room_free(&room);
    return status;
}

static ezlda_status read_range(range *docs, ezlda_context *context, const ezlda_corpus *corpus,
                               uint64_t n)
{
    EZ_TRY(count_tokens(docs, context, corpus));
    EZ_TRY(ez_token_list_check(context, n, docs->tokens));
    EZ_TRY(ez_array(&docs->doc_start, context, n + 1, sizeof *docs->doc_start, "document starts"));
    EZ_TRY(ez_array(&docs->word, context, docs->tokens, sizeof *docs->word,
                    "the words of all tokens"));
    return expand(corpus, context, docs);
}

ezlda_status ez_corpus_tokens(ez_token_list **out, ezlda_context *context,
                              const ezlda_corpus *corpus)
{
    ez_corpus_sizes sizes;
    ez_token_subset whole = {0};
    ez_corpus_sizes_of(corpus, &sizes);
    return ez_corpus_tokens_range(out, context, corpus, 0, sizes.docs, &whole);
}

ezlda_status ez_corpus_tokens_range(ez_token_list **out, ezlda_context *context,
                                    const ezlda_corpus *corpus, uint64_t first_doc,
                                    uint64_t last_doc, const ez_token_subset *subset)
{
    ez_corpus_sizes sizes;
    ez_corpus_sizes_of(corpus, &sizes);
    range docs = {.first = first_doc, .last = last_doc};
    uint64_t n = last_doc - first_doc;
    ezlda_status status = read_range(&docs, context, corpus, n);
    /* If the file was changed meanwhile, what was read is meaningless. */
    ezlda_status as_it_was = ez_corpus_unchanged(corpus, context);
    status = as_it_was != EZLDA_OK ? as_it_was : status;
    if (status != EZLDA_OK) {
        ez_free(docs.doc_start);
        ez_free(docs.word);
        return status;
    }
    docs.doc_start[n] = docs.tokens;
    ez_corpus_release_pages(corpus);
    ez_token_subset own = *subset;
    own.first_doc = first_doc;
    return ez_token_list_create_subset(out, context, n, sizes.words, docs.doc_start, docs.word,
                                       &own);
}
