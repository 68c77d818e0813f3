/* Makes blocks in parallel, deflates them if asked, and writes them in order as a plain file, a
 * gzip file or a raw stream. */
#include "base/files/block_writer.h"

#include "base/task_slots.h"

#include <limits.h>
#include <string.h>
#include <zlib.h>

/* Level 4 of zlib: three times as fast as the default on MALLET states, with 10 % more bytes. */
enum { EZ_BLOCKS_PER_THREAD = 4, EZ_DEFLATE_LEVEL = 4, EZ_RAW_WINDOW = -15, EZ_DEFLATE_MEMORY = 8 };

typedef struct made_block {
    ez_buffer plain, packed;
    uint32_t crc;
} made_block;

/* At most n bytes for one call of zlib, which counts in 32 bits. */
static uInt piece(size_t n)
{
    return n < UINT_MAX ? (uInt)n : UINT_MAX;
}

static uint32_t crc_of(const unsigned char *bytes, size_t n)
{
    uLong crc = crc32(0, NULL, 0);
    while (n) {
        uInt some = piece(n);
        crc = crc32(crc, bytes, some);
        bytes += some;
        n -= some;
    }
    return (uint32_t)crc;
}

/* Ends at a byte boundary without ending the stream, so that the next block can follow. */
static ezlda_status deflate_all(z_stream *stream, ezlda_context *context, const ez_buffer *plain,
                                ez_buffer *packed)
{
    enum { STEP = 1 << 16 };
    size_t left = plain->used;
    stream->next_in = plain->data;
    do {
        uInt some = piece(left);
        left -= some;
        stream->avail_in = some;
        do {
            EZ_TRY(ez_buffer_reserve(packed, context, STEP));
            stream->next_out = packed->data + packed->used;
            stream->avail_out = STEP;
            if (deflate(stream, left ? Z_NO_FLUSH : Z_SYNC_FLUSH) == Z_STREAM_ERROR)
                return ez_fail(context, EZLDA_ERROR_INTERNAL, "zlib refused to deflate");
            packed->used += STEP - stream->avail_out;
        } while (stream->avail_out == 0);
    } while (left);
    return EZLDA_OK;
}

static ezlda_status pack(made_block *block, ezlda_context *context)
{
    z_stream stream = {0};
    if (deflateInit2(&stream, EZ_DEFLATE_LEVEL, Z_DEFLATED, EZ_RAW_WINDOW, EZ_DEFLATE_MEMORY,
                     Z_DEFAULT_STRATEGY) != Z_OK)
        return ez_fail(context, EZLDA_ERROR_MEMORY, "not enough memory to compress");
    ezlda_status status = deflate_all(&stream, context, &block->plain, &block->packed);
    deflateEnd(&stream);
    return status;
}

static ezlda_status make_block(const ez_block_source *source, ezlda_context *context, uint64_t i,
                               bool deflated, made_block *block)
{
    block->plain.used = block->packed.used = 0;
    EZ_TRY(source->make(source->user, context, i, &block->plain));
    if (!deflated || !block->plain.used)
        return EZLDA_OK;
    block->crc = crc_of(block->plain.data, block->plain.used);
    return pack(block, context);
}

static ezlda_status write_block(ez_output *output, ezlda_context *context, const made_block *block,
                                bool deflated, ez_block_sums *sums)
{
    if (!block->plain.used)
        return EZLDA_OK;
    const ez_buffer *bytes = deflated ? &block->packed : &block->plain;
    if (deflated)
        sums->crc = (uint32_t)crc32_combine(sums->crc, block->crc, (z_off_t)block->plain.used);
    sums->bytes += block->plain.used;
    return ez_output_write(output, context, bytes->data, bytes->used);
}

/* Blocks that are made together, then written together. */
typedef struct block_batch {
    made_block *block; /* slots.n */
    ez_slots slots;
    size_t made; /* blocks that wait to be written */
} block_batch;

struct ez_block_writer {
    ez_output *output;
    bool deflated;
    ez_block_sums sums;
    block_batch batch[2];
    block_batch *now, *before; /* is made; is written meanwhile */
    ez_slots writing;          /* one, for the thread that writes */
};

static ezlda_status batch_create(block_batch *batch, ezlda_context *context, size_t n)
{
    EZ_TRY(ez_slots_create(&batch->slots, context, n));
    return ez_array_zero(&batch->block, context, n, sizeof *batch->block, "blocks to write");
}

static void batch_free(block_batch *batch)
{
    for (size_t i = 0; batch->block && i < batch->slots.n; i++) {
        ez_free(batch->block[i].plain.data);
        ez_free(batch->block[i].packed.data);
    }
    ez_free(batch->block);
    ez_slots_free(&batch->slots);
}

static ezlda_status prepare(ez_block_writer *writer, ezlda_context *context)
{
    size_t n = EZ_BLOCKS_PER_THREAD * (size_t)ez_threads(context);
    writer->now = &writer->batch[0];
    writer->before = &writer->batch[1];
    EZ_TRY(ez_slots_create(&writer->writing, context, 1));
    EZ_TRY(batch_create(writer->now, context, n));
    return batch_create(writer->before, context, n);
}

