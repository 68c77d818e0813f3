/* The module of one MPI implementation: built against its headers and loaded at run time. */
#include "cluster/mpi/mpi_module.h"

#include <limits.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* MPI counts in ints: larger arrays are sent in messages of at most this many elements. */
enum { EZ_MESSAGE_MOST = 1 << 28 };

static char failure[MPI_MAX_ERROR_STRING + 64], library[MPI_MAX_LIBRARY_VERSION_STRING];
static ez_mpi_module module;

static const char *result(int code, const char *call)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int length;
    if (code == MPI_SUCCESS)
        return NULL;
    MPI_Error_string(code, text, &length);
    snprintf(failure, sizeof failure, "%s: %s", call, text);
    return failure;
}

/* A communicator of our own: messages and error handlers are not shared with the program that uses
 * the library. */
static MPI_Comm world = MPI_COMM_NULL;
static int opened, begun_here;

static const char *begin(void)
{
    int begun = 0, ended = 0, provided;
    MPI_Finalized(&ended);
    if (ended)
        return "MPI was ended in this process before, and cannot be begun again";
    MPI_Initialized(&begun);
    if (!begun) {
        int code = MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &provided);
        if (code != MPI_SUCCESS)
            return result(code, "MPI_Init_thread");
        begun_here = 1;
    }
    int code = MPI_Comm_dup(MPI_COMM_WORLD, &world);
    if (code != MPI_SUCCESS)
        return result(code, "MPI_Comm_dup");
    MPI_Comm_set_errhandler(world, MPI_ERRORS_RETURN);
    return NULL;
}

static const char *open_job(int *rank, int *ranks)
{
    int length;
    const char *failed = opened ? NULL : begin();
    if (failed)
        return failed;
    opened++;
    MPI_Comm_rank(world, rank);
    MPI_Comm_size(world, ranks);
    MPI_Get_library_version(library, &length);
    library[strcspn(library, ",\n")] = '\0';
    for (char *at = library; (at = strchr(at, '\t'));)
        *at = ' ';
    module.library = library;
    return NULL;
}

static const char *sum(void *data, size_t n, size_t size)
{
    MPI_Datatype type = size == 4 ? MPI_UINT32_T : MPI_UINT64_T;
    for (size_t at = 0; at < n; at += EZ_MESSAGE_MOST) {
        int piece = (int)(n - at < EZ_MESSAGE_MOST ? n - at : EZ_MESSAGE_MOST);
        int code =
            MPI_Allreduce(MPI_IN_PLACE, (char *)data + at * size, piece, type, MPI_SUM, world);
        if (code != MPI_SUCCESS)
            return result(code, "MPI_Allreduce");
    }
    return NULL;
}

static const char *sizes(size_t mine, size_t *bytes)
{
    uint64_t one = mine;
    _Static_assert(sizeof(size_t) == sizeof(uint64_t), "sizes travel as 64 bits");
    return result(MPI_Allgather(&one, 1, MPI_UINT64_T, bytes, 1, MPI_UINT64_T, world),
                  "MPI_Allgather");
}

static const char *share_from(void *data, size_t bytes, int rank)
{
    for (size_t at = 0; at < bytes; at += EZ_MESSAGE_MOST) {
        int piece = (int)(bytes - at < EZ_MESSAGE_MOST ? bytes - at : EZ_MESSAGE_MOST);
        int code = MPI_Bcast((char *)data + at, piece, MPI_BYTE, rank, world);
        if (code != MPI_SUCCESS)
            return result(code, "MPI_Bcast");
    }
    return NULL;
}

static const char *share(void *data, size_t bytes)
{
    return share_from(data, bytes, 0);
}

static const char *send(const void *data, size_t bytes)
{
    for (size_t at = 0; at < bytes; at += EZ_MESSAGE_MOST) {
        int piece = (int)(bytes - at < EZ_MESSAGE_MOST ? bytes - at : EZ_MESSAGE_MOST);
        int code = MPI_Send((const char *)data + at, piece, MPI_BYTE, 0, 1, world);
        if (code != MPI_SUCCESS)
            return result(code, "MPI_Send");
    }
    return NULL;
}

static const char *receive(void *data, size_t bytes, int rank)
{
    for (size_t at = 0; at < bytes; at += EZ_MESSAGE_MOST) {
        int piece = (int)(bytes - at < EZ_MESSAGE_MOST ? bytes - at : EZ_MESSAGE_MOST);
        int code = MPI_Recv((char *)data + at, piece, MPI_BYTE, rank, 1, world, MPI_STATUS_IGNORE);
        if (code != MPI_SUCCESS)
            return result(code, "MPI_Recv");
    }
    return NULL;
}

static const char *gather(const void *data, const size_t *bytes, void *out, int to_all)
{
    int rank, ranks;
    size_t at = 0;
    const char *failed = NULL;
    MPI_Comm_rank(world, &rank);
    MPI_Comm_size(world, &ranks);
    if (!to_all && rank != 0)
        return send(data, bytes[rank]);
    for (int r = 0; r < ranks && !failed; at += bytes[r++]) {
        char *place = bytes[r] ? (char *)out + at : NULL;
        if (r == rank && bytes[r] && place != data)
            memcpy(place, data, bytes[r]);
        if (to_all)
            failed = share_from(place, bytes[r], r);
        else if (r != rank)
            failed = receive(place, bytes[r], r);
    }
    return failed;
}

/* The output of a rank takes a moment to reach the launcher, which ends with the job. */
enum { EZ_LAST_WORDS_US = 300000 };

static void fail(int code)
{
    usleep(EZ_LAST_WORDS_US);
    /* With another communicator MPICH would end this process alone and wait for the rest. */
    MPI_Abort(MPI_COMM_WORLD, code);
}

static void close_job(void)
{
    if (--opened > 0)
        return;
    MPI_Comm_free(&world);
    if (begun_here)
        MPI_Finalize();
}

static ez_mpi_module module = {
    .version = EZ_MPI_MODULE_VERSION,
    .open = open_job,
    .sum = sum,
    .sizes = sizes,
    .gather = gather,
    .share = share,
    .fail = fail,
    .close = close_job,
};

const ez_mpi_module *ezlda_mpi_module(void);

__attribute__((visibility("default"))) const ez_mpi_module *ezlda_mpi_module(void)
{
    return &module;
}
