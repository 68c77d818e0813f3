/* Measures how many tokens of a corpus a model knows, and expands blocks of documents into lists of
 * known tokens. */
#include "infer/known_docs.h"

#include "base/memory.h"
#include "model/word_map.h"
#include "tokens/corpus_tokens.h"

/* Results of one thread over its blocks. */
typedef struct findings {
    uint64_t longest, without, unknown;
} findings;

/* Counts the known tokens of a block. */
static uint64_t measure_block(const ez_known_docs *known, uint64_t b, ez_block_room *room,
                              findings *found)
{
    uint32_t docs = ez_corpus_decode(known->corpus, b, room->row_start, room->word, room->count);
    uint64_t tokens = 0;
    for (uint32_t i = 0; i < docs; i++) {
        uint64_t length = 0;
        for (uint32_t j = room->row_start[i]; j < room->row_start[i + 1]; j++) {
            bool is_known = known->word_of[room->word[j]] != EZ_NO_WORD;
            length += is_known ? room->count[j] : 0;
            found->unknown += is_known ? 0 : room->count[j];
        }
        found->longest = length > found->longest ? length : found->longest;
        found->without += length == 0;
        tokens += length;
    }
    return tokens;
}

static ezlda_status measure(ez_known_docs *known, ezlda_context *context)
{
    ezlda_status status = EZLDA_OK;
#pragma omp parallel num_threads(ez_threads(context))
    {
        ez_block_room room;
        findings found = {0};
        ezlda_status mine = ez_block_room_init(&room, context, known->corpus);
#pragma omp for schedule(dynamic, 4)
        for (uint64_t b = 0; b < known->blocks; b++)
            known->before[b + 1] = mine == EZLDA_OK ? measure_block(known, b, &room, &found) : 0;
        ez_block_room_free(&room);
#pragma omp critical(ez_known_docs)
        {
            status = mine != EZLDA_OK ? mine : status;
            known->longest = found.longest > known->longest ? found.longest : known->longest;
            known->without += found.without;
            known->unknown_tokens += found.unknown;
        }
    }
    for (uint64_t b = 0; b < known->blocks; b++)
        known->before[b + 1] += known->before[b];
    return status;
}

ezlda_status ez_known_docs_open(ez_known_docs *known, ezlda_context *context,
                                const ezlda_corpus *corpus, const ezlda_model *model)
{
    ez_corpus_sizes sizes;
    ez_corpus_sizes_of(corpus, &sizes);
    *known =
        (ez_known_docs){.corpus = corpus, .docs = sizes.docs, .blocks = ez_corpus_blocks(corpus)};
    EZ_TRY(ez_word_map(&known->word_of, context, corpus, model, &known->unknown_words));
    EZ_TRY(ez_array_zero(&known->before, context, known->blocks + 1, sizeof *known->before,
                         "blocks of documents"));
    return measure(known, context);
}

void ez_known_docs_close(ez_known_docs *known)
{
    ez_free(known->word_of);
    ez_free(known->before);
}

/* The arrays that the documents of a batch are written to. */
typedef struct batch {
    uint64_t first_block, first_doc;
    uint64_t *doc_start, *unknown;
    uint32_t *word;
} batch;

static void expand_block(const ez_known_docs *known, uint64_t b, ez_block_room *room,
                         const batch *out)
{
    uint32_t docs = ez_corpus_decode(known->corpus, b, room->row_start, room->word, room->count);
    uint64_t before = known->before[out->first_block], at = known->before[b] - before;
    uint64_t end = known->before[b + 1] - before, d = b * EZ_CORPUS_BLOCK - out->first_doc;
    for (uint32_t i = 0; i < docs; i++, d++) {
        uint64_t unknown = 0;
        out->doc_start[d] = at;
        for (uint32_t j = room->row_start[i]; j < room->row_start[i + 1]; j++) {
            uint32_t v = known->word_of[room->word[j]], left = room->count[j];
            unknown += v == EZ_NO_WORD ? left : 0;
            for (; v != EZ_NO_WORD && left > 0 && at < end; left--)
                out->word[at++] = v;
        }
        if (out->unknown)
            out->unknown[d] = unknown;
    }
}

static ezlda_status expand(const ez_known_docs *known, ezlda_context *context, const batch *out,
                           uint64_t last)
{
    ezlda_status status = EZLDA_OK;
#pragma omp parallel num_threads(ez_threads(context))
    {
        ez_block_room room;
        ezlda_status mine = ez_block_room_init(&room, context, known->corpus);
#pragma omp for schedule(dynamic, 4)
        for (uint64_t b = out->first_block; b < last; b++)
            if (mine == EZLDA_OK)
                expand_block(known, b, &room, out);
        ez_block_room_free(&room);
        if (mine != EZLDA_OK) {
#pragma omp critical(ez_known_docs)
            status = mine;
        }
    }
    return status;
}

ezlda_status ez_known_docs_tokens(const ez_known_docs *known, ezlda_context *context,
                                  uint64_t first, uint64_t last, uint32_t model_words,
                                  const uint64_t *frequency, ez_token_list **out, uint64_t *unknown)
{
    uint64_t first_doc = ez_known_docs_before(known, first),
             docs = ez_known_docs_before(known, last) - first_doc;
    uint64_t tokens = known->before[last] - known->before[first];
    batch room = {.first_block = first, .first_doc = first_doc, .unknown = unknown};
    ezlda_status status =
        ez_array(&room.doc_start, context, docs + 1, sizeof *room.doc_start, "document starts");
    if (status == EZLDA_OK)
        status =
            ez_array(&room.word, context, tokens, sizeof *room.word, "the words of all tokens");
    if (status == EZLDA_OK)
        status = expand(known, context, &room, last);
    if (status == EZLDA_OK)
        status = ez_corpus_unchanged(known->corpus,
                                     context); /* otherwise the tokens cannot be trusted */
    if (status != EZLDA_OK) {
        ez_free(room.doc_start);
        ez_free(room.word);
        return status;
    }
    room.doc_start[docs] = tokens;
    ez_token_subset part = {
        .frequency = frequency, .first_doc = first_doc, .longest = known->longest};
    return ez_token_list_create_subset(out, context, docs, model_words, room.doc_start, room.word,
                                       &part);
}
