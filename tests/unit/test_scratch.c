/* Arrays in scratch files: used, grown and freed as any other, with no file to be seen. */
#include "check.h"

#include "base/files/scratch.h"

#include <dirent.h>
#include <sys/stat.h>

static int files_in(const char *folder)
{
    int n = 0;
    DIR *directory = opendir(folder);
    for (struct dirent *entry = readdir(directory); entry; entry = readdir(directory))
        n += entry->d_name[0] != '.' || strlen(entry->d_name) > 2;
    closedir(directory);
    return n;
}

static const char *empty_folder(void)
{
    const char *folder = check_tmp("scratch");
    CHECK_EQ(mkdir(folder, 0700), 0);
    return folder;
}

/* Mappings of this process that name the folder. */
static int mappings_of(const char *folder)
{
    int n = 0;
    char line[4096];
    FILE *maps = fopen("/proc/self/maps", "r");
    while (maps && fgets(line, sizeof line, maps))
        n += strstr(line, folder) != NULL;
    if (maps)
        fclose(maps);
    return n;
}

TEST(an_array_has_no_file_to_be_seen)
{
    enum { N = 300000 };
    ezlda_context *context = check_context();
    const char *folder = empty_folder();
    uint16_t *one = NULL, *other = NULL;
    CHECK_OK(context, ez_scratch_array(&one, context, folder, N, sizeof *one, "numbers"));
    CHECK_OK(context, ez_scratch_array(&other, context, folder, N, sizeof *other, "numbers"));
    CHECK_EQ(files_in(folder), 0);
    CHECK_EQ(mappings_of(folder), 2);
    for (uint32_t i = 0; i < N; i++) {
        one[i] = (uint16_t)i;
        other[i] = (uint16_t)(i * 7);
    }
    ez_scratch_behind(one, N * sizeof *one);
    ez_scratch_ahead(one + 5, 1000);
    bool right = true;
    for (uint32_t i = 0; i < N; i++)
        right = right && one[i] == (uint16_t)i && other[i] == (uint16_t)(i * 7);
    CHECK(right);
    ez_free(one);
    CHECK_EQ(mappings_of(folder), 1);
    ez_free(other);
    CHECK_EQ(mappings_of(folder), 0);
}

TEST(a_buffer_grows_in_its_file)
{
    ezlda_context *context = check_context();
    const char *folder = empty_folder();
    ez_buffer buffer;
    CHECK_OK(context, ez_scratch_buffer(&buffer, context, folder));
    for (uint64_t i = 0; i < 100000; i++)
        CHECK_OK(context, ez_buffer_append(&buffer, context, &i, sizeof i));
    CHECK_EQ(mappings_of(folder), 1);
    CHECK_EQ(files_in(folder), 0);
    bool right = true;
    for (uint64_t i = 0; i < 100000; i++)
        right = right && ((const uint64_t *)buffer.data)[i] == i;
    CHECK(right);
    ez_free(buffer.data);
    CHECK_EQ(mappings_of(folder), 0);
}

TEST(without_a_folder_it_is_memory)
{
    ezlda_context *context = check_context();
    uint32_t *array = NULL;
    CHECK_OK(context, ez_scratch_array(&array, context, NULL, 10, sizeof *array, "numbers"));
    array[9] = 1;
    ez_free(array);
}

TEST(failures_name_the_folder)
{
    ezlda_context *context = check_context();
    const char *folder = check_tmp("nowhere");
    void *array = &context;
    CHECK_EQ(ez_scratch_array(&array, context, folder, 10, 1, "numbers"), EZLDA_ERROR_IO);
    CHECK(array == NULL);
    CHECK(strstr(ezlda_error_message(context), folder) != NULL);
    CHECK_EQ(ez_scratch_array(&array, context, folder, SIZE_MAX, 2, "numbers"), EZLDA_ERROR_MEMORY);
    CHECK(array == NULL);
}

TEST_MAIN()
