/* The stack under an ez_input: raw bytes of a file, a codec that decompresses them, a decoder to
 * UTF-8, and bytes that were read ahead. */
#include "corpus/input/input.h"

#include "base/copy_string.h"
#include "base/os/os_files.h"
#include "base/os/os_text.h"
#include "corpus/input/codec.h"
#include "corpus/input/decoder.h"
#include "corpus/input/utf8.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { EZ_RAW_BUFFER = 1 << 18, EZ_LINE_STEP = 1 << 12 };

#define EZ_LONGEST_LINE ((size_t)1 << 30)

/* Text compresses to a tenth of its size, lists of counts to a thirtieth. Input that expands to
 * more than EZ_UNPACKED_FREE bytes and to more than EZ_UNPACKED_RATIO times its size was made to
 * fill memory and disks. */
#define EZ_UNPACKED_FREE ((uint64_t)64 << 20)
enum { EZ_UNPACKED_RATIO = 250 };

struct ez_input {
    char *name;
    ez_raw raw;
    const ez_codec *codec; /* NULL: not compressed */
    void *codec_state;
    ez_decoder *decoder; /* NULL: not decoded */
    ez_buffer hold;      /* plain bytes that were read ahead; used from hold_start on */
    size_t hold_start;
    uint64_t lines;          /* returned so far */
    ez_encoding_guess guess; /* its name is empty until it was asked for */
    bool seems_utf8;         /* although it is decoded from another encoding */
    uint64_t unpacked;       /* bytes that the codec has returned */
};

/* ---- raw bytes ---- */

static ezlda_status read_some(ez_raw *raw, ezlda_context *context, void *bytes, size_t n,
                              size_t *got)
{
    *got = 0;
    while (!raw->ended) {
        int64_t some = ez_os_read(raw->fd, bytes, n);
        if (some > 0) {
            *got = (size_t)some;
            raw->bytes_read += *got;
            return EZLDA_OK;
        }
        if (some == 0)
            raw->ended = true;
        else if (errno != EINTR)
            return ez_fail_errno(context, raw->name, "read");
    }
    return EZLDA_OK;
}

ezlda_status ez_raw_fill(ez_raw *raw, ezlda_context *context)
{
    if (raw->at < raw->end)
        return EZLDA_OK;
    raw->at = 0;
    return read_some(raw, context, raw->buffer, EZ_RAW_BUFFER, &raw->end);
}

/* First the bytes that were buffered to recognise the format, then bytes straight from the file. */
static ezlda_status plain_read(ez_raw *raw, ezlda_context *context, unsigned char *out, size_t n,
                               size_t *got)
{
    size_t held = raw->end - raw->at;
    *got = n < held ? n : held;
    memcpy(out, raw->buffer + raw->at, *got);
    raw->at += *got;
    while (*got < n && !raw->ended) {
        size_t some;
        EZ_TRY(read_some(raw, context, out + *got, n - *got, &some));
        *got += some;
    }
    return EZLDA_OK;
}

static const ez_codec *find_codec(const unsigned char *bytes, size_t n)
{
    static const unsigned char xz[6] = {0xfd, '7', 'z', 'X', 'Z', 0};
    static const unsigned char zstd[4] = {0x28, 0xb5, 0x2f, 0xfd};
    static const unsigned char zstd_skippable[3] = {0x2a, 0x4d, 0x18};
    if (n >= 3 && bytes[0] == 0x1f && bytes[1] == 0x8b && bytes[2] == 8)
        return &ez_codec_gzip;
    if (n >= sizeof xz && !memcmp(bytes, xz, sizeof xz))
        return &ez_codec_xz;
    if (n >= sizeof zstd && !memcmp(bytes, zstd, sizeof zstd))
        return &ez_codec_zstd;
    if (n >= 4 && (bytes[0] & 0xf0) == 0x50 &&
        !memcmp(bytes + 1, zstd_skippable, sizeof zstd_skippable))
        return &ez_codec_zstd;
    return NULL;
}

#define PICKLE                                                                       \
    "a Python pickle (in Python: ezlda.Corpus.from_frame(pandas.read_pickle(FILE), " \
    "text=COLUMN))"

/* Binary files that are often given by mistake, and what to do with them; NULL: not one of these.
 */
