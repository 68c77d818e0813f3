/* Routines of corpora: read files and texts, draw a synthetic corpus, split, select, save, and
 * return facts, words and fields. */
#include "r_ezlda.h"

#include <stddef.h>
#include <string.h>

#define IMPORT(field, kind)                                                  \
    {                                                                        \
#field, R_OPTION_##kind, offsetof(ezlda_import_options, field), NULL \
    }
const r_option r_import_options[] = {IMPORT(format, TEXT),         IMPORT(encoding, TEXT),
                                     IMPORT(vocab, TEXT),          IMPORT(text_field, TEXT),
                                     IMPORT(name_field, TEXT),     IMPORT(label_field, TEXT),
                                     IMPORT(keep_fields, TEXT),    IMPORT(stopwords, TEXT),
                                     IMPORT(stemmer, TEXT),        IMPORT(stem_below, U32),
                                     IMPORT(min_length, U32),      IMPORT(ngrams, U32),
                                     IMPORT(min_docs, U64),        IMPORT(max_docs_share, DOUBLE),
                                     IMPORT(max_vocab, U32),       IMPORT(keep_case, FLAG),
                                     IMPORT(keep_numbers, FLAG),   IMPORT(keep_order, FLAG),
                                     IMPORT(unit, TEXT),           IMPORT(split, TEXT),
                                     IMPORT(include, TEXT),        IMPORT(exclude, TEXT),
                                     IMPORT(tokens, TEXT),         IMPORT(keep_markup, FLAG),
                                     IMPORT(phrases, TEXT),        IMPORT(like_limits, FLAG),
                                     {NULL, R_OPTION_U32, 0, NULL}};

#define SYNTH(field, kind)                                                  \
    {                                                                       \
#field, R_OPTION_##kind, offsetof(ezlda_synth_options, field), NULL \
    }
const r_option r_synth_options[] = {SYNTH(docs, U64),           SYNTH(words, U32),
                                    SYNTH(mean_length, DOUBLE), SYNTH(sigma, DOUBLE),
                                    SYNTH(topics, U32),         SYNTH(alpha, DOUBLE),
                                    SYNTH(beta, DOUBLE),        SYNTH(zipf, DOUBLE),
                                    SYNTH(seed, U64),           {NULL, R_OPTION_U32, 0, NULL}};

/* Gives a holder its corpus, or returns the failure. */
static SEXP keep_corpus(const r_context *owner, ezlda_status status, SEXP holder,
                        ezlda_corpus *corpus)
{
    if (status != EZLDA_OK)
        return r_failed(owner, status);
    R_SetExternalPtrAddr(holder, corpus);
    return holder;
}

SEXP r_corpus_read(SEXP context, SEXP paths, SEXP options, SEXP like)
{
    r_context *owner = r_context_of(context);
    ezlda_import_options import;
    ezlda_corpus *corpus = NULL;
    ezlda_import_options_init(&import);
    import.like = r_rules_of(like);
    SEXP failure = r_options_read(options, r_import_options, &import);
    if (failure)
        return failure;
    const char **path = r_strings(paths);
    SEXP holder = PROTECT(r_holder(R_CORPUS));
    ezlda_status status =
        ezlda_corpus_read(&corpus, owner->context, path, (size_t)Rf_xlength(paths), &import);
    SEXP result = keep_corpus(owner, status, holder, corpus);
    UNPROTECT(1);
    return result;
}

/* ---- texts ---- */

enum { TEXTS_AT_ONCE = 1024 };

/* Columns of strings, which stay where R keeps them: another thread may read them. */
typedef struct text_source {
    const char **text; /* field f of document d: text[f * docs + d]; NULL: missing */
    uint64_t docs, next;
    uint32_t fields;
    ezlda_text *values;
} text_source;

static int hand_over(ezlda_records *records, void *user)
{
    text_source *self = user;
    uint64_t n = 0;
    for (; n < TEXTS_AT_ONCE && self->next < self->docs; n++, self->next++)
        for (uint32_t f = 0; f < self->fields; f++) {
            const char *text = self->text[f * self->docs + self->next];
            self->values[n * self->fields + f] = (ezlda_text){text, text ? strlen(text) : 0};
        }
    *records = (ezlda_records){n, self->values};
    return 0;
}

