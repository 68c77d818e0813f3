/* Reads, checks and builds columns of strings. */
#include "corpus/string_column.h"

#include "corpus/input/utf8.h"

#include <string.h>

const char *ez_column_at(const ez_column *column, uint64_t i)
{
    const char *at = column->text + column->index[i / EZ_COLUMN_GROUP];
    for (uint64_t skip = i % EZ_COLUMN_GROUP; skip; skip--)
        at += strlen(at) + 1;
    return at;
}

/* The first bad string of a group, or the end of the group. */
static uint64_t check_group(const ez_column *column, uint64_t group)
{
    uint64_t from = column->index[group], to = column->index[group + 1];
    uint64_t i = group * EZ_COLUMN_GROUP;
    uint64_t last = column->n - i < EZ_COLUMN_GROUP ? column->n : i + EZ_COLUMN_GROUP;
    if (from >= to || to > column->bytes) /* not even the NUL of the first string is there */
        return i;
    const char *at = column->text + from, *end = column->text + to;
    for (; i < last; i++) {
        const char *stop = at < end ? memchr(at, '\0', (size_t)(end - at)) : NULL;
        if (!stop || ez_utf8_check(at, (size_t)(stop - at)) != (size_t)(stop - at))
            return i;
        at = stop + 1;
    }
    return at == end ? last : last - 1;
}

uint64_t ez_column_check(const ez_column *column, int threads)
{
    int64_t groups = (int64_t)ez_column_groups(column->n);
    if (column->index[0] != 0)
        return 0;
    if (column->index[groups] != column->bytes)
        return column->n ? column->n - 1 : UINT64_MAX;
    uint64_t bad = column->n;
#pragma omp parallel for schedule(static) num_threads(threads) reduction(min \
                                                                         : bad) if (groups > 1000)
    for (int64_t group = 0; group < groups; group++) {
        uint64_t end = ((uint64_t)group + 1) * EZ_COLUMN_GROUP;
        uint64_t reached = check_group(column, (uint64_t)group);
        if (reached < (end < column->n ? end : column->n) && reached < bad)
            bad = reached;
    }
    return bad;
}

void ez_column_builder_init(ez_column_builder *builder)
{
    *builder = (ez_column_builder){0};
    ez_spool_init(&builder->text, EZ_SPOOL_LIMIT);
}

static ezlda_status add_offset(ez_column_builder *builder, ezlda_context *context)
{
    uint64_t offset = builder->text.used;
    return ez_buffer_append(&builder->index, context, &offset, sizeof offset);
}

ezlda_status ez_column_builder_add(ez_column_builder *builder, ezlda_context *context,
                                   const char *text, size_t n)
{
    if (builder->n % EZ_COLUMN_GROUP == 0)
        EZ_TRY(add_offset(builder, context));
    builder->n++;
    EZ_TRY(ez_spool_append(&builder->text, context, text, n));
    return ez_spool_append(&builder->text, context, "", 1);
}

ezlda_status ez_column_builder_seal(ez_column_builder *builder, ezlda_context *context,
                                    ez_column *column)
{
    EZ_TRY(add_offset(builder, context));
    const void *text;
    EZ_TRY(ez_spool_seal(&builder->text, context, &text));
    *column = (ez_column){.n = builder->n, .text = text, .bytes = builder->text.used};
    column->index = (const uint64_t *)(const void *)builder->index.data;
    return EZLDA_OK;
}

void ez_column_builder_free(ez_column_builder *builder)
{
    ez_spool_free(&builder->text);
    ez_free(builder->index.data);
    builder->index = (ez_buffer){0};
}
