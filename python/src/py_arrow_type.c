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

/* A type that has no items: plain, or a dictionary of a plain one. */
static void read_flat(arrow_type *type, const arrow_schema *schema)
{
    const char *format = schema->format ? schema->format : "";
    *type = (arrow_type){.kind = ARROW_OTHER};
    if (!schema->dictionary) {
        read_plain(type, format);
        return;
    }
    int width = format[0] && !format[1] ? number_width(*format) : 0;
    if (!width || *format == 'f' || *format == 'g' || schema->dictionary->dictionary)
        return;
    read_plain(type, schema->dictionary->format ? schema->dictionary->format : "");
    type->index_width = width;
    type->index_is_signed = is_signed(*format);
}

static void read_list(arrow_type *type, const arrow_schema *schema)
{
    const char *format = schema->format;
    arrow_type item;
    if (schema->n_children != 1 || !schema->children || !schema->children[0])
        return;
    read_flat(&item, schema->children[0]);
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
    *type = (arrow_type){.kind = ARROW_OTHER};
    if (!schema->dictionary && schema->format && *schema->format == '+')
        read_list(type, schema);
    else
        read_flat(type, schema);
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

/* What the type of a list or a dictionary is made of; NULL for any other. */
static const arrow_schema *inner_of(const arrow_schema *schema)
{
    const char *format = schema->format ? schema->format : "";
    bool list = format[0] == '+' && format[1] && strchr("lLw", format[1]);
    if (schema->dictionary)
        return schema->dictionary;
    return list && schema->n_children == 1 && schema->children ? schema->children[0] : NULL;
}

void arrow_type_name(const arrow_schema *schema, char *name, size_t size)
{
    enum { DEPTH = 4 };
    int depth = 0;
    size_t used = 0;
    for (const arrow_schema *inner; depth < DEPTH && (inner = inner_of(schema)); schema = inner) {
        used += (size_t)snprintf(name + used, size - used, "%s<",
                                 schema->dictionary ? "dictionary" : "list");
        depth++;
    }
    const char *format = schema->format ? schema->format : "", *plain = plain_name(format);
    if (plain)
        used += (size_t)snprintf(name + used, size - used, "%s", plain);
    else
        used += (size_t)snprintf(name + used, size - used, "Arrow's type %.20s", format);
    snprintf(name + used, size - used, "%.*s", depth, ">>>>");
}
