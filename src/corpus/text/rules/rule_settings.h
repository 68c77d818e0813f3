/* Named settings of the rules of text: "key=value" strings, sorted by key. They hold what the fixed
 * head of the rules (text_rules.h) has no place for. Readers ignore keys that they do not know. */
#ifndef EZ_RULE_SETTINGS_H
#define EZ_RULE_SETTINGS_H

#include "base/memory.h"

/* Zero-initialise; free with ez_rule_settings_free. */
typedef struct ez_rule_settings {
    ez_buffer text; /* the strings in order, each ended by NUL */
} ez_rule_settings;

/* Adds a setting or replaces its value; value NULL removes it. A key has lower case letters, digits
 * and hyphens; a value is UTF-8 and may be empty. */
ezlda_status ez_rule_settings_set(ez_rule_settings *settings, ezlda_context *context,
                                  const char *key, const char *value);
/* The value of a setting, valid until the next change; NULL if there is none. */
const char *ez_rule_settings_get(const ez_rule_settings *settings, const char *key);
void ez_rule_settings_free(ez_rule_settings *settings);

/* The value of a setting among the strings from `at` to `end`; NULL if there is none. */
const char *ez_rule_settings_find(const char *at, const char *end, const char *key);
/* Whether strings, each ended by NUL, are settings with ascending keys. */
bool ez_rule_settings_good(const char *at, const char *end);

#endif
