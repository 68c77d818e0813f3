/* Models with edits: the public calls that give a model its edits, and that say what they are. */
#include "base/memory.h"
#include "model/edits/edit_text.h"
#include "model/model_layout.h"

#include <string.h>

/* Copies all sections of the file in its order, with these edits before RUN. */
static ezlda_status copy_with(ez_container_writer *writer, ezlda_context *context,
                              const ezlda_model *model, const char *text)
{
    static const uint32_t tags[] = EZ_MODEL_TAGS_BEFORE_RUN;
    const ez_container *file = ez_model_file(model);
    for (size_t i = 0; i < sizeof tags / sizeof *tags; i++)
        if (tags[i] != EZ_MODEL_EDITS)
            EZ_TRY(ez_model_copy_section(writer, context, file, tags[i]));
    if (text) {
        EZ_TRY(ez_container_begin(writer, context, EZ_MODEL_EDITS));
        EZ_TRY(ez_container_write(writer, context, text, strlen(text) + 1));
    }
    return ez_model_copy_section(writer, context, file, EZ_MODEL_RUN);
}

static ezlda_status make_copy(ezlda_model **out, ezlda_context *context, const ezlda_model *model,
                              const char *text)
{
    ez_container_writer *writer = NULL;
    ez_container *image = NULL;
    EZ_TRY(
        ez_container_writer_open(&writer, context, NULL, EZ_MODEL_MAGIC, ez_model_version(model)));
    ezlda_status status = copy_with(writer, context, model, text);
    if (status != EZLDA_OK) {
        ez_container_writer_abandon(writer);
        return status;
    }
    EZ_TRY(ez_container_finish(writer, context, &image));
    return ez_model_open(out, context, image, "edits", EZLDA_ERROR_ARGUMENT);
}

ezlda_status ezlda_model_with_edits(ezlda_model **out, ezlda_context *context,
                                    const ezlda_model *model, const char *edits, const char *name)
{
    ez_edits *read = NULL;
    ez_clear(context);
    EZ_TRY(ez_needs(context, out, "a place for the model"));
    *out = NULL;
    EZ_TRY(ez_needs(context, model, "a model"));
    EZ_TRY(ez_model_read_edits(&read, context, model, edits ? edits : "", name ? name : "edits",
                               ezlda_model_edits(model), EZLDA_ERROR_ARGUMENT));
    ezlda_status status = make_copy(out, context, model, read ? read->text : NULL);
    ez_edits_free(read);
    return status;
}

const char *ezlda_model_edits(const ezlda_model *model)
{
    return model->edits ? model->edits->text : "";
}

const char *ezlda_model_topic_name(const ezlda_model *model, uint32_t topic)
{
    bool there = model->edits && topic < model->edits->topics && model->edits->name[topic];
    return there ? model->edits->name[topic] : "";
}

const char *ezlda_model_topic_group(const ezlda_model *model, uint32_t topic)
{
    bool there = model->edits && topic < model->edits->topics && model->edits->group[topic];
    return there ? model->edits->group[topic] : "";
}

int ezlda_model_topic_hidden(const ezlda_model *model, uint32_t topic)
{
    return model->edits && topic < model->edits->topics && model->edits->hidden[topic];
}

uint32_t ezlda_model_topic_into(const ezlda_model *model, uint32_t topic)
{
    return model->edits && topic < model->edits->topics ? model->edits->into[topic] : topic;
}
