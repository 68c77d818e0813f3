/* Removes words from a corpus by the options of an import: stop words, words in too few or too many
 * documents, words beyond the size of the vocabulary. */
#include "corpus/bags/bags.h"

#include "corpus/corpus.h"
#include "corpus/text/stopwords/stopwords.h"
#include "corpus/text/tokeniser/tokeniser.h"
#include "corpus/text/vocabulary/text_terms.h"
#include "corpus/text/vocabulary/word_filter.h"

#include <string.h>

static bool named_stopwords(const ezlda_import_options *options)
{
    const char *spec = options->stopwords;
    return spec && strcmp(spec, "auto") != 0 && strcmp(spec, "none") != 0;
}

bool ez_bag_filtered(const ezlda_import_options *options)
{
    ez_word_filter filter = ez_word_filter_given(options, 0);
    return named_stopwords(options) || filter.min_docs > 1 || filter.max_docs_share < 1 ||
           options->max_vocab;
}

static void add_lengths(ez_doc_lengths *lengths, const uint32_t *start, const uint32_t *count,
                        uint64_t n)
{
    for (uint64_t d = 0; d < n; d++) {
        uint64_t length = 0;
        for (uint32_t i = start[d]; i < start[d + 1]; i++)
            length += count[i];
        ez_doc_lengths_add(lengths, length);
    }
}

/* Counts the documents of each word and the lengths of all documents. */
static ezlda_status count_docs(const ezlda_corpus *corpus, ezlda_context *context, uint64_t *docs,
                               ez_doc_lengths *lengths)
{
    ez_corpus_sizes sizes;
    ez_corpus_sizes_of(corpus, &sizes);
    uint32_t *word = NULL, *count = NULL, start[EZ_CORPUS_BLOCK + 1];
    ezlda_status status = EZLDA_OK;
    for (uint64_t b = 0; b < ez_corpus_blocks(corpus) && status == EZLDA_OK; b++) {
        uint64_t pairs = ez_corpus_pairs_before(corpus, b + 1) - ez_corpus_pairs_before(corpus, b);
        status = ez_array(&word, context, (size_t)pairs, sizeof *word, "documents");
        if (status == EZLDA_OK)
            status = ez_array(&count, context, (size_t)pairs, sizeof *count, "documents");
        if (status == EZLDA_OK) {
            ez_corpus_decode(corpus, b, start, word, count);
            for (uint64_t i = 0; i < pairs; i++)
                docs[word[i]]++;
            uint64_t left = sizes.docs - b * EZ_CORPUS_BLOCK;
            add_lengths(lengths, start, count, left < EZ_CORPUS_BLOCK ? left : EZ_CORPUS_BLOCK);
        }
        ez_free(word);
        ez_free(count);
        word = count = NULL;
    }
    return status;
}

/* A word of a bag is a stop word if its folded form is in the list. */
static bool is_stopword(const ez_strings *stopwords, const char *word)
{
    ez_tokeniser tokeniser;
    char folded[EZ_WORD_BYTES + 1];
    if (!stopwords->n)
        return false;
    ez_tokeniser_init(&tokeniser, false, true, true, 1);
    size_t n = ez_normalise_word(&tokeniser, word, strlen(word), folded);
    return n && ez_strings_find(stopwords, folded, n) != EZ_NO_STRING;
}

/* Sets map[word] to 0 if the word stays, else to UINT32_MAX. */
static ezlda_status choose_words(const ezlda_corpus *corpus, ezlda_context *context,
                                 const ezlda_import_options *options, const uint64_t *docs,
                                 const ez_doc_lengths *lengths, uint32_t *map)
{
    bool by_corpus = ez_stopwords_ask(options->stopwords, "corpus");
    const uint64_t *tokens = ez_corpus_word_tokens(corpus);
    ez_corpus_sizes sizes;
    ez_strings stopwords = {0};
    ez_candidate *candidates = NULL;
    ezlda_status status;
    ez_corpus_sizes_of(corpus, &sizes);
    ez_word_filter filter = ez_word_filter_given(options, sizes.docs);
    EZ_TRY_GOTO(ez_array(&candidates, context, sizes.words, sizeof *candidates, "the vocabulary"));
    if (named_stopwords(options))
        EZ_TRY_GOTO(ez_stopwords_add(&stopwords, context, options->stopwords));
    status = EZLDA_OK;
    uint32_t n = 0;
    for (uint32_t i = 0; i < sizes.words; i++) {
        const char *word = ezlda_corpus_word(corpus, i);
        if (is_stopword(&stopwords, word) ||
            (by_corpus && ez_word_is_common(lengths, tokens[i], docs[i])))
            continue;
        if (ez_word_filter_keeps(&filter, docs[i], tokens[i]))
            candidates[n++] = (ez_candidate){tokens[i], word, i};
    }
    ez_word_filter_note(&filter, context);
    n = ez_rank_candidates(candidates, n, options->max_vocab);
    memset(map, 0xff, sizes.words * sizeof *map);
    for (uint32_t i = 0; i < n; i++)
        map[candidates[i].id] = 0;
done:
    ez_strings_free(&stopwords);
    ez_free(candidates);
    return status;
}

/* Numbers the words that stay in their old order. */
static uint32_t number_words(const ezlda_corpus *corpus, uint32_t n_words, uint32_t *map,
                             const char **words)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < n_words; i++) {
        if (map[i] == UINT32_MAX)
            continue;
        words[kept] = ezlda_corpus_word(corpus, i);
        map[i] = kept++;
    }
    return kept;
}

ezlda_status ez_bag_filter(ezlda_corpus **out, ezlda_context *context, const ezlda_corpus *corpus,
                           const ezlda_import_options *options)
{
    ez_corpus_sizes sizes;
    ez_corpus_sizes_of(corpus, &sizes);
    uint64_t *docs = NULL;
    uint32_t *map = NULL;
    const char **words = NULL;
    ez_doc_lengths lengths = {0};
    ezlda_status status;
    EZ_TRY_GOTO(ez_array_zero(&docs, context, sizes.words, sizeof *docs, "word counts"));
    EZ_TRY_GOTO(ez_array(&map, context, sizes.words, sizeof *map, "word numbers"));
    EZ_TRY_GOTO(ez_array(&words, context, sizes.words, sizeof *words, "the vocabulary"));
    EZ_TRY_GOTO(count_docs(corpus, context, docs, &lengths));
    EZ_TRY_GOTO(choose_words(corpus, context, options, docs, &lengths, map));
    uint32_t n = number_words(corpus, sizes.words, map, words);
    if (n)
        status = ez_bag_rebuild(out, context, corpus, map, NULL, words, n);
    else
        status = ez_fail(context, EZLDA_ERROR_FORMAT,
                         "no words are left (%u distinct words before filtering)", sizes.words);
done:
    ez_free(docs);
    ez_free(map);
    ez_free(words);
    return status;
}
