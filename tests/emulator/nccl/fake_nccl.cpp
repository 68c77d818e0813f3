/* A libnccl.so.2 for tests: ranks are processes of this machine, which write their data to files of a folder and wait
 * for the files of the others. Operations run as work of the emulated streams. */
#include "fake_driver.h"

extern "C" {
#include "backend/cuda/driver/nccl.h"
}

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <unistd.h>

extern "C" {
#define DECLARE(result, name, parameters) result name parameters;
EZ_NCCL_CALLS(DECLARE)
#undef DECLARE
}

struct ncclComm {
    std::string folder;
    int rank, ranks;
    unsigned long long done; /* exchanges */
};

namespace
{

enum { PATIENCE_S = 60, LOOK_US = 200 };

/* One broadcast or sum of a group of calls. */
struct part {
    ncclComm *comm;
    int root; /* the rank whose data all receive; -1: sums */
    char *memory;
    size_t n, size;
};

int depth;
std::vector<part> &pending = *new std::vector<part>;
CUstream pending_stream;

/* SIMT_NCCL_FAIL=NAME[:n[@rank]]: calls of that name fail, or only the n-th, or only those of one rank (MPICH). */
bool injected(const char *call)
{
    static std::map<std::string, int> made;
    const char *wanted = fake_text("SIMT_NCCL_FAIL", nullptr), *rank = getenv("PMI_RANK");
    int number = ++made[call], which = 0, who = -1;
    size_t length = strlen(call);
    if (!wanted || strncmp(wanted, call, length) != 0 || (wanted[length] && wanted[length] != ':'))
        return false;
    if (wanted[length])
        sscanf(wanted + length, ":%d@%d", &which, &who);
    return (which == 0 || number == which) && (who < 0 || (rank && atoi(rank) == who));
}

#define ENTER_NCCL                   \
    do {                             \
        if (injected(__func__))      \
            return ncclInvalidUsage; \
    } while (0)

std::string file_of(const ncclComm *comm, unsigned long long exchange, int index, int rank)
{
    return comm->folder + "/" + std::to_string(exchange) + "-" + std::to_string(index) + "-" + std::to_string(rank);
}

void put(const std::string &path, const void *data, size_t bytes)
{
    FILE *file = fopen((path + ".new").c_str(), "w");
    if (!file || fwrite(data, 1, bytes, file) != bytes || fclose(file) != 0 ||
        rename((path + ".new").c_str(), path.c_str()) != 0)
        simt_fail("fake NCCL: %s cannot be written", path.c_str());
}

std::vector<char> get(const std::string &path, size_t bytes)
{
    std::vector<char> data(bytes + 1);
    FILE *file = nullptr;
    for (long waited = 0; !(file = fopen(path.c_str(), "r")); waited += LOOK_US) {
        if (waited > PATIENCE_S * 1000000l)
            simt_fail("fake NCCL: nobody gives %s", path.c_str());
        usleep(LOOK_US);
    }
    size_t found = fread(data.data(), 1, bytes + 1, file);
    fclose(file);
    if (found != bytes)
        simt_fail("fake NCCL: %s has %zu bytes where %zu were expected", path.c_str(), found, bytes);
    return data;
}

template <typename T> void add(std::vector<char> &sum, const std::vector<char> &more, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        T a, b;
        memcpy(&a, &sum[i * sizeof a], sizeof a);
        memcpy(&b, &more[i * sizeof b], sizeof b);
        a += b;
        memcpy(&sum[i * sizeof a], &a, sizeof a);
    }
}

void give(const part &p, unsigned long long exchange, int index)
{
    std::vector<char> own(p.n * p.size + 1);
    if (p.root >= 0 && p.root != p.comm->rank)
        return;
    fake_copy(own.data(), p.memory, p.n * p.size);
    put(file_of(p.comm, exchange, index, p.comm->rank), own.data(), p.n * p.size);
}

void take(const part &p, unsigned long long exchange, int index)
{
    std::vector<char> sum(p.n * p.size + 1);
    for (int from = 0; from < p.comm->ranks; from++) {
        if (p.root >= 0 && p.root != from)
            continue;
        std::vector<char> more = get(file_of(p.comm, exchange, index, from), p.n * p.size);
        if (p.root >= 0)
            sum = more;
        else if (p.size == 4)
            add<uint32_t>(sum, more, p.n);
        else
            add<uint64_t>(sum, more, p.n);
    }
    fake_copy(p.memory, sum.data(), p.n * p.size);
}

