/* A query over documents: words, phrases, values of fields and topics, joined by AND, OR and NOT.
 *
 *     either  = all { "OR" all }
 *     all     = not { ["AND"] not }
 *     not     = ["-" | "NOT"] one
 *     one     = "(" either ")" | "\"" words "\"" | name ":" values | word | word "*"
 *     values  = value | "=" value | [value] ".." [value] | topic [ (">" | "<") share ]
 *     value   = text without spaces | "\"" text "\""
 *
 * The name of a field is written as it is, also with spaces in it. */
#ifndef EZ_QUERY_H
#define EZ_QUERY_H

#include "report/search/doc_index.h"

#include "corpus/text/rules/term_reader.h"

enum { EZ_QUERY_NODES = 128, EZ_QUERY_DEPTH = 24, EZ_QUERY_BYTES = 1000 };

typedef enum ez_node_kind {
    EZ_NODE_ALL,     /* every document */
    EZ_NODE_NONE,    /* no document */
    EZ_NODE_IGNORED, /* only while a query is parsed */
    EZ_NODE_AND,     /* left and right */
    EZ_NODE_OR,
    EZ_NODE_NOT,    /* not left */
    EZ_NODE_WORDS,  /* one of the words [first, first + n) of the query */
    EZ_NODE_PHRASE, /* these words, next to each other, in this order */
    EZ_NODE_FIELD,  /* the value's rank is in the list [first, first + n) of spans */
    EZ_NODE_TOPIC   /* the topic has at least, or with `below` less than, this share */
} ez_node_kind;

typedef struct ez_query_node {
    ez_node_kind kind;
    uint32_t left, right;
    uint32_t first, n;
    uint32_t field, topic;
    uint16_t share; /* in 65535ths */
    bool below;
} ez_query_node;

/* Ranks from `first` to before `end`. */
typedef struct ez_rank_span {
    uint32_t first, end;
} ez_rank_span;

typedef struct ez_query {
    ez_query_node node[EZ_QUERY_NODES];
    uint32_t nodes, root;
    ez_buffer words;   /* uint32_t */
    ez_buffer spans;   /* ez_rank_span, ascending in each node */
    ez_buffer ignored; /* words that are not in the vocabulary, each ended by NUL */
    char fault[256];   /* what is wrong, if parsing failed */
    size_t fault_at;   /* character, from 1 */
} ez_query;

/* Finds words of a query in the vocabulary. */
typedef struct ez_query_words {
    const ezlda_model *model;
    ez_term_reader reader;
    bool rules; /* words of a query are read by them */
    ez_strings vocabulary;
} ez_query_words;

ezlda_status ez_query_words_open(ez_query_words *words, ezlda_context *context,
                                 const ezlda_model *model);
void ez_query_words_close(ez_query_words *words);

/* Parses a text in UTF-8; *good is false if it is not a query, then fault says what was expected.
 * Zero-initialise the query; free it in any case. */
ezlda_status ez_query_parse(ez_query *query, ezlda_context *context, const ez_doc_index *index,
                            ez_query_words *words, const char *text, bool *good);
void ez_query_free(ez_query *query);

/* ---- running ---- */

typedef enum ez_sort {
    EZ_SORT_BEST,   /* words of the query that are rare, and frequent in the document, first */
    EZ_SORT_NUMBER, /* by number */
    EZ_SORT_FIELD,
    EZ_SORT_TOPIC /* by falling share */
} ez_sort;

typedef struct ez_order {
    ez_sort by;
    uint32_t field, topic;
    bool falling; /* of a field */
} ez_order;

/* The documents that a query finds: a bit for each. */
typedef struct ez_found {
    uint64_t *bits;
    uint64_t docs; /* how many are found */
} ez_found;

ezlda_status ez_query_run(ez_found *found, ezlda_context *context, const ez_doc_index *index,
                          const ez_query *query);
void ez_found_free(ez_found *found);

/* The documents [from, from + most) of all that were found, in an order; *n: how many there are.
 * Equal ones are in the order of their numbers. */
ezlda_status ez_found_list(const ez_found *found, ezlda_context *context, const ez_doc_index *index,
                           const ez_query *query, const ez_order *order, uint64_t from,
                           uint32_t most, uint32_t *doc, uint32_t *n);

/* Threads for work on this many documents: few documents are not worth waking threads. */
static inline int ez_search_threads(const ezlda_context *context, uint64_t docs)
{
    uint64_t most = 1 + docs / (16 * (uint64_t)EZ_SEGMENT_DOCS),
             all = (uint64_t)ez_threads(context);
    return (int)(most < all ? most : all);
}

static inline bool ez_found_has(const ez_found *found, uint64_t doc)
{
    return found->bits[doc / 64] >> doc % 64 & 1;
}

#endif
