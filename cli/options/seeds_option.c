/* Reads the file of --seeds: one line of words per topic, or "7: words" for topic 7. */
#include "options/seeds_option.h"

#include "platform.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

static const char SEPARATORS[] = " \t\r,";

/* The library would treat other bytes as words that the corpus does not have. */
static int check_text(const char *path, const char *text, size_t n)
{
    unsigned line = 1;
    for (size_t i = 0; i < n;) {
        utf8proc_int32_t code;
        utf8proc_ssize_t length =
            utf8proc_iterate((const utf8proc_uint8_t *)text + i, (utf8proc_ssize_t)(n - i), &code);
        if (length <= 0)
            return cli_fail("%s:%u: expected UTF-8, found the byte 0x%02x", path, line,
                            (unsigned char)text[i]);
        if (code == 0)
            return cli_fail("%s:%u: expected text, found a NUL byte", path, line);
        line += code == '\n';
        i += (size_t)length;
    }
    return 0;
}

static int read_all(const char *path, char **out)
{
    FILE *file = platform_open(path, "r");
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
    return status ? status : check_text(path, text, used);
}

/* Finds the topic of a line, and the beginning of its words. */
static int line_topic(const char *path, unsigned line, uint32_t topics, char **words,
                      uint64_t *topic)
{
    char *colon = *words + strcspn(*words, ":\"#");
    bool counted = *colon != ':';
    if (!counted) {
        *colon = '\0';
        char *number = *words + strspn(*words, " \t"), *end = number + strcspn(number, " \t");
        *end = '\0';
        if (!cli_parse_u64(number, topic))
            return cli_fail("%s:%u: expected the number of a topic before the colon, found '%s'",
                            path, line, number);
        *words = colon + 1;
    }
    if (*topic >= topics)
        return cli_fail("%s:%u: words for topic %llu: topics are numbered from 0 to %u%s", path,
                        line, (unsigned long long)*topic, topics - 1,
                        counted ? ", and empty lines count" : "");
    return 0;
}

/* Cuts the next seed off a line: a word, or a phrase in quotes. NULL at the end of the line or at a
 * comment. */
static char *next_seed(char **line, bool *closed)
{
    char *seed = *line + strspn(*line, SEPARATORS);
    bool quoted = *seed == '"';
    seed += quoted;
    char *end = seed + strcspn(seed, quoted ? "\"" : " \t\r,#");
    *closed = !quoted || *end;
    if (!quoted && end == seed)
        return NULL;
    *line = *end && *end != '#' ? end + 1 : end + strlen(end);
    *end = '\0';
    return seed;
}

static int add_words(seed_list *list, const char *path, unsigned line, char *words, uint32_t topic)
{
    bool closed;
    for (char *seed; (seed = next_seed(&words, &closed));) {
        if (!closed)
            return cli_fail("%s:%u: a quote that opens here is never closed", path, line);
        if (!seed[strspn(seed, SEPARATORS)])
            return cli_fail("%s:%u: expected a word or a phrase in quotes, found none", path, line);
        if ((list->n & (list->n + 1)) == 0)
            list->seed = cli_grow(list->seed, 2 * list->n + 2, sizeof *list->seed);
        list->seed[list->n++] = (ezlda_seed){topic, seed};
    }
    return 0;
}

int seeds_option(const char *path, uint32_t topics, seed_list *out)
{
    *out = (seed_list){0};
    if (!path)
        return 0;
    int status = read_all(path, &out->text);
    uint64_t next = 0;
    unsigned line = 1;
    char *start = out->text;
    if (!status)
        start += cli_skip_mark(start) - start;
    for (char *at = start, *end; !status && at; at = end, line++) {
        end = strchr(at, '\n');
        if (end)
            *end++ = '\0';
        char first = at[strspn(at, SEPARATORS)];
        uint64_t topic = next;
        if (first == '#')
            continue;
        if (first)
            status = line_topic(path, line, topics, &at, &topic);
        if (first && !status)
            status = add_words(out, path, line, at, (uint32_t)topic);
        next = topic + 1; /* an empty line is a topic without seeds */
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