/* columns: a list of string vectors, one per field, all of one length. NA is a missing value. */
SEXP r_corpus_texts(SEXP context, SEXP fields, SEXP columns, SEXP options, SEXP like)
{
    r_context *owner = r_context_of(context);
    ezlda_import_options import;
    ezlda_corpus *corpus = NULL;
    ezlda_import_options_init(&import);
    import.like = r_rules_of(like);
    SEXP failure = r_options_read(options, r_import_options, &import);
    if (failure)
        return failure;
    text_source source = {.docs = (uint64_t)Rf_xlength(VECTOR_ELT(columns, 0)),
                          .fields = (uint32_t)Rf_xlength(columns)};
    source.text = (const char **)R_alloc(source.docs * source.fields + 1, sizeof *source.text);
    source.values =
        (ezlda_text *)R_alloc((size_t)TEXTS_AT_ONCE * source.fields, sizeof *source.values);
    for (uint32_t f = 0; f < source.fields; f++) {
        SEXP column = VECTOR_ELT(columns, (R_xlen_t)f);
        for (uint64_t d = 0; d < source.docs; d++) {
            SEXP value = STRING_ELT(column, (R_xlen_t)d);
            source.text[f * source.docs + d] = value == NA_STRING ? NULL : CHAR(value);
        }
    }
    const char **names = r_strings(fields);
    SEXP holder = PROTECT(r_holder(R_CORPUS));
    ezlda_status status = ezlda_corpus_from_records(&corpus, owner->context, names, source.fields,
                                                    &import, hand_over, &source);
    SEXP result = keep_corpus(owner, status, holder, corpus);
    UNPROTECT(1);
    return result;
}

/* ---- other corpora ---- */

SEXP r_corpus_synth(SEXP context, SEXP options)
{
    r_context *owner = r_context_of(context);
    ezlda_synth_options synth;
    ezlda_corpus *corpus = NULL;
    ezlda_synth_options_init(&synth);
    SEXP failure = r_options_read(options, r_synth_options, &synth);
    if (failure)
        return failure;
    SEXP holder = PROTECT(r_holder(R_CORPUS));
    ezlda_status status = ezlda_corpus_synth(&corpus, owner->context, &synth);
    SEXP result = keep_corpus(owner, status, holder, corpus);
    UNPROTECT(1);
    return result;
}

/* values: a list of string vectors, one per field, with one value per document. */
SEXP r_corpus_with_fields(SEXP context, SEXP corpus, SEXP fields, SEXP values)
{
    r_context *owner = r_context_of(context);
    const ezlda_corpus *old = r_corpus_of(corpus);
    ezlda_corpus *made = NULL;
    ezlda_corpus_info info = {.size = sizeof info};
    ezlda_corpus_get_info(old, &info);
    uint32_t n = (uint32_t)Rf_xlength(fields);
    const char **value = (const char **)R_alloc(n * info.docs + 1, sizeof *value);
    for (uint32_t f = 0; f < n; f++) {
        SEXP column = VECTOR_ELT(values, (R_xlen_t)f);
        for (uint64_t d = 0; d < info.docs; d++) {
            SEXP text = STRING_ELT(column, (R_xlen_t)d);
            value[f * info.docs + d] = text == NA_STRING ? NULL : CHAR(text);
        }
    }
    const char **names = r_strings(fields);
    SEXP holder = PROTECT(r_holder(R_CORPUS));
    ezlda_status status = ezlda_corpus_with_fields(&made, owner->context, old, names, n, value);
    SEXP result = keep_corpus(owner, status, holder, made);
    UNPROTECT(1);
    return result;
}

SEXP r_corpus_split(SEXP context, SEXP corpus, SEXP share, SEXP seed)
{
    static const r_option seed_option[] = {{"seed", R_OPTION_U64, 0, NULL},
                                           {NULL, R_OPTION_U32, 0, NULL}};
    r_context *owner = r_context_of(context);
    const ezlda_corpus *whole = r_corpus_of(corpus);
    ezlda_corpus *train = NULL, *test = NULL;
    uint64_t number = 1;
    SEXP failure = r_options_read(seed, seed_option, &number);
    if (failure)
        return failure;
    SEXP first = PROTECT(r_holder(R_CORPUS)), second = PROTECT(r_holder(R_CORPUS));
    SEXP both = PROTECT(Rf_allocVector(VECSXP, 2));
    SET_VECTOR_ELT(both, 0, first);
    SET_VECTOR_ELT(both, 1, second);
    ezlda_status status =
        ezlda_corpus_split(&train, &test, owner->context, whole, Rf_asReal(share), number);
    R_SetExternalPtrAddr(first, train);
    R_SetExternalPtrAddr(second, test);
    UNPROTECT(3);
    return status == EZLDA_OK ? both : r_failed(owner, status);
}

/* docs: numbers of documents from 1, which R code has checked. */
SEXP r_corpus_select(SEXP context, SEXP corpus, SEXP docs)
{
    r_context *owner = r_context_of(context);
    const ezlda_corpus *whole = r_corpus_of(corpus);
    ezlda_corpus *made = NULL;
    size_t n = (size_t)Rf_xlength(docs);
    uint64_t *number = (uint64_t *)R_alloc(n + 1, sizeof *number);
    for (size_t i = 0; i < n; i++)
        number[i] = (uint64_t)REAL(docs)[i] - 1;
    SEXP holder = PROTECT(r_holder(R_CORPUS));
    ezlda_status status = ezlda_corpus_select(&made, owner->context, whole, number, n);
    SEXP result = keep_corpus(owner, status, holder, made);
    UNPROTECT(1);
    return result;
}

