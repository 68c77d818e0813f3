/* Parses a command line by the option tables, and describes values and defaults for the help. */
#include "options/options.h"

#include "cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- values ---- */

/* Describes the values that an option accepts, for messages. */
static void describe_values(const cli_option *option, char *text, size_t size)
{
    switch (option->type) {
    case CLI_INT:
    case CLI_U32:
        snprintf(text, size, "a whole number from %.0f to %.0f", option->least, option->most);
        break;
    case CLI_U64:
        if (option->most < (double)UINT64_MAX)
            snprintf(text, size, "a whole number from %.0f to %.0f", option->least, option->most);
        else
            snprintf(text, size, "a whole number from %.0f to %llu", option->least,
                     (unsigned long long)UINT64_MAX);
        break;
    case CLI_BYTES: snprintf(text, size, "a number of bytes, such as 500M or 2.5G"); break;
    case CLI_BITS: snprintf(text, size, "bits per second, such as 25G or 100G"); break;
    case CLI_REAL:
        snprintf(text, size, "a number from %g to %g", option->least, option->most);
        break;
    case CLI_POSITIVE:
        snprintf(text, size,
                 option->most > 0 ? "a number above 0 and up to %g" : "a number above 0",
                 option->most);
        break;
    default: {
        char choices[256];
        cli_value_name(option, choices, sizeof choices);
        snprintf(text, size, "one of %s", choices);
    }
    }
}

static bool set_whole(const cli_option *option, void *target, const char *value)
{
    uint64_t number;
    if (!cli_parse_u64(value, &number) || (double)number < option->least)
        return false;
    if (option->most < (double)UINT64_MAX && number > (uint64_t)option->most)
        return false;
    if (option->type == CLI_U64)
        *(uint64_t *)target = number;
    else if (option->type == CLI_U32)
        *(uint32_t *)target = (uint32_t)number;
    else
        *(int *)target = (int)number;
    return true;
}

/* 500M, 2.5G, 16000000000. */
static bool set_bytes(void *target, const char *value)
{
    static const char units[] = "kMGT";
    char *end;
    double number = strtod(value, &end);
    if (end == value || !(number > 0) || !(value[0] >= '0' && value[0] <= '9'))
        return false;
    const char *unit = *end ? strchr(units, *end == 'K' ? 'k' : *end) : NULL;
    if (*end && (!unit || end[1]))
        return false;
    for (const char *u = units; unit && u <= unit; u++)
        number *= 1000;
    if (number < 1 || number >= 1e18)
        return false;
    *(uint64_t *)target = (uint64_t)number;
    return true;
}

static bool set_real(const cli_option *option, void *target, const char *value)
{
    double number;
    if (!cli_parse_real(value, &number))
        return false;
    bool positive = option->type == CLI_POSITIVE;
    if (positive ? number <= 0 : number < option->least)
        return false;
    if (number > option->most && !(positive && option->most <= 0)) /* 0: no limit */
        return false;
    *(double *)target = number;
    return true;
}

/* A choice such as "cuda:N,..." stands for numbers. */
static bool is_numbered(const char *choice)
{
    return strstr(choice, ":N") != NULL;
}

/* Numbers separated by commas. */
static bool are_numbers(const char *text)
{
    for (;;) {
        size_t digits = strspn(text, "0123456789");
        if (digits == 0 || digits > 9)
            return false;
        text += digits;
        if (!*text)
            return true;
        if (*text++ != ',')
            return false;
    }
}

static bool is_choice(const char *choice, const char *value)
{
    if (!is_numbered(choice))
        return strcmp(choice, value) == 0;
    size_t n = (size_t)(strchr(choice, ':') - choice) + 1;
    return strncmp(choice, value, n) == 0 && are_numbers(value + n);
}

static bool set_choice(const cli_option *option, void *target, const char *value)
{
    for (int i = 0; option->choices[i]; i++) {
        if (!is_choice(option->choices[i], value))
            continue;
        if (option->type == CLI_NAME)
            *(const char **)target = value;
        else
            memcpy(target, &i, sizeof i);
        return true;
    }
    return false;
}

