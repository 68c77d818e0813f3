/* Looks at the values of the first records to find the field that holds text: most of its values
 * are several words, mostly of letters, and they are clearly longer than those of other such
 * fields. */
#include "corpus/formats/field_sample.h"

#include "corpus/formats/json_parse.h"
#include "corpus/input/utf8.h"

#include <stdio.h>
#include <string.h>
#include <utf8proc.h>

/* A value is language if it has at least this many words (or letters of a script without spaces)
 * and this share of its characters are letters. */
enum { FEWEST_WORDS = 3, FEWEST_WIDE = 6, LETTERS_PERCENT = 60 };
/* Two fields may both be the text if the shorter is at least this share of the longer. */
enum { RIVAL_PERCENT = 60 };
/* A value longer than this says nothing more. */
enum { VALUE_BYTES = 4096 };

typedef struct field_facts {
    uint64_t values;   /* that are not empty */
    uint64_t language; /* that are natural language */
    uint64_t letters;  /* in all values */
} field_facts;

typedef struct value_facts {
    uint64_t words, letters, wide, others;
} value_facts;

static value_facts look(ez_span value)
{
    value_facts facts = {0};
    bool inside = false;
    size_t end = value.n < VALUE_BYTES ? value.n : VALUE_BYTES;
    for (size_t i = 0, length; i < end; i += length) {
        uint32_t code = ez_utf8_decode(value.at + i, &length);
        utf8proc_category_t category = utf8proc_category((utf8proc_int32_t)code);
        bool letter = category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_LO;
        bool mark = category >= UTF8PROC_CATEGORY_MN && category <= UTF8PROC_CATEGORY_ME;
        bool space = code <= ' ' || category == UTF8PROC_CATEGORY_ZS;
        facts.letters += letter || mark;
        facts.wide += category == UTF8PROC_CATEGORY_LO;
        facts.others += !letter && !mark && !space;
        facts.words += letter && !inside;
        inside = !space && (inside || letter);
    }
    return facts;
}

static bool is_language(const value_facts *facts)
{
    return (facts->words >= FEWEST_WORDS || facts->wide >= FEWEST_WIDE) &&
           facts->letters * 100 >= (facts->letters + facts->others) * LETTERS_PERCENT;
}

ezlda_status ez_field_sample_add(ez_field_sample *sample, ezlda_context *context, ez_span name,
                                 ez_span value)
{
    uint32_t id;
    bool added = false;
    static const field_facts none;
    EZ_TRY(ez_strings_add(&sample->names, context, name.at, name.n, &id, &added));
    if (added)
        EZ_TRY(ez_buffer_append(&sample->fields, context, &none, sizeof none));
    if (!value.n)
        return EZLDA_OK;
    field_facts *field = (field_facts *)(void *)sample->fields.data + id;
    value_facts facts = look(value);
    field->values++;
    field->language += is_language(&facts);
    field->letters += facts.letters;
    return EZLDA_OK;
}

/* ---- JSON ---- */

typedef struct json_sample {
    ez_field_sample *sample;
    ezlda_context *context;
    ezlda_status status;
} json_sample;

/* Adds a scalar under its path without indices: a.b. */
static ez_json_answer add_scalar(ez_json *json, ez_json_kind kind, ez_span text)
{
    json_sample *self = json->user;
    char path[512];
    size_t used = 0;
    if (kind != EZ_JSON_SCALAR)
        return EZ_JSON_ENTER;
    for (size_t i = 0; i < json->depth; i++) {
        ez_span key = json->steps[i].key;
        if (!key.at)
            continue;
        if (used + key.n + 2 > sizeof path)
            return EZ_JSON_SKIP;
        if (used)
            path[used++] = '.';
        memcpy(path + used, key.at, key.n);
        used += key.n;
    }
    if (self->status == EZLDA_OK)
        self->status =
            ez_field_sample_add(self->sample, self->context, (ez_span){path, used}, text);
    return EZ_JSON_SKIP;
}

