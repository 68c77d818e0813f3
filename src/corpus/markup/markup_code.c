/* Recognises encoded files in text: lines of uuencode, base64 and similar codes, long hexadecimal
 * numbers, and the blocks of PGP and PEM between their BEGIN and END. Prose must never match: a
 * single line of code counts only if nothing else looks like it. */
#include "base/os/os_text.h"
#include "corpus/markup/markup_parts.h"

#include <string.h>

enum {
    UU_ROW = 61,   /* 'M' (45 bytes) and 60 characters */
    UU_SURE = 20,  /* at least that many in a row that is a record of its own */
    UU_SIGNS = 10, /* a row has at least this many characters that are neither letter nor space */
    SHORTEST_CODE = 60, /* a first row of base64 */
    SHORTEST_HEX = 32,
    SHORTEST_TAIL = 4, /* a last row of base64 */
};

/* ---- uuencode ---- */

static bool ends_row(const ez_marked *marked, size_t at)
{
    return at >= marked->n || ez_is_space(marked->text[at]);
}

static bool is_uu_byte(char c)
{
    return c >= 0x20 && c <= 0x60;
}

/* Whether a full row with at least `least` signs begins at `at`. Some encoders add a checksum.
 * Returns its end, else 0. */
static size_t uu_row(const ez_marked *marked, size_t at, size_t least)
{
    const char *row = marked->text + at;
    size_t signs = 0;
    if (marked->n - at < UU_ROW || *row != 'M')
        return 0;
    for (size_t i = 1; i < UU_ROW; i++) {
        if (!is_uu_byte(row[i]))
            return 0;
        signs += row[i] != ' ' && !ez_is_ascii_letter(row[i]);
    }
    size_t end = at + UU_ROW;
    if (!ends_row(marked, end) && is_uu_byte(marked->text[end]))
        end++;
    return signs >= least && ends_row(marked, end) ? end : 0;
}

static size_t skip_gap(const ez_marked *marked, size_t at)
{
    size_t end = at;
    while (end < marked->n && end - at < 4 && ez_is_space(marked->text[end]))
        end++;
    return end;
}

static size_t line_end(const ez_marked *marked, size_t at)
{
    const char *end = memchr(marked->text + at, '\n', marked->n - at);
    size_t n = end ? (size_t)(end - marked->text) : marked->n;
    return n > at && marked->text[n - 1] == '\r' ? n - 1 : n;
}

/* The end of a row that is not full, on a line of its own: the last one, or one that lost its
 * spaces at the end. 0: the line is something else. */
static size_t uu_tail(const ez_marked *marked, size_t at)
{
    bool first = at == 0 || marked->text[at - 1] == '\n';
    if (!first || at >= marked->n || !is_uu_byte(marked->text[at]))
        return 0;
    size_t left = marked->n - at < UU_ROW + 3 ? marked->n - at : UU_ROW + 3;
    const char *newline = memchr(marked->text + at, '\n', left);
    size_t end = newline || left == marked->n - at ? line_end(marked, at) : 0;
    if (end <= at)
        return 0;
    size_t bytes = (size_t)(marked->text[at] - 0x20) & 63, expected = 1 + (bytes + 2) / 3 * 4;
    for (size_t i = at; i < end; i++)
        if (!is_uu_byte(marked->text[i]))
            return 0;
    return end - at <= expected + 1 && (marked->text[at] == 'M' || end - at + 1 >= expected) ? end
                                                                                             : 0;
}

/* The start of a line "begin 644 name" before the rows; `at` if there is none. */
static size_t uu_begin(const ez_marked *marked, size_t at)
{
    size_t end = at;
    while (end > marked->done && at - end < 3 && ez_is_space(marked->text[end - 1]))
        end--;
    size_t start = end;
    while (start > marked->done && end - start < 80 && marked->text[start - 1] != '\n')
        start--;
    const char *line = marked->text + start;
    bool begin = end - start > 10 && memcmp(line, "begin ", 6) == 0 && ez_is_ascii_digit(line[6]) &&
                 ez_is_ascii_digit(line[7]) && ez_is_ascii_digit(line[8]) && end > start;
    return begin ? start : at;
}

