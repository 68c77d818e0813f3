/* Writes and reads lists of phrases, and reads the option for phrases. */
#include "corpus/text/phrases/phrase_list.h"

#include <string.h>

/* What "auto" means; bench/notes/text.md has the measurements. */
#define FIRM 0.5

static ezlda_status write_unit(const ez_phrase_set *set, ezlda_context *context,
                               const ez_strings *terms, uint32_t unit, ez_buffer *to)
{
    uint32_t parts[EZ_PHRASE_WORDS];
    size_t count = ez_unit_terms(set, unit, parts);
    for (size_t i = 0; i < count; i++) {
        size_t n;
        const char *text = ez_strings_get(terms, parts[i], &n);
        EZ_TRY(ez_buffer_append(to, context, "_", i > 0));
        EZ_TRY(ez_buffer_append(to, context, text, n));
    }
    return EZLDA_OK;
}

ezlda_status ez_phrase_list_write(const ez_phrase_set *set, ezlda_context *context,
                                  const ez_strings *terms, ez_buffer *to)
{
    for (uint32_t i = 0; i < ez_joint_count(set); i++) {
        const ez_joint *joint = &ez_joints(set)[i];
        EZ_TRY(ez_buffer_append(to, context, "\n", i > 0));
        EZ_TRY(write_unit(set, context, terms, joint->left, to));
        EZ_TRY(ez_buffer_append(to, context, " ", 1));
        EZ_TRY(write_unit(set, context, terms, joint->right, to));
    }
    return ez_buffer_append(to, context, "", 1);
}

/* While a list is read: the texts of its phrases, and their units. */
typedef struct reading {
    ez_phrase_set *set;
    ezlda_context *context;
    const ez_strings *terms;
    ez_strings names;
    ez_buffer units;
} reading;

static uint32_t unit_of(const reading *self, const char *text, size_t n)
{
    uint32_t id = ez_strings_find(&self->names, text, n);
    if (id != EZ_NO_STRING)
        return ((const uint32_t *)(const void *)self->units.data)[id];
    return ez_strings_find(self->terms, text, n);
}

static ezlda_status name_last(reading *self, const char *line, size_t n)
{
    const ez_phrase_set *set = self->set;
    uint32_t unit = ez_joints(set)[ez_joint_count(set) - 1].unit, id;
    char *name;
    bool added;
    EZ_TRY(ez_array(&name, self->context, n, 1, "a phrase"));
    memcpy(name, line, n);
    *(char *)memchr(name, ' ', n) = '_';
    ezlda_status status = ez_strings_add(&self->names, self->context, name, n, &id, &added);
    if (status == EZLDA_OK && added)
        status = ez_buffer_append(&self->units, self->context, &unit, sizeof unit);
    ez_free(name);
    return status;
}

static ezlda_status read_line(reading *self, const char *line, size_t n)
{
    const char *space = memchr(line, ' ', n);
    bool added;
    if (!space)
        return EZLDA_OK;
    uint32_t left = unit_of(self, line, (size_t)(space - line));
    uint32_t right = unit_of(self, space + 1, n - (size_t)(space + 1 - line));
    if (left == EZ_NO_STRING || right == EZ_NO_STRING)
        return EZLDA_OK;
    EZ_TRY(ez_phrase_set_add(self->set, self->context, left, right, &added));
    return added ? name_last(self, line, n) : EZLDA_OK;
}

ezlda_status ez_phrase_list_read(ez_phrase_set *set, ezlda_context *context,
                                 const ez_strings *terms, const char *list)
{
    reading self = {.set = set, .context = context, .terms = terms};
    ezlda_status status = EZLDA_OK;
    while (*list && status == EZLDA_OK) {
        size_t n = strcspn(list, "\n");
        status = read_line(&self, list, n);
        list += n + (list[n] == '\n');
    }
    ez_strings_free(&self.names);
    ez_free(self.units.data);
    return status;
}

uint32_t ez_phrase_list_size(const char *list)
{
    uint32_t n = *list != '\0';
    for (; *list; list++)
        n += *list == '\n';
    return n;
}

/* A decimal number up to 1, written with a point in any locale; 0 if the text is not one. */
static double read_share(const char *text)
{
    double value = *text == '0' || *text == '1' ? *text++ - '0' : 0, unit = 1;
    if (*text == '.')
        for (text++; *text >= '0' && *text <= '9'; text++)
            value += (unit /= 10) * (*text - '0');
    return *text || value > 1 ? 0 : value;
}

bool ez_phrase_option(const char *option, double *firm)
{
    bool none = !option || strcmp(option, "none") == 0;
    *firm = none ? 0 : strcmp(option, "auto") == 0 ? FIRM : read_share(option);
    return none || *firm > 0;
}
