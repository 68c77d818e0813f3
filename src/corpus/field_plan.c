/* Which fields of a record are wanted. */
#include "corpus/text_source.h"

#include <string.h>

static size_t count_names(const char *list)
{
    size_t n = list && *list ? 1 : 0;
    for (; n && (list = strchr(list, ',')); list++)
        n++;
    return n;
}

static ezlda_status keep_field(ez_field_plan *plan, ezlda_context *context, const char *name)
{
    bool twice = strcmp(name, "name") == 0 || strcmp(name, "label") == 0;
    for (uint32_t i = EZ_SLOT_KEPT; i < plan->slots; i++)
        twice = twice || strcmp(name, plan->names[i]) == 0;
    if (!*name)
        return ez_fail(context, EZLDA_ERROR_ARGUMENT, "fields to keep: expected a name, found an empty one");
    if (twice)
        return ez_fail(context, EZLDA_ERROR_ARGUMENT, "fields to keep: \"%s\" is kept already", name);
    plan->names[plan->slots++] = name;
    return EZLDA_OK;
}

ezlda_status ez_field_plan_init(ez_field_plan *plan, ezlda_context *context, const ezlda_import_options *options)
{
    memset(plan, 0, sizeof *plan);
    const char *keep = options->keep_fields ? options->keep_fields : "";
    size_t size = strlen(keep) + 1, kept = count_names(keep);
    EZ_TRY(ez_array(&plan->copy, context, size, 1, "field names"));
    memcpy(plan->copy, keep, size);
    EZ_TRY(ez_array_zero(&plan->names, context, EZ_SLOT_KEPT + kept, sizeof *plan->names, "field names"));
    plan->slots = EZ_SLOT_KEPT;
    plan->name_given = options->name_field != NULL;
    plan->label_given = options->label_field != NULL;
    plan->names[EZ_SLOT_TEXT] = options->text_field ? options->text_field : "text";
    plan->names[EZ_SLOT_NAME] = plan->name_given ? options->name_field : "id";
    plan->names[EZ_SLOT_NAME_ELSE] = plan->name_given ? NULL : "name";
    plan->names[EZ_SLOT_LABEL] = plan->label_given ? options->label_field : "label";
    for (char *name = kept > 0 ? plan->copy : NULL; name;) {
        char *comma = strchr(name, ',');
        if (comma)
            *comma++ = '\0';
        EZ_TRY(keep_field(plan, context, name));
        name = comma;
    }
    return EZLDA_OK;
}

void ez_field_plan_free(ez_field_plan *plan)
{
    ez_free(plan->names);
    ez_free(plan->copy);
    memset(plan, 0, sizeof *plan);
}
