/* Files that are not what they claim: damaged, cut short, or with right checksums and wrong
 * content. Run under ASan and UBSan this also shows that nothing outside the mapping is read. */
#include "check.h"

#include "base/files/container.h"
#include "model/model_layout.h"
#include "model_example.h"

#include <fcntl.h>
#include <sys/stat.h>

static ezlda_model *saved_example(example *e, const char *path)
{
    example_make(e, 1);
    ezlda_context_set_threads(check_context(), 1);
    ezlda_model *model = example_model(e);
    CHECK_OK(check_context(), ezlda_model_save(check_context(), model, path));
    return model;
}

static int refused(const char *path)
{
    ezlda_model *model = NULL;
    ezlda_status status = ezlda_model_load(&model, check_context(), path);
    int named = strncmp(ezlda_error_message(check_context()), path, strlen(path)) == 0;
    ezlda_model_free(model);
    return status == EZLDA_ERROR_FORMAT && !model && named;
}

TEST(every_flipped_byte_is_refused)
{
    static example e;
    const char *path = check_tmp("m");
    ezlda_model *model = saved_example(&e, path);
    int fd = open(path, O_RDWR);
    off_t size = lseek(fd, 0, SEEK_END);
    CHECK(size > 1000);
    for (off_t at = 0; at < size; at++) {
        unsigned char byte, flipped;
        CHECK_EQ(pread(fd, &byte, 1, at), 1);
        flipped = byte ^ (unsigned char)(1u << at % 8);
        CHECK_EQ(pwrite(fd, &flipped, 1, at), 1);
        if (!refused(path))
            CHECK_FAIL("byte %lld flipped and not refused", (long long)at);
        CHECK_EQ(pwrite(fd, &byte, 1, at), 1);
    }
    CHECK(!refused(path));
    close(fd);
    ezlda_model_free(model);
}

TEST(every_truncation_is_refused)
{
    static example e;
    const char *path = check_tmp("m");
    ezlda_model *model = saved_example(&e, path);
    struct stat info;
    CHECK_EQ(stat(path, &info), 0);
    for (off_t size = info.st_size - 1; size >= 0; size--) {
        CHECK_EQ(truncate(path, size), 0);
        if (!refused(path))
            CHECK_FAIL("cut to %lld bytes and not refused", (long long)size);
    }
    ezlda_model_free(model);
}

TEST(what_is_no_file_is_refused)
{
    ezlda_context *context = check_context();
    ezlda_model *model = NULL;
    CHECK_FAILS(context, ezlda_model_load(&model, context, check_tmp("missing")), "missing");
    CHECK_FAILS(context, ezlda_model_load(&model, context, "/tmp"), "/tmp");
    CHECK_FAILS(context, ezlda_model_load(&model, context, NULL), "path");
    CHECK(model == NULL);
}

/* A change of one section: bytes written over it at an offset, or another length (content repeated
 * or cut). */
typedef struct change {
    uint32_t tag;
    uint64_t at;
    const void *bytes;
    size_t n;
    int64_t longer; /* bytes more (less); INT64_MIN: the section is removed */
} change;

static const uint32_t sections[] = {
    EZ_MODEL_META,    EZ_MODEL_ALPHA,        EZ_MODEL_TOPIC_TOKENS, EZ_MODEL_W_START,
    EZ_MODEL_W_TOPIC, EZ_MODEL_W_COUNT,      EZ_MODEL_W_LARGE,      EZ_MODEL_D_START,
    EZ_MODEL_D_TOPIC, EZ_MODEL_D_COUNT,      EZ_MODEL_D_LARGE,      EZ_MODEL_DOC_START,
    EZ_MODEL_WORDS,   EZ_MODEL_WORDS_INDEX,  EZ_MODEL_NAMES,        EZ_MODEL_NAMES_INDEX,
    EZ_MODEL_LLPT,    EZ_MODEL_TOKEN_TOPICS, EZ_MODEL_TRAINING,     EZ_MODEL_RUN,
};
enum { SECTIONS = sizeof sections / sizeof *sections };

