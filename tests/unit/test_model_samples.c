/* Samples in a model file: drawn, kept, read back, merged, and refused if they are damaged. */
#include "check.h"

#include "model/model_layout.h"
#include "model_of_simulation.h"

static const sim_shape shape = {SIM_DOCS, 12, 20, 3, 0.5, 0.2};

/* A model with three samples of its corpus. */
static ezlda_model *sampled(ezlda_corpus **corpus, ezlda_samples **samples)
{
    static simulation s;
    ezlda_context *context = check_context();
    ezlda_sampling_options options;
    ezlda_model *with = NULL;
    sim_draw(&s, &shape, 2);
    *corpus = corpus_of(&s);
    ezlda_model *model = model_of(&s, *corpus, false);
    ezlda_sampling_options_init(&options);
    options.samples = 3;
    options.thin = 1;
    options.burn_in = 2;
    CHECK_OK(context, ezlda_samples_draw(samples, context, model, *corpus, &options));
    CHECK_OK(context, ezlda_model_with_samples(&with, context, model, *samples));
    CHECK(!ezlda_model_samples(model) && ezlda_model_samples(with));
    ezlda_model_free(model);
    return with;
}

static bool same_rows(const ezlda_samples *a, const ezlda_samples *b)
{
    uint32_t topic[2][SIM_TOPICS], count[2][SIM_TOPICS];
    for (uint32_t s = 0; s < 3; s++)
        for (uint64_t d = 0; d < shape.docs; d++) {
            size_t n = ezlda_samples_doc_topics(a, s, d, topic[0], count[0], SIM_TOPICS), sum = 0;
            if (ezlda_samples_doc_topics(b, s, d, topic[1], count[1], SIM_TOPICS) != n ||
                memcmp(topic[0], topic[1], n * sizeof(uint32_t)) != 0 ||
                memcmp(count[0], count[1], n * sizeof(uint32_t)) != 0)
                return false;
            for (size_t i = 0; i < n; i++)
                sum += count[0][i];
            if (sum != shape.length)
                return false;
        }
    return true;
}

TEST(samples_are_kept_in_the_file)
{
    ezlda_context *context = check_context();
    ezlda_corpus *corpus;
    ezlda_samples *samples = NULL;
    ezlda_model *model = sampled(&corpus, &samples), *loaded = NULL;
    ezlda_samples_info info = {.size = sizeof info};
    CHECK_OK(context, ezlda_model_save(context, model, check_tmp("m")));
    CHECK_OK(context, ezlda_model_load(&loaded, context, check_tmp("m")));
    CHECK(same_rows(samples, ezlda_model_samples(loaded)));
    ezlda_samples_get_info(ezlda_model_samples(loaded), &info);
    CHECK(info.samples == 3 && info.docs == shape.docs && info.training_corpus);
    CHECK_EQ(ezlda_samples_doc_topics(samples, 3, 0, NULL, NULL, 0), 0);
    CHECK_EQ(ezlda_samples_doc_topics(samples, 0, shape.docs, NULL, NULL, 0), 0);
    double mean, low, high, sum = 0;
    for (uint32_t k = 0; k < shape.topics; k++) {
        CHECK_OK(context, ezlda_samples_share(&mean, &low, &high, context, loaded,
                                              ezlda_model_samples(loaded), 7, k, 0.9));
        CHECK(0 <= low && low < mean && mean < high && high <= 1);
        sum += mean;
    }
    CHECK_NEAR(sum, 1, 1e-12);
    CHECK_FAILS(context, ezlda_samples_share(&mean, &low, &high, context, loaded, samples, 7, 0, 1),
                "a level between 0 and 1");
    ezlda_model_free(loaded);
    ezlda_model_free(model);
    ezlda_samples_free(samples);
    ezlda_corpus_free(corpus);
}

TEST(merged_topics_have_merged_samples)
{
    ezlda_context *context = check_context();
    ezlda_corpus *corpus;
    ezlda_samples *samples = NULL;
    ezlda_model *model = sampled(&corpus, &samples), *merged = NULL;
    CHECK_OK(context, ezlda_model_with_edits(&merged, context, model, "merge 2,0\n", NULL));
    for (uint64_t d = 0; d < shape.docs; d++) {
        uint32_t topic[SIM_TOPICS], count[SIM_TOPICS], before[SIM_TOPICS] = {0},
                                                       after[SIM_TOPICS] = {0};
        size_t n = ezlda_samples_doc_topics(samples, 1, d, topic, count, SIM_TOPICS);
        for (size_t i = 0; i < n; i++)
            before[topic[i] ? topic[i] : 2] += count[i];
        n = ezlda_samples_doc_topics(ezlda_model_samples(merged), 1, d, topic, count, SIM_TOPICS);
        for (size_t i = 0; i < n; i++)
            after[topic[i]] += count[i];
        CHECK(memcmp(before, after, sizeof before) == 0);
    }
    ezlda_model_free(merged);
    ezlda_model_free(model);
    ezlda_samples_free(samples);
    ezlda_corpus_free(corpus);
}

