/* Container files: what is written is read back, and damaged or forged files are refused. */
#include "check.h"

#include "base/files/container.h"
#include "base/files/container_layout.h"
#include "base/files/content_hash.h"

#include <fcntl.h>
#include <sys/stat.h>

static const char MAGIC[8] = "EZLDATST";

enum {
    TAG_A = EZ_TAG('A', 'A', 'A', 'A'),
    TAG_B = EZ_TAG('B', 'B', 'B', 'B'),
    TAG_C = EZ_TAG('C', 'C', 'C', 'C')
};

static ezlda_status write_sample(ezlda_context *context, const char *path, ez_container **image)
{
    ez_container_writer *writer;
    EZ_TRY(ez_container_writer_open(&writer, context, path, MAGIC, 1));
    EZ_TRY(ez_container_begin(writer, context, TAG_A));
    EZ_TRY(ez_container_write(writer, context, "hello ", 6));
    EZ_TRY(ez_container_write(writer, context, "world", 5));
    EZ_TRY(ez_container_begin(writer, context, TAG_B));
    EZ_TRY(ez_container_begin(writer, context, TAG_C));
    for (int i = 0; i < 100; i++)
        EZ_TRY(ez_container_write(writer, context, &i, sizeof i));
    return ez_container_finish(writer, context, image);
}

static size_t read_file(const char *path, unsigned char *bytes, size_t capacity)
{
    FILE *file = fopen(path, "rb");
    size_t n = file ? fread(bytes, 1, capacity, file) : 0;
    if (file)
        fclose(file);
    return n;
}

static void write_file(const char *path, const void *bytes, size_t n)
{
    FILE *file = fopen(path, "wb");
    CHECK(file != NULL);
    if (!file)
        return;
    CHECK_EQ(fwrite(bytes, 1, n, file), n);
    fclose(file);
}

static int files_in(const char *folder)
{
    char command[600];
    snprintf(command, sizeof command, "exit $(ls -A '%s' | wc -l)", folder);
    int status = system(command);
    return WEXITSTATUS(status);
}

static void check_sample(const ez_container *container)
{
    uint64_t bytes;
    const void *section = ez_container_section(container, TAG_A, &bytes);
    CHECK_EQ(bytes, 11);
    CHECK(section && !memcmp(section, "hello world", 11));
    CHECK(ez_container_section(container, TAG_B, &bytes) != NULL);
    CHECK_EQ(bytes, 0);
    const int *numbers = ez_container_section(container, TAG_C, &bytes);
    CHECK_EQ(bytes, 400);
    CHECK(numbers && numbers[99] == 99);
    CHECK((uintptr_t)numbers % 4 == 0);
    CHECK(ez_container_section(container, EZ_TAG('N', 'O', 'N', 'E'), &bytes) == NULL);
    CHECK(ez_container_section_hash(container, TAG_A) !=
          ez_container_section_hash(container, TAG_C));
    CHECK_EQ(ez_container_section_hash(container, EZ_TAG('N', 'O', 'N', 'E')), 0);
    CHECK_EQ(ez_container_bytes(container),
             ez_container_size_of((const uint64_t[]){11, 0, 400}, 3));
    ez_container_release_pages(container);
    CHECK(!memcmp(section, "hello world", 11));
}

TEST(file_and_memory_agree)
{
    ezlda_context *context = check_context();
    const char *path = check_tmp("a.bin");
    ez_container *file = NULL, *memory = NULL;
    CHECK_OK(context, write_sample(context, path, NULL));
    CHECK_OK(context, ez_container_open(&file, context, path, MAGIC, 1));
    CHECK_OK(context, write_sample(context, NULL, &memory));
    if (!file || !memory)
        return;
    check_sample(file);
    check_sample(memory);
    CHECK_STR(ez_container_path(file), path);
    CHECK_STR(ez_container_path(memory), "");

    const char *copy = check_tmp("b.bin");
    CHECK_OK(context, ez_container_save(memory, context, copy));
    unsigned char a[4096], b[4096];
    size_t n = read_file(path, a, sizeof a);
    CHECK_EQ(read_file(copy, b, sizeof b), n);
    CHECK(!memcmp(a, b, n));
    ez_container_free(file);
    ez_container_free(memory);
}

TEST(every_flipped_byte_is_refused)
{
    ezlda_context *context = check_context();
    const char *path = check_tmp("a.bin"), *bad = check_tmp("bad.bin");
    CHECK_OK(context, write_sample(context, path, NULL));
    unsigned char bytes[4096];
    size_t n = read_file(path, bytes, sizeof bytes);
    for (size_t i = 0; i < n; i++) {
        bytes[i] ^= (unsigned char)(1u << (i % 8));
        write_file(bad, bytes, n);
        bytes[i] ^= (unsigned char)(1u << (i % 8));
        ez_container *container = NULL;
        if (ez_container_open(&container, context, bad, MAGIC, 1) == EZLDA_OK)
            CHECK_FAIL("flipping byte %zu went unnoticed", i);
        ez_container_free(container);
    }
}

