/* What `ezlda diff` prints: the matched and unmatched topics of two models as sorted rows
 * (diff_view.c), and three ways to print them (diff_report.c). */
#ifndef CLI_DIFF_VIEW_H
#define CLI_DIFF_VIEW_H

#include "cli.h"
#include "options/list_options.h"

typedef enum diff_sort { DIFF_BY_DRIFT, DIFF_BY_SIZE, DIFF_BY_NUMBER } diff_sort;

typedef struct diff_settings {
    cli_common common;
    uint32_t words, top;
    double threshold, drift;
    diff_sort sort;
    list_settings list;
} diff_settings;

/* What became of a topic, or of a pair of them. */
typedef enum diff_change {
    DIFF_DRIFTED,
    DIFF_KEPT,
    DIFF_VANISHED,
    DIFF_APPEARED,
    DIFF_CHANGES
} diff_change;

typedef struct diff_row {
    diff_change change;
    bool has[2]; /* which of the two models has a topic in this row; both in a pair */
    uint32_t topic[2];
    uint32_t nearest; /* topic of the other model that is nearest, for a topic without a partner */
    uint32_t shared_words;
    double similarity, jaccard; /* those of the pair; or similarity to the nearest */
    uint64_t tokens;            /* tokens in both models, to sort by */
} diff_row;

/* Top words of a topic. */
typedef struct diff_words {
    const ezlda_model *model;
    ezlda_scored *word;
    bool *shared; /* whether the word is also a top word of the partner */
    size_t n;
} diff_words;

typedef struct diff_view {
    const diff_settings *settings;
    ezlda_context *context;
    const char *path[2];
    const ezlda_model *model[2];
    ezlda_match_info info;
    diff_row *rows; /* by change, then as --sort says */
    size_t n_rows;
    size_t count[DIFF_CHANGES];
    uint64_t tokens[DIFF_CHANGES][2]; /* tokens of these topics, per model */
    diff_words words[2];
} diff_view;

extern const char *const diff_change_names[];

diff_view diff_view_open(const diff_settings *settings, ezlda_context *context,
                         const char *const path[2], const ezlda_model *const model[2],
                         const ezlda_match *match);
void diff_view_close(diff_view *view);

ezlda_status diff_report(diff_view *view);
ezlda_status diff_tsv(diff_view *view);
ezlda_status diff_json(diff_view *view);

/* Fills view->words for the topics of a row; without a topic there are no words. */
ezlda_status diff_load_words(diff_view *view, const diff_row *row);
/* The i-th top word of a model's topic. */
const char *diff_word(const diff_view *view, int model, size_t i);
/* Rows of one change, at most --top of them. */
const diff_row *diff_rows(const diff_view *view, diff_change change, size_t *n);
/* tokens as a share of all tokens of a model. */
double diff_share(const diff_view *view, int model, uint64_t tokens);

#endif