static const char *other_kind(const unsigned char *bytes, size_t n)
{
    static const struct {
        const char *magic, *what;
    } kinds[] = {
        {"\x89HDF\r\n\x1a\n",
         "an HDF5 file: --format hdf5 reads AnnData and Cell Ranger; for other "
         "layouts use ezlda.tl in Python"},
        {"\x93NUMPY", "a NumPy array (in Python, give it to ezlda.Corpus.from_matrix)"},
        {"PK\x03\x04", "a ZIP archive (as .npz, .xlsx and .docx are): extract its files first"},
        {"PAR1", "a Parquet file (in Python: ezlda.Corpus.from_arrow(\"FILE\", text=COLUMN))"},
        {"ARROW1", "an Arrow file (in Python: ezlda.Corpus.from_arrow(\"FILE\", text=COLUMN))"},
        {"\x80\x02", PICKLE},
        {"\x80\x03", PICKLE},
        {"\x80\x04", PICKLE},
        {"\x80\x05", PICKLE},
        {"SQLite f", "an SQLite database: sqlite3 -csv -header FILE 'select * from TABLE' | ezlda "
                     "... - (in Python: ezlda.Corpus.from_frame(pandas.read_sql(QUERY, "
                     "sqlite3.connect(FILE)), text=COLUMN))"},
        {"{\\rtf", "a rich text file: save it as text first (pandoc FILE -t plain)"},
        {"RDX", "an R data file: write it as CSV in R (write.csv)"},
        {"\xd0\xcf\x11\xe0", "an old Office file (.doc, .xls): save it as text or CSV"},
        {"%PDF-", "a PDF file: extract its text with pdftotext (in Python: ezlda.Corpus.from_texts("
                  "page.extract_text() for page in pypdf.PdfReader(FILE).pages))"},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (n >= strlen(kinds[i].magic) && !memcmp(bytes, kinds[i].magic, strlen(kinds[i].magic)))
            return kinds[i].what;
    bool bzip2 = n >= 8 && !memcmp(bytes, "BZh", 3) && !memcmp(bytes + 4, "1AY&", 4);
    return bzip2 ? "bzip2 data, which ezlda does not decompress: bzcat FILE | ezlda ... -" : NULL;
}

/* Reads as many bytes as a magic number needs, even from a pipe that returns one byte at a time. */
static ezlda_status read_magic(ez_raw *raw, ezlda_context *context)
{
    enum { MAGIC = 8 };
    while (raw->end < MAGIC && !raw->ended) {
        size_t some;
        EZ_TRY(read_some(raw, context, raw->buffer + raw->end, EZ_RAW_BUFFER - raw->end, &some));
        raw->end += some;
    }
    return EZLDA_OK;
}

/* ---- opening and reading ---- */

/* Refuses what is known to be neither text nor a bag of words; opens the codec of the rest. */
static ezlda_status open_codec(ez_input *input, ezlda_context *context)
{
    const char *other = other_kind(input->raw.buffer, input->raw.end);
    if (other)
        return ez_fail(context, EZLDA_ERROR_FORMAT, "%s: expected text or a bag of words, found %s",
                       input->name, other);
    input->codec = find_codec(input->raw.buffer, input->raw.end);
    return input->codec ? input->codec->open(&input->codec_state, context) : EZLDA_OK;
}

static ezlda_status open_file(ez_input *input, ezlda_context *context, const char *path)
{
    bool standard_input = !strcmp(path, "-");
    input->raw.fd = -1;
    EZ_TRY(ez_copy_string(&input->name, context, standard_input ? "standard input" : path));
    input->raw.name = input->name;
    EZ_TRY(ez_array(&input->raw.buffer, context, EZ_RAW_BUFFER, 1, "an input buffer"));
    input->raw.fd = standard_input ? ez_os_open_standard_input() : ez_os_open(path);
    ez_file_info info;
    if (input->raw.fd < 0 && strstr(path, "://"))
        return ez_fail(
            context, EZLDA_ERROR_IO,
            "%s: cannot open: expected a file, found an address: download it first (curl "
            "-LO ADDRESS)",
            input->name);
    if (input->raw.fd < 0 || ez_os_open_info(input->raw.fd, &info) != 0)
        return ez_fail_errno(context, input->name, "open");
    if (info.kind == EZ_FILE_FOLDER)
        return ez_fail(context, EZLDA_ERROR_IO, "%s: cannot read: is a directory, expected a file",
                       input->name);
    EZ_TRY(read_magic(&input->raw, context));
    return open_codec(input, context);
}

ezlda_status ez_input_open(ez_input **out, ezlda_context *context, const char *path)
{
    *out = NULL;
    ez_input *input;
    EZ_TRY(ez_array_zero(&input, context, 1, sizeof *input, "an input"));
    ezlda_status status = open_file(input, context, path);
    if (status == EZLDA_OK)
        *out = input;
    else
        ez_input_close(input);
    return status;
}

ezlda_status ez_input_open_bytes(ez_input **out, ezlda_context *context, const char *name,
                                 ez_buffer *bytes)
{
    *out = NULL;
    ez_input *input;
    EZ_TRY(ez_array_zero(&input, context, 1, sizeof *input, "an input"));
    input->raw.fd = -1;
    ezlda_status status = ez_copy_string(&input->name, context, name);
    if (status == EZLDA_OK)
        status = ez_buffer_reserve(bytes, context, 1); /* even no bytes have an address */
    if (status == EZLDA_OK) {
        input->raw = (ez_raw){.fd = -1,
                              .name = input->name,
                              .buffer = bytes->data,
                              .end = bytes->used,
                              .ended = true,
                              .bytes_read = bytes->used};
        *bytes = (ez_buffer){0};
        status = open_codec(input, context);
    }
    if (status == EZLDA_OK)
        *out = input;
    else
        ez_input_close(input);
    return status;
}

static ezlda_status unpack(void *from, ezlda_context *context, unsigned char *out, size_t n,
                           size_t *got)
{
    ez_input *input = from;
    if (!input->codec)
        return plain_read(&input->raw, context, out, n, got);
    EZ_TRY(input->codec->read(input->codec_state, context, &input->raw, out, n, got));
    input->unpacked += *got;
    if (input->unpacked > EZ_UNPACKED_FREE &&
        input->unpacked / EZ_UNPACKED_RATIO > input->raw.bytes_read)
        return ez_fail(context, EZLDA_ERROR_FORMAT,
                       "%s: unpacks to more than %d times its size (%" PRIu64 " bytes from %" PRIu64
                       " so far): decompress it first if you trust it",
                       input->name, EZ_UNPACKED_RATIO, input->unpacked, input->raw.bytes_read);
    return EZLDA_OK;
}

static ezlda_status produce(ez_input *input, ezlda_context *context, unsigned char *out, size_t n,
                            size_t *got)
{
    if (!input->decoder)
        return unpack(input, context, out, n, got);
    return ez_decoder_read(input->decoder, context, unpack, input, out, n, got);
}

/* Whether the first bytes are UTF-8 beyond ASCII. Text in another encoding never is by chance,
 * except for a character or two. */
static ezlda_status look_for_utf8(ez_input *input, ezlda_context *context)
{
    enum { LEAST_CHARACTERS = 2, LONGEST_CHARACTER = 4 };
    const unsigned char *head;
    size_t n, beyond = 0;
    EZ_TRY(ez_input_peek(input, context, &head, &n));
    size_t good = ez_utf8_check((const char *)head, n);
    for (size_t i = 0; i < good; i++)
        beyond += head[i] >= 0xc0;
    bool whole = good == n || (n == EZ_PEEK_BYTES && n - good < LONGEST_CHARACTER);
    input->seems_utf8 = whole && beyond >= LEAST_CHARACTERS;
    return EZLDA_OK;
}

bool ez_input_seems_utf8(const ez_input *input)
{
    return input->seems_utf8;
}

ezlda_status ez_input_decode(ez_input *input, ezlda_context *context, const char *encoding)
{
    if (ez_encoding_is_utf8(encoding))
        return EZLDA_OK;
    EZ_TRY(look_for_utf8(input, context));
    EZ_TRY(ez_decoder_open(&input->decoder, context, encoding, input->name, input->hold.data,
                           input->hold.used));
    input->hold.used = 0;
    return EZLDA_OK;
}

ezlda_status ez_input_find_encoding(ez_input *input, ezlda_context *context,
                                    const ez_encoding_guess **guess)
{
    const unsigned char *head;
    size_t n;
    *guess = &input->guess;
    if (input->guess.name[0])
        return EZLDA_OK;
    EZ_TRY(ez_input_peek(input, context, &head, &n));
    ez_guess_encoding((const char *)head, n, n < EZ_PEEK_BYTES, &input->guess);
    return input->guess.whole ? ez_input_decode(input, context, input->guess.name) : EZLDA_OK;
}

ezlda_status ez_input_open_text(ez_input **out, ezlda_context *context, const char *path,
                                const char *encoding)
{
    EZ_TRY(ez_input_open(out, context, path));
    ezlda_status status = ez_input_decode(*out, context, encoding);
    if (status != EZLDA_OK) {
        ez_input_close(*out);
        *out = NULL;
    }
    return status;
}

ezlda_status ez_input_read(ez_input *input, ezlda_context *context, void *bytes, size_t n,
                           size_t *got)
{
    size_t held = input->hold.used - input->hold_start;
    size_t copied = n < held ? n : held, more = 0;
    if (copied)
        memcpy(bytes, input->hold.data + input->hold_start, copied);
    input->hold_start += copied;
    if (copied == held)
        input->hold_start = input->hold.used = 0;
    if (copied < n)
        EZ_TRY(produce(input, context, (unsigned char *)bytes + copied, n - copied, &more));
    *got = copied + more;
    return EZLDA_OK;
}

ezlda_status ez_input_read_all(ez_input *input, ezlda_context *context, ez_buffer *to)
{
    enum { STEP = 1 << 20 };
    size_t got = STEP;
    for (to->used = 0; got == STEP; to->used += got) {
        EZ_TRY(ez_buffer_reserve(to, context, STEP));
        EZ_TRY(ez_input_read(input, context, to->data + to->used, STEP, &got));
        if (to->used > EZ_WHOLE_BYTES)
            return ez_fail(context, EZLDA_ERROR_FORMAT, "%s: a document longer than 1 GiB",
                           input->name);
    }
    return EZLDA_OK;
}

ezlda_status ez_input_peek(ez_input *input, ezlda_context *context, const unsigned char **bytes,
                           size_t *n)
{
    size_t held = input->hold.used - input->hold_start;
    if (held < EZ_PEEK_BYTES) {
        EZ_TRY(ez_buffer_reserve(&input->hold, context, EZ_PEEK_BYTES - held));
        size_t some;
        EZ_TRY(produce(input, context, input->hold.data + input->hold.used, EZ_PEEK_BYTES - held,
                       &some));
        input->hold.used += some;
        held += some;
    }
    *bytes = input->hold.data + input->hold_start;
    *n = held < EZ_PEEK_BYTES ? held : EZ_PEEK_BYTES;
    return EZLDA_OK;
}

const char *ez_input_name(const ez_input *input)
{
    return input->name;
}

void ez_input_close(ez_input *input)
{
    if (!input)
        return;
    ez_decoder_close(input->decoder);
    if (input->codec_state)
        input->codec->close(input->codec_state);
    if (input->raw.fd >= 0)
        ez_os_close(input->raw.fd);
    ez_free(input->raw.buffer);
    ez_free(input->hold.data);
    ez_free(input->name);
    ez_free(input);
}

bool ez_file_begins(const char *path, const char *magic, size_t n)
{
    char head[8] = {0};
    if (strcmp(path, "-") == 0 || !ez_os_is_regular(path))
        return false;
    int fd = ez_os_open(path);
    bool whole = fd >= 0 && ez_os_read(fd, head, n) == (int64_t)n;
    if (fd >= 0)
        ez_os_close(fd);
    return whole && memcmp(head, magic, n) == 0;
}

/* ---- lines ---- */

/* Puts bytes back in front of the input: they are read again next. */
static ezlda_status put_back(ez_input *input, ezlda_context *context, const void *bytes, size_t n)
{
    if (n == 0)
        return EZLDA_OK;
    size_t held = input->hold.used - input->hold_start;
    if (input->hold_start < n) {
        size_t more = n - input->hold_start;
        EZ_TRY(ez_buffer_reserve(&input->hold, context, more));
        memmove(input->hold.data + n, input->hold.data + input->hold_start, held);
        input->hold_start = n;
        input->hold.used = n + held;
    }
    input->hold_start -= n;
    memcpy(input->hold.data + input->hold_start, bytes, n);
    return EZLDA_OK;
}

/* Eight bytes at a time, because this is the serial part of reading. Each byte of `sums` counts up
 * to 255 newlines. */
uint64_t ez_count_lines(const char *text, size_t n)
{
    const uint64_t low = 0x7f7f7f7f7f7f7f7f, ones = 0x0101010101010101;
    uint64_t lines = 0;
    size_t i = 0;
    while (n - i >= 8) {
        uint64_t sums = 0;
        for (int round = 0; round < 255 && n - i >= 8; round++, i += 8) {
            uint64_t x;
            memcpy(&x, text + i, sizeof x);
            x ^= ones * '\n';
            sums += (~(((x & low) + low) | x | low)) >> 7; /* 1 for each zero byte */
        }
        const uint64_t pairs = (sums & 0x00ff00ff00ff00ff) + (sums >> 8 & 0x00ff00ff00ff00ff);
        lines += pairs * 0x0001000100010001 >> 48;
    }
    for (; i < n; i++)
        lines += text[i] == '\n';
    return lines;
}

static ezlda_status grow(ez_lines *lines, ezlda_context *context, size_t capacity)
{
    if (lines->text && lines->capacity >= capacity)
        return EZLDA_OK;
    char *text;
    EZ_TRY(ez_array(&text, context, capacity, 1, "lines of text"));
    if (lines->text)
        memcpy(text, lines->text, lines->n);
    ez_free(lines->text);
    lines->text = text;
    lines->capacity = capacity;
    return EZLDA_OK;
}

/* Reads until there is a line end or the file ends; *keep: bytes that make whole lines. */
static ezlda_status read_lines(ez_input *input, ezlda_context *context, size_t target,
                               ez_lines *lines, size_t *keep)
{
    for (;;) {
        size_t got, from = lines->n, want = target - from;
        EZ_TRY(grow(lines, context, target + 1));
        EZ_TRY(ez_input_read(input, context, lines->text + from, want, &got));
        lines->n += got;
        if (got < want) {
            if (lines->n && lines->text[lines->n - 1] != '\n')
                lines->text[lines->n++] = '\n';
            *keep = lines->n;
            return EZLDA_OK;
        }
        const char *last = ez_os_find_last(lines->text + from, '\n', got);
        if (last) {
            *keep = (size_t)(last - lines->text) + 1;
            return EZLDA_OK;
        }
        if (target >= EZ_LONGEST_LINE)
            return ez_fail(context, EZLDA_ERROR_FORMAT, "%s:%" PRIu64 ": a line longer than 1 GiB",
                           input->name, input->lines + 1);
        target *= 2;
    }
}

ezlda_status ez_input_lines(ez_input *input, ezlda_context *context, size_t target, ez_lines *lines)
{
    size_t keep = 0;
    lines->n = 0;
    EZ_TRY(read_lines(input, context, target ? target : 1, lines, &keep));
    EZ_TRY(put_back(input, context, lines->text + keep, lines->n - keep));
    lines->n = keep;
    lines->first_line = input->lines + 1;
    input->lines += ez_count_lines(lines->text, keep);
    return EZLDA_OK;
}

ezlda_status ez_input_line(ez_input *input, ezlda_context *context, ez_lines *line)
{
    size_t keep = 0;
    line->n = 0;
    EZ_TRY(read_lines(input, context, EZ_LINE_STEP, line, &keep));
    const char *end = line->n ? memchr(line->text, '\n', line->n) : NULL;
    size_t length = end ? (size_t)(end - line->text) + 1 : 0;
    EZ_TRY(put_back(input, context, line->text + length, line->n - length));
    line->n = length;
    line->first_line = input->lines + 1;
    input->lines += length != 0;
    return EZLDA_OK;
}

void ez_lines_free(ez_lines *lines)
{
    ez_free(lines->text);
    *lines = (ez_lines){0};
}

/* ---- names of compressed files ---- */

static const char *const EZ_PACKED[] = {"", ".gz", ".zst", ".xz"};
enum { EZ_N_PACKED = sizeof EZ_PACKED / sizeof *EZ_PACKED };

size_t ez_unpacked_length(const char *name, size_t n)
{
    for (int i = 0; i < EZ_N_PACKED; i++) {
        size_t ending = strlen(EZ_PACKED[i]);
        n -= n > ending && !memcmp(name + n - ending, EZ_PACKED[i], ending) ? ending : 0;
    }
    return n;
}

bool ez_find_packed(char *out, const char *path, size_t prefix, const char *name,
                    bool (*is_it)(const char *path))
{
    for (int i = 0; i < EZ_N_PACKED; i++) {
        int n = snprintf(out, EZ_PATH_SIZE, "%.*s%s%s", (int)prefix, path, name, EZ_PACKED[i]);
        if (n > 0 && n < EZ_PATH_SIZE && ez_os_is_regular(out) && (!is_it || is_it(out)))
            return true;
    }
    return false;
}