/* Writes to a file, or to memory if path is NULL. */
static ez_container *write_changed(const ezlda_model *model, const char *path,
                                   const change *changes, size_t n_changes)
{
    ez_container *image = NULL;
    ezlda_context *context = check_context();
    ez_container_writer *writer = NULL;
    CHECK_OK(context,
             ez_container_writer_open(&writer, context, path, EZ_MODEL_MAGIC, EZ_MODEL_VERSION));
    for (size_t s = 0; s < SECTIONS; s++) {
        uint64_t n;
        const void *content = ez_container_section(model->container, sections[s], &n);
        unsigned char *bytes = calloc(n + 4096, 1);
        int left_out = 0;
        memcpy(bytes, content, n);
        for (size_t i = 0; i < n_changes; i++) {
            if (changes[i].tag != sections[s])
                continue;
            left_out = changes[i].longer == INT64_MIN;
            n += left_out ? 0 : (uint64_t)changes[i].longer;
            CHECK(changes[i].at + changes[i].n <= n);
            if (changes[i].n)
                memcpy(bytes + changes[i].at, changes[i].bytes, changes[i].n);
        }
        if (!left_out) {
            CHECK_OK(context, ez_container_begin(writer, context, sections[s]));
            CHECK_OK(context, ez_container_write(writer, context, bytes, n));
        }
        free(bytes);
    }
    CHECK_OK(context, ez_container_finish(writer, context, &image));
    return image;
}

static void expect(const ezlda_model *model, const char *message, const change *changes, size_t n)
{
    const char *path = check_tmp("changed");
    ezlda_model *loaded = NULL;
    write_changed(model, path, changes, n);
    for (int threads = 1; threads <= 3; threads++) {
        ezlda_context_set_threads(check_context(), threads);
        CHECK_FAILS(check_context(), ezlda_model_load(&loaded, check_context(), path), message);
        CHECK(strncmp(ezlda_error_message(check_context()), path, strlen(path)) == 0);
        CHECK(loaded == NULL);
    }
    ezlda_context_set_threads(check_context(), 1);
}

#define CHANGED(type, tag, offset, ...)                    \
    {                                                      \
        tag, offset, &(type){__VA_ARGS__}, sizeof(type), 0 \
    }
#define EXPECT(message, ...)                              \
    expect(model, message, (const change[]){__VA_ARGS__}, \
           sizeof((const change[]){__VA_ARGS__}) / sizeof(change))

TEST(the_unchanged_copy_is_accepted)
{
    static example e;
    ezlda_model *model = saved_example(&e, check_tmp("m")), *loaded = NULL;
    write_changed(model, check_tmp("changed"), NULL, 0);
    CHECK_OK(check_context(), ezlda_model_load(&loaded, check_context(), check_tmp("changed")));
    ezlda_model_free(loaded);
    ezlda_model_free(model);
}

TEST(sections_of_a_wrong_size_are_refused)
{
    static example e;
    ezlda_model *model = saved_example(&e, check_tmp("m"));
    for (size_t s = 0; s < SECTIONS; s++) {
        static const int64_t longer[] = {-1, 1, 2, -8, 8, 16, 64, INT64_MIN};
        for (size_t i = 0; i < sizeof longer / sizeof *longer; i++) {
            int optional = sections[s] == EZ_MODEL_TOKEN_TOPICS ||
                           sections[s] == EZ_MODEL_NAMES_INDEX || sections[s] == EZ_MODEL_TRAINING;
            if (optional && longer[i] == INT64_MIN)
                continue;
            EXPECT("", {sections[s], 0, NULL, 0, longer[i]});
        }
    }
    EXPECT("section ALPH: expected 7 x 8 bytes, found 0 bytes (it is missing)",
           {EZ_MODEL_ALPHA, 0, NULL, 0, INT64_MIN});
    EXPECT("section WCNT", {EZ_MODEL_W_COUNT, 0, NULL, 0, 1});
    EXPECT("section RUN: expected 112 bytes for 3 scores, found 111",
           {EZ_MODEL_RUN, 0, NULL, 0, -1});
    EXPECT("strings of the words: expected 37 terminated ones", {EZ_MODEL_WORDS, 0, NULL, 0, -1});
    ezlda_model_free(model);
}

