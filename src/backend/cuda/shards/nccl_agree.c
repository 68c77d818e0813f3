/* Exchanges what ranks know of NCCL and their GPUs, and decides from that, the same on all ranks.
 */
#include "backend/cuda/shards/nccl_agree.h"

#include "base/os/os_files.h"
#include "base/os/os_process.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a rank knows, and sends to the others. */
typedef struct rank_facts {
    int version;    /* version of NCCL; 0: none */
    char host[160]; /* identifies the host as NCCL does */
    char bus[32];   /* PCI bus of its GPU */
    char why[256];  /* why there is no NCCL */
} rank_facts;

/* NCCL_HOSTID, or the host's name and the random number of its last start. */
static void name_host(char *text, size_t size)
{
    const char *named = getenv("NCCL_HOSTID");
    if (named && *named) {
        snprintf(text, size, "%s", named);
        return;
    }
    char name[64] = "", boot[64] = "";
    ez_os_host_name(name, sizeof name);
    FILE *file = ez_os_stream("/proc/sys/kernel/random/boot_id");
    if (file) {
        if (!fgets(boot, sizeof boot, file))
            boot[0] = '\0';
        fclose(file);
    }
    snprintf(text, size, "%s %s", name, boot);
}

static ezlda_status find_facts(rank_facts *facts, ezlda_context *context, const ez_device *device)
{
    memset(facts, 0, sizeof *facts);
    facts->version = ez_nccl_version(facts->why, sizeof facts->why);
    name_host(facts->host, sizeof facts->host);
    EZ_DEVICE_CALL(device, context, "", cuDeviceGetPCIBusId, facts->bus, (int)sizeof facts->bus,
                   device->device);
    return EZLDA_OK;
}

static bool same_gpu(const rank_facts *a, const rank_facts *b)
{
    return strcmp(a->host, b->host) == 0 && strcmp(a->bus, b->bus) == 0;
}

/* Sets `why` to the reason against NCCL, or to "". */
static void judge_ranks(const rank_facts *rank, int ranks, char *why, size_t size)
{
    why[0] = '\0';
    for (int i = 0; i < ranks; i++)
        if (rank[i].version == 0) {
            snprintf(why, size, "rank %d: %s", i, rank[i].why);
            return;
        }
    for (int i = 1; i < ranks; i++)
        if (rank[i].version != rank[0].version) {
            snprintf(why, size, "ranks 0 and %d have NCCL of versions %d and %d", i,
                     rank[0].version, rank[i].version);
            return;
        }
    for (int i = 1; i < ranks; i++)
        for (int j = 0; j < i; j++)
            if (same_gpu(&rank[i], &rank[j])) {
                snprintf(why, size, "ranks %d and %d share the GPU %s, which NCCL refuses", j, i,
                         rank[i].bus);
                return;
            }
}

ezlda_status ez_nccl_agree(bool *use, ezlda_context *context, ezlda_group *group,
                           const ez_device *device)
{
    rank_facts own;
    void *all = NULL;
    size_t *at = NULL;
    char why[320];
    ezlda_status status;
    *use = false;
    EZ_TRY_GOTO(find_facts(&own, context, device));
    EZ_TRY_GOTO(ez_array(&at, context, (size_t)group->ranks + 1, sizeof *at, "what ranks have"));
    EZ_TRY_GOTO(group->ops->gather(group, context, &own, sizeof own, true, &all, at));
    judge_ranks(all, group->ranks, why, sizeof why);
    *use = !*why;
    if (*use)
        ez_note(context, "sums between ranks: NCCL %d.%d.%d", own.version / 10000,
                own.version / 100 % 100, own.version % 100);
    else
        ez_note(context, "sums between ranks: MPI, through the hosts (%s)", why);
done:
    ez_free(at);
    ez_free(all);
    return status;
}
