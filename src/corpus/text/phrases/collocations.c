/* Finds phrases: pairs of neighbouring words that belong together (new york), then pairs with such
 * a phrase (new_york times).
 *
 * A pair is a phrase if it passes three tests. It is frequent: it has at least least_pairs()
 * tokens and is in at least LEAST_DOCUMENTS documents. It is not chance: Dunning's log-likelihood
 * ratio G2 against independent words is significant at the level LEVEL, shared among all pairs that
 * are tested (Bonferroni), so the bar rises with the corpus. And it is firm: its normalised
 * pointwise mutual information (NPMI: 0 for independent words, 1 for words that are always
 * together) is at least options->phrases. In a large corpus almost every association is
 * significant, so the last test decides there; in a small one the second does. */
#include "corpus/text/phrases/neighbours.h"
#include "corpus/text/vocabulary/text_terms.h"
#include "numeric/portable_math.h"

#include <stdlib.h>
#include <string.h>

enum { LEAST_TOKENS = 5, LEAST_DOCUMENTS = 3, MOST_RECOUNTS = 3, TOKENS_PER_SQUARE = 200 };
#define LEVEL 0.001

typedef struct found_pair {
    uint64_t key;
    double strength;       /* G2 */
    const ez_terms *terms; /* for comparisons */
} found_pair;

typedef struct search {
    const ez_terms *terms;
    ezlda_context *context;
    double all; /* tokens */
    uint64_t least, least_docs, tested;
    double firm;     /* least NPMI */
    ez_buffer found; /* found_pair */
} search;

/* Grows with the square root of the corpus: 5 up to a million tokens, 50 for a hundred million. So
 * does the number of pairs that must be counted at once. */
static uint64_t least_pairs(uint64_t tokens)
{
    double least = sqrt((double)tokens) / TOKENS_PER_SQUARE;
    return least > LEAST_TOKENS ? (uint64_t)least : LEAST_TOKENS;
}

/* x ln(x / expected) */
static double surprise(double x, double expected)
{
    return x > 0 ? x * ez_portable_log(x / expected) : 0;
}

double ez_phrase_strength(double both, double left, double right, double all)
{
    double neither = all - left - right + both;
    if (both * all <= left * right || neither < 0)
        return 0;
    return 2 *
           (surprise(both, left * right / all) + surprise(left - both, left * (all - right) / all) +
            surprise(right - both, (all - left) * right / all) +
            surprise(neither, (all - left) * (all - right) / all));
}

double ez_phrase_npmi(double both, double left, double right, double all)
{
    if (both <= 0 || both >= all)
        return 0;
    return ez_portable_log(both * all / (left * right)) / ez_portable_log(all / both);
}

/* What joining has left of a term, or how often a phrase is used. */
static uint64_t unit_tokens(const ez_terms *terms, uint32_t unit)
{
    return unit < terms->terms.n ? terms->tokens[unit]
                                 : ez_phrase_counts(terms)[unit - terms->terms.n].tokens;
}

/* Pairs that pass the first and the third test; the second needs the number of all pairs. */
static ezlda_status test_pair(void *state, const ez_pair_count *pair)
{
    search *self = state;
    if (pair->tokens < self->least)
        return EZLDA_OK;
    self->tested++;
    double left = (double)unit_tokens(self->terms, (uint32_t)(pair->key >> 32));
    double right = (double)unit_tokens(self->terms, (uint32_t)pair->key);
    found_pair found = {pair->key, ez_phrase_strength((double)pair->tokens, left, right, self->all),
                        self->terms};
    if (pair->docs < self->least_docs || found.strength <= 0 ||
        ez_phrase_npmi((double)pair->tokens, left, right, self->all) < self->firm)
        return EZLDA_OK;
    return ez_buffer_append(&self->found, self->context, &found, sizeof found);
}

/* The pairs are ordered by strength, ties by the text of their words: the numbers of terms depend
 * on the threads. */
static int compare_units(const ez_terms *terms, uint32_t a, uint32_t b)
{
    uint32_t x[EZ_PHRASE_WORDS], y[EZ_PHRASE_WORDS];
    size_t n = ez_unit_terms(&terms->joined, a, x), m = ez_unit_terms(&terms->joined, b, y);
    for (size_t i = 0; i < n && i < m; i++) {
        int order = strcmp(ez_strings_get(&terms->terms, x[i], NULL),
                           ez_strings_get(&terms->terms, y[i], NULL));
        if (order)
            return order;
    }
    return (n > m) - (n < m);
}

static int by_strength(const void *a, const void *b)
{
    const found_pair *x = a, *y = b;
    if (x->strength > y->strength || x->strength < y->strength)
        return x->strength > y->strength ? -1 : 1;
    int order = compare_units(x->terms, (uint32_t)(x->key >> 32), (uint32_t)(y->key >> 32));
    return order ? order : compare_units(x->terms, (uint32_t)x->key, (uint32_t)y->key);
}

