/* Reads the types of Arrow's columns: what the format of a schema says, and how a message names it.
 */
#include "py_arrow_column.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int number_width(char format)
{
    switch (format) {
    case 'c':
    case 'C': return 1;
    case 's':
    case 'S': return 2;
    case 'i':
    case 'I':
    case 'f': return 4;
    case 'l':
    case 'L':
    case 'g': return 8;
    default: return 0;
    }
}

static bool is_signed(char format)
{
    return format == 'c' || format == 's' || format == 'i' || format == 'l';
}

static void read_time(arrow_type *type, const char *format)
{
    static const char units[] = "smun";
    const char *unit = format[2] ? strchr(units, format[2]) : NULL;
    type->width = 8;
    if (strcmp(format, "tdD") == 0) {
        *type = (arrow_type){.kind = ARROW_DATE, .width = 4, .size = 1};
    } else if (strcmp(format, "tdm") == 0) {
        *type = (arrow_type){.kind = ARROW_DATE, .width = 8, .size = 86400000};
    } else if (format[1] == 's' && unit && format[3] == ':') {
        type->kind = ARROW_TIME;
        type->zone = format[4] != '\0';
        type->size = 1;
        for (const char *u = units; u < unit; u++)
            type->size *= 1000;
    }
}

static void read_plain(arrow_type *type, const char *format)
{
    size_t n = strlen(format);
    type->width = n == 1 ? number_width(*format) : 0;
    if (n == 1 && type->width)
        type->kind = *format == 'f' || *format == 'g' ? ARROW_REAL
                     : is_signed(*format)             ? ARROW_SIGNED
                                                      : ARROW_UNSIGNED;
    else if (strcmp(format, "n") == 0)
        type->kind = ARROW_NULL;
    else if (strcmp(format, "b") == 0)
        type->kind = ARROW_BOOL;
    else if (strcmp(format, "u") == 0 || strcmp(format, "U") == 0)
        *type = (arrow_type){.kind = ARROW_TEXT, .width = *format == 'u' ? 4 : 8};
    else if (strcmp(format, "vu") == 0)
        type->kind = ARROW_VIEW;
    else if (*format == 't')
        read_time(type, format);
}

static void read_list(arrow_type *type, const arrow_schema *schema)
{
    const char *format = schema->format;
    arrow_type item;
    if (schema->n_children != 1 || !schema->children || !schema->children[0])
        return;
    arrow_type_read(&item, schema->children[0]);
    if (item.kind != ARROW_TEXT && item.kind != ARROW_VIEW && item.kind != ARROW_NULL)
        return;
    if (strcmp(format, "+l") == 0 || strcmp(format, "+L") == 0)
        type->width = format[1] == 'l' ? 4 : 8;
    else if (strncmp(format, "+w:", 3) == 0 && (type->size = strtoll(format + 3, NULL, 10)) >= 0)
        type->width = 0;
    else
        return;
    type->kind = ARROW_LIST;
    type->item = item.kind;
    type->item_width = item.width;
    type->item_index_width = item.index_width;
    type->item_index_is_signed = item.index_is_signed;
}

void arrow_type_read(arrow_type *type, const arrow_schema *schema)
{
    const char *format = schema->format ? schema->format : "";
    *type = (arrow_type){.kind = ARROW_OTHER};
    if (schema->dictionary) {
        arrow_type_read(type, schema->dictionary);
        type->index_width = format[0] && !format[1] ? number_width(*format) : 0;
        type->index_is_signed = is_signed(*format);
        if (!type->index_width || *format == 'f' || *format == 'g' || type->kind == ARROW_LIST ||
            schema->dictionary->dictionary)
            *type = (arrow_type){.kind = ARROW_OTHER};
    } else if (*format == '+') {
        read_list(type, schema);
    } else {
        read_plain(type, format);
    }
}

static const char *plain_name(const char *format)
{
    static const struct {
        const char *format, *name;
    } names[] = {{"n", "null"},         {"b", "bool"},       {"c", "int8"},
                 {"C", "uint8"},        {"s", "int16"},      {"S", "uint16"},
                 {"i", "int32"},        {"I", "uint32"},     {"l", "int64"},
                 {"L", "uint64"},       {"e", "half float"}, {"f", "float"},
                 {"g", "double"},       {"z", "binary"},     {"Z", "large binary"},
                 {"vz", "binary view"}, {"u", "string"},     {"U", "large string"},
                 {"vu", "string view"}, {"tdD", "date"},     {"tdm", "date"},
                 {"+s", "struct"},      {"+m", "map"},       {"+r", "run-end encoded"},
                 {"+vl", "list view"},  {"+vL", "list view"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(format, names[i].format) == 0)
            return names[i].name;
    if (format[0] == 't')
        return format[1] == 's' ? "timestamp" : format[1] == 't' ? "time" : "duration";
    return format[0] == 'd' ? "decimal" : format[0] == 'w' ? "binary of fixed size" : NULL;
}

void arrow_type_name(const arrow_schema *schema, char *name, size_t size)
{
    const char *format = schema->format ? schema->format : "";
    const char *plain = plain_name(format);
    bool list = format[0] == '+' && format[1] && strchr("lLw", format[1]) &&
                schema->n_children == 1 && schema->children && schema->children[0];
    char inner[96];
    if (schema->dictionary) {
        arrow_type_name(schema->dictionary, inner, sizeof inner);
        snprintf(name, size, "dictionary<%s>", inner);
    } else if (list) {
        arrow_type_name(schema->children[0], inner, sizeof inner);
        snprintf(name, size, "list<%s>", inner);
    } else if (plain) {
        snprintf(name, size, "%s", plain);
    } else {
        snprintf(name, size, "Arrow's type %.40s", format);
    }
}
