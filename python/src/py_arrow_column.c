/* Reads values of Arrow's columns: texts where they lie; numbers, dates and lists as texts that are
 * made for them. Formats and buffers come from other libraries, so what can be checked is checked.
 */
#include "py_arrow_column.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char no_memory[] = "there is not enough memory";

/* ---- memory ---- */

enum { ARENA_BYTES = 1 << 16 };

typedef struct arrow_arena_block {
    struct arrow_arena_block *next;
    size_t used, size;
    char *bytes;
} arrow_arena_block;

void arrow_arena_clear(arrow_arena *arena)
{
    while (arena->first) {
        arrow_arena_block *next = arena->first->next;
        free(arena->first->bytes);
        free(arena->first);
        arena->first = next;
    }
}

static bool add_block(arrow_arena *arena, size_t size)
{
    arrow_arena_block *block = calloc(1, sizeof *block);
    char *bytes = malloc(size);
    if (!block || !bytes) {
        free(block);
        free(bytes);
        return false;
    }
    *block = (arrow_arena_block){.next = arena->first, .size = size, .bytes = bytes};
    arena->first = block;
    return true;
}

static char *arena_room(arrow_arena *arena, size_t n)
{
    const arrow_arena_block *first = arena->first;
    bool full = !first || n > first->size - first->used;
    if (full && !add_block(arena, n > ARENA_BYTES ? n : ARENA_BYTES))
        return NULL;
    arrow_arena_block *block = arena->first;
    block->used += n;
    return block->bytes + block->used - n;
}

/* ---- buffers ---- */

bool arrow_is_null(const arrow_array *array, int64_t row)
{
    const unsigned char *bits = array->n_buffers > 0 && array->buffers ? array->buffers[0] : NULL;
    int64_t at = array->offset + row;
    return bits && array->null_count != 0 && !(bits[at / 8] >> at % 8 & 1);
}

static const char *buffers_wrong(const arrow_array *array, int64_t least, bool exactly)
{
    if (array->length < 0 || array->offset < 0 || array->length > INT64_MAX - array->offset)
        return "its length or offset is out of range";
    if (array->n_buffers < least || (exactly && array->n_buffers != least) ||
        (least > 0 && !array->buffers))
        return "it has another number of buffers than its type";
    for (int64_t i = 1; i < least; i++)
        if (array->length > 0 && !array->buffers[i] && i < 2)
            return "a buffer is missing";
    return NULL;
}

/* The array of an item, or of the values of a dictionary. */
static const char *text_wrong(arrow_kind kind, const arrow_array *array)
{
    if (kind == ARROW_NULL)
        return buffers_wrong(array, 0, false);
    return kind == ARROW_VIEW ? buffers_wrong(array, 3, false) : buffers_wrong(array, 3, true);
}

static const char *indexed_wrong(arrow_kind kind, int index_width, const arrow_array *array)
{
    const char *wrong = index_width ? buffers_wrong(array, 2, true) : NULL;
    if (wrong)
        return wrong;
    if (index_width && !array->dictionary)
        return "it has no dictionary";
    array = index_width ? array->dictionary : array;
    if (kind == ARROW_NULL || kind == ARROW_TEXT || kind == ARROW_VIEW)
        return text_wrong(kind, array);
    return buffers_wrong(array, 2, true);
}

const char *arrow_array_wrong(const arrow_type *type, const arrow_array *array)
{
    if (type->kind != ARROW_LIST)
        return indexed_wrong(type->kind, type->index_width, array);
    const char *wrong = buffers_wrong(array, type->width ? 2 : 1, true);
    if (wrong)
        return wrong;
    if (array->n_children != 1 || !array->children || !array->children[0])
        return "a list has no items";
    return indexed_wrong(type->item, type->item_index_width, array->children[0]);
}

static int64_t whole_at(const void *buffer, int64_t at, int width, bool with_sign)
{
    const unsigned char *bytes = (const unsigned char *)buffer + (size_t)at * (size_t)width;
    uint64_t value = 0;
    memcpy(&value, bytes, (size_t)width); /* Arrow's buffers have the byte order of the host */
    if (with_sign && width < 8 && value >> (8 * width - 1))
        value |= UINT64_MAX << (8 * width);
    return (int64_t)value;
}

/* The entries [from, to) that an offset buffer gives to a row. */
static const char *read_offsets(const arrow_array *array, int64_t row, int width, int64_t *from,
                                int64_t *to)
{
    *from = whole_at(array->buffers[1], array->offset + row, width, true);
    *to = whole_at(array->buffers[1], array->offset + row + 1, width, true);
    return *from < 0 || *from > *to ? "its offsets are out of order" : NULL;
}

