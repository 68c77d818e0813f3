/* The outputs of `ezlda docs`: tables, TSV, JSON. */
#ifndef CLI_DOC_VIEWS_H
#define CLI_DOC_VIEWS_H

#include "cli.h"
#include "options/list_options.h"

typedef struct docs_settings {
    cli_common common;
    uint32_t top;
    const char *doc, *topic;
    uint64_t count;
    double interval; /* in percent; 0: none */
    list_settings list;
} docs_settings;

typedef struct doc_topic {
    uint32_t topic, count;
    double share; /* (count + alpha) / (length + sum of alpha) */
    double low, high;
} doc_topic;

/* A model, and memory for the topics of one document. */
typedef struct docs_view {
    const ezlda_model *model;
    ezlda_context *context;
    const docs_settings *settings;
    const ezlda_samples *samples; /* that shares are means over; NULL: none */
    double alpha_sum;
    uint32_t topics;
    uint32_t *topic, *count; /* the topics of one document, as the model has them */
    doc_topic *sorted;       /* the same with shares, the largest share first */
} docs_view;

docs_view docs_view_open(const ezlda_model *model, ezlda_context *context,
                         const docs_settings *settings);
void docs_view_close(docs_view *view);

/* Documents from `first` up to but not including `end`. */
void docs_table(const docs_view *view, uint64_t first, uint64_t end);
void docs_tsv(const docs_view *view, uint64_t first, uint64_t end);
void docs_json(const docs_view *view, uint64_t first, uint64_t end);
/* One document, with the words of its topics. */
ezlda_status doc_table(const docs_view *view, uint64_t doc);

/* The top documents of a topic, in the form that the settings ask for. */
ezlda_status top_docs(const docs_view *view, uint32_t topic);

#endif
