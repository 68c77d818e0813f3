/* Reads names of topics and makes operations of edit of them. */
#include "options/names_option.h"

#include "options/json_in.h"
#include "output/text_out.h"
#include "platform.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

typedef struct names_file {
    const char *path;
    const ezlda_model *model;
    uint32_t topics;
    char **name;  /* topics: as read */
    size_t *line; /* topics: where */
    cli_text *operations;
} names_file;

int names_read_text(cli_text *text, const char *path)
{
    bool standard = strcmp(path, "-") == 0;
    FILE *file = standard ? stdin : platform_open(path, "r");
    char block[4096];
    size_t n;
    if (!file)
        return cli_fail_errno(path, "open");
    text_put(text, "", 0);
    size_t before = text->n;
    while ((n = fread(block, 1, sizeof block, file)) > 0)
        text_put(text, block, n);
    int failed = ferror(file) ? errno : 0;
    if (!standard)
        fclose(file);
    errno = failed;
    if (failed)
        return cli_fail_errno(path, "read");
    if (strlen(text->data) != text->n)
        return cli_fail("%s: expected text, found a NUL byte", path);
    const char *first = cli_skip_mark(text->data + before), *end = text->data + text->n;
    memmove(text->data + before, first, (size_t)(end - first) + 1);
    text->n = before + (size_t)(end - first);
    return 0;
}

bool names_has_control(const char *text)
{
    for (; *text; text++)
        if ((unsigned char)*text < ' ' || *text == 127)
            return true;
    return false;
}

/* Another topic that will have this name, or the number of topics. */
static uint32_t owner_of(const names_file *f, const char *name, uint32_t except)
{
    for (uint32_t k = 0; k < f->topics; k++) {
        const char *has = f->name[k] ? f->name[k] : ezlda_model_topic_name(f->model, k);
        if (k != except && text_same_letters(has, name))
            return k;
    }
    return f->topics;
}

/* What edits would say of this name, but with its place. */
static int check_name(const names_file *f, size_t line, uint32_t topic, const char *name)
{
    if (!*name)
        return cli_fail("%s:%zu: expected a name for topic %u, found an empty one", f->path, line,
                        topic);
    if (names_has_control(name))
        return cli_fail("%s:%zu: expected a name without control characters, found '%s'", f->path,
                        line, name);
    if (strlen(name) > NAME_BYTES)
        return cli_fail("%s:%zu: expected a name of 1 to %d bytes, found %zu", f->path, line,
                        NAME_BYTES, strlen(name));
    if (ezlda_model_topic_into(f->model, topic) != topic)
        return cli_fail("%s:%zu: topic %u was merged into topic %u", f->path, line, topic,
                        ezlda_model_topic_into(f->model, topic));
    return 0;
}

/* A copy of a text without spaces around it. */
static char *trimmed(const char *text)
{
    text += strspn(text, " ");
    size_t n = strlen(text);
    while (n > 0 && text[n - 1] == ' ')
        n--;
    return memcpy(cli_zeroed(n + 1, 1), text, n);
}

static int add_name(names_file *f, size_t line, uint64_t number, const char *read)
{
    uint32_t topic = (uint32_t)number;
    if (number >= f->topics)
        return cli_fail("%s:%zu: expected a topic from 0 to %u, found %llu", f->path, line,
                        f->topics - 1, (unsigned long long)number);
    if (f->name[topic])
        return cli_fail("%s:%zu: topic %u has a name twice: '%s' and '%s'", f->path, line, topic,
                        f->name[topic], read);
    char *name = trimmed(read);
    f->name[topic] = name;
    f->line[topic] = line;
    int status = check_name(f, line, topic, name);
    /* In quotes, which edits remove: the name may begin and end with its own. */
    text_printf(f->operations, "rename %u \"%s\"\n", topic, name);
    return status;
}

/* Fails if two topics have the same name once all names are given, so that names can change hands.
 */
static int check_distinct(const names_file *f)
{
    for (uint32_t k = 0; k < f->topics; k++) {
        uint32_t owner = f->name[k] ? owner_of(f, f->name[k], k) : f->topics;
        uint32_t later = owner < f->topics && f->line[owner] > f->line[k] ? owner : k;
        if (owner < f->topics) /* line 0: the name is the model's */
            return cli_fail("%s:%zu: expected names that differ, found '%s' for topics %u and %u",
                            f->path, f->line[later], f->name[later], later == k ? owner : k, later);
    }
    return 0;
}

static int wrong_json(const names_file *f, const json_in *json)
{
    return cli_fail("%s:%zu: expected %s", f->path, json->line,
                    json->expected ? json->expected
                                   : "an object {\"topic\": 7, \"name\": \"Courts\"}, or several "
                                     "in lines or in an array");
}