static bool set_value(const cli_option *option, void *target, const char *value)
{
    switch (option->type) {
    case CLI_FLAG: *(int *)target = !option->off; return true;
    case CLI_TEXT: *(const char **)target = value; return true;
    case CLI_INT:
    case CLI_U32:
    case CLI_U64: return set_whole(option, target, value);
    case CLI_BYTES:
    case CLI_BITS: return set_bytes(target, value);
    case CLI_REAL:
    case CLI_POSITIVE: return set_real(option, target, value);
    case CLI_CHOICE:
    case CLI_NAME: return set_choice(option, target, value);
    }
    return false;
}

void cli_value_name(const cli_option *option, char *text, size_t size)
{
    text[0] = '\0';
    if (!option->choices) {
        snprintf(text, size, "%s", option->argument ? option->argument : "");
        return;
    }
    size_t used = 0;
    for (int i = 0; option->choices[i] && used < size; i++)
        used +=
            (size_t)snprintf(text + used, size - used, "%s%s", i ? ", " : "", option->choices[i]);
}

static bool is_zero(const cli_option *option, const void *target)
{
    switch (option->type) {
    case CLI_FLAG:
    case CLI_INT:
    case CLI_CHOICE: return *(const int *)target == 0;
    case CLI_U32: return *(const uint32_t *)target == 0;
    case CLI_U64:
    case CLI_BYTES:
    case CLI_BITS: return *(const uint64_t *)target == 0;
    case CLI_REAL:
    case CLI_POSITIVE: return *(const double *)target == 0;
    case CLI_TEXT:
    case CLI_NAME: return *(const char *const *)target == NULL;
    }
    return true;
}

void cli_default_text(const cli_option *option, const void *target, char *text, size_t size)
{
    text[0] = '\0';
    if (option->required || option->type == CLI_FLAG)
        return;
    if (option->unset && is_zero(option, target)) {
        snprintf(text, size, "%s", option->unset);
        return;
    }
    switch (option->type) {
    case CLI_INT: snprintf(text, size, "%d", *(const int *)target); break;
    case CLI_U32: snprintf(text, size, "%u", (unsigned)*(const uint32_t *)target); break;
    case CLI_U64:
    case CLI_BYTES:
    case CLI_BITS:
        snprintf(text, size, "%llu", (unsigned long long)*(const uint64_t *)target);
        break;
    case CLI_REAL:
    case CLI_POSITIVE: snprintf(text, size, "%g", *(const double *)target); break;
    case CLI_CHOICE: snprintf(text, size, "%s", option->choices[*(const int *)target]); break;
    case CLI_TEXT:
    case CLI_NAME: {
        const char *value = *(const char *const *)target;
        snprintf(text, size, "%s", value ? value : "");
        break;
    }
    case CLI_FLAG: break;
    }
}

void *cli_default_settings(const cli_command *command)
{
    void *settings = cli_zeroed(1, command->settings_size);
    if (command->defaults)
        command->defaults(settings);
    return settings;
}

/* ---- parsing ---- */

/* An option found in the tables: its number over all sections, and where its value goes. */
typedef struct found_option {
    const cli_option *option;
    size_t number;
    void *target;
} found_option;

/* By long name (of `length` bytes), or by letter if name is NULL. */
static bool find_option(const cli_call *call, const char *name, size_t length, char letter,
                        found_option *found)
{
    size_t number = 0;
    for (const cli_section *section = call->command->sections; section->title; section++) {
        for (const cli_option *option = section->options; option->name; option++, number++) {
            bool same =
                name ? strlen(option->name) == length && memcmp(option->name, name, length) == 0
                     : option->letter == letter;
            if (!same)
                continue;
            *found = (found_option){option, number,
                                    (char *)call->settings + section->base + option->target};
            return true;
        }
    }
    return false;
}

static int unknown_option(const cli_call *call, const char *name, size_t length)
{
    const char *names[CLI_MAX_OPTIONS + 1];
    size_t n = 0;
    for (const cli_section *section = call->command->sections; section->title; section++)
        for (const cli_option *option = section->options; option->name; option++)
            names[n++] = option->name;
    names[n] = NULL;
    char word[64];
    snprintf(word, sizeof word, "%.*s", (int)(length < 63 ? length : 63), name);
    const char *nearest = cli_nearest(word, names);
    if (nearest)
        return cli_misuse(call->command, "unknown option --%s, did you mean --%s?", word, nearest);
    return cli_misuse(call->command, "unknown option --%s", word);
}

