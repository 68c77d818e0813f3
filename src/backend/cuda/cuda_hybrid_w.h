/* Hybrid W: which rows are dense and which sparse, where they begin, and what they hold besides the
 * counts of the tokens. */
#ifndef EZ_CUDA_HYBRID_W_H
#define EZ_CUDA_HYBRID_W_H

#include "backend/cuda/cuda_state.h"

/* Words [0, n) have dense rows. */
uint32_t ez_cuda_dense_words(const ez_cuda *c);

/* What the counts of a word's row add up to. */
uint64_t ez_cuda_row_counts(const ez_cuda *c, uint32_t v);

/* The first word, from `from` on, after which no row's counts add up to more than `counts`. */
uint32_t ez_cuda_first_row_within(const ez_cuda *c, uint32_t from, uint64_t counts);

/* Sets the sizes of the rows, once dense_words is known. */
void ez_cuda_measure_rows(ez_cuda *c);

/* Cuts the words into slices whose rows need about the same memory, one per shard of this process.
 */
void ez_cuda_cut_slices(ez_cuda *c);

/* The most counts that the rows of a slice have, with n. */
uint64_t ez_cuda_slice_room(const ez_cuda *c);

/* Entries of the base counts that are added. */
uint64_t ez_cuda_base_entries(const ez_cuda *c);

/* Uploads where the rows begin, and their content if W is fixed, otherwise the base counts. */
ezlda_status ez_cuda_upload_rows(ez_cuda *c, ezlda_context *context);

#endif
