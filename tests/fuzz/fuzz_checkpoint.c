/* Fuzzes checkpoints: the newest of a folder is built from fuzzed sections, or is raw bytes if the input is not a
 * list of sections. If it is accepted, the run resumes from it. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "fuzz_sections.h"

#include "corpus/corpus.h"
#include "train/checkpoint/checkpoint_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TOPICS = 3, ITERATIONS = 3 };

static char folder[] = "/dev/shm/ezlda-fuzz-XXXXXX";

static void clear_folder(void)
{
    static const char *const names[] = {"00000001", "00000002", "00000003", "00000000", "4294967295"};
    char path[80];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(path, sizeof path, "%s/checkpoint-%s.ezk", folder, names[i]);
        unlink(path);
    }
}

static void remove_folder(void)
{
    clear_folder();
    rmdir(folder);
}

static const ezlda_corpus *fixed_corpus(void)
{
    static ezlda_corpus *corpus;
    const uint64_t start[] = {0, 2, 4, 5};
    const uint32_t word[] = {0, 1, 1, 2, 3}, count[] = {2, 1, 3, 1, 2};
    if (!corpus) {
        fuzz_claim(ezlda_corpus_from_csr(&corpus, fuzz_context(), 3, 4, start, word, count, NULL) == EZLDA_OK,
                   "there is a corpus");
        fuzz_claim(mkdtemp(folder) != NULL, "there is a folder");
        atexit(remove_folder);
    }
    return corpus;
}

static void train_on(void)
{
    ezlda_train_options options;
    ezlda_train_options_init(&options);
    options.topics = TOPICS;
    options.iterations = ITERATIONS;
    options.seed = 1;
    options.device = "cpu";
    options.checkpoint = folder;
    options.checkpoint_iterations = 100; /* none is written */
    options.resume = 1;
    options.converged_gain = 0.001;
    ezlda_model *model = NULL;
    ezlda_status status = ezlda_train(&model, fuzz_context(), fixed_corpus(), &options);
    fuzz_claim_status(status, model);
    fuzz_walk_model(model);
    ezlda_model_free(model);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[80];
    fixed_corpus();
    clear_folder();
    const char *file = fuzz_container(data, size, EZ_CHECKPOINT_MAGIC, EZ_CHECKPOINT_VERSION);
    snprintf(path, sizeof path, "%s/checkpoint-00000001.ezk", folder);
    fuzz_claim(symlink(file ? file : fuzz_file(data, size), path) == 0, "there is a checkpoint");
    train_on();
    return 0;
}
