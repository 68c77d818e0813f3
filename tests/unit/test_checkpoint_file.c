/* Checkpoints of a folder: which is used, ignored or refused. (tests/cli/test_checkpoint.py resumes
 * runs.) */
#include "check.h"
#include "train/checkpoint/checkpoint_file.h"

#include <sys/stat.h>

static void write_version(const char *folder, uint32_t iteration, uint32_t version)
{
    char path[512];
    ezlda_context *context = check_context();
    ez_container_writer *writer = NULL;
    snprintf(path, sizeof path, "%s/checkpoint-%08u.ezk", folder, iteration);
    CHECK_OK(context,
             ez_container_writer_open(&writer, context, path, EZ_CHECKPOINT_MAGIC, version));
    CHECK_OK(context, ez_container_begin(writer, context, EZ_CHECKPOINT_META));
    CHECK_OK(context, ez_container_finish(writer, context, NULL));
}

/* Resuming from an older one, or from the start, would lose the newer one. */
TEST(another_version_is_refused)
{
    ezlda_context *context = check_context();
    const char *folder = check_tmp("points");
    ez_checkpoint_key key = {.topics = 5};
    ez_checkpoint *found = NULL;
    CHECK_EQ(mkdir(folder, 0777), 0);
    write_version(folder, 5, EZ_CHECKPOINT_VERSION + 1);
    CHECK_FAILS(context, ez_checkpoint_newest(&found, context, folder, &key, 10),
                "written by a newer ezlda");
    CHECK(found == NULL);
    ez_clear(context);
    write_version(folder, 6, EZ_CHECKPOINT_VERSION - 1);
    CHECK_FAILS(context, ez_checkpoint_newest(&found, context, folder, &key, 10),
                "checkpoint-00000006.ezk: expected version");
}

TEST(a_damaged_one_is_passed_over)
{
    ezlda_context *context = check_context();
    const char *folder = check_tmp("points");
    ez_checkpoint_key key = {.topics = 5};
    ez_checkpoint *found = NULL;
    CHECK_EQ(mkdir(folder, 0777), 0);
    write_version(folder, 5, EZ_CHECKPOINT_VERSION); /* without its sections */
    CHECK_OK(context, ez_checkpoint_newest(&found, context, folder, &key, 10));
    CHECK(found == NULL);
}

TEST_MAIN()
