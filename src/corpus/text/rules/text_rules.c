/* Writes, checks, compares and describes the rules by which text became words, and applies them to
 * the options of an import. */
#include "corpus/text/rules/text_rules.h"

#include "corpus/input/utf8.h"
#include "corpus/text/phrases/phrase_list.h"
#include "corpus/text/tokeniser/text_cutting.h"
#include "corpus/text/vocabulary/lemmas.h"
#include "corpus/text/vocabulary/word_filter.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <utf8proc.h>

typedef struct description {
    char *text;
    size_t size, used;
} description;

EZ_PRINTF(2, 3) static void append(description *to, const char *format, ...)
{
    if (to->used >= to->size)
        return;
    va_list args;
    va_start(args, format);
    int n = vsnprintf(to->text + to->used, to->size - to->used, format, args);
    va_end(args);
    to->used += n > 0 ? (size_t)n : 0;
}

/* Describes from where the text was read, as far as rules have settings for it. */
static void describe_reading(description *to, const ezlda_text_rules *rules)
{
    const char *field = ez_text_rules_setting(rules, "text-field"),
               *unit = ez_text_rules_setting(rules, "unit"),
               *split = ez_text_rules_setting(rules, "split");
    if (field)
        append(to, ", text from \"%s\"", field);
    if (unit && strcmp(unit, "files") == 0)
        append(to, ", one document per file");
    if (split && strcmp(split, "blank") == 0)
        append(to, ", split at empty lines");
    else if (split)
        append(to, ", split into %s words", split);
}

/* Which words were removed from the corpus in the end. */
static void describe_filter(description *to, const ezlda_text_rules *rules)
{
    ez_word_limits limits = ez_word_limits_of(rules);
    if (limits.min_docs > 1)
        append(to, ", words in fewer than %llu documents removed",
               (unsigned long long)limits.min_docs);
    if (limits.max_docs_share < 1)
        append(to, ", words in more than %g %% of the documents removed",
               100 * limits.max_docs_share);
}

/* What a description says besides the rules themselves. */
typedef struct described_words {
    bool stopwords;        /* mention them */
    uint32_t n_stopwords;  /* removed from all documents */
    const char *languages; /* those whose stop words are removed by document; NULL: none */
    const char *phrases;   /* the list of phrases that are joined; NULL: none */
    const char *remark;    /* on how text is cut */
    bool lemmas;           /* words are replaced by their lemmas */
    const ezlda_text_rules *filtered; /* the rules whose filter to mention; NULL: none */
} described_words;

static void describe_stopwords(description *to, const described_words *words)
{
    const char *languages = words->languages;
    if (!words->stopwords)
        return;
    if (words->n_stopwords)
        append(to, "%u stop words removed, ", words->n_stopwords);
    if (languages && strncmp(languages, "- ", 2) == 0) /* no main language */
        append(to, "stop words removed by language of the document (%s), ", languages + 2);
    else if (languages)
        append(to, "stop words removed by language of the document (%s), ", languages);
    if (!words->n_stopwords && !languages)
        append(to, "no stop words, ");
}

static void describe(const ezlda_text_rules *rules, const described_words *words, char *text,
                     size_t size)
{
    description to = {text, size, 0};
    describe_stopwords(&to, words);
    append(&to, "words of %u letter%s and more", rules->min_length,
           rules->min_length == 1 ? "" : "s");
    if (*rules->stemmer)
        append(&to, ", stemmer %s", rules->stemmer);
    if (rules->stem_below)
        append(&to, " of words in fewer than %u documents", rules->stem_below);
    if (words->lemmas)
        append(&to, ", lemmas");
    if (rules->ngrams > 1)
        append(&to, ", phrases of up to %u words", rules->ngrams);
    if (words->phrases)
        append(&to, ", %u phrases joined", ez_phrase_list_size(words->phrases));
    if (rules->kept & EZ_CASE_KEPT)
        append(&to, ", case kept");
    if (rules->kept & EZ_NUMBERS_KEPT)
        append(&to, ", numbers kept");
    append(&to, "%s", words->remark);
    describe_filter(&to, words->filtered);
    describe_reading(&to, rules);
}

