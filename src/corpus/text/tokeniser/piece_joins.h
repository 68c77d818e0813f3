/* Joins words that ICU's dictionaries cut too finely: names that they do not have, and endings of
 * Japanese verbs. */
#ifndef EZ_PIECE_JOINS_H
#define EZ_PIECE_JOINS_H

#include <stddef.h>
#include <stdint.h>

typedef struct ez_piece {
    uint32_t at, bytes;
} ez_piece;

/* Joins pieces of `part`, which are neighbours in its order, and returns how many are left:
 * - Two to four Han characters in a row that are pieces of their own and no function words, as the
 *   names of foreign persons and places. Longer rows are text that the dictionary does not know,
 *   such as classical Chinese.
 * - What cannot begin a word: small kana, n, the marks of length and repetition; and a hiragana
 *   alone that is no particle, after a Han character.
 * A mark of repetition at the end of a word in Thai, Lao or Khmer does not belong to it. */
size_t ez_join_pieces(const char *part, ez_piece *pieces, size_t n);

#endif
