/* The directory at the end of a ZIP archive, and the files that it names (PKWARE's APPNOTE). Every
 * size and offset is checked against the archive before it is used. */
#include "corpus/input/zip_archive.h"

#include "base/copy_string.h"
#include "base/os/os_files.h"
#include "corpus/input/input.h"

#include <errno.h>
#include <string.h>
#include <zlib.h>

enum { END_BYTES = 22, END64_BYTES = 56, LOCATOR_BYTES = 20, ENTRY_BYTES = 46, LOCAL_BYTES = 30 };
enum { MOST_COMMENT = 65535, STORED = 0, DEFLATED = 8, ENCRYPTED = 1 };

/* All files together may not be larger than this, unless the archive is. See input.c. */
#define UNPACKED_FREE ((uint64_t)64 << 20)
enum { UNPACKED_RATIO = 250 };
#define LARGEST_FILE ((uint64_t)1 << 30)
#define LARGEST_DIRECTORY ((uint64_t)1 << 30)

/* A fuzzer does not find the checksum of what it has changed. */
#ifdef EZLDA_FUZZ
enum { CHECK_SUMS = 0 };
#else
enum { CHECK_SUMS = 1 };
#endif

typedef struct zip_file {
    size_t name; /* offset in names */
    uint64_t packed, bytes, at;
    uint32_t crc;
    uint16_t method, flags;
} zip_file;

struct ez_zip {
    int fd;
    char *path;
    uint64_t size, unpacked;
    ez_buffer names, files;
    size_t n;
};

/* Where the directory is. */
typedef struct zip_directory {
    uint64_t entries, bytes, at;
} zip_directory;

static uint16_t u16(const unsigned char *at)
{
    return (uint16_t)(at[0] | at[1] << 8);
}

static uint32_t u32(const unsigned char *at)
{
    return u16(at) | (uint32_t)u16(at + 2) << 16;
}

static uint64_t u64(const unsigned char *at)
{
    return u32(at) | (uint64_t)u32(at + 4) << 32;
}

static ezlda_status damaged(const ez_zip *zip, ezlda_context *context, const char *why)
{
    return ez_fail(context, EZLDA_ERROR_FORMAT, "%s: the ZIP archive is damaged: %s", zip->path,
                   why);
}

static ezlda_status refuse(const ez_zip *zip, ezlda_context *context, size_t file, const char *why)
{
    return ez_fail(context, EZLDA_ERROR_FORMAT, "%s/%s: %s", zip->path, ez_zip_name(zip, file),
                   why);
}

bool ez_is_zip(const char *path)
{
    return ez_file_begins(path, "PK\3\4", 4) || ez_file_begins(path, "PK\5\6", 4);
}

/* Reads n bytes at an offset that lie in the archive. */
static ezlda_status read_at(const ez_zip *zip, ezlda_context *context, uint64_t at, void *to,
                            size_t n)
{
    if (at > zip->size || n > zip->size - at)
        return damaged(zip, context, "it ends too early");
    for (size_t got = 0; got < n;) {
        int64_t some = ez_os_read_at(zip->fd, (char *)to + got, n - got, at + got);
        if (some < 0 && errno == EINTR)
            continue;
        if (some < 0)
            return ez_fail_errno(context, zip->path, "read");
        if (some == 0)
            return damaged(zip, context, "it ends too early");
        got += (size_t)some;
    }
    return EZLDA_OK;
}

/* ---- the directory ---- */

/* Reads the end record of the 64-bit extension, if its locator is before the end record. */
static ezlda_status read_end64(const ez_zip *zip, ezlda_context *context, uint64_t end,
                               zip_directory *directory)
{
    unsigned char locator[LOCATOR_BYTES], record[END64_BYTES];
    if (end < LOCATOR_BYTES)
        return EZLDA_OK;
    EZ_TRY(read_at(zip, context, end - LOCATOR_BYTES, locator, sizeof locator));
    if (memcmp(locator, "PK\6\7", 4) != 0)
        return EZLDA_OK;
    EZ_TRY(read_at(zip, context, u64(locator + 8), record, sizeof record));
    if (memcmp(record, "PK\6\6", 4) != 0)
        return damaged(zip, context, "its directory is not where its end says");
    *directory = (zip_directory){u64(record + 32), u64(record + 40), u64(record + 48)};
    return EZLDA_OK;
}

