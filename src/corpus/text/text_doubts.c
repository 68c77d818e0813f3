/* Warns after the import of text if the documents are probably not what was meant: a single one,
 * one word each, or one that outweighs all others. New text for a model is not doubted. */
#include "corpus/corpus.h"
#include "corpus/text/text_pipeline.h"

#include <inttypes.h>

/* A document of more tokens than this is probably several. */
#define GIANT_TOKENS ((uint64_t)1000000)
/* Shorter ones may well outweigh all others. */
#define LONG_TOKENS ((uint64_t)10000)

static const char how_to_cut[] =
    "--split WORDS or --split blank cuts long texts into several documents";

void ez_text_doubts(const ez_text_job *job, const ezlda_corpus *corpus)
{
    ez_corpus_sizes sizes;
    const char *path = ez_text_source_name(job->source, 0);
    if (job->options->like)
        return;
    ez_corpus_sizes_of(corpus, &sizes);
    bool most = sizes.docs > 2 && sizes.longest > LONG_TOKENS && sizes.longest > sizes.tokens / 2;
    if (sizes.docs == 1)
        ez_warn(job->context, "%s: the corpus is a single document: %s", path, how_to_cut);
    else if (2 * job->short_docs > sizes.docs)
        ez_warn(job->context,
                "%s: %" PRIu64 " of %" PRIu64
                " documents have at most one word: is this one word per line?",
                path, job->short_docs, sizes.docs);
    else if (most || sizes.longest > GIANT_TOKENS)
        ez_warn(job->context, "%s: one document has %" PRIu64 " of all %" PRIu64 " tokens: %s",
                path, sizes.longest, sizes.tokens, how_to_cut);
}
