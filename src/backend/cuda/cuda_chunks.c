/* Streams chunks through the device: while kernels work on one, the next one is uploaded and the
 * topics of the last one are read back. Two rooms on the device take turns. */
#include "backend/cuda/cuda_chunks.h"

ezlda_status ez_cuda_open_rooms(ez_cuda *c, ezlda_context *context)
{
    ez_device *device = &c->device;
    for (uint32_t i = 0; i < c->rooms; i++) {
        ez_chunk_room *room = &c->room[i];
        size_t n = c->chunk_tokens;
        EZ_TRY(ez_device_array(device, context, &room->word, NULL, n, sizeof *room->word,
                               "words of the tokens"));
        EZ_TRY(ez_device_array(device, context, &room->place, NULL, n, sizeof *room->place,
                               "the inverted index"));
        EZ_TRY(ez_device_array(device, context, &room->doc, NULL, n, sizeof *room->doc,
                               "documents of the tokens"));
        EZ_TRY(
            ez_device_array(device, context, &room->topic, NULL, n, sizeof *room->topic, "topics"));
        if (c->rooms == 1)
            continue;
        EZ_TRY(ez_device_event_open(device, context, &room->ev_filled));
        EZ_TRY(ez_device_event_open(device, context, &room->ev_done));
        EZ_TRY(ez_device_event_open(device, context, &room->ev_empty));
    }
    if (c->rooms > 1) {
        EZ_TRY(ez_device_stream_open(device, context, &c->up));
        EZ_TRY(ez_device_stream_open(device, context, &c->down));
    }
    return EZLDA_OK;
}

/* The state for kernels while the chunk is in the room. */
static ez_device_state state_of(const ez_cuda *c, const ez_chunk *chunk, const ez_chunk_room *room)
{
    ez_device_state s = c->state;
    s.range.single_docs = chunk->single_docs;
    s.tokens.docs = chunk->docs;
    s.tokens.doc_of = chunk->doc_of;
    s.tokens.word_start = chunk->word_start;
    s.tokens.task = chunk->task;
    s.tokens.word = room->word;
    s.tokens.place = room->place;
    s.tokens.doc = room->doc;
    s.tokens.topic = room->topic;
    return s;
}

/* Uploads a chunk once the room is empty; kernels wait for it. */
static ezlda_status upload(ez_cuda *c, ezlda_context *context, const ez_chunk *chunk,
                           ez_chunk_room *room, int in)
{
    ez_device *device = &c->device;
    size_t n = chunk->tokens;
    EZ_TRY(ez_device_stream_wait(device, context, &c->up, &room->ev_empty));
    if (in & EZ_CHUNK_TOPICS)
        EZ_TRY(ez_device_stream_write(device, context, &c->up, room->topic, chunk->topic,
                                      n * sizeof *chunk->topic));
    if (in & EZ_CHUNK_TOKENS) {
        EZ_TRY(ez_device_stream_write(device, context, &c->up, room->word, chunk->word,
                                      n * sizeof *chunk->word));
        EZ_TRY(ez_device_stream_write(device, context, &c->up, room->place, chunk->place,
                                      n * sizeof *chunk->place));
        EZ_TRY(ez_device_stream_write(device, context, &c->up, room->doc, chunk->doc,
                                      n * sizeof *chunk->doc));
    }
    EZ_TRY(ez_device_stream_mark(device, context, &c->up, &room->ev_filled));
    return ez_device_stream_wait(device, context, NULL, &room->ev_filled);
}

/* Reads the topics back once the kernels are done. The write to `barrier` makes the main stream
 * wait for the kernels of the side streams. */
static ezlda_status read_back(ez_cuda *c, ezlda_context *context, const ez_chunk *chunk,
                              ez_chunk_room *room, bool back)
{
    ez_device *device = &c->device;
    EZ_TRY(ez_device_zero(device, context, c->state.work.barrier, sizeof *c->state.work.barrier));
    EZ_TRY(ez_device_stream_mark(device, context, NULL, &room->ev_done));
    EZ_TRY(ez_device_stream_wait(device, context, &c->down, &room->ev_done));
    if (back)
        EZ_TRY(ez_device_stream_read(device, context, &c->down, chunk->topic, room->topic,
                                     chunk->tokens * sizeof *chunk->topic));
    return ez_device_stream_mark(device, context, &c->down, &room->ev_empty);
}

ezlda_status ez_cuda_each_chunk(ez_cuda *c, ezlda_context *context, int in, bool back,
                                ez_chunk_fn work)
{
    for (uint32_t i = 0; i < c->chunks; i++) {
        const ez_chunk *chunk = &c->chunk[i];
        ez_chunk_room *room = &c->room[i % c->rooms];
        ez_device_state state = state_of(c, chunk, room);
        if (c->rooms > 1)
            EZ_TRY(upload(c, context, chunk, room, in));
        EZ_TRY(work(c, context, chunk, &state));
        if (c->rooms > 1)
            EZ_TRY(read_back(c, context, chunk, room, back));
    }
    return c->rooms > 1 ? ez_device_finish(&c->device, context, "the chunks") : EZLDA_OK;
}
