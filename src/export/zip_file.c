/* Writes the headers, the directory and the Zip64 fields of a zip file. */
#include "export/zip_file.h"

#include <stdio.h>
#include <string.h>

enum {
    EZ_ZIP_PLAIN_VERSION = 20,
    EZ_ZIP_LARGE_VERSION = 45,
    EZ_ZIP_SIZES_FOLLOW = 8, /* flag: sizes come after the data */
    EZ_ZIP_DEFLATED = 8,
    EZ_ZIP_DATE = 33 /* 1 January 1980, the first possible date */
};

#define EZ_ZIP_MOST UINT32_MAX
/* Deflating may enlarge data that cannot be compressed. */
#define EZ_ZIP_LARGE_FROM ((uint64_t)15 << 28)

/* Consecutive fields, lowest byte first. */
typedef struct field_row {
    unsigned char bytes[128];
    size_t n;
} field_row;

static void put(field_row *row, int width, uint64_t value)
{
    for (int i = 0; i < width; i++)
        row->bytes[row->n++] = (unsigned char)(value >> 8 * i);
}

static uint64_t in_32_bits(uint64_t value)
{
    return value < EZ_ZIP_MOST ? value : EZ_ZIP_MOST;
}

static ezlda_status write_row(ez_zip *zip, ezlda_context *context, const field_row *row)
{
    return ez_output_write(zip->output, context, row->bytes, row->n);
}

/* Writes the fields that local headers and the directory share, from version to time. */
static void put_kind(field_row *row, bool large)
{
    put(row, 2, large ? EZ_ZIP_LARGE_VERSION : EZ_ZIP_PLAIN_VERSION);
    put(row, 2, EZ_ZIP_SIZES_FOLLOW);
    put(row, 2, EZ_ZIP_DEFLATED);
    put(row, 2, 0);
    put(row, 2, EZ_ZIP_DATE);
}

static ezlda_status write_local(ez_zip *zip, ezlda_context *context, const ez_zip_entry *entry)
{
    field_row row = {0}, extra = {0};
    uint64_t unknown = entry->large ? EZ_ZIP_MOST : 0;
    if (entry->large) {
        put(&extra, 2, 1);
        put(&extra, 2, 16);
        put(&extra, 8, 0);
        put(&extra, 8, 0);
    }
    put(&row, 4, 0x04034b50);
    put_kind(&row, entry->large);
    put(&row, 4, 0);
    put(&row, 4, unknown);
    put(&row, 4, unknown);
    put(&row, 2, strlen(entry->name));
    put(&row, 2, extra.n);
    EZ_TRY(write_row(zip, context, &row));
    EZ_TRY(ez_output_write(zip->output, context, entry->name, strlen(entry->name)));
    return write_row(zip, context, &extra);
}

static ezlda_status write_sizes(ez_zip *zip, ezlda_context *context, const ez_zip_entry *entry)
{
    field_row row = {0};
    int width = entry->large ? 8 : 4;
    put(&row, 4, 0x08074b50);
    put(&row, 4, entry->crc);
    put(&row, width, entry->packed);
    put(&row, width, entry->bytes);
    return write_row(zip, context, &row);
}

ezlda_status ez_zip_add(ez_zip *zip, ezlda_context *context, const ez_npy *array)
{
    ez_block_sums sums;
    if (zip->n == EZ_ZIP_ENTRIES)
        return ez_fail(context, EZLDA_ERROR_INTERNAL, "more than %d arrays in a zip",
                       EZ_ZIP_ENTRIES);
    ez_zip_entry *entry = &zip->entry[zip->n++];
    *entry = (ez_zip_entry){.offset = ez_output_position(zip->output),
                            .large = ez_npy_bytes(array) >= EZ_ZIP_LARGE_FROM};
    snprintf(entry->name, sizeof entry->name, "%s.npy", array->name);
    EZ_TRY(write_local(zip, context, entry));
    uint64_t from = ez_output_position(zip->output);
    EZ_TRY(ez_npy_write(zip->output, context, array, true, &sums));
    entry->packed = ez_output_position(zip->output) - from;
    entry->bytes = sums.bytes;
    entry->crc = sums.crc;
    return write_sizes(zip, context, entry);
}

/* Writes the Zip64 part of a directory entry: the fields that did not fit, in this order. */
static void put_large(field_row *extra, const ez_zip_entry *entry)
{
    const uint64_t fields[3] = {entry->bytes, entry->packed, entry->offset};
    field_row values = {0};
    for (int i = 0; i < 3; i++)
        if (fields[i] >= EZ_ZIP_MOST)
            put(&values, 8, fields[i]);
    if (!values.n)
        return;
    put(extra, 2, 1);
    put(extra, 2, values.n);
    memcpy(extra->bytes + extra->n, values.bytes, values.n);
    extra->n += values.n;
}

static ezlda_status write_entry(ez_zip *zip, ezlda_context *context, const ez_zip_entry *entry)
{
    field_row row = {0}, extra = {0};
    put_large(&extra, entry);
    bool large = entry->large || extra.n;
    put(&row, 4, 0x02014b50);
    put(&row, 2, large ? EZ_ZIP_LARGE_VERSION : EZ_ZIP_PLAIN_VERSION);
    put_kind(&row, large);
    put(&row, 4, entry->crc);
    put(&row, 4, in_32_bits(entry->packed));
    put(&row, 4, in_32_bits(entry->bytes));
    put(&row, 2, strlen(entry->name));
    put(&row, 2, extra.n);
    put(&row, 2, 0); /* comment, disk, attributes: none */
    put(&row, 2, 0);
    put(&row, 2, 0);
    put(&row, 4, 0);
    put(&row, 4, in_32_bits(entry->offset));
    EZ_TRY(write_row(zip, context, &row));
    EZ_TRY(ez_output_write(zip->output, context, entry->name, strlen(entry->name)));
    return write_row(zip, context, &extra);
}

/* Writes the 64-bit end of the directory, and where to find it. */
static void put_large_end(field_row *row, const ez_zip *zip, uint64_t start, uint64_t end)
{
    put(row, 4, 0x06064b50);
    put(row, 8, 44);
    put(row, 2, EZ_ZIP_LARGE_VERSION);
    put(row, 2, EZ_ZIP_LARGE_VERSION);
    put(row, 4, 0);
    put(row, 4, 0);
    put(row, 8, zip->n);
    put(row, 8, zip->n);
    put(row, 8, end - start);
    put(row, 8, start);
    put(row, 4, 0x07064b50);
    put(row, 4, 0);
    put(row, 8, end);
    put(row, 4, 1);
}

ezlda_status ez_zip_finish(ez_zip *zip, ezlda_context *context)
{
    field_row row = {0};
    uint64_t start = ez_output_position(zip->output);
    for (size_t i = 0; i < zip->n; i++)
        EZ_TRY(write_entry(zip, context, &zip->entry[i]));
    uint64_t end = ez_output_position(zip->output);
    if (end >= EZ_ZIP_MOST)
        put_large_end(&row, zip, start, end);
    put(&row, 4, 0x06054b50);
    put(&row, 2, 0);
    put(&row, 2, 0);
    put(&row, 2, zip->n);
    put(&row, 2, zip->n);
    put(&row, 4, in_32_bits(end - start));
    put(&row, 4, in_32_bits(start));
    put(&row, 2, 0);
    return write_row(zip, context, &row);
}
