/* Text into a corpus, in three steps: tokenise every record once, in parallel (text_tokenise.c);
 * settle the vocabulary: stems, phrases, filters, numbers (text_terms.h); encode the documents with
 * it (text_encode.c). Nothing in the result depends on the number of threads. */
#ifndef EZ_TEXT_PIPELINE_H
#define EZ_TEXT_PIPELINE_H

#include "corpus/text/stopwords.h"
#include "corpus/text/text_source.h"
#include "corpus/text/text_words.h"

typedef struct ez_text_job {
    ezlda_context *context;
    const ezlda_import_options *options;
    ez_text_source *source;
    ez_tokeniser tokeniser;
    ez_strings stopwords;
    ez_strings unstemmed; /* words that stay whole beside a stemmer */
    ez_token_store store;
    int workers;
    ez_text_words *words; /* of each worker */
    uint64_t *present;    /* of each slot: records that have it */
    uint64_t labels;      /* records with a label that is not empty */
} ez_text_job;

/* Reads all of a source as a corpus. memory_limit: bytes of tokens kept in memory before they go to
 * a file. */
ezlda_status ez_text_corpus(ezlda_corpus **out, ezlda_context *context, ez_text_source *source,
                            const ezlda_import_options *options, size_t memory_limit);

/* The first step; picks the stop words' language on the way where that is asked for. */
ezlda_status ez_text_tokenise(ez_text_job *job);
/* Guesses the language from a block (a copy is read) and takes its stop words. */
ezlda_status ez_text_guess_language(ez_text_job *job, const ez_block *block);

#endif
