/* Decides by single characters which pieces belong together. The rules were chosen on the
 * development parts of treebanks (bench/segmentation.py). */
#include "corpus/text/tokeniser/piece_joins.h"

#include "corpus/input/utf8.h"
#include "corpus/text/tokeniser/unspaced_scripts.h"

#include <stdbool.h>
#include <string.h>

enum { LONGEST_NAME = 4, CHARACTER_BYTES = 3 };

/* Characters that are words alone: particles, prepositions, pronouns, adverbs, numbers, measures;
 * traditional and simplified. */
static const char function_characters[] =
    "的了在是和有不這这也就都而及與与或以於于為为其之他她它我你您們们個个一二三四五六七八九十上下"
    "中大小年月日人到說说去來来會会要可沒没很著着過过對对從从把被給给讓让由又但則则並并所该該此"
    "那哪每各某位種种名時时後后前內内外間间等如因若將将已曾還还再更最太只才能自向往同跟至比用做"
    "使令叫得地吧呢嗎吗啊兩两多少第次";

static const char particles[] = "はがをにのともでへやかなねよし";

/* What no word begins with. */
static const char continuations[] = "っゃゅょぁぃぅぇぉんー々";

/* Whether the character of three bytes at p is in a list of such. */
static bool is_one_of(const char *list, const char *p)
{
    char character[CHARACTER_BYTES + 1] = {p[0], p[1], p[2], '\0'};
    return strstr(list, character) != NULL;
}

static bool is_short(const ez_piece *piece)
{
    return piece->bytes < CHARACTER_BYTES;
}

static bool may_be_in_name(const char *part, const ez_piece *piece)
{
    size_t length;
    uint32_t code = ez_utf8_decode(part + piece->at, &length);
    return length == piece->bytes && length == CHARACTER_BYTES && ez_is_han(code) &&
           !is_one_of(function_characters, part + piece->at);
}

static bool ends_in_han(const char *part, const ez_piece *piece)
{
    const char *last = part + piece->at + piece->bytes - CHARACTER_BYTES;
    size_t length;
    return !is_short(piece) && ((unsigned char)*last & 0xf0) == 0xe0 &&
           ez_is_han(ez_utf8_decode(last, &length));
}

/* Whether a piece is the end of the word before it. */
static bool continues(const char *part, const ez_piece *before, const ez_piece *piece)
{
    const char *at = part + piece->at;
    size_t length;
    if (is_short(piece))
        return false;
    if (is_one_of(continuations, at))
        return true;
    return piece->bytes == CHARACTER_BYTES &&
           ez_between(ez_utf8_decode(at, &length), 0x3041, 0x309f) && !is_one_of(particles, at) &&
           ends_in_han(part, before);
}

static size_t join_endings(const char *part, ez_piece *pieces, size_t n)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++)
        if (kept && continues(part, &pieces[kept - 1], &pieces[i]))
            pieces[kept - 1].bytes += pieces[i].bytes;
        else
            pieces[kept++] = pieces[i];
    return kept;
}

static size_t join_names(const char *part, ez_piece *pieces, size_t n)
{
    size_t kept = 0;
    for (size_t i = 0, row; i < n; i += row) {
        for (row = 0; i + row < n && may_be_in_name(part, &pieces[i + row]); row++)
            ;
        if (row > 1 && row <= LONGEST_NAME) {
            pieces[kept] = pieces[i];
            pieces[kept++].bytes = (uint32_t)(row * CHARACTER_BYTES);
            continue;
        }
        row = row ? row : 1;
        memmove(pieces + kept, pieces + i, row * sizeof *pieces);
        kept += row;
    }
    return kept;
}

static void drop_repetition(const char *part, ez_piece *piece)
{
    if (piece->bytes > CHARACTER_BYTES &&
        is_one_of("ๆໆៗ", part + piece->at + piece->bytes - CHARACTER_BYTES))
        piece->bytes -= CHARACTER_BYTES;
}

size_t ez_join_pieces(const char *part, ez_piece *pieces, size_t n)
{
    n = join_names(part, pieces, join_endings(part, pieces, n));
    for (size_t i = 0; i < n; i++)
        drop_repetition(part, &pieces[i]);
    return n;
}
