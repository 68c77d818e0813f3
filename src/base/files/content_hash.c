/* The checksum of bytes in memory, computed in parallel, and of bytes that arrive one after the
 * other. */
#include "base/files/content_hash.h"

#include <xxhash.h>

struct ez_hasher {
    XXH3_state_t *state; /* hash state of the current piece */
    size_t filled;       /* bytes in it */
    ez_buffer pieces;    /* hashes of the complete pieces */
};

uint64_t ez_hash_bytes(const void *bytes, size_t n)
{
    return XXH3_64bits(bytes, n);
}

ezlda_status ez_content_hash(uint64_t *out, ezlda_context *context, const void *bytes, size_t n)
{
    uint64_t *hashes;
    int64_t pieces = (int64_t)(n / EZ_HASH_PIECE + (n % EZ_HASH_PIECE != 0));
    EZ_TRY(ez_array(&hashes, context, (size_t)pieces, sizeof *hashes, "checksums"));
#pragma omp parallel for schedule(dynamic, 1) num_threads(ez_threads(context)) if (pieces > 1)
    for (int64_t i = 0; i < pieces; i++) {
        size_t from = (size_t)i * EZ_HASH_PIECE;
        size_t left = n - from;
        hashes[i] =
            XXH3_64bits((const char *)bytes + from, left < EZ_HASH_PIECE ? left : EZ_HASH_PIECE);
    }
    *out = XXH3_64bits(hashes, (size_t)pieces * sizeof *hashes);
    ez_free(hashes);
    return EZLDA_OK;
}

ezlda_status ez_hasher_create(ez_hasher **out, ezlda_context *context)
{
    ez_hasher *hasher;
    EZ_TRY(ez_array_zero(&hasher, context, 1, sizeof *hasher, "a checksum"));
    hasher->state = XXH3_createState();
    if (!hasher->state) {
        ez_free(hasher);
        return ez_fail(context, EZLDA_ERROR_MEMORY, "not enough memory for a checksum");
    }
    XXH3_64bits_reset(hasher->state);
    *out = hasher;
    return EZLDA_OK;
}

static ezlda_status close_piece(ez_hasher *hasher, ezlda_context *context)
{
    uint64_t hash = XXH3_64bits_digest(hasher->state);
    XXH3_64bits_reset(hasher->state);
    hasher->filled = 0;
    return ez_buffer_append(&hasher->pieces, context, &hash, sizeof hash);
}

ezlda_status ez_hasher_add(ez_hasher *hasher, ezlda_context *context, const void *bytes, size_t n)
{
    const char *at = bytes;
    while (n) {
        size_t room = EZ_HASH_PIECE - hasher->filled;
        size_t take = n < room ? n : room;
        XXH3_64bits_update(hasher->state, at, take);
        hasher->filled += take;
        at += take;
        n -= take;
        if (hasher->filled == EZ_HASH_PIECE)
            EZ_TRY(close_piece(hasher, context));
    }
    return EZLDA_OK;
}

ezlda_status ez_hasher_finish(ez_hasher *hasher, ezlda_context *context, uint64_t *out)
{
    if (hasher->filled)
        EZ_TRY(close_piece(hasher, context));
    *out = XXH3_64bits(hasher->pieces.data, hasher->pieces.used);
    hasher->pieces.used = 0;
    return EZLDA_OK;
}

void ez_hasher_free(ez_hasher *hasher)
{
    if (!hasher)
        return;
    XXH3_freeState(hasher->state);
    ez_free(hasher->pieces.data);
    ez_free(hasher);
}
