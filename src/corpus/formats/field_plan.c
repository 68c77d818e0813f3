/* Decides which fields of a record become text, name, label and kept fields of a document. */
#include "corpus/text/text_source.h"

#include <string.h>

static size_t count_names(const char *list)
{
    size_t n = list && *list ? 1 : 0;
    for (; n && (list = strchr(list, ',')); list++)
        n++;
    return n;
}

/* The fields "name" and "label" of a corpus are reserved for the names and labels of its documents.
 */
ezlda_status ez_refuse_kept(ezlda_context *context, const char *name)
{
    return ez_fail(context, EZLDA_ERROR_ARGUMENT,
                   "fields to keep: a corpus has the %ss of its documents as \"%s\"; use that "
                   "column for them (%s "
                   "field), or give it another name",
                   name, name, name);
}

/* Whether a field is kept already as the name or label of documents. It must then be in the input.
 */
static bool is_name_or_label(ez_field_plan *plan, const char *name)
{
    bool label = strcmp(name, "label") == 0 && strcmp(plan->names[EZ_SLOT_LABEL], name) == 0;
    bool of_names = strcmp(name, "name") == 0,
         given = of_names && strcmp(plan->names[EZ_SLOT_NAME], name) == 0;
    plan->label_given = plan->label_given || label;
    plan->name_kept = plan->name_kept || (of_names && !plan->name_given);
    return label || given || (of_names && plan->name_kept);
}

static ezlda_status keep_field(ez_field_plan *plan, ezlda_context *context, const char *name)
{
    bool twice = false;
    for (uint32_t i = EZ_SLOT_KEPT; i < plan->slots; i++)
        twice = twice || strcmp(name, plan->names[i]) == 0;
    if (!*name)
        return ez_fail(context, EZLDA_ERROR_ARGUMENT,
                       "fields to keep: expected a name, found an empty one");
    if (twice)
        return ez_fail(context, EZLDA_ERROR_ARGUMENT, "fields to keep: \"%s\" is kept already",
                       name);
    if (is_name_or_label(plan, name))
        return EZLDA_OK;
    if (strcmp(name, "name") == 0 || strcmp(name, "label") == 0)
        return ez_refuse_kept(context, name);
    plan->names[plan->slots++] = name;
    return EZLDA_OK;
}

/* Whether this is a list of names, none of them empty. Otherwise a text with commas is one name. */
static bool is_list(const char *names)
{
    size_t n = strlen(names);
    return strchr(names, ',') && names[0] != ',' && names[n - 1] != ',' && !strstr(names, ",,");
}

/* Removes the first name from a list; NULL at the end. */
static char *next_name(char **list)
{
    char *name = *list;
    *list = name ? strchr(name, ',') : NULL;
    if (*list)
        *(*list)++ = '\0';
    return name;
}

ezlda_status ez_field_plan_init(ez_field_plan *plan, ezlda_context *context,
                                const ezlda_import_options *options)
{
    memset(plan, 0, sizeof *plan);
    const char *keep = options->keep_fields ? options->keep_fields : "";
    const char *text = options->text_field ? options->text_field : "text",
               *parts = is_list(text) ? text : "";
    size_t keep_size = strlen(keep) + 1, parts_size = strlen(parts) + 1;
    size_t kept = count_names(keep), n_parts = count_names(parts);
    EZ_TRY(ez_array(&plan->copy, context, keep_size + parts_size, 1, "field names"));
    memcpy(plan->copy, keep, keep_size);
    memcpy(plan->copy + keep_size, parts, parts_size);
    EZ_TRY(ez_array_zero(&plan->names, context, EZ_SLOT_KEPT + kept + n_parts, sizeof *plan->names,
                         "field names"));
    plan->slots = EZ_SLOT_KEPT;
    plan->name_given = options->name_field != NULL;
    plan->label_given = options->label_field != NULL;
    plan->names[EZ_SLOT_TEXT] = text;
    plan->names[EZ_SLOT_NAME] = plan->name_given ? options->name_field : "id";
    plan->names[EZ_SLOT_NAME_ELSE] = plan->name_given ? NULL : "name";
    plan->names[EZ_SLOT_LABEL] = plan->label_given ? options->label_field : "label";
    for (char *list = kept ? plan->copy : NULL, *name; (name = next_name(&list));)
        EZ_TRY(keep_field(plan, context, name));
    plan->text_parts = plan->slots;
    for (char *list = n_parts ? plan->copy + keep_size : NULL, *name; (name = next_name(&list));)
        plan->names[plan->slots++] = name;
    return EZLDA_OK;
}

bool ez_slot_asked(const ez_field_plan *plan, uint32_t slot)
{
    if (plan->optional)
        return false;
    switch (slot) {
    case EZ_SLOT_TEXT: return plan->text_parts == plan->slots;
    case EZ_SLOT_NAME: return plan->name_given;
    case EZ_SLOT_NAME_ELSE: return plan->name_kept;
    case EZ_SLOT_LABEL: return plan->label_given;
    default: return slot >= EZ_SLOT_KEPT;
    }
}

ezlda_status ez_join_text(const ez_field_plan *plan, ezlda_context *context, ez_span *slots,
                          ez_buffer *room)
{
    bool whole = slots[EZ_SLOT_TEXT].at != NULL, any = false;
    room->used = 0;
    for (uint32_t i = plan->text_parts; i < plan->slots; i++) {
        if (whole)
            slots[i] = (ez_span){slots[EZ_SLOT_TEXT].at, 0};
        if (whole || !slots[i].at)
            continue;
        EZ_TRY(ez_buffer_append(room, context, "\n", any));
        EZ_TRY(ez_buffer_append(room, context, slots[i].at, slots[i].n));
        slots[EZ_SLOT_TEXT].at = slots[i].at; /* the record has a text, even if it is empty */
        any = true;
    }
    if (room->used)
        slots[EZ_SLOT_TEXT] = (ez_span){(char *)room->data, room->used};
    return EZLDA_OK;
}

void ez_field_plan_free(ez_field_plan *plan)
{
    ez_free(plan->names);
    ez_free(plan->copy);
    memset(plan, 0, sizeof *plan);
}