/* Extends rows over the tail, the empty row and "end". */
static size_t uu_finish(const ez_marked *marked, size_t end, uint64_t *lines)
{
    for (size_t row; (row = uu_tail(marked, skip_gap(marked, end))); ++*lines)
        end = row;
    size_t last = skip_gap(marked, end);
    if (marked->n - last >= 3 && memcmp(marked->text + last, "end", 3) == 0 &&
        ends_row(marked, last + 3)) {
        end = last + 3;
        ++*lines;
    }
    return end;
}

static bool match_uu(const ez_marked *marked, size_t at, ez_markup_match *match)
{
    size_t rows = 0, end = at;
    for (size_t row, next = at; (row = uu_row(marked, next, UU_SIGNS));
         next = skip_gap(marked, end), rows++)
        end = row;
    match->from = rows ? uu_begin(marked, at) : at;
    match->lines = rows + (match->from < at);
    match->to = end;
    if (match->lines < 2) /* each line may be a record */
        return rows && at == 0 && end == marked->n && uu_row(marked, at, UU_SURE);
    match->to = uu_finish(marked, end, &match->lines);
    return true;
}

/* Tries all places where the row that contains `at` may begin. */
static bool find_uu(const ez_marked *marked, size_t at, ez_markup_match *match)
{
    for (size_t i = 0; i < 16; i++)
        if (!is_uu_byte(marked->text[at + i]) && !ez_is_space(marked->text[at + i]))
            return false;
    size_t from = at > UU_ROW ? at - UU_ROW : 0, to = at + 16 < marked->n ? at + 16 : marked->n;
    for (size_t i = from < marked->done ? marked->done : from; i < to; i++)
        if (marked->text[i] == 'M' && (i == marked->done || ez_is_space(marked->text[i - 1])) &&
            match_uu(marked, i, match))
            return true;
    return false;
}

/* ---- words that are code ---- */

/* What a word without spaces consists of. */
typedef struct word_sort {
    size_t n, upper, lower, digits, plain, hex; /* plain: bytes of base64 */
    size_t changes;                             /* neighbours of different kinds */
    bool link; /* it has "://" or angle brackets: other matchers decide */
} word_sort;

static bool is_word_byte(char c)
{
    return c > 0x20 && c < 0x7f;
}

static int kind_of(char c)
{
    return ez_is_ascii_digit(c) ? 0 : c >= 'a' && c <= 'z' ? 1 : c >= 'A' && c <= 'Z' ? 2 : 3;
}

static word_sort sort_word(const char *word, size_t n)
{
    word_sort sort = {.n = n};
    for (size_t i = 0; i < n; i++) {
        char c = word[i], low = (char)(c | 0x20);
        int kind = kind_of(c);
        sort.digits += kind == 0;
        sort.lower += kind == 1;
        sort.upper += kind == 2;
        sort.hex += kind == 0 || (low >= 'a' && low <= 'f');
        sort.plain += kind < 3 || c == '+' || c == '/' || (c == '=' && n - i <= 2);
        sort.changes += i > 0 && kind != kind_of(word[i - 1]);
        sort.link = sort.link || c == '<' || c == '>' ||
                    (c == ':' && n - i > 2 && word[i + 1] == '/' && word[i + 2] == '/');
    }
    return sort;
}

/* Base64 mixes both cases and digits. In other codes signs take their place; in all of them every
 * second character is of another kind than the one before. */
static bool is_code_word(const word_sort *sort)
{
    bool hex = sort->n >= SHORTEST_HEX && sort->hex == sort->n && sort->digits >= 4 &&
               sort->n - sort->digits >= 4;
    if (hex || sort->n < SHORTEST_CODE || sort->link)
        return hex;
    if (sort->plain == sort->n)
        return sort->upper >= 4 && sort->lower >= 4 && sort->digits >= 2 &&
               3 * sort->changes >= sort->n;
    size_t signs = sort->n - sort->upper - sort->lower - sort->digits;
    return sort->upper >= 4 && sort->digits >= 3 && (sort->lower >= 4 || signs >= 10) &&
           2 * sort->changes >= sort->n;
}

static bool is_hex_digit(char c)
{
    return ez_is_ascii_digit(c) || ((c | 0x20) >= 'a' && (c | 0x20) <= 'f');
}

