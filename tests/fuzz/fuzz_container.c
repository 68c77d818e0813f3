/* Fuzzes corpus and model files (FUZZ_MODEL): as raw bytes, or built from fuzzed sections (FUZZ_SECTIONS). */
#include "fuzz_sections.h"

#include "model/model_layout.h"

#ifdef FUZZ_MODEL
static void read_file(const char *path)
{
    ezlda_model *model = NULL;
    ezlda_status status = ezlda_model_load(&model, fuzz_context(), path);
    fuzz_claim_status(status, model);
    fuzz_walk_model(model);
    ezlda_model_free(model);
}
#define FUZZ_MAGIC EZ_MODEL_MAGIC
#else
static void read_file(const char *path)
{
    ezlda_corpus *corpus = NULL;
    ezlda_import_options options;
    ezlda_import_options_init(&options);
    options.format = "ezc";
    ezlda_status status = ezlda_corpus_read(&corpus, fuzz_context(), &path, 1, &options);
    fuzz_claim_status(status, corpus);
    fuzz_walk_corpus(corpus);
    ezlda_corpus_free(corpus);
}
#define FUZZ_MAGIC "EZLDACRP"
#endif

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
#ifdef FUZZ_SECTIONS
    const char *path = fuzz_container(data, size, FUZZ_MAGIC, 1);
#else
    const char *path = fuzz_file(data, size);
#endif
    if (path)
        read_file(path);
    return 0;
}
