/* The interface of the module of an MPI implementation. The library does not need MPI: it opens the
 * module of the implementation that launched it (src/cluster/mpi_group.c). Calls return NULL, or
 * the text of an error. */
#ifndef EZ_MPI_MODULE_H
#define EZ_MPI_MODULE_H

#include <stddef.h>

enum { EZ_MPI_MODULE_VERSION = 1 };

typedef struct ez_mpi_module {
    int version;
    const char *library; /* the implementation and its version, once it is open */
    const char *(*open)(int *rank, int *ranks);
    /* Sums of unsigned integers of `size` bytes (4 or 8) over all ranks, in place. */
    const char *(*sum)(void *data, size_t n, size_t size);
    /* bytes[r]: how much rank r passes. Then gather concatenates it, in the order of the ranks, at
     * rank 0 or at all ranks. */
    const char *(*sizes)(size_t mine, size_t *bytes);
    const char *(*gather)(const void *data, const size_t *bytes, void *out, int to_all);
    const char *(*share)(void *data, size_t bytes);
    void (*fail)(int code);
    void (*close)(void);
} ez_mpi_module;

/* The symbol that a module exports: const ez_mpi_module *ezlda_mpi_module(void). */
#define EZ_MPI_MODULE_SYMBOL "ezlda_mpi_module"
typedef const ez_mpi_module *(*ez_mpi_module_fn)(void);

#endif