/* Writes the model with one byte or more of a section changed, or its length, and opens it. */
static ezlda_status open_changed(const ezlda_model *model, uint32_t tag, int64_t at,
                                 const void *bytes, size_t n, int64_t longer)
{
    static const uint32_t tags[] = EZ_MODEL_TAGS_BEFORE_RUN;
    ezlda_context *context = check_context();
    ez_container_writer *writer = NULL;
    ezlda_model *loaded = NULL;
    ez_container *image = NULL;
    CHECK_OK(context,
             ez_container_writer_open(&writer, context, NULL, EZ_MODEL_MAGIC, EZ_MODEL_VERSION));
    for (size_t i = 0; i <= sizeof tags / sizeof *tags; i++) {
        uint32_t now = i < sizeof tags / sizeof *tags ? tags[i] : EZ_MODEL_RUN;
        uint64_t size = 0;
        const void *content = ez_container_section(model->container, now, &size);
        if (!content)
            continue;
        char *copy = calloc(size + 64, 1);
        memcpy(copy, content, size);
        if (now == tag) {
            memcpy(copy + (at < 0 ? (int64_t)size + at : at), bytes, n);
            size += (uint64_t)longer;
        }
        CHECK_OK(context, ez_container_begin(writer, context, now));
        CHECK_OK(context, ez_container_write(writer, context, copy, size));
        free(copy);
    }
    CHECK_OK(context, ez_container_finish(writer, context, &image));
    ez_clear(context);
    ezlda_status status = ez_model_open(&loaded, context, image, "changed", EZLDA_ERROR_FORMAT);
    ezlda_model_free(loaded);
    return status;
}

#define REFUSED(message, tag, at, type, value, longer) \
    CHECK_FAILS(check_context(),                       \
                open_changed(model, tag, at, &(type){value}, sizeof(type), longer), message)

TEST(damaged_samples_are_refused)
{
    ezlda_corpus *corpus;
    ezlda_samples *samples = NULL;
    ezlda_model *model = sampled(&corpus, &samples);
    ezlda_context_set_threads(check_context(), 1);
    CHECK_OK(check_context(), open_changed(model, EZ_MODEL_SAMPLES, 4, "", 0, 0));
    REFUSED("expected 1 to 10000 samples, found 0", EZ_MODEL_SAMPLES, 0, uint32_t, 0, 0);
    REFUSED("samples, found 4294967295", EZ_MODEL_SAMPLES, 0, uint32_t, UINT32_MAX, 0);
    REFUSED("section SSTA", EZ_MODEL_SAMPLES, 0, uint32_t, 4, 0);
    REFUSED("section SMPL", EZ_MODEL_SAMPLES, 0, uint32_t, 3, 8);
    REFUSED("alpha of topic 1", EZ_MODEL_SAMPLES, 16, double, NAN, 0);
    REFUSED("alpha of topic 0", EZ_MODEL_SAMPLES, 8, double, -1, 0);
    REFUSED("section SSTA", EZ_MODEL_SAMPLES_START, 0, uint64_t, 0, 8);
    REFUSED("samples: expected bytes", EZ_MODEL_SAMPLES_START, 0, uint64_t, 1, 0);
    REFUSED("samples: expected bytes", EZ_MODEL_SAMPLES_START, -8, uint64_t, UINT64_MAX, 0);
    REFUSED("sample 0: documents 0 to", EZ_MODEL_SAMPLES_START, 8, uint64_t, UINT64_MAX, 0);
    REFUSED("samples: expected bytes", EZ_MODEL_SAMPLES_ROWS, 0, char, 0, -1);
    REFUSED("samples: expected bytes", EZ_MODEL_SAMPLES_ROWS, 0, char, 0, 1);
    REFUSED("sample 0: documents 0 to", EZ_MODEL_SAMPLES_ROWS, 0, unsigned char, 255, 0);
    REFUSED("sample 2:", EZ_MODEL_SAMPLES_ROWS, -1, unsigned char, 200, 0);
    uint64_t rows = samples->start[ez_sample_groups(samples->docs) * 3], accepted = 0;
    for (uint64_t at = 0; at < rows; at += 101)
        for (int bit = 0; bit < 8; bit += 3) {
            unsigned char byte = (unsigned char)(samples->rows[at] ^ 1u << bit);
            accepted +=
                open_changed(model, EZ_MODEL_SAMPLES_ROWS, (int64_t)at, &byte, 1, 0) == EZLDA_OK;
        }
    CHECK(accepted <
          rows / 101); /* a topic may become another one; nothing is read out of bounds */
    ezlda_model_free(model);
    ezlda_samples_free(samples);
    ezlda_corpus_free(corpus);
}

TEST_MAIN()
