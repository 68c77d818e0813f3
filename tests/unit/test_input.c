/* Inputs: compressed files, archives, standard input, blocks of whole lines. */
#include "check.h"

#include "corpus/input/input.h"
#include "corpus_sample.h"

#include <lzma.h>
#include <sys/stat.h>
#include <zlib.h>
#include <zstd.h>

/* ---- compressed files made here ---- */

enum { PLAIN, GZIP, ZSTD, XZ, CODECS };

static size_t compress_as(int codec, const void *bytes, size_t n, unsigned char *out, size_t room)
{
    size_t used = 0;
    if (codec == GZIP) {
        z_stream stream = {0};
        deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
        stream.next_in = (unsigned char *)(uintptr_t)bytes;
        stream.avail_in = (uInt)n;
        stream.next_out = out;
        stream.avail_out = (uInt)room;
        CHECK_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
        used = stream.total_out;
        deflateEnd(&stream);
    } else if (codec == ZSTD) {
        ZSTD_CCtx *zstd = ZSTD_createCCtx();
        ZSTD_CCtx_setParameter(zstd, ZSTD_c_checksumFlag, 1);
        used = ZSTD_compress2(zstd, out, room, bytes, n);
        CHECK(!ZSTD_isError(used));
        ZSTD_freeCCtx(zstd);
    } else if (codec == XZ) {
        CHECK_EQ(lzma_easy_buffer_encode(1, LZMA_CHECK_CRC32, NULL, bytes, n, out, &used, room),
                 LZMA_OK);
    } else {
        memcpy(out, bytes, n);
        used = n;
    }
    return used;
}

enum { SIZE = 700001 };
static char sample[SIZE + 1];
static unsigned char packed[2 * SIZE];

/* Lines of growing length, the last one without its end. */
static void make_text(void)
{
    size_t at = 0;
    for (unsigned i = 0; at < SIZE; i++)
        at += (size_t)snprintf(sample + at, sizeof sample - at, "%u: %.*s\n", i, (int)(i % 60),
                               "the quick brown fox jumps over the lazy dog, and then again...");
    sample[SIZE - 1] = 'x';
}

static void check_reads_back(const char *path, size_t step)
{
    ezlda_context *context = check_context();
    static char back[2 * SIZE + 10];
    ez_input *input = NULL;
    CHECK_OK(context, ez_input_open(&input, context, path));
    if (!input)
        return;
    const unsigned char *first;
    size_t n, at = 0, got;
    CHECK_OK(context, ez_input_peek(input, context, &first, &n));
    CHECK_EQ(n, 65536);
    CHECK(!memcmp(first, sample, n));
    do {
        CHECK_OK(context, ez_input_read(input, context, back + at, step, &got));
        at += got;
    } while (got == step && at + step <= sizeof back);
    CHECK_EQ(at, SIZE);
    CHECK(!memcmp(back, sample, SIZE));
    ez_input_close(input);
}

TEST(every_codec_reads_back)
{
    make_text();
    for (int codec = PLAIN; codec < CODECS; codec++) {
        const char *path = check_tmp("text"); /* the name says nothing */
        size_t n = compress_as(codec, sample, SIZE, packed, sizeof packed);
        write_file(path, packed, n);
        check_reads_back(path, 1000);
        check_reads_back(path, 1 << 19);
    }
}

TEST(several_members_are_one_text)
{
    make_text();
    for (int codec = GZIP; codec < CODECS; codec++) {
        const char *path = check_tmp("text");
        size_t n = 0, piece = 200000;
        for (size_t at = 0; at < SIZE; at += piece)
            n += compress_as(codec, sample + at, SIZE - at < piece ? SIZE - at : piece, packed + n,
                             sizeof packed - n);
        n += compress_as(codec, "", 0, packed + n, sizeof packed - n);
        write_file(path, packed, n);
        check_reads_back(path, 65536);
        if (codec == GZIP) { /* zeros may pad a tape */
            memset(packed + n, 0, 512);
            write_file(path, packed, n + 512);
            check_reads_back(path, 65536);
        }
    }
}

static ezlda_status read_all(const char *path, size_t *total)
{
    ezlda_context *context = check_context();
    ez_input *input = NULL;
    static char buffer[65536];
    ez_clear(context);
    EZ_TRY(ez_input_open(&input, context, path));
    ezlda_status status;
    size_t got;
    *total = 0;
    do {
        status = ez_input_read(input, context, buffer, sizeof buffer, &got);
        *total += status == EZLDA_OK ? got : 0;
    } while (status == EZLDA_OK && got == sizeof buffer);
    ez_input_close(input);
    return status;
}

