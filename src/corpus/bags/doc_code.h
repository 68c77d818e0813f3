/* The encoding of a document: the number of bytes that follow, then its pairs by ascending word. A
 * pair is twice the gap to the previous word (0: the next word; the first word counts from 0), plus
 * 1 if its count is over 1; then, in that case, the count less 2. All numbers are LEB128: seven
 * bits per byte, the lowest first, the top bit set if more follow. The order of tokens, if it is
 * kept, is one number per token: the index of its pair, from 0. */
#ifndef EZ_DOC_CODE_H
#define EZ_DOC_CODE_H

#include <stddef.h>
#include <stdint.h>

/* The most bytes of a number, a pair and the index of a pair. */
enum { EZ_VARINT_BYTES = 10, EZ_PAIR_BYTES = 10, EZ_PAIR_INDEX_BYTES = 5 };

static inline unsigned char *ez_put_varint(unsigned char *at, uint64_t value)
{
    for (; value > 127; value >>= 7)
        *at++ = (unsigned char)(value | 128);
    *at++ = (unsigned char)value;
    return at;
}

/* Reads a number of content that was checked. */
static inline const unsigned char *ez_get_varint(const unsigned char *at, uint64_t *value)
{
    uint64_t byte = *at++, v = byte & 127;
    for (unsigned shift = 7; byte > 127 && shift < 64; shift += 7) {
        byte = *at++;
        v |= (byte & 127) << shift;
    }
    *value = v;
    return at;
}

/* Reads a number of any content: NULL if it runs past the end, is 2^56 or more, or is written
 * longer than needed. */
static inline const unsigned char *ez_check_varint(const unsigned char *at,
                                                   const unsigned char *end, uint64_t *value)
{
    uint64_t v = 0;
    for (unsigned shift = 0; shift < 56 && at < end; shift += 7) {
        uint64_t byte = *at++;
        v |= (byte & 127) << shift;
        if (byte < 128) {
            *value = v;
            return byte || !shift ? at : NULL;
        }
    }
    return NULL;
}

/* Writes a pair; gap: word less the smallest word that is allowed. */
static inline unsigned char *ez_put_pair(unsigned char *at, uint64_t gap, uint32_t count)
{
    at = ez_put_varint(at, 2 * gap + (count > 1));
    return count > 1 ? ez_put_varint(at, count - 2u) : at;
}

#endif
