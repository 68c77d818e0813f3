/* Files of blocks that many threads make: plain and deflated, from several sources, and failures.
 */
#include "check.h"

#include "base/files/block_writer.h"
#include "base/number_text.h"

#include <zlib.h>

/* Block i: i % 5 thousand lines. */
static ezlda_status make_lines(void *user, ezlda_context *context, uint64_t i, ez_buffer *bytes)
{
    (void)user;
    for (uint64_t j = 0; j < i % 5 * 1000; j++) {
        EZ_TRY(ez_append_whole(bytes, context, i * 10007 + j * j));
        EZ_TRY(ez_append_text(bytes, context, "\n"));
    }
    return EZLDA_OK;
}

static ezlda_status make_failure(void *user, ezlda_context *context, uint64_t i, ez_buffer *bytes)
{
    EZ_TRY(make_lines(user, context, i, bytes));
    return i == 17 ? ez_fail(context, EZLDA_ERROR_INTERNAL, "block 17 is no good") : EZLDA_OK;
}

static size_t read_gzip(const char *path, char *text, size_t size)
{
    gzFile file = gzopen(path, "rb");
    CHECK(file != NULL);
    int n = gzread(file, text, (unsigned)size);
    CHECK_EQ(gzclose(file), Z_OK);
    return n > 0 ? (size_t)n : 0;
}

TEST(blocks_are_one_gzip_stream)
{
    enum { SIZE = 1 << 20 };
    ezlda_context *context = check_context();
    const ez_block_source source = {41, make_lines, NULL};
    char *text = calloc(SIZE, 1), *plain = calloc(SIZE, 1);
    ezlda_context_set_threads(context, 3);
    CHECK_OK(context, ez_write_block_file(context, check_tmp("a.gz"), &source, true));
    CHECK_OK(context, ez_write_block_file(context, check_tmp("a"), &source, false));
    size_t n = read_gzip(check_tmp("a.gz"), text, SIZE);
    CHECK(n > 400000 && n < SIZE);
    CHECK_EQ(read_gzip(check_tmp("a"), plain, SIZE), n);
    CHECK(memcmp(text, plain, n) == 0);
    free(text);
    free(plain);
}

TEST(a_failed_block_leaves_no_file)
{
    ezlda_context *context = check_context();
    const ez_block_source source = {41, make_failure, NULL};
    CHECK_FAILS(context, ez_write_block_file(context, check_tmp("a.gz"), &source, true),
                "block 17");
    CHECK(access(check_tmp("a.gz"), F_OK) != 0);
}

/* The blocks of a source in order, for a source that comes in pieces of other sizes. */
typedef struct piece_of_lines {
    uint64_t first;
} piece_of_lines;

static ezlda_status make_piece(void *user, ezlda_context *context, uint64_t i, ez_buffer *bytes)
{
    const piece_of_lines *piece = user;
    return make_lines(NULL, context, piece->first + i, bytes);
}

static void write_pieces(ezlda_context *context, const char *path)
{
    static const uint64_t sizes[] = {1, 0, 25, 2, 13};
    ez_output *output;
    ez_block_writer *writer;
    ez_block_sums sums;
    piece_of_lines piece = {0};
    CHECK_OK(context, ez_output_open(&output, context, path));
    CHECK_OK(context, ez_block_writer_create(&writer, context, output, false));
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; piece.first += sizes[i++]) {
        const ez_block_source source = {sizes[i], make_piece, &piece};
        CHECK_OK(context, ez_block_writer_add(writer, context, &source));
    }
    CHECK_OK(context, ez_block_writer_finish(writer, context, &sums));
    CHECK_EQ(sums.bytes, ez_output_position(output));
    ez_block_writer_free(writer);
    CHECK_OK(context, ez_output_commit(output, context));
}

TEST(sources_follow_each_other)
{
    enum { SIZE = 1 << 20 };
    static char whole[SIZE], pieces[SIZE];
    ezlda_context *context = check_context();
    const ez_block_source source = {41, make_lines, NULL};
    for (int threads = 1; threads <= 5; threads += 2) {
        ezlda_context_set_threads(context, threads);
        CHECK_OK(context, ez_write_block_file(context, check_tmp("a"), &source, false));
        write_pieces(context, check_tmp("b"));
        size_t n = read_gzip(check_tmp("a"), whole, SIZE);
        CHECK_EQ(read_gzip(check_tmp("b"), pieces, SIZE), n);
        CHECK(n > 400000 && memcmp(whole, pieces, n) == 0);
    }
}

TEST(a_full_disk_is_reported)
{
    ezlda_context *context = check_context();
    const ez_block_source source = {400, make_lines, NULL};
    if (access("/dev/full", W_OK) != 0)
        return;
    for (int threads = 1; threads <= 3; threads++) {
        ezlda_context_set_threads(context, threads);
        CHECK_FAILS(context, ez_write_block_file(context, "/dev/full", &source, false),
                    "No space left");
    }
}

TEST_MAIN()