/* `shown` is the option as it was written. */
static int store_value(cli_call *call, const found_option *found, const char *shown,
                       const char *value)
{
    call->given[found->number] = true;
    if (set_value(found->option, found->target, value))
        return 0;
    char what[320];
    describe_values(found->option, what, sizeof what);
    return cli_misuse(call->command, "%s: expected %s, found '%s'", shown, what, value);
}

/* --name, --name=value, --name value. *i advances if the value is the next argument. */
static int parse_long(cli_call *call, int argc, char **argv, int *i)
{
    const char *name = argv[*i] + 2;
    const char *equals = strchr(name, '=');
    size_t length = equals ? (size_t)(equals - name) : strlen(name);
    found_option found;
    if (!find_option(call, name, length, 0, &found))
        return unknown_option(call, name, length);
    char shown[64];
    snprintf(shown, sizeof shown, "--%s", found.option->name);
    bool flag = found.option->type == CLI_FLAG;
    if (flag && equals)
        return cli_misuse(call->command, "%s takes no value, found '%s'", shown, equals + 1);
    if (!flag && !equals && *i + 1 >= argc)
        return cli_misuse(call->command, "%s needs a value (%s)", shown, found.option->argument);
    return store_value(call, &found, shown, flag ? NULL : equals ? equals + 1 : argv[++*i]);
}

/* -k 5, -k5, -q, and several flags in one argument. */
static int parse_short(cli_call *call, int argc, char **argv, int *i)
{
    for (const char *letter = argv[*i] + 1; *letter; letter++) {
        found_option found;
        if (!find_option(call, NULL, 0, *letter, &found))
            return cli_misuse(call->command, "unknown option -%c in '%s'", *letter, argv[*i]);
        char shown[64];
        snprintf(shown, sizeof shown, "-%c/--%s", *letter, found.option->name);
        if (found.option->type == CLI_FLAG) {
            store_value(call, &found, shown, NULL);
            continue;
        }
        if (!letter[1] && *i + 1 >= argc)
            return cli_misuse(call->command, "%s needs a value (%s)", shown,
                              found.option->argument);
        return store_value(call, &found, shown, letter[1] ? letter + 1 : argv[++*i]);
    }
    return 0;
}

static int check_complete(const cli_call *call)
{
    const cli_command *command = call->command;
    if (call->n_operands < command->min_operands)
        return call->n_operands ? cli_misuse(command, "expected a %s, found only '%s'",
                                             command->operand_name, call->operands[0])
                                : cli_misuse(command, "no %s given", command->operand_name);
    if (call->n_operands > command->max_operands)
        return cli_misuse(command, "unexpected argument '%s'",
                          call->operands[command->max_operands]);
    size_t number = 0;
    for (const cli_section *section = command->sections; section->title; section++) {
        for (const cli_option *option = section->options; option->name; option++, number++) {
            if (!option->required || call->given[number])
                continue;
            if (option->letter)
                return cli_misuse(command, "-%c/--%s %s is required", option->letter, option->name,
                                  option->argument);
            return cli_misuse(command, "--%s %s is required", option->name, option->argument);
        }
    }
    return 0;
}

int cli_parse(cli_call *call, const cli_command *command, int argc, char **argv)
{
    *call = (cli_call){.command = command, .settings = cli_default_settings(command)};
    call->operands = cli_zeroed((size_t)argc + 1, sizeof *call->operands);
    const cli_common *common = call->settings;
    bool only_operands = false;
    for (int i = 0; i < argc; i++) {
        const char *argument = argv[i];
        int status = 0;
        if (only_operands || argument[0] != '-' || !argument[1])
            call->operands[call->n_operands++] = argument;
        else if (strcmp(argument, "--") == 0)
            only_operands = true;
        else if (argument[1] == '-')
            status = parse_long(call, argc, argv, &i);
        else
            status = parse_short(call, argc, argv, &i);
        if (status || common->help || common->help_all)
            return status;
    }
    return check_complete(call);
}

void cli_call_free(cli_call *call)
{
    free(call->settings);
    free(call->operands);
    *call = (cli_call){0};
}

bool cli_given(const cli_call *call, const char *name)
{
    found_option found;
    return find_option(call, name, strlen(name), 0, &found) && call->given[found.number];
}
