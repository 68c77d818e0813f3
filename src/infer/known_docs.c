/* Measures how many tokens of a corpus a model knows, and expands blocks of documents into lists of
 * the tokens that are sampled. */
#include "infer/known_docs.h"

#include "base/memory.h"
#include "model/model_layout.h"
#include "model/word_map.h"
#include "tokens/corpus_tokens.h"

/* Results of one thread over its blocks. */
typedef struct findings {
    uint64_t without;
    ez_other_tokens other;
} findings;

/* Adds tokens of a word that is not sampled; returns false for other words. */
static bool add_other(ez_other_tokens *other, uint32_t word, uint32_t count)
{
    other->unseen += word == EZ_UNSEEN_WORD ? count : 0;
    other->unknown += word == EZ_NO_WORD ? count : 0;
    return word >= EZ_UNSEEN_WORD;
}

/* Counts the tokens of a block that can be sampled. */
static uint64_t measure_block(const ez_known_docs *known, uint64_t b, ez_block_room *room,
                              findings *found)
{
    uint32_t docs = ez_corpus_decode(known->corpus, b, room->row_start, room->word, room->count);
    uint64_t tokens = 0;
    for (uint32_t i = 0; i < docs; i++) {
        uint64_t length = 0;
        for (uint32_t j = room->row_start[i]; j < room->row_start[i + 1]; j++) {
            uint32_t count = room->count[j];
            length += add_other(&found->other, known->word_of[room->word[j]], count) ? 0 : count;
        }
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
            known->without += found.without;
            known->unseen_tokens += found.other.unseen;
            known->unknown_tokens += found.other.unknown;
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
    ez_word_map_mark_unseen(known->word_of, sizes.words, model);
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
    uint64_t *doc_start;
    uint32_t *word;
    ez_other_tokens *other;
} batch;

static void expand_block(const ez_known_docs *known, uint64_t b, ez_block_room *room,
                         const batch *out)
{
    uint32_t docs = ez_corpus_decode(known->corpus, b, room->row_start, room->word, room->count);
    uint64_t before = known->before[out->first_block], at = known->before[b] - before;
    uint64_t end = known->before[b + 1] - before, d = b * EZ_CORPUS_BLOCK - out->first_doc;
    for (uint32_t i = 0; i < docs; i++, d++) {
        ez_other_tokens other = {0};
        out->doc_start[d] = at;
        for (uint32_t j = room->row_start[i]; j < room->row_start[i + 1]; j++) {
            uint32_t v = known->word_of[room->word[j]], left = room->count[j];
            if (add_other(&other, v, left))
                continue;
            for (; left > 0 && at < end; left--)
                out->word[at++] = v;
        }
        out->other[d] = other;
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
                                  uint64_t first, uint64_t last, const ezlda_model *model,
                                  ez_token_list **out, ez_other_tokens *other)
{
    uint64_t first_doc = ez_known_docs_before(known, first),
             docs = ez_known_docs_before(known, last) - first_doc;
    uint64_t tokens = known->before[last] - known->before[first];
    batch room = {.first_block = first, .first_doc = first_doc, .other = other};
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
    ez_token_subset part = {.frequency = model->phi.word_tokens, .first_doc = first_doc};
    EZ_TRY(ez_token_list_create_subset(out, context, docs, model->meta->words, room.doc_start,
                                       room.word, &part));
    return ez_token_list_key_documents(*out, context);
}
