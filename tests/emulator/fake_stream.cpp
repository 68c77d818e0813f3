/* The driver's calls for streams and events. Work waits in one queue, in the order in which it was submitted; before an
 * item runs, the work that it depends on is searched for in the queue. */
#include "fake_driver.h"

#include <ctime>
#include <list>

struct CUstream_st {
    bool blocking; /* keeps the order with the default stream */
};

struct CUevent_st {
    uint64_t recorded; /* number of the work that records it; 0: none */
    bool done;
    timespec at;
};

namespace
{

struct work_item {
    uint64_t number;
    CUctx_st *device;
    CUstream stream;
    uint64_t after; /* number of work that it waits for besides its stream's; 0: none */
    std::function<void()> run;
};

std::recursive_mutex &gate = *new std::recursive_mutex;
std::list<work_item> &queue = *new std::list<work_item>;
uint64_t submitted;

bool in_order(CUstream stream)
{
    return !stream || stream->blocking;
}

bool depends(const work_item &later, const work_item &earlier)
{
    if (later.after == earlier.number)
        return true;
    if (later.device != earlier.device)
        return false;
    return later.stream == earlier.stream ||
           ((!later.stream || !earlier.stream) && in_order(later.stream) && in_order(earlier.stream));
}

/* Runs one item of work and, before it, only what it depends on. */
void run(uint64_t number)
{
    auto it = queue.begin();
    while (it != queue.end() && it->number != number)
        ++it;
    if (it == queue.end())
        return;
    work_item item = *it;
    for (bool again = true; again;) {
        again = false;
        for (const work_item &earlier : queue) {
            if (earlier.number == number)
                break;
            if (depends(item, earlier)) {
                run(earlier.number);
                again = true;
                break;
            }
        }
    }
    item.run();
    queue.remove_if([&](const work_item &other) { return other.number == number; });
}

uint64_t submit(CUstream stream, uint64_t after, std::function<void()> work)
{
    std::lock_guard<std::recursive_mutex> lock(gate);
    uint64_t number = ++submitted;
    queue.push_back({number, fake_current, stream, after, std::move(work)});
    if (!fake_number("SIMT_LAZY", 0))
        run(number);
    return number;
}

CUresult milliseconds(float *out, CUevent from, CUevent to)
{
    if (!from->recorded || !to->recorded)
        return CUDA_ERROR_INVALID_HANDLE;
    if (!from->done || !to->done)
        return CUDA_ERROR_NOT_READY;
    *out = static_cast<float>(static_cast<double>(to->at.tv_sec - from->at.tv_sec) * 1e3 +
                              static_cast<double>(to->at.tv_nsec - from->at.tv_nsec) / 1e6);
    return CUDA_SUCCESS;
}

} // namespace

void fake_submit(CUstream stream, std::function<void()> work)
{
    submit(stream, 0, std::move(work));
}

void fake_wait(CUstream stream)
{
    std::lock_guard<std::recursive_mutex> lock(gate);
    run(submit(stream, 0, [] {}));
}

void fake_wait_all(CUctx_st *device)
{
    std::lock_guard<std::recursive_mutex> lock(gate);
    for (auto it = queue.begin(); it != queue.end();) {
        if (it->device == device) {
            run(it->number);
            it = queue.begin();
        } else {
            ++it;
        }
    }
}

extern "C" {

CUresult cuStreamCreate(CUstream *stream, unsigned flags)
{
    ENTER_CONTEXT;
    *stream = fake_handle(new CUstream_st{!(flags & CU_STREAM_NON_BLOCKING)});
    return CUDA_SUCCESS;
}

CUresult cuStreamDestroy_v2(CUstream stream)
{
    ENTER_CONTEXT;
    if (!stream)
        return CUDA_ERROR_INVALID_HANDLE;
    fake_wait(stream);
    delete stream;
    return CUDA_SUCCESS;
}

CUresult cuStreamSynchronize(CUstream stream)
{
    ENTER_CONTEXT;
    fake_wait(stream);
    return CUDA_SUCCESS;
}

CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned)
{
    ENTER_CONTEXT;
    submit(stream, event->recorded, [] {});
    return CUDA_SUCCESS;
}

CUresult cuStreamQuery(CUstream stream)
{
    ENTER_CONTEXT;
    fake_wait(stream);
    return CUDA_SUCCESS;
}

CUresult cuEventCreate(CUevent *event, unsigned)
{
    ENTER_CONTEXT;
    *event = fake_handle(new CUevent_st{});
    return CUDA_SUCCESS;
}

CUresult cuEventDestroy_v2(CUevent event)
{
    ENTER_CONTEXT;
    if (!event)
        return CUDA_ERROR_INVALID_HANDLE;
    std::lock_guard<std::recursive_mutex> lock(gate);
    run(event->recorded);
    delete event;
    return CUDA_SUCCESS;
}

CUresult cuEventRecord(CUevent event, CUstream stream)
{
    ENTER_CONTEXT;
    std::lock_guard<std::recursive_mutex> lock(gate);
    event->done = false;
    event->recorded = submit(stream, 0, [event] {
        clock_gettime(CLOCK_MONOTONIC, &event->at);
        event->done = true;
    });
    return CUDA_SUCCESS;
}

CUresult cuEventSynchronize(CUevent event)
{
    ENTER_CONTEXT;
    std::lock_guard<std::recursive_mutex> lock(gate);
    run(event->recorded);
    return CUDA_SUCCESS;
}

CUresult cuEventQuery(CUevent event)
{
    ENTER_CONTEXT;
    std::lock_guard<std::recursive_mutex> lock(gate);
    run(event->recorded);
    return CUDA_SUCCESS;
}

CUresult cuEventElapsedTime(float *out, CUevent from, CUevent to)
{
    ENTER_CONTEXT;
    return milliseconds(out, from, to);
}

CUresult cuEventElapsedTime_v2(float *out, CUevent from, CUevent to)
{
    ENTER_CONTEXT;
    return milliseconds(out, from, to);
}
}