/* Finds the end record: the last one whose comment reaches to the end of the archive. */
static ezlda_status find_directory(const ez_zip *zip, ezlda_context *context,
                                   zip_directory *directory)
{
    unsigned char *tail;
    size_t n = zip->size < END_BYTES + MOST_COMMENT ? (size_t)zip->size : END_BYTES + MOST_COMMENT;
    if (n < END_BYTES)
        return damaged(zip, context, "it has no directory");
    EZ_TRY(ez_array(&tail, context, n, 1, "the end of an archive"));
    ezlda_status status = read_at(zip, context, zip->size - n, tail, n);
    size_t at = n - END_BYTES + 1;
    bool found = false;
    while (status == EZLDA_OK && !found && at > 0) {
        at--;
        found = memcmp(tail + at, "PK\5\6", 4) == 0 && u16(tail + at + 20) <= n - at - END_BYTES;
    }
    if (found) {
        const unsigned char *end = tail + at;
        *directory = (zip_directory){u16(end + 10), u32(end + 12), u32(end + 16)};
        bool large = directory->entries == UINT16_MAX || directory->bytes == UINT32_MAX ||
                     directory->at == UINT32_MAX;
        if (large)
            status = read_end64(zip, context, zip->size - n + at, directory);
    }
    ez_free(tail);
    if (status == EZLDA_OK && !found)
        return damaged(zip, context, "it has no directory");
    return status;
}

/* Replaces sizes that do not fit 32 bits by those of the extra field 1. */
static void read_extra(zip_file *file, const unsigned char *at, const unsigned char *end)
{
    for (; end - at >= 4; at += 4 + u16(at + 2)) {
        size_t n = u16(at + 2);
        if (n > (size_t)(end - at) - 4)
            return;
        if (u16(at) != 1)
            continue;
        const unsigned char *value = at + 4, *stop = value + n;
        uint64_t *const sizes[] = {&file->bytes, &file->packed, &file->at};
        for (int i = 0; i < 3; i++)
            if (*sizes[i] == UINT32_MAX && stop - value >= 8) {
                *sizes[i] = u64(value);
                value += 8;
            }
        return;
    }
}

/* Adds the file of an entry, unless it is a folder. */
static ezlda_status add_entry(ez_zip *zip, ezlda_context *context, const unsigned char *entry,
                              size_t name_bytes, size_t extra_bytes)
{
    const char *name = (const char *)entry + ENTRY_BYTES;
    zip_file file = {.name = zip->names.used,
                     .packed = u32(entry + 20),
                     .bytes = u32(entry + 24),
                     .at = u32(entry + 42),
                     .crc = u32(entry + 16),
                     .method = u16(entry + 10),
                     .flags = u16(entry + 8)};
    const unsigned char *extra = entry + ENTRY_BYTES + name_bytes;
    read_extra(&file, extra, extra + extra_bytes);
    while (name_bytes && *name == '/') {
        name++;
        name_bytes--;
    }
    if (!name_bytes || name[name_bytes - 1] == '/' || memchr(name, 0, name_bytes))
        return EZLDA_OK;
    if (file.bytes > LARGEST_FILE || file.packed > LARGEST_FILE)
        return ez_fail(context, EZLDA_ERROR_FORMAT, "%s/%.*s: a file of more than 1 GiB", zip->path,
                       (int)name_bytes, name);
    zip->unpacked += file.bytes;
    zip->n++;
    EZ_TRY(ez_buffer_append(&zip->names, context, name, name_bytes));
    EZ_TRY(ez_buffer_append(&zip->names, context, "", 1));
    return ez_buffer_append(&zip->files, context, &file, sizeof file);
}

static ezlda_status parse_directory(ez_zip *zip, ezlda_context *context, const unsigned char *at,
                                    const zip_directory *directory)
{
    const unsigned char *end = at + directory->bytes;
    for (uint64_t i = 0; i < directory->entries; i++) {
        size_t left = (size_t)(end - at);
        if (left < ENTRY_BYTES || memcmp(at, "PK\1\2", 4) != 0)
            return damaged(zip, context, "its directory is shorter than its end says");
        size_t name = u16(at + 28), extra = u16(at + 30), comment = u16(at + 32);
        if (left - ENTRY_BYTES < name + extra + comment)
            return damaged(zip, context, "its directory is shorter than its end says");
        EZ_TRY(add_entry(zip, context, at, name, extra));
        at += ENTRY_BYTES + name + extra + comment;
    }
    return EZLDA_OK;
}

static ezlda_status check_size(const ez_zip *zip, ezlda_context *context)
{
    if (zip->unpacked <= UNPACKED_FREE || zip->unpacked / UNPACKED_RATIO <= zip->size)
        return EZLDA_OK;
    return ez_fail(context, EZLDA_ERROR_FORMAT,
                   "%s: unpacks to more than %d times its size: extract its files first if you "
                   "trust it",
                   zip->path, UNPACKED_RATIO);
}

static ezlda_status read_directory(ez_zip *zip, ezlda_context *context)
{
    zip_directory directory = {0};
    unsigned char *bytes;
    EZ_TRY(find_directory(zip, context, &directory));
    if (directory.bytes > LARGEST_DIRECTORY || directory.bytes > zip->size)
        return damaged(zip, context, "its directory is longer than the archive");
    EZ_TRY(ez_array(&bytes, context, (size_t)directory.bytes, 1, "the directory of an archive"));
    ezlda_status status = read_at(zip, context, directory.at, bytes, (size_t)directory.bytes);
    if (status == EZLDA_OK)
        status = parse_directory(zip, context, bytes, &directory);
    ez_free(bytes);
    return status == EZLDA_OK ? check_size(zip, context) : status;
}

