/* Text into a corpus, in three steps: tokenise every record once, in parallel (text_tokenise.c);
 * settle the vocabulary: stems, phrases, filters, numbers (text_terms.h); encode the documents with
 * it (text_encode.c). The result does not depend on the number of threads. */
#ifndef EZ_TEXT_PIPELINE_H
#define EZ_TEXT_PIPELINE_H

#include "corpus/markup/markup_filter.h"
#include "corpus/text/rules/rule_settings.h"
#include "corpus/text/stopwords/stopwords.h"
#include "corpus/text/text_source.h"
#include "corpus/text/text_words.h"
#include "corpus/text/vocabulary/lemmas.h"
#include "corpus/text/vocabulary/word_filter.h"

typedef struct ez_text_job {
    ezlda_context *context;
    const ezlda_import_options *options;
    ez_text_source *source;
    ez_tokeniser tokeniser;
    ez_cutting cutting;   /* cuts runs of unspaced scripts (text_cutting.h) */
    ez_strings stopwords; /* removed from all documents */
    ez_stop_table table;  /* removed by the language of the document; no languages: not used */
    bool table_is_given;  /* the table is that of other text (options->like) */
    bool common_words;    /* words that the corpus shows to be stop words are removed */
    bool common_asked;    /* the options ask for that */
    ez_doc_lengths lengths;
    ez_strings unstemmed;      /* words that are not stemmed although there is a stemmer */
    ez_lemmas lemmas;          /* words are replaced by their lemmas; no entries: they are not */
    ez_rule_settings settings; /* stored with the rules of the corpus */
    ez_word_filter filter;     /* filters words and phrases by their documents */
    ez_token_store store;
    int workers;
    ez_text_words *words; /* by worker */
    uint64_t *present;    /* for each slot, the number of records that have it */
    uint64_t labels;      /* records with a label that is not empty */
    uint64_t records;     /* as many as documents, unless texts are split */
    uint64_t short_docs;  /* documents of at most one token */
    uint64_t text_bytes;  /* of all texts, if they may be kept */
    bool keep_text;
    ez_markup_counts markup;
    bool join;   /* words are joined to phrases */
    double firm; /* least NPMI of a phrase, if they are to be found */
} ez_text_job;

/* Whether markup is removed from text: not if its words are cut already. */
static inline bool ez_text_is_cleaned(const ez_text_job *job)
{
    return !job->options->keep_markup && job->cutting != EZ_CUT_PRE && job->cutting != EZ_CUT_UNITS;
}

/* Whether there is more text than is kept unless it is asked for. */
static inline bool ez_text_is_too_much(const ez_text_job *job)
{
    return job->options->keep_text < 0 && job->text_bytes > EZLDA_KEEP_TEXT_BYTES;
}

/* Reads all of a source as a corpus. At most memory_limit bytes of tokens stay in memory; the rest
 * goes to a temporary file. */
ezlda_status ez_text_corpus(ezlda_corpus **out, ezlda_context *context, ez_text_source *source,
                            const ezlda_import_options *options, size_t memory_limit);

/* The first step. */
ezlda_status ez_text_tokenise(ez_text_job *job);
/* Warns of a corpus whose documents are probably not what was meant. */
void ez_text_doubts(const ez_text_job *job, const ezlda_corpus *corpus);
/* After it: settles the language of documents that do not show theirs, and reports the languages
 * (text_language.c). */
ezlda_status ez_text_settle_languages(ez_text_job *job);

#endif
