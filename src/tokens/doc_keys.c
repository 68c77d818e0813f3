/* Makes the keys of documents from their words, so that the draws of a document that is fitted to a
 * model do not depend on its number, on its batch, or on other documents. */
#include "tokens/token_list.h"

#include "base/memory.h"
#include "sampler/arithmetic.h"

/* A sum, because the order of a document's words depends on the corpus' numbers of words. */
uint32_t ez_content_key(const uint32_t *word, uint64_t n)
{
    uint64_t sum = 0, end;
    for (uint64_t i = 0; i < n; i = end) {
        for (end = i + 1; end < n && word[end] == word[i];)
            end++;
        sum += ez_mix(ez_mix(word[i]) + (end - i));
    }
    return (uint32_t)(ez_mix(sum) >> 32);
}

ezlda_status ez_token_list_key_documents(ez_token_list *tokens, ezlda_context *context)
{
    ez_token_list *t = tokens;
    if (!t->doc_key)
        EZ_TRY(ez_array(&t->doc_key, context, t->docs, sizeof *t->doc_key, "document keys"));
#pragma omp parallel for schedule(static) num_threads(ez_threads(context))
    for (uint64_t d = 0; d < t->docs; d++)
        t->doc_key[d] =
            ez_content_key(t->word + t->doc_start[d], t->doc_start[d + 1] - t->doc_start[d]);
    return EZLDA_OK;
}
