/* Parses queries, and finds their words, values and topics in the index. */
#include "report/search/query.h"

#include "corpus/corpus.h"
#include "corpus/input/utf8.h"
#include "model/model_layout.h"
#include "report/content/field_bins.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Matches of a value or a prefix that are used at most; a longer list would not be what was meant.
 */
enum { EZ_PREFIX_WORDS = 4096, EZ_PHRASE_MOST = 32 };

typedef struct parser {
    ez_query *query;
    ezlda_context *context;
    const ez_doc_index *index;
    ez_query_words *words;
    const char *text, *at;
    int depth;
    ezlda_status status;
    bool good;
} parser;

/* ---- words ---- */

ezlda_status ez_query_words_open(ez_query_words *words, ezlda_context *context,
                                 const ezlda_model *model)
{
    *words = (ez_query_words){.model = model, .rules = model->rules != NULL};
    if (words->rules)
        EZ_TRY(ez_term_reader_init(&words->reader, context, model->rules));
    for (uint32_t w = 0; w < model->meta->words; w++) {
        const char *word = ezlda_model_word(model, w);
        uint32_t id;
        bool added;
        EZ_TRY(ez_strings_add(&words->vocabulary, context, word, strlen(word), &id, &added));
        if (!added) /* keeps the numbers of the words after it */
            EZ_TRY(ez_strings_add(&words->vocabulary, context, &w, sizeof w, &id, &added));
    }
    return EZLDA_OK;
}

void ez_query_words_close(ez_query_words *words)
{
    ez_term_reader_free(&words->reader);
    ez_strings_free(&words->vocabulary);
}

void ez_query_free(ez_query *query)
{
    ez_free(query->words.data);
    ez_free(query->spans.data);
    ez_free(query->ignored.data);
}

static void check(parser *p, ezlda_status status)
{
    if (p->status == EZLDA_OK)
        p->status = status;
}

static bool running(const parser *p)
{
    return p->good && p->status == EZLDA_OK;
}

static uint32_t characters(const char *from, const char *to)
{
    uint32_t n = 1;
    for (; from < to; from++)
        n += ((unsigned char)*from & 0xc0) != 0x80;
    return n;
}

static void expected(parser *p, const char *what)
{
    if (!p->good)
        return;
    p->good = false;
    p->query->fault_at = characters(p->text, p->at);
    char here[48] = "the end";
    if (*p->at) {
        size_t n = 0, length;
        for (int i = 0; i < 10 && p->at[n]; i++, n += length)
            ez_utf8_decode(p->at + n, &length);
        snprintf(here, sizeof here, "'%.*s'", (int)n, p->at);
    }
    snprintf(p->query->fault, sizeof p->query->fault, "at character %u: expected %s, found %s",
             (unsigned)p->query->fault_at, what, here);
}

static uint32_t add_node(parser *p, ez_query_node node)
{
    if (p->query->nodes == EZ_QUERY_NODES) {
        expected(p, "a shorter query");
        return 0;
    }
    p->query->node[p->query->nodes] = node;
    return p->query->nodes++;
}

static uint32_t word_count(const ez_query *query)
{
    return (uint32_t)(query->words.used / sizeof(uint32_t));
}

static void add_word(parser *p, uint32_t word)
{
    check(p, ez_buffer_append(&p->query->words, p->context, &word, sizeof word));
}

static void ignore(parser *p, const char *text, size_t n)
{
    check(p, ez_buffer_append(&p->query->ignored, p->context, text, n));
    check(p, ez_buffer_append(&p->query->ignored, p->context, "", 1));
}

/* Adds the words of a piece of text, which are in the vocabulary as one word, or one by one.
 * Returns how many were added. */
static uint32_t add_words(parser *p, const char *text, size_t n)
{
    char copy[EZ_QUERY_BYTES + 1];
    const char *term = text;
    size_t length = n;
    memcpy(copy, text, n);
    copy[n] = '\0';
    if (p->words->rules)
        check(p, ez_term_read(&p->words->reader, p->context, copy, true, &term, &length));
    if (p->status != EZLDA_OK)
        return 0;
    uint32_t word = length ? ez_strings_find(&p->words->vocabulary, term, length) : EZ_NO_STRING;
    if (word == EZ_NO_STRING && p->words->rules && length) /* as it stands */
        word = ez_strings_find(&p->words->vocabulary, text, n);
    if (word != EZ_NO_STRING) {
        add_word(p, word);
        return 1;
    }
    uint32_t found = 0;
    for (size_t i = 0, end; i < length && memchr(term, '_', length); i = end + 1) {
        const char *stop = memchr(term + i, '_', length - i);
        end = stop ? (size_t)(stop - term) : length;
        word = ez_strings_find(&p->words->vocabulary, term + i, end - i);
        if (word != EZ_NO_STRING) {
            add_word(p, word);
            found++;
        }
    }
    return found;
}