static const char *text_at(const arrow_array *array, int64_t row, int width, ezlda_text *out)
{
    int64_t from, to;
    const char *wrong = read_offsets(array, row, width, &from, &to);
    if (wrong)
        return wrong;
    if (from < to && !array->buffers[2])
        return "a buffer is missing";
    if (from < to)
        *out = (ezlda_text){(const char *)array->buffers[2] + from, (size_t)(to - from)};
    return NULL;
}

/* A view holds a size, then up to 12 bytes of text, or four of them, the number of a buffer and the
 * place there. The last buffer has the sizes of those buffers. */
static const char *view_at(const arrow_array *array, int64_t row, ezlda_text *out)
{
    const char *view = (const char *)array->buffers[1] + (size_t)(array->offset + row) * 16;
    int32_t size, buffer, from;
    memcpy(&size, view, sizeof size);
    memcpy(&buffer, view + 8, sizeof buffer);
    memcpy(&from, view + 12, sizeof from);
    if (size >= 0 && size <= 12) {
        *out = (ezlda_text){view + 4, (size_t)size};
        return NULL;
    }
    const int64_t *sizes = array->buffers[array->n_buffers - 1];
    if (size < 0 || from < 0 || buffer < 0 || buffer >= array->n_buffers - 3 || !sizes ||
        !array->buffers[2 + buffer] || (int64_t)from + size > sizes[buffer])
        return "a view of a string is out of range";
    *out = (ezlda_text){(const char *)array->buffers[2 + buffer] + from, (size_t)size};
    return NULL;
}

/* Follows the index of a dictionary. *array and *row become those of the value; *row is -1 if it is
 * missing. */
static const char *follow(int index_width, bool with_sign, const arrow_array **array, int64_t *row)
{
    if (arrow_is_null(*array, *row)) {
        *row = -1;
        return NULL;
    }
    if (!index_width)
        return NULL;
    int64_t at = whole_at((*array)->buffers[1], (*array)->offset + *row, index_width, with_sign);
    *array = (*array)->dictionary;
    if (at < 0 || at >= (*array)->length)
        return "an index is outside its dictionary";
    *row = arrow_is_null(*array, at) ? -1 : at;
    return NULL;
}

/* ---- values ---- */

/* A text that is made for a value. */
static const char *put(arrow_arena *arena, const char *text, int n, ezlda_text *out)
{
    char *room = arena_room(arena, (size_t)n);
    if (!room)
        return no_memory;
    memcpy(room, text, (size_t)n);
    *out = (ezlda_text){room, (size_t)n};
    return NULL;
}

/* The shortest number that reads as the same value; a whole one ends with ".0", as in Python. */
static int format_real(char *text, size_t size, double value, bool narrow)
{
    int n = 0;
    for (int digits = narrow ? 6 : 15; digits <= 17; digits++) {
        n = snprintf(text, size, "%.*g", digits, value);
        double again = strtod(text, NULL);
        if (again == value || (narrow && (float)again == (float)value))
            break;
    }
    if (strspn(text, "-0123456789") == (size_t)n)
        n += snprintf(text + n, size - (size_t)n, ".0");
    return n;
}

/* The day in the calendar, from the days since 1970-01-01 (Howard Hinnant's civil_from_days). */
static int format_day(char *text, size_t size, int64_t days)
{
    int64_t z = days + 719468, era = (z >= 0 ? z : z - 146096) / 146097;
    int64_t of_era = z - era * 146097;
    int64_t year = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    int64_t of_year = of_era - (365 * year + year / 4 - year / 100),
            shifted = (5 * of_year + 2) / 153;
    int64_t month = shifted < 10 ? shifted + 3 : shifted - 9;
    return snprintf(text, size, "%04" PRId64 "-%02d-%02d", year + era * 400 + (month <= 2),
                    (int)month, (int)(of_year - (153 * shifted + 2) / 5 + 1));
}

