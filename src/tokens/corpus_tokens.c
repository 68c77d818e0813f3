#include "tokens/corpus_tokens.h"

#include "base/memory.h"

ezlda_status ez_block_room_init(ez_block_room *room, ezlda_context *context, const ezlda_corpus *corpus)
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

static void expand_block(const ezlda_corpus *corpus, uint64_t b, ez_block_room *room, uint64_t *doc_start,
                         uint32_t *word)
{
    uint32_t docs = ez_corpus_decode(corpus, b, room->row_start, room->word, room->count);
    uint64_t at = ez_corpus_tokens_before(corpus, b);
    for (uint32_t i = 0; i < docs; i++) {
        doc_start[b * EZ_CORPUS_BLOCK + i] = at;
        for (uint32_t j = room->row_start[i]; j < room->row_start[i + 1]; j++)
            for (uint32_t left = room->count[j]; left > 0; left--)
                word[at++] = room->word[j];
    }
}

static ezlda_status expand(const ezlda_corpus *corpus, ezlda_context *context, uint64_t *doc_start, uint32_t *word)
{
    ezlda_status status = EZLDA_OK;
    uint64_t blocks = ez_corpus_blocks(corpus);
#pragma omp parallel num_threads(ez_threads(context))
    {
        ez_block_room room;
        ezlda_status mine = ez_block_room_init(&room, context, corpus);
#pragma omp for schedule(dynamic, 4)
        for (uint64_t b = 0; b < blocks; b++)
            if (mine == EZLDA_OK)
                expand_block(corpus, b, &room, doc_start, word);
        ez_block_room_free(&room);
        if (mine != EZLDA_OK) {
#pragma omp critical(ez_corpus_tokens_status)
            status = mine;
        }
    }
    return status;
}

ezlda_status ez_corpus_tokens(ez_token_list **out, ezlda_context *context, const ezlda_corpus *corpus)
{
    ez_corpus_sizes sizes;
    ez_corpus_sizes_of(corpus, &sizes);
    uint64_t *doc_start = NULL;
    uint32_t *word = NULL;
    ezlda_status status = ez_array(&doc_start, context, sizes.docs + 1, sizeof *doc_start, "document starts");
    if (status == EZLDA_OK)
        status = ez_array(&word, context, sizes.tokens, sizeof *word, "the words of all tokens");
    if (status == EZLDA_OK)
        status = expand(corpus, context, doc_start, word);
    if (status != EZLDA_OK) {
        ez_free(doc_start);
        ez_free(word);
        return status;
    }
    doc_start[sizes.docs] = sizes.tokens;
    ez_corpus_release_pages(corpus);
    return ez_token_list_create(out, context, sizes.docs, sizes.words, doc_start, word);
}