/* {"7": "Courts", ...}: the names that a page saved. */
static int read_page_names(names_file *f, json_in *json)
{
    cli_text key = {0}, name = {0};
    bool first = true;
    int status = 0;
    json_in_open(json);
    while (!status && json_in_key(json, &key, &first)) {
        uint64_t topic;
        size_t line = json->line;
        if (!cli_parse_u64(key.data, &topic))
            status = cli_fail("%s:%zu: expected the number of a topic, found '%s'", f->path, line,
                              key.data);
        else if (json_in_string(json, &name))
            status = add_name(f, line, topic, name.data);
    }
    text_free(&key);
    text_free(&name);
    return status;
}

/* 7 or "7". */
static bool read_topic(json_in *json, uint64_t *topic)
{
    cli_text text = {0};
    if (!json_in_is(json, '"'))
        return json_in_whole(json, topic);
    bool is = json_in_string(json, &text) && cli_parse_u64(text.data, topic);
    if (!is && !json->expected)
        json->expected = "the number of a topic";
    text_free(&text);
    return is;
}

/* One object: that of a page, or the answer to one prompt. */
static int read_object(names_file *f, json_in *json)
{
    cli_text key = {0}, name = {0};
    bool first = true, page = false, has_topic = false, has_name = false;
    uint64_t topic = 0;
    int status = 0;
    json_in_open(json);
    size_t line = json->line;
    while (!status && json_in_key(json, &key, &first)) {
        if (strcmp(key.data, "names") == 0 && json_in_is(json, '{')) {
            status = read_page_names(f, json);
            page = true;
        } else if (strcmp(key.data, "topic") == 0) {
            has_topic = read_topic(json, &topic);
        } else if (strcmp(key.data, "name") == 0) {
            has_name = json_in_string(json, &name);
        } else {
            json_in_skip(json);
        }
    }
    if (!status && (json->expected || (!page && !(has_topic && has_name))))
        status = wrong_json(f, json);
    if (!status && !page)
        status = add_name(f, line, topic, name.data);
    text_free(&key);
    text_free(&name);
    return status;
}

/* Skips a line of Markdown that begins or ends a block of code. */
static bool skip_fence(json_in *json)
{
    if (!json_in_is(json, '`') || json->end - json->at < 3 || strncmp(json->at, "```", 3) != 0)
        return false;
    json->at += strcspn(json->at, "\n");
    return true;
}

/* Objects one after another, with or without commas and an array around them, as answers of a
 * language model have them. */
static int read_json(names_file *f, const cli_text *text)
{
    json_in json = {text->data, text->data + text->n, 1, NULL};
    int status = 0;
    bool fence = skip_fence(&json), array = json_in_take(&json, '['), first = true;
    while (!status && !json_in_at_end(&json)) {
        if ((array && json_in_is(&json, ']')) || (fence && !array && json_in_is(&json, '`')))
            break;
        if (!first)
            json_in_take(&json, ',');
        first = false;
        status = read_object(f, &json);
    }
    if (!status && array && !json_in_take(&json, ']'))
        json.expected = "the end of the array";
    if (!status && !json.expected && fence)
        skip_fence(&json);
    if (!status && !json.expected && !json_in_at_end(&json))
        json.expected = "the end of the file";
    return !status && json.expected ? wrong_json(f, &json) : status;
}

/* One line "topic<TAB>name"; the first may be the header. */
static int read_line(names_file *f, size_t line, char *text)
{
    uint64_t topic;
    char *tab = strchr(text, '\t');
    if (!*text || (line == 1 && strncmp(text, "topic\t", 6) == 0))
        return 0;
    if (tab)
        *tab = 0;
    if (!tab || !cli_parse_u64(text, &topic))
        return cli_fail("%s:%zu: expected a topic, a tab and a name", f->path, line);
    return add_name(f, line, topic, tab + 1);
}

static int read_table(names_file *f, cli_text *text)
{
    int status = 0;
    size_t line = 1;
    for (char *at = text->data; *at && !status; line++) {
        char *end = at + strcspn(at, "\n"), *next = *end ? end + 1 : end;
        while (end > at && isspace((unsigned char)end[-1]))
            end--;
        *end = 0;
        status = read_line(f, line, at);
        at = next;
    }
    return status;
}

int names_read(cli_text *operations, const ezlda_model *model, const char *path, bool distinct)
{
    ezlda_model_info info = {.size = sizeof info};
    ezlda_model_get_info(model, &info);
    names_file f = {.path = path,
                    .model = model,
                    .topics = info.topics,
                    .name = cli_zeroed(info.topics, sizeof *f.name),
                    .line = cli_zeroed(info.topics, sizeof *f.line),
                    .operations = operations};
    cli_text text = {0};
    int status = names_read_text(&text, path);
    if (!status) {
        const char *begin = text.data + strspn(text.data, " \t\r\n");
        bool json = *begin && strchr("{[`", *begin);
        status = json ? read_json(&f, &text) : read_table(&f, &text);
    }
    if (!status && distinct)
        status = check_distinct(&f);
    for (uint32_t k = 0; k < info.topics; k++)
        free(f.name[k]);
    free(f.name);
    free(f.line);
    text_free(&text);
    return status;
}
