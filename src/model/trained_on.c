/* Compares a corpus with the sizes and the hash in the model. */
#include "model/trained_on.h"

#include "corpus/corpus.h"
#include "model/model_layout.h"

#include <inttypes.h>

/* Filters of words do not belong to the text rules in the model, so text that is read again is not
 * filtered. */
static const char *hint(const ez_model_meta *meta, const ez_corpus_sizes *sizes)
{
    if (sizes->docs != meta->docs || sizes->words <= meta->words)
        return "";
    return "; were words filtered for the run (--min-docs, --max-docs-share, --max-vocab)? Give "
           "text the same filters again, or use a corpus file (.ezc)";
}

ezlda_status ez_trained_on(const ezlda_model *model, ezlda_context *context,
                           const ezlda_corpus *corpus, const char *name)
{
    const ez_model_meta *meta = model->meta;
    ez_corpus_sizes sizes;
    if (!corpus)
        return EZLDA_OK;
    ez_corpus_sizes_of(corpus, &sizes);
    if (sizes.hash == meta->corpus_hash && sizes.docs == meta->docs && sizes.words == meta->words &&
        sizes.tokens == meta->tokens)
        return EZLDA_OK;
    return ez_fail(context, EZLDA_ERROR_ARGUMENT,
                   "%s%sexpected the corpus that the model was trained on (%" PRIu64
                   " documents, %u words, %" PRIu64 " tokens, hash %016" PRIx64
                   "), found another (%" PRIu64 ", %u, %" PRIu64 ", %016" PRIx64 ")%s",
                   name ? name : "", name ? ": " : "", meta->docs, meta->words, meta->tokens,
                   meta->corpus_hash, sizes.docs, sizes.words, sizes.tokens, sizes.hash,
                   hint(meta, &sizes));
}
