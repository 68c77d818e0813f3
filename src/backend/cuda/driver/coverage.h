/* Coverage: which GPUs and drivers can run the kernels of this build. */
#ifndef EZ_COVERAGE_H
#define EZ_COVERAGE_H

#include <stdbool.h>
#include <stddef.h>

/* The version of CUDA that compiled the kernels: 13000 is 13.0. */
int ez_coverage_toolkit(void);

/* The oldest driver, as a version of CUDA, that loads machine code of this build: the toolkit's own
 * major version. */
int ez_coverage_oldest_driver(void);

/* How a GPU of a compute capability (90: 9.0) would run the kernels. */
typedef struct ez_coverage {
    bool covered;
    bool by_ptx;    /* the driver compiles the kernels: there is no machine code for this GPU */
    int kernels;    /* the capability they were compiled for */
    int driver;     /* the oldest driver for that, as a version of CUDA */
    char label[24]; /* "sm_90", "compute_120 (PTX)"; "" if none */
} ez_coverage;

ez_coverage ez_coverage_of(int capability);

/* What the build covers, as text: "compute capability 7.5, 8.0, 9.0 and newer". */
void ez_coverage_text(char *text, size_t size);

#endif