/* Reads objects, separated by anything that does not open one. An array and lines look alike. */
static ezlda_status sample_json(ez_field_sample *sample, ezlda_context *context, char *text,
                                size_t n)
{
    json_sample self = {sample, context, EZLDA_OK};
    ez_json json = {
        .at = text, .end = text + n - 1, .many_lines = true, .value = add_scalar, .user = &self};
    while (json.at < json.end && self.status == EZLDA_OK) {
        char *open = memchr(json.at, '{', (size_t)(json.end - json.at));
        if (!open)
            break;
        json.at = open;
        if (!ez_json_object(&json))
            break;
        sample->records++;
    }
    return self.status;
}

/* ---- the whole sample ---- */

/* The length of the head without its last line, which may be cut. */
static size_t whole_lines(const char *head, size_t n)
{
    size_t end = n;
    while (end > 0 && head[end - 1] != '\n')
        end--;
    return end ? end : n;
}

ezlda_status ez_field_sample_read(ez_field_sample *sample, ezlda_context *context, ez_format format,
                                  const char *head, size_t n, bool whole)
{
    char *copy;
    n = whole ? n : whole_lines(head, n);
    n = ez_utf8_check(head, n);
    EZ_TRY(ez_array(&copy, context, n + 1, 1, "a sample of the input"));
    memcpy(copy, head, n);
    for (size_t i = 0; i < n && !memchr(head, '\n', n); i++)
        copy[i] = copy[i] == '\r' ? '\n' : copy[i];
    copy[n] = '\n';
    bool table = format == EZ_FORMAT_CSV || format == EZ_FORMAT_TSV;
    ezlda_status status =
        table ? ez_csv_sample(sample, context, format == EZ_FORMAT_TSV ? '\t' : ',', copy, n + 1)
              : sample_json(sample, context, copy, n + 1);
    ez_free(copy);
    return status;
}

/* Whether there is a field of this name; a nested one without the indices of lists. */
static bool has_one(const ez_field_sample *sample, const char *name, size_t n)
{
    char path[512];
    size_t used = 0;
    if (ez_strings_find(&sample->names, name, n) != EZ_NO_STRING)
        return true;
    for (size_t i = 0; i < n && used < sizeof path; i++) {
        if (name[i] == '[')
            while (i < n && name[i] != ']')
                i++;
        else
            path[used++] = name[i];
    }
    return ez_strings_find(&sample->names, path, used) != EZ_NO_STRING;
}

bool ez_field_sample_has(const ez_field_sample *sample, const char *names)
{
    if (has_one(sample, names, strlen(names)))
        return true;
    for (;; names++) {
        size_t n = strcspn(names, ",");
        if (!has_one(sample, names, n))
            return false;
        names += n;
        if (!*names)
            return true;
    }
}

/* The mean letters of a field that holds language; 0: it does not. */
static double text_length(const field_facts *field)
{
    if (!field->values || field->language * 2 < field->values)
        return 0;
    return (double)field->letters / (double)field->values;
}

const char *ez_field_sample_text(const ez_field_sample *sample, const char **rival)
{
    const field_facts *fields = (const field_facts *)(const void *)sample->fields.data;
    uint32_t best = EZ_NO_STRING, second = EZ_NO_STRING;
    double most = 0, more = 0;
    for (uint32_t i = 0; i < sample->names.n; i++) {
        double length = text_length(&fields[i]);
        if (length > most) {
            second = best;
            more = most;
            best = i;
            most = length;
        } else if (length > more) {
            second = i;
            more = length;
        }
    }
    bool close = second != EZ_NO_STRING && more * 100 >= most * RIVAL_PERCENT;
    *rival = close ? ez_strings_get(&sample->names, second, NULL) : NULL;
    return best == EZ_NO_STRING ? NULL : ez_strings_get(&sample->names, best, NULL);
}

void ez_field_sample_list(const ez_field_sample *sample, char *text, size_t size)
{
    size_t used = 0;
    *text = '\0';
    for (uint32_t i = 0; i < sample->names.n && used < size; i++) {
        int n = snprintf(text + used, size - used, "%s%s", i ? ", " : "",
                         ez_strings_get(&sample->names, i, NULL));
        used += n > 0 ? (size_t)n : 0;
    }
}

void ez_field_sample_free(ez_field_sample *sample)
{
    ez_strings_free(&sample->names);
    ez_free(sample->fields.data);
}
