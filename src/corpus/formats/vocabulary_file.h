/* The words of a bag of words, read from a file of their own. */
#ifndef EZ_VOCABULARY_FILE_H
#define EZ_VOCABULARY_FILE_H

#include "corpus/corpus.h"
#include "corpus/input/input.h"

typedef struct ez_vocabulary {
    char *path;     /* NULL: there is no file, words are called by their numbers */
    ez_buffer text; /* the words in order, each ended by NUL */
    uint32_t n;
} ez_vocabulary;

/* Reads options->vocab, else a file beside the input: vocab.NAME.txt for docword.NAME.txt;
 * NAME.vocab, NAME.vocab.txt or NAME.dict for NAME or NAME.EXT; vocab.txt; each may be compressed.
 * The file has one word per line, or `number<TAB>word<TAB>frequency` (the dictionaries of gensim,
 * saved as text, and LightLDA), numbers from 0. Zero-initialise; free with ez_vocabulary_free. */
ezlda_status ez_vocabulary_find(ez_vocabulary *vocabulary, ezlda_context *context,
                                const ez_input *input, const ezlda_import_options *options);
/* Fails unless the vocabulary has as many words as the header of the input says. */
ezlda_status ez_vocabulary_expect(const ez_vocabulary *vocabulary, ezlda_context *context,
                                  const ez_input *input, uint64_t words);
/* Gives the builder its words and makes the corpus; n_words is used only if there is no vocabulary.
 */
ezlda_status ez_vocabulary_finish(const ez_vocabulary *vocabulary, ezlda_context *context,
                                  ez_corpus_builder *builder, ezlda_corpus **out, uint32_t n_words);
void ez_vocabulary_free(ez_vocabulary *vocabulary);

#endif