TEST(every_truncation_is_refused)
{
    ezlda_context *context = check_context();
    const char *path = check_tmp("a.bin"), *bad = check_tmp("bad.bin");
    CHECK_OK(context, write_sample(context, path, NULL));
    unsigned char bytes[4096] = {0};
    size_t n = read_file(path, bytes, sizeof bytes - 1);
    for (size_t i = 0; i <= n + 1; i++) {
        if (i == n)
            continue;
        write_file(bad, bytes, i);
        ez_container *container = NULL;
        if (ez_container_open(&container, context, bad, MAGIC, 1) == EZLDA_OK)
            CHECK_FAIL("a length of %zu instead of %zu went unnoticed", i, n);
        ez_container_free(container);
    }
}

/* Rewrites the checksums of table and footer, as a forger would. */
static void reseal(unsigned char *bytes, size_t n)
{
    ez_footer footer;
    memcpy(&footer, bytes + n - sizeof footer, sizeof footer);
    footer.table_hash =
        ez_hash_bytes(bytes + footer.table_offset, footer.sections * sizeof(ez_section));
    footer.hash = ez_hash_bytes(&footer, offsetof(ez_footer, hash));
    memcpy(bytes + n - sizeof footer, &footer, sizeof footer);
}

static void check_forged(const unsigned char *sample, size_t n, size_t entry, size_t field,
                         uint64_t value)
{
    ezlda_context *context = check_context();
    unsigned char bytes[4096];
    memcpy(bytes, sample, n);
    ez_footer footer;
    memcpy(&footer, bytes + n - sizeof footer, sizeof footer);
    memcpy(bytes + footer.table_offset + entry * sizeof(ez_section) + field, &value, sizeof value);
    reseal(bytes, n);
    const char *bad = check_tmp("bad.bin");
    write_file(bad, bytes, n);
    ez_container *container = NULL;
    ez_clear(context);
    CHECK_FAILS(context, ez_container_open(&container, context, bad, MAGIC, 1),
                "damaged or truncated file");
}

TEST(forged_tables_are_refused)
{
    ezlda_context *context = check_context();
    const char *path = check_tmp("a.bin");
    CHECK_OK(context, write_sample(context, path, NULL));
    unsigned char bytes[4096];
    size_t n = read_file(path, bytes, sizeof bytes);
    check_forged(bytes, n, 0, offsetof(ez_section, offset), UINT64_MAX - 63);
    check_forged(bytes, n, 0, offsetof(ez_section, offset), 128);
    check_forged(bytes, n, 0, offsetof(ez_section, bytes), UINT64_MAX);
    check_forged(bytes, n, 0, offsetof(ez_section, bytes), UINT64_MAX - 64);
    check_forged(bytes, n, 2, offsetof(ez_section, bytes), 449);
    check_forged(bytes, n, 2, offsetof(ez_section, bytes), 100);
    check_forged(bytes, n, 1, offsetof(ez_section, tag), TAG_A);
}

TEST(messages_name_file_and_cause)
{
    ezlda_context *context = check_context();
    ez_container *container = NULL;
    const char *path = check_tmp("a.bin");
    CHECK_FAILS(context, ez_container_open(&container, context, path, MAGIC, 1),
                "a.bin: cannot open: No such file");
    ez_clear(context);
    CHECK_FAILS(context, ez_container_open(&container, context, "/", MAGIC, 1),
                "/: cannot read: is a directory");
    write_file(path, "", 0);
    ez_clear(context);
    CHECK_FAILS(context, ez_container_open(&container, context, path, MAGIC, 1),
                "a.bin: expected a file that opens "
                "with \"EZLDATST\", found an empty file");
    CHECK_OK(context, write_sample(context, path, NULL));
    ez_clear(context);
    CHECK_FAILS(context, ez_container_open(&container, context, path, "EZLDAXXX", 1),
                "found other content");
    ez_clear(context);
    CHECK_FAILS(context, ez_container_open(&container, context, path, MAGIC, 2),
                "expected version 2 of its format, "
                "found 1");
    ez_clear(context);
    CHECK_FAILS(context, ez_container_open(&container, context, path, MAGIC, 0), "newer ezlda");
}