ezlda_status ez_zip_open(ez_zip **out, ezlda_context *context, const char *path)
{
    ez_file_info info;
    ez_zip *zip;
    *out = NULL;
    EZ_TRY(ez_array_zero(&zip, context, 1, sizeof *zip, "an archive"));
    zip->fd = -1;
    ezlda_status status = ez_copy_string(&zip->path, context, path);
    if (status == EZLDA_OK) {
        zip->fd = ez_os_open(path);
        if (zip->fd < 0 || ez_os_open_info(zip->fd, &info) != 0)
            status = ez_fail_errno(context, path, "open");
        else
            zip->size = info.bytes;
    }
    if (status == EZLDA_OK)
        status = read_directory(zip, context);
    if (status == EZLDA_OK)
        *out = zip;
    else
        ez_zip_close(zip);
    return status;
}

size_t ez_zip_files(const ez_zip *zip)
{
    return zip->n;
}

static const zip_file *file_of(const ez_zip *zip, size_t file)
{
    return (const zip_file *)(const void *)zip->files.data + file;
}

const char *ez_zip_name(const ez_zip *zip, size_t file)
{
    return (const char *)zip->names.data + file_of(zip, file)->name;
}

/* ---- files ---- */

static ezlda_status inflate_file(const ez_zip *zip, ezlda_context *context, size_t i,
                                 unsigned char *packed, ez_buffer *to)
{
    const zip_file *file = file_of(zip, i);
    z_stream stream = {.next_in = packed,
                       .avail_in = (uInt)file->packed,
                       .next_out = to->data,
                       .avail_out = (uInt)file->bytes + 1};
    if (inflateInit2(&stream, -15) != Z_OK)
        return ez_fail(context, EZLDA_ERROR_MEMORY, "not enough memory to decompress");
    int result = inflate(&stream, Z_FINISH);
    to->used = (size_t)file->bytes + 1 - stream.avail_out;
    inflateEnd(&stream);
    if (result != Z_STREAM_END || to->used != file->bytes)
        return refuse(zip, context, i, "its data in the archive are damaged");
    return EZLDA_OK;
}

/* Finds where the data of a file begin: after its own header. */
static ezlda_status data_place(const ez_zip *zip, ezlda_context *context, size_t i, uint64_t *at)
{
    const zip_file *file = file_of(zip, i);
    unsigned char local[LOCAL_BYTES];
    EZ_TRY(read_at(zip, context, file->at, local, sizeof local));
    if (memcmp(local, "PK\3\4", 4) != 0)
        return refuse(zip, context, i, "is not where the directory of the archive says");
    *at = file->at + LOCAL_BYTES + u16(local + 26) + u16(local + 28);
    return EZLDA_OK;
}

static ezlda_status read_deflated(const ez_zip *zip, ezlda_context *context, size_t i, uint64_t at,
                                  ez_buffer *to)
{
    const zip_file *file = file_of(zip, i);
    unsigned char *packed;
    EZ_TRY(ez_array(&packed, context, (size_t)file->packed, 1, "a file of an archive"));
    ezlda_status status = read_at(zip, context, at, packed, (size_t)file->packed);
    if (status == EZLDA_OK)
        status = inflate_file(zip, context, i, packed, to);
    ez_free(packed);
    return status;
}

ezlda_status ez_zip_read(const ez_zip *zip, ezlda_context *context, size_t file, ez_buffer *to)
{
    const zip_file *wanted = file_of(zip, file);
    uint64_t at = 0;
    if (wanted->flags & ENCRYPTED)
        return refuse(zip, context, file, "is encrypted: extract it first");
    if (wanted->method != STORED && wanted->method != DEFLATED)
        return refuse(zip, context, file, "is compressed in another way than deflate: extract it");
    EZ_TRY(data_place(zip, context, file, &at));
    to->used = 0;
    EZ_TRY(ez_buffer_reserve(to, context, (size_t)wanted->bytes + 1));
    if (wanted->method == DEFLATED) {
        EZ_TRY(read_deflated(zip, context, file, at, to));
    } else {
        if (wanted->packed != wanted->bytes)
            return refuse(zip, context, file, "its data in the archive are damaged");
        EZ_TRY(read_at(zip, context, at, to->data, (size_t)wanted->bytes));
        to->used = (size_t)wanted->bytes;
    }
    if (CHECK_SUMS && crc32(0, to->data, (uInt)to->used) != wanted->crc)
        return refuse(zip, context, file, "its data in the archive are damaged");
    return EZLDA_OK;
}

void ez_zip_close(ez_zip *zip)
{
    if (!zip)
        return;
    if (zip->fd >= 0)
        ez_os_close(zip->fd);
    ez_free(zip->path);
    ez_free(zip->names.data);
    ez_free(zip->files.data);
    ez_free(zip);
}
