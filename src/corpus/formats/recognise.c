/* Recognises formats: by the first bytes or the name of a file, else by what its first lines look
 * like. */
#include "corpus/formats/recognise.h"

#include "base/os/os_files.h"
#include "corpus/formats/mallet_state.h"
#include "corpus/pages/page_kind.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { SAMPLE_LINES = 100 };

static const struct {
    const char *name, *description;
} formats[EZ_FORMATS] = {
    [EZ_FORMAT_EZC] = {"ezc", "a corpus file"},
    [EZ_FORMAT_UCI] = {"uci", "a UCI bag of words"},
    [EZ_FORMAT_MM] = {"mm", "a Matrix Market bag of words"},
    [EZ_FORMAT_LDAC] = {"ldac", "an LDA-C bag of words"},
    [EZ_FORMAT_SVMLIGHT] = {"svmlight", "an SVMlight bag of words"},
    [EZ_FORMAT_MALLET_STATE] = {"mallet-state", "MALLET's topics of all tokens"},
    [EZ_FORMAT_HDF5] = {"hdf5", "counts of single cells"},
    [EZ_FORMAT_MALLET] = {"mallet", "MALLET lines: name, label, text"},
    [EZ_FORMAT_TEXT] = {"text", "plain text, one document per line"},
    [EZ_FORMAT_DIR] = {"dir", "a directory, one document per file"},
    [EZ_FORMAT_CSV] = {"csv", "CSV"},
    [EZ_FORMAT_TSV] = {"tsv", "TSV"},
    [EZ_FORMAT_JSONL] = {"jsonl", "JSON Lines"},
    [EZ_FORMAT_JSON] = {"json", "a JSON array of objects"},
    [EZ_FORMAT_HTML] = {"html", "HTML, one document per file"},
    [EZ_FORMAT_XML] = {"xml", "XML, one document per file or TEI element"},
    [EZ_FORMAT_MARKDOWN] = {"markdown", "Markdown, one document per file"},
};

const char *ez_format_name(ez_format format)
{
    return formats[format].name;
}

const char *ez_format_description(ez_format format)
{
    return formats[format].description;
}

ez_format ez_format_named(const char *name)
{
    int i = 0;
    while (i < EZ_FORMATS && strcmp(formats[i].name, name) != 0)
        i++;
    return (ez_format)i;
}

bool ez_format_is_page(ez_format format)
{
    return format == EZ_FORMAT_HTML || format == EZ_FORMAT_XML || format == EZ_FORMAT_MARKDOWN;
}

/* ---- by name ---- */

static size_t without_ending(const char *name, size_t n, const char *ending)
{
    size_t length = strlen(ending);
    return n > length && memcmp(name + n - length, ending, length) == 0 ? n - length : n;
}

/* The name of the file at a path; *n: its length without the extension of compression. */
static const char *unpacked_name(const char *path, size_t *n)
{
    const char *slash = ez_os_last_separator(path), *name = slash ? slash + 1 : path;
    *n = ez_unpacked_length(name, strlen(name));
    return name;
}

/* The format that a name implies; EZ_FORMATS: none. */
static ez_format by_name(const char *path)
{
    static const struct {
        const char *ending;
        ez_format format;
    } endings[] = {
        {".csv", EZ_FORMAT_CSV},
        {".tsv", EZ_FORMAT_TSV},
        {".tab", EZ_FORMAT_TSV},
        {".jsonl", EZ_FORMAT_JSONL},
        {".ndjson", EZ_FORMAT_JSONL},
        {".mtx", EZ_FORMAT_MM},
        {".mm", EZ_FORMAT_MM},
        {".ldac", EZ_FORMAT_LDAC},
        {".lda-c", EZ_FORMAT_LDAC},
        {".svm", EZ_FORMAT_SVMLIGHT},
        {".svmlight", EZ_FORMAT_SVMLIGHT},
        {".libsvm", EZ_FORMAT_SVMLIGHT},
        {".ezc", EZ_FORMAT_EZC},
    };
    size_t n;
    const char *name = unpacked_name(path, &n);
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (without_ending(name, n, endings[i].ending) < n)
            return endings[i].format;
    return strncmp(name, "docword.", 8) == 0 ? EZ_FORMAT_UCI : EZ_FORMATS;
}

/* ---- by content ---- */

typedef struct head_lines {
    const char *at, *end;
    bool whole; /* the head is the whole input: its last line counts even without a newline */
} head_lines;

/* The next whole line, without its end; false if there is none. */
static bool next_line(head_lines *lines, const char **start, const char **end)
{
    if (lines->at == lines->end)
        return false;
    const char *newline = memchr(lines->at, '\n', (size_t)(lines->end - lines->at));
    if (!newline && !lines->whole)
        return false;
    *start = lines->at;
    *end = newline ? newline : lines->end;
    lines->at = newline ? newline + 1 : lines->end;
    if (*end > *start && (*end)[-1] == '\r')
        (*end)--;
    return true;
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t';
}