/* Every rank sends before it receives. */
void submit(std::vector<part> parts, CUstream stream)
{
    if (parts.empty())
        return;
    unsigned long long exchange = parts[0].comm->done++;
    fake_submit(stream, [=] {
        for (size_t i = 0; i < parts.size(); i++)
            give(parts[i], exchange, static_cast<int>(i));
        for (size_t i = 0; i < parts.size(); i++)
            take(parts[i], exchange, static_cast<int>(i));
    });
}

ncclResult_t start(const void *from, void *to, size_t n, ncclDataType_t type, int root, ncclComm *comm, CUstream stream)
{
    size_t size = type == ncclUint32 ? 4 : 8;
    if (from != to || !fake_holds(to, n * size) || (type != ncclUint32 && type != ncclUint64) || !stream)
        return ncclInvalidUsage;
    pending.push_back({comm, root, static_cast<char *>(to), n, size});
    pending_stream = stream;
    if (depth == 0)
        submit(std::move(pending), stream), pending.clear();
    return ncclSuccess;
}

/* As in NCCL, ranks exchange which GPU they have. */
bool alone_on_gpu(ncclComm *comm)
{
    char bus[32] = "", own[256] = "";
    cuDeviceGetPCIBusId(bus, sizeof bus, fake_current->number);
    snprintf(own, sizeof own, "%s %s", fake_text("NCCL_HOSTID", "this host"), bus);
    put(file_of(comm, comm->done, 0, comm->rank), own, sizeof own);
    bool alone = true;
    for (int i = 0; i < comm->ranks; i++)
        alone = alone && (strcmp(get(file_of(comm, comm->done, 0, i), sizeof own).data(), own) != 0 || i == comm->rank);
    comm->done++;
    return alone;
}

} // namespace

extern "C" {

ncclResult_t ncclGetVersion(int *version)
{
    ENTER_NCCL;
    *version = static_cast<int>(fake_number("SIMT_NCCL_VERSION", 22707));
    return ncclSuccess;
}

ncclResult_t ncclGetUniqueId(ncclUniqueId *id)
{
    ENTER_NCCL;
    snprintf(id->internal, sizeof id->internal, "%s/fake-nccl-XXXXXX", fake_text("TMPDIR", "/tmp"));
    return mkdtemp(id->internal) ? ncclSuccess : ncclInvalidUsage;
}

ncclResult_t ncclCommInitRank(ncclComm_t *out, int ranks, ncclUniqueId id, int rank)
{
    ENTER_NCCL;
    if (!fake_current || fake_current->users == 0)
        return ncclInvalidUsage;
    *out = fake_handle(new ncclComm{id.internal, rank, ranks, 0});
    return alone_on_gpu(*out) ? ncclSuccess : ncclInvalidUsage;
}

/* NCCL waits for the ranks of the machine. */
ncclResult_t ncclCommDestroy(ncclComm_t comm)
{
    ENTER_NCCL;
    put(file_of(comm, comm->done, 0, comm->rank), "", 0);
    for (int i = 0; i < comm->ranks; i++)
        get(file_of(comm, comm->done, 0, i), 0);
    return ncclSuccess;
}

ncclResult_t ncclCommGetAsyncError(ncclComm_t, ncclResult_t *code)
{
    ENTER_NCCL;
    *code = injected("asynchronous") ? ncclInvalidUsage : ncclSuccess;
    return ncclSuccess;
}

ncclResult_t ncclAllReduce(const void *from, void *to, size_t n, ncclDataType_t type, ncclRedOp_t op, ncclComm_t comm,
                           CUstream stream)
{
    ENTER_NCCL;
    return op == ncclSum ? start(from, to, n, type, -1, comm, stream) : ncclInvalidUsage;
}

ncclResult_t ncclBroadcast(const void *from, void *to, size_t n, ncclDataType_t type, int root, ncclComm_t comm,
                           CUstream stream)
{
    ENTER_NCCL;
    return start(from, to, n, type, root, comm, stream);
}

ncclResult_t ncclGroupStart(void)
{
    ENTER_NCCL;
    depth++;
    return ncclSuccess;
}

ncclResult_t ncclGroupEnd(void)
{
    ENTER_NCCL;
    if (--depth == 0)
        submit(std::move(pending), pending_stream), pending.clear();
    return ncclSuccess;
}

const char *ncclGetErrorString(ncclResult_t code)
{
    return code == ncclSuccess ? "no error" : "invalid usage (run with NCCL_DEBUG=WARN for details)";
}
}
