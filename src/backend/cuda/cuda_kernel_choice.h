/* Which kernel works on which documents, words and tasks of this corpus at this K. */
#ifndef EZ_CUDA_KERNEL_CHOICE_H
#define EZ_CUDA_KERNEL_CHOICE_H

#include "backend/cuda/cuda_state.h"

/* Cuts the tasks and fills the passes of every chunk. Counts and tables that fit on chip stay
 * there. */
ezlda_status ez_cuda_choose_kernels(ez_cuda *c, ezlda_context *context, const ez_device_doc *order);

/* Replaces the kernels that count by those of a shard that owns rows. */
ezlda_status ez_cuda_choose_owned_kernels(ez_cuda *c, ezlda_context *context);

/* Whether K counts fit on chip, and the threads of a block that counts there. */
bool ez_cuda_counts_fit(const ez_cuda *c);
unsigned ez_cuda_count_threads(const ez_cuda *c);

/* Size of the scratch for counts and tables that do not fit on chip, in 32-bit words. */
uint64_t ez_cuda_scratch(const ez_cuda *c);

/* The first word whose tokens are not drawn from tasks: it and all later words have so few tokens
 * that a warp works on one alone, or that no table is needed (words_by_warp.cu, words_patched.cu).
 */
uint32_t ez_cuda_first_warp_word(const ez_cuda *c);

#endif
