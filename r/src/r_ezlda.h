/* What the files of the R package's C code share: handles as external pointers, calls into the
 * library, options from named lists.
 *
 * R code calls these routines with .Call. Memory that R can reclaim holds everything: scratch space
 * is from R_alloc, and every handle of the library belongs to an external pointer with a finalizer
 * from the moment it exists, so nothing leaks when R leaves a routine by a long jump. No routine
 * raises an error of its own while the library is at work: callbacks run R code behind R_tryEval,
 * and a failure is returned as a value (r_failure) that R code turns into a condition. */
#ifndef R_EZLDA_H
#define R_EZLDA_H

#define R_NO_REMAP
#define STRICT_R_HEADERS
#include <R.h>
#include <Rinternals.h>

#include "ezlda.h"

#include <stdbool.h>
#include <stdlib.h>

/* realloc for n elements; NULL if their size overflows. Not every system has reallocarray. */
static inline void *r_reallocate(void *memory, size_t n, size_t size)
{
    size_t bytes;
    return __builtin_mul_overflow(n, size, &bytes) ? NULL : realloc(memory, bytes);
}

/* ---- handles ---- */

/* A context of the library and the notes that it sent, until R code fetches them. */
typedef struct r_context {
    ezlda_context *context;
    char **text;
    int *level;
    size_t n, room;
} r_context;

typedef enum r_kind {
    R_CORPUS,
    R_MODEL,
    R_SCORES,
    R_SWEEP,
    R_MATCH,
    R_REPORT,
    R_RECORDS,
    R_KINDS
} r_kind;

/* Makes an external pointer that will own a handle. Give it one with R_SetExternalPtrAddr. */
SEXP r_holder(r_kind kind);
/* Frees what a holder owns before R's garbage collector does. */
void r_release(SEXP holder, r_kind kind);
/* Return the handle of an object. They raise an error if it is something else, or if it came from
 * another session: call them before anything else in a routine. */
r_context *r_context_of(SEXP object);
ezlda_corpus *r_corpus_of(SEXP object);
ezlda_model *r_model_of(SEXP object);
/* The same, and NULL for R's NULL. */
ezlda_corpus *r_corpus_or_null(SEXP object);
ezlda_model *r_model_or_null(SEXP object);
/* The rules by which the text of a model or a corpus was read; NULL for R's NULL. */
const ezlda_text_rules *r_rules_of(SEXP object);

/* ---- failures and interrupts ---- */

/* A failure as a value: its status and its text. */
SEXP r_failure(ezlda_status status, const char *text);
/* The failure of a call with a context. */
SEXP r_failed(const r_context *owner, ezlda_status status);

/* What a callback of the library needs to run R code. Everything is allocated before the call. */
typedef struct r_watch {
    SEXP call;       /* a call of an R function with `figures`, or NULL */
    double *figures; /* numbers that the function gets */
    double interval; /* least seconds between two calls, if the caller asks r_watch_due */
    double last, checked;
    bool interrupted; /* by the user, outside the R function */
} r_watch;

/* Prepares a watch for an R function (or NULL) of a vector of n numbers. The caller protects the
 * returned value during the call. */
SEXP r_watch_open(r_watch *watch, SEXP function, int n, double interval);
/* Whether the user interrupted. Asks R a few times per second. */
bool r_watch_interrupted(r_watch *watch);
bool r_watch_due(const r_watch *watch);
/* Calls the R function and returns whether it asked to stop. */
bool r_watch_stops(r_watch *watch);
double r_seconds(void);

/* ---- options ---- */

/* R_OPTION_PRIOR: a double in the range of priors. It excludes 0, which means "not given" to the
 * library. */
typedef enum r_option_type {
    R_OPTION_U32,
    R_OPTION_U64,
    R_OPTION_DOUBLE,
    R_OPTION_PRIOR,
    R_OPTION_INT,
    R_OPTION_FLAG,
    R_OPTION_TEXT,
    R_OPTION_CHOICE
} r_option_type;

typedef struct r_option {
    const char *name;
    r_option_type type;
    size_t offset;
    const char *const *choices; /* of R_OPTION_CHOICE: the names of an enum's values, then NULL */
} r_option;

/* Fills an options struct from a named list, whose NULLs keep the default. The list owns the
 * strings. Returns NULL, or a failure that names the option. */
