/* Finds cuts between documents by their tokens, decoding only the blocks that hold a cut. */
#include "tokens/corpus_cut.h"

#include "base/memory.h"
#include "tokens/corpus_tokens.h"

#include <string.h>

/* Rounds in which each cut moves to the middle of its neighbours: a document that is large for a
 * range keeps one cut from its place, and the rounds spread its excess over all other ranges. They
 * end when ranges differ by no more than a thousandth. */
enum { EZ_CUT_ROUNDS = 64, EZ_CUT_CLOSE = 1000 };

typedef struct cut {
    uint64_t doc, tokens; /* the document that comes after it, the tokens before it */
} cut;

/* The block that holds the token. */
static uint64_t block_of(const ezlda_corpus *corpus, uint64_t token)
{
    uint64_t first = 0, last = ez_corpus_blocks(corpus);
    while (last - first > 1) {
        uint64_t middle = first + (last - first) / 2;
        if (ez_corpus_tokens_before(corpus, middle) <= token)
            first = middle;
        else
            last = middle;
    }
    return first;
}

/* The place between two documents that is nearest to a token. */
static cut nearest(const ezlda_corpus *corpus, uint64_t token, ez_block_room *room)
{
    uint64_t b = block_of(corpus, token);
    uint32_t docs = ez_corpus_decode(corpus, b, room->row_start, room->word, room->count);
    cut at = {b * EZ_CORPUS_BLOCK, ez_corpus_tokens_before(corpus, b)};
    for (uint32_t i = 0; i < docs; i++) {
        uint64_t length = 0;
        for (uint32_t j = room->row_start[i]; j < room->row_start[i + 1]; j++)
            length += room->count[j];
        if (at.tokens + length > token)
            return token - at.tokens <= at.tokens + length - token
                       ? at
                       : (cut){at.doc + 1, at.tokens + length};
        at = (cut){at.doc + 1, at.tokens + length};
    }
    return at;
}

/* By how much the largest range is larger than the smallest. */
static uint64_t spread(const cut *cuts, uint32_t ranges)
{
    uint64_t most = 0, least = UINT64_MAX;
    for (uint32_t p = 0; p < ranges; p++) {
        uint64_t tokens = cuts[p + 1].tokens - cuts[p].tokens;
        most = tokens > most ? tokens : most;
        least = tokens < least ? tokens : least;
    }
    return most - least;
}

typedef struct cutting {
    const ezlda_corpus *corpus;
    uint32_t ranges;
    cut *cuts, *best; /* ranges+1 */
    ez_block_room room;
} cutting;

static void keep_best(cutting *c, uint64_t *best)
{
    uint64_t now = spread(c->cuts, c->ranges);
    if (now >= *best)
        return;
    *best = now;
    memcpy(c->best, c->cuts, ((size_t)c->ranges + 1) * sizeof *c->best);
}

/* Places all cuts between the first and the last one, which are set. */
static void place_cuts(cutting *c)
{
    cut *cuts = c->cuts;
    uint64_t first = cuts[0].tokens, tokens = cuts[c->ranges].tokens - first, best = UINT64_MAX;
    for (uint32_t p = 1; p < c->ranges; p++)
        cuts[p] = nearest(c->corpus, first + (uint64_t)((unsigned __int128)tokens * p / c->ranges),
                          &c->room);
    keep_best(c, &best);
    for (int round = 0; round < EZ_CUT_ROUNDS && best > tokens / c->ranges / EZ_CUT_CLOSE;
         round++) {
        for (uint32_t p = 1; p < c->ranges; p++)
            cuts[p] = nearest(c->corpus,
                              cuts[p - 1].tokens + (cuts[p + 1].tokens - cuts[p - 1].tokens) / 2,
                              &c->room);
        keep_best(c, &best);
    }
}

/* Empty documents at the ends of [first, last) must not move a cut out of it. */
static uint64_t within(uint64_t doc, uint64_t first, uint64_t last)
{
    return doc < first ? first : doc > last ? last : doc;
}

ezlda_status ez_corpus_cut_range(const ezlda_corpus *corpus, ezlda_context *context, uint64_t first,
                                 uint64_t last, uint32_t ranges, uint64_t *first_doc,
                                 uint64_t *first_token)
{
    cutting c = {.corpus = corpus, .ranges = ranges};
    ezlda_status status;
    for (uint32_t p = 0; p <= ranges; p++)
        first_doc[p] = first;
    EZ_TRY_GOTO(ez_array(&c.cuts, context, (size_t)ranges + 1, sizeof *c.cuts, "cuts"));
    EZ_TRY_GOTO(ez_array_zero(&c.best, context, (size_t)ranges + 1, sizeof *c.best, "cuts"));
    EZ_TRY_GOTO(ez_block_room_init(&c.room, context, corpus));
    c.cuts[0] = (cut){first, ez_corpus_tokens_before_doc(corpus, first, &c.room)};
    c.cuts[ranges] = (cut){last, ez_corpus_tokens_before_doc(corpus, last, &c.room)};
    if (ez_corpus_blocks(corpus) > 0)
        place_cuts(&c);
    for (uint32_t p = 0; p <= ranges; p++) {
        first_doc[p] = within(c.best[p].doc, first, last);
        if (first_token)
            first_token[p] = c.best[p].tokens;
    }
done:
    ez_block_room_free(&c.room);
    ez_free(c.cuts);
    ez_free(c.best);
    return status;
}

ezlda_status ez_corpus_cut(const ezlda_corpus *corpus, ezlda_context *context, uint32_t ranges,
                           uint64_t *first_doc)
{
    ez_corpus_sizes sizes;
    ez_corpus_sizes_of(corpus, &sizes);
    return ez_corpus_cut_range(corpus, context, 0, sizes.docs, ranges, first_doc, NULL);
}
