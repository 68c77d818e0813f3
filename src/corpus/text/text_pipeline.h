/* Text into a corpus, in three steps: tokenise every record once, in parallel (text_tokenise.c);
 * settle the vocabulary: stems, phrases, filters, numbers (text_terms.h); encode the documents with
 * it (text_encode.c). The result does not depend on the number of threads. */
#ifndef EZ_TEXT_PIPELINE_H
#define EZ_TEXT_PIPELINE_H

#include "corpus/text/rule_settings.h"
#include "corpus/text/stopwords.h"
#include "corpus/text/text_source.h"
#include "corpus/text/text_words.h"

typedef struct ez_text_job {
    ezlda_context *context;
    const ezlda_import_options *options;
    ez_text_source *source;
    ez_tokeniser tokeniser;
    ez_strings stopwords;
    ez_strings unstemmed;      /* words that are not stemmed although there is a stemmer */
    ez_rule_settings settings; /* stored with the rules of the corpus */
    ez_token_store store;
    int workers;
    ez_text_words *words; /* by worker */
    uint64_t *present;    /* for each slot, the number of records that have it */
    uint64_t labels;      /* records with a label that is not empty */
    bool join;            /* words are joined to phrases */
    double firm;          /* least NPMI of a phrase, if they are to be found */
} ez_text_job;

/* Reads all of a source as a corpus. At most memory_limit bytes of tokens stay in memory; the rest
 * goes to a temporary file. */
ezlda_status ez_text_corpus(ezlda_corpus **out, ezlda_context *context, ez_text_source *source,
                            const ezlda_import_options *options, size_t memory_limit);

/* The first step. It also guesses the language of the stop words if the options ask for that. */
ezlda_status ez_text_tokenise(ez_text_job *job);
/* Guesses the language from a copy of a block and adds its stop words. */
ezlda_status ez_text_guess_language(ez_text_job *job, const ez_block *block);

#endif
