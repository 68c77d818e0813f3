/* Edits inside the library: counts of merged topics, and texts that no command would write. */
#include "check.h" /* first: defines _GNU_SOURCE */
#include "model_example.h"

#include "model/model_layout.h"

static uint64_t count_in(const ez_rows *rows, uint64_t row, uint32_t topic)
{
    return ez_rows_find(rows, row, topic);
}

TEST(merged_counts_are_sums)
{
    static example e;
    example_make(&e, 3);
    ezlda_context *context = check_context();
    ezlda_model *model = example_model(&e), *merged = NULL, *back = NULL;
    CHECK_OK(context, ezlda_model_with_edits(&merged, context, model, "merge 5,0,2\n", NULL));
    CHECK_EQ(ezlda_model_topic_tokens(merged)[5], e.n[5] + e.n[0] + e.n[2]);
    CHECK_EQ(ezlda_model_topic_tokens(merged)[0], 0);
    CHECK_EQ(ezlda_model_topic_into(merged, 2), 5);
    CHECK_EQ(ezlda_model_topic_into(merged, 3), 3);
    CHECK(ezlda_model_topic_hidden(merged, 0) && !ezlda_model_topic_hidden(merged, 5));
    for (uint32_t v = 0; v < EXAMPLE_WORDS; v++) {
        CHECK_EQ(count_in(&merged->word_rows, v, 5), e.w[v][5] + e.w[v][0] + e.w[v][2]);
        CHECK_EQ(count_in(&merged->word_rows, v, 2), 0);
        CHECK_EQ(count_in(&merged->word_rows, v, 3), e.w[v][3]);
    }
    for (uint32_t d = 0; d < EXAMPLE_DOCS; d++)
        CHECK_EQ(count_in(&merged->doc_rows, d, 5), e.d[d][5] + e.d[d][0] + e.d[d][2]);
    for (uint64_t d = 0, t = 0; d < EXAMPLE_DOCS; d++)
        for (uint64_t i = 0; t < e.doc_start[d + 1]; i++, t++) {
            uint16_t topic = e.topic[t] == 0 || e.topic[t] == 2 ? 5 : e.topic[t];
            CHECK_EQ(ezlda_model_token_topics(merged, d)[i], topic);
        }
    CHECK_NEAR(ezlda_model_alpha(merged)[5], 0.125 * (6 + 1 + 3), 1e-12);
    CHECK_NEAR(merged->training[1 + 5], 0.125 * (6 + 1 + 3), 1e-12);
    CHECK_NEAR(merged->training[0], 0.5, 0);
    CHECK(ez_model_hash(merged) != ez_model_hash(model));
    CHECK_OK(context, ezlda_model_with_edits(&back, context, merged, NULL, NULL));
    CHECK(ez_model_hash(back) == ez_model_hash(model));
    CHECK_STR(ezlda_model_edits(back), "");
    ezlda_model_free(model);
    ezlda_model_free(merged);
    ezlda_model_free(back);
}

TEST(a_saved_model_keeps_its_edits_and_its_counts)
{
    static example e;
    example_make(&e, 4);
    ezlda_context *context = check_context();
    ezlda_model *model = example_model(&e), *edited = NULL, *loaded = NULL;
    const char *path = check_tmp("edited.ezm");
    CHECK_OK(context, ezlda_model_with_edits(&edited, context, model,
                                             "merge 1,3\nrename 1 Both\ngroup 1,2 G\n", NULL));
    CHECK_OK(context, ezlda_model_save(context, edited, path));
    CHECK_OK(context, ezlda_model_load(&loaded, context, path));
    CHECK(ez_model_hash(loaded) == ez_model_hash(edited));
    CHECK_STR(ezlda_model_topic_name(loaded, 1), "Both");
    CHECK_STR(ezlda_model_topic_group(loaded, 2), "G");
    CHECK_STR(ezlda_model_topic_group(loaded, 9), "");
    CHECK_EQ(ezlda_model_topic_tokens(loaded)[1], e.n[1] + e.n[3]);
    ezlda_model_free(model);
    ezlda_model_free(edited);
    ezlda_model_free(loaded);
}