static int64_t floor_divide(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

static int format_time(char *text, size_t size, const arrow_type *type, int64_t value)
{
    int64_t seconds = floor_divide(value, type->size), part = value - seconds * type->size;
    int64_t days = floor_divide(seconds, 86400), left = seconds - days * 86400;
    int digits = type->size == 1000 ? 3 : type->size == 1000000 ? 6 : 9;
    int n = format_day(text, size, days);
    n += snprintf(text + n, size - (size_t)n, " %02d:%02d:%02d", (int)(left / 3600),
                  (int)(left / 60 % 60), (int)(left % 60));
    if (part)
        n += snprintf(text + n, size - (size_t)n, ".%0*" PRId64, digits, part);
    if (type->zone)
        n += snprintf(text + n, size - (size_t)n, "+00:00");
    return n;
}

static int format_value(char *text, size_t size, const arrow_type *type, const arrow_array *array,
                        int64_t row)
{
    const void *values = array->buffers[1];
    int64_t at = array->offset + row;
    if (type->kind == ARROW_BOOL)
        return snprintf(text, size, "%s",
                        ((const unsigned char *)values)[at / 8] >> at % 8 & 1 ? "True" : "False");
    if (type->kind == ARROW_REAL)
        return type->width == 4 ? format_real(text, size, ((const float *)values)[at], true)
                                : format_real(text, size, ((const double *)values)[at], false);
    int64_t value = whole_at(values, at, type->width, type->kind != ARROW_UNSIGNED);
    if (type->kind == ARROW_DATE)
        return format_day(text, size, floor_divide(value, type->size));
    if (type->kind == ARROW_TIME)
        return format_time(text, size, type, value);
    return type->kind == ARROW_UNSIGNED ? snprintf(text, size, "%" PRIu64, (uint64_t)value)
                                        : snprintf(text, size, "%" PRId64, value);
}

/* NaN is missing, as everywhere in the package. */
static bool is_nan(const arrow_type *type, const arrow_array *array, int64_t row)
{
    int64_t at = array->offset + row;
    double value = type->width == 4 ? ((const float *)array->buffers[1])[at]
                                    : ((const double *)array->buffers[1])[at];
    return value != value;
}

static const char *item_at(const arrow_type *type, const arrow_array *items, int64_t row,
                           ezlda_text *out)
{
    const char *wrong = follow(type->item_index_width, type->item_index_is_signed, &items, &row);
    if (wrong || row < 0 || type->item == ARROW_NULL)
        return wrong;
    return type->item == ARROW_VIEW ? view_at(items, row, out)
                                    : text_at(items, row, type->item_width, out);
}

static const char *items_of(const arrow_type *type, const arrow_array *array, int64_t row,
                            int64_t *from, int64_t *to)
{
    const char *wrong = NULL;
    if (type->width)
        wrong = read_offsets(array, row, type->width, from, to);
    else if (__builtin_mul_overflow(array->offset + row, type->size, from) ||
             __builtin_add_overflow(*from, type->size, to))
        return "a list is out of range";
    if (!wrong && *to > array->children[0]->length)
        return "a list is longer than its items";
    return wrong;
}

static const char *list_at(const arrow_type *type, const arrow_array *array, int64_t row,
                           arrow_arena *arena, ezlda_text *out)
{
    int64_t from, to;
    const char *wrong = items_of(type, array, row, &from, &to);
    size_t size = 0;
    for (int64_t i = from; !wrong && i < to; i++) {
        ezlda_text item = {NULL, 0};
        wrong = item_at(type, array->children[0], i, &item);
        size += item.at ? item.size + 1 : 0;
    }
    if (wrong)
        return wrong;
    char *room = arena_room(arena, size);
    if (!room)
        return no_memory;
    *out = (ezlda_text){room, size};
    for (int64_t i = from; i < to; i++) {
        ezlda_text item = {NULL, 0};
        item_at(type, array->children[0], i, &item);
        if (!item.at)
            continue;
        memcpy(room, item.at, item.size);
        room[item.size] = '\x1f';
        room += item.size + 1;
    }
    return NULL;
}

const char *arrow_value(const arrow_type *type, const arrow_array *array, int64_t row,
                        arrow_arena *arena, ezlda_text *out)
{
    char text[64];
    *out = (ezlda_text){"", 0};
    if (type->kind == ARROW_NULL)
        return NULL;
    if (type->kind == ARROW_LIST)
        return arrow_is_null(array, row) ? NULL : list_at(type, array, row, arena, out);
    const char *wrong = follow(type->index_width, type->index_is_signed, &array, &row);
    if (wrong || row < 0)
        return wrong;
    if (type->kind == ARROW_TEXT)
        return text_at(array, row, type->width, out);
    if (type->kind == ARROW_VIEW)
        return view_at(array, row, out);
    if (type->kind == ARROW_REAL && is_nan(type, array, row))
        return NULL;
    return put(arena, text, format_value(text, sizeof text, type, array, row), out);
}
