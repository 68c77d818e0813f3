/* Reads the operations of edits, line by line. */
#include "model/edits/edit_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { EZ_EDIT_NAME_MOST = 200 };

typedef struct reading {
    ezlda_context *context;
    const ez_edit_source *source;
    ez_edits *edits;
    ez_buffer text, words, listed; /* listed: uint32_t topics of this line */
    size_t line;
    bool earlier; /* this line is one of source->earlier */
} reading;

#define WRONG(r, format, ...)                                                                \
    ez_fail((r)->context, (r)->source->bad, "%s:%zu: " format, (r)->source->name, (r)->line, \
            __VA_ARGS__)

void ez_edits_free(ez_edits *edits)
{
    if (!edits)
        return;
    for (uint32_t k = 0; k < edits->topics; k++) {
        if (edits->name)
            ez_free(edits->name[k]);
        if (edits->group)
            ez_free(edits->group[k]);
    }
    ez_free(edits->text);
    ez_free(edits->name);
    ez_free(edits->group);
    ez_free(edits->hidden);
    ez_free(edits->into);
    ez_free(edits->word);
    ez_free(edits);
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* The next word of the line; moves *at behind it. */
static size_t take_word(const char **at, const char *end, const char **word)
{
    while (*at < end && is_space(**at))
        ++*at;
    *word = *at;
    while (*at < end && !is_space(**at))
        ++*at;
    return (size_t)(*at - *word);
}

/* The rest of the line without spaces around it. */
static size_t take_rest(const char *at, const char *end, const char **rest)
{
    while (at < end && is_space(*at))
        at++;
    while (end > at && is_space(end[-1]))
        end--;
    *rest = at;
    return (size_t)(end - at);
}

static ezlda_status read_topic(reading *r, const char *word, size_t n, size_t *at)
{
    uint64_t topic = 0;
    size_t digits = 0;
    for (; *at < n && word[*at] >= '0' && word[*at] <= '9' && digits < 9; ++*at, digits++)
        topic = 10 * topic + (uint64_t)(word[*at] - '0');
    uint32_t number = (uint32_t)topic;
    if (digits == 0 || topic >= r->source->topics || (*at < n && word[*at] != ','))
        return WRONG(r, "expected topics from 0 to %u, separated by commas, found '%.*s'",
                     r->source->topics - 1, (int)(n < 40 ? n : 40), word);
    if (r->edits->into[number] != number)
        return WRONG(r, "topic %u was merged into topic %u", number, r->edits->into[number]);
    ++*at;
    return ez_buffer_append(&r->listed, r->context, &number, sizeof number);
}

/* Reads "3,9,12" into r->listed; *n: how many. */
static ezlda_status read_topics(reading *r, const char **at, const char *end, size_t *n)
{
    const char *word;
    size_t length = take_word(at, end, &word), i = 0;
    r->listed.used = 0;
    do
        EZ_TRY(read_topic(r, word, length, &i));
    while (i <= length && i > 0 && word[i - 1] == ',' && i - 1 < length);
    *n = r->listed.used / sizeof(uint32_t);
    return EZLDA_OK;
}

static uint32_t listed(const reading *r, size_t i)
{
    uint32_t topic;
    memcpy(&topic, r->listed.data + i * sizeof topic, sizeof topic);
    return topic;
}

/* Appends "OPERATION 3,9" to the text. */
static ezlda_status write_topics(reading *r, const char *operation, size_t n)
{
    char number[16];
    EZ_TRY(ez_buffer_append(&r->text, r->context, operation, strlen(operation)));
    for (size_t i = 0; i < n; i++) {
        int length = snprintf(number, sizeof number, "%c%u", i ? ',' : ' ', listed(r, i));
        EZ_TRY(ez_buffer_append(&r->text, r->context, number, (size_t)length));
    }
    return EZLDA_OK;
}

static ezlda_status write_text(reading *r, const char *before, const char *text, size_t n)
{
    EZ_TRY(ez_buffer_append(&r->text, r->context, before, strlen(before)));
    return ez_buffer_append(&r->text, r->context, text, n);
}

static ezlda_status no_more(reading *r, const char *at, const char *end)
{
    const char *rest;
    size_t n = take_rest(at, end, &rest);
    return n ? WRONG(r, "expected the end of the line, found '%.*s'", (int)(n < 40 ? n : 40), rest)
             : EZLDA_OK;
}

/* Reads a name to the end of the line. New ones may stand in quotes; operations that the model has
 * lost these when they were new, and keep what is left. */
static ezlda_status read_name(reading *r, const char *at, const char *end, const char **name,
                              size_t *n)
{
    *n = take_rest(at, end, name);
    if (!r->earlier && *n >= 2 && **name == '"' && (*name)[*n - 1] == '"')
        *n = take_rest(*name + 1, *name + *n - 1, name);
    for (size_t i = 0; i < *n; i++)
        if ((unsigned char)(*name)[i] < ' ' || (*name)[i] == 127)
            return WRONG(r, "expected a name without control characters, found byte %d",
                         (unsigned char)(*name)[i]);
    if (*n == 0 || *n > EZ_EDIT_NAME_MOST)
        return WRONG(r, "expected a name of 1 to %d bytes, found %zu", EZ_EDIT_NAME_MOST, *n);
    return EZLDA_OK;
}

static ezlda_status set_name(reading *r, char **place, const char *name, size_t n)
{
    ez_free(*place);
    *place = NULL;
    EZ_TRY(ez_array_zero(place, r->context, n + 1, 1, "the name of a topic"));
    memcpy(*place, name, n);
    return EZLDA_OK;
}

static ezlda_status rename_topic(reading *r, const char *at, const char *end)
{
    const char *name;
    size_t topics, n;
    EZ_TRY(read_topics(r, &at, end, &topics));
    if (topics != 1)
        return WRONG(r, "rename: expected one topic, found %zu", topics);
    EZ_TRY(read_name(r, at, end, &name, &n));
    EZ_TRY(write_topics(r, "rename", topics));
    EZ_TRY(write_text(r, " ", name, n));
    return set_name(r, &r->edits->name[listed(r, 0)], name, n);
}

static ezlda_status group_topics(reading *r, const char *at, const char *end)
{
    const char *name;
    size_t topics, n;
    EZ_TRY(read_topics(r, &at, end, &topics));
    EZ_TRY(read_name(r, at, end, &name, &n));
    EZ_TRY(write_topics(r, "group", topics));
    EZ_TRY(write_text(r, " ", name, n));
    for (size_t i = 0; i < topics; i++)
        EZ_TRY(set_name(r, &r->edits->group[listed(r, i)], name, n));
    return EZLDA_OK;
}

static ezlda_status hide_topics(reading *r, const char *at, const char *end)
{
    size_t topics;
    EZ_TRY(read_topics(r, &at, end, &topics));
    EZ_TRY(no_more(r, at, end));
    for (size_t i = 0; i < topics; i++)
        r->edits->hidden[listed(r, i)] = true;
    return write_topics(r, "hide", topics);
}

/* All topics go into the first one. It must not be hidden: its lists would miss all of them. Models
 * that have such a merge are read. */
static ezlda_status merge_topics(reading *r, const char *at, const char *end, const char *operation)
{
    size_t topics;
    ez_edits *e = r->edits;
    EZ_TRY(read_topics(r, &at, end, &topics));
    EZ_TRY(no_more(r, at, end));
    if (topics < 2)
        return WRONG(r, "%s: expected two or more topics, found one", operation);
    uint32_t to = listed(r, 0);
    if (e->hidden[to] && !r->earlier)
        return WRONG(r, "%s: topic %u is hidden; begin with a topic that is not hidden", operation,
                     to);
    for (size_t i = 1; i < topics; i++) {
        uint32_t from = listed(r, i);
        if (from == to || e->into[from] != from)
            return WRONG(r, "%s: topic %u occurs twice", operation, from);
        for (uint32_t k = 0; k < e->topics; k++)
            e->into[k] = e->into[k] == from ? to : e->into[k];
        e->hidden[from] = true;
    }
    e->merges = true;
    return write_topics(r, operation, topics);
}

static ezlda_status read_word(reading *r, uint32_t topic, const char *item, size_t n)
{
    char word[EZ_EDIT_NAME_MOST + 1];
    if (n < 2 || n > sizeof word || (*item != '+' && *item != '-'))
        return WRONG(r, "words: expected +WORD or -WORD, found '%.*s'", (int)(n < 40 ? n : 40),
                     item);
    memcpy(word, item + 1, n - 1);
    word[n - 1] = 0;
    ez_edit_word edit = {topic, r->source->find_word(r->source->user, word), *item == '+'};
    if (edit.word == UINT32_MAX && !r->earlier)
        return WRONG(r, "words: the model does not have the word '%s'", word);
    EZ_TRY(write_text(r, " ", item, n));
    return edit.word == UINT32_MAX ? EZLDA_OK
                                   : ez_buffer_append(&r->words, r->context, &edit, sizeof edit);
}

/* Fails if more words are first in a topic than lists can take. */
static ezlda_status check_first(reading *r, uint32_t topic)
{
    uint32_t word[EZ_FIRST_WORDS + 1];
    ez_edits now = {.word = (ez_edit_word *)(void *)r->words.data,
                    .words = r->words.used / sizeof(ez_edit_word)};
    if (r->earlier || ez_edits_first(&now, topic, word, EZ_FIRST_WORDS + 1) <= EZ_FIRST_WORDS)
        return EZLDA_OK;
    return WRONG(r, "words: expected at most %d words with + for topic %u, found more",
                 EZ_FIRST_WORDS, topic);
}

static ezlda_status change_words(reading *r, const char *at, const char *end)
{
    const char *item;
    size_t topics, n, items = 0;
    EZ_TRY(read_topics(r, &at, end, &topics));
    if (topics != 1)
        return WRONG(r, "words: expected one topic, found %zu", topics);
    EZ_TRY(write_topics(r, "words", topics));
    for (; (n = take_word(&at, end, &item)) > 0; items++)
        EZ_TRY(read_word(r, listed(r, 0), item, n));
    return items ? check_first(r, listed(r, 0))
                 : WRONG(r, "words: expected %s, found none", "+WORD or -WORD");
}

static bool is(const char *word, size_t n, const char *other)
{
    return strlen(other) == n && memcmp(word, other, n) == 0;
}

static ezlda_status read_operation(reading *r, const char *at, const char *end)
{
    const char *word;
    size_t n = take_word(&at, end, &word);
    if (is(word, n, "rename"))
        return rename_topic(r, at, end);
    if (is(word, n, "group"))
        return group_topics(r, at, end);
    if (is(word, n, "hide"))
        return hide_topics(r, at, end);
    if (is(word, n, "merge"))
        return merge_topics(r, at, end, "merge");
    if (is(word, n, "merged") && r->earlier)
        return merge_topics(r, at, end, "merged");
    if (is(word, n, "words"))
        return change_words(r, at, end);
    return WRONG(r, "expected rename, merge, hide, group or words, found '%.*s'",
                 (int)(n < 40 ? n : 40), word);
}

/* Reads all lines. Empty ones, and those that begin with #, are remarks. */
static ezlda_status read_lines(reading *r, const char *text)
{
    size_t same = 0; /* bytes that the text has in common with source->earlier, in whole lines */
    const char *earlier = r->source->earlier;
    for (size_t i = 0; earlier && text[i] && text[i] == earlier[i]; i++)
        same = text[i] == '\n' ? i + 1 : same;
    if (earlier && strncmp(text + same, earlier + same, strlen(earlier + same)) != 0 &&
        (strncmp(earlier + same, "merged ", 7) == 0 || strstr(earlier + same, "\nmerged ")))
        return ez_fail(r->context, r->source->bad,
                       "%s: a merge is in the counts of an update: it cannot be undone",
                       r->source->name);
    for (const char *at = text; *at;) {
        const char *end = at + strcspn(at, "\n"), *first;
        r->line++;
        r->earlier = (size_t)(at - text) < same;
        if (take_rest(at, end, &first) > 0 && *first != '#') {
            EZ_TRY(read_operation(r, at, end));
            EZ_TRY(ez_buffer_append(&r->text, r->context, "\n", 1));
        }
        at = *end ? end + 1 : end;
    }
    return EZLDA_OK;
}

static ezlda_status allocate(ez_edits **out, ezlda_context *context, uint32_t topics)
{
    static const char what[] = "the edits of a model";
    EZ_TRY(ez_array_zero(out, context, 1, sizeof **out, what));
    ez_edits *e = *out;
    e->topics = topics;
    EZ_TRY(ez_array_zero(&e->name, context, topics, sizeof *e->name, what));
    EZ_TRY(ez_array_zero(&e->group, context, topics, sizeof *e->group, what));
    EZ_TRY(ez_array_zero(&e->hidden, context, topics, sizeof *e->hidden, what));
    EZ_TRY(ez_array(&e->into, context, topics, sizeof *e->into, what));
    for (uint32_t k = 0; k < topics; k++)
        e->into[k] = k;
    return EZLDA_OK;
}

ezlda_status ez_edits_read(ez_edits **out, ezlda_context *context, const char *text,
                           const ez_edit_source *source)
{
    reading r = {.context = context, .source = source};
    ezlda_status status;
    *out = NULL;
    EZ_TRY_GOTO(allocate(&r.edits, context, source->topics));
    EZ_TRY_GOTO(read_lines(&r, text));
    if (r.text.used == 0)
        goto done;
    EZ_TRY_GOTO(ez_buffer_append(&r.text, context, "", 1));
    r.edits->text = (char *)r.text.data;
    r.edits->word = (ez_edit_word *)(void *)r.words.data;
    r.edits->words = r.words.used / sizeof(ez_edit_word);
    r.text.data = r.words.data = NULL;
    *out = r.edits;
    r.edits = NULL;
done:
    ez_edits_free(r.edits);
    ez_free(r.text.data);
    ez_free(r.words.data);
    ez_free(r.listed.data);
    return status;
}

ezlda_status ez_edits_settle(char **out, ezlda_context *context, const ez_edits *edits)
{
    ez_buffer text = {0};
    ezlda_status status = EZLDA_OK;
    *out = NULL;
    for (const char *at = edits->text; *at && status == EZLDA_OK;) {
        size_t n = strcspn(at, "\n") + 1;
        bool merge = strncmp(at, "merge ", 6) == 0;
        if (merge)
            status = ez_buffer_append(&text, context, "merged", 6);
        if (status == EZLDA_OK)
            status = ez_buffer_append(&text, context, at + (merge ? 5 : 0), n - (merge ? 5 : 0));
        at += n;
    }
    if (status == EZLDA_OK)
        status = ez_buffer_append(&text, context, "", 1);
    if (status == EZLDA_OK) {
        *out = (char *)text.data;
        text.data = NULL;
    }
    ez_free(text.data);
    return status;
}