SEXP r_options_read(SEXP list, const r_option *table, void *target);

typedef struct r_training {
    ezlda_train_options train;
    ezlda_study study; /* train.study leads here */
} r_training;

void r_training_init(r_training *options);

extern const r_option r_import_options[], r_synth_options[], r_report_options[];
extern const r_option r_train_options[], r_eval_options[], r_infer_options[];

/* ---- values ---- */

/* A named list under construction; the caller protects `list`. */
typedef struct r_list {
    SEXP list, names;
    int n, room;
} r_list;

/* Makes a list with room for n values. Protects it once. */
void r_list_open(r_list *list, int n);
void r_list_add(r_list *list, const char *name, SEXP value);
void r_list_number(r_list *list, const char *name, double value);
void r_list_text(r_list *list, const char *name, const char *value);
void r_list_flag(r_list *list, const char *name, bool value);
SEXP r_text(const char *text);            /* a string, which is UTF-8; NULL: "" */
SEXP r_hash(uint64_t hash);               /* a string of 16 hexadecimal digits */
const char *r_path(SEXP path);            /* of a string vector's first value */
const char **r_strings(SEXP strings);     /* the values of a string vector */
size_t r_count(SEXP object, double most); /* a whole number from 0 that R code has checked */

/* ---- routines, by file ---- */

SEXP r_context_new(SEXP threads);
SEXP r_context_notes(SEXP context);
SEXP r_version(void);
SEXP r_option_names(SEXP kind);

SEXP r_corpus_read(SEXP context, SEXP paths, SEXP options, SEXP like);
SEXP r_corpus_texts(SEXP context, SEXP fields, SEXP columns, SEXP options, SEXP like);
SEXP r_corpus_matrix(SEXP context, SEXP matrix, SEXP words);
SEXP r_corpus_synth(SEXP context, SEXP options);
SEXP r_corpus_with_fields(SEXP context, SEXP corpus, SEXP fields, SEXP values);
SEXP r_corpus_split(SEXP context, SEXP corpus, SEXP share, SEXP seed);
SEXP r_corpus_select(SEXP context, SEXP corpus, SEXP docs);
SEXP r_corpus_save(SEXP context, SEXP corpus, SEXP path);
SEXP r_corpus_info(SEXP corpus);
SEXP r_corpus_words(SEXP corpus);
SEXP r_corpus_field(SEXP corpus, SEXP name);
SEXP r_corpus_counts(SEXP corpus);

SEXP r_train(SEXP context, SEXP corpus, SEXP options, SEXP alpha, SEXP seed_topics, SEXP seed_words,
             SEXP init, SEXP progress, SEXP interval);
SEXP r_plan(SEXP context, SEXP corpus, SEXP options, SEXP seconds);

SEXP r_model_load(SEXP context, SEXP path);
SEXP r_model_save(SEXP context, SEXP model, SEXP path);
SEXP r_model_export(SEXP context, SEXP model, SEXP format, SEXP path, SEXP words, SEXP corpus);
SEXP r_model_from_mallet(SEXP context, SEXP path);
SEXP r_model_info(SEXP model);
SEXP r_model_history(SEXP model);
SEXP r_model_words(SEXP model);
SEXP r_model_names(SEXP model);
SEXP r_model_numbers(SEXP model, SEXP what);
SEXP r_model_top(SEXP context, SEXP model, SEXP topic, SEXP order, SEXP lambda, SEXP n);
SEXP r_model_beta(SEXP model);
SEXP r_model_gamma(SEXP model);
SEXP r_model_assign(SEXP corpus, SEXP gamma, SEXP beta, SEXP words);

SEXP r_infer(SEXP context, SEXP model, SEXP corpus, SEXP options, SEXP weights, SEXP progress);
SEXP r_evaluate(SEXP context, SEXP model, SEXP corpus, SEXP options);
SEXP r_match_models(SEXP context, SEXP a, SEXP b, SEXP threshold, SEXP words);
SEXP r_sweep(SEXP context, SEXP corpus, SEXP topics, SEXP folder, SEXP options, SEXP train,
             SEXP eval, SEXP progress);
SEXP r_report(SEXP context, SEXP model, SEXP corpus, SEXP other, SEXP options, SEXP path,
              SEXP pictures);
SEXP r_devices(SEXP context);
SEXP r_open_device(SEXP context, SEXP device);

#endif
