/* Plain C: any processor. */
#include "backend/cpu/whole_branches.h"
#include "backend/cpu/whole_loops.h"

const ez_whole_kernels ez_whole_kernels_plain = {whole_iteration, whole_score};
