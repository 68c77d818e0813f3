/* Joins the vocabularies of a model and of new documents, and rewrites the documents with it. */
#include "train/update/update_words.h"

#include "base/memory.h"
#include "corpus/bags/bags.h"
#include "model/word_map.h"
#include "tokens/corpus_totals.h"

typedef struct joining {
    ezlda_context *context;
    ez_past *past;
    const ezlda_corpus *corpus;
    ez_corpus_sizes sizes;
    ez_totals totals;    /* of the new documents */
    uint32_t *word_of;   /* the model's number of each word of the corpus */
    uint32_t *map;       /* the new number of each word of the corpus */
    uint64_t *more;      /* tokens that the new documents have of each word of the model */
    uint32_t *number;    /* the new number of each word of the model */
    const char **text;   /* the new words */
    uint32_t kept, lost; /* words that the model does not have */
    bool all;            /* no word leaves or stays out */
} joining;

static ezlda_status allocate(joining *j)
{
    const uint32_t most = j->past->model->meta->words + j->sizes.words;
    static const char what[] = "the words of an update";
    EZ_TRY(ez_array(&j->map, j->context, j->sizes.words, sizeof *j->map, what));
    EZ_TRY(ez_array_zero(&j->more, j->context, j->past->model->meta->words, sizeof *j->more, what));
    EZ_TRY(ez_array(&j->number, j->context, j->past->model->meta->words, sizeof *j->number, what));
    EZ_TRY(ez_array(&j->text, j->context, most, sizeof *j->text, what));
    return ez_array(&j->past->from, j->context, most, sizeof *j->past->from, what);
}

/* All of a word's tokens may be in one topic, and W counts in 32 bits. */
static ezlda_status check_count(joining *j, const char *word, uint64_t tokens)
{
    if (tokens > j->past->most_frequent)
        j->past->most_frequent = tokens;
    if (tokens <= UINT32_MAX)
        return EZLDA_OK;
    return ez_fail(j->context, EZLDA_ERROR_UNSUPPORTED,
                   "the word \"%s\" has %llu tokens with those of the past; at most %u of a word "
                   "can be counted (a decay below 1 forgets old ones)",
                   word, (unsigned long long)tokens, UINT32_MAX);
}

/* Keeps the words of the model of which something is left or new, or all of them. */
static ezlda_status keep_words(joining *j)
{
    const ezlda_model *model = j->past->model;
    for (uint32_t w = 0; w < j->sizes.words; w++)
        if (j->word_of[w] != EZ_NO_WORD)
            j->more[j->word_of[w]] += j->totals.frequency[w];
    for (uint32_t v = 0; v < model->meta->words; v++) {
        const char *word = ezlda_model_word(model, v);
        j->number[v] = EZ_NO_WORD;
        EZ_TRY(check_count(j, word, j->past->left[v] + j->more[v]));
        if (!j->all && j->past->left[v] == 0 && j->more[v] == 0)
            continue;
        j->number[v] = j->past->words;
        j->text[j->past->words] = word;
        j->past->from[j->past->words++] = v;
    }
    return EZLDA_OK;
}

/* Appends the words that the model does not have. */
static ezlda_status add_words(joining *j, uint32_t least)
{
    for (uint32_t w = 0; w < j->sizes.words; w++) {
        if (j->word_of[w] != EZ_NO_WORD) {
            j->map[w] = j->number[j->word_of[w]];
            continue;
        }
        j->map[w] = UINT32_MAX;
        if (!j->all && j->totals.frequency[w] == 0)
            continue;
        bool rare = !j->all && j->totals.doc_frequency[w] < least;
        j->lost += rare;
        if (rare)
            continue;
        const char *word = ezlda_corpus_word(j->corpus, w);
        EZ_TRY(check_count(j, word, j->totals.frequency[w]));
        j->map[w] = j->past->words;
        j->text[j->past->words] = word;
        j->past->from[j->past->words++] = EZ_NO_WORD;
        j->kept++;
    }
    return EZLDA_OK;
}

/* docs/arithmetic.md proves the exponents of weights for this many tokens. */
static ezlda_status check_tokens(const joining *j)
{
    const uint64_t most = (uint64_t)1 << 36, past = j->past->facts.tokens;
    if (past <= most && j->sizes.tokens <= most - past)
        return EZLDA_OK;
    return ez_fail(
        j->context, EZLDA_ERROR_UNSUPPORTED,
        "%llu tokens of the past and %llu new ones; at most %llu can be counted (a decay "
        "below 1 forgets old ones)",
        (unsigned long long)past, (unsigned long long)j->sizes.tokens, (unsigned long long)most);
}

static void report_words(const joining *j, uint32_t least)
{
    if (j->lost)
        ez_note(j->context,
                "added %u of %u new words; the others occur in fewer than %u of the new documents",
                j->kept, j->kept + j->lost, least);
}

static ezlda_status join(joining *j, uint32_t least, ezlda_corpus **out)
{
    uint32_t unknown;
    EZ_TRY(check_tokens(j));
    EZ_TRY(ez_corpus_totals(&j->totals, j->context, j->corpus, 0, j->sizes.docs));
    EZ_TRY(ez_word_map(&j->word_of, j->context, j->corpus, j->past->model, &unknown));
    EZ_TRY(allocate(j));
    EZ_TRY(keep_words(j));
    if (j->sizes.words > 0 && unknown == j->sizes.words)
        return ez_fail(j->context, EZLDA_ERROR_ARGUMENT,
                       "the new documents have none of the words of the model to update");
    EZ_TRY(add_words(j, least));
    report_words(j, least);
    return ez_bag_rebuild(out, j->context, j->corpus, j->map, NULL, j->text, j->past->words);
}

ezlda_status ez_update_words(ezlda_corpus **out, ezlda_context *context, ez_past *past,
                             const ezlda_corpus *corpus, uint32_t least, bool all)
{
    joining j = {.context = context, .past = past, .corpus = corpus, .all = all};
    ez_corpus_sizes_of(corpus, &j.sizes);
    ezlda_status status = join(&j, least, out);
    ez_totals_free(&j.totals);
    ez_free(j.word_of);
    ez_free(j.map);
    ez_free(j.more);
    ez_free(j.number);
    ez_free(j.text);
    return status;
}
