/* Fuzzes the reader of MALLET's state, as a model and as a corpus. */
#include "fuzz_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ezlda_model *model = NULL;
    ezlda_corpus *corpus = NULL;
    ezlda_status status = ezlda_model_from_mallet_state(&model, &corpus, fuzz_context(), fuzz_file(data, size));
    fuzz_claim_status(status, model);
    fuzz_claim((model != NULL) == (corpus != NULL), "a model comes with its corpus");
    fuzz_walk_corpus(corpus);
    fuzz_walk_model(model);
    ezlda_model_free(model);
    ezlda_corpus_free(corpus);
    return 0;
}