TEST(wrong_settings_are_refused)
{
    static example e;
    ezlda_model *model = saved_example(&e, check_tmp("m"));
    EXPECT("expected 1 to 65536 topics, found 0", CHANGED(uint32_t, EZ_MODEL_META, 0, 0));
    EXPECT("expected 1 to 65536 topics", CHANGED(uint32_t, EZ_MODEL_META, 0, 65537));
    EXPECT("section ALPH", CHANGED(uint32_t, EZ_MODEL_META, 0, 65536));
    EXPECT("section WSTA", CHANGED(uint32_t, EZ_MODEL_META, 4, UINT32_MAX));
    EXPECT("documents", CHANGED(uint64_t, EZ_MODEL_META, 8, UINT64_MAX));
    EXPECT("section DSTA", CHANGED(uint64_t, EZ_MODEL_META, 8, UINT32_MAX));
    EXPECT("section TTOP", CHANGED(uint64_t, EZ_MODEL_META, 16, UINT64_MAX / 2 + 1));
    EXPECT("beta", CHANGED(double, EZ_MODEL_META, 32, 0));
    EXPECT("beta", CHANGED(double, EZ_MODEL_META, 32, -1));
    EXPECT("beta", CHANGED(double, EZ_MODEL_META, 32, NAN));
    EXPECT("beta", CHANGED(double, EZ_MODEL_META, 32, 1e308));
    EXPECT("estimator", CHANGED(uint32_t, EZ_MODEL_META, 68, 2));
    EXPECT("alpha of topic 2", CHANGED(double, EZ_MODEL_ALPHA, 16, 0));
    EXPECT("alpha of topic 2", CHANGED(double, EZ_MODEL_ALPHA, 16, INFINITY));
    EXPECT("alpha of topic 6", CHANGED(double, EZ_MODEL_ALPHA, 48, NAN));
    EXPECT("prior 0 of the run", CHANGED(double, EZ_MODEL_TRAINING, 0, 0));
    EXPECT("prior 7 of the run", CHANGED(double, EZ_MODEL_TRAINING, 56, INFINITY));
    EXPECT("finite sum", CHANGED(double, EZ_MODEL_ALPHA, 0, 1e308),
           CHANGED(double, EZ_MODEL_ALPHA, 8, 1e308));
    EXPECT("threads", CHANGED(uint32_t, EZ_MODEL_RUN, 80, UINT32_MAX));
    EXPECT("score 1: expected an iteration from 10 to 25, found 26",
           CHANGED(uint32_t, EZ_MODEL_LLPT, 16, 26));
    EXPECT("score 1: expected an iteration from 10", CHANGED(uint32_t, EZ_MODEL_LLPT, 16, 9));
    char device[64];
    memset(device, 'x', sizeof device);
    EXPECT("device", {EZ_MODEL_RUN, 16, device, sizeof device, 0});
    ezlda_model_free(model);
}

TEST(wrong_offsets_and_strings_are_refused)
{
    static example e;
    ezlda_model *model = saved_example(&e, check_tmp("m"));
    EXPECT("documents: expected tokens 0", CHANGED(uint64_t, EZ_MODEL_DOC_START, 0, 1));
    EXPECT("document 2: begins", CHANGED(uint64_t, EZ_MODEL_DOC_START, 16, UINT64_MAX));
    EXPECT("documents: expected tokens",
           CHANGED(uint64_t, EZ_MODEL_DOC_START, 8 * EXAMPLE_DOCS, UINT64_MAX));
    EXPECT("rows of the words", CHANGED(uint64_t, EZ_MODEL_W_START, 0, 1));
    EXPECT("word 2: its entries begin", CHANGED(uint64_t, EZ_MODEL_W_START, 24, 0));
    EXPECT("word 2: its entries begin", CHANGED(uint64_t, EZ_MODEL_W_START, 24, UINT64_MAX));
    EXPECT("rows of the documents", CHANGED(uint64_t, EZ_MODEL_D_START, 8 * EXAMPLE_DOCS, 0));
    EXPECT("strings of the words", CHANGED(uint64_t, EZ_MODEL_WORDS_INDEX, 0, 1));
    EXPECT("strings of the words", CHANGED(uint64_t, EZ_MODEL_WORDS_INDEX, 8, UINT64_MAX));
    EXPECT("strings of the words", CHANGED(uint64_t, EZ_MODEL_WORDS_INDEX, 8, 0));
    EXPECT("strings of the words", CHANGED(uint64_t, EZ_MODEL_WORDS_INDEX, 24, 1u << 30));
    EXPECT("strings of the words", CHANGED(char, EZ_MODEL_WORDS, 2, 0));
    EXPECT("strings of the words", CHANGED(char, EZ_MODEL_WORDS, model->words.bytes - 1, 'x'));
    EXPECT("strings of the words: expected 37 terminated ones in UTF-8, number 0 is not",
           CHANGED(unsigned char, EZ_MODEL_WORDS, 1, 0xff));
    EXPECT("strings of the documents", CHANGED(char, EZ_MODEL_NAMES, 5, 'x'));
    EXPECT("strings of the documents", CHANGED(uint64_t, EZ_MODEL_NAMES_INDEX, 8, 3));
    ezlda_model_free(model);
}

