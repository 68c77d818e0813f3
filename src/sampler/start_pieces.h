/* In how many topics a document starts: one per piece of its tokens (start.h). Compiled by cc and
 * by nvcc. */
#ifndef EZ_START_PIECES_H
#define EZ_START_PIECES_H

#include "sampler/arithmetic.h"

/* Tokens of a piece, and of a short piece. Each keyword of a document costs one walk over it, so
 * there are at most EZ_START_PIECES short pieces. */
enum { EZ_START_PIECE = 256, EZ_START_SHORT = 16, EZ_START_PIECES = 32 };

/* Documents up to this length have at most EZ_START_PIECES pieces of either kind. */
enum { EZ_START_LENGTH = EZ_START_PIECES * EZ_START_PIECE };

EZ_INLINE uint32_t ez_start_pieces(uint64_t length, uint32_t piece)
{
    uint64_t pieces = (length + piece - 1) / piece;
    uint64_t most = (length + EZ_START_PIECE - 1) / EZ_START_PIECE;
    most = most > EZ_START_PIECES ? most : EZ_START_PIECES;
    return (uint32_t)(pieces < most ? pieces : most);
}

#endif