static void skip_spaces(const char **at, const char *end)
{
    while (*at < end && is_space(**at))
        ++*at;
}

/* Parses digits; *value stops growing at a billion. */
static bool parse_integer(const char **at, const char *end, size_t *value)
{
    const char *start = *at;
    *value = 0;
    for (; *at < end && **at >= '0' && **at <= '9'; ++*at)
        if (*value < 1000000000)
            *value = *value * 10 + (size_t)(**at - '0');
    return *at > start;
}

/* Whether a line has n integers and nothing else. */
static bool integers_line(const char *at, const char *end, int n)
{
    size_t value;
    for (int i = 0; i < n; i++) {
        skip_spaces(&at, end);
        if (!parse_integer(&at, end, &value) || (at < end && !is_space(*at)))
            return false;
    }
    skip_spaces(&at, end);
    return at == end;
}

static bool is_uci(head_lines lines)
{
    const char *start, *end;
    for (int i = 0; i < 3; i++)
        if (!next_line(&lines, &start, &end) || !integers_line(start, end, 1))
            return false;
    return !next_line(&lines, &start, &end) || integers_line(start, end, 3);
}

static bool is_numeric(char c)
{
    return (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '+' || c == 'e' || c == 'E';
}

/* The number of pairs of a line `label id:value ...`, SIZE_MAX if the line is something else;
 * *first: the integer at its start. */
static size_t pairs_line(const char *at, const char *end, size_t *first)
{
    const char *word = at;
    size_t pairs = 0, id;
    *first = SIZE_MAX;
    if (!parse_integer(&at, end, first) || (at < end && !is_space(*at)))
        *first = SIZE_MAX;
    for (at = word; at < end && is_numeric(*at);)
        at++;
    if (at == word || (at < end && !is_space(*at)))
        return SIZE_MAX;
    for (skip_spaces(&at, end); at < end && *at != '#'; pairs++, skip_spaces(&at, end)) {
        if (!parse_integer(&at, end, &id) || at == end || *at++ != ':' || at == end ||
            !is_numeric(*at))
            return SIZE_MAX;
        while (at < end && is_numeric(*at))
            at++;
        if (at < end && !is_space(*at))
            return SIZE_MAX;
    }
    return pairs;
}

/* An LDA-C line begins with the number of its pairs, an SVMlight line with any number. */
static ez_format pairs_format(head_lines lines)
{
    const char *start, *end;
    size_t seen = 0, all_pairs = 0, first;
    bool counted = true;
    for (; seen < SAMPLE_LINES && next_line(&lines, &start, &end); seen++) {
        if (start < end && *start == '#')
            continue;
        size_t pairs = pairs_line(start, end, &first);
        if (pairs == SIZE_MAX)
            return EZ_FORMATS;
        all_pairs += pairs;
        counted = counted && pairs == first;
    }
    if (!seen || !all_pairs)
        return EZ_FORMATS;
    return counted ? EZ_FORMAT_LDAC : EZ_FORMAT_SVMLIGHT;
}

/* Whether the first line, split at the separator, has a column of this name. */
static bool has_column(head_lines lines, char separator, const char *name, size_t length)
{
    const char *at, *end;
    if (!next_line(&lines, &at, &end))
        return false;
    while (at <= end) {
        const char *quote =
            at < end && *at == '"' ? memchr(at + 1, '"', (size_t)(end - at - 1)) : NULL;
        const char *from = quote ? quote : at,
                   *stop = memchr(from, separator, (size_t)(end - from));
        size_t n = (size_t)((stop ? stop : end) - at);
        bool quoted = n >= 2 && at[0] == '"' && at[n - 1] == '"';
        if (n - (quoted ? 2 : 0) == length && memcmp(at + quoted, name, length) == 0)
            return stop || lines.at < lines.end;
        at += n + 1;
    }
    return false;
}

/* Whether the first line has a column of this name or, if it is a list, of each of its names. */
static bool has_columns(head_lines lines, char separator, const char *names)
{
    if (has_column(lines, separator, names, strlen(names)))
        return true;
    for (;; names++) {
        size_t n = strcspn(names, ",");
        if (!has_column(lines, separator, names, n))
            return false;
        names += n;
        if (!*names)
            return true;
    }
}

/* MALLET's bulk-load form: exactly two tabs in each line, no spaces in the first two columns. */
static bool is_tabbed_mallet(head_lines lines)
{
    const char *start, *end;
    size_t seen = 0;
    for (; seen < SAMPLE_LINES && next_line(&lines, &start, &end); seen++) {
        int tabs = 0;
        for (const char *p = start; p < end; p++) {
            tabs += *p == '\t';
            if (tabs > 2 || (tabs < 2 && *p == ' '))
                return false;
        }
        if (tabs != 2 || *start == '\t')
            return false;
    }
    return seen > 0;
}

static bool is_jsonl(head_lines lines)
{
    const char *start, *end;
    while (lines.at < lines.end && strchr(" \t\r\n", *lines.at))
        lines.at++;
    if (lines.at == lines.end || *lines.at != '{')
        return false;
    if (!next_line(&lines, &start, &end))
        return true; /* one long line */
    while (end > start && is_space(end[-1]))
        end--;
    return end[-1] == '}';
}

/* An array whose first element is an object. */
static bool is_json_array(head_lines lines)
{
    const char *at = lines.at;
    while (at < lines.end && (is_space(*at) || *at == '\r' || *at == '\n'))
        at++;
    if (at == lines.end || *at++ != '[')
        return false;
    while (at < lines.end && (is_space(*at) || *at == '\r' || *at == '\n'))
        at++;
    return at < lines.end && *at == '{';
}

static ez_format by_content(head_lines lines, const char *text_field)
{
    if (is_uci(lines))
        return EZ_FORMAT_UCI;
    ez_format pairs = pairs_format(lines);
    if (pairs != EZ_FORMATS)
        return pairs;
    if (is_jsonl(lines))
        return EZ_FORMAT_JSONL;
    if (is_json_array(lines))
        return EZ_FORMAT_JSON;
    if (has_columns(lines, '\t', text_field))
        return EZ_FORMAT_TSV;
    if (has_columns(lines, ',', text_field) || has_columns(lines, ';', text_field))
        return EZ_FORMAT_CSV;
    return is_tabbed_mallet(lines) ? EZ_FORMAT_MALLET : EZ_FORMAT_TEXT;
}

/* Recognises the format by the first bytes or the name, which leave no doubt; EZ_FORMATS: neither
 * decides. */
static ez_format by_mark_or_name(const char *path, const char *head, size_t n)
{
    if (n >= 8 && memcmp(head, "EZLDACRP", 8) == 0)
        return EZ_FORMAT_EZC;
    if (n >= 14 && memcmp(head, "%%MatrixMarket", 14) == 0)
        return EZ_FORMAT_MM;
    size_t mark = strlen(EZ_MALLET_STATE_MARK);
    if (n >= mark && memcmp(head, EZ_MALLET_STATE_MARK, mark) == 0)
        return EZ_FORMAT_MALLET_STATE;
    return by_name(path);
}

ez_format ez_recognise(const char *path, const char *head, size_t n, const char *text_field,
                       bool pages)
{
    static const ez_format page_formats[EZ_PAGE_KINDS] = {[EZ_PAGE_HTML] = EZ_FORMAT_HTML,
                                                          [EZ_PAGE_TEI] = EZ_FORMAT_XML,
                                                          [EZ_PAGE_XML] = EZ_FORMAT_XML,
                                                          [EZ_PAGE_MARKDOWN] = EZ_FORMAT_MARKDOWN};
    ez_format format = by_mark_or_name(path, head, n);
    if (format != EZ_FORMATS)
        return format;
    ez_page_kind kind = pages ? ez_page_kind_of(path, head, n) : EZ_PAGE_TEXT;
    if (kind != EZ_PAGE_TEXT)
        return page_formats[kind];
    head_lines lines = {head, head + n, n < 65536};
    if (n >= 3 && memcmp(head, "\xef\xbb\xbf", 3) == 0)
        lines.at += 3;
    return by_content(lines, text_field ? text_field : "text");
}

/* ---- several inputs ---- */

/* The extension of a file's name, with its dot; empty if it has none. */
static const char *ending_of(const char *path, size_t *n)
{
    const char *name = unpacked_name(path, n), *end = name + *n, *after = end;
    while (after > name && after[-1] != '.')
        after--;
    const char *dot = after > name + 1 ? after - 1 : end;
    *n = (size_t)(end - dot);
    return dot;
}

static bool is_text_name(const char *path)
{
    size_t n;
    const char *name = unpacked_name(path, &n);
    return without_ending(name, n, ".txt") < n || without_ending(name, n, ".text") < n;
}

bool ez_content_counts(const char *first_path, const char *path)
{
    size_t n, first_n;
    const char *first = ending_of(first_path, &first_n), *own = ending_of(path, &n);
    return !is_text_name(path) && (n != first_n || memcmp(own, first, n) != 0);
}

bool ez_formats_clash(const char *first_path, ez_format first, const char *path, ez_format format,
                      const char *head, size_t n)
{
    bool pairs = (first == EZ_FORMAT_LDAC || first == EZ_FORMAT_SVMLIGHT) &&
                 (format == EZ_FORMAT_LDAC || format == EZ_FORMAT_SVMLIGHT);
    bool prose = (first == EZ_FORMAT_TEXT || ez_format_is_page(first)) &&
                 (format == EZ_FORMAT_TEXT || ez_format_is_page(format));
    if (!n || format == first || prose)
        return false;
    if (by_mark_or_name(path, head, n) != EZ_FORMATS)
        return true;
    if (format == EZ_FORMAT_TEXT) /* the default: clashes only with formats that text cannot be */
        return is_text_name(path) && (first == EZ_FORMAT_CSV || first == EZ_FORMAT_TSV ||
                                      first == EZ_FORMAT_JSONL || first == EZ_FORMAT_JSON);
    return !pairs && ez_content_counts(first_path, path);
}