ezlda_status ez_block_writer_create(ez_block_writer **out, ezlda_context *context,
                                    ez_output *output, bool deflated)
{
    ez_block_writer *writer;
    *out = NULL;
    EZ_TRY(ez_array_zero(&writer, context, 1, sizeof *writer, "blocks to write"));
    writer->output = output;
    writer->deflated = deflated;
    ezlda_status status = prepare(writer, context);
    if (status == EZLDA_OK)
        *out = writer;
    else
        ez_block_writer_free(writer);
    return status;
}

void ez_block_writer_free(ez_block_writer *writer)
{
    if (!writer)
        return;
    batch_free(&writer->batch[0]);
    batch_free(&writer->batch[1]);
    ez_slots_free(&writer->writing);
    ez_free(writer);
}

static ezlda_status write_batch(ez_block_writer *writer, ezlda_context *context, block_batch *batch)
{
    size_t n = batch->made;
    batch->made = 0;
    for (size_t i = 0; i < n; i++)
        EZ_TRY(write_block(writer->output, context, &batch->block[i], writer->deflated,
                           &writer->sums));
    return EZLDA_OK;
}

/* Makes blocks first .. first+n-1 and writes those made before: task 0 of the loop. */
static void make_and_write(ez_block_writer *writer, const ez_block_source *source, uint64_t first,
                           size_t n, int threads)
{
    ez_slot *writing = &writer->writing.slot[0], *slot = writer->now->slots.slot;
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
    for (int64_t i = 0; i <= (int64_t)n; i++)
        if (i == 0)
            writing->status = write_batch(writer, writing->context, writer->before);
        else
            slot[i - 1].status = make_block(source, slot[i - 1].context, first + (uint64_t)i - 1,
                                            writer->deflated, &writer->now->block[i - 1]);
    writer->now->made = n;
}

ezlda_status ez_block_writer_add(ez_block_writer *writer, ezlda_context *context,
                                 const ez_block_source *source)
{
    size_t most = writer->now->slots.n;
    for (uint64_t first = 0, n; first < source->blocks; first += n) {
        n = source->blocks - first < most ? source->blocks - first : most;
        make_and_write(writer, source, first, n, ez_threads(context));
        EZ_TRY(ez_slots_check(&writer->writing, context, 0));
        for (size_t i = 0; i < n; i++)
            EZ_TRY(ez_slots_check(&writer->now->slots, context, i));
        block_batch *made = writer->now;
        writer->now = writer->before;
        writer->before = made;
    }
    return EZLDA_OK;
}

ezlda_status ez_block_writer_finish(ez_block_writer *writer, ezlda_context *context,
                                    ez_block_sums *sums)
{
    static const unsigned char end_of_stream[2] = {3, 0};
    EZ_TRY(write_batch(writer, context, writer->before));
    *sums = writer->sums;
    return writer->deflated
               ? ez_output_write(writer->output, context, end_of_stream, sizeof end_of_stream)
               : EZLDA_OK;
}

ezlda_status ez_write_blocks(ez_output *output, ezlda_context *context,
                             const ez_block_source *source, bool deflated, ez_block_sums *sums)
{
    ez_block_writer *writer;
    EZ_TRY(ez_block_writer_create(&writer, context, output, deflated));
    ezlda_status status = ez_block_writer_add(writer, context, source);
    if (status == EZLDA_OK)
        status = ez_block_writer_finish(writer, context, sums);
    ez_block_writer_free(writer);
    return status;
}

static ezlda_status write_gzip(ez_output *output, ezlda_context *context,
                               const ez_block_source *source)
{
    static const unsigned char header[10] = {0x1f, 0x8b, Z_DEFLATED, 0, 0, 0, 0, 0, 0, 255};
    ez_block_sums sums;
    EZ_TRY(ez_output_write(output, context, header, sizeof header));
    EZ_TRY(ez_write_blocks(output, context, source, true, &sums));
    uint32_t trailer[2] = {sums.crc, (uint32_t)sums.bytes};
    return ez_output_write(output, context, trailer, sizeof trailer);
}

ezlda_status ez_write_block_file(ezlda_context *context, const char *path,
                                 const ez_block_source *source, bool gzipped)
{
    ez_output *output;
    ez_block_sums sums;
    EZ_TRY(ez_output_open(&output, context, path));
    ezlda_status status = gzipped ? write_gzip(output, context, source)
                                  : ez_write_blocks(output, context, source, false, &sums);
    if (status == EZLDA_OK)
        return ez_output_commit(output, context);
    ez_output_abandon(output);
    return status;
}

bool ez_wants_gzip(const char *path)
{
    size_t n = strlen(path);
    return n > 3 && strcmp(path + n - 3, ".gz") == 0;
}