/* ---- one ---- */

static void skip_space(parser *p)
{
    while (*p->at == ' ' || (*p->at >= '\t' && *p->at <= '\r'))
        p->at++;
}

static bool ends_word(char c)
{
    return !c || c == ' ' || (c >= '\t' && c <= '\r') || c == '(' || c == ')' || c == '"';
}

static size_t word_length(const char *at)
{
    size_t n = 0;
    while (!ends_word(at[n]))
        n++;
    return n;
}

/* The text between the quotation marks at p->at. */
static bool quoted(parser *p, const char **text, size_t *n)
{
    const char *end = strchr(p->at + 1, '"');
    if (!end) {
        p->at += strlen(p->at);
        expected(p, "a closing \"");
        return false;
    }
    *text = p->at + 1;
    *n = (size_t)(end - *text);
    p->at = end + 1;
    return true;
}

/* Joins the words [first, end) that the vocabulary has as one: the longest first. */
static void join_phrases(parser *p, uint32_t first)
{
    uint32_t *word = (uint32_t *)(void *)p->query->words.data;
    uint32_t end = word_count(p->query), to = first;
    for (uint32_t i = first, next; i < end; i = next) {
        uint32_t joined = word[i];
        next = i + 1;
        for (uint32_t n = end - i < 5 ? end - i : 5; n > 1 && next == i + 1; n--) {
            char text[EZ_QUERY_BYTES];
            size_t used = 0;
            for (uint32_t j = i; j < i + n && used < sizeof text; j++)
                used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", j > i ? "_" : "",
                                         ezlda_model_word(p->words->model, word[j]));
            uint32_t found = used < sizeof text ? ez_strings_find(&p->words->vocabulary, text, used)
                                                : EZ_NO_STRING;
            if (found != EZ_NO_STRING) {
                joined = found;
                next = i + n;
            }
        }
        word[to++] = joined;
    }
    p->query->words.used = to * sizeof *word;
}

static uint32_t phrase(parser *p)
{
    const char *text;
    size_t n;
    uint32_t first = word_count(p->query);
    if (!quoted(p, &text, &n))
        return 0;
    for (size_t i = 0, length; i < n && running(p); i += length) {
        for (; i < n && ends_word(text[i]); i++)
            ;
        for (length = 0; i + length < n && !ends_word(text[i + length]); length++)
            ;
        if (length && !add_words(p, text + i, length))
            ignore(p, text + i, length);
    }
    if (running(p))
        join_phrases(p, first);
    uint32_t words = word_count(p->query) - first;
    if (!words)
        return add_node(p, (ez_query_node){.kind = EZ_NODE_IGNORED});
    if (words > EZ_PHRASE_MOST)
        expected(p, "a shorter phrase");
    else if (words > 1 && !p->index->meta.positions)
        expected(p, "no phrase, as the corpus has neither text nor order of words (import "
                    "--keep-text)");
    return add_node(p, (ez_query_node){.kind = words > 1 ? EZ_NODE_PHRASE : EZ_NODE_WORDS,
                                       .first = first,
                                       .n = words});
}

static uint32_t prefix(parser *p, const char *text, size_t n)
{
    uint32_t first = word_count(p->query);
    char low[EZ_QUERY_BYTES + 1] = "";
    for (size_t i = 0; i < n; i++)
        low[i] = text[i] >= 'A' && text[i] <= 'Z' ? (char)(text[i] | 0x20) : text[i];
    for (uint32_t w = 0; w < p->index->meta.words; w++) {
        const char *word = ezlda_model_word(p->words->model, w);
        if (strncmp(word, low, n) == 0 || strncmp(word, text, n) == 0)
            add_word(p, w);
        if (word_count(p->query) - first == EZ_PREFIX_WORDS)
            break;
    }
    uint32_t words = word_count(p->query) - first;
    return add_node(
        p,
        (ez_query_node){.kind = words ? EZ_NODE_WORDS : EZ_NODE_NONE, .first = first, .n = words});
}

