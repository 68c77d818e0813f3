/* Helpers of the fuzz targets: a file in memory that holds the input, a context, a walk over what was read. */
#ifndef FUZZ_FILE_H
#define FUZZ_FILE_H

#include "ezlda.h"

#include <stddef.h>
#include <stdint.h>

/* Entry points of libFuzzer. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* One context for all inputs: one thread, notes formatted and dropped. */
ezlda_context *fuzz_context(void);

/* Path of a file in memory that holds these bytes, until the next call. */
const char *fuzz_file(const void *bytes, size_t n);

/* Aborts the program if a claim about the result does not hold. */
void fuzz_claim(int holds, const char *what);

/* A failure must have a message, a success none. */
void fuzz_claim_status(ezlda_status status, const void *result);

/* Reads everything and checks the totals; NULL is ignored. */
void fuzz_walk_corpus(const ezlda_corpus *corpus);
void fuzz_walk_model(const ezlda_model *model);

#endif
