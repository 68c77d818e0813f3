/* The outputs of `ezlda docs`: tables, TSV, JSON. */
#ifndef CLI_DOC_VIEWS_H
#define CLI_DOC_VIEWS_H

#include "cli.h"

typedef struct docs_settings {
    cli_common common;
    uint32_t top;
    const char *doc, *topic;
    uint64_t count;
    int tsv, json;
} docs_settings;

typedef struct topic_part {
    uint32_t topic, count;
    double share; /* (count + alpha) / (length + sum of alpha) */
} topic_part;

/* A model, and room for the topics of one document. */
typedef struct docs_view {
    const ezlda_model *model;
    ezlda_context *context;
    const docs_settings *settings;
    double alpha_sum;
    uint32_t topics;
    uint32_t *topic, *count; /* of one document */
    topic_part *parts;
} docs_view;

docs_view docs_view_open(const ezlda_model *model, ezlda_context *context,
                         const docs_settings *settings);
void docs_view_close(docs_view *view);

/* Documents first to end. */
void docs_table(const docs_view *view, uint64_t first, uint64_t end);
void docs_tsv(const docs_view *view, uint64_t first, uint64_t end);
void docs_json(const docs_view *view, uint64_t first, uint64_t end);
/* One document, with the words of its topics. */
ezlda_status doc_table(const docs_view *view, uint64_t doc);

/* The first documents of a topic, in the form that the settings ask for. */
ezlda_status top_docs(const docs_view *view, uint32_t topic);

#endif