TEST(a_section_comes_once)
{
    ezlda_context *context = check_context();
    ez_container_writer *writer;
    CHECK_OK(context, ez_container_writer_open(&writer, context, NULL, MAGIC, 1));
    CHECK_FAILS(context, ez_container_write(writer, context, "x", 1), "outside a section");
    CHECK_OK(context, ez_container_begin(writer, context, TAG_A));
    ez_clear(context);
    CHECK_FAILS(context, ez_container_begin(writer, context, TAG_A), "written twice");
    ez_container_writer_abandon(writer);
}

TEST(hash_does_not_depend_on_pieces)
{
    ezlda_context *context = check_context();
    size_t n = 3 * EZ_HASH_PIECE + 12345;
    unsigned char *bytes = malloc(n);
    for (size_t i = 0; i < n; i++)
        bytes[i] = (unsigned char)(i * i >> 7);
    uint64_t whole, parts, one_thread;
    CHECK_OK(context, ez_content_hash(&whole, context, bytes, n));
    ezlda_context_set_threads(context, 1);
    CHECK_OK(context, ez_content_hash(&one_thread, context, bytes, n));
    CHECK_EQ(one_thread, whole);
    ez_hasher *hasher;
    CHECK_OK(context, ez_hasher_create(&hasher, context));
    for (int round = 0; round < 2; round++) {
        for (size_t at = 0; at < n; at += 77777)
            CHECK_OK(context,
                     ez_hasher_add(hasher, context, bytes + at, n - at < 77777 ? n - at : 77777));
        CHECK_OK(context, ez_hasher_finish(hasher, context, &parts));
        CHECK_EQ(parts, whole);
    }
    ez_hasher_free(hasher);
    free(bytes);
}

TEST(nothing_is_left_behind)
{
    ezlda_context *context = check_context();
    const char *path = check_tmp("a.bin");
    char folder[300];
    snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(path, '/') - path), path);
    ez_output *output;
    CHECK_OK(context, ez_output_open(&output, context, path));
    CHECK_OK(context, ez_output_write(output, context, "abc", 3));
    CHECK_EQ(ez_output_position(output), 3);
    CHECK_EQ(files_in(folder), 1);
    ez_output_abandon(output);
    CHECK_EQ(files_in(folder), 0);
    CHECK_OK(context, write_sample(context, path, NULL));
    CHECK_EQ(files_in(folder), 1);
    CHECK_FAILS(context, ez_output_open(&output, context, folder), "is a directory");
    ez_clear(context);
    CHECK_FAILS(context, ez_output_open(&output, context, check_tmp("no/such/file")),
                "cannot create: No such file");
}

TEST(an_existing_file_keeps_mode_and_link)
{
    ezlda_context *context = check_context();
    const char *path = check_tmp("a.bin"), *link = check_tmp("link.bin");
    write_file(path, "old", 3);
    CHECK_EQ(chmod(path, 0640), 0);
    CHECK_EQ(symlink(path, link), 0);
    CHECK_OK(context, write_sample(context, link, NULL));
    struct stat info;
    CHECK_EQ(lstat(link, &info), 0);
    CHECK(S_ISLNK(info.st_mode));
    CHECK_EQ(stat(path, &info), 0);
    CHECK_EQ(info.st_mode & 0777, 0640);
    CHECK(info.st_size > 3);
}

TEST(devices_and_pipes_are_written_straight)
{
    ezlda_context *context = check_context();
    CHECK_OK(context, write_sample(context, "/dev/null", NULL));
    CHECK_FAILS(context, write_sample(context, "/dev/full", NULL),
                "/dev/full: cannot write: No space left on device");
    const char *pipe_path = check_tmp("pipe"), *copy = check_tmp("copy.bin");
    CHECK_EQ(mkfifo(pipe_path, 0600), 0);
    char command[800];
    snprintf(command, sizeof command, "cat '%s' > '%s' &", pipe_path, copy);
    CHECK_EQ(system(command), 0);
    ez_clear(context);
    CHECK_OK(context, write_sample(context, pipe_path, NULL));
    struct stat info;
    CHECK_EQ(stat(pipe_path, &info), 0);
    CHECK(S_ISFIFO(info.st_mode));

    snprintf(command, sizeof command, "cat '%s' > '%s' &", copy, pipe_path);
    uint64_t expected = ez_container_size_of((const uint64_t[]){11, 0, 400}, 3);
    for (int i = 0; i < 6000 && (stat(copy, &info) != 0 || (uint64_t)info.st_size < expected); i++)
        usleep(10000);
    CHECK_EQ(system(command), 0);
    ez_container *container = NULL;
    CHECK_OK(context, ez_container_open(&container, context, pipe_path, MAGIC, 1));
    if (container)
        check_sample(container);
    ez_container_free(container);
}

TEST_MAIN()