/* A model file whose section EDIT has these bytes. */
static const char *file_with(const ezlda_model *model, const char *text, size_t n)
{
    static const uint32_t tags[] = {EZ_MODEL_META,    EZ_MODEL_ALPHA,      EZ_MODEL_TOPIC_TOKENS,
                                    EZ_MODEL_W_START, EZ_MODEL_W_TOPIC,    EZ_MODEL_W_COUNT,
                                    EZ_MODEL_W_LARGE, EZ_MODEL_D_START,    EZ_MODEL_D_TOPIC,
                                    EZ_MODEL_D_COUNT, EZ_MODEL_D_LARGE,    EZ_MODEL_DOC_START,
                                    EZ_MODEL_WORDS,   EZ_MODEL_WORDS_INDEX};
    ezlda_context *context = check_context();
    ez_container_writer *writer = NULL;
    const char *path = check_tmp("crafted.ezm");
    CHECK_OK(context, ez_container_writer_open(&writer, context, path, EZ_MODEL_MAGIC, 1));
    for (size_t i = 0; i < sizeof tags / sizeof *tags; i++)
        CHECK_OK(context, ez_model_copy_section(writer, context, model->container, tags[i]));
    CHECK_OK(context, ez_container_begin(writer, context, EZ_MODEL_EDITS));
    CHECK_OK(context, ez_container_write(writer, context, text, n));
    CHECK_OK(context, ez_container_begin(writer, context, EZ_MODEL_RUN));
    CHECK_OK(context, ez_container_write(writer, context, model->run, sizeof *model->run));
    CHECK_OK(context, ez_container_finish(writer, context, NULL));
    return path;
}

TEST(damaged_edits_are_refused)
{
    static const struct {
        const char *text;
        size_t n;
        const char *message;
    } bad[] = {{"", 0, "section EDIT"},
               {"rename 1 x", 10, "section EDIT"},
               {"rename 1 \xff\n", 12, "section EDIT"},
               {"a\0b", 4, "section EDIT"},
               {"rename 7 x\n", 12, ":1: expected topics from 0 to 6"},
               {"hide 1\nmerge 1,1\n", 18, ":2: merge: topic 1 occurs twice"},
               {"words 1 -gone\n", 15, NULL}}; /* a word that has left the vocabulary */
    static example e;
    example_make(&e, 5);
    ezlda_model *model = example_model(&e), *loaded = NULL;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const char *path = file_with(model, bad[i].text, bad[i].n);
        if (bad[i].message)
            CHECK_FAILS(check_context(), ezlda_model_load(&loaded, check_context(), path),
                        bad[i].message);
        else
            CHECK_OK(check_context(), ezlda_model_load(&loaded, check_context(), path));
        ezlda_model_free(loaded);
        loaded = NULL;
    }
    ezlda_model_free(model);
}

TEST(quotes_are_removed_once)
{
    static example e;
    example_make(&e, 6);
    ezlda_context *context = check_context();
    ezlda_model *model = example_model(&e), *first = NULL, *second = NULL;
    const char *text = "rename 1 \"\"x\"\"\nrename 2 \"\"All\" and \"None\"\"\nrename 3 \" a \"\n";
    CHECK_OK(context, ezlda_model_with_edits(&first, context, model, text, NULL));
    CHECK_STR(ezlda_model_topic_name(first, 1), "\"x\"");
    CHECK_STR(ezlda_model_topic_name(first, 2), "\"All\" and \"None\"");
    CHECK_STR(ezlda_model_topic_name(first, 3), "a");
    CHECK_OK(context,
             ezlda_model_with_edits(&second, context, first, ezlda_model_edits(first), NULL));
    CHECK_STR(ezlda_model_topic_name(second, 1), "\"x\"");
    CHECK_STR(ezlda_model_edits(second), ezlda_model_edits(first));
    ezlda_model_free(model);
    ezlda_model_free(first);
    ezlda_model_free(second);
}

TEST(merges_into_hidden_topics_are_refused_unless_a_model_has_them)
{
    static example e;
    static const char text[] = "hide 1\nmerge 1,2\n";
    example_make(&e, 7);
    ezlda_model *model = example_model(&e), *edited = NULL;
    CHECK_FAILS(check_context(),
                ezlda_model_with_edits(&edited, check_context(), model, text, NULL),
                "edits:2: merge: topic 1 is hidden");
    CHECK_OK(check_context(), ezlda_model_with_edits(&edited, check_context(), model,
                                                     "hide 1\nmerge 2,1\nhide 2\n", NULL));
    ezlda_model_free(edited);
    CHECK_OK(check_context(),
             ezlda_model_load(&edited, check_context(), file_with(model, text, sizeof text)));
    ezlda_model_free(edited);
    ezlda_model_free(model);
}

TEST_MAIN()
