/* Loads the documents of this rank, and exchanges frequencies, flags and topics between the ranks
 * of a group. */
#include "base/files/scratch.h"
#include "corpus/corpus.h"
#include "tokens/corpus_cut.h"
#include "tokens/corpus_tokens.h"
#include "tokens/corpus_totals.h"
#include "train/training.h"

#include <string.h>

/* Topics are broadcast in messages of at most this many tokens. */
enum { EZ_SHARED_TOKENS = 1 << 24 };

static ezlda_status find_longest(uint64_t *longest, ezlda_context *context, ezlda_group *group)
{
    ez_buffer all = {0};
    ezlda_status status = ez_buffer_append(&all, context, longest, sizeof *longest);
    if (status == EZLDA_OK)
        status = ez_group_join(group, context, &all);
    for (size_t i = 0; status == EZLDA_OK && i < all.used / sizeof *longest; i++) {
        uint64_t other = ((const uint64_t *)all.data)[i];
        *longest = other > *longest ? other : *longest;
    }
    ez_free(all.data);
    return status;
}

/* All of a word's tokens may be in one topic, and W counts in 32 bits. */
static ezlda_status check_frequencies(const ez_totals *totals, const ez_training *t)
{
    for (uint32_t v = 0; v < totals->words; v++)
        if (totals->frequency[v] > UINT32_MAX)
            return ez_fail(t->context, EZLDA_ERROR_UNSUPPORTED,
                           "the word \"%s\" has %llu tokens; at most %u of a word can be counted",
                           ezlda_corpus_word(t->corpus, v),
                           (unsigned long long)totals->frequency[v], UINT32_MAX);
    return EZLDA_OK;
}

/* Counts the totals of this rank's documents and sums them over the ranks. */
static ezlda_status sum_totals(ez_totals *totals, ez_training *t, uint64_t first, uint64_t last)
{
    ezlda_group *group = t->options.group;
    EZ_TRY(ez_corpus_totals(totals, t->context, t->corpus, first, last));
    if (ez_is_distributed(group)) {
        EZ_TRY(group->ops->sum64(group, t->context, totals->frequency, totals->words));
        EZ_TRY(group->ops->sum32(group, t->context, totals->doc_frequency, totals->words));
        EZ_TRY(find_longest(&totals->longest, t->context, group));
    }
    return check_frequencies(totals, t);
}

static ezlda_status find_first_token(ez_training *t, uint64_t doc)
{
    ez_block_room room;
    ezlda_status status = ez_block_room_init(&room, t->context, t->corpus);
    if (status == EZLDA_OK)
        t->first_token = ez_corpus_tokens_before_doc(t->corpus, doc, &room);
    ez_block_room_free(&room);
    return status;
}

/* Loads the documents of this rank, all at once or as chunks. */
static ezlda_status load_documents(ez_training *t, uint64_t first, uint64_t last,
                                   const ez_token_subset *subset)
{
    const ezlda_train_options *o = &t->options;
    if (!o->out_of_core)
        return ez_corpus_tokens_range(&t->tokens, t->context, t->corpus, first, last, subset);
    t->scratch = o->scratch ? o->scratch : ".";
    EZ_TRY(ez_out_of_core_open(&t->out_of_core, t->context, t->corpus, first, last, subset, o,
                               ez_prior_plan_checks(&t->plan), t->scratch));
    t->settings.source = &t->out_of_core->source;
    return ez_corpus_tokens_range(&t->tokens, t->context, t->corpus, first, first, subset);
}

static ezlda_status load_subset(ez_training *t, uint64_t all_docs)
{
    int rank = ez_is_distributed(t->options.group) ? t->options.group->rank : 0;
    int ranks = ez_is_distributed(t->options.group) ? t->options.group->ranks : 1;
    ez_totals totals = {0};
    uint64_t *cut = NULL;
    ezlda_status status;
    EZ_TRY_GOTO(ez_array(&cut, t->context, (size_t)ranks + 1, sizeof *cut, "the ranks' documents"));
    EZ_TRY_GOTO(ez_corpus_cut(t->corpus, t->context, (uint32_t)ranks, cut));
    uint64_t first = cut[rank], last = cut[rank + 1];
    EZ_TRY_GOTO(find_first_token(t, first));
    EZ_TRY_GOTO(sum_totals(&totals, t, first, last));
    ez_token_subset subset = {.frequency = totals.frequency,
                              .doc_frequency = totals.doc_frequency,
                              .all_docs = all_docs,
                              .longest = totals.longest};
    status = load_documents(t, first, last, &subset);
done:
    ez_totals_free(&totals);
    ez_free(cut);
    return status;
}