/* Several words in one piece ("well-known") are a phrase if there are positions. */
static uint32_t plain_word(parser *p, size_t n)
{
    const char *text = p->at;
    uint32_t first = word_count(p->query);
    p->at += n;
    if (n > 1 && text[n - 1] == '*')
        return prefix(p, text, n - 1);
    uint32_t words = add_words(p, text, n);
    if (!words) {
        ignore(p, text, n);
        return add_node(p, (ez_query_node){.kind = EZ_NODE_IGNORED});
    }
    if (words > EZ_PHRASE_MOST)
        words = EZ_PHRASE_MOST;
    bool together = words > 1 && p->index->meta.positions;
    return add_node(p, (ez_query_node){.kind = together ? EZ_NODE_PHRASE : EZ_NODE_WORDS,
                                       .first = first,
                                       .n = words});
}

/* ---- topics ---- */

enum { EZ_SHARE_ONE = 65535, EZ_SHARE_USUAL = EZ_SHARE_ONE / 10 };

/* A share: "0.2", ".2" or "20%". */
static bool read_share(parser *p, uint16_t *share)
{
    char *end;
    double value = *p->at == '.' || (*p->at >= '0' && *p->at <= '9') ? strtod(p->at, &end) : -1;
    if (value >= 0) {
        if (*end == '%')
            value /= 100;
        p->at = end + (*end == '%');
    }
    if (!(value >= 0.01 && value <= 1) || !ends_word(*p->at)) {
        expected(p, "a share from 1% to 100%");
        return false;
    }
    *share = (uint16_t)(value * EZ_SHARE_ONE);
    return true;
}

static uint32_t topic(parser *p)
{
    ez_query_node node = {.kind = EZ_NODE_TOPIC, .share = EZ_SHARE_USUAL};
    size_t digits = strspn(p->at, "0123456789");
    node.topic = digits && digits < 7 ? (uint32_t)strtoul(p->at, NULL, 10) : UINT32_MAX;
    if (node.topic >= p->index->meta.topics) {
        char what[64];
        snprintf(what, sizeof what, "a topic from 0 to %u", p->index->meta.topics - 1);
        expected(p, what);
        return 0;
    }
    p->at += digits;
    node.below = *p->at == '<';
    if (*p->at == '>' || *p->at == '<') {
        p->at += 1 + (p->at[1] == '=');
        if (!read_share(p, &node.share))
            return 0;
    } else if (!ends_word(*p->at)) {
        expected(p, "'>' or '<' and a share, or a space");
    }
    return add_node(p, node);
}

/* ---- fields ---- */

static void add_span(parser *p, uint32_t first, uint32_t end)
{
    ez_rank_span span = {first, end};
    if (first < end)
        check(p, ez_buffer_append(&p->query->spans, p->context, &span, sizeof span));
}

/* How a value compares with a bound of a range. A date or a text that begins with the bound is
 * equal to it, so that 1990..1995 has all of 1995. */
static int compare_bound(const ez_index_field *field, const char *value, const char *bound)
{
    if (field->kind == EZ_FIELD_NUMBER) {
        double x = *value ? strtod(value, NULL) : -1e308, y = strtod(bound, NULL);
        return x < y ? -1 : x > y;
    }
    size_t n = strlen(bound);
    return strncmp(value, bound, n);
}

/* The first rank whose value is not below the bound, or with `after` the first above it. */
static uint32_t find_bound(const parser *p, const ez_index_field *field, const char *bound,
                           bool after)
{
    uint32_t low = 0, high = field->values;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        int order = compare_bound(field, ez_index_value(field, p->index->corpus, middle), bound);
        if (order < 0 || (after && order == 0))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void range(parser *p, const ez_index_field *field, const char *low, const char *high)
{
    uint32_t first = *low ? find_bound(p, field, low, false) : 0;
    uint32_t end = *high ? find_bound(p, field, high, true) : field->values;
    if (first == 0 && field->values && !*ez_index_value(field, p->index->corpus, 0))
        first = 1; /* documents without a value are in no range */
    add_span(p, first, end);
}

static char fold_ascii(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c | 0x20) : c;
}

static bool is_letter(char c)
{
    return (fold_ascii(c) >= 'a' && fold_ascii(c) <= 'z') || (c >= '0' && c <= '9') ||
           (unsigned char)c >= 0x80;
}

/* Whether a value has the text as whole words; case of ASCII letters does not matter. */
static bool holds(const char *value, const char *text, size_t n)
{
    for (const char *at = value; *at; at++) {
        size_t i = 0;
        if (at > value && is_letter(at[-1]) && is_letter(*text))
            continue;
        while (i < n && fold_ascii(at[i]) == fold_ascii(text[i]))
            i++;
        if (i == n && !(is_letter(text[n - 1]) && is_letter(at[n])))
            return true;
    }
    return false;
}

