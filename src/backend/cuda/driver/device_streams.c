/* Streams for copies that run beside the kernels, and the events that order them. */
#include "backend/cuda/driver/device.h"

#include <string.h>

static CUstream handle_of(const ez_device *device, const ez_stream *stream)
{
    return stream ? stream->stream : device->main;
}

ezlda_status ez_device_stream_open(ez_device *device, ezlda_context *context, ez_stream *stream)
{
    EZ_DEVICE_CALL(device, context, "a stream of copies", cuStreamCreate, &stream->stream,
                   CU_STREAM_NON_BLOCKING);
    return EZLDA_OK;
}

void ez_device_stream_close(ez_device *device, ez_stream *stream)
{
    if (stream->stream)
        device->driver->cuStreamDestroy_v2(stream->stream);
    stream->stream = NULL;
}

ezlda_status ez_device_event_open(ez_device *device, ezlda_context *context, ez_event *event)
{
    EZ_DEVICE_CALL(device, context, "an event", cuEventCreate, &event->event,
                   CU_EVENT_DISABLE_TIMING);
    return EZLDA_OK;
}

void ez_device_event_close(ez_device *device, ez_event *event)
{
    if (event->event)
        device->driver->cuEventDestroy_v2(event->event);
    event->event = NULL;
}

ezlda_status ez_device_stream_mark(ez_device *device, ezlda_context *context,
                                   const ez_stream *stream, const ez_event *event)
{
    EZ_DEVICE_CALL(device, context, "an event", cuEventRecord, event->event,
                   handle_of(device, stream));
    return EZLDA_OK;
}

ezlda_status ez_device_stream_wait(ez_device *device, ezlda_context *context,
                                   const ez_stream *stream, const ez_event *event)
{
    EZ_DEVICE_CALL(device, context, "an event", cuStreamWaitEvent, handle_of(device, stream),
                   event->event, 0);
    return EZLDA_OK;
}

ezlda_status ez_device_request(ez_device *device, ezlda_context *context, void *host,
                               const void *array, size_t bytes, const ez_event *event)
{
    EZ_TRY(ez_device_read_async(device, context, host, array, bytes));
    device->n_marked = device->n_launched;
    return ez_device_stream_mark(device, context, NULL, event);
}

ezlda_status ez_device_await(ez_device *device, ezlda_context *context, const ez_event *event,
                             const char *what)
{
    EZ_DEVICE_CALL(device, context, what, cuEventSynchronize, event->event);
    device->n_launched -= device->n_marked;
    memmove(device->launched, device->launched + device->n_marked,
            (size_t)device->n_launched * sizeof *device->launched);
    device->n_marked = 0;
    return EZLDA_OK;
}

ezlda_status ez_device_stream_done(ez_device *device, ezlda_context *context,
                                   const ez_stream *stream, bool *done)
{
    CUresult code = device->driver->cuStreamQuery(handle_of(device, stream));
    *done = code == CUDA_SUCCESS;
    if (code == CUDA_SUCCESS || code == CUDA_ERROR_NOT_READY)
        return EZLDA_OK;
    return ez_device_fail(device, context, code, "cuStreamQuery", "sums between ranks");
}

ezlda_status ez_device_stream_write(ez_device *device, ezlda_context *context,
                                    const ez_stream *stream, void *array, const void *host,
                                    size_t bytes)
{
    if (bytes)
        EZ_DEVICE_CALL(device, context, "a chunk", cuMemcpyHtoDAsync_v2, ez_address(array), host,
                       bytes, handle_of(device, stream));
    return EZLDA_OK;
}

ezlda_status ez_device_stream_read(ez_device *device, ezlda_context *context,
                                   const ez_stream *stream, void *host, const void *array,
                                   size_t bytes)
{
    if (bytes)
        EZ_DEVICE_CALL(device, context, "a chunk", cuMemcpyDtoHAsync_v2, host, ez_address(array),
                       bytes, handle_of(device, stream));
    return EZLDA_OK;
}
