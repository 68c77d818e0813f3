/* Containers whose sections are fuzzed and whose checksums are right, so that the checks behind them are reached.
 *
 * An input is a list of sections: tag (4 bytes), length (4 bytes, little-endian; cut at the end of the input),
 * content. Mutations change one section and leave the others in their places. */
#ifndef FUZZ_SECTIONS_H
#define FUZZ_SECTIONS_H

#include "fuzz_file.h"

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);

/* Path of a file in memory that holds the container, until the next call; NULL if there is no section. */
const char *fuzz_container(const uint8_t *data, size_t size, const char magic[8], uint32_t version);

#endif