static ezlda_status write_strings(ez_buffer *to, ezlda_context *context, const ez_strings *strings)
{
    for (uint32_t i = 0; i < strings->n; i++) {
        size_t n;
        const char *text = ez_strings_get(strings, i, &n);
        EZ_TRY(ez_buffer_append(to, context, text, n + 1));
    }
    return EZLDA_OK;
}

static struct ezlda_text_rules rules_of(const ezlda_import_options *options)
{
    struct ezlda_text_rules rules = {
        .min_length = options->min_length,
        .ngrams = options->ngrams,
        .stem_below = options->stem_below,
        .kept = (options->keep_case ? EZ_CASE_KEPT : 0u) |
                (options->keep_numbers ? EZ_NUMBERS_KEPT : 0u),
    };
    if (options->stemmer)
        memcpy(rules.stemmer, options->stemmer,
               strnlen(options->stemmer, sizeof rules.stemmer - 1));
    return rules;
}

ezlda_status ez_text_rules_write(ez_buffer *to, ezlda_context *context,
                                 const ezlda_import_options *options, const ez_strings *stopwords,
                                 const ez_strings *unstemmed, const ez_rule_settings *settings)
{
    struct ezlda_text_rules rules = rules_of(options);
    rules.n_stopwords = stopwords->n;
    rules.n_unstemmed = unstemmed->n;
    rules.text_bytes =
        (uint64_t)stopwords->bytes.used + unstemmed->bytes.used + settings->text.used;
    EZ_TRY(ez_buffer_append(to, context, &rules, sizeof rules));
    EZ_TRY(write_strings(to, context, stopwords));
    EZ_TRY(write_strings(to, context, unstemmed));
    return ez_buffer_append(to, context, settings->text.data, settings->text.used);
}

/* The place after the first n strings. */
static const char *after_strings(const ezlda_text_rules *rules, uint64_t n)
{
    const char *at = rules->text;
    for (uint64_t i = 0; i < n; i++)
        at += strlen(at) + 1;
    return at;
}

const char *ez_text_rules_setting(const ezlda_text_rules *rules, const char *key)
{
    if (!rules)
        return NULL;
    const char *settings = after_strings(rules, (uint64_t)rules->n_stopwords + rules->n_unstemmed);
    return ez_rule_settings_find(settings, rules->text + rules->text_bytes, key);
}

ezlda_status ez_text_rules_guess(ezlda_text_rules **out, ezlda_context *context,
                                 const ez_column *words)
{
    EZ_TRY(ez_array(out, context, 1, sizeof **out, "rules for text"));
    uint32_t kept = EZ_GUESSED, letters = 0, least = 2;
    size_t length;
    for (uint64_t i = 0; i < words->bytes; i += length) {
        uint32_t code = ez_utf8_decode(words->text + i, &length);
        if (code == 0) {
            least = letters == 1 ? 1 : least;
            letters = 0;
            continue;
        }
        letters++;
        utf8proc_category_t category = utf8proc_category((utf8proc_int32_t)code);
        if (category == UTF8PROC_CATEGORY_LU || category == UTF8PROC_CATEGORY_LT)
            kept |= EZ_CASE_KEPT;
        if (category == UTF8PROC_CATEGORY_ND)
            kept |= EZ_NUMBERS_KEPT;
    }
    **out = (struct ezlda_text_rules){.min_length = least, .ngrams = 1, .kept = kept};
    return EZLDA_OK;
}

