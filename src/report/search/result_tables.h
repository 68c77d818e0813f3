/* What is shown about the documents that a query has found: values of fields, topics, both
 * crossed, and how two results differ. */
#ifndef EZ_RESULT_TABLES_H
#define EZ_RESULT_TABLES_H

#include "report/search/query.h"

#define EZ_NO_GROUP UINT32_MAX

/* The values of a field in groups: steps of time, spans of numbers, or each value by itself. */
typedef struct ez_groups {
    const ez_index_field *field;
    uint32_t n;
    char (*text)[64];      /* n; NULL: group i is the value of rank i */
    uint32_t *of_rank;     /* values of the field: its group, or EZ_NO_GROUP */
    uint32_t *first, *end; /* n: the ranks of each group, [first, end) */
} ez_groups;

/* step: "year", "quarter", "month", "day", or NULL: chosen so that there are at most 60. */
ezlda_status ez_groups_make(ez_groups *groups, ezlda_context *context, const ez_doc_index *index,
                            uint32_t field, const char *step);
void ez_groups_free(ez_groups *groups);
const char *ez_group_text(const ez_groups *groups, const ez_doc_index *index, uint32_t group);

/* Sums over the documents found. */
typedef struct ez_cell {
    uint64_t docs, tokens, topic_tokens;
} ez_cell;

/* cell[row * (columns ? columns->n : 1) + column]. topic: whose tokens are counted, or
 * EZ_NO_GROUP. Documents without a value of either field are not counted. */
ezlda_status ez_cross(ezlda_context *context, const ez_doc_index *index, const ez_found *found,
                      const ez_groups *rows, const ez_groups *columns, uint32_t topic,
                      ez_cell *cell);

/* tokens[topic] of the documents found; *all: the sum. */
ezlda_status ez_found_topics(ezlda_context *context, const ez_doc_index *index,
                             const ez_found *found, uint64_t *tokens, uint64_t *all);

/* Counts the words of at most `most` documents, evenly spaced among those found. count: all words
 * of the model. *docs: how many were counted. */
ezlda_status ez_found_words(ezlda_context *context, const ez_doc_index *index,
                            const ez_found *found, uint64_t most, uint64_t *count, uint64_t *docs);

#endif