TEST(truncated_and_damaged_files_are_refused)
{
    ezlda_context *context = check_context();
    const char *text = "a short text that is packed, cut and changed\n";
    static const char *const names[] = {"", "gzip data", "zstd data", "xz data"};
    for (int codec = GZIP; codec < CODECS; codec++) {
        const char *path = check_tmp("text");
        size_t n = compress_as(codec, text, strlen(text), packed, sizeof packed), total;
        for (size_t cut = 8; cut < n; cut++) {
            write_file(path, packed, cut);
            CHECK_FAILS(context, read_all(path, &total), names[codec]);
        }
        for (size_t at = 12; at < n; at++) {
            packed[at] ^= 0x55;
            write_file(path, packed, n);
            packed[at] ^= 0x55;
            ezlda_status status = read_all(path, &total);
            CHECK(status != EZLDA_OK || total == strlen(text));
        }
        strcpy((char *)packed + n, "trailing garbage");
        write_file(path, packed, n + 16);
        CHECK_FAILS(context, read_all(path, &total), "data are damaged");
    }
}

TEST(a_small_file_does_not_unpack_without_end)
{
    enum { MEBIBYTE = 1 << 20, FREE = 64 };
    ezlda_context *context = check_context();
    static char zeros[MEBIBYTE];
    for (int codec = GZIP; codec < CODECS; codec++) {
        const char *path = check_tmp("zeros");
        size_t one = compress_as(codec, zeros, sizeof zeros, packed, sizeof packed), total;
        for (size_t i = 1; i <= FREE; i++)
            memcpy(packed + i * one, packed, one);
        write_file(path, packed, FREE * one);
        CHECK_OK(context, read_all(path, &total));
        CHECK_EQ(total, (size_t)FREE * MEBIBYTE);
        write_file(path, packed, (FREE + 1) * one);
        CHECK_FAILS(context, read_all(path, &total),
                    "zeros: unpacks to more than 250 times its size");
    }
}

TEST(what_cannot_be_opened)
{
    ezlda_context *context = check_context();
    size_t total;
    CHECK_FAILS(context, read_all(check_tmp("none"), &total),
                "none: cannot open: No such file or directory");
    CHECK_FAILS(context, read_all("/tmp", &total),
                "/tmp: cannot read: is a directory, expected a file");
    const char *path = check_tmp("empty");
    write_file(path, "", 0);
    CHECK_OK(context, read_all(path, &total));
    CHECK_EQ(total, 0);
    if (geteuid() != 0) {
        chmod(path, 0);
        CHECK_FAILS(context, read_all(path, &total), "empty: cannot open: Permission denied");
    }
}

TEST(standard_input)
{
    ezlda_context *context = check_context();
    const char *path = check_tmp("in");
    write_file(path, "hello", 5);
    CHECK(freopen(path, "r", stdin) != NULL);
    ez_input *input = NULL;
    CHECK_OK(context, ez_input_open(&input, context, "-"));
    CHECK_STR(ez_input_name(input), "standard input");
    char bytes[10];
    size_t got;
    CHECK_OK(context, ez_input_read(input, context, bytes, sizeof bytes, &got));
    CHECK_EQ(got, 5);
    ez_input_close(input);
}

/* ---- lines ---- */

static void check_lines(const char *path, size_t target)
{
    ezlda_context *context = check_context();
    ez_input *input = NULL;
    ez_lines lines = {0};
    CHECK_OK(context, ez_input_open(&input, context, path));
    const unsigned char *peeked;
    size_t n, at = 0, bad = 0;
    uint64_t next = 1;
    CHECK_OK(context, ez_input_peek(input, context, &peeked, &n));
    do {
        if (at == 0 || at > 300000)
            CHECK_OK(context, ez_input_line(input, context, &lines));
        else
            CHECK_OK(context, ez_input_lines(input, context, target, &lines));
        bad += lines.n && (lines.text[lines.n - 1] != '\n' || lines.first_line != next);
        size_t there = SIZE - at < lines.n ? SIZE - at : lines.n;
        bad += memcmp(lines.text, sample + at, there) != 0;
        for (size_t i = 0; i < lines.n; i++)
            next += lines.text[i] == '\n';
        at += lines.n;
    } while (lines.n);
    CHECK_EQ(bad, 0);
    CHECK_EQ(at, SIZE + 1); /* the last line got its end */
    ez_lines_free(&lines);
    ez_input_close(input);
}

TEST(blocks_of_whole_lines)
{
    make_text();
    const char *path = check_tmp("text");
    for (int codec = PLAIN; codec < CODECS; codec++) {
        write_file(path, packed, compress_as(codec, sample, SIZE, packed, sizeof packed));
        check_lines(path, 1);
        check_lines(path, 100);
        check_lines(path, 70000);
        check_lines(path, 10 * SIZE);
    }
}

TEST(a_long_line_grows_the_block)
{
    ezlda_context *context = check_context();
    const char *path = check_tmp("text");
    memset(sample, 'a', SIZE);
    sample[SIZE - 2] = '\n';
    write_file(path, sample, SIZE);
    ez_input *input = NULL;
    ez_lines lines = {0};
    CHECK_OK(context, ez_input_open(&input, context, path));
    CHECK_OK(context, ez_input_lines(input, context, 10, &lines));
    CHECK_EQ(lines.n, SIZE + 1);
    CHECK_EQ(lines.first_line, 1);
    CHECK_OK(context, ez_input_lines(input, context, 10, &lines));
    CHECK_EQ(lines.n, 0);
    CHECK_EQ(lines.first_line, 3);
    ez_lines_free(&lines);
    ez_input_close(input);
}

TEST_MAIN()