bool ez_text_rules_good(const void *section, uint64_t bytes)
{
    const ezlda_text_rules *rules = section;
    if (bytes < sizeof *rules || rules->text_bytes != bytes - sizeof *rules)
        return false;
    if (rules->kept > (EZ_CASE_KEPT | EZ_NUMBERS_KEPT) || rules->ngrams < 1 ||
        rules->ngrams > EZ_MAX_NGRAMS)
        return false;
    const char *end_of_name = memchr(rules->stemmer, 0, sizeof rules->stemmer);
    if (!end_of_name || ez_utf8_check(rules->stemmer, (size_t)(end_of_name - rules->stemmer)) !=
                            (size_t)(end_of_name - rules->stemmer))
        return false;
    uint64_t strings = 0, words = (uint64_t)rules->n_stopwords + rules->n_unstemmed;
    for (const char *at = rules->text, *end = at + rules->text_bytes; at < end; strings++) {
        const char *stop = memchr(at, 0, (size_t)(end - at));
        if (!stop || stop == at || ez_utf8_check(at, (size_t)(stop - at)) != (size_t)(stop - at))
            return false;
        at = stop + 1;
    }
    return strings >= words &&
           ez_rule_settings_good(after_strings(rules, words), rules->text + rules->text_bytes);
}

uint64_t ez_text_rules_bytes(const ezlda_text_rules *rules)
{
    return sizeof *rules + rules->text_bytes;
}

bool ez_text_rules_same(const ezlda_text_rules *a, const ezlda_text_rules *b)
{
    if (!a || !b)
        return a == b;
    return a->text_bytes == b->text_bytes && memcmp(a, b, (size_t)ez_text_rules_bytes(a)) == 0;
}

ezlda_status ez_text_rules_with(ez_buffer *to, ezlda_context *context,
                                const ezlda_text_rules *rules, const char *key, const char *value)
{
    ez_rule_settings settings = {0};
    ezlda_text_rules head = *rules;
    const char *words = rules->text, *end = rules->text + rules->text_bytes,
               *at = after_strings(rules, (uint64_t)rules->n_stopwords + rules->n_unstemmed);
    ezlda_status status;
    EZ_TRY_GOTO(ez_buffer_append(&settings.text, context, at, (size_t)(end - at)));
    EZ_TRY_GOTO(ez_rule_settings_set(&settings, context, key, value));
    head.text_bytes = (uint64_t)(at - words) + settings.text.used;
    EZ_TRY_GOTO(ez_buffer_append(to, context, &head, sizeof head));
    EZ_TRY_GOTO(ez_buffer_append(to, context, words, (size_t)(at - words)));
    status = ez_buffer_append(to, context, settings.text.data, settings.text.used);
done:
    ez_rule_settings_free(&settings);
    return status;
}

/* The next setting from *at on that says how words are made, not where text is, which words were
 * removed in the end, or which part of a table of lemmas was needed; NULL: none. */
static const char *next_of_words(const char **at, const char *end)
{
    static const char *const reading[] = {"text-field=",
                                          "name-field=",
                                          "label-field=",
                                          "keep-fields=",
                                          "unit=",
                                          "split=",
                                          "include=",
                                          "exclude=",
                                          EZ_LEMMAS "=",
                                          EZ_PAGES_SETTING "=",
                                          EZ_RULE_MIN_DOCS "=",
                                          EZ_RULE_MAX_DOCS_SHARE "="};
    while (*at < end) {
        const char *setting = *at;
        bool skip = false;
        for (size_t i = 0; i < sizeof reading / sizeof *reading; i++)
            skip = skip || strncmp(setting, reading[i], strlen(reading[i])) == 0;
        *at += strlen(setting) + 1;
        if (!skip)
            return setting;
    }
    return NULL;
}

bool ez_text_rules_words_same(const ezlda_text_rules *a, const ezlda_text_rules *b)
{
    if (!a || !b)
        return a == b;
    if (!ez_text_rules_setting(a, EZ_LEMMAS) != !ez_text_rules_setting(b, EZ_LEMMAS))
        return false;
    struct ezlda_text_rules head = *b;
    head.text_bytes = a->text_bytes;
    uint64_t n = (uint64_t)a->n_stopwords + a->n_unstemmed;
    if (memcmp(a, &head, sizeof head) != 0)
        return false;
    const char *x = after_strings(a, n), *y = after_strings(b, n);
    size_t words = (size_t)(x - a->text);
    if ((size_t)(y - b->text) != words || memcmp(a->text, b->text, words) != 0)
        return false;
    for (;;) {
        const char *one = next_of_words(&x, a->text + a->text_bytes),
                   *two = next_of_words(&y, b->text + b->text_bytes);
        if (!one || !two)
            return one == two;
        if (strcmp(one, two) != 0)
            return false;
    }
}

