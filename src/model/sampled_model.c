/* A copy of a model that keeps samples of the posterior, and the samples that a model keeps. */
#include "model/model_layout.h"

ezlda_status ez_model_write_samples(ez_container_writer *writer, ezlda_context *context,
                                    const ezlda_samples *samples)
{
    ez_samples_meta meta = {.samples = samples->samples};
    uint64_t groups = ez_sample_groups(samples->docs) * samples->samples;
    EZ_TRY(ez_container_begin(writer, context, EZ_MODEL_SAMPLES));
    EZ_TRY(ez_container_write(writer, context, &meta, sizeof meta));
    EZ_TRY(ez_container_write(writer, context, samples->alpha,
                              samples->topics * sizeof *samples->alpha));
    EZ_TRY(ez_container_begin(writer, context, EZ_MODEL_SAMPLES_START));
    EZ_TRY(ez_container_write(writer, context, samples->start,
                              (size_t)(groups + 1) * sizeof *samples->start));
    EZ_TRY(ez_container_begin(writer, context, EZ_MODEL_SAMPLES_ROWS));
    return ez_container_write(writer, context, samples->rows, (size_t)samples->start[groups]);
}

static ezlda_status copy_with(ez_container_writer *writer, ezlda_context *context,
                              const ezlda_model *model, const ezlda_samples *samples)
{
    static const uint32_t tags[] = EZ_MODEL_TAGS_BEFORE_RUN;
    const ez_container *file = ez_model_file(model);
    for (size_t i = 0; i < sizeof tags / sizeof *tags; i++)
        if (tags[i] != EZ_MODEL_SAMPLES && tags[i] != EZ_MODEL_SAMPLES_START &&
            tags[i] != EZ_MODEL_SAMPLES_ROWS)
            EZ_TRY(ez_model_copy_section(writer, context, file, tags[i]));
    EZ_TRY(ez_model_write_samples(writer, context, samples));
    return ez_model_copy_section(writer, context, file, EZ_MODEL_RUN);
}

ezlda_status ezlda_model_with_samples(ezlda_model **out, ezlda_context *context,
                                      const ezlda_model *model, const ezlda_samples *samples)
{
    ez_container_writer *writer = NULL;
    ez_container *image = NULL;
    ez_clear(context);
    EZ_TRY(ez_needs(context, out, "a place for the model"));
    *out = NULL;
    EZ_TRY(ez_needs(context, model, "a model"));
    EZ_TRY(ez_needs(context, samples, "samples"));
    if (!samples->own || samples->docs != model->meta->docs ||
        samples->topics != model->meta->topics)
        return ez_fail(context, EZLDA_ERROR_ARGUMENT,
                       "a model keeps samples of the corpus that it was trained on; these are of "
                       "another corpus or another model");
    if (model->unmerged)
        return ez_fail(context, EZLDA_ERROR_UNSUPPORTED,
                       "samples cannot be added to a model with merged topics: draw them before "
                       "the edit");
    EZ_TRY(
        ez_container_writer_open(&writer, context, NULL, EZ_MODEL_MAGIC, ez_model_version(model)));
    ezlda_status status = copy_with(writer, context, model, samples);
    if (status != EZLDA_OK) {
        ez_container_writer_abandon(writer);
        return status;
    }
    EZ_TRY(ez_container_finish(writer, context, &image));
    EZ_TRY(ez_model_open(out, context, image, "samples", EZLDA_ERROR_ARGUMENT));
    ez_model_copy_facts(*out, model);
    return EZLDA_OK;
}

const ezlda_samples *ezlda_model_samples(const ezlda_model *model)
{
    return model->samples.samples ? &model->samples : NULL;
}
