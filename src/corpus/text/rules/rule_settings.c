/* Keeps, finds and checks the named settings of the rules of text. */
#include "corpus/text/rules/rule_settings.h"

#include <string.h>

/* The length of the key that a setting begins with; 0 if it begins with none. */
static size_t key_length(const char *setting)
{
    size_t n = strspn(setting, "abcdefghijklmnopqrstuvwxyz0123456789-");
    return setting[n] == '=' ? n : 0;
}

/* Compares the key of a setting with a key of n bytes, as strcmp does. */
static int compare_key(const char *setting, const char *key, size_t n)
{
    size_t length = key_length(setting);
    int order = memcmp(setting, key, length < n ? length : n);
    return order ? order : (length > n) - (length < n);
}

/* The first setting whose key is not before `key`. */
static const char *first_from(const char *at, const char *end, const char *key, size_t n)
{
    while (at < end && compare_key(at, key, n) < 0)
        at += strlen(at) + 1;
    return at;
}

const char *ez_rule_settings_find(const char *at, const char *end, const char *key)
{
    size_t n = strlen(key);
    at = first_from(at, end, key, n);
    return at < end && compare_key(at, key, n) == 0 ? at + n + 1 : NULL;
}

const char *ez_rule_settings_get(const ez_rule_settings *settings, const char *key)
{
    const char *text = (const char *)settings->text.data;
    return text ? ez_rule_settings_find(text, text + settings->text.used, key) : NULL;
}

static void remove_bytes(ez_buffer *text, size_t at, size_t n)
{
    memmove(text->data + at, text->data + at + n, text->used - at - n);
    text->used -= n;
}

/* Makes a gap of n bytes. */
static ezlda_status open_gap(ez_buffer *text, ezlda_context *context, size_t at, size_t n)
{
    EZ_TRY(ez_buffer_reserve(text, context, n));
    memmove(text->data + at + n, text->data + at, text->used - at);
    text->used += n;
    return EZLDA_OK;
}

ezlda_status ez_rule_settings_set(ez_rule_settings *settings, ezlda_context *context,
                                  const char *key, const char *value)
{
    ez_buffer *text = &settings->text;
    size_t n = strlen(key), at = 0;
    EZ_TRY(ez_buffer_reserve(text, context, 1));
    const char *begin = (const char *)text->data, *end = begin + text->used;
    const char *place = first_from(begin, end, key, n);
    at = (size_t)(place - begin);
    if (place < end && compare_key(place, key, n) == 0)
        remove_bytes(text, at, strlen(place) + 1);
    if (!value)
        return EZLDA_OK;
    size_t length = strlen(value);
    EZ_TRY(open_gap(text, context, at, n + length + 2));
    memcpy(text->data + at, key, n);
    text->data[at + n] = '=';
    memcpy(text->data + at + n + 1, value, length + 1);
    return EZLDA_OK;
}

void ez_rule_settings_free(ez_rule_settings *settings)
{
    ez_free(settings->text.data);
    settings->text = (ez_buffer){0};
}

bool ez_rule_settings_good(const char *at, const char *end)
{
    for (const char *before = NULL; at < end; before = at, at += strlen(at) + 1) {
        size_t n = key_length(at);
        if (!n || (before && compare_key(before, at, n) >= 0))
            return false;
    }
    return true;
}