const char *ez_named_stemmer(const ezlda_import_options *options)
{
    return options->stemmer && strcmp(options->stemmer, "none") != 0 ? options->stemmer : NULL;
}

const char *ez_named_lemmas(const ezlda_import_options *options)
{
    return options->lemmas && strcmp(options->lemmas, "none") != 0 ? options->lemmas : NULL;
}

const char *ez_text_rules_lemmas(const ezlda_import_options *options)
{
    bool others = options->lemmas || ez_named_stemmer(options);
    return others ? NULL : ez_text_rules_setting(options->like, EZ_LEMMAS);
}

void ez_text_rules_fill(ezlda_import_options *options, char *text, size_t size)
{
    const ezlda_text_rules *rules = options->like;
    ezlda_import_options initial;
    ezlda_import_options_init(&initial);
    if (!options->stemmer && !ez_named_lemmas(options) && *rules->stemmer) {
        options->stemmer = rules->stemmer;
        options->stem_below = rules->stem_below;
    }
    options->stemmer = ez_named_stemmer(options);
    if (!options->min_length_given && options->min_length == initial.min_length)
        options->min_length = rules->min_length;
    if (!options->ngrams_given && options->ngrams == initial.ngrams && !options->phrases)
        options->ngrams = rules->ngrams;
    if (!options->tokens)
        options->tokens = ez_tokens_like(rules);
    options->keep_case = options->keep_case || (rules->kept & EZ_CASE_KEPT);
    options->keep_numbers = options->keep_numbers || (rules->kept & EZ_NUMBERS_KEPT);
    if (!(rules->kept & EZ_GUESSED) && !ez_text_rules_setting(rules, EZ_MARKUP_SETTING))
        options->keep_markup = true;
    struct ezlda_text_rules now = rules_of(options);
    ez_cutting cutting = EZ_CUT_AUTO;
    ez_cutting_named(options->tokens, &cutting);
    described_words words = {!options->stopwords,
                             rules->n_stopwords,
                             ez_text_rules_setting(rules, EZ_RULE_LANGUAGES),
                             ez_text_rules_phrases(options),
                             ez_cutting_remark(cutting),
                             ez_named_lemmas(options) || ez_text_rules_lemmas(options),
                             NULL};
    describe(&now, &words, text, size);
}

static ezlda_status add_strings(const ezlda_text_rules *rules, ezlda_context *context,
                                uint32_t first, uint32_t n, ez_strings *set)
{
    const char *at = after_strings(rules, first);
    for (uint32_t i = 0; i < n; i++) {
        size_t length = strlen(at);
        uint32_t id;
        bool added;
        EZ_TRY(ez_strings_add(set, context, at, length, &id, &added));
        at += length + 1;
    }
    return EZLDA_OK;
}

ezlda_status ez_text_rules_stopwords(const ezlda_import_options *options, ezlda_context *context,
                                     ez_strings *set)
{
    if (!options->like || options->stopwords)
        return EZLDA_OK;
    return add_strings(options->like, context, 0, options->like->n_stopwords, set);
}

/* Whether a code is among codes that are separated by spaces. */
static bool has_code(const char *codes, const char *code, size_t n)
{
    for (const char *at = codes; *at; at += *at == ' ') {
        size_t length = strcspn(at, " ");
        if (length == n && memcmp(at, code, n) == 0)
            return true;
        at += length;
    }
    return false;
}