/* The values that are the text, or have it as whole words unless `exact`. */
static void same_values(parser *p, const ez_index_field *field, const char *text, bool exact)
{
    size_t n = strlen(text);
    uint32_t from = UINT32_MAX;
    for (uint32_t rank = 0; rank <= field->values; rank++) {
        const char *value =
            rank < field->values ? ez_index_value(field, p->index->corpus, rank) : NULL;
        bool fits = value && (exact || !n ? strcmp(value, text) == 0 : holds(value, text, n));
        if (fits && from == UINT32_MAX)
            from = rank;
        if (!fits && from != UINT32_MAX) {
            add_span(p, from, rank);
            from = UINT32_MAX;
        }
    }
}

static bool is_number(const char *text)
{
    char *end;
    size_t n = strspn(text, "+-0123456789.eE");
    return n && !text[n] && (strtod(text, &end), !*end);
}

static bool good_bound(parser *p, const ez_index_field *field, const char *bound)
{
    if (field->kind != EZ_FIELD_NUMBER || !*bound || is_number(bound))
        return true;
    expected(p, "numbers on both sides of '..'");
    return false;
}

/* value: the text after the colon, quoted or not. */
static void field_values(parser *p, const ez_index_field *field, char *value, bool exact,
                         bool was_quoted)
{
    char *dots = was_quoted || exact ? NULL : strstr(value, "..");
    if (dots) {
        *dots = '\0';
        if (good_bound(p, field, value) && good_bound(p, field, dots + 2))
            range(p, field, value, dots + 2);
    } else if (!exact && ((field->kind == EZ_FIELD_DATE && !was_quoted && *value) ||
                          (field->kind == EZ_FIELD_NUMBER && is_number(value)))) {
        range(p, field, value, value); /* 2019 has all of 2019-05-17 */
    } else {
        same_values(p, field, value, exact);
    }
}

static uint32_t field(parser *p, uint32_t number)
{
    char value[EZ_QUERY_BYTES + 1];
    const char *text = p->at;
    uint32_t first = (uint32_t)(p->query->spans.used / sizeof(ez_rank_span));
    bool exact = *p->at == '=', was_quoted;
    p->at += exact;
    text = p->at;
    size_t n = word_length(p->at);
    was_quoted = *p->at == '"';
    if (was_quoted) {
        if (!quoted(p, &text, &n))
            return 0;
    } else if (!n && !exact) {
        expected(p, "a value after ':'");
        return 0;
    } else {
        p->at += n;
    }
    memcpy(value, text, n);
    value[n] = '\0';
    field_values(p, &p->index->field[number], value, exact, was_quoted);
    return add_node(
        p, (ez_query_node){.kind = EZ_NODE_FIELD,
                           .field = number,
                           .first = first,
                           .n = (uint32_t)(p->query->spans.used / sizeof(ez_rank_span)) - first});
}

static bool same_name(const char *name, const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (fold_ascii(name[i]) != fold_ascii(text[i]))
            return false;
    return !name[n];
}

/* The field whose name and a colon the text begins with; UINT32_MAX if there is none. Names may
 * have spaces and colons: the longest counts. */
static uint32_t find_field(const parser *p)
{
    uint32_t found = UINT32_MAX;
    size_t longest = 0, left = strlen(p->at);
    for (uint32_t f = 0; f < p->index->meta.fields; f++) {
        const char *name = p->index->field[f].name;
        size_t n = strlen(name);
        if (n > longest && n < left && p->at[n] == ':' && same_name(name, p->at, n)) {
            longest = n;
            found = f;
        }
    }
    return found;
}

/* NAME: before p->at + n, or a field's name; an unknown name is an error only if it looks like one.
 */
static bool named(parser *p, size_t n, uint32_t *node)
{
    const char *name = p->at, *colon = memchr(name, ':', n);
    size_t length = colon ? (size_t)(colon - name) : 0;
    uint32_t number = find_field(p);
    if (number != UINT32_MAX) {
        p->at += strlen(p->index->field[number].name) + 1;
        *node = field(p, number);
        return true;
    }
    if (!length)
        return false;
    if (same_name("topic", name, length)) {
        p->at = colon + 1;
        *node = topic(p);
        return true;
    }
    char what[200] = "topic";
    size_t used = strlen(what);
    for (uint32_t f = 0; f < p->index->meta.fields && used < sizeof what; f++)
        used += (size_t)snprintf(what + used, sizeof what - used, ", %s", p->index->field[f].name);
    size_t good = ez_utf8_check(what, strlen(what)); /* the list may have been cut */
    what[good] = '\0';
    expected(p, what);
    return true;
}

