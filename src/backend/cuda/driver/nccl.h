/* NCCL, opened at run time: sums and exchanges between the GPUs of several ranks, not through their
 * hosts. Only the part of its binary interface that we call is declared. */
#ifndef EZ_NCCL_H
#define EZ_NCCL_H

#include "backend/cuda/driver/device.h"
#include "cluster/group.h"

typedef struct ncclComm *ncclComm_t;
typedef struct ncclUniqueId {
    char internal[128];
} ncclUniqueId;
typedef enum ncclResult_t {
    ncclSuccess = 0,
    ncclInvalidUsage = 5,
    ncclInProgress = 7
} ncclResult_t;
typedef enum ncclDataType_t { ncclUint32 = 3, ncclUint64 = 5 } ncclDataType_t;
typedef enum ncclRedOp_t { ncclSum = 0 } ncclRedOp_t;

/* Every call that we make: result, name, parameters. */
#define EZ_NCCL_CALLS(X)                                                                 \
    X(ncclResult_t, ncclGetVersion, (int *))                                             \
    X(ncclResult_t, ncclGetUniqueId, (ncclUniqueId *))                                   \
    X(ncclResult_t, ncclCommInitRank, (ncclComm_t *, int, ncclUniqueId, int))            \
    X(ncclResult_t, ncclCommDestroy, (ncclComm_t))                                       \
    X(ncclResult_t, ncclCommGetAsyncError, (ncclComm_t, ncclResult_t *))                 \
    X(ncclResult_t, ncclAllReduce,                                                       \
      (const void *, void *, size_t, ncclDataType_t, ncclRedOp_t, ncclComm_t, CUstream)) \
    X(ncclResult_t, ncclBroadcast,                                                       \
      (const void *, void *, size_t, ncclDataType_t, int, ncclComm_t, CUstream))         \
    X(ncclResult_t, ncclGroupStart, (void))                                              \
    X(ncclResult_t, ncclGroupEnd, (void))                                                \
    X(const char *, ncclGetErrorString, (ncclResult_t))

/* The version of NCCL, 22707 for 2.27.7; 0, and `why`, if there is none that we can use. Opens it
 * once per process: libnccl.so.2, or the library that EZLDA_NCCL names ("none": none). */
int ez_nccl_version(char *why, size_t size);

/* Connects the GPUs of a group, one per rank: the device that is current when all ranks call this.
 * Only for ranks that ez_nccl_agree has found to agree: same version, different GPUs. */
typedef struct ez_nccl ez_nccl;
ezlda_status ez_nccl_open(ez_nccl **out, ezlda_context *context, ezlda_group *group);
/* Closes the connection, which may wait for the other ranks on this machine to do the same; NULL is
 * accepted. */
void ez_nccl_close(ez_nccl *nccl);

/* Sums over the ranks, in place, in the order of the stream. `what` names the array in messages. */
ezlda_status ez_nccl_sum32(ez_nccl *nccl, ezlda_context *context, const ez_stream *stream,
                           uint32_t *array, size_t n, const char *what);
ezlda_status ez_nccl_sum64(ez_nccl *nccl, ezlda_context *context, const ez_stream *stream,
                           unsigned long long *array, size_t n, const char *what);
/* message[i], of n[i] elements, becomes that of rank i. */
ezlda_status ez_nccl_gather(ez_nccl *nccl, ezlda_context *context, const ez_stream *stream,
                            uint32_t *const *message, const size_t *n, const char *what);

/* Fails if work that was started before has failed. */
ezlda_status ez_nccl_check(ez_nccl *nccl, ezlda_context *context);

#endif