const char *ez_text_rules_phrases(const ezlda_import_options *options)
{
    bool others = options->phrases || options->ngrams > 1 || ez_words_are_cut(options);
    return others ? NULL : ez_text_rules_setting(options->like, EZ_PHRASES);
}

/* Adds the language with this code, if the rules have its words. */
static ezlda_status add_language(const ezlda_text_rules *rules, ezlda_context *context,
                                 const char *code, size_t n, ez_stop_table *table,
                                 ez_rule_settings *settings)
{
    char key[sizeof EZ_RULE_LIST + EZ_CODE_BYTES] = EZ_RULE_LIST;
    if (n >= EZ_CODE_BYTES || table->languages == EZ_TABLE_LANGUAGES)
        return EZLDA_OK;
    memcpy(key + strlen(key), code, n);
    const char *words = ez_text_rules_setting(rules, key);
    if (!words)
        return EZLDA_OK;
    EZ_TRY(ez_rule_settings_set(settings, context, key, words));
    return ez_stop_table_add(table, context, code, n, words);
}

/* Adds all built-in languages in their order, since all voted when the rules were made. Those of
 * the rules have the words that the rules have. */
static ezlda_status add_built_in(const ezlda_text_rules *rules, ezlda_context *context,
                                 const char *codes, ez_stop_table *table,
                                 ez_rule_settings *settings)
{
    for (uint32_t i = 0; i < EZ_STOP_LANGUAGES; i++) {
        const ez_stop_list *list = ez_stop_language(i);
        if (has_code(codes, list->code, strlen(list->code)))
            EZ_TRY(add_language(rules, context, list->code, strlen(list->code), table, settings));
        else
            EZ_TRY(ez_stop_table_add_voter(table, context, list->code, list->words));
    }
    return EZLDA_OK;
}

static uint32_t find_language(const ez_stop_table *table, const char *code, size_t n)
{
    for (uint32_t i = 0; i < table->languages; i++)
        if (strlen(table->code[i]) == n && memcmp(table->code[i], code, n) == 0)
            return i;
    return EZ_NO_LANGUAGE;
}

ezlda_status ez_text_rules_languages(const ezlda_text_rules *rules, ezlda_context *context,
                                     ez_stop_table *table, ez_rule_settings *settings)
{
    const char *codes = ez_text_rules_setting(rules, EZ_RULE_LANGUAGES);
    table->main = EZ_NO_LANGUAGE;
    if (!codes || !*codes)
        return EZLDA_OK;
    EZ_TRY(add_built_in(rules, context, codes, table, settings));
    for (const char *at = codes; *at; at += *at == ' ') {
        size_t n = strcspn(at, " ");
        if (find_language(table, at, n) == EZ_NO_LANGUAGE)
            EZ_TRY(add_language(rules, context, at, n, table, settings));
        at += n;
    }
    table->main = find_language(table, codes, strcspn(codes, " "));
    return ez_rule_settings_set(settings, context, EZ_RULE_LANGUAGES, codes);
}

bool ez_text_rules_stem(const ezlda_import_options *options)
{
    return options->like && options->stemmer == options->like->stemmer;
}

ezlda_status ez_text_rules_unstemmed(const ezlda_import_options *options, ezlda_context *context,
                                     ez_strings *set)
{
    if (!ez_text_rules_stem(options))
        return EZLDA_OK;
    return add_strings(options->like, context, options->like->n_stopwords,
                       options->like->n_unstemmed, set);
}

void ezlda_text_rules_describe(const ezlda_text_rules *rules, char *text, size_t size)
{
    if (size)
        *text = '\0';
    if (!rules)
        return;
    described_words words = {true,
                             rules->n_stopwords,
                             ez_text_rules_setting(rules, EZ_RULE_LANGUAGES),
                             ez_text_rules_setting(rules, EZ_PHRASES),
                             ez_cutting_remark(ez_cutting_of_rules(rules).cutting),
                             ez_text_rules_setting(rules, EZ_LEMMAS) != NULL,
                             rules};
    describe(rules, &words, text, size);
}