/* ---- the grammar ---- */

static uint32_t either(parser *p);

static bool is_operator(const char *at, const char *word)
{
    size_t n = strlen(word);
    return strncmp(at, word, n) == 0 && ends_word(at[n]) && at[n] != '"';
}

/* NOLINTNEXTLINE(misc-no-recursion): as deep as a query is long at most */
static uint32_t one(parser *p)
{
    uint32_t node = 0;
    if (*p->at == '(') {
        p->at++;
        node = either(p);
        skip_space(p);
        if (running(p) && *p->at != ')')
            expected(p, "')'");
        p->at += running(p);
        return node;
    }
    if (*p->at == '"')
        return phrase(p);
    size_t n = word_length(p->at);
    if (!n || is_operator(p->at, "OR") || is_operator(p->at, "AND"))
        expected(p, "a word, a phrase in quotation marks, a field or topic:N");
    else if (!named(p, n, &node))
        node = plain_word(p, n);
    return node;
}

/* Words that are not in the vocabulary leave the rest of the query as it is. */
static bool is_ignored(const parser *p, uint32_t node)
{
    return running(p) && p->query->node[node].kind == EZ_NODE_IGNORED;
}

static uint32_t join(parser *p, ez_node_kind kind, uint32_t left, uint32_t right)
{
    if (is_ignored(p, left) || is_ignored(p, right))
        return is_ignored(p, left) ? right : left;
    return add_node(p, (ez_query_node){.kind = kind, .left = left, .right = right});
}

/* NOLINTNEXTLINE(misc-no-recursion): as deep as a query is long at most */
static uint32_t negated(parser *p)
{
    bool no = false;
    for (;; skip_space(p)) {
        if (*p->at == '-' && !ends_word(p->at[1] == '(' || p->at[1] == '"' ? 'x' : p->at[1]))
            p->at++;
        else if (is_operator(p->at, "NOT"))
            p->at += 3;
        else
            break;
        no = !no;
    }
    uint32_t node = one(p);
    if (!no || !running(p) || is_ignored(p, node))
        return node;
    return add_node(p, (ez_query_node){.kind = EZ_NODE_NOT, .left = node});
}

static bool another(const parser *p)
{
    return *p->at && *p->at != ')' && !is_operator(p->at, "OR");
}

/* NOLINTNEXTLINE(misc-no-recursion): as deep as a query is long at most */
static uint32_t all(parser *p)
{
    uint32_t left = negated(p);
    for (skip_space(p); running(p) && another(p); skip_space(p)) {
        if (is_operator(p->at, "AND"))
            p->at += 3;
        skip_space(p);
        uint32_t right = negated(p);
        left = join(p, EZ_NODE_AND, left, right);
    }
    return left;
}

/* NOLINTNEXTLINE(misc-no-recursion): as deep as a query is long at most */
static uint32_t either(parser *p)
{
    if (++p->depth > EZ_QUERY_DEPTH)
        expected(p, "fewer brackets inside each other");
    skip_space(p);
    uint32_t left = running(p) ? all(p) : 0;
    for (skip_space(p); running(p) && is_operator(p->at, "OR"); skip_space(p)) {
        p->at += 2;
        skip_space(p);
        uint32_t right = all(p);
        left = join(p, EZ_NODE_OR, left, right);
    }
    p->depth--;
    return left;
}

ezlda_status ez_query_parse(ez_query *query, ezlda_context *context, const ez_doc_index *index,
                            ez_query_words *words, const char *text, bool *good)
{
    parser p = {.query = query,
                .context = context,
                .index = index,
                .words = words,
                .text = text,
                .at = text,
                .good = true};
    if (strlen(text) > EZ_QUERY_BYTES)
        expected(&p, "a shorter query");
    skip_space(&p);
    if (running(&p) && !*p.at) {
        query->root = add_node(&p, (ez_query_node){.kind = EZ_NODE_ALL});
    } else if (running(&p)) {
        query->root = either(&p);
        if (running(&p) && *p.at)
            expected(&p, "the end of the query");
        if (running(&p) && is_ignored(&p, query->root))
            query->root = add_node(&p, (ez_query_node){.kind = EZ_NODE_NONE});
    }
    *good = p.good;
    return p.status;
}