TEST(wrong_counts_are_refused)
{
    static example e;
    ezlda_model *model = saved_example(&e, check_tmp("m"));
    const ez_rows *w = &model->word_rows, *d = &model->doc_rows;
    uint64_t entry = d->start[EXAMPLE_LONG_DOC]; /* topics 0, 1, 2 with counts 255, 256 and 1000 */
    CHECK_EQ(d->n_large, 2);
    EXPECT("topic 0: tokens of the topics up to it",
           CHANGED(uint64_t, EZ_MODEL_TOPIC_TOKENS, 0, UINT64_MAX));
    EXPECT("tokens of the topics", CHANGED(uint64_t, EZ_MODEL_TOPIC_TOKENS, 0, e.n[0] - 1));
    EXPECT("topic 0: expected", CHANGED(uint64_t, EZ_MODEL_TOPIC_TOKENS, 0, e.n[0] - 1),
           CHANGED(uint64_t, EZ_MODEL_TOPIC_TOKENS, 8, e.n[1] + 1));
    EXPECT("in the rows of the words",
           CHANGED(uint8_t, EZ_MODEL_W_COUNT, 0, (uint8_t)(w->count[0] + 1)));
    EXPECT("document 0: its counts add up",
           CHANGED(uint8_t, EZ_MODEL_D_COUNT, 0, (uint8_t)(d->count[0] + 1)));
    EXPECT("marked as large", CHANGED(uint8_t, EZ_MODEL_D_COUNT, 0, 0));
    EXPECT("marked as large", CHANGED(uint8_t, EZ_MODEL_W_COUNT, 0, 0));
    EXPECT("not the next one marked", CHANGED(uint64_t, EZ_MODEL_D_LARGE, 0, entry));
    EXPECT("not the next one marked", CHANGED(uint64_t, EZ_MODEL_D_LARGE, 0, UINT64_MAX));
    EXPECT("not the next one marked", CHANGED(uint64_t, EZ_MODEL_D_LARGE, 16, entry + 1));
    EXPECT("large count 1: expected 256", CHANGED(uint64_t, EZ_MODEL_D_LARGE, 24, 255));
    EXPECT("large count 1: expected 256", CHANGED(uint64_t, EZ_MODEL_D_LARGE, 24, 1ull << 32));
    EXPECT("document 5: its counts add up", CHANGED(uint64_t, EZ_MODEL_D_LARGE, 24, 1001));
    EXPECT("document 5: expected a topic from 1 to 6, found 0",
           CHANGED(uint16_t, EZ_MODEL_D_TOPIC, 2 * entry + 2, 0));
    EXPECT("document 5: expected a topic from 2 to 6, found 7",
           CHANGED(uint16_t, EZ_MODEL_D_TOPIC, 2 * entry + 4, 7));
    EXPECT("in the rows of the documents", CHANGED(uint16_t, EZ_MODEL_D_TOPIC, 2 * entry + 4, 6));
    EXPECT("word 0: expected a topic", CHANGED(uint16_t, EZ_MODEL_W_TOPIC, 0, 65535));
    EXPECT("the topics of its tokens",
           CHANGED(uint16_t, EZ_MODEL_TOKEN_TOPICS, 2 * e.doc_start[EXAMPLE_LONG_DOC], 2));
    EXPECT("the topics of its tokens", CHANGED(uint16_t, EZ_MODEL_TOKEN_TOPICS, 0, 65535));
    ezlda_model_free(model);
}

/* Any 8 bytes of any section replaced: refused, or a model whose every query stays inside its file.
 */
TEST(random_content_never_reads_out_of_bounds)
{
    static example e;
    ezlda_context *context = check_context();
    ezlda_model *model = saved_example(&e, check_tmp("m"));
    uint64_t state = 1;
    int accepted = 0;
    for (int round = 0; round < 20000; round++) {
        uint32_t tag = sections[example_draw(&state, SECTIONS)];
        uint64_t n, value = (uint64_t)example_draw(&state, 1u << 31) << example_draw(&state, 34);
        ez_container_section(model->container, tag, &n);
        change one = {tag, example_draw(&state, (uint32_t)(n / 8)) * 8, &value, n < 8 ? 0 : 8, 0};
        ez_container *image = write_changed(model, NULL, &one, 1);
        ezlda_model *loaded = NULL;
        if (ez_model_open(&loaded, context, image, "image", EZLDA_ERROR_FORMAT) != EZLDA_OK)
            continue;
        accepted++;
        ezlda_scored top[50];
        size_t written, seen = 0;
        for (uint32_t k = 0; k < EXAMPLE_TOPICS; k++) {
            CHECK_OK(context, ezlda_model_top_words(top, 50, &written, context, loaded, k,
                                                    EZLDA_BY_RELEVANCE, 0.5));
            CHECK_OK(context, ezlda_model_top_docs(top, 50, &written, context, loaded, k));
        }
        for (uint32_t v = 0; v < EXAMPLE_WORDS; v++)
            seen += strlen(ezlda_model_word(loaded, v));
        for (uint64_t d = 0; d < EXAMPLE_DOCS; d++)
            seen += strlen(ezlda_model_doc_name(loaded, d));
        CHECK(seen > 0);
        ezlda_model_free(loaded);
    }
    CHECK(accepted > 0);
    ezlda_model_free(model);
}

TEST_MAIN()