/* A quick look at a word of SHORTEST_HEX bytes or more: false if is_code_word would not hold. */
static bool may_be_code(const char *word, size_t n)
{
    size_t upper = 0;
    if (n < SHORTEST_CODE) {
        for (size_t i = 0; i < n; i++)
            if (!is_hex_digit(word[i]))
                return false;
        return true;
    }
    for (size_t i = 0; i < n; i++)
        upper += word[i] >= 'A' && word[i] <= 'Z';
    return upper >= 4 || is_hex_digit(*word);
}

static size_t word_end(const ez_marked *marked, size_t at)
{
    while (at < marked->n && is_word_byte(marked->text[at]))
        at++;
    return at;
}

/* Whether a word after rows of code is the next row: as long as a row, or a short last row that is
 * alone on its line. A plain word is not. */
static bool follows(const ez_marked *marked, size_t gap, size_t at, const word_sort *sort)
{
    if (sort->plain != sort->n || sort->n < SHORTEST_TAIL)
        return false;
    if (sort->n >= SHORTEST_CODE)
        return true;
    size_t end = at + sort->n;
    bool alone = memchr(marked->text + gap, '\n', at - gap) != NULL &&
                 (end == marked->n || marked->text[end] == '\n' || marked->text[end] == '\r');
    bool signs = sort->digits || sort->upper + sort->lower + sort->digits < sort->n;
    return (alone && (signs || (sort->upper > 1 && sort->lower))) || marked->text[end - 1] == '=';
}

static bool match_word(ez_marked *marked, size_t at, ez_markup_match *match)
{
    size_t start = at;
    while (start > marked->done && is_word_byte(marked->text[start - 1]))
        start--;
    size_t end = word_end(marked, at);
    marked->quiet = end;
    if (end - start < SHORTEST_HEX || !may_be_code(marked->text + start, end - start))
        return false;
    word_sort sort = sort_word(marked->text + start, end - start);
    if (!is_code_word(&sort))
        return false;
    match->from = start;
    match->lines = 1;
    for (size_t next; sort.n >= SHORTEST_CODE && sort.plain == sort.n;
         match->lines++, end = next + sort.n) {
        next = skip_gap(marked, end);
        sort = sort_word(marked->text + next, word_end(marked, next) - next);
        if (!follows(marked, end, next, &sort))
            break;
    }
    match->to = end;
    return true;
}

bool ez_match_code(ez_marked *marked, size_t at, ez_markup_match *match)
{
    *match = (ez_markup_match){.kind = EZ_MARKUP_CODE, .code = ' '};
    if (find_uu(marked, at, match))
        return true;
    /* What begins in this step reaches over the whole next one, if it is long enough to be code. */
    size_t quiet = at + EZ_MARKUP_STEP;
    bool found = is_word_byte(marked->text[at]) && match_word(marked, at, match);
    if (marked->quiet < quiet)
        marked->quiet = quiet;
    return found;
}

/* ---- PGP and PEM ---- */

/* The dashes may be more than five. A signed message keeps its text: only its first line goes. */
bool ez_match_key(ez_marked *marked, size_t at, ez_markup_match *match)
{
    static const char begin[] = "-----BEGIN ", end[] = "-----END ";
    const char *text = marked->text + at;
    size_t left = marked->n - at;
    if (left < 32 || memcmp(text, begin, sizeof begin - 1) != 0)
        return false;
    const char *close = ez_os_find(text + sizeof begin,
                                   left - sizeof begin < 80 ? left - sizeof begin : 80, "-----", 5);
    if (!close)
        return false;
    size_t head = (size_t)(close - marked->text) + 5;
    *match = (ez_markup_match){EZ_MARKUP_CODE, at, head, ' ', 1};
    if (ez_os_find(text, head - at, "SIGNED MESSAGE", 14) || marked->no_key_end)
        return true;
    const char *last = ez_os_find(marked->text + head, marked->n - head, end, sizeof end - 1);
    marked->no_key_end = !last;
    if (!last)
        return true;
    size_t tail = (size_t)(last - marked->text) + sizeof end - 1;
    close = ez_os_find(marked->text + tail, marked->n - tail, "-----", 5);
    match->to = close ? (size_t)(close - marked->text) + 5 : tail;
    for (size_t i = head; i < match->to; i++)
        match->lines += marked->text[i] == '\n';
    return true;
}