SEXP r_corpus_save(SEXP context, SEXP corpus, SEXP path)
{
    r_context *owner = r_context_of(context);
    ezlda_status status = ezlda_corpus_save(owner->context, r_corpus_of(corpus), r_path(path));
    return status == EZLDA_OK ? R_NilValue : r_failed(owner, status);
}

/* ---- what it holds ---- */

SEXP r_corpus_info(SEXP corpus)
{
    const ezlda_corpus *of = r_corpus_of(corpus);
    ezlda_corpus_info info = {.size = sizeof info};
    char rules[256];
    ezlda_corpus_get_info(of, &info);
    ezlda_text_rules_describe(ezlda_corpus_text_rules(of), rules, sizeof rules);
    r_list facts;
    r_list_open(&facts, 11);
    r_list_number(&facts, "docs", (double)info.docs);
    r_list_number(&facts, "empty_docs", (double)info.empty_docs);
    r_list_number(&facts, "words", (double)info.words);
    r_list_number(&facts, "pairs", (double)info.pairs);
    r_list_number(&facts, "tokens", (double)info.tokens);
    r_list_number(&facts, "longest", (double)info.longest);
    r_list_add(&facts, "hash", r_hash(info.hash));
    r_list_number(&facts, "bytes", (double)info.bytes);
    SEXP fields = PROTECT(Rf_allocVector(STRSXP, (R_xlen_t)info.fields));
    for (uint32_t f = 0; f < info.fields; f++)
        SET_STRING_ELT(fields, (R_xlen_t)f, Rf_mkCharCE(ezlda_corpus_field(of, f), CE_UTF8));
    r_list_add(&facts, "fields", fields);
    r_list_flag(&facts, "has_order", info.has_order != 0);
    r_list_text(&facts, "text_read_with", rules);
    UNPROTECT(2);
    return facts.list;
}

SEXP r_corpus_words(SEXP corpus)
{
    const ezlda_corpus *of = r_corpus_of(corpus);
    ezlda_corpus_info info = {.size = sizeof info};
    ezlda_corpus_get_info(of, &info);
    SEXP words = PROTECT(Rf_allocVector(STRSXP, (R_xlen_t)info.words));
    for (uint32_t w = 0; w < info.words; w++)
        SET_STRING_ELT(words, (R_xlen_t)w, Rf_mkCharCE(ezlda_corpus_word(of, w), CE_UTF8));
    UNPROTECT(1);
    return words;
}

/* The values of a field, one per document; NULL if the corpus does not have it. */
SEXP r_corpus_field(SEXP corpus, SEXP name)
{
    const ezlda_corpus *of = r_corpus_of(corpus);
    ezlda_corpus_info info = {.size = sizeof info};
    ezlda_corpus_get_info(of, &info);
    uint32_t field = 0;
    while (field < info.fields && strcmp(ezlda_corpus_field(of, field), r_path(name)) != 0)
        field++;
    if (field == info.fields)
        return R_NilValue;
    SEXP values = PROTECT(Rf_allocVector(STRSXP, (R_xlen_t)info.docs));
    for (uint64_t d = 0; d < info.docs; d++)
        SET_STRING_ELT(values, (R_xlen_t)d,
                       Rf_mkCharCE(ezlda_corpus_field_value(of, field, d), CE_UTF8));
    UNPROTECT(1);
    return values;
}

/* The counts as (document, word, count) triplets from 1, by document, words ascending. */
SEXP r_corpus_counts(SEXP corpus)
{
    const ezlda_corpus *of = r_corpus_of(corpus);
    ezlda_corpus_info info = {.size = sizeof info};
    ezlda_corpus_get_info(of, &info);
    if (info.docs > INT_MAX || info.words > INT_MAX)
        Rf_error("the corpus is too large for a matrix of R");
    SEXP doc = PROTECT(Rf_allocVector(INTSXP, (R_xlen_t)info.pairs));
    SEXP word = PROTECT(Rf_allocVector(INTSXP, (R_xlen_t)info.pairs));
    SEXP count = PROTECT(Rf_allocVector(REALSXP, (R_xlen_t)info.pairs));
    uint32_t *buffer = (uint32_t *)R_alloc((size_t)2 * info.words + 1, sizeof *buffer);
    size_t at = 0;
    for (uint64_t d = 0; d < info.docs; d++) {
        size_t n = ezlda_corpus_document(of, d, buffer, buffer + info.words, info.words);
        for (size_t i = 0; i < n && at < info.pairs; i++, at++) {
            INTEGER(doc)[at] = (int)d + 1;
            INTEGER(word)[at] = (int)buffer[i] + 1;
            REAL(count)[at] = buffer[info.words + i];
        }
    }
    r_list counts;
    r_list_open(&counts, 3);
    r_list_add(&counts, "doc", doc);
    r_list_add(&counts, "word", word);
    r_list_add(&counts, "count", count);
    UNPROTECT(4);
    return counts.list;
}