ezlda_status ez_training_tokens(ez_training *t)
{
    ez_corpus_sizes sizes;
    ez_corpus_sizes_of(t->corpus, &sizes);
    t->all_tokens = sizes.tokens;
    if (ez_is_distributed(t->options.group) || t->options.out_of_core)
        return load_subset(t, sizes.docs);
    return ez_corpus_tokens(&t->tokens, t->context, t->corpus);
}

ezlda_status ez_training_sum_tallies(ez_training *t)
{
    uint64_t tally[2] = {t->last.undecided, t->last.moved};
    EZ_TRY(ez_group_sum64(t->options.group, t->context, tally, 2));
    t->last = (ez_iteration){.undecided = tally[0], .moved = tally[1]};
    return EZLDA_OK;
}

ezlda_status ez_training_agree(ez_training *t, bool *flag, size_t n)
{
    uint64_t votes[4];
    if (!ez_is_distributed(t->options.group))
        return EZLDA_OK;
    for (size_t i = 0; i < n; i++)
        votes[i] = flag[i];
    EZ_TRY(ez_group_sum64(t->options.group, t->context, votes, n));
    for (size_t i = 0; i < n; i++)
        flag[i] = votes[i] > 0;
    return EZLDA_OK;
}

/* Makes room for the own topics and, at the root, for those of all ranks. If one rank has no room,
 * all fail. */
static ezlda_status make_room(ez_training *t, uint16_t **own, uint16_t **all)
{
    ezlda_group *group = t->options.group;
    bool several = ez_is_distributed(group), failed;
    ezlda_status status = ez_scratch_array(own, t->context, t->scratch, ez_training_own_tokens(t),
                                           sizeof **own, "topics");
    if (status == EZLDA_OK && several && group->rank == 0)
        status =
            ez_scratch_array(all, t->context, t->scratch, t->all_tokens, sizeof **all, "topics");
    failed = status != EZLDA_OK;
    EZ_TRY(ez_training_agree(t, &failed, 1));
    if (failed && status == EZLDA_OK)
        return ez_fail(t->context, EZLDA_ERROR_IO, "another rank has no room for topics");
    return failed ? EZLDA_ERROR_IO : EZLDA_OK;
}

ezlda_status ez_training_topics(ez_training *t, uint16_t **out)
{
    ezlda_group *group = t->options.group;
    uint16_t *own = NULL, *all = NULL;
    size_t *bytes = NULL;
    ezlda_status status;
    *out = NULL;
    EZ_TRY_GOTO(make_room(t, &own, &all));
    EZ_TRY_GOTO(t->ops->topics(t->backend, t->context, own));
    if (ez_is_distributed(group)) {
        EZ_TRY_GOTO(ez_array(&bytes, t->context, (size_t)group->ranks, sizeof *bytes, "topics"));
        EZ_TRY_GOTO(
            group->ops->sizes(group, t->context, ez_training_own_tokens(t) * sizeof *own, bytes));
        EZ_TRY_GOTO(group->ops->gather_into(group, t->context, own, bytes, false, all));
    }
    *out = ez_is_distributed(group) ? all : own;
done:
    ez_free(bytes);
    if (own != *out)
        ez_free(own);
    if (all != *out)
        ez_free(all);
    return status;
}

/* Copies the tokens of [at, at + n) that belong to this rank. */
static void copy_own(const ez_training *t, const uint16_t *message, uint64_t at, uint64_t n,
                     uint16_t *own)
{
    uint64_t first = t->first_token, last = first + ez_training_own_tokens(t);
    uint64_t from = at > first ? at : first, to = at + n < last ? at + n : last;
    if (from < to)
        memcpy(own + (from - first), message + (from - at), (to - from) * sizeof *own);
}

ezlda_status ez_training_share_topics(ez_training *t, const uint16_t *topic)
{
    ezlda_group *group = t->options.group;
    uint16_t *message = NULL;
    ezlda_status status;
    uint64_t own = ez_training_own_tokens(t);
    EZ_TRY_GOTO(ez_scratch_array(&t->start_topics, t->context, t->scratch, own,
                                 sizeof *t->start_topics, "topics"));
    EZ_TRY_GOTO(ez_array(&message, t->context, EZ_SHARED_TOKENS, sizeof *message, "topics"));
    for (uint64_t at = 0, n; at < t->all_tokens; at += n) {
        n = t->all_tokens - at < EZ_SHARED_TOKENS ? t->all_tokens - at : EZ_SHARED_TOKENS;
        if (topic)
            memcpy(message, topic + at, n * sizeof *message);
        EZ_TRY_GOTO(ez_group_share(group, t->context, message, n * sizeof *message));
        copy_own(t, message, at, n, t->start_topics);
    }
    t->settings.start_topics = t->start_topics;
done:
    ez_free(message);
    return status;
}