/* Adds the significant pairs to the phrases. */
static ezlda_status add_found(ez_terms *terms, search *self)
{
    found_pair *found = (found_pair *)(void *)self->found.data;
    size_t n = self->found.used / sizeof *found;
    /* The tail of chi-square with one degree of freedom is below exp(-x/2) from x = 1 on. */
    double bar = 2 * ez_portable_log((double)self->tested / LEVEL);
    if (n > 1)
        qsort(found, n, sizeof *found, by_strength);
    for (size_t i = 0; i < n && found[i].strength >= bar; i++) {
        bool added;
        EZ_TRY(ez_phrase_set_add(&terms->joined, self->context, (uint32_t)(found[i].key >> 32),
                                 (uint32_t)found[i].key, &added));
    }
    return EZLDA_OK;
}

static uint64_t least_docs(const ez_text_job *job)
{
    uint64_t least = job->filter.min_docs;
    return least > LEAST_DOCUMENTS ? least : LEAST_DOCUMENTS;
}

/* Tests the pairs that were counted and adds those that pass to the phrases. */
static ezlda_status add_phrases(ez_terms *terms, ez_text_job *job, const ez_neighbours *pairs)
{
    search self = {
        .terms = terms, .context = job->context, .firm = job->firm, .least = pairs->least};
    self.least_docs = least_docs(job);
    for (uint32_t unit = 0; unit < terms->terms.n + terms->phrases.n; unit++)
        self.all += (double)unit_tokens(terms, unit);
    ezlda_status status = ez_neighbours_each(pairs, test_pair, &self);
    if (status == EZLDA_OK)
        status = add_found(terms, &self);
    ez_free(self.found.data);
    return status;
}

/* Removes the phrases of two words that are too rare once overlaps are settled ("york times", if
 * every one is "new york times"), unless a longer phrase begins or ends with them. */
static ezlda_status remove_unused(ez_terms *terms, ez_text_job *job)
{
    const ez_word_count *counts = ez_phrase_counts(terms);
    const ez_joint *joints = ez_joints(&terms->joined);
    uint32_t first = terms->terms.n, counted = terms->joined.units - first;
    unsigned char *unused;
    EZ_TRY(ez_array_zero(&unused, job->context, terms->phrases.n, 1, "phrases"));
    for (uint32_t i = 0; i < counted; i++)
        unused[i] = counts[i].docs < least_docs(job);
    for (uint32_t i = terms->joined.first; i < ez_joint_count(&terms->joined); i++) {
        if (joints[i].left >= first)
            unused[joints[i].left - first] = 0;
        if (joints[i].right >= first)
            unused[joints[i].right - first] = 0;
    }
    ezlda_status status = ez_phrase_set_remove(&terms->joined, job->context, unused);
    ez_free(unused);
    return status;
}

/* Whether the filter would remove tokens of phrases that are left with too few documents. */
static bool loses_tokens(const ez_terms *terms, const ez_text_job *job)
{
    const ez_word_count *counts = ez_phrase_counts(terms);
    for (uint32_t i = 0; i < terms->phrases.n; i++)
        if (counts[i].tokens && counts[i].docs < job->filter.min_docs)
            return true;
    return false;
}

static ezlda_status find_pairs(ez_terms *terms, ez_text_job *job, uint64_t least)
{
    ez_neighbours words;
    ez_neighbours_init(&words, terms->terms.n, terms->tokens, least);
    ezlda_status status = ez_neighbours_count(&words, job, terms->maps);
    if (status == EZLDA_OK)
        status = add_phrases(terms, job, &words);
    ez_neighbours_free(&words);
    return status;
}

/* Looks for longer phrases, and counts all phrases as they are used. */
static ezlda_status find_longer(ez_terms *terms, ez_text_job *job, uint64_t least)
{
    ez_neighbours pairs;
    ez_neighbours_init(&pairs, terms->terms.n, terms->tokens, least);
    ezlda_status status = ez_terms_recount_phrases(terms, job, &pairs);
    if (status == EZLDA_OK)
        status = add_phrases(terms, job, &pairs);
    ez_neighbours_free(&pairs);
    for (int i = 0; i < MOST_RECOUNTS && status == EZLDA_OK; i++) {
        if (i > 0 && !loses_tokens(terms, job))
            break;
        status = remove_unused(terms, job);
        if (status == EZLDA_OK)
            status = ez_terms_recount_phrases(terms, job, NULL);
    }
    return status;
}

static void describe(const ez_terms *terms, const ez_text_job *job)
{
    const ez_word_count *counts = ez_phrase_counts(terms);
    uint64_t tokens = 0, kinds = 0;
    for (uint32_t i = 0; i < terms->phrases.n; i++) {
        tokens += counts[i].tokens;
        kinds += counts[i].tokens > 0;
    }
    ez_note(job->context, "phrases: %llu, in %llu places", (unsigned long long)kinds,
            (unsigned long long)tokens);
}

ezlda_status ez_terms_find_phrases(ez_terms *terms, ez_text_job *job)
{
    uint64_t all = 0;
    for (uint32_t i = 0; i < terms->terms.n; i++)
        all += terms->tokens[i];
    EZ_TRY(find_pairs(terms, job, least_pairs(all)));
    if (ez_joint_count(&terms->joined))
        EZ_TRY(find_longer(terms, job, least_pairs(all)));
    describe(terms, job);
    return EZLDA_OK;
}
