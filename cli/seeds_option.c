#include "seeds_option.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int read_all(const char *path, char **out)
{
    FILE *file = fopen(path, "r");
    size_t used = 0, room = 0;
    char *text = NULL;
    if (!file)
        return cli_fail_errno(path, "read --seeds");
    do {
        room = room ? 2 * room : 4096;
        text = cli_grow(text, room, 1);
        used += fread(text + used, 1, room - 1 - used, file);
    } while (used == room - 1);
    int status = ferror(file) ? cli_fail_errno(path, "read --seeds") : 0;
    fclose(file);
    text[used] = '\0';
    *out = text;
    if (!status && strlen(text) != used)
        return cli_fail("%s: expected text, found a NUL byte", path);
    return status;
}

/* The topic that a line is for, and where its words begin. */
static int line_topic(const char *path, unsigned line, uint32_t topics, char **words, uint64_t *topic)
{
    char *colon = strchr(*words, ':');
    if (colon) {
        *colon = '\0';
        char *number = *words + strspn(*words, " \t"), *end = number + strcspn(number, " \t");
        *end = '\0';
        if (!cli_parse_u64(number, topic))
            return cli_fail("%s:%u: expected the number of a topic before the colon, found '%s'", path, line, number);
        *words = colon + 1;
    }
    if (*topic >= topics)
        return cli_fail("%s:%u: words for topic %llu: topics are numbered from 0 to %u", path, line,
                        (unsigned long long)*topic, topics - 1);
    return 0;
}

static void add_words(seed_list *list, char *words, uint32_t topic)
{
    char *rest = NULL;
    for (char *word = strtok_r(words, " \t\r,", &rest); word; word = strtok_r(NULL, " \t\r,", &rest)) {
        if ((list->n & (list->n + 1)) == 0)
            list->seed = cli_grow(list->seed, 2 * list->n + 2, sizeof *list->seed);
        list->seed[list->n++] = (ezlda_seed){topic, word};
    }
}

int seeds_option(const char *path, uint32_t topics, seed_list *out)
{
    *out = (seed_list){0};
    if (!path)
        return 0;
    int status = read_all(path, &out->text);
    uint64_t next = 0;
    unsigned line = 1;
    for (char *at = out->text, *end; !status && at; at = end, line++) {
        end = strchr(at, '\n');
        if (end)
            *end++ = '\0';
        at[strcspn(at, "#")] = '\0';
        if (at[strspn(at, " \t\r,")] == '\0')
            continue;
        uint64_t topic = next;
        status = line_topic(path, line, topics, &at, &topic);
        if (!status)
            add_words(out, at, (uint32_t)topic);
        next = topic + 1;
    }
    if (!status && out->n == 0)
        return cli_fail("%s: no seed words in it", path);
    return status;
}

void seeds_free(seed_list *list)
{
    free(list->seed);
    free(list->text);
}
